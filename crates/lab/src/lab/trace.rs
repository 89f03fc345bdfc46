//! Knuth and Moore's procedures with all counts, and a callback for every position.
//!
//! It takes a game, a heuristic, a position, a depth and a callback. It returns the value and the numbers
//! of positions, leaves and cutoffs. Unlike `search` it counts leaves of every kind and cutoffs by the
//! first move, and uses a table keyed by position and ply. It omits what `search` does for speed and
//! proof. `tests/games/lab.rs` compares the counts with those of the searches. Donald Knuth and Ronald
//! Moore, "An Analysis of Alpha-Beta Pruning", 1975.

use alphorn_search::game::{Game, Heuristic, Score, Side, ToMove};
use alphorn_search::search::result::SearchError;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A procedure of the paper. They differ in the bounds that a position passes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedProcedure {
    /// No bounds: minimax.
    F,
    /// The bound that limits the mover: branch and bound, without deep cutoffs.
    F1,
    /// Both bounds: alpha-beta.
    F2,
    /// Both bounds, and a table of results at the same ply.
    F2WithTable,
}

impl TracedProcedure {
    /// The name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            TracedProcedure::F => "F",
            TracedProcedure::F1 => "F1",
            TracedProcedure::F2 => "F2",
            TracedProcedure::F2WithTable => "F2 with table",
        }
    }
}

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceCounts {
    /// The value for MAX.
    pub value: Option<Score>,
    /// The visited positions.
    pub nodes: u64,
    /// The visited positions without children in the search.
    pub leaves: u64,
    /// Inner positions whose score came from the table.
    pub hits: u64,
    /// Positions left by a cutoff before all moves were tried.
    pub cutoffs: u64,
    /// Cutoffs after the first move.
    pub first_cutoffs: u64,
}

/// A position that a run has finished.
pub struct LeftPosition<'a, S> {
    /// The position.
    pub state: &'a S,
    /// The score for MAX: a bound if there was a cutoff, or if the score is below the window.
    pub score: Score,
    /// The bounds of the value; both are the score if it is the value.
    pub between: (Score, Score),
    /// The number of tried moves, if not all were tried.
    pub tried: Option<usize>,
}

/// The reason for an unfinished run.
#[derive(Debug)]
pub enum TraceHalt<F, M> {
    /// The stop flag was set.
    Stopped,
    /// The game or the heuristic failed.
    Failed(SearchError<F, M>),
}

/// The result of a step of a run.
pub(super) type Step<T, G> = Result<T, TraceHalt<<G as Game>::Fault, <G as Game>::Move>>;

/// The bounds of the value of a position with moves, because nobody has won there yet.
const LOWEST: Score = Score::Loss { plies: 0 };
const HIGHEST: Score = Score::Win { plies: 0 };

/// The maximum number of positions in the table, which limits memory. Others are searched again.
const MOST_KEPT: usize = 1 << 20;

/// The scores that MAX and MIN can already force: alpha and beta, for MAX.
#[derive(Clone, Copy)]
struct TraceWindow {
    alpha: Score,
    beta: Score,
}

const OPEN: TraceWindow = TraceWindow { alpha: LOWEST, beta: HIGHEST };

impl TracedProcedure {
    /// The part of the parent's `window` that is passed down to a position in which `mover` moves.
    fn handed_down(self, window: TraceWindow, mover: Side) -> TraceWindow {
        match (self, mover) {
            (TracedProcedure::F, _) => OPEN,
            (TracedProcedure::F1, Side::Max) => TraceWindow { alpha: LOWEST, ..window },
            (TracedProcedure::F1, Side::Min) => TraceWindow { beta: HIGHEST, ..window },
            (TracedProcedure::F2 | TracedProcedure::F2WithTable, _) => window,
        }
    }
}

/// A position on the current line, with its moves.
pub(super) struct OpenPosition<S, M, N> {
    pub(super) state: S,
    pub(super) mover: Side,
    pub(super) moves: Vec<M>,
    /// The number of tried moves.
    pub(super) tried: usize,
    pub(super) note: N,
}

/// The kind of a visited position.
pub(super) enum Arrival {
    /// A position without children in the search, with its score for MAX. `over` is false at the horizon.
    Leaf { score: Score, over: bool },
    /// A position in which this side moves.
    Inner(Side),
}

/// The current line through a game, kept on the heap. All runs of this module use it.
pub(super) struct TraceStack<'a, G: Game, H, N> {
    pub(super) game: &'a G,
    pub(super) heuristic: &'a H,
    pub(super) depth: u32,
    pub(super) stop: &'a AtomicBool,
    pub(super) open: Vec<OpenPosition<G::State, G::Move, N>>,
}

impl<'a, G: Game, H: Heuristic<G>, N> TraceStack<'a, G, H, N> {
    pub(super) fn new(game: &'a G, heuristic: &'a H, depth: u32, stop: &'a AtomicBool) -> Self {
        TraceStack { game, heuristic, depth, stop, open: Vec::new() }
    }

    /// The ply of the position that is visited next.
    pub(super) fn ply(&self) -> u32 {
        self.open.len() as u32
    }

    /// Visits `state`, which is the root or a child of the last open position.
    pub(super) fn arrive(&self, state: &G::State) -> Step<Arrival, G> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(TraceHalt::Stopped);
        }
        let draws = self.game.facts().draws_repetitions();
        if draws && self.open.iter().any(|open| open.state == *state) {
            return Ok(Arrival::Leaf { score: Score::Value(0.0), over: true });
        }
        if self.ply() >= self.depth {
            let over = self.game.is_over(state).map_err(|fault| self.fault(fault))?;
            let score = if over { self.finish(state)? } else { self.judge(state)? };
            return Ok(Arrival::Leaf { score, over });
        }
        Ok(match self.game.to_move(state).map_err(|fault| self.fault(fault))? {
            ToMove::Over => Arrival::Leaf { score: self.finish(state)?, over: true },
            ToMove::Max => Arrival::Inner(Side::Max),
            ToMove::Min => Arrival::Inner(Side::Min),
            ToMove::Chance => return Err(TraceHalt::Failed(SearchError::Chance { line: Vec::new() })),
        })
    }

    /// Appends an inner position to the line.
    pub(super) fn open(&mut self, state: G::State, mover: Side, note: N) -> Step<(), G> {
        let mut moves = Vec::new();
        self.game.moves(&state, &mut moves).map_err(|fault| self.fault(fault))?;
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        self.open.push(OpenPosition { state, mover, moves, tried: 0, note });
        Ok(())
    }

    /// The successor by the next move of the last open position; `None` if all moves were tried.
    pub(super) fn next_child(&mut self) -> Step<Option<G::State>, G> {
        let Some(open) = self.open.last_mut() else { return Ok(None) };
        let Some(mv) = open.moves.get(open.tried) else { return Ok(None) };
        let child = self.game.apply(&open.state, mv);
        open.tried += 1;
        child.map(Some).map_err(|fault| {
            let above = self.open.len() - 1;
            self.fault_after(above, fault)
        })
    }

    fn finish(&self, state: &G::State) -> Step<Score, G> {
        Ok(match self.game.result(state).map_err(|fault| self.fault(fault))? {
            Some(ending) => Score::of_result(ending, self.ply()),
            None => self.judge(state)?,
        })
    }

    fn judge(&self, state: &G::State) -> Step<Score, G> {
        let number = self.heuristic.evaluate(self.game, state);
        Ok(Score::number(number.map_err(|fault| self.fault(fault))?))
    }

    fn fault(&self, fault: G::Fault) -> TraceHalt<G::Fault, G::Move> {
        self.fault_after(self.open.len(), fault)
    }

    /// A fault after the moves tried in the first `count` open positions. After the stop flag is set, a
    /// fault may only be an effect of that flag.
    fn fault_after(&self, count: usize, fault: G::Fault) -> TraceHalt<G::Fault, G::Move> {
        if self.stop.load(Ordering::Relaxed) {
            return TraceHalt::Stopped;
        }
        let tried = self.open.iter().take(count).filter_map(|open| open.moves.get(open.tried.checked_sub(1)?));
        TraceHalt::Failed(SearchError::Fault { fault, line: tried.cloned().collect() })
    }
}

/// The data of a procedure about an open position.
struct Note {
    /// The window passed down.
    window: TraceWindow,
    /// The window narrowed by the results of the children.
    narrowed: TraceWindow,
    best: Option<Score>,
}

/// The lower and the upper bound of a value for MAX.
type Bounds = (Score, Score);

/// Runs `procedure` on `state` to `depth` plies. `hear` receives every finished position.
///
/// Takes the time of the searches, and more memory. The table is used only in games in which values do
/// not depend on the line.
pub fn run<G: Game, H: Heuristic<G>>(
    procedure: TracedProcedure,
    (game, heuristic): (&G, &H),
    state: &G::State,
    depth: u32,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(LeftPosition<'_, G::State>),
) -> Result<TraceCounts, TraceHalt<G::Fault, G::Move>> {
    let keeps = procedure == TracedProcedure::F2WithTable && !game.facts().draws_repetitions();
    let mut table: FxHashMap<(u32, G::State), Bounds> = FxHashMap::default();
    let mut line: TraceStack<'_, G, H, Note> = TraceStack::new(game, heuristic, depth, stop);
    let mut counts = TraceCounts::default();
    let mut child = state.clone();
    loop {
        counts.nodes += 1;
        let above = line.open.last().map_or(OPEN, |open| open.note.narrowed);
        let mut done = match line.arrive(&child)? {
            Arrival::Leaf { score, .. } => {
                counts.leaves += 1;
                hear(LeftPosition { state: &child, score, between: (score, score), tried: None });
                Some(score)
            }
            Arrival::Inner(mover) => {
                let window = procedure.handed_down(above, mover);
                let known = if keeps { table.get(&(line.ply(), child.clone())) } else { None };
                let answer = known.and_then(|bounds| answer(*bounds, window));
                match answer {
                    Some(_) => counts.hits += 1,
                    None => line.open(child, mover, Note { window, narrowed: window, best: None })?,
                }
                answer
            }
        };
        child = loop {
            let mut cut = false;
            if let Some(score) = done {
                let Some(open) = line.open.last_mut() else {
                    counts.value = Some(score);
                    return Ok(counts);
                };
                cut = open.fold(score) && open.tried < open.moves.len();
                counts.cutoffs += u64::from(cut);
                counts.first_cutoffs += u64::from(cut && open.tried == 1);
            }
            if !cut && let Some(child) = line.next_child()? {
                break child;
            }
            let open = line.open.pop().expect("a line that leads nowhere further has a position");
            let (score, between) = open.found();
            let tried = cut.then_some(open.tried);
            hear(LeftPosition { state: &open.state, score, between, tried });
            if keeps && (table.len() < MOST_KEPT) {
                keep(&mut table, (line.ply(), open.state), between);
            }
            done = Some(score);
        };
    }
}

impl<S, M> OpenPosition<S, M, Note> {
    /// Adds the score of a child. Returns whether it causes a cutoff.
    fn fold(&mut self, score: Score) -> bool {
        let Note { narrowed, best, .. } = &mut self.note;
        let improves = match self.mover {
            Side::Max => best.is_none_or(|best| score > best),
            Side::Min => best.is_none_or(|best| score < best),
        };
        if improves {
            *best = Some(score);
        }
        match self.mover {
            Side::Max => narrowed.alpha = narrowed.alpha.max(score),
            Side::Min => narrowed.beta = narrowed.beta.min(score),
        }
        narrowed.alpha >= narrowed.beta
    }

    /// The score of the position, and the bounds of its value.
    fn found(&self) -> (Score, Bounds) {
        let Note { window, best, .. } = &self.note;
        let score = best.expect("a position is left after a move at least");
        let least = if score <= window.alpha { LOWEST } else { score };
        let greatest = if score >= window.beta { HIGHEST } else { score };
        (score, (least, greatest))
    }
}

/// The score from known bounds, if they suffice for `window`.
fn answer((least, greatest): Bounds, window: TraceWindow) -> Option<Score> {
    if least == greatest || least >= window.beta {
        Some(least)
    } else if greatest <= window.alpha {
        Some(greatest)
    } else {
        None
    }
}

/// Narrows the known bounds of a position.
fn keep<K: std::hash::Hash + Eq>(table: &mut FxHashMap<K, Bounds>, key: K, (least, greatest): Bounds) {
    let known = table.entry(key).or_insert((LOWEST, HIGHEST));
    *known = (known.0.max(least), known.1.min(greatest));
}
