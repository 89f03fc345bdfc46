//! Which files on disk belong together.
//!
//! The rules: a first comment `% overlay of NAME` makes a file an overlay. A file without openings that another
//! file of its folder loads is a part of that file. A file that begins with `:- module(...)` is a module.
//! Any other file without openings and moves is an overlay of the game that it fits best, if one fits. All
//! other files are games.

use crate::lsp::folder::{rules_in, workspace_files};
use crate::lsp::outcome::Role;
use crate::lsp::state::{EditorState, OpenFile};
use crate::lsp::uri::normal;
use alphorn_ide::ide::analysis::TextAnalysis;
use alphorn_ide::ide::project::{FileFacts, fit, overlay_comment};
use alphorn_lang::lang::ProgramOptions;
use alphorn_text::source::Source;
use alphorn_text::symbol::Atom;
use lsp_types::Uri;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether a file loads another one.
fn loads(facts: &FileFacts, from: &Path, file: &Path) -> bool {
    let folder = from.parent().unwrap_or(Path::new(""));
    facts.loads.iter().any(|name| named_file(folder, name) == file)
}

impl EditorState {
    /// The facts of a file, open or on disk.
    fn facts_of(&mut self, path: &Path) -> Option<Arc<FileFacts>> {
        match self.files.values_mut().find(|file| file.path.as_deref() == Some(path)) {
            Some(file) => Some(file.facts()),
            None => self.folder.facts(path),
        }
    }

    /// The part that an open file plays.
    pub fn role(&mut self, uri: &Uri) -> Option<Role> {
        let file = self.files.get(uri.as_str())?;
        let Some(path) = file.path.clone() else { return Some(Role::Game) };
        let source = file.source();
        Some(self.role_of(&path, &source))
    }

    pub(super) fn role_of(&mut self, path: &Path, source: &Source) -> Role {
        let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        if let Some(name) = overlay_comment(&source.text) {
            let game = named_file(&folder, name);
            if self.text_of(&game).is_some() && game != *path {
                return Role::Overlay(game);
            }
        }
        // Most files are games, and reading a long text on every change takes time.
        if source.text.lines().any(|line| line.starts_with("initial(")) {
            return Role::Game;
        }
        let open = self.files.values_mut().find(|file| file.path.as_deref() == Some(path));
        let open = open.filter(|file| file.document.rules() == source.text);
        let facts = open.map_or_else(|| Arc::new(FileFacts::read(&source.text)), OpenFile::facts);
        let defines = |name: &str, arity: usize| facts.defines.contains(&(Atom::new(name), arity));
        if facts.game || facts.defines.is_empty() {
            return Role::Game;
        }
        let others: Vec<PathBuf> = rules_in(&folder).into_iter().filter(|other| other != path).collect();
        let mut known: Vec<(PathBuf, Arc<FileFacts>)> = Vec::new();
        for other in others {
            known.extend(self.facts_of(&other).map(|facts| (other, facts)));
        }
        let loaders: Vec<_> = known.iter().filter(|(other, facts)| loads(facts, other, path)).collect();
        let game = loaders.iter().find(|(_, facts)| facts.game).or(loaders.first());
        if let Some((loader, _)) = game {
            return Role::Part(loader.clone());
        }
        if facts.module {
            return Role::Module;
        }
        if defines("move", 3) || defines("moves", 2) || defines("chance", 2) {
            return Role::Game;
        }
        match best_game(path, source, &facts, &known) {
            Some(game) => Role::Overlay(game),
            None => Role::Game,
        }
    }

    /// The files that load together with a file: itself first, then the files that it loads, those that load
    /// it, and the overlays of its game.
    pub fn companions(&mut self, uri: &Uri) -> Vec<PathBuf> {
        let Some(path) = self.files.get(uri.as_str()).and_then(|file| file.path.clone()) else { return Vec::new() };
        let mut found = vec![path.clone()];
        if let Some(role) = self.role(uri) {
            match role {
                Role::Overlay(game) | Role::Part(game) => found.push(game),
                Role::Game | Role::Module => {}
            }
        }
        let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        let mut files = rules_in(&folder);
        files.extend(workspace_files(&self.folders));
        files.sort();
        files.dedup();
        let mut facts: Vec<(PathBuf, Arc<FileFacts>)> = Vec::new();
        for file in files {
            facts.extend(self.facts_of(&file).map(|facts| (file, facts)));
        }
        // Each file may load others, so the set grows until nothing is new.
        let mut at = 0;
        while at < found.len() {
            let this = found[at].clone();
            let own = self.facts_of(&this);
            let mut fresh: Vec<PathBuf> = Vec::new();
            for (other, of) in &facts {
                let joined = own.as_ref().is_some_and(|own| loads(own, &this, other)) || loads(of, other, &this);
                if joined || is_overlay_of(of, other, &this) {
                    fresh.push(other.clone());
                }
            }
            for path in fresh {
                if !found.contains(&path) {
                    found.push(path);
                }
            }
            at += 1;
        }
        found
    }
}

/// The path of a file that another one in this folder names, with or without the ending `.pl`.
fn named_file(folder: &Path, name: &str) -> PathBuf {
    let mut path = normal(&folder.join(name));
    if path.extension().is_none() {
        path.set_extension("pl");
    }
    path
}

/// Whether a file names another one as the game of its overlay.
fn is_overlay_of(facts: &FileFacts, file: &Path, game: &Path) -> bool {
    let folder = file.parent().unwrap_or(Path::new("/"));
    facts.overlay_of.as_ref().is_some_and(|name| named_file(folder, name) == game)
}

/// The game of the folder that an overlay fits best: most common predicates, then the longest common
/// beginning of the names.
fn best_game(path: &Path, source: &Source, facts: &FileFacts, known: &[(PathBuf, Arc<FileFacts>)]) -> Option<PathBuf> {
    let alone = TextAnalysis::of(source, &[], &ProgramOptions::default(), None);
    let common = |other: &Path| {
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_string()).unwrap_or_default();
        let (one, other) = (stem(path), stem(other));
        one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
    };
    let fitting = known.iter().filter_map(|(game, of)| Some((fit(&alone, facts, of)?, common(game), game)));
    let mut best: Option<(usize, usize, &PathBuf)> = None;
    for (shared, common, game) in fitting {
        if best.is_none_or(|(most, longest, _)| (shared, common) > (most, longest)) {
            best = Some((shared, common, game));
        }
    }
    best.map(|(_, _, game)| game.clone())
}
