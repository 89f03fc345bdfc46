//! The options of a search beside its limits.

use super::chance::backup::Backup;
use super::engine::table::TranspositionTable;
use super::result::Iteration;
use super::sample::flat::GAMES;
use super::sample::mcts::TreeGrowth;

/// The function that receives each finished iteration of a deepening search.
pub type IterationObserver<'a, M> = &'a dyn Fn(&Iteration<M>);

/// The options of a search beside its limits.
pub struct SearchSettings<'a, M> {
    /// How many of the best moves to report with lines, at least one; only `auto` reports several.
    pub lines: usize,
    /// The transposition table; without one a search creates its own. Share a table only between
    /// searches with the same game, heuristic, backup and `heuristic` flag.
    pub table: Option<&'a TranspositionTable>,
    /// Whether `auto` may use extensions, reductions and null moves: its value is then an estimate.
    pub heuristic: bool,
    /// A seed to shuffle the root moves of `auto`, which may then choose another of equal moves.
    pub seed: Option<u64>,
    /// Called after every depth that `auto` finishes.
    pub report: Option<IterationObserver<'a, M>>,
    /// The value of chance positions.
    pub backup: &'a Backup,
    /// How many random games to play, in the algorithms that do.
    pub games: u64,
    /// How Monte Carlo tree search grows its tree.
    pub growth: TreeGrowth,
}

impl<M> Default for SearchSettings<'_, M> {
    fn default() -> Self {
        SearchSettings {
            lines: 1,
            table: None,
            heuristic: false,
            seed: None,
            report: None,
            backup: &Backup::MEAN,
            games: GAMES,
            growth: TreeGrowth::default(),
        }
    }
}
