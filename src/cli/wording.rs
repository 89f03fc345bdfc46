//! Rewrites helps that name shell commands for the prompt: `:whynot GOAL` for `alphorn whynot FILE
//! 'GOAL'`.

/// The names that helps use for the loaded file.
const LOADED: [&str; 2] = ["FILE", "GAME.pl"];

/// Rewrites a help for a prompt that has loaded these files and has these commands.
pub(super) fn at_prompt(help: &str, files: &[String], commands: &[&str]) -> String {
    let mut found = String::new();
    let mut rest = help;
    while let Some((before, after)) = rest.split_once("alphorn ") {
        found.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(after.len());
        let (name, behind) = after.split_at(end);
        if !commands.contains(&name) {
            found.push_str("alphorn ");
            rest = after;
            continue;
        }
        found.push_str(&format!(":{name}"));
        rest = without_files(behind, files);
        if matches!(name, "why" | "whynot" | "query" | "trace")
            && let Some((goal, behind)) = quoted(rest)
        {
            found.push_str(&format!(" {goal}"));
            rest = behind;
        }
    }
    found.push_str(rest);
    found
}

/// Drops leading names of files, which the prompt adds itself.
fn without_files<'t>(text: &'t str, files: &[String]) -> &'t str {
    let named = || LOADED.into_iter().chain(files.iter().map(String::as_str));
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || "._-/".contains(c));
    let mut rest = text;
    while let Some(behind) =
        named().find_map(|name| rest.strip_prefix(' ')?.strip_prefix(name).filter(|behind| is_end(behind)))
    {
        rest = behind;
    }
    rest
}

/// Splits a quoted goal from the text after it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(' ')?;
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::at_prompt;

    #[test]
    fn a_help_at_a_prompt_names_its_own_commands() {
        let files = ["nim.pl".to_string()];
        for (help, told) in [
            ("alphorn whynot nim.pl 'move(p, M, N)' says why", ":whynot move(p, M, N) says why"),
            ("alphorn whynot FILE \"p('X')\" says why", ":whynot p('X') says why"),
            ("ask with: alphorn query FILE 'GOAL'", "ask with: :query GOAL"),
            ("look at: alphorn moves FILE", "look at: :moves"),
            ("in such a game take alphorn value, with more", "in such a game take :value, with more"),
            ("alphorn nonsense FILE", "alphorn nonsense FILE"),
            ("alphorn moves nim.plain", ":moves nim.plain"),
            ("one\nalphorn listing FILE lists it", "one\n:listing lists it"),
        ] {
            assert_eq!(at_prompt(help, &files, &["whynot", "query", "moves", "value", "listing"]), told);
        }
    }
}
