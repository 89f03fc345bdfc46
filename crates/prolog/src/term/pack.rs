//! Terms outside any heap: flat words.
//!
//! In: terms. Out: [`Packed`]s, equal exactly when the terms are variants,
//! with one pass to hash or compare. Positions, answers and gathered solutions
//! are kept so; they move between threads and outlive the heap. Terms that are
//! packed together lie in one block, which lives as long as any of them and
//! holds their atoms; a heap that they are put into holds them as well. A
//! ground term is an image of its cells; one with variables, whose order must
//! stay, is written in prefix order.

use super::cycle::is_cyclic;
use super::heap::{FUNCTOR, Heap, header, header_kind, header_large, header_small, raw_words};
use super::image::{Copied, copy_in, copy_out};
use super::prefix::{Prefix, unpack_prefix};
use super::{ATOM, HDR, LST, STR, TAG, Term};
use alphorn_text::symbol::{self, Atom, Region, atoms};
use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

/// A term by itself. Variables are numbered in the order they stand.
#[derive(Clone)]
pub struct Packed {
    block: Arc<Block>,
    start: u32,
    len: u32,
    /// Words that it takes in prefix order: what work is measured by.
    size: u32,
    form: Form,
}

/// How the words of a term are to be read.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// A ground term: an image of cells.
    Cells,
    /// The same, with numbers or texts among them that fill words of their own.
    Raw,
    /// A term with variables, in prefix order.
    Open,
}

impl Form {
    fn image(raw: bool) -> Form {
        if raw { Form::Raw } else { Form::Cells }
    }

    /// Puts a term of this form into a heap.
    fn put(self, heap: &mut Heap, words: &[u64]) -> Term {
        match self {
            Form::Cells => copy_in(heap, words, false),
            Form::Raw => copy_in(heap, words, true),
            Form::Open => unpack_prefix(heap, words),
        }
    }
}

/// The words of terms that were packed together.
struct Block {
    words: Box<[u64]>,
    /// No other block of the process has, or had, this number.
    number: u64,
    /// Whether atoms that rules made are among them; the block holds those.
    named: bool,
}

/// Bytes that all packed terms of the process take.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// Bytes that all packed terms of the process take, about, with the atoms that they hold: what they
/// keep of positions and answers counts against a memory budget as well.
#[inline]
pub fn live_bytes() -> u64 {
    LIVE.load(Atomic::Relaxed) + symbol::kept_bytes() as u64
}

/// Numbers that a thread takes at a time.
const NUMBERS: u64 = 1 << 20;

/// A number that no block of the process has or had.
fn fresh_number() -> u64 {
    static UNTAKEN: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static NEXT: Cell<u64> = const { Cell::new(0) };
    }
    NEXT.with(|next| {
        let mut number = next.get();
        if number.is_multiple_of(NUMBERS) {
            number = UNTAKEN.fetch_add(NUMBERS, Atomic::Relaxed);
        }
        next.set(number + 1);
        number
    })
}

/// Bytes that a block takes beside its words.
const ALONE: u64 = 96;

/// The numbers of the atoms in the words of terms, and where they stand.
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

    /// Of words whose atoms it holds already.
    fn holding(words: Box<[u64]>, named: bool) -> Arc<Block> {
        let block = Block { words, number: fresh_number(), named };
        LIVE.fetch_add(block.bytes(), Atomic::Relaxed);
        Arc::new(block)
    }

    /// Its words and what it takes to hold on to them.
    fn bytes(&self) -> u64 {
        8 * self.words.len() as u64 + ALONE
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        LIVE.fetch_sub(self.bytes(), Atomic::Relaxed);
        if self.named {
            symbol::release(numbers(&self.words));
        }
    }
}

impl Packed {
    /// A term in a block of its own; `None` where it is beyond all blocks.
    fn alone(words: &[u64], size: usize, form: Form) -> Option<Packed> {
        let len = u32::try_from(words.len()).ok()?;
        Some(Packed { block: Block::new(words.into()), start: 0, len, size: size as u32, form })
    }

    /// An atom.
    pub fn atom(name: Atom) -> Packed {
        Packed::alone(&[Term::atom(name).0], 1, Form::Cells).expect("one word is no long term")
    }

    /// The atom with this text, which is there as long as the term.
    pub fn text(text: &str) -> Packed {
        let mut region = Region::default();
        Packed::atom(region.atom(text))
    }

    /// An integer that is small.
    pub fn small(value: i64) -> Packed {
        Packed::alone(&[Term::small(value).0], 1, Form::Cells).expect("one word is no long term")
    }

    /// Its words.
    #[inline]
    pub fn as_words(&self) -> &[u64] {
        &self.block.words[self.start as usize..][..self.len as usize]
    }

    /// Words that are the same for equal terms at all times, and for no others: the numbers of atoms
    /// that rules made may be those of others later.
    #[inline]
    pub fn steady(&self) -> Cow<'_, [u64]> {
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

    /// Where its words lie: what lies at the same place, now or later, is the
    /// same term.
    #[inline]
    pub fn place(&self) -> (u64, u32) {
        (self.block.number, self.start)
    }

    /// How many words it takes, without the references among them.
    pub fn words(&self) -> usize {
        self.size as usize
    }

    /// Whether it, or a term beside it, holds atoms that rules have made.
    pub fn holds_names(&self) -> bool {
        self.block.named
    }

    /// Bytes that it takes, if it is alone in its block.
    pub fn bytes(&self) -> u64 {
        8 * u64::from(self.len) + ALONE
    }

    /// Whether no variable stands in it.
    #[inline]
    pub fn is_ground(&self) -> bool {
        self.form != Form::Open
    }

    /// The atom, if it is one.
    pub fn as_atom(&self) -> Option<Atom> {
        match self.as_words() {
            [cell] => Term(*cell).as_atom(),
            _ => None,
        }
    }

    /// Name and arity, and whether it is an atom or compound at all.
    pub fn functor(&self) -> Option<(Atom, usize)> {
        let words = self.as_words();
        // In an image the header is the first word behind the root.
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
        self.steady().hash(state);
    }
}

impl PartialOrd for Packed {
    fn partial_cmp(&self, other: &Packed) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Packed {
    fn cmp(&self, other: &Packed) -> Ordering {
        self.steady().cmp(&other.steady())
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Packed").field(&self.as_words()).finish()
    }
}

/// Packs terms into one block; keeps its room for the next ones.
#[derive(Default)]
pub struct Packer {
    /// Room for words, those of the terms first.
    room: Vec<u64>,
    /// How many there are.
    used: usize,
    /// Where each term ends, its size, and how it is written.
    ends: Vec<(u32, u32, Form)>,
    prefix: Prefix,
    /// Whether it holds atoms that rules made.
    named: bool,
}

/// Words that a packer has room for at first.
const FIRST_ROOM: usize = 64;

impl Packer {
    /// Adds a term, and says whether it is ground; `None` where all together
    /// would take more than `limit` words.
    pub fn add(&mut self, heap: &Heap, term: Term, limit: usize) -> Option<bool> {
        let start = self.used;
        let ground = self.copy(heap, term, limit)?;
        self.named |= symbol::hold(numbers(&self.room[start..self.used]));
        Some(ground)
    }

    /// The same of a term that is put back in the same evaluation.
    fn copy(&mut self, heap: &Heap, term: Term, limit: usize) -> Option<bool> {
        let start = self.used;
        // What grows far beyond the heap that it lies in may be without end.
        let mut looked = false;
        let (words, size, form) = loop {
            let most = limit.min(self.room.len());
            match copy_out(heap, term, self.room.get_mut(start..most).unwrap_or_default()) {
                Copied::Ground { words, headed, raw } => {
                    break (words, words - headed, Form::image(raw));
                }
                Copied::Open => {
                    self.prefix.write(heap, term, limit.saturating_sub(start))?;
                    let words = self.prefix.out.len();
                    if self.room.len() < start + words {
                        self.room.resize((2 * self.room.len()).min(limit).max(start + words), 0);
                    }
                    self.room[start..start + words].copy_from_slice(&self.prefix.out);
                    break (words, words, Form::Open);
                }
                Copied::TooLarge if most == limit => return None,
                Copied::TooLarge if !looked && most - start > heap.cells.len() => {
                    looked = true;
                    if is_cyclic(heap, term) {
                        return None;
                    }
                }
                // Begun anew with twice the room, which costs no more than growing on the way.
                Copied::TooLarge => self.room.resize((2 * most).max(FIRST_ROOM).min(limit), 0),
            }
        };
        self.used = start + words;
        self.ends.push((u32::try_from(self.used).ok()?, size as u32, form));
        Some(form != Form::Open)
    }

    /// The terms added since the last time.
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

    /// Puts the terms added since the last time into a heap, in their order.
    pub fn unpack(&self, heap: &mut Heap) -> Vec<Term> {
        let mut start = 0;
        let put = |(end, _, form): &(u32, u32, Form)| {
            let words = &self.room[start..*end as usize];
            start = *end as usize;
            form.put(heap, words)
        };
        self.ends.iter().map(put).collect()
    }

    /// Adds a term for which there are `left` words more; gives the words that
    /// were taken of them.
    pub fn gather(&mut self, heap: &Heap, term: Term, left: usize) -> Option<u64> {
        let before = self.held();
        self.copy(heap, term, self.room.len().saturating_add(left))?;
        Some((self.held() - before) as u64)
    }

    /// Words that it takes, those that are free yet included.
    fn held(&self) -> usize {
        self.room.len() + 2 * self.ends.capacity()
    }

    /// How many terms there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Forgets what was added.
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

/// Packs terms that were packed apart into one block: they take less room, and what lay beside them
/// can be let go. Terms too many for one block stay as they are.
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

/// Packs a term; `None` where it would take more than `limit` words.
pub fn pack(heap: &Heap, term: Term, limit: usize) -> Option<Packed> {
    // Most terms are small, and need no room of their own.
    let mut room = [0; FIRST_ROOM];
    match copy_out(heap, term, &mut room[..limit.min(FIRST_ROOM)]) {
        Copied::Ground { words, headed, raw } => Packed::alone(&room[..words], words - headed, Form::image(raw)),
        Copied::Open => {
            let mut prefix = Prefix::default();
            prefix.write(heap, term, limit)?;
            Packed::alone(&prefix.out, prefix.out.len(), Form::Open)
        }
        Copied::TooLarge => {
            let mut packer = Packer::default();
            packer.add(heap, term, limit)?;
            packer.finish().next()
        }
    }
}

/// Puts a packed term into a heap, its variables fresh.
pub fn unpack(heap: &mut Heap, packed: &Packed) -> Term {
    if packed.block.named {
        heap.names.hold(numbers(packed.as_words()));
    }
    packed.form.put(heap, packed.as_words())
}
