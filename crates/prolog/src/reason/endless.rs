//! Why a goal takes more than it may: a call that comes again below itself.
//!
//! In: a goal that has spent its budget. Out: the call, where there is one. For the session.

use crate::machine::fault::Fault;
use crate::reason::body::GoalForm;
use crate::reason::call::is_spent;
use crate::reason::prover::{How, Node, Prover, Shown};
use alphorn_lang::lang::ast::Sentence;
use alphorn_text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A call that calls itself.
#[derive(Clone, Debug)]
pub struct EndlessCall {
    /// The goal, as it came again.
    pub goal: String,
    /// Where it is written.
    pub span: Option<Span>,
    /// Whether it was the very same call; else one of the same predicate with other arguments.
    pub same: bool,
}

/// Calls of one predicate below one another that look as if there were no end to them.
const MANY: usize = 200;
/// Of calls below one another, so many are looked at, the outermost first.
const LOOKED_AT: usize = 1_000;

impl Prover {
    /// The call that comes again below itself when the budget is spent; none where the goal ends.
    ///
    /// Errs where the goal does.
    pub fn endless(&mut self, sentence: &Sentence, text: usize) -> Result<Option<EndlessCall>, Fault> {
        let frame = self.typed(sentence)?;
        self.attempt(|prover| {
            let root = frame.body.root;
            let top = prover.nodes.len() as u32;
            prover.nodes.push(Node::new(None, Shown::Goal(frame.clone(), root), How::Open));
            prover.prove(&frame, root, Some(top));
            let mut found = prover.first();
            while let Ok(true) = found {
                found = prover.again();
            }
            match found {
                Err(fault) if is_spent(&fault) => Ok(prover.recurring(text)),
                Err(fault) => Err(fault),
                Ok(_) => Ok(None),
            }
        })
    }

    fn recurring(&mut self, text: usize) -> Option<EndlessCall> {
        let mut calls = Vec::new();
        let mut at = self.nodes.len().checked_sub(1);
        while let Some(number) = at {
            let node = &self.nodes[number];
            if matches!(node.how, How::Clause(..)) {
                calls.push(node.shown.clone());
            }
            at = node.above.map(|above| above as usize);
        }
        let mut seen = FxHashSet::default();
        let mut counts: FxHashMap<_, usize> = FxHashMap::default();
        let mut often = None;
        for shown in calls.iter().rev().take(LOOKED_AT) {
            let term = match shown {
                Shown::Term(term) => *term,
                Shown::Goal(frame, goal) if matches!(frame.body.form(*goal), GoalForm::Call(..)) => {
                    self.goal_term(frame, *goal)
                }
                Shown::Goal(..) => continue,
            };
            let functor = self.store.heap.functor(term);
            let span = Prover::span(shown);
            // The budget is spent; what is asked here is small.
            if let Some(packed) = crate::term::pack::pack(&self.store.heap, term, 1 << 10)
                && !seen.insert(packed)
            {
                return Some(EndlessCall { goal: self.shown_text(shown, text), span, same: true });
            }
            let count = counts.entry(functor).or_default();
            *count += 1;
            if *count == MANY && often.is_none() {
                often = Some((shown.clone(), span));
            }
        }
        often.map(|(shown, span)| EndlessCall { goal: self.shown_text(&shown, text), span, same: false })
    }
}
