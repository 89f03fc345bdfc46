//! Finds clauses whose heads match no position, or no label, of the game.
//!
//! The input is the shapes of positions and labels. A warning reports each clause that never applies
//! because its head has another shape, and each expectation with such a term. Nothing is run.

use crate::rules::claimed::{ClaimedGoal, asked, best_labels, claimed, shapes_with_claims, with_claims};
use crate::rules::contract::{Contract, says_no_moves};
use crate::rules::game_shapes::{self, GameShapes};
use crate::rules::heads::{heads, is_ignored, is_misplaced, patterns, taken_by_others};
use crate::rules::inner::Inners;
use crate::rules::made::built;
use crate::rules::meet::{ShapeMatch, turned_pair};
use crate::rules::misnamed::wrong_opening;
use crate::rules::shape::{Form, Shape, alike, is_name_of};
use crate::rules::sites::{Closures, called};
use crate::rules::sketch::{described, of_term, quoted, renamed, single, written};
use crate::rules::sources::is_asked;
use crate::rules::{
    blame, causes, cited, followed, foreign, lone, lone_arity, mixed, nested, odd, opening_claims, results, shared,
    stray, swapped, tails, taken, turned, turned_claims, unpaired, wrapped,
};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Clause, PRELUDE, PredId, Predicate, Program};
use alphorn_lang::lang::read;
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Severity};
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// A program with more clauses was not written by hand and is not compared, as A0311 says.
const MOST: usize = 5_000;

/// If a place has more atoms, others may be meant to come there.
const FEW: usize = 4;

/// The depth to which terms of expectations are compared.
const NESTED: usize = 5;

/// Compares heads with positions and labels.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let written = program.predicates.iter().filter(|pred| pred.key.scope != PRELUDE);
    if contract.initial.is_none() || written.map(|pred| pred.clauses.len()).sum::<usize>() > MOST {
        return;
    }
    // Exchanged arguments may be the reason why nothing fits.
    if problems.iter().any(|problem| problem.code == Code::ArgumentOrder) {
        return;
    }
    let Some((found, first)) = game_shapes::with_opening(program, contract) else { return };
    let Some(known) = with_claims(program, contract, found) else { return };
    let turned = turned::check(program, contract, &known, &first);
    if let Some(causes) = causes::check(program, contract, (&known, &first), &turned) {
        problems.extend(causes);
        return;
    }
    let judge = ShapeChecker::new(program, contract, &known);
    let (mut found, is_reached) = judge.positions();
    if followed::is_lost(contract, program, &found) {
        problems.extend(found);
        return;
    }
    // After a correction of these problems, rules make atoms that they do not make now.
    let judge = ShapeChecker { made_in_full: found.is_empty(), ..judge };
    // If no move takes the known positions, only the moves are reported.
    if let Some(odd) = judge.unfit_moves() {
        if let Some(opening) = wrong_opening(program, contract) {
            problems.push(opening);
            return;
        }
        if judge.is_opening_right() {
            problems.retain(|problem| {
                problem.code != Code::GoalNeverSucceeds || !followed::opens(program, contract, problem)
            });
        }
        let said = problems.iter().any(|problem| problem.code == Code::GoalNeverSucceeds);
        problems.extend(odd.into_iter().filter(|_| !said));
        return;
    }
    let counted_well = judge.counts_labels(is_reached);
    found.extend(judge.questions(counted_well));
    let (stuck, is_blamed) = judge.parts(counted_well, &turned, &mut found);
    // The element may have been reported where it is made.
    if !is_blamed {
        found.extend(stray::check(program, contract, &known, &first));
    }
    let images = game_shapes::images(program, contract);
    let images = images.map_or_else(Vec::new, |images| {
        let idle = blame::only_of_images(program, contract, &images);
        idle.into_iter().chain(odd::images(program, &images)).collect::<Vec<_>>()
    });
    let places: FxHashSet<Span> = found.iter().map(|problem| problem.labels[0].0).collect();
    found.extend(images.into_iter().filter(|problem| !places.contains(&problem.labels[0].0)));
    found.extend(turned_claims::helpers(program, contract, &known, &stuck));
    found.extend(stuck);
    let unpaired = unpaired::check(program, contract, &known);
    found.extend(unpaired.into_iter().filter(|problem| !places.contains(&problem.labels[0].0)));
    if found.is_empty() && turned.is_empty() {
        found.extend(mixed::check(program, &known));
        found.extend(foreign::check(program, contract, &known));
        found.extend(lone::check(program, &known));
        found.extend(swapped::check(program, &known));
        found.extend(shared::problems(program, &known.shared));
    }
    opening_claims::replace(program, contract, &first.positions, &mut found);
    cited::makers(program, &mut found);
    followed::add(program, turned.into_iter().map(|turned| turned.problem).collect(), found, problems);
    // Two checks may find the same clause.
    let mut seen = FxHashSet::default();
    problems.retain(|problem| {
        seen.insert((problem.code.text(), problem.labels.first().map(|(span, _)| *span), problem.message.clone()))
    });
}

/// The warning about a typed position, if no position of the game has its shape.
pub(super) fn odd_position(program: &Program, contract: &Contract, text: &str) -> Option<Problem> {
    let known = shapes_with_claims(program, contract)?;
    let judge = ShapeChecker::new(program, contract, &known);
    let sentence = read::goal(SourceId(0), text, &program.ops).ok()??;
    if !judge.is_misfit(&sentence.tree, sentence.root, &known.positions) {
        return None;
    }
    let words =
        |forms: &[Form]| forms.iter().map(|form| described(form, &program.ops)).collect::<Vec<_>>().join(" or ");
    let help = match &known.positions {
        Shape::Of(forms) if !forms.is_empty() => format!("positions are {}", words(forms)),
        _ => "compare it with the positions that the rules make".to_string(),
    };
    let own = of_term(&sentence.tree, sentence.root, &program.ops);
    let message = format!("no position of the game has the form of the given position, {own}");
    Some(Problem { level: Severity::Warning, ..Problem::placeless(Code::ClauseMatchesNoPosition, message) }.help(help))
}

struct ShapeChecker<'a> {
    program: &'a Program,
    contract: &'a Contract,
    known: &'a GameShapes,
    /// The functors of the terms that rules may make; `None` if they may make any term.
    built: Option<FxHashSet<(Atom, usize)>>,
    /// The same functors, without those in expectations.
    names: Option<FxHashSet<(Atom, usize)>>,
    /// Whether the positions that rules make are those that are meant.
    made_in_full: bool,
    closures: Closures,
}

impl<'a> ShapeChecker<'a> {
    fn new(program: &'a Program, contract: &'a Contract, known: &'a GameShapes) -> ShapeChecker<'a> {
        let [built, names] = [false, true].map(|own| built(program, contract, own));
        let closures = Closures::of(program, &Inners::of(program));
        ShapeChecker { program, contract, known, built, names, made_in_full: true, closures }
    }

    /// The problems of positions and their parts, and whether play can reach all clauses.
    fn positions(&self) -> (Vec<Problem>, bool) {
        let (whole, mut found) = taken::check(self.program, self.contract, self.known);
        let is_reached = whole.is_empty();
        // If these heads take what no rule makes, the heads may be wrong, and not the positions.
        let roles = [self.contract.max_to_move, self.contract.min_to_move, self.contract.terminal];
        let odd: usize = roles.into_iter().flatten().map(|pred| self.odd_positions(pred).len()).sum();
        if odd == 0 || whole.len() < odd {
            found.extend(whole);
        }
        (found, is_reached)
    }

    /// The clauses of a predicate that take no position of the game.
    fn odd_positions(&self, pred: PredId) -> Vec<Problem> {
        self.clauses(pred, 0, Code::ClauseMatchesNoPosition, "position", &self.known.positions)
    }

    /// Whether the labels are known that the rules make.
    fn counts_labels(&self, is_reached: bool) -> bool {
        // Moves that play does not reach make labels as well.
        let is_odd = |pred: PredId| !self.odd_positions(pred).is_empty();
        let is_move = |pred: &Predicate| pred.key.name.text() == "move" && pred.key.arity != 3;
        is_reached
            && !self.contract.labelled.is_some_and(is_odd)
            && !self.program.predicates.iter().any(|pred| is_move(pred))
    }

    /// The problems of the predicates of the game that take positions and labels.
    fn questions(&self, counted_well: bool) -> Vec<Problem> {
        let mut found = Vec::new();
        for (pred, modes) in self.contract.questions() {
            if modes.starts_with('+') && self.contract.read_position != Some(pred) {
                found.extend(self.odd_positions(pred));
            }
            if modes.starts_with("++") && counted_well {
                let (code, what) = self.kind_of_labels();
                found.extend(self.clauses(pred, 1, code, what, &self.known.labels));
            }
        }
        found
    }

    /// What labels are. Without labels, a move is the next position.
    fn kind_of_labels(&self) -> (Code, &'static str) {
        match self.contract.labelled {
            Some(_) => (Code::ClauseMatchesNoLabel, "label"),
            None => (Code::ClauseMatchesNoPosition, "next position"),
        }
    }

    /// Adds the problems of parts of positions, of labels and of results. Returns the problems of calls
    /// whose terms no clause takes, and whether the places that make odd parts are known. A head with exchanged arguments
    /// passes on wrong parts.
    fn parts(&self, counted_well: bool, turned: &[turned::Turned], found: &mut Vec<Problem>) -> (Vec<Problem>, bool) {
        let (program, contract, known) = (self.program, self.contract, self.known);
        let (parts, blamed) = odd::check(program, contract, known);
        found.extend(self.claims(counted_well, &blamed));
        found.extend(results::check(program, contract, known));
        let stuck = blame::stuck(program, known, &blamed);
        if !wrapped::check(program, known, found) {
            blame::label((program, contract), known, &stuck, found);
        }
        found.extend(parts.into_iter().filter(|_| turned.iter().all(|turned| turned.is_made)));
        found.extend(nested::check(program, known));
        found.extend(tails::check(program, known));
        found.extend(lone_arity::check(program, known));
        (stuck, !blamed.is_empty())
    }

    /// The problems of the clauses of the moves, if none of them takes a known position.
    fn unfit_moves(&self) -> Option<Vec<Problem>> {
        let pred = self.contract.moves.or(self.contract.labelled)?;
        let odd = self.odd_positions(pred);
        (!odd.is_empty() && odd.len() == self.program.predicate(pred).clauses.len()).then_some(odd)
    }

    /// Whether other predicates of the game take the known positions, so that the opening is right.
    fn is_opening_right(&self) -> bool {
        let Contract { max_to_move, terminal, static_eval, outcome, .. } = *self.contract;
        let taking = [max_to_move, terminal, static_eval, outcome].into_iter().flatten().filter(|other| {
            heads(self.program, *other, 0).any(|(clause, node)| {
                !matches!(clause.tree.kind(node), TermKind::Var(_)) && self.known.positions.may_be(&clause.tree, node)
            })
        });
        taking.count() > 1
    }

    /// Reports clauses of a predicate whose argument at a place is no position, or no label.
    fn clauses(&self, pred: PredId, place: usize, code: Code, what: &'static str, shape: &Shape) -> Vec<Problem> {
        let others = self.asked_otherwise(pred, place);
        let Some(others) = others else { return Vec::new() };
        let misfits = patterns(self.program, pred, place).filter(|(clause, node)| {
            let tree = &clause.tree;
            let called = others
                .iter()
                .any(|(other, arg)| alphorn_lang::lang::check::answers::may_match(other, *arg, tree, *node));
            !called && self.is_misfit(tree, *node, shape)
        });
        misfits.map(|(clause, node)| self.problem(clause, node, (code, what, shape))).collect()
    }

    /// Reports positions and labels in expectations that the game does not have. Terms that are made
    /// at `blamed` places prove nothing.
    fn claims(&self, labels: bool, blamed: &[Span]) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut turned: Vec<(Span, Span)> = Vec::new();
        let mut judge = |what: &'static str, code: Code, shape: &Shape, tree: &TermTree, node: NodeId| {
            let follows = || blame::comes_from(&shape.misfit(tree, node).1, blamed);
            if (labels || what != "label") && self.is_odd_claim(tree, node, shape) && !follows() {
                let message = format!("no {what} of the game is {}", quoted(&self.program.sources, tree.span(node)));
                let problem = self.compared(message, (tree, node), (code, what, shape), "expectation");
                let origin = Shape::of_text(tree, node, NESTED).turned_origin(shape);
                turned.extend(origin.map(|origin| (origin, problem.labels[0].0)));
                found.push(Problem { is_about_claim: true, ..problem });
            }
        };
        for (tree, node) in claimed(self.program) {
            judge("position", Code::ClauseMatchesNoPosition, &self.known.positions, tree, node);
        }
        for (tree, node) in best_labels(self.program) {
            let (code, what) = self.kind_of_labels();
            judge(what, code, &self.known.labels, tree, node);
        }
        // A goal that must fail may have a label with a name that no label has: that may be the claim.
        for ClaimedGoal { tree, goal, holds } in asked(self.program) {
            let Some((name, arity)) = tree.functor(goal) else { continue };
            let question = self.contract.questions().into_iter().find(|(pred, _)| {
                let key = self.program.predicate(*pred).key;
                (key.name, key.arity) == (name, arity)
            });
            let Some((pred, modes)) = question.filter(|(pred, _)| self.contract.read_position != Some(*pred)) else {
                continue;
            };
            for (place, (mode, arg)) in modes.chars().zip(tree.args(goal)).enumerate() {
                if mode == '+' && place == 0 {
                    if heads(self.program, pred, 0).all(|(clause, node)| is_ignored(&clause.tree, node)) {
                        continue;
                    }
                    judge("position", Code::ClauseMatchesNoPosition, &self.known.positions, tree, *arg);
                } else if holds && self.contract.labelled == Some(pred) && place == 2 {
                    judge("position", Code::ClauseMatchesNoPosition, &self.known.positions, tree, *arg);
                } else if (holds || self.is_meant_label(tree, *arg))
                    && (mode == '+' || self.contract.labelled == Some(pred) && place == 1)
                {
                    judge("label", Code::ClauseMatchesNoLabel, &self.known.labels, tree, *arg);
                }
            }
        }
        turned_claims::replace(self.program, &turned, &mut found);
        found
    }

    /// Whether a term is surely meant as a label: a label of the game has its name, or nearly, or such
    /// atoms as arguments.
    fn is_meant_label(&self, tree: &TermTree, node: NodeId) -> bool {
        let Shape::Of(forms) = &self.known.labels else { return false };
        if let TermKind::Atom(name) = tree.kind(node) {
            // Beside other atoms, the atom may be meant.
            let is_atom = |form: &Form| matches!(form, Form::Name(..) | Form::Atom);
            return is_name_of(*name, forms) && !forms.iter().any(is_atom);
        }
        let Some(own) = tree.functor(node) else { return false };
        let is_alike = |form: &Form| {
            let slip = |(other, _): ((Atom, usize), _)| other.0 == own.0 || turned_claims::is_slip(other, own);
            form.takes_args_of(tree, node) || form.functor().is_some_and(slip)
        };
        own.1 > 0 && forms.iter().any(is_alike)
    }

    fn is_misfit(&self, tree: &TermTree, node: NodeId, shape: &Shape) -> bool {
        match shape {
            // No term is known to be made, so no head is wrong.
            Shape::Of(forms) if forms.is_empty() => false,
            Shape::Of(_) if shape.may_be(tree, node) => false,
            // Positions with this functor are meant, but rules make others instead.
            Shape::Of(_) if !self.made_in_full && self.is_meant(tree, node) => false,
            // For example, the keys of a record have another order.
            Shape::Of(_) if Shape::of_text(tree, node, NESTED).meet(shape) == ShapeMatch::Never => true,
            Shape::Of(_) => {
                let (inner, there) = shape.misfit(tree, node);
                match tree.kind(inner) {
                    TermKind::Atom(name) if *name != atoms::NIL => {
                        // A whole position may be an atom that no rule tests. Labels are all tested.
                        let may_be = self.contract.labelled.is_some() && *shape == self.known.labels;
                        let is_label = may_be && !says_no_moves(self.program, self.contract, "pass");
                        self.is_odd_name(*name, &there, inner == node && !is_label)
                            || is_misplaced(tree, (node, inner), shape, &there)
                    }
                    _ => true,
                }
            }
            Shape::Any => {
                let Some((name, arity)) = tree.functor(node).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT)
                else {
                    return false;
                };
                self.built.as_ref().is_some_and(|built| !built.contains(&(name, arity)))
            }
        }
    }

    /// Whether predicates that every position needs take positions with this functor.
    fn is_meant(&self, tree: &TermTree, node: NodeId) -> bool {
        let contract = self.contract;
        let roles = [contract.max_to_move, contract.min_to_move, contract.terminal, contract.moves, contract.labelled];
        let mut taken = roles.into_iter().flatten().flat_map(|pred| heads(self.program, pred, 0));
        taken.any(|(clause, head)| tree.functor(node).is_some_and(|own| clause.tree.functor(head) == Some(own)))
    }

    /// Whether a term of an expectation is a misfit. An atom must be misspelt, or else it may be meant.
    fn is_odd_claim(&self, tree: &TermTree, node: NodeId, shape: &Shape) -> bool {
        // The keys of a record have a fixed order.
        let own = Shape::of_text(tree, node, NESTED);
        if own.is_keyed() && shape.is_keyed() && shape.meet(&own) == ShapeMatch::Never || own.has_turned_part(shape) {
            return true;
        }
        if !self.is_misfit(tree, node, shape) {
            return false;
        }
        let (inner, there) = shape.misfit(tree, node);
        match (tree.kind(inner), there) {
            // A list may become empty in play.
            (TermKind::Atom(atoms::NIL), Shape::Of(forms)) => !forms.iter().any(|form| matches!(form, Form::Row(..))),
            (TermKind::Atom(name), Shape::Of(forms)) if is_name_of(*name, &forms) => true,
            (TermKind::Atom(name), Shape::Of(forms)) if forms.iter().any(|form| matches!(form, Form::Name(..))) => {
                let names = forms.iter().filter_map(|form| Some(form.functor()?.0.0.text()));
                name.text().chars().count() > 2 && nearest(name.text(), names).is_some()
            }
            _ => true,
        }
    }

    /// Whether an atom that is not known at its place is surely a mistake. It may be a value that no rule tests.
    fn is_odd_name(&self, name: Atom, there: &Shape, is_whole: bool) -> bool {
        let Shape::Of(forms) = there else { return false };
        let names = forms.iter().filter_map(|form| match form {
            Form::Name(other, _) => Some(other.text()),
            _ => None,
        });
        let names: Vec<&str> = names.collect();
        if forms.contains(&Form::Atom) || names.is_empty() {
            return !forms.contains(&Form::Atom);
        }
        let is_made = self.names.as_ref().is_none_or(|built| built.contains(&(name, 0)));
        let near = || nearest(name.text(), names.iter().copied()).is_some();
        // A part of a position has no other atom than those that are known, whatever the rules make elsewhere.
        self.made_in_full && (!is_made && near() || !is_whole && names.len() <= FEW)
    }

    /// The arguments with which rules call a predicate, as far as they are written out; `None` if one
    /// may be anything.
    fn asked_otherwise(&self, wanted: PredId, place: usize) -> Option<Vec<(&TermTree, NodeId)>> {
        let (name, arity) = (self.program.predicate(wanted).key.name, self.program.predicate(wanted).key.arity);
        let taking = self.contract.questions();
        let mut found = Vec::new();
        for (number, pred) in self.program.predicates.iter().enumerate() {
            if pred.key.scope == PRELUDE {
                continue;
            }
            let takes = taking.iter().find(|(id, _)| *id == PredId(number as u32)).map_or("", |(_, modes)| *modes);
            for clause in &pred.clauses {
                let tree = &clause.tree;
                // A mention that is not a call may be a closure with unknown arguments.
                let calls = called(clause, wanted);
                let named = tree.nodes().filter(|(node, _)| {
                    let may_call = |(other, given)| other == name && self.closures.may_call(given, arity);
                    *node != clause.head && tree.functor(*node).is_some_and(may_call)
                });
                if named.count() > calls.len() {
                    return None;
                }
                for args in calls {
                    let arg = *args.get(place)?;
                    match tree.kind(arg) {
                        // The variable is a position by its place in the head or in an answer of a game
                        // predicate.
                        TermKind::Var(number) if is_asked(self.contract, clause, takes, (*number, place)) => {}
                        TermKind::Var(_) => return None,
                        _ => found.push((tree, arg)),
                    }
                }
            }
        }
        Some(found)
    }

    fn problem(&self, clause: &Clause, node: NodeId, (code, what, shape): (Code, &'static str, &Shape)) -> Problem {
        let whole = clause.tree.args(clause.head).contains(&node);
        let follows = if whole { "this clause never applies" } else { "this goal never succeeds" };
        let message = format!("no {what} is {}, so {follows}", quoted(&self.program.sources, clause.tree.span(node)));
        self.compared(message, (&clause.tree, node), (code, what, shape), if whole { "clause" } else { "goal" })
    }

    /// The problem of a term with a wrong shape, with the right ones. `holder` is what contains the term.
    fn compared(
        &self,
        message: String,
        (tree, node): (&TermTree, NodeId),
        (code, what, shape): (Code, &'static str, &Shape),
        holder: &str,
    ) -> Problem {
        let (program, ops) = (self.program, &self.program.ops);
        let (inner, there) = shape.misfit(tree, node);
        let own = tree.functor(inner);
        let forms = match &there {
            Shape::Of(forms) => &forms[..],
            Shape::Any => &[],
        };
        // The form that is most like the term.
        let like = alike(forms, own, &taken_by_others(self.program, tree, node));
        let listed: Vec<String> = forms.iter().map(|form| described(form, ops)).collect();
        let shown = match (&listed[..], inner == node) {
            ([], _) => {
                format!("no clause makes {}", own.map_or(String::new(), |(name, arity)| written(name, arity, ops)))
            }
            (listed, true) => format!("{what}s are {}", listed.join(" or ")),
            (_, false) => {
                let listed: Vec<String> = forms.iter().map(|form| single(form, ops)).collect();
                format!("{what}s have {} here", listed.join(" or "))
            }
        };
        let pair = turned_pair(shape, tree, (node, inner)).map(|pair| quoted(&self.program.sources, tree.span(pair)));
        let advice = match (pair, like) {
            (Some(pair), _) => format!("exchange the two parts of {pair}, or remove the {holder}"),
            (None, Some(form)) => format!("write {}, or remove the {holder}", renamed(form, (tree, inner), program)),
            (None, None) => format!("write a {what} that a clause makes, or remove the {holder}"),
        };
        let mut problem = Problem::warning(code, tree.span(inner), message);
        let origin = like.and_then(|form| form.functor()?.1.first());
        if let (Some(span), Some((name, _)), Some(own)) = (origin, like.and_then(Form::functor), own)
            && holder == "expectation"
            && turned_claims::is_slip(name, own)
        {
            let problem = problem.label(format!("this is {}", of_term(tree, inner, ops)));
            return turned_claims::misspelt(problem, *span, (what, &shown), [own.0, name.0]);
        }
        if let Some(span) = origin {
            let made = what.trim_start_matches("next ");
            let part = if inner == node { format!("such a {made}") } else { "the right term".to_string() };
            problem = problem.label(format!("this is {}", of_term(tree, inner, ops)));
            problem = problem.also(*span, format!("{part} is made here"));
        }
        problem.help(format!("{shown}\n{advice}"))
    }
}
