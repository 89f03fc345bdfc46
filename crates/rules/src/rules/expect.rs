//! Reads the expectations of a game file: `:- expect(...)`.
//!
//! [`claims`] turns expectations into [`Claim`]s, which the session tests with searches. It adds a
//! problem for each expectation that is not valid.

use crate::rules::compared_claims as compared;
use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Expectation, Program, USER};
use alphorn_prolog::term::build::build;
use alphorn_prolog::term::heap::Heap;
use alphorn_prolog::term::pack::{Packed, pack};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

/// A value as an expectation writes it.
#[derive(Clone, Debug, PartialEq)]
pub enum ClaimedValue {
    /// A number, as `alphorn value` shows it.
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
    /// The number of lines of a given length: position or first opening, depth, number.
    Perft(Option<Packed>, u32, u64),
    /// The value of a position or of the first opening, at a depth or exact.
    Value(Option<Packed>, Option<u32>, ClaimedValue),
    /// The best move of a position at a depth, by its label.
    Best(Packed, u32, Packed),
    /// A goal that has an answer.
    Holds(NodeId),
    /// A goal that has no answer.
    Fails(NodeId),
}

/// A claim and its place in the text.
#[derive(Clone, Debug)]
pub struct StatedClaim {
    /// The claim.
    pub claim: Claim,
    /// The tree that contains the goals.
    pub tree: TermTree,
    /// The place in the text.
    pub span: Span,
}

/// Reads every expectation of a program.
pub fn claims(program: &Program, problems: &mut Vec<Problem>) -> Vec<StatedClaim> {
    let mut found = Vec::new();
    for expectation in &program.expectations {
        match claim(expectation) {
            Some(claim) => found.push(StatedClaim { claim, tree: expectation.tree.clone(), span: expectation.span }),
            None => problems.push(unclear(expectation, program)),
        }
    }
    found
}

/// The problem of an invalid expectation. If only one part is wrong, the problem points at it.
fn unclear(expectation: &Expectation, program: &Program) -> Problem {
    let tree = &expectation.tree;
    let parts = tree.binary(expectation.claim, atoms::EQUAL);
    let wrong = |at: NodeId, message: &str| Problem::error(Code::InvalidExpectation, tree.span(at), message);
    if let Some((what, result)) = parts {
        let variable = [what, result].into_iter().flat_map(|part| below(tree, part));
        let mut variable = variable.filter(|node| matches!(tree.kind(*node), TermKind::Var(_)));
        if let Some(at) = variable.next() {
            let name = program.sources.text(tree.span(at));
            return wrong(at, "an expectation cannot contain a variable")
                .help(format!("replace {name} with a value: write positions, labels and numbers in full"));
        }
        let value = tree.functor(what).is_some_and(|(name, _)| name.text() == "value");
        if value && worth(tree, result).is_none() {
            let problem = wrong(result, "this is not a value");
            return match tree.functor(result) {
                Some((name, 0)) if matches!(name.text(), "max" | "min") => {
                    let win = format!("win({})", name.text());
                    problem.help(format!("write {win}, or a number or draw")).edit(tree.span(result), win)
                }
                Some((name, 1)) if name.text() == "win" => problem.help("write win(max) or win(min)"),
                _ => problem.help("write a number, win(max), win(min) or draw"),
            };
        }
    }
    if let Some((at, message, help)) = slip(expectation, program) {
        let meant = help.strip_prefix("did you mean ").and_then(|rest| rest.strip_suffix('?')).map(str::to_string);
        let problem = wrong(at, &message).help(help);
        return match meant {
            Some(meant) => problem.edit(tree.span(at), meant),
            None => problem,
        };
    }
    wrong(expectation.claim, "this is not an expectation").help(
        "write expect(perft(4) = N), expect(perft(Pos, 4) = N), expect(value = V), expect(value(Pos) = V), expect(value(Pos, Depth) = V), expect(best(Pos, Depth) = Label), expect(holds(Goal)) or expect(fails(Goal)); write positions, labels and numbers in full",
    )
}

/// A mistake in an expectation: node, message, help.
type Slip = Option<(NodeId, String, String)>;

/// Finds a frequent mistake.
fn slip(expectation: &Expectation, program: &Program) -> Slip {
    let (tree, claim) = (&expectation.tree, expectation.claim);
    let text = |at: NodeId| quoted(&program.sources, tree.span(at));
    let Some((what, result)) = tree.binary(claim, atoms::EQUAL) else {
        return counted_moves(expectation, program).or_else(|| without_equals(expectation, program));
    };
    if let Some(slip) = counted_moves(expectation, program) {
        return Some(slip);
    }
    if is_subject(tree, result) && !is_subject(tree, what) {
        let help = format!("write the value on the right: {} = {}", text(result), text(what));
        return said(claim, "the two sides are in the wrong order", help);
    }
    if is_subject(tree, what) {
        return of_subject(expectation, program, (what, result));
    }
    let (name, arity) = tree.functor(what)?;
    if is_goal(program, name, arity + 1) {
        let goal = match text(what).strip_suffix(')') {
            None => format!("{}({})", text(what), text(result)),
            Some(open) => format!("{open}, {})", text(result)),
        };
        let help = format!("to claim that a goal holds, write holds({goal})");
        return said(what, &format!("{} has no value", name.text()), help);
    }
    let near = nearest(name.text(), SUBJECTS.iter().copied())?;
    let meant = text(what).replacen(name.text(), near, 1);
    said(what, &format!("there is no expectation {}", name.text()), format!("did you mean {meant}?"))
}

fn said(at: NodeId, message: &str, help: String) -> Slip {
    Some((at, message.to_string(), help))
}

fn is_subject(tree: &TermTree, at: NodeId) -> bool {
    tree.functor(at).is_some_and(|(name, _)| SUBJECTS.contains(&name.text()))
}

/// Finds a claim about the number of moves, such as `moves(Pos) > 1` or `length(moves(Pos)) = 3`. `perft/2` states it.
fn counted_moves(expectation: &Expectation, program: &Program) -> Slip {
    let (tree, claim) = (&expectation.tree, expectation.claim);
    let text = |at: NodeId| quoted(&program.sources, tree.span(at));
    let &[left, right] = tree.args(claim) else { return None };
    let operator = tree.functor(claim)?.0.text();
    if !["=", "==", "=:=", "is", ">", "<", ">=", "=<", "<=", "=>"].contains(&operator) {
        return None;
    }
    let [counted, number] =
        if tree.functor(right).is_some() && count(tree, left).is_some() { [right, left] } else { [left, right] };
    count(tree, number)?;
    let mut what = counted;
    while let (Some((name, 1)), [inner]) = (tree.functor(what), tree.args(what))
        && matches!(name.text(), "length" | "count" | "size")
    {
        what = *inner;
    }
    let (name, arity) = tree.functor(what)?;
    let about = match (name.text(), tree.args(what)) {
        ("moves" | "move", []) => String::new(),
        ("moves" | "move", [position]) if tree.is_ground(*position) => format!("{}, ", text(*position)),
        _ => return None,
    };
    let number = text(number);
    let help = match operator {
        "=" | "==" | "=:=" | "is" => {
            format!("the number of moves is the number of lines of one move: write perft({about}1) = {number}")
        }
        _ => format!("an expectation states one number of moves: write perft({about}1) = N"),
    };
    said(what, &format!("{}/{arity} is not a number", name.text()), help)
}

/// Finds the mistake in a claim without `=`.
fn without_equals(expectation: &Expectation, program: &Program) -> Slip {
    let (tree, claim) = (&expectation.tree, expectation.claim);
    let text = |at: NodeId| quoted(&program.sources, tree.span(at));
    let (name, arity) = tree.functor(claim)?;
    let name_text = name.text();
    match tree.args(claim) {
        [left, right]
            if is_subject(tree, *left) && (!name_text.starts_with(char::is_alphabetic) || name_text == "is") =>
        {
            return compared::slip(expectation, program, (*left, name_text, *right));
        }
        [left, right] if is_subject(tree, *right) && !name_text.starts_with(char::is_alphabetic) => {
            return compared::slip(expectation, program, (*right, compared::mirrored(name_text), *left));
        }
        [inner] if matches!(name_text, "\\+" | "not") => {
            if let Some((left, right)) = tree.binary(*inner, atoms::EQUAL)
                && is_subject(tree, left)
            {
                return compared::slip(expectation, program, (left, "\\=", right));
            }
        }
        [left, right] if !name_text.starts_with(char::is_alphabetic) => {
            if let Some((compared, count)) = tree.functor(*left)
                && is_goal(program, compared, count + 1)
                && let Some(open) = text(*left).strip_suffix(')')
            {
                let help = format!("write holds(({open}, V), V {name_text} {}))", text(*right));
                return said(*left, &format!("{} has no value", compared.text()), help);
            }
        }
        // The first bracket is closed too late.
        [before @ .., last] if SUBJECTS.contains(&name_text) && tree.binary(*last, atoms::EQUAL).is_some() => {
            let (inner, result) = tree.binary(*last, atoms::EQUAL)?;
            let args: Vec<String> = before.iter().chain([&inner]).map(|arg| text(*arg)).collect();
            let help =
                format!("close the bracket before the `=`: write {name_text}({}) = {}", args.join(", "), text(result));
            return said(claim, "the claimed value is inside of the brackets", help);
        }
        [depth, count]
            if name_text == "perft" && natural(tree, *depth).is_some() && natural(tree, *count).is_some() =>
        {
            let (depth, count) = (text(*depth), text(*count));
            let help = format!("write perft({depth}) = {count}; or, if {depth} is a position, {} = ...", text(claim));
            return said(claim, "the claimed number is missing", help);
        }
        goals if matches!(name_text, "holds" | "fails") => {
            let goals: Vec<String> = goals.iter().map(|goal| text(*goal)).collect();
            let help = format!("put the goals in a second pair of brackets: {name_text}(({}))", goals.join(", "));
            return said(claim, &format!("{name_text} takes one goal"), help);
        }
        [position, value]
            if name_text == "value" && worth(tree, *value).is_some() && natural(tree, *value).is_none() =>
        {
            let help = format!("write value({}) = {}", text(*position), text(*value));
            return said(claim, "the claimed value is missing", help);
        }
        _ => {}
    }
    if is_subject(tree, claim) {
        return said(claim, "the claimed value is missing", format!("write the value: {} = ...", text(claim)));
    }
    if is_goal(program, name, arity) {
        return said(
            claim,
            "a goal alone is not an expectation",
            format!("write holds({}), or fails(...)", text(claim)),
        );
    }
    let near = nearest(name_text, SUBJECTS.iter().copied().chain(["holds", "fails"]))?;
    let meant = text(claim).replacen(name_text, near, 1);
    said(claim, &format!("there is no expectation {name_text}"), format!("did you mean {meant}?"))
}

/// Finds the mistake in the arguments of `perft`, `value` or `best`.
fn of_subject(expectation: &Expectation, program: &Program, (what, result): (NodeId, NodeId)) -> Slip {
    let tree = &expectation.tree;
    let text = |at: NodeId| quoted(&program.sources, tree.span(at));
    let is_depth = |at: &NodeId| natural(tree, *at).is_some();
    match (tree.functor(what)?.0.text(), tree.args(what)) {
        (name, [first, second]) if is_depth(first) && !is_depth(second) => {
            let help = format!("write the position first: {name}({}, {})", text(*second), text(*first));
            said(what, "the position and the depth are in the wrong order", help)
        }
        ("perft", []) => said(what, "perft needs a depth", format!("write perft(2) = {}", text(result))),
        ("best", [position]) => {
            said(what, "best needs a depth", format!("write best({}, 2) = {}", text(*position), text(result)))
        }
        ("best", []) => said(what, "best needs a position and a depth", "write best(Pos, 2) = Label".to_string()),
        ("perft", [depth]) | (_, [_, depth]) if !is_depth(depth) => {
            said(*depth, "this is not a depth", "a depth is a whole number, 0 or more".to_string())
        }
        ("perft", [_] | [_, _]) => {
            said(result, "this is not a number of lines", "write a whole number, 0 or more".to_string())
        }
        (name, [_, _, _, ..]) => {
            let help = format!("write {name}(Pos, Depth) = {}", text(result));
            said(what, &format!("{name} takes a position and a depth"), help)
        }
        _ => None,
    }
}

/// The names that may stand on the left side of `=`.
const SUBJECTS: [&str; 3] = ["perft", "value", "best"];

/// Whether a goal can call this predicate.
fn is_goal(program: &Program, name: Atom, arity: usize) -> bool {
    program.resolve_typed(USER, name, arity).is_some() || (name.text(), arity) == ("forall", 2) || name.text() == "\\+"
}

/// A node and all nodes below it, in the order of the text.
fn below(tree: &TermTree, node: NodeId) -> Vec<NodeId> {
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

fn natural(tree: &TermTree, at: NodeId) -> Option<u32> {
    match tree.kind(at) {
        TermKind::Int(value) => u32::try_from(*value).ok(),
        _ => None,
    }
}

fn count(tree: &TermTree, at: NodeId) -> Option<u64> {
    match tree.kind(at) {
        TermKind::Int(value) => u64::try_from(*value).ok(),
        _ => None,
    }
}

fn worth(tree: &TermTree, at: NodeId) -> Option<ClaimedValue> {
    match tree.kind(at) {
        TermKind::Int(value) => Some(ClaimedValue::Number(*value as f64)),
        TermKind::Float(value) => Some(ClaimedValue::Number(*value)),
        TermKind::Atom(name) if name.text() == "draw" => Some(ClaimedValue::Draw),
        _ => match tree.kind(tree.unary(at, Atom::new("win"))?) {
            TermKind::Atom(side) if side.text() == "max" => Some(ClaimedValue::WinMax),
            TermKind::Atom(side) if side.text() == "min" => Some(ClaimedValue::WinMin),
            _ => None,
        },
    }
}

fn ground(tree: &TermTree, at: NodeId) -> Option<Packed> {
    if !tree.is_ground(at) {
        return None;
    }
    let mut heap = Heap::default();
    let term = build(&mut heap, tree, at, &mut Vec::new());
    pack(&heap, term, 1 << 24)
}
