//! Compares two answers to the same question.
//!
//! The result is a text, such as `value 3 → 5, best d3 → c4`, or the lines that differ if the answer
//! is a picture or a proof. Times and counts are not compared. The module does not depend on how the
//! answers were found.

use super::answer::Answer;
use alphorn_session::session::Failure;
use serde_json::{Map, Value};

/// Fields that change in every run, or that say how an answer was found.
const PASSING: &[&str] = &[
    "seconds",
    "served_seconds",
    "outside",
    "share",
    "nodes",
    "evals",
    "evaluations",
    "proof_nodes",
    "per_second",
    "games_per_second",
    "stats",
    "nodes_per_second",
    "depth",
    "finished",
    "deeper",
    "reached",
    "stopped",
    "schema",
];

/// Longest text shown, and how many characters before the first difference are shown.
const LONGEST: usize = 60;
const BEFORE: usize = 20;

/// Greatest number of differing lines shown, of the old text and of the new one.
const LINES: usize = 8;

/// The result of a comparison of two answers.
#[derive(Debug)]
pub(super) enum DiffVerdict {
    /// The answers are equal, as this text says.
    Same(String),
    /// The answers differ, as this text says.
    Changed(String),
    /// The answers cannot be compared, for this reason.
    Apart(String),
    /// The question fails with the new rules.
    Fails(Failure),
}

impl DiffVerdict {
    /// The lines to print; a failure is drawn elsewhere.
    pub(super) fn text(&self) -> String {
        match self {
            DiffVerdict::Same(text) => format!("{text}\n"),
            DiffVerdict::Changed(text) => format!("changed: {text}\n"),
            DiffVerdict::Apart(why) => format!("the last answer cannot be compared: {why}\n"),
            DiffVerdict::Fails(_) => "the last question ends in an error now\n".to_string(),
        }
    }
}

/// Compares two answers.
pub(super) fn compared(before: &Answer, after: &Answer, arrow: &str) -> DiffVerdict {
    let error = |answer: &Answer| answer.json["error"]["message"].as_str().map(str::to_string);
    match (error(before), error(after)) {
        (None, Some(error)) => return DiffVerdict::Changed(format!("the goal ends in an error now: {error}")),
        (Some(old), Some(new)) if old == new => {
            return DiffVerdict::Same(format!("the goal ends in an error as before: {old}"));
        }
        (Some(_), Some(new)) => return DiffVerdict::Changed(format!("the goal ends in another error: {new}")),
        _ => {}
    }
    let (was, is) = (bare(&before.json), bare(&after.json));
    if was == is {
        return DiffVerdict::Same(as_before(&after.json));
    }
    if before.has("stopped") || after.has("stopped") {
        return DiffVerdict::Apart("one of the two was stopped".to_string());
    }
    let sure = before.has("exact") && after.has("exact");
    if let (Some(old), Some(new)) = (before.json["depth"].as_u64(), after.json["depth"].as_u64())
        && old != new
        && !sure
    {
        return DiffVerdict::Apart(format!("the depths are {old} and {new}"));
    }
    DiffVerdict::Changed(difference(&was, &is, arrow).unwrap_or_else(|| lines(&before.text, &after.text)))
}

/// An answer without the fields in [`PASSING`].
fn bare(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            // The field `nodes` may also be a list of nodes.
            let stays = |(name, value): &(&String, &Value)| {
                !PASSING.contains(&name.as_str()) || value.is_array() || value.is_string()
            };
            let kept = fields.iter().filter(stays).map(|(name, value)| (name.clone(), bare(value)));
            Value::Object(kept.collect::<Map<_, _>>())
        }
        Value::Array(rows) => rows.iter().map(bare).collect(),
        other => other.clone(),
    }
}

/// The text for an answer that has not changed.
fn as_before(answer: &Value) -> String {
    let told = ["value", "best"].iter().filter_map(|name| match &answer[*name] {
        Value::Null | Value::Array(_) | Value::Object(_) => None,
        value => Some(format!("{name} {} as before", text(value))),
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { "the last answer is the same".to_string() } else { told.join(", ") }
}

/// Lists the differences field by field; `None` if the text shows a difference better.
fn difference(before: &Value, after: &Value, arrow: &str) -> Option<String> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else { return None };
    let names: Vec<&String> = after.keys().chain(before.keys().filter(|name| !after.contains_key(*name))).collect();
    let field = |fields: &Map<String, Value>, name: &String| fields.get(name).cloned().unwrap_or(Value::Null);
    let mut said = Vec::new();
    for key in names {
        let (old, new) = (field(before, key), field(after, key));
        if old == new || key == "error" {
            continue;
        }
        let name = if key == "pv" { "line" } else { key };
        match (labels(&old), labels(&new)) {
            (Some(old), Some(new)) => {
                let gone = old.iter().filter(|label| !new.contains(label)).map(|label| format!("-{label}"));
                let come = new.iter().filter(|label| !old.contains(label)).map(|label| format!("+{label}"));
                let all: Vec<String> = gone.chain(come).collect();
                match all.is_empty() {
                    true => said.push(format!("{name} lead elsewhere")),
                    false => said.push(format!("{name} {}", shortened(&all.join(" "), 0))),
                }
            }
            _ if is_deep(key, &old) || is_deep(key, &new) => return None,
            _ => {
                let whole = (text(&old), text(&new));
                let told = if key == "lines" { (heads(&old), heads(&new)) } else { whole.clone() };
                let (old, new) = if told.0 == told.1 { whole } else { told };
                let (old, new) = around(&old, &new);
                said.push(format!("{name} {old} {arrow} {new}"));
            }
        }
    }
    (!said.is_empty()).then(|| said.join(", "))
}

/// Whether the text shows a field better than one line.
fn is_deep(name: &str, value: &Value) -> bool {
    match value {
        _ if matches!(name, "answers" | "lines") => false,
        Value::Array(_) if name == "picture" => true,
        Value::Array(rows) => rows.iter().any(|row| row.is_array() || row.is_object()),
        Value::Object(_) => true,
        _ => false,
    }
}

/// The labels of a list of moves.
fn labels(value: &Value) -> Option<Vec<&str>> {
    let rows = value.as_array()?;
    rows.iter().map(|row| row.get("label")?.as_str()).collect()
}

/// The first move and the value of each line of play.
fn heads(lines: &Value) -> String {
    let head = |line: &Value| format!("{} {}", text(&line["best"]), text(&line["value"]));
    lines.as_array().into_iter().flatten().map(head).collect::<Vec<_>>().join(", ")
}

/// Formats a value in one line.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_string(),
        Value::String(text) => text.replace('\n', " "),
        Value::Array(rows) if rows.is_empty() => "none".to_string(),
        Value::Array(rows) if rows.iter().all(Value::is_string) => {
            rows.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
        }
        Value::Array(rows) => rows.iter().map(text).collect::<Vec<_>>().join("; "),
        Value::Object(fields) if fields.is_empty() => "true".to_string(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name} = {}", text(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Cuts two long texts around their first difference.
fn around(old: &str, new: &str) -> (String, String) {
    let alike = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let from = if old.chars().count().max(new.chars().count()) > LONGEST { alike.saturating_sub(BEFORE) } else { 0 };
    (shortened(old, from), shortened(new, from))
}

/// Cuts a long text from this character on.
fn shortened(text: &str, from: usize) -> String {
    let shown: String = text.chars().skip(from).take(LONGEST).collect();
    let more = text.chars().count() > from + LONGEST;
    format!("{}{shown}{}", if from > 0 { "..." } else { "" }, if more { "..." } else { "" })
}

/// Lists the lines from the first difference to the last.
fn lines(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[same..], &new[same..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if old.is_empty() && new.is_empty() {
        return "in data that is not shown".to_string();
    }
    let marked = |mark: char, rows: &[&str]| {
        let mut text: String = rows.iter().take(LINES).map(|row| format!("\n{mark} {row}")).collect();
        if rows.len() > LINES {
            text.push_str(&format!("\n{mark} and {} more", rows.len() - LINES));
        }
        text
    };
    format!("from line {} on{}{}", same + 1, marked('-', old), marked('+', new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(before: Value, after: Value) -> String {
        let answer = |json| Answer { json, text: String::new() };
        compared(&answer(before), &answer(after), "->").text()
    }

    #[test]
    fn only_what_matters_and_has_changed_is_told() {
        let before = json!({ "value": 3, "best": "d3", "pv": ["d3", "c4"], "nodes": 17, "seconds": 0.1 });
        let after = json!({ "value": 5, "best": "d3", "pv": ["d3", "e5"], "nodes": 19, "seconds": 0.2 });
        assert_eq!(told(before.clone(), after), "changed: value 3 -> 5, line d3 c4 -> d3 e5\n");
        let again = json!({ "value": 3, "best": "d3", "pv": ["d3", "c4"], "nodes": 99, "seconds": 7 });
        assert_eq!(told(before, again), "value 3 as before, best d3 as before\n");
    }

    #[test]
    fn of_moves_those_that_come_and_go_are_told() {
        let moves = |labels: &[&str]| json!({ "moves": labels.iter().map(|label| json!({ "label": label })).collect::<Vec<_>>() });
        assert_eq!(told(moves(&["a", "b"]), moves(&["b", "c"])), "changed: moves -a +c\n");
    }

    #[test]
    fn lines_and_output_are_compared() {
        let lines = |best: &str, pv: &str| json!({ "lines": [{ "best": "a", "value": 1 }, { "best": best, "value": 0, "pv": pv }] });
        assert_eq!(told(lines("b", "b"), lines("c", "c")), "changed: lines a 1, b 0 -> a 1, c 0\n");
        assert!(told(lines("b", "d"), lines("b", "e")).starts_with("changed: lines "));
        let output = |text: &str| json!({ "answers": [{}], "complete": true, "output": text });
        assert_eq!(told(output("old"), output("new")), "changed: output old -> new\n");
    }

    #[test]
    fn long_values_are_cut_around_the_difference() {
        let long = |end: &str| json!({ "answers": [{ "X": format!("[{}{end}]", "a,".repeat(100)) }] });
        let text = told(long("b"), long("c"));
        assert!(text.contains("a,b]") && text.contains("a,c]"), "{text}");
    }

    #[test]
    fn errors_and_depths_are_no_differences() {
        let error = json!({ "answers": [], "error": { "message": "it failed" } });
        assert_eq!(told(json!({ "answers": [{}] }), error), "changed: the goal ends in an error now: it failed\n");
        let deep = |depth: u64, value: u64| json!({ "value": value, "depth": depth, "exact": false });
        assert!(told(deep(3, 1), deep(4, 2)).contains("cannot be compared"));
    }

    #[test]
    fn pictures_differ_in_lines() {
        let answer = |text: &str| Answer {
            json: json!({ "picture": text.lines().collect::<Vec<_>>() }),
            text: text.to_string(),
        };
        let text = compared(&answer("a b\nc d\ne f\n"), &answer("a b\nc x\ne f\n"), "->").text();
        assert_eq!(text, "changed: from line 2 on\n- c d\n+ c x\n");
    }
}
