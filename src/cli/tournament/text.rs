//! Formats the result of a tournament: a table of ratings, a cross table, the settings and notes.

use crate::cli::contest::forfeit_note;
use crate::cli::table::{aligned, percent};
use alphorn_protocol::protocol::data::Number;
use alphorn_protocol::protocol::match_reply::MatchEndReason;
use alphorn_protocol::protocol::tournament_reply::{RatedSide, Reply, SidePairing};
use alphorn_text::printable;
use alphorn_text::report::{grouped, plural};

/// The greatest number of sides in a cross table. More columns fit on no screen.
const MOST_CROSSED: usize = 20;

/// The greatest number of notes about pairings.
const MOST_NOTES: usize = 5;

/// The result as text.
pub(super) fn text(found: &Reply) -> String {
    if found.games == 0 {
        return "no pair of games was finished\n".to_string();
    }
    let mut text = format!("{}\n", rating_table(found));
    if found.sides.len() <= MOST_CROSSED {
        text.push_str(&format!("{}\n", cross_table(found)));
    }
    text.push_str(&format!("{}\n", settings_table(found)));
    let zero = match &found.anchor {
        Some(anchor) => format!("the rating of {} is 0", line(anchor)),
        None => "the mean is 0".to_string(),
    };
    let plies = found.opening_plies.map(|plies| format!(", {}", plural(plies, "random ply", "random plies")));
    text.push_str(&format!(
        "ratings   Elo, {zero}; model of Bradley and Terry, a draw is half a win\n\
         error     half the 95 % interval, from the variance of pairs of games\n\
         LOS       the probability that the side is stronger than the next one\n\
         openings  {}{}\n\
         games     {}, {:.1} plies on average",
        plural(found.openings as u64, "different one", "different ones"),
        plies.unwrap_or_default(),
        grouped(found.games),
        found.plies.map_or(0.0, |plies| plies.0),
    ));
    if found.unfinished > 0 {
        text.push_str(&format!(", {} unfinished: counted as draws", found.unfinished));
    }
    if found.adjudicated > 0 {
        text.push_str(&format!(", {} ended by known values", found.adjudicated));
    }
    text.push('\n');
    notes(found).into_iter().for_each(|note| text.push_str(&format!("note      {note}\n")));
    text
}

fn line(name: &str) -> String {
    printable::line(name).into_owned()
}

/// A rating with its sign; 0 has none.
fn elo(rating: f64) -> String {
    if rating.abs() < 0.05 { "0.0".to_string() } else { format!("{rating:+.1}") }
}

fn share(share: Option<Number>) -> String {
    percent(share.map(|share| share.0))
}

fn rating_table(found: &Reply) -> String {
    let heads = ["rank", "side", "rating", "error", "games", "won", "drawn", "lost", "score", "LOS"];
    let row = |side: &RatedSide| {
        vec![
            side.rank.map_or("-".to_string(), |rank| rank.to_string()),
            line(&side.name),
            side.rating.map_or("-".to_string(), |rating| elo(rating.0)),
            side.error.map_or("-".to_string(), |error| format!("{:.1}", error.0)),
            grouped(side.games),
            grouped(side.wins),
            grouped(side.draws),
            grouped(side.losses),
            share(side.score),
            share(side.los),
        ]
    };
    aligned(&heads, found.sides.iter().map(row).collect(), &[1])
}

/// The score of the side of each row against the side of each column.
fn cross_table(found: &Reply) -> String {
    let numbers: Vec<String> = (1..=found.sides.len()).map(|number| number.to_string()).collect();
    let heads: Vec<&str> = ["", "score against"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let score = |side: &RatedSide, other: &RatedSide| {
        let of = |pairing: &SidePairing| match (pairing.score?.0, pairing.a == side.name, pairing.b == side.name) {
            (score, true, false) if pairing.b == other.name => Some(score),
            (score, false, true) if pairing.a == other.name => Some(1.0 - score),
            _ => None,
        };
        found.pairings.iter().find_map(of).map_or(String::new(), |score| percent(Some(score)))
    };
    let rows = found.sides.iter().zip(&numbers).map(|(side, number)| {
        let first = [number.clone(), line(&side.name)];
        first.into_iter().chain(found.sides.iter().map(|other| score(side, other))).collect()
    });
    aligned(&heads, rows.collect(), &[1])
}

fn settings_table(found: &Reply) -> String {
    let row = |side: &RatedSide| {
        vec![
            line(&side.name),
            line(&side.settings),
            side.depth.map_or("-".to_string(), |depth| format!("{:.2}", depth.0)),
            side.nodes.map_or("-".to_string(), |nodes| grouped(nodes.0.round() as u64)),
        ]
    };
    aligned(&["side", "settings", "depth", "nodes"], found.sides.iter().map(row).collect(), &[0, 1])
}

/// What the reader must know to understand the numbers.
fn notes(found: &Reply) -> Vec<String> {
    let mut notes = Vec::new();
    if found.ended == MatchEndReason::Openings {
        notes.push("the tournament ended early, because there are no more different openings".to_string());
    }
    if found.virtual_draws {
        let all = |score: f64, verb: &str| {
            let sides = found.sides.iter().filter(move |side| side.score.is_some_and(|found| found.0 == score));
            sides.map(|side| format!("{} {verb} all games", line(&side.name))).collect::<Vec<_>>()
        };
        let extreme = [all(1.0, "won"), all(0.0, "lost")].concat();
        let who = match extreme.is_empty() {
            true => "some sides won or lost all games against the others".to_string(),
            false => extreme.join(", "),
        };
        notes.push(format!("{who}; for finite ratings, one drawn game is added to each pairing"));
    }
    for side in found.sides.iter().filter(|side| side.rating.is_none()) {
        notes.push(format!("{} has no rating: no finished pair connects it with most of the sides", line(&side.name)));
    }
    notes.extend(same_moves(found));
    for side in found.sides.iter().filter(|side| side.unadvised > 0) {
        let (name, without, all) = (line(&side.name), grouped(side.unadvised), plural(side.moves, "move", "moves"));
        notes.push(format!("in {without} of {all} the table of {name} was for the other side, so {name} searched"));
    }
    notes.extend(found.sides.iter().filter_map(|side| forfeit_note(side.forfeits, &line(&side.name))));
    notes
}

/// Notes about sides that played the same moves, those first that did so in the greatest part of their pairs.
fn same_moves(found: &Reply) -> Vec<String> {
    let mut same: Vec<&SidePairing> = found.pairings.iter().filter(|pairing| pairing.same_moves > 0).collect();
    let part = |pairing: &SidePairing| pairing.same_moves as f64 / pairing.games.max(1) as f64;
    same.sort_by(|a, b| part(b).total_cmp(&part(a)));
    let told = |pairing: &&SidePairing| {
        let (a, b, pairs) = (line(&pairing.a), line(&pairing.b), pairing.games / 2);
        match pairing.same_moves == pairs {
            true => format!("{a} and {b} played the same moves in every pair: their games do not compare them"),
            false => format!(
                "{a} and {b} played the same moves in {} of {} pairs",
                grouped(pairing.same_moves),
                grouped(pairs)
            ),
        }
    };
    let mut notes: Vec<String> = same.iter().take(MOST_NOTES).map(told).collect();
    let more = same.len().saturating_sub(MOST_NOTES);
    if more > 0 {
        let pairings = plural(more as u64, "more pairing", "more pairings");
        notes.push(format!("{pairings} with the same moves in some pairs: see same_moves of --json"));
    }
    notes
}
