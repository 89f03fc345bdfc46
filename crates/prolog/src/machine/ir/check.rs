//! The slots and edges of operations, for the garbage collector and the checks.
//!
//! The functions give what an operation reads and writes, the live slots at an address, and
//! violations of the invariants of the form.

use super::{
    ARGS, FAIL, From, Label, LinkedCode, MOST_CELLS, Mode, NUMBER_CELLS, Op, Operand, Proc, Slot, TemplatePart,
};

impl Op {
    /// Calls `see` with every edge, except those in the tables of switches.
    pub fn edges(&mut self, mut see: impl FnMut(&mut Label)) {
        match self {
            Op::Jump { to } => see(to),
            Op::Push { alt, .. } => see(alt),
            Op::Begin { end, .. } => see(end),
            Op::IsConst { or, .. }
            | Op::FieldIs { or, .. }
            | Op::IsList { or, .. }
            | Op::IsStruct { or, .. }
            | Op::Rest { or, .. }
            | Op::Same { or, .. }
            | Op::Differ { or, .. }
            | Op::Is { or, .. }
            | Op::IsSolid { or, .. }
            | Op::Find { or, .. }
            | Op::Once { or, .. } => see(or),
            Op::Add { slow, .. }
            | Op::AddK { slow, .. }
            | Op::Sub { slow, .. }
            | Op::Arith { slow, .. }
            | Op::Count { slow, .. }
            | Op::Order { slow, .. }
            | Op::Eval { slow, .. }
            | Op::Arity { slow, .. } => see(slow),
            Op::Compare { or, slow, .. }
            | Op::CompareK { or, slow, .. }
            | Op::Arg { or, slow, .. }
            | Op::ArgK { or, slow, .. }
            | Op::EvalCompare { or, slow, .. }
            | Op::PutArg { or, slow, .. } => {
                see(or);
                see(slow);
            }
            _ => {}
        }
    }

    /// Returns whether the operation ends its block.
    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Op::Fail
                | Op::Proceed
                | Op::Jump { .. }
                | Op::Exhausted
                | Op::TailCall { .. }
                | Op::TailMeta { .. }
                | Op::Catch { last: true, .. }
                | Op::Unknown { .. }
                | Op::Caught
                | Op::Switch { .. }
        )
    }

    /// Calls `reads` with every slot that the operation reads, `writes` with every slot that it writes.
    pub fn slots(&self, unit: &LinkedCode, reads: &mut dyn FnMut(Slot), writes: &mut dyn FnMut(Slot)) {
        let operand = |v: &Operand, reads: &mut dyn FnMut(Slot), writes: &mut dyn FnMut(Slot)| match v.from() {
            From::Slot(s) | From::Field(s, _) | From::Cell(s) => reads(s),
            From::Const(_) => {}
            From::Fresh(s) => writes(s),
        };
        let mut list = |start: u32, count: u16, reads: &mut dyn FnMut(Slot)| {
            for v in &unit.operands[start as usize..start as usize + usize::from(count)] {
                operand(v, reads, writes);
            }
        };
        match self {
            Op::Call { args, count, .. }
            | Op::TailCall { args, count, .. }
            | Op::Meta { args, count, .. }
            | Op::TailMeta { args, count, .. }
            | Op::Once { args, count, .. } => list(*args, *count, reads),
            Op::Many { args, count, state, .. } => {
                list(*args, *count, reads);
                writes(*state);
            }
            Op::Again { args, count, state, .. } => {
                list(*args, *count, reads);
                reads(*state);
                writes(*state);
            }
            Op::Catch { args, count, .. } => list(*args, *count, reads),
            Op::PutArg { d, args, .. } => {
                list(*args, 3, reads);
                writes(*d);
            }
            Op::Eval { formula, .. } | Op::EvalCompare { formula, .. } => {
                let formula = &unit.formulas[*formula as usize];
                list(formula.args, formula.count, reads);
                if let Op::Eval { d, .. } = self {
                    writes(*d);
                }
            }
            Op::Build { d, args, count, .. } => {
                list(*args, *count, reads);
                writes(*d);
            }
            Op::ExitCatch | Op::Caught => (0..3).for_each(|at| reads(ARGS + at)),
            Op::Height { d } | Op::NewVar { d } | Op::Unpack { d, .. } => writes(*d),
            Op::CutTo { s } | Op::SoftCut { s } => reads(*s),
            Op::Keep { v, .. } | Op::CheckList { v } => operand(v, reads, writes),
            Op::End { d, tail: v } | Op::Move { d, v } | Op::Deref { d, v } => {
                operand(v, reads, writes);
                writes(*d);
            }
            Op::IsConst { s, .. }
            | Op::FieldIs { s, .. }
            | Op::IsList { s, .. }
            | Op::IsStruct { s, .. }
            | Op::Is { s, .. }
            | Op::IsSolid { s, .. }
            | Op::Switch { s, .. } => reads(*s),
            Op::Rest { d, s, .. } | Op::Load { d, s, .. } | Op::OutVar { d, s } => {
                reads(*s);
                writes(*d);
            }
            Op::Same { a, b, .. } | Op::Differ { a, b, .. } | Op::UnifyAny { a, b } => {
                operand(a, reads, writes);
                operand(b, reads, writes);
            }
            Op::Cons { d, head, tail } => {
                operand(head, reads, writes);
                operand(tail, reads, writes);
                writes(*d);
            }
            Op::Out { s, v } => {
                reads(*s);
                operand(v, reads, writes);
            }
            Op::OutCons { s, head } => {
                reads(*s);
                operand(head, reads, writes);
                writes(*s);
            }
            Op::Add { d, a, b, .. } | Op::Sub { d, a, b, .. } | Op::Arith { d, a, b, .. } => {
                reads(*a);
                reads(*b);
                writes(*d);
            }
            Op::AddK { d, a, .. } => {
                reads(*a);
                writes(*d);
            }
            Op::Compare { a, b, .. } => {
                reads(*a);
                reads(*b);
            }
            Op::CompareK { a, .. } => reads(*a),
            Op::Count { d, high, .. } | Op::CountOn { d, high, .. } => {
                reads(*d);
                reads(*high);
                writes(*d);
            }
            Op::Arg { d, i, t, .. } => {
                reads(*i);
                reads(*t);
                writes(*d);
            }
            Op::Order { d, a, b, .. } => {
                operand(a, reads, writes);
                operand(b, reads, writes);
                writes(*d);
            }
            Op::ArgK { d, t, .. } | Op::Arity { d, t, .. } => {
                reads(*t);
                writes(*d);
            }
            Op::Unify { s, template } => {
                reads(*s);
                for part in &unit.templates[*template as usize] {
                    match part {
                        TemplatePart::Value(slot) => reads(*slot),
                        TemplatePart::First(slot) => writes(*slot),
                        _ => {}
                    }
                }
            }
            Op::Fail
            | Op::Proceed
            | Op::Jump { .. }
            | Op::Answer
            | Op::Exhausted
            | Op::Unknown { .. }
            | Op::Push { .. }
            | Op::Step { .. }
            | Op::Begin { .. } => {}
            Op::Find { row, key, .. } => {
                operand(key, reads, writes);
                writes(*row);
            }
            Op::Column { d, row, .. } => {
                reads(*row);
                writes(*d);
            }
        }
    }

    /// Calls `see` with every operand.
    pub fn operands(&self, unit: &LinkedCode, see: &mut dyn FnMut(Operand)) {
        let mut list = |start: u32, count: u16| {
            unit.operands[start as usize..start as usize + usize::from(count)].iter().for_each(|v| see(*v));
        };
        match self {
            Op::Call { args, count, .. }
            | Op::TailCall { args, count, .. }
            | Op::Meta { args, count, .. }
            | Op::TailMeta { args, count, .. }
            | Op::Once { args, count, .. }
            | Op::Many { args, count, .. }
            | Op::Again { args, count, .. }
            | Op::Catch { args, count, .. }
            | Op::Build { args, count, .. } => list(*args, *count),
            Op::PutArg { args, .. } => list(*args, 3),
            Op::Eval { formula, .. } | Op::EvalCompare { formula, .. } => {
                let formula = &unit.formulas[*formula as usize];
                list(formula.args, formula.count);
            }
            Op::Keep { v, .. }
            | Op::CheckList { v }
            | Op::End { tail: v, .. }
            | Op::Move { v, .. }
            | Op::Deref { v, .. }
            | Op::Out { v, .. }
            | Op::OutCons { head: v, .. }
            | Op::Find { key: v, .. } => see(*v),
            Op::Same { a, b, .. }
            | Op::Differ { a, b, .. }
            | Op::UnifyAny { a, b }
            | Op::Order { a, b, .. }
            | Op::Cons { head: a, tail: b, .. } => {
                see(*a);
                see(*b);
            }
            _ => {}
        }
    }

    /// Returns the most cells that the operation itself adds to the heap.
    pub fn cells(&self, unit: &LinkedCode) -> u32 {
        let fresh = |start: u32, count: u16| {
            let all = &unit.operands[start as usize..start as usize + usize::from(count)];
            all.iter().filter(|v| matches!(v.from(), From::Fresh(_))).count() as u32
        };
        match self {
            Op::Call { args, count, .. } | Op::TailCall { args, count, .. } => fresh(*args, *count),
            Op::Move { v, .. } => u32::from(matches!(v.from(), From::Fresh(_))),
            Op::NewVar { .. } | Op::OutVar { .. } => 1,
            Op::PutArg { .. } => MOST_CELLS as u32 + 1,
            Op::Cons { .. } | Op::OutCons { .. } | Op::Keep { .. } => 2,
            Op::Build { count, .. } => u32::from(*count) + 1,
            Op::Eval { .. } => NUMBER_CELLS,
            Op::Unify { template, .. } => 4 * unit.templates[*template as usize].len() as u32,
            _ => 0,
        }
    }
}

/// The live slots before each operation of one procedure.
pub struct Liveness {
    entry: u32,
    /// The words of each set.
    words: usize,
    /// The sets of the operations, one after the other, with a bit for each slot.
    sets: Vec<u64>,
}

impl Liveness {
    /// Computes liveness by a backward iteration to a fixpoint.
    pub fn new(unit: &LinkedCode, proc: &Proc) -> Liveness {
        let words = usize::from(proc.size).div_ceil(64);
        let places = proc.entry..proc.end;
        let count = places.len();
        // What each operation reads, and what it leaves of the slots that are live after it.
        let (mut reads, mut rest) = (vec![0u64; count * words], vec![u64::MAX; count * words]);
        for (at, op) in unit.code[proc.entry as usize..proc.end as usize].iter().enumerate() {
            let (own, kept) = (&mut reads[at * words..], &mut rest[at * words..]);
            let mut read = |slot: Slot| own[usize::from(slot) / 64] |= 1 << (slot % 64);
            op.slots(unit, &mut read, &mut |slot| kept[usize::from(slot) / 64] &= !(1 << (slot % 64)));
        }
        // A fault shows the goal with its arguments.
        let first = unit.sites.partition_point(|site| site.at < proc.entry);
        for site in unit.sites[first..].iter().take_while(|site| site.at < proc.end) {
            let Some((start, length)) = site.args else { continue };
            let own = &mut reads[(site.at - proc.entry) as usize * words..];
            for v in &unit.operands[start as usize..start as usize + usize::from(length)] {
                if let From::Slot(s) | From::Field(s, _) | From::Cell(s) = v.from() {
                    own[usize::from(s) / 64] |= 1 << (s % 64);
                }
            }
        }
        let mut sets = vec![0u64; count * words];
        let mut alive = vec![0u64; words];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..count).rev() {
                let mut op = unit.code[proc.entry as usize + at];
                alive.fill(0);
                let mut join = |label: u32| {
                    if places.contains(&label) {
                        let others = &sets[(label - proc.entry) as usize * words..];
                        alive.iter_mut().zip(others).for_each(|(word, other)| *word |= other);
                    }
                };
                if let Op::Switch { table, .. } = op {
                    let table = &unit.tables[table as usize];
                    table.keys.iter().for_each(|(_, label)| join(*label));
                    [table.list, table.rest, table.unbound].into_iter().for_each(&mut join);
                }
                op.edges(|label| join(*label));
                if !op.ends_block() {
                    join(proc.entry + at as u32 + 1);
                }
                if matches!(op, Op::Many { .. } | Op::Count { .. }) {
                    // The next operation is the alternative, and the one after it continues.
                    join(proc.entry + at as u32 + 2);
                }
                let (from, to) = (at * words, (at + 1) * words);
                for (word, (own, kept)) in alive.iter_mut().zip(reads[from..to].iter().zip(&rest[from..to])) {
                    *word = *word & kept | own;
                }
                if *alive != sets[from..to] {
                    sets[from..to].copy_from_slice(&alive);
                    changed = true;
                }
            }
        }
        Liveness { entry: proc.entry, words, sets }
    }

    /// The words of the set before the operation at an address.
    fn set(&self, place: u32) -> &[u64] {
        let first = (place - self.entry) as usize * self.words;
        &self.sets[first..first + self.words]
    }

    /// Returns the live slots before the operation at an address.
    pub fn at(&self, place: u32) -> impl Iterator<Item = Slot> + '_ {
        self.set(place).iter().enumerate().flat_map(|(number, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (number * 64 + bit) as Slot)
        })
    }

    /// Returns whether a slot is live before the operation at an address.
    pub fn contains(&self, place: u32, slot: Slot) -> bool {
        self.set(place)[usize::from(slot) / 64] >> (slot % 64) & 1 == 1
    }
}

/// Returns violations of the invariants, as sentences.
pub fn violations(unit: &LinkedCode, proc: &Proc) -> Vec<String> {
    let mut found = Vec::new();
    let code = &unit.code[proc.entry as usize..proc.end as usize];
    match code.last() {
        Some(last) if last.ends_block() => {}
        _ => found.push("the last block runs off its end".to_string()),
    }
    for (at, op) in code.iter().enumerate() {
        let mut op = *op;
        op.edges(|label| {
            if *label != FAIL && !(proc.entry..proc.end).contains(label) {
                found.push(format!("{at}: an edge leads out of the procedure"));
            }
        });
    }
    // Only arguments and the frame's own words may be live at entry.
    let most = ARGS + proc.modes.len() as Slot;
    for slot in Liveness::new(unit, proc).at(proc.entry) {
        if slot >= most {
            found.push(format!("slot {slot} may be read before it is written"));
        }
    }
    found
}

/// Returns the text of a mode.
pub fn mode_text(mode: Mode, solid: bool) -> &'static str {
    match (mode, solid) {
        (Mode::Solid, _) => "+",
        (Mode::Out, true) => "-",
        (Mode::Out, false) => "-?",
        (Mode::Any, _) => "?",
    }
}
