//! Reports expressions that are never computed, and terms in arithmetic that are not numbers.
//!
//! The warnings: `=`, `==` or an argument holds an expression as a term; `is/2` is reversed or contains
//! its own result; arithmetic gets an atom or a predicate. Games are unknown here. Called by
//! `check/mod.rs` alone.

use super::expressions::{Place, is_function, is_sum, numbers, places};
use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::foreign;
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, PredId, Program, Scope};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Reports expressions that are not computed, and those that cannot be.
pub fn slips(
    program: &Program,
    scope: Scope,
    clause: &Clause,
    held: &FxHashSet<(Atom, usize)>,
    problems: &mut Vec<Problem>,
) {
    let numbers = numbers(program, clause);
    let (taken, places, twins) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
    let mut look = ExpressionCheck { program, scope, clause, held, numbers, taken, places, twins, problems };
    each_goal(&clause.body, &mut |goal| match goal {
        Goal::Call { callee: Callee::Native(id), args, span } => match (program.known.row(*id).name, &args[..]) {
            ("is", &[left, right]) => look.is(left, right, *span),
            ("=:=", &[left, right]) => look.equal(left, right, "=:=", "=="),
            ("=\\=", &[left, right]) => look.equal(left, right, "=\\=", "\\=="),
            ("<" | ">" | "=<" | ">=", args) => args.iter().for_each(|arg| look.evaluated(*arg)),
            ("=", &[left, right]) => look.unified(left, right, *span),
            ("==", &[left, right]) => look.compared(left, right, "=:=", *span),
            ("\\==" | "\\=", &[left, right]) => look.compared(left, right, "=\\=", *span),
            _ => {}
        },
        Goal::Call { callee: Callee::User(id), args, .. } => look.passed_expressions(*id, args),
        Goal::Meta(node, _) => look.called(*node),
        _ => {}
    });
    if !look.numbers.is_empty() {
        look.expressions_in_terms();
    }
}

struct ExpressionCheck<'a> {
    program: &'a Program,
    scope: Scope,
    clause: &'a Clause,
    /// Name and arity of terms in heads. Rules use such terms as data, not as expressions.
    held: &'a FxHashSet<(Atom, usize)>,
    /// Variables of arithmetic goals: they stand for numbers.
    numbers: FxHashSet<u32>,
    /// Variables that goals use as numbers.
    taken: OnceCell<FxHashSet<u32>>,
    /// The argument places in which each variable occurs.
    places: OnceCell<FxHashMap<u32, FxHashSet<Place>>>,
    /// The variables by their names in lower case.
    twins: OnceCell<FxHashMap<String, usize>>,
    problems: &'a mut Vec<Problem>,
}

impl ExpressionCheck<'_> {
    fn tree(&self) -> &TermTree {
        &self.clause.tree
    }

    fn text(&self, node: NodeId) -> &str {
        self.program.sources.text(self.tree().span(node))
    }

    fn warn(&mut self, code: Code, span: Span, message: String, help: String) {
        self.problems.push(Problem::warning(code, span, message).help(help));
    }

    fn is(&mut self, left: NodeId, right: NodeId, span: Span) {
        let tree = self.tree();
        if let TermKind::Var(number) = tree.kind(left)
            && tree.holds_variable(right, *number)
            && left != right
        {
            let (name, whole) = (self.text(left).to_string(), self.text(right).to_string());
            let message = format!("{name} cannot be {whole}: a variable keeps its value");
            self.warn(
                Code::ExpressionNotComputed,
                span,
                message,
                format!("use a new variable: write {name}1 is {whole}, and {name}1 below"),
            );
        } else if let (Some((name, 1)), &[only]) = (tree.functor(left), tree.args(left))
            && self.text(left).contains('\n')
        {
            let (message, help) = (format!("the sign `{}` applies to the next line", name.text()), "remove the sign");
            let whole = self.text(only).to_string();
            self.warn(
                Code::ExpressionNotComputed,
                Span { end: tree.span(left).start + name.text().len() as u32, ..tree.span(left) },
                message,
                format!("{help}: the next goal begins with {whole}"),
            );
        } else if matches!(tree.kind(left), TermKind::Compound(name, _) if is_function(*name)) {
            let (expression, result) = (self.text(left), self.text(right));
            let help = match tree.kind(right) {
                TermKind::Var(_) => format!("the result goes on the left: write {result} is {expression}"),
                _ => format!("write {expression} =:= {result} to compare two numbers"),
            };
            self.warn(
                Code::ExpressionNotComputed,
                span,
                format!("is/2 does not compute its left side, {expression}"),
                help,
            );
        }
        self.evaluated(right);
    }

    /// Reports `X = N - K`, which builds a term.
    fn unified(&mut self, left: NodeId, right: NodeId, span: Span) {
        let (variable, expression) = match (self.tree().kind(left), self.tree().kind(right)) {
            (TermKind::Var(_), _) => (left, right),
            (_, TermKind::Var(_)) => (right, left),
            _ => return self.compared(left, right, "=:=", span),
        };
        if let TermKind::Var(own) = self.tree().kind(variable)
            && is_sum(self.tree(), expression)
            && self.tree().holds_variable(expression, *own)
        {
            let (name, whole) = (self.text(variable).to_string(), self.text(expression).to_string());
            let message = format!("{name} cannot be {whole}: a variable keeps its value");
            let help = format!("use a new variable: write {name}1 is {whole}, and {name}1 below");
            return self.warn(Code::ExpressionNotComputed, span, message, help);
        }
        if !self.is_expression(expression, variable) {
            return;
        }
        let (name, expression) = (self.text(variable), self.text(expression));
        let (message, help) = (format!("`=` does not compute {expression}"), format!("write {name} is {expression}"));
        self.warn(Code::ExpressionNotComputed, span, message, help);
    }

    /// Reports the comparison of an expression with a number, which never holds.
    fn compared(&mut self, left: NodeId, right: NodeId, instead: &str, span: Span) {
        let number = |node| matches!(self.tree().kind(node), TermKind::Int(_) | TermKind::Float(_) | TermKind::Big(_));
        let sum = |node| matches!(self.tree().kind(node), TermKind::Compound(name, _) if is_function(*name));
        if !((number(left) && sum(right)) || (sum(left) && number(right))) {
            return;
        }
        let expression = self.text(if sum(left) { left } else { right });
        let message = format!("{expression} is a term here and not computed, so it equals no number");
        let help = format!("write {} {instead} {}", self.text(left), self.text(right));
        self.warn(Code::ExpressionNotComputed, span, message, help);
    }

    /// Reports an expression passed to clauses with a number there: the recursion never meets its end.
    fn passed_expressions(&mut self, callee: PredId, args: &[NodeId]) {
        let clauses = &self.program.predicate(callee).clauses;
        for (place, arg) in args.iter().enumerate() {
            let (TermKind::Compound(name, _), &[left, right]) = (self.tree().kind(*arg), self.tree().args(*arg)) else {
                continue;
            };
            let name = *name;
            let sum = matches!(name.text(), "+" | "-" | "*" | "//" | "/")
                && matches!(self.tree().kind(left), TermKind::Var(_))
                && matches!(self.tree().kind(right), TermKind::Var(_) | TermKind::Int(_));
            if !sum || clauses.len() > MOST {
                continue;
            }
            let own = |clause: &Clause| clause.tree.args(clause.head)[place];
            let number = clauses.iter().any(|clause| matches!(clause.tree.kind(own(clause)), TermKind::Int(_)));
            let taken = clauses.iter().any(|clause| clause.tree.functor(own(clause)) == Some((name, 2)));
            if number && !taken {
                let (expression, variable) = (self.text(*arg).to_string(), self.text(left).to_string());
                let message = format!("{expression} is passed on as a term and not computed");
                let help = format!("write {variable}1 is {expression} before this goal, and {variable}1 here");
                let span = self.tree().span(*arg);
                self.warn(Code::ExpressionNotComputed, span, message, help);
            }
        }
    }

    /// Reports an expression where a similar term has its variable: `s(Q, N - K)` beside `s(P, N)`.
    fn expressions_in_terms(&mut self) {
        let tree = &self.clause.tree;
        let sums = tree.nodes().filter(|(_, kind)| matches!(kind, TermKind::Compound(name, _) if !is_function(*name)));
        let places =
            sums.flat_map(|(node, _)| tree.args(node).iter().enumerate().map(move |(at, arg)| (node, at, *arg)));
        let places: Vec<_> = places.collect();
        // Variables as arguments, collected once, because a clause may have very many terms.
        let variables: FxHashSet<_> = places
            .iter()
            .filter_map(|(node, place, arg)| match tree.kind(*arg) {
                TermKind::Var(one) => Some((tree.functor(*node), *place, *one)),
                _ => None,
            })
            .collect();
        let mut found = Vec::new();
        for (node, place, sum) in places {
            // A quick test first: most arguments are not expressions, and bodies may nest deeply.
            if !matches!(tree.functor(sum), Some((name, 2)) if is_function(name)) || !is_sum(tree, sum) {
                continue;
            }
            let operands = tree.variables_of(sum);
            if !operands.iter().all(|one| self.numbers.contains(one)) {
                continue;
            }
            let computed = tree.functor(node).is_some_and(|(name, arity)| {
                matches!(name, atoms::COMMA | atoms::EQUAL | atoms::DOT | atoms::NECK)
                    || self.program.known.is_function(name, arity)
                    || self.program.resolve(self.scope, name, arity).is_some()
            });
            let like = |one: &u32| variables.contains(&(tree.functor(node), place, *one));
            if !computed && operands.iter().any(like) {
                found.push(sum);
            }
        }
        for sum in found {
            let message = format!("{} is part of a term here and not computed", self.text(sum));
            let help = format!("write the goal New is {} before this one, and New here", self.text(sum));
            self.warn(Code::ExpressionNotComputed, self.clause.tree.span(sum), message, help);
        }
    }

    /// Reports a variable as a goal with a comment behind it.
    fn called(&mut self, node: NodeId) {
        let span = self.tree().span(node);
        let behind = Span { start: span.end, end: self.clause.span.end, ..span };
        let rest = self.program.sources.text(behind);
        let variable = matches!(self.tree().kind(node), TermKind::Var(_));
        if variable && rest.trim_start_matches([' ', '\t']).starts_with('%') {
            let message = format!("the variable {} is called as a goal", self.text(node));
            let help = "`%` begins a comment; for the remainder of a division write mod: A mod B =:= 0".to_string();
            self.warn(Code::InvalidInArithmetic, span, message, help);
        }
    }

    /// Checks both sides of a numeric comparison. An atom needs a comparison of terms.
    fn equal(&mut self, left: NodeId, right: NodeId, operator: &str, instead: &str) {
        let atom = |node: NodeId| match self.tree().kind(node) {
            TermKind::Atom(name) => !self.program.known.is_function(*name, 0) && self.variable_like(*name).is_none(),
            _ => false,
        };
        let plain = |node| matches!(self.tree().kind(node), TermKind::Var(_) | TermKind::Atom(_));
        let Some(one) = [left, right].into_iter().find(|node| atom(*node) && plain(left) && plain(right)) else {
            return [left, right].into_iter().for_each(|node| self.evaluated(node));
        };
        let message = format!("{} is not a number, and {operator} compares numbers", self.text(one));
        let help = format!("write {} {instead} {} to compare terms", self.text(left), self.text(right));
        self.warn(Code::InvalidInArithmetic, self.tree().span(one), message, help);
    }

    /// The variable whose name in lower case is this atom.
    fn variable_like(&self, name: Atom) -> Option<&str> {
        let variables = &self.tree().variables;
        let twins = self.twins.get_or_init(|| {
            let named = variables.iter().enumerate().rev();
            named.map(|(number, variable)| (variable.name.to_lowercase(), number)).collect()
        });
        twins.get(name.text()).map(|number| &*variables[*number].name)
    }

    /// Reports parts of an expression that arithmetic cannot evaluate.
    fn evaluated(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            let tree = self.tree();
            let args = tree.args(at).to_vec();
            match tree.kind(at) {
                TermKind::Compound(name, _) if name.text() == "\\" && self.is_plus(args[0]) => {
                    let help = "write \\+ without a blank between the two signs".to_string();
                    let message = "`\\ +` are two arithmetic operators, not the one operator `\\+`".to_string();
                    self.warn(Code::InvalidInArithmetic, tree.span(at), message, help);
                }
                TermKind::Compound(atoms::DOT, _) => continue,
                TermKind::Atom(name) | TermKind::Compound(name, _)
                    if !self.program.known.is_function(*name, args.len()) =>
                {
                    let (name, span) = (*name, tree.span(at));
                    let what = if args.is_empty() { "not a number" } else { "not an arithmetic function" };
                    let twin = self.variable_like(name).filter(|_| args.is_empty() && !self.text(at).starts_with('\''));
                    let edits = twin.map(|twin| (span, twin.to_string())).into_iter().collect();
                    let problem =
                        Problem::warning(Code::InvalidInArithmetic, span, format!("{} is {what}", self.text(at)));
                    self.problems.push(Problem { edits, ..problem.help(self.meant(at, name, &args)) });
                }
                TermKind::Text(text) if text.chars().count() != 1 => {
                    self.warn(
                        Code::InvalidInArithmetic,
                        tree.span(at),
                        format!("{} is not a number", self.text(at)),
                        JOIN.to_string(),
                    );
                }
                _ => stack.extend(args.iter().rev()),
            }
        }
    }

    fn is_plus(&self, node: NodeId) -> bool {
        matches!(self.tree().functor(node), Some((name, 1)) if name.text() == "+")
    }

    fn meant(&self, at: NodeId, name: Atom, args: &[NodeId]) -> String {
        let text = self.text(at);
        if args.is_empty() {
            return match self.variable_like(name) {
                _ if text.starts_with('\'') => JOIN.to_string(),
                Some(variable) => format!("did you mean {variable}? a variable begins with a capital letter"),
                None => format!(
                    "write a number or a variable; a variable begins with a capital letter; if {name} is a predicate, call it first",
                    name = name.text()
                ),
            };
        }
        let given = args.iter().map(|arg| self.text(*arg)).collect::<Vec<_>>().join(", ");
        let defined = |arity| self.program.resolve(self.scope, name, arity).is_some();
        if defined(args.len() + 1) {
            return format!(
                "{}/{} is a predicate: write {0}({given}, Number) before this goal, and Number here",
                name.text(),
                args.len() + 1,
            );
        }
        if let Some(predicate) = foreign::function(name.text(), args.len()) {
            return format!(
                "a predicate computes this: write {predicate}({given}, Number) before this goal, and Number here"
            );
        }
        if defined(args.len()) {
            return format!(
                "{}/{} is a predicate, which does not return a number: add an argument for the number, write \
                 {0}({given}, Number) before this goal, and Number here",
                name.text(),
                args.len(),
            );
        }
        let exists = |name: &str, arity| self.program.known.is_function(Atom::new(name), arity);
        crate::lang::near::function_help(name.text(), &given, args.len(), exists)
    }

    /// Whether a term is surely an expression to compute for a variable. `A + B` is correct in rules
    /// that process terms, so there must be a sign that a number is meant.
    fn is_expression(&self, node: NodeId, variable: NodeId) -> bool {
        let (tree, TermKind::Var(own)) = (self.tree(), self.tree().kind(variable)) else { return false };
        if !is_sum(tree, node) || tree.functor(node).is_some_and(|functor| self.held.contains(&functor)) {
            return false;
        }
        let operands = tree.variables_of(node);
        let numbers = operands.iter().all(|number| self.numbers.contains(number));
        let alike = || operands.iter().any(|other| self.share_place(*own, *other));
        self.answers_number(*own) || (numbers && (alike() || self.taken_as_number(*own)))
    }

    /// Whether the head has a variable where another clause of the predicate has a number.
    fn answers_number(&self, own: u32) -> bool {
        let (tree, head) = (self.tree(), self.clause.head);
        let place = tree.args(head).iter().position(|arg| *tree.kind(*arg) == TermKind::Var(own));
        let (Some(place), Some((name, arity))) = (place, tree.functor(head)) else { return false };
        let callee = self.program.resolve(self.scope, name, arity);
        matches!(callee, Some(Callee::User(id)) if self.has_numbers(id, place))
    }

    /// Whether a goal passes a variable to clauses with a number there, or compares it with one by `==`.
    fn taken_as_number(&self, own: u32) -> bool {
        self.taken.get_or_init(|| self.taken_as_numbers()).contains(&own)
    }

    /// All variables for which [`ExpressionCheck::taken_as_number`] holds.
    fn taken_as_numbers(&self) -> FxHashSet<u32> {
        let (mut found, mut known) = (FxHashSet::default(), FxHashMap::default());
        let variable = |node: &NodeId| if let TermKind::Var(one) = self.tree().kind(*node) { Some(*one) } else { None };
        let number = |node: &NodeId| matches!(self.tree().kind(*node), TermKind::Int(_) | TermKind::Float(_));
        each_goal(&self.clause.body, &mut |goal| match goal {
            Goal::Call { callee: Callee::User(id), args, .. } => {
                let variables = args.iter().enumerate().filter_map(|(place, arg)| Some((place, variable(arg)?)));
                found.extend(
                    variables
                        .filter(|(place, _)| {
                            *known.entry((*id, *place)).or_insert_with(|| self.has_numbers(*id, *place))
                        })
                        .map(|(_, one)| one),
                );
            }
            Goal::Call { callee: Callee::Native(id), args, .. }
                if matches!(self.program.known.row(*id).name, "==" | "\\==") && args.iter().any(number) =>
            {
                found.extend(args.iter().filter_map(variable));
            }
            _ => {}
        });
        found
    }

    /// Whether two variables occur at the same argument place, so that they have the same type.
    fn share_place(&self, one: u32, other: u32) -> bool {
        let places = self.places.get_or_init(|| places(self.tree()));
        let (Some(one), Some(other)) = (places.get(&one), places.get(&other)) else { return false };
        !one.is_disjoint(other)
    }

    /// Whether clause heads have a number at an argument, and none has an expression.
    fn has_numbers(&self, id: PredId, place: usize) -> bool {
        let clauses = &self.program.predicate(id).clauses;
        let kind = |clause: &Clause| clause.tree.kind(clause.tree.args(clause.head)[place]).clone();
        clauses.len() <= MOST
            && clauses.iter().any(|clause| matches!(kind(clause), TermKind::Int(_) | TermKind::Float(_)))
            && !clauses.iter().any(|clause| matches!(kind(clause), TermKind::Compound(name, _) if is_function(name)))
    }
}

/// Reports expressions as answers of a predicate that must give numbers; `place` is the argument of
/// the answer.
pub fn answers(program: &Program, clause: &Clause, place: usize) -> Vec<Problem> {
    let tree = &clause.tree;
    let text = |node: NodeId| program.sources.text(tree.span(node));
    let answer = tree.args(clause.head)[place];
    let told = |span, sum, name: &str| {
        Problem::warning(Code::ExpressionNotComputed, span, format!("{} is a term here and not computed", text(sum)))
            .help(format!("write {name} is {}", text(sum)))
    };
    if is_sum(tree, answer) {
        let help = format!("write a variable here, and the goal Value is {} in the body", text(answer));
        return vec![told(tree.span(answer), answer, "Value").help(help)];
    }
    let mut found = Vec::new();
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee: Callee::Native(id), args, span } = goal else { return };
        if let ("=", &[left, right]) = (program.known.row(*id).name, &args[..])
            && matches!(tree.kind(answer), TermKind::Var(_))
        {
            let pair = [(left, right), (right, left)].into_iter();
            let mut pair = pair.filter(|(one, other)| tree.kind(*one) == tree.kind(answer) && is_sum(tree, *other));
            found.extend(pair.next().map(|(name, sum)| told(*span, sum, text(name))));
        }
    });
    found
}

/// Predicates with more clauses are generated tables.
const MOST: usize = 1_000;

const JOIN: &str = "to join texts, write atomic_list_concat([A, B], Text)";
