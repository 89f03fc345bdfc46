//! Playouts: many random games from one position.
//!
//! The search takes a position, a number of games and a seed. It gives their mean with its error,
//! and the mean of each first move. Games are played in groups whose sums are added in order. So the
//! same seed gives the same bytes for any number of threads.

use super::groups::{Gather, Play};
use super::{PlayoutRunner, random};
use crate::game::{Game, Heuristic, Score, Side, ToMove, widened_by_endless_play};
use crate::search::iteration::IterationTask;
use crate::search::result::{
    LineEnd, PlayoutSample, SampleMean, ScoredLine, SearchHalt, SearchResult, Searched, Stats, Walked,
};
use std::collections::BTreeMap;
use std::ops::Range;

/// The default number of games.
pub const GAMES: u64 = 10_000;

/// Sums over random games.
#[derive(Clone, Debug, Default)]
pub(in crate::search) struct Sums {
    games: u64,
    value: f64,
    square: f64,
    plies: u64,
    longest: u32,
    wins: u64,
    losses: u64,
    unfinished: u64,
    nodes: u64,
    evals: u64,
    /// By index of the first move: the number of games and the sum of their values.
    first: BTreeMap<u32, (u64, f64)>,
}

impl Gather for Sums {
    fn add(&mut self, other: Sums) {
        self.games += other.games;
        self.value += other.value;
        self.square += other.square;
        self.plies += other.plies;
        self.longest = self.longest.max(other.longest);
        self.wins += other.wins;
        self.losses += other.losses;
        self.unfinished += other.unfinished;
        self.nodes += other.nodes;
        self.evals += other.evals;
        for (number, (games, value)) in other.first {
            let all = self.first.entry(number).or_default();
            (all.0, all.1) = (all.0 + games, all.1 + value);
        }
    }
}

impl Sums {
    /// Plays a group of games and adds them; `false` if it was stopped early.
    fn play<G: Game, H: Heuristic<G>>(
        &mut self,
        task: &IterationTask<'_, G, H>,
        seed: u64,
        numbers: Range<u64>,
    ) -> Searched<bool, G> {
        let mut player = PlayoutRunner::new(task.game, task.heuristic, task.meter);
        for number in numbers {
            let ended = match player.quick(task.root, &mut random(seed, number)) {
                Ok(ended) => ended,
                Err(SearchHalt::Stopped) => return Ok(false),
                Err(SearchHalt::Failed(error)) => return Err(error),
            };
            self.games += 1;
            self.value += ended.value;
            self.square += ended.value * ended.value;
            self.plies += u64::from(ended.plies);
            self.longest = self.longest.max(ended.plies);
            self.wins += u64::from(ended.winner == Some(Side::Max));
            self.losses += u64::from(ended.winner == Some(Side::Min));
            self.unfinished += u64::from(ended.unfinished);
            if let Some(number) = ended.first {
                let all = self.first.entry(number).or_default();
                (all.0, all.1) = (all.0 + 1, all.1 + ended.value);
            }
            self.nodes = player.nodes;
            self.evals = player.evals;
        }
        Ok(true)
    }

    /// The precision of the mean; `range` has the values of the game, if known.
    fn spread(&self, mean: f64, range: Option<(f64, f64)>) -> SampleMean {
        let games = self.games as f64;
        let variance = (self.square / games - mean * mean).max(0.0) * games / (games - 1.0).max(1.0);
        let standard_error = (variance / games).sqrt();
        let (mut low, mut high) = (mean - 1.96 * standard_error, mean + 1.96 * standard_error);
        let (least, most) = range.unwrap_or((-1.0, 1.0));
        if variance == 0.0 {
            // All values are equal. In up to 3 of n games the value may still differ ("rule of
            // three", James Hanley and Abby Lippman-Hand, 1983).
            let share = (3.0 / games).min(1.0);
            (low, high) = (low - share * (mean - least).max(0.0), high + share * (most - mean).max(0.0));
        }
        if range.is_some() {
            (low, high) = (low.max(least), high.min(most));
        }
        SampleMean {
            standard_error,
            low,
            high,
            wins: self.wins,
            losses: self.losses,
            unfinished: self.unfinished,
            mean_plies: self.plies as f64 / games,
        }
    }

    fn outcome<G: Game, H>(
        &self,
        task: &IterationTask<'_, G, H>,
        root: &Choice<G>,
        lines: usize,
        stopped: bool,
    ) -> SearchResult<G::Move> {
        let stats = Stats { nodes: self.nodes, evals: self.evals, ..Stats::default() };
        let counted = |outcome: SearchResult<G::Move>| SearchResult {
            averaged: true,
            nodes: self.nodes,
            evals: self.evals,
            stats,
            reached: self.longest,
            stopped,
            ..outcome
        };
        if self.games == 0 {
            return counted(SearchResult::none());
        }
        let mean = self.value / self.games as f64;
        let range = task.game.facts().payoff_range.map(|stakes| widened_by_endless_play(task.game, stakes));
        let sample =
            PlayoutSample { games: self.games, leaf: None, full: false, spread: Some(self.spread(mean, range)) };
        let sign = if root.side == Some(Side::Min) { -1.0 } else { 1.0 };
        let mut means: Vec<(u32, f64)> =
            self.first.iter().map(|(number, (games, value))| (*number, value / *games as f64)).collect();
        means.sort_by(|left, right| (sign * right.1).total_cmp(&(sign * left.1)));
        let told = means.iter().take(lines).filter_map(|(number, mean)| {
            let moves = vec![root.moves.get(*number as usize)?.clone()];
            Some(ScoredLine { value: Score::number(*mean), exact: false, moves, end: Some(LineEnd::Horizon) })
        });
        let lines: Vec<ScoredLine<G::Move>> = told.collect();
        let line = lines.first().map(|line| line.moves.clone()).unwrap_or_default();
        counted(SearchResult {
            value: Some(Score::number(mean)),
            best: line.first().cloned(),
            line,
            end: Some(if root.turn == ToMove::Chance { LineEnd::Chance } else { LineEnd::Horizon }),
            lines,
            sample: Some(sample),
            ..SearchResult::none()
        })
    }
}

/// The moves at the root.
struct Choice<G: Game> {
    turn: ToMove,
    side: Option<Side>,
    moves: Vec<G::Move>,
}

/// Plays random games; `play` runs the groups, with one thread or several.
pub(in crate::search) fn playouts<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    (seed, lines): (u64, usize),
    play: impl FnOnce(&Play<'_, G, H, Sums>) -> Searched<(Sums, bool), G>,
) -> Searched<SearchResult<G::Move>, G> {
    let root = match choice(task) {
        Ok(root) => root,
        Err(SearchHalt::Stopped) => return Ok(SearchResult { averaged: true, stopped: true, ..SearchResult::none() }),
        Err(SearchHalt::Failed(error)) => return Err(error),
    };
    let group = |task: &IterationTask<'_, G, H>, numbers: Range<u64>| {
        let mut sums = Sums::default();
        let whole = sums.play(task, seed, numbers)?;
        Ok((sums, whole))
    };
    let (all, whole) = play(&group)?;
    Ok(all.outcome(task, &root, lines, !whole))
}

/// Reads the root before the games, because after a stop the game may fault.
fn choice<G: Game, H>(task: &IterationTask<'_, G, H>) -> Walked<Choice<G>, G> {
    let fault = |fault| task.meter.fault(fault);
    let turn = task.game.to_move(task.root).map_err(fault)?;
    let side = turn.side();
    let mut moves = Vec::new();
    if side.is_some() {
        task.game.moves(task.root, &mut moves).map_err(fault)?;
    }
    Ok(Choice { turn, side, moves })
}
