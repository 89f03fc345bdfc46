//! Reports faults of a game as a whole: no game ends, games begin at their end, a side never moves.
//!
//! The checks use the counts of all random games.

use crate::rules::fault::{FaultKind, RuleFault};
use crate::rules::lacking::head;
use crate::rules::playouts::{MAX_PLIES, PlayoutChecker, ProblemKind};
use crate::rules::position::Position;
use crate::rules::{differing, ragged};
use alphorn_search::game::{Game, ToMove};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::Span;

impl PlayoutChecker<'_> {
    /// Reports that no game came to an end.
    pub(super) fn endless(&mut self) {
        let message = format!("none of {} ended within {MAX_PLIES} plies", plural(self.given_up, "game", "games"));
        let help = "declare the end of the game with terminal(Pos), no_moves(eval) or no_moves(loss); if a game may be \
                    endless, write repetition(draw). for searches";
        let contract = self.contract();
        let place = contract.terminal.or(contract.moves).or(contract.labelled).or(contract.initial);
        let problem = match place {
            Some(pred) => Problem::warning(Code::EndlessPlay, head(&self.game.rules.program, pred), message),
            None => Problem::placeless(Code::EndlessPlay, message).as_warning(),
        };
        self.problems.push(problem.help(help));
    }

    /// Reports that the game is over in every opening.
    pub(super) fn begins(&mut self, openings: &[Position]) {
        let (game, contract) = (self.game, self.contract());
        let over = |state: &Position| matches!(game.to_move(state), Ok(ToMove::Over));
        if !self.problems.is_empty() || !openings.iter().all(over) {
            return;
        }
        let terminal = game.is_terminal(&openings[0]).unwrap_or(false);
        let asked = if terminal { contract.terminal } else { contract.labelled.or(contract.moves) };
        let (holds, failed, unmatched) = asked.map_or_else(Default::default, |pred| game.verdict(pred, &openings[0]));
        let (message, help) = match terminal {
            true => (
                "the game is over in the first position: terminal/1 holds",
                "check this clause, the goals that fail, and the position of initial/1: names, numbers and order of \
                 arguments",
            ),
            false => (
                "no side has a legal move in the first position",
                "check that its clauses match the position of initial/1: names, numbers of arguments, quotes",
            ),
        };
        let wrong = FaultKind::Answer(Code::NoMovesNotTerminal, message.to_string(), help.to_string());
        let fault = self.broken(asked, &openings[0], wrong);
        let opener = game.opener();
        let before = self.problems.len();
        let head = holds.filter(|_| terminal).or(fault.span);
        // A failing goal of a helper is nearer to the mistake than the clause that holds.
        let program = &game.rules.program;
        let within = |goal: &Span| {
            asked.is_some_and(|pred| program.predicate(pred).clauses.iter().any(|clause| clause.span.contains(*goal)))
        };
        let deepest = failed.iter().copied().rfind(|goal| terminal && !within(goal));
        self.report_fault(ProblemKind::Warning, &RuleFault { span: deepest.or(head), ..fault }, &[]);
        if let Some(problem) = self.problems.get_mut(before) {
            if let (Some(head), Some(_)) = (head, deepest) {
                problem.labels.push((head, "this clause holds".to_string()));
            }
            let places = failed.into_iter().map(|goal| (goal, "this goal fails"));
            let places = places.chain(unmatched.into_iter().map(|head| (head, "this head matches no call")));
            let places = places.chain(opener.map(|opener| (opener, "this makes the first position")));
            for (span, words) in places {
                if problem.labels.iter().all(|(other, _)| *other != span) {
                    problem.labels.push((span, words.to_string()));
                }
            }
        }
    }

    /// Reports positions of expectations that differ from all others, and such a first position.
    pub(super) fn odd_positions(&mut self) {
        let rules = &self.game.rules;
        let mut found = ragged::check(&rules.program, &rules.contract, &self.positions);
        found.extend(differing::check(&rules.program, &rules.contract, (&self.positions, self.ended > 0)));
        // A row may be in a list that differs.
        for problem in found {
            let place = problem.labels[0].0;
            let is_told = |other: &Problem| other.labels.first().is_some_and(|label| label.0.contains(place));
            if !self.problems.iter().any(is_told) {
                self.problems.push(problem);
            }
        }
    }

    /// Reports a side that is never to move although a predicate defines its turn.
    pub(super) fn idle_side(&mut self) {
        let contract = *self.contract();
        let sides = [("max_to_move/1", contract.max_to_move), ("min_to_move/1", contract.min_to_move)];
        for ((name, pred), turns) in sides.into_iter().zip(self.turns) {
            let Some(pred) = pred.filter(|_| turns == 0 && self.longest > 1 && self.problems.is_empty()) else {
                continue;
            };
            let message = format!("{name} held in no position of the random games");
            let help = "check that its head matches the positions that moves give: names, numbers of arguments, quotes";
            self.problems.push(
                Problem::warning(Code::BothOrNeitherToMove, head(&self.game.rules.program, pred), message).help(help),
            );
        }
    }
}
