//! Tests games in which men move on a board.

use super::played::{open, walk};
use super::{Row, common, number, params, reference};
use alphorn::game::Side;
use alphorn::session::GameStart;
use alphorn::session::solve::score_winner;
use alphorn::solve::Method;

#[test]
fn checkers() {
    params("checkers");
    let played = open("checkers", "-");
    let perft = played.perft(&played.opening(1), 6);
    let checked =
        reference(|name| name == "english draughts 8x8", |row| Row::Found(perft[number(row[2]) - 1].to_string()));
    assert_eq!(checked, 6);
}

#[test]
fn nine_mens_morris() {
    params("nine_mens_morris");
}

#[test]
fn fox_and_geese() {
    params("fox_and_geese");
    let mut checked = 0;
    for (size, fox, at) in [(4, "b", "(1,3)"), (4, "d", "(3,3)"), (8, "d", "(3,7)")] {
        let played = open("fox_and_geese", &format!("size={size} fox={fox}"));
        let walked = walk(&played, played.opening(1), 4);
        let board = format!("fox and geese {size}x{size} ");
        checked += reference(
            |name| name.starts_with(&board) && name.contains(&format!("fox {at} moves first")),
            |row| match row[1] {
                "value" => {
                    let found = played.solved(&GameStart::default(), Method::Retrograde, false);
                    assert_eq!(found.score.and_then(score_winner), Some(Side::Min));
                    Row::Found(format!("second player wins in {} plies", found.plies.unwrap_or(0)))
                }
                quantity if quantity.starts_with("reachable states") => {
                    Row::Found(played.census().map(|count| count.to_string()).join("/"))
                }
                _ => common(&played, &walked, row),
            },
        );
    }
    assert_eq!(checked, 6 + 6 + 5);
}
