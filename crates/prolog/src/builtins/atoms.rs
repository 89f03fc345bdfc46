//! Builtins for atoms, characters and numbers as text.

use crate::builtins::arithmetic::integer;
use crate::builtins::chars::{lower, upper};
use crate::builtins::output::written;
use crate::builtins::texts::{any_text, chars, codes, need_text, put, read_term, syntax_error, text, with_both};
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::machine::{BoolResult, BuiltinResult};
use crate::term::Term;
use crate::term::build::build;
use crate::term::heap::{Heap, TermView};
use alphorn_text::symbol::{Atom, AtomText, atoms};

const NIL: Term = Term::atom(atoms::NIL);

pub(super) fn atom_length(store: &mut Store, args: &[Term]) -> BoolResult {
    let text = need_text(store, args[0], "atom")?;
    if !store.heap.is_var(args[1]) && integer(store, args[1])? < 0 {
        return Err(Fault::domain_error(&mut store.heap, "not_less_than_zero", args[1]));
    }
    store.unify(args[1], Term::small(text.chars().count() as i64))
}

fn from_list(store: &mut Store, list: Term) -> Result<AtomText, Fault> {
    match any_text(store, list)? {
        Some(text) => Ok(text),
        None => {
            let (items, end) = store.heap.elements(list);
            if store.heap.is_var(end) || items.iter().any(|item| store.heap.is_var(*item)) {
                return Err(Fault::instantiation(&mut store.heap));
            }
            Err(Fault::type_error(&mut store.heap, "character", list))
        }
    }
}

pub(super) fn char_code(store: &mut Store, args: &[Term]) -> BoolResult {
    match store.heap.view(args[0]) {
        TermView::Atom(name) => {
            let name = name.name();
            let mut chars = name.chars();
            let (Some(c), None) = (chars.next(), chars.next()) else {
                return Err(Fault::type_error(&mut store.heap, "character", args[0]));
            };
            if !store.heap.is_var(args[1]) {
                return Ok(character(store, args[1])? == c);
            }
            store.unify(args[1], Term::small(i64::from(u32::from(c))))
        }
        TermView::Var(_) => {
            let c = character(store, args[1])?;
            put(store, args[0], c.encode_utf8(&mut [0; 4]))
        }
        _ => Err(Fault::type_error(&mut store.heap, "character", args[0])),
    }
}

/// Returns the character of a code.
fn character(store: &mut Store, code: Term) -> Result<char, Fault> {
    let code = integer(store, code)?;
    let found = u32::try_from(code).ok().and_then(char::from_u32);
    found.ok_or_else(|| Fault::of(&mut store.heap, "representation_error", &[Term::atom(Atom::new("character_code"))]))
}

pub(super) fn case(store: &mut Store, args: &[Term], change: fn(&str) -> String) -> BoolResult {
    let text = need_text(store, args[0], "atomic")?;
    // Changing the case makes no text more than three times as long.
    store.room(text.len())?;
    put(store, args[1], &change(&text))
}

pub(super) fn upcase_atom(store: &mut Store, args: &[Term]) -> BoolResult {
    case(store, args, |text| text.chars().map(upper).collect())
}

pub(super) fn downcase_atom(store: &mut Store, args: &[Term]) -> BoolResult {
    case(store, args, |text| text.chars().map(lower).collect())
}

/// `atom_concat(?A, ?B, ?AB)`. Splits `AB` if `A` or `B` is unbound.
pub(super) fn atom_concat(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    let both = (text(store, args[0])?, text(store, args[1])?);
    let yes = |found: bool| if found { BuiltinResult::BoolResult } else { BuiltinResult::No };
    if let (Some(left), Some(right)) = &both {
        // The whole may be a text of another kind, such as a number.
        if !store.heap.is_var(args[2]) {
            let whole = need_text(store, args[2], "atomic")?;
            return Ok(yes(whole.strip_prefix(&**left).is_some_and(|rest| *rest == **right)));
        }
        store.room((left.len() + right.len()) / 4)?;
        return with_both(left, right, |whole| put(store, args[2], whole)).map(yes);
    }
    for arg in &args[..2] {
        if !store.heap.is_var(*arg) && text(store, *arg)?.is_none() {
            return Err(Fault::type_error(&mut store.heap, "atomic", *arg));
        }
    }
    let whole = need_text(store, args[2], "atomic")?;
    match both {
        (Some(left), None) => match whole.strip_prefix(&*left) {
            Some(right) => put(store, args[1], right).map(yes),
            None => Ok(BuiltinResult::No),
        },
        (None, Some(right)) => match whole.strip_suffix(&*right) {
            Some(left) => put(store, args[0], left).map(yes),
            None => Ok(BuiltinResult::No),
        },
        _ => {
            let from = state.and_then(Term::as_small).unwrap_or(0);
            let Some((at, _)) = whole.char_indices().chain([(whole.len(), ' ')]).nth(from as usize) else {
                return Ok(BuiltinResult::No);
            };
            let last = at == whole.len();
            let found = put(store, args[0], &whole[..at])? && put(store, args[1], &whole[at..])?;
            let next = Term::small(from + 1);
            Ok(match (found, last) {
                (true, true) => BuiltinResult::BoolResult,
                (true, false) => BuiltinResult::Again(next),
                (false, true) => BuiltinResult::No,
                (false, false) => BuiltinResult::Later(next),
            })
        }
    }
}

/// `sub_atom(+Atom, ?Before, ?Length, ?After, ?Sub)`.
pub(super) fn sub_atom(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    sub_text(store, args, state, put)
}

/// `sub_atom/5` for any kind of text. `give` unifies the last argument with a part of the text.
pub(super) fn sub_text(
    store: &mut Store,
    args: &[Term],
    state: Option<Term>,
    give: fn(&mut Store, Term, &str) -> BoolResult,
) -> Result<BuiltinResult, Fault> {
    if let Some(result) = find_short(store, args, state)? {
        return Ok(result);
    }
    let whole = need_text(store, args[0], "atom")?;
    let mut known = [None; 3];
    for (slot, arg) in known.iter_mut().zip(&args[1..4]) {
        if !store.heap.is_var(*arg) {
            let value = integer(store, *arg)?;
            if value < 0 {
                return Err(Fault::domain_error(&mut store.heap, "not_less_than_zero", *arg));
            }
            *slot = Some(value);
        }
    }
    let sub = if store.heap.is_var(args[4]) { None } else { Some(need_text(store, args[4], "atom")?) };
    // A bound part of another kind, such as a number, has the text of the piece.
    let has_sub = sub.is_some();
    let give = |store: &mut Store, piece: &str| if has_sub { Ok(true) } else { give(store, args[4], piece) };
    let is_ascii = whole.is_ascii();
    if let (Some(before), Some(length), true) = (known[0], known[1], is_ascii) {
        if sub.as_ref().is_some_and(|sub| sub.chars().count() as i64 != length) {
            return Ok(BuiltinResult::No);
        }
        // The only place, as below.
        store.charge(1)?;
        let end = before.saturating_add(length);
        let after = (whole.len() as i64).saturating_sub(end);
        let found = after >= 0 && {
            let piece = &whole[before as usize..end as usize];
            sub.is_none_or(|sub| *sub == *piece) && store.unify(args[3], Term::small(after))? && give(store, piece)?
        };
        return Ok(if found { BuiltinResult::BoolResult } else { BuiltinResult::No });
    }
    // The byte at which each character begins. In ASCII, that is its number.
    let bounds: Option<Vec<usize>> =
        (!is_ascii).then(|| whole.char_indices().map(|(at, _)| at).chain([whole.len()]).collect());
    let size = bounds.as_ref().map_or(whole.len(), |bounds| bounds.len() - 1) as i64;
    let bound = |at: i64| bounds.as_ref().map_or(at as usize, |bounds| bounds[at as usize]);
    let wanted = sub.as_ref().map(|sub| sub.chars().count() as i64);
    let length = known[1].or(wanted);
    if known[1].is_some_and(|length| wanted.is_some_and(|wanted| wanted != length)) {
        return Ok(BuiltinResult::No);
    }
    let from = state.and_then(Term::as_small).unwrap_or(0);
    let candidates = Places::new((known[0], length, known[2]), size, from);
    let fits = |(before, length): (i64, i64)| {
        let inside = (0..=size).contains(&before) && (0..=size - before).contains(&length);
        let end = before.saturating_add(length);
        (inside && known[2].is_none_or(|after| size - end == after)).then(|| &whole[bound(before)..bound(end)])
    };
    let mut found = None;
    for (number, candidate) in (from..).zip(candidates) {
        store.charge(u64::from(number % 16 == 0))?;
        let Some(piece) = fits(candidate).filter(|piece| sub.as_ref().is_none_or(|sub| **sub == **piece)) else {
            continue;
        };
        match found {
            None => found = Some((candidate, piece)),
            Some((first, piece)) => {
                let next = Term::small(number);
                return Ok(match give_sub(store, args, first, size, |store| give(store, piece))? {
                    true => BuiltinResult::Again(next),
                    false => BuiltinResult::Later(next),
                });
            }
        }
    }
    match found {
        Some((last, piece)) => give_sub(store, args, last, size, |store| give(store, piece))
            .map(|found| if found { BuiltinResult::BoolResult } else { BuiltinResult::No }),
        None => Ok(BuiltinResult::No),
    }
}

/// The longest text, in bytes, in which a part is found without a copy.
const SHORT: usize = 256;

/// The bytes of a text, or the name of an atom.
enum ShortBytes<'a> {
    Lent(&'a [u8]),
    Named(AtomText),
}

impl ShortBytes<'_> {
    /// The text of a string or an atom, if it is short and in ASCII.
    fn of(heap: &Heap, term: Term) -> Option<ShortBytes<'_>> {
        let text = match heap.view(term) {
            TermView::Text(length, words) if length <= SHORT => ShortBytes::Lent(heap.text_bytes(length, words)?),
            TermView::Atom(name) => ShortBytes::Named(name.name()),
            _ => return None,
        };
        let bytes = text.bytes();
        (bytes.len() <= SHORT && bytes.is_ascii()).then_some(text)
    }

    fn bytes(&self) -> &[u8] {
        match self {
            ShortBytes::Lent(bytes) => bytes,
            ShortBytes::Named(name) => name.as_bytes(),
        }
    }
}

/// The next place of a known part in a short text, if no number is known. `None` for other arguments, which need the
/// general way.
fn find_short(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<Option<BuiltinResult>, Fault> {
    let heap = &store.heap;
    let numbers: [Term; 3] = std::array::from_fn(|at| heap.deref(args[at + 1]));
    let [before, length, after] = numbers;
    let is_open = numbers.iter().all(|number| heap.is_var(*number));
    if !is_open || before == length || length == after || before == after {
        return Ok(None);
    }
    let Some(part) = ShortBytes::of(heap, args[4]) else { return Ok(None) };
    let Some(whole) = ShortBytes::of(heap, args[0]) else { return Ok(None) };
    let (whole, part) = (whole.bytes(), part.bytes());
    let (size, length) = (whole.len(), part.len());
    let candidates = (size + 1).saturating_sub(length);
    let begin = state.and_then(Term::as_small).unwrap_or(0) as usize;
    let find = |from: usize| (from..candidates).find(|at| whole[*at..].starts_with(part));
    let first = find(begin);
    let next = first.and_then(|first| find(first + 1));
    // As many steps as in the general way.
    let end = next.map_or(candidates, |next| next + 1);
    store.charge((size / 64 + length / 64 + end.div_ceil(16).saturating_sub(begin.div_ceil(16))) as u64)?;
    let found = match first {
        Some(first) => give_sub(store, args, (first as i64, length as i64), size as i64, |_| Ok(true))?,
        None => false,
    };
    Ok(Some(match next.map(|next| Term::small(next as i64)) {
        Some(next) if found => BuiltinResult::Again(next),
        Some(next) => BuiltinResult::Later(next),
        None if found => BuiltinResult::BoolResult,
        None => BuiltinResult::No,
    }))
}

/// The start and the length of each candidate in a text of `size` characters, given what is known of
/// the numbers before it, in it and after it. One number is unknown, or two: the place and the length.
struct Places {
    known: (Option<i64>, Option<i64>, Option<i64>),
    size: i64,
    /// The number of the next candidate; if no number is known, the length of the next candidate.
    next: i64,
    /// The start of the next candidate, if no number is known.
    before: i64,
}

impl Places {
    /// The candidates from the one with the number `from` on.
    fn new(known: (Option<i64>, Option<i64>, Option<i64>), size: i64, from: i64) -> Places {
        let mut places = Places { known, size, next: from, before: 0 };
        if let (None, None, None) = known {
            while places.before <= size && places.next > size - places.before {
                places.next -= size - places.before + 1;
                places.before += 1;
            }
        }
        places
    }
}

impl Iterator for Places {
    type Item = (i64, i64);

    fn next(&mut self) -> Option<(i64, i64)> {
        let (size, next) = (self.size, self.next);
        self.next += 1;
        let (most, place) = match self.known {
            (Some(before), Some(length), _) => (0, (before, length)),
            (Some(before), None, Some(after)) => (0, (before, size.saturating_sub(before).saturating_sub(after))),
            (None, Some(length), Some(after)) => (0, (size.saturating_sub(length).saturating_sub(after), length)),
            (Some(before), None, None) => (size.saturating_sub(before), (before, next)),
            (None, Some(length), None) => (size.saturating_sub(length), (next, length)),
            (None, None, Some(after)) => {
                let most = size.saturating_sub(after);
                (most, (next, most.saturating_sub(next)))
            }
            (None, None, None) => {
                let before = self.before;
                if next >= size - before {
                    (self.next, self.before) = (0, before + 1);
                }
                return (before <= size).then_some((before, next));
            }
        };
        (next <= most).then_some(place)
    }
}

fn give_sub(
    store: &mut Store,
    args: &[Term],
    (before, length): (i64, i64),
    size: i64,
    give: impl FnOnce(&mut Store) -> BoolResult,
) -> BoolResult {
    let numbers = [before, length, size - before - length];
    for (arg, number) in args[1..4].iter().zip(numbers) {
        if !store.unify(*arg, Term::small(number))? {
            return Ok(false);
        }
    }
    give(store)
}

pub(super) fn atomic_list_concat(store: &mut Store, args: &[Term]) -> BoolResult {
    let joined = join(store, args[0], "")?;
    match joined {
        Some(text) => put(store, args[1], &text),
        None => Err(Fault::instantiation(&mut store.heap)),
    }
}

fn join(store: &mut Store, list: Term, separator: &str) -> Result<Option<String>, Fault> {
    let (items, end) = store.heap.elements(list);
    store.charge(items.len() as u64 / 16)?;
    if end != NIL {
        return if store.heap.is_var(end) { Ok(None) } else { Err(Fault::type_error(&mut store.heap, "list", list)) };
    }
    let mut out = String::with_capacity(8 * items.len());
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push_str(separator);
        }
        if let Some(name) = store.heap.deref(item).as_atom() {
            name.with_name(|text| {
                store.charge(text.len() as u64 / 64)?;
                add(store, &mut out, text)
            })?;
            continue;
        }
        match text(store, item)? {
            Some(text) => add(store, &mut out, &text)?,
            None if store.heap.is_var(item) => return Ok(None),
            None => return Err(Fault::type_error(&mut store.heap, "atomic", item)),
        }
    }
    Ok(Some(out))
}

fn add(store: &mut Store, out: &mut String, text: &str) -> Result<(), Fault> {
    store.room((out.len() + text.len()) / 4)?;
    out.push_str(text);
    Ok(())
}

/// `atomic_list_concat(?List, +Separator, ?Atom)`. Splits `Atom` if `List` is not bound enough to join.
pub(super) fn atomic_list_concat3(store: &mut Store, args: &[Term]) -> BoolResult {
    let separator = need_text(store, args[1], "atomic")?;
    if let Some(joined) = join(store, args[0], &separator)? {
        return put(store, args[2], &joined);
    }
    if separator.is_empty() {
        return Err(Fault::domain_error(&mut store.heap, "non_empty_atom", args[1]));
    }
    let whole = need_text(store, args[2], "atomic")?;
    let parts: Vec<Term> =
        whole.split(&*separator).map(|part| store.atom(part).map(Term::atom)).collect::<Result<_, Fault>>()?;
    let list = store.heap.list(&parts, NIL);
    store.unify(args[0], list)
}

pub(super) fn term_to_atom(store: &mut Store, args: &[Term]) -> BoolResult {
    if store.heap.is_var(args[1]) && !store.heap.is_var(args[0]) {
        let text = written(store, args[0], true)?;
        return put(store, args[1], &text);
    }
    let text = need_text(store, args[1], "atom")?;
    match read_term(store, &text)? {
        Ok(Some(sentence)) => {
            store.room(sentence.tree.len() * 3)?;
            let term = build(&mut store.heap, &sentence.tree, sentence.root, &mut Vec::new());
            store.unify(args[0], term)
        }
        Ok(None) => Err(syntax_error(store, "end_of_file")),
        Err(message) => Err(syntax_error(store, &message)),
    }
}

/// The error for a term that is bound and no text, as in SWI-Prolog; none for a variable.
fn text_given(store: &mut Store, term: Term) -> Result<(), Fault> {
    if store.heap.is_var(term) {
        return Ok(());
    }
    let (items, end) = store.heap.elements(term);
    let (is_open, is_list) = (store.heap.is_var(end), end == NIL);
    if !is_open && !is_list {
        return Err(Fault::type_error(&mut store.heap, "text", term));
    }
    let is_letter = |item: &Term| match store.heap.view(*item) {
        TermView::Atom(name) => name.name().chars().count() == 1,
        _ => false,
    };
    let has_letters = items.first().is_some_and(&is_letter);
    let is_code =
        |item: &Term| matches!(store.heap.view(*item), TermView::Int(code) if (0..=0x10_ffff).contains(&code));
    let bad = items.iter().find(|item| !is_letter(item) && !is_code(item)).copied();
    match bad.filter(|bad| !store.heap.is_var(*bad)) {
        Some(bad) => {
            let expected = if has_letters { "character" } else { "character_code" };
            Err(Fault::type_error(&mut store.heap, expected, bad))
        }
        None => Err(Fault::instantiation(&mut store.heap)),
    }
}

/// `string_codes(?Text, ?Codes)`. Like `string_chars/2` and `atom_string/2`, it converts a text in
/// double quotes to or from another form.
pub(super) fn string_codes(store: &mut Store, args: &[Term]) -> BoolResult {
    if let Some(text) = any_text(store, args[0])? {
        let list = codes(store, &text)?;
        return store.unify(args[1], list);
    }
    text_given(store, args[0])?;
    let text = from_list(store, args[1])?;
    store.room(text.len() / 8 + 2)?;
    let made = store.heap.text(&text);
    store.unify(args[0], made)
}

pub(super) fn string_chars(store: &mut Store, args: &[Term]) -> BoolResult {
    if let Some(text) = any_text(store, args[0])? {
        let list = chars(store, &text)?;
        return store.unify(args[1], list);
    }
    text_given(store, args[0])?;
    let text = from_list(store, args[1])?;
    store.room(text.len() / 8 + 2)?;
    let made = store.heap.text(&text);
    store.unify(args[0], made)
}

pub(super) fn atom_string(store: &mut Store, args: &[Term]) -> BoolResult {
    if let Some(text) = text(store, args[0])? {
        store.room(text.len() / 8 + 2)?;
        let made = store.heap.text(&text);
        return store.unify(args[1], made);
    }
    let text = need_text(store, args[1], "text")?;
    put(store, args[0], &text)
}
