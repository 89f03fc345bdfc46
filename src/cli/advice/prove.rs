//! `prove`: checks that an advice table always reaches its aim.

use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::table::table;
use crate::cli::{CommandResult, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::advice::{self, Failure, ProveReply};
use alphorn_protocol::protocol::data::Number;
use alphorn_protocol::protocol::host::Host;
use alphorn_text::report::{grouped, plural};

/// Greatest number of counterexamples in the text.
const SHOWN: usize = 10;

pub(in crate::cli) fn prove(request: &advice::ProveRequest, host: &Host<'_>, out: &Out) -> CommandResult {
    let mut request = request.clone();
    if !out.json {
        request.counterexamples.get_or_insert(SHOWN);
    }
    let found = ask(out, |listen| advice::prove(&request, host, listen))?;
    out.reply(&found, || proof_text(&found));
    Ok(match found.stopped {
        true => INTERRUPTED,
        false if found.by_failure.0.is_empty() => YES,
        false => NO,
    })
}

/// Says how advice misses its aim.
fn told(failure: Failure) -> &'static str {
    match failure {
        Failure::Draw => "the game is drawn",
        Failure::Loss => "the game is lost",
        Failure::Cycle => "a position repeats",
        Failure::NoRule => "no rule applies",
        Failure::NoAdvice => "no advice can be forced",
        Failure::Idle => "a better-goal already holds",
        Failure::TooLarge => "a forcing tree is too large",
    }
}

/// The text of a proof that was stopped before it had visited all positions.
fn stopped_text(found: &ProveReply) -> String {
    let looked = plural(found.positions, "position", "positions");
    let mut text = format!("stopped    after {looked}: the result is not known yet\n");
    for (failure, count) in &found.by_failure.0 {
        text.push_str(&format!("fails      in {} so far: {}\n", grouped(*count), told(*failure)));
    }
    text.push_str(&format!("\n{:.2} s\n", found.seconds));
    text
}

fn proof_text(found: &ProveReply) -> String {
    let Some(aim) = found.aim else { return stopped_text(found) };
    let share = |count: u64| format!("{:.1}%", 100.0 * count as f64 / found.positions.max(1) as f64);
    let mut text = format!(
        "positions  {}\naim        reached from {}\n",
        grouped(found.positions),
        match found.failures {
            0 => "all of them".to_string(),
            missing => format!("{}, not from {}", grouped(aim), grouped(missing)),
        },
    );
    if let (Some(moves), Some(from), Some(Number(mean))) = (found.longest_moves, &found.longest_from, found.mean_moves)
    {
        let moves = plural(moves.into(), "move", "moves");
        text.push_str(&format!(
            "longest    {moves}, from {from}\nmean       {mean:.2} moves on the longest line from each position\n"
        ));
    }
    for (failure, count) in &found.by_failure.0 {
        text.push_str(&format!("fails      in {}: {}\n", grouped(*count), told(*failure)));
    }
    for (title, counts) in [("rule", &found.by_rule.0), ("advice", &found.by_advice.0)] {
        let rows = counts.iter().map(|(name, count)| vec![name.clone(), grouped(*count), share(*count)]);
        text.push_str(&format!("\n{}", table(&[title, "positions", "share"], rows.collect())));
    }
    for missed in &found.counterexamples {
        let by = missed.advice.as_ref().map(|advice| format!(" after {advice}")).unwrap_or_default();
        text.push_str(&format!(
            "\nfrom  {}\nmoves {}\nend   {}{by}\n",
            missed.position,
            missed.moves.join(" "),
            told(missed.failure)
        ));
    }
    let left = found.failures.saturating_sub(found.counterexamples.len() as u64);
    if left > 0 {
        text.push_str(&format!("\nand {} more: --counterexamples N\n", grouped(left)));
    }
    text.push_str(&format!("\n{:.2} s\n", found.seconds));
    text
}
