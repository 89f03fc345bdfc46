//! Why a goal fails, as plain data.
//!
//! In: what `explain` finds. Out: [`FailedGoal`], and from it the smallest part that fails, with its
//! place. Must not know how it was found, or how it is shown; the session hands it on.

use crate::reason::proof::ProofTree;
use alphorn_text::source::Span;
use alphorn_text::symbol::AtomText;

/// The words beside a place have so many bytes at most.
const LABEL: usize = 70;

/// A goal that fails, and why.
#[derive(Clone, Debug, Default)]
pub struct FailedGoal {
    /// The goal with its bindings, shortened.
    pub goal: String,
    /// Where it is written.
    pub span: Option<Span>,
    /// Why it fails, as a sentence without a full stop.
    pub says: String,
    /// What to try.
    pub help: Option<String>,
    /// The clauses that were tried: all of them, or those that came nearest.
    pub clauses: Vec<TriedClause>,
    /// How many more do not match, and are not told.
    pub untold: usize,
    /// The clause, from 0 among those told, that came furthest.
    pub followed: Option<usize>,
    /// Where it fails because another goal is true: the proof of that.
    pub proof: Vec<ProofTree>,
    /// The parts that fail, such as the branch that was taken.
    pub parts: Vec<FailedGoal>,
    /// Of a sequence: how often the goal that fails was tried.
    pub times: u64,
    /// Whether it is a goal of the user's.
    pub own: bool,
}

/// A clause that was tried.
#[derive(Clone, Debug)]
pub struct TriedClause {
    /// Its number in its predicate, from 1.
    pub number: usize,
    /// Its head.
    pub span: Span,
    /// The head as it is written.
    pub head: String,
    /// Why the head does not match.
    pub mismatch: Option<HeadMismatch>,
    /// What else is to be said of it, such as that a cut keeps it from being tried.
    pub says: String,
    /// The goals of its body in the attempt that came furthest.
    pub goals: Vec<TriedGoal>,
    /// How often the goal that fails was tried: once for each solution of those before it.
    pub times: u64,
    /// Why that goal fails, where this clause came furthest.
    pub because: Option<Box<FailedGoal>>,
}

/// A goal of a clause that was tried.
#[derive(Clone, Debug)]
pub struct TriedGoal {
    /// The goal with its bindings, shortened.
    pub goal: String,
    /// Where it is written.
    pub span: Option<Span>,
    /// What came of it.
    pub mark: GoalMark,
}

/// What came of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalMark {
    /// It was true.
    True,
    /// It failed, whatever the goals before it gave.
    Failed,
    /// It was not reached.
    Unreached,
}

/// A part of a head that differs from what the predicate is called with.
#[derive(Clone, Debug)]
pub struct HeadMismatch {
    /// The argument, from 1.
    pub argument: usize,
    /// What the clause has there.
    pub wants: String,
    /// What it is called with.
    pub given: String,
    /// Where: `argument 2 of pos/2`.
    pub place: String,
    /// The part of the head.
    pub span: Span,
    /// The two names, where both have one.
    pub names: Option<(AtomText, AtomText)>,
    /// How many arguments do match.
    pub matching: usize,
}

impl HeadMismatch {
    /// `wants a, is given b at argument 2 of pos/2`.
    pub fn told(&self) -> String {
        format!("expects {}, but is called with {} at {}", self.wants, self.given, self.place)
    }
}

/// The smallest part that fails.
#[derive(Clone, Debug)]
pub struct SmallestFailure {
    /// What is wrong with it, as a sentence.
    pub message: String,
    /// Its place, and words for it.
    pub place: Option<(Span, String)>,
    /// The goal that called it, where the place is a head.
    pub called: Option<Span>,
    /// What to try.
    pub help: Option<String>,
    /// The clause whose goal or head it is: its number in its predicate, from 1.
    pub clause: Option<usize>,
    /// Of how many attempts that fail it is the nearest; with one it is the only reason.
    pub attempts: u64,
}

impl FailedGoal {
    /// The smallest part that fails, down the clauses that came furthest.
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
        SmallestFailure { message, place: place.map(|span| (span, label)), called: None, help, clause, attempts }
    }
}
