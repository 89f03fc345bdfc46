//! Questions about many positions at once, over Arrow arrays of bytes.
//!
//! Any object with the Arrow PyCapsule interface is a batch: an array of binary values, or a table with the
//! column `position`. The rows are divided among worker threads.

use crate::bytes;
use crate::errors::{raised, refused};
use crate::game::{Game, warn_odd};
use crate::loaded::GameCore;
use crate::position::{Position, choices, end, evaluation};
use crate::working::{Local, Progress, Task, run, with_solver};
use alphorn_protocol::protocol::host::refusal;
use alphorn_rules::rules::position::{self, Position as State};
use alphorn_search::game::{Game as _, GameResult, Score, Side, ToMove};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_search::solve::SolvedValue;
use alphorn_session::session::database::Database;
use alphorn_session::session::{SearchOptions, SessionResult};
use arrow_array::builder::{BinaryBuilder, Float64Builder, StringBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3_arrow::PyRecordBatch;
use pyo3_arrow::input::AnyArray;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The least number of rows for which a further thread is worth while.
const ROWS_OF_A_THREAD: usize = 16;

/// The greatest number of threads.
const MOST_THREADS: usize = 1024;

/// The bytes that one column may have.
const LARGEST: usize = i32::MAX as usize;

/// Columns of equal length, in the memory format Arrow.
#[pyclass(module = "alphorn", frozen)]
pub struct Batch {
    columns: RecordBatch,
}

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.columns.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.columns.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.shared(py)?.call_method1("__arrow_c_array__", (requested_schema,))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.shared(py)?.call_method0("__arrow_c_schema__")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = pyo3_arrow::PyTable::try_new(vec![self.columns.clone()], self.columns.schema())?;
        Bound::new(py, table)?.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} rows: {}>", self.columns.num_rows(), self.column_names().join(", "))
    }
}

impl Batch {
    fn shared<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, PyRecordBatch::new(self.columns.clone()))?.into_any())
    }
}

fn wrong(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A column of binary values in several parts.
struct Rows {
    parts: Vec<ArrayRef>,
    /// The number of rows before each part.
    starts: Vec<usize>,
    rows: usize,
}

impl Rows {
    fn of(batch: &Bound<'_, PyAny>) -> PyResult<Rows> {
        if let Ok(list) = batch.cast::<PyList>() {
            let bytes = list.iter().map(|row| row.extract::<Vec<u8>>()).collect::<PyResult<Vec<_>>>()?;
            let mut column = BinaryBuilder::new();
            bytes.iter().for_each(|row| column.append_value(row));
            return Rows::new(vec![Arc::new(column.finish()) as ArrayRef]);
        }
        let (parts, field) = batch
            .extract::<AnyArray>()
            .map_err(|_| {
                let name = batch.get_type().name().map(|name| name.to_string()).unwrap_or_default();
                PyTypeError::new_err(format!(
                    "{name} is no batch: give an Arrow array of bytes, or game.batch(positions)"
                ))
            })?
            .into_chunked_array()
            .map_err(PyErr::from)?
            .into_inner();
        match field.data_type() {
            DataType::Struct(_) => Rows::new(parts.iter().map(position_column).collect::<PyResult<_>>()?),
            _ => Rows::new(parts),
        }
    }

    fn new(parts: Vec<ArrayRef>) -> PyResult<Rows> {
        let (mut starts, mut rows) = (Vec::new(), 0);
        for part in &parts {
            if !matches!(part.data_type(), DataType::Binary | DataType::LargeBinary | DataType::BinaryView) {
                let message = format!("a batch has binary positions, not {}", part.data_type());
                return Err(PyTypeError::new_err(message));
            }
            if part.null_count() > 0 {
                return Err(PyValueError::new_err("a batch has no null positions"));
            }
            starts.push(rows);
            rows += part.len();
        }
        Ok(Rows { parts, starts, rows })
    }

    fn bytes(&self, row: usize) -> &[u8] {
        let number = self.starts.partition_point(|start| *start <= row) - 1;
        let (part, row) = (&self.parts[number], row - self.starts[number]);
        match part.data_type() {
            DataType::LargeBinary => part.as_binary::<i64>().value(row),
            DataType::BinaryView => part.as_binary_view().value(row),
            _ => part.as_binary::<i32>().value(row),
        }
    }

    fn state(&self, row: usize) -> SessionResult<State> {
        bytes::read(self.bytes(row)).map(State).ok_or_else(|| {
            refusal(format!("row {row} of the batch is no position"), "make batches with game.batch(positions)")
        })
    }
}

fn position_column(part: &ArrayRef) -> PyResult<ArrayRef> {
    let table: &StructArray = part.as_struct();
    let column = table.column_by_name("position").cloned();
    column.ok_or_else(|| PyTypeError::new_err("a table that is a batch has the column \"position\""))
}

/// The rows of one thread: what to ask, and whether to stop.
struct Part<'a> {
    core: &'a GameCore,
    local: &'a Local,
    rows: &'a Rows,
    range: Range<usize>,
    stop: &'a AtomicBool,
}

impl Part<'_> {
    /// The representative of all positions that equal a position up to a symmetry.
    fn canonical(&self, state: &State) -> SessionResult<State> {
        self.local.game.canonical(state).map_err(|fault| self.core.session.fault(&fault, &[]))
    }

    /// Asks about every row.
    fn each(&self, mut ask: impl FnMut(usize, &State) -> SessionResult<()>) -> SessionResult<()> {
        for row in self.range.clone() {
            if self.stop.load(Relaxed) {
                return Err(refusal("interrupted", "call it again"));
            }
            ask(row, &self.rows.state(row)?)?;
        }
        Ok(())
    }
}

/// Divides rows among threads, and joins the columns that the threads make.
fn divided(
    py: Python<'_>,
    core: &Arc<GameCore>,
    rows: Rows,
    threads: Option<usize>,
    work: impl Fn(&Part<'_>) -> SessionResult<RecordBatch> + Clone + Send + 'static,
) -> PyResult<Batch> {
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads is a number from 1"));
    }
    if rows.rows > 0 {
        let first = rows.state(0).map_err(|failure| raised(py, &failure))?;
        warn_odd(py, core, &core.session.term(&first))?;
    }
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let most = rows.rows.div_ceil(ROWS_OF_A_THREAD).max(1);
    let threads = threads.unwrap_or_else(cores).min(most).min(MOST_THREADS);
    let rows = Arc::new(rows);
    let begin = |number: usize| {
        let range = rows.rows * number / threads..rows.rows * (number + 1) / threads;
        let (core, rows, work) = (core.clone(), rows.clone(), work.clone());
        Task::begin(py, move |stop: &Arc<AtomicBool>, _: &dyn Fn(())| {
            with_solver(&core, stop, |local| {
                work(&Part { core: &core, local, rows: &rows, range: range.clone(), stop })
            })
        })
    };
    let tasks = (0..threads).map(begin).collect::<PyResult<Vec<Task<(), RecordBatch>>>>()?;
    let mut parts = Vec::with_capacity(threads);
    for task in &tasks {
        match task.next(py) {
            Ok(Progress::Done(part)) => parts.push(part),
            Ok(Progress::Event(())) => {}
            Err(error) => {
                tasks.iter().for_each(Task::stop);
                return Err(error);
            }
        }
    }
    let columns = match parts.as_slice() {
        [part] => part.clone(),
        parts => {
            let largest = |column: usize| parts.iter().map(|part| data_bytes(part.column(column))).sum::<usize>();
            if (0..parts[0].num_columns()).any(|column| largest(column) > LARGEST) {
                return Err(too_large(py));
            }
            concat_batches(&parts[0].schema(), parts).map_err(|error| wrong(&error))?
        }
    };
    Ok(Batch { columns })
}

/// The bytes of the values of a column of texts or bytes; 0 for other columns.
fn data_bytes(column: &ArrayRef) -> usize {
    match column.data_type() {
        DataType::Binary => column.as_binary::<i32>().values().len(),
        DataType::Utf8 => column.as_string::<i32>().values().len(),
        _ => 0,
    }
}

fn too_large(py: Python<'_>) -> PyErr {
    refused(py, "the result has a column of more than 2 GiB", "give a batch with fewer rows")
}

/// Makes columns of names, arrays, and whether null may occur.
fn columns(parts: Vec<(&str, ArrayRef, bool)>) -> RecordBatch {
    let fields: Vec<Field> =
        parts.iter().map(|(name, array, null)| Field::new(*name, array.data_type().clone(), *null)).collect();
    let arrays = parts.into_iter().map(|(_, array, _)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("the columns have equal lengths")
}

/// The positions as a batch with the column `position`.
///
/// # Errors
///
/// An item is no position of the game.
pub fn of_positions(core: &Arc<GameCore>, positions: &Bound<'_, PyAny>) -> PyResult<Batch> {
    let py = positions.py();
    let (mut column, mut data, mut all) = (BinaryBuilder::new(), Vec::new(), 0);
    for item in positions.try_iter()? {
        let item = item?;
        let Ok(position) = item.cast::<Position>() else {
            return Err(PyTypeError::new_err(format!("{} is no Position", item.get_type().name()?)));
        };
        let position = position.get();
        if !core.is_same(&position.core) {
            return Err(refused(py, "a position belongs to another game", "give positions of this game"));
        }
        data.clear();
        bytes::write(&position.state.0, &mut data);
        all += data.len();
        if all > LARGEST {
            return Err(too_large(py));
        }
        column.append_value(&data);
    }
    Ok(Batch { columns: columns(vec![("position", Arc::new(column.finish()), false)]) })
}

/// The positions of a batch.
///
/// # Errors
///
/// A row is no position.
pub fn to_positions(core: &Arc<GameCore>, batch: &Bound<'_, PyAny>) -> PyResult<Vec<Position>> {
    let rows = Rows::of(batch)?;
    let state = |row| rows.state(row).map_err(|failure| raised(batch.py(), &failure));
    (0..rows.rows).map(|row| Ok(Position::new(core.clone(), state(row)?))).collect()
}

/// The successors of every row: `row`, `label`, `position`, `weight`.
///
/// # Errors
///
/// A row is no position, or the rules fail.
pub fn successors(
    core: &Arc<GameCore>,
    batch: &Bound<'_, PyAny>,
    (labels, canonical): (bool, bool),
    threads: Option<usize>,
) -> PyResult<Batch> {
    divided(batch.py(), core, Rows::of(batch)?, threads, move |part| {
        let (mut rows, mut names) = (UInt64Builder::new(), StringBuilder::new());
        let (mut positions, mut weights) = (BinaryBuilder::new(), UInt64Builder::new());
        let (mut data, mut all) = (Vec::new(), 0);
        part.each(|row, state| {
            for (mv, weight) in choices(part.local, part.core, state)?.1 {
                data.clear();
                let next = match canonical {
                    true => part.canonical(&mv.next)?,
                    false => mv.next.clone(),
                };
                bytes::write(&next.0, &mut data);
                let label = match labels {
                    true => part.core.session.label(&part.local.game, state, &mv)?,
                    false => String::new(),
                };
                all += data.len().max(label.len());
                if all > LARGEST {
                    return Err(refusal("the result has a column of more than 2 GiB", "give a batch with fewer rows"));
                }
                rows.append_value(row as u64);
                positions.append_value(&data);
                names.append_value(label);
                weights.append_option(weight);
            }
            Ok(())
        })?;
        let mut made: Vec<(&str, ArrayRef, bool)> = vec![("row", Arc::new(rows.finish()), false)];
        if labels {
            made.push(("label", Arc::new(names.finish()), false));
        }
        made.push(("position", Arc::new(positions.finish()), false));
        made.push(("weight", Arc::new(weights.finish()), true));
        Ok(columns(made))
    })
}

/// The evaluation of every row: `to_move`, `eval`, `winner`, `points`.
///
/// # Errors
///
/// A row is no position, or the rules fail.
pub fn evaluate(core: &Arc<GameCore>, batch: &Bound<'_, PyAny>, threads: Option<usize>) -> PyResult<Batch> {
    divided(batch.py(), core, Rows::of(batch)?, threads, |part| {
        let (mut turns, mut values) = (StringBuilder::new(), Float64Builder::new());
        let (mut winners, mut points) = (StringBuilder::new(), Float64Builder::new());
        part.each(|_, state| {
            let fault = |fault| part.core.session.fault(&fault, &[]);
            turns.append_option(match part.local.game.to_move(state).map_err(fault)? {
                ToMove::Max => Some("max"),
                ToMove::Min => Some("min"),
                ToMove::Chance => Some("chance"),
                ToMove::Over => None,
            });
            let value = evaluation(part.local, part.core, state)?;
            values.append_value(value);
            let ending = end(part.local, part.core, state)?;
            winners.append_option(ending.map(|(_, won)| won.map_or("draw", Side::key)));
            let is_number = matches!(ending, Some((None | Some(GameResult::Points(_)), _)));
            points.append_option(is_number.then_some(value));
            Ok(())
        })?;
        Ok(columns(vec![
            ("to_move", Arc::new(turns.finish()), true),
            ("eval", Arc::new(values.finish()), false),
            ("winner", Arc::new(winners.finish()), true),
            ("points", Arc::new(points.finish()), true),
        ]))
    })
}

/// Random games from every row: `games`, `mean`, `standard_error`, `wins`, `losses`, `unfinished`,
/// `mean_plies`.
///
/// # Errors
///
/// A row is no position, or the rules fail.
pub fn playouts(
    core: &Arc<GameCore>,
    batch: &Bound<'_, PyAny>,
    (games, seed): (u64, u64),
    threads: Option<usize>,
) -> PyResult<Batch> {
    if games == 0 {
        return Err(PyValueError::new_err("n is a number from 1"));
    }
    divided(batch.py(), core, Rows::of(batch)?, threads, move |part| {
        let mut numbers: [UInt64Builder; 4] = std::array::from_fn(|_| UInt64Builder::new());
        let mut means: [Float64Builder; 3] = std::array::from_fn(|_| Float64Builder::new());
        part.each(|_, state| {
            let how = SearchOptions { games, seed: Some(seed), ..Algorithm::Playouts.into() };
            let limits = Limits { stop: Some(part.stop), ..Limits::default() };
            let found = part.core.session.value(&part.local.game, state, &how, &limits)?.outcome;
            let sample = found.sample.filter(|_| !found.stopped);
            let Some((value, sample)) = found.value.zip(sample) else {
                return Err(refusal("interrupted", "call it again"));
            };
            let Some(spread) = sample.spread else { return Err(refusal("the games have no mean", "report this")) };
            let counts = [sample.games, spread.wins, spread.losses, spread.unfinished];
            numbers.iter_mut().zip(counts).for_each(|(column, count)| column.append_value(count));
            let sizes = [value.to_number(), spread.standard_error, spread.mean_plies];
            means.iter_mut().zip(sizes).for_each(|(column, size)| column.append_value(size));
            Ok(())
        })?;
        let [games, wins, losses, unfinished] = numbers.map(|mut column| Arc::new(column.finish()) as ArrayRef);
        let [mean, error, plies] = means.map(|mut column| Arc::new(column.finish()) as ArrayRef);
        Ok(columns(vec![
            ("games", games, false),
            ("mean", mean, false),
            ("standard_error", error, false),
            ("wins", wins, false),
            ("losses", losses, false),
            ("unfinished", unfinished, false),
            ("mean_plies", plies, false),
        ]))
    })
}

/// The representatives of the rows, up to the symmetries of the game: `position`.
///
/// # Errors
///
/// A row is no position, or the rules fail.
pub fn canonical(core: &Arc<GameCore>, batch: &Bound<'_, PyAny>, threads: Option<usize>) -> PyResult<Batch> {
    divided(batch.py(), core, Rows::of(batch)?, threads, |part| {
        let (mut positions, mut data) = (BinaryBuilder::new(), Vec::new());
        part.each(|_, state| {
            data.clear();
            bytes::write(&part.canonical(state)?.0, &mut data);
            positions.append_value(&data);
            Ok(())
        })?;
        Ok(columns(vec![("position", Arc::new(positions.finish()), false)]))
    })
}

/// Writes values of positions to a file, as `alphorn solve --save` does. `plies` has for each row the plies to
/// the end: positive if MAX wins, negative if MIN wins, each plus one; 0 for a draw. `whole`: these are the last
/// values. Returns the number of values.
#[pyfunction]
pub fn _save_values(
    game: &Bound<'_, Game>,
    path: PathBuf,
    batch: &Bound<'_, PyAny>,
    plies: Vec<i64>,
    whole: bool,
) -> PyResult<u64> {
    let (core, rows) = (game.get().core.clone(), Rows::of(batch)?);
    if rows.rows != plies.len() {
        return Err(PyValueError::new_err("there is not one number of plies for each position"));
    }
    let work = move |stop: &Arc<AtomicBool>, _: &dyn Fn(())| {
        let states = (0..rows.rows).map(|row| rows.state(row)).collect::<SessionResult<Vec<State>>>()?;
        let known = |plies: i64| {
            let distance = u32::try_from(plies.unsigned_abs().saturating_sub(1)).unwrap_or(u32::MAX);
            match plies {
                0 => SolvedValue { score: Score::Value(0.0), plies: None },
                1.. => SolvedValue { score: Score::Win { plies: distance }, plies: Some(distance) },
                _ => SolvedValue { score: Score::Loss { plies: distance }, plies: Some(distance) },
            }
        };
        let mut values = states.into_iter().zip(plies.iter().map(|plies| known(*plies)));
        Database::save_values(&core.session, &path, &mut values, whole, Some(stop))
    };
    run(batch.py(), work, |()| Ok(()))
}

/// The values in a file that `alphorn solve --save` wrote for a game: `position`, `value`, `plies`.
///
/// # Errors
///
/// The file cannot be read, or belongs to another game.
pub fn saved_values(py: Python<'_>, core: &Arc<GameCore>, path: PathBuf) -> PyResult<Batch> {
    let core = core.clone();
    let work = move |stop: &Arc<AtomicBool>, _: &dyn Fn(())| {
        let database = Database::open(&core.session, &path)?;
        let (mut positions, mut values) = (BinaryBuilder::new(), Float64Builder::new());
        let (mut plies, mut data, mut all) = (UInt64Builder::new(), Vec::new(), 0);
        let ops = &core.session.rules.program.ops;
        database.each_value(&core.session, &mut |text, known| {
            let packed =
                position::term(text, ops).map_err(|problem| refusal(problem.message, "write the file anew"))?;
            data.clear();
            bytes::write(&packed, &mut data);
            all += data.len();
            if stop.load(Relaxed) || all > LARGEST {
                return Err(refusal("the file has positions of more than 2 GiB", "read values with value(table=...)"));
            }
            positions.append_value(&data);
            values.append_value(known.score.to_number());
            plies.append_option(known.plies.map(u64::from));
            Ok(())
        })?;
        Ok(columns(vec![
            ("position", Arc::new(positions.finish()), false),
            ("value", Arc::new(values.finish()), false),
            ("plies", Arc::new(plies.finish()), true),
        ]))
    };
    Ok(Batch { columns: run(py, work, |()| Ok(()))? })
}
