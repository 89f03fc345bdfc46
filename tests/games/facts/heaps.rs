//! Tests games of taking and sowing.

use super::played::{open, walk, winner};
use super::{Row, common, number_of, params, reference};
use alphorn::game::Side;
use alphorn::rules::fault::text;
use alphorn::solve::Method;
use std::collections::HashMap;

#[test]
fn nim() {
    params("nim");
    let mut checked = 0;
    for (misere, rule) in [("no", "normal"), ("yes", "misere")] {
        let played = open("nim", &format!("misere={misere}"));
        let mut known = HashMap::new();
        for opening in 1..=7 {
            let start = played.opening(opening);
            let heaps = text(&start.0, &played.game.rules.program.ops, usize::MAX)
                .replace("pos(max,[", "")
                .replace("])", "")
                .replace(',', ", ");
            let name = format!("nim heaps ({heaps}) {rule}");
            checked += reference(
                |other| other == name,
                |_| {
                    let first = winner(&played, &start, &mut known) == Side::Max;
                    let moves = played
                        .moves(&start)
                        .into_iter()
                        .filter(|(_, next)| winner(&played, next, &mut known) == Side::Max);
                    let moves: Vec<String> =
                        moves.map(|(label, _)| label.replace("take", "").replace(',', ", ")).collect();
                    Row::Found(format!("{} [{}]", if first { "first" } else { "second" }, moves.join(", ")))
                },
            );
        }
        let walked = walk(&played, played.opening(2), 6);
        checked += reference(
            |name| name == format!("open_spiel nim(is_misere={})", misere == "yes"),
            |row| common(&played, &walked, row),
        );
    }
    assert_eq!(checked, 14 + 12);
}

#[test]
fn kalah() {
    params("kalah");
    let checked = reference(
        |name| name.starts_with("kalah("),
        |row| {
            let digits: Vec<char> = row[0].chars().filter(char::is_ascii_digit).collect();
            let capture = if row[0].contains("even if opposite empty") { "always" } else { "nonempty" };
            let played = open("kalah", &format!("houses={} seeds={} capture={capture}", digits[0], digits[1]));
            Row::Found(number_of(&played, Method::AlphaBeta))
        },
    );
    assert_eq!(checked, 22);
}
