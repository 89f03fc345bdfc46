//! The patterns of random predicates.

use super::{Maker, any_mode, any_type, leaf};
use crate::solvers::goals::{Mode, Pred};
use crate::solvers::program::{Clause, Goal};
use crate::solvers::terms::{Scope, Type};
use Mode::{Both, In, Out};
use Type::{Any, Atom, Board, Int, Ints, Items};

impl Maker {
    /// Facts, few or many, with one or two keys.
    pub(super) fn facts(&mut self, name: &str) {
        let count = [3, 20, 200][self.chance().weighted(&[6, 3, 1])];
        let columns = 1 + self.chance().below(3);
        let mut types = Vec::new();
        for _ in 0..columns {
            types.push((*self.chance().pick(&[Int, Int, Atom, Any, Items]), Both));
        }
        let spread = 1 + self.chance().below(count);
        let loose = self.chance().percent(25);
        for row in 0..count {
            let mut scope = Scope::default();
            let mut cells = Vec::new();
            for (kind, _) in &types {
                let chance = self.chance();
                cells.push(match kind {
                    _ if loose && chance.percent(6) => chance.term(&mut scope, 2),
                    Int if chance.percent(95) => (chance.below(spread) + row % 2).to_string(),
                    Atom if count > 10 => format!("k{}", chance.below(spread)),
                    kind => chance.ground(*kind, 2),
                });
            }
            self.clause(format!("{name}({})", cells.join(", ")), Vec::new());
        }
        self.defined(name, &types);
    }

    /// A loop over a list that makes another list; the tail comes from the last call.
    pub(super) fn map(&mut self, name: &str) {
        let second = self.chance().percent(25);
        let args = |list: &str, out: &str| if second { format!("{out}, {list}") } else { format!("{list}, {out}") };
        let end = *self.chance().pick(&["[]", "[]", "[]", "[end]", "_"]);
        let base = Clause {
            head: format!("{name}({})", args("[]", end)),
            neck: ":-",
            body: if self.chance().percent(15) { vec![leaf("!")] } else { Vec::new() },
        };
        let base_last = self.chance().percent(25);
        if !base_last {
            self.clauses.push(base.clone());
        }
        for _ in 0..1 + self.chance().below(2) {
            let mut scope = Scope::default();
            let head = scope.fresh(Int);
            let count = self.chance().below(3);
            let mut body = self.goals.conjunction(&mut scope, count, 1);
            self.cut(&mut body, 20);
            let made = if self.chance().percent(30) { head.clone() } else { self.chance().term(&mut scope, 2) };
            let out = if self.chance().percent(80) { format!("[{made}|Out]") } else { "Out".to_string() };
            let call = Goal::Leaf(format!("{name}({})", args("Rest", "Out")));
            if self.chance().percent(85) {
                body.push(call)
            } else {
                body.insert(0, call)
            }
            let pattern = match self.chance().below(12) {
                0 => format!("[{head}, {head}|Rest]"),
                1 => format!("[{}|Rest]", self.chance().small()),
                2 => format!("[f({head})|Rest]"),
                _ => format!("[{head}|Rest]"),
            };
            self.clause(format!("{name}({})", args(&pattern, &out)), body);
        }
        if base_last {
            self.clauses.push(base);
        }
        let types = if second { [(Items, Out), (Ints, In)] } else { [(Ints, In), (Items, Out)] };
        self.defined(name, &types);
    }

    /// A loop over a list with an accumulator.
    pub(super) fn fold(&mut self, name: &str) {
        self.clause(format!("{name}([], Done, Done)"), Vec::new());
        for _ in 0..1 + self.chance().below(2) {
            let mut scope = Scope::default();
            let (head, before) = (scope.fresh(Int), scope.fresh(Int));
            let count = self.chance().below(3);
            let mut body = self.goals.conjunction(&mut scope, count, 1);
            let next = match self.chance().below(4) {
                0 => format!("[{head}|{before}]"),
                1 => self.chance().term(&mut scope, 2),
                _ => {
                    let value = self.chance().expression(&scope, 2);
                    body.push(Goal::Leaf(format!("After is {value}")));
                    "After".to_string()
                }
            };
            self.cut(&mut body, 25);
            body.push(Goal::Leaf(format!("{name}(Rest, {next}, Done)")));
            self.clause(format!("{name}([{head}|Rest], {before}, Done)"), body);
        }
        self.defined(name, &[(Ints, In), (Int, In), (Any, Out)]);
    }

    /// A count down to zero, by clauses, by guards or by if-then-else.
    pub(super) fn count(&mut self, name: &str) {
        let mut scope = Scope::default();
        let number = scope.fresh(Int);
        let before = scope.fresh(Any);
        let some = self.chance().below(3);
        let step = *self.chance().pick(&["1", "1", "1", "2"]);
        let mut inner = self.goals.conjunction(&mut scope, some, 1);
        let next = if self.chance().percent(60) { self.chance().term(&mut scope, 2) } else { before.clone() };
        inner.insert(0, Goal::Leaf(format!("Less is {number} - {step}")));
        inner.push(Goal::Leaf(format!("{name}(Less, {next}, Done)")));
        let head = format!("{name}({number}, {before}, Done)");
        match self.chance().below(5) {
            0 => {
                self.clause(format!("{name}(0, Done, Done)"), vec![leaf("!")]);
                self.clause(head, inner);
            }
            1 => {
                self.clause(format!("{name}(0, Done, Done)"), Vec::new());
                inner.insert(0, Goal::Leaf(format!("{number} > 0")));
                self.clause(head, inner);
            }
            2 => {
                let test = format!("({number} =< 0 -> Done = {before} ; ");
                self.clause(head, vec![Goal::Node(vec![test, ")".to_string()], vec![Goal::All(inner)])]);
            }
            3 => {
                self.clause(head.replacen("Done", &before, 1), vec![Goal::Leaf(format!("{number} < 1")), leaf("!")]);
                self.clause(head, inner);
            }
            _ => {
                // Double recursion, as in fib.
                self.clause(format!("{name}(0, Start, Start)"), vec![leaf("!")]);
                self.clause(format!("{name}(1, Start, s(Start))"), vec![leaf("!")]);
                inner.insert(1, Goal::Leaf(format!("{number} < 12")));
                inner.push(Goal::Leaf(format!("Least is {number} - 2")));
                inner.push(Goal::Leaf(format!("{name}(Least, {before}, Other)")));
                self.clause(format!("{name}({number}, {before}, d(Done, Other))"), inner);
            }
        }
        self.defined(name, &[(Int, In), (Any, Both), (Any, Out)]);
    }

    /// Predicates that split or join lists, in any mode.
    pub(super) fn split(&mut self, name: &str) {
        match self.chance().below(5) {
            0 => {
                self.clause(format!("{name}([], L, L)"), Vec::new());
                self.clause(format!("{name}([X|L1], L2, [X|L3])"), vec![Goal::Leaf(format!("{name}(L1, L2, L3)"))]);
                self.defined(name, &[(Ints, Both), (Items, Both), (Items, Both)]);
            }
            1 => {
                self.clause(format!("{name}(X, [X|L], L)"), Vec::new());
                self.clause(format!("{name}(X, [Y|L1], [Y|L2])"), vec![Goal::Leaf(format!("{name}(X, L1, L2)"))]);
                self.defined(name, &[(Any, Both), (Items, In), (Items, Both)]);
            }
            2 => {
                self.clause(format!("{name}([], _, [], [])"), Vec::new());
                let less = vec![leaf("X < P"), leaf("!"), Goal::Leaf(format!("{name}(Xs, P, Ls, Gs)"))];
                self.clause(format!("{name}([X|Xs], P, [X|Ls], Gs)"), less);
                self.clause(
                    format!("{name}([X|Xs], P, Ls, [X|Gs])"),
                    vec![Goal::Leaf(format!("{name}(Xs, P, Ls, Gs)"))],
                );
                let sorted = format!("{name}q");
                self.clause(format!("{sorted}([], [])"), Vec::new());
                let body = [
                    format!("{name}(Xs, X, Ls, Gs)"),
                    format!("{sorted}(Ls, A)"),
                    format!("{sorted}(Gs, B)"),
                    "append(A, [X|B], Ys)".to_string(),
                ];
                self.clause(format!("{sorted}([X|Xs], Ys)"), body.map(Goal::Leaf).to_vec());
                self.defined(name, &[(Ints, In), (Int, In), (Ints, Out), (Ints, Out)]);
                self.defined(&sorted, &[(Ints, In), (Ints, Out)]);
            }
            3 => {
                self.clause(format!("{name}([], [])"), Vec::new());
                let body = [format!("{name}(T, R)"), "append(R, [H], Out)".to_string()];
                self.clause(format!("{name}([H|T], Out)"), body.map(Goal::Leaf).to_vec());
                self.defined(name, &[(Items, In), (Items, Out)]);
            }
            _ => {
                self.clause(format!("{name}([], [])"), Vec::new());
                let body = ["select(X, L, M)".to_string(), format!("{name}(M, P)")];
                self.clause(
                    format!("{name}(L, [X|P])"),
                    [vec![leaf("L = [_|_]")], body.map(Goal::Leaf).to_vec()].concat(),
                );
                self.defined(name, &[(Ints, In), (Ints, Out)]);
            }
        }
    }

    /// Sometimes puts cuts into a body.
    fn cut(&mut self, body: &mut Vec<Goal>, percent: usize) {
        if self.chance().percent(percent) {
            let at = self.chance().below(body.len() + 1);
            body.insert(at, leaf("!"));
        }
    }

    /// An argument of a head.
    fn pattern(&mut self, scope: &mut Scope, kind: Type, mode: Mode, outputs: &mut Vec<(String, Type)>) -> String {
        if self.chance().percent(8)
            && let Some(again) = self.chance().seen(scope, Any)
        {
            return again;
        }
        if mode == Out {
            let variable = scope.fresh(kind);
            scope.seen.pop();
            outputs.push((variable.clone(), kind));
            return match self.chance().below(8) {
                0 => self.chance().ground(kind, 2),
                1 => format!("f({variable}, {})", self.chance().atom()),
                2 => {
                    let first = scope.fresh(Any);
                    format!("[{first}|{variable}]")
                }
                _ => variable,
            };
        }
        match (kind, self.chance().below(10)) {
            (_, 0..5) => scope.fresh(kind),
            (Int | Atom, 5..=7) => self.chance().ground(kind, 0),
            (Ints | Items, 5) => "[]".to_string(),
            (Ints, 6 | 7) => format!("[{}|{}]", scope.fresh(Int), scope.fresh(Ints)),
            (Items, 6 | 7) => format!("[{}|{}]", scope.fresh(Any), scope.fresh(Items)),
            (Ints | Items, 8) => {
                format!("[{}, {}|{}]", scope.fresh(Int), self.chance().term(scope, 1), scope.fresh(kind))
            }
            (Board, _) => format!("b({}, {})", scope.fresh(Atom), self.chance().atom()),
            (_, 9) => self.chance().ground(kind, 2),
            _ => self.chance().term(scope, 3),
        }
    }

    /// Plain rules with any heads and any bodies.
    pub(super) fn rules(&mut self, name: &str) {
        let arity = self.chance().weighted(&[1, 4, 8, 6, 2]);
        let mut types = Vec::new();
        for _ in 0..arity {
            types.push((any_type(self.chance()), any_mode(self.chance())));
        }
        let own = Pred { name: name.to_string(), args: types.clone() };
        for _ in 0..1 + self.chance().weighted(&[3, 5, 4, 2]) {
            let mut scope = Scope::default();
            let mut outputs = Vec::new();
            let mut patterns = Vec::new();
            for (kind, mode) in &types {
                patterns.push(self.pattern(&mut scope, *kind, *mode, &mut outputs));
            }
            let head = if arity == 0 { name.to_string() } else { format!("{name}({})", patterns.join(", ")) };
            let recursive = self.chance().percent(12);
            if recursive {
                self.goals.preds.push(own.clone());
            }
            if self.chance().percent(10) {
                scope.seen.extend(outputs.iter().cloned());
            }
            let count = self.chance().weighted(&[2, 3, 4, 4, 2, 1]);
            let mut body = self.goals.conjunction(&mut scope, count, 3);
            if recursive {
                self.goals.preds.pop();
            }
            for (variable, kind) in outputs {
                match self.chance().below(10) {
                    0 => {}
                    1..4 if kind == Int => {
                        let value = self.chance().expression(&scope, 2);
                        body.push(Goal::Leaf(format!("{variable} is {value}")));
                    }
                    1..6 => {
                        let value = self.chance().input(&mut scope, kind);
                        body.push(Goal::Leaf(format!("{variable} = {value}")));
                    }
                    _ => {
                        let value = self.chance().term(&mut scope, 3);
                        body.push(Goal::Leaf(format!("{variable} = {value}")));
                    }
                }
            }
            self.cut(&mut body, 25);
            self.clause(head, body);
        }
        self.defined(name, &types);
    }

    /// A few clauses that differ in their first or a later argument, to test indexing.
    pub(super) fn choices(&mut self, name: &str) {
        let place = self.chance().below(3);
        let keys = [
            "a",
            "b",
            "[]",
            "[_|_]",
            "f(_)",
            "f(_, _)",
            "g(X)",
            "1",
            "2",
            "2.5",
            "1152921504606846976",
            "\"text\"",
            "X",
            "_",
            "[X]",
            "a",
        ];
        for number in 0..3 + self.chance().below(6) {
            let mut args = ["_".to_string(), "X".to_string(), number.to_string()];
            args.swap(2, place);
            args[place] = self.chance().pick(&keys).to_string();
            if place != 2 {
                args[2] = number.to_string();
            }
            let body = match self.chance().below(5) {
                0 => vec![leaf("!")],
                1 => vec![leaf("nonvar(X)"), leaf("!")],
                2 => vec![Goal::Leaf(format!("X = {}", self.chance().ground(Any, 1)))],
                _ => Vec::new(),
            };
            self.clause(format!("{name}({})", args.join(", ")), body);
        }
        self.defined(name, &[(Any, Both), (Any, Both), (Any, Both)]);
    }

    /// Tabled predicates over a small graph, and a tabled count.
    pub(super) fn table(&mut self, name: &str) {
        let (edge, path) = (format!("{name}e"), name.to_string());
        let nodes = 3 + self.chance().below(5);
        for _ in 0..2 + self.chance().below(9) {
            let (a, b) = (self.chance().below(nodes), self.chance().below(nodes));
            self.clause(format!("{edge}(n{a}, n{b})"), Vec::new());
        }
        self.directives.push(format!("table {path}/2"));
        let first =
            Clause { head: format!("{path}(X, Y)"), neck: ":-", body: vec![Goal::Leaf(format!("{edge}(X, Y)"))] };
        let bodies: [[String; 2]; 4] = [
            [format!("{path}(X, Z)"), format!("{edge}(Z, Y)")],
            [format!("{edge}(X, Z)"), format!("{path}(Z, Y)")],
            [format!("{path}(X, Z)"), format!("{path}(Z, Y)")],
            [format!("{path}(Y, Z)"), format!("{edge}(Z, X)")],
        ];
        let body = self.chance().pick(&bodies).clone();
        let second = Clause { head: format!("{path}(X, Y)"), neck: ":-", body: body.map(Goal::Leaf).to_vec() };
        let swap = self.chance().percent(50);
        self.clauses.extend(if swap { [second, first] } else { [first, second] });
        self.defined(&edge, &[(Atom, Both), (Atom, Both)]);
        self.defined(&path, &[(Atom, Both), (Atom, Both)]);
        if self.chance().percent(40) {
            let count = format!("{name}c");
            self.directives.push(format!("table {count}/2"));
            self.clause(format!("{count}(0, 0)"), vec![]);
            self.clause(format!("{count}(1, 1)"), vec![]);
            let body = ["N > 1", "A is N - 1", "B is N - 2"].map(leaf);
            let calls = [format!("{count}(A, X)"), format!("{count}(B, Y)"), "Z is X + Y".to_string()].map(Goal::Leaf);
            self.clause(format!("{count}(N, Z)"), [body, calls].concat());
            self.defined(&count, &[(Int, In), (Int, Out)]);
        }
        if self.chance().percent(40) {
            let other = format!("{name}t");
            self.directives.push(format!("table {other}/1"));
            let mut scope = Scope::default();
            let node = scope.fresh(Atom);
            let count = self.chance().below(2);
            let goals = self.goals.conjunction(&mut scope, count, 1);
            self.clause(format!("{other}(n0)"), vec![]);
            let body =
                [vec![Goal::Leaf(format!("{other}(X)")), Goal::Leaf(format!("{edge}(X, {node})"))], goals].concat();
            self.clause(format!("{other}({node})"), body);
            self.defined(&other, &[(Atom, Both)]);
        }
    }

    pub(super) fn tree(&mut self, name: &str) {
        let mut scope = Scope::default();
        let (left, value, right) = (scope.fresh(Any), scope.fresh(Any), scope.fresh(Any));
        let goal = self.goals.goal(&mut scope, 1);
        let out = self.chance().term(&mut scope, 2);
        self.clause(format!("{name}(leaf, 0)"), Vec::new());
        let body =
            vec![Goal::Leaf(format!("{name}({left}, Left)")), goal, Goal::Leaf(format!("{name}({right}, Right)"))];
        self.clause(format!("{name}(node({left}, {value}, {right}), t(Left, {out}, Right))"), body);
        let make = format!("{name}m");
        self.clause(format!("{make}(0, leaf)"), vec![leaf("!")]);
        let body = ["N > 0".to_string(), "M is N - 1".to_string(), format!("{make}(M, L)"), format!("{make}(M, R)")];
        self.clause(format!("{make}(N, node(L, N, R))"), body.map(Goal::Leaf).to_vec());
        let both = format!("{name}b");
        let body = [format!("{make}(N, T)"), format!("{name}(T, S)")];
        self.clause(format!("{both}(N, S)"), [vec![leaf("N < 6")], body.map(Goal::Leaf).to_vec()].concat());
        self.defined(name, &[(Any, In), (Any, Out)]);
        self.defined(&both, &[(Int, In), (Any, Out)]);
    }

    pub(super) fn grammar(&mut self, name: &str) {
        let bodies = [
            vec![leaf("[]")],
            vec![leaf("[a]"), Goal::Leaf(name.to_string())],
            vec![leaf("[X]"), leaf("{X = b}"), leaf("!"), Goal::Leaf(name.to_string())],
            vec![leaf("\\+ [c]"), leaf("[_]"), Goal::Leaf(name.to_string())],
            vec![leaf("([1] ; [2], [3])"), Goal::Leaf(name.to_string())],
            vec![leaf("call(append, [d])")],
        ];
        for _ in 0..2 + self.chance().below(3) {
            let body = self.chance().pick(&bodies).clone();
            self.clauses.push(Clause { head: name.to_string(), neck: "-->", body });
        }
        self.defined(name, &[(Items, In), (Items, Out)]);
        let whole = format!("{name}w");
        self.clause(format!("{whole}(L)"), vec![Goal::Leaf(format!("phrase({name}, L)"))]);
        self.defined(&whole, &[(Items, In)]);
    }

    /// Recursion that exceeds the budget.
    pub(super) fn runaway(&mut self, name: &str) {
        match self.chance().below(5) {
            0 => self.clause(format!("{name}(N)"), vec![leaf("M is N + 1"), Goal::Leaf(format!("{name}(M)"))]),
            1 => self.clause(format!("{name}(X)"), vec![Goal::Leaf(format!("{name}(f(X))")), leaf("true")]),
            2 => self.clause(format!("{name}(X)"), vec![leaf("repeat"), leaf("X == nothing")]),
            3 => {
                self.clause(format!("{name}(X)"), vec![leaf("X \\== X")]);
                self.clause(
                    format!("{name}(X)"),
                    vec![leaf("atom(a)"), Goal::Leaf(format!("{name}([X])")), leaf("write(x)")],
                );
            }
            _ => self.clause(format!("{name}([_|L])"), vec![Goal::Leaf(format!("{name}(L)"))]),
        }
        self.defined(name, &[(Any, Both)]);
    }

    pub(super) fn boards(&mut self, name: &str) {
        let body = ["args_with(B, e, I)", "put_arg(I, B, M, C)"].map(leaf).to_vec();
        self.clause(format!("{name}(B, M, C)"), body);
        let all = format!("{name}l");
        self.clause(format!("{all}(B, L)"), vec![Goal::Leaf(format!("findall(C, {name}(B, x, C), L)"))]);
        self.defined(name, &[(Board, In), (Atom, In), (Board, Out)]);
        self.defined(&all, &[(Board, In), (Items, Out)]);
    }

    /// Moves that take elements out of lists, with cuts between the choices, and all of their solutions.
    pub(super) fn drawn(&mut self, name: &str) {
        let (draw, discard, all) = (format!("{name}d"), format!("{name}r"), format!("{name}l"));
        self.clause(format!("{draw}(X, [X|T], T)"), Vec::new());
        self.clause(format!("{draw}(X, [Y|T], [Y|R])"), vec![Goal::Leaf(format!("{draw}(X, T, R)"))]);
        self.clause(format!("{discard}(X, L, R)"), vec![Goal::Leaf(format!("{draw}(X, L, R)")), leaf("!")]);
        self.clause(format!("{discard}(_, L, L)"), Vec::new());
        let (mut body, mut rest, mut seen) = (Vec::new(), 0, "a".to_string());
        for at in 0..2 + self.chance().below(4) {
            let next = rest + 1;
            let goal = match self.chance().below(8) {
                0..=2 => format!("{draw}(X{at}, R{rest}, R{next})"),
                3 => format!("{discard}({seen}, R{rest}, R{next})"),
                4 => format!("( {draw}(b, R{rest}, R{next}) -> true ; R{next} = [{seen}|R{rest}] )"),
                5 => format!("append(P{at}, [X{at}|Q{at}], R{rest}), append(P{at}, [z|Q{at}], R{next})"),
                6 => format!("once({draw}(X{at}, R{rest}, R{next}))"),
                _ => format!("member(X{at}, [a, 2, c]), R{next} = R{rest}"),
            };
            if goal.contains(&format!("(X{at},")) {
                seen = format!("X{at}");
            }
            body.push(Goal::Leaf(goal));
            if self.chance().percent(20) {
                body.push(Goal::Leaf(format!("\\+ member(c, R{next})")));
            }
            rest = next;
        }
        let made = self.chance().pick(&["S", "k(S)", "[S, x]"]).replace('S', &seen);
        self.clause(format!("{name}(R0, [{made}|R{rest}])"), body);
        self.clause(format!("{all}(L, S)"), vec![Goal::Leaf(format!("findall(T, {name}(L, T), S)"))]);
        self.defined(name, &[(Items, In), (Items, Out)]);
        self.defined(&all, &[(Items, In), (Items, Out)]);
    }
}
