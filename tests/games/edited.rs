//! Tests that rules with one edited clause play as the whole edited text does.
//!
//! An edit is tried without loading the whole text again, and the solver keeps the code of all other clauses. So the
//! test makes small edits of games and compares perft with that of the loaded text.

use alphorn::lang::ProgramOptions;
use alphorn::machine::store::Budget;
use alphorn::rules::game::RuleGame;
use alphorn::rules::small_edits::small_edits;
use alphorn::rules::suspicion::Spectrum;
use alphorn::rules::{Expected, load};
use alphorn::search::perft::perft;
use alphorn::source::Source;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Every edit with a multiple of this number is tried.
const STRIDE: usize = 101;

/// The numbers of lines of one and of two plies; `None` if the rules fail.
fn counts(game: Option<RuleGame>) -> Option<Vec<u64>> {
    let game = game?;
    let opening = game.openings().ok()?.first()?.clone();
    Some(perft(&game, &opening, 2, None).ok()?.paths)
}

#[test]
fn an_edited_clause_is_as_in_the_whole_text() {
    let budget = Budget { steps: 100_000, ..Budget::default() };
    let (mut tried, mut different) = (0, 0);
    for name in ["tictactoe", "nim", "breakthrough", "kalah", "connect_four", "othello"] {
        let text = std::fs::read_to_string(format!("games/{name}.pl")).expect("the game is there");
        let options = ProgramOptions::default();
        let rules = load(&[Source::typed(name, &text)], &[], &options, Expected::Game);
        let stop = Arc::<AtomicBool>::default();
        let base = rules.reference(&stop);
        let plain = counts(RuleGame::interpreted(rules.clone(), rules.reference(&stop), budget, stop.clone()).ok());
        let edits = small_edits(&rules.program, &[], &Spectrum::new(&rules.program));
        assert!(edits.len() > STRIDE, "{name} has {} edits", edits.len());
        for edit in edits.iter().step_by(STRIDE) {
            let whole = rules.changed(&edit.changes, false).expect("the text was given");
            let Some(edited) = rules.with_clause(edit.at.0, edit.at.1, &edit.changes) else {
                // What is no clause alone is none in the text.
                assert!(whole.is_broken(), "{name}: {} {:?}", edit.condition, edit.changes);
                continue;
            };
            if whole.is_broken() {
                continue;
            }
            let solver = base.for_edited(edited.program.clone(), stop.clone());
            let own = counts(RuleGame::interpreted(edited, solver, budget, stop.clone()).ok());
            let wanted = counts(RuleGame::brief(whole, budget, stop.clone()).ok());
            assert_eq!(own, wanted, "{name}: {} {:?}", edit.condition, edit.changes);
            tried += 1;
            different += usize::from(own != plain);
        }
    }
    assert!(tried > 60 && different > 10, "{tried} edits, {different} change the moves");
}
