//! Compiles arithmetic on small integers, with the builtins as slow path.
//!
//! An expression becomes a sequence of operations. If a value is not a small integer, or a result
//! does not fit, a formula evaluates the whole expression, and if it cannot, the builtin does. An
//! expression with other numbers or functions is a formula at once.

use crate::machine::compile::clause::Emitter;
use crate::machine::compile::inline::{Compiled, function};
use crate::machine::compile::state::KnownValue;
use crate::machine::ir::{Formula, From, Function, IntComparison, Label, Op, Operand, Slot};
use crate::term::Term;
use crate::term::short::{FormulaPart, MOST_VALUES, ShortFunction, ShortNumber};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_text::signature::BuiltinId;

/// A compiled part of an expression.
#[derive(Clone, Copy)]
enum Part {
    Slot(Slot),
    Small(i32),
}

/// The most variables of a formula. Native code passes them in registers.
const MOST_ARGUMENTS: usize = 8;

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

    /// Makes a formula of expressions if it has only known functions, numbers and variables with values. The variables
    /// follow.
    fn parts(&self, expressions: &[NodeId]) -> Option<(Vec<FormulaPart>, Vec<u32>)> {
        let (mut parts, mut vars, mut height) = (Vec::new(), Vec::new(), 0);
        let mut open: Vec<(NodeId, bool)> = expressions.iter().rev().map(|node| (*node, false)).collect();
        while let Some((at, is_behind)) = open.pop() {
            let part = match self.tree.kind(at) {
                TermKind::Var(var) => {
                    self.state.vars[*var as usize].value?;
                    let place = vars.iter().position(|other| other == var).unwrap_or_else(|| {
                        vars.push(*var);
                        vars.len() - 1
                    });
                    FormulaPart::Arg(place as u16)
                }
                TermKind::Int(value) => FormulaPart::Number(ShortNumber::Int((*value).into())),
                TermKind::Float(value) if value.is_finite() => FormulaPart::Number(ShortNumber::Float(*value)),
                TermKind::Big(value) => {
                    let value = i128::try_from(&**value).ok().filter(|value| *value != i128::MIN)?;
                    FormulaPart::Number(ShortNumber::Int(value))
                }
                TermKind::Compound(name, _) => {
                    let args = self.tree.args(at);
                    let function = ShortFunction::named(&name.name(), args.len())?;
                    if !is_behind {
                        open.push((at, true));
                        open.extend(args.iter().rev().map(|arg| (*arg, false)));
                        continue;
                    }
                    height -= args.len();
                    match args.len() {
                        1 => FormulaPart::Unary(function),
                        _ => FormulaPart::Binary(function),
                    }
                }
                _ => return None,
            };
            height += 1;
            parts.push(part);
            if height > MOST_VALUES || parts.len() + open.len() > MOST_PARTS || vars.len() > MOST_ARGUMENTS {
                return None;
            }
        }
        Some((parts, vars))
    }

    /// Adds a formula to the code, and returns its number.
    fn formula(&mut self, expressions: &[NodeId], order: Option<IntComparison>) -> Option<u32> {
        let (parts, vars) = self.parts(expressions)?;
        let values: Vec<Operand> = vars.iter().map(|var| self.operand(*var)).collect();
        let args = self.operands(&values);
        let formulas = &mut self.library.unit.formulas;
        formulas.push(Formula { parts: parts.into(), args, count: values.len() as u16, order });
        Some(formulas.len() as u32 - 1)
    }

    /// `X is E`.
    pub(super) fn is(&mut self, id: BuiltinId, args: &[NodeId]) {
        let short = self.compiles(args[1]);
        if !short && self.parts(&args[1..]).is_none() {
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
        let formula = self.formula(&args[1..], None);
        if short {
            self.after_slow(formula);
            match self.expression(args[1], Some(d), slow) {
                Part::Slot(s) if s == d => {}
                Part::Slot(s) => self.emit(Op::AddK { d, a: s, k: 0, slow }),
                Part::Small(value) => {
                    let v = self.constant(Term::small(i64::from(value)));
                    self.emit(Op::Move { d, v });
                }
            }
        } else if let Some(formula) = formula {
            self.emit(Op::Eval { d, formula, slow });
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
        let short = self.compiles(args[0]) && self.compiles(args[1]);
        if !short && self.parts(args).is_none() {
            return self.call_builtin(id, args);
        }
        self.fetch(args[0]);
        self.fetch(args[1]);
        let or = self.failure_label();
        let (slow, back) = self.add_slow_path(id, args, None);
        let formula = self.formula(args, Some(order));
        if let (false, Some(formula)) = (short, formula) {
            self.emit(Op::EvalCompare { formula, or, slow });
            self.place_label(back);
            return;
        }
        self.after_slow(formula);
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

    /// Tries a formula first in the slow path that was added last.
    fn after_slow(&mut self, formula: Option<u32>) {
        if let Some(path) = self.later.last_mut() {
            path.formula = formula;
        }
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
