//! Translates grammar rules (`-->`) to clauses with two more arguments.
//!
//! The head and the body are added to the tree of the rule, in the form of SWI-Prolog 9. Pereira and
//! Warren, "Definite Clause Grammars for Language Analysis", 1980.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::{Atom, atoms};

/// Returns head and body of the clause for `left --> right`.
pub fn translate(tree: &mut TermTree, left: NodeId, right: NodeId) -> Result<(NodeId, NodeId), Problem> {
    let span = tree.span(left);
    let start = tree.fresh("_S0", span);
    let end = tree.fresh("_S", span);
    let (nonterminal, pushback) = match tree.binary(left, atoms::COMMA) {
        Some((head, pushback)) => (head, Some(pushback)),
        None => (left, None),
    };
    let Some(pushback) = pushback else {
        let head = extend(tree, nonterminal, start, end)?;
        let body = body(tree, right, start, end)?;
        return Ok((head, body));
    };
    let middle = tree.fresh("_S1", span);
    let head = extend(tree, nonterminal, start, end)?;
    let first = body(tree, right, start, middle)?;
    let last = terminals(tree, pushback, end, middle)?;
    Ok((head, conj(tree, first, last)))
}

fn conj(tree: &mut TermTree, left: NodeId, right: NodeId) -> NodeId {
    let span = tree.span(left).to(tree.span(right));
    tree.compound(atoms::COMMA, &[left, right], span)
}

fn extend(tree: &mut TermTree, at: NodeId, start: NodeId, end: NodeId) -> Result<NodeId, Problem> {
    let Some((name, _)) = tree.functor(at) else {
        return Err(Problem::error(Code::InvalidClause, tree.span(at), "this cannot be part of a grammar rule")
            .help("write a nonterminal, a list or a text"));
    };
    let mut args = tree.args(at).to_vec();
    args.extend([start, end]);
    Ok(tree.compound(name, &args, tree.span(at)))
}

fn body(tree: &mut TermTree, at: NodeId, start: NodeId, end: NodeId) -> Result<NodeId, Problem> {
    stacker::maybe_grow(64 << 10, 4 << 20, || construct(tree, at, start, end))
}

fn construct(tree: &mut TermTree, at: NodeId, start: NodeId, end: NodeId) -> Result<NodeId, Problem> {
    let span = tree.span(at);
    if let TermKind::Var(_) = tree.kind(at) {
        return Ok(tree.compound(Atom::new("phrase"), &[at, start, end], span));
    }
    if let TermKind::Text(text) = tree.kind(at).clone() {
        let mut list = tree.add(TermKind::Atom(atoms::NIL), span);
        for c in text.chars().rev() {
            let code = tree.add(TermKind::Int(i64::from(u32::from(c))), span);
            list = tree.compound(atoms::DOT, &[code, list], span);
        }
        return terminals(tree, list, start, end);
    }
    let args = tree.args(at).to_vec();
    match (tree.functor(at), args.as_slice()) {
        (Some((atoms::COMMA, 2)), [left, right]) => {
            let middle = tree.fresh("_S1", span);
            let left = body(tree, *left, start, middle)?;
            let right = body(tree, *right, middle, end)?;
            Ok(conj(tree, left, right))
        }
        (Some((atoms::SEMICOLON | atoms::BAR, 2)), [left, right]) => {
            let left = body(tree, *left, start, end)?;
            let right = body(tree, *right, start, end)?;
            Ok(tree.compound(atoms::SEMICOLON, &[left, right], span))
        }
        (Some((name @ (atoms::ARROW | atoms::SOFT_ARROW), 2)), [left, right]) => {
            let middle = tree.fresh("_S1", span);
            let left = body(tree, *left, start, middle)?;
            let right = body(tree, *right, middle, end)?;
            Ok(tree.compound(name, &[left, right], span))
        }
        (Some((atoms::NOT, 1)), [inner]) => {
            let rest = tree.fresh("_S1", span);
            let inner = body(tree, *inner, start, rest)?;
            let not = tree.compound(atoms::NOT, &[inner], span);
            let same = tree.compound(atoms::EQUAL, &[start, end], span);
            Ok(conj(tree, not, same))
        }
        (Some((atoms::CUT, 0)), _) => same_after(tree, at, start, end),
        (Some((atoms::CURLY, 1)), [goal]) => same_after(tree, *goal, start, end),
        (Some((atoms::CURLY, 0)), _) => Ok(tree.compound(atoms::EQUAL, &[start, end], span)),
        (Some((atoms::CALL, _)), [_, ..]) => extend(tree, at, start, end),
        (Some((atoms::DOT, 2) | (atoms::NIL, 0)), _) => terminals(tree, at, start, end),
        _ => extend(tree, at, start, end),
    }
}

fn same_after(tree: &mut TermTree, goal: NodeId, start: NodeId, end: NodeId) -> Result<NodeId, Problem> {
    let span = tree.span(goal);
    let same = tree.compound(atoms::EQUAL, &[start, end], span);
    Ok(conj(tree, goal, same))
}

/// The goal `Start = [a, b|End]`.
fn terminals(tree: &mut TermTree, list: NodeId, start: NodeId, end: NodeId) -> Result<NodeId, Problem> {
    let span = tree.span(list);
    let Some(items) = tree.list(list) else {
        return Err(Problem::error(Code::InvalidClause, span, "terminals must be a list").help("write [a, b]"));
    };
    let mut whole = end;
    for item in items.into_iter().rev() {
        whole = tree.compound(atoms::DOT, &[item, whole], span);
    }
    Ok(tree.compound(atoms::EQUAL, &[start, whole], span))
}

/// Whether a grammar body is a list, a cut or a goal in braces, which call no nonterminal.
pub(super) fn is_construct(tree: &TermTree, mut body: NodeId) -> bool {
    while let Some((_, inner)) = tree.binary(body, atoms::COLON) {
        body = inner;
    }
    let constructs = [(atoms::NIL, 0), (atoms::DOT, 2), (atoms::CUT, 0), (atoms::CURLY, 0), (atoms::CURLY, 1)];
    tree.functor(body).is_some_and(|functor| constructs.contains(&functor) || functor == (atoms::BAR, 2))
}
