//! What the compiler reads from the facts of builtins, and the arithmetic functions with special code.
//!
//! A builtin without facts takes general arguments, and its results are treated as general terms.

use crate::machine::ir::Function;
use alphorn_text::signature::{BuiltinKind, Fact, KnownPredicates, Signature};
use std::sync::Arc;

/// The properties of a builtin.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuiltinInfo {
    pub how: BuiltinKind,
    /// Whether the builtin never binds a variable.
    pub tests: bool,
    /// The arguments that become ground if all other arguments are ground before the call.
    pub solid: &'static [usize],
    /// The arguments that become ground if they are new variables, whatever the others are.
    pub answers: &'static [usize],
    /// If the arguments of one of these sets are ground, the builtin has at most one answer.
    pub once: [Option<&'static [usize]>; 2],
    /// Whether the builtin never succeeds.
    pub never: bool,
}

impl BuiltinInfo {
    fn of(row: &Signature) -> BuiltinInfo {
        let mut info = BuiltinInfo {
            how: BuiltinKind::Plain,
            tests: false,
            solid: &[],
            answers: &[],
            once: [None; 2],
            never: false,
        };
        for fact in row.facts {
            match *fact {
                Fact::Compiled(how) => info.how = how,
                Fact::BindsNothing => info.tests = true,
                Fact::MakesGround(args) => info.solid = args,
                Fact::AnswersGround(args) => info.answers = args,
                Fact::OneAnswer(args) => {
                    debug_assert!(info.once[1].is_none(), "there is room for two sets: {}", row.name);
                    info.once = [Some(args), info.once[0]];
                }
                Fact::NeverSucceeds => info.never = true,
                _ => {}
            }
        }
        info
    }
}

/// Makes the table of all builtins, by their numbers.
pub(super) fn table(known: &KnownPredicates) -> Arc<[BuiltinInfo]> {
    known.rows().map(BuiltinInfo::of).collect()
}

/// An arithmetic function with special code.
pub(super) enum Compiled {
    Add,
    Sub,
    Other(Function),
}

/// Returns the compiled function with this name and arity.
pub(super) fn function(name: &str, arity: usize) -> Option<Compiled> {
    Some(match (name, arity) {
        ("+", 2) => Compiled::Add,
        ("-", 2) => Compiled::Sub,
        ("*", 2) => Compiled::Other(Function::Mul),
        ("//", 2) => Compiled::Other(Function::Div),
        ("mod", 2) => Compiled::Other(Function::Mod),
        ("rem", 2) => Compiled::Other(Function::Rem),
        ("/\\", 2) => Compiled::Other(Function::And),
        ("\\/", 2) => Compiled::Other(Function::Or),
        ("xor", 2) => Compiled::Other(Function::Xor),
        ("<<", 2) => Compiled::Other(Function::ShiftLeft),
        (">>", 2) => Compiled::Other(Function::ShiftRight),
        ("min", 2) => Compiled::Other(Function::Min),
        ("max", 2) => Compiled::Other(Function::Max),
        ("-", 1) => Compiled::Other(Function::Neg),
        ("abs", 1) => Compiled::Other(Function::Abs),
        ("\\", 1) => Compiled::Other(Function::Not),
        ("popcount", 1) => Compiled::Other(Function::PopCount),
        ("msb", 1) => Compiled::Other(Function::Msb),
        _ => return None,
    })
}
