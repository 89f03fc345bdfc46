//! Computes the shapes of the positions, labels and answers of a game.
//!
//! The input is a program and the predicates of the game. Rounds of the analysis of `shapes` follow the
//! positions that play makes until a round changes nothing. Nothing is run. Only `misfit` and `claimed`
//! call this module.

use crate::rules::contract::Contract;
use crate::rules::flows::Flow;
use crate::rules::inner::Inners;
use crate::rules::shape::{Form, Origin, Shape};
use crate::rules::shapes::{DEEPEST, Shapes};
use crate::rules::shared::SharedVariable;
use crate::rules::sources::sources;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;

/// The greatest number of rounds. A program that needs more is not checked.
const ROUNDS: usize = 24;

/// Of a predicate with more clauses, the answers of the first ones are compared.
const MOST_ANSWERS: usize = 20;

/// The shapes of the terms of a game.
pub(super) struct GameShapes {
    /// The shape of positions.
    pub(super) positions: Shape,
    /// The shape of the positions that play reaches.
    pub(super) played: Shape,
    /// The shapes of the terms in the text, by their places.
    pub(super) written: FxHashMap<Span, Shape>,
    /// The shapes of the elements that lists in the text begin with, by their places.
    pub(super) put: FxHashMap<Span, Shape>,
    /// The shape of move labels.
    pub(super) labels: Shape,
    /// The other answers of game predicates: predicate, argument number, shape.
    pub(super) answers: Vec<(PredId, usize, Shape)>,
    /// The places that take terms of the rules apart.
    pub(super) flows: Vec<Flow>,
    /// The shapes of the answers of helpers.
    pub(super) made: Vec<Shape>,
    /// What each clause of a helper answers: predicate, argument number, the argument of the head.
    pub(super) outputs: Vec<(PredId, usize, Span, Shape)>,
    /// The variables of heads that can have no value.
    pub(super) shared: Vec<SharedVariable>,
    /// The positions that each clause makes: the argument of the head, and its shape.
    pub(super) clauses: Vec<(Span, Shape)>,
    /// The shapes of answers of `canonical/2` and `symmetry/2`, if they are no source of positions.
    pub(super) images: Vec<(PredId, Shape)>,
}

/// The shapes of images, and of positions as if no position came from an image.
pub(super) fn images(program: &Program, contract: &Contract) -> Option<GameShapes> {
    let images: Vec<PredId> = [contract.canonical, contract.symmetry].into_iter().flatten().collect();
    if images.is_empty() {
        return None;
    }
    let contract = Contract { canonical: None, symmetry: None, ..*contract };
    analyse_shapes(program, &contract, (&[], Reach::Play), &images)
}

/// The shapes of the terms of a game; `None` if the analysis gives up. `also` contains functors of
/// positions that are known from elsewhere.
pub(super) fn of(program: &Program, contract: &Contract, also: &[(Atom, usize)]) -> Option<GameShapes> {
    analyse_shapes(program, contract, (also, Reach::Play), &[])
}

/// The shapes of the first positions, and of the terms that rules make from these.
pub(super) fn first(program: &Program, contract: &Contract) -> Option<GameShapes> {
    analyse_shapes(program, contract, (&[], Reach::Opening), &[])
}

/// The positions that are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The first ones.
    Opening,
    /// All that play makes.
    Play,
}

fn analyse_shapes(
    program: &Program,
    contract: &Contract,
    (also, reach): (&[(Atom, usize)], Reach),
    images: &[PredId],
) -> Option<GameShapes> {
    // `read_position/2` takes a text, not a position.
    let reads = |pred: &PredId| contract.read_position == Some(*pred);
    let inners = Inners::of(program);
    let questions = contract.questions().into_iter().chain(images.iter().map(|pred| (*pred, "+-")));
    let questions = questions.filter(|(pred, _)| !reads(pred)).collect();
    let mut shapes = Shapes::new(program, &inners, questions);
    let (mut positions, mut played, mut labels) = (Shape::NONE, Shape::NONE, Shape::NONE);
    let plays = [contract.initial, contract.labelled, contract.moves, contract.pass, contract.chance];
    for (name, arity) in also {
        positions.join(&Shape::of(vec![Form::Compound(*name, vec![Shape::Any; *arity], Origin::default())]));
    }
    for _ in 0..ROUNDS {
        let before = positions.clone();
        shapes.start_round(&before);
        for (pred, place, part) in sources(contract) {
            let asks = contract.read_position != Some(pred) && contract.sample != Some(pred);
            let found = shapes.answers(pred, place, Some(&before).filter(|_| asks));
            let found = part.of(&found).cut(DEEPEST);
            if reach == Reach::Opening && contract.initial != Some(pred) {
                continue;
            }
            shapes.changed |= positions.join(&found);
            if plays.contains(&Some(pred)) {
                played.join(&found);
            }
        }
        if let Some(pred) = contract.labelled {
            let found = shapes.answers(pred, 1, Some(&before));
            shapes.changed |= labels.join(&found.cut(DEEPEST));
            shapes.labels.clone_from(&labels);
        }
        if shapes.fuel == 0 {
            return None;
        }
        if !shapes.changed {
            return Some(shapes.finish(contract, (images, reach), [positions, played, labels]));
        }
    }
    None
}

impl Shapes<'_> {
    /// The result, once a round has changed nothing.
    fn finish(
        mut self,
        contract: &Contract,
        (images, reach): (&[PredId], Reach),
        [positions, played, labels]: [Shape; 3],
    ) -> GameShapes {
        let answers = self.other_answers(contract, &positions);
        let compares_clauses = reach == Reach::Play && images.is_empty();
        let flows = self.stable_flows(&positions);
        let clauses = if compares_clauses { self.positions_of_clauses(contract, &positions) } else { Vec::new() };
        let shared = if compares_clauses { self.shared() } else { Vec::new() };
        let images = images.iter().map(|pred| (*pred, self.answers(*pred, 1, Some(&positions)).cut(DEEPEST))).collect();
        let program = self.program;
        let users = |pred: PredId| program.is_users(program.predicate(pred).key.scope);
        let answered: Vec<(PredId, usize)> = self.known.keys().copied().filter(|(pred, _)| users(*pred)).collect();
        let outputs = if compares_clauses { self.outputs(&answered) } else { Vec::new() };
        let mut made: Vec<_> = self.known.into_iter().filter(|((pred, _), _)| users(*pred)).collect();
        made.sort_by_key(|(place, _)| *place);
        let made = made.into_iter().map(|(_, shape)| shape).collect();
        let (written, put) = (self.written, self.put);
        GameShapes { shared, outputs, answers, written, put, positions, played, labels, flows, made, clauses, images }
    }

    /// The flows, once they change no shape. Some helpers are followed here for the first time.
    fn stable_flows(&mut self, positions: &Shape) -> Vec<Flow> {
        for _ in 0..ROUNDS {
            self.start_round(positions);
            let found = self.flows();
            if !self.changed {
                return found;
            }
        }
        Vec::new()
    }

    /// The positions that each clause makes in play.
    fn positions_of_clauses(&mut self, contract: &Contract, positions: &Shape) -> Vec<(Span, Shape)> {
        let (program, mut found) = (self.program, Vec::new());
        let makers = [(contract.initial, 0), (contract.labelled, 2), (contract.pass, 1)];
        for (pred, place) in makers.into_iter().filter_map(|(pred, place)| Some((pred?, place))) {
            for clause in program.predicate(pred).clauses.iter().take(MOST_ANSWERS) {
                let Some(arg) = clause.tree.args(clause.head).get(place) else { continue };
                let shape = self.answer((pred, clause), place, Some(positions)).unwrap_or(Shape::Any);
                found.push((clause.tree.span(*arg), shape));
            }
        }
        found
    }

    /// What each clause answers in these arguments, in their order.
    fn outputs(&mut self, answered: &[(PredId, usize)]) -> Vec<(PredId, usize, Span, Shape)> {
        let (program, mut outputs) = (self.program, Vec::new());
        for &(pred, place) in answered {
            for clause in program.predicate(pred).clauses.iter().take(MOST_ANSWERS) {
                let Some(arg) = clause.tree.args(clause.head).get(place) else { continue };
                let shape = self.answer((pred, clause), place, None).unwrap_or(Shape::Any);
                outputs.push((pred, place, clause.tree.span(*arg), shape));
            }
        }
        outputs.sort_by_key(|(pred, place, span, _)| (*pred, *place, *span));
        outputs
    }
}
