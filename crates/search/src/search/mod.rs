//! Searches: the value of a position and the best move, computed by looking ahead.
//!
//! Each algorithm is one file and one row of the table in `algorithm.rs`; `tests/games/agreement.rs`
//! compares it with minimax. No algorithm overflows the stack on long lines.

mod algorithm;
pub mod chance;
mod engine;
mod iteration;
pub mod limits;
mod line;
mod procedure;
mod proof;
mod quiesce;
mod repetition;
pub mod result;
pub mod sample;
mod settings;
mod stack;
pub mod threshold;
pub mod visits;

mod alphabeta;
mod f1;
mod f2;
mod f2g2;
mod minimax;
pub mod perft;

use crate::game::{Game, Heuristic};
pub use algorithm::{Algorithm, UnknownAlgorithm};
use chance::ChanceMethod;
pub use engine::table::TranspositionTable;
pub use engine::{HelperThreads, WORTH_HELP};
use iteration::IterationTask;
use limits::{Limits, Meter};
pub use quiesce::plies_behind;
use repetition::Repetition;
use result::{SearchResult, Searched};
use sample::flat;
use sample::groups;
use sample::mcts;
pub use settings::{IterationObserver, SearchSettings};
use visits::VisitObserver;

/// Computes the value of `state` for Max and the principal variation.
///
/// The heuristic evaluates positions at `limits.depth`; without a depth the search reaches the end of
/// the game. Memory grows with the length of one line. Errs if the rules or the heuristic fault. A
/// full-depth search also errs at a repetition, unless the game is acyclic or calls repetitions draws.
/// At a limit there is no error: the result says so. A fault after the stop flag was set counts as a
/// stop.
pub fn run<G: Game, H: Heuristic<G>>(
    algorithm: Algorithm,
    game: &G,
    heuristic: &H,
    state: &G::State,
    limits: &Limits<'_>,
) -> Searched<SearchResult<G::Move>, G> {
    search_with(algorithm, game, heuristic, state, limits, &SearchSettings::default())
}

/// Searches as [`run`] does and reports visits to `hear`.
/// Alpha-beta replaces every algorithm that cannot report visits. Visits of the exactness proof and
/// beyond the horizon are not reported.
pub fn run_observed<G: Game, H: Heuristic<G>>(
    algorithm: Algorithm,
    (game, heuristic): (&G, &H),
    state: &G::State,
    limits: &Limits<'_>,
    hear: VisitObserver<'_, G::State>,
) -> Searched<SearchResult<G::Move>, G> {
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: limits.depth, meter: &meter };
    let plain = if algorithm.reports_visits() { algorithm } else { Algorithm::AlphaBeta };
    plain.search(&task, Some(hear)).expect("the row of an algorithm that reports its visits names a file")
}

/// Searches as [`search_with`] does by an algorithm that asks only about positions on the line of the
/// search. `None` for all other algorithms.
pub fn search_line<G: Game, H: Heuristic<G>, M>(
    algorithm: Algorithm,
    game: &G,
    heuristic: &H,
    state: &G::State,
    limits: &Limits<'_>,
    settings: &SearchSettings<'_, M>,
) -> Option<Searched<SearchResult<G::Move>, G>> {
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: limits.depth, meter: &meter };
    match algorithm {
        Algorithm::Playouts if game.facts().is_acyclic => {
            let how = (settings.seed.unwrap_or(SEED), settings.lines);
            Some(flat::playouts(&task, how, |play| groups::alone(&task, settings.games, play)))
        }
        _ => algorithm.search(&task, None),
    }
}

/// Whether a search to `depth` plies compares the positions of a line.
pub fn minds_repetitions<G: Game>(game: &G, depth: Option<u32>) -> bool {
    Repetition::in_game(game, depth) != Repetition::Ignored
}

/// The default seed of random games.
pub const SEED: u64 = 1;

/// Searches as [`search_with`] does, with several threads for `auto` and `playouts`.
///
/// `playouts` gives the result of one thread; `auto` may choose another of equal moves and count other
/// nodes.
pub fn search_parallel<G, H>(
    algorithm: Algorithm,
    game: &G,
    heuristic: &H,
    state: &G::State,
    limits: &Limits<'_>,
    settings: &SearchSettings<'_, G::Move>,
    threads: &HelperThreads<'_, G>,
) -> Searched<SearchResult<G::Move>, G>
where
    G: Game,
    G::State: Send + Sync,
    G::Move: Send,
    H: Heuristic<G> + Sync,
{
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: limits.depth, meter: &meter };
    let own;
    let table = match settings.table {
        Some(table) => table,
        None => {
            own = TranspositionTable::small();
            &own
        }
    };
    table.begin();
    match algorithm {
        Algorithm::Playouts => {
            let how = (settings.seed.unwrap_or(SEED), settings.lines);
            flat::playouts(&task, how, |play| match limits.nodes {
                // With several threads, the node limit would stop at different games in each run.
                Some(_) => groups::alone(&task, settings.games, play),
                None => groups::together(&task, settings.games, play, threads),
            })
        }
        Algorithm::Auto if game.facts().has_chance => {
            chance::together(&task, ChanceMethod::Star2, &SearchSettings { table: Some(table), ..*settings }, threads)
        }
        Algorithm::Auto => engine::together(
            &task,
            engine::EngineOptions::deepening(Some(table), settings.heuristic),
            settings,
            table,
            threads,
        ),
        _ => search_with(algorithm, game, heuristic, state, limits, settings),
    }
}

/// Searches as [`run`] does, with settings.
pub fn search_with<G: Game, H: Heuristic<G>>(
    algorithm: Algorithm,
    game: &G,
    heuristic: &H,
    state: &G::State,
    limits: &Limits<'_>,
    settings: &SearchSettings<'_, G::Move>,
) -> Searched<SearchResult<G::Move>, G> {
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: limits.depth, meter: &meter };
    let own = (algorithm.keeps_table() && settings.table.is_none()).then(TranspositionTable::small);
    let table = settings.table.or(own.as_ref());
    if let Some(table) = table {
        table.begin();
    }
    let settings = SearchSettings { table, ..*settings };
    if let (true, Some(way)) = (game.facts().has_chance, algorithm.chance_method()) {
        return chance::search(&task, way, &settings);
    }
    match algorithm {
        Algorithm::Pvs => engine::pvs(&task),
        Algorithm::Mtdf => engine::mtdf(&task, &settings),
        Algorithm::Expected => sample::expected(&task, settings.lines),
        Algorithm::Playouts => {
            let how = (settings.seed.unwrap_or(SEED), settings.lines);
            flat::playouts(&task, how, |play| groups::alone(&task, settings.games, play))
        }
        Algorithm::Mcts => {
            mcts::mcts(&task, settings.games, settings.seed.unwrap_or(SEED), settings.growth, settings.lines)
        }
        Algorithm::Auto => {
            engine::deepen(&task, engine::EngineOptions::deepening(table, settings.heuristic), &settings)
        }
        plain => plain.search(&task, None).expect("the row of every other algorithm names its file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameFacts, GameResult, NoEvaluation, Score, Side, ToMove};
    use perft::perft;
    use result::{LineEnd, SearchError, Stats};
    use std::sync::atomic::{AtomicBool, Ordering};

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Question {
        Turn,
        Moves,
        Apply,
        Ending,
    }

    /// A corridor of `length` steps. Max alone moves in it and wins at its far end.
    #[derive(Default)]
    struct Corridor<'a> {
        length: u32,
        /// The only place from which Max may return to the start; that move comes first.
        way_back: Option<u32>,
        repetition_is_draw: bool,
        /// The method that faults, and the place.
        fault: Option<(Question, u32)>,
        /// The stop flag that is set before the fault.
        stop: Option<&'a AtomicBool>,
    }

    impl Corridor<'_> {
        fn ask(&self, question: Question, place: u32) -> Result<(), Question> {
            if self.fault != Some((question, place)) {
                return Ok(());
            }
            if let Some(stop) = self.stop {
                stop.store(true, Ordering::Relaxed);
            }
            Err(question)
        }
    }

    impl Game for Corridor<'_> {
        type State = u32;
        type Move = char;
        type Fault = Question;

        fn to_move(&self, &place: &u32) -> Result<ToMove, Question> {
            self.ask(Question::Turn, place)?;
            let over = place == self.length;
            Ok(if over { ToMove::Over } else { ToMove::Max })
        }

        fn moves(&self, &place: &u32, moves: &mut Vec<char>) -> Result<(), Question> {
            self.ask(Question::Moves, place)?;
            moves.extend((self.way_back == Some(place)).then_some('b'));
            moves.push('f');
            Ok(())
        }

        fn apply(&self, &place: &u32, &mv: &char) -> Result<u32, Question> {
            self.ask(Question::Apply, place)?;
            Ok(if mv == 'b' { 0 } else { place + 1 })
        }

        fn facts(&self) -> GameFacts {
            GameFacts { repetition_is_draw: self.repetition_is_draw, ..GameFacts::default() }
        }

        fn result(&self, &place: &u32) -> Result<Option<GameResult>, Question> {
            self.ask(Question::Ending, place)?;
            Ok(Some(GameResult::Won(Side::Max)))
        }
    }

    /// Searches `corridor` with several algorithms and checks that their results agree.
    fn search(corridor: &Corridor<'_>, limits: &Limits<'_>) -> Searched<SearchResult<char>, Corridor<'static>> {
        let searched = |algorithm| {
            run(algorithm, corridor, &NoEvaluation, &0, limits)
                .map(|outcome| SearchResult { proof_nodes: 0, ..outcome })
        };
        let found = searched(Algorithm::Minimax);
        assert_eq!(found, searched(Algorithm::AlphaBeta));
        let uncounted = |found: &Searched<SearchResult<char>, Corridor<'static>>| {
            let bare =
                |outcome| SearchResult { nodes: 0, evals: 0, stats: Stats::default(), lines: Vec::new(), ..outcome };
            found.clone().map(bare)
        };
        for algorithm in [Algorithm::Pvs, Algorithm::Mtdf, Algorithm::Auto] {
            assert_eq!(uncounted(&searched(algorithm)), uncounted(&found), "{algorithm}");
        }
        found
    }

    fn error(corridor: &Corridor<'_>) -> SearchError<Question, char> {
        search(corridor, &Limits::default()).expect_err("the corridor is broken")
    }

    #[test]
    fn a_million_plies_do_not_overflow_the_stack() {
        let length = 1_000_000;
        let corridor = Corridor { length, ..Corridor::default() };
        let outcome = search(&corridor, &Limits::default()).expect("it has an end");
        assert_eq!(outcome.value, Some(Score::Win { plies: length }));
        assert_eq!((outcome.exact, outcome.plies()), (true, Some(length)));
        assert_eq!(outcome.nodes, u64::from(length) + 1);
        let limits = Limits::to_depth(length - 1);
        let horizon = run(Algorithm::AlphaBeta, &corridor, &NoEvaluation, &0, &limits);
        assert_eq!(horizon.map(|outcome| outcome.proof_nodes), Ok(u64::from(length)));
        let counted = perft(&corridor, &0, length, None).expect("it has an end");
        assert_eq!(counted.paths, vec![1; length as usize]);
    }

    #[test]
    fn a_repetition_is_reported_with_the_moves_that_lead_to_it() {
        let corridor = Corridor { length: 9, way_back: Some(2), ..Corridor::default() };
        let line = vec!['f', 'f', 'b'];
        assert_eq!(error(&corridor), SearchError::Repetition { line });
    }

    #[test]
    fn a_declared_repetition_is_a_draw_and_a_win_is_better() {
        let corridor = Corridor { length: 4, way_back: Some(2), repetition_is_draw: true, ..Corridor::default() };
        let outcome = search(&corridor, &Limits::default()).expect("repetitions are draws");
        assert_eq!(outcome.value, Some(Score::Win { plies: 4 }));
        let shallow = search(&corridor, &Limits::to_depth(3)).expect("repetitions are draws");
        assert_eq!(shallow.end, Some(LineEnd::Repeated));
        assert!(!shallow.exact, "beyond the horizon there is a win");
    }

    #[test]
    fn a_fault_comes_with_the_moves_to_where_the_game_was_asked() {
        use Question::{Apply, Ending, Moves, Turn};
        for (question, place) in [(Turn, 0), (Turn, 3), (Moves, 2), (Apply, 0), (Apply, 2), (Ending, 4)] {
            let corridor = Corridor { length: 4, fault: Some((question, place)), ..Corridor::default() };
            let line = vec!['f'; place as usize];
            let fault = question;
            assert_eq!(error(&corridor), SearchError::Fault { fault, line });
        }
    }

    #[test]
    fn a_fault_after_the_stop_flag_is_the_stop() {
        let stop = AtomicBool::new(false);
        let corridor =
            Corridor { length: 4, fault: Some((Question::Moves, 2)), stop: Some(&stop), ..Corridor::default() };
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let outcome = run(Algorithm::Minimax, &corridor, &NoEvaluation, &0, &limits);
        let outcome = outcome.expect("the stop came first");
        assert_eq!((outcome.stopped, outcome.value, outcome.nodes), (true, None, 3));
    }

    #[test]
    fn a_flag_set_before_stops_at_once() {
        let stop = AtomicBool::new(true);
        let corridor = Corridor { length: 4, ..Corridor::default() };
        let limits = Limits { depth: Some(1), stop: Some(&stop), ..Limits::default() };
        let outcome = search(&corridor, &limits).expect("nothing was asked");
        assert_eq!((outcome.stopped, outcome.nodes, outcome.best), (true, 0, None));
        let counted = perft(&corridor, &0, 4, Some(&stop));
        assert_eq!(counted.map(|counted| counted.stopped), Ok(true));
    }

    #[test]
    fn every_name_is_understood() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
        }
        let unknown = "maximin".parse::<Algorithm>().map_err(|error| error.to_string());
        let says = "there is no algorithm `maximin`; the algorithms are minimax, f1, f2, f2g2, alphabeta, pvs, mtdf, \
                    expectiminimax, star1, star2, auto, expected, playouts, mcts";
        assert_eq!(unknown, Err(says.to_string()));
    }
}
