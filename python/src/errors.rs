//! Converts failures of the library to Python exceptions.
//!
//! The exception class is Python code (`alphorn._errors.Error`). It carries the diagnostics as a list,
//! and its text is the drawing of the command line.

use alphorn::cli;
use alphorn_protocol::protocol::data::Diagnostic;
use alphorn_protocol::protocol::host::refusal;
use alphorn_session::session::Failure;
use alphorn_text::report::Report;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

/// A class or function of a Python module of the package, which is imported at its first use.
pub fn imported<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    (module, name): (&str, &str),
) -> PyResult<&'py Bound<'py, PyAny>> {
    let found = cell.get_or_try_init(py, || Ok::<_, PyErr>(py.import(module)?.getattr(name)?.unbind()))?;
    Ok(found.bind(py))
}

/// The JSON text of diagnostics.
pub fn diagnostics(report: &Report) -> String {
    serde_json::to_string(&Diagnostic::all(report)).unwrap_or_default()
}

/// The exception for a failure.
pub fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    static ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = match imported(py, &ERROR, ("alphorn._errors", "Error")) {
        Ok(class) => class,
        Err(error) => return error,
    };
    let text = cli::drawn(failure);
    let arguments = (PyString::new(py, text.trim_end()), diagnostics(&failure.report()));
    match class.cast::<PyType>() {
        Ok(class) => PyErr::from_type(class.clone(), (arguments.0.unbind(), arguments.1)),
        Err(error) => error.into(),
    }
}

/// The exception for a request that cannot be carried out, with a help.
pub fn refused(py: Python<'_>, message: impl Into<String>, help: impl Into<String>) -> PyErr {
    raised(py, &refusal(message, help))
}
