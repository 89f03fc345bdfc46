//! The proof of an answer as a tree.
//!
//! The prover keeps the goals of a proof. Here they become [`ProofTree`]s, to a limited depth. The
//! session passes them on, and nothing here draws them.

use crate::machine::fault::{Cause, Fault};
use crate::reason::body::{Body, Frame, GoalId};
use crate::reason::node::{NodeGoal, ProofMethod, ProofNode};
use crate::reason::prover::Prover;
use crate::term::pack::Packed;
use alphorn_lang::lang::ast::Sentence;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use std::rc::Rc;

/// How a goal of a proof was proved.
#[derive(Clone, Debug, PartialEq)]
pub enum ProvedBy {
    /// By a clause: the span of its head, its number from 1, the number of clauses.
    Clause(Span, usize, usize),
    /// By a builtin of the machine.
    Builtin,
    /// By a library predicate.
    Library,
    /// By the table of its predicate.
    Table,
    /// By one of two alternatives: whether it was the first.
    Either(bool),
    /// By a branch of a condition: whether the condition was true.
    Branch(bool),
    /// The negated goal has no proof.
    Refuted,
    /// By gathering this number of solutions.
    Found(usize),
}

/// A goal with its bindings, and the goals that prove it.
#[derive(Clone, Debug)]
pub struct ProofTree {
    /// The text of the goal, shortened.
    pub goal: String,
    /// Whether the text shows the goal as it was called, because later bindings make it false.
    pub as_called: bool,
    /// The place of the goal in the source text.
    pub span: Option<Span>,
    /// How it was proved.
    pub by: ProvedBy,
    /// The goals on which this goal rests.
    pub parts: Vec<ProofTree>,
    /// The number of goals below this one that are left out.
    pub folded: usize,
}

/// A clause that a proof uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedClause {
    /// The predicate, such as `weigh/5`.
    pub predicate: String,
    /// The number of the clause in its predicate, from 1.
    pub number: usize,
    /// The number of clauses of the predicate.
    pub of: usize,
    /// The head of the clause.
    pub span: Span,
    /// The number of goals that the clause proves.
    pub times: u64,
}

/// How much of a proof is returned.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The greatest number of levels.
    pub depth: usize,
    /// The greatest number of goals in all.
    pub goals: usize,
    /// The greatest length of a goal, in bytes.
    pub text: usize,
}

/// The greatest number of levels of any proof.
pub const DEEPEST: usize = 1_000;

impl Prover {
    /// The proof of the answer with this number, from 1, and that answer: `call(Values...)` with
    /// the variables in the order of the text. `None` if there are fewer answers.
    ///
    /// Returns an error if the goal has an error, or exceeds the budget.
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

    /// The proof of an answer of any goal. Bindings stay until the attempt ends.
    pub(super) fn proof_of(
        &mut self,
        frame: &Rc<Frame>,
        goal: GoalId,
        answer: usize,
        extent: Extent,
    ) -> Result<Option<Vec<ProofTree>>, Fault> {
        let top = self.nodes.len();
        self.nodes.push(ProofNode::new(None, NodeGoal::Goal(frame.clone(), goal), ProofMethod::Open));
        self.prove(frame, goal, Some(top as u32));
        let mut found = self.first()?;
        for _ in 1..answer {
            found = found && self.again()?;
        }
        found.then(|| self.kept(top, extent)).transpose()
    }

    /// A goal that was read, with new variables.
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

    /// The clauses that the last proof used, in the order of the text. Clauses of library
    /// predicates count only if the prover keeps the goals inside them.
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

    /// The proofs below a node. All goals below it are proved.
    fn kept(&mut self, top: usize, extent: Extent) -> Result<Vec<ProofTree>, Fault> {
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len() - top];
        for (at, node) in self.nodes.iter().enumerate().skip(top + 1) {
            if let Some(above) = node.above {
                below[above as usize - top].push(at as u32);
            }
        }
        self.used.clear();
        for node in &self.nodes[top..] {
            if let ProofMethod::Clause(pred, number) = node.how
                && (self.library || self.is_own(pred))
            {
                *self.used.entry((pred, number)).or_insert(0) += 1;
            }
        }
        // A node comes after the node above it.
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
        let ProofNode { shown, how, .. } = &self.nodes[at as usize];
        let (shown, how) = (shown.clone(), *how);
        let own = at as usize - top;
        let called = self.as_called(at as usize, text)?;
        let mut proof = ProofTree {
            as_called: called.is_some(),
            goal: called.unwrap_or_else(|| self.shown_text(&shown, text)),
            span: shown.span(),
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

    fn by(&self, how: ProofMethod) -> ProvedBy {
        match how {
            ProofMethod::Clause(pred, number) if self.is_own(pred) || self.opens_library() => {
                let clauses = &self.program.predicate(pred).clauses;
                let clause = &clauses[number];
                ProvedBy::Clause(clause.tree.span(clause.head), number + 1, clauses.len())
            }
            ProofMethod::Clause(..) => ProvedBy::Library,
            ProofMethod::Builtin | ProofMethod::Open => ProvedBy::Builtin,
            ProofMethod::Table => ProvedBy::Table,
            ProofMethod::First => ProvedBy::Either(true),
            ProofMethod::Second => ProvedBy::Either(false),
            ProofMethod::Then => ProvedBy::Branch(true),
            ProofMethod::Else => ProvedBy::Branch(false),
            ProofMethod::Refuted => ProvedBy::Refuted,
            ProofMethod::Found(count) => ProvedBy::Found(count),
        }
    }
}
