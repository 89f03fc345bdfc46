//! Alpha-beta: minimax that passes over what cannot change the value.
//!
//! In: a game, a heuristic, a position, limits. Out: the outcome that minimax gives, from fewer
//! positions. Written as a negamax: inside, scores are the mover's, and they turn round where the
//! mover changes, not at every ply, for the same side may move twice in a row.
//! Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975; fail-soft after John
//! Fishburn, "Another Optimization of Alpha-Beta Search", 1983.

use super::outcome::{Outcome, Searched};
use super::pass::{Found, Task};
use super::proof::{Proof, prove};
use super::visits::{Hearer, OPEN};
use super::walk::{Arrival, Walk, Walked};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with cuts; where estimates were met, a proof tells whether they matter.
///
/// Costs at worst one visit of every position, at best about the square root of that. The proof
/// visits positions again, and perhaps some that were cut off, and errs as the search does.
pub(super) fn search<G: Game, H: Heuristic<G>>(task: &Task<'_, G, H>) -> Searched<Outcome<G::Move>, G> {
    told(task, None)
}

/// The same, told to `hear`.
pub(super) fn told<G: Game, H: Heuristic<G>>(
    task: &Task<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Searched<Outcome<G::Move>, G> {
    let mut walk = task.walk();
    let walked = tree(&mut walk, task, hear);
    let found = Found::gather(walk, walked, |root: Node| root.score())?;
    let proof = match found.value {
        Some(value) if !found.stopped && found.horizons > 0 => prove(task, value)?,
        // Cuts hold whatever lies behind them, so a value from finished games alone is exact.
        _ => Proof::at_once(!found.stopped),
    };
    Ok(found.outcome(task.depth, proof, |value| value))
}

/// The scores that still matter: those above `alpha` and below `beta`.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// Everything that a position with moves to make can be worth: nobody has won in it yet.
    const OPEN: Window = Window { alpha: Score::Loss { plies: 0 }, beta: Score::Win { plies: 0 } };

    /// The same window from Max's to `side`'s point of view, or back.
    fn seen_by(self, side: Side) -> Window {
        match side {
            Side::Max => self,
            Side::Min => Window { alpha: -self.beta, beta: -self.alpha },
        }
    }
}

/// An open position. Its scores are the mover's.
struct Node {
    mover: Side,
    window: Window,
    best: Option<Score>,
}

impl Node {
    /// Takes in a child's score for Max; true where it beats those of all children before it.
    ///
    /// Only on strictly greater: a child that was cut off at the best score so far gives a bound
    /// equal to it, and is perhaps worth less. Taking it too gives wrong moves, if right values.
    fn fold(&mut self, score_for_max: Score) -> bool {
        let score = score_for_max.seen_by(self.mover);
        let improves = self.best.is_none_or(|best| score > best);
        if improves {
            self.best = Some(score);
        }
        improves
    }

    /// Whether the other side will not let play come here, so that the other moves do not matter.
    fn is_cut(&self) -> bool {
        self.best.is_some_and(|best| best >= self.window.beta)
    }

    /// The best score so far, for Max. Inside the window it is right; at or below alpha it is an
    /// upper bound of the value, at or above beta a lower one.
    fn score(&self) -> Option<Score> {
        self.best.map(|best| best.seen_by(self.mover))
    }

    /// What still matters below this position, from Max's point of view. Fail-soft: the best score
    /// may lie below alpha, which then stays the lower end.
    fn window_below(&self) -> Window {
        let alpha = self.best.map_or(self.window.alpha, |best| best.max(self.window.alpha));
        debug_assert!(alpha < self.window.beta, "a window without scores was cut off before");
        Window { alpha, ..self.window }.seen_by(self.mover)
    }
}

/// Walks from the root through every position that matters and back to the root.
fn tree<G: Game, H: Heuristic<G>>(
    walk: &mut Walk<'_, G, Node>,
    task: &Task<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Walked<Score, G> {
    loop {
        let mut done = match walk.arrive()? {
            Arrival::Inner(mover) => {
                let window = walk.top().map_or(Window::OPEN, |above| above.window_below());
                walk.tell_in(hear, |_| (window.alpha, window.beta));
                let node = Node { mover, window: window.seen_by(mover), best: None };
                walk.open_best_first(task.heuristic, node)?;
                None
            }
            Arrival::Chance => return walk.by_chance(),
            Arrival::Leaf(leaf) => {
                let below = |above: &Node| above.window_below();
                walk.tell_in(hear, |above| above.map(below).map_or(OPEN, |window| (window.alpha, window.beta)));
                let score = walk.worth(task.heuristic, leaf)?;
                walk.tell_leaf(hear, score);
                Some(score)
            }
        };
        loop {
            let mut cut = false;
            if let Some(score) = done {
                let Some(node) = walk.top() else {
                    return Ok(score);
                };
                let improves = node.fold(score);
                cut = node.is_cut();
                if improves {
                    walk.keep_line();
                }
            }
            if !cut && walk.next_child()? {
                break;
            }
            walk.tell_out(hear, Node::score);
            done = walk.close().score();
        }
    }
}
