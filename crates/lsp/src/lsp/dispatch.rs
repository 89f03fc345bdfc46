//! Sends each request to its answer, and carries out notifications.

use crate::lsp::convert::bytes;
use crate::lsp::request::Here;
use crate::lsp::server::Server;
use crate::lsp::state::OpenFile;
use crate::lsp::uri::path_of;
use lsp_server::{ErrorCode, Notification};
use lsp_types::{self as types, Uri};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The answer to a request, or the reason why there is none.
type Answer = Result<Value, (ErrorCode, String)>;

/// Reads the parameters of a request.
fn read<P: DeserializeOwned>(params: Value) -> Result<P, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

/// The text that a request is about.
fn document(params: &Value) -> Result<Uri, (ErrorCode, String)> {
    read(params["textDocument"].clone()).map(|document: types::TextDocumentIdentifier| document.uri)
}

impl Server {
    /// Answers a request about texts. A file that is not open has the answer null.
    pub(super) fn answer(&mut self, method: &str, params: Value) -> Answer {
        let refused = |message: String| (ErrorCode::RequestFailed, message);
        match method {
            "textDocument/hover" => self.at(&params, |here, at| here.hover(at)),
            "textDocument/completion" => self.at(&params, |here, at| here.complete(at)),
            "textDocument/signatureHelp" => self.at(&params, |here, at| here.signature(at)),
            "textDocument/definition" => self.at(&params, |here, at| here.definition(at)),
            "textDocument/documentHighlight" => self.at(&params, |here, at| here.highlights(at)),
            "textDocument/documentSymbol" => self.in_file(&params, |here| Ok(here.symbols())),
            "textDocument/foldingRange" => self.in_file(&params, |here| Ok(here.folds())),
            "textDocument/codeLens" => self.in_file(&params, |here| Ok(here.lenses())),
            "textDocument/inlayHint" => self.in_file(&params, |here| Ok(here.hints(read(params["range"].clone())?))),
            "textDocument/codeAction" => self.in_file(&params, |here| Ok(here.actions(&read(params.clone())?))),
            "textDocument/references" => {
                let params: types::ReferenceParams = read(params)?;
                let at = params.text_document_position;
                let found =
                    self.state.references(&at.text_document.uri, at.position, params.context.include_declaration);
                Ok(found.unwrap_or_default())
            }
            "textDocument/prepareRename" => {
                let at: types::TextDocumentPositionParams = read(params)?;
                self.state.prepare_rename(&at.text_document.uri, at.position).map_err(refused)
            }
            "textDocument/rename" => {
                let params: types::RenameParams = read(params)?;
                let at = params.text_document_position;
                self.state.rename(&at.text_document.uri, at.position, &params.new_name).map_err(refused)
            }
            "textDocument/semanticTokens/full" | "textDocument/semanticTokens/full/delta" => {
                let found = self.state.tokens(&document(&params)?, params["previousResultId"].as_str());
                Ok(found.unwrap_or_default())
            }
            "textDocument/semanticTokens/range" => {
                let params: types::SemanticTokensRangeParams = read(params)?;
                let uri = &params.text_document.uri;
                let Some(file) = self.state.files.get(uri.as_str()) else { return Ok(Value::Null) };
                let wanted = bytes(&file.document, params.range, self.state.encoding);
                Ok(self.state.tokens_in(uri, wanted).unwrap_or_default())
            }
            "textDocument/formatting" => Ok(self.state.format(&document(&params)?).unwrap_or_default()),
            "workspace/symbol" => {
                let params: types::WorkspaceSymbolParams = read(params)?;
                Ok(self.state.workspace_symbols(&params.query))
            }
            _ => Err((ErrorCode::MethodNotFound, format!("the server has no method {method}"))),
        }
    }

    /// The answer about an open file.
    fn in_file(&mut self, params: &Value, answer: impl FnOnce(&Here<'_>) -> Answer) -> Answer {
        self.state.here(&document(params)?).map_or(Ok(Value::Null), |here| answer(&here))
    }

    /// The answer about a position in an open file.
    fn at(&mut self, params: &Value, answer: impl FnOnce(&Here<'_>, types::Position) -> Value) -> Answer {
        self.in_file(params, |here| Ok(answer(here, read(params["position"].clone())?)))
    }

    /// Carries out a notification.
    pub(super) fn notification(&mut self, note: Notification) {
        let Notification { method, params } = note;
        match method.as_str() {
            "initialized" => self.watch_files(),
            "textDocument/didOpen" => {
                if let Ok(types::DidOpenTextDocumentParams { text_document: text }) = read(params) {
                    let key = text.uri.as_str().to_string();
                    self.state.files.insert(key, OpenFile::new(text.uri.clone(), text.version, &text.text));
                    self.forget_others(&text.uri);
                    self.check(&text.uri);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = read::<types::DidChangeTextDocumentParams>(params) {
                    self.change(params);
                }
            }
            "textDocument/didClose" => {
                if let Ok(types::DidCloseTextDocumentParams { text_document }) = read(params) {
                    self.state.files.remove(text_document.uri.as_str());
                    self.unpublish(&text_document.uri);
                    self.forget_others(&text_document.uri);
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.files_changed(),
            "workspace/didChangeConfiguration" => {
                self.state.configure(&params["settings"]);
                self.configured();
                self.files_changed();
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(params) = read::<types::DidChangeWorkspaceFoldersParams>(params) {
                    let path = |folder: &types::WorkspaceFolder| path_of(&folder.uri);
                    let gone: Vec<_> = params.event.removed.iter().filter_map(path).collect();
                    self.state.folders.retain(|folder| !gone.contains(folder));
                    self.state.folders.extend(params.event.added.iter().filter_map(path));
                }
            }
            "$/cancelRequest" => self.cancel(&params),
            _ => {}
        }
    }

    /// Applies the changes of a text.
    fn change(&mut self, params: types::DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let encoding = self.state.encoding;
        let Some(file) = self.state.files.get_mut(uri.as_str()) else { return };
        for change in params.content_changes {
            match change.range {
                Some(range) => {
                    let range = bytes(&file.document, range, encoding);
                    file.document.replace(range, &change.text);
                }
                None => file.document = alphorn_ide::ide::text::Document::new(&change.text),
            }
        }
        file.version = params.text_document.version;
        file.changed();
        self.stop_commands(Some(&uri));
        self.check(&uri);
    }

    /// Checks all open files again, because files on disk changed.
    fn files_changed(&mut self) {
        let all: Vec<Uri> = self.state.files.values().map(|file| file.uri.clone()).collect();
        for uri in all {
            self.state.files.get_mut(uri.as_str()).into_iter().for_each(OpenFile::forget);
            self.check(&uri);
        }
    }

    /// Forgets what other open files know of a file, and checks them again.
    fn forget_others(&mut self, uri: &Uri) {
        let others: Vec<Uri> =
            self.state.files.values().map(|file| file.uri.clone()).filter(|one| one != uri).collect();
        for other in others {
            self.state.files.get_mut(other.as_str()).into_iter().for_each(OpenFile::forget);
            self.check(&other);
        }
    }
}
