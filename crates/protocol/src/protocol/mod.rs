//! Requests, replies and the events between them.
//!
//! Each file defines one family of requests: the request type, whose fields are also options of the
//! command line, the reply type, and the function that computes the reply. [`partial`] has the results
//! that events report before the reply. [`serve`] answers lines of JSON. Front ends print only data of
//! these types.

pub mod advice;
pub mod analysis;
pub mod backups;
pub mod bench;
pub mod board;
pub mod check;
pub mod clock;
pub mod conditions;
pub mod connection;
pub mod contest;
mod contest_games;
mod contest_play;
pub mod data;
pub mod editor;
pub mod engine;
pub mod example;
pub mod explain;
mod fields;
mod forfeit_notes;
pub mod form;
pub mod format;
pub mod game;
pub mod host;
pub mod kept_tree;
pub mod lab;
pub mod line;
pub mod listing;
pub mod many;
pub mod match_options;
pub mod match_record;
pub mod match_reply;
pub mod moves;
pub mod named_side;
pub mod partial;
pub mod policy;
pub mod profile;
pub mod program_clocks;
pub mod proof;
pub mod query;
mod record;
pub mod record_header;
pub mod recorded_game;
mod schema;
pub mod search;
pub mod serve;
pub mod side;
pub mod solve;
mod sums;
pub mod survey;
pub mod template;
pub mod term;
pub mod test;
pub mod tournament;
pub mod tournament_record;
pub mod tournament_reply;
pub mod trace;
pub mod tree;
pub mod tree_nodes;
pub mod tune;
pub mod value;
pub mod why;
pub mod words;
pub mod worth;

use alphorn_session::session::SessionResult;
use data::Refusal;
use host::{Event, Host, Listen};
use schema::{either, object};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request to stop another request.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Cancel {
    /// The id of the request to stop; null or missing: the first request without an answer.
    pub cancel: Option<Value>,
}

/// The reply to `cancel`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cancelled {
    /// Whether there was such a request. A running request replies with its results so far; a waiting request
    /// is not carried out.
    pub cancelled: bool,
}

/// Defines [`Request`], [`Reply`], [`answer`] and the schemas of printed replies. A row: a request, how it is
/// carried out, its own replies, and the schema of what a command prints for it.
macro_rules! requests {
    ($host:ident, $listen:ident; $(
        $(#[$about:meta])*
        $name:ident $(($request:ident: $of:ty))? = $run:expr
            $(, $(#[$reply_about:meta])* $reply:ident($reply_of:ty))* $(=> $schema:expr)?;
    )*) => {
        /// A request: one of the commands, with its options as fields.
        #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "request", rename_all = "kebab-case")]
        pub enum Request {
            $($(#[$about])* $name $(($of))?,)*
        }

        /// A reply: the result of a request.
        #[derive(Clone, Debug, Serialize, JsonSchema)]
        #[serde(tag = "reply", rename_all = "kebab-case")]
        pub enum Reply {
            $($($(#[$reply_about])* $reply($reply_of),)*)*
        }

        /// Carries out a request.
        ///
        /// # Errors
        ///
        /// The request cannot be carried out. The failure says what is wrong and what to do.
        pub fn answer(request: &Request, $host: &mut Host<'_>, $listen: Listen<'_>) -> SessionResult<Reply> {
            Ok(match request {
                $(Request::$name $(($request))? => $run,)*
            })
        }

        /// The name and the schema of all JSON that Alphorn prints. Each belongs to a file of `docs/schema/`.
        pub fn schemas() -> Vec<(String, Value)> {
            let mut all: Vec<(String, Value)> = [
                ("error", object::<Refusal>("a command that failed, with --json")),
                ("fmt", object::<format::FormattedFiles>("alphorn fmt --json")),
                ("new", either::<template::Reply>("alphorn new --json")),
                ("match-game", object::<partial::Game>("alphorn match, tournament --json-lines: a game")),
                ("match-record", either::<match_record::RecordLine>("alphorn match --games FILE: a line of the record")),
                (
                    "tournament-record",
                    either::<tournament_record::TournamentLine>("alphorn tournament --games FILE: a line of the record"),
                ),
                ("protocol-error", schema::error()),
                ("protocol-event", schema::line::<Event>("alphorn repl --json: an event before a reply")),
                ("protocol-reply", schema::line::<Reply>("alphorn repl --json: a reply")),
                ("protocol-request", schema::request::<Request>()),
                ("trace-step", either::<trace::Step>("alphorn trace --json-lines: a line, except the last")),
                ("tune-data", object::<tune::data::DataRow>("alphorn dataset: a line of the file")),
                ("tune-record", either::<tune::record::TuneLine>("alphorn tune --record FILE: a line of the record")),
                ("value-depth", object::<partial::Iteration>("alphorn value --json-lines: a finished depth")),
            ]
            .into_iter()
            .map(|(name, schema)| (name.to_string(), schema))
            .collect();
            $($(all.push(schema::printed(stringify!($name), $schema));)?)*
            all
        }
    };
}

requests! {
    host, listen;

    /// Load rules, in place of the rules that are loaded.
    Load(request: game::Load) = Reply::Load(game::load(request, host)?),
        /// The reply to `load`.
        Load(game::Loaded);
    /// Show the current position.
    Show(show: game::Show) = Reply::Show(game::shown(host.workspace_mut()?, *show, None)?),
        /// The reply to `show`, `move`, `undo` and `new`.
        Show(game::Shown);
    /// Make a move in the current game.
    Move(request: game::Move) = Reply::Show(game::make(request, host)?);
    /// Take back moves of the current game.
    Undo(request: game::Undo) = Reply::Show(game::undo(request, host)?);
    /// Start a new game with the loaded rules.
    New(request: game::New) = Reply::Show(game::new(request, host, listen)?);
    /// Let Alphorn choose and make a move.
    Go(request: Box<game::Go>) = Reply::Go(Box::new(game::go(request, host, listen)?)),
        /// The reply to `go`.
        Go(Box<game::Gone>);
    /// List the legal moves of a position.
    Moves(request: moves::Request) = Reply::Moves(moves::answer(request, host, listen)?),
        /// The reply to `moves`.
        Moves(moves::Reply) => object::<moves::Reply>;
    /// Count the lines of each length (perft).
    Perft(request: moves::PerftRequest) = Reply::Perft(moves::perft(request, host, listen)?),
        /// The reply to `perft`.
        Perft(moves::PerftReply) => object::<moves::PerftReply>;
    /// Compute the value of a position, the best move and the principal variation.
    Value(request: Box<value::Request>) = Reply::Value(Box::new(value::answer(request, host, listen)?)),
        /// The reply to `value`.
        Value(Box<value::Reply>) => object::<value::Reply>;
    /// Prove the value of one position or of all positions.
    Solve(request: Box<solve::Request>) = Reply::Solve(Box::new(solve::answer(request, host, listen)?)),
        /// The reply to `solve`.
        Solve(Box<solve::Reply>) => object::<solve::Reply>;
    /// Check a proof that `solve` wrote.
    Verify(request: solve::VerifyRequest) = Reply::Verify(solve::verify(request, host, listen)?),
        /// The reply to `verify`.
        Verify(solve::VerifyReply) => object::<solve::VerifyReply>;
    /// Play a match between two players with different settings.
    Match(request: Box<contest::Request>) = Reply::Match(Box::new(contest::answer(request, host, listen)?)),
        /// The reply to `match`.
        Match(Box<match_reply::Reply>) => object::<match_reply::Reply>;
    /// Compute the statistics of a match from its record.
    MatchReport(request: contest::ReportRequest) = Reply::Match(Box::new(contest::report(request)?));
    /// Play a tournament between several sides, and rate them.
    Tournament(request: Box<tournament::Request>) =
        Reply::Tournament(Box::new(tournament::answer(request, host, listen)?)),
        /// The reply to `tournament`.
        Tournament(Box<tournament_reply::Reply>) => object::<tournament_reply::Reply>;
    /// Rate the sides of a tournament from its record.
    TournamentReport(request: tournament::ReportRequest) = Reply::Tournament(Box::new(tournament::report(request)?));
    /// Tune the parameters of an evaluation.
    Tune(request: Box<tune::request::Request>) = Reply::Tune(Box::new(tune::answer(request, host, listen)?)),
        /// The reply to `tune`.
        Tune(Box<tune::reply::Reply>) => object::<tune::reply::Reply>;
    /// Write positions with the results of their games to a file.
    Dataset(request: Box<tune::request::DatasetRequest>) = Reply::Dataset(tune::dataset::answer(request, host, listen)?),
        /// The reply to `dataset`.
        Dataset(tune::reply::DatasetReply) => object::<tune::reply::DatasetReply>;
    /// Play random games and compute statistics.
    Stats(request: survey::Request) = Reply::Stats(Box::new(survey::answer(request, host, listen)?)),
        /// The reply to `stats`.
        Stats(Box<survey::Reply>) => object::<survey::Reply>;
    /// Compare the best moves under different backups for chance moves.
    CompareBackups(request: backups::Request) = Reply::CompareBackups(backups::answer(request, host, listen)?),
        /// The reply to `compare-backups`.
        CompareBackups(backups::Reply) => object::<backups::Reply>;
    /// Measure the cost of searching a game, and the least possible cost.
    Analyze(request: analysis::Request) = Reply::Analyze(analysis::answer(request, host, listen)?),
        /// The reply to `analyze`.
        Analyze(analysis::Reply) => object::<analysis::Reply>;
    /// Show the advice for a position.
    Advise(request: advice::Request) = Reply::Advise(Box::new(advice::answer(request, host, listen)?)),
        /// The reply to `advise`.
        Advise(Box<advice::Reply>) => object::<advice::Reply>;
    /// Check whether an advice table always reaches its aim.
    Prove(request: advice::ProveRequest) = Reply::Prove(Box::new(advice::prove(request, host, listen)?)),
        /// The reply to `prove`.
        Prove(Box<advice::ProveReply>) => object::<advice::ProveReply>;
    /// Measure how much advice reduces a search.
    AdviceWorth(request: worth::Request) = Reply::AdviceWorth(Box::new(worth::answer(request, host, listen)?)),
        /// The reply to `advice-worth`.
        AdviceWorth(Box<worth::Reply>) => object::<worth::Reply>;
    /// Measure the speed of searches.
    Bench(request: bench::Request) = Reply::Bench(bench::answer(request, host, listen)?),
        /// The reply to `bench`.
        Bench(bench::Reply) => object::<bench::Reply>;
    /// Answer a goal.
    Query(request: query::Request) = Reply::Query(query::answer(request, host, listen)?),
        /// The reply to `query`.
        Query(query::Reply) => object::<query::Reply>;
    /// List predicates as they are written.
    Listing(request: listing::Request) = Reply::Listing(listing::answer(request, host, listen)?),
        /// The reply to `listing`.
        Listing(listing::Reply) => object::<listing::Reply>;
    /// Record the tree of a search.
    Tree(request: tree::Request) = Reply::Tree(Box::new(tree::answer(request, host, listen)?)),
        /// The reply to `tree`.
        Tree(Box<tree::Reply>) => object::<tree::Reply>;
    /// Give positions of the tree that the last `tree` request with `lazy` has made.
    TreeNodes(request: tree_nodes::Request) = Reply::TreeNodes(tree_nodes::answer(request, host)?),
        /// The reply to `tree-nodes`.
        TreeNodes(tree_nodes::Reply);
    /// Count the calls, steps and time of every predicate.
    Profile(request: Box<profile::Request>) = Reply::Profile(Box::new(profile::answer(request, host, listen)?)),
        /// The reply to `profile`.
        Profile(Box<profile::Reply>) => object::<profile::Reply>;
    /// Trace a goal through its ports, or a search through its positions.
    Trace(request: trace::Request) = match trace::answer(request, host, listen)? {
        trace::Reply::Goal(found) => Reply::Trace(found),
        trace::Reply::Search(found) => Reply::TraceSearch(found),
    },
        /// The reply to `trace` with a goal.
        Trace(Box<trace::Goal>),
        /// The reply to `trace` with a search.
        TraceSearch(trace::Search) => either::<trace::Reply>;
    /// Report all problems of rules.
    Check(request: check::Request) = Reply::Check(check::answer(request, host, listen)?),
        /// The reply to `check`.
        Check(check::Reply) => object::<check::Reply>;
    /// Test the expectations in game files.
    Test(request: test::Request) = Reply::Test(test::answer(request, host, listen)?),
        /// The reply to `test`.
        Test(test::Reply) => object::<test::Reply>;
    /// List the games that come with Alphorn, or give the rules of one game.
    Example(request: example::Request) = match example::answer(request)? {
        example::Reply::Games(games) => Reply::Examples(games),
        example::Reply::Game(game) => Reply::Example(game),
    },
        /// The reply to `example` without a name.
        Examples(example::Games),
        /// The reply to `example` with a name.
        Example(example::Game) => either::<example::Reply>;
    /// Format a text of rules.
    Format(request: format::Request) = Reply::Format(format::answer(request)),
        /// The reply to `format`.
        Format(format::Reply);
    /// List what may be written at a place of a text.
    Complete(request: editor::CompleteRequest) = Reply::Complete(editor::completions(request, host)?),
        /// The reply to `complete`.
        Complete(editor::Completions);
    /// Describe the name at a place of a text.
    Hover(request: editor::HoverRequest) = Reply::Hover(editor::meaning(request, host)?),
        /// The reply to `hover`.
        Hover(editor::Meaning);
    /// List the templates of new games, or give the rules of a new game.
    Template(request: template::Request) = match template::answer(request)? {
        template::Reply::List(all) => Reply::Templates(all),
        template::Reply::Game(game) => Reply::Template(game),
    },
        /// The reply to `template` without a name.
        Templates(template::Templates),
        /// The reply to `template` with a name.
        Template(template::NewGame);
    /// Explain the value of a move, or a code of a diagnostic.
    Explain(request: Box<explain::Request>) = match explain::answer(request, host, listen)? {
        explain::Reply::Move(found) => Reply::Explain(found),
        explain::Reply::Code(code) => Reply::Code(code),
        explain::Reply::Codes(codes) => Reply::Codes(codes),
    },
        /// The reply to `explain` with a move.
        Explain(Box<explain::Move>),
        /// The reply to `explain` with a code.
        Code(explain::Code),
        /// The reply to `explain` without a move and without a code.
        Codes(explain::Codes) => either::<explain::Reply>;
    /// Explain why a goal is true.
    Why(request: why::Request) = Reply::Why(Box::new(why::answer(request, host, listen)?)),
        /// The reply to `why`.
        Why(Box<why::Reply>) => object::<why::Reply>;
    /// Explain why a goal fails.
    Whynot(request: why::NotRequest) = Reply::Whynot(Box::new(why::not(request, host, listen)?)),
        /// The reply to `whynot`.
            Whynot(Box<why::NotReply>) => object::<why::NotReply>;
    /// Search the tree of the digits of pi.
    LabPi = Reply::LabPi(lab::pi()),
        /// The reply to `lab-pi`.
        LabPi(lab::PiReply) => object::<lab::PiReply>;
    /// Search the tree of eight leaves in Bratko's textbook.
    LabBratko = Reply::LabBratko(lab::bratko()),
        /// The reply to `lab-bratko`.
        LabBratko(lab::BratkoReply) => object::<lab::BratkoReply>;
    /// Count the critical positions of a uniform tree.
    LabCritical(request: lab::CriticalRequest) = Reply::LabCritical(lab::critical(request, host)?),
        /// The reply to `lab-critical`.
        LabCritical(lab::CriticalReply) => object::<lab::CriticalReply>;
    /// Search a random binary tree.
    LabTree(request: lab::TreeRequest) = Reply::LabTree(lab::tree(request)?),
        /// The reply to `lab-tree`.
        LabTree(lab::TreeReply) => object::<lab::TreeReply>;
    /// Count the leaves that searches read in random trees.
    LabRandom(request: many::RandomRequest) = Reply::LabRandom(many::random(request, host)?),
        /// The reply to `lab-random`.
        LabRandom(many::RandomReply) => object::<many::RandomReply>;
    /// Count the leaves that searches read in totally dependent trees.
    LabDependent(request: many::DependentRequest) = Reply::LabDependent(many::dependent(request, host)?),
        /// The reply to `lab-dependent`.
        LabDependent(many::DependentReply) => object::<many::DependentReply>;
    /// Count the leaves that searches read in perfectly ordered trees.
    LabPerfect(request: many::PerfectRequest) = Reply::LabPerfect(many::perfect(request, host)?),
        /// The reply to `lab-perfect`.
        LabPerfect(many::PerfectReply) => object::<many::PerfectReply>;
    /// Compare rules for cutoffs and for equal moves.
    LabTies(request: many::TiesRequest) = Reply::LabTies(many::ties(request, host)?),
        /// The reply to `lab-ties`.
        LabTies(many::TiesReply) => object::<many::TiesReply>;
    /// Stop the running request, or remove a waiting request.
    // Requests run one after the other here, so there is none to cancel.
    Cancel(_request: Cancel) = Reply::Cancel(Cancelled { cancelled: false }),
        /// The reply to `cancel`.
        Cancel(Cancelled);
}
