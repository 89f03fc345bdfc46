//! Evaluates tabled predicates by repeated passes, until no new answers appear.
//!
//! A call that is a variant of an active one sees the answers so far. The first call of a group of
//! mutually dependent calls leads: it repeats its pass until the group is complete. This is plain and
//! slow beside SLG resolution (Chen and Warren, 1996), but gives the same answers for stratified
//! programs, in the standard order of terms.
//!
//! Complete tables are kept for the next query. The first use of a table in a query costs the steps
//! that completed it. So a query costs the same whatever ran before it. Only if it enters a cycle of calls
//! by another table than the query that completed them, it costs what this other query has paid.

use crate::machine::fault::Fault;
use crate::machine::reference::choice::ChoiceKind;
use crate::machine::reference::tables::{Active, AnswerTable, Group, TableCost, TableStatus};
use crate::machine::reference::{FRAME, Reference, TABLE};
use crate::machine::store::{Budget, Store};
use crate::term::Term;
use crate::term::order;
use crate::term::pack::{Packed, unpack};
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashSet;

/// Functions for a solver that completes its tables here.
impl Reference {
    /// The store, to lend it a budget.
    pub fn lent(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Drops all tables.
    pub fn forget(&mut self, budget: Budget) {
        self.reset(budget);
    }

    /// Completes the table of `call(Args...)`. Returns its number, and whether it was completed just
    /// now. The step of the first answer, if any, is counted. After a completion, the steps of
    /// reaching that answer are counted, too.
    pub fn complete_table(&mut self, pred: PredId, call: Packed) -> Result<(usize, bool), Fault> {
        let key = (pred, call);
        let known = self.tables.by_call.get(&key).copied();
        let known = known.filter(|number| self.tables.tables[*number].status == TableStatus::Complete);
        if let Some(number) = known.filter(|number| self.pay_for_table(*number)) {
            let some = !self.tables.tables[number].answers.is_empty();
            self.store.charge(u64::from(some))?;
            return Ok((number, false));
        }
        let whole = unpack(&mut self.store.heap, &key.1);
        self.args = self.store.heap.args(whole);
        self.pending = Some(pred);
        let found = self.run(false);
        if found.is_err() {
            self.drop_tables(0);
        }
        self.clear();
        found.map(|_| (self.tables.by_call[&key], true))
    }

    /// An answer of a complete table, and whether it is the last.
    pub fn table_answer(&self, number: usize, at: usize) -> Option<(&Packed, bool)> {
        let answers = &self.tables.tables[number].answers;
        answers.get(at).map(|answer| (answer, at + 1 == answers.len()))
    }
}

impl Reference {
    /// Calls a tabled predicate with `self.args`.
    pub(super) fn enter_table(&mut self, pred: PredId, frame: Term, pc: u32) -> Result<bool, Fault> {
        let args = std::mem::take(&mut self.args);
        let call = self.packed_args(&args)?;
        let pass = self.tables.pass;
        let known = self.tables.by_call.get(&(pred, call.clone())).copied();
        let number = match known {
            Some(number) => number,
            None => {
                let number = self.tables.tables.len();
                self.tables.tables.push(AnswerTable::new(pred));
                // The next query may need the memory of long names.
                self.tables.passing |= call.holds_names();
                self.store.aside += call.bytes() + 160;
                self.tables.grow(call.bytes() + 160);
                self.tables.by_call.insert((pred, call), number);
                number
            }
        };
        if self.tables.tables[number].status == TableStatus::Complete && !self.pay_for_table(number) {
            self.tables.tables[number] = AnswerTable::new(pred);
        }
        let table = &self.tables.tables[number];
        let low = match table.status {
            TableStatus::Complete => usize::MAX,
            TableStatus::Active(depth) => depth,
            TableStatus::Idle if table.pass == pass => table.low,
            TableStatus::Idle => return self.begin_table(number, &args, frame, pc),
        };
        self.depends_on(low);
        self.table_answers(number, 0, &args, frame, pc)
    }

    /// Counts the steps and bytes that completed a table, unless this query has paid for it. Returns
    /// `false` if the budget may not suffice: then the table is completed again.
    fn pay_for_table(&mut self, number: usize) -> bool {
        let group = self.tables.tables[number].group;
        if self.tables.groups[group].question == self.tables.question {
            self.tables.needs((group, number), 0);
            return true;
        }
        let (mut open, mut found) = (vec![group], FxHashSet::default());
        let (mut steps, mut bytes, mut varies) = (0, 0, self.tables.groups[group].leader != number);
        while let Some(at) = open.pop() {
            let part = &self.tables.groups[at];
            if part.question != self.tables.question && found.insert(at) {
                (steps, bytes) = (steps + part.steps, bytes + part.bytes);
                varies |= part.varies;
                open.extend(&part.needs);
            }
        }
        let room = self.store.memory.saturating_sub(self.store.used()) / 2;
        if self.store.is_near_its_end(steps) || bytes > room {
            return false;
        }
        self.store.aside += bytes;
        self.store.steps += steps;
        self.store.steps_vary |= varies;
        found.iter().for_each(|at| self.tables.groups[*at].question = self.tables.question);
        self.tables.needs((group, number), steps);
        true
    }

    fn packed_args(&mut self, args: &[Term]) -> Result<Packed, Fault> {
        let whole = self.store.heap.structure(atoms::CALL, args);
        self.store.packed(whole)
    }

    fn depends_on(&mut self, low: usize) {
        if let Some(active) = self.tables.active.last_mut() {
            active.low = active.low.min(low);
        }
    }

    fn begin_table(&mut self, number: usize, args: &[Term], frame: Term, pc: u32) -> Result<bool, Fault> {
        let depth = self.tables.active.len();
        // The choice point stores the number of tables below this one.
        self.push_choice(ChoiceKind::Table(number), frame, pc, args);
        self.tables.tables[number].status = TableStatus::Active(depth);
        self.tables.begun.push(number);
        let spent = TableCost { begun: self.store.steps, ..TableCost::default() };
        let idle = self.tables.idle.len();
        self.tables.active.push(Active { table: number, low: usize::MAX, changed: false, idle, spent });
        self.pass_over(number, args, frame, pc)
    }

    /// Tries all clauses once, and records their answers.
    fn pass_over(&mut self, number: usize, args: &[Term], frame: Term, pc: u32) -> Result<bool, Fault> {
        let mut slots = vec![Term::small(number as i64)];
        slots.extend_from_slice(args);
        let recording = self.push_frame(TABLE, &slots, frame, pc, 0);
        self.args = args.to_vec();
        let list = self.candidates(self.tables.tables[number].pred);
        self.try_clauses(list, 0, recording, 0, None)
    }

    /// Records an answer in the table of the current frame.
    pub(super) fn record_answer(&mut self) -> Result<(), Fault> {
        let number = self.cell(self.frame, FRAME).as_small().unwrap_or(0) as usize;
        let arity = self.program.predicate(self.tables.tables[number].pred).key.arity;
        let args: Vec<Term> = (0..arity).map(|at| self.cell(self.frame, FRAME + 1 + at)).collect();
        let answer = self.packed_args(&args)?;
        let table = &mut self.tables.tables[number];
        if table.known.insert(answer.clone()) {
            let bytes = answer.bytes() + 160;
            self.tables.passing |= answer.holds_names();
            table.answers.push(answer);
            self.store.aside += bytes;
            self.tables.grow(bytes);
            if let Some(active) = self.tables.active.iter_mut().rev().find(|active| active.table == number) {
                active.changed = true;
            }
        }
        self.store.charge(1)
    }

    /// Ends a pass over the clauses of an active table.
    pub(super) fn end_of_pass(&mut self, number: usize, height: usize) -> Result<bool, Fault> {
        self.mismatch(self.choices[height].frame);
        let choice = &self.choices[height];
        let (frame, pc, saved) = (choice.frame, choice.pc, choice.saved);
        let args = self.saved[saved..].to_vec();
        let depth = self.tables.active.len() - 1;
        let active = &mut self.tables.active[depth];
        debug_assert_eq!(active.table, number, "tables end in the reverse order of their beginning");
        let leads = active.low >= depth;
        if leads && active.changed {
            active.changed = false;
            self.tables.pass += 1;
            return self.pass_over(number, &args, frame, pc);
        }
        let Active { low, changed, idle, spent, .. } = self.tables.active.pop().expect("it was just looked at");
        if leads {
            self.tables.idle.push(number);
            self.tables.passing |= self.store.host.is_some() || !self.store.output.is_empty();
            let group = self.tables.groups.len();
            for member in self.tables.idle.split_off(idle) {
                self.complete(member, group);
            }
            let TableCost { begun, nested, bytes, needs, elsewhere } = spent;
            let whole = self.store.steps - begun;
            let question = self.tables.question;
            let steps = whole - nested;
            self.tables.groups.push(Group {
                question,
                leader: number,
                varies: !elsewhere.is_empty(),
                steps,
                bytes,
                needs: needs.into_iter().collect(),
            });
            self.tables.needs((group, number), whole);
        } else {
            if let Some(outer) = self.tables.active.last_mut() {
                outer.spent.add(spent);
            }
            let pass = self.tables.pass;
            let table = &mut self.tables.tables[number];
            table.status = TableStatus::Idle;
            table.low = low;
            table.pass = pass;
            self.tables.idle.push(number);
            self.depends_on(low);
            if let Some(outer) = self.tables.active.last_mut() {
                outer.changed |= changed;
            }
        }
        self.cut_to(height);
        self.table_answers(number, 0, &args, frame, pc)
    }

    fn complete(&mut self, number: usize, group: usize) {
        let table = &mut self.tables.tables[number];
        table.group = group;
        table.status = TableStatus::Complete;
        table.low = usize::MAX;
        table.known = FxHashSet::default();
        let heap = &mut self.store.heap;
        let top = heap.len();
        let mut terms: Vec<(Term, Packed)> =
            std::mem::take(&mut table.answers).into_iter().map(|answer| (unpack(heap, &answer), answer)).collect();
        terms.sort_by(|(left, _), (right, _)| order::compare(heap, *left, *right));
        heap.cells.truncate(top);
        table.answers = terms.into_iter().map(|(_, answer)| answer).collect();
    }

    /// Gives the answers of a table from an index on.
    pub(super) fn table_answers(
        &mut self,
        number: usize,
        from: usize,
        args: &[Term],
        frame: Term,
        pc: u32,
    ) -> Result<bool, Fault> {
        let mut at = from;
        while let Some(answer) = self.tables.tables[number].answers.get(at).cloned() {
            at += 1;
            let height = self.choices.len();
            self.push_choice(ChoiceKind::Answers(number, at), frame, pc, args);
            self.store.charge(1)?;
            let whole = self.store.heap.structure(atoms::CALL, args);
            let answer = unpack(&mut self.store.heap, &answer);
            if self.store.unify(whole, answer)? {
                if at == self.tables.tables[number].answers.len()
                    && self.tables.tables[number].status == TableStatus::Complete
                {
                    self.cut_to(height);
                }
                self.resume(frame, pc);
                return Ok(true);
            }
            let (trail, heap) = (self.choices[height].trail, self.choices[height].heap);
            self.store.undo(trail);
            self.store.heap.cells.truncate(heap);
            self.cut_to(height);
        }
        Ok(false)
    }

    /// The predicate of this table.
    pub(super) fn table_of(&self, number: usize) -> PredId {
        self.tables.tables[number].pred
    }

    /// Drops the active tables that an error has left behind.
    pub(super) fn drop_tables(&mut self, keep: usize) {
        let dropped = self.tables.active.split_off(keep);
        // The steps of these tables are not known.
        self.tables.passing |= !dropped.is_empty();
        let idle = dropped.first().map_or(self.tables.idle.len(), |first| first.idle);
        let incomplete = self.tables.idle.split_off(idle);
        for number in dropped.into_iter().map(|active| active.table).chain(incomplete) {
            let table = &mut self.tables.tables[number];
            table.status = TableStatus::Idle;
            table.pass = u64::MAX;
        }
    }
}
