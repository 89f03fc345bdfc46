//! `prove`: whether following an advice table always reaches its aim.

use super::args::{AimArg, ProveArgs, SideArg};
use crate::cli::output::Out;
use crate::cli::play::{load, start};
use crate::cli::progress::Progress;
use crate::cli::table::table;
use crate::cli::{Ended, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::clock::Clock;
use alphorn_search::advice::prove::{Aim, Failing};
use alphorn_search::game::Side;
use alphorn_session::session::advice::{Missed, Trial, Tried};
use alphorn_text::report::{grouped, plural};
use serde_json::{Map, Value, json};

/// Counterexamples that are told: to a person, and as data.
const SHOWN: usize = 10;
const LISTED: usize = 1000;

pub(in crate::cli) fn prove(args: &ProveArgs, out: &mut Out, clock: &Clock) -> Ended {
    let stop = clock.flag();
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    clock.begin();
    let progress = Progress::new(out);
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let trial = Trial {
        side: args.side.map(|side| match side {
            SideArg::Max => Side::Max,
            SideArg::Min => Side::Min,
        }),
        aim: match args.aim {
            AimArg::Win => Aim::Win,
            AimArg::Draw => Aim::Draw,
        },
        most: args.tree.most,
        counterexamples: args.counterexamples.unwrap_or(if out.json { LISTED } else { SHOWN }),
        threads: args.threads.map_or_else(cores, usize::from),
        progress: &|done, known| progress.of(done, known),
    };
    let tried = session.prove(&start(&args.at.start), &trial);
    progress.done();
    let tried = tried?;
    out.answer(tried_json(&tried, progress.seconds()), || tried_text(&tried, progress.seconds()));
    Ok(match tried.stopped {
        true => INTERRUPTED,
        false if tried.failures.is_empty() => YES,
        false => NO,
    })
}

fn tried_json(tried: &Tried, seconds: f64) -> Value {
    let counts = |counts: &[(String, u64)]| -> Value {
        counts.iter().map(|(name, count)| (name.clone(), json!(count))).collect::<Map<_, _>>().into()
    };
    let failures: Vec<(String, u64)> =
        tried.failures.iter().map(|(failing, count)| (failing.name().to_string(), *count)).collect();
    let missed = |missed: &Missed| {
        json!({
            "position": missed.from,
            "moves": missed.moves,
            "end": missed.to,
            "failure": missed.failing.name(),
            "advice": missed.advice,
        })
    };
    let failed =
        if tried.stopped { tried.failures.iter().map(|(_, count)| count).sum() } else { tried.positions - tried.aim };
    json!({
        "positions": tried.positions,
        "aim": (!tried.stopped).then_some(tried.aim),
        "failures": failed,
        "by_failure": counts(&failures),
        "longest_moves": tried.longest.as_ref().map(|(moves, _)| moves),
        "longest_from": tried.longest.as_ref().map(|(_, from)| from),
        "mean_moves": tried.mean.map(|mean| (mean * 1e6).round() / 1e6),
        "by_rule": counts(&tried.by_rule),
        "by_advice": counts(&tried.by_advice),
        "counterexamples": tried.counterexamples.iter().map(missed).collect::<Vec<_>>(),
        "seconds": seconds,
        "stopped": tried.stopped,
    })
}

/// How advice misses its aim, in words.
fn told(failing: Failing) -> &'static str {
    match failing {
        Failing::Drawn => "the game is drawn",
        Failing::Lost => "the game is lost",
        Failing::Cycle => "a position comes again",
        Failing::NoRule => "no rule speaks",
        Failing::NoAdvice => "no advice can be forced",
        Failing::Idle => "a better-goal holds already",
        Failing::TooLarge => "a forcing tree is too large",
    }
}

/// What is known before all positions have been looked at.
fn stopped_text(tried: &Tried, seconds: f64) -> String {
    let looked = plural(tried.positions, "position", "positions");
    let mut text = format!("stopped    after {looked}: from where the aim is reached is not known yet\n");
    for (failing, count) in &tried.failures {
        text.push_str(&format!("fails      in {} so far: {}\n", grouped(*count), told(*failing)));
    }
    text.push_str(&format!("\n{seconds:.2} s\n"));
    text
}

fn tried_text(tried: &Tried, seconds: f64) -> String {
    if tried.stopped {
        return stopped_text(tried, seconds);
    }
    let share = |count: u64| format!("{:.1}%", 100.0 * count as f64 / tried.positions.max(1) as f64);
    let mut text = format!(
        "positions  {}\naim        reached from {}{}\n",
        grouped(tried.positions),
        if tried.aim == tried.positions { "all of them".to_string() } else { grouped(tried.aim) },
        if tried.aim == tried.positions {
            String::new()
        } else {
            format!(", not from {}", grouped(tried.positions - tried.aim))
        },
    );
    if let (Some((moves, from)), Some(mean)) = (&tried.longest, tried.mean) {
        let plural = if *moves == 1 { "" } else { "s" };
        text.push_str(&format!(
            "longest    {moves} move{plural}, from {from}\nmean       {} moves of the longest line from each\n",
            format_args!("{mean:.2}")
        ));
    }
    for (failing, count) in &tried.failures {
        text.push_str(&format!("fails      in {}: {}\n", grouped(*count), told(*failing)));
    }
    for (title, counts) in [("rule", &tried.by_rule), ("advice", &tried.by_advice)] {
        let rows = counts.iter().map(|(name, count)| vec![name.clone(), grouped(*count), share(*count)]);
        text.push_str(&format!("\n{}", table(&[title, "positions", "share"], rows.collect())));
    }
    let total = tried.positions - tried.aim;
    for missed in &tried.counterexamples {
        let by = missed.advice.as_ref().map(|advice| format!(" after {advice}")).unwrap_or_default();
        text.push_str(&format!(
            "\nfrom  {}\nmoves {}\nend   {}{by}\n",
            missed.from,
            missed.moves.join(" "),
            told(missed.failing)
        ));
    }
    let left = total.saturating_sub(tried.counterexamples.len() as u64);
    if total > 0 && left > 0 {
        text.push_str(&format!("\nand {} more: --counterexamples N\n", grouped(left)));
    }
    text.push_str(&format!("\n{seconds:.2} s\n"));
    text
}
