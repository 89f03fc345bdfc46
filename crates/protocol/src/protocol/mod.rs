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
    /// The proved value of a position, or of every position.
    Solve(Box<solve::Request>),
    /// Whether a proof stands.
    Verify(solve::VerifyRequest),
    /// Two settings against each other.
    Match(Box<contest::Request>),
    /// What random games show.
    Stats(survey::Request),
    /// The best move under each attitude to risk.
    CompareBackups(backups::Request),
    /// What searching a game costs.
    Analyze(analysis::Request),
    /// What an advice table says of a position.
    Advise(advice::Request),
    /// Whether following an advice table always reaches its aim.
    Prove(advice::ProveRequest),
    /// What advice saves a search.
    AdviceWorth(worth::Request),
    /// How fast searches are.
    Bench(bench::Request),
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
    /// The tree of the digits of pi.
    LabPi,
    /// The textbook's tree of eight leaves.
    LabBratko,
    /// Critical positions of a uniform tree.
    LabCritical(lab::CriticalRequest),
    /// A random binary tree.
    LabTree(lab::TreeRequest),
    /// Leaves read in random trees.
    LabRandom(many::RandomRequest),
    /// Leaves read in totally dependent trees.
    LabDependent(many::DependentRequest),
    /// Leaves read in perfectly ordered trees.
    LabPerfect(many::PerfectRequest),
    /// Which rules for cuts and for equal moves go together.
    LabTies(many::TiesRequest),
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
    /// To `solve`.
    Solve(Box<solve::Reply>),
    /// To `verify`.
    Verify(solve::VerifyReply),
    /// To `match`.
    Match(Box<contest::Reply>),
    /// To `stats`.
    Stats(Box<survey::Reply>),
    /// To `compare-backups`.
    CompareBackups(backups::Reply),
    /// To `analyze`.
    Analyze(analysis::Reply),
    /// To `advise`.
    Advise(Box<advice::Reply>),
    /// To `prove`.
    Prove(Box<advice::ProveReply>),
    /// To `advice-worth`.
    AdviceWorth(Box<worth::Reply>),
    /// To `bench`.
    Bench(bench::Reply),
    /// To `query`.
    Query(query::Reply),
    /// To `listing`.
    Listing(listing::Reply),
    /// To `tree`.
    Tree(Box<tree::Reply>),
    /// To `profile`.
    Profile(Box<profile::Reply>),
    /// To `trace` of a goal.
    Trace(Box<trace::Goal>),
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
    /// To `lab-pi`.
    LabPi(lab::PiReply),
    /// To `lab-bratko`.
    LabBratko(lab::BratkoReply),
    /// To `lab-critical`.
    LabCritical(lab::CriticalReply),
    /// To `lab-tree`.
    LabTree(lab::TreeReply),
    /// To `lab-random`.
    LabRandom(many::RandomReply),
    /// To `lab-dependent`.
    LabDependent(many::DependentReply),
    /// To `lab-perfect`.
    LabPerfect(many::PerfectReply),
    /// To `lab-ties`.
    LabTies(many::TiesReply),
    /// To `cancel`.
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
