//! Keeps the sentences of the texts that were loaded last. If a text is loaded again after a change, only the
//! sentences that the change touches are read.
//!
//! A sentence is kept if it has no mistake, and if its reading depends only on the text from its start and on the
//! operators. What a sentence means is not kept: the loader sees the same sentences as without this module.

use crate::lang::ast::Sentence;
use crate::lang::ops::Ops;
use crate::lang::read::ReadResult;
use alphorn_text::source::SourceId;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Reading looks at most at this number of bytes behind a full stop: one character.
pub const BEHIND_STOP: usize = 4;

/// Longer texts, in bytes, are read anew each time, because their sentences would take much memory.
const LONGEST_TEXT: usize = 1 << 20;

/// The part in which two texts differ.
#[derive(Clone, Copy, Debug)]
pub struct TextChange {
    /// The bytes that both texts have at the start.
    pub before: usize,
    /// The first byte of the new text that both texts have at the end.
    pub after: usize,
    /// The new offset of a byte behind the change, minus the old one.
    pub moved: i64,
}

impl TextChange {
    /// Compares a text with a newer one.
    pub fn between(old: &str, new: &str) -> TextChange {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let before = old.iter().zip(new).take_while(|(one, other)| one == other).count();
        let shorter = old.len().min(new.len()) - before;
        let same = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(one, other)| one == other).count();
        TextChange { before, after: new.len() - same, moved: new.len() as i64 - old.len() as i64 }
    }
}

/// The sentences of the texts of one program, by the numbers of the texts. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct KeptSentences(Arc<Mutex<FxHashMap<SourceId, Arc<KeptText>>>>);

/// The sentences of a text.
#[derive(Clone, Debug)]
struct KeptText {
    text: Arc<str>,
    /// The operators at the start, and after each directive that changed them.
    tables: Vec<Ops>,
    /// In the order of the text.
    sentences: Vec<KeptSentence>,
}

#[derive(Clone, Debug)]
struct KeptSentence {
    /// The byte from which the sentence was read.
    at: usize,
    /// The byte at which the next sentence begins.
    next: usize,
    /// The number of the operator table in force.
    table: usize,
    /// What was read, from byte `origin` of an older text.
    read: Arc<(Sentence, Option<Atom>)>,
    origin: usize,
}

impl KeptSentences {
    /// The same sentences for other texts: what is kept there changes nothing here.
    pub fn fork(&self) -> KeptSentences {
        KeptSentences(Arc::new(Mutex::new(self.texts().clone())))
    }

    /// Forgets the texts that a program of this number of texts does not have.
    pub(super) fn shrink(&self, count: usize) {
        self.texts().retain(|id, _| (id.0 as usize) < count);
    }

    /// Compares a text, which begins with these operators, with the last text of this number.
    pub(super) fn text(&self, id: SourceId, text: &Arc<str>, ops: &Ops) -> KeptReader {
        // Another thread may read the same text at this time, so the older one stays.
        let older = self.texts().get(&id).cloned();
        let older = older.map(|older| (TextChange::between(&older.text, text), older));
        let newer = KeptText { text: text.clone(), tables: vec![ops.clone()], sentences: Vec::new() };
        KeptReader { kept: self.clone(), id, older, newer, same_ops: FxHashMap::default() }
    }

    fn texts(&self) -> MutexGuard<'_, FxHashMap<SourceId, Arc<KeptText>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text that is being read, compared with the text that was read before.
pub(super) struct KeptReader {
    kept: KeptSentences,
    id: SourceId,
    older: Option<(TextChange, Arc<KeptText>)>,
    newer: KeptText,
    /// Whether two tables, an old one and a new one, have the same operators.
    same_ops: FxHashMap<(usize, usize), bool>,
}

impl KeptReader {
    /// The sentence that begins at byte `at`, if it is kept. Reading must not depend on the text before `at`.
    pub fn find(&mut self, at: usize) -> Option<ReadResult> {
        let (change, older) = self.older.as_ref()?;
        let moved = if at < change.before { 0 } else { change.moved };
        let old_at = usize::try_from(at as i64 - moved).ok()?;
        let found = older.sentences.binary_search_by_key(&old_at, |old| old.at).ok()?;
        let old = &older.sentences[found];
        // Text within the change has no older place, although the subtraction gives one.
        let is_same = match at < change.before {
            true => old.next + BEHIND_STOP <= change.before,
            false => at >= change.after,
        };
        let table = self.newer.tables.len() - 1;
        let same = || older.tables[old.table] == self.newer.tables[table];
        if !is_same || !*self.same_ops.entry((old.table, table)).or_insert_with(same) {
            return None;
        }
        let next = usize::try_from(old.next as i64 + moved).ok()?;
        let kept = KeptSentence { at, next, table, ..old.clone() };
        let (mut sentence, name) = (*kept.read).clone();
        if at != kept.origin {
            sentence.shift(at as i64 - kept.origin as i64);
        }
        self.newer.sentences.push(kept);
        Some(ReadResult { sentence: Some(sentence), problem: None, name, next })
    }

    /// Keeps what was read from byte `at`, unless it has a mistake. Reading must not depend on the text before `at`.
    pub fn add(&mut self, at: usize, reading: &ReadResult) {
        if let (Some(sentence), None) = (&reading.sentence, &reading.problem) {
            let read = Arc::new((sentence.clone(), reading.name));
            let table = self.newer.tables.len() - 1;
            self.newer.sentences.push(KeptSentence { at, next: reading.next, table, read, origin: at });
        }
    }

    /// Notes the operators that are in force after a directive.
    pub fn operators(&mut self, ops: &Ops) {
        if self.newer.tables.last() != Some(ops) {
            self.newer.tables.push(ops.clone());
        }
    }

    /// Keeps the sentences of the whole text.
    pub fn end(self) {
        match self.newer.text.len() <= LONGEST_TEXT {
            true => self.kept.texts().insert(self.id, Arc::new(self.newer)),
            false => self.kept.texts().remove(&self.id),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::ops::Fixity;
    use crate::lang::read::Sentences;

    const HERE: SourceId = SourceId(1);

    /// Reads a text as the loader does, where each fact `op` makes `@@` an operator. Returns the number of sentences
    /// that were read, and all sentences.
    fn read(text: &str, kept: &KeptSentences) -> (usize, Vec<String>) {
        let mut ops = Ops::default();
        let text: Arc<str> = text.into();
        let mut reader = kept.text(HERE, &text, &ops);
        let mut sentences = Sentences::new(HERE, &text);
        let (mut at, mut fresh, mut all) = (0, 0, Vec::new());
        loop {
            let is_fresh = sentences.is_fresh();
            let reading = match is_fresh.then(|| reader.find(at)).flatten() {
                Some(found) => found,
                None => {
                    let Some(reading) = sentences.read(at, &ops) else { break };
                    if is_fresh {
                        reader.add(at, &reading);
                    }
                    fresh += 1;
                    reading
                }
            };
            at = reading.next;
            all.push(format!("{reading:?}"));
            if reading.name.is_some_and(|name| name.text() == "op") {
                ops.set(700, Fixity::Xfx, Atom::new("@@"));
                reader.operators(&ops);
            }
        }
        reader.end();
        (fresh, all)
    }

    /// The number of sentences that are read after a change of a text of 1,000 rules.
    fn read_after(old: &str, new: &str) -> usize {
        let text: String = (0..1000).map(|n| format!("% rule {n}\np{n}(X, Y) :- q(X, Y).\n")).collect();
        let changed = text.replacen(old, new, 1);
        assert_ne!(text, changed, "{old}");
        let kept = KeptSentences::default();
        assert_eq!(read(&text, &kept).0, 1000);
        let (fresh, all) = read(&changed, &kept);
        assert_eq!(all, read(&changed, &KeptSentences::default()).1);
        fresh
    }

    #[test]
    fn a_key_reads_only_its_clause_again() {
        for (old, new) in [("p0(", "pp("), ("p500(X", "p500(🎲"), ("% rule 999", "%"), ("Y).\n% rule 7\n", "Y)\n\n")]
        {
            let fresh = read_after(old, new);
            assert!((1..=3).contains(&fresh), "{fresh} sentences after {new:?}");
        }
        assert!(read_after("p500(X", "/*") >= 1);
    }

    #[test]
    fn what_follows_a_new_operator_is_read_again() {
        assert_eq!(read_after("p900(X, Y) :- q(X, Y).", "op."), 100);
    }

    #[test]
    fn clauses_put_in_place_of_others_were_read_as_older_ones() {
        let facts = |from: usize| (from..from + 12).map(|n| format!("p({n}).\n")).collect::<String>();
        let old = format!("{}{}", facts(100), facts(200));
        let new = format!("{}q(111).\nq(222).\nq(333).\n{}", facts(100), facts(200));
        let kept = KeptSentences::default();
        read(&old, &kept);
        for text in [&new, &old, &new] {
            assert_eq!(read(text, &kept).1, read(text, &KeptSentences::default()).1);
        }
    }

    #[test]
    fn a_fork_changes_nothing() {
        let kept = KeptSentences::default();
        read("a. b. last.", &kept);
        read("d. e.", &kept.fork());
        assert_eq!(read("a. b. last.", &kept).0, 1, "only the last sentence, before the end of the text");
    }
}
