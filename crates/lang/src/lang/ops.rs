//! The operator table: the operators of ISO Prolog and SWI-Prolog, and those of `op/3`.
//!
//! For each atom it says how the atom may stand between, before or after its operands. The reader and
//! the writer share it.

use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;

/// The type of an operator, as in `op/3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixity {
    /// Infix; both operands have a lower priority.
    Xfx,
    /// Infix; the right operand may have the same priority.
    Xfy,
    /// Infix; the left operand may have the same priority.
    Yfx,
    /// Prefix; the operand may have the same priority.
    Fy,
    /// Prefix; the operand has a lower priority.
    Fx,
    /// Postfix; the operand has a lower priority.
    Xf,
    /// Postfix; the operand may have the same priority.
    Yf,
}

impl Fixity {
    /// The type with this name in `op/3`.
    pub fn from_name(name: &str) -> Option<Fixity> {
        Some(match name {
            "xfx" => Fixity::Xfx,
            "xfy" => Fixity::Xfy,
            "yfx" => Fixity::Yfx,
            "fy" => Fixity::Fy,
            "fx" => Fixity::Fx,
            "xf" => Fixity::Xf,
            "yf" => Fixity::Yf,
            _ => return None,
        })
    }
}

/// An infix operator: its priority and the highest priority of each operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infix {
    /// 1 to 1200.
    pub priority: u16,
    /// The limit for the left operand.
    pub left: u16,
    /// The limit for the right operand.
    pub right: u16,
}

/// A prefix or postfix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affix {
    /// 1 to 1200.
    pub priority: u16,
    /// The highest priority of the operand.
    pub operand: u16,
}

/// The operators in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Ops {
    infix: FxHashMap<Atom, Infix>,
    prefix: FxHashMap<Atom, Affix>,
    postfix: FxHashMap<Atom, Affix>,
}

const STANDARD: &[(u16, Fixity, &[&str])] = &[
    (1200, Fixity::Xfx, &[":-", "-->"]),
    (1200, Fixity::Fx, &[":-", "?-"]),
    (
        1150,
        Fixity::Fx,
        &["dynamic", "discontiguous", "table", "meta_predicate", "initialization", "module_transparent", "multifile"],
    ),
    (1105, Fixity::Xfy, &["|"]),
    (1100, Fixity::Xfy, &[";"]),
    (1050, Fixity::Xfy, &["->", "*->"]),
    (1000, Fixity::Xfy, &[","]),
    (990, Fixity::Xfx, &[":="]),
    (900, Fixity::Fy, &["\\+"]),
    (
        700,
        Fixity::Xfx,
        &[
            "<", "=", "=..", "=@=", "\\=@=", "=:=", "=<", "==", "=\\=", ">", ">=", "@<", "@=<", "@>", "@>=", "\\=",
            "\\==", "as", "is", ">:<", ":<",
        ],
    ),
    (600, Fixity::Xfy, &[":"]),
    (500, Fixity::Yfx, &["+", "-", "/\\", "\\/", "xor"]),
    (400, Fixity::Yfx, &["*", "/", "//", "mod", "<<", ">>", "div", "rem", "divmod", "tdiv"]),
    (200, Fixity::Xfx, &["**"]),
    (200, Fixity::Xfy, &["^"]),
    (200, Fixity::Fy, &["-", "+", "\\"]),
];

/// The operators that `library(alphorn)` defines.
const EXTRAS: &[(u16, Fixity, &[&str])] = &[
    (1120, Fixity::Xfx, &["::"]),
    (1110, Fixity::Fx, &["if"]),
    (1105, Fixity::Xfx, &["then"]),
    (950, Fixity::Xfy, &["or"]),
    (940, Fixity::Xfy, &["and"]),
    (900, Fixity::Fy, &["not"]),
    (550, Fixity::Xfx, &[".."]),
];

impl Default for Ops {
    fn default() -> Ops {
        let mut ops = Ops { infix: FxHashMap::default(), prefix: FxHashMap::default(), postfix: FxHashMap::default() };
        ops.add_all(STANDARD);
        ops
    }
}

impl Ops {
    fn add_all(&mut self, rows: &[(u16, Fixity, &[&str])]) {
        for (priority, fixity, names) in rows {
            for name in *names {
                self.set(*priority, *fixity, Atom::new(name));
            }
        }
    }

    /// Adds the operators of `library(alphorn)`.
    pub fn add_extras(&mut self) {
        self.add_all(EXTRAS);
    }

    /// Whether `library(alphorn)` defines this operator.
    pub fn is_extra(name: &str) -> bool {
        EXTRAS.iter().any(|row| row.2.contains(&name))
    }

    /// Declares an operator. Priority 0 removes it.
    pub fn set(&mut self, priority: u16, fixity: Fixity, name: Atom) {
        let below = priority.saturating_sub(1);
        let infix = |left, right| Infix { priority, left, right };
        let affix = |operand| Affix { priority, operand };
        match fixity {
            Fixity::Xfx => store(&mut self.infix, name, priority, infix(below, below)),
            Fixity::Xfy => store(&mut self.infix, name, priority, infix(below, priority)),
            Fixity::Yfx => store(&mut self.infix, name, priority, infix(priority, below)),
            Fixity::Fy => store(&mut self.prefix, name, priority, affix(priority)),
            Fixity::Fx => store(&mut self.prefix, name, priority, affix(below)),
            Fixity::Yf => store(&mut self.postfix, name, priority, affix(priority)),
            Fixity::Xf => store(&mut self.postfix, name, priority, affix(below)),
        }
    }

    /// The atom as an infix operator.
    pub fn infix(&self, name: Atom) -> Option<Infix> {
        self.infix.get(&name).copied()
    }

    /// The atom as a prefix operator.
    pub fn prefix(&self, name: Atom) -> Option<Affix> {
        self.prefix.get(&name).copied()
    }

    /// The atom as a postfix operator.
    pub fn postfix(&self, name: Atom) -> Option<Affix> {
        self.postfix.get(&name).copied()
    }

    /// Whether the atom is an operator of any kind.
    pub fn is_op(&self, name: Atom) -> bool {
        self.infix.contains_key(&name) || self.prefix.contains_key(&name) || self.postfix.contains_key(&name)
    }
}

fn store<T>(table: &mut FxHashMap<Atom, T>, name: Atom, priority: u16, row: T) {
    if priority == 0 {
        table.remove(&name);
    } else {
        table.insert(name, row);
    }
}
