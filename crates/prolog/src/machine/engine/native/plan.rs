//! Divides a procedure into blocks, and assigns the blocks to functions.
//!
//! A function begins wherever control may enter from outside: at the entry of the procedure, after
//! calls, and at alternatives. It also begins at blocks that several functions reach.

use super::MOST_ARGS;
use crate::machine::ir::{FAIL, Label, LinkedCode, Op, Proc, SolutionStorage};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Operations of the longest procedure that is compiled; longer ones take too long to compile.
pub(super) const MOST_OPS: u32 = 6_000;

/// The blocks and functions of a procedure.
pub(super) struct Plan {
    /// The addresses of blocks.
    pub leaders: BTreeSet<u32>,
    /// The addresses of functions.
    pub entries: BTreeSet<u32>,
    /// The function that each block belongs to.
    pub owner: FxHashMap<u32, u32>,
    /// The number of edges to each block.
    pub edges: FxHashMap<u32, u32>,
}

/// Whether the loop runs an operation, and native code continues after it.
pub(super) fn is_left_to_the_loop(op: &Op) -> bool {
    match op {
        Op::Once { count, .. } | Op::Many { count, .. } | Op::Again { count, .. } => usize::from(*count) > MOST_ARGS,
        Op::Answer
        | Op::Exhausted
        | Op::Meta { .. }
        | Op::TailMeta { .. }
        | Op::Unknown { .. }
        | Op::SoftCut { .. }
        | Op::Catch { .. }
        | Op::ExitCatch
        | Op::Caught
        | Op::Keep { how: SolutionStorage::Pack, .. }
        | Op::Unpack { .. }
        | Op::CheckList { .. } => true,
        _ => false,
    }
}

impl Plan {
    pub(super) fn new(unit: &LinkedCode, proc: &Proc) -> Plan {
        let mut entries = BTreeSet::from([proc.entry]);
        let mut leaders = BTreeSet::new();
        for at in proc.entry..proc.end {
            let op = &unit.code[at as usize];
            match op {
                Op::Call { .. } => drop(entries.insert(at + 1)),
                Op::Push { alt, .. } => drop(entries.insert(*alt)),
                Op::Begin { end, .. } => drop(entries.insert(*end)),
                Op::CountOn { .. } | Op::Again { .. } => drop(entries.insert(at)),
                Op::Many { .. } if is_left_to_the_loop(op) => drop(entries.insert(at + 2)),
                op if is_left_to_the_loop(op) && !op.ends_block() => drop(entries.insert(at + 1)),
                _ => {}
            }
            leaders.extend(targets(unit, at));
        }
        entries.retain(|at| (proc.entry..proc.end).contains(at));
        let mut plan = Plan { leaders, entries, owner: FxHashMap::default(), edges: FxHashMap::default() };
        plan.leaders.extend(&plan.entries);
        let next: FxHashMap<u32, Vec<u32>> =
            plan.leaders.iter().map(|leader| (*leader, plan.successors(unit, *leader))).collect();
        for to in next.values().flatten() {
            *plan.edges.entry(*to).or_insert(0) += 1;
        }
        // A block shared by two functions becomes a function.
        loop {
            let shared = plan.assign(&next);
            if shared.is_empty() {
                return plan;
            }
            plan.entries.extend(shared);
        }
    }

    /// Assigns every block to the function that reaches it, and returns the blocks that several
    /// functions reach.
    fn assign(&mut self, next: &FxHashMap<u32, Vec<u32>>) -> FxHashSet<u32> {
        let mut shared = FxHashSet::default();
        self.owner = self.entries.iter().map(|entry| (*entry, *entry)).collect();
        let mut open: Vec<u32> = self.entries.iter().copied().collect();
        while let Some(block) = open.pop() {
            let owner = self.owner[&block];
            for to in &next[&block] {
                match self.owner.get(to) {
                    None => {
                        self.owner.insert(*to, owner);
                        open.push(*to);
                    }
                    Some(other) if *other != owner && !self.entries.contains(to) => drop(shared.insert(*to)),
                    Some(_) => {}
                }
            }
        }
        shared
    }

    /// The successors of a block, once for each edge.
    fn successors(&self, unit: &LinkedCode, leader: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = leader;
        loop {
            found.extend(targets(unit, at));
            let op = &unit.code[at as usize];
            if op.ends_block() || is_left_to_the_loop(op) || matches!(op, Op::Call { .. }) {
                break;
            }
            at += 1;
            if self.leaders.contains(&at) {
                // The operation that continues the count or the builtin comes after this one.
                if !matches!(op, Op::Count { .. } | Op::Many { .. }) {
                    found.push(at);
                }
                break;
            }
        }
        found
    }
}

/// The targets of an operation's edges.
fn targets(unit: &LinkedCode, at: u32) -> Vec<Label> {
    let mut op = unit.code[at as usize];
    let mut found = Vec::new();
    if is_left_to_the_loop(&op) {
        return found;
    }
    match op {
        Op::Switch { table, .. } => {
            let table = &unit.tables[table as usize];
            found.extend(table.keys.iter().map(|(_, label)| *label));
            found.extend([table.list, table.rest, table.unbound]);
        }
        Op::Count { .. } | Op::Many { .. } => found.push(at + 2),
        _ => {}
    }
    match op {
        // Alternatives are no edges: choice points lead to them.
        Op::Push { .. } | Op::Begin { .. } => {}
        _ => op.edges(|label| found.push(*label)),
    }
    found.retain(|label| *label != FAIL);
    found
}
