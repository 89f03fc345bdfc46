//! Minimax: every position once, nothing pruned; slow, plainly right, the oracle of every test.
//!
//! In: a game, a heuristic, a position, limits. Out: an outcome.
//! Every position carries its value and the least and greatest value it could have if the
//! estimates at the horizon were wrong; where the three are one at the root, the value is exact.
//! Must not know alpha or beta. Claude Shannon, "Programming a Computer for Playing Chess", 1950.

use super::iteration::{IterationResult, IterationTask};
use super::proof::ExactnessProof;
use super::result::{SearchResult, Searched};
use super::stack::{Arrival, SearchStack, Walked};
use super::visits::{Hearer, OPEN};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches the whole tree; where the value is exact although there were estimates, once more for
/// a line that owes nothing to them. Costs one visit of every position, or two.
pub(super) fn search<G: Game, H: Heuristic<G>>(task: &IterationTask<'_, G, H>) -> Searched<SearchResult<G::Move>, G> {
    told(task, None)
}

/// The same, its first visits told to `hear`.
pub(super) fn told<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    let found = pass(task, Line::OfValue, hear)?;
    let proof = match found.value {
        // Among moves of the same value the first may owe it to an estimate.
        Some(bracket) if !found.stopped && bracket.is_exact() && found.horizons > 0 => {
            ExactnessProof::from_pass(pass(task, Line::Certain(bracket.value), None)?, true)
        }
        Some(bracket) => ExactnessProof::at_once(!found.stopped && bracket.is_exact()),
        None => ExactnessProof::at_once(false),
    };
    Ok(found.outcome(task.depth, proof, |bracket| bracket.value))
}

/// What is known of a position, from Max's point of view.
#[derive(Clone, Copy)]
struct Bracket {
    /// The value, estimates taken at their word.
    value: Score,
    /// The least value it can truly have.
    least: Score,
    /// The greatest value it can truly have.
    greatest: Score,
}

impl Bracket {
    /// Whether no estimate can change the value.
    fn is_exact(&self) -> bool {
        self.least == self.value && self.value == self.greatest
    }
}

/// Which line a pass is to bring home.
#[derive(Clone, Copy)]
enum Line {
    /// The first of the moves that give the best value.
    OfValue,
    /// The first of the moves that give the mover this score whatever the estimates.
    Certain(Score),
}

/// An open position: who moves, and the best of the children seen so far.
struct Node {
    mover: Side,
    best: Option<Bracket>,
}

impl Node {
    /// Takes a child in; true where it is better than all children before it in what `line` is
    /// after.
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

/// Makes `best` the better of two scores for `mover`; true where the new one is strictly better.
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

/// One visit of every position.
fn pass<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    line: Line,
    hear: Option<Hearer<'_, G::State>>,
) -> Searched<IterationResult<Bracket, G::Move>, G> {
    let mut walk = task.walk();
    let walked = tree(&mut walk, task, line, hear);
    IterationResult::gather(walk, walked, |root: Node| root.best)
}

/// Walks from the root through every position and back to the root.
fn tree<G: Game, H: Heuristic<G>>(
    walk: &mut SearchStack<'_, G, Node>,
    task: &IterationTask<'_, G, H>,
    line: Line,
    hear: Option<Hearer<'_, G::State>>,
) -> Walked<Bracket, G> {
    loop {
        let mut done = match walk.arrive()? {
            Arrival::Inner(mover) => {
                walk.tell_in(hear, |_| OPEN);
                walk.open(Node { mover, best: None })?;
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
