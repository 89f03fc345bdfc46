//! Builds trees of goals that are constructed at run time.
//!
//! The tree of a term contains its control constructs. Everything below them is a variable with a
//! table of its term. The tree is then resolved to a [`Goal`], which each solver compiles in its own
//! way.

use crate::machine::fault::{Cause, Fault};
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::{FUNCTOR, Heap, TermView, header};
use crate::term::pack::pack;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::program::{Callee, Goal, Program, USER};
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{self, Atom, atoms};
use std::sync::Arc;

/// The span of a goal built at run time, which is in no text.
pub const NOWHERE: Span = Span { source: SourceId(0), start: 0, end: 0 };

/// The arguments of a control construct that are goals, as a range; `None` if the functor is no
/// control construct.
pub fn control(name: Atom, arity: usize) -> Option<std::ops::Range<usize>> {
    Some(match (name, arity) {
        (atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW | atoms::FORALL, 2) => 0..2,
        (atoms::NOT | atoms::CALL | atoms::ONCE | atoms::IGNORE, 1) => 0..1,
        (atoms::FINDALL, 3 | 4) => 1..2,
        (atoms::TRUE | atoms::FAIL | atoms::FALSE | atoms::CUT, 0) => 0..0,
        _ => return None,
    })
}

/// The arguments of a goal that can bind variables.
pub struct BindingArguments {
    /// Those that are goals themselves.
    pub goals: &'static [usize],
    /// Those whose variables the goal can bind.
    pub terms: &'static [usize],
}

/// The arguments of a goal that can bind variables, where others cannot: a negation, a comparison and a collection of
/// solutions undo the bindings of their goals. `own_aggregate` says that the program defines aggregate_all/3 itself.
/// `None` means that the goal can bind all its variables.
pub fn binding_arguments(name: Atom, arity: usize, own_aggregate: bool) -> Option<BindingArguments> {
    let (goals, terms): (&[usize], &[usize]) = match (name, arity) {
        (atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW, 2) => (&[0, 1], &[]),
        (atoms::CALL | atoms::ONCE | atoms::IGNORE, 1) => (&[0], &[]),
        (atoms::NOT, 1) | (atoms::FORALL, 2) => (&[], &[]),
        (atoms::FINDALL, 3) => (&[], &[2]),
        (atoms::FINDALL, 4) => (&[], &[2, 3]),
        (name, 2) if matches!(&*name.name(), "\\=" | "==" | "\\==") => (&[], &[]),
        (name, 3) if !own_aggregate && *name.name() == *"aggregate_all" => (&[], &[2]),
        _ => return None,
    };
    Some(BindingArguments { goals, terms })
}

/// Returns whether a term is a lambda expression: `Parameters>>Body` or `Free/Body`.
pub fn is_lambda(name: Atom, arity: usize) -> bool {
    arity == 2 && matches!(&*name.name(), ">>" | "/")
}

/// Bytes that a part of a goal may take until it is compiled.
const PART: u64 = 256;

/// The control constructs of a goal term.
#[derive(Default)]
pub struct Skeleton {
    /// The tree of the constructs; everything below them is a variable.
    pub tree: TermTree,
    /// The terms of the variables, by their numbers.
    pub terms: Vec<Term>,
    /// The key of the shape: equal for goals of the same shape only.
    pub key: Vec<u64>,
    /// Whether the key contains young atoms, which may be freed.
    pub passing: bool,
}

impl Skeleton {
    /// Adds a variable to the tree.
    pub fn variable(&mut self) -> NodeId {
        self.tree.fresh("_", NOWHERE)
    }

    fn slot(&mut self, term: Term) -> NodeId {
        self.terms.push(term);
        self.key.push(0);
        self.variable()
    }

    /// Resolves the tree to a goal; fails if a part cannot be a goal.
    pub fn resolve(&self, program: &Program, store: &mut Store, goal: Term, root: NodeId) -> Result<Goal, Fault> {
        let mut resolver = Resolver::new(program, USER, &self.tree);
        resolver.typed = true;
        let resolved = store.heap.names.reading(|| resolver.goal(root));
        if !resolver.bad.is_empty() {
            let mut inner = goal;
            while let Some((atoms::COLON, 2)) = store.heap.functor(inner) {
                inner = store.heap.arg(inner, 1);
            }
            return Err(Fault::type_error(&mut store.heap, "callable", inner));
        }
        if resolver.too_deep.is_some() {
            return Err(Cause::Memory(store.memory).into());
        }
        // The goal may call a predicate that only a library file defines.
        Ok(if resolver.unknown.is_empty() { resolved } else { resolve_late(program, resolved) })
    }

    /// Builds the skeleton of a goal, which may take no more than `memory` bytes. Modules move down
    /// to goals that are no control constructs: `lists:(A, B)` becomes `(lists:A, lists:B)`.
    pub fn of(program: &Program, heap: &Heap, goal: Term, memory: u64) -> Result<(Skeleton, NodeId), Fault> {
        let mut out = Skeleton::default();
        // Depth-first, with an explicit stack.
        let mut stack = vec![Part::Goal(goal, None)];
        let mut done: Vec<NodeId> = Vec::new();
        while let Some(part) = stack.pop() {
            match part {
                Part::Built(name, arity) => {
                    let args = done.split_off(done.len() - arity);
                    done.push(out.tree.compound(name, &args, NOWHERE));
                }
                Part::Inside(module) => {
                    let goal = done.pop().expect("the goal was done before");
                    let module = out.tree.add(TermKind::Atom(module), NOWHERE);
                    done.push(out.tree.compound(atoms::COLON, &[module, goal], NOWHERE));
                }
                Part::Term(term) => done.push(out.slot(heap.deref(term))),
                Part::Goal(term, module) => {
                    let term = heap.deref(term);
                    match heap.functor(term) {
                        Some((atoms::COLON, 2)) if !program.has_own(USER, atoms::COLON, 2) => {
                            let of = heap.deref(heap.arg(term, 0));
                            if let TermView::Atom(name) = heap.view(of) {
                                let module = program.module_called(name).map(|(_, name)| name);
                                stack.push(Part::Goal(heap.arg(term, 1), module));
                            } else {
                                out.open(&mut stack, heap, term, None);
                            }
                        }
                        Some(_) => out.open(&mut stack, heap, term, module),
                        None if heap.is_var(term) => {
                            out.inside(&mut stack, module);
                            stack.push(Part::Term(term));
                        }
                        None => {
                            let packed = pack(heap, term, 1 << 20).ok_or(Cause::Memory(memory))?;
                            out.key.extend(packed.as_words());
                            done.push(out.tree.add(number_or_text(heap, term), NOWHERE));
                        }
                    }
                }
            }
            if out.tree.len().max(stack.len()) as u64 > (memory / PART).min(1 << 24) {
                return Err(Cause::Memory(memory).into());
            }
        }
        let root = done.pop().expect("the root was done last");
        Ok((out, root))
    }

    /// Pushes the arguments of a compound goal.
    fn open(&mut self, stack: &mut Vec<Part>, heap: &Heap, term: Term, module: Option<Atom>) {
        let Some((name, arity)) = heap.functor(term) else { return };
        let goals = control(name, arity);
        if goals.is_none() {
            self.inside(stack, module);
        }
        self.passing |= symbol::is_young(name.number());
        self.key.push(header(FUNCTOR, arity as u64, u64::from(name.number())));
        let goals = goals.unwrap_or(0..0);
        stack.push(Part::Built(name, arity));
        for at in (0..arity).rev() {
            let arg = heap.arg(term, at);
            stack.push(if goals.contains(&at) { Part::Goal(arg, module) } else { Part::Term(arg) });
        }
    }

    /// Puts a module before the next goal.
    fn inside(&mut self, stack: &mut Vec<Part>, module: Option<Atom>) {
        let Some(module) = module else { return };
        self.key.push(header(FUNCTOR, 2, u64::from(atoms::COLON.number())));
        self.passing |= symbol::is_young(module.number());
        self.key.push(header(FUNCTOR, 0, u64::from(module.number())));
        stack.push(Part::Inside(module));
    }
}

fn number_or_text(heap: &Heap, term: Term) -> TermKind {
    match heap.view(term) {
        TermView::Big(negative, words) => TermKind::Big(Arc::new(heap.big_of(negative, words))),
        TermView::Float(value) => TermKind::Float(value),
        TermView::Text(length, words) => TermKind::Text(heap.text_of(length, words).into()),
        TermView::Int(value) => TermKind::Int(value),
        TermView::Var(_) | TermView::Atom(_) | TermView::Compound(..) => {
            unreachable!("these have a functor, or none yet")
        }
    }
}

/// A task of the construction of a skeleton.
enum Part {
    /// A goal, in the module of this name.
    Goal(Term, Option<Atom>),
    /// A term that is no goal.
    Term(Term),
    /// All arguments of a compound are built.
    Built(Atom, usize),
    /// A goal is built that needs this module before it.
    Inside(Atom),
}

/// Resolves unknown calls in a goal again, among the library predicates.
pub fn resolve_late(program: &Program, goal: Goal) -> Goal {
    let again = |goal: Box<Goal>| Box::new(resolve_late(program, *goal));
    match goal {
        Goal::Conj(goals) => Goal::Conj(goals.into_iter().map(|goal| resolve_late(program, goal)).collect()),
        Goal::Or(left, right) => Goal::Or(again(left), again(right)),
        Goal::If(a, b, c) => Goal::If(again(a), again(b), again(c)),
        Goal::SoftIf(a, b, c) => Goal::SoftIf(again(a), again(b), again(c)),
        Goal::Not(inner) => Goal::Not(again(inner)),
        Goal::Scope(inner) => Goal::Scope(again(inner)),
        Goal::Findall { template, goal, list, tail, span } => {
            Goal::Findall { template, goal: again(goal), list, tail, span }
        }
        Goal::Call { callee: Callee::Unknown(name, arity), args, span } => {
            Goal::Call { callee: program.resolve_call(name, arity).unwrap_or(Callee::Unknown(name, arity)), args, span }
        }
        other => other,
    }
}
