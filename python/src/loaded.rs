//! A loaded game that Python objects share: the program, and what is needed to load it again elsewhere.
//!
//! Games with the same texts, names, parameters and budgets are loaded once while one of them lives. This
//! module does not know Python.

use alphorn_protocol::protocol::host::refusal;
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::game::RuleGame;
use alphorn_session::session::database::hash_of_texts;
use alphorn_session::session::options::{LoadOptions, source};
use alphorn_session::session::workspace::{Snapshot, Workspace};
use alphorn_session::session::{Budgets, Session, SessionResult};
use alphorn_text::source::{Origin, Source};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A text of rules with its name. `is_file`: the name is the path of a file.
pub type Text = (String, String, bool);

/// All that is needed to load a game again, in this process or another.
#[derive(Clone, Debug, Default)]
pub struct GameSource {
    /// The rules.
    pub texts: Vec<Text>,
    /// The paths of the overlays; empty if the game comes from another process.
    pub overlays: Vec<String>,
    /// The texts of the overlays.
    pub overlay_texts: Vec<String>,
    /// The changed parameters.
    pub params: Vec<(String, String)>,
    /// The budget of one question in steps.
    pub steps: Option<u64>,
    /// The budget of one evaluation in bytes.
    pub memory: Option<u64>,
}

/// A loaded game.
pub struct GameCore {
    /// What was loaded.
    pub source: GameSource,
    /// The program with its first position, for requests.
    pub snapshot: Snapshot,
    /// The program.
    pub session: Session,
    /// Whether no number of steps bounds a question to the rules.
    pub is_unbounded: bool,
    /// A hash of the rules, the overlays and the parameters. Positions of games with the same hash are equal
    /// if their terms are.
    pub identity: u128,
    budgets: Budgets,
}

/// The games that were loaded, by the hash of their sources.
static LOADED: Mutex<Vec<(u128, Weak<GameCore>)>> = Mutex::new(Vec::new());

impl GameSource {
    /// The source for files, overlays, parameters and budgets. Reads the files.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn of_files(files: &[String], overlays: Vec<String>) -> SessionResult<GameSource> {
        let read = |path: &String| {
            is_readable(path)?;
            let Source { name, text, origin } = source(path)?;
            Ok((name.to_string(), text.to_string(), matches!(origin, Origin::File(_))))
        };
        let texts = files.iter().map(read).collect::<SessionResult<_>>()?;
        let overlay_texts =
            overlays.iter().map(|path| read(path).map(|(_, text, _)| text)).collect::<SessionResult<_>>()?;
        Ok(GameSource { texts, overlays, overlay_texts, ..GameSource::default() })
    }

    fn options(&self) -> LoadOptions {
        let source = |(name, text, is_file): &Text| Source {
            name: name.as_str().into(),
            text: text.as_str().into(),
            origin: if *is_file { Origin::File(PathBuf::from(name)) } else { Origin::Typed },
        };
        LoadOptions {
            texts: self.texts.iter().map(source).collect(),
            typed: if self.overlays.is_empty() { self.overlay_texts.clone() } else { Vec::new() },
            overlays: self.overlays.clone(),
            params: self.params.clone(),
            steps: self.steps,
            memory: self.memory,
            ..LoadOptions::default()
        }
    }

    /// The parts that decide what the game is.
    fn rules(&self) -> Vec<&str> {
        let texts = self.texts.iter().map(|(_, text, _)| text.as_str()).chain([""]);
        let overlays = self.overlay_texts.iter().map(String::as_str).chain([""]);
        texts.chain(overlays).chain(self.params.iter().flat_map(|(name, value)| [&**name, &**value])).collect()
    }

    fn key(&self) -> u128 {
        let budgets = format!("{:?} {:?}", self.steps, self.memory);
        let names = self.texts.iter().map(|(name, _, _)| name).chain(&self.overlays).map(String::as_str);
        hash_of_texts(names.chain([""]).chain(self.rules()).chain([&*budgets]))
    }

    /// Loads the game, or gives the game that was loaded before.
    ///
    /// # Errors
    ///
    /// The rules have errors, are no game, or fail at the first position.
    pub fn load(self, stop: &Arc<AtomicBool>) -> SessionResult<Arc<GameCore>> {
        let key = self.key();
        let loaded = || LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = loaded().iter().find(|(other, _)| *other == key).and_then(|(_, core)| core.upgrade());
        if let Some(known) = known {
            return Ok(known);
        }
        let options = self.options();
        let workspace = Workspace::open(options.clone(), 1, stop)?;
        if !workspace.session().rules.contract.is_game() {
            // The error says what the game lacks.
            options.open(Expected::Game, stop)?;
        }
        let core = Arc::new(GameCore {
            snapshot: workspace.snapshot(),
            session: workspace.session().clone(),
            is_unbounded: self.steps == Some(0),
            identity: hash_of_texts(self.rules()),
            budgets: Budgets::new(self.steps, self.memory),
            source: self,
        });
        let mut all = loaded();
        all.retain(|(_, core)| core.strong_count() > 0);
        all.push((key, Arc::downgrade(&core)));
        Ok(core)
    }
}

/// Errs if a path is the standard input or a pipe, because no signal could end the reading.
fn is_readable(path: &str) -> SessionResult<()> {
    let is_special = std::fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir());
    match path == "-" || is_special {
        true => Err(refusal(
            format!("cannot load {path}: it is not a regular file"),
            "read the text, and give it to alphorn.loads",
        )),
        false => Ok(()),
    }
}

impl GameCore {
    /// A solver for the game, which `stop` interrupts.
    ///
    /// # Errors
    ///
    /// The rules fail at once.
    pub fn game(&self, stop: &Arc<AtomicBool>) -> SessionResult<RuleGame> {
        RuleGame::new(self.session.rules.clone(), self.budgets.game, stop.clone())
            .map_err(|fault| self.session.fault(&fault, &[]))
    }

    /// Whether positions of two games can be compared and exchanged.
    pub fn is_same(&self, other: &GameCore) -> bool {
        std::ptr::eq(self, other) || self.identity == other.identity
    }
}
