//! Games with chance: a chance position is worth an average of its outcomes.
//!
//! A chance position is worth the mean of its successors ("*expectiminimax*", Donald Michie, 1966),
//! or what [`Backup`] makes of them. A ply is a move of a player or of chance. Values are numbers: a
//! win is worth the greater end of [`GameFacts::payoff_range`](crate::game::GameFacts::payoff_range), however soon it comes. This module must
//! not depend on the source of numbers or chances.

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
use super::result::{LineEnd, SearchError, SearchHalt, Stats, Walked};
use crate::game::{Game, GameResult, Heuristic, Side, widened_by_endless_play};
use backup::Backup;

/// The depth of a full-depth search.
const ENDLESS: u32 = u32::MAX;

/// Plies between two checks of the free stack space.
const LOOK: u32 = 8;

/// What a search may cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChanceMethod {
    /// Nothing: expectiminimax.
    Plain,
    /// Moves and chance outcomes that cannot change the value: Star1 (Bruce Ballard, "The *-minimax
    /// search procedure for trees containing chance nodes", 1983).
    Star1,
    /// Star2: Star1, after a probe of one move in every chance outcome.
    Star2,
}

/// The result of a node: for Max, a value or a bound of it.
#[derive(Clone, Copy, Debug)]
struct NodeAverage {
    value: f64,
    /// Whether no position at the horizon had a part in it.
    resolved: bool,
}

/// The place of a position in the tree.
#[derive(Clone, Copy)]
struct ChancePlace {
    /// Plies to the horizon.
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// The player who moved last.
    owner: Side,
}

impl ChancePlace {
    /// The place after a move of a player, or of chance.
    fn below(self, mover: Option<Side>) -> ChancePlace {
        let depth = if self.depth == ENDLESS { ENDLESS } else { self.depth - 1 };
        ChancePlace { depth, ply: self.ply + 1, owner: mover.unwrap_or(self.owner) }
    }
}

/// A window for Max: values between `low` and `high` matter.
#[derive(Clone, Copy, Debug)]
struct ValueWindow {
    low: f64,
    high: f64,
}

impl ValueWindow {
    const OPEN: ValueWindow = ValueWindow { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Whether a value found in this window is exact rather than a bound.
    fn holds(self, value: f64) -> bool {
        value > self.low && value < self.high
    }
}

fn seen_by(value: f64, side: Side) -> f64 {
    if side == Side::Max { value } else { -value }
}

/// The state of a search with averages.
struct ChanceSearch<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    backup: &'a Backup,
    way: ChanceMethod,
    /// The range of all values, endless play included.
    range: Option<(f64, f64)>,
    /// The worst and the best value on the scale of a risk function.
    scale: Option<(f64, f64)>,
    table: Option<&'a TranspositionTable>,
    /// Whether to use values in the table: not if a value depends on the line to its position.
    trusts_table: bool,
    repetition: Repetition,
    line_hashes: LineHashes,
    keys: Vec<u128>,
    weighs: bool,
    /// The number of this search among those that share a table.
    number: u32,
    /// The best line of the position that was left last, its last move first.
    left: Vec<G::Move>,
    left_end: Option<LineEnd>,
    stats: Stats,
    reached: u32,
}

impl<'a, G: Game, H: Heuristic<G>> ChanceSearch<'a, G, H> {
    fn new(
        task: &IterationTask<'a, G, H>,
        way: ChanceMethod,
        backup: &'a Backup,
        table: Option<&'a TranspositionTable>,
    ) -> Self {
        let repetition = match Repetition::in_game(task.game, task.depth) {
            Repetition::Reported if task.meter.limits().is_bounded() => Repetition::Ignored,
            repetition => repetition,
        };
        let range = task.game.facts().payoff_range.map(|stakes| widened_by_endless_play(task.game, stakes));
        ChanceSearch {
            game: task.game,
            heuristic: task.heuristic,
            meter: task.meter,
            backup,
            way,
            range,
            // A repetition may be a draw even if no finished game is worth 0.
            scale: if repetition == Repetition::Draw { range } else { task.game.facts().payoff_range },
            table,
            trusts_table: repetition != Repetition::Draw,
            repetition,
            line_hashes: LineHashes::default(),
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
    fn node(&mut self, state: &G::State, at: ChancePlace, window: ValueWindow) -> Walked<NodeAverage, G> {
        if at.ply.is_multiple_of(LOOK) {
            return stacker::maybe_grow(256 << 10, 4 << 20, || self.visit(state, at, window));
        }
        self.visit(state, at, window)
    }

    /// Visits a position; returns its value if the search does not go deeper.
    fn arrive(&mut self, state: &G::State, at: ChancePlace) -> Walked<Option<NodeAverage>, G> {
        if !self.meter.count_node() {
            return Err(SearchHalt::Stopped);
        }
        self.stats.nodes += 1;
        self.reached = self.reached.max(at.ply);
        if self.repetition != Repetition::Ignored {
            let key = self.game.key(state);
            if self.line_hashes.holds(key as u64, |at| self.keys[at] == key) {
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
        Ok(Some(NodeAverage { value, resolved: false }))
    }

    /// Keeps a position on the line during the search of its successors.
    fn on_line<T>(
        &mut self,
        state: &G::State,
        at: ChancePlace,
        search: impl FnOnce(&mut Self) -> Walked<T, G>,
    ) -> Walked<T, G> {
        if self.meter.is_too_long(at.ply as usize) {
            return Err(SearchHalt::Failed(SearchError::Endless { line: Vec::new() }));
        }
        if self.repetition == Repetition::Ignored {
            return search(self);
        }
        let key = self.game.key(state);
        self.line_hashes.push(key as u64);
        self.keys.push(key);
        let found = search(self)?;
        self.line_hashes.pop();
        self.keys.pop();
        Ok(found)
    }

    /// Handles a position that is already on the line.
    fn again(&mut self) -> Walked<NodeAverage, G> {
        if self.repetition == Repetition::Reported {
            return Err(SearchHalt::Failed(SearchError::Repetition { line: Vec::new() }));
        }
        self.ends(Some(LineEnd::Repeated));
        Ok(NodeAverage { value: 0.0, resolved: true })
    }

    /// The value of a finished game.
    fn over(&mut self, state: &G::State) -> Walked<NodeAverage, G> {
        let ending = self.asked(self.game.result(state))?;
        self.stats.evals += u64::from(ending.is_none());
        let value = self.asked(worth(self.game, ending, || self.heuristic.evaluate(self.game, state)))?;
        self.ends(Some(ending.map_or(LineEnd::Numbered, LineEnd::Ended)));
        Ok(NodeAverage { value, resolved: true })
    }

    fn judge(&mut self, state: &G::State) -> Walked<f64, G> {
        self.stats.evals += 1;
        // Adding 0 turns -0 into 0: the two have different ranks in the table.
        Ok(self.asked(self.heuristic.evaluate(self.game, state))? + 0.0)
    }

    fn ends(&mut self, end: Option<LineEnd>) {
        self.left.clear();
        self.left_end = end;
    }

    /// Converts a fault of the game to a halt; after the stop flag was set, it is a stop.
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    /// The key of a position in the table.
    fn key(&self, state: &G::State, owner: Side) -> u128 {
        let key = self.game.key(state);
        // With a risk function, a chance position has different values for the two players.
        match owner {
            Side::Min if !self.backup.is_mean() => !key.rotate_left(64),
            _ => key,
        }
    }

    /// The chance outcomes of a position, with weights.
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

    /// The range of all values, if cutoffs by bounds are sound. A risk function is monotone only on
    /// its scale.
    fn bounds(&self) -> Option<(f64, f64)> {
        let sound = self.backup.is_mean() || self.backup.is_monotone() && self.range == self.scale;
        self.range.filter(|_| sound)
    }

    /// Whether no value can be better for the mover.
    fn is_best(&self, value: f64, mover: Side) -> bool {
        self.range.is_some_and(|(low, high)| if mover == Side::Max { value >= high } else { value <= low })
    }
}

/// The value of a finished game for Max where values are averaged, always a number. Errs if
/// `evaluate`, called only without a declared result, faults.
pub fn worth<G: Game>(
    game: &G,
    ending: Option<GameResult>,
    evaluate: impl FnOnce() -> Result<f64, G::Fault>,
) -> Result<f64, G::Fault> {
    let (loss, win) = game.facts().payoff_range.unwrap_or((-1.0, 1.0));
    Ok(match ending {
        Some(GameResult::Won(Side::Max)) => win,
        Some(GameResult::Won(Side::Min)) => loss,
        Some(GameResult::Draw) => 0.0,
        Some(GameResult::Points(points)) => points,
        // Adding 0 turns -0 into 0: the two have different ranks in the table.
        None => evaluate()? + 0.0,
    })
}

/// Whether an entry can serve a search to `depth`.
fn serves(entry: &Entry, depth: u32) -> bool {
    entry.depth == depth || entry.resolved && entry.depth <= depth
}
