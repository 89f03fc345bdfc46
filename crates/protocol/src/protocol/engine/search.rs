//! The time for a search, and the lines that report a search.
//!
//! It takes the limits of `go` and the options, and gives a time limit; it takes iterations and gives lines
//! `info ...` from the point of view of the player to move.

use super::Dialect;
use super::command::GoLimits;
use alphorn_lab::arena::clock::{MOVES_AHEAD, share};
use alphorn_search::game::{Score, Side};
use std::time::Duration;

/// The time of a search, if time is limited. `who` is 0 for the first player. `overhead` milliseconds are kept
/// for the way of the move.
///
/// The rest of a clock is divided by [`share`].
pub(super) fn time_limit(limits: &GoLimits, who: usize, overhead: u64) -> Option<Duration> {
    if let Some(time) = limits.move_time {
        return Some(Duration::from_millis(time.saturating_sub(overhead.min(time / 2))));
    }
    let left = limits.time[who]?.saturating_sub(overhead);
    let moves = limits.moves_to_go.filter(|moves| *moves > 0).unwrap_or(MOVES_AHEAD).min(MOVES_AHEAD);
    Some(share(Duration::from_millis(left), Duration::from_millis(limits.increment[who]), moves))
}

/// What an `info` line reports.
pub(super) struct SearchInfo<'a> {
    pub(super) depth: u32,
    pub(super) reached: u32,
    /// The value for MAX.
    pub(super) value: Score,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) line: &'a [String],
}

/// An `info` line for the player to move.
pub(super) fn info_line(info: &SearchInfo<'_>, side: Side, dialect: Dialect) -> String {
    let SearchInfo { depth, reached, value, nodes, time, line } = info;
    let score = score_text(value.seen_by(side), dialect);
    let line = if line.is_empty() { String::new() } else { format!(" pv {}", line.join(" ")) };
    let deepest = reached.max(depth);
    format!("info depth {depth} seldepth {deepest} score {score} {}{line}", effort_text(*nodes, *time))
}

/// The positions and the time of a search, in the words of an `info` line.
pub(super) fn effort_text(nodes: u64, time: Duration) -> String {
    let millis = time.as_millis() as u64;
    let speed = nodes.saturating_mul(1000).checked_div(millis).map(|speed| format!(" nps {speed}"));
    format!("nodes {nodes}{} time {millis}", speed.unwrap_or_default())
}

/// A score in hundredths, or the moves to the end of a won or lost game.
fn score_text(value: Score, dialect: Dialect) -> String {
    match value {
        Score::Win { plies } => format!("mate {}", plies.div_ceil(2)),
        Score::Loss { plies } => format!("mate -{}", plies.div_ceil(2)),
        Score::Value(number) => format!("cp {}", (number * dialect.scale()).round().clamp(-1e9, 1e9) as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(limits: GoLimits) -> Option<u128> {
        time_limit(&limits, 0, 10).map(|time| time.as_millis())
    }

    #[test]
    fn time_is_divided() {
        let none = GoLimits::default();
        assert_eq!(clock(none.clone()), None);
        assert_eq!(clock(GoLimits { move_time: Some(100), ..none.clone() }), Some(90));
        assert_eq!(clock(GoLimits { move_time: Some(1), ..none.clone() }), Some(1));
        let time = |left| [Some(left), None];
        assert_eq!(clock(GoLimits { time: time(3010), ..none.clone() }), Some(100));
        assert_eq!(clock(GoLimits { time: time(3010), increment: [50, 0], ..none.clone() }), Some(140));
        assert_eq!(clock(GoLimits { time: time(110), moves_to_go: Some(1), ..none.clone() }), Some(100));
        assert_eq!(clock(GoLimits { time: time(110), increment: [1000, 0], ..none.clone() }), Some(50));
        assert_eq!(clock(GoLimits { time: time(0), moves_to_go: Some(0), ..none }), Some(0));
    }

    #[test]
    fn scores_are_those_of_the_player_to_move() {
        let line = ["a1".to_string(), "b2".to_string()];
        let info =
            |value| SearchInfo { depth: 3, reached: 2, value, nodes: 50, time: Duration::from_millis(10), line: &line };
        assert_eq!(
            info_line(&info(Score::Value(0.5)), Side::Min, Dialect::Ugi),
            "info depth 3 seldepth 3 score cp -50 nodes 50 nps 5000 time 10 pv a1 b2"
        );
        let score = |value, side| score_text(Score::seen_by(value, side), Dialect::Uci);
        assert_eq!(score(Score::Win { plies: 3 }, Side::Max), "mate 2");
        assert_eq!(score(Score::Win { plies: 2 }, Side::Min), "mate -1");
        assert_eq!(score(Score::Value(-31.4), Side::Max), "cp -31");
    }
}
