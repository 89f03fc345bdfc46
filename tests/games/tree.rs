//! Tests that the recorded tree of a search agrees with the search: value, line and counts, with any folding.
//! Tests the drawings too.
//!
//! The input is artificial games, shipped games, and the built binary.

use crate::agreement::toy;
use alphorn::game::{Game, Heuristic};
use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::search::limits::Limits;
use alphorn::search::{Algorithm, run};
use alphorn::session::tree::TreeRequest;
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::source::Source;
use alphorn::tree::record::{TreeOptions, record};
use alphorn::tree::svg::{Theme, document};
use alphorn::tree::{CutReason, Letters, NamedMove, NodeKind, ScoreBound, SearchTree, dot, text};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use toy::{Biased, Fickle, Numbers, Restless, graphs, trees};

mod command;

static NEVER: AtomicBool = AtomicBool::new(false);

/// The searches whose positions can be recorded.
const ALL: [Algorithm; 6] =
    [Algorithm::Minimax, Algorithm::F1, Algorithm::F2, Algorithm::F2G2, Algorithm::AlphaBeta, Algorithm::Pvs];

fn how(algorithm: Algorithm, depth: u32, most: usize) -> TreeOptions<'static> {
    TreeOptions { algorithm, depth, most, whole: false, nodes: None, stop: &NEVER }
}

/// The number of positions in a tree: kept, folded and visited again.
fn told<M>(tree: &SearchTree<M>) -> u64 {
    tree.nodes.iter().map(|node| u64::from(node.seen) + node.folded + node.again).sum()
}

/// Compares the tree of a search with the search.
fn holds<G, H>(algorithm: Algorithm, (game, heuristic): (&G, &H), state: &G::State, depth: u32, most: usize)
where
    G: Game,
    G::Move: Debug + PartialEq,
    G::Fault: Debug,
    H: Heuristic<G>,
{
    let tree = record(game, heuristic, state, &how(algorithm, depth, most)).expect("made-up games do not fault");
    let found = run(algorithm, game, heuristic, state, &Limits::to_depth(depth)).expect("made-up games do not fault");
    let root = tree.root().value.expect("it was not stopped");
    let about = format!("{algorithm} to depth {depth}, {most} positions kept");
    assert_eq!((Some(root.score), root.bound), (found.value, ScoreBound::Exact), "{about}: the value");
    if algorithm.knows_chance() {
        return;
    }
    assert_eq!(tree.visited, found.nodes, "{about}: positions");
    assert_eq!(tree.judged, found.evals, "{about}: evaluations");
    assert_eq!(told(&tree), tree.visited, "{about}: all are told of");
    let line: Vec<&G::Move> = tree.line().collect();
    let quiet = tree.nodes.iter().any(|node| node.quiet);
    // A proof may have found a line without estimates, and the tree shows no positions beyond the horizon.
    if !quiet && found.proof_nodes == 0 {
        assert_eq!(line, found.line.iter().collect::<Vec<_>>(), "{about}: the line");
    }
    for (at, node) in tree.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < at && tree.nodes[parent].children.contains(&at)));
        assert!(node.children.is_empty() || matches!(node.kind, NodeKind::Player(_) | NodeKind::Chance), "{about}");
        assert_eq!(node.cut.is_some(), !node.passed.is_empty(), "{about}: moves are left where there is a cut");
        assert!(node.kind != NodeKind::Horizon || node.ply >= depth, "{about}: {at} is before the horizon");
        let moves = !node.children.is_empty() || !node.passed.is_empty() || node.folded > 0;
        assert!(moves || node.ply >= depth || !matches!(node.kind, NodeKind::Player(_)), "{about}: {at} has moves");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_tree_is_that_of_the_search(game in trees(), depth in 0..7_u32, most in 1..40_usize) {
        for algorithm in ALL {
            holds(algorithm, (&game, &Numbers), &0, depth, 10_000);
            holds(algorithm, (&game, &Numbers), &0, depth, most);
        }
    }

    #[test]
    fn moves_come_in_the_order_of_the_heuristic(game in trees(), seed in any::<u64>(), depth in 0..7_u32) {
        for algorithm in ALL {
            holds(algorithm, (&game, &Biased { seed }), &0, depth, 10_000);
        }
    }

    #[test]
    fn repetitions_are_draws_where_the_game_says_so(mut game in graphs(), depth in 0..5_u32, draws in any::<bool>()) {
        game.repetition_is_draw = draws;
        for algorithm in ALL {
            holds(algorithm, (&game, &Numbers), &0, depth, 10_000);
        }
    }

    #[test]
    fn restless_positions_are_followed_behind_the_horizon(game in trees(), depth in 0..4_u32, most in 1..40_usize) {
        for algorithm in ALL {
            holds(algorithm, (&game, &Restless), &0, depth, most);
            holds(algorithm, (&game, &Fickle), &0, depth, 10_000);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// With the positions that are cut off, a tree is that of minimax; the search itself is unchanged.
    #[test]
    fn what_is_cut_off_can_be_drawn_too(game in trees(), depth in 0..6_u32, most in 1..40_usize) {
        let all = record(&game, &Numbers, &0, &how(Algorithm::Minimax, depth, 10_000)).expect("no fault");
        for algorithm in [Algorithm::F1, Algorithm::F2, Algorithm::AlphaBeta] {
            let whole = TreeOptions { whole: true, ..how(algorithm, depth, 10_000) };
            let tree = record(&game, &Numbers, &0, &whole).expect("no fault");
            let plain = record(&game, &Numbers, &0, &how(algorithm, depth, 10_000)).expect("no fault");
            prop_assert_eq!(tree.nodes.len(), all.nodes.len());
            prop_assert_eq!((tree.visited, tree.judged), (plain.visited, plain.judged));
            prop_assert_eq!(told(&tree), tree.visited);
            prop_assert!(tree.nodes.iter().all(|node| node.seen || node.value.is_some_and(|found| found.bound == ScoreBound::Exact)));
            let folded = record(&game, &Numbers, &0, &TreeOptions { most, ..whole }).expect("no fault");
            prop_assert_eq!(told(&folded), plain.visited);
        }
    }

    /// A cutoff is deep if F1, which knows only the bound of the parent, does not make it.
    #[test]
    fn cuts_say_why(game in trees(), depth in 0..7_u32) {
        for algorithm in [Algorithm::F1, Algorithm::F2, Algorithm::AlphaBeta] {
            let tree = record(&game, &Numbers, &0, &how(algorithm, depth, 10_000)).expect("no fault");
            for cut in tree.nodes.iter().filter_map(|node| node.cut) {
                let CutReason::Window { alpha, beta, deep } = cut else { panic!("{algorithm} cuts by windows") };
                prop_assert!(beta <= alpha);
                prop_assert!(!(deep && algorithm == Algorithm::F1), "F1 has no deep cut-offs");
            }
        }
    }

    /// A score in a tree is the value of the position, or a bound of it.
    #[test]
    fn values_and_bounds_are_true(game in trees(), depth in 0..6_u32) {
        for algorithm in ALL {
            let tree = record(&game, &Numbers, &0, &how(algorithm, depth, 10_000)).expect("no fault");
            for (at, node) in tree.nodes.iter().enumerate() {
                let truth = minimax(&game, node.mv.unwrap_or(0), node.ply, depth);
                let found = node.value.expect("it was not stopped");
                let holds = match found.bound {
                    ScoreBound::Exact => found.score == truth,
                    ScoreBound::AtLeast => truth >= found.score,
                    ScoreBound::AtMost => truth <= found.score,
                };
                prop_assert!(holds, "{algorithm}, node {at}: {found:?}, and the value is {truth:?}");
            }
        }
    }
}

/// The value of a position of an artificial tree, with distances from the root.
fn minimax(game: &toy::Toy, at: usize, ply: u32, depth: u32) -> alphorn::game::Score {
    use alphorn::game::{Score, Side};
    let position = &game.positions[at];
    if position.children.is_empty() || ply == depth {
        return match position.ending.filter(|_| position.children.is_empty()) {
            Some(ending) => Score::of_result(ending, ply),
            None => Score::number(position.number),
        };
    }
    let values = position.children.iter().map(|child| minimax(game, *child, ply + 1, depth));
    match position.mover {
        Side::Max => values.max(),
        Side::Min => values.min(),
    }
    .expect("there is a child")
}

// Shipped games.

fn open(path: &str) -> Session {
    let source = Source::read(&format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("it can be read");
    let options = ProgramOptions::default();
    let budgets = Budgets::new(None, None);
    Session::open(&[source], &[], &options, Expected::Game, budgets, Default::default()).expect("it loads")
}

fn shipped() -> Vec<String> {
    let entries = std::fs::read_dir(format!("{}/games", env!("CARGO_MANIFEST_DIR"))).expect("games/ can be read");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.ends_with(".pl")).map(|name| format!("games/{name}")).collect()
}

/// The tree of every shipped game, at a small depth, has the value of the search, and every drawing of it is
/// well formed.
#[test]
fn trees_of_shipped_games_have_their_values() {
    for path in shipped() {
        let session = open(&path);
        let game = session.game().expect("it can be played");
        let state = session.position(&game, &GameStart::default()).expect("there is an opening");
        let depth = if path.contains("gomoku") { 1 } else { 2 };
        let algorithms: &[Algorithm] = match game.facts().has_chance {
            true => &[Algorithm::Star1, Algorithm::Expectiminimax],
            false => &[Algorithm::AlphaBeta, Algorithm::Pvs],
        };
        for algorithm in algorithms {
            let wish = TreeRequest { algorithm: Some(*algorithm), depth, most: 150, whole: false, advised: true };
            let tree = session.search_tree(&game, &state, &wish).expect("no rule faults");
            let found =
                session.value(&game, &state, &(*algorithm).into(), &Limits::to_depth(depth)).expect("no rule faults");
            assert_eq!(tree.root().value.map(|found| found.score), found.outcome.value, "{path}: {algorithm}");
            assert_eq!(told(&tree), tree.visited, "{path}: {algorithm}");
            if *algorithm != Algorithm::Star1 {
                assert_eq!(tree.visited, found.outcome.nodes, "{path}: {algorithm}");
            }
            well_formed(&tree, &path);
        }
    }
}

fn well_formed(tree: &SearchTree<NamedMove>, about: &str) {
    for theme in [Theme::Light, Theme::Dark, Theme::Auto] {
        let svg = document(tree, about, theme);
        let names = elements(&svg).unwrap_or_else(|wrong| panic!("{about}: {wrong}"));
        assert_eq!(names.first().map(String::as_str), Some("svg"));
        assert!(names.contains(&"title".to_string()) && names.contains(&"desc".to_string()), "{about}");
        assert!(svg.contains("viewBox=") && !svg.contains("NaN") && !svg.contains("inf"), "{about}");
    }
    is_dot(&dot::graph(tree, about), about);
    for letters in [Letters::Ascii, Letters::Terminal] {
        for width in [20, 80] {
            for line in text::lines(tree, letters, width) {
                assert!(line.chars().count() <= width, "{about}: {line}");
            }
        }
    }
}

/// The names of all elements of an XML document, or its error.
fn elements(xml: &str) -> Result<Vec<String>, String> {
    let (mut open, mut names): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rest = xml;
    while let Some(begin) = rest.find('<') {
        plain(&rest[..begin])?;
        let end = rest[begin..].find('>').ok_or("a tag without an end")? + begin;
        let tag = &rest[begin + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop().as_deref() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let body = tag.strip_suffix('/').unwrap_or(tag);
        let name = body.split_whitespace().next().ok_or("a tag without a name")?;
        // Outside quotes there are only names and signs, inside quotes no bare <.
        if !body.matches('"').count().is_multiple_of(2) {
            return Err(format!("<{tag}> has an open quote"));
        }
        for (number, part) in body[name.len()..].split('"').enumerate() {
            match number % 2 {
                0 if !part.trim().is_empty() && (!part.ends_with('=') || part.trim().contains(' ')) => {
                    return Err(format!("<{tag}>: {part}"));
                }
                0 => {}
                _ => plain(part)?,
            }
        }
        names.push(name.to_string());
        if body.len() == tag.len() {
            open.push(name.to_string());
        }
    }
    plain(rest)?;
    if open.is_empty() { Ok(names) } else { Err(format!("{open:?} are open at the end")) }
}

/// Whether a text contains no bare sign of XML.
fn plain(text: &str) -> Result<(), String> {
    for after in text.split('&').skip(1) {
        if !["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| after.starts_with(entity)) {
            return Err(format!("a bare & in {text}"));
        }
    }
    let wrong = text.chars().find(|c| c.is_control() && *c != '\n');
    wrong.map_or(Ok(()), |wrong| Err(format!("the character {wrong:?} in {text}")))
}

/// Asserts that a text is a graph for Graphviz: statements, all nodes before their edges, no open quote.
fn is_dot(graph: &str, about: &str) {
    let lines: Vec<&str> = graph.lines().collect();
    assert_eq!((lines.first(), lines.last()), (Some(&"digraph tree {"), Some(&"}")), "{about}");
    let mut told = BTreeSet::new();
    for line in &lines[1..lines.len() - 1] {
        let bare = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(bare.matches('"').count() % 2, 0, "{about}: {line}");
        assert!(line.ends_with(';'), "{about}: {line}");
        let Some((name, _)) = line.trim().split_once(" [label=") else { continue };
        match name.split_once(" -> ") {
            Some((from, to)) => assert!(told.contains(from) && told.contains(to), "{about}: {line}"),
            None => assert!(told.insert(name.to_string()), "{about}: {line}"),
        }
    }
    assert!(!told.is_empty(), "{about}");
}

#[test]
fn odd_labels_are_drawn_as_they_are() {
    let session = open("examples/russell_norvig.pl");
    let game = session.game().expect("it can be played");
    let state = session.position(&game, &GameStart::default()).expect("there is an opening");
    let tree = session.search_tree(&game, &state, &TreeRequest::default()).expect("no rule faults");
    let odd = ["<a & \"b\">", "\u{1}\n\\", "日本語の手", "a label that is much longer than anybody would write", "]]>"];
    let mut labels = odd.iter().cycle();
    let named = tree.name(|_, _, _| {
        let label = labels.next().map(|label| label.to_string()).unwrap_or_default();
        Ok::<NamedMove, ()>(NamedMove { position: label.clone(), label })
    });
    well_formed(&named.expect("every move has a name"), "odd <labels> & \"titles\"");
}

#[test]
fn bad_xml_and_bad_graphs_are_seen() {
    for wrong in ["<a>", "<a></b>", "<a x=1/>", "<a x=\"1/>", "<a>&</a>", "<a>\u{1}</a>", "<a b c=\"\"/>"] {
        assert!(elements(wrong).is_err(), "{wrong}");
    }
    assert_eq!(elements("<a x=\"1\"><b/>&lt;</a>"), Ok(vec!["a".to_string(), "b".to_string()]));
}

/// A search that is stopped shows its tree so far.
#[test]
fn a_stopped_search_tells_what_it_has() {
    let stop = AtomicBool::new(true);
    let game = toy::uniform(2, &[1.0; 16]);
    let stopped = record(&game, &Numbers, &0, &TreeOptions { stop: &stop, ..how(Algorithm::AlphaBeta, 9, 100) })
        .expect("no fault");
    assert!(stopped.stopped && stopped.root().value.is_none() && stopped.visited == 0);
    for nodes in 1..20 {
        let how = TreeOptions { nodes: Some(nodes), ..how(Algorithm::Minimax, 9, 100) };
        let tree = record(&game, &Numbers, &0, &how).expect("no fault");
        assert_eq!((tree.stopped, tree.visited), (true, nodes));
        assert!(tree.root().value.is_none());
    }
}

/// The tree of pi has the published number of deep cutoffs.
#[test]
fn the_tree_of_pi_has_its_deep_cutoffs() {
    let session = open("games/pi_tree.pl");
    let game = session.game().expect("it can be played");
    let state = session.position(&game, &GameStart::default()).expect("there is an opening");
    for (algorithm, leaves) in
        [(Algorithm::Minimax, 81), (Algorithm::F1, 36), (Algorithm::F2, 31), (Algorithm::AlphaBeta, 31)]
    {
        let wish = TreeRequest { algorithm: Some(algorithm), depth: 4, ..TreeRequest::default() };
        let tree = session.search_tree(&game, &state, &wish).expect("no rule faults");
        assert_eq!(tree.nodes.iter().filter(|node| node.kind == NodeKind::Over).count(), leaves, "{algorithm}");
        let deep = |cut: CutReason| matches!(cut, CutReason::Window { deep: true, .. });
        let passed = tree.nodes.iter().filter(|node| node.cut.is_some_and(deep)).map(|node| node.passed.len());
        let expected = if leaves == 31 { 5 } else { 0 };
        assert_eq!(passed.sum::<usize>(), expected, "{algorithm}: five leaves by deep cut-offs");
    }
}

// The command.
