//! Checks the names in an advice table: rules must name defined advice, and name all of it.
//!
//! The input is the rules and pieces of a table, and what its goals call. Problems also say which
//! overlay replaced a missing definition.

use super::formula::PredicateUse;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Callee, Clause, Goal, Program, Replaced};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// Checks the names of one table.
pub(super) struct NameChecker<'a> {
    pub(super) program: &'a Program,
    pub(super) problems: &'a mut Vec<Problem>,
    /// The facts of `advice/2`.
    pub(super) pieces: &'a [Clause],
}

impl NameChecker<'_> {
    fn bad(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::error(code, span, message).help(help));
    }

    /// Checks the advice in the list of a rule, and adds its functors to `named`.
    pub(super) fn named(&mut self, tree: &TermTree, advice: NodeId, named: &mut Vec<(Atom, usize)>) {
        // The condition may bind the list, or its end.
        let open = ends_open(tree, advice);
        let items = items(tree, advice);
        if let (Some(functor), false, false) = (tree.functor(advice), open, tree.list(advice).is_some()) {
            named.push(functor);
            let help = format!("write then [{}]", self.program.sources.text(tree.span(advice)));
            return self.bad(Code::InvalidTablePart, tree.span(advice), "the advice of a rule is not in a list", help);
        }
        if items.is_empty() && !open {
            let help = "write a list: if Condition then [first, second]";
            return self.bad(Code::InvalidTablePart, tree.span(advice), "this rule names no advice", help);
        }
        for item in items {
            let Some(functor) = tree.functor(item) else {
                // The value of a variable is known only when the rule is called.
                if !matches!(tree.kind(item), TermKind::Var(_)) {
                    self.bad(
                        Code::InvalidTablePart,
                        tree.span(item),
                        "this is not a name of advice",
                        "write a name that advice/2 defines",
                    );
                }
                continue;
            };
            named.push(functor);
            let defined = self.pieces.iter().any(|piece| may_fit(tree, item, &piece.tree, name_of(piece)));
            if !defined {
                self.unnamed(tree, item, functor);
            }
        }
    }

    /// Reports a name in a rule that no fact defines.
    fn unnamed(&mut self, tree: &TermTree, item: NodeId, (name, arity): (Atom, usize)) {
        let name = name.text();
        let known: Vec<(Atom, usize)> =
            self.pieces.iter().filter_map(|piece| piece.tree.functor(name_of(piece))).collect();
        let same = known.iter().any(|(other, count)| (other.text(), *count) == (name, arity));
        let near = nearest(name, known.iter().map(|(name, _)| name.text()));
        let other = known.iter().any(|(other, _)| other.text() == name);
        let args = if arity == 0 { String::new() } else { format!("({})", vec!["_"; arity].join(", ")) };
        let was = self.program.replaced.iter().find(|was| {
            let names = |(other, head): &(TermTree, NodeId)| may_fit(tree, item, other, other.args(*head)[0]);
            was.is("advice", 2) && was.clauses.iter().any(names)
        });
        let written = self.program.sources.text(tree.span(item));
        let help = match (was, near) {
            (Some(was), _) => repeat(self.program, was),
            (None, _) if same => "a piece of advice with this name is defined for other arguments".to_string(),
            (None, _) if other => format!("advice({name}, ...) has another number of arguments"),
            (None, Some(near)) => format!("did you mean {near}?"),
            (None, None) => format!("define it: advice({name}{args}, [better(Goal), holding(Goal)])."),
        };
        let called = if same { written.to_string() } else { format!("{name}/{arity}") };
        self.bad(Code::UndefinedAdvice, tree.span(item), format!("there is no advice {called}"), help);
    }

    /// Warns of advice that no rule names. `named` lists the functors in the rules. A table may have no
    /// rules.
    pub(super) fn unused(&mut self, rules: &[Clause], named: &[(Atom, usize)]) {
        let open = rules.iter().any(|clause| {
            let list = clause.tree.args(clause.head)[2];
            ends_open(&clause.tree, list)
                || items(&clause.tree, list).iter().any(|item| clause.tree.functor(*item).is_none())
        });
        // An undefined name may be meant for what seems unused.
        let known = |functor: &(Atom, usize)| {
            self.pieces.iter().any(|piece| piece.tree.functor(name_of(piece)) == Some(*functor))
        };
        if open || !named.iter().all(known) {
            return;
        }
        for clause in self.pieces {
            let name = name_of(clause);
            let Some(functor) = clause.tree.functor(name).filter(|functor| !named.contains(functor)) else {
                continue;
            };
            let message = format!("no rule names the advice {}/{}", functor.0.text(), functor.1);
            let was = self.program.replaced.iter().find(|was| was.is("::", 2) && was.mentions(functor.0));
            let help = was.map_or_else(
                || "name it in a rule: Name :: if Condition then [Advice, ...].".to_string(),
                |was| repeat(self.program, was),
            );
            self.problems.push(Problem::warning(Code::UnusedAdvice, clause.tree.span(name), message).help(help));
        }
    }

    /// Warns of a predicate that gives a number and is called as a goal. That it gives a number
    /// follows from comparisons, or from its clauses.
    pub(super) fn mixed(&mut self, uses: &[PredicateUse]) {
        let mut told = Vec::new();
        for goal in uses.iter().filter(|goal| !goal.as_number) {
            let number = uses.iter().find(|other| other.as_number && other.callee == goal.callee);
            let known = number.is_some() || self.counts(goal.callee);
            if !known || told.contains(&(goal.name, goal.arity)) {
                continue;
            }
            told.push((goal.name, goal.arity));
            let name = goal.name.text();
            let help =
                format!("compare the number, as in {name} > 0 or {name} < root({name}); or give the goal another name");
            let problem =
                Problem::warning(Code::NumberAsCondition, goal.span, format!("{name}/{} gives a number", goal.arity))
                    .label("here it is a goal, called with the position and the root")
                    .help(help);
            self.problems.push(match number {
                Some(number) => problem.also(number.span, "here it is a number"),
                None => problem,
            });
        }
    }

    /// Whether the last argument of a predicate is a number, or a part of the position, in every clause.
    fn counts(&self, callee: Callee) -> bool {
        let Callee::User(pred) = callee else { return false };
        let clauses = &self.program.predicate(pred).clauses;
        !clauses.is_empty() && clauses.iter().all(|clause| self.counts_in(clause))
    }

    fn counts_in(&self, clause: &Clause) -> bool {
        let tree = &clause.tree;
        let [.., position, last] = tree.args(clause.head) else { return false };
        match tree.kind(*last) {
            TermKind::Int(_) | TermKind::Float(_) => true,
            TermKind::Var(number) => {
                let part = !matches!(tree.kind(*position), TermKind::Var(_)) && tree.holds_variable(*position, *number);
                part || self.computed(clause, *number)
            }
            _ => false,
        }
    }

    /// Whether a goal of a body is `Variable is ...`.
    fn computed(&self, clause: &Clause, variable: u32) -> bool {
        let mut found = false;
        each_goal(&clause.body, &mut |goal| {
            if let Goal::Call { callee: Callee::Native(id), args, .. } = goal
                && self.program.known.row(*id).name == "is"
            {
                found |= *clause.tree.kind(args[0]) == TermKind::Var(variable);
            }
        });
        found
    }

    /// Warns of a rule after one that applies to every position.
    pub(super) fn silent(&mut self, rules: &[Clause]) {
        let always = rules.iter().position(|clause| matches!(clause.body, Goal::True));
        let Some(always) = always else { return };
        // A list that the condition does not bind is a fault of its own.
        let Some(later) = rules.get(always + 1) else { return };
        let message = "this rule is never used";
        self.problems.push(
            Problem::warning(Code::AdviceNeverApplies, later.span, message)
                .also(rules[always].span, "this rule applies to every position, so later rules are not used")
                .help("move the rule before the other, or remove it"),
        );
    }
}

/// The name in a fact of `advice/2`.
pub(super) fn name_of(piece: &Clause) -> NodeId {
    piece.tree.args(piece.head)[0]
}

/// The elements of a list, whatever it ends with.
fn items(tree: &TermTree, list: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut rest = list;
    while let Some((item, tail)) = tree.binary(rest, alphorn_text::symbol::atoms::DOT) {
        found.push(item);
        rest = tail;
    }
    found
}

/// Whether a term is a variable, or a list that ends in one.
fn ends_open(tree: &TermTree, list: NodeId) -> bool {
    let mut rest = list;
    while let Some((_, tail)) = tree.binary(rest, alphorn_text::symbol::atoms::DOT) {
        rest = tail;
    }
    matches!(tree.kind(rest), TermKind::Var(_))
}

/// Whether two terms may be equal, as far as their shapes tell.
fn may_fit(left: &TermTree, at: NodeId, right: &TermTree, other: NodeId) -> bool {
    let mut stack = vec![(at, other)];
    while let Some((one, two)) = stack.pop() {
        let fits = match (left.kind(one), right.kind(two)) {
            (TermKind::Var(_), _) | (_, TermKind::Var(_)) => true,
            (TermKind::Compound(..), _) | (_, TermKind::Compound(..)) => {
                stack.extend(left.args(one).iter().copied().zip(right.args(two).iter().copied()));
                left.functor(one) == right.functor(two)
            }
            (one, two) => one == two,
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Help that names the overlay which replaced a definition.
pub(super) fn repeat(program: &Program, was: &Replaced) -> String {
    format!("{}; repeat the clause there", was.describe(&program.sources))
}
