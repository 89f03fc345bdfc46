//! Texts of goals and terms of the prover.
//!
//! A text is one line, shortened with `...`. Unbound variables have the names of their clause. Only
//! `reason` uses this module.

use crate::reason::body::{Frame, GoalId};
use crate::reason::node::NodeGoal;
use crate::reason::prover::Prover;
use crate::term::Term;
use crate::term::heap::TermView;
use crate::term::write::{Names, WriteOptions, brief};
use alphorn_lang::lang::program::Callee;
use alphorn_text::symbol::Atom;

impl Prover {
    /// The text of a goal of a frame.
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

    /// The text of a node of a proof.
    pub(super) fn shown_text(&mut self, shown: &NodeGoal, limit: usize) -> String {
        match shown {
            NodeGoal::Goal(frame, goal) => self.goal_text(frame, *goal, limit),
            NodeGoal::Term(term) => self.text(None, *term, 1200, limit),
        }
    }

    /// The text of a term at a place for priorities up to `max`.
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

    /// The text of a term with given names for variables.
    pub(super) fn named_text(&self, term: Term, mut names: Names, max: u16, limit: usize) -> String {
        let ops = Some(&self.program.ops);
        let style = WriteOptions { quoted: true, operators: ops, number_vars: false, stop: Some(&self.stop), limit };
        let mut out = String::new();
        brief(&self.store.heap, (term, max), style, &mut names, &mut out);
        out
    }

    /// The text of a term as an operand or argument.
    pub(super) fn term_text(&self, term: Term, limit: usize) -> String {
        self.text(None, term, 699, limit)
    }

    /// The kind of a term, such as `an integer`.
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
