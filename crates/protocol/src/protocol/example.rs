//! Lists the games that come with Alphorn.

use super::explain::no_such;
use alphorn_rules::rules::examples;
use alphorn_session::session::SessionResult;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for the games that come with Alphorn: one game, or a list of all games without a name.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The game to write to standard output
    pub name: Option<String>,
}

/// The list of all games, or one game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// The list of all games.
    Games(Games),
    /// One game.
    Game(Game),
}

/// The list of all games.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Games {
    /// The games that come with Alphorn, by name.
    pub examples: Vec<Summary>,
}

/// A game with its description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Summary {
    /// The name of the game.
    pub name: String,
    /// The description, one sentence.
    pub about: String,
}

/// A game with its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ExampleGame")]
pub struct Game {
    /// The name of the game.
    pub name: String,
    /// The rules, as Prolog text.
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
