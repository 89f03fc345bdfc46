//! Procedure: the walk that Knuth and Moore's procedures share.
//!
//! In: a task, and what a procedure does with one open position (a [`Procedure`]). Out: the outcome,
//! with the proof of whether estimates matter. A procedure is a few lines in the paper because it
//! calls itself; here a loop does the calling, since a line may be a million plies long.
//! Must not know what a procedure does with its bounds.
//! Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975.

use super::iteration::{IterationResult, IterationTask};
use super::proof::{ExactnessProof, prove};
use super::result::{SearchResult, Searched};
use super::stack::{Arrival, SearchStack, Walked};
use super::visits::{Bounds, Hearer, OPEN};
use crate::game::{Game, Heuristic, Score, Side};

/// Below everything that a position with moves to make can be worth: nobody has won in it yet.
pub(super) const LOWEST: Score = Score::Loss { plies: 0 };
/// Above everything that a position with moves to make can be worth.
pub(super) const HIGHEST: Score = Score::Win { plies: 0 };

/// An open position of a procedure: its arguments and what it has found so far.
pub(super) trait Procedure: Sized {
    /// Whether moves that the heuristic finds promising are tried first.
    const BEST_FIRST: bool = false;

    /// The call for the root, in which `mover` moves.
    fn at_root(mover: Side) -> Self;

    /// The call for the next child of this position, in which `mover` moves: perhaps the same side.
    fn below(&self, mover: Side) -> Self;

    /// Takes in what the call for a child gave, for Max; true where it is strictly better for the
    /// mover than all that stood there before.
    fn fold(&mut self, score_for_max: Score) -> bool;

    /// Whether the other moves are passed over.
    fn is_cut(&self) -> bool;

    /// Who moves there.
    fn mover(&self) -> Side;

    /// The scores that matter there by now, for Max.
    fn window(&self) -> Bounds;

    /// What the call gives, for Max.
    fn result(&self) -> Score;
}

/// Searches with the procedure `P`; where estimates were met, a proof tells whether they matter.
pub(super) fn search<G, H, P>(
    task: &IterationTask<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G>
where
    G: Game,
    H: Heuristic<G>,
    P: Procedure,
{
    let mut walk = task.walk();
    let walked = tree::<G, H, P>(&mut walk, task, hear);
    // A root that was left before its first move was done still has the bound that it began with.
    let so_far = |root: P| Some(root.result()).filter(|score| *score > LOWEST && *score < HIGHEST);
    let found = IterationResult::gather(walk, walked, so_far)?;
    let proof = match found.value {
        Some(value) if !found.stopped && found.horizons > 0 => prove(task, value)?,
        // Cuts hold whatever lies behind them, so a value from finished games alone is exact.
        _ => ExactnessProof::at_once(!found.stopped),
    };
    Ok(found.outcome(task.depth, proof, |value| value))
}

/// Walks from the root through every position that the procedure calls itself for.
fn tree<G, H, P>(
    walk: &mut SearchStack<'_, G, P>,
    task: &IterationTask<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Walked<Score, G>
where
    G: Game,
    H: Heuristic<G>,
    P: Procedure,
{
    loop {
        let mut done = match walk.arrive()? {
            Arrival::Inner(mover) => {
                let call = walk.top().map_or_else(|| P::at_root(mover), |above| above.below(mover));
                walk.tell_in(hear, |_| call.window());
                if P::BEST_FIRST {
                    walk.open_best_first(task.heuristic, call)?;
                } else {
                    walk.open(call)?;
                }
                None
            }
            Arrival::Chance => return walk.by_chance(),
            Arrival::Leaf(leaf) => {
                walk.tell_in(hear, |above| above.map_or(OPEN, |above| above.below(above.mover().other()).window()));
                let score = walk.worth(task.heuristic, leaf)?;
                walk.tell_leaf(hear, score);
                Some(score)
            }
        };
        loop {
            let mut cut = false;
            if let Some(score) = done {
                let Some(call) = walk.top() else {
                    return Ok(score);
                };
                let improves = call.fold(score);
                cut = call.is_cut();
                if improves {
                    walk.keep_line();
                }
            }
            if !cut && walk.next_child()? {
                break;
            }
            walk.tell_out(hear, |call| Some(call.result()));
            done = Some(walk.close().result());
        }
    }
}
