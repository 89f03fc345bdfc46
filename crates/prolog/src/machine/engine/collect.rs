//! Collects the garbage of the heap.
//!
//! The roots are the live slots: those of the current frame before the current operation, of every
//! waiting frame at its return, and of every choice point's frame at its alternative, with all frames
//! that wait for that frame.

use crate::machine::engine::{CATCH, CAUGHT, ChoicePoint, Engine};
use crate::machine::fault::{Cause, Fault};
use crate::machine::ir::check::Liveness;
use crate::machine::ir::{ARGS, Slot};
use crate::machine::store::TAIL;
use crate::term::collect::Collector as Garbage;
use crate::term::{FWD, LST, Term};
use std::rc::Rc;

impl Engine {
    /// The live slots with terms before the operation at `pc`.
    fn alive(&mut self, pc: u32) -> Rc<[Slot]> {
        if let Some(slots) = self.alive.get(&pc) {
            return slots.clone();
        }
        let unit = &self.library.unit;
        let slots: Rc<[Slot]> = match unit.proc_at(pc) {
            _ if (CATCH..=CAUGHT).contains(&pc) => (ARGS..ARGS + 3).collect(),
            Some(proc) => {
                let alive = self.lives.entry(proc.entry).or_insert_with(|| Rc::new(Liveness::new(unit, proc)));
                alive.at(pc).filter(|slot| *slot >= ARGS).collect()
            }
            None => Rc::new([]),
        };
        self.alive.insert(pc, slots.clone());
        slots
    }

    /// The words of the stack that hold live terms, one bit each.
    fn roots(&mut self) -> Vec<u64> {
        let mut roots = vec![0u64; self.stack.len() / 64 + 1];
        // Frames whose waiting frames have been visited.
        let mut followed = vec![0u64; self.stack.len() / 64 + 1];
        let mark = |set: &mut Vec<u64>, at: usize| {
            let (word, bit) = (at / 64, 1 << (at % 64));
            let new = set[word] & bit == 0;
            set[word] |= bit;
            new
        };
        let mut begins = vec![(self.pc, self.frame)];
        begins.extend(self.choices.iter().map(|choice| (choice.alt, choice.frame)));
        let mut last = (u32::MAX, Rc::from([]));
        for (mut pc, mut frame) in begins {
            loop {
                if pc != last.0 {
                    last = (pc, self.alive(pc));
                }
                for slot in last.1.iter() {
                    mark(&mut roots, frame + usize::from(*slot));
                }
                if frame == 0 || !mark(&mut followed, frame) {
                    break;
                }
                pc = self.stack[frame] as u32;
                frame = self.stack[frame + 1] as usize;
            }
        }
        roots
    }

    /// Collects garbage; fails if too much is left.
    pub(super) fn collect(&mut self) -> Result<(), Fault> {
        self.kept = None;
        let roots = self.roots();
        let first = self.first_collection();
        let fixed = self.fixed;
        let room = std::mem::take(&mut self.room);
        let mut garbage = Garbage::new(&mut self.store.heap, fixed, room);
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        let words = roots.iter().enumerate().filter(|(_, word)| **word != 0);
        for at in words.flat_map(|(number, word)| bits(*word).map(move |bit| number * 64 + bit)) {
            let mut term = Term(self.stack[at]);
            if term.tag() == FWD {
                // An output cell, which is the tail of a list cell.
                let mut cell = Term::tagged(LST, term.index());
                garbage.root(&mut cell);
                term = Term::tagged(FWD, cell.index());
            } else {
                garbage.root(&mut term);
            }
            self.stack[at] = term.0;
        }
        self.asked.iter_mut().for_each(|term| garbage.root(term));
        for collector in &mut self.collectors {
            if collector.first != Term::NONE {
                garbage.root(&mut collector.first);
                garbage.root(&mut collector.last);
            }
        }
        garbage.follow();
        let trail = std::mem::take(&mut self.store.trail);
        self.store.trail = moved_trail(&trail, &mut self.choices, &garbage);
        let kept = garbage.finish();
        self.room = std::mem::replace(&mut self.store.heap.cells, kept);
        let len = self.store.heap.len();
        self.choices.iter_mut().for_each(|choice| choice.heap = len);
        for collector in &mut self.collectors {
            collector.floor = len;
            collector.begin = fixed;
        }
        self.store.mark = if self.choices.is_empty() { 0 } else { len };
        let words = (self.store.memory / 8) as usize;
        let control = (self.choices.len() * size_of::<ChoicePoint>()) / 8 + (self.store.aside / 8) as usize;
        // The heap and its copy must fit together, and enough must stay free that collections do not
        // follow one another.
        let most = words.saturating_sub(control) / 2;
        if len + len / 8 + 1024 > most {
            return Err(Cause::Memory(self.store.memory).into());
        }
        // Scanning a deep stack takes time, so collections are rarer then.
        let deep = self.frame.max(self.choices.last().map_or(0, |choice| choice.top));
        self.collect_at = (len + (len - fixed).max(first).max(deep / 2)).min(most);
        Ok(())
    }
}

/// The trail after the live cells have been moved. A binding need not be undone if its cell is younger
/// than the choice point below, or if nothing else reaches its cell.
fn moved_trail(trail: &[usize], choices: &mut [ChoicePoint], garbage: &Garbage<'_>) -> Vec<usize> {
    let mut at = choices.first().map_or(0, |choice| choice.trail);
    let ends: Vec<usize> = choices.iter().skip(1).map(|choice| choice.trail).chain([trail.len()]).collect();
    let mut kept = Vec::new();
    for (choice, end) in choices.iter_mut().zip(ends) {
        choice.trail = kept.len();
        let older = trail[at..end].iter().filter(|cell| **cell & !TAIL < choice.heap);
        kept.extend(older.filter_map(|cell| match cell & TAIL {
            0 => garbage.target(*cell),
            _ => garbage.target((cell & !TAIL) - 1).map(|list| (list + 1) | TAIL),
        }));
        at = end;
    }
    kept
}
