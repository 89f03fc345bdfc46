//! Tunes the parameters of an evaluation, and tests the result by a match.
//!
//! Three methods find the parameters: the results of self-play, games between two points, or solved
//! positions. Every method returns integers in the ranges of the parameters.

mod climb;
#[cfg(feature = "parquet")]
mod columns;
pub mod data;
pub mod dataset;
mod fitting;
pub mod options;
mod overlay;
mod play;
pub mod record;
pub mod reply;
pub mod request;
mod solved;
mod space;
mod tally;

use crate::protocol::host::{Event, Host, Listen, refusal};
use crate::protocol::match_options::SprtOption;
use crate::protocol::match_reply::{self, MatchEndReason};
use crate::protocol::partial::TuneStep;
use crate::protocol::recorded_game::event;
use crate::protocol::sums::Sums;
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::contest::MatchEnd;
use alphorn_session::session::database::Database;
use alphorn_session::session::schedule::Schedule;
use alphorn_session::session::tuning::tunable::Tunable;
use alphorn_session::session::{GameStart, Session, SessionResult};
use alphorn_text::report::plural;
use fitting::{Case, FitData, Fitted};
use options::{TuneMethod, ranges};
use play::{Series, play, player};
use record::{TuneRecord, TunedLine, TunedValue, header};
use reply::{Reply, TunedParam};
use request::{Request, SelfPlay};
use serde::Serialize;
use space::Space;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use tally::Tally;

/// One in so many games is held out.
const HELD: u32 = 5;

/// What is added to the seed for the openings of the last match. The numbers 1, 2, 3 are what people give as seeds.
const OTHER_OPENINGS: u64 = 1_000_000;

/// The greatest number of positions in which choices of moves are compared, and that of a step.
const COMPARED: (usize, usize) = (200, 8);

/// What the steps of one request share.
struct Run<'a> {
    request: &'a Request,
    space: Space<'a>,
    start: GameStart,
    record: TuneRecord,
    listen: Listen<'a>,
    reply: Reply,
}

/// Tunes parameters.
///
/// # Errors
///
/// The rules or the request contain an error, there is nothing to tune, or the positions cannot be used.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let play = &request.play;
    let session = host.session(&play.form(), Expected::Game, &host.stop, listen)?;
    let method = method(request)?;
    let params = tunables(&session, play)?;
    let data = match &request.table {
        Some(path) => Some(format!("{} values", Database::open(&session, path)?.count(&session)?)),
        None => request.data.as_deref().map(data::hash).transpose()?,
    };
    let header = header("tune", &session, data, settings(request));
    let record = TuneRecord::open(play.record.as_deref(), &header, (&session, host))?;
    if record.waiting() > 0 {
        let lines = plural(record.waiting() as u64, "line", "lines");
        listen(Event::note(format!("the record has {lines}, which are not computed again")));
    }
    let reply = Reply {
        method,
        seed: play.seed,
        params: params.iter().map(at_start).collect(),
        games: 0,
        results: [0; 3],
        fit: None,
        order: None,
        history: Vec::new(),
        overlay: None,
        r#match: None,
        match_seed: play.seed.wrapping_add(OTHER_OPENINGS),
        compared: 0,
        stopped: false,
    };
    let space = Space::new(play, host, session, params);
    let mut run = Run { request, space, start: play.start.place(), record, listen, reply };
    match run.all() {
        // The rules report an interrupt as an error.
        Err(_) if host.stop.load(Relaxed) => run.reply.stopped = true,
        done => done?,
    }
    Ok(run.reply)
}

/// The parameters to tune.
fn tunables(session: &Session, play: &SelfPlay) -> SessionResult<Vec<Tunable>> {
    let ranges = ranges(&play.params)
        .map_err(|name| refusal(format!("the parameter {name} is given twice"), format!("leave out one -p {name}")))?;
    session.tunables(&ranges)
}

fn at_start(param: &Tunable) -> TunedParam {
    TunedParam {
        name: param.name.clone(),
        start: param.value,
        value: None,
        low: param.low,
        high: param.high,
        changes_evaluation: None,
        changes_choice: None,
    }
}

/// The method; a file of solved positions implies its own.
fn method(request: &Request) -> SessionResult<TuneMethod> {
    match (request.method, &request.table, &request.data) {
        (TuneMethod::Solved, None, _) => Err(refusal(
            "--method solved needs a file of solved positions",
            "solve the game first: alphorn solve GAME --save FILE; then type --table FILE",
        )),
        (TuneMethod::Spsa, Some(_), _) => {
            Err(refusal("--method spsa does not use --table", "leave out one of the two options"))
        }
        (TuneMethod::Spsa, _, Some(_)) => {
            Err(refusal("--method spsa plays games and does not use --data", "leave out one of the two options"))
        }
        (_, Some(_), Some(_)) => Err(refusal("--table and --data are two sources", "leave out one of the two options")),
        (_, Some(_), None) => Ok(TuneMethod::Solved),
        (method, None, _) => Ok(method),
    }
}

/// The options that change the result, for the header of a record.
fn settings(request: &impl Serialize) -> String {
    let mut fields = serde_json::to_value(request).unwrap_or_default();
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|name, value| {
            !value.is_null() && !["jobs", "record", "match_games", "output"].contains(&name.as_str())
        });
    }
    fields.to_string()
}

impl Run<'_> {
    /// Finds the values, compares choices, and plays the final match.
    fn all(&mut self) -> SessionResult<()> {
        let found = match self.reply.method {
            TuneMethod::Logistic => self.logistic()?,
            TuneMethod::Spsa => self.spsa()?,
            TuneMethod::Solved => self.solved()?,
        };
        let Some((point, positions, avoided)) = found else {
            self.reply.stopped = true;
            return Ok(());
        };
        self.compare_choices(&point, &positions)?;
        for (param, value) in self.reply.params.iter_mut().zip(&point) {
            param.value = Some(*value);
        }
        let named = |(param, value): (&Tunable, &i64)| TunedValue { name: param.name.clone(), value: *value };
        self.record.add(&TunedLine { tuned: self.space.params.iter().zip(&point).map(named).collect() })?;
        self.reply.overlay = Some(overlay::text(self.request, &self.reply, &self.space.params, &point));
        if !self.request.no_match && point != self.space.start() {
            self.final_match(&point, avoided)?;
        }
        Ok(())
    }

    /// Fits the evaluation to the results of self-play or of a file of positions.
    fn logistic(&mut self) -> SessionResult<Option<Found>> {
        let base = self.space.base.clone();
        let play = &self.request.play;
        let (samples, keys) = match &self.request.data {
            Some(path) => (data::read(&base, &base.game()?, path)?, Vec::new()),
            None => {
                let found = self_play(&base, (play, &self.start), &mut self.record, self.listen)?;
                let Some(tally) = found else { return Ok(None) };
                (self.reply.games, self.reply.results) = (tally.games().into(), tally.results);
                (tally.samples, tally.keys)
            }
        };
        if samples.is_empty() {
            return base.unusable_positions(
                "the games have no position that can be used",
                "play longer games: --max-plies N, fewer --opening-plies, or --every 1",
            );
        }
        if samples.iter().all(|sample| sample.result == samples[0].result) {
            let what = match samples[0].result {
                0.5 => "all games are drawn",
                result if result > 0.5 => "MAX wins all games",
                _ => "MIN wins all games",
            };
            return base.unusable_positions(
                &format!("{what}, so the results say nothing about the positions"),
                "play other games: more --games, more --opening-plies, or other --nodes or --depth",
            );
        }
        let cases = (0..).zip(&samples).map(|(at, sample)| Case {
            better: at,
            worse: None,
            sign: 1.0,
            result: sample.result,
            held_out: sample.game.is_multiple_of(HELD),
        });
        let cases = cases.collect();
        let data = FitData { positions: samples.into_iter().map(|sample| sample.position).collect(), cases };
        let fitted = self.fit(&data)?;
        Ok(Some((fitted.point, data.positions, keys)))
    }

    /// Fits the evaluation to the order of solved moves.
    fn solved(&mut self) -> SessionResult<Option<Found>> {
        let base = self.space.base.clone();
        let Some(path) = &self.request.table else { return Ok(None) };
        let (game, file) = (base.game()?, Database::open(&base, path)?);
        let wish = (self.request.positions.get() as usize, self.request.play.seed);
        let parents = base.solved_parents(&game, &file, wish)?;
        if parents.len() < 2 {
            return base.unusable_positions(
                "in no solved position do the moves have different values",
                "solve a larger form of the game, or use --method logistic",
            );
        }
        let data = solved::SolvedData::new(parents);
        let fitted = self.fit(&data.data)?;
        self.reply.order = Some(data.order(&fitted));
        Ok(Some((fitted.point, data.data.positions, Vec::new())))
    }

    fn fit(&mut self, data: &FitData) -> SessionResult<Fitted> {
        let Run { space, record, listen, reply, request, .. } = self;
        let fitted = fitting::fit(space, data, request.play.seed, &mut |step: TuneStep| {
            record.add(&step)?;
            reply.history.push(step.clone());
            listen(Event::Tune(step));
            Ok(())
        })?;
        reply.fit = Some(fitted.fit.clone());
        for (param, differs) in reply.params.iter_mut().zip(&fitted.differ) {
            param.changes_evaluation = Some(*differs);
        }
        Ok(fitted)
    }

    /// Climbs by games.
    fn spsa(&mut self) -> SessionResult<Option<Found>> {
        let Run { space, record, listen, reply, request, start } = self;
        let play = &request.play;
        let base = space.base.clone();
        let mut tally = Tally::new(&base, (play, TuneMethod::Spsa), *listen)?;
        let climbed = climb::climb(space, (play, start), record, &mut tally, &mut |step, record| {
            record.add(&step)?;
            reply.history.push(step.clone());
            listen(Event::Tune(step));
            Ok(())
        })?;
        (reply.games, reply.results) = (tally.games().into(), tally.results);
        Ok((!climbed.stopped).then(|| (climbed.point, tally.positions(), tally.keys)))
    }

    /// Compares the choices of moves at both ends of the range of each parameter, in some positions.
    fn compare_choices(&mut self, point: &[i64], positions: &[Position]) -> SessionResult<()> {
        let step = positions.len().div_ceil(COMPARED.0).max(1);
        let some: Vec<Position> = positions.iter().step_by(step).cloned().collect();
        if some.is_empty() {
            return Ok(());
        }
        self.reply.compared = some.len();
        let player = player(&self.request.play, None, "the program");
        for at in 0..point.len() {
            if self.reply.params[at].changes_evaluation == Some(false) {
                self.reply.params[at].changes_choice = Some(false);
                continue;
            }
            let [low, high] = space::ends(&self.space, point, at);
            let [low, high] = [self.space.session(&low)?, self.space.session(&high)?];
            let differ = |some: &[Position]| {
                // At an end, a value may leave the range of evaluations; then the comparison has no result.
                let (low, high) = (low.choices(&player, some).ok()?, high.choices(&player, some).ok()?);
                // So has one that an interrupt ended.
                (low.len() == some.len() && high.len() == some.len()).then(|| low != high)
            };
            let found = some.chunks(COMPARED.1).map(differ).find(|differs| *differs != Some(false));
            self.reply.params[at].changes_choice = found.unwrap_or(Some(false));
        }
        Ok(())
    }

    /// Plays the result against the start, from openings that did not occur before.
    fn final_match(&mut self, point: &[i64], avoided: Vec<u128>) -> SessionResult<()> {
        let Run { request, space, start, record, listen, reply } = self;
        let play_options = &request.play;
        let players =
            [player(play_options, Some(space.session(point)?), "the result"), player(play_options, None, "the start")];
        let games = request.match_games.get() as u32 / 2 * 2;
        let mut sums = Sums::new(Some(SprtOption(request.sprt.0)));
        let series = Series {
            start,
            options: play_options,
            seed: reply.match_seed,
            before: reply.games as u32,
            games,
            schedule: Schedule::of_match(),
            avoided,
        };
        let end = play(&space.base, players, series, record, &mut |game| {
            let so_far = sums.add(game);
            listen(Event::Game(event(game, so_far)));
            Ok(if sums.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        let ending = if sums.decided() { MatchEndReason::Sprt } else { end.into() };
        reply.r#match = Some(Box::new(match_reply::reply(&sums, ["result", "start"], None, ending)));
        reply.stopped = end == MatchEnd::Interrupted;
        Ok(())
    }
}

/// The values that were found, the positions, and the openings that occurred.
type Found = (Vec<i64>, Vec<Position>, Vec<u128>);

/// Plays the games of self-play; `None` if they were interrupted.
fn self_play<'a>(
    session: &'a Session,
    (options, start): (&SelfPlay, &GameStart),
    record: &mut TuneRecord,
    listen: Listen<'a>,
) -> SessionResult<Option<Tally<'a>>> {
    let mut tally = Tally::new(session, (options, TuneMethod::Logistic), listen)?;
    let series = Series {
        start,
        options,
        seed: options.seed,
        before: 0,
        games: options.count(),
        schedule: Schedule::of_self_play(),
        avoided: Vec::new(),
    };
    let end = play(session, [player(options, None, "A"), player(options, None, "B")], series, record, &mut |game| {
        tally.add(game)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((end != MatchEnd::Interrupted).then_some(tally))
}
