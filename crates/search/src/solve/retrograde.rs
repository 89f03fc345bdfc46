//! Retrograde analysis: from the ends of the game back to its beginning.
//!
//! It takes a task and first positions, and gives the value of every reachable position. The rules
//! only move forward; the solver reverses the edges. A position is won for its player to move once
//! one successor is won, and lost once all are lost. Positions are taken by distance, so the winner
//! hurries and the loser delays. Undecided positions are draws by endless play. In an acyclic game
//! that ends in numbers, a position is solved after all its successors; in other games with numbers,
//! threshold by threshold (`levels`). Thomas Ströhlein, "Untersuchungen über kombinatorische
//! Spiele", 1970; Ken Thompson, "Retrograde Analysis of Certain Endgames", 1986.

use super::graph::{Backward, Exploration, PositionGraph};
use super::levels::{Levels, levels};
use super::{SolveError, SolveTask, Solved, SolvedValue, distance, one_ply_before, winner};
use crate::game::{Game, Heuristic, Score, Side};
use std::hash::Hash;

/// The values of all reachable positions.
pub struct Solution<S> {
    graph: PositionGraph<S>,
    roots: Vec<u32>,
    values: Values,
    /// Whether the stop flag ended solving early; the values so far are final.
    pub stopped: bool,
}

/// The value of each position.
enum Values {
    /// The winner and the distance, encoded by [`coded`].
    Distances(Vec<u32>),
    /// The score, and the plies to the farthest end. Only for games without cycles.
    Numbers(Vec<Option<Score>>, Vec<u32>),
    /// The values of a game with numbers and cycles.
    Levels(Levels),
}

/// The word of a position without a known winner.
const UNDECIDED: u32 = 0;

/// The bit that says that Min wins.
const BY_MIN: u32 = 1 << 31;

/// Encodes a win in one word: the plies plus one, and the winner.
fn coded(by: Side, plies: u32) -> u32 {
    (plies + 1) | if by == Side::Min { BY_MIN } else { 0 }
}

fn decoded(word: u32) -> Score {
    match (word & !BY_MIN).checked_sub(1) {
        None => Score::Value(0.0),
        Some(plies) if word & BY_MIN != 0 => Score::Loss { plies },
        Some(plies) => Score::Win { plies },
    }
}

/// Solves every position reachable from `roots`.
///
/// Errs if the rules fault, the memory limit is reached, the stop flag is set before all positions
/// are met, or an acyclic game has a cycle. Visits every position once. Beyond the positions, it
/// takes about 50 bytes per position and 8 per edge.
pub fn solve<G: Game, H: Heuristic<G>>(
    task: &SolveTask<'_, G, H>,
    roots: &[G::State],
) -> Solved<Solution<G::State>, G> {
    let mut enumeration = Enumeration::begin(task, roots)?;
    enumeration.go_on(task, u64::MAX)?;
    enumeration.solution(task)
}

/// The positions met so far, for solving in steps.
pub struct Enumeration<S>(Exploration<S>);

impl<S: Clone + Eq + Hash> Enumeration<S> {
    /// Begins at `roots`. Errs as [`solve`] does.
    pub fn begin<G: Game<State = S>, H: Heuristic<G>>(
        task: &SolveTask<'_, G, H>,
        roots: &[S],
    ) -> Solved<Enumeration<S>, G> {
        Exploration::begin(task, roots).map(Enumeration)
    }

    /// Continues until `most` positions are explored in all; returns whether these are all
    /// positions. Errs as [`solve`] does. After a memory error it can continue with a task that has
    /// more memory.
    pub fn go_on<G: Game<State = S>, H: Heuristic<G>>(
        &mut self,
        task: &SolveTask<'_, G, H>,
        most: u64,
    ) -> Solved<bool, G> {
        self.0.go_on(task, most)
    }

    /// The number of positions explored.
    pub fn positions(&self) -> u64 {
        self.0.graph.len() as u64
    }

    /// The values, after all positions were met. Errs as [`solve`] does.
    pub fn solution<G: Game<State = S>, H: Heuristic<G>>(self, task: &SolveTask<'_, G, H>) -> Solved<Solution<S>, G> {
        let Exploration { graph, roots, .. } = self.0;
        let backward = graph.backward();
        let (values, stopped) = match graph.numbers {
            true if task.game.facts().is_acyclic => numbers(task, &graph, &backward)?,
            true => {
                let levels = levels(&graph, &backward, || task.stop_is_asked());
                let stopped = levels.stopped;
                (Values::Levels(levels), stopped)
            }
            false => distances(task, &graph, &backward),
        };
        Ok(Solution { graph, roots, values, stopped })
    }
}

/// Computes winners and distances, from the nearest ends to the farthest.
fn distances<G: Game, H: Heuristic<G>>(
    task: &SolveTask<'_, G, H>,
    graph: &PositionGraph<G::State>,
    backward: &Backward,
) -> (Values, bool) {
    let mut values = vec![UNDECIDED; graph.len()];
    // The number of successors not known to be won by the opponent.
    let mut left: Vec<u32> = (0..graph.len() as u32).map(|number| graph.after(number).len() as u32).collect();
    let mut queue = Vec::new();
    for (number, worth) in &graph.over {
        if let Some(by) = winner(*worth) {
            values[*number as usize] = coded(by, 0);
            queue.push(*number);
        }
    }
    let mut at = 0;
    while let Some(number) = queue.get(at).copied() {
        at += 1;
        if at.is_multiple_of(4096) && task.stop_is_asked() {
            return (Values::Distances(values), true);
        }
        let score = decoded(values[number as usize]);
        let (Some(by), Some(plies)) = (winner(score), distance(score)) else { continue };
        for before in backward.before(number) {
            let place = *before as usize;
            if values[place] != UNDECIDED {
                continue;
            }
            if graph.mover(*before) != Some(by) {
                left[place] -= 1;
                if left[place] > 0 {
                    continue;
                }
            }
            values[place] = coded(by, plies + 1);
            queue.push(*before);
        }
    }
    (Values::Distances(values), false)
}

/// Computes the values of an acyclic game, each after those of all its successors.
fn numbers<G: Game, H: Heuristic<G>>(
    task: &SolveTask<'_, G, H>,
    graph: &PositionGraph<G::State>,
    backward: &Backward,
) -> Solved<(Values, bool), G> {
    let mut values: Vec<Option<Score>> = vec![None; graph.len()];
    let mut heights = vec![0u32; graph.len()];
    let mut left: Vec<u32> = (0..graph.len() as u32).map(|number| graph.after(number).len() as u32).collect();
    let mut queue = Vec::new();
    for (number, worth) in &graph.over {
        values[*number as usize] = Some(*worth);
        queue.push(*number);
    }
    let mut at = 0;
    while let Some(number) = queue.get(at).copied() {
        at += 1;
        if at.is_multiple_of(4096) && task.stop_is_asked() {
            return Ok((Values::Numbers(values, heights), true));
        }
        for before in backward.before(number) {
            let place = *before as usize;
            heights[place] = heights[place].max(heights[number as usize] + 1);
            left[place] -= 1;
            if left[place] > 0 {
                continue;
            }
            let scores = graph.after(*before).iter().filter_map(|after| values[*after as usize]).map(one_ply_before);
            values[place] = match graph.mover(*before) {
                Some(Side::Max) => scores.max(),
                _ => scores.min(),
            };
            queue.push(*before);
        }
    }
    // Positions on a cycle, or before one, are never taken.
    match queue.len() < graph.len() {
        true => Err(SolveError::Cycle),
        false => Ok((Values::Numbers(values, heights), false)),
    }
}

impl<S: Clone + Eq + Hash> Solution<S> {
    /// The number of positions solved; symmetric positions count once.
    pub fn positions(&self) -> u64 {
        self.graph.len() as u64
    }

    /// The values of the first positions, in their order.
    pub fn roots(&self) -> impl Iterator<Item = SolvedRoot> + '_ {
        self.roots.iter().map(|root| SolvedRoot { mover: self.graph.mover(*root), known: self.known(*root) })
    }

    /// Every position with its value; without those that a stopped run has not decided.
    pub fn values(&self) -> impl Iterator<Item = (&S, SolvedValue)> {
        let all = (0..self.graph.len() as u32).map(|number| self.known(number));
        self.graph.index.states.iter().zip(all).filter_map(|(state, known)| Some((state, known?)))
    }

    /// The value of a position, as `Game::canonical` gives it; `None` if it was not met or not
    /// decided.
    pub fn score_of(&self, canonical: &S) -> Option<Score> {
        self.score(self.graph.index.find(canonical)?)
    }

    /// The value with its distance, also that of a number; `None` as in `score_of`.
    pub fn known_of(&self, canonical: &S) -> Option<SolvedValue> {
        self.known(self.graph.index.find(canonical)?)
    }

    /// A rank that decreases with every move of a side that can force the value of a position,
    /// against every reply. Only for games that end in numbers.
    pub(super) fn rank_of(&self, canonical: &S) -> Option<u32> {
        let number = self.graph.index.find(canonical)?;
        match &self.values {
            Values::Distances(_) => None,
            Values::Numbers(_, heights) => Some(heights[number as usize]),
            Values::Levels(levels) => Some(levels.rank(number)),
        }
    }

    /// Whether the game ends in numbers.
    pub fn ends_in_numbers(&self) -> bool {
        !matches!(self.values, Values::Distances(_))
    }

    /// The longest win of a player to move, in plies.
    pub fn longest(&self) -> Option<u32> {
        let won = |number: u32| {
            let score = self.score(number)?;
            (winner(score)? == self.graph.mover(number)?).then(|| distance(score))?
        };
        (0..self.graph.len() as u32).filter_map(won).max()
    }

    fn score(&self, number: u32) -> Option<Score> {
        match &self.values {
            Values::Distances(words) => {
                let word = words[number as usize];
                (word != UNDECIDED || !self.stopped).then(|| decoded(word))
            }
            Values::Numbers(scores, _) => scores[number as usize],
            Values::Levels(levels) => levels.score(number),
        }
    }

    fn known(&self, number: u32) -> Option<SolvedValue> {
        let score = self.score(number)?;
        let plies = match &self.values {
            Values::Levels(levels) => levels.plies(number),
            Values::Distances(_) | Values::Numbers(..) => None,
        };
        Some(SolvedValue { score, plies: distance(score).or(plies) })
    }
}

/// A first position of solving.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolvedRoot {
    /// The player to move; `None` if the game is over.
    pub mover: Option<Side>,
    /// The value; `None` if a stopped run has not decided it.
    pub known: Option<SolvedValue>,
}
