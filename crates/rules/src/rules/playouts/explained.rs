//! Adds to a problem of random play what made the position in which it occurs.
//!
//! The problem gets labels at the symmetry or the move that made the position, and at the goals that
//! fail there.

use crate::rules::fault::RuleFault;
use crate::rules::game::RuleGame;
use crate::rules::misnamed::{misnamed, misnamed_in_opening};
use crate::rules::playouts::PlayoutChecker;
use crate::rules::position::{Position, RuleMove};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;

impl PlayoutChecker<'_> {
    /// The problem with labels at what made the position.
    pub(super) fn explained(&self, problem: Problem, fault: &RuleFault, line: &[RuleMove]) -> Problem {
        let mut problem = self.with_makers(problem, fault, line);
        let (program, contract) = (&self.game.rules.program, self.contract());
        let mut places = problem.labels.iter().map(|(span, _)| *span);
        let odd = places.find_map(|place| misnamed(program, contract, place));
        if let Some((span, name)) = odd {
            problem.labels.retain(|(other, _)| *other != span);
            problem.labels.insert(0, (span, format!("{name} is another argument in the heads of other clauses")));
        } else if line.is_empty()
            && matches!(problem.code, Code::NoMovesNotTerminal | Code::BothOrNeitherToMove)
            && let Some((span, name)) = misnamed_in_opening(program, contract)
        {
            problem.labels.retain(|(other, _)| !other.contains(span));
            problem.labels.insert(0, (span, format!("{name} is another argument in all other terms of this kind")));
        }
        problem
    }

    fn with_makers(&self, mut problem: Problem, fault: &RuleFault, line: &[RuleMove]) -> Problem {
        let own = problem.labels.first().map(|label| label.0);
        if let Some((span, note)) = &self.image {
            let help = problem.help.take().unwrap_or_default();
            if own != Some(*span) {
                problem.labels.push((*span, "this makes the image".to_string()));
            }
            return problem.help(format!("{note}\n{help}"));
        }
        let unanswered = matches!(problem.code, Code::ErrorInGoal | Code::AnswerNotGround | Code::NoMovesNotTerminal)
            || problem.message.contains(" fails");
        let Some(state) = fault.position.clone().map(|state| Position(*state)).filter(|_| unanswered && own.is_some())
        else {
            return problem;
        };
        problem.labels.extend(self.game.failing_parts(&problem, &state));
        let opens = line.is_empty() && self.opening.as_ref() == Some(&state);
        if let Some(opener) = self.game.opener().filter(|span| opens && own != Some(*span)) {
            let maker = self.game.maker_of_position(None, &state).filter(|_| fault.maker.is_none());
            return with_maker(problem.also(opener, "this makes the first position"), maker);
        }
        let Some((last, earlier)) = line.split_last().filter(|(last, _)| last.next == state) else { return problem };
        let before = earlier.last().map_or(self.opening.as_ref(), |mv| Some(&mv.next));
        match before.and_then(|before| self.game.clause_making_move(before, last)).filter(|span| own != Some(*span)) {
            Some(span) => {
                let maker = self.game.maker_of_position(before.map(|before| (before, last)), &state);
                let maker = maker.filter(|_| fault.maker.is_none());
                with_maker(problem.also(span, "this makes the move to this position"), maker)
            }
            None => problem,
        }
    }
}

impl RuleGame {
    /// The goals and heads that keep a predicate from answering in a position, for the problem that this causes. No
    /// place that the problem marks is among them.
    pub fn failing_parts(&self, problem: &Problem, state: &Position) -> Vec<(Span, String)> {
        let contract = &self.rules.contract;
        let fails = |name: &str| problem.message.starts_with(&format!("{name} fails"));
        let asked = match problem.code {
            Code::NoMovesNotTerminal => contract.labelled.or(contract.moves),
            Code::InvalidEvaluation if fails("outcome/2") => contract.outcome,
            Code::InvalidEvaluation if fails("static_eval/2") => contract.static_eval,
            Code::AnswerNotGround if problem.message.starts_with("show/2") => contract.show,
            _ => None,
        };
        // For a predicate that must answer, the smallest part that fails.
        let single = asked.filter(|_| problem.code != Code::NoMovesNotTerminal);
        let culprit = single.and_then(|pred| self.smallest_failing_part(pred, state));
        // If no player has a move, terminal/1 may be wrong.
        let ends = contract.terminal.filter(|_| problem.code == Code::NoMovesNotTerminal);
        let mut places = Vec::new();
        for pred in asked.into_iter().chain(ends) {
            let (_, failed, unmatched) = self.verdict(pred, state);
            places.extend(failed.into_iter().map(|goal| (goal, "this goal fails".to_string())));
            let unmatched = unmatched.into_iter().filter(|_| culprit.is_none());
            places.extend(unmatched.map(|head| (head, "this head matches no call".to_string())));
        }
        let mut found: Vec<(Span, String)> = Vec::new();
        for (span, words) in places.into_iter().chain(culprit.unwrap_or_default()) {
            let mut known = problem.labels.iter().chain(&found).map(|(other, _)| *other);
            if known.all(|other| other != span) {
                found.push((span, words));
            }
        }
        found
    }
}

/// The problem with a label at the place that makes the position, if no other label is there.
fn with_maker(problem: Problem, maker: Option<Span>) -> Problem {
    let is_new = |span: &Span| !problem.labels.iter().any(|(other, _)| other.contains(*span) || span.contains(*other));
    match maker.filter(is_new) {
        Some(span) => problem.also(span, "this builds the position"),
        None => problem,
    }
}
