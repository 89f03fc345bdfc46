//! Begins goals: clears the state of the last goal, stores the arguments in the heap and the first
//! frame, and finds the code of the goal.
//!
//! A search begins several goals for each position, so rarely needed code is out of line.

use crate::machine::compile::Constants;
use crate::machine::engine::{ANSWER, ChoicePoint, EXHAUSTED, Engine, EngineState, FIRST_STACK, MOST_LATE, RECENT};
use crate::machine::fault::{Cause, Fault};
use crate::machine::ir::{ARGS, Mode};
use crate::machine::reference::Reference;
use crate::machine::store::Budget;
use crate::term::Term;
use crate::term::build::build;
use crate::term::pack::{Packed, unpack};
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::program::{PredId, USER};

/// The mode of an argument of a goal.
fn mode(arg: &Option<&Packed>) -> Mode {
    match arg {
        Some(packed) if packed.is_ground() => Mode::Solid,
        Some(_) => Mode::Any,
        None => Mode::Out,
    }
}

/// A predicate and the modes of its arguments, two bits each, as one number.
fn key_of(pred: PredId, way: u64) -> u64 {
    u64::from(pred.0) << 32 | way
}

impl Engine {
    /// Ends the last goal and all live positions.
    #[inline(always)]
    pub(super) fn reset(&mut self, budget: Budget) {
        self.live.clear();
        self.renew(budget);
    }

    /// Ends the last goal.
    #[inline(always)]
    pub(super) fn renew(&mut self, budget: Budget) {
        if self.mark.is_some() {
            self.rewind();
        }
        self.typed = false;
        if self.tabling {
            self.end_tables();
        }
        self.choices.clear();
        if !self.collectors.is_empty() {
            self.collectors.clear();
        }
        self.store.mark = 0;
        if self.store.refill(budget) {
            self.kept = None;
        }
        let large = |room: &Vec<u64>| room.capacity() > 1 << 22;
        let deep = self.choices.capacity() > 1 << 19 || self.store.trail.capacity() > 1 << 22;
        if deep || large(&self.room) || large(&self.store.heap.cells) || self.stack.len() > 1 << 20 {
            self.shrink();
        }
        self.state = EngineState::Fresh;
    }

    /// Frees the memory that a large goal needed.
    #[cold]
    pub(super) fn shrink(&mut self) {
        if self.room.capacity() > 1 << 22 {
            self.room = Vec::new();
        }
        self.choices.shrink_to(1 << 10);
        self.store.trail.shrink_to(1 << 10);
        if self.store.heap.cells.capacity() > 1 << 22 {
            self.store.heap.cells.shrink_to(self.base);
        }
        if self.stack.len() > 1 << 20 {
            self.stack.truncate(FIRST_STACK);
            self.stack.shrink_to_fit();
        }
    }

    /// Drops the code of a typed goal, or the code compiled at run time if there is too much of it.
    #[cold]
    fn rewind(&mut self) {
        let most = self.mark.as_ref().map_or(usize::MAX, |mark| mark.code + MOST_LATE);
        if let Some(mark) = self.mark.take_if(|_| self.typed || self.library.unit.code.len() > most) {
            self.library.rewind(&mark);
            self.ran.truncate(mark.code);
            if let Some(native) = &mut self.native {
                native.rewind(mark.code);
            }
            self.entries.retain(|(_, proc)| (*proc as usize) < mark.procs);
            self.recent = [(u64::MAX, 0); RECENT];
            self.general.clear();
            self.shapes.clear();
            self.alive.clear();
            self.lives.clear();
        }
    }

    /// Finishes the preparation of a goal whose arguments are in the first frame.
    #[inline(always)]
    pub(super) fn ready(&mut self, proc: u32) {
        let unit = &self.library.unit;
        self.fixed = self.store.heap.len().min(self.fixed);
        self.frame = 0;
        self.stack[0] = u64::from(ANSWER);
        self.stack[1] = 0;
        let code = &unit.procs[proc as usize];
        self.pc = code.entry;
        self.asked_of = proc;
        self.choices.push(ChoicePoint {
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

    /// Makes room for a first frame with `count` arguments.
    pub(super) fn first_frame(&mut self, count: usize) {
        let words = usize::from(ARGS) + count + usize::from(self.library.unit.largest) + 8_400;
        if self.stack.len() < words {
            self.stack.resize(words, 0);
        }
    }

    /// The procedure of a predicate for arguments of these modes.
    #[inline(always)]
    fn entry(&mut self, pred: PredId, args: &[Option<&Packed>]) -> Option<u32> {
        assert!(args.len() <= 16, "a question of a game has few arguments");
        let way = args.iter().fold(0, |way, arg| way << 2 | mode(arg) as u64);
        match self.known_entry(pred, way) {
            None => self.new_entry(pred, args, key_of(pred, way)),
            proc => proc,
        }
    }

    /// The procedure of a predicate for arguments of these modes, if a goal has called it before.
    #[inline(always)]
    pub(super) fn known_entry(&mut self, pred: PredId, way: u64) -> Option<u32> {
        let key = key_of(pred, way);
        // Few predicates are called, each with one or two sets of modes.
        let slot = pred.0 as usize % RECENT;
        let (recent, proc) = self.recent[slot];
        if recent == key {
            return Some(proc);
        }
        let (_, proc) = *self.entries.iter().find(|(other, _)| *other == key)?;
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
    pub(super) fn ask_call(&mut self, pred: PredId, args: &[Option<&Packed>]) -> Result<(), Fault> {
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

    /// Unpacks a position. Successive goals about one position share the term.
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

    pub(super) fn ask_goal(&mut self, tree: &TermTree, root: NodeId, budget: Budget) -> Result<(), Fault> {
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
}
