//! Carries out the commands of an engine one after the other: options, positions, questions and searches.
//!
//! It holds the game and the options. After every `go` it sends a legal move, or `(none)` if there is none.

use super::command::{EngineCommand, EngineStart, GameQuery, GoLimits};
use super::control::SearchControl;
use super::options::{EngineOptions, unknown_option};
use super::search::{SearchInfo, effort_text, info_line, time_limit};
use super::{Dialect, EngineOutput};
use crate::protocol::host::refusal;
use alphorn_search::game::Side;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{Iteration, SearchResult};
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::workspace::{GameStatus, Workspace};
use alphorn_session::session::{Failure, GameStart, SearchOptions, Session, SessionResult};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The depth up to which every iteration is reported. In a game that repeats positions, a search reaches
/// hundreds of depths in a second; deeper ones are reported once in [`QUICK`].
const ALL_DEPTHS: u32 = 30;
const QUICK: Duration = Duration::from_millis(100);

/// The engine: a game in play, and the options.
pub(super) struct EngineWorker<'a, W> {
    dialect: Dialect,
    workspace: Workspace,
    options: EngineOptions,
    control: &'a SearchControl,
    output: &'a EngineOutput<W>,
    /// The last position command that was carried out.
    placed: Option<(EngineStart, Vec<String>)>,
    /// The player who moves first in the first position.
    first: Side,
}

impl<'a, W: Write> EngineWorker<'a, W> {
    pub(super) fn new(
        dialect: Dialect,
        workspace: Workspace,
        control: &'a SearchControl,
        output: &'a EngineOutput<W>,
    ) -> EngineWorker<'a, W> {
        let options = EngineOptions::default();
        let first = first_player(dialect, workspace.session());
        EngineWorker { dialect, workspace, options, control, output, placed: None, first }
    }

    /// Sends the reason why a line is not carried out.
    pub(super) fn refuse(&self, reason: &str) {
        self.output.remark(reason);
    }

    /// Carries out a command other than `go`.
    pub(super) fn carry_out(&mut self, command: &EngineCommand) {
        let done = match command {
            EngineCommand::Introduce => {
                self.introduce();
                Ok(())
            }
            EngineCommand::IsReady => {
                self.output.line("readyok");
                Ok(())
            }
            EngineCommand::SetOption(name, value) => self.set_option(name, value.as_deref().unwrap_or_default()),
            EngineCommand::NewGame => {
                self.placed = None;
                self.workspace.begin(&GameStart::default())
            }
            EngineCommand::Position(start, moves) => self.place(start, moves),
            EngineCommand::Query(query) => self.answer(*query),
            EngineCommand::Go(_) | EngineCommand::Stop | EngineCommand::Quit | EngineCommand::Nothing => Ok(()),
        };
        if let Err(failure) = done {
            self.refuse(&failure_text(&failure));
        }
    }

    fn introduce(&self) {
        let name = self.workspace.load_options().files.first().cloned().unwrap_or_default();
        let stem = std::path::Path::new(&name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let game = stem.map(|stem| format!(" {stem}")).unwrap_or_default();
        self.output.line(&format!("id name Alphorn {}{game}", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Alphorn developers");
        let lines = self.options.lines(&self.workspace.session().rules.program.params);
        lines.iter().for_each(|line| self.output.line(line));
        self.output.line(&format!("{}ok", self.dialect.name()));
    }

    fn set_option(&mut self, name: &str, value: &str) -> SessionResult<()> {
        let params = &self.workspace.session().rules.program.params;
        let named = params.iter().map(|param| param.name.text().to_string());
        let param = named.clone().find(|param| param == name);
        if param.is_none() && self.options.set(name, value).map_err(|wrong| refusal(wrong, ""))? {
            return Ok(());
        }
        let Some(param) = param.or_else(|| named.clone().find(|param| param.eq_ignore_ascii_case(name))) else {
            return Err(refusal(unknown_option(name, params), ""));
        };
        // The rules would name the options of the command line.
        let declared = params.iter().find(|declared| declared.name.text() == param);
        declared.map_or(Ok(()), |declared| declared.accepts(value)).map_err(|wrong| refusal(wrong, ""))?;
        let mut options: LoadOptions = self.workspace.load_options().clone();
        options.params.retain(|(other, _)| *other != param);
        options.params.push((param, value.to_string()));
        self.workspace.load(options, true)?;
        self.placed = None;
        self.first = first_player(self.dialect, self.workspace.session());
        Ok(())
    }

    /// Goes to a position. If only moves are added, only these are played.
    fn place(&mut self, start: &EngineStart, moves: &[String]) -> SessionResult<()> {
        let words: Vec<&str> = moves.iter().map(String::as_str).collect();
        let more = match &self.placed {
            Some((before, played)) if before == start && moves.starts_with(played) => Some(played.len()),
            _ => None,
        };
        match (more, start) {
            (Some(played), _) => self.workspace.play_words(&words[played..])?,
            (None, EngineStart::First) => {
                self.workspace.begin_words(&GameStart::default(), &words)?;
            }
            (None, EngineStart::Text(text)) => self.place_at(text, &words)?,
        }
        self.placed = Some((start.clone(), moves.to_vec()));
        Ok(())
    }

    /// Goes to a position in the notation of the game, or else to one written as a term.
    fn place_at(&mut self, text: &str, words: &[&str]) -> SessionResult<()> {
        let rules = &self.workspace.session().rules;
        let reads = rules.contract.read_position.is_some();
        let written = GameStart { at: Some(text.to_string()), ..GameStart::default() };
        if reads {
            let placed = self.workspace.begin_words(&written, words);
            if placed.is_ok() || self.dialect == Dialect::Uci || !text.contains('(') {
                return placed;
            }
        }
        if let Some(problem) = self.workspace.session().rules.odd_position(text) {
            return Err(refusal(problem.message, problem.help.unwrap_or_default()));
        }
        let term = GameStart { position: Some(text.to_string()), ..GameStart::default() };
        self.workspace.begin_words(&term, words)
    }

    fn answer(&self, query: GameQuery) -> SessionResult<()> {
        let status = self.workspace.status()?;
        let answer = match query {
            GameQuery::IsFirstPlayersTurn => (status == GameStatus::Moves(self.first)).to_string(),
            GameQuery::IsOver => matches!(status, GameStatus::Over(_) | GameStatus::Repeated).to_string(),
            GameQuery::Result => match status {
                GameStatus::Over(Some(side)) if side == self.first => "p1win".to_string(),
                GameStatus::Over(Some(_)) => "p2win".to_string(),
                GameStatus::Over(None) | GameStatus::Repeated => "draw".to_string(),
                GameStatus::Moves(_) | GameStatus::Chance => "none".to_string(),
            },
        };
        self.output.line(&format!("response {answer}"));
        Ok(())
    }

    /// Searches, and sends the move. `read` is the time when the command came.
    pub(super) fn go(&mut self, number: u64, limits: &GoLimits, read: Instant) {
        if !limits.unused.is_empty() {
            self.refuse(&format!("{} has no effect", limits.unused.join(", ")));
        }
        let legal = self.workspace.status().and_then(|status| Ok((status, self.workspace.move_words()?)));
        let best = match legal {
            Ok((GameStatus::Moves(side), legal)) => self.choose(number, limits, read, side, legal),
            Ok((GameStatus::Chance, legal)) => self.draw(&legal),
            Ok(_) => {
                self.refuse("the game is over");
                None
            }
            Err(failure) => {
                self.refuse(&failure_text(&failure));
                None
            }
        };
        // A later `isready` waits for the lines before it.
        self.control.answered(number);
        self.output.line(&format!("bestmove {}", best.as_deref().unwrap_or("(none)")));
    }

    /// Draws a chance outcome.
    fn draw(&mut self, legal: &[String]) -> Option<String> {
        self.refuse("chance moves: the outcome is drawn at random");
        self.workspace.play_chance_outcome().ok()?;
        let drawn = self.workspace.here().cloned();
        self.workspace.undo(1).ok()?;
        let leads = |workspace: &mut Workspace, word: &str| {
            if workspace.play_words(&[word]).is_err() {
                // There is no move to take back.
                return false;
            }
            let found = workspace.here() == drawn.as_ref();
            let _ = workspace.undo(1);
            found
        };
        legal.iter().find(|word| leads(&mut self.workspace, word)).cloned()
    }

    /// The move of a search: its choice, or the best of the last report, or the first legal move.
    fn choose(
        &self,
        number: u64,
        limits: &GoLimits,
        read: Instant,
        side: Side,
        mut legal: Vec<String>,
    ) -> Option<String> {
        let who = usize::from(side != self.first);
        let time = time_limit(limits, who, self.options.overhead);
        let infinite = limits.infinite || (time.is_none() && limits.depth.is_none() && limits.nodes.is_none());
        let time = time.filter(|_| !limits.infinite);
        self.control.begin(number, time.map(|time| read + time), infinite);
        let bounds = Limits {
            depth: limits.depth,
            nodes: limits.nodes,
            timed: time.is_some() || infinite,
            stop: Some(self.control.flag()),
            ..Limits::default()
        };
        let bounded = bounds.timed || bounds.nodes.is_some();
        let how = self.options.search(bounded, bounds.nodes.is_some());
        let reported = RefCell::new(None);
        let found = self.search(&how, &bounds, (read, side), &reported);
        self.control.end();
        if infinite {
            self.control.wait_for_stop(number);
        }
        let chosen = [found, reported.into_inner()].into_iter().flatten().find(|word| legal.contains(word));
        chosen.or_else(|| (!legal.is_empty()).then(|| legal.swap_remove(0)))
    }

    /// Runs a search and reports its iterations. A fault of the rules is reported too.
    fn search(
        &self,
        how: &SearchOptions<'_>,
        bounds: &Limits<'_>,
        (read, side): (Instant, Side),
        reported: &RefCell<Option<String>>,
    ) -> Option<String> {
        let said = Cell::new(None::<(u32, Instant)>);
        let report = |found: &Iteration<String>| {
            let Some(line) = found.lines.first() else { return };
            *reported.borrow_mut() = line.moves.first().cloned();
            if found.depth > ALL_DEPTHS && said.get().is_some_and(|(_, at)| at.elapsed() < QUICK) {
                return;
            }
            said.set(Some((found.depth, Instant::now())));
            let info = SearchInfo {
                depth: found.depth,
                reached: found.reached,
                value: line.value,
                nodes: found.stats.nodes,
                time: read.elapsed(),
                line: &line.moves,
            };
            self.output.line(&info_line(&info, side, self.dialect));
        };
        let how = SearchOptions { report: Some(&report), ..*how };
        let found = catch_unwind(AssertUnwindSafe(|| self.workspace.value(&how, bounds)));
        match found {
            Ok(Ok(found)) => {
                self.report_result(&found.outcome, said.get().map(|(depth, _)| depth), (read, side));
                found.outcome.choice().cloned()
            }
            Ok(Err(failure)) => {
                self.refuse(&failure_text(&failure));
                None
            }
            Err(_) => {
                self.refuse("internal error; please report the game and the position");
                None
            }
        }
    }

    /// Reports the last finished depth unless its line was the last one. If the search stopped within a depth, the
    /// positions and the time of the whole search follow: that depth has no value.
    fn report_result(&self, found: &SearchResult<String>, said: Option<u32>, (read, side): (Instant, Side)) {
        let (reached, nodes, time) = (found.reached, found.nodes, read.elapsed());
        let depth = found.depth.unwrap_or(reached);
        if let (Some(value), false) = (found.value, found.partial || said == Some(depth)) {
            let info = SearchInfo { depth, reached, value, nodes, time, line: &found.line };
            self.output.line(&info_line(&info, side, self.dialect));
        }
        if found.stopped || found.deeper.is_some() {
            self.output.line(&format!("info {}", effort_text(nodes, time)));
        }
    }
}

/// The player who moves first in the first position; White in chess.
fn first_player(dialect: Dialect, session: &Session) -> Side {
    let status = || {
        let game = session.game()?;
        session.status_at(&game, &session.position(&game, &GameStart::default())?)
    };
    match status() {
        Ok(GameStatus::Moves(side)) if dialect == Dialect::Ugi => side,
        _ => Side::Max,
    }
}

/// The text of a failure with what to do, for `info string`.
fn failure_text(failure: &Failure) -> String {
    let help = failure.report().problems.into_iter().find_map(|problem| problem.help);
    let help = help.filter(|help| !help.is_empty()).map(|help| format!("\n{help}")).unwrap_or_default();
    format!("{failure}{help}")
}
