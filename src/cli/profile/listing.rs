//! `listing`: predicates as they are written, with what they are compiled to.
//!
//! In: arguments. Out: clauses with their numbers and places, or JSON. Must not know how the
//! compiled form is made.

use super::args::ListingArgs;
use crate::cli::args::PositionArgs;
use crate::cli::output::Out;
use crate::cli::{Ended, YES};
use alphorn_protocol::protocol::form;
use alphorn_session::session::Session;
use alphorn_session::session::listing::Listed;
use alphorn_text::source::Span;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(in crate::cli) fn listing(args: &ListingArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let start = form::Start::default();
    let at = PositionArgs { file: args.file.clone(), start, game: args.game.clone() };
    let (session, _) = super::program(&at, out, stop)?;
    let found = session.listing(args.predicate.as_deref(), args.compiled)?;
    let rows: Vec<Value> = found.iter().map(|listed| row(listed, &session, args)).collect();
    out.answer(json!({ "predicates": rows }), || {
        let texts: Vec<String> = found.iter().map(|listed| text(listed, &session, args)).collect();
        texts.join("\n")
    });
    Ok(YES)
}

/// File and line.
fn place(session: &Session, span: Span) -> (String, usize) {
    let sources = &session.rules.program.sources;
    match usize::from(span.source.0) < sources.len() {
        true => (sources.get(span.source).name.to_string(), sources.line_column(span).0),
        false => (String::new(), 0),
    }
}

fn text(listed: &Listed, session: &Session, args: &ListingArgs) -> String {
    let clauses = listed.clauses.len() as u64;
    let what = match (&listed.clauses[..], listed.tabled) {
        ([], _) => "built in: see docs/language.md".to_string(),
        (_, true) => format!("{}, tabled", alphorn_text::report::plural(clauses, "clause", "clauses")),
        (_, false) => alphorn_text::report::plural(clauses, "clause", "clauses"),
    };
    let mut text = format!("% {}: {what}\n", listed.name);
    for line in listed.doc.iter().flat_map(|doc| doc.lines()) {
        text.push_str(&format!("%! {line}\n"));
    }
    for (number, clause) in listed.clauses.iter().enumerate() {
        let (file, line) = place(session, clause.span);
        let dot = if clause.text.ends_with('.') { "" } else { "." };
        text.push_str(&format!("% {}, {file}:{line}\n{}{dot}\n", number + 1, clause.text));
    }
    match &listed.compiled {
        Some(code) => text.push_str(&format!("% compiled\n{code}")),
        None if args.compiled && !listed.clauses.is_empty() => {
            text.push_str("% not compiled: the reference solver runs this program\n");
        }
        None => {}
    }
    text
}

fn row(listed: &Listed, session: &Session, args: &ListingArgs) -> Value {
    let clauses = listed.clauses.iter().enumerate().map(|(at, clause)| {
        let (file, line) = place(session, clause.span);
        json!({ "number": at + 1, "file": file, "line": line, "text": clause.text })
    });
    let mut row = json!({
        "name": listed.name,
        "whose": listed.whose.name(),
        "doc": listed.doc,
        "tabled": listed.tabled,
        "clauses": clauses.collect::<Vec<_>>(),
    });
    if args.compiled {
        row["compiled"] = json!(listed.compiled);
    }
    row
}
