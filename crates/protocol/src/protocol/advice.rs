//! Shows the advice for a position, and tries to prove that an advice table always reaches its goal.

use super::contest::rounded;
use super::data::{ByName, Number};
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Event, Host, Listen, Progress, Unit, warn_odd};
use super::words::{Seconds, Whole};
use alphorn_search::advice::prove::{AdviceAim, AdviceFailure};
use alphorn_search::advice::{ForcingTree, RefutationReason};
use alphorn_search::game::Side;
use alphorn_session::session::SessionResult;
use alphorn_session::session::advice::{AdviceTrial, AdvisedPosition, MissedLine, SkippedAdvice, TrialResult};
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The default limit of listed counterexamples.
const LISTED: usize = 1000;

/// Which position to ask about.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// Give a forcing tree up after so many positions
    #[arg(long, value_name = "N", default_value = "100000")]
    pub tree: Whole<1, { u64::MAX }>,
}

/// What to prove.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ProveRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where; from every position of position/1, or every opening, if no position is given
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// The aim of the advice
    #[arg(long, value_name = "AIM", default_value = "win")]
    pub aim: Wanted,
    /// The side that follows the advice, if the table is for both
    #[arg(long, value_name = "SIDE")]
    pub side: Option<Player>,
    /// Give a forcing tree up after so many positions
    #[arg(long, value_name = "N", default_value = "100000")]
    pub tree: Whole<1, { u64::MAX }>,
    /// Show at most N lines on which the advice fails (default: 10; as JSON 1000)
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

/// What advice is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Wanted {
    /// To win
    Win,
    /// Not to lose
    Draw,
}

/// One of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Player {
    /// Who wants the greatest value
    Max,
    /// Who wants the least
    Min,
}

/// What a table says of a position.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// the position, in the notation of the game or as a term
    pub position: String,
    /// lines of its picture; null if the game draws none
    pub picture: Option<Vec<String>>,
    /// name of the rule that applies; null if none does
    pub rule: Option<String>,
    /// rules before it, whose conditions do not hold
    pub silent: Vec<Silent>,
    /// advice that was skipped
    pub failed: Vec<Failed>,
    /// piece of advice that is followed; null if none is
    pub advice: Option<String>,
    /// advice whose better-goal holds before a move is made; otherwise null
    pub idle: Option<String>,
    /// forcing tree of the advice that is followed: our move with what follows it; null if none is followed
    pub tree: Follows,
    /// our moves and their replies in the tree; null without a tree
    pub moves: Option<usize>,
    /// plies of its longest line; null without a tree
    pub plies: Option<usize>,
    /// positions visited
    pub nodes: u64,
}

/// A rule whose condition does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Silent {
    /// name of the rule
    pub rule: String,
    /// part of its condition that fails first; null if the parts are not told apart
    pub goal: Option<String>,
}

/// Advice of the rule that cannot be forced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Failed {
    /// name of the advice
    pub advice: String,
    /// a refutation of each first move
    pub refuted: Vec<Refutation>,
}

/// A line that advice fails on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Refutation {
    /// labels of the moves of the refutation; empty if it has no move
    pub line: Vec<String>,
    /// what is wrong at its end
    pub why: Reason,
    /// part of the holding-goal, or else of the better-goal, that fails first; null if the parts are not told apart
    pub goal: Option<String>,
}

/// What is wrong at the end of a refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Reason {
    /// The holding-goal fails.
    Holding,
    /// The game is over, without the better-goal.
    Over,
    /// No move of ours is allowed.
    NoMove,
    /// The advice considers no reply.
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

/// What follows in a forcing tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Follows {
    /// The end of a line.
    Nothing,
    /// Our move.
    Ours(Box<Ours>),
    /// Their replies.
    Theirs(Vec<Answered>),
}

/// Our move in a forcing tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Ours {
    /// label of our move
    #[serde(rename = "move")]
    pub mv: String,
    /// null at the end of a line, our next move, or their replies
    pub then: Follows,
}

/// A reply of theirs in a forcing tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "AdviceAnswer")]
pub struct Answered {
    /// label of their move
    pub reply: String,
    /// null at the end of a line, our answer, or their next replies
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

/// What following a table leads to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProveReply {
    /// positions in which the table was consulted, and first positions in which it was not
    pub positions: u64,
    /// positions from which every line reaches the aim; null if stopped
    pub aim: Option<u64>,
    /// the other positions; if stopped, those in which the table itself fails
    pub failures: u64,
    /// number of positions for each way to miss the aim
    pub by_failure: ByName<Failure>,
    /// own moves of the longest line that reaches the aim; null if there is none
    pub longest_moves: Option<u32>,
    /// position in which that line begins; null if there is none
    pub longest_from: Option<String>,
    /// mean of the longest lines from every position that reaches the aim, in own moves; null if there is none
    #[schemars(range(min = 0))]
    pub mean_moves: Option<Number>,
    /// positions in which each rule applied
    pub by_rule: ByName<String>,
    /// positions in which each advice was followed
    pub by_advice: ByName<String>,
    /// lines on which the aim is missed, at most as many as asked for
    pub counterexamples: Vec<Counterexample>,
    /// time taken, in seconds
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// stopped before the end: the reply is the result so far
    pub stopped: bool,
}

/// A line on which the aim is missed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Counterexample {
    /// position in which the line begins
    pub position: String,
    /// labels of the moves of both sides
    pub moves: Vec<String>,
    /// position in which the failure shows
    pub end: String,
    /// how the aim is missed there
    pub failure: Failure,
    /// piece of advice that causes the failure; null if none was followed
    pub advice: Option<String>,
}

/// How following advice misses its aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Failure {
    /// The game is drawn.
    Draw,
    /// The game is lost.
    Loss,
    /// A position comes again.
    Cycle,
    /// No rule speaks.
    NoRule,
    /// No advice can be forced.
    NoAdvice,
    /// A better-goal holds already.
    Idle,
    /// A forcing tree is too large.
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
