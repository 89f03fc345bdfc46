//! The engine: one recursive search behind `pvs`, `mtdf` and `auto`.
//!
//! In: a task and a style. Out: the value of a position to a depth, with the line and what was
//! counted on the way. Principal variation search (Tony Marsland and Murray Campbell, 1982;
//! Alexander Reinefeld's NegaScout, 1983), fail-soft; with a table and with moves in order where
//! the style says so. Ranks are integers (see [`Score::rank`]) for Max; inside a position they are
//! turned to the mover, for the same side may move twice in a row.
//!
//! What the table holds counts only at the depth that it was found for, or where no horizon had a
//! part in it. So the value to a depth is minimax's, whatever the table has kept or lost, and
//! whoever else writes to it.

mod children;
mod decide;
mod deepen;
mod helpers;
mod order;
mod quiesce;
mod root;
mod selective;
pub mod table;
mod words;

pub(super) use decide::at_least;
pub(super) use deepen::{deepen, mtdf, pvs};
pub use helpers::{HelperThreads, WORTH_HELP};
pub(super) use helpers::{Post, together};
pub(super) use quiesce::Quiet;
pub use quiesce::plies_behind;

use super::iteration::IterationTask;
use super::limits::Meter;
use super::repetition::{LineHashes, Repetition};
use super::result::{LineEnd, SearchError, Stats};
use super::stack::{SearchHalt, Walked};
use crate::game::{Game, Heuristic, Score, Side, ToMove, WIN_LEAST};
use children::{Glances, PickedMove};
use order::MoveHistory;
use table::{Bound, Entry, TranspositionTable};

/// The depth of a search to the end of the game.
const ENDLESS: u32 = u32::MAX;

/// The greatest rank, and as a negative the least: a win and a loss at once.
const MOST: i64 = i64::MAX;

/// How often the room on the stack is looked at, in plies.
const LOOK: u32 = 8;

/// How an engine searches.
#[derive(Clone, Copy, Default)]
pub(super) struct EngineOptions<'a> {
    /// Where it keeps what it finds.
    pub(super) table: Option<&'a TranspositionTable>,
    /// Whether moves are tried in an order of its own.
    pub(super) orders: bool,
    /// Whether it may pass over what is unlikely to matter: then its values are estimates.
    pub(super) heuristic: bool,
    /// What every position at the horizon counts for, instead of what the heuristic says of it.
    pub(super) horizon: Option<i64>,
    /// The number of this engine among those that share a table; 0 for the one that is asked.
    pub(super) number: u32,
    /// Where helpers look, and how they are called.
    pub(super) help: Option<(&'a Post<'a>, u64, &'a dyn Fn())>,
}

impl<'a> EngineOptions<'a> {
    /// That of a search which deepens.
    pub(super) fn deepening(table: Option<&'a TranspositionTable>, heuristic: bool) -> EngineOptions<'a> {
        EngineOptions { table, orders: true, heuristic, ..EngineOptions::default() }
    }
}

/// What is found of a position: for Max, a value or a bound of it.
#[derive(Clone, Copy)]
struct Reply {
    rank: i64,
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
    /// Whose turn it is, where that is known already.
    turn: Option<ToMove>,
    /// Whether a side has passed its turn to come here: only one that could.
    passed: bool,
}

impl At {
    /// After any move.
    fn below(self) -> At {
        let depth = if self.depth == ENDLESS { ENDLESS } else { self.depth - 1 };
        At { depth, ply: self.ply + 1, turn: None, passed: false }
    }
}

/// A window for Max: the ranks between `low` and `high` matter.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: i64,
    high: i64,
}

impl Window {
    const OPEN: Window = Window { low: -MOST, high: MOST };

    /// From Max's point of view to a side's, or back.
    #[inline(always)]
    fn seen_by(self, side: Side) -> Window {
        match side {
            Side::Max => self,
            Side::Min => Window { low: -self.high, high: -self.low },
        }
    }

    /// Whether more than one answer is possible inside.
    #[inline(always)]
    fn is_wide(self) -> bool {
        self.low.saturating_add(1) < self.high
    }
}

#[inline(always)]
fn seen_by(rank: i64, side: Side) -> i64 {
    if side == Side::Max { rank } else { -rank }
}

/// A distance to a win counts from the root; in the table, from the position.
#[inline]
fn shifted(rank: i64, plies: i64) -> i64 {
    match rank {
        WIN_LEAST.. => rank + plies,
        rank if rank <= -WIN_LEAST => rank - plies,
        _ => rank,
    }
}

/// See the module.
pub(super) struct Engine<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    style: EngineOptions<'a>,
    /// Whether ranks in the table count: not where a value depends on the line that led there.
    trusts_table: bool,
    repetition: Repetition,
    /// The keys of the positions on the line, where repetitions matter.
    standing: LineHashes,
    keys: Vec<u128>,
    moves: Vec<G::Move>,
    picks: Vec<PickedMove>,
    /// Room for the looks of the moves of one position.
    looks: Vec<(Option<i64>, usize)>,
    /// Whether the heuristic says which moves are promising, and room for it.
    weighs: bool,
    weights: Vec<f64>,
    /// Whether it says how deep to look behind moves, and may.
    stretches: bool,
    /// The depth that the root is searched to.
    horizon: u32,
    glances: Glances,
    memory: MoveHistory,
    quiet: Quiet<'a, G, H>,
    /// The best line of the position that was left last, its last move first.
    left: Vec<G::Move>,
    left_end: Option<LineEnd>,
    spare: Vec<Vec<G::Move>>,
    stats: Stats,
    reached: u32,
}

impl<'a, G: Game, H: Heuristic<G>> Engine<'a, G, H> {
    /// An engine for a task; `depth` is that of all its searches together.
    pub(super) fn new(task: &IterationTask<'a, G, H>, style: EngineOptions<'a>) -> Self {
        let repetition = match Repetition::in_game(task.game, task.depth) {
            // Deepening has a horizon at every depth, and somebody will stop it.
            Repetition::Reported if task.meter.limits().is_bounded() => Repetition::Ignored,
            repetition => repetition,
        };
        Engine {
            game: task.game,
            heuristic: task.heuristic,
            meter: task.meter,
            style,
            trusts_table: repetition != Repetition::Draw || style.heuristic,
            repetition,
            standing: LineHashes::default(),
            keys: Vec::new(),
            moves: Vec::new(),
            picks: Vec::new(),
            looks: Vec::new(),
            weighs: task.heuristic.weighs_moves(task.game),
            weights: Vec::new(),
            stretches: style.heuristic && task.heuristic.stretches(task.game),
            horizon: 0,
            glances: Glances::default(),
            memory: MoveHistory::new(),
            quiet: Quiet::new(task.game, task.heuristic),
            left: Vec::new(),
            left_end: None,
            spare: Vec::new(),
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

    fn visit(&mut self, state: &G::State, at: At, window: Window) -> Walked<Reply, G> {
        let At { depth, ply, .. } = at;
        if !self.meter.admits_one_more() {
            return Err(SearchHalt::Stopped);
        }
        self.stats.nodes += 1;
        self.reached = self.reached.max(ply);
        // Nobody wins sooner than now: what has a faster win already asks no more.
        if let Some(reply) = self.too_late(ply, window) {
            return Ok(reply);
        }
        let begun = self.stats.nodes;
        let mut key = None;
        if self.repetition != Repetition::Ignored {
            let here = self.game.key(state);
            key = Some(here);
            if self.standing.holds(here as u64, |at| self.keys[at] == here) {
                return self.again();
            }
        }
        if depth == 0 {
            return self.horizon(state, ply, window);
        }
        if at.turn == Some(ToMove::Over) {
            return self.over(state, ply);
        }
        // The table is asked before the rules, which take longer to answer.
        let mut best_known = Entry::NO_MOVE;
        let table = self.style.table.filter(|_| depth < Entry::DEEPEST || depth == ENDLESS);
        if let Some(table) = table {
            let key = *key.get_or_insert_with(|| self.game.key(state));
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
        if let Some(reply) = self.too_late(ply + 1, window) {
            return Ok(reply);
        }
        if self.meter.is_too_long(ply as usize) {
            return Err(SearchHalt::Failed(SearchError::Endless { line: Vec::new() }));
        }
        if self.style.heuristic
            && !at.passed
            && let Some(reply) = self.pass(state, mover, depth, ply, window)?
        {
            return Ok(reply);
        }
        if let (true, Some(key)) = (self.repetition != Repetition::Ignored, key) {
            self.standing.push(key as u64);
            self.keys.push(key);
        }
        let found = self.children(state, mover, at, window, best_known);
        if self.repetition != Repetition::Ignored && found.is_ok() {
            self.standing.pop();
            self.keys.pop();
        }
        let (reply, best, bound) = found?;
        if let (Some(table), Some(key)) = (table, key) {
            let best = u16::try_from(best).unwrap_or(Entry::NO_MOVE);
            let bound = if self.trusts_table { bound } else { Bound::None };
            let rank = shifted(reply.rank, i64::from(ply));
            let work = (self.stats.nodes - begun + 1).ilog2() as u8;
            table.put(key, Entry { rank, bound, depth, work, resolved: reply.resolved, best });
        }
        Ok(reply)
    }

    /// The best move that the table knows of, and the reply if the entry is enough here.
    #[inline]
    fn recall(
        &mut self,
        table: &TranspositionTable,
        key: u128,
        at: At,
        window: Window,
    ) -> Option<(u16, Option<Reply>)> {
        self.stats.probes += 1;
        let entry = table.get(key)?;
        self.stats.hits += 1;
        let reply = self.known_enough(&entry, at.depth, at.ply, window);
        if reply.is_some() {
            self.stats.table_cuts += 1;
            self.unknown_line();
        }
        Some((entry.best, reply))
    }

    /// A bound that is enough where nobody wins before a ply, and the window is about sooner wins.
    fn too_late(&mut self, ply: u32, window: Window) -> Option<Reply> {
        let soonest = MOST - i64::from(ply);
        let rank = match window {
            Window { low, .. } if low >= soonest => soonest,
            Window { high, .. } if high <= -soonest => -soonest,
            _ => return None,
        };
        self.unknown_line();
        Some(Reply { rank, resolved: true })
    }

    /// What an entry says, if it is enough here. A wide window wants the line as well.
    fn known_enough(&self, entry: &Entry, depth: u32, ply: u32, window: Window) -> Option<Reply> {
        let counts = entry.depth == depth || entry.resolved && entry.depth <= depth;
        if !self.trusts_table || !counts || window.is_wide() {
            return None;
        }
        let rank = shifted(entry.rank, -i64::from(ply));
        let enough = match entry.bound {
            Bound::None => false,
            Bound::Lower => rank >= window.high,
            Bound::Upper => rank <= window.low,
            Bound::Exact => true,
        };
        enough.then_some(Reply { rank, resolved: entry.resolved })
    }

    /// A position that stands on the line already.
    fn again(&mut self) -> Walked<Reply, G> {
        if self.repetition == Repetition::Reported {
            return Err(SearchHalt::Failed(SearchError::Repetition { line: Vec::new() }));
        }
        self.ends(LineEnd::Repeated);
        Ok(Reply { rank: 0, resolved: true })
    }

    /// A value without the line that leads to it.
    fn unknown_line(&mut self) {
        self.left.clear();
        self.left_end = None;
    }

    fn ends(&mut self, end: LineEnd) {
        self.left.clear();
        self.left_end = Some(end);
    }

    /// A finished game.
    fn over(&mut self, state: &G::State, ply: u32) -> Walked<Reply, G> {
        let ending = self.asked(self.game.result(state))?;
        let score = match ending {
            Some(ending) => Score::of_ending(ending, ply),
            None => {
                self.stats.evals += 1;
                let number = self.heuristic.evaluate(self.game, state);
                Score::number(self.asked(number)?)
            }
        };
        self.ends(ending.map_or(LineEnd::Numbered, LineEnd::Ended));
        Ok(Reply { rank: score.rank(), resolved: true })
    }

    /// A position at the horizon.
    fn horizon(&mut self, state: &G::State, ply: u32, window: Window) -> Walked<Reply, G> {
        if self.asked(self.game.is_over(state))? {
            return self.over(state, ply);
        }
        self.ends(LineEnd::Horizon);
        if let Some(rank) = self.style.horizon {
            return Ok(Reply { rank, resolved: false });
        }
        let (nodes, evals) = (self.quiet.nodes, self.quiet.evals);
        let rank = self.quiet.value(state, ply, (window.low, window.high), self.meter);
        self.stats.evals += self.quiet.evals - evals;
        self.stats.nodes += self.quiet.nodes - nodes;
        self.stats.quiet_nodes += self.quiet.nodes - nodes;
        Ok(Reply { rank: rank?, resolved: false })
    }

    /// What the game says; after the stop flag was set, a fault is the stop.
    #[inline]
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    /// A halt behind a move: the move is part of the line that leads to it.
    fn led_by(&self, halt: SearchHalt<G::Fault, G::Move>, at: usize) -> SearchHalt<G::Fault, G::Move> {
        halt.after(&self.moves[at])
    }
}
