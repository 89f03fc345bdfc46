//! `advise`: prints the advice of a table for a position, and the reasons.

use super::picture::svg;
use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::{CommandResult, NO, YES};
use alphorn_protocol::protocol::advice::{self, Answered, Failed, Follows, Reason, Refutation, Reply, Silent};
use alphorn_protocol::protocol::host::Host;
use alphorn_session::session::writing::FileFormat;
use alphorn_text::report::{grouped, plural};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

/// `alphorn advise`
#[derive(Args, Debug)]
pub struct AdviseArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to ask
    pub request: advice::Request,
    /// Draw the forcing tree to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Greatest number of refuted first moves in the text.
const SHOWN: usize = 6;

pub(in crate::cli) fn advise(args: &AdviseArgs, host: &mut Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| {
        host.writes = args.svg.clone().map(|path| (path, FileFormat::Picture));
        advice::answer(&args.request, host, listen)
    })?;
    out.reply(&found, || {
        let lines = found.picture.as_ref().map(|lines| lines.join("\n") + "\n\n").unwrap_or_default();
        lines + &advice_text(&found)
    });
    let Some(advice) = &found.advice else { return Ok(NO) };
    if let Some(path) = &args.svg {
        out.write(path, &svg(advice, &found), FileFormat::Picture)?;
    }
    Ok(YES)
}

fn advice_text(found: &Reply) -> String {
    let mut text = String::new();
    for Silent { rule, goal } in &found.silent {
        let why = goal.as_ref().map_or_else(|| "its condition fails".to_string(), |goal| format!("{goal} fails"));
        let _ = writeln!(text, "silent  {rule}: {why}");
    }
    match &found.rule {
        Some(rule) => {
            let _ = writeln!(text, "rule    {rule}");
        }
        None => text
            .push_str("rule    none: no condition holds; end the table with a rule for all other positions: if true\n"),
    }
    for failed in &found.failed {
        failed_text(failed, &mut text);
    }
    if let Some(idle) = &found.idle {
        let _ = writeln!(
            text,
            "idle    {idle}: its better-goal holds before the first move, so the advice would be followed for ever\n\
             \x20       let the goal demand a change, such as X < root(X), or the other side to move"
        );
    }
    match &found.advice {
        Some(name) => {
            let plies = plural(found.plies.unwrap_or_default() as u64, "ply", "plies");
            let moves = plural(found.moves.unwrap_or_default() as u64, "move", "moves");
            let _ = write!(text, "advice  {name}: {plies}, {moves}\ntree    ");
            tree_text(&found.tree, 8, &mut text);
        }
        None if found.rule.is_some() && found.idle.is_none() => {
            text.push_str("advice  none: no advice of the rule can be forced here\n");
        }
        None => {}
    }
    let _ = writeln!(text, "nodes   {}", grouped(found.nodes));
    text
}

/// Says why a refutation ends.
fn reason(Refutation { why, goal, .. }: &Refutation) -> String {
    let wrong = match why {
        Reason::Holding => "the holding-goal fails",
        Reason::Over => "the game is over, without the better-goal",
        Reason::NoMove => "no move of ours is allowed",
        Reason::NoReply => "the advice considers no reply",
    };
    match (goal, why) {
        (None, _) => wrong.to_string(),
        (Some(part), Reason::Holding) => format!("{part} fails, and must hold"),
        (Some(part), Reason::NoReply) => format!("the better-goal fails: {part}"),
        (Some(part), _) => format!("{wrong}: {part} fails"),
    }
}

fn failed_text(Failed { advice, refuted }: &Failed, text: &mut String) {
    match refuted.as_slice() {
        [one] if one.line.is_empty() => {
            let _ = writeln!(text, "skipped {advice}: {}", reason(one));
        }
        lines => {
            let moves = plural(lines.len() as u64, "first move", "first moves");
            let _ = writeln!(text, "skipped {advice}: {moves}");
            for refuted in lines.iter().take(SHOWN) {
                let _ = writeln!(text, "          {}: {}", refuted.line.join(" "), reason(refuted));
            }
            if lines.len() > SHOWN {
                let _ = writeln!(text, "          and {} more: --json", lines.len() - SHOWN);
            }
        }
    }
}

/// Writes our move on the line of the reply that it answers; replies are on lines of their own.
fn tree_text(tree: &Follows, indent: usize, text: &mut String) {
    match tree {
        Follows::Nothing => text.push('\n'),
        Follows::Ours(ours) => {
            text.push_str(&ours.mv);
            if matches!(ours.then, Follows::Ours(_)) {
                text.push(' ');
            }
            tree_text(&ours.then, indent, text);
        }
        Follows::Theirs(replies) => {
            text.push('\n');
            for Answered { reply, then } in replies {
                let _ = write!(text, "{}{reply}", " ".repeat(indent + 2));
                if matches!(then, Follows::Ours(_)) {
                    text.push_str("  ");
                }
                tree_text(then, indent + 2, text);
            }
        }
    }
}
