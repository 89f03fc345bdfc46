//! Explains why a call of a predicate fails: tries its clauses one by one.
//!
//! A [`FailedGoal`] contains the result of each clause. The clause that came furthest is followed.
//! Only `reason` uses this module.

use crate::machine::fault::Fault;
use crate::reason::alike::TwinResult;
use crate::reason::body::{Body, Frame, GoalForm, GoalId};
use crate::reason::explain::{ExplanationPath, GoalToTry, SequenceResult, error_as_none};
use crate::reason::failing::{FailedGoal, TriedClause};
use crate::reason::prover::Prover;
use crate::term::Term;
use crate::term::pack::Packed;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::PredId;
use std::rc::Rc;

impl Prover {
    /// Tries the clauses of a predicate one by one.
    pub(super) fn clauses(
        &mut self,
        told: FailedGoal,
        pred: PredId,
        args: &[Term],
        indicator: &str,
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let count = self.program.predicate(pred).clauses.len();
        if count == 0 {
            return Ok(FailedGoal { says: format!("{indicator} has no clause"), ..told });
        }
        let (mut tried, mut best, committed) = self.try_each(pred, count, args, way.detail.text)?;
        let alike = match way.twin.take() {
            Some(twin) if !committed && best.is_some() => self.alike(pred, args, &twin, way.detail.text)?,
            _ => None,
        };
        // If `alike` says nothing new, other ways to a nearer reason are tried.
        let same = |alike: &TwinResult, (at, deep, _): &FurthestClause| {
            (alike.clause, alike.came.failed.as_ref().map(|failed| failed.1)) == (*at, Some(*deep))
        };
        if let (Some(alike), Some(before)) = (alike, &best) {
            way.twin = alike.twin.clone();
            if !same(&alike, before)
                && let Some((goal, deep, vars)) = alike.came.failed
            {
                (tried[alike.clause].goals, tried[alike.clause].times) = (alike.came.steps, alike.came.times);
                let reached = Reached { body: alike.body, goal, vars };
                return self.concluded(told, tried, Some((alike.clause, deep, reached)), indicator, way);
            }
        }
        // A goal that fails once may name what was asked for, if it has two branches.
        let chooses =
            |reached: &Reached| matches!(reached.body.form(reached.goal), GoalForm::If(..) | GoalForm::Or(..));
        if let Some((at, deep, reached)) = &mut best
            && (tried[*at].times > 1 || chooses(reached))
            && let Some(came) = self.nearer(&reached.body, args, *deep, way.detail.text)?
            && let Some((goal, _, vars)) = came.failed
        {
            (tried[*at].goals, tried[*at].times) = (came.steps, came.times);
            (reached.goal, reached.vars) = (goal, vars);
            way.twin = None;
        }
        self.concluded(told, tried, best, indicator, way)
    }

    /// Tries all clauses. Also returns the clause that came furthest, and whether a cut was executed.
    fn try_each(
        &mut self,
        pred: PredId,
        count: usize,
        args: &[Term],
        text: usize,
    ) -> Result<(Vec<TriedClause>, Option<FurthestClause>, bool), Fault> {
        let mut tried: Vec<TriedClause> = Vec::new();
        let mut best: Option<FurthestClause> = None;
        let mut committed: Option<usize> = None;
        for at in 0..count {
            let body = self.body(pred, at);
            let by = committed;
            let (row, came) = self.attempt(|prover| prover.try_clause(&body, at, (args, by), text))?;
            if let Some(came) = came {
                if came.committed {
                    committed = Some(at + 1);
                }
                if let Some((goal, deep, vars)) = came.failed
                    && best.as_ref().is_none_or(|(_, deepest, _)| *deepest < deep)
                {
                    best = Some((at, deep, Reached { body, goal, vars }));
                }
            }
            tried.push(row);
        }
        Ok((tried, best, committed.is_some()))
    }

    /// Tries one clause. `committed` is the number of an earlier clause whose cut was executed.
    fn try_clause(
        &mut self,
        body: &Rc<Body>,
        at: usize,
        (args, committed): (&[Term], Option<usize>),
        text: usize,
    ) -> Result<(TriedClause, Option<SequenceResult>), Fault> {
        let goals = GoalToTry::all(&body.sequence(body.root));
        let frame = Rc::new(Frame::fresh(body, &mut self.store.heap));
        let node = body.head;
        let head = frame.build(&mut self.store.heap, node);
        let mut row = TriedClause {
            number: at + 1,
            span: body.tree().span(node),
            head: self.text(Some(&frame), head, 1200, text),
            mismatch: self.mismatch(&frame, node, args, text)?,
            says: String::new(),
            goals: Vec::new(),
            times: 0,
            because: None,
        };
        if row.mismatch.is_some() {
            return Ok((row, None));
        }
        let would = |prover: &mut Self, no_cuts| {
            let watched = prover.watched(&frame, &goals, no_cuts).map(|(_, found)| found);
            error_as_none(watched).map(|found| found.unwrap_or(false))
        };
        if let Some(by) = committed {
            let also = if would(self, false)? { ", and it would succeed" } else { "" };
            row.says = format!("not tried because of the cut in clause {by}{also}");
            return Ok((row, None));
        }
        let came = self.try_sequence(&frame, &goals, false, text)?;
        row.goals = came.steps.clone();
        row.times = came.times;
        if came.committed && !came.succeeded && would(self, true)? {
            row.says = "the cut discards other solutions of the goals before it; \
                        with one of them the clause would succeed"
                .into();
        }
        Ok((row, Some(came)))
    }

    /// Follows the clause that came furthest, or reports the nearest head.
    fn concluded(
        &mut self,
        mut told: FailedGoal,
        mut tried: Vec<TriedClause>,
        best: Option<FurthestClause>,
        indicator: &str,
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let followed = match best {
            Some((at, _, reached)) => {
                let frame = Rc::new(Frame { body: reached.body, vars: Vec::new() });
                tried[at].because = Some(Box::new(self.explain_at(&frame, reached.goal, &reached.vars, way)?));
                told.says = match tried[at].times {
                    0 | 1 => format!("clause {} of {indicator} gets furthest", at + 1),
                    times => {
                        format!("clause {} of {indicator} gets furthest, and its goal fails {times} times", at + 1)
                    }
                };
                if let Some(cut) = tried.iter().find(|row| row.says.ends_with("succeed")) {
                    let words = match cut.number == at + 1 {
                        true => cut.says.clone(),
                        false => {
                            format!("clause {} would succeed, but the cut in clause {} excludes it", cut.number, at + 1)
                        }
                    };
                    told.says = format!("{}; {words}", told.says);
                    told.help = Some(words);
                }
                at
            }
            None => {
                let at = nearest_head(&tried);
                told.says = heads(&tried, at, indicator);
                told.help = slip(&tried, at);
                at
            }
        };
        let (rows, kept) = fewer(tried, followed, way.detail.clauses);
        told.untold = rows.1;
        told.clauses = rows.0;
        told.followed = Some(kept);
        Ok(told)
    }
}

/// The goal at which the furthest attempt failed.
struct Reached {
    body: Rc<Body>,
    goal: GoalId,
    vars: Packed,
}

/// The index of the clause that came furthest, how deep it came, and the goal that failed.
type FurthestClause = (usize, usize, Reached);

/// The clause with the nearest head: most matching arguments, then a slip in a name.
fn nearest_head(tried: &[TriedClause]) -> usize {
    let rank = |row: &TriedClause| {
        let Some(mismatch) = &row.mismatch else { return (0, 0, 0) };
        let near = meant_name(tried, row).is_some();
        (mismatch.matching, usize::from(near), mismatch.argument)
    };
    let best = tried.iter().map(rank).max().unwrap_or_default();
    tried.iter().position(|row| rank(row) == best).unwrap_or(0)
}

/// What the heads expect, if none matches.
fn heads(tried: &[TriedClause], at: usize, indicator: &str) -> String {
    let Some(nearest) = &tried[at].mismatch else { return format!("no clause of {indicator} is true") };
    if tried.len() == 1 {
        return format!("the only clause of {indicator} {}", nearest.mismatch_text());
    }
    let mismatches: Vec<_> = tried.iter().filter_map(|row| row.mismatch.as_ref()).collect();
    let alike = mismatches.iter().all(|other| other.place == nearest.place && other.given == nearest.given);
    if !alike {
        return format!(
            "no clause of {indicator} matches; the nearest one, clause {}, {}",
            at + 1,
            nearest.mismatch_text()
        );
    }
    let mut wanted: Vec<&str> = Vec::new();
    for mismatch in mismatches {
        if !wanted.contains(&mismatch.wants.as_str()) {
            wanted.push(&mismatch.wants);
        }
    }
    let more = if wanted.len() > 6 { ", ..." } else { "" };
    wanted.truncate(6);
    format!("no clause has {} at {}; they have {}{more}", nearest.given, nearest.place, wanted.join(", "))
}

/// Help such as `did you mean blue?`.
fn slip(tried: &[TriedClause], at: usize) -> Option<String> {
    meant_name(tried, &tried[at]).map(|near| format!("did you mean {near}?"))
}

/// The name that was probably meant: a similar one, if no clause has the given name.
fn meant_name<'a>(tried: &[TriedClause], row: &'a TriedClause) -> Option<&'a str> {
    let (wants, given) = row.mismatch.as_ref()?.names.as_ref()?;
    let known = |other: &TriedClause| {
        other
            .mismatch
            .as_ref()
            .is_none_or(|mismatch| mismatch.names.as_ref().is_some_and(|(wants, _)| **wants == **given))
    };
    let typed = given.chars().count() > 2 && !tried.iter().any(known);
    nearest(given, [&**wants]).filter(|_| typed)
}

/// The clauses to list, the number of the others, and the index of the followed clause.
fn fewer(tried: Vec<TriedClause>, followed: usize, most: usize) -> ((Vec<TriedClause>, usize), usize) {
    let all = tried.len();
    let mut left = most;
    let mut kept = 0;
    let mut rows = Vec::new();
    for (at, row) in tried.into_iter().enumerate() {
        let keeps = at == followed || row.mismatch.is_none() && rows.len() < 50 || left > 0;
        if !keeps {
            continue;
        }
        left = left.saturating_sub(1);
        if at == followed {
            kept = rows.len();
        }
        rows.push(row);
    }
    let untold = all - rows.len();
    ((rows, untold), kept)
}
