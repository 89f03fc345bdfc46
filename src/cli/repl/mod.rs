//! The prompt: reads goals, commands and moves line by line, and runs them.
//!
//! Input comes from a terminal or a pipe. A command of the command line is run by the same code here.

mod answer;
pub mod args;
mod arguments;
mod commands;
mod diff;
mod editor;
mod game;
mod goals;
mod habits;
mod help;
mod lines;
mod questions;
mod rules;
mod save;
mod settings;
mod table;
mod watch;

use crate::cli::commands::AT_PROMPT;
use crate::cli::output::{Out, Prompt, results};
use crate::cli::repl::args::{PlayArgs, ReplArgs, Seats};
use crate::cli::{CommandResult, FAILED, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::program_clocks::ProgramClocks;
use alphorn_protocol::protocol::serve::serve;
use alphorn_search::game::Side;
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::predicates::NamedPredicate;
use alphorn_session::session::reading::InputState;
use alphorn_session::session::workspace::{GameStatus, Workspace};
use alphorn_session::session::{Failure, Session};
use alphorn_text::code::Code;
use alphorn_text::interrupt;
use alphorn_text::report::Problem;
use commands::{CommandAction, PromptCommand};
use editor::{Completions, PROMPT};
use lines::{LineInput, Lines};
use questions::{AskedQuestion, PromptQuestion, RepeatBounds};
use settings::Settings;
use std::cell::RefCell;
use std::io::{BufReader, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use watch::FileWatcher;

/// The state of the prompt.
struct Repl<'a> {
    out: &'a mut Out,
    workspace: Workspace,
    stop: Arc<AtomicBool>,
    lines: Lines,
    words: Rc<RefCell<Completions>>,
    settings: Settings,
    /// The last question, repeated when the rules change.
    question: Option<AskedQuestion>,
    /// The search limits of a repeated question.
    bounds: Option<RepeatBounds>,
    watch: Option<FileWatcher>,
    /// Whether each line is printed before its output.
    echo: bool,
    /// The sides that people play; `None` if lines are goals.
    seats: Option<Seats>,
    /// The clocks of the program.
    clocks: ProgramClocks,
    /// The exit status for a pipe.
    status: u8,
}

/// Runs `alphorn FILE...` and `alphorn repl`.
pub(super) fn repl(args: &ReplArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> CommandResult {
    let options = load_options(&args.files, &args.game);
    if out.json {
        return protocol(options, stop);
    }
    let mut repl = Repl::new(options, rand::random(), out, stop)?;
    repl.echo = args.echo && !repl.lines.is_terminal();
    repl.greet();
    repl.run()
}

/// Runs `alphorn repl --json`: requests and replies, a line each.
fn protocol(options: LoadOptions, stop: &Arc<AtomicBool>) -> CommandResult {
    let opened = Workspace::open(options, rand::random(), stop);
    let (workspace, failure) = match opened {
        Ok(workspace) => (workspace, None),
        Err(failure) => (Workspace::open(LoadOptions::default(), rand::random(), stop)?, Some(failure)),
    };
    interrupt::forbid_exit();
    serve(BufReader::new(std::io::stdin()), results(), Host::of_workspace(workspace, stop), failure.as_ref());
    let status = if failure.is_some() { FAILED } else { YES };
    Ok(status)
}

/// Runs `alphorn play`.
pub(super) fn play(args: &PlayArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> CommandResult {
    if out.json {
        return Err(refusal("play does not support --json", "use the requests move and go of alphorn repl --json"));
    }
    let seed = args.seed.unwrap_or_else(rand::random);
    let mut repl = Repl::new(load_options(std::slice::from_ref(&args.file), &args.game), seed, out, stop)?;
    for (name, value) in args.settings() {
        repl.settings.set(name, Some(&value))?;
    }
    repl.workspace_mut().begin(&args.start.place())?;
    repl.seats = Some(args.seats());
    repl.clocks = ProgramClocks::new(args.clock);
    repl.refresh();
    if repl.lines.is_terminal() {
        repl.out.print("type a move, or a command with a colon: :help, :moves, :undo, :why MOVE\n");
    }
    repl.take_turns()?;
    match repl.seats {
        Some(seats) if seats.max || seats.min => repl.run(),
        _ => Ok(repl.status),
    }
}

fn load_options(files: &[String], form: &alphorn_protocol::protocol::form::Form) -> LoadOptions {
    LoadOptions {
        files: files.to_vec(),
        overlays: form.overlays.clone(),
        params: form.params.clone(),
        steps: form.steps,
        memory: form.memory.map(|bytes| bytes.0),
        ..LoadOptions::default()
    }
}

impl<'a> Repl<'a> {
    fn new(options: LoadOptions, seed: u64, out: &'a mut Out, stop: &Arc<AtomicBool>) -> Result<Repl<'a>, Failure> {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let words = Rc::new(RefCell::new(Completions::default()));
        let lines = match terminal {
            true => Lines::terminal(words.clone(), out.coloured).unwrap_or_else(|_| Lines::pipe(words.clone())),
            false => Lines::pipe(words.clone()),
        };
        if lines.is_terminal() {
            interrupt::forbid_exit();
        }
        // At a terminal, a broken file can be corrected while the prompt stays open.
        let opened = Workspace::open(options.clone(), seed, stop);
        let (workspace, broken) = match opened {
            Err(failure @ Failure::Text(_)) if terminal => {
                out.failure(&failure);
                (Workspace::waiting(options, stop)?, true)
            }
            opened => (opened?, false),
        };
        out.report(&workspace.session().rules.report);
        let (stop, settings) = (stop.clone(), Settings::new());
        let mut repl = Repl::idle(workspace, settings, (lines, words), out, stop);
        if broken {
            repl.out.tell("fix the file and type :reload; or type :watch first\n");
        }
        repl.refresh();
        Ok(repl)
    }

    /// A prompt without output, for repeating a question.
    fn unseen(workspace: Workspace, settings: Settings, out: &'a mut Out, stop: &Arc<AtomicBool>) -> Repl<'a> {
        let words = Rc::default();
        let lines = Lines::pipe(Rc::clone(&words));
        Repl::idle(workspace, settings, (lines, words), out, stop.clone())
    }

    /// A prompt at which nothing has been typed.
    fn idle(
        workspace: Workspace,
        settings: Settings,
        (lines, words): (Lines, Rc<RefCell<Completions>>),
        out: &'a mut Out,
        stop: Arc<AtomicBool>,
    ) -> Repl<'a> {
        Repl {
            out,
            workspace,
            stop,
            lines,
            words,
            settings,
            question: None,
            bounds: None,
            watch: None,
            echo: false,
            seats: None,
            clocks: ProgramClocks::default(),
            status: YES,
        }
    }

    fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    fn workspace_mut(&mut self) -> &mut Workspace {
        &mut self.workspace
    }

    fn session(&self) -> Session {
        self.workspace().session().clone()
    }

    /// Prints the greeting at a terminal.
    fn greet(&mut self) {
        if !self.lines.is_terminal() {
            return;
        }
        let loaded = &self.workspace().load_options().files;
        let what = match loaded.as_slice() {
            [] => "no rules are loaded: type :load FILE; alphorn example lists games".to_string(),
            files => files.join(" "),
        };
        let hints = match self.workspace().here() {
            Some(_) => "a goal, or :moves, :value, :move, :go, :tree",
            None => "a goal such as member(X, [a, b]).",
        };
        let version = env!("CARGO_PKG_VERSION");
        self.out.print(&format!("alphorn {version}: {what}\n{hints}; :help for more, Ctrl-D to leave\n"));
        if self.workspace().here().is_some() {
            let shown = self.show();
            self.settle(shown);
        }
    }

    /// Runs line after line until the input ends.
    fn run(&mut self) -> CommandResult {
        loop {
            let prompt = self.prompt();
            self.tell_watch();
            let line = match self.lines.read(&prompt) {
                LineInput::Text(text) => text,
                LineInput::Dropped => continue,
                LineInput::Wrong(problem) => {
                    self.settle(Err(Failure::Problem(problem, Arc::default())));
                    continue;
                }
                LineInput::End => break,
            };
            if self.echo {
                self.out.print(&format!("{prompt}{line}\n"));
            }
            self.stop.store(false, Relaxed);
            self.look_for_changes();
            self.out.forget();
            let done = self.safely(&line);
            let leaves = matches!(done, Ok(None));
            self.settle(done.map(|status| status.unwrap_or(YES)));
            if leaves {
                return Ok(self.status);
            }
            self.stop.store(false, Relaxed);
        }
        if self.lines.is_terminal() {
            self.out.print("\n");
        }
        Ok(self.status)
    }

    fn prompt(&self) -> String {
        // The status of the game is computed only if the prompt shows it.
        let status = self.seats.and_then(|_| self.workspace().status().ok());
        match status {
            Some(GameStatus::Moves(Side::Max)) => "MAX> ".to_string(),
            Some(GameStatus::Moves(Side::Min)) => "MIN> ".to_string(),
            _ => PROMPT.to_string(),
        }
    }

    /// Prints the failure of a line, and keeps it for the exit status.
    fn settle(&mut self, done: CommandResult) {
        match done {
            Ok(FAILED) => self.status = FAILED,
            Ok(_) => {}
            Err(failure) => {
                self.out.failure(&failure);
                self.status = FAILED;
            }
        }
        // The user of a terminal has seen the message.
        if self.lines.is_terminal() {
            self.status = YES;
        }
    }

    /// Runs one line; `None` means to leave the prompt.
    fn line(&mut self, line: &str) -> Result<Option<u8>, Failure> {
        let bare = line.trim();
        // A leftover key for more answers is ignored.
        if bare.is_empty() || bare.starts_with('%') || bare == ";" {
            return Ok(Some(YES));
        }
        if let Some(order) = bare.strip_prefix(':').filter(|rest| !rest.starts_with('-')) {
            let (name, rest) = order.split_once(char::is_whitespace).unwrap_or((order, ""));
            let order = commands::find(name.trim_end_matches('.'))?;
            return self.order(order, rest.trim());
        }
        let leaves =
            commands::named(bare.trim_end_matches('.')).is_some_and(|order| matches!(order.does, CommandAction::Leave));
        if leaves {
            return Ok(None);
        }
        if self.seats.is_some() && !bare.starts_with("?-") {
            return self.move_of_play(bare).map(Some);
        }
        if let InputState::Wrong(problem, sources) = self.workspace().session().reads(line) {
            // The line is only a comment.
            if problem.code == Code::MissingTerm && bare.starts_with("/*") {
                return Ok(Some(YES));
            }
            return Err(Failure::Problem(self.meant(line, *problem), sources));
        }
        let ended = self.goal(line)?;
        self.remember(PromptQuestion::Goal(line.to_string()), ended);
        Ok(Some(ended))
    }

    /// Adds a suggestion to the problem of a text that is no goal.
    fn meant(&self, text: &str, problem: Problem) -> Box<Problem> {
        let moves = self.labels();
        Box::new(match habits::suggested_command(text, &moves).or_else(|| habits::begun(text, &moves)) {
            Some(help) => problem.help(help),
            None => problem,
        })
    }

    /// The labels of the legal moves; empty without a game.
    fn labels(&self) -> Vec<String> {
        let workspace = self.workspace();
        let moves = workspace.here().and_then(|_| workspace.moves().ok()).unwrap_or_default();
        moves.into_iter().map(|mv| mv.label).collect()
    }

    /// Runs a line and catches panics, so that a bug does not end the session.
    fn safely(&mut self, line: &str) -> Result<Option<u8>, Failure> {
        let silent = self.out.silent;
        let done = catch_unwind(AssertUnwindSafe(|| self.line(line)));
        self.out.silent = silent;
        done.unwrap_or_else(|_| Err(refusal("internal error", "the session continues; please report the line")))
    }

    /// Runs a command; `None` means to leave the prompt.
    fn order(&mut self, order: PromptCommand, rest: &str) -> Result<Option<u8>, Failure> {
        let own = !matches!(order.does, CommandAction::Run | CommandAction::RunOnce);
        if own && order.usage.is_empty() && !rest.trim_end_matches('.').trim().is_empty() {
            let message = format!(":{} takes no argument, and {} follows it", order.name, rest.trim());
            return Err(refusal(&message, "type one command on a line"));
        }
        let done = match order.does {
            CommandAction::Leave => return Ok(None),
            CommandAction::Act(act) | CommandAction::Ask(act) => act(self, rest)?,
            CommandAction::Run
                if order.name == "explain"
                    && (rest.is_empty() || (rest.starts_with("--") && !rest.starts_with("-- "))) =>
            {
                self.explain_last(rest)?
            }
            CommandAction::Run | CommandAction::RunOnce => self.command(order, rest)?,
        };
        if questions::is_question(order, rest) {
            self.remember(PromptQuestion::Order(order.name, rest.to_string()), done);
        }
        Ok(Some(done))
    }

    /// Updates the output and the editor after a change of the rules or the position.
    fn refresh(&mut self) {
        let commands = AT_PROMPT.iter().map(|row| row.name).collect();
        let named = self.workspace.load_options().files.clone();
        self.out.prompt = Some(Prompt { named, read: self.workspace.files(), commands });
        if !self.lines.is_terminal() {
            let mut words = self.words.borrow_mut();
            words.session = Some(self.workspace().session().clone());
            words.plays = self.seats.is_some();
            return;
        }
        let session = self.session();
        let moves = self.labels();
        let mut named: Vec<NamedPredicate> = session.predicates().into_iter().filter(|named| named.callable).collect();
        named.sort_by(|left, right| (&left.name, left.arity).cmp(&(&right.name, right.arity)));
        let constants = session.constants();
        let plays = self.seats.is_some();
        let mut added: Vec<String> =
            self.workspace().load_options().typed.iter().filter_map(|clause| session.defines(clause)).collect();
        added.dedup();
        let session = Some(session);
        *self.words.borrow_mut() =
            Completions { session, named, constants, moves, plays, added, ..Completions::default() };
    }
}

fn refusal(message: &str, help: &str) -> Failure {
    Failure::Problem(Box::new(Problem::placeless(Code::InvalidArgument, message).help(help)), Arc::default())
}
