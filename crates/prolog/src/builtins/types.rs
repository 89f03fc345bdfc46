//! Type checks of terms: `must_be/2`.
//!
//! The types are those of SWI-Prolog's `library(error)`. The errors are those of ISO.

use crate::machine::BoolResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::{Heap, TermView};
use alphorn_text::symbol::{Atom, atoms};

/// The greatest nesting of the types of must_be/2, as in list(list(integer)).
const TYPE_DEPTH: u32 = 100;

/// `must_be(+Type, @Term)`, as in SWI-Prolog's library(error).
pub(super) fn must_be(store: &mut Store, args: &[Term]) -> BoolResult {
    is_typed(store, (args[0], args[1]), TYPE_DEPTH)
}

/// Returns an error if a term is not of the type `of`.
fn is_typed(store: &mut Store, (of, term): (Term, Term), depth: u32) -> BoolResult {
    let whole = of;
    let Some((name, arity)) = store.heap.functor(of) else {
        return Err(Fault::instantiation(&mut store.heap));
    };
    let inner: Vec<Term> = (0..arity).map(|at| store.heap.arg(of, at)).collect();
    let name = name.name();
    match (&*name, inner.as_slice()) {
        (_, []) => is_of_plain_type(store, of, term),
        ("list", [of]) if depth > 0 => {
            let (items, end) = store.heap.elements(term);
            store.charge(items.len() as u64 / 16)?;
            if store.heap.is_var(end) {
                return Err(Fault::instantiation(&mut store.heap));
            }
            if end != Term::atom(atoms::NIL) {
                return Err(Fault::of(&mut store.heap, "type_error", &[whole, term]));
            }
            for item in items {
                store.charge(1)?;
                is_typed(store, (*of, item), depth - 1)?;
            }
            Ok(true)
        }
        ("between", [low, high]) => {
            let (low, high, term) = (store.heap.deref(*low), store.heap.deref(*high), store.heap.deref(term));
            let is_whole = |term: Term| matches!(store.heap.view(term), TermView::Int(_) | TermView::Big(..));
            let is_number = |term: Term| is_whole(term) || matches!(store.heap.view(term), TermView::Float(_));
            let fits = is_number(term) && (is_whole(term) || !is_whole(low) || !is_whole(high));
            if [low, high, term].into_iter().any(|term| store.heap.is_var(term)) {
                return Err(Fault::instantiation(&mut store.heap));
            }
            let inside = fits && store.compare(low, term)?.is_le() && store.compare(term, high)?.is_le();
            if inside { Ok(true) } else { Err(Fault::of(&mut store.heap, "type_error", &[of, term])) }
        }
        ("oneof", [among]) => {
            if store.heap.is_var(term) {
                return Err(Fault::instantiation(&mut store.heap));
            }
            let (items, _) = store.heap.elements(*among);
            for item in items {
                store.charge(1)?;
                if store.is_same(item, term)? {
                    return Ok(true);
                }
            }
            Err(Fault::of(&mut store.heap, "type_error", &[of, term]))
        }
        _ => Err(Fault::unknown_type(&mut store.heap, of)),
    }
}

fn is_of_plain_type(store: &mut Store, of: Term, term: Term) -> BoolResult {
    let Some((name, _)) = store.heap.functor(of) else {
        return Err(Fault::instantiation(&mut store.heap));
    };
    let term = store.heap.deref(term);
    let name = name.name();
    let ok = match (&*name, store.heap.view(term)) {
        ("var", TermView::Var(_)) | ("any" | "nonvar", _) => true,
        ("list" | "proper_list", _) => {
            let (items, end) = store.heap.elements(term);
            store.charge(items.len() as u64 / 16)?;
            if store.heap.is_var(end) && (&*name == "list" || store.heap.is_var(term)) {
                return Err(Fault::instantiation(&mut store.heap));
            }
            end == Term::atom(atoms::NIL)
        }
        ("list_or_partial", _) => {
            let (items, end) = store.heap.elements(term);
            store.charge(items.len() as u64 / 16)?;
            end == Term::atom(atoms::NIL) || store.heap.is_var(end)
        }
        (_, TermView::Var(_)) => return Err(Fault::instantiation(&mut store.heap)),
        ("integer", TermView::Int(_) | TermView::Big(..)) => true,
        ("nonneg", TermView::Int(0..) | TermView::Big(false, _)) => true,
        ("positive_integer", TermView::Int(1..) | TermView::Big(false, _)) => true,
        ("nonneg", TermView::Int(_) | TermView::Big(..)) => {
            return Err(Fault::type_error(&mut store.heap, "nonneg", term));
        }
        ("positive_integer", TermView::Int(_) | TermView::Big(..)) => {
            return Err(Fault::type_error(&mut store.heap, "not_less_than_one", term));
        }
        ("nonneg" | "positive_integer", _) => return Err(Fault::type_error(&mut store.heap, "integer", term)),
        ("atom" | "symbol", TermView::Atom(_)) => true,
        ("atomic", TermView::Compound(..)) => false,
        ("atomic", _) => true,
        ("number", TermView::Int(_) | TermView::Big(..) | TermView::Float(_)) => true,
        ("float", TermView::Float(_)) => true,
        ("callable", TermView::Atom(_) | TermView::Compound(..)) => true,
        ("compound", TermView::Compound(..)) => true,
        ("boolean" | "bool", TermView::Atom(name)) => matches!(&*name.name(), "true" | "false"),
        (
            "integer" | "atom" | "symbol" | "number" | "float" | "callable" | "compound" | "boolean" | "bool" | "var",
            _,
        ) => false,
        _ => return Err(Fault::unknown_type(&mut store.heap, of)),
    };
    let expected = if &*name == "list_or_partial" { "list" } else { &*name };
    if ok { Ok(true) } else { Err(Fault::type_error(&mut store.heap, expected, term)) }
}

impl Fault {
    /// Makes the error for an unknown type.
    fn unknown_type(heap: &mut Heap, name: Term) -> Fault {
        Fault::of(heap, "existence_error", &[Term::atom(Atom::new("type")), name])
    }
}
