//! `check` and `test`: report the problems of files and test their expectations.

use crate::cli::output::{Out, counted};
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, FAILED, NO, YES};
use alphorn_protocol::protocol::check;
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::partial::{CheckedFile, Expectation, LoadedFile, TestedFile, Verdict};
use alphorn_protocol::protocol::test;
use alphorn_rules::rules::cost::CompiledGame;
use alphorn_text::printable::line;
use alphorn_text::report::{Report, grouped, plural};
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
    /// What to test
    pub request: test::Request,
}

pub(super) fn check(args: &CheckArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let request = check::Request { files: args.files.clone(), ..args.request.clone() };
    let watch = RefCell::new(EventPrinter::new(out, false));
    let found = check::answer(&request, host, &|event| match event {
        Event::Checked { file } => {
            watch.replace(EventPrinter::new(out, false));
            draw(&file, &request, out);
        }
        event => watch.borrow().print_event(event),
    })?;
    drop(watch);
    if let [file] = found.files.as_slice() {
        draw(file, &request, out);
    }
    match out.json {
        true => out.object(&found),
        false => out.keep_reply(&found),
    }
    let bad = |file: &CheckedFile| file.errors > 0 || (args.deny_warnings && file.warnings > 0);
    Ok(match () {
        () if found.files.iter().any(|file| !file.read) => FAILED,
        () if found.files.iter().any(bad) => NO,
        () => YES,
    })
}

fn draw(file: &CheckedFile, request: &check::Request, out: &Out) {
    if out.json {
        return;
    }
    if file.stopped {
        let told = match (file.games, request.playouts) {
            (Some(done), Some(all)) => {
                format!("{} of {} played", grouped(done.into()), plural(all.into(), "game", "games"))
            }
            _ => "the first plies of a game were not finished".to_string(),
        };
        out.tell(&format!("stopped: {told}\n"));
    }
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
        out.show(&Report::new(report.sources.clone(), compiled.problems()));
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
    let watch = RefCell::new(EventPrinter::new(out, false));
    let found = test::answer(&request, host, &|event| match event {
        Event::Expectation { expectation, .. } => {
            watch.replace(EventPrinter::new(out, false));
            expectation.drawn.iter().for_each(|report| out.report(report));
        }
        Event::Tested { file } => draw_tested(&file, out),
        event => watch.borrow().print_event(event),
    })?;
    drop(watch);
    if let [file] = found.files.as_slice() {
        draw_tested(file, out);
    }
    match out.json {
        true => out.object(&found),
        false => out.keep_reply(&found),
    }
    let status = |expectation: &Expectation| match expectation.verdict {
        Verdict::Holds => YES,
        Verdict::Fails => NO,
        Verdict::Undecided | Verdict::Faulted => FAILED,
    };
    let status = found.files.iter().map(|file| match file {
        TestedFile::Loaded(file) => file.expectations.iter().map(status).max().unwrap_or(YES),
        TestedFile::Broken(_) => FAILED,
    });
    Ok(status.max().unwrap_or(YES))
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
