//! Checks the answers of game predicates that stand in the text.
//!
//! A warning reports an invalid result of `outcome/2`, an atom in place of a number, and a `show/2`
//! without a list. The checks run nothing. `misfit` calls them with the shapes of all answers.

use crate::rules::clause_at::clause_at;
use crate::rules::contract::Contract;
use crate::rules::game_shapes::GameShapes;
use crate::rules::heads::heads;
use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::program::{Clause, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;

/// Help for an invalid result of `outcome/2`.
const RESULTS: &str = "the outcome of a finished game is win(max), win(min), draw or score(N)";

/// Checks every known answer.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes) -> Vec<Problem> {
    let mut found = Vec::new();
    for (pred, place, shape) in &known.answers {
        let Shape::Of(forms) = shape else { continue };
        for form in forms {
            if contract.outcome == Some(*pred) {
                result(program, *pred, form, &mut found);
            } else if contract.show == Some(*pred) {
                picture(program, *pred, form, &mut found);
            } else {
                number(program, *pred, form, &mut found);
            }
        }
        if [contract.extend, contract.reduce].contains(&Some(*pred)) {
            plies(program, *pred, *place, &mut found);
        }
    }
    found
}

/// The places that lie in the clauses of a predicate.
fn in_clauses(program: &Program, pred: PredId, spans: &[Span]) -> Vec<Span> {
    let clauses = &program.predicate(pred).clauses;
    spans.iter().copied().filter(|span| clauses.iter().any(|clause| clause.span.contains(*span))).collect()
}

/// The places of results, in the clauses of a predicate and in its helpers. A helper may give answers that its callers
/// leave out, so a place in another clause counts only if the rules have its term nowhere else.
fn own(program: &Program, pred: PredId, spans: &[Span]) -> Vec<Span> {
    let clauses = &program.predicate(pred).clauses;
    let is_own = |span: &Span| clauses.iter().any(|clause| clause.span.contains(*span));
    spans.iter().copied().filter(|span| is_own(span) || is_single(program, *span) || is_bare(program, *span)).collect()
}

/// Whether an argument in the head of a helper is `max` or `min`, and other clauses of the helper have `win(...)` there.
fn is_bare(program: &Program, span: Span) -> bool {
    if !matches!(program.sources.text(span), "max" | "min") {
        return false;
    }
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let mut helpers = users.filter(|pred| pred.clauses.iter().any(|clause| clause.span.contains(span)));
    let Some(helper) = helpers.next() else { return false };
    let place = helper
        .clauses
        .iter()
        .find_map(|clause| clause.tree.args(clause.head).iter().position(|arg| clause.tree.span(*arg) == span));
    place.is_some_and(|place| {
        let wins = |clause: &Clause| {
            let arg = clause.tree.args(clause.head)[place];
            clause.tree.functor(arg).is_some_and(|(name, arity)| name.text() == "win" && arity == 1)
        };
        helper.clauses.iter().any(wins)
    })
}

/// Whether an atom in the text is in one clause of the user's rules, in an argument of its head, and nowhere else.
fn is_single(program: &Program, span: Span) -> bool {
    let Some(clause) = clause_at(program, span) else { return false };
    let in_head = clause.tree.args(clause.head).iter().find(|arg| clause.tree.span(**arg) == span);
    let Some(name) = in_head.and_then(|arg| match clause.tree.kind(*arg) {
        TermKind::Atom(name) => Some(*name),
        _ => None,
    }) else {
        return false;
    };
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let terms = users.flat_map(|pred| &pred.clauses).flat_map(|clause| clause.tree.nodes());
    let named =
        |kind: &TermKind| matches!(kind, TermKind::Atom(other) | TermKind::Compound(other, _) if *other == name);
    terms.filter(|(_, kind)| named(kind)).count() == 1
}

fn wrong(program: &Program, pred: PredId, span: Span, help: &str) -> Problem {
    let message = format!("{} gives {}", program.indicator(pred), program.sources.text(span));
    Problem::warning(Code::InvalidEvaluation, span, message).help(help)
}

fn result(program: &Program, pred: PredId, form: &Form, found: &mut Vec<Problem>) {
    let (places, whose) = match form {
        Form::Name(name, _) if name.text() == "draw" => return,
        Form::Compound(name, args, _) if name.text() == "win" && args.len() == 1 => {
            let Shape::Of(sides) = &args[0] else { return };
            let odd = sides.iter().filter_map(Form::functor);
            let odd = odd.filter(|((name, arity), _)| !(*arity == 0 && matches!(name.text(), "max" | "min")));
            (odd.flat_map(|(_, spans)| spans.to_vec()).collect::<Vec<_>>(), "win")
        }
        Form::Compound(name, args, _) if name.text() == "score" && args.len() == 1 => return,
        form => (form.functor().map_or(Vec::new(), |(_, spans)| spans.to_vec()), ""),
    };
    found.extend(own(program, pred, &places).into_iter().map(|span| {
        let text = program.sources.text(span);
        match whose {
            "win" => {
                let message = format!("{} gives win({text})", program.indicator(pred));
                let help = format!("the winner is max or min: write one of them in place of {text}");
                Problem::warning(Code::InvalidEvaluation, span, message).help(help)
            }
            _ => {
                let meant = match text {
                    "max" | "min" => format!("write win({text}); "),
                    _ => String::new(),
                };
                let problem = wrong(program, pred, span, &format!("{meant}{RESULTS}"));
                if meant.is_empty() { problem } else { problem.edit(span, format!("win({text})")) }
            }
        }
    }));
}

fn number(program: &Program, pred: PredId, form: &Form, found: &mut Vec<Problem>) {
    if let Form::Name(_, origin) = form {
        let help = "the value must be a number";
        found.extend(in_clauses(program, pred, &origin.0).into_iter().map(|span| wrong(program, pred, span, help)));
    }
}

fn picture(program: &Program, pred: PredId, form: &Form, found: &mut Vec<Problem>) {
    let Some((_, spans)) = form.functor().filter(|((name, _), _)| *name != atoms::DOT) else { return };
    found.extend(in_clauses(program, pred, spans).into_iter().map(|span| {
        let help = format!("the second argument must be a list of lines: write [{}]", program.sources.text(span));
        wrong(program, pred, span, &help)
    }));
}

/// Reports plies that are written as a negative number.
fn plies(program: &Program, pred: PredId, place: usize, found: &mut Vec<Problem>) {
    for (clause, node) in heads(program, pred, place) {
        if matches!(clause.tree.kind(node), TermKind::Int(plies) if *plies < 0) {
            let help = "write a whole number of plies, 0 or more; reduce/3 takes plies away, extend/3 adds plies";
            found.push(wrong(program, pred, clause.tree.span(node), help));
        }
    }
}
