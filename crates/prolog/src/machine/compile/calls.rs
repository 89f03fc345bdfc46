//! Compiles calls of predicates and of terms, and `findall/3`.
//!
//! A last call replaces its procedure if no work remains after the call. Outputs are written before
//! the call. A list whose tail the callee gives is passed on with an open tail (last-call modulo
//! cons).

use crate::machine::compile::called::solid;
use crate::machine::compile::clause::Emitter;
use crate::machine::compile::state::{Alternative, AlternativeStatus, Barrier, KnownValue};
use crate::machine::ir::{
    ARGS, FAIL, From, IntComparison, Mode, NO_MOVES, OWN_PASS, Op, Operand, Slot, SolutionStorage,
};
use crate::machine::skeleton::NOWHERE;
use crate::term::Term;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Goal, PRELUDE, PredId, PredicateKey};
use alphorn_text::signature::BuiltinId;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

/// An output of a call.
struct CallOutput {
    var: u32,
    slot: Slot,
    /// Whether the callee gives a ground term.
    solid: bool,
}

impl Emitter<'_, '_> {
    pub(super) fn findall(&mut self, template: NodeId, goal: &Goal, list: NodeId, tail: Option<NodeId>, span: Span) {
        self.push_alternatives();
        self.span = span;
        let partial = (!self.is_open_list(list)).then(|| self.build(list).0);
        let before = self.state.clone();
        let end = self.label();
        self.site(None, None);
        self.emit(Op::Begin { end, size: 0 });
        if let Some(v) = partial {
            self.site(None, None);
            self.emit(Op::CheckList { v });
        }
        self.activity += 1;
        let own = Alternative { label: end, status: AlternativeStatus::Pushed, condition: false, height: None };
        self.state.alternatives.push(own);
        let barrier = self.scope(goal);
        let outer = std::mem::take(&mut self.holes);
        self.write(goal, barrier, false);
        let mut solid = true;
        if !self.state.dead {
            let (v, is_solid) = self.build(template);
            solid = is_solid;
            let how = match (solid, self.holes) {
                (true, false) => SolutionStorage::Share,
                (true, true) => SolutionStorage::Copy,
                (false, _) => SolutionStorage::Pack,
            };
            self.span = span;
            if !solid {
                self.note("findall/3 copies answers that may hold variables");
            }
            self.emit(Op::Keep { v, how });
            self.emit(Op::Fail);
        }
        self.holes |= outer;
        self.place_label(end);
        self.state = before;
        self.span = span;
        let (tail, rest) = match tail {
            Some(tail) => self.build(tail),
            None => (self.constant(Term::atom(atoms::NIL)), true),
        };
        let free = self.as_free(list);
        let d = match free {
            Some(var) => self.own_slot(var),
            None => self.fresh_slot(),
        };
        self.emit(Op::End { d, tail });
        match free {
            Some(var) => self.assign(var, From::Slot(d), solid && rest),
            None if solid && rest => self.match_solid(list, From::Slot(d), false),
            None => self.match_any(list, From::Slot(d)),
        }
    }

    /// Returns whether a term is a list or a partial list, for all values of its variables.
    fn is_open_list(&self, node: NodeId) -> bool {
        let mut end = node;
        while let Some((_, tail)) = self.tree.binary(end, atoms::DOT) {
            end = tail;
        }
        self.as_free(end).is_some() || self.tree.kind(end) == &TermKind::Atom(atoms::NIL)
    }

    /// Builds all arguments. Free variables become unbound variables.
    fn built(&mut self, args: &[NodeId]) -> Vec<Operand> {
        args.iter().map(|arg| self.build(*arg).0).collect()
    }

    pub(super) fn call_goal_term(&mut self, name: Option<Atom>, args: &[NodeId], last: bool) {
        self.note("the goal is known only when it runs");
        self.holes = true;
        self.push_alternatives();
        let mut parts = self.built(args);
        if let Some(name) = name {
            let d = self.fresh_slot();
            let k = self.word(crate::term::heap::header(
                crate::term::heap::FUNCTOR,
                parts.len() as u64,
                u64::from(name.number()),
            ));
            let args = self.operands(&parts);
            self.emit(Op::Build { d, k, args, count: parts.len() as u16 });
            parts = vec![Operand::of(From::Slot(d))];
        }
        let args = self.operands(&parts);
        let count = parts.len() as u16;
        if last {
            self.write_outputs();
        }
        self.site(None, Some((args, count)));
        self.activity += 1;
        self.emit(match last {
            true => Op::TailMeta { args, count, size: 0 },
            false => Op::Meta { args, count, size: 0 },
        });
    }

    pub(super) fn catch(&mut self, args: &[NodeId], last: bool) {
        let known = self.caught_goal(args[0]);
        if known.is_none() {
            self.note("catch/3 takes its goal as a term");
        }
        self.holes = true;
        self.push_alternatives();
        let (proc, parts) = match known {
            Some((proc, goal_parts)) => {
                let mut parts = vec![self.constant(Term::atom(atoms::TRUE))];
                parts.extend(self.built(&args[1..]));
                parts.extend(self.built(&goal_parts));
                (proc, parts)
            }
            None => (FAIL, self.built(args)),
        };
        let count = parts.len() as u16;
        let args = self.operands(&parts);
        if last {
            self.write_outputs();
        }
        self.site(None, (proc == FAIL).then_some((args, 3)));
        self.activity += 1;
        self.emit(Op::Catch { proc, args, count, size: 0, last });
    }

    /// Returns the procedure for the goal of `catch/3`, and its arguments, if the form of the goal is known. No
    /// argument is an output, because nothing gives its value if the goal throws.
    fn caught_goal(&mut self, goal: NodeId) -> Option<(u32, Vec<NodeId>)> {
        let key = PredicateKey { scope: PRELUDE, name: atoms::FRAME, arity: 1 };
        let pred = *self.program.by_key.get(&key)?;
        let formed = self.formed(pred, &[goal])?;
        let mut modes = self.call_modes(&formed.parts);
        modes.iter_mut().filter(|mode| **mode == Mode::Out).for_each(|mode| *mode = Mode::Any);
        let number = self.library.request_formed(pred, &formed.forms, &modes)?;
        if !self.draft.relies.contains(&number) {
            self.draft.relies.push(number);
        }
        Some((number, formed.parts))
    }

    /// Returns the mode of each argument of a call.
    fn call_modes(&self, args: &[NodeId]) -> Vec<Mode> {
        let mode = |arg: &NodeId| match self.as_free(*arg) {
            Some(var) if args.iter().map(|other| self.occurrences(*other, var)).sum::<usize>() == 1 => Mode::Out,
            Some(_) => Mode::Any,
            None if self.is_solid(*arg) => Mode::Solid,
            None => Mode::Any,
        };
        args.iter().map(mode).collect()
    }

    /// Writes the body of a tabled predicate's procedure. It reads the answers in the table. If there is no table,
    /// the clauses run first, and each of their answers goes to the table.
    fn answers_of_table(&mut self, pred: PredId, args: &[NodeId]) {
        if self.library.needs_itself(pred) {
            self.note("a call may need its own table");
        }
        // For the reader of a message, the step belongs to the call of the predicate.
        self.span = NOWHERE;
        self.push_alternatives();
        let modes = self.modes.clone();
        let clauses = self.library.request_clauses(pred, &modes);
        let proc = &self.library.unit.procs[clauses as usize];
        let solid = proc.solid.clone();
        self.holes |= proc.holes;
        self.draft.relies.push(clauses);
        let gives = |emitter: &Self, at: usize| emitter.as_free(args[at]).filter(|_| solid[at]);
        let mut parts = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            if gives(self, at).is_some() {
                let d = self.fresh_slot();
                self.emit(Op::NewVar { d });
                parts.push(Operand::of(From::Slot(d)));
            } else {
                parts.push(self.build(*arg).0);
            }
        }
        let id = self.library.table(pred);
        self.activity += 1;
        if let Some(state) = self.invoke(id, &parts, &parts, FAIL, true) {
            self.fill_table(pred, (id, clauses), &parts, state);
        }
        for (at, v) in parts.into_iter().enumerate() {
            if let Some(var) = gives(self, at) {
                let d = self.fresh_slot();
                self.emit(Op::Deref { d, v });
                self.assign(var, From::Slot(d), true);
            }
        }
        self.proceed();
    }

    /// If the state says so, calls the clauses of a tabled predicate, and records each answer.
    fn fill_table(&mut self, pred: PredId, (table, proc): (BuiltinId, u32), parts: &[Operand], state: Slot) {
        let (own, answers) = (self.label(), self.label());
        let less = IntComparison::Less;
        self.emit(Op::CompareK { order: less, a: state, k: 0, or: answers, slow: answers });
        self.emit(Op::CompareK { order: less, a: state, k: OWN_PASS as i32, or: own, slow: own });
        let (mut given, mut answer) = (parts.to_vec(), parts.to_vec());
        for (at, mode) in self.modes.clone().iter().enumerate() {
            if *mode == Mode::Out {
                let slot = self.fresh_slot();
                (given[at], answer[at]) = (Operand::of(From::Fresh(slot)), Operand::of(From::Cell(slot)));
            }
        }
        let name = Some(self.program.predicate(pred).key.name);
        let count = parts.len() as u16;
        let args = self.operands(parts);
        self.site(name, Some((args, count)));
        self.emit(Op::Meta { args, count: 0, size: 0 });
        self.emit(Op::Fail);
        self.place_label(own);
        let args = self.operands(&given);
        self.site(name, Some((args, count)));
        self.emit(Op::Call { proc, args, count, size: 0 });
        let args = self.operands(&answer);
        self.site(name, Some((args, count)));
        self.emit(Op::Once { id: BuiltinId(table.0 + 1), count, args, or: FAIL });
        self.emit(Op::Fail);
        self.place_label(answers);
    }

    pub(super) fn call(&mut self, pred: PredId, args: &[NodeId], last: bool) {
        if self.asks_table {
            return self.answers_of_table(pred, args);
        }
        let unproved = self.unproved(pred, args);
        if let [first, ..] = unproved[..]
            && self.tested.insert(first)
        {
            // If the variables are ground when the call runs, its lambda expressions need no copies.
            let condition = solid(unproved, self.span);
            let call = Goal::Call { callee: Callee::User(pred), args: args.to_vec(), span: self.span };
            let barrier = Barrier { keep: self.state.alternatives.len(), height: None, activity: self.activity };
            // Both branches are the same call, whose variables count once.
            let inside = self.mentioned_in(&[&call], last);
            self.conditional((&condition, &call, &call), &inside, barrier, last);
            self.tested.remove(&first);
            return;
        }
        let wanted = self.call_modes(args);
        if self.call_facts(pred, args, &wanted) || self.unfold(pred, args, &wanted, last) {
            if last {
                self.proceed();
            }
            return;
        }
        let (number, args) = self.callee(pred, args, &wanted, last);
        let args = args.as_slice();
        let modes = self.library.unit.procs[number as usize].modes.clone();
        if modes.contains(&Mode::Any) {
            self.note("an argument may hold unbound variables");
        }
        self.push_alternatives();
        let callee = &self.library.unit.procs[number as usize];
        let solid = callee.solid.clone();
        self.holes |= callee.holes;
        let never = self.library.never_succeeds(pred);
        self.hopeless = never;
        let tail = last && self.open_outputs(args, &modes, &solid);
        let (parts, outputs) = self.arguments(args, &modes, &solid);
        let operands = self.operands(&parts);
        let count = parts.len() as u16;
        if tail {
            self.operands(&moves(&parts));
        }
        if tail && !never {
            // Outputs that the callee does not give are written now.
            for output in &outputs {
                self.state.vars[output.var as usize].out = None;
            }
            self.write_outputs();
        }
        self.call_site(pred, (&parts, operands), &outputs);
        let site = self.draft.sites.last_mut().expect("it was just added");
        (site.called, site.last) = (Some(number), last && !tail && self.inside.is_none());
        self.activity += 1;
        self.emit(match tail {
            true => Op::TailCall { proc: number, args: operands, count, size: 0 },
            false => Op::Call { proc: number, args: operands, count, size: 0 },
        });
        self.hopeless = false;
        if never {
            if !tail {
                self.emit(Op::Fail);
            }
            self.state.dead = true;
            return;
        }
        for CallOutput { var, slot, solid } in outputs {
            self.state.vars[var as usize].value = Some(KnownValue { from: From::Cell(slot), solid });
        }
        if last && !tail {
            self.proceed();
        }
    }

    /// Returns the procedure that a call needs, and the arguments of the procedure.
    fn callee(&mut self, pred: PredId, args: &[NodeId], wanted: &[Mode], last: bool) -> (u32, Vec<NodeId>) {
        // A last call whose callee may call this predicate again must remain a last call.
        let own = self.library.unit.procs[self.number as usize].pred;
        let formed = self.formed(pred, args).filter(|found| {
            !last
                || self.can_be_last_call(args, &found.parts)
                || own.is_some_and(|own| !self.library.reaches(pred, own))
        });
        let formed = formed.and_then(|formed| {
            let modes = self.call_modes(&formed.parts);
            let number = self.library.request_formed(pred, &formed.forms, &modes)?;
            Some((number, formed.parts))
        });
        let (number, parts) = formed.unwrap_or_else(|| (self.library.request(pred, wanted), args.to_vec()));
        if !self.draft.relies.contains(&number) {
            self.draft.relies.push(number);
        }
        (number, parts)
    }

    /// Builds the arguments of a call, with a cell for each output.
    fn arguments(&mut self, args: &[NodeId], modes: &[Mode], solid: &[bool]) -> (Vec<Operand>, Vec<CallOutput>) {
        let mut parts = Vec::with_capacity(args.len());
        let mut outputs = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let free = self.as_free(*arg).filter(|_| modes[at] == Mode::Out);
            let Some(var) = free else {
                parts.push(self.build(*arg).0);
                continue;
            };
            let slot = match self.state.vars[var as usize].out {
                Some((out, slot)) => {
                    self.weaken(out, solid[at]);
                    parts.push(Operand::of(From::Slot(slot)));
                    slot
                }
                None => {
                    // A variable's own slot cannot be used, because the call may return several times.
                    let slot = self.fresh_slot();
                    parts.push(Operand::of(From::Fresh(slot)));
                    slot
                }
            };
            outputs.push(CallOutput { var, slot, solid: solid[at] });
        }
        (parts, outputs)
    }

    /// Records the place of a call. In messages, an argument given by an output cell appears as a variable.
    fn call_site(&mut self, pred: PredId, (parts, operands): (&[Operand], u32), outputs: &[CallOutput]) {
        let given = |part: &Operand| outputs.iter().any(|output| *part == Operand::of(From::Slot(output.slot)));
        let shown: Vec<Operand> =
            parts.iter().map(|part| if given(part) { Operand::of(From::Fresh(0)) } else { *part }).collect();
        let shown = if shown == parts { operands } else { self.operands(&shown) };
        let name = self.program.predicate(pred).key.name;
        self.site(Some(name), Some((shown, parts.len() as u16)));
    }

    /// Returns whether a last call may output these parts of its arguments. It may not if a pending
    /// output contains one of them.
    fn can_be_last_call(&self, args: &[NodeId], parts: &[NodeId]) -> bool {
        let inner = parts.iter().filter(|part| !args.contains(part)).filter_map(|part| self.as_free(*part));
        inner.into_iter().all(|var| self.state.pending.iter().all(|due| self.occurrences(due.node, var) == 0))
    }

    /// Prepares the outputs for a last call. An output with a known value is written before the
    /// call. An output that ends in a list tail given by the callee gets that tail as its output
    /// cell. Returns `false` if work remains after the call.
    fn open_outputs(&mut self, args: &[NodeId], modes: &[Mode], solid: &[bool]) -> bool {
        let given = |var: u32| {
            args.iter().zip(modes).position(|(arg, mode)| *mode == Mode::Out && self.as_free(*arg) == Some(var))
        };
        let mut holes = Vec::new();
        for (at, pending) in self.state.pending.iter().enumerate() {
            let free = self.free_vars(pending.node);
            // Variables that are built into another argument have a value by then.
            let late: Vec<u32> = free.iter().copied().filter(|var| given(*var).is_some()).collect();
            match late.as_slice() {
                [] => {}
                [var] => {
                    let var = *var;
                    let elsewhere =
                        |other: usize| other != at && self.occurrences(self.state.pending[other].node, var) > 0;
                    let open = self.state.vars[var as usize].out.is_none()
                        && self.occurrences(pending.node, var) == 1
                        && !(0..self.state.pending.len()).any(elsewhere);
                    match self.spine(pending.node, var) {
                        Some(heads) if open && !heads.is_empty() => holes.push((at, var, heads)),
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
        // Earlier code may run again and needs its slots unchanged.
        let again = self.is_reentrant() || self.activity != self.begun;
        for (at, var, heads) in holes {
            let pending = self.state.pending[at];
            let mut slot = pending.slot;
            if again {
                slot = self.fresh_slot();
                self.emit(Op::Move { d: slot, v: Operand::of(From::Slot(pending.slot)) });
            }
            let mut all_solid = true;
            for head in heads {
                let (head, is_solid) = self.build(head);
                all_solid &= is_solid;
                self.emit(Op::OutCons { s: slot, head });
            }
            self.holes = true;
            self.weaken(pending.arg, all_solid && solid[given_at(args, var, self)]);
            self.state.vars[var as usize].out = Some((pending.arg, slot));
            self.state.pending[at].node = NodeId(u32::MAX);
        }
        self.state.pending.retain(|pending| pending.node != NodeId(u32::MAX));
        true
    }

    fn free_vars(&self, node: NodeId) -> Vec<u32> {
        let mut found = Vec::new();
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if let Some(var) = self.as_free(at) {
                if !found.contains(&var) {
                    found.push(var);
                }
            } else if !self.ground[at.0 as usize] {
                stack.extend(self.tree.args(at));
            }
        }
        found
    }

    /// Returns the elements of a list that ends in the variable `var`.
    fn spine(&self, node: NodeId, var: u32) -> Option<Vec<NodeId>> {
        let mut heads = Vec::new();
        let mut at = node;
        while let Some((head, tail)) = self.tree.binary(at, atoms::DOT) {
            heads.push(head);
            at = tail;
        }
        (self.as_free(at) == Some(var)).then_some(heads)
    }
}

fn given_at(args: &[NodeId], var: u32, emitter: &Emitter<'_, '_>) -> usize {
    args.iter().position(|arg| emitter.as_free(*arg) == Some(var)).unwrap_or(0)
}

/// Returns the order in which the arguments of a last call move to their slots: see
/// [`Op::TailCall`].
pub(super) fn moves(parts: &[Operand]) -> Vec<Operand> {
    let end = ARGS + parts.len() as Slot;
    let slot = |part: &Operand| match part.from() {
        From::Slot(slot) | From::Field(slot, _) | From::Cell(slot) | From::Fresh(slot) => Some(slot),
        From::Const(_) => None,
    };
    // The search for the order takes cubic time.
    if parts.len() > 64 || parts.iter().any(|part| matches!(part.from(), From::Fresh(slot) if slot < end)) {
        return vec![NO_MOVES];
    }
    let all = (ARGS..end).zip(parts).filter(|(target, part)| part.from() != From::Slot(*target));
    let mut left: Vec<(Slot, Operand)> = all.map(|(target, part)| (target, *part)).collect();
    let mut found = vec![Operand(left.len() as u32)];
    while !left.is_empty() {
        let free = |at: &usize| (0..left.len()).all(|other| other == *at || slot(&left[other].1) != Some(left[*at].0));
        let Some(at) = (0..left.len()).find(free) else { return vec![NO_MOVES] };
        let (target, part) = left.remove(at);
        found.extend([Operand(u32::from(target)), part]);
    }
    found
}
