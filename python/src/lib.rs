//! The module `alphorn._alphorn`: what the Python package `alphorn` has from the Rust library.
//!
//! `game`, `position` and `moves` hold the classes, `batch` and `columns` the questions about many positions,
//! `partition` the work of distributed solutions, and `requests` the requests of the protocol. `working` runs all work without the interpreter lock. Python code in
//! `python/alphorn` completes the classes.

mod batch;
mod bytes;
mod columns;
mod errors;
mod game;
mod loaded;
mod moves;
mod partition;
mod position;
mod program;
mod question;
mod requests;
mod terms;
mod working;

use pyo3::prelude::*;

/// The compiled part of the package `alphorn`.
#[pymodule]
fn _alphorn(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<requests::Run>()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(game::_load, module)?)?;
    module.add_function(wrap_pyfunction!(game::_restore, module)?)?;
    module.add_function(wrap_pyfunction!(game::_example_text, module)?)?;
    module.add_function(wrap_pyfunction!(game::_terms, module)?)?;
    module.add_function(wrap_pyfunction!(game::examples, module)?)?;
    module.add_function(wrap_pyfunction!(columns::_save_values, module)?)?;
    module.add_function(wrap_pyfunction!(partition::_roots, module)?)?;
    module.add_function(wrap_pyfunction!(partition::_number, module)?)?;
    module.add_function(wrap_pyfunction!(partition::_expand, module)?)?;
    module.add_function(wrap_pyfunction!(position::_position, module)?)?;
    module.add_function(wrap_pyfunction!(moves::_move, module)?)?;
    module.add_function(wrap_pyfunction!(program::_main, module)?)?;
    module.add_function(wrap_pyfunction!(working::after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(working::at_exit, module)?)
}
