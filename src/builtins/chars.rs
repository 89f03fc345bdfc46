//! The classes of characters: `char_type/2` and `code_type/2`.
//!
//! In: a character or none, a class or none. Out: those that fit, classes in SWI-Prolog's order.

use crate::machine::Done;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::symbol::Atom;
use crate::term::Term;
use crate::term::heap::View;

/// What a class says of a character.
#[derive(Clone, Copy)]
enum Class {
    /// Whether it is in the class.
    Is(fn(char) -> bool),
    /// The character that stands in the argument of the class.
    Char(fn(char) -> Option<char>),
    /// The number that stands there.
    Number(fn(char) -> Option<i64>),
}

/// As SWI-Prolog enumerates them; it has `csymf` twice.
const CLASSES: &[(&str, Class)] = &[
    ("alnum", Class::Is(char::is_alphanumeric)),
    ("alpha", Class::Is(char::is_alphabetic)),
    ("csym", Class::Is(|c| c.is_alphanumeric() || c == '_')),
    ("csymf", Class::Is(|c| c.is_alphabetic() || c == '_')),
    ("prolog_var_start", Class::Is(|c| c.is_uppercase() || c == '_')),
    ("prolog_atom_start", Class::Is(|c| c.is_alphabetic() && !c.is_uppercase())),
    ("prolog_identifier_continue", Class::Is(|c| c.is_alphanumeric() || c == '_')),
    ("prolog_symbol", Class::Is(|c| "#$&*+-./:<=>?@\\^~".contains(c))),
    ("csymf", Class::Is(|c| c.is_alphabetic() || c == '_')),
    ("decimal", Class::Is(|c| decimal(c).is_some())),
    ("decimal", Class::Number(decimal)),
    ("ascii", Class::Is(|c| c.is_ascii())),
    ("white", Class::Is(|c| matches!(c, ' ' | '\t'))),
    ("cntrl", Class::Is(char::is_control)),
    ("digit", Class::Is(|c| c.is_ascii_digit())),
    ("print", Class::Is(|c| !c.is_control())),
    ("graph", Class::Is(is_graphic)),
    ("space", Class::Is(char::is_whitespace)),
    ("end_of_line", Class::Is(|c| ('\n'..='\r').contains(&c))),
    ("lower", Class::Is(char::is_lowercase)),
    ("upper", Class::Is(char::is_uppercase)),
    ("punct", Class::Is(|c| is_graphic(c) && !c.is_alphanumeric())),
    ("newline", Class::Is(|c| c == '\n')),
    ("period", Class::Is(|c| matches!(c, '.' | '!' | '?'))),
    ("quote", Class::Is(|c| matches!(c, '\'' | '"' | '`'))),
    ("lower", Class::Char(|c| c.is_lowercase().then(|| upper(c)))),
    ("upper", Class::Char(|c| c.is_uppercase().then(|| lower(c)))),
    // The names are those of the direction from the argument to the character.
    ("to_lower", Class::Char(|c| Some(upper(c)))),
    ("to_upper", Class::Char(|c| Some(lower(c)))),
    ("paren", Class::Char(closing)),
    ("digit", Class::Number(|c| c.is_ascii_digit().then(|| i64::from(c as u32 - '0' as u32)))),
    ("xdigit", Class::Number(|c| c.to_digit(16).map(i64::from))),
];

fn is_graphic(c: char) -> bool {
    !c.is_control() && !c.is_whitespace()
}

fn decimal(c: char) -> Option<i64> {
    c.to_digit(10).map(i64::from)
}

fn closing(c: char) -> Option<char> {
    match c {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    }
}

/// In capital letters, where that is one character.
fn upper(c: char) -> char {
    let mut letters = c.to_uppercase();
    letters.next().filter(|_| letters.next().is_none()).unwrap_or(c)
}

fn lower(c: char) -> char {
    let mut letters = c.to_lowercase();
    letters.next().filter(|_| letters.next().is_none()).unwrap_or(c)
}

pub(super) fn char_type(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<Done, Fault> {
    typed(store, args, state, false)
}

pub(super) fn code_type(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<Done, Fault> {
    typed(store, args, state, true)
}

/// A character as an atom, or as its code.
fn shown(c: char, codes: bool) -> Term {
    if codes { Term::small(i64::from(u32::from(c))) } else { Term::atom(Atom::of_char(c)) }
}

fn character(store: &mut Store, term: Term) -> Result<Option<char>, Fault> {
    let found = match store.heap.view(term) {
        View::Atom(name) => {
            let mut chars = name.text().chars();
            chars.next().filter(|_| chars.next().is_none())
        }
        View::Int(code) => {
            let found = u32::try_from(code).ok().and_then(char::from_u32);
            if found.is_none() {
                return Ok(None);
            }
            found
        }
        _ => None,
    };
    match found {
        Some(_) => Ok(found),
        None => Err(Fault::type_error(&mut store.heap, "character", term)),
    }
}

fn typed(store: &mut Store, args: &[Term], state: Option<Term>, codes: bool) -> Result<Done, Fault> {
    let (what, class) = (store.heap.deref(args[0]), store.heap.deref(args[1]));
    let from = state.and_then(Term::as_small).unwrap_or(0) as usize;
    match (store.heap.is_var(what), store.heap.is_var(class)) {
        (true, true) => Err(Fault::instantiation(&mut store.heap)),
        (false, true) => {
            let Some(c) = character(store, what)? else { return end_of_file(store, class) };
            let mut fit = (from..CLASSES.len()).filter(|number| value(c, CLASSES[*number].1, codes).is_some());
            let found = fit.next();
            answer(found, fit.next(), |number| {
                let (name, kind) = CLASSES[number];
                let name = Atom::new(name);
                let term = match value(c, kind, codes).expect("only what fits is answered") {
                    Term::NONE => Term::atom(name),
                    value => store.heap.structure(name, &[value]),
                };
                store.unify(class, term)
            })
        }
        (false, false) => {
            let (kind, arg) = named(store, class)?;
            let Some(c) = character(store, what)? else { return Ok(Done::No) };
            let found = match (value(c, kind, codes), arg) {
                (Some(value), Some(arg)) => store.unify(arg, value)?,
                (found, _) => found.is_some(),
            };
            Ok(if found { Done::Yes } else { Done::No })
        }
        (true, false) => {
            let (kind, arg) = named(store, class)?;
            enumerated(store, (what, kind, arg), from, codes)
        }
    }
}

/// The answers of a state: those of this number, and whether there are more.
fn answer(
    found: Option<usize>,
    next: Option<usize>,
    give: impl FnOnce(usize) -> Result<bool, Fault>,
) -> Result<Done, Fault> {
    let Some(number) = found else { return Ok(Done::No) };
    let next = next.map(|number| Term::small(number as i64));
    Ok(match (give(number)?, next) {
        (true, Some(next)) => Done::Again(next),
        (false, Some(next)) => Done::Later(next),
        (true, None) => Done::Yes,
        (false, None) => Done::No,
    })
}

/// The code -1 is of one class.
fn end_of_file(store: &mut Store, class: Term) -> Result<Done, Fault> {
    let found = store.unify(class, Term::atom(Atom::new("end_of_file")))?;
    Ok(if found { Done::Yes } else { Done::No })
}

/// What a class says of a character: [`Term::NONE`] where it says no more than yes.
fn value(c: char, kind: Class, codes: bool) -> Option<Term> {
    match kind {
        Class::Is(is) => is(c).then_some(Term::NONE),
        Class::Char(of) => of(c).map(|other| shown(other, codes)),
        Class::Number(of) => of(c).map(Term::small),
    }
}

/// The class that a term names, and its argument.
fn named(store: &mut Store, class: Term) -> Result<(Class, Option<Term>), Fault> {
    let (name, arg) = match store.heap.view(class) {
        View::Atom(name) => (name, None),
        View::Compound(name, [arg]) => (name, Some(Term(*arg))),
        _ => return Err(Fault::type_error(&mut store.heap, "char_type", class)),
    };
    let fits = |kind: &Class| matches!(kind, Class::Is(_)) == arg.is_none();
    let mut all = CLASSES.iter().filter(|(other, kind)| *other == name.text() && fits(kind));
    match all.next() {
        Some((_, kind)) => Ok((*kind, arg)),
        None if name.text() == "end_of_file" && arg.is_none() => Ok((Class::Is(|_| false), None)),
        None => Err(Fault::type_error(&mut store.heap, "char_type", class)),
    }
}

/// The characters of a class, in the order of their codes.
fn enumerated(
    store: &mut Store,
    (what, kind, arg): (Term, Class, Option<Term>),
    from: usize,
    codes: bool,
) -> Result<Done, Fault> {
    let wanted = arg.map(|arg| store.heap.deref(arg)).filter(|arg| !store.heap.is_var(*arg));
    let mut fit = (from as u32..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|c| {
        let found = value(*c, kind, codes);
        found.is_some_and(|value| wanted.is_none_or(|wanted| wanted == value))
    });
    let found = fit.next();
    let next = fit.next();
    store.charge(next.map_or(1 << 12, |next| (next as usize - from) as u64 / 64))?;
    answer(found.map(|c| c as usize), next.map(|c| c as usize), |code| {
        let c = char::from_u32(code as u32).expect("it was one");
        let given = value(c, kind, codes).expect("only what fits is answered");
        Ok(store.unify(what, shown(c, codes))? && arg.map_or(Ok(true), |arg| store.unify(arg, given))?)
    })
}
