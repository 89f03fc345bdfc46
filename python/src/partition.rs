//! The work of a distributed solution on every position: first positions, successors, and numbers.
//!
//! A hash of the bytes of a position says to which partition the position belongs. `alphorn._retrograde`
//! says which partition does what when, and keeps the files. No Python object is made for a position.

use crate::batch::{Batch, LARGEST, Part, Rows, columns};
use crate::bytes;
use crate::game::Game;
use crate::loaded::GameCore;
use crate::question::{end, evaluation};
use crate::working::{Local, run, with_solver};
use alphorn_protocol::protocol::host::refusal;
use alphorn_rules::rules::position::{Position as State, RuleMove};
use alphorn_search::game::{Game as _, GameResult, Side, ToMove};
use alphorn_session::session::SessionResult;
use arrow_array::builder::{BinaryBuilder, Int8Builder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch};
use foldhash::fast::FixedState;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use twox_hash::XxHash64;

/// The number of positions between two looks at the stop flag.
const LOOK: usize = 4096;

/// The partition of a position. It is the same on every machine.
fn home_of(position: &[u8], partitions: usize) -> usize {
    (XxHash64::oneshot(0, position) % partitions as u64) as usize
}

/// A column of positions, whose bytes are counted.
#[derive(Default)]
struct Positions {
    column: BinaryBuilder,
    bytes: usize,
}

impl Positions {
    fn append(&mut self, position: &[u8]) -> SessionResult<()> {
        self.bytes += position.len();
        if self.bytes > LARGEST {
            return Err(refusal("a partition has positions of more than 2 GiB", "give more partitions"));
        }
        self.column.append_value(position);
        Ok(())
    }

    fn finish(&mut self) -> RecordBatch {
        columns(vec![("position", Arc::new(self.column.finish()) as ArrayRef, false)])
    }
}

fn is_divisible(partitions: usize) -> PyResult<()> {
    match partitions {
        1..=0xffff => Ok(()),
        _ => Err(PyValueError::new_err("partitions is a number from 1 to 65535")),
    }
}

fn batches(parts: Vec<RecordBatch>) -> Vec<Batch> {
    parts.into_iter().map(|columns| Batch { columns }).collect()
}

/// The first positions of a solution by partition, each once, as representatives of their symmetries: the given
/// positions, or those of position/1 without `batch`.
#[pyfunction]
pub fn _roots(game: &Bound<'_, Game>, batch: Option<&Bound<'_, PyAny>>, partitions: usize) -> PyResult<Vec<Batch>> {
    is_divisible(partitions)?;
    let core = game.get().core.clone();
    let rows = batch.map(Rows::of).transpose()?;
    let work = move |stop: &Arc<AtomicBool>, _: &dyn Fn(())| {
        with_solver(&core, stop, |local| {
            let given: Vec<State> = match &rows {
                Some(rows) => (0..rows.rows).map(|row| rows.state(row)).collect::<SessionResult<_>>()?,
                None => enumerated(local, &core)?,
            };
            let canonical = |state: &State| {
                let found = local.game.canonical(state).map_err(|fault| core.session.fault(&fault, &[]))?;
                Ok(bytes::bytes_of(&found.0))
            };
            let mut all = given.iter().map(canonical).collect::<SessionResult<Vec<_>>>()?;
            all.sort_unstable();
            all.dedup();
            let mut homes: Vec<Positions> = (0..partitions).map(|_| Positions::default()).collect();
            all.iter().try_for_each(|position| homes[home_of(position, partitions)].append(position))?;
            Ok(homes.iter_mut().map(Positions::finish).collect())
        })
    };
    run(game.py(), work, |()| Ok(())).map(batches)
}

fn enumerated(local: &Local, core: &GameCore) -> SessionResult<Vec<State>> {
    let found = local.game.positions().map_err(|fault| core.session.fault(&fault, &[]))?;
    found.ok_or_else(|| {
        refusal("the game defines no position/1, which all=True needs", "define position(Pos), or omit all=True")
    })
}

/// Gives numbers to positions. `known` has the positions with numbers, in their order; `met` has positions that
/// may be new. Returns the number of each row of `met`, and the new positions in the order of their numbers.
#[pyfunction]
pub fn _number(py: Python<'_>, known: &Bound<'_, PyAny>, met: &Bound<'_, PyAny>) -> PyResult<(Batch, Batch)> {
    let (known, met) = (Rows::of(known)?, Rows::of(met)?);
    let work = move |stop: &Arc<AtomicBool>, _: &dyn Fn(())| numbered(&known, &met, stop);
    let (numbers, fresh) = run(py, work, |()| Ok(()))?;
    Ok((Batch { columns: numbers }, Batch { columns: fresh }))
}

fn numbered(known: &Rows, met: &Rows, stop: &AtomicBool) -> SessionResult<(RecordBatch, RecordBatch)> {
    if known.rows + met.rows > u32::MAX as usize {
        return Err(refusal("a partition has more than 4294967295 positions", "give more partitions"));
    }
    let look = |row: usize| match row.is_multiple_of(LOOK) && stop.load(Relaxed) {
        true => Err(refusal("interrupted", "call it again")),
        false => Ok(()),
    };
    let mut numbers: HashMap<&[u8], u32, FixedState> =
        HashMap::with_capacity_and_hasher(known.rows, FixedState::default());
    for (row, position) in known.each().enumerate() {
        look(row)?;
        numbers.insert(position, row as u32);
    }
    if numbers.len() < known.rows {
        return Err(refusal(
            "a file of the checkpoint is damaged: a position has two numbers",
            "begin anew in an empty folder",
        ));
    }
    let (mut found, mut fresh) = (UInt32Builder::with_capacity(met.rows), Positions::default());
    for (row, position) in met.each().enumerate() {
        look(row)?;
        let next = numbers.len() as u32;
        found.append_value(match numbers.entry(position) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                fresh.append(position)?;
                *free.insert(next)
            }
        });
    }
    Ok((columns(vec![("number", Arc::new(found.finish()), false)]), fresh.finish()))
}

/// The columns of the positions of a batch, and their edges by partition.
struct Expansion {
    mover: Int8Builder,
    end: Int8Builder,
    left: UInt32Builder,
    source: Vec<UInt32Builder>,
    target: Vec<Positions>,
    /// The successors of one position.
    moves: Vec<RuleMove>,
    /// The bytes of these successors, and the place of each.
    data: Vec<u8>,
    places: Vec<(usize, usize)>,
}

/// Generates the successors of positions. Returns the columns `mover`, `end` and `left` (the number of distinct
/// successors) of the positions, and for each partition the edges to it: `source`, a number counted from `first`,
/// and `position`. A side is 1 for MAX, -1 for MIN, and 0 for neither. Returns None if a game ends in a number.
#[pyfunction]
pub fn _expand(
    game: &Bound<'_, Game>,
    batch: &Bound<'_, PyAny>,
    partitions: usize,
    first: u32,
) -> PyResult<Option<(Batch, Vec<Batch>)>> {
    is_divisible(partitions)?;
    let (core, rows) = (game.get().core.clone(), Rows::of(batch)?);
    if first.checked_add(u32::try_from(rows.rows).map_err(|_| PyValueError::new_err("too many rows"))?).is_none() {
        return Err(PyValueError::new_err("a partition has at most 4294967295 positions"));
    }
    let work = move |stop: &Arc<AtomicBool>, _: &dyn Fn(())| {
        with_solver(&core, stop, |local| {
            let mut found = Expansion::new(partitions);
            let mut numbers = false;
            Part::whole(&core, local, &rows, stop).each(|row, state| {
                numbers = numbers || !found.add(local, &core, (first + row as u32, state))?;
                Ok(())
            })?;
            Ok((!numbers).then(|| found.finish()))
        })
    };
    let found = run(game.py(), work, |()| Ok(()))?;
    Ok(found.map(|(nodes, edges)| (Batch { columns: nodes }, batches(edges))))
}

impl Expansion {
    fn new(partitions: usize) -> Expansion {
        Expansion {
            mover: Int8Builder::new(),
            end: Int8Builder::new(),
            left: UInt32Builder::new(),
            source: (0..partitions).map(|_| UInt32Builder::new()).collect(),
            target: (0..partitions).map(|_| Positions::default()).collect(),
            moves: Vec::new(),
            data: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Adds a position with its number. Returns false if the game ends there in a number other than 0.
    fn add(&mut self, local: &Local, core: &GameCore, (number, state): (u32, &State)) -> SessionResult<bool> {
        let fault = |fault| core.session.fault(&fault, &[]);
        let turn = local.game.to_move(state).map_err(fault)?;
        self.moves.clear();
        self.data.clear();
        self.places.clear();
        let mut winner = None;
        match turn {
            ToMove::Over => match end(local, core, state)? {
                Some((None | Some(GameResult::Points(_)), _)) if evaluation(local, core, state)? != 0.0 => {
                    return Ok(false);
                }
                ending => winner = ending.and_then(|(_, won)| won),
            },
            ToMove::Chance => {
                return Err(refusal("the game has chance moves", "use Game.solve, which computes averages"));
            }
            ToMove::Max | ToMove::Min => local.game.moves(state, &mut self.moves).map_err(fault)?,
        }
        for mv in &self.moves {
            let next = local.game.canonical(&mv.next).map_err(fault)?;
            let begin = self.data.len();
            bytes::write(&next.0, &mut self.data);
            self.places.push((begin, self.data.len()));
        }
        let data = &self.data;
        self.places.sort_unstable_by_key(|(begin, end)| &data[*begin..*end]);
        self.places.dedup_by_key(|(begin, end)| &data[*begin..*end]);
        for (begin, end) in &self.places {
            let next = &data[*begin..*end];
            let home = home_of(next, self.target.len());
            self.target[home].append(next)?;
            self.source[home].append_value(number);
        }
        self.mover.append_value(sign(turn.side()));
        self.end.append_value(sign(winner));
        self.left.append_value(self.places.len() as u32);
        Ok(true)
    }

    fn finish(mut self) -> (RecordBatch, Vec<RecordBatch>) {
        let nodes: Vec<(&str, ArrayRef, bool)> = vec![
            ("mover", Arc::new(self.mover.finish()), false),
            ("end", Arc::new(self.end.finish()), false),
            ("left", Arc::new(self.left.finish()), false),
        ];
        let edges = self.source.iter_mut().zip(&mut self.target).map(|(source, target)| {
            let (source, target) = (Arc::new(source.finish()), Arc::new(target.column.finish()));
            columns(vec![("source", source, false), ("position", target, false)])
        });
        let edges = edges.collect();
        (columns(nodes), edges)
    }
}

fn sign(side: Option<Side>) -> i8 {
    match side {
        Some(Side::Max) => 1,
        Some(Side::Min) => -1,
        None => 0,
    }
}
