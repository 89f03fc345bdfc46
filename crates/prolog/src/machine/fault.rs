//! Goals that go wrong at run time.
//!
//! In: what a solver or builtin met. Out: a [`Fault`], a value like any other:
//! an error term that `catch/3` may take, or a limit that it may not.

use crate::term::Term;
use crate::term::cycle::is_cyclic;
use crate::term::heap::Heap;
use crate::term::pack::{Packed, pack};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// Why a goal could not be carried on.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// Something was thrown: an ISO error term or the author's own.
    Thrown(Packed),
    /// The steps allowed are spent.
    Steps(u64),
    /// The bytes allowed are spent.
    Memory(u64),
    /// A term that contains itself is to be kept or shown.
    Cyclic,
    /// Somebody asked to stop.
    Stopped,
}

/// A goal that went wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Why.
    pub cause: Cause,
    /// Where, as far as it is known.
    pub place: Option<Box<FaultPlace>>,
}

/// The goal that went wrong and who called it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultPlace {
    /// The goal, shortened to a line.
    pub goal: String,
    /// Its place in a text.
    pub span: Option<Span>,
    /// The predicate in whose clause it stands, as `name/arity`.
    pub rule: Option<String>,
    /// The predicates that were waiting for it, the innermost first.
    pub callers: Vec<String>,
    /// Where those calls stand in the user's texts, and in whose clauses; only a solver that keeps
    /// its frames knows.
    pub sites: Vec<(Span, String)>,
}

/// How much of an error term is kept, in words.
const LARGEST_BALL: usize = 1 << 20;

impl From<Cause> for Fault {
    fn from(cause: Cause) -> Fault {
        Fault { cause, place: None }
    }
}

impl Fault {
    /// A ball that was thrown.
    pub fn thrown(heap: &Heap, ball: Term) -> Fault {
        match pack(heap, ball, LARGEST_BALL) {
            Some(ball) => Cause::Thrown(ball).into(),
            None if is_cyclic(heap, ball) => Cause::Cyclic.into(),
            None => Cause::Memory(8 * LARGEST_BALL as u64).into(),
        }
    }

    /// `error(Formal, _)`.
    pub fn error(heap: &mut Heap, formal: Term) -> Fault {
        let context = heap.variable();
        let ball = heap.structure(Atom::new("error"), &[formal, context]);
        Fault::thrown(heap, ball)
    }

    /// `error(name(args...), _)`.
    pub fn of(heap: &mut Heap, name: &str, args: &[Term]) -> Fault {
        let formal = heap.structure(Atom::new(name), args);
        Fault::error(heap, formal)
    }

    /// An argument is unbound.
    pub fn instantiation(heap: &mut Heap) -> Fault {
        Fault::of(heap, "instantiation_error", &[])
    }

    /// An argument is of the wrong type.
    pub fn type_error(heap: &mut Heap, expected: &str, culprit: Term) -> Fault {
        Fault::of(heap, "type_error", &[Term::atom(Atom::new(expected)), culprit])
    }

    /// An argument is of the right type but the wrong value.
    pub fn domain_error(heap: &mut Heap, expected: &str, culprit: Term) -> Fault {
        Fault::of(heap, "domain_error", &[Term::atom(Atom::new(expected)), culprit])
    }

    /// Arithmetic has no result.
    pub fn evaluation(heap: &mut Heap, what: &str) -> Fault {
        Fault::of(heap, "evaluation_error", &[Term::atom(Atom::new(what))])
    }

    /// What is described as `name/arity` in errors.
    pub fn indicator(heap: &mut Heap, name: Atom, arity: usize) -> Term {
        heap.structure(alphorn_text::symbol::atoms::SLASH, &[Term::atom(name), Term::small(arity as i64)])
    }

    /// A predicate that does not exist was called.
    pub fn unknown_procedure(heap: &mut Heap, name: Atom, arity: usize) -> Fault {
        let indicator = Fault::indicator(heap, name, arity);
        Fault::of(heap, "existence_error", &[Term::atom(Atom::new("procedure")), indicator])
    }
}
