//! Load options: the files, overlays, parameters and typed clauses of a program.
//!
//! They hold names and texts as the user gives them. [`LoadOptions::open`] makes a new session of them
//! whenever the files change.

use super::{Budgets, Failure, Session, SessionResult};
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::{ProgramOptions, Unsaved};
use alphorn_rules::rules::{self, Expected};
use alphorn_text::code::Code;
use alphorn_text::interrupt;
use alphorn_text::report::Problem;
use alphorn_text::source::{Origin, Source, Sources};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What to load, and the budgets of the session.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The files of rules, the main file first.
    pub files: Vec<String>,
    /// Rules without a file, loaded after `files`.
    pub texts: Vec<Source>,
    /// Overlays: files that replace predicates of the rules.
    pub overlays: Vec<String>,
    /// Changed parameters of the game: names and values.
    pub params: Vec<(String, String)>,
    /// Clauses that replace predicates as overlays do.
    pub typed: Vec<String>,
    /// The steps for one question to the rules or for one goal; `None` for the default.
    pub steps: Option<u64>,
    /// The bytes for one evaluation; `None` for the default.
    pub memory: Option<u64>,
    /// The texts of files that an editor has changed and not saved.
    pub unsaved: Unsaved,
}

/// The name of typed clauses in messages.
pub const TYPED: &str = "typed rules";

impl LoadOptions {
    /// Whether other options name the same files and texts.
    pub fn is_same_game(&self, other: &LoadOptions) -> bool {
        let names = |options: &LoadOptions| options.texts.iter().map(|text| text.name.to_string()).collect::<Vec<_>>();
        self.files == other.files && names(self) == names(other)
    }

    /// The options that load one file.
    pub fn of_file(path: &str) -> LoadOptions {
        LoadOptions { files: vec![path.to_string()], ..LoadOptions::default() }
    }

    /// The options that load rules without a file. `name` is their name in messages.
    pub fn of_text(name: &str, rules: &str) -> LoadOptions {
        LoadOptions { texts: vec![Source::typed(name, rules)], ..LoadOptions::default() }
    }

    /// Reads the files and loads them.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or the texts have errors.
    pub fn open(&self, expected: Expected, stop: &Arc<AtomicBool>) -> SessionResult<Session> {
        let mut texts = sources(&self.files)?;
        texts.extend_from_slice(&self.texts);
        if texts.is_empty() {
            texts.push(Source::typed("nothing", ""));
        }
        let mut overlays = sources(&self.overlays)?;
        if !self.typed.is_empty() {
            overlays.push(Source::typed(TYPED, &self.text()));
        }
        let options = ProgramOptions {
            settings: self.params.clone(),
            unsaved: self.unsaved.clone(),
            ..ProgramOptions::default()
        };
        let budgets = Budgets::new(self.steps, self.memory);
        Session::open(&texts, &overlays, &options, expected, budgets, stop.clone())
    }

    /// Whether no option is set.
    pub fn is_empty(&self) -> bool {
        let LoadOptions { files, texts, overlays, params, typed, steps, memory, unsaved: _ } = self;
        let named =
            files.is_empty() && texts.is_empty() && overlays.is_empty() && params.is_empty() && typed.is_empty();
        named && steps.is_none() && memory.is_none()
    }

    /// These options with those of `change` added. If both set a budget, `change` wins.
    pub fn changed(&self, change: &LoadOptions) -> LoadOptions {
        LoadOptions {
            files: [&self.files[..], &change.files].concat(),
            texts: [&self.texts[..], &change.texts].concat(),
            overlays: [&self.overlays[..], &change.overlays].concat(),
            params: [&self.params[..], &change.params].concat(),
            typed: [&self.typed[..], &change.typed].concat(),
            steps: change.steps.or(self.steps),
            memory: change.memory.or(self.memory),
            unsaved: self.unsaved.clone(),
        }
    }

    /// The typed clauses as a text.
    pub fn text(&self) -> String {
        self.typed.iter().map(|clause| format!("{clause}\n")).collect()
    }
}

/// The maximum number of folder entries in a search for similar names.
const MANY: usize = 10_000;

/// Reads a file of rules; `-` is standard input.
///
/// # Errors
///
/// The file cannot be read. The help suggests a similar file or a game that comes with alphorn.
pub fn source(path: &str) -> Result<Source, Failure> {
    let read = interrupt::idle(|| match path {
        "-" => Source::read_from("<stdin>", std::io::stdin().lock(), Origin::Typed),
        path => interrupt::opened(path, || Ok(Source::read(path)))
            .unwrap_or_else(|error| Err(alphorn_text::source::unreadable(path, &error))),
    });
    read.map_err(|message| {
        let problem = Problem::placeless(Code::InvalidArgument, message).maybe_help(meant_file(path));
        Failure::Problem(Box::new(problem), Arc::new(Sources::default()))
    })
}

/// A suggestion for a file that does not exist: the nearest name in its folder, or a game that comes
/// with alphorn.
pub fn meant_file(path: &str) -> Option<String> {
    let path = Path::new(path);
    if path.exists() {
        return None;
    }
    let (name, stem) = (path.file_name()?.to_str()?, path.file_stem()?.to_str()?);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let of_rules = |folder: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MANY);
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| name.ends_with(".pl"));
        names.sort();
        names
    };
    // Shipped games are in the folder `games`, and users often omit the suffix.
    let folders = [folder.unwrap_or(Path::new(".")).to_path_buf(), Path::new("games").to_path_buf()];
    for folder in &folders {
        let there = of_rules(folder);
        let same = there.iter().find(|other| other.strip_suffix(".pl") == Some(stem)).map(String::as_str);
        if let Some(near) = same.or_else(|| nearest(name, there.iter().map(String::as_str))) {
            let near = folder.strip_prefix(".").unwrap_or(folder).join(near);
            return Some(format!("did you mean {}?", near.display()));
        }
    }
    let games: Vec<&str> = rules::examples().iter().map(|(name, _)| *name).collect();
    let game = games.iter().find(|name| **name == stem).copied().or_else(|| nearest(stem, games.iter().copied()))?;
    Some(format!("{game} comes with alphorn: alphorn example {game} > {game}.pl"))
}

/// Reads several files of rules.
pub fn sources(paths: &[String]) -> SessionResult<Vec<Source>> {
    paths.iter().map(|path| source(path)).collect()
}
