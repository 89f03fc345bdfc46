//! The operator table: ISO's, SWI-Prolog's additions, and the user's `op/3`.
//!
//! In: `op(Priority, Type, Name)`. Out: how an atom may stand between, before
//! or after its operands. The reader and the writer share it.

use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;

/// How an operator takes its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixity {
    /// Between, neither side may have the same priority.
    Xfx,
    /// Between, the right side may.
    Xfy,
    /// Between, the left side may.
    Yfx,
    /// Before, the operand may have the same priority.
    Fy,
    /// Before, it may not.
    Fx,
    /// After, it may not.
    Xf,
    /// After, it may.
    Yf,
}

impl Fixity {
    /// The fixity that `op/3` calls so.
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

/// An operator between two operands: its priority and the highest priority
/// that each operand may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infix {
    /// 1 to 1200.
    pub priority: u16,
    /// For the left operand.
    pub left: u16,
    /// For the right operand.
    pub right: u16,
}

/// An operator before or after its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affix {
    /// 1 to 1200.
    pub priority: u16,
    /// The highest priority of the operand.
    pub operand: u16,
}

/// The operators in force.
#[derive(Clone, Debug)]
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

/// The operators that `library(alphorn)` brings.
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

    /// Brings the operators of `library(alphorn)`.
    pub fn add_extras(&mut self) {
        self.add_all(EXTRAS);
    }

    /// Whether `library(alphorn)` would make this an operator.
    pub fn is_extra(name: &str) -> bool {
        EXTRAS.iter().any(|row| row.2.contains(&name))
    }

    /// Declares an operator; priority 0 takes it away.
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

    /// The atom as an operator between operands.
    pub fn infix(&self, name: Atom) -> Option<Infix> {
        self.infix.get(&name).copied()
    }

    /// The atom as an operator before its operand.
    pub fn prefix(&self, name: Atom) -> Option<Affix> {
        self.prefix.get(&name).copied()
    }

    /// The atom as an operator after its operand.
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
