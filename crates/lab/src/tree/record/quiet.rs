//! Records the quiescence search: noisy moves beyond the horizon.
//!
//! It takes a position at or beyond the horizon. Its value is the one that `search/engine/quiesce.rs`
//! finds, and its moves are added to the tree. It does not know the search before the horizon.

use super::{NodePlace, RecordHalt, Recorder, Step};
use crate::tree::grow::Branch;
use crate::tree::{CutReason, NodeKind, NodeResult};
use alphorn_search::game::{Game, Heuristic, Score, Side, ToMove};
use alphorn_search::search::plies_behind;
use alphorn_search::search::result::SearchError;
use std::cmp::Reverse;

/// A move that the search follows.
struct Followed<G: Game> {
    number: u32,
    mv: G::Move,
    next: G::State,
    /// The score of the position after the move: the result if the game is over there, else the
    /// evaluation.
    score: Score,
    over: bool,
}

impl<G: Game, H: Heuristic<G>> Recorder<'_, G, H> {
    /// The score of the position on top, in which the game goes on. Outside the window it is a bound.
    pub(super) fn unquiet(
        &mut self,
        state: &G::State,
        known: Option<Score>,
        behind: u32,
        at: NodePlace,
    ) -> Step<Score, G> {
        let quiet = self.asked(self.heuristic.is_quiet(self.game, state))?;
        let rests = quiet || behind == plies_behind(self.heuristic.separates_noisy_moves(self.game));
        let turn = if rests { ToMove::Over } else { self.asked(self.game.to_move(state))? };
        let mover = match turn.side() {
            Some(mover) => mover,
            None if turn == ToMove::Chance => {
                return Err(RecordHalt::Failed(SearchError::Chance { line: self.moves_made() }));
            }
            None => {
                let score = known.map_or_else(|| self.judge(state), Ok)?;
                self.growth.top().judged = Some(score);
                return Ok(self.leaf(NodeKind::Horizon, score));
            }
        };
        let forced = self.asked(self.heuristic.is_forced(self.game, state))?;
        let top = self.growth.top();
        (top.kind, top.window) = (NodeKind::Player(mover), Some(at.window));
        let mut window = at.window;
        let mut best = None;
        if !forced {
            // No player has to make a noisy move.
            let stand = known.map_or_else(|| self.judge(state), Ok)?;
            self.growth.top().judged = Some(stand);
            best = Some(stand);
            window = window.narrowed(stand, mover);
            if at.window.bound_reached(stand, mover) {
                return Ok(self.rest(stand, at, mover, true));
            }
        }
        let followed = self.followed(state, at.ply, mover, forced)?;
        for (place, one) in followed.iter().enumerate() {
            let score = self.follow(one, behind, NodePlace { ply: at.ply + 1, window })?;
            let improves = best.is_none_or(|best: Score| score.seen_by(mover) > best.seen_by(mover));
            if improves {
                best = Some(score);
            }
            self.growth.judge(one.number, improves);
            window = window.narrowed(score, mover);
            if at.window.bound_reached(score, mover) {
                let left = &followed[place + 1..];
                let top = self.growth.top();
                top.passed = left.iter().map(|one| (one.number, one.mv.clone())).collect();
                top.cut = (!left.is_empty()).then_some(CutReason::Window {
                    alpha: window.alpha,
                    beta: window.beta,
                    deep: false,
                });
                return Ok(self.rest(score, at, mover, left.is_empty()));
            }
        }
        let score = best.map_or_else(|| self.judge(state), Ok)?;
        Ok(self.rest(score, at, mover, true))
    }

    /// Records the result of the position on top.
    fn rest(&mut self, score: Score, at: NodePlace, mover: Side, all: bool) -> Score {
        let bound = self.bound(score, at.window, mover, all);
        self.growth.top().value = Some(NodeResult { score, bound });
        score
    }

    fn follow(&mut self, one: &Followed<G>, behind: u32, at: NodePlace) -> Step<Score, G> {
        self.count()?;
        let key = self.game.key(&one.next);
        let seen = !self.unseen;
        self.growth.enter(Branch { quiet: true, seen, ..Branch::new(Some(one.mv.clone()), one.number, None, key) });
        let score = match one.over {
            true => self.leaf(NodeKind::Over, one.score),
            false => self.unquiet(&one.next, Some(one.score), behind + 1, at)?,
        };
        self.growth.leave();
        Ok(score)
    }

    /// The moves to follow, with those of the best evaluation for the mover first.
    fn followed(&mut self, state: &G::State, ply: u32, mover: Side, forced: bool) -> Step<Vec<Followed<G>>, G> {
        let mut moves = Vec::new();
        self.asked(self.game.moves(state, &mut moves))?;
        let mut followed = Vec::new();
        for (number, mv) in (1..).zip(moves) {
            if !forced && !self.asked(self.heuristic.is_noisy(self.game, state, &mv))? {
                continue;
            }
            let next = self.asked(self.game.apply(state, &mv))?;
            let over = self.asked(self.game.is_over(&next))?;
            let score = if over { self.finish(&next, ply + 1)? } else { self.judge(&next)? };
            followed.push(Followed { number, mv, next, score, over });
        }
        followed.sort_by_key(|one| Reverse(one.score.seen_by(mover)));
        Ok(followed)
    }
}
