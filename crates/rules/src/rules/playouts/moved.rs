//! Compares the positions of random play with those that their moves make.
//!
//! These are mistakes of the clause that makes a move: a number becomes a list or a sum that is not computed, and a
//! pair in a list has its two parts in the other order than all pairs before. The checks know nothing of the meaning of a
//! position, so they report only what is sure.

use crate::rules::clause_at::clause_at;
use crate::rules::fault::shown;
use crate::rules::game::RuleGame;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::{Clause, Program};
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::unpack;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of moves that are compared, and of terms in a position.
const MOST: (usize, usize) = (400, 5_000);

/// Parts below this depth are not compared.
const DEEPEST: usize = 6;

/// The least number of different pairs before one that is exchanged.
const FEWEST_PAIRS: usize = 4;

/// The greatest number of different parts on one side of the pairs, such as the players.
const MOST_ALIKE: usize = 4;

/// The operators of sums. `-` and `/` also make pairs.
const SUMS: &[&str] = &["+", "*", "\\/", "/\\", "xor", "<<", ">>", "//", "mod"];

/// A path into a term: name and argument number at each level; for elements of a list, the first argument.
type Path = Vec<(Atom, usize)>;

/// What a part of a term is, for comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PartKind {
    Name(Atom),
    Functor(Atom, usize),
    Number,
    Other,
}

/// The pairs that lists at one place had so far.
#[derive(Default)]
struct Pairs {
    seen: FxHashSet<String>,
    first: FxHashSet<PartKind>,
    second: FxHashSet<PartKind>,
}

/// What the moves of random play have shown.
#[derive(Default)]
pub(super) struct MovedParts {
    moves: usize,
    pairs: FxHashMap<(Path, Atom), Pairs>,
    reported: bool,
}

/// A part of the new position that does not fit the positions before.
struct Odd {
    path: Path,
    /// The name of the pair.
    pair: Option<Atom>,
    /// The operator of a sum that is not computed.
    sum: Option<Atom>,
    message: String,
    help: String,
}

impl Odd {
    /// The problem of the clause that made the move.
    fn problem(self, program: &Program, span: Span) -> Option<Problem> {
        let place = clause_at(program, span).and_then(|clause| match (self.pair, self.sum) {
            (Some(name), _) => only_pair(clause, name),
            (_, Some(name)) => only_sum(clause, name),
            _ => written_at(clause, &self.path),
        });
        let code = if self.pair.is_some() { Code::ArgumentOrder } else { Code::ClauseMatchesNoPosition };
        let mut problem = Problem::warning(code, place.unwrap_or(span), self.message);
        if place.is_some_and(|place| !span.contains(place)) {
            problem = problem.also(span, "in this clause");
        }
        Some(problem.help(self.help))
    }
}

impl MovedParts {
    /// Compares the position before a move with the one after it. Returns the first mistake of a game.
    pub(super) fn compare(&mut self, game: &RuleGame, before: &Position, mv: &RuleMove) -> Option<Problem> {
        if self.reported || self.moves >= MOST.0 {
            return None;
        }
        let ops = &game.rules.program.ops;
        let mut heap = Heap::default();
        let (old, new) = (unpack(&mut heap, &before.0), unpack(&mut heap, &mv.next.0));
        if self.moves == 0 {
            parts(&heap, old, &mut |path, term| self.add(&heap, path, term, ops));
        }
        self.moves += 1;
        let written = |term: Term| shown(&heap, term, ops, 60);
        let mut odd = no_number(&heap, (old, new), ops).map(|(path, was, is)| {
            let sum = functor(&heap, is).map(|(name, ..)| name);
            let (what, instead) = match sum {
                Some(_) => ("a term that is not computed", "write X is ..., and X in its place"),
                None => ("a list", "write the number itself"),
            };
            Odd {
                path,
                pair: None,
                sum,
                message: format!("this move puts {what} where the position before has the number {}", written(was)),
                help: format!("the move makes {}\n{instead}", written(is)),
            }
        });
        odd = odd.or_else(|| {
            let (path, was, is) = list_among_terms(&heap, (old, new))?;
            let message = format!("this move puts a list into a list whose elements were such as {}", written(was));
            let help = format!("the move makes {} among the elements\nwrite it without square brackets", written(is));
            Some(Odd { path, pair: None, sum: None, message, help })
        });
        parts(&heap, new, &mut |path, term| {
            if odd.is_none() && self.is_exchanged(&heap, path, term) {
                let name = functor(&heap, term).map(|(name, ..)| name);
                odd = Some(Odd {
                    path: path.clone(),
                    pair: name,
                    sum: None,
                    message: format!("{} has its two parts in another order than the pairs before", written(term)),
                    help: "in all positions before this move, the pairs of this list have the other order: exchange \
                           the parts"
                        .to_string(),
                });
            }
        });
        let Some(odd) = odd else {
            parts(&heap, new, &mut |path, term| self.add(&heap, path, term, ops));
            return None;
        };
        self.reported = true;
        odd.problem(&game.rules.program, game.clause_making_move(before, mv)?)
    }

    /// Notes an element of a list.
    fn add(&mut self, heap: &Heap, path: &Path, term: Term, ops: &Ops) {
        let Some((name, first, second)) = functor(heap, term).filter(|_| is_element(path)) else { return };
        let pairs = self.pairs.entry((path.clone(), name)).or_default();
        pairs.first.insert(kind(heap, first));
        pairs.second.insert(kind(heap, second));
        if pairs.seen.len() < MOST.0 {
            pairs.seen.insert(shown(heap, term, ops, 200));
        }
    }

    /// Whether an element of a list is a pair with its parts exchanged: no part was on both sides before, and
    /// each part of this pair was on the other side. One side has few parts, such as the players.
    fn is_exchanged(&self, heap: &Heap, path: &Path, term: Term) -> bool {
        let Some((name, first, second)) = functor(heap, term).filter(|_| is_element(path)) else { return false };
        let Some(pairs) = self.pairs.get(&(path.clone(), name)) else { return false };
        let few = pairs.first.len().min(pairs.second.len());
        let sure = pairs.seen.len() >= FEWEST_PAIRS && few <= MOST_ALIKE && pairs.seen.len() >= 2 * few;
        let (first, second) = (kind(heap, first), kind(heap, second));
        sure && pairs.first.is_disjoint(&pairs.second)
            && !pairs.first.contains(&PartKind::Other)
            && !pairs.second.contains(&PartKind::Other)
            && pairs.first.contains(&second)
            && pairs.second.contains(&first)
    }
}

fn is_element(path: &Path) -> bool {
    path.last().is_some_and(|(name, _)| *name == atoms::DOT)
}

/// The name and the two arguments of a pair.
fn functor(heap: &Heap, term: Term) -> Option<(Atom, Term, Term)> {
    match heap.view(term) {
        TermView::Compound(name, [first, second]) if name != atoms::DOT => {
            Some((name, Term::of_cell(*first), Term::of_cell(*second)))
        }
        _ => None,
    }
}

fn kind(heap: &Heap, term: Term) -> PartKind {
    match heap.view(term) {
        TermView::Atom(name) if name != atoms::NIL => PartKind::Name(name),
        TermView::Compound(name, args) if name != atoms::DOT => PartKind::Functor(name, args.len()),
        TermView::Int(_) | TermView::Big(..) | TermView::Float(_) => PartKind::Number,
        _ => PartKind::Other,
    }
}

/// Calls a function for each part of a term.
fn parts(heap: &Heap, term: Term, seen: &mut dyn FnMut(&Path, Term)) {
    let mut stack = vec![(term, Path::new())];
    let mut left = MOST.1;
    while let Some((term, path)) = stack.pop().filter(|_| left > 0) {
        left -= 1;
        seen(&path, term);
        let below = |name: Atom, place: usize| path.iter().copied().chain([(name, place)]).collect::<Path>();
        match heap.view(term) {
            _ if path.len() >= DEEPEST => {}
            TermView::Compound(atoms::DOT, _) => {
                let path = below(atoms::DOT, 0);
                stack.extend(heap.elements(term).0.into_iter().take(left).map(|element| (element, path.clone())));
            }
            TermView::Compound(name, args) => {
                stack.extend(args.iter().enumerate().map(|(at, cell)| (Term::of_cell(*cell), below(name, at))));
            }
            _ => {}
        }
    }
}

/// A place at which the old term has a number and the new one a list with elements, or a sum of numbers: its path,
/// and both parts.
fn no_number(heap: &Heap, terms: (Term, Term), ops: &Ops) -> Option<(Path, Term, Term)> {
    let is_sum = |name: Atom, left: Term| {
        ops.infix(name).is_some() && SUMS.contains(&name.text()) && kind(heap, left) == PartKind::Number
    };
    let mut stack = vec![(terms, Path::new())];
    while let Some(((old, new), path)) = stack.pop() {
        match (heap.view(old), heap.view(new)) {
            (TermView::Int(_) | TermView::Big(..), TermView::Compound(atoms::DOT, _)) => return Some((path, old, new)),
            (TermView::Int(_) | TermView::Big(..), TermView::Compound(name, [left, _]))
                if is_sum(name, leftmost(heap, Term::of_cell(*left))) =>
            {
                return Some((path, old, new));
            }
            (TermView::Compound(name, args), TermView::Compound(other, more))
                if name == other && name != atoms::DOT && args.len() == more.len() && path.len() < DEEPEST =>
            {
                let pairs = args.iter().zip(more).enumerate();
                stack.extend(pairs.map(|(at, (old, new))| {
                    let path = path.iter().copied().chain([(name, at)]).collect();
                    ((Term::of_cell(*old), Term::of_cell(*new)), path)
                }));
            }
            _ => {}
        }
    }
    None
}

/// A list whose elements are terms with one functor in the old position, and that contains a list in the new one: its
/// path, an element, and the list.
fn list_among_terms(heap: &Heap, terms: (Term, Term)) -> Option<(Path, Term, Term)> {
    let mut stack = vec![(terms, Path::new())];
    while let Some(((old, new), path)) = stack.pop() {
        match (heap.view(old), heap.view(new)) {
            (TermView::Compound(atoms::DOT, _), TermView::Compound(atoms::DOT, _)) => {
                let elements = heap.elements(old).0;
                let is_term = |element: &Term| matches!(kind(heap, *element), PartKind::Functor(..));
                let alike = |element: &Term| is_term(element) && kind(heap, *element) == kind(heap, elements[0]);
                let mut others = heap.elements(new).0.into_iter();
                let list = others.find(|other| matches!(heap.view(*other), TermView::Compound(atoms::DOT, _)));
                if let Some(list) = list.filter(|_| elements.iter().all(alike)) {
                    return Some((path, elements[0], list));
                }
            }
            (TermView::Compound(name, args), TermView::Compound(other, more))
                if name == other && args.len() == more.len() && path.len() < DEEPEST =>
            {
                let pairs = args.iter().zip(more).enumerate();
                stack.extend(pairs.map(|(at, (old, new))| {
                    let path = path.iter().copied().chain([(name, at)]).collect();
                    ((Term::of_cell(*old), Term::of_cell(*new)), path)
                }));
            }
            _ => {}
        }
    }
    None
}

/// The first operand of nested operators.
fn leftmost(heap: &Heap, term: Term) -> Term {
    let mut at = term;
    while let TermView::Compound(name, [left, _]) = heap.view(at) {
        if !SUMS.contains(&name.text()) {
            break;
        }
        at = Term::of_cell(*left);
    }
    at
}

/// The only `=` of a clause with a sum of this operator on its right side.
fn only_sum(clause: &Clause, name: Atom) -> Option<Span> {
    let tree = &clause.tree;
    let mut sums = tree.nodes().filter_map(|(node, _)| {
        let (_, right) = tree.binary(node, atoms::EQUAL)?;
        tree.binary(right, name).map(|_| node)
    });
    let only = sums.next()?;
    sums.next().is_none().then(|| tree.span(only))
}

/// The only pair of this name in a clause that is written as an element of a list.
fn only_pair(clause: &Clause, name: Atom) -> Option<Span> {
    let tree = &clause.tree;
    let elements = tree.nodes().filter_map(|(node, _)| {
        let (head, _) = tree.binary(node, atoms::DOT)?;
        tree.binary(head, name).map(|_| head)
    });
    let elements: Vec<NodeId> = elements.collect();
    match elements[..] {
        [only] => Some(tree.span(only)),
        _ => None,
    }
}

/// The part of the new position in the head of a clause of `move/3` that is written at a path.
fn written_at(clause: &Clause, path: &Path) -> Option<Span> {
    let tree = &clause.tree;
    let mut node = *tree.args(clause.head).get(2)?;
    for (name, place) in path {
        match tree.kind(node) {
            TermKind::Compound(other, _) if other == name => node = *tree.args(node).get(*place)?,
            _ => return None,
        }
    }
    matches!(tree.kind(node), TermKind::Compound(atoms::DOT, _)).then(|| tree.span(node))
}
