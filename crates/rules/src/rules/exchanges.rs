//! Finds calls whose arguments fit only if two of them are exchanged.
//!
//! A call of a helper with exchanged arguments becomes a flow, and so does a goal of the library that gets a variable
//! without a value in place of a list, while another argument is a list. Nothing is run. This file is a part of
//! `flows`; `blame` judges the flows.

use crate::rules::flows::{DEEPEST, FOLLOWED, Flow, MOST_CLAUSES};
use crate::rules::game_shapes::GameShapes;
use crate::rules::library::{Row, Type};
use crate::rules::meet::exchanged;
use crate::rules::shape::{Form, Shape};
use crate::rules::shapes::Shapes;
use crate::rules::sketch::quoted;
use crate::rules::taker::Taker;
use crate::rules::term_context::TermContext;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;

impl Shapes<'_> {
    /// Adds the flow of a list that has no value yet, if an argument that need not be a list surely is one.
    pub(super) fn open_list(
        &mut self,
        scene: &TermContext<'_>,
        (row, args): (&Row, &[NodeId]),
        place: usize,
        found: &mut Vec<Flow>,
    ) {
        let (Type::List(_), TermKind::Var(number), Some(of)) = (&row[place].of, scene.tree.kind(args[place]), scene.of)
        else {
            return;
        };
        let takes = Shape::of(vec![Form::List(Shape::Any)]);
        let is_inner = scene.given.iter().any(|(node, _)| scene.tree.holds_variable(*node, *number));
        // With a known rest, select/3 and nth1/4 put the element into the list.
        let is_bound = |(at, arg): (usize, &NodeId)| {
            let is_list = at != place && matches!(row[at].of, Type::List(_));
            let open = |number: u32| self.is_open((scene.tree, of), &scene.goals, number, FOLLOWED);
            is_list && !matches!(scene.tree.kind(*arg), TermKind::Var(number) if open(*number))
        };
        if is_inner
            || args.iter().enumerate().any(is_bound)
            || !self.is_elsewhere(scene, (row, args), place, &takes)
            || !self.is_open((scene.tree, of), &scene.goals, *number, FOLLOWED)
        {
            return;
        }
        let (span, pred) = (scene.tree.span(args[place]), of.0);
        let made = Shape::Any;
        found.push(Flow { taker: Taker::Open, span, from: None, pred, place, up: None, takes, made });
    }

    /// Whether a variable surely has no value after some goals of a clause: no goal mentions it, and the calls of the
    /// clause give it no value.
    fn is_open(
        &self,
        (tree, (pred, head)): (&TermTree, (PredId, NodeId)),
        before: &[&Goal],
        number: u32,
        depth: usize,
    ) -> bool {
        if depth == 0 || before.iter().any(|goal| self.may_tell(tree, goal, number)) {
            return false;
        }
        let holding = tree.args(head).iter().enumerate().filter(|(_, arg)| tree.holds_variable(**arg, number));
        holding.map(|(place, _)| place).all(|place| {
            if let Some(modes) = self.questions.get(&pred) {
                return modes.chars().nth(place) == Some('-');
            }
            self.sites.are_known(pred)
                && self.sites.calls(pred).iter().all(|site| {
                    let other = site.args.get(place).map(|arg| site.clause.tree.kind(*arg));
                    let Some(TermKind::Var(other)) = other else { return false };
                    let of = (&site.clause.tree, (site.caller, site.clause.head));
                    site.closure.is_none()
                        && site.within.is_empty()
                        && self.is_open(of, &site.before, *other, depth - 1)
                })
        })
    }

    /// Adds the flow of a call whose arguments fit only with two of them exchanged.
    pub(super) fn exchanged_call(
        &mut self,
        pred: PredId,
        spans: &[Span],
        (taking, given): (Vec<Shape>, &[Shape]),
        found: &mut Vec<Flow>,
    ) {
        let passed = |(place, takes): (usize, Shape)| match takes {
            Shape::Any => match self.shared_with(pred, place, given) {
                Shape::Any => passed_on(self.program, pred, place),
                shared => shared,
            },
            takes => takes,
        };
        let taking: Vec<Shape> = taking.into_iter().enumerate().map(passed).collect();
        if let Some((place, other)) = exchanged(&taking, given)
            && let (Some(span), Some(_)) = (spans.get(place), spans.get(other))
        {
            let (span, takes, made) = (*span, taking[place].clone(), given[place].clone());
            found.push(Flow { taker: Taker::Exchanged, span, from: None, pred, place, up: None, takes, made });
        }
    }

    /// The shape that an argument must have because the head of a clause has its variable in another argument too.
    fn shared_with(&mut self, pred: PredId, place: usize, given: &[Shape]) -> Shape {
        let program = self.program;
        for clause in &program.predicate(pred).clauses {
            let (tree, args) = (&clause.tree, clause.tree.args(clause.head));
            let TermKind::Var(number) = tree.kind(args[place]) else { continue };
            for (other, arg) in args.iter().enumerate().filter(|(other, _)| *other != place) {
                let (Some(shape), Some(path)) = (given.get(other), self.path_to(tree, *arg, *number)) else { continue };
                match shape.at(&path) {
                    Shape::Of(forms) if !forms.is_empty() && !path.is_empty() => return Shape::Of(forms),
                    _ => {}
                }
            }
        }
        Shape::Any
    }
}

/// The compound terms that clauses of a helper need as an argument, because they pass the argument on to another
/// helper whose heads all have such a term; `Any` if no clause needs one.
fn passed_on(program: &Program, pred: PredId, place: usize) -> Shape {
    let mut found = Shape::NONE;
    for clause in &program.predicate(pred).clauses {
        let tree = &clause.tree;
        let shape = match tree.kind(tree.args(clause.head)[place]) {
            TermKind::Var(number) => first_heads(program, tree, &clause.body, *number),
            _ => Some(Shape::of_text(tree, tree.args(clause.head)[place], DEEPEST)),
        };
        shape.iter().for_each(|shape| _ = found.join(shape));
    }
    if found == Shape::NONE { Shape::Any } else { found }
}

/// The terms in the heads of the first helper that takes a variable, if all are compound terms other than lists.
fn first_heads(program: &Program, tree: &TermTree, body: &Goal, number: u32) -> Option<Shape> {
    let goals = match body {
        Goal::Conj(goals) => &goals[..],
        goal => std::slice::from_ref(goal),
    };
    goals.iter().find_map(|goal| {
        let Goal::Call { callee: Callee::User(helper), args, .. } = goal else { return None };
        let at = args.iter().position(|arg| matches!(tree.kind(*arg), TermKind::Var(other) if *other == number))?;
        let mut found = Shape::NONE;
        let clauses = &program.predicate(*helper).clauses;
        for clause in clauses.iter().take(MOST_CLAUSES) {
            let arg = clause.tree.args(clause.head)[at];
            clause.tree.functor(arg).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT)?;
            found.join(&Shape::of_text(&clause.tree, arg, DEEPEST));
        }
        (!clauses.is_empty()).then_some(found)
    })
}

/// Reports goals that need a list and get a variable without a value, while another argument is a list.
pub(super) fn open_lists(program: &Program, flows: &[Flow]) -> Vec<Problem> {
    let open = flows.iter().filter(|flow| flow.taker == Taker::Open);
    let problem = |flow: &Flow| {
        let own = quoted(&program.sources, flow.span);
        let message = format!("expected a list here, and {own} has no value yet");
        Problem::warning(Code::GoalNeverSucceeds, flow.span, message)
            .help("another argument of this goal is a list: are the arguments in the right order?")
    };
    open.map(problem).collect()
}

/// Whether the arguments of the call that passes a term fit if two of them are exchanged.
pub(super) fn is_exchangeable(known: &GameShapes, flow: &Flow) -> bool {
    let of_it = |other: &&Flow| other.pred == flow.pred;
    let mut wholes = known.flows.iter().filter(of_it).filter(|other| other.taker == Taker::Whole);
    let Some(whole) = wholes.find(|whole| whole.span.contains(flow.span)) else { return false };
    let Shape::Of(forms) = &whole.made else { return false };
    let [Form::Compound(_, given, _)] = &forms[..] else { return false };
    let mut takes = vec![Shape::Any; given.len()];
    let args = known.flows.iter().filter(of_it).filter(|other| matches!(other.taker, Taker::Call | Taker::Needs));
    for arg in args.filter(|arg| whole.span.contains(arg.span)) {
        takes[arg.place] = arg.takes.clone();
    }
    exchanged(&takes, given).is_some()
}
