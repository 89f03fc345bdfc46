//! The open files, and what the client can do.

use crate::lsp::colours::DocumentColours;
use crate::lsp::early::early;
use crate::lsp::folder::Folder;
use crate::lsp::outcome::{CheckOutcome, Hints};
use crate::lsp::uri::path_of;
use alphorn_ide::ide::analysis::TextAnalysis;
use alphorn_ide::ide::project::FileFacts;
use alphorn_ide::ide::syntax::Syntax;
use alphorn_ide::ide::text::{Document, Encoding};
use alphorn_lang::lang::format::Formatter;
use alphorn_lang::lang::kept::KeptSentences;
use alphorn_lang::lang::{ProgramOptions, Unsaved};
use alphorn_text::report::Report;
use alphorn_text::source::{Origin, Source};
use lsp_types::Uri;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings of the user, from the `initializationOptions` or the configuration of the client.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Whether hints show what makes rules slow.
    pub cost_hints: bool,
    /// Whether hints show which expectations hold.
    pub expectation_hints: bool,
    /// Seconds for each expectation of a hint.
    pub expectation_seconds: f64,
    /// Whether code lenses are shown.
    pub lenses: bool,
    /// Seconds for the value of a code lens.
    pub value_seconds: f64,
    /// Plies of the count of a code lens.
    pub perft_depth: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            cost_hints: true,
            expectation_hints: true,
            expectation_seconds: 1.0,
            lenses: true,
            value_seconds: 10.0,
            perft_depth: 4,
        }
    }
}

/// What the client can do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client {
    /// Completions may contain places to fill in.
    pub snippets: bool,
    /// The server may ask for new hints.
    pub refresh_hints: bool,
    /// The server may ask to watch files.
    pub watch_files: bool,
}

/// An open file.
pub struct OpenFile {
    /// The URI.
    pub uri: Uri,
    /// The path; `None` for a text that was never saved.
    pub path: Option<PathBuf>,
    /// The version, counted by the client.
    pub version: i32,
    /// The text.
    pub document: Document,
    /// The analysis of the text, and whether it is that of the current text.
    analysis: Option<(Arc<TextAnalysis>, bool)>,
    /// The sentences from which the facts of the file were read last, and these facts.
    facts: Option<(Syntax, Arc<FileFacts>)>,
    /// The colours of the last answers.
    pub colours: DocumentColours,
    /// The formatter, which keeps what stays.
    pub formatter: Formatter,
    /// The last finished check.
    pub checked: Option<Arc<CheckOutcome>>,
    /// What reading a long text has found: for the version of the last check, and for a later one.
    pub reports: Vec<(i32, Report)>,
    /// The sentences of the last texts, for the next check.
    pub kept: KeptSentences,
    /// The last finished hints.
    pub hints: Option<Arc<Hints>>,
}

/// Everything that requests need.
pub struct EditorState {
    /// The unit of columns.
    pub encoding: Encoding,
    /// The open files by URI.
    pub files: BTreeMap<String, OpenFile>,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// The settings.
    pub settings: Settings,
    /// What the client can do.
    pub client: Client,
    /// Facts of the files on disk.
    pub folder: Folder,
    /// The folder to which the texts of libraries are written, to show them.
    pub library_folder: Option<PathBuf>,
}

impl OpenFile {
    /// A file with this text.
    pub fn new(uri: Uri, version: i32, text: &str) -> OpenFile {
        let path = path_of(&uri);
        let document = Document::new(text);
        OpenFile {
            uri,
            path,
            version,
            document,
            analysis: None,
            facts: None,
            colours: DocumentColours::default(),
            formatter: Formatter::default(),
            checked: None,
            reports: Vec::new(),
            kept: KeptSentences::default(),
            hints: None,
        }
    }

    /// The name in messages: the path, or the URI.
    pub fn name(&self) -> String {
        let path = self.path.as_ref().map(|path| path.to_string_lossy().to_string());
        path.unwrap_or_else(|| self.uri.as_str().to_string())
    }

    /// The text with its name, for the language.
    pub fn source(&self) -> Source {
        let origin = self.path.clone().map_or(Origin::Typed, Origin::File);
        Source { name: self.name().into(), text: self.document.rules(), origin }
    }

    /// What the file defines and loads.
    pub fn facts(&mut self) -> Arc<FileFacts> {
        let text = self.document.rules();
        if let Some((syntax, facts)) = &self.facts
            && syntax.text == text
        {
            return facts.clone();
        }
        let syntax = FileFacts::syntax(&text, self.facts.as_ref().map(|(syntax, _)| syntax));
        let facts = Arc::new(FileFacts::of(&syntax));
        self.facts = Some((syntax, facts.clone()));
        facts
    }

    /// Marks the analysis as that of an older text.
    pub fn changed(&mut self) {
        if let Some((_, current)) = &mut self.analysis {
            *current = false;
        }
    }

    /// Stores what reading a version of the text has found. Returns the early diagnostics, if the last check was that of
    /// an older text.
    pub fn read(&mut self, version: i32, report: Report) -> Option<CheckOutcome> {
        let checked = self.checked.clone();
        let base = checked.as_ref().map(|checked| checked.version);
        self.reports.retain(|(other, _)| Some(*other) == base && *other != version);
        self.reports.push((version, report));
        match (&self.reports[..], &checked) {
            ([(_, before), (_, now)], Some(checked)) if version == self.version => early(checked, before, now),
            _ => None,
        }
    }

    /// Forgets the analysis, because another file changed.
    pub fn forget(&mut self) {
        self.analysis = None;
    }
}

impl EditorState {
    /// The texts of open files, by path.
    pub fn unsaved(&self) -> Unsaved {
        let open = self.files.values();
        Arc::new(open.filter_map(|file| Some((file.path.clone()?, file.document.rules()))).collect())
    }

    /// The load options of programs.
    pub fn options(&self) -> ProgramOptions {
        ProgramOptions { unsaved: self.unsaved(), ..ProgramOptions::default() }
    }

    /// The analysis of an open file.
    pub fn analysis(&mut self, uri: &Uri) -> Option<Arc<TextAnalysis>> {
        let key = uri.as_str();
        if let Some((analysis, true)) = &self.files.get(key)?.analysis {
            return Some(analysis.clone());
        }
        let options = self.options();
        let before = self.game_of(uri);
        let file = self.files.get_mut(key)?;
        let last = file.analysis.take().map(|(last, _)| last);
        let analysis = Arc::new(TextAnalysis::of(&file.source(), &before, &options, last.as_deref()));
        file.analysis = Some((analysis.clone(), true));
        Some(analysis)
    }

    /// The game of an overlay, as the texts before it. Empty for other files.
    fn game_of(&mut self, uri: &Uri) -> Vec<Source> {
        let game = self.role(uri).and_then(|role| role.game_of_overlay().map(Path::to_path_buf));
        game.and_then(|path| self.text_of(&path)).into_iter().collect()
    }

    /// The text of a file, open or on disk.
    pub fn text_of(&self, path: &Path) -> Option<Source> {
        match self.files.values().find(|file| file.path.as_deref() == Some(path)) {
            Some(file) => Some(file.source()),
            None => Source::read(path.to_str()?).ok(),
        }
    }

    /// A text as a document: that of the open file if it has this text.
    pub fn document_of(&self, source: &Source) -> Document {
        let open = self.files.values().find(|file| *file.name() == *source.name);
        match open.filter(|file| file.document.rules() == source.text) {
            Some(file) => file.document.clone(),
            None => Document::new(&source.text),
        }
    }

    /// Reads the settings from JSON; missing ones keep their values.
    pub fn configure(&mut self, value: &Value) {
        let value = value.get("alphorn").unwrap_or(value);
        if let Ok(settings) = serde_json::from_value::<Settings>(value.clone()) {
            self.settings = settings;
        }
    }
}
