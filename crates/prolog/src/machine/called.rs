//! Goals that are terms, with the modules around them: `lists:member(X, L)`, `call(lists:last, L, X)`.
//!
//! In: a term, and the arguments that `call/N` adds to it. Out: the goal without its modules, the
//! module that counts (the innermost), and what the goal means there. All solvers call terms by it,
//! so that they agree.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_lang::lang::goal::qualified;
use alphorn_lang::lang::modules::Module;
use alphorn_lang::lang::program::{Callee, Program, USER};
use alphorn_text::symbol::{self, Atom, atoms};
use rustc_hash::FxHashMap;

/// What goals mean, by module, name and number of arguments.
pub type Callees = FxHashMap<(Option<Module>, Atom, usize), Option<Callee>>;

/// A goal without the modules around it.
pub struct Called {
    /// The goal.
    pub goal: Term,
    /// The arguments that are added to it.
    pub extra: Vec<Term>,
    /// The module that it is in, and its name, unless that sees what the user's files see.
    pub module: Option<(Module, Atom)>,
}

impl Called {
    /// Of a term that is called with further arguments.
    pub fn of(program: &Program, store: &mut Store, goal: Term, extra: Vec<Term>) -> Result<Called, Fault> {
        let mut called = Called { goal: store.heap.deref(goal), extra, module: None };
        while let Some((atoms::COLON, arity)) = store.heap.functor(called.goal) {
            let total = arity + called.extra.len();
            if total < 2 || program.has_own(USER, atoms::COLON, total) {
                break;
            }
            let mut args = store.heap.args(called.goal);
            args.append(&mut called.extra);
            let module = store.heap.deref(args[0]);
            called.module = match store.heap.view(module) {
                TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
                TermView::Atom(name) => program.module_called(name),
                _ => return Err(Fault::type_error(&mut store.heap, "module", module)),
            };
            called.goal = store.heap.deref(args[1]);
            called.extra = args.split_off(2);
            store.charge(1)?;
        }
        Ok(called)
    }

    /// The goal with its arguments, in its module: what is left to be converted where it is control.
    pub fn whole(&self, store: &mut Store, name: Atom, args: &[Term]) -> Term {
        let goal = store.heap.structure(name, args);
        match self.module {
            Some((_, module)) => store.heap.structure(atoms::COLON, &[Term::atom(module), goal]),
            None => goal,
        }
    }

    /// What the goal means, where `known` remembers what others meant; the goals among its arguments
    /// are in its module then.
    pub fn callee(
        &self,
        program: &Program,
        known: &mut Callees,
        store: &mut Store,
        name: Atom,
        args: &mut [Term],
    ) -> Option<Callee> {
        let module = self.module.map(|(module, _)| module);
        let find = || program.resolve_called(module, name, args.len());
        // A name that rules have made may be forgotten, and its number be another's.
        let callee = match symbol::is_young(name.number()) {
            true => find(),
            false => *known.entry((module, name, args.len())).or_insert_with(find),
        }?;
        self.hand_on(program, store, callee, args);
        Some(callee)
    }

    /// Says of which module the goals among the arguments are, which see what the goal sees.
    fn hand_on(&self, program: &Program, store: &mut Store, callee: Callee, args: &mut [Term]) {
        let Some((_, module)) = self.module else { return };
        let spec: &str = match callee {
            Callee::User(id) => &program.predicate(id).meta,
            Callee::Native(id) => program.known.row(id).meta,
            Callee::Unknown(..) => return,
        };
        for (kind, arg) in spec.chars().zip(args) {
            if kind == '^' || kind.is_ascii_digit() {
                *arg = store.heap.structure(atoms::COLON, &[Term::atom(module), *arg]);
            }
        }
    }

    /// The error of a goal that means nothing.
    pub fn unknown(&self, store: &mut Store, name: Atom, arity: usize) -> Fault {
        let name = match self.module {
            Some((Module::BuiltIn, module)) => store.heap.names.reading(|| qualified(module, name)),
            _ => name,
        };
        Fault::unknown_procedure(&mut store.heap, name, arity)
    }
}
