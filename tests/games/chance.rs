//! Tests that every search of a game with chance gives the value of the definition, to the last bit.
//!
//! The games are artificial trees and graphs with players and dice. The definition is a recursion of ten
//! lines. Searches may skip positions, use tables, share tables between threads and be stopped, and must
//! still agree with the definition.

use alphorn::game::{Game, GameResult, Heuristic, NoEvaluation, Score, Side, ToMove};
use alphorn::search::chance::backup::{Backup, BackupRule, RiskFunction, RiskView};
use alphorn::search::limits::Limits;
use alphorn::search::result::LeafValue;
use alphorn::search::sample::mcts::TreeGrowth;
use alphorn::search::{
    Algorithm, HelperThreads, SearchSettings, TranspositionTable, run, search_parallel, search_with,
};
use alphorn::solve::SolveTask;
use alphorn::solve::iterate::iterate;
use proptest::prelude::*;
use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

mod endless;
mod toy;

use toy::*;

/// The player to move in a position of an artificial game.
#[derive(Clone, Copy, Debug)]
enum Mover {
    Max,
    Min,
    Chance,
}

/// A configuration with this number of cases; ALPHORN_CASES sets another number.
fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("ALPHORN_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

const AVERAGING: [Algorithm; 4] = [Algorithm::Expectiminimax, Algorithm::Star1, Algorithm::Star2, Algorithm::Auto];

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn every_search_gives_the_defined_value_of_a_tree(toy in toy(false), depth in 0u32..8, backup in backups()) {
        let backup = if toy.range.is_some() { backup } else { Backup::MEAN };
        let defined = value(&toy, 0, depth, &backup, Side::Max);
        let whole = value(&toy, 0, u32::MAX, &backup, Side::Max);
        for algorithm in AVERAGING {
            for bytes in [1, 1 << 20] {
                let (value, exact) = found(&toy, algorithm, &Limits::to_depth(depth), &backup, bytes);
                prop_assert_eq!(value, Some(defined), "{} to depth {}", algorithm, depth);
                prop_assert!(!exact || defined == whole, "{} calls {} exact, and {} is", algorithm, defined, whole);
            }
            let (value, exact) = found(&toy, algorithm, &Limits::default(), &backup, 1 << 16);
            prop_assert_eq!((value, exact), (Some(whole), true), "{} to the end", algorithm);
        }
    }

    #[test]
    fn every_search_gives_the_defined_value_where_play_may_go_round(toy in toy(true), depth in 0u32..6) {
        let defined = value(&toy, 0, depth, &Backup::MEAN, Side::Max);
        for algorithm in AVERAGING {
            let (value, _) = found(&toy, algorithm, &Limits::to_depth(depth), &Backup::MEAN, 1 << 12);
            prop_assert_eq!(value, Some(defined), "{}", algorithm);
        }
    }

    #[test]
    fn the_best_moves_are_those_of_the_definition(toy in toy(false), depth in 1u32..6, lines in 1usize..4) {
        let root = &toy.places[0];
        let Some(side) = toy.to_move(&0).ok().and_then(ToMove::side) else { return Ok(()) };
        let mut values: Vec<f64> =
            root.children.iter().map(|child| value(&toy, *child, depth - 1, &Backup::MEAN, side)).collect();
        values.sort_by(f64::total_cmp);
        if side == Side::Max {
            values.reverse();
        }
        values.truncate(lines);
        for algorithm in AVERAGING {
            let settings = SearchSettings { lines, ..SearchSettings::default() };
            let found = search_with(algorithm, &toy, &Numbers, &0, &Limits::to_depth(depth), &settings);
            let lines = found.expect("the toy never faults").lines;
            let told: Vec<f64> = lines.iter().map(|line| line.value.to_number()).collect();
            prop_assert_eq!(&told, &values, "{}", algorithm);
            for line in lines {
                let first = value(&toy, line.moves[0], depth - 1, &Backup::MEAN, side);
                prop_assert_eq!(first, line.value.to_number(), "{}", algorithm);
            }
        }
    }

    #[test]
    fn a_search_that_was_stopped_names_a_depth_that_it_has_finished(toy in toy(false), nodes in 1u64..200) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for algorithm in [Algorithm::Star1, Algorithm::Star2, Algorithm::Auto] {
            let found = run(algorithm, &toy, &Numbers, &0, &limits).expect("the toy never faults");
            prop_assert!(found.nodes <= nodes);
            let Some(told) = found.value.map(Score::to_number) else { continue };
            match (found.stopped, found.depth.filter(|_| !found.partial)) {
                (false, _) => prop_assert_eq!(told, value(&toy, 0, u32::MAX, &Backup::MEAN, Side::Max)),
                (true, Some(depth)) => {
                    prop_assert_eq!(told, value(&toy, 0, depth, &Backup::MEAN, Side::Max), "{}", algorithm);
                }
                // The search finished no depth.
                (true, None) => {}
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn threads_find_the_same(toy in toy(false), depth in 1u32..8) {
        let defined = value(&toy, 0, depth, &Backup::MEAN, Side::Max);
        let (quit, table) = (AtomicBool::new(false), TranspositionTable::new(1 << 16).expect("there is room"));
        let again = || Some(toy.clone());
        let threads = HelperThreads { helpers: 3, after: 0, quit: &quit, game: &again };
        let settings = SearchSettings { table: Some(&table), ..SearchSettings::default() };
        let found = search_parallel(Algorithm::Auto, &toy, &Numbers, &0, &Limits::to_depth(depth), &settings, &threads);
        prop_assert_eq!(found.expect("the toy never faults").value, Some(Score::number(defined)));
    }
}

/// The value of a finished game, by the definition.
fn over(toy: &Toy, at: usize) -> f64 {
    value(toy, at, 0, &Backup::MEAN, Side::Max)
}

/// The value of random play in a game without cycles.
fn at_random(toy: &Toy, at: usize) -> f64 {
    let place = &toy.places[at];
    if place.children.is_empty() {
        return over(toy, at);
    }
    let weight = |number: usize| match place.mover {
        Mover::Chance => place.weights[number] as f64,
        Mover::Max | Mover::Min => 1.0,
    };
    let all: f64 = (0..place.children.len()).map(weight).sum();
    let sum: f64 =
        place.children.iter().enumerate().map(|(number, child)| weight(number) * at_random(toy, *child)).sum();
    sum / all
}

/// Bounds of all values of a game with cycles, after this many rounds of the definition.
fn rounds(toy: &Toy, begin: f64, rounds: u32) -> Vec<f64> {
    let start = |at: usize| if toy.places[at].children.is_empty() { over(toy, at) } else { begin };
    let mut values: Vec<f64> = (0..toy.places.len()).map(start).collect();
    for _ in 0..rounds {
        values = (0..toy.places.len())
            .map(|at| {
                let place = &toy.places[at];
                let below: Vec<f64> = place.children.iter().map(|child| values[*child]).collect();
                match place.mover {
                    _ if below.is_empty() => over(toy, at),
                    Mover::Max => below.into_iter().fold(f64::NEG_INFINITY, f64::max),
                    Mover::Min => below.into_iter().fold(f64::INFINITY, f64::min),
                    Mover::Chance => Backup::MEAN.of(&below, &place.weights, None, Side::Max),
                }
            })
            .collect();
    }
    values
}

/// The interval that solving gives for the root.
fn interval(toy: &Toy) -> (f64, f64) {
    let limits = Limits::default();
    let task = SolveTask::new(toy, &Numbers, &limits, 1 << 30);
    iterate(&task, &0, 1e-12).expect("the toy never faults").of(&0).expect("it was begun with")
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn solving_finds_the_defined_value(toy in toy(false)) {
        let defined = value(&toy, 0, u32::MAX, &Backup::MEAN, Side::Max);
        let (low, high) = interval(&toy);
        prop_assert!(low <= defined + 1e-15 && high >= defined - 1e-15 && high - low < 1e-9, "{low} {defined} {high}");
    }

    #[test]
    fn solving_closes_in_from_both_sides(toy in toy(true)) {
        let (low, high) = interval(&toy);
        let (below, above) = (rounds(&toy, -1.0, 2000)[0], rounds(&toy, 1.0, 2000)[0]);
        prop_assert!(low >= below - 1e-9 && high <= above + 1e-9, "{below} {low} {high} {above}");
        prop_assert!(low <= high + 1e-9);
    }

    #[test]
    fn the_value_of_random_play_is_the_mean_of_all_lines(toy in toy(false)) {
        let mean = at_random(&toy, 0);
        let found = search_with(Algorithm::Expected, &toy, &Numbers, &0, &Limits::default(), &SearchSettings::default());
        let found = found.expect("the toy never faults");
        prop_assert!(found.exact && found.averaged);
        prop_assert!((found.value.map_or(f64::NAN, Score::to_number) - mean).abs() < 1e-9);
    }

    #[test]
    fn what_a_growing_tree_proves_is_so(toy in toy(false), minimax in 0.0..1.0f64, evaluates in any::<bool>(), seed in 0u64..9) {
        let leaf = if evaluates { LeafValue::Evaluation } else { LeafValue::Playout };
        let growth = TreeGrowth { minimax: Some(minimax), leaf: Some(leaf), ..TreeGrowth::default() };
        let settings = SearchSettings { games: 2_000, growth, seed: Some(seed), ..SearchSettings::default() };
        let found = search_with(Algorithm::Mcts, &toy, &Numbers, &0, &Limits::default(), &settings);
        let found = found.expect("the toy never faults");
        let told = found.value.map_or(f64::NAN, Score::to_number);
        let (low, high) = toy.range.unwrap_or((-2.0, 2.0));
        prop_assert!((low..=high).contains(&told));
        if found.exact {
            let defined = value(&toy, 0, u32::MAX, &Backup::MEAN, Side::Max);
            prop_assert!((told - defined).abs() < 1e-9, "{told} is called exact, and {defined} is");
        }
    }
}

/// Nearly all chance outcomes lead back, so rounding errors add up. The interval must still contain the
/// value.
#[test]
fn an_interval_holds_the_value_where_play_seldom_ends() {
    for (back, win, loss, truth) in [(598_952, 4, 6, -0.2), (496_464, 4, 6, -0.2), (374_501, 9, 4, 5.0 / 13.0)] {
        let end = |number| Place { mover: Mover::Max, children: Vec::new(), weights: Vec::new(), number };
        let throw = |children, weights| Place { mover: Mover::Chance, children, weights, number: 0.0 };
        let places = vec![throw(vec![1, 2, 3], vec![back, win, loss]), throw(vec![0], vec![1]), end(1.0), end(-1.0)];
        let toy = Toy { places, acyclic: false, range: Some((-1.0, 1.0)), ends: true };
        let (low, high) = interval(&toy);
        assert!(low <= truth && truth <= high, "{low} {truth} {high}");
        assert!(high - low < 1e-8, "{low} {high}");
    }
}

/// A number is not a win: another number may be greater.
#[test]
fn a_growing_tree_takes_no_number_for_the_best_there_is() {
    let place =
        |mover, children: Vec<usize>, number| Place { mover, weights: vec![1; children.len()], children, number };
    let mut places = vec![place(Mover::Max, vec![1, 2, 3], 0.0)];
    places.extend([3.0, 1.0, 10.0].map(|number| place(Mover::Max, Vec::new(), number)));
    let toy = Toy { places, acyclic: true, range: None, ends: false };
    let settings = SearchSettings { games: 100, ..SearchSettings::default() };
    let found = search_with(Algorithm::Mcts, &toy, &Numbers, &0, &Limits::default(), &settings);
    let found = found.expect("the toy never faults");
    assert_eq!((found.value, found.exact, found.best), (Some(Score::number(10.0)), true, Some(3)));
}

/// Regression test: a move that is only known to be no better than the best possible value counted as equal
/// to it.
#[test]
fn a_bound_at_the_end_of_the_range_is_no_value() {
    let place =
        |mover, children: Vec<usize>, number| Place { mover, weights: vec![1; children.len()], children, number };
    let places = vec![
        place(Mover::Max, vec![2, 1], 0.0),
        place(Mover::Max, vec![3, 4], 1.0),
        place(Mover::Max, vec![1, 3], 0.0),
        place(Mover::Min, vec![1, 5], -0.75),
        place(Mover::Min, vec![4, 3], 0.0),
        place(Mover::Min, vec![1, 3], 1.0),
    ];
    let toy = Toy { places, acyclic: false, range: UNIT, ends: true };
    let defined = value(&toy, 0, 5, &Backup::MEAN, Side::Max);
    for algorithm in AVERAGING {
        let (value, _) = found(&toy, algorithm, &Limits::to_depth(5), &Backup::MEAN, 1 << 12);
        assert_eq!(value, Some(defined), "{algorithm}");
    }
}

/// Values from -1 to 1, with weights.
fn spread() -> impl Strategy<Value = (Vec<f64>, Vec<u64>)> {
    prop::collection::vec((-1.0..=1.0f64, 1u64..36), 1..8).prop_map(|all| all.into_iter().unzip())
}

const UNIT: Option<(f64, f64)> = Some((-1.0, 1.0));

fn risk(risk: RiskFunction) -> Backup {
    Backup { rule: BackupRule::Risk(risk), view: RiskView::Max }
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn a_constant_risk_function_is_the_mean_to_the_last_bit((values, weights) in spread(), (low, high) in (-9.0..-1.0f64, 1.0..9.0f64)) {
        let mean = Backup::MEAN.of(&values, &weights, UNIT, Side::Max);
        let flat = RiskFunction::Table([(-1.0, 1.0), (1.0, 1.0)].into());
        for range in [UNIT, Some((low, high))] {
            for constant in [RiskFunction::Linear(0.0), RiskFunction::Exp(0.0), RiskFunction::Dynamic(0.0, 0.0), flat.clone()] {
                prop_assert_eq!(risk(constant).of(&values, &weights, range, Side::Min).to_bits(), mean.to_bits());
            }
        }
        prop_assert_eq!(Backup { rule: BackupRule::Entropic(0.0), view: RiskView::Owner }.of(&values, &weights, UNIT, Side::Max), mean);
    }

    #[test]
    fn great_risk_aversion_sees_the_worst_and_great_daring_the_best((values, weights) in spread()) {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (k, limit) in [(1e6, least), (-1e6, most)] {
            // Values closer together than 1/k share the limit.
            let near = |found: f64| (found - limit).abs() < 1e-3;
            prop_assert!(near(risk(RiskFunction::Exp(k)).of(&values, &weights, UNIT, Side::Max)));
            let entropic = Backup { rule: BackupRule::Entropic(k), view: RiskView::Max };
            prop_assert!(near(entropic.of(&values, &weights, UNIT, Side::Max)));
        }
    }

    #[test]
    fn a_backup_lies_between_the_least_and_the_greatest((values, weights) in spread(), backup in backups()) {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let found = backup.of(&values, &weights, UNIT, Side::Min);
        prop_assert!(found >= least - 1e-9 && found <= most + 1e-9, "{found}");
    }

    #[test]
    fn careful_is_never_more_than_the_mean((values, weights) in spread(), c in 0.0..0.99f64, k in 0.0..9.0f64) {
        let mean = Backup::MEAN.of(&values, &weights, UNIT, Side::Max);
        for careful in [risk(RiskFunction::Linear(c)), risk(RiskFunction::Exp(k)), Backup { rule: BackupRule::Entropic(k), view: RiskView::Max }] {
            prop_assert!(careful.of(&values, &weights, UNIT, Side::Max) <= mean + 1e-12);
        }
    }

    #[test]
    fn min_sees_the_same_turned_round((values, weights) in spread(), backup in backups()) {
        let turned: Vec<f64> = values.iter().map(|value| -value).collect();
        let of = |view, values: &[f64]| Backup { view, ..backup.clone() }.of(values, &weights, UNIT, Side::Max);
        prop_assert!((of(RiskView::Max, &values) + of(RiskView::Min, &turned)).abs() < 1e-12);
    }

    #[test]
    fn what_is_called_monotone_is((values, weights) in spread(), backup in backups(), number in any::<prop::sample::Index>(), more in 0.0..2.0f64) {
        if !backup.is_monotone() {
            return Ok(());
        }
        let at = number.index(values.len());
        let mut raised = values.clone();
        raised[at] = (raised[at] + more).min(1.0);
        let of = |values: &[f64]| backup.of(values, &weights, UNIT, Side::Max);
        prop_assert!(of(&raised) >= of(&values) - 1e-12, "{:?}", backup);
    }
}

/// A risk function just above the bound is not monotone: some values show it.
#[test]
fn the_bounds_of_monotony_are_sharp() {
    for (sound, broken) in [
        (RiskFunction::Linear(1.0 / 3.0), RiskFunction::Linear(0.34)),
        (RiskFunction::Exp(0.5), RiskFunction::Exp(0.51)),
        (RiskFunction::Linear(-1.0 / 3.0), RiskFunction::Linear(-0.34)),
        (RiskFunction::Exp(-0.5), RiskFunction::Exp(-0.51)),
    ] {
        assert!(sound.is_monotone() && !broken.is_monotone());
        // Nearly all of the weight is at one end; a small weight at the other end comes close to the bound.
        let falls = |risk: &RiskFunction, end: f64| {
            let of = |value: f64| {
                let backup = Backup { rule: BackupRule::Risk(risk.clone()), view: RiskView::Max };
                backup.of(&[end, value], &[1_000_000, 1], UNIT, Side::Max)
            };
            (0..400).any(|step| {
                let value = -1.0 + f64::from(step) / 200.0;
                of(value + 0.005) < of(value)
            })
        };
        assert!(!falls(&sound, -1.0) && !falls(&sound, 1.0), "{sound:?}");
        assert!(falls(&broken, -1.0) || falls(&broken, 1.0), "{broken:?}");
    }
}

/// The bounds at chance moves are useful: a search with bounds visits fewer positions.
#[test]
fn bounds_save_positions() {
    // MAX and MIN take turns, with two dice between their moves and leaves in a fixed pattern.
    let mut places = Vec::new();
    let mut frontier = vec![0usize];
    places.push(Place { mover: Mover::Max, children: Vec::new(), weights: Vec::new(), number: 0.0 });
    let kinds = [Mover::Max, Mover::Chance, Mover::Min, Mover::Chance, Mover::Max, Mover::Chance, Mover::Min];
    let mut seed = 1u64;
    for (ply, mover) in kinds.into_iter().enumerate() {
        let mut next = Vec::new();
        for at in frontier {
            places[at].mover = mover;
            for _ in 0..4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let number = (seed >> 33) as f64 / f64::from(1u32 << 30) - 1.0;
                next.push(places.len());
                let (child, number) = (places.len(), if ply + 1 == kinds.len() { number } else { 0.0 });
                places[at].children.push(child);
                places[at].weights.push(1);
                places.push(Place { mover: Mover::Max, children: Vec::new(), weights: Vec::new(), number });
            }
        }
        frontier = next;
    }
    let toy = Toy { places, acyclic: true, range: UNIT, ends: false };
    let nodes = |algorithm| run(algorithm, &toy, &Numbers, &0, &Limits::default()).expect("it never faults").nodes;
    let [plain, star1, star2] = [Algorithm::Expectiminimax, Algorithm::Star1, Algorithm::Star2].map(nodes);
    assert!(star1 < plain * 4 / 5, "{star1} of {plain}");
    assert!(star2 < plain * 4 / 5, "{star2} of {plain}");
}

/// An algorithm without chance moves ends with an error that names the moves to the chance move.
#[test]
fn algorithms_without_chance_refuse() {
    let place = |mover, children: Vec<usize>| Place { mover, weights: vec![1; children.len()], children, number: 0.0 };
    let places = vec![place(Mover::Max, vec![1]), place(Mover::Chance, vec![2, 2]), place(Mover::Max, Vec::new())];
    let toy = Toy { places, acyclic: true, range: UNIT, ends: false };
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.knows_chance()) {
        let refused = run(algorithm, &toy, &NoEvaluation, &0, &Limits::to_depth(9));
        let line = vec![1];
        assert_eq!(refused, Err(alphorn::search::result::SearchError::Chance { line }), "{algorithm}");
    }
}
