//! Takes positions out of games, for an evaluation to predict their results.
//!
//! It takes the record of a game. It returns positions after the opening in which a player moves, one in
//! so many. If the game defines `quiet/1`, it returns quiet positions only, because an evaluation is used in
//! these.

use crate::session::game_record::GameRecord;
use crate::session::{GameStart, LONGEST_LINE, Session, SessionResult};
use alphorn_lab::arena::GameEnd;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::game::{Game, Heuristic, Side};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::{self, Algorithm};

/// A position with the result of its game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSample {
    /// The number of the game, from 1.
    pub game: u32,
    /// The number of moves before the position.
    pub ply: u32,
    /// The position.
    pub position: Position,
    /// The result for MAX: 1, 0.5 or 0.
    pub result: f64,
}

/// The result of a finished game for MAX; `None` for a game that was given up.
pub fn result_for_max(end: GameEnd) -> Option<f64> {
    match end {
        GameEnd::Unfinished => None,
        end => Some(match end.winner() {
            Some(Side::Max) => 1.0,
            Some(Side::Min) => 0.0,
            None => 0.5,
        }),
    }
}

impl Session {
    /// The positions of a game after its opening: those whose number of moves is a multiple of `every`,
    /// shifted by the number of the game. No position of a game that was given up. If `settle` is not 0, the
    /// positions so many plies after these, with best play by a search of this depth: captures that are
    /// possible at once are then over.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub fn game_samples(
        &self,
        game: &RuleGame,
        record: &GameRecord,
        (every, settle): (u32, u32),
    ) -> SessionResult<Vec<GameSample>> {
        let Some(result) = result_for_max(record.end) else { return Ok(Vec::new()) };
        let moves: Vec<&str> = record.opening.iter().chain(&record.moves).map(String::as_str).collect();
        let mut start = GameStart { moves: Some(moves.join(" ")), ..GameStart::default() };
        match self.rules.contract.write_position {
            Some(_) => start.at = Some(record.start.clone()),
            None => start.position = Some(record.start.clone()),
        }
        let line = self.line(game, &start)?;
        let fault = |fault| self.fault(&fault, &[]);
        let mut found = Vec::new();
        for (ply, state) in line.before().iter().enumerate().skip(record.opening.len()) {
            if !(ply as u32 + record.number).is_multiple_of(every)
                || game.to_move(state).map_err(fault)?.side().is_none()
            {
                continue;
            }
            if RuleEval.has_unquiet_positions(game) && !RuleEval.is_quiet(game, state).map_err(fault)? {
                continue;
            }
            if let Some((position, more)) = self.settled(game, state, settle)? {
                found.push(GameSample { game: record.number, ply: ply as u32 + more, position, result });
            }
        }
        Ok(found)
    }

    /// The position at the end of the best line of a search, with the length of the line; `None` if no player moves
    /// there.
    fn settled(&self, game: &RuleGame, state: &Position, depth: u32) -> SessionResult<Option<(Position, u32)>> {
        if depth == 0 {
            return Ok(Some((state.clone(), 0)));
        }
        let limits = Limits { longest: Some(LONGEST_LINE), stop: Some(&self.stop), ..Limits::to_depth(depth) };
        let found = search::run(Algorithm::Auto, game, &RuleEval, state, &limits)
            .map_err(|error| self.search_error(game, state, error))?;
        let last = found.line.last().map_or(state, |mv| &mv.next);
        let turn = game.to_move(last).map_err(|fault| self.fault(&fault, &[]))?;
        Ok(turn.side().map(|_| (last.clone(), found.line.len() as u32)))
    }

    /// The position that a text of [`Session::term`] describes.
    ///
    /// # Errors
    ///
    /// The text is no term.
    pub fn position_of_term(&self, game: &RuleGame, text: &str) -> SessionResult<Position> {
        self.position(game, &GameStart { position: Some(text.to_string()), ..GameStart::default() })
    }

    /// Why no position of the game has the form of this one, if that is known.
    pub fn form_of_no_position(&self, text: &str) -> Option<String> {
        self.rules.odd_position(text).map(|odd| odd.message)
    }
}
