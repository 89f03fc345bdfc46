//! Finds the forms of a call's arguments: the known structure of terms and closures.
//!
//! A call may have an argument such as `piece(C, _, X, Y)`, with given and free parts, or a
//! closure. The result is an [`ArgumentForm`] for each argument, and the parts. `special.rs`
//! compiles the predicate for these forms. The call then passes the parts like arguments, and no
//! term is built or taken apart. The callee of a known closure is called directly. (Argument
//! structures as in Mercury's partially instantiated modes: Somogyi, Henderson, Conway, 1996.)

use crate::machine::compile::clause::Emitter;
use crate::machine::ir::ArgumentForm;
use crate::machine::skeleton::{control, is_lambda};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, PRELUDE, PredId};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A call with known forms.
pub(super) struct FormedCall {
    pub forms: Box<[ArgumentForm]>,
    /// The parts, in order of occurrence.
    pub parts: Vec<NodeId>,
}

/// The most nodes, and the greatest depth, of a pattern and of a goal.
const MOST_NODES: usize = 160;
const MOST_DEPTH: usize = 12;
const MOST_PATTERN_DEPTH: usize = 5;

/// Computes the forms of one call.
struct Former<'e, 'a, 'h> {
    emitter: &'e mut Emitter<'a, 'h>,
    parts: Vec<NodeId>,
    /// The variables met so far, and their forms.
    met: FxHashMap<u32, ArgumentForm>,
    /// The number of occurrences of each variable in the examined arguments.
    within: FxHashMap<u32, u32>,
    /// The variables that occur only in the parts of lambda expressions that each call copies.
    copied: FxHashSet<u32>,
    /// The only argument whose variables the call may bind, if there is such an argument.
    result: Option<NodeId>,
    locals: u16,
    nodes: usize,
}

impl Emitter<'_, '_> {
    /// Returns the forms of a call's arguments. Returns `None` if nothing is known beyond whole arguments.
    pub(super) fn formed(&mut self, pred: PredId, args: &[NodeId]) -> Option<FormedCall> {
        let (closures, sought) = (self.library.closures(pred), self.library.sought_arguments(pred));
        let known = |at: usize| closures.contains(&at) && self.is_callable(args[at]);
        let open = |arg: &NodeId| matches!(self.tree.kind(*arg), TermKind::Compound(..)) && !self.is_solid(*arg);
        let twice = |arg: &NodeId| {
            self.as_free(*arg)
                .is_some_and(|var| args.iter().map(|other| self.occurrences(*other, var)).sum::<usize>() > 1)
        };
        let any_closure = (0..args.len()).any(known);
        let compound = |at: usize| matches!(self.tree.kind(args[at]), TermKind::Compound(..));
        let is_sought = |at: usize| sought.contains(&at) && compound(at) && self.is_flat(args[at], MOST_PATTERN_DEPTH);
        let any_sought = (0..args.len()).any(is_sought);
        if !any_closure && !any_sought && !args.iter().any(|arg| open(arg) || twice(arg)) {
            return None;
        }
        let is_sought: Vec<bool> = (0..args.len()).map(is_sought).collect();
        let is_known: Vec<bool> = (0..args.len()).map(known).collect();
        let is_open: Vec<bool> = args.iter().map(|arg| open(arg) && self.is_flat(*arg, MOST_PATTERN_DEPTH)).collect();
        let (parts, met, within) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
        let (result, copied) = (self.unscoped(pred, args), self.copied(pred, args));
        let mut former = Former { emitter: self, parts, met, within, copied, result, locals: 0, nodes: 0 };
        for (at, arg) in args.iter().enumerate() {
            if is_known[at]
                || is_open[at]
                || is_sought[at]
                || matches!(former.emitter.tree.kind(*arg), TermKind::Var(_))
            {
                former.count(*arg);
            }
        }
        let mut forms = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            forms.push(match former.emitter.tree.kind(*arg) {
                TermKind::Var(var) => former.variable(*var, *arg, true),
                _ if is_known[at] => former.goal(*arg, 0)?,
                TermKind::Atom(name) if any_closure && *name != atoms::NIL => ArgumentForm::Atom(*name),
                TermKind::Compound(name, _) if is_sought[at] => {
                    let name = *name;
                    let args = former.emitter.tree.args(*arg);
                    let forms: Option<Box<[ArgumentForm]>> =
                        args.iter().map(|arg| former.pattern(*arg, false)).collect();
                    ArgumentForm::Compound(name, forms?)
                }
                TermKind::Compound(..) if is_open[at] => former.pattern(*arg, false)?,
                _ => former.part(*arg),
            });
        }
        let parts = former.parts;
        (parts.len() <= MOST_NODES).then(|| FormedCall { forms: forms.into(), parts })
    }

    /// Returns the variables that occur in a call only in the parts of lambda expressions that the library copies.
    fn copied(&mut self, pred: PredId, args: &[NodeId]) -> FxHashSet<u32> {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        // Of other predicates it is not known that they only call a lambda expression.
        if self.program.predicate(pred).key.scope != PRELUDE {
            return FxHashSet::default();
        }
        for at in self.library.closures(pred).iter() {
            self.each_copied(args[*at], &mut |var, _| *counts.entry(var).or_insert(0) += 1);
        }
        let everywhere = |var: u32| args.iter().map(|arg| self.occurrences(*arg, var)).sum::<usize>();
        counts.into_iter().filter(|(var, count)| everywhere(*var) == *count).map(|(var, _)| var).collect()
    }

    /// Calls `see` with each occurrence of a variable in a lambda expression, except of those that it shares with
    /// the clause.
    fn each_copied(&self, lambda: NodeId, see: &mut dyn FnMut(u32, NodeId)) {
        let Some((left, body)) = self.tree.binary(lambda, atoms::LAMBDA) else { return };
        let shared = self.tree.binary(left, atoms::SLASH).map(|(shared, _)| self.tree.variables_of(shared));
        let mut open = vec![left, body];
        while let Some(node) = open.pop() {
            if let TermKind::Var(var) = *self.tree.kind(node)
                && shared.as_ref().is_none_or(|shared| !shared.contains(&var))
            {
                see(var, node);
            }
            open.extend(self.tree.args(node));
        }
    }

    /// Returns the variables of the call's lambda expressions whose values may contain unbound variables. Unless
    /// they are ground, the library must copy the lambda expressions. Each variable is given by one occurrence.
    pub(super) fn unproved(&mut self, pred: PredId, args: &[NodeId]) -> Vec<NodeId> {
        let mut found: Vec<(u32, NodeId)> = Vec::new();
        for at in self.library.closures(pred).iter() {
            self.each_copied(args[*at], &mut |var, node| {
                let is_open = self.state.vars[var as usize].value.is_some_and(|value| !value.solid);
                if is_open && found.iter().all(|(other, _)| *other != var) {
                    found.push((var, node));
                }
            });
        }
        found.into_iter().map(|(_, node)| node).collect()
    }

    /// Returns the result of `aggregate_all/3`, the only argument whose variables the call may bind.
    fn unscoped(&self, pred: PredId, args: &[NodeId]) -> Option<NodeId> {
        let key = self.program.predicate(pred).key;
        (key.scope == PRELUDE && key.name.text() == "aggregate_all" && key.arity == 3).then(|| args[2])
    }

    /// Returns whether a term nests no deeper than `depth`.
    fn is_flat(&self, node: NodeId, depth: usize) -> bool {
        depth > 0 && self.tree.args(node).iter().all(|arg| self.is_flat(*arg, depth - 1))
    }

    fn is_callable(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), TermKind::Atom(_) | TermKind::Compound(..))
    }
}

impl Former<'_, '_, '_> {
    fn count(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if self.emitter.ground[at.0 as usize] {
                continue;
            }
            match self.emitter.tree.kind(at) {
                TermKind::Var(var) => *self.within.entry(*var).or_insert(0) += 1,
                _ => stack.extend(self.emitter.tree.args(at)),
            }
        }
    }

    fn part(&mut self, node: NodeId) -> ArgumentForm {
        self.parts.push(node);
        ArgumentForm::Part
    }

    /// Returns the form of a variable. `alone` says that it is itself an argument of the call.
    fn variable(&mut self, var: u32, node: NodeId, alone: bool) -> ArgumentForm {
        // The callee may take an argument apart, and a closure with the same term should stay as it is.
        if alone && self.emitter.is_solid(node) {
            return self.part(node);
        }
        if let Some(form) = self.met.get(&var) {
            return form.clone();
        }
        let known = self.emitter.state.vars[var as usize];
        let is_free = known.value.is_none() && known.out.is_none();
        // A variable that is unbound now, and that the call only copies, stays unbound.
        let is_copied = known.value.is_none() && self.copied.contains(&var);
        let local = is_copied
            || is_free
                && !(alone && self.within[&var] == 1)
                && (self.emitter.counts[var as usize] == self.within[&var]
                    || self.emitter.tree.variables[var as usize].count == 0
                    || self.result.is_some_and(|result| self.emitter.occurrences(result, var) == 0));
        let (form, again) = match local {
            true => {
                self.locals += 1;
                (ArgumentForm::Local(self.locals - 1), ArgumentForm::Local(self.locals - 1))
            }
            false => (self.part(node), ArgumentForm::Same(self.parts.len() as u16 - 1)),
        };
        self.met.insert(var, again);
        form
    }

    /// Returns the form of a term. Ground subterms become parts, unless the term must be known as a `whole`.
    fn pattern(&mut self, node: NodeId, whole: bool) -> Option<ArgumentForm> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return None;
        }
        Some(match self.emitter.tree.kind(node) {
            TermKind::Var(var) => self.variable(*var, node, false),
            TermKind::Atom(name) => ArgumentForm::Atom(*name),
            TermKind::Int(value) if whole && self.emitter.immediate(node).is_some() => ArgumentForm::Int(*value),
            TermKind::Compound(name, _) if whole || !self.emitter.is_solid(node) => {
                let args = self.emitter.tree.args(node);
                let forms: Option<Box<[ArgumentForm]>> = args.iter().map(|arg| self.pattern(*arg, whole)).collect();
                ArgumentForm::Compound(*name, forms?)
            }
            _ => self.part(node),
        })
    }

    /// Returns the arguments that a goal calls, as far as its name and arity determine the predicate.
    fn closures_of(&mut self, name: Atom, arity: usize) -> Vec<usize> {
        match self.emitter.program.resolve_called(None, name, arity) {
            Some(Callee::User(pred)) => self.emitter.library.closures(pred).to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns the form of a goal or closure: its structure down to the calls, and the patterns of these.
    fn goal(&mut self, node: NodeId, depth: usize) -> Option<ArgumentForm> {
        self.nodes += 1;
        if depth > MOST_DEPTH || self.nodes > MOST_NODES {
            return None;
        }
        let tree = self.emitter.tree;
        let Some((name, arity)) = tree.functor(node) else { return self.pattern(node, false) };
        if arity == 0 {
            return Some(ArgumentForm::Atom(name));
        }
        let lambda = is_lambda(name, arity);
        let goals: Vec<usize> = match (name, arity) {
            (atoms::CARET, 2) => vec![1],
            _ if lambda => vec![1],
            _ => match control(name, arity) {
                Some(goals) => goals.collect(),
                None => self.closures_of(name, arity),
            },
        };
        let args = tree.args(node);
        let mut forms = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            forms.push(match goals.contains(&at) {
                true => self.goal(*arg, depth + 1)?,
                false if lambda || self.emitter.is_flat(*arg, MOST_PATTERN_DEPTH) => self.pattern(*arg, lambda)?,
                false if self.emitter.is_solid(*arg) => self.part(*arg),
                false => return None,
            });
        }
        Some(ArgumentForm::Compound(name, forms.into()))
    }
}
