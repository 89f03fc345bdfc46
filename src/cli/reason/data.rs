//! Proofs and failures as JSON.
//!
//! In: plain data of the session. Out: objects, see `docs/commands.md`. Must not know how they were
//! found. Called by this room of commands.

use alphorn_prolog::reason::failing::{Failing, Mark, Smallest};
use alphorn_prolog::reason::proof::{By, Proof, Used};
use alphorn_text::source::{Sources, Span};
use serde_json::{Value, json};

/// A place: file, line, column, bytes.
fn place(span: Option<Span>, texts: &Sources) -> Value {
    let Some(span) = span.filter(|span| usize::from(span.source.0) < texts.len()) else { return Value::Null };
    let (line, column) = texts.line_column(span);
    let file: &str = &texts.get(span.source).name;
    json!({ "file": file, "line": line, "column": column, "start": span.start, "end": span.end })
}

/// A goal of a proof.
pub(in crate::cli) fn proof(proof: &Proof, texts: &Sources) -> Value {
    let (by, clause) = match &proof.by {
        By::Clause(span, number, of) => {
            ("clause", json!({ "number": number, "of": of, "place": place(Some(*span), texts) }))
        }
        By::Builtin => ("builtin", Value::Null),
        By::Library => ("library", Value::Null),
        By::Table => ("table", Value::Null),
        By::Either(true) => ("first", Value::Null),
        By::Either(false) => ("second", Value::Null),
        By::Branch(true) => ("then", Value::Null),
        By::Branch(false) => ("else", Value::Null),
        By::Refuted => ("refuted", Value::Null),
        By::Found(_) => ("gathered", Value::Null),
    };
    let solutions = if let By::Found(count) = proof.by { Value::from(count) } else { Value::Null };
    let parts: Vec<Value> =
        stacker::maybe_grow(64 << 10, 4 << 20, || proof.parts.iter().map(|part| self::proof(part, texts)).collect());
    json!({
        "goal": proof.goal,
        "as_called": proof.as_called,
        "place": place(proof.span, texts),
        "by": by,
        "clause": clause,
        "solutions": solutions,
        "parts": parts,
        "folded": proof.folded,
    })
}

/// A clause that a proof uses.
pub(in crate::cli) fn used(used: &Used, texts: &Sources) -> Value {
    json!({
        "predicate": used.predicate,
        "number": used.number,
        "of": used.of,
        "place": place(Some(used.span), texts),
        "times": used.times,
    })
}

/// A goal that fails, to so many levels.
pub(super) fn failing(failing: &Failing, texts: &Sources, depth: usize) -> Value {
    let clauses: Vec<Value> = failing
        .clauses
        .iter()
        .map(|tried| {
            let goals: Vec<Value> = tried
                .goals
                .iter()
                .map(|step| {
                    let mark = match step.mark {
                        Mark::True => "true",
                        Mark::Failed => "failed",
                        Mark::Unreached => "unreached",
                    };
                    json!({ "goal": step.goal, "place": place(step.span, texts), "mark": mark })
                })
                .collect();
            let mismatch = tried.mismatch.as_ref().map(|mismatch| {
                json!({ "argument": mismatch.argument, "wants": mismatch.wants, "given": mismatch.given, "at": mismatch.place, "place": place(Some(mismatch.span), texts) })
            });
            let because = tried.because.as_ref().filter(|_| depth > 1);
            json!({
                "number": tried.number,
                "head": tried.head,
                "place": place(Some(tried.span), texts),
                "mismatch": mismatch,
                "note": tried.says,
                "goals": goals,
                "times": tried.times,
                "because": because.map(|inner| self::failing(inner, texts, depth - 1)),
            })
        })
        .collect();
    let parts: Vec<Value> = match depth {
        0 | 1 => Vec::new(),
        _ => failing.parts.iter().map(|part| self::failing(part, texts, depth - 1)).collect(),
    };
    json!({
        "goal": failing.goal,
        "place": place(failing.span, texts),
        "says": failing.says,
        "clauses": clauses,
        "untold": failing.untold,
        "followed": failing.followed,
        "proof": failing.proof.iter().map(|proof| self::proof(proof, texts)).collect::<Vec<_>>(),
        "parts": parts,
    })
}

/// The smallest part that fails.
pub(super) fn smallest(smallest: &Smallest, texts: &Sources) -> Value {
    json!({
        "message": smallest.message,
        "label": smallest.place.as_ref().map(|(_, words)| words),
        "place": place(smallest.place.as_ref().map(|(span, _)| *span), texts),
        "called": place(smallest.called, texts),
        "clause": smallest.clause,
        "help": smallest.help,
    })
}
