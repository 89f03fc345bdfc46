//! What library predicates keep while a goal runs, beside its terms.

use crate::term::pack::Packed;

/// Data that survive backtracking until the end of the evaluation.
#[derive(Default)]
pub struct ScratchData {
    /// A counter.
    pub count: u64,
    /// A set of terms.
    pub met: rustc_hash::FxHashSet<Packed>,
    /// A list of terms, in order.
    pub kept: Vec<Packed>,
}
