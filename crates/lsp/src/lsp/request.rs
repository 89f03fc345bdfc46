//! Answers requests about texts. Every answer takes milliseconds, because nothing is run here.

use crate::lsp::action::actions;
use crate::lsp::command::COMMANDS;
use crate::lsp::convert::{bytes, offset, range};
use crate::lsp::diagnostic::location_uri;
use crate::lsp::hint;
use crate::lsp::state::{EditorState, OpenFile};
use alphorn_ide::ide::analysis::TextAnalysis;
use alphorn_ide::ide::complete::{self, complete, load_place};
use alphorn_ide::ide::define::{FirstClause, first_clause};
use alphorn_ide::ide::hover::hover;
use alphorn_ide::ide::navigate::{Location, definition, local_places};
use alphorn_ide::ide::outline::{FoldKind, LensAction, SymbolKind, folds, lenses, symbols};
use alphorn_ide::ide::signature::signature;
use lsp_types::{self as types, Range, TextEdit, Uri};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// An open file with its analysis.
pub(super) struct Here<'a> {
    pub(super) state: &'a EditorState,
    pub(super) file: &'a OpenFile,
    pub(super) analysis: Arc<TextAnalysis>,
    /// Whether the lines of the file end with `\r\n`.
    crlf: bool,
}

impl EditorState {
    /// The open file with this URI and its analysis.
    pub(super) fn here(&mut self, uri: &Uri) -> Option<Here<'_>> {
        let analysis = self.analysis(uri)?;
        let state: &EditorState = self;
        let file = state.files.get(uri.as_str())?;
        let crlf = file.document.text().contains("\r\n");
        Some(Here { state, file, analysis, crlf })
    }

    /// The semantic tokens of some bytes of an open file.
    pub(super) fn tokens_in(&mut self, uri: &Uri, wanted: std::ops::Range<usize>) -> Option<Value> {
        let (analysis, encoding) = (self.analysis(uri)?, self.encoding);
        let OpenFile { colours, document, .. } = self.files.get_mut(uri.as_str())?;
        Some(json!({ "data": colours.numbers(&analysis, document, encoding, wanted) }))
    }

    /// The semantic tokens of an open file: all, or what differs from the answer with the number `previous`.
    pub(super) fn tokens(&mut self, uri: &Uri, previous: Option<&str>) -> Option<Value> {
        let (analysis, encoding) = (self.analysis(uri)?, self.encoding);
        let OpenFile { colours, document, .. } = self.files.get_mut(uri.as_str())?;
        let data = colours.numbers(&analysis, document, encoding, 0..usize::MAX);
        Some(colours.answer(data, previous))
    }

    /// The changes that format an open file.
    pub(super) fn format(&mut self, uri: &Uri) -> Option<Value> {
        let encoding = self.encoding;
        let file = self.files.get_mut(uri.as_str())?;
        let text = file.document.text();
        // A byte-order mark at the start is no part of the rules.
        let rules = text.trim_start_matches('\u{feff}');
        let begin = text.len() - rules.len();
        let edits = file.formatter.edits(rules).into_iter().map(|(bytes, new_text)| TextEdit {
            range: range(&file.document, &(bytes.start + begin..bytes.end + begin), encoding),
            new_text,
        });
        Some(json!(edits.collect::<Vec<_>>()))
    }
}

fn markdown(value: &str) -> Value {
    json!({ "kind": "markdown", "value": value })
}

impl Here<'_> {
    pub(super) fn offset(&self, at: types::Position) -> usize {
        offset(&self.file.document, at, self.state.encoding)
    }

    pub(super) fn range(&self, bytes: &std::ops::Range<usize>) -> Range {
        range(&self.file.document, bytes, self.state.encoding)
    }

    /// A text with the line ends of the file.
    fn with_line_ends(&self, text: &str) -> String {
        if self.crlf { text.replace('\n', "\r\n") } else { text.to_string() }
    }

    pub(super) fn hover(&self, at: types::Position) -> Value {
        match hover(&self.analysis, self.offset(at)) {
            Some(found) => json!({ "contents": markdown(&found.markdown), "range": self.range(&found.range) }),
            None => Value::Null,
        }
    }

    pub(super) fn complete(&self, at: types::Position) -> Value {
        let found = complete(&self.analysis, self.offset(at));
        let range = self.range(&found.range);
        let load = load_place(&self.analysis);
        let items = found.items.iter().enumerate().map(|(number, item)| {
            let mut value = self.completion(number, item, range);
            if let Some(library) = &item.library {
                let new_text = self.with_line_ends(&load.text(library));
                value["additionalTextEdits"] = json!([TextEdit { range: self.range(&(load.at..load.at)), new_text }]);
            }
            value
        });
        let items: Vec<Value> = items.collect();
        json!({ "isIncomplete": found.more, "items": items })
    }

    fn completion(&self, number: usize, item: &complete::Completion, range: Range) -> Value {
        use complete::CompletionKind::*;
        let kind = match item.kind {
            Predicate => types::CompletionItemKind::FUNCTION,
            Library => types::CompletionItemKind::METHOD,
            GamePredicate => types::CompletionItemKind::INTERFACE,
            Directive => types::CompletionItemKind::KEYWORD,
            Parameter => types::CompletionItemKind::PROPERTY,
            Variable => types::CompletionItemKind::VARIABLE,
            Atom => types::CompletionItemKind::CONSTANT,
            Module => types::CompletionItemKind::MODULE,
        };
        let snippets = self.state.client.snippets;
        let text = if snippets { item.snippet.clone() } else { plain(&item.snippet) };
        let mut value = json!({
            "label": item.label,
            "kind": kind,
            "sortText": format!("{number:05}"),
            "filterText": item.label,
            "insertTextFormat": if snippets { 2 } else { 1 },
            "textEdit": TextEdit { range, new_text: text },
        });
        if !item.detail.is_empty() {
            value["detail"] = json!(item.detail);
        }
        if !item.about.is_empty() {
            value["documentation"] = markdown(&item.about);
        }
        value
    }

    pub(super) fn signature(&self, at: types::Position) -> Value {
        let Some(found) = signature(&self.analysis, self.offset(at)) else { return Value::Null };
        let units = |text: &str| text.encode_utf16().count();
        let signatures = found.signatures.iter().map(|one| {
            // The label counts in UTF-16 units, whatever the unit of columns is.
            let place =
                |range: &std::ops::Range<usize>| [units(&one.heading[..range.start]), units(&one.heading[..range.end])];
            let parameters: Vec<Value> = one.arguments.iter().map(|range| json!({ "label": place(range) })).collect();
            json!({ "label": one.heading, "documentation": markdown(&one.about), "parameters": parameters })
        });
        let signatures: Vec<Value> = signatures.collect();
        json!({ "signatures": signatures, "activeSignature": found.active, "activeParameter": found.argument })
    }

    pub(super) fn location(&self, found: &Location) -> Option<types::Location> {
        let uri = location_uri(self.state, &found.source)?;
        let range = range(&self.state.document_of(&found.source), &found.range, self.state.encoding);
        Some(types::Location { uri, range })
    }

    pub(super) fn definition(&self, at: types::Position) -> Value {
        let found = definition(&self.analysis, self.offset(at));
        found.and_then(|found| self.location(&found)).map_or(Value::Null, |location| json!(location))
    }

    pub(super) fn highlights(&self, at: types::Position) -> Value {
        let places = local_places(&self.analysis, self.offset(at));
        let one = |place: &alphorn_ide::ide::navigate::NamePlace| json!({ "range": self.range(&place.range), "kind": if place.defines { 3 } else { 2 } });
        Value::Array(places.iter().map(one).collect())
    }

    pub(super) fn symbols(&self) -> Value {
        let one = |symbol: &alphorn_ide::ide::outline::Symbol| {
            json!({
                "name": symbol.name,
                "detail": symbol.detail,
                "kind": symbol_kind(symbol.kind),
                "range": self.range(&symbol.range),
                "selectionRange": self.range(&symbol.selection),
            })
        };
        Value::Array(symbols(&self.analysis).iter().map(one).collect())
    }

    pub(super) fn folds(&self) -> Value {
        let one = |(bytes, kind): &(std::ops::Range<usize>, FoldKind)| {
            let range = self.range(bytes);
            let mut value = json!({ "startLine": range.start.line, "endLine": range.end.line });
            match kind {
                FoldKind::Comment => value["kind"] = json!("comment"),
                FoldKind::Directives => value["kind"] = json!("imports"),
                FoldKind::Clauses => {}
            }
            (range.end.line > range.start.line).then_some(value)
        };
        Value::Array(folds(&self.analysis.syntax).iter().filter_map(one).collect())
    }

    pub(super) fn lenses(&self) -> Value {
        if !self.state.settings.lenses {
            return Value::Array(Vec::new());
        }
        let uri = self.file.uri.as_str();
        let one = |lens: &alphorn_ide::ide::outline::Lens| {
            let (name, args) = match lens.action {
                LensAction::Value => (COMMANDS[0].0, vec![json!(uri)]),
                LensAction::Perft => (COMMANDS[1].0, vec![json!(uri)]),
                LensAction::TestAll => (COMMANDS[2].0, vec![json!(uri)]),
                LensAction::Test(number) => (COMMANDS[2].0, vec![json!(uri), json!(number)]),
                LensAction::Play => (COMMANDS[3].0, vec![json!(uri)]),
            };
            let command = json!({ "title": lens.title, "command": name, "arguments": args });
            json!({ "range": self.range(&lens.range), "command": command })
        };
        Value::Array(lenses(&self.analysis).iter().map(one).collect())
    }

    pub(super) fn hints(&self, wanted: Range) -> Value {
        let wanted = bytes(&self.file.document, wanted, self.state.encoding);
        json!(hint::shown(self.file, &wanted, self.state.encoding))
    }

    /// The action that defines a predicate.
    fn definition_action(&self, clause: &FirstClause) -> types::CodeAction {
        let edit = TextEdit { range: self.range(&(clause.at..clause.at)), new_text: self.with_line_ends(&clause.text) };
        #[allow(clippy::mutable_key_type, reason = "the protocol uses URIs as keys")]
        let changes = HashMap::from([(self.file.uri.clone(), vec![edit])]);
        types::CodeAction {
            title: format!("Define {}", clause.indicator),
            kind: Some(types::CodeActionKind::REFACTOR),
            edit: Some(types::WorkspaceEdit { changes: Some(changes), ..types::WorkspaceEdit::default() }),
            ..types::CodeAction::default()
        }
    }

    pub(super) fn actions(&self, params: &types::CodeActionParams) -> Value {
        let only = params.context.only.as_deref().unwrap_or_default();
        let mut found = actions(self.state, self.file, params.range, &params.context.diagnostics);
        let clause = first_clause(&self.analysis, self.offset(params.range.start));
        found.extend(clause.map(|clause| self.definition_action(&clause)));
        let fits = |kind: &types::CodeActionKind| {
            only.is_empty()
                || only.iter().any(|wanted| {
                    let rest = kind.as_str().strip_prefix(wanted.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                })
        };
        found.retain(|action| action.kind.as_ref().is_some_and(fits));
        json!(found)
    }
}

/// The kind of a symbol in the protocol.
pub(super) fn symbol_kind(kind: SymbolKind) -> types::SymbolKind {
    match kind {
        SymbolKind::GamePredicate => types::SymbolKind::INTERFACE,
        SymbolKind::Predicate => types::SymbolKind::FUNCTION,
        SymbolKind::Param => types::SymbolKind::CONSTANT,
    }
}

/// A snippet as plain text: its places to fill in keep their words.
fn plain(snippet: &str) -> String {
    let (mut out, mut rest) = (String::new(), snippet);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let next = rest.chars().next();
                out.extend(next);
                rest = &rest[next.map_or(0, char::len_utf8)..];
            }
            '$' if rest.starts_with('{') => {
                let Some(end) = rest.find('}') else { continue };
                let inside = &rest[1..end];
                let word = inside.split_once([':', '|']).map_or("", |(_, word)| word);
                out.push_str(word.split([',', '|']).next().unwrap_or(word));
                rest = &rest[end + 1..];
            }
            '$' => rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_snippet_without_places_is_its_text() {
        assert_eq!(plain("nth1(${1:Index}, ${2:List})"), "nth1(Index, List)");
        assert_eq!(plain("no_moves(${1|loss,draw|})."), "no_moves(loss).");
        assert_eq!(plain("f($1) \\$x \\} \\\\"), "f() $x } \\");
    }
}
