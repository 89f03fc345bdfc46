//! Finds boards whose rows have different lengths.
//!
//! If the rows of a board are equally long in all positions of random play, they are in every position. A warning
//! reports each position of an expectation in which they are not, and the first position if only its rows differ.
//! Other sizes of the board are fine. Only `playouts` calls this check, after random play.

use crate::rules::claimed::claimed_in_goals;
use crate::rules::contract::Contract;
use crate::rules::heads::heads;
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

/// The least number of expectations that must have equally long rows, if the first position has not.
const FEWEST_CLAIMS: usize = 3;

/// Reports positions of expectations with rows of different lengths, and such a first position.
pub(super) fn check(program: &Program, contract: &Contract, positions: &[Position]) -> Vec<Problem> {
    let claims = claimed_in_goals(program);
    if claims.is_empty() {
        return Vec::new();
    }
    let (played, claimed) = (boards(positions), boards_of_claims(&claims));
    let claims = claims.iter().filter_map(|(tree, node)| ragged(&played, (tree, *node), "of play"));
    let claims = claims.map(|(_, problem)| problem);
    let first = contract.initial.into_iter().flat_map(|pred| heads(program, pred, 0));
    let first = first.filter_map(|(clause, node)| ragged(&claimed, (&clause.tree, node), "of the expectations"));
    // Towers and hands do not keep their lengths, and a board may have rows of several lengths.
    let kept = first.filter(|((path, lengths), _)| is_of_one_length(lengths) && keeps(positions, path, lengths));
    let first: Vec<Problem> = kept.map(|(_, problem)| problem).collect();
    first.into_iter().chain(claims).collect()
}

/// Whether all rows but one are equally long, where two rows may differ.
fn is_of_one_length(lengths: &[usize]) -> bool {
    let alike = |length: &usize| lengths.iter().filter(|other| *other == length).count();
    let most = lengths.iter().map(alike).max().unwrap_or_default();
    lengths.len() == 2 || most > 1 && most + 1 == lengths.len()
}

/// Whether a list has rows of these lengths in all positions.
fn keeps(positions: &[Position], path: &Path, lengths: &[usize]) -> bool {
    positions.iter().take(MOST.0).all(|position| {
        let mut heap = Heap::default();
        let mut at = unpack(&mut heap, &position.0);
        for (name, place) in path {
            match heap.view(at) {
                TermView::Compound(own, args) if own == *name && args.len() > *place => {
                    at = Term::of_cell(args[*place])
                }
                _ => return false,
            }
        }
        let rows = elements(&heap, at).unwrap_or_default();
        let own: Option<Vec<usize>> = rows.iter().map(|row| Some(elements(&heap, *row)?.len())).collect();
        own.as_deref() == Some(lengths)
    })
}

/// The places of boards whose rows are equally long in all expectations.
fn boards_of_claims(claims: &[(&TermTree, NodeId)]) -> FxHashSet<Path> {
    let mut found: FxHashMap<Path, usize> = FxHashMap::default();
    let mut uneven: FxHashSet<Path> = FxHashSet::default();
    for (tree, node) in claims {
        let mut stack = vec![(*node, Path::new())];
        while let Some((node, path)) = stack.pop().filter(|_| stack.len() < MOST.1) {
            let rows = tree.list(node).unwrap_or_default();
            let lengths: Option<Vec<usize>> = rows.iter().map(|row| Some(tree.list(*row)?.len())).collect();
            if let Some([first, others @ ..]) = lengths.as_deref()
                && !others.is_empty()
            {
                match others.iter().all(|length| length == first) {
                    true if *first > 1 => *found.entry(path.clone()).or_default() += 1,
                    true => {}
                    false => _ = uneven.insert(path.clone()),
                }
            }
            stack.extend(below(tree, node, &path));
        }
    }
    found.retain(|path, count| *count >= FEWEST_CLAIMS && !uneven.contains(path));
    found.into_keys().collect()
}

/// The arguments of a term in the text, or the elements of a list, each with its path.
fn below(tree: &TermTree, node: NodeId, path: &Path) -> Vec<(NodeId, Path)> {
    if path.len() > DEEPEST {
        return Vec::new();
    }
    let step = |name: Atom, place: usize| path.iter().copied().chain([(name, place)]).collect::<Path>();
    match (tree.kind(node), tree.list(node)) {
        (_, Some(elements)) => elements.into_iter().map(|element| (element, step(atoms::DOT, 0))).collect(),
        (TermKind::Compound(name, _), None) => {
            tree.args(node).iter().enumerate().map(|(at, arg)| (*arg, step(*name, at))).collect()
        }
        _ => Vec::new(),
    }
}

/// The places of boards, each with boards of play; no boards if rows of one board had different lengths.
fn boards(positions: &[Position]) -> FxHashSet<Path> {
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
    found.into_keys().collect()
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

/// The problem of a position in a text, if its rows have different lengths where those of other positions have not.
/// The result has the place of the board and the lengths of its rows as well.
fn ragged(
    boards: &FxHashSet<Path>,
    (tree, node): (&TermTree, NodeId),
    others: &str,
) -> Option<((Path, Vec<usize>), Problem)> {
    let mut stack = vec![(node, Path::new())];
    while let Some((node, path)) = stack.pop() {
        if let Some(rows) = tree.list(node).filter(|_| boards.contains(&path)) {
            let lengths: Option<Vec<(NodeId, usize)>> =
                rows.iter().map(|row| Some((*row, tree.list(*row)?.len()))).collect();
            let lengths = lengths.unwrap_or_default();
            let alike = |length: usize| lengths.iter().filter(|(_, other)| *other == length).count();
            // Of rows of two lengths, the rarer length is wrong; the last row, if there are as many of both.
            let odd = lengths.iter().rev().min_by_key(|(_, length)| alike(*length));
            if let Some((row, length)) = odd.filter(|(_, length)| alike(*length) < lengths.len()) {
                let usual = lengths.iter().map(|(_, other)| *other).find(|other| other != length).unwrap_or_default();
                let message = format!("this row has {length} elements, and another row has {usual}");
                let help =
                    format!("in all positions {others}, the rows of this board are equally long: correct the rows");
                let problem = Problem::warning(Code::ClauseMatchesNoPosition, tree.span(*row), message).help(help);
                return Some(((path, lengths.iter().map(|(_, length)| *length).collect()), problem));
            }
        }
        stack.extend(below(tree, node, &path));
    }
    None
}
