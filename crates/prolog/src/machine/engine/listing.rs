//! Prints the compiled code of a program for its author.
//!
//! The input is a program and the modes of the calls of its predicates. The result is the
//! intermediate form as text, and what in it could not be specialised.

use crate::machine::BuiltinCode;
use crate::machine::compile::{Constants, Library};
use crate::machine::ir::show::{calling_pattern, procedure};
use crate::machine::ir::{Mode, Op};
use crate::term::heap::Heap;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::source::Span;
use std::sync::Arc;

/// A goal or head that could not be specialised.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecialisationNote {
    /// The span of the goal or head.
    pub span: Span,
    /// The predicate of the clause.
    pub pred: PredId,
    /// The modes of the predicate in this version, such as `+, -`.
    pub modes: String,
    /// The reason.
    pub why: &'static str,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The text of each procedure, with its predicate.
    pub procedures: Vec<(PredId, String)>,
    /// The parts that could not be specialised, each once, in the order of the code.
    pub notes: Vec<SpecialisationNote>,
    /// Whether the program is too large for the intermediate form. The reference solver then runs it.
    pub too_large: bool,
}

/// Compiles the predicates in `asked`. Each has a flag for every argument: given (`true`) or output.
/// Predicates in `besides` that nothing else calls are compiled for arguments of any kind.
pub fn listing(
    program: &Arc<Program>,
    runs: &Arc<[BuiltinCode]>,
    asked: &[(PredId, Vec<bool>)],
    besides: &[PredId],
) -> Listing {
    let mut library = Library::new(program.clone(), runs.clone());
    library.internal(&[Op::Fail]);
    let mut heap = Heap::default();
    let mut found = Listing::default();
    for (pred, given) in asked {
        let modes: Vec<Mode> = given.iter().map(|given| if *given { Mode::Solid } else { Mode::Out }).collect();
        found.too_large |= library.version(*pred, &modes, Constants::Heap(&mut heap)).is_err();
    }
    for pred in besides {
        if !library.unit.procs.iter().any(|proc| proc.pred == Some(*pred)) {
            let modes = vec![Mode::Any; program.predicate(*pred).key.arity];
            found.too_large |= library.version(*pred, &modes, Constants::Heap(&mut heap)).is_err();
        }
    }
    for proc in &library.unit.procs {
        let Some(pred) = proc.pred else { continue };
        found.procedures.push((pred, procedure(&library.unit, program, proc)));
        let modes = calling_pattern(proc);
        for (span, why) in &proc.notes {
            let note = SpecialisationNote { span: *span, pred, modes: modes.clone(), why };
            if !found.notes.contains(&note) {
                found.notes.push(note);
            }
        }
    }
    found
}
