//! How fast the search core is by itself: connect four in Rust on our [`Game`], beside the crate
//! `minimax` on the same board, with the same evaluation.
//!
//! In: nothing. Out: a table in Markdown for docs/speed.md: CPU seconds and positions visited of
//! iterative deepening from the empty board, one thread, tables of 64 MB; medians of runs taken in
//! turn, so that the ratios survive a machine whose speed drifts. The crate runs with its plain
//! settings and with those of its own connect four; both must find the value that we find. If not,
//! the exit status is 1.
//!
//! `cargo bench --bench core -- [-n REPS] [-d DEPTH]...`

use alphorn::game::{Game, GameFacts, GameResult, Heuristic, Score, Side, ToMove};
use alphorn::search::limits::Limits;
use alphorn::search::{Algorithm, SearchSettings, TranspositionTable, search_with};
use clap::Parser;
use cpu_time::ThreadTime;
use minimax::{IterativeOptions, IterativeSearch, Strategy};
use std::convert::Infallible;
use std::hint::black_box;
use std::process::ExitCode;

/// What may be typed.
#[derive(Parser)]
#[command(about = "Times the search core beside the crate minimax")]
struct Options {
    /// How often each search is run
    #[arg(short = 'n', default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    reps: u32,
    /// Depths in plies
    #[arg(short = 'd', value_name = "DEPTH", default_values_t = [12u8, 14])]
    depths: Vec<u8>,
    /// Given by `cargo bench`; without it, as under `cargo test`, nothing is measured
    #[arg(long, hide = true)]
    bench: bool,
}

/// Bytes of everybody's table.
const TABLE: usize = 64 << 20;

// The board and what it is worth: one piece of code for both.

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// Bits of a column: one more than its rows, so that no line runs into the next column.
const HEIGHT: u32 = ROWS + 1;
const COLUMN: u64 = (1 << ROWS) - 1;
/// The lowest cell of every column.
const FLOOR: u64 = 0x0408_1020_4081;
const CELLS: u64 = FLOOR * COLUMN;
const MIDDLE: u64 = COLUMN << (2 * HEIGHT) | COLUMN << (3 * HEIGHT) | COLUMN << (4 * HEIGHT);

/// A board: the discs of whoever moves, and those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board {
    own: u64,
    other: u64,
}

impl Board {
    const EMPTY: Board = Board { own: 0, other: 0 };

    fn taken(self) -> u64 {
        self.own | self.other
    }

    fn is_open(self, column: u32) -> bool {
        self.taken() >> (column * HEIGHT + ROWS - 1) & 1 == 0
    }

    fn drop(self, column: u32) -> Board {
        let disc = (self.taken() + (1 << (column * HEIGHT))) & (COLUMN << (column * HEIGHT));
        Board { own: self.other, other: self.own | disc }
    }

    /// Whether whoever has just moved has four in a row.
    fn is_won(self) -> bool {
        [1, HEIGHT, HEIGHT + 1, HEIGHT - 1].into_iter().any(|step| {
            let pairs = self.other & (self.other >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    fn is_full(self) -> bool {
        self.taken() == CELLS
    }

    /// Empty cells in which a disc would make four of `discs`.
    fn fourths(self, discs: u64) -> u64 {
        let free = CELLS & !self.taken();
        [1, HEIGHT, HEIGHT + 1, HEIGHT - 1].into_iter().fold(0, |found, step| {
            let pairs = discs & (discs << step);
            let (ahead, behind) = (pairs & (discs << (2 * step)), discs & (discs >> step));
            let three = ahead << step | (behind & (discs >> (2 * step))) >> step;
            let gaps = pairs << step & (discs >> step) | behind >> step & (discs << step);
            found | (three | gaps) & free
        })
    }

    /// What the board looks like to whoever moves: fours that could be made next, fours that could
    /// be made one disc higher, discs in the three columns of the middle.
    fn looks(self) -> i16 {
        let next = (self.taken() + FLOOR) & CELLS;
        let above = next << 1 & CELLS;
        let worth = |discs: u64| {
            let fourths = self.fourths(discs);
            10 * (fourths & next).count_ones() + 5 * (fourths & above).count_ones() + (discs & MIDDLE).count_ones()
        };
        worth(self.own) as i16 - worth(self.other) as i16
    }
}

// Our game.

struct ConnectFour;

impl ConnectFour {
    /// Max begins: it is Max's turn while the discs are even.
    fn mover(board: Board) -> Side {
        if board.taken().count_ones().is_multiple_of(2) { Side::Max } else { Side::Min }
    }
}

impl Game for ConnectFour {
    type State = Board;
    type Move = u8;
    type Fault = Infallible;

    fn to_move(&self, &board: &Board) -> Result<ToMove, Infallible> {
        Ok(match Self::mover(board) {
            _ if board.is_won() || board.is_full() => ToMove::Over,
            Side::Max => ToMove::Max,
            Side::Min => ToMove::Min,
        })
    }

    fn moves(&self, &board: &Board, moves: &mut Vec<u8>) -> Result<(), Infallible> {
        moves.extend((0..COLUMNS as u8).filter(|&column| board.is_open(u32::from(column))));
        Ok(())
    }

    fn apply(&self, &board: &Board, &column: &u8) -> Result<Board, Infallible> {
        Ok(board.drop(u32::from(column)))
    }

    fn move_key(&self, board: &Board, &column: &u8) -> u64 {
        // The cell, spread over all bits.
        let height = (board.taken() >> (u32::from(column) * HEIGHT) & COLUMN).trailing_ones();
        (u64::from(column) * 8 + u64::from(height) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn facts(&self) -> GameFacts {
        GameFacts { is_acyclic: true, ..GameFacts::default() }
    }

    fn result(&self, &board: &Board) -> Result<Option<GameResult>, Infallible> {
        Ok(Some(match (board.is_won(), Self::mover(board)) {
            (false, _) => GameResult::Draw,
            (true, Side::Max) => GameResult::Won(Side::Min),
            (true, Side::Min) => GameResult::Won(Side::Max),
        }))
    }
}

struct Looks;

impl Heuristic<ConnectFour> for Looks {
    fn evaluate(&self, _: &ConnectFour, &board: &Board) -> Result<f64, Infallible> {
        let looks = f64::from(board.looks());
        Ok(if ConnectFour::mover(board) == Side::Max { looks } else { -looks })
    }
}

/// The value, if it is a number, and positions visited.
fn ours(depth: u8) -> (Option<f64>, u64) {
    let table = TranspositionTable::new(TABLE as u64).expect("there is room");
    let settings = SearchSettings { table: Some(&table), ..SearchSettings::default() };
    let limits = Limits::to_depth(u32::from(depth));
    let found = search_with(Algorithm::Auto, &ConnectFour, &Looks, &Board::EMPTY, &limits, &settings);
    let found = found.expect("nothing can go wrong, and the game is acyclic");
    let value = found.value.and_then(|score| match score {
        Score::Value(number) => Some(number),
        _ => None,
    });
    (value, found.nodes)
}

// The crate's.

/// The crate's board carries its hash, kept up with every disc.
#[derive(Clone)]
struct Hashed {
    board: Board,
    hash: u64,
}

struct Theirs;

/// A number for every cell and colour.
fn salt(disc: u64, second: bool) -> u64 {
    let mut word = (u64::from(disc.trailing_zeros()) * 2 + u64::from(second) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

impl minimax::Game for Theirs {
    type S = Hashed;
    type M = u8;

    fn generate_moves(state: &Hashed, moves: &mut Vec<u8>) -> Option<minimax::Winner> {
        if let Some(winner) = Self::get_winner(state) {
            return Some(winner);
        }
        moves.extend((0..COLUMNS as u8).filter(|&column| state.board.is_open(u32::from(column))));
        None
    }

    fn apply(state: &mut Hashed, column: u8) -> Option<Hashed> {
        let board = state.board.drop(u32::from(column));
        let second = !state.board.taken().count_ones().is_multiple_of(2);
        Some(Hashed { board, hash: state.hash ^ salt(board.taken() ^ state.board.taken(), second) })
    }

    fn get_winner(state: &Hashed) -> Option<minimax::Winner> {
        match (state.board.is_won(), state.board.is_full()) {
            (true, _) => Some(minimax::Winner::PlayerJustMoved),
            (false, true) => Some(minimax::Winner::Draw),
            (false, false) => None,
        }
    }

    fn zobrist_hash(state: &Hashed) -> u64 {
        state.hash
    }
}

#[derive(Clone)]
struct TheirLooks;

impl minimax::Evaluator for TheirLooks {
    type G = Theirs;

    fn evaluate(&self, state: &Hashed) -> minimax::Evaluation {
        state.board.looks()
    }
}

/// The settings with which the crate is run.
const SETTINGS: [&str; 3] = ["plain", "aspiration", "aspiration, countermoves"];

fn theirs(depth: u8, settings: usize) -> (Option<f64>, u64) {
    let options = IterativeOptions::new().with_table_byte_size(TABLE);
    let options = match settings {
        0 => options,
        1 => options.with_aspiration_window(5),
        _ => options.with_aspiration_window(5).with_countermoves().with_countermove_history(),
    };
    let mut search = IterativeSearch::new(TheirLooks, options);
    search.set_max_depth(depth);
    let mut root = Hashed { board: Board::EMPTY, hash: 0 };
    black_box(search.choose_move(&root));
    // It tells its count in words alone: "Explored 123 nodes".
    let told = search.stats(&mut root);
    let nodes = told.split_once("Explored ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    (Some(f64::from(search.root_value())), nodes.unwrap_or(0))
}

/// A search: its value and the positions that it visited.
type Run = Box<dyn Fn() -> (Option<f64>, u64)>;

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn main() -> ExitCode {
    let options = Options::parse();
    if !options.bench {
        return ExitCode::SUCCESS;
    }
    let mut agree = true;
    println!("| depth | search | CPU s | positions | million a second | ours took |\n|---|---|---:|---:|---:|---:|");
    for &depth in &options.depths {
        let runs: Vec<Run> = [Box::new(move || ours(depth)) as Box<_>]
            .into_iter()
            .chain((0..SETTINGS.len()).map(|at| Box::new(move || theirs(depth, at)) as Box<_>))
            .collect();
        let mut seconds = vec![Vec::new(); runs.len()];
        let mut found = vec![(None, 0); runs.len()];
        for _ in 0..options.reps {
            for (at, run) in runs.iter().enumerate() {
                let begun = ThreadTime::now();
                found[at] = run();
                seconds[at].push(begun.elapsed().as_secs_f64());
            }
        }
        let medians: Vec<f64> = seconds.into_iter().map(median).collect();
        for (at, (&took, (value, nodes))) in medians.iter().zip(&found).enumerate() {
            let who = match at {
                0 => "alphorn, auto".to_string(),
                _ => format!("minimax, {}", SETTINGS[at - 1]),
            };
            let rate = *nodes as f64 / took / 1e6;
            println!("| {depth} | {who} | {took:.3} | {nodes} | {rate:.1} | {:.2} |", medians[0] / took);
            if *value != found[0].0 {
                eprintln!("{who} finds {value:?} at depth {depth}, and alphorn {:?}", found[0].0);
                agree = false;
            }
        }
    }
    if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
