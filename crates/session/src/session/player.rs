//! One player of a match: its settings, and its search with the advice level of the settings.
//!
//! The search takes a player and the game with its position history. It returns the result of the search.

use super::value::narrowing;
use super::{Failure, LONGEST_LINE, Session, SessionResult};
use alphorn_lab::arena::alarm::Alarm;
use alphorn_lab::arena::clock::TimeControl;
use alphorn_lab::arena::history::{WithHistory, WithoutHistory};
use alphorn_rules::rules::advising::RulePruning;
use alphorn_rules::rules::evaluation::AdvisedEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::advice::filter::{FilteredEvaluation, FilteredGame, MoveFilter};
use alphorn_search::search::chance::backup::Backup;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{SearchError, SearchResult};
use alphorn_search::search::sample::mcts::TreeGrowth;
use alphorn_search::search::{self, Algorithm, SearchSettings};
use std::sync::atomic::AtomicBool;

/// An engine that is not part of Alphorn: its command and its options.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalEngine {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The options to set: names and values.
    pub options: Vec<(String, String)>,
}

/// The settings of one player.
pub struct MatchPlayer {
    /// The name, for messages.
    pub name: String,
    /// The player's own rules; `None` if it uses those that judge.
    pub own: Option<Session>,
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// The bytes of the transposition table, if the algorithm has one.
    pub hash: u64,
    /// The seed that shuffles the moves at the root.
    pub seed: Option<u64>,
    /// Shuffles the first moves of every search, by this seed and the position, so that equal moves vary.
    pub shuffle: Option<u64>,
    /// Whether the search may skip moves that are unlikely to matter.
    pub heuristic: bool,
    /// The advice level.
    pub advice: AdviceLevel,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of visited positions for a move.
    pub nodes: Option<u64>,
    /// The time for a move in seconds.
    pub time: Option<f64>,
    /// The time for all moves of a game, in place of a time for each.
    pub clock: Option<TimeControl>,
    /// The backup rule for chance moves.
    pub backup: Backup,
    /// The maximum number of playouts for a move.
    pub games: u64,
    /// How Monte Carlo tree search grows its tree.
    pub growth: TreeGrowth,
    /// The engine that plays in place of a search; it heeds the limits of depth, positions and time.
    pub engine: Option<ExternalEngine>,
}

impl MatchPlayer {
    /// Whether the moves depend on the speed of the machine.
    pub fn depends_on_time(&self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }

    /// The settings of a search for one move.
    pub(super) fn settings(&self) -> SearchSettings<'_, RuleMove> {
        SearchSettings {
            heuristic: self.heuristic,
            seed: self.seed,
            backup: &self.backup,
            games: self.games,
            growth: self.growth,
            ..SearchSettings::default()
        }
    }

    /// The limits of a search for one move.
    pub(super) fn limits<'a>(&self, alarm: &'a Alarm) -> Limits<'a> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            timed: self.depends_on_time(),
            longest: Some(LONGEST_LINE),
            stop: Some(alarm.flag()),
            progress: None,
        }
    }
}

/// Applies the pruning of rules to a game with a position history.
struct HistoryPruning(RulePruning);

impl MoveFilter<WithHistory<'_, RuleGame>> for HistoryPruning {
    fn narrow(
        &self,
        past: &WithHistory<'_, RuleGame>,
        state: &Position,
        moves: &mut Vec<RuleMove>,
        first: usize,
    ) -> Result<bool, RuleFault> {
        self.0.narrow(past.game(), state, moves, first)
    }
}

/// Searches with a player's settings and advice level.
pub(super) fn think(
    player: &MatchPlayer,
    past: &WithHistory<'_, RuleGame>,
    state: &Position,
    limits: &Limits<'_>,
    settings: &SearchSettings<'_, RuleMove>,
    told: &dyn Fn(SearchError<RuleFault, RuleMove>) -> Failure,
) -> SessionResult<SearchResult<RuleMove>> {
    let advised = AdvisedEval { heeds: player.advice != AdviceLevel::Off };
    let opinion = WithoutHistory(&advised);
    let narrowing = narrowing(past.game(), state, (player.advice, player.heuristic, player.algorithm));
    match narrowing.map_err(|fault| told(SearchError::Fault { fault, line: Vec::new() }))? {
        None => search::search_with(player.algorithm, past, &opinion, state, limits, settings).map_err(told),
        Some((narrow, plies)) => {
            let cut = AtomicBool::new(false);
            let game = FilteredGame { game: past, narrow: HistoryPruning(narrow), cut: &cut };
            let state = (state.clone(), plies);
            let found =
                search::search_with(player.algorithm, &game, &FilteredEvaluation(&opinion), &state, limits, settings);
            let found = found.map_err(told)?;
            // A table that is kept between moves may hold values of a search that left out other moves.
            Ok(SearchResult { exact: false, ..found })
        }
    }
}
