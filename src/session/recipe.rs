//! What a session is made of: files, overlays, parameters, and clauses that were typed.
//!
//! In: names and texts, as a person gives them. Out: sessions, as often as the files change. For
//! front ends that load more than once.

use super::{Budgets, Done, Failure, Session};
use crate::lang::Options;
use crate::report::Problem;
use crate::rules::{self, Expected};
use crate::source::{Origin, Source, Sources};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// The files of rules, the main one first.
    pub files: Vec<String>,
    /// Rules that stand in no file, behind these.
    pub texts: Vec<Source>,
    /// Files that replace predicates of these.
    pub overlays: Vec<String>,
    /// Parameters of the game that are changed: names with values.
    pub params: Vec<(String, String)>,
    /// Clauses that replace predicates as the overlays do.
    pub typed: Vec<String>,
    /// Steps for one question to the rules, or for a goal; the usual ones if not given.
    pub steps: Option<u64>,
    /// Bytes for one evaluation; the usual ones if not given.
    pub memory: Option<u64>,
}

/// What messages call clauses that were typed.
pub const TYPED: &str = "typed rules";

impl Recipe {
    /// One file.
    pub fn of_file(path: &str) -> Recipe {
        Recipe { files: vec![path.to_string()], ..Recipe::default() }
    }

    /// Rules that stand in no file; `name` is what messages call them.
    pub fn of_text(name: &str, rules: &str) -> Recipe {
        Recipe { texts: vec![Source::typed(name, rules)], ..Recipe::default() }
    }

    /// Reads the files anew and loads them.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or the texts have errors.
    pub fn open(&self, expected: Expected, stop: &Arc<AtomicBool>) -> Done<Session> {
        let mut texts = sources(&self.files)?;
        texts.extend_from_slice(&self.texts);
        if texts.is_empty() {
            texts.push(Source::typed("nothing", ""));
        }
        let mut overlays = sources(&self.overlays)?;
        if !self.typed.is_empty() {
            overlays.push(Source::typed(TYPED, &self.text()));
        }
        let options = Options { settings: self.params.clone() };
        let budgets = Budgets::new(self.steps, self.memory);
        Session::open(&texts, &overlays, &options, expected, budgets, stop.clone())
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        let Recipe { files, texts, overlays, params, typed, steps, memory } = self;
        let named =
            files.is_empty() && texts.is_empty() && overlays.is_empty() && params.is_empty() && typed.is_empty();
        named && steps.is_none() && memory.is_none()
    }

    /// The same with what another one says besides; of two words on the same the later counts.
    pub fn changed(&self, change: &Recipe) -> Recipe {
        Recipe {
            files: [&self.files[..], &change.files].concat(),
            texts: [&self.texts[..], &change.texts].concat(),
            overlays: [&self.overlays[..], &change.overlays].concat(),
            params: [&self.params[..], &change.params].concat(),
            typed: [&self.typed[..], &change.typed].concat(),
            steps: change.steps.or(self.steps),
            memory: change.memory.or(self.memory),
        }
    }

    /// The typed clauses as a text.
    pub fn text(&self) -> String {
        self.typed.iter().map(|clause| format!("{clause}\n")).collect()
    }
}

/// Reads a file of rules; `-` is standard input.
///
/// # Errors
///
/// It cannot be read; the help names a game that comes with alphorn, where that has this name.
pub fn source(path: &str) -> Result<Source, Failure> {
    let read = match path {
        "-" => Source::read_from("<stdin>", std::io::stdin().lock(), Origin::Typed),
        path => Source::read(path),
    };
    read.map_err(|message| {
        let mut problem = Problem::placeless("A0620", message);
        let stem = std::path::Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        if rules::examples().iter().any(|(name, _)| *name == stem) {
            problem = problem.help(format!("{stem} comes with alphorn: alphorn example {stem} > {stem}.pl"));
        }
        Failure::Problem(Box::new(problem), Arc::new(Sources::default()))
    })
}

/// Reads several.
pub fn sources(paths: &[String]) -> Done<Vec<Source>> {
    paths.iter().map(|path| source(path)).collect()
}
