//! Calls of goals that are terms, `catch/3`, and the end of `findall/3`.

use crate::machine::called::CalledGoal;
use crate::machine::compile::Constants;
use crate::machine::engine::{CATCH, CAUGHT, ChoicePoint, Engine};
use crate::machine::fault::{Cause, Fault};
use crate::machine::ir::{ARGS, FAIL, Mode};
use crate::machine::skeleton::{NOWHERE, Skeleton, control};
use crate::machine::{BuiltinCode, SolverBuiltin};
use crate::term::heap::{FUNCTOR, Heap, TermView, header_kind, header_small, raw_words};
use crate::term::pack::unpack;
use crate::term::{BOX, HDR, LST, REF, STR, TAG, Term};
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_text::symbol::atoms;
use smallvec::SmallVec;

/// The most arguments of a goal that need no memory of their own.
const FEW: usize = 8;

impl Engine {
    /// Calls `self.args[0]` with the other arguments, in a frame at `new`, or the clauses of a table if there are no
    /// arguments. The call returns to `ret`,
    /// in the frame of the caller.
    pub(super) fn meta(&mut self, new: usize, ret: u32, caller: Option<usize>) -> Result<(), Fault> {
        if self.args.is_empty() {
            return self.pass_again(new, ret);
        }
        let mut goal = self.store.heap.deref(self.args[0]);
        let mut extra = self.args[1..].to_vec();
        let caller = caller.unwrap_or(self.frame);
        loop {
            let called = CalledGoal::of(&self.library.program, &mut self.store, goal, extra)?;
            goal = called.goal;
            let Some((name, arity)) = self.store.heap.functor(goal) else {
                return Err(match self.store.heap.view(goal) {
                    TermView::Var(_) => Fault::instantiation(&mut self.store.heap),
                    _ => Fault::type_error(&mut self.store.heap, "callable", goal),
                });
            };
            let total = arity + called.extra.len();
            let cells = self.store.heap.arg_cells(goal);
            let mut args: SmallVec<[Term; FEW]> = cells.iter().map(|cell| Term(*cell)).collect();
            args.extend_from_slice(&called.extra);
            if let (atoms::TRUE | atoms::FAIL | atoms::FALSE, 0) = (name, total) {
                // The usual recovery goals need no code.
                self.go_on(name == atoms::TRUE, ret, caller);
                return Ok(());
            }
            if control(name, total).is_some() {
                let goal = called.whole(&mut self.store, name, &args);
                let (entry, args) = self.shape(goal)?;
                return self.enter(entry, &args, new, ret, caller);
            }
            let program = &self.library.program;
            let callee = called.callee(program, &mut self.callees, &mut self.store, name, &mut args);
            match callee {
                None | Some(Callee::Unknown(..)) => {
                    return Err(called.unknown(&mut self.store, name, total));
                }
                Some(Callee::User(pred)) => {
                    let entry = self.general(pred, total)?;
                    return self.enter(entry, &args, new, ret, caller);
                }
                Some(Callee::Native(id)) => match self.library.runs[usize::from(id.0)] {
                    BuiltinCode::Once(run) => {
                        let done = run(&mut self.store, &args)?;
                        self.go_on(done, ret, caller);
                        return Ok(());
                    }
                    BuiltinCode::Many(_) => {
                        let entry = self.native(id, total)?;
                        return self.enter(entry, &args, new, ret, caller);
                    }
                    BuiltinCode::Solver(SolverBuiltin::Catch) => {
                        self.args.clear();
                        self.args.extend_from_slice(&args);
                        return self.catch(FAIL, new, ret, caller);
                    }
                    BuiltinCode::Solver(SolverBuiltin::Call) => {
                        goal = self.store.heap.deref(args[0]);
                        extra = args[1..].to_vec();
                    }
                    BuiltinCode::Solver(SolverBuiltin::Control) => {
                        unreachable!("control() knows every control construct")
                    }
                },
            }
            self.store.charge(1)?;
        }
    }

    fn go_on(&mut self, done: bool, ret: u32, caller: usize) {
        if done {
            self.pc = ret;
            self.frame = caller;
        } else {
            self.pc = 0;
        }
    }

    /// Enters code in a new frame.
    pub(super) fn enter(
        &mut self,
        entry: u32,
        args: &[Term],
        new: usize,
        ret: u32,
        caller: usize,
    ) -> Result<(), Fault> {
        let words = new + args.len() + usize::from(self.library.unit.largest) + self.margin;
        if words > self.stack.len() {
            self.grow(words)?;
        }
        let frame = self.place_frame(new, ret, caller);
        for (at, arg) in args.iter().enumerate() {
            self.stack[frame + usize::from(ARGS) + at] = arg.0;
        }
        self.frame = frame;
        self.pc = entry;
        Ok(())
    }

    /// Places a frame. A last call reuses the frame of its caller if possible.
    fn place_frame(&mut self, new: usize, ret: u32, caller: usize) -> usize {
        let top = self.choices.last().map_or(0, |choice| choice.top);
        let frame = if caller != self.frame && self.frame >= top { self.frame } else { new };
        self.stack[frame] = u64::from(ret);
        self.stack[frame + 1] = caller as u64;
        frame
    }

    /// The procedure of a predicate for arguments of any kind.
    fn general(&mut self, pred: PredId, arity: usize) -> Result<u32, Fault> {
        if let Some(entry) = self.general.get(&pred) {
            return Ok(*entry);
        }
        if self.mark.is_none() {
            self.mark = Some(self.library.mark());
        }
        let proc = self.library.version(pred, &vec![Mode::Any; arity], Constants::Aside);
        let proc = proc.map_err(|_| Fault::from(Cause::Memory(self.store.memory)))?;
        let entry = self.library.unit.procs[proc as usize].entry;
        self.general.insert(pred, entry);
        Ok(entry)
    }

    /// Begins a `catch/3` whose arguments are in `self.args`. Behind them are those of the code at `entry`, which runs
    /// in place of the goal unless it is [`FAIL`].
    pub(super) fn catch(&mut self, entry: u32, new: usize, ret: u32, caller: usize) -> Result<(), Fault> {
        let args = [self.args[0], self.args[1], self.args[2]];
        self.enter(CATCH, &args, new, ret, caller)?;
        let before = self.choices.last().map_or(0, |choice| choice.top);
        let top = before.max(self.frame + usize::from(ARGS) + 3);
        self.choices.push(ChoicePoint {
            alt: CAUGHT,
            collectors: self.collectors.len() as u32,
            frame: self.frame,
            top,
            heap: self.store.heap.len(),
            trail: self.store.trail.len(),
        });
        self.store.mark = self.store.heap.len();
        if entry != FAIL {
            let args = std::mem::take(&mut self.args);
            let entered = self.enter(entry, &args[3..], top, CATCH + 1, self.frame);
            self.args = args;
            return entered;
        }
        Ok(())
    }

    /// Copies a ground term. Parts older than the findall are shared.
    pub(super) fn copy_new(&mut self, term: Term) -> Result<Term, Fault> {
        let begin = self.collectors.last().expect("a findall is under way").begin;
        let memory = self.store.memory;
        let left = self.store.words_left();
        let cells = &mut self.store.heap.cells;
        let end = cells.len();
        let moved = |cells: &mut Vec<u64>, term: Term| {
            let at = term.index();
            if !matches!(term.tag(), STR | LST | BOX) || at < begin {
                return term;
            }
            let words = match term.tag() {
                LST => 2,
                STR => 1 + header_small(cells[at]),
                _ => 1 + raw_words(cells[at]),
            };
            let place = cells.len();
            cells.extend_from_within(at..at + words);
            Term::tagged(term.tag(), place)
        };
        let whole = moved(cells, term);
        let mut at = end;
        while at < cells.len() {
            let cell = cells[at];
            if cell & TAG == HDR {
                at += 1 + if header_kind(cell) == FUNCTOR { 0 } else { raw_words(cell) };
                continue;
            }
            cells[at] = moved(cells, Term(cell)).0;
            at += 1;
            if cells.len() - end > left {
                return Err(Cause::Memory(memory).into());
            }
        }
        Ok(whole)
    }

    /// Copies a ground term to the end of the heap. `None` if the term contains a variable, if it is
    /// too large, or if the findall has packed a solution already.
    pub(super) fn copy_ground(&mut self, term: Term) -> Option<Term> {
        if self.collectors.last().is_none_or(|collector| collector.copies.is_some()) {
            return None;
        }
        let left = self.store.words_left();
        let heap = &mut self.store.heap;
        let begin = heap.len();
        // A copy larger than the heap is of a term with shared parts, or of a cyclic one.
        let whole = copy_ground(heap, term, left.min(begin));
        if whole.is_none() {
            heap.cells.truncate(begin);
        }
        whole
    }

    /// Packs a solution that contains variables, after those that are in the heap.
    pub(super) fn pack_solution(&mut self, term: Term) -> Result<(), Fault> {
        let left = self.store.words_left();
        let collector = self.collectors.last_mut().expect("a findall is under way");
        let heap = &self.store.heap;
        let copies = collector.copies.get_or_insert_default();
        let first = std::mem::replace(&mut collector.first, Term::NONE);
        let mut rest = Some(first).filter(|first| *first != Term::NONE);
        let before = std::iter::from_fn(|| {
            let (head, tail) = heap.head_and_tail(rest.take()?)?;
            rest = Some(tail).filter(|tail| tail.tag() == LST);
            Some(head)
        });
        collector.last = Term::NONE;
        for solution in before.chain([term]) {
            let Some(words) = copies.gather(heap, solution, left) else {
                return Err(self.store.unpackable(solution));
            };
            self.store.aside += 8 * words;
            collector.words += words;
        }
        Ok(())
    }

    /// Builds the list of a findall whose goal has no more solutions; `tail` follows the list.
    pub(super) fn gathered(&mut self, tail: Term) -> Result<Term, Fault> {
        let collector = self.collectors.pop().expect("each findall has its own");
        if collector.first != Term::NONE {
            self.store.heap.cells[collector.last.index() + 1] = tail.0;
            debug_assert_eq!(collector.first.tag(), LST);
            return Ok(collector.first);
        }
        let Some(copies) = collector.copies else { return Ok(tail) };
        self.store.aside = self.store.aside.saturating_sub(8 * collector.words);
        self.store.room(collector.words as usize + 2 * copies.count())?;
        let items = copies.unpack(&mut self.store.heap);
        Ok(self.store.heap.list(&items, tail))
    }

    pub(super) fn check_list(&mut self, list: Term) -> Result<(), Fault> {
        let (_, end) = self.store.heap.elements(list);
        if self.store.heap.is_var(end) || end == Term::atom(atoms::NIL) {
            return Ok(());
        }
        let list = self.store.heap.deref(list);
        Err(Fault::type_error(&mut self.store.heap, "list", list))
    }

    pub(super) fn unpack(&mut self, packed: u32) -> Result<Term, Fault> {
        let packed = &self.library.unit.packed[packed as usize];
        Ok(unpack(&mut self.store.heap, packed))
    }

    /// The entry of a small procedure that calls a builtin with several answers.
    fn native(&mut self, id: alphorn_text::signature::BuiltinId, arity: usize) -> Result<u32, Fault> {
        let key: Box<[u64]> = [u64::MAX, u64::from(id.0)].into();
        if let Some(entry) = self.shapes.get(&key) {
            return Ok(*entry);
        }
        let mut skeleton = Skeleton::default();
        let nodes: Vec<_> = (0..arity).map(|_| skeleton.variable()).collect();
        let goal = alphorn_lang::lang::program::Goal::Call { callee: Callee::Native(id), args: nodes, span: NOWHERE };
        let entry = self.compile(&skeleton.tree, &goal)?;
        self.shapes.insert(key, entry);
        Ok(entry)
    }
}

/// Copies a ground term to the end of the heap, `left` words at most. `None` if it contains a variable
/// or is too large; part of it may have been copied then.
fn copy_ground(heap: &mut Heap, term: Term, left: usize) -> Option<Term> {
    let begin = heap.len();
    let moved = |heap: &mut Heap, term: Term| {
        let term = heap.deref(term);
        let at = term.index();
        let words = match term.tag() {
            REF => return None,
            LST => 2,
            STR => 1 + header_small(heap.cells[at]),
            BOX => 1 + raw_words(heap.cells[at]),
            _ => return Some(term),
        };
        let place = heap.len();
        heap.cells.extend_from_within(at..at + words);
        (heap.len() - begin <= left).then(|| Term::tagged(term.tag(), place))
    };
    let whole = moved(heap, term)?;
    let mut at = begin;
    while at < heap.len() {
        let cell = heap.cells[at];
        if cell & TAG == HDR {
            at += 1 + if header_kind(cell) == FUNCTOR { 0 } else { raw_words(cell) };
            continue;
        }
        heap.cells[at] = moved(heap, Term(cell))?.0;
        at += 1;
    }
    Some(whole)
}
