//! One game in play, or one program to be asked: where rules and search meet.
//!
//! In: what to load and from where to play. Out: plain data, texts and
//! numbers, for any front end. Knows no terminal.

pub mod claims;
pub mod contest;
pub mod database;
pub mod proof;
pub mod query;
pub mod solve;

use crate::game::{Game, Turn};
use crate::lab::analysis::{Analysis, analyse};
use crate::lang::Options;
use crate::machine::store::{Budget, GAME_STEPS, GOAL_STEPS, MEMORY};
use crate::report::{Problem, Report};
use crate::rules::fault::{RuleFault, text};
use crate::rules::game::RuleGame;
use crate::rules::opinion::RuleEval;
use crate::rules::position::{Position, RuleMove, term, words};
use crate::rules::{self, Expected, Rules};
use crate::search::limits::Limits;
use crate::search::outcome::{Iteration, Line, Outcome, SearchError};
use crate::search::perft::{Perft, perft};
use crate::search::{self, Algorithm, Crew, Hearer, Settings, Table, WORTH_HELP};
use crate::source::{Source, Sources};
use crate::symbol::Atom;
use crate::term::heap::View;
use crate::term::pack::Packed;
use crate::term::write::{Style, Variables, write_at};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// From where a game is played, as a person says it.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// A position as a term.
    pub position: Option<String>,
    /// A position in the game's own notation.
    pub at: Option<String>,
    /// The number of an opening, from 1.
    pub opening: Option<usize>,
    /// Moves made from there.
    pub moves: Option<String>,
}

/// No line of play is followed for more plies than this.
pub const LONGEST_LINE: u32 = 200_000;

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

/// What a front end gets, or why not.
pub type Done<T> = Result<T, Failure>;

/// A program with the means to play and to ask it.
pub struct Session {
    /// The program.
    pub rules: Rules,
    budgets: Budgets,
    stop: Arc<AtomicBool>,
}

/// A move as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMove {
    /// Its label, in the game's notation where there is one.
    pub label: String,
    /// The position after it.
    pub next: String,
}

/// How a value is searched for.
#[derive(Clone, Copy)]
pub struct How<'a> {
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
    /// Told of every depth that is finished on the way to a deeper one.
    pub report: Option<Hearer<'a, String>>,
}

impl From<Algorithm> for How<'_> {
    fn from(algorithm: Algorithm) -> Self {
        How { algorithm, lines: 1, hash: None, seed: None, threads: 1, heuristic: false, report: None }
    }
}

/// What a search found, as text and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// The outcome of the search, moves as text.
    pub outcome: Outcome<String>,
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
        Ok(Session { rules, budgets, stop })
    }

    fn problem<T>(&self, problem: Problem) -> Done<T> {
        Err(Failure::Problem(Box::new(problem), self.rules.program.sources.clone()))
    }

    /// A transposition table of so many bytes.
    fn table(&self, bytes: u64) -> Done<Table> {
        Table::new(bytes).map_or_else(
            || {
                let message = format!("there is no room for a table of {} MiB", bytes >> 20);
                self.problem(Problem::placeless("A0634", message).help("give less, with --hash or --memory"))
            },
            Ok,
        )
    }

    fn fault(&self, fault: &RuleFault, line: &[RuleMove]) -> Failure {
        let words: Vec<String> = line.iter().map(|mv| self.term_text(mv.label())).collect();
        Failure::Problem(Box::new(fault.problem(&self.rules.program, &words)), self.rules.program.sources.clone())
    }

    fn term_text(&self, packed: &Packed) -> String {
        text(packed, &self.rules.program.ops, usize::MAX)
    }

    /// The game, ready to be searched.
    pub fn game(&self) -> Done<RuleGame> {
        RuleGame::new(self.rules.clone(), self.budgets.game, self.stop.clone()).map_err(|fault| self.fault(&fault, &[]))
    }

    /// The position to start from.
    pub fn position(&self, game: &RuleGame, start: &Start) -> Done<Position> {
        let mut state = match (&start.position, &start.at) {
            (Some(text), _) => self.typed_position(text)?,
            (None, Some(text)) => self.read_position(game, text)?,
            (None, None) => self.opening(game, start.opening.unwrap_or(1))?,
        };
        for (number, word) in words(start.moves.as_deref().unwrap_or("")).into_iter().enumerate() {
            state = self.play(game, &state, &word, number + 1)?;
        }
        Ok(state)
    }

    fn opening(&self, game: &RuleGame, number: usize) -> Done<Position> {
        let openings = game.openings().map_err(|fault| self.fault(&fault, &[]))?;
        match number.checked_sub(1).and_then(|at| openings.get(at)) {
            Some(position) => Ok(position.clone()),
            None => self.problem(Problem::placeless("A0615", format!("there is no opening {number}")).help(format!(
                "the game has {}: --opening 1 to {}",
                openings.len(),
                openings.len()
            ))),
        }
    }

    fn typed_position(&self, text: &str) -> Done<Position> {
        match term(text, &self.rules.program.ops) {
            Ok(packed) if packed.is_ground() => Ok(Position(packed)),
            Ok(_) => self.problem(
                Problem::placeless("A0615", "a position has no variables")
                    .help("write the position out, as the game's rules have it"),
            ),
            Err(problem) => Err(self.typed_problem(*problem, "--position", text)),
        }
    }

    /// A problem in what was typed points into that text.
    fn typed_problem(&self, problem: Problem, name: &str, text: &str) -> Failure {
        let mut sources = Sources::default();
        sources.add(Source::typed(name, text));
        Failure::Problem(Box::new(problem), Arc::new(sources))
    }

    fn read_position(&self, game: &RuleGame, text: &str) -> Done<Position> {
        let contract = self.rules.contract;
        if contract.read_position.is_none() {
            return self.problem(
                Problem::placeless("A0615", "the game defines no read_position/2, which --at goes through")
                    .help("give the position as a term: --position TERM"),
            );
        }
        let atom = Packed::atom(Atom::new(text));
        match game
            .one("reading a position", contract.read_position, &[&atom])
            .map_err(|fault| self.fault(&fault, &[]))?
        {
            Some(packed) => Ok(Position(packed)),
            None => self.problem(
                Problem::placeless("A0615", format!("the game cannot read the position {text}"))
                    .help("look at the notation that write_position/2 gives: alphorn moves FILE"),
            ),
        }
    }

    /// Makes one move, by its label as text, as a term, or by its number where
    /// moves have no labels.
    fn play(&self, game: &RuleGame, state: &Position, word: &str, number: usize) -> Done<Position> {
        let over = game.is_terminal(state).map_err(|fault| self.fault(&fault, &[]))?;
        let moves = if over { Vec::new() } else { game.legal_moves(state).map_err(|fault| self.fault(&fault, &[]))? };
        let mut labels = Vec::new();
        for mv in &moves {
            let label = self.label(game, state, mv)?;
            if same_text(&label, word) || same_text(&self.term_text(mv.label()), word) {
                return Ok(mv.next.clone());
            }
            labels.push(label);
        }
        let typed = term(word, &self.rules.program.ops).ok();
        if let Some(mv) = moves.iter().find(|mv| Some(mv.label()) == typed.as_ref()) {
            return Ok(mv.next.clone());
        }
        if self.rules.contract.labelled.is_none()
            && let Some(mv) = word.parse::<usize>().ok().and_then(|number| moves.get(number.checked_sub(1)?))
        {
            return Ok(mv.next.clone());
        }
        let near = crate::lang::near::nearest(word, labels.iter().map(String::as_str))
            .map(|near| format!("did you mean {near}? "));
        let help = match (over || moves.is_empty(), self.rules.contract.labelled) {
            (true, _) => "the game is over in that position".to_string(),
            (false, Some(_)) => format!("{}the legal moves are {}", near.unwrap_or_default(), labels.join(" ")),
            (false, None) => format!("the moves are numbered from 1 to {}", moves.len()),
        };
        self.problem(Problem::placeless("A0615", format!("move {number}, {word}, is not legal")).help(help))
    }

    /// How people write a move.
    pub fn label(&self, game: &RuleGame, state: &Position, mv: &RuleMove) -> Done<String> {
        let shown = game
            .one("asking shown_move/3", self.rules.contract.shown_move, &[&state.0, mv.label()])
            .map_err(|fault| self.fault(&fault, &[]))?;
        Ok(match shown {
            Some(shown) => self.plain(&shown),
            None => self.term_text(mv.label()),
        })
    }

    /// The text of an atom without its quotes; other terms as they are read.
    fn plain(&self, packed: &Packed) -> String {
        packed.as_atom().map_or_else(|| self.term_text(packed), |name| name.text().to_string())
    }

    /// A position in the game's notation, or as a term.
    pub fn position_text(&self, game: &RuleGame, state: &Position) -> Done<String> {
        let written = game
            .one("asking write_position/2", self.rules.contract.write_position, &[&state.0])
            .map_err(|fault| self.fault(&fault, &[]))?;
        Ok(match written {
            Some(text) => self.plain(&text),
            None => self.term_text(&state.0),
        })
    }

    /// A picture of a position, where the game draws one.
    pub fn picture(&self, game: &RuleGame, state: &Position) -> Done<Option<Vec<String>>> {
        let lines = game
            .one("asking show/2", self.rules.contract.show, &[&state.0])
            .map_err(|fault| self.fault(&fault, &[]))?;
        let Some(lines) = lines else { return Ok(None) };
        let mut heap = crate::term::heap::Heap::default();
        let list = crate::term::pack::unpack(&mut heap, &lines);
        let (items, _) = heap.elements(list);
        let line = |item| match heap.view(item) {
            View::Atom(name) => name.text().to_string(),
            View::Text(length, words) => heap.text_of(length, words),
            _ => {
                let mut out = String::new();
                write_at(&heap, item, 1200, plain_style(&self.rules), Variables::Cells, &mut out);
                out
            }
        };
        Ok(Some(items.into_iter().map(line).collect()))
    }

    /// The legal moves of a position.
    pub fn moves(&self, game: &RuleGame, state: &Position) -> Done<Vec<ShownMove>> {
        if game.turn(state).map_err(|fault| self.fault(&fault, &[]))? == Turn::Over {
            return Ok(Vec::new());
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves).map_err(|fault| self.fault(&fault, &[]))?;
        let shown = |mv: &RuleMove| {
            Ok(ShownMove { label: self.label(game, state, mv)?, next: self.position_text(game, &mv.next)? })
        };
        moves.iter().map(shown).collect()
    }

    /// The value of a position.
    pub fn value(&self, game: &RuleGame, state: &Position, how: &How<'_>, limits: &Limits<'_>) -> Done<Valued> {
        let limits = &Limits { longest: limits.longest.or(Some(LONGEST_LINE)), ..*limits };
        // The others have no use for one.
        let table = how.hash.filter(|_| how.algorithm.keeps_table()).map(|bytes| self.table(bytes)).transpose()?;
        let report = |found: &Iteration<RuleMove>| {
            if let Some(report) = how.report {
                let lines = found.lines.iter().map(|line| self.shown(game, state, line)).collect();
                let Iteration { depth, reached, exact, stats, .. } = *found;
                report(&Iteration { depth, reached, exact, stats, lines });
            }
        };
        let settings = Settings {
            lines: how.lines,
            table: table.as_ref(),
            heuristic: how.heuristic,
            seed: how.seed,
            report: Some(&report),
        };
        let quit = Arc::new(AtomicBool::new(false));
        let (rules, budget) = (&self.rules, self.budgets.game);
        let crew = Crew {
            helpers: how.threads.saturating_sub(1),
            after: WORTH_HELP,
            quit: &quit,
            game: &|| RuleGame::new(rules.clone(), budget, quit.clone()).ok(),
        };
        let found = match (how.algorithm, how.threads) {
            (Algorithm::Auto, 2..) => search::think_together(game, &RuleEval, state, limits, &settings, &crew),
            _ => search::think(how.algorithm, game, &RuleEval, state, limits, &settings),
        };
        let outcome = found.map_err(|error| self.search_error(game, state, error))?;
        let line = self.labels(game, state, &outcome.line);
        Ok(Valued {
            outcome: Outcome {
                best: line.first().cloned(),
                line,
                lines: outcome.lines.iter().map(|line| self.shown(game, state, line)).collect(),
                value: outcome.value,
                exact: outcome.exact,
                end: outcome.end,
                depth: outcome.depth,
                reached: outcome.reached,
                nodes: outcome.nodes,
                evals: outcome.evals,
                proof_nodes: outcome.proof_nodes,
                stopped: outcome.stopped,
                stats: outcome.stats,
            },
        })
    }

    /// A line of play as its reader names the moves.
    fn labels(&self, game: &RuleGame, state: &Position, moves: &[RuleMove]) -> Vec<String> {
        let mut at = state;
        let mut labels = Vec::with_capacity(moves.len());
        for mv in moves {
            labels.push(self.label(game, at, mv).unwrap_or_else(|_| self.term_text(mv.label())));
            at = &mv.next;
        }
        labels
    }

    fn shown(&self, game: &RuleGame, state: &Position, line: &Line<RuleMove>) -> Line<String> {
        Line { value: line.value, exact: line.exact, moves: self.labels(game, state, &line.moves), end: line.end }
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
        match error {
            SearchError::Fault { fault, line } => self.fault(&fault, &line),
            SearchError::Endless { line } => {
                let message = format!("a line of play is longer than {} plies, and may never end", line.len());
                let words: Vec<String> = line.iter().map(|mv| self.term_text(mv.label())).take(20).collect();
                let problem =
                    Problem::placeless("A0610", message).help(format!("it begins: {} ...\n{instead}", words.join(" ")));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
            SearchError::Repetition { line } if game.acyclic() => {
                let message = format!(
                    "the game calls itself acyclic, and a line of play repeats a position after {} plies",
                    line.len()
                );
                let problem = Problem::placeless("A0613", message).help(format!(
                    "the line: {}\nremove the fact acyclic, or mend the moves",
                    self.labels(game, state, &line).join(" ")
                ));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
            SearchError::Repetition { line } => {
                let labels = self.labels(game, state, &line);
                let problem = Problem::placeless(
                    "A0610",
                    format!("a line of play repeats a position after {} plies, so play need not end", line.len()),
                )
                .help(format!(
                    "the line: {}\n{instead}, or say what a repetition means: repetition(draw).",
                    labels.join(" ")
                ));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
        }
    }

    /// The number of move paths by depth.
    pub fn perft(&self, game: &RuleGame, state: &Position, depth: u32) -> Done<Perft> {
        perft(game, state, depth, Some(&self.stop)).map_err(|error| self.search_error(game, state, error))
    }

    /// What searching from these positions costs, and what it would cost at best.
    pub fn analyse(&self, game: &RuleGame, states: &[Position], depth: u32) -> Done<Analysis> {
        analyse((game, &RuleEval), states, depth, &self.stop)
            .map_err(|(number, error)| self.search_error(game, &states[number], error))
    }
}

fn plain_style(rules: &Rules) -> Style<'_> {
    Style { quoted: false, operators: Some(&rules.program.ops), number_vars: true, stop: None, limit: 1 << 16 }
}

/// Equal but for blanks.
fn same_text(left: &str, right: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    left == right || bare(left) == bare(right)
}
