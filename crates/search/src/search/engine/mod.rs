//! The engine: one recursive search behind `pvs`, `mtdf` and `auto`.
//!
//! It takes a task and [`EngineOptions`] and gives the value to a depth, with line and counts.
//! Principal variation search (Tony Marsland and Murray Campbell, 1982; Alexander Reinefeld's
//! NegaScout, 1983), fail-soft; with a table and ordered moves if the options say so. Ranks are
//! integers for Max (see [`Score::rank`]), negated inside a position of Min: one side may move twice
//! in a row.
//!
//! Table entries count only at their own depth, or if no horizon position had a part in them. So the
//! value is that of minimax, whatever the table has lost and other threads write to it. Where a repetition is a
//! draw, a value depends on the positions of the line (Andrew Palay, "Searching with probabilities", 1985, calls
//! this graph-history interaction). The keys of values then contain the set of these positions, and only best
//! moves are shared by all lines.

mod busy;
mod children;
mod decide;
mod deepen;
mod exactness;
mod helpers;
mod order;
mod root;
mod selective;
pub mod table;
mod team;
mod weights;
mod words;

pub(super) use decide::at_least;
pub(super) use deepen::{deepen, mtdf, pvs};
pub(super) use helpers::together;
pub use helpers::{HelperThreads, WORTH_HELP};

use super::iteration::IterationTask;
use super::limits::Meter;
use super::quiesce::Quiet;
use super::repetition::{LineHashes, Repetition};
use super::result::{LineEnd, SearchError, SearchHalt, Stats, Walked};
use crate::game::{Game, Heuristic, Score, Side, ToMove, WIN_LEAST};
use children::{Glances, KnownMove, PickedMove};
use order::{HistoryCounts, MoveHistory};
use selective::MoveGains;
use std::sync::Arc;
use table::{Bound, ENDLESS, Entry, TranspositionTable};
use team::Team;

/// The greatest rank, a win in 0 plies; its negative is the least rank, a loss in 0 plies.
const MOST: i64 = i64::MAX;

/// An odd number that mixes the keys of a line.
const LINE: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

/// Plies between two checks of the free stack space.
const LOOK: u32 = 8;

/// The options of an engine.
#[derive(Clone, Copy, Default)]
pub(super) struct EngineOptions<'a> {
    /// The transposition table, if any.
    pub(super) table: Option<&'a TranspositionTable>,
    /// Whether the engine orders moves by table, killer moves and history.
    pub(super) orders: bool,
    /// Whether it may use reductions, extensions and null moves: its values are then estimates.
    pub(super) heuristic: bool,
    /// A fixed rank for every position at the horizon, instead of its evaluation.
    pub(super) horizon: Option<i64>,
    /// What the threads of the search share, if there are several.
    team: Option<&'a Team<'a>>,
    /// Receives the number of nodes from time to time, and starts the helper threads when it is time.
    help: Option<&'a dyn Fn(u64)>,
}

impl<'a> EngineOptions<'a> {
    /// The options of iterative deepening.
    pub(super) fn deepening(table: Option<&'a TranspositionTable>, heuristic: bool) -> EngineOptions<'a> {
        EngineOptions { table, orders: true, heuristic, ..EngineOptions::default() }
    }
}

/// The result of a node: for Max, a value or a bound of it.
#[derive(Clone, Copy)]
struct NodeScore {
    rank: i64,
    /// Whether no position at the horizon had a part in it.
    resolved: bool,
}

/// The place of a position in the tree.
#[derive(Clone, Copy)]
struct NodePlace {
    /// Plies to the horizon.
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// The player to move, if already known.
    turn: Option<ToMove>,
    /// Whether the last move was a null move.
    passed: bool,
    /// The key of the position, if already known.
    key: Option<u128>,
}

impl NodePlace {
    /// The place after any move.
    fn below(self) -> NodePlace {
        let depth = if self.depth == ENDLESS { ENDLESS } else { self.depth - 1 };
        NodePlace { depth, ply: self.ply + 1, turn: None, passed: false, key: None }
    }
}

/// A window for Max: ranks between `low` and `high` matter.
#[derive(Clone, Copy, Debug, Default)]
struct RankWindow {
    low: i64,
    high: i64,
}

impl RankWindow {
    const OPEN: RankWindow = RankWindow { low: -MOST, high: MOST };

    /// Converts the window from Max's point of view to a side's, or back.
    #[inline(always)]
    fn seen_by(self, side: Side) -> RankWindow {
        match side {
            Side::Max => self,
            Side::Min => RankWindow { low: -self.high, high: -self.low },
        }
    }

    /// Whether the window contains more than a null window does.
    #[inline(always)]
    fn is_wide(self) -> bool {
        self.low.saturating_add(1) < self.high
    }
}

#[inline(always)]
fn seen_by(rank: i64, side: Side) -> i64 {
    if side == Side::Max { rank } else { -rank }
}

/// Shifts the distance of a win, which counts from the root, and in the table from the position.
#[inline]
fn shifted(rank: i64, plies: i64) -> i64 {
    match rank {
        WIN_LEAST.. => rank + plies,
        rank if rank <= -WIN_LEAST => rank - plies,
        _ => rank,
    }
}

/// The state of a search by the engine.
pub(super) struct Engine<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    style: EngineOptions<'a>,
    /// Whether the value of a position depends on the line to it.
    by_line: bool,
    /// Whether keys leave out the counters of positions.
    counts: bool,
    repetition: Repetition,
    /// The hashes of the positions on the line, if repetitions matter.
    standing: LineHashes,
    keys: Vec<u128>,
    /// All keys of `keys`, in any order.
    line: u128,
    moves: Vec<G::Move>,
    /// The keys of the positions after the moves, where they are known; else 0.
    next_keys: Vec<u128>,
    picks: Vec<PickedMove>,
    /// A buffer for the evaluations of the moves of one position.
    looks: Vec<(Option<i64>, usize)>,
    /// Whether the heuristic weighs moves, and a buffer for weights.
    weighs: bool,
    weights: Vec<f64>,
    /// Whether the heuristic defines extensions and the options allow them.
    stretches: bool,
    /// The depth of the search from the root.
    horizon: u32,
    glances: Glances,
    memory: MoveHistory,
    /// What quiet moves gain, for heuristic searches.
    gains: MoveGains,
    quiet: Quiet<'a, G, H>,
    /// The best line of the position that was left last, its last move first.
    left: Vec<G::Move>,
    left_end: Option<LineEnd>,
    spare: Vec<Vec<G::Move>>,
    stats: Stats,
    reached: u32,
}

impl<'a, G: Game, H: Heuristic<G>> Engine<'a, G, H> {
    /// An engine for a task; `task.depth` is the greatest depth of its searches.
    pub(super) fn new(task: &IterationTask<'a, G, H>, style: EngineOptions<'a>) -> Self {
        // Without the counters of moves, positions repeat.
        let counts = style.heuristic && task.game.facts().has_counters;
        let repetition = match Repetition::in_game(task.game, task.depth) {
            _ if counts => Repetition::Draw,
            // Deepening has a horizon at every depth, and a limit or the caller stops the search.
            Repetition::Reported if task.meter.limits().is_bounded() => Repetition::Ignored,
            repetition => repetition,
        };
        Engine {
            game: task.game,
            heuristic: task.heuristic,
            meter: task.meter,
            style,
            by_line: repetition == Repetition::Draw && !style.heuristic,
            counts,
            repetition,
            standing: LineHashes::default(),
            keys: Vec::new(),
            // Positions before the root count too, and a table may have entries of a search with others.
            line: style.table.map_or(0, |table| u128::from(table.searches())),
            moves: Vec::new(),
            next_keys: Vec::new(),
            picks: Vec::new(),
            looks: Vec::new(),
            weighs: task.heuristic.weighs_moves(task.game),
            weights: Vec::new(),
            stretches: style.heuristic && task.heuristic.has_extensions(task.game),
            horizon: 0,
            glances: Glances::default(),
            memory: MoveHistory::new(
                style.team.map_or_else(|| Arc::new(HistoryCounts::new()), |team| team.history.clone()),
            ),
            gains: MoveGains::default(),
            quiet: Quiet::new(task.game, task.heuristic).selective(style.heuristic),
            left: Vec::new(),
            left_end: None,
            spare: Vec::new(),
            stats: Stats::default(),
            reached: 0,
        }
    }

    /// The value of `state` inside the window, or a bound outside it.
    fn node(&mut self, state: &G::State, at: NodePlace, window: RankWindow) -> Walked<NodeScore, G> {
        if at.ply.is_multiple_of(LOOK) {
            return stacker::maybe_grow(256 << 10, 4 << 20, || self.visit(state, at, window));
        }
        self.visit(state, at, window)
    }

    fn visit(&mut self, state: &G::State, at: NodePlace, window: RankWindow) -> Walked<NodeScore, G> {
        let NodePlace { depth, ply, .. } = at;
        if self.style.team.is_some_and(Team::is_finished) || !self.meter.count_node() {
            return Err(SearchHalt::Stopped);
        }
        self.stats.nodes += 1;
        self.reached = self.reached.max(ply);
        // Nobody wins sooner than now: a quicker win elsewhere cuts this position off.
        if let Some(reply) = self.mate_distance_cutoff(ply, window) {
            return Ok(reply);
        }
        let begun = self.stats.nodes;
        let mut key = at.key;
        if self.repetition != Repetition::Ignored {
            let here = *key.get_or_insert_with(|| self.key(state));
            let again = self.standing.holds(here as u64, |at| self.keys[at] == here);
            if again || self.counts && self.game.occurred_before(here) {
                return self.again();
            }
        }
        if depth == 0 {
            return self.horizon(state, ply, window);
        }
        if at.turn == Some(ToMove::Over) {
            return self.over(state, ply);
        }
        // The table comes before the rules, which take longer.
        let mut best_known = Entry::NO_MOVE;
        let table = self.style.table.filter(|_| depth < Entry::DEEPEST || depth == ENDLESS);
        if let Some(table) = table {
            let key = *key.get_or_insert_with(|| self.key(state));
            let known = self.recall(table, key, at, window);
            if let Some((_, Some(reply))) = known {
                return Ok(reply);
            }
            best_known = known.map_or(Entry::NO_MOVE, |(best, _)| best);
        }
        let turn = match at.turn {
            Some(turn) => turn,
            None => self.asked(self.game.to_move(state))?,
        };
        let mover = match turn {
            ToMove::Over => return self.over(state, ply),
            ToMove::Chance => return Err(SearchHalt::Failed(SearchError::Chance { line: Vec::new() })),
            ToMove::Max => Side::Max,
            ToMove::Min => Side::Min,
        };
        if let Some(reply) = self.mate_distance_cutoff(ply + 1, window) {
            return Ok(reply);
        }
        if self.meter.is_too_long(ply as usize) {
            return Err(SearchHalt::Failed(SearchError::Endless { line: Vec::new() }));
        }
        let (mut standing, mut place) = (None, at);
        if self.is_forced(state, depth)? {
            place = self.stretched(at, 1).0;
        } else if self.style.heuristic {
            let cutoff;
            (standing, cutoff) = self.cutoff_by_evaluation(state, mover, at, window)?;
            if let Some(reply) = cutoff {
                return Ok(reply);
            }
        }
        let value_key = key.filter(|_| table.is_some()).map(|key| self.value_key(key));
        if let (true, Some(key)) = (self.repetition != Repetition::Ignored, key) {
            self.enter(key);
        }
        let known = KnownMove { key: value_key, best: best_known };
        let found = self.children(state, mover, place, window, standing, known);
        if self.repetition != Repetition::Ignored && found.is_ok() {
            self.leave();
        }
        let (reply, best, bound) = found?;
        if let (Some(table), Some(key), Some(value_key)) = (table, key, value_key) {
            let best = u16::try_from(best).unwrap_or(Entry::NO_MOVE);
            let rank = shifted(reply.rank, i64::from(ply));
            let work = (self.stats.nodes - begun + 1).ilog2() as u8;
            let entry = Entry { rank, bound, depth, work, resolved: reply.resolved, best };
            table.put(value_key, entry);
            if self.by_line {
                table.put(key, Entry { bound: Bound::None, ..entry });
            }
        }
        Ok(reply)
    }

    /// The key of a position, in a heuristic search without the counters of moves.
    fn key(&self, state: &G::State) -> u128 {
        let counted = || self.game.key(state);
        if self.counts { self.game.key_without_counters(state).unwrap_or_else(counted) } else { counted() }
    }

    /// Starts the helper threads if it is time.
    pub(super) fn call_help(&self) {
        if let Some(help) = self.style.help {
            help(self.stats.nodes);
        }
    }

    /// The key of the value of the position with this key, if it came next on the line.
    #[inline]
    fn value_key(&self, key: u128) -> u128 {
        match self.by_line {
            // Not the key alone, which is that of the best move.
            true => (self.line | 1).rotate_left(64).wrapping_mul(LINE) ^ key,
            false => key,
        }
    }

    /// Adds a position to the line.
    fn enter(&mut self, key: u128) {
        self.standing.push(key as u64);
        self.keys.push(key);
        self.line ^= key;
    }

    /// Removes the last position of the line.
    fn leave(&mut self) {
        self.standing.pop();
        self.line ^= self.keys.pop().unwrap_or_default();
    }

    /// The best move of the table entry, and its result if the entry is sufficient here.
    #[inline]
    fn recall(
        &mut self,
        table: &TranspositionTable,
        key: u128,
        at: NodePlace,
        window: RankWindow,
    ) -> Option<(u16, Option<NodeScore>)> {
        self.stats.probes += 1;
        let entry = table.get(key)?;
        self.stats.hits += 1;
        let valued = if self.by_line { table.get(self.value_key(key)) } else { Some(entry) };
        let reply = valued.and_then(|valued| self.known_enough(&valued, at.depth, at.ply, window));
        if reply.is_some() {
            self.stats.table_cuts += 1;
            self.unknown_line();
        }
        Some((entry.best, reply))
    }

    /// Mate-distance pruning: a bound, if the window needs a win sooner than at this ply.
    fn mate_distance_cutoff(&mut self, ply: u32, window: RankWindow) -> Option<NodeScore> {
        let soonest = MOST - i64::from(ply);
        let rank = match window {
            RankWindow { low, .. } if low >= soonest => soonest,
            RankWindow { high, .. } if high <= -soonest => -soonest,
            _ => return None,
        };
        self.unknown_line();
        Some(NodeScore { rank, resolved: true })
    }

    /// The result of an entry, if it is sufficient here. A wide window needs the line as well.
    fn known_enough(&self, entry: &Entry, depth: u32, ply: u32, window: RankWindow) -> Option<NodeScore> {
        let deeper = self.style.heuristic && depth != ENDLESS && entry.depth >= depth;
        let counts = entry.depth == depth || entry.resolved && entry.depth <= depth || deeper;
        if !counts || window.is_wide() {
            return None;
        }
        let rank = shifted(entry.rank, -i64::from(ply));
        let enough = match entry.bound {
            Bound::None => false,
            Bound::Lower => rank >= window.high,
            Bound::Upper => rank <= window.low,
            Bound::Exact => true,
        };
        enough.then_some(NodeScore { rank, resolved: entry.resolved })
    }

    /// Handles a position that is already on the line.
    fn again(&mut self) -> Walked<NodeScore, G> {
        if self.repetition == Repetition::Reported {
            return Err(SearchHalt::Failed(SearchError::Repetition { line: Vec::new() }));
        }
        self.ends(LineEnd::Repeated);
        // The table keeps values under keys without counters for all lines.
        Ok(NodeScore { rank: 0, resolved: !self.counts })
    }

    /// Clears the line, for a value without a known line.
    fn unknown_line(&mut self) {
        self.left.clear();
        self.left_end = None;
    }

    fn ends(&mut self, end: LineEnd) {
        self.left.clear();
        self.left_end = Some(end);
    }

    /// The score of a finished game.
    fn over(&mut self, state: &G::State, ply: u32) -> Walked<NodeScore, G> {
        let ending = self.asked(self.game.result(state))?;
        let score = match ending {
            Some(ending) => Score::of_result(ending, ply),
            None => {
                self.stats.evals += 1;
                let number = self.heuristic.evaluate(self.game, state);
                Score::number(self.asked(number)?)
            }
        };
        self.ends(ending.map_or(LineEnd::Numbered, LineEnd::Ended));
        Ok(NodeScore { rank: score.rank(), resolved: true })
    }

    /// The score of a position at the horizon.
    fn horizon(&mut self, state: &G::State, ply: u32, window: RankWindow) -> Walked<NodeScore, G> {
        if self.asked(self.game.is_over(state))? {
            return self.over(state, ply);
        }
        if let Some(rank) = self.style.horizon {
            self.ends(LineEnd::Horizon);
            return Ok(NodeScore { rank, resolved: false });
        }
        self.at_rest(state, ply, window)
    }

    /// The value of the quiescence search of a position that is not over.
    fn at_rest(&mut self, state: &G::State, ply: u32, window: RankWindow) -> Walked<NodeScore, G> {
        self.ends(LineEnd::Horizon);
        let (nodes, evals) = (self.quiet.nodes, self.quiet.evals);
        let rank = self.quiet.value(state, ply, (window.low, window.high), self.meter);
        self.stats.evals += self.quiet.evals - evals;
        self.stats.nodes += self.quiet.nodes - nodes;
        self.stats.quiet_nodes += self.quiet.nodes - nodes;
        Ok(NodeScore { rank: rank?, resolved: false })
    }

    /// Converts a fault of the game to a halt; after the stop flag was set, it is a stop.
    #[inline]
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    /// Adds a move to the line of a halt.
    fn led_by(&self, halt: SearchHalt<G::Fault, G::Move>, at: usize) -> SearchHalt<G::Fault, G::Move> {
        halt.after(&self.moves[at])
    }
}
