//! Formats a profile as tables, weighed by steps, time or calls. The module does not depend on what
//! was profiled.

use crate::cli::table::percent;
use alphorn_protocol::protocol::profile::{self, By, weight, whole};
use alphorn_session::session::profile::{ClauseProfile, Figures, Profile, QuestionProfile};
use alphorn_text::report::grouped;
use clap::Args;

/// `alphorn profile`
#[derive(Args, Debug)]
pub struct ProfileArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to profile
    pub request: profile::Request,
    /// Number of rows of each table
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    pub top: usize,
    /// Print all rows
    #[arg(long)]
    pub all: bool,
    /// Print a table of the clauses too
    #[arg(long)]
    pub clauses: bool,
    /// Print the costs beside the lines of the rules
    #[arg(long)]
    pub source: bool,
}

/// Formats a share, such as `12.3 %`.
pub(super) fn share(part: f64, whole: f64) -> String {
    percent((whole > 0.0).then(|| part / whole))
}

/// Lays out columns below their heads: the first left-aligned, the others right-aligned.
fn columns(heads: &[&str], rows: &[Vec<String>]) -> String {
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
        cells.chain([heads[at].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for (at, cell) in cells.enumerate() {
            match at {
                0 => text.push_str(&format!("{cell:<width$}", width = widths[0])),
                _ => text.push_str(&format!("  {cell:>width$}", width = widths[at])),
            }
        }
        format!("{}\n", text.trim_end())
    };
    let mut text = line(&mut heads.iter().copied());
    rows.iter().for_each(|row| text.push_str(&line(&mut row.iter().map(String::as_str))));
    text
}

/// Formats seconds for the end of a line.
fn clock(seconds: f64) -> String {
    format!("{seconds:>8.3} s")
}

/// The tables of a profile; `words` is the line with the result of the work.
pub(super) fn text(profile: &Profile, words: &str, args: &ProfileArgs) -> String {
    let (steps, seconds) = (grouped(profile.steps), profile.seconds);
    let mut text = format!("machine  the reference solver, watched\nrules    {steps} steps, {seconds:.2} s\n{words}");
    text.push_str(&questions(profile, args.request.by));
    let all = whole(profile, args.request.by);
    let top = if args.all { usize::MAX } else { args.top };
    let mut rows: Vec<(String, Figures)> =
        profile.predicates.iter().map(|row| (row.name.clone(), row.figures)).collect();
    if args.request.goal.is_some() {
        rows.push(("(the goal itself)".to_string(), profile.itself));
    }
    text.push_str(&table("predicate", rows, args.request.by, all, top));
    if args.clauses {
        let named = |row: &ClauseProfile| (format!("{} #{}", row.name, row.number), row.figures);
        let rows = profile.clauses.iter().map(named).filter(|(_, figures)| figures.calls > 0).collect();
        text.push_str(&table("clause", rows, args.request.by, all, top));
    }
    text
}

fn questions(profile: &Profile, by: By) -> String {
    let weight = |row: &QuestionProfile| match by {
        By::Steps => row.steps as f64,
        By::Time => row.seconds,
        By::Calls => row.asked as f64,
    };
    let mut asked: Vec<_> = profile.questions.iter().filter(|row| row.name.is_some() && row.asked > 0).collect();
    if asked.is_empty() {
        return String::new();
    }
    let all: f64 = asked.iter().map(|row| weight(row)).sum();
    asked.sort_by(|left, right| weight(right).total_cmp(&weight(left)));
    let cells = |row: &&QuestionProfile| {
        vec![
            row.name.clone().unwrap_or_default(),
            grouped(row.asked),
            grouped(row.steps),
            format!("{:.1}", row.steps as f64 / row.asked as f64),
            share(weight(row), all),
            clock(row.seconds),
        ]
    };
    let rows: Vec<Vec<String>> = asked.iter().map(cells).collect();
    format!("\n{}", columns(&["question", "asked", "steps", "each", "share", "time"], &rows))
}

fn table(head: &str, mut rows: Vec<(String, Figures)>, by: By, all: f64, top: usize) -> String {
    // Rows of the same weight stay in the order of the rules.
    rows.sort_by(|(_, left), (_, right)| weight(right, by).total_cmp(&weight(left, by)));
    let left = rows.len().saturating_sub(top);
    rows.truncate(top);
    let throws = rows.iter().any(|(_, figures)| figures.exceptions > 0);
    let mut heads = vec![head, "calls", "redos", "exits", "fails", "errors", "steps", "share", "time"];
    if !throws {
        heads.remove(5);
    }
    let cells = |(name, figures): &(String, Figures)| {
        let Figures { calls, redos, exits, fails, exceptions, steps, seconds } = *figures;
        let mut cells = vec![name.clone()];
        cells.extend([calls, redos, exits, fails].map(grouped));
        cells.extend(throws.then(|| grouped(exceptions)));
        cells.extend([grouped(steps), share(weight(figures, by), all), clock(seconds)]);
        cells
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let more = match left {
        0 => String::new(),
        left => format!("and {left} more: --all shows them\n"),
    };
    format!("\n{}{more}", columns(&heads, &rows))
}
