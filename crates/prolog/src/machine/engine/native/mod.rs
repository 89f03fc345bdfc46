//! Native code for procedures that are called often.
//!
//! In: procedures of a unit, once the loop in `run.rs` has seen them called
//! often enough. Out: machine code for them, and a table that says for each
//! place of the intermediate code whether control may come in natively there.
//! Native code keeps frames, heap, trail and choice points exactly as the loop
//! does, return addresses included; what it does not do itself it leaves, at
//! the operation and before any of its effects, to the loop, and the loop
//! comes back at the next place in the table. So either may run anything, and
//! nothing but time depends on which does.
//!
//! There is none where the host has no back end.
#![allow(unsafe_code)]

mod arith;
mod back;
mod emit;
mod fields;
mod flow;
mod helpers;
mod matching;
mod ops;
mod plan;
mod stubs;

use crate::machine::engine::drive::Left;
use crate::machine::engine::{ANSWER, CAUGHT, Choice, EXHAUSTED, Engine};
use crate::machine::fault::Fault;
use crate::machine::ir::{LinkedCode, Switch};
use back::Back;
use cranelift_jit::JITModule;

/// A procedure of so many operations waits for twice as many calls as an empty one.
const PATIENCE: u32 = 16;

/// Arguments of a builtin that native code can pass on.
const MOST_ARGS: usize = 8;

/// What native code and the engine share. Places in the heap are bytes from
/// its first cell.
#[repr(C)]
struct Regs {
    engine: *mut Engine,
    table: *const *const u8,
    stack: *mut u64,
    /// No new frame may begin above this.
    limit: *mut u64,
    /// New frames begin here or higher.
    top: *mut u64,
    collect: usize,
    /// The heap up to here must stay.
    floor: usize,
    /// Cells below this are older than the last choice point.
    mark: usize,
    /// Steps until the budget is looked at, now and when native code was entered.
    fuel: u64,
    /// Returns until the budget is looked at.
    returns: u64,
    filled: u64,
    choices: *mut Choice,
    height: usize,
    choices_room: usize,
    trail: *mut usize,
    trailed: usize,
    trail_room: usize,
    /// How many collectors there are, where a choice point has them.
    collectors: u64,
    consts: *const u64,
    tables: *const Switch,
    cells: *mut u64,
    heap: usize,
    frame: *mut u64,
    pc: u64,
    args: [u64; MOST_ARGS],
}

/// Code of one procedure.
struct Batch {
    /// The first place of its intermediate code.
    from: u32,
    module: JITModule,
}

/// How native code is entered: registers, frame, heap, cells, code, place.
/// Gives 0 where the loop is to go on, and 1 after a fault.
type Enter = extern "C" fn(*mut Regs, *mut u64, usize, *mut u64, *const u8, u64) -> u64;

/// See the module.
pub(super) struct Native {
    hot: u32,
    /// For each place of the code where native code begins, or `exit`.
    table: Vec<*const u8>,
    exit: *const u8,
    /// How often each place was called, and after how many calls it is hot.
    heat: Vec<u32>,
    due: Vec<u32>,
    batches: Vec<Batch>,
    /// Made when it is first needed.
    back: Option<Back>,
    regs: Box<Regs>,
    fault: Option<Fault>,
}

impl Native {
    /// Will compile procedures that were called `hot` times.
    pub(super) fn new(hot: u32) -> Option<Native> {
        Some(Native {
            hot,
            table: Vec::new(),
            exit: std::ptr::null(),
            heat: Vec::new(),
            due: Vec::new(),
            batches: Vec::new(),
            back: None,
            // SAFETY: pointers and numbers may all be zero.
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

    /// Whether native code begins at a place.
    #[inline(always)]
    pub(super) fn has(&self, pc: u32) -> bool {
        self.table.get(pc as usize).is_some_and(|code| *code != self.exit)
    }

    /// Counts a call of code that is not native; true where it has become hot.
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

    /// Compiles the procedure around a place; where there is no code for it, the
    /// loop goes on.
    fn compile(&mut self, unit: &LinkedCode, pc: u32) {
        self.cover(unit);
        if self.has(pc) || pc <= CAUGHT {
            return;
        }
        // A place that the table did not cover was not counted.
        if self.heat[pc as usize] == 0 {
            self.heat[pc as usize] = 1;
        }
        if self.heat[pc as usize] < self.due[pc as usize] {
            return;
        }
        let Some(proc) = unit.proc_at(pc).filter(|proc| !self.has(proc.entry)) else { return };
        let size = proc.end - proc.entry;
        if size > plan::MOST_OPS {
            return;
        }
        // Machine code takes about 0.1 ms for an operation, which a call saves some nanoseconds:
        // what is long must be called the more often.
        let patient = self.hot.saturating_add(size.saturating_mul(self.hot / PATIENCE));
        if self.due[pc as usize] < patient {
            self.due[pc as usize] = patient;
            return;
        }
        if self.back.is_none() {
            let Some(back) = Back::new() else {
                self.hot = u32::MAX;
                return;
            };
            self.exit = back.stubs.exit;
            self.table.fill(self.exit);
            self.back = Some(back);
        }
        if let Some(back) = &mut self.back
            && let Some((module, begins)) = back.procedure(unit, proc, &self.table, &raw const *self.regs)
        {
            for (place, code) in begins {
                self.table[place as usize] = code;
            }
            self.batches.push(Batch { from: proc.entry, module });
        }
    }

    /// Forgets code from a place on, and the machine code made from it.
    pub(super) fn rewind(&mut self, code: usize) {
        self.table.truncate(code);
        self.heat.truncate(code);
        self.due.truncate(code);
        for batch in self.batches.extract_if(.., |batch| batch.from as usize >= code) {
            // SAFETY: nothing runs, and the table has forgotten it.
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
    /// Runs native code from where the engine stands, until there is something
    /// that it cannot do.
    pub(super) fn run_native(&mut self) -> Result<Left, Fault> {
        self.take_up();
        let Some(native) = &mut self.native else { return Ok(Left::Loop) };
        let Some(back) = &native.back else { return Ok(Left::Loop) };
        let code = native.table[self.pc as usize];
        let (enter, regs) = (back.enter, &raw mut *native.regs);
        // SAFETY: `take_up()` has made the registers true, and the table holds
        // the beginnings of native code only.
        let status = unsafe { enter(regs, (*regs).frame, (*regs).heap, (*regs).cells, code, u64::from(self.pc)) };
        self.leave();
        if status != 0
            && let Some(fault) = self.native.as_mut().and_then(|native| native.fault.take())
        {
            return Err(fault);
        }
        Ok(match self.pc {
            ANSWER => Left::Over(true),
            EXHAUSTED => Left::Over(false),
            _ => Left::Loop,
        })
    }

    /// Makes the registers true.
    fn take_up(&mut self) {
        self.make_room();
        if self.choices.len() == self.choices.capacity() {
            self.choices.reserve(64);
        }
        if self.store.trail.len() == self.store.trail.capacity() {
            self.store.trail.reserve(64);
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
        // SAFETY: all lie within the stack.
        unsafe {
            regs.limit = base.add(stack.len() - self.margin.min(stack.len()));
            regs.top = base.add(top);
            regs.frame = base.add(self.frame);
        }
        regs.collect = self.collect_at.saturating_mul(8);
        regs.floor = collectors.last().map_or(0, |collector| collector.floor * 8);
        regs.mark = store.mark * 8;
        regs.fuel = store.next_poll.saturating_sub(store.steps);
        regs.filled = regs.fuel;
        regs.returns = store.returns;
        (regs.choices, regs.height, regs.choices_room) = (choices.as_mut_ptr(), choices.len(), choices.capacity());
        let trail = &mut store.trail;
        (regs.trail, regs.trailed, regs.trail_room) = (trail.as_mut_ptr(), trail.len(), trail.capacity());
        regs.collectors = (collectors.len() as u64) << 32;
        regs.consts = library.unit.consts.as_ptr();
        regs.tables = library.unit.tables.as_ptr();
        regs.cells = store.heap.cells.as_mut_ptr();
        regs.heap = store.heap.cells.len() * 8;
    }

    /// Takes the registers over.
    fn leave(&mut self) {
        let Some(native) = &mut self.native else { return };
        let regs = &*native.regs;
        // SAFETY: native code has written all these cells, choice points and
        // places, and there was room for them.
        unsafe {
            self.store.heap.cells.set_len(regs.heap / 8);
            self.choices.set_len(regs.height);
            self.store.trail.set_len(regs.trailed);
            self.frame = regs.frame.offset_from(regs.stack) as usize;
        }
        self.store.mark = regs.mark / 8;
        self.store.steps += regs.filled - regs.fuel;
        self.store.returns = regs.returns;
        self.pc = regs.pc as u32;
    }

    /// Compiles the procedure around a place, called often.
    #[cold]
    pub(super) fn heat_up(&mut self, pc: u32) {
        if let Some(native) = &mut self.native {
            native.compile(&self.library.unit, pc);
        }
    }
}
