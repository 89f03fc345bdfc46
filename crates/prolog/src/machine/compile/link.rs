//! Moves procedures into the code: puts small ones in place of their calls, and resolves labels.

use crate::machine::compile::arrange::arrange;
use crate::machine::compile::late::delay;
use crate::machine::compile::outputs::keep_in_slots;
use crate::machine::compile::splice::splice;
use crate::machine::compile::{Library, SmallProc};
use crate::machine::ir::{FAIL, Label, Op, Slot};

impl Library {
    /// Moves all drafts into the code and resolves their labels.
    pub(super) fn link(&mut self) {
        let mut numbers: Vec<u32> = self.drafts.keys().copied().collect();
        numbers.sort_unstable();
        for number in &numbers {
            if let Some(small) = SmallProc::of(&self.unit, &self.program, *number, &self.drafts[number]) {
                self.small.insert(*number, small.into());
            }
        }
        for number in &numbers {
            let draft = self.drafts.get_mut(number).expect("it is a key");
            splice(&mut self.unit, *number, draft, &self.small);
            let arity = self.unit.procs[*number as usize].modes.len();
            keep_in_slots(&mut self.unit, draft, arity);
            delay(&mut self.unit, draft);
            arrange(&mut self.unit, draft);
        }
        let mut at = self.unit.code.len() as u32;
        for number in &numbers {
            self.unit.procs[*number as usize].entry = at;
            at += self.drafts[number].ops.len() as u32;
        }
        for number in numbers {
            let Some(mut draft) = self.drafts.remove(&number) else { continue };
            let entry = self.unit.code.len() as u32;
            let place = |label: &mut Label| {
                if *label != FAIL {
                    *label = entry + draft.labels[*label as usize];
                }
            };
            for op in &mut draft.ops {
                op.edges(place);
                set_size(op, draft.size);
                if let Op::Call { proc, .. } | Op::TailCall { proc, .. } | Op::Catch { proc, .. } = op
                    && *proc != FAIL
                {
                    *proc = self.unit.procs[*proc as usize].entry;
                }
            }
            for table in &draft.tables {
                let table = &mut self.unit.tables[*table as usize];
                table.labels().for_each(place);
                table.link();
            }
            for site in &mut draft.sites {
                site.at += entry;
            }
            self.unit.code.append(&mut draft.ops);
            self.unit.sites.append(&mut draft.sites);
            let end = self.unit.code.len() as u32;
            let cells = self.unit.code[entry as usize..].iter().map(|op| op.cells(&self.unit)).sum();
            let proc = &mut self.unit.procs[number as usize];
            (proc.entry, proc.end, proc.size, proc.cells) = (entry, end, draft.size, cells);
            proc.notes = draft.notes.into();
            self.unit.largest = self.unit.largest.max(draft.size);
            self.unit.cells = self.unit.cells.max(cells);
            if cfg!(debug_assertions) {
                let proc = self.unit.procs[number as usize].clone();
                let breaches = crate::machine::ir::check::violations(&self.unit, &proc);
                assert!(
                    breaches.is_empty(),
                    "{breaches:?}\n{}",
                    crate::machine::ir::show::procedure(&self.unit, &self.program, &proc)
                );
            }
        }
    }
}

fn set_size(op: &mut Op, words: Slot) {
    match op {
        Op::Call { size, .. }
        | Op::TailCall { size, .. }
        | Op::Meta { size, .. }
        | Op::TailMeta { size, .. }
        | Op::Push { size, .. }
        | Op::Catch { size, .. }
        | Op::Begin { size, .. }
        | Op::Many { size, .. }
        | Op::Again { size, .. }
        | Op::Count { size, .. }
        | Op::CountOn { size, .. } => *size = words,
        _ => {}
    }
}
