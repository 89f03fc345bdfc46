//! The definition of minimax, plain minimax, and the checks of every algorithm.

use super::*;

/// The value of the last position of `path`, in a search to `depth` plies from its first position, by the
/// definition of minimax. `beyond` gives the value of a position at the horizon.
pub fn value(
    toy: &Toy,
    path: &mut Vec<usize>,
    depth: Option<u32>,
    beyond: &mut dyn FnMut(&Toy, usize, u32) -> Score,
) -> Score {
    let (&state, before) = path.split_last().expect("a path has a position");
    let plies = before.len() as u32;
    if toy.repetition_is_draw && before.contains(&state) {
        return Score::Value(0.0);
    }
    let position = &toy.positions[state];
    if position.children.is_empty() {
        return ended(position, plies);
    }
    if depth == Some(plies) {
        return beyond(toy, state, plies);
    }
    let mut values = Vec::new();
    for &child in &position.children {
        path.push(child);
        values.push(value(toy, path, depth, beyond));
        path.pop();
    }
    let best = match position.mover {
        Side::Max => values.into_iter().max(),
        Side::Min => values.into_iter().min(),
    };
    best.expect("there are children")
}

pub fn ended(position: &Position, plies: u32) -> Score {
    match position.ending {
        Some(GameResult::Won(Side::Max)) => Score::Win { plies },
        Some(GameResult::Won(Side::Min)) => Score::Loss { plies },
        Some(GameResult::Draw) => Score::Value(0.0),
        Some(GameResult::Points(points)) => Score::Value(points),
        None => Score::Value(position.number),
    }
}

pub fn judged(toy: &Toy, state: usize, _plies: u32) -> Score {
    Score::Value(toy.positions[state].number)
}

/// The value of a position at the horizon by the definition of quiescence search. A player may stop and take
/// the evaluation, but not in a forced position. A position is quiet after a fixed number of plies behind the
/// horizon, and where a position of `line` repeats; `line` begins at the horizon.
pub fn rested<H: Heuristic<Toy>>(rest: &H, tree: &Toy, line: &[usize], plies: u32, left: u32) -> Score {
    let state = line[line.len() - 1];
    let position = &tree.positions[state];
    if position.children.is_empty() {
        return ended(position, plies);
    }
    let Ok(quiet) = rest.is_quiet(tree, &state);
    let Ok(forced) = rest.is_forced(tree, &state);
    let follows = |child: &&usize| forced || rest.is_noisy(tree, &state, child) == Ok(true);
    if quiet || left == 0 {
        return judged(tree, state, plies);
    }
    let behind = position.children.iter().filter(follows).map(|&child| match line.contains(&child) {
        true if tree.repetition_is_draw => Score::Value(0.0),
        true => judged(tree, child, plies + 1),
        false => rested(rest, tree, &[line, &[child]].concat(), plies + 1, left - 1),
    });
    let values = behind.chain((!forced).then(|| judged(tree, state, plies)));
    let best = match position.mover {
        Side::Max => values.max(),
        Side::Min => values.min(),
    };
    best.expect("there are children, or nobody is forced")
}

/// The least and the greatest possible value of a position at the horizon.
pub fn extremes(toy: &Toy, plies: u32) -> [Score; 2] {
    // Endless play is worth 0.
    let draw = if toy.acyclic { f64::NAN } else { 0.0 };
    match toy.value_range {
        // The minimum of NaN and a number is the number.
        Some((least, greatest)) => [Score::Value(least.min(draw)), Score::Value(greatest.max(draw))],
        None => [Score::Loss { plies: plies + 1 }, Score::Win { plies: plies + 1 }],
    }
}

/// The greatest number of estimates for which all combinations are tried.
pub const MOST_ESTIMATES: u32 = 8;

/// Whether the last position of `path` has the value `claim` for all values of the positions at the horizon.
/// With few such positions every combination of least and greatest values is tried, otherwise only all least
/// and all greatest values.
pub fn certainly(toy: &Toy, path: &mut Vec<usize>, depth: Option<u32>, claim: Score) -> bool {
    let mut estimates = 0;
    value(toy, path, depth, &mut |_, _, _| {
        estimates += 1;
        Score::Value(0.0)
    });
    let few = estimates <= MOST_ESTIMATES;
    let completions = if few { 1_u32 << estimates } else { 2 };
    (0..completions).all(|completion| {
        let mut met = 0;
        let completed = value(toy, path, depth, &mut |toy, _, plies| {
            let bit = if few { completion >> met } else { completion };
            met += 1;
            extremes(toy, plies)[(bit & 1) as usize]
        });
        completed == claim
    })
}

// Checks of every search result.

/// Searches with `algorithm` and compares the result with the definition.
pub fn check(algorithm: Algorithm, toy: &Toy, depth: Option<u32>) -> SearchResult<usize> {
    check_by(&Numbers, algorithm, toy, depth)
}

/// Searches with `algorithm` and a heuristic that evaluates like `Numbers`, and compares the result with the
/// definition.
pub fn check_by<H: Heuristic<Toy>>(
    opinion: &H,
    algorithm: Algorithm,
    toy: &Toy,
    depth: Option<u32>,
) -> SearchResult<usize> {
    let limits = Limits { depth, ..Limits::default() };
    let outcome = run(algorithm, toy, opinion, &0, &limits).expect("the game ends on every line");
    let claim = outcome.value.expect("nothing stopped the search");
    let truth = value(toy, &mut vec![0], depth, &mut judged);
    assert_eq!(claim, truth, "{algorithm}: the value");
    let exact = certainly(toy, &mut vec![0], depth, truth);
    // An algorithm with a table may stop looking for a proof after a limit of at least 4,096 positions.
    let all = run(Algorithm::Minimax, toy, &Numbers, &0, &limits).expect("the game ends on every line").nodes;
    let gave_up = !outcome.exact && !keeps_order(algorithm) && all > 1_000;
    assert!(outcome.exact == exact || gave_up, "{algorithm}: whether {claim} is exact");
    assert!(!outcome.stopped);
    assert_eq!(outcome.best, outcome.line.first().copied());
    check_line(algorithm, toy, &outcome, claim);
    outcome
}

/// The principal variation keeps the value, is exact if the value is exact, and continues to the end of the
/// game or to the horizon.
pub fn check_line(algorithm: Algorithm, toy: &Toy, outcome: &SearchResult<usize>, claim: Score) {
    let depth = outcome.depth;
    let mut path = vec![0];
    for &mv in &outcome.line {
        let state = path[path.len() - 1];
        assert!(toy.positions[state].children.contains(&mv), "{algorithm}: {mv} is no move");
        path.push(mv);
        let kept = value(toy, &mut path, depth, &mut judged);
        if outcome.exact {
            assert!(certainly(toy, &mut path, depth, claim), "{algorithm}: {path:?} owes {claim} to luck");
        } else {
            assert_eq!(kept, claim, "{algorithm}: {path:?} loses the value");
        }
    }
    let (&last, before) = path.split_last().expect("the root is there");
    let position = &toy.positions[last];
    let end = if toy.repetition_is_draw && before.contains(&last) {
        LineEnd::Repeated
    } else if position.children.is_empty() {
        position.ending.map_or(LineEnd::Numbered, LineEnd::Ended)
    } else {
        assert_eq!(depth, Some(before.len() as u32), "{algorithm}: {path:?} breaks off");
        LineEnd::Horizon
    };
    assert_eq!(outcome.end, Some(end), "{algorithm}: how {path:?} ends");
}

/// A search of at most `nodes` positions gives the value of the moves finished so far, and its depth.
pub fn check_stopped(algorithm: Algorithm, tree: &Toy, depth: Option<u32>, nodes: u64) {
    let limits = Limits { depth, nodes: Some(nodes), ..Limits::default() };
    let finished = RefCell::new(Vec::new());
    let report = |found: &Iteration<usize>| finished.borrow_mut().push(found.clone());
    let settings = SearchSettings { report: Some(&report), ..SearchSettings::default() };
    let outcome = search_with(algorithm, tree, &Numbers, &0, &limits, &settings).expect("the game ends");
    for (iteration, depth) in finished.borrow().iter().zip(depth.unwrap_or(u32::MAX).min(1)..) {
        assert_eq!(iteration.depth, depth, "one depth after the other");
        check_lines(tree, depth, &iteration.lines, 1);
    }
    assert!(outcome.nodes + outcome.proof_nodes <= nodes);
    if !outcome.stopped {
        assert_eq!(outcome, check(algorithm, tree, depth));
        return;
    }
    assert!(!outcome.exact);
    assert_eq!(outcome.value.is_some(), outcome.end.is_some());
    let Some(claim) = outcome.value else {
        assert_eq!(outcome.best, None);
        return;
    };
    let Some(best) = outcome.best else {
        // The value of the root is known; only the proof was stopped.
        assert_eq!(depth, Some(0));
        return;
    };
    if !keeps_order(algorithm) {
        let last = finished.borrow().last().map(|found| found.depth);
        assert!(algorithm != Algorithm::Auto || last.is_none() || outcome.depth == last);
        assert!(outcome.line.len() as u32 <= outcome.reached);
        check_plays(tree, &outcome.line);
        let worth = |path: &[usize], depth| value(tree, &mut path.to_vec(), depth, &mut judged);
        // The value is that of the depth in the result. Without a finished depth it is the value of one move.
        assert!(algorithm != Algorithm::Auto || outcome.partial == last.is_none());
        let told =
            (outcome.partial || worth(&[0], outcome.depth) == claim) && worth(&[0, best], outcome.depth) == claim;
        assert!(told, "{algorithm}: {claim} by {best} is no value of depth {:?}", outcome.depth);
        if let Some(deeper) = &outcome.deeper {
            assert!(!outcome.partial && outcome.depth.is_some_and(|depth| deeper.depth > depth));
            let (first, value) = (deeper.line.moves[0], deeper.line.value);
            assert_eq!(worth(&[0, first], Some(deeper.depth)), value, "{algorithm}: {first} at depth {}", deeper.depth);
            assert_eq!(outcome.choice(), Some(&first));
        }
        return;
    }
    let worth_of_first = |finished: usize| {
        let mut part = tree.clone();
        part.positions[0].children.truncate(finished);
        value(&part, &mut vec![0], depth, &mut judged)
    };
    assert_eq!(outcome.depth, depth);
    let moves = tree.positions[0].children.len();
    assert!(outcome.partial || worth_of_first(moves) == claim);
    assert!((1..=moves).any(|finished| worth_of_first(finished) == claim));
    assert_eq!(value(tree, &mut vec![0, best], depth, &mut judged), claim);
}

/// Without a depth limit a search ends with the correct value, or with an error at its first repetition.
pub fn check_undeclared(algorithm: Algorithm, graph: &Toy) {
    let searched = |algorithm| run(algorithm, graph, &Numbers, &0, &Limits::default());
    let line = match searched(algorithm) {
        Ok(outcome) => {
            // A cutoff may skip a repetition that minimax visits.
            assert!(outcome.exact);
            let oracle = searched(Algorithm::Minimax);
            assert!(oracle.is_err() || oracle.is_ok_and(|oracle| oracle.value == outcome.value));
            return;
        }
        Err(SearchError::Fault { fault, .. }) => match fault {},
        Err(SearchError::Repetition { line }) => line,
        Err(SearchError::Endless { .. }) => panic!("no limit on the length of a line was set"),
        Err(SearchError::Chance { .. }) => panic!("the game has no chance"),
    };
    let mut path = vec![0];
    for mv in line {
        let state = path[path.len() - 1];
        assert!(graph.positions[state].children.contains(&mv), "{algorithm}: {mv} is no move");
        assert!(!path[..path.len() - 1].contains(&state), "{algorithm}: {path:?} is reported late");
        path.push(mv);
    }
    let (last, before) = path.split_last().expect("the root is there");
    assert!(before.contains(last), "{algorithm}: {path:?} repeats nothing");
}

/// Whether the algorithm tries moves in the order of the game, so that the first of equal moves is the best
/// move.
pub fn keeps_order(algorithm: Algorithm) -> bool {
    !matches!(algorithm, Algorithm::Mtdf | Algorithm::Auto)
}

/// Whether the algorithm never visits a line twice.
pub fn looks_once(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Minimax | Algorithm::AlphaBeta | Algorithm::Expectiminimax | Algorithm::Star1 | Algorithm::Star2
    )
}

/// Compares every algorithm with the definition and with minimax.
pub fn all_agree(toy: &Toy, depth: Option<u32>) {
    let oracle = check(Algorithm::Minimax, toy, depth);
    for algorithm in Algorithm::ALL {
        let outcome = check(algorithm, toy, depth);
        assert!(outcome.reached <= oracle.reached);
        if keeps_order(algorithm) {
            assert_eq!(outcome.line, oracle.line, "{algorithm}: the first of equally good lines");
        }
        if looks_once(algorithm) {
            assert!(outcome.nodes <= oracle.nodes && outcome.evals <= oracle.evals);
        }
    }
}

/// The definition of minimax, if moves are pruned in the first `left` plies.
pub fn value_narrowed(tree: &Toy, path: &mut Vec<usize>, depth: Option<u32>, left: u32, bias: &Biased) -> Score {
    let (&state, before) = path.split_last().expect("a path has a position");
    let (plies, position) = (before.len() as u32, &tree.positions[state]);
    if position.children.is_empty() {
        return ended(position, plies);
    }
    if depth == Some(plies) {
        return judged(tree, state, plies);
    }
    let mut children = position.children.clone();
    if left > 0 {
        let Ok(_) = bias.narrow(tree, &state, &mut children, 0);
    }
    let mut values = Vec::new();
    for child in children {
        path.push(child);
        values.push(value_narrowed(tree, path, depth, left.saturating_sub(1), bias));
        path.pop();
    }
    let best = match position.mover {
        Side::Max => values.into_iter().max(),
        Side::Min => values.into_iter().min(),
    };
    best.expect("one move is kept at least")
}

/// Every algorithm gives the value of a game in which moves are pruned. If moves are pruned at every ply,
/// this is the value of the game without these moves.
pub fn narrowed_agree(tree: &Toy, depth: Option<u32>, seed: u64, plies: u32) {
    let limits = Limits { depth, ..Limits::default() };
    let settings = SearchSettings::default();
    for plies in [plies, ALWAYS] {
        let cut = AtomicBool::new(false);
        let game = FilteredGame { game: tree, narrow: Biased { seed }, cut: &cut };
        let find = |algorithm| {
            search_with(algorithm, &game, &FilteredEvaluation(&Numbers), &(0, plies), &limits, &settings)
                .expect("the game ends")
                .value
        };
        let oracle = find(Algorithm::Minimax);
        for algorithm in Algorithm::ALL {
            assert_eq!(find(algorithm), oracle, "{algorithm}, moves left out for {plies} plies");
        }
        // The definition, if moves are pruned only near the root.
        let told = value_narrowed(tree, &mut vec![0], depth, plies, &Biased { seed });
        assert_eq!(oracle, Some(told), "moves left out for {plies} plies");
        if plies == ALWAYS {
            let mut less = tree.clone();
            for (state, position) in less.positions.iter_mut().enumerate() {
                let Ok(_) = Biased { seed }.narrow(tree, &state, &mut position.children, 0);
            }
            assert_eq!(oracle, Some(value(&less, &mut vec![0], depth, &mut judged)));
            assert!(cut.into_inner() || oracle == Some(value(tree, &mut vec![0], depth, &mut judged)));
        }
    }
}

// Random games.
