//! The number of moves for which `shown_move/3` gave a text.

/// How many moves `shown_move/3` gave a text for, and for how many it was called.
#[derive(Default)]
pub(super) struct ShownTexts {
    pub(super) given: u64,
    pub(super) asked: u64,
}
