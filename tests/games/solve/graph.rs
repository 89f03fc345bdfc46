//! Random games on graphs, and their values by slow and obvious computations.

use super::setting;
use alphorn::game::{Game, GameFacts, GameResult, Heuristic, Score, Side, ToMove};
use alphorn::search::limits::Limits;
use alphorn::solve::SolveTask;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::convert::Infallible;

/// A position: the player to move and the moves, or the end of the game.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Moves(Side, Vec<usize>),
    Over(Option<GameResult>, f64),
}

/// A game on a graph.
pub(super) struct Graph {
    pub(super) places: Vec<Place>,
    pub(super) acyclic: bool,
    /// Whether positions come in pairs with equal values: an odd position stands for itself and for the
    /// position before it.
    pub(super) paired: bool,
}

impl Game for Graph {
    type State = usize;
    type Move = usize;
    type Fault = Infallible;

    fn to_move(&self, state: &usize) -> Result<ToMove, Infallible> {
        Ok(match &self.places[*state] {
            Place::Moves(Side::Max, _) => ToMove::Max,
            Place::Moves(Side::Min, _) => ToMove::Min,
            Place::Over(..) => ToMove::Over,
        })
    }

    fn moves(&self, state: &usize, moves: &mut Vec<usize>) -> Result<(), Infallible> {
        if let Place::Moves(_, next) = &self.places[*state] {
            moves.extend(next);
        }
        Ok(())
    }

    fn apply(&self, _: &usize, mv: &usize) -> Result<usize, Infallible> {
        Ok(*mv)
    }

    fn facts(&self) -> GameFacts {
        GameFacts {
            is_acyclic: self.acyclic,
            repetition_is_draw: !self.acyclic,
            has_symmetry: self.paired,
            ..GameFacts::default()
        }
    }

    fn result(&self, state: &usize) -> Result<Option<GameResult>, Infallible> {
        Ok(match &self.places[*state] {
            Place::Over(ending, _) => *ending,
            Place::Moves(..) => None,
        })
    }

    fn canonical(&self, state: &usize) -> Result<usize, Infallible> {
        Ok(if self.paired { state | 1 } else { *state })
    }
}

/// The value of an end without an outcome.
pub(super) struct Worth;

impl Heuristic<Graph> for Worth {
    fn evaluate(&self, game: &Graph, state: &usize) -> Result<f64, Infallible> {
        Ok(match &game.places[*state] {
            Place::Over(_, number) => *number,
            Place::Moves(..) => 0.0,
        })
    }
}

/// A random graph; the game is over in the last positions.
fn graph(random: &mut Xoshiro256PlusPlus, most: usize, acyclic: bool, numbers: bool, paired: bool) -> Graph {
    let size = random.random_range(2..most) * 2;
    let ends = random.random_range(1..=size / 2);
    let draws = random.random_range(0..3);
    let mut places: Vec<Place> = (0..size)
        .map(|place| {
            if place + ends >= size {
                let number = f64::from(random.random_range(-3..=3));
                let ending = match random.random_range(0..4 + draws) {
                    0 | 1 => Some(GameResult::Won(Side::Max)),
                    2 | 3 => Some(GameResult::Won(Side::Min)),
                    _ => Some(GameResult::Draw),
                };
                return match random.random_range(0..3) {
                    0 if numbers => Place::Over(None, number),
                    1 if numbers => Place::Over(Some(GameResult::Points(number)), 0.0),
                    _ => Place::Over(ending, 0.0),
                };
            }
            let side = if random.random_range(0..2) == 0 { Side::Max } else { Side::Min };
            let least = if acyclic { place + 1 } else { 0 };
            let next = (0..random.random_range(1..5)).map(|_| random.random_range(least..size)).collect();
            Place::Moves(side, next)
        })
        .collect();
    if paired {
        // Of two positions, the second has moves to the partners of the positions to which the first has
        // moves.
        for at in (0..size).step_by(2) {
            places[at + 1] = match &places[at] {
                Place::Moves(side, next) => Place::Moves(*side, next.iter().map(|to| to ^ 1).collect()),
                over => over.clone(),
            };
        }
    }
    Graph { places, acyclic, paired }
}

/// The value of every position, layer by layer: first the positions that are decided in 1 ply, then in 2, and
/// so on.
pub(super) fn fixpoint(graph: &Graph) -> Vec<Score> {
    let mut known: Vec<Option<(Side, u32)>> = graph
        .places
        .iter()
        .map(|place| match place {
            Place::Over(Some(GameResult::Won(side)), _) => Some((*side, 0)),
            _ => None,
        })
        .collect();
    for plies in 1..=graph.places.len() as u32 + 1 {
        let known_before = known.clone();
        let before = &known_before;
        for (at, place) in graph.places.iter().enumerate() {
            let Place::Moves(mover, next) = place else { continue };
            if before[at].is_some() {
                continue;
            }
            let wins = |side: Side| move |to: &usize| before[*to].is_some_and(|(winner, _)| winner == side);
            let other = if *mover == Side::Max { Side::Min } else { Side::Max };
            if next.iter().any(wins(*mover)) {
                known[at] = Some((*mover, plies));
            } else if next.iter().all(wins(other)) {
                known[at] = Some((other, plies));
            }
        }
    }
    known.iter().map(|known| known.map_or(Score::Value(0.0), |(side, plies)| Score::won_by(side, plies))).collect()
}

/// The value of every position of an acyclic graph, from the last position to the first.
pub(super) fn minimax(graph: &Graph) -> Vec<Score> {
    let mut scores: Vec<Score> = vec![Score::Value(0.0); graph.places.len()];
    for at in (0..graph.places.len()).rev() {
        scores[at] = match &graph.places[at] {
            Place::Over(Some(GameResult::Won(side)), _) => Score::won_by(*side, 0),
            Place::Over(Some(GameResult::Draw), _) => Score::Value(0.0),
            Place::Over(Some(GameResult::Points(number)), _) | Place::Over(None, number) => Score::number(*number),
            Place::Moves(side, next) => {
                let later = next.iter().map(|to| match scores[*to] {
                    Score::Loss { plies } => Score::Loss { plies: plies + 1 },
                    Score::Win { plies } => Score::Win { plies: plies + 1 },
                    number => number,
                });
                match side {
                    Side::Max => later.max(),
                    Side::Min => later.min(),
                }
                .expect("there is a move")
            }
        };
    }
    scores
}

pub(super) const ROOM: u64 = 64 << 20;

pub(super) fn task<'a>(graph: &'a Graph, limits: &'a Limits<'a>, memory: u64) -> SolveTask<'a, Graph, Worth> {
    SolveTask::new(graph, &Worth, limits, memory)
}

/// Random graphs of every kind, with their numbers.
pub(super) fn graphs(most: usize, numbers: bool) -> impl Iterator<Item = (u64, Graph)> {
    (0..setting("ALPHORN_GRAPHS", 300)).map(move |seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let acyclic = numbers || seed % 3 == 0;
        (seed, graph(&mut random, most, acyclic, numbers, seed % 4 == 1 && !numbers && !acyclic))
    })
}

/// Random graphs with cycles that end in numbers, wins and losses.
pub(super) fn cyclic_in_numbers(most: usize, count: u64) -> impl Iterator<Item = (u64, Graph)> {
    (0..count).map(move |seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5EED);
        (seed, graph(&mut random, most, false, true, seed % 4 == 1))
    })
}

/// A game of `plies` layers, in which many positions have moves to positions of the next layer. If the game
/// is cyclic, there are also moves to the layer before.
pub(super) fn layered(random: &mut Xoshiro256PlusPlus, plies: usize, width: usize, acyclic: bool) -> Graph {
    let mut places = Vec::new();
    for ply in 0..plies {
        for _ in 0..width {
            let side = if (ply + random.random_range(0..8) / 7) % 2 == 0 { Side::Max } else { Side::Min };
            let ahead = |random: &mut Xoshiro256PlusPlus| (ply + 1) * width + random.random_range(0..width);
            let mut next: Vec<usize> = (0..random.random_range(2..4)).map(|_| ahead(random)).collect();
            if !acyclic && ply > 0 && random.random_range(0..4) == 0 {
                next.push((ply - 1) * width + random.random_range(0..width));
            }
            places.push(Place::Moves(side, next));
        }
    }
    for _ in 0..width {
        let endings = [GameResult::Won(Side::Max), GameResult::Won(Side::Min), GameResult::Draw];
        places.push(Place::Over(Some(endings[random.random_range(0..3)]), 0.0));
    }
    Graph { places, acyclic, paired: false }
}
