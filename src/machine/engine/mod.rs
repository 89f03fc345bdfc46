//! The machine: runs the intermediate form.
//!
//! In: a program, goals. Out: answers, the same as the reference solver's in
//! the same order, with the same errors at the same places and the same count
//! of steps. One engine serves one thread; the program is shared. Frames lie
//! on a stack of their own, terms in the heap of the [`Store`]; a choice point
//! is five words and saves no arguments, for a frame that one refers to stays.
//!
//! A program that the intermediate form cannot hold is run by the reference
//! solver instead.

mod call;
mod collect;
mod dynamic;
pub mod listing;
mod place;
mod run;
mod throw;
mod unify;
mod words;

use crate::lang::goal::Resolver;
use crate::lang::program::{PredId, Program, USER};
use crate::machine::compile::{Constants, Library, Mark};
use crate::machine::fault::{Cause, Fault};
use crate::machine::ir::check::Alive;
use crate::machine::ir::{ARGS, Mode, Op, Slot};
use crate::machine::reference::Reference;
use crate::machine::store::{Budget, Store};
use crate::machine::{Ask, Run, Solver};
use crate::term::Term;
use crate::term::build::build;
use crate::term::pack::{Packed, unpack};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Where the engine's own code stands: see [`Engine::new`].
const ANSWER: u32 = 1;
const EXHAUSTED: u32 = 2;
const CATCH: u32 = 3;
const CAUGHT: u32 = 6;

/// Garbage is collected from so many cells on; in debug builds early, so that
/// tests see what a collection does.
const FIRST_COLLECTION: usize = if cfg!(debug_assertions) { 1 << 10 } else { 1 << 18 };

/// Operations compiled while goals run that are kept for the next question.
const MOST_LATE: usize = 1 << 18;

/// Questions whose procedures are found at once.
const RECENT: usize = 8;

/// Words of the stack at first.
const FIRST_STACK: usize = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 14 };

/// A choice point.
#[derive(Clone, Copy)]
struct Choice {
    /// Where to go on.
    alt: u32,
    /// How many collectors there are.
    collectors: u32,
    /// The frame.
    frame: usize,
    /// Words of the stack that must stay.
    top: usize,
    heap: usize,
    trail: usize,
}

/// The solutions of a findall so far.
struct Collector {
    /// Those that are kept as they are: the first cell of their list.
    first: Term,
    /// The last cell.
    last: Term,
    /// Those that were copied.
    copies: Vec<Packed>,
    words: u64,
    /// The heap up to here must stay.
    floor: usize,
    /// Terms below this are older than the findall.
    begin: usize,
}

/// See the module.
pub struct Engine {
    library: Library,
    store: Store,
    stack: Vec<u64>,
    marks: words::Marks,
    /// Words that must be free above a frame.
    margin: usize,
    choices: Vec<Choice>,
    collectors: Vec<Collector>,
    /// The current frame and operation, while nothing runs.
    frame: usize,
    pc: u32,
    /// The arguments of a builtin.
    args: Vec<Term>,
    /// A position that lies at the foot of the heap: its place among packed
    /// terms, and where it lies here.
    kept: Option<((u64, u32), Term)>,
    /// Where it ends.
    kept_end: usize,
    /// Cells of constants, and of what is kept behind them.
    base: usize,
    fixed: usize,
    collect_at: usize,
    /// Where the next collection copies to.
    room: Vec<u64>,
    asked: Vec<Term>,
    /// The procedure that answers.
    asked_of: u32,
    /// Code from here on was compiled for a typed goal, or while goals ran.
    mark: Option<Mark>,
    /// Whether the goal under way was typed.
    typed: bool,
    /// Predicates called by terms.
    general: FxHashMap<PredId, u32>,
    shapes: FxHashMap<Box<[u64]>, u32>,
    callees: FxHashMap<(crate::symbol::Atom, usize), Option<crate::lang::program::Callee>>,
    /// How predicates are asked, in one number, and the procedures that answer.
    entries: Vec<(u64, u32)>,
    /// Those used last.
    recent: [(u64, u32); RECENT],
    /// Slots that are alive at places where something waited.
    alive: FxHashMap<u32, Rc<[Slot]>>,
    /// The same of whole procedures, by their entries.
    lives: FxHashMap<u32, Rc<Alive>>,
    state: State,
    stop: Arc<AtomicBool>,
    /// Takes over what cannot be compiled.
    fallback: Option<Box<Reference>>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Fresh,
    Answered,
    Over,
}

/// What is known of an argument of a question.
fn mode(arg: &Option<&Packed>) -> Mode {
    match arg {
        Some(packed) if packed.is_ground() => Mode::Solid,
        Some(_) => Mode::Any,
        None => Mode::Out,
    }
}

impl Engine {
    /// Makes a program ready; `stop` ends any goal from outside.
    pub fn new(program: Arc<Program>, runs: Arc<[Run]>, stop: Arc<AtomicBool>) -> Engine {
        let store = Store::new(Arc::new(program.ops.clone()), stop.clone());
        let tabled = program.predicates.iter().any(|predicate| predicate.tabled);
        let fallback = tabled.then(|| Box::new(Reference::new(program.clone(), runs.clone(), stop.clone())));
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
            marks: words::Marks::default(),
            margin: 0,
            choices: Vec::new(),
            collectors: Vec::new(),
            frame: 0,
            pc: ANSWER,
            args: Vec::new(),
            kept: None,
            kept_end: 0,
            base,
            fixed: base,
            collect_at: usize::MAX,
            room: Vec::new(),
            asked: Vec::new(),
            asked_of: 0,
            mark: None,
            typed: false,
            general: FxHashMap::default(),
            shapes: FxHashMap::default(),
            callees: FxHashMap::default(),
            entries: Vec::new(),
            recent: [(u64::MAX, 0); RECENT],
            alive: FxHashMap::default(),
            lives: FxHashMap::default(),
            state: State::Over,
            stop,
            fallback,
        }
    }

    #[inline(always)]
    fn reset(&mut self, budget: Budget) {
        if self.mark.is_some() {
            self.rewind();
        }
        self.typed = false;
        self.choices.clear();
        if !self.collectors.is_empty() {
            self.collectors.clear();
        }
        self.store.mark = 0;
        self.store.refill(budget);
        let large = |room: &Vec<u64>| room.capacity() > 1 << 22;
        if large(&self.room) || large(&self.store.heap.cells) || self.stack.len() > 1 << 20 {
            self.shrink();
        }
        self.state = State::Fresh;
    }

    /// Gives up room that a large goal took.
    #[cold]
    fn shrink(&mut self) {
        if self.room.capacity() > 1 << 22 {
            self.room = Vec::new();
        }
        if self.store.heap.cells.capacity() > 1 << 22 {
            self.store.heap.cells.shrink_to(self.base);
        }
        if self.stack.len() > 1 << 20 {
            self.stack.truncate(FIRST_STACK);
            self.stack.shrink_to_fit();
        }
    }

    /// Forgets code that was compiled for a typed goal, or too much of what was
    /// compiled while goals ran.
    #[cold]
    fn rewind(&mut self) {
        let most = self.mark.as_ref().map_or(usize::MAX, |mark| mark.code + MOST_LATE);
        if let Some(mark) = self.mark.take_if(|_| self.typed || self.library.unit.code.len() > most) {
            self.library.rewind(&mark);
            self.entries.retain(|(_, proc)| (*proc as usize) < mark.procs);
            self.recent = [(u64::MAX, 0); RECENT];
            self.general.clear();
            self.shapes.clear();
            self.alive.clear();
            self.lives.clear();
        }
    }

    /// Ends the preparation of a goal whose arguments are in the first frame.
    #[inline(always)]
    fn ready(&mut self, proc: u32) {
        let unit = &self.library.unit;
        self.fixed = self.store.heap.len().min(self.fixed);
        self.frame = 0;
        self.stack[0] = u64::from(ANSWER);
        self.stack[1] = 0;
        let code = &unit.procs[proc as usize];
        self.pc = code.entry;
        self.asked_of = proc;
        self.choices.push(Choice {
            alt: EXHAUSTED,
            collectors: 0,
            frame: 0,
            top: 0,
            heap: self.store.heap.len(),
            trail: 0,
        });
        self.store.mark = self.store.heap.len();
        self.collect_at = self.store.heap.len() + self.first_collection();
    }

    /// Room for a first frame with so many arguments.
    fn first_frame(&mut self, count: usize) {
        let words = usize::from(ARGS) + count + usize::from(self.library.unit.largest) + 8_400;
        if self.stack.len() < words {
            self.stack.resize(words, 0);
        }
    }

    /// The procedure that answers a predicate asked in this way.
    #[inline(always)]
    fn entry(&mut self, pred: PredId, args: &[Option<&Packed>]) -> Option<u32> {
        assert!(args.len() <= 16, "a question of a game has few arguments");
        let way = args.iter().fold(0, |way, arg| way << 2 | mode(arg) as u64);
        let key = u64::from(pred.0) << 32 | way;
        // Few predicates are asked, each in one way or two.
        let slot = pred.0 as usize % RECENT;
        let (recent, proc) = self.recent[slot];
        if recent == key {
            return Some(proc);
        }
        let proc = match self.entries.iter().find(|(other, _)| *other == key) {
            Some((_, proc)) => *proc,
            None => self.new_entry(pred, args, key)?,
        };
        self.recent[slot] = (key, proc);
        Some(proc)
    }

    #[cold]
    fn new_entry(&mut self, pred: PredId, args: &[Option<&Packed>], key: u64) -> Option<u32> {
        self.kept = None;
        self.store.heap.cells.truncate(self.base);
        let modes: Box<[Mode]> = args.iter().map(mode).collect();
        let proc = self.library.version(pred, &modes, Constants::Heap(&mut self.store.heap)).ok()?;
        self.base = self.store.heap.len();
        self.entries.push((key, proc));
        Some(proc)
    }

    #[inline(always)]
    fn ask_call(&mut self, pred: PredId, args: &[Option<&Packed>]) -> Result<(), Fault> {
        let Some(proc) = self.entry(pred, args) else { return self.fall_back() };
        self.fixed = self.base;
        self.first_frame(args.len());
        let mut first = match args.first() {
            Some(Some(packed)) => Some(self.keep(packed)),
            _ => {
                self.kept = None;
                self.store.heap.cells.truncate(self.base);
                None
            }
        };
        self.asked.clear();
        let heap = &mut self.store.heap;
        let slots = &mut self.stack[usize::from(ARGS)..][..args.len()];
        for (slot, arg) in slots.iter_mut().zip(args) {
            let term = match arg {
                Some(packed) => first.take().unwrap_or_else(|| unpack(heap, packed)),
                None => {
                    let fresh = heap.variable();
                    self.asked.push(fresh);
                    fresh
                }
            };
            *slot = term.0;
        }
        self.ready(proc);
        Ok(())
    }

    /// Questions about one position follow one another: it is unpacked once.
    #[inline(always)]
    fn keep(&mut self, packed: &Packed) -> Term {
        match self.kept {
            Some((place, term)) if place == packed.place() => {
                self.store.heap.cells.truncate(self.kept_end);
                term
            }
            _ => {
                self.store.heap.cells.truncate(self.base);
                let term = unpack(&mut self.store.heap, packed);
                self.kept = packed.is_ground().then(|| (packed.place(), term));
                self.kept_end = self.store.heap.len();
                term
            }
        }
    }

    fn fall_back(&mut self) -> Result<(), Fault> {
        let library = &self.library;
        let reference = Reference::new(library.program.clone(), library.runs.clone(), self.stop.clone());
        self.fallback = Some(Box::new(reference));
        Ok(())
    }

    fn ask_goal(
        &mut self,
        tree: &crate::lang::ast::Tree,
        root: crate::lang::ast::NodeId,
        budget: Budget,
    ) -> Result<(), Fault> {
        let program = self.library.program.clone();
        let mut resolver = Resolver::new(&program, USER, tree);
        resolver.typed = true;
        let goal = resolver.goal(root);
        if resolver.too_deep.is_some() {
            return Err(Cause::Memory(budget.memory).into());
        }
        self.kept = None;
        self.store.heap.cells.truncate(self.base);
        if !resolver.bad.is_empty() {
            let whole = build(&mut self.store.heap, tree, root, &mut Vec::new());
            return Err(Fault::type_error(&mut self.store.heap, "callable", whole));
        }
        self.mark = self.mark.take().or_else(|| Some(self.library.mark()));
        self.typed = true;
        let constants = Constants::Heap(&mut self.store.heap);
        let Ok(proc) = self.library.goal(tree, &goal, Mode::Out, constants) else {
            return self.fall_back();
        };
        self.fixed = self.store.heap.len();
        self.asked = (0..tree.variables.len()).map(|_| self.store.heap.variable()).collect();
        self.first_frame(self.asked.len());
        for (at, term) in self.asked.iter().enumerate() {
            self.stack[usize::from(ARGS) + at] = term.0;
        }
        self.ready(proc);
        Ok(())
    }

    fn first_collection(&self) -> usize {
        FIRST_COLLECTION.min((self.store.memory / 32) as usize)
    }

    /// Makes the stack larger, for a frame at a place.
    fn grow(&mut self, place: usize) -> Result<(), Fault> {
        let wanted = (2 * self.stack.len()).max(place + 2 * self.margin);
        self.store.aside += 8 * (wanted - self.stack.len()) as u64;
        self.store.room(0)?;
        self.stack.resize(wanted, 0);
        Ok(())
    }
}

impl Solver for Engine {
    fn ask(&mut self, ask: &Ask<'_>, budget: Budget) -> Result<(), Fault> {
        if let Some(reference) = &mut self.fallback {
            return reference.ask(ask, budget);
        }
        self.reset(budget);
        match ask {
            Ask::Call(pred, args) => self.ask_call(*pred, args)?,
            Ask::Goal(tree, root) => self.ask_goal(tree, *root, budget)?,
        }
        match &mut self.fallback {
            Some(reference) => reference.ask(ask, budget),
            None => Ok(()),
        }
    }

    fn first(&mut self, ask: &Ask<'_>, budget: Budget) -> Result<bool, Fault> {
        // Asked several times for each position of a search, so all in one.
        if let (Ask::Call(pred, args), None) = (ask, &self.fallback) {
            self.reset(budget);
            self.ask_call(*pred, args)?;
            if self.fallback.is_none() {
                self.state = State::Over;
                let found = self.run(false);
                if let Ok(true) = found {
                    self.state = State::Answered;
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
        let found = match std::mem::replace(&mut self.state, State::Over) {
            State::Over => Ok(false),
            State::Answered => self.run(true),
            State::Fresh => self.run(false),
        };
        if let Ok(true) = found {
            self.state = State::Answered;
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

    fn store(&mut self) -> &mut Store {
        match &mut self.fallback {
            Some(reference) => reference.store(),
            None => &mut self.store,
        }
    }
}
