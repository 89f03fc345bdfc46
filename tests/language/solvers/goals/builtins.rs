//! Generates goals that call builtins and the library.

use super::{Goals, Pred, TESTS, leaf};
use crate::solvers::program::Goal;
use crate::solvers::terms::Scope;
use crate::solvers::terms::Type::{Any, Atom, Board, Int, Ints, Items};

impl Goals {
    pub(super) fn unification(&mut self, scope: &mut Scope) -> Goal {
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

    pub(super) fn assignment(&mut self, scope: &mut Scope) -> Goal {
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

    pub(super) fn comparison(&mut self, scope: &mut Scope) -> Goal {
        let depth = self.chance.below(2);
        let (left, right) = (self.chance.expression(scope, depth), self.chance.expression(scope, depth));
        leaf(format!("{left} {} {right}", self.chance.pick(&["<", ">", "=<", ">=", "=:=", "=\\=", "<", ">"])))
    }

    pub(super) fn order(&mut self, scope: &mut Scope) -> Goal {
        let (left, right) = (self.input(scope, Any), self.input(scope, Any));
        let goal = match self.chance.below(6) {
            0 | 1 => format!("compare({}, {left}, {right})", self.output(scope, Atom)),
            _ => format!("{left} {} {right}", self.chance.pick(&["@<", "@>", "@=<", "@>="])),
        };
        self.ordering(&[&left, &right], goal)
    }

    pub(super) fn inspection(&mut self, scope: &mut Scope) -> Goal {
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

    pub(super) fn list(&mut self, scope: &mut Scope) -> Goal {
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

    pub(super) fn sorting(&mut self, scope: &mut Scope) -> Goal {
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

    /// A goal without its last arguments.
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

    pub(super) fn applying(&mut self, scope: &mut Scope) -> Goal {
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

    /// Calls of control constructs, of terms that are no goals, and of terms not yet known.
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

    pub(super) fn text(&mut self, scope: &mut Scope) -> Goal {
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

    pub(super) fn writing(&mut self, scope: &mut Scope) -> Goal {
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

    pub(super) fn board(&mut self, scope: &mut Scope) -> Goal {
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
}
