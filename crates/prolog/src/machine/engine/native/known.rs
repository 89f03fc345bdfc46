//! What is known about slots and values at one point of the code.

use crate::machine::ir::Slot;
use cranelift_codegen::ir::Value;
use rustc_hash::FxHashMap;

/// Where the value of a slot is, besides the frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Value(Value),
    /// In the variable of the slot: several ways lead here, with different values.
    Variable,
    /// Only in the frame, since a helper may have moved terms.
    Stale,
}

/// Known slots and tags at a point of a block.
#[derive(Clone, Default)]
pub(super) struct KnownValues {
    /// The slots, and the tags of those without a value.
    slots: FxHashMap<Slot, (Known, Option<u64>)>,
    tags: FxHashMap<Value, u64>,
}

impl KnownValues {
    pub(super) fn slot(&self, slot: Slot) -> Option<(Known, Option<u64>)> {
        self.slots.get(&slot).copied()
    }

    pub(super) fn note(&mut self, slot: Slot, value: Value) {
        self.slots.insert(slot, (Known::Value(value), None));
    }

    pub(super) fn tag(&self, value: Value) -> Option<u64> {
        self.tags.get(&value).copied()
    }

    pub(super) fn learn(&mut self, value: Value, tag: u64) {
        self.tags.insert(value, tag);
    }

    /// The tag of a known slot, if it is known.
    fn tag_of(&self, (known, tag): (Known, Option<u64>)) -> Option<u64> {
        match known {
            Known::Value(value) => self.tag(value),
            Known::Variable | Known::Stale => tag,
        }
    }

    /// Keeps what is also known on another way.
    pub(super) fn meet(&mut self, other: &KnownValues) {
        let slots = std::mem::take(&mut self.slots);
        for (slot, own) in slots {
            let Some(there) = other.slot(slot) else { continue };
            if there.0 == Known::Stale || own.0 == Known::Stale {
                continue;
            }
            let tag = self.tag_of(own).filter(|tag| other.tag_of(there) == Some(*tag));
            let known = if own.0 == there.0 { own.0 } else { Known::Variable };
            self.slots.insert(slot, (known, tag));
        }
        self.tags.retain(|value, tag| other.tag(*value) == Some(*tag));
    }

    /// Where these slots are known to be in their variables.
    pub(super) fn in_variables(slots: &[Slot]) -> KnownValues {
        let slots = slots.iter().map(|slot| (*slot, (Known::Variable, None))).collect();
        KnownValues { slots, tags: FxHashMap::default() }
    }

    /// Forgets all values and tags. Each slot stays known to be in its variable.
    pub(super) fn begin_loop(&mut self) {
        self.tags.clear();
        self.slots.values_mut().for_each(|known| *known = (Known::Variable, None));
    }

    /// Forgets the values of slots, which a helper may have moved, but not their tags.
    pub(super) fn make_stale(&mut self) {
        let slots = std::mem::take(&mut self.slots);
        self.slots = slots.into_iter().map(|(slot, own)| (slot, (Known::Stale, self.tag_of(own)))).collect();
        self.tags.clear();
    }

    /// The slots to read again before control goes on where this is known, in their order.
    pub(super) fn stale_in(&self, here: &KnownValues) -> Vec<Slot> {
        let is_stale = |slot: &Slot| matches!(here.slot(*slot), Some((Known::Stale, _)));
        let mut slots: Vec<Slot> = self.slots.keys().copied().filter(is_stale).collect();
        slots.sort_unstable();
        slots
    }
}
