//! The exact value of random play: the mean over all choices.
//!
//! All moves of a position are equally likely, and chance outcomes have their weights. The search
//! visits every line, so it is for small games and for checks of playouts.

use super::PlayoutRepetition;
use crate::game::{Game, Heuristic, Score, Side, ToMove};
use crate::search::chance::worth;
use crate::search::iteration::IterationTask;
use crate::search::limits::Meter;
use crate::search::result::{LineEnd, ScoredLine, SearchError, SearchHalt, SearchResult, Searched, Stats, Walked};
use rustc_hash::FxHashMap;

/// Computes the value of random play from the root, and after each root move.
///
/// A move to a repetition that is no draw is excluded; so is a position without any other move. So
/// playouts converge to this value. An acyclic game needs one visit of every position, another game
/// one visit for every line to it. There is no value if every line repeats a position.
pub(in crate::search) fn expected<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    lines: usize,
) -> Searched<SearchResult<G::Move>, G> {
    let IterationTask { game, heuristic, meter, .. } = *task;
    let again = PlayoutRepetition::of(game);
    let mut mean = ExpectedValueSearch {
        game,
        heuristic,
        meter,
        again,
        line: Vec::new(),
        known: FxHashMap::default(),
        nodes: 0,
        longest: 0,
    };
    let found = mean.root(task.root);
    let counted = |outcome: SearchResult<G::Move>| SearchResult {
        averaged: true,
        nodes: mean.nodes,
        reached: mean.longest,
        stats: Stats { nodes: mean.nodes, ..Stats::default() },
        ..outcome
    };
    let (value, mut behind) = match found {
        Ok(found) => found,
        Err(SearchHalt::Stopped) => return Ok(counted(SearchResult { stopped: true, ..SearchResult::none() })),
        Err(SearchHalt::Failed(error)) => return Err(error.rooted()),
    };
    let Some(value) = value else { return Err(SearchError::Repetition { line: Vec::new() }) };
    let sign = match game.to_move(task.root).ok().and_then(ToMove::side) {
        Some(Side::Max) => 1.0,
        Some(Side::Min) => -1.0,
        None => {
            behind.clear();
            1.0
        }
    };
    behind.sort_by(|(_, left), (_, right)| (sign * right).total_cmp(&(sign * left)));
    let told = behind.into_iter().take(lines.max(1)).map(|(mv, value)| ScoredLine {
        value: Score::number(value),
        exact: true,
        moves: vec![mv],
        end: Some(LineEnd::Chance),
    });
    let lines: Vec<ScoredLine<G::Move>> = told.collect();
    let line = lines.first().map(|line| line.moves.clone()).unwrap_or_default();
    let (value, best) = (Some(Score::number(value)), line.first().cloned());
    Ok(counted(SearchResult {
        value,
        exact: true,
        best,
        line,
        end: Some(LineEnd::Chance),
        lines,
        ..SearchResult::none()
    }))
}

struct ExpectedValueSearch<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    again: PlayoutRepetition,
    line: Vec<G::State>,
    /// The values of visited positions, in an acyclic game.
    known: FxHashMap<G::State, f64>,
    nodes: u64,
    longest: u32,
}

/// Moves with their values.
type Behind<G> = Vec<(<G as Game>::Move, f64)>;

impl<G: Game, H: Heuristic<G>> ExpectedValueSearch<'_, G, H> {
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    fn value(&mut self, state: &G::State) -> Walked<Option<f64>, G> {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.mean(state))
    }

    fn mean(&mut self, state: &G::State) -> Walked<Option<f64>, G> {
        if !self.meter.count_node() {
            return Err(SearchHalt::Stopped);
        }
        self.nodes += 1;
        self.longest = self.longest.max(self.line.len() as u32);
        if self.meter.is_too_long(self.line.len()) {
            return Err(SearchHalt::Failed(SearchError::Endless { line: Vec::new() }));
        }
        match self.again {
            PlayoutRepetition::Impossible => {
                if let Some(value) = self.known.get(state) {
                    return Ok(Some(*value));
                }
            }
            again if self.line.contains(state) => return Ok((again == PlayoutRepetition::Draw).then_some(0.0)),
            _ => {}
        }
        let Some((sum, total)) = self.sum(state, None)? else { return self.worth(state).map(Some) };
        let mean = (total > 0.0).then(|| sum / total);
        if let (PlayoutRepetition::Impossible, Some(mean)) = (self.again, mean) {
            self.known.insert(state.clone(), mean);
        }
        Ok(mean)
    }

    /// The sum of the values after all moves, and of their weights; `None` if the game is over.
    fn sum(&mut self, state: &G::State, mut behind: Option<&mut Behind<G>>) -> Walked<Option<(f64, f64)>, G> {
        let turn = self.asked(self.game.to_move(state))?;
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        match turn {
            ToMove::Over => return Ok(None),
            ToMove::Chance => self.asked(self.game.chance_outcomes(state, &mut moves, &mut weights))?,
            ToMove::Max | ToMove::Min => {
                self.asked(self.game.moves(state, &mut moves))?;
                weights.resize(moves.len(), 1);
            }
        }
        self.line.push(state.clone());
        let (mut sum, mut total) = (0.0, 0.0);
        for (mv, weight) in moves.iter().zip(weights) {
            let next = self.asked(self.game.apply(state, mv))?;
            if let Some(value) = self.value(&next).map_err(|halt| halt.after(mv))? {
                sum += weight as f64 * value;
                total += weight as f64;
                if let Some(behind) = &mut behind {
                    behind.push((mv.clone(), value));
                }
            }
        }
        self.line.pop();
        Ok(Some((sum, total)))
    }

    fn root(&mut self, state: &G::State) -> Walked<(Option<f64>, Behind<G>), G> {
        let mut behind = Vec::new();
        Ok(match self.sum(state, Some(&mut behind))? {
            None => (Some(self.worth(state)?), behind),
            Some((sum, total)) => ((total > 0.0).then(|| sum / total), behind),
        })
    }

    fn worth(&mut self, state: &G::State) -> Walked<f64, G> {
        let ending = self.asked(self.game.result(state))?;
        self.asked(worth(self.game, ending, || self.heuristic.evaluate(self.game, state)))
    }
}
