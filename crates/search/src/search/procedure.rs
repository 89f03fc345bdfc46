//! The loop that the procedures of Knuth and Moore share.
//!
//! A [`Procedure`] says how to handle one open position. The loop gives the result, with a proof of
//! whether estimates matter. The procedures of the paper are recursive; this loop is not, because a
//! line may have a million plies. It must not depend on how a procedure uses its bounds. Donald
//! Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975.

use super::iteration::{ExactnessProof, IterationResult, IterationTask};
use super::proof::prove;
use super::result::{SearchResult, Searched, Walked};
use super::stack::{Arrival, SearchStack};
use super::visits::{Bounds, OPEN, VisitObserver};
use crate::game::{Game, Heuristic, Score, Side};

/// A score below that of every position with moves: no game has been won there yet.
pub(super) const LOWEST: Score = Score::Loss { plies: 0 };
/// A score above that of every position with moves.
pub(super) const HIGHEST: Score = Score::Win { plies: 0 };

/// An open position of a procedure: the arguments of its call and the best score so far.
pub(super) trait Procedure: Sized {
    /// Whether to try moves first that the heuristic weighs more.
    const BEST_FIRST: bool = false;

    /// The call for the root, with `mover` to move.
    fn at_root(mover: Side) -> Self;

    /// The call for the next successor, with `mover` to move, who may be the same side again.
    fn below(&self, mover: Side) -> Self;

    /// Updates the call with the score of a successor, for Max. Returns whether that score is
    /// strictly better for the player to move than all before.
    fn fold(&mut self, score_for_max: Score) -> bool;

    /// Whether the other moves are cut off.
    fn is_cut(&self) -> bool;

    /// The player to move.
    fn mover(&self) -> Side;

    /// The current window, for Max.
    fn window(&self) -> Bounds;

    /// The result of the call, for Max.
    fn result(&self) -> Score;
}

/// Searches with the procedure `P`, and proves whether estimates matter if there were any.
pub(super) fn search<G, H, P>(
    task: &IterationTask<'_, G, H>,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G>
where
    G: Game,
    H: Heuristic<G>,
    P: Procedure,
{
    let mut walk = task.walk();
    let walked = tree::<G, H, P>(&mut walk, task, hear);
    // A root whose first move was not finished still has its initial bound.
    let so_far = |root: P| Some(root.result()).filter(|score| *score > LOWEST && *score < HIGHEST);
    let found = IterationResult::gather(walk, walked, so_far)?;
    let proof = match found.value {
        Some(value) if !found.stopped && found.horizons > 0 => prove(task, value)?,
        // Cutoffs are sound for any positions behind them, so a value without estimates is exact.
        _ => ExactnessProof::at_once(!found.stopped),
    };
    Ok(found.outcome(task.depth, proof, |value| value))
}

/// Searches every position that the procedure visits; gives the score of the root.
fn tree<G, H, P>(
    walk: &mut SearchStack<'_, G, P>,
    task: &IterationTask<'_, G, H>,
    hear: Option<VisitObserver<'_, G::State>>,
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
