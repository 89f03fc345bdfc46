//! Calls the predicates of a game as goals.
//!
//! A [`RuleQuery`] names a predicate and its arguments. An [`QueryRunner`] runs it and returns the
//! answers, packed or as the caller reads them, or a [`RuleFault`]. An answer that is not ground is
//! a fault. The caller decides what each predicate means.

use crate::rules::answer::length;
use crate::rules::fault::{FaultKind, RuleFault, holds_atoms, size, text};
use crate::rules::position::Position;
use alphorn_lang::lang::program::{Clause, PredId, Program};
use alphorn_prolog::machine::fault::{Cause, Fault};
use alphorn_prolog::machine::store::{Budget, Store};
use alphorn_prolog::machine::{LivePlace, Query, Solver};
use alphorn_prolog::term::Term;
use alphorn_prolog::term::build::build;
use alphorn_prolog::term::heap::TermView;
use alphorn_prolog::term::pack::{Packed, Packer, live_bytes, unpack};
use alphorn_text::code::Code;
use alphorn_text::source::Span;
use std::cell::{Cell, RefCell, RefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of a question: a value, or a fault of the rules.
pub(super) type RuleResult<T> = Result<T, RuleFault>;

/// A call of one predicate of the rules.
#[derive(Clone, Copy)]
pub(super) struct RuleQuery<'a> {
    /// The purpose of the call for diagnostics, such as `generating the moves`.
    pub(super) doing: &'static str,
    pub(super) pred: PredId,
    /// The given arguments; `None` is an output argument.
    pub(super) args: &'a [Option<&'a Packed>],
    /// The position of the call, for diagnostics.
    pub(super) position: Option<&'a Position>,
}

/// Runs questions to the rules of one program. Each question has the same budget.
pub(super) struct QueryRunner {
    pub(super) program: Arc<Program>,
    solver: RefCell<Box<dyn Solver>>,
    budget: Cell<Budget>,
    pub(super) stop: Arc<AtomicBool>,
    /// A buffer for packed terms.
    packer: RefCell<Packer>,
    /// The number of questions so far.
    asked: Cell<u64>,
}

impl From<Fault> for FaultKind {
    fn from(fault: Fault) -> FaultKind {
        FaultKind::Machine(fault)
    }
}

/// The fault for packed terms that take more memory than the budget.
#[cold]
fn kept_too_much(memory: u64) -> FaultKind {
    // Then the usual message says what to do about the atoms.
    if holds_atoms(memory) {
        return Fault::from(Cause::Memory(memory)).into();
    }
    let message = format!("the positions and answers that are kept take more than {} of memory", size(memory));
    FaultKind::Answer(
        Code::TooMuchMemory,
        message,
        "allow more with --memory BYTES, such as --memory 4G; or write smaller positions".to_string(),
    )
}

impl QueryRunner {
    pub(super) fn new(
        program: Arc<Program>,
        solver: Box<dyn Solver>,
        budget: Budget,
        stop: Arc<AtomicBool>,
    ) -> QueryRunner {
        let (solver, budget) = (RefCell::new(solver), Cell::new(budget));
        QueryRunner { program, solver, budget, stop, packer: RefCell::default(), asked: Cell::new(0) }
    }

    /// Calls `read` for up to `limit` answers. Returns the number of answers.
    #[inline]
    pub(super) fn each(
        &self,
        question: RuleQuery<'_>,
        limit: usize,
        mut read: impl FnMut(&mut dyn Solver) -> Result<(), FaultKind>,
    ) -> RuleResult<usize> {
        self.asked.set(self.asked.get() + 1);
        let mut count = 0;
        let mut run = || -> Result<(), FaultKind> {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Fault::from(Cause::Stopped).into());
            }
            self.check_live_memory()?;
            let solver = &mut **self.solver.borrow_mut();
            let mut found = solver.first(&Query::Call(question.pred, question.args), self.budget.get())?;
            while found {
                read(solver)?;
                count += 1;
                self.check_live_memory()?;
                found = count < limit && solver.next()?;
            }
            Ok(())
        };
        match run() {
            Ok(()) => Ok(count),
            Err(wrong) => Err(self.traced(question, wrong, count)),
        }
    }

    /// Runs `ask` with `times` as many steps in the budget of each question.
    pub(super) fn patiently<T>(&self, times: u64, ask: impl FnOnce(&QueryRunner) -> T) -> T {
        let budget = self.budget.get();
        self.budget.set(Budget { steps: budget.steps.saturating_mul(times), ..budget });
        let asked = ask(self);
        self.budget.set(budget);
        asked
    }

    /// The number of questions so far, which identifies the last question.
    #[inline]
    pub(super) fn asked(&self) -> u64 {
        self.asked.get()
    }

    /// The first answer to a question about a live position, as `read` returns it; `Some(None)` if there is
    /// none. `None` after a fault, and if the question cannot be asked so.
    #[inline]
    pub(super) fn live<T>(
        &self,
        pred: PredId,
        at: LivePlace,
        outputs: usize,
        read: impl FnOnce(&mut dyn Solver) -> Option<T>,
    ) -> Option<Option<T>> {
        self.asked.set(self.asked.get() + 1);
        let budget = self.budget.get();
        if self.stop.load(Ordering::Relaxed) || live_bytes() > budget.memory {
            return None;
        }
        let solver = &mut **self.solver.borrow_mut();
        match solver.first_about(pred, at, outputs, budget) {
            Ok(Some(true)) => Some(read(solver)),
            Ok(Some(false)) => Some(None),
            _ => None,
        }
    }

    /// Packs the elements of a list of live positions.
    pub(super) fn pack_live(&self, level: usize) -> RuleResult<Vec<Position>> {
        let mut packer = self.packer();
        let solver = &mut **self.solver.borrow_mut();
        for number in 0..solver.kept(level).len() {
            let term = solver.kept(level)[number];
            let store = solver.store();
            let limit = store.words_left();
            if packer.add(&store.heap, term, limit).is_none() {
                let wrong = store.unpackable(term).into();
                return Err(RuleFault {
                    doing: "keeping the moves",
                    position: None,
                    span: None,
                    atoms: false,
                    maker: None,
                    wrong,
                });
            }
        }
        Ok(packer.finish().map(Position).collect())
    }

    /// Reads the last answer again.
    pub(super) fn last<T>(&self, read: impl FnOnce(&mut dyn Solver) -> T) -> T {
        read(&mut **self.solver.borrow_mut())
    }

    /// Returns a fault if all packed terms together exceed the memory of the budget.
    #[inline]
    fn check_live_memory(&self) -> Result<(), FaultKind> {
        let memory = self.budget.get().memory;
        if live_bytes() > memory { Err(kept_too_much(memory)) } else { Ok(()) }
    }

    /// The first answer, as `read` returns it.
    #[inline]
    pub(super) fn first<T>(
        &self,
        question: RuleQuery<'_>,
        read: impl Fn(&mut dyn Solver) -> Result<T, FaultKind>,
    ) -> RuleResult<Option<T>> {
        let mut found = None;
        self.each(question, 1, |solver| {
            found = Some(read(solver)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Whether the question has an answer.
    #[inline]
    pub(super) fn holds(&self, question: RuleQuery<'_>) -> RuleResult<bool> {
        Ok(self.each(question, 1, |_| Ok(()))? > 0)
    }

    /// Packs up to `limit` answers, all terms of one answer before those of the next.
    pub(super) fn terms(&self, question: RuleQuery<'_>, limit: usize) -> RuleResult<RefMut<'_, Packer>> {
        let mut packer = self.packer();
        self.each(question, limit, |solver| {
            (0..solver.answer().len()).try_for_each(|at| {
                let value = solver.answer()[at];
                self.add(&mut packer, solver, value, question.pred)
            })
        })?;
        Ok(packer)
    }

    /// The term of the first answer.
    pub(super) fn term(&self, question: RuleQuery<'_>) -> RuleResult<Option<Packed>> {
        Ok(self.terms(question, 1)?.finish().next())
    }

    /// The shared packer, emptied.
    pub(super) fn packer(&self) -> RefMut<'_, Packer> {
        let mut packer = self.packer.borrow_mut();
        packer.clear();
        packer
    }

    /// Packs one more term of an answer.
    pub(super) fn add(
        &self,
        packer: &mut Packer,
        solver: &mut dyn Solver,
        value: Term,
        pred: PredId,
    ) -> Result<(), FaultKind> {
        let store = solver.store();
        let limit = store.words_left();
        match packer.add(&store.heap, value, limit) {
            Some(true) => Ok(()),
            Some(false) => Err(self.open(packer, pred)),
            None => Err(store.unpackable(value).into()),
        }
    }

    /// Packs the elements of a list of moves.
    pub(super) fn add_all(
        &self,
        packer: &mut Packer,
        solver: &mut dyn Solver,
        list: Term,
        pred: PredId,
    ) -> Result<(), FaultKind> {
        let store = solver.store();
        let heap = &store.heap;
        let limit = store.words_left();
        let (mut rest, mut count) = (list, 0);
        let mut added = Some(true);
        // The size of the heap bounds the loop, because a cyclic list has no end.
        while let Some((head, tail)) = heap.head_and_tail(rest)
            && count < heap.len()
            && added == Some(true)
        {
            added = packer.add(heap, head, limit);
            rest = tail;
            count += 1;
        }
        if added == Some(true) && heap.is_nil(rest) {
            return Ok(());
        }
        // A term that is not a proper list is reported first.
        length(heap, list)?;
        match added {
            Some(_) => Err(self.open(packer, pred)),
            None => Err(store.unpackable(list).into()),
        }
    }

    /// The fault for the last packed term, which contains variables.
    #[cold]
    fn open(&self, packer: &mut Packer, pred: PredId) -> FaultKind {
        let answer = packer.finish().last().map(|packed| text(&packed, &self.program.ops, 200));
        let indicator = match self.program.indicator(pred) {
            own if own.starts_with('$') => "the advice table".to_string(),
            indicator => indicator,
        };
        FaultKind::Answer(
            Code::AnswerNotGround,
            format!("{indicator} leaves a variable in its answer {}", answer.unwrap_or_default()),
            "bind every variable of the answer".to_string(),
        )
    }

    /// The budget of one question.
    #[cold]
    pub(super) fn budget(&self) -> Budget {
        self.budget.get()
    }

    /// The fault for a wrong answer to a question.
    pub(super) fn fault(&self, question: RuleQuery<'_>, wrong: FaultKind) -> RuleFault {
        RuleFault {
            doing: question.doing,
            position: question.position.map(|position| Box::new(position.0.clone())),
            span: self.clause_span(question),
            atoms: holds_atoms(self.budget().memory),
            maker: None,
            wrong,
        }
    }

    /// The head of the first clause that matches the arguments, or else of the first clause.
    fn clause_span(&self, question: RuleQuery<'_>) -> Option<Span> {
        let clauses = &self.program.predicate(question.pred).clauses;
        let answers = |clause: &&Clause| self.heads(clause, question.args);
        let clause = clauses.iter().find(answers).or(clauses.first())?;
        Some(clause.tree.span(clause.head))
    }

    /// Whether the head of a clause unifies with these arguments.
    fn heads(&self, clause: &Clause, args: &[Option<&Packed>]) -> bool {
        let mut store = Store::new(Arc::default(), self.stop.clone());
        let head = build(&mut store.heap, &clause.tree, clause.head, &mut Vec::new());
        let TermView::Compound(_, own) = store.heap.view(head) else { return true };
        let own: Vec<Term> = own.iter().map(|cell| Term::of_cell(*cell)).collect();
        own.into_iter().zip(args).all(|(own, given)| {
            let given = given.map(|given| unpack(&mut store.heap, given));
            given.is_none_or(|given| store.unify(own, given).unwrap_or(true))
        })
    }
}
