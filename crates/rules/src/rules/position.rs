//! Positions and moves of a game of rules, and the terms that users type for them.

use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::read;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::build::build;
use alphorn_prolog::term::heap::Heap;
use alphorn_prolog::term::pack::{Packed, pack};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::SourceId;
use rustc_hash::FxHasher;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A position: one ground term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position(pub Packed);

/// A move: its label and its successor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleMove {
    name: Option<Packed>,
    /// The position after the move.
    pub next: Position,
}

impl RuleMove {
    /// A move with a label, as `move/3` gives it.
    pub fn labelled(label: Packed, next: Position) -> RuleMove {
        RuleMove { name: Some(label), next }
    }

    /// A move without a label, as `moves/2` gives it.
    pub fn to(next: Position) -> RuleMove {
        RuleMove { name: None, next }
    }

    /// The label; for a move without a label, the successor.
    pub fn label(&self) -> &Packed {
        self.name.as_ref().unwrap_or(&self.next.0)
    }
}

impl RuleMove {
    /// A key for the move among the moves of all positions: a hash of its label and of its changes to the
    /// position. For an integer, only its place and a single changed bit count: scores and clocks differ
    /// every time, and a bit may be a cell of a set. The key is 0 if nothing identifies the move.
    pub fn key(&self, from: &Position) -> u64 {
        let mut hasher = FxHasher::default();
        self.name.hash(&mut hasher);
        let (before, after) = (from.0.stable_words(), self.next.0.stable_words());
        if before.len() != after.len() {
            return if self.name.is_some() { hasher.finish() } else { 0 };
        }
        for (at, (&old, &new)) in before.iter().zip(&*after).enumerate().filter(|(_, (old, new))| old != new) {
            at.hash(&mut hasher);
            match (Term::of_cell(old).as_small(), Term::of_cell(new).as_small()) {
                (Some(old), Some(new)) => lone_bit(old ^ new).hash(&mut hasher),
                _ => (old, new).hash(&mut hasher),
            }
        }
        hasher.finish()
    }
}

/// The number of the only bit that changed from bit 8 up; 0 if none or several did. Lower bits change in
/// counters.
fn lone_bit(changed: i64) -> u32 {
    if (changed >> 8).count_ones() == 1 { changed.ilog2() } else { 0 }
}

/// The greatest size of a typed term, in words.
const LARGEST: usize = 1 << 24;

/// Reads a term and packs it. The error is the problem of the text.
pub fn term(text: &str, ops: &Ops) -> Result<Packed, Box<Problem>> {
    let Sentence { tree, root, .. } = read::goal(SourceId(0), text, ops)?
        .ok_or_else(|| Box::new(Problem::placeless(Code::MissingTerm, "a term is missing")))?;
    let mut heap = Heap::default();
    let term = build(&mut heap, &tree, root, &mut Vec::new());
    pack(&heap, term, LARGEST).ok_or_else(|| Box::new(Problem::placeless(Code::TooMuchMemory, "the term is too large")))
}

/// Splits a list of moves into words, at blanks outside of brackets and quotes.
pub fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0usize;
    let mut quote = None;
    for c in text.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"', None) => quote = Some(c),
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && quote.is_none() && c.is_whitespace() {
            words.push(String::new());
        } else {
            words.last_mut().expect("there is always one").push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

impl fmt::Display for RuleMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::fault::text(self.label(), &Ops::default(), 1 << 20))
    }
}
