//! Tests games with chance in which play can go on for ever: endless play is worth 0.
//!
//! The games are random graphs with cycles; the values of their ends may be all greater than 0, or all less.
//! A slow and plain computation gives the value: it tries every choice of moves against every other choice,
//! and solves a system of linear equations for each. The interval of solving must contain the value, and an
//! exact value of a search must equal it.

use super::*;

/// The value of each position if every player has chosen one move in every position. `next` contains the
/// remaining successors with their probabilities.
fn chain(toy: &Toy, next: &[Vec<(usize, f64)>]) -> Vec<f64> {
    let count = toy.places.len();
    let mut ends: Vec<bool> = next.iter().map(Vec::is_empty).collect();
    for _ in 0..count {
        for at in 0..count {
            ends[at] |= next[at].iter().any(|(to, _)| ends[*to]);
        }
    }
    // Where play never ends, the value is 0. Elsewhere Gaussian elimination solves v = P v + b.
    let mut rows: Vec<Vec<f64>> = vec![vec![0.0; count + 1]; count];
    for at in 0..count {
        rows[at][at] = 1.0;
        match next[at].is_empty() {
            true => rows[at][count] = over(toy, at),
            false if ends[at] => next[at].iter().for_each(|(to, chance)| rows[at][*to] -= chance),
            false => {}
        }
    }
    for at in 0..count {
        let best = (at..count).max_by(|left, right| rows[*left][at].abs().total_cmp(&rows[*right][at].abs()));
        rows.swap(at, best.expect("there is a row"));
        let pivot = rows[at].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            let factor = row[at] / pivot[at];
            if other != at && factor != 0.0 {
                row.iter_mut().zip(&pivot).for_each(|(cell, above)| *cell -= factor * above);
            }
        }
    }
    (0..count).map(|at| rows[at][count] / rows[at][at]).collect()
}

/// The value of the root: MAX chooses one move in every position, MIN answers with the worst choice, and MAX
/// takes the best result. Other strategies are no better. The value of a fixed number of plies may differ,
/// for any number: a side that waits gambles if the loss comes after the last ply.
fn truth(toy: &Toy) -> f64 {
    let moves = |at: usize, side: Mover| match (toy.places[at].mover, side) {
        (Mover::Max, Mover::Max) | (Mover::Min, Mover::Min) => toy.places[at].children.len().max(1),
        _ => 1,
    };
    let all = |side: Mover| -> usize { (0..toy.places.len()).map(|at| moves(at, side)).product() };
    let value = |max: usize, min: usize| {
        let (mut left, mut next) = ([max, min], Vec::new());
        for (at, place) in toy.places.iter().enumerate() {
            let total = place.weights.iter().sum::<u64>() as f64;
            let mut pick = |side: usize, mover| {
                let number = left[side] % moves(at, mover);
                left[side] /= moves(at, mover);
                place.children.get(number).map(|child| (*child, 1.0)).into_iter().collect()
            };
            next.push(match place.mover {
                Mover::Max => pick(0, Mover::Max),
                Mover::Min => pick(1, Mover::Min),
                Mover::Chance => {
                    place.children.iter().zip(&place.weights).map(|(to, w)| (*to, *w as f64 / total)).collect()
                }
            });
        }
        chain(toy, &next)[0]
    };
    let worst = |max: usize| (0..all(Mover::Min)).map(|min| value(max, min)).fold(f64::INFINITY, f64::min);
    (0..all(Mover::Max)).map(worst).fold(f64::NEG_INFINITY, f64::max)
}

/// A graph with cycles. Its value range contains 0, is above 0, is below 0, or is unknown.
fn endless() -> impl Strategy<Value = Toy> {
    let places = (2usize..7).prop_flat_map(|count| (0..count).map(|at| place(count, at, true)).collect::<Vec<_>>());
    (places, 0usize..4, any::<bool>()).prop_map(|(mut places, kind, ends)| {
        let range = [None, Some((-1.0, 1.0)), Some((0.25, 1.0)), Some((-1.0, -0.25))][kind];
        if let Some((low, high)) = range {
            for place in &mut places {
                place.number = low + (high - low) * (place.number + 1.0) / 2.0;
            }
        }
        // Games with outcomes must have a draw with value 0.
        Toy { places, acyclic: false, range, ends: ends && kind == 1 }
    })
}

/// The game of a bug report: MIN loops for ever between two positions to avoid the other values.
fn looping(range: Option<(f64, f64)>, sign: f64) -> Toy {
    let place = |mover, children: Vec<usize>, number: f64| Place {
        mover,
        weights: vec![1; children.len()],
        children,
        number: sign * number,
    };
    let mover = if sign > 0.0 { Mover::Min } else { Mover::Max };
    let places = vec![
        place(mover, vec![1, 2], 1.0),
        place(mover, vec![0], 2.0),
        place(Mover::Max, vec![], 1.0),
        place(Mover::Chance, vec![0, 2], 1.0),
    ];
    Toy { places, acyclic: false, range, ends: false }
}

const ALL: [Algorithm; 5] =
    [Algorithm::Expectiminimax, Algorithm::Star1, Algorithm::Star2, Algorithm::Auto, Algorithm::Mcts];

#[test]
fn a_bound_that_endless_play_escapes_is_called_no_exact_average() {
    for (range, sign) in [((1.0, 4.0), 1.0), ((-4.0, -1.0), -1.0)] {
        let toy = looping(Some(range), sign);
        assert_eq!(interval(&toy), (0.0, 0.0), "solved");
        for (algorithm, depth) in ALL.into_iter().flat_map(|algorithm| (1..6).map(move |depth| (algorithm, depth))) {
            let limits = if algorithm == Algorithm::Mcts { Limits::default() } else { Limits::to_depth(depth) };
            let settings = SearchSettings { games: 200, ..SearchSettings::default() };
            let found = search_with(algorithm, &toy, &Numbers, &0, &limits, &settings).expect("the toy never faults");
            assert!(!found.exact, "{algorithm} to depth {depth} calls {:?} exact", found.value);
        }
    }
}

/// Regression test: nearly all of the weight leads back to the position, and solving took a number of rounds
/// proportional to this weight.
#[test]
fn a_position_that_chance_hardly_ever_leaves_is_solved_at_once() {
    let end = |number| Place { mover: Mover::Max, children: vec![], weights: vec![], number };
    let place = |mover, children, weights| Place { mover, children, weights, number: 0.0 };
    let toy = |places| Toy { places, acyclic: false, range: Some((-1.0, 1.0)), ends: false };
    let own = toy(vec![place(Mover::Chance, vec![0, 1, 2], vec![1 << 40, 3, 1]), end(1.0), end(-1.0)]);
    let (low, high) = interval(&own);
    assert!(low <= 0.5 && 0.5 <= high && high - low < 1e-12, "{low} {high}");
    // A cycle of three positions, in one of which MAX can end the game.
    let round = vec![
        place(Mover::Chance, vec![3, 1, 2], vec![1 << 40, 3, 1]),
        end(1.0),
        end(-1.0),
        place(Mover::Max, vec![4, 1 + 1], vec![1, 1]),
        place(Mover::Min, vec![0, 1], vec![1, 1]),
    ];
    let (low, high) = interval(&toy(round));
    assert!(low <= 0.5 && 0.5 <= high, "{low} {high}");
}

/// Regression test: MIN's best move in position 2 is to stay there, but only moves to other positions counted as
/// best, so the value of position 0 stayed between 0 and 0.625.
#[test]
fn a_side_that_stays_in_a_position_makes_a_best_move() {
    let place =
        |mover, children: Vec<usize>| Place { mover, weights: vec![1; children.len()], children, number: 0.625 };
    let (max, min) = (Mover::Max, Mover::Min);
    let places = vec![
        place(max, vec![1, 2]),
        place(min, vec![0]),
        place(min, vec![2, 4]),
        place(max, vec![]),
        place(max, vec![3, 5]),
        place(max, vec![0]),
    ];
    let turned = places.iter().map(|place| Place {
        mover: if matches!(place.mover, Mover::Max) { min } else { max },
        children: place.children.clone(),
        weights: place.weights.clone(),
        number: -place.number,
    });
    for (places, range) in [(places.clone(), (0.25, 1.0)), (turned.collect(), (-1.0, -0.25))] {
        let toy = Toy { places, acyclic: false, range: Some(range), ends: false };
        assert_eq!(interval(&toy), (0.0, 0.0));
    }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn solving_encloses_the_value_where_play_may_go_on_for_ever(toy in endless()) {
        let (low, high) = interval(&toy);
        let truth = truth(&toy);
        prop_assert!(low <= truth + 1e-9 && truth <= high + 1e-9, "{low} {truth} {high}");
        prop_assert!(high - low <= 1e-9, "it stays open: {low} {high}");
    }

    #[test]
    fn what_is_called_exact_is_the_value_where_play_may_go_on_for_ever(toy in endless(), depth in 0u32..6, backup in backups()) {
        let truth = truth(&toy);
        for algorithm in ALL {
            let limits = if algorithm == Algorithm::Mcts { Limits::default() } else { Limits::to_depth(depth) };
            let table = TranspositionTable::new(1 << 12).expect("there is room");
            let table = algorithm.keeps_table().then_some(&table);
            let settings = SearchSettings { table, games: 60, seed: Some(depth.into()), ..SearchSettings::default() };
            let found = search_with(algorithm, &toy, &Numbers, &0, &limits, &settings).expect("the toy never faults");
            let told = found.value.map_or(f64::NAN, Score::to_number);
            let right = (told - truth).abs() < 1e-9;
            prop_assert!(!found.exact || right, "{algorithm} calls {told} exact, and {truth} is");
        }
        // A risk function has the same values up to a depth, whatever positions the search skips.
        if toy.range.is_some() {
            let defined = value(&toy, 0, depth, &backup, Side::Max);
            for algorithm in AVERAGING {
                let (found, exact) = found(&toy, algorithm, &Limits::to_depth(depth), &backup, 1 << 12);
                prop_assert_eq!(found, Some(defined), "{}", algorithm);
                let deeper = value(&toy, 0, depth + 2, &backup, Side::Max);
                prop_assert!(!exact || deeper == defined, "{algorithm} calls {defined} exact");
            }
        }
    }
}
