//! Lists the answers of game predicates that contain positions.
//!
//! A [`Part`] says where positions stand in an answer.

use crate::rules::contract::Contract;
use crate::rules::shape::Shape;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId};
use alphorn_text::symbol::Atom;

/// Where positions stand in an answer.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// The answer is a position.
    Whole,
    /// The answer is a list of positions.
    Elements,
    /// The answer is a list of pairs. The second element of each pair is a position.
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

/// An answer that contains positions.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) pred: PredId,
    /// The argument number.
    pub(super) place: usize,
    pub(super) part: Part,
    /// Whether the first argument is a position.
    pub(super) asks: bool,
    /// Whether play reaches the positions.
    pub(super) plays: bool,
    /// Whether the analysis follows the positions.
    pub(super) is_followed: bool,
}

/// All answers that contain positions.
pub(super) fn sources(contract: &Contract) -> Vec<Source> {
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
    let plays = [contract.initial, contract.labelled, contract.moves, contract.pass, contract.chance];
    let source = |(pred, place, part): (Option<PredId>, usize, Part)| {
        let asks = contract.read_position != pred && contract.sample != pred;
        Some(Source { pred: pred?, place, part, asks, plays: plays.contains(&pred), is_followed: true })
    };
    all.into_iter().filter_map(source).collect()
}

/// Whether a variable of a clause is an argument or an answer of a game predicate.
pub(super) fn is_asked(contract: &Contract, clause: &Clause, takes: &str, (number, place): (u32, usize)) -> bool {
    let tree = &clause.tree;
    let is = |node: NodeId| matches!(tree.kind(node), TermKind::Var(other) if *other == number);
    if takes.chars().nth(place) == Some('+') && tree.args(clause.head).get(place).is_some_and(|arg| is(*arg)) {
        return true;
    }
    let gives = match place {
        0 => [(contract.initial, 0), (contract.labelled, 2), (contract.pass, 1)],
        _ => [(contract.labelled, 1), (None, 0), (None, 0)],
    };
    let mut given = false;
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee: Callee::User(id), args, .. } = goal {
            given |= gives.iter().any(|(pred, at)| *pred == Some(*id) && args.get(*at).is_some_and(|arg| is(*arg)));
        }
    });
    given
}
