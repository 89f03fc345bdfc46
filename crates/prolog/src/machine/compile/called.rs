//! Rewrites the body of a clause in which called terms are known: goals replace `call/N`, and
//! lambda expressions are expanded.
//!
//! Each goal costs the steps of calling its term, so all solvers count the same. Terms that are not
//! known remain calls of terms.

use crate::machine::BuiltinCode;
use crate::machine::SolverBuiltin;
use crate::machine::compile::Library;
use crate::machine::compile::matched::{CannotSpecialise, ClauseCopy};
use crate::machine::skeleton::{NOWHERE, control, resolve_late};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PRELUDE, USER};
use alphorn_text::signature::{BuiltinId, BuiltinKind};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;

/// Makes a pseudo-goal that counts steps and calls nothing.
pub(super) fn steps(count: usize, span: Span) -> Goal {
    Goal::Call { callee: Callee::Unknown(atoms::TRUE, usize::MAX - count), args: Vec::new(), span }
}

/// Returns the steps of a pseudo-goal, by its arity.
pub(super) fn as_steps(arity: usize) -> Option<u32> {
    u32::try_from(usize::MAX - arity).ok()
}

/// Makes a pseudo-goal that tests whether these variables are ground and costs no step.
pub(super) fn solid(vars: Vec<NodeId>, span: Span) -> Goal {
    Goal::Call { callee: Callee::Unknown(atoms::LAMBDA, usize::MAX), args: vars, span }
}

/// Returns whether a goal without a predicate is the test of [`solid`].
pub(super) fn is_solid_test(name: Atom, arity: usize) -> bool {
    (name, arity) == (atoms::LAMBDA, usize::MAX)
}

struct BodyRewriter<'a> {
    library: &'a Library,
    copy: ClauseCopy,
}

/// Rewrites a clause with its new head and body.
pub(super) fn rewritten(library: &Library, copy: ClauseCopy, clause: &Clause) -> Result<Clause, CannotSpecialise> {
    let mut writer = BodyRewriter { library, copy };
    let parts = writer.copy.parts();
    if !writer.copy.is_small() {
        return Err(CannotSpecialise);
    }
    let name = clause.tree.functor(clause.head).map_or(atoms::NIL, |(name, _)| name);
    let head = writer.copy.compound(name, &parts, clause.tree.span(clause.head));
    let body = writer.goal(&clause.body);
    if !writer.copy.is_small() {
        return Err(CannotSpecialise);
    }
    writer.mark_private(&parts, &body);
    Ok(Clause { tree: writer.copy.tree, head, body, span: clause.span })
}

impl BodyRewriter<'_> {
    fn goal(&mut self, goal: &Goal) -> Goal {
        stacker::maybe_grow(64 << 10, 4 << 20, || self.copied(goal))
    }

    /// Sets the count of variables to 0 that occur only in lambda expressions. Each call copies a
    /// lambda expression with new variables.
    fn mark_private(&mut self, head: &[NodeId], body: &Goal) {
        let mut open = head.to_vec();
        alphorn_lang::lang::goal::each_goal(body, &mut |goal| match goal {
            Goal::Call { args, .. } => open.extend(args),
            Goal::Meta(node, _) => open.push(*node),
            Goal::Findall { template, list, tail, .. } => open.extend([*template, *list].into_iter().chain(*tail)),
            _ => {}
        });
        let mut private = self.copy.local.clone();
        while let Some(node) = open.pop() {
            match (self.copy.lambda(node), self.copy.tree.kind(node)) {
                (Some((true, left, _)), _) => {
                    open.extend(self.copy.tree.binary(left, Atom::new("/")).map(|(own, _)| own))
                }
                (Some((false, left, _)), _) => open.push(left),
                (None, TermKind::Var(var)) => {
                    private.remove(var);
                }
                (None, _) => open.extend(self.copy.tree.args(node)),
            }
        }
        for var in private {
            self.copy.tree.variables[var as usize].count = 0;
        }
    }

    fn copied(&mut self, goal: &Goal) -> Goal {
        let mut again = |goal: &Goal| Box::new(self.goal(goal));
        match goal {
            Goal::True => Goal::True,
            Goal::Fail => Goal::Fail,
            Goal::Cut => Goal::Cut,
            Goal::Conj(goals) => Goal::Conj(goals.iter().map(|goal| self.goal(goal)).collect()),
            Goal::Or(left, right) => Goal::Or(again(left), again(right)),
            Goal::If(condition, then, other) => Goal::If(again(condition), again(then), again(other)),
            Goal::SoftIf(condition, then, other) => Goal::SoftIf(again(condition), again(then), again(other)),
            Goal::Not(inner) => Goal::Not(again(inner)),
            Goal::Scope(inner) => Goal::Scope(again(inner)),
            Goal::Findall { template, goal, list, tail, span } => Goal::Findall {
                goal: again(goal),
                template: self.copy.node(*template),
                list: self.copy.node(*list),
                tail: tail.map(|tail| self.copy.node(tail)),
                span: *span,
            },
            Goal::Meta(node, span) => {
                let node = self.copy.node(*node);
                self.called(node, &[], *span).unwrap_or(Goal::Meta(node, *span))
            }
            Goal::Call { callee, args, span } => {
                let args: Vec<NodeId> = args.iter().map(|arg| self.copy.node(*arg)).collect();
                self.call(*callee, args, *span)
            }
        }
    }

    fn call(&mut self, callee: Callee, args: Vec<NodeId>, span: Span) -> Goal {
        if let Callee::Native(id) = callee {
            if matches!(self.library.runs[usize::from(id.0)], BuiltinCode::Solver(SolverBuiltin::Call))
                && let Some(goal) = self.called(args[0], &args[1..], span)
            {
                return goal;
            }
            let known = |node: NodeId| !matches!(self.copy.tree.kind(node), TermKind::Var(_));
            if self.library.program.known.row(id).name == "$free_variables" && known(args[2]) {
                let (mut hidden, mut inner) = (0, args[0]);
                while let Some((_, right)) = self.copy.tree.binary(inner, atoms::CARET) {
                    (hidden, inner) = (hidden + 1, right);
                }
                return steps(hidden, span);
            }
        }
        Goal::Call { callee, args, span }
    }

    /// Returns the goal of a term called with further arguments, if the predicate is known.
    fn called(&mut self, node: NodeId, extra: &[NodeId], span: Span) -> Option<Goal> {
        let (name, arity) = self.copy.tree.functor(node)?;
        let total = arity + extra.len();
        let program = self.library.program.clone();
        let mut args = self.copy.tree.args(node).to_vec();
        args.extend(extra);
        if control(name, total).is_some() {
            let whole = self.copy.compound(name, &args, NOWHERE);
            return self.constructs(whole, span);
        }
        if name == atoms::COLON {
            return None;
        }
        let callee = program.resolve_called(None, name, total)?;
        if program.needs_user(callee) {
            return None;
        }
        match callee {
            Callee::User(pred) if program.predicate(pred).key.scope == PRELUDE && self.copy.lambda(node).is_some() => {
                self.lambda(node, extra, span)
            }
            Callee::User(_) => Some(Goal::Call { callee, args, span }),
            Callee::Native(id) => match self.library.runs[usize::from(id.0)] {
                BuiltinCode::Solver(_) => None,
                _ => Some(Goal::Conj(vec![steps(1, span), Goal::Call { callee, args, span }])),
            },
            Callee::Unknown(..) => None,
        }
    }

    /// Returns the goal of a known control construct, with its steps.
    fn constructs(&mut self, whole: NodeId, span: Span) -> Option<Goal> {
        let program = self.library.program.clone();
        let size = self.size(whole, 0)?;
        let mut resolver = Resolver::new(&program, USER, &self.copy.tree);
        resolver.typed = true;
        let goal = resolver.goal(whole);
        if !resolver.bad.is_empty() || resolver.too_deep.is_some() {
            return None;
        }
        let mut goal = if resolver.unknown.is_empty() { goal } else { resolve_late(&program, goal) };
        set_spans(&mut goal, span);
        Some(Goal::Conj(vec![steps(1 + size / 4, span), Goal::Scope(Box::new(goal))]))
    }

    /// Returns the nodes of a construct down to the arguments of its goals. The cost in steps depends on it.
    fn size(&self, node: NodeId, depth: u32) -> Option<usize> {
        let Some((name, arity)) = self.copy.tree.functor(node) else {
            // The value of a variable is part of the goal, even if it is a cut.
            return (!matches!(self.copy.tree.kind(node), TermKind::Var(_))).then_some(1);
        };
        if depth > 100 || name == atoms::COLON {
            return None;
        }
        let goals = control(name, arity).unwrap_or(0..0);
        let mut size = 1;
        for (at, arg) in self.copy.tree.args(node).iter().enumerate() {
            size += if goals.contains(&at) { self.size(*arg, depth + 1)? } else { 1 };
        }
        Some(size)
    }

    /// Expands a call of a lambda expression: the body with the arguments in place of the
    /// parameters. The variables of the lambda expression are new, as in a copy.
    fn lambda(&mut self, node: NodeId, extra: &[NodeId], span: Span) -> Option<Goal> {
        let (has_params, left, body) = self.copy.lambda(node)?;
        let (shared, params) = match (has_params, self.copy.tree.binary(left, Atom::new("/"))) {
            (true, Some((shared, params))) => (Some(shared), self.copy.tree.list(params)?),
            (true, None) => (None, self.copy.tree.list(left)?),
            (false, _) => (Some(left), Vec::new()),
        };
        let braces = |node| matches!(self.copy.tree.functor(node), Some((name, 0 | 1)) if &*name.name() == "{}");
        if extra.len() < params.len() || shared.is_some_and(|node| !braces(node)) {
            return None;
        }
        let own = shared.map_or_else(Vec::new, |node| self.copy.tree.variables_of(node));
        let mut which = self.copy.local.clone();
        which.retain(|var| !own.contains(var));
        // It is unknown whether other variables are bound when the goal runs.
        let is_known = |var: &u32| own.contains(var) || which.contains(var) || self.copy.fixed.contains(var);
        if !self.copy.tree.variables_of(node).iter().all(is_known) {
            return None;
        }
        let mut names = FxHashMap::default();
        let mut goals = vec![steps(if has_params { 3 } else { 2 } + usize::from(shared.is_some()), span)];
        for (param, arg) in params.iter().zip(extra) {
            goals.push(steps(1, span));
            match *self.copy.tree.kind(*param) {
                TermKind::Var(var) if which.contains(&var) && !names.contains_key(&var) => {
                    names.insert(var, *arg);
                }
                _ => {
                    let param = self.copy.renamed(*param, &mut names, &which);
                    let unify = self.library.inline.iter().position(|row| row.how == BuiltinKind::Unify)?;
                    let callee = Callee::Native(BuiltinId(unify as u16));
                    goals.push(Goal::Call { callee, args: vec![param, *arg], span });
                }
            }
        }
        let rest = &extra[params.len()..];
        goals.push(steps(if has_params { 2 + usize::from(!rest.is_empty()) } else { 0 }, span));
        let body = self.copy.renamed(body, &mut names, &which);
        goals.push(self.called(body, rest, span)?);
        Some(Goal::Conj(goals))
    }
}

/// Gives goals without a place in the source text the span of their call.
fn set_spans(goal: &mut Goal, at: Span) {
    let mut open = vec![goal];
    while let Some(goal) = open.pop() {
        match goal {
            Goal::Conj(goals) => open.extend(goals),
            Goal::Or(left, right) => open.extend([&mut **left, &mut **right]),
            Goal::If(one, two, three) | Goal::SoftIf(one, two, three) => {
                open.extend([&mut **one, &mut **two, &mut **three]);
            }
            Goal::Not(inner) | Goal::Scope(inner) => open.push(inner),
            Goal::Findall { goal: inner, span, .. } => {
                *span = at;
                open.push(inner);
            }
            Goal::Call { span, .. } | Goal::Meta(_, span) => *span = at,
            Goal::True | Goal::Fail | Goal::Cut => {}
        }
    }
}
