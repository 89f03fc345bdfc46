//! Leaves out problems that follow from others.
//!
//! The input is the problems of `misfit` and of the checks before it. Only `misfit` calls this module.

use crate::rules::clause_at::clause_at;
use crate::rules::contract::Contract;
use crate::rules::taken;
use alphorn_lang::lang::program::Program;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use rustc_hash::FxHashSet;

/// Adds the problems that do not follow from others.
pub(super) fn add(program: &Program, turned: Vec<Problem>, mut found: Vec<Problem>, problems: &mut Vec<Problem>) {
    let told = marked(problems, Code::GoalNeverSucceeds);
    // Another check reports sums that are not computed.
    let sums = marked(problems, Code::ExpressionNotComputed);
    found.retain(|problem| {
        let own = problem.labels[0].0;
        !told.contains(&own) && !sums.iter().any(|sum| sum.contains(own))
    });
    // Two arguments in the wrong order are the reason for other problems of their clause.
    let clause = |problem: &Problem| Some(clause_at(program, problem.labels[0].0)?.span);
    let wrong: Vec<Span> = turned.iter().filter_map(clause).collect();
    found.retain(|problem| !wrong.iter().any(|clause| clause.contains(problem.labels[0].0)));
    problems.extend(turned.into_iter().chain(found));
}

/// The places that problems with a code mark.
fn marked(problems: &[Problem], code: Code) -> FxHashSet<Span> {
    problems.iter().filter(|problem| problem.code == code).map(|problem| problem.labels[0].0).collect()
}

/// Whether nothing takes a position, or the first position has no moves. All other problems follow from this.
pub(super) fn is_lost(contract: &Contract, program: &Program, found: &[Problem]) -> bool {
    // Other questions about the first position may have no clause either, and hide nothing.
    let moves: Vec<String> = [contract.moves, contract.labelled]
        .into_iter()
        .flatten()
        .map(|pred| format!("{}{} ", taken::NO_MOVES, program.indicator(pred)))
        .collect();
    found.iter().any(|problem| {
        let stuck = moves.iter().any(|begin| problem.message.starts_with(begin.as_str()))
            && problem.message.contains(" the position ");
        problem.message.starts_with(taken::NOTHING) || stuck && opens(program, contract, problem)
    })
}

/// Whether a problem is in a clause of `initial/1`.
pub(super) fn opens(program: &Program, contract: &Contract, problem: &Problem) -> bool {
    let openings = contract.initial.map_or(&[][..], |pred| &program.predicate(pred).clauses);
    openings.iter().any(|clause| clause.span.contains(problem.labels[0].0))
}
