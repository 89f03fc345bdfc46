//! Formats proofs and failures as trees of lines, with box characters or in ASCII.
//!
//! The trees are as wide as the terminal, or 80 columns. The module does not depend on how a goal is
//! proved.

use crate::cli::output::columns;
use alphorn_protocol::protocol::data::Place;
use alphorn_protocol::protocol::proof::{Failing, Marked, Mismatch, Proof, ProvedBy, Tried};
use alphorn_text::report::plural;

/// Columns without a terminal, and the greatest number of columns.
const WIDTH: usize = 80;
const WIDEST: usize = 120;
/// Least columns of a line, however deep it is.
const LEAST: usize = 24;

/// A line and the lines below it.
pub(in crate::cli) struct Row {
    /// A goal; a long goal is shortened.
    goal: String,
    /// A sentence, which may be broken into lines.
    note: String,
    below: Vec<Row>,
}

impl Row {
    fn new(goal: impl Into<String>, note: impl Into<String>) -> Row {
        Row { goal: goal.into(), note: note.into(), below: Vec::new() }
    }
}

/// Formats a place as the name of the file and the line.
pub(in crate::cli) fn place(place: Option<&Place>) -> String {
    let name = |place: &Place| place.file.rsplit('/').next().unwrap_or(&place.file).to_string();
    place.map(|place| format!("{}:{}", name(place), place.line)).unwrap_or_default()
}

/// The rows of proofs.
pub(in crate::cli) fn proofs(proofs: &[Proof]) -> Vec<Row> {
    stacker::maybe_grow(64 << 10, 4 << 20, || proofs.iter().map(proof_row).collect())
}

fn proof_row(proof: &Proof) -> Row {
    let note = match proof.by {
        ProvedBy::Clause => match &proof.clause {
            Some(clause) if clause.of > 1 => {
                format!("{}, clause {} of {}", place(clause.place.as_ref()), clause.number, clause.of)
            }
            clause => place(clause.as_ref().and_then(|clause| clause.place.as_ref())),
        },
        ProvedBy::Builtin => "builtin".to_string(),
        ProvedBy::Library => "library".to_string(),
        ProvedBy::Table => "by its table".to_string(),
        ProvedBy::First => "by the first alternative".to_string(),
        ProvedBy::Second => "by the second alternative".to_string(),
        ProvedBy::Then => "the condition is true".to_string(),
        ProvedBy::Else => "the condition is false".to_string(),
        ProvedBy::Refuted => "the negated goal has no answer".to_string(),
        ProvedBy::Gathered => plural(proof.solutions.unwrap_or(0) as u64, "solution", "solutions"),
    };
    let when = if proof.as_called { ", shown as it was called" } else { "" };
    let mut row = Row::new(proof.goal.clone(), note + when);
    row.below = proofs(&proof.parts);
    if proof.folded > 0 {
        row.below.push(Row::new("", format!("... {}", plural(proof.folded as u64, "goal", "goals"))));
    }
    row
}

/// The row of a goal that fails.
pub(super) fn failing(failing: &Failing) -> Row {
    let fails = match failing.reason.is_empty() {
        true => "fails".to_string(),
        false => format!("fails: {}", failing.reason),
    };
    let mut row = Row::new(failing.goal.clone(), fails);
    if failing.cut {
        row.below.push(Row::new("", "... (--depth shows more)"));
        return row;
    }
    row.below.extend(failing.clauses.iter().map(tried_row));
    if failing.omitted > 0 {
        let others = plural(failing.omitted as u64, "more clause", "more clauses");
        row.below.push(Row::new("", format!("{others} that do not match")));
    }
    row.below.extend(failing.parts.iter().map(self::failing));
    row.below.extend(proofs(&failing.proof));
    row
}

fn tried_row(tried: &Tried) -> Row {
    let mut note = format!("{}, clause {}", place(tried.place.as_ref()), tried.number);
    if let Some(Mismatch { wants, given, at, .. }) = &tried.mismatch {
        note.push_str(&format!(": expects {wants}, but is called with {given} at {at}"));
    }
    if !tried.note.is_empty() {
        note.push_str(&format!(": {}", tried.note));
    }
    let mut row = Row::new(tried.head.clone(), note);
    for step in &tried.goals {
        let (mark, note) = match step.mark {
            Marked::True => ("✓", String::new()),
            Marked::Unreached => ("·", "not reached".to_string()),
            Marked::Failed if tried.times > 1 => ("✗", format!("fails in each of {} attempts", tried.times)),
            Marked::Failed => ("✗", "fails".to_string()),
        };
        let mut line = Row::new(format!("{mark} {}", step.goal), note);
        if let (Marked::Failed, Some(inner)) = (step.mark, &tried.because) {
            let inner = failing(inner);
            if !inner.note.is_empty() && inner.note != "fails" {
                line.note = match tried.times {
                    0 | 1 => inner.note,
                    times => format!("{}, in one of {times} attempts", inner.note),
                };
            }
            line.below = inner.below;
        }
        row.below.push(line);
    }
    row
}

/// Formats rows as text; the outermost rows have no branches.
pub(in crate::cli) fn drawn(rows: &[Row], unicode: bool) -> String {
    let mut page = Page { out: String::new(), width: columns(WIDTH).min(WIDEST), unicode };
    for row in rows {
        page.lines(row, "", "");
    }
    let out = page.out;
    match unicode {
        true => out,
        false => out.replace('✓', "+").replace('✗', "x").replace('·', "."),
    }
}

/// The text while rows are added to it.
struct Page {
    out: String,
    width: usize,
    unicode: bool,
}

impl Page {
    fn lines(&mut self, row: &Row, first: &str, rest: &str) {
        let (fork, last, bar) = if self.unicode { ("├─ ", "└─ ", "│  ") } else { ("|- ", "`- ", "|  ") };
        let below = if row.below.is_empty() { "   " } else { bar };
        let under = format!("{rest}{}", if first.is_empty() && row.below.is_empty() { "  " } else { below });
        let room = self.width.saturating_sub(rest.chars().count()).max(LEAST);
        let goal = shortened(&row.goal, room);
        for (number, line) in broken(&goal, &row.note, room).iter().enumerate() {
            let lead = if number == 0 { first } else { &under };
            self.out.push_str(format!("{lead}{line}").trim_end());
            self.out.push('\n');
        }
        for (number, part) in row.below.iter().enumerate() {
            let end = number + 1 == row.below.len();
            let (fork, bar) = if end { (last, "   ") } else { (fork, bar) };
            stacker::maybe_grow(64 << 10, 4 << 20, || {
                self.lines(part, &format!("{rest}{fork}"), &format!("{rest}{bar}"));
            });
        }
    }
}

fn shortened(goal: &str, room: usize) -> String {
    if goal.chars().count() <= room {
        return goal.to_string();
    }
    let kept: String = goal.chars().take(room.saturating_sub(3)).collect();
    format!("{}...", kept.trim_end_matches('.'))
}

/// A goal and its note, on one line if there is room. Otherwise the note is broken into lines below
/// the goal, with less room.
fn broken(goal: &str, note: &str, room: usize) -> Vec<String> {
    let behind = goal.chars().count() + 2 + note.chars().count() <= room;
    match (goal.is_empty(), note.is_empty()) {
        (_, true) => return vec![goal.to_string()],
        (false, false) if behind => return vec![format!("{goal}  {note}")],
        _ => {}
    }
    let (mut lines, room) = match goal.is_empty() {
        true => (Vec::new(), room),
        false => (vec![goal.to_string()], room.saturating_sub(3)),
    };
    let mut line = String::new();
    for word in note.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            lines.push(std::mem::take(&mut line));
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
