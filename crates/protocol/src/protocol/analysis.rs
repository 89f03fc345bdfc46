//! Analyses the cost of searching a game, and the least possible cost.

use super::contest::rounded;
use super::data::Number;
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

/// What to analyse.
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
    /// From where else
    pub place: Elsewhere,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
}

command_line_defaults!(Request);

/// What it costs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// depth, in plies
    pub depth: u32,
    /// positions that were analysed
    pub positions: usize,
    /// the whole tree, ply by ply
    pub plies: Vec<Ply>,
    /// cost of each search
    pub searches: Vec<Searched>,
    /// the smallest tree that proves the value
    pub minimal: Minimal,
    /// stopped before the end: unfinished positions are not counted
    pub stopped: bool,
}

/// The positions of the whole tree at a ply.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Ply {
    /// ply, from 0
    pub ply: usize,
    /// positions of the whole tree at this ply
    pub positions: u64,
    /// finished games among them
    pub over: u64,
    /// moves from all of them
    pub moves: u64,
    /// moves for each position that goes on; null if none does, and at the horizon
    #[schemars(range(min = 0))]
    pub branching: Option<Number>,
}

/// What a search takes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Searched {
    /// F is minimax, F1 alpha-beta without deep cut-offs, F2 alpha-beta; F2 with table has a transposition table
    pub name: String,
    /// positions visited
    pub nodes: u64,
    /// leaves visited
    pub leaves: u64,
    /// positions answered from the table
    pub hits: u64,
    /// nodes divided by the nodes of the minimal tree; null if that tree is empty
    #[schemars(range(min = 0))]
    pub overhead: Option<Number>,
    /// cutoffs that skip moves
    pub cutoffs: u64,
    /// share of the cutoffs by the first move; null without cutoffs
    #[schemars(range(min = 0, max = 1))]
    pub first_share: Option<Number>,
}

/// The smallest tree that proves the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Minimal {
    /// fewest positions
    pub nodes: u64,
    /// fewest leaves
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
