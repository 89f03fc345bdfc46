//! A checked program: predicates with clauses whose goals are resolved.
//!
//! A [`Program`] is made for running and analysis; it cannot be printed as it was written. Every goal
//! refers to a known predicate, except goals that were typed at a prompt.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::ops::Ops;
use alphorn_text::printable::line;
use alphorn_text::signature::{BuiltinId, KnownPredicates, PredicateClass};
use alphorn_text::source::{Origin, Sources, Span};
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The number of a predicate in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub u32);

/// A set of names: those of the user's files, or those of one library file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope(pub u16);

/// The scope of the user's files.
pub const USER: Scope = Scope(0);
/// The scope of the library written in Prolog, which every file sees.
pub const PRELUDE: Scope = Scope(1);

/// A predicate name with its arity and scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PredicateKey {
    /// The scope that defines the predicate.
    pub scope: Scope,
    /// The name.
    pub name: Atom,
    /// The number of arguments.
    pub arity: usize,
}

/// The predicate that a goal calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A predicate with clauses in the program.
    User(PredId),
    /// A builtin.
    Native(BuiltinId),
    /// An undefined predicate: the call raises an existence error. Occurs in typed goals only.
    Unknown(Atom, usize),
}

/// A goal of a clause. Node numbers refer to the tree of the clause.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Succeeds once.
    True,
    /// Fails.
    Fail,
    /// Discards the other solutions of the clause.
    Cut,
    /// A conjunction.
    Conj(Vec<Goal>),
    /// A disjunction.
    Or(Box<Goal>, Box<Goal>),
    /// If-then-else. Only the first solution of the condition counts.
    If(Box<Goal>, Box<Goal>, Box<Goal>),
    /// The soft if-then-else `*->`. All solutions of the condition count.
    SoftIf(Box<Goal>, Box<Goal>, Box<Goal>),
    /// Negation as failure.
    Not(Box<Goal>),
    /// A goal with local cuts.
    Scope(Box<Goal>),
    /// `findall/3` or `findall/4`: all solutions of a goal as a list.
    Findall {
        /// The term that is copied for each solution.
        template: NodeId,
        /// The goal.
        goal: Box<Goal>,
        /// The list of the copies.
        list: NodeId,
        /// The tail of the list, given by `findall/4`.
        tail: Option<NodeId>,
        /// The span of the goal.
        span: Span,
    },
    /// A call of a predicate.
    Call {
        /// The called predicate.
        callee: Callee,
        /// The arguments.
        args: Vec<NodeId>,
        /// The span of the goal.
        span: Span,
    },
    /// A call of a term that is known only at run time.
    Meta(NodeId, Span),
}

/// A clause: head and body, with the tree that both refer to.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The terms.
    pub tree: TermTree,
    /// The head.
    pub head: NodeId,
    /// The body.
    pub body: Goal,
    /// The span of the clause.
    pub span: Span,
}

/// A predicate with all its clauses.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The name, arity and scope.
    pub key: PredicateKey,
    /// The span of the head of the first clause.
    pub defined: Option<Span>,
    /// The clauses in textual order.
    pub clauses: Vec<Clause>,
    /// Whether `table/1` declares the predicate.
    pub tabled: bool,
    /// The declaration `meta_predicate/1`, in the form of a signature; empty without one.
    pub meta: Arc<str>,
    /// The documentation line `%! ...` above the predicate.
    pub doc: Option<Arc<str>>,
    /// Whether the predicate is visible to other files.
    pub exported: bool,
}

/// The values that a parameter may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Integers from the first to the second, both included.
    Range(i64, i64),
    /// One of these values, as text.
    OneOf(Vec<String>),
}

/// A parameter of a game: `:- param(size, 6, 4..10, "board side").`
#[derive(Clone, Debug)]
pub struct Param {
    /// The name.
    pub name: Atom,
    /// The current value, in Prolog syntax.
    pub value: String,
    /// The permitted values.
    pub domain: Domain,
    /// The description.
    pub doc: String,
    /// The span of the directive.
    pub span: Span,
}

/// A directive `:- expect(Claim).`, which `alphorn test` checks.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The tree of the claim.
    pub tree: TermTree,
    /// The node of the claim.
    pub claim: NodeId,
    /// The span of the claim.
    pub span: Span,
}

/// A predicate of the user that an overlay has replaced.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// The predicate.
    pub key: PredicateKey,
    /// The head of its first clause in the overlay.
    pub by: Span,
    /// The clauses that were replaced: tree and head.
    pub clauses: Vec<(TermTree, NodeId)>,
}

impl Replaced {
    /// Whether this is the user's predicate of this name and arity.
    pub fn is(&self, name: &str, arity: usize) -> bool {
        self.key.scope == USER && self.key.arity == arity && self.key.name.text() == name
    }

    /// Whether a name occurs in the replaced clauses.
    pub fn mentions(&self, name: Atom) -> bool {
        let is =
            |kind: &TermKind| matches!(kind, TermKind::Atom(other) | TermKind::Compound(other, _) if *other == name);
        self.clauses.iter().any(|(tree, _)| tree.nodes().any(|(_, kind)| is(kind)))
    }

    /// The indicator, such as `advice/2`. For the rules of an advice table: `the rules`.
    pub fn indicator(&self) -> String {
        match (self.key.name.text(), self.key.arity) {
            ("::", 2) => "the rules".to_string(),
            (name, arity) => format!("{name}/{arity}"),
        }
    }

    /// A sentence such as `more.pl:3 replaces advice/2 of game.pl`.
    pub fn describe(&self, sources: &Sources) -> String {
        let line = sources.line_column(self.by).0;
        let of = self.clauses.first().map_or(self.by, |(tree, head)| tree.span(*head));
        let (by, of) = (&sources.get(self.by.source).name, &sources.get(of.source).name);
        format!("{by}:{line} replaces {} of {of}", self.indicator())
    }
}

/// A loaded program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The source texts.
    pub sources: Arc<Sources>,
    /// The predicates. A [`PredId`] is an index into this list.
    /// Programs that differ in one clause share the other predicates.
    pub predicates: Vec<Arc<Predicate>>,
    /// The operators of the user's files.
    pub ops: Ops,
    /// The parameters.
    pub params: Vec<Param>,
    /// The expectations.
    pub expectations: Vec<Expectation>,
    /// The predicates that overlays have replaced.
    pub replaced: Vec<Replaced>,
    /// The builtins that were known when the goals were resolved.
    pub known: Arc<KnownPredicates>,
    /// Predicates by key.
    pub by_key: FxHashMap<PredicateKey, PredId>,
    /// The scopes that a scope sees besides its own.
    pub imports: FxHashMap<Scope, Vec<Scope>>,
    /// The files of the scopes.
    pub scopes: Vec<ScopeFile>,
    /// The predicates that a goal passed as a term reaches only with the module of their file.
    pub hidden: Arc<FxHashSet<PredicateKey>>,
}

/// The file of a scope.
#[derive(Clone, Debug)]
pub struct ScopeFile {
    /// The name of the file in messages.
    pub name: Arc<str>,
    /// Whether the file comes with Alphorn.
    pub library: bool,
    /// The name that its directive `module/2` gives.
    pub module: Option<Atom>,
}

/// How many arguments a call adds to an argument of this kind; `None` if the argument is no goal.
pub fn added_arguments(kind: char) -> Option<usize> {
    if kind == '^' { Some(0) } else { kind.to_digit(10).map(|digit| digit as usize) }
}

impl ScopeFile {
    /// A file without a module name.
    pub fn new(name: &str, library: bool) -> ScopeFile {
        ScopeFile { name: name.into(), library, module: None }
    }
}

impl Program {
    /// Whether a span lies in a text of the user, not of the library.
    pub fn is_written_by_user(&self, span: Span) -> bool {
        let sources = &self.sources;
        usize::from(span.source.0) >= sources.len() || sources.get(span.source).origin != Origin::Library
    }

    /// The predicate with this number.
    pub fn predicate(&self, id: PredId) -> &Predicate {
        &self.predicates[id.0 as usize]
    }

    /// The predicate with this number, to change it.
    pub fn predicate_mut(&mut self, id: PredId) -> &mut Predicate {
        Arc::make_mut(&mut self.predicates[id.0 as usize])
    }

    /// The user's predicate of this name and arity, if it has clauses.
    pub fn own(&self, name: &str, arity: usize) -> Option<PredId> {
        let key = PredicateKey { scope: USER, name: Atom::new(name), arity };
        self.by_key.get(&key).copied().filter(|id| !self.predicate(*id).clauses.is_empty())
    }

    /// The predicate that a goal of this name and arity calls in a scope.
    pub fn resolve(&self, scope: Scope, name: Atom, arity: usize) -> Option<Callee> {
        let find = |scope| self.by_key.get(&PredicateKey { scope, name, arity }).copied();
        if let Some(id) = find(scope) {
            return Some(Callee::User(id));
        }
        let imported = self.imports.get(&scope).into_iter().flatten().chain([&PRELUDE]);
        for other in imported {
            if let Some(id) = find(*other).filter(|id| self.predicate(*id).exported) {
                return Some(Callee::User(id));
            }
        }
        self.known
            .get(name, arity)
            .filter(|(_, row)| row.class != PredicateClass::Host)
            .map(|(id, _)| Callee::Native(id))
    }

    /// Like [`Program::resolve`], for a goal that the user types or that is built at run time. Such a
    /// goal may also run a search.
    pub fn resolve_typed(&self, scope: Scope, name: Atom, arity: usize) -> Option<Callee> {
        self.resolve(scope, name, arity).or_else(|| self.known.get(name, arity).map(|(id, _)| Callee::Native(id)))
    }

    /// Like [`Program::resolve_typed`], for a goal that is built at run time. Finds also the closures
    /// that one library file passes to another.
    pub fn resolve_call(&self, name: Atom, arity: usize) -> Option<Callee> {
        self.resolve_typed(USER, name, arity).or_else(|| {
            let scopes = (1..self.scopes.len() as u16).map(Scope);
            let mut found = scopes.filter_map(|scope| self.by_key.get(&PredicateKey { scope, name, arity }));
            found.next().map(|id| Callee::User(*id))
        })
    }

    /// The kinds of the arguments of a predicate, as `meta_predicate/1` declares them. They may be fewer than the
    /// arguments; an undefined predicate has none.
    pub fn meta(&self, callee: Callee) -> &str {
        match callee {
            Callee::User(id) => &self.predicate(id).meta,
            Callee::Native(id) => self.known.row(id).meta,
            Callee::Unknown(..) => "",
        }
    }

    /// Whether a predicate has an argument that is a goal.
    pub fn takes_goals(&self, callee: Callee) -> bool {
        self.meta(callee).chars().any(|kind| added_arguments(kind).is_some())
    }

    /// Whether a scope is a file of the user, not of the library.
    pub fn is_users(&self, scope: Scope) -> bool {
        !self.scopes[usize::from(scope.0)].library
    }

    /// `name/arity` as messages write it.
    pub fn indicator(&self, id: PredId) -> String {
        let key = self.predicate(id).key;
        format!("{}/{}", line(key.name.text()), key.arity)
    }
}
