//! Trace: Knuth and Moore's procedures with everything counted and everything told.
//!
//! In: a game, a heuristic, a position, a depth, and who wants to hear of positions left behind.
//! Out: the value, positions, leaves, cut-offs. What `search` does for speed and proof is left out;
//! what no search reports is here: leaves of every kind, cut-offs by the first move, and a table
//! keyed by position and ply. `tests/lab.rs` holds the counts against those of the searches.
//! Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975.

use alphorn_search::game::{Game, Heuristic, Score, Side, ToMove};
use alphorn_search::search::result::SearchError;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which bounds a position hands down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedProcedure {
    /// None: minimax.
    F,
    /// The one that limits the mover: branch and bound, without deep cut-offs.
    F1,
    /// Both: alpha-beta.
    F2,
    /// Both, and a table of what was found at the same ply before.
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

/// What a run counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceCounts {
    /// The value, for Max.
    pub value: Option<Score>,
    /// Positions visited.
    pub nodes: u64,
    /// Those of them that have no children in the search.
    pub leaves: u64,
    /// Positions with children that were answered from the table.
    pub hits: u64,
    /// Positions left before all their moves were tried.
    pub cutoffs: u64,
    /// Those of them left after the first move.
    pub first_cutoffs: u64,
}

/// A position that a run leaves for the last time.
pub struct LeftPosition<'a, S> {
    /// The position.
    pub state: &'a S,
    /// What it was found to be worth to Max: a bound, where it was cut off or fell short.
    pub score: Score,
    /// What its value is known to lie between: the score twice where it is the value.
    pub between: (Score, Score),
    /// How many of its moves were tried, where that is not all of them.
    pub tried: Option<usize>,
}

/// A run was stopped, or the game went wrong.
#[derive(Debug)]
pub enum TraceHalt<F, M> {
    /// By the stop flag.
    Stopped,
    /// By the game.
    Failed(SearchError<F, M>),
}

/// What a step gives, unless it is halted.
pub(super) type Step<T, G> = Result<T, TraceHalt<<G as Game>::Fault, <G as Game>::Move>>;

/// Nobody has won yet in a position with moves to make, so its value lies between these.
const LOWEST: Score = Score::Loss { plies: 0 };
const HIGHEST: Score = Score::Win { plies: 0 };

/// The most positions that the table holds, so that memory has an end; further ones are searched again.
const MOST_KEPT: usize = 1 << 20;

/// What Max and Min are sure of further up: alpha and beta, for Max.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
}

const OPEN: Window = Window { alpha: LOWEST, beta: HIGHEST };

impl TracedProcedure {
    /// What a position in which `mover` moves hears of the `window` of its parent.
    fn handed_down(self, window: Window, mover: Side) -> Window {
        match (self, mover) {
            (TracedProcedure::F, _) => OPEN,
            (TracedProcedure::F1, Side::Max) => Window { alpha: LOWEST, ..window },
            (TracedProcedure::F1, Side::Min) => Window { beta: HIGHEST, ..window },
            (TracedProcedure::F2 | TracedProcedure::F2WithTable, _) => window,
        }
    }
}

/// A position on the line, with its moves.
pub(super) struct OpenPosition<S, M, N> {
    pub(super) state: S,
    pub(super) mover: Side,
    pub(super) moves: Vec<M>,
    /// How many of them were tried.
    pub(super) tried: usize,
    pub(super) note: N,
}

/// What a walk comes to.
pub(super) enum Arrival {
    /// A position without children in the search, and its worth for Max; over, or at the horizon.
    Leaf { score: Score, over: bool },
    /// This side moves.
    Inner(Side),
}

/// A line through a game, kept on the heap: what every run here goes along.
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

    /// Plies from the root to a position that is arrived at.
    pub(super) fn ply(&self) -> u32 {
        self.open.len() as u32
    }

    /// Looks at `state`, the root or a child of the position opened last.
    pub(super) fn arrive(&self, state: &G::State) -> Step<Arrival, G> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(TraceHalt::Stopped);
        }
        let draws = self.game.repetition_is_draw() && !self.game.acyclic();
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

    /// Puts an inner position on the line.
    pub(super) fn open(&mut self, state: G::State, mover: Side, note: N) -> Step<(), G> {
        let mut moves = Vec::new();
        self.game.moves(&state, &mut moves).map_err(|fault| self.fault(fault))?;
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        self.open.push(OpenPosition { state, mover, moves, tried: 0, note });
        Ok(())
    }

    /// The position after the next move of the position opened last; `None` when all were tried.
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
            Some(ending) => Score::of_ending(ending, self.ply()),
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

    /// A fault after the moves tried in the first `count` open positions; after the stop flag it
    /// may be no more than that flag, heard by the rules.
    fn fault_after(&self, count: usize, fault: G::Fault) -> TraceHalt<G::Fault, G::Move> {
        if self.stop.load(Ordering::Relaxed) {
            return TraceHalt::Stopped;
        }
        let tried = self.open.iter().take(count).filter_map(|open| open.moves.get(open.tried.checked_sub(1)?));
        TraceHalt::Failed(SearchError::Fault { fault, line: tried.cloned().collect() })
    }
}

/// What a procedure notes about an open position.
struct Note {
    /// As it was handed down.
    window: Window,
    /// With what was found since.
    narrowed: Window,
    best: Option<Score>,
}

/// What is known about a position at a ply, for Max: at least the first, at most the second.
type Bounds = (Score, Score);

/// Runs `procedure` on `state` to `depth` plies and tells `hear` of every position that it leaves.
///
/// Costs what the searches cost, and more memory. A table is used in games alone whose values do
/// not rest on the way to a position.
pub fn run<G: Game, H: Heuristic<G>>(
    procedure: TracedProcedure,
    (game, heuristic): (&G, &H),
    state: &G::State,
    depth: u32,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(LeftPosition<'_, G::State>),
) -> Result<TraceCounts, TraceHalt<G::Fault, G::Move>> {
    let keeps = procedure == TracedProcedure::F2WithTable && (game.acyclic() || !game.repetition_is_draw());
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
    /// Takes in a child's score; true where the other moves do not matter any more.
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

    /// The score that was found, and what the value lies between.
    fn found(&self) -> (Score, Bounds) {
        let Note { window, best, .. } = &self.note;
        let score = best.expect("a position is left after a move at least");
        let least = if score <= window.alpha { LOWEST } else { score };
        let greatest = if score >= window.beta { HIGHEST } else { score };
        (score, (least, greatest))
    }
}

/// What is known, where it answers what `window` asks.
fn answer((least, greatest): Bounds, window: Window) -> Option<Score> {
    if least == greatest || least >= window.beta {
        Some(least)
    } else if greatest <= window.alpha {
        Some(greatest)
    } else {
        None
    }
}

/// Adds what was found to what is known.
fn keep<K: std::hash::Hash + Eq>(table: &mut FxHashMap<K, Bounds>, key: K, (least, greatest): Bounds) {
    let known = table.entry(key).or_insert((LOWEST, HIGHEST));
    *known = (known.0.max(least), known.1.min(greatest));
}
