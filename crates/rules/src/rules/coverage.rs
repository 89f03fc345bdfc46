//! Notes on clauses and goals that had no effect in random play.
//!
//! A note lists clauses whose head never matched, or goals that never succeeded. A clause for a rare
//! case may be right, so these are no warnings. The watched reference solver answers questions about
//! positions of random play. Limits count positions and steps, not time.

use crate::rules::Rules;
use crate::rules::contract::Contract;
use crate::rules::game::RuleGame;
use crate::rules::playouts::kept::glimpse;
use crate::rules::playouts::{PlayoutReport, ask_all};
use crate::rules::position::Position;
use alphorn_lang::lang::check::calls;
use alphorn_lang::lang::program::{Goal, PredId, Program};
use alphorn_prolog::machine::coverage::{Coverage, first_clause};
use alphorn_prolog::machine::store::Budget;
use alphorn_prolog::machine::watch::ClauseNumber;
use alphorn_search::game::{Game, ToMove};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, grouped, plural};
use alphorn_text::source::Span;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// With fewer positions there are no notes.
const FEWEST: usize = 10;

/// Limits on the positions and on the steps of bodies: a few seconds.
const MOST_POSITIONS: usize = 1_000;
const MOST_WORK: u64 = 3_000_000;

/// The work after which a brief look at random play ends: less than a second.
const BRIEF_WORK: u64 = 300_000;

/// Limits on the places in one note: all places, and the clauses of one predicate.
const SHOWN: usize = 10;
const SHOWN_OF_ONE: usize = 3;

/// The most clauses of a predicate whose answers are told clause by clause.
const SPLIT: usize = 4;

/// A predicate with more clauses is a table. Random play need not use every row.
const TABLE: usize = 12;

/// The end of the label of a goal after `\\+` that always succeeds.
const NEGATED: &str = ", so \\+ failed";

/// Clauses and goals with fewer calls are not reported.
const OFTEN: u64 = 20;

/// Notes on what the positions of random play never used; none if random play found problems.
pub fn notes(rules: &Rules, played: &PlayoutReport, budget: Budget, stop: &Arc<AtomicBool>) -> Vec<Problem> {
    if played.positions.len() < FEWEST || !played.problems.is_empty() {
        return Vec::new();
    }
    // Forcing trees are long, and other checks report problems of an advice table.
    let rules = Rules { advice: None, ..rules.clone() };
    let coverage = Rc::new(RefCell::new(Coverage::new(&rules.program)));
    let Ok(game) = RuleGame::covered(rules.clone(), budget, stop.clone(), coverage.clone()) else { return Vec::new() };
    let all = played.positions.len();
    let stride = stride(all);
    let mut asked = 0;
    let _openings = game.openings();
    while asked < all.min(MOST_POSITIONS) && coverage.borrow().work < MOST_WORK && !stop.load(Relaxed) {
        // The stride mixes positions from all stages of the games.
        ask_all(&game, &played.positions[asked * stride % all]);
        asked += 1;
    }
    if stop.load(Relaxed) || asked < FEWEST {
        return Vec::new();
    }
    let asked = match asked == all {
        true => format!("in {}", plural(asked as u64, "position", "positions")),
        false => format!("in {} of {} positions", grouped(asked as u64), grouped(all as u64)),
    };
    let asked = format!("{asked} of {}", plural(played.games, "random game", "random games"));
    let coverage = coverage.borrow();
    [heads(&rules.program, &coverage, &asked), goals(&rules, &coverage, stop, &asked)].into_iter().flatten().collect()
}

/// The clauses that some short random games never used: heads that never matched, and goals that stopped
/// their clause each time. The game computes the places once.
pub fn idle_places(game: &RuleGame) -> &[(Span, String)] {
    game.idle.get_or_init(|| {
        let (mut found, positions) = (Vec::new(), glimpse(game));
        let (budget, stop) = (game.asker.budget(), &game.asker.stop);
        let rules = Rules { advice: None, ..game.rules.clone() };
        let coverage = Rc::new(RefCell::new(Coverage::new(&rules.program)));
        let covered = RuleGame::covered(rules.clone(), budget, stop.clone(), coverage.clone());
        let Some(covered) = covered.ok().filter(|_| positions.len() >= FEWEST) else { return found };
        for position in &positions {
            if stop.load(Relaxed) || coverage.borrow().work > BRIEF_WORK {
                break;
            }
            ask_all(&covered, position);
        }
        let coverage = coverage.borrow();
        let [goals, _] = idle_goals(&rules, &coverage, stop);
        found.extend(goals);
        found.extend(idle_heads(&rules.program, &coverage).0);
        let deciding = calls::reachable(&rules.program, &deciding(&rules.contract));
        // A few games need not use every fact.
        let decides = |place: Span| {
            let clauses = |pred: &PredId| &rules.program.predicate(*pred).clauses;
            let mut rules = deciding.iter().flat_map(clauses).filter(|clause| !matches!(clause.body, Goal::True));
            rules.any(|clause| clause.span.contains(place))
        };
        // In a few games, a condition that always holds may be one for a rare case.
        found.retain(|(place, label)| !label.ends_with(NEGATED) && decides(*place));
        found
    })
}

/// The predicates that decide the moves and the value of a position: no advice, and nothing that is only shown.
fn deciding(contract: &Contract) -> Vec<PredId> {
    let all = [
        contract.initial,
        contract.labelled,
        contract.moves,
        contract.max_to_move,
        contract.min_to_move,
        contract.terminal,
        contract.outcome,
        contract.static_eval,
        contract.chance,
        contract.pass,
    ];
    all.into_iter().flatten().collect()
}

/// The moves that each clause of the moves gives.
#[derive(Debug, Default)]
pub struct CountedMoves {
    /// The heads of the clauses, with the number of moves.
    pub places: Vec<(Span, u64)>,
    /// The number of plies whose moves are counted.
    pub plies: u32,
}

/// Counts the moves that each clause of `move/3` gives in the first plies from a position. If one clause gives all
/// moves, as in a game with `moves/2`, the clauses of a predicate that has succeeded once for each move follow.
/// Empty if the rules fail.
pub fn moves_by_clause(game: &RuleGame, from: &Position, depth: u32) -> CountedMoves {
    let Some(pred) = game.rules.contract.labelled.or(game.rules.contract.moves) else {
        return CountedMoves::default();
    };
    let (rules, budget, stop) = (game.rules.clone(), game.asker.budget(), &game.asker.stop);
    let coverage = Rc::new(RefCell::new(Coverage::new(&rules.program)));
    let Ok(covered) = RuleGame::covered(rules, budget, stop.clone(), coverage.clone()) else {
        return CountedMoves::default();
    };
    let mut made = 0;
    let mut found = CountedMoves::default();
    let mut layer = vec![from.clone()];
    while found.plies < depth && !layer.is_empty() {
        let mut next = Vec::new();
        for state in &layer {
            // Rules may give moves where the game is over.
            if matches!(game.to_move(state), Ok(ToMove::Over)) {
                continue;
            }
            let Ok(moves) = covered.legal_moves(state) else { return CountedMoves::default() };
            made += moves.len() as u64;
            next.extend(moves.into_iter().map(|mv| mv.next));
            if coverage.borrow().work > BRIEF_WORK || stop.load(Relaxed) {
                return found;
            }
        }
        found.plies += 1;
        let coverage = coverage.borrow();
        found.places = makers(&game.rules.program, &coverage, pred, made);
        layer = next;
    }
    found
}

/// The clauses of `move/3`, and of a predicate that chooses the `made` moves, each with the number of its answers.
fn makers(program: &Program, coverage: &Coverage, moves: PredId, made: u64) -> Vec<(Span, u64)> {
    let answers = |pred: PredId, first: usize| -> Vec<(Span, u64)> {
        let clauses = program.predicate(pred).clauses.iter();
        clauses.zip(first..).map(|(clause, at)| (clause.tree.span(clause.head), coverage.clauses[at].exits)).collect()
    };
    let gives = |places: &[(Span, u64)]| places.iter().filter(|(_, exits)| *exits > 0).count();
    // The answer of `moves/2` is a list, and not a move.
    let own_answers = match program.predicate(moves).key.arity {
        3 => answers(moves, first_clause(program, moves)),
        _ => Vec::new(),
    };
    if own_answers.len() > 1 {
        return own_answers;
    }
    let mut best: Vec<(Span, u64)> = Vec::new();
    for (pred, first) in own(program, coverage).filter(|(pred, _)| *pred != moves) {
        let found = answers(pred, first);
        let is_rule = program.predicate(pred).clauses.iter().any(|clause| !matches!(clause.body, Goal::True));
        let is_once_for_each = found.iter().map(|(_, exits)| exits).sum::<u64>() == made;
        let is_split = is_rule && found.len() <= SPLIT && gives(&found) > 1;
        // A goal that each move passes neither makes nor refuses one.
        let chooses = coverage.calls[pred.0 as usize] != made;
        if is_split && chooses && is_once_for_each && gives(&found) > gives(&best) {
            best = found;
        }
    }
    [own_answers, best].concat()
}

/// A stride that visits every position, near the golden ratio: it is coprime to `all`.
fn stride(all: usize) -> usize {
    let divides = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (all * 5 / 8 + 1..).find(|step| divides(*step, all) == 1).expect("there are numbers without a common divisor")
}

/// The user's predicates that were called, each with the number of its first clause.
fn own<'a>(program: &'a Program, coverage: &'a Coverage) -> impl Iterator<Item = (PredId, usize)> + 'a {
    let mut first = 0;
    (0..).zip(&program.predicates).filter_map(move |(number, predicate)| {
        let at = first;
        first += predicate.clauses.len();
        let called = coverage.calls[number as usize] > 0;
        let name = predicate.key.name.text();
        let own = program.is_users(predicate.key.scope) && !name.starts_with('$') && name != "param";
        (called && own).then_some((PredId(number), at))
    })
}

/// The note on clauses whose head never matched.
fn heads(program: &Program, coverage: &Coverage, asked: &str) -> Option<Problem> {
    let (places, count) = idle_heads(program, coverage);
    let help = "a clause for a rare case is fine; otherwise compare its arguments with the arguments of the calls: \
                names, numbers, order, brackets";
    let message = match count {
        1 => format!("the head of a clause never matched, {asked}"),
        _ => format!("the heads of {} never matched, {asked}", plural(count as u64, "clause", "clauses")),
    };
    note(Code::HeadNeverMatches, places, count, message, help)
}

/// The clauses whose head never matched, and their number. Not all clauses of one predicate are listed.
fn idle_heads(program: &Program, coverage: &Coverage) -> (Vec<(Span, String)>, usize) {
    let (mut places, mut count) = (Vec::new(), 0);
    for (pred, first) in own(program, coverage) {
        let clauses = &program.predicate(pred).clauses;
        let used = &coverage.clauses[first..first + clauses.len()];
        let calls = coverage.calls[pred.0 as usize];
        if calls < OFTEN || clauses.len() > TABLE && used.iter().any(|used| used.matches > 0) {
            continue;
        }
        // Clauses behind a clause that always answers are a safeguard.
        let behind = used.iter().position(|used| used.tries == 0 && used.waited).unwrap_or(clauses.len());
        let idle = |at: &usize| used[*at].matches == 0 && (used[*at].tries > 0 || *at < behind);
        let idle: Vec<usize> = (0..clauses.len()).filter(idle).collect();
        count += idle.len();
        let calls = plural(calls, "call", "calls");
        let label = format!("never matched in {calls} of {}", program.indicator(pred));
        let shown = idle.into_iter().take(SHOWN_OF_ONE).map(|at| &clauses[at]);
        places.extend(shown.map(|clause| (clause.tree.span(clause.head), label.clone())));
    }
    (places, count)
}

/// The note on goals that never succeeded.
fn goals(rules: &Rules, coverage: &Coverage, stop: &Arc<AtomicBool>, asked: &str) -> Option<Problem> {
    let [places, minor] = idle_goals(rules, coverage, stop);
    let places: Vec<_> = places.into_iter().chain(minor).collect();
    let count = places.len();
    let message = match count {
        1 => format!("a goal failed in every call, {asked}"),
        _ => format!("{} failed in every call, {asked}", plural(count as u64, "goal", "goals")),
    };
    let help = "a goal for a rare case is fine; otherwise check its arguments and the predicates that it calls: \
                alphorn whynot FILE GOAL";
    note(Code::GoalAlwaysFails, places, count, message, help)
}

/// The goals that never succeeded: those that stop their clause, and those in a condition or a `findall/3`.
fn idle_goals(rules: &Rules, coverage: &Coverage, stop: &Arc<AtomicBool>) -> [Vec<(Span, String)>; 2] {
    let program = &rules.program;
    let reference = rules.reference(stop);
    let (mut places, mut minor) = (Vec::new(), Vec::new());
    for (pred, first) in own(program, coverage) {
        for number in first..first + program.predicate(pred).clauses.len() {
            let used = coverage.clauses[number];
            let clause = ClauseNumber(number as u32);
            let reached = |step| coverage.steps.get(&(clause.0, step)).copied().unwrap_or(0);
            let doubtful = if used.matches > 0 { reference.suspect_goals(clause, reached) } else { Vec::new() };
            let mut doubtful = doubtful.iter().filter(|goal| !goal.guards);
            let goal = if used.exits == 0 { doubtful.next_back() } else { doubtful.next() };
            let goal = goal.filter(|goal| goal.calls >= OFTEN);
            let Some(goal) = goal else { continue };
            let times = plural(goal.calls, "time", "times");
            let label = match goal.negated {
                true => format!("succeeded {times}{NEGATED}"),
                false => format!("failed {times}"),
            };
            if used.exits == 0 { &mut places } else { &mut minor }.push((goal.span, label));
        }
    }
    [places, minor]
}

/// One note for all places.
fn note(code: Code, mut places: Vec<(Span, String)>, count: usize, message: String, help: &str) -> Option<Problem> {
    places.truncate(SHOWN);
    places.sort_by_key(|place| place.0);
    let more = match count - places.len() {
        0 => String::new(),
        more => format!("\n{} more not shown", grouped(more as u64)),
    };
    let mut places = places.into_iter();
    let (first, label) = places.next()?;
    let problem = Problem::note(code, first, message).label(label).help(format!("{help}{more}"));
    Some(places.fold(problem, |problem, (span, label)| problem.also(span, label)))
}
