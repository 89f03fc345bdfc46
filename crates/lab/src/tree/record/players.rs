//! Records positions in which a player moves: one move after the other, until a cutoff.
//!
//! Returns the value of a position or a bound of it, and adds its moves to the tree. It does not know how
//! chance outcomes are averaged.

use super::{Bounds, NodePlace, Recorder, Step, Style};
use crate::tree::grow::Branch;
use crate::tree::{CutReason, NodeKind, NodeResult, ScoreBound, TreeWindow};
use alphorn_search::game::{Game, Heuristic, Score, Side};
use std::cmp::Reverse;

impl TreeWindow {
    /// The window after `mover` has reached `score`.
    pub(super) fn narrowed(self, score: Score, mover: Side) -> TreeWindow {
        match mover {
            Side::Max => TreeWindow { alpha: self.alpha.max(score), ..self },
            Side::Min => TreeWindow { beta: self.beta.min(score), ..self },
        }
    }

    /// Whether a score causes a cutoff for `mover`: the other side can avoid this position.
    pub(super) fn bound_reached(self, score: Score, mover: Side) -> bool {
        if mover == Side::Max { score >= self.beta } else { score <= self.alpha }
    }

    fn is_closed(self) -> bool {
        self.beta <= self.alpha
    }

    /// How a score found in this window relates to the value.
    fn bound(self, score: Score) -> ScoreBound {
        match score {
            _ if score >= self.beta => ScoreBound::AtLeast,
            _ if score <= self.alpha => ScoreBound::AtMost,
            _ => ScoreBound::Exact,
        }
    }
}

impl<G: Game, H: Heuristic<G>> Recorder<'_, G, H> {
    pub(super) fn choice(&mut self, state: &G::State, at: NodePlace, mover: Side) -> Step<NodeResult, G> {
        let own = self.handed_down(at.window, mover);
        if self.style.bounds != Bounds::None {
            self.growth.top().window = Some(own);
        }
        let moves = self.in_order(state, at.ply)?;
        let mut window = own;
        let mut best: Option<Score> = None;
        let (mut cut, mut tried) = (None, 0);
        for (number, mv) in &moves {
            tried += 1;
            let score = self.search_move(state, (*number, mv), (at.ply, mover), window, best)?;
            // In the paper, a move that fails low counts only as the bound of the window.
            let improves = match best {
                None => !self.style.hard || score.seen_by(mover) > secured_score(own, mover).seen_by(mover),
                Some(best) => score.seen_by(mover) > best.seen_by(mover),
            };
            if improves {
                best = Some(score);
            }
            self.growth.judge(*number, improves);
            window = window.narrowed(score, mover);
            cut = self.cut(window, score, (at.ply, mover), own);
            if cut.is_some() {
                break;
            }
        }
        let score = best.unwrap_or_else(|| secured_score(own, mover));
        let left = &moves[tried..];
        if !left.is_empty() {
            self.growth.top().cut = cut;
            self.pass_over(state, at.ply, left)?;
        }
        let bound = self.bound(score, own, mover, left.is_empty());
        // A score that cannot be improved is the value itself.
        let bound = if cut == Some(CutReason::Best) { ScoreBound::Exact } else { bound };
        Ok(NodeResult { score, bound })
    }

    /// The part of the parent's window that the algorithm passes down to a position.
    fn handed_down(&self, window: TreeWindow, mover: Side) -> TreeWindow {
        let open = self.open_window();
        match (self.style.bounds, mover) {
            (Bounds::None, _) => open,
            (Bounds::OfParent, Side::Max) => TreeWindow { alpha: open.alpha, ..window },
            (Bounds::OfParent, Side::Min) => TreeWindow { beta: open.beta, ..window },
            (Bounds::OfAll, _) => window,
        }
    }

    /// The moves in the order of the search, with their numbers in the order of the game, from 1.
    pub(super) fn in_order(&mut self, state: &G::State, ply: u32) -> Step<Vec<(u32, G::Move)>, G> {
        let mut moves = Vec::new();
        self.asked(self.game.moves(state, &mut moves))?;
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        let mut weights = Vec::new();
        if self.style.ordered && moves.len() > 1 && self.heuristic.weighs_moves(self.game) {
            // Principal variation search asks at its root as if for any depth.
            let depth = if self.style.scouts && ply == 0 { u32::MAX } else { self.how.depth - ply };
            self.asked(self.heuristic.weigh(self.game, state, &moves, depth, &mut weights))?;
        }
        let mut moves: Vec<(u32, G::Move)> = (1..).zip(moves).collect();
        if !weights.is_empty() {
            let weight = |number: u32| weights.get(number as usize - 1).map(|weight| Score::number(*weight));
            moves.sort_by_key(|(number, _)| Reverse(weight(*number)));
        }
        Ok(moves)
    }

    /// Searches the position after a move, in the remaining window.
    fn search_move(
        &mut self,
        state: &G::State,
        mv: (u32, &G::Move),
        (ply, mover): (u32, Side),
        window: TreeWindow,
        best: Option<Score>,
    ) -> Step<Score, G> {
        let at = NodePlace { ply: ply + 1, window };
        // A null window needs a score that the mover already has.
        let known =
            best.map(|_| secured_score(window, mover)).filter(|sure| self.style.scouts && *sure != least(mover));
        let Some(known) = known else { return self.child(state, mv, None, at) };
        let next = Score::of_rank(known.seen_by(mover).rank() + 1).seen_by(mover);
        let null = match mover {
            Side::Max => TreeWindow { alpha: known, beta: next },
            Side::Min => TreeWindow { alpha: next, beta: known },
        };
        let score = self.child(state, mv, None, NodePlace { window: null, ..at })?;
        let inside = score > window.alpha && score < window.beta;
        if inside { self.child(state, mv, None, at) } else { Ok(score) }
    }

    /// Makes a move and searches its successor.
    pub(super) fn child(
        &mut self,
        state: &G::State,
        (number, mv): (u32, &G::Move),
        weight: Option<u64>,
        at: NodePlace,
    ) -> Step<Score, G> {
        let next = self.asked(self.game.apply(state, mv))?;
        self.growth.enter(Branch::new(Some(mv.clone()), number, weight, self.game.key(&next)));
        let score = self.node(&next, at)?;
        self.growth.leave();
        Ok(score)
    }

    /// The reason for a cutoff after this score; `None` without a cutoff.
    fn cut(&self, window: TreeWindow, score: Score, (ply, mover): (u32, Side), own: TreeWindow) -> Option<CutReason> {
        if self.style.bounds == Bounds::None {
            return None;
        }
        if window.is_closed() {
            return Some(CutReason::Window {
                alpha: window.alpha,
                beta: window.beta,
                deep: self.is_deep(score, mover),
            });
        }
        let best = match mover {
            // In a search for averages, a score at the worse bound of the window may only be a bound.
            _ if self.averages => {
                let inside = if mover == Side::Max { score > own.alpha } else { score < own.beta };
                inside
                    && self.range.is_some_and(|(low, high)| match mover {
                        Side::Max => score.to_number() >= high,
                        Side::Min => score.to_number() <= low,
                    })
            }
            // No result is better than a win on the next ply. At the root all moves are searched.
            _ => self.style.scouts && ply > 0 && score == Score::won_by(mover, ply + 1),
        };
        best.then_some(CutReason::Best)
    }

    /// Whether a cutoff at this score needs a bound from above the parent: the best score that the other
    /// side has reached in its last position would not cause it.
    fn is_deep(&self, score: Score, mover: Side) -> bool {
        let above = self.growth.open.iter().rev().skip(1).find(|branch| branch.kind != NodeKind::Player(mover));
        let Some(above) = above.filter(|above| above.kind == NodeKind::Player(mover.other())) else { return false };
        above.reached.is_none_or(|reached| score.seen_by(mover) < reached.seen_by(mover))
    }

    /// Records the moves that a cutoff leaves out, with their subtrees if the whole tree is wanted.
    pub(super) fn pass_over(&mut self, state: &G::State, ply: u32, left: &[(u32, G::Move)]) -> Step<(), G> {
        if !self.how.whole {
            self.growth.top().passed = left.to_vec();
            return Ok(());
        }
        let before = (self.unseen, self.style);
        (self.unseen, self.style) = (true, Style::PLAIN);
        let at = NodePlace { ply: ply + 1, window: self.open_window() };
        for (number, mv) in left {
            self.child(state, (*number, mv), None, at)?;
            self.growth.judge(*number, false);
        }
        (self.unseen, self.style) = before;
        Ok(())
    }

    /// How a score relates to the value. Outside the window it is exact if `all` moves prove it.
    pub(super) fn bound(&mut self, score: Score, own: TreeWindow, mover: Side, all: bool) -> ScoreBound {
        let open = if mover == Side::Max { ScoreBound::AtLeast } else { ScoreBound::AtMost };
        let children = || self.growth.open.last().into_iter().flat_map(|top| &top.children);
        let values = || children().filter(|child| child.seen).filter_map(|child| child.value);
        let proved = all
            && values().all(|value| value.bound != open)
            && values().any(|value| value.bound == ScoreBound::Exact && value.score == score);
        if proved { ScoreBound::Exact } else { own.bound(score) }
    }
}

/// The score that a side can already force in a window.
pub(super) fn secured_score(window: TreeWindow, side: Side) -> Score {
    if side == Side::Max { window.alpha } else { window.beta }
}

/// The worst score for a side.
fn least(side: Side) -> Score {
    Score::won_by(side.other(), 0)
}
