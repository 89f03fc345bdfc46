//! Keeps outputs in slots: an output that only the code of one procedure writes and reads needs no
//! cell of the heap, and writing it leaves no binding to undo.
//!
//! This happens after the code of small procedures replaced their calls. A choice point that is older
//! than the output needs no old value, for its alternative writes the output again before reading it.

use crate::machine::compile::Draft;
use crate::machine::compile::splice::Renaming;
use crate::machine::ir::{ARGS, From, Label, LinkedCode, Op, Operand, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces output cells by slots in the draft of a procedure with `arity` arguments.
pub(super) fn keep_in_slots(unit: &mut LinkedCode, draft: &mut Draft, arity: usize) {
    let mut outputs = Outputs::of(draft);
    if outputs.homes.is_empty() {
        return;
    }
    outputs.remove_others(unit, draft, arity);
    let homes = outputs.homes;
    if homes.is_empty() {
        return;
    }
    for at in 0..draft.ops.len() {
        match draft.ops[at] {
            // Passing the output on is not necessary any more.
            Op::Move { d, .. } if homes.contains_key(&d) => {
                draft.labels.push(at as u32 + 1);
                draft.ops[at] = Op::Jump { to: draft.labels.len() as Label - 1 };
                continue;
            }
            Op::Out { s, v } => {
                if let Some(home) = homes.get(&s) {
                    draft.ops[at] = Op::Move { d: *home, v };
                }
            }
            _ => {}
        }
        let mut reads = false;
        draft.ops[at].operands(unit, &mut |operand| reads |= is_value(&homes, operand));
        if reads {
            Renaming::of_outputs(unit, &homes).op(&mut draft.ops[at], &mut Vec::new());
        }
    }
    for site in &mut draft.sites {
        let Some((start, count)) = site.args else { continue };
        let range = start as usize..start as usize + usize::from(count);
        let new = |operand: &Operand| match operand.from() {
            From::Cell(slot) => homes.get(&slot).map_or(*operand, |home| Operand::of(From::Slot(*home))),
            // Where a goal is shown with the output itself, the output has no value yet.
            From::Slot(slot) if homes.contains_key(&slot) => Operand::of(From::Fresh(0)),
            _ => *operand,
        };
        let copy: Vec<Operand> = unit.operands[range.clone()].iter().map(new).collect();
        if copy != unit.operands[range] {
            site.args = Some((unit.operands.len() as u32, count));
            unit.operands.extend(copy);
        }
    }
}

/// Whether an operand is the value of an output that is kept in a slot.
fn is_value(homes: &FxHashMap<Slot, Slot>, operand: Operand) -> bool {
    matches!(operand.from(), From::Cell(slot) if homes.contains_key(&slot))
}

/// The outputs of a draft, and the slots that refer to their cells.
struct Outputs {
    /// For each of these slots, the slot where the cell was made.
    homes: FxHashMap<Slot, Slot>,
    /// The homes of outputs that need their cells.
    needed: FxHashSet<Slot>,
}

impl Outputs {
    /// Finds the slots to which outputs are passed.
    fn of(draft: &Draft) -> Outputs {
        let mut outputs = Outputs { homes: FxHashMap::default(), needed: FxHashSet::default() };
        for op in &draft.ops {
            if let Op::Move { d, v } = op
                && let From::Fresh(home) = v.from()
            {
                outputs.pass(home, home);
                outputs.pass(*d, home);
            }
        }
        let mut count = 0;
        while count != outputs.homes.len() {
            count = outputs.homes.len();
            for op in &draft.ops {
                if let Op::Move { d, v } = op
                    && let From::Slot(slot) = v.from()
                    && let Some(home) = outputs.homes.get(&slot)
                {
                    outputs.pass(*d, *home);
                }
            }
        }
        outputs
    }

    fn pass(&mut self, slot: Slot, home: Slot) {
        if let Some(other) = self.homes.insert(slot, home)
            && other != home
        {
            self.needed.extend([home, other]);
        }
    }

    /// Removes the outputs that are used in any other way than to pass them on, to write a value, or to
    /// read the value.
    fn remove_others(&mut self, unit: &LinkedCode, draft: &Draft, arity: usize) {
        let Outputs { homes, needed } = self;
        for op in &draft.ops {
            // The one use of each kind of operation that is no reason for a cell.
            let (mut passed, mut written, mut target) = (None, None, None);
            match op {
                Op::Move { d, v } => match v.from() {
                    From::Fresh(home) => (target, written) = (Some(*d), Some(home)),
                    From::Slot(slot) if homes.contains_key(&slot) && slot != homes[&slot] => {
                        (target, passed) = (Some(*d), Some(slot));
                    }
                    _ => {}
                },
                Op::Out { s, .. } => passed = Some(*s),
                _ => {}
            }
            let mut reads: Vec<Slot> = Vec::new();
            let mut values: Vec<Slot> = Vec::new();
            op.operands(unit, &mut |operand| {
                if is_value(homes, operand)
                    && let From::Cell(slot) = operand.from()
                {
                    values.push(slot);
                }
            });
            op.slots(unit, &mut |slot| reads.push(slot), &mut |slot| {
                if homes.contains_key(&slot) && Some(slot) != target && Some(slot) != written {
                    needed.insert(homes[&slot]);
                }
            });
            for slot in values.into_iter().chain(passed) {
                if let Some(at) = reads.iter().position(|read| *read == slot) {
                    reads.swap_remove(at);
                }
            }
            needed.extend(reads.iter().filter_map(|slot| homes.get(slot)));
        }
        let own = (0..ARGS + arity as Slot).filter_map(|slot| homes.get(&slot));
        needed.extend(own);
        homes.retain(|_, home| !needed.contains(home));
    }
}
