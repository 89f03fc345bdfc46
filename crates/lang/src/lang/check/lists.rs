//! Reports terms that are not lists where a list is needed, and numbers joined by mistake.
//!
//! The warnings: a builtin whose list stands at the wrong argument, `findall/3` with the list before
//! the goal, `[X:Xs]` instead of `[X|Xs]`, and a missing comma before a negative number. Called by
//! `check/mod.rs` alone; games are unknown here.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, Program, Scope};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::signature::Fact;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// Reports arguments that cannot be lists, and the other mistakes of this file.
pub fn slips(program: &Program, scope: Scope, clause: &Clause, problems: &mut Vec<Problem>) {
    let tree = &clause.tree;
    let text = |node: NodeId| program.sources.text(tree.span(node));
    each_goal(&clause.body, &mut |goal| match goal {
        Goal::Call { callee, args, span } => {
            let (name, arity) = match callee {
                Callee::User(id) if !program.is_users(program.predicate(*id).key.scope) => {
                    (program.predicate(*id).key.name, args.len())
                }
                Callee::Native(id) => (Atom::new(program.known.row(*id).name), args.len()),
                _ => return,
            };
            let takes = |fact: &Fact| if let Fact::TakesList(place) = fact { Some(*place) } else { None };
            let place = program.known.facts(name, arity).iter().find_map(takes);
            let Some(place) = place.filter(|place| is_no_list(tree, args[*place])) else { return };
            let mut order = args.clone();
            let other = (0..arity).find(|other| *other != place && !is_no_list(tree, args[*other]));
            let Some(other) = other else { return };
            order.swap(place, other);
            let given: Vec<&str> = order.into_iter().map(text).collect();
            let name = name.text();
            let message = format!("{} is not a list, and {name}/{arity} needs one here", text(args[place]));
            let help = format!("write {name}({})", given.join(", "));
            problems.push(Problem::warning(Code::GoalNeverSucceeds, *span, message).help(help));
        }
        Goal::Findall { template, list, tail: None, span, goal } => {
            let goal_of = tree.functor(*list).and_then(|(name, arity)| program.resolve(scope, name, arity));
            if let (Goal::Meta(second, _), Some(_), true) = (&**goal, goal_of, is_no_list(tree, *list)) {
                let message = format!("{} is in the place of the list that findall/3 gives", text(*list));
                let help = format!(
                    "the goal is the second argument: write findall({}, {}, {})",
                    text(*template),
                    text(*list),
                    text(*second)
                );
                problems.push(Problem::warning(Code::GoalNeverSucceeds, *span, message).help(help));
            }
        }
        _ => {}
    });
    let mut rests = None;
    for (node, _) in tree.nodes() {
        pair(program, tree, node, &mut rests, problems);
        blank(program, tree, node, problems);
    }
}

/// Whether a term cannot become a list.
fn is_no_list(tree: &TermTree, node: NodeId) -> bool {
    match tree.kind(node) {
        TermKind::Var(_) => false,
        _ => !matches!(tree.functor(node), Some((atoms::NIL, 0) | (atoms::DOT, 2))),
    }
}

/// Reports `[X:Xs]` if `Xs` is the rest of another list of the clause. `rests` caches these rests.
fn pair(
    program: &Program,
    tree: &TermTree,
    node: NodeId,
    rests: &mut Option<FxHashSet<u32>>,
    problems: &mut Vec<Problem>,
) {
    let Some((only, end)) = tree.binary(node, atoms::DOT) else { return };
    let Some((first, rest)) = tree.binary(only, atoms::COLON) else { return };
    if *tree.kind(end) != TermKind::Atom(atoms::NIL) {
        return;
    }
    let gathered = || {
        let tails = tree.nodes().filter_map(|(other, _)| tree.binary(other, atoms::DOT));
        tails.filter_map(|(_, tail)| if let TermKind::Var(number) = tree.kind(tail) { Some(*number) } else { None })
    };
    if let TermKind::Var(number) = tree.kind(rest)
        && rests.get_or_insert_with(|| gathered().collect()).contains(number)
    {
        let text = |node| program.sources.text(tree.span(node));
        let message = format!("{} is a list of one element", text(node));
        let help = format!("write `|` between the first element and the rest: [{}|{}]", text(first), text(rest));
        problems.push(Problem::warning(Code::GoalNeverSucceeds, tree.span(only), message).help(help));
    }
}

/// Reports `10 -2` among arguments: a blank before the minus but none behind it.
fn blank(program: &Program, tree: &TermTree, node: NodeId, problems: &mut Vec<Problem>) {
    for arg in tree.args(node) {
        let Some((left, right)) = tree.binary(*arg, atoms::MINUS) else { continue };
        let number = |node| matches!(tree.kind(node), TermKind::Int(_) | TermKind::Float(_));
        let text = |node| program.sources.text(tree.span(node));
        let (from, to) = (tree.span(left), tree.span(right));
        let gap = program.sources.get(from.source).text.get(from.end as usize..to.start as usize).unwrap_or("");
        if number(left) && number(right) && gap.starts_with(char::is_whitespace) && gap.ends_with('-') {
            let message = format!("{} is a single term, not two numbers", text(*arg));
            let help = format!("write {}, -{} for two numbers, {0} - {1} for a pair", text(left), text(right));
            problems.push(Problem::warning(Code::ExpressionNotComputed, tree.span(*arg), message).help(help));
        }
    }
}
