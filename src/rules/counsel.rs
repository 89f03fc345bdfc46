//! The advice that rules give: by tables, and by `prefer/3`, `prune/2`, `extend/3`, `reduce/3`.
//!
//! In: a game of rules and a position. Out: what its advice says of it. Advice may be wrong without
//! a rule of the game being broken.

use crate::advice::{Counsel, Fired, Look};
use crate::game::Side;
use crate::machine::Solver;
use crate::rules::advice::Table;
use crate::rules::answer::length;
use crate::rules::ask::{Asked, Question};
use crate::rules::fault::Wrong;
use crate::rules::game::RuleGame;
use crate::rules::position::{Position, RuleMove};
use crate::term::Term;
use crate::term::heap::View;
use crate::term::pack::Packed;

/// The advice table of the rules themselves.
pub struct RuleCounsel;

/// The table of a game; whoever asks has seen that there is one.
fn table(game: &RuleGame) -> &Table {
    game.rules.advice.as_ref().expect("only a game with an advice table is asked for advice")
}

/// A number of ours in an answer.
fn small(solver: &mut dyn Solver, term: Term) -> Option<i64> {
    match solver.store().heap.view(term) {
        View::Int(number) => Some(number),
        _ => None,
    }
}

impl Counsel<RuleGame> for RuleCounsel {
    type Advice = Packed;

    fn advised(&self, game: &RuleGame) -> Option<Side> {
        game.advised
    }

    fn rule(&self, game: &RuleGame, state: &Position) -> Asked<Option<Fired<Packed>>> {
        let pred = table(game).rule;
        let args = [Some(&state.0), None, None];
        let question = Question { doing: "asking the advice table", pred, args: &args, position: Some(state) };
        let mut packer = game.asker.packer();
        let mut fired = None;
        game.asker.each(question, 1, |solver| {
            let (rule, list) = (solver.answer()[0], solver.answer()[1]);
            length(&solver.store().heap, list).map_err(|_| {
                let help = "after then stands a list of advice, bound by the condition at the latest";
                Wrong::Answer("A0605", "a rule gives no list of advice".to_string(), help.to_string())
            })?;
            fired = small(solver, rule);
            game.asker.add_all(&mut packer, solver, list, pred)
        })?;
        Ok(fired.map(|rule| Fired { rule: rule as usize, advice: packer.finish().collect() }))
    }

    fn look(&self, game: &RuleGame, advice: &Packed, state: &Position, root: &Position) -> Asked<Look> {
        let args = [Some(advice), Some(&state.0), Some(&root.0), None];
        let doing = "asking the goals of an advice";
        let question = Question { doing, pred: table(game).look, args: &args, position: Some(state) };
        let seen = game.asker.first(question, |solver| {
            let seen = solver.answer()[0];
            Ok(small(solver, seen))
        })?;
        Ok(match seen {
            None => Look::Lost,
            Some(Some(1)) => Look::Better,
            Some(_) => Look::Open,
        })
    }

    fn moves(
        &self,
        game: &RuleGame,
        advice: &Packed,
        state: &Position,
        depth: u32,
        ours: bool,
        moves: &mut Vec<RuleMove>,
    ) -> Asked<()> {
        let table = table(game);
        let pred = if ours { table.ours } else { table.theirs };
        let depth = Packed::small(i64::from(depth));
        let args = [Some(advice), Some(&depth), Some(&state.0), None, None];
        let doing = "asking for the moves of an advice";
        let question = Question { doing, pred, args: &args, position: Some(state) };
        let first = moves.len();
        let mut packer = game.asker.terms(question, usize::MAX)?;
        let mut found = packer.finish();
        while let (Some(label), Some(next)) = (found.next(), found.next()) {
            let next = Position(next);
            let mv = match game.rules.contract.labelled {
                Some(_) => RuleMove::labelled(label, next),
                None if label != next.0 => RuleMove::labelled(label, next),
                None => RuleMove::to(next),
            };
            // A move may be in several classes.
            if !moves[first..].contains(&mv) {
                moves.push(mv);
            }
        }
        Ok(())
    }
}

impl RuleGame {
    /// For whom the advice table is; `None`: for whoever is to move.
    pub fn advised(&self) -> Option<Side> {
        self.advised
    }
}
