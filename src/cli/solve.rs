//! `solve` and `verify`: what is proved of a game, and whether a proof stands.

use crate::cli::args::{SolveArgs, VerifyArgs};
use crate::cli::output::{Out, number};
use crate::cli::play::{begun, load};
use crate::cli::progress::Progress;
use crate::cli::value::average;
use crate::cli::{Ended, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::clock::Clock;
use alphorn_search::game::{Game, Score, Side};
use alphorn_search::search::limits::Limits;
use alphorn_search::solve::Method;
use alphorn_session::session::params::Parameter;
use alphorn_session::session::proof::{NO_PROOF, Verdict};
use alphorn_session::session::solve::{Asking, Census, SolvedGame, outcome};
use alphorn_session::session::writing::Form;
use alphorn_session::session::{Failure, Session};
use alphorn_text::interrupt::{self, Patient};
use alphorn_text::report::{Problem, grouped, plural};
use alphorn_text::source::{open, unreadable};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How near an average is told to its value, where nothing is said.
const ACCURACY: f64 = 1e-12;

/// What to do where nothing was proved.
const TRY: &str = "try     more time, such as --time 600; a position nearer to the end, by --moves or --position;\n        \
                   or an estimate: alphorn value FILE --time 10\n";

pub(super) fn solve(args: &SolveArgs, out: &mut Out, clock: &Clock) -> Ended {
    let stop = clock.flag();
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    // Before hours have gone into it.
    for (path, form) in [(&args.save, None), (&args.proof, Some(Form::Proof))] {
        path.as_ref().map_or(Ok(()), |path| out.may_write(path, form, Some(&session)))?;
    }
    let game = session.game()?;
    let place = begun(&session, &args.at.start, out);
    clock.begin();
    let progress = Progress::new(out);
    let hear = |nodes| progress.at(nodes);
    let limits = Limits { stop: Some(stop), progress: Some(&hear), ..Limits::default() };
    let asking = Asking {
        method: args.method,
        all: args.all,
        save: args.save.as_deref(),
        proof: args.proof.as_deref(),
        accuracy: 2.0 * args.accuracy.unwrap_or(ACCURACY),
        limits: &limits,
    };
    let averages = game.has_chance() || args.method == Method::Iteration;
    if args.accuracy.is_some() && !averages {
        out.tell("note: --accuracy has no effect on exact values: it is for averages\n");
    }
    let found = session.solve(&game, &place, &asking);
    progress.done();
    let found = found?;
    let declared = session.rules.contract.repetition.is_some();
    let seconds = progress.seconds();
    out.answer(json_of(&found, seconds), || text_of(&found, declared, seconds));
    // The value is known all the same, and was told.
    if let Some(problem) = found.unwritten {
        return Err(Failure::Problem(problem, session.rules.program.sources.clone()));
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

/// `max`, `min` or `draw`.
fn name(score: Score) -> &'static str {
    match outcome(score) {
        Some(Side::Max) => "max",
        Some(Side::Min) => "min",
        None => "draw",
    }
}

fn json_of(found: &SolvedGame, seconds: f64) -> Value {
    let mut object = json!({
        "value": found.score.map(|score| number(score.to_number())),
        "outcome": found.score.filter(|_| found.interval.is_none()).map(name),
        "interval": found.interval.map(|(low, high)| json!([number(low), number(high)])),
        "plies": found.plies,
        "best": found.line.first(),
        "pv": found.line,
        "positions": found.positions,
        "longest": found.longest,
        "method": found.method.name(),
        "infinite_play": found.may_be_endless.then_some("draw"),
        "saved": found.saved,
        "proved": found.proved,
        "seconds": seconds,
        "stopped": found.stopped,
    });
    if let (Some([max, min]), Value::Object(fields)) = (&found.all, &mut object) {
        fields.insert("all".into(), json!({ "max_to_move": census_json(max), "min_to_move": census_json(min) }));
    }
    object
}

fn census_json(census: &Census) -> Value {
    let rows = |by_plies: &BTreeMap<u32, u64>| -> Vec<Value> {
        by_plies.iter().map(|(plies, count)| json!([plies, count])).collect()
    };
    json!({
        "positions": census.positions,
        "max": census.max,
        "min": census.min,
        "draw": census.draw,
        "longest": census.longest(),
        "max_by_plies": rows(&census.max_by_plies),
        "min_by_plies": rows(&census.min_by_plies),
    })
}

fn plies_text(plies: u32) -> String {
    plural(plies.into(), "ply", "plies")
}

fn text_of(found: &SolvedGame, declared: bool, seconds: f64) -> String {
    let mut text = String::new();
    if let Some((low, high)) = found.interval {
        text.push_str(&average_text(found, (low, high)));
    } else if let Some(score) = found.score {
        let who = match outcome(score) {
            Some(Side::Max) => "MAX wins",
            Some(Side::Min) => "MIN wins",
            None => "draw",
        };
        let distance = found.plies.map(|plies| format!(", {}", plies_text(plies))).unwrap_or_default();
        text.push_str(&format!("value   {} ({who}){distance}\n", number(score.to_number())));
        if let Some(best) = found.line.first() {
            let separator = if found.line.iter().any(|label| label.len() > 12) { "\n        " } else { " " };
            text.push_str(&format!("best    {best}\nline    {}\n", found.line.join(separator)));
        }
    } else if found.all.is_none() || found.stopped {
        text.push_str("no value yet: stopped\n");
        if found.all.is_none() {
            text.push_str(TRY);
        }
    }
    for (side, census) in ["MAX", "MIN"].iter().zip(found.all.iter().flatten()) {
        text.push_str(&format!(
            "{side} to move: {}, {} won by MAX, {} by MIN, {} drawn{}\n",
            plural(census.positions, "position", "positions"),
            grouped(census.max),
            grouped(census.min),
            grouped(census.draw),
            census.longest().map(|plies| format!("; at most {}", plies_text(plies))).unwrap_or_default()
        ));
    }
    if let Some(plies) = found.longest {
        let moves = plies.div_ceil(2);
        text.push_str(&format!("longest win of a side to move: {} ({moves} of its moves)\n", plies_text(plies)));
    }
    if found.may_be_endless && !declared {
        text.push_str("infinite play counts as a draw\n");
    }
    if let Some(saved) = found.saved {
        text.push_str(&format!("saved   {}\n", plural(saved, "value", "values")));
    }
    if let Some(proved) = found.proved {
        text.push_str(&format!("proof   {} of positions\n", plural(proved, "line", "lines")));
    }
    let positions = plural(found.positions, "position", "positions");
    text.push_str(&format!("method  {}: {positions}, {seconds:.2} s\n", found.method.name()));
    text
}

fn average_text(found: &SolvedGame, (low, high): (f64, f64)) -> String {
    let best = found.line.first().map(|best| format!("best    {best}\n")).unwrap_or_default();
    let between =
        || format!("between {} and {}", average((low * 1e6).floor() / 1e6), average((high * 1e6).ceil() / 1e6));
    match found.score {
        Some(score) => {
            let error = (high - low) / 2.0;
            format!("value   {}, an average, within {error:.1e}\n{best}", average(score.to_number()))
        }
        None if found.stopped => format!("value   {}, as far as is known: stopped\n", between()),
        None => format!("value   {}, stopped: the interval narrows too slowly\n{best}", between()),
    }
}

pub(super) fn verify(args: &VerifyArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = load(&args.file, &args.game, out, stop)?;
    let game = session.game()?;
    let sources = session.rules.program.sources.clone();
    let file = interrupt::opened(&args.proof, || open(&args.proof)).map_err(|error| {
        let problem = Problem::placeless("A0620", unreadable(&args.proof, &error)).help(NO_PROOF);
        Failure::Problem(Box::new(problem), sources.clone())
    })?;
    let verdict = session.verify(&game, &args.proof, BufReader::new(Patient(file)))?;
    Ok(match verdict {
        Verdict::Proved { position, winner, number: worth, plies, positions } => {
            let outcome = match (winner, worth) {
                (Some(side), _) => name(Score::won_by(side, 0)),
                (None, worth) => name(Score::number(worth.unwrap_or(0.0))),
            };
            if out.json {
                out.object(json!({
                    "verified": true, "position": position, "outcome": outcome, "number": worth.map(number),
                    "plies": plies, "positions": positions, "line": null, "why": null,
                }));
            } else {
                let what = match (winner, worth) {
                    (Some(side), _) => {
                        let side = side.name();
                        format!(
                            "{side} wins{}",
                            plies.map(|plies| format!(" in at most {}", plies_text(plies))).unwrap_or_default()
                        )
                    }
                    (None, worth) => format!("value {}", number(worth.unwrap_or(0.0))),
                };
                out.print(&format!("proved  {what}\nfrom    {position}\nlines   {} checked\n", grouped(positions)));
            }
            YES
        }
        Verdict::Refused { line, why } => {
            if out.json {
                out.object(json!({
                    "verified": false, "position": null, "outcome": null, "number": null,
                    "plies": null, "positions": null, "line": line, "why": why,
                }));
            } else {
                let problem = Problem::placeless("A0633", format!("{}, line {line}: {why}", args.proof))
                    .help(format!("write the proof anew: alphorn solve FILE --proof PROOF{}", parameters(&session)));
                out.problem(&problem, &sources);
                out.line("not proved");
            }
            NO
        }
        Verdict::Stopped => INTERRUPTED,
    })
}

/// The parameters of a game as they stand, for whoever has a proof that was written with others.
fn parameters(session: &Session) -> String {
    let given = |param: Parameter| format!("-p {}={}", param.name, param.value);
    let all: Vec<String> = session.params().into_iter().map(given).collect();
    if all.is_empty() {
        return String::new();
    }
    let plural = if all.len() == 1 { "this parameter" } else { "these parameters" };
    format!("\nor check it with the parameters that it was written with: now the game has {plural}: {}", all.join(" "))
}

/// Reads an accuracy.
pub(super) fn accuracy(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=1e6).contains(number));
    number.ok_or_else(|| "write a number of 0 or more, such as 1e-9".to_string())
}

/// Reads the name of a method.
pub(super) fn method(text: &str) -> Result<Method, String> {
    text.parse()
}
