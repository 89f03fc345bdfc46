//! The host of requests: it holds the loaded rules or the current game.
//!
//! It opens a session for each request and passes on the events before the reply. It does not depend on
//! how front ends draw replies.

use super::clock::Clock;
use super::data::Problems;
use super::form::{Form, Start};
use super::kept_tree::KeptTree;
use super::partial::{self, CheckedFile, Paths, TestedFile};
use super::policy::Policy;
use super::words::Seconds;
use alphorn_lang::lang::kept::KeptSentences;
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::options::{LoadOptions, source};
use alphorn_session::session::workspace::Workspace;
use alphorn_session::session::writing::{self, check_not_rules, check_replaceable, reachable};
use alphorn_session::session::{Failure, Session, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report};
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// An event: a message before the reply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The rules or the request have warnings.
    Warnings {
        /// The warnings.
        problems: Problems,
    },
    /// A remark about the request, such as an option that has no effect.
    Note {
        /// The remark, one sentence.
        text: String,
    },
    /// The progress of a long request.
    Progress(Progress),
    /// A search finished a depth.
    Iteration(partial::Iteration),
    /// A perft count finished a depth.
    Perft(Paths),
    /// A game of a match is over.
    Game(partial::Game),
    /// Tuning made a step.
    Tune(partial::TuneStep),
    /// One of several files is checked.
    Checked {
        /// The result for the file.
        file: Box<CheckedFile>,
    },
    /// An expectation is tested.
    Expectation {
        /// The name of the file.
        file: String,
        /// The result for the expectation.
        expectation: Box<partial::Expectation>,
    },
    /// All expectations of one of several files are tested.
    Tested {
        /// The results for the file.
        file: Box<TestedFile>,
    },
}

/// The progress of a request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Progress {
    /// The unit of `done` and `total`.
    pub unit: Unit,
    /// The number of units that are done.
    pub done: u64,
    /// The number of all units that are known so far; null if unknown.
    pub total: Option<u64>,
    /// The name of the current task; null if there is only one task.
    pub task: Option<String>,
}

/// The number of positions in searches that follow each other. Each search counts its positions from 0.
#[derive(Default)]
pub(super) struct PositionTotal {
    /// The positions of the searches before the current search, and those of the current search.
    counts: Cell<(u64, u64)>,
}

impl PositionTotal {
    /// The positions of all searches, if the current search has visited this many. A smaller number than before
    /// comes from another search.
    pub(super) fn with(&self, visited: u64) -> u64 {
        let (before, last) = self.counts.get();
        let before = if visited < last { before + last } else { before };
        self.counts.set((before, visited));
        before + visited
    }
}

/// The unit of a progress event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Unit {
    /// Positions visited.
    Positions,
    /// Games played.
    Games,
}

impl Event {
    /// A progress event: the number of positions visited.
    pub fn positions(done: u64) -> Event {
        Event::Progress(Progress { unit: Unit::Positions, done, total: None, task: None })
    }

    /// An event with a note, one sentence.
    pub fn note(text: impl Into<String>) -> Event {
        Event::Note { text: text.into() }
    }
}

/// A function that receives events.
pub type Listen<'a> = &'a dyn Fn(Event);

/// The loaded rules or the current game, to which requests refer.
pub struct Host<'a> {
    loaded: HostState<'a>,
    /// The start of the program, for a host of one request; other hosts count time from each request.
    started: Option<Instant>,
    /// Set when the user interrupts the request.
    pub stop: Arc<AtomicBool>,
    /// A file that the front end will write after the reply, with its format.
    pub writes: Option<(PathBuf, writing::FileFormat)>,
    /// What requests may name and use.
    pub policy: Policy,
    /// The last search tree that was asked for lazily.
    pub(super) tree: Option<KeptTree>,
    /// The sentences of the text that was checked last: only what has changed is read again.
    pub(super) kept: KeptSentences,
}

enum HostState<'a> {
    /// Rules that are loaded again for each request.
    Options(LoadOptions),
    /// A program with a current game, which requests may change.
    Workspace(Box<Workspace>),
    /// A program with a current game, which only its owner changes.
    Lent(&'a Workspace),
}

impl<'a> Host<'a> {
    /// A host that loads these rules for each request. Time limits count from now, so that they include the
    /// loading.
    pub fn of(options: LoadOptions, stop: &Arc<AtomicBool>) -> Host<'a> {
        Host {
            loaded: HostState::Options(options),
            started: Some(Instant::now()),
            stop: stop.clone(),
            writes: None,
            policy: Policy::default(),
            tree: None,
            kept: KeptSentences::default(),
        }
    }

    /// A host that loads these files for each request. Standard input can be read only once and is
    /// read now.
    ///
    /// # Errors
    ///
    /// Standard input cannot be read.
    pub fn of_files(files: &[String], stop: &Arc<AtomicBool>) -> SessionResult<Host<'a>> {
        let options = match files.iter().any(|file| file == "-") {
            true => LoadOptions {
                texts: files.iter().map(|file| source(file)).collect::<Result<_, _>>()?,
                ..LoadOptions::default()
            },
            false => LoadOptions { files: files.to_vec(), ..LoadOptions::default() },
        };
        Ok(Host::of(options, stop))
    }

    /// A host whose requests use and change a current game.
    pub fn of_workspace(workspace: Workspace, stop: &Arc<AtomicBool>) -> Host<'a> {
        Host {
            loaded: HostState::Workspace(Box::new(workspace)),
            started: None,
            stop: stop.clone(),
            writes: None,
            policy: Policy::default(),
            tree: None,
            kept: KeptSentences::default(),
        }
    }

    /// A host whose requests use a current game without changing it.
    pub fn borrowing_workspace(workspace: &'a Workspace, stop: &Arc<AtomicBool>) -> Host<'a> {
        Host {
            loaded: HostState::Lent(workspace),
            started: None,
            stop: stop.clone(),
            writes: None,
            policy: Policy::default(),
            tree: None,
            kept: KeptSentences::default(),
        }
    }

    /// The load options of the rules.
    pub fn load_options(&self) -> &LoadOptions {
        match &self.loaded {
            HostState::Options(options) => options,
            HostState::Workspace(workspace) => workspace.load_options(),
            HostState::Lent(workspace) => workspace.load_options(),
        }
    }

    /// The current game.
    pub fn at(&self) -> Option<&Workspace> {
        match &self.loaded {
            HostState::Workspace(workspace) => Some(workspace),
            HostState::Lent(workspace) => Some(workspace),
            HostState::Options(_) => None,
        }
    }

    /// The name of the rules: the first file, or the name of the first text.
    pub fn name(&self) -> String {
        let options = self.load_options();
        let text = || options.texts.first().map(|text| text.name.to_string());
        options.files.first().cloned().or_else(text).unwrap_or_default()
    }

    /// The current game, to be changed.
    ///
    /// # Errors
    ///
    /// The host has no game that requests may change.
    pub fn workspace_mut(&mut self) -> SessionResult<&mut Workspace> {
        match &mut self.loaded {
            HostState::Workspace(workspace) => Ok(workspace),
            HostState::Options(_) | HostState::Lent(_) => Err(refusal("nothing is loaded", "load a game first")),
        }
    }

    /// A session for one request that `stop` interrupts. Passes on warnings of rules loaded for it.
    ///
    /// # Errors
    ///
    /// The texts have errors or lack the expected predicates.
    pub fn session(
        &self,
        form: &Form,
        expected: Expected,
        stop: &Arc<AtomicBool>,
        listen: Listen<'_>,
    ) -> SessionResult<Session> {
        let session = match self.at() {
            Some(workspace) => workspace.session_for_request(expected, &form.change(), stop)?,
            None => {
                let session = self.load_options().changed(&form.change()).open(expected, stop)?;
                warn(&session.rules.report, listen);
                session
            }
        };
        if let Some((path, form)) = &self.writes {
            self.may_write(&session, path, Some(*form))?;
        }
        Ok(session)
    }

    /// A session for a game, with a clock that is not started.
    ///
    /// # Errors
    ///
    /// As for [`session`](Host::session).
    pub fn timed(&self, form: &Form, time: Option<Seconds>, listen: Listen<'_>) -> SessionResult<(Session, Clock)> {
        let since = self.started.unwrap_or_else(Instant::now);
        let clock = Clock::since(&self.stop, time.map(|seconds| seconds.0), since);
        let session = self.session(form, Expected::Game, clock.flag(), listen)?;
        Ok((session, clock))
    }

    /// Checks that a file may be written.
    ///
    /// # Errors
    ///
    /// The file contains rules in use or data of another format, or its folder does not exist.
    pub fn may_write(&self, session: &Session, path: &Path, form: Option<writing::FileFormat>) -> SessionResult<()> {
        let mut rules = session.files();
        rules.extend(self.at().into_iter().flat_map(Workspace::files));
        check_not_rules(path, &rules)?;
        reachable(path)?;
        form.map_or(Ok(()), |form| check_replaceable(path, form))
    }

    /// A session with a position, and a clock that is started.
    ///
    /// # Errors
    ///
    /// As for [`session`](Host::session), or the position does not exist.
    pub fn game(&self, of: (&Form, &Start), time: Option<Seconds>, listen: Listen<'_>) -> SessionResult<AtPosition> {
        let (form, start) = of;
        let (session, clock) = self.timed(form, time, listen)?;
        let game = session.game()?;
        warn_odd(start, &session, listen);
        let (session, state) = session.played(&game, &start.place())?;
        let first = clock.reserve(|| session.first_move(&game, &state));
        clock.begin();
        Ok(AtPosition { session, game, state, first, clock })
    }
}

/// Warns of a position that cannot occur in the game.
pub(super) fn warn_odd(start: &Start, session: &Session, listen: Listen<'_>) {
    if let Some(problem) = start.position.as_ref().and_then(|term| session.rules.odd_position(&term.0)) {
        warn(&Report::new(session.rules.program.sources.clone(), vec![problem]), listen);
    }
}

/// Passes on the warnings of a report.
pub(super) fn warn(report: &Report, listen: Listen<'_>) {
    if !report.problems.is_empty() {
        listen(Event::Warnings { problems: Problems(report.clone()) });
    }
}

/// A game with the position that a request refers to.
pub struct AtPosition {
    /// The rules.
    pub session: Session,
    /// The game.
    pub game: RuleGame,
    /// The position.
    pub state: Position,
    /// The first legal move, if the request has a time limit and a player moves: the answer if the time ends
    /// before a move is searched.
    pub first: Option<String>,
    /// The clock, which limits the request and measures its time.
    pub clock: Clock,
}

/// The failure of a request that cannot be carried out, with a help.
pub fn refusal(message: impl Into<String>, help: impl Into<String>) -> Failure {
    Failure::Problem(Box::new(Problem::placeless(Code::InvalidArgument, message).help(help)), Arc::default())
}

#[cfg(test)]
mod tests {
    use super::PositionTotal;

    #[test]
    fn the_number_of_positions_never_goes_back_when_another_search_begins() {
        let total = PositionTotal::default();
        let heard = [1, 20, 300, 1, 2, 9, 1, 9, 10].map(|visited| total.with(visited));
        assert_eq!(heard, [1, 20, 300, 301, 302, 309, 310, 318, 319]);
    }
}
