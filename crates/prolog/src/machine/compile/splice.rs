//! Puts the code of a small procedure in place of a call of it.
//!
//! The arguments stay in the slots where they are, and the frame grows by the slots of the callee. If the
//! last call of the callee is a call of itself, the copy is a loop, and so is a predicate whose helper calls
//! it back. Steps are counted as for the calls, and messages name the same predicates.

use crate::machine::compile::calls::moves;
use crate::machine::compile::{Draft, MOST_SLOTS, SmallProc};
use crate::machine::ir::{
    ARGS, FAIL, From, HEIGHT, Label, LinkedCode, NO_MOVES, Op, Operand, Site, Slot, TemplatePart,
};
use alphorn_lang::lang::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The most operations of a procedure that replaces its last calls.
const MOST_FOR_LAST: usize = 40;
/// The most operations of a procedure that replaces its other calls.
const MOST_FOR_CALL: usize = 24;
/// The most operations of a procedure after its calls are replaced.
const MOST_SPLICED: usize = 200;
/// The most arguments of a procedure that replaces its calls.
const MOST_ARGS: usize = 32;

impl SmallProc {
    /// A copy of a draft, if its code may replace calls.
    pub(super) fn of(unit: &LinkedCode, program: &Program, number: u32, draft: &Draft) -> Option<SmallProc> {
        let proc = &unit.procs[number as usize];
        let pred = proc.pred.filter(|pred| !program.predicate(*pred).tabled)?;
        let has_own_frame = |op: &Op| match op {
            Op::Call { proc, .. } => *proc == number,
            Op::Catch { .. } | Op::ExitCatch | Op::Caught | Op::TailMeta { .. } => true,
            _ => false,
        };
        if draft.ops.len() > MOST_FOR_LAST || proc.modes.len() > MOST_ARGS || draft.ops.iter().any(has_own_frame) {
            return None;
        }
        if !is_loop(unit, number, draft) {
            return None;
        }
        let arity = proc.modes.len();
        let mut written = FxHashSet::default();
        for op in &draft.ops {
            if let Op::TailCall { proc, args, count, .. } = *op
                && proc == number
            {
                for (arg, operand) in (ARGS..).zip(&unit.operands[args as usize..][..usize::from(count)]) {
                    if operand.from() != From::Slot(arg) {
                        written.insert(arg);
                    }
                }
                continue;
            }
            op.slots(unit, &mut |_| (), &mut |slot| {
                written.insert(slot);
            });
        }
        let tables = draft.tables.iter().map(|table| (*table, unit.tables[*table as usize].clone())).collect();
        let draft = Draft {
            ops: draft.ops.clone(),
            labels: draft.labels.clone(),
            sites: draft.sites.clone(),
            tables: draft.tables.clone(),
            size: draft.size,
            ..Draft::default()
        };
        Some(SmallProc { pred, draft, tables, written, arity })
    }
}

/// Whether the last calls of itself in a procedure can become jumps: no choice point is left by then whose
/// alternative needs the slots of this round.
fn is_loop(unit: &LinkedCode, number: u32, draft: &Draft) -> bool {
    let own = |op: &Op| matches!(op, Op::TailCall { proc, .. } if *proc == number);
    if !draft.ops.iter().any(own) {
        return true;
    }
    // A point of the code, whether a choice point may be left there, and the heights that were saved when
    // none was left.
    let mut seen = FxHashSet::default();
    let mut open: Vec<(usize, bool, Vec<Slot>)> = vec![(0, false, Vec::new())];
    while let Some(point) = open.pop() {
        if !seen.insert(point.clone()) {
            continue;
        }
        let (at, mut is_left, mut heights) = point;
        let Some(op) = draft.ops.get(at) else { continue };
        match op {
            Op::TailCall { args, count, .. } if own(op) => {
                let moves = unit.operands.get(*args as usize + usize::from(*count));
                if is_left || moves.is_none_or(|moves| *moves == NO_MOVES) {
                    return false;
                }
            }
            Op::Height { d } if is_left => heights.retain(|height| height != d),
            Op::Height { d } if !heights.contains(d) => heights.push(*d),
            Op::CutTo { s } if heights.contains(s) => is_left = false,
            Op::Push { alt, .. } => {
                // The alternative begins without the choice point.
                if *alt != FAIL {
                    open.push((draft.labels[*alt as usize] as usize, is_left, heights.clone()));
                }
                is_left = true;
            }
            Op::Call { .. }
            | Op::Meta { .. }
            | Op::Many { .. }
            | Op::Again { .. }
            | Op::Count { .. }
            | Op::CountOn { .. }
            | Op::SoftCut { .. }
            | Op::Begin { .. } => is_left = true,
            _ => {}
        }
        let mut next = Vec::new();
        match op {
            Op::Push { .. } => {}
            Op::Switch { table, .. } => {
                let table = &unit.tables[*table as usize];
                next.extend(table.keys.iter().map(|(_, label)| *label));
                next.extend([table.list, table.rest, table.unbound]);
            }
            op => (*op).clone().edges(|label| next.push(*label)),
        }
        next.retain(|label| *label != FAIL);
        open.extend(next.iter().map(|label| (draft.labels[*label as usize] as usize, is_left, heights.clone())));
        if !op.ends_block() {
            open.push((at + 1, is_left, heights));
        }
    }
    true
}

/// New names for the slots and labels of a procedure in the code of another, or, without `small`, for
/// the values of outputs that became slots.
pub(super) struct Renaming<'a> {
    unit: &'a mut LinkedCode,
    small: Option<&'a SmallProc>,
    /// The slots of the arguments.
    args: Vec<Slot>,
    base: Slot,
    labels: Label,
    /// The slots for the values of output cells.
    values: Option<&'a FxHashMap<Slot, Slot>>,
}

impl<'a> Renaming<'a> {
    /// Reads the values of some output cells in slots.
    pub(super) fn of_outputs(unit: &'a mut LinkedCode, values: &'a FxHashMap<Slot, Slot>) -> Renaming<'a> {
        Renaming { unit, small: None, args: Vec::new(), base: 0, labels: 0, values: Some(values) }
    }

    fn slot(&self, slot: Slot) -> Slot {
        if self.small.is_none() {
            return slot;
        }
        match slot.checked_sub(ARGS).and_then(|at| self.args.get(usize::from(at))) {
            Some(arg) => *arg,
            None if slot < HEIGHT => slot,
            None => self.base + slot,
        }
    }

    fn label(&self, label: Label) -> Label {
        if label == FAIL || self.small.is_none() { label } else { self.labels + label }
    }

    fn operand(&self, operand: Operand) -> Operand {
        Operand::of(match operand.from() {
            From::Slot(slot) => From::Slot(self.slot(slot)),
            From::Field(slot, at) => From::Field(self.slot(slot), at),
            From::Cell(slot) => match self.values.and_then(|values| values.get(&slot)) {
                Some(value) => From::Slot(*value),
                None => From::Cell(self.slot(slot)),
            },
            From::Fresh(slot) => From::Fresh(self.slot(slot)),
            From::Const(number) => From::Const(number),
        })
    }

    /// Copies a list of operands, and returns the index of the copy.
    fn list(&mut self, start: &mut u32, count: u16) {
        let end = *start + u32::from(count);
        let copy: Vec<Operand> = (*start..end).map(|at| self.operand(self.unit.operands[at as usize])).collect();
        *start = self.unit.operands.len() as u32;
        self.unit.operands.extend(copy);
    }

    fn site(&mut self, site: &Site) -> Site {
        let mut site = site.clone();
        if let Some((start, count)) = &mut site.args {
            self.list(start, *count);
        }
        site
    }

    fn table(&mut self, table: &mut u32, tables: &mut Vec<u32>) {
        let Some(mut copy) = self.small.and_then(|small| small.tables.get(table)).cloned() else { return };
        copy.labels().for_each(|label| *label = self.label(*label));
        *table = self.unit.tables.len() as u32;
        self.unit.tables.push(copy);
        tables.push(*table);
    }

    fn formula(&mut self, number: &mut u32) {
        let mut copy = self.unit.formulas[*number as usize].clone();
        self.list(&mut copy.args, copy.count);
        *number = self.unit.formulas.len() as u32;
        self.unit.formulas.push(copy);
    }

    /// The moves of a last call, which lie behind its operands, as operations.
    fn moves(&self, start: usize) -> Vec<Op> {
        let count = self.unit.operands[start].0 as usize;
        let pairs = self.unit.operands[start + 1..][..2 * count].chunks(2);
        pairs.map(|pair| Op::Move { d: self.slot(pair[0].0 as Slot), v: self.operand(pair[1]) }).collect()
    }

    /// Renames the slots, labels and lists of an operation.
    pub(super) fn op(&mut self, op: &mut Op, tables: &mut Vec<u32>) {
        op.edges(|label| *label = self.label(*label));
        match op {
            Op::Call { args, count, .. }
            | Op::Meta { args, count, .. }
            | Op::TailMeta { args, count, .. }
            | Op::Once { args, count, .. } => self.list(args, *count),
            Op::TailCall { args, count, .. } => {
                self.list(args, *count);
                let parts = self.unit.operands[*args as usize..].to_vec();
                self.unit.operands.extend(moves(&parts));
            }
            Op::Many { args, count, state, .. } | Op::Again { args, count, state, .. } => {
                self.list(args, *count);
                *state = self.slot(*state);
            }
            Op::Catch { args, count, .. } => self.list(args, *count),
            Op::PutArg { d, args, .. } => {
                self.list(args, 3);
                *d = self.slot(*d);
            }
            Op::Build { d, args, count, .. } => {
                self.list(args, *count);
                *d = self.slot(*d);
            }
            Op::Height { d } | Op::NewVar { d } | Op::Unpack { d, .. } => *d = self.slot(*d),
            Op::CutTo { s }
            | Op::SoftCut { s }
            | Op::IsConst { s, .. }
            | Op::FieldIs { s, .. }
            | Op::IsList { s, .. }
            | Op::IsStruct { s, .. }
            | Op::Is { s, .. }
            | Op::IsSolid { s, .. } => *s = self.slot(*s),
            Op::Switch { s, table } => {
                *s = self.slot(*s);
                self.table(table, tables);
            }
            Op::Keep { v, .. } | Op::CheckList { v } => *v = self.operand(*v),
            Op::End { d, tail: v } | Op::Move { d, v } | Op::Deref { d, v } => {
                (*d, *v) = (self.slot(*d), self.operand(*v));
            }
            Op::Rest { d, s, .. } | Op::Load { d, s, .. } | Op::OutVar { d, s } => {
                (*d, *s) = (self.slot(*d), self.slot(*s));
            }
            Op::Same { a, b, .. } | Op::Differ { a, b, .. } | Op::UnifyAny { a, b } => {
                (*a, *b) = (self.operand(*a), self.operand(*b));
            }
            Op::Order { d, a, b, .. } => {
                (*d, *a, *b) = (self.slot(*d), self.operand(*a), self.operand(*b));
            }
            Op::Cons { d, head, tail } => {
                (*d, *head, *tail) = (self.slot(*d), self.operand(*head), self.operand(*tail));
            }
            Op::Out { s, v: part } | Op::OutCons { s, head: part } => {
                (*s, *part) = (self.slot(*s), self.operand(*part));
            }
            Op::Add { d, a, b, .. } | Op::Sub { d, a, b, .. } | Op::Arith { d, a, b, .. } => {
                (*d, *a, *b) = (self.slot(*d), self.slot(*a), self.slot(*b));
            }
            Op::AddK { d, a, .. } => (*d, *a) = (self.slot(*d), self.slot(*a)),
            Op::Compare { a, b, .. } => (*a, *b) = (self.slot(*a), self.slot(*b)),
            Op::CompareK { a, .. } => *a = self.slot(*a),
            Op::Count { d, high, .. } | Op::CountOn { d, high, .. } => {
                (*d, *high) = (self.slot(*d), self.slot(*high));
            }
            Op::Eval { d, formula, .. } => {
                *d = self.slot(*d);
                self.formula(formula);
            }
            Op::EvalCompare { formula, .. } => self.formula(formula),
            Op::Find { row, key, .. } => (*row, *key) = (self.slot(*row), self.operand(*key)),
            Op::Column { d, row, .. } => (*d, *row) = (self.slot(*d), self.slot(*row)),
            Op::Arg { d, i, t, .. } => (*d, *i, *t) = (self.slot(*d), self.slot(*i), self.slot(*t)),
            Op::ArgK { d, t, .. } | Op::Arity { d, t, .. } => (*d, *t) = (self.slot(*d), self.slot(*t)),
            Op::Unify { s, template } => {
                *s = self.slot(*s);
                let mut copy = self.unit.templates[*template as usize].clone();
                for part in &mut *copy {
                    if let TemplatePart::First(slot) | TemplatePart::Value(slot) = part {
                        *slot = self.slot(*slot);
                    }
                }
                *template = self.unit.templates.len() as u32;
                self.unit.templates.push(copy);
            }
            Op::Fail
            | Op::Proceed
            | Op::Jump { .. }
            | Op::Answer
            | Op::Exhausted
            | Op::Unknown { .. }
            | Op::Push { .. }
            | Op::ExitCatch
            | Op::Caught
            | Op::Begin { .. }
            | Op::Step { .. } => {}
        }
    }
}

/// A call to replace.
struct Replaced<'a> {
    at: usize,
    proc: u32,
    args: u32,
    last: bool,
    callee: &'a SmallProc,
}

/// Replaces the calls of small procedures in a draft.
pub(super) fn splice(unit: &mut LinkedCode, number: u32, draft: &mut Draft, small: &FxHashMap<u32, Rc<SmallProc>>) {
    // The operations that came from other procedures: where they begin, and these procedures.
    let mut parts: Vec<(usize, Vec<u32>)> = vec![(0, vec![number])];
    let mut at = 0;
    while at < draft.ops.len() {
        let op = draft.ops[at];
        if let Op::TailCall { proc, args, count, .. } | Op::Call { proc, args, count, .. } = op
            && let Some(callee) = small.get(&proc)
            && callee.arity == usize::from(count)
        {
            let last = matches!(op, Op::TailCall { .. });
            let (_, around) = &parts[parts.partition_point(|(from, _)| *from <= at) - 1];
            let most = if last { MOST_FOR_LAST } else { MOST_FOR_CALL };
            let is_small = callee.draft.ops.len() <= most
                && draft.ops.len() + callee.draft.ops.len() + callee.arity < MOST_SPLICED
                && draft.size < MOST_SLOTS / 2;
            if is_small && !around.contains(&proc) {
                let around = [around.as_slice(), &[proc]].concat();
                parts.push((draft.ops.len(), around));
                replace(unit, draft, &Replaced { at, proc, args, last, callee });
            }
        }
        at += 1;
    }
}

/// Replaces a call by a jump to a copy of its callee, behind all other code.
fn replace(unit: &mut LinkedCode, draft: &mut Draft, call: &Replaced<'_>) {
    let &Replaced { at, last, callee, .. } = call;
    let begin = draft.labels.len() as Label;
    draft.labels.extend([draft.ops.len() as u32, at as u32 + 1]);
    let back = begin + 1;
    draft.ops[at] = Op::Jump { to: begin };
    let place = draft.sites.iter().find(|site| site.at as usize == at).cloned();
    let mut outer = place.as_ref().and_then(|site| site.outer);
    if let Some(site) = place {
        if !last {
            outer = Some(unit.outer.len() as u32);
            unit.outer.push(site.clone());
        }
        draft.sites.push(Site { at: draft.ops.len() as u32, last: false, ..site });
    }
    draft.ops.push(Op::Step { count: 1 });
    let base = draft.size;
    draft.size = base + callee.draft.size;
    let slots = pass(unit, draft, (call, base));
    let labels = draft.labels.len() as Label;
    let again = labels + callee.draft.labels.len() as Label;
    let mut code = Vec::new();
    let mut renaming = Renaming { unit, small: Some(callee), args: slots, base, labels, values: None };
    let mut places = Vec::with_capacity(callee.draft.ops.len() + 1);
    for op in &callee.draft.ops {
        places.push((draft.ops.len() + code.len()) as u32);
        if let Op::TailCall { proc, args, count, .. } = *op
            && proc == call.proc
        {
            code.push(Op::Step { count: 1 });
            code.extend(renaming.moves(args as usize + usize::from(count)));
            code.push(Op::Jump { to: again });
            continue;
        }
        let mut copy = *op;
        renaming.op(&mut copy, &mut draft.tables);
        match copy {
            Op::Proceed if !last => code.push(Op::Jump { to: back }),
            Op::TailCall { proc, args, count, size } if !last => {
                code.extend([Op::Call { proc, args, count, size }, Op::Jump { to: back }]);
            }
            _ => code.push(copy),
        }
    }
    places.push((draft.ops.len() + code.len()) as u32);
    // Some labels are never placed.
    let place = |label: &u32| places.get(*label as usize).copied().unwrap_or(*label);
    draft.labels.extend(callee.draft.labels.iter().map(place));
    draft.labels.push(places[0]);
    if callee.draft.sites.first().is_none_or(|site| site.at > 0) {
        let nowhere = Site { within: Some(callee.pred), outer, ..Site::nowhere(places[0]) };
        draft.sites.push(nowhere);
    }
    for site in &callee.draft.sites {
        let old = callee.draft.ops[site.at as usize];
        let site = renaming.site(site);
        // After a last call the callee has no place of its own.
        let is_last = site.last || !last && matches!(old, Op::TailCall { proc, .. } if proc != call.proc);
        let within = site.within.or(Some(callee.pred));
        draft.sites.push(Site { at: places[site.at as usize], last: is_last, within, outer, ..site });
    }
    draft.ops.extend(code);
}

/// Passes the arguments of a call to its copied callee. Returns the slots of the arguments.
fn pass(unit: &LinkedCode, draft: &mut Draft, (call, base): (&Replaced<'_>, Slot)) -> Vec<Slot> {
    let callee = call.callee;
    let given = &unit.operands[call.args as usize..call.args as usize + callee.arity];
    let pass = |(arg, v): (Slot, &Operand)| match v.from() {
        From::Slot(slot) if !callee.written.contains(&arg) => slot,
        _ => {
            draft.ops.push(Op::Move { d: base + arg, v: *v });
            base + arg
        }
    };
    (ARGS..).zip(given).map(pass).collect()
}
