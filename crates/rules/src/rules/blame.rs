//! Finds terms that are taken apart otherwise than they are made, and decides which side is wrong.
//!
//! A warning reports each goal and each clause of a helper that can never match, and a label that
//! differs from what all others take. If two sides contradict each other, the one with more
//! contradictions is wrong. Nothing is run. Only `misfit` calls this module.

use crate::rules::all_heads;
use crate::rules::claimed::{ClaimedGoal, asked, best_labels};
use crate::rules::contract::Contract;
use crate::rules::exchanges::is_exchangeable;
use crate::rules::flows::{Flow, is_side};
use crate::rules::game_shapes::GameShapes;
use crate::rules::keys::is_unknown_key;
use crate::rules::meet::ShapeMatch;
use crate::rules::origins::{self, makers};
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{difference, quoted, words};
use crate::rules::taker::Taker;
use alphorn_lang::lang::check::calls;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 3;

/// The greatest number of places that are compared with each other. Nobody reads more problems.
const MOST: usize = 500;

/// Parts below this depth are not compared.
const DEEPEST: usize = 5;

/// The number of calls that are followed upwards.
const CALLERS: usize = 5;

/// Reports goals and clauses of helpers that can never match. `blamed` contains the places that make terms which no goal
/// takes: these are reported elsewhere.
pub(super) fn stuck(program: &Program, known: &GameShapes, blamed: &[Span]) -> Vec<Problem> {
    let calls = all_heads::check(program, known);
    let is_called_oddly = |flow: &Flow| {
        let is_it = |(pred, place, _): &(PredId, usize, Problem)| (*pred, *place) == (flow.pred, flow.place);
        matches!(flow.taker, Taker::Head | Taker::Exchanged) && calls.iter().any(is_it)
    };
    let follows = |flow: &Flow| comes_from(&flow.made, blamed) || is_made_at(&flow.takes, blamed);
    let is_odd = |flow: &&Flow| is_odd(flow) && !follows(flow) && !is_called_oddly(flow);
    let odd: Vec<&Flow> = known.flows.iter().filter(is_odd).take(MOST).collect();
    let mut found: Vec<Problem> = Vec::new();
    for (_, _, problem) in &calls {
        if found.iter().all(|other| other.labels[0].0 != problem.labels[0].0) {
            found.push(problem.clone());
        }
    }
    let calls = |pred: PredId| odd.iter().filter(|flow| flow.taker == Taker::Call && flow.pred == pred).count();
    let heads = |pred: PredId| odd.iter().filter(|flow| flow.taker == Taker::Head && flow.pred == pred).count();
    // A head has a term that nothing makes, and its calls pass what other places take.
    let lonely_heads = |pred: PredId| {
        let mut heads = odd.iter().filter(|flow| flow.taker == Taker::Head && flow.pred == pred);
        heads.any(|head| is_lonely(known, head))
    };
    for flow in &odd {
        // Some calls match no clause, and some clauses match no call: the fewer are wrong.
        let (calls, heads) = (calls(flow.pred), heads(flow.pred));
        // There are as many of both, but other calls pass such terms as well.
        let others = || known.flows.iter().filter(|call| lacks_a_head(call, flow)).count() > 1;
        let turned = |other: &&&Flow| other.taker == Taker::Exchanged && other.pred == flow.pred;
        let head_alone =
            odd.iter().any(|other| turned(&other)) && odd.iter().filter(turned).all(|it| is_head(program, it));
        let told = match flow.taker {
            Taker::Call if lonely_heads(flow.pred) || head_alone => false,
            Taker::Head if lonely_heads(flow.pred) => true,
            Taker::Call => heads == 0 || calls < heads || calls == heads && !others(),
            Taker::Head => calls == 0 || heads < calls || calls == heads && others(),
            // If a call has exchanged arguments too, the call is wrong, rather than all heads.
            Taker::Exchanged if is_head(program, flow) => head_alone,
            // The helper has its arguments in the wrong order.
            Taker::Needs => !odd.iter().any(|other| other.taker == Taker::Misplaced && other.pred == flow.pred),
            // Another goal looks for the element and never succeeds.
            Taker::Removed => {
                let looks =
                    |other: &&&Flow| other.taker == Taker::Element && other.takes.functor() == flow.takes.functor();
                !odd.iter().any(|other| looks(&other))
            }
            Taker::Key => !odd.iter().any(|other| other.taker == Taker::Element && other.pred == flow.pred),
            _ => true,
        };
        if let Some(problem) = wrong_head(program, known, flow) {
            if found.iter().all(|other| other.labels[0].0 != problem.labels[0].0) {
                found.push(problem);
            }
            continue;
        }
        for call in if told { callers(known, flow) } else { Vec::new() } {
            let span = call.from.filter(|_| is_named_oddly(program, known, call)).unwrap_or(call.span);
            if found.iter().all(|other| other.labels[0].0 != span && other.labels[0].0 != call.span) {
                found.push(match call.takes == Shape::Any {
                    true => passed_on(program, known, (call, span), flow),
                    false => with_other_side(program, known, call, unmatched(program, known, call, span)),
                });
            }
        }
    }
    found
}

/// Reports clauses of helpers that only symmetric images use, and that match no part of a position which play makes.
/// `known` has the shapes of positions as if no position came from an image.
pub(super) fn only_of_images(program: &Program, contract: &Contract, known: &GameShapes) -> Vec<Problem> {
    let images: Vec<PredId> = [contract.canonical, contract.symmetry].into_iter().flatten().collect();
    let others = contract.questions().into_iter().map(|(pred, _)| pred).filter(|pred| !images.contains(pred));
    let used = calls::reachable(program, &others.collect::<Vec<_>>());
    let own = calls::reachable(program, &images);
    let is_idle = |flow: &&Flow| {
        flow.taker == Taker::Head
            && own.contains(&flow.pred)
            && !used.contains(&flow.pred)
            && flow.takes.meet(&flow.made) == ShapeMatch::Never
    };
    known.flows.iter().filter(is_idle).map(|flow| unmatched(program, known, flow, flow.span)).collect()
}

/// Reports the only clause of a helper if no call passes what it needs.
fn wrong_head(program: &Program, known: &GameShapes, flow: &Flow) -> Option<Problem> {
    let of_it = |other: &&Flow| (other.pred, other.place) == (flow.pred, flow.place) && other.taker == flow.taker;
    let calls: Vec<&Flow> = known.flows.iter().filter(of_it).collect();
    let [clause] = &program.predicate(flow.pred).clauses[..] else { return None };
    if flow.taker != Taker::Needs
        || calls.len() < 2
        || calls.iter().any(|call| call.takes.meet(&call.made) != ShapeMatch::Never && call.made != Shape::Any)
        || calls.iter().filter(|call| call.made != Shape::Any).count() < 2
    {
        return None;
    }
    let arg = *clause.tree.args(clause.head).get(flow.place)?;
    let (own, name) = (quoted(&program.sources, clause.tree.span(arg)), program.indicator(flow.pred));
    let (takes, made) = (words(program, &flow.takes), words(program, &flow.made));
    let message = format!("{own} must be {takes} here, but no call of {name} passes one");
    let mut problem = Problem::warning(Code::GoalNeverSucceeds, clause.tree.span(arg), message);
    if let Some(goal) = origins::needing(program, clause, arg) {
        problem = problem.also(goal, format!("this must be {takes}"));
    }
    for call in calls.iter().filter(|call| call.made != Shape::Any).take(SHOWN) {
        problem = problem.also(call.span, format!("here it is {}", words(program, &call.made)));
    }
    Some(problem.help(format!("the calls pass {made}\nare the arguments of the head in the right order?")))
}

/// Marks the only head that contradicts a call, or the only call that contradicts a head: either may be wrong. Marks the
/// calls that pass the term too.
fn with_other_side(program: &Program, known: &GameShapes, flow: &Flow, mut problem: Problem) -> Problem {
    if let Some(up) = flow.up.filter(|_| flow.taker == Taker::Call) {
        let passes = |call: &&Flow| {
            let takes_it = matches!(call.taker, Taker::Call | Taker::Needs) && (call.pred, call.place) == up;
            takes_it && call.span != flow.span && flow.takes.meet(&call.made) == ShapeMatch::Never
        };
        for call in known.flows.iter().filter(passes).take(2) {
            problem = problem.also(call.span, format!("it is passed here: {}", words(program, &call.made)));
        }
    }
    let wanted = match flow.taker {
        Taker::Head => Taker::Call,
        Taker::Call => Taker::Head,
        _ => return problem,
    };
    let is_other = |other: &&Flow| other.taker == wanted && (other.pred, other.place) == (flow.pred, flow.place);
    let mut others = known.flows.iter().filter(is_other);
    let Some(other) = others.next().filter(|_| others.next().is_none()) else { return problem };
    if problem.labels.iter().any(|(span, _)| other.span.contains(*span) || span.contains(other.span)) {
        return problem;
    }
    match flow.taker {
        Taker::Head => problem.also(other.span, format!("the only call has {}", words(program, &other.made))),
        _ => problem.also(other.span, format!("the only clause needs {}", words(program, &other.takes))),
    }
}

/// The problem of a call with a term that a goal of the helper needs to be another one, as `flow` says.
fn passed_on(program: &Program, known: &GameShapes, (call, span): (&Flow, Span), flow: &Flow) -> Problem {
    let (takes, made) = (flow.takes.clone(), call.made.clone());
    let needing = Flow { taker: Taker::Needs, takes, made, ..*call };
    let problem = unmatched(program, known, &needing, span);
    problem.also(
        flow.span,
        format!("a clause of {} needs {} here", program.indicator(call.pred), words(program, &flow.takes)),
    )
}

/// Whether all terms of a shape are made at some places.
pub(super) fn comes_from(shape: &Shape, blamed: &[Span]) -> bool {
    let Shape::Of(forms) = shape else { return false };
    let made = |form: &Form| {
        form.functor().is_some_and(|(_, spans)| !spans.is_empty() && spans.iter().all(|span| blamed.contains(span)))
    };
    !forms.is_empty() && forms.iter().all(made)
}

/// Whether a part of a shape is made at some place.
pub(super) fn is_made_at(shape: &Shape, places: &[Span]) -> bool {
    let (mut stack, mut found) = (vec![shape], false);
    while let Some(Shape::Of(forms)) = stack.pop() {
        for form in forms {
            found |= form.functor().is_some_and(|(_, spans)| spans.iter().any(|span| places.contains(span)));
            if let Form::Compound(_, args, _) | Form::Row(args, _) = form {
                stack.extend(args.iter().filter(|arg| **arg != Shape::Any));
            }
        }
    }
    found
}

fn is_odd(flow: &Flow) -> bool {
    let meet = flow.takes.meet(&flow.made);
    match flow.taker {
        Taker::Question | Taker::Whole | Taker::Open => false,
        Taker::Head => meet >= ShapeMatch::Kind || flow.takes.is_turned(&flow.made),
        Taker::Key | Taker::Exchanged => meet != ShapeMatch::Fits,
        // The list of nothing is [], and no word.
        Taker::Compared => {
            meet >= ShapeMatch::Kind || is_slip(flow) || meet == ShapeMatch::Word && are_lists(&flow.made)
        }
        Taker::Element => {
            meet >= ShapeMatch::Word || flow.takes.is_turned(&flow.made) || is_unknown_key(&flow.takes, &flow.made)
        }
        Taker::Answer | Taker::Call => meet >= ShapeMatch::Word || is_side(&flow.takes, &flow.made),
        Taker::Removed | Taker::List | Taker::Misplaced | Taker::Needs => meet >= ShapeMatch::Word,
    }
}

fn are_lists(shape: &Shape) -> bool {
    matches!(shape, Shape::Of(forms) if forms.iter().all(|form| matches!(form, Form::List(_) | Form::Row(..))))
}

/// Whether a head takes what nothing makes, and other places take what comes to the head.
fn is_lonely(known: &GameShapes, head: &Flow) -> bool {
    let told = |shape: &Shape| matches!(shape, Shape::Of(forms) if !forms.is_empty());
    let flows = || known.flows.iter().filter(|flow| flow.taker != Taker::Whole);
    let made = || flows().map(|flow| &flow.made).filter(|made| told(made));
    let others = flows().filter(|flow| flow.span != head.span && flow.taker != Taker::Call);
    let elements = head.made.elements();
    head.takes.meet(&head.made) == ShapeMatch::Never
        && made().all(|made| head.takes.meet(made) != ShapeMatch::Fits)
        && others.filter(|flow| told(&flow.takes) && flow.takes != Shape::of(vec![Form::List(Shape::Any)])).any(
            |flow| [&head.made, &elements].iter().any(|made| told(made) && flow.takes.meet(made) == ShapeMatch::Fits),
        )
}

/// Whether a compared constant is a slip for one of the constants that come.
fn is_slip(flow: &Flow) -> bool {
    let (Shape::Of(own), Shape::Of(others)) = (&flow.takes, &flow.made) else { return false };
    let [Form::Name(name, _)] = &own[..] else { return false };
    let names: Vec<&str> = others
        .iter()
        .filter_map(|form| if let Form::Name(other, _) = form { Some(other.text()) } else { None })
        .collect();
    names.len() == others.len() && !names.contains(&name.text()) && nearest(name.text(), names).is_some()
}

/// Whether a place is in a head of the predicate that takes the term.
fn is_head(program: &Program, flow: &Flow) -> bool {
    let mut heads = program.predicate(flow.pred).clauses.iter().map(|clause| clause.tree.span(clause.head));
    heads.any(|head| head.contains(flow.span))
}

/// Whether a variable has another shape in the heads of other clauses: then the head is wrong.
fn is_named_oddly(program: &Program, known: &GameShapes, flow: &Flow) -> bool {
    let text = |flow: &Flow| program.sources.text(flow.span).to_string();
    let own = text(flow);
    let others =
        known.flows.iter().filter(|other| other.from.is_some() && other.from != flow.from && text(other) == own);
    others.map(|other| other.made.meet(&flow.made)).any(|meet| meet != ShapeMatch::Fits)
}

/// Whether a call of the same predicate passes a form that none of its clauses takes.
fn lacks_a_head(call: &Flow, flow: &Flow) -> bool {
    let Shape::Of(forms) = &call.made else { return false };
    let odd = |form: &Form| call.takes.meet(&Shape::of(vec![form.clone()])) >= ShapeMatch::Word;
    call.taker == Taker::Call && (call.pred, call.place) == (flow.pred, flow.place) && forms.iter().any(odd)
}

/// The calls that pass a term that is not a list, if the term is an argument of the clause.
fn callers<'a>(known: &'a GameShapes, flow: &'a Flow) -> Vec<&'a Flow> {
    let mut found = vec![flow];
    let least = if flow.taker == Taker::Answer { ShapeMatch::Word } else { ShapeMatch::Never };
    for _ in 0..CALLERS {
        let calls = |called: &Flow| -> Vec<&'a Flow> {
            let Some((pred, place)) =
                called.up.filter(|_| matches!(flow.taker, Taker::List | Taker::Needs | Taker::Answer))
            else {
                return Vec::new();
            };
            let calls = known.flows.iter().filter(|call| matches!(call.taker, Taker::Call | Taker::Needs));
            let of_it = calls.filter(|call| (call.pred, call.place) == (pred, place) && call.up != called.up);
            of_it.filter(|call| flow.takes.meet(&call.made) >= least).collect()
        };
        let higher: Vec<&Flow> = found.iter().flat_map(|called| calls(called)).collect();
        if higher.is_empty() {
            break;
        }
        found = higher;
    }
    found
}

fn unmatched(program: &Program, known: &GameShapes, flow: &Flow, span: Span) -> Problem {
    let own = quoted(&program.sources, flow.span);
    let (takes, made) = (words(program, &flow.takes), words(program, &flow.made));
    let name = program.indicator(flow.pred);
    let (message, help) = match flow.taker {
        Taker::Head => (
            format!("no call of {name} has {own} here, so this clause never applies"),
            format!("the calls have {made} here\nwrite this, or correct the calls"),
        ),
        Taker::Element => (
            format!("no element of the list is {own}, so this goal never succeeds"),
            match difference(program, &flow.takes, &flow.made) {
                Some((at, own, there)) if takes == made => {
                    format!("argument {at} of each element is {there}, and {own} here\ncorrect the element or the list")
                }
                _ => format!("{}each element is {made}\nwrite such an element, or correct the list", meant(flow)),
            },
        ),
        Taker::Removed => (
            format!("no element of the list is {own}, so this goal removes nothing"),
            format!("{}each element is {made}\nwrite such an element, or correct the list", meant(flow)),
        ),
        Taker::Compared => (
            format!("the other side of this comparison is never {own}"),
            match are_lists(&flow.made) {
                true => format!("it is {made}\nwrite [] for the empty list, or correct the term where it is made"),
                false => format!("it is {made}\nwrite one of these, or correct the term where it is made"),
            },
        ),
        Taker::List | Taker::Misplaced | Taker::Needs => (
            format!("expected {takes} here, found {own}"),
            match flow.taker {
                Taker::Misplaced => format!("it is {made}\nare the arguments in the right order?"),
                _ => format!("it is {made}\nwrite {takes}, or correct the term where it is made"),
            },
        ),
        Taker::Key => {
            let keys = flow.made.at(&[(flow.made.functor().unwrap_or(atoms::EQUAL), 0)]);
            (
                format!("no element that {name} looks for has {own}"),
                format!("the elements have {}\nwrite one of these", words(program, &keys)),
            )
        }
        Taker::Exchanged => (
            format!("{name} never has {own} here"),
            format!("expected {takes}, found {made}\nare the arguments exchanged?"),
        ),
        Taker::Call | Taker::Question | Taker::Whole | Taker::Open => (
            format!("no clause of {name} matches {own}, so this goal never succeeds"),
            match is_exchangeable(known, flow) {
                true => format!("it is {made}, and {name} expects {takes} here\nare the arguments in the right order?"),
                false => format!("it is {made}, and {name} expects {takes} here\nwrite such a term, or correct {name}"),
            },
        ),
        Taker::Answer => (
            format!("no answer of {name} matches {own}, so this goal never succeeds"),
            match difference(program, &flow.made, &flow.takes) {
                Some((at, own, there)) => format!(
                    "argument {at} is {own}, and {name} answers with {there} there\nwrite such a term, or correct {name}"
                ),
                None => {
                    format!("it is {made}, and {name} answers with {takes} here\nwrite such a term, or correct {name}")
                }
            },
        ),
    };
    let mut problem = Problem::warning(Code::GoalNeverSucceeds, span, message);
    if span != flow.span {
        problem = problem.also(flow.span, format!("here it is {made}"));
    } else if let Some(head) = flow.from {
        problem = problem.also(head, format!("it comes from here: {made}"));
    } else {
        for maker in makers(program, known, flow) {
            problem = problem.also(maker, "the term is made here");
        }
    }
    problem.help(help)
}

/// A question that names a similar element of the list, if there is one.
fn meant(flow: &Flow) -> String {
    let (Some(own), Shape::Of(forms)) = (flow.takes.functor(), &flow.made) else { return String::new() };
    let names = forms.iter().filter_map(|form| Some(form.functor()?.0.0.text()));
    nearest(own.text(), names).map_or_else(String::new, |name| format!("did you mean {name}? "))
}

/// Every place that makes a form of a shape, with the shape of what it makes.
fn producers(known: &GameShapes, shape: &Shape) -> Vec<(Span, Shape)> {
    let Shape::Of(forms) = shape else { return Vec::new() };
    let makers = |form: &Form| {
        let spans = form.functor().map_or_else(Vec::new, |(_, spans)| spans.to_vec());
        // The shapes of atoms are not stored by their places.
        let atom = Some(Shape::of(vec![form.clone()])).filter(|_| matches!(form, Form::Name(..)));
        let made = move |span: Span| Some((span, known.written.get(&span).cloned().or_else(|| atom.clone())?));
        spans.into_iter().filter_map(made).collect::<Vec<_>>()
    };
    forms.iter().flat_map(makers).collect()
}

/// Reports a label that contradicts several places that take labels, and removes their warnings.
pub(super) fn label(
    (program, contract): (&Program, &Contract),
    known: &GameShapes,
    stuck: &[Problem],
    problems: &mut Vec<Problem>,
) {
    let all = producers(known, &known.labels);
    let told = |span: Span| {
        problems.iter().any(|other| other.code == Code::ClauseMatchesNoLabel && span.contains(other.labels[0].0))
    };
    let asks = asked(program).into_iter().filter_map(|ClaimedGoal { tree, goal, holds }| {
        let (name, arity) = tree.functor(goal)?;
        let own = |pred: PredId| (program.predicate(pred).key.name, program.predicate(pred).key.arity) == (name, arity);
        let mut taking = contract.questions().into_iter().filter(|(_, modes)| modes.starts_with("++"));
        let is_asked = contract.labelled.is_some_and(own) || taking.any(|(pred, _)| own(pred));
        let label = *tree.args(goal).get(1).filter(|_| is_asked)?;
        (holds || told(tree.span(label))).then_some((tree, label, holds))
    });
    // A label in a goal that must fail is not surely one of the game.
    let best = best_labels(program).into_iter().map(|(tree, node)| (tree, node, true));
    let claims: Vec<_> = best.chain(asks).collect();
    let unsure: Vec<Span> =
        claims.iter().filter(|(.., holds)| !holds).map(|(tree, node, _)| tree.span(*node)).collect();
    let claims = claims.into_iter().map(|(tree, node, _)| (tree.span(node), Shape::of_text(tree, node, DEEPEST)));
    let heads = known.flows.iter().filter(|flow| flow.taker == Taker::Question && flow.made == known.labels);
    let takers: Vec<(Span, Shape)> = heads.map(|flow| (flow.span, flow.takes.clone())).chain(claims).collect();
    let takes = |taker: &Shape, made: &Shape| taker.meet(made) == ShapeMatch::Fits;
    let (odd, even): (Vec<_>, Vec<_>) = takers
        .iter()
        .partition(|(span, taker)| told(*span) && all.iter().all(|(_, made)| taker.meet(made) != ShapeMatch::Fits));
    let telling: Vec<_> = even.iter().filter(|(_, taker)| all.iter().any(|(_, made)| !takes(taker, made))).collect();
    let alone = all.iter().filter(|(_, made)| !telling.iter().any(|(_, taker)| takes(taker, made)));
    let lonely = alone.clone().count();
    let alike = |made: &Shape| {
        let own = made.names();
        odd.iter().map(|(_, taker)| taker.names().intersection(&own).count()).min().unwrap_or(0)
    };
    let found = alone.max_by_key(|(_, made)| alike(made));
    let is_clause = |place: &Span| {
        program.predicates.iter().flat_map(|pred| &pred.clauses).any(|clause| clause.span.contains(*place))
    };
    // One clause is enough if only one of several labels is left, and has the name that the clause looks for as an
    // argument.
    let has_name = |name: Atom, made: &Shape| made.functor() != Some(name) && made.names().contains(&name);
    let is_left = |(_, made): &(Span, Shape)| odd[0].1.functor().is_some_and(|name| has_name(name, made));
    let is_alone = odd.len() == 1 && lonely == 1 && all.len() > 1 && is_clause(&odd[0].0) && found.is_some_and(is_left);
    let is_sure = odd.len() > 1 || is_alone;
    let blamed = is_sure && odd.iter().any(|(span, _)| !unsure.contains(span));
    let named = || {
        let functor =
            |shape: &Shape| if let Shape::Of(forms) = shape { Some(forms.first()?.functor()?.0) } else { None };
        let mut same = all.iter().filter(|(_, made)| odd.iter().all(|(_, taker)| functor(taker) == functor(made)));
        same.next().filter(|_| same.next().is_none())
    };
    // Clauses with variables match each label of their name, so the claims alone may tell.
    let Some((span, made)) = found.or_else(named).filter(|_| blamed) else { return };
    if lonely > 1 && alike(made) == 0 {
        return;
    }
    // A goal that can never match may be the cause of the label.
    let mut clauses = program.predicates.iter().flat_map(|pred| &pred.clauses);
    let clause = clauses.find(|clause| clause.span.contains(*span)).map_or(*span, |clause| clause.span);
    let explained = stuck.iter().any(|other| clause.contains(other.labels[0].0));
    let others = if odd.iter().all(|(place, _)| is_clause(place)) { "clauses" } else { "clauses and expectations" };
    let own = quoted(&program.sources, *span);
    let message = match odd.len() {
        1 => format!("the label {own} is made here, and a clause matches another label that no clause makes"),
        count => format!("no clause matches the label {own}, and {count} {others} match other labels"),
    };
    let mut problem = Problem::warning(Code::ClauseMatchesNoLabel, *span, message);
    problems.retain(|other| {
        other.code != Code::ClauseMatchesNoLabel || !odd.iter().any(|(span, _)| span.contains(other.labels[0].0))
    });
    if explained {
        return;
    }
    // A part of the label may be made elsewhere.
    problem = origins::with_part(problem, "label", (&odd[0].1, made), clause);
    for (taker, _) in odd.iter().take(SHOWN) {
        problem = problem.also(*taker, "this matches another label");
    }
    let wanted = quoted(&program.sources, odd[0].0);
    let others = if odd.len() == 1 { "the other".to_string() } else { format!("the {} others", odd.len()) };
    problems.push(problem.help(format!("write a label of the form {wanted} here, or correct {others}")));
}
