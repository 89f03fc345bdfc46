//! A sitting: a program that is changed while it is used, and a game that is played meanwhile.
//!
//! In: what to load, moves, clauses. Out: sessions for whatever is asked next, and how the game
//! stands. For front ends in which one thing is done after another; knows no terminal.

use super::options::LoadOptions;
use super::{Done, GameStart, Session, ShownMove};
use alphorn_lab::arena::{GameEnd, GameLine, LineStatus, now, thrown};
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, Side, drawn_by};
use alphorn_text::report::Problem;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// See the module.
pub struct Workspace {
    recipe: LoadOptions,
    stop: Arc<AtomicBool>,
    session: Session,
    table: Option<Table>,
    dice: Xoshiro256PlusPlus,
}

/// A game and how far it has been played.
struct Table {
    game: RuleGame,
    line: GameLine<RuleGame>,
    /// The moves of the line, as they were named: by their labels, or by their numbers.
    names: Vec<String>,
}

/// A move that was stepped back over.
pub struct UndoneMove {
    mv: RuleMove,
    next: Position,
    name: String,
}

impl UndoneMove {
    /// The move as it was named.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// All of a sitting but what runs: to go on with it elsewhere, in another thread say.
#[derive(Clone)]
pub struct Snapshot {
    recipe: LoadOptions,
    session: Session,
    /// How far its game has been played, and the names of the moves.
    line: Option<(GameLine<RuleGame>, Vec<String>)>,
}

impl Snapshot {
    /// What it was loaded from.
    pub fn recipe(&self) -> &LoadOptions {
        &self.recipe
    }

    /// The position of the game under way.
    pub fn here(&self) -> Option<&Position> {
        self.line.as_ref().map(|(line, _)| line.last())
    }
}

/// How a game under way stands.
#[derive(Clone, Debug, PartialEq)]
pub enum GameStatus {
    /// This side is to move.
    Moves(Side),
    /// Chance is.
    Chance,
    /// The game is over; who has won it, if anybody.
    Over(Option<Side>),
    /// It is drawn: the position has been there before.
    Repeated,
}

impl Workspace {
    /// Loads a program; a game begins at its first opening.
    ///
    /// # Errors
    ///
    /// The texts have errors, or the rules of the game go wrong at its beginning.
    pub fn open(recipe: LoadOptions, seed: u64, stop: &Arc<AtomicBool>) -> Done<Workspace> {
        let session = recipe.open(Expected::Either, stop)?;
        let table = Table::of(&session, None)?;
        let dice = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Workspace { recipe, stop: stop.clone(), session, table, dice })
    }

    /// A sitting in which nothing is loaded yet, though something is meant to be.
    ///
    /// # Errors
    ///
    /// The options of the recipe are wrong.
    pub fn waiting(recipe: LoadOptions, stop: &Arc<AtomicBool>) -> Done<Workspace> {
        Ok(Workspace { recipe, ..Workspace::open(LoadOptions::default(), 1, stop)? })
    }

    /// Loads something else, or the same again; the position is kept if it is asked for. Where that
    /// goes wrong everything stays as it was.
    ///
    /// # Errors
    ///
    /// As [`open`](Sitting::open).
    pub fn load(&mut self, recipe: LoadOptions, keep: bool) -> Done<()> {
        let session = recipe.open(Expected::Either, &self.stop)?;
        let kept = self.table.as_ref().filter(|_| keep).map(|table| (table.line.clone(), table.names.clone()));
        self.table = Table::of(&session, kept)?;
        (self.session, self.recipe) = (session, recipe);
        Ok(())
    }

    /// The sitting as it stands.
    pub fn snapshot(&self) -> Snapshot {
        let line = self.table.as_ref().map(|table| (table.line.clone(), table.names.clone()));
        Snapshot { recipe: self.recipe.clone(), session: self.session.clone(), line }
    }

    /// Goes on from there; `stop` ends what is asked of it.
    ///
    /// # Errors
    ///
    /// The rules of the game go wrong at its beginning.
    pub fn resume(snapshot: Snapshot, stop: &Arc<AtomicBool>) -> Done<Workspace> {
        let Snapshot { recipe, session, line } = snapshot;
        let session = Session { stop: stop.clone(), ..session };
        let table = match line {
            Some(_) => Table::of(&session, line)?,
            None => None,
        };
        Ok(Workspace { recipe, stop: stop.clone(), session, table, dice: Xoshiro256PlusPlus::seed_from_u64(1) })
    }

    /// Goes on with what another sitting, which went on from this one, has loaded.
    ///
    /// # Errors
    ///
    /// The rules of the game go wrong at its beginning.
    pub fn adopt(&mut self, snapshot: Snapshot) -> Done<()> {
        let Workspace { recipe, session, table, .. } = Workspace::resume(snapshot, &self.stop)?;
        (self.recipe, self.session, self.table) = (recipe, session, table);
        Ok(())
    }

    /// The files that it was loaded from, and those that it was meant to be loaded from.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = self.recipe.files.iter().chain(&self.recipe.overlays).filter(|name| *name != "-");
        let mut found: Vec<PathBuf> = named.map(PathBuf::from).collect();
        for path in self.session.files() {
            if !found.contains(&path) {
                found.push(path);
            }
        }
        found
    }

    /// What it was loaded from.
    pub fn recipe(&self) -> &LoadOptions {
        &self.recipe
    }

    /// The program that is loaded.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The program with the game as it stands, for one question that `stop` ends. `change` adds
    /// parameters, overlays and budgets; with other parameters it is another game, which begins.
    ///
    /// # Errors
    ///
    /// A game is expected, and the program is none: what it lacks. Or the change makes it wrong.
    pub fn lend(&self, expected: Expected, change: &LoadOptions, stop: &Arc<AtomicBool>) -> Done<Session> {
        let line = self.table.as_ref().map(|table| &table.line).filter(|_| change.params.is_empty());
        let here = line.map(|line| line.last().clone());
        let before = line.map(|line| line.before().into()).unwrap_or_default();
        if !change.is_empty() {
            let session = self.recipe.changed(change).open(expected, stop)?;
            return Ok(Session { here, before, ..session });
        }
        if self.table.is_none() && expected == Expected::Game {
            return self.no_game();
        }
        Ok(Session { stop: stop.clone(), here, before, ..self.session.clone() })
    }

    /// The position of the game under way.
    pub fn here(&self) -> Option<&Position> {
        self.table.as_ref().map(|table| table.line.last())
    }

    /// The game, and its line.
    ///
    /// # Errors
    ///
    /// There is no game: what the program lacks to be one.
    fn table(&self) -> Done<&Table> {
        match &self.table {
            Some(table) => Ok(table),
            None => self.no_game(),
        }
    }

    /// What a program that is loaded lacks to be a game; or else that none is.
    fn no_game<T>(&self) -> Done<T> {
        if !self.recipe.files.is_empty() || !self.recipe.typed.is_empty() {
            self.recipe.open(Expected::Game, &self.stop)?;
        }
        self.session.problem(Problem::placeless("A0615", "no game is loaded").help("load one: :load FILE"))
    }

    fn table_mut(&mut self) -> Done<(&mut Table, &Session, &mut Xoshiro256PlusPlus)> {
        self.table()?;
        let table = self.table.as_mut().expect("it was just there");
        Ok((table, &self.session, &mut self.dice))
    }

    /// Begins a game somewhere: at its first opening if nothing is said.
    ///
    /// # Errors
    ///
    /// There is no such position, or no game; or the rules go wrong there. Then the game stays where
    /// it is.
    pub fn begin(&mut self, start: &GameStart) -> Done<()> {
        let (table, session, _) = self.table_mut()?;
        let line = GameLine::from(session.position(&table.game, start)?);
        if matches!(session.standing(&table.game, &line)?, GameStatus::Moves(_) | GameStatus::Chance) {
            session.moves(&table.game, line.last())?;
        }
        (table.line, table.names) = (line, Vec::new());
        Ok(())
    }

    /// How the game stands.
    ///
    /// # Errors
    ///
    /// There is no game, or its rules go wrong.
    pub fn standing(&self) -> Done<GameStatus> {
        let Table { game, line, .. } = self.table()?;
        self.session.standing(game, line)
    }

    /// The position as text, and as the game draws it.
    ///
    /// # Errors
    ///
    /// There is no game, or its rules go wrong.
    pub fn shown(&self) -> Done<(String, Option<Vec<String>>)> {
        let Table { game, line, .. } = self.table()?;
        let text = self.session.position_text(game, line.last())?;
        Ok((text, self.session.picture(game, line.last())?))
    }

    /// The legal moves.
    ///
    /// # Errors
    ///
    /// There is no game, or its rules go wrong.
    pub fn moves(&self) -> Done<Vec<ShownMove>> {
        let Table { game, line, .. } = self.table()?;
        self.session.moves(game, line.last())
    }

    /// The moves that were made.
    pub fn played(&self) -> Vec<String> {
        self.table.as_ref().map_or_else(Vec::new, |table| table.names.clone())
    }

    /// Makes the move that a person names: by its label, its number in the list of moves, or the
    /// beginning of its label where only one begins so. Gives the label, or the number in a game
    /// without labels.
    ///
    /// # Errors
    ///
    /// There is no such move, or several, or the game is over.
    pub fn play(&mut self, text: &str) -> Done<String> {
        let standing = self.standing()?;
        let (table, session, _) = self.table_mut()?;
        let Table { game, line, names } = table;
        let over = match standing {
            GameStatus::Moves(_) | GameStatus::Chance => None,
            GameStatus::Over(Some(side)) => Some(format!("the game is over: {} wins", side.name())),
            GameStatus::Over(None) => Some("the game is over: a draw".to_string()),
            GameStatus::Repeated => Some("the game is over: the position occurred before".to_string()),
        };
        if let Some(over) = over {
            let help = "take a move back, with :undo, or start a game, with :new";
            return session.problem(Problem::placeless("A0615", over).help(help));
        }
        let mv = session.typed_move(game, line.last(), text)?;
        let name = match session.rules.contract.labelled {
            Some(_) => session.label(game, line.last(), &mv)?,
            None => {
                let all = game.legal_moves(line.last()).map_err(|fault| session.fault(&fault, &[]))?;
                let number = all.iter().position(|other| *other == mv).map_or(0, |at| at + 1);
                number.to_string()
            }
        };
        let next = mv.next.clone();
        line.push(mv, next);
        names.push(name.clone());
        Ok(name)
    }

    /// Lets chance move; gives the number of what has happened.
    ///
    /// # Errors
    ///
    /// It is not chance that moves, or the rules go wrong.
    pub fn throw(&mut self) -> Done<String> {
        if self.standing()? != GameStatus::Chance {
            return self.session.problem(Problem::placeless("A0615", "nothing happens by chance here"));
        }
        let (Table { game, line, names }, session, random) = self.table_mut()?;
        let mut dice = |weights: &[u64]| drawn_by(weights, random.random_range(0..weights.iter().sum()));
        thrown(game, line, &mut dice).map_err(|fault| session.fault(&fault, &line.moves))?;
        names.push(session.term_text(line.moves.last().expect("it was just made").label()));
        Ok(names.last().expect("it was just put there").clone())
    }

    /// Goes back to before the last move, to ask something there; gives what
    /// [`step_forward`](Sitting::step_forward) needs.
    pub fn step_back(&mut self) -> Option<UndoneMove> {
        let table = self.table.as_mut()?;
        let name = table.names.pop()?;
        let next = table.line.last().clone();
        Some(UndoneMove { mv: table.line.pop()?, next, name })
    }

    /// Makes the move again that was stepped back over.
    pub fn step_forward(&mut self, last: UndoneMove) {
        if let Some(table) = self.table.as_mut() {
            table.line.push(last.mv, last.next);
            table.names.push(last.name);
        }
    }

    /// Takes moves back; gives how many.
    ///
    /// # Errors
    ///
    /// There is no game.
    pub fn undo(&mut self, moves: usize) -> Done<usize> {
        let (table, ..) = self.table_mut()?;
        let back = (0..moves).map_while(|_| table.line.pop()).count();
        table.names.truncate(table.line.moves.len());
        Ok(back)
    }
}

impl Table {
    /// The table of a program that is a game.
    fn of(session: &Session, kept: Option<(GameLine<RuleGame>, Vec<String>)>) -> Done<Option<Table>> {
        if !session.rules.contract.is_game() {
            return Ok(None);
        }
        let game = session.game()?;
        let (line, names) = match kept {
            Some(kept) => kept,
            None => (GameLine::from(session.position(&game, &GameStart::default())?), Vec::new()),
        };
        Ok(Some(Table { game, line, names }))
    }
}

impl Session {
    /// How a game stands in a position: in a game under way, with what was before it.
    ///
    /// # Errors
    ///
    /// The rules go wrong.
    pub fn standing_at(&self, game: &RuleGame, state: &Position) -> Done<GameStatus> {
        let again = self.here.as_ref() == Some(state) && self.before.contains(state);
        if again && game.repetition_is_draw() && !game.acyclic() {
            return Ok(GameStatus::Repeated);
        }
        self.standing(game, &GameLine::from(state.clone()))
    }

    /// How a game stands at the end of a line.
    fn standing(&self, game: &RuleGame, line: &GameLine<RuleGame>) -> Done<GameStatus> {
        let now = now(game, &RuleEval, line).map_err(|fault| self.fault(&fault, &line.moves))?;
        Ok(match now {
            LineStatus::Moves(side) => GameStatus::Moves(side),
            LineStatus::Chance => GameStatus::Chance,
            LineStatus::Ended(GameEnd::Repeated) => GameStatus::Repeated,
            LineStatus::Ended(end) => GameStatus::Over(end.winner()),
        })
    }
}
