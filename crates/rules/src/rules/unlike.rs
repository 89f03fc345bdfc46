//! Compares a position with those of random play, to explain why an expectation about it does not hold.
//!
//! A position that people write may have an atom that no position has there, a list of another length, or may lack
//! an element that every list has. The result says so in words. It is no warning: the position may be meant.

use crate::rules::game::RuleGame;
use crate::rules::playouts::glimpse;
use crate::rules::position::Position;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_prolog::term::write::atom_text;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// With fewer positions of play, a difference means nothing.
const FEWEST: usize = 8;

/// The greatest number of positions and of terms in a position that are compared.
const MOST: (usize, usize) = (200, 20_000);

/// If a place has more atoms, others may come there too.
const MOST_NAMES: usize = 8;

/// Parts below this depth are not compared.
const DEEPEST: usize = 6;

/// A path into a term: name and argument number at each level; for elements of a list, the first argument.
type Path = Vec<(Atom, usize)>;

/// What the terms at one place of positions have in common.
#[derive(Default)]
struct Place {
    /// The atoms.
    names: FxHashSet<Atom>,
    /// Whether other terms come there too.
    others: bool,
    /// The lengths of lists.
    lengths: FxHashSet<usize>,
    /// The functors of elements that every list has; `None` before the first list.
    always: Option<FxHashSet<(Atom, usize)>>,
    /// The number of terms.
    count: usize,
}

/// The first difference between a position and those of random play, in words.
pub fn unlike_play(game: &RuleGame, position: &Packed) -> Option<String> {
    let positions = glimpse(game);
    if positions.len() < FEWEST || positions.iter().any(|known| known.0 == *position) {
        return None;
    }
    let mut places: FxHashMap<Path, Place> = FxHashMap::default();
    for Position(known) in positions.iter().take(MOST.0) {
        each(known, &mut |path, heap, term| {
            places.entry(path.clone()).or_default().add(heap, term);
            None::<()>
        });
    }
    each(position, &mut |path, heap, term| places.get(path)?.difference(heap, term))
}

/// Calls a function for each part of a term, outermost first, until it gives a result.
fn each<T>(term: &Packed, seen: &mut dyn FnMut(&Path, &Heap, Term) -> Option<T>) -> Option<T> {
    let mut heap = Heap::default();
    let mut stack = vec![(unpack(&mut heap, term), Path::new())];
    let mut left = MOST.1;
    while let Some((term, path)) = stack.pop().filter(|_| left > 0) {
        left -= 1;
        if let Some(found) = seen(&path, &heap, term) {
            return Some(found);
        }
        if path.len() >= DEEPEST {
            continue;
        }
        let below = |name: Atom, place: usize| path.iter().copied().chain([(name, place)]).collect::<Path>();
        match heap.view(term) {
            TermView::Compound(atoms::DOT, _) => {
                let (elements, _) = heap.elements(term);
                let path = below(atoms::DOT, 0);
                stack.extend(elements.into_iter().rev().map(|element| (element, path.clone())));
            }
            TermView::Compound(name, args) => {
                let args = args.iter().enumerate().rev();
                stack.extend(args.map(|(at, cell)| (Term::of_cell(*cell), below(name, at))));
            }
            _ => {}
        }
    }
    None
}

/// The functors of the elements of a list.
fn functors(heap: &Heap, list: Term) -> FxHashSet<(Atom, usize)> {
    let functor = |term: Term| match heap.view(term) {
        TermView::Atom(name) => Some((name, 0)),
        TermView::Compound(name, args) => Some((name, args.len())),
        _ => None,
    };
    heap.elements(list).0.into_iter().filter_map(functor).collect()
}

impl Place {
    fn add(&mut self, heap: &Heap, term: Term) {
        self.count += 1;
        match heap.view(term) {
            TermView::Atom(name) if name != atoms::NIL => _ = self.names.insert(name),
            TermView::Atom(_) | TermView::Compound(atoms::DOT, _) => {
                self.lengths.insert(heap.elements(term).0.len());
                let own = functors(heap, term);
                self.always = Some(match self.always.take() {
                    Some(known) => known.intersection(&own).copied().collect(),
                    None => own,
                });
            }
            _ => self.others = true,
        }
    }

    /// What a term has that no other term at this place has, in words.
    fn difference(&self, heap: &Heap, term: Term) -> Option<String> {
        let list = self.lengths.iter().next().filter(|_| self.names.is_empty() && !self.others);
        match heap.view(term) {
            _ if self.count < FEWEST => None,
            TermView::Atom(name) if name != atoms::NIL => {
                let known = !self.names.is_empty() && self.names.len() <= MOST_NAMES && !self.others;
                let mut names: Vec<String> = self.names.iter().map(|name| atom_text(*name)).collect();
                names.sort();
                (known && self.lengths.is_empty() && !self.names.contains(&name)).then(|| {
                    format!("no position of random play has {} where they have {}", atom_text(name), names.join(" or "))
                })
            }
            TermView::Atom(_) | TermView::Compound(atoms::DOT, _) if list.is_some() => {
                let length = heap.elements(term).0.len();
                let own = functors(heap, term);
                let mut lacking: Vec<String> = self
                    .always
                    .iter()
                    .flatten()
                    .filter(|functor| !own.contains(functor))
                    .map(|(name, arity)| format!("{}/{arity}", atom_text(*name)))
                    .collect();
                lacking.sort();
                let first = lacking.into_iter().next().filter(|_| self.lengths.len() > 1);
                let usual = list.filter(|usual| self.lengths.len() == 1 && **usual != length);
                usual
                    .map(|usual| {
                        format!(
                            "it has a list of length {length} where all positions of random play have length {usual}"
                        )
                    })
                    .or_else(|| {
                        Some(format!(
                            "it lacks an element {} that the list has in all positions of random play",
                            first?
                        ))
                    })
            }
            _ => None,
        }
    }
}
