//! Proofs of goals as data, and for failed goals the point of failure in each clause.

use super::data::Place;
use alphorn_prolog::reason::failing::{self, GoalMark};
use alphorn_prolog::reason::proof;
use alphorn_text::source::{Sources, Span};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A goal with its proof.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Proof {
    /// The goal with its bindings; a very long goal is shortened.
    pub goal: String,
    /// Whether `goal` shows the bindings of the call, because the goal does not hold with the later bindings.
    pub as_called: bool,
    /// The place of the goal in the text; null if the goal is not in a text.
    pub place: Option<Place>,
    /// The kind of the proof.
    pub by: ProvedBy,
    /// The clause that proves the goal; null if no clause does.
    pub clause: Option<Clause>,
    /// The number of solutions that were gathered; null unless `by` is `gathered`.
    pub solutions: Option<usize>,
    /// The proofs of the goals on which this goal rests.
    #[serde(serialize_with = "deep")]
    pub parts: Vec<Proof>,
    /// The number of goals below this goal that are left out.
    pub folded: usize,
}

/// The kind of a proof: what proves the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ProvedBy {
    /// A clause of the predicate proves the goal.
    Clause,
    /// The goal is a builtin.
    Builtin,
    /// The goal calls a library predicate.
    Library,
    /// The table of the predicate contains the goal.
    Table,
    /// The first alternative of a disjunction holds.
    First,
    /// The second alternative of a disjunction holds.
    Second,
    /// The condition of an if-then-else holds, and so does its first branch.
    Then,
    /// The condition of an if-then-else does not hold, but its second branch does.
    Else,
    /// The goal is a negation, and the goal that it negates has no proof.
    Refuted,
    /// The goal gathers solutions, such as `findall/3`.
    Gathered,
}

/// A clause that proves a goal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Clause {
    /// The number of the clause in its predicate, from 1.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The number of clauses of the predicate.
    #[schemars(range(min = 1))]
    pub of: usize,
    /// The place of the head of the clause; null if Alphorn does not keep the text.
    pub place: Option<Place>,
}

/// A clause that a proof uses.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Used {
    /// The name and the arity of the predicate, such as `weigh/5`.
    pub predicate: String,
    /// The number of the clause in its predicate, from 1.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The number of clauses of the predicate.
    #[schemars(range(min = 1))]
    pub of: usize,
    /// The place of the head of the clause; null if Alphorn does not keep the text.
    pub place: Option<Place>,
    /// The number of goals that the clause proves.
    #[schemars(range(min = 1))]
    pub times: u64,
}

/// A goal that fails, with the reason.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Failing {
    /// The goal with its bindings; a very long goal is shortened.
    pub goal: String,
    /// The place of the goal in the text; null if the goal is not in a text.
    pub place: Option<Place>,
    /// The reason, one sentence; empty if the clauses show the reason.
    pub reason: String,
    /// The clauses that were tried: all clauses, or those that got furthest.
    pub clauses: Vec<Tried>,
    /// The number of clauses that are left out because they do not match.
    pub omitted: usize,
    /// The index in `clauses` of the clause that got furthest, from 0; null if there is none.
    pub followed: Option<usize>,
    /// For a negation, the proof of the goal that it negates; otherwise empty.
    pub proof: Vec<Proof>,
    /// The goals that cause the failure, such as the branch that was taken; empty below the depth of the
    /// request.
    pub parts: Vec<Failing>,
    /// Whether the depth of the request leaves out what is below this goal.
    pub cut: bool,
}

/// A clause that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Tried {
    /// The number of the clause in its predicate, from 1.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The head of the clause, as it is written.
    pub head: String,
    /// The place of the head; null if Alphorn does not keep the text.
    pub place: Option<Place>,
    /// The argument of the head that does not match the goal; null if the head matches.
    pub mismatch: Option<Mismatch>,
    /// A remark about the clause, such as that a cut skips it; may be empty.
    pub note: String,
    /// The goals of the body, in the attempt that got furthest.
    pub goals: Vec<Step>,
    /// The number of times that the failing goal was tried: once for each solution of the goals before it.
    pub times: u64,
    /// The reason why the failing goal fails; null if another clause got further, or below the depth of the
    /// request.
    pub because: Option<Box<Failing>>,
}

/// An argument of a head that does not match the argument of the call.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mismatch {
    /// The number of the argument, from 1.
    #[schemars(range(min = 1))]
    pub argument: usize,
    /// The term in the head of the clause.
    pub wants: String,
    /// The term in the call.
    pub given: String,
    /// The part of the argument that differs, such as `argument 2 of pos/2`.
    pub at: String,
    /// The place of that part of the head; null if Alphorn does not keep the text.
    pub place: Option<Place>,
}

/// A goal in the body of a clause that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Step {
    /// The goal with its bindings; a very long goal is shortened.
    pub goal: String,
    /// The place of the goal in the text; null if the goal is not in a text.
    pub place: Option<Place>,
    /// The result of the goal.
    pub mark: Marked,
}

/// The result of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Marked {
    /// The goal holds.
    True,
    /// The goal fails for every solution of the goals before it.
    Failed,
    /// The goal was not reached.
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
