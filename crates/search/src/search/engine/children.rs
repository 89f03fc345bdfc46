//! The moves of one position: ordered and searched one after the other until a cutoff.
//!
//! It takes a position and its window. It gives the value or a bound, and the best move. Order never
//! decides a value.

use super::busy::SharedMoves;
use super::order::KILLER;
use super::table::Bound;
#[cfg(doc)]
use super::table::Entry;
use super::{ENDLESS, Engine, MOST, NodePlace, NodeScore, RankWindow, seen_by};
use crate::game::{Game, GameResult, Heuristic, Side, ToMove};
use crate::search::result::Walked;
use std::ops::Range;

/// A move to search, with its ordering score.
#[derive(Clone, Copy)]
pub(super) struct PickedMove {
    pub(super) score: i32,
    pub(super) index: u32,
    pub(super) key: u64,
    /// The player to move after it, if known.
    turn: Option<ToMove>,
}

/// What the table knows of a position before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct KnownMove {
    /// The key of the position, if there is a table.
    pub(super) key: Option<u128>,
    /// The index of the best move; [`Entry::NO_MOVE`] if unknown.
    pub(super) best: u16,
}

/// Applies `say` to the position after a move; `None` if the move faults.
pub(super) fn with_next<G: Game, T>(
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
    /// The move with this index, without a score.
    fn plain(number: usize) -> PickedMove {
        PickedMove { score: 0, index: number as u32, key: 0, turn: None }
    }

    /// Whether it is the table's move, a killer move, or one that a glance found.
    fn is_known(&self) -> bool {
        self.score >= KILLER
    }
}

/// The least remaining depth at which threads divide the moves of a position.
const SHARED: u32 = 3;

/// The plies from the root in which the search asks before each move whether it is time for helpers.
const NEAR_ROOT: u32 = 4;

/// The least remaining depth at which to look up the positions after all moves.
const KNOWN: u32 = 2;

/// The success rate of glances, which do not pay off if they are slow and wins are rare.
#[derive(Default)]
pub(super) struct Glances {
    tried: u64,
    good: u64,
    passed: u64,
}

impl Glances {
    /// A glance pays off if one in so many finds a good move.
    const PAYS: u64 = 32;

    fn pays(&mut self) -> bool {
        if self.tried < 256 || self.good * Self::PAYS >= self.tried {
            return true;
        }
        // Glances that did not pay off may do so later in the game.
        self.passed += 1;
        self.passed.is_multiple_of(Self::PAYS)
    }

    fn count(&mut self, good: bool) {
        self.tried += 1;
        self.good += u64::from(good);
    }
}

impl RankWindow {
    /// The kind of bound, for Max, that `best` is. The window and `best` are the mover's.
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
    /// Searches the moves. Returns the result, the index of the best move, and the kind of bound.
    pub(super) fn children(
        &mut self,
        state: &G::State,
        mover: Side,
        at: NodePlace,
        window: RankWindow,
        standing: Option<f64>,
        known: KnownMove,
    ) -> Walked<(NodeScore, u32, Bound), G> {
        let KnownMove { key, best: known } = known;
        let NodePlace { depth, ply, .. } = at;
        let (first, first_pick) = (self.moves.len(), self.picks.len());
        let found = self.game.moves(state, &mut self.moves);
        self.asked(found)?;
        let count = self.moves.len() - first;
        assert!(count > 0, "Game::moves finds a move where Game::turn names a side");
        // A search that stopped early may have left keys.
        self.next_keys.truncate(first);
        self.next_keys.resize(self.moves.len(), 0);
        let mut glance_before = self.fetch_first(state, depth, first, usize::from(known));
        let ordered = (self.style.orders || self.weighs) && self.arrange(state, mover, at, first, known)?;
        let own = window.seen_by(mover);
        let (mut alpha, beta) = (own.low, own.high);
        let (mut best, mut best_index, mut all_resolved, mut resolved) = (-MOST, 0, true, true);
        let mut any = false;
        let mut line = self.spare.pop().unwrap_or_default();
        line.clear();
        let mut end = None;
        // The best possible result is a win on the next ply.
        let at_once = MOST - i64::from(ply) - 1;
        let mut exact_by_win = false;
        let mut weighs = self.weighs;
        let team = self.style.team.filter(|_| ordered && depth >= SHARED && key.is_some());
        let mut shared = SharedMoves::new(team.map(|team| &team.busy), (key.unwrap_or_default(), depth), count);
        let mut elsewhere = None;
        let mut number = 0;
        while number < count {
            let mut pick = PickedMove::plain(number);
            if ordered {
                let glances = glance_before.take_if(|before| *before == number).is_some();
                if glances && number == 0 {
                    self.find_cutoff_move(state, mover, at, beta, (first, first_pick), number);
                } else if glances && self.glances.pays() {
                    self.fetch_next(state, first..first + count);
                    self.find_cutoff_move(state, mover, at, beta, (first, first_pick), number);
                }
                // Weights cost time and matter only if no remaining move is known to be good.
                let left = &self.picks[first_pick + number..];
                let noisy_first = self.puts_noisy_first(depth);
                let waits = |pick: &PickedMove| if noisy_first { pick.score == i32::MAX } else { pick.is_known() };
                if weighs && left.len() > 1 && !left.iter().any(waits) {
                    weighs = false;
                    let tells = self.prefer_by_weight(state, depth, (first, first_pick), number)?;
                    if noisy_first {
                        self.put_killers_after_noisy(state, ply, (first, first_pick), number)?;
                    }
                    if !tells && depth == ENDLESS && usize::from(known) >= count {
                        self.prefer_by_looks(state, mover, first);
                    }
                }
                pick = self.pick(first_pick, number, shared.end(number, count));
            }
            if shared.defer(number, pick.index, &mut self.picks[first_pick..]) {
                continue;
            }
            if team.is_some() && number > 0 {
                elsewhere = self.found_elsewhere(key, at, window);
                if elsewhere.is_some() {
                    break;
                }
            }
            if ply < NEAR_ROOT {
                self.call_help();
            }
            let index = pick.index as usize;
            if self.skips(state, depth, number, window, (standing, best), first + index)? {
                // A move that was left out may have another value.
                all_resolved = false;
                number += 1;
                continue;
            }
            let mv = &self.moves[first + index];
            let next = self.game.apply(state, mv);
            let next = self.asked(next)?;
            let reduced = self.reduction(state, depth, number, window, first + index)?;
            let plies = self.extension(state, &self.moves[first + index])?;
            let below = NodePlace { turn: pick.turn, key: self.next_key(first + index), ..at.below() };
            let (below, less) = self.stretched(below, plies);
            let reduced = reduced.max(less);
            let busy = shared.search(number, pick.index);
            let reply = self.child(&next, below, reduced, (alpha, beta), mover, number > 0);
            drop(busy);
            let reply = reply.map_err(|halt| self.led_by(halt, first + index))?;
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
            number += 1;
        }
        if let (1, Some(standing), None) = (depth, standing, &elsewhere) {
            self.learn_gain(state, standing, best, first + best_index as usize)?;
        }
        self.moves.truncate(first);
        self.next_keys.truncate(first);
        self.picks.truncate(first_pick);
        let old = std::mem::replace(&mut self.left, line);
        self.spare.push(old);
        self.left_end = end;
        if let Some(found) = elsewhere {
            self.unknown_line();
            return Ok(found);
        }
        let is_cut = best >= beta || exact_by_win;
        let bound = if exact_by_win { Bound::Exact } else { own.bound(best, mover) };
        let resolved = if is_cut { resolved } else { all_resolved };
        Ok((NodeScore { rank: seen_by(best, mover), resolved }, best_index, bound))
    }

    /// The result that another thread has found meanwhile, if it is sufficient here.
    fn found_elsewhere(&self, key: Option<u128>, at: NodePlace, window: RankWindow) -> Option<(NodeScore, u32, Bound)> {
        let entry = self.style.table?.get(key?)?;
        let reply = self.known_enough(&entry, at.depth, at.ply, window)?;
        Some((reply, u32::from(entry.best), entry.bound))
    }

    /// Searches the position after a move. The first move gets the whole window, later ones a null
    /// window, then the whole window if they exceed alpha. The window is the mover's.
    pub(super) fn child(
        &mut self,
        next: &G::State,
        at: NodePlace,
        reduced: u32,
        (alpha, beta): (i64, i64),
        mover: Side,
        later: bool,
    ) -> Walked<NodeScore, G> {
        let of = |low, high| RankWindow { low, high }.seen_by(mover);
        if !later || alpha == -MOST {
            return self.node(next, at, of(alpha, beta));
        }
        let mut reply = self.node(next, NodePlace { depth: at.depth - reduced, ..at }, of(alpha, alpha + 1))?;
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

    /// Fetches the table entries that are needed first. Returns the number of the move before which to glance at the
    /// moves, if at all: the table's move is searched before.
    fn fetch_first(&mut self, state: &G::State, depth: u32, first: usize, known: usize) -> Option<usize> {
        let count = self.moves.len() - first;
        if !self.style.orders || depth <= 1 {
            None
        } else if known < count {
            self.fetch_next(state, first + known..first + known + 1);
            Some(1)
        } else if count > 1 && self.glances.pays() {
            self.fetch_next(state, first..first + count);
            Some(0)
        } else {
            None
        }
    }

    /// The key of the position after the move at an index, if known.
    #[inline]
    fn next_key(&self, at: usize) -> Option<u128> {
        Some(self.next_keys[at]).filter(|key| *key != 0)
    }

    /// Fetches the table entries of the positions after the moves at `range` before they are needed: memory serves
    /// several at a time.
    fn fetch_next(&mut self, state: &G::State, range: Range<usize>) {
        let Some(table) = self.style.table else { return };
        for at in range {
            let key = with_next(self.game, state, &self.moves[at], |next| Some(self.key(next)));
            self.next_keys[at] = key.unwrap_or_default();
            if let Some(key) = key {
                table.prefetch(self.value_key(key));
            }
        }
    }

    /// Looks at the positions after the moves from index `from` on, before searching them. A move
    /// that wins at once, or whose table entry causes a cutoff, comes next (Jonathan Schaeffer and
    /// Aske Plaat, "New advances in alpha-beta searching", 1996).
    fn find_cutoff_move(
        &mut self,
        state: &G::State,
        mover: Side,
        at: NodePlace,
        beta: i64,
        (first, first_pick): (usize, usize),
        from: usize,
    ) {
        let below = at.below();
        let game = self.game;
        let numbers = from..self.picks.len() - first_pick;
        let at_move = |engine: &Self, number: usize| first + engine.picks[first_pick + number].index as usize;
        let mut good = None;
        if let Some(table) = self.style.table.filter(|_| below.depth >= KNOWN) {
            let cut = RankWindow { low: beta - 1, high: beta }.seen_by(mover);
            good = numbers.clone().find(|&number| {
                let entry = self.next_key(at_move(self, number)).and_then(|key| table.get(self.value_key(key)));
                let reply = entry.and_then(|entry| self.known_enough(&entry, below.depth, below.ply, cut));
                reply.is_some_and(|reply| seen_by(reply.rank, mover) >= beta)
            });
        }
        // A fault here counts only if the search visits that position.
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

    /// Orders the moves; `false` if the game's own order stays.
    fn arrange(&mut self, state: &G::State, mover: Side, at: NodePlace, first: usize, known: u16) -> Walked<bool, G> {
        let count = self.moves.len() - first;
        let known = usize::from(known);
        if count == 1 || at.depth == 1 && known >= count && !self.weighs {
            return Ok(false);
        }
        let named = at.depth > 1 && self.style.orders;
        let noisy_first = self.puts_noisy_first(at.depth);
        for index in 0..count {
            let key = if named { self.game.move_key(state, &self.moves[first + index]) } else { 0 };
            let score = match index {
                _ if index == known => i32::MAX,
                _ if noisy_first => self.memory.history(mover, key),
                _ => self.memory.score(mover, at.ply, key),
            };
            self.picks.push(PickedMove { score, index: index as u32, key, turn: None });
        }
        if !self.weighs && at.depth == ENDLESS && known >= count {
            self.prefer_by_looks(state, mover, first);
        }
        Ok(true)
    }

    /// The next move before number `end`: the one with the greatest score, the first of equals.
    fn pick(&mut self, first: usize, number: usize, end: usize) -> PickedMove {
        let picks = &mut self.picks[first..first + end];
        let mut best = number;
        for at in number + 1..picks.len() {
            if picks[at].score > picks[best].score {
                best = at;
            }
        }
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
