//! A host that plays: it keeps a game, takes moves from anybody, and lets the program answer.
//!
//! `cargo run --example host -- games/othello.pl` plays the game against itself, move by move, as a
//! window or a server would: `Workspace` keeps the line of play, and says what is not legal.

use alphorn::game::Side;
use alphorn::rules::Expected;
use alphorn::search::{Algorithm, limits::Limits};
use alphorn::session::options::LoadOptions;
use alphorn::session::workspace::{GameStatus, Workspace};
use alphorn::session::{GameStart, SessionResult};

/// Positions that the program looks at for a move.
const NODES: u64 = 500;

fn main() {
    let file = std::env::args().nth(1).unwrap_or_else(|| "games/tictactoe.pl".to_string());
    match whole_game(&file) {
        Ok((moves, Some(side))) => println!("{side:?} wins: {}", moves.join(" ")),
        Ok((moves, None)) => println!("a draw: {}", moves.join(" ")),
        Err(failure) => eprintln!("{failure}"),
    }
}

/// Plays a game to its end: its moves, and who has won it.
fn whole_game(file: &str) -> SessionResult<(Vec<String>, Option<Side>)> {
    let stop = Default::default();
    let mut workspace = Workspace::open(LoadOptions::of_file(file), 1, &stop)?;
    loop {
        match workspace.status()? {
            GameStatus::Over(winner) => return Ok((workspace.played(), winner)),
            GameStatus::Repeated => return Ok((workspace.played(), None)),
            GameStatus::Chance => drop(workspace.play_chance_outcome()?),
            // A person's move would come from elsewhere: workspace.play(text) refuses what is not legal.
            GameStatus::Moves(_) => {
                let best = reply(&workspace)?;
                workspace.play(&best)?;
            }
        }
    }
}

/// The move that the program makes.
fn reply(workspace: &Workspace) -> SessionResult<String> {
    let session = workspace.session_for_request(Expected::Game, &LoadOptions::default(), &Default::default())?;
    let game = session.game()?;
    let state = session.position(&game, &GameStart::default())?;
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let found = session.value(&game, &state, &Algorithm::Auto.into(), &limits)?.outcome;
    // So few positions may not do for one move: then any.
    let first = || Ok(workspace.moves()?.first().map(|mv| mv.label.clone()).unwrap_or_default());
    found.best.map_or_else(first, Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_to_an_end() {
        for file in ["games/tictactoe.pl", "games/nim.pl", "games/nannon.pl"] {
            let (moves, _) = whole_game(file).unwrap_or_else(|failure| panic!("{file}: {failure:?}"));
            assert!(!moves.is_empty(), "{file}");
        }
    }
}
