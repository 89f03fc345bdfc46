//! Finds a first position that all expectations contradict.
//!
//! If several expectations have positions that rules never make, and the first position has none of their forms, one
//! warning takes the place of theirs: it does not say which of them are wrong. It also takes the place of warnings about
//! the same terms in rules. Only `misfit` calls this module.

use crate::rules::claimed::{claimed, claimed_in_goals};
use crate::rules::contract::Contract;
use crate::rules::heads::heads;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{quoted, words, written};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Clause, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// The least number of expectations that contradict the first position.
const AGAINST: usize = 2;

/// The greatest number of expectations that a problem marks.
const SHOWN: usize = 3;

/// Parts below this depth are not compared.
const DEEPEST: usize = 6;

/// Replaces the problems of expectations if they all contradict the first position, whose shape is `opening`.
pub(super) fn replace(program: &Program, contract: &Contract, opening: &Shape, found: &mut Vec<Problem>) {
    let own = found.iter().filter(|problem| problem.code == Code::ClauseMatchesNoPosition);
    let mut marked: Vec<Span> = own.map(|problem| problem.labels[0].0).collect();
    marked.sort();
    let is_odd = |span: Span| {
        let next = marked.partition_point(|mark| (mark.source, mark.start) < (span.source, span.start));
        marked.get(next).is_some_and(|mark| span.contains(*mark))
    };
    // The positions in goals count only if others are too few.
    let found_odd = [claimed(program), claimed_in_goals(program)].into_iter().find_map(|claims| {
        let odd = claims.iter().copied().filter(|(tree, node)| is_odd(tree.span(*node)));
        let odd: Vec<(&TermTree, NodeId)> = odd.collect();
        (odd.len() >= AGAINST).then_some((claims, odd))
    });
    let (Some((clause, first)), Some((claims, odd))) = (only_opening(program, contract), found_odd) else { return };
    if let Some((place, fact)) = lacking_fact(program, contract) {
        let message = format!("the first position has no {fact}, and the positions of all expectations have one");
        let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, place, message);
        for (tree, node) in odd.iter().take(SHOWN) {
            problem = problem.also(tree.span(*node), format!("this position has {fact}"));
        }
        found.retain(|problem| !problem.is_about_claim);
        found.push(problem.help(format!("add {fact} to the first position, or correct the expectations")));
        return;
    }
    let mut wanted = Shape::NONE;
    for (tree, node) in &claims {
        wanted.join(&of_any_length(&Shape::of_text(tree, *node, DEEPEST)));
    }
    let misfit = match wanted.may_be(&clause.tree, first) {
        false => {
            let (inner, there) = wanted.misfit(&clause.tree, first);
            Some((&clause.tree, inner, there))
        }
        // A helper may make a part of the position.
        true => astray(opening, &wanted, None).and_then(|((made, at), there)| {
            let mut trees = program.predicates.iter().flat_map(|pred| &pred.clauses).map(|clause| &clause.tree);
            let (tree, node) = trees.find_map(|tree| {
                let (node, _) = tree.nodes().find(|(node, _)| tree.span(*node) == made)?;
                Some((tree, node))
            })?;
            Some((tree, *tree.args(node).get(at)?, there))
        }),
    };
    let Some((tree, inner, there)) = misfit else { return };
    // An atom may be one that these expectations do not have.
    let is_name = |form: &Form| matches!(form, Form::Name(..) | Form::Atom);
    let has_names = matches!(&there, Shape::Of(forms) if forms.iter().any(is_name));
    if has_names && matches!(tree.kind(inner), TermKind::Atom(_)) {
        return;
    }
    let span = tree.span(inner);
    let message = format!(
        "the first position has {} here, and the positions of expectations have {}",
        quoted(&program.sources, span),
        words(program, &there)
    );
    let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
    for (tree, node) in odd.iter().take(SHOWN) {
        problem = problem.also(tree.span(*node), "this position has another form");
    }
    // Rules that take these terms as the expectations have them follow from the same mistake.
    let forms = if let Shape::Of(forms) = &there { &forms[..] } else { &[] };
    let compounds = forms.iter().filter_map(Form::functor).filter(|((_, arity), _)| *arity > 0);
    let names: Vec<String> = compounds.map(|((name, _), _)| format!("{}(", name.text())).collect();
    let takes = |span: &Span| names.iter().any(|name| program.sources.text(*span).contains(name));
    let is_about_heads = |problem: &Problem| {
        matches!(problem.code, Code::ClauseMatchesNoPosition | Code::GoalNeverSucceeds)
            && problem.labels.iter().any(|(span, _)| takes(span))
    };
    found.retain(|problem| !problem.is_about_claim && !is_about_heads(problem));
    found.push(problem.help("correct the first position, or the expectations"));
}

/// The smallest part of the first position that is not as wanted, and what is wanted there. The part is given by the
/// place of the term around it, and the number of its argument.
fn astray(own: &Shape, wanted: &Shape, around: Option<(Span, usize)>) -> Option<((Span, usize), Shape)> {
    let (Shape::Of(own), Shape::Of(forms)) = (own, wanted) else { return None };
    let ([form], Some(first)) = (&own[..], forms.first()) else { return None };
    if let Form::Compound(name, args, origin) = form {
        let alike = forms.iter().find_map(|other| match other {
            Form::Compound(other, parts, _) if other == name && parts.len() == args.len() => Some(parts),
            _ => None,
        });
        let Some(parts) = alike else { return Some((around?, wanted.clone())) };
        let mut pairs = args.iter().zip(parts).enumerate();
        return pairs.find_map(|(at, (own, wanted))| {
            let around = origin.0.first().map(|made| (*made, at));
            astray(own, wanted, around)
        });
    }
    let is_plain = |form: &Form| !matches!(form, Form::Compound(..));
    (is_plain(form) && !is_plain(first) && forms.len() == 1).then_some((around?, wanted.clone()))
}

/// A fact of all positions of expectations that the first position does not have, if all positions are lists of facts.
/// Returns the place of the first position too.
fn lacking_fact(program: &Program, contract: &Contract) -> Option<(Span, String)> {
    let facts = |tree: &TermTree, node: NodeId| -> Option<Vec<(Atom, usize)>> {
        tree.list(node)?.into_iter().map(|fact| tree.functor(fact).filter(|(_, arity)| *arity > 0)).collect()
    };
    let (clause, first) = only_opening(program, contract)?;
    let own = facts(&clause.tree, first)?;
    let all = claimed(program).into_iter().map(|(tree, node)| facts(tree, node)).collect::<Option<Vec<_>>>()?;
    let (one, others) = all.split_first().filter(|(_, others)| !others.is_empty())?;
    let is_lacking = |fact: &&(Atom, usize)| !own.contains(fact) && others.iter().all(|other| other.contains(fact));
    let (name, arity) = *one.iter().find(is_lacking)?;
    Some((clause.tree.span(first), written(name, arity, &program.ops)))
}

/// The head of the only clause of `initial/1`, and its argument.
fn only_opening<'p>(program: &'p Program, contract: &Contract) -> Option<(&'p Clause, NodeId)> {
    let mut firsts = contract.initial.into_iter().flat_map(|pred| heads(program, pred, 0));
    firsts.next().filter(|_| firsts.next().is_none())
}

/// A shape with lists of any length in place of lists of a fixed length.
fn of_any_length(shape: &Shape) -> Shape {
    let Shape::Of(forms) = shape else { return Shape::Any };
    let all = |parts: &[Shape]| parts.iter().map(of_any_length).collect::<Vec<_>>();
    let forms = forms.iter().map(|form| match form {
        Form::Row(parts, _) => {
            let mut of = Shape::NONE;
            all(parts).iter().for_each(|part| _ = of.join(part));
            Form::List(of)
        }
        Form::Compound(name, args, origin) => Form::Compound(*name, all(args), origin.clone()),
        Form::List(of) => Form::List(of_any_length(of)),
        form => form.clone(),
    });
    Shape::of(forms.collect())
}
