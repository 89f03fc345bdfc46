//! Annotations of GitHub Actions: commands such as `::error file=game.pl,line=3::the message`.
//!
//! GitHub shows them beside the lines of a pull request. "Workflow commands for GitHub Actions", GitHub Docs.

use super::{Annotation, Annotations, Place, Region, Severity};

/// One line for each annotation.
pub(super) fn commands(all: &Annotations, _status: u8) -> String {
    all.found.iter().map(command).collect()
}

fn command(annotation: &Annotation) -> String {
    let name = match annotation.level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties: Vec<(&str, String)> = Vec::new();
    if let Some(Place { file, region }) = &annotation.place {
        properties.push(("file", file.clone()));
        if let Some(Region { start, end }) = region {
            properties.push(("line", start.0.to_string()));
            // GitHub refuses columns if the annotation has several lines.
            let one_line = start.0 == end.0;
            properties.extend(one_line.then(|| ("col", start.1.to_string())));
            // An end before the first character of a line is the end of the line above.
            let last = if end.1 == 1 && !one_line { end.0 - 1 } else { end.0 };
            properties.push(("endLine", last.to_string()));
            properties.extend(one_line.then(|| ("endColumn", end.1.to_string())));
        }
    }
    properties.extend(annotation.rule.map(|rule| ("title", rule.to_string())));
    let listed: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", escaped_property(value))).collect();
    let blank = if listed.is_empty() { "" } else { " " };
    format!("::{name}{blank}{}::{}\n", listed.join(","), escaped(&message(annotation)))
}

/// The message with the places of the causes and the help, a line each.
fn message(annotation: &Annotation) -> String {
    let mut text = annotation.message.clone();
    for (place, label) in &annotation.causes {
        let line = place.region.map(|region| format!(":{}:{}", region.start.0, region.start.1)).unwrap_or_default();
        let label = if label.is_empty() { String::new() } else { format!(": {label}") };
        text.push_str(&format!("\n{}{line}{label}", place.file));
    }
    if let Some(help) = &annotation.help {
        text.push_str(&format!("\nhelp: {help}"));
    }
    text
}

/// The escapes of a message, without which it would end at its first line.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The escapes of a property, which ends at a comma or a colon.
fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
