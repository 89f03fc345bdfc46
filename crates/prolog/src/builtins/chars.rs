//! Character classes: `char_type/2` and `code_type/2`.
//!
//! The character and the class may each be unbound, but not both. Classes come in SWI-Prolog's order.

use crate::machine::BuiltinResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_text::symbol::Atom;

/// How a class relates to a character.
#[derive(Clone, Copy)]
enum CharClass {
    /// A test whether the character is in the class.
    Is(fn(char) -> bool),
    /// A class whose argument is another character.
    Char(fn(char) -> Option<char>),
    /// A class whose argument is a number.
    Number(fn(char) -> Option<i64>),
}

/// The classes in the order of SWI-Prolog, which has `csymf` twice.
const CLASSES: &[(&str, CharClass)] = &[
    ("alnum", CharClass::Is(char::is_alphanumeric)),
    ("alpha", CharClass::Is(char::is_alphabetic)),
    ("csym", CharClass::Is(|c| c.is_alphanumeric() || c == '_')),
    ("csymf", CharClass::Is(|c| c.is_alphabetic() || c == '_')),
    ("prolog_var_start", CharClass::Is(|c| c.is_uppercase() || c == '_')),
    ("prolog_atom_start", CharClass::Is(|c| c.is_alphabetic() && !c.is_uppercase())),
    ("prolog_identifier_continue", CharClass::Is(|c| c.is_alphanumeric() || c == '_')),
    ("prolog_symbol", CharClass::Is(|c| "#$&*+-./:<=>?@\\^~".contains(c))),
    ("csymf", CharClass::Is(|c| c.is_alphabetic() || c == '_')),
    ("decimal", CharClass::Is(|c| decimal(c).is_some())),
    ("decimal", CharClass::Number(decimal)),
    ("ascii", CharClass::Is(|c| c.is_ascii())),
    ("white", CharClass::Is(|c| matches!(c, ' ' | '\t'))),
    ("cntrl", CharClass::Is(char::is_control)),
    ("digit", CharClass::Is(|c| c.is_ascii_digit())),
    ("print", CharClass::Is(|c| !c.is_control())),
    ("graph", CharClass::Is(is_graphic)),
    ("space", CharClass::Is(char::is_whitespace)),
    ("end_of_line", CharClass::Is(|c| ('\n'..='\r').contains(&c))),
    ("lower", CharClass::Is(char::is_lowercase)),
    ("upper", CharClass::Is(char::is_uppercase)),
    ("punct", CharClass::Is(|c| is_graphic(c) && !c.is_alphanumeric())),
    ("newline", CharClass::Is(|c| c == '\n')),
    ("period", CharClass::Is(|c| matches!(c, '.' | '!' | '?'))),
    ("quote", CharClass::Is(|c| matches!(c, '\'' | '"' | '`'))),
    ("lower", CharClass::Char(|c| c.is_lowercase().then(|| upper(c)))),
    ("upper", CharClass::Char(|c| c.is_uppercase().then(|| lower(c)))),
    // As in SWI-Prolog, the names give the direction from the argument to the character.
    ("to_lower", CharClass::Char(|c| Some(upper(c)))),
    ("to_upper", CharClass::Char(|c| Some(lower(c)))),
    ("paren", CharClass::Char(closing)),
    ("digit", CharClass::Number(|c| c.is_ascii_digit().then(|| i64::from(c as u32 - '0' as u32)))),
    ("xdigit", CharClass::Number(|c| c.to_digit(16).map(i64::from))),
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

/// Returns the upper-case letter if it is one character, else the character itself.
pub(super) fn upper(c: char) -> char {
    let mut letters = c.to_uppercase();
    letters.next().filter(|_| letters.next().is_none()).unwrap_or(c)
}

/// Returns the lower-case letter. A combining accent is dropped, as in other systems.
pub(super) fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

pub(super) fn char_type(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    typed(store, args, state, false)
}

pub(super) fn code_type(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    typed(store, args, state, true)
}

/// The argument of a class for a character in the class.
#[derive(Clone, Copy, PartialEq)]
enum ClassArgument {
    /// The class has no argument.
    BoolResult,
    /// The argument is a character.
    Char(char),
    /// The argument is a number.
    Number(i64),
}

fn value(c: char, kind: CharClass) -> Option<ClassArgument> {
    match kind {
        CharClass::Is(is) => is(c).then_some(ClassArgument::BoolResult),
        CharClass::Char(of) => of(c).map(ClassArgument::Char),
        CharClass::Number(of) => of(c).map(ClassArgument::Number),
    }
}

/// Makes the term of a character: an atom or a code.
fn shown(store: &mut Store, c: char, codes: bool) -> Result<Term, Fault> {
    match codes {
        true => Ok(Term::small(i64::from(u32::from(c)))),
        false => store.atom(c.encode_utf8(&mut [0; 4])).map(Term::atom),
    }
}

/// Makes the argument term of a class. Returns `None` if the class has no argument.
fn argument(store: &mut Store, value: ClassArgument, codes: bool) -> Result<Option<Term>, Fault> {
    match value {
        ClassArgument::BoolResult => Ok(None),
        ClassArgument::Char(c) => shown(store, c, codes).map(Some),
        ClassArgument::Number(number) => Ok(Some(Term::small(number))),
    }
}

/// Returns the character of a one-character atom or of a code.
fn plain(store: &Store, term: Term) -> Option<char> {
    match store.heap.view(term) {
        TermView::Atom(name) => {
            let name = name.name();
            let mut chars = name.chars();
            chars.next().filter(|_| chars.next().is_none())
        }
        TermView::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
        _ => None,
    }
}

/// Returns the character of a term. Returns `None` for an integer that is not a character code.
fn character(store: &mut Store, term: Term) -> Result<Option<char>, Fault> {
    match plain(store, term) {
        None if !matches!(store.heap.view(term), TermView::Int(_)) => {
            Err(Fault::type_error(&mut store.heap, "character", term))
        }
        found => Ok(found),
    }
}

fn typed(store: &mut Store, args: &[Term], state: Option<Term>, codes: bool) -> Result<BuiltinResult, Fault> {
    let (what, class) = (store.heap.deref(args[0]), store.heap.deref(args[1]));
    let from = state.and_then(Term::as_small).unwrap_or(0) as usize;
    match (store.heap.is_var(what), store.heap.is_var(class)) {
        (true, true) => Err(Fault::instantiation(&mut store.heap)),
        (false, true) => classes(store, (what, class), from, codes),
        (false, false) => {
            let (kind, arg) = named(store, class)?;
            let Some(c) = character(store, what)? else { return Ok(BuiltinResult::No) };
            let Some(value) = value(c, kind) else { return Ok(BuiltinResult::No) };
            let found = match (argument(store, value, codes)?, arg) {
                (Some(value), Some(arg)) => store.unify(arg, value)?,
                _ => true,
            };
            Ok(if found { BuiltinResult::BoolResult } else { BuiltinResult::No })
        }
        (true, false) => {
            let class = named(store, class)?;
            enumerated(store, what, class, from, codes)
        }
    }
}

/// Makes the result of an enumeration. `next` is where to continue, if there is more.
fn answer(found: bool, next: Option<usize>) -> BuiltinResult {
    let next = next.map(|number| Term::small(number as i64));
    match (found, next) {
        (true, Some(next)) => BuiltinResult::Again(next),
        (false, Some(next)) => BuiltinResult::Later(next),
        (true, None) => BuiltinResult::BoolResult,
        (false, None) => BuiltinResult::No,
    }
}

/// Enumerates the classes of a character. The code -1 has a class of its own.
fn classes(store: &mut Store, (what, class): (Term, Term), from: usize, codes: bool) -> Result<BuiltinResult, Fault> {
    let Some(c) = character(store, what)? else {
        let end = Term::atom(Atom::new("end_of_file"));
        return Ok(answer(store.heap.deref(what) == Term::small(-1) && store.unify(class, end)?, None));
    };
    let mut fit = (from..CLASSES.len()).filter(|number| value(c, CLASSES[*number].1).is_some());
    let (Some(number), next) = (fit.next(), fit.next()) else { return Ok(BuiltinResult::No) };
    let (name, kind) = CLASSES[number];
    let value = value(c, kind).expect("only what fits is answered");
    let name = Atom::new(name);
    let term = match argument(store, value, codes)? {
        None => Term::atom(name),
        Some(arg) => store.heap.structure(name, &[arg]),
    };
    Ok(answer(store.unify(class, term)?, next))
}

/// Returns the class that a term names, and the argument of the term.
fn named(store: &mut Store, class: Term) -> Result<(CharClass, Option<Term>), Fault> {
    let (name, arg) = match store.heap.view(class) {
        TermView::Atom(name) => (name.name(), None),
        TermView::Compound(name, [arg]) => (name.name(), Some(Term(*arg))),
        _ => return Err(Fault::type_error(&mut store.heap, "char_type", class)),
    };
    let fits = |kind: &CharClass| matches!(kind, CharClass::Is(_)) == arg.is_none();
    let mut all = CLASSES.iter().filter(|(other, kind)| *other == &*name && fits(kind));
    match all.next() {
        Some((_, kind)) => Ok((*kind, arg)),
        None if &*name == "end_of_file" && arg.is_none() => Ok((CharClass::Is(|_| false), None)),
        None => Err(Fault::type_error(&mut store.heap, "char_type", class)),
    }
}

/// Enumerates the characters of a class in the order of their codes.
fn enumerated(
    store: &mut Store,
    what: Term,
    (kind, arg): (CharClass, Option<Term>),
    from: usize,
    codes: bool,
) -> Result<BuiltinResult, Fault> {
    let given = arg.map(|arg| store.heap.deref(arg)).filter(|arg| !store.heap.is_var(*arg));
    let wanted = given.map(|given| match kind {
        CharClass::Number(_) => given.as_small().map(ClassArgument::Number),
        _ => plain(store, given).map(ClassArgument::Char),
    });
    let mut fit = (from as u32..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|c| {
        let found = value(*c, kind);
        found.is_some() && wanted.is_none_or(|wanted| wanted == found)
    });
    let (found, next) = (fit.next(), fit.next());
    let seen = next.map_or(char::MAX as usize, |next| next as usize).saturating_sub(from);
    store.charge(seen as u64 / 256 + 1)?;
    let Some(c) = found else { return Ok(BuiltinResult::No) };
    let term = shown(store, c, codes)?;
    let mut fits = store.unify(what, term)?;
    if let (Some(arg), Some(value)) = (arg, value(c, kind))
        && let Some(value) = argument(store, value, codes)?
    {
        fits = fits && store.unify(arg, value)?;
    }
    Ok(answer(fits, next.map(|next| next as usize)))
}
