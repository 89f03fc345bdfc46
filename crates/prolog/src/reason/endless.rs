//! Explains why a goal exceeds its budget: a call that comes again below itself.
//!
//! The result is that call, if there is one. The session uses this module.

use crate::machine::fault::Fault;
use crate::reason::body::GoalForm;
use crate::reason::call::is_spent;
use crate::reason::node::{NodeGoal, ProofMethod, ProofNode};
use crate::reason::prover::Prover;
use alphorn_lang::lang::ast::Sentence;
use alphorn_text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A call that calls itself.
#[derive(Clone, Debug)]
pub struct EndlessCall {
    /// The goal of the repeated call.
    pub goal: String,
    /// The place of the goal in the source text.
    pub span: Option<Span>,
    /// Whether the two calls are equal; otherwise their arguments differ.
    pub same: bool,
}

/// The number of nested calls of one predicate from which they seem endless.
const MANY: usize = 200;
/// The greatest number of nested calls that are examined, the outermost first.
const LOOKED_AT: usize = 1_000;

impl Prover {
    /// The call that comes again below itself when the budget is spent; `None` if the goal ends.
    ///
    /// Returns an error if the goal has one.
    pub fn endless(&mut self, sentence: &Sentence, text: usize) -> Result<Option<EndlessCall>, Fault> {
        let frame = self.typed(sentence)?;
        self.attempt(|prover| {
            let root = frame.body.root;
            let top = prover.nodes.len() as u32;
            prover.nodes.push(ProofNode::new(None, NodeGoal::Goal(frame.clone(), root), ProofMethod::Open));
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
            if matches!(node.how, ProofMethod::Clause(..)) {
                calls.push(node.shown.clone());
            }
            at = node.above.map(|above| above as usize);
        }
        let mut seen = FxHashSet::default();
        let mut counts: FxHashMap<_, usize> = FxHashMap::default();
        let mut often = None;
        for shown in calls.iter().rev().take(LOOKED_AT) {
            let term = match shown {
                NodeGoal::Term(term) => *term,
                NodeGoal::Goal(frame, goal) if matches!(frame.body.form(*goal), GoalForm::Call(..)) => {
                    self.goal_term(frame, *goal)
                }
                NodeGoal::Goal(..) => continue,
            };
            let functor = self.store.heap.functor(term);
            let span = shown.span();
            // The budget is spent, so only small terms are packed.
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
