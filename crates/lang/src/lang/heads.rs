//! Reports clause heads that cannot define a predicate, and suggests what was meant.
//!
//! Examples are joined goals, an arrow or an equals sign instead of the neck, and a directive without
//! its neck. `load` calls this for each sentence; other clauses are not considered.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::foreign;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

/// The problem of a clause head; `None` if the head is not one of the known mistakes.
pub(super) fn head_problem(tree: &TermTree, head: NodeId, has_body: bool, text: &str) -> Option<Problem> {
    let (name, _) = tree.functor(head)?;
    let written = |node: NodeId| text.get(tree.span(node).start as usize..tree.span(node).end as usize).unwrap_or("");
    let directive = matches!((name.text(), tree.args(head).len()), ("param", 4) | ("use_module", 1 | 2) | ("op", 3));
    if directive && !has_body {
        let message = format!("{} is a directive: a directive begins with `:-`", name.text());
        let help = format!("write :- {}(...).", name.text());
        return Some(Problem::error(Code::UnknownDirective, tree.span(head), message).help(help));
    }
    let &[left, right] = tree.args(head) else { return None };
    let gap = text.get(tree.span(left).end as usize..tree.span(right).start as usize).unwrap_or("");
    let place = between(tree, left, right, name, gap);
    match name {
        atoms::COMMA | atoms::SEMICOLON if !has_body => Some(joined(tree, head, name, place, text)),
        atoms::ARROW if !has_body => {
            Some(Problem::error(Code::BuiltinRedefined, place, "`->` cannot define a predicate").help(foreign::NECK))
        }
        atoms::ARROW => {
            let help = format!("write the answer as an argument: {}", with_answer(tree, left, right, written)?);
            Some(Problem::error(Code::BuiltinRedefined, place, "`->` cannot define a predicate").help(help))
        }
        atoms::COLON if matches!(tree.kind(left), TermKind::Int(_)) => {
            let help = format!("remove {}: it is a line number, not part of the rule", written(left));
            Some(Problem::error(Code::InvalidClause, place, "`:` cannot define a predicate").help(help))
        }
        atoms::COLON if !has_body => {
            Some(Problem::error(Code::InvalidClause, place, "`:` cannot define a predicate").help(foreign::NECK))
        }
        atoms::EQUAL if matches!(tree.kind(right), TermKind::Atom(atoms::TRUE)) => Some(
            Problem::error(Code::BuiltinRedefined, place, "`=` cannot define a predicate")
                .help("remove `= true`: a fact is true without it"),
        ),
        atoms::EQUAL => {
            let help = format!("write {}", with_answer(tree, left, right, written)?);
            Some(Problem::error(Code::BuiltinRedefined, place, "`=` cannot define a predicate").help(help))
        }
        atoms::MINUS => {
            let gap = place.start == tree.span(left).end && place.end == tree.span(right).start;
            let ((first, 0), (rest, _)) = (tree.functor(left)?, tree.functor(right)?) else { return None };
            let help = format!("a name cannot contain `-`: write {}_{}", first.text(), rest.text());
            gap.then(|| Problem::error(Code::BuiltinRedefined, place, "`-` cannot define a predicate").help(help))
        }
        _ => None,
    }
}

/// The head with the answer added as its last argument.
fn with_answer<'a>(
    tree: &TermTree,
    head: NodeId,
    answer: NodeId,
    written: impl Fn(NodeId) -> &'a str,
) -> Option<String> {
    let text = written(head);
    Some(match tree.functor(head)? {
        (_, 0) => format!("{text}({})", written(answer)),
        _ => format!("{}, {})", text.strip_suffix(')').unwrap_or(text), written(answer)),
    })
}

/// The problem of goals that stand where a clause should begin.
fn joined(tree: &TermTree, head: NodeId, name: Atom, place: Span, text: &str) -> Problem {
    let start = tree.span(head).start as usize;
    let indented = text[..start].ends_with([' ', '\t']);
    let earlier = text[..start].trim_end().ends_with('.');
    if indented && earlier {
        let stop = text[..start].trim_end().len() - 1;
        let stop = Span { start: stop as u32, end: stop as u32 + 1, ..tree.span(head) };
        return Problem::error(Code::BuiltinRedefined, stop, "the goals after this full stop have no head")
            .help(format!("if they belong to the clause before, replace this full stop with `{}`", name.text()));
    }
    Problem::error(Code::BuiltinRedefined, place, format!("`{}` cannot join clauses", name.text()))
        .help("write `.` to end the clause, or `:-` after the head of a clause")
}

/// The span of an operator between its two arguments; `gap` is the text between them.
pub(super) fn between(tree: &TermTree, left: NodeId, right: NodeId, name: Atom, gap: &str) -> Span {
    let (from, whole) = (tree.span(left).end, tree.span(left).to(tree.span(right)));
    match gap.find(name.text()) {
        Some(at) => {
            let start = from + at as u32;
            Span { start, end: start + name.text().len() as u32, ..whole }
        }
        None => whole,
    }
}
