//! Questions about many positions at once, over Arrow arrays of bytes.
//!
//! Any object with the Arrow PyCapsule interface is a batch: an array of binary values, or a table with the
//! column `position`. The rows are divided among worker threads.

use crate::bytes;
use crate::errors::{raised, refused};
use crate::game::warn_odd;
use crate::loaded::GameCore;
use crate::position::Position;
use crate::working::{Local, Progress, Task, with_solver};
use alphorn_protocol::protocol::host::refusal;
use alphorn_rules::rules::position::Position as State;
use alphorn_search::game::Game as _;
use alphorn_session::session::SessionResult;
use arrow_array::builder::BinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use pyo3_arrow::PyRecordBatch;
use pyo3_arrow::input::AnyArray;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The least number of rows for which a further thread is worth while.
const ROWS_OF_A_THREAD: usize = 16;

/// The greatest number of threads.
const MOST_THREADS: usize = 1024;

/// The bytes that one column may have.
pub const LARGEST: usize = i32::MAX as usize;

/// Columns of equal length, in the memory format Arrow.
#[pyclass(module = "alphorn", frozen)]
pub struct Batch {
    /// The columns.
    pub columns: RecordBatch,
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
pub struct Rows {
    parts: Vec<ArrayRef>,
    /// The number of rows before each part.
    starts: Vec<usize>,
    /// The number of rows.
    pub rows: usize,
}

impl Rows {
    /// The rows of an object that is a batch.
    ///
    /// # Errors
    ///
    /// The object is no batch of bytes.
    pub fn of(batch: &Bound<'_, PyAny>) -> PyResult<Rows> {
        if let Ok(list) = batch.cast::<PyList>() {
            let (mut column, mut all) = (BinaryBuilder::new(), 0);
            for row in list {
                let Ok(bytes) = row.cast::<PyBytes>() else {
                    let message = format!("a batch that is a list has bytes, not {}", row.get_type().name()?);
                    return Err(PyTypeError::new_err(format!("{message}: use game.batch(positions)")));
                };
                all += bytes.as_bytes().len();
                if all > LARGEST {
                    return Err(too_large(batch.py()));
                }
                column.append_value(bytes.as_bytes());
            }
            return Rows::new(vec![Arc::new(column.finish()) as ArrayRef]);
        }
        // The import panics on an array that was taken before.
        let taken = |_| PyValueError::new_err("the array was released: an Arrow capsule gives its array once");
        let (parts, field) = catch_unwind(AssertUnwindSafe(|| batch.extract::<AnyArray>()))
            .map_err(taken)?
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

    /// The bytes of all rows, in their order.
    pub fn each(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.rows).map(|row| self.bytes(row))
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

    /// The position in a row.
    ///
    /// # Errors
    ///
    /// The bytes are no position.
    pub fn state(&self, row: usize) -> SessionResult<State> {
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
pub struct Part<'a> {
    /// The game.
    pub core: &'a GameCore,
    /// The solver of the thread.
    pub local: &'a Local,
    rows: &'a Rows,
    range: Range<usize>,
    /// Set when the work must stop.
    pub stop: &'a AtomicBool,
}

impl<'a> Part<'a> {
    /// All rows.
    pub fn whole(core: &'a GameCore, local: &'a Local, rows: &'a Rows, stop: &'a AtomicBool) -> Part<'a> {
        Part { core, local, rows, range: 0..rows.rows, stop }
    }

    /// The representative of all positions that equal a position up to a symmetry.
    pub fn canonical(&self, state: &State) -> SessionResult<State> {
        self.local.game.canonical(state).map_err(|fault| self.core.session.fault(&fault, &[]))
    }

    /// Asks about every row.
    pub fn each(&self, mut ask: impl FnMut(usize, &State) -> SessionResult<()>) -> SessionResult<()> {
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
pub fn divided(
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
            Ok(Progress::Event(()) | Progress::Taken) => {}
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
pub fn columns(parts: Vec<(&str, ArrayRef, bool)>) -> RecordBatch {
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
