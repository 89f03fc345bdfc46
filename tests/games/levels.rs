//! Tests that advice that orders moves changes no value, and that a search with pruning calls no wrong value
//! exact.
//!
//! The games are random games in the rules language with random advice of every kind, and shipped games with
//! their own advice or with artificial advice. The results are compared with searches without advice.

use alphorn::advice::AdviceLevel;
use alphorn::game::Score;
use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::search::Algorithm;
use alphorn::search::limits::Limits;
use alphorn::search::result::{Iteration, SearchResult};
use alphorn::session::{Budgets, Failure, GameStart, SearchOptions, Session};
use alphorn::source::Source;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::fmt::Write as _;

fn open(texts: &[Source], overlays: &[Source]) -> Session {
    let opened = Session::open(
        texts,
        overlays,
        &ProgramOptions::default(),
        Expected::Game,
        Budgets::new(None, None),
        Default::default(),
    );
    opened.unwrap_or_else(|failure| match failure {
        Failure::Text(report) => {
            let told: Vec<&str> = report.problems.iter().map(|problem| problem.message.as_str()).collect();
            panic!("{}: {told:?}", texts[0].text)
        }
        Failure::Problem(problem, _) => panic!("{}: {problem:?}", texts[0].text),
    })
}

fn find(
    session: &Session,
    algorithm: Algorithm,
    depth: Option<u32>,
    advice: AdviceLevel,
    more: bool,
) -> SearchResult<String> {
    let game = session.game().expect("the facts can be read");
    let state = session.position(&game, &GameStart::default()).expect("there is an opening");
    let threads = if more { 2 } else { 1 };
    let how = SearchOptions { advice, hash: Some(1 << 20), threads, ..algorithm.into() };
    let limits = Limits { depth, ..Limits::default() };
    let found = session.value(&game, &state, &how, &limits);
    match found {
        Ok(found) => found.outcome,
        Err(Failure::Problem(problem, _)) => panic!("{algorithm} {advice}: {problem:?}"),
        Err(Failure::Text(_)) => panic!("the texts have been read"),
    }
}

/// A game on a few numbered positions, in layers, so that every line ends.
fn random_game(random: &mut Xoshiro256PlusPlus) -> String {
    let mut text = String::from(":- use_module(library(alphorn)).\ninitial(p(0, 0)).\nacyclic.\n");
    let (layers, width) = (random.random_range(3..6), random.random_range(2..5));
    for layer in 0..layers {
        for at in 0..width {
            if random.random_bool(0.6) {
                let _ = writeln!(text, "max_to_move(p({layer}, {at})).");
            }
            let last = layer + 1 == layers || layer > 0 && random.random_bool(0.15);
            let _ = writeln!(text, "static_eval(p({layer}, {at}), {}).", random.random_range(-4..5));
            if last {
                let _ = writeln!(text, "terminal(p({layer}, {at})).");
                continue;
            }
            for number in 0..random.random_range(1..4) {
                let next = random.random_range(0..width);
                let _ = writeln!(text, "move(p({layer}, {at}), m{number}, p({}, {next})).", layer + 1);
            }
        }
    }
    text.push_str("max_to_move(none).\nterminal(none).\n");
    text
}

/// Random clauses of a predicate of positions and moves.
fn random_clauses(random: &mut Xoshiro256PlusPlus, name: &str, third: Option<(i32, i32)>) -> String {
    let mut text = String::new();
    for _ in 0..random.random_range(1..5) {
        let layer = if random.random_bool(0.5) { "_".into() } else { random.random_range(0..4).to_string() };
        let label = if random.random_bool(0.3) { "_".into() } else { format!("m{}", random.random_range(0..3)) };
        let value = third.map(|(low, high)| format!(", {}", random.random_range(low..high))).unwrap_or_default();
        let _ = writeln!(text, "{name}(p({layer}, _), {label}{value}).");
    }
    text
}

fn random_table(random: &mut Xoshiro256PlusPlus) -> String {
    let goal = |random: &mut Xoshiro256PlusPlus| match random.random_range(0..5) {
        0 => "worth > root(worth)".to_string(),
        1 => format!("worth >= {}", random.random_range(-3..4)),
        2 => "deep and not even".to_string(),
        3 => "even or deep".to_string(),
        _ => "not even".to_string(),
    };
    let moves = |random: &mut Xoshiro256PlusPlus| match random.random_range(0..4) {
        0 => "[at(0, some), before(2, legal)]".to_string(),
        1 => "(some then legal)".to_string(),
        2 => "depth < 2 and legal and not some".to_string(),
        _ => "legal".to_string(),
    };
    let mut text = String::from(
        "worth(P, V) :- static_eval(P, V).\ndeep(p(L, _)) :- L > 1.\neven(p(_, N)) :- N mod 2 =:= 0.\n\
         move_class(some, _, m0, _).\nmove_class(some, p(L, _), m1, _) :- L > 0.\n",
    );
    let _ = writeln!(text, "advice_for({}).", ["max", "min", "both"][random.random_range(0..3)]);
    let condition = goal(random).replace("root(worth)", "0");
    let _ = writeln!(text, "first :: if {condition} then [one, two].\nrest :: if true then [two, one].");
    for name in ["one", "two"] {
        let (better, holding) = (goal(random), goal(random));
        let (us, them) = (moves(random), moves(random));
        let them = if random.random_bool(0.3) { "[]".to_string() } else { them };
        let _ =
            writeln!(text, "advice({name}, [better({better}), holding(true or {holding}), us({us}), them({them})]).");
    }
    text
}

/// Random advice of every kind.
fn random_advice(random: &mut Xoshiro256PlusPlus) -> String {
    let mut text = random_clauses(random, "prefer", Some((-5, 6)));
    text += &random_clauses(random, "prune", None);
    text += &random_clauses(random, "extend", Some((0, 3)));
    text += &random_clauses(random, "reduce", Some((0, 3)));
    if random.random_bool(0.7) {
        text += &random_table(random);
    }
    text
}

#[test]
fn random_advice_changes_no_value_of_a_random_game() {
    let cases: u64 = std::env::var("ALPHORN_CASES").map_or(60, |cases| cases.parse().expect("a number"));
    let mut narrowed = 0;
    for seed in 0..cases {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let text = random_game(&mut random) + &random_advice(&mut random);
        let session = open(&[Source::typed("game.pl", &text)], &[]);
        for depth in [None, Some(2), Some(4)] {
            let truth = find(&session, Algorithm::Minimax, depth, AdviceLevel::Off, false);
            for algorithm in Algorithm::ALL {
                let advised = find(&session, algorithm, depth, AdviceLevel::Order, seed % 2 == 0);
                assert_eq!(advised.value, truth.value, "{algorithm} to {depth:?}\n{text}");
                assert_eq!(advised.exact, truth.exact, "{algorithm} to {depth:?}\n{text}");
            }
            let whole = find(&session, Algorithm::Minimax, None, AdviceLevel::Off, false);
            for level in [AdviceLevel::Prune, AdviceLevel::Focus(1), AdviceLevel::Focus(3)] {
                let oracle = find(&session, Algorithm::Minimax, depth, level, false);
                for algorithm in Algorithm::ALL {
                    let found = find(&session, algorithm, depth, level, seed % 2 == 0);
                    assert_eq!(found.value, oracle.value, "{algorithm} to {depth:?} at {level}\n{text}");
                    assert!(!found.exact || found.value == whole.value, "{algorithm} at {level} is no proof\n{text}");
                    narrowed += u32::from(found.value != truth.value);
                }
            }
        }
    }
    assert!(narrowed > 0, "leaving moves out has changed no value at all: nothing was tested");
}

/// A fork: after `quiet` MAX wins on the third ply, but until then `loud` looks better.
const FORK: &str = "\
initial(start).
move(start, loud, noise).
move(start, quiet, calm).
move(noise, on, din).
move(calm, on, still).
move(din, on, end(1)).
move(still, win, end(9)).
max_to_move(start).
max_to_move(din).
max_to_move(still).
terminal(end(_)).
static_eval(end(N), N).
static_eval(start, 0).
static_eval(noise, 5).
static_eval(calm, -5).
static_eval(din, 5).
static_eval(still, -5).
acyclic.
";

#[test]
fn heuristic_searches_heed_prune_extend_and_reduce_and_claim_nothing() {
    let best = |advice: &str, depth| {
        let session = open(&[Source::typed("game.pl", &format!("{FORK}{advice}"))], &[]);
        let game = session.game().expect("the facts can be read");
        let state = session.position(&game, &GameStart::default()).expect("there is an opening");
        let how = SearchOptions { heuristic: true, ..Algorithm::Auto.into() };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = session.value(&game, &state, &how, &limits).expect("no rule faults").outcome;
        assert!(!found.exact, "a heuristic search proves nothing");
        found.best
    };
    let told = |label: &str| Some(label.to_string());
    assert_eq!(best("", 2), told("loud"));
    assert_eq!(best("", 3), told("quiet"));
    assert_eq!(best("extend(start, quiet, 1).\n", 2), told("quiet"), "a ply deeper it is seen to win");
    assert_eq!(best("extend(calm, on, 1).\n", 2), told("quiet"), "below the root too");
    assert_eq!(best("reduce(start, quiet, 2).\n", 3), told("loud"), "two plies less deep it is not");
    assert_eq!(best("prune(start, quiet).\n", 3), told("loud"));
    assert_eq!(best("prune(start, _).\n", 3), told("quiet"), "all are left out, so none is");
}

#[test]
fn a_fault_in_advice_is_told_whatever_the_algorithm() {
    let table = ":- use_module(library(alphorn)).\nrule :: if bad then [go].\nadvice(go, [better(bad)]).\n\
                 bad(P) :- atom_length(P, N), N > 1 / 0.\n";
    for (advice, code) in [
        ("prefer(_, quiet, much).\n", "A0606"),
        ("prefer(_, _, W) :- W is 1 / 0.\n", "A0603"),
        ("prefer(_, _, W) :- length(L, 3), nth1(1, L, W).\n", "A0606"),
        (table, "A0603"),
    ] {
        let session = open(&[Source::typed("game.pl", &format!("{advice}{FORK}"))], &[]);
        let game = session.game().expect("the facts can be read");
        let state = session.position(&game, &GameStart::default()).expect("there is an opening");
        for algorithm in [Algorithm::AlphaBeta, Algorithm::Pvs, Algorithm::Mtdf, Algorithm::Auto] {
            let limits = Limits { depth: Some(5), ..Limits::default() };
            match session.value(&game, &state, &algorithm.into(), &limits) {
                Err(Failure::Problem(problem, _)) => assert_eq!(problem.code, code, "{algorithm}: {advice}"),
                _ => panic!("{algorithm} makes nothing of {advice}"),
            }
        }
    }
}

/// Advice for any game: weights of labels that have nothing to do with their value.
const NONSENSE: &str = "\
prefer(_, Label, Weight) :- term_to_atom(Label, Text), atom_length(Text, N), Weight is (N * 7919) mod 11.
prune(Pos, Label) :- prefer(Pos, Label, Weight), Weight > 8.
";

#[test]
fn advice_changes_no_value_of_a_shipped_game() {
    let folder = format!("{}/games", env!("CARGO_MANIFEST_DIR"));
    let mut games = 0;
    for entry in std::fs::read_dir(folder).expect("games/ can be read") {
        let path = entry.expect("a folder lists its files").path();
        let text = Source::read(path.to_str().expect("a name is text")).expect("a game can be read");
        let large = ["chess", "gomoku", "checkers"].iter().any(|name| path.ends_with(format!("{name}.pl")));
        let depth = Some(if large { 2 } else { 3 });
        let own = open(std::slice::from_ref(&text), &[]);
        let made_up = open(&[text], &[Source::typed("nonsense.pl", NONSENSE)]);
        let chance = own.rules.contract.chance.is_some();
        let plain = if chance { Algorithm::Expectiminimax } else { Algorithm::Minimax };
        let truth = find(&own, plain, depth, AdviceLevel::Off, false);
        for session in [&own, &made_up] {
            let without = [Algorithm::AlphaBeta, Algorithm::Pvs, Algorithm::Mtdf, Algorithm::Auto];
            let with = [Algorithm::Star1, Algorithm::Star2, Algorithm::Auto];
            for &algorithm in if chance { &with[..] } else { &without[..] } {
                let found = find(session, algorithm, depth, AdviceLevel::Order, false);
                assert_eq!(found.value, truth.value, "{algorithm}, {}", path.display());
                assert!(!found.exact || truth.exact, "{algorithm}, {}", path.display());
            }
            let pruned = if chance { Algorithm::Star1 } else { Algorithm::AlphaBeta };
            let found = find(session, pruned, depth, AdviceLevel::Prune, false);
            assert!(!found.exact || truth.exact && found.value == truth.value, "{}", path.display());
        }
        games += 1;
    }
    assert!(games > 13, "only {games} games were found");
}

#[test]
fn a_level_is_read_as_it_is_written() {
    for level in [
        AdviceLevel::Off,
        AdviceLevel::Order,
        AdviceLevel::Prune,
        AdviceLevel::Focus(3),
        AdviceLevel::Strict,
        AdviceLevel::Plan(None),
        AdviceLevel::Plan(Some(0.5)),
    ] {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    for wrong in ["", "on", "focus", "focus=0", "focus=x", "plan=-1", "plan=inf", "strict=2"] {
        assert!(wrong.parse::<AdviceLevel>().is_err(), "{wrong}");
    }
}

/// MAX may take 1 or wait for 5; the advice is to take.
const TABLE: &str = "\
:- use_module(library(alphorn)).
initial(start).
move(start, take, won(1)).
move(start, wait, later).
move(later, give, won(5)).
max_to_move(start).
terminal(won(_)).
static_eval(won(N), N).
static_eval(start, 0).
static_eval(later, 0).
acyclic.
rule :: if true then [take].
advice(take, [better(some), us([at(0, legal)]), them([])]).
some(won(_)).
";

#[test]
fn strict_follows_the_table_and_plan_lets_a_search_object() {
    let session = open(&[Source::typed("game.pl", TABLE)], &[]);
    let strict = find(&session, Algorithm::Auto, None, AdviceLevel::Strict, false);
    assert_eq!((strict.best.as_deref(), strict.value, strict.exact), (Some("take"), Some(Score::Value(1.0)), false));
    let plan = |margin| find(&session, Algorithm::Auto, Some(2), AdviceLevel::Plan(margin), false);
    assert_eq!(plan(Some(1.0)).best.as_deref(), Some("wait"), "it costs 4");
    assert_eq!(plan(Some(4.0)).best.as_deref(), Some("take"));
    assert_eq!(plan(None).best.as_deref(), Some("take"), "both are won");
}

#[test]
fn a_plan_falls_where_it_gives_a_win_away() {
    // The plan leads to an apparent loss; another move wins.
    let text = "\
:- use_module(library(alphorn)).
initial(start).
move(start, plan, poor).
move(start, best, won).
move(poor, on, poor2).
move(poor2, on, poor3).
move(poor3, on, over(draw)).
move(won, on, over(win(max))).
max_to_move(start).
max_to_move(poor2).
terminal(over(_)).
outcome(over(Result), Result).
static_eval(_, -50).
acyclic.
rule :: if true then [plan].
advice(plan, [better(planned), us([at(0, legal)]), them([])]).
planned(poor).
";
    let session = open(&[Source::typed("game.pl", text)], &[]);
    for margin in [None, Some(0.5), Some(1e9)] {
        let found = find(&session, Algorithm::Auto, Some(2), AdviceLevel::Plan(margin), false);
        assert_eq!(found.best.as_deref(), Some("best"), "{margin:?}");
    }
}

#[test]
fn a_table_plays_the_moves_of_the_game_whatever_else_the_game_defines() {
    // The game defines its own member/2, and a second answer of moves/2 does not count.
    let text = "\
:- use_module(library(alphorn)).
initial(p(0)).
moves(p(0), [p(1), p(2)]).
moves(p(0), [p(3)]).
terminal(p(N)) :- N > 0.
max_to_move(p(0)).
static_eval(P, N) :- member(P, N).
member(p(N), N).
rule :: if true then [far, near].
advice(far, [better(worth > 2), us([at(0, legal)]), them([])]).
advice(near, [better(worth > 1), us([at(0, legal)]), them([])]).
worth(P, N) :- member(P, N).
";
    let session = open(&[Source::typed("game.pl", text)], &[]);
    let found = find(&session, Algorithm::Auto, None, AdviceLevel::Strict, false);
    assert_eq!(found.best.as_deref(), Some("p(2)"));
}

#[test]
fn of_several_lines_each_is_exact_by_itself() {
    let text = "\
initial(start).
move(start, win, over).
move(start, wait, later).
move(later, on, last).
move(last, on, over).
max_to_move(start).
max_to_move(last).
terminal(over).
outcome(over, win(max)).
static_eval(_, 0).
acyclic.
";
    let session = open(&[Source::typed("game.pl", text)], &[]);
    let game = session.game().expect("the facts can be read");
    let state = session.position(&game, &GameStart::default()).expect("there is an opening");
    let told = std::cell::RefCell::new(Vec::new());
    let report = |found: &Iteration<String>| told.borrow_mut().push(found.clone());
    let how = SearchOptions { lines: 2, report: Some(&report), ..Algorithm::Auto.into() };
    let limits = Limits { depth: Some(1), ..Limits::default() };
    session.value(&game, &state, &how, &limits).expect("no rule faults");
    let lines: Vec<(String, bool)> =
        told.borrow()[0].lines.iter().map(|line| (line.moves[0].clone(), line.exact)).collect();
    assert_eq!(lines, [("win".to_string(), true), ("wait".to_string(), false)]);
}
