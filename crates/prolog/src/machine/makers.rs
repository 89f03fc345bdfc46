//! Watches for the goal whose answer first contains a term.
//!
//! A [`Watcher`] that stops the query at the first goal that is called with the term, or answers with it.
//! If the outside query contains the term, only a whole argument in an answer of the user counts. `rules` explains faults with the result.

use crate::machine::watch::{ClauseNumber, GoalPort, PortEvent, Watcher, Worker};
use crate::term::Term;
use crate::term::heap::Heap;
use crate::term::pack::{Packed, pack};
use alphorn_lang::lang::program::{Callee, Program};
use std::sync::Arc;

/// The number of parts of arguments that are compared.
const MOST_PARTS: u64 = 20_000_000;

/// A goal that makes a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TermMaker {
    /// The goal.
    pub callee: Callee,
    /// The argument that contains the term, from 0.
    pub place: usize,
    /// The clause of the user that answers with the term or calls the goal.
    pub clause: ClauseNumber,
    /// Whether the clause belongs to the goal's predicate, and does not call the goal.
    pub answers: bool,
}

/// Looks for the goal that makes a term.
pub struct Makers {
    program: Arc<Program>,
    wanted: Packed,
    /// The goal, once it is found.
    pub found: Option<TermMaker>,
    /// The clause that succeeded last.
    last: Option<ClauseNumber>,
    worker: Worker,
    before: Worker,
    left: u64,
    /// Whether the outside query contains the term.
    given: bool,
    /// The goals that are called with the term, and so do not make it.
    called_with: Vec<Callee>,
}

impl Makers {
    /// Looks for a compound term.
    pub fn of(program: Arc<Program>, wanted: Packed) -> Makers {
        let (worker, before) = (Worker::default(), Worker::default());
        Makers {
            program,
            wanted,
            found: None,
            last: None,
            worker,
            before,
            left: MOST_PARTS,
            given: false,
            called_with: Vec::new(),
        }
    }

    /// Whether a term is the wanted one, or contains it if this counts.
    fn is_in(&mut self, heap: &Heap, term: Term) -> bool {
        let mut stack = vec![term];
        while let Some(term) = stack.pop().filter(|_| self.left > 0) {
            self.left -= 1;
            let Some(functor) = heap.functor(term).filter(|(_, arity)| *arity > 0) else { continue };
            if self.wanted.functor() == Some(functor) {
                let words = self.wanted.as_words().len();
                self.left = self.left.saturating_sub(words as u64);
                if pack(heap, term, words + 1).is_some_and(|own| own == self.wanted) {
                    return true;
                }
            }
            if self.given {
                return false;
            }
            stack.extend(heap.args(term));
        }
        false
    }
}

impl Watcher for Makers {
    fn turn(&mut self, _steps: u64, to: Worker) {
        self.before = std::mem::replace(&mut self.worker, to);
    }

    fn pass(&mut self, passed: PortEvent<'_>) -> bool {
        let own = |callee: Callee| match callee {
            Callee::User(pred) => self.program.is_users(self.program.predicate(pred).key.scope),
            Callee::Native(_) | Callee::Unknown(..) => false,
        };
        let is_own = own(passed.callee);
        if passed.port == GoalPort::Call && passed.depth == 1 {
            self.given = passed.args.iter().any(|arg| self.is_in(&passed.store.heap, *arg));
        }
        if self.given
            && passed.port == GoalPort::Call
            && passed.args.iter().any(|arg| self.is_in(&passed.store.heap, *arg))
        {
            self.called_with.push(passed.callee);
        }
        let clause = match passed.port {
            _ if self.called_with.contains(&passed.callee) => None,
            _ if self.given && !(is_own && passed.port == GoalPort::Exit) => None,
            GoalPort::Call if passed.depth > 1 => {
                if is_own {
                    self.before.own
                } else {
                    self.worker.own
                }
            }
            GoalPort::Exit => {
                if is_own {
                    self.last
                } else {
                    self.worker.own
                }
            }
            _ => None,
        };
        let Some(clause) = clause else { return self.left > 0 };
        let heap = &passed.store.heap;
        if let Some(place) = passed.args.iter().position(|arg| self.is_in(heap, *arg)) {
            let answers = is_own && passed.port == GoalPort::Exit;
            self.found = Some(TermMaker { callee: passed.callee, place, clause, answers });
            return false;
        }
        self.left > 0
    }

    fn clause(&mut self, port: GoalPort, clause: ClauseNumber) {
        if port == GoalPort::Exit {
            self.last = Some(clause);
        }
    }
}
