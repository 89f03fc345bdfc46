//! The machine: runs the intermediate form.
//!
//! It gives the answers of the reference solver in the same order, with the same errors at the same
//! places and the same count of steps. An engine serves one thread; the program is shared. Frames lie
//! on a separate stack, terms in the heap of the [`Store`]. A choice point takes a few words and
//! saves no arguments, because the frame of a choice point stays.
//!
//! The reference solver runs programs that are too large for the intermediate form.

mod ask;
mod call;
mod collect;
mod drive;
mod dynamic;
pub mod idle;
pub mod listing;
mod live;
#[cfg_attr(not(feature = "native"), path = "no_native.rs")]
mod native;
mod place;
mod run;
mod table;
mod throw;
mod unify;
mod words;

use crate::machine::called::Callees;
use crate::machine::compile::{CompileMark, Library};
use crate::machine::fault::Fault;
use crate::machine::ir::check::Liveness;
use crate::machine::ir::{ARGS, Mode, Op, Slot};
use crate::machine::reference::Reference;
use crate::machine::store::{Budget, Store};
use crate::machine::tables::Tables;
use crate::machine::{BuiltinCode, LivePlace, Query, Solver};
use crate::term::Term;
use crate::term::pack::Packer;
use alphorn_lang::lang::program::{PredId, Program};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Addresses of the engine's internal code: see [`Engine::new`].
const ANSWER: u32 = 1;
const EXHAUSTED: u32 = 2;
const CATCH: u32 = 3;
const CAUGHT: u32 = 6;

/// Cells from which garbage is collected. The number is small in debug builds, so that tests run the
/// collector.
const FIRST_COLLECTION: usize = if cfg!(debug_assertions) { 1 << 10 } else { 1 << 18 };

/// Operations compiled at run time that are kept for the next goal.
const MOST_LATE: usize = 1 << 18;

/// Size of the cache of procedures for goals.
const RECENT: usize = 8;

/// Words of the stack at first.
const FIRST_STACK: usize = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 14 };

/// A choice point.
#[derive(Clone, Copy)]
#[repr(C)]
struct ChoicePoint {
    /// Address of the alternative.
    alt: u32,
    /// Number of collectors.
    collectors: u32,
    /// The frame.
    frame: usize,
    /// Words of the stack that must stay.
    top: usize,
    heap: usize,
    trail: usize,
}

/// The solutions of a findall so far.
struct SolutionList {
    /// The first list cell of solutions that are kept in the heap.
    first: Term,
    /// The last of these cells.
    last: Term,
    /// Copied solutions.
    copies: Option<Box<Packer>>,
    words: u64,
    /// Heap cells below this one must stay.
    floor: usize,
    /// Terms below this cell are older than the findall.
    begin: usize,
}

/// A machine for one program.
pub struct Engine {
    library: Library,
    store: Store,
    stack: Vec<u64>,
    marks: words::LoopLimits,
    /// Words that must be free above a frame.
    margin: usize,
    choices: Vec<ChoicePoint>,
    collectors: Vec<SolutionList>,
    /// The current frame and operation, while nothing runs.
    frame: usize,
    pc: u32,
    /// The arguments of a builtin.
    args: Vec<Term>,
    /// Values still to be unified with a template.
    values: Vec<Term>,
    /// The position at the bottom of the heap: its place among packed terms, and its term here.
    kept: Option<((u64, u32), Term)>,
    /// The end of its cells.
    kept_end: usize,
    /// Cells of constants (`base`), and with the kept position (`fixed`).
    base: usize,
    fixed: usize,
    collect_at: usize,
    /// The memory to which the next collection copies.
    room: Vec<u64>,
    live: live::LiveStack,
    asked: Vec<Term>,
    /// The procedure of the goal.
    asked_of: u32,
    /// Code after this mark was compiled for a typed goal, or at run time.
    mark: Option<CompileMark>,
    /// Whether the running goal was typed.
    typed: bool,
    /// Entries of predicates called by terms.
    general: FxHashMap<PredId, u32>,
    shapes: FxHashMap<Box<[u64]>, u32>,
    callees: Callees,
    /// Predicates and modes as one number, with their procedures.
    entries: Vec<(u64, u32)>,
    /// The entries used last.
    recent: [(u64, u32); RECENT],
    /// Live slots at addresses where a frame waited.
    alive: FxHashMap<u32, Rc<[Slot]>>,
    /// Live slots of whole procedures, by their entries.
    lives: FxHashMap<u32, Rc<Liveness>>,
    state: EngineState,
    /// For each operation, whether the loop has run it.
    ran: Vec<bool>,
    native: Option<native::Native>,
    stop: Arc<AtomicBool>,
    tables: Tables,
    /// Whether the running goal uses tables.
    tabling: bool,
    /// The reference solver for a program that cannot be compiled.
    fallback: Option<Box<Reference>>,
}

#[derive(Clone, Copy, PartialEq)]
enum EngineState {
    Fresh,
    Answered,
    Over,
}

impl Engine {
    /// Creates a machine for a program; `stop` interrupts any goal. A procedure is compiled to native
    /// code after `hot` calls; `None` means never.
    pub fn new(program: Arc<Program>, runs: Arc<[BuiltinCode]>, stop: Arc<AtomicBool>, hot: Option<u32>) -> Engine {
        let store = Store::of(&program, stop.clone());
        let mut library = Library::new(program, runs);
        library.internal(&[Op::Fail]);
        library.internal(&[Op::Answer]);
        library.internal(&[Op::Exhausted]);
        let goal = library.unit.operands.len() as u32;
        library.unit.operands.push(crate::machine::ir::Operand::of(crate::machine::ir::From::Slot(ARGS)));
        library.internal(&[Op::Meta { args: goal, count: 1, size: ARGS + 3 }, Op::ExitCatch, Op::Proceed, Op::Caught]);
        library.unit.largest = ARGS + 3;
        let base = store.heap.len();
        Engine {
            library,
            store,
            stack: vec![0; FIRST_STACK],
            marks: words::LoopLimits::default(),
            margin: 0,
            choices: Vec::new(),
            collectors: Vec::new(),
            frame: 0,
            pc: ANSWER,
            args: Vec::new(),
            values: Vec::new(),
            kept: None,
            kept_end: 0,
            base,
            fixed: base,
            collect_at: usize::MAX,
            room: Vec::new(),
            live: live::LiveStack::default(),
            asked: Vec::new(),
            asked_of: 0,
            mark: None,
            typed: false,
            general: FxHashMap::default(),
            shapes: FxHashMap::default(),
            callees: Callees::default(),
            entries: Vec::new(),
            recent: [(u64::MAX, 0); RECENT],
            alive: FxHashMap::default(),
            lives: FxHashMap::default(),
            state: EngineState::Over,
            ran: Vec::new(),
            native: hot.and_then(native::Native::new),
            stop,
            tables: Tables::default(),
            tabling: false,
            fallback: None,
        }
    }

    fn first_collection(&self) -> usize {
        FIRST_COLLECTION.min((self.store.memory / 32) as usize)
    }

    /// Enlarges the stack, for a frame at `place`.
    fn grow(&mut self, place: usize) -> Result<(), Fault> {
        let wanted = (2 * self.stack.len()).max(place + 2 * self.margin);
        self.store.aside += 8 * (wanted - self.stack.len()) as u64;
        self.store.room(0)?;
        self.stack.resize(wanted, 0);
        Ok(())
    }
}

impl Solver for Engine {
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault> {
        if let Some(reference) = &mut self.fallback {
            return reference.ask(ask, budget);
        }
        self.reset(budget);
        match ask {
            Query::Call(pred, args) => self.ask_call(*pred, args)?,
            Query::Goal(tree, root) => self.ask_goal(tree, *root, budget)?,
        }
        match &mut self.fallback {
            Some(reference) => reference.ask(ask, budget),
            None => Ok(()),
        }
    }

    fn first(&mut self, ask: &Query<'_>, budget: Budget) -> Result<bool, Fault> {
        // A search calls this several times for each position, so all steps are in one function.
        if let (Query::Call(pred, args), None) = (ask, &self.fallback) {
            self.reset(budget);
            self.ask_call(*pred, args)?;
            if self.fallback.is_none() {
                self.state = EngineState::Over;
                let found = self.run(false);
                if let Ok(true) = found {
                    self.state = EngineState::Answered;
                }
                return found;
            }
        }
        self.ask(ask, budget)?;
        self.next()
    }

    fn next(&mut self) -> Result<bool, Fault> {
        if let Some(reference) = &mut self.fallback {
            return reference.next();
        }
        let found = match std::mem::replace(&mut self.state, EngineState::Over) {
            EngineState::Over => Ok(false),
            EngineState::Answered => self.run(true),
            EngineState::Fresh => self.run(false),
        };
        if let Ok(true) = found {
            self.state = EngineState::Answered;
        }
        found
    }

    fn has_alternatives(&self) -> bool {
        match &self.fallback {
            Some(reference) => reference.has_alternatives(),
            None => self.choices.iter().any(|choice| !matches!(choice.alt, 0 | EXHAUSTED | CAUGHT)),
        }
    }

    fn answers_ground(&self) -> bool {
        let code = self.library.unit.procs.get(self.asked_of as usize);
        let sure = code
            .is_some_and(|code| code.solid.iter().zip(&code.modes).all(|(solid, mode)| *solid && *mode != Mode::Any));
        self.fallback.is_none() && sure
    }

    fn answer(&self) -> &[Term] {
        match &self.fallback {
            Some(reference) => reference.answer(),
            None => &self.asked,
        }
    }

    fn keep(&mut self, list: Term) -> Option<usize> {
        self.keep_live(list)
    }

    fn kept(&self, level: usize) -> &[Term] {
        self.live_terms(level)
    }

    fn first_about(
        &mut self,
        pred: PredId,
        at: LivePlace,
        outputs: usize,
        budget: Budget,
    ) -> Result<Option<bool>, Fault> {
        self.first_live(pred, at, outputs, budget)
    }

    fn store(&mut self) -> &mut Store {
        match &mut self.fallback {
            Some(reference) => reference.store(),
            None => &mut self.store,
        }
    }
}
