//! Divides a procedure into blocks, and assigns the blocks to functions.
//!
//! A function begins wherever control may enter from outside: at the entry of the procedure, after
//! calls, and at alternatives. It also begins at blocks that several functions reach.

use super::MOST_ARGS;
use crate::machine::ir::check::Liveness;
use crate::machine::ir::{FAIL, Label, LinkedCode, Op, Proc, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Operations of the longest procedure that is compiled; longer ones take too long to compile.
pub(super) const MOST_OPS: u32 = 6_000;

/// The most slots of a loop that stay in machine registers from one round to the next.
const MOST_CARRIED: usize = 4;

/// The blocks and functions of a procedure.
pub(super) struct Plan<'a> {
    /// The addresses of blocks.
    pub leaders: BTreeSet<u32>,
    /// The addresses of functions.
    pub entries: BTreeSet<u32>,
    /// The function that each block belongs to.
    pub owner: FxHashMap<u32, u32>,
    /// The blocks after each block, once for each edge.
    next: FxHashMap<u32, Vec<u32>>,
    /// The live slots before each operation.
    pub alive: Liveness,
    /// The live slots where backtracking leads.
    pub kept: FxHashSet<Slot>,
    /// The addresses at which the loop takes over.
    left: &'a FxHashSet<Label>,
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
        | Op::Unpack { .. }
        | Op::CheckList { .. } => true,
        _ => false,
    }
}

/// The edge of the slow path of an operation, if it has no other edge there.
fn slow_edge(op: &Op) -> Option<Label> {
    match op {
        Op::Add { slow, .. }
        | Op::AddK { slow, .. }
        | Op::Sub { slow, .. }
        | Op::Arith { slow, .. }
        | Op::Count { slow, .. }
        | Op::Order { slow, .. }
        | Op::Eval { slow, .. }
        | Op::Arity { slow, .. } => Some(*slow),
        Op::Compare { or, slow, .. }
        | Op::CompareK { or, slow, .. }
        | Op::Arg { or, slow, .. }
        | Op::ArgK { or, slow, .. }
        | Op::EvalCompare { or, slow, .. }
        | Op::PutArg { or, slow, .. } => Some(*slow).filter(|slow| slow != or),
        _ => None,
    }
}

/// Which blocks of a procedure are left to the loop.
#[derive(Clone, Copy)]
pub(super) enum Leave {
    /// Slow paths, and what has not run.
    SlowAndIdle,
    /// What has not run.
    Idle,
    Nothing,
}

/// The addresses at which the loop takes over, if it has run these operations.
pub(super) fn left_to_the_loop(unit: &LinkedCode, proc: &Proc, ran: &[bool], leave: Leave) -> FxHashSet<Label> {
    let mut left = match leave {
        Leave::SlowAndIdle => slow_paths(unit, proc),
        Leave::Idle | Leave::Nothing => FxHashSet::default(),
    };
    let has_run = |at: u32| ran.get(at as usize).is_some_and(|ran| *ran);
    if !matches!(leave, Leave::Nothing) && has_run(proc.entry) {
        left.extend((proc.entry..proc.end).filter(|at| !has_run(*at)));
    }
    left
}

impl<'a> Plan<'a> {
    /// Divides a procedure, but for what is left to the loop.
    pub(super) fn new(unit: &LinkedCode, proc: &Proc, left: &'a FxHashSet<Label>) -> Plan<'a> {
        let mut entries = BTreeSet::from([proc.entry]);
        let mut leaders = BTreeSet::from_iter(left.iter().copied());
        for at in (proc.entry..proc.end).filter(|at| !left.contains(at)) {
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
            leaders.extend(targets(unit, at, left));
        }
        entries.retain(|at| (proc.entry..proc.end).contains(at) && !left.contains(at));
        let (owner, next) = (FxHashMap::default(), FxHashMap::default());
        let alive = Liveness::new(unit, proc);
        let alternatives = (proc.entry..proc.end).filter_map(|at| match unit.code[at as usize] {
            Op::Push { alt, .. } => Some(alt),
            Op::Begin { end, .. } => Some(end),
            Op::CountOn { .. } | Op::Again { .. } => Some(at),
            _ => None,
        });
        let kept = alternatives.filter(|at| *at != FAIL).flat_map(|at| alive.at(at)).collect();
        let mut plan = Plan { leaders, entries, owner, next, alive, kept, left };
        plan.leaders.extend(&plan.entries);
        plan.next = plan.leaders.iter().map(|leader| (*leader, plan.successors(unit, *leader))).collect();
        // A block shared by two functions becomes a function.
        loop {
            let shared = plan.assign();
            if shared.is_empty() {
                break;
            }
            plan.entries.extend(shared);
        }
        plan
    }

    /// The blocks of a function, each after the blocks that lead to it but for those of a loop, and
    /// the blocks at which loops begin.
    pub(super) fn order(&self, entry: u32) -> (Vec<u32>, FxHashSet<u32>) {
        let mut seen = FxHashSet::from_iter([entry]);
        let (mut found, mut open) = (Vec::new(), vec![(entry, 0)]);
        let mut done = FxHashSet::default();
        let mut loops = FxHashSet::from_iter([entry]);
        while let Some((block, at)) = open.pop() {
            match self.next[&block].get(at) {
                Some(to) => {
                    open.push((block, at + 1));
                    if self.owner.get(to) != Some(&entry) {
                        continue;
                    }
                    if seen.insert(*to) {
                        open.push((*to, 0));
                    } else if !done.contains(to) {
                        loops.insert(*to);
                    }
                }
                None => {
                    done.insert(block);
                    found.push(block);
                }
            }
        }
        found.reverse();
        (found, loops)
    }

    /// The slots that a loop within a function both reads and writes, in the order of their reads: those whose values
    /// go from one round to the next. `order` is the order of the blocks of the function.
    pub(super) fn carried(&self, unit: &LinkedCode, order: &[u32], begin: u32) -> Vec<Slot> {
        let mut body = FxHashSet::from_iter([begin]);
        // A block after the beginning is in the loop if it leads to the loop. Backward edges of inner loops need
        // another round.
        loop {
            let before = body.len();
            let after = order.iter().rev().take_while(|block| **block != begin);
            for block in after {
                if self.next[block].iter().any(|to| body.contains(to)) {
                    body.insert(*block);
                }
            }
            if body.len() == before {
                break;
            }
        }
        let (mut carried, mut written) = (Vec::new(), FxHashSet::default());
        let mut first = FxHashSet::default();
        for at in order.iter().filter(|block| body.contains(block)).flat_map(|block| self.block(unit, *block)) {
            let mut writes = Vec::new();
            let mut read = |slot| {
                if !written.contains(&slot) && first.insert(slot) {
                    carried.push(slot);
                }
            };
            unit.code[at as usize].slots(unit, &mut read, &mut |slot| writes.push(slot));
            written.extend(writes);
        }
        carried.retain(|slot| written.contains(slot));
        carried.truncate(MOST_CARRIED);
        carried
    }

    /// Whether the loop takes over at an address.
    pub(super) fn is_left(&self, at: Label) -> bool {
        self.left.contains(&at)
    }

    /// The addresses of the operations of a block.
    pub(super) fn block(&self, unit: &LinkedCode, leader: u32) -> std::ops::Range<u32> {
        let goes_on = |at: &u32| !unit.code[*at as usize].ends_block() && !self.leaders.contains(&(at + 1));
        let last = (leader..).find(|at| !goes_on(at)).unwrap_or(leader);
        leader..last + 1
    }

    /// Assigns every block to the function that reaches it, and returns the blocks that several
    /// functions reach.
    fn assign(&mut self) -> FxHashSet<u32> {
        let mut shared = FxHashSet::default();
        self.owner = self.entries.iter().map(|entry| (*entry, *entry)).collect();
        let mut open: Vec<u32> = self.entries.iter().copied().collect();
        while let Some(block) = open.pop() {
            let owner = self.owner[&block];
            for to in &self.next[&block] {
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
            found.extend(targets(unit, at, self.left));
            let op = &unit.code[at as usize];
            if op.ends_block() || is_left_to_the_loop(op) || matches!(op, Op::Call { .. }) {
                break;
            }
            at += 1;
            if self.leaders.contains(&at) {
                // The operation that continues the count or the builtin comes after this one.
                if !matches!(op, Op::Count { .. } | Op::Many { .. }) && !self.left.contains(&at) {
                    found.push(at);
                }
                break;
            }
        }
        found
    }
}

/// The slow paths of a procedure to which no other edges lead.
fn slow_paths(unit: &LinkedCode, proc: &Proc) -> FxHashSet<Label> {
    let none = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut others = FxHashSet::default();
    for at in proc.entry..proc.end {
        let slow = slow_edge(&unit.code[at as usize]);
        found.extend(slow);
        others.extend(targets(unit, at, &none).into_iter().filter(|label| Some(*label) != slow));
    }
    found.retain(|label| *label != FAIL && !others.contains(label));
    found
}

/// The targets of an operation's edges, but for these slow paths.
fn targets(unit: &LinkedCode, at: u32, left: &FxHashSet<Label>) -> Vec<Label> {
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
    found.retain(|label| *label != FAIL && !left.contains(label));
    found
}
