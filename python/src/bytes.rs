//! The binary form of positions in columns: short, the same on every machine, and equal if and only if the
//! terms are.
//!
//! A term is a tag, its own bytes, and then its parts. Numbers have 7 bits in a byte, the lowest first. The
//! reader takes any bytes, and refuses all that the writer does not write.

use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, MAX_ARITY, TermView};
use alphorn_prolog::term::pack::{Packed, pack, unpack};
use alphorn_text::symbol::{Atom, AtomText, atoms};
use num_bigint::BigInt;

const ATOM: u8 = 0;
const INTEGER: u8 = 1;
const BIG: u8 = 2;
const FLOAT: u8 = 3;
const TEXT: u8 = 4;
const LIST: u8 = 5;
const COMPOUND: u8 = 6;

/// The greatest size of a term, in words.
const LARGEST: usize = 1 << 24;

fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

/// The number of names that a reader or a writer remembers for one term. Boards have few names, each many times.
const REMEMBERED: usize = 8;

fn put_name(name: Atom, known: &mut Vec<(Atom, AtomText)>, out: &mut Vec<u8>) {
    if let Some((_, text)) = known.iter().find(|(other, _)| *other == name) {
        return put_text(text, out);
    }
    let text = name.name();
    put_text(&text, out);
    if known.len() < REMEMBERED {
        known.push((name, text));
    }
}

/// Appends the bytes of a ground term.
pub fn write(packed: &Packed, out: &mut Vec<u8>) {
    let mut heap = Heap::default();
    let mut names = Vec::new();
    let root = unpack(&mut heap, packed);
    let mut steps = vec![root];
    while let Some(term) = steps.pop() {
        match heap.view(term) {
            TermView::Atom(name) => {
                out.push(ATOM);
                put_name(name, &mut names, out);
            }
            TermView::Int(number) => {
                out.push(INTEGER);
                put_number((number << 1 ^ number >> 63) as u64, out);
            }
            TermView::Big(negative, words) => {
                out.push(BIG);
                put_text(&heap.big_of(negative, words).to_string(), out);
            }
            TermView::Float(number) => {
                out.push(FLOAT);
                out.extend(number.to_le_bytes());
            }
            TermView::Text(length, words) => {
                out.push(TEXT);
                put_text(&heap.text_of(length, words), out);
            }
            TermView::Compound(name, args) => {
                let (items, rest) = heap.elements(term);
                if !items.is_empty() && heap.is_nil(rest) {
                    out.push(LIST);
                    put_number(items.len() as u64, out);
                    steps.extend(items.into_iter().rev());
                } else {
                    out.push(COMPOUND);
                    put_number(args.len() as u64, out);
                    put_name(name, &mut names, out);
                    steps.extend(args.iter().rev().map(|cell| Term::of_cell(*cell)));
                }
            }
            TermView::Var(_) => unreachable!("a position is ground"),
        }
    }
}

/// The bytes of a ground term.
pub fn bytes_of(packed: &Packed) -> Vec<u8> {
    let mut out = Vec::new();
    write(packed, &mut out);
    out
}

/// A compound term or a list whose parts are being read.
struct Open<'a> {
    /// The name of a compound term; `None` for a list.
    name: Option<&'a str>,
    /// The number of parts that are missing.
    missing: usize,
    /// The number of terms that were complete before.
    before: usize,
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 || shift > 0 && byte == 0 {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    /// A count of parts. Each part takes at least one byte.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (1..=self.bytes.len().min(MAX_ARITY)).contains(&count).then_some(count)
    }
}

fn atom_of<'a>(text: &'a str, heap: &mut Heap, known: &mut Vec<(&'a str, Term)>) -> Term {
    if let Some((_, atom)) = known.iter().find(|(other, _)| *other == text) {
        return *atom;
    }
    let atom = heap.atom(text);
    if known.len() < REMEMBERED {
        known.push((text, atom));
    }
    atom
}

/// The term of these bytes; `None` if they are not the bytes of a term.
pub fn read(bytes: &[u8]) -> Option<Packed> {
    let mut reader = Reader { bytes };
    let mut heap = Heap::default();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut made: Vec<Term> = Vec::new();
    let mut known = Vec::new();
    loop {
        let term = match reader.take(1)?[0] {
            ATOM => atom_of(reader.text()?, &mut heap, &mut known),
            INTEGER => {
                let coded = reader.number()?;
                heap.integer((coded >> 1) as i64 ^ -((coded & 1) as i64))
            }
            BIG => heap.big(&reader.text()?.parse::<BigInt>().ok()?),
            FLOAT => heap.float(Some(f64::from_le_bytes(reader.take(8)?.try_into().ok()?)).filter(|x| !x.is_nan())?),
            TEXT => heap.text(reader.text()?),
            LIST => {
                let missing = reader.count()?;
                open.push(Open { name: None, missing, before: made.len() });
                continue;
            }
            COMPOUND => {
                let missing = reader.count()?;
                let name = Some(reader.text()?);
                open.push(Open { name, missing, before: made.len() });
                continue;
            }
            _ => return None,
        };
        made.push(term);
        while let Some(last) = open.last_mut() {
            last.missing -= 1;
            if last.missing > 0 {
                break;
            }
            let Open { name, before, .. } = open.pop().expect("it was just there");
            let parts = made.split_off(before);
            made.push(match name {
                Some(name) => {
                    let name = atom_of(name, &mut heap, &mut known).as_atom().expect("it is an atom");
                    heap.structure(name, &parts)
                }
                None => heap.list(&parts, Term::atom(atoms::NIL)),
            });
        }
        if open.is_empty() {
            let packed = pack(&heap, made.pop()?, LARGEST)?;
            // Another writing of the same term would make equal positions unequal.
            return (reader.bytes.is_empty() && bytes_of(&packed) == bytes).then_some(packed);
        }
    }
}
