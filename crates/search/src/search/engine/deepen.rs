//! The drivers of the engine: one search, MTD(f), or iterative deepening.
//!
//! They take a task, options and settings and give a result. Iterative deepening (David Slate and
//! Larry Atkin, "Chess 4.5", 1977) with aspiration windows: the search to each depth orders the
//! moves for the next, which costs less than the last search alone; and a stopped search has a
//! result. MTD(f): Aske Plaat, "Best-first fixed-depth minimax algorithms", 1996.

use super::exactness::prove_within;
use super::root::{Root, RootMove};
use super::table::Entry;
use super::team::{FinishedPass, RootPass, Team};
use super::{ENDLESS, Engine, EngineOptions, MOST, NodeScore, RankWindow};
use crate::game::{Game, Heuristic, Score, Side, WIN_LEAST};
use crate::search::iteration::{ExactnessProof, IterationTask};
use crate::search::proof::prove;
use crate::search::repetition::Repetition;
use crate::search::result::{Iteration, PartialIteration, ScoredLine, SearchError, SearchHalt, SearchResult, Searched};
use crate::search::settings::SearchSettings;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::Relaxed;

/// The greatest number of null windows in one MTD(f), before an open window decides.
const PASSES: u32 = 64;

/// From this depth on, the next depth may be several plies deeper. If lines are long and moves few,
/// a search to every depth would take quadratic time.
const DEEP: u32 = 64;

/// The greatest depth without an aspiration window.
const OPEN_DEPTHS: u32 = 3;

/// Searches once to the depth of the task, without a table or move ordering.
pub(in crate::search) fn pvs<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
) -> Searched<SearchResult<G::Move>, G> {
    let mut thinking = IterativeDeepening::new(task, EngineOptions::default());
    thinking.search_to(task.depth.unwrap_or(ENDLESS), |thinking, mover, depth| {
        let (moves, heard) = (&mut thinking.moves, &mut thinking.heard);
        thinking.engine.root_pass(moves, mover, depth, RankWindow::OPEN, heard)
    })?;
    thinking.outcome(task, true, 1)
}

/// Runs MTD(f) to every depth up to that of the task.
pub(in crate::search) fn mtdf<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    settings: &SearchSettings<'_, G::Move>,
) -> Searched<SearchResult<G::Move>, G> {
    let style = EngineOptions { table: settings.table, orders: true, ..EngineOptions::default() };
    let mut thinking = IterativeDeepening::new(task, style);
    let depths = task.depth.map_or(ENDLESS..=ENDLESS, |depth| depth.min(1)..=depth);
    for depth in depths {
        if !thinking.search_to(depth, IterativeDeepening::by_null_windows)? || thinking.is_decided(depth, 1) {
            break;
        }
    }
    thinking.outcome(task, true, 1)
}

/// Searches deeper and deeper, until a limit or a decided value.
pub(in crate::search) fn deepen<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    style: EngineOptions<'_>,
    settings: &SearchSettings<'_, G::Move>,
) -> Searched<SearchResult<G::Move>, G> {
    lead(task, style, settings, None)
}

/// Searches as [`deepen`] does, and takes the results of passes that a helper finishes first.
pub(super) fn lead<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    style: EngineOptions<'_>,
    settings: &SearchSettings<'_, G::Move>,
    finished: Option<&FinishedPass<PassResult<G>>>,
) -> Searched<SearchResult<G::Move>, G> {
    let style = EngineOptions { table: settings.table.or(style.table), ..style };
    let mut thinking = IterativeDeepening::new(task, style);
    thinking.finished = finished;
    thinking.seed = settings.seed;
    let lines = settings.lines.max(1);
    let last = task.depth.unwrap_or(Entry::DEEPEST - 1);
    let mut depth = last.min(1);
    loop {
        let nodes = thinking.engine.stats.nodes;
        thinking.engine.call_help();
        let done = thinking.search_to(depth, |thinking, mover, depth| thinking.lines(mover, depth, lines))?;
        if let (true, Some(report)) = (done, settings.report) {
            report(&thinking.iteration(depth, lines));
        }
        if !done || depth >= last || thinking.is_decided(depth, lines) {
            break;
        }
        if task.depth.is_none() && !task.meter.limits().is_bounded() {
            thinking.goes_on(task)?;
        }
        let grown = thinking.engine.stats.nodes - nodes > 4 * u64::from(depth);
        let step = if depth < DEEP || grown { 1 } else { depth / 2 };
        depth = last.min(depth.saturating_add(step));
        thinking.engine.memory.fade();
    }
    if let Some(team) = style.team {
        team.end();
    }
    let proves = !style.heuristic && task.depth.is_some() && lines == 1;
    thinking.outcome(task, proves, lines)
}

/// Searches in a helper thread each pass of the main search, until the end, and puts the results of those that it
/// finishes first into `finished`.
pub(super) fn help<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    style: EngineOptions<'_>,
    team: &Team<'_>,
    finished: &FinishedPass<PassResult<G>>,
) {
    let mut thinking = IterativeDeepening::new(task, style);
    let (mut last, mut counted) = (0, (0, 0));
    while let Some((number, pass)) = team.next(last) {
        last = number;
        task.meter.work_on(number);
        // A helper that is left behind begins the next pass.
        let done = thinking.search_to(pass.depth, |thinking, mover, _| thinking.join(mover, &pass));
        let (nodes, evals) = (thinking.engine.stats.nodes, thinking.engine.stats.evals);
        team.nodes.fetch_add(nodes - counted.0, Relaxed);
        team.evals.fetch_add(evals - counted.1, Relaxed);
        counted = (nodes, evals);
        match done {
            Ok(true) => {
                finished.put(number, thinking.pass_result(pass.order.len()));
                team.finish(number);
            }
            Ok(false) if thinking.leaf.is_none() => {}
            _ => break,
        }
    }
}

/// The result of one pass over root moves.
pub(super) struct PassResult<G: Game> {
    /// The moves in their new order.
    moves: Vec<RootMove<G>>,
    score: NodeScore,
    /// The greatest number of plies from the root.
    reached: u32,
}

/// The state of iterative deepening.
struct IterativeDeepening<'a, G: Game, H> {
    engine: Engine<'a, G, H>,
    root: &'a G::State,
    side: Option<Side>,
    moves: Vec<RootMove<G>>,
    /// The best move of an unfinished iteration.
    heard: Option<RootMove<G>>,
    /// The last finished depth, the root moves after it, and its result.
    done: Option<(u32, Vec<RootMove<G>>, NodeScore)>,
    /// The depth of the current or last iteration.
    working: u32,
    /// The previous value, which determines the width of the window.
    before: Option<f64>,
    leaf: Option<SearchResult<G::Move>>,
    /// Where helpers put the results of passes.
    finished: Option<&'a FinishedPass<PassResult<G>>>,
    seed: Option<u64>,
    stopped: bool,
}

impl<'a, G: Game, H: Heuristic<G>> IterativeDeepening<'a, G, H> {
    fn new(task: &IterationTask<'a, G, H>, style: EngineOptions<'a>) -> Self {
        IterativeDeepening {
            engine: Engine::new(task, style),
            root: task.root,
            side: None,
            moves: Vec::new(),
            heard: None,
            done: None,
            working: 0,
            before: None,
            leaf: None,
            finished: None,
            seed: None,
            stopped: false,
        }
    }

    /// Searches to a depth; `false` if the search has ended.
    fn search_to(
        &mut self,
        depth: u32,
        search: impl FnOnce(&mut Self, Side, u32) -> Result<NodeScore, SearchHalt<G::Fault, G::Move>>,
    ) -> Result<bool, SearchError<G::Fault, G::Move>> {
        self.working = depth;
        let found = match self.side {
            Some(side) => search(self, side, depth),
            None => match self.engine.look(self.root, depth) {
                Ok(Root::Open(side, mut moves)) => {
                    if let Some(seed) = self.seed {
                        moves.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
                    }
                    (self.side, self.moves) = (Some(side), moves);
                    search(self, side, depth)
                }
                Ok(Root::Leaf(rank, resolved, end)) => {
                    let value = Some(Score::of_rank(rank));
                    self.leaf = Some(SearchResult { value, exact: resolved, end, ..SearchResult::none() });
                    return Ok(false);
                }
                Err(halt) => Err(halt),
            },
        };
        match found {
            Ok(reply) => {
                if let Some((_, _, NodeScore { rank, .. })) = self.done {
                    self.before = number(rank);
                }
                self.done = Some((depth, self.moves.clone(), reply));
                self.heard = None;
                Ok(true)
            }
            Err(SearchHalt::Stopped) => {
                self.stopped = true;
                Ok(false)
            }
            Err(SearchHalt::Failed(error)) => Err(error.rooted()),
        }
    }

    /// Finds the best moves one after the other, each by a search of the remaining moves.
    fn lines(&mut self, mover: Side, depth: u32, lines: usize) -> Result<NodeScore, SearchHalt<G::Fault, G::Move>> {
        let mut first: Option<NodeScore> = None;
        for number in 0..lines.min(self.moves.len()) {
            let guess = self.done.as_ref().filter(|_| depth > OPEN_DEPTHS).map(|(_, moves, _)| moves[number].rank);
            let reply = self.aspire(number, mover, depth, guess)?;
            match &mut first {
                Some(first) => first.resolved &= reply.resolved,
                None => first = Some(reply),
            }
            if number == 0 {
                // After a halt from here on, the best move is known.
                self.heard = self.moves.first().cloned();
            }
        }
        Ok(first.expect("there is a move"))
    }

    /// Searches in a window around the expected value, and in a wider one if the value is outside.
    fn aspire(
        &mut self,
        from: usize,
        mover: Side,
        depth: u32,
        guess: Option<i64>,
    ) -> Result<NodeScore, SearchHalt<G::Fault, G::Move>> {
        let mut window = RankWindow::OPEN;
        let mut width = 0.0;
        if let Some(guess) = guess.and_then(number) {
            let changed = self.before.map_or(0.0, |before| (before - guess).abs());
            width = (2.0 * changed).max(guess.abs() / 16.0).max(1e-3);
            window = around(guess, width);
        }
        let mut none = None;
        for attempt in 0.. {
            let pass = self.engine.style.team.map(|team| {
                let order = self.moves[from..].iter().map(|mv| mv.number).collect();
                team.begin(RootPass { depth, window, order })
            });
            let (moves, heard) = (&mut self.moves[from..], if from == 0 { &mut self.heard } else { &mut none });
            let reply = match self.engine.root_pass(moves, mover, depth, window, heard) {
                Err(SearchHalt::Stopped) => self.taken(from, window, pass).ok_or(SearchHalt::Stopped)?,
                reply => reply?,
            };
            let low = reply.rank <= window.low && window.low > -MOST;
            let high = reply.rank >= window.high && window.high < MOST;
            if !low && !high {
                return Ok(reply);
            }
            width *= 8.0;
            let wide = number(reply.rank).filter(|_| attempt < 2).map_or(RankWindow::OPEN, |rank| around(rank, width));
            if low {
                window.low = wide.low;
            } else {
                window.high = wide.high;
            }
        }
        unreachable!("an open window holds every value")
    }

    /// Takes the result of a pass that a helper has finished.
    fn taken(&mut self, from: usize, window: RankWindow, number: Option<u64>) -> Option<NodeScore> {
        let PassResult { moves, score, reached } = self.finished?.take(number?)?;
        self.moves[from..].clone_from_slice(&moves);
        if from == 0 && score.rank > window.low && score.rank < window.high {
            self.heard = self.moves.first().cloned();
        }
        self.engine.reached = self.engine.reached.max(reached);
        Some(score)
    }

    /// The result of the pass that this thread has just finished, over so many moves.
    fn pass_result(&self, count: usize) -> PassResult<G> {
        let Some((_, moves, score)) = &self.done else { unreachable!("a pass was just finished") };
        PassResult { moves: moves[..count].to_vec(), score: *score, reached: self.engine.reached }
    }

    /// Searches the root moves of a pass of the main search.
    fn join(&mut self, mover: Side, pass: &RootPass) -> Result<NodeScore, SearchHalt<G::Fault, G::Move>> {
        let place = |mv: &RootMove<G>| pass.order.iter().position(|number| *number == mv.number);
        self.moves.sort_by_cached_key(|mv| place(mv).unwrap_or(usize::MAX));
        let moves = &mut self.moves[..pass.order.len()];
        self.engine.root_pass(moves, mover, pass.depth, pass.window, &mut None)
    }

    /// MTD(f): null windows converge on the value, then a search finds the line.
    fn by_null_windows(&mut self, mover: Side, depth: u32) -> Result<NodeScore, SearchHalt<G::Fault, G::Move>> {
        let (mut low, mut high) = (-MOST, MOST);
        let mut guess = self.done.as_ref().map_or(0, |(_, _, reply)| reply.rank);
        for _ in 0..PASSES {
            let beta = if guess == low { guess + 1 } else { guess };
            let window = RankWindow { low: beta - 1, high: beta };
            let reply = self.engine.root_pass(&mut self.moves, mover, depth, window, &mut None)?;
            guess = reply.rank;
            if guess < beta {
                high = guess;
            } else {
                low = guess;
            }
            if low >= high {
                break;
            }
        }
        let window = match low >= high {
            true => RankWindow { low: guess.saturating_sub(1), high: guess.saturating_add(1) },
            false => RankWindow::OPEN,
        };
        let mut reply = self.engine.root_pass(&mut self.moves, mover, depth, window, &mut self.heard)?;
        if reply.rank <= window.low && window.low > -MOST || reply.rank >= window.high && window.high < MOST {
            reply = self.engine.root_pass(&mut self.moves, mover, depth, RankWindow::OPEN, &mut self.heard)?;
        }
        Ok(reply)
    }

    /// Errs if the best line repeats a position, unless the game calls repetitions draws. Play would
    /// then never end, and neither would the search.
    fn goes_on(&self, task: &IterationTask<'a, G, H>) -> Result<(), SearchError<G::Fault, G::Move>> {
        let Some((_, moves, _)) = self.done.as_ref().filter(|_| self.engine.repetition != Repetition::Draw) else {
            return Ok(());
        };
        let mut line = moves[0].whole_line();
        let mut seen = FxHashSet::default();
        let mut state = task.root.clone();
        for number in 0..line.len() {
            seen.insert(state.clone());
            let next = task.game.apply(&state, &line[number]);
            state = next.map_err(|fault| SearchError::Fault { fault, line: line[..number].to_vec() })?;
            if seen.contains(&state) {
                line.truncate(number + 1);
                return Err(SearchError::Repetition { line });
            }
        }
        Ok(())
    }

    /// Whether a deeper search would give the same result.
    fn is_decided(&self, depth: u32, lines: usize) -> bool {
        let Some((_, moves, reply)) = &self.done else { return true };
        let shown = &moves[..lines.min(moves.len())];
        reply.resolved || shown.iter().all(|mv| is_decisive(mv.rank, depth))
    }

    /// Whether the value of a finished depth is the true value.
    fn is_exact(&self, depth: u32, reply: NodeScore) -> bool {
        !self.engine.style.heuristic && (reply.resolved || is_decisive(reply.rank, depth))
    }

    fn iteration(&self, depth: u32, lines: usize) -> Iteration<G::Move> {
        let Some((_, moves, reply)) = &self.done else { unreachable!("a depth was just finished") };
        Iteration {
            depth,
            reached: self.engine.reached,
            exact: self.is_exact(depth, *reply),
            stats: self.engine.stats,
            lines: moves.iter().take(lines).map(|mv| self.line(mv, depth)).collect(),
        }
    }

    fn line(&self, mv: &RootMove<G>, depth: u32) -> ScoredLine<G::Move> {
        ScoredLine {
            value: Score::of_rank(mv.rank),
            exact: self.is_exact(depth, NodeScore { rank: mv.rank, resolved: mv.resolved }),
            moves: mv.whole_line(),
            end: mv.end,
        }
    }

    /// The result; if `proves` holds, a proof may show that the estimates do not matter.
    fn outcome(
        mut self,
        task: &IterationTask<'a, G, H>,
        proves: bool,
        lines: usize,
    ) -> Searched<SearchResult<G::Move>, G> {
        let stats = self.engine.stats;
        let reached = self.engine.reached;
        let counted = |outcome: SearchResult<G::Move>, stopped| SearchResult {
            nodes: stats.nodes,
            evals: stats.evals,
            stats,
            reached,
            stopped,
            ..outcome
        };
        if let Some(mut leaf) = self.leaf.take() {
            if let (true, false, Some(value)) = (proves, leaf.exact, leaf.value) {
                let proof = self.proof(task, value)?;
                (leaf.exact, leaf.proof_nodes, self.stopped) = (proof.exact, proof.nodes, proof.stopped);
            }
            return Ok(counted(SearchResult { depth: task.depth, ..leaf }, self.stopped));
        }
        let heard = self.heard.take().filter(|_| self.stopped);
        let Some((depth, moves, reply)) = &self.done else {
            // No depth was finished.
            let line = heard.as_ref().map(|mv| self.line(mv, 0));
            let found = line.map_or(SearchResult::none(), |line| SearchResult::of(&line));
            let depth = (self.working < ENDLESS).then_some(self.working);
            return Ok(counted(SearchResult { exact: false, depth, partial: true, ..found }, true));
        };
        let mut shown: Vec<ScoredLine<G::Move>> = moves.iter().take(lines).map(|mv| self.line(mv, *depth)).collect();
        let mut exact = self.is_exact(*depth, *reply);
        // An exact value does not need the deeper search that was stopped.
        self.stopped &= !exact;
        // The result shows the value of the last finished depth, with the deeper move beside it.
        let deeper = heard.filter(|_| !exact).map(|heard| {
            let line = ScoredLine { exact: false, ..self.line(&heard, self.working) };
            PartialIteration { depth: self.working, line }
        });
        let mut proof = ExactnessProof::at_once(exact);
        if proves && !exact && !self.stopped {
            proof = self.proof(task, shown[0].value)?;
            exact = proof.exact;
            self.stopped = proof.stopped;
            if let Some((moves, end)) = proof.line.take() {
                shown[0] = ScoredLine { moves, end, exact, ..shown[0].clone() };
            }
        }
        // An exact value holds for every depth.
        let finished = exact || !self.stopped;
        let found = SearchResult::of(&shown[0]);
        let depth = if finished { task.depth } else { Some(*depth) };
        let found = SearchResult { exact, depth, deeper, proof_nodes: proof.nodes, lines: shown, ..found };
        Ok(counted(found, self.stopped))
    }

    /// Proves whether estimates matter.
    fn proof(&self, task: &IterationTask<'a, G, H>, value: Score) -> Searched<ExactnessProof<G::Move>, G> {
        if self.engine.style.table.is_none() {
            return prove(task, value);
        }
        let helped = self.engine.style.team.map_or(0, |team| team.nodes.load(Relaxed));
        prove_within(task, value, self.engine.stats.nodes + helped)
    }
}

/// Whether a value is a win or a loss before the horizon, which exceeds every estimate.
fn is_decisive(rank: i64, depth: u32) -> bool {
    rank.abs() >= WIN_LEAST && MOST - rank.abs() <= i64::from(depth)
}

/// The value as a number, if it is a finite one.
fn number(rank: i64) -> Option<f64> {
    match Score::of_rank(rank) {
        Score::Value(number) if number.is_finite() => Some(number),
        _ => None,
    }
}

fn around(number: f64, width: f64) -> RankWindow {
    RankWindow { low: Score::number(number - width).rank(), high: Score::number(number + width).rank() }
}
