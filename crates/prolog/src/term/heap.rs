//! The heap of cells, and functions that build and read terms in the heap.
//!
//! A structure is a header and its arguments. A list cell is two cells without a header. A large
//! number or a text is a header and raw words. Invariant: an unbound variable is a cell that refers
//! to itself. The cell stands alone, never inside a structure, so the collector moves each object
//! whole.

use super::{BOX, HDR, LST, REF, STR, TAG, Term};
use alphorn_text::symbol::{Atom, Region, atoms};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use zerocopy::IntoBytes;

pub(crate) const FUNCTOR: u64 = 0;
pub(crate) const FLOAT: u64 = 1;
pub(crate) const BIG: u64 = 2;
pub(crate) const TEXT: u64 = 3;

/// Makes a header of a kind, a small field (arity or sign) and a large field (name or word count).
pub(crate) const fn header(kind: u64, small: u64, large: u64) -> u64 {
    HDR | (kind << 3) | (small << 5) | (large << 32)
}

pub(crate) const fn header_kind(cell: u64) -> u64 {
    (cell >> 3) & 3
}

pub(crate) const fn header_small(cell: u64) -> usize {
    ((cell >> 5) & ((1 << 27) - 1)) as usize
}

pub(crate) const fn header_large(cell: u64) -> usize {
    (cell >> 32) as usize
}

/// Returns the number of raw words behind a header that is not a functor.
pub(crate) const fn raw_words(cell: u64) -> usize {
    match header_kind(cell) {
        FLOAT => 1,
        BIG => header_large(cell),
        _ => header_large(cell).div_ceil(8),
    }
}

/// The greatest arity of a structure.
pub const MAX_ARITY: usize = (1 << 27) - 1;

/// The heap: the cells that terms refer to.
#[derive(Debug)]
pub struct Heap {
    pub(crate) cells: Vec<u64>,
    /// The atoms in the heap that rules created.
    pub(crate) names: Region,
}

/// The kind of a term, with its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TermView<'a> {
    /// An unbound variable, with the number of its cell.
    Var(usize),
    /// An atom.
    Atom(Atom),
    /// A small integer.
    Int(i64),
    /// A large integer: whether it is negative, and its 64-bit digits, the lowest first.
    Big(bool, &'a [u64]),
    /// A float.
    Float(f64),
    /// A text: its length in bytes, and the words that contain the bytes.
    Text(usize, &'a [u64]),
    /// A structure or list cell: its name and the cells of its arguments.
    Compound(Atom, &'a [u64]),
}

impl Default for Heap {
    fn default() -> Heap {
        // Cell 0 is not a variable, so `Term::NONE` refers to nothing.
        Heap { cells: vec![Term::atom(atoms::NIL).0], names: Region::default() }
    }
}

impl Heap {
    /// Returns the number of cells in use.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Removes all cells from `length` on. No term in use may refer to a removed cell.
    pub fn truncate(&mut self, length: usize) {
        self.cells.truncate(length);
    }

    /// Returns whether the heap contains only the reserved cell 0.
    pub fn is_empty(&self) -> bool {
        self.cells.len() <= 1
    }

    /// Makes a new unbound variable.
    pub fn variable(&mut self) -> Term {
        let at = Term::tagged(REF, self.cells.len());
        self.cells.push(at.0);
        at
    }

    /// Follows bound variables and returns the term at the end.
    #[inline]
    pub fn deref(&self, mut term: Term) -> Term {
        while term.tag() == REF {
            let next = self.cells[term.index()];
            if next == term.0 {
                return term;
            }
            term = Term(next);
        }
        term
    }

    /// Makes the atom with this text. The atom lives at least as long as the heap.
    pub fn atom(&mut self, text: &str) -> Term {
        Term::atom(self.names.atom(text))
    }

    /// Makes a compound term, or an atom if there are no arguments.
    pub fn structure(&mut self, name: Atom, args: &[Term]) -> Term {
        match args {
            [] => Term::atom(name),
            [head, tail] if name == atoms::DOT => self.cons(*head, *tail),
            _ => {
                let at = self.cells.len();
                self.cells.push(header(FUNCTOR, args.len() as u64, u64::from(name.number())));
                self.cells.extend(args.iter().map(|arg| arg.0));
                Term::tagged(STR, at)
            }
        }
    }

    /// Makes a copy of a compound term, with the same arguments; `name` is its name.
    pub fn copy_structure(&mut self, term: Term, name: Atom) -> Term {
        let term = self.deref(term);
        let (at, copy) = (term.index(), self.cells.len());
        if term.tag() == LST {
            return self.cons(Term(self.cells[at]), Term(self.cells[at + 1]));
        }
        debug_assert_eq!(header_large(self.cells[at]) as u32, name.number());
        self.cells.extend_from_within(at..=at + header_small(self.cells[at]));
        Term::tagged(STR, copy)
    }

    /// Changes argument `number`, counted from 0, of a compound term that was just made.
    pub fn set_arg(&mut self, term: Term, number: usize, value: Term) {
        let first = if term.tag() == LST { term.index() } else { term.index() + 1 };
        self.cells[first + number] = value.0;
    }

    /// Makes a compound of the first `arity` elements of a list, or an atom.
    pub fn structure_of(&mut self, name: Atom, list: Term, arity: usize) -> Term {
        if arity == 0 {
            return Term::atom(name);
        }
        let is_cons = arity == 2 && name == atoms::DOT;
        let at = self.cells.len();
        if !is_cons {
            self.cells.push(header(FUNCTOR, arity as u64, u64::from(name.number())));
        }
        let mut rest = list;
        for _ in 0..arity {
            let (arg, tail) = self.head_and_tail(rest).expect("the caller has counted the elements");
            self.cells.push(arg.0);
            rest = tail;
        }
        Term::tagged(if is_cons { LST } else { STR }, at)
    }

    /// Makes a list cell.
    pub fn cons(&mut self, head: Term, tail: Term) -> Term {
        let at = self.cells.len();
        self.cells.extend([head.0, tail.0]);
        Term::tagged(LST, at)
    }

    /// Makes a list of `items` that ends in `tail`.
    pub fn list(&mut self, items: &[Term], tail: Term) -> Term {
        items.iter().rev().fold(tail, |rest, item| self.cons(*item, rest))
    }

    /// Makes the list of `items`, the cells in the order of the list.
    pub fn list_of(&mut self, items: impl ExactSizeIterator<Item = Term>) -> Term {
        let begin = self.cells.len();
        let count = items.len();
        self.cells.reserve(2 * count);
        for (at, item) in items.enumerate() {
            self.cells.extend([item.0, Term::tagged(LST, begin + 2 * at + 2).0]);
        }
        self.closed_list(begin, count)
    }

    /// Makes a list of new variables.
    pub fn fresh_list(&mut self, count: usize) -> Term {
        let begin = self.cells.len();
        self.cells.reserve(2 * count);
        for at in (begin..).step_by(2).take(count) {
            self.cells.extend([Term::tagged(REF, at).0, Term::tagged(LST, at + 2).0]);
        }
        self.closed_list(begin, count)
    }

    /// Ends a list of `count` cells from `begin` on, each of which refers to the next.
    fn closed_list(&mut self, begin: usize, count: usize) -> Term {
        if count == 0 {
            return Term::atom(atoms::NIL);
        }
        self.cells[begin + 2 * count - 1] = Term::atom(atoms::NIL).0;
        Term::tagged(LST, begin)
    }

    /// Makes an integer of 64 bits.
    pub fn integer(&mut self, value: i64) -> Term {
        if (super::MIN_SMALL..=super::MAX_SMALL).contains(&value) {
            Term::small(value)
        } else {
            let at = self.cells.len();
            self.cells.extend([header(BIG, u64::from(value < 0), 1), value.unsigned_abs()]);
            Term::tagged(BOX, at)
        }
    }

    /// Makes an integer of any size.
    pub fn big(&mut self, value: &BigInt) -> Term {
        if let Some(small) = value.to_i64() {
            return self.integer(small);
        }
        let (sign, digits) = value.to_u64_digits();
        let at = self.cells.len();
        self.cells.push(header(BIG, u64::from(sign == Sign::Minus), digits.len() as u64));
        self.cells.extend(digits);
        Term::tagged(BOX, at)
    }

    /// Makes an integer of 128 bits.
    pub fn wide(&mut self, value: i128) -> Term {
        if let Ok(value) = i64::try_from(value) {
            return self.integer(value);
        }
        let (at, size) = (self.cells.len(), value.unsigned_abs());
        let (low, high) = (size as u64, (size >> 64) as u64);
        let count = if high == 0 { 1 } else { 2 };
        self.cells.push(header(BIG, u64::from(value < 0), count));
        self.cells.extend_from_slice(&[low, high][..count as usize]);
        Term::tagged(BOX, at)
    }

    /// Makes a float.
    pub fn float(&mut self, value: f64) -> Term {
        let at = self.cells.len();
        self.cells.extend([header(FLOAT, 0, 1), value.to_bits()]);
        Term::tagged(BOX, at)
    }

    /// Makes a text.
    pub fn text(&mut self, text: &str) -> Term {
        let at = self.cells.len();
        self.cells.push(header(TEXT, 0, text.len() as u64));
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.cells.push(u64::from_le_bytes(word));
        }
        Term::tagged(BOX, at)
    }

    /// Dereferences a term and returns its kind and parts.
    pub fn view(&self, term: Term) -> TermView<'_> {
        let term = self.deref(term);
        let at = term.index();
        match term.0 & TAG {
            REF => TermView::Var(at),
            super::ATOM => TermView::Atom(Atom::from_number((term.0 >> 3) as u32)),
            super::INT => TermView::Int((term.0 as i64) >> 3),
            LST => TermView::Compound(atoms::DOT, &self.cells[at..at + 2]),
            STR => {
                let cell = self.cells[at];
                let name = Atom::from_number(header_large(cell) as u32);
                TermView::Compound(name, &self.cells[at + 1..=at + header_small(cell)])
            }
            BOX => {
                let cell = self.cells[at];
                let words = &self.cells[at + 1..=at + raw_words(cell)];
                match header_kind(cell) {
                    FLOAT => TermView::Float(f64::from_bits(words[0])),
                    BIG => TermView::Big(header_small(cell) == 1, words),
                    _ => TermView::Text(header_large(cell), words),
                }
            }
            _ => unreachable!("headers and forwards are never the value of a term"),
        }
    }

    /// Returns the name and arity of an atom or compound term.
    #[inline]
    pub fn functor(&self, term: Term) -> Option<(Atom, usize)> {
        let term = self.deref(term);
        match term.tag() {
            LST => Some((atoms::DOT, 2)),
            STR => {
                let cell = self.cells[term.index()];
                Some((Atom::from_number(header_large(cell) as u32), header_small(cell)))
            }
            _ => Some((term.as_atom()?, 0)),
        }
    }

    /// Returns argument `number`, counted from 0. A compound term must have that argument.
    pub fn arg(&self, term: Term, number: usize) -> Term {
        match self.view(term) {
            TermView::Compound(_, args) => Term(args[number]),
            _ => Term::NONE,
        }
    }

    /// Returns a copy of all arguments.
    pub fn args(&self, term: Term) -> Vec<Term> {
        self.arg_cells(term).iter().map(|cell| Term(*cell)).collect()
    }

    /// Returns the cells of all arguments.
    #[inline]
    pub fn arg_cells(&self, term: Term) -> &[u64] {
        let term = self.deref(term);
        let at = term.index();
        match term.tag() {
            LST => &self.cells[at..at + 2],
            STR => &self.cells[at + 1..=at + header_small(self.cells[at])],
            _ => &[],
        }
    }

    /// Returns head and tail if the term is a list cell.
    #[inline]
    pub fn head_and_tail(&self, list: Term) -> Option<(Term, Term)> {
        let list = self.deref(list);
        let at = list.index();
        (list.tag() == LST).then(|| (Term(self.cells[at]), Term(self.cells[at + 1])))
    }

    /// Returns whether a term is the empty list.
    pub fn is_nil(&self, term: Term) -> bool {
        self.deref(term) == Term::atom(atoms::NIL)
    }

    /// Returns the elements of a list up to its end, and the term at the end. For a cyclic list,
    /// the end is one of the list's own cells.
    pub fn elements(&self, term: Term) -> (Vec<Term>, Term) {
        let mut rest = self.deref(term);
        // Most lists are short, and growing the vector in several steps would take longer than the loop.
        let mut items = Vec::with_capacity(if rest.tag() == LST { 16 } else { 0 });
        while rest.tag() == LST && items.len() < self.cells.len() {
            items.push(Term(self.cells[rest.index()]));
            rest = self.deref(Term(self.cells[rest.index() + 1]));
        }
        (items, rest)
    }

    /// Returns the number of elements of a list, and the term at the end, as [`Heap::elements`].
    pub fn length(&self, term: Term) -> (usize, Term) {
        let mut rest = self.deref(term);
        let mut count = 0;
        while rest.tag() == LST && count < self.cells.len() {
            count += 1;
            rest = self.deref(Term(self.cells[rest.index() + 1]));
        }
        (count, rest)
    }

    /// The bytes of a text term; `None` on machines that store the greatest byte of a word first.
    pub fn text_bytes<'a>(&self, length: usize, words: &'a [u64]) -> Option<&'a [u8]> {
        cfg!(target_endian = "little").then(|| &words.as_bytes()[..length])
    }

    /// Decodes the content of a text term.
    pub fn text_of(&self, length: usize, words: &[u64]) -> String {
        let mut bytes = Vec::with_capacity(8 * words.len());
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        bytes.truncate(length);
        String::from_utf8(bytes).expect("texts are stored from str")
    }

    /// Decodes at most the first `most` bytes of a text term, up to a whole character.
    pub fn text_start(&self, length: usize, words: &[u64], most: usize) -> String {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take(length.min(most));
        let mut bytes: Vec<u8> = bytes.collect();
        let whole = std::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
        bytes.truncate(whole);
        String::from_utf8(bytes).expect("what is broken was cut off")
    }

    /// Returns the value of a large integer.
    pub fn big_of(&self, negative: bool, words: &[u64]) -> BigInt {
        let digits: Vec<u32> = words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect();
        BigInt::new(if negative { Sign::Minus } else { Sign::Plus }, digits)
    }

    /// Returns whether a term is an unbound variable.
    pub fn is_var(&self, term: Term) -> bool {
        self.deref(term).tag() == REF
    }
}
