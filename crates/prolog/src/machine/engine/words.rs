//! Words as the loop reads them: tags, small integers, slots and cells.
//!
//! This is the unsafe part of the engine beside the loop; `run.rs` says why it is sound. Debug builds
//! check every access against the available room.
#![allow(unsafe_code)]

use crate::machine::ir::{Function, Op, Operand};
use crate::term::{INT, MAX_SMALL, MIN_SMALL, REF, TAG};

pub(super) const SMALL_ZERO: u64 = INT;

/// The index of the cell of an output argument.
#[inline(always)]
pub(super) fn output_cell(destination: u64) -> usize {
    (destination >> 3) as usize + ((destination >> 2) & 1) as usize
}

pub(super) const fn is_int(term: u64) -> bool {
    term & TAG == INT
}

pub(super) const fn both_ints(a: u64, b: u64) -> bool {
    ((a ^ INT) | (b ^ INT)) & TAG == 0
}

pub(super) fn small(value: i64) -> Option<u64> {
    if (MIN_SMALL..=MAX_SMALL).contains(&value) { Some(((value as u64) << 3) | INT) } else { None }
}

/// Applies a function to two integers; `None` if the result is no small integer.
pub(super) fn apply(f: Function, a: i64, b: i64) -> Option<u64> {
    small(match f {
        Function::Mul => a.checked_mul(b)?,
        Function::Div => a.checked_div(b)?,
        Function::Rem => a.checked_rem(b)?,
        Function::Mod => {
            let rest = a.checked_rem(b)?;
            if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
        }
        Function::And => a & b,
        Function::Or => a | b,
        Function::Xor => a ^ b,
        Function::ShiftLeft => {
            let by = u32::try_from(b).ok().filter(|by| *by < 61)?;
            let shifted = a << by;
            if shifted >> by != a {
                return None;
            }
            shifted
        }
        Function::ShiftRight => a >> u32::try_from(b).ok().filter(|by| *by < 64)?,
        Function::Min => a.min(b),
        Function::Max => a.max(b),
        Function::Neg => -a,
        Function::Abs => a.abs(),
        Function::Not => !a,
        Function::PopCount if a >= 0 => a.count_ones() as i64,
        Function::Msb if a > 0 => a.ilog2() as i64,
        Function::PopCount | Function::Msb => return None,
    })
}

/// The state that the loop keeps in registers while no memory moves.
pub(super) struct LoopState {
    pub(super) cells: *mut u64,
    pub(super) frame: *mut u64,
    /// Number of cells in use.
    pub(super) heap: usize,
    /// The capacity of the heap, and the end of the stack. Debug builds check every access against
    /// them.
    #[cfg(debug_assertions)]
    pub(super) room: usize,
    #[cfg(debug_assertions)]
    pub(super) end: *const u64,
}

/// Pointers to other memory that may move, and limits.
pub(super) struct LoopLimits {
    pub(super) code: *const Op,
    /// For each operation, whether it has run.
    pub(super) ran: *mut bool,
    pub(super) operands: *const Operand,
    pub(super) consts: *const u64,
    pub(super) stack: *mut u64,
    /// Usable words of the stack.
    pub(super) words: usize,
    /// Words of the stack that must stay.
    pub(super) top: usize,
    /// Heap cells below this one must stay.
    pub(super) floor: usize,
    /// The number of cells from which garbage is collected.
    pub(super) collect: usize,
}

impl Default for LoopLimits {
    fn default() -> LoopLimits {
        let (code, operands, consts) = (std::ptr::null(), std::ptr::null(), std::ptr::null());
        let (ran, stack) = (std::ptr::null_mut(), std::ptr::null_mut());
        LoopLimits { code, ran, operands, consts, stack, words: 0, top: 0, floor: 0, collect: 0 }
    }
}

impl LoopState {
    #[inline(always)]
    pub(super) unsafe fn slot(&self, slot: u16) -> u64 {
        #[cfg(debug_assertions)]
        assert!(self.frame.wrapping_add(slot as usize).cast_const() < self.end, "a slot lies in the stack");
        unsafe { *self.frame.add(slot as usize) }
    }

    #[inline(always)]
    pub(super) unsafe fn set(&self, slot: u16, value: u64) {
        #[cfg(debug_assertions)]
        assert!(self.frame.wrapping_add(slot as usize).cast_const() < self.end, "a slot lies in the stack");
        unsafe { *self.frame.add(slot as usize) = value }
    }

    #[inline(always)]
    pub(super) unsafe fn cell(&self, at: usize) -> u64 {
        #[cfg(debug_assertions)]
        assert!(at < self.heap, "a cell that is read was written");
        unsafe { *self.cells.add(at) }
    }

    #[inline(always)]
    pub(super) unsafe fn push(&mut self, value: u64) {
        #[cfg(debug_assertions)]
        assert!(self.heap < self.room, "there is room for what is added");
        unsafe { *self.cells.add(self.heap) = value };
        self.heap += 1;
    }

    /// The value of an operand; see [`Operand`] for its bits.
    #[inline(always)]
    pub(super) unsafe fn value(&mut self, marks: &LoopLimits, operand: Operand) -> u64 {
        let bits = operand.0;
        unsafe {
            if bits & 2 == 0 {
                let base = if bits & 1 == 0 { self.frame.cast_const() } else { marks.consts };
                return *base.add((bits >> 3) as usize);
            }
            let value = self.slot((bits >> 3) as u16);
            if bits & 4 == 0 {
                let tail = (value >> 2) & u64::from(bits & 1);
                return self.cell(((value >> 3) + tail) as usize + (bits >> 19) as usize);
            }
            let fresh = ((self.heap as u64) << 3) | REF;
            self.push(SMALL_ZERO);
            self.set((bits >> 3) as u16, fresh);
            fresh
        }
    }

    #[inline(always)]
    pub(super) unsafe fn deref(&self, mut term: u64) -> u64 {
        while term & TAG == REF {
            let next = unsafe { self.cell((term >> 3) as usize) };
            if next == term {
                break;
            }
            term = next;
        }
        term
    }
}
