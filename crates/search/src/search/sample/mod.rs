//! Random play: the value of a position if every move is chosen at random.
//!
//! A sample takes a game, a position, a number of games and a seed. It gives means with their
//! errors. Every random choice depends only on the seed and the number of the game, never on a clock
//! or a thread. "Expected-outcome model", Bruce Abramson, 1990; for dice games A. V. Moseev, 1999.

mod exact;
pub mod flat;
pub(super) mod groups;
pub mod mcts;
pub mod survey;

pub(super) use exact::expected;

use super::chance::worth;
use super::limits::Meter;
use super::repetition::LineHashes;
use super::result::{SearchError, SearchHalt, Walked};
use crate::game::{Game, Heuristic, RandomSuccessor, Side, ToMove, drawn_by, winner};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

/// The greatest number of plies of a random game; a longer game stops and is evaluated.
pub const LONGEST: u32 = 10_000;

/// The greatest number of positions that one game visits in vain to avoid repetitions.
const PATIENCE: u64 = 100_000;

/// The greatest count of replayed games with which play still begins without all moves.
const REPLAYS: u32 = 4;

/// The random number generator of one game.
fn random(seed: u64, game: u64) -> Xoshiro256PlusPlus {
    let mixed = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(game))
}

/// How random play treats a position that is already on the line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlayoutRepetition {
    /// There are no repetitions, so nothing is checked.
    Impossible,
    /// A repetition is a draw.
    Draw,
    /// A move to a repetition is excluded: play goes on without that move.
    Cut,
}

impl PlayoutRepetition {
    fn of<G: Game>(game: &G) -> PlayoutRepetition {
        match (game.facts().is_acyclic, game.facts().repetition_is_draw) {
            (true, _) => PlayoutRepetition::Impossible,
            (_, true) => PlayoutRepetition::Draw,
            _ => PlayoutRepetition::Cut,
        }
    }
}

/// The end of a random game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlayoutEnd {
    /// The value for Max.
    pub(super) value: f64,
    /// The winner, if any.
    pub(super) winner: Option<Side>,
    /// The length in plies.
    pub(super) plies: u32,
    /// The index of the first move in the game's order, if a player made it.
    pub(super) first: Option<u32>,
    /// Whether the game was stopped before its end.
    pub(super) unfinished: bool,
}

/// A position of a random game, with the moves to choose from.
struct PlayoutNode<G: Game> {
    state: G::State,
    turn: ToMove,
    /// All moves. The first `left` can still be chosen; the chosen one is the last of these.
    moves: Vec<G::Move>,
    /// The weights of the moves, in a chance position.
    weights: Vec<u64>,
    /// The indices of the moves in the game's order.
    numbers: Vec<u32>,
    left: usize,
}

impl<G: Game> PlayoutNode<G> {
    /// A position on the line of a game whose moves were not asked for.
    fn visited(state: G::State) -> PlayoutNode<G> {
        PlayoutNode { state, turn: ToMove::Over, moves: vec![], weights: vec![], numbers: vec![], left: 0 }
    }

    /// Chooses one of the first `left` moves.
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

/// Plays random games from a root.
struct PlayoutRunner<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    again: PlayoutRepetition,
    line: Vec<PlayoutNode<G>>,
    /// The hashes of the positions on the line, if repetitions are possible.
    line_hashes: LineHashes,
    /// Games that were replayed with all moves: 2 for each, less 1 for each that was not.
    replayed: u32,
    /// Positions visited in all games.
    nodes: u64,
    evals: u64,
}

impl<'a, G: Game, H: Heuristic<G>> PlayoutRunner<'a, G, H> {
    fn new(game: &'a G, heuristic: &'a H, meter: &'a Meter<'a>) -> Self {
        let (line, line_hashes) = (Vec::new(), LineHashes::default());
        PlayoutRunner {
            game,
            heuristic,
            meter,
            again: PlayoutRepetition::of(game),
            line,
            line_hashes,
            replayed: 0,
            nodes: 0,
            evals: 0,
        }
    }

    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    fn judge(&mut self, state: &G::State) -> Walked<f64, G> {
        self.evals += 1;
        Ok(self.asked(self.heuristic.evaluate(self.game, state))? + 0.0)
    }

    /// The value of a finished game for Max, and its winner.
    fn worth(&mut self, state: &G::State) -> Walked<(f64, Option<Side>), G> {
        let ending = self.asked(self.game.result(state))?;
        self.evals += u64::from(ending.is_none());
        let value = self.asked(worth(self.game, ending, || self.heuristic.evaluate(self.game, state)))?;
        Ok((value, self.asked(winner(self.game, ending, || Ok(value)))?))
    }

    /// The moves of a position to choose from; `None` if the game is over.
    fn fork(&mut self, state: &G::State) -> Walked<Option<PlayoutNode<G>>, G> {
        let turn = self.asked(self.game.to_move(state))?;
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        match turn {
            ToMove::Over => return Ok(None),
            ToMove::Chance => self.asked(self.game.chance_outcomes(state, &mut moves, &mut weights))?,
            ToMove::Max | ToMove::Min => self.asked(self.game.moves(state, &mut moves))?,
        }
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        let (left, numbers) = (moves.len(), (0..moves.len() as u32).collect());
        Ok(Some(PlayoutNode { state: state.clone(), turn, moves, weights, numbers, left }))
    }

    fn stands(&self, state: &G::State) -> bool {
        self.line_hashes.holds(self.game.key(state) as u64, |ply| self.line[ply].state == *state)
    }

    fn push(&mut self, fork: PlayoutNode<G>) {
        if self.again != PlayoutRepetition::Impossible {
            self.line_hashes.push(self.game.key(&fork.state) as u64);
        }
        self.line.push(fork);
    }

    /// Counts a position; halts if a limit is reached.
    fn visit(&mut self) -> Walked<(), G> {
        if !self.meter.count_node() {
            return Err(SearchHalt::Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Plays one game to its end. The positions and moves stay on the line.
    ///
    /// If a move leads to a repetition that is no draw, the player chooses among the other moves. If
    /// no move is left, the player chooses again at the position before. So the end is drawn from
    /// the game tree without repetitions, and each choice is uniform among the remaining moves.
    fn play(&mut self, root: &G::State, random: &mut Xoshiro256PlusPlus) -> Walked<PlayoutEnd, G> {
        self.line.clear();
        self.line_hashes.clear();
        let ended = self.played(root, random).map_err(|halt| self.led(halt))?;
        let chosen = self.line.first().filter(|fork| fork.turn != ToMove::Chance);
        Ok(PlayoutEnd { first: chosen.map(|fork| fork.numbers[fork.left - 1]), ..ended })
    }

    fn played(&mut self, root: &G::State, random: &mut Xoshiro256PlusPlus) -> Walked<PlayoutEnd, G> {
        let mut state = root.clone();
        let begun = self.nodes;
        loop {
            self.visit()?;
            let plies = self.line.len() as u32;
            if self.again == PlayoutRepetition::Draw && self.stands(&state) {
                return Ok(PlayoutEnd { value: 0.0, winner: None, plies, first: None, unfinished: false });
            }
            let Some(fork) = self.fork(&state)? else {
                let (value, winner) = self.worth(&state)?;
                return Ok(PlayoutEnd { value, winner, plies, first: None, unfinished: false });
            };
            let tried_in_vain = self.nodes - begun > u64::from(plies) + PATIENCE;
            if plies >= LONGEST || tried_in_vain {
                let value = self.judge(&state)?;
                return Ok(PlayoutEnd { value, winner: None, plies, first: None, unfinished: true });
            }
            self.push(fork);
            match self.go_on(random)? {
                Some(next) => state = next,
                None => {
                    // Every line repeats a position.
                    let value = self.judge(root)?;
                    return Ok(PlayoutEnd { value, winner: None, plies: 0, first: None, unfinished: true });
                }
            }
        }
    }

    /// Plays the game that [`PlayoutRunner::play`] plays, with the same choices. It does not ask for all moves
    /// if the game can choose a successor without them. The line has no moves then.
    fn quick(&mut self, root: &G::State, random: &mut Xoshiro256PlusPlus) -> Walked<PlayoutEnd, G> {
        if self.replayed > REPLAYS {
            return self.play(root, random);
        }
        let (begun, start) = ((self.nodes, self.evals), random.clone());
        match self.leap(root, random) {
            Ok(Some(ended)) => {
                self.replayed = self.replayed.saturating_sub(1);
                return Ok(ended);
            }
            Err(SearchHalt::Stopped) => return Err(SearchHalt::Stopped),
            Ok(None) | Err(SearchHalt::Failed(_)) => {}
        }
        self.replayed += 2;
        self.meter.discount(self.nodes - begun.0);
        (self.nodes, self.evals) = begun;
        *random = start;
        self.play(root, random)
    }

    /// Plays one game by [`Game::random_successor`]; `None` if it takes all moves to go on.
    fn leap(&mut self, root: &G::State, random: &mut Xoshiro256PlusPlus) -> Walked<Option<PlayoutEnd>, G> {
        self.line.clear();
        self.line_hashes.clear();
        let (mut state, mut first) = (root.clone(), None);
        for plies in 0..LONGEST {
            self.visit()?;
            if self.again == PlayoutRepetition::Draw && self.stands(&state) {
                return Ok(Some(PlayoutEnd { value: 0.0, winner: None, plies, first, unfinished: false }));
            }
            let mut number = 0;
            let picked = self.game.random_successor(&state, &mut |count| {
                number = random.random_range(0..count);
                number
            });
            let over = match self.asked(picked)? {
                RandomSuccessor::To(next) => {
                    first = first.or(Some(number as u32));
                    if self.again != PlayoutRepetition::Impossible {
                        self.push(PlayoutNode::visited(state));
                    }
                    if self.again == PlayoutRepetition::Cut && self.stands(&next) {
                        return Ok(None);
                    }
                    state = next;
                    false
                }
                RandomSuccessor::Over => true,
                RandomSuccessor::Unknown if plies == 0 => {
                    self.replayed = REPLAYS;
                    return Ok(None);
                }
                RandomSuccessor::Unknown if self.fork(&state)?.is_none() => true,
                RandomSuccessor::Unknown => return Ok(None),
            };
            if over {
                let (value, winner) = self.worth(&state)?;
                return Ok(Some(PlayoutEnd { value, winner, plies, first, unfinished: false }));
            }
        }
        Ok(None)
    }

    /// Adds the moves from the root to a fault.
    fn led(&self, halt: SearchHalt<G::Fault, G::Move>) -> SearchHalt<G::Fault, G::Move> {
        let SearchHalt::Failed(SearchError::Fault { fault, .. }) = halt else { return halt };
        let made = self.line.iter().filter(|fork| fork.left > 0).map(|fork| fork.made().clone());
        SearchHalt::Failed(SearchError::Fault { fault, line: made.collect() })
    }

    /// Chooses a move at the end of the line, or further back if none is left there. Returns the
    /// next position; `None` if no line is left.
    fn go_on(&mut self, random: &mut Xoshiro256PlusPlus) -> Walked<Option<G::State>, G> {
        loop {
            let Some(fork) = self.line.last_mut() else { return Ok(None) };
            if fork.left == 0 {
                // A dead end: the move to this position is excluded.
                self.line.pop();
                self.line_hashes.pop();
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
            if self.again == PlayoutRepetition::Cut && self.stands(&next) {
                self.line.last_mut().expect("it is not empty").left -= 1;
                continue;
            }
            return Ok(Some(next));
        }
    }
}
