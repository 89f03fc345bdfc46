//! The host: what requests are about, and what is told on the way to a reply.
//!
//! In: what to load, or a game under way. Out: sessions for one request each. Must not know how
//! anything is drawn.

use super::clock::Clock;
use super::data::Problems;
use super::form::{Form, Start};
use super::words::Seconds;
use super::{check, contest, moves, test, value};
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::options::{LoadOptions, source};
use alphorn_session::session::workspace::Workspace;
use alphorn_session::session::writing::{self, reachable, replaceable, spared};
use alphorn_session::session::{Done, Failure, Session};
use alphorn_text::report::{Problem, Report};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is told before the reply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The rules or the request are odd.
    Warnings {
        /// what is odd
        problems: Problems,
    },
    /// Something worth knowing of the request.
    Note {
        /// in a sentence
        text: String,
    },
    /// How far it is.
    Progress(Progress),
    /// A depth of a search is finished.
    Iteration(value::Iteration),
    /// A depth of a perft count is finished.
    Perft(moves::Paths),
    /// A game of a match is over.
    Game(contest::Game),
    /// One of several files is checked.
    Checked {
        /// what is wrong with it
        file: Box<check::File>,
    },
    /// An expectation is tested.
    Expectation {
        /// of which file
        file: String,
        /// what became of it
        expectation: Box<test::Expectation>,
    },
    /// All expectations of one of several files are tested.
    Tested {
        /// what became of them
        file: Box<test::File>,
    },
}

/// How far a request is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Progress {
    /// what is counted
    pub unit: Unit,
    /// how many are done
    pub done: u64,
    /// how many there are, as far as that is known
    pub total: Option<u64>,
    /// for which of several tasks; null if there is one
    pub task: Option<String>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Unit {
    /// Positions.
    Positions,
    /// Games.
    Games,
}

impl Event {
    /// So many positions were visited.
    pub fn positions(done: u64) -> Event {
        Event::Progress(Progress { unit: Unit::Positions, done, total: None, task: None })
    }

    /// A sentence.
    pub fn note(text: impl Into<String>) -> Event {
        Event::Note { text: text.into() }
    }
}

/// Hears events.
pub type Listen<'a> = &'a dyn Fn(Event);

/// See the module.
pub struct Host<'a> {
    loaded: Loaded<'a>,
    /// Set when a person says stop.
    pub stop: Arc<AtomicBool>,
    /// A file that the front end writes when it has the reply, and what it is to hold.
    pub writes: Option<(PathBuf, writing::FileFormat)>,
}

enum Loaded<'a> {
    /// To be loaded for the request.
    Recipe(LoadOptions),
    /// A program with a game under way.
    Sitting(Box<Workspace>),
    /// The same, of somebody who changes it.
    Lent(&'a Workspace),
}

impl<'a> Host<'a> {
    /// One that loads these rules for each request.
    pub fn of(recipe: LoadOptions, stop: &Arc<AtomicBool>) -> Host<'a> {
        Host { loaded: Loaded::Recipe(recipe), stop: stop.clone(), writes: None }
    }

    /// The same for files; standard input, which can be read once, is read now.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn of_files(files: &[String], stop: &Arc<AtomicBool>) -> Done<Host<'a>> {
        let recipe = match files.iter().any(|file| file == "-") {
            true => LoadOptions {
                texts: files.iter().map(|file| source(file)).collect::<Result<_, _>>()?,
                ..LoadOptions::default()
            },
            false => LoadOptions { files: files.to_vec(), ..LoadOptions::default() },
        };
        Ok(Host::of(recipe, stop))
    }

    /// One whose requests are about a game under way.
    pub fn sitting(sitting: Workspace, stop: &Arc<AtomicBool>) -> Host<'a> {
        Host { loaded: Loaded::Sitting(Box::new(sitting)), stop: stop.clone(), writes: None }
    }

    /// One whose requests are about a game under way and do not change it.
    pub fn lent(sitting: &'a Workspace, stop: &Arc<AtomicBool>) -> Host<'a> {
        Host { loaded: Loaded::Lent(sitting), stop: stop.clone(), writes: None }
    }

    /// What is loaded.
    pub fn recipe(&self) -> &LoadOptions {
        match &self.loaded {
            Loaded::Recipe(recipe) => recipe,
            Loaded::Sitting(sitting) => sitting.recipe(),
            Loaded::Lent(sitting) => sitting.recipe(),
        }
    }

    /// The game under way.
    pub fn at(&self) -> Option<&Workspace> {
        match &self.loaded {
            Loaded::Sitting(sitting) => Some(sitting),
            Loaded::Lent(sitting) => Some(sitting),
            Loaded::Recipe(_) => None,
        }
    }

    /// The name of what is loaded: its first file, or what messages call its text.
    pub fn name(&self) -> String {
        let recipe = self.recipe();
        let text = || recipe.texts.first().map(|text| text.name.to_string());
        recipe.files.first().cloned().or_else(text).unwrap_or_default()
    }

    /// The game under way, to be changed.
    ///
    /// # Errors
    ///
    /// Nothing is loaded.
    pub fn at_mut(&mut self) -> Done<&mut Workspace> {
        match &mut self.loaded {
            Loaded::Sitting(sitting) => Ok(sitting),
            Loaded::Recipe(_) | Loaded::Lent(_) => Err(refusal("nothing is loaded", "load a game first")),
        }
    }

    /// The rules for one request that `stop` ends; what is odd about them is told where they are loaded for it.
    ///
    /// # Errors
    ///
    /// The texts have errors, or lack what is expected of them.
    pub fn session(
        &self,
        form: &Form,
        expected: Expected,
        stop: &Arc<AtomicBool>,
        listen: Listen<'_>,
    ) -> Done<Session> {
        let session = match self.at() {
            Some(sitting) => sitting.lend(expected, &form.change(), stop)?,
            None => {
                let session = self.recipe().changed(&form.change()).open(expected, stop)?;
                warn(&session.rules.report, listen);
                session
            }
        };
        if let Some((path, form)) = &self.writes {
            self.may_write(&session, path, Some(*form))?;
        }
        Ok(session)
    }

    /// The rules of a game, and a clock that stops what is asked and is still to begin.
    ///
    /// # Errors
    ///
    /// As [`session`](Host::session).
    pub fn timed(&self, form: &Form, time: Option<Seconds>, listen: Listen<'_>) -> Done<(Session, Clock)> {
        let clock = Clock::new(&self.stop, time.map(|seconds| seconds.0));
        let session = self.session(form, Expected::Game, clock.flag(), listen)?;
        Ok((session, clock))
    }

    /// Errs where a file may not be written: it holds rules that are in use, or something else than
    /// what is to be written; or its folder is not there.
    ///
    /// # Errors
    ///
    /// That.
    pub fn may_write(&self, session: &Session, path: &Path, form: Option<writing::FileFormat>) -> Done<()> {
        let mut rules = session.files();
        rules.extend(self.at().into_iter().flat_map(Workspace::files));
        spared(path, &rules)?;
        reachable(path)?;
        form.map_or(Ok(()), |form| replaceable(path, form))
    }

    /// A game with a position, and a clock that runs from now on.
    ///
    /// # Errors
    ///
    /// As [`session`](Host::session); or there is no such position.
    pub fn game(&self, of: (&Form, &Start), time: Option<Seconds>, listen: Listen<'_>) -> Done<AtPosition> {
        let (form, start) = of;
        let (session, clock) = self.timed(form, time, listen)?;
        let game = session.game()?;
        warn_odd(start, &session, listen);
        let state = session.position(&game, &start.place())?;
        clock.begin();
        Ok(AtPosition { session, game, state, clock })
    }
}

/// Warns of a position that the game cannot have.
pub(super) fn warn_odd(start: &Start, session: &Session, listen: Listen<'_>) {
    if let Some(problem) = start.position.as_ref().and_then(|term| session.rules.odd_position(&term.0)) {
        warn(&Report::new(session.rules.program.sources.clone(), vec![problem]), listen);
    }
}

/// Tells what is odd about rules.
pub(super) fn warn(report: &Report, listen: Listen<'_>) {
    if !report.problems.is_empty() {
        listen(Event::Warnings { problems: Problems(report.clone()) });
    }
}

/// A game with a position to be asked about.
pub struct AtPosition {
    /// The rules.
    pub session: Session,
    /// The game.
    pub game: RuleGame,
    /// The position.
    pub state: Position,
    /// Stops what is asked, and says how long it took.
    pub clock: Clock,
}

/// A request that cannot be carried out, with what to do.
pub fn refusal(message: impl Into<String>, help: impl Into<String>) -> Failure {
    Failure::Problem(Box::new(Problem::placeless("A0620", message).help(help)), Arc::default())
}
