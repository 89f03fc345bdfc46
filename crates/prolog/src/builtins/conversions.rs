//! Converts atoms and numbers to lists of characters or codes, and back: ISO 8.16.4, 8.16.5, 8.16.7, 8.16.8.
//!
//! Errors for terms that are not lists are those of the standard. Two cases go beyond the standard:
//! a number may replace an atom, and a text in double quotes may replace a list.

use crate::builtins::texts::{READING, any_text, chars, codes, need_text, numerals_work, put, syntax_error, text};
use crate::machine::BoolResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_lang::lang::lexer;
use alphorn_lang::lang::numeral::NumeralValue;
use alphorn_text::symbol::{Atom, atoms};

/// The kind of the elements of a list.
#[derive(Clone, Copy)]
enum Items {
    Chars,
    Codes,
}

impl Items {
    fn list(self, store: &mut Store, text: &str) -> Result<Term, Fault> {
        match self {
            Items::Chars => chars(store, text),
            Items::Codes => codes(store, text),
        }
    }

    /// Returns the character of an element.
    fn character(self, store: &mut Store, item: Term) -> Result<char, Fault> {
        match (self, store.heap.view(item)) {
            (Items::Chars, TermView::Atom(name)) => {
                let name = name.name();
                let mut chars = name.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) => Ok(c),
                    _ => Err(Fault::type_error(&mut store.heap, "character", item)),
                }
            }
            (Items::Chars, _) => Err(Fault::type_error(&mut store.heap, "character", item)),
            (Items::Codes, TermView::Int(code)) => match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => Ok(c),
                None => Err(not_a_code(store)),
            },
            (Items::Codes, TermView::Big(..)) => Err(not_a_code(store)),
            (Items::Codes, _) => Err(Fault::type_error(&mut store.heap, "integer", item)),
        }
    }
}

fn not_a_code(store: &mut Store) -> Fault {
    Fault::of(&mut store.heap, "representation_error", &[Term::atom(Atom::new("character_code"))])
}

/// Returns the text of a list, or `None` if the list contains a variable or ends in one. If
/// `needed` is true, such a list is an error, because no other argument gives the text.
fn list_text(store: &mut Store, list: Term, items: Items, needed: bool) -> Result<Option<String>, Fault> {
    if let TermView::Text(length, words) = store.heap.view(list) {
        return Ok(Some(store.heap.text_of(length, words)));
    }
    let (elements, end) = store.elements(list);
    store.charge(elements.len() as u64 / 16)?;
    let mut text = Some(String::new());
    for item in elements {
        if !store.heap.is_var(item) {
            let c = items.character(store, item)?;
            text.iter_mut().for_each(|text| text.push(c));
        } else if needed {
            return Err(Fault::instantiation(&mut store.heap));
        } else {
            text = None;
        }
    }
    match store.heap.view(end) {
        TermView::Atom(atoms::NIL) => Ok(text),
        TermView::Var(_) if needed => Err(Fault::instantiation(&mut store.heap)),
        TermView::Var(_) => Ok(None),
        _ => {
            let list = store.heap.deref(list);
            Err(Fault::type_error(&mut store.heap, "list", list))
        }
    }
}

fn atom_and_list(store: &mut Store, args: &[Term], items: Items) -> BoolResult {
    let known = text(store, args[0])?;
    if known.is_none() && !store.heap.is_var(args[0]) {
        return Err(Fault::type_error(&mut store.heap, "atom", args[0]));
    }
    let given = list_text(store, args[1], items, known.is_none())?;
    match (known, given) {
        (Some(text), _) => {
            let list = items.list(store, &text)?;
            unify_list(store, args[1], list, items)
        }
        (None, Some(text)) => put(store, args[0], &text),
        (None, None) => unreachable!("a list with variables was an error, for it was needed"),
    }
}

/// Unifies a list with a target that may be a text in double quotes.
fn unify_list(store: &mut Store, target: Term, list: Term, items: Items) -> BoolResult {
    let TermView::Text(length, words) = store.heap.view(target) else { return store.unify(target, list) };
    let text = store.heap.text_of(length, words);
    let target = items.list(store, &text)?;
    store.unify(target, list)
}

pub(super) fn atom_chars(store: &mut Store, args: &[Term]) -> BoolResult {
    atom_and_list(store, args, Items::Chars)
}

pub(super) fn atom_codes(store: &mut Store, args: &[Term]) -> BoolResult {
    atom_and_list(store, args, Items::Codes)
}

fn is_number(store: &Store, term: Term) -> bool {
    matches!(store.heap.view(term), TermView::Int(_) | TermView::Big(..) | TermView::Float(_))
}

fn number_and_list(store: &mut Store, args: &[Term], items: Items) -> BoolResult {
    let bound = !store.heap.is_var(args[0]);
    if bound && !is_number(store, args[0]) {
        return Err(Fault::type_error(&mut store.heap, "number", args[0]));
    }
    match list_text(store, args[1], items, !bound)? {
        Some(text) => match number(store, &text)? {
            Some(value) => store.unify(args[0], value),
            None => Err(syntax_error(store, "illegal_number")),
        },
        None => {
            let text = need_text(store, args[0], "number")?;
            let list = items.list(store, &text)?;
            store.unify(args[1], list)
        }
    }
}

pub(super) fn number_chars(store: &mut Store, args: &[Term]) -> BoolResult {
    number_and_list(store, args, Items::Chars)
}

pub(super) fn number_codes(store: &mut Store, args: &[Term]) -> BoolResult {
    number_and_list(store, args, Items::Codes)
}

/// Reads a number by the syntax of rule files. Returns `None` if the text is not exactly a number.
fn number(store: &mut Store, text: &str) -> Result<Option<Term>, Fault> {
    store.work(numerals_work(text))?;
    // Reading takes memory in proportion to the text.
    store.room(READING * text.len())?;
    if let Some(value) = lexer::short_integer(text) {
        return Ok(Some(store.heap.integer(value)));
    }
    let Some(value) = lexer::number(text) else { return Ok(None) };
    Ok(Some(match value {
        NumeralValue::Int(value) => match i64::try_from(&value) {
            Ok(small) => store.heap.integer(small),
            Err(_) => store.heap.big(&value),
        },
        NumeralValue::Float(value) => store.heap.float(value),
    }))
}

pub(super) fn atom_number(store: &mut Store, args: &[Term]) -> BoolResult {
    if let Some(text) = any_text(store, args[0])? {
        return match number(store, &text)? {
            Some(value) => store.unify(args[1], value),
            None => Ok(false),
        };
    }
    match store.heap.view(args[1]) {
        TermView::Int(_) | TermView::Big(..) | TermView::Float(_) => {
            let text = need_text(store, args[1], "number")?;
            put(store, args[0], &text)
        }
        TermView::Var(_) => Err(Fault::instantiation(&mut store.heap)),
        _ => Err(Fault::type_error(&mut store.heap, "number", args[1])),
    }
}
