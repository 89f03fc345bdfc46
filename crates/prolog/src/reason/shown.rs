//! Goals and terms of the prover as text.
//!
//! In: a goal with its bindings. Out: a line, shortened with `...`. Variables without a value have
//! the names of their clause. For this room only.

use crate::reason::body::{Frame, GoalId};
use crate::reason::prover::{Prover, Shown};
use crate::term::Term;
use crate::term::heap::TermView;
use crate::term::write::{Names, WriteOptions, brief};
use alphorn_lang::lang::program::Callee;
use alphorn_text::symbol::Atom;

impl Prover {
    /// A goal of a frame.
    pub(super) fn goal_text(&mut self, frame: &Frame, goal: GoalId, limit: usize) -> String {
        let term = self.goal_term(frame, goal);
        self.text(Some(frame), term, 1200, limit)
    }

    /// A goal as a term.
    pub(super) fn goal_term(&mut self, frame: &Frame, goal: GoalId) -> Term {
        let program = self.program.clone();
        let name = |callee: Callee| match callee {
            Callee::User(pred) => program.predicate(pred).key.name,
            Callee::Native(id) => Atom::new(program.known.row(id).name),
            Callee::Unknown(name, _) => name,
        };
        frame.goal_term(&mut self.store.heap, goal, &name)
    }

    /// What a node of a proof shows.
    pub(super) fn shown_text(&mut self, shown: &Shown, limit: usize) -> String {
        match shown {
            Shown::Goal(frame, goal) => self.goal_text(frame, *goal, limit),
            Shown::Term(term) => self.text(None, *term, 1200, limit),
        }
    }

    /// A term, where priorities up to `max` may stand.
    pub(super) fn text(&self, frame: Option<&Frame>, term: Term, max: u16, limit: usize) -> String {
        let mut names = Names::default();
        if let Some(frame) = frame {
            for (variable, value) in frame.body.tree().variables.iter().zip(&frame.vars) {
                if let TermView::Var(cell) = self.store.heap.view(*value) {
                    names.entry(cell).or_insert_with(|| variable.name.to_string());
                }
            }
        }
        self.named_text(term, names, max, limit)
    }

    /// The same with names for variables.
    pub(super) fn named_text(&self, term: Term, mut names: Names, max: u16, limit: usize) -> String {
        let ops = Some(&self.program.ops);
        let style = WriteOptions { quoted: true, operators: ops, number_vars: false, stop: Some(&self.stop), limit };
        let mut out = String::new();
        brief(&self.store.heap, (term, max), style, &mut names, &mut out);
        out
    }

    /// A term as an operand or argument.
    pub(super) fn term_text(&self, term: Term, limit: usize) -> String {
        self.text(None, term, 699, limit)
    }

    /// What kind of thing a term is: `an integer`.
    pub(super) fn kind(&self, term: Term) -> &'static str {
        match self.store.heap.view(term) {
            TermView::Var(_) => "unbound",
            TermView::Atom(_) if self.store.heap.is_nil(term) => "the empty list",
            TermView::Atom(_) => "an atom",
            TermView::Int(_) | TermView::Big(..) => "an integer",
            TermView::Float(_) => "a float",
            TermView::Text(..) => "a text",
            TermView::Compound(..) if self.store.heap.head_and_tail(term).is_some() => "a list",
            TermView::Compound(..) => "a compound term",
        }
    }
}
