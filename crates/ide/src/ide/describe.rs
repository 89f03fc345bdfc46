//! What there is to say about a predicate, a parameter or a directive.

use crate::ide::analysis::{Callable, TextAnalysis};
use crate::ide::heading;
use crate::ide::known::KnownFrom;
use alphorn_lang::lang::program::{Domain, Param};
use alphorn_text::report::plural;
use std::fmt::Write;

/// The description of a predicate.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// How the predicate is called.
    pub heading: String,
    /// What it does.
    pub about: String,
    /// What it means for Alphorn, if it is a game predicate.
    pub game: Option<String>,
    /// Where it comes from.
    pub from: String,
    /// What is known of its answers.
    pub answers: Vec<String>,
    /// A goal and its answers; empty if there is no example.
    pub example: (&'static str, &'static str),
}

impl Description {
    /// The description as Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!("```prolog\n{}\n```\n", self.heading);
        if let Some(game) = &self.game {
            let _ = write!(out, "\n*Game predicate:* {game}.\n");
        }
        if !self.about.is_empty() {
            let _ = write!(out, "\n{}\n", self.about.replace('\n', "  \n"));
        }
        if !self.answers.is_empty() {
            let _ = write!(out, "\n*Answers:* {}.\n", self.answers.join("; "));
        }
        if !self.example.0.is_empty() {
            let _ = write!(out, "\n```prolog\n?- {}.\n{}\n```\n", self.example.0, self.example.1);
        }
        let _ = write!(out, "\n{}\n", self.from);
        out
    }
}

/// Describes a predicate that a text can call.
pub fn describe(analysis: &TextAnalysis, found: Callable<'_>) -> Description {
    match found {
        Callable::Own(own) => {
            let (call, about) = analysis.described(own);
            let game = heading::of_game(own.name.text(), own.arity).map(|(_, about)| about.to_string());
            let clauses = plural(own.clauses.len() as u64, "clause", "clauses");
            let from = format!("{} · {clauses} in this file", own.indicator());
            Description { heading: call, about, game, from, ..Description::default() }
        }
        Callable::Other(other) => {
            let (name, source) = (other.name.text(), &other.source);
            let file = std::path::Path::new(&*source.name);
            let file = file.file_name().map_or(source.name.to_string(), |name| name.to_string_lossy().to_string());
            Description {
                heading: other.heading.clone(),
                about: other.about.clone(),
                game: heading::of_game(name, other.arity).map(|(_, about)| about.to_string()),
                from: format!("{name}/{} · {file}", other.arity),
                ..Description::default()
            }
        }
        Callable::Known(known) => {
            let from = match &known.from {
                KnownFrom::Builtin => format!("{} · builtin", known.indicator()),
                KnownFrom::Prelude(..) => format!("{} · library", known.indicator()),
                KnownFrom::Extra => format!("{} · library(alphorn)", known.indicator()),
                KnownFrom::Library(name, ..) => format!("{} · library({name})", known.indicator()),
            };
            Description {
                heading: known.heading.clone(),
                about: known.about.clone(),
                game: None,
                from,
                answers: known.answers.clone(),
                example: known.example,
            }
        }
    }
}

/// The description of a game predicate that nobody has defined yet, as Markdown.
pub fn game_predicate(name: &str, arity: usize) -> Option<String> {
    let (call, about) = heading::of_game(name, arity)?;
    let description = Description {
        heading: call,
        game: Some(about.to_string()),
        from: "not defined yet".into(),
        ..Description::default()
    };
    Some(description.markdown())
}

/// The description of a parameter, as Markdown.
pub fn param(param: &Param) -> String {
    let name = param.name.text();
    format!(
        "```prolog\nparam({name}, {})\n```\n\n{}\n\n*Values:* {}. *Value:* {}.\n",
        param.value,
        param.doc,
        values(param),
        param.value
    )
}

/// The values that a parameter may have.
pub fn values(param: &Param) -> String {
    match &param.domain {
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::OneOf(values) => values.join(", "),
    }
}

/// The directives: name, a snippet of the arguments, and the purpose.
pub const DIRECTIVES: &[(&str, &str, &str)] = &[
    ("use_module", "use_module(library(${1:alphorn})).", "loads a library, or a file with a module"),
    ("include", "include(${1:file}).", "reads another file here"),
    ("ensure_loaded", "ensure_loaded(${1:file}).", "reads another file, unless it is read already"),
    (
        "module",
        "module(${1:name}, [${2:predicate/2}]).",
        "makes the file a module, with the predicates that others may call",
    ),
    (
        "param",
        "param(${1:name}, ${2:6}, ${3:4..10}, \"${4:what it means}\").",
        "declares a parameter: name, default, values, meaning",
    ),
    ("expect", "expect(${1:perft(2) = 9}).", "states a claim about the game, which `alphorn test` checks"),
    ("table", "table(${1:predicate/2}).", "keeps the answers of a predicate, so that recursion ends"),
    ("discontiguous", "discontiguous(${1:predicate/2}).", "permits that the clauses of a predicate are scattered"),
    ("dynamic", "dynamic(${1:predicate/2}).", "permits that a predicate has no clauses"),
    ("op", "op(${1:700}, ${2:xfx}, ${3:name}).", "declares an operator: priority, type, name"),
    ("meta_predicate", "meta_predicate(${1:predicate(1, ?)}).", "says which arguments of a predicate are goals"),
];

/// The claims of expectations: name, a snippet, and the meaning.
pub const CLAIMS: &[(&str, &str, &str)] = &[
    ("perft", "perft(${1:2}) = ${2:9}", "the number of lines of this length from the first opening"),
    ("value", "value = ${1:win(max)}", "the value of the first opening: a number, win(max), win(min) or draw"),
    ("value", "value(${1:Pos}) = ${2:draw}", "the value of a position"),
    ("value", "value(${1:Pos}, ${2:4}) = ${3:0}", "the value of a position at a depth"),
    ("best", "best(${1:Pos}, ${2:4}) = ${3:Label}", "the best move of a position at a depth"),
    ("holds", "holds(${1:Goal})", "the goal has an answer"),
    ("fails", "fails(${1:Goal})", "the goal has no answer"),
];

/// The description of a directive or of a claim, as Markdown.
pub fn word_of_directives(name: &str, claims: bool) -> Option<String> {
    let rows = if claims { CLAIMS } else { DIRECTIVES };
    let mut found = rows.iter().filter(|(known, ..)| *known == name).peekable();
    found.peek()?;
    let bare = |snippet: &str| {
        let mut out = String::new();
        for (number, part) in snippet.split("${").enumerate() {
            let part = if number == 0 { part } else { part.split_once(':').map_or(part, |(_, rest)| rest) };
            out.push_str(&part.replacen('}', "", usize::from(number > 0)));
        }
        out
    };
    let rows = found.map(|(_, snippet, about)| {
        let (before, after) = if claims { ("expect(", ").") } else { ("", "") };
        format!("```prolog\n:- {before}{}{after}\n```\n\n{about}\n", bare(snippet))
    });
    Some(rows.collect::<Vec<_>>().join("\n"))
}
