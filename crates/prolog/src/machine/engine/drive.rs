//! Runs a goal, in native code if there is any, else in the loop, and holds functions for both.
#![allow(unsafe_code)]

use crate::machine::engine::words::{LoopLimits, LoopState};
use crate::machine::engine::{ChoicePoint, Engine};
use crate::machine::fault::Fault;
use crate::machine::ir::FAIL;
use crate::machine::{BuiltinCode, BuiltinResult};
use crate::term::Term;
use crate::term::short::{evaluate_formula, order};
use alphorn_text::signature::BuiltinId;

/// Why native code or the loop stopped.
pub(super) enum RunStop {
    /// The goal can continue, in the other of the two.
    Loop,
    /// An answer (`true`), or no more answers.
    Over(bool),
}

impl Engine {
    /// Runs until an answer or the end, after backtracking to the last choice point if `retrying`.
    pub(super) fn run(&mut self, retrying: bool) -> Result<bool, Fault> {
        if retrying {
            self.pc = FAIL;
        }
        loop {
            let fault = match self.go() {
                Ok(answer) => return Ok(answer),
                Err(fault) if self.is_surely_caught(&fault) => fault,
                Err(fault) => self.placed(fault),
            };
            if !self.caught(fault)? {
                self.pc = FAIL;
            }
        }
    }

    /// Runs in native code if possible, else in the loop.
    fn go(&mut self) -> Result<bool, Fault> {
        loop {
            if self.is_native()
                && let RunStop::Over(answer) = self.run_native()?
            {
                return Ok(answer);
            }
            if let Some(native) = &mut self.native
                && !native.has(self.pc)
                && native.is_hot(self.pc)
            {
                self.heat_up(self.pc);
                if self.is_native() {
                    continue;
                }
            }
            if let RunStop::Over(answer) = self.execute()? {
                return Ok(answer);
            }
        }
    }

    /// Whether there is native code at the current operation, or where backtracking leads.
    #[inline(always)]
    fn is_native(&self) -> bool {
        let pc = match self.choices.last() {
            Some(choice) if self.pc == FAIL => choice.alt,
            _ => self.pc,
        };
        self.native.as_ref().is_some_and(|native| native.has(pc))
    }

    /// Reserves heap for all cells added until the next check, and stack above the frames.
    #[inline(always)]
    pub(super) fn make_room(&mut self) {
        let slack = self.library.unit.cells as usize + 128;
        self.margin = usize::from(self.library.unit.largest) + 4_200;
        let cells = &mut self.store.heap.cells;
        let wanted = self.collect_at.max(cells.len()) + slack;
        if cells.capacity() < wanted {
            cells.reserve(wanted - cells.len());
        }
    }

    /// Fetches the state that the loop keeps in registers.
    #[inline(always)]
    pub(super) fn fetch(&mut self) -> LoopState {
        // Inline: the words of a state that a function returns are read together just after each was written, for which
        // the processor waits.
        self.fetch_limits();
        let cells = &mut self.store.heap.cells;
        LoopState {
            cells: cells.as_mut_ptr(),
            // SAFETY: the frame lies within the stack.
            frame: unsafe { self.marks.stack.add(self.frame) },
            heap: cells.len(),
            #[cfg(debug_assertions)]
            room: cells.capacity(),
            #[cfg(debug_assertions)]
            end: self.stack.as_ptr_range().end,
        }
    }

    /// Fetches the state that the loop seldom changes, and makes room.
    fn fetch_limits(&mut self) {
        self.make_room();
        let unit = &self.library.unit;
        let stack = self.stack.as_mut_ptr();
        if self.ran.len() < unit.code.len() {
            self.ran.resize(unit.code.len(), false);
        }
        self.marks = LoopLimits {
            code: unit.code.as_ptr(),
            ran: self.ran.as_mut_ptr(),
            operands: unit.operands.as_ptr(),
            consts: unit.consts.as_ptr(),
            stack,
            words: self.stack.len() - self.margin.min(self.stack.len()),
            top: self.choices.last().map_or(0, |choice| choice.top),
            floor: self.collectors.last().map_or(0, |collector| collector.floor),
            collect: self.collect_at,
        };
    }

    /// Checks the budget, including the memory of choice points.
    pub(super) fn poll(&mut self) -> Result<(), Fault> {
        self.store.control = (self.choices.len() * size_of::<ChoicePoint>()) as u64;
        self.store.charge(0)
    }

    /// The value of a formula: a term, 1 or 0 for a comparison, or `None` if general arithmetic must find the value.
    pub(super) fn formula_value(&mut self, number: u32, args: &[Term]) -> Option<u64> {
        let formula = &self.library.unit.formulas[number as usize];
        let heap = &mut self.store.heap;
        let [left, right] = evaluate_formula(heap, &formula.parts, args)?;
        Some(match formula.order {
            Some(wanted) => u64::from(wanted.holds(order(left, right)? as i64, 0)),
            None => right.to_term(heap).0,
        })
    }

    pub(super) fn once(&mut self, id: BuiltinId) -> Result<bool, Fault> {
        let args = std::mem::take(&mut self.args);
        let done = self.run_once(id, &args);
        self.args = args;
        done
    }

    /// Runs a builtin for its first answer.
    pub(super) fn run_once(&mut self, id: BuiltinId, args: &[Term]) -> Result<bool, Fault> {
        match self.library.runs.get(usize::from(id.0)) {
            Some(BuiltinCode::Once(run)) => run(&mut self.store, args),
            Some(BuiltinCode::Many(run)) => run(&mut self.store, args, None)
                .map(|done| matches!(done, BuiltinResult::BoolResult | BuiltinResult::Again(_))),
            Some(BuiltinCode::Solver(_)) => unreachable!("the compiler writes other operations for these"),
            // The next answer of the clauses is wanted.
            None => self.tables.record(&mut self.store, args).map(|()| false),
        }
    }

    pub(super) fn many(&mut self, id: BuiltinId, state: Option<Term>) -> Result<BuiltinResult, Fault> {
        let args = std::mem::take(&mut self.args);
        let done = match self.library.runs.get(usize::from(id.0)) {
            Some(BuiltinCode::Many(run)) => run(&mut self.store, &args, state),
            Some(_) => unreachable!("the compiler writes other operations for these"),
            None => {
                let at = usize::from(id.0) - self.library.runs.len();
                self.table(self.library.unit.tabled[at / 2], &args, state)
            }
        };
        self.args = args;
        done
    }

    /// Whether two ground compounds are identical.
    pub(super) fn same(&mut self, a: Term, b: Term, ordered: bool) -> Result<bool, Fault> {
        if ordered { self.store.is_same(a, b) } else { self.store.unify(a, b) }
    }
}
