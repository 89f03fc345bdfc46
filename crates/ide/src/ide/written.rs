//! How names are written in a text, and texts in a snippet.

/// A text with `\` before the signs that snippets use.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// A name as a text writes it.
pub fn quoted(name: &str) -> String {
    let plain = name.starts_with(char::is_lowercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let symbol = !name.is_empty() && name.chars().all(|c| "+-*/\\^<>=~:.?@#&$".contains(c));
    let solo = matches!(name, "[]" | "{}" | "!" | ";" | ",");
    match plain || symbol || solo {
        true => name.to_string(),
        false => format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")),
    }
}
