//! Arena: a game played to its end between two who choose the moves.
//!
//! In: a game, a line of play to go on from, and whoever is asked for a move. Out: the line, longer,
//! and how it ended. The game that is handed in is the judge: what it does not allow is not played.
//! Has never heard of terms or of the language of rules, nor of how a player comes by a move.

pub mod alarm;
pub mod history;
pub mod opening;
pub mod score;

use alphorn_search::game::{Game, Heuristic, Side, ToMove, winner};

/// A line of play: where it began, the moves made, and where each of them led.
#[derive(Debug)]
pub struct GameLine<G: Game> {
    states: Vec<G::State>,
    /// The moves, one fewer than there are states.
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

    /// Where it stands.
    pub fn last(&self) -> &G::State {
        self.states.last().expect("a line begins somewhere")
    }

    /// Where it stood before each of its moves.
    pub fn before(&self) -> &[G::State] {
        &self.states[..self.moves.len()]
    }

    /// Makes a move.
    pub fn push(&mut self, mv: G::Move, next: G::State) {
        self.moves.push(mv);
        self.states.push(next);
    }
}

impl<G: Game> GameLine<G> {
    /// Takes the last move back; gives it, if there is one.
    pub fn pop(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(mv)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// By its rules: this side has won, or nobody.
    Over(Option<Side>),
    /// A position came again, in a game where that is a draw.
    Repeated,
    /// It was given up, for it had become too long.
    Unfinished,
}

impl GameEnd {
    /// Who has won.
    pub fn winner(self) -> Option<Side> {
        match self {
            GameEnd::Over(winner) => winner,
            GameEnd::Repeated | GameEnd::Unfinished => None,
        }
    }
}

/// How things stand at the end of a line.
pub enum LineStatus {
    /// This side is to move.
    Moves(Side),
    /// Chance is.
    Chance,
    /// The game is over.
    Ended(GameEnd),
}

/// Whose turn it is, or how the game has ended: as the game declares it, or else by the sign of the
/// heuristic's number, as searches take it.
pub fn now<G: Game, H: Heuristic<G>>(game: &G, heuristic: &H, line: &GameLine<G>) -> Result<LineStatus, G::Fault> {
    let state = line.last();
    if repetition_counts(game) && line.before().contains(state) {
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

/// Whether a position that comes again ends the game.
fn repetition_counts<G: Game>(game: &G) -> bool {
    game.repetition_is_draw() && !game.acyclic()
}

/// Why a game was not played to its end.
pub enum PlayError<G: Game, E> {
    /// The rules of the game went wrong where the line stands.
    Fault(G::Fault),
    /// This side chose a move that the game does not allow where the line stands.
    Illegal(Side, G::Move),
    /// Whoever was asked for a move has none to give.
    Player(E),
}

/// Whoever is asked for the moves: gives one of the side that is named.
pub type Chooser<'a, G, E> = dyn FnMut(Side, &GameLine<G>) -> Result<<G as Game>::Move, E> + 'a;

/// Whoever throws the dice: of things with these weights, the number of the one that happens.
pub type Dice<'a> = dyn FnMut(&[u64]) -> usize + 'a;

/// Makes the move that chance chooses.
pub fn thrown<G: Game>(game: &G, line: &mut GameLine<G>, dice: &mut Dice<'_>) -> Result<(), G::Fault> {
    let (mut moves, mut weights) = (Vec::new(), Vec::new());
    game.chance_outcomes(line.last(), &mut moves, &mut weights)?;
    let mv = moves.swap_remove(dice(&weights));
    let next = game.apply(line.last(), &mv)?;
    line.push(mv, next);
    Ok(())
}

/// Plays on from the end of `line` until the game is over, or `longest` plies long; where chance
/// moves, `dice` are thrown.
///
/// What `choose` gives may be a move of other rules than the game's: what counts is where it leads,
/// and some legal move must lead there.
pub fn play<G: Game, H: Heuristic<G>, E>(
    game: &G,
    heuristic: &H,
    line: &mut GameLine<G>,
    longest: usize,
    dice: &mut Dice<'_>,
    choose: &mut Chooser<'_, G, E>,
) -> Result<GameEnd, PlayError<G, E>> {
    loop {
        let side = match now(game, heuristic, line).map_err(PlayError::Fault)? {
            LineStatus::Ended(end) => return Ok(end),
            _ if line.moves.len() >= longest => return Ok(GameEnd::Unfinished),
            LineStatus::Chance => {
                thrown(game, line, dice).map_err(PlayError::Fault)?;
                continue;
            }
            LineStatus::Moves(side) => side,
        };
        let chosen = choose(side, line).map_err(PlayError::Player)?;
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
