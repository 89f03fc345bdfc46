//! The result of a tournament: ratings, scores and the results of every pairing.

use super::contest_games::ContestGames;
use super::data::{Number, rounded};
use super::match_reply::MatchEndReason;
use super::sums::{Sums, elo};
use super::tournament_record::TournamentHeader;
use alphorn_lab::arena::ratings::{PairingCounts, Ratings, SideRating, ratings};
use alphorn_session::session::game_record::PlayerCost;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// The greatest number of points of `score_over_games`.
const MOST_POINTS: usize = 200;

/// The result of a tournament.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The number of finished games, without a game whose pair is not finished.
    pub games: u64,
    /// The sides, the strongest first. Sides without a rating come last.
    pub sides: Vec<RatedSide>,
    /// The results of the pairings, in the order in which they play.
    pub pairings: Vec<SidePairing>,
    /// The name of the side whose rating is 0; null if the mean of the ratings is 0.
    pub anchor: Option<String>,
    /// Whether one drawn game was added to each pairing to compute ratings, because without them no finite
    /// ratings are the most likely ones: some sides won or lost all games against the others.
    pub virtual_draws: bool,
    /// The number of different positions in which the players began to move.
    pub openings: usize,
    /// The number of random moves in an opening; null if the openings are not random.
    pub opening_plies: Option<u64>,
    /// The mean length of a game with its opening, in plies; null if no pair is finished.
    #[schemars(range(min = 0))]
    pub plies: Option<Number>,
    /// The number of games stopped because of their length.
    pub unfinished: u64,
    /// The number of games that ended in a position with a known value.
    pub adjudicated: u64,
    /// Why the tournament ended.
    pub ended: MatchEndReason,
    /// Whether an interrupt stopped the tournament; all counts are those of finished pairs.
    pub stopped: bool,
}

/// A side of a tournament with its rating.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RatedSide {
    /// The rank: 1 and the number of sides with a higher rating; null without a rating.
    #[schemars(range(min = 1))]
    pub rank: Option<usize>,
    /// The name.
    pub name: String,
    /// The options, as in the request.
    pub settings: String,
    /// The rating in Elo; null if the side has no finished pair, or pairs do not connect it with most sides.
    pub rating: Option<Number>,
    /// Half the 95 % interval of the rating, in Elo; null without a rating.
    #[schemars(range(min = 0))]
    pub error: Option<Number>,
    /// The standard error of the rating, in Elo; null without a rating.
    #[schemars(range(min = 0))]
    pub standard_error: Option<Number>,
    /// The probability that the side is stronger than the next one of the list; null for the last one.
    #[schemars(range(min = 0, max = 1))]
    pub los: Option<Number>,
    /// The number of games.
    pub games: u64,
    /// The number of games won.
    pub wins: u64,
    /// The number of drawn games, including games stopped because of their length.
    pub draws: u64,
    /// The number of games lost.
    pub losses: u64,
    /// The share of the points that the side won, from 0 to 1; null without a game.
    #[schemars(range(min = 0, max = 1))]
    pub score: Option<Number>,
    /// The share of the games that were drawn; null without a game.
    #[schemars(range(min = 0, max = 1))]
    pub draw_ratio: Option<Number>,
    /// The number of moves that the side searched.
    pub moves: u64,
    /// The mean depth of the searches, in plies; null without a move. An unfinished search counts the depth
    /// it reached.
    #[schemars(range(min = 0))]
    pub depth: Option<Number>,
    /// The mean number of positions visited for a move; null without a move.
    #[schemars(range(min = 0))]
    pub nodes: Option<Number>,
    /// The number of moves that the side searched because `--advice strict` found no advice table.
    pub unadvised: u64,
    /// The number of games that the side forfeited: it gave no legal move, ended, or was out of time.
    pub forfeits: u64,
    /// The score after some of the pairs, at most 200 of them: the number of games, and the share of the points.
    pub score_over_games: Vec<(u64, Number)>,
}

/// The result of two sides against each other.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SidePairing {
    /// The name of A.
    pub a: String,
    /// The name of B.
    pub b: String,
    /// The number of games.
    pub games: u64,
    /// The number of games won by A.
    pub wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games lost by A.
    pub losses: u64,
    /// The number of pairs of games in which A won 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial: [u64; 5],
    /// The share of the points that A won, from 0 to 1; null if no pair is finished.
    #[schemars(range(min = 0, max = 1))]
    pub score: Option<Number>,
    /// The Elo difference between A and B that belongs to the score; null for a score of 0 or 1, or if no pair is
    /// finished.
    pub elo: Option<Number>,
    /// The number of pairs in which the second game, with the sides swapped, had the moves of the first game.
    pub same_moves: u64,
}

/// The reply of a tournament with these games.
pub(super) fn reply(
    games: &ContestGames,
    header: &TournamentHeader,
    anchor: Option<usize>,
    ended: MatchEndReason,
) -> Reply {
    let count = header.sides.len();
    let results: Vec<PairingCounts> = games
        .schedule
        .pairings()
        .iter()
        .zip(&games.sums)
        .map(|(sides, sums)| PairingCounts { sides: *sides, pairs: sums.pairs })
        .collect();
    let found = ratings(count, &results, anchor);
    let mut order: Vec<usize> = (0..count).collect();
    let strength = |side: usize| found.sides[side].map_or(f64::NEG_INFINITY, |rating| hundredths(rating.elo).0);
    // The sort is stable: equal sides stay in the order of the request.
    order.sort_by(|a, b| strength(*b).total_cmp(&strength(*a)));
    let sides = order.iter().enumerate().map(|(at, side)| {
        let rank = 1 + order.iter().filter(|other| strength(**other) > strength(*side)).count();
        let next = order.get(at + 1).and_then(|next| found.superiority(*side, *next));
        rated(games, header, &found, (*side, rank, next))
    });
    let sum = |of: &dyn Fn(&Sums) -> u64| games.sums.iter().map(of).sum::<u64>();
    let finished = sum(&|sums| 2 * sums.pairs.pairs());
    let openings: BTreeSet<u128> = games.sums.iter().flat_map(|sums| sums.openings.iter().copied()).collect();
    Reply {
        games: finished,
        sides: sides.collect(),
        pairings: games
            .schedule
            .pairings()
            .iter()
            .zip(&games.sums)
            .map(|(sides, sums)| pairing(header, *sides, sums))
            .collect(),
        anchor: found.anchor.map(|side| header.sides[side].name.clone()),
        virtual_draws: found.virtual_draws,
        openings: openings.len(),
        opening_plies: header.conditions.opening_plies,
        plies: share(sum(&|sums| sums.plies) as f64, finished),
        unfinished: sum(&|sums| sums.unfinished),
        adjudicated: sum(&|sums| sums.adjudicated),
        ended,
        stopped: ended == MatchEndReason::Interrupt,
    }
}

/// A side with its rating, its rank and the probability that it is stronger than the next one.
fn rated(
    games: &ContestGames,
    header: &TournamentHeader,
    found: &Ratings,
    (side, rank, next): (usize, usize, Option<f64>),
) -> RatedSide {
    let mut cost = PlayerCost::default();
    let [mut wins, mut draws, mut losses, mut forfeits] = [0; 4];
    for (sides, sums) in games.schedule.pairings().iter().zip(&games.sums) {
        let Some(who) = sides.iter().position(|other| *other == side) else { continue };
        let [won, drawn, lost] = sums.results;
        let (won, lost) = if who == 0 { (won, lost) } else { (lost, won) };
        (wins, draws, losses) = (wins + won, draws + drawn, losses + lost);
        forfeits += sums.forfeits[who];
        cost.add(sums.costs[who]);
    }
    let played = wins + draws + losses;
    let rating = found.sides[side];
    let of_rating = |part: &dyn Fn(SideRating) -> f64| rating.map(|rating| hundredths(part(rating)));
    RatedSide {
        rank: rating.map(|_| rank),
        name: header.sides[side].name.clone(),
        settings: header.sides[side].settings.clone(),
        rating: of_rating(&|rating| rating.elo),
        error: of_rating(&|rating| rating.error),
        standard_error: of_rating(&|rating| rating.standard_error),
        los: next.map(rounded),
        games: played,
        wins,
        draws,
        losses,
        score: share(wins as f64 + 0.5 * draws as f64, played),
        draw_ratio: share(draws as f64, played),
        moves: cost.moves,
        depth: share(cost.depths as f64, cost.moves),
        nodes: share(cost.nodes as f64, cost.moves),
        unadvised: cost.unadvised,
        forfeits,
        score_over_games: course(&games.course[side]),
    }
}

/// Evenly spaced points of a course, with the last one.
fn course(all: &[(u64, f64)]) -> Vec<(u64, Number)> {
    let step = all.len().div_ceil(MOST_POINTS).max(1);
    let first = (all.len() + step - 1) % step;
    all.iter().skip(first).step_by(step).map(|(games, points)| (*games, rounded(points / *games as f64))).collect()
}

fn pairing(header: &TournamentHeader, [a, b]: [usize; 2], sums: &Sums) -> SidePairing {
    let [wins, draws, losses] = sums.results;
    let mean = sums.pairs.mean();
    SidePairing {
        a: header.sides[a].name.clone(),
        b: header.sides[b].name.clone(),
        games: 2 * sums.pairs.pairs(),
        wins,
        draws,
        losses,
        pentanomial: sums.pairs.counts,
        score: mean.map(rounded),
        elo: mean.and_then(elo),
        same_moves: sums.same,
    }
}

/// A number of Elo, to two decimal places. The sum turns -0 into 0.
fn hundredths(elo: f64) -> Number {
    Number((elo * 100.0).round() / 100.0 + 0.0)
}

fn share(part: f64, all: u64) -> Option<Number> {
    (all > 0).then(|| rounded(part / all as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_course_is_thinned_and_keeps_its_end() {
        for length in [0u64, 1, 2, 199, 200, 201, 399, 400, 401, 12_345] {
            let all: Vec<(u64, f64)> = (1..=length).map(|pair| (2 * pair, pair as f64)).collect();
            let kept = course(&all);
            assert!(kept.len() <= MOST_POINTS && (kept.len() > 99 || kept.len() as u64 == length), "{length}");
            assert_eq!(kept.last().map(|point| point.0), (length > 0).then_some(2 * length));
            assert!(kept.iter().all(|(_, share)| share.0 == 0.5));
        }
    }
}
