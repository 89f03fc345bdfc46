//! Handles faults that a `catch/3` may catch.

use crate::machine::engine::{CATCH, CAUGHT, Engine};
use crate::machine::fault::{Cause, Fault};
use crate::machine::ir::{ARGS, FAIL};
use crate::term::Term;
use crate::term::pack::{Packed, unpack};

impl Engine {
    /// Whether the frame of a `catch/3` waits for the current goal. `walk` is a place of the frames that wait, at first
    /// the current one; it moves down to the frame, because the frames of earlier catches lie below. So the walk of a
    /// throw takes time in proportion to the frames that it leaves.
    fn is_waiting(&self, walk: &mut (u32, usize), wanted: usize) -> bool {
        loop {
            let (pc, frame) = *walk;
            if frame <= wanted {
                return frame == wanted && (CATCH..CAUGHT).contains(&pc);
            }
            debug_assert!(self.stack[frame + 1] < frame as u64, "a caller lies below its goals");
            *walk = (self.stack[frame] as u32, self.stack[frame + 1] as usize);
        }
    }

    /// Whether a `catch/3` surely catches a fault. Then nobody reads its place. In doubt, the result is `false`.
    pub(super) fn is_surely_caught(&self, fault: &Fault) -> bool {
        let Cause::Thrown(ball) = &fault.cause else { return false };
        let mut walk = (self.pc, self.frame);
        for choice in self.choices.iter().rev().filter(|choice| choice.alt == CAUGHT) {
            if !self.is_waiting(&mut walk, choice.frame) {
                continue;
            }
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
                Err(other) if self.is_surely_caught(&other) => fault = other,
                Err(other) => fault = self.placed_at(other, None),
            }
        }
    }

    /// Continues with the recovery goal of the innermost `catch/3` that catches a ball.
    fn throw(&mut self, ball: &Packed) -> Result<Option<bool>, Fault> {
        let mut walk = (self.pc, self.frame);
        while let Some(choice) = self.choices.pop() {
            self.store.undo(choice.trail);
            self.collectors_to(choice.collectors as usize);
            let floor = self.collectors.last().map_or(0, |collector| collector.floor);
            self.store.heap.cells.truncate(choice.heap.max(floor));
            self.store.mark = self.choices.last().map_or(0, |choice| choice.heap);
            if choice.alt != CAUGHT || !self.is_waiting(&mut walk, choice.frame) {
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
                let called = self.meta(new, ret, None);
                called.map_err(|fault| match self.is_surely_caught(&fault) {
                    true => fault,
                    false => self.placed_at(fault, Some(recovery)),
                })?;
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
