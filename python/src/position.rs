//! The Python class `Position`.
//!
//! They call the rules directly, without a request. A position keeps what it was asked: who moves, the
//! legal moves and their labels. Longer questions are Python functions that send requests.

use crate::bytes;
use crate::errors::{imported, refused};
use crate::game::Game;
use crate::loaded::GameCore;
use crate::moves::Move;
use crate::question::{Choice, choices, end, evaluation};
use crate::terms;
use crate::working::{Local, ask};
use alphorn_rules::rules::position::Position as State;
use alphorn_search::game::{Game as _, GameResult, Side, ToMove, key_of};
use alphorn_session::session::SessionResult;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use std::sync::{Arc, OnceLock};

/// What pickle needs to make a position again: a function and its arguments.
type Restored<'py> = (Bound<'py, PyAny>, (Game, Bound<'py, PyBytes>));

/// A position of a game. It does not change.
#[pyclass(module = "alphorn", frozen)]
pub struct Position {
    pub(crate) core: Arc<GameCore>,
    pub(crate) state: State,
    turn: OnceLock<ToMove>,
    choices: OnceLock<Arc<[Choice]>>,
    labels: OnceLock<Arc<[String]>>,
}

/// Runs a Python function of the package that completes a class.
pub fn delegated<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    name: &'static str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    imported(py, cell, ("alphorn._requests", name))?.call(arguments, options)
}

/// Calls the Python function of the package with this name.
macro_rules! delegate {
    ($py:expr, $name:literal, $arguments:expr, $options:expr) => {{
        static FUNCTION: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
        crate::position::delegated($py, &FUNCTION, $name, $arguments, $options)
    }};
}
pub(crate) use delegate;

/// The name of a side or of the result without a winner.
fn winner_name(winner: Option<Side>) -> &'static str {
    winner.map_or("draw", Side::key)
}

impl Position {
    /// A position of a game.
    pub fn new(core: Arc<GameCore>, state: State) -> Position {
        Position { core, state, turn: OnceLock::new(), choices: OnceLock::new(), labels: OnceLock::new() }
    }

    /// Asks the rules a question about this position.
    fn asked<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Local, &Arc<GameCore>, &State) -> SessionResult<T> + Send + 'static,
    ) -> PyResult<T> {
        let (core, state) = (self.core.clone(), self.state.clone());
        ask(py, &self.core, move |local| question(local, &core, &state))
    }

    fn turn(&self, py: Python<'_>) -> PyResult<ToMove> {
        if let Some(turn) = self.turn.get() {
            return Ok(*turn);
        }
        let turn = self.asked(py, |local, core, state| {
            local.game.to_move(state).map_err(|fault| core.session.fault(&fault, &[]))
        })?;
        Ok(*self.turn.get_or_init(|| turn))
    }

    /// The legal moves, which are asked for once.
    pub(crate) fn choices(&self, py: Python<'_>) -> PyResult<&Arc<[Choice]>> {
        if let Some(choices) = self.choices.get() {
            return Ok(choices);
        }
        let (turn, found) = self.asked(py, |local, core, state| choices(local, core, state))?;
        self.turn.get_or_init(|| turn);
        Ok(self.choices.get_or_init(|| found.into()))
    }

    fn labels(&self, py: Python<'_>) -> PyResult<&Arc<[String]>> {
        if let Some(labels) = self.labels.get() {
            return Ok(labels);
        }
        let choices = self.choices(py)?.clone();
        let labels: Vec<String> = self.asked(py, move |local, core, state| {
            choices.iter().map(|(mv, _)| core.session.label(&local.game, state, mv)).collect()
        })?;
        Ok(self.labels.get_or_init(|| labels.into()))
    }

    /// The position after the move with this label.
    fn after_label(&self, py: Python<'_>, label: &str) -> PyResult<State> {
        let choices = self.choices(py)?;
        // With labels of its own notation, a game may name two moves by one text.
        if self.core.session.rules.contract.shown_move.is_none() {
            let found = self.labels(py)?.iter().position(|other| other == label);
            if let Some(at) = found {
                return Ok(choices[at].0.next.clone());
            }
        }
        let label = label.to_string();
        self.asked(py, move |local, core, state| Ok(core.session.move_of(&local.game, state, &label)?.next))
    }

    /// The position after a move: a `Move` of this position, or a label.
    fn after(&self, mv: &Bound<'_, PyAny>) -> PyResult<State> {
        let py = mv.py();
        if let Ok(mv) = mv.cast::<Move>() {
            let mv = mv.get();
            if mv.from != self.state || !self.core.is_same(&mv.core) {
                let message = "the move belongs to another position";
                return Err(refused(py, message, "play a move of this position's moves(), or a label"));
            }
            return Ok(mv.choice.0.next.clone());
        }
        match mv.extract::<std::borrow::Cow<'_, str>>() {
            Ok(label) => self.after_label(py, &label),
            Err(_) => {
                let name = mv.get_type().name()?;
                Err(PyTypeError::new_err(format!("a move is a label or a Move of this position, not {name}")))
            }
        }
    }
}

#[pymethods]
impl Position {
    /// The game of the position.
    #[getter]
    fn game(&self) -> Game {
        Game { core: self.core.clone() }
    }

    /// Who moves; None if the game is over. Raises Error if the rules fail.
    #[getter]
    fn to_move(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        Ok(match self.turn(py)? {
            ToMove::Max => Some("max"),
            ToMove::Min => Some("min"),
            ToMove::Chance => Some("chance"),
            ToMove::Over => None,
        })
    }

    /// Whether the game is over. Raises Error if the rules fail.
    #[getter]
    fn is_terminal(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.turn(py)? == ToMove::Over)
    }

    /// How the game ended: the winner, "draw", or a number for MAX if the game ends in numbers.
    ///
    /// None if the game is not over. Raises Error if the rules fail.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.turn(py)? != ToMove::Over {
            return Ok(None);
        }
        let found = self.asked(py, |local, core, state| {
            let ending = end(local, core, state)?.and_then(|(result, _)| result);
            match ending {
                Some(GameResult::Won(_) | GameResult::Draw) => Ok((ending, 0.0)),
                _ => Ok((ending, evaluation(local, core, state)?)),
            }
        })?;
        Ok(Some(match found {
            (Some(GameResult::Won(side)), _) => side.key().into_pyobject(py)?.into_any(),
            (Some(GameResult::Draw), _) => "draw".into_pyobject(py)?.into_any(),
            (Some(GameResult::Points(_)) | None, number) => number.into_pyobject(py)?.into_any(),
        }))
    }

    /// Who has won; None if the game is not over. Raises Error if the rules fail.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        if self.turn(py)? != ToMove::Over {
            return Ok(None);
        }
        let found = self.asked(py, |local, core, state| end(local, core, state))?;
        Ok(found.map(|(_, won)| winner_name(won)))
    }

    /// The evaluation for MAX, without a search: the number of static_eval/2, or 0 without it.
    ///
    /// A finished game that MAX has won is worth 1000000, a lost one -1000000; in a game with chance
    /// moves, they are worth the ends of the payoff range.
    fn eval(&self, py: Python<'_>) -> PyResult<f64> {
        self.asked(py, |local, core, state| evaluation(local, core, state))
    }

    /// The legal moves, in the order of the rules; in a chance position its outcomes with weights.
    ///
    /// Empty if the game is over. Raises Error if the rules fail.
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let choices = self.choices(py)?;
        let moves = PyList::empty(py);
        for choice in choices.iter() {
            let (core, from) = (self.core.clone(), self.state.clone());
            moves.append(Bound::new(py, Move::new(core, from, choice.clone()))?)?;
        }
        Ok(moves)
    }

    /// The position after one or more moves: labels, or Move objects of the positions.
    ///
    /// Raises Error if a move is not legal, and TypeError if it is no label and no Move.
    #[pyo3(signature = (mv, *more))]
    fn play(&self, mv: &Bound<'_, PyAny>, more: &Bound<'_, PyTuple>) -> PyResult<Position> {
        let mut position = Position::new(self.core.clone(), self.after(mv)?);
        for mv in more.iter() {
            position = Position::new(self.core.clone(), position.after(&mv)?);
        }
        Ok(position)
    }

    /// The picture of the position: the lines of show/2, or the term if the game draws no picture.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let picture = self.asked(py, |local, core, state| core.session.picture(&local.game, state))?;
        Ok(picture.map_or_else(|| self.text(), |lines| lines.join("\n")))
    }

    /// The position as Prolog text.
    #[getter]
    fn text(&self) -> String {
        self.core.session.term(&self.state)
    }

    /// The position in the notation of the game (FEN in chess), or as Prolog text if it has none.
    #[getter]
    fn notation(&self, py: Python<'_>) -> PyResult<String> {
        self.asked(py, |local, core, state| core.session.position_text(&local.game, state))
    }

    /// The position as Python objects.
    #[getter]
    fn term<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        terms::to_python(py, &self.state.0)
    }

    /// The binary form of the position, as batches have it.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &bytes::bytes_of(&self.state.0))
    }

    fn __repr__(&self) -> String {
        format!("<Position {}>", self.text())
    }

    fn __hash__(&self) -> u64 {
        key_of(&self.state) as u64
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Position>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let equal = self.state == other.state && self.core.is_same(&other.core);
        Ok(match op {
            CompareOp::Eq => equal.into_pyobject(py)?.to_owned().into_any().unbind(),
            CompareOp::Ne => (!equal).into_pyobject(py)?.to_owned().into_any().unbind(),
            _ => py.NotImplemented(),
        })
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Restored<'py>> {
        let py = slf.py();
        static RESTORE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let restore = imported(py, &RESTORE, ("alphorn._alphorn", "_position"))?.clone();
        let this = slf.get();
        Ok((restore, (this.game(), this.__bytes__(py))))
    }

    /// Computes the minimax value, the best move and the principal variation.
    ///
    /// `depth` is in plies (default: to the end of the game), `time` in seconds, `nodes` a number of
    /// positions, `hash` the table's size in megabytes. `lines` is the number of best moves.
    /// `on_iteration` receives each finished depth; its exception stops the search.
    ///
    /// The reply has `value` (for MAX: a win in N plies is 1000000 - N), `outcome` ("max", "min",
    /// "draw" or None), `exact`, `best` (a label), `pv` (labels), `depth`, `nodes`, `seconds`,
    /// and `lines` if more than one is asked for.
    ///
    /// Raises Error if the rules fail or a line of play is endless; KeyboardInterrupt at Ctrl-C.
    #[pyo3(signature = (*, on_iteration=None, **options))]
    fn value<'py>(
        slf: &Bound<'py, Self>,
        on_iteration: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "value", (slf, on_iteration), options)
    }

    /// Computes the value in the background: an iterator over the finished depths.
    ///
    /// The options are those of `value`. `result` of the iterator is the value.
    #[pyo3(signature = (**options))]
    fn iterations<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "iterations", (slf,), options)
    }

    /// Sends any request of the protocol about this position, such as `"explain"` or `"advise"`.
    #[pyo3(signature = (name, *, on_event=None, **options))]
    fn request<'py>(
        slf: &Bound<'py, Self>,
        name: &str,
        on_event: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "request", (slf, name, on_event), options)
    }

    /// Proves the value of this position; the options are those of Game.solve, without `all`.
    #[pyo3(signature = (**options))]
    fn solve<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "solve", (slf,), options)
    }

    /// Records the tree of a search from this position; the options are those of Game.tree.
    #[pyo3(signature = (**options))]
    fn tree<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "tree", (slf,), options)
    }

    /// The number of lines of each length from 1 to `depth` plies.
    fn perft<'py>(slf: &Bound<'py, Self>, depth: u32) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "perft", (slf, depth), None)
    }

    /// The answers to a goal, in which position_now/1 gives this position; see Game.query.
    #[pyo3(signature = (goal, **options))]
    fn query<'py>(
        slf: &Bound<'py, Self>,
        goal: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "query", (slf, goal), options)
    }
}

/// The position with these bytes, for pickle.
#[pyfunction]
pub fn _position(py: Python<'_>, game: &Bound<'_, Game>, data: &[u8]) -> PyResult<Position> {
    let core = game.get().core.clone();
    let state = bytes::read(data).ok_or_else(|| refused(py, NO_POSITION, "use bytes(position)"))?;
    Ok(Position::new(core, State(state)))
}

/// The message for bytes that are no position.
pub const NO_POSITION: &str = "these bytes are no position";
