//! Answers the questions of an editor about texts of rules: completion and descriptions of names.

use super::game::Text;
use super::host::{Host, refusal};
use super::policy::Policy;
use alphorn_ide::ide::analysis::TextAnalysis;
use alphorn_ide::ide::complete::{self, complete, load_place};
use alphorn_ide::ide::hover::hover;
use alphorn_lang::lang::ProgramOptions;
use alphorn_session::session::SessionResult;
use alphorn_text::source::{Origin, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for what may be written at a place of a text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CompleteRequest {
    /// The texts of the program, the game first.
    pub texts: Vec<Text>,
    /// The name of the text that contains the place; null for the last text.
    pub name: Option<String>,
    /// The offset of the place in this text, in bytes of UTF-8.
    pub offset: usize,
}

/// What may be written at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Completions {
    /// The offset of the first byte that a completion replaces.
    pub start: usize,
    /// The offset of the byte after the last byte that a completion replaces.
    pub end: usize,
    /// The completions, the likeliest first.
    pub items: Vec<Completion>,
}

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Completion {
    /// The name, for a list.
    pub label: String,
    /// The kind.
    pub kind: CompletionKind,
    /// One line beside the name, such as the arguments of a predicate. May be empty.
    pub detail: String,
    /// The description, as Markdown. May be empty.
    pub about: String,
    /// The text to insert, in the syntax of LSP snippets: `${1:Name}` is a place to fill in.
    pub snippet: String,
    /// A line to insert as well, such as a directive that loads a library; null if there is none.
    pub also: Option<Insertion>,
}

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum CompletionKind {
    /// A predicate of the texts.
    Predicate,
    /// A predicate that comes with Alphorn.
    Library,
    /// A clause of a game predicate.
    GamePredicate,
    /// A directive, or a claim of an expectation.
    Directive,
    /// A parameter, or a value of one.
    Parameter,
    /// A variable of the clause.
    Variable,
    /// An atom or a functor of the texts.
    Atom,
    /// The name of a library.
    Module,
}

/// A text to insert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Insertion {
    /// The offset at which to insert, in bytes.
    pub offset: usize,
    /// The text.
    pub text: String,
}

/// A request for the meaning of a name.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HoverRequest {
    /// The texts of the program, the game first.
    pub texts: Vec<Text>,
    /// The name of the text that contains the name; null for the last text.
    pub name: Option<String>,
    /// The offset of the name in this text, in bytes of UTF-8.
    pub offset: usize,
}

/// The meaning of a name, if there is a name at the place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Meaning {
    /// The meaning; null if there is no name at the place.
    pub hover: Option<NameMeaning>,
}

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NameMeaning {
    /// The offset of the first byte of the name.
    pub start: usize,
    /// The offset of the byte after the last byte of the name.
    pub end: usize,
    /// The meaning, as Markdown.
    pub about: String,
}

impl From<complete::CompletionKind> for CompletionKind {
    fn from(kind: complete::CompletionKind) -> CompletionKind {
        match kind {
            complete::CompletionKind::Predicate => CompletionKind::Predicate,
            complete::CompletionKind::Library => CompletionKind::Library,
            complete::CompletionKind::GamePredicate => CompletionKind::GamePredicate,
            complete::CompletionKind::Directive => CompletionKind::Directive,
            complete::CompletionKind::Parameter => CompletionKind::Parameter,
            complete::CompletionKind::Variable => CompletionKind::Variable,
            complete::CompletionKind::Atom => CompletionKind::Atom,
            complete::CompletionKind::Module => CompletionKind::Module,
        }
    }
}

/// Lists what may be written at a place.
///
/// # Errors
///
/// There is no such text, or the offset does not lie between two characters of it.
pub fn completions(request: &CompleteRequest, host: &Host<'_>) -> SessionResult<Completions> {
    let analysis = analysis(&request.texts, request.name.as_deref(), request.offset, &host.policy)?;
    let found = complete(&analysis, request.offset);
    let item = |item: complete::Completion| Completion {
        also: item.library.map(|library| {
            let place = load_place(&analysis);
            let (offset, text) = (place.at, place.text(&library));
            Insertion { offset, text }
        }),
        label: item.label,
        kind: item.kind.into(),
        detail: item.detail,
        about: item.about,
        snippet: item.snippet,
    };
    let items = found.items.into_iter().map(item).collect();
    Ok(Completions { start: found.range.start, end: found.range.end, items })
}

/// Describes the name at a place.
///
/// # Errors
///
/// There is no such text, or the offset does not lie between two characters of it.
pub fn meaning(request: &HoverRequest, host: &Host<'_>) -> SessionResult<Meaning> {
    let analysis = analysis(&request.texts, request.name.as_deref(), request.offset, &host.policy)?;
    let hover = hover(&analysis, request.offset);
    let named = |found: alphorn_ide::ide::hover::Hover| NameMeaning {
        start: found.range.start,
        end: found.range.end,
        about: found.markdown,
    };
    Ok(Meaning { hover: hover.map(named) })
}

fn analysis(texts: &[Text], name: Option<&str>, offset: usize, policy: &Policy) -> SessionResult<TextAnalysis> {
    let number = match name {
        Some(name) => texts.iter().position(|text| text.name == name),
        None => texts.len().checked_sub(1),
    };
    let Some(number) = number else {
        return Err(refusal("there is no text of this name", "give the texts, and the name of one of them"));
    };
    if !texts[number].text.is_char_boundary(offset) {
        let message = format!("the offset {offset} does not lie between two characters of the text");
        return Err(refusal(message, "count the bytes of UTF-8 from the start of the text"));
    }
    let source = |text: &Text| Source {
        name: text.name.as_str().into(),
        text: text.text.as_str().into(),
        origin: policy.origin(&text.name, || Origin::File(text.name.as_str().into())),
    };
    let others: Vec<Source> =
        texts.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, text)| source(text)).collect();
    Ok(TextAnalysis::of(&source(&texts[number]), &others, &ProgramOptions::default(), None))
}
