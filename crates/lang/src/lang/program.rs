//! A checked program: predicates with their clauses, every goal resolved.
//!
//! In: what `load` gathered. Out: a [`Program`], easy to run and to reason on;
//! it cannot be printed back as it was written. It cannot hold a goal whose
//! predicate is unknown, unless that goal was typed at a prompt.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::ops::Ops;
use alphorn_text::printable::line;
use alphorn_text::signature::{BuiltinId, Class, KnownPredicates};
use alphorn_text::source::{Origin, Sources, Span};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of a predicate in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub u32);

/// Whose names a clause sees first: the user's files, or one library file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope(pub u16);

/// The user's own files.
pub const USER: Scope = Scope(0);
/// The library written in the language, which every file sees.
pub const PRELUDE: Scope = Scope(1);

/// A name with an arity, as its scope sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Where it is defined.
    pub scope: Scope,
    /// Its name.
    pub name: Atom,
    /// How many arguments it takes.
    pub arity: usize,
}

/// What a goal calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A predicate of the program.
    User(PredId),
    /// A predicate of the machine.
    Native(BuiltinId),
    /// Nothing: calling it raises an existence error (typed goals only).
    Unknown(Atom, usize),
}

/// A goal of a clause; node numbers refer to the clause's tree.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Succeeds once.
    True,
    /// Fails.
    Fail,
    /// Cuts the clause's other solutions.
    Cut,
    /// One after the other.
    Conj(Vec<Goal>),
    /// Either.
    Or(Box<Goal>, Box<Goal>),
    /// If-then-else; the condition is tried once.
    If(Box<Goal>, Box<Goal>, Box<Goal>),
    /// The soft if-then-else, whose condition may succeed many times.
    SoftIf(Box<Goal>, Box<Goal>, Box<Goal>),
    /// Not provable.
    Not(Box<Goal>),
    /// A goal in which a cut is local.
    Scope(Box<Goal>),
    /// All solutions.
    Findall {
        /// What to gather.
        template: NodeId,
        /// The goal.
        goal: Box<Goal>,
        /// The list of answers.
        list: NodeId,
        /// What follows the answers, where `findall/4` gives it.
        tail: Option<NodeId>,
        /// The goal's place.
        span: Span,
    },
    /// A call of a predicate.
    Call {
        /// Which.
        callee: Callee,
        /// With what.
        args: Vec<NodeId>,
        /// Where it stands.
        span: Span,
    },
    /// A call of a term that is known only when it runs.
    Meta(NodeId, Span),
}

/// A clause: head, body and the tree that both refer to.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its terms.
    pub tree: TermTree,
    /// The head.
    pub head: NodeId,
    /// The body.
    pub body: Goal,
    /// All of it.
    pub span: Span,
}

/// A predicate with all its clauses.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// How it is called.
    pub key: Key,
    /// The head of its first clause in the text.
    pub defined: Option<Span>,
    /// In the order written.
    pub clauses: Vec<Clause>,
    /// Whether `table/1` declares it.
    pub tabled: bool,
    /// `meta_predicate/1`, in the form of a signature; empty without.
    pub meta: Arc<str>,
    /// The line `%! ...` above it, where there is one.
    pub doc: Option<Arc<str>>,
    /// Whether other files see it.
    pub exported: bool,
}

/// What a parameter may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Integers from the first to the second.
    Range(i64, i64),
    /// One of these, as text.
    OneOf(Vec<String>),
}

/// A parameter of a game: `:- param(size, 6, 4..10, "board side").`
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Atom,
    /// The value in force, as it would be written.
    pub value: String,
    /// What it may be.
    pub domain: Domain,
    /// What it means.
    pub doc: String,
    /// The directive.
    pub span: Span,
}

/// `:- expect(Claim).`, kept for whoever runs it.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The claim's tree.
    pub tree: TermTree,
    /// The claim.
    pub claim: NodeId,
    /// Its place.
    pub span: Span,
}

/// A predicate of the user's that an overlay took the place of.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// Which.
    pub key: Key,
    /// The head of the first clause in the overlay.
    pub by: Span,
    /// The clauses that count no more: tree and head.
    pub clauses: Vec<(TermTree, NodeId)>,
}

impl Replaced {
    /// Whether it is the user's predicate of this name and arity.
    pub fn is(&self, name: &str, arity: usize) -> bool {
        self.key.scope == USER && self.key.arity == arity && self.key.name.text() == name
    }

    /// Whether a name stands in its clauses.
    pub fn mentions(&self, name: Atom) -> bool {
        let is =
            |kind: &TermKind| matches!(kind, TermKind::Atom(other) | TermKind::Compound(other, _) if *other == name);
        self.clauses.iter().any(|(tree, _)| tree.nodes().any(|(_, kind)| is(kind)))
    }

    /// `advice/2`; the rules of an advice table by that name.
    pub fn indicator(&self) -> String {
        match (self.key.name.text(), self.key.arity) {
            ("::", 2) => "the rules".to_string(),
            (name, arity) => format!("{name}/{arity}"),
        }
    }

    /// `more.pl:3 replaces advice/2 of game.pl`.
    pub fn told(&self, sources: &Sources) -> String {
        let line = sources.line_column(self.by).0;
        let of = self.clauses.first().map_or(self.by, |(tree, head)| tree.span(*head));
        let (by, of) = (&sources.get(self.by.source).name, &sources.get(of.source).name);
        format!("{by}:{line} replaces {} of {of}", self.indicator())
    }
}

/// A loaded program.
#[derive(Clone, Debug)]
pub struct Program {
    /// All texts.
    pub sources: Arc<Sources>,
    /// All predicates; a [`PredId`] is an index.
    pub predicates: Vec<Predicate>,
    /// The operators of the user's files.
    pub ops: Ops,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its expectations.
    pub expectations: Vec<Expectation>,
    /// What overlays took the place of.
    pub replaced: Vec<Replaced>,
    /// The builtins it was resolved against.
    pub known: Arc<KnownPredicates>,
    /// Predicates by key.
    pub by_key: FxHashMap<Key, PredId>,
    /// Which scopes a scope sees besides its own.
    pub imports: FxHashMap<Scope, Vec<Scope>>,
    /// Where scopes are at home.
    pub scopes: Vec<Home>,
}

/// The file of a scope.
#[derive(Clone, Debug)]
pub struct Home {
    /// What messages call it.
    pub name: Arc<str>,
    /// Whether it comes with alphorn, rather than from the user.
    pub library: bool,
    /// What its `module/2` calls it.
    pub module: Option<Atom>,
}

impl Home {
    /// A file whose module has no name yet.
    pub fn new(name: &str, library: bool) -> Home {
        Home { name: name.into(), library, module: None }
    }
}

impl Program {
    /// Whether a place lies in a text of the user's, rather than in the library.
    pub fn is_written_by_user(&self, span: Span) -> bool {
        let sources = &self.sources;
        usize::from(span.source.0) >= sources.len() || sources.get(span.source).origin != Origin::Library
    }

    /// The predicate with this number.
    pub fn predicate(&self, id: PredId) -> &Predicate {
        &self.predicates[id.0 as usize]
    }

    /// The user's own predicate of this name, with at least one clause.
    pub fn own(&self, name: &str, arity: usize) -> Option<PredId> {
        let key = Key { scope: USER, name: Atom::new(name), arity };
        self.by_key.get(&key).copied().filter(|id| !self.predicate(*id).clauses.is_empty())
    }

    /// What a goal of this name and arity means in a scope.
    pub fn resolve(&self, scope: Scope, name: Atom, arity: usize) -> Option<Callee> {
        let find = |scope| self.by_key.get(&Key { scope, name, arity }).copied();
        if let Some(id) = find(scope) {
            return Some(Callee::User(id));
        }
        let imported = self.imports.get(&scope).into_iter().flatten().chain([&PRELUDE]);
        for other in imported {
            if let Some(id) = find(*other).filter(|id| self.predicate(*id).exported) {
                return Some(Callee::User(id));
            }
        }
        self.known.get(name, arity).filter(|(_, row)| row.class != Class::Host).map(|(id, _)| Callee::Native(id))
    }

    /// The same for a goal that a person types, or that one builds.
    pub fn resolve_typed(&self, scope: Scope, name: Atom, arity: usize) -> Option<Callee> {
        self.resolve(scope, name, arity).or_else(|| self.known.get(name, arity).map(|(id, _)| Callee::Native(id)))
    }

    /// The same for a goal that is built while the program runs: closures that
    /// a library file hands to another are found there as well.
    pub fn resolve_call(&self, name: Atom, arity: usize) -> Option<Callee> {
        self.resolve_typed(USER, name, arity).or_else(|| {
            let scopes = (1..self.scopes.len() as u16).map(Scope);
            let mut found = scopes.filter_map(|scope| self.by_key.get(&Key { scope, name, arity }));
            found.next().map(|id| Callee::User(*id))
        })
    }

    /// `name/arity`, as messages write it.
    pub fn indicator(&self, id: PredId) -> String {
        let key = self.predicate(id).key;
        format!("{}/{}", line(key.name.text()), key.arity)
    }
}
