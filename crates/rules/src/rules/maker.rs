//! Finds the clause that makes a term, by running a question again.
//!
//! The input is a question and a compound term that a goal of the question has made. The result is the
//! place in the text. This code runs after a fault, so it may be slow.

use crate::rules::ask::{QueryRunner, RuleQuery};
use crate::rules::game::RuleGame;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, Program};
use alphorn_prolog::machine::fault::Cause;
use alphorn_prolog::machine::makers::{Makers, TermMaker};
use alphorn_prolog::machine::{Query, Solver};
use alphorn_prolog::term::pack::Packed;
use alphorn_text::source::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// The number of answers that are looked through.
const MOST_ANSWERS: usize = 1_000;

impl QueryRunner {
    /// The place in the user's files that makes a term, while a question is answered.
    pub(super) fn maker(&self, question: RuleQuery<'_>, term: &Packed) -> Option<Span> {
        term.functor().filter(|(_, arity)| *arity > 0)?;
        let makers = Rc::new(RefCell::new(Makers::of(self.program.clone(), term.clone())));
        let mut solver = self.reference().watched(makers.clone());
        let mut answer = solver.first(&Query::Call(question.pred, question.args), self.budget());
        for _ in 0..MOST_ANSWERS {
            match answer {
                Ok(true) => answer = solver.next(),
                Err(fault) if fault.cause != Cause::Stopped => break,
                _ => break,
            }
        }
        let found = makers.borrow().found?;
        place(&self.program, found)
    }
}

impl RuleGame {
    /// The place that makes a position by a move, or as the first position.
    pub(super) fn maker_of_position(&self, before: Option<(&Position, &RuleMove)>, made: &Position) -> Option<Span> {
        let contract = &self.rules.contract;
        let doing = "generating the moves";
        match before {
            None => {
                self.asker.maker(RuleQuery { doing, pred: contract.initial?, args: &[None], position: None }, &made.0)
            }
            Some((before, _)) => {
                let listed = [Some(&before.0), None];
                let labelled = [Some(&before.0), None, None];
                let (pred, args) = match contract.labelled {
                    Some(pred) => (pred, &labelled[..]),
                    None => (contract.moves?, &listed[..]),
                };
                self.asker.maker(RuleQuery { doing, pred, args, position: None }, &made.0)
            }
        }
    }
}

/// The place in the text of a goal or clause that makes a term.
fn place(program: &Program, found: TermMaker) -> Option<Span> {
    let mut clauses = program.predicates.iter().flat_map(|pred| &pred.clauses);
    let clause = clauses.nth(found.clause.0 as usize)?;
    if !program.is_written_by_user(clause.span) {
        return None;
    }
    let tree = &clause.tree;
    let node = if found.answers { *tree.args(clause.head).get(found.place)? } else { argument(clause, found)? };
    match tree.kind(node) {
        TermKind::Var(number) => giving(program, clause, *number),
        _ => Some(tree.span(node)),
    }
}

/// The argument of the goal that a clause calls.
fn argument(clause: &Clause, found: TermMaker) -> Option<NodeId> {
    let mut node = None;
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee, args, .. } = goal
            && *callee == found.callee
        {
            node = node.or(args.get(found.place).copied());
        }
    });
    node
}

/// The goal of the library or the unification that gives a variable of a clause its value.
fn giving(program: &Program, clause: &Clause, number: u32) -> Option<Span> {
    let is = |node: &NodeId| matches!(clause.tree.kind(*node), TermKind::Var(other) if *other == number);
    let mut found = None;
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee, args, span, .. } = goal
            && !matches!(callee, Callee::User(pred) if program.is_users(program.predicate(*pred).key.scope))
            && args.iter().any(is)
        {
            found = found.or(Some(*span));
        }
    });
    found
}
