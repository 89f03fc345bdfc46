//! Lists the games that come with Alphorn.

use super::explain::no_such;
use alphorn_rules::rules::examples;
use alphorn_session::session::SessionResult;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which game; all of them if none is named.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The game to write to standard output
    pub name: Option<String>,
}

/// The games, or one of them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// All games.
    Games(Games),
    /// One game.
    Game(Game),
}

/// All games.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Games {
    /// the games that come with alphorn
    pub examples: Vec<Summary>,
}

/// A game in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Summary {
    /// name of the game
    pub name: String,
    /// what it is, in a sentence
    pub about: String,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ExampleGame")]
pub struct Game {
    /// name of the game
    pub name: String,
    /// its rules
    pub text: String,
}

/// Lists the games, or prints the rules of one.
///
/// # Errors
///
/// The game does not exist.
pub fn answer(request: &Request) -> SessionResult<Reply> {
    let games = examples();
    let Some(name) = &request.name else {
        let row = |(name, text): &(&str, &str)| Summary { name: (*name).into(), about: headline(text) };
        return Ok(Reply::Games(Games { examples: games.iter().map(row).collect() }));
    };
    let bare = name.strip_suffix(".pl").unwrap_or(name);
    let Some((_, text)) = games.iter().find(|(other, _)| *other == bare) else {
        let names: Vec<&str> = games.iter().map(|(name, _)| *name).collect();
        return Err(no_such("example", name, &names, "alphorn example"));
    };
    Ok(Reply::Game(Game { name: bare.into(), text: text.to_string() }))
}

/// The first sentence of the comment at the top of a game.
fn headline(text: &str) -> String {
    let comment: Vec<&str> =
        text.lines().take_while(|line| line.starts_with('%')).map(|line| line.trim_start_matches('%').trim()).collect();
    let joined = comment.join(" ");
    joined.split_once(". ").map_or(joined.clone(), |(first, _)| format!("{first}."))
}
