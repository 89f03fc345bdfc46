//! The choice of the child to visit next.

use super::{Growing, MctsNode};
use crate::game::{Game, Heuristic, ToMove, drawn_by};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// How much worse than its parent an unvisited node is taken to be, as a share of the width of the values
/// ("first-play urgency", Sylvain Gelly and Yizao Wang, 2006): a node may be visited twice before all its
/// siblings have been.
const UNTRIED: f64 = 0.3;

impl<G: Game, H: Heuristic<G>> Growing<'_, G, H> {
    /// The child to visit next: that with the best confidence bound of those whose value is not proved yet. In a
    /// position of chance, a random one.
    pub(super) fn choose(&self, at: usize, random: &mut Xoshiro256PlusPlus) -> usize {
        let node = &self.nodes[at];
        let sign = match node.turn {
            Some(ToMove::Max) => 1.0,
            Some(ToMove::Min) => -1.0,
            _ => return node.first + drawn_by(&node.weights, random.random_range(0..node.weights.iter().sum())),
        };
        let width = self.scale.width();
        let log = f64::from(node.visits + 1).ln();
        let unknown = match self.policy.tries_all {
            true => f64::INFINITY,
            false => sign * node.mean() - UNTRIED * width,
        };
        let mut best = (node.first, f64::NEG_INFINITY);
        for child in node.children().filter(|child| self.nodes[*child].proven.is_none()) {
            let bound = self.bound(&self.nodes[child], (sign, unknown), self.policy.explore * width, log);
            if bound > best.1 {
                best = (child, bound);
            }
        }
        best.0
    }

    /// The upper confidence bound of a child's value, for the player to move.
    fn bound(&self, child: &MctsNode<G>, (sign, unknown): (f64, f64), explore: f64, log: f64) -> f64 {
        let visits = f64::from(child.visits);
        if self.policy.weighs {
            // The evaluation counts as one visit.
            let mean = (child.own + child.sum) / (1.0 + visits);
            let value = (1.0 - self.policy.minimax) * mean + self.policy.minimax * child.implicit;
            return sign * value + explore * (log / (1.0 + visits)).sqrt();
        }
        let value = if child.visits == 0 { unknown } else { sign * child.mean() };
        value + explore * (log / visits.max(1.0)).sqrt()
    }
}
