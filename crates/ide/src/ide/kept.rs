//! What stays of the sentences of a text when the text changes.
//!
//! A [`Start`] is a place from which reading depends only on the text that follows and on the operators. The
//! sentences before the last such place before a change stay. So do those behind the first one after the
//! change, if the operators there are the same; only their spans move.

use crate::ide::syntax::{ReadSentence, Start, Syntax};
use alphorn_lang::lang::kept::{BEHIND_STOP, TextChange};
use alphorn_lang::lang::ops::Ops;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The syntax of an older text, compared with a newer text.
pub(super) struct Older<'a> {
    syntax: &'a Syntax,
    change: TextChange,
    /// Whether two tables, an old one and a new one, have the same operators.
    same_ops: FxHashMap<(usize, usize), bool>,
}

impl<'a> Older<'a> {
    /// Compares the text of a syntax with a newer text. `None` if nothing can be kept: reading begins with
    /// other operators.
    pub fn new(syntax: &'a Syntax, text: &str, ops: &Ops) -> Option<Older<'a>> {
        if syntax.tables.first() != Some(ops) {
            return None;
        }
        let change = TextChange::between(&syntax.text, text);
        Some(Older { syntax, change, same_ops: FxHashMap::default() })
    }

    /// Copies what lies before the change, and returns the place at which reading goes on.
    pub fn copy_before(&self, into: &mut Syntax) -> Option<Start> {
        let old = self.syntax;
        let usable = old.starts.partition_point(|start| start.at + BEHIND_STOP <= self.change.before);
        let start = *old.starts[..usable].last()?;
        into.sentences.extend_from_slice(&old.sentences[..start.sentences]);
        let comments = old.comments.partition_point(|comment| comment.start < start.at);
        into.comments.extend_from_slice(&old.comments[..comments]);
        into.starts.extend_from_slice(&old.starts[..usable - 1]);
        into.tables = old.tables[..=start.ops].to_vec();
        Some(start)
    }

    /// Copies what lies behind a start of the new text, if the old text has the same start behind the change.
    /// Returns whether it has.
    pub fn copy_after(&mut self, start: Start, into: &mut Syntax) -> bool {
        let old = self.syntax;
        if start.at < self.change.after {
            return false;
        }
        let at = (start.at as i64 - self.change.moved) as usize;
        let Ok(found) = old.starts.binary_search_by_key(&at, |start| start.at) else { return false };
        let twin = old.starts[found];
        let same = self.same_ops.entry((twin.ops, start.ops));
        if !*same.or_insert_with(|| old.tables[twin.ops] == into.tables[start.ops]) {
            return false;
        }
        let moved = |at: usize| (at as i64 + self.change.moved) as usize;
        let more = into.sentences.len() as i64 - twin.sentences as i64;
        let starts = old.starts[found..].iter().map(|old| Start {
            at: moved(old.at),
            sentences: (old.sentences as i64 + more) as usize,
            ops: old.ops - twin.ops + start.ops,
        });
        into.starts.extend(starts);
        let shifted = |sentence: &Arc<ReadSentence>| match self.change.moved {
            0 => sentence.clone(),
            bytes => Arc::new(sentence.shifted(bytes)),
        };
        into.sentences.extend(old.sentences[twin.sentences..].iter().map(shifted));
        let comments = old.comments.partition_point(|comment| comment.start < at);
        into.comments.extend(old.comments[comments..].iter().map(|place| moved(place.start)..moved(place.end)));
        into.tables.extend_from_slice(&old.tables[twin.ops + 1..]);
        true
    }
}

impl ReadSentence {
    /// The same sentence in a text that has more or fewer bytes before it.
    fn shifted(&self, bytes: i64) -> ReadSentence {
        let mut shifted = self.clone();
        shifted.tokens.iter_mut().for_each(|token| token.span = token.span.shifted(bytes));
        shifted.term.iter_mut().for_each(|term| term.shift(bytes));
        let moved = |at: usize| (at as i64 + bytes) as usize;
        shifted.range = moved(self.range.start)..moved(self.range.end);
        shifted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of 10,000 lines, with an operator in the middle.
    fn long() -> String {
        let rule = |n: usize| format!("% rule {n}\np{n}(X, Y) :-\n    q(X, Z), % a goal\n    r(Z, Y).\n\n");
        let parts = (0..2_000).map(|n| match n {
            1_000 => ":- op(700, xfx, ===>).\n\n\n\n\n".to_string(),
            n => rule(n),
        });
        parts.collect()
    }

    /// Reads the second text after the first one, and returns the number of sentences that were read.
    fn read_after(first: &str, second: &str) -> usize {
        let ops = Ops::default();
        let last = Syntax::read(&first.into(), &ops, None);
        let next = Syntax::read(&second.into(), &ops, Some(&last));
        let fresh = Syntax::read(&second.into(), &ops, None);
        assert_eq!(format!("{:?}", next.sentences), format!("{:?}", fresh.sentences));
        assert_eq!(next.comments, fresh.comments);
        assert_eq!(next.starts.len(), fresh.starts.len());
        next.fresh_sentences
    }

    #[test]
    fn a_key_reads_only_its_clause_again() {
        let text = long();
        assert_eq!(text.lines().count(), 10_000);
        for (old, new) in [
            ("p9(X", "p9(Xa"),
            ("p1500(X", "p1500(🎲"),
            ("% rule 7\n", "% rule 77\n"),
            ("r(Z, Y).\n\n% rule 4\n", "r(Z, Y)\n\n% rule 4\n"),
        ] {
            let read = read_after(&text, &text.replacen(old, new, 1));
            assert!((1..=3).contains(&read), "{read} sentences after {new:?}");
        }
        let read = read_after(&text, &format!("{text}% end\n"));
        assert!(read <= 1, "only a comment is new, behind the last sentence: {read}");
    }

    #[test]
    fn what_follows_a_new_operator_is_read_again() {
        let text = long();
        assert!(read_after(&text, &text.replacen("===>", "====>", 1)) > 990);
        assert!(read_after(&text, &text.replacen("p0(X, Y) :-", ":- op(700, xfx, q).\np0(X, Y) :-", 1)) > 1_990);
    }

    #[test]
    fn an_unclosed_comment_or_quote_reaches_to_its_end() {
        for inserted in ["/*", "'", "\"", "(", "0'", "\\", "`", "1.", "a. ", "#!"] {
            for at in [0, 3, 60, 61, 62, 63, 64, 65, 66, 67] {
                let text: String = long().chars().take(300).collect();
                let changed = format!("{}{inserted}{}", &text[..at], &text[at..]);
                read_after(&text, &changed);
                read_after(&changed, &text);
            }
        }
    }
}
