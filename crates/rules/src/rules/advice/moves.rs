//! Compiles the move constraints of advice: which moves it allows, and in which order.
//!
//! The result is a goal that gives the moves one after the other. All are legal. `legal` gives all
//! moves, and a name gives the class of `move_class/4`. `A and B` gives the moves of A that are in
//! B. A list, or `A then B`, gives the moves of the first before those of the second. `at(D, A)`
//! and `before(D, A)` allow A at depth D or before it; so do comparisons of `depth`.

use super::formula::{DEEPEST, either, literal, native, once, pair};
use super::named::repeat;
use super::operators::COMPARISONS;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Callee, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// Compiles the constraints of one clause.
pub(super) struct Moves<'a> {
    program: &'a Program,
    problems: &'a mut Vec<Problem>,
    legal: PredId,
    classes: Option<PredId>,
    depth: NodeId,
    position: NodeId,
    label: NodeId,
    next: NodeId,
    nested: u32,
}

impl<'a> Moves<'a> {
    pub(super) fn new(
        program: &'a Program,
        problems: &'a mut Vec<Problem>,
        legal: PredId,
        [depth, position, label, next]: [NodeId; 4],
    ) -> Moves<'a> {
        let classes = program.own("move_class", 4);
        Moves { program, problems, legal, classes, depth, position, label, next, nested: 0 }
    }

    fn legal(&self, span: Span) -> Goal {
        let args = vec![self.position, self.label, self.next];
        Goal::Call { callee: Callee::User(self.legal), args, span }
    }

    /// The goal of a constraint; all legal moves if there is none.
    pub(super) fn generated(&mut self, tree: &mut TermTree, at: Option<NodeId>, span: Span) -> Goal {
        match at {
            Some(at) => self.moves(tree, at),
            None => self.legal(span),
        }
    }

    fn too_deep(&mut self, span: Span) -> bool {
        if self.nested < DEEPEST {
            return false;
        }
        let message = format!("constraints are nested more than {DEEPEST} deep");
        self.problems.push(
            Problem::error(Code::NestedTooDeep, span, message)
                .help("define a class of moves for the inner constraints"),
        );
        true
    }

    /// Reports a depth that is not a number, and a number in the place of moves.
    fn misplaced(&mut self, tree: &TermTree, at: NodeId) -> bool {
        let (bad, message, help) = match Constraint::of(tree, at) {
            Constraint::At(operator, depth, _) => match no_depth(tree, depth, false) {
                Some(bad) => {
                    let name = if operator == "<" { "before" } else { "at" };
                    (bad, "this is not a depth", format!("write the depth first, then the moves: {name}(2, legal)"))
                }
                None => return false,
            },
            Constraint::Depth(_, sides) => match sides.into_iter().find_map(|side| no_depth(tree, side, true)) {
                Some(bad) => (bad, "this is not a depth", "compare depth with a number: depth < 4".to_string()),
                None => return false,
            },
            Constraint::Class if tree.functor(at).is_none() && !matches!(tree.kind(at), TermKind::Var(_)) => {
                (at, "this is not a class of moves", "write legal, none, or the name of a class of moves".to_string())
            }
            _ => return false,
        };
        self.problems.push(Problem::error(Code::InvalidTablePart, tree.span(bad), message).help(help));
        true
    }

    fn moves(&mut self, tree: &mut TermTree, at: NodeId) -> Goal {
        let span = tree.span(at);
        if self.too_deep(span) {
            return Goal::Fail;
        }
        if self.misplaced(tree, at) {
            return Goal::Fail;
        }
        self.nested += 1;
        let goal = match Constraint::of(tree, at) {
            Constraint::None => Goal::Fail,
            Constraint::Any(parts) => {
                let mut goals: Vec<Goal> = parts.into_iter().map(|part| self.moves(tree, part)).collect();
                goals.pop().map_or(Goal::Fail, |last| either(goals, last))
            }
            Constraint::Both(left, right) if is_test(tree, left) => {
                Goal::Conj(vec![self.test(tree, left), self.moves(tree, right)])
            }
            Constraint::Both(left, right) => Goal::Conj(vec![self.moves(tree, left), self.test(tree, right)]),
            Constraint::At(operator, depth, inner) => {
                let test = self.compared(Atom::new(operator), [self.depth, depth], span);
                Goal::Conj(vec![test, self.moves(tree, inner)])
            }
            Constraint::Legal => self.legal(span),
            Constraint::Depth(..) => Goal::Conj(vec![self.test(tree, at), self.legal(span)]),
            Constraint::Not(_) | Constraint::Class => Goal::Conj(vec![self.legal(span), self.test(tree, at)]),
        };
        self.nested -= 1;
        goal
    }

    fn compared(&self, operator: Atom, sides: [NodeId; 2], span: Span) -> Goal {
        native(self.program, operator, sides.to_vec(), span)
    }

    /// The goal that tests whether a given move satisfies a constraint.
    fn test(&mut self, tree: &mut TermTree, at: NodeId) -> Goal {
        let span = tree.span(at);
        if self.too_deep(span) {
            return Goal::Fail;
        }
        if self.misplaced(tree, at) {
            return Goal::Fail;
        }
        self.nested += 1;
        let goal = match Constraint::of(tree, at) {
            Constraint::None => Goal::Fail,
            Constraint::Legal => Goal::True,
            Constraint::Any(parts) => {
                let mut goals: Vec<Goal> = parts.into_iter().map(|part| self.test(tree, part)).collect();
                goals.pop().map_or(Goal::Fail, |last| once(either(goals, last)))
            }
            Constraint::Both(left, right) => Goal::Conj(vec![self.test(tree, left), self.test(tree, right)]),
            Constraint::At(operator, depth, inner) => {
                let test = self.compared(Atom::new(operator), [self.depth, depth], span);
                Goal::Conj(vec![test, self.test(tree, inner)])
            }
            Constraint::Depth(operator, sides) => {
                let depth = TermKind::Atom(Atom::new("depth"));
                let sides = sides.map(|side| if *tree.kind(side) == depth { self.depth } else { side });
                self.compared(Atom::new(operator), sides, span)
            }
            Constraint::Not(inner) => Goal::Not(Box::new(self.test(tree, inner))),
            Constraint::Class => self.class(tree, at, span),
        };
        self.nested -= 1;
        goal
    }

    fn class(&mut self, tree: &TermTree, at: NodeId, span: Span) -> Goal {
        let of_class = self.classes.map(|classes| &self.program.predicate(classes).clauses[..]).unwrap_or_default();
        let known =
            |clause: &alphorn_lang::lang::program::Clause| clause.tree.functor(clause.tree.args(clause.head)[0]);
        let wanted = tree.functor(at);
        // A clause whose class is a variable defines every class.
        let defined = of_class.iter().any(|clause| known(clause).is_none() || known(clause) == wanted);
        if let (Some((name, arity)), false) = (wanted, defined) {
            let names = of_class.iter().filter_map(|clause| known(clause).map(|(name, _)| name.text()));
            let near = nearest(name.text(), names.chain(["legal"])).filter(|near| *near != name.text());
            let was = self.program.replaced.iter().find(|was| {
                let held = |(tree, head): &(TermTree, NodeId)| tree.functor(tree.args(*head)[0]) == wanted;
                was.is("move_class", 4) && was.clauses.iter().any(held)
            });
            let help = match (was, near) {
                (Some(was), _) => repeat(self.program, was),
                (None, Some(near)) => format!("did you mean {near}?"),
                (None, None) => format!("define it: move_class({}, Pos, Move, Next) :- ...", name.text()),
            };
            let message = format!("there is no class of moves {}/{arity}", name.text());
            let mut problem = Problem::error(Code::UndefinedAdvice, span, message).help(help);
            problem.edits.extend(near.filter(|_| was.is_none() && arity == 0).map(|near| (span, near.to_string())));
            self.problems.push(problem);
        }
        let Some(classes) = self.classes else { return Goal::Fail };
        let args = vec![at, self.position, self.label, self.next];
        once(Goal::Call { callee: Callee::User(classes), args, span })
    }
}

/// The form of a constraint.
enum Constraint {
    None,
    Legal,
    Any(Vec<NodeId>),
    Both(NodeId, NodeId),
    /// `depth operator number`, and the constraint that holds then.
    At(&'static str, NodeId, NodeId),
    Depth(&'static str, [NodeId; 2]),
    Not(NodeId),
    Class,
}

impl Constraint {
    fn of(tree: &TermTree, at: NodeId) -> Constraint {
        if let Some(parts) = tree.list(at) {
            return if parts.is_empty() { Constraint::None } else { Constraint::Any(parts) };
        }
        let mut parts = Vec::new();
        let mut rest = at;
        while let Some((left, right)) = pair(tree, rest, &["then", "or", ";"]) {
            parts.push(left);
            rest = right;
        }
        if !parts.is_empty() {
            parts.push(rest);
            return Constraint::Any(parts);
        }
        if let Some((left, right)) = pair(tree, at, &["and", ","]) {
            return Constraint::Both(left, right);
        }
        let depth = |node: &NodeId| *tree.kind(*node) == TermKind::Atom(Atom::new("depth"));
        match (tree.functor(at).map(|(name, _)| name.text()), tree.args(at)) {
            (Some("none" | "nomove"), []) => Constraint::None,
            (Some("legal" | "any"), []) => Constraint::Legal,
            (Some("at"), [when, inner]) => Constraint::At("=:=", *when, *inner),
            (Some("before"), [when, inner]) => Constraint::At("<", *when, *inner),
            (Some("not" | "\\+"), [inner]) => Constraint::Not(*inner),
            (Some(name), [left, right]) if depth(left) || depth(right) => match name {
                "=" => Constraint::Depth("=:=", [*left, *right]),
                _ => COMPARISONS
                    .iter()
                    .find(|known| **known == name)
                    .map_or(Constraint::Class, |known| Constraint::Depth(known, [*left, *right])),
            },
            _ => Constraint::Class,
        }
    }
}

/// The part of an expression that cannot give a number of plies, as far as its text tells.
fn no_depth(tree: &TermTree, at: NodeId, named: bool) -> Option<NodeId> {
    if !named && literal(tree, at).is_some_and(|number| number < 0) {
        return Some(at);
    }
    let mut stack = vec![at];
    while let Some(at) = stack.pop() {
        match tree.kind(at) {
            TermKind::Atom(name) if !(named && name.text() == "depth") => return Some(at),
            TermKind::Text(_) => return Some(at),
            _ => stack.extend(tree.args(at)),
        }
    }
    None
}

/// Whether a constraint only tests the depth.
fn is_test(tree: &TermTree, at: NodeId) -> bool {
    matches!(Constraint::of(tree, at), Constraint::Depth(..))
}

/// Whether a constraint can allow a move at depth 0, as far as its text tells.
pub(super) fn some_at_once(tree: &TermTree, at: NodeId) -> bool {
    let mut nested = 0;
    possible(tree, at, &mut nested)
}

fn possible(tree: &TermTree, at: NodeId, nested: &mut u32) -> bool {
    *nested += 1;
    // Deeper nesting is reported elsewhere.
    let found = *nested > DEEPEST
        || match Constraint::of(tree, at) {
            Constraint::None => false,
            Constraint::Legal | Constraint::Class | Constraint::Not(_) => true,
            Constraint::Any(parts) => parts.into_iter().any(|part| possible(tree, part, nested)),
            Constraint::Both(left, right) => possible(tree, left, nested) && possible(tree, right, nested),
            Constraint::At(operator, when, inner) => {
                literal(tree, when).is_none_or(|when| holds(0, operator, when)) && possible(tree, inner, nested)
            }
            Constraint::Depth(operator, [left, right]) => match (literal(tree, left), literal(tree, right)) {
                (Some(number), _) => holds(number, operator, 0),
                (_, Some(number)) => holds(0, operator, number),
                _ => true,
            },
        };
    *nested -= 1;
    found
}

fn holds(left: i64, operator: &str, right: i64) -> bool {
    match operator {
        "<" => left < right,
        ">" => left > right,
        "=<" => left <= right,
        ">=" => left >= right,
        "=:=" => left == right,
        _ => left != right,
    }
}
