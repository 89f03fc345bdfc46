//! The drivers of a search with chance: one depth or iterative deepening, by one or more threads.
//!
//! They must not depend on how values are averaged.

use super::{ChanceMethod, ChancePlace, ChanceSearch, ENDLESS, NodeAverage, ValueWindow, seen_by};
use crate::game::{Game, Heuristic, Score, Side, ToMove};
use crate::search::engine::HelperThreads;
use crate::search::engine::table::Entry;
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter};
use crate::search::result::{Iteration, LineEnd, ScoredLine, SearchHalt, SearchResult, Searched, Walked};
use crate::search::settings::SearchSettings;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// A move at the root.
struct AveragedRootMove<G: Game> {
    mv: G::Move,
    next: G::State,
    reply: NodeAverage,
    /// The line behind the move, last move first.
    line: Vec<G::Move>,
    end: Option<LineEnd>,
}

impl<G: Game> Clone for AveragedRootMove<G> {
    fn clone(&self) -> Self {
        let AveragedRootMove { mv, next, reply, line, end } = self;
        AveragedRootMove { mv: mv.clone(), next: next.clone(), reply: *reply, line: line.clone(), end: *end }
    }
}

impl<G: Game> AveragedRootMove<G> {
    fn line(&self, exact: bool) -> ScoredLine<G::Move> {
        let moves = [&self.mv].into_iter().chain(self.line.iter().rev()).cloned().collect();
        ScoredLine { value: Score::number(self.reply.value), exact, moves, end: self.end }
    }
}

/// The result of a finished depth.
struct FinishedDepth<G: Game> {
    depth: u32,
    reply: NodeAverage,
    /// Whether a deeper search would give the same result.
    decided: bool,
    /// The best moves, the best first; empty if no player moves.
    best: Vec<AveragedRootMove<G>>,
    end: Option<LineEnd>,
}

impl<G: Game> FinishedDepth<G> {
    fn lines(&self) -> Vec<ScoredLine<G::Move>> {
        if self.best.is_empty() {
            let value = Score::number(self.reply.value);
            return vec![ScoredLine { value, exact: self.reply.resolved, moves: Vec::new(), end: self.end }];
        }
        self.best.iter().map(|mv| mv.line(mv.reply.resolved && self.reply.resolved)).collect()
    }
}

/// The state of iterative deepening.
struct ChanceDeepening<'a, 's, G: Game, H> {
    search: ChanceSearch<'a, G, H>,
    task: &'s IterationTask<'a, G, H>,
    lines: usize,
    seed: Option<u64>,
    /// The moves in the order to search.
    moves: Vec<AveragedRootMove<G>>,
    /// The best moves of the current depth.
    so_far: Vec<AveragedRootMove<G>>,
    /// The depth of the current or last iteration.
    working: u32,
    done: Option<FinishedDepth<G>>,
}

impl<'a, 's, G: Game, H: Heuristic<G>> ChanceDeepening<'a, 's, G, H> {
    fn new(task: &'s IterationTask<'a, G, H>, way: ChanceMethod, settings: &SearchSettings<'a, G::Move>) -> Self {
        let table = settings.table.filter(|_| way != ChanceMethod::Plain);
        let search = ChanceSearch::new(task, way, settings.backup, table);
        let (lines, seed) = (settings.lines.max(1), settings.seed);
        ChanceDeepening { search, task, lines, seed, moves: Vec::new(), so_far: Vec::new(), working: 0, done: None }
    }

    /// Searches to a depth.
    fn search_to(&mut self, depth: u32) -> Walked<(), G> {
        self.working = depth;
        let at = ChancePlace { depth, ply: 0, owner: Side::Max };
        let root = self.task.root;
        let turn = match self.search.arrive(root, at)? {
            Some(reply) => return self.leaf(depth, reply),
            None => self.search.asked(self.search.game.to_move(root))?,
        };
        let mover = match turn {
            ToMove::Over => {
                let reply = self.search.over(root)?;
                return self.leaf(depth, reply);
            }
            ToMove::Chance => {
                let reply = self.search.on_line(root, at, |search| match search.way {
                    ChanceMethod::Plain => search.plain_chance(root, at),
                    _ => Ok(search.averaged(root, at, ValueWindow::OPEN)?.0),
                })?;
                return self.leaf(depth, reply);
            }
            ToMove::Max => Side::Max,
            ToMove::Min => Side::Min,
        };
        if self.moves.is_empty() {
            self.moves = self.begin(mover, at)?;
        }
        self.so_far.clear();
        let mut moves = std::mem::take(&mut self.moves);
        let all = self.pass(&mut moves, mover, at);
        self.moves = moves;
        let all_resolved = all?;
        let best = self.so_far.clone();
        let reply = best[0].reply;
        // The best possible value is final, whatever the other moves are worth.
        let stands = |mv: &AveragedRootMove<G>| mv.reply.resolved && self.search.is_best(mv.reply.value, mover);
        let resolved = all_resolved || stands(&best[0]);
        let decided = all_resolved || best.len() == self.lines && best.iter().all(stands);
        // Better moves come first in the next iteration; equal moves keep their order.
        self.moves
            .sort_by(|left, right| seen_by(right.reply.value, mover).total_cmp(&seen_by(left.reply.value, mover)));
        self.done = Some(FinishedDepth { depth, reply: NodeAverage { resolved, ..reply }, decided, best, end: None });
        Ok(())
    }

    fn leaf(&mut self, depth: u32, reply: NodeAverage) -> Walked<(), G> {
        let end = self.search.left_end;
        self.done = Some(FinishedDepth { depth, reply, decided: reply.resolved, best: Vec::new(), end });
        Ok(())
    }

    fn begin(&mut self, mover: Side, at: ChancePlace) -> Walked<Vec<AveragedRootMove<G>>, G> {
        let tried = self.search.in_order(self.task.root, mover, at, Entry::NO_MOVE)?;
        let unknown = NodeAverage { value: 0.0, resolved: false };
        let root_move = |(_, mv, next)| AveragedRootMove { mv, next, reply: unknown, line: Vec::new(), end: None };
        let mut moves: Vec<AveragedRootMove<G>> = tried.into_iter().map(root_move).collect();
        if let Some(seed) = self.seed {
            moves.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        Ok(moves)
    }

    /// Searches every move in the window of the best so far; returns whether all are resolved.
    fn pass(&mut self, moves: &mut [AveragedRootMove<G>], mover: Side, at: ChancePlace) -> Walked<bool, G> {
        let mut all_resolved = true;
        for root_move in moves {
            let mut window = ValueWindow::OPEN;
            // A move no better than the worst reported move does not matter.
            if let Some(worst) = self.so_far.get(self.lines - 1).filter(|_| self.search.way != ChanceMethod::Plain) {
                match mover {
                    Side::Max => window.low = worst.reply.value,
                    Side::Min => window.high = worst.reply.value,
                }
            }
            let AveragedRootMove { mv, next, .. } = &*root_move;
            let (search, below) = (&mut self.search, at.below(Some(mover)));
            let searched = search.on_line(self.task.root, at, |search| match search.way {
                ChanceMethod::Plain => search.plain(next, below),
                _ => search.node(next, below, window),
            });
            root_move.reply = searched.map_err(|halt| halt.after(mv))?;
            all_resolved &= root_move.reply.resolved;
            root_move.line = std::mem::take(&mut self.search.left);
            root_move.end = self.search.left_end;
            let value = seen_by(root_move.reply.value, mover);
            let place = self.so_far.partition_point(|other| seen_by(other.reply.value, mover) >= value);
            self.so_far.insert(place, root_move.clone());
            self.so_far.truncate(self.lines);
        }
        Ok(all_resolved)
    }

    /// Searches deeper until a limit or a decided value; calls `each` after every depth. Returns
    /// whether the search was stopped.
    fn deepen(&mut self, first: u32, last: u32, each: &dyn Fn(&Self)) -> Searched<bool, G> {
        let mut depth = first;
        loop {
            match self.search_to(depth) {
                Ok(()) => each(self),
                Err(SearchHalt::Stopped) => return Ok(true),
                Err(SearchHalt::Failed(error)) => return Err(error.rooted()),
            }
            let decided = self.done.as_ref().is_some_and(|found| found.decided);
            if decided || depth >= last {
                return Ok(false);
            }
            depth += 1;
        }
    }

    fn outcome(self, stopped: bool) -> SearchResult<G::Move> {
        let search = &self.search;
        let (nodes, evals, stats) = (search.stats.nodes, search.stats.evals, search.stats);
        let counted = |found: SearchResult<G::Move>| SearchResult {
            averaged: true,
            nodes,
            evals,
            stats,
            reached: search.reached,
            ..found
        };
        let Some(found) = &self.done else {
            // No depth was finished.
            let line = self.so_far.first().map(|mv| mv.line(false));
            let found = line.map_or(SearchResult::none(), |line| SearchResult::of(&line));
            let depth = (self.working < ENDLESS).then_some(self.working);
            return counted(SearchResult { exact: false, depth, partial: true, stopped: true, ..found });
        };
        let exact = found.reply.resolved;
        let lines = found.lines();
        let first = SearchResult { exact, ..SearchResult::of(&lines[0]) };
        let stopped = stopped && !exact;
        let depth = if stopped { Some(found.depth) } else { self.task.depth };
        counted(SearchResult { depth, stopped, lines, ..first })
    }
}

/// The first and the last depth of a search.
fn depths<G: Game, H: Heuristic<G>>(task: &IterationTask<'_, G, H>, way: ChanceMethod) -> (u32, u32) {
    match task.depth {
        Some(depth) if way == ChanceMethod::Plain => (depth, depth),
        Some(depth) => (depth.min(1), depth),
        // Without any limit the search goes to the end at once, and reports a repetition.
        None if way == ChanceMethod::Plain || !task.meter.limits().is_bounded() => (ENDLESS, ENDLESS),
        None => (1, ENDLESS - 1),
    }
}

/// Searches with one thread.
pub(in crate::search) fn search<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    way: ChanceMethod,
    settings: &SearchSettings<'_, G::Move>,
) -> Searched<SearchResult<G::Move>, G> {
    run(task, way, settings, &|_| {})
}

fn run<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    way: ChanceMethod,
    settings: &SearchSettings<'_, G::Move>,
    visited: &dyn Fn(u64),
) -> Searched<SearchResult<G::Move>, G> {
    let mut thinking = ChanceDeepening::new(task, way, settings);
    let (first, last) = depths(task, way);
    let each = |thinking: &ChanceDeepening<'_, '_, G, H>| {
        visited(thinking.search.stats.nodes);
        if let (Some(report), Some(found)) = (settings.report, &thinking.done) {
            let depth = if found.depth == ENDLESS { thinking.search.reached } else { found.depth };
            let (reached, stats) = (thinking.search.reached, thinking.search.stats);
            report(&Iteration { depth, reached, exact: found.reply.resolved, stats, lines: found.lines() });
        }
    };
    let stopped = thinking.deepen(first, last, &each)?;
    Ok(thinking.outcome(stopped))
}

/// Searches with several threads that share the table.
pub(in crate::search) fn together<G, H>(
    task: &IterationTask<'_, G, H>,
    way: ChanceMethod,
    settings: &SearchSettings<'_, G::Move>,
    threads: &HelperThreads<'_, G>,
) -> Searched<SearchResult<G::Move>, G>
where
    G: Game,
    G::State: Send + Sync,
    H: Heuristic<G> + Sync,
{
    let (root, heuristic, depth, limits) = (task.root, task.heuristic, task.depth, *task.meter.limits());
    let (table, backup, timed, longest) = (settings.table, settings.backup, limits.is_bounded(), limits.longest);
    let helped = AtomicU64::new(0);
    let found = std::thread::scope(|scope| {
        let (begun, called) = (Instant::now(), Cell::new(false));
        let call = |nodes: u64| {
            if !threads.is_time(nodes, begun) || called.replace(true) {
                return;
            }
            for number in 1..=threads.helpers {
                let helped = &helped;
                scope.spawn(move || {
                    let Some(game) = (threads.game)() else { return };
                    let limits = Limits { depth, timed, longest, stop: Some(threads.quit), ..Limits::default() };
                    let meter = Meter::new(&limits);
                    let task = IterationTask { game: &game, heuristic, root, depth, meter: &meter };
                    let settings = SearchSettings { table, backup, ..SearchSettings::default() };
                    let mut thinking = ChanceDeepening::new(&task, way, &settings);
                    thinking.search.number = number as u32;
                    let (first, last) = depths(&task, way);
                    // The main search meets the same errors.
                    let _ = thinking.deepen(first, last, &|_| {});
                    helped.fetch_add(thinking.search.stats.nodes, Relaxed);
                });
            }
        };
        let found = run(task, way, settings, &call);
        threads.quit.store(true, Relaxed);
        found
    });
    found.map(|outcome| SearchResult { nodes: outcome.nodes + helped.load(Relaxed), ..outcome })
}
