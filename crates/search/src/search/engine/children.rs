//! The moves of one position: put in order, tried one after the other, until they are enough.
//!
//! In: a position and its window. Out: its value or a bound, and the move that gives it. Order never
//! decides a value. Must not know how a position came to be searched.

use super::order::KILLER;
use super::table::Bound;
use super::{At, ENDLESS, Engine, MOST, Reply, Window, seen_by};
use crate::game::{Game, GameResult, Heuristic, Score, Side, ToMove};
use crate::search::stack::Walked;

/// A move to be tried.
#[derive(Clone, Copy)]
pub(super) struct PickedMove {
    score: i32,
    index: u32,
    key: u64,
    /// Whose turn it is after it, where that is known.
    turn: Option<ToMove>,
}

/// What is said of the position after a move, if it can be made.
fn with_next<G: Game, T>(
    game: &G,
    state: &G::State,
    mv: &G::Move,
    say: impl FnOnce(&G::State) -> Option<T>,
) -> Option<T> {
    match game.held(mv) {
        Some(next) => say(next),
        None => say(&game.apply(state, mv).ok()?),
    }
}

impl PickedMove {
    /// A move in the game's own order.
    fn plain(number: usize) -> PickedMove {
        PickedMove { score: 0, index: number as u32, key: 0, turn: None }
    }

    /// Whether it has been good here or in a position like it: the table's move, a killer, a glance's.
    fn is_known(&self) -> bool {
        self.score >= KILLER
    }
}

/// From this depth on it is worth looking up all positions after the moves.
const KNOWN: u32 = 2;

/// What a place in the order of looks counts beside what was learned.
const LOOKS: i32 = 32;

/// What a place in the order of weights counts beside it.
const WEIGHTS: i32 = 256;

/// Whether glances have paid: not where looking is dear and wins are rare.
#[derive(Default)]
pub(super) struct Glances {
    tried: u64,
    good: u64,
    passed: u64,
}

impl Glances {
    /// A glance pays where one in so many finds something.
    const PAYS: u64 = 32;

    fn pays(&mut self) -> bool {
        if self.tried < 256 || self.good * Self::PAYS >= self.tried {
            return true;
        }
        // What did not pay may do so later in the game.
        self.passed += 1;
        self.passed.is_multiple_of(Self::PAYS)
    }

    fn count(&mut self, good: bool) {
        self.tried += 1;
        self.good += u64::from(good);
    }
}

impl Window {
    /// What a rank is, for Max, that was found in this window of the mover's.
    #[inline]
    fn bound(self, best: i64, mover: Side) -> Bound {
        match mover {
            _ if best < self.high && best > self.low => Bound::Exact,
            Side::Max if best >= self.high => Bound::Lower,
            Side::Min if best < self.high => Bound::Lower,
            _ => Bound::Upper,
        }
    }
}

impl<G: Game, H: Heuristic<G>> Engine<'_, G, H> {
    /// Tries the moves; gives the reply, the number of the best move, and what the reply is.
    pub(super) fn children(
        &mut self,
        state: &G::State,
        mover: Side,
        at: At,
        window: Window,
        known: u16,
    ) -> Walked<(Reply, u32, Bound), G> {
        let At { depth, ply, .. } = at;
        let (first, first_pick) = (self.moves.len(), self.picks.len());
        let found = self.game.moves(state, &mut self.moves);
        self.asked(found)?;
        let count = self.moves.len() - first;
        assert!(count > 0, "Game::moves finds a move where Game::turn names a side");
        let ordered = (self.style.orders || self.weighs) && self.arrange(state, mover, at, first, known)?;
        let own = window.seen_by(mover);
        let (mut alpha, beta) = (own.low, own.high);
        let (mut best, mut best_index, mut all_resolved, mut resolved) = (-MOST, 0, true, true);
        let mut any = false;
        let mut line = self.spare.pop().unwrap_or_default();
        line.clear();
        let mut end = None;
        // Nobody can do better than to win on the next ply.
        let at_once = MOST - i64::from(ply) - 1;
        let mut exact_by_win = false;
        // A move that has proved good here is tried before the others are looked at.
        let glance_before = usize::from(usize::from(known) < count);
        let mut weighs = self.weighs;
        for number in 0..count {
            let mut pick = PickedMove::plain(number);
            if ordered {
                if number == glance_before && self.style.orders {
                    self.glance(state, mover, at, beta, (first, first_pick), number);
                }
                // Weights cost time, and only matter once no move is left that is known to be good.
                let left = &self.picks[first_pick + number..];
                if weighs && left.len() > 1 && !left.iter().any(PickedMove::is_known) {
                    weighs = false;
                    let tells = self.prefer_by_weight(state, depth, (first, first_pick), number)?;
                    if !tells && depth == ENDLESS && usize::from(known) >= count {
                        self.prefer_by_looks(state, mover, first);
                    }
                }
                pick = self.pick(first_pick, number);
            }
            let index = pick.index as usize;
            let mv = &self.moves[first + index];
            let next = self.game.apply(state, mv);
            let next = self.asked(next)?;
            let reduced = self.reduction(state, depth, number, window, first + index)?;
            let plies = self.stretch(state, &self.moves[first + index])?;
            let (below, less) = self.stretched(At { turn: pick.turn, ..at.below() }, plies);
            let reduced = reduced.max(less);
            let reply = self
                .child(&next, below, reduced, (alpha, beta), mover, number > 0)
                .map_err(|halt| self.led_by(halt, first + index))?;
            let rank = seen_by(reply.rank, mover);
            all_resolved &= reply.resolved;
            if !any || rank > best {
                (any, best, best_index) = (true, rank, index as u32);
                resolved = reply.resolved;
                if rank > alpha || number == 0 {
                    std::mem::swap(&mut line, &mut self.left);
                    line.push(self.moves[first + index].clone());
                    end = self.left_end;
                }
                alpha = alpha.max(rank);
            }
            exact_by_win = best >= at_once;
            if best >= beta || exact_by_win {
                self.stats.cuts += 1;
                self.stats.first_cuts += u64::from(number == 0);
                if ordered && self.style.orders {
                    self.learn(mover, depth, ply, first_pick, number, pick.key);
                }
                break;
            }
        }
        self.moves.truncate(first);
        self.picks.truncate(first_pick);
        let old = std::mem::replace(&mut self.left, line);
        self.spare.push(old);
        self.left_end = end;
        let is_cut = best >= beta || exact_by_win;
        let bound = if exact_by_win { Bound::Exact } else { own.bound(best, mover) };
        let resolved = if is_cut { resolved } else { all_resolved };
        Ok((Reply { rank: seen_by(best, mover), resolved }, best_index, bound))
    }

    /// Searches behind a move: the first in the whole window, others in none, and again where they
    /// turn out to matter. The window is the mover's.
    pub(super) fn child(
        &mut self,
        next: &G::State,
        at: At,
        reduced: u32,
        (alpha, beta): (i64, i64),
        mover: Side,
        later: bool,
    ) -> Walked<Reply, G> {
        let of = |low, high| Window { low, high }.seen_by(mover);
        if !later || alpha == -MOST {
            return self.node(next, at, of(alpha, beta));
        }
        let mut reply = self.node(next, At { depth: at.depth - reduced, ..at }, of(alpha, alpha + 1))?;
        if reduced > 0 && seen_by(reply.rank, mover) > alpha {
            reply = self.node(next, at, of(alpha, alpha + 1))?;
        }
        let rank = seen_by(reply.rank, mover);
        if rank > alpha && rank < beta {
            self.stats.again += 1;
            reply = self.node(next, at, of(alpha, beta))?;
        }
        Ok(reply)
    }

    /// Looks at the positions after the moves from the given one on, before any of them is
    /// searched: a move that wins at once, or that is known to be good enough, is to come next
    /// (Jonathan Schaeffer and Aske Plaat, "New advances in alpha-beta searching", 1996).
    fn glance(
        &mut self,
        state: &G::State,
        mover: Side,
        at: At,
        beta: i64,
        (first, first_pick): (usize, usize),
        from: usize,
    ) {
        let below = at.below();
        if below.depth == 0 || !self.glances.pays() {
            return;
        }
        let game = self.game;
        let numbers = from..self.picks.len() - first_pick;
        let at_move = |engine: &Self, number: usize| first + engine.picks[first_pick + number].index as usize;
        let mut good = None;
        // First what the table knows, one look after the other: memory answers several at a time.
        if let Some(table) = self.style.table.filter(|_| below.depth >= KNOWN) {
            let cut = Window { low: beta - 1, high: beta }.seen_by(mover);
            good = numbers.clone().find(|&number| {
                let key = with_next(game, state, &self.moves[at_move(self, number)], |next| Some(game.key(next)));
                let entry = key.and_then(|key| table.get(key));
                let reply = entry.and_then(|entry| self.known_enough(&entry, below.depth, below.ply, cut));
                reply.is_some_and(|reply| seen_by(reply.rank, mover) >= beta)
            });
        }
        // A fault here is one only for whoever goes there.
        let won = |end: Result<Option<GameResult>, G::Fault>| end.is_ok_and(|end| end == Some(GameResult::Won(mover)));
        for number in numbers {
            if good.is_some() {
                break;
            }
            let turn = with_next(game, state, &self.moves[at_move(self, number)], |next| {
                let turn = game.to_move(next).ok()?;
                Some((turn, turn == ToMove::Over && won(game.result(next))))
            });
            let Some((turn, wins)) = turn else { continue };
            self.picks[first_pick + number].turn = Some(turn);
            good = wins.then_some(number);
        }
        self.glances.count(good.is_some());
        if let Some(number) = good {
            self.picks[first_pick + number].score = i32::MAX;
        }
    }

    /// Puts the moves in order; `false` where the game's own order stands.
    fn arrange(&mut self, state: &G::State, mover: Side, at: At, first: usize, known: u16) -> Walked<bool, G> {
        let count = self.moves.len() - first;
        let known = usize::from(known);
        if count == 1 || at.depth == 1 && known >= count && !self.weighs {
            return Ok(false);
        }
        let named = at.depth > 1 && self.style.orders;
        for index in 0..count {
            let key = if named { self.game.move_key(state, &self.moves[first + index]) } else { 0 };
            let score = if index == known { i32::MAX } else { self.memory.score(mover, at.ply, key) };
            // Those that share a table begin in different places.
            let jitter = if self.style.number == 0 { 0 } else { (index as i32 ^ self.style.number as i32) & 1 };
            self.picks.push(PickedMove { score: score.saturating_add(jitter), index: index as u32, key, turn: None });
        }
        if !self.weighs && at.depth == ENDLESS && known >= count {
            self.prefer_by_looks(state, mover, first);
        }
        Ok(true)
    }

    /// What the heuristic finds promising is tried sooner, until it is known which moves are good:
    /// among the moves from the given place in the order on. Whether it tells them apart.
    fn prefer_by_weight(
        &mut self,
        state: &G::State,
        depth: u32,
        (first, first_pick): (usize, usize),
        from: usize,
    ) -> Walked<bool, G> {
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let weighed = self.heuristic.weigh(self.game, state, &self.moves[first..], depth, &mut weights);
        self.asked(weighed)?;
        let mut looks = std::mem::take(&mut self.looks);
        looks.clear();
        let picks = self.picks[first_pick..].iter().enumerate().skip(from);
        looks.extend(picks.map(|(at, pick)| (Some(Score::number(weights[pick.index as usize]).rank()), at)));
        let tells = looks.iter().any(|look| look.0 != looks[0].0);
        self.weights = weights;
        self.raise(looks, first_pick, WEIGHTS);
        Ok(tells)
    }

    /// What looks better is tried sooner, until it is known which moves are good: in a search to
    /// the end of the game nobody has looked ahead less far before.
    fn prefer_by_looks(&mut self, state: &G::State, mover: Side, first: usize) {
        let first_pick = self.picks.len() - (self.moves.len() - first);
        let mut looks = std::mem::take(&mut self.looks);
        looks.clear();
        for (at, pick) in self.picks[first_pick..].iter().enumerate() {
            let mv = &self.moves[first + pick.index as usize];
            // A fault here is one only for whoever goes there.
            let number = with_next(self.game, state, mv, |next| self.heuristic.evaluate(self.game, next).ok());
            self.stats.evals += u64::from(number.is_some());
            looks.push((number.map(|number| Score::number(number).seen_by(mover).rank()), at));
        }
        self.raise(looks, first_pick, LOOKS);
    }

    /// Raises the scores of picks by their places in an order, the least first: by so much for each.
    fn raise(&mut self, mut order: Vec<(Option<i64>, usize)>, first_pick: usize, by: i32) {
        order.sort_unstable();
        let mut rank = 0;
        for (place, (looked, at)) in order.iter().enumerate() {
            rank += i32::from(place > 0 && order[place - 1].0 < *looked);
            let score = &mut self.picks[first_pick + at].score;
            *score = score.saturating_add(rank * by);
        }
        self.looks = order;
    }

    /// The next move: the one of the greatest score, the first of equals.
    fn pick(&mut self, first: usize, number: usize) -> PickedMove {
        let picks = &mut self.picks[first..];
        let mut best = number;
        for at in number + 1..picks.len() {
            if picks[at].score > picks[best].score {
                best = at;
            }
        }
        // The others keep their order.
        picks[number..=best].rotate_right(1);
        picks[number]
    }

    fn learn(&mut self, mover: Side, depth: u32, ply: u32, first: usize, number: usize, key: u64) {
        self.memory.praise(mover, ply, depth, key, number);
        for at in first..first + number {
            self.memory.blame(mover, depth, self.picks[at].key);
        }
    }
}
