//! Goals of a proof that later bindings make false.
//!
//! A goal is stored when it is called. The proof shows this text if the text with all bindings
//! would be false: `var(X)` with an `X` that became 1, or a negation or a findall that was called
//! too early. Only `reason` uses this module.

use crate::machine::fault::Fault;
use crate::reason::body::{Frame, GoalId};
use crate::reason::node::{NodeGoal, StoredCall};
use crate::reason::prover::Prover;
use crate::term::heap::TermView;
use crate::term::pack::{pack, unpack};
use crate::term::write::Names;
use alphorn_text::symbol::atoms;

/// The greatest size of a stored goal, in cells.
const LARGEST: usize = 4_096;
/// The greatest number of steps to test a goal with its bindings.
const STEPS: u64 = 100_000;

impl Prover {
    /// Stores a goal that is called now, if it has variables.
    pub(super) fn keep_call(&mut self, node: Option<u32>, frame: &Frame, goal: GoalId) {
        let Some(node) = node else { return };
        let top = self.store.heap.len();
        let mut args = vec![self.goal_term(frame, goal)];
        let mut names = Vec::new();
        for (number, value) in frame.vars.iter().enumerate() {
            if let TermView::Var(_) = self.store.heap.view(*value) {
                args.push(*value);
                names.push(number);
            }
        }
        let whole = self.store.heap.structure(atoms::CALL, &args[..1]);
        let open = pack(&self.store.heap, whole, LARGEST).is_some_and(|packed| !packed.is_ground());
        if open {
            let whole = self.store.heap.structure(atoms::CALL, &args);
            if let Some(term) = pack(&self.store.heap, whole, LARGEST) {
                let called = StoredCall { term, names };
                self.called += called.bytes();
                self.nodes[node as usize].called = Some(Box::new(called));
                self.count();
            }
        }
        // Nothing refers to the terms that were built only to be packed.
        self.store.heap.cells.truncate(top);
    }

    /// The text of a goal as it was called; `None` if the goal with its bindings is true as well.
    pub(super) fn as_called(&mut self, node: usize, text: usize) -> Result<Option<String>, Fault> {
        let NodeGoal::Goal(frame, goal) = self.nodes[node].shown.clone() else { return Ok(None) };
        if self.nodes[node].called.is_none() {
            return Ok(None);
        }
        let end = self.store.steps.saturating_add(STEPS);
        let holds = self.attempt_with_limit(end, |prover| prover.holds(&frame, goal))?;
        if holds == Some(true) {
            return Ok(None);
        }
        let Some(called) = self.nodes[node].called.take() else { return Ok(None) };
        let whole = unpack(&mut self.store.heap, &called.term);
        let args = self.store.heap.args(whole);
        let mut names = Names::default();
        for (number, value) in called.names.iter().zip(&args[1..]) {
            if let TermView::Var(cell) = self.store.heap.view(*value) {
                names.entry(cell).or_insert_with(|| frame.body.tree().variables[*number].name.to_string());
            }
        }
        Ok(Some(self.named_text(args[0], names, 1200, text)))
    }
}
