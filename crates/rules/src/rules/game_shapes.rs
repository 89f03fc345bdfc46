//! Computes the shapes of the positions, labels and answers of a game.
//!
//! The input is a program and the predicates of the game. The analysis of `shapes` computes the positions that
//! play makes, and the terms that come to the places which take terms apart. Nothing is run. Only `misfit` and
//! `claimed` call this module.

use crate::rules::contract::Contract;
use crate::rules::equations::Unknown;
use crate::rules::flows::Flow;
use crate::rules::inner::Inners;
use crate::rules::shape::{Form, Origin, Shape};
use crate::rules::shapes::{DEEPEST, MOST_CLAUSES, Shapes};
use crate::rules::shared::SharedVariable;
use crate::rules::sources::sources;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;

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

/// The shapes of the first positions, and of the terms that rules make from these.
pub(super) struct OpeningShapes {
    /// The shape of the first positions.
    pub(super) positions: Shape,
    /// The shapes of the terms in the text, by their places.
    pub(super) written: FxHashMap<Span, Shape>,
    /// The places that take terms of the rules apart.
    pub(super) flows: Vec<Flow>,
}

/// The shapes of images, and of positions as if no position came from an image.
pub(super) fn images(program: &Program, contract: &Contract) -> Option<GameShapes> {
    let images: Vec<PredId> = [contract.canonical, contract.symmetry].into_iter().flatten().collect();
    if images.is_empty() {
        return None;
    }
    let contract = Contract { canonical: None, symmetry: None, ..*contract };
    let inners = Inners::of(program);
    let mut shapes = shapes(program, &contract, &inners, &images);
    if shapes.is_solved() { shapes.finish(&contract, &images) } else { None }
}

/// The shapes of the terms of a game; `None` if the analysis gives up. `also` contains functors of
/// positions that are known from elsewhere.
pub(super) fn of(program: &Program, contract: &Contract, also: &[(Atom, usize)]) -> Option<GameShapes> {
    let inners = Inners::of(program);
    let mut shapes = shapes(program, contract, &inners, &[]);
    for (name, arity) in also {
        let form = Form::Compound(*name, vec![Shape::Any; *arity], Origin::default());
        shapes.solutions.at(Unknown::Positions).shape.join(&Shape::of(vec![form]));
    }
    if shapes.is_solved() { shapes.finish(contract, &[]) } else { None }
}

/// The shapes of the terms of a game, and those that only the first positions give; `None` if the analysis gives up.
pub(super) fn with_opening(program: &Program, contract: &Contract) -> Option<(GameShapes, OpeningShapes)> {
    let inners = Inners::of(program);
    let mut shapes = shapes(program, contract, &inners, &[]);
    let follow = |shapes: &mut Shapes<'_>, all: bool| {
        for source in &mut shapes.sources {
            source.is_followed = all || contract.initial == Some(source.pred);
        }
    };
    follow(&mut shapes, false);
    if !shapes.is_solved() {
        return None;
    }
    let positions = shapes.value(Unknown::Positions);
    let flows = shapes.flows();
    let opening = OpeningShapes { positions, flows, written: shapes.written.clone() };
    follow(&mut shapes, true);
    shapes.solutions.reopen(Unknown::Positions);
    if shapes.is_solved() { Some((shapes.finish(contract, &[])?, opening)) } else { None }
}

/// An analysis of a game that knows no shape yet.
fn shapes<'p>(program: &'p Program, contract: &Contract, inners: &'p Inners, images: &[PredId]) -> Shapes<'p> {
    // `read_position/2` takes a text, not a position.
    let reads = |pred: &PredId| contract.read_position == Some(*pred);
    let questions = contract.questions().into_iter().chain(images.iter().map(|pred| (*pred, "+-")));
    let questions = questions.filter(|(pred, _)| !reads(pred)).collect();
    Shapes::new(program, inners, questions, (sources(contract), contract.labelled))
}

impl Shapes<'_> {
    /// Computes the positions and the labels. Returns whether the analysis does not give up.
    fn is_solved(&mut self) -> bool {
        self.value(Unknown::Positions);
        self.value(Unknown::Labels);
        self.fuel > 0
    }

    /// The result, once positions and labels are known; `None` if the analysis gives up.
    fn finish(mut self, contract: &Contract, images: &[PredId]) -> Option<GameShapes> {
        let [positions, labels] = [Unknown::Positions, Unknown::Labels].map(|unknown| self.value(unknown));
        let answers = self.other_answers(contract, &positions);
        let compares_clauses = images.is_empty();
        let flows = self.flows();
        let clauses = if compares_clauses { self.positions_of_clauses(contract, &positions) } else { Vec::new() };
        let shared = if compares_clauses { self.shared() } else { Vec::new() };
        let images = images.iter().map(|pred| (*pred, self.answers(*pred, 1, Some(&positions)).cut(DEEPEST))).collect();
        let program = self.program;
        let users = |pred: PredId| program.is_users(program.predicate(pred).key.scope);
        let answered = self.solutions.answers().filter(|(pred, ..)| users(*pred));
        let mut made: Vec<_> = answered.map(|(pred, place, shape)| ((pred, place), shape.clone())).collect();
        made.sort_by_key(|(place, _)| *place);
        let outputs = if compares_clauses { self.outputs(&made) } else { Vec::new() };
        let made = made.into_iter().map(|(_, shape)| shape).collect();
        if self.fuel == 0 {
            return None;
        }
        let (written, put, played) = (self.written, self.put, self.played);
        Some(GameShapes {
            shared,
            outputs,
            answers,
            written,
            put,
            positions,
            played,
            labels,
            flows,
            made,
            clauses,
            images,
        })
    }

    /// The answers that are no positions, of each clause: predicate, argument number, shape.
    fn other_answers(&mut self, contract: &Contract, positions: &Shape) -> Vec<(PredId, usize, Shape)> {
        let mut found = Vec::new();
        for (pred, place) in answers(contract) {
            for clause in self.program.predicate(pred).clauses.iter().take(MOST_CLAUSES) {
                let shape = self.answer((pred, clause), place, Some(positions)).unwrap_or(Shape::Any);
                found.push((pred, place, shape));
            }
        }
        found
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
    fn outputs(&mut self, answered: &[((PredId, usize), Shape)]) -> Vec<(PredId, usize, Span, Shape)> {
        let (program, mut outputs) = (self.program, Vec::new());
        for &((pred, place), _) in answered {
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
