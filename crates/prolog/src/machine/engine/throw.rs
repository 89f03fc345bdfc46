//! Handles faults that a `catch/3` may catch.

use crate::machine::engine::{CATCH, CAUGHT, Engine};
use crate::machine::fault::{Cause, Fault};
use crate::machine::ir::{ARGS, FAIL};
use crate::term::Term;
use crate::term::pack::{Packed, unpack};

impl Engine {
    /// The frames of the `catch/3` goals around the current goal, the innermost first.
    fn active_catches(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let (mut pc, mut frame) = (self.pc, self.frame);
        loop {
            if (CATCH..CAUGHT).contains(&pc) {
                found.push(frame);
            }
            if frame == 0 {
                debug_assert!(found.is_sorted_by(|inner, outer| inner > outer), "a caller lies below its goals");
                return found;
            }
            pc = self.stack[frame] as u32;
            frame = self.stack[frame + 1] as usize;
        }
    }

    /// Whether a `catch/3` surely catches a fault. Then nobody reads its place. In doubt, the result is `false`.
    pub(super) fn is_surely_caught(&self, fault: &Fault) -> bool {
        let Cause::Thrown(ball) = &fault.cause else { return false };
        if self.choices.iter().all(|choice| choice.alt != CAUGHT) {
            return false;
        }
        let active = self.active_catches();
        for choice in self.choices.iter().rev().filter(|choice| choice.alt == CAUGHT && has(&active, choice.frame)) {
            let heap = &self.store.heap;
            let catcher = heap.deref(Term(self.stack[choice.frame + usize::from(ARGS) + 1]));
            if heap.is_var(catcher) {
                return true;
            }
            if heap.functor(catcher).is_none() || heap.functor(catcher) != ball.functor() {
                continue;
            }
            let args: Vec<Term> = heap.args(catcher).into_iter().map(|arg| heap.deref(arg)).collect();
            let is_free = |at: usize| heap.is_var(args[at]) && !args[..at].contains(&args[at]);
            return (0..args.len()).all(is_free);
        }
        false
    }

    /// Calls the recovery goal of the `catch/3` that catches a fault. Returns `false` if recovery
    /// fails, and the fault if nothing catches it.
    pub(super) fn caught(&mut self, mut fault: Fault) -> Result<bool, Fault> {
        loop {
            let Cause::Thrown(ball) = &fault.cause else { return Err(fault) };
            let ball = ball.clone();
            match self.throw(&ball) {
                Ok(Some(going)) => return Ok(going),
                Ok(None) => return Err(fault),
                Err(other) => fault = self.placed_at(other, None),
            }
        }
    }

    /// Continues with the recovery goal of the innermost `catch/3` that catches a ball.
    fn throw(&mut self, ball: &Packed) -> Result<Option<bool>, Fault> {
        let active = self.active_catches();
        while let Some(choice) = self.choices.pop() {
            self.store.undo(choice.trail);
            self.collectors_to(choice.collectors as usize);
            let floor = self.collectors.last().map_or(0, |collector| collector.floor);
            self.store.heap.cells.truncate(choice.heap.max(floor));
            self.store.mark = self.choices.last().map_or(0, |choice| choice.heap);
            if choice.alt != CAUGHT || !has(&active, choice.frame) {
                continue;
            }
            self.tables.drop_above(self.choices.len());
            self.frame = choice.frame;
            let slot = |at: usize| Term(self.stack[choice.frame + usize::from(ARGS) + at]);
            let (catcher, recovery) = (slot(1), slot(2));
            // The mark puts all bindings on the trail: they are undone if the ball does not unify.
            let trail = self.store.trail.len();
            let mark = std::mem::replace(&mut self.store.mark, self.store.heap.len());
            let thrown = unpack(&mut self.store.heap, ball);
            let fits = self.store.unify(catcher, thrown)?;
            self.store.mark = mark;
            if fits {
                let (ret, caller) = (self.stack[self.frame] as u32, self.stack[self.frame + 1] as usize);
                self.args.clear();
                self.args.push(recovery);
                self.frame = caller;
                self.pc = ret.saturating_sub(1);
                let new = choice.frame.max(self.choices.last().map_or(0, |choice| choice.top));
                // The recovery goal belongs to no clause.
                self.meta(new, ret, None).map_err(|fault| self.placed_at(fault, Some(recovery)))?;
                return Ok(Some(self.pc != FAIL));
            }
            self.store.undo(trail);
        }
        Ok(None)
    }

    /// Drops the solutions of findalls that an error has left behind.
    fn collectors_to(&mut self, count: usize) {
        for collector in self.collectors.drain(count..) {
            self.store.aside = self.store.aside.saturating_sub(8 * collector.words);
        }
    }
}

/// Whether a frame is among frames in falling order.
fn has(frames: &[usize], frame: usize) -> bool {
    frames.binary_search_by(|other| frame.cmp(other)).is_ok()
}
