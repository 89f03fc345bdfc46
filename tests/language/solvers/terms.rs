//! Generates random terms and expressions, as text.
//!
//! The text can be read back. The type of a variable is a guess, so that most goals make sense.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The likely type of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Atom,
    /// A list of integers.
    Ints,
    /// A list of any terms.
    Items,
    /// A compound term of cells, as for boards.
    Board,
    Any,
}

/// A source of random choices.
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }

    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// The index of a weight, chosen with a probability proportional to the weight.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut at = self.below(weights.iter().sum());
        weights
            .iter()
            .position(|weight| match at.checked_sub(*weight) {
                Some(rest) => {
                    at = rest;
                    false
                }
                None => true,
            })
            .expect("the number lies below the sum")
    }
}

/// The variables of a clause that occur before a goal.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub seen: Vec<(String, Type)>,
    next: usize,
}

impl Scope {
    /// A new variable.
    pub fn fresh(&mut self, kind: Type) -> String {
        let letter = match kind {
            Type::Int => 'N',
            Type::Atom => 'A',
            Type::Ints => 'L',
            Type::Items => 'S',
            Type::Board => 'B',
            Type::Any => 'X',
        };
        self.next += 1;
        let name = format!("{letter}{}", self.next);
        self.seen.push((name.clone(), kind));
        name
    }

    /// Forgets the variables seen since then: their goal leaves no bindings.
    pub fn forget(&mut self, seen: usize) {
        self.seen.truncate(seen);
    }
}

const ATOMS: &[&str] =
    &["a", "b", "c", "d", "e", "x", "o", "foo", "[]", "nil", "'hello world'", "'B c'", "+", "{}", "f", "g", "end"];
const EDGES: &[&str] = &[
    "1152921504606846975",
    "1152921504606846976",
    "-1152921504606846976",
    "-1152921504606846977",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "-18446744073709551617",
    "123456789012345678901234567890",
    "4294967296",
    "2147483647",
    "3037000500",
];
const FLOATS: &[&str] = &["0.0", "-0.0", "1.0", "2.5", "-3.75", "0.1", "1.0e10", "1.5e300", "4.0e-320", "3.0"];

impl Chance {
    pub fn small(&mut self) -> String {
        self.below(9).to_string()
    }

    pub fn int(&mut self) -> String {
        match self.weighted(&[70, 12, 12, 6]) {
            0 => self.small(),
            1 => format!("-{}", 1 + self.below(9)),
            2 => (10 + self.below(1000)).to_string(),
            _ => self.pick(EDGES).to_string(),
        }
    }

    pub fn atom(&mut self) -> String {
        let most = if self.percent(80) { 7 } else { ATOMS.len() };
        self.pick(&ATOMS[..most]).to_string()
    }

    pub fn float(&mut self) -> String {
        self.pick(FLOATS).to_string()
    }

    /// A ground term of this type.
    pub fn ground(&mut self, kind: Type, depth: usize) -> String {
        match kind {
            Type::Int => self.int(),
            Type::Atom => self.atom(),
            Type::Ints => self.list(7, Chance::int),
            Type::Items => self.list(5, |chance| chance.ground(Type::Any, depth.saturating_sub(1))),
            Type::Board => {
                let cells: Vec<String> =
                    (0..1 + self.below(6)).map(|_| self.pick(&["e", "e", "x", "o"]).to_string()).collect();
                format!("b({})", cells.join(", "))
            }
            Type::Any => {
                match self.weighted(&[25, 30, 6, 4, if depth > 0 { 25 } else { 0 }, if depth > 0 { 12 } else { 0 }]) {
                    0 => self.int(),
                    1 => self.atom(),
                    2 => self.float(),
                    3 => self.pick(&["\"text\"", "\"\"", "\"another text\""]).to_string(),
                    4 => {
                        let name = *self.pick(&["f", "g", "h", "s", "-"]);
                        let count = 1 + self.below(3);
                        let args: Vec<String> = (0..count).map(|_| self.ground(Type::Any, depth - 1)).collect();
                        if name == "-" && count == 2 {
                            args.join(" - ")
                        } else {
                            format!("{}({})", if name == "-" { "k" } else { name }, args.join(", "))
                        }
                    }
                    _ => self.ground(Type::Items, depth - 1),
                }
            }
        }
    }

    pub fn list(&mut self, most: usize, mut item: impl FnMut(&mut Chance) -> String) -> String {
        let items: Vec<String> = (0..self.below(most)).map(|_| item(self)).collect();
        format!("[{}]", items.join(", "))
    }

    /// A variable seen before, of this type if there is one.
    pub fn seen(&mut self, scope: &Scope, kind: Type) -> Option<String> {
        let fitting: Vec<&String> =
            scope.seen.iter().filter(|(_, other)| *other == kind || kind == Type::Any).map(|(name, _)| name).collect();
        match fitting.is_empty() {
            true => None,
            false => Some(self.pick(&fitting).to_string()),
        }
    }

    /// An input argument: a variable of the type, or a term; sometimes another variable or term.
    pub fn input(&mut self, scope: &mut Scope, kind: Type) -> String {
        match self.weighted(&[70, 22, 5, 3]) {
            0 => match self.seen(scope, kind) {
                Some(name) => name,
                None => self.ground(kind, 2),
            },
            1 => self.ground(kind, 2),
            2 => self.term(scope, 2),
            _ => self.seen(scope, Type::Any).unwrap_or_else(|| scope.fresh(kind)),
        }
    }

    /// An output argument.
    pub fn output(&mut self, scope: &mut Scope, kind: Type) -> String {
        match self.weighted(&[76, 6, 8, 3, 5, 2]) {
            0 => scope.fresh(kind),
            1 => self.seen(scope, kind).unwrap_or_else(|| "_".to_string()),
            2 if matches!(kind, Type::Ints | Type::Items) => {
                let item = if kind == Type::Ints { Type::Int } else { Type::Any };
                format!("[{}|{}]", scope.fresh(item), scope.fresh(kind))
            }
            2 => scope.fresh(kind),
            3 => self.ground(kind, 2),
            4 => "_".to_string(),
            _ => self.term(scope, 2),
        }
    }

    /// Any term, with old and new variables.
    pub fn term(&mut self, scope: &mut Scope, depth: usize) -> String {
        let deeper = if depth > 0 { 12 } else { 0 };
        match self.weighted(&[30, 14, 16, 14, 3, deeper * 2, deeper, deeper / 2]) {
            0 => self.seen(scope, Type::Any).unwrap_or_else(|| scope.fresh(Type::Any)),
            1 => scope.fresh(Type::Any),
            2 => self.int(),
            3 => self.atom(),
            4 => self.ground(Type::Any, 1),
            5 => {
                let name = *self.pick(&["f", "g", "h", "s", "p0", "call"]);
                let args: Vec<String> = (0..1 + self.below(3)).map(|_| self.term(scope, depth - 1)).collect();
                format!("{name}({})", args.join(", "))
            }
            6 => {
                let items: Vec<String> = (0..1 + self.below(3)).map(|_| self.term(scope, depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => format!("[{}|{}]", self.term(scope, depth - 1), self.term(scope, 0)),
        }
    }

    /// An arithmetic expression over variables seen before.
    pub fn expression(&mut self, scope: &Scope, depth: usize) -> String {
        let deeper = |weight| if depth > 0 { weight } else { 0 };
        match self.weighted(&[45, 30, 4, 3, 1, deeper(45), deeper(12), deeper(10), deeper(8)]) {
            0 => {
                let kind = if self.percent(96) { Type::Int } else { Type::Any };
                self.seen(scope, kind).unwrap_or_else(|| self.int())
            }
            1 => self.int(),
            2 => self.float(),
            3 => self
                .pick(&[
                    "pi",
                    "e",
                    "max_tagged_integer",
                    "min_tagged_integer",
                    "max_integer",
                    "min_integer",
                    "inf",
                    "nan",
                    "[7]",
                ])
                .to_string(),
            4 => self.pick(&["foo", "foo(1)", "a", "\"x\"", "[]"]).to_string(),
            5 => {
                let operator = *self.pick(&["+", "-", "*", "+", "-"]);
                format!("({} {operator} {})", self.expression(scope, depth - 1), self.expression(scope, depth - 1))
            }
            6 => {
                let operator = *self.pick(&["//", "mod", "rem", "div", "/", "/\\", "\\/", "xor", "//", "mod", "tdiv"]);
                format!("({} {operator} {})", self.expression(scope, depth - 1), self.expression(scope, depth - 1))
            }
            7 => match self.below(4) {
                0 => format!("min({}, {})", self.expression(scope, depth - 1), self.expression(scope, depth - 1)),
                1 => format!("max({}, {})", self.expression(scope, depth - 1), self.expression(scope, depth - 1)),
                2 => format!("gcd({}, {})", self.expression(scope, depth - 1), self.expression(scope, depth - 1)),
                _ => {
                    let most = if self.percent(90) { 5 } else { 70 };
                    let by = self.below(most);
                    format!("({} {} {by})", self.expression(scope, depth - 1), self.pick(&["**", "^", "<<", ">>", "^"]))
                }
            },
            _ => {
                let names = &[
                    "-",
                    "+",
                    "abs",
                    "sign",
                    "\\",
                    "msb",
                    "popcount",
                    "integer",
                    "truncate",
                    "round",
                    "floor",
                    "ceiling",
                    "float",
                    "sqrt",
                    "sin",
                    "log",
                    "exp",
                    "-",
                    "-",
                    "abs",
                    "float_integer_part",
                    "cot",
                ];
                format!("{}({})", self.pick(names), self.expression(scope, depth - 1))
            }
        }
    }
}

/// Whether a text contains no variable.
pub fn is_ground(text: &str) -> bool {
    let mut before = ' ';
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if (c.is_uppercase() || c == '_') && !(before.is_alphanumeric() || before == '_') => return false,
            None => {}
        }
        before = c;
    }
    true
}
