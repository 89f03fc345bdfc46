//! Texts of terms, and terms made of texts, for the builtins that read or write text.
//!
//! Each function counts the steps and the memory of its work.

use crate::machine::BoolResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::float;
use crate::term::heap::TermView;
use crate::term::write::digits_work;
use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::read;
use alphorn_text::source::SourceId;
use alphorn_text::symbol::{Atom, AtomText, SHORT_TEXT, ShortText, atoms};
use arrayvec::ArrayString;
use smallvec::SmallVec;

const NIL: Term = Term::atom(atoms::NIL);

/// The characters of a text whose list needs no memory beside the heap.
const SHORT: usize = 32;

/// Returns the text of an atomic term, or `None` for a variable or compound.
#[inline]
pub(super) fn text(store: &mut Store, term: Term) -> Result<Option<AtomText>, Fault> {
    let found = match store.heap.deref(term).as_atom() {
        Some(name) => Some(name.name()),
        None => text_of(store, term)?,
    };
    store.charge(found.as_ref().map_or(0, |text| text.len() as u64 / 64))?;
    Ok(found)
}

fn text_of(store: &mut Store, term: Term) -> Result<Option<AtomText>, Fault> {
    Ok(Some(AtomText::Made(match store.heap.view(term) {
        TermView::Int(value) => {
            let mut digits = itoa::Buffer::new();
            let short = ShortText::from(digits.format(value)).expect("64 bits have at most 20 characters");
            return Ok(Some(AtomText::Short(short)));
        }
        TermView::Big(negative, words) => {
            let value = store.heap.big_of(negative, words);
            store.work(digits_work(value.bits()))?;
            value.to_string()
        }
        TermView::Float(value) => float::text(value),
        TermView::Text(length, words) => {
            store.room(words.len())?;
            match short_text(length, words) {
                Some(text) => return Ok(Some(AtomText::Short(text))),
                None => store.heap.text_of(length, words),
            }
        }
        TermView::Var(_) | TermView::Atom(_) | TermView::Compound(..) => return Ok(None),
    })))
}

/// Decodes a text term that needs no memory of its own.
fn short_text(length: usize, words: &[u64]) -> Option<ShortText> {
    let mut bytes = [0; SHORT_TEXT];
    for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    let text = std::str::from_utf8(bytes.get(..length)?).expect("texts are stored from str");
    ShortText::from(text).ok()
}

/// Returns the text of a list of characters or codes, or `None` for other terms.
fn list_text(store: &Store, list: Term) -> Option<String> {
    let (items, end) = store.heap.elements(list);
    if end != NIL {
        return None;
    }
    let mut out = String::new();
    for item in items {
        match store.heap.view(item) {
            TermView::Int(code) => out.push(char::from_u32(u32::try_from(code).ok()?)?),
            TermView::Atom(name) => {
                let text = name.name();
                let mut chars = text.chars();
                out.push(chars.next().filter(|_| chars.next().is_none())?);
            }
            _ => return None,
        }
    }
    Some(out)
}

/// Returns the text of an atomic term or of a list of characters or codes.
pub(super) fn any_text(store: &mut Store, term: Term) -> Result<Option<AtomText>, Fault> {
    if let TermView::Compound(..) | TermView::Atom(atoms::NIL) = store.heap.view(term)
        && let Some(text) = list_text(store, term)
    {
        store.charge(text.len() as u64 / 16)?;
        return Ok(Some(AtomText::Made(text)));
    }
    text(store, term)
}

#[inline]
pub(super) fn need_text(store: &mut Store, term: Term, expected: &str) -> Result<AtomText, Fault> {
    // The usual case, without the copies of the general one.
    if let Some(name) = store.heap.deref(term).as_atom() {
        let name = name.name();
        store.charge(name.len() as u64 / 64)?;
        return Ok(name);
    }
    needed_text(store, term, expected)
}

fn needed_text(store: &mut Store, term: Term, expected: &str) -> Result<AtomText, Fault> {
    match text(store, term)? {
        Some(text) => Ok(text),
        None if store.heap.is_var(term) => Err(Fault::instantiation(&mut store.heap)),
        None => Err(Fault::type_error(&mut store.heap, expected, term)),
    }
}

pub(super) fn put(store: &mut Store, target: Term, text: &str) -> BoolResult {
    store.charge(text.len() as u64 / 64)?;
    let atom = store.atom(text)?;
    store.unify(target, Term::atom(atom))
}

/// Calls a function with two texts as one, which needs no memory if they are short.
pub(super) fn with_both<T>(left: &str, right: &str, see: impl FnOnce(&str) -> T) -> T {
    let mut short = ArrayString::<{ 2 * SHORT_TEXT }>::new();
    match short.try_push_str(left).and_then(|()| short.try_push_str(right)) {
        Ok(()) => see(&short),
        Err(_) => see(&[left, right].concat()),
    }
}

/// Makes a list of one-character atoms.
pub(super) fn chars(store: &mut Store, text: &str) -> Result<Term, Fault> {
    store.room(text.len() * 2)?;
    store.charge(text.len() as u64 / 16)?;
    let mut items: SmallVec<[Term; SHORT]> = SmallVec::new();
    for c in text.chars() {
        let letter = match Atom::known_letter(c) {
            Some(letter) => letter,
            None => store.atom(c.encode_utf8(&mut [0; 4]))?,
        };
        items.push(Term::atom(letter));
    }
    Ok(store.heap.list_of(items.into_iter()))
}

/// Makes a list of character codes.
pub(super) fn codes(store: &mut Store, text: &str) -> Result<Term, Fault> {
    store.room(text.len() * 2)?;
    store.charge(text.len() as u64 / 16)?;
    let items: SmallVec<[Term; SHORT]> = text.chars().map(|c| Term::small(i64::from(u32::from(c)))).collect();
    Ok(store.heap.list_of(items.into_iter()))
}

/// Words of memory that the reader may need for a byte of text.
pub(super) const READING: usize = 32;

/// Reads one term. The inner error is the reader's message about the text.
pub(super) fn read_term(store: &mut Store, text: &str) -> Result<Result<Option<Sentence>, String>, Fault> {
    store.work(numerals_work(text))?;
    store.charge(text.len() as u64 / 4)?;
    // Reading takes memory in proportion to the text.
    store.room(READING * text.len())?;
    let Store { heap, ops, .. } = store;
    Ok(heap.names.reading(|| read::goal(SourceId(0), text, ops).map_err(|problem| problem.message)))
}

/// Estimates the steps for reading the numbers in a text.
pub(super) fn numerals_work(text: &str) -> u64 {
    // Ten digits are less than a word.
    if text.len() <= 10 {
        return 0;
    }
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let (mut work, mut run) = (0u64, 0u64);
    for (at, c) in bytes.iter().enumerate() {
        if *c == b'_' || c.is_ascii_digit() || *c == b' ' && digit(at.checked_sub(1)) && digit(Some(at + 1)) {
            run += 1;
        } else if run > 0 {
            // Three digits take ten bits.
            work = work.saturating_add(digits_work(run * 10 / 3));
            run = 0;
        }
    }
    work = work.saturating_add(digits_work(run * 10 / 3));
    // After a radix, as in 36'zz, letters are digits as well, of at most six bits each.
    let figures = |rest: &str| rest.bytes().take_while(|c| *c == b'_' || c.is_ascii_alphanumeric()).count() as u64;
    text.split('\'').skip(1).fold(work, |work, rest| work.saturating_add(digits_work(figures(rest) * 6)))
}

pub(super) fn syntax_error(store: &mut Store, message: &str) -> Fault {
    match store.atom(message) {
        Ok(message) => Fault::of(&mut store.heap, "syntax_error", &[Term::atom(message)]),
        Err(fault) => fault,
    }
}
