//! Which clauses an expectation runs.

use super::Session;
use alphorn_prolog::machine::coverage::Coverage;
use alphorn_prolog::machine::{Query, Solver};
use alphorn_rules::rules::expect::{Claim, StatedClaim};
use alphorn_rules::rules::game::RuleGame;
use std::cell::RefCell;
use std::rc::Rc;

impl Session {
    /// Runs an expectation on a solver that counts the use of the clauses. Ends early if the stop flag is set.
    pub(super) fn coverage_of(&self, stated: &StatedClaim) -> Rc<RefCell<Coverage>> {
        let rules = &self.rules;
        let coverage = Rc::new(RefCell::new(Coverage::new(&rules.program)));
        let (stop, watcher) = (self.stop.clone(), coverage.clone());
        match &stated.claim {
            Claim::Holds(goal) | Claim::Fails(goal) => {
                let reference = rules.reference(&stop);
                let mut solver = reference.keeping_frames().watched(watcher);
                solver.store().host = self.host(None);
                let asked = solver.ask(&Query::Goal(&stated.tree, *goal), self.budgets.goal);
                // Only the clauses count, not the answer.
                let _answer = asked.and_then(|()| solver.next());
            }
            Claim::Perft(..) | Claim::Value(..) | Claim::Best(..) => {
                if let Ok(game) = RuleGame::covered(rules.clone(), self.budgets.game, stop, watcher) {
                    let _holds = self.holds(&game, stated);
                }
            }
        }
        coverage
    }
}
