//! Finds lists that are an element of a list of the same kind, such as `[Card, Table]` for `[Card|Table]`.
//!
//! The input is the shapes of positions and of the lists in the text. A warning reports each list in
//! the text with such an element, if positions contain such a list. Nothing is run. Only `misfit`
//! calls this check.

use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use crate::rules::turned::clause_at;
use alphorn_lang::lang::program::Program;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// Reports every list in the text that contains an element and a list of such elements.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mixed = mixed(&known.positions);
    let pair = |shape: &Shape| match shape {
        Shape::Of(forms) => forms.iter().any(|form| is_pair(form, &mixed)),
        Shape::Any => false,
    };
    let mut spans: Vec<Span> = known.written.iter().filter(|(_, shape)| pair(shape)).map(|(span, _)| *span).collect();
    spans.sort();
    spans.into_iter().filter_map(|span| problem(program, span)).collect()
}

/// The functors of terms that are elements of a list, next to lists, anywhere in a term.
fn mixed(shape: &Shape) -> Vec<(Atom, usize)> {
    let (mut found, mut stack) = (Vec::new(), vec![shape]);
    while let Some(shape) = stack.pop() {
        let Shape::Of(forms) = shape else { continue };
        for form in forms {
            match form {
                Form::Compound(_, parts, _) | Form::Row(parts, _) => stack.extend(parts),
                Form::List(of) => {
                    let Shape::Of(elements) = of else { continue };
                    // What is in the inner list may lie too deep to be known.
                    if elements.iter().any(|form| matches!(form, Form::List(of) if *of != Shape::NONE)) {
                        let terms = elements.iter().filter(|form| matches!(form, Form::Compound(..)));
                        found.extend(terms.filter_map(|form| Some(form.functor()?.0)));
                    }
                    stack.push(of);
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether the elements of a list are compound terms, and lists of such terms. `mixed` contains the
/// functors of the terms.
fn is_pair(list: &Form, mixed: &[(Atom, usize)]) -> bool {
    let Some(Shape::Of(elements)) = list.elements() else { return false };
    let holds = |term: &Form, list: &Form| match (term, list) {
        (Form::Compound(..), Form::List(inner)) => {
            let known = term.functor().is_some_and(|(functor, _)| mixed.contains(&functor));
            known && *inner != Shape::NONE && inner.meet(&Shape::Of(vec![term.clone()])) == ShapeMatch::Fits
        }
        _ => false,
    };
    matches!(list, Form::List(_) | Form::Row(..))
        && elements.iter().any(|one| elements.iter().any(|other| holds(one, other)))
}

fn problem(program: &Program, span: Span) -> Option<Problem> {
    let tree = &clause_at(program, span)?.tree;
    let mut lists = tree.nodes().filter(|(node, _)| tree.span(*node) == span).filter_map(|(node, _)| tree.list(node));
    let elements = lists.find(|elements| elements.len() == 2)?;
    let [one, other] = [0, 1].map(|at| quoted(&program.sources, tree.span(elements[at])));
    let text = quoted(&program.sources, span);
    let message = format!("the list {text} contains both a term and a list of such terms");
    let help = format!("if {other} is the list, write [{one}|{other}] to put {one} before its elements");
    Some(Problem::warning(Code::ClauseMatchesNoPosition, span, message).help(help))
}
