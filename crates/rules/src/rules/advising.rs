//! The advice of rules: advice tables, `prefer/3`, `prune/2`, `extend/3` and `reduce/3`.
//!
//! For a position, the functions return what the advice of the game says. Wrong advice breaks no
//! rule of the game.

use crate::rules::advice::{AdviceGoal, CompiledTable};
use crate::rules::answer::{length, number};
use crate::rules::ask::{RuleQuery, RuleResult};
use crate::rules::fault::{FaultKind, RuleFault, shown, text};
use crate::rules::game::RuleGame;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::program::PredId;
use alphorn_prolog::machine::Solver;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::TermView;
use alphorn_prolog::term::pack::Packed;
use alphorn_search::advice::filter::MoveFilter;
use alphorn_search::advice::{AdviceError, AdviceTable, FiredRule, ForcingTree, GoalState, consult};
use alphorn_search::game::{Game, Side};
use alphorn_text::code::Code;

/// The greatest number of positions in a forcing tree that only orders moves.
const SMALL_TREE: u64 = 2_000;

/// The greatest number of positions that `sample/2` may name.
const MOST_SAMPLES: usize = 10_000;

/// The greatest number of plies of an extension or a reduction.
const MOST_PLIES: i64 = 64;

/// The advice table of a game of rules.
pub struct RuleAdvice;

/// The table of a game. The caller has checked that there is one.
fn table(game: &RuleGame) -> &CompiledTable {
    game.rules.advice.as_ref().expect("only a game with an advice table is asked for advice")
}

/// A small integer in an answer of a generated predicate.
fn small(solver: &mut dyn Solver, term: Term) -> Option<i64> {
    match solver.store().heap.view(term) {
        TermView::Int(number) => Some(number),
        _ => None,
    }
}

impl AdviceTable<RuleGame> for RuleAdvice {
    type Advice = Packed;

    fn rule(&self, game: &RuleGame, state: &Position) -> RuleResult<Option<FiredRule<Packed>>> {
        let pred = table(game).rule;
        let args = [Some(&state.0), None, None];
        let question = RuleQuery { doing: "consulting the advice table", pred, args: &args, position: Some(state) };
        let mut packer = game.asker.packer();
        let mut fired = None;
        game.asker.each(question, 1, |solver| {
            let (rule, list) = (solver.answer()[0], solver.answer()[1]);
            length(&solver.store().heap, list).map_err(|_| {
                let help = "write a list of advice after then, or bind the list in the condition";
                FaultKind::Answer(
                    Code::AnswerNotGround,
                    "a rule does not give a list of advice".to_string(),
                    help.to_string(),
                )
            })?;
            fired = small(solver, rule);
            game.asker.add_all(&mut packer, solver, list, pred)
        })?;
        Ok(fired.map(|rule| FiredRule { rule: rule as usize, advice: packer.finish().collect() }))
    }

    fn look(&self, game: &RuleGame, advice: &Packed, state: &Position, root: &Position) -> RuleResult<GoalState> {
        let args = [Some(advice), Some(&state.0), Some(&root.0), None];
        let doing = "asking the goals of an advice";
        let question = RuleQuery { doing, pred: table(game).look, args: &args, position: Some(state) };
        let seen = game.asker.first(question, |solver| {
            let seen = solver.answer()[0];
            Ok(small(solver, seen))
        })?;
        Ok(match seen {
            None => GoalState::Lost,
            Some(Some(1)) => GoalState::Better,
            Some(_) => GoalState::Open,
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
    ) -> RuleResult<()> {
        let table = table(game);
        let pred = if ours { table.ours } else { table.theirs };
        let depth = Packed::small(i64::from(depth));
        let args = [Some(advice), Some(&depth), Some(&state.0), None, None];
        let doing = "generating the moves of a piece of advice";
        let question = RuleQuery { doing, pred, args: &args, position: Some(state) };
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

/// A goal of an advice table, to find its first part that fails.
#[derive(Clone, Copy)]
pub enum UnmetGoal<'a> {
    /// The condition of the rule with this number.
    Condition(usize),
    /// The holding-goal of a piece of advice.
    Holding(&'a Packed),
    /// The better-goal of a piece of advice.
    Better(&'a Packed),
}

/// Removes the moves that `prune/2` names. With a focus, also moves that the table does not allow.
#[derive(Clone, Copy)]
pub struct RulePruning {
    /// The side whose moves are limited to those that the table allows.
    pub focus: Option<Side>,
}

impl MoveFilter<RuleGame> for RulePruning {
    fn narrow(&self, game: &RuleGame, state: &Position, moves: &mut Vec<RuleMove>, first: usize) -> RuleResult<bool> {
        let before = moves.len();
        if self.focus.is_some() && moves.len() > first + 1 && game.advised_mover(state)? == self.focus {
            let mut allowed = Vec::new();
            for advice in RuleAdvice.rule(game, state)?.map_or_else(Vec::new, |fired| fired.advice) {
                RuleAdvice.moves(game, &advice, state, 0, true, &mut allowed)?;
            }
            keep_some(moves, first, |mv| Ok(allowed.contains(mv)))?;
        }
        if let Some(pred) = game.rules.contract.prune {
            keep_some(moves, first, |mv| Ok(!game.prunes(pred, state, mv)?))?;
        }
        Ok(moves.len() < before)
    }
}

/// Keeps the moves for which `keep` holds, or all moves if it holds for none.
fn keep_some(moves: &mut Vec<RuleMove>, first: usize, keep: impl Fn(&RuleMove) -> RuleResult<bool>) -> RuleResult<()> {
    let kept = moves[first..].iter().map(keep).collect::<RuleResult<Vec<bool>>>()?;
    if kept.contains(&true) {
        let mut kept = kept.into_iter();
        let mut at = 0;
        moves.retain(|_| {
            at += 1;
            at <= first || kept.next().unwrap_or(true)
        });
    }
    Ok(())
}

impl RuleGame {
    /// The positions that `sample/2` names, with their names.
    pub fn samples(&self) -> RuleResult<Vec<(Packed, Position)>> {
        let Some(pred) = self.rules.contract.sample else { return Ok(Vec::new()) };
        let question = RuleQuery { doing: "calling sample/2", pred, args: &[None, None], position: None };
        let mut packer = self.asker.terms(question, MOST_SAMPLES)?;
        let mut terms = packer.finish();
        let mut found = Vec::new();
        while let (Some(name), Some(state)) = (terms.next(), terms.next()) {
            found.push((name, Position(state)));
        }
        Ok(found)
    }

    /// The number of the piece of advice with a name: the first piece that matches the name.
    pub fn piece(&self, advice: &Packed) -> RuleResult<Option<usize>> {
        let Some(table) = &self.rules.advice else { return Ok(None) };
        let args = [Some(advice), None];
        let question =
            RuleQuery { doing: "looking up a piece of advice", pred: table.piece, args: &args, position: None };
        self.asker.first(question, |solver| {
            let piece = solver.answer()[0];
            Ok(small(solver, piece).map_or(0, |piece| piece as usize))
        })
    }

    /// The text of the first part of a goal that does not hold; `None` if all parts hold, as far as
    /// parts are separated.
    pub fn unmet(&self, goal: UnmetGoal<'_>, state: &Position, root: &Position) -> RuleResult<Option<String>> {
        let Some(table) = &self.rules.advice else { return Ok(None) };
        let nobody = Packed::small(0);
        let doing = "asking the goals of an advice";
        let (of, advice) = match goal {
            UnmetGoal::Condition(rule) => (Some(AdviceGoal::Condition(rule)), &nobody),
            UnmetGoal::Holding(advice) => (self.piece(advice)?.map(AdviceGoal::Holding), advice),
            UnmetGoal::Better(advice) => (self.piece(advice)?.map(AdviceGoal::Better), advice),
        };
        for (number, part) in table.parts.iter().enumerate().filter(|(_, part)| Some(part.of) == of) {
            let number = Packed::small(number as i64);
            let args = [Some(&number), Some(advice), Some(&state.0), Some(&root.0)];
            if !self.asker.holds(RuleQuery { doing, pred: table.part, args: &args, position: Some(state) })? {
                return Ok(Some(part.text.clone()));
            }
        }
        Ok(None)
    }

    /// The number of positions that forcing trees visited to order moves.
    pub fn consulted(&self) -> u64 {
        self.consulted.get()
    }

    /// Whether the game has an advice table for a side.
    pub fn advises(&self, side: Side) -> bool {
        self.rules.advice.is_some() && self.advised.is_none_or(|advised| advised == side)
    }

    /// The side to move, if the table is for it.
    fn advised_mover(&self, state: &Position) -> RuleResult<Option<Side>> {
        if self.rules.advice.is_none() {
            return Ok(None);
        }
        Ok(self.to_move(state)?.side().filter(|us| self.advises(*us)))
    }

    /// The side that the advice table is for; `None` means the side to move.
    pub fn advised(&self) -> Option<Side> {
        self.advised
    }

    /// The weight that `prefer/3` gives to a move; 0 if it gives none.
    pub(super) fn weight(&self, pred: PredId, state: &Position, mv: &RuleMove) -> RuleResult<f64> {
        let args = [Some(&state.0), Some(mv.label()), None];
        let question = RuleQuery { doing: "calling prefer/3", pred, args: &args, position: Some(state) };
        let found = self.asker.first(question, |solver| {
            let weight = solver.answer()[0];
            number(solver, weight).map_err(|message| {
                let help = "the third argument must be a number: a search tries greater numbers first";
                FaultKind::Answer(Code::InvalidEvaluation, format!("prefer/3 {message}"), help.to_string())
            })
        })?;
        Ok(found.unwrap_or(0.0))
    }

    /// Whether `prune/2` removes a move.
    pub(super) fn prunes(&self, pred: PredId, state: &Position, mv: &RuleMove) -> RuleResult<bool> {
        let args = [Some(&state.0), Some(mv.label())];
        self.asker.holds(RuleQuery { doing: "calling prune/2", pred, args: &args, position: Some(state) })
    }

    /// The plies that `extend/3` or `reduce/3` gives to a move; 0 if it gives none.
    pub(super) fn plies(&self, pred: Option<PredId>, state: &Position, mv: &RuleMove) -> RuleResult<i32> {
        let Some(pred) = pred else { return Ok(0) };
        let args = [Some(&state.0), Some(mv.label()), None];
        let doing = if self.rules.contract.extend == Some(pred) { "calling extend/3" } else { "calling reduce/3" };
        let question = RuleQuery { doing, pred, args: &args, position: Some(state) };
        let found = self.asker.first(question, |solver| {
            let plies = solver.answer()[0];
            match small(solver, plies) {
                Some(plies @ 0..=MOST_PLIES) => Ok(plies as i32),
                _ => {
                    let given = match solver.store().heap.view(plies) {
                        TermView::Var(_) => "nothing".to_string(),
                        _ => shown(&solver.store().heap, plies, &self.rules.program.ops, 100),
                    };
                    let indicator = self.rules.program.indicator(pred);
                    let message = format!("{indicator} gives {given}, which is not a number of plies");
                    let help = format!("the third argument must be a whole number from 0 to {MOST_PLIES}");
                    Err(FaultKind::Answer(Code::InvalidEvaluation, message, help))
                }
            }
        })?;
        Ok(found.unwrap_or(0))
    }

    /// Consults the table, if it is for the side to move, with trees of up to `most` positions. On
    /// a fault, the moves of the tree that lead there are added to `line`.
    pub(super) fn check_table(&self, state: &Position, most: u64, line: &mut Vec<RuleMove>) -> RuleResult<()> {
        let Some(us) = self.advised_mover(state)? else { return Ok(()) };
        let said = match consult(self, &RuleAdvice, state, us, most) {
            Ok(said) => said,
            Err(AdviceError::TooLarge { .. }) => return Ok(()),
            Err(AdviceError::Fault { fault, line: more }) => {
                line.extend(more);
                return Err(fault);
            }
        };
        for failed in said.failed {
            if self.piece(&failed.advice)?.is_none() {
                return Err(RuleFault {
                    doing: "consulting the advice table",
                    position: Some(Box::new(state.0.clone())),
                    span: said.rule.map(|rule| table(self).rules[rule - 1].1),
                    wrong: self.nameless(&failed.advice),
                    atoms: false,
                    maker: None,
                });
            }
        }
        Ok(())
    }

    /// The fault of a condition that names undefined advice.
    pub fn nameless(&self, advice: &Packed) -> FaultKind {
        let message = format!("there is no advice {}", text(advice, &self.rules.program.ops, 200));
        let help = "the condition of a rule gives this name; define it with advice/2, or correct the condition";
        FaultKind::Answer(Code::UndefinedAdvice, message, help.to_string())
    }

    /// The first move of the forcing tree that the table gives, if the table is for the side to
    /// move and the tree is small.
    pub(super) fn advised_move(&self, state: &Position) -> RuleResult<Option<RuleMove>> {
        let Some(us) = self.advised_mover(state)? else { return Ok(None) };
        let said = consult(self, &RuleAdvice, state, us, SMALL_TREE);
        self.consulted.set(self.consulted.get() + said.as_ref().map_or(SMALL_TREE, |said| said.nodes));
        match said {
            Ok(said) => Ok(said.chosen.and_then(|(_, tree)| match tree {
                ForcingTree::Ours(mv, _) => Some(mv),
                ForcingTree::Reached | ForcingTree::Theirs(_) => None,
            })),
            Err(AdviceError::TooLarge { .. }) => Ok(None),
            Err(AdviceError::Fault { fault, .. }) => Err(fault),
        }
    }
}
