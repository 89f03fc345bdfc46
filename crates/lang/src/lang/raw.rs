//! The content of all files as it was read: clauses with their scopes, and what directives declare.
//!
//! `load.rs` and `directive.rs` fill a [`RawProgram`]. Its goals are not resolved.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::ops::Ops;
use crate::lang::program::{Expectation, Param, PredId, PredicateKey, Replaced, Scope, ScopeFile};
use alphorn_text::report::Problem;
use alphorn_text::source::{Sources, Span};
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A clause as it was read.
pub struct RawClause {
    /// The predicate that the clause defines.
    pub key: PredicateKey,
    /// The terms.
    pub tree: TermTree,
    /// The head.
    pub head: NodeId,
    /// The body; `None` for a fact.
    pub body: Option<NodeId>,
    /// The span of the clause.
    pub span: Span,
}

/// A clause of a known predicate whose body is still a term.
pub(crate) struct UnresolvedClause {
    pub(crate) pred: PredId,
    pub(crate) raw: RawClause,
}

/// The content of all files, unresolved.
pub struct RawProgram {
    /// The texts.
    pub sources: Sources,
    /// The clauses in the order of reading.
    pub clauses: Vec<RawClause>,
    /// The problems found so far.
    pub problems: Vec<Problem>,
    /// The operators of the user's files.
    pub ops: Ops,
    /// The parameters.
    pub params: Vec<Param>,
    /// The expectations.
    pub expectations: Vec<Expectation>,
    /// The predicates that overlays have replaced.
    pub replaced: Vec<Replaced>,
    /// The predicates to table, with the spans of their directives.
    pub tabled: Vec<(PredicateKey, Span)>,
    /// Predicates whose clauses may be scattered or missing.
    pub declared: FxHashSet<PredicateKey>,
    /// The declarations of `meta_predicate/1`.
    pub meta: FxHashMap<PredicateKey, Arc<str>>,
    /// The documentation line above a predicate's first clause.
    pub docs: FxHashMap<PredicateKey, Arc<str>>,
    /// The exported predicates, with the spans of their export entries.
    pub exports: Vec<(PredicateKey, Span)>,
    /// The scopes that a scope imports.
    pub imports: FxHashMap<Scope, Vec<Scope>>,
    /// The files of the scopes.
    pub scopes: Vec<ScopeFile>,
    /// Names of clauses that could not be read. Calls of them are not reported as undefined.
    pub broken: FxHashSet<Atom>,
    /// Whether a file of the user loads `library(alphorn)`.
    pub extras: bool,
}

impl RawClause {
    /// The fact `param(Name, Value)` of a parameter.
    pub(super) fn fact(key: PredicateKey, name: Atom, value: &str, span: Span) -> RawClause {
        let mut tree = TermTree::default();
        let name = tree.add(TermKind::Atom(name), span);
        let value = match value.parse::<i64>() {
            Ok(number) => tree.add(TermKind::Int(number), span),
            Err(_) => tree.add(TermKind::Atom(Atom::new(value)), span),
        };
        let head = tree.compound(key.name, &[name, value], span);
        RawClause { key, tree, head, body: None, span }
    }
}
