//! The blanks between two pieces of a line.

use super::pieces::{Piece, PieceKind};
use crate::lang::ops::Ops;
use alphorn_text::symbol::Atom;

/// Operators of at least this priority stand between blanks.
const LOOSE: u16 = 700;

/// The role of a piece in its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An operator between its operands, with its priority.
    Infix(u16),
    /// An operator before its operand.
    Prefix,
    /// Anything else.
    Operand,
}

/// Whether a word joins goals to alternatives.
pub(super) fn is_control(text: &str) -> bool {
    matches!(text, "->" | ";" | "*->" | "|")
}

/// The roles of the pieces of a clause.
pub(super) fn roles(words: &[Piece<'_>], ops: &Ops) -> Vec<Role> {
    let mut roles = vec![Role::Operand; words.len()];
    let mut last: Option<usize> = None;
    let mut open = Vec::new();
    for (at, piece) in words.iter().enumerate() {
        if piece.is_comment() {
            continue;
        }
        // Whether a term ends before this piece.
        let ended = last.is_some_and(|last| {
            let before = &words[last];
            roles[last] == Role::Operand && !before.opens() && !before.is(PieceKind::Mark, ",") && !is_bar(before)
        });
        let next = words[at + 1..].iter().find(|next| !next.is_comment());
        let begins = next.is_some_and(|next| {
            !next.closes() && next.kind != PieceKind::Stop && !next.is(PieceKind::Mark, ",") && !is_bar(next)
        });
        if is_bar(piece) && open.last() != Some(&"[") {
            roles[at] = Role::Infix(1100);
        } else if piece.kind == PieceKind::Name && begins {
            let name = Atom::new(piece.text);
            let called = next.is_some_and(|next| next.text == "(" && next.blanks == 0 && next.breaks == 0);
            if let Some(infix) = ops.infix(name).filter(|_| ended) {
                roles[at] = Role::Infix(infix.priority);
            } else if ops.prefix(name).is_some() && !called && !ended {
                // An operator before an infix operator is an atom.
                let infix_next = next.is_some_and(|next| {
                    next.kind == PieceKind::Name && {
                        let name = Atom::new(next.text);
                        ops.infix(name).is_some() && ops.prefix(name).is_none()
                    }
                });
                if !infix_next {
                    roles[at] = Role::Prefix;
                }
            }
        }
        if piece.opens() {
            open.push(piece.text);
        } else if piece.closes() {
            open.pop();
        }
        last = Some(at);
    }
    roles
}

fn is_bar(piece: &Piece<'_>) -> bool {
    piece.text == "|" && piece.kind != PieceKind::Word
}

/// The blanks before a piece, which follows another on its line.
pub(super) fn blanks_before(words: &[Piece<'_>], roles: &[Role], at: usize) -> usize {
    let (last, piece) = (&words[at - 1], &words[at]);
    let one = piece.blanks.min(1);
    if last.is_comment() {
        return 1;
    }
    if piece.kind == PieceKind::Stop {
        return one;
    }
    if piece.is(PieceKind::Mark, ",") {
        return if last.is(PieceKind::Mark, ",") || ends_in_symbol(last) { one } else { 0 };
    }
    if last.is(PieceKind::Mark, ",") {
        return 1;
    }
    match (roles[at - 1], roles[at]) {
        (_, Role::Infix(priority)) => return around(words, at, priority),
        (Role::Infix(priority), _) => return around(words, at - 1, priority),
        (Role::Prefix, _) => {
            let loose =
                last.text.starts_with([':', '?']) || last.text == "\\+" || last.text.starts_with(char::is_alphabetic);
            return if loose { 1 } else { one };
        }
        _ => {}
    }
    if last.opens() || piece.closes() {
        let square = |piece: &Piece<'_>| matches!(piece.text, "[" | "]");
        return if square(if last.opens() { last } else { piece }) { 0 } else { one };
    }
    if last.text == "|" || piece.text == "|" {
        return 0;
    }
    one
}

/// The blanks on both sides of an infix operator.
fn around(words: &[Piece<'_>], at: usize, priority: u16) -> usize {
    let piece = &words[at];
    let loose = priority >= LOOSE || piece.text.starts_with(char::is_alphabetic);
    let next = words.get(at + 1);
    let spaced = piece.blanks > 0 || piece.breaks > 0 || next.is_some_and(|next| next.blanks > 0 || next.breaks > 0);
    usize::from(loose || spaced)
}

/// Whether the last character of a piece could join with a following symbol.
fn ends_in_symbol(piece: &Piece<'_>) -> bool {
    piece.kind == PieceKind::Name && !piece.text.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '!')
}
