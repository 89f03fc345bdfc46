//! Loads a game from a file and asks for its value: the shortest way to use Alphorn as a library.
//!
//! `cargo run --example ask -- games/othello.pl 4` searches four plies deep. What is wrong with a text
//! is drawn as the command line draws it: errors carry their spans.

use alphorn::rules::Expected;
use alphorn::search::{Algorithm, limits::Limits};
use alphorn::session::options::LoadOptions;
use alphorn::session::{Failure, GameStart};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| "games/tictactoe.pl".to_string());
    let depth = arguments.next().and_then(|depth| depth.parse().ok()).unwrap_or(9);
    match ask(&file, depth) {
        Ok(told) => {
            println!("{told}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            // Every problem with its place: miette diagnostics, which a program can draw as it likes.
            for drawing in failure.report().drawings() {
                eprintln!("{:?}", miette::Report::new(drawing));
            }
            ExitCode::FAILURE
        }
    }
}

/// The value of a game's first opening, in words.
fn ask(file: &str, depth: u32) -> Result<String, Failure> {
    let session = LoadOptions::of_file(file).open(Expected::Game, &Default::default())?;
    let game = session.game()?;
    let state = session.position(&game, &GameStart::default())?;
    let found = session.value(&game, &state, &Algorithm::Auto.into(), &Limits::to_depth(depth))?.outcome;
    let value = found.value.map_or("unknown".to_string(), |value| value.to_number().to_string());
    Ok(format!("value {value}, by {}", found.line.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_game_has_its_value() {
        let told = ask("games/tictactoe.pl", 9).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert!(told.starts_with("value 0, by "), "{told}");
    }

    #[test]
    fn a_file_that_is_not_there_is_told() {
        assert!(matches!(ask("games/nowhere.pl", 1), Err(Failure::Problem(problem, _)) if problem.code == "A0620"));
    }
}
