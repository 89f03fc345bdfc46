//! Runs a question again to find the clause with the mistake.
//!
//! The results are the callers of a fault, the clause that gave an answer, and the clauses that let
//! a predicate hold. The reference solver runs the question, because the machine does not keep this
//! information. This code runs after a fault, so it may be slow. It must not have a fault itself.

use crate::rules::ask::{QueryRunner, RuleQuery};
use crate::rules::fault::{FaultKind, RuleFault, text};
use crate::rules::foreign::counting;
use crate::rules::game::RuleGame;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Goal, PredId, Program};
use alphorn_lang::lang::read;
use alphorn_prolog::builtins;
use alphorn_prolog::machine::coverage::{Coverage, first_clause};
use alphorn_prolog::machine::fault::{Cause, Fault};
use alphorn_prolog::machine::reference::Reference;
use alphorn_prolog::machine::store::Budget;
use alphorn_prolog::machine::watch::ClauseNumber;
use alphorn_prolog::machine::{Query, Solver};
use alphorn_prolog::reason::explain::Detail;
use alphorn_prolog::reason::prover::Prover;
use alphorn_prolog::term::heap::Heap;
use alphorn_prolog::term::pack::{Packed, pack, unpack};
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::atoms;
use std::cell::RefCell;
use std::rc::Rc;

impl QueryRunner {
    /// The fault of a question after so many valid answers.
    #[cold]
    pub(super) fn traced(&self, question: RuleQuery<'_>, wrong: FaultKind, answers: usize) -> RuleFault {
        match wrong {
            FaultKind::Machine(fault) => {
                let maker = culprit(&fault).and_then(|term| self.maker(question, &term));
                RuleFault { maker, ..self.fault(question, self.with_callers(question, fault).into()) }
            }
            FaultKind::Answer(..) => {
                let fault = self.fault(question, wrong);
                RuleFault { span: self.answering(question, answers).or(fault.span), ..fault }
            }
        }
    }

    pub(super) fn reference(&self) -> Reference {
        Reference::new(self.program.clone(), builtins::runs().into(), self.stop.clone()).keeping_frames()
    }

    /// The same fault with all its callers. A fault for a spent budget is returned as it is: a
    /// second run would spend the budget again, slowly.
    fn with_callers(&self, question: RuleQuery<'_>, fault: Fault) -> Fault {
        if !matches!(fault.cause, Cause::Thrown(_)) {
            return fault;
        }
        let mut solver = self.reference();
        let mut found = solver.first(&Query::Call(question.pred, question.args), self.budget());
        while let Ok(true) = found {
            found = solver.next();
        }
        match found {
            Err(again) if again.cause == fault.cause => again,
            _ => fault,
        }
    }

    /// The head of the clause that gives the answer after `before` other answers.
    pub(super) fn answering(&self, question: RuleQuery<'_>, before: usize) -> Option<Span> {
        let coverage = Rc::new(RefCell::new(Coverage::new(&self.program)));
        let mut solver = self.reference().watched(coverage.clone());
        let mut found = solver.first(&Query::Call(question.pred, question.args), self.budget());
        for _ in 0..before {
            found = found.and_then(|found| if found { solver.next() } else { Ok(false) });
        }
        let last = coverage.borrow().last.filter(|_| found == Ok(true))?;
        let own = (last.0 as usize).checked_sub(first_clause(&self.program, question.pred))?;
        let clause = self.program.predicate(question.pred).clauses.get(own)?;
        Some(clause.tree.span(clause.head))
    }
}

/// The compound term that has a wrong type.
fn culprit(fault: &Fault) -> Option<Packed> {
    let Cause::Thrown(ball) = &fault.cause else { return None };
    let mut heap = Heap::default();
    let ball = unpack(&mut heap, ball);
    let formal = heap.functor(ball).filter(|functor| *functor == (atoms::ERROR, 2)).map(|_| heap.arg(ball, 0))?;
    let (name, _) = heap.functor(formal).filter(|(_, arity)| *arity == 2)?;
    if name.text() != "type_error" {
        return None;
    }
    pack(&heap, heap.arg(formal, 1), LONGEST).filter(|term| term.functor().is_some_and(|(_, arity)| arity > 0))
}

/// The length from which the text of a position is not explained, in bytes.
const LONGEST: usize = 1 << 16;

/// The greatest number of steps of an explanation.
const EXPLAINING: u64 = 3_000_000;

/// The greatest number of goals and heads that are shown besides the clause that holds.
const SHOWN: usize = 4;

impl RuleGame {
    /// The clause of `move/3` or `moves/2` that makes a move.
    pub(super) fn clause_making_move(&self, before: &Position, mv: &RuleMove) -> Option<Span> {
        let contract = &self.rules.contract;
        let labelled = [Some(&before.0), Some(mv.label()), Some(&mv.next.0)];
        let listed = [Some(&before.0), None];
        let (pred, args) = match contract.labelled {
            Some(pred) => (pred, &labelled[..]),
            None => (contract.moves?, &listed[..]),
        };
        self.asker.answering(RuleQuery { doing: "generating the moves", pred, args, position: None }, 0)
    }

    /// The clause that gives an image of a position.
    pub(super) fn clause_making_image(&self, pred: PredId, state: &Position, image: &Position) -> Option<Span> {
        let args = [Some(&state.0), Some(&image.0)];
        self.asker
            .answering(RuleQuery { doing: "generating the symmetric positions", pred, args: &args, position: None }, 0)
    }

    /// The clause that gives the first position.
    pub(super) fn opener(&self) -> Option<Span> {
        let pred = self.rules.contract.initial?;
        self.asker.answering(RuleQuery { doing: "calling initial/1", pred, args: &[None], position: None }, 0)
    }

    /// Why a predicate holds or fails for a position: the clause that holds, goals in the user's
    /// files that failed, and heads of helpers that matched no call. A failed goal stopped a
    /// clause, or let a negation hold.
    pub(super) fn verdict(&self, pred: PredId, state: &Position) -> (Option<Span>, Vec<Span>, Vec<Span>) {
        let program = &self.rules.program;
        let mut args = vec![None; program.predicate(pred).key.arity];
        args[0] = Some(&state.0);
        let holds = self.asker.answering(RuleQuery { doing: "", pred, args: &args, position: None }, 0);
        let coverage = Rc::new(RefCell::new(Coverage::new(program)));
        let mut solver = self.asker.reference().watched(coverage.clone());
        if solver.first(&Query::Call(pred, &args), self.asker.budget()).is_err() {
            return (holds, Vec::new(), Vec::new());
        }
        let (coverage, mut failed) = (coverage.borrow(), Vec::new());
        let first = first_clause(program, pred);
        let own = first..first + program.predicate(pred).clauses.len();
        for (number, used) in (0..).zip(&coverage.clauses).filter(|(_, used)| used.matches > 0) {
            // If a clause holds, a clause that failed before it is no reason.
            if holds.is_some() && used.exits == 0 && own.contains(&(number as usize)) {
                continue;
            }
            let reached = |step| coverage.steps.get(&(number, step)).copied().unwrap_or(0);
            let mut doubtful = solver.suspect_goals(ClauseNumber(number), reached);
            // A goal that fails inside a negation stops no clause.
            doubtful.retain(|goal| holds.is_some() || !goal.guards);
            let shown = if used.exits > 0 { doubtful.first() } else { doubtful.last() };
            failed.extend(shown.map(|goal| goal.span).filter(|span| program.is_written_by_user(*span)));
        }
        failed.truncate(SHOWN);
        let called = failed.iter().flat_map(|goal| called_at(program, *goal));
        let mut unmatched: Vec<Span> = called.flat_map(|pred| self.unmatched(pred, &coverage)).collect();
        unmatched.truncate(SHOWN);
        (holds, failed, unmatched)
    }

    /// The smallest part that keeps a predicate from holding for a position: its place, and what is
    /// wrong there. If that place is a head, the goal that called it comes first.
    pub(super) fn smallest_failing_part(&self, pred: PredId, state: &Position) -> Option<Vec<(Span, String)>> {
        let program = &self.rules.program;
        let position = text(&state.0, &program.ops, LONGEST);
        let key = program.predicate(pred).key;
        if position.len() >= LONGEST {
            return None;
        }
        let goal = format!("{}({position}{})", key.name.text(), ", _".repeat(key.arity - 1));
        let sentence = read::goal(SourceId(program.sources.len() as u16), &goal, &program.ops).ok()??;
        let budget = Budget { steps: EXPLAINING, ..self.asker.budget() };
        let mut prover = Prover::new(program, &self.rules.runs, &self.asker.stop, budget, false, None);
        let detail = Detail { depth: 100, text: 60, clauses: 3 };
        let smallest = prover.failing(&sentence, detail, None).ok()?.smallest();
        // The question is not in a file of the user.
        let own = |span: Span| usize::from(span.source.0) < program.sources.len() && program.is_written_by_user(span);
        let (span, words) = smallest.place.filter(|(span, _)| own(*span))?;
        let called = smallest.called.filter(|span| own(*span)).map(|span| (span, "this goal fails".to_string()));
        let origin = smallest.given.and_then(|given| Some((only_place(program, &given, span)?, given)));
        let origin = origin.map(|(span, given)| (span, format!("no other rule contains {given}")));
        Some(called.into_iter().chain([(span, words)]).chain(origin).collect())
    }

    /// The heads of a called predicate that matched no call.
    fn unmatched(&self, pred: PredId, coverage: &Coverage) -> Vec<Span> {
        let program = &self.rules.program;
        let first = first_clause(program, pred);
        let clauses = program.predicate(pred).clauses.iter().zip(coverage.clauses.iter().skip(first));
        let called = coverage.calls.get(pred.0 as usize).is_some_and(|calls| *calls > 0);
        let odd = clauses.filter(|(_, used)| called && used.matches == 0 && !used.waited);
        odd.map(|(clause, _)| clause.tree.span(clause.head)).collect()
    }
}

/// The only place of a ground term in the rules, except in the predicate with a clause at `besides`.
fn only_place(program: &Program, term: &str, besides: Span) -> Option<Span> {
    let mut found = Vec::new();
    for pred in program.predicates.iter().filter(|pred| program.is_users(pred.key.scope)) {
        if pred.clauses.iter().any(|clause| clause.span.contains(besides)) {
            continue;
        }
        for clause in &pred.clauses {
            let (tree, counting) = (&clause.tree, counting(&clause.tree));
            let written = tree.nodes().filter(|(node, kind)| {
                matches!(kind, TermKind::Atom(_) | TermKind::Compound(..))
                    && !counting.contains(node)
                    && tree.is_ground(*node)
                    && *node != clause.head
            });
            // The text of a term has no blanks.
            let is_it = |span: &Span| program.sources.text(*span).split_whitespace().eq([term]);
            found.extend(written.map(|(node, _)| tree.span(node)).filter(is_it));
        }
    }
    found.first().copied().filter(|_| found.len() == 1)
}

/// The user's predicates that the goal at a place calls.
fn called_at(program: &Program, place: Span) -> Vec<PredId> {
    let mut found = Vec::new();
    for clause in
        program.predicates.iter().filter(|pred| program.is_users(pred.key.scope)).flat_map(|pred| &pred.clauses)
    {
        each_goal(&clause.body, &mut |goal| {
            if let Goal::Call { callee: Callee::User(pred), span, .. } = goal
                && *span == place
                && program.is_users(program.predicate(*pred).key.scope)
            {
                found.push(*pred);
            }
        });
    }
    found
}
