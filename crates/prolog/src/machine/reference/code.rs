//! The clause code of the reference solver: templates of terms, and a list of steps.
//!
//! A resolved clause becomes [`ClauseCode`]. Each goal is one step; control constructs become jumps and
//! choice points. Nothing is specialised, so that the code obviously equals the clause.

use crate::machine::reference::index::{ANY, KEYS, term_key};
use crate::machine::{BuiltinCode, SolverBuiltin};
use crate::term::heap::{FUNCTOR, Heap, header};
use crate::term::{LST, Term};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId};
use alphorn_text::signature::BuiltinId;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

/// A term of a clause, in prefix order: see [`TemplateOp`].
pub type Template = Box<[TemplateOp]>;

/// A part of a template.
#[derive(Clone, Copy, Debug)]
pub enum TemplateOp {
    /// A variable of the clause.
    Slot(u32),
    /// A term without variables.
    Const(Term),
    /// A list cell. Its parts follow; the number counts all operations with this one.
    Cons(u32),
    /// A structure. Its arguments follow; the last number counts all operations with this one.
    Struct(Atom, u32, u32),
}

/// A step of a body.
#[derive(Debug)]
pub enum BodyStep {
    /// Calls a predicate of the program.
    Call(PredId, Box<[Template]>, Span),
    /// Calls a builtin.
    Native(BuiltinId, Box<[Template]>, Span),
    /// Calls a term with further arguments.
    Meta(Box<[Template]>, Span),
    /// `catch/3`.
    Catch(Box<[Template]>, Span),
    /// Raises an existence error.
    Unknown(Atom, usize, Span),
    /// Stores the height of the choice points in a slot.
    Mark(u32),
    /// Stores the height, and creates a choice point that continues at another step.
    Try(u32, u32),
    /// Removes the choice points since a mark.
    Commit(u32),
    /// Removes the alternative of a `Try`, and keeps later choice points.
    SoftCommit(u32),
    /// Removes the choice points of the clause.
    Cut,
    /// Continues at another step.
    Jump(u32),
    /// Fails.
    Fail,
    /// Begins to collect solutions; the number is the step after the list is built.
    Findall(Box<[Template]>, u32, Span),
    /// Keeps a solution, and fails.
    Collect(Template),
    /// Leaves a `catch/3`.
    ExitCatch,
    /// Records an answer of a table, and fails.
    TableAnswer,
    /// Leaves the box of a watched goal.
    LeaveBox,
    /// Returns an answer to the caller of the solver.
    Answer,
    /// Returns to the parent frame.
    Proceed,
}

impl BodyStep {
    /// The span of the goal; `None` for a goal in no text.
    pub fn span(&self) -> Option<Span> {
        match self {
            BodyStep::Call(_, _, span)
            | BodyStep::Native(_, _, span)
            | BodyStep::Meta(_, span)
            | BodyStep::Catch(_, span)
            | BodyStep::Unknown(_, _, span)
            | BodyStep::Findall(_, _, span) => Some(*span).filter(|span| span.end > span.start),
            _ => None,
        }
    }
}

/// A clause ready to run.
#[derive(Debug)]
pub struct ClauseCode {
    /// The predicate, if there is one.
    pub pred: Option<PredId>,
    /// One template for each argument.
    pub head: Box<[Template]>,
    /// The keys of the first arguments, see `index.rs`.
    pub keys: [u64; KEYS],
    /// The steps.
    pub body: Box<[BodyStep]>,
    /// Number of slots of a frame.
    pub slots: u32,
    /// Number of slots that hold variables of the clause.
    pub variables: u32,
}

impl ClauseCode {
    /// Internal steps of the solver.
    pub fn internal(body: Vec<BodyStep>, slots: u32) -> ClauseCode {
        ClauseCode {
            pred: None,
            head: Box::new([]),
            keys: Default::default(),
            body: body.into(),
            slots,
            variables: slots,
        }
    }
}

/// Compiles a clause. Constants are built in `heap`, which must outlive the code.
pub fn compile(pred: PredId, clause: &Clause, runs: &[BuiltinCode], heap: &mut Heap) -> ClauseCode {
    let compiler = Compiler::new(&clause.tree, runs, heap);
    let head: Box<[Template]> = clause.tree.args(clause.head).iter().map(|arg| compiler.template(*arg)).collect();
    let keys = clause_keys(&head, compiler.heap);
    let (body, slots) = compiler.body(&clause.body);
    ClauseCode { pred: Some(pred), head, keys, body, slots, variables: clause.tree.variables.len() as u32 }
}

/// The keys of the first arguments of a head.
fn clause_keys(head: &[Template], heap: &Heap) -> [u64; KEYS] {
    let mut keys = [ANY; KEYS];
    for (key, template) in keys.iter_mut().zip(head) {
        *key = match template[0] {
            TemplateOp::Slot(_) => ANY,
            TemplateOp::Const(term) => term_key(heap, term),
            TemplateOp::Cons(_) => LST,
            TemplateOp::Struct(name, arity, _) => header(FUNCTOR, u64::from(arity), u64::from(name.number())),
        };
    }
    keys
}

/// Compiles a goal that belongs to no clause; `last` is its final step.
pub fn compile_goal(tree: &TermTree, goal: &Goal, runs: &[BuiltinCode], heap: &mut Heap, last: BodyStep) -> ClauseCode {
    let mut compiler = Compiler::new(tree, runs, heap);
    compiler.goal(goal, CutBarrier::Clause);
    compiler.steps.push(last);
    let slots = compiler.slots;
    ClauseCode { variables: tree.variables.len() as u32, ..ClauseCode::internal(compiler.steps, slots) }
}

/// The choice points that a cut removes.
#[derive(Clone, Copy)]
enum CutBarrier {
    Clause,
    Slot(u32),
}

struct Compiler<'a> {
    tree: &'a TermTree,
    runs: &'a [BuiltinCode],
    heap: &'a mut Heap,
    steps: Vec<BodyStep>,
    slots: u32,
    /// Terms without variables, by node.
    constants: Vec<Option<Term>>,
}

impl<'a> Compiler<'a> {
    fn new(tree: &'a TermTree, runs: &'a [BuiltinCode], heap: &'a mut Heap) -> Compiler<'a> {
        let mut constants: Vec<Option<Term>> = Vec::with_capacity(tree.len());
        for (id, kind) in tree.nodes() {
            let constant = match kind {
                TermKind::Var(_) => None,
                TermKind::Atom(name) => Some(Term::atom(*name)),
                TermKind::Int(value) => Some(heap.integer(*value)),
                TermKind::Big(value) => Some(heap.big(value)),
                TermKind::Float(value) => Some(heap.float(*value)),
                TermKind::Text(text) => Some(heap.text(text)),
                TermKind::Compound(name, _) => {
                    let args: Option<Vec<Term>> = tree.args(id).iter().map(|arg| constants[arg.0 as usize]).collect();
                    args.map(|args| heap.structure(*name, &args))
                }
            };
            constants.push(constant);
        }
        Compiler { tree, runs, heap, steps: Vec::new(), slots: tree.variables.len() as u32, constants }
    }

    fn template(&self, root: NodeId) -> Template {
        let mut ops = Vec::new();
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut stack = vec![root];
        while let Some(at) = stack.pop() {
            let op = match (self.constants[at.0 as usize], self.tree.kind(at)) {
                (Some(constant), _) => TemplateOp::Const(constant),
                (None, TermKind::Var(number)) => TemplateOp::Slot(*number),
                (None, _) => {
                    let args = self.tree.args(at);
                    open.push((ops.len(), args.len()));
                    stack.extend(args.iter().rev());
                    match self.tree.functor(at) {
                        Some((atoms::DOT, 2)) => TemplateOp::Cons(0),
                        Some((name, arity)) => TemplateOp::Struct(name, arity as u32, 0),
                        None => unreachable!("every other kind of node is constant"),
                    }
                }
            };
            let leaf = matches!(op, TemplateOp::Slot(_) | TemplateOp::Const(_));
            ops.push(op);
            if leaf {
                close(&mut ops, &mut open);
            }
        }
        ops.into()
    }

    fn templates(&self, nodes: &[NodeId]) -> Box<[Template]> {
        nodes.iter().map(|node| self.template(*node)).collect()
    }

    fn body(mut self, goal: &Goal) -> (Box<[BodyStep]>, u32) {
        self.goal(goal, CutBarrier::Clause);
        self.steps.push(BodyStep::Proceed);
        (self.steps.into(), self.slots)
    }

    fn slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    fn here(&self) -> u32 {
        self.steps.len() as u32
    }

    fn goal(&mut self, goal: &Goal, barrier: CutBarrier) {
        stacker::maybe_grow(64 << 10, 4 << 20, || self.construct(goal, barrier));
    }

    fn construct(&mut self, goal: &Goal, barrier: CutBarrier) {
        match goal {
            Goal::True => {}
            Goal::Fail => self.steps.push(BodyStep::Fail),
            Goal::Cut => self.steps.push(match barrier {
                CutBarrier::Clause => BodyStep::Cut,
                CutBarrier::Slot(slot) => BodyStep::Commit(slot),
            }),
            Goal::Conj(goals) => goals.iter().for_each(|goal| self.goal(goal, barrier)),
            Goal::Or(left, right) => {
                let slot = self.slot();
                let branch = self.branch(slot);
                self.goal(left, barrier);
                self.otherwise(branch, |compiler| compiler.goal(right, barrier));
            }
            Goal::If(condition, then, other) => self.conditional(condition, then, other, barrier, BodyStep::Commit),
            Goal::SoftIf(condition, then, other) => {
                self.conditional(condition, then, other, barrier, BodyStep::SoftCommit)
            }
            Goal::Not(inner) => {
                let slot = self.slot();
                let branch = self.branch(slot);
                self.scope(inner);
                self.steps.extend([BodyStep::Commit(slot), BodyStep::Fail]);
                self.patch(branch);
            }
            Goal::Scope(inner) => self.scope(inner),
            Goal::Findall { template, goal, list, tail, span } => {
                let nodes: Vec<NodeId> = [*list].into_iter().chain(*tail).collect();
                let begin = self.steps.len();
                self.steps.push(BodyStep::Fail);
                self.scope(goal);
                self.steps.push(BodyStep::Collect(self.template(*template)));
                self.steps[begin] = BodyStep::Findall(self.templates(&nodes), self.here(), *span);
            }
            Goal::Meta(node, span) => self.steps.push(BodyStep::Meta(self.templates(&[*node]), *span)),
            Goal::Call { callee, args, span } => self.call(*callee, args, *span),
        }
    }

    fn call(&mut self, callee: Callee, args: &[NodeId], span: Span) {
        let args = self.templates(args);
        self.steps.push(match callee {
            Callee::User(pred) => BodyStep::Call(pred, args, span),
            Callee::Unknown(name, arity) => BodyStep::Unknown(name, arity, span),
            Callee::Native(id) => match self.runs[usize::from(id.0)] {
                BuiltinCode::Solver(SolverBuiltin::Call) => BodyStep::Meta(args, span),
                BuiltinCode::Solver(SolverBuiltin::Catch) => BodyStep::Catch(args, span),
                _ => BodyStep::Native(id, args, span),
            },
        });
    }

    /// Compiles a goal whose cuts are local.
    fn scope(&mut self, goal: &Goal) {
        let slot = self.slot();
        self.steps.push(BodyStep::Mark(slot));
        self.goal(goal, CutBarrier::Slot(slot));
    }

    fn conditional(
        &mut self,
        condition: &Goal,
        then: &Goal,
        other: &Goal,
        barrier: CutBarrier,
        commit: fn(u32) -> BodyStep,
    ) {
        let slot = self.slot();
        let branch = self.branch(slot);
        self.scope(condition);
        self.steps.push(commit(slot));
        self.goal(then, barrier);
        self.otherwise(branch, |compiler| compiler.goal(other, barrier));
    }

    fn branch(&mut self, slot: u32) -> usize {
        self.steps.push(BodyStep::Try(slot, 0));
        self.steps.len() - 1
    }

    fn otherwise(&mut self, branch: usize, other: impl FnOnce(&mut Self)) {
        self.steps.push(BodyStep::Jump(0));
        let jump = self.steps.len() - 1;
        self.patch(branch);
        other(self);
        self.patch(jump);
    }

    fn patch(&mut self, at: usize) {
        let here = self.here();
        match &mut self.steps[at] {
            BodyStep::Try(_, target) | BodyStep::Jump(target) => *target = here,
            _ => unreachable!("only branches and jumps are patched"),
        }
    }
}

/// Sets the length of every compound whose last part was just written.
fn close(ops: &mut [TemplateOp], open: &mut Vec<(usize, usize)>) {
    let end = ops.len();
    while let Some((at, missing)) = open.last_mut() {
        *missing -= 1;
        if *missing > 0 {
            return;
        }
        let at = *at;
        match &mut ops[at] {
            TemplateOp::Cons(length) | TemplateOp::Struct(_, _, length) => *length = (end - at) as u32,
            TemplateOp::Slot(_) | TemplateOp::Const(_) => unreachable!("only compounds are opened"),
        }
        open.pop();
    }
}
