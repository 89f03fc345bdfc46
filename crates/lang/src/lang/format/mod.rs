//! Formats the text of rules.
//!
//! The result has the same clauses and comments. Line breaks stay where the author put them; indentation and
//! blanks follow the style of the shipped games. Columns that the author aligned stay aligned. A clause that
//! cannot be read stays as it is. The module does not know what the clauses mean.

mod blocks;
mod lines;
mod pieces;
mod shape;
mod spacing;

use crate::lang::ast::{Sentence, TermKind};
use crate::lang::lexer;
use crate::lang::ops::{Fixity, Ops};
use crate::lang::parse;
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::atoms;
use pieces::{Piece, PieceKind, pieces};

pub use blocks::Formatter;

/// The greatest number of passes. Each pass aligns what the pass before it moved; most texts need two.
const PASSES: usize = 8;

/// The source number of texts that belong to no program.
const NO_SOURCE: SourceId = SourceId(0);

/// A formatted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The text. Formatted again, it stays the same.
    pub text: String,
    /// The number of clauses that cannot be read.
    pub unreadable: usize,
}

/// Formats a text.
pub fn format(text: &str) -> Formatted {
    Formatter::default().format(text)
}

/// Formats a text once. Returns the number of unreadable clauses too.
fn pass(text: &str, ops: &mut Ops) -> (String, usize) {
    let input: Vec<&str> = text.lines().collect();
    let mut out = lines::Lines::new(&input);
    let (mut from, mut unreadable) = (0, 0);
    while from < text.len() {
        let words = lexer::words(NO_SOURCE, text, from);
        let next = words.next.max(from + 1);
        let all = pieces(text, from, &words);
        let empty = Span { source: NO_SOURCE, start: from as u32, end: from as u32 };
        match parse::sentence(&words.tokens, ops, empty) {
            Ok(sentence) if words.stop.is_some() => {
                if let Some(directive) = sentence.tree.unary(sentence.root, atoms::NECK) {
                    declare(ops, &sentence.tree, directive);
                }
                out.clause(&all, ops, &sentence);
            }
            _ if words.tokens.is_empty() => out.comments(&all),
            _ => {
                unreadable += 1;
                out.verbatim(&all);
            }
        }
        from = next;
    }
    (out.finish(), unreadable)
}

/// Heeds a directive `op/3`.
pub fn declare(ops: &mut Ops, tree: &crate::lang::ast::TermTree, goal: crate::lang::ast::NodeId) {
    let (Some((name, 3)), [priority, fixity, names]) = (tree.functor(goal), tree.args(goal)) else { return };
    let (TermKind::Int(priority @ 0..=1200), TermKind::Atom(fixity)) = (tree.kind(*priority), tree.kind(*fixity))
    else {
        return;
    };
    if name.text() != "op" {
        return;
    }
    let Some(fixity) = Fixity::from_name(fixity.text()) else { return };
    for name in tree.list(*names).unwrap_or_else(|| vec![*names]) {
        if let TermKind::Atom(name) = tree.kind(name) {
            ops.set(*priority as u16, fixity, *name);
        }
    }
}

/// Whether two sequences of pieces have the same words and comments.
fn is_same(before: &[Piece<'_>], after: &[Piece<'_>]) -> bool {
    before.len() == after.len()
        && before.iter().zip(after).all(|(one, other)| {
            one.kind == other.kind
                && match one.kind {
                    PieceKind::LineComment => one.text.trim_end() == other.text.trim_end(),
                    _ => one.text == other.text,
                }
        })
}

/// Whether two sentences are the same term.
fn is_same_term(one: &Sentence, other: &Sentence) -> bool {
    let names = |sentence: &Sentence| sentence.tree.variables.iter().map(|var| var.name.clone()).collect::<Vec<_>>();
    let kinds = |sentence: &Sentence| sentence.tree.nodes().map(|(_, kind)| kind.clone()).collect::<Vec<_>>();
    one.root == other.root && names(one) == names(other) && kinds(one) == kinds(other)
}

#[cfg(test)]
mod tests;
