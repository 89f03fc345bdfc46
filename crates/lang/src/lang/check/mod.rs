//! Checks a whole program for mistakes and collects all problems.
//!
//! Each check is a pure function over a resolved [`Program`], in a file of its own. The checks of game
//! predicates are elsewhere.

pub mod answers;
pub mod arithmetic;
pub mod calls;
pub mod computing;
mod expressions;
mod formats;
pub mod lists;
pub mod recursion;
pub mod text;
pub mod undefined;

use crate::lang::program::{Clause, Program, Scope};
use alphorn_text::report::Problem;

/// Runs all checks. `lacks_params`: a directive of a parameter was refused.
pub fn run(program: &Program, extras: bool, lacks_params: bool, problems: &mut Vec<Problem>) {
    let readable = !problems.iter().any(|problem| problem.code.text().starts_with("A01"));
    let held = answers::head_terms(program);
    let atoms = answers::atoms(users_clauses(program).map(|(_, clause)| clause));
    let terms = answers::terms(users_clauses(program).map(|(_, clause)| clause));
    let names = undefined::VisibleNames::default();
    let declared = program.params.iter().map(|param| param.name).collect();
    for (scope, clause) in users_clauses(program) {
        undefined::closures(program, scope, clause, &names, problems);
        if !lacks_params {
            undefined::parameters(program, clause, &declared, problems);
        }
        arithmetic::unbound(program, clause, problems);
        computing::slips(program, scope, clause, &held, problems);
        answers::unanswerable_calls(program, clause, &atoms, problems);
        answers::failing_goals(program, clause, &atoms, problems);
        lists::slips(program, scope, clause, problems);
        formats::counts(program, clause, problems);
        answers::functions(program, scope, clause, &terms, &held, problems);
        // The directive that loads the library may stand in an unreadable clause.
        if !extras && readable {
            calls::extras(program, clause, problems);
        }
    }
    answers::texts(program, problems);
    recursion::left_recursion(program, problems);
    recursion::argument_permutation(program, problems);
    recursion::endless(program, problems);
    recursion::stratification(program, problems);
}

/// The clauses of the user's files.
fn users_clauses(program: &Program) -> impl Iterator<Item = (Scope, &Clause)> {
    let own = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    own.flat_map(|pred| pred.clauses.iter().map(move |clause| (pred.key.scope, clause)))
}
