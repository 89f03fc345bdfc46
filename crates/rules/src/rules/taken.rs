//! Finds positions that play reaches and that the rules do not take.
//!
//! The input is the shapes of the positions that play makes. A warning reports each shape, or part
//! of one, for which no rule gives the side to move, moves, or an end of the game. A head that is a
//! variable takes what the goals of its body take. Nothing is run. Only `misfit` calls this
//! check.

use crate::rules::contract::{Contract, says_no_moves};
use crate::rules::game_shapes::GameShapes;
use crate::rules::heads::heads;
use crate::rules::library::{library_name, rows};
use crate::rules::meet::{ShapeMatch, is_permuted};
use crate::rules::shape::{Form, Origin, Shape};
use crate::rules::sketch::{are_drawn_together, of_term, quoted, written};
use crate::rules::succeeds::{fits_types, may_succeed};
use crate::rules::{flows, origins, unnamed};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Goal, PRELUDE, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Parts of positions below this depth are not followed.
const DEEPEST: usize = 3;

/// A predicate with more clauses is a table that was not written by hand.
const MOST_CLAUSES: usize = 1_000;

/// The beginning of the warning about a position that no predicate of the game takes.
pub(super) const NOTHING: &str = "no game predicate matches";

/// The beginning of the warning about a first position without moves.
pub(super) const NO_MOVES: &str = "no clause of ";

/// The warnings about the positions that are made.
#[derive(Default)]
struct Found {
    /// Whole positions that no clause matches.
    whole: Vec<Problem>,
    /// Parts of positions, and positions with exchanged arguments.
    parts: Vec<Problem>,
}

/// Warnings about what is made and not taken: about whole positions, and about parts of them.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes) -> (Vec<Problem>, Vec<Problem>) {
    let Shape::Of(forms) = &known.played else { return Default::default() };
    let mut made = FxHashSet::default();
    origins(&known.played, &mut made);
    let judge = TakenChecker { program, contract, made, places: places(program, contract) };
    let mut found = Found::default();
    for form in forms {
        judge.form(form, &mut Vec::new(), &mut found);
        judge.written(form, known, &mut found);
    }
    judge.unanswered(known, &mut found);
    let lack = |shape: &Shape, span: Span| Some(judge.lack(shape, judge.opens(span))?.0);
    found.whole.extend(unnamed::check(program, known, lack));
    (found.whole, found.parts)
}

/// Adds every place that makes a part of a shape.
pub(super) fn origins(shape: &Shape, found: &mut FxHashSet<Span>) {
    let Shape::Of(forms) = shape else { return };
    for form in forms {
        match form {
            Form::Compound(_, args, _) => args.iter().for_each(|arg| origins(arg, found)),
            Form::List(of) => origins(of, found),
            Form::Row(elements, _) => elements.iter().for_each(|element| origins(element, found)),
            _ => {}
        }
        found.extend(form.functor().into_iter().flat_map(|(_, spans)| spans));
    }
}

/// The places of all terms by functor, except in heads that take positions, and in results.
fn places(program: &Program, contract: &Contract) -> FxHashMap<(Atom, usize), Vec<Span>> {
    let takes: FxHashMap<PredId, &str> = contract.questions().into_iter().collect();
    let mut found: FxHashMap<(Atom, usize), Vec<Span>> = FxHashMap::default();
    for (number, pred) in program.predicates.iter().enumerate().filter(|(_, pred)| pred.key.scope != PRELUDE) {
        let id = PredId(number as u32);
        let modes = takes.get(&id).copied().unwrap_or("");
        for clause in &pred.clauses {
            let tree = &clause.tree;
            let mut skipped: FxHashSet<NodeId> = FxHashSet::default();
            skipped.insert(clause.head);
            for (place, arg) in tree.args(clause.head).iter().enumerate() {
                // A result such as `win(max)` is no position.
                let result = contract.outcome == Some(id) && place == 1;
                if modes.chars().nth(place) == Some('+') && contract.read_position != Some(id) || result {
                    let mut stack = vec![*arg];
                    while let Some(node) = stack.pop() {
                        skipped.insert(node);
                        stack.extend(tree.args(node));
                    }
                }
            }
            for (node, _) in tree.nodes().filter(|(node, _)| !skipped.contains(node)) {
                if let Some(functor) = tree.functor(node) {
                    found.entry(functor).or_default().push(tree.span(node));
                }
            }
        }
    }
    found
}

pub(super) struct TakenChecker<'a> {
    pub(super) program: &'a Program,
    contract: &'a Contract,
    made: FxHashSet<Span>,
    places: FxHashMap<(Atom, usize), Vec<Span>>,
}

/// A term in a head: whether it is like the made term, its functor, text and place, the predicate.
type Head = (bool, Option<(Atom, usize)>, String, Span, PredId);

/// The terms in heads, and the place of one with the same functor.
type Instead = (Vec<Head>, Option<(Span, PredId)>);

/// A path into a position: name, arity and argument number at each level.
type Path = Vec<(Atom, usize, usize)>;

impl TakenChecker<'_> {
    /// Whether a place is in a clause of `initial/1`.
    pub(super) fn opens(&self, span: Span) -> bool {
        let openings = self.contract.initial.map_or(&[][..], |pred| &self.program.predicate(pred).clauses);
        openings.iter().any(|clause| clause.span.contains(span))
    }

    /// Checks each position in the text by itself, without the parts of other positions.
    fn written(&self, form: &Form, known: &GameShapes, found: &mut Found) {
        let Some((functor, spans)) = form.functor() else { return };
        for span in spans {
            let Some(shape) = known.written.get(span) else { continue };
            if found.whole.iter().chain(&found.parts).any(|other| span.contains(other.labels[0].0)) {
                continue;
            }
            if let Some((lack, preds)) = self.lack(shape, self.opens(*span)) {
                found.whole.push(self.problem(*span, functor, &[], (&lack, &preds)));
            }
        }
    }

    /// Checks each whole position that is made somewhere. If a predicate that every position needs
    /// takes other positions, it must take this one too.
    fn unanswered(&self, known: &GameShapes, found: &mut Found) {
        let Shape::Of(forms) = &known.positions else { return };
        let contract = self.contract;
        let made: Vec<(Span, (Atom, usize))> = forms
            .iter()
            .filter_map(Form::functor)
            .flat_map(|(functor, spans)| spans.iter().map(move |span| (*span, functor)))
            .collect();
        let moves = contract.labelled.or(contract.moves);
        for (span, functor) in &made {
            let Some(own) = known.written.get(span) else { continue };
            if found.whole.iter().chain(&found.parts).any(|problem| problem.labels[0].0 == *span) {
                continue;
            }
            let others: Vec<&Shape> = made
                .iter()
                .filter(|(other, _)| other != span)
                .filter_map(|(other, _)| known.written.get(other))
                .collect();
            let all = |pred: PredId| -> Vec<Shape> {
                let heads = heads(self.program, pred, 0);
                heads.map(|(clause, head)| flows::taken(self.program, clause, head, DEEPEST + 2)).collect()
            };
            let lacks = |pred: PredId| {
                let takes = all(pred);
                let never = takes.iter().all(|takes| takes.meet(own) == ShapeMatch::Never);
                never && others.iter().any(|other| takes.iter().any(|takes| takes.meet(other) == ShapeMatch::Fits))
            };
            // A position may be made only for the end of a game.
            let goes_on = |other: &&&Shape| {
                moves.is_none_or(|pred| all(pred).iter().any(|takes| takes.meet(other) == ShapeMatch::Fits))
            };
            let ends = |takes: &Shape| {
                *takes != Shape::Any
                    && takes.meet(own) == ShapeMatch::Fits
                    && others.iter().filter(goes_on).all(|other| takes.meet(other) != ShapeMatch::Fits)
            };
            let decided = contract.outcome.is_some_and(|pred| all(pred).iter().any(ends));
            let over = match contract.terminal {
                Some(pred) => all(pred).iter().any(|takes| *takes == Shape::Any || ends(takes)),
                None => decided || contract.static_eval.is_some_and(|pred| all(pred).iter().any(ends)),
            };
            let waits = [contract.pass, contract.chance].iter().flatten().any(|pred| !lacks(*pred)) || over;
            let asked = [moves.filter(|_| !waits), contract.static_eval.filter(|_| !(over && decided)), contract.show];
            let permuted = others.iter().all(|other| is_permuted(own, other));
            if others.len() == 1 && permuted && self.opens(*span)
                || others.len() > 1 && (permuted || others.iter().all(|other| own.is_turned(other)))
            {
                let text = quoted(&self.program.sources, *span);
                let message =
                    format!("the position {text} has its arguments in another order than all other positions");
                let like = made.iter().find(|(other, _)| other != span);
                let like = like.map_or(String::new(), |(other, _)| self.cited(*other));
                found.parts.push(
                    Problem::warning(Code::ClauseMatchesNoPosition, *span, message)
                        .help(format!("write the arguments as in {like}")),
                );
            } else if let Some(pred) = asked.into_iter().flatten().find(|pred| lacks(*pred)) {
                let lack = format!("no clause of {} matches", self.program.indicator(pred));
                let problem = self.problem(*span, *functor, &[], (&lack, &[pred]));
                found.whole.push(match all(pred).first() {
                    Some(takes) => origins::with_part(problem, "position", (takes, own), *span),
                    None => problem,
                });
            }
        }
    }

    /// A term with its place.
    fn cited(&self, span: Span) -> String {
        let sources = &self.program.sources;
        let (file, line) = (&sources.get(span.source).name, sources.line_column(span).0);
        format!("{}, in {file}:{line}", quoted(sources, span))
    }

    /// Checks a form at the end of a path, and its parts.
    fn form(&self, form: &Form, path: &mut Path, found: &mut Found) {
        let Some((functor, spans)) = form.functor() else { return };
        let alone = match form {
            Form::Compound(name, args, _) => Form::Compound(*name, vec![Shape::Any; args.len()], Origin::default()),
            Form::Row(elements, _) => Form::Row(vec![Shape::Any; elements.len()], Origin::default()),
            form => form.clone(),
        };
        let position = path.iter().rev().fold(alone, |inner, (name, arity, place)| {
            let mut args = vec![Shape::Any; *arity];
            args[*place] = Shape::of(vec![inner]);
            match *name {
                atoms::DOT => Form::Row(args, Origin::default()),
                name => Form::Compound(name, args, Origin::default()),
            }
        });
        if let Some((lack, preds)) = self.lack(&Shape::of(vec![position]), false) {
            if self.is_only_made(functor) {
                let of = if path.is_empty() { &mut found.whole } else { &mut found.parts };
                of.extend(spans.iter().map(|span| self.problem(*span, functor, path, (&lack, &preds))));
            }
            return;
        }
        let (name, args) = match form {
            Form::Compound(name, args, _) => (*name, args),
            Form::Row(elements, _) => (atoms::DOT, elements),
            _ => return,
        };
        if path.len() < DEEPEST {
            for (place, arg) in args.iter().enumerate() {
                let Shape::Of(forms) = arg else { continue };
                path.push((name, args.len(), place));
                for form in forms {
                    self.form(form, path, found);
                }
                path.pop();
            }
        }
    }

    /// Whether terms with a functor occur only where positions are made. Other terms may be answers
    /// of helpers, which goals take apart.
    fn is_only_made(&self, functor: (Atom, usize)) -> bool {
        functor.0 != atoms::NIL
            && functor.0 != atoms::DOT
            && self.places.get(&functor).is_some_and(|places| places.iter().all(|span| self.made.contains(span)))
    }

    /// What the rules lack for a position, and the predicates concerned. `opens`: the game begins there.
    pub(super) fn lack(&self, position: &Shape, opens: bool) -> Option<(String, Vec<PredId>)> {
        let contract = self.contract;
        let takes = |pred: &PredId| self.takes(&mut Vec::new(), (*pred, 0), position);
        let sides: Vec<PredId> = [contract.max_to_move, contract.min_to_move].into_iter().flatten().collect();
        let moves: Vec<PredId> =
            [contract.moves, contract.labelled, contract.chance, contract.pass].into_iter().flatten().collect();
        let ends: Vec<PredId> = [contract.outcome, contract.static_eval].into_iter().flatten().collect();
        let sided = sides.len() < 2 || sides.iter().any(takes);
        // No game is over where it begins.
        if opens && !sided && contract.chance.is_none() && moves.iter().any(takes) {
            return Some(("no clause of max_to_move/1 or min_to_move/1 matches".to_string(), sides));
        }
        // Of a term with a name it is not clear whether the opening or the moves are wrong.
        let nameless = matches!(position, Shape::Of(forms) if forms.iter().all(|form| form.functor().is_none()));
        if opens && nameless && contract.chance.is_none() && !moves.is_empty() && !moves.iter().any(takes) {
            let names: Vec<String> = moves.iter().map(|pred| self.program.indicator(*pred)).collect();
            return Some((format!("{NO_MOVES}{} matches", names.join(" or ")), moves));
        }
        if contract.terminal.as_ref().is_some_and(takes) || contract.chance.as_ref().is_some_and(takes) {
            return None;
        }
        let all: Vec<PredId> =
            moves.iter().chain(contract.terminal.as_ref()).chain(&sides).chain(&ends).copied().collect();
        if !all.iter().any(takes) {
            return Some((NOTHING.to_string(), all));
        }
        let goes_on = moves.iter().any(takes);
        let ended = contract.terminal.is_none() && ends.iter().any(takes);
        // If a position without moves is lost for the side to move, that side must be known.
        let loss = says_no_moves(self.program, contract, "loss");
        if !sided && (goes_on || loss) {
            return Some(("no clause of max_to_move/1 or min_to_move/1 matches".to_string(), sides));
        }
        // With `no_moves/1`, a position may lack moves. If moves take its functor with other parts,
        // the position is surely meant to have some.
        let named = || {
            moves
                .iter()
                .any(|pred| heads(self.program, *pred, 0).any(|(clause, head)| is_named(position, &clause.tree, head)))
        };
        if !goes_on && !ended && (contract.no_moves.is_none() || contract.terminal.is_some() && named()) {
            let wanted: Vec<PredId> = moves.into_iter().chain(contract.terminal).collect();
            let names: Vec<String> = wanted.iter().map(|pred| self.program.indicator(*pred)).collect();
            let lack = match &names[..] {
                [only] => format!("no clause of {only} matches"),
                [first, rest @ ..] => format!("no clause of {first} or {} matches", rest.join(" or ")),
                [] => return None,
            };
            return Some((lack, wanted));
        }
        None
    }

    /// Whether a clause of a predicate may hold for an argument of this shape.
    fn takes(&self, open: &mut Vec<(PredId, usize)>, (pred, place): (PredId, usize), shape: &Shape) -> bool {
        let clauses = &self.program.predicate(pred).clauses;
        if clauses.is_empty() || clauses.len() > MOST_CLAUSES || open.len() > 30 || open.contains(&(pred, place)) {
            return true;
        }
        open.push((pred, place));
        let takes = clauses.iter().any(|clause| {
            let Some(arg) = clause.tree.args(clause.head).get(place) else { return true };
            match clause.tree.kind(*arg) {
                TermKind::Var(number) => self.may_hold(open, &clause.tree, &clause.body, (*number, shape)),
                _ => shape.may_be(&clause.tree, *arg),
            }
        });
        open.pop();
        takes
    }

    /// Whether a goal may hold if a variable has this shape.
    fn may_hold(
        &self,
        open: &mut Vec<(PredId, usize)>,
        tree: &TermTree,
        goal: &Goal,
        (number, shape): (u32, &Shape),
    ) -> bool {
        let is = |node: NodeId| matches!(tree.kind(node), TermKind::Var(other) if *other == number);
        match goal {
            Goal::Conj(goals) => goals.iter().all(|goal| self.may_hold(open, tree, goal, (number, shape))),
            Goal::Or(left, right) => [left, right].iter().any(|goal| self.may_hold(open, tree, goal, (number, shape))),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                [condition, then].iter().all(|goal| self.may_hold(open, tree, goal, (number, shape)))
                    || self.may_hold(open, tree, other, (number, shape))
            }
            Goal::Scope(inner) => self.may_hold(open, tree, inner, (number, shape)),
            Goal::Fail => false,
            // A goal with a term of a wrong type ends in an error, also under a negation.
            Goal::Not(inner) | Goal::Findall { goal: inner, .. } => match &**inner {
                Goal::Call { callee, args, .. } => {
                    let row = rows(library_name(self.program, callee), args.len()).first();
                    row.is_none_or(|row| fits_types(row, args, (&is, shape)))
                }
                _ => true,
            },
            Goal::Call { callee: Callee::User(pred), args, .. }
                if self.program.predicate(*pred).key.scope != PRELUDE =>
            {
                let mut places = args.iter().enumerate().filter(|(_, arg)| is(**arg));
                places.all(|(place, _)| self.takes(open, (*pred, place), shape))
            }
            Goal::Call { callee, args, .. } => match (library_name(self.program, callee), &args[..]) {
                ("=" | "==", &[left, right]) if is(left) => shape.may_be(tree, right),
                ("=" | "==", &[left, right]) if is(right) => shape.may_be(tree, left),
                (name, args) => {
                    let row = rows(name, args.len()).first();
                    row.is_none_or(|row| may_succeed(row, tree, args, (&is, shape)))
                }
            },
            _ => true,
        }
    }

    /// The terms that heads of some predicates have at a path: the most similar first, and of each
    /// functor the longest text. Also a head with the same functor there.
    fn instead(&self, functor: (Atom, usize), path: &[(Atom, usize, usize)], preds: &[PredId]) -> Instead {
        let (program, ops) = (self.program, &self.program.ops);
        let steps: Vec<(Atom, usize)> = path.iter().map(|(name, _, place)| (*name, *place)).collect();
        // A head with the same functor and other parts.
        let mut same: Option<(Span, PredId)> = None;
        let mut known: Vec<Head> = Vec::new();
        for pred in preds {
            for (clause, head) in heads(program, *pred, 0) {
                let Some(node) = at(&clause.tree, head, &steps) else { continue };
                if matches!(clause.tree.kind(node), TermKind::Var(_)) {
                    continue;
                }
                let is_list =
                    functor.0 == atoms::DOT && matches!(clause.tree.kind(node), TermKind::Compound(atoms::DOT, _));
                if clause.tree.functor(node) == Some(functor) || is_list {
                    same = same.or(Some((clause.tree.span(node), *pred)));
                    continue;
                }
                let alike =
                    clause.tree.functor(node).is_none_or(|(name, arity)| name == functor.0 || arity == functor.1);
                known.push((
                    alike,
                    clause.tree.functor(node),
                    of_term(&clause.tree, node, ops),
                    clause.tree.span(node),
                    *pred,
                ));
            }
        }
        // The most similar first, and of each functor the longest text.
        known.sort_by_key(|(alike, _, text, ..)| (!alike, std::cmp::Reverse(text.len())));
        let mut names = FxHashSet::default();
        known.retain(|(_, name, ..)| names.insert(*name));
        (known, same)
    }

    fn problem(
        &self,
        span: Span,
        functor: (Atom, usize),
        path: &[(Atom, usize, usize)],
        (lack, preds): (&str, &[PredId]),
    ) -> Problem {
        let (program, sources) = (self.program, &self.program.sources);
        let ops = &program.ops;
        let own = quoted(sources, span);
        let message = match path {
            [] => format!("{lack} the position {own}"),
            _ => format!("{lack} a position with {own} here"),
        };
        let (known, same) = self.instead(functor, path, preds);
        let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
        if let (Some((taker, pred)), true) = (same, known.iter().all(|(alike, ..)| !alike)) {
            let (line, taken) = (sources.line_column(taker).0, quoted(sources, taker));
            let file = &sources.get(taker.source).name;
            return problem.help(format!(
                "{} matches {taken}, in {file}:{line}\nwrite such a position here, or correct that clause",
                program.indicator(pred)
            ));
        }
        let mut place = String::new();
        if let Some((_, _, text, taker, pred)) = known.first() {
            let there = format!("{} matches {text}", program.indicator(*pred));
            if are_drawn_together(sources, span, *taker) {
                problem = problem.also(*taker, there);
            } else {
                let line = sources.line_column(*taker).0;
                place = format!("{there}, in {}:{line}\n", sources.get(taker.source).name);
            }
        }
        let wanted: Vec<&str> = known.iter().map(|(_, _, text, ..)| &**text).collect();
        problem.help(match &wanted[..] {
            [] => "add a clause for this position, or correct the position".to_string(),
            wanted => format!(
                "{place}write {} here, or add clauses for {}",
                wanted.join(" or "),
                match functor {
                    (atoms::DOT, length) => format!("[{}]", vec!["_"; length].join(", ")),
                    (name, arity) => written(name, arity, ops),
                }
            ),
        })
    }
}

/// The node at a path in a term of a text, if it is written out.
fn at(tree: &TermTree, mut node: NodeId, path: &[(Atom, usize)]) -> Option<NodeId> {
    for (name, place) in path {
        match tree.kind(node) {
            TermKind::Compound(atoms::DOT, _) if *name == atoms::DOT => {
                for _ in 0..*place {
                    node = tree.binary(node, atoms::DOT)?.1;
                }
                node = tree.binary(node, atoms::DOT)?.0;
            }
            TermKind::Compound(other, _) if other == name => node = *tree.args(node).get(*place)?,
            _ => return None,
        }
    }
    Some(node)
}

/// Whether a term of a text has the name of a shape, or both are lists.
fn is_named(shape: &Shape, tree: &TermTree, node: NodeId) -> bool {
    let Shape::Of(forms) = shape else { return false };
    forms.iter().any(|form| match form {
        Form::Row(..) => tree.list(node).is_some(),
        form => form.functor().is_some_and(|((name, arity), _)| {
            arity > 0 && tree.functor(node).is_some_and(|(own, parts)| own == name && parts > 0)
        }),
    })
}
