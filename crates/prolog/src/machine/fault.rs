//! Run-time errors of goals.
//!
//! A [`Fault`] is an ordinary value: an error term that `catch/3` may catch, or a limit that it may
//! not catch.

use crate::term::Term;
use crate::term::cycle::is_cyclic;
use crate::term::heap::Heap;
use crate::term::pack::{Packed, pack};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// The reason of a fault.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A thrown term: an ISO error term or a term of the author.
    Thrown(Packed),
    /// The goal used all allowed steps.
    Steps(u64),
    /// One operation, such as a product of large integers, would take more than these steps. No budget
    /// allows more.
    LongOperation(u64),
    /// The goal used all allowed bytes.
    Memory(u64),
    /// A cyclic term was to be kept or printed.
    Cyclic,
    /// The goal was interrupted.
    Stopped,
}

/// A failure of a goal at run time, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The reason.
    pub cause: Cause,
    /// The place, as far as it is known.
    pub place: Option<Box<FaultPlace>>,
}

/// The goal that raised a fault, and its callers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultPlace {
    /// The text of the goal, shortened to a line.
    pub goal: String,
    /// The place of the goal in a source text.
    pub span: Option<Span>,
    /// The predicate whose clause contains the goal, as `name/arity`.
    pub rule: Option<String>,
    /// The predicates that called the goal, the innermost first.
    pub callers: Vec<String>,
    /// The calls in the user's texts, with the predicates of their clauses. Only a solver that keeps
    /// its frames fills this list.
    pub sites: Vec<(Span, String)>,
}

/// Greatest size of a kept error term, in words.
const LARGEST_BALL: usize = 1 << 20;

impl From<Cause> for Fault {
    fn from(cause: Cause) -> Fault {
        Fault { cause, place: None }
    }
}

impl Fault {
    /// The fault for a thrown term.
    pub fn thrown(heap: &Heap, ball: Term) -> Fault {
        match pack(heap, ball, LARGEST_BALL) {
            Some(ball) => Cause::Thrown(ball).into(),
            None if is_cyclic(heap, ball) => Cause::Cyclic.into(),
            None => Cause::Memory(8 * LARGEST_BALL as u64).into(),
        }
    }

    /// The fault `error(Formal, _)`.
    pub fn error(heap: &mut Heap, formal: Term) -> Fault {
        let context = heap.variable();
        let ball = heap.structure(Atom::new("error"), &[formal, context]);
        Fault::thrown(heap, ball)
    }

    /// The fault `error(name(args...), _)`.
    pub fn of(heap: &mut Heap, name: &str, args: &[Term]) -> Fault {
        let formal = heap.structure(Atom::new(name), args);
        Fault::error(heap, formal)
    }

    /// The fault for an unbound argument.
    pub fn instantiation(heap: &mut Heap) -> Fault {
        Fault::of(heap, "instantiation_error", &[])
    }

    /// The fault for an argument of the wrong type.
    pub fn type_error(heap: &mut Heap, expected: &str, culprit: Term) -> Fault {
        Fault::of(heap, "type_error", &[Term::atom(Atom::new(expected)), culprit])
    }

    /// The fault for an argument of the right type with a wrong value.
    pub fn domain_error(heap: &mut Heap, expected: &str, culprit: Term) -> Fault {
        Fault::of(heap, "domain_error", &[Term::atom(Atom::new(expected)), culprit])
    }

    /// The fault for arithmetic without a result.
    pub fn evaluation(heap: &mut Heap, what: &str) -> Fault {
        Fault::of(heap, "evaluation_error", &[Term::atom(Atom::new(what))])
    }

    /// The term `name/arity` for an error.
    pub fn indicator(heap: &mut Heap, name: Atom, arity: usize) -> Term {
        heap.structure(alphorn_text::symbol::atoms::SLASH, &[Term::atom(name), Term::small(arity as i64)])
    }

    /// The fault for a call of a predicate that does not exist.
    pub fn unknown_procedure(heap: &mut Heap, name: Atom, arity: usize) -> Fault {
        let indicator = Fault::indicator(heap, name, arity);
        Fault::of(heap, "existence_error", &[Term::atom(Atom::new("procedure")), indicator])
    }
}
