//! Reads a term from a text and returns the names of its variables.
//!
//! The other text predicates are in `atoms.rs`.

use crate::builtins::texts::{need_text, read_term, syntax_error};
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::build::build;
use alphorn_text::symbol::atoms;

const NIL: Term = Term::atom(atoms::NIL);

/// `atom_to_term(+Text, -Term, -Bindings)`. `Bindings` has `Name=Variable` for each named variable.
pub(super) fn atom_to_term(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let text = need_text(store, args[0], "text")?;
    match read_term(store, &text)? {
        Ok(Some(sentence)) => {
            store.room(sentence.tree.len() * 3)?;
            let mut variables = Vec::new();
            let term = build(&mut store.heap, &sentence.tree, sentence.root, &mut variables);
            let named = sentence.tree.variables.iter().zip(variables).filter(|(variable, _)| &*variable.name != "_");
            let mut bindings = Vec::new();
            for (variable, term) in named {
                let name = Term::atom(store.atom(&variable.name)?);
                bindings.push(store.heap.structure(atoms::EQUAL, &[name, term]));
            }
            let list = store.heap.list(&bindings, NIL);
            Ok(store.unify(args[1], term)? && store.unify(args[2], list)?)
        }
        Ok(None) => Ok(store.unify(args[1], Term::atom(atoms::END_OF_FILE))? && store.unify(args[2], NIL)?),
        Err(message) => Err(syntax_error(store, &message)),
    }
}
