//! Proofs of goals as data, and for failed goals the point of failure in each clause.

use super::data::Place;
use alphorn_prolog::reason::failing::{self, GoalMark};
use alphorn_prolog::reason::proof;
use alphorn_text::source::{Sources, Span};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A goal of a proof.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Proof {
    /// the goal with its bindings, shortened if it is very long
    pub goal: String,
    /// the text is that of the goal when it was called, because it is not true of what its variables were bound to later
    pub as_called: bool,
    /// where it is written; null if nowhere
    pub place: Option<Place>,
    /// what proves it
    pub by: ProvedBy,
    /// the clause; null unless it is proved by one
    pub clause: Option<Clause>,
    /// how many solutions were gathered; null unless some were
    pub solutions: Option<usize>,
    /// the goals that it rests on
    #[serde(serialize_with = "deep")]
    pub parts: Vec<Proof>,
    /// goals below it that are left out
    pub folded: usize,
}

/// What proves a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ProvedBy {
    /// A clause of its predicate.
    Clause,
    /// The machine.
    Builtin,
    /// A library predicate.
    Library,
    /// The table of its predicate.
    Table,
    /// The first alternative.
    First,
    /// The second alternative.
    Second,
    /// The branch for a condition that is true.
    Then,
    /// The branch for a condition that is false.
    Else,
    /// Nothing proves what it negates.
    Refuted,
    /// The solutions that were gathered.
    Gathered,
}

/// A clause that proves a goal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Clause {
    /// number of the clause in its predicate, from 1
    #[schemars(range(min = 1))]
    pub number: usize,
    /// clauses of the predicate
    #[schemars(range(min = 1))]
    pub of: usize,
    /// its head; null if its text is not kept
    pub place: Option<Place>,
}

/// A clause that a proof uses.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Used {
    /// name and arity of its predicate, such as `weigh/5`
    pub predicate: String,
    /// number of the clause in its predicate, from 1
    #[schemars(range(min = 1))]
    pub number: usize,
    /// clauses of that predicate
    #[schemars(range(min = 1))]
    pub of: usize,
    /// where its head is written; null if its text is not kept
    pub place: Option<Place>,
    /// goals that it proves
    #[schemars(range(min = 1))]
    pub times: u64,
}

/// A goal that fails.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Failing {
    /// the goal with its bindings, shortened if it is very long
    pub goal: String,
    /// where it is written; null if nowhere
    pub place: Option<Place>,
    /// why it fails; empty if the clauses say it
    pub reason: String,
    /// the clauses that were tried: all of them, or those that came nearest
    pub clauses: Vec<Tried>,
    /// clauses that do not match and are left out
    pub omitted: usize,
    /// which of `clauses` came furthest, from 0; null if none did
    pub followed: Option<usize>,
    /// the proof of what is true and should not be
    pub proof: Vec<Proof>,
    /// the goals that it fails for, such as the branch that was taken; empty below the depth asked for
    pub parts: Vec<Failing>,
    /// what is below it was left out because of the depth asked for
    pub cut: bool,
}

/// A clause that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Tried {
    /// number of the clause in its predicate, from 1
    #[schemars(range(min = 1))]
    pub number: usize,
    /// the head as it is written
    pub head: String,
    /// where the head is written; null if its text is not kept
    pub place: Option<Place>,
    /// why the head does not match; null if it does
    pub mismatch: Option<Mismatch>,
    /// what else is to be said of it, such as that a cut keeps it from being tried; may be empty
    pub note: String,
    /// the goals of its body in the attempt that came furthest
    pub goals: Vec<Step>,
    /// how often the goal that fails was tried: once for each solution of the goals before it
    pub times: u64,
    /// why that goal fails, if this clause came furthest; otherwise, and below the depth asked for, null
    pub because: Option<Box<Failing>>,
}

/// A part of a head that differs from what the predicate is called with.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mismatch {
    /// number of the argument, from 1
    #[schemars(range(min = 1))]
    pub argument: usize,
    /// what the clause has there
    pub wants: String,
    /// what it is called with
    pub given: String,
    /// which part, such as `argument 2 of pos/2`
    pub at: String,
    /// where that part of the head is written; null if its text is not kept
    pub place: Option<Place>,
}

/// A goal of a clause that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Step {
    /// the goal with its bindings, shortened if it is very long
    pub goal: String,
    /// where it is written; null if nowhere
    pub place: Option<Place>,
    /// what came of it
    pub mark: Marked,
}

/// What came of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Marked {
    /// It was true.
    True,
    /// It failed, whatever the goals before it gave.
    Failed,
    /// It was not reached.
    Unreached,
}

/// Runs a recursive call with enough stack for one more level.
fn with_room<T>(level: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 4 << 20, level)
}

fn deep<S: Serializer>(parts: &[Proof], serializer: S) -> Result<S::Ok, S::Error> {
    with_room(|| parts.serialize(serializer))
}

fn place(span: Option<Span>, texts: &Sources) -> Option<Place> {
    Place::of(span?, "", texts)
}

/// Converts proofs.
pub fn proofs(proofs: &[proof::ProofTree], texts: &Sources) -> Vec<Proof> {
    with_room(|| proofs.iter().map(|proof| Proof::of(proof, texts)).collect())
}

impl Proof {
    fn of(proof: &proof::ProofTree, texts: &Sources) -> Proof {
        let (mut clause, mut solutions) = (None, None);
        let by = match &proof.by {
            proof::ProvedBy::Clause(span, number, of) => {
                clause = Some(Clause { number: *number, of: *of, place: place(Some(*span), texts) });
                ProvedBy::Clause
            }
            proof::ProvedBy::Builtin => ProvedBy::Builtin,
            proof::ProvedBy::Library => ProvedBy::Library,
            proof::ProvedBy::Table => ProvedBy::Table,
            proof::ProvedBy::Either(true) => ProvedBy::First,
            proof::ProvedBy::Either(false) => ProvedBy::Second,
            proof::ProvedBy::Branch(true) => ProvedBy::Then,
            proof::ProvedBy::Branch(false) => ProvedBy::Else,
            proof::ProvedBy::Refuted => ProvedBy::Refuted,
            proof::ProvedBy::Found(count) => {
                solutions = Some(*count);
                ProvedBy::Gathered
            }
        };
        let proof::ProofTree { goal, as_called, span, parts, folded, .. } = proof;
        let (place, parts) = (place(*span, texts), proofs(parts, texts));
        Proof { goal: goal.clone(), as_called: *as_called, place, by, clause, solutions, parts, folded: *folded }
    }

    /// Whether a part of the proof is left out.
    pub fn is_folded(&self) -> bool {
        self.folded > 0 || self.parts.iter().any(Proof::is_folded)
    }
}

impl Used {
    /// Converts a used clause.
    pub fn of(used: &proof::UsedClause, texts: &Sources) -> Used {
        let proof::UsedClause { predicate, number, of, span, times } = used;
        let (number, of, times) = (*number, *of, *times);
        Used { predicate: predicate.clone(), number, of, place: place(Some(*span), texts), times }
    }
}

impl Failing {
    /// Converts a failed goal down to `depth` levels.
    pub fn of(failing: &failing::FailedGoal, texts: &Sources, depth: usize) -> Failing {
        let cut = depth <= 1 && !(failing.clauses.is_empty() && failing.parts.is_empty());
        let parts = if depth <= 1 { &[][..] } else { &failing.parts };
        Failing {
            goal: failing.goal.clone(),
            place: place(failing.span, texts),
            reason: failing.says.clone(),
            clauses: failing.clauses.iter().map(|tried| Tried::of(tried, texts, depth)).collect(),
            omitted: failing.untold,
            followed: failing.followed,
            proof: proofs(&failing.proof, texts),
            parts: parts.iter().map(|part| Failing::of(part, texts, depth - 1)).collect(),
            cut,
        }
    }
}

impl Tried {
    fn of(tried: &failing::TriedClause, texts: &Sources, depth: usize) -> Tried {
        let mismatch = tried.mismatch.as_ref().map(|mismatch| Mismatch {
            argument: mismatch.argument,
            wants: mismatch.wants.clone(),
            given: mismatch.given.clone(),
            at: mismatch.place.clone(),
            place: place(Some(mismatch.span), texts),
        });
        let goals = tried.goals.iter().map(|step| {
            let mark = match step.mark {
                GoalMark::True => Marked::True,
                GoalMark::Failed => Marked::Failed,
                GoalMark::Unreached => Marked::Unreached,
            };
            Step { goal: step.goal.clone(), place: place(step.span, texts), mark }
        });
        let because = tried.because.as_ref().filter(|_| depth > 1);
        Tried {
            number: tried.number,
            head: tried.head.clone(),
            place: place(Some(tried.span), texts),
            mismatch,
            note: tried.says.clone(),
            goals: goals.collect(),
            times: tried.times,
            because: because.map(|inner| Box::new(Failing::of(inner, texts, depth - 1))),
        }
    }
}
