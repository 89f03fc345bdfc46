//! Operands: the sources of terms for operations.
//!
//! An operand has 32 bits, and the engine distinguishes its kinds by single bits. All other code
//! decodes it to a [`From`].

use super::Slot;

/// The source of a term for an operation, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Operand(pub u32);

/// A decoded [`Operand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A slot.
    Slot(Slot),
    /// A constant, by its number.
    Const(u32),
    /// A cell of the compound in a slot, by its offset from the first cell.
    Field(Slot, u16),
    /// The value in the output cell that a slot refers to.
    Cell(Slot),
    /// A new output cell, whose reference is also written to the slot.
    Fresh(Slot),
}

/// The greatest offset of a [`From::Field`].
pub const MAX_FIELD: u16 = (1 << 13) - 1;
/// The greatest number of a constant.
pub const MAX_CONST: u32 = (1 << 29) - 1;

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.from().fmt(f)
    }
}

impl Operand {
    /// Encodes an operand in 32 bits. Bit 0: a constant or the value of an output cell. Bit 1:
    /// fetched through a slot. Bit 2: newly made. Then follow the slot or constant and the offset.
    pub const fn of(from: From) -> Operand {
        Operand(match from {
            From::Slot(slot) => (slot as u32) << 3,
            From::Const(number) => number << 3 | 1,
            From::Field(slot, at) => (slot as u32) << 3 | (at as u32) << 19 | 2,
            From::Cell(slot) => (slot as u32) << 3 | 3,
            From::Fresh(slot) => (slot as u32) << 3 | 6,
        })
    }

    /// Decodes an operand.
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
