//! Formats the text of rules.

use alphorn_lang::lang::format::format;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to format rules.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The rules, as Prolog text.
    pub text: String,
}

/// Formatted rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "FormattedRules")]
pub struct Reply {
    /// The formatted text.
    pub text: String,
    /// Whether the text differs from the text of the request.
    pub changed: bool,
    /// The number of clauses that cannot be read. They stay as they are.
    pub unreadable: usize,
}

/// What `alphorn fmt` did.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FormattedFiles {
    /// The files, in the order of the command line.
    pub files: Vec<FormattedFile>,
}

/// What `alphorn fmt` did with a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FormattedFile {
    /// The name of the file; `-` for standard input.
    pub file: String,
    /// Whether the formatted text differs from the file.
    pub changed: bool,
    /// The number of clauses that cannot be read. They stay as they are.
    pub unreadable: usize,
    /// The formatted text, if the text came from standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Formats a text of rules.
pub fn answer(request: &Request) -> Reply {
    let found = format(&request.text);
    Reply { changed: found.text != request.text, text: found.text, unreadable: found.unreadable }
}
