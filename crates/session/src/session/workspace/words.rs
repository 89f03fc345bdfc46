//! Plays moves that are named by single words, for protocols of engines.
//!
//! If a move is not legal, the game stays where it was. The module does not know any protocol.

use super::{GameInPlay, GameStatus, Workspace};
use crate::session::{GameStart, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;

impl Workspace {
    /// Starts the game at `start` and plays moves, which are words of [`words`](crate::session::words).
    ///
    /// # Errors
    ///
    /// As [`begin`](Workspace::begin), or a move is not legal. The game then stays where it is.
    pub fn begin_words(&mut self, start: &GameStart, moves: &[&str]) -> SessionResult<()> {
        let kept = self.table()?;
        let (line, names) = (kept.line.clone(), kept.names.clone());
        let begun = self.begin(start).and_then(|()| self.play_words(moves));
        if let (Err(_), Some(table)) = (&begun, self.table.as_mut()) {
            (table.line, table.names) = (line, names);
        }
        begun
    }

    /// Plays moves, which are words of [`words`](crate::session::words).
    ///
    /// # Errors
    ///
    /// A move is not legal, or the game is over. The game then stays where it is.
    pub fn play_words(&mut self, moves: &[&str]) -> SessionResult<()> {
        let played = self.played().len();
        for word in moves {
            if let Err(failure) = self.play_word(word) {
                let (table, ..) = self.table_mut()?;
                while table.line.moves.len() > played {
                    table.line.pop();
                }
                table.names.truncate(played);
                return Err(failure);
            }
        }
        Ok(())
    }

    fn play_word(&mut self, word: &str) -> SessionResult<()> {
        let over = matches!(self.status()?, GameStatus::Over(_) | GameStatus::Repeated);
        let number = self.played().len() + 1;
        let (GameInPlay { game, line, names }, session, _) = self.table_mut()?;
        if over {
            let message = format!("move {number}, {word}, is not legal: the game is over");
            return session.problem(Problem::placeless(Code::InvalidPositionOrMove, message).help("send fewer moves"));
        }
        let mv = session.move_of_word(game, line.last(), word, number)?;
        let next = mv.next.clone();
        line.push(mv, next);
        names.push(word.to_string());
        Ok(())
    }

    /// The words of the legal moves of the current position; none if the game is over.
    ///
    /// # Errors
    ///
    /// There is no game, or its rules fail.
    pub fn move_words(&self) -> SessionResult<Vec<String>> {
        if matches!(self.status()?, GameStatus::Over(_) | GameStatus::Repeated) {
            return Ok(Vec::new());
        }
        let GameInPlay { game, line, .. } = self.table()?;
        let legal = game.legal_moves(line.last()).map_err(|fault| self.session.fault(&fault, &line.moves))?;
        self.session.move_words(game, line.last(), &legal)
    }
}
