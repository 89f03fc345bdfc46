//! Tests that every shipped game loads without problems, that its expectations hold, and that its positions
//! can be written and read.
//!
//! The games are all files in `games/`, so a new game needs no change here.

use alphorn::game::{Game, ToMove};
use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::rules::evaluation::RuleEval;
use alphorn::rules::fault::text;
use alphorn::rules::game::RuleGame;
use alphorn::rules::playouts;
use alphorn::rules::position::{Position, RuleMove};
use alphorn::search::limits::Limits;
use alphorn::search::result::SearchResult;
use alphorn::search::{Algorithm, run};
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::source::Source;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::collections::HashSet;
use std::sync::Mutex;

/// Games with long playouts: the number of playouts in place of 50, and the reason.
const FEWER: &[(&str, u32, &str)] = &[
    ("chess", 10, "a random game takes 300 plies and more, fifty take seven seconds"),
    ("gomoku", 10, "a position has up to 225 moves, fifty games take three seconds and more"),
];

const PLAYOUTS: u32 = 50;

struct Shipped {
    name: String,
    source: Source,
    session: Session,
    game: RuleGame,
}

fn names() -> Vec<String> {
    let folder = format!("{}/games", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(folder).expect("games/ can be read");
    let mut names: Vec<String> =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".pl")?.to_string())).collect();
    names.sort();
    assert!(names.len() >= 13, "only {names:?} were found");
    names
}

fn open(name: &str) -> Shipped {
    let path = format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"));
    let source = Source::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let opened = Session::open(
        std::slice::from_ref(&source),
        &[],
        &ProgramOptions::default(),
        Expected::Game,
        Budgets::new(None, None),
        Default::default(),
    );
    let session = opened.unwrap_or_else(|failure| panic!("{name} does not load: {failure:?}"));
    let game = session.game().unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
    Shipped { name: name.to_string(), source, session, game }
}

/// Checks every game, two at a time, and collects all errors.
fn each(look: impl Fn(&Shipped, &mut Vec<String>) + Sync) {
    let waiting = Mutex::new(names());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(name) = waiting.lock().expect("nobody panics with it").pop() else { break };
                    let mut found = Vec::new();
                    look(&open(&name), &mut found);
                    wrong
                        .lock()
                        .expect("nobody panics with it")
                        .extend(found.into_iter().map(|what| format!("{name}: {what}")));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("all have ended");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Shipped {
    fn text(&self, state: &Position) -> String {
        text(&state.0, &self.game.rules.program.ops, usize::MAX)
    }

    fn moves(&self, state: &Position) -> Vec<RuleMove> {
        let mut moves = Vec::new();
        if self.game.to_move(state).unwrap_or_else(|fault| panic!("{fault:?}")) != ToMove::Over {
            self.game.moves(state, &mut moves).unwrap_or_else(|fault| panic!("{fault:?}"));
        }
        moves
    }

    fn start(&self, start: &GameStart) -> Result<Position, String> {
        self.session.position(&self.game, start).map_err(|failure| format!("{start:?}: {failure:?}"))
    }

    /// The positions on a line from every opening, including the last position. At ply n the line takes move
    /// number 7 n + 3, modulo the number of moves.
    fn line(&self, most: usize) -> Vec<Position> {
        let mut found = Vec::new();
        for opening in self.game.openings().unwrap_or_else(|fault| panic!("{fault:?}")) {
            let mut state = opening;
            for ply in 0..most {
                found.push(state.clone());
                let moves = self.moves(&state);
                let Some(mv) = moves.get((7 * ply + 3) % moves.len().max(1)) else { break };
                state = mv.next.clone();
            }
        }
        found
    }
}

#[test]
fn every_game_loads_without_a_problem() {
    each(|shipped, wrong| {
        wrong.extend(shipped.session.rules.report.problems.iter().map(|problem| problem.message.clone()))
    });
}

#[test]
fn every_game_opens_with_its_rules_in_a_comment_and_its_source() {
    each(|shipped, wrong| {
        let head: Vec<&str> = shipped.source.text.lines().take_while(|line| line.starts_with('%')).collect();
        let head = head.join(" ");
        if head.len() < 80 {
            wrong.push("the head comment does not tell the rules".into());
        }
        if !["Source:", "Источник:"].iter().any(|word| head.contains(word)) {
            wrong.push("the head comment names no source".into());
        }
    });
}

#[test]
fn every_game_keeps_what_it_claims() {
    each(|shipped, wrong| {
        let claims = &shipped.session.rules.claims;
        if claims.is_empty() {
            wrong.push("it claims nothing".into());
        }
        for stated in claims.iter() {
            let tested = shipped.session.test(&shipped.game, stated);
            wrong.extend(tested.problem.map(|problem| format!("{}: {problem:?}", tested.claim)));
        }
    });
}

#[test]
fn random_play_finds_nothing_wrong() {
    each(|shipped, wrong| {
        let fewer = FEWER.iter().find(|(name, ..)| *name == shipped.name);
        let playouts = fewer.map_or(PLAYOUTS, |(_, playouts, _)| *playouts);
        wrong.extend(playouts::check(&shipped.game, playouts, 1).into_iter().map(|problem| problem.message));
    });
}

#[test]
fn every_position_has_a_picture_of_text_lines() {
    each(|shipped, wrong| {
        let Some(show) = shipped.session.rules.contract.show else { return wrong.push("it has no show/2".into()) };
        for state in shipped.line(40) {
            let shown = shipped.game.output_of("asking show/2", Some(show), &[&state.0]);
            let lines = shown
                .unwrap_or_else(|fault| panic!("{fault:?}"))
                .unwrap_or_else(|| panic!("no picture of {}", shipped.text(&state)));
            let picture = shipped
                .session
                .picture(&shipped.game, &state)
                .unwrap_or_else(|failure| panic!("{failure:?}"))
                .unwrap_or_default();
            if picture.is_empty() || picture.iter().all(|line| line.trim().is_empty()) {
                wrong.push(format!("the picture of {} is empty", shipped.text(&state)));
            }
            // Every line of a picture must be an atom or a text, not a compound term or a number.
            let ops = &shipped.game.rules.program.ops;
            let asked = shipped.session.query(
                &format!("forall(member(L, {}), ( atom(L) ; string(L) ))", text(&lines, ops, usize::MAX)),
                alphorn::session::query::QueryOptions { limit: 1, canonical: false, keep: true },
                None,
                &mut |_, _, _| true,
            );
            if asked.unwrap_or_else(|failure| panic!("{failure:?}")).count != 1 {
                wrong.push(format!("a line of the picture of {} is no text", shipped.text(&state)));
            }
        }
    });
}

#[test]
fn labels_are_distinct_and_lead_back_to_the_same_positions() {
    each(|shipped, wrong| {
        let labelled = shipped.session.rules.contract.labelled.is_some();
        for state in shipped.line(24) {
            let position = Some(shipped.text(&state));
            let mut labels = HashSet::new();
            for (number, mv) in shipped.moves(&state).iter().enumerate() {
                let label =
                    shipped.session.label(&shipped.game, &state, mv).unwrap_or_else(|failure| panic!("{failure:?}"));
                let play = |moves: String| {
                    shipped.start(&GameStart { position: position.clone(), moves: Some(moves), ..GameStart::default() })
                };
                if play(label.clone()).as_ref() != Ok(&mv.next) {
                    wrong.push(format!("the move {label} does not lead back from {position:?}"));
                }
                if !labelled && play((number + 1).to_string()).as_ref() != Ok(&mv.next) {
                    wrong.push(format!("move number {} does not lead back from {position:?}", number + 1));
                }
                if !labels.insert(label.clone()) {
                    wrong.push(format!("two moves are {label} in {position:?}"));
                }
            }
        }
    });
}

/// A whole line, typed as labels one after another, leads to the same position as its moves.
#[test]
fn a_line_of_play_can_be_typed() {
    each(|shipped, wrong| {
        let mut state = shipped.start(&GameStart::default()).unwrap_or_else(|error| panic!("{error}"));
        let mut typed = Vec::new();
        for ply in 0..12 {
            let moves = shipped.moves(&state);
            let Some(mv) = moves.get((5 * ply + 1) % moves.len().max(1)) else { break };
            typed
                .push(shipped.session.label(&shipped.game, &state, mv).unwrap_or_else(|failure| panic!("{failure:?}")));
            state = mv.next.clone();
        }
        let found = shipped.start(&GameStart { moves: Some(typed.join(" ")), ..GameStart::default() });
        if found.as_ref() != Ok(&state) {
            wrong.push(format!("{} leads elsewhere: {found:?}", typed.join(" ")));
        }
    });
}

#[test]
fn positions_are_read_back_as_terms_and_in_the_notation_of_the_game() {
    each(|shipped, wrong| {
        let contract = shipped.session.rules.contract;
        for state in shipped.line(60) {
            let term = shipped.text(&state);
            if shipped.start(&GameStart { position: Some(term.clone()), ..GameStart::default() }).as_ref() != Ok(&state)
            {
                wrong.push(format!("{term} is not read back"));
            }
            if contract.read_position.is_none() && contract.write_position.is_none() {
                continue;
            }
            let written =
                shipped.session.position_text(&shipped.game, &state).unwrap_or_else(|failure| panic!("{failure:?}"));
            if shipped.start(&GameStart { at: Some(written.clone()), ..GameStart::default() }).as_ref() != Ok(&state) {
                wrong.push(format!("{written} is not read back as {term}"));
            }
        }
        if contract.read_position.is_some() != contract.write_position.is_some() {
            wrong.push("it has one of read_position/2 and write_position/2, but not the other".into());
        }
    });
}

/// Whether an algorithm can search a game.
fn knows(shipped: &Shipped, algorithm: Algorithm) -> bool {
    algorithm.knows_chance() || !shipped.game.facts().has_chance
}

/// The greatest number of positions for a search that checks other searches.
const ENOUGH: u64 = 3_000;

/// The deepest plain minimax search that visits at most this number of positions.
fn deepest(shipped: &Shipped, state: &Position) -> Option<(u32, SearchResult<RuleMove>)> {
    let mut found = None;
    for depth in 1..=8 {
        let limits = Limits { nodes: Some(ENOUGH), ..Limits::to_depth(depth) };
        let plain = if shipped.game.facts().has_chance { Algorithm::Expectiminimax } else { Algorithm::Minimax };
        let outcome = run(plain, &shipped.game, &RuleEval, state, &limits).ok()?;
        if outcome.stopped {
            break;
        }
        let done = outcome.exact;
        found = Some((depth, outcome));
        if done {
            break;
        }
    }
    found
}

/// Every algorithm finds the value of plain minimax in positions of random play. All searches use one game
/// object, which tests its caches too.
#[test]
fn all_algorithms_agree_with_minimax() {
    each(|shipped, wrong| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for opening in shipped.game.openings().expect("it has openings").into_iter().take(3) {
            let mut state = opening;
            for ply in 0..24 {
                if shipped.game.to_move(&state).expect("the rules are sound") == ToMove::Over {
                    break;
                }
                if ply % 6 == 0
                    && let Some((depth, plain)) = deepest(shipped, &state)
                {
                    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| knows(shipped, *algorithm)) {
                        let limits = Limits::to_depth(depth);
                        let found = run(algorithm, &shipped.game, &RuleEval, &state, &limits);
                        let found = found.map(|found| (found.value, found.exact)).ok();
                        // An algorithm with a table may stop early if it proves that the horizon does not
                        // matter.
                        let same = found.is_some_and(|(value, exact)| value == plain.value && (!exact || plain.exact));
                        if !same {
                            let claim = (plain.value, plain.exact);
                            wrong.push(format!(
                                "{} after {ply} plies, {algorithm}: {found:?}, minimax: {claim:?}",
                                shipped.name
                            ));
                        }
                    }
                }
                let mut moves = Vec::new();
                shipped.game.moves(&state, &mut moves).expect("the rules are sound");
                state = moves[random.random_range(0..moves.len())].next.clone();
            }
        }
    });
}
