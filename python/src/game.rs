//! The Python class `Game`, and the functions that load games.

use crate::batch::Batch;
use crate::bytes;
use crate::errors::{diagnostics, imported, refused};
use crate::loaded::{GameCore, GameSource, Text};
use crate::position::{NO_POSITION, Position, delegate};
use crate::requests::{Run, begin};
use crate::terms;
use crate::working::{ask, run};
use alphorn_rules::rules::{self, position::Position as State};
use alphorn_search::game::{Game as _, GameFacts};
use alphorn_session::session::GameStart;
use alphorn_text::report::Report;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;

/// The rules of a game. A game does not change, and threads may share it.
#[pyclass(module = "alphorn", frozen)]
#[derive(Clone)]
pub struct Game {
    pub(crate) core: Arc<GameCore>,
}

/// What `load` and `loads` are given, in the order of `_load`.
type Parts = (Vec<Text>, Vec<String>, Vec<(String, String)>, Option<u64>, Option<u64>);

fn opened(py: Python<'_>, source: GameSource) -> PyResult<Game> {
    let core = run(py, move |stop, _: &dyn Fn(())| source.load(stop), |()| Ok(()))?;
    Ok(Game { core })
}

/// Loads files of rules; `load` of Python calls it.
#[pyfunction]
#[pyo3(signature = (files, texts, overlays, params, steps, memory))]
pub fn _load(
    py: Python<'_>,
    files: Vec<String>,
    texts: Vec<(String, String)>,
    overlays: Vec<String>,
    params: Vec<(String, String)>,
    steps: Option<u64>,
    memory: Option<u64>,
) -> PyResult<Game> {
    let work = move |stop: &_, _: &dyn Fn(())| {
        let mut source = GameSource { params, steps, memory, ..GameSource::of_files(&files, overlays)? };
        source.texts.extend(texts.into_iter().map(|(name, text)| (name, text, false)));
        source.load(stop)
    };
    Ok(Game { core: run(py, work, |()| Ok(()))? })
}

/// Loads a game that was pickled.
#[pyfunction]
pub fn _restore(py: Python<'_>, parts: Parts) -> PyResult<Game> {
    let (texts, overlay_texts, params, steps, memory) = parts;
    opened(py, GameSource { texts, overlays: Vec::new(), overlay_texts, params, steps, memory })
}

/// The names of the games that come with Alphorn.
#[pyfunction]
pub fn examples() -> Vec<&'static str> {
    rules::examples().into_iter().map(|(name, _)| name).collect()
}

/// The rules of a game that comes with Alphorn; None if there is no such game.
#[pyfunction]
pub fn _example_text(name: &str) -> Option<&'static str> {
    rules::examples().into_iter().find(|(other, _)| *other == name).map(|(_, text)| text)
}

/// Warns of a position, as text, that has not the shape of the game's positions.
pub fn warn_odd(py: Python<'_>, core: &GameCore, text: &str) -> PyResult<()> {
    let Some(problem) = core.session.rules.odd_position(text) else { return Ok(()) };
    let report = Report::new(core.session.rules.program.sources.clone(), vec![problem]);
    delegate!(py, "warn", (diagnostics(&report),), None).map(drop)
}

impl Game {
    fn at(&self, py: Python<'_>, start: GameStart) -> PyResult<Position> {
        let core = self.core.clone();
        let state = ask(py, &self.core, move |local| core.session.position(&local.game, &start))?;
        Ok(Position::new(self.core.clone(), state))
    }
}

#[pymethods]
impl Game {
    /// The first position: that of opening number `opening`, counted from 1.
    ///
    /// Raises Error if there is no such opening or the rules fail.
    #[pyo3(signature = (opening=1))]
    fn initial(&self, py: Python<'_>, opening: usize) -> PyResult<Position> {
        self.at(py, GameStart { opening: Some(opening), ..GameStart::default() })
    }

    /// All openings, at least one. Raises Error if the rules fail.
    fn openings(&self, py: Python<'_>) -> PyResult<Vec<Position>> {
        let core = self.core.clone();
        let states =
            ask(py, &self.core, move |local| local.game.openings().map_err(|fault| core.session.fault(&fault, &[])))?;
        Ok(states.into_iter().map(|state| Position::new(self.core.clone(), state)).collect())
    }

    /// The position of a term, or of the bytes that `bytes(position)` gives.
    ///
    /// Raises TypeError if the object is no term, and Error if the bytes are no position or the position
    /// belongs to another game. Issues a RulesWarning if no position of the game has this shape.
    fn position(&self, term: &Bound<'_, PyAny>) -> PyResult<Position> {
        let py = term.py();
        if let Ok(other) = term.cast::<Position>() {
            let other = other.get();
            if !self.core.is_same(&other.core) {
                return Err(refused(py, "the position belongs to another game", "give its term: position.term"));
            }
            return Ok(Position::new(self.core.clone(), other.state.clone()));
        }
        let packed = match term.cast::<PyBytes>() {
            Ok(data) => bytes::read(data.as_bytes()).ok_or_else(|| refused(py, NO_POSITION, "use bytes(position)"))?,
            Err(_) => terms::from_python(term)?,
        };
        let state = State(packed);
        warn_odd(py, &self.core, &self.core.session.term(&state))?;
        Ok(Position::new(self.core.clone(), state))
    }

    /// The position that a Prolog text describes, such as `"pos(max, [1, 2])"`.
    ///
    /// Raises Error if the text is no ground term. Issues a RulesWarning as `position` does.
    fn parse(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        let position = self.at(py, GameStart { position: Some(text.to_string()), ..GameStart::default() })?;
        warn_odd(py, &self.core, text)?;
        Ok(position)
    }

    /// The position in the game's own notation, such as a FEN in chess.
    ///
    /// Raises Error if the game has no read_position/2, or cannot read the text.
    fn read(&self, py: Python<'_>, text: &str) -> PyResult<Position> {
        self.at(py, GameStart { at: Some(text.to_string()), ..GameStart::default() })
    }

    /// The parameters of the game and their values, as Prolog text.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let params = PyDict::new(py);
        for param in self.core.session.params() {
            params.set_item(param.name, param.value)?;
        }
        Ok(params)
    }

    /// The name: the first file or text that was loaded.
    #[getter]
    fn name(&self) -> &str {
        self.core.source.texts.first().map_or("", |(name, _, _)| name)
    }

    /// Whether the game has chance moves, such as dice.
    #[getter]
    fn has_chance(&self, py: Python<'_>) -> PyResult<bool> {
        self.facts(py).map(|facts| facts.has_chance)
    }

    /// Whether the rules declare that no position occurs twice in a game.
    #[getter]
    fn is_acyclic(&self, py: Python<'_>) -> PyResult<bool> {
        self.facts(py).map(|facts| facts.is_acyclic)
    }

    /// Whether the rules declare that a repeated position is a draw.
    ///
    /// A Position does not know the positions before it, so the caller counts them.
    #[getter]
    fn repetition_is_draw(&self, py: Python<'_>) -> PyResult<bool> {
        self.facts(py).map(|facts| facts.repetition_is_draw)
    }

    /// The least and the greatest number that value_range/2 declares; None without a declaration.
    #[getter]
    fn value_range(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        let core = self.core.clone();
        ask(py, &self.core, move |local| local.game.declared_range().map_err(|fault| core.session.fault(&fault, &[])))
    }

    /// The warnings about the rules, as JSON.
    fn _warnings(&self) -> String {
        diagnostics(&self.core.session.rules.report)
    }

    /// Begins a request: a JSON text.
    fn _begin(&self, py: Python<'_>, request: &str, position: Option<&Bound<'_, Position>>) -> PyResult<Run> {
        begin(py, &self.core, request, position.map(Bound::get))
    }

    /// The positions as a batch of n rows with the column `position` (binary).
    fn batch(&self, positions: &Bound<'_, PyAny>) -> PyResult<Batch> {
        crate::batch::of_positions(&self.core, positions)
    }

    /// The n positions of a batch. Raises Error if a row is no position.
    fn positions(&self, batch: &Bound<'_, PyAny>) -> PyResult<Vec<Position>> {
        crate::batch::to_positions(&self.core, batch)
    }

    /// The positions after every legal move, and after every chance outcome, of n positions.
    ///
    /// One row for each move, in the order of the rows of `batch` and then of the rules. Columns: `row`
    /// (uint64: the row of `batch`, from 0), `label` (string; only with `labels`), `position`
    /// (binary), `weight` (uint64: of a chance outcome, otherwise null). Finished games give no rows.
    /// With `canonical`, the positions are representatives: see `canonical`.
    ///
    /// `threads`: the greatest number of threads (default: all cores).
    /// Raises Error if a row is no position or the rules fail.
    #[pyo3(signature = (batch, *, labels=true, canonical=false, threads=None))]
    fn successors(
        &self,
        batch: &Bound<'_, PyAny>,
        labels: bool,
        canonical: bool,
        threads: Option<usize>,
    ) -> PyResult<Batch> {
        crate::columns::successors(&self.core, batch, (labels, canonical), threads)
    }

    /// The representatives of n positions, up to the symmetries that the rules declare: n rows with the
    /// column `position` (binary). Raises Error if a row is no position or the rules fail.
    #[pyo3(signature = (batch, *, threads=None))]
    fn canonical(&self, batch: &Bound<'_, PyAny>, threads: Option<usize>) -> PyResult<Batch> {
        crate::columns::canonical(&self.core, batch, threads)
    }

    /// Who moves, the evaluation and the winner of n positions: n rows.
    ///
    /// Columns: `to_move` (string: max, min or chance; null if the game is over), `eval` (float64: as
    /// Position.eval), `winner` (string: max, min or draw; null if the game is not over), `points`
    /// (float64: the number in which the game ended; null if it is not over, or ended in a win or a draw).
    #[pyo3(signature = (batch, *, threads=None))]
    fn evaluate(&self, batch: &Bound<'_, PyAny>, threads: Option<usize>) -> PyResult<Batch> {
        crate::columns::evaluate(&self.core, batch, threads)
    }

    /// The mean of `n` random games from each position: one row for each position.
    ///
    /// Columns: `games`, `wins`, `losses`, `unfinished` (uint64: games, and how many MAX won, MIN
    /// won, and were given up), `mean` (float64: the mean value for MAX, a win is worth 1 and a loss -1
    /// if the rules give no range), `standard_error`, `mean_plies` (float64). Equal positions get equal
    /// numbers: those of `alphorn value --algorithm playouts --games n --seed seed`.
    #[pyo3(signature = (batch, n=100, seed=1, *, threads=None))]
    fn playouts(&self, batch: &Bound<'_, PyAny>, n: u64, seed: u64, threads: Option<usize>) -> PyResult<Batch> {
        crate::columns::playouts(&self.core, batch, (n, seed), threads)
    }

    /// The values in a file that `solve(save=path)` or `alphorn solve --save` wrote for this game.
    ///
    /// One row for each position: `position` (binary), `value` (float64, for MAX), `plies` (uint64: to
    /// the end of a win or a number; null without one). Raises Error if the file is none of this game.
    fn saved_values(&self, py: Python<'_>, path: PathBuf) -> PyResult<Batch> {
        crate::columns::saved_values(py, &self.core, path)
    }

    /// Sends any request of the protocol, such as `"stats"`, `"test"` or `"check"`.
    #[pyo3(signature = (name, *, on_event=None, **options))]
    fn request<'py>(
        slf: &Bound<'py, Self>,
        name: &str,
        on_event: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "request", (slf, name, on_event), options)
    }

    /// Proves the value of the first position. See `alphorn solve` for the options.
    ///
    /// `all` solves every position of position/1. `save` is the file for all values, `proof` the file
    /// for a proof. `method` is auto, retrograde, pns, alphabeta or iteration. `time` is in seconds.
    /// The reply has `value` (for MAX), `outcome`, `plies`, `best`, `pv`, `positions` and others.
    ///
    /// Raises Error if the method cannot solve the game, memory is used up, or a file cannot be written.
    #[pyo3(signature = (**options))]
    fn solve<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "solve", (slf,), options)
    }

    /// Plays a match between two settings, such as `{"depth": 4}` or `"--nodes 1000"`.
    ///
    /// `games` is an even number, the file of a record, or both. `on_game` receives each game. The reply
    /// has `wins`, `draws` and `losses` of `a`, `score` (a share of the points from 0 to 1),
    /// `elo` with `elo_low` and `elo_high`, and others.
    ///
    /// Raises Error if a setting is wrong or the rules fail.
    #[pyo3(name = "match", signature = (a, b, *, on_game=None, **options))]
    fn play_match<'py>(
        slf: &Bound<'py, Self>,
        a: Bound<'py, PyAny>,
        b: Bound<'py, PyAny>,
        on_game: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "play_match", (slf, a, b, on_game), options)
    }

    /// Plays a tournament between sides: a dict from names to settings. The reply has their ratings.
    #[pyo3(signature = (sides, *, on_game=None, **options))]
    fn tournament<'py>(
        slf: &Bound<'py, Self>,
        sides: Bound<'py, PyAny>,
        on_game: Option<Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "tournament", (slf, sides, on_game), options)
    }

    /// The answers to a goal: an iterator of dicts from the names of variables to terms.
    ///
    /// `limit` is the greatest number of answers. With `text`, the values are Prolog text.
    /// Raises Error while iterating if the goal raises an error or uses up its budget.
    #[pyo3(signature = (goal, **options))]
    fn query<'py>(
        slf: &Bound<'py, Self>,
        goal: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "query", (slf, goal), options)
    }

    /// Records the tree of a search from the first position. A notebook shows the tree as a picture.
    ///
    /// `depth` is in plies. `max_nodes` positions are kept. `whole` adds moves that were cut off.
    #[pyo3(signature = (**options))]
    fn tree<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        delegate!(slf.py(), "tree", (slf,), options)
    }

    fn __repr__(&self) -> String {
        format!("<Game {}>", self.name())
    }

    fn __hash__(&self) -> u64 {
        self.core.identity as u64
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Game>() else { return Ok(py.NotImplemented()) };
        let equal = self.core.is_same(&other.get().core);
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Parts,))> {
        static RESTORE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let restore = imported(slf.py(), &RESTORE, ("alphorn._alphorn", "_restore"))?.clone();
        let GameSource { texts, overlay_texts, params, steps, memory, .. } = slf.get().core.source.clone();
        Ok((restore, ((texts, overlay_texts, params, steps, memory),)))
    }
}

impl Game {
    fn facts(&self, py: Python<'_>) -> PyResult<GameFacts> {
        ask(py, &self.core, |local| Ok(local.game.facts()))
    }
}

/// The values of an answer as Python objects: the terms of texts, which share their variables.
#[pyfunction]
pub fn _terms<'py>(py: Python<'py>, game: &Bound<'py, Game>, texts: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
    let ops = &game.get().core.session.rules.program.ops;
    match rules::position::term(&format!("[{}]", texts.join(",")), ops) {
        Ok(packed) => terms::to_python(py, &packed),
        Err(problem) => Err(refused(py, problem.message, "ask with text=True")),
    }
}
