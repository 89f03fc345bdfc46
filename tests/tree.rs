//! Trees of searches are the trees of the searches: the same value, line and counts, whatever is
//! folded; and their drawings are what they claim to be.
//!
//! In: made-up games, shipped games, and the built binary.

use alphorn::game::{Game, Heuristic};
use alphorn::search::limits::Limits;
use alphorn::search::{Algorithm, run};
use alphorn::tree::record::{How, record, records};
use alphorn::tree::{Bound, Kind, SearchTree};
use proptest::prelude::*;
use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use toy::{Biased, Fickle, Numbers, Restless, Toy, graphs, trees};

#[path = "agreement/toy.rs"]
#[allow(dead_code)] // Other tests play with more of it.
mod toy;

static NEVER: AtomicBool = AtomicBool::new(false);

/// The searches of which every position is told.
const ALL: [Algorithm; 6] =
    [Algorithm::Minimax, Algorithm::F1, Algorithm::F2, Algorithm::F2G2, Algorithm::AlphaBeta, Algorithm::Pvs];

fn how(algorithm: Algorithm, depth: u32, most: usize) -> How<'static> {
    How { algorithm, depth, most, whole: false, nodes: None, stop: &NEVER }
}

/// Positions that the tree tells of: those it keeps, those folded, those looked at again.
fn told<M>(tree: &SearchTree<M>) -> u64 {
    tree.nodes.iter().map(|node| u64::from(node.seen) + node.folded + node.again).sum()
}

/// Holds the tree of a search against the search.
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
    assert_eq!((Some(root.score), root.bound), (found.value, Bound::Exact), "{about}: the value");
    if algorithm.knows_chance() {
        return;
    }
    assert_eq!(tree.visited, found.nodes, "{about}: positions");
    assert_eq!(tree.judged, found.evals, "{about}: evaluations");
    assert_eq!(told(&tree), tree.visited, "{about}: all are told of");
    let line: Vec<&G::Move> = tree.line().collect();
    let quiet = tree.nodes.iter().any(|node| node.quiet);
    // A proof may have found a line that owes nothing to estimates, and none is told behind the horizon.
    if !quiet && found.proof_nodes == 0 {
        assert_eq!(line, found.line.iter().collect::<Vec<_>>(), "{about}: the line");
    }
    for (at, node) in tree.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < at && tree.nodes[parent].children.contains(&at)));
        assert!(node.children.is_empty() || matches!(node.kind, Kind::Player(_) | Kind::Chance), "{about}");
        assert_eq!(node.cut.is_some(), !node.passed.is_empty(), "{about}: moves are left where there is a cut");
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
    fn repetitions_are_draws_where_the_game_says_so(mut game in graphs(), depth in 0..7_u32, draws in any::<bool>()) {
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
