//! Creates a choice point only where the code reaches an operation that is not a test. Until then a
//! failing test jumps to the alternative.
//!
//! Behind a choice point, the operations that cannot leave bindings or choice points are copied, and
//! the edges of failure in the copy lead to the alternative. A cut that comes first makes the choice
//! point needless; before any other operation the copy creates it, and goes on with the original. The
//! alternative of a count is the next number: the copy is a loop.

use crate::machine::compile::Draft;
use crate::machine::ir::{FAIL, From, IntComparison, Label, LinkedCode, Op, Site, Slot};
use rustc_hash::FxHashMap;

/// The most operations to copy for one choice point.
const MOST_COPIED: usize = 40;
/// The most operations of a procedure with all copies.
const MOST_WITH_COPIES: usize = 600;

/// Delays the choice points of a draft.
pub(super) fn delay(unit: &mut LinkedCode, draft: &mut Draft) {
    remove_cut(draft);
    // Inner choice points come later in the code.
    for at in (0..draft.ops.len()).rev() {
        let counted = match (draft.ops[at], draft.ops.get(at + 1)) {
            (Op::Push { alt, .. }, _) if alt != FAIL => None,
            (Op::Count { d, high, slow, .. }, Some(Op::CountOn { free, .. })) => {
                Some(Counted { at, d, high, slow, free: *free })
            }
            _ => continue,
        };
        let own = match at.checked_sub(1).map(|before| draft.ops[before]) {
            Some(Op::Height { d }) if counted.is_none() => Some(d),
            _ => None,
        };
        if draft.ops.len() > MOST_WITH_COPIES {
            continue;
        }
        let alt = match draft.ops[at] {
            Op::Push { alt, .. } => alt,
            _ => draft.labels.len() as Label,
        };
        let (ops, labels, sites) = (draft.ops.len(), draft.labels.len(), draft.sites.len());
        let (tables, all_tables) = (draft.tables.len(), unit.tables.len());
        let mut delay = Delay {
            unit,
            draft,
            alt,
            counted,
            own,
            copies: FxHashMap::default(),
            open: Vec::new(),
            waiting: Vec::new(),
            budget: MOST_COPIED,
            fails_early: false,
        };
        let written = if counted.is_some() { delay.write_count() } else { delay.write(at + 1) };
        match written {
            Some(begin) => draft.ops[at] = Op::Jump { to: begin },
            None => {
                draft.ops.truncate(ops);
                draft.labels.truncate(labels);
                draft.sites.truncate(sites);
                draft.tables.truncate(tables);
                unit.tables.truncate(all_tables);
            }
        }
    }
}

/// Removes the choice points that a cut removes at once.
fn remove_cut(draft: &mut Draft) {
    for at in 0..draft.ops.len() {
        let Op::Push { .. } = draft.ops[at] else { continue };
        let mut next = at + 1;
        for _ in 0..16 {
            match draft.ops.get(next) {
                Some(Op::Jump { to }) if *to != FAIL => next = draft.labels[*to as usize] as usize,
                Some(Op::CutTo { .. }) => {
                    draft.labels.push(next as u32);
                    draft.ops[at] = Op::Jump { to: draft.labels.len() as Label - 1 };
                    break;
                }
                _ => break,
            }
        }
    }
}

/// A count: see [`Op::Count`].
#[derive(Clone, Copy)]
struct Counted {
    at: usize,
    d: Slot,
    high: Slot,
    slow: Label,
    free: bool,
}

/// A point of the copied code, on one way to it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    at: usize,
    /// The slots of heights saved on the way, which do not count the choice point.
    heights: Vec<Slot>,
    /// The slots of output cells made on the way, so that writing to them leaves no binding.
    made: Vec<Slot>,
}

/// The copy of the code behind one choice point.
struct Delay<'a> {
    unit: &'a mut LinkedCode,
    draft: &'a mut Draft,
    alt: Label,
    counted: Option<Counted>,
    /// The slot of the height below the choice point.
    own: Option<Slot>,
    /// The labels of copies, by the operations that they begin with.
    copies: FxHashMap<Point, Label>,
    open: Vec<Point>,
    /// Where the choice point is created: the label, and the operation to go on with.
    waiting: Vec<(Label, Point)>,
    budget: usize,
    /// Whether a failing test saves the choice point.
    fails_early: bool,
}

impl Delay<'_> {
    /// Writes the copy, and returns its label. `None` if it is too long or saves nothing.
    fn write(&mut self, from: usize) -> Option<Label> {
        let begin = self.copy(&Point { at: from, heights: Vec::new(), made: Vec::new() });
        while let Some(point) = self.open.pop() {
            self.draft.labels[self.copies[&point] as usize] = self.draft.ops.len() as u32;
            self.block(point)?;
        }
        for (label, Point { at, heights, .. }) in std::mem::take(&mut self.waiting) {
            self.draft.labels[label as usize] = self.draft.ops.len() as u32;
            let mut alt = self.alt;
            if let Some(Counted { at: count, d, high, slow, .. }) = self.counted {
                // The last number has no alternative. The alternative is the original, because this loop
                // is part of a function that nothing enters in the middle.
                let or = self.label(at);
                self.draft.ops.push(Op::Compare { order: IntComparison::Less, a: d, b: high, or, slow });
                alt = self.label(count + 1);
            }
            self.draft.ops.push(Op::Push { alt, size: 0 });
            self.draft.ops.extend(heights.iter().map(|d| Op::Height { d: *d }));
            let to = self.label(at);
            self.draft.ops.push(Op::Jump { to });
        }
        self.fails_early.then_some(begin)
    }

    /// Writes the copy behind a count as a loop, and returns its label.
    fn write_count(&mut self) -> Option<Label> {
        let Counted { at, d, high, slow, free } = self.counted?;
        let next = self.label(0);
        debug_assert_eq!(next, self.alt, "the first new label");
        let body = self.write(at + 2)?;
        self.draft.labels[next as usize] = self.draft.ops.len() as u32;
        self.draft.ops.push(Op::Compare { order: IntComparison::Less, a: d, b: high, or: FAIL, slow });
        if !free {
            let place = self.draft.sites.iter().find(|site| site.at as usize == at + 1).cloned();
            let here = self.draft.ops.len() as u32;
            self.draft.sites.extend(place.map(|site| Site { at: here, ..site }));
            self.draft.ops.push(Op::Step { count: 1 });
        }
        self.draft.ops.extend([Op::AddK { d, a: d, k: 1, slow }, Op::Jump { to: body }]);
        let begin = self.label(self.draft.ops.len());
        self.draft.ops.push(Op::Compare { order: IntComparison::AtMost, a: d, b: high, or: FAIL, slow });
        self.draft.ops.push(Op::Jump { to: body });
        Some(begin)
    }

    /// A new label for an operation.
    fn label(&mut self, at: usize) -> Label {
        self.draft.labels.push(at as u32);
        self.draft.labels.len() as Label - 1
    }

    /// The label of the copy that begins at a point.
    fn copy(&mut self, point: &Point) -> Label {
        if let Some(label) = self.copies.get(point) {
            return *label;
        }
        let label = self.label(point.at);
        self.copies.insert(point.clone(), label);
        self.open.push(point.clone());
        label
    }

    /// The target of an edge in the copy, from a point.
    fn target(&mut self, label: Label, from: &Point) -> Label {
        if label == FAIL {
            self.fails_early = true;
            return self.alt;
        }
        self.copy(&Point { at: self.draft.labels[label as usize] as usize, ..from.clone() })
    }

    /// Copies the operations from a point on, to the end of their block.
    fn block(&mut self, mut point: Point) -> Option<()> {
        let begin = point.at;
        loop {
            let at = point.at;
            let op = *self.draft.ops.get(at)?;
            if at != begin && self.copies.contains_key(&point) {
                let to = self.copies[&point];
                self.draft.ops.push(Op::Jump { to });
                return Some(());
            }
            // Arranging the code removes most jumps.
            if !matches!(op, Op::Jump { .. }) {
                self.budget = self.budget.checked_sub(1)?;
            }
            match op {
                Op::Fail => {
                    self.fails_early = true;
                    self.draft.ops.push(Op::Jump { to: self.alt });
                    return Some(());
                }
                Op::Jump { to } => {
                    let to = self.target(to, &point);
                    self.draft.ops.push(Op::Jump { to });
                    return Some(());
                }
                Op::CutTo { s } if point.heights.contains(&s) => {}
                Op::CutTo { s } => {
                    let to = self.label(if Some(s) == self.own { at + 1 } else { at });
                    self.draft.ops.push(Op::Jump { to });
                    return Some(());
                }
                _ if self.is_test(&op, &point) => {
                    self.test(op, &mut point);
                    if op.ends_block() {
                        return Some(());
                    }
                }
                _ => {
                    let to = self.label(at);
                    self.waiting.push((to, point));
                    self.draft.ops.push(Op::Jump { to });
                    return Some(());
                }
            }
            point.at += 1;
        }
    }

    /// Copies an operation at a point.
    fn test(&mut self, mut op: Op, point: &mut Point) {
        let here = self.draft.ops.len() as u32;
        let sites = &self.draft.sites;
        let near = sites.partition_point(|site| site.at as usize <= point.at).checked_sub(1).map(|at| &sites[at]);
        let site = match near {
            Some(site) if site.at as usize == point.at => Site { at: here, ..site.clone() },
            Some(site) => site.behind(here),
            None => Site::nowhere(here),
        };
        self.draft.sites.push(site);
        op.edges(|label| *label = self.target(*label, point));
        if let Op::Switch { table, .. } = &mut op {
            let mut copy = self.unit.tables[*table as usize].clone();
            copy.labels().for_each(|label| *label = self.target(*label, point));
            *table = self.unit.tables.len() as u32;
            self.unit.tables.push(copy);
            self.draft.tables.push(*table);
        }
        self.draft.ops.push(op);
        // Other clauses use the same slots for other values.
        let Point { heights, made, .. } = point;
        op.slots(self.unit, &mut |_| (), &mut |slot| {
            heights.retain(|other| *other != slot);
            made.retain(|other| *other != slot);
        });
        match op {
            Op::Height { d } => point.heights.push(d),
            Op::Move { d, v } if matches!(v.from(), From::Fresh(_)) => point.made.push(d),
            _ => {}
        }
    }
}

impl Delay<'_> {
    /// Whether an operation leaves no bindings and no choice points, so that failing after it needs
    /// none. A loop without steps must not build terms.
    fn is_test(&self, op: &Op, point: &Point) -> bool {
        let is_test = is_test(op) || matches!(op, Op::Out { s, .. } if point.made.contains(s));
        is_test && (!self.counted.is_some_and(|counted| counted.free) || op.cells(self.unit) == 0)
    }
}

/// Whether an operation leaves no bindings and no choice points.
fn is_test(op: &Op) -> bool {
    matches!(
        op,
        Op::Height { .. }
            | Op::IsConst { .. }
            | Op::FieldIs { .. }
            | Op::IsList { .. }
            | Op::IsStruct { .. }
            | Op::Rest { .. }
            | Op::Same { .. }
            | Op::Differ { .. }
            | Op::Is { .. }
            | Op::IsSolid { .. }
            | Op::Switch { .. }
            | Op::Move { .. }
            | Op::Load { .. }
            | Op::Deref { .. }
            | Op::NewVar { .. }
            | Op::Cons { .. }
            | Op::Build { .. }
            | Op::Add { .. }
            | Op::AddK { .. }
            | Op::Sub { .. }
            | Op::Arith { .. }
            | Op::Compare { .. }
            | Op::CompareK { .. }
            | Op::Eval { .. }
            | Op::EvalCompare { .. }
            | Op::Step { .. }
            | Op::Find { .. }
            | Op::Column { .. }
            | Op::Arg { .. }
            | Op::ArgK { .. }
            | Op::Order { .. }
            | Op::Arity { .. }
            | Op::PutArg { .. }
    )
}
