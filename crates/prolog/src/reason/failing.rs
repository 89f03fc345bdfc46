//! Why a goal fails, as plain data.
//!
//! `explain` makes a [`FailedGoal`]. [`FailedGoal::smallest`] gives the smallest part that fails,
//! with its place. The session passes the data on.

use crate::reason::proof::ProofTree;
use alphorn_text::source::Span;
use alphorn_text::symbol::AtomText;

/// The greatest length of the label of a place, in bytes.
const LABEL: usize = 70;

/// A goal that fails, and why.
#[derive(Clone, Debug, Default)]
pub struct FailedGoal {
    /// The goal with its bindings, shortened.
    pub goal: String,
    /// The place of the goal in the source text.
    pub span: Option<Span>,
    /// Why it fails, as a sentence without a full stop.
    pub says: String,
    /// A suggestion.
    pub help: Option<String>,
    /// The clauses that were tried: all of them, or those that came nearest.
    pub clauses: Vec<TriedClause>,
    /// The number of clauses that are left out of `clauses`.
    pub untold: usize,
    /// The index in `clauses` of the clause that came furthest.
    pub followed: Option<usize>,
    /// If the goal fails because another goal is true: the proof of that goal.
    pub proof: Vec<ProofTree>,
    /// The parts that fail, such as the branch that was taken.
    pub parts: Vec<FailedGoal>,
    /// For a sequence, the number of times that the failing goal was tried.
    pub times: u64,
    /// Whether the goal belongs to the user, not to the library.
    pub own: bool,
}

/// A clause that was tried.
#[derive(Clone, Debug)]
pub struct TriedClause {
    /// The number of the clause in its predicate, from 1.
    pub number: usize,
    /// The span of the head.
    pub span: Span,
    /// The head as it is written.
    pub head: String,
    /// Why the head does not match.
    pub mismatch: Option<HeadMismatch>,
    /// A remark, such as that a cut keeps the clause from being tried.
    pub says: String,
    /// The goals of its body in the attempt that came furthest.
    pub goals: Vec<TriedGoal>,
    /// The number of tries of the failing goal: one for each solution of the goals before it.
    pub times: u64,
    /// Why that goal fails, if this clause came furthest.
    pub because: Option<Box<FailedGoal>>,
}

/// A goal of a clause that was tried.
#[derive(Clone, Debug)]
pub struct TriedGoal {
    /// The goal with its bindings, shortened.
    pub goal: String,
    /// The place of the goal in the source text.
    pub span: Option<Span>,
    /// The result of the goal.
    pub mark: GoalMark,
}

/// The result of a goal that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalMark {
    /// It was true.
    True,
    /// It failed for every solution of the goals before it.
    Failed,
    /// It was not reached.
    Unreached,
}

/// A part of a head that differs from the call.
#[derive(Clone, Debug)]
pub struct HeadMismatch {
    /// The number of the argument, from 1.
    pub argument: usize,
    /// The term in the head.
    pub wants: String,
    /// The term in the call.
    pub given: String,
    /// The place, such as `argument 2 of pos/2`.
    pub place: String,
    /// The span of the part of the head.
    pub span: Span,
    /// Both names, if both terms have one.
    pub names: Option<(AtomText, AtomText)>,
    /// The number of arguments that match.
    pub matching: usize,
}

impl HeadMismatch {
    /// A text such as `expects a, but is called with b at argument 2 of pos/2`.
    pub fn mismatch_text(&self) -> String {
        format!("expects {}, but is called with {} at {}", self.wants, self.given, self.place)
    }
}

/// The smallest part that makes a goal fail.
#[derive(Clone, Debug)]
pub struct SmallestFailure {
    /// The reason, as a sentence.
    pub message: String,
    /// The place of the part, and a label.
    pub place: Option<(Span, String)>,
    /// The goal that called the part, if the place is a head.
    pub called: Option<Span>,
    /// A suggestion.
    pub help: Option<String>,
    /// The number of the clause with the goal or head, from 1.
    pub clause: Option<usize>,
    /// If the place is in a head, the term in the call that does not match.
    pub given: Option<String>,
    /// The number of failed attempts, of which this is the nearest. With 1, it is the only reason.
    pub attempts: u64,
}

impl FailedGoal {
    /// The smallest part that fails, along the clauses that came furthest.
    pub fn smallest(&self) -> SmallestFailure {
        let (mut at, mut clause, mut help) = (self, None, None);
        let mut place = self.span;
        let mut attempts = 1;
        loop {
            attempts = attempts.max(at.times);
            help = at.help.clone().or(help);
            if let Some(tried) = at.followed.and_then(|followed| at.clauses.get(followed)) {
                clause = Some(tried.number);
                attempts = attempts.max(tried.times);
                if let Some(inner) = &tried.because {
                    at = inner;
                    place = at.span.or(Some(tried.span));
                    continue;
                }
                if let Some(mismatch) = &tried.mismatch {
                    let label = format!("expects {}, but is called with {}", mismatch.wants, mismatch.given);
                    return SmallestFailure {
                        message: format!("{} fails: {}", at.goal, at.says),
                        place: Some((mismatch.span, label)),
                        called: place,
                        given: Some(mismatch.given.clone()),
                        help,
                        clause,
                        attempts,
                    };
                }
            }
            match at.parts.first() {
                Some(part) => {
                    at = part;
                    place = at.span.or(place);
                }
                None => break,
            }
        }
        let message = match at.says.is_empty() {
            true => format!("{} fails", at.goal),
            false => format!("{} fails: {}", at.goal, at.says),
        };
        let label = match at.says.as_str() {
            says if says.is_empty() || says.len() > LABEL => "this fails".to_string(),
            says => says.to_string(),
        };
        SmallestFailure {
            message,
            place: place.map(|span| (span, label)),
            called: None,
            given: None,
            help,
            clause,
            attempts,
        }
    }
}
