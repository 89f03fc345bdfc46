//! The arena: plays a game to its end between two players.
//!
//! It takes a game, a line of play, and a function that chooses moves. It extends the line, and returns
//! how the game ended. Every move must be legal in the given game. The arena knows neither terms nor the
//! rule language, and not how a player finds a move.

pub mod alarm;
pub mod clock;
pub mod history;
pub mod opening;
pub mod pentanomial;
pub mod ratings;
pub mod score;
pub mod sprt;

use alphorn_search::game::{Game, Heuristic, Side, ToMove, winner};

/// A line of play: the first position, the moves, and the position after each move.
#[derive(Debug)]
pub struct GameLine<G: Game> {
    states: Vec<G::State>,
    /// The moves; there is one position more.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Clone for GameLine<G> {
    fn clone(&self) -> GameLine<G> {
        GameLine { states: self.states.clone(), moves: self.moves.clone() }
    }
}

impl<G: Game> GameLine<G> {
    /// A line without moves.
    pub fn from(start: G::State) -> GameLine<G> {
        GameLine { states: vec![start], moves: Vec::new() }
    }

    /// The last position.
    pub fn last(&self) -> &G::State {
        self.states.last().expect("a line begins somewhere")
    }

    /// The positions before each of the moves.
    pub fn before(&self) -> &[G::State] {
        &self.states[..self.moves.len()]
    }

    /// Appends a move with its successor.
    pub fn push(&mut self, mv: G::Move, next: G::State) {
        self.moves.push(mv);
        self.states.push(next);
    }
}

impl<G: Game> GameLine<G> {
    /// Removes the last move and returns it, if there is one.
    pub fn pop(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(mv)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The game is over by its rules, with its winner if there is one.
    Over(Option<Side>),
    /// A position repeated, in a game where a repetition is a draw.
    Repeated,
    /// The game was given up because it became too long.
    Unfinished,
    /// The game was ended before its end by the rules, with this result.
    Adjudicated(Option<Side>),
}

impl GameEnd {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Side> {
        match self {
            GameEnd::Over(winner) | GameEnd::Adjudicated(winner) => winner,
            GameEnd::Repeated | GameEnd::Unfinished => None,
        }
    }
}

/// The status of a game at the end of a line.
pub enum LineStatus {
    /// This side is to move.
    Moves(Side),
    /// Chance is to move.
    Chance,
    /// The game is over.
    Ended(GameEnd),
}

/// The side to move, or the end of the game. The game declares its winner, or else the sign of the
/// evaluation decides, as in a search.
pub fn line_status<G: Game, H: Heuristic<G>>(
    game: &G,
    heuristic: &H,
    line: &GameLine<G>,
) -> Result<LineStatus, G::Fault> {
    let state = line.last();
    if game.facts().draws_repetitions() && line.before().contains(state) {
        return Ok(LineStatus::Ended(GameEnd::Repeated));
    }
    match game.to_move(state)? {
        ToMove::Max => return Ok(LineStatus::Moves(Side::Max)),
        ToMove::Min => return Ok(LineStatus::Moves(Side::Min)),
        ToMove::Chance => return Ok(LineStatus::Chance),
        ToMove::Over => {}
    }
    let winner = winner(game, game.result(state)?, || heuristic.evaluate(game, state))?;
    Ok(LineStatus::Ended(GameEnd::Over(winner)))
}

/// The reason why a game was not played to its end.
pub enum PlayError<G: Game, E> {
    /// The rules of the game failed in the last position.
    Fault(G::Fault),
    /// This side chose a move that is illegal in the last position.
    Illegal(Side, G::Move),
    /// The player failed to choose a move.
    Player(E),
}

/// What happens when a side is to move.
pub enum Decision<M> {
    /// The side makes this move.
    Move(M),
    /// The game ends here.
    End(GameEnd),
}

/// A function that chooses a move for a side, or ends the game.
pub type Chooser<'a, G, E> = dyn FnMut(Side, &GameLine<G>) -> Result<Decision<<G as Game>::Move>, E> + 'a;

/// A function that draws a chance outcome: it takes the weights and returns an index.
pub type Dice<'a> = dyn FnMut(&[u64]) -> usize + 'a;

/// Plays a chance outcome that `dice` draws.
pub fn apply_chance_outcome<G: Game>(game: &G, line: &mut GameLine<G>, dice: &mut Dice<'_>) -> Result<(), G::Fault> {
    let (mut moves, mut weights) = (Vec::new(), Vec::new());
    game.chance_outcomes(line.last(), &mut moves, &mut weights)?;
    let mv = moves.swap_remove(dice(&weights));
    let next = game.apply(line.last(), &mv)?;
    line.push(mv, next);
    Ok(())
}

/// Plays from the end of `line` until the game is over, or `longest` plies long. `dice` draws the chance
/// outcomes.
///
/// `choose` may return a move of other rules. Its successor must be the successor of a legal move.
pub fn play<G: Game, H: Heuristic<G>, E>(
    game: &G,
    heuristic: &H,
    line: &mut GameLine<G>,
    longest: usize,
    dice: &mut Dice<'_>,
    choose: &mut Chooser<'_, G, E>,
) -> Result<GameEnd, PlayError<G, E>> {
    loop {
        let side = match line_status(game, heuristic, line).map_err(PlayError::Fault)? {
            LineStatus::Ended(end) => return Ok(end),
            _ if line.moves.len() >= longest => return Ok(GameEnd::Unfinished),
            LineStatus::Chance => {
                apply_chance_outcome(game, line, dice).map_err(PlayError::Fault)?;
                continue;
            }
            LineStatus::Moves(side) => side,
        };
        let chosen = match choose(side, line).map_err(PlayError::Player)? {
            Decision::Move(chosen) => chosen,
            Decision::End(end) => return Ok(end),
        };
        let next = game.apply(line.last(), &chosen).map_err(PlayError::Fault)?;
        let mut moves = Vec::new();
        game.moves(line.last(), &mut moves).map_err(PlayError::Fault)?;
        let mut legal = None;
        for mv in moves {
            if game.apply(line.last(), &mv).map_err(PlayError::Fault)? == next {
                legal = Some(mv);
                break;
            }
        }
        match legal {
            Some(mv) => line.push(mv, next),
            None => return Err(PlayError::Illegal(side, chosen)),
        }
    }
}
