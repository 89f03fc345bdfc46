//! Lists predicates as they are written, and their compiled code.

use super::data::Place;
use super::form::{Form, Start};
use super::host::{Host, Listen};
use super::query::opened;
use alphorn_session::session::SessionResult;
use alphorn_session::session::predicates;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to list predicates.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The predicate, NAME/ARITY or NAME (default: all of the file)
    #[arg(value_name = "PRED")]
    pub predicate: Option<String>,
    /// Print the compiled code too
    #[arg(long)]
    pub compiled: bool,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
}

/// The predicates, as they are written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The predicates, in the order of the texts.
    pub predicates: Vec<Predicate>,
}

/// A predicate, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Predicate {
    /// The name and the arity, such as `move/3`.
    pub name: String,
    /// The origin: where the predicate comes from.
    #[serde(rename = "origin")]
    pub whose: Whose,
    /// The comment `%! ...` above the predicate; null if there is none.
    pub doc: Option<String>,
    /// Whether `table/1` declares the predicate.
    pub tabled: bool,
    /// The clauses of the predicate; empty for a builtin.
    pub clauses: Vec<Clause>,
    /// The compiled code, as text; null if the predicate is not compiled. Missing unless the request sets
    /// `compiled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiled: Option<Option<String>>,
}

/// The origin of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Whose {
    /// The user wrote the predicate.
    Own,
    /// The predicate is part of a library that is written in rules.
    Library,
    /// The predicate is a builtin.
    Builtin,
}

impl From<predicates::PredicateOrigin> for Whose {
    fn from(whose: predicates::PredicateOrigin) -> Whose {
        match whose {
            predicates::PredicateOrigin::Own => Whose::Own,
            predicates::PredicateOrigin::Library => Whose::Library,
            predicates::PredicateOrigin::Builtin => Whose::Builtin,
        }
    }
}

/// A clause, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ListedClause")]
pub struct Clause {
    /// The number of the clause in its predicate, from 1.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The name of the text that contains the clause; empty if Alphorn does not keep the text.
    pub file: String,
    /// The line of the clause, from 1; 0 if Alphorn does not keep the text.
    pub line: usize,
    /// The text of the clause.
    pub text: String,
}

/// Lists one predicate, or all predicates of the user.
///
/// # Errors
///
/// The predicate does not exist, or the rules contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let (session, _) = opened((&request.form, &Start::default()), host, listen)?;
    let sources = &session.rules.program.sources;
    let found = session.listing(request.predicate.as_deref(), request.compiled)?;
    let predicates = found.into_iter().map(|listed| {
        let clauses = listed.clauses.into_iter().enumerate().map(|(at, clause)| {
            let place = Place::of(clause.span, "", sources);
            let (file, line) = place.map(|place| (place.file, place.line)).unwrap_or_default();
            Clause { number: at + 1, file, line, text: clause.text }
        });
        Predicate {
            name: listed.name,
            whose: listed.whose.into(),
            doc: listed.doc,
            tabled: listed.tabled,
            clauses: clauses.collect(),
            compiled: request.compiled.then_some(listed.compiled),
        }
    });
    Ok(Reply { predicates: predicates.collect() })
}
