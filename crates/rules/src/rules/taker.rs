//! The kinds of places that take terms of the rules apart.

/// What takes a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taker {
    /// An argument of the head of a game predicate.
    Question,
    /// An argument of the head of a helper.
    Head,
    /// A goal that looks for an element of a list.
    Element,
    /// A call of a helper.
    Call,
    /// A predicate of the library that needs a list or an association list.
    List,
    /// The same, and another argument of the goal has what is needed here.
    Misplaced,
    /// A helper that needs a list or an association list.
    Needs,
    /// A helper that looks for a key in a record.
    Key,
    /// A goal that removes the elements of one list from another, or compares them.
    Removed,
    /// A goal that compares a variable with a constant.
    Compared,
    /// A head or a call that fits only with two arguments exchanged.
    Exchanged,
    /// A predicate of the library that needs a list, with a variable that has no value yet, while another argument
    /// is a list.
    Open,
    /// A call of a helper whose answers have another term there.
    Answer,
    /// A call of a helper, with all of its arguments as one term.
    Whole,
}
