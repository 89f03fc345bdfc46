//! `listing`: prints the source text and the compiled code of predicates.

use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::{CommandResult, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::listing::{self, Predicate};
use alphorn_text::report::plural;

pub(in crate::cli) fn listing(request: &listing::Request, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| listing::answer(request, host, listen))?;
    out.reply(&found, || found.predicates.iter().map(text).collect::<Vec<String>>().join("\n"));
    Ok(YES)
}

fn text(listed: &Predicate) -> String {
    let clauses = plural(listed.clauses.len() as u64, "clause", "clauses");
    let what = match (&listed.clauses[..], listed.tabled) {
        ([], _) => "built in: see docs/language.md".to_string(),
        (_, true) => format!("{clauses}, tabled"),
        (_, false) => clauses,
    };
    let mut text = format!("% {}: {what}\n", listed.name);
    for line in listed.doc.iter().flat_map(|doc| doc.lines()) {
        text.push_str(&format!("%! {line}\n"));
    }
    for clause in &listed.clauses {
        let dot = if clause.text.ends_with('.') { "" } else { "." };
        text.push_str(&format!("% {}, {}:{}\n{}{dot}\n", clause.number, clause.file, clause.line, clause.text));
    }
    match &listed.compiled {
        Some(Some(code)) => text.push_str(&format!("% compiled\n{code}")),
        Some(None) if !listed.clauses.is_empty() => {
            text.push_str("% not compiled: the reference solver runs this program\n");
        }
        _ => {}
    }
    text
}
