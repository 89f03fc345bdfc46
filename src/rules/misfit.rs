//! Clauses whose heads can match no position, or no label, of the game.
//!
//! In: a program, its contract, what positions and labels look like. Out: a warning for each clause
//! that never applies because its head has another shape, and for moves to positions that no
//! predicate takes. Runs nothing; called by `contract` alone.

use crate::lang::ast::{Kind, NodeId, Tree};
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program};
use crate::report::Problem;
use crate::rules::contract::Contract;
use crate::rules::shape::{Form, Shape};
use crate::rules::shapes::{self, Known, heads};
use crate::source::Span;
use crate::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// Programs of more clauses were not written by hand, and are not compared: A0311 says so.
const MOST: usize = 5_000;

/// Compares heads with positions and labels.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let written = program.predicates.iter().filter(|pred| pred.key.scope != PRELUDE);
    if contract.initial.is_none() || written.map(|pred| pred.clauses.len()).sum::<usize>() > MOST {
        return;
    }
    // What else is wrong with the text may be why nothing fits.
    if problems.iter().any(|problem| problem.code == "A0509") {
        return;
    }
    let Some(known) = shapes::of(program, contract) else { return };
    let told: FxHashSet<Span> =
        problems.iter().filter(|problem| problem.code == "A0309").map(|problem| problem.labels[0].0).collect();
    let judge = Judge { program, contract, known: &known, built: built(program, contract) };
    let mut found = Vec::new();
    for (pred, modes) in contract.questions() {
        if modes.starts_with('+') && contract.read_position != Some(pred) {
            found.extend(judge.clauses(pred, 0, "A0311", "position", &known.positions));
        }
        if modes.starts_with("++") && contract.labelled.is_some() {
            found.extend(judge.clauses(pred, 1, "A0312", "label", &known.labels));
        }
    }
    found.extend(judge.untaken());
    found.retain(|problem| !told.contains(&problem.labels[0].0));
    problems.extend(found);
}

struct Judge<'a> {
    program: &'a Program,
    contract: &'a Contract,
    known: &'a Known,
    /// The terms that rules may make, by name and number of arguments; `None` where they may make any.
    built: Option<FxHashSet<(Atom, usize)>>,
}

/// The names of terms that stand anywhere but in the places of heads that take positions or labels.
fn built(program: &Program, contract: &Contract) -> Option<FxHashSet<(Atom, usize)>> {
    let takes: Vec<(PredId, usize)> = contract
        .questions()
        .into_iter()
        .filter(|(pred, _)| contract.read_position != Some(*pred))
        .flat_map(|(pred, modes)| (0..modes.chars().take_while(|mode| *mode == '+').count()).map(move |at| (pred, at)))
        .collect();
    let mut found = FxHashSet::default();
    for (number, pred) in program.predicates.iter().enumerate().filter(|(_, pred)| pred.key.scope != PRELUDE) {
        for clause in &pred.clauses {
            let args = clause.tree.args(clause.head).iter().enumerate();
            let skipped: FxHashSet<NodeId> =
                args.filter(|(at, _)| takes.contains(&(PredId(number as u32), *at))).map(|(_, node)| *node).collect();
            for (node, _) in clause.tree.nodes().filter(|(node, _)| *node != clause.head && !skipped.contains(node)) {
                found.extend(clause.tree.functor(node));
            }
        }
    }
    for expectation in &program.expectations {
        found.extend(expectation.tree.nodes().filter_map(|(node, _)| expectation.tree.functor(node)));
    }
    let makers = [("=..", 2), ("functor", 3), ("term_to_atom", 2), ("compound_name_arguments", 3)];
    (!makers.into_iter().any(|(name, arity)| found.contains(&(Atom::new(name), arity)))).then_some(found)
}

impl Judge<'_> {
    /// The clauses of a predicate whose argument at a place is no position, or no label.
    fn clauses(
        &self,
        pred: PredId,
        place: usize,
        code: &'static str,
        what: &'static str,
        shape: &Shape,
    ) -> Vec<Problem> {
        let others = self.asked_otherwise(pred, place);
        let Some(others) = others else { return Vec::new() };
        let misfits = heads(self.program, pred, place).filter(|(clause, node)| {
            let tree = &clause.tree;
            let called =
                others.iter().any(|(other, arg)| crate::lang::check::answers::may_match(other, *arg, tree, *node));
            !called && self.is_misfit(clause, *node, shape)
        });
        misfits.map(|(clause, node)| self.problem(clause, node, (code, what, shape))).collect()
    }

    fn is_misfit(&self, clause: &Clause, node: NodeId, shape: &Shape) -> bool {
        let tree = &clause.tree;
        match shape {
            // Nothing is known to be made, so nothing is wrong with what is taken.
            Shape::Of(forms) if forms.is_empty() => false,
            Shape::Of(_) => !shape.may_be(tree, node),
            Shape::Any => {
                let Some((name, arity)) = tree.functor(node).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT)
                else {
                    return false;
                };
                self.built.as_ref().is_some_and(|built| !built.contains(&(name, arity)))
            }
        }
    }

    /// The arguments that rules themselves call a predicate with, as far as they are written out;
    /// `None` where one may be anything.
    fn asked_otherwise(&self, wanted: PredId, place: usize) -> Option<Vec<(&Tree, NodeId)>> {
        let name = self.program.predicate(wanted).key.name;
        let taking = self.contract.questions();
        let mut found = Vec::new();
        for (number, pred) in self.program.predicates.iter().enumerate() {
            if pred.key.scope == PRELUDE {
                continue;
            }
            let takes = taking.iter().find(|(id, _)| *id == PredId(number as u32)).map_or("", |(_, modes)| *modes);
            for clause in &pred.clauses {
                let tree = &clause.tree;
                // Named other than by a call: who knows what it is called with.
                let calls = called(clause, wanted);
                let named = tree.nodes().filter(|(node, kind)| {
                    *node != clause.head
                        && matches!(kind, Kind::Atom(other) | Kind::Compound(other, _) if *other == name)
                });
                if named.count() > calls.len() {
                    return None;
                }
                for args in calls {
                    let arg = *args.get(place)?;
                    match tree.kind(arg) {
                        // What is a position by its place in the head, or by the answer of a game predicate.
                        Kind::Var(number) if self.is_asked(clause, takes, *number, place) => {}
                        Kind::Var(_) => return None,
                        _ => found.push((tree, arg)),
                    }
                }
            }
        }
        Some(found)
    }

    /// Whether a variable of a clause is what a game predicate was asked about, or gave.
    fn is_asked(&self, clause: &Clause, takes: &str, number: u32, place: usize) -> bool {
        let tree = &clause.tree;
        let is = |node: NodeId| matches!(tree.kind(node), Kind::Var(other) if *other == number);
        if takes.chars().nth(place) == Some('+') && tree.args(clause.head).get(place).is_some_and(|arg| is(*arg)) {
            return true;
        }
        let gives = match place {
            0 => [(self.contract.initial, 0), (self.contract.labelled, 2), (self.contract.pass, 1)],
            _ => [(self.contract.labelled, 1), (None, 0), (None, 0)],
        };
        let mut given = false;
        each_goal(&clause.body, &mut |goal| {
            if let Goal::Call { callee: Callee::User(id), args, .. } = goal {
                given |= gives.iter().any(|(pred, at)| *pred == Some(*id) && args.get(*at).is_some_and(|arg| is(*arg)));
            }
        });
        given
    }

    /// Moves to positions that no predicate of the game takes.
    fn untaken(&self) -> Vec<Problem> {
        let contract = self.contract;
        let takers = [
            contract.moves,
            contract.labelled,
            contract.max_to_move,
            contract.min_to_move,
            contract.terminal,
            contract.static_eval,
            contract.outcome,
            contract.chance,
        ];
        let makers = [(contract.initial, 0), (contract.labelled, 2)];
        let mut found = Vec::new();
        for (maker, place) in makers.into_iter().filter_map(|(pred, place)| Some((pred?, place))) {
            for (clause, node) in heads(self.program, maker, place) {
                let tree = &clause.tree;
                let Some(functor) = tree.functor(node).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT) else {
                    continue;
                };
                let takes = |pred: PredId| {
                    heads(self.program, pred, 0).any(|(other, head)| match other.tree.functor(head) {
                        Some(taken) => taken == functor,
                        None => matches!(other.tree.kind(head), Kind::Var(_)),
                    })
                };
                if takers.into_iter().flatten().any(takes) {
                    continue;
                }
                let taken = takers.into_iter().flatten().find_map(|pred| {
                    heads(self.program, pred, 0)
                        .find_map(|(other, head)| Some((other.tree.functor(head)?, other.tree.span(head), pred)))
                });
                let Some(((name, arity), span, pred)) = taken else { continue };
                let message = format!("no game predicate takes the position {}", self.text(tree.span(node)));
                let there = format!("{} takes {}", self.program.indicator(pred), written(name, arity));
                found.push(Problem::warning("A0311", tree.span(node), message).also(span, there).help(format!(
                    "write {} here, or clauses that take {}",
                    written(name, arity),
                    written(functor.0, functor.1)
                )));
            }
        }
        found
    }

    fn text(&self, span: Span) -> &str {
        self.program.sources.text(span)
    }

    fn problem(
        &self,
        clause: &Clause,
        node: NodeId,
        (code, what, shape): (&'static str, &'static str, &Shape),
    ) -> Problem {
        let tree = &clause.tree;
        let own = tree.functor(node);
        let name = own.map(|(name, _)| name);
        let forms = match shape {
            Shape::Of(forms) => &forms[..],
            Shape::Any => &[],
        };
        // Of several, the one with the same name.
        let like = forms.iter().find(|form| matches!(form, Form::Compound(other, _) if Some(*other) == name));
        let like = like.or(forms.first());
        let message = format!("no {what} is {}, so this clause never applies", self.text(tree.span(node)));
        let listed: Vec<String> = forms.iter().map(|form| described(form, NESTED)).collect();
        let shown = match &listed[..] {
            [] => format!("no clause makes {}", own.map_or(String::new(), |(name, arity)| written(name, arity))),
            listed => format!("{what}s are {}", listed.join(" or ")),
        };
        let same =
            like.is_some_and(|form| matches!(form, Form::Compound(other, args) if own == Some((*other, args.len()))));
        let advice = match (like, same) {
            (Some(_), true) => "compare the arguments with those there, or remove the clause".to_string(),
            (Some(Form::Compound(name, args)), false) => {
                format!("write {}, or remove the clause", written(*name, args.len()))
            }
            (Some(form), _) => format!("change the head to take {}, or remove the clause", described(form, NESTED)),
            (None, _) => format!("change the head to a {what} that a clause makes, or remove the clause"),
        };
        let mut problem = Problem::warning(code, tree.span(node), message);
        let origin = like.and_then(|form| match form {
            Form::Compound(name, args) => self.known.made.get(&(*name, args.len())),
            _ => None,
        });
        if let Some(span) = origin {
            problem = problem
                .label(format!("this is {}", of_head(tree, node, NESTED)))
                .also(*span, format!("such a {what} is made here"));
        }
        problem.help(format!("{shown}\n{advice}"))
    }
}

/// The arguments of each call of a predicate in a clause.
fn called(clause: &Clause, wanted: PredId) -> Vec<&[NodeId]> {
    let mut found = Vec::new();
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee: Callee::User(id), args, .. } = goal
            && *id == wanted
        {
            found.push(&args[..]);
        }
    });
    found
}

/// So deep a shape is written out.
const NESTED: usize = 3;

/// `ut(_, _, _)`.
pub(super) fn written(name: Atom, arity: usize) -> String {
    with(name, &vec!["_".to_string(); arity])
}

/// A term with these arguments.
fn with(name: Atom, args: &[String]) -> String {
    let text = name.text();
    let is_symbol = !text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    match args {
        [] => text.to_string(),
        [left, right] if is_symbol => format!("{left}{text}{right}"),
        _ => format!("{text}({})", args.join(", ")),
    }
}

/// A head as it is written, without its variables and constants.
fn of_head(tree: &Tree, node: NodeId, depth: usize) -> String {
    match (tree.kind(node), tree.functor(node)) {
        (Kind::Compound(atoms::DOT, _), _) => "[...]".to_string(),
        (Kind::Compound(..), Some((name, _))) if depth > 0 => {
            let args: Vec<String> = tree.args(node).iter().map(|arg| of_head(tree, *arg, depth - 1)).collect();
            with(name, &args)
        }
        (Kind::Atom(name), _) if depth == NESTED => name.text().to_string(),
        (Kind::Int(number), _) if depth == NESTED => number.to_string(),
        _ => "_".to_string(),
    }
}

/// A form in words, with the shapes of arguments where those are known.
fn described(form: &Form, depth: usize) -> String {
    let inside = |shape: &Shape| match shape {
        Shape::Of(forms) if forms.len() == 1 && depth > 0 => match &forms[0] {
            Form::List(_) => "[...]".to_string(),
            form @ Form::Compound(..) => described(form, depth - 1),
            _ => "_".to_string(),
        },
        _ => "_".to_string(),
    };
    match form {
        Form::Atom => "atoms".to_string(),
        Form::Number => "numbers".to_string(),
        Form::Text => "texts".to_string(),
        Form::List(_) => "lists".to_string(),
        Form::Compound(name, args) => with(*name, &args.iter().map(inside).collect::<Vec<_>>()),
    }
}
