//! The texts of problems with tested expectations, and what a claimed value says of the value of a game.

use alphorn_rules::rules::expect::{Claim, ClaimedValue, StatedClaim};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::unlike::outside_play;
use alphorn_search::game::Score;
use alphorn_search::search::threshold::Threshold;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;

/// A number beyond this may be a win: 1,000,000 less its plies.
const LARGE: f64 = 700_000.0;

/// The problem of rules that failed while they tested a claim. If no random game reaches the position of the
/// claim, the claim may be wrong, and not the rules.
pub(super) fn while_testing(game: &RuleGame, stated: &StatedClaim, problem: Problem) -> Problem {
    let mark = (stated.span, "while testing this expectation".to_string());
    let Some(unlike) = outside_play(game, &stated.claim) else {
        return match problem.labels.is_empty() {
            true => Problem { labels: vec![mark], ..problem },
            false => problem.also(mark.0, mark.1),
        };
    };
    let labels = std::iter::once(mark).chain(problem.labels).collect();
    let doubt = match unlike {
        Some(unlike) => format!("check the position of the expectation: {unlike}"),
        None => "no random game reaches the position of the expectation: can a game reach it?".to_string(),
    };
    let help = match problem.help.map(|help| help.to_string()) {
        Some(help) => format!("{doubt}\nif the position is right, correct the rules:\n{help}"),
        None => doubt,
    };
    Problem { labels, help: None, ..problem }.help(help)
}

/// The problem with a label for an edit. If another label is at the place of the edit, that one says both.
pub(super) fn with_edit(mut problem: Problem, (span, words): (Span, String)) -> Problem {
    match problem.labels.iter_mut().find(|(place, _)| *place == span) {
        Some((_, known)) if !known.is_empty() => known.push_str(&format!("; {words}")),
        Some((_, known)) => *known = words,
        None => return problem.also(span, words),
    }
    problem
}

/// The help for an undecided claim. `repeats` says whether positions may repeat without a draw.
pub(super) fn more_time(claim: &Claim, repeats: bool) -> String {
    let help = match claim {
        Claim::Value(_, None, _) => {
            "allow more time, such as --time 600; or claim the value of a later position, \
             or the value to a depth: value(Pos, 8) = V"
        }
        Claim::Perft(..) | Claim::Best(..) | Claim::Value(..) => {
            "allow more time, such as --time 600; or claim the value to a smaller depth"
        }
        Claim::Holds(_) | Claim::Fails(_) => "allow more time, such as --time 600",
    };
    match (claim, repeats) {
        (Claim::Value(_, None, _), true) => {
            format!("{help}\nif positions can repeat, write repetition(draw). in the rules, or try alphorn solve")
        }
        _ => help.to_string(),
    }
}

/// A value in the notation of claims, in a game with results or with numbers alone.
pub(super) fn claimed(value: Score, results: bool) -> String {
    match value {
        Score::Value(0.0) if results => "draw".to_string(),
        Score::Win { .. } => "win(max)".to_string(),
        Score::Loss { .. } => "win(min)".to_string(),
        Score::Value(_) => value.to_string(),
    }
}

/// A value, with the number of a win or a loss.
pub(super) fn described(value: Score) -> String {
    match value {
        Score::Value(_) => value.to_string(),
        _ => format!("{} ({value})", value.to_number()),
    }
}

/// The thresholds that a claimed value must reach or miss, each with the message for the other case.
/// Empty if the number may mean a win in some number of plies.
pub(super) fn thresholds(worth: &ClaimedValue) -> Vec<(Threshold, bool, String)> {
    let number = match worth {
        ClaimedValue::WinMax => return vec![(Threshold::WinForMax, true, "MAX cannot force a win".into())],
        ClaimedValue::WinMin => return vec![(Threshold::NoWinForMin, false, "MIN cannot force a win".into())],
        ClaimedValue::Draw => 0.0,
        ClaimedValue::Number(number) if number.abs() < LARGE => *number,
        ClaimedValue::Number(_) => return Vec::new(),
    };
    vec![
        (Threshold::Number(number), true, format!("the value is less than {number}")),
        (Threshold::Above(number), false, format!("the value is more than {number}")),
    ]
}

/// Whether a claimed value has thresholds.
pub(super) fn has_thresholds(worth: &ClaimedValue) -> bool {
    !thresholds(worth).is_empty()
}
