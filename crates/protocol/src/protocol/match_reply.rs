//! The result of a match: score, Elo difference, test, and the searches of both sides.

use super::data::{Number, rounded};
use super::match_options::SprtOption;
use super::sums::{Sums, elo};
use alphorn_lab::arena::score::{MatchEstimate, estimate};
use alphorn_lab::arena::sprt::Hypothesis;
use alphorn_session::session::contest::MatchEnd;
use alphorn_session::session::game_record::PlayerCost;
use schemars::JsonSchema;
use serde::Serialize;

/// The result of a match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The number of finished games, without a game whose pair is not finished.
    pub games: u64,
    /// The number of games won by A.
    pub wins: u64,
    /// The number of drawn games, including games stopped because of their length.
    pub draws: u64,
    /// The number of games lost by A.
    pub losses: u64,
    /// The number of pairs of games in which A won 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial: [u64; 5],
    /// The share of the points that A won, from 0 to 1; a draw is half a point. Null if no pair is finished.
    #[schemars(range(min = 0, max = 1))]
    pub score: Option<Number>,
    /// The standard error of the score; null if fewer than two pairs are finished.
    #[schemars(range(min = 0))]
    pub standard_error: Option<Number>,
    /// The lower end of the 95 % interval of the score; null if fewer than two pairs are finished.
    #[schemars(range(min = 0, max = 1))]
    pub low: Option<Number>,
    /// The upper end of the 95 % interval of the score; null if fewer than two pairs are finished.
    #[schemars(range(min = 0, max = 1))]
    pub high: Option<Number>,
    /// Whether all pairs had equal results; the rule of three then gives the interval.
    pub alike: bool,
    /// The Elo difference between A and B that belongs to the score, by the logistic model; null for a score
    /// of 0 or 1, or if no pair is finished.
    pub elo: Option<Number>,
    /// The Elo difference that belongs to `low`; null if it is infinite or unknown.
    pub elo_low: Option<Number>,
    /// The Elo difference that belongs to `high`; null if it is infinite or unknown.
    pub elo_high: Option<Number>,
    /// The likelihood of superiority: the probability that A is stronger than B; null if no pair is finished.
    #[schemars(range(min = 0, max = 1))]
    pub los: Option<Number>,
    /// The share of the games that were drawn; null if no pair is finished.
    #[schemars(range(min = 0, max = 1))]
    pub draw_ratio: Option<Number>,
    /// The sequential test; null if the request does not set `sprt`.
    pub sprt: Option<SequentialTest>,
    /// The number of different positions in which the players began to move.
    pub openings: usize,
    /// The number of random moves in an opening; null if the openings are not random.
    pub opening_plies: Option<u64>,
    /// The number of pairs in which the second game, with the sides swapped, had the moves of the first game.
    pub same_moves: u64,
    /// The mean length of a game with its opening, in plies; null if no pair is finished.
    #[schemars(range(min = 0))]
    pub plies: Option<Number>,
    /// The number of games stopped because of their length.
    pub unfinished: u64,
    /// The number of games that ended in a position with a known value.
    pub adjudicated: u64,
    /// Player A.
    pub a: Played,
    /// Player B.
    pub b: Played,
    /// Why the match ended.
    pub ended: MatchEndReason,
    /// Whether an interrupt stopped the match; all counts are those of finished pairs.
    pub stopped: bool,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum MatchEndReason {
    /// All games were played.
    Games,
    /// The sequential test accepted a hypothesis.
    Sprt,
    /// There were no more openings.
    Openings,
    /// An interrupt stopped the match.
    Interrupt,
    /// The record contains no more games.
    Record,
}

impl From<MatchEnd> for MatchEndReason {
    fn from(end: MatchEnd) -> MatchEndReason {
        match end {
            MatchEnd::Games => MatchEndReason::Games,
            MatchEnd::Decided => MatchEndReason::Sprt,
            MatchEnd::Openings => MatchEndReason::Openings,
            MatchEnd::Interrupted => MatchEndReason::Interrupt,
        }
    }
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SequentialTest {
    /// The Elo difference of the hypothesis H0, by the logistic model.
    pub elo0: Number,
    /// The Elo difference of the hypothesis H1, by the logistic model.
    pub elo1: Number,
    /// The probability to accept H1 if H0 is true.
    pub alpha: Number,
    /// The probability to accept H0 if H1 is true.
    pub beta: Number,
    /// The logarithm of the likelihood ratio of H1 to H0.
    pub llr: Number,
    /// The ratio at which the test accepts H0.
    pub lower: Number,
    /// The ratio at which the test accepts H1.
    pub upper: Number,
    /// The accepted hypothesis; null if the test is not decided.
    pub accepted: Option<Accepted>,
}

/// The hypothesis that a test accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Accepted {
    /// The Elo difference is `elo0` or less.
    H0,
    /// The Elo difference is `elo1` or more.
    H1,
}

/// The settings and the searches of one player.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Played {
    /// The options of the player, as in the request.
    pub settings: String,
    /// The number of moves that the player searched.
    pub moves: u64,
    /// The mean depth of the searches, in plies; null without a move. An unfinished search counts the depth
    /// it reached.
    #[schemars(range(min = 0))]
    pub depth: Option<Number>,
    /// The mean number of positions visited for a move; null without a move.
    #[schemars(range(min = 0))]
    pub nodes: Option<Number>,
    /// The number of moves that the player searched because `--advice strict` found no advice table.
    pub unadvised: u64,
    /// The number of games that the player forfeited: it gave no legal move, ended, or was out of time.
    pub forfeits: u64,
}

/// The reply of a match with these games and these settings of A and B.
pub(super) fn reply(sums: &Sums, settings: [&str; 2], opening_plies: Option<u64>, ended: MatchEndReason) -> Reply {
    let found = estimate(&sums.pairs);
    let interval = found.and_then(|found| found.interval);
    let number = |value: Option<f64>| value.map(rounded);
    let side = |at: usize| {
        let cost: &PlayerCost = &sums.costs[at];
        Played {
            settings: settings[at].to_string(),
            moves: cost.moves,
            depth: mean(cost.depths, cost.moves),
            nodes: mean(cost.nodes, cost.moves),
            unadvised: cost.unadvised,
            forfeits: sums.forfeits[at],
        }
    };
    let games = 2 * sums.pairs.pairs();
    let [wins, draws, losses] = sums.results;
    Reply {
        games,
        wins,
        draws,
        losses,
        pentanomial: sums.pairs.counts,
        score: number(found.map(|found| found.mean)),
        standard_error: number(found.and_then(|found| found.error)),
        low: number(interval.map(|(low, _)| low)),
        high: number(interval.map(|(_, high)| high)),
        alike: matches!(found, Some(MatchEstimate { alike: true, .. })),
        elo: found.and_then(|found| elo(found.mean)),
        elo_low: interval.and_then(|(low, _)| elo(low)),
        elo_high: interval.and_then(|(_, high)| elo(high)),
        los: number(sums.pairs.superiority()),
        draw_ratio: mean(draws, games),
        sprt: sums.sprt.map(|sprt| test(sprt, sums)),
        openings: sums.openings.len(),
        opening_plies,
        same_moves: sums.same,
        plies: mean(sums.plies, games),
        unfinished: sums.unfinished,
        adjudicated: sums.adjudicated,
        a: side(0),
        b: side(1),
        ended,
        stopped: ended == MatchEndReason::Interrupt,
    }
}

/// The state of a test after these games.
fn test(SprtOption(sprt): SprtOption, sums: &Sums) -> SequentialTest {
    let ([elo0, elo1], [alpha, beta], [lower, upper]) = (sprt.elos(), sprt.errors(), sprt.bounds());
    SequentialTest {
        elo0: Number(elo0),
        elo1: Number(elo1),
        alpha: Number(alpha),
        beta: Number(beta),
        llr: rounded(sprt.log_ratio(&sums.pairs)),
        lower: rounded(lower),
        upper: rounded(upper),
        accepted: sprt.decision(&sums.pairs).map(|accepted| match accepted {
            Hypothesis::H0 => Accepted::H0,
            Hypothesis::H1 => Accepted::H1,
        }),
    }
}

fn mean(sum: u64, count: u64) -> Option<Number> {
    (count > 0).then(|| rounded(sum as f64 / count as f64))
}
