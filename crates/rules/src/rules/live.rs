//! A game of rules for a depth-first search, with positions that stay in the heap of the solver.
//!
//! A [`LiveGame`] is a view of a [`RuleGame`] in which a position is its place on the line of the search.
//! Successors are neither packed nor put back: they stay where the rules have built them until the search
//! goes on to another position. Only combined questions are asked so. In all other cases, as after a
//! fault, the positions of the line are packed and the `RuleGame` answers.

use crate::rules::answer::{ending, length, number};
use crate::rules::ask::{RuleQuery, RuleResult};
use crate::rules::combined::{CombinedQuestions, MAX, OVER, small};
use crate::rules::evaluation::RuleEval;
use crate::rules::fault::RuleFault;
use crate::rules::game::{NoMoves, RuleGame};
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::program::PredId;
use alphorn_prolog::machine::{LivePlace, Solver};
use alphorn_search::game::{Game, GameFacts, GameResult, Heuristic, ToMove};
use std::cell::RefCell;

/// A position, and the move to it: its ply, and its number among the moves there. It has a meaning only
/// while the search is at this position or below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OnLine {
    ply: u32,
    number: u32,
}

/// The position of the root.
pub const ROOT: OnLine = OnLine { ply: 0, number: 0 };

/// A view of a game for a depth-first search; see the module.
pub struct LiveGame<'a> {
    game: &'a RuleGame,
    line: RefCell<Line>,
}

/// What is known of the line of the search.
struct Line {
    /// The packed positions of the first plies, the root included. Later plies are live.
    packed: Vec<Vec<Position>>,
    known: Option<Known>,
}

/// What the last question found out about its position.
#[derive(Clone, Copy)]
struct Known {
    at: OnLine,
    value: Option<f64>,
    result: Option<GameResult>,
    /// Whether the answer contains the moves.
    moves: bool,
}

impl<'a> LiveGame<'a> {
    /// A view of a game before the search of `root`; `None` if the game has no combined questions.
    pub fn new(game: &'a RuleGame, root: &Position) -> Option<LiveGame<'a>> {
        game.live.get()?;
        let line = RefCell::new(Line { packed: vec![vec![root.clone()]], known: None });
        Some(LiveGame { game, line })
    }

    /// Asks a combined question. Returns its second argument, or `None` if single questions are needed.
    fn ask(&self, at: OnLine, pred: impl Fn(CombinedQuestions) -> PredId, leaf: bool) -> RuleResult<Option<i64>> {
        let Some(pred) = self.game.live.get().map(pred) else { return Ok(None) };
        let line = &mut *self.line.borrow_mut();
        line.known = None;
        line.packed.truncate(at.ply as usize + 1);
        let read = |solver: &mut dyn Solver| {
            let what = small(solver, 0)?;
            let value = solver.answer()[1];
            let mut known = Known { at, value: None, result: None, moves: !leaf && what != OVER };
            match self.game.rules.contract.outcome {
                Some(_) if what == OVER => known.result = Some(ending(solver, value)?),
                _ if leaf || what == OVER => known.value = number(solver, value).ok(),
                _ => {}
            }
            Some((what, known))
        };
        let mut found = None;
        if let Some(place) = line.place(at) {
            match self.game.asker.live(pred, place, 2, read) {
                Some(None) => return Ok(None),
                Some(answer) => found = answer,
                None => line.pack(self.game, at)?,
            }
        }
        if found.is_none() {
            let args = [Some(&line.packed[at.ply as usize][at.number as usize].0), None, None];
            let question = RuleQuery { doing: "asking ahead", pred, args: &args, position: None };
            let asked = self.game.asker.each(question, 1, |solver| {
                found = read(solver);
                Ok(())
            });
            if asked.is_err() {
                self.game.live.set(None);
                return Ok(None);
            }
        }
        line.known = found.map(|(_, known)| known);
        Ok(found.map(|(what, _)| what))
    }

    /// What the last question found out, if it was about this position.
    fn known(&self, at: OnLine) -> Option<Known> {
        self.line.borrow().known.filter(|known| known.at == at)
    }

    /// The position for single questions. It ends all live positions.
    fn position(&self, at: OnLine) -> RuleResult<Position> {
        let line = &mut *self.line.borrow_mut();
        line.known = None;
        line.pack(self.game, at)?;
        Ok(line.packed[at.ply as usize][at.number as usize].clone())
    }

    /// Whether the list of moves in the last answer has elements.
    fn has_moves(&self) -> bool {
        self.game.asker.last(|solver| {
            let list = solver.answer()[1];
            solver.store().heap.head_and_tail(list).is_some()
        })
    }

    /// Keeps the moves of the last answer as live positions, and returns their number.
    fn keep(&self, at: OnLine) -> Option<usize> {
        self.known(at).filter(|known| known.moves)?;
        self.game.asker.last(|solver| {
            let list = solver.answer()[1];
            solver.keep(list).filter(|count| *count > 0)
        })
    }

    /// Keeps or packs the moves of the last answer, and returns their number.
    fn successors(&self, at: OnLine) -> RuleResult<Option<usize>> {
        match self.keep(at) {
            Some(count) => Ok(Some(count)),
            None => self.pack(at),
        }
    }

    /// Packs the moves of the last answer, and returns their number. It ends all live positions.
    fn pack(&self, at: OnLine) -> RuleResult<Option<usize>> {
        let (Some(ahead), Some(_)) = (self.game.live.get(), self.known(at).filter(|known| known.moves)) else {
            return Ok(None);
        };
        let (line, asker) = (&mut *self.line.borrow_mut(), &self.game.asker);
        line.pack(self.game, at)?;
        let mut packer = asker.packer();
        let added = asker.last(|solver| {
            let list = solver.answer()[1];
            asker.add_all(&mut packer, solver, list, ahead.turn)
        });
        if added.is_err() || packer.count() == 0 {
            packer.clear();
            return Ok(None);
        }
        line.packed.push(packer.finish().map(Position).collect());
        Ok(line.packed.last().map(Vec::len))
    }

    /// The moves of a line of the search.
    pub fn named(&self, root: &Position, line: &[OnLine]) -> Vec<RuleMove> {
        let (mut state, mut named) = (root.clone(), Vec::new());
        for at in line {
            let mut moves = Vec::new();
            // The search has asked for these moves, so the rules give them again.
            let Ok(()) = self.game.moves(&state, &mut moves) else { break };
            let Some(mv) = moves.into_iter().nth(at.number as usize) else { break };
            state = mv.next.clone();
            named.push(mv);
        }
        named
    }
}

impl Line {
    /// The place of a live position; `None` if it is packed.
    fn place(&self, at: OnLine) -> Option<LivePlace> {
        let level = (at.ply as usize).checked_sub(self.packed.len())?;
        Some(LivePlace { level, number: at.number as usize })
    }

    /// Packs the live positions of the line down to `at`.
    fn pack(&mut self, game: &RuleGame, at: OnLine) -> RuleResult<()> {
        let first = self.packed.len();
        self.packed.truncate(at.ply as usize + 1);
        for ply in first..=at.ply as usize {
            self.packed.push(game.asker.pack_live(ply - first)?);
        }
        Ok(())
    }
}

impl Game for LiveGame<'_> {
    type State = OnLine;
    type Move = OnLine;
    type Fault = RuleFault;

    fn to_move(&self, at: &OnLine) -> RuleResult<ToMove> {
        Ok(match self.ask(*at, |ahead| ahead.turn, false)? {
            Some(OVER) => ToMove::Over,
            Some(_) if self.game.no_moves != NoMoves::Fault && !self.has_moves() => {
                self.game.to_move(&self.position(*at)?)?
            }
            Some(MAX) => ToMove::Max,
            Some(_) => ToMove::Min,
            None => self.game.to_move(&self.position(*at)?)?,
        })
    }

    fn moves(&self, at: &OnLine, moves: &mut Vec<OnLine>) -> RuleResult<()> {
        let ply = at.ply + 1;
        let count = match self.successors(*at)? {
            Some(count) => count,
            None => {
                let mut found = Vec::new();
                self.game.moves(&self.position(*at)?, &mut found)?;
                let found: Vec<Position> = found.into_iter().map(|mv| mv.next).collect();
                let count = found.len();
                self.line.borrow_mut().packed.push(found);
                count
            }
        };
        self.line.borrow_mut().known = None;
        moves.extend((0..count as u32).map(|number| OnLine { ply, number }));
        Ok(())
    }

    fn is_over(&self, at: &OnLine) -> RuleResult<bool> {
        match self.ask(*at, |ahead| ahead.leaf, true)? {
            Some(what) => Ok(what == OVER),
            None => self.game.is_over(&self.position(*at)?),
        }
    }

    fn count_moves(&self, at: &OnLine) -> RuleResult<usize> {
        // Nothing need stay if the moves are known to be ground.
        let counted = self.known(*at).filter(|known| known.moves).and_then(|_| {
            self.game.asker.last(|solver| {
                let list = solver.answer()[1];
                solver.answers_ground().then(|| length(&solver.store().heap, list).ok())?
            })
        });
        match counted.filter(|count| *count > 0).map_or_else(|| self.successors(*at), |count| Ok(Some(count)))? {
            Some(count) => Ok(count),
            None => self.game.count_moves(&self.position(*at)?),
        }
    }

    fn apply(&self, _: &OnLine, mv: &OnLine) -> RuleResult<OnLine> {
        Ok(*mv)
    }

    fn held<'m>(&self, mv: &'m OnLine) -> Option<&'m OnLine> {
        Some(mv)
    }

    fn facts(&self) -> GameFacts {
        self.game.facts()
    }

    fn result(&self, at: &OnLine) -> RuleResult<Option<GameResult>> {
        match self.known(*at) {
            Some(known) if known.result.is_some() || known.value.is_some() => Ok(known.result),
            _ => self.game.result(&self.position(*at)?),
        }
    }
}

/// [`RuleEval`] for live positions.
pub struct LiveEval;

impl Heuristic<LiveGame<'_>> for LiveEval {
    fn evaluate(&self, live: &LiveGame<'_>, at: &OnLine) -> RuleResult<f64> {
        let in_range = |value: &f64| live.game.range.is_none_or(|(low, high)| (low..=high).contains(value));
        match live.known(*at).and_then(|known| known.value).filter(in_range) {
            Some(value) => Ok(value),
            None => RuleEval.evaluate(live.game, &live.position(*at)?),
        }
    }
}
