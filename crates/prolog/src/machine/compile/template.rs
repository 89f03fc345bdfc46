//! Compiles the unification of a term of the clause with a general value.
//!
//! The code has two branches. If the value is bound, its parts are matched one by one. If it is
//! unbound, the term is built and bound to it. Both branches leave the term's free variables in the
//! same slots. Large terms use an operation that interprets a template. (WAM get-instructions in
//! read and write mode: Warren, 1983.)

use crate::machine::compile::clause::Emitter;
use crate::machine::ir::{From, Op, Operand, Slot, TemplatePart, TypeTest};
use crate::term::heap::{FUNCTOR, header};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_text::symbol::atoms;

/// The most compounds of a term that is compiled in two branches.
const MOST_COMPOUNDS: usize = 6;

impl Emitter<'_, '_> {
    pub(super) fn unify_term(&mut self, node: NodeId, from: From) {
        self.note("general unification");
        self.push_alternatives();
        let s = self.slot_of(from);
        let mut given = Vec::new();
        if self.compounds(node) > MOST_COMPOUNDS {
            self.unify_template(node, s, &mut given);
        } else {
            // Known values are fetched before the branches divide.
            self.fetch_known(node);
            self.site(None, None);
            self.either_way(node, s, &mut given);
        }
        for var in given {
            let slot = self.own_slot(var);
            self.assign(var, From::Slot(slot), false);
        }
    }

    fn compounds(&self, node: NodeId) -> usize {
        let (mut stack, mut count) = (vec![node], 0);
        while let Some(at) = stack.pop() {
            if !self.ground[at.0 as usize] && matches!(self.tree.kind(at), TermKind::Compound(..)) {
                count += 1;
                stack.extend(self.tree.args(at));
            }
        }
        count
    }

    fn fetch_known(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            match *self.tree.kind(at) {
                _ if self.ground[at.0 as usize] => {}
                TermKind::Var(var) if self.state.vars[var as usize].value.is_some() => drop(self.in_slot(var)),
                _ => stack.extend(self.tree.args(at)),
            }
        }
    }

    /// Writes both branches for a compound. `given` are the free variables that are already in their slots.
    fn either_way(&mut self, node: NodeId, s: Slot, given: &mut Vec<u32>) {
        let (bound, end) = (self.label(), self.label());
        let d = self.fresh_slot();
        self.emit(Op::Deref { d, v: Operand::of(From::Slot(s)) });
        self.emit(Op::Is { what: TypeTest::Var, s: d, or: bound });
        let v = self.built_term(node, &mut given.clone());
        self.emit(Op::Out { s: d, v });
        self.emit(Op::Jump { to: end });
        self.place_label(bound);
        let (name, arity) = self.tree.functor(node).expect("a compound has a functor");
        let or = self.failure_label();
        let first = match (name, arity) {
            (atoms::DOT, 2) => {
                self.emit(Op::IsList { s: d, or });
                0
            }
            _ => {
                let k = self.word(header(FUNCTOR, arity as u64, u64::from(name.number())));
                self.emit(Op::IsStruct { s: d, k, or });
                1
            }
        };
        for (at, arg) in self.tree.args(node).iter().enumerate() {
            let from = self.field(d, at + first);
            self.match_part(*arg, from, given);
        }
        self.place_label(end);
    }

    fn match_part(&mut self, node: NodeId, from: From, given: &mut Vec<u32>) {
        match *self.tree.kind(node) {
            TermKind::Var(var) => match self.state.vars[var as usize].value {
                Some(value) => {
                    self.site(None, None);
                    self.emit(Op::UnifyAny { a: Operand::of(value.from), b: Operand::of(from) });
                }
                None if given.contains(&var) => {
                    let own = self.own_slot(var);
                    self.site(None, None);
                    self.emit(Op::UnifyAny { a: Operand::of(From::Slot(own)), b: Operand::of(from) });
                }
                None => {
                    let own = self.own_slot(var);
                    self.move_to(own, from);
                    given.push(var);
                }
            },
            _ if self.ground[node.0 as usize] => {
                let constant = self.constant_of(node);
                self.site(None, None);
                self.emit(Op::UnifyAny { a: constant, b: Operand::of(from) });
            }
            _ => {
                let s = self.slot_of(from);
                self.either_way(node, s, given);
            }
        }
    }

    /// Builds a term. Each free variable becomes a new variable.
    fn built_term(&mut self, node: NodeId, given: &mut Vec<u32>) -> Operand {
        match *self.tree.kind(node) {
            _ if self.ground[node.0 as usize] => self.constant_of(node),
            TermKind::Var(var) => match self.state.vars[var as usize].value {
                Some(value) => Operand::of(value.from),
                None => {
                    let d = self.own_slot(var);
                    if !given.contains(&var) {
                        self.emit(Op::NewVar { d });
                        given.push(var);
                    }
                    Operand::of(From::Slot(d))
                }
            },
            _ => {
                let (name, arity) = self.tree.functor(node).expect("a compound has a functor");
                let parts: Vec<Operand> = self.tree.args(node).iter().map(|arg| self.built_term(*arg, given)).collect();
                self.put_together((name, arity), &parts)
            }
        }
    }

    fn unify_template(&mut self, node: NodeId, s: Slot, first: &mut Vec<u32>) {
        let mut parts = Vec::new();
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if self.ground[at.0 as usize] {
                let constant = self.constant_of(at);
                parts.push(match constant.from() {
                    From::Const(number) => TemplatePart::Const(number),
                    from => TemplatePart::Value(self.slot_of(from)),
                });
                continue;
            }
            match self.tree.kind(at) {
                TermKind::Var(var) => {
                    let var = *var;
                    if self.state.vars[var as usize].value.is_none() {
                        let slot = self.own_slot(var);
                        if !first.contains(&var) {
                            first.push(var);
                        }
                        parts.push(TemplatePart::First(slot));
                    } else {
                        parts.push(TemplatePart::Value(self.in_slot(var)));
                    }
                }
                _ => {
                    let (name, arity) = self.tree.functor(at).expect("a compound has a functor");
                    parts.push(match (name, arity) {
                        (atoms::DOT, 2) => TemplatePart::Cons,
                        _ => {
                            let k = self.word(header(FUNCTOR, arity as u64, u64::from(name.number())));
                            TemplatePart::Struct(k, arity as u32)
                        }
                    });
                    stack.extend(self.tree.args(at).iter().rev());
                }
            }
        }
        self.library.unit.templates.push(parts.into());
        let template = self.library.unit.templates.len() as u32 - 1;
        self.site(None, None);
        self.emit(Op::Unify { s, template });
    }
}
