//! Shows the advice for a position, and tries to prove that an advice table always reaches its goal.

use super::data::{ByName, Number, rounded};
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Event, Host, Listen, Progress, Unit, warn_odd};
use super::words::{Seconds, Whole};
use alphorn_search::advice::failure::AdviceFailure;
use alphorn_search::advice::prove::AdviceAim;
use alphorn_search::advice::{ForcingTree, RefutationReason};
use alphorn_search::game::Side;
use alphorn_session::session::SessionResult;
use alphorn_session::session::advice::{AdviceTrial, AdvisedPosition, MissedLine, SkippedAdvice, TrialResult};
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The default limit of listed counterexamples.
const LISTED: usize = 1000;

/// A request for the advice in a position.
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
    /// Stop the search for a forcing tree after N positions
    #[arg(long, value_name = "N", default_value = "100000")]
    pub tree: Whole<1, { u64::MAX }>,
}

/// A request to check an advice table.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ProveRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position at which the check begins. By default the check begins at every position of position/1,
    /// or at every opening if the game has no position/1.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// The aim of the advice
    #[arg(long, value_name = "AIM", default_value = "win")]
    pub aim: Wanted,
    /// The side that follows the advice, if the table is for both
    #[arg(long, value_name = "SIDE")]
    pub side: Option<Player>,
    /// Stop the search for a forcing tree after N positions
    #[arg(long, value_name = "N", default_value = "100000")]
    pub tree: Whole<1, { u64::MAX }>,
    /// Show at most N lines on which the advice fails (default: 10; with --json 1000)
    #[arg(long, value_name = "N")]
    pub counterexamples: Option<usize>,
    /// Number of threads (default: all cores)
    #[arg(long, value_name = "N")]
    pub threads: Option<Whole<1, 1024>>,
    /// Stop after this many seconds, with the results so far
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
}

command_line_defaults!(Request, ProveRequest);

/// The aim of an advice table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Wanted {
    /// To win
    Win,
    /// Not to lose
    Draw,
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Player {
    /// The player who wants the greatest value
    Max,
    /// The player who wants the least value
    Min,
}

/// The advice for a position.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The position, in the notation of the game, or as a term if the game has no notation.
    pub position: String,
    /// The lines of the picture of the position; null if the game has no picture.
    pub picture: Option<Vec<String>>,
    /// The name of the rule that applies; null if no rule applies.
    pub rule: Option<String>,
    /// The rules before that rule, whose conditions do not hold; all rules if no rule applies.
    pub silent: Vec<Silent>,
    /// The advice of the rule that cannot be forced, in the order of the rule.
    pub failed: Vec<Failed>,
    /// The piece of advice that is followed; null if there is none.
    pub advice: Option<String>,
    /// The advice whose better-goal holds before a move is made; null if there is none. No advice after it is
    /// tried.
    pub idle: Option<String>,
    /// The forcing tree of the advice that is followed: the first move and its replies; null if there is no
    /// tree.
    pub tree: Follows,
    /// The number of moves in the tree, of both sides; null without a tree.
    pub moves: Option<usize>,
    /// The length of the longest line of the tree, in plies; null without a tree.
    pub plies: Option<usize>,
    /// The number of positions visited.
    pub nodes: u64,
}

/// A rule whose condition does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Silent {
    /// The name of the rule.
    pub rule: String,
    /// The first part of the condition that fails; null if Alphorn cannot tell which part fails.
    pub goal: Option<String>,
}

/// A piece of advice that cannot be forced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Failed {
    /// The name of the piece of advice.
    pub advice: String,
    /// The refutations: one for each first move that the advice allows.
    pub refuted: Vec<Refutation>,
}

/// A line on which a piece of advice fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Refutation {
    /// The labels of the moves of the line, of both sides; empty if the advice allows no first move.
    pub line: Vec<String>,
    /// The reason why the advice fails at the end of the line.
    pub why: Reason,
    /// The first part of the holding-goal, or else of the better-goal, that fails; null if Alphorn cannot
    /// tell.
    pub goal: Option<String>,
}

/// The reason why advice fails at the end of a refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Reason {
    /// The holding-goal fails.
    Holding,
    /// The game is over, and the better-goal does not hold.
    Over,
    /// The advice allows no move of its own side.
    NoMove,
    /// The advice considers no reply of the other side.
    NoReply,
}

impl From<RefutationReason> for Reason {
    fn from(why: RefutationReason) -> Reason {
        match why {
            RefutationReason::Lost => Reason::Holding,
            RefutationReason::Over => Reason::Over,
            RefutationReason::NoMove => Reason::NoMove,
            RefutationReason::NoReply => Reason::NoReply,
        }
    }
}

/// The continuation of a line in a forcing tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Follows {
    /// The line ends.
    Nothing,
    /// The side that follows the advice moves.
    Ours(Box<Ours>),
    /// The other side replies: one entry for each reply.
    Theirs(Vec<Answered>),
}

/// A move of the side that follows the advice, in a forcing tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Ours {
    /// The label of the move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The continuation: the replies of the other side, the next move, or null if the line ends.
    pub then: Follows,
}

/// A reply of the other side, in a forcing tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "AdviceAnswer")]
pub struct Answered {
    /// The label of the reply.
    pub reply: String,
    /// The continuation: the answer to the reply, more replies, or null if the line ends.
    pub then: Follows,
}

impl From<&ForcingTree<String>> for Follows {
    fn from(tree: &ForcingTree<String>) -> Follows {
        match tree {
            ForcingTree::Reached => Follows::Nothing,
            ForcingTree::Ours(mv, below) => Follows::Ours(Box::new(Ours { mv: mv.clone(), then: (&**below).into() })),
            ForcingTree::Theirs(replies) => {
                let answered = |(reply, below): &(String, ForcingTree<String>)| Answered {
                    reply: reply.clone(),
                    then: below.into(),
                };
                Follows::Theirs(replies.iter().map(answered).collect())
            }
        }
    }
}

/// Evaluates the advice table in a position.
///
/// # Errors
///
/// The rules or the request contain an error, or there is no table for the player to move.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let AtPosition { session, game, state, .. } = host.game((&request.form, &request.start), None, listen)?;
    let AdvisedPosition { rules, fired, silent, failed, chosen, idle, nodes } =
        session.advise(&game, &state, request.tree.get())?;
    let (advice, tree) = chosen.unzip();
    Ok(Reply {
        position: session.position_text(&game, &state)?,
        picture: session.picture(&game, &state)?,
        rule: rules.last().filter(|_| fired).cloned(),
        silent: rules.into_iter().zip(silent).map(|(rule, goal)| Silent { rule, goal }).collect(),
        failed: failed.into_iter().map(skipped).collect(),
        advice,
        idle,
        tree: tree.as_ref().map_or(Follows::Nothing, Follows::from),
        moves: tree.as_ref().map(ForcingTree::moves),
        plies: tree.as_ref().map(ForcingTree::plies),
        nodes,
    })
}

fn skipped(SkippedAdvice { advice, refuted, parts }: SkippedAdvice) -> Failed {
    let lines = refuted.into_iter().zip(parts);
    let refuted = lines.map(|(refuted, goal)| Refutation { line: refuted.line, why: refuted.why.into(), goal });
    Failed { advice, refuted: refuted.collect() }
}

/// The result of checking an advice table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProveReply {
    /// The number of positions in which the table was used, and of first positions in which the game is over.
    /// If the check was stopped, the number of positions visited.
    pub positions: u64,
    /// The number of positions from which every line reaches the aim; null if the check was stopped.
    pub aim: Option<u64>,
    /// The number of the other positions. If the check was stopped, the number of positions in which the
    /// table fails.
    pub failures: u64,
    /// The number of positions for each failure.
    pub by_failure: ByName<Failure>,
    /// The number of moves of the advised side on the longest line that reaches the aim; null if there is
    /// none.
    pub longest_moves: Option<u32>,
    /// The position in which the longest line begins; null if there is none.
    pub longest_from: Option<String>,
    /// The mean number of moves of the advised side on the longest lines, one line for each position that
    /// reaches the aim; null if there is none.
    #[schemars(range(min = 0))]
    pub mean_moves: Option<Number>,
    /// The number of positions in which each rule applied.
    pub by_rule: ByName<String>,
    /// The number of positions in which each piece of advice was followed.
    pub by_advice: ByName<String>,
    /// Lines that miss the aim, at most as many as the request allows.
    pub counterexamples: Vec<Counterexample>,
    /// The time of the check, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// Whether a time limit or an interrupt stopped the check before its end.
    pub stopped: bool,
}

/// A line that misses the aim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Counterexample {
    /// The position in which the line begins.
    pub position: String,
    /// The labels of the moves of both sides.
    pub moves: Vec<String>,
    /// The position in which the failure occurs.
    pub end: String,
    /// The failure.
    pub failure: Failure,
    /// The piece of advice that causes the failure; null if no advice was followed.
    pub advice: Option<String>,
}

/// A way to miss the aim of an advice table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Failure {
    /// The game is drawn.
    Draw,
    /// The game is lost.
    Loss,
    /// A position repeats: the other side can prolong the game for ever.
    Cycle,
    /// No rule applies.
    NoRule,
    /// No advice of the rule that applies can be forced.
    NoAdvice,
    /// The better-goal of the advice already holds, so the advice would be followed for ever.
    Idle,
    /// A forcing tree has more positions than `tree` allows.
    TooLarge,
}

impl From<AdviceFailure> for Failure {
    fn from(failing: AdviceFailure) -> Failure {
        match failing {
            AdviceFailure::Drawn => Failure::Draw,
            AdviceFailure::Lost => Failure::Loss,
            AdviceFailure::Cycle => Failure::Cycle,
            AdviceFailure::NoRule => Failure::NoRule,
            AdviceFailure::NoAdvice => Failure::NoAdvice,
            AdviceFailure::Idle => Failure::Idle,
            AdviceFailure::TooLarge => Failure::TooLarge,
        }
    }
}

/// Follows the advice in all positions.
///
/// # Errors
///
/// The rules or the request contain an error, or there is no table.
pub fn prove(request: &ProveRequest, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<ProveReply> {
    let (session, clock) = host.timed(&request.form, request.time, listen)?;
    warn_odd(&request.start, &session, listen);
    clock.begin();
    let trial = AdviceTrial {
        side: request.side.map(|side| if side == Player::Max { Side::Max } else { Side::Min }),
        aim: if request.aim == Wanted::Win { AdviceAim::Win } else { AdviceAim::Draw },
        most: request.tree.get(),
        counterexamples: request.counterexamples.unwrap_or(LISTED),
        threads: Whole::or_cores(request.threads),
        progress: &|done, known| {
            listen(Event::Progress(Progress { unit: Unit::Positions, done, total: Some(known), task: None }));
        },
    };
    let tried = session.prove(&request.start.place(), &trial)?;
    Ok(proved(tried, clock.seconds()))
}

fn proved(tried: TrialResult, seconds: f64) -> ProveReply {
    let (longest_moves, longest_from) = tried.longest.unzip();
    let counterexample = |missed: MissedLine| Counterexample {
        position: missed.from,
        moves: missed.moves,
        end: missed.to,
        failure: missed.failing.into(),
        advice: missed.advice,
    };
    let failed = tried.failures.iter().map(|(_, count)| count).sum();
    ProveReply {
        positions: tried.positions,
        aim: (!tried.stopped).then_some(tried.aim),
        failures: if tried.stopped { failed } else { tried.positions - tried.aim },
        by_failure: ByName(tried.failures.into_iter().map(|(failing, count)| (failing.into(), count)).collect()),
        longest_moves,
        longest_from,
        mean_moves: tried.mean.map(rounded),
        by_rule: ByName(tried.by_rule),
        by_advice: ByName(tried.by_advice),
        counterexamples: tried.counterexamples.into_iter().map(counterexample).collect(),
        seconds,
        stopped: tried.stopped,
    }
}
