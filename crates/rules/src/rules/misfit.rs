//! Clauses whose heads can match no position, or no label, of the game.
//!
//! In: a program, its contract, what positions and labels look like. Out: a warning for each clause
//! that never applies because its head has another shape, and for moves to positions that no
//! predicate takes. Runs nothing; called by `contract` alone.

use crate::rules::contract::Contract;
use crate::rules::shape::{Form, Shape};
use crate::rules::shapes::{self, Known, heads};
use alphorn_lang::lang::ast::{Kind, NodeId, Tree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program};
use alphorn_lang::lang::read;
use alphorn_text::report::{Level, Problem};
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// Programs of more clauses were not written by hand, and are not compared: A0311 says so.
const MOST: usize = 5_000;

/// Places so many lines apart are drawn together.
const NEAR: usize = 3;

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
    let Some(known) = known(program, contract) else { return };
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
    found.extend(judge.claims());
    found.retain(|problem| !told.contains(&problem.labels[0].0));
    problems.extend(found);
}

/// What positions and labels look like. Positions of a name that the game itself never makes, which
/// expectations have, are problems that are set, if the game knows who is to move in them and more.
fn known(program: &Program, contract: &Contract) -> Option<Known> {
    let found = shapes::of(program, contract, &[])?;
    let Shape::Of(forms) = &found.positions else { return Some(found) };
    let made = |functor: (Atom, usize)| {
        forms.iter().any(|form| matches!(form, Form::Compound(name, args) if (*name, args.len()) == functor))
    };
    let sides = [contract.max_to_move, contract.min_to_move];
    let others = [contract.terminal, contract.moves, contract.labelled];
    let named = |preds: &[Option<PredId>], functor: (Atom, usize)| {
        let mut all = preds.iter().flatten().flat_map(|pred| heads(program, *pred, 0));
        all.any(|(clause, node)| clause.tree.functor(node) == Some(functor))
    };
    let functors = claimed(program).into_iter().filter_map(|(tree, node)| tree.functor(node));
    let set: Vec<(Atom, usize)> = functors
        .filter(|functor| functor.1 > 0 && !made(*functor) && named(&sides, *functor) && named(&others, *functor))
        .collect();
    if set.is_empty() { Some(found) } else { shapes::of(program, contract, &set) }
}

/// What is to be said of a position that a person types, if the game has none of its shape.
pub(super) fn odd(program: &Program, contract: &Contract, text: &str) -> Option<Problem> {
    let known = known(program, contract)?;
    let judge = Judge { program, contract, known: &known, built: built(program, contract) };
    let sentence = read::goal(SourceId(0), text, &program.ops).ok()??;
    if !judge.is_misfit(&sentence.tree, sentence.root, &known.positions) {
        return None;
    }
    let forms = match &known.positions {
        Shape::Of(forms) => forms.iter().map(|form| described(form, NESTED)).collect(),
        Shape::Any => Vec::new(),
    };
    let help = match &forms[..] {
        [] => "look at the positions that the rules make".to_string(),
        forms => format!("positions are {}", forms.join(" or ")),
    };
    let own = of_head(&sentence.tree, sentence.root, NESTED);
    let message = format!("no position of the game is like the one given, {own}");
    Some(Problem { level: Level::Warning, ..Problem::placeless("A0311", message) }.help(help))
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
    // Positions that are claimed are not made thereby.
    let positions: FxHashSet<Span> = claimed(program).into_iter().map(|(tree, node)| tree.span(node)).collect();
    for expectation in &program.expectations {
        let tree = &expectation.tree;
        if tree.nodes().any(|(node, _)| positions.contains(&tree.span(node))) {
            continue;
        }
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
            let called = others
                .iter()
                .any(|(other, arg)| alphorn_lang::lang::check::answers::may_match(other, *arg, tree, *node));
            !called && self.is_misfit(tree, *node, shape)
        });
        misfits.map(|(clause, node)| self.problem(clause, node, (code, what, shape))).collect()
    }

    /// Expectations of positions that are none.
    fn claims(&self) -> Vec<Problem> {
        let shape = &self.known.positions;
        let odd = claimed(self.program).into_iter().filter(|(tree, node)| self.is_misfit(tree, *node, shape));
        odd.map(|(tree, node)| {
            let message = format!("no position of the game is {}", self.text(tree.span(node)));
            self.compared(message, (tree, node), ("A0311", "position", shape), "expectation")
        })
        .collect()
    }

    fn is_misfit(&self, tree: &Tree, node: NodeId, shape: &Shape) -> bool {
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
        let takes = |functor: (Atom, usize)| {
            takers.into_iter().flatten().any(|pred| {
                heads(self.program, pred, 0).any(|(other, head)| match other.tree.functor(head) {
                    Some(taken) => taken == functor,
                    None => matches!(other.tree.kind(head), Kind::Var(_)),
                })
            })
        };
        let taken = takers.into_iter().flatten().find_map(|pred| {
            heads(self.program, pred, 0)
                .find_map(|(other, head)| Some((other.tree.functor(head)?, other.tree.span(head), pred)))
        });
        let Some(((name, arity), taker, pred)) = taken else { return Vec::new() };
        let wrong = self.literal_or_made().into_iter().filter(|(functor, _)| !takes(*functor));
        let told = wrong.map(|(functor, span)| {
            let message = format!("no game predicate takes the position {}", self.text(span));
            let there = format!("{} takes {}", self.program.indicator(pred), written(name, arity));
            let (sources, mut place) = (&self.program.sources, String::new());
            let mut problem = Problem::warning("A0311", span, message);
            let (line, other) = (sources.line_column(span).0, sources.line_column(taker).0);
            if taker.source == span.source && line.abs_diff(other) <= NEAR {
                problem = problem.also(taker, there);
            } else {
                place = format!("{there}, in {}:{other}\n", sources.get(taker.source).name);
            }
            problem.help(format!(
                "{place}write {} here, or clauses that take {}",
                written(name, arity),
                written(functor.0, functor.1)
            ))
        });
        told.collect()
    }

    /// The names that positions have, each with where it is made.
    fn literal_or_made(&self) -> Vec<((Atom, usize), Span)> {
        let mut found: Vec<((Atom, usize), Span)> = Vec::new();
        for (maker, place) in [(self.contract.initial, 0), (self.contract.labelled, 2)] {
            for (clause, node) in maker.into_iter().flat_map(|pred| heads(self.program, pred, place)) {
                let functor = clause.tree.functor(node).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT);
                found.extend(functor.map(|functor| (functor, clause.tree.span(node))));
            }
        }
        // Those that are made elsewhere.
        if let Shape::Of(forms) = &self.known.positions {
            for form in forms {
                let Form::Compound(name, args) = form else { continue };
                let functor = (*name, args.len());
                let span = self.known.made.get(&functor).filter(|_| self.is_only_made(functor));
                let literal = found.iter().any(|(other, _)| *other == functor);
                found.extend(span.filter(|_| !literal).map(|span| (functor, *span)));
            }
        }
        found
    }

    /// Whether terms of a name stand in one place only, so that no goal and no helper takes them apart:
    /// others may be what a helper answers with beside positions.
    fn is_only_made(&self, functor: (Atom, usize)) -> bool {
        let own = self.program.predicates.iter().filter(|pred| pred.key.scope != PRELUDE);
        // `win(max)` is no position there.
        let outcome = self.contract.outcome.map(|id| self.program.predicate(id).key);
        let trees = own.filter(|pred| Some(pred.key) != outcome).flat_map(|pred| &pred.clauses);
        let places = trees.flat_map(|clause| {
            clause.tree.nodes().filter(|(node, _)| *node != clause.head && clause.tree.functor(*node) == Some(functor))
        });
        places.count() == 1
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
        let message = format!("no {what} is {}, so this clause never applies", self.text(clause.tree.span(node)));
        self.compared(message, (&clause.tree, node), (code, what, shape), "clause")
    }

    /// A term of the wrong shape beside the right ones; `holder` is what it stands in.
    fn compared(
        &self,
        message: String,
        (tree, node): (&Tree, NodeId),
        (code, what, shape): (&'static str, &'static str, &Shape),
        holder: &str,
    ) -> Problem {
        let own = tree.functor(node);
        let forms = match shape {
            Shape::Of(forms) => &forms[..],
            Shape::Any => &[],
        };
        let named = |form: &&Form| matches!(form, Form::Compound(other, _) if own.is_some_and(|own| own.0 == *other));
        let as_many =
            |form: &&Form| matches!(form, Form::Compound(_, args) if own.is_some_and(|own| own.1 == args.len()));
        // Of several, the one that is most alike.
        let like = forms.iter().find(named).or_else(|| forms.iter().find(as_many)).or(forms.first());
        let listed: Vec<String> = forms.iter().map(|form| described(form, NESTED)).collect();
        let shown = match &listed[..] {
            [] => format!("no clause makes {}", own.map_or(String::new(), |(name, arity)| written(name, arity))),
            listed => format!("{what}s are {}", listed.join(" or ")),
        };
        let same =
            like.is_some_and(|form| matches!(form, Form::Compound(other, args) if own == Some((*other, args.len()))));
        let advice = match (like, same) {
            (Some(_), true) => format!("compare the arguments with those there, or remove the {holder}"),
            (Some(form @ Form::Compound(..)), false) => {
                format!("write {}, or remove the {holder}", described(form, NESTED))
            }
            (Some(form), _) => format!("write {}, or remove the {holder}", described(form, NESTED)),
            (None, _) => format!("write a {what} that a clause makes, or remove the {holder}"),
        };
        let mut problem = Problem::warning(code, tree.span(node), message);
        let origin = like.and_then(|form| match form {
            Form::Compound(name, args) => self.known.made.get(&(*name, args.len())),
            _ => None,
        });
        let mut place = String::new();
        if let Some(span) = origin {
            let sources = &self.program.sources;
            let (line, made) = (sources.line_column(tree.span(node)).0, sources.line_column(*span).0);
            problem = problem.label(format!("this is {}", of_head(tree, node, NESTED)));
            // All lines between two places of a file are drawn, and the upper one first.
            if span.source == tree.span(node).source && line.abs_diff(made) <= NEAR {
                problem = problem.also(*span, format!("such a {what} is made here"));
            } else {
                place = format!("\nsuch a {what} is made in {}:{made}", sources.get(span.source).name);
            }
        }
        problem.help(format!("{shown}{place}\n{advice}"))
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

/// The positions that expectations have.
fn claimed(program: &Program) -> Vec<(&Tree, NodeId)> {
    let mut found = Vec::new();
    for expectation in &program.expectations {
        let tree = &expectation.tree;
        let Some((what, _)) = tree.binary(expectation.claim, atoms::EQUAL) else { continue };
        let known = tree.functor(what).is_some_and(|(name, _)| matches!(name.text(), "value" | "best" | "perft"));
        let args = tree.args(what);
        let depth_alone = args.len() == 1 && tree.functor(what).is_some_and(|(name, _)| name.text() == "perft");
        if let (true, false, Some(first)) = (known, depth_alone, args.first()) {
            found.push((tree, *first));
        }
    }
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
