//! Finds how the author arranged the contents of each bracket.

use super::pieces::{Piece, PieceKind};
use super::spacing::is_control;
use rustc_hash::FxHashSet;

/// Fewer items in a line make no row of a table.
const ITEMS_OF_ROW: usize = 3;

/// What can be said about a bracket before its contents are written.
#[derive(Clone, Copy, Default)]
pub(super) struct Shape {
    /// Whether the bracket contains alternatives on several lines.
    pub is_control: bool,
    /// Whether the author arranged the contents in rows and columns.
    pub is_table: bool,
    /// Whether blanks after commas stay as they are: between constants, or where they form groups.
    pub keeps_commas: bool,
    /// Whether the contents are on several lines.
    pub breaks: bool,
    /// Whether the bracket begins the arguments of a compound.
    pub is_called: bool,
}

/// An open bracket and what it contains so far.
#[derive(Default)]
struct Open {
    at: usize,
    /// Whether the bracket begins the arguments of a compound.
    is_called: bool,
    breaks: bool,
    control: bool,
    nested: bool,
    variables: bool,
    /// Complete lines, the items of the last one, and whether all have enough items for a table.
    rows: usize,
    items: usize,
    full: bool,
    /// Whether a blank follows some commas, and none follows some.
    wide: bool,
    tight: bool,
}

/// The shapes of the brackets, by the places of the opening ones.
pub(super) fn shapes(words: &[Piece<'_>]) -> Vec<Shape> {
    let mut found = vec![Shape::default(); words.len()];
    let mut open: Vec<Open> = Vec::new();
    // The lists in lists, each with the list around it.
    let (mut rows, mut wide) = (Vec::new(), FxHashSet::default());
    for (at, piece) in words.iter().enumerate() {
        if piece.breaks > 0 {
            open.iter_mut().for_each(|group| group.breaks = true);
            if let Some(group) = open.last_mut().filter(|_| !piece.closes()) {
                group.end_line();
            }
        }
        if piece.closes() {
            let Some(group) = open.pop() else { continue };
            found[group.at] = group.shape(words);
            if group.wide {
                wide.insert(group.at);
            }
            if let Some(outer) = open.last_mut() {
                outer.variables |= group.variables;
                if words[outer.at].text == "[" && words[group.at].text == "[" {
                    rows.push((group.at, outer.at));
                }
            }
        } else if piece.opens() {
            if let Some(group) = open.last_mut() {
                group.nested = true;
            }
            open.push(Open { at, is_called: is_called(words, at), full: true, ..Open::default() });
        } else if let Some(group) = open.last_mut() {
            group.add(piece, words.get(at + 1));
        }
    }
    for (row, list) in rows {
        found[row].keeps_commas |= wide.contains(&list);
    }
    found
}

/// Whether a bracket follows a name directly.
fn is_called(words: &[Piece<'_>], at: usize) -> bool {
    let glued = words[at].blanks == 0 && words[at].breaks == 0;
    let last = at.checked_sub(1).map(|last| words[last].kind);
    glued && matches!(last, Some(PieceKind::Name | PieceKind::Variable | PieceKind::Word))
}

impl Open {
    fn end_line(&mut self) {
        self.full &= self.items >= ITEMS_OF_ROW;
        self.rows += 1;
        self.items = 0;
    }

    /// Adds a word, which is no bracket, and looks at the word after it.
    fn add(&mut self, piece: &Piece<'_>, next: Option<&Piece<'_>>) {
        self.control |= is_control(piece.text) && piece.kind != PieceKind::Word;
        self.variables |= piece.kind == PieceKind::Variable;
        if piece.is(PieceKind::Mark, ",") {
            self.items += 1;
            if let Some(next) = next.filter(|next| next.breaks == 0) {
                self.wide |= next.blanks > 0;
                self.tight |= next.blanks == 0;
            }
        }
    }

    fn shape(&self, words: &[Piece<'_>]) -> Shape {
        Shape {
            is_control: words[self.at].text == "(" && !self.is_called && self.breaks && self.control,
            is_table: !self.nested && self.rows >= 2 && self.full,
            keeps_commas: !self.variables || self.wide && self.tight,
            breaks: self.breaks,
            is_called: self.is_called,
        }
    }
}
