//! A game looked over: by random play, and by different attitudes to risk.
//!
//! In: a game, a position, how many games, or which backups. Out: counts, and best moves.

use super::{Done, SearchOptions, Session};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::game::Game;
use alphorn_search::search::HelperThreads;
use alphorn_search::search::chance::backup::Backup;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchResult;
use alphorn_search::search::sample::survey::{Survey, survey};
use alphorn_text::report::Problem;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl Session {
    /// What random games from a position show.
    pub fn survey(
        &self,
        game: &RuleGame,
        state: &Position,
        (games, seed, threads): (u64, u64, usize),
        limits: &Limits<'_>,
    ) -> Done<Survey> {
        let quit = Arc::new(AtomicBool::new(false));
        let again = || RuleGame::new(self.rules.clone(), self.budgets.game, quit.clone()).ok();
        let crew = HelperThreads { helpers: threads.saturating_sub(1), after: 0, quit: &quit, game: &again };
        survey((game, &RuleEval), state, (games, seed), limits, &crew)
            .map_err(|error| self.search_error(game, state, error))
    }

    /// What a search finds under each of several ways to average.
    pub fn compared(
        &self,
        game: &RuleGame,
        state: &Position,
        (how, limits): (&SearchOptions<'_>, &Limits<'_>),
        backups: &[Backup],
    ) -> Done<Vec<SearchResult<String>>> {
        if !game.has_chance() {
            return self.problem(
                Problem::placeless("A0617", "the game has no chance, so all backups give the same value")
                    .help("define chance/2 for a game with chance"),
            );
        }
        let found = |backup: &Backup| Ok(self.value(game, state, &SearchOptions { backup, ..*how }, limits)?.outcome);
        backups.iter().map(found).collect()
    }
}
