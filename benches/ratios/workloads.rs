//! What the bench runs, and how each system is asked for it.
//!
//! In: a workload, the folder of the other systems' programs. Out: the program, the goal, and the
//! command lines; what alphorn printed, as the others print it. Must not know how time is taken.

use serde_json::Value;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A program to time, and how often the Rust by hand repeats it to be measurable.
pub struct Workload {
    /// File in `bench/` or `games/`, without its ending.
    file: &'static str,
    work: Work,
    pub rust_repeats: u32,
}

/// What is asked of the program.
#[derive(Clone, Copy)]
enum Work {
    /// A goal; alphorn answers it as a query.
    Goal(&'static str),
    /// The textbook's alpha-beta of `search.pl` with its strict cuts. Alphorn's own search has no
    /// such cuts, so it runs the Prolog one, as a query.
    Bratko(u32),
    Minimax,
    AlphaBeta(u32),
    Perft(u32),
    /// The same on rules in `natural/`, as people write them who do not think of speed.
    Natural(u32),
}

use Work::{AlphaBeta, Bratko, Goal, Minimax, Natural, Perft};

/// Everything that is timed.
pub const WORKLOADS: &[Workload] = &[
    row("nrev", Goal("bench(100000)"), 0),
    row("tak", Goal("bench(24-16-8)"), 0),
    row("queens", Goal("bench(11)"), 0),
    row("connect4", Bratko(8), 20),
    row("othello", Bratko(8), 20),
    row("tictactoe", Minimax, 30),
    row("nim", Minimax, 100),
    row("connect4", AlphaBeta(8), 30),
    row("connect4_bits", AlphaBeta(8), 50),
    row("othello", AlphaBeta(8), 30),
    row("breakthrough", AlphaBeta(6), 50),
    row("krk", AlphaBeta(7), 30),
    row("tictactoe", Perft(9), 50),
    row("connect4", Perft(7), 30),
    row("connect4_bits", Perft(7), 50),
    row("othello", Perft(7), 50),
    row("breakthrough", Perft(5), 20),
    row("krk", Perft(6), 20),
    row("amazons", Natural(3), 0),
    row("atarigo", Natural(4), 0),
    row("connect4", Natural(6), 0),
    row("draughts", Natural(8), 0),
    row("gomoku", Natural(4), 0),
    row("hex", Natural(5), 0),
    row("mancala", Natural(7), 0),
    row("morris", Natural(5), 0),
    row("othello", Natural(6), 0),
    row("quoridor", Natural(3), 0),
    row("rookend", Natural(4), 0),
    row("ultimate", Natural(4), 0),
];

const fn row(file: &'static str, work: Work, rust_repeats: u32) -> Workload {
    Workload { file, work, rust_repeats }
}

impl Workload {
    /// What the table calls it.
    pub fn name(&self) -> String {
        match self.work {
            Goal(_) => self.file.to_string(),
            Bratko(depth) => format!("{} bratko {depth}", self.file),
            Minimax => format!("{} minimax", self.file),
            AlphaBeta(depth) => format!("{} alphabeta {depth}", self.file),
            Perft(depth) => format!("{} perft {depth}", self.file),
            Natural(depth) => format!("natural {} perft {depth}", self.file),
        }
    }

    /// Whether alphorn plays it with its own search, and its rules were written for speed.
    pub fn is_game(&self) -> bool {
        !matches!(self.work, Goal(_) | Bratko(_) | Natural(_))
    }

    /// Whether its rules are as people write them; they use what GNU Prolog does not have.
    pub fn is_natural(&self) -> bool {
        matches!(self.work, Natural(_))
    }

    /// The goal that a Prolog system runs.
    pub fn goal(&self) -> String {
        match self.work {
            Goal(goal) => goal.to_string(),
            Bratko(depth) => format!("run(bratko({depth}))"),
            Minimax => "run(minimax)".to_string(),
            AlphaBeta(depth) => format!("run(alphabeta({depth}))"),
            Perft(depth) => format!("run(perft({depth}))"),
            Natural(depth) => format!("pf_run({depth})"),
        }
    }

    /// The text for a Prolog system: a game with the searches behind it.
    pub fn program(&self, peers: &Path) -> io::Result<String> {
        match self.work {
            Goal(_) => fs::read_to_string(peers.join("bench").join(self.file).with_extension("pl")),
            Natural(_) => Ok(fs::read_to_string(self.rules(peers))? + &fs::read_to_string(peers.join("natural.pl"))?),
            _ => Ok(fs::read_to_string(self.rules(peers))? + &fs::read_to_string(peers.join("search.pl"))?),
        }
    }

    fn rules(&self, peers: &Path) -> PathBuf {
        let folder = if self.is_natural() { "natural" } else { "games" };
        peers.join(folder).join(self.file).with_extension("pl")
    }

    /// What to call alphorn with; `program` is the file with [`Workload::program`] in it.
    pub fn alphorn(&self, peers: &Path, program: &Path) -> Vec<String> {
        match self.work {
            Goal(_) | Bratko(_) => line(&[&"query", &program.display(), &self.goal(), &"--steps", &0, &"--json"]),
            Minimax => line(&[&"value", &self.rules(peers).display(), &"--algorithm", &"minimax", &"--json"]),
            AlphaBeta(depth) => {
                let rules = self.rules(peers);
                line(&[&"value", &rules.display(), &"--algorithm", &"alphabeta", &"--depth", &depth, &"--json"])
            }
            Perft(depth) | Natural(depth) => {
                line(&[&"perft", &self.rules(peers).display(), &"--depth", &depth, &"--json"])
            }
        }
    }

    /// What alphorn found, in the form in which the others print it.
    pub fn found(&self, printed: &str) -> Option<String> {
        let json: Value = serde_json::from_str(printed.lines().next()?).ok()?;
        Some(match self.work {
            Goal(_) | Bratko(_) => json["output"].as_str()?.trim().to_string(),
            Minimax => format!("minimax({},{})", json["value"], json["nodes"]),
            AlphaBeta(depth) => format!("alphabeta({depth},{},{})", json["value"], json["nodes"]),
            Perft(depth) => format!("perft({depth},{})", json["perft"].as_array()?.last()?["paths"]),
            Natural(_) => {
                let rows = json["perft"].as_array()?.iter().filter(|row| row["depth"].as_u64() > Some(0));
                rows.map(|row| format!("{} {}", row["depth"], row["paths"])).collect::<Vec<_>>().join("\n")
            }
        })
    }

    /// What to call the Rust by hand with.
    pub fn rust(&self) -> Vec<String> {
        let repeats = self.rust_repeats;
        match self.work {
            Goal(_) | Natural(_) => Vec::new(),
            Bratko(depth) => line(&[&self.file, &"bratko", &depth, &repeats]),
            Minimax => line(&[&self.file, &"minimax", &repeats]),
            AlphaBeta(depth) => line(&[&self.file, &"alphabeta", &depth, &repeats]),
            Perft(depth) => line(&[&self.file, &"perft", &depth, &repeats]),
        }
    }
}

/// The words of a command line.
pub fn line(words: &[&dyn Display]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}
