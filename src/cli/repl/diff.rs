//! What has changed between two answers to the same question.
//!
//! In: two answers as JSON. Out: words, such as `value 3 → 5, best d3 → c4`.

use serde_json::Value;

/// What is different every time, or tells how an answer was found rather than what it is.
const PASSING: &[&str] = &[
    "seconds",
    "nodes",
    "evals",
    "evaluations",
    "proof_nodes",
    "stats",
    "depth",
    "reached",
    "complete",
    "schema",
    "per_second",
    "games_per_second",
    "lines",
    "output",
    "picture",
];

/// A longer text is cut.
const LONGEST: usize = 60;

/// The differences; `None` where the answers are alike.
pub(super) fn difference(before: &Value, after: &Value, arrow: &str) -> Option<String> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else { return None };
    let mut said = Vec::new();
    for (key, new) in after {
        let old = before.get(key).unwrap_or(&Value::Null);
        if old == new || PASSING.contains(&key.as_str()) {
            continue;
        }
        let name = if key == "pv" { "line" } else { key };
        match (labels(old), labels(new)) {
            (Some(old), Some(new)) => {
                let gone = old.iter().filter(|label| !new.contains(label)).map(|label| format!("-{label}"));
                let come = new.iter().filter(|label| !old.contains(label)).map(|label| format!("+{label}"));
                let all: Vec<String> = gone.chain(come).collect();
                match all.is_empty() {
                    true => said.push(format!("{name} lead elsewhere")),
                    false => said.push(format!("{name} {}", shortened(all.join(" ")))),
                }
            }
            _ => said.push(format!("{name} {} {arrow} {}", text(old), text(new))),
        }
    }
    (!said.is_empty()).then(|| said.join(", "))
}

/// The labels of a list of moves.
fn labels(value: &Value) -> Option<Vec<&str>> {
    let rows = value.as_array()?;
    rows.iter().map(|row| row.get("label")?.as_str()).collect()
}

fn text(value: &Value) -> String {
    shortened(match value {
        Value::Null => "none".to_string(),
        Value::String(text) => text.clone(),
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
    })
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_matters_and_has_changed_is_told() {
        let before = json!({ "value": 3, "best": "d3", "pv": ["d3", "c4"], "nodes": 17 });
        let after = json!({ "value": 5, "best": "d3", "pv": ["d3", "e5"], "nodes": 19 });
        assert_eq!(difference(&before, &after, "->").as_deref(), Some("value 3 -> 5, line d3 c4 -> d3 e5"));
        assert_eq!(difference(&before, &before, "->"), None);
    }

    #[test]
    fn of_moves_those_that_come_and_go_are_told() {
        let moves = |labels: &[&str]| json!({ "moves": labels.iter().map(|label| json!({ "label": label })).collect::<Vec<_>>() });
        let told = difference(&moves(&["a", "b"]), &moves(&["b", "c"]), "->");
        assert_eq!(told.as_deref(), Some("moves -a +c"));
    }
}
