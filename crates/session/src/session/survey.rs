//! Statistics of a game: random play, and the values under several backup rules.
//!
//! It takes a position, and a number of playouts or some backups. It returns counts and best moves.

use super::{SearchOptions, Session, SessionResult};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::game::Game;
use alphorn_search::search::HelperThreads;
use alphorn_search::search::chance::backup::Backup;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchResult;
use alphorn_search::search::sample::survey::{Survey, survey};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl Session {
    /// Statistics of random games from a position.
    pub fn survey(
        &self,
        game: &RuleGame,
        state: &Position,
        (games, seed, threads): (u64, u64, usize),
        limits: &Limits<'_>,
    ) -> SessionResult<Survey> {
        let quit = Arc::new(AtomicBool::new(false));
        let again = || RuleGame::new(self.rules.clone(), self.budgets.game, quit.clone()).ok();
        let threads = HelperThreads { helpers: threads.saturating_sub(1), after: 0, quit: &quit, game: &again };
        survey((game, &RuleEval), state, (games, seed), limits, &threads)
            .map_err(|error| self.search_error(game, state, error))
    }

    /// The search results under each of several backup rules.
    pub fn compared(
        &self,
        game: &RuleGame,
        state: &Position,
        (how, limits): (&SearchOptions<'_>, &Limits<'_>),
        backups: &[Backup],
    ) -> SessionResult<Vec<SearchResult<String>>> {
        if !game.facts().has_chance {
            return self.problem(
                Problem::placeless(Code::NoChanceSupport, "the game has no chance, so all backups give the same value")
                    .help("define chance/2 for a game with chance"),
            );
        }
        let found = |backup: &Backup| Ok(self.value(game, state, &SearchOptions { backup, ..*how }, limits)?.outcome);
        backups.iter().map(found).collect()
    }
}
