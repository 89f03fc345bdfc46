//! The root: its moves with their results, and one iteration over them.
//!
//! An iteration takes a position, a depth and a window. It gives the value and moves the best move
//! to the front. It must not depend on the number of iterations or on their windows.

use super::busy::SharedMoves;
use super::{ENDLESS, Engine, MOST, NodePlace, NodeScore, RankWindow, seen_by};
use crate::game::{Game, Heuristic, Side, ToMove};
use crate::search::repetition::Repetition;
use crate::search::result::{LineEnd, SearchError, SearchHalt, Walked};

/// The key of the root in the marks of its moves.
const ROOT: u128 = 0;

/// A move at the root.
pub(super) struct RootMove<G: Game> {
    pub(super) mv: G::Move,
    pub(super) next: G::State,
    /// Its number in the order before the first pass.
    pub(super) number: u32,
    /// Its place in the order before the current pass.
    pub(super) place: u32,
    /// The extension behind it, in plies.
    pub(super) stretch: i32,
    /// The last known rank for Max: exact for the best move, a bound for the others.
    pub(super) rank: i64,
    /// Whether no horizon position had a part in `rank`.
    pub(super) resolved: bool,
    /// The line behind the move, without it, last move first.
    pub(super) line: Vec<G::Move>,
    pub(super) end: Option<LineEnd>,
}

impl<G: Game> RootMove<G> {
    /// The line that begins with the move.
    pub(super) fn whole_line(&self) -> Vec<G::Move> {
        [&self.mv].into_iter().chain(self.line.iter().rev()).cloned().collect()
    }
}

impl<G: Game> Clone for RootMove<G> {
    fn clone(&self) -> Self {
        RootMove {
            mv: self.mv.clone(),
            next: self.next.clone(),
            number: self.number,
            place: self.place,
            stretch: self.stretch,
            rank: self.rank,
            resolved: self.resolved,
            line: self.line.clone(),
            end: self.end,
        }
    }
}

/// The kind of the root position.
pub(super) enum Root<G: Game> {
    /// There is no move to choose: the score, whether it is final, and the end of the line.
    Leaf(i64, bool, Option<LineEnd>),
    /// The player to move, and the moves in the order to search.
    Open(Side, Vec<RootMove<G>>),
}

impl<G: Game, H: Heuristic<G>> Engine<'_, G, H> {
    /// Visits the root and prepares its moves.
    pub(super) fn look(&mut self, state: &G::State, depth: u32) -> Walked<Root<G>, G> {
        if !self.meter.count_node() {
            return Err(SearchHalt::Stopped);
        }
        self.stats.nodes += 1;
        if depth == 0 {
            let reply = self.horizon(state, 0, RankWindow::OPEN)?;
            return Ok(Root::Leaf(reply.rank, reply.resolved, self.left_end));
        }
        let mover = match self.asked(self.game.to_move(state))? {
            ToMove::Over => {
                let reply = self.over(state, 0)?;
                return Ok(Root::Leaf(reply.rank, true, self.left_end));
            }
            ToMove::Chance => return Err(SearchHalt::Failed(SearchError::Chance { line: Vec::new() })),
            ToMove::Max => Side::Max,
            ToMove::Min => Side::Min,
        };
        let mut moves = Vec::new();
        self.asked(self.game.moves(state, &mut moves))?;
        assert!(!moves.is_empty(), "Game::moves finds a move where Game::turn names a side");
        if self.weighs && moves.len() > 1 {
            let mut weights = Vec::with_capacity(moves.len());
            // The weights serve all depths, so they are those of a full-depth search.
            let weighed = self.heuristic.weigh(self.game, state, &moves, ENDLESS, &mut weights);
            self.asked(weighed)?;
            let mut weighed: Vec<(f64, G::Move)> = weights.into_iter().zip(moves).collect();
            weighed.sort_by(|(left, _), (right, _)| right.total_cmp(left));
            moves = weighed.into_iter().map(|(_, mv)| mv).collect();
        }
        let mut found = Vec::with_capacity(moves.len());
        for mv in moves {
            let next = self.asked(self.game.apply(state, &mv))?;
            let rank = seen_by(-MOST, mover);
            let stretch = self.extension(state, &mv)?;
            let number = found.len() as u32;
            let (line, end) = (Vec::new(), None);
            found.push(RootMove { mv, next, number, place: number, stretch, rank, resolved: false, line, end });
        }
        if self.repetition != Repetition::Ignored {
            let key = self.key(state);
            self.enter(key);
        }
        Ok(Root::Open(mover, found))
    }

    /// Searches root moves once and moves the best one to the front.
    /// `heard` receives every new best move inside the window, which stays as a result after a halt.
    pub(super) fn root_pass(
        &mut self,
        moves: &mut [RootMove<G>],
        mover: Side,
        depth: u32,
        window: RankWindow,
        heard: &mut Option<RootMove<G>>,
    ) -> Walked<NodeScore, G> {
        let own = window.seen_by(mover);
        let (mut alpha, beta) = (own.low, own.high);
        let (mut best, mut resolved, mut all_resolved) = (-MOST, true, true);
        let below = if depth == ENDLESS { ENDLESS } else { depth - 1 };
        self.horizon = depth;
        let (base, keys) = (self.moves.len(), self.keys.len());
        for (place, mv) in moves.iter_mut().enumerate() {
            mv.place = place as u32;
        }
        let count = moves.len();
        let mut shared = SharedMoves::new(self.style.team.map(|team| &team.busy), (ROOT, depth), count);
        let (mut bests, mut at) = (0, 0);
        while at < count {
            if shared.defer(at, moves[at].number, moves) {
                continue;
            }
            self.call_help();
            let next = moves[at].next.clone();
            let place = NodePlace { depth: below, ply: 1, turn: None, passed: false, key: None };
            let (place, less) = self.stretched(place, moves[at].stretch);
            let busy = shared.search(at, moves[at].number);
            let reply = self.child(&next, place, less, (alpha, beta), mover, at > 0);
            drop(busy);
            let reply = match reply {
                Ok(reply) => reply,
                Err(halt) => {
                    self.moves.truncate(base);
                    self.picks.clear();
                    while self.keys.len() > keys {
                        self.leave();
                    }
                    return Err(halt.after(&moves[at].mv));
                }
            };
            let rank = seen_by(reply.rank, mover);
            all_resolved &= reply.resolved;
            let mv = &mut moves[at];
            (mv.rank, mv.resolved) = (reply.rank, reply.resolved);
            if at == 0 || rank > best {
                (best, resolved) = (rank, reply.resolved);
                if rank > alpha || at == 0 {
                    mv.line.clear();
                    std::mem::swap(&mut mv.line, &mut self.left);
                    mv.end = self.left_end;
                }
                if rank > own.low && rank < beta {
                    *heard = Some(mv.clone());
                }
                moves[..=at].rotate_right(1);
                bests += 1;
                alpha = alpha.max(rank);
            }
            if best >= beta {
                break;
            }
            at += 1;
        }
        // What waited comes back to its place among the moves that were not best.
        if shared.has_waiting(count) {
            moves[bests..].sort_by_key(|mv| mv.place);
        }
        let resolved = if best >= beta { resolved } else { all_resolved };
        Ok(NodeScore { rank: seen_by(best, mover), resolved })
    }
}
