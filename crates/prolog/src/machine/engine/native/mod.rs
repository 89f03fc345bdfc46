//! Compiles procedures that are called often to native code.
//!
//! A procedure is compiled after the loop in `run.rs` has counted enough calls. A table gives, for
//! each address of the intermediate code, the native code that begins there, if any. Native code
//! keeps frames, heap, trail and choice points exactly as the loop does, including return addresses.
//! It leaves rare operations to the loop, before any of their effects. The loop returns to native
//! code at the next address in the table. So either can run everything, and only the time depends on
//! which one does.
//!
//! There is no native code if Cranelift has no back end for the host.
#![allow(unsafe_code)]

mod arith;
mod back;
mod builtin_calls;
mod common;
mod emit;
mod exits;
mod fields;
mod floats;
mod flow;
mod helpers;
mod known;
mod matching;
mod ops;
mod plan;
mod quiet;
mod repeat;
mod stubs;
mod values;

use crate::machine::engine::drive::RunStop;
use crate::machine::engine::{ANSWER, CAUGHT, ChoicePoint, EXHAUSTED, Engine};
use crate::machine::fault::Fault;
use crate::machine::ir::{FAIL, Label, LinkedCode, Switch};
use back::Backend;
use cranelift_jit::JITModule;
use plan::Leave;
use rustc_hash::{FxHashMap, FxHashSet};

/// A procedure of this many operations is compiled after twice as many calls as an empty one.
const PATIENCE: u32 = 16;

/// Arguments of a builtin that native code can pass.
const MOST_ARGS: usize = 8;

/// The state shared by native code and the engine. Heap positions are in bytes from the first cell.
#[repr(C)]
struct Regs {
    engine: *mut Engine,
    table: *const *const u8,
    stack: *mut u64,
    /// The highest address at which a frame may begin.
    limit: *mut u64,
    /// New frames begin here or higher.
    top: *mut u64,
    collect: usize,
    /// The heap below this position must stay.
    floor: usize,
    /// Cells below this position are older than the last choice point.
    mark: usize,
    /// Steps until the budget is checked; `filled` is the value when native code was entered.
    fuel: u64,
    /// Returns until the budget is checked.
    returns: u64,
    filled: u64,
    choices: *mut ChoicePoint,
    height: usize,
    choices_room: usize,
    trail: *mut usize,
    trailed: usize,
    trail_room: usize,
    /// The number of collectors, shifted to its place in a choice point.
    collectors: u64,
    consts: *const u64,
    tables: *const Switch,
    cells: *mut u64,
    heap: usize,
    frame: *mut u64,
    pc: u64,
    args: [u64; MOST_ARGS],
}

/// What a compiled procedure leaves to the loop.
struct Left {
    leave: Leave,
    places: FxHashSet<Label>,
    /// The beginnings of sequences that are left to be run again, each with the number of its labels among the places.
    sequences: FxHashMap<u32, u32>,
}

/// The code of one procedure.
struct Batch {
    /// The first address of its intermediate code.
    from: u32,
    module: JITModule,
}

/// The function that enters native code: registers, frame, heap, cells, code, address. It returns 0
/// if the loop must continue, and 1 after a fault.
type Enter = extern "C" fn(*mut Regs, *mut u64, usize, *mut u64, *const u8, u64) -> u64;

/// The native code of a machine.
pub(super) struct Native {
    hot: u32,
    /// For each address of the intermediate code, the native code there, or `exit`.
    table: Vec<*const u8>,
    exit: *const u8,
    /// The number of calls of each address, and the number at which it is compiled.
    heat: Vec<u32>,
    due: Vec<u32>,
    batches: Vec<Batch>,
    /// For the entry of each compiled procedure, what is left to the loop.
    left: FxHashMap<u32, Left>,
    /// Created when it is first needed.
    back: Option<Backend>,
    regs: Box<Regs>,
    fault: Option<Fault>,
}

impl Native {
    /// Creates a table without code; procedures are compiled after `hot` calls.
    pub(super) fn new(hot: u32) -> Option<Native> {
        Some(Native {
            hot,
            table: Vec::new(),
            exit: std::ptr::null(),
            heat: Vec::new(),
            due: Vec::new(),
            batches: Vec::new(),
            left: FxHashMap::default(),
            back: None,
            // SAFETY: all fields are raw pointers and numbers, for which zero is valid.
            regs: Box::new(unsafe { std::mem::zeroed() }),
            fault: None,
        })
    }

    /// Makes the table as long as the code.
    fn cover(&mut self, unit: &LinkedCode) {
        self.table.resize(unit.code.len(), self.exit);
        self.heat.resize(unit.code.len(), 0);
        self.due.resize(unit.code.len(), self.hot);
    }

    /// Whether native code begins at an address.
    #[inline(always)]
    pub(super) fn has(&self, pc: u32) -> bool {
        self.table.get(pc as usize).is_some_and(|code| *code != self.exit)
    }

    /// Counts a call of an address without native code, and returns whether it must be compiled now.
    #[inline(always)]
    pub(super) fn is_hot(&mut self, pc: u32) -> bool {
        match (self.heat.get_mut(pc as usize), self.due.get(pc as usize)) {
            (Some(heat), Some(due)) => {
                *heat += 1;
                *heat == *due
            }
            _ => true,
        }
    }

    /// Compiles the procedure that contains an address, of what has run first only that. If that fails, the loop
    /// continues to run it.
    fn compile(&mut self, unit: &LinkedCode, ran: &[bool], pc: u32) {
        self.cover(unit);
        if self.has(pc) || pc <= CAUGHT {
            return;
        }
        // An address that the table did not contain was not counted.
        if self.heat[pc as usize] == 0 {
            self.heat[pc as usize] = 1;
        }
        if self.heat[pc as usize] < self.due[pc as usize] {
            return;
        }
        let Some(proc) = unit.proc_at(pc) else { return };
        if proc.end - proc.entry > plan::MOST_OPS {
            return;
        }
        // What is left to the loop is compiled once it runs often.
        let known = self.left.get(&proc.entry).filter(|_| self.has(proc.entry));
        let (leave, labels) = match known {
            None if !self.has(proc.entry) => (Leave::SlowAndIdle, 1),
            Some(Left { leave, places, sequences }) if places.contains(&pc) || sequences.contains_key(&pc) => {
                let next = if matches!(leave, Leave::SlowAndIdle) { Leave::Idle } else { Leave::Nothing };
                (next, sequences.get(&pc).copied().unwrap_or(1))
            }
            _ => return,
        };
        let places = plan::left_to_the_loop(unit, proc, ran, leave);
        // Compiling takes about 10 us for an operation, and saves some nanoseconds in a call: long procedures
        // must be called more often. The labels of a sequence are counted together.
        let size = (proc.end - proc.entry).saturating_sub(places.len() as u32);
        let patient = self.hot.saturating_add(size.saturating_mul(self.hot / PATIENCE)).saturating_mul(labels);
        if self.due[pc as usize] < patient {
            self.due[pc as usize] = patient;
            return;
        }
        if self.back.is_none() {
            let Some(back) = Backend::new() else {
                self.hot = u32::MAX;
                return;
            };
            self.exit = back.stubs.exit;
            self.table.fill(self.exit);
            self.back = Some(back);
        }
        if let Some(back) = &mut self.back
            && let Some((module, begins, repeated)) = back.procedure(unit, (proc, &places), &raw const *self.regs)
        {
            for (place, code) in begins {
                self.table[place as usize] = code;
            }
            self.batches.push(Batch { from: proc.entry, module });
            let mut sequences = FxHashMap::default();
            repeated.iter().for_each(|(first, _)| *sequences.entry(*first).or_default() += 1);
            self.left.insert(proc.entry, Left { leave, places, sequences });
        }
    }

    /// Drops the code from an address on, and the native code made from it.
    pub(super) fn rewind(&mut self, code: usize) {
        self.table.truncate(code);
        self.heat.truncate(code);
        self.due.truncate(code);
        self.left.retain(|entry, _| (*entry as usize) < code);
        for batch in self.batches.extract_if(.., |batch| batch.from as usize >= code) {
            // SAFETY: no native code is running, and the table has no pointer into this module.
            unsafe { batch.module.free_memory() };
        }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        let base = self.back.take().map(|back| back.base);
        for module in self.batches.drain(..).map(|batch| batch.module).chain(base) {
            // SAFETY: its code runs only while the engine does.
            unsafe { module.free_memory() };
        }
    }
}

impl Engine {
    /// Runs native code from the current address, until an operation that it leaves to the loop.
    pub(super) fn run_native(&mut self) -> Result<RunStop, Fault> {
        self.load_registers();
        let Some(native) = &mut self.native else { return Ok(RunStop::Loop) };
        let Some(back) = &native.back else { return Ok(RunStop::Loop) };
        let code = if self.pc == FAIL { back.stubs.fail } else { native.table[self.pc as usize] };
        let (enter, regs) = (back.enter, &raw mut *native.regs);
        // SAFETY: `load_registers()` has filled the registers, and the table contains only entry addresses
        // of native code.
        let status = unsafe { enter(regs, (*regs).frame, (*regs).heap, (*regs).cells, code, u64::from(self.pc)) };
        self.save_registers();
        if status != 0
            && let Some(fault) = self.native.as_mut().and_then(|native| native.fault.take())
        {
            return Err(fault);
        }
        Ok(match self.pc {
            ANSWER => RunStop::Over(true),
            EXHAUSTED => RunStop::Over(false),
            _ => RunStop::Loop,
        })
    }

    /// Copies the state of the store to the registers, but for the mark, which no builtin moves.
    #[inline(always)]
    fn load_store(&mut self) {
        self.make_room();
        let Engine { native: Some(native), store, .. } = self else { return };
        let (regs, trail) = (&mut *native.regs, &mut store.trail);
        if trail.len() == trail.capacity() {
            trail.reserve(64);
        }
        regs.fuel = store.next_poll.saturating_sub(store.steps);
        regs.filled = regs.fuel;
        regs.returns = store.returns;
        (regs.trail, regs.trailed, regs.trail_room) = (trail.as_mut_ptr(), trail.len(), trail.capacity());
        regs.cells = store.heap.cells.as_mut_ptr();
        regs.heap = store.heap.cells.len() * 8;
    }

    /// Copies the state of the engine to the registers.
    fn load_registers(&mut self) {
        self.load_store();
        if self.choices.len() == self.choices.capacity() {
            self.choices.reserve(64);
        }
        let engine = &raw mut *self;
        let Engine { native: Some(native), library, store, stack, choices, collectors, .. } = self else { return };
        if native.table.len() < library.unit.code.len() {
            native.cover(&library.unit);
        }
        let regs = &mut *native.regs;
        let base = stack.as_mut_ptr();
        regs.engine = engine;
        regs.table = native.table.as_ptr();
        regs.stack = base;
        let top = choices.last().map_or(0, |choice| choice.top);
        // SAFETY: all addresses lie within the stack.
        unsafe {
            regs.limit = base.add(stack.len() - self.margin.min(stack.len()));
            regs.top = base.add(top);
            regs.frame = base.add(self.frame);
        }
        regs.collect = self.collect_at.saturating_mul(8);
        regs.floor = collectors.last().map_or(0, |collector| collector.floor * 8);
        regs.mark = store.mark * 8;
        (regs.choices, regs.height, regs.choices_room) = (choices.as_mut_ptr(), choices.len(), choices.capacity());
        regs.collectors = (collectors.len() as u64) << 32;
        regs.consts = library.unit.consts.as_ptr();
        regs.tables = library.unit.tables.as_ptr();
    }

    /// Copies the registers to the state of the store.
    #[inline(always)]
    fn save_store(&mut self) {
        let Some(native) = &self.native else { return };
        let regs = &*native.regs;
        // SAFETY: native code has written all these cells and trail entries, and there was room for them.
        unsafe {
            self.store.heap.cells.set_len(regs.heap / 8);
            self.store.trail.set_len(regs.trailed);
        }
        self.store.mark = regs.mark / 8;
        self.store.steps += regs.filled - regs.fuel;
        self.store.returns = regs.returns;
    }

    /// Copies the registers to the state of the engine.
    fn save_registers(&mut self) {
        self.save_store();
        let Some(native) = &mut self.native else { return };
        let regs = &*native.regs;
        // SAFETY: native code has written all these choice points, and there was room for them. The frame
        // lies within the stack.
        unsafe {
            self.choices.set_len(regs.height);
            self.frame = regs.frame.offset_from(regs.stack) as usize;
        }
        self.pc = regs.pc as u32;
    }

    /// Compiles the procedure that contains an address, which is called often.
    #[cold]
    pub(super) fn heat_up(&mut self, pc: u32) {
        if let Some(native) = &mut self.native {
            native.compile(&self.library.unit, &self.ran, pc);
        }
    }
}
