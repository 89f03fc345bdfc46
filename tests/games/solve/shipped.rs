//! Tests that shipped games have their known values, counts and proofs.

use alphorn::game::{Score, Side};
use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::search::limits::Limits;
use alphorn::session::proof::ProofStatus;
use alphorn::session::solve::{SolveOptions, SolvedGame, score_winner};
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::solve::{Method, winner};
use alphorn::source::Source;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn shipped(name: &str) -> Source {
    let path = format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"));
    Source::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn session(name: &str, params: &str, overlay: &str) -> Session {
    let settings = params.split_whitespace().filter_map(|pair| pair.split_once('='));
    let settings = settings.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let overlays: Vec<Source> =
        (!overlay.is_empty()).then(|| Source::typed("overlay.pl", overlay)).into_iter().collect();
    let opened = Session::open(
        &[shipped(name)],
        &overlays,
        &ProgramOptions { settings, ..ProgramOptions::default() },
        Expected::Game,
        Budgets::new(None, None),
        Default::default(),
    );
    opened.unwrap_or_else(|failure| panic!("{name} {params}: {failure:?}"))
}

fn solved(session: &Session, method: Method, all: bool, proof: Option<&Path>) -> SolvedGame {
    let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let limits = Limits::default();
    let asking = SolveOptions { method, all, save: None, proof, accuracy: 1e-12, limits: &limits };
    session.solve(&game, &GameStart::default(), &asking).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The rows of reference.tsv for a game: quantity and value.
fn reference(game: &str) -> HashMap<String, String> {
    let rows = include_str!("../../data/reference.tsv").lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[0] == game);
    rows.map(|row| (format!("{} {}", row[1], row[2]), row[3].to_string())).collect()
}

pub(super) fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("alphorn-solve-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn small_games_have_the_values_and_positions_that_are_known() {
    let games = [
        ("tictactoe", "tictactoe", ""),
        ("hexapawn 3x3 (w x h)", "hexapawn", ""),
        ("hexapawn 4x3 (w x h)", "hexapawn", "width=4"),
        ("hexapawn 5x3 (w x h)", "hexapawn", "width=5"),
        ("hexapawn 3x4 (w x h)", "hexapawn", "height=4"),
        ("hexapawn 3x5 (w x h)", "hexapawn", "height=5"),
        ("breakthrough 2x5 (w x h, 2 rows each)", "breakthrough", "width=2 height=5"),
        ("breakthrough 3x4 (w x h, 1 rows each)", "breakthrough", "width=3 height=4 rows=1"),
    ];
    for (row, name, params) in games {
        let known = reference(row);
        let session = session(name, params, "");
        let found = solved(&session, Method::Retrograde, false, None);
        let plies = found.plies.expect("every end is declared or comes by force");
        let winner = found.score.and_then(score_winner);
        let who = match winner {
            None => "draw",
            Some(Side::Max) => "first player wins",
            Some(Side::Min) => "second player wins",
        };
        let shown = format!("{who} (plies to end under best play, winner fastest/loser slowest: {plies})");
        assert_eq!(known.get("value start"), Some(&shown), "{row}");
        assert_eq!(known.get("distinct reachable states all"), Some(&found.positions.to_string()), "{row}");
        let proof = scratch(name);
        for method in [Method::Retrograde, Method::Pns] {
            let again = solved(&session, method, false, Some(&proof));
            assert_eq!(again.score.and_then(score_winner), winner, "{row} by {method}");
            let text = fs::read_to_string(&proof).expect("a proof was written");
            let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
            let verdict = session.verify(&game, "proof", text.as_bytes());
            let verdict = verdict.unwrap_or_else(|failure| panic!("{failure:?}"));
            assert!(matches!(verdict, ProofStatus::Proved { winner: other, .. } if other == winner), "{verdict:?}");
            tampered(&session, &text);
        }
        let _ = fs::remove_file(&proof);
    }
}

/// A proof with any one line missing or changed is rejected, with a line number inside the proof.
fn tampered(session: &Session, text: &str) {
    let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let lines: Vec<&str> = text.lines().collect();
    let step = (lines.len() / 20).max(1);
    for at in (0..lines.len()).step_by(step) {
        let mut without = lines.clone();
        without.remove(at);
        let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        changed[at].push_str(",nobody)");
        for text in [without.join("\n"), changed.join("\n")] {
            let verdict = session.verify(&game, "proof", text.as_bytes());
            let verdict = verdict.unwrap_or_else(|failure| panic!("{failure:?}"));
            let ProofStatus::Refused { line, .. } = verdict else { panic!("line {at} may be changed: {verdict:?}") };
            assert!(line >= 1 && line <= lines.len() as u64, "line {line}");
        }
    }
}

#[test]
fn other_games_end_as_they_are_known_to() {
    let four = [("4x4", "width=4 height=4")];
    for (size, params) in four {
        let row = include_str!("../../data/reference.tsv").lines().any(|line| {
            line.starts_with(&format!(
                "connect four\twinner and last move number, width x height\t{size}\tDraw, move 16"
            ))
        });
        assert!(row, "connect four {size} is a draw");
        let found = solved(&session("connect_four", params, ""), Method::Auto, false, None);
        assert_eq!((found.score, found.plies), (Some(Score::Value(0.0)), Some(16)));
    }
    let nim = session("nim", "", "");
    let retrograde = solved(&nim, Method::Retrograde, false, None);
    let searched = solved(&nim, Method::AlphaBeta, false, None);
    assert_eq!((retrograde.score, retrograde.plies), (searched.score, searched.plies));
    assert!(retrograde.positions < 100, "heaps in any order are one position: {}", retrograde.positions);
    let othello = solved(&session("othello", "size=4", ""), Method::Retrograde, false, None);
    assert_eq!(othello.score, Some(Score::Value(-8.0)), "Othello 4x4: the second player by 8 discs");
    let tree = solved(&session("bratko", "", ""), Method::Retrograde, false, None);
    assert_eq!(tree.score, Some(Score::Value(4.0)));
}

/// Regression test: retrograde analysis came first and filled the memory before the next method found the
/// win.
#[test]
fn a_win_in_one_was_not_seen_among_too_many_positions() {
    let session = session("connect_four", "", "");
    let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let limits = Limits::default();
    let asking =
        SolveOptions { method: Method::Auto, all: false, save: None, proof: None, accuracy: 1e-12, limits: &limits };
    let start = GameStart { moves: Some("1 7 1 7 1 6".to_string()), ..GameStart::default() };
    let found = session.solve(&game, &start, &asking).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_eq!(
        (found.method, found.plies, found.line.as_slice()),
        (Method::AlphaBeta, Some(1), &["1".to_string()][..])
    );
    assert!(found.score == Some(Score::Win { plies: 1 }) && found.positions < 1000, "{found:?}");
}

/// Whichever method proves a value first, the value, the distance and the existence of a best move are the
/// same.
#[test]
fn methods_that_take_turns_find_what_an_enumeration_finds() {
    for (name, params) in [
        ("tictactoe", ""),
        ("hexapawn", "height=5"),
        ("nim", ""),
        ("breakthrough", "width=3 height=4 rows=1"),
        ("fox_and_geese", "size=4"),
        ("othello", "size=4"),
        ("kpk", ""),
    ] {
        let session = session(name, params, "");
        let (all, first) =
            (solved(&session, Method::Retrograde, false, None), solved(&session, Method::Auto, false, None));
        assert_eq!(first.score, all.score, "{name}");
        assert_eq!(first.line.is_empty(), all.line.is_empty(), "{name}");
        if first.score.is_some_and(|score| winner(score).is_some()) {
            assert_eq!(first.plies, all.plies, "{name}");
        }
    }
}

/// Tic-tac-toe has 765 positions that are different under rotations and reflections.
#[test]
fn positions_are_folded_by_all_images() {
    let images = "
        symmetry(pos(P, L), pos(P, M)) :- ( N = L ; mirrored(L, N) ), ( M = N ; turned(N, M) ).
        turned(L, M) :- quarter(L, M).
        turned(L, M) :- quarter(L, N), turned_on(N, M).
        turned_on(L, M) :- quarter(L, M).
        turned_on(L, M) :- quarter(L, N), quarter(N, M).
        quarter([A,B,C, D,E,F, G,H,I], [G,D,A, H,E,B, I,F,C]).
        mirrored([A,B,C, D,E,F, G,H,I], [C,B,A, F,E,D, I,H,G]).
    ";
    let session = session("tictactoe", "", images);
    let proof = scratch("folded");
    for method in [Method::Retrograde, Method::Pns] {
        let found = solved(&session, method, false, Some(&proof));
        assert_eq!(found.score, Some(Score::Value(0.0)));
        if method == Method::Retrograde {
            assert_eq!((found.positions, found.plies), (765, Some(9)));
        }
        let text = fs::read_to_string(&proof).expect("a proof was written");
        let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
        let verdict = session.verify(&game, "proof", text.as_bytes()).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert!(matches!(verdict, ProofStatus::Proved { number: Some(0.0), .. }), "{verdict:?}");
    }
    let _ = fs::remove_file(&proof);
}

/// Another program, written from the rules of the game, finds the same number of positions, the same longest
/// win and the same value.
#[test]
fn three_men_a_side_are_as_another_program_finds_them() {
    let found = solved(&session("nine_mens_morris", "men=3 flying=no", ""), Method::Retrograde, false, None);
    assert_eq!((found.score, found.plies, found.positions), (Some(Score::Value(0.0)), None, 365_691));
    assert_eq!(found.longest, Some(39));
}

#[test]
fn all_positions_of_king_and_rook() {
    let rows = include_str!("../../data/reference.tsv");
    let full = solved(&session("krk", "", ""), Method::Retrograde, true, None);
    let [white, black] = full.all.clone().expect("it was asked for all");
    assert_eq!((white.positions, white.max, white.longest()), (175_168, 175_168, Some(31)));
    assert_eq!((full.longest, black.positions, black.draw), (Some(31), 223_944, 22_244));
    let counts = |by_plies: &std::collections::BTreeMap<u32, u64>| {
        let shown: Vec<String> = by_plies.iter().map(|(plies, count)| format!("{}:{count}", plies / 2)).collect();
        shown.join(" ")
    };
    let line = format!("total {} draw {} : {}", black.positions, black.draw, counts(&black.max_by_plies));
    assert!(rows.contains(&format!("full black-to-move {line}")), "{line}");
    // White's king is in the triangle a1, d1, d4. On its diagonal, the lesser of two reflections counts.
    let classes = "
        position(P) :-
            member(X-Y, [1-1, 2-1, 3-1, 4-1, 2-2, 3-2, 4-2, 3-3, 4-3, 4-4]),
            P = krk(b, s(X, Y), s(A, B), s(C, D)),
            square(s(C, D)), \\+ touching(s(X, Y), s(C, D)),
            square(s(A, B)), s(A, B) \\== s(X, Y), s(A, B) \\== s(C, D),
            ( X =:= Y -> [A, B, C, D] @=< [B, A, D, C] ; true ).
    ";
    let reduced = solved(&session("krk", "", classes), Method::Retrograde, true, None);
    let [_, black] = reduced.all.expect("it was asked for all");
    let line = format!("total {} draw {} : {}", black.positions, black.draw, counts(&black.max_by_plies));
    assert!(rows.contains(&format!("reduced(8-fold) black-to-move {line}")), "{line}");
    for (plies, count) in &black.max_by_plies {
        let row = format!("positions up to symmetry (krkopt classes)\t{}\t{count}\t", plies / 2);
        assert!(rows.contains(&row), "{row}");
    }
}
