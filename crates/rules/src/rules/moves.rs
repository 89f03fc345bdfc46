//! Generates the moves of a position with the rules.
//!
//! The moves keep the order of the rules. With `no_moves(pass)`, a position without a move gives a
//! pass. The moves can also be counted only. The player to move does not matter here.

use crate::rules::answer::length;
use crate::rules::ask::{RuleQuery, RuleResult};
use crate::rules::combined::{OVER, small};
use crate::rules::fault::{RuleFault, text};
use crate::rules::game::{NoMoves, RuleGame};
use crate::rules::lacking::head;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::program::PredId;
use alphorn_prolog::machine::Solver;
use alphorn_prolog::term::pack::Packed;
use alphorn_search::game::RandomSuccessor;
use alphorn_text::code::Code;
use alphorn_text::source::Origin;
use alphorn_text::symbol::Atom;
use std::sync::atomic::Ordering::Relaxed;

/// The greatest length of a position in a suggested command, in bytes.
const TYPED: usize = 2_000;

impl RuleGame {
    /// The fault for a position without a move, if the rules give that no meaning.
    #[cold]
    pub(super) fn no_move(&self, pred: PredId, state: &Position) -> RuleFault {
        let position = text(&state.0, &self.rules.program.ops, TYPED);
        let goal = match self.rules.contract.labelled {
            Some(_) => format!("move({position}, M, N)"),
            None => format!("moves({position}, [_|_])"),
        };
        let help = format!(
            "{}\nif the game is over in this position, let terminal/1 hold, or write no_moves(loss), no_moves(draw), \
             no_moves(pass) or no_moves(eval)",
            self.ask_whynot(&goal)
        );
        let question = RuleQuery { doing: "generating the moves", pred, args: &[], position: Some(state) };
        self.answer_fault(question, Code::NoMovesNotTerminal, "no legal move in a position that is not terminal", &help)
    }

    /// The command that shows why a goal fails.
    pub(super) fn ask_whynot(&self, goal: &str) -> String {
        format!("{} shows which goal fails", self.command_for("whynot", goal))
    }

    /// A command of the shell about a goal of the rules.
    pub fn command_for(&self, command: &str, goal: &str) -> String {
        let program = &self.rules.program;
        let head = self.rules.contract.initial.map(|pred| head(program, pred));
        let source = head.map(|head| program.sources.get(head.source));
        let named = source.filter(|source| matches!(source.origin, Origin::File(_))).map(|source| &*source.name);
        let plain = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || "/._-+".contains(c)) && *name != "-";
        let file = named.filter(plain).unwrap_or("FILE");
        let quoted = match goal.contains('\'') {
            false => format!("'{goal}'"),
            true if !goal.contains(['"', '$', '`', '\\', '!']) => format!("\"{goal}\""),
            true => format!("'{}'", goal.replace('\'', "'\\''")),
        };
        format!("alphorn {command} {file} {quoted}")
    }

    /// Appends the moves that a predicate such as `move/3` gives: their labels and successors.
    pub(super) fn labelled_moves(
        &self,
        doing: &'static str,
        pred: PredId,
        state: &Position,
        moves: &mut Vec<RuleMove>,
    ) -> RuleResult<()> {
        let args = [Some(&state.0), None, None];
        let question = RuleQuery { doing, pred, args: &args, position: Some(state) };
        let mut packer = self.asker.terms(question, usize::MAX)?;
        let mut found = packer.finish();
        while let (Some(label), Some(next)) = (found.next(), found.next()) {
            moves.push(RuleMove::labelled(label, Position(next)));
        }
        Ok(())
    }

    /// Adds the moves in the order of the rules. A position without moves is no fault here.
    pub(super) fn raw_moves(&self, state: &Position, moves: &mut Vec<RuleMove>) -> RuleResult<()> {
        let contract = self.rules.contract;
        let question = |pred, args| RuleQuery { doing: "generating the moves", pred, args, position: Some(state) };
        if let Some(pred) = contract.labelled {
            self.labelled_moves("generating the moves", pred, state, moves)?;
        } else if let Some(pred) = contract.moves {
            let args = [Some(&state.0), None];
            let mut packer = self.asker.packer();
            if self.scout.moves(&self.asker, state, &mut packer, moves) {
                return Ok(());
            }
            self.asker.each(question(pred, &args), 1, |solver| {
                let list = solver.answer()[0];
                self.asker.add_all(&mut packer, solver, list, pred)
            })?;
            moves.extend(packer.finish().map(|next| RuleMove::to(Position(next))));
        }
        Ok(())
    }

    /// The number of moves that the rules give. The moves are checked but not kept.
    pub(super) fn raw_count(&self, state: &Position) -> RuleResult<usize> {
        let contract = self.rules.contract;
        let Some(pred) = contract.labelled.or(contract.moves) else { return Ok(0) };
        if let Some(count) = self.scout.count(&self.asker, state) {
            return Ok(count);
        }
        let args = [Some(&state.0), None, None];
        let (args, limit) = if contract.labelled.is_some() { (&args[..], usize::MAX) } else { (&args[..2], 1) };
        let question = RuleQuery { doing: "generating the moves", pred, args, position: Some(state) };
        let (mut count, mut ground) = (0, None);
        let mut packer = self.asker.packer();
        self.asker.each(question, limit, |solver| {
            let mut solid = |solver: &mut dyn Solver, term| {
                packer.clear();
                self.asker.add(&mut packer, solver, term, pred)
            };
            let first = solver.answer()[0];
            if contract.labelled.is_none() {
                count += length(&solver.store().heap, first)?;
                let mut rest = first;
                while !solver.answers_ground()
                    && let Some((head, tail)) = solver.store().heap.head_and_tail(rest)
                {
                    solid(solver, head)?;
                    rest = tail;
                }
                return Ok(());
            }
            count += 1;
            // The answers of one question come from the same code.
            if !*ground.get_or_insert_with(|| solver.answers_ground()) {
                let second = solver.answer()[1];
                solid(solver, first)?;
                solid(solver, second)?;
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// Adds the legal moves, or the pass of `no_moves(pass)` if there are none.
    pub(super) fn find_moves(&self, state: &Position, moves: &mut Vec<RuleMove>) -> RuleResult<()> {
        let first = moves.len();
        self.raw_moves(state, moves)?;
        if let (true, NoMoves::Pass, Some(pred)) = (moves.len() == first, self.no_moves, self.rules.contract.pass) {
            let args = [Some(&state.0), None];
            let found =
                self.asker.term(RuleQuery { doing: "calling pass/2", pred, args: &args, position: Some(state) })?;
            let label = Packed::atom(Atom::new("pass"));
            moves.extend(found.map(|next| RuleMove::labelled(label, Position(next))));
        }
        Ok(())
    }

    /// Whether a position has moves. Keeps the moves for the next call. For games that end without
    /// moves.
    pub(super) fn has_moves(&self, state: &Position) -> RuleResult<bool> {
        let (recent, moves) = &mut *self.recent.borrow_mut();
        if recent.as_ref() != Some(state) {
            *recent = None;
            moves.clear();
            self.find_moves(state, moves)?;
            *recent = Some(state.clone());
        }
        Ok(!moves.is_empty())
    }

    /// The legal moves, or the pass of `no_moves(pass)`. The list is empty if the game is over, or
    /// if the rules do not say that it is.
    pub fn legal_moves(&self, state: &Position) -> RuleResult<Vec<RuleMove>> {
        if let Some(moves) = self.with_chance_outcomes(state, |throw| throw.moves.clone())? {
            return Ok(moves);
        }
        let mut moves = Vec::new();
        if self.no_moves == NoMoves::Fault {
            self.find_moves(state, &mut moves)?;
        } else if self.has_moves(state)? {
            moves.extend_from_slice(&self.recent.borrow().1);
        }
        Ok(moves)
    }

    /// One random successor, by a combined question: the other successors are not packed, unless they may have
    /// variables. After a fault, single questions follow.
    pub(super) fn random_next(
        &self,
        state: &Position,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> RandomSuccessor<Position> {
        let Some(pred) = self.live.get().map(|questions| questions.turn) else { return RandomSuccessor::Unknown };
        let args = [Some(&state.0), None, None];
        let question = RuleQuery { doing: "asking ahead", pred, args: &args, position: None };
        let mut packer = self.asker.packer();
        let (mut found, mut chosen) = (RandomSuccessor::Unknown, 0);
        let asked = self.asker.each(question, 1, |solver| {
            if small(solver, 0) == Some(OVER) {
                found = RandomSuccessor::Over;
                return Ok(());
            }
            let list = solver.answer()[1];
            let count = length(&solver.store().heap, list)?;
            if count == 0 {
                return Ok(());
            }
            let number = choose(count);
            if !solver.answers_ground() {
                chosen = number;
                return self.asker.add_all(&mut packer, solver, list, pred);
            }
            let (mut rest, mut left) = (list, number);
            while let Some((head, tail)) = solver.store().heap.head_and_tail(rest) {
                if left == 0 {
                    return self.asker.add(&mut packer, solver, head, pred);
                }
                (rest, left) = (tail, left - 1);
            }
            Ok(())
        });
        match asked {
            Ok(_) => packer.finish().nth(chosen).map_or(found, |next| RandomSuccessor::To(Position(next))),
            Err(_) => {
                if !self.asker.stop.load(Relaxed) {
                    self.live.set(None);
                }
                RandomSuccessor::Unknown
            }
        }
    }
}
