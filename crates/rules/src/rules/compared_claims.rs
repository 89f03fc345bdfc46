//! Reports expectations that compare a value with another operator than `=`.
//!
//! An expectation states one value. The help shows the goal with which a game file can claim the same comparison:
//! `holds((value(Pos, 6, V), V > 0))`. Only `expect` calls this check.

use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Expectation, Program};

/// The depth that the suggested goal searches, in plies.
const DEPTH: u32 = 6;

/// The help for a subject, such as `value(Pos)`, an operator that compares it, and the other side.
pub(super) fn slip(
    expectation: &Expectation,
    program: &Program,
    (subject, operator, other): (NodeId, &str, NodeId),
) -> Option<(NodeId, String, String)> {
    let (tree, claim) = (&expectation.tree, expectation.claim);
    let text = |at: NodeId| quoted(&program.sources, tree.span(at));
    let written = tree.functor(claim)?.0;
    let message = format!("{} cannot be used in an expectation", written.text());
    if matches!(operator, "==" | "=:=" | "is" | ":=" | "=@=") {
        let help = format!("write the claim with `=`: {} = {}", text(subject), text(other));
        return Some((claim, message, help));
    }
    let goal = goal(tree, subject, &text).and_then(|(search, variable)| {
        let compared = comparison(tree, operator, variable, (other, &text))?;
        Some(format!("holds(({search}, {compared}))"))
    });
    let one = format!("an expectation states one value: write {} = ...", text(subject));
    let depth = if tree.args(subject).len() < 2 { "; the number is the depth in plies" } else { "" };
    let help = goal.map_or(one.clone(), |goal| format!("{one}\nto compare the value of a search, write {goal}{depth}"));
    Some((claim, message, help))
}

/// The goal that searches for a value, and the variable for this value.
fn goal(tree: &TermTree, subject: NodeId, text: &dyn Fn(NodeId) -> String) -> Option<(String, &'static str)> {
    let (name, _) = tree.functor(subject)?;
    let is_variable = |at: NodeId| matches!(tree.kind(at), TermKind::Var(_));
    match (name.text(), tree.args(subject)) {
        ("value", []) => Some((format!("once(initial(P)), value(P, {DEPTH}, V)"), "V")),
        ("value", [position]) if is_variable(*position) => {
            Some((format!("once(initial(P)), value(P, {DEPTH}, V)"), "V"))
        }
        ("value", [position]) => Some((format!("value({}, {DEPTH}, V)", text(*position)), "V")),
        ("value" | "best", [position, depth])
            if matches!(tree.kind(*depth), TermKind::Int(_)) && !is_variable(*position) =>
        {
            let variable = if name.text() == "best" { "Label" } else { "V" };
            Some((format!("{}({}, {}, {variable})", name.text(), text(*position), text(*depth)), variable))
        }
        _ => None,
    }
}

/// The comparison of the variable with the other side, as a goal.
fn comparison(
    tree: &TermTree,
    operator: &str,
    variable: &str,
    (other, text): (NodeId, &dyn Fn(NodeId) -> String),
) -> Option<String> {
    let operator = match operator {
        "=>" | "≥" => ">=",
        "<=" | "≤" => "=<",
        operator => operator,
    };
    let is_different = matches!(operator, "\\=" | "\\==" | "=\\=" | "!=" | "≠");
    if variable != "V" {
        return is_different.then(|| format!("{variable} \\= {}", text(other)));
    }
    let number = match tree.kind(other) {
        TermKind::Int(_) | TermKind::Float(_) => text(other),
        TermKind::Atom(name) if name.text() == "draw" => "0".to_string(),
        _ => return None,
    };
    match operator {
        _ if is_different => Some(format!("{variable} =\\= {number}")),
        ">" | "<" | ">=" | "=<" => Some(format!("{variable} {operator} {number}")),
        _ => None,
    }
}

/// The operator that compares the exchanged sides in the same way.
pub(super) fn mirrored(operator: &str) -> &str {
    match operator {
        ">" => "<",
        "<" => ">",
        ">=" | "≥" => "=<",
        "=<" | "<=" | "≤" => ">=",
        operator => operator,
    }
}
