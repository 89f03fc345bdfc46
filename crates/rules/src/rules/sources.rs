//! Where the shapes of positions come from, and those of what else games answer.
//!
//! In: a contract. Out: every answer that gives positions, and how they stand in it; the answers that
//! mean a value, a picture or a result; what predicates of the library do with lists. Knows no text.

use crate::rules::contract::Contract;
use crate::rules::shape::Shape;
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::Atom;

/// How positions stand in an answer.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// The answer is one.
    Whole,
    /// A list of them.
    Elements,
    /// The second of each pair of a list.
    Seconds,
}

impl Part {
    pub(super) fn of(self, shape: &Shape) -> Shape {
        match self {
            Part::Whole => shape.clone(),
            Part::Elements => shape.elements(),
            Part::Seconds => shape.elements().at(&[(Atom::new("-"), 1)]),
        }
    }
}

/// Every answer that gives positions.
pub(super) fn sources(contract: &Contract) -> Vec<(PredId, usize, Part)> {
    let all = [
        (contract.initial, 0, Part::Whole),
        (contract.labelled, 2, Part::Whole),
        (contract.moves, 1, Part::Elements),
        (contract.pass, 1, Part::Whole),
        (contract.chance, 1, Part::Seconds),
        (contract.canonical, 1, Part::Whole),
        (contract.symmetry, 1, Part::Whole),
        (contract.position, 0, Part::Whole),
        (contract.sample, 1, Part::Whole),
        (contract.read_position, 1, Part::Whole),
    ];
    all.into_iter().filter_map(|(pred, place, part)| Some((pred?, place, part))).collect()
}

/// The answers that are no positions, each with its place.
pub(super) fn answers(contract: &Contract) -> Vec<(PredId, usize)> {
    let all = [
        (contract.outcome, 1),
        (contract.static_eval, 1),
        (contract.prefer, 2),
        (contract.extend, 2),
        (contract.reduce, 2),
        (contract.show, 1),
    ];
    all.into_iter().filter_map(|(pred, place)| Some((pred?, place))).collect()
}

/// Of a predicate of the library: the place of an element, of its list, and of another list with
/// elements of that.
pub(super) fn list_places(name: &str, arity: usize) -> Option<(Option<usize>, usize, Option<usize>)> {
    Some(match (name, arity) {
        ("member" | "memberchk", 2) => (Some(0), 1, None),
        ("select" | "selectchk", 3) => (Some(0), 1, Some(2)),
        ("nth0" | "nth1", 3) => (Some(2), 1, None),
        ("nth0" | "nth1", 4) => (Some(2), 1, Some(3)),
        ("last", 2) => (Some(1), 0, None),
        ("reverse" | "sort" | "msort" | "permutation" | "list_to_set", 2) => (None, 0, Some(1)),
        ("delete" | "subtract", 3) => (None, 0, Some(2)),
        _ => return None,
    })
}

/// What a predicate of library(assoc) does.
#[derive(Clone, Copy)]
pub(super) struct OfTree {
    /// The place of the tree that it takes.
    pub(super) tree: Option<usize>,
    /// The places of a key and a value, or of a list of pairs.
    pub(super) pair: Option<(usize, usize)>,
    pub(super) list: Option<usize>,
    /// The place of the tree that it gives.
    pub(super) gives: Option<usize>,
    /// Whether it puts its pair in, rather than looks for it.
    pub(super) puts: bool,
}

/// The predicates of library(assoc) that make a tree or look into one.
pub(super) fn tree_places(name: &str, arity: usize) -> Option<OfTree> {
    let looks = OfTree { tree: Some(0), pair: None, list: None, gives: None, puts: false };
    Some(match (name, arity) {
        ("empty_assoc", 1) => OfTree { tree: None, gives: Some(0), ..looks },
        ("list_to_assoc" | "ord_list_to_assoc", 2) => OfTree { tree: None, list: Some(0), gives: Some(1), ..looks },
        ("put_assoc", 4) => OfTree { tree: Some(1), pair: Some((0, 2)), gives: Some(3), puts: true, ..looks },
        ("get_assoc" | "gen_assoc", 3) => OfTree { tree: Some(1), pair: Some((0, 2)), ..looks },
        ("max_assoc" | "min_assoc", 3) => OfTree { pair: Some((1, 2)), ..looks },
        ("del_assoc", 4) => OfTree { tree: Some(1), pair: Some((0, 2)), gives: Some(3), ..looks },
        ("assoc_to_list", 2) => OfTree { list: Some(1), ..looks },
        ("assoc_to_keys" | "assoc_to_values", 2) => looks,
        _ => return None,
    })
}
