//! Compiles terms of clauses: matching with values, building, unification.
//!
//! Ground values are matched by tests. For general values, every alternative gets its choice point
//! before general unification.

use crate::machine::compile::Constants;
use crate::machine::compile::clause::Emitter;
use crate::machine::compile::state::KnownValue;
use crate::machine::ir::{FAIL, From, Op, Operand, Slot};
use crate::term::build::build;
use crate::term::heap::{FUNCTOR, Heap, header};
use crate::term::pack::pack;
use crate::term::{LST, Term};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_text::symbol::{Atom, atoms};

/// The stack reserve and the growth step of recursive functions, in bytes.
const GROW: (usize, usize) = (64 << 10, 4 << 20);

impl Emitter<'_, '_> {
    /// Returns whether all variables of a term have ground values.
    pub(super) fn is_solid(&self, node: NodeId) -> bool {
        self.all_vars(node, &mut |value| value.is_some_and(|value| value.solid))
    }

    /// Returns whether every variable of a term has a value.
    pub(super) fn all_known(&self, node: NodeId) -> bool {
        self.all_vars(node, &mut |value| value.is_some())
    }

    fn all_vars(&self, node: NodeId, test: &mut dyn FnMut(Option<KnownValue>) -> bool) -> bool {
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if self.ground[at.0 as usize] {
                continue;
            }
            match self.tree.kind(at) {
                TermKind::Var(var) if !test(self.state.vars[*var as usize].value) => return false,
                _ => stack.extend(self.tree.args(at)),
            }
        }
        true
    }

    /// Returns the number of occurrences of a variable in a term.
    pub(super) fn occurrences(&self, node: NodeId, var: u32) -> usize {
        let mut count = 0;
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if self.ground[at.0 as usize] {
                continue;
            }
            match self.tree.kind(at) {
                TermKind::Var(other) => count += usize::from(*other == var),
                _ => stack.extend(self.tree.args(at)),
            }
        }
        count
    }

    /// Returns the variable if a term is a free variable.
    pub(super) fn as_free(&self, node: NodeId) -> Option<u32> {
        match self.tree.kind(node) {
            TermKind::Var(var) => Some(*var).filter(|var| self.state.vars[*var as usize].value.is_none()),
            _ => None,
        }
    }

    /// Returns the word of an atom or small integer.
    pub(super) fn immediate(&self, node: NodeId) -> Option<u64> {
        match self.tree.kind(node) {
            TermKind::Atom(name) => Some(Term::atom(*name).0),
            TermKind::Int(value) if (crate::term::MIN_SMALL..=crate::term::MAX_SMALL).contains(value) => {
                Some(Term::small(*value).0)
            }
            _ => None,
        }
    }

    /// Makes the operand of a term without variables.
    pub(super) fn constant_of(&mut self, node: NodeId) -> Operand {
        if let Some(word) = self.immediate(node) {
            let number = self.word(word);
            return Operand::of(From::Const(number));
        }
        match &mut *self.constants {
            Constants::Heap(heap) => {
                let term = build(heap, self.tree, node, &mut Vec::new());
                self.constant(term)
            }
            Constants::Aside => {
                let mut heap = Heap::default();
                let term = build(&mut heap, self.tree, node, &mut Vec::new());
                let packed = pack(&heap, term, usize::MAX).expect("nothing is too large here");
                self.library.unit.packed.push(packed);
                let d = self.fresh_slot();
                self.emit(Op::Unpack { d, packed: self.library.unit.packed.len() as u32 - 1 });
                Operand::of(From::Slot(d))
            }
        }
    }

    /// Builds a term and returns its operand and whether it is ground. Free variables become
    /// unbound variables of the heap.
    pub(super) fn build(&mut self, node: NodeId) -> (Operand, bool) {
        if self.ground[node.0 as usize] {
            return (self.constant_of(node), true);
        }
        if let TermKind::Var(var) = self.tree.kind(node) {
            if self.state.vars[*var as usize].value.is_none() {
                self.make_variable(*var);
            }
            let solid = self.state.vars[*var as usize].value.is_some_and(|value| value.solid);
            return (self.operand(*var), solid);
        }
        stacker::maybe_grow(GROW.0, GROW.1, || self.build_compound(node))
    }

    fn build_compound(&mut self, node: NodeId) -> (Operand, bool) {
        let (name, arity) = self.tree.functor(node).expect("a compound has a functor");
        let args = self.tree.args(node);
        let mut solid = true;
        let mut parts = Vec::with_capacity(args.len());
        for arg in args {
            let (part, is_solid) = self.build(*arg);
            parts.push(part);
            solid &= is_solid;
        }
        (self.put_together((name, arity), &parts), solid)
    }

    /// Builds a compound of known parts.
    pub(super) fn put_together(&mut self, (name, arity): (Atom, usize), parts: &[Operand]) -> Operand {
        let d = self.fresh_slot();
        if (name, arity) == (atoms::DOT, 2) {
            self.emit(Op::Cons { d, head: parts[0], tail: parts[1] });
        } else if let Ok(count) = u16::try_from(arity) {
            let k = self.word(header(FUNCTOR, arity as u64, u64::from(name.number())));
            let args = self.operands(parts);
            self.emit(Op::Build { d, k, args, count });
        } else {
            self.too_large = true;
        }
        Operand::of(From::Slot(d))
    }

    /// Returns whether a variable occurs only once and is no output.
    pub(super) fn is_void(&self, var: u32) -> bool {
        self.counts[var as usize] == 1 && self.state.vars[var as usize].out.is_none()
    }

    /// Matches a term of the clause with a ground value. `tested` says that its first symbol is
    /// known to match.
    pub(super) fn match_solid(&mut self, node: NodeId, from: From, tested: bool) {
        if let TermKind::Var(var) = self.tree.kind(node) {
            let var = *var;
            match self.state.vars[var as usize].value {
                None if self.is_void(var) => {}
                None => self.assign(var, from, true),
                Some(KnownValue { from: other, solid: true }) => {
                    let or = self.failure_label();
                    self.emit(Op::Same { a: Operand::of(other), b: Operand::of(from), ordered: false, or });
                }
                Some(KnownValue { from: other, .. }) => self.unify_any(Operand::of(other), Operand::of(from)),
            }
            return;
        }
        let or = self.failure_label();
        if let Some(word) = self.immediate(node) {
            if !tested {
                let k = self.word(word);
                match from {
                    From::Field(s, at) => self.emit(Op::FieldIs { s, at, k, or }),
                    from => {
                        let s = self.slot_of(from);
                        self.emit(Op::IsConst { s, k, or });
                    }
                }
            }
            return;
        }
        if self.ground[node.0 as usize] {
            let b = self.constant_of(node);
            self.emit(Op::Same { a: Operand::of(from), b, ordered: false, or });
            return;
        }
        stacker::maybe_grow(GROW.0, GROW.1, || self.match_compound(node, from, tested));
    }

    fn match_compound(&mut self, node: NodeId, from: From, tested: bool) {
        let (name, arity) = self.tree.functor(node).expect("a compound has a functor");
        let or = self.failure_label();
        let s = self.slot_of(from);
        let args = self.tree.args(node);
        let word = match (name, arity) {
            (atoms::DOT, 2) => LST,
            _ => header(FUNCTOR, arity as u64, u64::from(name.number())),
        };
        let tested = tested || self.fits.get(&s) == Some(&word);
        if word == LST {
            // A tail that is matched further is fetched together with the test.
            let deeper = matches!(self.tree.kind(args[1]), TermKind::Compound(..)) && !self.ground[args[1].0 as usize];
            let mut tail = self.field(s, 1);
            let head = self.field(s, 0);
            match (tested, deeper) {
                (false, true) => {
                    let d = self.fresh_slot();
                    self.emit(Op::Rest { d, s, or });
                    tail = From::Slot(d);
                }
                (false, false) => self.emit(Op::IsList { s, or }),
                (true, _) => {}
            }
            self.match_solid(args[0], head, false);
            self.match_solid(args[1], tail, false);
            return;
        }
        if !tested {
            let k = self.word(word);
            self.emit(Op::IsStruct { s, k, or });
        }
        for (at, arg) in args.iter().enumerate() {
            if let TermKind::Var(var) = self.tree.kind(*arg)
                && self.is_void(*var)
            {
                continue;
            }
            let from = self.field(s, at + 1);
            self.match_solid(*arg, from, false);
        }
    }

    /// Matches a term of the clause with a general value.
    pub(super) fn match_any(&mut self, node: NodeId, from: From) {
        match self.tree.kind(node) {
            TermKind::Var(var) => {
                let var = *var;
                match self.state.vars[var as usize].value {
                    None => self.assign(var, from, false),
                    Some(KnownValue { from: other, .. }) => self.unify_any(Operand::of(other), Operand::of(from)),
                }
            }
            _ if self.ground[node.0 as usize] => {
                let constant = self.constant_of(node);
                self.unify_any(constant, Operand::of(from));
            }
            _ => self.unify_term(node, from),
        }
    }

    /// Matches a term with a bound value whose first symbol is known to match.
    pub(super) fn match_bound(&mut self, node: NodeId, slot: Slot) {
        let first = usize::from(self.tree.functor(node) != Some((atoms::DOT, 2)));
        for (at, arg) in self.tree.args(node).iter().enumerate() {
            let from = self.field(slot, at + first);
            self.match_any(*arg, from);
        }
    }

    pub(super) fn unify_any(&mut self, a: Operand, b: Operand) {
        self.note("general unification");
        self.push_alternatives();
        self.site(None, None);
        self.emit(Op::UnifyAny { a, b });
    }

    /// Compiles `X = Y`.
    pub(super) fn unify(&mut self, left: NodeId, right: NodeId) {
        match (self.as_free(left), self.as_free(right)) {
            (Some(var), Some(other)) if var == other => {}
            // An output variable is older.
            (Some(var), Some(other)) if self.state.vars[var as usize].out.is_some() => {
                debug_assert_ne!(var, other);
                self.unify_free(other, left);
            }
            (Some(var), _) if self.occurrences(right, var) == 0 => self.unify_free(var, right),
            (_, Some(var)) if self.occurrences(left, var) == 0 => self.unify_free(var, left),
            _ => self.unify_known(left, right),
        }
    }

    fn unify_free(&mut self, var: u32, node: NodeId) {
        let (v, solid) = self.build(node);
        // Both outputs must be written, and a new output cell has no value yet.
        let from = match v.from() {
            From::Slot(slot) => From::Slot(slot),
            from => {
                let d = self.own_slot(var);
                self.move_to(d, from);
                From::Slot(d)
            }
        };
        self.assign(var, from, solid);
    }

    fn unify_known(&mut self, left: NodeId, right: NodeId) {
        let variable = |emitter: &Self, node: NodeId| match emitter.tree.kind(node) {
            TermKind::Var(var) => emitter.state.vars[*var as usize].value,
            _ => None,
        };
        match (variable(self, left), variable(self, right)) {
            (Some(value), _) if value.solid => self.match_solid(right, value.from, false),
            (_, Some(value)) if value.solid => self.match_solid(left, value.from, false),
            (Some(value), _) => self.match_any(right, value.from),
            (_, Some(value)) => self.match_any(left, value.from),
            (None, None) => self.unify_terms(left, right),
        }
    }

    /// Unifies two terms neither of which is a variable with a value.
    fn unify_terms(&mut self, left: NodeId, right: NodeId) {
        let mut pairs = vec![(left, right)];
        let mut rounds = 0;
        while let Some((left, right)) = pairs.pop() {
            rounds += 1;
            let compound = |node| matches!(self.tree.kind(node), TermKind::Compound(..));
            if compound(left) && compound(right) && rounds < 10_000 {
                if self.tree.functor(left) != self.tree.functor(right) {
                    return self.fail();
                }
                pairs.extend(self.tree.args(left).iter().copied().zip(self.tree.args(right).iter().copied()).rev());
                continue;
            }
            let var = |node| matches!(self.tree.kind(node), TermKind::Var(_));
            if (var(left) || var(right)) && rounds > 1 {
                self.unify(left, right);
                continue;
            }
            let (a, solid) = self.build(left);
            let (b, other) = self.build(right);
            if solid && other {
                let or = self.failure_label();
                self.emit(Op::Same { a, b, ordered: false, or });
            } else {
                self.unify_any(a, b);
            }
        }
    }

    /// Writes a goal that always fails.
    pub(super) fn fail(&mut self) {
        let to = self.failure_label();
        self.emit(if to == FAIL { Op::Fail } else { Op::Jump { to } });
        self.state.dead = true;
    }
}
