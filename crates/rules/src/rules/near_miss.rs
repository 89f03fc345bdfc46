//! Finds the clause that was meant for a position, or that makes a label twice.
//!
//! The input is a position for which a predicate gave no answer, or a label of two moves. The
//! result is the clause that a problem points at, and help. This code runs after a fault, so it may
//! be slow. It must not have a fault itself.

use crate::rules::Rules;
use crate::rules::ask::RuleQuery;
use crate::rules::fault::{FaultKind, RuleFault};
use crate::rules::game::RuleGame;
use crate::rules::position::Position;
use crate::rules::sketch::written;
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Clause, Goal, PredId};
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_text::code::Code;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use std::sync::Arc;

/// A predicate with more clauses was not written by hand.
const MOST: usize = 100;

impl RuleGame {
    /// Notes the position that the user typed. No rule made the position, so a message about it names the
    /// position as the first thing to check.
    pub fn note_given(&self, position: Option<Position>) {
        self.given.replace(position);
    }

    /// Whether the user typed this position.
    fn is_given(&self, position: &Position) -> bool {
        self.given.borrow().as_ref() == Some(position)
    }

    /// The fault of a predicate that gave no valid answer. It points at the clause that was meant
    /// for the position, if there is one.
    #[cold]
    pub(super) fn answer_fault(&self, question: RuleQuery<'_>, code: Code, message: &str, help: &str) -> RuleFault {
        let near = question.position.and_then(|position| {
            let other = Some(question.pred).filter(|pred| self.rules.contract.max_to_move == Some(*pred));
            let other = other.and(self.rules.contract.min_to_move);
            [Some(question.pred), other].into_iter().flatten().find_map(|pred| self.near_miss(pred, position))
        });
        let given = question.position.is_some_and(|position| self.is_given(position));
        match near {
            // The rules are right about the positions that they make.
            near if given => {
                let near = near.map(|(_, form, _)| format!("{form}\n")).unwrap_or_default();
                let help =
                    format!("this position was typed, and no rule made it: check the position first\n{near}{help}");
                self.asker.fault(question, FaultKind::Answer(code, message.to_string(), help))
            }
            Some((span, form, advice)) => {
                let near = format!("{form}: {advice}");
                let wrong = FaultKind::Answer(code, message.to_string(), near);
                RuleFault { span: Some(span), ..self.asker.fault(question, wrong) }
            }
            None => self.asker.fault(question, FaultKind::Answer(code, message.to_string(), help.to_string())),
        }
    }

    /// The clause whose head has the name of the position, or of a term in it, with another arity:
    /// its place, the difference, and help.
    fn near_miss(&self, pred: PredId, position: &Position) -> Option<(Span, String, String)> {
        let program = &self.rules.program;
        let mut heap = Heap::default();
        let term = unpack(&mut heap, &position.0);
        let clauses = program.predicate(pred).clauses.iter().take(MOST);
        let found = clauses.filter_map(|clause| {
            let head = *clause.tree.args(clause.head).first()?;
            Some((clause, head, differing(&clause.tree, head, &heap, term)?))
        });
        let (clause, head, (name, own, there)) = found.min_by_key(|(.., (_, own, there))| own.abs_diff(*there))?;
        let (tree, line) = (&clause.tree, program.sources.line_column(clause.span).0);
        let (own, there) = (written(name, own, &program.ops), written(name, there, &program.ops));
        let form = format!("the clause in line {line} has {own}, and this position has {there}");
        Some((tree.span(head), form, format!("write {there} in the clause, or {own} where the position is made")))
    }

    /// Help for a position to which `static_eval/2` gives no value.
    pub(super) fn no_value_help(&self, pred: PredId, position: &Position) -> String {
        if self.without_else(pred) {
            return "( Condition -> Then ) without `;` fails if its condition fails: write the other case after \
                    a `;`, as in ( Condition -> Value = 1 ; Value = 0 )"
                .to_string();
        }
        let every = "static_eval/2 must give a number for every position";
        self.untaken(pred, position).unwrap_or_else(|| match self.verdict(pred, position).1.is_empty() {
            true => format!("{every}; add a last clause static_eval(_, 0)."),
            false => format!("{every}; correct the goal that fails, or add a last clause static_eval(_, 0)."),
        })
    }

    /// Help for a predicate none of whose clauses has the functor of the position.
    fn untaken(&self, pred: PredId, position: &Position) -> Option<String> {
        let program = &self.rules.program;
        let mut heap = Heap::default();
        let term = unpack(&mut heap, &position.0);
        let TermView::Compound(name, _) = heap.view(term) else { return None };
        let own = (name, heap.args(term).len());
        let mut taken = Vec::new();
        for clause in program.predicate(pred).clauses.iter().take(MOST) {
            // A variable, a number or a text has no functor.
            let functor = clause.tree.functor(*clause.tree.args(clause.head).first()?)?;
            if functor == own {
                return None;
            }
            taken.push((clause.span, functor));
        }
        let (span, (other, arity)) = *taken.first()?;
        let (line, wanted) = (program.sources.line_column(span).0, written(own.0, own.1, &program.ops));
        Some(format!(
            "no clause matches {wanted}, which this position is: the clause in line {line} has {}: \
             correct the clause, or add a clause for {wanted}",
            written(other, arity, &program.ops),
        ))
    }

    /// Whether a predicate has only one clause, with an if-then that has no else.
    fn without_else(&self, pred: PredId) -> bool {
        let clauses = &self.rules.program.predicate(pred).clauses;
        let mut found = false;
        for clause in clauses {
            each_goal(&clause.body, &mut |goal| {
                found |= matches!(goal, Goal::If(_, then, other) if !matches!(**then, Goal::True) && matches!(**other, Goal::Fail));
            });
        }
        found && clauses.len() == 1
    }

    /// The clause of `move/3` that repeats a label; `None` if that is not clear.
    pub(super) fn clause_repeating_label(&self, state: &Position, label: &Packed) -> Option<Span> {
        let pred = self.rules.contract.labelled?;
        let clauses = &self.rules.program.predicate(pred).clauses;
        let head = |clause: &Clause| clause.tree.span(clause.head);
        if let [only] = &clauses[..] {
            return Some(head(only));
        }
        let mut given = 0;
        for (number, clause) in clauses.iter().enumerate().take(MOST) {
            let game = RuleGame::new(self.rules.only(pred, number), self.asker.budget(), Arc::default()).ok()?;
            let mut moves = Vec::new();
            // A clause that calls its own predicate may have a fault alone. Such a clause is skipped.
            if game.raw_moves(state, &mut moves).is_ok() {
                given += moves.iter().filter(|mv| mv.label() == label).count();
            }
            if given > 1 {
                return Some(head(clause));
            }
        }
        None
    }
}

impl Rules {
    /// The same rules with only one clause of a predicate.
    fn only(&self, pred: PredId, clause: usize) -> Rules {
        let mut program = (*self.program).clone();
        let clauses = &mut program.predicate_mut(pred).clauses;
        clauses.swap(0, clause);
        clauses.truncate(1);
        Rules { program: Arc::new(program), ..self.clone() }
    }
}

/// The name of the first terms of a head and a position that differ in arity only, and both arities.
fn differing(tree: &TermTree, head: NodeId, heap: &Heap, term: Term) -> Option<(Atom, usize, usize)> {
    let mut pairs = vec![(head, term)];
    while let Some((node, term)) = pairs.pop() {
        let (Some((name, own)), TermView::Compound(other, _)) = (tree.functor(node), heap.view(term)) else { continue };
        if name != other {
            continue;
        }
        let args = heap.args(term);
        if own != args.len() {
            return Some((name, own, args.len())).filter(|_| own > 0);
        }
        pairs.extend(tree.args(node).iter().copied().zip(args));
    }
    None
}
