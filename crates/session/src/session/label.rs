//! The shapes of labels, and the patterns of words in labels.

use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_text::symbol::Atom;

/// The shape of a label: what labels of the same kind of move have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LabelShape {
    /// The functor of a compound term.
    Compound(Atom, usize),
    Atom,
    Number,
    Other,
}

/// The shape of a label.
pub(super) fn shape(label: &Packed) -> LabelShape {
    let mut heap = Heap::default();
    let term = unpack(&mut heap, label);
    match heap.view(term) {
        TermView::Compound(name, args) => LabelShape::Compound(name, args.len()),
        TermView::Atom(_) => LabelShape::Atom,
        TermView::Int(_) => LabelShape::Number,
        _ => LabelShape::Other,
    }
}

/// The pattern of a word, with its numbers and letters unified: `24/23` and `8/3` are both `0/0`.
pub(super) fn pattern(word: &str) -> String {
    let mut found = String::new();
    // Suffixes of a move in notations: a capture, a check, a comment.
    for c in word.trim_end_matches(['*', '+', '#', '!', '?']).chars() {
        let kind = match c {
            c if c.is_ascii_digit() => '0',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        // A run of digits or letters becomes one character.
        if !(found.ends_with(kind) && kind.is_ascii_alphanumeric()) {
            found.push(kind);
        }
    }
    found
}
