//! The search of one player of a match, with the advice level of its settings.
//!
//! It takes a player and the game with its position history. It returns the result of the search.

use super::contest::MatchPlayer;
use super::value::narrowing;
use super::{Failure, SessionResult};
use alphorn_lab::arena::history::{WithHistory, WithoutHistory};
use alphorn_rules::rules::advising::RulePruning;
use alphorn_rules::rules::evaluation::AdvisedEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::advice::filter::{FilteredEvaluation, FilteredGame, MoveFilter};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{SearchError, SearchResult};
use alphorn_search::search::{self, SearchSettings};
use std::sync::atomic::AtomicBool;

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
