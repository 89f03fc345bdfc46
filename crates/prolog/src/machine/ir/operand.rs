//! Where operations take terms from.
//!
//! An operand is 32 bits, so that the engine tells its kinds apart by single
//! bits; everybody else takes it apart into a [`From`].

use super::Slot;

/// Where an operation takes a term from, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Operand(pub u32);

/// An [`Operand`] taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A slot.
    Slot(Slot),
    /// A constant of the unit.
    Const(u32),
    /// A cell of the compound in a slot: so many cells behind its first.
    Field(Slot, u16),
    /// What was written to the destination in a slot.
    Cell(Slot),
    /// A new destination, which is kept in the slot too.
    Fresh(Slot),
}

/// The greatest offset that [`From::Field`] can hold, and number of a constant.
pub const MAX_FIELD: u16 = (1 << 13) - 1;
/// See [`MAX_FIELD`].
pub const MAX_CONST: u32 = (1 << 29) - 1;

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.from().fmt(f)
    }
}

impl Operand {
    /// In 32 bits: the lowest says whether it is a constant, or a cell by a
    /// destination; the next whether it is fetched through a slot; the third
    /// whether it is made anew; then the slot or constant, then the offset.
    pub const fn of(from: From) -> Operand {
        Operand(match from {
            From::Slot(slot) => (slot as u32) << 3,
            From::Const(number) => number << 3 | 1,
            From::Field(slot, at) => (slot as u32) << 3 | (at as u32) << 19 | 2,
            From::Cell(slot) => (slot as u32) << 3 | 3,
            From::Fresh(slot) => (slot as u32) << 3 | 6,
        })
    }

    /// Taken apart.
    pub const fn from(self) -> From {
        let slot = (self.0 >> 3) as Slot;
        match self.0 & 7 {
            0 => From::Slot(slot),
            1 => From::Const(self.0 >> 3),
            2 => From::Field(slot, (self.0 >> 19) as u16),
            3 => From::Cell(slot),
            _ => From::Fresh(slot),
        }
    }
}
