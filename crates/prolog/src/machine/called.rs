//! Finds what a goal term calls, such as `lists:member(X, L)` or `call(lists:last, L, X)`.
//!
//! The input is a term, and the arguments that `call/N` adds to it. The result is the goal without
//! modules, the innermost module, and the predicate that the goal calls there. All solvers use this
//! code for term goals, so that they agree.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_lang::lang::goal::qualified;
use alphorn_lang::lang::modules::Module;
use alphorn_lang::lang::program::{Callee, PRELUDE, Program, USER, added_arguments};
use alphorn_text::symbol::{self, Atom, atoms};
use rustc_hash::FxHashMap;

/// The predicates that goals call, by module, name and arity.
pub type Callees = FxHashMap<(Option<Module>, Atom, usize), Option<Callee>>;

/// A goal without its modules.
pub struct CalledGoal {
    /// The goal.
    pub goal: Term,
    /// The arguments that `call/N` adds to the goal.
    pub extra: Vec<Term>,
    /// The innermost module and its name; `None` if it sees what the user's files see.
    pub module: Option<(Module, Atom)>,
}

impl CalledGoal {
    /// Strips the modules of a term that is called with further arguments.
    #[inline]
    pub fn of(program: &Program, store: &mut Store, goal: Term, extra: Vec<Term>) -> Result<CalledGoal, Fault> {
        let called = CalledGoal { goal: store.heap.deref(goal), extra, module: None };
        match store.heap.functor(called.goal) {
            Some((atoms::COLON, _)) => called.without_modules(program, store),
            _ => Ok(called),
        }
    }

    fn without_modules(self, program: &Program, store: &mut Store) -> Result<CalledGoal, Fault> {
        let mut called = self;
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

    /// The goal with its arguments, in its module. A control construct is converted as this term.
    pub fn whole(&self, store: &mut Store, name: Atom, args: &[Term]) -> Term {
        let goal = store.heap.structure(name, args);
        match self.module {
            Some((_, module)) => store.heap.structure(atoms::COLON, &[Term::atom(module), goal]),
            None => goal,
        }
    }

    /// The predicate that the goal calls; `known` caches the results. Goals among its arguments get
    /// the same module.
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
        // A young atom may be freed, and its number reused.
        let callee = match symbol::is_young(name.number()) {
            true => find(),
            false => *known.entry((module, name, args.len())).or_insert_with(find),
        }?;
        self.qualify_arguments(program, store, (name, callee), args);
        Some(callee)
    }

    /// Qualifies the goals among the arguments with the module of this goal.
    fn qualify_arguments(
        &self,
        program: &Program,
        store: &mut Store,
        (name, callee): (Atom, Callee),
        args: &mut [Term],
    ) {
        let module = match self.module {
            Some((_, module)) => module,
            None if program.needs_user(callee) => Atom::new("user"),
            None => return,
        };
        let spec = match callee {
            // The arguments beyond the parameters go to the body.
            Callee::User(id) if name == atoms::LAMBDA && program.predicate(id).key.scope == PRELUDE => "?0",
            callee => program.meta(callee),
        };
        for (kind, arg) in spec.chars().zip(args) {
            if added_arguments(kind).is_some() {
                *arg = store.heap.structure(atoms::COLON, &[Term::atom(module), *arg]);
            }
        }
    }

    /// The error for a goal whose predicate does not exist.
    pub fn unknown(&self, store: &mut Store, name: Atom, arity: usize) -> Fault {
        let name = match self.module {
            Some((Module::BuiltIn, module)) => store.heap.names.reading(|| qualified(module, name)),
            _ => name,
        };
        Fault::unknown_procedure(&mut store.heap, name, arity)
    }
}
