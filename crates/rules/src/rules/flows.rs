//! Finds the places that take terms apart: heads of helpers, elements of lists, arguments of calls.
//!
//! A [`Flow`] has the shape that a place takes and the shape that comes there. Nothing is run. `blame`
//! judges the flows.

use crate::rules::equations::Unknown;
use crate::rules::heads::{compared, tested};
use crate::rules::held::part_of;
use crate::rules::inner::{CalledArgument, users};
use crate::rules::library::{Arg, FlowDirection, Row, Type, library_name, looked_for, rows};
use crate::rules::meet::{ShapeMatch, exchanged};
use crate::rules::shape::{Form, Shape};
use crate::rules::shapes::Shapes;
use crate::rules::sites::{Walk, nearest};
use crate::rules::taker::Taker;
use crate::rules::term_context::{TermContext, given};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;

/// Parts below this depth are not compared.
pub(super) const DEEPEST: usize = 5;

/// A predicate with more clauses is a table.
pub(super) const MOST_CLAUSES: usize = 100;

/// The depth to which helpers are followed to see what they need a list for.
pub(super) const FOLLOWED: usize = 6;

/// A place that takes a term, and the terms that come there.
pub(super) struct Flow {
    pub(super) taker: Taker,
    /// The place that takes the term, or the argument of the call.
    pub(super) span: Span,
    /// For a variable in a call: the argument of the head that contains the variable.
    pub(super) from: Option<Span>,
    /// The predicate that takes the term, and the argument number.
    pub(super) pred: PredId,
    pub(super) place: usize,
    /// If the term is an argument of the clause, that argument.
    pub(super) up: Option<(PredId, usize)>,
    /// The shape that the place takes.
    pub(super) takes: Shape,
    /// The shape that comes there.
    pub(super) made: Shape,
}

impl Shapes<'_> {
    /// Every place in the user's files that takes terms apart.
    pub(super) fn flows(&mut self) -> Vec<Flow> {
        let program = self.program;
        let mut found = Vec::new();
        for (number, pred) in (0..).map(PredId).zip(&program.predicates) {
            if !program.is_users(pred.key.scope) || pred.clauses.len() > MOST_CLAUSES {
                continue;
            }
            let tested = tested(program, pred);
            let inputs = self.inputs(number);
            for clause in &pred.clauses {
                let given = given(clause, &inputs);
                self.heads(number, clause, &given, &mut found);
                if given.iter().any(|(node, shape)| !shape.may_be(&clause.tree, *node)) {
                    continue;
                }
                let mut goals = Vec::new();
                let tree = &clause.tree;
                let mut walk = Walk { tree, inners: self.inners, before: Vec::new(), within: Vec::new() };
                walk.gather(&clause.body, &mut |goal, before, within| {
                    goals.push((goal, nearest(before), within.to_vec()));
                });
                for (goal, before, within) in goals {
                    let of = Some((number, clause.head));
                    let scene = TermContext::new(tree, before, given.clone(), of);
                    let inside = self.parameters(&scene, &within);
                    let scene = scene.with(&inside);
                    let mut new = Vec::new();
                    self.goal(&scene, goal, &mut new);
                    // A clause that tests its argument is meant for other arguments as well.
                    new.retain(|flow| {
                        flow.taker != Taker::List || flow.up.is_none_or(|(_, place)| !tested.contains(&place))
                    });
                    found.append(&mut new);
                }
            }
        }
        found
    }

    /// Whether another clause has these two arguments exchanged, as `other(max, min)` and `other(min, max)`: then both
    /// orders are meant.
    fn is_both_ways(&self, pred: PredId, (one, place): (&Shape, usize), (two, other): (&Shape, usize)) -> bool {
        self.program.predicate(pred).clauses.iter().any(|clause| {
            let shape = |at: usize| Shape::of_text(&clause.tree, clause.tree.args(clause.head)[at], DEEPEST);
            shape(place) == *two && shape(other) == *one
        })
    }

    fn heads(&mut self, pred: PredId, clause: &Clause, given: &[(NodeId, &Shape)], found: &mut Vec<Flow>) {
        let tree = &clause.tree;
        let args = tree.args(clause.head);
        if given.is_empty() && self.sites.are_known(pred) {
            let takes: Vec<Shape> = args.iter().map(|arg| Shape::of_text(tree, *arg, DEEPEST)).collect();
            let made: Vec<Shape> = (0..args.len()).map(|place| self.asked(pred, place)).collect();
            if let Some((place, other)) = exchanged(&takes, &made)
                && !self.is_both_ways(pred, (&takes[place], place), (&takes[other], other))
            {
                let (span, takes, made) = (tree.span(args[place]), takes[place].clone(), made[place].clone());
                found.push(Flow { taker: Taker::Exchanged, span, from: None, pred, place, up: None, takes, made });
            }
        }
        for (place, arg) in tree.args(clause.head).iter().enumerate() {
            if matches!(tree.kind(*arg), TermKind::Var(_)) {
                let shape = given.iter().find(|(node, _)| node == arg).map(|(_, shape)| *shape);
                for (shape, node) in shape
                    .into_iter()
                    .flat_map(|shape| compared(self.program, clause, *arg).into_iter().map(move |node| (shape, node)))
                {
                    let (span, takes) = (tree.span(node), Shape::of_text(tree, node, DEEPEST));
                    let (taker, made) = (Taker::Question, shape.clone());
                    found.push(Flow { taker, span, from: None, pred, place, up: None, takes, made });
                }
                continue;
            }
            let (taker, made) = match given.iter().find(|(node, _)| node == arg) {
                Some((_, shape)) => (Taker::Question, (*shape).clone()),
                None => (Taker::Head, self.asked(pred, place)),
            };
            let takes = Shape::of_text(tree, *arg, DEEPEST);
            found.push(Flow { taker, span: tree.span(*arg), from: None, pred, place, up: None, takes, made });
        }
    }

    fn goal(&mut self, scene: &TermContext<'_>, goal: &Goal, found: &mut Vec<Flow>) {
        let Goal::Call { callee, args, .. } = goal else { return };
        let program = self.program;
        let name = match callee {
            Callee::User(pred) if program.is_users(program.predicate(*pred).key.scope) => {
                return self.call(scene, *pred, goal, found);
            }
            callee => library_name(program, callee),
        };
        for (place, arg) in args.iter().enumerate() {
            if let Some(CalledArgument::Named(Callee::Native(id), own)) = self.inners.get(scene.tree, *arg)
                && let ("=" | "==" | "\\==" | "\\=", &[constant]) = (program.known.row(*id).name, &own[..])
            {
                let made = self.closure_input(scene, goal, (place, 0));
                let (span, takes) = (scene.tree.span(constant), Shape::of_text(scene.tree, constant, DEEPEST));
                let pred = scene.of.map_or(PredId(0), |(pred, _)| pred);
                found.push(Flow { taker: Taker::Compared, span, from: None, pred, place, up: None, takes, made });
            }
            if let Some((pred, own)) = self.inners.get(scene.tree, *arg).and_then(users) {
                let passed = own.len();
                self.closure(scene, goal, (place, *arg), (pred, own), found);
                if let Some(row) = rows(name, args.len()).first() {
                    self.first_values(scene, (row, args), (place, pred, passed), found);
                }
            }
        }
        if let ("=" | "==" | "\\==" | "\\=" | "is", &[left, right]) = (name, &args[..]) {
            return self.compared(scene, (left, right), found);
        }
        let Some(row) = rows(name, args.len()).first() else { return };
        self.compared_lists(scene, (row, args), found);
        let pred = scene.of.map_or(PredId(0), |(pred, _)| pred);
        for (place, arg) in row.iter().enumerate().filter(|(_, arg)| arg.mode == FlowDirection::From) {
            let takes = match arg.of {
                Type::List(_) => Form::List(Shape::Any),
                Type::Tree(_) => Form::Tree(Shape::Any),
                _ => continue,
            };
            let made = self.term(scene, args[place], &mut Vec::new());
            let span = scene.tree.span(args[place]);
            let takes = Shape::of(vec![takes]);
            // If another argument has what is needed here, the goal is wrong, and not its callers.
            let turned = takes.meet(&made) == ShapeMatch::Never && self.is_elsewhere(scene, (row, args), place, &takes);
            let from = head_of(scene, args[place]);
            let up = argument(scene, args[place]).filter(|_| !turned);
            let taker = if turned { Taker::Misplaced } else { Taker::List };
            found.push(Flow { taker, span, from, pred, place, up, takes, made: made.clone() });
            self.open_list(scene, (row, args), place, found);
            let looked = self.looked_for(scene, (row, args), place, &made);
            found.extend(looked.map(|(place, node, takes, made)| {
                let span = scene.tree.span(node);
                // A comparison, as in delete/3, keeps no goal from succeeding.
                let asks = row.get(place).is_some_and(|arg| arg.mode == FlowDirection::Compared);
                let taker = if asks { Taker::Compared } else { Taker::Element };
                Flow { taker, span, from: None, pred, place, up: None, takes, made }
            }));
        }
    }

    /// Whether an argument of a goal that need not be a list, or an association list, surely is one.
    pub(super) fn is_elsewhere(
        &mut self,
        scene: &TermContext<'_>,
        (row, args): (&Row, &[NodeId]),
        place: usize,
        takes: &Shape,
    ) -> bool {
        let is_open = |arg: &&Arg| !matches!(arg.of, Type::List(_) | Type::Tree(_));
        let others = row.iter().zip(args).enumerate().filter(|(other, (arg, _))| *other != place && is_open(arg));
        let nodes: Vec<NodeId> = others.map(|(_, (_, node))| *node).collect();
        nodes.into_iter().any(|node| {
            let made = self.term(scene, node, &mut Vec::new());
            matches!(&made, Shape::Of(forms) if !forms.is_empty()) && takes.meet(&made) == ShapeMatch::Fits
        })
    }

    /// Adds the flow of a variable that is compared with a constant.
    fn compared(&mut self, scene: &TermContext<'_>, (left, right): (NodeId, NodeId), found: &mut Vec<Flow>) {
        let tree = scene.tree;
        let (variable, constant) = match (tree.kind(left), tree.kind(right)) {
            (TermKind::Var(_), TermKind::Atom(_) | TermKind::Int(_)) => (left, right),
            (TermKind::Atom(_) | TermKind::Int(_), TermKind::Var(_)) => (right, left),
            _ => return,
        };
        // The shape before the goal, which may bind the variable.
        let made = self.term(scene, variable, &mut Vec::new());
        let pred = scene.of.map_or(PredId(0), |(pred, _)| pred);
        let (span, takes) = (tree.span(constant), Shape::of_text(tree, constant, 1));
        let from = head_of(scene, variable);
        found.push(Flow { taker: Taker::Compared, span, from, pred, place: 0, up: None, takes, made });
    }

    /// What a goal looks for in a list or an association list: argument number, node, shape, elements.
    fn looked_for(
        &mut self,
        scene: &TermContext<'_>,
        (row, args): (&Row, &[NodeId]),
        list: usize,
        lists: &Shape,
    ) -> Option<(usize, NodeId, Shape, Shape)> {
        let places: Vec<usize> =
            looked_for(row).filter(|(_, holder)| *holder == list).map(|(element, _)| element).collect();
        match &row[list].of {
            Type::List(of) | Type::Tree(of) if matches!(**of, Type::Pair(..)) => {
                let Type::Pair(key, value) = &**of else { return None };
                let at = |of: &Type| {
                    let own = |place: &usize| matches!((&row[*place].of, of), (Type::Var(one), Type::Var(other)) if one == other);
                    places.iter().copied().find(own)
                };
                let mut part =
                    |of: &Type| at(of).map_or(Shape::Any, |place| self.term(scene, args[place], &mut Vec::new()));
                let (parts, elements) = (vec![part(key), part(value)], lists.elements());
                // The value alone may be odd.
                let fits =
                    |number: usize| parts[number].meet(&elements.at(&[(atoms::MINUS, number)])) == ShapeMatch::Fits;
                let odd = at(value).filter(|_| fits(0) && !fits(1));
                let place = odd.or(places.first().copied()).unwrap_or(list);
                let pair = Shape::of(vec![Form::Compound(atoms::MINUS, parts, Default::default())]);
                Some((place, args[place], pair, elements))
            }
            Type::List(of) => {
                let place = *places.first()?;
                let (takes, Type::Var(own)) = (self.term(scene, args[place], &mut Vec::new()), &row[place].of) else {
                    return None;
                };
                Some((place, args[place], takes, part_of(of, &lists.elements(), *own)))
            }
            _ => None,
        }
    }

    /// Adds what a goal of the library gives to a helper that it calls.
    fn closure(
        &mut self,
        scene: &TermContext<'_>,
        goal: &Goal,
        (at, node): (usize, NodeId),
        (pred, own): (PredId, &[NodeId]),
        found: &mut Vec<Flow>,
    ) {
        let clauses = &self.program.predicate(pred).clauses;
        if clauses.is_empty() || clauses.len() > MOST_CLAUSES {
            return;
        }
        let (mut given, mut taking) = (Vec::new(), Vec::new());
        for place in 0..self.program.predicate(pred).key.arity {
            let (made, span) = match own.get(place) {
                Some(arg) => (self.term(scene, *arg, &mut Vec::new()), scene.tree.span(*arg)),
                None => (self.closure_input(scene, goal, (at, place - own.len())), scene.tree.span(node)),
            };
            let (taker, takes) = self.takes(pred, place);
            given.push(made.clone());
            taking.push(takes.clone());
            found.push(Flow { taker, span, from: None, pred, place, up: None, takes, made });
        }
        let spans: Vec<Span> = own.iter().map(|arg| scene.tree.span(*arg)).collect();
        self.exchanged_call(pred, &spans, (taking, &given), found);
    }

    /// The shape that a helper takes as an argument.
    pub(super) fn takes(&mut self, pred: PredId, place: usize) -> (Taker, Shape) {
        let program = self.program;
        let takes = || match needs(program, pred, place, FOLLOWED) {
            Some(needed) => (Taker::Needs, needed),
            None => {
                let mut takes = Shape::NONE;
                for clause in &program.predicate(pred).clauses {
                    takes.join(&taken(program, clause, clause.tree.args(clause.head)[place], DEEPEST));
                }
                (Taker::Call, takes)
            }
        };
        self.taken.entry((pred, place)).or_insert_with(takes).clone()
    }

    fn call(&mut self, scene: &TermContext<'_>, pred: PredId, goal: &Goal, found: &mut Vec<Flow>) {
        let Goal::Call { args, span: whole, .. } = goal else { return };
        let program = self.program;
        let clauses = &program.predicate(pred).clauses;
        if clauses.is_empty() || clauses.len() > MOST_CLAUSES || program.predicate(pred).key.name.text() == "param" {
            return;
        }
        let (mut given, mut taking) = (Vec::new(), Vec::new());
        let asks = self.questions.get(&pred).is_some_and(|modes| modes.starts_with('+'));
        for (place, arg) in args.iter().enumerate() {
            let made = self.term(scene, *arg, &mut Vec::new());
            let (mut taker, mut takes) = self.takes(pred, place);
            let nameless = takes.meet(&Shape::of(vec![Form::List(Shape::Any)])) == ShapeMatch::Fits;
            if asks && place == 0 && nameless && !matches!(scene.tree.kind(*arg), TermKind::Var(_)) {
                (taker, takes) = (Taker::Call, self.value(Unknown::Positions));
            }
            let (span, from, up) = (scene.tree.span(*arg), head_of(scene, *arg), argument(scene, *arg));
            given.push(made.clone());
            taking.push(takes.clone());
            if takes.meet(&made) == ShapeMatch::Fits {
                let answers = self.success(pred, place);
                if answers != Shape::NONE && (answers.meet(&made) >= ShapeMatch::Word || is_side(&answers, &made)) {
                    (taker, takes) = (Taker::Answer, answers);
                }
            }
            found.push(Flow { taker, span, from, pred, place, up, takes, made });
        }
        let spans: Vec<Span> = args.iter().map(|arg| scene.tree.span(*arg)).collect();
        self.exchanged_call(pred, &spans, (taking, &given), found);
        if let ([clause], Some(first)) = (&clauses[..], args.first()) {
            self.keys(pred, clause, (&given, scene.tree.span(*first)), found);
        }
        let made = Shape::of(vec![Form::Compound(program.predicate(pred).key.name, given, Default::default())]);
        let takes = Shape::NONE;
        found.push(Flow { taker: Taker::Whole, span: *whole, from: None, pred, place: 0, up: None, takes, made });
    }

    /// Adds what a helper of one clause looks for in records, if it is called with these shapes.
    fn keys(&mut self, pred: PredId, clause: &Clause, (given, span): (&[Shape], Span), found: &mut Vec<Flow>) {
        let mut goals = Vec::new();
        each_goal(&clause.body, &mut |goal| goals.push(goal));
        if goals.len() > 2 {
            return;
        }
        let given = clause.tree.args(clause.head).iter().copied().zip(given).collect();
        let scene = TermContext::new(&clause.tree, Vec::new(), given, None);
        for goal in goals {
            let Goal::Call { callee: callee @ (Callee::Native(_) | Callee::User(_)), args, .. } = goal else {
                continue;
            };
            let Some(row) = rows(library_name(self.program, callee), args.len()).first() else { continue };
            let Some((element, list)) = looked_for(row).find(|(_, list)| matches!(row[*list].of, Type::List(_))) else {
                continue;
            };
            let takes = self.term(&scene, args[element], &mut Vec::new());
            let made = self.term(&scene, args[list], &mut Vec::new());
            if made.is_keyed() {
                let made = made.elements_apart();
                found.push(Flow { taker: Taker::Key, span, from: None, pred, place: 0, up: None, takes, made });
            }
        }
    }
}

/// The shape that an argument of a head takes: as it is written, and as the body needs it.
pub(super) fn taken(program: &Program, clause: &Clause, node: NodeId, depth: usize) -> Shape {
    let tree = &clause.tree;
    match tree.kind(node) {
        TermKind::Var(number) => needed(program, tree, &clause.body, *number, FOLLOWED).unwrap_or(Shape::Any),
        TermKind::Compound(name, _) if depth > 0 && *name != atoms::DOT => {
            let args = tree.args(node).iter().map(|arg| taken(program, clause, *arg, depth - 1));
            Shape::of(vec![Form::Compound(*name, args.collect(), Default::default())])
        }
        TermKind::Compound(..) if depth > 0 => match tree.list(node) {
            Some(elements) => {
                let elements = elements.into_iter().map(|element| taken(program, clause, element, depth - 1));
                Shape::of(vec![Form::Row(elements.collect(), Default::default())])
            }
            None => Shape::of_text(tree, node, depth),
        },
        _ => Shape::of_text(tree, node, depth),
    }
}

/// The shape that every clause of a predicate needs as an argument: a list or an association list.
fn needs(program: &Program, pred: PredId, place: usize, depth: usize) -> Option<Shape> {
    let clauses = &program.predicate(pred).clauses;
    if depth == 0 || clauses.is_empty() || clauses.len() > MOST_CLAUSES {
        return None;
    }
    let mut all = clauses.iter().map(|clause| match clause.tree.kind(clause.tree.args(clause.head)[place]) {
        TermKind::Var(number) => needed(program, &clause.tree, &clause.body, *number, depth - 1),
        _ => None,
    });
    let first = all.next()??;
    all.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The shape that a goal needs a variable to have, on each of its branches.
fn needed(program: &Program, tree: &TermTree, goal: &Goal, number: u32, depth: usize) -> Option<Shape> {
    let is = |node: NodeId| matches!(tree.kind(node), TermKind::Var(other) if *other == number);
    match goal {
        Goal::Conj(goals) => goals.iter().find_map(|goal| needed(program, tree, goal, number, depth)),
        Goal::Not(inner) | Goal::Scope(inner) | Goal::Findall { goal: inner, .. } => {
            needed(program, tree, inner, number, depth)
        }
        Goal::If(condition, ..) => needed(program, tree, condition, number, depth),
        Goal::Call { callee, args, .. } => {
            let name = match callee {
                Callee::User(pred) if program.is_users(program.predicate(*pred).key.scope) => {
                    let mut places = args.iter().enumerate().filter(|(_, arg)| is(**arg));
                    return places.find_map(|(place, _)| needs(program, *pred, place, depth));
                }
                Callee::Unknown(..) => return None,
                callee => library_name(program, callee),
            };
            let ends_in = |node: NodeId| {
                let mut tail = node;
                while let Some((_, rest)) = tree.binary(tail, atoms::DOT) {
                    tail = rest;
                }
                is(tail)
            };
            let row = rows(name, args.len()).first()?;
            row.iter().zip(args).filter(|(arg, _)| arg.mode == FlowDirection::From).find_map(|(arg, node)| {
                match arg.of {
                    Type::List(_) if ends_in(*node) => Some(Shape::of(vec![Form::List(Shape::Any)])),
                    Type::Tree(_) if is(*node) => Some(Shape::of(vec![Form::Tree(Shape::Any)])),
                    _ => None,
                }
            })
        }
        _ => None,
    }
}

/// The argument of the head that a variable is.
fn argument(scene: &TermContext<'_>, node: NodeId) -> Option<(PredId, usize)> {
    let TermKind::Var(number) = scene.tree.kind(node) else { return None };
    let (pred, head) = scene.of?;
    let is = |arg: &NodeId| matches!(scene.tree.kind(*arg), TermKind::Var(other) if other == number);
    scene.tree.args(head).iter().position(is).map(|place| (pred, place))
}

/// The position or label in the head that contains a variable.
fn head_of(scene: &TermContext<'_>, node: NodeId) -> Option<Span> {
    let tree = scene.tree;
    let TermKind::Var(number) = tree.kind(node) else { return None };
    let mut args = scene.given.iter().map(|(arg, _)| *arg).filter(|arg| !matches!(tree.kind(*arg), TermKind::Var(_)));
    args.find(|arg| {
        let mut stack = vec![*arg];
        while let Some(at) = stack.pop() {
            if matches!(tree.kind(at), TermKind::Var(other) if other == number) {
                return true;
            }
            stack.extend(tree.args(at));
        }
        false
    })
    .map(|arg| tree.span(arg))
}

/// Whether a term is `max` or `min` where the names of the sides are other atoms.
pub(super) fn is_side(takes: &Shape, made: &Shape) -> bool {
    let names = |shape: &Shape| match shape {
        Shape::Of(forms) => forms
            .iter()
            .map(|form| if let Form::Name(name, _) = form { Some(name.text()) } else { None })
            .collect::<Option<Vec<&str>>>(),
        Shape::Any => None,
    };
    let is_result = |name: &&str| matches!(*name, "max" | "min");
    let (Some(takes), Some(made)) = (names(takes), names(made)) else { return false };
    !made.is_empty() && made.iter().all(is_result) && matches!(takes.len(), 1 | 2) && !takes.iter().any(is_result)
}
