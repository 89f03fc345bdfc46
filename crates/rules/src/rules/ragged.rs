//! Finds boards in expectations whose rows have different lengths.
//!
//! If the rows of a board are equally long in all positions of random play, they are in every position. A warning
//! reports each position of an expectation in which they are not. Other sizes of the board are fine. Only
//! `playouts` calls this check, after random play.

use crate::rules::claimed::claimed_in_goals;
use crate::rules::position::Position;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::Program;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, pack, unpack};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// With fewer rows, the lists may be the hands of two players.
const FEWEST_ROWS: usize = 3;

/// The least number of different boards that must have equally long rows.
const FEWEST_BOARDS: usize = 4;

/// The greatest number of positions and of terms in a position that are looked at.
const MOST: (usize, usize) = (200, 20_000);

/// Boards below this depth are not found.
const DEEPEST: usize = 6;

/// The greatest size of a board, in words.
const LARGEST: usize = 1 << 16;

/// A path into a term: name and argument number at each level; for elements of a list, the first argument.
type Path = Vec<(Atom, usize)>;

/// Reports positions of expectations with rows of different lengths.
pub(super) fn check(program: &Program, positions: &[Position]) -> Vec<Problem> {
    let claims = claimed_in_goals(program);
    if claims.is_empty() {
        return Vec::new();
    }
    let boards = boards(positions);
    claims.into_iter().filter_map(|(tree, node)| ragged(&boards, tree, node)).collect()
}

/// The places of boards, each with boards of play; no boards if rows of one board had different lengths.
fn boards(positions: &[Position]) -> FxHashMap<Path, FxHashSet<Packed>> {
    let mut found: FxHashMap<Path, FxHashSet<Packed>> = FxHashMap::default();
    let mut uneven: FxHashSet<Path> = FxHashSet::default();
    for position in positions.iter().take(MOST.0) {
        let mut heap = Heap::default();
        let mut stack = vec![(unpack(&mut heap, &position.0), Path::new())];
        let mut left = MOST.1;
        while let Some((term, path)) = stack.pop().filter(|_| left > 0) {
            left -= 1;
            let elements = elements(&heap, term);
            let below = |name: Atom, place: usize| path.iter().copied().chain([(name, place)]).collect::<Path>();
            match heap.view(term) {
                _ if path.len() >= DEEPEST => {}
                TermView::Compound(atoms::DOT, _) => {
                    let Some(elements) = elements else { continue };
                    let rows: Option<Vec<usize>> =
                        elements.iter().map(|row| Some(self::elements(&heap, *row)?.len())).collect();
                    if let Some(rows) = rows.filter(|rows| rows.len() > 1) {
                        if rows.iter().any(|length| *length != rows[0]) {
                            uneven.insert(path.clone());
                        } else if rows.len() >= FEWEST_ROWS && rows[0] > 1 {
                            let known = found.entry(path.clone()).or_default();
                            if known.len() < FEWEST_BOARDS {
                                known.extend(pack(&heap, term, LARGEST));
                            }
                        }
                    }
                    let path = below(atoms::DOT, 0);
                    stack.extend(elements.into_iter().map(|element| (element, path.clone())));
                }
                TermView::Compound(name, args) => {
                    stack.extend(args.iter().enumerate().map(|(at, cell)| (Term::of_cell(*cell), below(name, at))));
                }
                _ => {}
            }
        }
    }
    found.retain(|path, boards| !uneven.contains(path) && boards.len() >= FEWEST_BOARDS);
    found
}

/// The elements of a proper list.
fn elements(heap: &Heap, list: Term) -> Option<Vec<Term>> {
    let (mut found, mut rest) = (Vec::new(), list);
    while let Some((head, tail)) = heap.head_and_tail(rest).filter(|_| found.len() < heap.len()) {
        found.push(head);
        rest = tail;
    }
    heap.is_nil(rest).then_some(found)
}

/// The problem of a position in a text, if its rows have different lengths where those of play have not.
fn ragged(boards: &FxHashMap<Path, FxHashSet<Packed>>, tree: &TermTree, node: NodeId) -> Option<Problem> {
    let mut stack = vec![(node, Path::new())];
    while let Some((node, path)) = stack.pop() {
        let elements = tree.list(node);
        let below = |name: Atom, place: usize| path.iter().copied().chain([(name, place)]).collect::<Path>();
        if path.len() > DEEPEST {
            continue;
        }
        if let Some(rows) = elements.as_ref().filter(|_| boards.contains_key(&path)) {
            let lengths: Option<Vec<(NodeId, usize)>> =
                rows.iter().map(|row| Some((*row, tree.list(*row)?.len()))).collect();
            let lengths = lengths.unwrap_or_default();
            let alike = |length: usize| lengths.iter().filter(|(_, other)| *other == length).count();
            // Of rows of two lengths, the rarer length is wrong; the last row, if there are as many of both.
            let odd = lengths.iter().rev().min_by_key(|(_, length)| alike(*length));
            if let Some((row, length)) = odd.filter(|(_, length)| alike(*length) < lengths.len()) {
                let usual = lengths.iter().map(|(_, other)| *other).find(|other| other != length).unwrap_or_default();
                let message = format!("this row has {length} elements, and another row has {usual}");
                let help = "in all positions of play, the rows of this board are equally long: correct the rows";
                return Some(Problem::warning(Code::ClauseMatchesNoPosition, tree.span(*row), message).help(help));
            }
        }
        match (tree.kind(node), elements) {
            (_, Some(elements)) => {
                let path = below(atoms::DOT, 0);
                stack.extend(elements.into_iter().map(|element| (element, path.clone())));
            }
            (TermKind::Compound(name, _), None) => {
                stack.extend(tree.args(node).iter().enumerate().map(|(at, arg)| (*arg, below(*name, at))));
            }
            _ => {}
        }
    }
    None
}
