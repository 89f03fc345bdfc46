//! Finds lists that are an element of a list of the same kind, such as `[Card, Table]` for `[Card|Table]`.
//!
//! The input is the shapes of positions and of the lists in the text. A warning reports each list in
//! the text with such an element, and each goal that puts such a list into a list, if positions contain
//! such a list. Nothing is run. Only `misfit` calls this check.

use crate::rules::clause_at::clause_at;
use crate::rules::game_shapes::GameShapes;
use crate::rules::library::{Type, holds, library_name, rows};
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Goal, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// The functors of terms that are elements of a list, next to lists.
type Mixed = Vec<(Atom, usize)>;

/// Reports every list in the text that contains an element and a list of such elements.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mixed = mixed(&known.positions);
    if mixed.is_empty() {
        return Vec::new();
    }
    let pair = |shape: &Shape| match shape {
        Shape::Of(forms) => forms.iter().any(|form| is_pair(form, &mixed)),
        Shape::Any => false,
    };
    let mut spans: Vec<Span> = known.written.iter().filter(|(_, shape)| pair(shape)).map(|(span, _)| *span).collect();
    spans.sort();
    let mut found: Vec<Problem> = spans.into_iter().filter_map(|span| problem(program, span, &mixed)).collect();
    found.extend(put(program, &mixed));
    found.extend(bracketed(program, known, &mixed));
    found
}

/// The functors of terms that are elements of a list, next to lists, anywhere in a term.
fn mixed(shape: &Shape) -> Mixed {
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
fn is_pair(list: &Form, mixed: &Mixed) -> bool {
    let Some(Shape::Of(elements)) = list.elements() else { return false };
    let is_known = |form: &Form| {
        matches!(form, Form::Compound(..)) && form.functor().is_some_and(|(functor, _)| mixed.contains(&functor))
    };
    let holds = |term: &Form, list: &Form| match (term, list) {
        (Form::Compound(..), Form::List(inner)) => {
            let alike = |inner: &Shape| matches!(inner, Shape::Of(forms) if forms.iter().all(is_known));
            is_known(term)
                && *inner != Shape::NONE
                && (inner.meet(&Shape::of(vec![term.clone()])) == ShapeMatch::Fits || alike(inner))
        }
        _ => false,
    };
    matches!(list, Form::List(_) | Form::Row(..))
        && elements.iter().any(|one| elements.iter().any(|other| holds(one, other)))
}

/// Whether a term of the text is a list of terms that stand next to lists.
fn is_inner(tree: &TermTree, node: NodeId, mixed: &Mixed) -> bool {
    let known = |element: NodeId| tree.functor(element).is_some_and(|functor| mixed.contains(&functor));
    tree.list(node).is_some_and(|elements| !elements.is_empty() && elements.into_iter().all(known))
}

fn problem(program: &Program, span: Span, mixed: &Mixed) -> Option<Problem> {
    let tree = &clause_at(program, span)?.tree;
    let mut lists = tree.nodes().filter(|(node, _)| tree.span(*node) == span).filter_map(|(node, _)| tree.list(node));
    let elements = lists.next()?;
    let inner = elements.iter().copied().find(|element| is_inner(tree, *element, mixed));
    let text = quoted(&program.sources, span);
    let (place, help) = match (&elements[..], inner) {
        ([one, other], None) => {
            let [one, other] = [one, other].map(|element| quoted(&program.sources, tree.span(*element)));
            (span, format!("if {other} is the list, write [{one}|{other}] to put {one} before its elements"))
        }
        (_, Some(inner)) => (tree.span(inner), "write the elements without these square brackets".to_string()),
        _ => return None,
    };
    let message = format!("the list {text} contains both a term and a list of such terms");
    Some(Problem::warning(Code::ClauseMatchesNoPosition, place, message).help(help))
}

/// Reports `[List]` in a goal of the library that joins lists, where the variable is a list of such terms itself.
fn bracketed(program: &Program, known: &GameShapes, mixed: &Mixed) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    for clause in users.flat_map(|pred| &pred.clauses) {
        let tree = &clause.tree;
        each_goal(&clause.body, &mut |goal| {
            let Goal::Call { callee, args, .. } = goal else { return };
            let Some(row) = rows(library_name(program, callee), args.len()).first() else { return };
            let lists = row.iter().filter(|arg| matches!(&arg.of, Type::List(of) if matches!(**of, Type::Var(_))));
            if lists.count() < 2 {
                return;
            }
            for node in args {
                let Some(&[inner]) = tree.list(*node).as_deref() else { continue };
                let span = tree.span(*node);
                let is_list = known.written.get(&span).is_some_and(|shape| is_list_of_lists(shape, mixed));
                if matches!(tree.kind(inner), TermKind::Var(_)) && is_list {
                    let [own, inner] = [*node, inner].map(|node| quoted(&program.sources, tree.span(node)));
                    let message = format!("{inner} is a list, so {own} puts a list among the elements");
                    let help = format!("write {inner} without square brackets");
                    found.push(Problem::warning(Code::ClauseMatchesNoPosition, span, message).help(help));
                }
            }
        });
    }
    found
}

/// Whether a shape is a list of lists of terms that stand next to lists.
fn is_list_of_lists(shape: &Shape, mixed: &Mixed) -> bool {
    let is_known = |form: &Form| form.functor().is_some_and(|(functor, _)| mixed.contains(&functor));
    let is_list = |form: &Form| {
        let inner = if let Form::List(_) | Form::Row(..) = form { form.elements() } else { None };
        matches!(inner, Some(Shape::Of(forms)) if !forms.is_empty() && forms.iter().all(is_known))
    };
    matches!(shape.elements(), Shape::Of(forms) if !forms.is_empty() && forms.iter().all(is_list))
}

/// Reports goals of the library that put a list in the place of an element.
fn put(program: &Program, mixed: &Mixed) -> Vec<Problem> {
    let mut found = Vec::new();
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    for clause in users.flat_map(|pred| &pred.clauses) {
        let tree = &clause.tree;
        each_goal(&clause.body, &mut |goal| {
            let Goal::Call { callee, args, .. } = goal else { return };
            let name = library_name(program, callee);
            for row in rows(name, args.len()) {
                for (arg, node) in row.iter().zip(args) {
                    let Type::Var(own) = arg.of else { continue };
                    let listed = row.iter().any(|other| matches!(other.of, Type::List(_)) && holds(&other.of, own));
                    let span = tree.span(*node);
                    if listed && is_inner(tree, *node, mixed) && found.iter().all(|(other, _)| *other != span) {
                        found.push((span, name));
                    }
                }
            }
        });
    }
    let problem = |(span, name): (Span, &str)| {
        let text = quoted(&program.sources, span);
        let message = format!("{text} is a list, and {name} puts it among such terms as one element");
        let help = "write the element without square brackets".to_string();
        Problem::warning(Code::ClauseMatchesNoPosition, span, message).help(help)
    };
    found.into_iter().map(problem).collect()
}
