//! A pool of idle engines, with the code that they have compiled.
//!
//! A dropped engine is reused for goals of the same program in the same thread. So at a prompt, every
//! search but the first finds its rules compiled. An engine is dropped if only the pool holds its
//! program.

use crate::machine::engine::{Engine, EngineState};
use crate::machine::fault::Fault;
use crate::machine::store::{Budget, Store};
use crate::machine::tables::Tables;
use crate::machine::{BuiltinCode, LivePlace, Query, Solver};
use crate::term::Term;
use alphorn_lang::lang::program::{PredId, Program};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Engines kept in a thread, enough for the goals, searches and reloads of a prompt.
const MOST: usize = 4;

thread_local! {
    static IDLE: RefCell<Vec<(Engine, Option<u32>)>> = const { RefCell::new(Vec::new()) };
}

/// An engine that returns to the pool when it is dropped.
pub struct PooledEngine {
    /// The engine; `None` only after the drop.
    engine: Option<Engine>,
    hot: Option<u32>,
}

impl PooledEngine {
    /// Takes an idle engine, or creates one; see [`Engine::new`].
    pub fn new(
        program: Arc<Program>,
        runs: Arc<[BuiltinCode]>,
        stop: Arc<AtomicBool>,
        hot: Option<u32>,
    ) -> PooledEngine {
        let idle = IDLE.with_borrow_mut(|idle| {
            let fits = |(engine, other): &(Engine, Option<u32>)| {
                let library = &engine.library;
                Arc::ptr_eq(&library.program, &program) && Arc::ptr_eq(&library.runs, &runs) && *other == hot
            };
            let found = idle.iter().position(fits).map(|at| idle.remove(at).0);
            drop_orphans(idle);
            found
        });
        let engine = match idle {
            Some(mut engine) => {
                engine.store.serve(stop.clone());
                engine.stop = stop;
                engine
            }
            None => Engine::new(program, runs, stop, hot),
        };
        PooledEngine { engine: Some(engine), hot }
    }

    fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("it is there until it is dropped")
    }

    fn engine_mut(&mut self) -> &mut Engine {
        self.engine.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for PooledEngine {
    fn drop(&mut self) {
        // An engine is not reused after a panic.
        let Some(mut engine) =
            self.engine.take().filter(|engine| !std::thread::panicking() && engine.fallback.is_none())
        else {
            return;
        };
        engine.rest();
        // At the end of the thread the pool no longer exists.
        _ = IDLE.try_with(|idle| {
            let mut idle = idle.borrow_mut();
            idle.push((engine, self.hot));
            drop_orphans(&mut idle);
            if idle.len() > MOST {
                idle.remove(0);
            }
        });
    }
}

/// Drops engines of programs that only pooled engines hold.
fn drop_orphans(idle: &mut Vec<(Engine, Option<u32>)>) {
    let programs: Vec<Arc<Program>> = idle.iter().map(|(engine, _)| engine.library.program.clone()).collect();
    idle.retain(|(engine, _)| {
        let program = &engine.library.program;
        let own = programs.iter().filter(|other| Arc::ptr_eq(other, program)).count();
        Arc::strong_count(program) > 2 * own
    });
}

impl Engine {
    /// Drops all state but the code.
    fn rest(&mut self) {
        self.state = EngineState::Over;
        self.reset(Budget { steps: 0, memory: u64::MAX });
        self.store.host = None;
        (self.tables, self.kept) = (Tables::default(), None);
        self.shrink();
    }
}

impl Solver for PooledEngine {
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault> {
        self.engine_mut().ask(ask, budget)
    }

    fn first(&mut self, ask: &Query<'_>, budget: Budget) -> Result<bool, Fault> {
        self.engine_mut().first(ask, budget)
    }

    fn next(&mut self) -> Result<bool, Fault> {
        self.engine_mut().next()
    }

    fn has_alternatives(&self) -> bool {
        self.engine().has_alternatives()
    }

    fn answers_ground(&self) -> bool {
        self.engine().answers_ground()
    }

    fn answer(&self) -> &[Term] {
        self.engine().answer()
    }

    fn keep(&mut self, list: Term) -> Option<usize> {
        self.engine_mut().keep(list)
    }

    fn kept(&self, level: usize) -> &[Term] {
        self.engine().kept(level)
    }

    fn first_about(
        &mut self,
        pred: PredId,
        at: LivePlace,
        outputs: usize,
        budget: Budget,
    ) -> Result<Option<bool>, Fault> {
        self.engine_mut().first_about(pred, at, outputs, budget)
    }

    fn store(&mut self) -> &mut Store {
        self.engine_mut().store()
    }
}
