//! Judges expectations that contradict a place of the rules: which of the two is wrong.
//!
//! If several expectations have two arguments of a term in another order than one place of the rules, the rules are
//! wrong. Only `misfit` calls this module.

use crate::rules::claimed::{ClaimedGoal, asked};
use crate::rules::contract::Contract;
use crate::rules::flows::taken;
use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{described, quoted, words};
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{PredId, Predicate, Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

/// The least number of expectations that contradict a place of the rules.
const AGAINST: usize = 2;

/// The greatest number of forms that a message shows.
const SHOWN: usize = 3;

/// Parts below this depth are not compared.
const DEEPEST: usize = 5;

/// Replaces the problems of several expectations that have two arguments in another order than one place of the
/// rules by a problem of that place. `turned` has the place in the rules and the place of each problem.
pub(super) fn replace(program: &Program, turned: &[(Span, Span)], found: &mut Vec<Problem>) {
    let mut origins: Vec<Span> = turned.iter().map(|(origin, _)| *origin).collect();
    origins.dedup();
    for origin in origins {
        let places: Vec<Span> = turned.iter().filter(|(other, _)| *other == origin).map(|(_, place)| *place).collect();
        if places.len() < AGAINST || !program.is_written_by_user(origin) {
            continue;
        }
        let text = quoted(&program.sources, origin);
        let count = places.len();
        let message = format!("{text} has its arguments in another order than in {count} expectations");
        let problem = Problem::warning(Code::ClauseMatchesNoPosition, origin, message);
        let problem = places
            .iter()
            .take(AGAINST)
            .fold(problem, |problem, place| problem.also(*place, "this expects the other order"));
        found.retain(|other| !places.contains(&other.labels[0].0));
        found.push(problem.help("exchange the arguments here, or correct the expectations"));
    }
}

/// Whether two names of terms with equally many arguments are nearly the same.
pub(super) fn is_slip((name, arity): (Atom, usize), (own, count): (Atom, usize)) -> bool {
    arity == count && arity > 0 && name != own && nearest(own.text(), [name.text()]).is_some()
}

/// The problem of a term whose name is nearly that of a term of the rules: either of the two may be misspelt.
pub(super) fn misspelt(problem: Problem, origin: Span, (what, shown): (&str, &str), names: [Atom; 2]) -> Problem {
    let made = if what == "label" { "the rules make this label" } else { "the rules make this term" };
    let [own, name] = names.map(|name| name.text());
    problem.also(origin, made).help(format!("{shown}\none of the names {own} and {name} is misspelt: correct it"))
}

/// Reports goals of expectations that call a helper with a term that none of its clauses takes.
pub(super) fn helpers(program: &Program, contract: &Contract, known: &GameShapes, stuck: &[Problem]) -> Vec<Problem> {
    let questions = contract.questions();
    let mut found = Vec::new();
    for ClaimedGoal { tree, goal, .. } in asked(program) {
        let Some((name, arity)) = tree.functor(goal) else { continue };
        let own = |pred: &Predicate| (pred.key.scope, pred.key.name, pred.key.arity) == (USER, name, arity);
        let Some(number) = program.predicates.iter().position(|pred| own(pred)) else { continue };
        let (pred, clauses) = (PredId(number as u32), &program.predicates[number].clauses);
        // A wrong clause of the helper is reported elsewhere.
        let mut marked = stuck.iter().map(|problem| problem.labels[0].0);
        let wrong = marked.any(|span| clauses.iter().any(|clause| clause.span.contains(span)));
        if wrong || clauses.is_empty() || questions.iter().any(|(other, _)| *other == pred) {
            continue;
        }
        for (place, arg) in tree.args(goal).iter().enumerate() {
            let own = Shape::of_text(tree, *arg, DEEPEST);
            let heads =
                clauses.iter().map(|clause| taken(program, clause, clause.tree.args(clause.head)[place], DEEPEST));
            let mut takes = Shape::NONE;
            heads.for_each(|head| _ = takes.join(&head));
            if takes.meet(&own) == ShapeMatch::Never {
                let span = tree.span(*arg);
                let message =
                    format!("no clause of {} matches {}", program.indicator(pred), quoted(&program.sources, span));
                let help = format!("{} expects {} here", program.indicator(pred), words(program, &takes));
                // A helper that takes positions takes none of the game: its clause is wrong.
                if let ([clause], true) = (&clauses[..], is_position(known, tree, *arg)) {
                    let head = clause.tree.span(clause.tree.args(clause.head)[place]);
                    let message =
                        format!("no position is {}, so this clause never applies", quoted(&program.sources, head));
                    let positions = forms(program, &known.positions);
                    let problem = Problem::warning(Code::ClauseMatchesNoPosition, head, message);
                    found.push(
                        problem
                            .also(span, "this goal calls the predicate with a position")
                            .help(format!("positions are {positions}: write this here")),
                    );
                    break;
                }
                let problem = Problem::warning(Code::GoalNeverSucceeds, span, message).help(help);
                found.push(Problem { is_about_claim: true, ..problem });
                break;
            }
        }
    }
    found
}

/// The forms of a shape, without the atoms in them.
fn forms(program: &Program, shape: &Shape) -> String {
    let Shape::Of(forms) = shape else { return "anything".to_string() };
    let forms: Vec<String> = forms.iter().take(SHOWN).map(|form| described(form, &program.ops)).collect();
    forms.join(" or ")
}

/// Whether a term of a text has the form of the positions of the game.
fn is_position(known: &GameShapes, tree: &TermTree, node: NodeId) -> bool {
    let Shape::Of(forms) = &known.positions else { return false };
    let named = |form: &Form| form.functor().is_some_and(|(functor, _)| functor.1 > 0 && functor.0 != atoms::DOT);
    !forms.is_empty() && forms.iter().all(named) && known.positions.may_be(tree, node)
}
