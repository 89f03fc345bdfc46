//! `check` and `test`: report the problems of files and test their expectations.

use crate::cli::annotations::{Annotations, FormatOption};
use crate::cli::output::{Out, counted};
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, FAILED, NO, YES};
use alphorn_protocol::protocol::check;
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::partial::{CheckedFile, Expectation, LoadedFile, TestedFile, Verdict};
use alphorn_protocol::protocol::test;
use alphorn_rules::rules::cost::CompiledGame;
use alphorn_text::printable::line;
use alphorn_text::report::{Report, Severity, grouped, plural};
use clap::Args;
use std::cell::RefCell;

/// `alphorn check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rules files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Treat warnings as errors
    #[arg(long)]
    pub deny_warnings: bool,
    #[command(flatten)]
    /// For whom to print
    pub format: FormatOption,
    #[command(flatten)]
    /// What to check
    pub request: check::Request,
}

/// `alphorn test`
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Rules files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    #[command(flatten)]
    /// For whom to print
    pub format: FormatOption,
    #[command(flatten)]
    /// What to test
    pub request: test::Request,
}

pub(super) fn check(args: &CheckArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let request = check::Request { files: args.files.clone(), ..args.request.clone() };
    let annotations = args.format.annotations("check");
    let watch = RefCell::new(EventPrinter::new(out, false));
    let found = check::answer(&request, host, &|event| match event {
        Event::Checked { .. } if annotations.is_some() => {}
        Event::Checked { file } => {
            watch.replace(EventPrinter::new(out, false));
            draw(&file, &request, out);
        }
        event => watch.borrow().print_event(event),
    })?;
    drop(watch);
    if let ([file], None) = (found.files.as_slice(), &annotations) {
        draw(file, &request, out);
    }
    match out.json {
        true => out.object(&found),
        false => out.keep_reply(&found),
    }
    let status = status(&found, args);
    if let Some(mut annotations) = annotations {
        found.files.iter().for_each(|file| annotate(file, &request, out, &mut annotations));
        annotations.print(status, out);
    }
    Ok(status)
}

fn status(found: &check::Reply, args: &CheckArgs) -> u8 {
    let bad = |file: &CheckedFile| file.errors > 0 || (args.deny_warnings && file.warnings > 0);
    match () {
        () if found.files.iter().any(|file| !file.read) => FAILED,
        () if found.files.iter().any(bad) => NO,
        () => YES,
    }
}

fn annotate(file: &CheckedFile, request: &check::Request, out: &Out, annotations: &mut Annotations) {
    tell_stopped(file, request, out);
    let report = &file.problems.0;
    annotations.add(report, &file.file);
    file.notes.iter().for_each(|note| annotations.remark(&file.file, Severity::Note, note));
    if let Some(compiled) = file.compiled.as_ref().filter(|compiled| request.cost || compiled.by_reference) {
        annotations.add(&Report::new(report.sources.clone(), compiled.problems()), &file.file);
    }
}

fn tell_stopped(file: &CheckedFile, request: &check::Request, out: &Out) {
    if file.stopped {
        let told = match (file.games, request.playouts) {
            (Some(done), Some(all)) => {
                format!("{} of {} played", grouped(done.into()), plural(all.into(), "game", "games"))
            }
            _ => "the first plies of a game were not finished".to_string(),
        };
        out.tell(&format!("stopped: {told}\n"));
    }
}

fn draw(file: &CheckedFile, request: &check::Request, out: &Out) {
    if out.json {
        return;
    }
    tell_stopped(file, request, out);
    let (name, report) = (line(&file.file), &file.problems.0);
    out.report(report);
    file.notes.iter().for_each(|note| out.line(&format!("{name}: note: {}", line(note))));
    out.line(&format!("{name}: {}", counted(report)));
    if let Some(compiled) = &file.compiled {
        listed(&name, compiled, request, report, out);
    }
}

/// Prints the compiled code of a file, and notes on its cost, as requested.
fn listed(name: &str, compiled: &CompiledGame, request: &check::Request, report: &Report, out: &Out) {
    if request.code {
        out.print(&compiled.code);
    }
    if request.cost || compiled.by_reference {
        // `Report::new` would sort the problems by their places.
        out.show(&Report { sources: report.sources.clone(), problems: compiled.problems() });
    }
    let words = match (compiled.places(), compiled.followers()) {
        _ if compiled.by_reference => "nothing is compiled".to_string(),
        _ if !request.cost => return,
        (0, 0) if compiled.costs.is_empty() => "everything is specialised".to_string(),
        (0, 0) => "everything of its own is specialised".to_string(),
        (0, _) => "everything of its own is specialised, but not for unbound arguments".to_string(),
        (1, _) => "1 place is not specialised".to_string(),
        (places, _) => format!("{places} places are not specialised"),
    };
    out.line(&format!("{name}: {words}"));
}

pub(super) fn test(args: &TestArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let request = test::Request { files: args.files.clone(), ..args.request.clone() };
    let annotations = RefCell::new(args.format.annotations("test"));
    let watch = RefCell::new(EventPrinter::new(out, false));
    let found = test::answer(&request, host, &|event| match (event, annotations.borrow_mut().as_mut()) {
        (Event::Warnings { problems }, Some(annotations)) => annotations.add(&problems.0, ""),
        (Event::Expectation { .. } | Event::Tested { .. }, Some(_)) => {}
        (Event::Expectation { expectation, .. }, None) => {
            watch.replace(EventPrinter::new(out, false));
            expectation.drawn.iter().for_each(|report| out.report(report));
        }
        (Event::Tested { file }, None) => draw_tested(&file, out),
        (event, _) => watch.borrow().print_event(event),
    })?;
    drop(watch);
    let annotations = annotations.into_inner();
    if let ([file], None) = (found.files.as_slice(), &annotations) {
        draw_tested(file, out);
    }
    match out.json {
        true => out.object(&found),
        false => out.keep_reply(&found),
    }
    let status = tested_status(&found);
    if let Some(mut annotations) = annotations {
        found.files.iter().for_each(|file| annotate_tested(file, &mut annotations));
        annotations.print(status, out);
    }
    Ok(status)
}

fn annotate_tested(file: &TestedFile, annotations: &mut Annotations) {
    match file {
        TestedFile::Loaded(file) => {
            let reports = file.expectations.iter().filter_map(|expectation| expectation.drawn.as_ref());
            reports.for_each(|report| annotations.add(report, &file.file));
            if file.untested > 0 {
                annotations.remark(&file.file, Severity::Error, &words(file));
            }
        }
        TestedFile::Broken(file) => annotations.add(&file.failure.report(), &file.file),
    }
}

fn tested_status(found: &test::Reply) -> u8 {
    let status = |expectation: &Expectation| match expectation.verdict {
        Verdict::Holds => YES,
        Verdict::Fails => NO,
        Verdict::Undecided | Verdict::Faulted => FAILED,
    };
    let status = found.files.iter().map(|file| match file {
        TestedFile::Loaded(file) => file.expectations.iter().map(status).max().unwrap_or(YES),
        TestedFile::Broken(_) => FAILED,
    });
    status.max().unwrap_or(YES)
}

fn draw_tested(file: &TestedFile, out: &Out) {
    match file {
        _ if out.json => {}
        TestedFile::Loaded(file) => out.line(&format!("{}: {}", line(&file.file), words(file))),
        TestedFile::Broken(file) => {
            out.failure(&file.failure);
            out.line(&format!("{}: has errors", line(&file.file)));
        }
    }
}

/// Counts the expectations of a file that passed, failed, or were not decided.
fn words(file: &LoadedFile) -> String {
    let parts = [
        (file.passed, "passed"),
        (file.failed, "failed"),
        (file.undecided - file.untested, "not decided"),
        (file.untested, "not tested: interrupted"),
    ];
    if parts.iter().all(|(count, _)| *count == 0) {
        return "no expectations".to_string();
    }
    let told = parts.iter().enumerate().filter(|(at, (count, _))| *at == 0 || *count > 0);
    told.map(|(_, (count, word))| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}
