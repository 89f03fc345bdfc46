//! Publishes diagnostics: what the threads that check files have found.

use crate::lsp::diagnostic::diagnostics;
use crate::lsp::outcome::CheckOutcome;
use crate::lsp::server::Server;
use crate::lsp::worker::WorkerResult;
use lsp_server::Request;
use lsp_types::{Diagnostic, Uri};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Server {
    /// Takes a result of a thread.
    pub(super) fn finished(&mut self, result: WorkerResult) {
        if self.shutdown {
            return;
        }
        match result {
            WorkerResult::Checked(uri, outcome) => {
                let Some(file) = self.state.files.get_mut(uri.as_str()) else { return };
                if file.version != outcome.version {
                    return;
                }
                let outcome = Arc::new(*outcome);
                file.checked = Some(outcome.clone());
                self.show(&uri, &outcome);
            }
            WorkerResult::Read(uri, version, report) => {
                let file = self.state.files.get_mut(uri.as_str());
                if let Some(outcome) = file.and_then(|file| file.read(version, report)) {
                    self.show(&uri, &outcome);
                }
            }
            WorkerResult::Hints(uri, hints) => {
                let Some(file) = self.state.files.get_mut(uri.as_str()) else { return };
                file.hints = Some(Arc::new(*hints));
                if self.state.client.refresh_hints {
                    let id = self.outgoing.id();
                    self.send(Request { id, method: "workspace/inlayHint/refresh".to_string(), params: Value::Null });
                }
            }
            WorkerResult::Failed(uri) => {
                let message = format!("checking {} failed through a mistake of Alphorn", uri.as_str());
                self.notify("window/logMessage", json!({ "type": 1, "message": message }));
            }
        }
    }

    /// Publishes what a check of an open file has found.
    fn show(&mut self, uri: &Uri, outcome: &CheckOutcome) {
        let found = diagnostics(&self.state, outcome, uri);
        let before = self.published.insert(uri.as_str().to_string(), found);
        self.publish(uri, before);
    }

    /// Publishes the diagnostics of a file, and those of the other files that it reports or reported.
    fn publish(&self, uri: &Uri, before: Option<BTreeMap<String, Vec<Diagnostic>>>) {
        let now = self.published.get(uri.as_str());
        let keys: BTreeSet<String> =
            before.iter().chain(now).flat_map(|all| all.keys().cloned()).chain([uri.as_str().to_string()]).collect();
        for key in keys {
            // An open file reports its own problems.
            let open = self.state.files.get(&key);
            let mut list: Vec<Diagnostic> = Vec::new();
            let all = self.published.iter().filter(|(owner, _)| open.is_none() || **owner == key);
            for diagnostic in all.filter_map(|(_, found)| found.get(&key)).flatten() {
                if open.is_some() || !list.contains(diagnostic) {
                    list.push(diagnostic.clone());
                }
            }
            let mut params = json!({ "uri": key, "diagnostics": list });
            if let Some(file) = open {
                params["version"] = json!(file.version);
            }
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    /// Forgets the diagnostics of a closed file.
    pub(super) fn unpublish(&mut self, uri: &Uri) {
        self.reader.forget(uri);
        self.checker.forget(uri);
        self.stop_commands(Some(uri));
        let before = self.published.remove(uri.as_str());
        self.publish(uri, before);
    }
}
