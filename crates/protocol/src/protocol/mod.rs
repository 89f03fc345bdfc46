//! Requests, replies and the events between them.
//!
//! Each file defines one family of requests: the request type, whose fields are also options of the
//! command line, the reply type, and the function that computes the reply. [`serve`] does the same for
//! lines of JSON. Front ends print only data of these types.

pub mod advice;
pub mod analysis;
pub mod backups;
pub mod bench;
pub mod check;
pub mod clock;
pub mod contest;
pub mod data;
pub mod example;
pub mod explain;
pub mod form;
pub mod game;
pub mod host;
pub mod lab;
pub mod listing;
pub mod many;
pub mod moves;
pub mod profile;
pub mod proof;
pub mod query;
pub mod schema;
pub mod search;
pub mod serve;
pub mod solve;
mod sums;
pub mod survey;
pub mod term;
pub mod test;
pub mod trace;
pub mod tree;
pub mod value;
pub mod why;
pub mod words;
pub mod worth;

use alphorn_session::session::SessionResult;
use host::{Host, Listen};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request: one of the commands, with its options as fields.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "request", rename_all = "kebab-case")]
pub enum Request {
    /// Load rules, in place of the rules that are loaded.
    Load(game::Load),
    /// Show the current position.
    Show(game::Show),
    /// Make a move in the current game.
    Move(game::Move),
    /// Take back moves of the current game.
    Undo(game::Undo),
    /// Start a new game with the loaded rules.
    New(game::New),
    /// Let Alphorn choose and make a move.
    Go(Box<game::Go>),
    /// List the legal moves of a position.
    Moves(moves::Request),
    /// Count the lines of each length (perft).
    Perft(moves::PerftRequest),
    /// Compute the value of a position, the best move and the principal variation.
    Value(Box<value::Request>),
    /// Prove the value of one position or of all positions.
    Solve(Box<solve::Request>),
    /// Check a proof that `solve` wrote.
    Verify(solve::VerifyRequest),
    /// Play a match between two players with different settings.
    Match(Box<contest::Request>),
    /// Play random games and compute statistics.
    Stats(survey::Request),
    /// Compare the best moves under different backups for chance moves.
    CompareBackups(backups::Request),
    /// Measure the cost of searching a game, and the least possible cost.
    Analyze(analysis::Request),
    /// Show the advice for a position.
    Advise(advice::Request),
    /// Check whether an advice table always reaches its aim.
    Prove(advice::ProveRequest),
    /// Measure how much advice reduces a search.
    AdviceWorth(worth::Request),
    /// Measure the speed of searches.
    Bench(bench::Request),
    /// Answer a goal.
    Query(query::Request),
    /// List predicates as they are written.
    Listing(listing::Request),
    /// Record the tree of a search.
    Tree(tree::Request),
    /// Count the calls, steps and time of every predicate.
    Profile(Box<profile::Request>),
    /// Trace a goal through its ports, or a search through its positions.
    Trace(trace::Request),
    /// Report all problems of rules.
    Check(check::Request),
    /// Test the expectations in game files.
    Test(test::Request),
    /// List the games that come with Alphorn, or give the rules of one game.
    Example(example::Request),
    /// Explain the value of a move, or a code of a diagnostic.
    Explain(Box<explain::Request>),
    /// Explain why a goal is true.
    Why(why::Request),
    /// Explain why a goal fails.
    #[serde(rename = "whynot")]
    WhyNot(why::NotRequest),
    /// Search the tree of the digits of pi.
    LabPi,
    /// Search the tree of eight leaves in Bratko's textbook.
    LabBratko,
    /// Count the critical positions of a uniform tree.
    LabCritical(lab::CriticalRequest),
    /// Search a random binary tree.
    LabTree(lab::TreeRequest),
    /// Count the leaves that searches read in random trees.
    LabRandom(many::RandomRequest),
    /// Count the leaves that searches read in totally dependent trees.
    LabDependent(many::DependentRequest),
    /// Count the leaves that searches read in perfectly ordered trees.
    LabPerfect(many::PerfectRequest),
    /// Compare rules for cutoffs and for equal moves.
    LabTies(many::TiesRequest),
    /// Stop the running request, or remove a waiting request.
    Cancel(serve::Cancel),
}

/// A reply: the result of a request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum Reply {
    /// The reply to `load`.
    Load(game::Loaded),
    /// The reply to `show`, `move`, `undo` and `new`.
    Show(game::Shown),
    /// The reply to `go`.
    Go(Box<game::Gone>),
    /// The reply to `moves`.
    Moves(moves::Reply),
    /// The reply to `perft`.
    Perft(moves::PerftReply),
    /// The reply to `value`.
    Value(Box<value::Reply>),
    /// The reply to `solve`.
    Solve(Box<solve::Reply>),
    /// The reply to `verify`.
    Verify(solve::VerifyReply),
    /// The reply to `match`.
    Match(Box<contest::Reply>),
    /// The reply to `stats`.
    Stats(Box<survey::Reply>),
    /// The reply to `compare-backups`.
    CompareBackups(backups::Reply),
    /// The reply to `analyze`.
    Analyze(analysis::Reply),
    /// The reply to `advise`.
    Advise(Box<advice::Reply>),
    /// The reply to `prove`.
    Prove(Box<advice::ProveReply>),
    /// The reply to `advice-worth`.
    AdviceWorth(Box<worth::Reply>),
    /// The reply to `bench`.
    Bench(bench::Reply),
    /// The reply to `query`.
    Query(query::Reply),
    /// The reply to `listing`.
    Listing(listing::Reply),
    /// The reply to `tree`.
    Tree(Box<tree::Reply>),
    /// The reply to `profile`.
    Profile(Box<profile::Reply>),
    /// The reply to `trace` with a goal.
    Trace(Box<trace::Goal>),
    /// The reply to `trace` with a search.
    TraceSearch(trace::Search),
    /// The reply to `check`.
    Check(check::Reply),
    /// The reply to `test`.
    Test(test::Reply),
    /// The reply to `example` without a name.
    Examples(example::Games),
    /// The reply to `example` with a name.
    Example(example::Game),
    /// The reply to `explain` with a move.
    Explain(Box<explain::Move>),
    /// The reply to `explain` with a code.
    Code(explain::Code),
    /// The reply to `explain` without a move and without a code.
    Codes(explain::Codes),
    /// The reply to `why`.
    Why(Box<why::Reply>),
    /// The reply to `whynot`.
    #[serde(rename = "whynot")]
    WhyNot(Box<why::NotReply>),
    /// The reply to `lab-pi`.
    LabPi(lab::PiReply),
    /// The reply to `lab-bratko`.
    LabBratko(lab::BratkoReply),
    /// The reply to `lab-critical`.
    LabCritical(lab::CriticalReply),
    /// The reply to `lab-tree`.
    LabTree(lab::TreeReply),
    /// The reply to `lab-random`.
    LabRandom(many::RandomReply),
    /// The reply to `lab-dependent`.
    LabDependent(many::DependentReply),
    /// The reply to `lab-perfect`.
    LabPerfect(many::PerfectReply),
    /// The reply to `lab-ties`.
    LabTies(many::TiesReply),
    /// The reply to `cancel`.
    Cancel(serve::Cancelled),
}

/// Carries out a request.
///
/// # Errors
///
/// The request cannot be carried out. The failure says what is wrong and what to do.
pub fn answer(request: &Request, host: &mut Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    Ok(match request {
        Request::Load(request) => Reply::Load(game::load(request, host)?),
        Request::Show(show) => Reply::Show(game::shown(host.workspace_mut()?, *show, None)?),
        Request::Move(request) => Reply::Show(game::make(request, host)?),
        Request::Undo(request) => Reply::Show(game::undo(request, host)?),
        Request::New(request) => Reply::Show(game::new(request, host, listen)?),
        Request::Go(request) => Reply::Go(Box::new(game::go(request, host, listen)?)),
        Request::Moves(request) => Reply::Moves(moves::answer(request, host, listen)?),
        Request::Perft(request) => Reply::Perft(moves::perft(request, host, listen)?),
        Request::Value(request) => Reply::Value(Box::new(value::answer(request, host, listen)?)),
        Request::Solve(request) => Reply::Solve(Box::new(solve::answer(request, host, listen)?)),
        Request::Verify(request) => Reply::Verify(solve::verify(request, host, listen)?),
        Request::Match(request) => Reply::Match(Box::new(contest::answer(request, host, listen)?)),
        Request::Stats(request) => Reply::Stats(Box::new(survey::answer(request, host, listen)?)),
        Request::CompareBackups(request) => Reply::CompareBackups(backups::answer(request, host, listen)?),
        Request::Analyze(request) => Reply::Analyze(analysis::answer(request, host, listen)?),
        Request::Advise(request) => Reply::Advise(Box::new(advice::answer(request, host, listen)?)),
        Request::Prove(request) => Reply::Prove(Box::new(advice::prove(request, host, listen)?)),
        Request::AdviceWorth(request) => Reply::AdviceWorth(Box::new(worth::answer(request, host, listen)?)),
        Request::Bench(request) => Reply::Bench(bench::answer(request, host, listen)?),
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
        Request::LabPi => Reply::LabPi(lab::pi()),
        Request::LabBratko => Reply::LabBratko(lab::bratko()),
        Request::LabCritical(request) => Reply::LabCritical(lab::critical(request, host)?),
        Request::LabTree(request) => Reply::LabTree(lab::tree(request)?),
        Request::LabRandom(request) => Reply::LabRandom(many::random(request, host)?),
        Request::LabDependent(request) => Reply::LabDependent(many::dependent(request, host)?),
        Request::LabPerfect(request) => Reply::LabPerfect(many::perfect(request, host)?),
        Request::LabTies(request) => Reply::LabTies(many::ties(request, host)?),
        // Requests run one after the other here, so there is none to cancel.
        Request::Cancel(_) => Reply::Cancel(serve::Cancelled { cancelled: false }),
    })
}
