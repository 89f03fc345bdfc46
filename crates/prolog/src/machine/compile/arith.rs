//! Compiles arithmetic on small integers, with the builtins as slow path.
//!
//! An expression becomes a sequence of operations. If a value is not a small integer, or a result
//! does not fit, the builtin runs the whole goal from the beginning.

use crate::machine::compile::clause::Emitter;
use crate::machine::compile::inline::{Compiled, function};
use crate::machine::compile::state::KnownValue;
use crate::machine::ir::{From, Function, IntComparison, Label, Op, Operand, Slot};
use crate::term::Term;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_text::signature::BuiltinId;

/// A compiled part of an expression.
#[derive(Clone, Copy)]
enum Part {
    Slot(Slot),
    Small(i32),
}

/// The most parts of a compiled expression. Builtins evaluate larger ones.
const MOST_PARTS: usize = 200;

impl Emitter<'_, '_> {
    /// Returns whether an expression can be compiled: it has only known functions, small integers
    /// and variables with values.
    fn compiles(&self, node: NodeId) -> bool {
        let mut stack = vec![node];
        let mut parts = 0;
        while let Some(at) = stack.pop() {
            parts += 1;
            if parts > MOST_PARTS {
                return false;
            }
            match self.tree.kind(at) {
                TermKind::Var(var) if self.state.vars[*var as usize].value.is_some() => {}
                TermKind::Int(_) if self.immediate(at).is_some() => {}
                TermKind::Compound(name, _) => {
                    let args = self.tree.args(at);
                    if function(&name.name(), args.len()).is_none() {
                        return false;
                    }
                    stack.extend(args);
                }
                _ => return false,
            }
        }
        true
    }

    /// Moves the ground values of an expression into slots, before an operation may take the slow
    /// path.
    fn fetch(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            match *self.tree.kind(at) {
                TermKind::Var(var) if self.state.vars[var as usize].value.is_some_and(|value| value.solid) => {
                    self.in_slot(var);
                }
                _ => stack.extend(self.tree.args(at)),
            }
        }
    }

    /// `X is E`.
    pub(super) fn is(&mut self, id: BuiltinId, args: &[NodeId]) {
        if !self.compiles(args[1]) {
            return self.call_builtin(id, args);
        }
        let free = self.as_free(args[0]);
        let known = match self.tree.kind(args[0]) {
            TermKind::Var(var) => self.state.vars[*var as usize].value,
            _ if self.ground[args[0].0 as usize] => None,
            _ => return self.call_builtin(id, args),
        };
        let d = match free {
            Some(var) => self.own_slot(var),
            None => self.fresh_slot(),
        };
        self.fetch(args[1]);
        let (slow, back) = self.add_slow_path(id, args, Some((0, d)));
        match self.expression(args[1], Some(d), slow) {
            Part::Slot(s) if s == d => {}
            Part::Slot(s) => self.emit(Op::AddK { d, a: s, k: 0, slow }),
            Part::Small(value) => {
                let v = self.constant(Term::small(i64::from(value)));
                self.emit(Op::Move { d, v });
            }
        }
        self.place_label(back);
        match (free, known) {
            (Some(var), _) => self.assign(var, From::Slot(d), true),
            (None, Some(KnownValue { from, solid: false })) => {
                self.unify_any(Operand::of(from), Operand::of(From::Slot(d)))
            }
            (None, _) => self.match_solid(args[0], From::Slot(d), false),
        }
    }

    /// Compiles a comparison such as `A < B`.
    pub(super) fn compare(&mut self, id: BuiltinId, args: &[NodeId], order: IntComparison) {
        if !self.compiles(args[0]) || !self.compiles(args[1]) {
            return self.call_builtin(id, args);
        }
        self.fetch(args[0]);
        self.fetch(args[1]);
        let or = self.failure_label();
        let (slow, back) = self.add_slow_path(id, args, None);
        let left = self.expression(args[0], None, slow);
        let right = self.expression(args[1], None, slow);
        let op = match (left, right) {
            (Part::Slot(a), Part::Small(k)) => Op::CompareK { order, a, k, or, slow },
            (Part::Small(k), Part::Slot(a)) => Op::CompareK { order: order.turned(), a, k, or, slow },
            (left, right) => {
                let (a, b) = (self.part_slot(left), self.part_slot(right));
                Op::Compare { order, a, b, or, slow }
            }
        };
        self.emit(op);
        self.place_label(back);
    }

    fn part_slot(&mut self, part: Part) -> Slot {
        match part {
            Part::Slot(slot) => slot,
            Part::Small(value) => {
                let d = self.fresh_slot();
                let v = self.constant(Term::small(i64::from(value)));
                self.emit(Op::Move { d, v });
                d
            }
        }
    }

    fn expression(&mut self, node: NodeId, target: Option<Slot>, slow: Label) -> Part {
        match self.tree.kind(node) {
            TermKind::Var(var) => {
                let var = *var;
                let value = self.state.vars[var as usize].value.expect("compiles() has seen it");
                if value.solid {
                    return Part::Slot(self.in_slot(var));
                }
                Part::Slot(self.bound_slot(value))
            }
            TermKind::Int(value) => match i32::try_from(*value) {
                Ok(small) => Part::Small(small),
                Err(_) => {
                    let d = self.fresh_slot();
                    let v = self.constant(Term::small(*value));
                    self.emit(Op::Move { d, v });
                    Part::Slot(d)
                }
            },
            TermKind::Compound(name, _) => {
                let args = self.tree.args(node);
                let compiled = function(&name.name(), args.len()).expect("compiles() has seen it");
                let left = self.expression(args[0], None, slow);
                let right = match args.get(1) {
                    Some(right) => self.expression(*right, None, slow),
                    None => left,
                };
                let d = target.unwrap_or_else(|| self.fresh_slot());
                self.operation(compiled, d, left, right, slow);
                Part::Slot(d)
            }
            _ => unreachable!("compiles() has seen it"),
        }
    }

    fn operation(&mut self, compiled: Compiled, d: Slot, left: Part, right: Part, slow: Label) {
        let op = match (compiled, left, right) {
            (Compiled::Add, Part::Slot(a), Part::Small(k)) | (Compiled::Add, Part::Small(k), Part::Slot(a)) => {
                Op::AddK { d, a, k, slow }
            }
            (Compiled::Sub, Part::Slot(a), Part::Small(k)) if k != i32::MIN => Op::AddK { d, a, k: -k, slow },
            (compiled, left, right) => {
                let a = self.part_slot(left);
                let b = match compiled {
                    Compiled::Other(
                        Function::Neg | Function::Abs | Function::Not | Function::PopCount | Function::Msb,
                    ) => a,
                    _ => self.part_slot(right),
                };
                match compiled {
                    Compiled::Add => Op::Add { d, a, b, slow },
                    Compiled::Sub => Op::Sub { d, a, b, slow },
                    Compiled::Other(f) => Op::Arith { f, d, a, b, slow },
                }
            }
        };
        self.emit(op);
    }
}
