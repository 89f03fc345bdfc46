//! Matches the head of a clause with argument forms, and copies the clause with the terms found.

use crate::machine::ir::ArgumentForm;
use crate::machine::skeleton::{NOWHERE, is_lambda};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of nodes of a predicate that is specialised, and of a term of a new clause.
pub(super) const MOST_NODES: usize = 1 << 14;

/// The error that a call cannot be compiled for its forms.
pub(super) struct CannotSpecialise;

/// A clause during matching, with the terms bound to its variables.
#[derive(Default)]
pub(super) struct Matched {
    pub tree: TermTree,
    pub bound: FxHashMap<u32, NodeId>,
    pub parts: Vec<NodeId>,
    pub locals: FxHashMap<u16, NodeId>,
}

impl Matched {
    /// Matches the arguments of a head with forms. Returns `false` if they never match.
    pub fn head(&mut self, head: &[NodeId], forms: &[ArgumentForm]) -> Result<bool, CannotSpecialise> {
        for (node, form) in head.iter().zip(forms) {
            if !self.align(*node, form)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the term that a node stands for.
    pub fn deref(&self, mut node: NodeId) -> NodeId {
        while let TermKind::Var(var) = self.tree.kind(node) {
            match self.bound.get(var) {
                Some(other) => node = *other,
                None => break,
            }
        }
        node
    }

    /// Matches a term of the head with a form. Returns `false` if they never match.
    fn align(&mut self, node: NodeId, form: &ArgumentForm) -> Result<bool, CannotSpecialise> {
        let node = self.deref(node);
        match form {
            ArgumentForm::Part => self.parts.push(node),
            ArgumentForm::Same(at) => return self.unify(node, self.parts[usize::from(*at)]),
            ArgumentForm::Local(number) => match self.locals.get(number) {
                Some(other) => return self.unify(node, *other),
                None => drop(self.locals.insert(*number, node)),
            },
            ArgumentForm::Atom(name) => {
                let whole = self.tree.add(TermKind::Atom(*name), NOWHERE);
                return self.unify(node, whole);
            }
            ArgumentForm::Int(value) => {
                let whole = self.tree.add(TermKind::Int(*value), NOWHERE);
                return self.unify(node, whole);
            }
            ArgumentForm::Compound(name, forms) => {
                if let TermKind::Var(var) = *self.tree.kind(node) {
                    let parts: Vec<NodeId> = forms.iter().map(|_| self.tree.fresh("_", NOWHERE)).collect();
                    let whole = self.tree.compound(*name, &parts, NOWHERE);
                    self.bound.insert(var, whole);
                    return self.head(&parts, forms);
                }
                if self.tree.functor(node) != Some((*name, forms.len())) {
                    return Ok(false);
                }
                let args = self.tree.args(node).to_vec();
                return self.head(&args, forms);
            }
        }
        Ok(true)
    }

    fn unify(&mut self, left: NodeId, right: NodeId) -> Result<bool, CannotSpecialise> {
        let mut pairs = vec![(left, right)];
        while let Some((left, right)) = pairs.pop() {
            let (left, right) = (self.deref(left), self.deref(right));
            match (self.tree.kind(left), self.tree.kind(right)) {
                (TermKind::Var(a), TermKind::Var(b)) if a == b => {}
                (TermKind::Var(var), _) => self.bind(*var, right)?,
                (_, TermKind::Var(var)) => self.bind(*var, left)?,
                (TermKind::Compound(..), TermKind::Compound(..))
                    if self.tree.functor(left) == self.tree.functor(right) =>
                {
                    let (a, b) = (self.tree.args(left), self.tree.args(right));
                    pairs.extend(a.iter().copied().zip(b.iter().copied()));
                }
                (
                    TermKind::Atom(_) | TermKind::Int(_) | TermKind::Compound(..),
                    TermKind::Atom(_) | TermKind::Int(_) | TermKind::Compound(..),
                ) => {
                    if self.tree.kind(left) != self.tree.kind(right) {
                        return Ok(false);
                    }
                }
                // Numbers and texts outside the cell are compared at run time.
                _ => return Err(CannotSpecialise),
            }
        }
        Ok(true)
    }

    fn bind(&mut self, var: u32, node: NodeId) -> Result<(), CannotSpecialise> {
        if self.variables(node).contains(&var) {
            return Err(CannotSpecialise);
        }
        self.bound.insert(var, node);
        Ok(())
    }

    /// Returns the variables of a term that are not bound.
    pub fn variables(&self, node: NodeId) -> FxHashSet<u32> {
        let (mut stack, mut found) = (vec![node], FxHashSet::default());
        let mut seen = FxHashSet::default();
        while let Some(node) = stack.pop() {
            let node = self.deref(node);
            if !seen.insert(node) {
                continue;
            }
            match self.tree.kind(node) {
                TermKind::Var(var) => {
                    found.insert(*var);
                }
                _ => stack.extend(self.tree.args(node)),
            }
        }
        found
    }

    /// Returns whether every call with these forms matches: all parts are distinct variables.
    pub fn is_sure(&self) -> bool {
        let mut seen = FxHashSet::default();
        self.parts.iter().all(|part| match self.tree.kind(self.deref(*part)) {
            TermKind::Var(var) => seen.insert(*var),
            _ => false,
        })
    }

    /// Begins the new clause. `given` says of each part whether it is ground, and `open` has the local variables that
    /// may be bound.
    pub fn into_copy(self, given: &[bool], open: &FxHashSet<u16>) -> ClauseCopy {
        let mut copy = ClauseCopy {
            matched: self,
            tree: TermTree::default(),
            done: FxHashMap::default(),
            variables: FxHashMap::default(),
            fixed: FxHashSet::default(),
            local: FxHashSet::default(),
        };
        for (part, given) in copy.matched.parts.clone().into_iter().zip(given) {
            let part = copy.node(part);
            if *given {
                copy.fixed.extend(copy.tree.variables_of(part));
            }
        }
        for (_, node) in copy.matched.locals.clone().into_iter().filter(|(number, _)| !open.contains(number)) {
            let local = copy.node(node);
            if let TermKind::Var(var) = copy.tree.kind(local) {
                copy.local.insert(*var);
            }
        }
        copy
    }
}

/// A copy of a clause, with its variables replaced.
pub(super) struct ClauseCopy {
    matched: Matched,
    /// The terms of the new clause.
    pub tree: TermTree,
    done: FxHashMap<NodeId, NodeId>,
    variables: FxHashMap<u32, NodeId>,
    /// Variables that are ground parts, or in ground parts.
    pub fixed: FxHashSet<u32>,
    /// Variables that occur only in lambda expressions of the call's forms, and are never bound.
    pub local: FxHashSet<u32>,
}

impl ClauseCopy {
    /// Returns the parts that the new head takes.
    pub fn parts(&mut self) -> Vec<NodeId> {
        self.matched.parts.clone().into_iter().map(|part| self.node(part)).collect()
    }

    /// Returns whether no term is too large. A shared subterm counts at each occurrence, because
    /// the compiler visits each occurrence.
    pub fn is_small(&self) -> bool {
        let mut sizes: Vec<usize> = Vec::with_capacity(self.tree.len());
        for (node, _) in self.tree.nodes() {
            let parts = self.tree.args(node).iter().map(|arg| sizes[arg.0 as usize]);
            sizes.push(parts.fold(1, usize::saturating_add));
        }
        sizes.iter().all(|size| *size <= MOST_NODES)
    }

    /// Copies a term of the old clause.
    pub fn node(&mut self, node: NodeId) -> NodeId {
        let node = self.matched.deref(node);
        if let Some(done) = self.done.get(&node) {
            return *done;
        }
        let kind = self.matched.tree.kind(node).clone();
        let span = self.matched.tree.span(node);
        let copy = match kind {
            TermKind::Var(var) => {
                let (tree, name) = (&mut self.tree, &self.matched.tree.variables[var as usize].name);
                return *self.variables.entry(var).or_insert_with(|| tree.fresh(name, span));
            }
            TermKind::Compound(name, _) => {
                let args = self.matched.tree.args(node).to_vec();
                let args: Vec<NodeId> =
                    args.iter().map(|arg| stacker::maybe_grow(64 << 10, 4 << 20, || self.node(*arg))).collect();
                self.tree.compound(name, &args, span)
            }
            kind => self.tree.add(kind, span),
        };
        self.done.insert(node, copy);
        copy
    }

    /// Returns a term of the new clause with the variables `which` replaced by new variables.
    pub fn renamed(&mut self, node: NodeId, names: &mut FxHashMap<u32, NodeId>, which: &FxHashSet<u32>) -> NodeId {
        match self.tree.kind(node).clone() {
            TermKind::Var(var) if which.contains(&var) => {
                *names.entry(var).or_insert_with(|| self.tree.fresh("_", NOWHERE))
            }
            TermKind::Compound(name, _) => {
                let args = self.tree.args(node).to_vec();
                let args: Vec<NodeId> = args.iter().map(|arg| self.renamed(*arg, names, which)).collect();
                let span = self.tree.span(node);
                self.tree.compound(name, &args, span)
            }
            _ => node,
        }
    }

    /// Makes a compound term of the new clause that has no place in the source text.
    pub fn compound(&mut self, name: Atom, args: &[NodeId], span: Span) -> NodeId {
        self.tree.compound(name, args, span)
    }

    /// If a term is a lambda expression, returns whether it has parameters (`>>`), and its two parts.
    pub fn lambda(&self, node: NodeId) -> Option<(bool, NodeId, NodeId)> {
        let (name, arity) = self.tree.functor(node)?;
        let args = self.tree.args(node);
        is_lambda(name, arity).then(|| (&*name.name() == ">>", args[0], args[1]))
    }
}
