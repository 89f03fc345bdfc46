//! Proof: whether a value holds whatever the positions at the horizon are truly worth.
//!
//! In: a value that a search with estimates came to. Out: yes, with a line of play that owes
//! nothing to estimates, or no. No heuristic is asked at the horizon: there a position may be worth
//! anything that the game allows. Works like alpha-beta in two null windows at once, one on either
//! side of the value. Must not know how the value was found.

use super::iteration::{IterationResult, IterationTask};
use super::result::{LineEnd, Searched};
use super::stack::{Arrival, SearchStack, Walked};
use crate::game::{Game, Heuristic, Score, Side};

/// Whether a value is exact, and what it took to find out.
pub(super) struct ExactnessProof<M> {
    /// No estimate can change the value.
    pub(super) exact: bool,
    /// A line that owes nothing to estimates, and its end, to stand in for the one found first.
    pub(super) line: Option<(Vec<M>, Option<LineEnd>)>,
    /// Positions visited for the proof.
    pub(super) nodes: u64,
    /// The proof was cut short, and nothing is proved.
    pub(super) stopped: bool,
}

impl<M> ExactnessProof<M> {
    /// Known without looking again.
    pub(super) fn at_once(exact: bool) -> ExactnessProof<M> {
        ExactnessProof { exact, line: None, nodes: 0, stopped: false }
    }

    /// What a pass proved, given whether the value turned out exact.
    pub(super) fn from_pass<V>(found: IterationResult<V, M>, exact: bool) -> ExactnessProof<M> {
        let exact = exact && !found.stopped;
        ExactnessProof {
            exact,
            line: exact.then_some((found.line, found.end)),
            nodes: found.nodes,
            stopped: found.stopped,
        }
    }
}

/// Whether `value`, which a search of the same task came to, is exact. Errs as searches do.
///
/// Costs like an alpha-beta search, and ends as soon as one estimate is seen to matter.
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

/// What can be claimed of a position whatever the estimates, or is asked about it: that it is worth
/// at least, and at most, the value on trial.
#[derive(Clone, Copy)]
struct Claims {
    at_least: bool,
    at_most: bool,
}

impl Claims {
    /// The same claims from Max's to `side`'s point of view, or back.
    fn seen_by(self, side: Side) -> Claims {
        match side {
            Side::Max => self,
            Side::Min => Claims { at_least: self.at_most, at_most: self.at_least },
        }
    }
}

/// An open position. Its claims are the mover's.
struct Node {
    mover: Side,
    asked: Claims,
    /// Some move gives the mover at least the value.
    reached: bool,
    /// Some move may give the mover more than the value.
    exceeded: bool,
}

impl Node {
    /// What is still to be found out. A claim that is decided is not asked again.
    fn open_question(&self) -> Claims {
        Claims { at_least: self.asked.at_least && !self.reached, at_most: self.asked.at_most && !self.exceeded }
    }

    /// Takes in what can be claimed of a child, for Max; true where it is the first that gives the
    /// mover the value. What was not asked is not answered, so only open questions count.
    fn fold(&mut self, child: Claims) -> bool {
        let child = child.seen_by(self.mover);
        let question = self.open_question();
        let first_to_reach = question.at_least && child.at_least;
        self.reached |= first_to_reach;
        self.exceeded |= question.at_most && !child.at_most;
        first_to_reach
    }

    /// Whether the other moves do not matter; at the root one claim that fails is enough.
    fn is_cut(&self, is_root: bool) -> bool {
        let question = self.open_question();
        !question.at_least && !question.at_most || is_root && self.exceeded
    }

    /// What can be claimed when the moves are done with, for Max.
    fn claims(&self) -> Claims {
        Claims { at_least: self.reached, at_most: !self.exceeded }.seen_by(self.mover)
    }
}

/// Walks from the root through every position that matters and back to the root.
fn tree<G: Game, H: Heuristic<G>>(
    walk: &mut SearchStack<'_, G, Node>,
    task: &IterationTask<'_, G, H>,
    value: Score,
) -> Walked<Claims, G> {
    let both = Claims { at_least: true, at_most: true };
    loop {
        let mut done = match walk.arrive()? {
            Arrival::Inner(mover) => {
                let asked = walk.top().map_or(both, |above| above.open_question().seen_by(above.mover));
                let node = Node { mover, asked: asked.seen_by(mover), reached: false, exceeded: false };
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
