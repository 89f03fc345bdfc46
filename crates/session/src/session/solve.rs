//! Solves a game written as rules, by several methods, and returns plain data.
//!
//! It takes a session, a start and options. It returns the value, best play and counts. On request it
//! writes the values to a database and a proof to a file.

use super::attempt::{RuleTask, SolveAttempt, Unsolved};
use super::census::SideCensus;
use super::database::Database;
use super::{Failure, GameStart, LONGEST_LINE, Session, SessionResult, proof};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, Score, Side};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::LineEnd;
use alphorn_search::search::{self, Algorithm, SearchSettings};
use alphorn_search::solve::interval::Interval;
use alphorn_search::solve::iterate::iterate;
use alphorn_search::solve::retrograde::{Solution, solve};
use alphorn_search::solve::strategy::{SolvedLine, line};
use alphorn_search::solve::{Method, SolveError, SolveTask, pns, winner};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// What to solve, and how.
pub struct SolveOptions<'a> {
    /// The method.
    pub method: Method,
    /// Whether to solve every position of `position/1` instead of one.
    pub all: bool,
    /// The database that receives the value of every position.
    pub save: Option<&'a Path>,
    /// The file that receives a proof of the value.
    pub proof: Option<&'a Path>,
    /// The maximum width of the interval around an average.
    pub accuracy: f64,
    /// The stop flag and the progress hook.
    pub limits: &'a Limits<'a>,
}

/// The result of solving.
#[derive(Clone, Debug)]
pub struct SolvedGame {
    /// The method used.
    pub method: Method,
    /// The value of the position; `None` for `--all`, and if solving stopped too early.
    pub score: Option<Score>,
    /// The bounds of a value that is an average.
    pub interval: Option<Interval>,
    /// The plies to the end with best play, if known.
    pub plies: Option<u32>,
    /// The line of best play, if known.
    pub line: Vec<String>,
    /// The number of solved positions, or of visited positions if the method stores none.
    pub positions: u64,
    /// The longest forced win of a side to move, in plies.
    pub longest: Option<u32>,
    /// The counts over `position/1`, with MAX and with MIN to move.
    pub all: Option<[SideCensus; 2]>,
    /// The number of values written to the database.
    pub saved: Option<u64>,
    /// The number of positions in the proof.
    pub proved: Option<u64>,
    /// The reason why the database or the proof could not be written.
    pub unwritten: Option<Box<Problem>>,
    /// Whether endless play is possible. It counts as a draw.
    pub may_be_endless: bool,
    /// Whether the stop flag ended solving.
    pub stopped: bool,
}

/// The relative width at which the interval of an average counts as closed, because of rounding.
pub const OPEN: f64 = 1e-9;

impl Session {
    /// Solves a position, or all positions of `position/1`.
    pub fn solve(&self, game: &RuleGame, start: &GameStart, asking: &SolveOptions<'_>) -> SessionResult<SolvedGame> {
        let task = SolveTask::new(game, &RuleEval, asking.limits, self.budgets.game.memory);
        self.check_asking(asking, (game.facts().has_chance, game.facts().draws_repetitions()))?;
        let roots = match asking.all {
            true => self.enumerated(game),
            false => self.position(game, start).map(|root| vec![root]),
        };
        let roots = match roots {
            Err(_) if asking.limits.stop.is_some_and(|stop| stop.load(Relaxed)) => {
                return Ok(self.blank(game, asking.method, true));
            }
            roots => roots?,
        };
        let chance = game.facts().has_chance && asking.method == Method::Auto;
        let found = match asking.method {
            method if chance || method == Method::Iteration => self.iteration(&task, &roots[0], asking),
            Method::Iteration => unreachable!("it was just asked for"),
            Method::Auto if searches(asking) => self.in_turns(&task, &roots[0], asking),
            Method::Retrograde | Method::Auto => solve(&task, &roots)
                .map_err(Unsolved::from)
                .and_then(|solution| self.of_solution(&task, &roots, &solution, asking)),
            Method::Pns => pns::prove(&task, &roots[0])
                .map_err(Unsolved::from)
                .and_then(|proof| self.of_proof(&task, &roots[0], &proof, asking)),
            Method::AlphaBeta => self.to_the_end(&task, &roots[0]),
        };
        found.or_else(|unsolved| match unsolved {
            Unsolved::Failure(failure) => Err(failure),
            Unsolved::Solve(SolveError::Stopped) => {
                let method = if chance { Method::Iteration } else { asking.method };
                Ok(SolvedGame { positions: task.met(), ..self.blank(game, method, true) })
            }
            Unsolved::Solve(error) => Err(self.solve_error(error, searches(asking))),
        })
    }

    /// Errs if the method does not support the options.
    fn check_asking(&self, asking: &SolveOptions<'_>, (has_chance, repeats): (bool, bool)) -> SessionResult<()> {
        if has_chance && !matches!(asking.method, Method::Auto | Method::Iteration) {
            return Err(self.chance_failure(&format!("--method {} cannot solve a game with chance/2", asking.method)));
        }
        let averages = has_chance || asking.method == Method::Iteration;
        if averages && (asking.all || asking.save.is_some() || asking.proof.is_some()) {
            return self.problem(
                Problem::placeless(
                    Code::MethodCannotSolve,
                    "--all, --save and --proof work with wins, losses and draws, not with averages",
                )
                .help("omit these options: alphorn solve FILE gives the value of one position"),
            );
        }
        if averages && repeats {
            return self.problem(
                Problem::placeless(
                    Code::MethodCannotSolve,
                    "a repetition is a draw in this game, so a value depends on the moves before",
                )
                .help("value iteration ignores the moves before; use alphorn value --depth N"),
            );
        }
        let keeps = matches!(asking.method, Method::Auto | Method::Retrograde);
        let refuse = |what: &str, methods: &str| {
            self.problem(
                Problem::placeless(Code::MethodCannotSolve, format!("{what} with --method {}", asking.method))
                    .help(format!("use --method {methods}")),
            )
        };
        if asking.all && !keeps {
            return refuse("--all needs the values of all positions, which are not known", "retrograde");
        }
        if asking.save.is_some() && !keeps {
            return refuse("--save needs the values of all positions, which are not known", "retrograde");
        }
        if asking.proof.is_some() && asking.method == Method::AlphaBeta {
            return refuse("--proof needs the values of many positions, which are not kept", "retrograde or pns");
        }
        if asking.proof.is_some() && asking.all {
            return self.problem(
                Problem::placeless(Code::MethodCannotSolve, "--proof works for one position, and --all for many")
                    .help("omit one of the two"),
            );
        }
        Ok(())
    }

    /// The positions of `position/1` without duplicates.
    fn enumerated(&self, game: &RuleGame) -> SessionResult<Vec<Position>> {
        let Some(mut positions) = game.positions().map_err(|fault| self.fault(&fault, &[]))? else {
            return self.problem(
                Problem::placeless(Code::MethodCannotSolve, "the game defines no position/1, which --all needs")
                    .help("define position(Pos) with an answer for every position, or omit --all"),
            );
        };
        let mut seen = FxHashSet::default();
        positions.retain(|position| seen.insert(position.clone()));
        Ok(positions)
    }

    pub(super) fn blank(&self, game: &RuleGame, method: Method, stopped: bool) -> SolvedGame {
        SolvedGame {
            method,
            score: None,
            interval: None,
            plies: None,
            line: Vec::new(),
            positions: 0,
            longest: None,
            all: None,
            saved: None,
            proved: None,
            unwritten: None,
            may_be_endless: !game.facts().is_acyclic && method != Method::Iteration,
            stopped,
        }
    }

    /// The solved game for the roots of an enumeration of all positions.
    pub(super) fn of_solution(
        &self,
        task: &RuleTask<'_>,
        roots: &[Position],
        solution: &Solution<Position>,
        asking: &SolveOptions<'_>,
    ) -> SolveAttempt<SolvedGame> {
        let mut found = SolvedGame {
            positions: solution.positions(),
            longest: solution.longest(),
            ..self.blank(task.game, Method::Retrograde, solution.stopped)
        };
        if asking.all {
            found.all = Some(self.census(task.game, roots, solution)?);
        } else if let [root] = roots
            && let Some(known) = solution.roots().next().and_then(|root| root.known)
        {
            let best = line(task, root, |state| solution.known_of(state))?;
            found.score = Some(known.score);
            found.plies = known.plies.or_else(|| drawn_plies(&best));
            found.line = self.labels(task.game, root, &best.moves);
        }
        if let Some(path) = asking.save
            && !solution.stopped
        {
            let saved = Database::save(self, path, solution, asking.limits.stop);
            found.saved = self.written_or(saved.map_err(Unsolved::Failure), &mut found.unwritten);
        }
        if let (Some(path), Some(score), [root]) = (asking.proof, found.score, roots) {
            let proved = proof::write(self, task, solution, (root, score), path);
            found.proved = self.written_or(proved, &mut found.unwritten);
        }
        Ok(found)
    }

    /// The average of a position by value iteration; `None` if its interval stays open.
    pub(super) fn average(&self, game: &RuleGame, state: &Position, limits: &Limits<'_>) -> SessionResult<Option<f64>> {
        let task = SolveTask::new(game, &RuleEval, limits, self.budgets.game.memory);
        let found = iterate(&task, state, 1e-12).map_err(|error| self.solve_error(error, false))?;
        let folded = game.canonical(state).map_err(|fault| self.fault(&fault, &[]))?;
        let (low, high) = found.of(&folded).expect("it was begun with");
        let closed = high - low <= OPEN * low.abs().max(high.abs()).max(1.0);
        Ok((closed && !found.stopped).then_some((low + high) / 2.0))
    }

    /// Solves by value iteration. The best move has the best bound of its interval.
    fn iteration(&self, task: &RuleTask<'_>, root: &Position, asking: &SolveOptions<'_>) -> SolveAttempt<SolvedGame> {
        let found = iterate(task, root, asking.accuracy)?;
        let of = |state: &Position| -> SolveAttempt<Interval> {
            let folded = task.game.canonical(state).map_err(|fault| self.fault(&fault, &[]))?;
            Ok(found.of(&folded).expect("every position that can be reached was met"))
        };
        let (low, high) = of(root)?;
        let mut line = Vec::new();
        let turn = task.game.to_move(root).map_err(|fault| self.fault(&fault, &[]))?;
        if let Some(side) = turn.side() {
            let mut moves = Vec::new();
            task.game.moves(root, &mut moves).map_err(|fault| self.fault(&fault, &[]))?;
            let mut best: Option<(f64, RuleMove)> = None;
            for mv in moves {
                let (low, high) = of(&mv.next)?;
                let value = if side == Side::Max { low } else { -high };
                if best.as_ref().is_none_or(|(best, _)| value > *best) {
                    best = Some((value, mv));
                }
            }
            line.extend(best.map(|(_, mv)| self.labels(task.game, root, &[mv])).unwrap_or_default());
        }
        // While the interval is open, no number in it is the value.
        let closed = high - low <= asking.accuracy.max(OPEN * low.abs().max(high.abs()));
        Ok(SolvedGame {
            score: closed.then(|| Score::number((low + high) / 2.0)),
            interval: Some((low, high)),
            line,
            positions: found.positions(),
            ..self.blank(task.game, Method::Iteration, found.stopped)
        })
    }

    /// The solved game for a proof-number search: the winner, and a move that keeps the result.
    pub(super) fn of_proof(
        &self,
        task: &RuleTask<'_>,
        root: &Position,
        proof: &pns::ProofNumberResult,
        asking: &SolveOptions<'_>,
    ) -> SolveAttempt<SolvedGame> {
        let score = proof.winner.map_or(Score::Value(0.0), |side| Score::won_by(side, 0));
        let best: Vec<RuleMove> = proof.best(task, root)?.into_iter().collect();
        let mut found = SolvedGame {
            score: Some(score),
            positions: proof.positions,
            line: self.labels(task.game, root, &best),
            ..self.blank(task.game, Method::Pns, false)
        };
        if let Some(path) = asking.proof {
            let proved = proof::write(self, task, proof, (root, score), path);
            found.proved = self.written_or(proved, &mut found.unwritten);
        }
        Ok(found)
    }

    /// Solves by alpha-beta search to the end of the game.
    fn to_the_end(&self, task: &RuleTask<'_>, root: &Position) -> SolveAttempt<SolvedGame> {
        let limits = Limits { depth: None, longest: Some(LONGEST_LINE), ..*task.limits };
        // A table cannot hold values that depend on the line. It gets half of the memory.
        let keeps = !task.game.facts().draws_repetitions();
        let algorithm = if keeps { Algorithm::Mtdf } else { Algorithm::AlphaBeta };
        let table = keeps.then(|| self.table(task.memory / 2)).transpose()?;
        let settings = SearchSettings { table: table.as_ref(), ..SearchSettings::default() };
        let outcome = search::search_with(algorithm, task.game, task.heuristic, root, &limits, &settings)
            .map_err(|error| self.search_error_with_help(task.game, root, error, "use --method retrograde or pns"))?;
        Ok(SolvedGame {
            score: outcome.value.filter(|_| outcome.exact),
            plies: outcome.plies(),
            line: self.labels(task.game, root, &outcome.line),
            positions: outcome.nodes,
            stopped: outcome.stopped,
            ..self.blank(task.game, Method::AlphaBeta, false)
        })
    }

    /// The failure for a solve error. `searched` says whether proof-number search was among the methods.
    pub(super) fn solve_error(&self, error: SolveError<RuleFault>, searched: bool) -> Failure {
        let other = if searched { "--method alphabeta" } else { "--method pns, or alphabeta" };
        let problem = match error {
            SolveError::Fault(fault) => return self.fault(&fault, &[]),
            SolveError::Stopped | SolveError::Positions => Problem::placeless(Code::Interrupted, "stopped"),
            SolveError::Memory { positions } => Problem::placeless(
                Code::GameTooLarge,
                format!("solving needs more than {} MiB of memory", self.budgets.game.memory >> 20),
            )
            .help(format!(
                "the solver had visited {}\nallow more with --memory BYTES, such as --memory 8G; \
                 fold positions with canonical/2; or use {other}, which keeps fewer positions",
                plural(positions, "position", "positions")
            )),
            SolveError::Numbers => Problem::placeless(
                Code::MethodCannotSolve,
                "the game ends in numbers, but proof-number search supports only wins, losses and draws",
            )
            .help("use --method retrograde; or --method alphabeta, which keeps fewer positions"),
            SolveError::Chance => return self.chance_failure("this method cannot solve games with chance"),
            SolveError::Cycle => Problem::placeless(
                Code::RepeatsInAcyclicGame,
                "acyclic is declared, but a position can repeat",
            )
            .help(
                "remove the fact acyclic, or correct the moves: alphorn check --playouts 100 FILE may find the place",
            ),
        };
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }
}

/// Whether proof-number search is the method, or one of the methods that take turns.
fn searches(asking: &SolveOptions<'_>) -> bool {
    asking.method == Method::Pns || asking.method == Method::Auto && !asking.all && asking.save.is_none()
}

/// The plies to the end of a drawn game that ends by the rules.
fn drawn_plies(best: &SolvedLine<RuleMove, Position>) -> Option<u32> {
    matches!(best.end, Some(LineEnd::Ended(_))).then(|| best.moves.len() as u32)
}

/// The winner at this score, by its sign.
pub fn score_winner(score: Score) -> Option<Side> {
    winner(score).or(match score {
        Score::Value(number) if number > 0.0 => Some(Side::Max),
        Score::Value(number) if number < 0.0 => Some(Side::Min),
        _ => None,
    })
}
