//! Rewrites helps that name options and shell commands for a client of the protocol.
//!
//! A client writes the field `"memory"` for the option `--memory`, and the request `"moves"` for the command
//! `alphorn moves FILE`. The helps of the crates below name what a person types.

use super::data::{Diagnostic, Refusal};

/// The names that helps use for the loaded file.
const LOADED: [&str; 2] = ["FILE", "GAME.pl"];

/// Rewrites the messages and helps of a refusal. `requests` has the names of all requests.
pub(super) fn in_fields(mut refusal: Refusal, requests: &[(String, Vec<String>)]) -> Refusal {
    let rewrite = |problem: &mut Diagnostic| {
        problem.message = rewritten(&problem.message, requests);
        problem.help = problem.help.as_deref().map(|help| rewritten(help, requests));
    };
    rewrite(&mut refusal.error);
    refusal.problems.iter_mut().flatten().for_each(rewrite);
    refusal
}

/// Rewrites one text.
fn rewritten(text: &str, requests: &[(String, Vec<String>)]) -> String {
    let mut found = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_start = !found.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let word = |text: &str| text.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(text.len());
        if let Some(after) = rest.strip_prefix("--").filter(|after| is_start && word(after) > 0) {
            let (name, behind) = after.split_at(word(after));
            let field = match name {
                "param" => "params".to_string(),
                _ => name.replace('-', "_"),
            };
            // An option that is no field stays as it is.
            let is_field = requests.iter().any(|(_, fields)| fields.contains(&field));
            found.push_str(&if is_field { format!("\"{field}\"") } else { format!("--{name}") });
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix(":load FILE").filter(|_| is_start) {
            found.push_str("{\"request\": \"load\", \"files\": [\"game.pl\"]}");
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("-p NAME=VALUE").filter(|_| is_start) {
            found.push_str("\"params\": {\"NAME\": VALUE}");
            rest = behind;
        } else if let Some((name, behind)) = command(rest, requests).filter(|_| is_start) {
            found.push_str(&format!("the request \"{name}\""));
            rest = behind;
        } else {
            let next = rest.chars().next().map_or(rest.len(), char::len_utf8);
            found.push_str(&rest[..next]);
            rest = &rest[next..];
        }
    }
    found
}

/// The request that a shell command names, and the text after the command and its files.
fn command<'t>(text: &'t str, requests: &[(String, Vec<String>)]) -> Option<(&'t str, &'t str)> {
    let after = text.strip_prefix("alphorn ")?;
    let (name, mut behind) =
        after.split_at(after.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(after.len()));
    requests.iter().find(|(request, _)| request == name)?;
    while let Some(rest) = behind.strip_prefix(' ') {
        let (word, _) = rest.split_at(rest.find([' ', '\n', ',', ';', ':']).unwrap_or(rest.len()));
        if !LOADED.contains(&word) && !word.ends_with(".pl") {
            break;
        }
        behind = &rest[word.len()..];
    }
    Some((name, behind))
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    /// Regression test: replies of the protocol named options of the shell and commands of the prompt.
    #[test]
    fn a_help_of_the_protocol_named_shell_options() {
        let fields = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let requests = [
            ("moves".to_string(), fields(&["files"])),
            ("match".to_string(), fields(&["max_plies", "memory", "params"])),
        ];
        for (help, told) in [
            ("allow more with --memory BYTES", "allow more with \"memory\" BYTES"),
            ("take --max-plies 0", "take \"max_plies\" 0"),
            ("use --color never", "use --color never"),
            ("look at: alphorn moves FILE", "look at: the request \"moves\""),
            ("alphorn moves a.pl b.pl, or more", "the request \"moves\", or more"),
            ("load one: :load FILE", "load one: {\"request\": \"load\", \"files\": [\"game.pl\"]}"),
            ("x--y and a -- b", "x--y and a -- b"),
            ("set -p NAME=VALUE", "set \"params\": {\"NAME\": VALUE}"),
        ] {
            assert_eq!(rewritten(help, &requests), told);
        }
    }
}
