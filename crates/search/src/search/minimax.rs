//! Minimax: visits every position once and prunes nothing. It is the oracle of every test.
//!
//! Every position has its value, and the least and greatest value that it could have if the
//! estimates at the horizon were wrong. If the three are equal at the root, the value is exact.
//! Minimax must not use alpha or beta. Claude Shannon, "Programming a Computer for Playing Chess",
//! 1950.

use super::iteration::{ExactnessProof, IterationResult, IterationTask};
use super::result::{SearchResult, Searched, Walked};
use super::stack::{Arrival, SearchStack};
use super::visits::{OPEN, VisitObserver};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches the whole tree, and again if the value is exact in spite of estimates, for a line that
/// does not rest on them. Visits every position once or twice.
pub(super) fn search<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    let found = pass(task, Line::OfValue, hear)?;
    let proof = match found.value {
        // Of moves with the same value, the first may have it only by an estimate.
        Some(bracket) if !found.stopped && bracket.is_exact() && found.horizons > 0 => {
            ExactnessProof::from_pass(pass(task, Line::Certain(bracket.value), None)?, true)
        }
        Some(bracket) => ExactnessProof::at_once(!found.stopped && bracket.is_exact()),
        None => ExactnessProof::at_once(false),
    };
    Ok(found.outcome(task.depth, proof, |bracket| bracket.value))
}

/// The value of a position and its bounds, for Max.
#[derive(Clone, Copy)]
struct Bracket {
    /// The value according to the estimates.
    value: Score,
    /// The least possible value, whatever the estimates.
    least: Score,
    /// The greatest possible value, whatever the estimates.
    greatest: Score,
}

impl Bracket {
    /// Whether no estimate can change the value.
    fn is_exact(&self) -> bool {
        self.least == self.value && self.value == self.greatest
    }
}

/// Which line an iteration returns.
#[derive(Clone, Copy)]
enum Line {
    /// The line of the first move with the best value.
    OfValue,
    /// The line of the first move that gives the player to move this score, whatever the estimates.
    Certain(Score),
}

/// An open position: the player to move and the best of the successors so far.
struct MinimaxNode {
    mover: Side,
    best: Option<Bracket>,
}

impl MinimaxNode {
    /// Updates the node with a successor; true if `line` should now begin with its move.
    fn fold(&mut self, child: Bracket, line: Line) -> bool {
        let certain = |child: Bracket, score| match self.mover {
            Side::Max => child.least >= score,
            Side::Min => child.greatest <= score,
        };
        let Some(best) = &mut self.best else {
            self.best = Some(child);
            return match line {
                Line::OfValue => true,
                Line::Certain(score) => certain(child, score),
            };
        };
        let reaches_first = match line {
            Line::OfValue => false,
            Line::Certain(score) => certain(child, score) && !certain(*best, score),
        };
        let is_better = improves(self.mover, &mut best.value, child.value);
        improves(self.mover, &mut best.least, child.least);
        improves(self.mover, &mut best.greatest, child.greatest);
        is_better && matches!(line, Line::OfValue) || reaches_first
    }
}

/// Sets `best` to the better score for `mover`; true if the new score is strictly better.
fn improves(mover: Side, best: &mut Score, new: Score) -> bool {
    let order = match mover {
        Side::Max => new.cmp(best),
        Side::Min => (*best).cmp(&new),
    };
    if order.is_gt() {
        *best = new;
    }
    order.is_gt()
}

/// Visits every position once.
fn pass<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    line: Line,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Searched<IterationResult<Bracket, G::Move>, G> {
    let mut walk = task.walk();
    let walked = tree(&mut walk, task, line, hear);
    IterationResult::gather(walk, walked, |root: MinimaxNode| root.best)
}

/// Searches every position from the root; returns the values of the root.
fn tree<G: Game, H: Heuristic<G>>(
    walk: &mut SearchStack<'_, G, MinimaxNode>,
    task: &IterationTask<'_, G, H>,
    line: Line,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Walked<Bracket, G> {
    loop {
        let mut done = match walk.arrive()? {
            Arrival::Inner(mover) => {
                walk.tell_in(hear, |_| OPEN);
                walk.open(MinimaxNode { mover, best: None })?;
                None
            }
            Arrival::Chance => return walk.by_chance(),
            Arrival::Leaf(leaf) => {
                walk.tell_in(hear, |_| OPEN);
                let value = walk.worth(task.heuristic, leaf)?;
                walk.tell_leaf(hear, value);
                let (least, greatest) = match leaf.is_certain() {
                    true => (value, value),
                    false => walk.range_beyond(),
                };
                Some(Bracket { value, least, greatest })
            }
        };
        loop {
            if let Some(child) = done {
                let Some(node) = walk.top() else {
                    return Ok(child);
                };
                if node.fold(child, line) {
                    walk.keep_line();
                }
            }
            if walk.next_child()? {
                break;
            }
            walk.tell_out(hear, |node| node.best.map(|best| best.value));
            done = walk.close().best;
        }
    }
}
