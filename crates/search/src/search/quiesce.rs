//! Quiescence search: beyond the horizon, the search follows noisy moves until the position is
//! quiet.
//!
//! A quiet position is worth its evaluation. Another one is worth the best of its evaluation (no
//! player must make a noisy move) and the noisy moves. If the player to move is forced, the best of
//! all moves counts alone. This is a minimax value of its own, so every algorithm gives the same
//! value at the horizon. The search follows no repetition beyond the horizon: the position is a draw
//! where the rules say so, else worth its evaluation. The moves that look best come first, because
//! they then cut off most captures. Alan Turing, "Digital computers applied to games", 1953, calls
//! positions at rest dead.

use super::limits::Meter;
use super::repetition::{LineHashes, Repetition};
use super::result::{SearchError, SearchHalt, Walked};
use crate::game::{Game, Heuristic, Score, Side, ToMove};
use std::cmp::Reverse;

/// The greatest number of plies beyond the horizon.
const LONGEST: u32 = 64;

/// The same limit if all moves are followed, because then a line need not become quiet.
const LONGEST_OF_ALL: u32 = 8;

/// The greatest number of plies beyond the horizon, with or without a distinction of noisy moves.
pub fn plies_behind(knows_noise: bool) -> u32 {
    if knows_noise { LONGEST } else { LONGEST_OF_ALL }
}

/// The state of a quiescence search.
pub(super) struct Quiet<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    unrest: bool,
    /// Whether the search may leave out moves that do not seem to matter.
    selective: bool,
    longest: u32,
    moves: Vec<G::Move>,
    /// The treatment of repetitions beyond the horizon. Positions before the horizon do not count: a
    /// table keeps the value, which must not depend on the line before.
    repetition: Repetition,
    line_hashes: LineHashes,
    keys: Vec<u128>,
    /// Positions visited beyond the horizon.
    pub(super) nodes: u64,
    /// Evaluations.
    pub(super) evals: u64,
}

/// A move that the search follows.
struct Followed<G: Game> {
    mv: G::Move,
    next: G::State,
    /// The score after the move: the true one if the game is over, else the evaluation.
    number: i64,
    /// Whether the game is over then, if already known.
    over: Option<bool>,
}

impl<'a, G: Game, H: Heuristic<G>> Quiet<'a, G, H> {
    /// A quiescence search without visits.
    pub(super) fn new(game: &'a G, heuristic: &'a H) -> Self {
        let unrest = heuristic.has_unquiet_positions(game);
        let longest = plies_behind(heuristic.separates_noisy_moves(game));
        Quiet {
            game,
            heuristic,
            unrest,
            selective: false,
            longest,
            moves: Vec::new(),
            repetition: Repetition::in_game(game, None),
            line_hashes: LineHashes::default(),
            keys: Vec::new(),
            nodes: 0,
            evals: 0,
        }
    }

    /// The same search for estimates. It leaves out moves after which even the evaluation does not reach
    /// the window: the opponent need not make a noisy move.
    pub(super) fn selective(self, selective: bool) -> Self {
        Quiet { selective, ..self }
    }

    /// The score for Max of a position that is not over; a bound if it lies outside the window.
    #[inline]
    pub(super) fn value(
        &mut self,
        state: &G::State,
        ply: u32,
        window: (i64, i64),
        meter: &Meter<'_>,
    ) -> Walked<i64, G> {
        if !self.unrest {
            return self.judge(state, meter);
        }
        // A search that stopped early may have left a line.
        if !self.keys.is_empty() {
            self.line_hashes.clear();
            self.keys.clear();
        }
        self.unquiet(state, None, ply, 0, window, meter)
    }

    fn judge(&mut self, state: &G::State, meter: &Meter<'_>) -> Walked<i64, G> {
        self.evals += 1;
        let number = self.heuristic.evaluate(self.game, state).map_err(|fault| meter.fault(fault))?;
        Ok(Score::number(number).rank())
    }

    fn unquiet(
        &mut self,
        state: &G::State,
        known: Option<i64>,
        ply: u32,
        behind: u32,
        (low, high): (i64, i64),
        meter: &Meter<'_>,
    ) -> Walked<i64, G> {
        let mut known = known;
        if self.selective {
            let rank = known.map_or_else(|| self.judge(state, meter), Ok)?;
            known = Some(rank);
            if self.stands_pat(state, rank, (low, high), meter)? {
                return Ok(rank);
            }
        }
        // Where the rules find the noisy moves alone, a position without them is quiet.
        let finds = self.selective && self.heuristic.finds_noisy_moves(self.game);
        let quiet = !finds && self.heuristic.is_quiet(self.game, state).map_err(|fault| meter.fault(fault))?;
        if quiet || behind == self.longest {
            return known.map_or_else(|| self.judge(state, meter), Ok);
        }
        let turn = if self.selective { self.game.mover(state) } else { self.game.to_move(state) };
        let mover = match turn.map_err(|fault| meter.fault(fault))? {
            ToMove::Max => Side::Max,
            ToMove::Min => Side::Min,
            ToMove::Over => return self.over(state, ply, meter),
            ToMove::Chance => return Err(SearchHalt::Failed(SearchError::Chance { line: Vec::new() })),
        };
        let forced = self.heuristic.is_forced(self.game, state).map_err(|fault| meter.fault(fault))?;
        let turned = |rank: i64| if mover == Side::Max { rank } else { -rank };
        let (mut alpha, beta) = if mover == Side::Max { (low, high) } else { (-high, -low) };
        let mut best = None;
        if !forced {
            let stand = turned(known.map_or_else(|| self.judge(state, meter), Ok)?);
            best = Some(stand);
            if stand >= beta {
                return Ok(turned(stand));
            }
            alpha = alpha.max(stand);
        }
        self.enter(state);
        let followed = self.followed(state, ply, mover, forced, meter)?;
        for Followed { mv, next, number, over } in followed {
            if self.selective && turned(number) <= alpha {
                best = best.max(Some(turned(number)));
                break;
            }
            let over = match over {
                Some(over) => over,
                None => self.game.is_over(&next).map_err(|fault| meter.fault(fault).after(&mv))?,
            };
            let number = match over && self.selective {
                true => self.over(&next, ply + 1, meter).map_err(|halt| halt.after(&mv))?,
                false => number,
            };
            if !meter.count_node() {
                return Err(SearchHalt::Stopped);
            }
            self.nodes += 1;
            let window = if mover == Side::Max { (alpha, beta) } else { (-beta, -alpha) };
            let below = match over {
                true => Ok(number),
                false if self.stands(&next) => Ok(if self.repetition == Repetition::Draw { 0 } else { number }),
                false => self.unquiet(&next, Some(number), ply + 1, behind + 1, window, meter),
            };
            let rank = turned(below.map_err(|halt| halt.after(&mv))?);
            if best.is_none_or(|best| rank > best) {
                best = Some(rank);
                alpha = alpha.max(rank);
            }
            if rank >= beta {
                break;
            }
        }
        self.leave();
        match best {
            Some(best) => Ok(turned(best)),
            None => self.judge(state, meter),
        }
    }

    /// Whether the evaluation reaches the window of the player to move, and this player is not forced to move.
    fn stands_pat(
        &mut self,
        state: &G::State,
        rank: i64,
        (low, high): (i64, i64),
        meter: &Meter<'_>,
    ) -> Walked<bool, G> {
        if rank > low && rank < high {
            return Ok(false);
        }
        let mover = self.game.mover(state).map_err(|fault| meter.fault(fault))?;
        let reached = if mover == ToMove::Max { rank >= high } else { rank <= low };
        let forced = || self.heuristic.is_forced(self.game, state).map_err(|fault| meter.fault(fault));
        Ok(reached && !forced()?)
    }

    /// Adds a position to the line beyond the horizon.
    fn enter(&mut self, state: &G::State) {
        if self.repetition != Repetition::Ignored {
            let key = self.game.key(state);
            self.line_hashes.push(key as u64);
            self.keys.push(key);
        }
    }

    /// Removes the last position of that line.
    fn leave(&mut self) {
        if self.repetition != Repetition::Ignored {
            self.line_hashes.pop();
            self.keys.pop();
        }
    }

    /// Whether a position is on that line.
    fn stands(&self, state: &G::State) -> bool {
        if self.repetition == Repetition::Ignored {
            return false;
        }
        let key = self.game.key(state);
        self.line_hashes.holds(key as u64, |at| self.keys[at] == key)
    }

    /// The moves to follow, those that look best to the player to move first.
    fn followed(
        &mut self,
        state: &G::State,
        ply: u32,
        mover: Side,
        forced: bool,
        meter: &Meter<'_>,
    ) -> Walked<Vec<Followed<G>>, G> {
        let mut moves = std::mem::take(&mut self.moves);
        let only =
            !forced && self.heuristic.noisy_moves(self.game, state, &mut moves).map_err(|fault| meter.fault(fault))?;
        if !only {
            self.game.moves(state, &mut moves).map_err(|fault| meter.fault(fault))?;
        }
        let mut followed = Vec::new();
        for mv in moves.drain(..) {
            let noisy = || self.heuristic.is_noisy(self.game, state, &mv);
            if !forced && !only && !noisy().map_err(|fault| meter.fault(fault))? {
                continue;
            }
            let next = self.game.apply(state, &mv).map_err(|fault| meter.fault(fault))?;
            let over = match self.selective {
                true => None,
                false => Some(self.game.is_over(&next).map_err(|fault| meter.fault(fault).after(&mv))?),
            };
            let over_now = over == Some(true);
            let number = if over_now { self.over(&next, ply + 1, meter) } else { self.judge(&next, meter) };
            let number = number.map_err(|halt| halt.after(&mv))?;
            followed.push(Followed { mv, next, number, over });
        }
        self.moves = moves;
        match mover {
            Side::Max => followed.sort_by_key(|followed| Reverse(followed.number)),
            Side::Min => followed.sort_by_key(|followed| followed.number),
        }
        Ok(followed)
    }

    fn over(&mut self, state: &G::State, ply: u32, meter: &Meter<'_>) -> Walked<i64, G> {
        let ending = self.game.result(state).map_err(|fault| meter.fault(fault))?;
        Ok(match ending {
            Some(ending) => Score::of_result(ending, ply).rank(),
            None => self.judge(state, meter)?,
        })
    }
}
