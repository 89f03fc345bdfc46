//! Tests that Alphorn and SWI-Prolog agree about every shipped game.
//!
//! The input is `tests/data/oracle/GAME[.NAME=VALUE,...].tsv`, which `tests/oracle/run.sh --write` makes with
//! SWI-Prolog; `tests/oracle/walk.pl` describes a line. For each line the test asks Alphorn for the player to
//! move, the end of the game, the value, and all moves in order. A hash stands for the text of the moves.

use alphorn::game::{Game, GameResult, Side, ToMove};
use alphorn::lang::ProgramOptions;
use alphorn::machine::store::Budget;
use alphorn::rules::fault::RuleFault;
use alphorn::rules::game::RuleGame;
use alphorn::rules::position::{Position, RuleMove, term};
use alphorn::rules::{Expected, load};
use alphorn::source::Source;
use alphorn::term::heap::Heap;
use alphorn::term::pack::{Packed, unpack};
use alphorn::term::write::{Variables, WriteOptions, write};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

const DATA: &str = "tests/data/oracle";
const HEADINGS: &str = "position\tside\tstate\teval\toutcome\tmoves\thash";
/// The number of positions in a file, unless the game has fewer.
const POSITIONS: usize = 200;
/// The number of differences that are reported for one file.
const MOST_TOLD: usize = 5;

/// The stems of the files in a folder that end in `ending`, sorted.
fn stems(folder: &str, ending: &str) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names =
        files.map(|file| file.expect("a folder lists its files").file_name().into_string().expect("names are UTF-8"));
    let mut found: Vec<String> = names.filter_map(|name| name.strip_suffix(ending).map(str::to_string)).collect();
    found.sort_unstable();
    found
}

/// A term as `tests/oracle/walk.pl` writes it.
fn canonical(packed: &Packed) -> String {
    let mut heap = Heap::default();
    let term = unpack(&mut heap, packed);
    let style = WriteOptions { quoted: true, operators: None, number_vars: false, stop: None, limit: usize::MAX };
    let mut out = String::new();
    write(&heap, term, style, Variables::Cells, &mut out);
    out
}

/// The hash FNV-1a of 64 bits.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A data file with its game.
struct Walk {
    /// The command line with which SWI-Prolog shows the moves of a position: the parts before and after the
    /// position.
    command: [String; 2],
    game: RuleGame,
    /// Whether the game defines `move/3`.
    labelled: bool,
}

impl Walk {
    /// Loads the game of the file `stem.tsv`.
    fn of(stem: &str) -> Result<Walk, String> {
        let (name, params) = stem.split_once('.').unwrap_or((stem, ""));
        let settings: Vec<(String, String)> = params
            .split(',')
            .filter(|param| !param.is_empty())
            .map(|param| param.split_once('=').map(|(name, value)| (name.to_string(), value.to_string())))
            .collect::<Option<_>>()
            .ok_or("the file's name is not GAME.NAME=VALUE,NAME=VALUE.tsv")?;
        let file = format!("games/{name}.pl");
        let rules = load(
            &[Source::read(&file)?],
            &[],
            &ProgramOptions { settings, ..ProgramOptions::default() },
            Expected::Game,
        );
        if rules.is_broken() {
            let problems: Vec<String> =
                rules.report.problems.iter().map(|problem| format!("{}: {}", problem.code, problem.message)).collect();
            return Err(format!("the game does not load: {}", problems.join("; ")));
        }
        let labelled = rules.contract.labelled.is_some();
        let game =
            RuleGame::new(rules, Budget::default(), Arc::new(AtomicBool::new(false))).map_err(|fault| told(&fault))?;
        Ok(Walk {
            command: [
                format!("swipl -q -p library=lib tests/oracle/walk.pl -- {file} moves"),
                params.replace(',', " "),
            ],
            game,
            labelled,
        })
    }

    /// The moves, each with its line of the hashed text.
    fn moves(&self, pos: &Position) -> Result<Vec<(String, String)>, String> {
        let mut moves = self.game.legal_moves(pos).map_err(|fault| told(&fault))?;
        if self.game.is_thrown(pos).map_err(|fault| told(&fault))? {
            moves.clear();
            let mut weights = Vec::new();
            self.game.chance_outcomes(pos, &mut moves, &mut weights).map_err(|fault| told(&fault))?;
            let line = |(mv, weight): (RuleMove, u64)| {
                let next = canonical(&mv.next.0);
                let line = format!("{weight}-{next}\n");
                (next, line)
            };
            return Ok(moves.into_iter().zip(weights).map(line).collect());
        }
        let lines = moves.into_iter().map(|mv| {
            let next = canonical(&mv.next.0);
            let line = if self.labelled { format!("{}->{next}\n", canonical(mv.label())) } else { format!("{next}\n") };
            (next, line)
        });
        Ok(lines.collect())
    }

    /// The difference from a line of the file. Adds the position and its successors to `open`.
    fn line(&self, line: &str, open: &mut HashSet<String>) -> Result<(), String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[text, side, state, eval, outcome, count, sum] = fields.as_slice() else {
            return Err(format!("{} fields in place of 7", fields.len()));
        };
        let contract = self.game.rules.contract;
        let packed = term(text, &self.game.rules.program.ops)
            .map_err(|problem| format!("the position cannot be read: {}", problem.message))?;
        same("position", text, &canonical(&packed))?;
        let pos = Position(packed);
        let asked = |what: &str, fault: RuleFault| format!("{what}: {}", told(&fault));

        let sides = self.game.sides(&pos).map_err(|fault| asked("side", fault))?;
        let ends =
            contract.terminal.is_some() && self.game.is_terminal(&pos).map_err(|fault| asked("terminal/1", fault))?;
        let thrown = !ends && self.game.is_thrown(&pos).map_err(|fault| asked("chance/2", fault))?;
        let found = match sides {
            _ if thrown => "chance",
            (Some(true), Some(true)) => "both",
            (Some(true), _) | (None, Some(false)) => "max",
            (Some(false), Some(true) | None) | (None, Some(true)) => "min",
            (Some(false), Some(false)) | (None, None) => "none",
        };
        same("side", side, found)?;

        let over = match contract.terminal {
            Some(_) => self.game.is_terminal(&pos).map_err(|fault| asked("terminal/1", fault))?,
            None => self.moves(&pos)?.is_empty(),
        };
        same("state", state, if over { "over" } else { "on" })?;

        let found = match contract.static_eval {
            Some(_) => Some(self.game.static_eval(&pos).map_err(|fault| asked("eval", fault))?),
            None => None,
        };
        if number(eval) != found {
            return Err(differs("eval", eval, &found.map_or("-".to_string(), |value| value.to_string())));
        }

        let found = match over {
            true => self.game.outcome(&pos).map_err(|fault| asked("outcome", fault))?,
            false => None,
        };
        if ending(outcome) != Ok(found) {
            return Err(differs("outcome", outcome, &format!("{found:?}")));
        }

        let moves = if over { Vec::new() } else { self.moves(&pos)? };
        let found: String = moves.iter().map(|(_, line)| line.as_str()).collect();
        if count != moves.len().to_string() || sum != format!("{:016x}", hash(&found)) {
            let [before, after] = &self.command;
            let told = format!("{} moves\n{found}", moves.len());
            return Err(format!(
                "{}\nSWI-Prolog's: {before} '{}' {after}",
                differs("moves", &format!("{count} of hash {sum}"), &told),
                text.replace('\'', "'\\''")
            ));
        }
        open.extend(moves.into_iter().map(|(next, _)| next));

        let ended = over || count == "0";
        let turn = self.game.to_move(&pos).map_err(|fault| asked("turn", fault));
        let expected = match side {
            _ if ended => ToMove::Over,
            "chance" => ToMove::Chance,
            "max" | "both" => ToMove::Max,
            _ => ToMove::Min,
        };
        match turn {
            Ok(turn) if turn == expected => Ok(()),
            Ok(turn) => Err(differs("turn", &format!("{expected:?}"), &format!("{turn:?}"))),
            Err(fault) => Err(fault),
        }
    }
}

fn told(fault: &RuleFault) -> String {
    format!("the rules fail while {}: {:?}", fault.doing, fault.wrong)
}

fn differs(what: &str, swi: &str, found: &str) -> String {
    format!("{what}: SWI-Prolog {swi}, Alphorn {found}")
}

fn same(what: &str, swi: &str, found: &str) -> Result<(), String> {
    if swi == found { Ok(()) } else { Err(differs(what, swi, found)) }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The end of the game that a text describes; `Ok(None)` for `-`.
fn ending(text: &str) -> Result<Option<GameResult>, ()> {
    match text {
        "-" => Ok(None),
        "draw" => Ok(Some(GameResult::Draw)),
        "win(max)" => Ok(Some(GameResult::Won(Side::Max))),
        "win(min)" => Ok(Some(GameResult::Won(Side::Min))),
        _ => {
            let points = text.strip_prefix("score(").and_then(|rest| rest.strip_suffix(')')).and_then(number);
            points.map(|points| Some(GameResult::Points(points))).ok_or(())
        }
    }
}

/// Checks a data file. Returns the differences.
fn check(stem: &str) -> Vec<String> {
    let path = format!("{DATA}/{stem}.tsv");
    let walk = match Walk::of(stem) {
        Ok(walk) => walk,
        Err(message) => return vec![format!("{path}: {message}")],
    };
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = text.lines();
    if lines.next() != Some(HEADINGS) {
        return vec![format!("{path}:1: not the headings {HEADINGS:?}")];
    }
    let mut differences = Vec::new();
    let mut listed = HashSet::new();
    let mut open = HashSet::new();
    for (index, line) in lines.enumerate() {
        let position = line.split('\t').next().unwrap_or_default();
        if !listed.insert(position.to_string()) {
            differences.push(format!("{path}:{}: listed before: {position}", index + 2));
        }
        if let Err(difference) = walk.line(line, &mut open) {
            differences.push(format!("{path}:{}: {difference}\nin {position}", index + 2));
        }
    }
    if differences.is_empty() && listed.len() < POSITIONS {
        let openings = walk.game.openings().unwrap_or_else(|fault| panic!("{path}: {}", told(&fault)));
        open.extend(openings.iter().map(|pos| canonical(&pos.0)));
        let missing = open.iter().find(|position| !listed.contains(*position));
        differences.extend(missing.map(|position| {
            format!("{path}: {} positions, and not that which can be reached: {position}", listed.len())
        }));
    }
    let untold = differences.len().saturating_sub(MOST_TOLD);
    differences.truncate(MOST_TOLD);
    if untold > 0 {
        differences.push(format!("{path}: {untold} differences more"));
    }
    differences
}

#[test]
fn every_game_has_data() {
    let files = stems(DATA, ".tsv");
    let missing: Vec<String> = stems("games", ".pl").into_iter().filter(|game| !files.contains(game)).collect();
    assert!(missing.is_empty(), "no {DATA}/GAME.tsv for {}: run tests/oracle/run.sh --write", missing.join(", "));
}

#[test]
fn every_position_is_as_in_swi_prolog() {
    let mut files = stems(DATA, ".tsv");
    assert!(!files.is_empty(), "{DATA} is empty");
    // The largest file comes first, so that no thread runs it alone at the end.
    files.sort_by_key(|stem| {
        std::cmp::Reverse(fs::metadata(Path::new(DATA).join(format!("{stem}.tsv"))).map_or(0, |file| file.len()))
    });
    let next = AtomicUsize::new(0);
    let differences: Mutex<Vec<(&String, Vec<String>)>> = Mutex::new(Vec::new());
    let work = || {
        while let Some(stem) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = check(stem);
            differences.lock().expect("no thread panics here").push((stem, found));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |cores| cores.get()) {
            scope.spawn(work);
        }
    });
    let mut differences = differences.into_inner().expect("no thread panicked");
    differences.sort_unstable_by_key(|(stem, _)| *stem);
    let differences: Vec<String> = differences.into_iter().flat_map(|(_, found)| found).collect();
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}
