//! The method `spsa`: climbs by games between two opposite points.

use super::play::{Series, play, player};
use super::record::TuneRecord;
use super::request::SelfPlay;
use super::space::Space;
use super::tally::Tally;
use crate::protocol::data::{Number, rounded};
use crate::protocol::partial::TuneStep;
use alphorn_lab::tuning::spsa::Spsa;
use alphorn_session::session::contest::MatchEnd;
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::schedule::Schedule;
use alphorn_session::session::{GameStart, SessionResult};
use std::ops::ControlFlow;

/// The pairs of games of one step. They can be played at the same time.
const BATCH: u64 = 4;

/// A finished climb.
pub(super) struct Climbed {
    pub(super) point: Vec<i64>,
    /// Whether an interrupt ended it early.
    pub(super) stopped: bool,
}

/// Plays all games of the climb. `tally` counts every game, and `tell` receives every step.
///
/// # Errors
///
/// The rules fail, or the record cannot be written.
pub(super) fn climb(
    space: &Space<'_>,
    (options, start): (&SelfPlay, &GameStart),
    record: &mut TuneRecord,
    tally: &mut Tally<'_>,
    tell: &mut dyn FnMut(TuneStep, &mut TuneRecord) -> SessionResult<()>,
) -> SessionResult<Climbed> {
    let pairs = u64::from(options.count() / 2).max(1);
    let spsa = Spsa::usual(&space.ranges(), pairs, options.seed);
    let mut point: Vec<f64> = space.start().iter().map(|value| *value as f64).collect();
    let mut done = 0;
    while done < pairs {
        let compared = spsa.perturbation(&point, done);
        let count = BATCH.min(pairs - done);
        let mut gain = 0.0;
        if compared.plus != compared.minus {
            let players = [&compared.plus, &compared.minus];
            let [plus, minus] = [space.session(players[0])?, space.session(players[1])?];
            let series = Series {
                start,
                options,
                // Each step has openings of its own.
                seed: options.seed.wrapping_add((done + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
                before: tally.games(),
                games: 2 * count as u32,
                schedule: Schedule::of_match(),
                avoided: Vec::new(),
            };
            let mut points = |game: &GameRecord, tally: &mut Tally<'_>| {
                gain += 2.0 * game.points() - 1.0;
                tally.add(game)
            };
            let players = [player(options, Some(plus), "plus"), player(options, Some(minus), "minus")];
            let end = play(&space.base, players, series, record, &mut |game| {
                points(game, tally)?;
                Ok(ControlFlow::Continue(()))
            })?;
            if end == MatchEnd::Interrupted {
                return Ok(Climbed { point: nearest(&point), stopped: true });
            }
        }
        spsa.step(&mut point, done, &compared, gain);
        done += count;
        let params = point.iter().map(|value| rounded(*value)).collect();
        let step = TuneStep { step: done, total: Some(pairs), loss: None, gain: Some(Number(gain)), params };
        tell(step, record)?;
    }
    Ok(Climbed { point: nearest(&point), stopped: false })
}

fn nearest(point: &[f64]) -> Vec<i64> {
    point.iter().map(|value| value.round() as i64).collect()
}
