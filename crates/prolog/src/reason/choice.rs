//! Choice points of the prover: what to try next, and the state to try it from.
//!
//! After a failure or a fault, the prover continues as the reference solver does. Only `reason`
//! uses this module.

use crate::machine::fault::{Cause, Fault};
use crate::reason::body::{Frame, GoalForm, GoalId};
use crate::reason::node::ProofMethod;
use crate::reason::prover::{ChoiceKind, Next, Prover, ProverChoice, Task};
use crate::term::Term;
use crate::term::pack::{Packed, unpack};
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Prover {
    pub(super) fn push_choice(&mut self, kind: ChoiceKind, next: Next) {
        let (trail, heap) = (self.store.trail.len(), self.store.heap.len());
        let (nodes, collectors) = (self.nodes.len(), self.collectors.len());
        self.choices.push(ProverChoice { kind, next, trail, heap, nodes, collectors });
        self.store.mark = heap;
        self.count();
    }

    /// Drops all choice points from this height on.
    pub(super) fn cut_to(&mut self, height: usize) {
        self.choices.truncate(height);
        self.store.mark = self.choices.last().map_or(0, |choice| choice.heap);
    }

    /// Restores the state of the last choice point.
    pub(super) fn restore(&mut self) {
        let choice = self.choices.last().expect("the caller has seen one");
        self.store.undo(choice.trail);
        self.store.heap.cells.truncate(choice.heap);
        let called = self
            .nodes
            .drain(choice.nodes.min(self.nodes.len())..)
            .filter_map(|node| node.called)
            .map(|called| called.bytes());
        self.called -= called.sum::<u64>();
        // The choice point of a findall lies below the solutions that it gathers.
        let gathering = usize::from(matches!(choice.kind, ChoiceKind::Findall(..)));
        self.collectors.truncate(choice.collectors + gathering);
    }

    /// Ends a findall whose goal has no more solutions.
    fn gathered(&mut self, frame: &Rc<Frame>, goal: GoalId, node: Option<u32>) -> Result<bool, Fault> {
        let found = self.collectors.pop().expect("each findall has its own");
        let GoalForm::Findall { list, tail, .. } = frame.body.form(goal) else {
            unreachable!("a findall goes on at its own goal");
        };
        self.store.aside = self.store.aside.saturating_sub(found.iter().map(Packed::bytes).sum());
        self.store.room(found.iter().map(|item| item.words() + 2).sum())?;
        let heap = &mut self.store.heap;
        let end = tail.map_or(Term::atom(atoms::NIL), |tail| frame.build(heap, tail));
        let items: Vec<Term> = found.iter().map(|item| unpack(heap, item)).collect();
        let (list, items) = (frame.build(heap, *list), heap.list(&items, end));
        self.mark(node, ProofMethod::Found(found.len()));
        self.store.unify(list, items)
    }

    /// Backtracks to the last choice point; `false` if the attempt has none.
    pub(super) fn backtrack(&mut self) -> Result<bool, Fault> {
        while self.choices.len() > self.base {
            let height = self.choices.len() - 1;
            self.restore();
            self.next = self.choices[height].next.clone();
            if let ChoiceKind::Clauses(call, from) = &self.choices[height].kind {
                let (call, from) = (call.clone(), *from);
                if self.try_clauses(&call, from, Some(height))? {
                    return Ok(true);
                }
                continue;
            }
            let kind = std::mem::replace(&mut self.choices[height].kind, ChoiceKind::Dead);
            self.cut_to(height);
            let found = match kind {
                ChoiceKind::Clauses(..) => unreachable!("these were just taken"),
                ChoiceKind::Dead | ChoiceKind::Catch(..) | ChoiceKind::Stop => false,
                ChoiceKind::Refuted => true,
                ChoiceKind::Else { frame, goal, barrier, node, above, how } => {
                    self.mark(node, how);
                    self.push(Task::Goal { frame, goal, barrier, above });
                    true
                }
                ChoiceKind::Again(builtin, args, state) => self.run_many(builtin, args, state)?,
                ChoiceKind::Answers(call, table, at) => self.table_answers(call, table, at)?,
                ChoiceKind::Findall(frame, goal, node) => self.gathered(&frame, goal, node)?,
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Calls the recovery of the `catch/3` that takes a fault; returns the fault if there is none.
    pub(super) fn caught(&mut self, mut fault: Fault) -> Result<bool, Fault> {
        loop {
            let Cause::Thrown(ball) = &fault.cause else { return Err(fault) };
            let ball = ball.clone();
            match self.throw(&ball) {
                Ok(Some(going)) => return Ok(going),
                Ok(None) => return Err(fault),
                Err(other) => fault = other,
            }
        }
    }

    fn throw(&mut self, ball: &Packed) -> Result<Option<bool>, Fault> {
        let mut active = FxHashSet::default();
        let mut next = &self.next;
        while let Some(link) = next {
            if let Task::LeaveCatch(number) = link.task {
                active.insert(number);
            }
            next = &link.next;
        }
        while self.choices.len() > self.base {
            let height = self.choices.len() - 1;
            self.restore();
            let choice = &mut self.choices[height];
            let (next, kind) = (choice.next.clone(), std::mem::replace(&mut choice.kind, ChoiceKind::Dead));
            self.cut_to(height);
            let ChoiceKind::Catch(number, catcher, recovery) = kind else { continue };
            if !active.contains(&number) {
                continue;
            }
            let fits = |prover: &mut Self| {
                let thrown = unpack(&mut prover.store.heap, ball);
                prover.store.unify(catcher, thrown)
            };
            if self.attempt(fits)? {
                fits(self)?;
                self.next = next;
                return self.call_term(recovery, &[], None, None).map(Some);
            }
        }
        Ok(None)
    }
}
