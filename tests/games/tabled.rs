//! Tests of games whose positions are sorted lists of facts, with tabled predicates.

use alphorn::game::Score;
use alphorn::rules::Expected;
use alphorn::rules::evaluation::RuleEval;
use alphorn::search::limits::Limits;
use alphorn::search::perft::perft;
use alphorn::search::{Algorithm, SearchSettings, search_with};
use alphorn::session::live;
use alphorn::session::options::LoadOptions;
use std::sync::Arc;

/// Games with the numbers of paths of one to three plies, and the value and the positions of minimax to two plies, as
/// SWI-Prolog counts them.
const GAMES: [(&str, &str, [u64; 3], &str, u64); 4] = [
    ("four_in_line_facts.pl", include_str!("tabled/four_in_line_facts.pl"), [7, 49, 343], "7", 57),
    ("othello_facts.pl", include_str!("tabled/othello_facts.pl"), [4, 12, 56], "-2", 17),
    ("atari_go_facts.pl", include_str!("tabled/atari_go_facts.pl"), [19, 342, 5814], "0", 362),
    ("hex_facts.pl", include_str!("tabled/hex_facts.pl"), [20, 380, 6840], "2", 401),
];

#[test]
fn games_with_tables_have_the_results_of_another_system() {
    for (name, text, paths, value, positions) in GAMES {
        let opened = LoadOptions::of_text(name, text).open(Expected::Game, &Arc::default());
        let session = opened.unwrap_or_else(|failure| panic!("{name} does not load: {failure:?}"));
        let game = session.game().unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let root = game.openings().unwrap_or_else(|_| panic!("{name} has no opening")).remove(0);
        let limits = Limits::to_depth(2);
        let mut counts = Vec::new();
        live::by_depth(&game, &root, 3, &Limits::default(), &mut |_, count| counts.push(count))
            .unwrap_or_else(|_| panic!("{name}: a fault"));
        assert_eq!(counts, paths, "{name}, live positions");
        let counted = perft(&game, &root, 3, None).unwrap_or_else(|_| panic!("{name}: a fault"));
        assert_eq!(counted.paths, paths, "{name}, packed positions");
        let settings = SearchSettings::default();
        let found = search_with(Algorithm::Minimax, &game, &RuleEval, &root, &limits, &settings);
        let found = found.unwrap_or_else(|_| panic!("{name}: a fault"));
        assert_eq!((told(found.value).as_str(), found.nodes), (value, positions), "{name}");
        for algorithm in [Algorithm::AlphaBeta, Algorithm::Pvs] {
            let found = search_with(algorithm, &game, &RuleEval, &root, &limits, &settings);
            let found = found.unwrap_or_else(|_| panic!("{name}: a fault"));
            assert_eq!(told(found.value), value, "{name}, {algorithm}");
        }
    }
}

fn told(value: Option<Score>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
