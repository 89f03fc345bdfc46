//! Tests files of values: they are correct however the program ends, and serve only their own game.

use super::setting;
use super::shipped::{scratch, session};
use alphorn::game::{Game, ToMove};
use alphorn::search::Algorithm;
use alphorn::search::limits::Limits;
use alphorn::session::GameStart;
use alphorn::session::database::Database;
use alphorn::session::solve::SolveOptions;
use alphorn::solve::Method;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use redb::{ReadableDatabase, ReadableTable, TableDefinition};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The kind of a value, its number and a checksum.
type Row = (u8, u64, u32);

const VALUES: TableDefinition<'static, &str, Row> = TableDefinition::new("values");

/// All values in a file.
fn values(path: &Path) -> HashMap<String, Row> {
    let database = redb::Database::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let read = database.begin_read().expect("it can be read");
    let table = read.open_table(VALUES).expect("it has values");
    let rows = table.iter().expect("they can be read").map(|row| row.expect("they can be read"));
    rows.map(|(key, value)| (key.value().to_string(), value.value())).collect()
}

fn saving(path: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    let game = ["solve", "games/connect_four.pl", "-p", "width=4", "-p", "height=4", "-p", "row=3", "--save"];
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(game).arg(path).stdout(Stdio::null());
    command
}

/// After kill -9 at any moment there is no file, or a file that opens and contains only correct values.
#[test]
fn a_killed_run_leaves_only_true_values() {
    let whole = scratch("whole.db");
    let begun = Instant::now();
    assert!(saving(&whole).status().expect("it runs").success());
    let took = begun.elapsed();
    let truth = values(&whole);
    assert_eq!(truth.len(), 41_750);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut some, mut opened) = (0, 0);
    for number in 0..setting("ALPHORN_KILLS", 10) {
        let path = scratch(&format!("killed-{number}.db"));
        let mut child = saving(&path).spawn().expect("it runs");
        // Solving takes most of the time; the interesting part comes after it.
        std::thread::sleep(Duration::from_secs_f64(took.as_secs_f64() * random.random_range(0.3..1.0)));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let part = PathBuf::from(format!("{}.{}.part", path.display(), child.id()));
        let _ = fs::remove_file(part);
        if !path.exists() {
            continue;
        }
        opened += 1;
        let session = session("connect_four", "width=4 height=4 row=3", "");
        drop(Database::open(&session, &path).unwrap_or_else(|failure| panic!("{failure:?}")));
        let found = values(&path);
        some += u32::from(found.len() < truth.len() && !found.is_empty());
        for (position, value) in &found {
            assert_eq!(truth.get(position), Some(value), "{position}");
        }
        if number < 2 {
            assert!(saving(&path).status().expect("it runs").success(), "a file that was cut short is gone on with");
            assert_eq!(values(&path), truth);
        }
        let _ = fs::remove_file(&path);
    }
    eprintln!("{opened} files were there, {some} of them held some of the values");
    let _ = fs::remove_file(&whole);
}

#[test]
fn a_file_of_values_answers_for_its_own_game_alone() {
    let path = scratch("hexapawn.db");
    let hexapawn = session("hexapawn", "", "");
    let game = hexapawn.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let limits = Limits::default();
    let asking = SolveOptions {
        method: Method::Auto,
        all: false,
        save: Some(&path),
        proof: None,
        accuracy: 1e-12,
        limits: &limits,
    };
    let found = hexapawn.solve(&game, &GameStart::default(), &asking).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_eq!(found.saved, Some(135));
    let database = Database::open(&hexapawn, &path).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut state = hexapawn.position(&game, &GameStart::default()).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut plies = 6;
    while game.to_move(&state).is_ok_and(|turn| turn != ToMove::Over) {
        let known =
            hexapawn.looked_up(&game, &state, (&database, 1), &limits).unwrap_or_else(|failure| panic!("{failure:?}"));
        let known = known.expect("every position is there").outcome;
        let searched = hexapawn.value(&game, &state, &Algorithm::AlphaBeta.into(), &limits);
        let searched = searched.unwrap_or_else(|failure| panic!("{failure:?}")).outcome;
        assert_eq!((known.value, known.plies(), known.exact), (searched.value, Some(plies), true));
        assert_eq!(known.line.len() as u32, plies);
        let mut moves = Vec::new();
        game.moves(&state, &mut moves).unwrap_or_else(|fault| panic!("{fault:?}"));
        let best = moves.into_iter().find(|mv| {
            hexapawn.label(&game, &state, mv).unwrap_or_else(|failure| panic!("{failure:?}")) == known.line[0]
        });
        state = best.expect("the best move is legal").next;
        plies -= 1;
    }
    let other = session("hexapawn", "width=4", "");
    assert!(Database::open(&other, &path).is_err(), "another width is another game");
    fs::write(&path, "this is no database").expect("it can be written");
    assert!(Database::open(&hexapawn, &path).is_err(), "a text is no database");
    let _ = fs::remove_file(&path);
}

/// With any wrong bit a file gives correct values or a diagnostic, and no panic.
#[test]
fn a_damaged_file_gives_true_values_or_a_diagnostic() {
    let path = scratch("sound.db");
    let hexapawn = session("hexapawn", "", "");
    let game = hexapawn.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let limits = Limits::default();
    let asking = SolveOptions {
        method: Method::Auto,
        all: false,
        save: Some(&path),
        proof: None,
        accuracy: 1e-12,
        limits: &limits,
    };
    let found = hexapawn.solve(&game, &GameStart::default(), &asking).unwrap_or_else(|failure| panic!("{failure:?}"));
    let start = hexapawn.position(&game, &GameStart::default()).unwrap_or_else(|failure| panic!("{failure:?}"));
    let sound = fs::read(&path).expect("it was written");
    // Most of a small file is free space. Bytes other than zero are in use.
    let used: Vec<usize> = (0..sound.len()).filter(|at| sound[*at] != 0).collect();
    let damaged = scratch("damaged.db");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut told, mut true_values) = (0, 0);
    for number in 0..setting("ALPHORN_FLIPS", 1000) {
        let mut bytes = sound.clone();
        let at = if number % 4 == 0 { random.random_range(0..4096) } else { used[random.random_range(0..used.len())] };
        bytes[at] ^= 1 << random.random_range(0..8);
        fs::write(&damaged, &bytes).expect("it can be written");
        let known = Database::open(&hexapawn, &damaged)
            .and_then(|database| hexapawn.looked_up(&game, &start, (&database, 1), &limits));
        match known {
            Err(_) => told += 1,
            Ok(None) => {}
            Ok(Some(known)) => {
                true_values += 1;
                assert_eq!(known.outcome.value, found.score, "a bit of byte {at}");
            }
        }
    }
    assert!(told >= 10 && true_values > 20, "{told} files were refused, {true_values} answered");
    for path in [path, damaged] {
        let _ = fs::remove_file(path);
    }
}
