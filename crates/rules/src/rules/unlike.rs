//! Compares a position with those of random play, to explain why an expectation about it does not hold.
//!
//! A position that people write may have an atom that no position has there, a list of another length, or may lack
//! an element that every list has. The result says so in words. It is no warning: the position may be meant.

use crate::rules::expect::Claim;
use crate::rules::game::RuleGame;
use crate::rules::playouts::kept::glimpse;
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

/// The kinds of differences, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    Atom,
    Element,
    Length,
}

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

/// The help for a claim that does not hold, with the surest difference between its position and those of random play.
/// If positions of other expectations have the same difference of length, it is meant.
pub fn with_difference(game: &RuleGame, claim: &Claim, help: String) -> String {
    let Some(own) = position_of(claim) else { return help };
    let play = Play::of(game);
    let is_meant = |unlike: &(Difference, String)| {
        let others = game.rules.claims.iter().filter_map(|stated| position_of(&stated.claim));
        let mut others = others.filter(|other| *other != own);
        unlike.0 == Difference::Length && others.any(|other| play.difference(other).as_ref() == Some(unlike))
    };
    match play.difference(own).filter(|unlike| !is_meant(unlike)) {
        Some((_, unlike)) => format!("check the position: {unlike}\n{help}"),
        None => help,
    }
}

/// For a claim about a position that no random game reaches: the surest difference between that position and
/// those of random play, if there is one. `None` for other claims, and if random play
/// reaches only a few positions.
pub fn outside_play(game: &RuleGame, claim: &Claim) -> Option<Option<String>> {
    let position = position_of(claim)?;
    let play = Play::of(game);
    // A few positions do not show which others a game reaches.
    let is_reached = play.positions.len() < FEWEST || play.positions.iter().any(|known| known.0 == *position);
    (!is_reached).then(|| play.difference(position).map(|(_, words)| words))
}

/// The position in a claim.
fn position_of(claim: &Claim) -> Option<&Packed> {
    match claim {
        Claim::Perft(position, ..) | Claim::Value(position, ..) => position.as_ref(),
        Claim::Best(position, ..) => Some(position),
        Claim::Holds(_) | Claim::Fails(_) => None,
    }
}

/// Positions of random play, and what they have in common.
struct Play {
    positions: Vec<Position>,
    places: FxHashMap<Path, Place>,
    /// Whether the game has parameters: then a board of another size may be meant.
    is_sized: bool,
}

impl Play {
    fn of(game: &RuleGame) -> Play {
        let positions = glimpse(game);
        let mut places: FxHashMap<Path, Place> = FxHashMap::default();
        for Position(known) in positions.iter().take(MOST.0) {
            each(known, &mut |path, heap, term| {
                places.entry(path.clone()).or_default().add(heap, term);
            });
        }
        Play { positions, places, is_sized: !game.rules.program.params.is_empty() }
    }

    /// The surest difference between a position and those of random play, in words.
    fn difference(&self, position: &Packed) -> Option<(Difference, String)> {
        if self.positions.len() < FEWEST || self.positions.iter().any(|known| known.0 == *position) {
            return None;
        }
        let mut found: Vec<(Difference, String)> = Vec::new();
        each(position, &mut |path, heap, term| {
            found.extend(self.places.get(path).and_then(|place| place.difference(heap, term)));
        });
        found.retain(|(kind, _)| *kind != Difference::Length || !self.is_sized);
        found.into_iter().min_by_key(|(kind, _)| *kind)
    }
}

/// Calls a function for each part of a term, outermost first.
fn each(term: &Packed, seen: &mut dyn FnMut(&Path, &Heap, Term)) {
    let mut heap = Heap::default();
    let mut stack = vec![(unpack(&mut heap, term), Path::new())];
    let mut left = MOST.1;
    while let Some((term, path)) = stack.pop().filter(|_| left > 0) {
        left -= 1;
        seen(&path, &heap, term);
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
                // The parts of a record, such as turn=max, are told apart by their keys.
                let key = match (&*name.name(), args) {
                    ("=" | "-" | ":", [key, _]) => heap.view(Term::of_cell(*key)),
                    _ => TermView::Atom(name),
                };
                let name = if let TermView::Atom(key) = key { key } else { name };
                let args = args.iter().enumerate().rev();
                stack.extend(args.map(|(at, cell)| (Term::of_cell(*cell), below(name, at))));
            }
            _ => {}
        }
    }
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
    fn difference(&self, heap: &Heap, term: Term) -> Option<(Difference, String)> {
        match heap.view(term) {
            _ if self.count < FEWEST || self.others => None,
            TermView::Atom(name) if name != atoms::NIL => {
                let is_odd = self.lengths.is_empty() && self.names.len() <= MOST_NAMES && !self.names.contains(&name);
                let mut names: Vec<String> = self.names.iter().map(|name| atom_text(*name)).collect();
                names.sort();
                let (own, names) = (atom_text(name), names.join(" or "));
                is_odd.then(|| (Difference::Atom, format!("it has {own} where positions of random play have {names}")))
            }
            TermView::Atom(_) | TermView::Compound(atoms::DOT, _) if self.names.is_empty() => {
                let (length, own) = (heap.elements(term).0.len(), functors(heap, term));
                let always = self.always.iter().flatten();
                let lacking = always.filter(|functor| !own.contains(functor));
                let mut lacking: Vec<String> =
                    lacking.map(|(name, arity)| format!("{}/{arity}", atom_text(*name))).collect();
                lacking.sort();
                match (lacking.first(), self.lengths.iter().next()) {
                    (_, Some(usual)) if self.lengths.len() == 1 && *usual != length => Some((
                        Difference::Length,
                        format!("it has a list of length {length} where positions of random play have length {usual}"),
                    )),
                    (Some(lacking), Some(_)) if self.lengths.len() > 1 => Some((
                        Difference::Element,
                        format!("it lacks {lacking}, which this list has in all positions of random play"),
                    )),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
