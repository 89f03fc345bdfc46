//! Procedures linked together, with their constants, tables and places.
//!
//! In: what `compile` has written. Out: a [`LinkedCode`], one run of code that the
//! engine goes through by places, and what tells a place's procedure and goal.

use super::{FAIL, Label, Mode, Op, Operand, TemplatePart};
use crate::machine::compile::form::ArgumentForm;
use crate::term::pack::Packed;
use alphorn_lang::lang::program::PredId;
use alphorn_text::signature::{BuiltinId, KnownPredicates};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// Where a switch leads.
#[derive(Clone, Debug, Default)]
pub struct Switch {
    /// Atoms, small integers and headers of structures, with labels.
    pub keys: Vec<(u64, Label)>,
    /// The same hashed, where there are many: see [`Switch::link`].
    slots: Vec<(u64, Label)>,
    /// For list cells.
    pub list: Label,
    /// For everything else that is bound.
    pub rest: Label,
    /// For an unbound variable.
    pub unbound: Label,
}

const HASHED_FROM: usize = 9;

fn place(key: u64, mask: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & mask
}

impl Switch {
    /// Makes it ready to be looked at; afterwards only labels may change.
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

    /// The label of a key, which is never 0.
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

    /// All labels.
    pub fn labels(&mut self) -> impl Iterator<Item = &mut Label> {
        self.keys.iter_mut().map(|(_, label)| label).chain([&mut self.list, &mut self.rest, &mut self.unbound])
    }
}

/// The goal that an operation carries out, for messages.
#[derive(Clone, Debug)]
pub struct Site {
    /// The place of the operation in the code.
    pub at: u32,
    /// Where the goal stands.
    pub span: Span,
    /// The goal's name; `None` where its first argument is the goal.
    pub name: Option<Atom>,
    /// Its arguments; none at all where the goal has no text.
    pub args: Option<(u32, u16)>,
    /// The procedure that is called with them, which knows how the arguments look that they are parts of.
    pub called: Option<u32>,
    /// Whether it is a call in the last place of a clause that has outputs to write after it: to the
    /// reader it takes the place of the clause.
    pub last: bool,
    /// The predicate whose body stands here in the place of a call, and whether
    /// that call is the last of its clause.
    pub inside: Option<(PredId, bool)>,
}

/// A predicate specialised for a pattern of arguments.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Which; `None` for a goal that is no clause's.
    pub pred: Option<PredId>,
    /// How its arguments look, where it is called with their parts; else nothing.
    pub forms: Box<[ArgumentForm]>,
    /// How its arguments, or their parts, are given.
    pub modes: Box<[Mode]>,
    /// Whether the values of its outputs are solid.
    pub solid: Box<[bool]>,
    /// Whether it, or what it calls, writes to tails of lists that it has
    /// given away: the next answer may be written over parts of the last.
    pub holes: bool,
    /// Where its code begins.
    pub entry: u32,
    /// Where it ends.
    pub end: u32,
    /// Words of its frame.
    pub size: u16,
    /// Cells that it adds to the heap at most between two calls.
    pub cells: u32,
    /// What could not be specialised: where, and why.
    pub notes: Box<[(Span, &'static str)]>,
}

/// Everything that runs: procedures linked together.
#[derive(Default)]
pub struct LinkedCode {
    /// The code of all procedures, one after the other.
    pub code: Vec<Op>,
    /// The operands of operations that have many.
    pub operands: Vec<Operand>,
    /// Terms and headers.
    pub consts: Vec<u64>,
    /// Tables of switches.
    pub tables: Vec<Switch>,
    /// Parts of templates.
    pub templates: Vec<Box<[TemplatePart]>>,
    /// Constants outside the heap.
    pub packed: Vec<Packed>,
    /// Tabled predicates that are called; their numbers as givers of answers
    /// follow those of the builtins.
    pub tabled: Vec<PredId>,
    /// In the order of their code.
    pub procs: Vec<Proc>,
    /// In the order of the code.
    pub sites: Vec<Site>,
    /// The largest frame.
    pub largest: u16,
    /// The most cells that are added between two calls.
    pub cells: u32,
}

impl LinkedCode {
    /// The procedure whose code a place lies in.
    pub fn proc_at(&self, at: u32) -> Option<&Proc> {
        let number = self.procs.partition_point(|proc| proc.entry <= at);
        self.procs.get(number.checked_sub(1)?).filter(|proc| at < proc.end)
    }

    /// The tabled predicate that a number stands for which is no builtin's.
    pub fn tabled(&self, known: &KnownPredicates, id: BuiltinId) -> Option<PredId> {
        let at = usize::from(id.0).checked_sub(known.rows().len())?;
        Some(self.tabled[at])
    }

    /// The goal that stands nearest before a place, in the same procedure.
    pub fn site_at(&self, at: u32) -> Option<&Site> {
        let number = self.sites.partition_point(|site| site.at <= at);
        let site = self.sites.get(number.checked_sub(1)?)?;
        self.proc_at(at).filter(|proc| proc.entry <= site.at).map(|_| site)
    }
}
