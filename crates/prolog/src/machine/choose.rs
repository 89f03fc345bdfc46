//! Chooses the solver for a program: the machine, or the reference solver for tests.

use crate::machine::engine::idle::PooledEngine;
use crate::machine::reference::Reference;
use crate::machine::{BuiltinCode, Solver};
use alphorn_lang::lang::program::Program;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Default number of calls after which a procedure is compiled to native code. The number is small in
/// debug builds, so that tests run native code.
const HOT: u32 = if cfg!(debug_assertions) { 3 } else { 256 };

/// Creates a solver for a program; `stop` interrupts any goal. Environment variables choose the
/// solver, so that every test can run on each. `ALPHORN_SOLVER=reference` selects the reference
/// solver. `ALPHORN_NATIVE` is the number of calls after which the machine compiles a procedure to
/// native code; 0 means never.
pub fn solver(program: &Arc<Program>, runs: &Arc<[BuiltinCode]>, stop: &Arc<AtomicBool>) -> Box<dyn Solver> {
    let hot = std::env::var("ALPHORN_NATIVE").ok().and_then(|calls| calls.parse().ok()).unwrap_or(HOT);
    chosen(program, runs, stop, (hot > 0).then_some(hot))
}

/// The solver for a few calls, which end before native code would pay: the machine without native code.
pub fn brief_solver(program: &Arc<Program>, runs: &Arc<[BuiltinCode]>, stop: &Arc<AtomicBool>) -> Box<dyn Solver> {
    chosen(program, runs, stop, None)
}

fn chosen(
    program: &Arc<Program>,
    runs: &Arc<[BuiltinCode]>,
    stop: &Arc<AtomicBool>,
    hot: Option<u32>,
) -> Box<dyn Solver> {
    let (program, runs, stop) = (program.clone(), runs.clone(), stop.clone());
    if std::env::var_os("ALPHORN_SOLVER").is_some_and(|name| name == "reference") {
        return Box::new(Reference::new(program, runs, stop));
    }
    Box::new(PooledEngine::new(program, runs, stop, hot))
}
