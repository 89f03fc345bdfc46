//! The update of a node from its children: proved values, and the minimax value of the evaluations.

use super::Growing;
use crate::game::{Game, Heuristic, Side, ToMove};
use std::cmp::Ordering;

impl<G: Game, H: Heuristic<G>> Growing<'_, G, H> {
    /// Updates a node from its children.
    pub(super) fn settle(&mut self, at: usize) {
        let node = &self.nodes[at];
        let (Some(turn), false) = (node.turn, node.moves.is_empty() || node.proven.is_some()) else { return };
        let all_proven = node.children().all(|child| self.nodes[child].proven.is_some());
        let (mut settled, mut floor) = ((None, None), None);
        match turn.side() {
            None if all_proven => settled.0 = Some(self.average(at, |child| self.nodes[child].mean())),
            None => {}
            Some(side) => {
                if let Some((rank, value, child)) = self.best_proven(at, side) {
                    floor = Some(value);
                    if all_proven || rank == 1 || self.scale.is_best(value, side) {
                        settled = (self.nodes[child].proven, self.nodes[child].won);
                    }
                }
            }
        }
        let implicit = if self.policy.weighs { self.implicit(at, turn) } else { 0.0 };
        let node = &mut self.nodes[at];
        ((node.proven, node.won), node.floor) = (settled, floor);
        node.implicit = node.proven.unwrap_or(implicit);
    }

    /// The proved child that is best for a side. A win ranks above every number, and every number above
    /// a loss.
    fn best_proven(&self, at: usize, side: Side) -> Option<(i32, f64, usize)> {
        let sign = if side == Side::Max { 1.0 } else { -1.0 };
        let ranked = self.nodes[at].children().filter_map(|child| {
            let node = &self.nodes[child];
            let won = node.won.map_or(0, |winner| if winner == side { 1 } else { -1 });
            Some((won, node.proven?, child))
        });
        let order = |left: &(i32, f64, usize), right: &(i32, f64, usize)| -> Ordering {
            left.0.cmp(&right.0).then((sign * left.1).total_cmp(&(sign * right.1)))
        };
        ranked.max_by(order)
    }

    /// The mean of the children of a chance node, by their weights.
    fn average(&self, at: usize, value: impl Fn(usize) -> f64) -> f64 {
        let node = &self.nodes[at];
        let total = node.weights.iter().sum::<u64>() as f64;
        node.children().zip(&node.weights).map(|(child, weight)| *weight as f64 * value(child)).sum::<f64>() / total
    }

    /// The minimax value of the evaluations of the children.
    fn implicit(&self, at: usize, turn: ToMove) -> f64 {
        let values = self.nodes[at].children().map(|child| self.nodes[child].implicit);
        match turn {
            ToMove::Max => values.fold(f64::NEG_INFINITY, f64::max),
            ToMove::Min => values.fold(f64::INFINITY, f64::min),
            _ => self.average(at, |child| self.nodes[child].implicit),
        }
    }
}
