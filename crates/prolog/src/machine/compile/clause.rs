//! Writes the code of one procedure: its clauses and their alternatives.
//!
//! The output is a [`Draft`]. This file has the functions that all parts of the compiler share.
//! `select.rs` chooses the clauses to try, `control.rs` writes goals, `terms.rs` writes terms.

use crate::machine::compile::state::{Alternative, AlternativeStatus, Barrier, CompileState, KnownValue, Pending, Var};
use crate::machine::compile::{Constants, Draft, Library, MOST_SLOTS, TooLarge};
use crate::machine::ir::{ARGS, FAIL, From, HEIGHT, Label, MAX_CONST, MAX_FIELD, Mode, Op, Operand, Site, Slot};
use crate::term::Term;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Clause, Goal, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The slow path of an operation, a call of the builtin. It is written at the end of the clause.
pub(super) struct SlowPath<'a> {
    /// The clause that the operation belongs to.
    pub tree: &'a TermTree,
    pub ground: Rc<Vec<bool>>,
    pub inside: Option<(PredId, bool)>,
    pub label: Label,
    pub back: Label,
    /// The builtin, and its arguments in the clause.
    pub id: alphorn_text::signature::BuiltinId,
    pub args: Vec<NodeId>,
    /// The result argument and the slot of the result.
    pub result: Option<(usize, Slot)>,
    pub or: Label,
    pub span: Span,
    /// The variables as they are at the operation.
    pub vars: Vec<(u32, Var)>,
    /// Whether the builtin may have further answers.
    pub many: bool,
    /// A formula that is tried before the builtin.
    pub formula: Option<u32>,
}

/// Returns which nodes of a tree have no variables.
pub(super) fn ground(tree: &TermTree) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(tree.len());
    for (id, kind) in tree.nodes() {
        found.push(match kind {
            TermKind::Var(_) => false,
            TermKind::Compound(..) => tree.args(id).iter().all(|arg| found[arg.0 as usize]),
            _ => true,
        });
    }
    found
}

/// Writes the code of one procedure.
pub(super) struct Emitter<'a, 'h> {
    pub library: &'a mut Library,
    pub constants: &'a mut Constants<'h>,
    pub program: &'a Program,
    pub number: u32,
    pub modes: Box<[Mode]>,
    pub draft: Draft,
    pub tree: &'a TermTree,
    /// Which nodes of the tree have no variables.
    pub ground: Rc<Vec<bool>>,
    /// The number of occurrences of each variable in the clause.
    pub counts: Vec<u32>,
    pub state: CompileState,
    /// The slot of each variable, the same in every branch.
    pub own: Vec<Option<Slot>>,
    pub later: Vec<SlowPath<'a>>,
    /// The predicate whose body is unfolded here, and whether its call is the last goal of the
    /// clause.
    pub inside: Option<(PredId, bool)>,
    pub next: Slot,
    /// The first slot that a clause may use.
    pub first: Slot,
    /// Cells fetched once for all clauses: the compound's slot and the offset, and the slot of the
    /// cell.
    pub fetched: FxHashMap<(Slot, u16), Slot>,
    /// Slots whose first symbol is tested for all clauses: a header, or the tag of a list.
    pub fits: FxHashMap<Slot, u64>,
    /// Counts operations that may leave choice points.
    pub activity: u32,
    /// The value of `activity` at the start of the clause.
    pub begun: u32,
    /// Whether choice points were created in the wrong order. The code must be written again.
    pub conflict: bool,
    pub needs_height: bool,
    /// Whether a list with an open tail was passed on since the last reset: see `Proc::holes`.
    pub holes: bool,
    pub too_large: bool,
    /// Whether the current goal never succeeds. Its effect on outputs does not matter then.
    pub hopeless: bool,
    /// Whether a call of the predicate itself reads its table.
    pub asks_table: bool,
    /// The first variable of each test of ground variables that is being written.
    pub tested: FxHashSet<NodeId>,
    /// The span of the current goal.
    pub span: Span,
}

impl<'a, 'h> Emitter<'a, 'h> {
    pub fn new(
        library: &'a mut Library,
        constants: &'a mut Constants<'h>,
        program: &'a Program,
        number: u32,
        tree: &'a TermTree,
    ) -> Emitter<'a, 'h> {
        let modes = library.unit.procs[number as usize].modes.clone();
        let mut emitter = Emitter {
            library,
            constants,
            program,
            number,
            draft: Draft { labels: vec![FAIL], size: ARGS + modes.len() as Slot, ..Draft::default() },
            tree,
            ground: Rc::default(),
            counts: Vec::new(),
            state: CompileState::default(),
            own: Vec::new(),
            later: Vec::new(),
            inside: None,
            next: ARGS + modes.len() as Slot,
            first: ARGS + modes.len() as Slot,
            fetched: FxHashMap::default(),
            fits: FxHashMap::default(),
            modes,
            activity: 0,
            begun: 0,
            conflict: false,
            needs_height: false,
            holes: false,
            too_large: false,
            hopeless: false,
            asks_table: false,
            tested: FxHashSet::default(),
            span: alphorn_text::source::Span { source: alphorn_text::source::SourceId(0), start: 0, end: 0 },
        };
        emitter.open_tree(tree);
        emitter
    }

    pub(super) fn count_in(&mut self, goal: &Goal, head: Option<NodeId>) {
        let mut counts = std::mem::take(&mut self.counts);
        self.mentioned(goal, head, &mut counts);
        self.counts = counts;
    }

    fn open_tree(&mut self, tree: &'a TermTree) {
        self.tree = tree;
        self.ground = Rc::new(ground(tree));
        self.state.vars = vec![Var::default(); tree.variables.len()];
        self.own = vec![None; tree.variables.len()];
        self.state.pending.clear();
        self.next = self.first;
    }

    /// Writes a goal that belongs to no clause. Its variables are the arguments. If a user `asked`
    /// the goal, its last call is no tail call, so its frame remains for messages.
    pub fn goal(mut self, goal: &Goal, asked: bool) -> Result<Draft, TooLarge> {
        self.counts = vec![1; self.modes.len()];
        self.count_in(goal, None);
        for at in 0..self.modes.len() {
            self.begin_argument(at, at as u32);
        }
        self.state.alternatives =
            vec![Alternative { label: FAIL, status: AlternativeStatus::Gone, condition: false, height: None }];
        let barrier = Barrier { keep: 0, height: None, activity: self.activity };
        self.write(goal, barrier, !asked);
        if asked {
            self.proceed();
        }
        self.write_slow_paths();
        self.finish()
    }

    /// Declares a variable that is an argument of the head.
    fn begin_argument(&mut self, at: usize, var: u32) {
        let slot = ARGS + at as Slot;
        let known = &mut self.state.vars[var as usize];
        match self.modes[at] {
            Mode::Out => known.out = Some((at, slot)),
            mode => known.value = Some(KnownValue { from: From::Slot(slot), solid: mode == Mode::Solid }),
        }
    }

    /// Writes one clause. `tested` are the arguments whose first symbol is known to match.
    pub fn clause(&mut self, clause: &'a Clause, tested: &[bool], otherwise: Option<Label>) {
        self.open_tree(&clause.tree);
        self.counts = vec![0; clause.tree.variables.len()];
        self.count_in(&clause.body, Some(clause.head));
        self.begun = self.activity;
        self.state.dead = false;
        self.span = clause.tree.span(clause.head);
        let (label, status) = match otherwise {
            Some(label) => (label, AlternativeStatus::Near),
            None => (FAIL, AlternativeStatus::Gone),
        };
        self.state.alternatives = vec![Alternative { label, status, condition: false, height: None }];
        let barrier = Barrier { keep: 0, height: None, activity: self.activity };
        let args = clause.tree.args(clause.head).to_vec();
        // Ground arguments come first: their tests are cheap and need no choice point.
        for mode in [Mode::Solid, Mode::Out, Mode::Any] {
            for (at, node) in args.iter().enumerate() {
                if self.modes[at] != mode {
                    continue;
                }
                let slot = ARGS + at as Slot;
                let free = match clause.tree.kind(*node) {
                    TermKind::Var(var) => Some(*var).filter(|var| {
                        let known = &self.state.vars[*var as usize];
                        known.value.is_none() && known.out.is_none()
                    }),
                    _ => None,
                };
                match (free, mode) {
                    (Some(var), _) => self.begin_argument(at, var),
                    (None, Mode::Out) => self.state.pending.push(Pending { arg: at, slot, node: *node }),
                    (None, Mode::Solid) => self.match_solid(*node, From::Slot(slot), tested[at]),
                    (None, Mode::Any) if tested[at] => self.match_bound(*node, slot),
                    (None, Mode::Any) => self.match_any(*node, From::Slot(slot)),
                }
            }
        }
        self.write(&clause.body, barrier, true);
        self.write_slow_paths();
    }

    /// Completes the draft. If a cut needs the height at entry, the first operation saves it.
    pub fn finish(mut self) -> Result<Draft, TooLarge> {
        if self.too_large {
            return Err(TooLarge);
        }
        self.library.unit.procs[self.number as usize].holes |= self.holes;
        if self.needs_height {
            self.draft.ops.insert(0, Op::Height { d: HEIGHT });
            // Labels of discarded code stay unset.
            self.draft.labels.iter_mut().skip(1).for_each(|label| *label = label.saturating_add(1));
            self.draft.sites.iter_mut().for_each(|site| site.at += 1);
        }
        Ok(self.draft)
    }

    pub fn emit(&mut self, op: Op) {
        self.draft.ops.push(op);
        if self.draft.ops.len() > 4_000_000 {
            self.too_large = true;
        }
    }

    /// Records the goal of the next operation, for messages.
    pub fn site(&mut self, name: Option<Atom>, args: Option<(u32, u16)>) {
        let at = self.draft.ops.len() as u32;
        self.draft.sites.push(Site {
            at,
            exact: true,
            span: self.span,
            name,
            args,
            called: None,
            last: false,
            inside: self.inside,
            within: None,
            outer: None,
        });
    }

    pub fn note(&mut self, why: &'static str) {
        if self.inside.is_none() {
            self.draft.notes.push((self.span, why));
        }
    }

    pub fn label(&mut self) -> Label {
        self.draft.labels.push(u32::MAX);
        self.draft.labels.len() as u32 - 1
    }

    pub fn place_label(&mut self, label: Label) {
        self.draft.labels[label as usize] = self.draft.ops.len() as u32;
    }

    pub fn fresh_slot(&mut self) -> Slot {
        let slot = self.next;
        if slot >= MOST_SLOTS {
            self.too_large = true;
            return ARGS;
        }
        self.next += 1;
        self.draft.size = self.draft.size.max(self.next);
        slot
    }

    pub fn operands(&mut self, operands: &[Operand]) -> u32 {
        let start = self.library.unit.operands.len() as u32;
        self.library.unit.operands.extend_from_slice(operands);
        start
    }

    pub fn word(&mut self, word: u64) -> u32 {
        let number = self.library.word(word);
        self.too_large |= number > MAX_CONST;
        number
    }

    pub fn constant(&mut self, term: Term) -> Operand {
        let number = self.word(term.0);
        Operand::of(From::Const(number))
    }

    /// Returns the label for a failing test here.
    pub fn failure_label(&self) -> Label {
        match self.state.alternatives.last() {
            Some(Alternative { label, status: AlternativeStatus::Near, .. }) => *label,
            _ => FAIL,
        }
    }

    /// Creates a choice point for every alternative, before an operation that a jump could not
    /// undo.
    pub fn push_alternatives(&mut self) {
        let alternatives = &self.state.alternatives;
        let near = |alternative: &Alternative| alternative.status == AlternativeStatus::Near;
        let first = alternatives.iter().position(near);
        if let Some(first) = first
            && alternatives[first + 1..].iter().any(|alternative| near(alternative) && alternative.condition)
        {
            self.conflict = true;
        }
        for at in 0..self.state.alternatives.len() {
            let alternative = self.state.alternatives[at];
            if alternative.status != AlternativeStatus::Near {
                continue;
            }
            if alternative.condition {
                let d = self.fresh_slot();
                self.emit(Op::Height { d });
                self.state.alternatives[at].height = Some(d);
            }
            self.emit(Op::Push { alt: alternative.label, size: 0 });
            self.state.alternatives[at].status = AlternativeStatus::Pushed;
            self.activity += 1;
        }
    }

    /// Returns whether code that runs later may need the original arguments.
    pub fn is_reentrant(&self) -> bool {
        self.state.alternatives.iter().any(|alternative| alternative.status != AlternativeStatus::Gone)
    }

    pub fn cut(&mut self, barrier: Barrier) {
        if self.activity != barrier.activity {
            let s = barrier.height.unwrap_or(HEIGHT);
            self.needs_height |= barrier.height.is_none();
            self.emit(Op::CutTo { s });
        }
        for alternative in &mut self.state.alternatives[barrier.keep..] {
            alternative.status = AlternativeStatus::Gone;
        }
    }

    /// Returns the operand of a variable that has a value.
    pub fn operand(&self, var: u32) -> Operand {
        let value = self.state.vars[var as usize].value.expect("a value is read after it is there");
        Operand::of(value.from)
    }

    /// Moves a variable's value into a slot and returns the slot.
    pub fn in_slot(&mut self, var: u32) -> Slot {
        let value = self.state.vars[var as usize].value.expect("a value is read after it is there");
        if let From::Slot(slot) = value.from {
            return slot;
        }
        let d = self.own_slot(var);
        self.move_to(d, value.from);
        self.state.vars[var as usize].value = Some(KnownValue { from: From::Slot(d), ..value });
        d
    }

    pub fn own_slot(&mut self, var: u32) -> Slot {
        match self.own[var as usize] {
            Some(slot) => slot,
            None => {
                let slot = self.fresh_slot();
                self.own[var as usize] = Some(slot);
                slot
            }
        }
    }

    pub fn move_to(&mut self, d: Slot, from: From) {
        match from {
            From::Slot(s) if s == d => {}
            From::Field(s, at) => self.emit(Op::Load { d, s, at }),
            from => self.emit(Op::Move { d, v: Operand::of(from) }),
        }
    }

    pub fn slot_of(&mut self, from: From) -> Slot {
        match from {
            From::Slot(slot) => slot,
            from => {
                let d = self.fresh_slot();
                self.move_to(d, from);
                d
            }
        }
    }

    /// Returns a cell of the compound in a slot.
    pub fn field(&mut self, s: Slot, at: usize) -> From {
        if let Some(slot) = u16::try_from(at).ok().and_then(|at| self.fetched.get(&(s, at))) {
            return From::Slot(*slot);
        }
        if at <= usize::from(MAX_FIELD) {
            return From::Field(s, at as u16);
        }
        let d = self.fresh_slot();
        match u16::try_from(at) {
            Ok(at) => self.emit(Op::Load { d, s, at }),
            Err(_) => self.too_large = true,
        }
        From::Slot(d)
    }

    /// Gives a free variable its value.
    pub fn assign(&mut self, var: u32, from: From, solid: bool) {
        if let Some((arg, slot)) = self.state.vars[var as usize].out {
            self.emit(Op::Out { s: slot, v: Operand::of(from) });
            self.weaken(arg, solid);
        }
        self.state.vars[var as usize].value = Some(KnownValue { from, solid });
    }

    /// Makes a free variable an unbound variable of the heap.
    pub fn make_variable(&mut self, var: u32) {
        let d = self.own_slot(var);
        match self.state.vars[var as usize].out {
            Some((arg, s)) => {
                self.emit(Op::OutVar { d, s });
                self.weaken(arg, false);
            }
            None => self.emit(Op::NewVar { d }),
        }
        self.state.vars[var as usize].value = Some(KnownValue { from: From::Slot(d), solid: false });
    }

    /// Records that an output may not be ground. An output is ground only if all clauses make it ground.
    pub fn weaken(&mut self, arg: usize, solid: bool) {
        if !solid && !self.hopeless {
            self.library.unit.procs[self.number as usize].solid[arg] = false;
        }
    }

    /// Writes the remaining outputs and the return.
    pub fn proceed(&mut self) {
        if self.state.dead {
            return;
        }
        self.push_alternatives();
        self.write_outputs();
        self.emit(Op::Proceed);
    }

    pub fn write_outputs(&mut self) {
        for Pending { arg, slot, node } in std::mem::take(&mut self.state.pending) {
            let (v, solid) = self.build(node);
            self.emit(Op::Out { s: slot, v });
            self.weaken(arg, solid);
        }
        for var in 0..self.state.vars.len() {
            let known = self.state.vars[var];
            if known.out.is_some() && known.value.is_none() {
                self.make_variable(var as u32);
            }
        }
    }
}
