//! Generates random goals: calls of builtins, of the library, of the program's own predicates, and control
//! constructs.
//!
//! Most goals make sense. Some are wrong on purpose, because the solvers must agree in errors too.

use crate::solvers::program::Goal;
use crate::solvers::terms::{Chance, Scope, Type, is_ground};

#[path = "goals/builtins.rs"]
mod builtins;

/// The mode of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    In,
    Out,
    /// Input or output.
    Both,
}

/// A predicate that goals may call.
#[derive(Clone, Debug)]
pub struct Pred {
    pub name: String,
    pub args: Vec<(Type, Mode)>,
}

/// The data for generating goals.
pub struct Goals {
    pub chance: Chance,
    pub preds: Vec<Pred>,
    /// Whether goals may compare variables by their age.
    pub by_age: bool,
}

use Type::{Any, Int, Ints, Items};

fn leaf(text: String) -> Goal {
    Goal::Leaf(text)
}

fn node(texts: &[&str], goals: Vec<Goal>) -> Goal {
    Goal::Node(texts.iter().map(|text| text.to_string()).collect(), goals)
}

const TESTS: &[&str] = &[
    "var",
    "nonvar",
    "atom",
    "integer",
    "float",
    "number",
    "atomic",
    "compound",
    "callable",
    "is_list",
    "string",
    "ground",
    "acyclic_term",
];

impl Goals {
    fn input(&mut self, scope: &mut Scope, kind: Type) -> String {
        self.chance.input(scope, kind)
    }

    fn output(&mut self, scope: &mut Scope, kind: Type) -> String {
        self.chance.output(scope, kind)
    }

    /// A body or a query of about `count` goals.
    pub fn conjunction(&mut self, scope: &mut Scope, count: usize, depth: usize) -> Vec<Goal> {
        (0..count).map(|_| self.goal(scope, depth)).collect()
    }

    pub fn goal(&mut self, scope: &mut Scope, depth: usize) -> Goal {
        let control = if depth > 0 { 30 } else { 0 };
        match self.chance.weighted(&[30, 40, control, 4]) {
            0 if !self.preds.is_empty() => self.call(scope),
            0 | 1 => self.builtin(scope),
            2 => self.control(scope, depth - 1),
            _ => leaf("!".to_string()),
        }
    }

    /// A goal that may hold or fail, for use as a condition.
    fn condition(&mut self, scope: &mut Scope, depth: usize) -> Goal {
        match self.chance.weighted(&[30, 15, 10, 8, 6, 31]) {
            0 => self.comparison(scope),
            1 => self.test(scope),
            2 => self.order(scope),
            3 => Goal::All(vec![self.call(scope), self.comparison(scope)]),
            4 => Goal::All(vec![self.list(scope), leaf("!".to_string())]),
            _ => self.some(scope, depth),
        }
    }

    fn test(&mut self, scope: &mut Scope) -> Goal {
        let test = *self.chance.pick(TESTS);
        leaf(format!("{test}({})", self.input(scope, Any)))
    }

    /// A call of one of the program's own predicates.
    fn call(&mut self, scope: &mut Scope) -> Goal {
        if self.preds.is_empty() {
            return self.list(scope);
        }
        let pred = self.chance.pick(&self.preds).clone();
        leaf(self.call_of(&pred, scope, 0))
    }

    /// A call without its last arguments.
    pub fn call_of(&mut self, pred: &Pred, scope: &mut Scope, without: usize) -> String {
        let given = &pred.args[..pred.args.len() - without.min(pred.args.len())];
        let mut args = Vec::new();
        for (kind, mode) in given {
            let output = match mode {
                Mode::In => self.chance.percent(4),
                Mode::Out => self.chance.percent(90),
                Mode::Both => self.chance.percent(65),
            };
            args.push(match (output, *kind, mode) {
                (true, kind, _) => self.output(scope, kind),
                // Counting down from a large number takes long.
                (false, Int, Mode::In) if self.chance.percent(60) => self.chance.small(),
                (false, kind, _) => self.input(scope, kind),
            });
        }
        if args.is_empty() { pred.name.clone() } else { format!("{}({})", pred.name, args.join(", ")) }
    }

    /// A goal that orders these terms, if none of them is a variable.
    fn ordering(&mut self, terms: &[&str], goal: String) -> Goal {
        let open: Vec<&str> = terms.iter().copied().filter(|term| !is_ground(term)).collect();
        if open.is_empty() || self.by_age {
            return leaf(goal);
        }
        let open = open.join(", ");
        match self.chance.below(2) {
            0 => Goal::All(vec![leaf(format!("ground([{open}])")), leaf(goal)]),
            _ => leaf(format!("(ground([{open}]) -> {goal} ; true)")),
        }
    }

    fn builtin(&mut self, scope: &mut Scope) -> Goal {
        match self.chance.weighted(&[18, 22, 6, 3, 3, 11, 22, 7, 8, 6, 4, 4, 2, 1, 6]) {
            0 => self.unification(scope),
            1 => self.assignment(scope),
            2 => self.comparison(scope),
            3 => self.test(scope),
            4 => self.order(scope),
            5 => self.inspection(scope),
            6 => self.list(scope),
            7 => self.sorting(scope),
            8 => self.applying(scope),
            9 => self.text(scope),
            10 => self.writing(scope),
            11 => self.board(scope),
            12 => self.throwing(scope),
            13 => leaf(self.chance.pick(&["true", "fail", "false", "true", "fail"]).to_string()),
            _ => self.known_trap(scope),
        }
    }

    /// Goals that solvers often get wrong, around goals of any kind.
    fn known_trap(&mut self, scope: &mut Scope) -> Goal {
        let list = self.input(scope, Ints);
        let (bound, out) = (self.chance.small(), self.output(scope, Items));
        let (x, y) = (scope.fresh(Int), scope.fresh(Int));
        let inner = self.list(scope);
        let two = |a: String, b: String| node(&[&a, &b], vec![inner]);
        match self.chance.below(16) {
            0 => two(
                format!("findall({x}-{y}, (member({x}, [1, 2, 3]), catch(findall(Z, (member(Z, [4, 5, 6]), "),
                format!(", (Z > {x} + 3 -> throw({y}) ; true)), _), {y}, true)), {out})"),
            ),
            1 => two(format!("(member({x}, {list}), ({x} > {bound}, !, "), format!(" ; {y} = none))")),
            2 => two(format!("catch(member({x}, [1, 2, 3]), _, true), "), format!(", {x} > 1, throw(late({x}))")),
            3 => two("catch(catch((".to_string(), format!(", throw(f({x}, a))), f({y}, b), true), f(_, {out}), true)")),
            4 => two(format!("((member({x}, {list}) -> {x} > {bound} ; "), format!(") -> {out} = yes ; {out} = no)")),
            5 => two("(\\+ (".to_string(), format!(", !, fail) -> {out} = [] ; {out} = [_])")),
            6 => two(format!("findall({x}, (member({x}, {list}), \\+ \\+ "), format!("), {out}, {out})")),
            7 => two(format!("((member({x}, {list}), "), format!(") *-> {x} >= {bound} ; {x} = {bound})")),
            8 => two(format!("G{x} = (member({x}, {list}), !), (G{x}, "), format!(" ; {x} = {bound})")),
            9 => two(
                format!("catch((between(1, inf, {x}), {x} > {bound}, "),
                format!(", throw(found({x}))), found({y}), true)"),
            ),
            10 => two(format!("forall(member({x}, {list}), ({x} >= {bound} -> "), " ; true))".to_string()),
            11 => two(format!("bagof({x}, Y^(member({x}-Y, [1-a, 2-b, 3-a]), "), format!("), {out})")),
            12 => {
                two(format!("findall({x}, catch((member({x}, {list}), {x} > {bound}, "), format!("), _, fail), {out})"))
            }
            13 => two(
                format!(
                    "setof({x}, (member({x}, [3, 1, 2, 4]), \\+ member({x}-_, [1-a]), \
                     aggregate_all(count, member(_, {list}), {y}), "
                ),
                format!("), {out})"),
            ),
            14 => two(
                format!("bagof({x}, (member({x}, {list}), forall(member({y}, {list}), {y} >= {bound}), "),
                format!(", findall({y}, member({y}, [1, 2]), [_|_])), {out})"),
            ),
            _ => two(format!("({x} = 1 ; {x} = 2, ! ; {x} = 3, "), format!("), {y} = {x}")),
        }
    }

    fn throwing(&mut self, scope: &mut Scope) -> Goal {
        let ball = match self.chance.below(4) {
            0 => "_".to_string(),
            1 => format!("my({})", self.input(scope, Any)),
            2 => format!("error(type_error(integer, {}), _)", self.input(scope, Any)),
            _ => self.chance.term(scope, 2),
        };
        leaf(format!("throw({ball})"))
    }

    /// Goals that leave no bindings.
    fn local(&mut self, scope: &mut Scope, count: usize, depth: usize) -> Goal {
        let seen = scope.seen.len();
        let goals = self.conjunction(scope, count, depth);
        scope.forget(seen);
        Goal::All(goals)
    }

    fn some(&mut self, scope: &mut Scope, depth: usize) -> Goal {
        let count = self.chance.weighted(&[1, 10, 6, 3]);
        Goal::All(self.conjunction(scope, count, depth))
    }

    fn control(&mut self, scope: &mut Scope, depth: usize) -> Goal {
        match self.chance.weighted(&[20, 22, 7, 9, 5, 4, 4, 16, 4, 5, 6, 14, 5, 4]) {
            0 => node(&["(", " ; ", ")"], vec![self.some(scope, depth), self.some(scope, depth)]),
            1 => {
                let goals = vec![self.condition(scope, depth), self.some(scope, depth), self.some(scope, depth)];
                node(&["(", " -> ", " ; ", ")"], goals)
            }
            2 => {
                let goals = vec![self.condition(scope, depth), self.some(scope, depth), self.some(scope, depth)];
                node(&["(", " *-> ", " ; ", ")"], goals)
            }
            3 => {
                let seen = scope.seen.len();
                let goal = self.condition(scope, depth);
                scope.forget(seen);
                node(&["\\+ (", ")"], vec![goal])
            }
            4 => node(&["once((", "))"], vec![self.some(scope, depth)]),
            5 => node(&["ignore((", "))"], vec![self.some(scope, depth)]),
            6 => node(&["forall((", "), (", "))"], vec![self.local(scope, 1, depth), self.local(scope, 1, depth)]),
            7 => self.gathering(scope, depth),
            8 => node(&["(", " -> ", ")"], vec![self.condition(scope, depth), self.some(scope, depth)]),
            9 => node(&["(", " *-> ", ")"], vec![self.some(scope, depth), self.some(scope, depth)]),
            10 => node(&["call((", "))"], vec![self.some(scope, depth)]),
            11 => self.catching(scope, depth),
            12 => {
                let name = scope.fresh(Any);
                let texts = [
                    &format!("{name} = ("),
                    &format!(
                        "), {}",
                        self.chance.pick(&[
                            &format!("call({name})"),
                            &name,
                            &format!("once({name})"),
                            &format!("\\+ \\+ {name}")
                        ])
                    ),
                ];
                node(&[texts[0], texts[1]], vec![self.some(scope, depth)])
            }
            _ => node(
                &["(", " ; ", " ; ", ")"],
                vec![self.some(scope, depth), self.some(scope, depth), self.some(scope, depth)],
            ),
        }
    }

    fn gathering(&mut self, scope: &mut Scope, depth: usize) -> Goal {
        let seen = scope.seen.len();
        let count = 1 + self.chance.below(2);
        let goal = Goal::All(self.conjunction(scope, count, depth));
        let template = self.chance.term(scope, 1);
        let number = self.chance.expression(scope, 0);
        let inner: Vec<String> = scope.seen[seen..].iter().map(|(name, _)| name.clone()).collect();
        scope.forget(seen);
        let kind = if self.chance.percent(40) { Ints } else { Items };
        let out = self.output(scope, kind);
        let texts = match self.chance.weighted(&[50, 8, 10, 10, 6, 6, 5, 5]) {
            0 => [format!("findall({template}, ("), format!("), {out})")],
            1 => [format!("findall({template}, ("), format!("), {out}, {})", self.input(scope, kind))],
            2 | 3 => {
                let name = *self.chance.pick(&["bagof", "setof"]);
                let mut open = format!("{name}({template}, ");
                for name in &inner {
                    if self.chance.percent(50) {
                        open.push_str(&format!("{name}^"));
                    }
                }
                [format!("{open}("), format!("), {out})")]
            }
            4 => ["aggregate_all(count, (".to_string(), format!("), {})", self.output(scope, Int))],
            5 => [format!("aggregate_all(sum({number}), ("), format!("), {})", self.output(scope, Int))],
            6 => {
                let name = *self.chance.pick(&["max", "min"]);
                [format!("aggregate_all({name}({number}), ("), format!("), {})", self.output(scope, Int))]
            }
            _ => [format!("aggregate_all({}({template}), (", self.chance.pick(&["bag", "set"])), format!("), {out})")],
        };
        Goal::Node(texts.to_vec(), vec![goal])
    }

    fn catching(&mut self, scope: &mut Scope, depth: usize) -> Goal {
        let goal = self.some(scope, depth);
        let ball = match self.chance.weighted(&[40, 15, 15, 10, 10, 10]) {
            0 => scope.fresh(Any),
            1 => format!("error({}, _)", scope.fresh(Any)),
            2 => format!("error(type_error({}, {}), _)", scope.fresh(Any), scope.fresh(Any)),
            3 => format!("my({})", scope.fresh(Any)),
            4 => self.chance.term(scope, 1),
            _ => "error(evaluation_error(_), _)".to_string(),
        };
        let recovery = match self.chance.weighted(&[40, 15, 10, 35]) {
            0 => leaf("true".to_string()),
            1 => leaf(format!("throw({ball})")),
            2 => leaf(format!("write({ball})")),
            _ => self.some(scope, depth),
        };
        Goal::Node(vec!["catch((".to_string(), format!("), {ball}, ("), "))".to_string()], vec![goal, recovery])
    }
}
