//! Finds positions, labels and calls with two arguments in the wrong order.
//!
//! A place that makes such a term is compared with every place that takes one, lists and their
//! elements included. If most places agree, the other one has two arguments exchanged. Nothing is run.
//! Only `misfit` calls this check.

use crate::rules::claimed::{ClaimedGoal, asked, best_labels, claimed};
use crate::rules::clause_at::clause_at;
use crate::rules::contract::Contract;
use crate::rules::flows::Flow;
use crate::rules::game_shapes::{GameShapes, OpeningShapes};
use crate::rules::inner::Inners;
use crate::rules::meet::{ShapeMatch, has_similar};
use crate::rules::needs::Needs;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use crate::rules::taken::origins;
use crate::rules::taker::Taker;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use rustc_hash::FxHashSet;

/// A predicate with more clauses is a table.
const MOST_CLAUSES: usize = 100;

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 3;

/// The name of elements of lists in positions.
const ELEMENT: &str = "element";

/// The depth to which terms of expectations are compared.
const NESTED: usize = 6;

/// A term with two arguments in the wrong order.
pub(super) struct Turned {
    pub(super) problem: Problem,
    /// Whether rules make the term, so that all shapes are doubtful.
    pub(super) is_made: bool,
}

/// A place that takes terms apart.
pub(super) struct TakingPlace {
    pub(super) span: Span,
    /// The spans of its arguments.
    args: Vec<Span>,
    pub(super) takes: Shape,
    /// The predicate; `None` for an expectation.
    pub(super) pred: Option<PredId>,
}

/// A place that makes terms.
struct MakingPlace {
    span: Span,
    /// What it makes in the first position, or of it.
    shape: Shape,
    /// All that it makes in play.
    all: Shape,
}

/// The positions, or the labels.
struct Kind {
    code: Code,
    name: &'static str,
    takers: Vec<TakingPlace>,
    makers: Vec<MakingPlace>,
    /// What all places make; `None` if each is judged by itself.
    all: Option<Shape>,
}

/// Reports positions, labels and calls with two arguments in the wrong order. `first` has the shapes
/// of first positions and of the moves from there.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes, first: &OpeningShapes) -> Vec<Turned> {
    let inners = Inners::of(program);
    let needs = Needs::new(program, &inners);
    let kind = |name, code, place, all: &Shape| Kind {
        code,
        name,
        takers: takers(program, contract, &needs, place),
        makers: makers(first, known, all),
        all: Some(all.clone()),
    };
    let positions = kind("position", Code::ClauseMatchesNoPosition, 0, &known.positions);
    let labels = kind("label", Code::ClauseMatchesNoLabel, 1, &known.labels);
    let mut found = Vec::new();
    let calls = calls(program, &needs, known);
    let wrong: Vec<Span> = calls.iter().map(|turned| turned.problem.labels[0].0).collect();
    let nested: Vec<Kind> = elements(&positions, first, known);
    for kind in [positions, labels].into_iter().chain(nested) {
        let makers = kind.makers.iter().filter_map(|maker| made(program, &kind, maker));
        let (opening, later): (Vec<Turned>, Vec<Turned>) = makers.partition(|turned| opens(first, turned));
        // If the first position is wrong, all that moves make of it is doubtful.
        let makers = if opening.is_empty() { later } else { opening };
        if makers.is_empty() && kind.name != ELEMENT {
            let heads = kind.takers.iter().filter_map(|taker| Some((taker, taken(program, &kind, taker)?)));
            // The call of a helper may be wrong, and not the head. The names of the variables tell.
            let sure = heads.filter(|(taker, (_, pair))| {
                is_misnamed(program, taker.span, *pair) || !calls_oddly(program, known, taker.span, &wrong)
            });
            found.extend(sure.map(|(_, (turned, _))| turned));
        }
        found.extend(makers);
    }
    let heads: Vec<Span> = found
        .iter()
        .filter(|turned| !turned.is_made)
        .filter_map(|turned| Some(clause_at(program, turned.problem.labels[0].0)?.span))
        .collect();
    let clause = |turned: &Turned| clause_at(program, turned.problem.labels[0].0).map(|clause| clause.span);
    found.extend(calls.into_iter().filter(|call| clause(call).is_none_or(|clause| !heads.contains(&clause))));
    found
}

/// Whether a problem marks a first position, or a part of one.
fn opens(first: &OpeningShapes, turned: &Turned) -> bool {
    let mut spans = FxHashSet::default();
    origins(&first.positions, &mut spans);
    spans.contains(&turned.problem.labels[0].0)
}

/// Whether the clause at a place calls a helper with exchanged arguments. Then the call is wrong, and
/// not the head.
fn calls_oddly(program: &Program, known: &GameShapes, span: Span, wrong: &[Span]) -> bool {
    let Some(clause) = clause_at(program, span) else { return false };
    let exchanged = known.flows.iter().filter(|flow| flow.taker == Taker::Exchanged).map(|flow| &flow.span);
    exchanged.chain(wrong).any(|span| clause.span.contains(*span))
}

/// The elements of lists in positions, by the argument that is the list.
fn elements(positions: &Kind, first: &OpeningShapes, known: &GameShapes) -> Vec<Kind> {
    let Shape::Of(forms) = &known.positions else { return Vec::new() };
    let mut found = Vec::new();
    for ((name, arity), _) in forms.iter().filter_map(Form::functor) {
        for place in 0..arity {
            let inside = |shape: &Shape| shape.at(&[(name, place)]).elements();
            let Shape::Of(elements) = inside(&known.positions) else { continue };
            for form in elements.iter().filter(|form| matches!(form, Form::Compound(..))) {
                let alike = |shape: &Shape| match inside(shape) {
                    Shape::Of(forms) => {
                        let own = form.functor().map(|(functor, _)| functor);
                        let same = |other: &Form| other.functor().map(|(functor, _)| functor) == own;
                        Some(Shape::Of(forms.into_iter().filter(same).collect())).filter(|same| *same != Shape::NONE)
                    }
                    Shape::Any => None,
                };
                let takers = positions.takers.iter().filter_map(|taker| {
                    let (takes, args) = (alike(&taker.takes)?, Vec::new());
                    Some(TakingPlace { span: taker.span, args, takes, pred: taker.pred })
                });
                let makers = makers(first, known, &Shape::of(vec![form.clone()]));
                let code = Code::ClauseMatchesNoPosition;
                found.push(Kind { code, name: ELEMENT, takers: takers.collect(), makers, all: None });
            }
        }
    }
    found
}

/// The places in heads and expectations that take positions (place 0) or labels (place 1).
pub(super) fn takers(program: &Program, contract: &Contract, needs: &Needs<'_>, place: usize) -> Vec<TakingPlace> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let modes = ["+", "++"][place];
    for (pred, asks) in contract.questions() {
        let takes = asks.starts_with(modes) && (place == 0 || contract.labelled.is_some());
        if takes && contract.read_position != Some(pred) {
            heads(program, needs, (pred, place), &mut seen, &mut found);
        }
    }
    let mut claim = |tree: &TermTree, node: NodeId| {
        let takes = Shape::of_text(tree, node, NESTED);
        let args = tree.args(node).iter().map(|arg| tree.span(*arg)).collect();
        found.push(TakingPlace { span: tree.span(node), args, takes, pred: None });
    };
    let whole = if place == 0 { claimed(program) } else { best_labels(program) };
    whole.into_iter().for_each(|(tree, node)| claim(tree, node));
    for ClaimedGoal { tree, goal, .. } in asked(program) {
        let Some(functor) = tree.functor(goal) else { continue };
        let key = |pred: PredId| (program.predicate(pred).key.name, program.predicate(pred).key.arity);
        let question = contract.questions().into_iter().find(|(pred, _)| key(*pred) == functor);
        let takes = question.is_some_and(|(pred, asks)| {
            contract.read_position != Some(pred)
                && (asks.starts_with(modes) || place == 1 && contract.labelled == Some(pred))
        });
        if let Some(arg) = tree.args(goal).get(place).filter(|_| takes) {
            claim(tree, *arg);
        }
    }
    found
}

/// Adds the terms in the heads of a predicate, and of the helpers that receive the same argument.
fn heads(
    program: &Program,
    needs: &Needs<'_>,
    (pred, place): (PredId, usize),
    seen: &mut FxHashSet<(PredId, usize)>,
    found: &mut Vec<TakingPlace>,
) {
    let clauses = &program.predicate(pred).clauses;
    if !seen.insert((pred, place)) || clauses.len() > MOST_CLAUSES {
        return;
    }
    for clause in clauses {
        let tree = &clause.tree;
        let Some(node) = tree.args(clause.head).get(place) else { continue };
        let number = match tree.kind(*node) {
            TermKind::Var(number) => *number,
            TermKind::Compound(..) => {
                let args = tree.args(*node).iter().map(|arg| tree.span(*arg)).collect();
                let takes = needs.of_head(clause, *node);
                found.push(TakingPlace { span: tree.span(*node), args, takes, pred: Some(pred) });
                continue;
            }
            _ => continue,
        };
        let mut called = Vec::new();
        each_goal(&clause.body, &mut |goal| {
            let Goal::Call { callee: Callee::User(other), args, .. } = goal else { return };
            let is = |arg: &NodeId| matches!(tree.kind(*arg), TermKind::Var(other) if *other == number);
            if program.is_users(program.predicate(*other).key.scope) {
                called.extend(args.iter().position(is).map(|at| (*other, at)));
            }
        });
        called.into_iter().for_each(|callee| heads(program, needs, callee, seen, found));
    }
}

/// The places that make terms of a shape, each with what it makes at first.
fn makers(first: &OpeningShapes, known: &GameShapes, all: &Shape) -> Vec<MakingPlace> {
    let Shape::Of(forms) = all else { return Vec::new() };
    let spans = forms.iter().filter_map(|form| Some(form.functor()?.1)).flatten();
    let maker = |span: &Span| {
        let all = known.written.get(span).cloned().unwrap_or(Shape::Any);
        Some(MakingPlace { span: *span, shape: first.written.get(span)?.clone(), all })
    };
    spans.filter_map(maker).collect()
}

/// The pairs of arguments whose exchange makes a term fit the place that takes it.
fn pairs(takes: &Shape, made: &Shape) -> Vec<(usize, usize)> {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return Vec::new() };
    let ([Form::Compound(name, args, _)], [Form::Compound(other, parts, _)]) = (&own[..], &others[..]) else {
        return Vec::new();
    };
    if name != other || args.len() != parts.len() || takes.meet(made) == ShapeMatch::Fits {
        return Vec::new();
    }
    let told = |part: &Shape| matches!(part, Shape::Of(forms) if !forms.is_empty());
    let all = (0..args.len()).flat_map(|one| (one + 1..args.len()).map(move |other| (one, other)));
    all.filter(|pair| {
        told(&parts[pair.0]) && told(&parts[pair.1]) && takes.meet(&exchanged(made, *pair)) == ShapeMatch::Fits
    })
    .collect()
}

/// The same terms with two arguments exchanged.
fn exchanged(shape: &Shape, (one, other): (usize, usize)) -> Shape {
    let Shape::Of(forms) = shape else { return Shape::Any };
    let forms = forms.iter().cloned().map(|mut form| {
        if let Form::Compound(_, args, _) = &mut form
            && one.max(other) < args.len()
        {
            args.swap(one, other);
        }
        form
    });
    Shape::Of(forms.collect())
}

/// Whether a place takes all terms of a shape, as far as the atoms in their arguments are known.
fn takes_all(takes: &Shape, made: &Shape) -> bool {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return *takes == Shape::Any };
    others.iter().all(|made| match made {
        Form::Compound(name, parts, _) => own.iter().any(|own| match own {
            Form::Compound(other, args, _) => {
                name == other
                    && args.len() == parts.len()
                    && args.iter().zip(parts).all(|(own, made)| takes_all(own, made))
            }
            _ => false,
        }),
        Form::Name(..) => own.contains(made) || own.contains(&Form::Atom),
        made => own.contains(made),
    })
}

/// Whether a place takes a term, and would not take it with two arguments exchanged.
fn needs_order(takes: &Shape, made: &Shape, pair: (usize, usize)) -> bool {
    takes.meet(made) == ShapeMatch::Fits && takes.meet(&exchanged(made, pair)) != ShapeMatch::Fits
}

/// The problem of a term that is made with exchanged arguments: at least two places take it only with
/// the arguments exchanged, and no place takes it as it is.
fn made(program: &Program, kind: &Kind, maker: &MakingPlace) -> Option<Turned> {
    let found = kind.takers.iter().flat_map(|taker| pairs(&taker.takes, &maker.shape)).find_map(|pair| {
        let wrong = |taker: &&TakingPlace| {
            // Names that differ may come later in play. A goal looks for some elements of a list, which other
            // elements need not be like. So elements are judged by names that the place takes.
            let later = match &kind.all {
                Some(all) => taker.takes.meet(all) == ShapeMatch::Fits,
                None => {
                    taker.takes.meet(&maker.all) == ShapeMatch::Fits
                        || !takes_all(&taker.takes, &exchanged(&maker.shape, pair))
                }
            };
            let never = taker.takes.meet(&maker.shape) > ShapeMatch::Slight;
            (never || !later) && pairs(&taker.takes, &maker.shape).contains(&pair)
        };
        let against: Vec<&TakingPlace> = kind.takers.iter().filter(wrong).collect();
        let preds: FxHashSet<PredId> = against.iter().filter_map(|taker| taker.pred).collect();
        let claims = against.iter().filter(|taker| taker.pred.is_none()).count();
        let meant = kind.takers.iter().any(|taker| needs_order(&taker.takes, &maker.shape, pair));
        (preds.len() + claims > 1 && !preds.is_empty() && !meant).then_some((pair, against))
    });
    let (pair, against) = found?;
    let args = arguments(program, maker.span)?;
    let own = quoted(&program.sources, maker.span);
    let (one, other) = named(pair, args.get(pair.0)?, args.get(pair.1)?);
    let message = format!("the {} {own} has {one} and {other} in the wrong order", kind.name);
    let mut problem = Problem::warning(kind.code, maker.span, message);
    for taker in against.iter().take(SHOWN) {
        problem = problem.also(taker.span, "this expects the other order");
    }
    let like = kind.makers.iter().find(|like| against[0].takes.meet(&like.shape) == ShapeMatch::Fits);
    let help = match like.filter(|_| has_similar(&maker.shape, pair)) {
        Some(like) => format!("write the arguments as in {}", quoted(&program.sources, like.span)),
        None => format!("exchange {one} and {other}"),
    };
    Some(Turned { problem: problem.help(help), is_made: true })
}

/// The problem of a head that takes terms only with exchanged arguments, as no other head does.
fn taken(program: &Program, kind: &Kind, taker: &TakingPlace) -> Option<(Turned, (usize, usize))> {
    taker.pred?;
    let same = |maker: &&MakingPlace| maker.shape.functor().is_some() && maker.shape.functor() == taker.takes.functor();
    if kind.makers.iter().filter(same).any(|maker| taker.takes.meet(&maker.all) == ShapeMatch::Fits) {
        return None;
    }
    let refused = |maker: &&MakingPlace| taker.takes.meet(&maker.shape) != ShapeMatch::Fits;
    let told: Vec<&MakingPlace> = kind.makers.iter().filter(same).filter(refused).collect();
    let pair = pairs(&taker.takes, &told.first()?.shape).into_iter().find(|pair| {
        let turned = told.iter().all(|maker| pairs(&taker.takes, &maker.shape).contains(pair));
        let fits = kind.makers.iter().any(|maker| needs_order(&taker.takes, &maker.shape, *pair));
        // Another predicate takes what is made, in this order.
        let others = kind.takers.iter().filter(|other| other.pred != taker.pred);
        let right = others.filter(|other| told.iter().any(|maker| needs_order(&other.takes, &maker.shape, *pair)));
        turned && !fits && right.count() > 0
    })?;
    let text = |place: usize| Some(quoted(&program.sources, *taker.args.get(place)?));
    let (own, one, other) = (quoted(&program.sources, taker.span), text(pair.0)?, text(pair.1)?);
    let (one, other) = named(pair, &one, &other);
    let message = format!("no {} is {own}: {one} and {other} are in the wrong order", kind.name);
    let maker = told.first()?.span;
    let problem = Problem::warning(kind.code, taker.span, message)
        .also(maker, format!("such a {} is made here", kind.name))
        .help(format!("exchange {one} and {other}"));
    Some((Turned { problem, is_made: false }, pair))
}

/// Whether a variable among two arguments of a term is only the other argument in other terms with
/// this functor.
fn is_misnamed(program: &Program, span: Span, (one, other): (usize, usize)) -> bool {
    let Some(own) = clause_at(program, span) else { return false };
    let name = |tree: &TermTree, node: NodeId, place: usize| match tree.kind(*tree.args(node).get(place)?) {
        TermKind::Var(number) => Some(tree.variables.get(*number as usize)?.name.to_string()),
        _ => None,
    };
    let tree = &own.tree;
    let Some((node, _)) = tree.nodes().find(|(node, _)| tree.span(*node) == span && tree.functor(*node).is_some())
    else {
        return false;
    };
    let others = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let others = others.flat_map(|pred| &pred.clauses).filter(|clause| clause.span != own.span);
    let named = |place: usize| -> FxHashSet<String> {
        let terms = others.clone().flat_map(|clause| clause.tree.nodes().map(move |(node, _)| (&clause.tree, node)));
        let alike = terms.filter(|(other, at)| other.functor(*at) == tree.functor(node));
        alike.filter_map(|(other, at)| name(other, at, place)).collect()
    };
    let at = [named(one), named(other)];
    let odd = |place: usize, right: &FxHashSet<String>, wrong: &FxHashSet<String>| {
        name(tree, node, place).is_some_and(|name| wrong.contains(&name) && !right.contains(&name))
    };
    odd(one, &at[0], &at[1]) || odd(other, &at[1], &at[0])
}

/// The names of two arguments, or their numbers if the names tell nothing.
fn named(pair: (usize, usize), one: &str, other: &str) -> (String, String) {
    match one == other || one.starts_with('_') || other.starts_with('_') {
        true => (format!("argument {}", pair.0 + 1), format!("argument {}", pair.1 + 1)),
        false => (one.to_string(), other.to_string()),
    }
}

/// The texts of the arguments of a term in a clause.
fn arguments(program: &Program, span: Span) -> Option<Vec<String>> {
    let tree = &clause_at(program, span)?.tree;
    let (node, _) = tree.nodes().find(|(node, _)| tree.span(*node) == span && !tree.args(*node).is_empty())?;
    Some(tree.args(node).iter().map(|arg| quoted(&program.sources, tree.span(*arg))).collect())
}

/// Reports calls of helpers that pass two arguments, or a term with two arguments, in another order
/// than all other calls.
fn calls(program: &Program, needs: &Needs<'_>, known: &GameShapes) -> Vec<Turned> {
    let mut found = Vec::new();
    let all: Vec<&Flow> = known.flows.iter().filter(|flow| flow.taker == Taker::Whole).collect();
    let preds: FxHashSet<PredId> = all.iter().map(|flow| flow.pred).collect();
    let mut preds: Vec<PredId> = preds.into_iter().collect();
    preds.sort();
    for pred in preds {
        let own: Vec<&&Flow> = all.iter().filter(|flow| flow.pred == pred).collect();
        if own.len() < 2 && own.iter().all(|flow| pairs_by_name(program, flow).is_empty()) {
            continue;
        }
        let key = program.predicate(pred).key;
        let takes: Vec<Shape> = (0..key.arity).map(|place| needs.of_argument(pred, place)).collect();
        let tuple = Shape::of(vec![Form::Compound(key.name, takes.clone(), Default::default())]);
        for flow in &own {
            let Shape::Of(forms) = &flow.made else { continue };
            let [Form::Compound(_, parts, _)] = &forms[..] else { continue };
            let mut wrong: Option<(Span, (usize, usize))> = None;
            let levels = parts.iter().enumerate().map(|(at, part)| (Some(at), &takes[at], part));
            for (at, takes, made) in std::iter::once((None, &tuple, &flow.made)).chain(levels) {
                let part = |flow: &Flow| match (at, &flow.made) {
                    (Some(at), Shape::Of(forms)) => match &forms[..] {
                        [Form::Compound(_, parts, _)] => parts[at].clone(),
                        _ => Shape::Any,
                    },
                    (_, shape) => shape.clone(),
                };
                let pair = pairs(takes, made).into_iter().find(|pair| {
                    let others = own.iter().filter(|other| other.span != flow.span);
                    let right = others.clone().filter(|other| needs_order(takes, &part(other), *pair)).count();
                    let odd = others.filter(|other| pairs(takes, &part(other)).contains(pair)).count();
                    right > odd
                });
                let span = at.map_or(Some(flow.span), |at| argument_at(program, flow.span, at));
                wrong = wrong.or(pair.zip(span).map(|(pair, span)| (span, pair)));
            }
            let odd = wrong.and_then(|(span, pair)| call(program, pred, (span, pair), "other calls"));
            found.extend(odd.or_else(|| {
                let told = pairs_by_name(program, flow);
                let pair = pairs(&tuple, &flow.made).into_iter().find(|pair| told.contains(pair))?;
                let turned = call(program, pred, (flow.span, pair), "clauses")?;
                Some(Turned { is_made: true, ..turned })
            }));
        }
    }
    found
}

/// The pairs of arguments of a call that are variables with names which the heads of the helper have
/// only in the other order.
fn pairs_by_name(program: &Program, call: &Flow) -> Vec<(usize, usize)> {
    let Some(clause) = clause_at(program, call.span) else { return Vec::new() };
    let name = |tree: &TermTree, node: NodeId, place: usize| match tree.kind(*tree.args(node).get(place)?) {
        TermKind::Var(number) => Some(tree.variables.get(*number as usize)?.name.to_string()),
        _ => None,
    };
    let arity = program.predicate(call.pred).key.arity;
    let mut nodes = clause.tree.nodes().map(|(node, _)| node);
    let own = nodes.find(|node| clause.tree.span(*node) == call.span && clause.tree.args(*node).len() == arity);
    let (Some(own), heads) = (own, &program.predicate(call.pred).clauses) else { return Vec::new() };
    if heads.len() > MOST_CLAUSES {
        return Vec::new();
    }
    let has = |place: usize, wanted: &String| {
        heads.iter().any(|head| name(&head.tree, head.head, place).as_ref() == Some(wanted))
    };
    let odd = |place: usize, there: usize| {
        name(&clause.tree, own, place)
            .is_some_and(|name| !name.starts_with('_') && has(there, &name) && !has(place, &name))
    };
    let all = (0..arity).flat_map(|one| (one + 1..arity).map(move |other| (one, other)));
    all.filter(|(one, other)| odd(*one, *other) && odd(*other, *one)).collect()
}

/// The place of an argument of a goal, if the argument is a compound term.
fn argument_at(program: &Program, span: Span, at: usize) -> Option<Span> {
    let tree = &clause_at(program, span)?.tree;
    let (node, _) = tree.nodes().find(|(node, _)| tree.span(*node) == span && !tree.args(*node).is_empty())?;
    let arg = *tree.args(node).get(at)?;
    Some(tree.span(arg)).filter(|_| matches!(tree.kind(arg), TermKind::Compound(..)))
}

/// `others` are the right places: other calls, or the clauses of the helper.
fn call(program: &Program, pred: PredId, (span, pair): (Span, (usize, usize)), others: &str) -> Option<Turned> {
    let args = arguments(program, span)?;
    let (one, other) = named(pair, args.get(pair.0)?, args.get(pair.1)?);
    let (own, name) = (quoted(&program.sources, span), program.indicator(pred));
    let message = format!("{name} expects {one} and {other} of {own} in the other order");
    let problem = Problem::warning(Code::GoalNeverSucceeds, span, message)
        .help(format!("exchange {one} and {other}, as in the {others} of {name}"));
    Some(Turned { problem, is_made: false })
}
