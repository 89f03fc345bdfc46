//! Random play: what a position is worth when everybody moves at random, and what that tells.
//!
//! In: a game, a position, a number of games, a seed. Out: means with their errors. Every random
//! choice comes from the seed and the number of the game, never from a clock or a thread.
//! "Expected-outcome model", Bruce Abramson, 1990; for dice games A. V. Moseev, 1999.

mod exact;
pub mod flat;
pub(super) mod groups;
pub mod mcts;
pub mod survey;

pub(super) use exact::expected;

use super::chance::worth;
use super::limits::Meter;
use super::outcome::SearchError;
use super::walk::{Halt, Walked};
use crate::game::{Game, Heuristic, Side, Turn, drawn_by, winner};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

/// A game that has become so long is given up, and judged where it stands.
pub const LONGEST: u32 = 10_000;

/// Positions that one game may try in vain to find a way on that repeats nothing.
const PATIENCE: u64 = 100_000;

/// The random numbers of one game.
fn random(seed: u64, game: u64) -> Xoshiro256PlusPlus {
    let mixed = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(game))
}

/// What becomes of a position that stands on the line already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    /// It cannot: nobody looks.
    Impossible,
    /// The game is drawn.
    Draw,
    /// Nobody goes there: play goes on as if that move were not there.
    Cut,
}

impl Again {
    fn of<G: Game>(game: &G) -> Again {
        match (game.acyclic(), game.repetition_is_draw()) {
            (true, _) => Again::Impossible,
            (_, true) => Again::Draw,
            _ => Again::Cut,
        }
    }
}

/// How a random game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ended {
    /// What that is worth to Max.
    pub(super) value: f64,
    /// Who has won it.
    pub(super) winner: Option<Side>,
    /// How long it was.
    pub(super) plies: u32,
    /// Whether it was given up.
    pub(super) unfinished: bool,
}

/// What can be chosen in a position of a game under way.
struct Fork<G: Game> {
    state: G::State,
    /// The moves that are left, with their weights where chance chooses.
    moves: Vec<G::Move>,
    weights: Vec<u64>,
    /// The places of the moves in the game's order.
    numbers: Vec<u32>,
    chance: bool,
}

impl<G: Game> Fork<G> {
    /// Puts a move last, where the one that is made stands.
    fn choose(&mut self, number: usize) {
        let last = self.moves.len() - 1;
        self.moves.swap(number, last);
        self.numbers.swap(number, last);
        if self.chance {
            self.weights.swap(number, last);
        }
    }

    /// Takes the last move away: it is no choice.
    fn drop_last(&mut self) {
        self.moves.pop();
        self.numbers.pop();
        if self.chance {
            self.weights.pop();
        }
    }
}

/// A random game from a root.
struct Player<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    again: Again,
    longest: u32,
    line: Vec<Fork<G>>,
    /// Positions visited, in all games.
    nodes: u64,
    evals: u64,
}

impl<'a, G: Game, H: Heuristic<G>> Player<'a, G, H> {
    fn new(game: &'a G, heuristic: &'a H, meter: &'a Meter<'a>, longest: u32) -> Self {
        Player { game, heuristic, meter, again: Again::of(game), longest, line: Vec::new(), nodes: 0, evals: 0 }
    }

    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    fn judge(&mut self, state: &G::State) -> Walked<f64, G> {
        self.evals += 1;
        Ok(self.asked(self.heuristic.evaluate(self.game, state))? + 0.0)
    }

    /// What a finished game is worth to Max, and who has won it.
    fn worth(&mut self, state: &G::State) -> Walked<(f64, Option<Side>), G> {
        let ending = self.asked(self.game.ending(state))?;
        self.evals += u64::from(ending.is_none());
        let value = self.asked(worth(self.game, ending, || self.heuristic.evaluate(self.game, state)))?;
        Ok((value, self.asked(winner(self.game, ending, || Ok(value)))?))
    }

    /// What can be chosen in a position; `None` where the game is over.
    fn fork(&mut self, state: &G::State) -> Walked<Option<Fork<G>>, G> {
        let turn = self.asked(self.game.turn(state))?;
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        match turn {
            Turn::Over => return Ok(None),
            Turn::Chance => self.asked(self.game.outcomes(state, &mut moves, &mut weights))?,
            Turn::Max | Turn::Min => self.asked(self.game.moves(state, &mut moves))?,
        }
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        let numbers = (0..moves.len() as u32).collect();
        Ok(Some(Fork { state: state.clone(), moves, weights, numbers, chance: turn == Turn::Chance }))
    }

    /// Counts a position, and looks whether to go on.
    fn visit(&mut self) -> Walked<(), G> {
        if !self.meter.admits_one_more() {
            return Err(Halt::Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Plays one game to its end; `each` hears of every choice: the position, and how many moves
    /// there were. The moves that were made stay on the line.
    ///
    /// Where a position would come again, and that is no draw, the choice is made among the other
    /// moves; where none is left, the choice before it. So the end is drawn from the tree of play
    /// without the branches that repeat a position, each choice uniform among those that are left.
    fn play(&mut self, root: &G::State, random: &mut Xoshiro256PlusPlus) -> Walked<Ended, G> {
        self.line.clear();
        let mut state = root.clone();
        let begun = self.nodes;
        loop {
            self.visit().map_err(|halt| self.led(halt))?;
            let plies = self.line.len() as u32;
            if self.again == Again::Draw && self.line.iter().any(|fork| fork.state == state) {
                return Ok(Ended { value: 0.0, winner: None, plies, unfinished: false });
            }
            let found = self.fork(&state).map_err(|halt| self.led(halt))?;
            let Some(fork) = found else {
                let (value, winner) = self.worth(&state).map_err(|halt| self.led(halt))?;
                return Ok(Ended { value, winner, plies, unfinished: false });
            };
            let tried_in_vain = self.nodes - begun > u64::from(plies) + PATIENCE;
            if plies >= self.longest || tried_in_vain {
                let value = self.judge(&state).map_err(|halt| self.led(halt))?;
                return Ok(Ended { value, winner: None, plies, unfinished: true });
            }
            self.line.push(fork);
            match self.go_on(random)? {
                Some(next) => state = next,
                None => {
                    // Every line of play comes back to where it was.
                    let value = self.judge(root)?;
                    return Ok(Ended { value, winner: None, plies: 0, unfinished: true });
                }
            }
        }
    }

    /// A fault with the moves that led to it, the last one first.
    fn led(&self, halt: Halt<G::Fault, G::Move>) -> Halt<G::Fault, G::Move> {
        let Halt::Failed(SearchError::Fault { fault, .. }) = halt else { return halt };
        // The moves that were tried stand last in their lists.
        let made = self.line.iter().filter_map(|fork| fork.moves.last().cloned());
        Halt::Failed(SearchError::Fault { fault, line: made.collect() })
    }

    /// Chooses a move where the line stands, or where it stood before; gives where it leads. The
    /// move made stands last in its list; `None` where there is none to make.
    fn go_on(&mut self, random: &mut Xoshiro256PlusPlus) -> Walked<Option<G::State>, G> {
        loop {
            let Some(fork) = self.line.last_mut() else { return Ok(None) };
            let count = fork.moves.len();
            if count == 0 {
                // A dead end: the move that led here is no choice.
                self.line.pop();
                if let Some(before) = self.line.last_mut() {
                    before.drop_last();
                }
                continue;
            }
            let number = match fork.chance {
                true => drawn_by(&fork.weights, random.random_range(0..fork.weights.iter().sum())),
                false => random.random_range(0..count),
            };
            fork.choose(number);
            let mv = fork.moves.last().expect("one was chosen");
            let next = match self.game.held(mv) {
                Some(held) => held.clone(),
                None => {
                    let next = self.game.apply(&fork.state, mv);
                    let next = next.map_err(|fault| self.meter.fault(fault));
                    next.map_err(|halt| self.led(halt))?
                }
            };
            if self.again == Again::Cut && self.line.iter().any(|fork| fork.state == next) {
                let fork = self.line.last_mut().expect("it is not empty");
                fork.drop_last();
                continue;
            }
            return Ok(Some(next));
        }
    }
}
