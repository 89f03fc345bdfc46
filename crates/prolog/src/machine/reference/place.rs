//! Finds the place of a fault: the goal, its span, and the predicates around it.
//!
//! The input is the state of the reference solver at the fault. The result is a `FaultPlace`, which
//! prefers the user's text to a library.

use crate::machine::fault::Fault;
use crate::machine::place::{completed, goal_text, place};
use crate::machine::reference::Reference;
use crate::machine::reference::choice::ChoiceKind;
use crate::machine::reference::code::BodyStep;
use crate::term::Term;
use alphorn_text::symbol::Atom;

impl Reference {
    /// Adds the place to a fault that has none.
    pub(super) fn placed(&mut self, mut fault: Fault) -> Fault {
        if fault.place.is_none() {
            let goal = self.current_goal().or_else(|| self.retried_goal());
            fault = self.placed_at(fault, goal);
        }
        fault
    }

    /// Adds the current place to a fault that has none, for this goal.
    pub(super) fn placed_at(&self, mut fault: Fault, goal: Option<Term>) -> Fault {
        if fault.place.is_none() {
            let goal = goal.map_or_else(String::new, |goal| goal_text(&self.store, goal));
            let first = if self.stepping { Some(self.pc) } else { self.pc.checked_sub(1) };
            let mut next = Some((first, self.frame));
            let frames = std::iter::from_fn(|| {
                let (at, frame) = next?;
                let code = self.code_of(frame);
                // An internal step belongs to the goal before it.
                let span = at.and_then(|at| code.body.get(..=at as usize)?.iter().rev().find_map(BodyStep::span));
                let waiting = || {
                    let at = self.cell(frame, 3).as_small().and_then(|at| (at as u32).checked_sub(1));
                    (at, self.cell(frame, 2))
                };
                next = (frame != Term::NONE).then(waiting);
                Some((span, code.pred))
            });
            let mut place = place(&self.program, goal, frames);
            if !self.whole {
                place.sites.clear();
            }
            fault.place = Some(Box::new(place));
        }
        fault
    }

    /// Builds the current goal as a term.
    fn current_goal(&mut self) -> Option<Term> {
        if !self.stepping {
            return None;
        }
        let code = self.code.clone();
        match code.body.get(self.pc as usize)? {
            BodyStep::Call(pred, args, _) => {
                let name = self.program.predicate(*pred).key.name;
                self.load(args);
                Some(self.store.heap.structure(name, &self.args))
            }
            BodyStep::Native(id, args, _) => {
                let name = Atom::new(self.program.known.row(*id).name);
                self.load(args);
                Some(self.store.heap.structure(name, &self.args))
            }
            BodyStep::Meta(args, _) => {
                self.load(args);
                let (goal, more) = self.args.split_first()?;
                Some(completed(&mut self.store.heap, *goal, more))
            }
            BodyStep::Catch(args, _) => {
                self.load(args);
                self.args.first().copied()
            }
            _ => None,
        }
    }

    /// The goal whose choice point is being retried.
    fn retried_goal(&mut self) -> Option<Term> {
        if self.stepping {
            return None;
        }
        let choice = self.choices.last()?;
        let mut args = self.saved[choice.saved..].to_vec();
        let name = match &choice.kind {
            ChoiceKind::Again(id) => {
                args.pop();
                Atom::new(self.program.known.row(*id).name)
            }
            ChoiceKind::Answers(table, _) => self.program.predicate(self.tables.pred(*table)).key.name,
            ChoiceKind::Clauses(list, at) => {
                let pred = self.codes[list[*at as usize] as usize].as_ref()?.pred?;
                self.program.predicate(pred).key.name
            }
            _ => return None,
        };
        Some(self.store.heap.structure(name, &args))
    }
}
