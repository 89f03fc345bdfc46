//! A line of play, stored with its last move first.
//!
//! Moves arrive from the end of play towards the root; `read` returns the line from its first move
//! on. A parent takes the whole line of its child and adds one move. Copying the line at every ply
//! would take time quadratic in its length.

use super::result::LineEnd;

/// A line of play, last move first.
pub(super) struct Reversed<M> {
    moves: Vec<M>,
    end: Option<LineEnd>,
}

impl<M> Reversed<M> {
    /// No line yet; `room` is a list to reuse.
    #[inline]
    pub(super) fn none(mut room: Vec<M>) -> Reversed<M> {
        room.clear();
        Reversed { moves: room, end: None }
    }

    /// Becomes the line of a position without successors: no moves, and this end.
    #[inline]
    pub(super) fn become_end(&mut self, end: LineEnd) {
        self.moves.clear();
        self.end = Some(end);
    }

    /// Puts `mv` before the line.
    pub(super) fn begin_with(&mut self, mv: M) {
        self.moves.push(mv);
    }

    /// The memory of the line, for another line.
    pub(super) fn into_room(self) -> Vec<M> {
        self.moves
    }

    /// The line from its first move on, and its end; `None` if there is no line.
    pub(super) fn read(mut self) -> (Vec<M>, Option<LineEnd>) {
        self.moves.reverse();
        (self.moves, self.end)
    }
}
