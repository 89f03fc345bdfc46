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

mod crew;
mod deepen;
mod order;
mod quiesce;
mod root;
pub mod table;

pub use crew::{Crew, WORTH_HELP};
pub(super) use crew::{Post, together};
pub(super) use deepen::{deepen, mtdf, pvs};
pub(super) use quiesce::Quiet;

use super::limits::Meter;
use super::outcome::{LineEnd, SearchError, Stats};
use super::pass::Task;
use super::repetition::{Repetition, Standing};
use super::walk::{Halt, Walked};
use crate::game::{Ending, Game, Heuristic, Score, Side, Turn, WIN_LEAST};
use order::Memory;
use table::{Bound, Entry, Table};

/// The depth of a search to the end of the game.
const ENDLESS: u32 = u32::MAX;

/// The greatest rank, and as a negative the least: a win and a loss at once.
const MOST: i64 = i64::MAX;

/// How often the room on the stack is looked at, in plies.
const LOOK: u32 = 8;

/// How an engine searches.
#[derive(Clone, Copy, Default)]
pub(super) struct Style<'a> {
    /// Where it keeps what it finds.
    pub(super) table: Option<&'a Table>,
    /// Whether moves are tried in an order of its own.
    pub(super) orders: bool,
    /// Whether it may pass over what is unlikely to matter: then its values are estimates.
    pub(super) heuristic: bool,
    /// The number of this engine among those that share a table; 0 for the one that is asked.
    pub(super) number: u32,
    /// Where helpers look, and how they are called.
    pub(super) help: Option<(&'a Post<'a>, u64, &'a dyn Fn())>,
}

/// What is found of a position: for Max, a value or a bound of it.
#[derive(Clone, Copy)]
struct Reply {
    rank: i64,
    /// Whether no position at the horizon had a part in it.
    resolved: bool,
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

/// A move to be tried.
#[derive(Clone, Copy)]
struct Pick {
    score: i32,
    index: u32,
    key: u64,
}

/// See the module.
pub(super) struct Engine<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    meter: &'a Meter<'a>,
    style: Style<'a>,
    /// Whether ranks in the table count: not where a value depends on the line that led there.
    trusts_table: bool,
    repetition: Repetition,
    /// The keys of the positions on the line, where repetitions matter.
    standing: Standing,
    keys: Vec<u128>,
    moves: Vec<G::Move>,
    picks: Vec<Pick>,
    memory: Memory,
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
    pub(super) fn new(task: &Task<'a, G, H>, style: Style<'a>) -> Self {
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
            standing: Standing::default(),
            keys: Vec::new(),
            moves: Vec::new(),
            picks: Vec::new(),
            memory: Memory::new(),
            quiet: Quiet::new(task.game, task.heuristic),
            left: Vec::new(),
            left_end: None,
            spare: Vec::new(),
            stats: Stats::default(),
            reached: 0,
        }
    }

    /// The value of `state` inside the window, or a bound outside it.
    fn node(&mut self, state: &G::State, depth: u32, ply: u32, window: Window, passed: bool) -> Walked<Reply, G> {
        if ply.is_multiple_of(LOOK) {
            return stacker::maybe_grow(256 << 10, 4 << 20, || self.visit(state, depth, ply, window, passed));
        }
        self.visit(state, depth, ply, window, passed)
    }

    fn visit(&mut self, state: &G::State, depth: u32, ply: u32, window: Window, passed: bool) -> Walked<Reply, G> {
        if !self.meter.admits_one_more() {
            return Err(Halt::Stopped);
        }
        self.stats.nodes += 1;
        self.reached = self.reached.max(ply);
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
        let mover = match self.asked(self.game.turn(state))? {
            Turn::Over => return self.over(state, ply),
            Turn::Max => Side::Max,
            Turn::Min => Side::Min,
        };
        let mut best_known = Entry::NO_MOVE;
        if let Some(table) = self.style.table {
            let key = *key.get_or_insert_with(|| self.game.key(state));
            self.stats.probes += 1;
            if let Some(entry) = table.get(key) {
                self.stats.hits += 1;
                best_known = entry.best;
                if let Some(reply) = self.known_enough(&entry, depth, ply, window) {
                    self.stats.table_cuts += 1;
                    self.left.clear();
                    self.left_end = None;
                    return Ok(reply);
                }
            }
        }
        if self.meter.is_too_long(ply as usize) {
            return Err(Halt::Failed(SearchError::Endless { line: Vec::new() }));
        }
        if self.style.heuristic
            && !passed
            && let Some(reply) = self.pass(state, mover, depth, ply, window)?
        {
            return Ok(reply);
        }
        if let (true, Some(key)) = (self.repetition != Repetition::Ignored, key) {
            self.standing.push(key as u64);
            self.keys.push(key);
        }
        let found = self.children(state, mover, depth, ply, window, best_known);
        if self.repetition != Repetition::Ignored && found.is_ok() {
            self.standing.pop();
            self.keys.pop();
        }
        let (reply, best, bound) = found?;
        if let (Some(table), Some(key)) = (self.style.table, key) {
            let best = u16::try_from(best).unwrap_or(Entry::NO_MOVE);
            let bound = if self.trusts_table { bound } else { Bound::None };
            let rank = shifted(reply.rank, i64::from(ply));
            table.put(key, Entry { rank, bound, depth, resolved: reply.resolved, best });
        }
        Ok(reply)
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

    /// Tries the moves; gives the reply, the number of the best move, and what the reply is.
    fn children(
        &mut self,
        state: &G::State,
        mover: Side,
        depth: u32,
        ply: u32,
        window: Window,
        known: u16,
    ) -> Walked<(Reply, u32, Bound), G> {
        let (first, first_pick) = (self.moves.len(), self.picks.len());
        let found = self.game.moves(state, &mut self.moves);
        self.asked(found)?;
        let count = self.moves.len() - first;
        assert!(count > 0, "Game::moves finds a move where Game::turn names a side");
        let ordered = self.style.orders && self.arrange(state, mover, depth, ply, first, known);
        let own = window.seen_by(mover);
        let (mut alpha, beta) = (own.low, own.high);
        let (mut best, mut best_index, mut all_resolved, mut resolved) = (-MOST, 0, true, true);
        let mut any = false;
        let mut line = self.spare.pop().unwrap_or_default();
        let mut end = None;
        // Nobody can do better than to win on the next ply.
        let at_once = MOST - i64::from(ply) - 1;
        let mut exact_by_win = false;
        for number in 0..count {
            let (index, move_key) = if ordered { self.pick(first_pick, number) } else { (number, 0) };
            let mv = &self.moves[first + index];
            let next = self.game.apply(state, mv);
            let next = self.asked(next)?;
            let below = if depth == ENDLESS { ENDLESS } else { depth - 1 };
            let reduced = self.reduction(state, depth, number, window, first + index)?;
            let reply = self
                .child(&next, below, reduced, ply, (alpha, beta), mover, number > 0)
                .map_err(|halt| self.led_by(halt, first + index))?;
            let rank = seen_by(reply.rank, mover);
            all_resolved &= reply.resolved;
            if !any || rank > best {
                (any, best, best_index) = (true, rank, index as u32);
                resolved = reply.resolved;
                if rank > alpha || number == 0 {
                    std::mem::swap(&mut line, &mut self.left);
                    line.push(self.moves[first + index].clone());
                    end = self.left_end;
                }
                alpha = alpha.max(rank);
            }
            exact_by_win = best >= at_once;
            if best >= beta || exact_by_win {
                self.stats.cuts += 1;
                self.stats.first_cuts += u64::from(number == 0);
                if ordered {
                    self.learn(mover, depth, ply, first_pick, number, move_key);
                }
                break;
            }
        }
        self.moves.truncate(first);
        self.picks.truncate(first_pick);
        let old = std::mem::replace(&mut self.left, line);
        self.spare.push(old);
        self.left_end = end;
        let is_cut = best >= beta || exact_by_win;
        let bound = match (exact_by_win, mover) {
            (true, _) => Bound::Exact,
            _ if best < beta && best > own.low => Bound::Exact,
            (_, Side::Max) if best >= beta => Bound::Lower,
            (_, Side::Min) if best < beta => Bound::Lower,
            _ => Bound::Upper,
        };
        let resolved = if is_cut { resolved } else { all_resolved };
        Ok((Reply { rank: seen_by(best, mover), resolved }, best_index, bound))
    }

    /// Searches behind a move: the first in the whole window, others in none, and again where they
    /// turn out to matter. The window is the mover's.
    #[allow(clippy::too_many_arguments)]
    fn child(
        &mut self,
        next: &G::State,
        depth: u32,
        reduced: u32,
        ply: u32,
        (alpha, beta): (i64, i64),
        mover: Side,
        later: bool,
    ) -> Walked<Reply, G> {
        let of = |low, high| Window { low, high }.seen_by(mover);
        if !later || alpha == -MOST {
            return self.node(next, depth, ply + 1, of(alpha, beta), false);
        }
        let mut reply = self.node(next, depth - reduced, ply + 1, of(alpha, alpha + 1), false)?;
        if reduced > 0 && seen_by(reply.rank, mover) > alpha {
            reply = self.node(next, depth, ply + 1, of(alpha, alpha + 1), false)?;
        }
        let rank = seen_by(reply.rank, mover);
        if rank > alpha && rank < beta {
            self.stats.again += 1;
            reply = self.node(next, depth, ply + 1, of(alpha, beta), false)?;
        }
        Ok(reply)
    }

    /// By how many plies less a late move is looked at first: heuristic searches alone.
    fn reduction(&self, state: &G::State, depth: u32, number: usize, window: Window, at: usize) -> Walked<u32, G> {
        if !self.style.heuristic || depth < 3 || depth == ENDLESS || number < 3 || window.is_wide() {
            return Ok(0);
        }
        if self.heuristic.knows_unrest(self.game) {
            let noisy = self.heuristic.is_noisy(self.game, state, &self.moves[at]);
            if self.asked(noisy)? {
                return Ok(0);
            }
        }
        Ok(if number < 8 || depth < 5 { 1 } else { 2 })
    }

    /// Lets the other side move twice: what stands up to that is good enough (Chrilly Donninger,
    /// "Null move and deep search", 1993). Only where the rules say that it is sound to pass.
    fn pass(
        &mut self,
        state: &G::State,
        mover: Side,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Walked<Option<Reply>, G> {
        let own = window.seen_by(mover);
        if depth < 3 || depth == ENDLESS || window.is_wide() || own.high.abs() >= WIN_LEAST {
            return Ok(None);
        }
        let next = self.heuristic.null_move(self.game, state);
        let Some(next) = self.asked(next)? else { return Ok(None) };
        let cut = Window { low: own.high - 1, high: own.high }.seen_by(mover);
        let reply = self.node(&next, depth - 3, ply + 1, cut, true)?;
        let rank = seen_by(reply.rank, mover);
        // A win behind a pass is no win.
        let passes = rank >= own.high;
        Ok(passes.then_some(Reply { rank: seen_by(rank.min(own.high), mover), resolved: false }))
    }

    /// Puts the moves in order; `false` where the game's own order stands.
    fn arrange(&mut self, state: &G::State, mover: Side, depth: u32, ply: u32, first: usize, known: u16) -> bool {
        let count = self.moves.len() - first;
        let known = usize::from(known);
        if count == 1 || depth == 1 && known >= count {
            return false;
        }
        let named = depth > 1;
        for index in 0..count {
            let key = if named { self.game.move_key(state, &self.moves[first + index]) } else { 0 };
            let score = if index == known { i32::MAX } else { self.memory.score(mover, ply, key) };
            // Those that share a table begin in different places.
            let jitter = if self.style.number == 0 { 0 } else { (index as i32 ^ self.style.number as i32) & 1 };
            self.picks.push(Pick { score: score.saturating_add(jitter), index: index as u32, key });
        }
        true
    }

    /// The next move: the one of the greatest score, the first of equals.
    fn pick(&mut self, first: usize, number: usize) -> (usize, u64) {
        let picks = &mut self.picks[first..];
        let mut best = number;
        for at in number + 1..picks.len() {
            if picks[at].score > picks[best].score {
                best = at;
            }
        }
        // The others keep their order.
        picks[number..=best].rotate_right(1);
        (picks[number].index as usize, picks[number].key)
    }

    fn learn(&mut self, mover: Side, depth: u32, ply: u32, first: usize, number: usize, key: u64) {
        self.memory.praise(mover, ply, depth, key);
        for at in first..first + number {
            self.memory.blame(mover, depth, self.picks[at].key);
        }
    }

    /// A position that stands on the line already.
    fn again(&mut self) -> Walked<Reply, G> {
        if self.repetition == Repetition::Reported {
            return Err(Halt::Failed(SearchError::Repetition { line: Vec::new() }));
        }
        self.ends(LineEnd::Repeated);
        Ok(Reply { rank: 0, resolved: true })
    }

    fn ends(&mut self, end: LineEnd) {
        self.left.clear();
        self.left_end = Some(end);
    }

    /// A finished game.
    fn over(&mut self, state: &G::State, ply: u32) -> Walked<Reply, G> {
        let ending = self.asked(self.game.ending(state))?;
        let score = match ending {
            Some(Ending::Won(winner)) => Score::won_by(winner, ply),
            Some(Ending::Draw) => Score::Value(0.0),
            Some(Ending::Points(points)) => Score::number(points),
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
        let (nodes, evals) = (self.quiet.nodes, self.quiet.evals);
        let rank = self.quiet.value(state, ply, (window.low, window.high), self.meter)?;
        self.stats.evals += self.quiet.evals - evals;
        self.stats.nodes += self.quiet.nodes - nodes;
        self.stats.quiet_nodes += self.quiet.nodes - nodes;
        Ok(Reply { rank, resolved: false })
    }

    /// What the game says; after the stop flag was set, a fault is the stop.
    #[inline]
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Walked<T, G> {
        answer.map_err(|fault| self.meter.fault(fault))
    }

    /// A halt behind a move: the move is part of the line that leads to it.
    fn led_by(&self, halt: Halt<G::Fault, G::Move>, at: usize) -> Halt<G::Fault, G::Move> {
        halt.after(&self.moves[at])
    }
}
