//! Checks the answers of game predicates that stand in the text.
//!
//! A warning reports an invalid result of `outcome/2`, an atom in place of a number, and a `show/2`
//! without a list. The checks run nothing. `misfit` calls them with the shapes of all answers.

use crate::rules::contract::Contract;
use crate::rules::game_shapes::GameShapes;
use crate::rules::heads::heads;
use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::program::{PredId, Program};
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
fn own(program: &Program, pred: PredId, spans: &[Span]) -> Vec<Span> {
    let clauses = &program.predicate(pred).clauses;
    spans.iter().copied().filter(|span| clauses.iter().any(|clause| clause.span.contains(*span))).collect()
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
                wrong(program, pred, span, &format!("{meant}{RESULTS}"))
            }
        }
    }));
}

fn number(program: &Program, pred: PredId, form: &Form, found: &mut Vec<Problem>) {
    if let Form::Name(_, origin) = form {
        let help = "the value must be a number";
        found.extend(own(program, pred, &origin.0).into_iter().map(|span| wrong(program, pred, span, help)));
    }
}

fn picture(program: &Program, pred: PredId, form: &Form, found: &mut Vec<Problem>) {
    let Some((_, spans)) = form.functor().filter(|((name, _), _)| *name != atoms::DOT) else { return };
    found.extend(own(program, pred, spans).into_iter().map(|span| {
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
