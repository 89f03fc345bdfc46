//! Where a fault rose: the goal, its place in a text, the rules around it.
//!
//! In: the state of the reference solver when a step went wrong. Out: a
//! [`Place`]. Prefers the user's own text to a library's.

use crate::machine::choice::Kind;
use crate::machine::code::Step;
use crate::machine::fault::{Fault, Place};
use crate::machine::reference::Reference;
use crate::source::{Origin, Span};
use crate::symbol::Atom;
use crate::term::Term;
use crate::term::write::{Names, Style, Variables, write};

/// How many frames are looked through, and how many callers are told.
const FRAMES: usize = 256;
const CALLERS: usize = 8;

impl Reference {
    /// The fault with its place, unless it has one.
    pub(super) fn placed(&mut self, mut fault: Fault) -> Fault {
        if fault.place.is_none() {
            let goal = self.current_goal().or_else(|| self.retried_goal());
            let goal = goal.map_or_else(String::new, |goal| self.goal_text(goal));
            let (span, rule) = self.nearest_text();
            fault.place = Some(Box::new(Place { goal, span, rule, callers: self.callers() }));
        }
        fault
    }

    /// The goal under way, built anew.
    fn current_goal(&mut self) -> Option<Term> {
        if !self.stepping {
            return None;
        }
        let code = self.code.clone();
        match code.body.get(self.pc as usize)? {
            Step::Call(pred, args, _) => {
                let name = self.program.predicate(*pred).key.name;
                self.load(args);
                Some(self.store.heap.structure(name, &self.args))
            }
            Step::Native(id, args, _) => {
                let name = Atom::new(self.program.known.row(*id).name);
                self.load(args);
                Some(self.store.heap.structure(name, &self.args))
            }
            Step::Meta(args, _) | Step::Catch(args, _) => {
                self.load(args);
                self.args.first().copied()
            }
            _ => None,
        }
    }

    /// The goal whose choice point is being tried again.
    fn retried_goal(&mut self) -> Option<Term> {
        let choice = self.choices.last()?;
        let mut args = self.saved[choice.saved..].to_vec();
        let name = match &choice.kind {
            Kind::Again(id) => {
                args.pop();
                Atom::new(self.program.known.row(*id).name)
            }
            Kind::Clauses(list, at) => {
                let pred = self.codes[list[*at as usize] as usize].as_ref()?.pred?;
                self.program.predicate(pred).key.name
            }
            _ => return None,
        };
        Some(self.store.heap.structure(name, &args))
    }

    fn goal_text(&self, goal: Term) -> String {
        let style =
            Style { quoted: true, operators: Some(&self.store.ops), number_vars: false, stop: None, limit: 200 };
        let mut text = String::new();
        let mut names = Names::default();
        write(&self.store.heap, goal, style, Variables::Numbered(&mut names), &mut text);
        text
    }

    /// The place of the goal, or of the innermost goal around it that stands
    /// in a text of the user's, with the rule that it belongs to.
    fn nearest_text(&self) -> (Option<Span>, Option<String>) {
        let mut first = (None, None);
        let mut frame = self.frame;
        let mut at = if self.stepping { Some(self.pc) } else { self.pc.checked_sub(1) };
        for _ in 0..FRAMES {
            let code = self.code_of(frame);
            // A step of the solver's own belongs to the goal before it.
            let span = at.and_then(|at| code.body.get(..=at as usize)?.iter().rev().find_map(Step::span));
            let rule = code.pred.map(|pred| self.program.indicator(pred));
            if let Some(span) = span {
                if self.is_users(span) {
                    return (Some(span), rule);
                }
                if first.0.is_none() {
                    first = (Some(span), rule);
                }
            }
            if frame == Term::NONE {
                break;
            }
            at = self.cell(frame, 3).as_small().and_then(|at| (at as u32).checked_sub(1));
            frame = self.cell(frame, 2);
        }
        first
    }

    fn is_users(&self, span: Span) -> bool {
        let sources = &self.program.sources;
        usize::from(span.source.0) >= sources.len() || sources.get(span.source).origin != Origin::Library
    }

    /// The predicates whose clauses wait for the goal, the innermost first.
    fn callers(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut frame = self.frame;
        for _ in 0..FRAMES {
            if frame == Term::NONE || found.len() == CALLERS {
                break;
            }
            if let Some(pred) = self.code_of(frame).pred {
                let name = self.program.indicator(pred);
                if found.last() != Some(&name) {
                    found.push(name);
                }
            }
            frame = self.cell(frame, 2);
        }
        found
    }
}
