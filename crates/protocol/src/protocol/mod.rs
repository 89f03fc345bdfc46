//! Requests, replies, and what is told between them.
//!
//! One file a family of requests: the type of the request, whose fields are also options of the command
//! line, the type of the reply, and the function that makes one of the other. [`serve`] does the same for
//! lines of JSON. Everything that a front end prints is drawn from these types.

pub mod check;
pub mod clock;
pub mod contest;
pub mod data;
pub mod example;
pub mod explain;
pub mod form;
pub mod game;
pub mod host;
pub mod listing;
pub mod moves;
pub mod profile;
pub mod proof;
pub mod query;
pub mod schema;
pub mod search;
pub mod serve;
pub mod term;
pub mod test;
pub mod trace;
pub mod tree;
pub mod value;
pub mod why;
pub mod words;

use alphorn_session::session::Done;
use host::{Host, Listen};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What can be asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "request", rename_all = "kebab-case")]
pub enum Request {
    /// Load rules.
    Load(game::Load),
    /// The position of the game under way.
    Show(game::Show),
    /// Make a move.
    Move(game::Move),
    /// Take moves back.
    Undo(game::Undo),
    /// Start a game.
    New(game::New),
    /// Let the program move.
    Go(Box<game::Go>),
    /// The legal moves.
    Moves(moves::Request),
    /// The number of lines of play for each depth.
    Perft(moves::PerftRequest),
    /// The value of a position.
    Value(Box<value::Request>),
    /// Two settings against each other.
    Match(Box<contest::Request>),
    /// The answers to a goal.
    Query(query::Request),
    /// Predicates as they are written.
    Listing(listing::Request),
    /// The tree of a search.
    Tree(tree::Request),
    /// Where the time goes.
    Profile(Box<profile::Request>),
    /// A goal or a search, step by step.
    Trace(trace::Request),
    /// Everything that is wrong with rules.
    Check(check::Request),
    /// Whether the expectations of games hold.
    Test(test::Request),
    /// The games that come with alphorn.
    Example(example::Request),
    /// What a move is worth and why, or what a code means.
    Explain(Box<explain::Request>),
    /// Why a goal is true.
    Why(why::Request),
    /// Why a goal is not true.
    #[serde(rename = "whynot")]
    WhyNot(why::NotRequest),
    /// Stop a request that runs, or take back one that waits.
    Cancel(serve::Cancel),
}

/// What is answered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum Reply {
    /// To `load`.
    Load(game::Loaded),
    /// To `show`, `move`, `undo` and `new`.
    Show(game::Shown),
    /// To `go`.
    Go(Box<game::Gone>),
    /// To `moves`.
    Moves(moves::Reply),
    /// To `perft`.
    Perft(moves::PerftReply),
    /// To `value`.
    Value(Box<value::Reply>),
    /// To `match`.
    Match(Box<contest::Reply>),
    /// To `query`.
    Query(query::Reply),
    /// To `listing`.
    Listing(listing::Reply),
    /// To `tree`.
    Tree(Box<tree::Reply>),
    /// To `profile`.
    Profile(Box<profile::Reply>),
    /// To `trace` of a goal.
    Trace(trace::Goal),
    /// To `trace` of a search.
    TraceSearch(trace::Search),
    /// To `check`.
    Check(check::Reply),
    /// To `test`.
    Test(test::Reply),
    /// To `example` without a name.
    Examples(example::Games),
    /// To `example`.
    Example(example::Game),
    /// To `explain` of a move.
    Explain(Box<explain::Move>),
    /// To `explain` of a code.
    Code(explain::Code),
    /// To `explain` of nothing.
    Codes(explain::Codes),
    /// To `why`.
    Why(Box<why::Reply>),
    /// To `whynot`.
    #[serde(rename = "whynot")]
    WhyNot(Box<why::NotReply>),
    /// To `cancel`.
    Cancel(serve::Cancelled),
}

/// Carries out a request.
///
/// # Errors
///
/// The request cannot be carried out: what is wrong, and what to do.
pub fn answer(request: &Request, host: &mut Host<'_>, listen: Listen<'_>) -> Done<Reply> {
    Ok(match request {
        Request::Load(request) => Reply::Load(game::load(request, host)?),
        Request::Show(show) => Reply::Show(game::shown(host.at_mut()?, *show, None)?),
        Request::Move(request) => Reply::Show(game::make(request, host)?),
        Request::Undo(request) => Reply::Show(game::undo(request, host)?),
        Request::New(request) => Reply::Show(game::new(request, host)?),
        Request::Go(request) => Reply::Go(Box::new(game::go(request, host, listen)?)),
        Request::Moves(request) => Reply::Moves(moves::answer(request, host, listen)?),
        Request::Perft(request) => Reply::Perft(moves::perft(request, host, listen)?),
        Request::Value(request) => Reply::Value(Box::new(value::answer(request, host, listen)?)),
        Request::Match(request) => Reply::Match(Box::new(contest::answer(request, host, listen)?)),
        Request::Query(request) => Reply::Query(query::answer(request, host, listen)?),
        Request::Listing(request) => Reply::Listing(listing::answer(request, host, listen)?),
        Request::Tree(request) => Reply::Tree(Box::new(tree::answer(request, host, listen)?)),
        Request::Profile(request) => Reply::Profile(Box::new(profile::answer(request, host, listen)?)),
        Request::Trace(request) => match trace::answer(request, host, listen)? {
            trace::Reply::Goal(found) => Reply::Trace(found),
            trace::Reply::Search(found) => Reply::TraceSearch(found),
        },
        Request::Check(request) => Reply::Check(check::answer(request, host, listen)?),
        Request::Test(request) => Reply::Test(test::answer(request, host, listen)?),
        Request::Example(request) => match example::answer(request)? {
            example::Reply::Games(games) => Reply::Examples(games),
            example::Reply::Game(game) => Reply::Example(game),
        },
        Request::Explain(request) => match explain::answer(request, host, listen)? {
            explain::Reply::Move(found) => Reply::Explain(found),
            explain::Reply::Code(code) => Reply::Code(code),
            explain::Reply::Codes(codes) => Reply::Codes(codes),
        },
        Request::Why(request) => Reply::Why(Box::new(why::answer(request, host, listen)?)),
        Request::WhyNot(request) => Reply::WhyNot(Box::new(why::not(request, host, listen)?)),
        // One request after the other: there is none that runs.
        Request::Cancel(_) => Reply::Cancel(serve::Cancelled { cancelled: false }),
    })
}
