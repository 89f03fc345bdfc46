//! Artificial games for tests of searches: random trees, random graphs, full trees.
//!
//! The games are made from seeds of proptest, or from leaves. A position is a number, and the root is 0. A
//! move is the number of the position after the move.

use alphorn::advice::filter::MoveFilter;
use alphorn::game::{Game, GameFacts, GameResult, Heuristic, RandomSuccessor, Side, ToMove};
use proptest::prelude::*;
use std::convert::Infallible;

/// A position of an artificial game. The game is over in a position without children.
#[derive(Clone, Debug)]
pub struct Position {
    pub mover: Side,
    pub children: Vec<usize>,
    pub ending: Option<GameResult>,
    pub number: f64,
}

/// An artificial game: its positions by number, the root first. A move is the number of the child.
#[derive(Clone, Debug)]
pub struct Toy {
    pub positions: Vec<Position>,
    pub acyclic: bool,
    pub repetition_is_draw: bool,
    pub value_range: Option<(f64, f64)>,
    /// If given, the game chooses random successors, but not in positions whose numbers are multiples of this one.
    pub chooses: Option<usize>,
}

impl Game for Toy {
    type State = usize;
    type Move = usize;
    type Fault = Infallible;

    fn to_move(&self, &state: &usize) -> Result<ToMove, Infallible> {
        let position = &self.positions[state];
        Ok(match position.mover {
            _ if position.children.is_empty() => ToMove::Over,
            Side::Max => ToMove::Max,
            Side::Min => ToMove::Min,
        })
    }

    fn moves(&self, &state: &usize, moves: &mut Vec<usize>) -> Result<(), Infallible> {
        moves.extend(&self.positions[state].children);
        Ok(())
    }

    fn apply(&self, _state: &usize, &mv: &usize) -> Result<usize, Infallible> {
        Ok(mv)
    }

    fn random_successor(
        &self,
        &state: &usize,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<RandomSuccessor<usize>, Infallible> {
        if self.chooses.is_none_or(|leaves_out| state > 0 && state % leaves_out == 0) {
            return Ok(RandomSuccessor::Unknown);
        }
        let children = &self.positions[state].children;
        if children.is_empty() {
            return Ok(RandomSuccessor::Over);
        }
        Ok(RandomSuccessor::To(children[choose(children.len())]))
    }

    fn facts(&self) -> GameFacts {
        GameFacts {
            is_acyclic: self.acyclic,
            repetition_is_draw: self.repetition_is_draw,
            ..GameFacts::of_values(self.value_range)
        }
    }

    fn result(&self, &state: &usize) -> Result<Option<GameResult>, Infallible> {
        Ok(self.positions[state].ending)
    }
}

/// Evaluates a position by its number.
pub struct Numbers;

impl Heuristic<Toy> for Numbers {
    fn evaluate(&self, toy: &Toy, &state: &usize) -> Result<f64, Infallible> {
        Ok(toy.positions[state].number)
    }
}

/// Evaluates a position by its number, with random advice for every move: its weight, and whether to search
/// the move.
pub struct Biased {
    pub seed: u64,
}

impl Biased {
    fn drawn(&self, state: usize, mv: usize) -> u64 {
        let mixed = (self.seed ^ (state as u64) << 32 ^ mv as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 60
    }
}

impl Heuristic<Toy> for Biased {
    fn evaluate(&self, toy: &Toy, state: &usize) -> Result<f64, Infallible> {
        Numbers.evaluate(toy, state)
    }

    fn weighs_moves(&self, _toy: &Toy) -> bool {
        true
    }

    fn weigh(
        &self,
        _toy: &Toy,
        &state: &usize,
        moves: &[usize],
        _depth: u32,
        weights: &mut Vec<f64>,
    ) -> Result<(), Infallible> {
        weights.extend(moves.iter().map(|&mv| self.drawn(state, mv) as f64 - 8.0));
        Ok(())
    }
}

impl MoveFilter<Toy> for Biased {
    fn narrow(&self, _toy: &Toy, &state: &usize, moves: &mut Vec<usize>, first: usize) -> Result<bool, Infallible> {
        let kept: Vec<usize> = moves[first..].iter().copied().filter(|&mv| self.drawn(state, mv) < 10).collect();
        let narrows = !kept.is_empty() && kept.len() < moves.len() - first;
        if narrows {
            moves.truncate(first);
            moves.extend(kept);
        }
        Ok(narrows)
    }
}

/// Evaluates a position by its number, but most positions are not quiet. The number of a position decides
/// whether it is quiet, which moves are noisy, and whether a move is forced.
pub struct Restless;

impl Heuristic<Toy> for Restless {
    fn evaluate(&self, toy: &Toy, state: &usize) -> Result<f64, Infallible> {
        Numbers.evaluate(toy, state)
    }

    fn has_unquiet_positions(&self, _toy: &Toy) -> bool {
        true
    }

    fn is_quiet(&self, _toy: &Toy, &state: &usize) -> Result<bool, Infallible> {
        Ok(state % 5 == 2)
    }

    fn is_noisy(&self, _toy: &Toy, _state: &usize, &mv: &usize) -> Result<bool, Infallible> {
        Ok(mv % 3 != 1)
    }

    fn is_forced(&self, _toy: &Toy, &state: &usize) -> Result<bool, Infallible> {
        Ok(state % 4 == 3)
    }
}

/// Like `Restless`, but without noisy moves, so quiescence search follows all moves.
pub struct Fickle;

impl Heuristic<Toy> for Fickle {
    fn evaluate(&self, toy: &Toy, state: &usize) -> Result<f64, Infallible> {
        Numbers.evaluate(toy, state)
    }

    fn has_unquiet_positions(&self, _toy: &Toy) -> bool {
        true
    }

    fn is_quiet(&self, toy: &Toy, state: &usize) -> Result<bool, Infallible> {
        Restless.is_quiet(toy, state)
    }

    fn separates_noisy_moves(&self, _toy: &Toy) -> bool {
        false
    }

    fn is_noisy(&self, _toy: &Toy, _state: &usize, _mv: &usize) -> Result<bool, Infallible> {
        Ok(true)
    }

    fn is_forced(&self, toy: &Toy, state: &usize) -> Result<bool, Infallible> {
        Restless.is_forced(toy, state)
    }
}

/// The data of a position, before it gets its place in a game.
fn positions(most: usize) -> impl Strategy<Value = Vec<(usize, Position)>> {
    let side = prop_oneof![Just(Side::Max), Just(Side::Min)];
    // There are few numbers, so that many are equal. They are integers and halves, so that none is rounded.
    let number = || (-4..=4_i8).prop_map(|halves| f64::from(halves) / 2.0);
    let ending = prop_oneof![
        Just(Some(GameResult::Won(Side::Max))),
        Just(Some(GameResult::Won(Side::Min))),
        Just(Some(GameResult::Draw)),
        number().prop_map(|points| Some(GameResult::Points(points))),
        Just(None),
    ];
    let position = (side, ending, number()).prop_map(|(mover, ending, number)| Position {
        mover,
        children: Vec::new(),
        ending,
        number,
    });
    prop::collection::vec((any::<prop::sample::Index>(), position), 1..most)
        .prop_map(|all| all.into_iter().map(|(at, position)| (at.index(1 << 16), position)).collect())
}

/// The ends that a game may have.
#[derive(Clone, Copy, Debug)]
enum Endings {
    Any,
    NumbersOnly,
    NumbersInKnownRange,
}

/// Gives a game its ends, and a value range if the range is known.
fn with_endings(mut positions: Vec<Position>, endings: Endings) -> Toy {
    let mut value_range = None;
    if !matches!(endings, Endings::Any) {
        positions.iter_mut().for_each(|position| position.ending = None);
    }
    if matches!(endings, Endings::NumbersInKnownRange) {
        let over = positions.iter().filter(|position| position.children.is_empty());
        let numbers = over.map(|position| position.number).collect::<Vec<_>>();
        let least = numbers.iter().copied().fold(2.0, f64::min);
        value_range = Some((least, numbers.iter().copied().fold(least, f64::max)));
    }
    Toy { positions, acyclic: true, repetition_is_draw: false, value_range, chooses: None }
}

fn endings() -> impl Strategy<Value = Endings> {
    prop_oneof![Just(Endings::Any), Just(Endings::NumbersOnly), Just(Endings::NumbersInKnownRange)]
}

/// A random tree: the parent of a position is one of the `spread` positions before it.
pub fn trees() -> impl Strategy<Value = Toy> {
    (positions(60), 1..12_usize, endings()).prop_map(|(seeds, spread, endings)| {
        let mut tree: Vec<Position> = Vec::new();
        for (number, (place, position)) in seeds.into_iter().enumerate() {
            if number > 0 {
                let parent = number - 1 - place % spread.min(number);
                tree[parent].children.push(number);
            }
            tree.push(position);
        }
        with_endings(tree, endings)
    })
}

/// A random graph, in which lines may meet and positions may repeat.
pub fn graphs() -> impl Strategy<Value = Toy> {
    let edges = prop::collection::vec((0..7_usize, 0..7_usize), 0..14);
    (positions(8), edges, endings()).prop_map(|(seeds, edges, endings)| {
        let mut graph: Vec<Position> = seeds.into_iter().map(|(_, position)| position).collect();
        let count = graph.len();
        for (from, to) in edges {
            graph[from % count].children.push(to % count);
        }
        let mut toy = with_endings(graph, endings);
        toy.acyclic = false;
        toy
    })
}

/// The full tree of `branching` with these leaves. MAX moves first, then the players take turns.
pub fn uniform(branching: usize, leaves: &[f64]) -> Toy {
    let position = |mover, number| Position { mover, children: Vec::new(), ending: None, number };
    let mut positions = vec![position(Side::Max, 0.0)];
    let mut level = 0..1;
    while level.len() < leaves.len() {
        let begin = positions.len();
        for parent in level {
            let mover = positions[parent].mover.other();
            for _ in 0..branching {
                let child = positions.len();
                positions[parent].children.push(child);
                positions.push(position(mover, 0.0));
            }
        }
        level = begin..positions.len();
    }
    for (place, number) in level.zip(leaves) {
        positions[place].number = *number;
    }
    with_endings(positions, Endings::NumbersOnly)
}
