//! The free variables of a goal, for `bagof/3` and `setof/3` (ISO/IEC 13211-1, 7.1.1.4). The rest
//! of these predicates is in `library/solutions.pl`.

use crate::builtins::terms::free_variables_of;
use crate::machine::fault::Fault;
use crate::machine::skeleton::binding_arguments;
use crate::machine::store::{ROUND, Store};
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_text::symbol::{Atom, atoms};

/// `'$free_variables'(+Template^Goal, -Inner, -Witness)`. `Inner` is the goal without `^`.
/// `Witness` is `v(V...)` with the variables that are neither in the template nor quantified; none if no
/// solution can bind any of them, since all solutions are then in one group.
pub(super) fn free_variables(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let mut bound = Vec::new();
    let mut goal = store.heap.deref(args[0]);
    // Quantified variables may be inside a module qualification: `lists:(Y^member(X-Y, L))`.
    let mut module = None;
    while let TermView::Compound(name @ (atoms::CARET | atoms::COLON), [left, inner]) = store.heap.view(goal) {
        let (left, inner) = (store.heap.deref(Term(*left)), Term(*inner));
        if name == atoms::CARET {
            bound.push(left);
        } else if let TermView::Atom(_) = store.heap.view(left) {
            module = Some(left);
        } else {
            break;
        }
        goal = store.heap.deref(inner);
        store.charge(1)?;
    }
    if let Some(module) = module {
        goal = store.heap.structure(atoms::COLON, &[module, goal]);
    }
    let bound = store.heap.list(&bound, Term::atom(atoms::NIL));
    // The search costs no steps, because code compiled for a known goal does not search for variables.
    let hidden: rustc_hash::FxHashSet<Term> = free_variables_of(store, bound)?.into_iter().collect();
    let mut free = free_variables_of(store, goal)?;
    free.retain(|variable| !hidden.contains(variable));
    if !free.is_empty() {
        let bindable: rustc_hash::FxHashSet<Term> = bindable_variables(store, goal)?.into_iter().collect();
        // A variable that no solution binds makes no difference by itself, but it stands in the order of the groups
        // that others make.
        if free.iter().all(|variable| !bindable.contains(variable)) {
            free.clear();
        }
    }
    let witness = store.heap.structure(Atom::new("v"), &free);
    Ok(store.unify(args[1], goal)? && store.unify(args[2], witness)?)
}

/// The variables that a goal can bind; see [`binding_arguments`].
fn bindable_variables(store: &mut Store, goal: Term) -> Result<Vec<Term>, Fault> {
    let (mut goals, mut found) = (vec![goal], Vec::new());
    while let Some(goal) = goals.pop() {
        let goal = store.heap.deref(goal);
        let arguments = match store.heap.functor(goal) {
            Some((name, arity)) => binding_arguments(name, arity, store.own_aggregate),
            None => None,
        };
        match arguments {
            Some(arguments) => {
                let parts = store.heap.args(goal);
                goals.extend(arguments.goals.iter().map(|at| parts[*at]));
                found.extend(arguments.terms.iter().map(|at| parts[*at]));
            }
            None => found.push(goal),
        }
        if (found.len() as u64 + 1).is_multiple_of(ROUND) {
            store.room(2 * found.len())?;
        }
    }
    let found = store.heap.list(&found, Term::atom(atoms::NIL));
    free_variables_of(store, found)
}
