//! Trees and counts from the literature.

use super::*;

/// The value of `toy`, and the number of leaves that minimax, F1 and the three forms of alpha-beta search
/// visit.
fn value_and_leaves(toy: &Toy) -> (Score, u64, u64, u64) {
    all_agree(toy, None);
    let plain = check(Algorithm::Minimax, toy, None);
    let bounded = check(Algorithm::F1, toy, None);
    let cut = check(Algorithm::AlphaBeta, toy, None);
    for form in [Algorithm::F2, Algorithm::F2G2] {
        assert_eq!(check(form, toy, None).evals, cut.evals, "{form} visits what alpha-beta visits");
    }
    (plain.value.expect("nothing stopped it"), plain.evals, bounded.evals, cut.evals)
}

/// Ivan Bratko, "Prolog Programming for Artificial Intelligence", figure 15.2 in some editions.
#[test]
fn bratkos_tree_takes_five_leaves_of_eight() {
    let tree = uniform(2, &[1.0, 4.0, 5.0, 6.0, 2.0, 1.0, 1.0, 1.0]);
    assert_eq!(value_and_leaves(&tree), (Score::Value(4.0), 8, 5, 5));
}

/// Knuth and Moore, 1975: the ternary tree of height 4 whose leaves are the digits of pi.
#[test]
fn the_tree_of_pi_takes_thirty_one_leaves_of_eighty_one() {
    let digits = "314159265358979323846264338327950288419716939937510582097494459230781640628620899";
    let leaves: Vec<f64> = digits.bytes().map(|digit| f64::from(digit - b'0')).collect();
    assert_eq!(value_and_leaves(&uniform(3, &leaves)), (Score::Value(2.0), 81, 36, 31));
}

/// Knuth and Moore, 1975: a perfectly ordered tree costs b^ceil(d/2) + b^floor(d/2) - 1 leaves. If all leaves
/// are equal, every order is perfect.
#[test]
fn a_perfectly_ordered_tree_costs_the_critical_leaves() {
    for (branching, height) in [(2_usize, 5_u32), (2, 6), (3, 4), (5, 3)] {
        let leaves = vec![1.0; branching.pow(height)];
        let critical = branching.pow(height.div_ceil(2)) + branching.pow(height / 2) - 1;
        let (_, plain, _, cut) = value_and_leaves(&uniform(branching, &leaves));
        assert_eq!((plain, cut), (leaves.len() as u64, critical as u64));
    }
}

#[test]
fn tic_tac_toe_is_a_draw_of_nine_plies() {
    let start = native_game::Board::default();
    for algorithm in Algorithm::ALL {
        let searched = run(algorithm, &native_game::TicTacToe, &NoEvaluation, &start, &Limits::default());
        let outcome = searched.expect("every line ends");
        assert_eq!(outcome.value, Some(Score::Value(0.0)));
        assert_eq!((outcome.exact, outcome.plies(), outcome.reached), (true, Some(9), 9));
        match algorithm {
            Algorithm::Minimax | Algorithm::Expectiminimax => assert_eq!(outcome.nodes, 549_946),
            Algorithm::F1 => assert_eq!(outcome.nodes, 35_156),
            Algorithm::F2 | Algorithm::F2G2 | Algorithm::AlphaBeta | Algorithm::Star1 | Algorithm::Star2 => {
                assert_eq!(outcome.nodes, 20_866)
            }
            _ => assert!(outcome.nodes < 20_866, "{algorithm} visits {} positions", outcome.nodes),
        }
    }
}

#[test]
fn tic_tac_toe_has_the_published_lines() {
    let counted = perft(&native_game::TicTacToe, &native_game::Board::default(), 12, None);
    let paths = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
    assert_eq!(counted.expect("the rules are right").paths, paths);
    assert_eq!(paths.iter().sum::<u64>() + 1, 549_946);
}
