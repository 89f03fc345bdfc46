//! Positions and moves as text, in the game's own notation or as terms.

use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::read;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::build::build;
use alphorn_prolog::term::heap::Heap;
use alphorn_prolog::term::pack::{Packed, pack};
use alphorn_text::report::Problem;
use alphorn_text::source::SourceId;
use rustc_hash::FxHasher;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A position: one ground term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position(pub Packed);

/// A move: its label and where it leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleMove {
    name: Option<Packed>,
    /// The position after it.
    pub next: Position,
}

impl RuleMove {
    /// A move of a game that labels its moves.
    pub fn labelled(label: Packed, next: Position) -> RuleMove {
        RuleMove { name: Some(label), next }
    }

    /// A move of a game that does not.
    pub fn to(next: Position) -> RuleMove {
        RuleMove { name: None, next }
    }

    /// The label. For `moves/2` it is the successor itself.
    pub fn label(&self) -> &Packed {
        self.name.as_ref().unwrap_or(&self.next.0)
    }
}

impl RuleMove {
    /// A number that names the move among those of all positions: that of its label and of what it
    /// changes in the position. Of integers only the place is told, for scores and clocks differ
    /// every time, and the bit of a set of cells.
    pub fn key(&self, from: &Position) -> u64 {
        let mut hasher = FxHasher::default();
        self.name.hash(&mut hasher);
        let (before, after) = (from.0.steady(), self.next.0.steady());
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

/// The number of the one bit that changed in an integer; 0 where several did, or one so low that
/// it may be from counting.
fn lone_bit(changed: i64) -> u32 {
    if (changed >> 8).count_ones() == 1 { changed.ilog2() } else { 0 }
}

/// How large a term typed by a person may be, in words.
const LARGEST: usize = 1 << 24;

/// Reads a term and packs it; errs with what is wrong with the text.
pub fn term(text: &str, ops: &Ops) -> Result<Packed, Box<Problem>> {
    let Sentence { tree, root, .. } = read::goal(SourceId(0), text, ops)?
        .ok_or_else(|| Box::new(Problem::placeless("A0109", "a term is missing")))?;
    let mut heap = Heap::default();
    let term = build(&mut heap, &tree, root, &mut Vec::new());
    pack(&heap, term, LARGEST).ok_or_else(|| Box::new(Problem::placeless("A0602", "the term is too large")))
}

/// The words of a list of moves: split at blanks outside brackets and quotes.
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
