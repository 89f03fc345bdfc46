//! A game with a position history: positions from before the root of a search count as repetitions.
//!
//! It takes a game and the earlier positions of a line. In the resulting game each of them is over and
//! drawn, if a repetition is a draw. A search finds repetitions on its own line; this game adds the line
//! that led to the root.

use super::GameLine;
use alphorn_search::game::{Game, GameFacts, GameResult, Heuristic, RandomSuccessor, ToMove};
use rustc_hash::FxHashSet;

/// A borrowed or an owned game: helper threads own theirs.
enum LentGame<'a, G> {
    Borrowed(&'a G),
    Owned(Box<G>),
}

/// A game in which the positions of an earlier line are drawn.
pub struct WithHistory<'a, G: Game> {
    game: LentGame<'a, G>,
    /// The earlier positions; empty if repetitions do not matter.
    before: FxHashSet<&'a G::State>,
    /// The keys of the earlier positions without counters.
    keys: FxHashSet<u128>,
}

impl<'a, G: Game> WithHistory<'a, G> {
    /// The game at the end of a line. The last position itself is not over, even if it occurred before.
    pub fn new(game: &'a G, line: &'a GameLine<G>) -> WithHistory<'a, G> {
        WithHistory::of(game, line.before(), line.last())
    }

    /// The game at position `here`, after the positions `before`.
    pub fn of(game: &'a G, before: &'a [G::State], here: &G::State) -> WithHistory<'a, G> {
        let keys = keys(game, before);
        WithHistory { before: drawn(game, before, here), keys, game: LentGame::Borrowed(game) }
    }

    /// The game of [`WithHistory::of`], which owns the game without history.
    pub fn owning(game: G, before: &'a [G::State], here: &G::State) -> WithHistory<'a, G> {
        let (before, keys) = (drawn(&game, before, here), keys(&game, before));
        WithHistory { before, keys, game: LentGame::Owned(Box::new(game)) }
    }

    /// The game without its history.
    pub fn game(&self) -> &G {
        match &self.game {
            LentGame::Borrowed(game) => game,
            LentGame::Owned(game) => game,
        }
    }

    fn holds(&self, state: &G::State) -> bool {
        !self.before.is_empty() && self.before.contains(state)
    }
}

/// The earlier positions that count as repetitions at position `here`.
fn drawn<'a, G: Game>(game: &G, before: &'a [G::State], here: &G::State) -> FxHashSet<&'a G::State> {
    let before = if game.facts().draws_repetitions() { before } else { &[] };
    before.iter().filter(|state| *state != here).collect()
}

/// The keys without counters of the earlier positions.
fn keys<G: Game>(game: &G, before: &[G::State]) -> FxHashSet<u128> {
    before.iter().filter_map(|state| game.key_without_counters(state)).collect()
}

impl<G: Game> Game for WithHistory<'_, G> {
    type State = G::State;
    type Move = G::Move;
    type Fault = G::Fault;

    fn to_move(&self, state: &G::State) -> Result<ToMove, G::Fault> {
        if self.holds(state) { Ok(ToMove::Over) } else { self.game().to_move(state) }
    }

    fn moves(&self, state: &G::State, moves: &mut Vec<G::Move>) -> Result<(), G::Fault> {
        self.game().moves(state, moves)
    }

    fn chance_outcomes(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        weights: &mut Vec<u64>,
    ) -> Result<(), G::Fault> {
        self.game().chance_outcomes(state, moves, weights)
    }

    fn is_over(&self, state: &G::State) -> Result<bool, G::Fault> {
        if self.holds(state) { Ok(true) } else { self.game().is_over(state) }
    }

    fn count_moves(&self, state: &G::State) -> Result<usize, G::Fault> {
        self.game().count_moves(state)
    }

    fn apply(&self, state: &G::State, mv: &G::Move) -> Result<G::State, G::Fault> {
        self.game().apply(state, mv)
    }

    fn held<'m>(&self, mv: &'m G::Move) -> Option<&'m G::State> {
        self.game().held(mv)
    }

    fn key(&self, state: &G::State) -> u128 {
        self.game().key(state)
    }

    fn key_without_counters(&self, state: &G::State) -> Option<u128> {
        self.game().key_without_counters(state)
    }

    fn occurred_before(&self, key: u128) -> bool {
        self.keys.contains(&key)
    }

    fn mover(&self, state: &G::State) -> Result<ToMove, G::Fault> {
        self.game().mover(state)
    }

    fn random_successor(
        &self,
        state: &G::State,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<RandomSuccessor<G::State>, G::Fault> {
        if self.holds(state) { Ok(RandomSuccessor::Over) } else { self.game().random_successor(state, choose) }
    }

    fn move_key(&self, state: &G::State, mv: &G::Move) -> u64 {
        self.game().move_key(state, mv)
    }

    fn facts(&self) -> GameFacts {
        self.game().facts()
    }

    fn result(&self, state: &G::State) -> Result<Option<GameResult>, G::Fault> {
        if self.holds(state) { Ok(Some(GameResult::Draw)) } else { self.game().result(state) }
    }

    fn canonical(&self, state: &G::State) -> Result<G::State, G::Fault> {
        self.game().canonical(state)
    }

    fn compact(&self, states: &mut [G::State]) {
        self.game().compact(states);
    }

    fn live_bytes(&self) -> u64 {
        self.game().live_bytes()
    }

    fn most_live_bytes(&self) -> u64 {
        self.game().most_live_bytes()
    }
}

/// Evaluates positions by a heuristic of the game without history.
pub struct WithoutHistory<'a, H>(pub &'a H);

impl<G: Game, H: Heuristic<G>> Heuristic<WithHistory<'_, G>> for WithoutHistory<'_, H> {
    fn evaluate(&self, past: &WithHistory<'_, G>, state: &G::State) -> Result<f64, G::Fault> {
        self.0.evaluate(past.game(), state)
    }

    fn has_unquiet_positions(&self, past: &WithHistory<'_, G>) -> bool {
        self.0.has_unquiet_positions(past.game())
    }

    fn separates_noisy_moves(&self, past: &WithHistory<'_, G>) -> bool {
        self.0.separates_noisy_moves(past.game())
    }

    fn is_quiet(&self, past: &WithHistory<'_, G>, state: &G::State) -> Result<bool, G::Fault> {
        self.0.is_quiet(past.game(), state)
    }

    fn is_noisy(&self, past: &WithHistory<'_, G>, state: &G::State, mv: &G::Move) -> Result<bool, G::Fault> {
        self.0.is_noisy(past.game(), state, mv)
    }

    fn finds_noisy_moves(&self, past: &WithHistory<'_, G>) -> bool {
        self.0.finds_noisy_moves(past.game())
    }

    fn noisy_moves(
        &self,
        past: &WithHistory<'_, G>,
        state: &G::State,
        moves: &mut Vec<G::Move>,
    ) -> Result<bool, G::Fault> {
        self.0.noisy_moves(past.game(), state, moves)
    }

    fn is_forced(&self, past: &WithHistory<'_, G>, state: &G::State) -> Result<bool, G::Fault> {
        self.0.is_forced(past.game(), state)
    }

    fn weighs_moves(&self, past: &WithHistory<'_, G>) -> bool {
        self.0.weighs_moves(past.game())
    }

    fn weigh(
        &self,
        past: &WithHistory<'_, G>,
        state: &G::State,
        moves: &[G::Move],
        depth: u32,
        weights: &mut Vec<f64>,
    ) -> Result<(), G::Fault> {
        self.0.weigh(past.game(), state, moves, depth, weights)
    }

    fn has_extensions(&self, past: &WithHistory<'_, G>) -> bool {
        self.0.has_extensions(past.game())
    }

    fn extension(&self, past: &WithHistory<'_, G>, state: &G::State, mv: &G::Move) -> Result<i32, G::Fault> {
        self.0.extension(past.game(), state, mv)
    }

    fn null_move(&self, past: &WithHistory<'_, G>, state: &G::State) -> Result<Option<G::State>, G::Fault> {
        self.0.null_move(past.game(), state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_search::game::Score;
    use alphorn_search::search::limits::Limits;
    use alphorn_search::search::{Algorithm, run};
    use std::convert::Infallible;

    /// A token that MAX moves forward or back along four places. Its place is its value.
    struct Track;

    impl Game for Track {
        type State = i32;
        type Move = i32;
        type Fault = Infallible;

        fn to_move(&self, _: &i32) -> Result<ToMove, Infallible> {
            Ok(ToMove::Max)
        }

        fn moves(&self, &place: &i32, moves: &mut Vec<i32>) -> Result<(), Infallible> {
            moves.extend([place - 1, place + 1].into_iter().filter(|next| (0..4).contains(next)));
            Ok(())
        }

        fn apply(&self, _: &i32, &next: &i32) -> Result<i32, Infallible> {
            Ok(next)
        }

        fn facts(&self) -> GameFacts {
            GameFacts { repetition_is_draw: true, ..GameFacts::default() }
        }

        fn result(&self, _: &i32) -> Result<Option<GameResult>, Infallible> {
            Ok(None)
        }
    }

    impl Heuristic<Track> for Track {
        fn evaluate(&self, _: &Track, &place: &i32) -> Result<f64, Infallible> {
            Ok(f64::from(place))
        }
    }

    #[test]
    fn a_search_shuns_and_seeks_what_was_there_before() {
        for algorithm in Algorithm::ALL {
            let best = |before: &[i32]| {
                let line = GameLine { states: [before, &[1]].concat(), moves: before.to_vec() };
                let past = WithHistory::new(&Track, &line);
                let found = run(algorithm, &past, &WithoutHistory(&Track), &1, &Limits::to_depth(1));
                let found = found.expect("a depth ends every search, and nothing faults");
                (found.best, found.value)
            };
            assert_eq!(best(&[]), (Some(2), Some(Score::Value(2.0))), "{algorithm}");
            assert_eq!(best(&[2]), (Some(0), Some(Score::Value(0.0))), "{algorithm}");
            assert_eq!(best(&[1]), best(&[]), "{algorithm}");
        }
    }
}
