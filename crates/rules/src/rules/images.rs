//! The images of a position under its symmetries, and checks of symmetry and notation during random play.
//!
//! A problem reports an image with another value than its position, or a notation that is not read
//! back as the same position. `playouts` calls these checks.

use crate::rules::ask::{RuleQuery, RuleResult};
use crate::rules::evaluation::RuleEval;
use crate::rules::fault::{FaultKind, RuleFault, text};
use crate::rules::game::RuleGame;
use crate::rules::lacking::head;
use crate::rules::playouts::{PlayoutChecker, ProblemKind};
use crate::rules::position::{Position, RuleMove};
use crate::rules::worth::PositionWorth;
use alphorn_lang::lang::program::PredId;
use alphorn_prolog::term::pack::Packed;
use alphorn_search::game::{Game, Heuristic, ToMove};
use alphorn_text::code::Code;

/// The length from which a notation is not read back, in bytes.
const LONGEST_NOTATION: usize = 1 << 12;

impl RuleGame {
    /// The least of a position and its images, in the order of their packed words.
    pub(super) fn least_image(&self, state: &Position, pred: PredId) -> RuleResult<Position> {
        let images = self.images(state, pred)?.into_iter().map(|image| image.0);
        Ok(images.min().filter(|least| *least < state.0).map_or_else(|| state.clone(), Position))
    }

    /// All images of a position under the symmetry `pred`.
    pub(super) fn images(&self, state: &Position, pred: PredId) -> RuleResult<Vec<Position>> {
        let args = [Some(&state.0), None];
        let question =
            RuleQuery { doing: "generating the symmetric positions", pred, args: &args, position: Some(state) };
        Ok(self.asker.terms(question, usize::MAX)?.finish().map(Position).collect())
    }
}

impl PlayoutChecker<'_> {
    /// Checks that all images have the value of the position, and that `canonical/2` keeps its answer.
    pub(super) fn images(
        &mut self,
        state: &Position,
        worth: PositionWorth,
        over: bool,
        line: &[RuleMove],
    ) -> Option<()> {
        let contract = *self.contract();
        if let Some(pred) = contract.symmetry {
            for image in self.asked(self.game.images(state, pred), line)? {
                self.image(("symmetry/2", pred), (state, &image), (worth, over), line)?;
            }
        }
        let Some(pred) = contract.canonical else { return Some(()) };
        let canonical = |state: &Position| {
            let found = self.game.output_of("calling canonical/2", Some(pred), &[&state.0])?;
            Ok(found.map(Position))
        };
        let found = canonical(state);
        let again = found.as_ref().map_or(Ok(None), |image| image.as_ref().map_or(Ok(None), canonical));
        let Some(image) = self.asked(found, line)? else { return Some(()) };
        self.image(("canonical/2", pred), (state, &image), (worth, over), line)?;
        if let Some(other) = self.asked(again, line)?.filter(|other| *other != image) {
            let ops = &self.game.rules.program.ops;
            let message = "canonical/2 changes its own answer";
            let help = format!(
                "for {} it gives {}, and for this position {}: give one position for all, such as the least image",
                text(&state.0, ops, 200),
                text(&image.0, ops, 200),
                text(&other.0, ops, 200)
            );
            let wrong = FaultKind::Answer(Code::SymmetryChangesValue, message.to_string(), help);
            self.report_fault(ProblemKind::Warning, &self.broken(Some(pred), state, wrong), line);
        }
        Some(())
    }

    /// Checks that an image has the value of its position.
    fn image(
        &mut self,
        (name, pred): (&str, PredId),
        (state, image): (&Position, &Position),
        (worth, over): (PositionWorth, bool),
        line: &[RuleMove],
    ) -> Option<()> {
        let answered = self.worth_of_image(image, (worth, over));
        let maker = || self.game.clause_making_image(pred, state, image).or(Some(head(&self.game.rules.program, pred)));
        if answered.is_err() {
            let shown = text(&state.0, &self.game.rules.program.ops, 400);
            let note = format!("this position is the image that {name} gives for {shown}");
            self.image = maker().map(|span| (span, note));
        }
        let answered = self.asked(answered, line);
        self.image = None;
        let (other, other_over) = answered?;
        if other != worth || other_over != over {
            let shown = text(&image.0, &self.game.rules.program.ops, 200);
            let message = match other_over == over {
                true => format!("{name} changes the value of a position from {worth} to {other}"),
                false => format!("{name} maps a position that is over to one that is not, or the reverse"),
            };
            let help = format!(
                "its image is {shown}; both must have the same value: correct {name}, or the rule that distinguishes them"
            );
            let fault = self.broken(Some(pred), state, FaultKind::Answer(Code::SymmetryChangesValue, message, help));
            self.fault(&RuleFault { span: maker().or(fault.span), ..fault }, line);
        }
        Some(())
    }

    /// The worth of an image of a position, and whether the game is over there. If only one of the two positions is over,
    /// the worth of the image is not asked for.
    fn worth_of_image(
        &self,
        image: &Position,
        (worth, over): (PositionWorth, bool),
    ) -> RuleResult<(PositionWorth, bool)> {
        let game = self.game;
        let other_over = game.to_move(image)? == ToMove::Over;
        if other_over != over {
            return Ok((worth, other_over));
        }
        let result = if over { game.result(image)? } else { None };
        let worth = match result {
            Some(result) => PositionWorth::Result(result),
            None => PositionWorth::Value(RuleEval.evaluate(game, image)?),
        };
        Ok((worth, over))
    }

    /// Checks that `read_position/2` reads what `write_position/2` writes, as the same position.
    pub(super) fn read_back(&mut self, state: &Position, written: &Packed, line: &[RuleMove]) -> Option<()> {
        let pred = self.contract().read_position?;
        let ops = &self.game.rules.program.ops;
        let notation =
            written.as_atom().map_or_else(|| text(written, ops, LONGEST_NOTATION), |atom| atom.name().to_string());
        if notation.len() >= LONGEST_NOTATION {
            return Some(());
        }
        let atom = Packed::text(&notation);
        let read = self.asked(self.game.output_of("reading a position", Some(pred), &[&atom]), line)?;
        let (message, help) = match read {
            Some(read) if read == state.0 => return Some(()),
            Some(read) => (
                "read_position/2 reads another position than write_position/2 wrote",
                format!("it reads {notation} as {}", text(&read, ops, 400)),
            ),
            None => ("read_position/2 cannot read what write_position/2 writes", format!("it fails for {notation}")),
        };
        let wrong = FaultKind::Answer(Code::NotationNotReadBack, message.to_string(), help);
        self.report_fault(ProblemKind::Warning, &self.broken(Some(pred), state, wrong), line);
        Some(())
    }
}
