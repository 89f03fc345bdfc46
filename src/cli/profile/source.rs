//! Prints a profile beside the lines of the rules.
//!
//! Each line of the user's files shows the weight of the clause that begins there, with that of
//! library predicates that the clause calls. The module does not depend on how anything was counted.

use super::report::share;
use alphorn_protocol::protocol::profile::{By, Drawn, whole};
use alphorn_session::session::predicates::PredicateOrigin;
use alphorn_text::report::grouped;
use alphorn_text::source::SourceId;
use std::collections::BTreeMap;

/// Length of the longest bar.
const BAR: f64 = 10.0;

/// For each line, the total weight and the calls of the clauses that begin there.
type Lines = BTreeMap<usize, (f64, u64)>;

pub(super) fn text(Drawn { profile, sources, .. }: &Drawn, by: By) -> String {
    let mut files: BTreeMap<SourceId, Lines> = BTreeMap::new();
    for row in profile.clauses.iter().filter(|row| row.whose == PredicateOrigin::Own) {
        if usize::from(row.span.source.0) >= sources.len() {
            continue;
        }
        let (line, _) = sources.line_column(row.span);
        let (sum, calls) = files.entry(row.span.source).or_default().entry(line).or_default();
        *sum += match by {
            By::Steps => row.served.0 as f64,
            By::Time => row.served.1,
            By::Calls => row.figures.calls as f64,
        };
        *calls += row.figures.calls;
    }
    let all = whole(profile, by);
    let hottest = files.values().flat_map(BTreeMap::values).map(|(weight, _)| *weight).fold(0.0, f64::max);
    let mut text = String::new();
    for (file, lines) in files {
        let source = sources.get(file);
        text.push_str(&format!("\n{:>12} {:>8} {:<10}  {}\n", "tried", "share", "", source.name));
        for (at, line) in source.text.lines().enumerate() {
            let figures = match lines.get(&(at + 1)) {
                Some((weight, calls)) => {
                    let length = if hottest > 0.0 { (BAR * weight / hottest).round() as usize } else { 0 };
                    format!("{:>12} {:>8} {:<10}", grouped(*calls), share(*weight, all), "#".repeat(length))
                }
                None => " ".repeat(32),
            };
            text.push_str(format!("{figures} {:>4} | {line}", at + 1).trim_end());
            text.push('\n');
        }
    }
    text
}
