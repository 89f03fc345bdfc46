//! Computes the shapes of the terms that predicates answer with: their functors, to a limited depth.
//!
//! The input is the text of a program. The result contains too much rather than too little, and
//! [`Shape::Any`] where the text does not tell. The method is an abstract interpretation over heads
//! and bodies, with terms cut at a depth: Maurice Bruynooghe, "A practical framework for the abstract
//! interpretation of logic programs", 1991. Nothing is run. `held` has the rules for goals
//! of the library; `game_shapes` runs the analysis.

use crate::rules::equations::{Solutions, Unknown};
use crate::rules::heads::is_variable;
use crate::rules::inner::Inners;
use crate::rules::library::library_name;
use crate::rules::shape::{Form, Origin, Shape, is_record};
use crate::rules::sites::Sites;
use crate::rules::sources::Source;
use crate::rules::taker::Taker;
use crate::rules::term_context::{TermContext, given};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Parts of a term below this depth may be anything.
pub(super) const DEEPEST: usize = 6;

/// The greatest number of terms and variables within each other that are being computed.
pub(super) const MOST_OPEN: usize = 64;

/// A list in the text with more elements is not a record.
const MOST_ELEMENTS: usize = 6;

/// The greatest number of term nodes to visit before the analysis gives up.
const FUEL: usize = 2_000_000;

/// The greatest number of rounds of one cycle before the analysis gives up.
const MOST_ROUNDS: usize = 24;

/// A predicate with more clauses is a table that was not written by hand.
pub(super) const MOST_CLAUSES: usize = 1_000;

/// The state of the analysis of one program.
pub(super) struct Shapes<'p> {
    pub(super) program: &'p Program,
    /// The shapes that are known so far.
    pub(super) solutions: Solutions,
    /// The calls of each predicate.
    pub(super) sites: Sites<'p>,
    /// The goals in arguments of goals.
    pub(super) inners: &'p Inners,
    /// The game predicates and their modes.
    pub(super) questions: FxHashMap<PredId, &'static str>,
    /// The answers that contain positions.
    pub(super) sources: Vec<Source>,
    /// The predicate that gives labels.
    pub(super) labelled: Option<PredId>,
    /// The shape of the positions that play reaches, as far as it is known.
    pub(super) played: Shape,
    /// The shapes that helpers take as arguments, as far as they are known.
    pub(super) taken: FxHashMap<(PredId, usize), (Taker, Shape)>,
    /// The shapes of the terms in the text, by their places.
    pub(super) written: FxHashMap<Span, Shape>,
    /// The shapes of the elements that lists in the text begin with, by their places.
    pub(super) put: FxHashMap<Span, Shape>,
    /// The number of nodes that may still be visited.
    pub(super) fuel: usize,
}

impl<'p> Shapes<'p> {
    /// An analysis that knows no shape yet. `questions` has the game predicates and their modes, and `sources` the
    /// answers that contain positions.
    pub(super) fn new(
        program: &'p Program,
        inners: &'p Inners,
        questions: FxHashMap<PredId, &'static str>,
        (sources, labelled): (Vec<Source>, Option<PredId>),
    ) -> Shapes<'p> {
        Shapes {
            program,
            solutions: Solutions::default(),
            sites: Sites::of(program, inners),
            inners,
            questions,
            sources,
            labelled,
            played: Shape::NONE,
            taken: FxHashMap::default(),
            written: FxHashMap::default(),
            put: FxHashMap::default(),
            fuel: FUEL,
        }
    }

    /// The shape of an unknown. Within its own equation, that is the shape known so far. An equation is computed when the
    /// unknown is first read, after Baudouin Le Charlier and Pascal Van Hentenryck, "A universal top-down fixpoint
    /// algorithm", 1992. The equations of a cycle are computed in rounds, which the outermost of them repeats.
    pub(super) fn value(&mut self, unknown: Unknown) -> Shape {
        if self.solutions.is_due(unknown) {
            for round in 0.. {
                self.solutions.begin(unknown);
                stacker::maybe_grow(128 << 10, 4 << 20, || self.compute(unknown));
                if !self.solutions.end() || self.fuel == 0 {
                    break;
                }
                if round == MOST_ROUNDS {
                    self.fuel = 0;
                }
            }
        }
        self.solutions.read(unknown)
    }

    /// Computes the equation of an unknown, unless it has been computed with the shapes that it reads now.
    fn compute(&mut self, unknown: Unknown) {
        if let Some(inputs) = self.solutions.inputs(unknown) {
            inputs.into_iter().for_each(|input| _ = self.value(input));
            if self.solutions.is_current(unknown) {
                return;
            }
        }
        let found = self.equation(unknown).cut(DEEPEST);
        self.solutions.found(&found);
    }

    /// What the program says of an unknown.
    pub(super) fn equation(&mut self, unknown: Unknown) -> Shape {
        match unknown {
            Unknown::Answer(pred, place) => self.answers(pred, place, None),
            Unknown::Asked(pred, place) => self.called_with(pred, place),
            Unknown::Labels => {
                let positions = self.value(Unknown::Positions);
                // Without labels, a move is the next position.
                self.labelled.map_or(positions.clone(), |pred| self.answers(pred, 1, Some(&positions)))
            }
            Unknown::Positions => {
                let before = self.value(Unknown::Positions);
                let mut positions = Shape::NONE;
                for number in 0..self.sources.len() {
                    let Source { pred, place, part, asks, plays, is_followed } = self.sources[number];
                    let found = part.of(&self.answers(pred, place, Some(&before).filter(|_| asks))).cut(DEEPEST);
                    if is_followed {
                        positions.join(&found);
                        plays.then(|| self.played.join(&found));
                    }
                }
                positions
            }
        }
    }

    /// The shape of an argument after a predicate has succeeded. `given` is the shape of its first
    /// argument, if that is a position.
    pub(super) fn answers(&mut self, pred: PredId, place: usize, given: Option<&Shape>) -> Shape {
        let program = self.program;
        let clauses = &program.predicate(pred).clauses;
        // A parameter may be changed from outside.
        if clauses.is_empty() || clauses.len() > MOST_CLAUSES || program.predicate(pred).key.name.text() == "param" {
            return Shape::Any;
        }
        let mut found = Shape::NONE;
        for clause in clauses {
            if given.is_none() && !self.is_called(pred, clause) {
                continue;
            }
            match self.answer((pred, clause), place, given) {
                Some(shape) => drop(found.join(&shape)),
                None => return Shape::Any,
            }
        }
        found
    }

    /// Whether a call may match the head of a clause, if all calls of its predicate are known.
    fn is_called(&mut self, pred: PredId, clause: &Clause) -> bool {
        let args = clause.tree.args(clause.head);
        let is_open = |arg: &NodeId| matches!(clause.tree.kind(*arg), TermKind::Var(_));
        args.iter().enumerate().all(|(place, arg)| is_open(arg) || self.asked(pred, place).may_be(&clause.tree, *arg))
    }

    /// The shape of an argument after one clause has succeeded; `None` if there is no such argument.
    pub(super) fn answer(
        &mut self,
        (pred, clause): (PredId, &Clause),
        place: usize,
        given: Option<&Shape>,
    ) -> Option<Shape> {
        let args = clause.tree.args(clause.head);
        let node = *args.get(place)?;
        let given: Vec<_> =
            given.filter(|_| place > 0 && args.len() > 1).map(|shape| (args[0], shape)).into_iter().collect();
        if given.iter().any(|(node, shape)| !shape.may_be(&clause.tree, *node)) {
            // No position matches this head.
            return Some(Shape::NONE);
        }
        let of = Some((pred, clause.head));
        let scene = TermContext::new(&clause.tree, vec![&clause.body], given, of);
        Some(self.term(&scene, node, &mut Vec::new()))
    }

    /// The shape of an argument after any call has succeeded.
    pub(super) fn success(&mut self, pred: PredId, place: usize) -> Shape {
        self.value(Unknown::Answer(pred, place))
    }

    /// The shape of an argument in the calls of a predicate; `Any` if not all of its calls are
    /// known.
    pub(super) fn asked(&mut self, pred: PredId, place: usize) -> Shape {
        if self.questions.contains_key(&pred) || !self.sites.are_known(pred) {
            return Shape::Any;
        }
        self.value(Unknown::Asked(pred, place))
    }

    /// The first arguments of a predicate that the game calls: a position and a label.
    pub(super) fn inputs(&mut self, pred: PredId) -> Vec<Shape> {
        let modes = self.questions.get(&pred).copied().unwrap_or("");
        let mut found = Vec::new();
        if modes.starts_with('+') {
            found.push(self.value(Unknown::Positions));
        }
        if modes.starts_with("++") {
            found.push(self.value(Unknown::Labels));
            // Without labels, nothing is known of the second argument.
            found.pop_if(|labels| *labels == Shape::NONE);
        }
        found
    }

    fn called_with(&mut self, pred: PredId, place: usize) -> Shape {
        let mut found = Shape::NONE;
        for site in &*self.sites.calls(pred) {
            let tree = &site.clause.tree;
            let inputs = self.inputs(site.caller);
            let given = given(site.clause, &inputs);
            if given.iter().any(|(node, shape)| !shape.may_be(tree, *node)) {
                continue;
            }
            let of = Some((site.caller, site.clause.head));
            let scene = TermContext::new(tree, site.before.clone(), given, of);
            let inside = self.parameters(&scene, &site.within);
            let scene = scene.with(&inside);
            let shape = match (site.args.get(place), site.closure) {
                (Some(arg), _) => self.term(&scene, *arg, &mut Vec::new()),
                (None, Some((goal, own))) => self.closure_input(&scene, goal, (own, place - site.args.len())),
                // `phrase/2` adds the empty rest of its list.
                (None, None) => Shape::of(vec![Form::List(Shape::NONE)]),
            };
            found.join(&shape);
        }
        found
    }

    /// The shape of a term after the goals of its scene. `open` contains the variables that are
    /// being computed.
    pub(super) fn term(&mut self, scene: &TermContext<'_>, node: NodeId, open: &mut Vec<u32>) -> Shape {
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
                // The depth is limited here, because a text may nest terms without a limit.
                let deep = open.len() > MOST_OPEN;
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
        self.noted(tree, node, form, open)
    }

    /// Stores the shape of a term in the text, unless a variable in it is being computed.
    fn noted(&mut self, tree: &TermTree, node: NodeId, form: Form, open: &[u32]) -> Shape {
        let shape = Shape::of(vec![form]);
        let is_open = || open.iter().any(|number| *number != u32::MAX && tree.holds_variable(node, *number));
        if !matches!(tree.kind(node), TermKind::Atom(_) | TermKind::Int(_)) && !is_open() {
            match self.written.entry(tree.span(node)) {
                Entry::Occupied(mut known) => _ = known.get_mut().join(&shape),
                Entry::Vacant(place) => _ = place.insert(shape.clone()),
            }
        }
        shape
    }

    fn list(&mut self, scene: &TermContext<'_>, node: NodeId, open: &mut Vec<u32>) -> Shape {
        if let Some(elements) =
            scene.tree.list(node).filter(|elements| elements.len() <= MOST_ELEMENTS && open.len() <= MOST_OPEN)
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
            return self.noted(scene.tree, node, form, open);
        }
        let mut elements = Shape::NONE;
        let mut rest = node;
        while let Some((head, tail)) = scene.tree.binary(rest, atoms::DOT) {
            if open.len() > MOST_OPEN {
                return Shape::Any;
            }
            open.push(u32::MAX);
            let element = self.term(scene, head, open);
            open.pop();
            self.put.entry(scene.tree.span(head)).or_insert(Shape::NONE).join(&element);
            elements.join(&element);
            rest = tail;
        }
        let tail = match scene.tree.kind(rest) {
            TermKind::Atom(atoms::NIL) => Shape::NONE,
            TermKind::Atom(_) | TermKind::Int(_) | TermKind::Float(_) | TermKind::Text(_) => return Shape::Any,
            _ => self.term(scene, rest, open).elements(),
        };
        elements.join(&tail);
        Shape::of(vec![Form::List(elements)])
    }

    fn variable(&mut self, scene: &TermContext<'_>, number: u32, open: &mut Vec<u32>) -> Shape {
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
            // The shape with which the clause is called.
            if let Some([(_, place), rest @ ..]) = path.as_deref() {
                found = self.asked(pred, *place).at(rest);
            }
        }
        if found != Shape::Any {
            // A call may pass what no goal of the clause takes.
            for goal in &scene.goals {
                found.retain(&self.after(scene, goal, number, open));
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

    /// Whether a goal may tell something about a variable: it contains the variable, or never succeeds.
    pub(super) fn may_tell(&self, tree: &TermTree, goal: &Goal, number: u32) -> bool {
        match goal {
            Goal::Conj(goals) => goals.iter().any(|goal| self.may_tell(tree, goal, number)),
            Goal::Or(left, right) => [left, right].into_iter().any(|goal| self.may_tell(tree, goal, number)),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                [condition, then, other].into_iter().any(|goal| self.may_tell(tree, goal, number))
            }
            Goal::Scope(inner) => self.may_tell(tree, inner, number),
            Goal::Fail => true,
            Goal::Findall { list, tail: None, .. } => is_variable(tree, *list, number),
            Goal::Call { callee, args, .. } => {
                // These call a goal, which may never succeed.
                let calls =
                    || matches!(library_name(self.program, callee), "call" | "phrase" | "catch" | "bagof" | "setof");
                args.iter().any(|arg| tree.holds_variable(*arg, number)) || calls()
            }
            Goal::True | Goal::Cut | Goal::Not(_) | Goal::Findall { .. } | Goal::Meta(..) => false,
        }
    }

    /// The shape of a variable after a goal has succeeded.
    pub(super) fn after(&mut self, scene: &TermContext<'_>, goal: &Goal, number: u32, open: &mut Vec<u32>) -> Shape {
        if !self.may_tell(scene.tree, goal, number) {
            return Shape::Any;
        }
        match goal {
            Goal::Conj(goals) => goals
                .iter()
                .map(|goal| self.after(scene, goal, number, open))
                .find(|found| *found != Shape::Any)
                .unwrap_or(Shape::Any),
            Goal::Or(left, right) => {
                let mut found = self.after(&scene.within(&[left]), left, number, open);
                found.join(&self.after(&scene.within(&[right]), right, number, open));
                found
            }
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                let mut found = self.after(scene, condition, number, open);
                if found == Shape::Any {
                    found = self.after(&scene.within(&[condition, then]), then, number, open);
                }
                found.join(&self.after(&scene.within(&[other]), other, number, open));
                found
            }
            Goal::Scope(inner) => self.after(scene, inner, number, open),
            Goal::Fail => Shape::NONE,
            Goal::Findall { template, goal, list, tail: None, .. } if is_variable(scene.tree, *list, number) => {
                let elements = self.listed(scene, *template, goal, open);
                Shape::of(vec![Form::List(elements)])
            }
            Goal::Call { args, .. } if scene.without.iter().any(|own| std::ptr::eq(*own, &args[..])) => Shape::Any,
            Goal::Call { callee: Callee::User(pred), args, .. } => self.called(scene, *pred, args, number, open),
            Goal::Call { callee: Callee::Native(id), args, .. } => {
                let name = self.program.known.row(*id).name;
                match (name, &args[..]) {
                    ("=", &[left, right]) => {
                        let sides = [(left, right), (right, left)].into_iter();
                        sides.fold(Shape::Any, |found, (own, other)| match self.path_to(scene.tree, own, number) {
                            Some(path) if found == Shape::Any => self.term(scene, other, open).at(&path),
                            _ => found,
                        })
                    }
                    ("put_arg", &[_, old, _, new]) | ("put_args", &[old, _, new])
                        if is_variable(scene.tree, new, number) =>
                    {
                        self.term(scene, old, open).hollow()
                    }
                    ("is", &[value, _]) if is_variable(scene.tree, value, number) => Shape::of(vec![Form::Number]),
                    _ => self.of_library(scene, name, args, number, open),
                }
            }
            Goal::Call { .. } | Goal::True | Goal::Cut | Goal::Not(_) | Goal::Findall { .. } | Goal::Meta(..) => {
                Shape::Any
            }
        }
    }
}
