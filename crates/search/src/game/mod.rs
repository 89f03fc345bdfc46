//! Game: the rules of a game for two as a search sees them; the neck of the house.
//!
//! In: nothing of ours. Out: the traits that rules implement and searches use, and the score
//! that both speak. What stands on this side of the neck says what is legal and who has won;
//! what stands on the other side says which move is good. Neither sees the other.
//! Must not know how a game is written down, nor how it is searched.

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
    /// Who wants the greatest value.
    Max,
    /// Who wants the least value.
    Min,
}

impl Side {
    /// The one that it plays against.
    pub fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// How people call it: MAX or MIN.
    pub fn name(self) -> &'static str {
        match self {
            Side::Max => "MAX",
            Side::Min => "MIN",
        }
    }

    /// How rules and other data call it: `max` or `min`.
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
    /// Nobody: dice, or whatever else nobody decides, choose among the moves.
    Chance,
    /// Nobody: the game has ended.
    Over,
}

impl ToMove {
    /// The side that moves; `None` where chance does, or where the game has ended.
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
    /// One side has won; the sooner the better for it.
    Won(Side),
    /// Nobody has won: worth 0.
    Draw,
    /// So many points, from Max's point of view. Never NaN.
    Points(f64),
}

/// Who has won a finished game: as it declares, or else by its number, that of `evaluate` where it
/// has no ending. In a game with chance a number counts beside the middle of what is at stake.
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
    let even = match game.payoff_range().filter(|_| game.has_chance()) {
        Some((loss, win)) => (loss + win) / 2.0,
        None => 0.0,
    };
    Ok(match number {
        number if number > even => Some(Side::Max),
        number if number < even => Some(Side::Min),
        _ => None,
    })
}

/// Between which numbers every value of a game lies whose finished games lie between these two: play
/// without end is worth 0, whatever numbers it passes, so 0 lies between them unless the game is
/// acyclic. Whoever calls a value exact because it lies at an edge has to take these edges.
pub fn widened_by_endless_play<G: Game>(game: &G, (least, greatest): (f64, f64)) -> (f64, f64) {
    match game.acyclic() {
        true => (least, greatest),
        false => (least.min(0.0), greatest.max(0.0)),
    }
}

/// The rules of a game for two players with open information, and perhaps with chance.
///
/// A search asks a `Game` from one thread; it may keep caches behind `&self`.
pub trait Game {
    /// A position with everything that decides how play goes on. Where repetitions matter, a search
    /// hashes every position that it visits.
    type State: Clone + Eq + Hash;
    /// A move, as a player would name it.
    type Move: Clone;
    /// How the rules can go wrong: `std::convert::Infallible` for a game written in Rust.
    type Fault;

    /// Who moves in `state`. Errs when the rules fault.
    fn to_move(&self, state: &Self::State) -> Result<ToMove, Self::Fault>;

    /// Appends the legal moves in `state` to `moves`, in the game's own order, and touches nothing
    /// that stands in `moves` already.
    ///
    /// Asked only where the game is not over, and then there is at least one: rules that find none
    /// fault. A search panics when nothing was appended. Where chance moves, they are what can happen.
    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>) -> Result<(), Self::Fault>;

    /// Whether there are positions in which chance moves.
    fn has_chance(&self) -> bool {
        false
    }

    /// Where chance moves: the same as `moves`, and for each of them how likely it is, as a weight
    /// of 1 or more. The weights of one position add up to less than 2^53.
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

    /// What a loss and what a win of Max is worth where values are averaged: by chance, and in
    /// random play. Every number, that of an estimate too, then lies between the two; so rules and
    /// heuristics that give another fault. `None`: a loss is worth -1, a win 1, and numbers may be
    /// anything.
    fn payoff_range(&self) -> Option<(f64, f64)> {
        self.value_range()
    }

    /// Whether finished games end in wins, losses and draws, beside which numbers are opinions; not
    /// where they end in numbers.
    fn has_results(&self) -> bool {
        self.value_range().is_none()
    }

    /// Whether the game has ended in `state`: the same as `turn` being over, for searches that need
    /// to know no more. Errs when the rules fault.
    fn is_over(&self, state: &Self::State) -> Result<bool, Self::Fault> {
        Ok(self.to_move(state)? == ToMove::Over)
    }

    /// How many moves `moves` would append, for counts that never make them. Asked where `moves`
    /// may be asked, and errs where that does.
    fn count_moves(&self, state: &Self::State) -> Result<usize, Self::Fault> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves)?;
        Ok(moves.len())
    }

    /// The position after `mv`, one of the legal moves in `state`. Errs when the rules fault.
    fn apply(&self, state: &Self::State, mv: &Self::Move) -> Result<Self::State, Self::Fault>;

    /// The position after `mv`, where the move holds it anyway: a search then asks for no copy of
    /// it by `apply`. Either every time for the same move, or never.
    fn held<'m>(&self, mv: &'m Self::Move) -> Option<&'m Self::State> {
        let _ = mv;
        None
    }

    /// The name of a position in tables. Equal positions have equal keys, and others are taken to
    /// have different ones.
    fn key(&self, state: &Self::State) -> u128 {
        key_of(state)
    }

    /// A number that names `mv`, a move in `state`, among the moves of all
    /// positions: a search tries first what has proved good elsewhere. 0 says nothing. Never
    /// decides a value.
    fn move_key(&self, state: &Self::State, mv: &Self::Move) -> u64 {
        let _ = (state, mv);
        0
    }

    /// How the game ended in `state`, asked only where `turn` is over.
    ///
    /// `None`: the game declares no endings, and the heuristic's number is the exact value.
    fn result(&self, state: &Self::State) -> Result<Option<GameResult>, Self::Fault>;

    /// Whether no line of play can repeat a position. A search believes it and does not look.
    fn acyclic(&self) -> bool {
        false
    }

    /// Whether a position that stands on the line already is a draw when it comes again.
    fn repetition_is_draw(&self) -> bool {
        false
    }

    /// The least and the greatest number that any finished game can be worth, for Max, where the
    /// game knows them.
    ///
    /// Only for games that end in numbers: one that can end in [`GameResult::Won`] must give `None`,
    /// for it has an outcome beyond every number. An estimate may lie outside the range, and so may
    /// the 0 of play that repeats or does not end: see [`widened_by_endless_play`]. A finished game
    /// worth more or less than the range says makes a search call wrong values exact, so rules that
    /// find one fault.
    fn value_range(&self) -> Option<(f64, f64)> {
        None
    }

    /// A position that stands for `state` and for all that are the same but for a symmetry of the
    /// game, the same for as many of them as the game can tell: it is worth the same, and play goes
    /// on alike. `state` itself where the game knows of no symmetry. Errs when the rules fault.
    fn canonical(&self, state: &Self::State) -> Result<Self::State, Self::Fault> {
        Ok(state.clone())
    }

    /// Whether `canonical` can give another position than it was asked about.
    fn has_symmetry(&self) -> bool {
        false
    }

    /// Makes positions that will be kept for long take as little room as they can; each stays as it
    /// is.
    fn compact(&self, states: &mut [Self::State]) {
        let _ = states;
    }

    /// Bytes that the positions now alive take beyond the size of their type.
    fn live_bytes(&self) -> u64 {
        0
    }
}
