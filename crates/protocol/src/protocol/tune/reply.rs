//! The replies of tuning: parameters, losses, steps, and the final match.

use super::options::TuneMethod;
use crate::protocol::data::Number;
use crate::protocol::match_reply;
use crate::protocol::partial::TuneStep;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// The result of tuning.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The method.
    pub method: TuneMethod,
    /// The seed.
    pub seed: u64,
    /// The parameters.
    pub params: Vec<TunedParam>,
    /// The number of finished games before the final match.
    pub games: u64,
    /// The numbers of wins of MAX, draws and wins of MIN in these games.
    pub results: [u64; 3],
    /// The fit; null with `spsa`, or if the request was interrupted before it.
    pub fit: Option<Fit>,
    /// The order of moves in solved positions; null except with `solved`.
    pub order: Option<MoveOrder>,
    /// The steps.
    pub history: Vec<TuneStep>,
    /// An overlay with the new defaults; null if the request was interrupted before the result.
    pub overlay: Option<String>,
    /// The final match of the result, A, against the start, B; null if there was none.
    pub r#match: Option<Box<match_reply::Reply>>,
    /// The seed of the openings of the final match.
    pub match_seed: u64,
    /// The number of positions in which moves were chosen with both ends of the range of a parameter; 0 if the tuning
    /// did not come so far.
    pub compared: usize,
    /// Whether an interrupt stopped the request before its end.
    pub stopped: bool,
}

/// A tuned parameter.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TunedParam {
    /// The name.
    pub name: String,
    /// The value at the start.
    pub start: i64,
    /// The value that was found; null if the request was interrupted before the result.
    pub value: Option<i64>,
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
    /// Whether the evaluation of a sampled position differs between both ends of the range; null if unknown.
    pub changes_evaluation: Option<bool>,
    /// Whether the choice of a move in a sampled position differs between both ends of the range; null if
    /// unknown.
    pub changes_choice: Option<bool>,
}

/// The fit of an evaluation to results.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Fit {
    /// The number of positions, or of pairs of moves with `solved`, to which the parameters were fitted.
    pub positions: usize,
    /// The number of positions or pairs that were held out.
    pub held_out: usize,
    /// Whether the evaluation is linear in the parameters, so that the derivatives are exact.
    pub linear: bool,
    /// The scale of the prediction `1 / (1 + exp(-scale * evaluation))`.
    pub scale: Number,
    /// The mean loss on the fitted positions at the start, in nats.
    pub start: Number,
    /// The mean loss on the fitted positions at the result.
    pub end: Number,
    /// The least mean loss of any step on the fitted positions. Less than `end` if the steps used real numbers, and
    /// rounding them to integers made the loss greater.
    pub least: Number,
    /// The mean loss on the positions held out at the start; null if there are none.
    pub held_out_start: Option<Number>,
    /// The mean loss on the positions held out at the result; null if there are none.
    pub held_out_end: Option<Number>,
}

/// How an evaluation orders the moves of solved positions that were held out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MoveOrder {
    /// The number of positions.
    pub positions: usize,
    /// The share of the pairs of moves in the right order, at the start; equal evaluations count one half.
    pub pairs_start: Number,
    /// The share of the pairs of moves in the right order, at the result.
    pub pairs_end: Number,
    /// The share of the positions whose best move by the evaluation is optimal, at the start.
    pub best_start: Number,
    /// The share of the positions whose best move by the evaluation is optimal, at the result.
    pub best_end: Number,
}

/// The result of `dataset`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DatasetReply {
    /// The file that was written; null if the request was interrupted.
    pub output: Option<PathBuf>,
    /// The seed.
    pub seed: u64,
    /// The number of finished games.
    pub games: u64,
    /// The numbers of wins of MAX, draws and wins of MIN.
    pub results: [u64; 3],
    /// The number of positions.
    pub positions: usize,
    /// The parameters whose features the positions have; empty if the evaluation is not linear in them.
    pub features: Vec<String>,
    /// Whether an interrupt stopped the request before its end.
    pub stopped: bool,
}
