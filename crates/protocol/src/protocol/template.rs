//! Lists the templates of new games, or gives the rules of a new game.

use super::host::refusal;
use alphorn_lang::lang::near::nearest;
use alphorn_rules::rules::templates::{Template, templates};
use alphorn_session::session::SessionResult;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for the rules of a new game, or without a name for the list of all templates.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The name of the new game, such as mygame; the rules go to mygame.pl
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The board: 8x8, hex, points, cards, dice or none (8x8)
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// What a move does: place, step or take (default: the first of these that the board supports)
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
}

/// The list of all templates, or the rules of a new game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// The list of all templates.
    List(Templates),
    /// The rules of a new game.
    Game(NewGame),
}

/// The list of all templates.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Templates {
    /// The templates. The first of a board is its default, and the first of all is the default of all.
    pub templates: Vec<TemplateSummary>,
}

/// A template with its description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TemplateSummary {
    /// The board.
    pub board: String,
    /// What a move does.
    pub moves: String,
    /// The description, one sentence.
    pub about: String,
}

/// The rules of a new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NewGame {
    /// The name of the game.
    pub name: String,
    /// The board of its template.
    pub board: String,
    /// What a move does in its template.
    pub moves: String,
    /// The rules, as Prolog text.
    pub text: String,
}

/// Lists the templates, or gives the rules of a new game.
///
/// # Errors
///
/// No template has this board or these moves, or the name is no name of a file.
pub fn answer(request: &Request) -> SessionResult<Reply> {
    let all = templates();
    let Some(name) = &request.name else {
        let row = |template: &Template| TemplateSummary {
            board: template.board.to_string(),
            moves: template.moves.to_string(),
            about: template.about.to_string(),
        };
        return Ok(Reply::List(Templates { templates: all.iter().map(row).collect() }));
    };
    let name = name.strip_suffix(".pl").unwrap_or(name);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.');
    if name.is_empty() || name.starts_with(['.', '-']) || !name.chars().all(plain) {
        let help = "use letters, digits, _ and -, such as my_game";
        return Err(refusal(format!("{name:?} is not the name of a game"), help));
    }
    let board = request.board.as_deref().or(all.first().map(|first| first.board)).unwrap_or_default();
    let fitting: Vec<&Template> = all.iter().filter(|template| template.board == board).collect();
    if fitting.is_empty() {
        let mut boards: Vec<&str> = all.iter().map(|template| template.board).collect();
        boards.dedup();
        let near = nearest(board, boards.iter().copied()).map(|near| format!("did you mean {near}? "));
        let help = format!("{}the boards are {}", near.unwrap_or_default(), boards.join(", "));
        return Err(refusal(format!("there is no template with the board {board}"), help));
    }
    let found = match &request.moves {
        Some(moves) => fitting.iter().find(|template| template.moves == moves),
        None => fitting.first(),
    };
    let Some(template) = found else {
        let moves: Vec<&str> = fitting.iter().map(|template| template.moves).collect();
        let wanted = request.moves.as_deref().unwrap_or_default();
        let message = format!("there is no template with the board {board} and the moves {wanted}");
        return Err(refusal(message, format!("with this board, write --moves {}", moves.join(" or --moves "))));
    };
    Ok(Reply::Game(NewGame {
        name: name.to_string(),
        board: board.to_string(),
        moves: template.moves.to_string(),
        text: template.named(name),
    }))
}
