//! A survey of a game by random play, for its designer.
//!
//! A survey takes a game, a position, a number of games and a seed. It gives the lengths of games,
//! the numbers of moves, the winners and the number of positions. All results hold for random play.

use super::groups::{self, Gather, Play};
use super::{PlayoutEnd, PlayoutRunner, random};
use crate::game::{Game, Heuristic, Side, winner};
use crate::search::engine::HelperThreads;
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter};
use crate::search::result::{SearchHalt, Searched, Walked};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::Range;

/// The greatest number of distinct positions that a survey counts.
pub const MOST: usize = 1 << 24;

/// The statistics of random games.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Games played.
    pub games: u64,
    /// Games won by the player who moved first.
    pub first_wins: u64,
    /// Games won by the other player.
    pub second_wins: u64,
    /// Games won by Max.
    pub max_wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games stopped for their length.
    pub unfinished: u64,
    /// The number of games by length, in moves of players.
    pub lengths: BTreeMap<u32, u64>,
    /// For each number of a player's move in the game: how many positions had it, and how many moves
    /// these positions had in all.
    pub choices: Vec<(u64, u64)>,
    /// The greatest number of moves in one position.
    pub most_moves: usize,
    /// Chance moves.
    pub throws: u64,
    /// Positions in which the mover can win at once.
    pub decisive: u64,
    /// How many of these positions were won at once.
    pub decided: u64,
    /// The keys of the distinct positions: at most [`MOST`].
    pub met: FxHashSet<u128>,
    /// Whether the stop flag ended the survey.
    pub stopped: bool,
}

impl Survey {
    /// Positions with a player to move, counted at every visit.
    pub fn positions(&self) -> u64 {
        self.choices.iter().map(|(positions, _)| positions).sum()
    }

    /// The mean number of moves in these positions.
    pub fn branching(&self) -> f64 {
        let moves: u64 = self.choices.iter().map(|(_, moves)| moves).sum();
        moves as f64 / self.positions().max(1) as f64
    }

    /// The mean and the standard deviation of the length, in moves of players.
    pub fn length(&self) -> (f64, f64) {
        let games = self.games.max(1) as f64;
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.lengths.iter().map(|(length, games)| *games as f64 * of(f64::from(*length))).sum()
        };
        let mean = sum(&|length| length) / games;
        (mean, (sum(&|length| (length - mean) * (length - mean)) / (games - 1.0).max(1.0)).sqrt())
    }

    /// The least length that this share of the games does not exceed.
    pub fn quantile(&self, share: f64) -> u32 {
        let wanted = (share * self.games as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let found = self.lengths.iter().find(|(_, games)| {
            seen += **games;
            seen >= wanted
        });
        found.map_or(0, |(length, _)| *length)
    }
}

impl Gather for Survey {
    fn add(&mut self, other: Survey) {
        self.games += other.games;
        self.first_wins += other.first_wins;
        self.second_wins += other.second_wins;
        self.max_wins += other.max_wins;
        self.draws += other.draws;
        self.unfinished += other.unfinished;
        self.throws += other.throws;
        self.decisive += other.decisive;
        self.decided += other.decided;
        self.most_moves = self.most_moves.max(other.most_moves);
        for (length, games) in other.lengths {
            *self.lengths.entry(length).or_default() += games;
        }
        if self.choices.len() < other.choices.len() {
            self.choices.resize(other.choices.len(), (0, 0));
        }
        for (all, (positions, moves)) in self.choices.iter_mut().zip(other.choices) {
            (all.0, all.1) = (all.0 + positions, all.1 + moves);
        }
        other.met.into_iter().for_each(|key| self.meet(key));
    }
}

impl Survey {
    fn meet(&mut self, key: u128) {
        if self.met.len() < MOST {
            self.met.insert(key);
        }
    }

    /// Plays a group of games and adds them; `false` if it was stopped early.
    fn play<G: Game, H: Heuristic<G>>(
        &mut self,
        task: &IterationTask<'_, G, H>,
        seed: u64,
        numbers: Range<u64>,
    ) -> Searched<bool, G> {
        let mut player = PlayoutRunner::new(task.game, task.heuristic, task.meter);
        for number in numbers {
            let ended = player.play(task.root, &mut random(seed, number));
            let looked = ended.and_then(|ended| self.look(task, &player, ended));
            match looked {
                Ok(()) => {}
                Err(SearchHalt::Stopped) => return Ok(false),
                Err(SearchHalt::Failed(error)) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Adds the statistics of one game.
    fn look<G: Game, H: Heuristic<G>>(
        &mut self,
        task: &IterationTask<'_, G, H>,
        player: &PlayoutRunner<'_, G, H>,
        ended: PlayoutEnd,
    ) -> Walked<(), G> {
        let game = task.game;
        let asked = |fault| task.meter.fault(fault);
        let (mut first, mut length) = (None, 0);
        for fork in &player.line {
            self.meet(game.key(&fork.state));
            let mover = fork.turn.side();
            if mover.is_none() {
                self.throws += 1;
                continue;
            }
            first = first.or(mover);
            let moves = &fork.moves;
            if self.choices.len() <= length {
                self.choices.resize(length + 1, (0, 0));
            }
            let here = &mut self.choices[length];
            (here.0, here.1) = (here.0 + 1, here.1 + moves.len() as u64);
            self.most_moves = self.most_moves.max(moves.len());
            length += 1;
            let wins = |mv: &G::Move| -> Walked<bool, G> {
                let next = game.apply(&fork.state, mv).map_err(asked)?;
                let over = game.is_over(&next).map_err(asked)?;
                if !over {
                    return Ok(false);
                }
                let ending = game.result(&next).map_err(asked)?;
                Ok(winner(game, ending, || task.heuristic.evaluate(game, &next)).map_err(asked)? == mover)
            };
            let mut decisive = false;
            for mv in moves {
                decisive |= wins(mv)?;
            }
            self.decisive += u64::from(decisive);
            if decisive {
                self.decided += u64::from(wins(fork.made())?);
            }
        }
        self.games += 1;
        *self.lengths.entry(length as u32).or_default() += 1;
        let side = ended.winner;
        self.unfinished += u64::from(ended.unfinished);
        self.max_wins += u64::from(side == Some(Side::Max));
        match side {
            None => self.draws += u64::from(!ended.unfinished),
            // If no player ever moves, no player is first.
            _ if first.is_none() => {}
            side if side == first => self.first_wins += 1,
            _ => self.second_wins += 1,
        }
        Ok(())
    }
}

/// Plays `games` random games with several threads. Equal seeds give equal surveys.
pub fn survey<G, H>(
    (game, heuristic): (&G, &H),
    state: &G::State,
    (games, seed): (u64, u64),
    limits: &Limits<'_>,
    threads: &HelperThreads<'_, G>,
) -> Searched<Survey, G>
where
    G: Game,
    G::State: Send + Sync,
    H: Heuristic<G> + Sync,
{
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: None, meter: &meter };
    let play: &Play<'_, G, H, Survey> = &|task, numbers| {
        let mut survey = Survey::default();
        let whole = survey.play(task, seed, numbers)?;
        Ok((survey, whole))
    };
    let (all, whole) = groups::together(&task, games, play, threads)?;
    Ok(Survey { stopped: !whole, ..all })
}
