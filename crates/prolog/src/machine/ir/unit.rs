//! Linked procedures with their constants, tables and source positions.
//!
//! A [`LinkedCode`] is one sequence of operations. The engine addresses operations by their index.
//! The functions here find the procedure and the goal of an address.

use super::{FAIL, Formula, Label, Mode, Op, Operand, TemplatePart};
use crate::term::pack::Packed;
use alphorn_lang::lang::program::PredId;
use alphorn_text::signature::{BuiltinId, KnownPredicates};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// The jump table of a switch.
#[derive(Clone, Debug, Default)]
pub struct Switch {
    /// Atoms, small integers and headers of structures, with their labels.
    pub keys: Vec<(u64, Label)>,
    /// A hash table of `keys`, if there are many: see [`Switch::link`].
    slots: Vec<(u64, Label)>,
    /// The label for list cells.
    pub list: Label,
    /// The label for all other bound terms.
    pub rest: Label,
    /// The label for an unbound variable.
    pub unbound: Label,
}

const HASHED_FROM: usize = 9;

fn place(key: u64, mask: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & mask
}

impl Switch {
    /// Prepares the table for lookups. Only labels may change afterwards.
    pub fn link(&mut self) {
        self.slots.clear();
        if self.keys.len() >= HASHED_FROM {
            let size = (self.keys.len() * 2).next_power_of_two();
            self.slots.resize(size, (0, FAIL));
            for (key, label) in &self.keys {
                let mut at = place(*key, size - 1);
                while self.slots[at].0 != 0 {
                    at = (at + 1) & (size - 1);
                }
                self.slots[at] = (*key, *label);
            }
        }
    }

    /// Returns the label of a key. The key is never 0.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Label {
        if self.slots.is_empty() {
            for (other, label) in &self.keys {
                if *other == key {
                    return *label;
                }
            }
            return self.rest;
        }
        let mask = self.slots.len() - 1;
        let mut at = place(key, mask);
        loop {
            let (other, label) = self.slots[at];
            if other == key {
                return label;
            }
            if other == 0 {
                return self.rest;
            }
            at = (at + 1) & mask;
        }
    }

    /// Iterates over all labels.
    pub fn labels(&mut self) -> impl Iterator<Item = &mut Label> {
        self.keys.iter_mut().map(|(_, label)| label).chain([&mut self.list, &mut self.rest, &mut self.unbound])
    }
}

/// The goal of an operation, for messages.
#[derive(Clone, Debug)]
pub struct Site {
    /// The index of the operation in the code.
    pub at: u32,
    /// Whether the operation is the goal. If not, it only belongs to the goal, as the operations behind
    /// it do.
    pub exact: bool,
    /// The span of the goal.
    pub span: Span,
    /// The name of the goal. `None` if its first argument is the goal.
    pub name: Option<Atom>,
    /// The arguments, as a range of operands. `None` if the goal has no text.
    pub args: Option<(u32, u16)>,
    /// The called procedure. Its forms tell how the arguments were made of these parts.
    pub called: Option<u32>,
    /// Whether this is the last goal of a clause that must write outputs after the call. In
    /// messages, the goal replaces the clause.
    pub last: bool,
    /// The predicate whose unfolded body contains the goal, and whether its call is the last of the
    /// clause.
    pub inside: Option<(PredId, bool)>,
    /// The predicate of the clause, if its code replaced a call.
    pub within: Option<PredId>,
    /// The call that was replaced by the code around this goal: an index into `LinkedCode::outer`.
    pub outer: Option<u32>,
}

/// The form of an argument or of a part of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArgumentForm {
    /// A part that is passed on its own, as input or output.
    Part,
    /// The same part as an earlier one, by its number.
    Same(u16),
    /// A variable that occurs only in known forms, with its number.
    Local(u16),
    /// An atom.
    Atom(Atom),
    /// An integer.
    Int(i64),
    /// A compound with its name and the forms of its arguments.
    Compound(Atom, Box<[ArgumentForm]>),
}

impl Site {
    /// The site of an operation that belongs to no goal.
    pub fn nowhere(at: u32) -> Site {
        let span = crate::machine::skeleton::NOWHERE;
        let (name, args, called, inside, within, outer) = (None, None, None, None, None, None);
        Site { at, exact: false, span, name, args, called, last: false, inside, within, outer }
    }

    /// The site of another operation that belongs to the goal.
    pub fn behind(&self, at: u32) -> Site {
        Site { at, exact: false, args: None, last: false, ..self.clone() }
    }
}

/// A predicate specialised for a pattern of arguments.
#[derive(Clone, Debug)]
pub struct Proc {
    /// The predicate. `None` for a goal that belongs to no clause.
    pub pred: Option<PredId>,
    /// The forms of the arguments. Empty if the arguments are passed as wholes.
    pub forms: Box<[ArgumentForm]>,
    /// The modes of the arguments or of their parts.
    pub modes: Box<[Mode]>,
    /// Whether the value of each output is ground.
    pub solid: Box<[bool]>,
    /// Whether the procedure or a callee writes to tails of lists that it has passed on. The next
    /// answer may then overwrite parts of the last one.
    pub holes: bool,
    /// The index of its first operation.
    pub entry: u32,
    /// The index behind its last operation.
    pub end: u32,
    /// The number of words of its frame.
    pub size: u16,
    /// The most cells that it adds to the heap between two calls.
    pub cells: u32,
    /// The parts that could not be specialised: the span and the reason.
    pub notes: Box<[(Span, &'static str)]>,
}

/// The code of all procedures, with their data.
#[derive(Default)]
pub struct LinkedCode {
    /// The code of all procedures, one after the other.
    pub code: Vec<Op>,
    /// The operands of operations that have many.
    pub operands: Vec<Operand>,
    /// Constants: terms and headers.
    pub consts: Vec<u64>,
    /// The tables of switches.
    pub tables: Vec<Switch>,
    /// The templates.
    pub templates: Vec<Box<[TemplatePart]>>,
    /// The formulas.
    pub formulas: Vec<Formula>,
    /// Packed constants outside the heap.
    pub packed: Vec<Packed>,
    /// The tabled predicates that are called. Numbers behind those of the builtins stand for operations with their
    /// tables: two for each predicate, to read the table and to record an answer.
    pub tabled: Vec<PredId>,
    /// The procedures, in the order of their code.
    pub procs: Vec<Proc>,
    /// The goals, in the order of the code.
    pub sites: Vec<Site>,
    /// The calls that were replaced by the code of their callees.
    pub outer: Vec<Site>,
    /// The size of the largest frame, in words.
    pub largest: u16,
    /// The most cells that a procedure adds between two calls.
    pub cells: u32,
}

impl LinkedCode {
    /// Returns the procedure that contains an address.
    pub fn proc_at(&self, at: u32) -> Option<&Proc> {
        let number = self.procs.partition_point(|proc| proc.entry <= at);
        self.procs.get(number.checked_sub(1)?).filter(|proc| at < proc.end)
    }

    /// Returns the tabled predicate whose table has the operation with this number.
    pub fn tabled(&self, known: &KnownPredicates, id: BuiltinId) -> Option<PredId> {
        let at = usize::from(id.0).checked_sub(known.rows().len())?;
        Some(self.tabled[at / 2])
    }

    /// Returns the goal of the nearest operation at or before an address, in the same procedure.
    pub fn site_at(&self, at: u32) -> Option<&Site> {
        let number = self.sites.partition_point(|site| site.at <= at);
        let site = self.sites.get(number.checked_sub(1)?)?;
        self.proc_at(at).filter(|proc| proc.entry <= site.at).map(|_| site)
    }
}
