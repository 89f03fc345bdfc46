//! Compiles calls of predicates that consist of facts, without a call.
//!
//! If all arguments are outputs, the code iterates over the rows. If one argument identifies the
//! row, the code looks the row up. Steps are counted as for a call.

use crate::machine::compile::clause::Emitter;
use crate::machine::compile::{Constants, FactTable};
use crate::machine::ir::{From, Mode, Op, Operand, Slot, Switch};
use crate::term::build::build;
use crate::term::{ATOM, INT, TAG, Term};
use alphorn_lang::lang::ast::NodeId;
use alphorn_lang::lang::program::{Goal, PredId};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// The most rows of a fact table. Larger predicates are compiled as clauses.
const MOST_ROWS: usize = 1_000;

impl Emitter<'_, '_> {
    /// Writes a call of a fact table. Returns `false` if the call is not one or does not fit.
    pub(super) fn call_facts(&mut self, pred: PredId, args: &[NodeId], modes: &[Mode]) -> bool {
        if modes.contains(&Mode::Any) {
            return false;
        }
        let Some(table) = self.table(pred) else { return false };
        let solid: Vec<usize> = (0..args.len()).filter(|at| modes[*at] == Mode::Solid).collect();
        let key = solid.iter().copied().find(|at| self.identifies_row(table, args.len(), *at));
        if key.is_none() && (!solid.is_empty() || table.rows == 0) {
            return false;
        }
        let one = key.is_some() || table.rows == 1;
        if !one {
            self.push_alternatives();
        }
        let shown: Vec<Operand> = (0..args.len())
            .map(|at| match modes[at] {
                Mode::Solid => self.build(args[at]).0,
                _ => Operand::of(From::Fresh(0)),
            })
            .collect();
        let operands = self.operands(&shown);
        let name = self.program.predicate(pred).key.name;
        self.step_site(name, operands, args.len());
        self.emit(Op::Step { count: 1 });
        let row = match (key, one) {
            (Some(at), _) => Some(self.find_row(table, args.len(), at, shown[at])),
            (None, true) => None,
            (None, false) => Some(self.each_row(table)),
        };
        for at in 0..args.len() {
            if Some(at) == key {
                continue;
            }
            let from = match row {
                None => From::Const(table.start + at as u32),
                Some(row) => {
                    let free = self.as_free(args[at]);
                    if free.is_some_and(|var| self.is_void(var)) {
                        continue;
                    }
                    let d = match free {
                        Some(var) => self.own_slot(var),
                        None => self.fresh_slot(),
                    };
                    let (start, arity) = (table.start + at as u32, args.len() as u16);
                    self.emit(Op::Column { d, row, start, arity });
                    From::Slot(d)
                }
            };
            self.match_solid_value(args[at], from, shown[at]);
        }
        true
    }

    /// Assigns a column to an argument, or compares it with the argument's value.
    fn match_solid_value(&mut self, node: NodeId, from: From, known: Operand) {
        match self.as_free(node) {
            Some(_) => self.match_solid(node, from, false),
            None => {
                let or = self.failure_label();
                self.emit(Op::Same { a: known, b: Operand::of(from), ordered: false, or });
            }
        }
    }

    fn step_site(&mut self, name: Atom, operands: u32, count: usize) {
        self.site(Some(name), Some((operands, count as u16)));
    }

    fn each_row(&mut self, table: FactTable) -> Slot {
        let (row, high) = (self.fresh_slot(), self.fresh_slot());
        let zero = self.constant(Term::small(0));
        let last = self.constant(Term::small(i64::from(table.rows) - 1));
        self.emit(Op::Move { d: row, v: zero });
        self.emit(Op::Move { d: high, v: last });
        self.emit(Op::Count { d: row, high, size: 0, slow: crate::machine::ir::FAIL });
        self.emit(Op::CountOn { d: row, high, size: 0, free: true });
        self.activity += 1;
        row
    }

    fn find_row(&mut self, table: FactTable, arity: usize, at: usize, key: Operand) -> Slot {
        let mut rows = Switch::default();
        rows.rest = u32::MAX;
        for row in 0..table.rows {
            let word = self.library.unit.consts[table.start as usize + row as usize * arity + at];
            rows.keys.push((word, row));
        }
        rows.link();
        self.library.unit.tables.push(rows);
        let number = self.library.unit.tables.len() as u32 - 1;
        let row = self.fresh_slot();
        let or = self.failure_label();
        self.emit(Op::Find { row, key, table: number, or });
        row
    }

    /// Returns whether an argument identifies the row by itself.
    fn identifies_row(&self, table: FactTable, arity: usize, at: usize) -> bool {
        let mut seen = FxHashSet::default();
        (0..table.rows as usize).all(|row| {
            let word = self.library.unit.consts[table.start as usize + row * arity + at];
            matches!(word & TAG, ATOM | INT) && seen.insert(word)
        })
    }

    /// Returns the fact table of a predicate if all its clauses are ground facts.
    fn table(&mut self, pred: PredId) -> Option<FactTable> {
        if let Some(table) = self.library.facts.get(&pred) {
            return *table;
        }
        let table = self.read_table(pred);
        if !matches!(self.constants, Constants::Aside) {
            self.library.facts.insert(pred, table);
        }
        table
    }

    fn read_table(&mut self, pred: PredId) -> Option<FactTable> {
        let predicate = self.program.predicate(pred);
        let Constants::Heap(heap) = &mut *self.constants else { return None };
        if predicate.tabled || predicate.clauses.len() > MOST_ROWS || predicate.key.arity == 0 {
            return None;
        }
        let mut words = Vec::new();
        for clause in &predicate.clauses {
            if !matches!(clause.body, Goal::True) {
                return None;
            }
            let mut variables = Vec::new();
            for arg in clause.tree.args(clause.head) {
                words.push(build(heap, &clause.tree, *arg, &mut variables).0);
            }
            if !variables.is_empty() {
                return None;
            }
        }
        let consts = &mut self.library.unit.consts;
        let start = consts.len() as u32;
        consts.extend(words);
        Some(FactTable { start, rows: predicate.clauses.len() as u32 })
    }
}
