//! The shapes of labels, and the patterns of words in labels.

use alphorn_lang::lang::ops::Ops;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_text::symbol::Atom;

/// The priority of `=`.
const EQUAL: u16 = 700;

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

/// The text of a label as an operand of `=` or an argument: in parentheses if its operator binds weakly.
pub(super) fn operand(label: &Packed, text: String, ops: &Ops) -> String {
    let is_weak = match shape(label) {
        LabelShape::Compound(name, 2) => ops.infix(name).is_some_and(|op| op.priority >= EQUAL),
        LabelShape::Compound(name, 1) => {
            [ops.prefix(name), ops.postfix(name)].into_iter().flatten().any(|op| op.priority >= EQUAL)
        }
        LabelShape::Atom => label.as_atom().is_some_and(|name| ops.is_op(name)),
        _ => false,
    };
    if is_weak { format!("({text})") } else { text }
}

/// A goal for the legal moves with a label of some form.
pub(super) fn sought(place: &str, form: &str) -> String {
    // The user may have typed the name of the variable.
    let mut name = "Move".to_string();
    while form.contains(&name) {
        name.push('_');
    }
    format!("move({place}, {name}, _), {name} = {form}")
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
