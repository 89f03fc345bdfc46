//! Tests that the laboratory gives the published numbers, and that it counts correctly.
//!
//! The input is the trees of the books, random trees, shipped games and the built binary. The golden numbers
//! are those of Knuth and Moore, 1975, and of Pearl, 1982. The means of samples come from another program.

use crate::agreement::toy;
use alphorn::game::{Game, Score};
use alphorn::lab::analysis::analyse;
use alphorn::lab::counting::{Means, Searcher, means};
use alphorn::lab::critical::fewest_leaves;
use alphorn::lab::known;
use alphorn::lab::picture::{LeafMark, Picture};
use alphorn::lab::ties::{Pairing, experiment, search_with_pairing};
use alphorn::lab::trace::{self, TraceCounts, TracedProcedure};
use alphorn::lab::uniform::{LeafReader, Leaves, TreePlace, TreeShape, Uniform};
use alphorn::lab::{critical, theory};
use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::search::limits::Limits;
use alphorn::search::{Algorithm, run};
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::source::{Origin, Source};
use proptest::prelude::*;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use toy::{Numbers, Toy, graphs, trees};

static NEVER: AtomicBool = AtomicBool::new(false);
const ALL: [Searcher; 5] = [Searcher::F, Searcher::F1, Searcher::F2, Searcher::Pvs, Searcher::Mtdf];

fn shape(branching: u32, height: u32) -> TreeShape {
    TreeShape::new(branching, height).expect("it is small")
}

fn leaves(searcher: Searcher, tree: &Uniform) -> u64 {
    searcher.read(tree, &NEVER).expect("nobody stops it").1
}

fn random(seed: u64) -> Leaves {
    Leaves::Random { seed, values: None }
}

// The trees of the books.

#[test]
fn the_tree_of_pi_has_its_published_numbers() {
    let tree = known::pi();
    let read = [Searcher::F, Searcher::F1, Searcher::F2].map(|searcher| searcher.read(&tree, &NEVER));
    assert_eq!(read, [Ok((2, 81)), Ok((2, 36)), Ok((2, 31))]);
    let picture = Picture::new(&tree);
    assert_eq!(picture.leaves(LeafMark::Visited), 31);
    assert_eq!(picture.leaves(LeafMark::DeepCut), 5, "five deep cut-offs");
    // F1 gives 3 for a position whose value is 7; the bound suffices.
    let below = |number| alphorn::lab::ties::minimax(&tree, TreePlace { ply: 2, number });
    assert_eq!([0, 1, 2].map(below), [2, 7, 4]);
}

/// Deep cutoffs begin at the fourth level: in lower trees F1 and F2 visit the same leaves.
#[test]
fn lower_trees_have_no_deep_cutoffs() {
    for (branching, height) in [(2, 1), (2, 2), (3, 3), (5, 3)] {
        for seed in 0..50 {
            let tree = Uniform { shape: shape(branching, height), leaves: random(seed) };
            assert_eq!(Picture::new(&tree).leaves(LeafMark::DeepCut), 0);
            assert_eq!(leaves(Searcher::F1, &tree), leaves(Searcher::F2, &tree));
        }
    }
}

#[test]
fn bratkos_tree_takes_five_leaves_of_eight() {
    let tree = known::bratko();
    let read = [Searcher::F, Searcher::F1, Searcher::F2].map(|searcher| searcher.read(&tree, &NEVER));
    assert_eq!(read, [Ok((4, 8)), Ok((4, 5)), Ok((4, 5))]);
    for pairing in Pairing::ALL {
        let played = search_with_pairing(&tree, pairing);
        assert_eq!((played.value, played.best), (4, 1), "{}", pairing.name());
    }
}

#[test]
fn a_perfectly_ordered_tree_takes_the_critical_leaves_alone() {
    for (branching, most) in [(2, 16), (3, 9), (4, 7), (5, 6)] {
        for height in 0..=most {
            let shape = shape(branching, height);
            let tree = Uniform { shape, leaves: Leaves::Ordered { seed: 3 } };
            for searcher in [Searcher::F2, Searcher::Pvs, Searcher::Mtdf] {
                assert_eq!(leaves(searcher, &tree), fewest_leaves(shape), "{} {branching} {height}", searcher.name());
            }
            let counted = critical::counted(shape, &NEVER).expect("nobody stops it");
            assert_eq!(counted.last().map(|types| types.sum()), Some(fewest_leaves(shape)));
        }
    }
}

// Random trees.

#[test]
fn every_searcher_finds_what_minimax_finds() {
    for (branching, height) in [(1, 5), (2, 0), (2, 1), (2, 7), (3, 4), (4, 3), (6, 2)] {
        let shape = shape(branching, height);
        for seed in 0..300 {
            let few = Some(1 + seed % 7);
            for leaves in [
                random(seed),
                Leaves::Random { seed, values: few },
                Leaves::Dependent { seed },
                Leaves::Ordered { seed },
            ] {
                let tree = Uniform { shape, leaves };
                let value = alphorn::lab::ties::minimax(&tree, TreePlace::ROOT);
                for searcher in ALL {
                    let found = searcher.read(&tree, &NEVER).map(|(value, _)| value);
                    assert_eq!(found, Ok(value), "{}: {branching} {height} {tree:?}", searcher.name());
                }
            }
        }
    }
}

/// Asserts that a mean is within four standard errors of the count of another program.
#[track_caller]
fn near(means: &Means, searcher: Searcher, height: u32, expected: f64) {
    let row = means.rows.iter().find(|row| row.height == height).expect("every height has a row");
    let sample = row.sample(searcher).expect("it was asked for");
    let (mean, error) = (sample.mean(), sample.standard_error().expect("there are many"));
    let name = searcher.name();
    assert!((mean - expected).abs() <= 4.0 * error, "{name} {height}: {mean} +- {error} is not {expected}");
}

#[test]
fn random_trees_take_what_was_sampled() {
    let sampled: [(u32, &[f64], &[f64]); 2] = [
        (2, &[3.68, 12.7, 44.4, 156.0, 534.0, 1838.0], &[3.70, 12.1, 36.7, 108.0, 319.0, 870.0]),
        (3, &[7.46, 50.7, 338.0, 2290.0], &[7.5, 45.4, 245.0, 1303.0]),
    ];
    for (branching, bounded, cut) in sampled {
        let highest = 2 * bounded.len() as u32;
        let shape = shape(branching, highest);
        let means = means(shape, 300, 1, &[Searcher::F1, Searcher::F2], &random, &NEVER);
        for (at, height) in (2..=highest).step_by(2).enumerate() {
            near(&means, Searcher::F1, height, bounded[at]);
            near(&means, Searcher::F2, height, cut[at]);
        }
        // Without deep cutoffs no mean grows faster than the theory allows.
        let last = means.rows.last().and_then(|row| row.sample(Searcher::F1)).expect("there are rows").mean();
        assert!(theory::root(last, highest) < theory::growth_without_deep_cutoffs(branching));
    }
}

#[test]
fn random_trees_of_height_two_take_what_theory_says() {
    for branching in [2, 3, 5, 8] {
        let means = means(shape(branching, 2), 20_000, 1, &[Searcher::F1, Searcher::F2], &random, &NEVER);
        near(&means, Searcher::F1, 2, theory::mean_of_height_two(branching));
        near(&means, Searcher::F2, 2, theory::mean_of_height_two(branching));
    }
}

#[test]
fn dependent_trees_take_what_the_formula_says() {
    for (branching, highest) in [(2, 8), (3, 6), (4, 4)] {
        let leaves = |seed| Leaves::Dependent { seed };
        let means = means(shape(branching, highest), 2000, 1, &[Searcher::F2], &leaves, &NEVER);
        // At height 1 every search visits all leaves, and the error is 0.
        for height in 2..=highest {
            near(&means, Searcher::F2, height, theory::mean_of_dependent(branching, height));
        }
    }
}

#[test]
fn cuts_on_equality_and_later_on_ties_do_not_go_together() {
    for (branching, height, values) in [(2, 4, 4), (3, 3, 4), (4, 2, 3), (2, 5, 9)] {
        let found = experiment(shape(branching, height), 5000, 1, values, &NEVER);
        let wrong: Vec<_> = found.rows.iter().map(|row| (row.wrong_values, row.wrong_moves)).collect();
        let [strict, mixed, first] = wrong[..] else { panic!("there are three pairings") };
        assert_eq!((strict, first, mixed.0), ((0, 0), (0, 0), 0));
        assert!(mixed.1 > 100, "{branching} {height}: {}", mixed.1);
        assert!(found.rows[0].leaves > found.rows[2].leaves);
    }
}

#[test]
fn the_stop_flag_stops_every_experiment() {
    let stop = AtomicBool::new(true);
    let means = means(shape(2, 20), 9, 1, &ALL, &random, &stop);
    assert_eq!((means.rows.len(), means.stopped), (0, true));
    let found = experiment(shape(2, 4), 9, 1, 4, &stop);
    assert_eq!((found.trees, found.stopped), (0, true));
    let tree = Uniform { shape: shape(2, 20), leaves: random(1) };
    let analysis = analyse((&tree, &LeafReader), &[TreePlace::ROOT], 20, &stop).expect("nothing faults");
    assert_eq!((analysis.positions, analysis.stopped), (0, true));
}

// Counts for any game.

fn traced<G: Game, H: alphorn::game::Heuristic<G>>(
    procedure: TracedProcedure,
    rules: (&G, &H),
    root: &G::State,
    depth: u32,
) -> TraceCounts {
    match trace::run(procedure, rules, root, depth, &NEVER, &mut |_| {}) {
        Ok(counts) => counts,
        Err(_) => panic!("{} was halted", procedure.name()),
    }
}

/// Asserts that values and positions are those of the searches, and that no search visits fewer positions
/// than the minimal tree.
fn holds(toy: &Toy, depth: u32) {
    let analysis = match analyse((toy, &Numbers), &[0], depth, &NEVER) {
        Ok(analysis) => analysis,
        Err((_, error)) => panic!("{error:?}"),
    };
    let rows = [Algorithm::Minimax, Algorithm::F1, Algorithm::F2];
    let outcomes =
        rows.map(|row| run(row, toy, &Numbers, &0, &Limits::to_depth(depth)).expect("the depth ends every line"));
    for cost in &analysis.costs {
        let counts = traced(cost.procedure, (toy, &Numbers), &0, depth);
        assert_eq!(counts.value, outcomes[0].value, "{}", cost.procedure.name());
        assert_eq!((counts.nodes, counts.leaves), (cost.counts.nodes, cost.counts.leaves));
        assert!(counts.first_cutoffs <= counts.cutoffs);
    }
    for (cost, outcome) in analysis.costs.iter().zip(&outcomes) {
        assert_eq!(cost.counts.nodes, outcome.nodes, "{}", cost.procedure.name());
        assert!(analysis.minimal.nodes <= cost.counts.nodes && analysis.minimal.leaves <= cost.counts.leaves);
    }
    assert!(analysis.minimal.leaves > 0, "every value has a proof");
    let positions: u64 = analysis.plies.iter().map(|ply| ply.positions).sum();
    assert_eq!(positions, outcomes[0].nodes);
    if let Some(table) = analysis.costs.get(3) {
        assert!(table.counts.nodes <= outcomes[0].nodes);
    }
}

fn cases() -> ProptestConfig {
    ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(1975),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn counts_are_those_of_the_searches(tree in trees(), depth in 0..6_u32) {
        holds(&tree, depth);
    }

    #[test]
    fn counts_hold_where_lines_meet(mut graph in graphs(), depth in 0..6_u32, draw: bool) {
        graph.repetition_is_draw = draw;
        holds(&graph, depth);
    }
}

/// In a uniform tree the minimal tree has as many positions as there are critical positions, in any order of
/// moves.
#[test]
fn the_minimal_tree_of_a_uniform_tree_is_the_critical_one() {
    for (branching, height) in [(2, 7), (3, 4), (4, 3)] {
        let shape = shape(branching, height);
        for seed in 0..50 {
            let tree = Uniform { shape, leaves: random(seed) };
            let analysis = analyse((&tree, &LeafReader), &[TreePlace::ROOT], height, &NEVER).expect("nothing faults");
            assert_eq!(analysis.minimal.leaves, fewest_leaves(shape));
            let critical = critical::counted(shape, &NEVER).expect("nobody stops it");
            assert_eq!(analysis.minimal.nodes, critical.iter().map(|types| types.sum()).sum::<u64>());
        }
    }
}

#[test]
fn a_shipped_game_is_counted_as_it_is_searched() {
    for (name, depth) in [("tictactoe", 4), ("krk", 2), ("connect_four", 4), ("pi_tree", 4), ("othello", 3)] {
        let text = std::fs::read_to_string(format!("games/{name}.pl")).expect("it is shipped");
        let source = Source { name: name.into(), text: text.into(), origin: Origin::File("games/x.pl".into()) };
        let budgets = Budgets::new(None, None);
        let session =
            Session::open(&[source], &[], &ProgramOptions::default(), Expected::Game, budgets, Default::default());
        let session = session.unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let game = session.game().unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let state =
            session.position(&game, &GameStart::default()).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let analysis = session.analyse(&game, std::slice::from_ref(&state), depth).expect("the rules are right");
        for (row, cost) in [Algorithm::Minimax, Algorithm::F1, Algorithm::F2].into_iter().zip(&analysis.costs) {
            let valued =
                session.value(&game, &state, &row.into(), &Limits::to_depth(depth)).expect("the rules are right");
            assert_eq!(valued.outcome.nodes, cost.counts.nodes, "{name}: {row}");
        }
        assert!(analysis.minimal.nodes <= analysis.costs[2].counts.nodes, "{name}");
    }
}

// The command.

fn alphorn(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("alphorn writes UTF-8"))
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    let (status, out) = alphorn(&[args, &["--json"]].concat());
    assert_eq!((status, out.lines().count()), (Some(0), 1), "{args:?}: {out}");
    let object: Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(object["schema"], 2);
    object
}

#[test]
fn the_command_gives_the_golden_numbers() {
    let pi = json(&["lab", "pi"]);
    assert_eq!((&pi["value"], &pi["deep_cutoffs"]), (&2.into(), &5.into()));
    assert_eq!(pi["leaves"], serde_json::json!({ "f": 81, "f1": 36, "f2": 31 }));
    let bratko = json(&["lab", "bratko"]);
    assert_eq!((&bratko["value"], &bratko["line"]), (&4.into(), &serde_json::json!(["a", "b", "d"])));
    assert_eq!(bratko["leaves"], serde_json::json!({ "f": 8, "f1": 5, "f2": 5 }));
    let critical = json(&["lab", "critical", "3", "4"]);
    assert_eq!((&critical["leaves"], &critical["critical_leaves"]), (&81.into(), &17.into()));
    for level in critical["levels"].as_array().expect("levels are listed") {
        assert_eq!(level["counted"], level["formula"]);
    }
    let perfect = json(&["lab", "perfect", "--branching", "2", "--depth", "10"]);
    for row in perfect["rows"].as_array().expect("heights are listed") {
        assert_eq!(row["f2"], row["formula"]);
    }
    let random = json(&["lab", "random", "--branching", "2", "--depth", "2", "--trees", "20"]);
    assert_eq!((&random["theory"]["f1"], &random["theory"]["f2"]), (&1.912_449.into(), &1.618_034.into()));
    assert_eq!(random["rows"][1]["exact"], 3.666_667);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for args in [
        &["lab", "random", "--branching", "2", "--depth", "6", "--trees", "50", "--leaves", "4"][..],
        &["lab", "dependent", "--branching", "3", "--depth", "4", "--trees", "50"],
        &["lab", "tree"],
        &["lab", "ties", "--trees", "500"],
        &["analyze", "games/tictactoe.pl", "--depth", "3"],
    ] {
        let (status, first) = alphorn(args);
        assert_eq!(status, Some(0), "{args:?}");
        assert_eq!(alphorn(args).1, first, "{args:?}");
        // An open window has infinite ends.
        let first = first.replace("(-inf,", "").replace("inf)", "");
        assert!(!first.contains("NaN") && !first.contains("inf"), "{first}");
    }
    let tree = |seed| alphorn(&["lab", "tree", "--seed", seed]).1;
    assert_ne!(tree("1"), tree("2"));
}

#[test]
fn absurd_sizes_are_refused() {
    for args in [
        &["lab", "critical", "2", "99"][..],
        &["lab", "critical", "4294967295", "3"],
        &["lab", "random", "--branching", "10", "--depth", "30"],
        &["lab", "dependent", "--branching", "2", "--depth", "4294967295"],
        &["lab", "perfect", "--branching", "1000", "--depth", "9"],
        &["lab", "tree", "--depth", "9"],
        &["lab", "ties", "--depth", "17"],
    ] {
        let (status, out) = alphorn(&[args, &["--json"]].concat());
        let object: Value = serde_json::from_str(&out).expect("it is JSON");
        assert_eq!((status, &object["error"]["code"]), (Some(2), &"A0621".into()), "{args:?}: {out}");
    }
    let (status, out) = alphorn(&["lab", "tree", "--svg", "/nowhere/tree.svg", "--json"]);
    assert!(status == Some(2) && out.contains("there is no such folder"), "{out}");
    assert_eq!(alphorn(&["lab", "random", "--branching", "0", "--depth", "2"]).0, Some(2));
    assert_eq!(alphorn(&["lab", "random", "--branching", "2", "--depth", "2", "--leaves", "0"]).0, Some(2));
}

#[test]
fn a_tree_is_drawn_with_every_leaf() {
    let file = std::env::temp_dir().join(format!("alphorn-lab-{}.svg", std::process::id()));
    let path = file.to_str().expect("the folder has a plain name");
    let object = json(&["lab", "tree", "--depth", "4", "--seed", "2", "--svg", path]);
    let svg = std::fs::read_to_string(&file).expect("it was written");
    let _ = std::fs::remove_file(&file);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // Sixteen leaves, and fifteen positions above the leaves.
    assert_eq!(svg.matches("<text class=\"value").count(), 31);
    assert_eq!(object["leaves"].as_array().map(Vec::len), Some(16));
    let marks: Vec<&str> =
        object["leaves"].as_array().into_iter().flatten().filter_map(|leaf| leaf["mark"].as_str()).collect();
    assert!(marks.contains(&"visited") && marks.contains(&"cut"), "{marks:?}");
}

#[test]
fn analyze_takes_several_positions() {
    let one = json(&["analyze", "games/bratko.pl", "--position", "b", "--depth", "9"]);
    let two = json(&["analyze", "games/bratko.pl", "--position", "b", "--position", "c", "--depth", "9"]);
    assert_eq!((&one["positions"], &two["positions"]), (&1.into(), &2.into()));
    assert_eq!((&one["plies"][0]["positions"], &two["plies"][0]["positions"]), (&1.into(), &2.into()));
    assert_eq!(one["plies"][2]["over"], 4);
    assert_eq!(one["searches"][0]["leaves"], 4);
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_answered_at_once() {
    for args in [
        &["lab", "random", "--branching", "2", "--depth", "24", "--trees", "1000000"][..],
        &["lab", "critical", "2", "53"],
        &["lab", "ties", "--trees", "1000000000"],
        &["analyze", "games/chess.pl", "--depth", "20"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .args(args)
            .arg("--json")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        // The experiment begins within this time; the test cannot observe when.
        std::thread::park_timeout(std::time::Duration::from_millis(700));
        let sent =
            Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("kill is there");
        assert!(sent.success(), "{args:?} has ended by itself");
        let begun = std::time::Instant::now();
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{args:?}");
        assert!(begun.elapsed().as_secs() < 5, "{args:?} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_score_is_never_an_estimate_of_a_leaf() {
    let tree = known::pi();
    let counts = traced(TracedProcedure::F2, (&tree, &LeafReader), &TreePlace::ROOT, 4);
    assert_eq!((counts.value, counts.leaves), (Some(Score::Value(2.0)), 31));
}
