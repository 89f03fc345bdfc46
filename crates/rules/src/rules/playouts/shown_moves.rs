//! Checks the texts of moves during random play.
//!
//! Two moves of a position need different texts. A text with a whole term of the label, such as `redon(1)` for
//! `put(red, on(1))`, comes from a head that takes the label apart in another form than it is made.

use crate::rules::ask::RuleQuery;
use crate::rules::fault::{FaultKind, text};
use crate::rules::heads::heads;
use crate::rules::lacking::head;
use crate::rules::playouts::shown_texts::{NO_VALUE, ShownTexts, unbound_in};
use crate::rules::playouts::{PlayoutChecker, ProblemKind};
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::Clause;
use alphorn_prolog::term::pack::Packed;
use alphorn_search::game::{Game, ToMove};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use rustc_hash::FxHashMap;

/// The greatest length of a text that is looked at, in bytes.
const LONGEST: usize = 100;

/// With fewer moves, rules may be for rare moves only.
const OFTEN: u64 = 10;

impl PlayoutChecker<'_> {
    /// Checks the texts of the moves of a position.
    pub(super) fn shown_moves(&mut self, state: &Position, line: &[RuleMove]) -> Option<()> {
        let pred = self.game.rules.contract.shown_move;
        if pred.is_none() || self.asked(self.game.to_move(state), line)? == ToMove::Over {
            return Some(());
        }
        let mut texts: FxHashMap<Packed, Packed> = FxHashMap::default();
        let written = |packed: &Packed| text(packed, &self.game.rules.program.ops, LONGEST);
        for mv in self.asked(self.game.legal_moves(state), line)? {
            let label = mv.label();
            let shown = self.game.output_of("calling shown_move/3", pred, &[&state.0, label]);
            self.texts.asked += 1;
            let Some(shown) = self.asked(shown, line)? else { continue };
            self.texts.given += 1;
            let other = texts.insert(shown.clone(), label.clone()).filter(|other| other != label);
            let (own, label_text) = (written(&shown), written(label));
            let (message, help) = if let Some(other) = other {
                let other = written(&other);
                let message = format!("two moves are shown as {own}");
                let help = format!(
                    "their labels are {other} and {label_text}: this text does not identify one of them; write a text \
                     that shows the difference"
                );
                (message, help)
            } else if let Some(variable) = unbound_in(&shown, &self.game.rules.program) {
                (format!("the label {label_text} is shown as {own}: {variable} has no value"), NO_VALUE.to_string())
            } else if let Some(part) = part_in(&own, &label_text) {
                let message = format!("the label {label_text} is shown as {own}, with the term {part} as it is");
                (message, format!("take {part} apart too, or write its parts as a text"))
            } else {
                continue;
            };
            let wrong = FaultKind::Answer(Code::DuplicateLabel, message, help);
            let mut fault = self.broken(pred, state, wrong);
            let args = [Some(&state.0), Some(label), None];
            let question = pred.map(|pred| RuleQuery { doing: "", pred, args: &args, position: None });
            fault.span = question.and_then(|question| self.game.asker.answering(question, 0)).or(fault.span);
            self.report_fault(ProblemKind::Warning, &fault, line);
            break;
        }
        Some(())
    }

    /// Reports a `shown_move/3` that gave a text for no move.
    pub(super) fn no_texts(&mut self) {
        let &ShownTexts { given, asked } = &self.texts;
        let Some(pred) = self.contract().shown_move else { return };
        let program = &self.game.rules.program;
        // A head for one kind of moves leaves the others to their labels.
        let is_open = |(clause, label): (&Clause, NodeId)| matches!(clause.tree.kind(label), TermKind::Var(_));
        if given > 0 || asked < OFTEN || !self.problems.is_empty() || !heads(program, pred, 1).any(is_open) {
            return;
        }
        let message = format!("shown_move/3 gave no text for any of {asked} moves");
        let help = "compare its heads and its goals with the labels of the moves: alphorn whynot FILE GOAL";
        let place = head(program, pred);
        self.problems.push(Problem::warning(Code::GoalNeverSucceeds, place, message).help(help));
    }
}

/// A compound term in the text of a move that is a part of its label, but not the whole label.
fn part_in<'a>(shown: &'a str, label: &str) -> Option<&'a str> {
    if shown.contains(label) {
        return None;
    }
    let open = shown.find('(')?;
    let close = open + shown[open..].find(')')?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let begin =
        shown[..open].rfind(|c| !is_name(c)).map_or(0, |at| at + shown[at..].chars().next().map_or(1, char::len_utf8));
    // The text before the name may be glued to it.
    let starts = shown[begin..open].char_indices().map(|(at, _)| begin + at);
    starts.map(|at| &shown[at..=close]).find(|part| {
        let mut places = label.match_indices(part).map(|(at, _)| at);
        places.any(|at| !label[..at].ends_with(is_name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_term_of_the_label_in_its_text() {
        assert_eq!(part_in("redon(1)", "put(r,on(1))"), Some("on(1)"));
        assert_eq!(part_in("'a to on(1)'", "put(a,on(1))"), Some("on(1)"));
        assert_eq!(part_in("put(r,on(1))", "put(r,on(1))"), None);
        assert_eq!(part_in("'1 (red)'", "put(1,red)"), None);
        assert_eq!(part_in("a1a2", "go(a1,a2)"), None);
        assert_eq!(part_in("(", "go(a1,a2)"), None);
        assert_eq!(part_in("a(1)", "data(1)"), None);
    }
}
