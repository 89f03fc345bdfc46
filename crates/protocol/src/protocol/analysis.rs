//! Analyses the cost of searching a game, and the least possible cost.

use super::data::{Number, rounded};
use super::form::{Elsewhere, Form, command_line_defaults};
use super::host::{Host, Listen};
use super::term::TypedTerm;
use super::words::Whole;
use alphorn_lab::lab::analysis::{Analysis, ProcedureCost};
use alphorn_rules::rules::Expected;
use alphorn_session::session::SessionResult;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for the cost of searching a game.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// Search depth, in plies
    #[arg(long, value_name = "D", default_value = "4")]
    pub depth: Whole<0, 10_000>,
    /// Search this position, a term; may be given several times
    #[arg(long, value_name = "TERM", conflicts_with_all = ["at", "opening"], allow_hyphen_values = true)]
    pub position: Vec<TypedTerm>,
    #[command(flatten)]
    #[serde(flatten)]
    /// The position, if it is not given as a term.
    pub place: Elsewhere,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
}

command_line_defaults!(Request);

/// The cost of searching a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The depth of the searches, in plies.
    pub depth: u32,
    /// The number of positions that were analysed.
    pub positions: usize,
    /// The positions of the whole tree, one entry for each ply.
    pub plies: Vec<Ply>,
    /// The cost of each search.
    pub searches: Vec<Searched>,
    /// The size of the smallest tree that proves the value.
    pub minimal: Minimal,
    /// Whether an interrupt stopped the analysis; the counts then leave out unfinished positions.
    pub stopped: bool,
}

/// The positions of the whole tree at one ply.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Ply {
    /// The ply, from 0.
    pub ply: usize,
    /// The number of positions at this ply.
    pub positions: u64,
    /// The number of these positions in which the game is over.
    pub over: u64,
    /// The number of moves from all of these positions.
    pub moves: u64,
    /// The mean number of moves of the positions that are not over; null at the horizon, or if the game is
    /// over in all.
    #[schemars(range(min = 0))]
    pub branching: Option<Number>,
}

/// The cost of one search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Searched {
    /// The name: `F` is minimax, `F1` alpha-beta search without deep cutoffs, `F2` alpha-beta search, `F2
    /// with table` alpha-beta search with a transposition table.
    pub name: String,
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of leaves visited.
    pub leaves: u64,
    /// The number of positions found in the transposition table.
    pub hits: u64,
    /// The nodes divided by the nodes of the minimal tree; null if the minimal tree is empty.
    #[schemars(range(min = 0))]
    pub overhead: Option<Number>,
    /// The number of cutoffs that skip moves.
    pub cutoffs: u64,
    /// The share of the cutoffs that the first move causes, from 0 to 1; null without cutoffs.
    #[schemars(range(min = 0, max = 1))]
    pub first_share: Option<Number>,
}

/// The smallest tree that proves the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Minimal {
    /// The least possible number of positions.
    pub nodes: u64,
    /// The least possible number of leaves.
    pub leaves: u64,
}

/// Analyses the positions.
///
/// # Errors
///
/// The rules or the request contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let session = host.session(&request.form, Expected::Game, &host.stop, listen)?;
    let game = session.game()?;
    let start = |position| request.place.with(position);
    let starts = match request.position.is_empty() {
        true => vec![start(None)],
        false => request.position.iter().map(|position| start(Some(position))).collect(),
    };
    let states: Vec<_> = starts.iter().map(|start| session.position(&game, start)).collect::<Result<_, _>>()?;
    Ok(reply(&session.analyse(&game, &states, request.depth.get() as u32)?))
}

fn reply(found: &Analysis) -> Reply {
    let plies = found.plies.iter().enumerate().map(|(ply, here)| Ply {
        ply,
        positions: here.positions,
        over: here.over,
        moves: here.moves,
        // No moves are generated at the horizon.
        branching: here.branching(ply < found.depth as usize).map(rounded),
    });
    let searched = |ProcedureCost { procedure, counts }: &ProcedureCost| Searched {
        name: procedure.name().to_string(),
        nodes: counts.nodes,
        leaves: counts.leaves,
        hits: counts.hits,
        overhead: found.overhead(counts).map(rounded),
        cutoffs: counts.cutoffs,
        first_share: counts.first_share().map(rounded),
    };
    Reply {
        depth: found.depth,
        positions: found.positions,
        plies: plies.collect(),
        searches: found.costs.iter().map(searched).collect(),
        minimal: Minimal { nodes: found.minimal.nodes, leaves: found.minimal.leaves },
        stopped: found.stopped,
    }
}
