//! Rewrites helps and notes that name options and shell commands for a client of the protocol.
//!
//! A client writes the field `"memory"` for the option `--memory`, and the request `"moves"` for the command
//! `alphorn moves FILE`. The helps of the crates below name what a person types.

use serde_json::{Map, Value};

/// The names that helps use for the loaded file.
const LOADED: [&str; 2] = ["FILE", "GAME.pl"];

/// Rewrites the errors and the note in a line of output. `requests` has the names of all requests.
pub(super) fn in_fields(line: &mut Map<String, Value>, requests: &[(String, Vec<String>)]) {
    let rewrite = |text: Option<&mut Value>| {
        if let Some(Value::String(text)) = text {
            *text = rewritten(text, requests);
        }
    };
    if line.get("event").is_some_and(|event| event == "note") {
        rewrite(line.get_mut("text"));
    }
    let rewrite_problem = |problem: &mut Value| ["message", "help"].map(|key| rewrite(problem.get_mut(key)));
    if let Some(error) = line.get_mut("error") {
        rewrite_problem(error);
        for problem in line.get_mut("problems").and_then(Value::as_array_mut).into_iter().flatten() {
            rewrite_problem(problem);
        }
    }
}

/// Rewrites one text.
fn rewritten(text: &str, requests: &[(String, Vec<String>)]) -> String {
    let mut found = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_start = !found.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let next = || {
            let next = rest.chars().next().map_or(rest.len(), char::len_utf8);
            (rest[..next].to_string(), &rest[next..])
        };
        let (told, behind) = match is_start {
            true => settings(rest)
                .or_else(|| option(rest, requests))
                .or_else(|| parameter(rest))
                .or_else(|| load(rest))
                .or_else(|| command(rest, requests))
                .unwrap_or_else(next),
            false => next(),
        };
        found.push_str(&told);
        rest = behind;
    }
    found
}

/// Options in quotes and the text after them. They are the settings of a side, which are a text in JSON too.
fn settings(text: &str) -> Option<(String, &str)> {
    let (options, behind) = text.strip_prefix("'-")?.split_once('\'')?;
    Some((format!("'-{options}'"), behind))
}

/// The length of the name of an option, a command or a parameter at the beginning of a text.
fn name_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(text.len())
}

/// Splits the value of an option from the text after it.
fn split_value(text: &str) -> (&str, &str) {
    let value = &text[..text.find([' ', '\n', ',', ';', ')', '\'']).unwrap_or(text.len())];
    text.split_at(match value.ends_with("...") {
        true => value.len(),
        false => value.trim_end_matches(['.', ':']).len(),
    })
}

/// The field for `--name` or `--name VALUE`, and the text after them. An option that is no field stays as it is.
fn option<'t>(text: &'t str, requests: &[(String, Vec<String>)]) -> Option<(String, &'t str)> {
    let (name, behind) = text.strip_prefix("--").map(|after| after.split_at(name_length(after)))?;
    let field = match name {
        "" => return None,
        "param" => "params".to_string(),
        _ => name.replace('-', "_"),
    };
    if !requests.iter().any(|(_, fields)| fields.contains(&field)) {
        return Some((format!("--{name}"), behind));
    }
    // A word in small letters after an option is not its value, but the sentence goes on.
    let is_value = |value: &str| value.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase());
    let Some(value) = behind.strip_prefix(' ').filter(|value| is_value(value)) else {
        return Some((format!("\"{field}\""), behind));
    };
    let (value, behind) = split_value(value);
    let is_bare = value.parse::<f64>().is_ok() || value.bytes().all(|byte| byte.is_ascii_uppercase());
    let value = if is_bare { value.to_string() } else { format!("\"{value}\"") };
    Some((format!("\"{field}\": {value}"), behind))
}

/// The field for `-p NAME=VALUE`, and the text after it.
fn parameter(text: &str) -> Option<(String, &str)> {
    let (name, value) = text.strip_prefix("-p ")?.split_once('=')?;
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let (value, behind) = split_value(value);
    // A range is only for tuning, whose parameters are texts.
    Some(match value.strip_suffix("...").unwrap_or(value).contains("..") {
        true => (format!("\"params\": [\"{name}={value}\"]"), behind),
        false => (format!("\"params\": {{\"{name}\": {value}}}"), behind),
    })
}

/// The request for the command `:load FILE` of the prompt, and the text after it.
fn load(text: &str) -> Option<(String, &str)> {
    let behind = text.strip_prefix(":load FILE")?;
    Some(("{\"request\": \"load\", \"files\": [\"game.pl\"]}".to_string(), behind))
}

/// The request for a shell command with its files, options and goal, and the text after them.
fn command<'t>(text: &'t str, requests: &[(String, Vec<String>)]) -> Option<(String, &'t str)> {
    let after = text.strip_prefix("alphorn ")?;
    let (name, mut behind) = after.split_at(name_length(after));
    let (_, known) = requests.iter().find(|(request, _)| request == name)?;
    let mut fields = Vec::new();
    while let Some(rest) = behind.strip_prefix(' ') {
        let word = &rest[..rest.find([' ', '\n', ',', ';', ':']).unwrap_or(rest.len())];
        if LOADED.contains(&word) || word.ends_with(".pl") {
            behind = &rest[word.len()..];
        } else if let Some((field, after)) = option(rest, requests).filter(|(field, _)| field.contains("\": ")) {
            fields.push(field);
            behind = after;
        } else {
            break;
        }
    }
    if let Some((goal, after)) = quoted(behind).filter(|_| known.iter().any(|field| field == "goal")) {
        fields.push(format!("\"goal\": {}", Value::from(goal)));
        behind = after;
    }
    Some(match fields.is_empty() {
        true => (format!("the request \"{name}\""), behind),
        false => (format!("{{\"request\": \"{name}\", {}}}", fields.join(", ")), behind),
    })
}

/// The argument after a command as a shell would read it, if it is quoted, and the text after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix(' ')?;
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (mut argument, mut rest) = text[1..].split_once(quote).map(|(part, rest)| (part.to_string(), rest))?;
    // A single quote inside single quotes is written '\''.
    while let Some((part, behind)) = rest.strip_prefix("\\''").and_then(|rest| rest.split_once('\'')) {
        argument.push('\'');
        argument.push_str(part);
        rest = behind;
    }
    Some((argument, rest))
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    /// Regression test: replies of the protocol named options of the shell and commands of the prompt.
    #[test]
    fn a_help_of_the_protocol_named_shell_options() {
        let fields = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let requests = [
            ("moves".to_string(), fields(&["files", "position"])),
            ("whynot".to_string(), fields(&["goal"])),
            ("match".to_string(), fields(&["max_plies", "memory", "params"])),
        ];
        for (help, told) in [
            ("allow more with --memory BYTES", "allow more with \"memory\": BYTES"),
            ("such as --memory 4G; or", "such as \"memory\": \"4G\"; or"),
            ("take --max-plies 0", "take \"max_plies\": 0"),
            ("--memory limits a goal", "\"memory\" limits a goal"),
            ("as a text: '--memory 4G --max-plies 9'", "as a text: '--memory 4G --max-plies 9'"),
            ("a term: --position TERM, or", "a term: \"position\": TERM, or"),
            ("use --color never", "use --color never"),
            ("look at: alphorn moves FILE", "look at: the request \"moves\""),
            ("alphorn moves a.pl b.pl, or more", "the request \"moves\", or more"),
            ("alphorn match FILE --max-plies 9 tells", "{\"request\": \"match\", \"max_plies\": 9} tells"),
            ("load one: :load FILE", "load one: {\"request\": \"load\", \"files\": [\"game.pl\"]}"),
            ("x--y and a -- b", "x--y and a -- b"),
            ("set -p NAME=VALUE", "set \"params\": {\"NAME\": VALUE}"),
            ("choose another value: -p size=...", "choose another value: \"params\": {\"size\": ...}"),
            ("a range: -p man=0..50; or", "a range: \"params\": [\"man=0..50\"]; or"),
            ("leave out -p man", "leave out -p man"),
            ("alphorn whynot a.pl 'p(X)' tells", "{\"request\": \"whynot\", \"goal\": \"p(X)\"} tells"),
            ("alphorn whynot FILE \"p('X')\"", "{\"request\": \"whynot\", \"goal\": \"p('X')\"}"),
            ("alphorn whynot FILE 'p('\\''X'\\'')'", "{\"request\": \"whynot\", \"goal\": \"p('X')\"}"),
        ] {
            assert_eq!(rewritten(help, &requests), told);
        }
    }
}
