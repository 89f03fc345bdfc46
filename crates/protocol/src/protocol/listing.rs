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

/// Which predicates to list.
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
    /// Which form
    pub form: Form,
}

/// What is listed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// the predicates
    pub predicates: Vec<Predicate>,
}

/// A predicate as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Predicate {
    /// name and arity, such as `move/3`
    pub name: String,
    /// who has written it
    #[serde(rename = "origin")]
    pub whose: Whose,
    /// the comment `%! ...` above it; null if there is none
    pub doc: Option<String>,
    /// table/1 declares it
    pub tabled: bool,
    /// its clauses; none of a builtin
    pub clauses: Vec<Clause>,
    /// what it is compiled to, as text; null if it is not compiled; only if asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiled: Option<Option<String>>,
}

/// Who has written a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Whose {
    /// The user.
    Own,
    /// It is in a library, written in the language.
    Library,
    /// It is built in.
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

/// A clause as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ListedClause")]
pub struct Clause {
    /// number of the clause in its predicate, from 1
    #[schemars(range(min = 1))]
    pub number: usize,
    /// the text that it stands in; empty if that is not kept
    pub file: String,
    /// its line, from 1; 0 if its text is not kept
    pub line: usize,
    /// the clause
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
