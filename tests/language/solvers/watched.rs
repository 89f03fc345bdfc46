//! Tests that counting the ports of a solver does not change a run, and that the counts are consistent.
//!
//! The input is random programs. Each goal runs on the reference solver without and with counting. The counts
//! are checked after every answer and at the end.

use super::*;
use alphorn::machine::tally::{CallCounts, Tally as Ports};
use std::cell::RefCell;
use std::rc::Rc;

/// The reference solver with counted ports, from goal to goal.
struct Counting {
    inner: Reference,
    ports: Rc<RefCell<Ports>>,
}

impl Counting {
    fn check(&mut self) {
        let steps = self.inner.store().steps;
        let ports = self.ports.borrow();
        let rows = || ports.predicates.iter().chain(ports.builtins.values());
        let sum: u64 = rows().map(|row| row.work.steps).sum();
        assert_eq!(sum + ports.goal.steps, steps, "the steps of all predicates are all steps");
        assert_eq!(ports.all().steps, steps, "the steps of all questions are all steps");
        let clauses: u64 = ports.clauses.iter().map(|row| row.work.steps).sum();
        assert!(clauses <= steps, "clauses take no steps that nobody took");
        let balanced = |row: &CallCounts| {
            let (ins, outs) = (row.ports.calls + row.ports.redos, row.ports.exits + row.ports.fails);
            ins == outs + row.ports.exceptions
        };
        for row in rows().chain(&ports.clauses) {
            assert!(balanced(row), "who goes in comes out: {row:?}");
        }
    }
}

impl Solver for Counting {
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault> {
        self.ports.borrow_mut().clear();
        self.inner.ask(ask, budget)
    }

    fn next(&mut self) -> Result<bool, Fault> {
        let found = self.inner.next();
        self.check();
        found
    }

    fn has_alternatives(&self) -> bool {
        self.inner.has_alternatives()
    }

    fn answer(&self) -> &[Term] {
        self.inner.answer()
    }

    fn store(&mut self) -> &mut Store {
        self.inner.store()
    }
}

fn watched(loaded: &Loaded) -> Pair {
    let inner = Reference::new(loaded.program.clone(), loaded.runs.clone(), Arc::default());
    let ports = Rc::new(RefCell::new(Ports::new(&loaded.program)));
    // A solver that is watched keeps no tables.
    (Box::new(WithoutTables::new(loaded)), Box::new(Counting { inner: inner.watched(ports.clone()), ports }))
}

#[test]
fn random_programs_have_the_same_runs_where_they_are_watched() {
    // Counting takes several times as long.
    let (seed, programs) = (number("ALPHORN_SEED", SEED), number("ALPHORN_PROGRAMS", PROGRAMS) / 10);
    let tally = Tally::default();
    let failed = run_all(&watched, seed, programs.max(1), 3, &Kinds::but(&[]), &tally);
    assert!(failed.is_empty(), "{} programs differ\n\n{}", failed.len(), failed.join("\n\n"));
}
