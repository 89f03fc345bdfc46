//! Puts typed clauses into the text of an overlay.
//!
//! It takes the text of a file, and clauses. It returns the text with the clauses, without those that
//! they replace. It does not read or write files. The commands that save rules call it.

use super::Session;
use crate::session::options::TYPED;
use alphorn_lang::lang::program::{Predicate, USER};
use alphorn_lang::lang::read;
use alphorn_text::source::SourceId;
use alphorn_text::symbol::Atom;
use std::sync::Arc;

/// The effect of typed clauses on one predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedReplacement {
    /// The number of typed clauses.
    pub clauses: usize,
    /// The number of replaced clauses and their file; `None` for a new predicate.
    pub replaced: Option<(usize, String)>,
}

impl Session {
    /// The text of an overlay with the typed clauses at its end, and without its own clauses of the same
    /// predicates. Comments stay in place. `None` if the text cannot be read.
    pub fn with_typed(&self, text: &str, typed: &[String]) -> Option<String> {
        let ops = &self.rules.program.ops;
        let names: Vec<String> = typed.iter().filter_map(|clause| self.defines(clause)).collect();
        let mut kept = String::new();
        let mut from = 0;
        let mut said = Vec::new();
        while let Some(reading) = read::clause(SourceId(0), text, from, ops) {
            let sentence = reading.sentence.filter(|_| reading.problem.is_none())?;
            let start = sentence.span.start as usize;
            let whole = text.get(start..reading.next)?;
            kept.push_str(text.get(from..start)?);
            from = reading.next;
            if self.defines(whole).is_some_and(|name| names.contains(&name)) {
                // Remove the line too if nothing else is on it.
                if kept.is_empty() || kept.ends_with('\n') {
                    from += usize::from(text[from..].starts_with('\n'));
                }
                continue;
            }
            said.push(whole.trim());
            kept.push_str(whole);
        }
        kept.push_str(&text[from..]);
        if !kept.is_empty() && !kept.ends_with('\n') {
            kept.push('\n');
        }
        // A directive is already there if it was saved before.
        let new = typed.iter().filter(|clause| !said.contains(&clause.trim()));
        new.for_each(|clause| kept.push_str(&format!("{clause}\n")));
        Some(kept)
    }

    /// The effect of typed clauses on a predicate `name/arity`.
    pub fn typed_replacement(&self, wanted: &str) -> Option<TypedReplacement> {
        let (name, arity) = wanted.rsplit_once('/')?;
        let arity: usize = arity.parse().ok()?;
        let program = &self.rules.program;
        let name_of = |source: SourceId| &*program.sources.get(source).name;
        let of = |pred: &&Arc<Predicate>| {
            pred.key.scope == USER && pred.key.name == Atom::new(name) && pred.key.arity == arity
        };
        let pred = program.predicates.iter().find(of)?;
        let clauses = pred.clauses.iter().filter(|clause| name_of(clause.span.source) == TYPED).count();
        let was = program.replaced.iter().find(|was| was.is(name, arity) && name_of(was.by.source) == TYPED);
        let replaced = was.and_then(|was| {
            let (tree, head) = was.clauses.first()?;
            Some((was.clauses.len(), name_of(tree.span(*head).source).to_string()))
        });
        Some(TypedReplacement { clauses, replaced })
    }
}
