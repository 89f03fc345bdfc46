//! `query`: prints the answers of a goal.

use crate::cli::files::GoalArgs;
use crate::cli::output::Out;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, FAILED, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::query::{self, Request};
use alphorn_session::session::Failure;
use alphorn_session::session::query::Answer;
use alphorn_text::code::Code;
use alphorn_text::printable;
use alphorn_text::report::Problem;
use std::sync::Arc;

pub(super) fn query(args: &GoalArgs<Request>, host: &Host<'_>, out: &Out) -> CommandResult {
    let goal = args.texts.last().map_or("", String::as_str);
    require_goal("query", goal, host)?;
    let request = Request { goal: goal.to_string(), ..args.request.clone() };
    let watch = EventPrinter::new(out, false);
    let mut see = |answer: &Answer, output: &str, _: bool| {
        out.print(&format!("{}{}\n", with_final_newline(output), line(answer)));
        true
    };
    let see: Option<query::OnAnswer<'_>> = if out.json { None } else { Some(&mut see) };
    let answers = query::shown(&request, host, &|event| watch.print_event(event), see)?;
    let stopped = answers.error.as_ref().is_some_and(|error| error.stopped);
    let (count, complete) = (answers.count, answers.complete);
    if !out.json {
        out.print(&with_final_newline(&answers.output));
        out.report(&answers.warnings);
        match &answers.error {
            Some(error) => out.problem(&error.problem, &answers.warnings.sources),
            None if count == 0 && complete => out.line("false"),
            None => {}
        }
    }
    let reply = query::reply(answers);
    if out.json {
        out.object(&reply);
    }
    Ok(match reply.error {
        Some(_) if stopped => INTERRUPTED,
        Some(_) => FAILED,
        None if count == 0 && complete => NO,
        None => YES,
    })
}

/// Fails if the text is a file name, because the goal is missing.
pub(super) fn require_goal(command: &str, text: &str, host: &Host<'_>) -> Result<(), Failure> {
    if host.at().is_some() || !names_file(text) {
        return Ok(());
    }
    let problem = Problem::placeless(Code::InvalidArgument, format!("{text} is a file, and the goal is missing"))
        .help(format!("type the goal after the files, such as alphorn {command} {text} 'initial(Pos)'"));
    Err(Failure::Problem(Box::new(problem), Arc::default()))
}

/// Whether a text is the name of a rules file; no goal ends in `.pl`.
pub(super) fn names_file(text: &str) -> bool {
    text.ends_with(".pl") && !text.contains(|c: char| c.is_whitespace() || "(),'\"".contains(c))
}

/// The output of a goal with a newline at its end, so that the answer begins on its own line.
pub(super) fn with_final_newline(output: &str) -> String {
    let open = !output.is_empty() && !output.ends_with('\n');
    format!("{}{}", printable::lines(output), if open { "\n" } else { "" })
}

pub(super) fn line(answer: &Answer) -> String {
    if answer.is_empty() {
        return "true".to_string();
    }
    answer.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}
