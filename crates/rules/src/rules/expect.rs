//! What `:- expect(...)` claims.
//!
//! In: the expectations of a program. Out: [`Claim`]s, ready to be tested by
//! whoever can search; a problem for each that cannot be understood.

use alphorn_lang::lang::ast::{Kind, NodeId, Tree};
use alphorn_lang::lang::program::{Expectation, Program};
use alphorn_prolog::term::build::build;
use alphorn_prolog::term::heap::Heap;
use alphorn_prolog::term::pack::{Packed, pack};
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

/// A value as a person states it.
#[derive(Clone, Debug, PartialEq)]
pub enum Worth {
    /// The number that `value` shows.
    Number(f64),
    /// A win for MAX in any number of plies.
    WinMax,
    /// A win for MIN in any number of plies.
    WinMin,
    /// Nobody wins.
    Draw,
}

/// A claim about a game.
#[derive(Clone, Debug)]
pub enum Claim {
    /// So many move paths of a depth, from a position or the first opening.
    Perft(Option<Packed>, u32, u64),
    /// The value of a position, to a depth or to the end.
    Value(Option<Packed>, Option<u32>, Worth),
    /// The best move of a position at a depth, by its label.
    Best(Packed, u32, Packed),
    /// A goal that has an answer.
    Holds(NodeId),
    /// A goal that has none.
    Fails(NodeId),
}

/// A claim with its text.
#[derive(Clone, Debug)]
pub struct Stated {
    /// What it says.
    pub claim: Claim,
    /// The tree that goals lie in.
    pub tree: Tree,
    /// Where it stands.
    pub span: Span,
}

/// Understands every expectation.
pub fn claims(program: &Program, problems: &mut Vec<Problem>) -> Vec<Stated> {
    let mut found = Vec::new();
    for expectation in &program.expectations {
        match claim(expectation) {
            Some(claim) => found.push(Stated { claim, tree: expectation.tree.clone(), span: expectation.span }),
            None => problems.push(unclear(expectation, program)),
        }
    }
    found
}

/// What is wrong with a claim: the part that is, where the rest has a known form.
fn unclear(expectation: &Expectation, program: &Program) -> Problem {
    let tree = &expectation.tree;
    let parts = tree.binary(expectation.claim, atoms::EQUAL);
    let wrong = |at: NodeId, message: &str| Problem::error("A0507", tree.span(at), message);
    if let Some((what, result)) = parts {
        let variable = [what, result].into_iter().flat_map(|part| below(tree, part));
        let mut variable = variable.filter(|node| matches!(tree.kind(*node), Kind::Var(_)));
        if let Some(at) = variable.next() {
            let name = program.sources.text(tree.span(at));
            return wrong(at, "an expectation has a variable")
                .help(format!("write a value for the variable {name}: positions, labels and numbers are written out"));
        }
        let value = tree.functor(what).is_some_and(|(name, _)| name.text() == "value");
        if value && worth(tree, result).is_none() {
            return wrong(result, "this is no value").help("write a number, win(max), win(min) or draw");
        }
    }
    wrong(expectation.claim, "this is no expectation").help(
        "write expect(perft(4) = N), expect(perft(Pos, 4) = N), expect(value = V), expect(value(Pos) = V), expect(value(Pos, Depth) = V), expect(best(Pos, Depth) = Label), expect(holds(Goal)) or expect(fails(Goal)); positions, labels and numbers are written out",
    )
}

/// A node and all below it, in the order of the text.
fn below(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let (mut found, mut stack) = (Vec::new(), vec![node]);
    while let Some(at) = stack.pop() {
        found.push(at);
        stack.extend(tree.args(at).iter().rev());
    }
    found
}

fn claim(expectation: &Expectation) -> Option<Claim> {
    let tree = &expectation.tree;
    if let Some(goal) = tree.unary(expectation.claim, Atom::new("holds")) {
        return Some(Claim::Holds(goal));
    }
    if let Some(goal) = tree.unary(expectation.claim, Atom::new("fails")) {
        return Some(Claim::Fails(goal));
    }
    let (what, result) = tree.binary(expectation.claim, atoms::EQUAL)?;
    let (name, _) = tree.functor(what)?;
    match (name.text(), tree.args(what)) {
        ("perft", [depth]) => Some(Claim::Perft(None, natural(tree, *depth)?, count(tree, result)?)),
        ("perft", [position, depth]) => {
            Some(Claim::Perft(Some(ground(tree, *position)?), natural(tree, *depth)?, count(tree, result)?))
        }
        ("value", []) => Some(Claim::Value(None, None, worth(tree, result)?)),
        ("value", [position]) => Some(Claim::Value(Some(ground(tree, *position)?), None, worth(tree, result)?)),
        ("value", [position, depth]) => {
            Some(Claim::Value(Some(ground(tree, *position)?), Some(natural(tree, *depth)?), worth(tree, result)?))
        }
        ("best", [position, depth]) => {
            Some(Claim::Best(ground(tree, *position)?, natural(tree, *depth)?, ground(tree, result)?))
        }
        _ => None,
    }
}

fn natural(tree: &Tree, at: NodeId) -> Option<u32> {
    match tree.kind(at) {
        Kind::Int(value) => u32::try_from(*value).ok(),
        _ => None,
    }
}

fn count(tree: &Tree, at: NodeId) -> Option<u64> {
    match tree.kind(at) {
        Kind::Int(value) => u64::try_from(*value).ok(),
        _ => None,
    }
}

fn worth(tree: &Tree, at: NodeId) -> Option<Worth> {
    match tree.kind(at) {
        Kind::Int(value) => Some(Worth::Number(*value as f64)),
        Kind::Float(value) => Some(Worth::Number(*value)),
        Kind::Atom(name) if name.text() == "draw" => Some(Worth::Draw),
        _ => match tree.kind(tree.unary(at, Atom::new("win"))?) {
            Kind::Atom(side) if side.text() == "max" => Some(Worth::WinMax),
            Kind::Atom(side) if side.text() == "min" => Some(Worth::WinMin),
            _ => None,
        },
    }
}

fn ground(tree: &Tree, at: NodeId) -> Option<Packed> {
    if !tree.is_ground(at) {
        return None;
    }
    let mut heap = Heap::default();
    let term = build(&mut heap, tree, at, &mut Vec::new());
    pack(&heap, term, 1 << 24)
}
