//! Tests that the textbook's minimax and alpha-beta search, run as rules, give the results of Alphorn.
//!
//! The input is `examples/textbook.pl` with shipped games and random trees. The values must be equal. Of
//! equal moves the textbook takes the last move and Alphorn the first. The textbook's strict cutoffs visit
//! the five leaves of Bratko's figure. If `outcome/2` declares the winner, Alphorn shows a win by its
//! distance and `static_eval/2` as 1; then the winners are compared.

use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::search::Algorithm;
use alphorn::search::limits::Limits;
use alphorn::session::query::{Answer, QueryOptions};
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::source::Source;
use proptest::prelude::*;
use std::process::Command;

/// Defines moves/2, which the textbook's rules use, by move/3.
const LABELS_DROPPED: &str = "moves(Pos, Successors) :- findall(Next, move(Pos, _, Next), Successors).\n";

fn file(path: &str) -> Source {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    Source::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn open(texts: &[Source], overlays: &[Source], expected: Expected) -> Session {
    let opened = Session::open(
        texts,
        overlays,
        &ProgramOptions::default(),
        expected,
        Budgets::new(None, None),
        Default::default(),
    );
    opened.unwrap_or_else(|failure| panic!("it does not load: {failure:?}"))
}

/// A game with the textbook's rules.
fn textbook(game: &Source) -> Session {
    let mut texts = vec![game.clone(), file("examples/textbook.pl")];
    if game.text.contains("\nmove(") {
        texts.push(Source::typed("moves.pl", LABELS_DROPPED));
    }
    open(&texts, &[], Expected::Program)
}

/// The only answer to a goal, and the output of the goal.
fn ask(session: &Session, goal: &str) -> (Answer, String) {
    let asking = QueryOptions { limit: 2, canonical: false, keep: true };
    let answers =
        session.query(goal, asking, None, &mut |_, _, _| true).unwrap_or_else(|failure| panic!("{goal}: {failure:?}"));
    assert!(answers.error.is_none(), "{goal}: {:?}", answers.error);
    assert_eq!(answers.count, 1, "{goal}");
    (answers.answers[0].clone(), answers.output)
}

fn variable<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
}

fn number(answer: &Answer, name: &str) -> f64 {
    variable(answer, name).parse().unwrap_or_else(|_| panic!("{name} of {answer:?} is no number"))
}

/// Alphorn's result: the number that `value` shows, and the best successor as text.
fn core(game: &Session, position: Option<&str>, depth: Option<u32>) -> (f64, Option<String>) {
    let play = game.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let start = GameStart { position: position.map(str::to_string), ..GameStart::default() };
    let state = game.position(&play, &start).unwrap_or_else(|failure| panic!("{failure:?}"));
    let limits = Limits { depth, ..Limits::default() };
    let [minimax, alphabeta] = [Algorithm::Minimax, Algorithm::AlphaBeta].map(|algorithm| {
        game.value(&play, &state, &algorithm.into(), &limits).unwrap_or_else(|failure| panic!("{failure:?}")).outcome
    });
    assert_eq!((minimax.value, &minimax.best), (alphabeta.value, &alphabeta.best));
    (minimax.value.expect("nobody stops it").to_number(), minimax.best)
}

#[test]
fn bratkos_figure_has_value_4_and_alphabeta_reads_five_leaves() {
    let bratko = file("games/bratko.pl");
    let rules = textbook(&bratko);
    let (answer, _) = ask(&rules, "initial(P), minimax(P, Best, V)");
    assert_eq!((variable(&answer, "Best"), number(&answer, "V")), ("b", 4.0));
    assert_eq!(
        core(&open(std::slice::from_ref(&bratko), &[], Expected::Game), None, None),
        (4.0, Some("b".to_string()))
    );

    let telling = Source::typed("telling.pl", "static_eval(Pos, Value) :- leaf(Pos, Value), write(Value), write(' ').");
    let counted = open(&[bratko, file("examples/textbook.pl")], &[telling], Expected::Program);
    let (answer, leaves) = ask(&counted, "initial(P), alphabeta(P, -100, 100, Best, V)");
    assert_eq!((variable(&answer, "Best"), number(&answer, "V")), ("b", 4.0));
    assert_eq!(leaves, "1 4 5 2 1 ");
    let (_, leaves) = ask(&counted, "initial(P), minimax(P, Best, V)");
    assert_eq!(leaves, "1 4 5 6 2 1 1 1 ");
}

#[test]
fn knuth_and_moores_tree_is_worth_2_by_every_way() {
    let pi = file("games/pi_tree.pl");
    let rules = textbook(&pi);
    let core = core(&open(&[pi], &[], Expected::Game), None, None).0;
    for goal in [
        "minimax(P, Best, V)",
        "alphabeta(P, -100, 100, Best, V)",
        "minimax(P, 4, Best, V)",
        "alphabeta(P, 4, -100, 100, Best, V)",
    ] {
        let (answer, _) = ask(&rules, &format!("initial(P), {goal}"));
        assert_eq!((number(&answer, "V"), core), (2.0, 2.0), "{goal}");
    }
}

#[test]
fn in_tictactoe_the_textbook_takes_the_last_of_the_drawing_moves_and_the_core_the_first() {
    let game = file("games/tictactoe.pl");
    let (rules, play) = (textbook(&game), open(&[game], &[], Expected::Game));
    let (answer, _) = ask(&rules, "initial(P), alphabeta(P, -1, 1, Best, V)");
    assert_eq!((number(&answer, "V"), variable(&answer, "Best")), (0.0, "pos(o,[e,e,e,e,e,e,e,e,x])"));
    assert_eq!(core(&play, None, None), (0.0, Some("pos(o,[x,e,e,e,e,e,e,e,e])".to_string())));
}

#[test]
fn in_the_middle_of_tictactoe_all_agree_on_the_winner() {
    let game = file("games/tictactoe.pl");
    let (rules, play) = (textbook(&game), open(&[game], &[], Expected::Game));
    let middles = [
        "pos(x,[x,o,e,e,x,e,e,e,o])",
        "pos(o,[x,x,e,e,o,e,e,e,e])",
        "pos(x,[x,o,e,e,e,o,e,x,e])",
        "pos(o,[o,x,x,x,e,e,e,e,e])",
        "pos(x,[x,o,x,o,e,e,e,e,e])",
        "pos(o,[x,x,x,o,o,e,e,e,e])",
    ];
    for position in middles {
        let (winner, _) = core(&play, Some(position), None);
        for goal in ["minimax(P, Best, V)", "alphabeta(P, -1, 1, Best, V)"] {
            let (answer, _) = ask(&rules, &format!("P = {position}, {goal}"));
            assert_eq!(number(&answer, "V"), if winner == 0.0 { 0.0 } else { winner.signum() }, "{position}: {goal}");
        }
    }
}

/// In the middle of a game the textbook's move is legal and keeps the value.
#[test]
fn the_command_loads_a_game_and_the_textbook_into_one_program() {
    let run = |goal: &str| {
        let files =
            ["games/tictactoe.pl", "examples/textbook.pl"].map(|path| format!("{}/{path}", env!("CARGO_MANIFEST_DIR")));
        let done =
            Command::new(env!("CARGO_BIN_EXE_alphorn")).arg("query").args(files).arg(goal).output().expect("it starts");
        (
            done.status.code(),
            String::from_utf8(done.stdout).expect("UTF-8"),
            String::from_utf8(done.stderr).expect("UTF-8"),
        )
    };
    let (status, answers, told) = run("minimax(pos(x, [x,o,e, e,x,e, e,e,o]), Best, Value)");
    assert_eq!(
        (status, answers.as_str(), told.as_str()),
        (Some(0), "Best = pos(o,[x,o,e,e,x,e,x,e,o]), Value = 1\n", "")
    );
    // The predicates of the textbook replace no predicate of a game that a goal may call.
    let (status, answers, _) =
        run("Pos = pos(x, [x,o,e, e,x,e, e,e,o]), minimax(Pos, _, 1), best(Pos, 9, Best), value(Pos, 9, Value)");
    assert_eq!(
        (status, answers.contains("Best = pos(o,[x,o,e,x,x,e,e,e,o]), Value = 999997")),
        (Some(0), true),
        "{answers}"
    );
}

#[test]
fn the_textbook_is_clean_beside_a_game() {
    let rules = textbook(&file("games/tictactoe.pl"));
    let messages: Vec<&str> = rules.rules.report.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert!(messages.is_empty(), "{messages:?}");
}

// Random trees, as the text of a game.

/// A tree: its number, which is an estimate if the tree has children.
#[derive(Clone, Debug)]
struct Tree {
    number: i32,
    children: Vec<Tree>,
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (-2..3i32).prop_map(|number| Tree { number, children: Vec::new() });
    leaf.prop_recursive(4, 40, 3, |below| {
        (-2..3i32, prop::collection::vec(below, 1..4)).prop_map(|(number, children)| Tree { number, children })
    })
}

fn minimax(tree: &Tree, max: bool, depth: u32) -> i32 {
    let values = tree.children.iter().map(|child| minimax(child, !max, depth.saturating_sub(1)));
    if tree.children.is_empty() || depth == 0 {
        return tree.number;
    }
    let best = if max { values.max() } else { values.min() };
    best.expect("there are children")
}

/// Writes the tree. The name of a node is `n` with the path to it: the root is `n`, its children are `n0` and
/// `n1`.
fn write(tree: &Tree, name: &str, max: bool, out: &mut [String; 3]) {
    out[0] += &format!("worth({name}, {}).\n", tree.number);
    if max {
        out[1] += &format!("max_to_move({name}).\n");
    }
    let names: Vec<String> = (0..tree.children.len()).map(|at| format!("{name}{at}")).collect();
    out[2] += &format!("moves({name}, [{}]).\n", names.join(", "));
    for (child, name) in tree.children.iter().zip(&names) {
        write(child, name, !max, out);
    }
}

fn game(tree: &Tree, max: bool) -> Source {
    let mut facts = [String::new(), "max_to_move(nobody).\n".to_string(), String::new()];
    write(tree, "n", max, &mut facts);
    let text = format!(
        "initial(n).\nterminal(Pos) :- moves(Pos, []).\nstatic_eval(Pos, Value) :- worth(Pos, Value).\nacyclic.\n{}",
        facts.concat()
    );
    Source::typed("tree.pl", &text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, rng_seed: proptest::test_runner::RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_random_trees_values_are_equal_and_ties_go_to_the_last_and_to_the_first(tree in trees(), max: bool, depth in 1..4u32) {
        let source = game(&tree, max);
        let (rules, play) = (textbook(&source), open(&[source], &[], Expected::Game));
        for depth in [None, Some(depth)] {
            let expected = minimax(&tree, max, depth.unwrap_or(99));
            let below = depth.unwrap_or(99) - 1;
            let best = |at: &usize| minimax(&tree.children[*at], !max, below) == expected;
            let first = (0..tree.children.len()).find(best).map(|at| format!("n{at}"));
            let last = (0..tree.children.len()).rfind(best).map(|at| format!("n{at}"));
            prop_assert_eq!(core(&play, None, depth), (f64::from(expected), first));
            let plies = depth.map(|depth| format!("{depth}, ")).unwrap_or_default();
            for goal in [format!("minimax(n, {plies}Best, V)"), format!("alphabeta(n, {plies}-9, 9, Best, V)")] {
                let (answer, _) = ask(&rules, &goal);
                prop_assert_eq!(number(&answer, "V"), f64::from(expected), "{}", goal);
                if let Some(last) = &last {
                    prop_assert_eq!(variable(&answer, "Best"), last, "{}", goal);
                }
            }
        }
    }
}
