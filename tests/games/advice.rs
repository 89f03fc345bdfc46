//! Tests the advice of the shipped games with `prove`.
//!
//! The results of `prove` for every position of a game must equal golden numbers. The 48 lines on which the
//! textbook's table for king and rook stalemates are replayed. Small tables test comparisons, overlays that
//! remove predicates, and mistakes that random play finds.

use alphorn::advice::RefutationReason;
use alphorn::advice::failure::AdviceFailure;
use alphorn::advice::prove::AdviceAim;
use alphorn::lang::ProgramOptions;
use alphorn::report::Problem;
use alphorn::rules::game::RuleGame;
use alphorn::rules::{Expected, load, playouts};
use alphorn::session::advice::{AdviceTrial, AdvisedPosition, TrialResult};
use alphorn::session::query::QueryOptions;
use alphorn::session::{Budgets, Failure, GameStart, Session};
use alphorn::source::Source;
use std::sync::{Mutex, PoisonError};

fn open(name: &str) -> Session {
    let game = Source::read(&format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"))).expect("the game is there");
    let budgets = Budgets::new(None, None);
    Session::open(&[game], &[], &ProgramOptions::default(), Expected::Game, budgets, Default::default())
        .unwrap_or_else(|failure| panic!("{name} does not load: {failure:?}"))
}

/// Only one proof runs at a time, because a proof uses all cores.
static PROOF: Mutex<()> = Mutex::new(());

fn proved(session: &Session) -> TrialResult {
    let _alone = PROOF.lock().unwrap_or_else(PoisonError::into_inner);
    let trial = AdviceTrial {
        side: None,
        aim: AdviceAim::Win,
        most: 100_000,
        counterexamples: 100,
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        progress: &|_, _| {},
    };
    session.prove(&GameStart::default(), &trial).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The number of positions in which each piece of advice is followed.
fn followed(tried: &TrialResult) -> Vec<(&str, u64)> {
    tried.by_advice.iter().map(|(name, count)| (name.as_str(), *count)).collect()
}

/// The mean to six digits.
fn mean(tried: &TrialResult) -> String {
    format!("{:.6}", tried.mean.expect("some lines reach the aim"))
}

#[test]
fn king_and_rook_mate_from_every_position() {
    let tried = proved(&open("krk"));
    assert_eq!((tried.positions, tried.aim, tried.failures.len()), (175_168, 175_168, 0));
    assert_eq!(tried.longest, Some((34, "8/8/8/8/3R4/2k5/8/K7 w - - 0 1".into())));
    assert_eq!(mean(&tried), "19.730550");
    let advice = [
        ("squeeze", 116_504),
        ("divide(2)", 32_948),
        ("approach", 16_180),
        ("mate(2)", 6_188),
        ("keep_room", 3_344),
        ("divide(3)", 4),
    ];
    assert_eq!(followed(&tried), advice);
}

#[test]
fn the_advice_of_the_textbook_stalemates() {
    let session = open("krk_bratko");
    let tried = proved(&session);
    assert_eq!((tried.positions, tried.aim), (175_168, 175_120));
    assert_eq!(tried.failures, [(AdviceFailure::Drawn, 48)]);
    assert_eq!(tried.longest.as_ref().map(|(moves, _)| *moves), Some(34));
    assert_eq!(mean(&tried), "19.732572");
    assert_eq!(tried.counterexamples.len(), 48);
    let game = session.game().expect("the game can be played");
    for missed in &tried.counterexamples {
        let start =
            GameStart { at: Some(missed.from.clone()), moves: Some(missed.moves.join(" ")), ..GameStart::default() };
        let end = session.position(&game, &start).expect("its moves can be played");
        let said = session.position_text(&game, &end).expect("it can be written");
        assert_eq!(said, missed.to, "{missed:?}");
        let goal = format!("read_position('{said}', P), stalemate(P)");
        let asking = QueryOptions { limit: 1, canonical: false, keep: true };
        let found = session.query(&goal, asking, None, &mut |_, _, _| true).expect("the goal is one");
        assert_eq!(found.answers.len(), 1, "{missed:?}");
    }
    let at_once = tried.counterexamples.iter().filter(|missed| missed.moves.len() == 1);
    assert_eq!(at_once.filter(|missed| missed.advice.as_deref() == Some("keep_room")).count(), 40);
}

#[test]
fn king_and_queen_mate_from_every_position() {
    let tried = proved(&open("kqk"));
    assert_eq!((tried.positions, tried.aim, tried.failures.len()), (144_508, 144_508, 0));
    assert_eq!(tried.longest.as_ref().map(|(moves, _)| *moves), Some(23));
    assert_eq!(mean(&tried), "10.688294");
    let advice = [
        ("halve", 104_084),
        ("squeeze(1)", 28_940),
        ("mate(2)", 5_012),
        ("approach(1)", 3_600),
        ("mate(1)", 2_448),
        ("squeeze(2)", 360),
        ("squeeze(3)", 40),
        ("approach(2)", 16),
        ("release", 8),
    ];
    assert_eq!(followed(&tried), advice);
}

/// Take one to three matches; the player who takes the last match wins.
const MATCHES: &str = "\
:- use_module(library(alphorn)).
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other), between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(Player, 0), win(Winner)) :- other(Player, Winner).
acyclic.
other(max, min).
other(min, max).
";

/// An advice table: leave a multiple of four.
const FOUR: &str = "\
good :: if not multiple then [leave_four].
bad :: if true then [wait].
advice(leave_four, [better(multiple), us(at(0, legal)), them([])]).
advice(wait, [better(matches < root(matches)), us(at(0, one)), them([])]).
multiple(left(_, N)) :- N mod 4 =:= 0.
matches(left(_, N), N).
move_class(one, _, take(1), _).
";

fn typed(text: &str) -> Session {
    let (texts, budgets) = ([Source::typed("game.pl", text)], Budgets::new(None, None));
    Session::open(&texts, &[], &ProgramOptions::default(), Expected::Game, budgets, Default::default())
        .unwrap_or_else(|failure| panic!("{text} does not load: {failure:?}"))
}

/// The advice for the first opening.
fn advised(text: &str) -> AdvisedPosition {
    let session = typed(text);
    let game = session.game().expect("the game can be played");
    let state = session.position(&game, &GameStart::default()).expect("there is an opening");
    session.advise(&game, &state, 1000).unwrap_or_else(|failure| match failure {
        Failure::Problem(problem, _) => panic!("{text}: {problem:?}"),
        Failure::Text(_) => panic!("the text has been read"),
    })
}

/// Regression test: `/` between two names called the library's lambda predicate with four arguments.
#[test]
fn every_operator_of_a_comparison_is_arithmetic() {
    for (written, number) in [
        ("matches + root(matches)", "42"),
        ("matches - 2", "19"),
        ("matches * 2", "42"),
        ("matches / root(7)", "3"),
        ("matches / 2", "10.5"),
        ("matches // 2", "10"),
        ("matches mod 4", "1"),
        ("min(matches, 4)", "4"),
        ("max(matches, 4)", "21"),
        ("- matches", "-21"),
        ("+ matches", "21"),
        ("abs(- matches)", "21"),
        ("sign(- matches)", "-1"),
    ] {
        for (condition, wanted) in
            [(format!("{written} =:= {number}"), "it"), (format!("root({written}) > {number} + 0.25"), "other")]
        {
            let rules = format!("it :: if {condition} then [wait].\nother :: if true then [wait].\n");
            let of = |name| move |text: &String| text == name;
            let table = FOUR.lines().filter(|line| !line.contains("::") && !line.contains("leave_four"));
            let table: String = table.map(|line| format!("{line}\n")).collect();
            let said = advised(&format!("{MATCHES}{rules}{table}"));
            assert!(said.rules.last().is_some_and(of(wanted)), "{condition}: {:?}", said.rules);
        }
    }
    // Any other predicate with this name.
    let own = "max(_, _, left(_, N), N).\nwins :: if max(1, 2) =:= 2 then [wait].\n";
    let table = "advice(wait, [better(few), us(at(0, legal)), them([])]).\nfew(left(_, N)) :- N < 4.\n";
    assert!(advised(&format!("{MATCHES}{own}{table}")).fired);
}

#[test]
fn a_condition_may_bind_the_list() {
    let text = FOUR.replace("not multiple then [leave_four]", "plan then Plan").replace("if plan", "if plan(Plan)");
    let said = advised(&format!("{MATCHES}{text}plan([leave_four], _).\n"));
    assert_eq!(said.chosen.map(|(name, _)| name).as_deref(), Some("leave_four"));
}

/// Regression test: the message was "no move of ours is allowed: X fails", but X was not the reason.
#[test]
fn where_no_move_is_allowed_no_goal_is_to_blame() {
    let said = advised(
        &format!("{MATCHES}{}", FOUR.replace("at(0, legal)", "at(0, seven)"))
            .replace("take(1), _)", "take(1), _).\nmove_class(seven, _, take(7), _)"),
    );
    assert_eq!((said.failed.len(), &said.failed[0].parts[..]), (1, &[None][..]));
    assert_eq!(said.failed[0].refuted[0].why, RefutationReason::NoMove);
}

/// The problems of a game with an overlay: those of loading, or else those of random play.
fn problems(overlay: &str) -> Vec<Problem> {
    let texts = [Source::typed("game.pl", &format!("{MATCHES}{FOUR}"))];
    let rules = load(&texts, &[Source::typed("over.pl", overlay)], &ProgramOptions::default(), Expected::Game);
    if !rules.report.problems.is_empty() {
        return rules.report.problems;
    }
    let budget = Budgets::new(Some(100_000), None).game;
    let game = RuleGame::new(rules, budget, Default::default()).expect("the facts can be read");
    playouts::check(&game, 20, 1)
}

#[test]
fn what_an_overlay_takes_away_is_told() {
    for (overlay, code, help) in [
        ("advice(wait, [better(matches < root(matches))]).\n", "A0702", "over.pl:1 replaces advice/2 of game.pl"),
        ("\nmove_class(two, _, take(2), _).\n", "A0702", "over.pl:2 replaces move_class/4 of game.pl"),
        ("bad :: if true then [wait].\n", "A0704", "over.pl:1 replaces the rules of game.pl"),
    ] {
        let found = problems(overlay);
        let told =
            |problem: &Problem| problem.code == code && problem.help.as_ref().is_some_and(|told| told.contains(help));
        assert!(found.iter().any(told), "{overlay} gives {found:?}");
    }
}

/// Regression test: random play did not call the advice.
#[test]
fn random_play_asks_advice() {
    let none: &[(&str, &str)] = &[];
    for (overlay, wanted) in [
        ("prefer(_, take(K), W) :- W is K / 2 - 9.\nextend(_, _, 1).\n", none),
        ("prefer(_, take(K), high) :- K > 1.\n", &[("A0606", "prefer/3 gives high")]),
        (
            "prefer(_, take(K), W) :- K > 1, atom_concat(hi, gh, W).\n",
            &[("A0606", "prefer/3 gives something that is not a number")],
        ),
        ("prefer(_, _, _).\n", &[("A0605", "prefer/3 leaves a variable in its answer")]),
        ("prune(_, take(K)) :- prune(_, take(K)).\n", &[("A0310", "so it never succeeds")]),
        ("extend(left(_, N), _, -1) :- N < 9.\n", &[("A0606", "extend/3 gives -1")]),
        (
            "extend(left(_, N), _, E) :- N < 9, E is N - N - 1.\n",
            &[("A0606", "extend/3 gives -1, which is not a number of plies")],
        ),
        ("extend(_, _, _).\nreduce(_, _, 99).\n", &[("A0605", "extend/3 leaves a variable in its answer")]),
        ("matches(left(_, N), M) :- M is N // (N - 12).\n", &[("A0603", "division by zero")]),
        ("good :: if plan(Plan) then Plan.\nplan([leave, wait], _).\n", &[("A0702", "there is no advice leave")]),
        (
            "good :: if plan(Plan) then Plan.\nplan([leave_four|_], _).\n",
            &[("A0605", "a rule does not give a list of advice")],
        ),
    ] {
        let found = problems(overlay);
        assert_eq!(found.len(), wanted.len(), "{overlay} gives {found:?}");
        for (problem, (code, message)) in found.iter().zip(wanted) {
            assert_eq!(problem.code, *code, "{overlay} gives {found:?}");
            assert!(problem.message.contains(message), "{overlay} gives {found:?}");
        }
    }
    let found = problems("extend(left(_, N), _, E) :- N < 9, E is N - N - 1.\n");
    assert!(found[0].help.as_ref().is_some_and(|help| help.contains("after the moves take(")), "{found:?}");
}
