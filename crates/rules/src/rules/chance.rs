//! Chance moves: the chance outcomes of a position.
//!
//! `chance/2` lists the positions that can follow, each with a weight. Here they become moves with
//! the labels 1, 2, and so on. Nothing here evaluates them.

use crate::rules::ask::{RuleQuery, RuleResult};
use crate::rules::fault::FaultKind;
use crate::rules::game::RuleGame;
use crate::rules::outcomes::ChanceOutcomes;
use crate::rules::position::{Position, RuleMove};
use alphorn_prolog::machine::Solver;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::TermView;
use alphorn_prolog::term::pack::{Packed, Packer};
use alphorn_text::code::Code;
use alphorn_text::symbol::atoms;

/// The weights of one position must add up to less than this number.
const MOST: u64 = 1 << 53;

impl RuleGame {
    /// Reads the chance outcomes of a position; `None` if chance does not move there.
    pub(super) fn with_chance_outcomes<T>(
        &self,
        state: &Position,
        read: impl FnOnce(&ChanceOutcomes) -> T,
    ) -> RuleResult<Option<T>> {
        if self.rules.contract.chance.is_none() {
            return Ok(None);
        }
        let last = &mut *self.thrown.borrow_mut();
        let known = last.0.as_ref().is_some_and(|(at, _)| at == state);
        if !known {
            last.0 = None;
            last.0 = Some((state.clone(), self.thrown_at(state)?));
        }
        Ok(last.0.as_ref().and_then(|(_, throw)| throw.as_ref()).map(read))
    }

    /// Whether chance moves in a position that is not over.
    pub fn is_thrown(&self, state: &Position) -> RuleResult<bool> {
        Ok(self.with_chance_outcomes(state, |_| ())?.is_some())
    }

    /// The number of answers of `chance/2`, counted up to 2. A correct game gives at most one.
    pub fn count_chance_answers(&self, state: &Position) -> RuleResult<usize> {
        let Some(pred) = self.rules.contract.chance else { return Ok(0) };
        let args = [Some(&state.0), None];
        let question = RuleQuery { doing: "calling chance/2", pred, args: &args, position: Some(state) };
        self.asker.each(question, 2, |_| Ok(()))
    }

    fn thrown_at(&self, state: &Position) -> RuleResult<Option<ChanceOutcomes>> {
        let Some(pred) = self.rules.contract.chance else { return Ok(None) };
        let args = [Some(&state.0), None];
        let question = RuleQuery { doing: "calling chance/2", pred, args: &args, position: Some(state) };
        let mut packer = self.asker.packer();
        let mut weights = Vec::new();
        let found = self.asker.each(question, 1, |solver| {
            let first = solver.answer()[0];
            let (mut rest, mut all) = (first, 0u64);
            // The size of the heap bounds the loop, because a cyclic list has no end.
            while let Some((head, tail)) = solver.store().heap.head_and_tail(rest)
                && weights.len() < solver.store().heap.len()
            {
                let next = weighed(solver, head, &mut weights)?;
                self.asker.add(&mut packer, solver, next, pred)?;
                all += weights.last().copied().unwrap_or(0);
                if all >= MOST {
                    return Err(wrong("weights that add up to 2^53 or more", "smaller weights in the same proportion"));
                }
                rest = tail;
            }
            if let TermView::Var(_) = solver.store().heap.view(first) {
                return Err(wrong("an unbound variable", LIST));
            }
            match solver.store().heap.is_nil(rest) && !weights.is_empty() {
                true => Ok(()),
                false if weights.is_empty() => Err(wrong("something that is not a list with elements", LIST)),
                false => Err(wrong("a list that does not end in []", LIST)),
            }
        })?;
        if found == 0 {
            return Ok(None);
        }
        let moves = numbered(&mut packer);
        Ok(Some(ChanceOutcomes { moves, weights }))
    }
}

const LIST: &str = "a list of all chance outcomes, each as Weight-Next, such as [2-rolled(3, 1), 1-rolled(2, 2)]";

fn numbered(packer: &mut Packer) -> Vec<RuleMove> {
    let numbers = 1i64..;
    let named = |(number, next)| RuleMove::labelled(Packed::small(number), Position(next));
    numbers.zip(packer.finish()).map(named).collect()
}

/// Adds the weight of a chance outcome to `weights` and returns its position.
fn weighed(solver: &mut dyn Solver, outcome: Term, weights: &mut Vec<u64>) -> Result<Term, FaultKind> {
    let heap = &solver.store().heap;
    let TermView::Compound(name, &[weight, next]) = heap.view(outcome) else {
        return Err(wrong("an element that is not Weight-Next", LIST));
    };
    let weight = match heap.view(Term::of_cell(weight)) {
        // Too great a weight makes the sum too great, which is then reported.
        TermView::Int(weight) if name == atoms::MINUS => {
            u64::try_from(weight).ok().filter(|weight| *weight > 0).map(|weight| weight.min(MOST))
        }
        TermView::Big(false, _) if name == atoms::MINUS => Some(MOST),
        _ if name == atoms::MINUS => None,
        _ => return Err(wrong("an element that is not Weight-Next", LIST)),
    };
    match weight {
        Some(weight) => weights.push(weight),
        None => {
            return Err(wrong(
                "a weight that is not a whole number of 1 or more",
                "Weight-Next, where Weight is a whole number: the number of cases, such as 2 of 36",
            ));
        }
    }
    Ok(Term::of_cell(next))
}

fn wrong(what: &str, instead: &str) -> FaultKind {
    FaultKind::Answer(Code::InvalidChanceOutcomes, format!("chance/2 gives {what}"), format!("write {instead}"))
}
