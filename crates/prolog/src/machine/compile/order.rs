//! Compiles comparisons of terms: whether they are identical, and their standard order.

use crate::machine::compile::clause::Emitter;
use crate::machine::ir::{From, IntComparison, Op, Operand};
use crate::term::Term;
use alphorn_lang::lang::ast::NodeId;
use alphorn_text::signature::{BuiltinId, BuiltinKind};
use alphorn_text::symbol::atoms;

impl Emitter<'_, '_> {
    pub(super) fn compare_terms(&mut self, id: BuiltinId, args: &[NodeId]) {
        if !self.is_solid(args[0]) || !self.is_solid(args[1]) {
            return self.call_builtin(id, args);
        }
        if let (Some(a), Some(b)) = (self.immediate(args[0]), self.immediate(args[1])) {
            let holds = (a == b) == (self.library.inline[usize::from(id.0)].how == BuiltinKind::Same);
            if !holds {
                self.fail();
            }
            return;
        }
        let a = self.build(args[0]).0;
        let b = self.build(args[1]).0;
        let or = self.failure_label();
        self.emit(match self.library.inline[usize::from(id.0)].how {
            BuiltinKind::Same => Op::Same { a, b, ordered: true, or },
            BuiltinKind::NotSame => Op::Differ { a, b, ordered: true, or },
            _ => Op::Differ { a, b, ordered: false, or },
        });
    }

    /// Compiles `compare/3` of ground terms with a free order.
    pub(super) fn order(&mut self, id: BuiltinId, args: &[NodeId]) {
        let Some(var) = self.as_free(args[0]).filter(|_| self.is_solid(args[1]) && self.is_solid(args[2])) else {
            return self.call_builtin(id, args);
        };
        let (a, b) = (self.build(args[1]).0, self.build(args[2]).0);
        let d = self.own_slot(var);
        let (slow, back) = self.add_slow_path(id, args, Some((0, d)));
        self.emit(Op::Order { d, a, b, slow });
        self.place_label(back);
        self.assign(var, From::Slot(d), true);
    }

    /// Compiles a test of the order of two ground terms.
    pub(super) fn ordered(&mut self, id: BuiltinId, args: &[NodeId], wanted: IntComparison) {
        // The order that makes the test true, or the one that makes it false.
        let (name, holds) = match wanted {
            IntComparison::Less => (atoms::LESS, true),
            IntComparison::Greater => (atoms::GREATER, true),
            IntComparison::AtMost => (atoms::GREATER, false),
            IntComparison::AtLeast => (atoms::LESS, false),
            IntComparison::Equal => (atoms::EQUAL, true),
            IntComparison::Unequal => (atoms::EQUAL, false),
        };
        if !self.is_solid(args[0]) || !self.is_solid(args[1]) {
            return self.call_builtin(id, args);
        }
        let (a, b) = (self.build(args[0]).0, self.build(args[1]).0);
        let d = self.fresh_slot();
        let or = self.failure_label();
        let (slow, back) = self.add_slow_path(id, args, None);
        self.emit(Op::Order { d, a, b, slow });
        if holds {
            let k = self.word(Term::atom(name).0);
            self.emit(Op::IsConst { s: d, k, or });
        } else {
            let (a, b) = (Operand::of(From::Slot(d)), self.constant(Term::atom(name)));
            self.emit(Op::Differ { a, b, ordered: true, or });
        }
        self.place_label(back);
    }
}
