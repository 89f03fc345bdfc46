//! Finds the positions, the labels and the goals in expectations, and the shapes that they add.
//!
//! The results are terms of the text, and the shapes of positions with those of expectations.

use crate::rules::contract::{Contract, modes};
use crate::rules::game_shapes::{self, GameShapes};
use crate::rules::heads::heads;
use crate::rules::shape::Shape;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::symbol::{Atom, atoms};

/// The labels in expectations of best moves.
pub(super) fn best_labels(program: &Program) -> Vec<(&TermTree, NodeId)> {
    let claims = program.expectations.iter().filter_map(|expectation| {
        let tree = &expectation.tree;
        let (what, label) = tree.binary(expectation.claim, atoms::EQUAL)?;
        let (name, arity) = tree.functor(what)?;
        (name.text() == "best" && arity == 2).then_some((tree, label))
    });
    claims.collect()
}

/// A goal of an expectation.
pub(super) struct ClaimedGoal<'a> {
    pub(super) tree: &'a TermTree,
    pub(super) goal: NodeId,
    /// Whether the goal must hold; otherwise it must fail.
    pub(super) holds: bool,
}

/// The goals that must hold or fail. A conjunction is split into its goals.
pub(super) fn asked(program: &Program) -> Vec<ClaimedGoal<'_>> {
    let mut found = Vec::new();
    for expectation in &program.expectations {
        let tree = &expectation.tree;
        let Some((name, 1)) = tree.functor(expectation.claim) else { continue };
        let holds = match name.text() {
            "holds" => true,
            "fails" => false,
            _ => continue,
        };
        let mut stack = tree.args(expectation.claim).to_vec();
        while let Some(goal) = stack.pop() {
            match tree.binary(goal, atoms::COMMA) {
                Some((left, right)) => stack.extend([right, left]),
                None => found.push(ClaimedGoal { tree, goal, holds }),
            }
        }
    }
    found
}

/// The positions in expectations.
pub(super) fn claimed(program: &Program) -> Vec<(&TermTree, NodeId)> {
    let mut found = Vec::new();
    for expectation in &program.expectations {
        let tree = &expectation.tree;
        let Some((what, _)) = tree.binary(expectation.claim, atoms::EQUAL) else { continue };
        let known = tree.functor(what).is_some_and(|(name, _)| matches!(name.text(), "value" | "best" | "perft"));
        let args = tree.args(what);
        let depth_alone = args.len() == 1 && tree.functor(what).is_some_and(|(name, _)| name.text() == "perft");
        // With the depth first, the expectation is not valid.
        let exchanged = matches!(args, [first, second] if is_number(tree, *first) && !is_number(tree, *second));
        if let (true, false, Some(first)) = (known && !exchanged, depth_alone, args.first()) {
            found.push((tree, *first));
        }
    }
    found
}

/// The positions in expectations, those in goals such as `holds(outcome(Position, draw))` too.
pub(super) fn claimed_in_goals(program: &Program) -> Vec<(&TermTree, NodeId)> {
    let mut found = claimed(program);
    for ClaimedGoal { tree, goal, .. } in asked(program) {
        let Some((name, arity)) = tree.functor(goal) else { continue };
        let places: &[usize] = match (name.text(), modes(name.text(), arity)) {
            ("move", Some(_)) => &[0, 2],
            // A text.
            ("read_position", _) => continue,
            (_, Some(modes)) if modes.starts_with('+') => &[0],
            _ => continue,
        };
        found.extend(places.iter().map(|place| (tree, tree.args(goal)[*place])));
    }
    found
}

fn is_number(tree: &TermTree, node: NodeId) -> bool {
    matches!(tree.kind(node), TermKind::Int(_))
}

/// The shapes of positions and labels. Positions of expectations that the rules never make count too,
/// if a predicate for the side to move takes them, and another one as well.
pub(super) fn shapes_with_claims(program: &Program, contract: &Contract) -> Option<GameShapes> {
    let found = game_shapes::of(program, contract, &[])?;
    with_claims(program, contract, found)
}

/// Adds the positions of expectations that count to the shapes that `found` has without them.
pub(super) fn with_claims(program: &Program, contract: &Contract, found: GameShapes) -> Option<GameShapes> {
    let Shape::Of(forms) = &found.positions else { return Some(found) };
    let made = |functor: (Atom, usize)| forms.iter().any(|form| form.functor().is_some_and(|(own, _)| own == functor));
    let sides = [contract.max_to_move, contract.min_to_move];
    let others = [contract.terminal, contract.moves, contract.labelled];
    let named = |preds: &[Option<PredId>], functor: (Atom, usize)| {
        let mut all = preds.iter().flatten().flat_map(|pred| heads(program, *pred, 0));
        all.any(|(clause, node)| clause.tree.functor(node) == Some(functor))
    };
    let functors = claimed(program).into_iter().filter_map(|(tree, node)| tree.functor(node));
    let set: Vec<(Atom, usize)> = functors
        .filter(|functor| {
            functor.1 > 0
                && functor.0 != atoms::DOT
                && !made(*functor)
                && named(&sides, *functor)
                && named(&others, *functor)
        })
        .collect();
    if set.is_empty() { Some(found) } else { game_shapes::of(program, contract, &set) }
}
