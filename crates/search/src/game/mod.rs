//! The traits and types that describe a two-player game to a search.
//!
//! [`Game`] says which moves are legal and who has won; [`Heuristic`] says how good a position
//! looks. Rules implement both traits and searches use them; both sides share [`Score`]. This module
//! must not depend on how a game is written down or searched.

mod chance;
mod heuristic;
mod key;
mod score;

pub use chance::drawn_by;
pub use heuristic::{Heuristic, NoEvaluation};
pub use key::key_of;
pub use score::{Score, WIN_LEAST};

use std::hash::Hash;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who plays for the greatest value.
    Max,
    /// The player who plays for the least value.
    Min,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// The name in printed text: MAX or MIN.
    pub fn name(self) -> &'static str {
        match self {
            Side::Max => "MAX",
            Side::Min => "MIN",
        }
    }

    /// The name in rules and other data: `max` or `min`.
    pub fn key(self) -> &'static str {
        match self {
            Side::Max => "max",
            Side::Min => "min",
        }
    }
}

/// Who moves in a position. The same side may move twice in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToMove {
    /// Max moves.
    Max,
    /// Min moves.
    Min,
    /// No player moves: chance, such as dice, chooses among the moves.
    Chance,
    /// No player moves: the game is over.
    Over,
}

impl ToMove {
    /// The player to move; `None` if chance moves or the game is over.
    pub fn side(self) -> Option<Side> {
        match self {
            ToMove::Max => Some(Side::Max),
            ToMove::Min => Some(Side::Min),
            ToMove::Chance | ToMove::Over => None,
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameResult {
    /// One side has won. A quicker win is better for the winner.
    Won(Side),
    /// Neither side has won: worth 0.
    Draw,
    /// The score, from Max's point of view. Never NaN.
    Points(f64),
}

/// The winner of a finished game, by its declared result.
/// Without a declared winner or draw, the sign of the number decides: the points, or what `evaluate`
/// gives. In a game with chance the number counts relative to the middle of the payoff range.
pub fn winner<G: Game, F>(
    game: &G,
    ending: Option<GameResult>,
    evaluate: impl FnOnce() -> Result<f64, F>,
) -> Result<Option<Side>, F> {
    let number = match ending {
        Some(GameResult::Won(side)) => return Ok(Some(side)),
        Some(GameResult::Draw) => return Ok(None),
        Some(GameResult::Points(points)) => points,
        None => evaluate()?,
    };
    let even = match game.facts().payoff_range.filter(|_| game.facts().has_chance) {
        Some((loss, win)) => (loss + win) / 2.0,
        None => 0.0,
    };
    Ok(match number {
        number if number > even => Some(Side::Max),
        number if number < even => Some(Side::Min),
        _ => None,
    })
}

/// The range of all values of a game whose finished games are worth `least` to `greatest`.
/// Endless play is worth 0, so the range includes 0 unless the game is acyclic. A caller that calls
/// a value exact because it equals an end of the range must use this range.
pub fn widened_by_endless_play<G: Game>(game: &G, (least, greatest): (f64, f64)) -> (f64, f64) {
    match game.facts().is_acyclic {
        true => (least, greatest),
        false => (least.min(0.0), greatest.max(0.0)),
    }
}

/// The properties of a game that are the same in every position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameFacts {
    /// Whether the game has positions in which chance moves.
    pub has_chance: bool,
    /// Whether no line can repeat a position. A search relies on it and does not check.
    pub is_acyclic: bool,
    /// Whether a repetition of a position on the current line is a draw.
    pub repetition_is_draw: bool,
    /// Whether [`Game::canonical`] can give another position than its argument.
    pub has_symmetry: bool,
    /// Whether finished games end in wins, losses and draws, rather than in numbers. All numbers are
    /// then estimates.
    pub has_results: bool,
    /// The least and the greatest number that a finished game can be worth for Max, if known.
    ///
    /// Only for games that end in numbers: a game that can end in [`GameResult::Won`] must have
    /// `None`, because a win is greater than every number. Estimates and the 0 of endless play may
    /// lie outside: see [`widened_by_endless_play`]. With a wrong range a search calls wrong values
    /// exact, so rules that find a finished game outside it fault.
    pub value_range: Option<(f64, f64)>,
    /// The payoff range: the values of a loss and of a win of Max where a search averages values.
    /// Every number, even an estimate, then lies in the range: rules and heuristics that give
    /// another number fault. `None`: a loss is worth -1, a win 1, and numbers have no bounds.
    pub payoff_range: Option<(f64, f64)>,
    /// Whether [`Game::key_without_counters`] gives keys.
    pub has_counters: bool,
}

impl GameFacts {
    /// The facts of a game without chance moves that ends in numbers of a known range, or, without
    /// a range, in wins, losses and draws.
    pub fn of_values(range: Option<(f64, f64)>) -> GameFacts {
        GameFacts {
            has_chance: false,
            is_acyclic: false,
            repetition_is_draw: false,
            has_symmetry: false,
            has_results: range.is_none(),
            value_range: range,
            payoff_range: range,
            has_counters: false,
        }
    }

    /// Whether a line can repeat a position, which is then a draw.
    pub fn draws_repetitions(&self) -> bool {
        self.repetition_is_draw && !self.is_acyclic
    }
}

impl Default for GameFacts {
    fn default() -> GameFacts {
        GameFacts::of_values(None)
    }
}

/// The answer of [`Game::random_successor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomSuccessor<S> {
    /// The position after the chosen move.
    To(S),
    /// The game is over.
    Over,
    /// The game has no quicker way than `to_move` and `moves`.
    Unknown,
}

/// The rules of a two-player game with open information, with or without chance moves.
///
/// One thread at a time calls a `Game`; the game may keep caches behind `&self`.
pub trait Game {
    /// A position, with everything that decides how the game goes on. A search hashes every position
    /// that it visits if repetitions matter.
    type State: Clone + Eq + Hash;
    /// A move, as a player names it.
    type Move: Clone;
    /// The error of faulty rules: `std::convert::Infallible` for a game written in Rust.
    type Fault;

    /// The player to move in `state`. Errs if the rules fault.
    fn to_move(&self, state: &Self::State) -> Result<ToMove, Self::Fault>;

    /// Appends the legal moves in `state` to `moves`, in the game's own order.
    ///
    /// Leaves what `moves` already contains unchanged. Called only if the game is not over; rules
    /// that then find no move must fault, and a search panics if nothing is appended. In a chance
    /// position the moves are the chance outcomes.
    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>) -> Result<(), Self::Fault>;

    /// Appends the chance outcomes in `state`, as `moves` does, and a weight of 1 or more for each.
    /// The weights of one position add up to less than 2^53.
    fn chance_outcomes(
        &self,
        state: &Self::State,
        moves: &mut Vec<Self::Move>,
        weights: &mut Vec<u64>,
    ) -> Result<(), Self::Fault> {
        let first = moves.len();
        self.moves(state, moves)?;
        weights.resize(weights.len() + moves.len() - first, 1);
        Ok(())
    }

    /// The properties of the game that are the same in every position.
    fn facts(&self) -> GameFacts {
        GameFacts::default()
    }

    /// Whether the game is over in `state`, for searches that need only this part of `to_move`. Errs
    /// if the rules fault.
    fn is_over(&self, state: &Self::State) -> Result<bool, Self::Fault> {
        Ok(self.to_move(state)? == ToMove::Over)
    }

    /// How many moves `moves` would append, for counts that need no moves. Called only where `moves`
    /// may be called; errs if `moves` does.
    fn count_moves(&self, state: &Self::State) -> Result<usize, Self::Fault> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves)?;
        Ok(moves.len())
    }

    /// The position after `mv`, a legal move in `state`. Errs if the rules fault.
    fn apply(&self, state: &Self::State, mv: &Self::Move) -> Result<Self::State, Self::Fault>;

    /// The position after `mv`, if the move contains it: a search then does not call `apply`. For
    /// one move the answer is always the same.
    fn held<'m>(&self, mv: &'m Self::Move) -> Option<&'m Self::State> {
        let _ = mv;
        None
    }

    /// The key of a position in tables. Equal positions have equal keys. Positions with equal keys
    /// are taken to be equal.
    fn key(&self, state: &Self::State) -> u128 {
        key_of(state)
    }

    /// The key of a position without the parts that only count moves, which heuristic searches leave out.
    /// `None` if the game has no such parts.
    fn key_without_counters(&self, state: &Self::State) -> Option<u128> {
        let _ = state;
        None
    }

    /// Whether a position with this key without counters occurred before the root of the search.
    fn occurred_before(&self, key: u128) -> bool {
        let _ = key;
        false
    }

    /// The player to move in `state`, which is not over and where chance does not move.
    fn mover(&self, state: &Self::State) -> Result<ToMove, Self::Fault> {
        self.to_move(state)
    }

    /// The successor of `state` by one of its moves, whose number among the moves `choose` gives from
    /// their count: quicker than `to_move` and `moves` if the game can leave out the other successors.
    /// `choose` is called once, and only for [`RandomSuccessor::To`]. Errs if the rules fault.
    fn random_successor(
        &self,
        state: &Self::State,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<RandomSuccessor<Self::State>, Self::Fault> {
        let _ = (state, choose);
        Ok(RandomSuccessor::Unknown)
    }

    /// A number that identifies `mv`, a move in `state`, among the moves of all positions.
    /// A search tries moves first that proved good elsewhere. 0 means no number. It never decides a
    /// value.
    fn move_key(&self, state: &Self::State, mv: &Self::Move) -> u64 {
        let _ = (state, mv);
        0
    }

    /// The result of the game in `state`, called only if the game is over.
    ///
    /// `None`: the game declares no results, and the heuristic's number is the exact value.
    fn result(&self, state: &Self::State) -> Result<Option<GameResult>, Self::Fault>;

    /// A representative of all positions that equal `state` up to a symmetry of the game.
    /// It has the same value and the same continuations. It is `state` itself if the game has no
    /// symmetry. Errs if the rules fault.
    fn canonical(&self, state: &Self::State) -> Result<Self::State, Self::Fault> {
        Ok(state.clone())
    }

    /// Makes positions that are kept for long take less memory. Their values stay equal.
    fn compact(&self, states: &mut [Self::State]) {
        let _ = states;
    }

    /// Bytes that all live positions take beyond the size of their type.
    fn live_bytes(&self) -> u64 {
        0
    }

    /// The greatest number of bytes of live positions. Beyond this number the other methods fail.
    fn most_live_bytes(&self) -> u64 {
        u64::MAX
    }
}
