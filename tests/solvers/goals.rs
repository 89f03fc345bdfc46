//! Random goals: calls of builtins, of the library, of a program's own predicates, and control.
//!
//! In: chance, the predicates there are, the variables seen. Out: [`Goal`]s. Most make sense; some
//! are wrong on purpose, for errors must agree too.

use crate::program::Goal;
use crate::terms::{Chance, Scope, Type, is_ground};

/// How an argument is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    In,
    Out,
    /// Either.
    Both,
}

/// A predicate that may be called.
#[derive(Clone, Debug)]
pub struct Pred {
    pub name: String,
    pub args: Vec<(Type, Mode)>,
}

/// What goals are made of.
pub struct Goals {
    pub chance: Chance,
    pub preds: Vec<Pred>,
    /// Whether variables may be put in order by their age.
    pub by_age: bool,
}

use Type::{Any, Atom, Board, Int, Ints, Items};

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

    /// A body or a goal to be asked, of about so many goals.
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

    /// A goal that is there to hold or not.
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
                // Counting down from far takes long.
                (false, Int, Mode::In) if self.chance.percent(60) => self.chance.small(),
                (false, kind, _) => self.input(scope, kind),
            });
        }
        if args.is_empty() { pred.name.clone() } else { format!("{}({})", pred.name, args.join(", ")) }
    }

    /// A goal that puts these terms in order, where none is a variable.
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

    /// What solvers are known to get wrong, around goals of any kind.
    fn known_trap(&mut self, scope: &mut Scope) -> Goal {
        let list = self.input(scope, Ints);
        let (bound, out) = (self.chance.small(), self.output(scope, Items));
        let (x, y) = (scope.fresh(Int), scope.fresh(Int));
        let inner = self.list(scope);
        let two = |a: String, b: String| node(&[&a, &b], vec![inner]);
        match self.chance.below(14) {
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
            _ => two(format!("({x} = 1 ; {x} = 2, ! ; {x} = 3, "), format!("), {y} = {x}")),
        }
    }

    fn unification(&mut self, scope: &mut Scope) -> Goal {
        let right = self.chance.term(scope, 3);
        let left = if self.chance.percent(60) { scope.fresh(Any) } else { self.chance.term(scope, 2) };
        let operator = match self.chance.weighted(&[80, 6, 3, 5, 2, 2, 2]) {
            0 => "=",
            1 => "\\=",
            2 => "==",
            3 => "\\==",
            4 => "=@=",
            5 => "\\=@=",
            _ => return leaf(format!("unify_with_occurs_check({left}, {right})")),
        };
        leaf(format!("{left} {operator} {right}"))
    }

    fn assignment(&mut self, scope: &mut Scope) -> Goal {
        let depth = self.chance.below(4);
        let value = self.chance.expression(scope, depth);
        match self.chance.weighted(&[80, 5, 5, 4, 3]) {
            0 => leaf(format!("{} is {value}", self.output(scope, Int))),
            1 => {
                let given = self.input(scope, Int);
                leaf(format!("succ({given}, {})", self.output(scope, Int)))
            }
            2 => {
                let (a, b) = (self.input(scope, Int), self.input(scope, Int));
                leaf(format!("plus({a}, {b}, {})", self.output(scope, Int)))
            }
            3 => {
                let (a, b) = (self.input(scope, Int), self.input(scope, Int));
                leaf(format!("divmod({a}, {b}, {}, {})", self.output(scope, Int), self.output(scope, Int)))
            }
            _ => {
                let given = self.output(scope, Int);
                let value = self.input(scope, Int);
                leaf(format!("plus({given}, {}, {value})", self.chance.small()))
            }
        }
    }

    fn comparison(&mut self, scope: &mut Scope) -> Goal {
        let depth = self.chance.below(2);
        let (left, right) = (self.chance.expression(scope, depth), self.chance.expression(scope, depth));
        leaf(format!("{left} {} {right}", self.chance.pick(&["<", ">", "=<", ">=", "=:=", "=\\=", "<", ">"])))
    }

    fn order(&mut self, scope: &mut Scope) -> Goal {
        let (left, right) = (self.input(scope, Any), self.input(scope, Any));
        let goal = match self.chance.below(6) {
            0 | 1 => format!("compare({}, {left}, {right})", self.output(scope, Atom)),
            _ => format!("{left} {} {right}", self.chance.pick(&["@<", "@>", "@=<", "@>="])),
        };
        self.ordering(&[&left, &right], goal)
    }

    fn inspection(&mut self, scope: &mut Scope) -> Goal {
        let term = self.input(scope, Any);
        let whole = self.chance.term(scope, 2);
        let text = match self.chance.below(13) {
            0 | 1 => format!("functor({whole}, {}, {})", self.output(scope, Atom), self.output(scope, Int)),
            2 => {
                let count = self.chance.small();
                format!("functor({}, {}, {count})", self.output(scope, Any), self.chance.atom())
            }
            3 | 4 => {
                let at = if self.chance.percent(50) { self.chance.small() } else { self.output(scope, Int) };
                format!("arg({at}, {whole}, {})", self.output(scope, Any))
            }
            5 => format!("{whole} =.. {}", self.output(scope, Items)),
            6 => {
                let items = format!("[{}|{}]", self.chance.atom(), self.input(scope, Items));
                format!("{} =.. {items}", self.output(scope, Any))
            }
            7 | 8 => format!("copy_term({whole}, {})", self.output(scope, Any)),
            9 => format!("term_variables({whole}, {})", self.output(scope, Items)),
            10 => format!("subsumes_term({whole}, {term})"),
            11 => format!(
                "must_be({}, {term})",
                self.chance.pick(&[
                    "integer",
                    "list",
                    "positive_integer",
                    "nonneg",
                    "atom",
                    "boolean",
                    "callable",
                    "between(1, 4)"
                ])
            ),
            _ => format!("functor({term}, {}, {})", self.output(scope, Atom), self.output(scope, Int)),
        };
        leaf(text)
    }

    fn list(&mut self, scope: &mut Scope) -> Goal {
        let kind = if self.chance.percent(50) { Ints } else { Items };
        let item = if kind == Ints { Int } else { Any };
        let list = self.input(scope, kind);
        let other = self.input(scope, kind);
        let small = self.chance.small();
        let text = match self.chance.below(27) {
            0..3 => format!("member({}, {list})", self.output(scope, item)),
            3 => format!("member({}, {list})", self.input(scope, item)),
            4 => format!("memberchk({}, {list})", self.input(scope, item)),
            5 | 6 => format!("append({list}, {other}, {})", self.output(scope, kind)),
            7 | 8 => format!("append({}, {}, {list})", self.output(scope, kind), self.output(scope, kind)),
            9 => format!(
                "append({}, [{}|{}], {list})",
                self.output(scope, kind),
                self.input(scope, item),
                self.output(scope, kind)
            ),
            10 => format!("append([{list}, {other}], {})", self.output(scope, kind)),
            11 | 12 => format!("select({}, {list}, {})", self.output(scope, item), self.output(scope, kind)),
            13 => format!("nth0({small}, {list}, {})", self.output(scope, item)),
            14 => format!("nth1({}, {list}, {})", self.output(scope, Int), self.output(scope, item)),
            15 => format!("length({list}, {})", self.output(scope, Int)),
            16 => format!("length({}, {small})", self.output(scope, kind)),
            17 => match self.chance.below(4) {
                0 => format!("length({}, {})", self.output(scope, kind), self.output(scope, Int)),
                1 => format!(
                    "length([{}|{}], {})",
                    self.input(scope, item),
                    self.output(scope, kind),
                    self.output(scope, Int)
                ),
                2 => format!("length({list}, {})", self.input(scope, Int)),
                _ => format!("length({}, {})", self.input(scope, Any), self.output(scope, Int)),
            },
            18 => format!("reverse({list}, {})", self.output(scope, kind)),
            19 => format!("last({list}, {})", self.output(scope, item)),
            20 => format!(
                "{}({list}, {})",
                self.chance.pick(&["sum_list", "max_list", "min_list"]),
                self.output(scope, Int)
            ),
            21 => format!("numlist({}, {small}, {})", self.chance.small(), self.output(scope, Ints)),
            22 => format!("delete({list}, {}, {})", self.input(scope, item), self.output(scope, kind)),
            23 => match self.chance.below(5) {
                0 => format!("permutation({list}, {})", self.output(scope, kind)),
                1 => format!("exclude({}, {list}, {})", self.closure(scope, 1), self.output(scope, kind)),
                2 => format!(
                    "{}({list}, {other}, {})",
                    self.chance.pick(&["subtract", "intersection", "union"]),
                    self.output(scope, kind)
                ),
                3 => format!("flatten({list}, {})", self.output(scope, kind)),
                _ => format!(
                    "nth1({}, {list}, {}, {})",
                    self.output(scope, Int),
                    self.output(scope, item),
                    self.output(scope, kind)
                ),
            },
            _ => {
                let low = if self.chance.percent(80) { self.chance.small() } else { self.input(scope, Int) };
                let high = match self.chance.below(20) {
                    0 => "inf".to_string(),
                    1 => self.input(scope, Int),
                    _ => self.chance.small(),
                };
                format!("between({low}, {high}, {})", self.output(scope, Int))
            }
        };
        leaf(text)
    }

    fn sorting(&mut self, scope: &mut Scope) -> Goal {
        let kind = if self.chance.percent(60) { Ints } else { Items };
        let list = self.input(scope, kind);
        if self.chance.percent(15) {
            let pairs: Vec<String> = (0..self.chance.below(5))
                .map(|_| format!("{}-{}", self.chance.small(), self.input(scope, Any)))
                .collect();
            return leaf(format!("keysort([{}], {})", pairs.join(", "), self.output(scope, Items)));
        }
        let out = self.output(scope, kind);
        let goal = match self.chance.below(7) {
            0 | 1 => format!("msort({list}, {out})"),
            2 | 3 => format!("sort({list}, {out})"),
            4 => format!("sort(0, {}, {list}, {out})", self.chance.pick(&["@<", "@>", "@=<", "@>="])),
            5 => format!("list_to_set({list}, {out})"),
            _ => format!("predsort(compare, {list}, {out})"),
        };
        self.ordering(&[&list], goal)
    }

    /// A goal that lacks its last arguments.
    fn closure(&mut self, scope: &mut Scope, missing: usize) -> String {
        let fitting: Vec<Pred> = self.preds.iter().filter(|pred| pred.args.len() >= missing).cloned().collect();
        if !fitting.is_empty() && self.chance.percent(30) {
            let pred = self.chance.pick(&fitting).clone();
            return self.call_of(&pred, scope, missing);
        }
        let value = self.input(scope, Int);
        let shared = self.input(scope, Any);
        let text = match (missing, self.chance.below(6)) {
            (1, 0) => self.chance.pick(TESTS).to_string(),
            (1, 1) => format!("=({shared})"),
            (1, 2) => format!("<({})", self.chance.small()),
            (1, 3) => format!("[X]>>(X {} {value})", self.chance.pick(&["<", ">", "=:="])),
            (1, 4) => format!("[X]>>(member(X, {}), !)", self.input(scope, Items)),
            (1, _) => format!("\\=({shared})"),
            (2, 0) => "=".to_string(),
            (2, 1) => "succ".to_string(),
            (2, 2) => format!("plus({value})"),
            (2, 3) => format!("[X, Y]>>(Y is X * {value})"),
            (2, 4) => format!("[X, f(X, {shared})]>>true"),
            (2, _) => format!("{shared}/[X, Y]>>(Y = [X|{shared}])"),
            (_, 0 | 1) => "plus".to_string(),
            (_, 2) => "[X, S0, S]>>(S is S0 + X)".to_string(),
            (_, 3) => "[X, S0, [X|S0]]>>true".to_string(),
            (_, 4) => "append".to_string(),
            _ => "[X, S0, S]>>(X > S0 -> S = X ; S = S0)".to_string(),
        };
        text.replacen(&format!("{shared}/[X, Y]"), &format!("{{{shared}}}/[X, Y]"), 1)
    }

    fn applying(&mut self, scope: &mut Scope) -> Goal {
        let list = self.input(scope, Ints);
        let text = match self.chance.below(12) {
            0 => format!("maplist({}, {list})", self.closure(scope, 1)),
            1 | 2 => format!("maplist({}, {list}, {})", self.closure(scope, 2), self.output(scope, Items)),
            3 => format!("maplist({}, {list}, {list}, {})", self.closure(scope, 3), self.output(scope, Items)),
            4 | 5 => format!(
                "foldl({}, {list}, {}, {})",
                self.closure(scope, 3),
                self.chance.small(),
                self.output(scope, Any)
            ),
            6 => format!("include({}, {list}, {})", self.closure(scope, 1), self.output(scope, Ints)),
            7 => format!(
                "partition({}, {list}, {}, {})",
                self.closure(scope, 1),
                self.output(scope, Ints),
                self.output(scope, Ints)
            ),
            8 => format!("call({}, {})", self.closure(scope, 1), self.input(scope, Any)),
            9 => format!("call({}, {}, {})", self.closure(scope, 2), self.input(scope, Int), self.output(scope, Any)),
            10 => {
                let goal = scope.fresh(Any);
                let (closure, given) = (self.closure(scope, 2), self.input(scope, Int));
                format!("{goal} = {closure}, call({goal}, {given}, {})", self.output(scope, Any))
            }
            _ => self.odd_call(scope),
        };
        leaf(text)
    }

    /// Calls of what is control, or no goal, or not yet known.
    fn odd_call(&mut self, scope: &mut Scope) -> String {
        let (list, out) = (self.input(scope, Items), self.output(scope, Items));
        let goal = scope.fresh(Any);
        match self.chance.below(24) {
            15 => format!("call(once, member({goal}, {list}))"),
            16 => "call(ignore, fail)".to_string(),
            17 => format!("call(forall, member({goal}, {list}), nonvar({goal}))"),
            18 => format!("call(findall, X, member(X, {list}), {out}, [])"),
            19 => format!("call(catch, throw(my({goal})), my(Y), {goal} = Y)"),
            20 => format!("{goal} = (!, fail ; true), (call({goal}) ; true)"),
            21 => format!("call(call, member, {goal}, {list})"),
            22 => format!("catch((member({goal}, {list}), throw({goal})), E, (write(E), throw(again(E))))"),
            0 => format!("call(findall, X, member(X, {list}), {out})"),
            1 => format!("call(',', {goal} = 1, member({goal}, {list}))"),
            2 => format!("call(;, {goal} = 1, {goal} = 2)"),
            3 => format!("call((member({goal}, {list}), !))"),
            4 => "call((fail, 1))".to_string(),
            5 => format!("call(({goal} = a, 1))"),
            6 => self.input(scope, Any).replace(|c: char| !c.is_alphanumeric(), ""),
            7 => format!("call({})", self.chance.term(scope, 2)),
            8 => format!("maplist(call, [{goal} = 1, true])"),
            9 => format!("{goal} =.. [member, {out}, {list}], call({goal})"),
            10 => format!("{goal} = once(member({out}, {list})), {goal}"),
            11 => format!("call(->(true), {goal} = 3)"),
            12 => format!("call(\\+, member({goal}, {list}))"),
            13 => format!("apply(member, [{goal}, {list}])"),
            14 => format!("call((member({goal}, {list}) -> true ; {goal} = none))"),
            _ => format!("{goal} = (member({out}, {list}), !), ({goal} ; true)"),
        }
        .replace("call()", "true")
    }

    fn text(&mut self, scope: &mut Scope) -> Goal {
        let (atom, any) = (self.input(scope, Atom), self.input(scope, Int));
        let text = match self.chance.below(12) {
            0 => format!("atom_length({atom}, {})", self.output(scope, Int)),
            1 => format!("atom_concat({atom}, {any}, {})", self.output(scope, Atom)),
            2 => format!("atom_concat({}, {}, abc)", self.output(scope, Atom), self.output(scope, Atom)),
            3 => format!("atom_chars({atom}, {})", self.output(scope, Items)),
            4 => format!("atom_codes({atom}, {})", self.output(scope, Ints)),
            5 => format!("number_codes({any}, {})", self.output(scope, Ints)),
            6 => format!(
                "sub_atom(hello, {}, 2, {}, {})",
                self.output(scope, Int),
                self.output(scope, Int),
                self.output(scope, Atom)
            ),
            7 => format!("format(atom({}), '~w-~q~n', [{atom}, {any}])", self.output(scope, Atom)),
            8 => format!("atomic_list_concat([{atom}, {any}], '-', {})", self.output(scope, Atom)),
            9 => format!("atomic_list_concat({}, '-', 'a-b-c')", self.output(scope, Items)),
            10 => format!(
                "atom_number({}, {})",
                self.chance.pick(&["'12'", "a", "'0x1F'", "'1.5'"]),
                self.output(scope, Int)
            ),
            _ => format!("term_to_atom({}, 'f(X, b, Y, X)')", self.output(scope, Any)),
        };
        leaf(text)
    }

    fn writing(&mut self, scope: &mut Scope) -> Goal {
        let any = self.input(scope, Any);
        let text = match self.chance.below(10) {
            0 => "nl".to_string(),
            1..4 => format!("write({any})"),
            4 => format!("writeq({any})"),
            5 => format!("print({any})"),
            6 => format!("write_canonical({any})"),
            7 => format!("writeln({any})"),
            8 => format!("format('~w ~q|~a~n', [{any}, {any}, abc])"),
            _ => format!("format('~d~t~20|~w~n', [{}, {any}])", self.input(scope, Int)),
        };
        leaf(text)
    }

    fn board(&mut self, scope: &mut Scope) -> Goal {
        let board = self.input(scope, Board);
        let cell = self.chance.pick(&["e", "x", "o"]).to_string();
        let text = match self.chance.below(5) {
            0 | 1 => {
                let at = if self.chance.percent(80) {
                    (1 + self.chance.below(4)).to_string()
                } else {
                    self.input(scope, Int)
                };
                format!("put_arg({at}, {board}, {cell}, {})", self.output(scope, Board))
            }
            2 => format!(
                "put_args({board}, [{}-{cell}, 1-{}], {})",
                1 + self.chance.below(4),
                self.input(scope, Any),
                self.output(scope, Board)
            ),
            3 => format!("args_with({board}, {cell}, {})", self.output(scope, Int)),
            _ => format!("args_with({board}, {}, {})", self.input(scope, Any), self.output(scope, Int)),
        };
        leaf(text)
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

    /// Goals of which nothing stays bound.
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
