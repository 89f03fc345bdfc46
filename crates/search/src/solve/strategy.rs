//! Strategies: best play, and proofs of a value that name one answer to every move.
//!
//! In: a task, a position, and what a solver knows. Out: the line of best play; or, for one side,
//! every position that can come up while it follows its strategy, with the move it makes where it
//! is its turn. Such a strategy proves a win where a number in every position gets smaller from
//! each to the next, and that a side does not lose where play never leaves its positions.
//! The positions here are the game's own, not folded: whoever checks them needs no symmetry.

use super::index::Index;
use super::pns::ProofNumberResult;
use super::retrograde::Solution;
use super::{SolveError, SolveTask, Solved, SolvedValue, Standing, distance, winner};
use crate::game::{Game, Heuristic, Score, Side};
use crate::search::result::LineEnd;
use rustc_hash::FxHashSet;

/// What a strategy gives its side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrategyAim {
    /// It wins.
    Win,
    /// The result is no worse for it than this number, as Max sees it.
    Number(f64),
}

impl StrategyAim {
    /// Whether a finished game is what `side` aims at.
    fn is_met(self, side: Side, worth: Score) -> bool {
        match self {
            StrategyAim::Win => winner(worth) == Some(side),
            StrategyAim::Number(number) => worth.seen_by(side) >= Score::number(number).seen_by(side),
        }
    }

    /// Whether play must be shown to end: infinite play is worth 0, which may not be enough.
    pub fn must_end(self, side: Side) -> bool {
        match self {
            StrategyAim::Win => true,
            StrategyAim::Number(number) => Score::number(number).seen_by(side) > Score::Value(0.0),
        }
    }
}

/// One position of a strategy.
#[derive(Clone, Copy, Debug)]
pub struct StrategyStep<'a, S> {
    /// Less in every position that can follow, where play must be shown to end.
    pub rank: Option<u32>,
    /// The position.
    pub state: &'a S,
    /// The position after the side's move, where it is its turn.
    pub next: Option<&'a S>,
}

/// Why there is no strategy to tell.
#[derive(Debug, PartialEq)]
pub enum StrategyError<F, E> {
    /// See there.
    Solve(SolveError<F>),
    /// The solver does not know enough of a position that can come up.
    Unknown,
    /// Whoever is told could not take it.
    Told(E),
}

impl<F, E> From<SolveError<F>> for StrategyError<F, E> {
    fn from(error: SolveError<F>) -> Self {
        StrategyError::Solve(error)
    }
}

/// What a solver knows: how far it is from a position, as `Game::canonical` gives it, to what is
/// aimed at; `None` where that is not known to be reached.
pub trait DistanceGuide<G: Game> {
    /// Smaller in some position after one where the side moves, in all where the other does.
    fn rank(&self, side: Side, aim: StrategyAim, canonical: &G::State) -> Option<u32>;

    /// The same where it is not known, and can be found out by another search.
    fn search<H: Heuristic<G>>(
        &self,
        task: &SolveTask<'_, G, H>,
        side: Side,
        aim: StrategyAim,
        canonical: &G::State,
    ) -> Solved<Option<u32>, G> {
        let _ = task;
        Ok(self.rank(side, aim, canonical))
    }
}

impl<G: Game> DistanceGuide<G> for Solution<G::State> {
    fn rank(&self, side: Side, aim: StrategyAim, canonical: &G::State) -> Option<u32> {
        let score = self.score_of(canonical).filter(|score| aim.is_met(side, *score))?;
        Some(match aim {
            StrategyAim::Win => distance(score)?,
            StrategyAim::Number(_) if aim.must_end(side) => self.rank_of(canonical).unwrap_or(0),
            // What is at least 0 may go on for ever: it is enough to stay where it is.
            StrategyAim::Number(_) => 0,
        })
    }
}

impl<G: Game> DistanceGuide<G> for ProofNumberResult {
    fn rank(&self, side: Side, aim: StrategyAim, canonical: &G::State) -> Option<u32> {
        match aim {
            StrategyAim::Win => self.wins(side, canonical),
            StrategyAim::Number(_) => self.holds(side, canonical).then_some(0),
        }
    }

    /// A disproof that rests on a repetition was not kept; nor may be what the table let go.
    fn search<H: Heuristic<G>>(
        &self,
        task: &SolveTask<'_, G, H>,
        side: Side,
        aim: StrategyAim,
        canonical: &G::State,
    ) -> Solved<Option<u32>, G> {
        self.search_again(task, if aim == StrategyAim::Win { side } else { side.other() }, canonical)?;
        Ok(DistanceGuide::<G>::rank(self, side, aim, canonical))
    }
}

/// Tells every position that can come up from `root` while `side` follows what `guide` knows;
/// finished games are left out.
pub fn strategy<G: Game, H: Heuristic<G>, E>(
    task: &SolveTask<'_, G, H>,
    guide: &impl DistanceGuide<G>,
    (side, aim): (Side, StrategyAim),
    root: &G::State,
    mut tell: impl FnMut(StrategyStep<'_, G::State>) -> Result<(), E>,
) -> Result<(), StrategyError<G::Fault, E>> {
    let ends = aim.must_end(side);
    // A position's rank, where it belongs to the strategy; and whether it is over.
    let look = |state: &G::State, search: bool| -> Solved<Option<(u32, Option<Side>)>, G> {
        let mover = match task.standing(state)? {
            Standing::Over(worth) => return Ok(aim.is_met(side, worth).then_some((0, None))),
            Standing::Moves(mover) => mover,
        };
        let canonical = task.canonical(state.clone())?;
        let rank = match search {
            false => guide.rank(side, aim, &canonical),
            true => guide.search(task, side, aim, &canonical)?,
        };
        Ok(rank.map(|rank| (rank, Some(mover))))
    };
    let mut index = Index::new();
    let mut ranks: Vec<(u32, Option<Side>)> = Vec::new();
    ranks.push(look(root, true)?.ok_or(StrategyError::Unknown)?);
    index.number(root.clone());
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < index.states.len() {
        task.count(at as u64 + 1)?;
        let state = index.states[at].clone();
        let (rank, mover) = ranks[at];
        at += 1;
        let Some(mover) = mover else { continue };
        task.successors(&state, &mut moves, &mut next)?;
        let fits = |look: &(u32, Option<Side>)| !ends || look.0 < rank;
        let mut looks = Vec::with_capacity(next.len());
        for after in &next {
            looks.push(look(after, false)?.filter(fits));
        }
        // One is enough for the side itself, and what is known already the cheapest.
        if mover != side || looks.iter().all(Option::is_none) {
            for (after, found) in next.iter().zip(&mut looks).filter(|(_, found)| found.is_none()) {
                *found = look(after, true)?.filter(fits);
                match (mover == side, found.is_some()) {
                    (true, true) => break,
                    (false, false) => return Err(StrategyError::Unknown),
                    _ => {}
                }
            }
        }
        if mover == side {
            let ranked = looks.iter().enumerate().filter_map(|(at, look)| Some((look.as_ref()?.0, at)));
            let (_, best) = ranked.min().ok_or(StrategyError::Unknown)?;
            (next[0], looks[0]) = (next[best].clone(), looks[best]);
            next.truncate(1);
        }
        let chosen = (mover == side).then(|| next[0].clone());
        for (after, look) in next.drain(..).zip(looks) {
            let known = index.states.len();
            let number = index.number(after);
            if let (Some(number), Some(look)) = (number, look)
                && number as usize == known
            {
                ranks.push(look);
            }
        }
        if index.bytes() + 16 * ranks.capacity() as u64 + task.game.live_bytes() > task.memory {
            return Err(SolveError::Memory { positions: index.states.len() as u64 }.into());
        }
        let step = StrategyStep { rank: ends.then_some(rank), state: &state, next: chosen.as_ref() };
        tell(step).map_err(StrategyError::Told)?;
    }
    Ok(())
}

/// Best play from a position.
pub struct SolvedLine<M, S> {
    /// The first of the best moves in every position.
    pub moves: Vec<M>,
    /// How it ends; `None` where the value of a position on it is not known.
    pub end: Option<LineEnd>,
    /// The position at its end.
    pub last: S,
}

/// Best play from `state` by what `known_of` knows, to the end or to a position that comes again.
pub fn line<G: Game, H: Heuristic<G>>(
    task: &SolveTask<'_, G, H>,
    state: &G::State,
    mut known_of: impl FnMut(&G::State) -> Option<SolvedValue>,
) -> Solved<SolvedLine<G::Move, G::State>, G> {
    let mut line = SolvedLine { moves: Vec::new(), end: None, last: state.clone() };
    let Some(mut known) = known_of(&task.canonical(state.clone())?) else { return Ok(line) };
    let mut seen = FxHashSet::default();
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    loop {
        if let Standing::Over(_) = task.standing(&line.last)? {
            let ending = task.game.result(&line.last).map_err(|fault| task.fault(fault))?;
            line.end = Some(ending.map_or(LineEnd::Numbered, LineEnd::Ended));
            return Ok(line);
        }
        if !seen.insert(line.last.clone()) {
            line.end = Some(LineEnd::Repeated);
            return Ok(line);
        }
        task.count(line.moves.len() as u64 + 1)?;
        task.successors(&line.last, &mut moves, &mut next)?;
        let mut best = None;
        for (at, after) in next.iter().enumerate() {
            let after = known_of(&task.canonical(after.clone())?);
            if let Some(after) = after.filter(|after| after.one_ply_before() == known) {
                best = Some((at, after));
                break;
            }
        }
        let Some((at, after)) = best else { return Ok(line) };
        line.moves.push(moves.swap_remove(at));
        line.last = next.swap_remove(at);
        known = after;
    }
}
