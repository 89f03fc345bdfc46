//! Finds the place of a fault: the goal, its span, and the predicates around it.
//!
//! The input is the state of the engine at the fault. The result is a [`FaultPlace`], which prefers
//! the user's text to a library.

use crate::machine::engine::{CATCH, Engine};
use crate::machine::fault::{Fault, FaultPlace};
use crate::machine::ir::{ARGS, ArgumentForm, From, Op, Proc, Site};
use crate::machine::place::{completed, goal_text, place};
use crate::term::Term;
use crate::term::heap::Heap;
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashMap;

impl Engine {
    /// Adds the place to a fault that has none.
    pub(super) fn placed(&mut self, mut fault: Fault) -> Fault {
        if fault.place.is_none() {
            let goal = self.current_goal();
            fault = self.placed_at(fault, goal);
        }
        fault
    }

    /// Adds the current place to a fault that has none, for this goal.
    pub(super) fn placed_at(&self, mut fault: Fault, goal: Option<Term>) -> Fault {
        if fault.place.is_none() {
            let goal = goal.map_or_else(String::new, |goal| goal_text(&self.store, goal));
            let unit = &self.library.unit;
            let mut at = Some((self.pc, self.frame));
            let frames = std::iter::from_fn(|| {
                let (pc, frame) = at?;
                let waiting = || ((self.stack[frame] as u32).saturating_sub(1), self.stack[frame + 1] as usize);
                at = (frame != 0).then(waiting);
                Some(pc)
            });
            let frames = frames.flat_map(|pc| {
                let site = unit.site_at(pc);
                let own = unit.proc_at(pc).and_then(|proc| self.pred_of(proc));
                let around = |site: &&Site| unit.outer.get(site.outer? as usize);
                let outer = std::iter::successors(site.and_then(|site| around(&site)), around);
                let gone = pc != self.pc && site.is_some_and(|site| site.last && site.exact && site.at == pc);
                let inner = std::iter::once((site, gone));
                inner.chain(outer.map(|site| (Some(site), site.last))).map(move |(site, gone)| {
                    let rules = (!gone).then(|| self.rules_of(site, own)).into_iter().flatten();
                    (site.filter(|_| !gone).map(|site| site.span), rules)
                })
            });
            // Last calls have removed frames: an incomplete list of call places is worse than none.
            let place = place(&self.library.program, goal, frames);
            fault.place = Some(Box::new(FaultPlace { sites: Vec::new(), ..place }));
        }
        fault
    }

    /// Builds the current goal as a term.
    fn current_goal(&mut self) -> Option<Term> {
        if self.pc == CATCH {
            return Some(Term(self.stack[self.frame + usize::from(ARGS)]));
        }
        let site = self.library.unit.site_at(self.pc).filter(|site| site.exact && site.at == self.pc)?;
        let (name, (start, count)) = (site.name, site.args?);
        let called = site.called;
        let mut args: Vec<Term> = (start..start + u32::from(count)).map(|at| self.operand(at)).collect();
        if let Some(number) = called {
            let forms = &self.library.unit.procs[number as usize].forms;
            if !forms.is_empty() {
                args = whole(&mut self.store.heap, forms, &args);
            }
        }
        match name {
            Some(name) => Some(self.store.heap.structure(name, &args)),
            None if matches!(self.library.unit.code[self.pc as usize], Op::Meta { .. } | Op::TailMeta { .. }) => {
                let (goal, more) = args.split_first()?;
                Some(completed(&mut self.store.heap, *goal, more))
            }
            None => args.first().copied(),
        }
    }

    fn operand(&mut self, at: u32) -> Term {
        let slot = |slot: u16| Term(self.stack[self.frame + usize::from(slot)]);
        match self.library.unit.operands[at as usize].from() {
            From::Slot(s) => slot(s),
            From::Const(number) => Term(self.library.unit.consts[number as usize]),
            From::Field(s, field) => Term(self.store.heap.cells[slot(s).index() + usize::from(field)]),
            From::Cell(s) => {
                let destination = slot(s);
                let tail = usize::from(destination.tag() == crate::term::FWD);
                Term(self.store.heap.cells[destination.index() + tail])
            }
            From::Fresh(_) => self.store.heap.variable(),
        }
    }

    /// The predicate whose clauses a procedure has. A procedure that reads a table has none.
    fn pred_of(&self, proc: &Proc) -> Option<PredId> {
        proc.pred.filter(|pred| !proc.forms.is_empty() || !self.library.program.predicate(*pred).tabled)
    }

    /// The predicates whose clauses contain a goal, the innermost first. `own` is the predicate of the
    /// procedure.
    fn rules_of(&self, site: Option<&Site>, own: Option<PredId>) -> impl Iterator<Item = PredId> {
        let inside = site.and_then(|site| site.inside);
        // A last call replaces its caller.
        let around = site.and_then(|site| site.within).or(own);
        let around = around.filter(|_| !matches!(inside, Some((_, true))));
        inside.map(|(pred, _)| pred).into_iter().chain(around)
    }
}

/// Builds the arguments of a call from their parts.
fn whole(heap: &mut Heap, forms: &[ArgumentForm], parts: &[Term]) -> Vec<Term> {
    fn built(
        heap: &mut Heap,
        form: &ArgumentForm,
        parts: &[Term],
        next: &mut usize,
        locals: &mut FxHashMap<u16, Term>,
    ) -> Term {
        match form {
            ArgumentForm::Part => {
                *next += 1;
                parts[*next - 1]
            }
            ArgumentForm::Same(at) => parts[usize::from(*at)],
            ArgumentForm::Local(number) => *locals.entry(*number).or_insert_with(|| heap.variable()),
            ArgumentForm::Atom(name) => Term::atom(*name),
            ArgumentForm::Int(value) => Term::small(*value),
            ArgumentForm::Compound(name, forms) => {
                let args: Vec<Term> = forms.iter().map(|form| built(heap, form, parts, next, locals)).collect();
                match (*name, args.as_slice()) {
                    (atoms::DOT, [head, tail]) => heap.cons(*head, *tail),
                    _ => heap.structure(*name, &args),
                }
            }
        }
    }
    let (mut next, mut locals) = (0, FxHashMap::default());
    forms.iter().map(|form| built(heap, form, parts, &mut next, &mut locals)).collect()
}
