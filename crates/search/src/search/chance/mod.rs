//! Games with chance: values that are averages over what can happen.
//!
//! In: a task, a way to average. Out: the value of a position to a depth. Where chance moves, a
//! position is worth the mean of what can follow ("*expectiminimax*", Donald Michie, 1966), or
//! whatever [`Backup`] makes of it. A ply is a move of a player or of chance. Values here are
//! numbers: a win is worth the greater of [`Game::stakes`], and it does not matter how soon it
//! comes. Must not know where numbers or chances come from.

pub mod backup;

mod choose;
mod deepen;
mod plain;
mod star;

pub(super) use deepen::{search, together};

use super::engine::table::{Entry, TranspositionTable};
use super::iteration::IterationTask;
use super::limits::Meter;
use super::repetition::{LineHashes, Repetition};
use super::result::{LineEnd, SearchError, Stats};
use super::stack::{SearchHalt, Walked};
use crate::game::{Game, GameResult, Heuristic, Side, widened_by_endless_play};
use backup::Backup;

/// The depth of a search to the end of the game.
const ENDLESS: u32 = u32::MAX;

/// How often the room on the stack is looked at, in plies.
const LOOK: u32 = 8;

/// What a search passes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Nothing.
    Plain,
    /// What cannot matter, where players move and where chance does: Star1 (Bruce Ballard, "The
    /// *-minimax search procedure for trees containing chance nodes", 1983).
    Star1,
    /// The same, after one move of every position that can follow has been looked at: Star2.
    Star2,
}

/// What is found of a position: for Max, a value or a bound of it.
#[derive(Clone, Copy, Debug)]
struct Reply {
    value: f64,
    /// Whether no position at the horizon had a part in it.
    resolved: bool,
}

/// Where in the tree a position stands.
#[derive(Clone, Copy)]
struct At {
    /// Plies to the horizon.
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// Who moved last.
    owner: Side,
}

impl At {
    /// After a move of a player, or of chance.
    fn below(self, mover: Option<Side>) -> At {
        let depth = if self.depth == ENDLESS { ENDLESS } else { self.depth - 1 };
        At { depth, ply: self.ply + 1, owner: mover.unwrap_or(self.owner) }
    }
}

/// The values for Max that matter: those between.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: f64,
    high: f64,
}

impl Window {
    const OPEN: Window = Window { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Whether a value found in this window is the value, and no bound.
    fn holds(self, value: f64) -> bool {
        value > self.low && value < self.high
    }
}

fn seen_by(value: f64, side: Side) -> f64 {
    if side == Side::Max { value } else { -value }
}

/// A search under way.
struct Averaging<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    backup: &'a Backup,
    way: Way,
    /// What bounds every value, that of play without end included.
    range: Option<(f64, f64)>,
    /// What a risk function takes for the worst and the best.
    scale: Option<(f64, f64)>,
    table: Option<&'a TranspositionTable>,
    /// Whether values in the table count: not where one depends on the line that led there.
    trusts_table: bool,
    repetition: Repetition,
    standing: LineHashes,
    keys: Vec<u128>,
    weighs: bool,
    /// The number among those that share a table.
    number: u32,
    /// The best line of the position that was left last, its last move first.
    left: Vec<G::Move>,
    left_end: Option<LineEnd>,
    stats: Stats,
    reached: u32,
}

impl<'a, G: Game, H: Heuristic<G>> Averaging<'a, G, H> {
    fn new(
        task: &IterationTask<'a, G, H>,
        way: Way,
        backup: &'a Backup,
        table: Option<&'a TranspositionTable>,
    ) -> Self {
        let repetition = match Repetition::in_game(task.game, task.depth) {
            Repetition::Reported if task.meter.limits().is_bounded() => Repetition::Ignored,
            repetition => repetition,
        };
        let range = task.game.payoff_range().map(|stakes| widened_by_endless_play(task.game, stakes));
        Averaging {
            game: task.game,
            heuristic: task.heuristic,
            meter: task.meter,
            backup,
            way,
            range,
            // A repetition may be a draw where no end of the game is.
            scale: if repetition == Repetition::Draw { range } else { task.game.payoff_range() },
            table,
            trusts_table: repetition != Repetition::Draw,
            repetition,
            standing: LineHashes::default(),
            keys: Vec::new(),
            weighs: task.heuristic.weighs_moves(task.game),
            number: 0,
            left: Vec::new(),
            left_end: None,
            stats: Stats::default(),
            reached: 0,
        }
    }

    /// The value of `state` inside the window, or a bound outside it.
    fn node(&mut self, state: &G::State, at: At, window: Window) -> Walked<Reply, G> {
        if at.ply.is_multiple_of(LOOK) {
            return stacker::maybe_grow(256 << 10, 4 << 20, || self.visit(state, at, window));
        }
        self.visit(state, at, window)
    }

    /// Arrives at a position: what it is worth if nothing follows it in this search.
    fn arrive(&mut self, state: &G::State, at: At) -> Walked<Option<Reply>, G> {
        if !self.meter.admits_one_more() {
            return Err(SearchHalt::Stopped);
        }
        self.stats.nodes += 1;
        self.reached = self.reached.max(at.ply);
        if self.repetition != Repetition::Ignored {
            let key = self.game.key(state);
            if self.standing.holds(key as u64, |at| self.keys[at] == key) {
                return self.again().map(Some);
            }
        }
        if at.depth > 0 {
            return Ok(None);
        }
        if self.asked(self.game.is_over(state))? {
            return self.over(state).map(Some);
        }
        self.ends(Some(LineEnd::Horizon));
        let value = self.judge(state)?;
        Ok(Some(Reply { value, resolved: false }))
    }

    /// Puts a position on the line for as long as what follows it is searched.
    fn on_line<T>(&mut self, state: &G::State, at: At, search: impl FnOnce(&mut Self) -> Walked<T, G>) -> Walked<T, G> {
        if self.meter.is_too_long(at.ply as usize) {
            return Err(SearchHalt::Failed(SearchError::Endless { line: Vec::new() }));
        }
        if self.repetition == Repetition::Ignored {
            return search(self);
        }
        let key = self.game.key(state);
        self.standing.push(key as u64);
        self.keys.push(key);
        let found = search(self)?;
        self.standing.pop();
        self.keys.pop();
        Ok(found)
    }

    /// A position that stands on the line already.
    fn again(&mut self) -> Walked<Reply, G> {
        if self.repetition == Repetition::Reported {
            return Err(SearchHalt::Failed(SearchError::Repetition { line: Vec::new() }));
        }
        self.ends(Some(LineEnd::Repeated));
        Ok(Reply { value: 0.0, resolved: true })
    }

    /// A finished game.
    fn over(&mut self, state: &G::State) -> Walked<Reply, G> {
        let ending = self.asked(self.game.result(state))?;
        self.stats.evals += u64::from(ending.is_none());
        let value = self.asked(worth(self.game, ending, || self.heuristic.evaluate(self.game, state)))?;
        self.ends(Some(ending.map_or(LineEnd::Numbered, LineEnd::Ended)));
        Ok(Reply { value, resolved: true })
    }

    fn judge(&mut self, state: &G::State) -> Walked<f64, G> {
        self.stats.evals += 1;
        // Not -0, which is another number to a table.
        Ok(self.asked(self.heuristic.evaluate(self.game, state))? + 0.0)
    }

    fn ends(&mut self, end: Option<LineEnd>) {
        self.left.clear();
        self.left_end = end;
    }

    /// What the game says; after the stop flag was set, a fault is the stop.
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    /// The name of a position in the table.
    fn key(&self, state: &G::State, owner: Side) -> u128 {
        let key = self.game.key(state);
        // Where risk counts, the same throw is worth another value to another player.
        match owner {
            Side::Min if !self.backup.is_mean() => !key.rotate_left(64),
            _ => key,
        }
    }

    /// What can follow a position where chance moves, with weights.
    fn outcomes(&mut self, state: &G::State) -> Walked<(Vec<G::Move>, Vec<u64>), G> {
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        self.asked(self.game.chance_outcomes(state, &mut moves, &mut weights))?;
        assert!(!moves.is_empty() && moves.len() == weights.len(), "Game::outcomes finds something for each weight");
        Ok((moves, weights))
    }

    /// The moves of a player.
    fn moves(&mut self, state: &G::State) -> Walked<Vec<G::Move>, G> {
        let mut moves = Vec::new();
        self.asked(self.game.moves(state, &mut moves))?;
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        Ok(moves)
    }

    fn apply(&self, state: &G::State, mv: &G::Move) -> Walked<G::State, G> {
        match self.game.held(mv) {
            Some(next) => Ok(next.clone()),
            None => self.asked(self.game.apply(state, mv)),
        }
    }

    /// What bounds every value, where a search may pass over what bounds show not to matter. A risk
    /// function is monotone on its scale, and nothing is known of it beyond.
    fn bounds(&self) -> Option<(f64, f64)> {
        let sound = self.backup.is_mean() || self.backup.is_monotone() && self.range == self.scale;
        self.range.filter(|_| sound)
    }

    /// Whether nothing can be better for the mover than this.
    fn is_best(&self, value: f64, mover: Side) -> bool {
        self.range.is_some_and(|(low, high)| if mover == Side::Max { value >= high } else { value <= low })
    }
}

/// What a finished game is worth to Max where values are averaged: a number, for an average has no
/// win beyond all numbers. Errs when the heuristic is asked, for want of an ending, and faults.
pub fn worth<G: Game>(
    game: &G,
    ending: Option<GameResult>,
    evaluate: impl FnOnce() -> Result<f64, G::Fault>,
) -> Result<f64, G::Fault> {
    let (loss, win) = game.payoff_range().unwrap_or((-1.0, 1.0));
    Ok(match ending {
        Some(GameResult::Won(Side::Max)) => win,
        Some(GameResult::Won(Side::Min)) => loss,
        Some(GameResult::Draw) => 0.0,
        Some(GameResult::Points(points)) => points,
        // Not -0, which is another number to a table.
        None => evaluate()? + 0.0,
    })
}

/// The depth of an entry that serves a search to `depth`.
fn serves(entry: &Entry, depth: u32) -> bool {
    entry.depth == depth || entry.resolved && entry.depth <= depth
}
