//! Explains why a goal of a library predicate fails: by a goal of the user inside it, or in a
//! sentence.
//!
//! The result is a [`FailedGoal`] without the clauses of the library. Only `reason` uses this module.

use crate::machine::fault::Fault;
use crate::reason::explain::ExplanationPath;
use crate::reason::failing::FailedGoal;
use crate::reason::prover::Prover;
use crate::term::Term;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::PredId;

/// The greatest length of a term in a sentence, in bytes.
const SHORT: usize = 60;

impl Prover {
    /// Explains why a call of a library predicate fails.
    pub(super) fn library_call(
        &mut self,
        told: FailedGoal,
        pred: PredId,
        call: Term,
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let predicate = self.program.predicate(pred);
        let (name, takes_goals) = (predicate.key.name.text(), !predicate.meta.is_empty());
        let args = self.store.heap.args(call);
        if let ("member" | "memberchk" | "ord_memberchk", [item, list]) = (name, &args[..]) {
            return Ok(self.no_member(told, *item, *list));
        }
        let inside = !told.own || takes_goals;
        if inside && way.enter(self.packed(call)?) {
            let indicator = self.program.indicator(pred);
            let opened = self.clauses(FailedGoal { own: false, ..told.clone() }, pred, &args, &indicator, way);
            way.leave();
            if let Some(part) = own_part(opened?) {
                return Ok(FailedGoal { parts: vec![part], ..told });
            }
        }
        let says = self.last_argument(call, way)?;
        Ok(FailedGoal { says, ..told })
    }

    /// Explains why a term is not a member of a list.
    fn no_member(&mut self, told: FailedGoal, item: Term, list: Term) -> FailedGoal {
        let (items, end) = self.store.heap.elements(list);
        let shown = self.term_text(item, SHORT);
        if !self.store.heap.is_nil(end) {
            return FailedGoal { says: format!("{} is not a list", self.term_text(list, SHORT)), ..told };
        }
        if items.is_empty() {
            return FailedGoal { says: "the list is empty".to_string(), ..told };
        }
        let name = |term| self.store.heap.functor(term).filter(|(_, arity)| *arity == 0).map(|(name, _)| name.name());
        let names: Vec<_> = items.iter().filter_map(|item| name(*item)).collect();
        let near = name(item).and_then(|wanted| nearest(&wanted, names.iter().map(|name| &**name)));
        let help = near.map(|near| format!("did you mean {near}?"));
        FailedGoal { says: format!("{shown} is not in {}", self.term_text(list, SHORT)), help, ..told }
    }
}

/// The first goal of the user along the clauses that were followed.
fn own_part(failing: FailedGoal) -> Option<FailedGoal> {
    let mut at = failing;
    while !at.own {
        let followed = at.followed.filter(|followed| *followed < at.clauses.len());
        let because = followed.and_then(|followed| at.clauses.swap_remove(followed).because);
        at = match because {
            Some(inner) => *inner,
            None => at.parts.into_iter().next()?,
        };
    }
    Some(at)
}
