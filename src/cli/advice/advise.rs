//! `advise`: what an advice table says of a position, and why.

use super::args::AdviseArgs;
use super::picture::svg;
use crate::cli::output::Out;
use crate::cli::play::{load, start};
use crate::cli::{Ended, NO, YES};
use alphorn_search::advice::{Tree, Why};
use alphorn_session::session::advice::{Advised, Passed};
use alphorn_session::session::writing::Form;
use alphorn_text::report::{grouped, plural};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Refuted first moves that are told to a person.
const SHOWN: usize = 6;

pub(in crate::cli) fn advise(args: &AdviseArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.at.start))?;
    if let Some(path) = &args.svg {
        out.may_write(path, Some(Form::Picture), Some(&session))?;
    }
    let advised = session.advise(&game, &state, args.tree.most)?;
    let position = session.position_text(&game, &state)?;
    let picture = session.picture(&game, &state)?;
    out.answer(advised_json(&advised, &position), || {
        let lines = picture.map(|lines| lines.join("\n") + "\n\n").unwrap_or_default();
        lines + &advised_text(&advised)
    });
    if let (Some(path), Some((name, tree))) = (&args.svg, &advised.chosen) {
        out.write(path, &svg(name, tree), Form::Picture, Some(&session))?;
    }
    Ok(if advised.chosen.is_some() { YES } else { NO })
}

/// A tree as data: our move with what follows it, or their replies.
fn tree_json(tree: &Tree<String>) -> Value {
    match tree {
        Tree::Reached => Value::Null,
        Tree::Ours(mv, below) => json!({ "move": mv, "then": tree_json(below) }),
        Tree::Theirs(replies) => {
            replies.iter().map(|(mv, below)| json!({ "reply": mv, "then": tree_json(below) })).collect()
        }
    }
}

fn why_name(why: Why) -> &'static str {
    match why {
        Why::Lost => "holding",
        Why::Over => "over",
        Why::NoMove => "no_move",
        Why::NoReply => "no_reply",
    }
}

fn advised_json(advised: &Advised, position: &str) -> Value {
    let refuted = |passed: &Passed| -> Value {
        let each = passed.refuted.iter().zip(&passed.parts);
        each.map(|(refuted, part)| json!({ "line": refuted.line, "why": why_name(refuted.why), "goal": part }))
            .collect()
    };
    let failed = advised.failed.iter().map(|passed| json!({ "advice": passed.advice, "refuted": refuted(passed) }));
    let silent = advised.rules.iter().zip(&advised.silent).map(|(rule, goal)| json!({ "rule": rule, "goal": goal }));
    json!({
        "position": position,
        "rule": advised.rules.last().filter(|_| advised.fired),
        "silent": silent.collect::<Vec<_>>(),
        "failed": failed.collect::<Vec<_>>(),
        "advice": advised.chosen.as_ref().map(|(name, _)| name),
        "idle": advised.idle,
        "tree": advised.chosen.as_ref().map(|(_, tree)| tree_json(tree)),
        "moves": advised.chosen.as_ref().map(|(_, tree)| tree.moves()),
        "plies": advised.chosen.as_ref().map(|(_, tree)| tree.plies()),
        "nodes": advised.nodes,
    })
}

fn advised_text(advised: &Advised) -> String {
    let mut text = String::new();
    for (rule, goal) in advised.rules.iter().zip(&advised.silent) {
        let why = goal.as_ref().map_or_else(|| "its condition fails".to_string(), |goal| format!("{goal} fails"));
        let _ = writeln!(text, "silent  {rule}: {why}");
    }
    match advised.rules.last().filter(|_| advised.fired) {
        Some(rule) => {
            let _ = writeln!(text, "rule    {rule}");
        }
        None => text
            .push_str("rule    none: no condition holds here; end the table with a rule for what is left, if true\n"),
    }
    for passed in &advised.failed {
        passed_text(passed, &mut text);
    }
    if let Some(idle) = &advised.idle {
        let _ = writeln!(
            text,
            "idle    {idle}: its better-goal holds before a move is made, so it would be followed for ever\n\
             \x20       let the goal say what is new, such as X < root(X), or that the other side is to move"
        );
    }
    match &advised.chosen {
        Some((name, tree)) => {
            let _ = writeln!(
                text,
                "advice  {name}: {}, {}",
                plural(tree.plies() as u64, "ply", "plies"),
                plural(tree.moves() as u64, "move", "moves")
            );
            text.push_str("tree    ");
            tree_text(tree, 8, &mut text);
        }
        None if advised.fired && advised.idle.is_none() => {
            text.push_str("advice  none: nothing that the rule names can be forced here\n");
        }
        None => {}
    }
    let _ = writeln!(text, "nodes   {}", grouped(advised.nodes));
    text
}

fn passed_text(passed: &Passed, text: &mut String) {
    let told = |at: usize| {
        let refuted = &passed.refuted[at];
        match (&passed.parts[at], refuted.why) {
            (None, why) => why.told().to_string(),
            (Some(part), Why::Lost) => format!("{part} fails, and must hold"),
            (Some(part), Why::NoReply) => format!("it is not better: {part} fails"),
            (Some(part), why) => format!("{}: {part} fails", why.told()),
        }
    };
    match passed.refuted.as_slice() {
        [one] if one.line.is_empty() => {
            let _ = writeln!(text, "passed  {}: {}", passed.advice, told(0));
        }
        lines => {
            let _ = writeln!(
                text,
                "passed  {}: {}",
                passed.advice,
                plural(lines.len() as u64, "first move", "first moves")
            );
            for (at, refuted) in lines.iter().enumerate().take(SHOWN) {
                let _ = writeln!(text, "          {}: {}", refuted.line.join(" "), told(at));
            }
            if lines.len() > SHOWN {
                let _ = writeln!(text, "          and {} more: --json", lines.len() - SHOWN);
            }
        }
    }
}

/// Our move on the line of the reply that it answers, replies below one another.
fn tree_text(tree: &Tree<String>, indent: usize, text: &mut String) {
    match tree {
        Tree::Reached => text.push('\n'),
        Tree::Ours(mv, below) => {
            text.push_str(mv);
            match &**below {
                Tree::Ours(..) => {
                    text.push(' ');
                    tree_text(below, indent, text);
                }
                below => tree_text(below, indent, text),
            }
        }
        Tree::Theirs(replies) => {
            text.push('\n');
            for (reply, below) in replies {
                let _ = write!(text, "{}{reply}", " ".repeat(indent + 2));
                if matches!(below, Tree::Ours(..)) {
                    text.push_str("  ");
                }
                match below {
                    Tree::Theirs(_) | Tree::Ours(..) => tree_text(below, indent + 2, text),
                    Tree::Reached => text.push('\n'),
                }
            }
        }
    }
}
