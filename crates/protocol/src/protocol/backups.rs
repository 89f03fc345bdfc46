//! Compares the best moves and values under different backup rules for chance moves.

use super::data::Number;
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Host, Listen};
use super::words::{Combined, Spelled};
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::backup::{Backup, BackupRule, RiskFunction, RiskView};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchResult;
use alphorn_session::session::{SearchOptions, SessionResult};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to compare backups for chance moves.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Search depth, in plies of players and of chance
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub depth: u32,
    /// A backup, as in alphorn value --backup; may be given several times
    #[arg(long, value_name = "RULE")]
    pub backup: Vec<Combined>,
    /// The player whose attitude to risk the backups describe: owner (the player who moved last), max or min
    #[arg(long, value_name = "WHO", default_value_t = Spelled(RiskView::Owner))]
    pub risk_view: Spelled<RiskView>,
}

command_line_defaults!(Request);

/// The best moves under different backups.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The depth of the searches, in plies of players and of chance.
    pub depth: u32,
    /// The player whose attitude to risk the backups describe.
    pub view: Spelled<RiskView>,
    /// The results, one for each backup in the order of the request.
    pub backups: Vec<Compared>,
    /// Whether an interrupt stopped the comparison; the values then have different depths.
    pub stopped: bool,
}

/// The result of the search with one backup.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Compared {
    /// The backup, as in the option `--backup`.
    pub backup: String,
    /// The label of the best move; null at a chance move, or if the game is over.
    pub best: Option<String>,
    /// The value of the position for MAX; null if the search was stopped before it finished the first move.
    pub value: Option<Number>,
    /// Whether the value is exact: no estimate can change it.
    pub exact: bool,
    /// The depth of the value, in plies; null for the value of the whole game.
    pub depth: Option<u32>,
    /// Whether the search finished that depth.
    pub finished: bool,
    /// Whether the search was stopped before its end; the value is then the best of the moves searched so
    /// far.
    pub stopped: bool,
    /// Whether the backup is monotone: a greater value of a successor never lowers the result.
    pub monotone: bool,
    /// The number of positions visited.
    pub nodes: u64,
}

/// The default rules: the mean, a careful, a daring, and one that is careful only when ahead.
fn usual() -> Vec<BackupRule> {
    let risks = [
        RiskFunction::Linear(1.0 / 3.0),
        RiskFunction::Exp(0.5),
        RiskFunction::Exp(2.0),
        RiskFunction::Exp(-2.0),
        RiskFunction::Dynamic(0.0, 2.0),
    ];
    let entropic = [2.0, -2.0].map(BackupRule::Entropic);
    [BackupRule::Expect].into_iter().chain(risks.map(BackupRule::Risk)).chain(entropic).collect()
}

/// Compares the backup rules.
///
/// # Errors
///
/// The rules or the request contain an error, or the game has no chance moves.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let AtPosition { session, game, state, clock, .. } = host.game((&request.form, &request.start), None, listen)?;
    let given: Vec<BackupRule> = request.backup.iter().map(|backup| backup.rule.clone()).collect();
    let rules = if given.is_empty() { usual() } else { given };
    let backups: Vec<Backup> = rules.into_iter().map(|rule| Backup { rule, view: request.risk_view.0 }).collect();
    let limits = Limits { stop: Some(clock.flag()), ..Limits::to_depth(request.depth) };
    let how = SearchOptions { hash: Some(64 << 20), ..Algorithm::Auto.into() };
    let found = session.compared(&game, &state, (&how, &limits), &backups)?;
    Ok(Reply {
        depth: request.depth,
        view: request.risk_view,
        stopped: found.iter().any(|found| found.stopped),
        backups: backups.iter().zip(found).map(|(backup, found)| compared(backup, found)).collect(),
    })
}

fn compared(backup: &Backup, found: SearchResult<String>) -> Compared {
    Compared {
        backup: match &backup.rule {
            BackupRule::Risk(RiskFunction::Linear(c)) => format!("risk=linear:{}", (*c * 1e4).round() / 1e4),
            rule => rule.to_string(),
        },
        best: found.best,
        value: found.value.map(|value| Number(value.to_number())),
        exact: found.exact,
        depth: found.depth,
        finished: !found.partial,
        stopped: found.stopped,
        monotone: backup.is_monotone(),
        nodes: found.nodes,
    }
}
