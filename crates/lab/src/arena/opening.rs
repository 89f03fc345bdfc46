//! Draws openings: lines of random moves at the beginning of a game.
//!
//! It takes a game, first positions, a number of plies, a seed and a place. It returns a line after which
//! the game goes on. The line depends only on the seed and the place.

use super::{GameLine, LineStatus, apply_chance_outcome, line_status};
use alphorn_search::game::{Game, Heuristic, drawn_by};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};

/// The maximum number of lines drawn for one opening, because the game may be over after a line.
pub const TRIES: usize = 1000;

/// The random generator of one place. Neighbouring seeds and places give unrelated numbers.
fn random(seed: u64, place: u64) -> Xoshiro256PlusPlus {
    let mixed = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(place))
}

/// The dice of one place among the games of a seed, the same for all players.
pub fn dice(seed: u64, place: u64) -> impl FnMut(&[u64]) -> usize {
    let mut random = random(seed, !place);
    move |weights| throw(weights, &mut random)
}

fn throw(weights: &[u64], random: &mut Xoshiro256PlusPlus) -> usize {
    drawn_by(weights, random.random_range(0..weights.iter().sum()))
}

/// A line, if one was found; or a fault with the moves before it.
pub type Drawn<G> = Result<Option<GameLine<G>>, (<G as Game>::Fault, Vec<<G as Game>::Move>)>;

/// Draws the openings of one place, one after the other: each is another line of the same length.
pub struct OpeningDraw {
    random: Xoshiro256PlusPlus,
    tries: usize,
}

impl OpeningDraw {
    /// Draws that depend only on the seed and the place.
    pub fn new(seed: u64, place: u64) -> OpeningDraw {
        OpeningDraw { random: random(seed, place), tries: 0 }
    }

    /// The next opening: one of `starts`, and then `plies` legal moves, all equally likely. It may be one
    /// that was drawn before.
    ///
    /// `None` after [`TRIES`] lines: the game was over after or inside all others. A fault comes with the
    /// moves before it.
    pub fn next<G: Game, H: Heuristic<G>>(
        &mut self,
        (game, heuristic): (&G, &H),
        starts: &[G::State],
        plies: usize,
    ) -> Drawn<G> {
        while self.tries < TRIES {
            self.tries += 1;
            let Some(start) = starts.choose(&mut self.random) else { break };
            let mut line = GameLine::from(start.clone());
            match extend((game, heuristic), &mut line, plies, &mut self.random) {
                Ok(true) => return Ok(Some(line)),
                Ok(false) => {}
                Err(fault) => return Err((fault, line.moves)),
            }
        }
        Ok(None)
    }
}

/// Draws an opening: one of `starts`, and then `plies` legal moves, all equally likely.
///
/// `None` if the game was over after or inside every line. A fault comes with the moves before it.
pub fn draw<G: Game, H: Heuristic<G>>(
    game: (&G, &H),
    starts: &[G::State],
    plies: usize,
    (seed, place): (u64, u64),
) -> Drawn<G> {
    OpeningDraw::new(seed, place).next(game, starts, plies)
}

/// Plays random moves. Returns whether the game goes on after them.
fn extend<G: Game, H: Heuristic<G>>(
    (game, heuristic): (&G, &H),
    line: &mut GameLine<G>,
    plies: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Result<bool, G::Fault> {
    loop {
        let now = line_status(game, heuristic, line)?;
        if let LineStatus::Ended(_) = now {
            return Ok(false);
        }
        if line.moves.len() >= plies {
            return Ok(true);
        }
        if let LineStatus::Chance = now {
            apply_chance_outcome(game, line, &mut |weights| throw(weights, random))?;
            continue;
        }
        let mut moves = Vec::new();
        game.moves(line.last(), &mut moves)?;
        let mv = moves.swap_remove(random.random_range(0..moves.len()));
        let next = game.apply(line.last(), &mv)?;
        line.push(mv, next);
    }
}
