//! Tells which arguments a predicate only calls.
//!
//! The variables of a lambda expression that is only called are never bound, because each call copies it. A predicate may
//! also take a closure apart, compare it or return it, and then its variables are like all others.

use crate::machine::compile::Library;
use crate::machine::ir::ArgumentForm;
use crate::machine::skeleton::control;
use crate::machine::{BuiltinCode, SolverBuiltin};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Goal, PRELUDE, PredId};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// The most arguments that a partial goal gets when it is called.
const MOST_FURTHER: usize = 7;

/// An argument that is only called, and the number of further arguments that it gets, if that is known.
type Called = (usize, Option<usize>);

/// A variable of a clause whose uses are examined.
pub(super) struct UseCheck<'a> {
    pub library: &'a mut Library,
    pub tree: &'a TermTree,
    pub var: u32,
    /// The arguments of the user's predicates that are the variable.
    pub passed: Vec<(PredId, usize)>,
}

impl Library {
    /// Returns whether a predicate, and each predicate to which it passes the argument, only calls it.
    pub(super) fn only_calls(&mut self, pred: PredId, at: usize) -> bool {
        if let Some(known) = self.only_called.get(&(pred, at)) {
            return *known;
        }
        let (mut open, mut seen) = (vec![(pred, at)], FxHashSet::default());
        let mut holds = true;
        while let Some((next, place)) = open.pop() {
            if !seen.insert((next, place)) {
                continue;
            }
            match self.passes(next, place) {
                Some(passed) => open.extend(passed),
                None => {
                    holds = false;
                    break;
                }
            }
        }
        self.only_called.insert((pred, at), holds);
        holds
    }

    /// The arguments to which the clauses of a predicate pass an argument. `None` if they use it in another way than by
    /// calling it.
    fn passes(&mut self, pred: PredId, at: usize) -> Option<Vec<(PredId, usize)>> {
        let program = self.program.clone();
        let predicate = program.predicate(pred);
        if predicate.key.scope == PRELUDE {
            return self.closures(pred).contains(&at).then(Vec::new);
        }
        let mut passed = Vec::new();
        for clause in &predicate.clauses {
            let head = clause.tree.args(clause.head);
            let TermKind::Var(var) = *clause.tree.kind(head[at]) else { return None };
            let mut check = UseCheck { library: self, tree: &clause.tree, var, passed: Vec::new() };
            if head.iter().enumerate().any(|(other, node)| other != at && check.occurs(*node))
                || !check.goal(&clause.body)
            {
                return None;
            }
            passed.append(&mut check.passed);
        }
        Some(passed)
    }

    /// Returns the local variables of a call's forms that may be bound: all but those that occur only in lambda
    /// expressions that are only called.
    pub(super) fn open_locals(&mut self, pred: PredId, forms: &[ArgumentForm]) -> FxHashSet<u16> {
        let mut open = FxHashSet::default();
        for (at, form) in forms.iter().enumerate() {
            match form {
                ArgumentForm::Compound(..) if self.only_calls(pred, at) => {
                    let further = self.called(pred).into_iter().find(|(place, _)| *place == at);
                    self.open_in_goal(form, further.and_then(|(_, further)| further), &mut open);
                }
                _ => open_in_term(form, &mut open),
            }
        }
        open
    }

    /// Looks at a goal, or at a closure that gets so many further arguments, if that is known.
    fn open_in_goal(&mut self, form: &ArgumentForm, further: Option<usize>, open: &mut FxHashSet<u16>) {
        let ArgumentForm::Compound(name, args) = form else { return open_in_term(form, open) };
        if (*name, args.len()) == (atoms::LAMBDA, 2) {
            // The shared variables are not copied, so the goal may bind them.
            if let ArgumentForm::Compound(atoms::SLASH, parts) = &args[0] {
                let (mut shared, mut inside) = Default::default();
                open_in_term(&parts[0], &mut shared);
                let further = further.zip(length(&parts[1])).map(|(further, count)| further.saturating_sub(count));
                self.open_in_goal(&args[1], further, &mut inside);
                open.extend(shared.intersection(&inside));
            }
            return;
        }
        let called = match control(*name, args.len()) {
            Some(goals) => goals.map(|at| (at, Some(0))).collect(),
            None => self.called_by(*name, args.len(), further).0,
        };
        for (at, arg) in args.iter().enumerate() {
            match called.iter().find(|(place, _)| *place == at) {
                Some((_, further)) => self.open_in_goal(arg, *further, open),
                None => open_in_term(arg, open),
            }
        }
    }

    /// The arguments that a goal of the library only calls, each with the number of further arguments that it gets, if
    /// that is known. If the goal is of a predicate of the user, returns the predicate. Without the number of further
    /// arguments, all predicates of this name count.
    fn called_by(&mut self, name: Atom, arity: usize, further: Option<usize>) -> (Vec<Called>, Option<PredId>) {
        let program = self.program.clone();
        let range = further.map_or(arity..=arity + MOST_FURTHER, |further| arity + further..=arity + further);
        let mut found: Option<Vec<Called>> = None;
        for total in range {
            let places: Vec<Called> = match program.resolve_called(None, name, total) {
                Some(Callee::User(pred)) if program.predicate(pred).key.scope == PRELUDE => self.called(pred),
                Some(Callee::User(pred)) => return (Vec::new(), Some(pred).filter(|_| further.is_some())),
                Some(Callee::Native(id)) if self.is_call(id.0) => vec![(0, Some(total - 1))],
                Some(Callee::Native(_)) => Vec::new(),
                _ => continue,
            };
            found = Some(match found {
                Some(found) => {
                    found.into_iter().filter(|(at, _)| places.iter().any(|(other, _)| other == at)).collect()
                }
                None => places,
            });
        }
        let mut found = found.unwrap_or_default();
        if further.is_none() {
            found.iter_mut().for_each(|(_, further)| *further = None);
        }
        (found, None)
    }

    /// The arguments that a predicate of the library only calls.
    fn called(&mut self, pred: PredId) -> Vec<Called> {
        let program = self.program.clone();
        let meta = &program.predicate(pred).meta;
        let further = |at: usize| match meta.chars().nth(at)? {
            '^' => Some(0),
            kind => kind.to_digit(10).map(|digit| digit as usize),
        };
        self.closures(pred).iter().map(|at| (*at, further(*at))).collect()
    }

    /// Whether a builtin is `call/N`.
    pub(super) fn is_call(&self, id: u16) -> bool {
        matches!(self.runs[usize::from(id)], BuiltinCode::Solver(SolverBuiltin::Call))
    }
}

/// The number of elements of a list.
fn length(form: &ArgumentForm) -> Option<usize> {
    let (mut rest, mut count) = (form, 0);
    while let ArgumentForm::Compound(atoms::DOT, parts) = rest {
        (rest, count) = (&parts[1], count + 1);
    }
    matches!(rest, ArgumentForm::Atom(atoms::NIL)).then_some(count)
}

fn open_in_term(form: &ArgumentForm, open: &mut FxHashSet<u16>) {
    match form {
        ArgumentForm::Local(number) => {
            open.insert(*number);
        }
        ArgumentForm::Compound(_, args) => args.iter().for_each(|arg| open_in_term(arg, open)),
        _ => {}
    }
}

impl UseCheck<'_> {
    /// Returns whether the variable occurs in a term.
    pub fn occurs(&self, node: NodeId) -> bool {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if *self.tree.kind(node) == TermKind::Var(self.var) {
                return true;
            }
            open.extend(self.tree.args(node));
        }
        false
    }

    /// Returns whether a goal only calls the variable, or does not contain it.
    pub fn goal(&mut self, goal: &Goal) -> bool {
        stacker::maybe_grow(64 << 10, 4 << 20, || match goal {
            Goal::True | Goal::Fail | Goal::Cut => true,
            Goal::Conj(goals) => goals.iter().all(|goal| self.goal(goal)),
            Goal::Or(left, right) => self.goal(left) && self.goal(right),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                self.goal(condition) && self.goal(then) && self.goal(other)
            }
            Goal::Not(inner) | Goal::Scope(inner) => self.goal(inner),
            Goal::Findall { template, goal, list, tail, .. } => {
                !self.occurs(*template)
                    && !self.occurs(*list)
                    && !tail.is_some_and(|tail| self.occurs(tail))
                    && self.goal(goal)
            }
            Goal::Meta(node, _) => self.closure(*node, Some(0)),
            Goal::Call { callee, args, .. } => match callee {
                Callee::User(pred) if self.library.program.predicate(*pred).key.scope == PRELUDE => {
                    let called = self.library.called(*pred);
                    self.call(args, &called, None)
                }
                Callee::User(pred) => self.call(args, &[], Some(*pred)),
                Callee::Native(id) if self.library.is_call(id.0) => self.call(args, &[(0, Some(args.len() - 1))], None),
                _ => self.call(args, &[], None),
            },
        })
    }

    /// Looks at the arguments of a goal that only calls some of them, or that is of a predicate of the user.
    fn call(&mut self, args: &[NodeId], called: &[Called], user: Option<PredId>) -> bool {
        args.iter().enumerate().all(|(at, arg)| {
            let place = called.iter().find(|(place, _)| *place == at);
            match (place, user) {
                _ if !self.occurs(*arg) => true,
                (Some((_, further)), _) => self.closure(*arg, *further),
                (None, Some(pred)) if *self.tree.kind(*arg) == TermKind::Var(self.var) => {
                    self.passed.push((pred, at));
                    true
                }
                _ => false,
            }
        })
    }

    /// Returns whether a term that is called, with so many further arguments, only calls the variable.
    fn closure(&mut self, node: NodeId, further: Option<usize>) -> bool {
        let tree = self.tree;
        let Some((name, arity)) = tree.functor(node).filter(|_| self.occurs(node)) else { return true };
        let args = tree.args(node);
        if (name, arity) == (atoms::LAMBDA, 2) {
            let params = tree.binary(args[0], atoms::SLASH).map_or(args[0], |(_, params)| params);
            let count = tree.list(params).map(|params| params.len());
            let further = further.zip(count).map(|(further, count)| further.saturating_sub(count));
            return !self.occurs(params) && self.closure(args[1], further);
        }
        if let Some(goals) = control(name, arity) {
            let called: Vec<Called> = goals.map(|at| (at, Some(0))).collect();
            return self.call(args, &called, None);
        }
        let (called, user) = self.library.called_by(name, arity, further);
        self.call(args, &called, user)
    }
}
