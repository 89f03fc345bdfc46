//! Functions that native code calls. They unify terms, or move no memory that native code uses.
//!
//! # Safety
//!
//! Only native code may call the helpers, with registers that `load_registers()` has filled.

#![allow(unsafe_code)]

use super::Regs;
use crate::machine::engine::{Engine, SolutionList};
use crate::machine::fault::Fault;
use crate::term::heap::{FUNCTOR, header_kind, header_small, raw_words};
use crate::term::{ATOM, BOX, HDR, INT, LST, REF, STR, TAG, Term};

/// The result of a helper after a fault. It is neither a term nor a truth value.
pub(super) const FAULT: u64 = HDR;

/// A function that native code calls with registers, frame, heap, cells and two arguments. The first four are in the
/// machine registers in which native code keeps them, so that it moves none of them for the call.
pub(super) type Helper = unsafe extern "C" fn(*mut Regs, *mut u64, usize, *mut u64, u64, u64) -> u64;

/// Copies the structure at a byte of the heap to the end of the heap with one argument replaced by the first
/// argument register, and returns its size in bytes.
pub(super) unsafe extern "C" fn put_arg(
    regs: *mut Regs,
    _: *mut u64,
    _: usize,
    cells: *mut u64,
    at: u64,
    index: u64,
) -> u64 {
    // SAFETY: see the module. The heap has room for a structure of this size, and the index is that
    // of an argument.
    unsafe {
        let from = cells.byte_add(at as usize);
        let words = 1 + header_small(*from);
        let to = cells.byte_add((*regs).heap);
        std::ptr::copy_nonoverlapping(from, to, words);
        *to.add(index as usize) = (*regs).args[0];
        8 * words as u64
    }
}

/// Begins to collect solutions.
pub(super) unsafe extern "C" fn begin(regs: *mut Regs, _: *mut u64, _: usize, _: *mut u64, _: u64, _: u64) -> u64 {
    // SAFETY: the engine waits for native code, and accesses neither `engine` nor `regs` meanwhile.
    let (engine, regs) = unsafe { (&mut *(*regs).engine, &mut *regs) };
    engine.collectors.push(SolutionList {
        first: Term::NONE,
        last: Term::NONE,
        copies: None,
        words: 0,
        floor: regs.floor / 8,
        begin: regs.heap / 8,
    });
    regs.collectors += 1 << 32;
    0
}

/// Keeps a solution in place, in a new list cell.
pub(super) unsafe extern "C" fn keep(
    regs: *mut Regs,
    _: *mut u64,
    _: usize,
    cells: *mut u64,
    value: u64,
    _: u64,
) -> u64 {
    // SAFETY: as above.
    unsafe { add(regs, cells, value) }
}

/// Adds a term to the kept solutions.
#[inline(always)]
unsafe fn add(regs: *mut Regs, cells: *mut u64, value: u64) -> u64 {
    // SAFETY: as above.
    let (engine, regs) = unsafe { (&mut *(*regs).engine, &mut *regs) };
    let Some(collector) = engine.collectors.last_mut() else { return 0 };
    let cell = regs.heap / 8;
    // SAFETY: `Op::cells` counts the two cells of a kept solution, so there is room for them.
    unsafe { (*cells.add(cell), *cells.add(cell + 1)) = (value, INT) };
    let kept = Term((cell as u64) << 3 | LST);
    match collector.last {
        Term::NONE => collector.first = kept,
        // SAFETY: the cell was kept before, and is a list cell.
        last => unsafe { *cells.add(last.index() + 1) = kept.0 },
    }
    collector.last = kept;
    collector.floor = cell + 2;
    regs.heap = (cell + 2) * 8;
    regs.floor = regs.heap;
    0
}

/// Keeps a copy of a solution: of its parts that are newer than the findall. Returns [`FAULT`] if the
/// copy reaches the limit where garbage must be collected.
pub(super) unsafe extern "C" fn keep_copy(
    regs: *mut Regs,
    _: *mut u64,
    _: usize,
    cells: *mut u64,
    value: u64,
    _: u64,
) -> u64 {
    // SAFETY: as above.
    match unsafe { copy_new(regs, cells, value) } {
        FAULT => FAULT,
        // SAFETY: as above.
        copied => unsafe { add(regs, cells, copied) },
    }
}

/// Keeps a copy of a solution if it is ground. Returns [`FAULT`] if it is not, if the findall has
/// packed a solution already, or if the copy reaches the limit where garbage must be collected.
pub(super) unsafe extern "C" fn keep_ground(
    regs: *mut Regs,
    _: *mut u64,
    _: usize,
    cells: *mut u64,
    value: u64,
    _: u64,
) -> u64 {
    // SAFETY: as above.
    match unsafe { copy_ground(regs, cells, value) } {
        FAULT => FAULT,
        // SAFETY: as above.
        copied => unsafe { add(regs, cells, copied) },
    }
}

/// The list of the kept solutions; 0 if they were kept as copies.
pub(super) unsafe extern "C" fn end(regs: *mut Regs, _: *mut u64, _: usize, cells: *mut u64, tail: u64, _: u64) -> u64 {
    // SAFETY: as above.
    let (engine, regs) = unsafe { (&mut *(*regs).engine, &mut *regs) };
    let Some(collector) = engine.collectors.pop_if(|collector| collector.copies.is_none()) else { return 0 };
    regs.collectors -= 1 << 32;
    regs.floor = engine.collectors.last().map_or(0, |collector| collector.floor * 8);
    if collector.first == Term::NONE {
        return tail;
    }
    // SAFETY: the address is the tail of the last list cell that was kept.
    unsafe { *cells.add(collector.last.index() + 1) = tail };
    collector.first.0
}

/// Unifies the term in a slot with a template. Returns 1, 0 or [`FAULT`].
pub(super) unsafe extern "C" fn unify_template(
    regs: *mut Regs,
    _: *mut u64,
    _: usize,
    _: *mut u64,
    slot: u64,
    template: u64,
) -> u64 {
    // SAFETY: as above.
    let engine = unsafe { take_over(regs, 0) };
    let done = engine.unify_template(slot as u16, template as u32);
    engine.give_back(done.map(u64::from))
}

/// Unifies two terms. Returns 1, 0 or [`FAULT`].
pub(super) unsafe extern "C" fn unify(regs: *mut Regs, _: *mut u64, _: usize, _: *mut u64, a: u64, b: u64) -> u64 {
    // SAFETY: as above. Unification sees only the store.
    let engine = unsafe { &mut *(*regs).engine };
    engine.save_store();
    let done = engine.store.unify(Term(a), Term(b));
    engine.load_store();
    engine.done(done.map(u64::from))
}

/// Copies a ground term to the end of the heap, and shares what is older than the findall. Returns
/// [`FAULT`] if the copy reaches the limit where garbage must be collected.
#[inline]
unsafe fn copy_new(regs: *mut Regs, cells: *mut u64, term: u64) -> u64 {
    // SAFETY: as above.
    let (engine, regs) = unsafe { (&*(*regs).engine, &mut *regs) };
    let begin = engine.collectors.last().map_or(0, |collector| collector.begin) as u64;
    let most = (regs.collect / 8) as u64;
    let mut end = (regs.heap / 8) as u64;
    let mut at = end;
    // SAFETY: all parts of the term are complete, and there is room up to `most`.
    let cell = |at: u64| unsafe { *cells.add(at as usize) };
    let moved = |term: u64, end: &mut u64| {
        let from = term >> 3;
        let words = match term & TAG {
            _ if from < begin => return Some(term),
            LST => 2,
            STR => 1 + header_small(cell(from)) as u64,
            BOX => 1 + raw_words(cell(from)) as u64,
            _ => return Some(term),
        };
        if *end + words > most {
            return None;
        }
        for word in 0..words {
            // SAFETY: as above.
            unsafe { *cells.add((*end + word) as usize) = cell(from + word) };
        }
        let copied = *end << 3 | term & TAG;
        *end += words;
        Some(copied)
    };
    // SAFETY: as above.
    if let Some((whole, end)) = unsafe { copy_flat(cells, term, begin, end, most) } {
        regs.heap = end as usize * 8;
        return whole;
    }
    let Some(whole) = moved(term, &mut end) else { return FAULT };
    while at < end {
        let word = cell(at);
        match word & TAG {
            HDR => at += if header_kind(word) == FUNCTOR { 0 } else { raw_words(word) as u64 },
            STR | LST | BOX => match moved(word, &mut end) {
                // SAFETY: as above.
                Some(part) => unsafe { *cells.add(at as usize) = part },
                None => return FAULT,
            },
            _ => {}
        }
        at += 1;
    }
    regs.heap = end as usize * 8;
    whole
}

/// Copies a term to the end of the heap if it is ground. Returns [`FAULT`] if it is not, if the findall
/// has packed a solution already, or if the copy reaches the limit where garbage must be collected.
#[inline]
unsafe fn copy_ground(regs: *mut Regs, cells: *mut u64, term: u64) -> u64 {
    // SAFETY: as above.
    let (engine, regs) = unsafe { (&*(*regs).engine, &mut *regs) };
    if engine.collectors.last().is_none_or(|collector| collector.copies.is_some()) {
        return FAULT;
    }
    let begin = regs.heap / 8;
    // A copy larger than the heap is of a term with shared parts, or of a cyclic one.
    let most = (regs.collect / 8).min(2 * begin);
    let mut end = begin;
    // SAFETY: all parts of the term are complete, and there is room up to `most`.
    let cell = |at: usize| unsafe { *cells.add(at) };
    let mut moved = |mut word: u64| {
        while word & TAG == REF {
            let next = cell((word >> 3) as usize);
            if next == word {
                return None;
            }
            word = next;
        }
        let from = (word >> 3) as usize;
        let words = match word & TAG {
            LST => 2,
            STR => 1 + header_small(cell(from)),
            BOX => 1 + raw_words(cell(from)),
            _ => return Some((word, end)),
        };
        if end + words > most {
            return None;
        }
        // SAFETY: as above. The copy lies behind all parts of the term.
        unsafe { std::ptr::copy_nonoverlapping(cells.add(from), cells.add(end), words) };
        let copied = (end as u64) << 3 | word & TAG;
        end += words;
        Some((copied, end))
    };
    let Some((whole, mut end)) = moved(term) else { return FAULT };
    let mut at = begin;
    while at < end {
        let word = cell(at);
        if word & TAG == HDR {
            at += 1 + if header_kind(word) == FUNCTOR { 0 } else { raw_words(word) };
            continue;
        }
        let Some((part, now)) = moved(word) else { return FAULT };
        // SAFETY: as above.
        unsafe { *cells.add(at) = part };
        (at, end) = (at + 1, now);
    }
    regs.heap = end * 8;
    whole
}

/// A ground term on the way to the end of the heap.
struct FlatCopy {
    cells: *mut u64,
    /// Cells below this one are older than the findall.
    begin: u64,
    end: u64,
    most: u64,
}

impl FlatCopy {
    /// Whether a word needs no copy: a constant, or a part older than the findall.
    #[inline(always)]
    fn stays(&self, word: u64) -> bool {
        matches!(word & TAG, ATOM | INT) || (word & TAG != HDR && word >> 3 < self.begin)
    }

    #[inline(always)]
    unsafe fn cell(&self, at: u64) -> u64 {
        // SAFETY: all parts of the term are complete.
        unsafe { *self.cells.add(at as usize) }
    }

    #[inline(always)]
    unsafe fn write(&self, at: u64, word: u64) {
        // SAFETY: there is room up to `most`.
        unsafe { *self.cells.add(at as usize) = word };
    }

    /// Takes cells at the end; `None` if there are not so many.
    #[inline(always)]
    fn take(&mut self, words: u64) -> Option<u64> {
        let at = self.end;
        self.end += words;
        (self.end <= self.most).then_some(at)
    }

    /// Copies a structure whose arguments are copied by `part`.
    #[inline(always)]
    unsafe fn structure(&mut self, term: u64, part: impl Fn(&mut Self, u64) -> Option<u64>) -> Option<u64> {
        // SAFETY: see the methods.
        unsafe {
            let from = term >> 3;
            let count = header_small(self.cell(from)) as u64;
            let to = self.take(1 + count)?;
            self.write(to, self.cell(from));
            for at in 1..=count {
                let word = self.cell(from + at);
                let word = if self.stays(word) { word } else { part(self, word)? };
                self.write(to + at, word);
            }
            Some(to << 3 | STR)
        }
    }

    /// Copies a list whose elements are copied by `part`.
    #[inline(always)]
    unsafe fn list(&mut self, term: u64, part: impl Fn(&mut Self, u64) -> Option<u64>) -> Option<u64> {
        // SAFETY: as above.
        unsafe {
            let copied = self.end << 3 | LST;
            let mut list = term;
            loop {
                let to = self.take(2)?;
                let head = self.cell(list >> 3);
                let head = if self.stays(head) { head } else { part(self, head)? };
                self.write(to, head);
                list = self.cell((list >> 3) + 1);
                if self.stays(list) {
                    self.write(to + 1, list);
                    return Some(copied);
                }
                if list & TAG != LST {
                    return None;
                }
                self.write(to + 1, self.end << 3 | LST);
            }
        }
    }

    /// Copies a compound of constants.
    #[inline(always)]
    unsafe fn inner(&mut self, term: u64) -> Option<u64> {
        // SAFETY: as above.
        unsafe {
            match term & TAG {
                STR => self.structure(term, |_, _| None),
                LST => self.list(term, |_, _| None),
                _ => None,
            }
        }
    }

    /// Copies a list of constants and of compounds of constants, or a structure of constants.
    #[inline(always)]
    unsafe fn middle(&mut self, term: u64) -> Option<u64> {
        // SAFETY: as above.
        unsafe {
            match term & TAG {
                LST => self.list(term, |copy, word| copy.inner(word)),
                _ => self.inner(term),
            }
        }
    }
}

/// Copies a structure of constants, compounds of constants, and lists of both in one pass, as most positions are.
/// Returns the copy and its end; `None` for other terms.
#[inline(always)]
unsafe fn copy_flat(cells: *mut u64, term: u64, begin: u64, start: u64, most: u64) -> Option<(u64, u64)> {
    if term & TAG != STR || term >> 3 < begin {
        return None;
    }
    let mut copy = FlatCopy { cells, begin, end: start, most };
    // SAFETY: all parts of the term are complete, and there is room up to `most`.
    let whole = unsafe { copy.structure(term, |copy, word| copy.middle(word)) }?;
    Some((whole, copy.end))
}

/// The engine, with the state of the registers and `count` arguments from them.
pub(super) unsafe fn take_over<'a>(regs: *mut Regs, count: usize) -> &'a mut Engine {
    // SAFETY: as above.
    let (engine, args) = unsafe { (&mut *(*regs).engine, (*regs).args) };
    engine.save_registers();
    engine.args.clear();
    engine.args.extend(args[..count].iter().map(|word| Term(*word)));
    engine
}

impl Engine {
    /// Returns to native code, and stores the fault if there is one.
    pub(super) fn give_back(&mut self, done: Result<u64, Fault>) -> u64 {
        self.load_registers();
        self.done(done)
    }

    /// The status for native code. Stores the fault if there is one.
    fn done(&mut self, done: Result<u64, Fault>) -> u64 {
        done.unwrap_or_else(|fault| self.failed(fault))
    }

    /// The status for native code after a fault, which is stored.
    #[cold]
    pub(super) fn failed(&mut self, fault: Fault) -> u64 {
        if let Some(native) = &mut self.native {
            native.fault = Some(fault);
        }
        FAULT
    }
}
