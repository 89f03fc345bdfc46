//! The Python class `Move`: a legal move with the positions before and after it.

use crate::errors::{imported, refused};
use crate::loaded::GameCore;
use crate::position::Position;
use crate::question::Choice;
use crate::terms;
use crate::working::ask;
use alphorn_rules::rules::position::Position as State;
use alphorn_search::game::key_of;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::{Arc, OnceLock};

/// A legal move of a position, or a chance outcome.
#[pyclass(module = "alphorn", frozen)]
pub struct Move {
    pub(crate) core: Arc<GameCore>,
    pub(crate) from: State,
    pub(crate) choice: Choice,
    label: OnceLock<String>,
}

impl Move {
    /// A legal move of a position.
    pub fn new(core: Arc<GameCore>, from: State, choice: Choice) -> Move {
        Move { core, from, choice, label: OnceLock::new() }
    }

    fn label_text(&self, py: Python<'_>) -> PyResult<&str> {
        if let Some(label) = self.label.get() {
            return Ok(label);
        }
        let (core, from, mv) = (self.core.clone(), self.from.clone(), self.choice.0.clone());
        let found = ask(py, &self.core, move |local| core.session.label(&local.game, &from, &mv))?;
        Ok(self.label.get_or_init(|| found))
    }
}

#[pymethods]
impl Move {
    /// The label in the notation of the game; without labels, the position after the move as text.
    #[getter]
    fn label(&self, py: Python<'_>) -> PyResult<&str> {
        self.label_text(py)
    }

    /// The position after the move.
    #[getter]
    fn next(&self) -> Position {
        Position::new(self.core.clone(), self.choice.0.next.clone())
    }

    /// The position before the move.
    #[getter]
    fn position(&self) -> Position {
        Position::new(self.core.clone(), self.from.clone())
    }

    /// The weight of a chance outcome, from 1; None for a move of a player.
    #[getter]
    fn weight(&self) -> Option<u64> {
        self.choice.1
    }

    /// The label as Python objects, such as `("take", 1, 2)`.
    #[getter]
    fn term<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        terms::to_python(py, self.choice.0.label())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<&str> {
        self.label_text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Move {}>", self.label_text(py)?))
    }

    fn __hash__(&self) -> u64 {
        key_of(&(&self.from, self.choice.0.label(), &self.choice.0.next)) as u64
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Move>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let equal = self.choice == other.choice && self.from == other.from && self.core.is_same(&other.core);
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Position, usize))> {
        let py = slf.py();
        static RESTORE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let restore = imported(py, &RESTORE, ("alphorn._alphorn", "_move"))?.clone();
        let this = slf.get();
        let position = this.position();
        let number = position.choices(py)?.iter().position(|choice| *choice == this.choice);
        let number = number.ok_or_else(|| refused(py, "the move is not legal any more", "load the same rules"))?;
        Ok((restore, (position, number)))
    }
}

/// The move with this number, for pickle.
#[pyfunction]
pub fn _move(py: Python<'_>, position: &Bound<'_, Position>, number: usize) -> PyResult<Move> {
    let position = position.get();
    let choice = position.choices(py)?.get(number).cloned();
    let choice = choice.ok_or_else(|| refused(py, format!("there is no move {number}"), "load the same rules"))?;
    Ok(Move::new(position.core.clone(), position.state.clone(), choice))
}
