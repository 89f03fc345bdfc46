//! The questions about many positions: what each asks about a row, and the columns of its answers.

use crate::batch::{Batch, LARGEST, Rows, columns, divided};
use crate::bytes;
use crate::game::Game;
use crate::loaded::GameCore;
use crate::question::{choices, end, evaluation};
use crate::working::run;
use alphorn_protocol::protocol::host::refusal;
use alphorn_rules::rules::position::{self, Position as State};
use alphorn_search::game::{Game as _, GameResult, Score, Side, ToMove};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_search::solve::SolvedValue;
use alphorn_session::session::database::Database;
use alphorn_session::session::{SearchOptions, SessionResult};
use arrow_array::ArrayRef;
use arrow_array::builder::{BinaryBuilder, Float64Builder, StringBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::PyArray;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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

/// Writes values of positions to a file, as `alphorn solve --save` does. `plies` has for each row an int32, the
/// plies to the end: positive if MAX wins, negative if MIN wins, each plus one; 0 for a draw. `whole`: these are the last
/// values. Returns the number of values.
#[pyfunction]
pub fn _save_values(
    game: &Bound<'_, Game>,
    path: PathBuf,
    batch: &Bound<'_, PyAny>,
    plies: PyArray,
    whole: bool,
) -> PyResult<u64> {
    let (core, rows) = (game.get().core.clone(), Rows::of(batch)?);
    let Some(plies) = plies.array().as_primitive_opt::<Int32Type>().cloned() else {
        return Err(PyTypeError::new_err("plies is an Arrow array of int32"));
    };
    if rows.rows != plies.len() {
        return Err(PyValueError::new_err("there is not one number of plies for each position"));
    }
    let work = move |stop: &Arc<AtomicBool>, _: &dyn Fn(())| {
        let states = (0..rows.rows).map(|row| rows.state(row)).collect::<SessionResult<Vec<State>>>()?;
        let known = |plies: i32| {
            let distance = plies.unsigned_abs().saturating_sub(1);
            match plies {
                0 => SolvedValue { score: Score::Value(0.0), plies: None },
                1.. => SolvedValue { score: Score::Win { plies: distance }, plies: Some(distance) },
                _ => SolvedValue { score: Score::Loss { plies: distance }, plies: Some(distance) },
            }
        };
        let mut values = states.into_iter().zip(plies.values().iter().map(|plies| known(*plies)));
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
