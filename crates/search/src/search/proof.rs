//! The exactness proof: whether a value holds for any true values of the horizon positions.
//!
//! It takes the value of a search with estimates. It answers yes, with a line that does not rest on
//! estimates, or no. It uses no heuristic at the horizon: a position there may have any value that
//! the game allows. It searches with two null windows at once, one on each side of the value. It
//! must not depend on how the value was found.

use super::iteration::{ExactnessProof, IterationResult, IterationTask};
use super::result::{Searched, Walked};
use super::stack::{Arrival, SearchStack};
use crate::game::{Game, Heuristic, Score, Side};

/// Proves whether `value`, found by a search of the same task, is exact. Errs as searches do.
///
/// Costs as much as an alpha-beta search, and ends as soon as one estimate matters.
pub(super) fn prove<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    value: Score,
) -> Searched<ExactnessProof<G::Move>, G> {
    let mut walk = task.walk();
    let walked = tree(&mut walk, task, value);
    let found = IterationResult::gather(walk, walked, |_| None)?;
    let exact = found.value.is_some_and(|claims| claims.at_least && claims.at_most);
    Ok(ExactnessProof::from_pass(found, exact))
}

/// Two claims about a position, proved or to be proved for any estimates: its value is at least, and
/// at most, the tested value.
#[derive(Clone, Copy)]
struct Claims {
    at_least: bool,
    at_most: bool,
}

impl Claims {
    /// Converts claims from Max's point of view to that of `side`, or back.
    fn seen_by(self, side: Side) -> Claims {
        match side {
            Side::Max => self,
            Side::Min => Claims { at_least: self.at_most, at_most: self.at_least },
        }
    }
}

/// An open position. Its claims are from the mover's point of view.
struct ProofNode {
    mover: Side,
    asked: Claims,
    /// Some move gives the mover at least the tested value.
    reached: bool,
    /// Some move may give the mover more than the tested value.
    exceeded: bool,
}

impl ProofNode {
    /// The claims still undecided.
    fn open_question(&self) -> Claims {
        Claims { at_least: self.asked.at_least && !self.reached, at_most: self.asked.at_most && !self.exceeded }
    }

    /// Updates the node with the claims of a successor, for Max; true if it is the first that gives
    /// the mover the value. Only undecided claims count: a successor does not answer others.
    fn fold(&mut self, child: Claims) -> bool {
        let child = child.seen_by(self.mover);
        let question = self.open_question();
        let first_to_reach = question.at_least && child.at_least;
        self.reached |= first_to_reach;
        self.exceeded |= question.at_most && !child.at_most;
        first_to_reach
    }

    /// Whether the other moves do not matter; at the root one failed claim is enough.
    fn is_cut(&self, is_root: bool) -> bool {
        let question = self.open_question();
        !question.at_least && !question.at_most || is_root && self.exceeded
    }

    /// The proved claims after all moves, for Max.
    fn claims(&self) -> Claims {
        Claims { at_least: self.reached, at_most: !self.exceeded }.seen_by(self.mover)
    }
}

/// Searches every position that matters; returns the claims of the root.
fn tree<G: Game, H: Heuristic<G>>(
    walk: &mut SearchStack<'_, G, ProofNode>,
    task: &IterationTask<'_, G, H>,
    value: Score,
) -> Walked<Claims, G> {
    let both = Claims { at_least: true, at_most: true };
    loop {
        let mut done = match walk.arrive()? {
            Arrival::Inner(mover) => {
                let asked = walk.top().map_or(both, |above| above.open_question().seen_by(above.mover));
                let node = ProofNode { mover, asked: asked.seen_by(mover), reached: false, exceeded: false };
                walk.open_best_first(task.heuristic, node)?;
                None
            }
            Arrival::Chance => return walk.by_chance(),
            Arrival::Leaf(leaf) => {
                let (least, greatest) = walk.range(task.heuristic, leaf)?;
                Some(Claims { at_least: least >= value, at_most: greatest <= value })
            }
        };
        loop {
            let mut cut = false;
            if let Some(claims) = done {
                let is_root = walk.ply() == 1;
                let Some(node) = walk.top() else {
                    return Ok(claims);
                };
                let keep = node.fold(claims);
                cut = node.is_cut(is_root);
                if keep {
                    walk.keep_line();
                }
            }
            if !cut && walk.next_child()? {
                break;
            }
            done = Some(walk.close().claims());
        }
    }
}
