//! General unification of a template with a value.
//!
//! A template is matched forwards. At an unbound variable, the rest of the template's term is built.
//! Slots that get their value here are empty before.

use crate::machine::engine::Engine;
use crate::machine::fault::Fault;
use crate::machine::ir::{Slot, TemplatePart};
use crate::term::heap::header_small;
use crate::term::{LST, REF, STR, Term};

impl Engine {
    fn slot(&self, slot: Slot) -> Term {
        Term(self.stack[self.frame + usize::from(slot)])
    }

    fn set_slot(&mut self, slot: Slot, value: Term) {
        self.stack[self.frame + usize::from(slot)] = value.0;
    }

    /// Unifies the value in a slot with a template. Bindings stay even if unification fails.
    pub(super) fn unify_template(&mut self, slot: Slot, template: u32) -> Result<bool, Fault> {
        let parts = std::mem::take(&mut self.library.unit.templates[template as usize]);
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        values.push(self.slot(slot));
        let done = self.unify_parts(&parts, &mut values);
        self.values = values;
        self.library.unit.templates[template as usize] = parts;
        done
    }

    fn unify_parts(&mut self, parts: &[TemplatePart], values: &mut Vec<Term>) -> Result<bool, Fault> {
        for part in parts {
            if let TemplatePart::First(slot) = part {
                self.set_slot(*slot, Term::NONE);
            }
        }
        let mut at = 0;
        while let Some(value) = values.pop() {
            let value = self.store.heap.deref(value);
            let (fits, first, count) = match parts[at] {
                TemplatePart::First(slot) | TemplatePart::Value(slot) => {
                    let known = self.slot(slot);
                    if known == Term::NONE {
                        self.set_slot(slot, value);
                    } else if !self.store.unify(known, value)? {
                        return Ok(false);
                    }
                    at += 1;
                    continue;
                }
                TemplatePart::Const(number) => {
                    let constant = Term(self.library.unit.consts[number as usize]);
                    if constant != value && !self.store.unify(value, constant)? {
                        return Ok(false);
                    }
                    at += 1;
                    continue;
                }
                TemplatePart::Cons => (value.tag() == LST, value.index(), 2),
                TemplatePart::Struct(k, arity) => {
                    let fits = value.tag() == STR
                        && self.store.heap.cells[value.index()] == self.library.unit.consts[k as usize];
                    (fits, value.index() + 1, arity as usize)
                }
            };
            if fits {
                values.extend(self.store.heap.cells[first..first + count].iter().rev().map(|cell| Term(*cell)));
                at += 1;
            } else if value.tag() == REF {
                let (whole, end) = self.build_part(parts, at, values);
                self.store.bind(value.index(), whole);
                at = end;
            } else {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Builds the term that begins at a part, and returns the index of the part after it.
    fn build_part(&mut self, parts: &[TemplatePart], from: usize, values: &mut Vec<Term>) -> (Term, usize) {
        let mut end = from;
        let mut missing = 1usize;
        while missing > 0 {
            missing -= 1;
            missing += match parts[end] {
                TemplatePart::Cons => 2,
                TemplatePart::Struct(_, arity) => arity as usize,
                _ => 0,
            };
            end += 1;
        }
        // Backwards, every part comes before its whole.
        for part in parts[from..end].iter().rev() {
            let value = match *part {
                TemplatePart::First(slot) | TemplatePart::Value(slot) => {
                    if self.slot(slot) == Term::NONE {
                        let fresh = self.store.heap.variable();
                        self.set_slot(slot, fresh);
                    }
                    self.store.heap.deref(self.slot(slot))
                }
                TemplatePart::Const(number) => Term(self.library.unit.consts[number as usize]),
                TemplatePart::Cons => {
                    let head = values.pop().expect("two parts were built");
                    let tail = values.pop().expect("two parts were built");
                    self.store.heap.cons(head, tail)
                }
                TemplatePart::Struct(k, arity) => {
                    let word = self.library.unit.consts[k as usize];
                    debug_assert_eq!(header_small(word), arity as usize);
                    let cells = &mut self.store.heap.cells;
                    let at = cells.len();
                    cells.push(word);
                    cells.extend(values.drain(values.len() - arity as usize..).rev().map(|part| part.0));
                    Term::tagged(STR, at)
                }
            };
            values.push(value);
        }
        (values.pop().expect("a template has a root"), end)
    }
}
