//! Questions to the rules of a game, as goals.
//!
//! In: a predicate and its arguments. Out: what the answers hold, packed or as
//! the caller reads them, or a [`RuleFault`] that says what was being done. An
//! answer that is not ground is a fault. Knows no contract: which predicate
//! means what is the game's affair.

use crate::rules::answer::length;
use crate::rules::fault::{FaultKind, RuleFault, holds_atoms, text};
use crate::rules::position::Position;
use alphorn_lang::lang::program::{Clause, PredId, Program};
use alphorn_prolog::machine::fault::{Cause, Fault};
use alphorn_prolog::machine::store::{Budget, Store};
use alphorn_prolog::machine::{Query, Solver};
use alphorn_prolog::term::Term;
use alphorn_prolog::term::build::build;
use alphorn_prolog::term::heap::TermView;
use alphorn_prolog::term::pack::{Packed, Packer, live_bytes, unpack};
use alphorn_text::source::Span;
use std::cell::{Cell, RefCell, RefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What an asked question gives.
pub(super) type Asked<T> = Result<T, RuleFault>;

/// A question to the rules.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    /// What is being done with it, such as `generating the moves`.
    pub(super) doing: &'static str,
    pub(super) pred: PredId,
    /// `None` is asked for.
    pub(super) args: &'a [Option<&'a Packed>],
    /// The position it is about, for faults.
    pub(super) position: Option<&'a Position>,
}

/// Asks the rules of one program, each question within the same budget.
pub(super) struct Asker {
    pub(super) program: Arc<Program>,
    solver: RefCell<Box<dyn Solver>>,
    budget: Cell<Budget>,
    pub(super) stop: Arc<AtomicBool>,
    /// Room for what is packed.
    packer: RefCell<Packer>,
    /// How many questions were asked.
    asked: Cell<u64>,
}

impl From<Fault> for FaultKind {
    fn from(fault: Fault) -> FaultKind {
        FaultKind::Machine(fault)
    }
}

impl Asker {
    pub(super) fn new(program: Arc<Program>, solver: Box<dyn Solver>, budget: Budget, stop: Arc<AtomicBool>) -> Asker {
        let (solver, budget) = (RefCell::new(solver), Cell::new(budget));
        Asker { program, solver, budget, stop, packer: RefCell::default(), asked: Cell::new(0) }
    }

    /// Reads up to `limit` answers; gives how many there were.
    #[inline]
    pub(super) fn each(
        &self,
        question: Question<'_>,
        limit: usize,
        mut read: impl FnMut(&mut dyn Solver) -> Result<(), FaultKind>,
    ) -> Asked<usize> {
        self.asked.set(self.asked.get() + 1);
        let mut count = 0;
        let mut run = || -> Result<(), FaultKind> {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Fault::from(Cause::Stopped).into());
            }
            self.remembers()?;
            let solver = &mut **self.solver.borrow_mut();
            let mut found = solver.first(&Query::Call(question.pred, question.args), self.budget.get())?;
            while found {
                read(solver)?;
                count += 1;
                self.remembers()?;
                found = count < limit && solver.next()?;
            }
            Ok(())
        };
        match run() {
            Ok(()) => Ok(count),
            Err(wrong) => Err(self.traced(question, wrong, count)),
        }
    }

    /// Asks with so many times the steps that a question may take.
    pub(super) fn patiently<T>(&self, times: u64, ask: impl FnOnce(&Asker) -> T) -> T {
        let budget = self.budget.get();
        self.budget.set(Budget { steps: budget.steps.saturating_mul(times), ..budget });
        let asked = ask(self);
        self.budget.set(budget);
        asked
    }

    /// How many questions were asked: the number of the last.
    #[inline]
    pub(super) fn asked(&self) -> u64 {
        self.asked.get()
    }

    /// Reads the answer given last once more.
    pub(super) fn last<T>(&self, read: impl FnOnce(&mut dyn Solver) -> T) -> T {
        read(&mut **self.solver.borrow_mut())
    }

    /// Errs where what is kept of all answers takes more than the budget.
    #[inline]
    fn remembers(&self) -> Result<(), FaultKind> {
        let memory = self.budget.get().memory;
        if live_bytes() > memory {
            return Err(Fault::from(Cause::Memory(memory)).into());
        }
        Ok(())
    }

    /// The first answer as `read` sees it.
    #[inline]
    pub(super) fn first<T>(
        &self,
        question: Question<'_>,
        read: impl Fn(&mut dyn Solver) -> Result<T, FaultKind>,
    ) -> Asked<Option<T>> {
        let mut found = None;
        self.each(question, 1, |solver| {
            found = Some(read(solver)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Whether there is an answer.
    #[inline]
    pub(super) fn holds(&self, question: Question<'_>) -> Asked<bool> {
        Ok(self.each(question, 1, |_| Ok(()))? > 0)
    }

    /// Up to `limit` answers packed together, the terms of one after those of
    /// the other.
    pub(super) fn terms(&self, question: Question<'_>, limit: usize) -> Asked<RefMut<'_, Packer>> {
        let mut packer = self.packer();
        self.each(question, limit, |solver| {
            (0..solver.answer().len()).try_for_each(|at| {
                let value = solver.answer()[at];
                self.add(&mut packer, solver, value, question.pred)
            })
        })?;
        Ok(packer)
    }

    /// The term that the first answer holds.
    pub(super) fn term(&self, question: Question<'_>) -> Asked<Option<Packed>> {
        Ok(self.terms(question, 1)?.finish().next())
    }

    /// An empty packer, whose room is used again and again.
    pub(super) fn packer(&self) -> RefMut<'_, Packer> {
        let mut packer = self.packer.borrow_mut();
        packer.clear();
        packer
    }

    /// Adds a term of an answer to those that are packed together.
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

    /// Adds the elements of a list of moves.
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
        // A cyclic list would have more cells than there are.
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
        // A list that is none is told first.
        length(heap, list)?;
        match added {
            Some(_) => Err(self.open(packer, pred)),
            None => Err(store.unpackable(list).into()),
        }
    }

    /// What is wrong with the term added last, in which variables stand.
    #[cold]
    fn open(&self, packer: &mut Packer, pred: PredId) -> FaultKind {
        let answer = packer.finish().last().map(|packed| text(&packed, &self.program.ops, 200));
        let indicator = match self.program.indicator(pred) {
            own if own.starts_with('$') => "the advice table".to_string(),
            indicator => indicator,
        };
        FaultKind::Answer(
            "A0605",
            format!("{indicator} leaves a variable in its answer {}", answer.unwrap_or_default()),
            "bind every variable of the answer".to_string(),
        )
    }

    /// What is wrong, as a fault of the question.
    #[cold]
    pub(super) fn budget(&self) -> Budget {
        self.budget.get()
    }

    /// What is wrong with the answer to a question.
    pub(super) fn fault(&self, question: Question<'_>, wrong: FaultKind) -> RuleFault {
        RuleFault {
            doing: question.doing,
            position: question.position.map(|position| Box::new(position.0.clone())),
            span: self.clause_span(question),
            atoms: holds_atoms(self.budget().memory),
            wrong,
        }
    }

    /// The head of the first clause that can answer, or else of the first there is.
    fn clause_span(&self, question: Question<'_>) -> Option<Span> {
        let clauses = &self.program.predicate(question.pred).clauses;
        let answers = |clause: &&Clause| self.heads(clause, question.args);
        let clause = clauses.iter().find(answers).or(clauses.first())?;
        Some(clause.tree.span(clause.head))
    }

    /// Whether the head of a clause takes these arguments.
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
