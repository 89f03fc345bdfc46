//! A line of play, held with its last move first.
//!
//! In: moves, from the end of play towards the root. Out: the line from its first move on.
//! A parent takes over its child's line whole and adds one move, where copying the line at every
//! ply would take time in the square of its length.

use super::result::LineEnd;

/// A line of play, last move first.
pub(super) struct Reversed<M> {
    moves: Vec<M>,
    end: Option<LineEnd>,
}

impl<M> Reversed<M> {
    /// No line yet, in a list that may have room from an earlier one.
    #[inline]
    pub(super) fn none(mut room: Vec<M>) -> Reversed<M> {
        room.clear();
        Reversed { moves: room, end: None }
    }

    /// Becomes the line of a position without children: no moves, and this end.
    #[inline]
    pub(super) fn become_end(&mut self, end: LineEnd) {
        self.moves.clear();
        self.end = Some(end);
    }

    /// Puts `mv` before the line.
    pub(super) fn begin_with(&mut self, mv: M) {
        self.moves.push(mv);
    }

    /// The room that the line took, for another.
    pub(super) fn into_room(self) -> Vec<M> {
        self.moves
    }

    /// The line from its first move on, and where it ends; `None` where there is no line.
    pub(super) fn read(mut self) -> (Vec<M>, Option<LineEnd>) {
        self.moves.reverse();
        (self.moves, self.end)
    }
}
