//! Lists the answers of game predicates that contain positions, and the other answers.
//!
//! A [`Part`] says where positions stand in an answer. The other answers are values, pictures and
//! results.

use crate::rules::contract::Contract;
use crate::rules::shape::Shape;
use crate::rules::shapes::{MOST_CLAUSES, Shapes};
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

/// All answers that contain positions: predicate, argument number, part.
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

impl Shapes<'_> {
    /// The answers that are no positions, of each clause: predicate, argument number, shape.
    pub(super) fn other_answers(&mut self, contract: &Contract, positions: &Shape) -> Vec<(PredId, usize, Shape)> {
        let mut found = Vec::new();
        for (pred, place) in answers(contract) {
            for clause in self.program.predicate(pred).clauses.iter().take(MOST_CLAUSES) {
                let shape = self.answer((pred, clause), place, Some(positions)).unwrap_or(Shape::Any);
                found.push((pred, place, shape));
            }
        }
        found
    }
}

/// The answers that are no positions: predicate and argument number.
fn answers(contract: &Contract) -> Vec<(PredId, usize)> {
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
