//! One game in play, or one program to be asked: where rules and search meet.
//!
//! In: what to load and from where to play. Out: plain data, texts and
//! numbers, for any front end. Knows no terminal.

pub mod advice;
pub mod claims;
pub mod contest;
pub mod database;
mod elsewhere;
pub mod explain;
pub mod listing;
pub mod options;
pub mod overlay;
pub mod params;
mod place;
mod plan;
mod player;
pub mod predicates;
pub mod profile;
pub mod proof;
pub mod query;
pub mod reading;
pub mod reason;
pub mod solve;
pub mod survey;
pub mod trace;
pub mod tree;
mod turns;
mod typed_move;
mod value;
pub mod workspace;
pub mod worth;
pub mod writing;

use alphorn_lab::lab::analysis::{Analysis, analyse};
use alphorn_lang::lang::Options;
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
use alphorn_search::search::perft::{Perft, by_depth, perft};
use alphorn_search::search::result::{ScoredLine, SearchError, SearchResult};
use alphorn_search::search::sample::flat::GAMES;
use alphorn_search::search::sample::mcts::TreeGrowth;
use alphorn_search::search::{Algorithm, Hearer, TranspositionTable};
use alphorn_text::report::{Problem, Report, plural};
use alphorn_text::source::{Source, Sources};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// From where a game is played, as a person says it.
#[derive(Clone, Debug, Default)]
pub struct GameStart {
    /// A position as a term.
    pub position: Option<String>,
    /// A position in the game's own notation.
    pub at: Option<String>,
    /// The number of an opening, from 1.
    pub opening: Option<usize>,
    /// Moves made from there.
    pub moves: Option<String>,
}

impl GameStart {
    /// Whether anything is said.
    pub fn is_given(&self) -> bool {
        self.position.is_some() || self.at.is_some() || self.opening.is_some() || self.moves.is_some()
    }
}

/// No line of play is followed for more plies than this.
pub const LONGEST_LINE: u32 = 200_000;

/// Bytes of a label, and of a line of a picture, at most; what is longer is cut, and says so.
pub const LONGEST_LABEL: usize = 1 << 10;
/// Lines of a picture at most.
pub const MOST_LINES: usize = 1 << 10;
/// Bytes of a position in the game's own notation at most.
pub const LONGEST_POSITION: usize = 64 << 10;

/// How much each kind of goal may use.
#[derive(Clone, Copy, Debug)]
pub struct Budgets {
    /// One question to the rules of a game.
    pub game: Budget,
    /// One goal that a person asks.
    pub goal: Budget,
}

impl Budgets {
    /// The usual budgets, where nothing else is said.
    pub fn new(steps: Option<u64>, memory: Option<u64>) -> Budgets {
        let memory = memory.unwrap_or(MEMORY);
        let budget = |usual| Budget { steps: steps.unwrap_or(usual), memory };
        Budgets { game: budget(GAME_STEPS), goal: budget(GOAL_STEPS) }
    }
}

/// Why something could not be done.
#[derive(Debug)]
pub enum Failure {
    /// The texts are wrong: errors, and perhaps warnings, to be drawn.
    Text(Report),
    /// Something went wrong while rules ran, or what was typed is wrong.
    Problem(Box<Problem>, Arc<Sources>),
}

impl Failure {
    /// All that is wrong, with the texts: to be drawn, or looked at one by one.
    pub fn report(&self) -> Report {
        match self {
            Failure::Text(report) => report.clone(),
            Failure::Problem(problem, sources) => Report::new(sources.clone(), vec![(**problem).clone()]),
        }
    }
}

/// The errors, each on a line of its own: `game.pl:3:5: A0101: expected ...`.
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

/// What a front end gets, or why not.
pub type Done<T> = Result<T, Failure>;

/// A program with the means to play and to ask it.
#[derive(Clone)]
pub struct Session {
    /// The program.
    pub rules: Rules,
    budgets: Budgets,
    stop: Arc<AtomicBool>,
    /// Where a game under way stands: what counts as its beginning if nothing else is said.
    here: Option<Position>,
    /// The positions that were before it in that game.
    before: Arc<[Position]>,
}

/// A move as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMove {
    /// Its label, in the game's notation where there is one.
    pub label: String,
    /// The position after it.
    pub next: String,
    /// Where chance moves: how likely it is, as a weight.
    pub weight: Option<u64>,
}

/// How a value is searched for.
#[derive(Clone, Copy)]
pub struct SearchOptions<'a> {
    /// By which algorithm.
    pub algorithm: Algorithm,
    /// How many of the best moves are told with their lines.
    pub lines: usize,
    /// Bytes of the transposition table, where the algorithm has one; a small one if not given.
    pub hash: Option<u64>,
    /// Shuffles the moves at the root: of equally good ones another may be found.
    pub seed: Option<u64>,
    /// How many threads `auto` may use.
    pub threads: usize,
    /// Whether it may pass over what is unlikely to matter.
    pub heuristic: bool,
    /// How much of the game's advice is heeded.
    pub advice: AdviceLevel,
    /// Told of every depth that is finished on the way to a deeper one.
    pub report: Option<Hearer<'a, String>>,
    /// What a position is worth where chance moves.
    pub backup: &'a Backup,
    /// How many random games are played, where they are.
    pub games: u64,
    /// How a tree grows that random games judge.
    pub growth: TreeGrowth,
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
        }
    }
}

/// What a search found, as text and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// The outcome of the search, moves as text.
    pub outcome: SearchResult<String>,
}

impl Session {
    /// Loads texts; errs with the report where they have errors. Warnings stay
    /// in `rules.report`.
    pub fn open(
        texts: &[Source],
        overlays: &[Source],
        options: &Options,
        expected: Expected,
        budgets: Budgets,
        stop: Arc<AtomicBool>,
    ) -> Done<Session> {
        let rules = rules::load(texts, overlays, options, expected);
        if rules.is_broken() {
            return Err(Failure::Text(rules.report));
        }
        Ok(Session { rules, budgets, stop, here: None, before: Arc::default() })
    }

    fn problem<T>(&self, problem: Problem) -> Done<T> {
        Err(Failure::Problem(Box::new(problem), self.rules.program.sources.clone()))
    }

    /// A transposition table of so many bytes.
    fn table(&self, bytes: u64) -> Done<TranspositionTable> {
        TranspositionTable::new(bytes).map_or_else(
            || {
                let message = format!("not enough memory for a table of {} MiB", bytes >> 20);
                self.problem(Problem::placeless("A0634", message).help("give a smaller number with --hash or --memory"))
            },
            Ok,
        )
    }

    fn fault(&self, fault: &RuleFault, line: &[RuleMove]) -> Failure {
        let words: Vec<String> = line.iter().map(|mv| self.short_text(mv.label())).collect();
        Failure::Problem(Box::new(fault.problem(&self.rules.program, &words)), self.rules.program.sources.clone())
    }

    /// A term in a line of a message.
    fn short_text(&self, packed: &Packed) -> String {
        text(packed, &self.rules.program.ops, LONGEST_LABEL)
    }

    fn term_text(&self, packed: &Packed) -> String {
        text(packed, &self.rules.program.ops, usize::MAX)
    }

    /// The game, ready to be searched.
    pub fn game(&self) -> Done<RuleGame> {
        RuleGame::new(self.rules.clone(), self.budgets.game, self.stop.clone()).map_err(|fault| self.fault(&fault, &[]))
    }

    /// The same program once somebody has said stop: what was found is still to be told, and for
    /// that the rules are asked under a flag of their own.
    fn afterwards(&self) -> Session {
        match self.stop.load(Relaxed) {
            true => Session { stop: Arc::default(), ..self.clone() },
            false => self.clone(),
        }
    }

    /// A line of play as its reader names the moves.
    fn labels(&self, game: &RuleGame, state: &Position, moves: &[RuleMove]) -> Vec<String> {
        let after = self.stop.load(Relaxed).then(|| self.afterwards().game().ok()).flatten();
        let game = after.as_ref().unwrap_or(game);
        let mut at = state;
        let mut labels = Vec::with_capacity(moves.len());
        for mv in moves {
            labels.push(self.label(game, at, mv).unwrap_or_else(|_| self.term_text(mv.label())));
            at = &mv.next;
        }
        labels
    }

    fn shown(&self, game: &RuleGame, state: &Position, line: &ScoredLine<RuleMove>) -> ScoredLine<String> {
        ScoredLine { value: line.value, exact: line.exact, moves: self.labels(game, state, &line.moves), end: line.end }
    }

    fn search_error(&self, game: &RuleGame, state: &Position, error: SearchError<RuleFault, RuleMove>) -> Failure {
        self.search_error_but(game, state, error, "limit the search with --depth N")
    }

    /// The same with what to do instead, where play need not end.
    fn search_error_but(
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
                let draw = match game.acyclic() || game.repetition_is_draw() {
                    true => "",
                    false => "; or declare that a repetition is a draw: repetition(draw).",
                };
                let help = format!("the line begins: {} ...\n{instead}{draw}", words.join(" "));
                let problem = Problem::placeless("A0610", message).help(help);
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
            SearchError::Chance { .. } => self.by_chance("this algorithm cannot search games with chance"),
            SearchError::Repetition { line } if game.acyclic() => {
                let message = format!("acyclic is declared, but a line repeats a position after {} plies", line.len());
                let problem = Problem::placeless("A0613", message).help(format!(
                    "the line: {}\nremove the fact acyclic, or correct the moves",
                    self.labels(game, state, &line).join(" ")
                ));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
            SearchError::Repetition { line } => {
                let labels = self.labels(game, state, &line);
                let plies = plural(line.len() as u64, "ply", "plies");
                let problem = Problem::placeless(
                    "A0610",
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

    /// What cannot be done in a game with chance.
    fn by_chance(&self, message: &str) -> Failure {
        let problem = Problem::placeless("A0617", message).help(
            "for a game with chance/2 type alphorn value, with --algorithm auto, expectiminimax, star1, star2, \
                 expected, playouts or mcts; or alphorn solve, with --method iteration",
        );
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }

    /// The number of move paths by depth.
    pub fn perft(&self, game: &RuleGame, state: &Position, depth: u32) -> Done<Perft> {
        perft(game, state, depth, Some(&self.stop)).map_err(|error| self.search_error(game, state, error))
    }

    /// The same depth by depth: `each` is told a depth and its count as soon as that is complete.
    /// Whether it was stopped.
    pub fn perft_by_depth(
        &self,
        game: &RuleGame,
        state: &Position,
        depth: u32,
        progress: &dyn Fn(u64),
        each: &mut dyn FnMut(u32, u64),
    ) -> Done<bool> {
        let limits = Limits { stop: Some(&self.stop), progress: Some(progress), ..Limits::default() };
        by_depth(game, state, depth, &limits, each).map_err(|error| self.search_error(game, state, error))
    }

    /// What searching from these positions costs, and what it would cost at best.
    pub fn analyse(&self, game: &RuleGame, states: &[Position], depth: u32) -> Done<Analysis> {
        analyse((game, &RuleEval), states, depth, &self.stop).map_err(|(number, error)| match error {
            SearchError::Chance { .. } => self.by_chance("analyze cannot search a game with chance/2"),
            error => self.search_error(game, &states[number], error),
        })
    }
}
