//! The shapes of terms that predicates can answer with: name and number of arguments, inside too.
//!
//! In: a program and its contract. Out: what positions, labels and other answers look like, told
//! from the text alone; too much rather than too little, and [`Shape::Any`] where the text does not
//! tell. An abstract interpretation over heads and bodies, as in Maurice Bruynooghe, "A practical
//! framework for the abstract interpretation of logic programs", 1991, with terms cut at a depth.
//! Runs nothing. Called by `misfit` alone.

use crate::rules::contract::Contract;
use crate::rules::flows::Flow;
use crate::rules::inner::Inners;
use crate::rules::shape::{Form, Origin, Shape, is_record};
use crate::rules::sites::Sites;
use crate::rules::sources::{answers, sources};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::is_users;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// What stands deeper in a term may be anything.
const DEEPEST: usize = 6;

/// Rounds until nothing new is found; programs that need more are not judged.
const ROUNDS: usize = 24;

/// A list of more elements that is written out is no record.
const MOST_ELEMENTS: usize = 6;

/// Nodes of terms that are looked at in all, before the whole is given up.
const FUEL: usize = 2_000_000;

/// A predicate of more clauses is a table that was not written by hand.
const MOST_CLAUSES: usize = 1_000;

/// The goals that have succeeded when a term is looked at, innermost last, with the head before them.
pub(super) struct Scene<'a> {
    pub(super) tree: &'a TermTree,
    pub(super) goals: Vec<&'a Goal>,
    /// Arguments of the head that are positions and labels of the game.
    pub(super) given: Vec<(NodeId, &'a Shape)>,
    /// The predicate whose clause it is, and the head.
    pub(super) of: Option<(PredId, NodeId)>,
}

/// See the module.
pub(super) struct Shapes<'p> {
    pub(super) program: &'p Program,
    /// What an argument of a predicate looks like once it has succeeded, as far as it is known.
    known: FxHashMap<(PredId, usize), Shape>,
    /// Those that were looked at in this round.
    seen: FxHashSet<(PredId, usize)>,
    /// The same of arguments as the rules call a predicate with them.
    asked: FxHashMap<(PredId, usize), Shape>,
    asked_seen: FxHashSet<(PredId, usize)>,
    /// Where predicates are called.
    pub(super) sites: Sites<'p>,
    /// What goals call in their arguments.
    pub(super) inners: &'p Inners,
    /// The predicates that are asked about positions.
    pub(super) questions: FxHashMap<PredId, &'static str>,
    /// What positions look like, as far as it is known.
    pub(super) positions: Shape,
    /// What labels look like, as far as it is known.
    pub(super) labels: Shape,
    /// What terms that are written out look like, by their places.
    written: FxHashMap<Span, Shape>,
    changed: bool,
    /// Nodes that may still be looked at.
    fuel: usize,
}

/// What is known of the terms of a game.
pub(super) struct Known {
    /// Of positions.
    pub(super) positions: Shape,
    /// Of those that play itself comes to.
    pub(super) played: Shape,
    /// What terms that are written out look like, by their places.
    pub(super) written: FxHashMap<Span, Shape>,
    /// Of labels of moves.
    pub(super) labels: Shape,
    /// Of the other answers of game predicates, each with the predicate and the place.
    pub(super) answers: Vec<(PredId, usize, Shape)>,
    /// Where terms that rules make are taken apart.
    pub(super) flows: Vec<Flow>,
    /// Of the answers of helpers.
    pub(super) made: Vec<Shape>,
    /// What answers of `canonical/2` and `symmetry/2` look like, if those are no source of positions.
    pub(super) images: Vec<(PredId, Shape)>,
}

/// The images of positions, and those positions, as if no position came from an image.
pub(super) fn images(program: &Program, contract: &Contract) -> Option<Known> {
    let images: Vec<PredId> = [contract.canonical, contract.symmetry].into_iter().flatten().collect();
    if images.is_empty() {
        return None;
    }
    found(program, &Contract { canonical: None, symmetry: None, ..*contract }, &[], &images)
}

/// What positions and labels of a game look like; `None` where that is not found out. `also` are
/// names of positions that are known from elsewhere.
pub(super) fn of(program: &Program, contract: &Contract, also: &[(Atom, usize)]) -> Option<Known> {
    found(program, contract, also, &[])
}

fn found(program: &Program, contract: &Contract, also: &[(Atom, usize)], images: &[PredId]) -> Option<Known> {
    // What it is given is a text.
    let reads = |pred: &PredId| contract.read_position == Some(*pred);
    let inners = Inners::of(program);
    let mut shapes = Shapes {
        program,
        known: FxHashMap::default(),
        seen: FxHashSet::default(),
        asked: FxHashMap::default(),
        asked_seen: FxHashSet::default(),
        sites: Sites::of(program, &inners),
        inners: &inners,
        questions: contract.questions().into_iter().filter(|(pred, _)| !reads(pred)).collect(),
        positions: Shape::NONE,
        labels: Shape::NONE,
        written: FxHashMap::default(),
        changed: false,
        fuel: FUEL,
    };
    let (mut positions, mut played, mut labels) = (Shape::NONE, Shape::NONE, Shape::NONE);
    let plays = [contract.initial, contract.labelled, contract.moves, contract.pass, contract.chance];
    for (name, arity) in also {
        positions.join(&Shape::Of(vec![Form::Compound(*name, vec![Shape::Any; *arity], Origin::default())]));
    }
    for _ in 0..ROUNDS {
        shapes.seen.clear();
        shapes.asked_seen.clear();
        shapes.changed = false;
        let before = positions.clone();
        shapes.positions.clone_from(&before);
        for (pred, place, part) in sources(contract) {
            let asks = contract.read_position != Some(pred) && contract.sample != Some(pred);
            let found = shapes.answers(pred, place, Some(&before).filter(|_| asks));
            let found = part.of(&found).cut(DEEPEST);
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
            let mut found = Vec::new();
            for (pred, place) in answers(contract) {
                for clause in program.predicate(pred).clauses.iter().take(MOST_CLAUSES) {
                    let shape = shapes.answer((pred, clause), place, Some(&positions)).unwrap_or(Shape::Any);
                    found.push((pred, place, shape));
                }
            }
            let flows = if images.is_empty() { shapes.flows() } else { Vec::new() };
            let images = images.iter().map(|pred| (*pred, shapes.answers(*pred, 1, Some(&positions)).cut(DEEPEST)));
            let images = images.collect();
            let users = |pred: PredId| is_users(program, program.predicate(pred).key.scope);
            let mut made: Vec<_> = shapes.known.into_iter().filter(|((pred, _), _)| users(*pred)).collect();
            made.sort_by_key(|(place, _)| *place);
            let made = made.into_iter().map(|(_, shape)| shape).collect();
            let written = shapes.written;
            return Some(Known { answers: found, written, positions, played, labels, flows, made, images });
        }
    }
    None
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
            match self.answer((pred, clause), place, given) {
                Some(shape) => drop(found.join(&shape)),
                None => return Shape::Any,
            }
        }
        found
    }

    /// The same of one clause; `None` where it has no such argument.
    fn answer(&mut self, (pred, clause): (PredId, &Clause), place: usize, given: Option<&Shape>) -> Option<Shape> {
        let args = clause.tree.args(clause.head);
        let node = *args.get(place)?;
        let given: Vec<_> =
            given.filter(|_| place > 0 && args.len() > 1).map(|shape| (args[0], shape)).into_iter().collect();
        if given.iter().any(|(node, shape)| !shape.may_be(&clause.tree, *node)) {
            // No position comes here.
            return Some(Shape::NONE);
        }
        let of = Some((pred, clause.head));
        let scene = Scene { tree: &clause.tree, goals: vec![&clause.body], given, of };
        Some(self.term(&scene, node, &mut Vec::new()))
    }

    /// The same for any call, looked at once in a round.
    pub(super) fn success(&mut self, pred: PredId, place: usize) -> Shape {
        let key = (pred, place);
        if self.seen.insert(key) {
            self.known.entry(key).or_insert(Shape::NONE);
            let found = stacker::maybe_grow(128 << 10, 4 << 20, || self.answers(pred, place, None)).cut(DEEPEST);
            let known = self.known.get_mut(&key).expect("it was just put there");
            self.changed |= known.join(&found);
        }
        self.known.get(&key).cloned().unwrap_or(Shape::NONE)
    }

    /// What an argument looks like when the rules call a predicate: by all its calls. Anything, if it is
    /// called otherwise as well.
    pub(super) fn asked(&mut self, pred: PredId, place: usize) -> Shape {
        if self.questions.contains_key(&pred) || !self.sites.are_known(pred) {
            return Shape::Any;
        }
        let key = (pred, place);
        if self.asked_seen.insert(key) {
            self.asked.entry(key).or_insert(Shape::NONE);
            let found = stacker::maybe_grow(128 << 10, 4 << 20, || self.called_with(pred, place)).cut(DEEPEST);
            let known = self.asked.get_mut(&key).expect("it was just put there");
            self.changed |= known.join(&found);
        }
        self.asked.get(&key).cloned().unwrap_or(Shape::NONE)
    }

    /// The arguments of a clause that are a position and a label, if its predicate is asked about those.
    pub(super) fn given<'a>(
        &self,
        pred: PredId,
        clause: &Clause,
        (positions, labels): (&'a Shape, &'a Shape),
    ) -> Vec<(NodeId, &'a Shape)> {
        let modes = self.questions.get(&pred).copied().unwrap_or("");
        let known = [(modes.starts_with('+'), positions), (modes.starts_with("++") && *labels != Shape::NONE, labels)];
        let args = clause.tree.args(clause.head).iter().zip(known);
        args.filter(|(_, (takes, _))| *takes).map(|(arg, (_, shape))| (*arg, shape)).collect()
    }

    fn called_with(&mut self, pred: PredId, place: usize) -> Shape {
        let mut found = Shape::NONE;
        let (positions, labels) = (self.positions.clone(), self.labels.clone());
        for site in &*self.sites.calls(pred) {
            let tree = &site.clause.tree;
            let given = self.given(site.caller, site.clause, (&positions, &labels));
            if given.iter().any(|(node, shape)| !shape.may_be(tree, *node)) {
                continue;
            }
            let of = Some((site.caller, site.clause.head));
            let scene = Scene { tree, goals: site.before.clone(), given, of };
            let inside = self.parameters(&scene, &site.within);
            let given = scene.given.iter().copied().chain(inside.iter().map(|(node, shape)| (*node, shape)));
            let scene = Scene { given: given.collect(), goals: site.before.clone(), ..scene };
            let shape = match (site.args.get(place), site.closure) {
                (Some(arg), _) => self.term(&scene, *arg, &mut Vec::new()),
                (None, Some((goal, own))) => self.handed(&scene, goal, (own, place - site.args.len())),
                // Where `phrase/2` ends.
                (None, None) => Shape::Of(vec![Form::List(Shape::NONE)]),
            };
            found.join(&shape);
        }
        found
    }

    /// What a term looks like once the goals of its scene have succeeded; `open` are the variables
    /// that are being looked at.
    pub(super) fn term(&mut self, scene: &Scene<'_>, node: NodeId, open: &mut Vec<u32>) -> Shape {
        let tree = scene.tree;
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            return Shape::Any;
        }
        let form = match tree.kind(node) {
            TermKind::Var(number) => return self.variable(scene, *number, open),
            TermKind::Atom(atoms::NIL) => Form::List(Shape::NONE),
            TermKind::Atom(name) => Form::Name(*name, Origin(vec![tree.span(node)])),
            TermKind::Int(_) | TermKind::Big(_) | TermKind::Float(_) => Form::Number,
            TermKind::Text(_) => Form::Text,
            TermKind::Compound(atoms::DOT, _) => return self.list(scene, node, open),
            TermKind::Compound(name, _) => {
                let args = tree.args(node);
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
                Form::Compound(*name, args.collect(), Origin(vec![tree.span(node)]))
            }
        };
        self.noted(tree, node, form)
    }

    /// Keeps what a term that is written out looks like.
    fn noted(&mut self, tree: &TermTree, node: NodeId, form: Form) -> Shape {
        let shape = Shape::Of(vec![form]);
        if !matches!(tree.kind(node), TermKind::Atom(_) | TermKind::Int(_)) {
            match self.written.entry(tree.span(node)) {
                Entry::Occupied(mut known) => _ = known.get_mut().join(&shape),
                Entry::Vacant(place) => _ = place.insert(shape.clone()),
            }
        }
        shape
    }

    fn list(&mut self, scene: &Scene<'_>, node: NodeId, open: &mut Vec<u32>) -> Shape {
        if let Some(elements) =
            scene.tree.list(node).filter(|elements| elements.len() <= MOST_ELEMENTS && open.len() <= 64)
        {
            let mut row = Vec::new();
            for element in elements {
                open.push(u32::MAX);
                row.push(self.term(scene, element, open));
                open.pop();
            }
            let form = match is_record(&row) {
                true => Form::Row(row, Origin(vec![scene.tree.span(node)])),
                false => {
                    let mut of = Shape::NONE;
                    for element in &row {
                        of.join(element);
                    }
                    Form::List(of)
                }
            };
            return self.noted(scene.tree, node, form);
        }
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
            TermKind::Atom(atoms::NIL) => Shape::NONE,
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
        for (node, shape) in &scene.given {
            if let (Shape::Any, Some(path)) = (&found, self.path_to(scene.tree, *node, number)) {
                found = shape.at(&path);
            }
        }
        if let (Shape::Any, Some((pred, head))) = (&found, scene.of) {
            let path = self.path_to(scene.tree, head, number);
            // What the clause was called with.
            if let Some([(_, place), rest @ ..]) = path.as_deref() {
                found = self.asked(pred, *place).at(rest);
            }
        }
        for goal in &scene.goals {
            if found != Shape::Any {
                break;
            }
            found = self.after(scene, goal, number, open);
        }
        open.pop();
        found
    }

    /// What a goal makes of a variable by succeeding.
    pub(super) fn after(&mut self, scene: &Scene<'_>, goal: &Goal, number: u32, open: &mut Vec<u32>) -> Shape {
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
                let inner = Scene { tree: scene.tree, goals, given: scene.given.clone(), of: scene.of };
                // A variable that is being looked at is not the one of the template.
                let elements = self.term(&inner, *template, open);
                Shape::Of(vec![Form::List(elements)])
            }
            Goal::Call { callee: Callee::User(pred), args, .. } => self.called(scene, *pred, args, number, open),
            Goal::Call { callee: Callee::Native(id), args, .. } => {
                let name = self.program.known.row(*id).name;
                match (name, &args[..]) {
                    ("=", &[left, right]) if is_variable(scene.tree, left, number) => self.term(scene, right, open),
                    ("=", &[left, right]) if is_variable(scene.tree, right, number) => self.term(scene, left, open),
                    ("put_arg", &[_, old, _, new]) | ("put_args", &[old, _, new])
                        if is_variable(scene.tree, new, number) =>
                    {
                        self.term(scene, old, open).hollow()
                    }
                    ("is", &[value, _]) if is_variable(scene.tree, value, number) => Shape::Of(vec![Form::Number]),
                    _ => self.of_library(scene, name, args, number, open),
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
        if !is_users(program, key.scope) {
            let found = self.of_library(scene, key.name.text(), args, number, open);
            if found != Shape::Any {
                return found;
            }
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
    pub(super) fn path_to(&mut self, tree: &TermTree, node: NodeId, number: u32) -> Option<Vec<(Atom, usize)>> {
        let mut stack = vec![(node, Vec::new())];
        while let Some((at, path)) = stack.pop() {
            self.fuel = self.fuel.saturating_sub(1);
            if self.fuel == 0 {
                return None;
            }
            if is_variable(tree, at, number) {
                return Some(path);
            }
            if let (TermKind::Compound(name, _), true) = (tree.kind(at), path.len() < DEEPEST) {
                let below = tree.args(at).iter().enumerate().rev();
                stack.extend(
                    below.map(|(place, arg)| (*arg, path.iter().copied().chain([(*name, place)]).collect::<Vec<_>>())),
                );
            }
        }
        None
    }
}

pub(super) fn is_variable(tree: &TermTree, node: NodeId, number: u32) -> bool {
    matches!(tree.kind(node), TermKind::Var(other) if *other == number)
}

/// The clauses of a predicate, each with one argument of its head.
pub(super) fn heads(program: &Program, pred: PredId, place: usize) -> impl Iterator<Item = (&Clause, NodeId)> {
    let clauses = program.predicate(pred).clauses.iter();
    clauses.filter_map(move |clause| Some((clause, *clause.tree.args(clause.head).get(place)?)))
}
