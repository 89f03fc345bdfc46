//! The shapes of terms that predicates can answer with: name and number of arguments, inside too.
//!
//! In: a program and its contract. Out: what positions, labels and other answers look like, told
//! from the text alone; too much rather than too little, and [`Shape::Any`] where the text does not
//! tell. An abstract interpretation over heads and bodies, as in Maurice Bruynooghe, "A practical
//! framework for the abstract interpretation of logic programs", 1991, with terms cut at a depth.
//! Runs nothing. Called by `misfit` alone.

use crate::rules::contract::Contract;
use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::ast::{Kind, NodeId, Tree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What stands deeper in a term may be anything.
const DEEPEST: usize = 4;

/// Rounds until nothing new is found; programs that need more are not judged.
const ROUNDS: usize = 24;

/// Nodes of terms that are looked at in all, before the whole is given up.
const FUEL: usize = 2_000_000;

/// A predicate of more clauses is a table that was not written by hand.
const MOST_CLAUSES: usize = 1_000;

/// The goals that have succeeded when a term is looked at, innermost last, with the head before them.
struct Scene<'a> {
    tree: &'a Tree,
    goals: Vec<&'a Goal>,
    /// An argument of the head that is a position of the game.
    given: Option<(NodeId, &'a Shape)>,
}

/// See the module.
pub(super) struct Shapes<'p> {
    program: &'p Program,
    /// What an argument of a predicate looks like once it has succeeded, as far as it is known.
    known: FxHashMap<(PredId, usize), Shape>,
    /// Those that were looked at in this round.
    seen: FxHashSet<(PredId, usize)>,
    changed: bool,
    /// Nodes that may still be looked at.
    fuel: usize,
    /// Where a form was first seen to be made.
    pub(super) made: FxHashMap<(Atom, usize), Span>,
}

/// What is known of the terms of a game.
pub(super) struct Known {
    /// Of positions.
    pub(super) positions: Shape,
    /// Of labels of moves.
    pub(super) labels: Shape,
    /// Where terms of a name and a number of arguments are first made.
    pub(super) made: FxHashMap<(Atom, usize), Span>,
}

/// What positions and labels of a game look like; `None` where that is not found out. `also` are
/// names of positions that are known from elsewhere.
pub(super) fn of(program: &Program, contract: &Contract, also: &[(Atom, usize)]) -> Option<Known> {
    let mut shapes = Shapes {
        program,
        known: FxHashMap::default(),
        seen: FxHashSet::default(),
        changed: false,
        fuel: FUEL,
        made: FxHashMap::default(),
    };
    let (mut positions, mut labels) = (Shape::NONE, Shape::NONE);
    for (name, arity) in also {
        positions.join(&Shape::Of(vec![Form::Compound(*name, vec![Shape::Any; *arity])]));
    }
    for _ in 0..ROUNDS {
        shapes.seen.clear();
        shapes.changed = false;
        let before = positions.clone();
        for (pred, place, part) in sources(contract) {
            let asks = contract.read_position != Some(pred) && contract.sample != Some(pred);
            let found = shapes.answers(pred, place, Some(&before).filter(|_| asks));
            shapes.changed |= positions.join(&part.of(&found).cut(DEEPEST));
        }
        if let Some(pred) = contract.labelled {
            let found = shapes.answers(pred, 1, Some(&before));
            shapes.changed |= labels.join(&found.cut(DEEPEST));
        }
        if shapes.fuel == 0 {
            return None;
        }
        if !shapes.changed {
            return Some(Known { positions, labels, made: shapes.made });
        }
    }
    None
}

/// How positions stand in an answer.
#[derive(Clone, Copy)]
enum Part {
    Whole,
    Elements,
    /// The second of each pair of a list.
    Seconds,
}

impl Part {
    fn of(self, shape: &Shape) -> Shape {
        match self {
            Part::Whole => shape.clone(),
            Part::Elements => shape.elements(),
            Part::Seconds => shape.elements().at(&[(Atom::new("-"), 1)]),
        }
    }
}

/// Every answer that gives positions.
fn sources(contract: &Contract) -> Vec<(PredId, usize, Part)> {
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
    /// What an argument of a predicate looks like once the predicate has succeeded; `given`: if its
    /// first argument is a position of that shape.
    fn answers(&mut self, pred: PredId, place: usize, given: Option<&Shape>) -> Shape {
        let program = self.program;
        let clauses = &program.predicate(pred).clauses;
        // What a parameter is may change from outside.
        if clauses.is_empty() || clauses.len() > MOST_CLAUSES || program.predicate(pred).key.name.text() == "param" {
            return Shape::Any;
        }
        let mut found = Shape::NONE;
        for clause in clauses {
            let args = clause.tree.args(clause.head);
            let Some(node) = args.get(place) else { return Shape::Any };
            let given = given.filter(|_| place > 0 && args.len() > 1).map(|shape| (args[0], shape));
            if given.is_some_and(|(node, shape)| !shape.may_be(&clause.tree, node)) {
                // No position comes here.
                continue;
            }
            let scene = Scene { tree: &clause.tree, goals: vec![&clause.body], given };
            found.join(&self.term(&scene, *node, &mut Vec::new()));
        }
        found
    }

    /// The same for any call, looked at once in a round.
    fn success(&mut self, pred: PredId, place: usize) -> Shape {
        let key = (pred, place);
        if self.seen.insert(key) {
            self.known.entry(key).or_insert(Shape::NONE);
            let found = self.answers(pred, place, None).cut(DEEPEST);
            let known = self.known.get_mut(&key).expect("it was just put there");
            self.changed |= known.join(&found);
        }
        self.known.get(&key).cloned().unwrap_or(Shape::NONE)
    }

    /// What a term looks like once the goals of its scene have succeeded; `open` are the variables
    /// that are being looked at.
    fn term(&mut self, scene: &Scene<'_>, node: NodeId, open: &mut Vec<u32>) -> Shape {
        let tree = scene.tree;
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            return Shape::Any;
        }
        let form = match tree.kind(node) {
            Kind::Var(number) => return self.variable(scene, *number, open),
            Kind::Atom(atoms::NIL) => Form::List(Shape::NONE),
            Kind::Atom(name) => {
                self.made.entry((*name, 0)).or_insert(tree.span(node));
                Form::Atom
            }
            Kind::Int(_) | Kind::Big(_) | Kind::Float(_) => Form::Number,
            Kind::Text(_) => Form::Text,
            Kind::Compound(atoms::DOT, _) => return self.list(scene, node, open),
            Kind::Compound(name, _) => {
                let args = tree.args(node);
                self.made.entry((*name, args.len())).or_insert(tree.span(node));
                // Deep terms are cut off anyway, and a text may nest them as deep as it likes.
                let deep = open.len() > 64;
                let args = args.iter().map(|arg| match deep {
                    true => Shape::Any,
                    false => {
                        open.push(u32::MAX);
                        let found = self.term(scene, *arg, open);
                        open.pop();
                        found
                    }
                });
                Form::Compound(*name, args.collect())
            }
        };
        Shape::Of(vec![form])
    }

    fn list(&mut self, scene: &Scene<'_>, node: NodeId, open: &mut Vec<u32>) -> Shape {
        let mut elements = Shape::NONE;
        let mut rest = node;
        while let Some((head, tail)) = scene.tree.binary(rest, atoms::DOT) {
            if open.len() > 64 {
                return Shape::Any;
            }
            open.push(u32::MAX);
            elements.join(&self.term(scene, head, open));
            open.pop();
            rest = tail;
        }
        let tail = match scene.tree.kind(rest) {
            Kind::Atom(atoms::NIL) => Shape::NONE,
            _ => self.term(scene, rest, open).elements(),
        };
        elements.join(&tail);
        Shape::Of(vec![Form::List(elements)])
    }

    fn variable(&mut self, scene: &Scene<'_>, number: u32, open: &mut Vec<u32>) -> Shape {
        if open.contains(&number) {
            return Shape::Any;
        }
        open.push(number);
        let mut found = Shape::Any;
        if let Some((node, shape)) = scene.given
            && let Some(path) = self.path_to(scene.tree, node, number)
        {
            found = shape.at(&path);
        }
        for goal in scene.goals.iter().rev() {
            if found != Shape::Any {
                break;
            }
            found = self.after(scene, goal, number, open);
        }
        open.pop();
        found
    }

    /// What a goal makes of a variable by succeeding.
    fn after(&mut self, scene: &Scene<'_>, goal: &Goal, number: u32, open: &mut Vec<u32>) -> Shape {
        match goal {
            Goal::Conj(goals) => goals
                .iter()
                .map(|goal| self.after(scene, goal, number, open))
                .find(|found| *found != Shape::Any)
                .unwrap_or(Shape::Any),
            Goal::Or(left, right) => {
                let mut found = self.after(scene, left, number, open);
                found.join(&self.after(scene, right, number, open));
                found
            }
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                let mut found = self.after(scene, condition, number, open);
                if found == Shape::Any {
                    found = self.after(scene, then, number, open);
                }
                found.join(&self.after(scene, other, number, open));
                found
            }
            Goal::Scope(inner) => self.after(scene, inner, number, open),
            Goal::Fail => Shape::NONE,
            Goal::Findall { template, goal, list, tail: None, .. } if is_variable(scene.tree, *list, number) => {
                let goals = scene.goals.iter().copied().chain([&**goal]).collect();
                let inner = Scene { tree: scene.tree, goals, given: scene.given };
                // A variable that is being looked at is not the one of the template.
                let elements = self.term(&inner, *template, open);
                Shape::Of(vec![Form::List(elements)])
            }
            Goal::Call { callee: Callee::User(pred), args, .. } => self.called(scene, *pred, args, number, open),
            Goal::Call { callee: Callee::Native(id), args, .. } => {
                match (self.program.known.row(*id).name, &args[..]) {
                    ("=", &[left, right]) if is_variable(scene.tree, left, number) => self.term(scene, right, open),
                    ("=", &[left, right]) if is_variable(scene.tree, right, number) => self.term(scene, left, open),
                    ("put_arg", &[_, old, _, new]) | ("put_args", &[old, _, new])
                        if is_variable(scene.tree, new, number) =>
                    {
                        self.term(scene, old, open).hollow()
                    }
                    ("is", &[value, _]) if is_variable(scene.tree, value, number) => Shape::Of(vec![Form::Number]),
                    _ => Shape::Any,
                }
            }
            Goal::Call { .. } | Goal::True | Goal::Cut | Goal::Not(_) | Goal::Findall { .. } | Goal::Meta(..) => {
                Shape::Any
            }
        }
    }

    fn called(&mut self, scene: &Scene<'_>, pred: PredId, args: &[NodeId], number: u32, open: &mut Vec<u32>) -> Shape {
        let program = self.program;
        let key = program.predicate(pred).key;
        if let (alphorn_lang::lang::program::PRELUDE, "member" | "memberchk", &[element, list]) =
            (key.scope, key.name.text(), args)
            && let Some(path) = self.path_to(scene.tree, element, number)
        {
            return self.term(scene, list, open).elements().at(&path);
        }
        for (place, arg) in args.iter().enumerate() {
            if let Some(path) = self.path_to(scene.tree, *arg, number) {
                let found = self.success(pred, place).at(&path);
                if found != Shape::Any {
                    return found;
                }
            }
        }
        Shape::Any
    }

    /// Where a variable stands in a term: the way to its first place.
    fn path_to(&mut self, tree: &Tree, node: NodeId, number: u32) -> Option<Vec<(Atom, usize)>> {
        let mut stack = vec![(node, Vec::new())];
        while let Some((at, path)) = stack.pop() {
            self.fuel = self.fuel.saturating_sub(1);
            if self.fuel == 0 {
                return None;
            }
            if is_variable(tree, at, number) {
                return Some(path);
            }
            if let (Kind::Compound(name, _), true) = (tree.kind(at), path.len() < DEEPEST) {
                let below = tree.args(at).iter().enumerate().rev();
                stack.extend(
                    below.map(|(place, arg)| (*arg, path.iter().copied().chain([(*name, place)]).collect::<Vec<_>>())),
                );
            }
        }
        None
    }
}

fn is_variable(tree: &Tree, node: NodeId, number: u32) -> bool {
    matches!(tree.kind(node), Kind::Var(other) if *other == number)
}

/// The clauses of a predicate, each with one argument of its head.
pub(super) fn heads(program: &Program, pred: PredId, place: usize) -> impl Iterator<Item = (&Clause, NodeId)> {
    let clauses = program.predicate(pred).clauses.iter();
    clauses.filter_map(move |clause| Some((clause, *clause.tree.args(clause.head).get(place)?)))
}
