//! A session: a loaded game or program, with the operations of the front ends.
//!
//! A session takes what to load and a start position. It returns plain data, texts and numbers. It does
//! not depend on a terminal.

pub mod advice;
mod attempt;
pub mod census;
mod claim_answers;
mod claim_causes;
mod claim_words;
pub mod claims;
mod clocks;
pub mod contest;
pub mod database;
mod elsewhere;
mod engine_option;
mod engine_program;
pub mod explain;
pub mod external;
pub mod game_record;
pub mod journal;
mod label;
pub mod lead;
pub mod listing;
pub mod live;
mod lookup;
mod match_faults;
pub mod openings;
pub mod options;
pub mod overlay;
pub mod params;
mod place;
mod plan;
pub mod player;
pub mod predicates;
pub mod profile;
pub mod proof;
pub mod query;
pub mod reading;
pub mod reason;
pub mod schedule;
pub mod solve;
mod spectrum;
pub mod survey;
pub mod trace;
pub mod tree;
mod trials;
pub mod tuning;
mod turns;
mod typed_move;
mod value;
pub mod words;
pub mod workspace;
pub mod worth;
pub mod writing;

use alphorn_lab::lab::analysis::{Analysis, analyse};
use alphorn_lang::lang::ProgramOptions;
use alphorn_prolog::machine::store::{Budget, GAME_STEPS, GOAL_STEPS, MEMORY};
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::{RuleFault, text};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_rules::rules::{self, Expected, Rules};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::game::Game;
use alphorn_search::search::chance::backup::Backup;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::perft::{Perft, perft};
use alphorn_search::search::result::{ScoredLine, SearchError, SearchResult};
use alphorn_search::search::sample::flat::GAMES;
use alphorn_search::search::sample::mcts::TreeGrowth;
use alphorn_search::search::{Algorithm, IterationObserver, TranspositionTable};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report, plural};
use alphorn_text::source::{Source, Sources, Span};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use trials::Watch;
use words::MoveNotation;

/// Limits on the time and the memory that a diagnostic spends on finding the goal that fails.
const EXPLAINING: Duration = Duration::from_millis(200);
const EXPLAINING_MEMORY: u64 = 64 << 20;

/// Where play begins, as the user gives it.
#[derive(Clone, Debug, Default)]
pub struct GameStart {
    /// A position as a term.
    pub position: Option<String>,
    /// A position in the game's own notation.
    pub at: Option<String>,
    /// The number of an opening, from 1.
    pub opening: Option<usize>,
    /// Moves to make from that position.
    pub moves: Option<String>,
}

impl GameStart {
    /// Whether any field is set.
    pub fn is_given(&self) -> bool {
        self.position.is_some() || self.at.is_some() || self.opening.is_some() || self.moves.is_some()
    }
}

/// The maximum length of a line of play, in plies.
pub const LONGEST_LINE: u32 = 200_000;

/// The maximum bytes of a label and of a line of a picture. A longer text is cut and marked.
pub const LONGEST_LABEL: usize = 1 << 10;
/// The maximum number of lines of a picture.
pub const MOST_LINES: usize = 1 << 10;
/// The maximum length in bytes of a position in the game's own notation.
pub const LONGEST_POSITION: usize = 64 << 10;

/// The budget of each kind of goal.
#[derive(Clone, Copy, Debug)]
pub struct Budgets {
    /// The budget of one question to the rules of a game.
    pub game: Budget,
    /// The budget of one goal that the user types.
    pub goal: Budget,
}

impl Budgets {
    /// Budgets with these limits. The default limit applies where an argument is `None`.
    pub fn new(steps: Option<u64>, memory: Option<u64>) -> Budgets {
        let memory = memory.unwrap_or(MEMORY);
        let budget = |usual| Budget { steps: steps.unwrap_or(usual), memory };
        Budgets { game: budget(GAME_STEPS), goal: budget(GOAL_STEPS) }
    }
}

/// The error of a session operation.
#[derive(Debug)]
pub enum Failure {
    /// The loaded texts have errors, and perhaps warnings.
    Text(Report),
    /// The rules failed at run time, or the input of the user is wrong.
    Problem(Box<Problem>, Arc<Sources>),
}

impl Failure {
    /// All problems, with the texts that their spans point into.
    pub fn report(&self) -> Report {
        match self {
            Failure::Text(report) => report.clone(),
            Failure::Problem(problem, sources) => Report::new(sources.clone(), vec![(**problem).clone()]),
        }
    }
}

/// Writes each error on its own line: `game.pl:3:5: A0101: expected ...`.
impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Report { sources, problems } = self.report();
        let errors = problems.iter().filter(|problem| problem.level == alphorn_text::report::Severity::Error);
        for (number, problem) in errors.enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            if let Some((span, _)) = problem.labels.first() {
                let (line, column) = sources.line_column(*span);
                write!(f, "{}:{line}:{column}: ", sources.get(span.source).name)?;
            }
            write!(f, "{}: {}", problem.code, problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// The result of a session operation.
pub type SessionResult<T> = Result<T, Failure>;

/// A loaded program with its budgets and its stop flag.
#[derive(Clone)]
pub struct Session {
    /// The program.
    pub rules: Rules,
    budgets: Budgets,
    stop: Arc<AtomicBool>,
    /// The current position of the game under way. Play begins here by default.
    here: Option<Position>,
    /// The earlier positions of that game.
    before: Arc<[Position]>,
    /// The first expectation that failed, with the edits that were tried for it. Later failures have the same cause.
    tried: Arc<OnceLock<trials::FirstFailure>>,
    /// Whether the session tries rules only to see whether they fail.
    is_trial: bool,
}

/// A move as text.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMove {
    /// The label, in the game's notation if the game has one.
    pub label: String,
    /// The position after the move.
    pub next: String,
    /// The weight of the chance outcome; `None` for a move of a player.
    pub weight: Option<u64>,
}

/// How to search for a value.
#[derive(Clone, Copy)]
pub struct SearchOptions<'a> {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// The number of best moves to report with their lines.
    pub lines: usize,
    /// The bytes of the transposition table, if the algorithm has one. The default is a small table.
    pub hash: Option<u64>,
    /// Shuffles the moves at the root. The search may then find another of several best moves.
    pub seed: Option<u64>,
    /// The maximum number of threads of `auto`.
    pub threads: usize,
    /// Whether `auto` may skip moves that are unlikely to matter. The value is then an estimate.
    pub heuristic: bool,
    /// How the search uses the advice of the game.
    pub advice: AdviceLevel,
    /// Receives every finished depth of iterative deepening.
    pub report: Option<IterationObserver<'a, String>>,
    /// The backup rule for chance moves.
    pub backup: &'a Backup,
    /// The number of playouts, for algorithms that use playouts.
    pub games: u64,
    /// How Monte Carlo tree search grows its tree.
    pub growth: TreeGrowth,
    /// How the result names moves.
    pub notation: MoveNotation,
}

impl From<Algorithm> for SearchOptions<'_> {
    fn from(algorithm: Algorithm) -> Self {
        SearchOptions {
            algorithm,
            lines: 1,
            hash: None,
            seed: None,
            threads: 1,
            heuristic: false,
            advice: AdviceLevel::Order,
            report: None,
            backup: &Backup::MEAN,
            games: GAMES,
            growth: TreeGrowth::default(),
            notation: MoveNotation::Label,
        }
    }
}

/// The result of a search, as text and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// The result of the search, with moves as text.
    pub outcome: SearchResult<String>,
}

impl Session {
    /// Loads texts. Errs with their report if they have errors. Warnings stay in `rules.report`.
    pub fn open(
        texts: &[Source],
        overlays: &[Source],
        options: &ProgramOptions,
        expected: Expected,
        budgets: Budgets,
        stop: Arc<AtomicBool>,
    ) -> SessionResult<Session> {
        let rules = rules::load(texts, overlays, options, expected);
        if rules.is_broken() {
            return Err(Failure::Text(rules.report));
        }
        Ok(Session { rules, budgets, stop, here: None, before: Arc::default(), tried: Arc::default(), is_trial: false })
    }

    fn problem<T>(&self, problem: Problem) -> SessionResult<T> {
        Err(Failure::Problem(Box::new(problem), self.rules.program.sources.clone()))
    }

    /// A transposition table of `bytes` bytes.
    fn table(&self, bytes: u64) -> SessionResult<TranspositionTable> {
        TranspositionTable::new(bytes).map_or_else(
            || {
                let message = format!("not enough memory for a table of {} MiB", bytes >> 20);
                self.problem(
                    Problem::placeless(Code::TableTooLarge, message)
                        .help("give a smaller number with --hash or --memory"),
                )
            },
            Ok,
        )
    }

    /// The failure for a fault of the rules. `line` has the moves before the faulty position.
    pub fn fault(&self, fault: &RuleFault, line: &[RuleMove]) -> Failure {
        let words: Vec<String> = line.iter().map(|mv| self.short_text(mv.label())).collect();
        let mut problem = fault.problem(&self.rules.program, &words);
        let position = fault.position.as_ref().filter(|_| !self.is_trial);
        problem
            .labels
            .extend(position.map_or_else(Vec::new, |at| self.failing_parts(&problem, Position((**at).clone()))));
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }

    /// The goals and heads that keep a predicate from answering, so far as they are found in a short time.
    fn failing_parts(&self, problem: &Problem, state: Position) -> Vec<(Span, String)> {
        let watch = Watch::start(&self.stop, Instant::now() + EXPLAINING);
        let Some(flag) = watch.as_ref().and_then(Watch::next) else { return Vec::new() };
        let budget = Budget { memory: self.budgets.game.memory.min(EXPLAINING_MEMORY), ..self.budgets.game };
        let game = RuleGame::brief(self.rules.clone(), budget, flag);
        game.map_or_else(|_| Vec::new(), |game| game.failing_parts(problem, &state))
    }

    /// A term as text for one line of a message.
    fn short_text(&self, packed: &Packed) -> String {
        text(packed, &self.rules.program.ops, LONGEST_LABEL)
    }

    fn term_text(&self, packed: &Packed) -> String {
        text(packed, &self.rules.program.ops, usize::MAX)
    }

    /// The loaded game, ready for a search.
    pub fn game(&self) -> SessionResult<RuleGame> {
        RuleGame::new(self.rules.clone(), self.budgets.game, self.stop.clone()).map_err(|fault| self.fault(&fault, &[]))
    }

    /// The same session with a new stop flag if the stop flag is set. Reporting a stopped search still
    /// calls rules.
    fn after_stop(&self) -> Session {
        match self.stop.load(Relaxed) {
            true => Session { stop: Arc::default(), ..self.clone() },
            false => self.clone(),
        }
    }

    /// The labels of the moves of a line.
    fn labels(&self, game: &RuleGame, state: &Position, moves: &[RuleMove]) -> Vec<String> {
        let after = self.stop.load(Relaxed).then(|| self.after_stop().game().ok()).flatten();
        let game = after.as_ref().unwrap_or(game);
        let mut at = state;
        let mut labels = Vec::with_capacity(moves.len());
        for mv in moves {
            labels.push(self.label(game, at, mv).unwrap_or_else(|_| self.term_text(mv.label())));
            at = &mv.next;
        }
        labels
    }

    fn shown(
        &self,
        notation: MoveNotation,
        (game, state): (&RuleGame, &Position),
        line: &ScoredLine<RuleMove>,
    ) -> ScoredLine<String> {
        let moves = self.names(notation, game, state, &line.moves);
        ScoredLine { value: line.value, exact: line.exact, moves, end: line.end }
    }

    /// The names of the moves of a line.
    /// The label of the first legal move; `None` if no player moves, or if the rules fail.
    pub fn first_move(&self, game: &RuleGame, state: &Position) -> Option<String> {
        game.to_move(state).ok()?.side()?;
        let mut moves = Vec::new();
        game.moves(state, &mut moves).ok()?;
        self.labels(game, state, moves.get(..1)?).pop()
    }

    fn names(&self, notation: MoveNotation, game: &RuleGame, state: &Position, moves: &[RuleMove]) -> Vec<String> {
        match notation {
            MoveNotation::Label => self.labels(game, state, moves),
            MoveNotation::Word => self.line_words(game, state, moves),
        }
    }

    fn search_error(&self, game: &RuleGame, state: &Position, error: SearchError<RuleFault, RuleMove>) -> Failure {
        self.search_error_with_help(game, state, error, "limit the search with --depth N")
    }

    /// The failure for a search error. `instead` is the advice for a game whose play may be endless.
    fn search_error_with_help(
        &self,
        game: &RuleGame,
        state: &Position,
        error: SearchError<RuleFault, RuleMove>,
        instead: &str,
    ) -> Failure {
        let instead = match instead.contains("--method") {
            true => instead.to_string(),
            false => format!("{instead}, or solve the game: alphorn solve"),
        };
        match error {
            SearchError::Fault { fault, line } => self.fault(&fault, &line),
            SearchError::Endless { line } => {
                let message = format!("a line is longer than {} plies; the game may be endless", line.len());
                let words: Vec<String> = line.iter().map(|mv| self.short_text(mv.label())).take(20).collect();
                let draw = match game.facts().is_acyclic || game.facts().repetition_is_draw {
                    true => "",
                    false => "; or declare that a repetition is a draw: repetition(draw).",
                };
                let help = format!("the line begins: {} ...\n{instead}{draw}", words.join(" "));
                let problem = Problem::placeless(Code::EndlessPlay, message).help(help);
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
            SearchError::Chance { .. } => self.chance_failure("this algorithm cannot search games with chance"),
            SearchError::Repetition { line } if game.facts().is_acyclic => {
                let message = format!("acyclic is declared, but a line repeats a position after {} plies", line.len());
                let problem = Problem::placeless(Code::RepeatsInAcyclicGame, message).help(format!(
                    "the line: {}\nremove the fact acyclic, or correct the moves",
                    self.labels(game, state, &line).join(" ")
                ));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
            SearchError::Repetition { line } => {
                let labels = self.labels(game, state, &line);
                let plies = plural(line.len() as u64, "ply", "plies");
                let problem = Problem::placeless(
                    Code::EndlessPlay,
                    format!("a line repeats a position after {plies}, so the game may be endless"),
                )
                .help(format!(
                    "the line: {}\n{instead}; or declare that a repetition is a draw: repetition(draw).",
                    labels.join(" ")
                ));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
        }
    }

    /// The failure for an operation that games with chance do not support.
    fn chance_failure(&self, message: &str) -> Failure {
        let problem = Problem::placeless(Code::NoChanceSupport, message).help(
            "for a game with chance/2 type alphorn value, with --algorithm auto, expectiminimax, star1, star2, \
                 expected, playouts or mcts; or alphorn solve, with --method iteration",
        );
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }

    /// Counts the lines of each length up to `depth` (perft).
    pub fn perft(&self, game: &RuleGame, state: &Position, depth: u32) -> SessionResult<Perft> {
        perft(game, state, depth, Some(&self.stop)).map_err(|error| self.search_error(game, state, error))
    }

    /// Runs perft one depth after the other. `each` receives every complete depth and its count. Returns
    /// whether the stop flag ended the count.
    pub fn perft_by_depth(
        &self,
        game: &RuleGame,
        state: &Position,
        depth: u32,
        progress: &dyn Fn(u64),
        each: &mut dyn FnMut(u32, u64),
    ) -> SessionResult<bool> {
        let limits = Limits { stop: Some(&self.stop), progress: Some(progress), ..Limits::default() };
        live::by_depth(game, state, depth, &limits, each).map_err(|error| self.search_error(game, state, *error))
    }

    /// Counts the nodes of searches from these positions, and of their minimal trees.
    pub fn analyse(&self, game: &RuleGame, states: &[Position], depth: u32) -> SessionResult<Analysis> {
        analyse((game, &RuleEval), states, depth, &self.stop).map_err(|(number, error)| match error {
            SearchError::Chance { .. } => self.chance_failure("analyze cannot search a game with chance/2"),
            error => self.search_error(game, &states[number], error),
        })
    }
}
