//! Proof files: writes the proof of a value, and reads and verifies it.
//!
//! It writes the result of a solver to a file, or returns whether a proof is right. The format is that of
//! docs/commands.md: the claim of a side, then the positions of a strategy as terms, one on each line.
//! Reading uses no solver: `verify` alone checks what is read.

use super::attempt::{RuleTask, SolveAttempt, Unsolved};
use super::writing::{FileFormat, PROOF as HEAD, PendingFile, check_not_rules, check_replaceable};
use super::{Failure, Session, SessionResult};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::size;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, term};
use alphorn_search::game::{Score, Side};
use alphorn_search::solve::strategy::{DistanceGuide, StrategyAim, StrategyError, strategy};
use alphorn_search::solve::winner;
use alphorn_search::verify::{ProofStep, StrategyClaim, VerifyError, check};
use alphorn_text::code::Code;
use alphorn_text::interrupt::InterruptibleWriter;
use alphorn_text::report::Problem;
use alphorn_text::source::{unreadable, unwritable};
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::path::Path;

/// The memory in bytes that reading one byte of a line as a term may take.
const READING: u64 = 64;
/// The memory in bytes of a line of a proof without its positions: the line and its map entry.
const KEPT: u64 = 192;

/// The help for a proof that cannot be read.
pub const NO_PROOF: &str = "name a file that alphorn solve FILE --proof PROOF wrote";

/// The result of verifying a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum ProofStatus {
    /// The proof is right.
    Proved {
        /// The position that the proof is about.
        position: String,
        /// The winner; `None` for a number.
        winner: Option<Side>,
        /// The number, if no side can force a win.
        number: Option<f64>,
        /// The maximum number of plies to the win.
        plies: Option<u32>,
        /// The number of positions in the proof.
        positions: u64,
    },
    /// The proof is wrong at this line, for this reason.
    Refused {
        /// The line, from 1.
        line: u64,
        /// The reason.
        why: String,
    },
    /// The stop flag was set.
    Stopped,
}

/// Writes a proof that `root` is worth `score`. Returns the number of its positions.
pub(super) fn write(
    session: &Session,
    task: &RuleTask<'_>,
    guide: &impl DistanceGuide<RuleGame>,
    (root, score): (&Position, Score),
    path: &Path,
) -> SolveAttempt<u64> {
    check_not_rules(path, &session.files()).map_err(Unsolved::Failure)?;
    check_replaceable(path, FileFormat::Proof).map_err(Unsolved::Failure)?;
    // Errors name the path that the user typed, not the temporary one.
    let told = |error: io::Error| Unsolved::Failure(cannot_write(session, path, &error));
    let pending = PendingFile::new(path, &session.files()).map_err(Unsolved::Failure)?;
    let file = pending.create_unless(&session.stop).map_err(told)?;
    let count = write_to(session, task, guide, (root, score), (path, file))?;
    pending.finish().map_err(told)?;
    Ok(count)
}

/// Writes a proof to an open file with a temporary name.
fn write_to(
    session: &Session,
    task: &RuleTask<'_>,
    guide: &impl DistanceGuide<RuleGame>,
    (root, score): (&Position, Score),
    (path, file): (&Path, File),
) -> SolveAttempt<u64> {
    let told = |error: io::Error| Unsolved::Failure(cannot_write(session, path, &error));
    let mut file = BufWriter::new(InterruptibleWriter::new(file, &session.stop).map_err(told)?);
    writeln!(file, "{HEAD}\nposition {}", session.term_text(&root.0)).map_err(told)?;
    let parts = match (winner(score), score) {
        (Some(side), _) => vec![(side, StrategyAim::Win)],
        (None, Score::Value(number)) => {
            vec![(Side::Max, StrategyAim::Number(number)), (Side::Min, StrategyAim::Number(number))]
        }
        (None, _) => Vec::new(),
    };
    let mut count = 0;
    for (side, aim) in parts {
        let who = side.key();
        match aim {
            StrategyAim::Win => writeln!(file, "{who} wins"),
            StrategyAim::Number(number) => writeln!(file, "{who} gets {}", number + 0.0),
        }
        .map_err(told)?;
        let told_all = strategy(task, guide, (side, aim), root, |step| {
            count += 1;
            match step.rank {
                Some(rank) => write!(file, "{rank}\t")?,
                None => write!(file, "-\t")?,
            }
            write!(file, "{}", session.term_text(&step.state.0))?;
            match step.next {
                Some(next) => writeln!(file, "\t{}", session.term_text(&next.0)),
                None => writeln!(file),
            }
        });
        match told_all {
            Ok(()) => {}
            Err(StrategyError::Told(error)) => return Err(told(error)),
            Err(StrategyError::Solve(error)) => return Err(error.into()),
            Err(StrategyError::Unknown) => return Err(Unsolved::Failure(unknown(session))),
        }
    }
    file.flush().and_then(|()| file.get_ref().sync_to_disk()).map_err(told)?;
    Ok(count)
}

fn cannot_write(session: &Session, path: &Path, error: &io::Error) -> Failure {
    let problem = Problem::placeless(Code::InvalidArgument, unwritable(&path.display().to_string(), error))
        .help("name a file in a folder where you may write");
    Failure::Problem(Box::new(problem), session.rules.program.sources.clone())
}

fn unknown(session: &Session) -> Failure {
    let problem = Problem::placeless(
        Code::MethodCannotSolve,
        "this method found the value, but did not keep enough positions for a proof",
    )
    .help("use --method retrograde, or allow more with --memory BYTES, such as --memory 8G");
    Failure::Problem(Box::new(problem), session.rules.program.sources.clone())
}

/// A part of a proof: the claim of a side, its line, and the steps below it.
struct Part {
    side: Side,
    claim: StrategyClaim,
    line: u64,
    steps: Vec<ProofStep<Position>>,
}

impl Session {
    /// The count of a write. An error goes to `unwritten`, so the value found by solving is not lost.
    pub(super) fn written_or(&self, written: SolveAttempt<u64>, unwritten: &mut Option<Box<Problem>>) -> Option<u64> {
        let failure = match written {
            Ok(count) => return Some(count),
            Err(Unsolved::Solve(alphorn_search::solve::SolveError::Stopped)) => return None,
            Err(Unsolved::Failure(failure)) => failure,
            Err(Unsolved::Solve(error)) => self.solve_error(error, false),
        };
        let problem = failure.report().problems.into_iter().next();
        *unwritten = unwritten.take().or(problem.map(Box::new));
        None
    }

    /// Checks a proof by the rules of this game.
    pub fn verify(&self, game: &RuleGame, name: &str, proof: impl BufRead) -> SessionResult<ProofStatus> {
        let (root, parts) = match self.read_proof(proof) {
            Ok(read) => read,
            Err(ProofReadError::Refused(line, why)) => return Ok(ProofStatus::Refused { line, why }),
            Err(ProofReadError::TooLarge(line)) => {
                let memory = self.budgets.game.memory;
                let message = format!("the proof {name} needs more than {} of memory, at line {line}", size(memory));
                let help = "allow more with --memory BYTES, such as --memory 4G";
                return self.problem(Problem::placeless(Code::TooMuchMemory, message).help(help));
            }
            Err(ProofReadError::Io(error)) => {
                return self
                    .problem(Problem::placeless(Code::InvalidArgument, unreadable(name, &error)).help(NO_PROOF));
            }
        };
        let mut positions = 0;
        for Part { side, claim, line, steps } in &parts {
            positions += steps.len() as u64;
            match check((game, &RuleEval, &self.stop), &root, (*side, *claim, *line), steps) {
                Ok(()) => {}
                Err(VerifyError::Stopped) => return Ok(ProofStatus::Stopped),
                Err(VerifyError::Refused { line, why }) => {
                    return Ok(ProofStatus::Refused { line, why: why.to_string() });
                }
                // The terms of a proof need not be positions of this game, so the rules may fail.
                Err(VerifyError::Fault { line, fault }) => {
                    let why = fault.problem(&self.rules.program, &[]).message;
                    return Ok(ProofStatus::Refused {
                        line,
                        why: format!("the rules end in an error in this position: {why}"),
                    });
                }
            }
        }
        let last = parts.last().map_or(2, |part| part.line + part.steps.len() as u64);
        let claims: Vec<(Side, StrategyClaim)> = parts.iter().map(|part| (part.side, part.claim)).collect();
        let (winner, number) = match claims[..] {
            [(side, StrategyClaim::Wins)] => (Some(side), None),
            [(Side::Max, StrategyClaim::Gets(least)), (Side::Min, StrategyClaim::Gets(most))] if least == most => {
                (None, Some(least))
            }
            _ => {
                let why = "a proof must show that one side wins, or that max and min get the same number";
                return Ok(ProofStatus::Refused { line: last, why: why.to_string() });
            }
        };
        let first = parts.iter().flat_map(|part| part.steps.iter()).find(|step| step.state == root);
        let plies = winner.and(first.map_or(Some(0), |step| step.rank));
        Ok(ProofStatus::Proved { position: self.term_text(&root.0), winner, number, plies, positions })
    }

    fn read_proof(&self, mut proof: impl BufRead) -> Result<(Position, Vec<Part>), ProofReadError> {
        let (mut root, mut parts): (Option<Position>, Vec<Part>) = (None, Vec::new());
        let (mut text, mut number, mut kept) = (String::new(), 0, 0);
        loop {
            text.clear();
            let most = self.budgets.game.memory / READING;
            if proof.by_ref().take(most).read_line(&mut text).map_err(ProofReadError::Io)? == 0 {
                break;
            }
            number += 1;
            if text.len() as u64 == most && !text.ends_with('\n') || kept > self.budgets.game.memory {
                return Err(ProofReadError::TooLarge(number));
            }
            let line = text.trim_end_matches(['\n', '\r']);
            let refuse = |why: &str| ProofReadError::Refused(number, why.to_string());
            if number == 1 {
                if line != HEAD {
                    return Err(refuse("the first line must be: alphorn proof 1"));
                }
            } else if number == 2 {
                let position =
                    line.strip_prefix("position ").ok_or_else(|| refuse("the second line must be: position POS"))?;
                root = Some(self.proof_term(position, number)?);
            } else if line.starts_with("max ") || line.starts_with("min ") {
                let (side, claim) = part(line).ok_or_else(|| refuse("a part begins: max wins, or: max gets NUMBER"))?;
                parts.push(Part { side, claim, line: number, steps: Vec::new() });
            } else {
                let Some(part) = parts.last_mut() else {
                    return Err(refuse("a part begins: max wins, or: max gets NUMBER"));
                };
                let fields: Vec<&str> = line.split('\t').collect();
                let (rank, state, next) = match fields[..] {
                    [rank, state] => (rank, state, None),
                    [rank, state, next] => (rank, state, Some(next)),
                    _ => {
                        return Err(refuse(
                            "a line must be a rank, a position and perhaps the next one, separated by tabs",
                        ));
                    }
                };
                let rank = match rank {
                    "-" => None,
                    rank => Some(rank.parse().map_err(|_| refuse("a rank must be a whole number, or -"))?),
                };
                let state = self.proof_term(state, number)?;
                let next = next.map(|next| self.proof_term(next, number)).transpose()?;
                kept += state.0.bytes() + next.as_ref().map_or(0, |next| next.0.bytes()) + KEPT;
                part.steps.push(ProofStep { line: number, rank, state, next });
            }
        }
        match root {
            Some(root) => Ok((root, parts)),
            None => Err(ProofReadError::Refused(number.max(1), "the proof ends before its position".to_string())),
        }
    }

    fn proof_term(&self, text: &str, line: u64) -> Result<Position, ProofReadError> {
        match term(text, &self.rules.program.ops) {
            Ok(packed) if packed.is_ground() => Ok(Position(packed)),
            Ok(_) => Err(ProofReadError::Refused(line, "a position cannot contain variables".to_string())),
            Err(problem) => {
                Err(ProofReadError::Refused(line, format!("the position cannot be read: {}", problem.message)))
            }
        }
    }
}

/// The reason why a text is no proof.
enum ProofReadError {
    Refused(u64, String),
    /// This line needs more memory than allowed.
    TooLarge(u64),
    Io(io::Error),
}

/// Parses the claim of a part: `max wins`, `min gets 0`.
fn part(line: &str) -> Option<(Side, StrategyClaim)> {
    let (side, what) = line.split_once(' ')?;
    let side = if side == "max" { Side::Max } else { Side::Min };
    let claim = match what.split_once(' ') {
        None if what == "wins" => StrategyClaim::Wins,
        Some(("gets", number)) => StrategyClaim::Gets(number.parse().ok().filter(|number: &f64| number.is_finite())?),
        _ => return None,
    };
    Some((side, claim))
}
