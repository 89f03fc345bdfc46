//! `trace`: a goal through its ports, or a search from position to position.
//!
//! In: arguments. Out: a line for every step as it happens, or JSON. Must not know what a step is
//! made of: the session says.

use super::args::TraceArgs;
use super::program;
use crate::cli::args::Color;
use crate::cli::output::{Out, number, problem_json};
use crate::cli::play::{load, start};
use crate::cli::{Ended, FAILED, INTERRUPTED, NO, YES};
use alphorn_search::game::Score;
use alphorn_session::session::query::{Answer, Asking};
use alphorn_session::session::trace::{Follow, FollowSearch, Step, ToldPort, ToldVisit};
use alphorn_text::report::plural;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(in crate::cli) fn trace(args: &TraceArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    // Objects that are streamed end with one more, in the same form.
    out.json |= args.json_lines;
    match args.goal() {
        Some(goal) => goal_trace(goal, args, out, stop),
        None => search_trace(args, out, stop),
    }
}

/// Where steps go: to the reader at once, or kept for one object.
struct Steps {
    out: Out,
    streams: bool,
    kept: Rc<RefCell<Vec<Value>>>,
}

impl Steps {
    fn new(args: &TraceArgs, out: &Out) -> Steps {
        Steps { out: Out::new(out.json, Color::Never), streams: args.json_lines, kept: Rc::default() }
    }

    fn tell(&self, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
        match (self.out.json, self.streams) {
            (false, _) => self.out.print(&text()),
            (true, true) => self.out.object(json()),
            (true, false) => self.kept.borrow_mut().push(json()),
        }
    }
}

/// The steps that were kept, where they were.
fn with_steps(mut object: Value, args: &TraceArgs, kept: &RefCell<Vec<Value>>) -> Value {
    if !args.json_lines {
        object["steps"] = Value::Array(kept.take());
    }
    object
}

/// How to go on where a trace was cut off.
fn cut_off(args: &TraceArgs, filters: &str) -> String {
    format!("stopped after {}: --limit N goes on, {filters}\n", plural(args.limit, "line", "lines"))
}

fn goal_trace(goal: &str, args: &TraceArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let (session, now) = program(&args.at, out, stop)?;
    let follow = Follow {
        only: args.only.clone(),
        skip: args.skip.clone(),
        library: args.library,
        depth: args.depth,
        limit: args.limit,
    };
    let asking = Asking { limit: args.answers.unwrap_or(usize::MAX), canonical: false, keep: false };
    let steps = Steps::new(args, out);
    let kept = steps.kept.clone();
    let hear = move |step: Step| match &step {
        Step::Port(told) => steps.tell(|| port_json(told), || port_text(told)),
        Step::Answer(answer) => steps.tell(|| answer_json(answer), || answer_text(answer)),
    };
    let traced = session.trace_goal(goal, asking, now, &follow, Box::new(hear))?;
    let answers = &traced.answers;
    let error = answers.error.as_ref();
    if out.json {
        let problem = error.map(|error| problem_json(&error.problem, &answers.warnings.sources));
        let object = json!({
            "told": traced.told,
            "full": traced.full,
            "answers": answers.count,
            "complete": answers.complete,
            "error": problem,
        });
        out.object(with_steps(object, args, &kept));
    } else {
        out.report(&answers.warnings);
        match error {
            Some(error) => out.problem(&error.problem, &answers.warnings.sources),
            None if traced.full => out.tell(&cut_off(args, "--only PRED, --skip PRED and --depth N leave out")),
            None if answers.count == 0 => out.line("false"),
            None => {}
        }
    }
    Ok(match error {
        Some(error) if error.stopped => INTERRUPTED,
        Some(_) => FAILED,
        None if !traced.full && answers.count == 0 && answers.complete => NO,
        None => YES,
    })
}

fn port_text(told: &ToldPort) -> String {
    // What lies very deep is not moved out of sight.
    let indent = " ".repeat(2 * (told.depth as usize - 1).min(20));
    format!("{:>4}  {:<9}  {indent}{}\n", told.depth, told.port.name(), told.goal)
}

fn port_json(told: &ToldPort) -> Value {
    json!({ "port": told.port.name(), "depth": told.depth, "predicate": told.predicate, "goal": told.goal })
}

fn answer_text(answer: &Answer) -> String {
    let values: Vec<String> = answer.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("      answer     {}\n", if values.is_empty() { "true".to_string() } else { values.join(", ") })
}

fn answer_json(answer: &Answer) -> Value {
    let values: Map<String, Value> =
        answer.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect();
    json!({ "answer": values })
}

fn search_trace(args: &TraceArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.at.start))?;
    let follow = FollowSearch { plies: args.plies, limit: args.limit };
    let steps = Steps::new(args, out);
    let mut hear = |told: ToldVisit| steps.tell(|| visit_json(&told), || visit_text(&told));
    let traced = session.trace_search(&game, &state, (args.algorithm, args.depth), follow, &mut hear)?;
    let outcome = &traced.outcome;
    let whole = !outcome.stopped;
    let value = outcome.value.filter(|_| whole);
    if out.json {
        let object = json!({
            "told": traced.told,
            "full": traced.full,
            "value": value.map(|value| number(value.to_number())),
            "best": outcome.best.as_ref().filter(|_| whole),
            "nodes": outcome.nodes,
            "stopped": outcome.stopped,
            "error": null,
        });
        out.object(with_steps(object, args, &steps.kept));
    } else if let Some(value) = value {
        let best = outcome.best.as_ref().map(|best| format!(", best {best}")).unwrap_or_default();
        out.line(&format!("value {value}{best}, {}", plural(outcome.nodes, "node", "nodes")));
    } else if traced.full {
        out.tell(&cut_off(args, "--plies N leaves out what lies deeper"));
    } else {
        out.tell(&format!("stopped after {}\n", plural(outcome.nodes, "node", "nodes")));
    }
    Ok(if stop.load(Relaxed) { INTERRUPTED } else { YES })
}

/// A bound; nothing that can happen lies beyond a win or a loss at once.
fn bound(score: Score) -> String {
    match score {
        Score::Loss { plies: 0 } => "-inf".to_string(),
        Score::Win { plies: 0 } => "+inf".to_string(),
        score => score.to_string(),
    }
}

fn visit_text(told: &ToldVisit) -> String {
    let indent = " ".repeat(2 * (told.ply as usize).min(20));
    let what = told.label.as_ref().unwrap_or(&told.position);
    let (alpha, beta) = told.window;
    let tail = match told.left {
        None => format!("in   {indent}{what}  [{}, {}]", bound(alpha), bound(beta)),
        Some(left) => {
            let sign = match left.score {
                score if score <= alpha && alpha != beta && score < beta => "<= ",
                score if score >= beta => ">= ",
                _ => "",
            };
            let cut = match left.cut {
                0 => String::new(),
                moves => format!(", {} cut off", plural(moves as u64, "move", "moves")),
            };
            format!("out  {indent}{what}  {sign}{}{cut}", left.score)
        }
    };
    format!("{:>4}  {tail}\n", told.ply)
}

fn visit_json(told: &ToldVisit) -> Value {
    let score = |score: Score| match score {
        Score::Loss { plies: 0 } | Score::Win { plies: 0 } => Value::Null,
        score => number(score.to_number()),
    };
    json!({
        "visit": if told.left.is_some() { "out" } else { "in" },
        "ply": told.ply,
        "move": told.label,
        "position": told.position,
        "alpha": score(told.window.0),
        "beta": score(told.window.1),
        "score": told.left.map(|left| score(left.score)),
        "cut": told.left.map(|left| left.cut),
    })
}
