//! Computes the shapes that calls give to variables and to the closures that they call.
//!
//! The input is a goal and the shapes of its arguments. The result is the shape of a variable after the
//! goal, or of an argument of its closure. This file is a part of `shapes`; `library` has the types.

use crate::rules::heads::{self, is_variable};
use crate::rules::inner::CalledArgument;
use crate::rules::library::{Arg, FlowDirection, Row, Type, holds, library_name, looked_for, rows};
use crate::rules::shape::{Form, Origin, Shape};
use crate::rules::shapes::{DEEPEST, MOST_OPEN, Shapes};
use crate::rules::sites::EnclosingLambda;
use crate::rules::term_context::TermContext;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Domain, Goal, PredId, Program};
use alphorn_text::symbol::{Atom, atoms};

/// The greatest number of elements for which a closure is followed, until its shape is stable.
const PASSES: usize = 4;

/// A helper with more clauses does not only pass on its arguments.
const MOST_PASSING: usize = 8;

/// A goal of the library with one of its type rows.
struct TypedGoal<'s, 'a> {
    scene: &'s TermContext<'a>,
    row: &'s Row,
    args: &'s [NodeId],
    /// The shapes of the arguments that are inputs, and `Any` for the others.
    shapes: Vec<Shape>,
    /// Type variables of the row with known shapes.
    told: Vec<(u32, Shape)>,
}

impl Shapes<'_> {
    /// The shape of an argument that every clause of a helper passes on from another argument of the
    /// same call, such as `sides(max, A, B, A, B). sides(min, A, B, B, A).`
    fn passed(
        &mut self,
        scene: &TermContext<'_>,
        pred: PredId,
        (place, args): (usize, &[NodeId]),
        open: &mut Vec<u32>,
    ) -> Shape {
        let clauses = &self.program.predicate(pred).clauses;
        if clauses.is_empty() || clauses.len() > MOST_PASSING {
            return Shape::Any;
        }
        let mut found = Shape::NONE;
        for clause in clauses {
            let heads = clause.tree.args(clause.head);
            let TermKind::Var(own) = clause.tree.kind(heads[place]) else { return Shape::Any };
            let others = (0..heads.len()).filter(|other| *other != place);
            let same: Vec<usize> = others.filter(|other| is_variable(&clause.tree, heads[*other], *own)).collect();
            let shapes = same.into_iter().map(|other| self.term(scene, args[other], open));
            match shapes.filter(|shape| *shape != Shape::Any).last() {
                Some(shape) => _ = found.join(&shape),
                None => return Shape::Any,
            }
        }
        found
    }

    /// The shape of a variable after a call of a predicate of the program.
    pub(super) fn called(
        &mut self,
        scene: &TermContext<'_>,
        pred: PredId,
        args: &[NodeId],
        number: u32,
        open: &mut Vec<u32>,
    ) -> Shape {
        let program = self.program;
        let key = program.predicate(pred).key;
        if let ("param", &[name, value]) = (key.name.text(), args) {
            let is_number = is_variable(scene.tree, value, number) && has_numbers(program, scene.tree, name);
            return if is_number { Shape::of(vec![Form::Number]) } else { Shape::Any };
        }
        if !program.is_users(key.scope) {
            let found = self.of_library(scene, key.name.text(), args, number, open);
            if found != Shape::Any {
                return found;
            }
        }
        for (place, arg) in args.iter().enumerate() {
            if let Some(path) = self.path_to(scene.tree, *arg, number) {
                let mut found = self.success(pred, place).at(&path);
                if found == Shape::Any {
                    found = self.passed(scene, pred, (place, args), open).at(&path);
                }
                if found != Shape::Any {
                    return found;
                }
            }
        }
        Shape::Any
    }

    /// The shape of a variable after a goal of the library.
    pub(super) fn of_library(
        &mut self,
        scene: &TermContext<'_>,
        name: &str,
        args: &[NodeId],
        number: u32,
        open: &mut Vec<u32>,
    ) -> Shape {
        if let Some(found) = self.of_goal(scene, name, args, number, open) {
            return found;
        }
        if let ("format", &[target, _, _]) = (name, args)
            && let (Some((kind, 1)), &[text]) = (scene.tree.functor(target), scene.tree.args(target))
            && is_variable(scene.tree, text, number)
        {
            return match kind.text() {
                "atom" => Shape::of(vec![Form::Atom]),
                "string" => Shape::of(vec![Form::Text]),
                _ => Shape::Any,
            };
        }
        for row in rows(name, args.len()) {
            for (place, arg) in row.iter().enumerate().filter(|(_, arg)| arg.mode == FlowDirection::To) {
                let Some(path) = self.path_to(scene.tree, args[place], number) else { continue };
                let holder = looked_for(row).find(|(element, _)| *element == place).map(|(_, list)| list);
                let found = match holder.filter(|list| matches!(row[*list].of, Type::List(_))) {
                    // Of a record with keys, take the part with the wanted key.
                    Some(list) => {
                        let lists = self.term(scene, args[list], open);
                        let wanted = self.term(&scene.before(args), args[place], open);
                        lists.elements_like(&wanted)
                    }
                    None => {
                        let asked = self.asked_row(scene, row, args, open);
                        self.instance(&asked, &arg.of, open)
                    }
                };
                let found = found.at(&path);
                if found != Shape::Any {
                    return found;
                }
            }
        }
        Shape::Any
    }

    fn asked_row<'s, 'a>(
        &mut self,
        scene: &'s TermContext<'a>,
        row: &'s Row,
        args: &'s [NodeId],
        open: &mut Vec<u32>,
    ) -> TypedGoal<'s, 'a> {
        let mut shapes = Vec::new();
        for (arg, node) in row.iter().zip(args) {
            let comes = arg.mode == FlowDirection::From && !matches!(arg.of, Type::Any | Type::Closure(_));
            shapes.push(if comes { self.term(scene, *node, open) } else { Shape::Any });
        }
        TypedGoal { scene, row, args, shapes, told: Vec::new() }
    }

    /// The shape of a variable after a goal that calls other goals; `None` for any other goal.
    fn of_goal(
        &mut self,
        scene: &TermContext<'_>,
        name: &str,
        args: &[NodeId],
        number: u32,
        open: &mut Vec<u32>,
    ) -> Option<Shape> {
        let inners = self.inners;
        let tree = scene.tree;
        let goal = |place: usize| match inners.get(tree, *args.get(place)?) {
            Some(CalledArgument::Goal(goal)) => Some(goal),
            _ => None,
        };
        match (name, args) {
            ("call" | "phrase", _) => Some(self.after(scene, goal(0)?, number, open)),
            ("catch", _) => {
                let mut found = self.after(scene, goal(0)?, number, open);
                found.join(&goal(2).map_or(Shape::Any, |goal| self.after(scene, goal, number, open)));
                Some(found)
            }
            ("bagof" | "setof", [template, _, list]) => {
                if !is_variable(tree, *list, number) {
                    return Some(self.after(scene, goal(1)?, number, open));
                }
                Some(Shape::of(vec![Form::List(self.listed(scene, *template, goal(1)?, open))]))
            }
            ("aggregate_all", [spec, _, result]) => {
                let path = self.path_to(tree, *result, number)?;
                let number = Shape::of(vec![Form::Number]);
                let (name, parts) = match tree.kind(*spec) {
                    TermKind::Atom(name) => (*name, &[][..]),
                    TermKind::Compound(name, _) => (*name, tree.args(*spec)),
                    _ => return None,
                };
                let found = match (name.text(), parts) {
                    ("count", _) | ("sum", [_]) | ("max" | "min", [_]) => number,
                    ("bag" | "set", [template]) => {
                        Shape::of(vec![Form::List(self.listed(scene, *template, goal(1)?, open))])
                    }
                    ("max" | "min", [_, witness]) => {
                        let witness = self.listed(scene, *witness, goal(1)?, open);
                        Shape::of(vec![Form::Compound(name, vec![number, witness], Origin::default())])
                    }
                    _ => return None,
                };
                Some(found.at(&path))
            }
            _ => None,
        }
    }

    /// The shape of a template after its goal.
    pub(super) fn listed(&mut self, scene: &TermContext<'_>, template: NodeId, goal: &Goal, open: &[u32]) -> Shape {
        // A variable that is being computed outside of the goal is not the one of the template.
        let own = scene.tree.variables_of(template);
        // So a template with the variable of its own list would have no end.
        if open.len() > MOST_OPEN {
            return Shape::Any;
        }
        let known = open.iter().copied().map(|number| if own.contains(&number) { u32::MAX } else { number });
        let mut inside = scene.within(&[goal]);
        // The list may have the name of a variable of the template.
        inside.goals.retain(|other| !lists(other, template));
        self.term(&inside, template, &mut known.collect())
    }

    /// The shape of a type in a goal.
    fn instance(&mut self, asked: &TypedGoal<'_, '_>, of: &Type, open: &mut Vec<u32>) -> Shape {
        match of {
            Type::Any | Type::Closure(_) => Shape::Any,
            Type::None => Shape::NONE,
            Type::Number => Shape::of(vec![Form::Number]),
            Type::Atom => Shape::of(vec![Form::Atom]),
            Type::List(of) => match self.instance(asked, of, open) {
                Shape::Any => Shape::Any,
                elements => Shape::of(vec![Form::List(elements)]),
            },
            Type::Tree(of) => Shape::of(vec![Form::Tree(self.instance(asked, of, open))]),
            Type::Pair(key, value) => {
                let parts = [key, value].map(|part| self.instance(asked, part, open));
                if parts.contains(&Shape::NONE) {
                    return Shape::NONE;
                }
                Shape::of(vec![Form::Compound(atoms::MINUS, parts.to_vec(), Origin::default())])
            }
            Type::Var(wanted) => {
                if let Some((_, shape)) = asked.told.iter().find(|(own, _)| own == wanted) {
                    return shape.clone();
                }
                let (mut found, mut comes) = (self.taken_in(asked, *wanted), false);
                for (place, arg) in asked.row.iter().enumerate() {
                    comes |= arg.mode == FlowDirection::From && holds(&arg.of, *wanted);
                    let Type::Closure(parts) = &arg.of else { continue };
                    let gives = |(_, part): &(usize, &Arg)| part.mode == FlowDirection::To && holds(&part.of, *wanted);
                    for (at, part) in parts.iter().enumerate().filter(gives) {
                        comes = true;
                        let given = self.closure_output(asked, (place, at), open);
                        found.join(&part_of(&part.of, &given, *wanted));
                    }
                }
                if comes { found } else { Shape::Any }
            }
        }
    }

    /// The shape that the arguments of the goal give to a type variable.
    fn taken_in(&mut self, asked: &TypedGoal<'_, '_>, wanted: u32) -> Shape {
        let mut found = Shape::NONE;
        for (arg, shape) in asked.row.iter().zip(&asked.shapes) {
            if arg.mode == FlowDirection::From && holds(&arg.of, wanted) {
                found.join(&part_of(&arg.of, shape, wanted));
            }
        }
        found
    }

    /// The shape of one of the arguments that the library adds to a closure, after its call.
    fn closure_output(&mut self, asked: &TypedGoal<'_, '_>, (place, at): (usize, usize), open: &mut Vec<u32>) -> Shape {
        let Type::Closure(parts) = &asked.row[place].of else { return Shape::Any };
        let Some(node) = asked.args.get(place) else { return Shape::Any };
        let inners = self.inners;
        let Some(inner) = inners.get(asked.scene.tree, *node) else { return Shape::Any };
        let mut told: Vec<(u32, Shape)> = Vec::new();
        for part in parts.iter().filter(|part| part.mode == FlowDirection::From) {
            if let Type::Var(own) = part.of {
                told.push((own, self.taken_in(asked, own)));
            }
        }
        for _ in 0..PASSES {
            let TypedGoal { scene, row, args, .. } = *asked;
            let again = TypedGoal { scene, row, args, shapes: asked.shapes.clone(), told: told.clone() };
            let found = match inner {
                CalledArgument::Named(callee, own) => self.named(&again, parts, (*callee, own), at, open),
                CalledArgument::Lambda(params, body) => self.lambda_output(&again, parts, (params, body), at, open),
                CalledArgument::Goal(_) => Shape::Any,
            };
            // The closure receives its result again with the next element.
            let Type::Var(own) = parts[at].of else { return found };
            let Some((_, known)) = told.iter_mut().find(|(other, _)| *other == own) else { return found };
            if !known.join(&found) {
                return known.clone();
            }
        }
        Shape::Any
    }

    /// The shape of a parameter of a lambda expression after its body.
    fn lambda_output(
        &mut self,
        asked: &TypedGoal<'_, '_>,
        parts: &[Arg],
        (params, body): (&[NodeId], &Goal),
        at: usize,
        open: &mut Vec<u32>,
    ) -> Shape {
        if open.len() > MOST_OPEN {
            return Shape::Any;
        }
        let mut shapes = Vec::new();
        for (node, part) in params.iter().zip(parts).filter(|(_, part)| part.mode == FlowDirection::From) {
            shapes.push((*node, self.instance(asked, &part.of, open)));
        }
        let inside = asked.scene.within(&[body]);
        let scene = inside.with(&shapes);
        self.term(&scene, params[at], open)
    }

    /// The shape of an argument that the library adds to a named predicate, after its call.
    fn named(
        &mut self,
        asked: &TypedGoal<'_, '_>,
        parts: &[Arg],
        (callee, own): (Callee, &[NodeId]),
        at: usize,
        open: &mut Vec<u32>,
    ) -> Shape {
        let name = library_name(self.program, &callee);
        let arity = own.len() + parts.len();
        for row in rows(name, arity) {
            if row[own.len() + at].mode != FlowDirection::To {
                continue;
            }
            let mut shapes = Vec::new();
            for (place, arg) in row.iter().enumerate() {
                shapes.push(match (arg.mode, own.get(place)) {
                    (FlowDirection::From, Some(node)) => self.term(asked.scene, *node, open),
                    (FlowDirection::From, None) if parts[place - own.len()].mode == FlowDirection::From => {
                        self.instance(asked, &parts[place - own.len()].of, open)
                    }
                    _ => Shape::Any,
                });
            }
            let inside = TypedGoal { scene: asked.scene, row, args: &[], shapes, told: Vec::new() };
            let found = self.instance(&inside, &row[own.len() + at].of, open);
            if found != Shape::Any {
                return found;
            }
        }
        match callee {
            Callee::User(pred) if name.is_empty() => self.success(pred, own.len() + at),
            _ => Shape::Any,
        }
    }

    /// The shapes of the parameters of nested lambda expressions, outermost first.
    pub(super) fn parameters(
        &mut self,
        scene: &TermContext<'_>,
        within: &[EnclosingLambda<'_>],
    ) -> Vec<(NodeId, Shape)> {
        let mut found: Vec<(NodeId, Shape)> = Vec::new();
        for lambda in within {
            let scene = scene.with(&found);
            let shapes = (0..lambda.params.len()).map(|at| self.closure_input(&scene, lambda.goal, (lambda.place, at)));
            let shapes: Vec<Shape> = shapes.collect();
            found.extend(lambda.params.iter().copied().zip(shapes).filter(|(_, shape)| *shape != Shape::Any));
        }
        found
    }

    /// The shape that a goal of the library gives to one of the arguments that it adds to its closure.
    pub(super) fn closure_input(&mut self, scene: &TermContext<'_>, goal: &Goal, (place, at): (usize, usize)) -> Shape {
        let Goal::Call { callee, args, .. } = goal else { return Shape::Any };
        let name = library_name(self.program, callee);
        for row in rows(name, args.len()) {
            let Type::Closure(parts) = &row[place].of else { continue };
            let Some(part) = parts.get(at).filter(|part| part.mode == FlowDirection::From) else { continue };
            let open = &mut Vec::new();
            let asked = self.asked_row(scene, row, args, open);
            let found = self.instance(&asked, &part.of, open);
            if found != Shape::Any {
                return found;
            }
        }
        Shape::Any
    }

    /// The path to the first place of a variable in a term.
    pub(super) fn path_to(&mut self, tree: &TermTree, node: NodeId, number: u32) -> Option<Vec<(Atom, usize)>> {
        if !tree.may_hold(node, number) {
            return None;
        }
        let (path, visited) = heads::path_to(tree, node, number, DEEPEST);
        self.fuel = self.fuel.saturating_sub(visited);
        path.filter(|_| self.fuel > 0)
    }
}

/// Whether a goal collects the instances of a template.
fn lists(goal: &Goal, wanted: NodeId) -> bool {
    match goal {
        Goal::Findall { template, .. } => *template == wanted,
        Goal::Call { callee: Callee::Native(_), args, .. } => args.first() == Some(&wanted),
        _ => false,
    }
}

/// The part of a shape of type `of` that the type variable `wanted` stands for.
pub(super) fn part_of(of: &Type, shape: &Shape, wanted: u32) -> Shape {
    match of {
        Type::Var(own) if *own == wanted => shape.clone(),
        Type::List(of) | Type::Tree(of) => part_of(of, &shape.elements(), wanted),
        Type::Pair(key, value) => {
            let (part, place) = if holds(key, wanted) { (key, 0) } else { (value, 1) };
            part_of(part, &shape.at(&[(atoms::MINUS, place)]), wanted)
        }
        _ => Shape::Any,
    }
}

/// Whether a term is the name of a parameter whose values are all numbers.
fn has_numbers(program: &Program, tree: &TermTree, name: NodeId) -> bool {
    let TermKind::Atom(name) = tree.kind(name) else { return false };
    let own = program.params.iter().find(|param| param.name == *name);
    own.is_some_and(|param| match &param.domain {
        Domain::Range(..) => true,
        Domain::OneOf(values) => values.iter().all(|value| value.parse::<i64>().is_ok()),
    })
}
