//! Whether a value found with a table is exact, within limits that fit the search.

use super::decide::holds_for_all_estimates;
use crate::game::{Game, Heuristic, Score};
use crate::search::iteration::{ExactnessProof, IterationTask};
use crate::search::limits::{Limits, Meter};
use crate::search::proof::prove;
use crate::search::result::Searched;

/// The nodes of a search from which on tests of whether its value is exact pay off.
const TESTED: u64 = 1 << 17;

/// The part of the nodes of a search that may go into tests of whether its value is exact.
const TESTS: u64 = 10;

/// Proves whether estimates matter to a value, after a search of so many nodes.
///
/// Threshold tests come before a long proof. The proof is limited to about the nodes of the search, because it uses no
/// table.
pub(super) fn prove_within<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    value: Score,
    searched: u64,
) -> Searched<ExactnessProof<G::Move>, G> {
    let enough = searched.max(1 << 12);
    let left = task.meter.left();
    let (tested, nodes) = match (value, task.depth) {
        (Score::Value(_), Some(depth)) if searched >= TESTED => {
            holds_for_all_estimates(task, (value.rank(), depth), (enough / TESTS).min(left))?
        }
        _ => (Some(true), 0),
    };
    let left = left - nodes;
    let limits = Limits { nodes: Some(enough.min(left)), ..*task.meter.limits() };
    let meter = Meter::new(&limits);
    let proof = match tested {
        Some(true) => prove(&IterationTask { meter: &meter, ..*task }, value)?,
        answer => ExactnessProof { stopped: answer.is_none(), ..ExactnessProof::at_once(false) },
    };
    let stopped = proof.stopped && (left <= enough || task.meter.is_stopped());
    Ok(ExactnessProof { stopped, nodes: nodes + proof.nodes, ..proof })
}
