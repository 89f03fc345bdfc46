//! The commands that the command line and the prompt have: arguments, help, and the function that runs each.
//!
//! A command is one row of `commands!`. This file must not depend on the prompt, which uses the table.

use crate::cli::advice::AdviseArgs;
use crate::cli::bench::BenchArgs;
use crate::cli::chance::StatsArgs;
use crate::cli::check::{CheckArgs, TestArgs};
use crate::cli::contest::MatchArgs;
use crate::cli::explain::ExplainArgs;
use crate::cli::files::{FileArgs, GoalArgs, before, one};
use crate::cli::lab::args::LabArgs;
use crate::cli::output::{Color, Out};
use crate::cli::profile::{ProfileArgs, TraceArgs};
use crate::cli::tournament::TournamentArgs;
use crate::cli::tree::args::TreeArgs;
use crate::cli::tune::TuneArgs;
use crate::cli::value::ValueArgs;
use crate::cli::{
    CommandResult, advice, analyze, bench, chance, check, contest, explain, lab, play, profile, query, reason, solve,
    texts, tournament, tree, tune, value, with_time_limit,
};
use alphorn_protocol::protocol;
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::words::Seconds;
use alphorn_session::session::workspace::Workspace;
use clap::{Args, Subcommand};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Defines [`Command`], [`AT_PROMPT`] and [`dispatch`]. A row: the help, the command, its arguments; for the
/// prompt the subject, the group in the help, the name, the usage, the help in one short line, what
/// completion offers, and whether the prompt may repeat the command; then how the command runs.
macro_rules! commands {
    ($to:ident; $(
        $(#[doc = $about:literal])*
        $name:ident($args:ident: $of:ty),
            $subject:ident: $group:ident $typed:literal $usage:literal $short:literal $wants:ident $repeat:ident
            = $run:expr;
    )*) => {
        /// The commands.
        #[derive(Subcommand, Debug)]
        pub enum Command {
            $($(#[doc = $about])* $name($of),)*
        }

        /// The commands, as the prompt knows them.
        pub(super) const AT_PROMPT: &[PromptRow] = &[
            $(PromptRow {
                name: $typed,
                usage: $usage,
                about: $short,
                group: PromptGroup::$group,
                subject: CommandSubject::$subject,
                wants: CommandArgument::$wants,
                repeat: Repeat::$repeat,
            },)*
        ];

        /// Runs a command.
        pub(super) fn dispatch(command: &Command, $to: Dispatch<'_>) -> CommandResult {
            match command {
                $(Command::$name($args) => $run,)*
            }
        }
    };
}

commands! {
    to;

    /// Compute the minimax value of a position, the best move and the principal variation
    Value(args: ValueArgs),
        Search: Values "value" "[DEPTH]" "compute the value, the best move and the line" Options Run
        = to.run(one(&args.file), |host, out| value::value(args, host, out));
    /// Prove the value of a position, or of all positions of a game
    Solve(args: FileArgs<protocol::solve::Request>),
        Game: Values "solve" "" "prove the value" Options Run
        = to.in_time(one(&args.file), args.request.time, |host, out| solve::solve(&args.request, host, out));
    /// Check a proof that solve --proof wrote, without a search
    Verify(args: FileArgs<protocol::solve::VerifyRequest>),
        Game: Values "verify" "PROOF" "check a proof of :solve --proof" Files RunOnce
        = to.run(one(&args.file), |host, out| solve::verify(&args.request, host, out));
    /// Count the lines of each length
    Perft(args: FileArgs<protocol::moves::PerftRequest>),
        Game: Values "perft" "DEPTH" "count the lines of each length" Options Run
        = to.run(one(&args.file), |host, out| play::perft(&args.request, host, out));
    /// List the legal moves and the successors, in the order of the rules
    Moves(args: FileArgs<protocol::moves::Request>),
        Game: Game "moves" "" "list the legal moves and the successors" Options Run
        = to.run(one(&args.file), |host, out| play::moves(&args.request, host, out));
    /// Draw the tree of a search: windows, values, cutoffs and their reasons
    Tree(args: Box<TreeArgs>),
        Search: Reasons "tree" "[DEPTH]" "draw the tree of a search" Options Run
        = to.run(one(&args.file), |host, out| tree::tree(args, host, out));
    /// Play a match between two settings of the program
    Match(args: Box<MatchArgs>),
        Game: Values "match" "--a A --b B" "play a match between two settings" Options RunOnce
        = to.run(args.file.as_slice(), |host, out| contest::contest(args, host, out));
    /// Play a tournament between several settings of the program, and rate them
    Tournament(args: Box<TournamentArgs>),
        Game: Values "tournament" "--side S..." "play several settings and rate them" Options RunOnce
        = to.run(args.file.as_slice(), |host, out| tournament::tournament(args, host, out));
    /// Tune the parameters of an evaluation, and test the result by a match
    Tune(args: Box<TuneArgs>),
        Game: Values "tune" "[-p NAME]" "tune the parameters of the evaluation" Options RunOnce
        = to.run(one(&args.file), |host, out| tune::tune(args, host, out));
    /// Write positions with the results of their games to a file
    Dataset(args: Box<FileArgs<protocol::tune::request::DatasetRequest>>),
        Game: Values "dataset" "--output FILE" "write positions with their results" Options RunOnce
        = to.run(one(&args.file), |host, out| tune::dataset(&args.request, host, out));
    /// Show the advice for a position, and why it is chosen
    Advise(args: AdviseArgs),
        Game: Reasons "advise" "" "show the advice for the position" Options Run
        = to.run(one(&args.file), |host, out| advice::advise(args, host, out));
    /// Check that a player who follows the advice always wins, or never loses
    Prove(args: FileArgs<protocol::advice::ProveRequest>),
        Game: Reasons "prove" "" "check that advice reaches its aim" Options Run
        = to.in_time(one(&args.file), args.request.time, |host, out| advice::prove(&args.request, host, out));
    /// Measure how many nodes a search saves by all advice together, and by each rule
    AdviceWorth(args: FileArgs<protocol::worth::Request>),
        Game: Reasons "advice-worth" "" "measure the nodes that advice saves" Options Run
        = to.in_time(one(&args.file), args.request.time, |host, out| advice::worth(&args.request, host, out));
    /// Play random games, and measure their length, the number of moves and who wins
    Stats(args: StatsArgs),
        Game: Values "stats" "" "play random games: length, moves, who wins" Options Run
        = to.in_time(one(&args.file), args.request.time, |host, out| chance::stats(args, host, out));
    /// Find the best move by the average, for a careful and for a daring player, in a game with chance
    CompareBackups(args: FileArgs<protocol::backups::Request>),
        Search: Values "compare-backups" "" "compare the best moves by attitude to risk" Options Run
        = to.run(one(&args.file), |host, out| chance::compare(&args.request, host, out));
    /// Compare the positions that searches visit with the minimal tree
    Analyze(args: FileArgs<protocol::analysis::Request>),
        Search: Values "analyze" "[DEPTH]" "compare searches with the minimal tree" Options Run
        = to.run(one(&args.file), |host, out| analyze::analyze(&args.request, host, out));
    /// Repeat classic experiments on game-tree search
    Lab(args: LabArgs),
        Nothing: Values "lab" "WHAT" "repeat classic experiments on game trees" Options RunOnce
        = to.run(&[], |host, out| lab::lab(args, host, out));
    /// Print the answers of a goal
    Query(args: GoalArgs<protocol::query::Request>),
        Goal: Reasons "query" "GOAL" "print all answers of a goal" Goal Run
        = to.run(before(&args.texts), |host, out| query::query(args, host, out));
    /// Explain why a goal is true: the proof of its first answer
    Why(args: GoalArgs<protocol::why::Request>),
        Goal: Reasons "why" "GOAL|MOVE" "explain why a goal is true or a move is legal" Goal Run
        = to.run(before(&args.texts), |host, out| reason::why(args, host, out));
    /// Explain why a goal fails: the goal that fails in each clause, down to the smallest part
    Whynot(args: GoalArgs<protocol::why::NotRequest>),
        Goal: Reasons "whynot" "GOAL|MOVE" "explain why a goal fails or a move is illegal" Goal Run
        = to.run(before(&args.texts), |host, out| reason::why_not(args, host, out));
    /// Measure the steps and the time of every predicate and clause in a search or a goal
    Profile(args: Box<ProfileArgs>),
        Search: Reasons "profile" "[--goal GOAL]" "profile a search or a goal" Options Run
        = to.run(one(&args.file), |host, out| profile::profile(args, host, out));
    /// Trace the calls, exits, redos and failures of a goal, or the positions of a search
    Trace(args: TraceArgs),
        Goal: Reasons "trace" "GOAL|--search" "trace a goal or a search" Goal RunOnce
        = to.run(one(&args.file), |host, out| profile::trace(args, host, out));
    /// Print predicates as written, and their compiled code
    Listing(args: FileArgs<protocol::listing::Request>),
        Game: Rules "listing" "[NAME/ARITY]" "print predicates as written" Predicate Run
        = to.run(one(&args.file), |host, out| profile::listing(&args.request, host, out));
    /// Report all errors and warnings in files of rules
    Check(args: CheckArgs),
        Files: Rules "check" "" "report all errors and warnings in the files" Options Run
        = to.run(&[], |host, out| check::check(args, host, out));
    /// Test the expectations in game files
    Test(args: TestArgs),
        Files: Rules "test" "" "test the expectations in the files" Options Run
        = to.run(&[], |host, out| check::test(args, host, out));
    /// Measure the speed of searches, with a signature of the visited positions
    Bench(args: BenchArgs),
        Nothing: Values "bench" "[FILE]" "measure the speed of searches" Options RunOnce
        = to.run(args.file.as_slice(), |host, out| bench::bench(args, host, out));
    /// List the games that come with Alphorn, or print one
    Example(request: protocol::example::Request),
        Nothing: Rules "example" "[NAME]" "list the games that come with Alphorn" Options RunOnce
        = texts::example(request, to.out);
    /// Explain the value of a move, or the code of a diagnostic
    Explain(args: Box<ExplainArgs>),
        Move: Reasons "explain" "[MOVE|CODE]" "explain the value of a move, or a code" Move Run
        = to.run(before(&args.what), |host, out| explain::explain(args, host, out));
}

/// The options of every command.
#[derive(Args, Debug)]
pub struct GlobalArgs {
    /// Print one JSON object on one line of stdout, also for errors
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// Returns the parser of these commands.
pub(super) fn parser() -> clap::Command {
    lenient(GlobalArgs::augment_args(Command::augment_subcommands(clap::Command::new("alphorn"))))
}

/// A negative number counts as the value of its option, not as an unknown option, so that the error message
/// can name what is wrong with it.
pub(super) fn lenient(command: clap::Command) -> clap::Command {
    let takes = |arg: &clap::Arg| !arg.is_positional() && arg.get_action().takes_values();
    let command = command.mut_args(|arg| if takes(&arg) { arg.allow_negative_numbers(true) } else { arg });
    command.mut_subcommands(lenient)
}

impl Command {
    /// What the named command works on; `None` if there is no such command here.
    pub fn about(name: &str) -> Option<CommandSubject> {
        AT_PROMPT.iter().find(|row| row.name == name).map(|row| row.subject)
    }
}

/// What the prompt knows of a command of the command line.
pub(super) struct PromptRow {
    pub(super) name: &'static str,
    /// The arguments, as help shows them.
    pub(super) usage: &'static str,
    /// What the command does, in one short line.
    pub(super) about: &'static str,
    pub(super) group: PromptGroup,
    pub(super) subject: CommandSubject,
    pub(super) wants: CommandArgument,
    pub(super) repeat: Repeat,
}

/// A group of commands in the help of the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PromptGroup {
    Game,
    Values,
    Reasons,
    Rules,
    Prompt,
}

/// Whether the answer of a command is compared after the rules change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeat {
    /// The command runs again, and its answers are compared.
    Run,
    /// The command is never repeated: it writes files, takes long on purpose, or does not depend on the rules.
    RunOnce,
}

/// The argument of a prompt command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum CommandArgument {
    Nothing,
    Files,
    Goal,
    /// A clause, which may span several lines.
    Clause,
    Move,
    Setting,
    Param,
    /// A predicate, as name and arity.
    Predicate,
    /// A predicate that the user has added.
    Added,
    /// A command, a setting, a predicate or a code.
    Topic,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The options of a command.
    Options,
}

/// What a command works on. The prompt adds this argument where it was not typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandSubject {
    /// A position to search; the rules are the first argument.
    Search,
    /// Rules, which are the first argument.
    Game,
    /// A goal, after the rules.
    Goal,
    /// A move after the rules, or a diagnostic code without rules.
    Move,
    /// Files of rules; without arguments, all loaded files.
    Files,
    /// Nothing that is loaded.
    Nothing,
}

/// Where a command runs: on the workspace of the prompt, or else on the files that the command names.
pub(super) struct Dispatch<'a> {
    pub(super) workspace: Option<&'a Workspace>,
    pub(super) out: &'a mut Out,
    pub(super) stop: &'a Arc<AtomicBool>,
}

impl Dispatch<'_> {
    /// Runs a command with these rule files. The files are empty if the command reads its files itself.
    fn run(self, files: &[String], run: impl FnOnce(&mut Host<'_>, &mut Out) -> CommandResult) -> CommandResult {
        let mut host = match self.workspace {
            Some(workspace) => Host::borrowing_workspace(workspace, self.stop),
            None => Host::of_files(files, self.stop)?,
        };
        run(&mut host, self.out)
    }

    /// Like `run`, for a command with a time limit.
    fn in_time(
        self,
        files: &[String],
        seconds: Option<Seconds>,
        run: impl FnOnce(&mut Host<'_>, &mut Out) -> CommandResult,
    ) -> CommandResult {
        let Dispatch { workspace, out, stop } = self;
        let ended = Dispatch { workspace, out: &mut *out, stop }.run(files, run);
        with_time_limit(seconds, out, stop, ended)
    }
}
