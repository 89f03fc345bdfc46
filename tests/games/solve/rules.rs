//! Tests games that end in numbers, written as rules: they are solved, saved, proved and looked up like games
//! with wins and losses.

use super::shipped::{scratch, session};
use alphorn::game::{Game, GameFacts, GameResult, Heuristic, Score, Side, ToMove};
use alphorn::rules::evaluation::RuleEval;
use alphorn::rules::fault::RuleFault;
use alphorn::rules::game::RuleGame;
use alphorn::rules::position::{Position, RuleMove};
use alphorn::search::limits::Limits;
use alphorn::session::GameStart;
use alphorn::solve::retrograde::solve;
use alphorn::solve::{SolveTask, distance, winner};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A shipped game in which a win is worth 1 and a loss -1.
struct InNumbers<'g>(&'g RuleGame);

type Asked<T> = Result<T, RuleFault>;

impl Game for InNumbers<'_> {
    type State = Position;
    type Move = RuleMove;
    type Fault = RuleFault;

    fn to_move(&self, state: &Position) -> Asked<ToMove> {
        self.0.to_move(state)
    }

    fn moves(&self, state: &Position, moves: &mut Vec<RuleMove>) -> Asked<()> {
        self.0.moves(state, moves)
    }

    fn apply(&self, state: &Position, mv: &RuleMove) -> Asked<Position> {
        self.0.apply(state, mv)
    }

    fn facts(&self) -> GameFacts {
        let GameFacts { is_acyclic, has_symmetry, .. } = self.0.facts();
        GameFacts { is_acyclic, has_symmetry, ..GameFacts::default() }
    }

    fn result(&self, state: &Position) -> Asked<Option<GameResult>> {
        Ok(self.0.result(state)?.map(|ending| match ending {
            GameResult::Won(Side::Max) => GameResult::Points(1.0),
            GameResult::Won(Side::Min) => GameResult::Points(-1.0),
            other => other,
        }))
    }

    fn canonical(&self, state: &Position) -> Asked<Position> {
        self.0.canonical(state)
    }
}

impl Heuristic<InNumbers<'_>> for RuleEval {
    fn evaluate(&self, game: &InNumbers<'_>, state: &Position) -> Asked<f64> {
        RuleEval.evaluate(game.0, state)
    }
}

#[test]
fn shipped_games_turned_into_numbers_have_the_values_of_their_wins() {
    for (name, params) in
        [("fox_and_geese", "size=4"), ("kpk", ""), ("hexapawn", "width=4"), ("connect_four", "width=4 height=4 row=3")]
    {
        let session = session(name, params, "");
        let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
        let root = session.position(&game, &GameStart::default()).unwrap_or_else(|failure| panic!("{failure:?}"));
        let (limits, numbers) = (Limits::default(), InNumbers(&game));
        let won =
            solve(&SolveTask::new(&game, &RuleEval, &limits, 1 << 30), std::slice::from_ref(&root)).expect("it fits");
        let counted = solve(&SolveTask::new(&numbers, &RuleEval, &limits, 1 << 30), &[root]).expect("it fits");
        assert!(counted.ends_in_numbers() && !won.ends_in_numbers(), "{name}");
        assert_eq!(won.positions(), counted.positions(), "{name}");
        for (state, known) in won.values() {
            let number = counted.known_of(state).expect("it was met");
            let expected = match winner(known.score) {
                Some(Side::Max) => 1.0,
                Some(Side::Min) => -1.0,
                None => 0.0,
            };
            assert_eq!(number.score, Score::Value(expected), "{name}");
            // In games without cycles, numbers have no distances.
            assert!(game.facts().is_acyclic || number.plies == distance(known.score), "{name}: {number:?} {known:?}");
        }
    }
}

/// Two players walk in circles, with exits: for MAX from a and c, for MIN from e, and for each side from the
/// positions f and g, in which the other side has no exit. There is a win at h.
const RINGS: &str = "
initial(a). initial(b). initial(c). initial(d). initial(e). initial(f). initial(g). initial(h). initial(i).
position(P) :- initial(P).
max_to_move(P) :- memberchk(P, [a, c, d, f, h]).
move(a, wait, b).   move(a, take, end(1)).
move(b, back, a).   move(b, on, c).
move(c, home, a).   move(c, take, end(2.5)).
move(d, wait, e).
move(e, back, d).   move(e, take, end(-2)).
move(f, wait, g).   move(f, lose, end(-4)).
move(g, wait, f).   move(g, lose, end(4)).
move(h, win, won).  move(h, take, end(1000)).
move(i, on, h).     move(i, stay, i).
outcome(end(N), score(N)).
outcome(won, win(max)).
";

/// The game above in the style of the textbooks: the last position contains the number.
fn by_numbers() -> String {
    let evaluated = "static_eval(P, V) :- P = end(N) -> V = N ; V = 0.\n";
    RINGS.replace("outcome(end(N), score(N)).\noutcome(won, win(max)).\n", evaluated).replace("move(h, win, won).", "")
}

fn json(args: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    let ran = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).arg("--json").output().expect("it runs");
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {ran:?}"))
}

/// Asserts that a proof without one of its lines, or with a greater number, is rejected.
fn altered_proofs_are_refused(game: &str, proof: &Path) {
    let path = proof.to_str().expect("the name is UTF-8");
    let text = fs::read_to_string(proof).expect("a proof was written");
    let lines: Vec<&str> = text.lines().collect();
    for at in 0..lines.len() {
        let mut without = lines.clone();
        without.remove(at);
        fs::write(proof, without.join("\n")).expect("it can be written");
        assert_eq!(json(&["verify", game, path])["verified"], false, "without line {at} of {text}");
    }
    for (claim, greater) in
        [("max gets 1\n", "max gets 1.5\n"), ("min gets 1\n", "min gets 0.5\n"), ("max gets -2\n", "max gets 0\n")]
    {
        if text.contains(claim) {
            fs::write(proof, text.replace(claim, greater)).expect("it can be written");
            assert_eq!(json(&["verify", game, path])["verified"], false, "{greater}");
        }
    }
    fs::write(proof, text).expect("it can be written");
}

#[test]
fn rules_that_end_in_numbers_and_repeat_positions_are_solved_saved_and_proved() {
    let rows = [
        ("a", 1.0, Some(1)),
        ("b", 1.0, Some(2)),
        ("c", 2.5, Some(1)),
        ("d", -2.0, Some(2)),
        ("e", -2.0, Some(1)),
        ("f", 0.0, None),
        ("g", 0.0, None),
        ("h", 1000.0, Some(1)),
        ("i", 0.0, None),
    ];
    for (name, rules, mixed) in [("mixed", RINGS.to_string(), true), ("numbers", by_numbers(), false)] {
        let file = scratch(&format!("{name}.pl"));
        fs::write(&file, rules).expect("the folder for tests can be written");
        let (game, db) = (file.to_str().expect("the name is UTF-8"), scratch(&format!("{name}.db")));
        let saved = json(&["solve", game, "--all", "--save", db.to_str().expect("the name is UTF-8")]);
        assert_eq!(saved["saved"], saved["positions"], "{saved}");
        assert_eq!(saved["all"]["max_to_move"]["max"], 3, "{saved}");
        for (position, worth, plies) in rows {
            let worth = if mixed && position == "h" { 999_999.0 } else { worth };
            let proof = scratch(&format!("{name}-{position}.proof"));
            let path = proof.to_str().expect("the name is UTF-8");
            let found = json(&["solve", game, "--position", position, "--proof", path]);
            assert_eq!(found["value"].as_f64(), Some(worth), "{name} {position}: {found}");
            assert_eq!(found["plies"].as_u64(), plies, "{name} {position}: {found}");
            if let Some(plies) = plies {
                assert_eq!(found["pv"].as_array().map(Vec::len), Some(plies as usize), "{name} {position}: {found}");
            }
            let verified = json(&["verify", game, path]);
            assert_eq!(verified["verified"], true, "{name} {position}: {verified}");
            altered_proofs_are_refused(game, &proof);
            let table = db.to_str().expect("the name is UTF-8");
            let looked_up = json(&["value", game, "--position", position, "--table", table]);
            assert_eq!((&looked_up["value"], &looked_up["exact"]), (&found["value"], &true.into()), "{looked_up}");
            assert_eq!(looked_up["pv"], found["pv"], "{name} {position}");
            let _ = fs::remove_file(&proof);
        }
        let _ = (fs::remove_file(&file), fs::remove_file(&db));
    }
}
