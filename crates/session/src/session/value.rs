//! The value of a position, with the advice of the game at a given level.
//!
//! It takes a game, a position and search options. It returns the result of the search, with moves as
//! text. If advice prunes moves, the value is an estimate.

use super::{LONGEST_LINE, SearchOptions, SearchReport, Session, SessionResult, live};
use alphorn_lab::arena::history::{WithHistory, WithoutHistory as Remembered};
use alphorn_rules::rules::advising::RulePruning;
use alphorn_rules::rules::evaluation::AdvisedEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::advice::filter::{ALWAYS, FilteredEvaluation, FilteredGame, FilteredState};
use alphorn_search::game::{Game, Heuristic, Score};
use alphorn_search::search::chance::backup::Backup;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{Iteration, LineEnd, ScoredLine, SearchResult};
use alphorn_search::search::{self, Algorithm, HelperThreads, SearchSettings, WORTH_HELP};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The maximum number of positions in a forcing tree that has to find a move.
pub const MOST: u64 = 100_000;

/// A game to search, and a function that makes the games of helper threads.
struct SearchSetup<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    state: &'a G::State,
    again: &'a (dyn Fn() -> Option<G> + Sync),
    quit: &'a AtomicBool,
    /// Set when a move was pruned: no value is exact then.
    cut: &'a AtomicBool,
}

/// The pruning by advice in a search with these options, and the number of plies with pruning. `None` if
/// nothing is pruned.
pub(super) fn narrowing(
    game: &RuleGame,
    state: &Position,
    (advice, heuristic, algorithm): (AdviceLevel, bool, Algorithm),
) -> Result<Option<(RulePruning, u32)>, RuleFault> {
    let (prunes, tabled) = (game.rules.contract.prune.is_some(), game.rules.advice.is_some());
    Ok(match advice {
        AdviceLevel::Focus(plies) if prunes || tabled => {
            let focus = game.to_move(state)?.side();
            Some((RulePruning { focus: game.advised().or(focus).filter(|_| tabled) }, plies))
        }
        AdviceLevel::Prune if prunes => Some((RulePruning { focus: None }, ALWAYS)),
        AdviceLevel::Order if prunes && heuristic && algorithm == Algorithm::Auto => {
            Some((RulePruning { focus: None }, ALWAYS))
        }
        _ => None,
    })
}

impl Session {
    /// The value of a position at the advice level of `how`.
    pub fn value(
        &self,
        game: &RuleGame,
        state: &Position,
        how: &SearchOptions<'_>,
        limits: &Limits<'_>,
    ) -> SessionResult<SearchReport> {
        let is_here = self.here.as_ref() == Some(state) && self.before.contains(state);
        if is_here && game.facts().draws_repetitions() {
            // The game under way has ended by repetition.
            let (value, end) = (Some(Score::Value(0.0)), Some(LineEnd::Repeated));
            return Ok(SearchReport {
                outcome: SearchResult { value, end, exact: true, depth: Some(0), ..SearchResult::none() },
            });
        }
        let outcome = match how.advice {
            AdviceLevel::Strict => self.by_advice(game, state)?,
            AdviceLevel::Plan(margin) => self.by_plan(game, state, how, limits, margin)?,
            _ => self.by_search(game, state, how, limits)?,
        };
        Ok(SearchReport { outcome: outcome.named(|moves| self.names(how.notation, game, state, moves)) })
    }

    /// Searches with the moves in the order of the advice, or with pruned moves.
    pub(super) fn by_search(
        &self,
        game: &RuleGame,
        state: &Position,
        how: &SearchOptions<'_>,
        limits: &Limits<'_>,
    ) -> SessionResult<SearchResult<RuleMove>> {
        let limits = &Limits { longest: limits.longest.or(Some(LONGEST_LINE)), ..*limits };
        self.check_algorithm(game, how.algorithm, how.backup)?;
        let opinion = AdvisedEval { heeds: how.advice != AdviceLevel::Off };
        let quit = Arc::new(AtomicBool::new(false));
        let cut = AtomicBool::new(false);
        let (rules, budget) = (&self.rules, self.budgets.game);
        let again = || RuleGame::new(rules.clone(), budget, quit.clone()).ok();
        let narrowing = narrowing(game, state, (how.advice, how.heuristic, how.algorithm));
        let Some((narrow, plies)) = narrowing.map_err(|fault| self.fault(&fault, &[]))? else {
            if self.here.as_ref() == Some(state) && !self.before.is_empty() && game.facts().repetition_is_draw {
                // In a game under way a position that occurred before is a draw.
                let past = WithHistory::of(game, &self.before, state);
                let heuristic = Remembered(&opinion);
                let again = || Some(WithHistory::owning(again()?, &self.before, state));
                let board =
                    SearchSetup { game: &past, heuristic: &heuristic, state, again: &again, quit: &quit, cut: &cut };
                return self.searched_on(game, state, &board, how, limits);
            }
            let plain =
                SearchSettings { lines: how.lines, seed: how.seed, games: how.games, ..SearchSettings::default() };
            let in_threads = how.algorithm == Algorithm::Playouts && how.threads > 1;
            if !in_threads && let Some(found) = live::search(how.algorithm, game, &opinion, state, limits, &plain) {
                return found.map_err(|error| self.search_error(game, state, error));
            }
            let board = SearchSetup { game, heuristic: &opinion, state, again: &again, quit: &quit, cut: &cut };
            return self.searched_on(game, state, &board, how, limits);
        };
        // Helpers own their games, and this thread borrows one.
        let left: FilteredState<Position> = (state.clone(), plies);
        let narrowed = FilteredGame { game: Lent::Borrowed(game), narrow, cut: &cut };
        let again = || Some(FilteredGame { game: Lent::Owned(Box::new(again()?)), narrow, cut: &cut });
        let heuristic = FilteredEvaluation(&opinion);
        let board =
            SearchSetup { game: &narrowed, heuristic: &heuristic, state: &left, again: &again, quit: &quit, cut: &cut };
        self.searched_on(game, state, &board, how, limits)
    }

    /// Errs if the algorithm or the backup rule cannot handle this game.
    pub(super) fn check_algorithm(&self, game: &RuleGame, algorithm: Algorithm, backup: &Backup) -> SessionResult<()> {
        if !game.facts().has_chance {
            return Ok(());
        }
        if !algorithm.knows_chance() {
            return Err(self.chance_failure(&format!("{algorithm} cannot search a game with chance/2")));
        }
        if !backup.is_mean() && game.facts().payoff_range.is_none() {
            let message = format!("{} needs the least and the greatest value of the game", backup.rule);
            let help = "declare them, such as value_range(-1, 1), and keep static_eval/2 inside this range";
            return self.problem(Problem::placeless(Code::RiskWithoutRange, message).help(help));
        }
        Ok(())
    }

    fn searched_on<G, H>(
        &self,
        shown: &RuleGame,
        root: &Position,
        board: &SearchSetup<'_, G, H>,
        how: &SearchOptions<'_>,
        limits: &Limits<'_>,
    ) -> SessionResult<SearchResult<RuleMove>>
    where
        G: Game<Move = RuleMove, Fault = RuleFault>,
        G::State: Send + Sync,
        H: Heuristic<G> + Sync,
    {
        // Other algorithms do not use a table.
        let table = how.hash.filter(|_| how.algorithm.keeps_table()).map(|bytes| self.table(bytes)).transpose()?;
        let whole = || !board.cut.load(Relaxed);
        let report = |found: &Iteration<RuleMove>| {
            if let Some(report) = how.report {
                let told = |line: &ScoredLine<_>| ScoredLine {
                    exact: line.exact && whole(),
                    ..self.shown(how.notation, (shown, root), line)
                };
                let lines = found.lines.iter().map(told).collect();
                let Iteration { depth, reached, exact, stats, .. } = *found;
                report(&Iteration { depth, reached, exact: exact && whole(), stats, lines });
            }
        };
        let settings = SearchSettings {
            lines: how.lines,
            table: table.as_ref(),
            heuristic: how.heuristic,
            seed: how.seed,
            report: Some(&report),
            backup: how.backup,
            games: how.games,
            growth: how.growth,
        };
        let helpers = how.threads.saturating_sub(1);
        let threads = HelperThreads { helpers, after: WORTH_HELP, quit: board.quit, game: board.again };
        let found = match (how.algorithm, how.threads) {
            (Algorithm::Auto | Algorithm::Playouts, 2..) => {
                let SearchSetup { game, heuristic, state, .. } = *board;
                search::search_parallel(how.algorithm, game, heuristic, state, limits, &settings, &threads)
            }
            _ => search::search_with(how.algorithm, board.game, board.heuristic, board.state, limits, &settings),
        };
        let mut outcome = found.map_err(|error| self.search_error(shown, root, error))?;
        if !whole() {
            outcome.exact = false;
            outcome.lines.iter_mut().for_each(|line| line.exact = false);
        }
        Ok(outcome)
    }
}

/// A borrowed or an owned game.
enum Lent<'a> {
    Borrowed(&'a RuleGame),
    Owned(Box<RuleGame>),
}

impl std::ops::Deref for Lent<'_> {
    type Target = RuleGame;

    fn deref(&self) -> &RuleGame {
        match self {
            Lent::Borrowed(game) => game,
            Lent::Owned(game) => game,
        }
    }
}
