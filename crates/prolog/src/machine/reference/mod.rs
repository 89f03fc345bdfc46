//! The reference solver: resolution over the clauses as they are written.
//!
//! Each goal is one step and each clause one frame. A choice point is created if another clause may
//! match. Every term is built in full and unified by the general algorithm. The solver is slow and
//! obvious, and stays as the oracle for faster solvers. Frames lie in the heap, so that the garbage
//! collector sees everything, and no goal, however deep, uses the stack of the process.

mod backtrack;
mod choice;
pub mod code;
pub mod doubt;
mod dynamic;
mod index;
mod place;
mod ports;
mod step;
mod tabling;
mod template;

use crate::machine::called::Callees;
use crate::machine::fault::{Cause, Fault};
use crate::machine::reference::choice::{ChoiceKind, ReferenceChoicePoint};
use crate::machine::reference::code::{BodyStep, ClauseCode, TemplateOp, compile, compile_goal};
use crate::machine::reference::index::{ClauseIndex, call_keys, may_match};
use crate::machine::store::{Budget, Store};
use crate::machine::tables::Tables;
use crate::machine::watch::SharedWatcher;
use crate::machine::{BuiltinCode, Query, Solver};
use crate::term::build::build;
use crate::term::heap::{FUNCTOR, header};
use crate::term::pack::{Packer, unpack};
use crate::term::{STR, Term};
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::program::{Callee, PredId, Program, USER};
use alphorn_text::symbol::atoms;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Cells of a frame before its slots: header, code, parent, the parent's step, and the height of the
/// choice points when its clause was called.
pub(super) const FRAME: usize = 5;

/// The slots of the box of a watched goal: the predicate, the clause tried last, the state, the depth,
/// and the user clause for which the goal is called, unless the predicate is the user's. Then the
/// arguments.
pub(super) const BOX_SLOTS: usize = 5;

/// Codes of the internal steps of the solver.
pub(super) const ANSWER: u32 = 0;
pub(super) const CATCH: u32 = 1;
pub(super) const TABLE: u32 = 2;
pub(super) const PORT: u32 = 3;
/// The code of the first clause.
pub(super) const FIRST_CLAUSE: u32 = 4;

/// Cells from which garbage is collected. The number is small in debug builds, so that tests run the
/// collector.
const FIRST_COLLECTION: usize = if cfg!(debug_assertions) { 1 << 12 } else { 1 << 20 };

/// The reference solver for one program.
pub struct Reference {
    pub(super) program: Arc<Program>,
    pub(super) runs: Arc<[BuiltinCode]>,
    pub(super) store: Store,
    /// The code of every clause, and after them that of goals built at run time.
    pub(super) codes: Vec<Option<Rc<ClauseCode>>>,
    pub(super) fixed_codes: usize,
    pub(super) free_codes: Vec<u32>,
    indexes: Vec<Rc<ClauseIndex>>,
    pub(super) callees: Callees,
    pub(super) args: Vec<Term>,
    pub(super) slots: Vec<Term>,
    pub(super) values: Vec<Term>,
    pub(super) frame: Term,
    pub(super) pc: u32,
    pub(super) code: Rc<ClauseCode>,
    choices: Vec<ReferenceChoicePoint>,
    pub(super) saved: Vec<Term>,
    pub(super) collectors: Vec<FindallSolutions>,
    tables: Tables,
    /// Cells of constants, which collections do not move.
    base: usize,
    pub(super) fixed: usize,
    pub(super) collect_at: usize,
    pub(super) asked: Vec<Term>,
    /// The predicate to call with `args` at the start.
    pub(super) pending: Option<PredId>,
    /// Whether a step is running, rather than a return to a choice point.
    pub(super) stepping: bool,
    /// The watcher of all goals, and the steps before the running goal was paid for.
    pub(super) watcher: Option<SharedWatcher>,
    /// Whether frames are kept even if only a return is left, to report all callers.
    whole: bool,
    pub(super) called_at: Option<u64>,
    state: ReferenceState,
}

/// The solutions of a findall so far.
#[derive(Default)]
pub(super) struct FindallSolutions {
    pub(super) items: Packer,
    pub(super) words: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum ReferenceState {
    Fresh,
    Answered,
    Over,
}

impl Reference {
    /// Creates a solver for a program; `stop` interrupts any goal.
    pub fn new(program: Arc<Program>, runs: Arc<[BuiltinCode]>, stop: Arc<AtomicBool>) -> Reference {
        let mut store = Store::of(&program, stop);
        let own = |steps, slots| Some(Rc::new(ClauseCode::internal(steps, slots)));
        let meta = BodyStep::Meta(Box::new([Box::new([TemplateOp::Slot(0)])]), no_span());
        let mut codes = vec![
            own(vec![BodyStep::Answer], 0),
            own(vec![meta, BodyStep::ExitCatch, BodyStep::Proceed], 1),
            own(vec![BodyStep::TableAnswer, BodyStep::Fail], 0),
            own(vec![BodyStep::LeaveBox, BodyStep::Proceed], BOX_SLOTS as u32),
        ];
        let mut numbers = Vec::new();
        for (pred, predicate) in program.predicates.iter().enumerate() {
            let first = codes.len() as u32;
            for clause in &predicate.clauses {
                codes.push(Some(Rc::new(compile(PredId(pred as u32), clause, &runs, &mut store.heap))));
            }
            numbers.push((first..codes.len() as u32).collect::<Vec<u32>>());
        }
        let compiled: Vec<Rc<ClauseCode>> = codes.iter().flatten().cloned().collect();
        let keys: Vec<_> = compiled.iter().map(|code| code.keys).collect();
        let indexes = numbers.into_iter().map(|numbers| Rc::new(ClauseIndex::new(numbers, &keys))).collect();
        Reference::of_codes(program, runs, store, codes, indexes)
    }

    /// A solver with the code of its clauses.
    fn of_codes(
        program: Arc<Program>,
        runs: Arc<[BuiltinCode]>,
        store: Store,
        codes: Vec<Option<Rc<ClauseCode>>>,
        indexes: Vec<Rc<ClauseIndex>>,
    ) -> Reference {
        let base = store.heap.len();
        Reference {
            program,
            runs,
            store,
            fixed_codes: codes.len(),
            code: codes[ANSWER as usize].clone().expect("the solver has steps of its own"),
            codes,
            free_codes: Vec::new(),
            indexes,
            callees: Callees::default(),
            args: Vec::new(),
            slots: Vec::new(),
            values: Vec::new(),
            frame: Term::NONE,
            pc: 0,
            choices: Vec::new(),
            saved: Vec::new(),
            collectors: Vec::new(),
            tables: Tables::default(),
            base,
            fixed: base,
            collect_at: FIRST_COLLECTION,
            asked: Vec::new(),
            pending: None,
            stepping: false,
            watcher: None,
            whole: false,
            called_at: None,
            state: ReferenceState::Over,
        }
    }

    /// Creates a solver for a program that has the same predicates as this one, with as many clauses, and the same
    /// operators and builtins. The code of predicates that both programs share is not compiled again.
    pub fn for_edited(&self, program: Arc<Program>, stop: Arc<AtomicBool>) -> Reference {
        assert_eq!(self.program.predicates.len(), program.predicates.len(), "a clause was edited, no more");
        let mut codes = self.codes[..self.fixed_codes].to_vec();
        let mut store = Store::new(self.store.ops.clone(), stop);
        store.own_aggregate = self.store.own_aggregate;
        // Shared code refers to the constants in these cells.
        store.heap.cells = self.store.heap.cells[..self.base].to_vec();
        let mut indexes = self.indexes.clone();
        let all = self.program.predicates.iter().zip(&program.predicates).zip(&mut indexes);
        for (pred, ((old, new), index)) in
            (0..).map(PredId).zip(all).filter(|(_, ((old, new), _))| !Arc::ptr_eq(old, new))
        {
            debug_assert_eq!(old.clauses.len(), new.clauses.len());
            let numbers = index.all.to_vec();
            for (number, clause) in numbers.iter().zip(&new.clauses) {
                codes[*number as usize] = Some(Rc::new(compile(pred, clause, &self.runs, &mut store.heap)));
            }
            let keys: Vec<_> = codes.iter().flatten().map(|code| code.keys).collect();
            *index = Rc::new(ClauseIndex::new(numbers, &keys));
        }
        Reference::of_codes(program, self.runs.clone(), store, codes, indexes)
    }

    /// Keeps the frame of every clause until the clause ends. Faults then report all callers, and a
    /// watcher sees every step, at the cost of memory.
    pub fn keeping_frames(mut self) -> Reference {
        self.whole = true;
        self
    }

    fn reset(&mut self, budget: Budget) {
        // A watcher must see all work, so tables are dropped.
        match self.watcher.is_some() || self.whole {
            true => self.tables = Tables::default(),
            false => self.tables.next_question(),
        }
        self.called_at = None;
        self.store.refill(budget);
        self.clear();
    }

    /// Prepares for a goal; tables stay.
    fn clear(&mut self) {
        self.choices.clear();
        self.saved.clear();
        self.collectors.clear();
        self.codes.truncate(self.fixed_codes);
        self.free_codes.clear();
        self.store.heap.cells.truncate(self.base);
        self.store.mark = 0;
        self.store.trail.clear();
        self.fixed = self.base;
        self.collect_at = self.base + self.first_collection();
        self.frame = Term::NONE;
        self.code = self.code_of(Term::NONE);
        self.pc = 0;
        self.state = ReferenceState::Fresh;
    }

    pub(super) fn first_collection(&self) -> usize {
        FIRST_COLLECTION.min((self.store.memory / 32) as usize)
    }

    /// The code of a frame; that of the query for no frame.
    pub(super) fn code_of(&self, frame: Term) -> Rc<ClauseCode> {
        let number = if frame == Term::NONE { ANSWER } else { self.cell(frame, 1).as_small().unwrap_or(0) as u32 };
        self.codes[number as usize].clone().expect("a frame keeps its code")
    }

    pub(super) fn cell(&self, frame: Term, at: usize) -> Term {
        Term(self.store.heap.cells[frame.index() + at])
    }

    /// Continues at a step of a frame.
    pub(super) fn resume(&mut self, frame: Term, pc: u32) {
        if frame != self.frame {
            self.code = self.code_of(frame);
            self.frame = frame;
        }
        self.pc = pc;
    }

    /// Creates the frame of a clause with these slots, which returns to `parent`.
    pub(super) fn push_frame(
        &mut self,
        code: u32,
        slots: &[Term],
        parent: Term,
        parent_pc: u32,
        barrier: usize,
    ) -> Term {
        let extra =
            self.codes[code as usize].as_ref().map_or(0, |code| code.slots as usize).saturating_sub(slots.len());
        let heap = &mut self.store.heap;
        let at = heap.cells.len();
        let size = FRAME - 1 + slots.len() + extra;
        heap.cells.extend([
            header(FUNCTOR, size as u64, u64::from(atoms::FRAME.number())),
            Term::small(i64::from(code)).0,
            parent.0,
            Term::small(i64::from(parent_pc)).0,
            Term::small(barrier as i64).0,
        ]);
        heap.cells.extend(slots.iter().map(|slot| slot.0));
        heap.cells.extend(std::iter::repeat_n(Term::small(0).0, extra));
        Term::tagged(STR, at)
    }

    pub(super) fn slot(&self, number: u32) -> Term {
        self.cell(self.frame, FRAME + number as usize)
    }

    pub(super) fn set_slot(&mut self, number: u32, value: usize) {
        let at = self.frame.index() + FRAME + number as usize;
        self.store.heap.cells[at] = Term::small(value as i64).0;
    }

    pub(super) fn height_in(&self, slot: u32) -> usize {
        self.slot(slot).as_small().unwrap_or(0) as usize
    }

    /// Calls a predicate with `self.args`.
    pub(super) fn enter(&mut self, pred: PredId, frame: Term, pc: u32) -> Result<bool, Fault> {
        let (frame, pc) = self.open_box(Callee::User(pred), frame, pc)?;
        if self.program.predicate(pred).tabled {
            return self.enter_table(pred, frame, pc);
        }
        let list = self.candidates(pred);
        self.try_clauses(list, 0, frame, pc, None)
    }

    pub(super) fn candidates(&self, pred: PredId) -> Rc<[u32]> {
        self.indexes[pred.0 as usize].candidates(&call_keys(&self.store.heap, &self.args))
    }

    /// Tries clauses from an index on; `retried` is the height of the choice point on a retry.
    pub(super) fn try_clauses(
        &mut self,
        list: Rc<[u32]>,
        from: u32,
        frame: Term,
        pc: u32,
        retried: Option<usize>,
    ) -> Result<bool, Fault> {
        let keys = call_keys(&self.store.heap, &self.args);
        let barrier = retried.unwrap_or(self.choices.len());
        let mut own_choice = retried.is_some();
        let find = |machine: &Self, from: u32| {
            (from..list.len() as u32).find(|at| {
                machine.codes[list[*at as usize] as usize].as_ref().is_some_and(|code| may_match(&code.keys, &keys))
            })
        };
        let mut next = find(self, from);
        while let Some(at) = next {
            next = find(self, at + 1);
            match next {
                Some(following) if own_choice => {
                    self.choices[barrier].kind = ChoiceKind::Clauses(list.clone(), following)
                }
                Some(following) => {
                    let args = std::mem::take(&mut self.args);
                    self.push_choice(ChoiceKind::Clauses(list.clone(), following), frame, pc, &args);
                    self.args = args;
                    own_choice = true;
                }
                None if own_choice => {
                    self.cut_to(barrier);
                    own_choice = false;
                }
                None => {}
            }
            let number = list[at as usize];
            let code = self.codes[number as usize].clone().expect("clauses stay");
            self.try_clause(number, frame, retried.is_some());
            if self.unify_head(&code)? {
                self.tell_match(number, next.map(|at| list[at as usize]));
                self.begin_clause(number, &code, frame, pc, barrier);
                return Ok(true);
            }
            self.mismatch(frame);
            if own_choice {
                let choice = &self.choices[barrier];
                let (trail, heap) = (choice.trail, choice.heap);
                self.store.undo(trail);
                self.store.heap.cells.truncate(heap);
            }
        }
        if own_choice {
            self.cut_to(barrier);
        }
        Ok(false)
    }

    fn begin_clause(&mut self, number: u32, code: &Rc<ClauseCode>, frame: Term, pc: u32, barrier: usize) {
        if matches!(code.body[0], BodyStep::Proceed) {
            return self.resume(frame, pc);
        }
        let mut slots = std::mem::take(&mut self.slots);
        for slot in &mut slots {
            if *slot == Term::NONE {
                *slot = self.store.heap.variable();
            }
        }
        self.frame = self.push_frame(number, &slots, frame, pc, barrier);
        self.slots = slots;
        self.code = code.clone();
        self.pc = 0;
    }

    /// The continuation of the current goal: this frame, or its caller's if only a return follows.
    pub(super) fn continuation(&self) -> (Term, u32) {
        let mut next = self.pc + 1;
        while let BodyStep::Jump(target) = self.code.body[next as usize] {
            next = target;
        }
        let (after, next) = (next, self.pc + 1);
        match self.code.body[after as usize] {
            BodyStep::Proceed if self.frame != Term::NONE && !self.whole => {
                (self.cell(self.frame, 2), self.cell(self.frame, 3).as_small().unwrap_or(0) as u32)
            }
            _ => (self.frame, next),
        }
    }

    pub(super) fn load(&mut self, templates: &[Box<[TemplateOp]>]) {
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        for template in templates {
            args.push(self.build(template));
        }
        self.args = args;
    }
}

fn no_span() -> alphorn_text::source::Span {
    alphorn_text::source::Span { source: alphorn_text::source::SourceId(0), start: 0, end: 0 }
}

impl Solver for Reference {
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault> {
        self.reset(budget);
        if let Some(watcher) = &self.watcher {
            watcher.borrow_mut().asked(if let Query::Call(pred, _) = ask { Some(*pred) } else { None });
        }
        let mut asked = Vec::new();
        match ask {
            Query::Call(pred, args) => {
                self.args.clear();
                for arg in *args {
                    let term = match arg {
                        Some(packed) => unpack(&mut self.store.heap, packed),
                        None => {
                            let fresh = self.store.heap.variable();
                            asked.push(fresh);
                            fresh
                        }
                    };
                    self.args.push(term);
                }
                self.asked = asked;
                self.pending = Some(*pred);
            }
            Query::Goal(tree, root) => {
                let program = self.program.clone();
                let mut resolver = Resolver::new(&program, USER, tree);
                resolver.typed = true;
                let goal = resolver.goal(*root);
                if resolver.too_deep.is_some() {
                    return Err(Cause::Memory(budget.memory).into());
                }
                if !resolver.bad.is_empty() {
                    let whole = build(&mut self.store.heap, tree, *root, &mut asked);
                    return Err(Fault::type_error(&mut self.store.heap, "callable", whole));
                }
                let code = compile_goal(tree, &goal, &self.runs, &mut self.store.heap, BodyStep::Answer);
                self.fixed = self.store.heap.len();
                for _ in 0..tree.variables.len() {
                    asked.push(self.store.heap.variable());
                }
                self.asked = asked.clone();
                self.codes.push(Some(Rc::new(code)));
                let number = self.codes.len() as u32 - 1;
                self.resume(Term::NONE, 0);
                self.frame = self.push_frame(number, &asked, Term::NONE, 0, 0);
                self.code = self.code_of(self.frame);
                self.pending = None;
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<bool, Fault> {
        let found = match std::mem::replace(&mut self.state, ReferenceState::Over) {
            ReferenceState::Over => Ok(false),
            ReferenceState::Answered => self.run(true),
            ReferenceState::Fresh => self.run(false),
        };
        if let Ok(true) = found {
            self.state = ReferenceState::Answered;
        }
        found
    }

    fn has_alternatives(&self) -> bool {
        self.choices.iter().any(|choice| {
            !matches!(choice.kind, ChoiceKind::Dead | ChoiceKind::Catch | ChoiceKind::Port | ChoiceKind::Redo)
        })
    }

    fn answer(&self) -> &[Term] {
        &self.asked
    }

    fn store(&mut self) -> &mut Store {
        &mut self.store
    }
}
