//! A small edit of a clause that may correct a mistake, and the list of the edits of one clause.

use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::NodeId;
use alphorn_lang::lang::program::{Clause, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// The kind of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditKind {
    /// Exchanges two arguments.
    Exchange,
    /// Exchanges the two branches of a condition.
    Branches,
    /// Writes another variable of the clause.
    Variable,
    /// Writes the second of two elements of a list as its rest.
    Rest,
    /// Writes another operator of arithmetic or of a comparison.
    Operator,
    /// Writes another number.
    Number,
    /// Adds 1 to a value, or subtracts it.
    OffByOne,
    /// Writes a rest of a list as an element, or the other way round; or removes brackets, or adds a functor.
    Brackets,
    /// Writes a word in brackets of a list.
    Enclose,
    /// Writes another name of a term or of a goal, or another operator of a pair.
    Name,
    /// Writes another atom.
    Atom,
    /// Adds a cut at the end of a clause.
    Cut,
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
    /// The predicate of the clause that the edit changes, and the number of this clause in it.
    pub at: (PredId, usize),
    /// The clause that the edit changes.
    pub clause: Span,
    /// The place to mark.
    pub place: Span,
    /// The changes of the text. They do not overlap.
    pub changes: Vec<(Span, String)>,
    /// The edit in words that follow "if": "X and Y are exchanged here".
    pub condition: String,
    /// How likely the edit corrects the mistake, in comparison with other edits.
    pub likelihood: f64,
}

impl EditKind {
    /// The part of the mistakes of this kind that an edit corrects, as a factor of its suspicion. The factors are
    /// rough: they put frequent mistakes before rare ones, and edits that fit by chance last.
    pub(super) fn weight(self) -> f64 {
        match self {
            EditKind::Exchange | EditKind::Branches => 1.0,
            EditKind::Rest => 0.97,
            EditKind::Variable => 0.95,
            EditKind::Operator | EditKind::Number | EditKind::OffByOne => 0.9,
            EditKind::Brackets => 0.8,
            EditKind::Name => 0.75,
            EditKind::Enclose => 0.72,
            EditKind::Atom => 0.7,
            EditKind::Cut => 0.65,
            EditKind::Goal => 0.6,
            EditKind::Unlike => 0.4,
        }
    }
}

/// The edits of one clause.
pub(super) struct ClauseEdits<'a> {
    /// The program of the clause.
    pub program: &'a Program,
    /// The clause.
    pub clause: &'a Clause,
    /// The predicate of the clause, and the number of the clause in it.
    pub at: (PredId, usize),
    /// The edits so far.
    pub found: Vec<SmallEdit>,
    /// More edits are not listed.
    pub most: usize,
}

impl<'a> ClauseEdits<'a> {
    /// Whether no more edits are listed.
    pub fn is_full(&self) -> bool {
        self.found.len() >= self.most
    }

    /// Lists an edit.
    pub fn add(&mut self, kind: EditKind, place: Span, changes: Vec<(Span, String)>, condition: String) {
        if !self.is_full() {
            let (at, clause) = (self.at, self.clause.span);
            self.found.push(SmallEdit { kind, at, clause, place, changes, condition, likelihood: kind.weight() });
        }
    }

    /// Lists an edit that writes another word at a place.
    pub fn replace(&mut self, kind: EditKind, place: Span, with: &str) {
        self.add(kind, place, vec![(place, with.to_string())], format!("this is {with}"));
    }

    /// The text at a place.
    pub fn text(&self, span: Span) -> &'a str {
        self.program.sources.text(span)
    }

    /// The text at a place, as a diagnostic quotes it.
    pub fn quoted(&self, span: Span) -> String {
        quoted(&self.program.sources, span)
    }

    /// The place of the name of a term in its text: before the bracket, or between the arguments.
    pub fn name_of(&self, node: NodeId, name: Atom) -> Option<Span> {
        let (tree, name) = (&self.clause.tree, name.text());
        let (span, args) = (tree.span(node), tree.args(node));
        let first = tree.span(*args.first()?);
        // A clause made from a grammar rule has terms that are not in the text.
        if !self.clause.span.contains(span) {
            return None;
        }
        let gap = if first.start > span.start && self.text(span).starts_with(&format!("{name}(")) {
            Span { end: span.start + name.len() as u32, ..span }
        } else {
            let second = tree.span(*args.get(1)?);
            Span { start: first.end, end: second.start.max(first.end), ..span }
        };
        let text = self.text(gap);
        let start = gap.start + text.find(name)? as u32;
        (text.matches(name).count() == 1).then(|| Span { start, end: start + name.len() as u32, ..span })
    }
}
