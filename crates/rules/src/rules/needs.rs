//! Finds what the clauses of a program need their arguments to be, through the helpers that they call.
//!
//! The input is an argument of a head. The result is its shape as it is written, and as the goals of
//! the body take it apart: the elements of its lists too. Nothing is run. `turned` uses this module.

use crate::rules::heads::path_to;
use crate::rules::inner::{CalledArgument, Inners};
use crate::rules::library::{FlowDirection, Row, Type, looked_for, rows};
use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::symbol::atoms;
use std::cell::Cell;

/// A predicate with more clauses is a table.
const MOST_CLAUSES: usize = 100;

/// The depth to which terms and helpers are followed.
const DEEPEST: usize = 16;

/// A variable at a longer path inside of an argument is not followed.
const DEEPEST_PATH: usize = 3;

/// The greatest number of terms and goals to visit for one argument.
const FUEL: usize = 20_000;

/// What the arguments of a program are needed for.
pub(super) struct Needs<'p> {
    program: &'p Program,
    inners: &'p Inners,
    fuel: Cell<usize>,
}

/// A goal and the tree that contains it.
#[derive(Clone, Copy)]
struct Body<'a> {
    tree: &'a TermTree,
    goal: &'a Goal,
    /// The body of the clause or of the lambda expression: all that takes a variable.
    whole: &'a Goal,
    depth: usize,
}

impl<'a> Body<'a> {
    fn at(self, goal: &'a Goal) -> Body<'a> {
        Body { goal, ..self }
    }
}

impl<'p> Needs<'p> {
    /// The needs of a program. Finding them is lazy.
    pub(super) fn new(program: &'p Program, inners: &'p Inners) -> Needs<'p> {
        Needs { program, inners, fuel: Cell::new(0) }
    }

    /// The shape that an argument of a head takes.
    pub(super) fn of_head(&self, clause: &Clause, node: NodeId) -> Shape {
        self.fuel.set(FUEL);
        self.node(Body { tree: &clause.tree, goal: &clause.body, whole: &clause.body, depth: DEEPEST }, node)
    }

    /// The shape that all clauses of a predicate take as an argument.
    pub(super) fn of_argument(&self, pred: PredId, place: usize) -> Shape {
        self.fuel.set(FUEL);
        self.argument(pred, place, DEEPEST)
    }

    /// Whether no more may be visited.
    fn is_spent(&self, depth: usize) -> bool {
        self.fuel.set(self.fuel.get().saturating_sub(1));
        depth == 0 || self.fuel.get() == 0
    }

    fn node(&self, body: Body<'_>, node: NodeId) -> Shape {
        let tree = body.tree;
        if self.is_spent(body.depth) {
            return Shape::Any;
        }
        let below = Body { depth: body.depth - 1, ..body };
        match tree.kind(node) {
            TermKind::Var(number) => self.variable(below.at(body.whole), *number).unwrap_or(Shape::Any),
            TermKind::Compound(atoms::DOT, _) => match tree.list(node) {
                Some(elements) => {
                    let elements = elements.into_iter().map(|element| self.node(below, element));
                    Shape::of(vec![Form::Row(elements.collect(), Default::default())])
                }
                None => {
                    let (mut of, mut rest) = (Shape::NONE, node);
                    while let Some((head, tail)) = tree.binary(rest, atoms::DOT) {
                        of.join(&self.node(below, head));
                        rest = tail;
                    }
                    Shape::of(vec![Form::List(of)])
                }
            },
            TermKind::Compound(name, _) => {
                let args = tree.args(node).iter().map(|arg| self.node(below, *arg)).collect();
                Shape::of(vec![Form::Compound(*name, args, Default::default())])
            }
            _ => Shape::of_text(tree, node, 1),
        }
    }

    fn argument(&self, pred: PredId, place: usize, depth: usize) -> Shape {
        let clauses = &self.program.predicate(pred).clauses;
        let name = self.program.predicate(pred).key.name;
        if clauses.is_empty() || clauses.len() > MOST_CLAUSES || name.text() == "param" || self.is_spent(depth) {
            return Shape::Any;
        }
        let mut found = Shape::NONE;
        for clause in clauses {
            let Some(node) = clause.tree.args(clause.head).get(place) else { return Shape::Any };
            let (tree, goal) = (&clause.tree, &clause.body);
            found.join(&self.node(Body { tree, goal, whole: goal, depth: depth - 1 }, *node));
            if found == Shape::Any {
                return found;
            }
        }
        found
    }

    /// The shape that a goal needs a variable to have, on each of its branches.
    fn variable(&self, body: Body<'_>, number: u32) -> Option<Shape> {
        if self.is_spent(body.depth) {
            return None;
        }
        match body.goal {
            Goal::Conj(goals) => goals
                .iter()
                .filter_map(|goal| self.variable(body.at(goal), number))
                .reduce(|one, other| both(one, &other)),
            // A test may fail for terms of other shapes. A list without the wanted elements is odd all the same.
            Goal::Not(inner) => self.variable(body.at(inner), number).filter(is_list),
            Goal::Scope(inner) | Goal::Findall { goal: inner, .. } => self.variable(body.at(inner), number),
            // As in `once/1`, both parts are needed.
            Goal::If(condition, then, other) if matches!(**other, Goal::Fail) => [condition, then]
                .into_iter()
                .filter_map(|goal| self.variable(body.at(goal), number))
                .reduce(|one, other| both(one, &other)),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                let tested = self.variable(body.at(condition), number).filter(is_list);
                tested.or_else(|| self.either(body, (then, other), number))
            }
            Goal::Or(left, right) => self.either(body, (left, right), number),
            Goal::Call { callee, args, .. } => match callee {
                Callee::User(pred) if self.program.is_users(self.program.predicate(*pred).key.scope) => {
                    self.of_call(body, *pred, args, number)
                }
                Callee::User(pred) => {
                    self.of_library(body, self.program.predicate(*pred).key.name.text(), args, number)
                }
                Callee::Native(id) => self.of_library(body, self.program.known.row(*id).name, args, number),
                Callee::Unknown(..) => None,
            },
            Goal::True | Goal::Fail | Goal::Cut | Goal::Meta(..) => None,
        }
    }

    fn either(&self, body: Body<'_>, (left, right): (&Goal, &Goal), number: u32) -> Option<Shape> {
        let mut found = self.variable(body.at(left), number)?;
        found.join(&self.variable(body.at(right), number)?);
        Some(found)
    }

    fn of_call(&self, body: Body<'_>, pred: PredId, args: &[NodeId], number: u32) -> Option<Shape> {
        let known = args.iter().enumerate().filter_map(|(place, arg)| {
            let path = path_to(body.tree, *arg, number, DEEPEST_PATH).0?;
            Some(self.argument(pred, place, body.depth - 1).at(&path)).filter(is_told)
        });
        known.reduce(|one, other| both(one, &other))
    }

    /// What a goal of the library needs: a list, with elements of a shape if they are known.
    fn of_library(&self, body: Body<'_>, name: &str, args: &[NodeId], number: u32) -> Option<Shape> {
        let row = rows(name, args.len()).first()?;
        let mut found: Option<Shape> = None;
        for (place, arg) in row.iter().enumerate().filter(|(_, arg)| arg.mode == FlowDirection::From) {
            let Type::List(of) = &arg.of else { continue };
            let Type::Var(own) = **of else { continue };
            let elements = || self.elements(body, (row, args), place, own);
            let need = match list_around(body.tree, args[place], number) {
                Some(true) => Shape::of(vec![Form::List(elements())]),
                Some(false) => elements(),
                None => continue,
            };
            found = Some(found.map_or(need.clone(), |known| both(known, &need))).filter(is_told);
        }
        found
    }

    /// The shape of the elements of a list that a goal of the library looks for, or hands to a closure.
    fn elements(&self, body: Body<'_>, (row, args): (&Row, &[NodeId]), list: usize, own: u32) -> Shape {
        let below = Body { depth: body.depth - 1, ..body };
        if let Some((place, _)) = looked_for(row).find(|(_, holder)| *holder == list) {
            return self.node(below, args[place]);
        }
        for (place, arg) in row.iter().enumerate() {
            let Type::Closure(parts) = &arg.of else { continue };
            let wanted = |part: &crate::rules::library::Arg| {
                part.mode == FlowDirection::From && matches!(part.of, Type::Var(other) if other == own)
            };
            let Some(at) = parts.iter().position(wanted) else { continue };
            return match self.inners.get(body.tree, args[place]) {
                Some(CalledArgument::Named(Callee::User(pred), given)) => {
                    self.argument(*pred, given.len() + at, body.depth - 1)
                }
                Some(CalledArgument::Lambda(params, goal)) => self.node(Body { whole: goal, ..below }, params[at]),
                _ => Shape::Any,
            };
        }
        Shape::Any
    }
}

/// Whether a shape says anything.
fn is_told(shape: &Shape) -> bool {
    matches!(shape, Shape::Of(forms) if !forms.is_empty())
}

fn is_list(shape: &Shape) -> bool {
    matches!(shape, Shape::Of(forms) if forms.iter().all(|form| matches!(form, Form::List(_))))
}

/// The shape of a term that two goals need. A list has the elements that any of them looks for.
fn both(one: Shape, other: &Shape) -> Shape {
    match (&one, other) {
        (Shape::Of(own), Shape::Of(others)) => match (&own[..], &others[..]) {
            ([Form::List(own)], [Form::List(others)]) => {
                let mut of = own.clone();
                match (is_told(own), is_told(others)) {
                    (true, true) => _ = of.join(others),
                    (false, _) => of = others.clone(),
                    (true, false) => {}
                }
                Shape::of(vec![Form::List(of)])
            }
            _ => one,
        },
        (Shape::Any, _) => other.clone(),
        _ => one,
    }
}

/// Whether a variable is a list or its rest; otherwise whether it is one of the elements that are
/// written out. `None` if it is neither.
fn list_around(tree: &TermTree, node: NodeId, number: u32) -> Option<bool> {
    let is = |node: NodeId| matches!(tree.kind(node), TermKind::Var(other) if *other == number);
    let (mut rest, mut inside) = (node, false);
    while let Some((head, tail)) = tree.binary(rest, atoms::DOT) {
        inside |= is(head);
        rest = tail;
    }
    if is(rest) { Some(true) } else { Some(false).filter(|_| inside) }
}
