//! Strategies: best lines, and proofs of a value that have one answer to every move.
//!
//! The input is a task, a position and a solved game. A strategy has every position that play can
//! reach while one side follows it, with the side's moves. It proves a win if a rank decreases from
//! each position to the next. It proves that the side does not lose if play never leaves its
//! positions. The positions are those of the game, not folded, so a check needs no symmetry.

use super::index::Index;
use super::pns::ProofNumberResult;
use super::retrograde::Solution;
use super::{SolveError, SolveTask, Solved, SolvedValue, Status, distance, winner};
use crate::game::{Game, Heuristic, Score, Side};
use crate::search::result::LineEnd;
use rustc_hash::FxHashSet;

/// The aim of a strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrategyAim {
    /// The side wins.
    Win,
    /// The result is no worse for the side than this number, for Max.
    Number(f64),
}

impl StrategyAim {
    /// Whether a finished game meets the aim of `side`.
    fn is_met(self, side: Side, worth: Score) -> bool {
        match self {
            StrategyAim::Win => winner(worth) == Some(side),
            StrategyAim::Number(number) => worth.seen_by(side) >= Score::number(number).seen_by(side),
        }
    }

    /// Whether the proof must show that play ends: endless play is worth only 0.
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
    /// A number that decreases to every position that can follow, if play must end.
    pub rank: Option<u32>,
    /// The position.
    pub state: &'a S,
    /// The position after the side's move, if the side is to move.
    pub next: Option<&'a S>,
}

/// The reason why there is no strategy.
#[derive(Debug, PartialEq)]
pub enum StrategyError<F, E> {
    /// The solver failed.
    Solve(SolveError<F>),
    /// The solver has too little information about a position that play can reach.
    Unknown,
    /// The receiver of the strategy failed.
    Told(E),
}

impl<F, E> From<SolveError<F>> for StrategyError<F, E> {
    fn from(error: SolveError<F>) -> Self {
        StrategyError::Solve(error)
    }
}

/// The knowledge of a solver: how far a position, as `Game::canonical` gives it, is from the aim.
pub trait DistanceGuide<G: Game> {
    /// A rank: smaller after some move of the side, and after every move of the other side.
    /// `None` if it is unknown whether the aim is reached.
    fn rank(&self, side: Side, aim: StrategyAim, canonical: &G::State) -> Option<u32>;

    /// The rank as `rank` gives it; may search if the rank is unknown.
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
            // If endless play meets the aim, it is enough to stay in the strategy.
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

    /// Searches again: the table lacks disproofs that rest on a repetition, and entries it dropped.
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

/// Passes every position of the strategy of `side` from `root`, by `guide`, to `tell`. Leaves out
/// finished games.
pub fn strategy<G: Game, H: Heuristic<G>, E>(
    task: &SolveTask<'_, G, H>,
    guide: &impl DistanceGuide<G>,
    (side, aim): (Side, StrategyAim),
    root: &G::State,
    mut tell: impl FnMut(StrategyStep<'_, G::State>) -> Result<(), E>,
) -> Result<(), StrategyError<G::Fault, E>> {
    let ends = aim.must_end(side);
    let look = |state: &G::State, search: bool| -> Solved<Option<RankedMover>, G> {
        let mover = match task.status(state)? {
            Status::Over(worth) => return Ok(aim.is_met(side, worth).then_some((0, None))),
            Status::Moves(mover) => mover,
        };
        let canonical = task.canonical(state.clone())?;
        let rank = match search {
            false => guide.rank(side, aim, &canonical),
            true => guide.search(task, side, aim, &canonical)?,
        };
        Ok(rank.map(|rank| (rank, Some(mover))))
    };
    let mut index = Index::new();
    let mut ranks: Vec<RankedMover> = vec![look(root, true)?.ok_or(StrategyError::Unknown)?];
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
        let fits = |look: &RankedMover| !ends || look.0 < rank;
        let looks = kept::<G, E>(&mut next, mover == side, |after, search| Ok(look(after, search)?.filter(fits)))?;
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

/// The rank of a position of the strategy and its player to move, if the game is not over.
type RankedMover = (u32, Option<Side>);

/// Keeps the successors that the strategy needs, with what `look` finds: the best one if the side itself
/// moves, otherwise all. `look` may search if its second argument is true.
fn kept<G: Game, E>(
    next: &mut Vec<G::State>,
    own: bool,
    look: impl Fn(&G::State, bool) -> Solved<Option<RankedMover>, G>,
) -> Result<Vec<Option<RankedMover>>, StrategyError<G::Fault, E>> {
    let mut looks = Vec::with_capacity(next.len());
    for after in &*next {
        looks.push(look(after, false)?);
    }
    // One successor is enough for the side itself, and a known one is the cheapest.
    if !own || looks.iter().all(Option::is_none) {
        for (after, found) in next.iter().zip(&mut looks).filter(|(_, found)| found.is_none()) {
            *found = look(after, true)?;
            match (own, found.is_some()) {
                (true, true) => break,
                (false, false) => return Err(StrategyError::Unknown),
                _ => {}
            }
        }
    }
    if own {
        let ranked = looks.iter().enumerate().filter_map(|(at, look)| Some((look.as_ref()?.0, at)));
        let (_, best) = ranked.min().ok_or(StrategyError::Unknown)?;
        (next[0], looks[0]) = (next[best].clone(), looks[best]);
        next.truncate(1);
    }
    Ok(looks)
}

/// The best line from a position.
pub struct SolvedLine<M, S> {
    /// The first best move of every position.
    pub moves: Vec<M>,
    /// How the line ends; `None` if the value of one of its positions is unknown.
    pub end: Option<LineEnd>,
    /// The last position.
    pub last: S,
}

/// The best line from `state` by the values of `known_of`, to the end or to a repetition.
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
        if let Status::Over(_) = task.status(&line.last)? {
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
