//! The options of Monte Carlo tree search, and what they become in one search.
//!
//! Without an option for the leaves, the evaluation judges them if it tells positions apart: if it gives
//! two unequal numbers in one random game. Otherwise random games judge them.

use super::Growing;
use crate::game::{Game, Heuristic};
use crate::search::result::{LeafValue, SearchHalt, Walked};
use rand::rngs::Xoshiro256PlusPlus;

/// How a tree grows. `None` lets the search choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeGrowth {
    /// The exploration factor of the confidence bound, for values from 0 to 1.
    pub explore: Option<f64>,
    /// The weight of the minimax value of the evaluations below a node, from 0 to 1; the mean of the
    /// leaves has the rest.
    pub minimax: Option<f64>,
    /// What a new leaf is worth.
    pub leaf: Option<LeafValue>,
}

/// The usual exploration factor, and that of games with chance, in which one random game tells little.
const EXPLORE: f64 = 0.3;
const EXPLORE_CHANCE: f64 = 0.7;

/// The usual weight of the minimax value, if evaluations judge the leaves.
const MINIMAX: f64 = 0.7;

/// The longest random game that looks for two unequal evaluations, in plies.
const LOOKED: u32 = 1_000;

/// The options of one search.
#[derive(Clone, Copy, Default)]
pub(super) struct Policy {
    pub(super) explore: f64,
    pub(super) minimax: f64,
    /// Whether evaluations judge the leaves.
    pub(super) evaluates: bool,
    /// Whether evaluations have a part in the values: then every new node needs one.
    pub(super) weighs: bool,
    /// Whether each move is visited once before any is visited twice.
    pub(super) tries_all: bool,
}

impl Policy {
    fn of(growth: TreeGrowth, evaluates: bool, has_chance: bool) -> Policy {
        let minimax = growth.minimax.unwrap_or(if evaluates { MINIMAX } else { 0.0 });
        let explore = growth.explore.unwrap_or(if has_chance { EXPLORE_CHANCE } else { EXPLORE });
        Policy { explore, minimax, evaluates, weighs: evaluates || minimax > 0.0, tries_all: has_chance }
    }
}

impl<G: Game, H: Heuristic<G>> Growing<'_, G, H> {
    /// Completes the options for this game and position.
    pub(super) fn decide(&mut self, growth: TreeGrowth, random: &mut Xoshiro256PlusPlus) -> Walked<(), G> {
        let has_chance = self.player.game.facts().has_chance;
        let evaluates = match growth.leaf {
            Some(leaf) => leaf == LeafValue::Evaluation,
            // Only games without chance were measured.
            None => !has_chance && self.tells_apart(random)?,
        };
        self.policy = Policy::of(growth, evaluates, has_chance);
        Ok(())
    }

    /// Whether two positions before the end of a random game have unequal evaluations.
    fn tells_apart(&mut self, random: &mut Xoshiro256PlusPlus) -> Walked<bool, G> {
        let mut line = Vec::new();
        self.looked(&mut line, random).map_err(|halt| match halt {
            SearchHalt::Failed(mut error) => {
                *error.line_mut() = line;
                SearchHalt::Failed(error)
            }
            SearchHalt::Stopped => SearchHalt::Stopped,
        })
    }

    /// Plays the random game; `line` gets its moves.
    fn looked(&mut self, line: &mut Vec<G::Move>, random: &mut Xoshiro256PlusPlus) -> Walked<bool, G> {
        let mut state = self.nodes[0].state.clone();
        let mut first = None;
        for _ in 0..LOOKED {
            let Some(mut fork) = self.player.fork(&state)? else { return Ok(false) };
            let value = self.player.judge(&state)?;
            if *first.get_or_insert(value) != value {
                return Ok(true);
            }
            fork.choose(random);
            state = self.player.asked(self.player.game.apply(&state, fork.made()))?;
            line.push(fork.made().clone());
        }
        Ok(false)
    }
}
