//! The loop that runs operations one by one.
//!
//! Terms, slots and code are reached by raw pointers, which are fetched again after everything that
//! may move their targets. This is sound for three reasons. Slots lie within the frame, because the
//! stack has room for the largest frame above every call. Operands and labels come from the compiler,
//! whose invariants `ir/check.rs` checks. Between two checks of the room in the heap, no more cells
//! are added than the largest procedure can add.
#![allow(unsafe_code)]
// The macros fetch everything again, even if it is not needed.
#![allow(unused_assignments)]

use crate::machine::BuiltinResult;
use crate::machine::engine::drive::RunStop;
use crate::machine::engine::words::{LoopState, SMALL_ZERO, apply, both_ints, is_int, output_cell};
use crate::machine::engine::{CAUGHT, ChoicePoint, Engine, SolutionList};
use crate::machine::fault::Fault;
use crate::machine::ir::{ARGS, MOST_CELLS, NO_MOVES, Op, SolutionStorage, TypeTest};
use crate::machine::store::{TAIL, unbound};
use crate::term::heap::{BIG, FUNCTOR, header_kind, header_small};
use crate::term::quick;
use crate::term::{ATOM, BOX, FWD, INT, LST, REF, STR, TAG, Term};

impl Engine {
    /// Runs operations until an answer or an address with native code.
    pub(super) fn execute(&mut self) -> Result<RunStop, Fault> {
        let mut at = self.fetch();
        // SAFETY: see the head of this file.
        unsafe {
            let mut pc = self.marks.code.add(self.pc as usize);
            macro_rules! here {
                () => {
                    pc.offset_from(self.marks.code) as u32
                };
            }
            macro_rules! go {
                ($to:expr) => {
                    pc = self.marks.code.add($to as usize)
                };
            }
            macro_rules! next {
                () => {
                    pc = pc.add(1)
                };
            }
            macro_rules! value {
                ($operand:expr) => {
                    at.value(&self.marks, $operand)
                };
            }
            macro_rules! save {
                () => {
                    self.store.heap.cells.set_len(at.heap);
                    self.frame = at.frame.offset_from(self.marks.stack) as usize;
                    self.pc = here!();
                };
            }
            macro_rules! load {
                () => {
                    at = self.fetch();
                    go!(self.pc);
                };
            }
            // Calls a method that may move memory or end the run.
            macro_rules! slow {
                ($done:expr) => {{
                    save!();
                    let done = $done?;
                    load!();
                    done
                }};
            }
            macro_rules! test {
                ($holds:expr, $or:expr) => {
                    if $holds {
                        next!();
                    } else {
                        go!($or);
                    }
                };
            }
            // Counts a step, and makes room for its cells.
            macro_rules! step {
                () => {
                    self.store.steps += 1;
                    if self.store.steps >= self.store.next_poll {
                        slow!(self.poll());
                    }
                    if at.heap >= self.marks.collect {
                        slow!(self.collect());
                    }
                };
            }
            macro_rules! above {
                ($size:expr) => {{
                    let mut new = at.frame.offset_from(self.marks.stack) as usize + $size as usize;
                    if new < self.marks.top {
                        new = self.marks.top;
                    }
                    if new > self.marks.words {
                        slow!(self.grow(new));
                    }
                    new
                }};
            }
            macro_rules! push_choice {
                ($alt:expr, $size:expr) => {
                    let frame = at.frame.offset_from(self.marks.stack) as usize;
                    let top = self.marks.top.max(frame + $size as usize);
                    self.marks.top = top;
                    self.choices.push(ChoicePoint {
                        alt: $alt,
                        collectors: self.collectors.len() as u32,
                        frame,
                        top,
                        heap: at.heap,
                        trail: self.store.trail.len(),
                    });
                    self.store.mark = at.heap;
                };
            }
            // A write to an output cell older than the last choice point is undone with that choice
            // point: the term may not outlive the heap.
            macro_rules! write {
                ($destination:expr, $value:expr) => {{
                    let destination = $destination;
                    let cell = output_cell(destination);
                    *at.cells.add(cell) = $value;
                    if cell < self.store.mark {
                        self.store.trail.push(cell | if destination & TAG == FWD { TAIL } else { 0 });
                    }
                }};
            }
            macro_rules! cut_to {
                ($height:expr) => {
                    let height = $height as usize;
                    if height < self.choices.len() {
                        self.choices.truncate(height);
                        let last = self.choices.last();
                        self.marks.top = last.map_or(0, |choice| choice.top);
                        self.store.mark = last.map_or(0, |choice| choice.heap);
                    }
                };
            }
            // Continues in native code, if there is any here.
            macro_rules! resume {
                () => {
                    if self.native.as_ref().is_some_and(|native| native.has(here!())) {
                        save!();
                        return Ok(RunStop::Loop);
                    }
                };
            }
            // Enters an address, and compiles what is entered often.
            macro_rules! enter {
                ($place:expr) => {
                    go!($place);
                    if let Some(native) = &mut self.native {
                        if native.has(here!()) {
                            save!();
                            return Ok(RunStop::Loop);
                        }
                        if native.is_hot(here!()) {
                            save!();
                            self.heat_up(self.pc);
                            return Ok(RunStop::Loop);
                        }
                    }
                };
            }
            loop {
                *self.marks.ran.add(here!() as usize) = true;
                match *pc {
                    Op::Fail | Op::Caught => {
                        let Some(choice) = self.choices.pop() else { return Ok(RunStop::Over(false)) };
                        if self.store.trail.len() > choice.trail {
                            while self.store.trail.len() > choice.trail {
                                let place = self.store.trail.pop().unwrap_or(0);
                                *at.cells.add(place & !TAIL) = unbound(place);
                            }
                        }
                        at.heap = choice.heap.max(self.marks.floor);
                        at.frame = self.marks.stack.add(choice.frame);
                        let last = self.choices.last();
                        self.marks.top = last.map_or(0, |choice| choice.top);
                        self.store.mark = last.map_or(0, |choice| choice.heap);
                        enter!(choice.alt);
                    }
                    Op::Exhausted => {
                        save!();
                        return Ok(RunStop::Over(false));
                    }
                    Op::Answer => {
                        save!();
                        return Ok(RunStop::Over(true));
                    }
                    Op::Proceed => {
                        if at.heap >= self.marks.collect {
                            slow!(self.collect());
                        }
                        self.store.returns -= 1;
                        if self.store.returns == 0 {
                            slow!(self.store.round());
                        }
                        let place = *at.frame as u32;
                        at.frame = self.marks.stack.add(*at.frame.add(1) as usize);
                        enter!(place);
                    }
                    // A procedure with a loop of its own is compiled after fewer calls.
                    Op::Jump { to } if to < here!() => {
                        enter!(to);
                    }
                    Op::Jump { to } => go!(to),
                    Op::Call { proc, args, count, size } => {
                        step!();
                        let new = above!(size);
                        let frame = self.marks.stack.add(new);
                        let from = self.marks.operands.add(args as usize);
                        for number in 0..count as usize {
                            *frame.add(ARGS as usize + number) = value!(*from.add(number));
                        }
                        *frame = u64::from(here!() + 1);
                        *frame.add(1) = at.frame.offset_from(self.marks.stack) as u64;
                        at.frame = frame;
                        enter!(proc);
                    }
                    Op::TailCall { proc, args, count, size } => {
                        step!();
                        let from = self.marks.operands.add(args as usize);
                        let own = at.frame.offset_from(self.marks.stack) as usize;
                        let moves = from.add(count as usize);
                        if own >= self.marks.top && own < self.marks.words && *moves != NO_MOVES {
                            // The arguments are written directly to their slots.
                            for number in 0..(*moves).0 as usize {
                                let value = value!(*moves.add(2 + 2 * number));
                                *at.frame.add((*moves.add(1 + 2 * number)).0 as usize) = value;
                            }
                        } else {
                            let new = above!(size);
                            let from = self.marks.operands.add(args as usize);
                            let frame = self.marks.stack.add(new);
                            for number in 0..count as usize {
                                *frame.add(ARGS as usize + number) = value!(*from.add(number));
                            }
                            if (at.frame.offset_from(self.marks.stack) as usize) < self.marks.top {
                                *frame = *at.frame;
                                *frame.add(1) = *at.frame.add(1);
                                at.frame = frame;
                            } else {
                                for number in ARGS as usize..ARGS as usize + count as usize {
                                    *at.frame.add(number) = *frame.add(number);
                                }
                            }
                        }
                        enter!(proc);
                    }
                    Op::Meta { args, count, size } => {
                        step!();
                        let new = above!(size);
                        self.gather(&mut at, args, count);
                        slow!(self.meta(new, here!() + 1, None));
                        resume!();
                    }
                    Op::TailMeta { args, count, size } => {
                        step!();
                        let new = above!(size);
                        self.gather(&mut at, args, count);
                        let (ret, caller) = (*at.frame as u32, *at.frame.add(1) as usize);
                        slow!(self.meta(new, ret, Some(caller)));
                        resume!();
                    }
                    Op::Unknown { name, arity } => {
                        save!();
                        return Err(Fault::unknown_procedure(&mut self.store.heap, name, usize::from(arity)));
                    }
                    Op::Push { alt, size } => {
                        push_choice!(alt, size);
                        next!();
                    }
                    Op::Height { d } => {
                        at.set(d, ((self.choices.len() as u64) << 3) | INT);
                        next!();
                    }
                    Op::CutTo { s } => {
                        cut_to!(at.slot(s) >> 3);
                        next!();
                    }
                    Op::SoftCut { s } => {
                        let height = (at.slot(s) >> 3) as usize;
                        if height + 1 == self.choices.len() {
                            cut_to!(height);
                        } else {
                            self.choices[height].alt = 0;
                        }
                        next!();
                        resume!();
                    }
                    Op::Catch { proc, args, count, size, last } => {
                        step!();
                        let new = above!(size);
                        self.gather(&mut at, args, count);
                        let own = at.frame.offset_from(self.marks.stack) as usize;
                        let (ret, caller) = match last {
                            true => (*at.frame as u32, *at.frame.add(1) as usize),
                            false => (here!() + 1, own),
                        };
                        slow!(self.catch(proc, new, ret, caller));
                        resume!();
                    }
                    Op::ExitCatch => {
                        // The choice point of the catch goes if it is the last.
                        let frame = at.frame.offset_from(self.marks.stack) as usize;
                        if self.choices.last().is_some_and(|choice| choice.alt == CAUGHT && choice.frame == frame) {
                            cut_to!(self.choices.len() - 1);
                        }
                        next!();
                        resume!();
                    }
                    Op::Begin { end, size } => {
                        step!();
                        push_choice!(end, size);
                        self.collectors.push(SolutionList {
                            first: Term::NONE,
                            last: Term::NONE,
                            copies: None,
                            words: 0,
                            floor: self.marks.floor,
                            begin: at.heap,
                        });
                        next!();
                    }
                    Op::Keep { v, how } => {
                        step!();
                        let value = value!(v);
                        let kept = match how {
                            SolutionStorage::Share => Some(value),
                            SolutionStorage::Copy => Some(slow!(self.copy_new(Term(value))).0),
                            SolutionStorage::Pack => {
                                slow!(Ok::<_, Fault>(self.copy_ground(Term(value)))).map(|copied| copied.0)
                            }
                        };
                        if let Some(value) = kept {
                            let cell = ((at.heap as u64) << 3) | LST;
                            at.push(value);
                            at.push(SMALL_ZERO);
                            self.marks.floor = at.heap;
                            let collector = self.collectors.last_mut().expect("a findall is under way");
                            match collector.last {
                                Term::NONE => collector.first = Term(cell),
                                last => *at.cells.add(last.index() + 1) = cell,
                            }
                            collector.last = Term(cell);
                            collector.floor = self.marks.floor;
                        } else {
                            slow!(self.pack_solution(Term(value)));
                        }
                        next!();
                        resume!();
                    }
                    Op::End { d, tail } => {
                        let tail = value!(tail);
                        let list = slow!(self.gathered(Term(tail)));
                        at.set(d, list.0);
                        next!();
                    }
                    Op::CheckList { v } => {
                        let value = value!(v);
                        slow!(self.check_list(Term(value)));
                        next!();
                        resume!();
                    }
                    Op::IsConst { s, k, or } => {
                        test!(at.slot(s) == *self.marks.consts.add(k as usize), or);
                    }
                    Op::FieldIs { s, at: field, k, or } => {
                        let cell = at.cell((at.slot(s) >> 3) as usize + field as usize);
                        test!(cell == *self.marks.consts.add(k as usize), or);
                    }
                    Op::IsList { s, or } => {
                        test!(at.slot(s) & TAG == LST, or);
                    }
                    Op::IsStruct { s, k, or } => {
                        let value = at.slot(s);
                        let fits =
                            value & TAG == STR && at.cell((value >> 3) as usize) == *self.marks.consts.add(k as usize);
                        test!(fits, or);
                    }
                    Op::Rest { d, s, or } => {
                        let value = at.slot(s);
                        if value & TAG == LST {
                            at.set(d, at.cell((value >> 3) as usize + 1));
                            next!();
                        } else {
                            go!(or);
                        }
                    }
                    Op::Same { a, b, ordered, or } => {
                        let (a, b) = (value!(a), value!(b));
                        let same = match quick::same(at.cells, a, b) {
                            Some(same) => same,
                            None => slow!(self.same(Term(a), Term(b), ordered)),
                        };
                        test!(same, or);
                    }
                    Op::Differ { a, b, ordered, or } => {
                        let (a, b) = (value!(a), value!(b));
                        let same = match quick::same(at.cells, a, b) {
                            Some(same) => same,
                            None => slow!(self.same(Term(a), Term(b), ordered)),
                        };
                        test!(!same, or);
                    }
                    Op::Is { what, s, or } => {
                        let value = at.slot(s);
                        let tag = value & TAG;
                        let kind =
                            |kinds: &[u64]| tag == BOX && kinds.contains(&header_kind(at.cell((value >> 3) as usize)));
                        let holds = match what {
                            TypeTest::Var => tag == REF,
                            TypeTest::Nonvar => tag != REF,
                            TypeTest::Atom => tag == ATOM,
                            TypeTest::Integer => tag == INT || kind(&[BIG]),
                            TypeTest::Number => tag == INT || kind(&[BIG, crate::term::heap::FLOAT]),
                            TypeTest::Atomic => !matches!(tag, REF | LST | STR),
                            TypeTest::Compound => matches!(tag, LST | STR),
                            TypeTest::Callable => matches!(tag, ATOM | LST | STR),
                        };
                        test!(holds, or);
                    }
                    Op::IsSolid { s, or } => test!(quick::is_solid(at.cells, at.slot(s)), or),
                    Op::Switch { s, table } => {
                        let table = &*self.library.unit.tables.as_ptr().add(table as usize);
                        let value = at.slot(s);
                        let to = match value & TAG {
                            ATOM | INT => table.find(value),
                            LST => table.list,
                            STR => table.find(at.cell((value >> 3) as usize)),
                            REF => table.unbound,
                            _ => table.rest,
                        };
                        go!(to);
                    }
                    Op::Move { d, v } => {
                        let value = value!(v);
                        at.set(d, value);
                        next!();
                    }
                    Op::Load { d, s, at: field } => {
                        at.set(d, at.cell((at.slot(s) >> 3) as usize + field as usize));
                        next!();
                    }
                    Op::Deref { d, v } => {
                        let value = value!(v);
                        at.set(d, at.deref(value));
                        next!();
                    }
                    Op::NewVar { d } => {
                        let fresh = ((at.heap as u64) << 3) | REF;
                        at.push(fresh);
                        at.set(d, fresh);
                        next!();
                    }
                    Op::Unpack { d, packed } => {
                        let term = slow!(self.unpack(packed));
                        at.set(d, term.0);
                        next!();
                        resume!();
                    }
                    Op::Cons { d, head, tail } => {
                        let head = value!(head);
                        let tail = value!(tail);
                        let cell = ((at.heap as u64) << 3) | LST;
                        at.push(head);
                        at.push(tail);
                        at.set(d, cell);
                        next!();
                    }
                    Op::Build { d, k, args, count } => {
                        let whole = ((at.heap as u64) << 3) | STR;
                        at.push(*self.marks.consts.add(k as usize));
                        let from = self.marks.operands.add(args as usize);
                        for number in 0..count as usize {
                            let value = value!(*from.add(number));
                            at.push(value);
                        }
                        at.set(d, whole);
                        next!();
                    }
                    Op::Out { s, v } => {
                        let value = value!(v);
                        write!(at.slot(s), value);
                        next!();
                    }
                    Op::OutVar { d, s } => {
                        let destination = at.slot(s);
                        let mut variable = destination;
                        if destination & TAG == FWD {
                            variable = ((at.heap as u64) << 3) | REF;
                            at.push(variable);
                        }
                        write!(destination, variable);
                        at.set(d, variable);
                        next!();
                    }
                    Op::OutCons { s, head } => {
                        let head = value!(head);
                        let cell = at.heap as u64;
                        at.push(head);
                        at.push(SMALL_ZERO);
                        write!(at.slot(s), (cell << 3) | LST);
                        at.set(s, (cell << 3) | FWD);
                        next!();
                    }
                    Op::Add { d, a, b, slow } => {
                        let (a, b) = (at.slot(a), at.slot(b));
                        match (a as i64).checked_add((b & !TAG) as i64) {
                            Some(sum) if both_ints(a, b) => {
                                at.set(d, sum as u64);
                                next!();
                            }
                            _ => go!(slow),
                        }
                    }
                    Op::AddK { d, a, k, slow } => {
                        let a = at.slot(a);
                        match (a as i64).checked_add(i64::from(k) << 3) {
                            Some(sum) if is_int(a) => {
                                at.set(d, sum as u64);
                                next!();
                            }
                            _ => go!(slow),
                        }
                    }
                    Op::Sub { d, a, b, slow } => {
                        let (a, b) = (at.slot(a), at.slot(b));
                        match (a as i64).checked_sub((b & !TAG) as i64) {
                            Some(rest) if both_ints(a, b) => {
                                at.set(d, rest as u64);
                                next!();
                            }
                            _ => go!(slow),
                        }
                    }
                    Op::Arith { f, d, a, b, slow } => {
                        let (a, b) = (at.slot(a), at.slot(b));
                        match apply(f, (a as i64) >> 3, (b as i64) >> 3) {
                            Some(value) if both_ints(a, b) => {
                                at.set(d, value);
                                next!();
                            }
                            _ => go!(slow),
                        }
                    }
                    Op::Compare { order, a, b, or, slow } => {
                        let (a, b) = (at.slot(a), at.slot(b));
                        if both_ints(a, b) {
                            test!(order.holds(a as i64, b as i64), or);
                        } else {
                            go!(slow);
                        }
                    }
                    Op::CompareK { order, a, k, or, slow } => {
                        let a = at.slot(a);
                        if is_int(a) {
                            test!(order.holds((a as i64) >> 3, i64::from(k)), or);
                        } else {
                            go!(slow);
                        }
                    }
                    Op::Once { id, count, args, or } => {
                        self.gather(&mut at, args, count);
                        let done = slow!(self.once(id));
                        test!(done, or);
                        resume!();
                    }
                    Op::Many { id, count, args, state, size } => {
                        self.gather(&mut at, args, count);
                        at.set(state, SMALL_ZERO);
                        push_choice!(here!() + 1, size);
                        match slow!(self.many(id, None)) {
                            BuiltinResult::No => {
                                cut_to!(self.choices.len() - 1);
                                go!(0);
                            }
                            BuiltinResult::BoolResult => {
                                cut_to!(self.choices.len() - 1);
                                pc = pc.add(2);
                            }
                            BuiltinResult::Again(next) => {
                                at.set(state, next.0);
                                pc = pc.add(2);
                            }
                            BuiltinResult::Later(next) => {
                                at.set(state, next.0);
                                go!(0);
                            }
                        }
                        resume!();
                    }
                    Op::Again { id, count, args, state, size } => {
                        step!();
                        self.gather(&mut at, args, count);
                        let passed = Term(at.slot(state));
                        push_choice!(here!(), size);
                        match slow!(self.many(id, Some(passed))) {
                            BuiltinResult::No => {
                                cut_to!(self.choices.len() - 1);
                                go!(0);
                            }
                            BuiltinResult::BoolResult => {
                                cut_to!(self.choices.len() - 1);
                                at.set(state, SMALL_ZERO);
                                next!();
                            }
                            BuiltinResult::Again(next) => {
                                at.set(state, next.0);
                                next!();
                            }
                            BuiltinResult::Later(next) => {
                                at.set(state, next.0);
                                go!(0);
                            }
                        }
                        resume!();
                    }
                    Op::Count { d, high, size, slow } => {
                        let (low, high) = (at.slot(d), at.slot(high));
                        if !both_ints(low, high) {
                            go!(slow);
                        } else if (low as i64) < (high as i64) {
                            push_choice!(here!() + 1, size);
                            pc = pc.add(2);
                        } else {
                            if low == high {
                                pc = pc.add(2);
                            } else {
                                go!(0);
                            }
                        }
                    }
                    Op::Step { count } => {
                        self.store.steps += u64::from(count) - 1;
                        step!();
                        next!();
                    }
                    Op::Eval { formula, .. } | Op::EvalCompare { formula, .. } => {
                        let from = &*self.library.unit.formulas.as_ptr().add(formula as usize);
                        self.gather(&mut at, from.args, from.count);
                        let args = std::mem::take(&mut self.args);
                        let found = slow!(Ok::<_, Fault>(self.formula_value(formula, &args)));
                        self.args = args;
                        match (*pc, found) {
                            (Op::Eval { d, .. }, Some(value)) => {
                                at.set(d, value);
                                next!();
                            }
                            (Op::EvalCompare { or, .. }, Some(holds)) => test!(holds == 1, or),
                            (Op::Eval { slow, .. } | Op::EvalCompare { slow, .. }, _) => go!(slow),
                            _ => unreachable!("the operation is one of the two"),
                        }
                    }
                    Op::Find { row, key, table, or } => {
                        let table = &*self.library.unit.tables.as_ptr().add(table as usize);
                        let key = value!(key);
                        let found = if matches!(key & TAG, ATOM | INT) { table.find(key) } else { u32::MAX };
                        at.set(row, (u64::from(found) << 3) | INT);
                        test!(found != u32::MAX, or);
                    }
                    Op::Column { d, row, start, arity } => {
                        let row = (at.slot(row) >> 3) as usize;
                        at.set(d, *self.marks.consts.add(start as usize + row * arity as usize));
                        next!();
                    }
                    Op::CountOn { d, high, size, free } => {
                        if !free {
                            step!();
                        }
                        let next = at.slot(d).wrapping_add(8);
                        at.set(d, next);
                        if (next as i64) < (at.slot(high) as i64) {
                            push_choice!(here!(), size);
                        }
                        next!();
                    }
                    Op::Arg { d, i, t, or, slow } => {
                        let (i, t) = (at.slot(i), at.slot(t));
                        let cell = (t >> 3) as usize;
                        let count = match t & TAG {
                            STR => header_small(at.cell(cell)) as u64,
                            LST => 2,
                            _ => 0,
                        };
                        let first = usize::from(t & TAG == STR);
                        if count == 0 || !is_int(i) || (i as i64) < 0 {
                            go!(slow);
                        } else if (i >> 3).wrapping_sub(1) < count {
                            at.set(d, at.cell(cell + first + (i >> 3) as usize - 1));
                            next!();
                        } else {
                            go!(or);
                        }
                    }
                    Op::ArgK { d, i, t, or, slow } => {
                        let t = at.slot(t);
                        let cell = (t >> 3) as usize;
                        let count = match t & TAG {
                            STR => header_small(at.cell(cell)),
                            LST => 2,
                            _ => 0,
                        };
                        let first = usize::from(t & TAG == STR);
                        if count == 0 {
                            go!(slow);
                        } else if usize::from(i) <= count {
                            at.set(d, at.cell(cell + first + usize::from(i) - 1));
                            next!();
                        } else {
                            go!(or);
                        }
                    }
                    Op::Order { d, a, b, slow } => match quick::order_name(at.cells, value!(a), value!(b)) {
                        Some(name) => {
                            at.set(d, name.0);
                            next!();
                        }
                        None => go!(slow),
                    },
                    Op::Arity { d, t, slow } => {
                        let t = at.slot(t);
                        let count = match t & TAG {
                            STR => header_small(at.cell((t >> 3) as usize)) as u64,
                            LST => 2,
                            _ => 0,
                        };
                        if count == 0 {
                            go!(slow);
                        } else {
                            at.set(d, (count << 3) | INT);
                            next!();
                        }
                    }
                    Op::PutArg { d, args, or, slow } => {
                        let from = self.marks.operands.add(args as usize);
                        let (i, t, v) = (value!(*from), value!(*from.add(1)), value!(*from.add(2)));
                        let cell = (t >> 3) as usize;
                        let count = if t & TAG == STR { header_small(at.cell(cell)) } else { 0 };
                        if count == 0 || count > MOST_CELLS || !is_int(i) {
                            go!(slow);
                        } else if (i >> 3).wrapping_sub(1) >= count as u64 {
                            go!(or);
                        } else {
                            std::ptr::copy_nonoverlapping(at.cells.add(cell), at.cells.add(at.heap), count + 1);
                            *at.cells.add(at.heap + (i >> 3) as usize) = v;
                            at.set(d, ((at.heap as u64) << 3) | STR);
                            at.heap += count + 1;
                            next!();
                        }
                    }
                    Op::Unify { s, template } => {
                        let done = slow!(self.unify_template(s, template));
                        test!(done, 0);
                        resume!();
                    }
                    Op::UnifyAny { a, b } => {
                        let (a, b) = (value!(a), value!(b));
                        let (a, b) = (at.deref(a), at.deref(b));
                        let free = |term: u64| term & TAG == REF;
                        if a == b {
                            next!();
                        } else if free(a) != free(b) {
                            let (variable, value) = if free(a) { (a, b) } else { (b, a) };
                            let variable = (variable >> 3) as usize;
                            *at.cells.add(variable) = value;
                            if variable < self.store.mark {
                                self.store.trail.push(variable);
                            }
                            next!();
                        } else if !free(a) && (a & TAG != b & TAG || matches!(a & TAG, ATOM | INT)) {
                            go!(0);
                        } else {
                            let done = slow!(self.store.unify(Term(a), Term(b)));
                            test!(done, 0);
                        }
                    }
                }
            }
        }
    }

    /// Copies operands to the arguments of a builtin.
    #[inline(always)]
    unsafe fn gather(&mut self, at: &mut LoopState, args: u32, count: u16) {
        self.args.clear();
        for number in 0..usize::from(count) {
            // SAFETY: the compiler wrote this many operands at `args`.
            let value = unsafe { at.value(&self.marks, *self.marks.operands.add(args as usize + number)) };
            self.args.push(Term(value));
        }
    }
}

const _: () = assert!(FUNCTOR == 0 && size_of::<Op>() <= 16);
