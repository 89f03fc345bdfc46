//! Questions to the search about a position, which only a user's goal may ask.
//!
//! [`Store::host`] answers the questions. It is missing if the goal does not belong to a game; the
//! predicates are then unknown.

use crate::builtins::arithmetic::integer;
use crate::machine::BoolResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::pack::{Packed, unpack};
use alphorn_text::symbol::Atom;

fn ask(
    store: &mut Store,
    name: &str,
    arity: usize,
    position: Option<Term>,
    depth: Option<Term>,
    target: Term,
) -> BoolResult {
    let depth = match depth {
        Some(depth) => Some(natural(store, depth)?),
        None => None,
    };
    let position = match position {
        Some(position) => Some(ground(store, position)?),
        None => None,
    };
    let Some(mut host) = store.host.take() else {
        return Err(Fault::unknown_procedure(&mut store.heap, Atom::new(name), arity));
    };
    let answer = host(name, position.as_ref(), depth.unwrap_or(0));
    store.host = Some(host);
    match answer? {
        Some(answer) => {
            let answer = unpack(&mut store.heap, &answer);
            store.unify(target, answer)
        }
        None => Ok(false),
    }
}

fn natural(store: &mut Store, term: Term) -> Result<u32, Fault> {
    let value = integer(store, term)?;
    u32::try_from(value).map_err(|_| Fault::domain_error(&mut store.heap, "not_less_than_zero", term))
}

fn ground(store: &mut Store, term: Term) -> Result<Packed, Fault> {
    let packed = store.packed(term)?;
    if packed.is_ground() { Ok(packed) } else { Err(Fault::instantiation(&mut store.heap)) }
}

pub(super) fn value(store: &mut Store, args: &[Term]) -> BoolResult {
    ask(store, "value", 3, Some(args[0]), Some(args[1]), args[2])
}

pub(super) fn best(store: &mut Store, args: &[Term]) -> BoolResult {
    ask(store, "best", 3, Some(args[0]), Some(args[1]), args[2])
}

pub(super) fn position_now(store: &mut Store, args: &[Term]) -> BoolResult {
    ask(store, "position_now", 1, None, None, args[0])
}
