//! Templates: terms of clauses, matched with arguments and built in the heap.
//!
//! One form serves both purposes: a template is matched forwards and built backwards, without
//! recursion.

use crate::machine::fault::Fault;
use crate::machine::reference::code::{ClauseCode, TemplateOp};
use crate::machine::reference::{FRAME, Reference};
use crate::term::heap::{FUNCTOR, header};
use crate::term::{LST, REF, STR, Term};

impl Reference {
    /// Builds a template with the slots of the current frame.
    pub(super) fn build(&mut self, template: &[TemplateOp]) -> Term {
        match template {
            [TemplateOp::Const(term)] => *term,
            [TemplateOp::Slot(number)] => self.store.heap.deref(self.slot(*number)),
            _ => {
                let from = self.frame.index() + FRAME;
                let count = self.code.variables as usize;
                let mut slots = std::mem::take(&mut self.slots);
                slots.clear();
                slots.extend(self.store.heap.cells[from..from + count].iter().map(|cell| Term(*cell)));
                let term = self.assemble(template, &mut slots);
                self.slots = slots;
                term
            }
        }
    }

    /// Builds a template backwards: in prefix order reversed, every part comes before its whole.
    fn assemble(&mut self, template: &[TemplateOp], slots: &mut [Term]) -> Term {
        let heap = &mut self.store.heap;
        let values = &mut self.values;
        values.clear();
        for op in template.iter().rev() {
            let value = match op {
                TemplateOp::Const(term) => *term,
                TemplateOp::Slot(number) => {
                    let slot = &mut slots[*number as usize];
                    if *slot == Term::NONE {
                        *slot = heap.variable();
                    }
                    heap.deref(*slot)
                }
                TemplateOp::Cons(_) => {
                    let at = heap.cells.len();
                    let head = values.pop().expect("two parts were built").0;
                    heap.cells.extend([head, values.pop().expect("two parts were built").0]);
                    Term::tagged(LST, at)
                }
                TemplateOp::Struct(name, arity, _) => {
                    let at = heap.cells.len();
                    heap.cells.push(header(FUNCTOR, u64::from(*arity), u64::from(name.number())));
                    let first = values.len() - *arity as usize;
                    heap.cells.extend(values.drain(first..).rev().map(|value| value.0));
                    Term::tagged(STR, at)
                }
            };
            values.push(value);
        }
        values.pop().expect("a template has a root")
    }

    /// Unifies the head of a clause with the arguments.
    pub(super) fn unify_head(&mut self, code: &ClauseCode) -> Result<bool, Fault> {
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        slots.resize(code.variables as usize, Term::NONE);
        let mut matched = true;
        for (number, template) in code.head.iter().enumerate() {
            let arg = self.args[number];
            if !self.match_template(template, arg, &mut slots)? {
                matched = false;
                break;
            }
        }
        self.slots = slots;
        Ok(matched)
    }

    fn match_template(&mut self, template: &[TemplateOp], term: Term, slots: &mut [Term]) -> Result<bool, Fault> {
        let mut pending = [Term::NONE; 32];
        let mut more: Vec<Term> = Vec::new();
        let mut depth = 0;
        let mut current = term;
        let mut at = 0;
        loop {
            let mut skip = 1;
            match &template[at] {
                TemplateOp::Slot(number) => {
                    let slot = slots[*number as usize];
                    if slot == Term::NONE {
                        slots[*number as usize] = self.store.heap.deref(current);
                    } else if !self.store.unify(slot, current)? {
                        return Ok(false);
                    }
                }
                TemplateOp::Const(constant) => {
                    let value = self.store.heap.deref(current);
                    if value != *constant && !self.store.unify(value, *constant)? {
                        return Ok(false);
                    }
                }
                op @ (TemplateOp::Cons(length) | TemplateOp::Struct(_, _, length)) => {
                    let value = self.store.heap.deref(current);
                    let (first, count) = match (op, value.tag()) {
                        (TemplateOp::Cons(_), LST) => (value.index(), 2),
                        (TemplateOp::Struct(name, arity, _), STR)
                            if self.store.heap.cells[value.index()]
                                == header(FUNCTOR, u64::from(*arity), u64::from(name.number())) =>
                        {
                            (value.index() + 1, *arity as usize)
                        }
                        (_, REF) => {
                            let whole = self.assemble(&template[at..at + *length as usize], slots);
                            self.store.bind(value.index(), whole);
                            skip = *length as usize;
                            (0, 0)
                        }
                        _ => return Ok(false),
                    };
                    for part in (first..first + count).rev() {
                        let cell = Term(self.store.heap.cells[part]);
                        if depth < pending.len() {
                            pending[depth] = cell;
                        } else {
                            more.push(cell);
                        }
                        depth += 1;
                    }
                }
            }
            at += skip;
            if depth == 0 {
                return Ok(true);
            }
            depth -= 1;
            current = if depth < pending.len() { pending[depth] } else { more.pop().expect("counted in depth") };
        }
    }
}
