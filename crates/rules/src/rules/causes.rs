//! Finds the mistakes from which all other problems of shapes follow.
//!
//! The input is the shapes of a game. If there is such a mistake, only that is reported. Nothing is run. Only `misfit`
//! calls this check.

use crate::rules::contract::Contract;
use crate::rules::game_shapes::{GameShapes, OpeningShapes};
use crate::rules::turned::Turned;
use crate::rules::{exchanges, odd, turned_moves};
use alphorn_lang::lang::program::Program;
use alphorn_text::report::Problem;

/// The mistakes from which all other problems of shapes follow.
pub(super) fn check(
    program: &Program,
    contract: &Contract,
    (known, first): (&GameShapes, &OpeningShapes),
    turned: &[Turned],
) -> Option<Vec<Problem>> {
    let made = turned.iter().filter(|turned| turned.is_made).map(|turned| turned.problem.clone()).collect();
    let moves = turned_moves::check(program, contract, known, first);
    // A mistake may hide the shapes of later positions, but not those of the first ones.
    let open = exchanges::open_lists(program, &first.flows);
    [made, moves, open, odd::miscounted(program, known)].into_iter().find(|found: &Vec<Problem>| !found.is_empty())
}
