//! Builtins for texts in double quotes. The library calls them where no other kind of text is given.

use crate::builtins::arithmetic::integer;
use crate::builtins::atoms::sub_text;
use crate::builtins::texts::{text, with_both};
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::machine::{BoolResult, BuiltinResult};
use crate::term::Term;
use alphorn_text::symbol::{AtomText, atoms};

const NIL: Term = Term::atom(atoms::NIL);

/// Makes a text in double quotes.
pub(super) fn made(store: &mut Store, text: &str) -> Result<Term, Fault> {
    store.charge(text.len() as u64 / 64)?;
    store.room(text.len() / 8 + 2)?;
    Ok(store.heap.text(text))
}

/// Returns the text of an atomic argument; the library has tested that it is one.
fn given(store: &mut Store, term: Term) -> Result<AtomText, Fault> {
    text(store, term)?.ok_or_else(|| Fault::type_error(&mut store.heap, "atomic", term))
}

/// `'$string_concat'(+A, +B, -AB)`, of two atomic terms.
pub(super) fn concat(store: &mut Store, args: &[Term]) -> BoolResult {
    let (left, right) = (given(store, args[0])?, given(store, args[1])?);
    store.room((left.len() + right.len()) / 4)?;
    let whole = with_both(&left, &right, |whole| made(store, whole))?;
    store.unify(args[2], whole)
}

/// `'$sub_string'(+String, ?Before, ?Length, ?After, ?Sub)`. `Sub` is a string or unbound.
pub(super) fn sub_string(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    sub_text(store, args, state, |store, target, piece| {
        let piece = made(store, piece)?;
        store.unify(target, piece)
    })
}

/// `'$string_code'(+Index, +String, ?Code)`. The index is not negative.
pub(super) fn code(store: &mut Store, args: &[Term]) -> BoolResult {
    let whole = given(store, args[1])?;
    let index = integer(store, args[0])?;
    let Some(at) = usize::try_from(index).ok().and_then(|index| index.checked_sub(1)) else { return Ok(false) };
    let found = if whole.is_ascii() { whole.as_bytes().get(at).map(|c| char::from(*c)) } else { whole.chars().nth(at) };
    match found {
        Some(c) => store.unify(args[2], Term::small(i64::from(u32::from(c)))),
        None => Ok(false),
    }
}

/// `'$split_string'(+Text, +Separators, +Pad, -Strings)`, of three atomic texts.
pub(super) fn split(store: &mut Store, args: &[Term]) -> BoolResult {
    let [whole, separators, pad] = [0, 1, 2].map(|at| given(store, args[at]));
    let (whole, separators, pad) = (whole?, separators?, pad?);
    store.charge(whole.len() as u64 * (1 + (separators.len() + pad.len()) as u64 / 16) / 16)?;
    let is_pad = |c: char| pad.contains(c);
    let fields = whole.trim_matches(is_pad);
    let mut parts = Vec::new();
    let mut rest = Some(fields);
    while let Some(text) = rest {
        // The padding before a field may contain separators.
        let text = text.trim_start_matches(is_pad);
        let end = text.find(|c| separators.contains(c));
        let field = &text[..end.unwrap_or(text.len())];
        parts.push(made(store, field.trim_end_matches(is_pad))?);
        rest = end.map(|end| {
            let mut behind = text[end..].chars();
            behind.next();
            behind.as_str()
        });
    }
    let list = store.heap.list(&parts, NIL);
    store.unify(args[3], list)
}
