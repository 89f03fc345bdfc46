//! Finds a `move/3` whose label and next position are exchanged, if helpers make both.
//!
//! The input is the shapes of positions and labels. If every clause gives labels that are like the first
//! position, and no next position is, the warning marks the head. Nothing is run. Only `misfit` calls
//! this check.

use crate::rules::contract::Contract;
use crate::rules::game_shapes::{GameShapes, OpeningShapes};
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::program::{Clause, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;

/// Reports the heads of `move/3` if the position stands where the label should be.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes, first: &OpeningShapes) -> Vec<Problem> {
    let Some(pred) = contract.labelled else { return Vec::new() };
    let clauses = &program.predicate(pred).clauses;
    let opening = &first.positions;
    let named = |shape: &Shape| match shape {
        Shape::Of(forms) => {
            !forms.is_empty() && forms.iter().all(|form| matches!(form, Form::Compound(..) | Form::Tree(_)))
        }
        Shape::Any => false,
    };
    let makes = known.clauses.iter().filter(|(span, _)| clauses.iter().any(|clause| clause.span.contains(*span)));
    let next: Vec<&Shape> = makes.map(|(_, shape)| shape).collect();
    let is_turned = named(opening)
        && named(&known.labels)
        && known.labels.meet(opening) != ShapeMatch::Never
        && !next.is_empty()
        && next.iter().all(|shape| named(shape) && shape.meet(opening) == ShapeMatch::Never);
    if !is_turned {
        return Vec::new();
    }
    let problem = |clause: &Clause| {
        let args = clause.tree.args(clause.head);
        let text = |at: usize| program.sources.text(clause.tree.span(args[at]));
        Problem::warning(
            Code::ArgumentOrder,
            clause.tree.span(clause.head),
            "the arguments of move/3 are in the wrong order: the second is the label, and the third the next position",
        )
        .help(format!("write move({}, {}, {})", text(0), text(2), text(1)))
    };
    clauses.iter().map(problem).collect()
}
