//! SARIF 2.1.0: the results of a static analysis as one JSON object.
//!
//! "Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01", OASIS, 2023. The types
//! have the properties that Alphorn writes. Crates with all types of the standard bring a code generator.

use super::{Annotation, Annotations, FORMAT_RULE, Place, Region, Severity};
use crate::cli::{FAILED, INTERRUPTED};
use alphorn_protocol::codes::{CODES, CodePage};
use alphorn_text::printable;
use serde::Serialize;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    automation_details: AutomationDetails,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
struct AutomationDetails {
    id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<SarifRegion>,
}

#[derive(Clone, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix {
    description: Message,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: SarifRegion,
    inserted_content: Message,
}

/// The log of a run, as one JSON object.
pub(super) fn log(all: &Annotations, status: u8) -> String {
    let mut ids: Vec<&'static str> = all.found.iter().filter_map(|annotation| annotation.rule).collect();
    ids.sort_unstable();
    ids.dedup();
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "Alphorn",
                semantic_version: env!("CARGO_PKG_VERSION"),
                rules: ids.iter().map(|id| rule(id)).collect(),
            },
        },
        // GitHub keeps the results of runs with different ids apart. The part behind the slash would name the run.
        automation_details: AutomationDetails { id: format!("alphorn-{}/", all.command) },
        column_kind: "utf16CodeUnits",
        invocations: [Invocation { execution_successful: !matches!(status, FAILED | INTERRUPTED), exit_code: status }],
        results: all.found.iter().map(|annotation| result(annotation, &ids)).collect(),
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    let text = serde_json::to_string_pretty(&log).expect("the log has names for keys");
    // A line break stands only between the parts of the object, where it must stay one.
    text.lines().map(|line| printable::json(line.to_string()) + "\n").collect()
}

fn rule(id: &'static str) -> Rule {
    let text = |text: &str| Message { text: text.to_string() };
    match CODES.iter().find(|page| page.code == id) {
        Some(page) => Rule {
            id,
            short_description: text(&page.title),
            full_description: text(&page.text.split("\n\n").next().unwrap_or(&page.title).replace('\n', " ")),
            help: Message { text: explained(page) },
        },
        None => Rule {
            id,
            short_description: text(if id == FORMAT_RULE { "the file is not formatted" } else { id }),
            full_description: text("The layout of the file is not the layout that alphorn fmt writes."),
            help: text("Type alphorn fmt FILE to format the file."),
        },
    }
}

/// The explanation of a code, with its examples.
fn explained(page: &CodePage) -> String {
    let example = |title: &str, text: &str| match text.trim_end() {
        "" => String::new(),
        text => format!("\n\n{title}:\n\n    {}", text.replace('\n', "\n    ")),
    };
    format!("{}{}{}", page.text, example("Wrong", page.wrong), example("Right", page.right))
}

fn result(annotation: &Annotation, rules: &[&str]) -> SarifResult {
    let help = annotation.help.as_deref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let cause = |(number, (place, label)): (usize, &(Place, String))| Location {
        id: Some(number + 1),
        message: Some(label).filter(|label| !label.is_empty()).map(|label| Message { text: label.clone() }),
        physical_location: physical(place),
    };
    let place = |place| Location { id: None, message: None, physical_location: physical(place) };
    SarifResult {
        rule_id: annotation.rule,
        rule_index: annotation.rule.and_then(|rule| rules.iter().position(|other| *other == rule)),
        level: match annotation.level {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: Message { text: format!("{}{help}", annotation.message) },
        locations: annotation.place.iter().map(place).collect(),
        related_locations: annotation.causes.iter().enumerate().map(cause).collect(),
        fixes: fix(annotation).into_iter().collect(),
    }
}

/// The edits of an annotation, one list for each file.
fn fix(annotation: &Annotation) -> Option<Fix> {
    let mut changes: Vec<ArtifactChange> = Vec::new();
    for (place, text) in &annotation.edits {
        let Some(region) = place.region else { continue };
        let artifact_location = artifact(&place.file);
        let replacement =
            Replacement { deleted_region: sarif_region(region), inserted_content: Message { text: text.clone() } };
        match changes.iter_mut().find(|change| change.artifact_location == artifact_location) {
            Some(change) => change.replacements.push(replacement),
            None => changes.push(ArtifactChange { artifact_location, replacements: vec![replacement] }),
        }
    }
    let description = annotation.help.clone().unwrap_or_else(|| annotation.message.clone());
    (!changes.is_empty()).then_some(Fix { description: Message { text: description }, artifact_changes: changes })
}

fn physical(place: &Place) -> PhysicalLocation {
    PhysicalLocation { artifact_location: artifact(&place.file), region: place.region.map(sarif_region) }
}

fn sarif_region(Region { start, end }: Region) -> SarifRegion {
    SarifRegion { start_line: start.0, start_column: start.1, end_line: end.0, end_column: end.1 }
}

/// A file as a URI. A relative path is relative to the root of the sources.
fn artifact(file: &str) -> ArtifactLocation {
    let mut uri = String::new();
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    match file.strip_prefix('/') {
        Some(_) => ArtifactLocation { uri: format!("file://{uri}"), uri_base_id: None },
        None => ArtifactLocation { uri, uri_base_id: Some("%SRCROOT%") },
    }
}
