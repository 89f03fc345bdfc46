//! Cases of solved positions: of each two moves of different worth, the better one and the worse one.

use super::fitting::{Case, FitData, Fitted};
use super::reply::MoveOrder;
use crate::protocol::data::rounded;
use alphorn_search::game::Side;
use alphorn_session::session::tuning::solved::SolvedParent;

/// One in so many positions is held out.
const HELD: usize = 5;

/// The greatest number of pairs of moves of one position.
const PAIRS: usize = 30;

/// The successors of a solved position, as indices into the positions, with their values for the mover.
struct Ordered {
    sign: f64,
    successors: Vec<(usize, f64)>,
    held_out: bool,
}

/// The cases of solved positions.
pub(super) struct SolvedData {
    pub(super) data: FitData,
    parents: Vec<Ordered>,
}

impl SolvedData {
    pub(super) fn new(found: Vec<SolvedParent>) -> SolvedData {
        let mut data = FitData { positions: Vec::new(), cases: Vec::new() };
        let mut parents = Vec::new();
        for (number, parent) in found.into_iter().enumerate() {
            let sign = if parent.side == Side::Max { 1.0 } else { -1.0 };
            let held_out = number % HELD == HELD - 1;
            let mut successors = Vec::new();
            for (position, value) in parent.successors {
                successors.push((data.positions.len(), sign * value));
                data.positions.push(position);
            }
            let pairs = pairs(&successors).into_iter().take(PAIRS);
            data.cases.extend(pairs.map(|(better, worse)| Case {
                better,
                worse: Some(worse),
                sign,
                result: 1.0,
                held_out,
            }));
            parents.push(Ordered { sign, successors, held_out });
        }
        SolvedData { data, parents }
    }

    /// How the evaluations order the moves of the positions that were held out.
    pub(super) fn order(&self, fitted: &Fitted) -> MoveOrder {
        let held: Vec<&Ordered> = self.parents.iter().filter(|parent| parent.held_out).collect();
        let [(pairs_start, best_start), (pairs_end, best_end)] =
            [0, 1].map(|at| shares(&held, &fitted.evaluations[at]));
        MoveOrder {
            positions: held.len(),
            pairs_start: rounded(pairs_start),
            pairs_end: rounded(pairs_end),
            best_start: rounded(best_start),
            best_end: rounded(best_end),
        }
    }
}

/// The pairs of a better and a worse successor.
fn pairs(successors: &[(usize, f64)]) -> Vec<(usize, usize)> {
    let of = |(better, value): &(usize, f64)| {
        let (better, value) = (*better, *value);
        successors.iter().filter(move |(_, worse)| *worse < value).map(move |(worse, _)| (better, *worse))
    };
    successors.iter().flat_map(of).collect()
}

/// The share of the pairs in the right order, and of the positions whose best move is optimal. Equal
/// evaluations count a part.
fn shares(parents: &[&Ordered], evaluations: &[f64]) -> (f64, f64) {
    let (mut right, mut all, mut best) = (0.0, 0.0, 0.0);
    for Ordered { sign, successors, .. } in parents {
        let value = |at: usize| sign * evaluations[at];
        for (better, worse) in pairs(successors) {
            let gain = value(better) - value(worse);
            right += if gain > 0.0 { 1.0 } else { 0.5 * f64::from(u8::from(gain == 0.0)) };
            all += 1.0;
        }
        let most = successors.iter().map(|(at, _)| value(*at)).fold(f64::NEG_INFINITY, f64::max);
        let optimal = successors.iter().map(|(_, worth)| *worth).fold(f64::NEG_INFINITY, f64::max);
        let chosen: Vec<bool> =
            successors.iter().filter(|(at, _)| value(*at) == most).map(|(_, worth)| *worth == optimal).collect();
        best += chosen.iter().filter(|right| **right).count() as f64 / chosen.len().max(1) as f64;
    }
    (right / f64::max(all, 1.0), best / (parents.len().max(1) as f64))
}
