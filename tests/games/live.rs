//! Tests that a search with live positions gives the result of the same search with packed positions.

use alphorn::game::{Game, RandomSuccessor, ToMove};
use alphorn::rules::Expected;
use alphorn::rules::evaluation::{AdvisedEval, RuleEval};
use alphorn::rules::game::RuleGame;
use alphorn::rules::position::{Position, RuleMove};
use alphorn::search::limits::Limits;
use alphorn::search::perft::perft;
use alphorn::search::result::{SearchResult, Searched};
use alphorn::search::{Algorithm, SearchSettings, search_with};
use alphorn::session::options::LoadOptions;
use alphorn::session::{Session, live};
use std::sync::Arc;

/// The searches that need only the positions of one line.
const ALGORITHMS: [Algorithm; 6] =
    [Algorithm::Minimax, Algorithm::F1, Algorithm::F2, Algorithm::F2G2, Algorithm::AlphaBeta, Algorithm::Playouts];

fn settings<'a>() -> SearchSettings<'a, RuleMove> {
    SearchSettings { games: 20, ..SearchSettings::default() }
}

/// A result, or an error with its line, as a text that can be compared.
fn told(found: Searched<SearchResult<RuleMove>, RuleGame>) -> String {
    match found {
        Ok(found) => format!("{:?}", found.named(|line| line.iter().map(ToString::to_string).collect())),
        Err(error) => format!("{:?}", error.named(|line| line.iter().map(ToString::to_string).collect())),
    }
}

fn open(name: &str, text: &str) -> (Session, RuleGame, Position) {
    let opened = LoadOptions::of_text(name, text).open(Expected::Game, &Arc::default());
    let session = opened.unwrap_or_else(|failure| panic!("{name} does not load: {failure:?}"));
    let game = session.game().unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
    let root = game.openings().unwrap_or_else(|_| panic!("{name} has no opening")).remove(0);
    (session, game, root)
}

/// Compares all searches of a game to `depth` plies, and perft. Returns how many were live.
#[track_caller]
fn compare(name: &str, text: &str, depth: u32) -> usize {
    let (_session, game, root) = open(name, text);
    let limits = Limits::to_depth(depth);
    let heuristic = AdvisedEval { heeds: true };
    let mut live = 0;
    for algorithm in ALGORITHMS {
        let Some(found) = live::search(algorithm, &game, &heuristic, &root, &limits, &settings()) else { continue };
        live += 1;
        let packed = search_with(algorithm, &game, &heuristic, &root, &limits, &settings());
        assert_eq!(told(found), told(packed), "{name}, {algorithm}");
    }
    let mut counts = Vec::new();
    let counted = live::by_depth(&game, &root, depth, &Limits::default(), &mut |_, count| counts.push(count));
    match perft(&game, &root, depth, None) {
        Ok(packed) => {
            counts.truncate(packed.paths.len());
            assert_eq!((counted.is_ok(), counts), (true, packed.paths), "{name}");
        }
        Err(_) => assert!(counted.is_err(), "{name}: only packed positions have a fault"),
    }
    live
}

#[test]
fn shipped_games_have_the_same_results() {
    let folder = format!("{}/games", env!("CARGO_MANIFEST_DIR"));
    let mut live = 0;
    for entry in std::fs::read_dir(folder).expect("games/ can be read") {
        let path = entry.expect("an entry of games/").path();
        let text = std::fs::read_to_string(&path).expect("a game is a text");
        live += usize::from(compare(&path.display().to_string(), &text, 2) > 0);
    }
    assert!(live >= 13, "only {live} games were searched with live positions");
}

/// A random successor is one of the moves, and there is none exactly if the game is over.
#[test]
fn a_random_successor_is_the_chosen_move() {
    let folder = format!("{}/games", env!("CARGO_MANIFEST_DIR"));
    let mut quick = 0;
    for entry in std::fs::read_dir(folder).expect("games/ can be read") {
        let path = entry.expect("an entry of games/").path();
        let text = std::fs::read_to_string(&path).expect("a game is a text");
        let (_session, game, mut state) = open(&path.display().to_string(), &text);
        for ply in 0..40 {
            let mut chosen = None;
            let mut choose = |count: usize| *chosen.insert((7 * ply + 3) % count);
            let next = match game.random_successor(&state, &mut choose).expect("shipped rules have no fault") {
                RandomSuccessor::Unknown => break,
                RandomSuccessor::Over => {
                    assert_eq!(game.to_move(&state).ok(), Some(ToMove::Over), "{}", path.display());
                    break;
                }
                RandomSuccessor::To(next) => next,
            };
            quick += 1;
            let mut moves = Vec::new();
            game.moves(&state, &mut moves).expect("shipped rules have no fault");
            let number = chosen.expect("a successor was chosen");
            assert_eq!(moves[number].next, next, "{} after {ply} plies", path.display());
            state = next;
        }
    }
    assert!(quick > 200, "only {quick} positions gave a successor");
}

/// A walk up and down between `low` and `high`; the parts of a game that vary are given.
fn walk(rest: &str) -> String {
    format!(
        "initial(at(max, 0, [])).\nmax_to_move(at(max, _, _)).\nother(max, min).\nother(min, max).\nacyclic.\n{rest}"
    )
}

const VALUE: &str = "static_eval(at(_, N, L), V) :- length(L, K), V is (N * 7 + K * 3) mod 11.\n";

#[test]
fn atoms_that_rules_make_live_as_long_as_the_line() {
    let rules = "terminal(at(_, _, [_, _, _, _, _])).
        move(at(S, N, L), up(K), at(O, M, [A|L])) :-
            other(S, O), member(K, [1, 2, 3]), M is N + K, atomic_list_concat([some_atom_made_here, M, K], A).";
    assert_eq!(compare("atoms", &walk(&format!("{rules}\n{VALUE}")), 4), ALGORITHMS.len());
}

#[test]
fn much_garbage_ends_live_positions() {
    let rules = "terminal(at(_, _, [_, _, _, _])).
        moves(at(S, N, L), [at(O, N, [Sum|L]), at(O, Sum, [N|L])]) :-
            other(S, O), numlist(1, 100000, All), foldl([X, A, B]>>(B is (A + X) mod 1000), All, N, Sum).";
    assert_eq!(compare("garbage", &walk(&format!("{rules}\n{VALUE}")), 3), ALGORITHMS.len());
}

#[test]
fn results_and_positions_without_moves_are_the_same() {
    for meaning in ["loss", "draw", "eval", "pass"] {
        let pass = if meaning == "pass" { "pass(at(S, N, L), at(O, N, [pass|L])) :- other(S, O)." } else { "" };
        let rules = format!(
            "no_moves({meaning}). {pass}
            terminal(at(_, _, [_, _, _, _, _])).
            outcome(at(_, N, _), R) :- ( N > 4 -> R = win(max) ; N < 2 -> R = win(min) ; R = draw ).
            move(at(S, N, L), K, at(O, M, [K|L])) :- N mod 4 =\\= 3, other(S, O), member(K, [1, 2, 3]), M is N + K."
        );
        assert_eq!(compare(meaning, &walk(&format!("{rules}\n{VALUE}")), 4), ALGORITHMS.len());
    }
}

/// Rules with a fault only below the root, each of another kind.
#[test]
fn faults_are_the_same() {
    let moves = "move(at(S, N, L), K, at(O, M, [K|L])) :- other(S, O), member(K, [1, 2, 3]), M is N + K.";
    let deep = "terminal(at(_, _, [_, _, _, _, _])).";
    for (name, rules) in [
        ("throws", format!("{deep} terminal(at(_, 5, _)) :- throw(here). {moves} {VALUE}")),
        ("no value", format!("{deep} {moves} static_eval(at(_, N, _), N) :- N < 5.")),
        (
            "a value that is no number",
            format!("{deep} {moves} static_eval(at(_, N, _), V) :- ( N < 5 -> V = N ; V = a )."),
        ),
        ("outside the range", format!("{deep} {moves} value_range(0, 4). static_eval(at(_, N, _), N).")),
        (
            "no moves",
            format!(
                "{deep} move(P, K, Q) :- P = at(_, N, _), N < 5, step(P, K, Q). {} {VALUE}",
                moves.replace("move(", "step(")
            ),
        ),
        (
            "a variable in a position",
            format!(
                "{deep} move(at(S, N, L), K, at(O, M, [K|L])) :- other(S, O), member(K, [1, 2]), ( N < 3 -> M is N + K ; true ). {VALUE}"
            ),
        ),
        (
            "a variable in one of many positions",
            format!(
                "{deep} move(at(S, N, L), K, at(O, M, [K|L])) :-
                    other(S, O), numlist(1, 200, All), member(K, All), ( K < 200 -> M = N ; true ). {VALUE}"
            ),
        ),
        (
            "endless",
            format!(
                "{deep} {moves} static_eval(at(_, N, _), V) :- ( N < 4 -> V = N ; loop(0, V) ). loop(A, V) :- B is A + 1, loop(B, V)."
            ),
        ),
    ] {
        let text = walk(&rules);
        for algorithm in ALGORITHMS {
            // After a fault a game asks single questions only.
            let (one, other) = (open(name, &text), open(name, &text));
            let limits = Limits::to_depth(4);
            let Some(found) = live::search(algorithm, &one.1, &RuleEval, &one.2, &limits, &settings()) else {
                panic!("{name} is not searched with live positions");
            };
            let packed = search_with(algorithm, &other.1, &RuleEval, &other.2, &limits, &settings());
            let (found, packed) = (told(found), told(packed));
            assert!(found.starts_with("Fault"), "{name}, {algorithm}: {found}");
            assert_eq!(found, packed, "{name}, {algorithm}");
        }
    }
}
