//! Packed terms: flat words outside any heap.
//!
//! Two [`Packed`] terms are equal if and only if they are variants. One pass hashes or compares
//! them. Packed positions, answers and solutions outlive the heap and move between threads. Terms
//! that are packed together share one block. The block lives as long as any of its terms and holds
//! their atoms. A heap that receives a packed term holds these atoms as well. A ground term is an
//! image of its cells. A term with variables is in prefix order, which keeps their order.

use super::cycle::is_cyclic;
use super::heap::{FUNCTOR, Heap, header, header_kind, header_large, header_small, raw_words};
use super::image::{Copied, copy_in, copy_out};
pub use super::packed_bytes::live_bytes;
use super::packed_bytes::{count_bytes, fresh_number};
use super::prefix::{Prefix, unpack_prefix};
use super::{ATOM, HDR, INT, LST, STR, TAG, Term};
use alphorn_text::symbol::{self, Atom, Region, atoms};
use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A term outside any heap. Its variables are numbered in order of occurrence.
#[derive(Clone)]
pub struct Packed {
    block: Arc<Block>,
    start: u32,
    len: u32,
    /// The number of words in prefix order, the measure for the cost of work with the term.
    size: u32,
    form: Encoding,
}

/// The encoding of a term's words.
#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    /// A ground term: an image of cells.
    Cells,
    /// A ground term: an image of cells that includes raw words of numbers or texts.
    Raw,
    /// A term with variables, in prefix order.
    Open,
}

impl Encoding {
    fn image(raw: bool) -> Encoding {
        if raw { Encoding::Raw } else { Encoding::Cells }
    }

    /// Builds a term of this form in a heap.
    fn put(self, heap: &mut Heap, words: &[u64]) -> Term {
        match self {
            Encoding::Cells => copy_in(heap, words, false),
            Encoding::Raw => copy_in(heap, words, true),
            Encoding::Open => unpack_prefix(heap, words),
        }
    }
}

/// The words of terms that were packed together.
struct Block {
    words: Box<[u64]>,
    /// The number of this block, which no other block of the process has or had.
    number: u64,
    /// Whether the words contain atoms that rules created. The block holds those atoms.
    named: bool,
}

/// The bytes of a block beside its words.
const BLOCK_OVERHEAD: u64 = 96;

/// Iterates over the atoms in the words of terms: the index and the number of each atom.
fn names(words: &[u64]) -> impl Iterator<Item = (usize, u32)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let (at, word) = (next, *words.get(next)?);
            next += 1;
            match word & TAG {
                ATOM => return Some((at, (word >> 3) as u32)),
                HDR if header_kind(word) == FUNCTOR => return Some((at, header_large(word) as u32)),
                HDR => next += raw_words(word),
                _ => {}
            }
        }
    })
}

fn numbers(words: &[u64]) -> impl Iterator<Item = u32> {
    names(words).map(|(_, number)| number)
}

impl Block {
    fn new(words: Box<[u64]>) -> Arc<Block> {
        let named = symbol::hold(numbers(&words));
        Block::holding(words, named)
    }

    /// Makes a block of words whose atoms are already held.
    fn holding(words: Box<[u64]>, named: bool) -> Arc<Block> {
        let block = Block { words, number: fresh_number(), named };
        count_bytes(block.bytes() as i64);
        Arc::new(block)
    }

    /// Returns the bytes of the words and of the block's own data.
    fn bytes(&self) -> u64 {
        8 * self.words.len() as u64 + BLOCK_OVERHEAD
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        count_bytes(-(self.bytes() as i64));
        if self.named {
            symbol::release(numbers(&self.words));
        }
    }
}

impl Packed {
    /// Packs a term into a block of its own. Returns `None` if the term is too long for a block.
    fn alone(words: &[u64], size: usize, form: Encoding) -> Option<Packed> {
        let len = u32::try_from(words.len()).ok()?;
        Some(Packed { block: Block::new(words.into()), start: 0, len, size: size as u32, form })
    }

    /// Packs an atom.
    pub fn atom(name: Atom) -> Packed {
        Packed::alone(&[Term::atom(name).0], 1, Encoding::Cells).expect("one word is no long term")
    }

    /// Packs the atom with this text. The atom lives at least as long as the packed term.
    pub fn text(text: &str) -> Packed {
        let mut region = Region::default();
        Packed::atom(region.atom(text))
    }

    /// Packs a small integer.
    pub fn small(value: i64) -> Packed {
        Packed::alone(&[Term::small(value).0], 1, Encoding::Cells).expect("one word is no long term")
    }

    /// Returns the words of the term.
    #[inline]
    pub fn as_words(&self) -> &[u64] {
        &self.block.words[self.start as usize..][..self.len as usize]
    }

    /// Returns words that are equal if and only if the terms are equal, at any two times. Plain
    /// words are not: a freed atom that rules created may give its number to another atom later.
    #[inline]
    pub fn stable_words(&self) -> Cow<'_, [u64]> {
        match self.block.named {
            false => Cow::Borrowed(self.as_words()),
            true => self.renamed(),
        }
    }

    #[cold]
    fn renamed(&self) -> Cow<'_, [u64]> {
        let words = self.as_words();
        let mut steady = Vec::with_capacity(3 * words.len());
        let mut done = 0;
        symbol::hash(names(words), |at, [one, other]| {
            steady.extend_from_slice(&words[done..at]);
            let word = match words[at] & TAG {
                ATOM => Term::atom(Atom::from_number(u32::MAX)).0,
                _ => words[at] | header(FUNCTOR, 0, u64::from(u32::MAX)),
            };
            steady.extend([word, one, other]);
            done = at + 1;
        });
        if done == 0 {
            return Cow::Borrowed(words);
        }
        steady.extend_from_slice(&words[done..]);
        Cow::Owned(steady)
    }

    /// Returns the place of the words. Terms with the same place are the same term, also at later
    /// times.
    #[inline]
    pub fn place(&self) -> (u64, u32) {
        (self.block.number, self.start)
    }

    /// Returns the number of words without the references among them.
    pub fn words(&self) -> usize {
        self.size as usize
    }

    /// Returns whether any term of the block contains an atom that rules created.
    pub fn holds_names(&self) -> bool {
        self.block.named
    }

    /// Returns the bytes of the term in a block of its own.
    pub fn bytes(&self) -> u64 {
        8 * u64::from(self.len) + BLOCK_OVERHEAD
    }

    /// Returns whether the term is ground.
    #[inline]
    pub fn is_ground(&self) -> bool {
        self.form != Encoding::Open
    }

    /// The place of an argument among the words of a ground structure; arguments are counted from 1. `None` for other
    /// terms, and if there is no such argument.
    pub fn place_of_argument(&self, argument: usize) -> Option<usize> {
        let [root, header, ..] = self.as_words() else { return None };
        let is_structure = self.is_ground() && *root & TAG == STR;
        (is_structure && (1..=header_small(*header)).contains(&argument)).then_some(argument + 1)
    }

    /// Returns the term if it is a small integer, or an atom that no rule created.
    pub fn constant(&self) -> Option<Term> {
        match self.as_words() {
            [cell] if matches!(cell & TAG, ATOM | INT) && !self.block.named => Some(Term(*cell)),
            _ => None,
        }
    }

    /// Returns the atom if the term is one.
    pub fn as_atom(&self) -> Option<Atom> {
        match self.as_words() {
            [cell] => Term(*cell).as_atom(),
            _ => None,
        }
    }

    /// Returns name and arity if the term is an atom or compound.
    pub fn functor(&self) -> Option<(Atom, usize)> {
        let words = self.as_words();
        // In an image, the header is the first word after the root.
        let cell = if words[0] & TAG == STR { words[1] } else { words[0] };
        match cell & TAG {
            ATOM => Term(cell).as_atom().map(|name| (name, 0)),
            LST => Some((atoms::DOT, 2)),
            HDR if header_kind(cell) == FUNCTOR => {
                Some((Atom::from_number(header_large(cell) as u32), header_small(cell)))
            }
            _ => None,
        }
    }
}

impl PartialEq for Packed {
    fn eq(&self, other: &Packed) -> bool {
        self.as_words() == other.as_words()
    }
}

impl Eq for Packed {}

impl Hash for Packed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stable_words().hash(state);
    }
}

impl PartialOrd for Packed {
    fn partial_cmp(&self, other: &Packed) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Packed {
    fn cmp(&self, other: &Packed) -> Ordering {
        self.stable_words().cmp(&other.stable_words())
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Packed").field(&self.as_words()).finish()
    }
}

/// Packs terms into one block. The buffer is reused for the next block.
#[derive(Default)]
pub struct Packer {
    /// The buffer. Its first words are those of the terms.
    room: Vec<u64>,
    /// The number of words in use.
    used: usize,
    /// For each term: the end of its words, its size and its form.
    ends: Vec<(u32, u32, Encoding)>,
    prefix: Prefix,
    /// Whether the packer holds atoms that rules created.
    named: bool,
}

/// The least size of the buffer, in words.
const FIRST_ROOM: usize = 64;

impl Packer {
    /// Adds a term and returns whether it is ground. Returns `None` if all terms together would
    /// take more than `limit` words.
    pub fn add(&mut self, heap: &Heap, term: Term, limit: usize) -> Option<bool> {
        let start = self.used;
        let ground = self.copy(heap, term, limit)?;
        self.named |= symbol::hold(numbers(&self.room[start..self.used]));
        Some(ground)
    }

    /// Adds a term as [`Packer::add`] does, but does not hold its atoms, which suffices within one
    /// evaluation.
    fn copy(&mut self, heap: &Heap, term: Term, limit: usize) -> Option<bool> {
        let start = self.used;
        // A term that grows far beyond its heap may be cyclic.
        let mut looked = false;
        let (words, size, form) = loop {
            let most = limit.min(self.room.len());
            match copy_out(heap, term, self.room.get_mut(start..most).unwrap_or_default()) {
                Copied::Ground { words, headed, raw } => {
                    break (words, words - headed, Encoding::image(raw));
                }
                Copied::Open => {
                    self.prefix.write(heap, term, limit.saturating_sub(start))?;
                    let words = self.prefix.out.len();
                    if self.room.len() < start + words {
                        self.room.resize((2 * self.room.len()).min(limit).max(start + words), 0);
                    }
                    self.room[start..start + words].copy_from_slice(&self.prefix.out);
                    break (words, words, Encoding::Open);
                }
                Copied::TooLarge if most == limit => return None,
                Copied::TooLarge if !looked && most - start > heap.cells.len() => {
                    looked = true;
                    if is_cyclic(heap, term) {
                        return None;
                    }
                }
                // The copy restarts with twice the buffer, which costs no more than growing during
                // the copy.
                Copied::TooLarge => self.room.resize((2 * most).max(FIRST_ROOM).min(limit), 0),
            }
        };
        self.used = start + words;
        self.ends.push((u32::try_from(self.used).ok()?, size as u32, form));
        Some(form != Encoding::Open)
    }

    /// Returns the packed terms and empties the packer.
    pub fn finish(&mut self) -> impl Iterator<Item = Packed> + '_ {
        let block = Block::holding(self.room[..self.used].into(), std::mem::take(&mut self.named));
        self.used = 0;
        let mut start = 0;
        self.ends.drain(..).map(move |(end, size, form)| {
            let packed = Packed { block: block.clone(), start, len: end - start, size, form };
            start = end;
            packed
        })
    }

    /// Builds the added terms in a heap, in their order, and keeps them.
    pub fn unpack(&self, heap: &mut Heap) -> Vec<Term> {
        let mut start = 0;
        let put = |(end, _, form): &(u32, u32, Encoding)| {
            let words = &self.room[start..*end as usize];
            start = *end as usize;
            form.put(heap, words)
        };
        self.ends.iter().map(put).collect()
    }

    /// Adds a term that may take `left` further words. Returns how many words the packer grew. The
    /// atoms are not held.
    pub fn gather(&mut self, heap: &Heap, term: Term, left: usize) -> Option<u64> {
        let before = self.held();
        self.copy(heap, term, self.room.len().saturating_add(left))?;
        Some((self.held() - before) as u64)
    }

    /// Returns the words of the packer's memory, free ones included.
    fn held(&self) -> usize {
        self.room.len() + 2 * self.ends.capacity()
    }

    /// Returns the number of added terms.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Removes all added terms.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.named) {
            symbol::release(numbers(&self.room[..self.used]));
        }
        self.used = 0;
        self.ends.clear();
    }
}

impl Drop for Packer {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Repacks separate terms into one block. They take less memory, and their old blocks can be freed.
/// Nothing changes if the terms are too many for one block.
pub fn gather(terms: &mut [&mut Packed]) {
    let words: Vec<u64> = terms.iter().flat_map(|term| term.as_words()).copied().collect();
    if u32::try_from(words.len()).is_err() {
        return;
    }
    let block = Block::new(words.into());
    let mut start = 0;
    for term in terms {
        term.block = block.clone();
        term.start = start;
        start += term.len;
    }
}

/// Writes the words of a packed term to a buffer, and returns their number. Returns `None` if the term is not ground, or
/// longer than the buffer. Equal terms have equal words.
pub fn image(heap: &Heap, term: Term, room: &mut [u64]) -> Option<usize> {
    match copy_out(heap, term, room) {
        Copied::Ground { words, .. } => Some(words),
        Copied::Open | Copied::TooLarge => None,
    }
}

/// Packs a term. Returns `None` if the term would take more than `limit` words.
pub fn pack(heap: &Heap, term: Term, limit: usize) -> Option<Packed> {
    // Most terms are small and fit into a buffer on the stack.
    let mut room = [0; FIRST_ROOM];
    match copy_out(heap, term, &mut room[..limit.min(FIRST_ROOM)]) {
        Copied::Ground { words, headed, raw } => Packed::alone(&room[..words], words - headed, Encoding::image(raw)),
        Copied::Open => with_prefix(heap, term, limit, |words| Packed::alone(words, words.len(), Encoding::Open))?,
        Copied::TooLarge => {
            let mut packer = Packer::default();
            packer.add(heap, term, limit)?;
            packer.finish().next()
        }
    }
}

/// Copies a term within its heap, with new variables. Returns the copy and its size in words, or `None` if the term
/// would take more than `limit` words.
pub fn copy(heap: &mut Heap, term: Term, limit: usize) -> Option<(Term, usize)> {
    let mut room = [0; FIRST_ROOM];
    match copy_out(heap, term, &mut room[..limit.min(FIRST_ROOM)]) {
        Copied::Ground { words, headed, raw } => Some((copy_in(heap, &room[..words], raw), words - headed)),
        Copied::Open => {
            let words = with_prefix(heap, term, limit, <[u64]>::to_vec)?;
            Some((unpack_prefix(heap, &words), words.len()))
        }
        Copied::TooLarge => {
            let packed = pack(heap, term, limit)?;
            Some((unpack(heap, &packed), packed.words()))
        }
    }
}

/// The largest buffer that is kept for the next term, in words.
const MOST_KEPT: usize = 1 << 14;

/// Calls a function with the words of a term in prefix order.
fn with_prefix<T>(heap: &Heap, term: Term, limit: usize, use_words: impl FnOnce(&[u64]) -> T) -> Option<T> {
    thread_local! {
        static BUFFER: Cell<Option<Prefix>> = const { Cell::new(None) };
    }
    let mut prefix = BUFFER.take().unwrap_or_default();
    let used = prefix.write(heap, term, limit).map(|()| use_words(&prefix.out));
    if prefix.out.capacity() <= MOST_KEPT {
        BUFFER.set(Some(prefix));
    }
    used
}

/// Builds a packed term in a heap, with new variables.
pub fn unpack(heap: &mut Heap, packed: &Packed) -> Term {
    if packed.block.named {
        heap.names.hold(numbers(packed.as_words()));
    }
    packed.form.put(heap, packed.as_words())
}
