//! A workspace: a program that changes while it is used, and a game in play.
//!
//! It takes files, clauses and moves. It returns sessions for single requests, and the status of the
//! game. It serves front ends that run one command after another, and does not depend on a terminal.

mod words;

use super::options::LoadOptions;
use super::{GameStart, SearchOptions, SearchReport, Session, SessionResult, ShownMove};
use alphorn_lab::arena::{GameEnd, GameLine, LineStatus, apply_chance_outcome, line_status};
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, GameResult, Side, drawn_by};
use alphorn_search::search::limits::Limits;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A loaded program with the game in play.
pub struct Workspace {
    options: LoadOptions,
    stop: Arc<AtomicBool>,
    session: Session,
    table: Option<GameInPlay>,
    dice: Xoshiro256PlusPlus,
}

/// A game and the moves played so far.
struct GameInPlay {
    game: RuleGame,
    line: GameLine<RuleGame>,
    /// The names of the moves of the line: labels, or numbers in a game without labels.
    names: Vec<String>,
}

/// A move that [`Workspace::step_back`] took back.
pub struct UndoneMove {
    mv: RuleMove,
    next: Position,
    name: String,
}

impl UndoneMove {
    /// The label of the move, or its number.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A workspace without its running parts, to be resumed elsewhere, for example in another thread.
#[derive(Clone)]
pub struct Snapshot {
    options: LoadOptions,
    session: Session,
    /// The moves played so far, with their names.
    line: Option<(GameLine<RuleGame>, Vec<String>)>,
}

impl Snapshot {
    /// The options that loaded the program.
    pub fn load_options(&self) -> &LoadOptions {
        &self.options
    }

    /// The current position of the game.
    pub fn here(&self) -> Option<&Position> {
        self.line.as_ref().map(|(line, _)| line.last())
    }
}

/// The status of a game under way.
#[derive(Clone, Debug, PartialEq)]
pub enum GameStatus {
    /// This side is to move.
    Moves(Side),
    /// Chance is to move.
    Chance,
    /// The game is over, with its winner if there is one.
    Over(Option<Side>),
    /// The game is drawn because the position occurred before.
    Repeated,
}

impl Workspace {
    /// Loads a program and starts its game at the first opening.
    ///
    /// # Errors
    ///
    /// The texts have errors, or the rules of the game fail at the first opening.
    pub fn open(options: LoadOptions, seed: u64, stop: &Arc<AtomicBool>) -> SessionResult<Workspace> {
        let session = options.open(Expected::Either, stop)?;
        let table = GameInPlay::of(&session, None)?;
        let dice = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Workspace { options, stop: stop.clone(), session, table, dice })
    }

    /// An empty workspace whose load options are set, but not loaded yet.
    ///
    /// # Errors
    ///
    /// Not even an empty program can be loaded.
    pub fn waiting(options: LoadOptions, stop: &Arc<AtomicBool>) -> SessionResult<Workspace> {
        Ok(Workspace { options, ..Workspace::open(LoadOptions::default(), 1, stop)? })
    }

    /// Loads another program, or the same one again. `keep` keeps the moves played so far, if the files
    /// are the same, and if other parameters, overlays or typed clauses leave the first position as it is.
    /// After an error the workspace is unchanged.
    ///
    /// # Errors
    ///
    /// As [`open`](Workspace::open).
    pub fn load(&mut self, options: LoadOptions, keep: bool) -> SessionResult<()> {
        let session = options.open(Expected::Either, &self.stop)?;
        let keep = keep && options.is_same_game(&self.options) && self.keeps_position(&options, &session);
        let kept = self.table.as_ref().filter(|_| keep).map(|table| (table.line.clone(), table.names.clone()));
        self.table = GameInPlay::of(&session, kept)?;
        (self.session, self.options) = (session, options);
        Ok(())
    }

    /// A snapshot of the program and of the moves played so far.
    pub fn snapshot(&self) -> Snapshot {
        let line = self.table.as_ref().map(|table| (table.line.clone(), table.names.clone()));
        Snapshot { options: self.options.clone(), session: self.session.clone(), line }
    }

    /// A workspace made of a snapshot. The flag `stop` ends its operations.
    ///
    /// # Errors
    ///
    /// The rules of the game cannot be loaded again.
    pub fn resume(snapshot: Snapshot, stop: &Arc<AtomicBool>) -> SessionResult<Workspace> {
        let Snapshot { options, session, line } = snapshot;
        let session = Session { stop: stop.clone(), ..session };
        let table = match line {
            Some(_) => GameInPlay::of(&session, line)?,
            None => None,
        };
        Ok(Workspace { options, stop: stop.clone(), session, table, dice: Xoshiro256PlusPlus::seed_from_u64(1) })
    }

    /// Takes over the program and the game of a snapshot, which another workspace has changed.
    ///
    /// # Errors
    ///
    /// As [`resume`](Workspace::resume).
    pub fn adopt(&mut self, snapshot: Snapshot) -> SessionResult<()> {
        let Workspace { options, session, table, .. } = Workspace::resume(snapshot, &self.stop)?;
        (self.options, self.session, self.table) = (options, session, table);
        Ok(())
    }

    /// The files that were loaded, and the files that the options name.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = self.options.files.iter().chain(&self.options.overlays).filter(|name| *name != "-");
        let mut found: Vec<PathBuf> = named.map(PathBuf::from).collect();
        for path in self.session.files() {
            if !found.contains(&path) {
                found.push(path);
            }
        }
        found
    }

    /// The options that loaded the program.
    pub fn load_options(&self) -> &LoadOptions {
        &self.options
    }

    /// The session of the loaded program.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// A session in the current position, for one request that `stop` ends. `change` adds parameters,
    /// overlays and budgets. The game starts anew if they change its first position.
    ///
    /// # Errors
    ///
    /// `expected` is a game and the program is none: the error says what is missing. Or the change has
    /// errors.
    pub fn session_for_request(
        &self,
        expected: Expected,
        change: &LoadOptions,
        stop: &Arc<AtomicBool>,
    ) -> SessionResult<Session> {
        let line = self.table.as_ref().map(|table| &table.line);
        let here = line.map(|line| line.last().clone());
        let before = line.map(|line| line.before().into()).unwrap_or_default();
        let is_loaded =
            !self.options.files.is_empty() || !self.options.texts.is_empty() || !self.options.typed.is_empty();
        if !change.is_empty() && (is_loaded || expected != Expected::Game) {
            let options = self.options.changed(change);
            let session = options.open(expected, stop)?;
            return Ok(match self.keeps_position(&options, &session) {
                true => Session { here, before, ..session },
                false => session,
            });
        }
        if self.table.is_none() && expected == Expected::Game {
            return self.no_game();
        }
        Ok(Session { stop: stop.clone(), here, before, ..self.session.clone() })
    }

    /// Whether the current position is one of the game with these options: parameters, overlays and typed
    /// clauses are the same, or leave the first position as it is.
    fn keeps_position(&self, options: &LoadOptions, session: &Session) -> bool {
        let first = |session: &Session| session.position(&session.game()?, &GameStart::default());
        let LoadOptions { params, overlays, typed, .. } = &self.options;
        (params, overlays, typed) == (&options.params, &options.overlays, &options.typed)
            || matches!((first(&self.session), first(session)), (Ok(old), Ok(new)) if old == new)
    }

    /// The current position of the game.
    pub fn here(&self) -> Option<&Position> {
        self.table.as_ref().map(|table| table.line.last())
    }

    /// The game in play and its position.
    ///
    /// # Errors
    ///
    /// There is no game: the error says what the program lacks.
    pub fn in_play(&self) -> SessionResult<(&RuleGame, &Position)> {
        let table = self.table()?;
        Ok((&table.game, table.line.last()))
    }

    /// The game and its line.
    ///
    /// # Errors
    ///
    /// There is no game: the error says what the program lacks.
    fn table(&self) -> SessionResult<&GameInPlay> {
        match &self.table {
            Some(table) => Ok(table),
            None => self.no_game(),
        }
    }

    /// The error for a missing game: what the loaded program lacks, or that no program is loaded.
    fn no_game<T>(&self) -> SessionResult<T> {
        if !self.options.files.is_empty() || !self.options.typed.is_empty() {
            self.options.open(Expected::Game, &self.stop)?;
        }
        self.session
            .problem(Problem::placeless(Code::InvalidPositionOrMove, "no game is loaded").help("load one: :load FILE"))
    }

    fn table_mut(&mut self) -> SessionResult<(&mut GameInPlay, &Session, &mut Xoshiro256PlusPlus)> {
        self.table()?;
        let table = self.table.as_mut().expect("it was just there");
        Ok((table, &self.session, &mut self.dice))
    }

    /// Starts the game at `start`, or at the first opening if `start` is empty.
    ///
    /// # Errors
    ///
    /// There is no such position or no game, or the rules fail there. The game then stays where it is.
    pub fn begin(&mut self, start: &GameStart) -> SessionResult<()> {
        let (table, session, _) = self.table_mut()?;
        let line = session.line(&table.game, start)?;
        let mut seen = FxHashSet::default();
        let repeated = line.before().iter().position(|state| !seen.insert(state));
        if let Some(moves) = repeated.filter(|_| table.game.facts().draws_repetitions()) {
            let message = format!("the game is over after move {moves}: a position occurs twice, which is a draw");
            let problem = Problem::placeless(Code::InvalidPositionOrMove, message);
            return session.problem(problem.help("leave out the moves after it"));
        }
        if matches!(session.status(&table.game, &line)?, GameStatus::Moves(_) | GameStatus::Chance) {
            session.moves(&table.game, line.last())?;
        }
        let made = line.before().iter().zip(&line.moves);
        let names = made.map(|(state, mv)| session.move_name(&table.game, state, mv)).collect::<SessionResult<_>>()?;
        (table.line, table.names) = (line, names);
        Ok(())
    }

    /// Searches from the current position, with the game that the workspace keeps. The flag with which the
    /// workspace was opened stops the rules too.
    ///
    /// # Errors
    ///
    /// There is no game, its rules fail, or the options do not fit the game.
    pub fn value(&self, how: &SearchOptions<'_>, limits: &Limits<'_>) -> SessionResult<SearchReport> {
        let session = self.session_for_request(Expected::Game, &LoadOptions::default(), &self.stop)?;
        let GameInPlay { game, line, .. } = self.table()?;
        session.value(game, line.last(), how, limits)
    }

    /// The status of the game.
    ///
    /// # Errors
    ///
    /// There is no game, or its rules fail.
    pub fn status(&self) -> SessionResult<GameStatus> {
        let GameInPlay { game, line, .. } = self.table()?;
        self.session.status(game, line)
    }

    /// The current position as text, and its picture if the game draws one.
    ///
    /// # Errors
    ///
    /// There is no game, or its rules fail.
    pub fn shown(&self) -> SessionResult<(String, Option<Vec<String>>)> {
        let GameInPlay { game, line, .. } = self.table()?;
        let text = self.session.position_text(game, line.last())?;
        Ok((text, self.session.picture(game, line.last())?))
    }

    /// The legal moves of the current position.
    ///
    /// # Errors
    ///
    /// There is no game, or its rules fail.
    pub fn moves(&self) -> SessionResult<Vec<ShownMove>> {
        let GameInPlay { game, line, .. } = self.table()?;
        self.session.moves(game, line.last())
    }

    /// The names of the moves played so far.
    pub fn played(&self) -> Vec<String> {
        self.table.as_ref().map_or_else(Vec::new, |table| table.names.clone())
    }

    /// Plays the move that `text` names: by its label, by its number in the move list, or by a unique
    /// prefix of its label. Returns the label, or the number in a game without labels.
    ///
    /// # Errors
    ///
    /// No move or several moves match, or the game is over.
    pub fn play(&mut self, text: &str) -> SessionResult<String> {
        let status = self.status()?;
        let (table, session, _) = self.table_mut()?;
        let GameInPlay { game, line, names } = table;
        let over = match status {
            GameStatus::Moves(_) | GameStatus::Chance => None,
            GameStatus::Over(Some(side)) => Some(format!("the game is over: {} wins", side.name())),
            GameStatus::Over(None) => Some("the game is over: a draw".to_string()),
            GameStatus::Repeated => Some("the game is over: the position occurred before".to_string()),
        };
        if let Some(over) = over {
            let help = "take a move back, or start a new game";
            return session.problem(Problem::placeless(Code::InvalidPositionOrMove, over).help(help));
        }
        let mv = session.typed_move(game, line.last(), text)?;
        let name = session.move_name(game, line.last(), &mv)?;
        let next = mv.next.clone();
        line.push(mv, next);
        names.push(name.clone());
        Ok(name)
    }

    /// Plays a random chance outcome and returns its label.
    ///
    /// # Errors
    ///
    /// It is not chance's turn, or the rules fail.
    pub fn play_chance_outcome(&mut self) -> SessionResult<String> {
        if self.status()? != GameStatus::Chance {
            return self
                .session
                .problem(Problem::placeless(Code::InvalidPositionOrMove, "nothing happens by chance here"));
        }
        let (GameInPlay { game, line, names }, session, random) = self.table_mut()?;
        let mut dice = |weights: &[u64]| drawn_by(weights, random.random_range(0..weights.iter().sum()));
        apply_chance_outcome(game, line, &mut dice).map_err(|fault| session.fault(&fault, &line.moves))?;
        names.push(session.term_text(line.moves.last().expect("it was just made").label()));
        Ok(names.last().expect("it was just put there").clone())
    }

    /// Takes the last move back for a while. [`step_forward`](Workspace::step_forward) plays it again.
    pub fn step_back(&mut self) -> Option<UndoneMove> {
        let table = self.table.as_mut()?;
        let name = table.names.pop()?;
        let next = table.line.last().clone();
        Some(UndoneMove { mv: table.line.pop()?, next, name })
    }

    /// Plays a move again that [`step_back`](Workspace::step_back) took back.
    pub fn step_forward(&mut self, last: UndoneMove) {
        if let Some(table) = self.table.as_mut() {
            table.line.push(last.mv, last.next);
            table.names.push(last.name);
        }
    }

    /// Takes back up to `moves` moves and returns their number.
    ///
    /// # Errors
    ///
    /// There is no game.
    pub fn undo(&mut self, moves: usize) -> SessionResult<usize> {
        let (table, ..) = self.table_mut()?;
        let back = (0..moves).map_while(|_| table.line.pop()).count();
        table.names.truncate(table.line.moves.len());
        Ok(back)
    }
}

impl GameInPlay {
    /// The table of a game; `None` if the program is no game.
    fn of(session: &Session, kept: Option<(GameLine<RuleGame>, Vec<String>)>) -> SessionResult<Option<GameInPlay>> {
        if !session.rules.contract.is_game() {
            return Ok(None);
        }
        let game = session.game()?;
        let (line, names) = match kept {
            Some(kept) => kept,
            None => (GameLine::from(session.position(&game, &GameStart::default())?), Vec::new()),
        };
        Ok(Some(GameInPlay { game, line, names }))
    }
}

impl Session {
    /// The status of a position. The current position of the game under way counts with its earlier
    /// positions.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub fn status_at(&self, game: &RuleGame, state: &Position) -> SessionResult<GameStatus> {
        let again = self.here.as_ref() == Some(state) && self.before.contains(state);
        if again && game.facts().draws_repetitions() {
            return Ok(GameStatus::Repeated);
        }
        self.status(game, &GameLine::from(state.clone()))
    }

    /// The score of MAX, if the game is over in this position and ends with a score.
    ///
    /// # Errors
    ///
    /// The rules fail in this position.
    pub fn points(&self, game: &RuleGame, state: &Position) -> SessionResult<Option<f64>> {
        match game.result(state).map_err(|fault| self.fault(&fault, &[]))? {
            Some(GameResult::Points(points)) => Ok(Some(points)),
            _ => Ok(None),
        }
    }

    /// The status of a game at the end of a line.
    fn status(&self, game: &RuleGame, line: &GameLine<RuleGame>) -> SessionResult<GameStatus> {
        let now = line_status(game, &RuleEval, line).map_err(|fault| self.fault(&fault, &line.moves))?;
        Ok(match now {
            LineStatus::Moves(side) => GameStatus::Moves(side),
            LineStatus::Chance => GameStatus::Chance,
            LineStatus::Ended(GameEnd::Repeated) => GameStatus::Repeated,
            LineStatus::Ended(end) => GameStatus::Over(end.winner()),
        })
    }
}
