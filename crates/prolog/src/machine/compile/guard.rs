//! Tells which clauses fail at once for an argument with a known first symbol.
//!
//! Many clauses begin with a test of an argument that the clauses before have named: `p(0).` and
//! `p(N) :- N > 0, ...`. If a switch has found the 0, the second clause fails in its first goal. Without
//! that clause no choice point is left. Only tests are looked at that cannot raise an error.

use crate::machine::compile::Library;
use crate::machine::compile::first_symbol::{FirstSymbol, key};
use crate::machine::ir::{IntComparison, TypeTest};
use crate::term::{ATOM, INT, TAG};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Clause, Goal};
use alphorn_text::signature::BuiltinKind;

/// Whether a clause whose argument `arg` is a variable fails in its first goals if the argument has
/// this symbol.
pub(super) fn refuses(library: &Library, clause: &Clause, arg: usize, symbol: FirstSymbol) -> bool {
    let node = clause.tree.args(clause.head)[arg];
    let TermKind::Var(variable) = clause.tree.kind(node) else { return false };
    let guard = Guard { library, clause, variable: *variable, symbol };
    let goals = match &clause.body {
        Goal::Conj(goals) => goals.as_slice(),
        goal => std::slice::from_ref(goal),
    };
    goals.iter().map_while(|goal| guard.holds(goal)).any(|holds| !holds)
}

/// A clause with an argument whose symbol is known.
struct Guard<'a> {
    library: &'a Library,
    clause: &'a Clause,
    variable: u32,
    symbol: FirstSymbol,
}

impl Guard<'_> {
    /// Whether a goal succeeds; `None` if that is not known, or if the goal is no test.
    fn holds(&self, goal: &Goal) -> Option<bool> {
        match goal {
            Goal::True => Some(true),
            Goal::Fail => Some(false),
            Goal::Not(goal) => Some(!self.holds(goal)?),
            Goal::Call { callee: Callee::Native(id), args, .. } => {
                match (self.library.inline[usize::from(id.0)].how, args.as_slice()) {
                    (BuiltinKind::Compare(order), [a, b]) => self.compares(order, *a, *b),
                    (BuiltinKind::Unify | BuiltinKind::Same, [a, b]) => self.equals(*a, *b),
                    (BuiltinKind::NotUnifiable | BuiltinKind::NotSame, [a, b]) => Some(!self.equals(*a, *b)?),
                    (BuiltinKind::Type(test), [a]) if self.is_argument(*a) => Some(self.has_type(test)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_argument(&self, node: NodeId) -> bool {
        *self.clause.tree.kind(node) == TermKind::Var(self.variable)
    }

    /// The symbol of a side of a test.
    fn side(&self, node: NodeId) -> FirstSymbol {
        if self.is_argument(node) { self.symbol } else { key(&self.clause.tree, node) }
    }

    /// Compares two small integers.
    fn compares(&self, order: IntComparison, a: NodeId, b: NodeId) -> Option<bool> {
        let number = |node| match self.side(node) {
            FirstSymbol::Word(word) if word & TAG == INT => Some((word as i64) >> 3),
            _ => None,
        };
        Some(order.holds(number(a)?, number(b)?))
    }

    /// Whether two sides are equal: different symbols are not, equal atoms and integers are.
    fn equals(&self, a: NodeId, b: NodeId) -> Option<bool> {
        match (self.side(a), self.side(b)) {
            (FirstSymbol::Any | FirstSymbol::Boxed, _) | (_, FirstSymbol::Any | FirstSymbol::Boxed) => None,
            (FirstSymbol::Word(a), FirstSymbol::Word(b)) if a == b => matches!(a & TAG, ATOM | INT).then_some(true),
            (a, b) => (a != b).then_some(false),
        }
    }

    fn has_type(&self, test: TypeTest) -> bool {
        let tag = match self.symbol {
            FirstSymbol::Word(word) => word & TAG,
            _ => return matches!(test, TypeTest::Nonvar | TypeTest::Compound | TypeTest::Callable),
        };
        let (atom, integer) = (tag == ATOM, tag == INT);
        match test {
            TypeTest::Var => false,
            TypeTest::Nonvar => true,
            TypeTest::Atom => atom,
            TypeTest::Integer | TypeTest::Number => integer,
            TypeTest::Atomic => atom || integer,
            TypeTest::Compound => !atom && !integer,
            TypeTest::Callable => !integer,
        }
    }
}
