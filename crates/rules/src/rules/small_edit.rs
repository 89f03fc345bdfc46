//! A small edit of a clause that may correct a mistake.

use alphorn_text::source::Span;

/// The kind of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditKind {
    /// Exchanges two arguments, or the two branches of a condition.
    Exchange,
    /// Writes another variable of the clause.
    Variable,
    /// Writes another operator of arithmetic or of a comparison.
    Operator,
    /// Writes another number.
    Number,
    /// Writes a rest of a list as an element, or the other way round; or adds or removes brackets.
    Brackets,
    /// Writes another name of a term or of a goal, or another operator of a pair.
    Name,
    /// Writes another atom.
    Atom,
    /// Leaves out a goal, or adds or removes a negation.
    Goal,
    /// Writes a word that is less alike: a number that is not near, or another predicate.
    Unlike,
}

/// A small edit of a clause.
#[derive(Clone, Debug)]
pub struct SmallEdit {
    /// The kind of the edit.
    pub kind: EditKind,
    /// The clause that the edit changes.
    pub clause: Span,
    /// The place to mark.
    pub place: Span,
    /// The changes of the text. They do not overlap.
    pub changes: Vec<(Span, String)>,
    /// The edit in words that follow "if": "X and Y are exchanged here".
    pub condition: String,
}

impl EditKind {
    /// The part of the mistakes of this kind that an edit corrects, as a factor of its suspicion. The factors are
    /// rough: they put frequent mistakes before rare ones, and edits that fit by chance last.
    pub(super) fn weight(self) -> f64 {
        match self {
            EditKind::Exchange => 1.0,
            EditKind::Variable => 0.95,
            EditKind::Operator | EditKind::Number => 0.9,
            EditKind::Brackets => 0.8,
            EditKind::Name => 0.75,
            EditKind::Atom => 0.7,
            EditKind::Goal => 0.6,
            EditKind::Unlike => 0.4,
        }
    }
}
