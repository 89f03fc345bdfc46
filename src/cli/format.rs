//! `fmt`: formats files of rules.

use crate::cli::annotations::FormatOption;
use crate::cli::output::Out;
use crate::cli::{CommandResult, NO, YES};
use alphorn_protocol::protocol::format::{self, FormattedFile, FormattedFiles, Reply, Request};
use alphorn_protocol::protocol::host::refusal;
use alphorn_session::session::options::source;
use alphorn_session::session::writing::write;
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::printable::line;
use alphorn_text::report::{Problem, Report, Severity, plural};
use alphorn_text::source::{Source, Sources, Span};
use clap::Args;
use similar::{DiffTag, TextDiff};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ending of the files that are formatted in a folder.
const RULES: &str = "pl";

/// `alphorn fmt`
#[derive(Args, Debug)]
pub struct FormatArgs {
    /// Rules files, folders of rules files (*.pl), or - for standard input, whose result goes to standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Write nothing; list the files that are not formatted, and exit with status 1 if there are any
    #[arg(long)]
    pub check: bool,
    /// Write nothing; print what would change, and exit with status 1 if something would
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    /// For whom to print; a format for another program needs --check
    pub format: FormatOption,
}

pub(super) fn fmt(args: &FormatArgs, out: &Out) -> CommandResult {
    let mut annotations = args.format.annotations("fmt");
    if annotations.is_some() && (!args.check || args.diff) {
        return Err(refusal(
            "--format github and --format sarif print the files that are not formatted",
            "add --check, without --diff",
        ));
    }
    let mut files = Vec::new();
    for name in &args.files {
        match Path::new(name).is_dir() {
            true => gather(Path::new(name), &mut files)?,
            false => files.push(name.clone()),
        }
    }
    let keep = args.check || args.diff;
    let mut rows = Vec::new();
    for name in &files {
        let before = source(name)?;
        let found = format::answer(&Request { text: before.text.to_string() });
        if annotations.is_none() {
            write_or_print(args, name, (&before.text, &found), out)?;
        }
        let unreadable = (found.unreadable > 0).then(|| unreadable(name, found.unreadable));
        match (&mut annotations, unreadable) {
            (Some(annotations), unreadable) => {
                if found.changed {
                    annotations.unformatted(&difference_report(before, &found.text), name);
                }
                unreadable.iter().for_each(|told| annotations.remark(name, Severity::Warning, told));
            }
            (None, Some(told)) if !out.json => out.tell(&format!("{}: {told}\n", line(name))),
            (None, _) => {}
        }
        rows.push((name, found));
    }
    let changed = rows.iter().any(|(_, found)| found.changed);
    if out.json {
        let row = |(file, found): (&String, Reply)| FormattedFile {
            file: file.clone(),
            changed: found.changed,
            unreadable: found.unreadable,
            text: (file.as_str() == "-" && !keep).then_some(found.text),
        };
        out.object(FormattedFiles { files: rows.into_iter().map(row).collect() });
    }
    let status = if keep && changed { NO } else { YES };
    if let Some(annotations) = annotations {
        annotations.print(status, out);
    }
    Ok(status)
}

/// Writes a formatted file, or prints what the options ask for.
fn write_or_print(args: &FormatArgs, name: &str, (before, found): (&str, &Reply), out: &Out) -> Result<(), Failure> {
    let keep = args.check || args.diff;
    match name {
        _ if args.diff && !out.json => out.print(&difference(name, before, found)),
        _ if args.check && found.changed && !out.json => out.line(&line(name)),
        "-" if !keep && !out.json => out.print(&found.text),
        _ if found.changed && !keep => {
            if name != "-" {
                write(Path::new(name), &found.text, &[])?;
            }
            if !out.json {
                out.line(&format!("formatted {}", line(name)));
            }
        }
        _ => {}
    }
    Ok(())
}

/// What happens to clauses that cannot be read.
fn unreadable(name: &str, count: usize) -> String {
    let clauses = plural(count as u64, "unreadable clause", "unreadable clauses");
    format!("{clauses} left as written; type alphorn check {} for the reasons", line(name))
}

/// A problem at the first line that changes. Its edits format the text.
fn difference_report(source: Source, formatted: &str) -> Report {
    let (before, name) = (source.text.clone(), line(&source.name).into_owned());
    let mut sources = Sources::default();
    let id = sources.add(source);
    let starts: Vec<u32> = before
        .split_inclusive('\n')
        .scan(0, |end, line| {
            *end += line.len() as u32;
            Some(*end)
        })
        .collect();
    let start = |line: usize| if line == 0 { 0 } else { starts[line - 1] };
    let new: Vec<&str> = formatted.split_inclusive('\n').collect();
    let diff = TextDiff::from_lines(&*before, formatted);
    let changes = diff.ops().iter().filter(|change| change.tag() != DiffTag::Equal);
    let edits: Vec<(Span, String)> = changes
        .map(|change| {
            let (old, new) = (change.old_range(), new[change.new_range()].concat());
            (Span { source: id, start: start(old.start), end: start(old.end) }, new)
        })
        .collect();
    let mut problem =
        Problem::placeless(Code::None, "the file is not formatted").help(format!("type alphorn fmt {name}"));
    problem.labels = edits.first().map(|(span, _)| (*span, String::new())).into_iter().collect();
    problem.edits = edits;
    Report::new(Arc::new(sources), vec![problem])
}

/// The changes as a unified diff.
fn difference(name: &str, before: &str, found: &Reply) -> String {
    let diff = TextDiff::from_lines(before, &found.text);
    diff.unified_diff().header(&line(name), &format!("{} (formatted)", line(name))).to_string()
}

/// Adds the files of rules in a folder and in the folders below it, in the order of their names.
fn gather(folder: &Path, files: &mut Vec<String>) -> SessionResult<()> {
    let unreadable = |error: &std::io::Error| -> Failure {
        refusal(format!("cannot read the folder {}: {error}", folder.display()), "name a folder that you may read")
    };
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(&error))?;
    let mut paths: Vec<(PathBuf, bool)> = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(&error))?;
        // A link to a folder could lead back here.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push((entry.path(), is_folder));
        }
    }
    paths.sort();
    for (path, is_folder) in paths {
        if is_folder {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == RULES)
            && let Some(name) = path.to_str()
        {
            files.push(name.to_string());
        }
    }
    Ok(())
}
