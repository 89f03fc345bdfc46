//! Converts terms to Python objects and back.
//!
//! An atom is a `str`, a list a `list`, an integer an `int`, a float a `float`. A compound term is a tuple
//! of its name and its arguments. A Prolog string is an `alphorn.String`, a variable an `alphorn.Var`. All
//! walks are loops, because terms may be deep.

use crate::errors::imported;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, pack, unpack};
use alphorn_text::symbol::atoms;
use num_bigint::BigInt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};

/// The greatest size of a term that comes from Python, in words and in objects.
const LARGEST: usize = 1 << 24;

/// A step of a walk over a term.
enum ToPython {
    Visit(Term),
    List(usize),
    /// A compound term with this many arguments; its name comes before them.
    Compound(usize),
}

fn class<'py>(py: Python<'py>, name: &'static str) -> PyResult<&'py Bound<'py, PyAny>> {
    static STRING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static VAR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let cell = if name == "String" { &STRING } else { &VAR };
    imported(py, cell, ("alphorn._terms", name))
}

/// A packed term as a Python object.
///
/// # Errors
///
/// Python has no memory left.
pub fn to_python<'py>(py: Python<'py>, packed: &Packed) -> PyResult<Bound<'py, PyAny>> {
    let mut heap = Heap::default();
    let root = unpack(&mut heap, packed);
    let mut steps = vec![ToPython::Visit(root)];
    let mut made: Vec<Bound<'py, PyAny>> = Vec::new();
    let mut variables = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            ToPython::Visit(term) => visit(py, &heap, term, &mut variables, (&mut steps, &mut made))?,
            ToPython::List(length) => {
                let items = made.split_off(made.len() - length);
                made.push(PyList::new(py, items)?.into_any());
            }
            ToPython::Compound(arity) => {
                let parts = made.split_off(made.len() - arity - 1);
                made.push(PyTuple::new(py, parts)?.into_any());
            }
        }
    }
    Ok(made.pop().expect("the root was made"))
}

fn visit<'py>(
    py: Python<'py>,
    heap: &Heap,
    term: Term,
    variables: &mut Vec<usize>,
    (steps, made): (&mut Vec<ToPython>, &mut Vec<Bound<'py, PyAny>>),
) -> PyResult<()> {
    made.push(match heap.view(term) {
        TermView::Var(at) => {
            // Variables have numbers in the order of their occurrence, as in printed answers.
            let known = variables.iter().position(|other| *other == at);
            let number = known.unwrap_or_else(|| {
                variables.push(at);
                variables.len() - 1
            });
            class(py, "Var")?.call1((format!("_{}", number + 1),))?
        }
        TermView::Atom(name) if name == atoms::NIL => PyList::empty(py).into_any(),
        TermView::Atom(name) => PyString::new(py, &name.name()).into_any(),
        TermView::Int(number) => number.into_pyobject(py)?.into_any(),
        TermView::Float(number) => PyFloat::new(py, number).into_any(),
        TermView::Big(negative, words) => heap.big_of(negative, words).into_pyobject(py)?.into_any(),
        TermView::Text(length, words) => class(py, "String")?.call1((heap.text_of(length, words),))?,
        TermView::Compound(name, _) => {
            let (items, rest) = heap.elements(term);
            if !items.is_empty() && heap.is_nil(rest) {
                steps.push(ToPython::List(items.len()));
                steps.extend(items.into_iter().rev().map(ToPython::Visit));
                return Ok(());
            }
            let args = heap.args(term);
            steps.push(ToPython::Compound(args.len()));
            steps.extend(args.into_iter().rev().map(ToPython::Visit));
            PyString::new(py, &name.name()).into_any()
        }
    });
    Ok(())
}

/// A step of a walk over a Python object.
enum FromPython<'py> {
    Visit(Bound<'py, PyAny>),
    List(usize),
    Compound(String, usize),
}

/// The ground term of a Python object.
///
/// # Errors
///
/// The object is no term, or too large.
pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Packed> {
    let mut heap = Heap::default();
    let mut steps = vec![FromPython::Visit(object.clone())];
    let mut made: Vec<Term> = Vec::new();
    let mut left = LARGEST;
    while let Some(step) = steps.pop() {
        left = left.checked_sub(1).ok_or_else(too_large)?;
        match step {
            FromPython::Visit(object) => read(&object, &mut heap, &mut steps, &mut made)?,
            FromPython::List(length) => {
                let items = made.split_off(made.len() - length);
                made.push(heap.list(&items, Term::atom(atoms::NIL)));
            }
            FromPython::Compound(name, arity) => {
                let args = made.split_off(made.len() - arity);
                let name = heap.atom(&name).as_atom().expect("it is an atom");
                made.push(heap.structure(name, &args));
            }
        }
    }
    pack(&heap, made.pop().expect("the root was made"), LARGEST).ok_or_else(too_large)
}

fn too_large() -> PyErr {
    PyValueError::new_err("the term is too large")
}

fn read<'py>(
    object: &Bound<'py, PyAny>,
    heap: &mut Heap,
    steps: &mut Vec<FromPython<'py>>,
    made: &mut Vec<Term>,
) -> PyResult<()> {
    if let Ok(text) = object.cast::<PyString>() {
        let text_class = class(object.py(), "String")?;
        let is_text = object.is_instance(text_class)?;
        let text = text.to_cow()?;
        made.push(if is_text { heap.text(&text) } else { heap.atom(&text) });
    } else if object.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("a term has no bool; write \"true\" or \"false\""));
    } else if let Ok(number) = object.cast::<PyInt>() {
        let number: BigInt = number.extract()?;
        made.push(heap.big(&number));
    } else if let Ok(number) = object.cast::<PyFloat>() {
        let number: f64 = number.extract()?;
        if number.is_nan() {
            return Err(PyValueError::new_err("a term has no NaN"));
        }
        made.push(heap.float(number));
    } else if let Ok(items) = object.cast::<PyList>() {
        steps.push(FromPython::List(items.len()));
        steps.extend(items.iter().rev().map(FromPython::Visit));
    } else if let Ok(parts) = object.cast::<PyTuple>() {
        let name = parts.get_item(0).ok().and_then(|name| name.cast_into::<PyString>().ok());
        let Some(name) = name.filter(|_| parts.len() > 1) else {
            return Err(PyTypeError::new_err(
                "a compound term is a tuple of its name and its arguments, such as (\"pos\", \"max\", [1, 2])",
            ));
        };
        steps.push(FromPython::Compound(name.to_cow()?.into_owned(), parts.len() - 1));
        steps.extend(parts.iter().skip(1).collect::<Vec<_>>().into_iter().rev().map(FromPython::Visit));
    } else {
        let name = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{name} is no term: a term is a str, an int, a float, a list or a tuple"
        )));
    }
    Ok(())
}
