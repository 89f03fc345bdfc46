//! The proof of an answer as a tree.
//!
//! In: the goals that the prover kept. Out: [`ProofTree`]s, to a depth. Must not know how they are
//! drawn; the session hands them on.

use crate::machine::fault::{Cause, Fault};
use crate::reason::body::{Body, Frame, GoalId};
use crate::reason::prover::{How, Node, Prover, Shown};
use crate::term::pack::Packed;
use alphorn_lang::lang::ast::Sentence;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use std::rc::Rc;

/// How a goal of a proof was proved.
#[derive(Clone, Debug, PartialEq)]
pub enum ProvedBy {
    /// By a clause of its predicate: where its head stands, its number from 1, of how many.
    Clause(Span, usize, usize),
    /// By the machine.
    Builtin,
    /// By a library predicate.
    Library,
    /// By the table of its predicate.
    Table,
    /// By one of two alternatives: the first, or not.
    Either(bool),
    /// By the branch that a condition chose: whether it was true.
    Branch(bool),
    /// Nothing proves what it negates.
    Refuted,
    /// By so many gathered solutions.
    Found(usize),
}

/// A goal with its bindings, and what proves it.
#[derive(Clone, Debug)]
pub struct ProofTree {
    /// The goal, shortened.
    pub goal: String,
    /// Whether its text is as it was called: of what its variables were bound to later it is not
    /// true.
    pub as_called: bool,
    /// Where it is written.
    pub span: Option<Span>,
    /// How it was proved.
    pub by: ProvedBy,
    /// The goals that it rests on.
    pub parts: Vec<ProofTree>,
    /// How many goals below it are left out.
    pub folded: usize,
}

/// A clause that a proof uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedClause {
    /// Its predicate, as `weigh/5`.
    pub predicate: String,
    /// Its number in its predicate, from 1.
    pub number: usize,
    /// How many clauses that has.
    pub of: usize,
    /// Its head.
    pub span: Span,
    /// How many goals it proves.
    pub times: u64,
}

/// How much of a proof is told.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// So many levels.
    pub depth: usize,
    /// So many goals in all.
    pub goals: usize,
    /// So many bytes of each.
    pub text: usize,
}

/// No proof is told to more levels.
pub const DEEPEST: usize = 1_000;

impl Prover {
    /// The proof of the goal's answer with this number, from 1, and that answer: `call(Values...)`
    /// of its variables in the order they stand. None where there are fewer answers.
    ///
    /// Errs where the goal does, or needs more than its budget.
    pub fn proof(
        &mut self,
        sentence: &Sentence,
        answer: usize,
        extent: Extent,
    ) -> Result<Option<(Vec<ProofTree>, Packed)>, Fault> {
        let frame = self.typed(sentence)?;
        self.attempt(|prover| {
            let root = frame.body.root;
            let Some(proof) = prover.proof_of(&frame, root, answer, extent)? else { return Ok(None) };
            let values = prover.store.heap.structure(atoms::CALL, &frame.vars);
            Ok(Some((proof, prover.packed(values)?)))
        })
    }

    /// The same of any goal; what it binds stays until the attempt is over.
    pub(super) fn proof_of(
        &mut self,
        frame: &Rc<Frame>,
        goal: GoalId,
        answer: usize,
        extent: Extent,
    ) -> Result<Option<Vec<ProofTree>>, Fault> {
        let top = self.nodes.len();
        self.nodes.push(Node::new(None, Shown::Goal(frame.clone(), goal), How::Open));
        self.prove(frame, goal, Some(top as u32));
        let mut found = self.first()?;
        for _ in 1..answer {
            found = found && self.again()?;
        }
        found.then(|| self.kept(top, extent)).transpose()
    }

    /// A goal that was read, with its variables.
    pub(super) fn typed(&mut self, sentence: &Sentence) -> Result<Rc<Frame>, Fault> {
        let program = self.program.clone();
        let mut resolver =
            alphorn_lang::lang::goal::Resolver::new(&program, alphorn_lang::lang::program::USER, &sentence.tree);
        resolver.typed = true;
        let goal = resolver.goal(sentence.root);
        if resolver.too_deep.is_some() {
            return Err(Cause::Memory(self.store.memory).into());
        }
        let body = Body::of_goal(&sentence.tree, &goal, true);
        let frame = Rc::new(Frame::fresh(&body, &mut self.store.heap));
        if !resolver.bad.is_empty() {
            let whole = frame.build(&mut self.store.heap, sentence.root);
            return Err(Fault::type_error(&mut self.store.heap, "callable", whole));
        }
        Ok(frame)
    }

    /// The clauses that the last proof used, in the order of the text; of library predicates only
    /// where their insides are told.
    pub fn used(&self) -> Vec<UsedClause> {
        let mut used: Vec<UsedClause> = Vec::new();
        for ((pred, number), times) in &self.used {
            let clauses = &self.program.predicate(*pred).clauses;
            let clause = &clauses[*number];
            used.push(UsedClause {
                predicate: self.program.indicator(*pred),
                number: number + 1,
                of: clauses.len(),
                span: clause.tree.span(clause.head),
                times: *times,
            });
        }
        used.sort_by_key(|used| (used.span.source, used.span.start));
        used
    }

    /// The proofs below a node, whose goals were all proved.
    fn kept(&mut self, top: usize, extent: Extent) -> Result<Vec<ProofTree>, Fault> {
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len() - top];
        for (at, node) in self.nodes.iter().enumerate().skip(top + 1) {
            if let Some(above) = node.above {
                below[above as usize - top].push(at as u32);
            }
        }
        self.used.clear();
        for node in &self.nodes[top..] {
            if let How::Clause(pred, number) = node.how
                && (self.library || self.is_own(pred))
            {
                *self.used.entry((pred, number)).or_insert(0) += 1;
            }
        }
        // A node stands behind the one above it.
        let mut sizes = vec![1usize; below.len()];
        for at in (1..below.len()).rev() {
            if let Some(above) = self.nodes[top + at].above {
                sizes[above as usize - top] += sizes[at];
            }
        }
        let mut left = extent.goals;
        let depth = extent.depth.clamp(1, DEEPEST);
        below[0].iter().map(|at| self.tree(*at, top, (&below, &sizes), depth, (extent.text, &mut left))).collect()
    }

    fn tree(
        &mut self,
        at: u32,
        top: usize,
        (below, sizes): (&[Vec<u32>], &[usize]),
        depth: usize,
        (text, left): (usize, &mut usize),
    ) -> Result<ProofTree, Fault> {
        *left = left.saturating_sub(1);
        let Node { shown, how, .. } = &self.nodes[at as usize];
        let (shown, how) = (shown.clone(), *how);
        let own = at as usize - top;
        let called = self.as_called(at as usize, text)?;
        let mut proof = ProofTree {
            as_called: called.is_some(),
            goal: called.unwrap_or_else(|| self.shown_text(&shown, text)),
            span: Prover::span(&shown),
            by: self.by(how),
            parts: Vec::new(),
            folded: 0,
        };
        for part in &below[own] {
            if depth == 1 || *left == 0 {
                proof.folded += sizes[*part as usize - top];
                continue;
            }
            let part = stacker::maybe_grow(64 << 10, 4 << 20, || {
                self.tree(*part, top, (below, sizes), depth - 1, (text, left))
            })?;
            proof.parts.push(part);
        }
        Ok(proof)
    }

    fn by(&self, how: How) -> ProvedBy {
        match how {
            How::Clause(pred, number) if self.is_own(pred) || self.opens_library() => {
                let clauses = &self.program.predicate(pred).clauses;
                let clause = &clauses[number];
                ProvedBy::Clause(clause.tree.span(clause.head), number + 1, clauses.len())
            }
            How::Clause(..) => ProvedBy::Library,
            How::Builtin | How::Open => ProvedBy::Builtin,
            How::Table => ProvedBy::Table,
            How::First => ProvedBy::Either(true),
            How::Second => ProvedBy::Either(false),
            How::Then => ProvedBy::Branch(true),
            How::Else => ProvedBy::Branch(false),
            How::Refuted => ProvedBy::Refuted,
            How::Found(count) => ProvedBy::Found(count),
        }
    }
}
