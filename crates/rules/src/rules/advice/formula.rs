//! Compiles the goals of advice: and, or, not over predicates, and comparisons of numbers.
//!
//! A goal has two variables: the position, and the root where the advice started. A predicate
//! receives the position after its own arguments, and the root if it has one argument more. In a
//! comparison, a name is a number that a predicate gives for the position, and `root(X)` is X for
//! the root.

use super::operators::{COMPARISONS, FUNCTIONS};
use super::slips;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Goal, PRELUDE, Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// The depth to which formulas and constraints may nest on the left. The right has no limit.
pub(super) const DEEPEST: u32 = 500;

/// Compiles the formulas of one clause.
pub(super) struct Formulas<'a> {
    program: &'a Program,
    problems: &'a mut Vec<Problem>,
    position: NodeId,
    root: NodeId,
    depth: u32,
    /// The predicates that are called with two added arguments.
    pub(super) uses: Vec<PredicateUse>,
}

/// A call with two arguments more than are written: position and root, or position and number.
#[derive(Clone, Copy)]
pub(super) struct PredicateUse {
    pub(super) callee: Callee,
    pub(super) name: Atom,
    /// The arity of the predicate.
    pub(super) arity: usize,
    pub(super) as_number: bool,
    pub(super) span: Span,
}

impl<'a> Formulas<'a> {
    pub(super) fn new(
        program: &'a Program,
        problems: &'a mut Vec<Problem>,
        position: NodeId,
        root: NodeId,
    ) -> Formulas<'a> {
        Formulas { program, problems, position, root, depth: 0, uses: Vec::new() }
    }

    /// The goal of the formula at a node.
    pub(super) fn goal(&mut self, tree: &mut TermTree, at: NodeId) -> Goal {
        let mut parts = Vec::new();
        let mut rest = at;
        while let Some((left, right)) = pair(tree, rest, &["and", ","]) {
            parts.push(self.inner(tree, left));
            rest = right;
        }
        if !parts.is_empty() {
            parts.push(self.inner(tree, rest));
            return Goal::Conj(parts);
        }
        while let Some((left, right)) = pair(tree, rest, &["or", ";"]) {
            parts.push(self.inner(tree, left));
            rest = right;
        }
        if !parts.is_empty() {
            let last = self.inner(tree, rest);
            return either(parts, last);
        }
        self.simple(tree, at)
    }

    fn inner(&mut self, tree: &mut TermTree, at: NodeId) -> Goal {
        if self.depth >= DEEPEST {
            self.deep(tree.span(at));
            return Goal::Fail;
        }
        self.depth += 1;
        let goal = self.goal(tree, at);
        self.depth -= 1;
        goal
    }

    fn deep(&mut self, span: Span) {
        self.problems.push(
            Problem::error(Code::NestedTooDeep, span, format!("goals are nested more than {DEEPEST} deep"))
                .help("give the inner goals a predicate of their own"),
        );
    }

    fn simple(&mut self, tree: &mut TermTree, at: NodeId) -> Goal {
        let span = tree.span(at);
        let Some((name, arity)) = tree.functor(at) else {
            self.problems.push(
                Problem::error(Code::InvalidTablePart, span, "this is not a goal of an advice table")
                    .help("a goal is the name of a predicate, a comparison, or goals joined with and, or, not"),
            );
            return Goal::Fail;
        };
        let args = tree.args(at).to_vec();
        match (name.text(), args.as_slice()) {
            ("true", []) => Goal::True,
            ("fail" | "false", []) => Goal::Fail,
            ("not" | "\\+", [inner]) => Goal::Not(Box::new(self.inner(tree, *inner))),
            (operator, [left, right]) if COMPARISONS.contains(&operator) => {
                let mut goals = Vec::new();
                let sides = [*left, *right].map(|side| self.number(tree, side, false, &mut goals));
                goals.push(native(self.program, name, sides.to_vec(), span));
                Goal::Conj(goals)
            }
            _ => self.named(tree, at, (name, arity), args),
        }
    }

    /// A call with the position, with the position and the root, or with either.
    fn named(&mut self, tree: &TermTree, at: NodeId, (name, arity): (Atom, usize), args: Vec<NodeId>) -> Goal {
        let span = tree.span(at);
        let call = |callee: Option<Callee>, more: &[NodeId]| {
            callee.map(|callee| Goal::Call { callee, args: [&args[..], more].concat(), span })
        };
        let rooted = self.program.resolve(USER, name, arity + 2);
        let one = call(self.program.resolve(USER, name, arity + 1), &[self.position]);
        if one.is_none() {
            self.uses(rooted, name, arity + 2, false, span);
        }
        let two = call(rooted, &[self.position, self.root]);
        match (one, two) {
            (Some(one), Some(two)) => Goal::If(Box::new(one), Box::new(Goal::True), Box::new(two)),
            (Some(goal), None) | (None, Some(goal)) => goal,
            (None, None) => {
                self.problems.push(slips::goal(self.program, tree, at));
                Goal::Fail
            }
        }
    }

    fn uses(&mut self, callee: Option<Callee>, name: Atom, arity: usize, as_number: bool, span: Span) {
        self.uses.extend(callee.map(|callee| PredicateUse { callee, name, arity, as_number, span }));
    }

    /// The node of a number. The goals that compute the number are added to `goals`.
    fn number(&mut self, tree: &mut TermTree, at: NodeId, of_root: bool, goals: &mut Vec<Goal>) -> NodeId {
        let span = tree.span(at);
        let Some((name, arity)) = tree.functor(at) else { return at };
        let args = tree.args(at).to_vec();
        if let (("root", 1), [inner]) = ((name.text(), arity), args.as_slice()) {
            return self.number(tree, *inner, true, goals);
        }
        if FUNCTIONS.contains(&(name.text(), arity)) {
            if self.depth >= DEEPEST {
                self.deep(span);
                return at;
            }
            self.depth += 1;
            let args: Vec<NodeId> = args.into_iter().map(|arg| self.number(tree, arg, of_root, goals)).collect();
            self.depth -= 1;
            return tree.compound(name, &args, span);
        }
        let callee = self.program.resolve(USER, name, arity + 2);
        self.uses(callee, name, arity + 2, true, span);
        let Some(callee) = callee else {
            self.problems.push(slips::number(self.program, tree, at));
            return at;
        };
        let value = tree.fresh("Value", span);
        let position = if of_root { self.root } else { self.position };
        goals.push(Goal::Call { callee, args: [&args[..], &[position, value]].concat(), span });
        value
    }
}

/// The goals between the outermost `and`s of a formula.
pub(super) fn conjuncts(tree: &TermTree, at: NodeId) -> Vec<NodeId> {
    let mut parts = Vec::new();
    let mut rest = at;
    while let Some((left, right)) = pair(tree, rest, &["and", ","]) {
        parts.push(left);
        rest = right;
    }
    parts.push(rest);
    parts
}

/// The two sides of one of these operators.
pub(super) fn pair(tree: &TermTree, at: NodeId, names: &[&str]) -> Option<(NodeId, NodeId)> {
    match (tree.functor(at)?, tree.args(at)) {
        ((name, 2), [left, right]) if names.contains(&name.text()) => Some((*left, *right)),
        _ => None,
    }
}

/// The disjunction of these goals.
pub(super) fn either(parts: Vec<Goal>, last: Goal) -> Goal {
    parts.into_iter().rev().fold(last, |rest, goal| Goal::Or(Box::new(goal), Box::new(rest)))
}

/// A goal that holds at most once.
pub(super) fn once(goal: Goal) -> Goal {
    Goal::If(Box::new(goal), Box::new(Goal::True), Box::new(Goal::Fail))
}

/// A call of a predicate that every program can call.
pub(super) fn native(program: &Program, name: Atom, args: Vec<NodeId>, span: Span) -> Goal {
    let callee = program.resolve(PRELUDE, name, args.len()).unwrap_or(Callee::Unknown(name, args.len()));
    Goal::Call { callee, args, span }
}

/// The integer at a node, if the node is one.
pub(super) fn literal(tree: &TermTree, at: NodeId) -> Option<i64> {
    match tree.kind(at) {
        TermKind::Int(number) => Some(*number),
        _ => None,
    }
}
