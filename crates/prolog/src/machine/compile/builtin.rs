//! Compiles calls of builtins: those with operations of their own, and all others.
//!
//! The fast path of an operation handles small integers and ground terms. In all other cases the
//! code calls the builtin itself, so answers and errors are identical.

use crate::machine::BuiltinCode;
use crate::machine::compile::clause::{Emitter, SlowPath};
use crate::machine::compile::state::{KnownValue, Var};
use crate::machine::compile::unfold::ClauseContext;
use crate::machine::ir::{FAIL, From, IntComparison, Label, Op, Operand, Slot, TypeTest};
use crate::term::{MAX_SMALL, Term};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_text::signature::{BuiltinId, BuiltinKind};
use alphorn_text::symbol::{Atom, atoms};

impl Emitter<'_, '_> {
    pub(super) fn builtin(&mut self, id: BuiltinId, args: &[NodeId]) {
        match self.library.inline[usize::from(id.0)].how {
            BuiltinKind::Unify => self.unify(args[0], args[1]),
            BuiltinKind::Same | BuiltinKind::NotSame | BuiltinKind::NotUnifiable => self.compare_terms(id, args),
            BuiltinKind::Is => self.is(id, args),
            BuiltinKind::Compare(order) => self.compare(id, args, order),
            BuiltinKind::Type(what) => self.type_test(id, args, what),
            BuiltinKind::Arg => self.arg(id, args),
            BuiltinKind::Between => self.between(id, args),
            BuiltinKind::PutArg => self.put_arg(id, args),
            BuiltinKind::Order => self.order(id, args),
            BuiltinKind::Ordered(wanted) => self.ordered(id, args, wanted),
            BuiltinKind::Ground if self.is_solid(args[0]) => {}
            BuiltinKind::Ground if !self.all_known(args[0]) => self.fail(),
            BuiltinKind::Ground | BuiltinKind::Univ | BuiltinKind::Plain => self.call_builtin(id, args),
        }
    }

    fn type_test(&mut self, id: BuiltinId, args: &[NodeId], what: TypeTest) {
        let TermKind::Var(var) = *self.tree.kind(args[0]) else {
            return match (what, self.tree.kind(args[0])) {
                (TypeTest::Nonvar, _) | (TypeTest::Compound | TypeTest::Callable, TermKind::Compound(..)) => {}
                (TypeTest::Var, _)
                | (TypeTest::Atom | TypeTest::Integer | TypeTest::Number | TypeTest::Atomic, TermKind::Compound(..)) => {
                    self.fail();
                }
                _ => self.call_builtin(id, args),
            };
        };
        match (self.state.vars[var as usize].value, what) {
            (None, TypeTest::Var) => {}
            (None, _) | (Some(KnownValue { solid: true, .. }), TypeTest::Var) => self.fail(),
            (Some(KnownValue { solid: true, .. }), TypeTest::Nonvar) => {}
            (Some(value), _) => {
                let s = self.bound_slot(value);
                let or = self.failure_label();
                self.emit(Op::Is { what, s, or });
            }
        }
    }

    /// Moves a value into a slot and follows bound variables.
    pub(super) fn bound_slot(&mut self, value: KnownValue) -> Slot {
        if value.solid {
            return self.slot_of(value.from);
        }
        let d = self.fresh_slot();
        self.emit(Op::Deref { d, v: Operand::of(value.from) });
        d
    }

    /// Returns the slot of a variable's value or of a small integer.
    fn index(&mut self, node: NodeId) -> Option<Slot> {
        match *self.tree.kind(node) {
            TermKind::Var(var) => {
                let value = self.state.vars[var as usize].value?;
                Some(self.bound_slot(value))
            }
            TermKind::Int(_) => {
                let k = self.immediate(node)?;
                Some(self.word_in_slot(Term(k)))
            }
            _ => None,
        }
    }

    fn word_in_slot(&mut self, word: Term) -> Slot {
        let d = self.fresh_slot();
        let v = self.constant(word);
        self.emit(Op::Move { d, v });
        d
    }

    /// Registers the slow path of an operation, a call of the builtin. `result` is the argument that the
    /// builtin finds, and the slot of its value. Returns the label of the slow path and the label behind.
    pub(super) fn add_slow_path(
        &mut self,
        id: BuiltinId,
        args: &[NodeId],
        result: Option<(usize, Slot)>,
    ) -> (Label, Label) {
        let (label, back) = (self.label(), self.label());
        let mut vars = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            if result.is_none_or(|(other, _)| other != at) || self.as_free(*arg).is_none() {
                let mut stack = vec![*arg];
                while let Some(node) = stack.pop() {
                    match self.tree.kind(node) {
                        TermKind::Var(var) => vars.push((*var, self.state.vars[*var as usize])),
                        _ if self.ground[node.0 as usize] => {}
                        _ => stack.extend(self.tree.args(node)),
                    }
                }
            }
        }
        let (args, or, span) = (args.to_vec(), self.failure_label(), self.span);
        let (tree, ground, inside) = (self.tree, self.ground.clone(), self.inside);
        self.later.push(SlowPath {
            tree,
            ground,
            inside,
            label,
            back,
            id,
            args,
            result,
            or,
            span,
            vars,
            many: false,
            formula: None,
        });
        (label, back)
    }

    /// Writes the registered slow paths.
    pub(super) fn write_slow_paths(&mut self) {
        let mut at = 0;
        while at < self.later.len() {
            let SlowPath { tree, ground, inside, label, back, id, args, result, or, span, vars, many, formula } =
                self.later[at].take();
            at += 1;
            let variables = tree.variables.len();
            let (counts, own) = (vec![2; variables], vec![None; variables]);
            self.enter(ClauseContext { tree, ground, counts, vars: vec![Var::default(); variables], own, inside });
            self.place_label(label);
            if let Some(formula) = formula {
                let slow = self.label();
                self.emit(match result {
                    Some((_, d)) => Op::Eval { d, formula, slow },
                    None => Op::EvalCompare { formula, or, slow },
                });
                self.emit(Op::Jump { to: back });
                self.place_label(slow);
            }
            self.span = span;
            for (var, known) in &vars {
                // The slow path gives no output of the clause.
                self.state.vars[*var as usize] = Var { out: None, ..*known };
            }
            let mut parts = Vec::with_capacity(args.len());
            let mut shown = Vec::with_capacity(args.len());
            for (at, arg) in args.iter().enumerate() {
                if result.is_some_and(|(other, _)| other == at) {
                    let d = self.fresh_slot();
                    self.emit(Op::NewVar { d });
                    parts.push(Operand::of(From::Slot(d)));
                    let given = vars.iter().any(|(var, _)| self.occurrences(*arg, *var) > 0);
                    let given = given || self.ground[arg.0 as usize];
                    shown.push(if given { self.build(*arg).0 } else { parts[at] });
                } else {
                    parts.push(self.build(*arg).0);
                    shown.push(parts[at]);
                }
            }
            self.invoke(id, &parts, &shown, or, many);
            if let Some((at, d)) = result {
                self.emit(Op::Deref { d, v: parts[at] });
            }
            self.emit(Op::Jump { to: back });
        }
        self.later.clear();
        self.inside = None;
    }

    /// Writes the operation of a builtin. Returns the slot of its state if it may succeed again.
    pub(super) fn invoke(
        &mut self,
        id: BuiltinId,
        parts: &[Operand],
        shown: &[Operand],
        or: Label,
        many: bool,
    ) -> Option<Slot> {
        let args = self.operands(parts);
        let count = parts.len() as u16;
        let goal = Some((if shown == parts { args } else { self.operands(shown) }, count));
        let name = Some(match self.library.unit.tabled(&self.program.known, id) {
            Some(pred) => self.program.predicate(pred).key.name,
            None => Atom::new(self.program.known.row(id).name),
        });
        self.site(name, goal);
        if many {
            let state = self.fresh_slot();
            self.emit(Op::Many { id, count, args, state, size: 0 });
            self.site(name, goal);
            self.emit(Op::Again { id, count, args, state, size: 0 });
            return Some(state);
        }
        self.emit(Op::Once { id, count, args, or });
        None
    }

    /// Compiles a plain call of a builtin, for any arguments.
    pub(super) fn call_builtin(&mut self, id: BuiltinId, args: &[NodeId]) {
        let known = self.library.inline[usize::from(id.0)];
        let solid: Vec<bool> = args.iter().map(|arg| self.is_solid(*arg)).collect();
        let free: Vec<Option<u32>> = args.iter().map(|arg| self.as_free(*arg)).collect();
        let many = matches!(self.library.runs[usize::from(id.0)], BuiltinCode::Many(_))
            && !known.once.into_iter().flatten().any(|ground| ground.iter().all(|at| solid[*at]));
        // A variable that occurs once is new, so no older term can see its binding.
        let alone = |at: usize| {
            free[at].is_some_and(|var| args.iter().map(|arg| self.occurrences(*arg, var)).sum::<usize>() == 1)
        };
        let mut fresh: Vec<bool> = (0..args.len()).map(alone).collect();
        // The list of a ground term's parts is matched after the call.
        if known.how == BuiltinKind::Univ && solid[0] && !solid[1] {
            fresh[1] |= self.tree.binary(args[1], atoms::DOT).is_some() && self.only_free_or_solid(args[1]);
        }

        if many || !(known.tests || (0..args.len()).all(|at| solid[at] || fresh[at])) {
            self.push_alternatives();
        }
        if !known.tests && (0..args.len()).any(|at| !solid[at] && free[at].is_none()) {
            self.note("a builtin is given unbound variables");
        }
        let may_give = |at: &usize| fresh[*at] && known.solid.contains(at);
        let all = (0..args.len()).all(|at| solid[at] || may_give(&at));
        // Some results are ground even if the other arguments are not.
        let gives = |at: &usize| all && may_give(at) || fresh[*at] && known.answers.contains(at);
        let mut parts = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            if gives(&at) {
                let d = self.fresh_slot();
                self.emit(Op::NewVar { d });
                parts.push(Operand::of(From::Slot(d)));
            } else {
                parts.push(self.build(*arg).0);
            }
        }
        self.activity += u32::from(many);
        let or = self.failure_label();
        self.invoke(id, &parts, &parts, or, many);
        for at in (0..args.len()).filter(gives) {
            let d = self.fresh_slot();
            self.emit(Op::Deref { d, v: parts[at] });
            match free[at] {
                Some(var) => self.assign(var, From::Slot(d), true),
                None => self.match_solid(args[at], From::Slot(d), false),
            }
        }
    }

    /// Matches an argument with the result in a slot.
    fn match_result(&mut self, node: NodeId, d: Slot) {
        self.match_solid(node, From::Slot(d), false);
    }

    /// Returns the variable if a term is a variable with a ground value.
    fn solid_var(&self, node: NodeId) -> Option<u32> {
        match *self.tree.kind(node) {
            TermKind::Var(var) => self.state.vars[var as usize].value.filter(|value| value.solid).map(|_| var),
            _ => None,
        }
    }

    fn arg(&mut self, id: BuiltinId, args: &[NodeId]) {
        let Some(whole) = self.solid_var(args[1]) else { return self.call_builtin(id, args) };
        if self.as_free(args[0]).is_some() {
            return self.each_arg(id, args, whole);
        }
        // Matching the result may need general unification.
        if !self.is_solid(args[2]) && !self.only_free_or_solid(args[2]) {
            return self.call_builtin(id, args);
        }
        let t = self.in_slot(whole);
        let or = self.failure_label();
        let number = match self.tree.kind(args[0]) {
            TermKind::Int(number) => u16::try_from(*number).ok().filter(|number| *number > 0),
            _ => None,
        };
        let op = match number {
            Some(i) => {
                let d = self.fresh_slot();
                let (slow, back) = self.add_slow_path(id, args, Some((2, d)));
                (Op::ArgK { d, i, t, or, slow }, d, back)
            }
            None => {
                let Some(i) = self.index(args[0]) else { return self.call_builtin(id, args) };
                let d = self.fresh_slot();
                let (slow, back) = self.add_slow_path(id, args, Some((2, d)));
                (Op::Arg { d, i, t, or, slow }, d, back)
            }
        };
        self.emit(op.0);
        self.place_label(op.2);
        self.match_result(args[2], op.1);
    }

    /// Returns whether every variable of a term is free or ground.
    fn only_free_or_solid(&self, node: NodeId) -> bool {
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            match self.tree.kind(at) {
                TermKind::Var(var) => {
                    if self.state.vars[*var as usize].value.is_some_and(|value| !value.solid) {
                        return false;
                    }
                }
                _ => stack.extend(self.tree.args(at)),
            }
        }
        true
    }

    /// Compiles `arg/3` with a free number on a ground term. It enumerates all arguments.
    fn each_arg(&mut self, id: BuiltinId, args: &[NodeId], whole: u32) {
        let (number, part) = (self.as_free(args[0]), self.as_free(args[2]));
        let (Some(number), Some(part)) = (number, part) else { return self.call_builtin(id, args) };
        if number == part || self.state.vars[number as usize].out.is_some() {
            return self.call_builtin(id, args);
        }
        self.push_alternatives();
        let t = self.in_slot(whole);
        let high = self.fresh_slot();
        let (slow, back) = self.add_slow_path(id, args, Some((2, high)));
        self.emit(Op::Arity { d: high, t, slow });
        let i = self.own_slot(number);
        let one = self.constant(Term::small(1));
        self.emit(Op::Move { d: i, v: one });
        let whole = Operand::of(From::Slot(t));
        let shown = [Operand::of(From::Fresh(0)), whole, Operand::of(From::Fresh(0))];
        self.count(id, i, high, slow, &shown);
        let d = self.own_slot(part);
        self.emit(Op::Arg { d, i, t, or: FAIL, slow });
        self.assign(part, From::Slot(d), true);
        self.state.vars[number as usize].value = Some(KnownValue { from: From::Slot(i), solid: true });
        // The slow path can only raise the error of the builtin.
        let over = self.label();
        self.emit(Op::Jump { to: over });
        self.place_label(back);
        self.emit(Op::Fail);
        self.place_label(over);
    }

    fn count(&mut self, id: BuiltinId, d: Slot, high: Slot, slow: Label, shown: &[Operand]) {
        let args = self.operands(shown);
        self.emit(Op::Count { d, high, size: 0, slow });
        let name = Atom::new(self.program.known.row(id).name);
        self.site(Some(name), Some((args, shown.len() as u16)));
        self.emit(Op::CountOn { d, high, size: 0, free: false });
        self.activity += 1;
    }

    fn between(&mut self, id: BuiltinId, args: &[NodeId]) {
        let endless = matches!(self.tree.kind(args[1]), TermKind::Atom(atoms::INF | atoms::INFINITE));
        let simple = |emitter: &Self, node: NodeId| {
            emitter.solid_var(node).is_some()
                || emitter.immediate(node).is_some_and(|word| Term(word).as_small().is_some())
        };
        if let Some(bounds) = self.open_range(args) {
            return self.between_any(id, args, bounds);
        }
        if !simple(self, args[0]) || !(endless || simple(self, args[1])) {
            return self.call_builtin(id, args);
        }
        if simple(self, args[2]) && !endless {
            let low = self.index(args[0]).expect("it is simple");
            let high = self.index(args[1]).expect("it is simple");
            let value = self.index(args[2]).expect("it is simple");
            let or = self.failure_label();
            let (slow, back) = self.add_slow_path(id, args, None);
            self.emit(Op::Compare { order: IntComparison::AtLeast, a: value, b: low, or, slow });
            self.emit(Op::Compare { order: IntComparison::AtMost, a: value, b: high, or, slow });
            self.place_label(back);
            return;
        }
        let Some(var) = self.as_free(args[2]) else { return self.call_builtin(id, args) };
        self.push_alternatives();
        let high = match endless {
            true => self.word_in_slot(Term::small(MAX_SMALL)),
            false => self.index(args[1]).expect("it is simple"),
        };
        let low = self.index(args[0]).expect("it is simple");
        let d = self.own_slot(var);
        self.emit(Op::Move { d, v: Operand::of(From::Slot(low)) });
        let (slow, back) = self.add_slow_path(id, args, Some((2, d)));
        self.later.last_mut().expect("it was just added").many = true;
        let mut last = Operand::of(From::Slot(high));
        if endless {
            self.check_count_bound(low, slow);
            last = self.build(args[1]).0;
        }
        let shown = [Operand::of(From::Slot(low)), last, Operand::of(From::Fresh(0))];
        self.count(id, d, high, slow, &shown);
        self.place_label(back);
        self.assign(var, From::Slot(d), true);
    }

    /// Jumps to `or` if `low` is too large to count up within the small integers.
    fn check_count_bound(&mut self, low: Slot, or: Label) {
        let far = self.word_in_slot(Term::small(MAX_SMALL / 2));
        self.emit(Op::Compare { order: IntComparison::AtMost, a: low, b: far, or, slow: or });
    }

    /// Returns the values of three variables that are not known to be ground.
    fn open_range(&self, args: &[NodeId]) -> Option<[KnownValue; 3]> {
        let value = |node: NodeId| match *self.tree.kind(node) {
            TermKind::Var(var) => self.state.vars[var as usize].value.filter(|value| !value.solid),
            _ => None,
        };
        Some([value(args[0])?, value(args[1])?, value(args[2])?])
    }

    /// Compiles `between/3` in a goal that is built at run time.
    fn between_any(&mut self, id: BuiltinId, args: &[NodeId], [low, high, value]: [KnownValue; 3]) {
        self.note("a builtin is given unbound variables");
        self.push_alternatives();
        let low = self.bound_slot(low);
        let given = self.bound_slot(high);
        let open = self.bound_slot(value);
        let (slow, back) = self.add_slow_path(id, args, None);
        self.later.last_mut().expect("it was just added").many = true;
        self.emit(Op::Is { what: TypeTest::Var, s: open, or: slow });
        let [d, high] = [(); 2].map(|()| self.fresh_slot());
        self.emit(Op::Move { d, v: Operand::of(From::Slot(low)) });
        self.emit(Op::Move { d: high, v: Operand::of(From::Slot(given)) });
        let (finite, inf) = (self.label(), self.word(Term::atom(atoms::INF).0));
        self.emit(Op::IsConst { s: given, k: inf, or: finite });
        let most = self.constant(Term::small(MAX_SMALL));
        self.emit(Op::Move { d: high, v: most });
        self.check_count_bound(low, slow);
        self.place_label(finite);
        let shown = [low, given, open].map(|slot| Operand::of(From::Slot(slot)));
        self.count(id, d, high, slow, &shown);
        self.match_any(args[2], From::Slot(d));
        self.place_label(back);
    }

    fn put_arg(&mut self, id: BuiltinId, args: &[NodeId]) {
        if !args[..3].iter().all(|arg| self.is_solid(*arg)) || !self.only_free_or_solid(args[3]) {
            return self.call_builtin(id, args);
        }
        let parts: Vec<Operand> = args[..3].iter().map(|arg| self.build(*arg).0).collect();
        let operands = self.operands(&parts);
        let or = self.failure_label();
        let d = self.fresh_slot();
        let (slow, back) = self.add_slow_path(id, args, Some((3, d)));
        self.emit(Op::PutArg { d, args: operands, or, slow });
        self.place_label(back);
        self.match_result(args[3], d);
    }
}

impl<'a> SlowPath<'a> {
    fn take(&mut self) -> SlowPath<'a> {
        SlowPath {
            tree: self.tree,
            ground: self.ground.clone(),
            inside: self.inside,
            label: self.label,
            back: self.back,
            id: self.id,
            args: std::mem::take(&mut self.args),
            result: self.result,
            or: self.or,
            span: self.span,
            vars: std::mem::take(&mut self.vars),
            many: self.many,
            formula: self.formula,
        }
    }
}
