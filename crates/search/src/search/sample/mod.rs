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
use super::repetition::LineHashes;
use super::result::SearchError;
use super::stack::{SearchHalt, Walked};
use crate::game::{Game, Heuristic, Side, ToMove, drawn_by, winner};
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
pub(super) struct PlayoutEnd {
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
    turn: ToMove,
    /// All moves: first those that are left to choose from, the one that is made last of them.
    moves: Vec<G::Move>,
    /// Of each, where chance chooses.
    weights: Vec<u64>,
    /// The places of the moves in the game's order.
    numbers: Vec<u32>,
    left: usize,
}

impl<G: Game> Fork<G> {
    /// Makes one of the moves that are left.
    fn choose(&mut self, random: &mut Xoshiro256PlusPlus) {
        let last = self.left - 1;
        if self.turn == ToMove::Chance {
            let weights = &self.weights[..self.left];
            let number = drawn_by(weights, random.random_range(0..weights.iter().sum()));
            self.weights.swap(number, last);
            self.numbers.swap(number, last);
            self.moves.swap(number, last);
        } else {
            let number = random.random_range(0..self.left);
            self.numbers.swap(number, last);
            self.moves.swap(number, last);
        }
    }

    fn made(&self) -> &G::Move {
        &self.moves[self.left - 1]
    }
}

/// A random game from a root.
struct Player<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    again: Again,
    line: Vec<Fork<G>>,
    /// Whether a position stands on the line, where that can be.
    standing: LineHashes,
    /// Positions visited, in all games.
    nodes: u64,
    evals: u64,
}

impl<'a, G: Game, H: Heuristic<G>> Player<'a, G, H> {
    fn new(game: &'a G, heuristic: &'a H, meter: &'a Meter<'a>) -> Self {
        let (line, standing) = (Vec::new(), LineHashes::default());
        Player { game, heuristic, meter, again: Again::of(game), line, standing, nodes: 0, evals: 0 }
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
        let ending = self.asked(self.game.result(state))?;
        self.evals += u64::from(ending.is_none());
        let value = self.asked(worth(self.game, ending, || self.heuristic.evaluate(self.game, state)))?;
        Ok((value, self.asked(winner(self.game, ending, || Ok(value)))?))
    }

    /// What can be chosen in a position; `None` where the game is over.
    fn fork(&mut self, state: &G::State) -> Walked<Option<Fork<G>>, G> {
        let turn = self.asked(self.game.to_move(state))?;
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        match turn {
            ToMove::Over => return Ok(None),
            ToMove::Chance => self.asked(self.game.chance_outcomes(state, &mut moves, &mut weights))?,
            ToMove::Max | ToMove::Min => self.asked(self.game.moves(state, &mut moves))?,
        }
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        let (left, numbers) = (moves.len(), (0..moves.len() as u32).collect());
        Ok(Some(Fork { state: state.clone(), turn, moves, weights, numbers, left }))
    }

    fn stands(&self, state: &G::State) -> bool {
        self.standing.holds(self.game.key(state) as u64, |ply| self.line[ply].state == *state)
    }

    fn push(&mut self, fork: Fork<G>) {
        if self.again != Again::Impossible {
            self.standing.push(self.game.key(&fork.state) as u64);
        }
        self.line.push(fork);
    }

    /// Counts a position, and looks whether to go on.
    fn visit(&mut self) -> Walked<(), G> {
        if !self.meter.admits_one_more() {
            return Err(SearchHalt::Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Plays one game to its end. The moves that were made stay on the line.
    ///
    /// Where a position would come again, and that is no draw, the choice is made among the other
    /// moves; where none is left, the choice before it. So the end is drawn from the tree of play
    /// without the branches that repeat a position, each choice uniform among those that are left.
    fn play(&mut self, root: &G::State, random: &mut Xoshiro256PlusPlus) -> Walked<PlayoutEnd, G> {
        self.line.clear();
        self.standing.clear();
        self.played(root, random).map_err(|halt| self.led(halt))
    }

    fn played(&mut self, root: &G::State, random: &mut Xoshiro256PlusPlus) -> Walked<PlayoutEnd, G> {
        let mut state = root.clone();
        let begun = self.nodes;
        loop {
            self.visit()?;
            let plies = self.line.len() as u32;
            if self.again == Again::Draw && self.stands(&state) {
                return Ok(PlayoutEnd { value: 0.0, winner: None, plies, unfinished: false });
            }
            let Some(fork) = self.fork(&state)? else {
                let (value, winner) = self.worth(&state)?;
                return Ok(PlayoutEnd { value, winner, plies, unfinished: false });
            };
            let tried_in_vain = self.nodes - begun > u64::from(plies) + PATIENCE;
            if plies >= LONGEST || tried_in_vain {
                let value = self.judge(&state)?;
                return Ok(PlayoutEnd { value, winner: None, plies, unfinished: true });
            }
            self.push(fork);
            match self.go_on(random)? {
                Some(next) => state = next,
                None => {
                    // Every line of play comes back to where it was.
                    let value = self.judge(root)?;
                    return Ok(PlayoutEnd { value, winner: None, plies: 0, unfinished: true });
                }
            }
        }
    }

    /// A fault with the moves that led to it, from the root.
    fn led(&self, halt: SearchHalt<G::Fault, G::Move>) -> SearchHalt<G::Fault, G::Move> {
        let SearchHalt::Failed(SearchError::Fault { fault, .. }) = halt else { return halt };
        let made = self.line.iter().filter(|fork| fork.left > 0).map(|fork| fork.made().clone());
        SearchHalt::Failed(SearchError::Fault { fault, line: made.collect() })
    }

    /// Chooses a move where the line stands, or where it stood before; gives where it leads, or
    /// `None` where there is none to make.
    fn go_on(&mut self, random: &mut Xoshiro256PlusPlus) -> Walked<Option<G::State>, G> {
        loop {
            let Some(fork) = self.line.last_mut() else { return Ok(None) };
            if fork.left == 0 {
                // A dead end: the move that led here is no choice.
                self.line.pop();
                self.standing.pop();
                if let Some(before) = self.line.last_mut() {
                    before.left -= 1;
                }
                continue;
            }
            fork.choose(random);
            let fork = &self.line[self.line.len() - 1];
            let next = match self.game.held(fork.made()) {
                Some(held) => held.clone(),
                None => self.asked(self.game.apply(&fork.state, fork.made()))?,
            };
            if self.again == Again::Cut && self.stands(&next) {
                self.line.last_mut().expect("it is not empty").left -= 1;
                continue;
            }
            return Ok(Some(next));
        }
    }
}
