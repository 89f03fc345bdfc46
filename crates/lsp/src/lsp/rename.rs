//! Requests about several files: references, renaming, symbols of the workspace.

use crate::lsp::convert::range;
use crate::lsp::diagnostic::location_uri;
use crate::lsp::folder::workspace_files;
use crate::lsp::outcome::Role;
use crate::lsp::request::symbol_kind;
use crate::lsp::state::EditorState;
use alphorn_ide::ide::analysis::TextAnalysis;
use alphorn_ide::ide::hover::target;
use alphorn_ide::ide::navigate::references;
use alphorn_ide::ide::outline::symbols;
use alphorn_ide::ide::rename::{ProgramFiles, can_rename, rename};
use alphorn_lang::lang::ProgramOptions;
use lsp_types::{Location, Position, Uri};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;

/// The greatest number of symbols of the workspace in one answer.
const MANY: usize = 500;

impl EditorState {
    /// The analyses of the files that load together with a file, itself first.
    fn together(&mut self, uri: &Uri) -> Vec<Arc<TextAnalysis>> {
        let paths = self.companions(uri);
        let mut found: Vec<Arc<TextAnalysis>> = self.analysis(uri).into_iter().collect();
        for path in paths.iter().skip(1) {
            found.extend(self.analysis_of(path));
        }
        found
    }

    /// The analysis of a file that may not be open.
    fn analysis_of(&mut self, path: &Path) -> Option<Arc<TextAnalysis>> {
        let open = self.files.values().find(|file| file.path.as_deref() == Some(path)).map(|file| file.uri.clone());
        match open {
            Some(uri) => self.analysis(&uri),
            None => {
                let source = self.text_of(path)?;
                let game = match self.role_of(path, &source) {
                    Role::Overlay(game) => self.text_of(&game),
                    _ => None,
                };
                let before: Vec<_> = game.into_iter().collect();
                Some(Arc::new(TextAnalysis::of(&source, &before, &self.options(), None)))
            }
        }
    }

    pub(super) fn references(&mut self, uri: &Uri, at: Position, declaration: bool) -> Option<Value> {
        let offset = self.here(uri)?.offset(at);
        let files = self.together(uri);
        let list: Vec<&TextAnalysis> = files.iter().map(|file| &**file).collect();
        let places = references(&list, offset);
        let found =
            places.into_iter().filter(|(_, place)| declaration || !place.defines).filter_map(|(number, place)| {
                let file = &files[number];
                let uri = location_uri(self, &file.source)?;
                let document = self.document_of(&file.source);
                Some(Location { uri, range: range(&document, &place.range, self.encoding) })
            });
        Some(json!(found.collect::<Vec<_>>()))
    }

    pub(super) fn prepare_rename(&mut self, uri: &Uri, at: Position) -> Result<Value, String> {
        let Some(here) = self.here(uri) else { return Ok(Value::Null) };
        let offset = here.offset(at);
        let found = can_rename(&here.analysis, offset)?;
        let name = here.analysis.syntax.text[found.clone()].to_string();
        Ok(json!({ "range": here.range(&found), "placeholder": name }))
    }

    pub(super) fn rename(&mut self, uri: &Uri, at: Position, new: &str) -> Result<Value, String> {
        let Some(here) = self.here(uri) else { return Ok(Value::Null) };
        let offset = here.offset(at);
        let local = matches!(target(&here.analysis, offset), Some((alphorn_ide::ide::hover::Target::Variable(..), _)));
        let files = if local { self.analysis(uri).into_iter().collect() } else { self.together(uri) };
        let list: Vec<&TextAnalysis> = files.iter().map(|file| &**file).collect();
        let (programs, options) = (self.programs(&files), self.options());
        let edits = rename(&list, &programs, &options, offset, new)?;
        let mut changes = Map::new();
        for (number, list) in edits {
            let file = &files[number];
            let document = self.document_of(&file.source);
            let Some(uri) = location_uri(self, &file.source) else { continue };
            let edit = |(bytes, text): &(std::ops::Range<usize>, String)| json!({ "range": range(&document, bytes, self.encoding), "newText": text });
            changes.insert(uri.as_str().to_string(), Value::Array(list.iter().map(edit).collect()));
        }
        Ok(json!({ "changes": changes }))
    }

    /// The programs that files make: each game, each overlay with its game, each module.
    fn programs(&mut self, files: &[Arc<TextAnalysis>]) -> Vec<ProgramFiles> {
        let mut found = Vec::new();
        for file in files {
            let source = file.source.clone();
            let role = match &source.origin {
                alphorn_text::source::Origin::File(path) => self.role_of(&path.clone(), &source),
                _ => Role::Game,
            };
            match role {
                Role::Overlay(game) => {
                    let game = self.text_of(&game);
                    found.extend(game.map(|game| ProgramFiles { texts: vec![game], overlays: vec![source] }));
                }
                Role::Game | Role::Module => found.push(ProgramFiles { texts: vec![source], overlays: Vec::new() }),
                // The file that loads it is in the list too.
                Role::Part(_) => {}
            }
        }
        found
    }

    /// The symbols of open files and of the files of the workspace whose names contain the letters.
    pub(super) fn workspace_symbols(&mut self, query: &str) -> Value {
        let query = query.to_lowercase();
        let mut paths = workspace_files(&self.folders);
        paths.extend(self.files.values().filter_map(|file| file.path.clone()));
        paths.sort();
        paths.dedup();
        let mut found = Vec::new();
        for path in paths {
            let open =
                self.files.values().find(|file| file.path.as_deref() == Some(&*path)).map(|file| file.uri.clone());
            let analysis = match open {
                Some(uri) => self.analysis(&uri),
                None => self
                    .text_of(&path)
                    .map(|source| Arc::new(TextAnalysis::of(&source, &[], &ProgramOptions::default(), None))),
            };
            let Some(analysis) = analysis else { continue };
            let Some(uri) = location_uri(self, &analysis.source) else { continue };
            let document = self.document_of(&analysis.source);
            for symbol in symbols(&analysis).iter().filter(|symbol| symbol.name.to_lowercase().contains(&query)) {
                let container = path.file_name().map(|name| name.to_string_lossy().to_string());
                let location = json!({ "uri": uri, "range": range(&document, &symbol.selection, self.encoding) });
                found.push(json!({
                    "name": symbol.name,
                    "kind": symbol_kind(symbol.kind),
                    "location": location,
                    "containerName": container,
                }));
            }
            if found.len() >= MANY {
                break;
            }
        }
        found.truncate(MANY);
        Value::Array(found)
    }
}
