//! Plays the games of a match or a tournament, and continues its record.
//!
//! It takes the sides and the conditions of a request. It returns the games of the record and those that it played.

use super::conditions::{Conditions, known, openings};
use super::contest_games::ContestGames;
use super::forfeit_notes::ForfeitNotes;
use super::form::{Form, Start};
use super::host::{Event, Host, Listen, refusal};
use super::match_reply::MatchEndReason;
use super::partial::Game;
use super::record::{RecordSettings, RecordWriter};
use super::record_header::{RecordedConditions, RecordedRules};
use super::recorded_game::event;
use super::side::{Side, check_players, of_side, player};
use super::words::Whole;
use alphorn_rules::rules::Expected;
use alphorn_session::session::contest::MatchSetup;
use alphorn_session::session::database::Database;
use alphorn_session::session::openings::{MatchOpenings, OpeningSource};
use alphorn_session::session::player::MatchPlayer;
use alphorn_session::session::{Session, SessionResult};
use alphorn_text::report::plural;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The rules, the players and the conditions of a match or a tournament, all checked.
pub(super) struct Contest<'a> {
    session: Session,
    players: Vec<MatchPlayer>,
    start: &'a Start,
    conditions: &'a Conditions,
    source: OpeningSource,
    known: Option<Database>,
    /// The conditions as the record has them.
    pub(super) recorded: RecordedConditions,
}

impl<'a> Contest<'a> {
    /// Loads the rules, the players with these names, the openings and the values that end games.
    ///
    /// # Errors
    ///
    /// The rules, the settings of a side or the conditions contain an error.
    pub(super) fn load<'s>(
        sides: impl Iterator<Item = (&'s str, &'s Side)>,
        (form, start, conditions): (&Form, &'a Start, &'a Conditions),
        (host, listen): (&Host<'_>, Listen<'_>),
    ) -> SessionResult<Contest<'a>> {
        let session = host.session(form, Expected::Game, &host.stop, listen)?;
        let players = sides
            .map(|(name, side)| player(name, side, form, host).map_err(|failure| of_side(failure, name)))
            .collect::<SessionResult<Vec<_>>>()?;
        check_players(&players, (&session, host), listen)?;
        let (source, text) = openings(conditions)?;
        let known = conditions.adjudicate.as_ref().map(|path| known(&session, path)).transpose()?;
        let values = known.as_ref().map(|known| known.count(&session)).transpose()?;
        let recorded = RecordedConditions::of(conditions, (&source, text), values);
        Ok(Contest { session, players, start, conditions, source, known, recorded })
    }

    /// The rules and the first position, for the record.
    pub(super) fn rules<H: RecordSettings>(&self) -> RecordedRules {
        RecordedRules::of::<H>(&self.session, self.start)
    }

    /// A hash of the rules of a player, if they are not those of the games.
    pub(super) fn own_rules(&self, player: usize) -> Option<String> {
        self.players[player].own.as_ref().map(Session::identity)
    }

    /// Whether the record has the times of moves.
    pub(super) fn times(&self) -> bool {
        self.conditions.times || self.players.iter().any(MatchPlayer::depends_on_time)
    }

    /// Reads the games of the record, if there is one, and plays the others up to this number of games.
    ///
    /// # Errors
    ///
    /// The rules fail, or the record cannot be continued or written.
    pub(super) fn play<H: RecordSettings>(
        self,
        header: &H,
        mut games: ContestGames,
        (count, record): (u32, Option<&Path>),
        (host, listen): (&Host<'_>, Listen<'_>),
    ) -> SessionResult<(ContestGames, MatchEndReason)> {
        let Contest { session, players, start, conditions, source, known, .. } = self;
        let mut record = match record {
            Some(path) => {
                host.may_write(&session, path, None)?;
                Some(resume(path, (header, &session.files()), &mut games, count, listen)?)
            }
            None => None,
        };
        if games.decided() {
            return Ok((games, MatchEndReason::Sprt));
        }
        let setup = MatchSetup {
            command: H::KIND,
            players,
            schedule: games.schedule.clone(),
            openings: MatchOpenings {
                start: &start.place(),
                source,
                balance: conditions.balance.map(|balance| balance.0),
                seed: conditions.seed,
                played: std::mem::take(&mut games.keys),
                avoided: Vec::new(),
            },
            played: games.count,
            games: count,
            longest: conditions.max_plies.get() as u32,
            known,
            threads: Whole::or_cores(conditions.jobs),
        };
        let (mut unwritten, mut forfeits) = (None, ForfeitNotes::default());
        let end = session.contest(&setup, &mut |game| {
            if let Some(Err(failure)) = record.as_mut().map(|record| record.add(&game)) {
                unwritten = Some(failure);
                return ControlFlow::Break(());
            }
            let so_far = games.add(&game);
            let sides = header.place(game.number).sides;
            let names = sides.as_ref().map_or(["A", "B"], |names| names.each_ref().map(String::as_str));
            forfeits.add(&game, names, listen);
            let standings = so_far.as_ref().and_then(|_| header.standings(&games));
            let so_far = so_far.filter(|_| sides.is_none());
            listen(Event::Game(Game { sides, standings, ..event(&game, so_far) }));
            if games.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        forfeits.rest(listen);
        match unwritten {
            Some(failure) => Err(failure),
            None => Ok((games, end.into())),
        }
    }
}

/// Opens a record, and adds the games that it holds.
fn resume<H: RecordSettings>(
    path: &Path,
    (header, rules): (&H, &[PathBuf]),
    games: &mut ContestGames,
    count: u32,
    listen: Listen<'_>,
) -> SessionResult<RecordWriter<H>> {
    let mut record = RecordWriter::open(path, header.clone(), rules, &mut |game| {
        games.add(&game);
    })?;
    if games.count > count {
        let fitting = 2 * games.count.div_ceil(games.schedule.games_of_opening());
        let help = format!("write --games {fitting} or more{}, or name another file", H::GAMES_OPTION);
        return Err(refusal(format!("{} already holds {} games", path.display(), games.count), help));
    }
    record.begin()?;
    if games.count > 0 && games.count < count && !games.decided() {
        let played = plural(games.count.into(), "game", "games");
        listen(Event::note(format!("{} holds {played}; the {} goes on after them", path.display(), H::KIND)));
    }
    Ok(record)
}
