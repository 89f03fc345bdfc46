//! Goals that are terms: `call/N`, and control built while a program runs.

use crate::lang::ast::{Kind, NodeId, Tree};
use crate::lang::goal::Resolver;
use crate::lang::program::{Callee, USER};
use crate::machine::code::{Step, compile_goal};
use crate::machine::fault::{Cause, Fault};
use crate::machine::reference::Reference;
use crate::machine::{Run, Special};
use crate::source::{SourceId, Span};
use crate::symbol::{Atom, atoms};
use crate::term::Term;
use crate::term::heap::View;
use std::rc::Rc;
use std::sync::Arc;

/// A goal built at run time stands in no text.
const NOWHERE: Span = Span { source: SourceId(0), start: 0, end: 0 };

/// How many arguments of a control construct are goals, from the first on;
/// `None` for what is no control construct.
fn control(name: Atom, arity: usize) -> Option<std::ops::Range<usize>> {
    Some(match (name, arity) {
        (atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW | atoms::FORALL, 2) => 0..2,
        (atoms::NOT | atoms::CALL | atoms::ONCE | atoms::IGNORE, 1) => 0..1,
        (atoms::FINDALL, 3 | 4) => 1..2,
        (atoms::TRUE | atoms::FAIL | atoms::FALSE | atoms::CUT, 0) => 0..0,
        _ => return None,
    })
}

impl Reference {
    /// Calls a term with further arguments.
    pub(super) fn call_term(&mut self, goal: Term, extra: &[Term], frame: Term, pc: u32) -> Result<bool, Fault> {
        let mut goal = self.store.heap.deref(goal);
        let mut extra = extra.to_vec();
        loop {
            let Some((name, arity)) = self.store.heap.functor(goal) else {
                return Err(match self.store.heap.view(goal) {
                    View::Var(_) => Fault::instantiation(&mut self.store.heap),
                    _ => Fault::type_error(&mut self.store.heap, "callable", goal),
                });
            };
            let total = arity + extra.len();
            if control(name, total).is_some() {
                let mut args = self.store.heap.args(goal);
                args.extend(extra);
                goal = self.store.heap.structure(name, &args);
                return self.call_control(goal, frame, pc);
            }
            let mut args = self.store.heap.args(goal);
            args.append(&mut extra);
            let callee = *self.callees.entry((name, total)).or_insert_with(|| self.program.resolve_call(name, total));
            self.args = args;
            match callee {
                None => return Err(Fault::unknown_procedure(&mut self.store.heap, name, total)),
                Some(Callee::User(pred)) => return self.enter(pred, frame, pc),
                Some(Callee::Unknown(name, arity)) => {
                    return Err(Fault::unknown_procedure(&mut self.store.heap, name, arity));
                }
                Some(Callee::Native(id)) => match self.runs[usize::from(id.0)] {
                    Run::Once(run) => {
                        let succeeded = run(&mut self.store, &self.args)?;
                        self.resume(frame, pc);
                        return Ok(succeeded);
                    }
                    Run::Many(_) => {
                        let args = std::mem::take(&mut self.args);
                        return self.run_many(id, &args, None, frame, pc);
                    }
                    Run::Solver(Special::Catch) => {
                        return self.catch([self.args[0], self.args[1], self.args[2]], frame, pc);
                    }
                    Run::Solver(Special::Call) => {
                        goal = self.store.heap.deref(self.args[0]);
                        extra = self.args[1..].to_vec();
                    }
                    Run::Solver(Special::Control) => unreachable!("control() knows every control construct"),
                },
            }
            self.store.charge(1)?;
        }
    }

    /// Compiles a control construct and enters it; its cuts are its own.
    fn call_control(&mut self, goal: Term, frame: Term, pc: u32) -> Result<bool, Fault> {
        let mut skeleton = Skeleton { tree: Tree::default(), slots: Vec::new() };
        let root = self.skeleton(goal, &mut skeleton)?;
        let program = self.program.clone();
        let mut resolver = Resolver::new(&program, USER, &skeleton.tree);
        resolver.typed = true;
        let resolved = resolver.goal(root);
        if !resolver.bad.is_empty() {
            return Err(Fault::type_error(&mut self.store.heap, "callable", goal));
        }
        if resolver.too_deep.is_some() {
            return Err(Cause::Memory(self.store.memory).into());
        }
        // A goal may call what only a library file defines.
        let unknown: Vec<(Atom, usize)> = resolver.unknown.iter().map(|(_, name, arity)| (*name, *arity)).collect();
        let resolved = if unknown.is_empty() { resolved } else { self.resolve_late(resolved) };
        let code = Rc::new(compile_goal(&skeleton.tree, &resolved, &self.runs, &mut self.store.heap, Step::Proceed));
        self.store.charge(skeleton.tree.len() as u64 / 4)?;
        let number = match self.free_codes.pop() {
            Some(number) => {
                self.codes[number as usize] = Some(code);
                number
            }
            None => {
                self.codes.push(Some(code));
                self.codes.len() as u32 - 1
            }
        };
        if self.codes.len() - self.fixed_codes > 50_000 && self.free_codes.is_empty() {
            self.collect_at = 0;
        }
        let entered = self.push_frame(number, &skeleton.slots, frame, pc, self.choices.len());
        self.resume(entered, 0);
        Ok(true)
    }

    fn resolve_late(&self, goal: crate::lang::program::Goal) -> crate::lang::program::Goal {
        use crate::lang::program::Goal;
        let again = |goal: Box<Goal>| Box::new(self.resolve_late(*goal));
        match goal {
            Goal::Conj(goals) => Goal::Conj(goals.into_iter().map(|goal| self.resolve_late(goal)).collect()),
            Goal::Or(left, right) => Goal::Or(again(left), again(right)),
            Goal::If(a, b, c) => Goal::If(again(a), again(b), again(c)),
            Goal::SoftIf(a, b, c) => Goal::SoftIf(again(a), again(b), again(c)),
            Goal::Not(inner) => Goal::Not(again(inner)),
            Goal::Scope(inner) => Goal::Scope(again(inner)),
            Goal::Findall { template, goal, list, tail, span } => {
                Goal::Findall { template, goal: again(goal), list, tail, span }
            }
            Goal::Call { callee: Callee::Unknown(name, arity), args, span } => Goal::Call {
                callee: self.program.resolve_call(name, arity).unwrap_or(Callee::Unknown(name, arity)),
                args,
                span,
            },
            other => other,
        }
    }

    /// The control constructs of a goal as a tree; everything below them is a
    /// variable whose slot already holds the term.
    fn skeleton(&self, goal: Term, out: &mut Skeleton) -> Result<NodeId, Fault> {
        // Depth first with an explicit stack; the flag says whether the
        // arguments of a term are done.
        let mut stack = vec![(goal, false, true)];
        let mut done: Vec<NodeId> = Vec::new();
        while let Some((term, built, is_goal)) = stack.pop() {
            let term = self.store.heap.deref(term);
            let functor = self.store.heap.functor(term);
            match functor {
                Some((name, arity)) if built => {
                    let args = done.split_off(done.len() - arity);
                    done.push(out.tree.compound(name, &args, NOWHERE));
                }
                Some((name, arity)) if is_goal => {
                    let goals = control(name, arity).unwrap_or(0..0);
                    stack.push((term, true, true));
                    for at in (0..arity).rev() {
                        stack.push((self.store.heap.arg(term, at), false, goals.contains(&at)));
                    }
                }
                None if is_goal && !self.store.heap.is_var(term) => {
                    let kind = match self.store.heap.view(term) {
                        View::Big(negative, words) => Kind::Big(Arc::new(self.store.heap.big_of(negative, words))),
                        View::Float(value) => Kind::Float(value),
                        View::Text(length, words) => Kind::Text(self.store.heap.text_of(length, words).into()),
                        View::Int(value) => Kind::Int(value),
                        View::Var(_) | View::Atom(_) | View::Compound(..) => {
                            unreachable!("these have a functor, or none yet")
                        }
                    };
                    done.push(out.tree.add(kind, NOWHERE));
                }
                _ => done.push(out.slot(term)),
            }
            if out.tree.len() > 1 << 24 {
                return Err(Cause::Memory(self.store.memory).into());
            }
        }
        Ok(done.pop().expect("the root was done last"))
    }
}

struct Skeleton {
    tree: Tree,
    slots: Vec<Term>,
}

impl Skeleton {
    fn slot(&mut self, term: Term) -> NodeId {
        self.slots.push(term);
        self.tree.fresh("_", NOWHERE)
    }
}
