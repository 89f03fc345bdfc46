//! Turns clause bodies into goals: recognises control constructs and resolves names.
//!
//! Terms that cannot be goals are collected for the whole clause. The machine uses the resolver also
//! for goals that are built at run time.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::modules::Module;
use crate::lang::program::{Callee, Goal, Program, Scope, USER, added_arguments};
use alphorn_text::source::Sources;
use alphorn_text::symbol::{Atom, atoms};

/// Resolves one clause body.
pub struct Resolver<'a> {
    /// The program that defines the names.
    pub program: &'a Program,
    /// The scope of the body.
    pub scope: Scope,
    /// The tree of the body.
    pub tree: &'a TermTree,
    /// The texts of the program, or other texts for a typed goal.
    pub sources: &'a Sources,
    /// Terms that cannot be goals.
    pub bad: Vec<NodeId>,
    /// Goals with an undefined predicate.
    pub unknown: Vec<(NodeId, Atom, usize)>,
    /// A goal nested deeper than [`MAX_GOAL_NESTING`].
    pub too_deep: Option<NodeId>,
    /// Whether the user types the goal, so that it may call predicates that rules cannot call.
    pub typed: bool,
    /// The module of the current goal and its name, if one is named.
    module: Option<(Module, Atom)>,
    /// Whether something in the module is known only at run time.
    open: bool,
    depth: u32,
}

/// The limit for nested control constructs in a body.
pub const MAX_GOAL_NESTING: u32 = 1_000;

impl<'a> Resolver<'a> {
    /// A resolver for a body in this tree and scope.
    pub fn new(program: &'a Program, scope: Scope, tree: &'a TermTree) -> Resolver<'a> {
        let sources = &program.sources;
        let (bad, unknown) = (Vec::new(), Vec::new());
        let (too_deep, typed, module, open, depth) = (None, false, None, false, 0);
        Resolver { program, scope, tree, sources, bad, unknown, too_deep, typed, module, open, depth }
    }

    /// Resolves the goal at a node.
    pub fn goal(&mut self, at: NodeId) -> Goal {
        if self.depth >= MAX_GOAL_NESTING {
            self.too_deep.get_or_insert(at);
            return Goal::Fail;
        }
        self.depth += 1;
        let goal = stacker::maybe_grow(64 << 10, 4 << 20, || self.control(at));
        self.depth -= 1;
        goal
    }

    fn boxed(&mut self, at: NodeId) -> Box<Goal> {
        Box::new(self.goal(at))
    }

    /// Resolves a goal inside another. In a typed goal, a term that cannot be a goal raises its error
    /// when it is called (ISO).
    fn inner(&mut self, at: NodeId) -> Goal {
        let before = self.bad.len();
        let goal = self.goal(at);
        if self.typed && self.bad.len() > before {
            self.bad.truncate(before);
            return Goal::Meta(at, self.tree.span(at));
        }
        if self.is_open(at) {
            // The call converts the term. The resolved goal in it is for the checks and never runs.
            let called = Goal::Meta(at, self.tree.span(at));
            return Goal::If(Box::new(Goal::Fail), Box::new(goal), Box::new(called));
        }
        goal
    }

    /// Whether a variable is one of several goals in this term. Its value becomes part of the goal at
    /// the call, so a cut in the value cuts the whole term (ISO 7.6.2).
    fn is_open(&self, at: NodeId) -> bool {
        let mut stack = vec![at];
        while let Some(node) = stack.pop() {
            match self.tree.functor(node) {
                Some((atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW, 2)) => {
                    stack.extend(self.tree.args(node));
                }
                Some((atoms::COLON, 2)) if node != at => stack.push(self.tree.args(node)[1]),
                None if node != at && matches!(self.tree.kind(node), TermKind::Var(_)) => return true,
                _ => {}
            }
        }
        false
    }

    fn scoped(&mut self, at: NodeId) -> Goal {
        let goal = self.inner(at);
        Resolver::scope(goal)
    }

    /// Makes the cuts of a goal local.
    fn scope(goal: Goal) -> Goal {
        match goal {
            goal @ (Goal::True | Goal::Fail | Goal::Call { .. } | Goal::Meta(..)) => goal,
            Goal::Cut => Goal::True,
            goal => Goal::Scope(Box::new(goal)),
        }
    }

    fn control(&mut self, at: NodeId) -> Goal {
        let span = self.tree.span(at);
        let Some((name, arity)) = self.tree.functor(at) else {
            if let TermKind::Var(_) = self.tree.kind(at) {
                self.open = true;
                return Goal::Meta(at, span);
            }
            self.bad.push(at);
            return Goal::Fail;
        };
        let args = self.tree.args(at).to_vec();
        match (name, arity) {
            (atoms::TRUE, 0) => Goal::True,
            (atoms::FAIL | atoms::FALSE, 0) => Goal::Fail,
            (atoms::CUT, 0) => Goal::Cut,
            (atoms::COMMA, 2) => self.conjunction(at),
            (atoms::SEMICOLON | atoms::BAR, 2) => self.disjunction(args[0], args[1]),
            (atoms::ARROW, 2) => Goal::If(self.boxed(args[0]), self.boxed(args[1]), Box::new(Goal::Fail)),
            (atoms::SOFT_ARROW, 2) => {
                let condition = Resolver::scope(self.goal(args[0]));
                Goal::Conj(vec![condition, self.goal(args[1])])
            }
            (atoms::NOT, 1) => Goal::Not(Box::new(self.inner(args[0]))),
            (atoms::CALL, 1) => self.scoped(args[0]),
            (atoms::ONCE, 1) => Goal::If(Box::new(self.inner(args[0])), Box::new(Goal::True), Box::new(Goal::Fail)),
            (atoms::IGNORE, 1) => Goal::If(Box::new(self.inner(args[0])), Box::new(Goal::True), Box::new(Goal::True)),
            (atoms::FORALL, 2) => {
                let condition = self.scoped(args[0]);
                let action = Goal::Not(Box::new(self.inner(args[1])));
                Goal::Not(Box::new(Goal::Conj(vec![condition, action])))
            }
            (atoms::FINDALL, 3 | 4) => Goal::Findall {
                template: args[0],
                goal: Box::new(self.scoped(args[1])),
                list: args[2],
                tail: args.get(3).copied(),
                span,
            },
            (atoms::COLON, 2) => self.in_module(at, args),
            (name, 1) if *name.name() == *"not" && !self.program.has_own(self.scope, name, 1) => {
                Goal::Not(Box::new(self.inner(args[0])))
            }
            _ => self.call(at, name, args),
        }
    }

    /// Resolves `Module:Goal` to the predicate of the module, if the module is known.
    fn in_module(&mut self, at: NodeId, args: Vec<NodeId>) -> Goal {
        if self.program.has_own(self.scope, atoms::COLON, 2) {
            return self.call(at, atoms::COLON, args);
        }
        let module = match self.tree.kind(args[0]) {
            TermKind::Atom(name) => self.program.module(*name).map(|module| (module, *name)),
            _ => None,
        };
        match module {
            Some(module) => {
                let around = (self.module.replace(module), std::mem::take(&mut self.open));
                let goal = self.goal(args[1]);
                let open = self.open;
                (self.module, self.open) = around;
                let called = Goal::Meta(at, self.tree.span(at));
                match open {
                    // The checks resolve names in this file, so they do not see a goal of another file.
                    true if self.typed || matches!(module.0, Module::Scope(scope) if scope != self.scope) => called,
                    // As in `inner`, this goal is for the checks and never runs.
                    true => Goal::If(Box::new(Goal::Fail), Box::new(goal), Box::new(called)),
                    false => goal,
                }
            }
            // The module is known only at run time.
            None if self.typed || matches!(self.tree.kind(args[0]), TermKind::Var(_)) => {
                Goal::Meta(at, self.tree.span(at))
            }
            None => {
                self.unknown.push((at, atoms::COLON, 2));
                Goal::Call { callee: Callee::Unknown(atoms::COLON, 2), args, span: self.tree.span(at) }
            }
        }
    }

    fn conjunction(&mut self, at: NodeId) -> Goal {
        let mut goals = Vec::new();
        let mut rest = at;
        while let Some((first, more)) = self.tree.binary(rest, atoms::COMMA) {
            goals.push(self.goal(first));
            rest = more;
        }
        goals.push(self.goal(rest));
        Goal::Conj(goals)
    }

    fn disjunction(&mut self, left: NodeId, right: NodeId) -> Goal {
        if let Some((condition, then)) = self.tree.binary(left, atoms::ARROW) {
            return Goal::If(self.boxed(condition), self.boxed(then), self.boxed(right));
        }
        if let Some((condition, then)) = self.tree.binary(left, atoms::SOFT_ARROW) {
            return Goal::SoftIf(self.boxed(condition), self.boxed(then), self.boxed(right));
        }
        Goal::Or(self.boxed(left), self.boxed(right))
    }

    /// Whether a closure among the arguments has, or may have, another meaning in the module than
    /// outside.
    fn has_other_closures(&self, callee: Callee, args: &[NodeId]) -> bool {
        let Some((module, _)) = self.module else { return false };
        self.program.meta(callee).chars().zip(args).any(|(kind, arg)| {
            let Some(missing) = added_arguments(kind) else { return false };
            let mut at = *arg;
            while let Some((_, inner)) = self.tree.binary(at, atoms::CARET) {
                at = inner;
            }
            match self.tree.functor(at) {
                None => true,
                Some((atoms::COLON, _)) => false,
                Some((atoms::LAMBDA, 2)) => true,
                Some((name, arity)) => {
                    let total = arity + missing;
                    let around = self.program.resolve(self.scope, name, total);
                    // A control construct, a lambda expression or another predicate may pass goals in turn.
                    around.is_none_or(|callee| self.program.takes_goals(callee))
                        || self.program.resolve_in(module, name, total) != around
                }
            }
        })
    }

    fn call(&mut self, at: NodeId, name: Atom, args: Vec<NodeId>) -> Goal {
        let span = self.tree.span(at);
        let inside = self.module.and_then(|(module, _)| self.program.resolve_in(module, name, args.len()));
        let known = inside.or_else(|| match (self.module, self.typed) {
            // Library code does not see the user's predicates.
            (Some((Module::BuiltIn, _)), _) => None,
            (_, true) => self.program.resolve_typed(self.scope, name, args.len()),
            (_, false) => self.program.resolve(self.scope, name, args.len()),
        });
        let callee = known.unwrap_or_else(|| {
            let name = match self.module {
                Some((Module::BuiltIn, module)) => qualified(module, name),
                _ => name,
            };
            self.unknown.push((at, name, args.len()));
            Callee::Unknown(name, args.len())
        });
        let by_user = self.module.is_none_or(|(module, _)| module == Module::Scope(USER));
        if self.typed && by_user && self.program.needs_user(callee) {
            return Goal::Meta(at, span);
        }
        self.open |= self.has_other_closures(callee, &args);
        Goal::Call { callee, args, span }
    }
}

/// The name of a predicate that a library lacks. No other predicate has such a name.
pub fn qualified(module: Atom, name: Atom) -> Atom {
    Atom::read(&format!("{}:{}", &*module.name(), &*name.name()))
}

/// Calls `see` for a goal and all goals inside it.
pub fn each_goal<'a>(goal: &'a Goal, see: &mut impl FnMut(&'a Goal)) {
    let mut stack = vec![goal];
    while let Some(goal) = stack.pop() {
        see(goal);
        match goal {
            Goal::Conj(goals) => stack.extend(goals.iter().rev()),
            Goal::Or(left, right) => stack.extend([&**right, &**left]),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                stack.extend([&**other, &**then, &**condition]);
            }
            Goal::Not(inner) | Goal::Scope(inner) | Goal::Findall { goal: inner, .. } => stack.push(inner),
            Goal::True | Goal::Fail | Goal::Cut | Goal::Call { .. } | Goal::Meta(..) => {}
        }
    }
}
