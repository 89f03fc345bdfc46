//! Tables of tabled predicates: answers, their state, and the steps that completed them.
//!
//! Both solvers fill tables with the functions here. A table belongs to a call; variants of a call share it. The
//! arguments that are ground in the call are not part of the answers.
//!
//! A pass over the clauses of a call fills its table. A call within that needs the table of a call around it reads the
//! answers so far. The outermost call of such a cycle leads: after its own pass, the clauses run again for each call
//! that has read too few answers, until there are no new answers. This is plain beside SLG resolution (Chen and Warren,
//! 1996), but gives the same answers for stratified programs.
//!
//! Complete tables are kept for the next query. The first use of a table in a query costs the steps that completed
//! it. So a query costs the same whatever ran before it. Only if it enters a cycle of calls by another table than
//! the query that completed them, it costs what this other query has paid.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::Heap;
use crate::term::order;
use crate::term::pack::{Packed, image, unpack};
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::atoms;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeSet;
use std::hash::Hasher;

/// Greatest size of tables kept for the next query, in bytes.
const MOST_KEPT: u64 = 1 << 26;

/// Bytes of a table or of an answer beside its term.
const OVERHEAD: u64 = 160;

/// Greatest number of words of a key that is compared without packing it.
const LARGEST_IMAGE: usize = 1 << 12;

/// Stands for calls with variables within arguments, or with too many arguments for a set of bits.
const WHOLE: u64 = u64::MAX;
const MOST_FREE: usize = 63;

/// Greatest number of answers that are compared one by one to find a repeated one.
const FEW: usize = 8;

/// The tables of one evaluation, and those kept from earlier ones.
#[derive(Default)]
pub(crate) struct Tables {
    /// The youngest table for each hash of a key. The key of a table is the predicate with `free` and `call`.
    by_hash: FxHashMap<u64, usize>,
    tables: Vec<AnswerTable>,
    /// A buffer for keys.
    room: Vec<u64>,
    /// Tables begun for this query.
    begun: Vec<usize>,
    groups: Vec<Group>,
    /// The number of the query.
    question: u64,
    /// Bytes of all tables.
    bytes: u64,
    /// Whether the tables must be dropped, because another query would repeat their work.
    passing: bool,
    /// Active tables, the outermost first.
    active: Vec<Active>,
    /// Incomplete tables that are not active, in the order in which their first passes ended.
    idle: Vec<usize>,
    /// Incomplete tables that have read too few answers of others, in the order in which they were begun.
    behind: BTreeSet<(u64, usize)>,
    /// The table whose clauses run again next.
    next: Option<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum TableStatus {
    New,
    /// The table is the active one with this index.
    Active(usize),
    /// The table is incomplete, and stands in `Tables::idle` at this index.
    Idle(usize),
    Complete,
}

/// What a call finds in its table.
pub(crate) enum Found {
    /// Answers: all, or those so far.
    Answers,
    /// Nothing: the table must be begun.
    Nothing,
}

/// How a pass over the clauses of a table ended.
pub(crate) enum PassEnd {
    /// The first pass has ended, and the table can be read. It is complete, or waits for a call around it.
    Done,
    /// The clauses must run again, for this table.
    Again,
    /// The clauses of another table must run again: see [`Tables::begin`]. Then this pass ends once more.
    Other,
    /// A further pass has ended. Nobody waits for its answers.
    Over,
}

/// Tables that were completed together.
struct Group {
    /// The last query that has paid for the group.
    question: u64,
    /// The table that was begun first.
    leader: usize,
    /// Whether the steps may be others if the group is completed in another query: its tables have entered a group
    /// by another table than its leader.
    varies: bool,
    /// The steps that completed the group, without those of other groups.
    steps: u64,
    bytes: u64,
    /// The groups that this one needed.
    needs: Box<[u32]>,
}

/// The resources used so far to complete a table.
#[derive(Default)]
struct TableCost {
    /// Number of steps at the beginning.
    begun: u64,
    /// The steps spent on other groups since then.
    nested: u64,
    bytes: u64,
    /// The groups needed so far; some may be here twice.
    needs: Vec<u32>,
    /// The length of `needs` at which repeated groups are removed.
    most: usize,
    /// The needed groups that were entered by another table than their leader.
    elsewhere: Vec<u32>,
}

struct AnswerTable {
    /// The group with which the table was completed.
    group: usize,
    pred: PredId,
    /// The arguments of the call, without those that are `free`.
    call: Packed,
    /// The arguments that are different variables, if all others are ground; else [`WHOLE`].
    free: u64,
    same_hash: Option<usize>,
    /// The arguments of the call that are not ground.
    open: Box<[u16]>,
    /// The values of these arguments, one by one for each answer: a term alone, or `call(Values...)`.
    answers: Vec<Packed>,
    /// The answers, if they are many and the table is not complete.
    known: FxHashSet<Packed>,
    status: TableStatus,
    /// The place of the table in the order of beginning.
    order: u64,
    /// Where the solver finds the clauses.
    home: u32,
    /// The tables that have read all answers so far. They need the next answer.
    readers: FxHashSet<usize>,
}

struct Active {
    table: usize,
    /// The outermost active table on which this one depends.
    low: usize,
    /// The number of idle tables at the beginning.
    idle: usize,
    /// The place in `Tables::idle` if this is not the first pass.
    again: Option<usize>,
    /// The last table whose clauses ran again, and the direction in which the next one is sought.
    last: u64,
    upwards: bool,
    spent: TableCost,
    /// The number of choice points of the solver that fills the table.
    height: usize,
}

impl Tables {
    /// Prepares for the next query: drops incomplete tables, or all tables if they take too much
    /// memory.
    pub(crate) fn next_question(&mut self) {
        self.drop_from(0);
        if self.passing || self.bytes > MOST_KEPT {
            *self = Tables { question: self.question, ..Tables::default() };
        }
        self.question += 1;
        self.begun.clear();
    }

    /// The table of a call with these arguments.
    pub(crate) fn of_call(&mut self, store: &mut Store, pred: PredId, args: &[Term]) -> Result<usize, Fault> {
        let top = store.heap.len();
        let found = self.find_call(store, pred, args);
        store.heap.cells.truncate(top);
        found
    }

    fn find_call(&mut self, store: &mut Store, pred: PredId, args: &[Term]) -> Result<usize, Fault> {
        self.room.resize(LARGEST_IMAGE, 0);
        let (free, given) = self.split(&store.heap, args);
        let mut key = store.heap.structure(atoms::CALL, &given);
        let size = if free == WHOLE { None } else { image(&store.heap, key, &mut self.room) };
        if let Some(size) = size {
            let words = &self.room[..size];
            return match self.known(pred, free, words) {
                Ok(number) => Ok(number),
                Err(hash) => {
                    let open = (0..args.len() as u16).filter(|at| free >> at & 1 == 1).collect();
                    let call = store.packed(key)?;
                    Ok(self.add(store, hash, AnswerTable::new(pred, call, free, open)))
                }
            };
        }
        key = store.heap.structure(atoms::CALL, args);
        let call = store.packed(key)?;
        match self.known(pred, WHOLE, call.as_words()) {
            Ok(number) => Ok(number),
            Err(hash) => {
                let mut open = Vec::new();
                for (at, arg) in (0..).zip(args) {
                    if !store.packed(*arg)?.is_ground() {
                        open.push(at);
                    }
                }
                Ok(self.add(store, hash, AnswerTable::new(pred, call, WHOLE, open.into())))
            }
        }
    }

    /// The arguments that are different variables, as bits of a set, and the others. The set is [`WHOLE`] if this cannot
    /// be said.
    fn split(&self, heap: &Heap, args: &[Term]) -> (u64, Vec<Term>) {
        let (mut free, mut given) = (0, Vec::with_capacity(args.len()));
        let mut variables: Vec<Term> = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let arg = heap.deref(*arg);
            if !heap.is_var(arg) {
                given.push(arg);
            } else if at < MOST_FREE && !variables.contains(&arg) {
                free |= 1 << at;
                variables.push(arg);
            } else {
                return (WHOLE, given);
            }
        }
        (free, given)
    }

    /// The table with this key, or the hash of the key.
    fn known(&self, pred: PredId, free: u64, words: &[u64]) -> Result<usize, u64> {
        let mut hasher = FxHasher::default();
        hasher.write_u32(pred.0);
        hasher.write_u64(free);
        words.iter().for_each(|word| hasher.write_u64(*word));
        let hash = hasher.finish();
        let mut next = self.by_hash.get(&hash).copied();
        while let Some(number) = next {
            let table = &self.tables[number];
            if table.pred == pred && table.free == free && table.call.as_words() == words {
                return Ok(number);
            }
            next = table.same_hash;
        }
        Err(hash)
    }

    fn add(&mut self, store: &mut Store, hash: u64, mut table: AnswerTable) -> usize {
        let number = self.tables.len();
        // The next query may need the memory of long names.
        self.passing |= table.call.holds_names();
        self.grow(store, table.call.bytes() + OVERHEAD);
        table.same_hash = self.by_hash.insert(hash, number);
        self.tables.push(table);
        number
    }

    /// Looks for answers of the table. The first use of a complete table in a query costs its steps.
    pub(crate) fn find(&mut self, store: &mut Store, number: usize) -> Found {
        match self.tables[number].status {
            _ if self.next == Some(number) => return Found::Nothing,
            TableStatus::New => return Found::Nothing,
            TableStatus::Active(depth) => self.depends_on(depth),
            TableStatus::Idle(place) => {
                // The table waits for a table around, at most for the innermost one within which it was begun.
                let around = self.active.partition_point(|active| active.idle <= place);
                self.depends_on(around - 1);
            }
            TableStatus::Complete => {
                if !self.pay(store, number) {
                    self.tables[number].empty();
                    return Found::Nothing;
                }
            }
        }
        Found::Answers
    }

    /// Counts the steps and bytes that completed a table, unless this query has paid for it. Returns
    /// `false` if the budget may not suffice: then the table is completed again.
    fn pay(&mut self, store: &mut Store, number: usize) -> bool {
        let group = self.tables[number].group;
        let before = self.groups[group].question;
        if before == self.question {
            self.needs((group, number), 0);
            return true;
        }
        let mut found = vec![(group, before)];
        self.groups[group].question = self.question;
        let (mut steps, mut bytes, mut varies) = (0, 0, self.groups[group].leader != number);
        let mut at = 0;
        while at < found.len() {
            let part = &self.groups[found[at].0];
            (steps, bytes, varies) = (steps + part.steps, bytes + part.bytes, varies | part.varies);
            for need in 0..part.needs.len() {
                let need = self.groups[found[at].0].needs[need] as usize;
                let before = std::mem::replace(&mut self.groups[need].question, self.question);
                if before != self.question {
                    found.push((need, before));
                }
            }
            at += 1;
        }
        let room = store.memory.saturating_sub(store.used()) / 2;
        if store.is_near_its_end(steps) || bytes > room {
            found.into_iter().for_each(|(group, before)| self.groups[group].question = before);
            return false;
        }
        store.aside += bytes;
        store.steps += steps;
        store.steps_vary |= varies;
        self.needs((group, number), steps);
        true
    }

    /// Records that the innermost active table depends on the one with this index.
    fn depends_on(&mut self, low: usize) {
        if let Some(active) = self.active.last_mut() {
            active.low = active.low.min(low);
        }
    }

    /// Makes a table the innermost active one, for a pass over its clauses. `height` is the number of choice points
    /// of the solver, and `home` is where it finds the clauses.
    pub(crate) fn begin(&mut self, store: &Store, number: usize, height: usize, home: u32) {
        self.next = None;
        let (depth, order) = (self.active.len(), self.begun.len() as u64);
        let table = &mut self.tables[number];
        let again = match std::mem::replace(&mut table.status, TableStatus::Active(depth)) {
            TableStatus::Idle(place) => Some(place),
            _ => {
                (table.order, table.home) = (order, home);
                self.begun.push(number);
                None
            }
        };
        self.active.push(Active {
            table: number,
            low: usize::MAX,
            idle: self.idle.len(),
            again,
            last: table.order,
            upwards: true,
            spent: TableCost { begun: store.steps, most: 64, ..TableCost::default() },
            height,
        });
    }

    /// Records an answer of the innermost active table, for a call with these arguments. It costs a step.
    pub(crate) fn record(&mut self, store: &mut Store, args: &[Term]) -> Result<(), Fault> {
        let number = self.innermost().expect("only a pass over clauses gives answers");
        let table = &self.tables[number];
        let top = store.heap.len();
        let value = match *table.open {
            [] => Term::atom(atoms::TRUE),
            [at] => args[usize::from(at)],
            ref open => {
                let values: Vec<Term> = open.iter().map(|at| args[usize::from(*at)]).collect();
                store.heap.structure(atoms::CALL, &values)
            }
        };
        // A call without variables has one answer.
        if !table.open.is_empty() || table.answers.is_empty() {
            let answer = store.packed(value)?;
            if self.tables[number].insert(&answer) {
                self.passing |= answer.holds_names();
                self.grow(store, answer.bytes() + OVERHEAD);
                for reader in std::mem::take(&mut self.tables[number].readers) {
                    // An error may have dropped the reader.
                    if self.tables[reader].status != TableStatus::New {
                        self.behind.insert((self.tables[reader].order, reader));
                    }
                }
            }
        }
        store.heap.cells.truncate(top);
        store.charge(1)
    }

    /// Ends a pass over the clauses of the innermost active table.
    pub(crate) fn end_pass(&mut self, store: &mut Store) -> PassEnd {
        let depth = self.active.len() - 1;
        let leads = self.active[depth].low >= depth;
        if self.active[depth].again.is_none() && leads && self.active[depth].low == depth {
            if let Some(next) = self.next_behind() {
                if next == self.active[depth].table {
                    return PassEnd::Again;
                }
                self.next = Some(next);
                return PassEnd::Other;
            }
        }
        let Active { table: number, low, idle, again, spent, .. } =
            self.active.pop().expect("a pass belongs to an active table");
        if let Some(place) = again {
            self.tables[number].status = TableStatus::Idle(place);
            self.wait_for(low, spent);
            return PassEnd::Over;
        }
        if !leads {
            self.tables[number].status = TableStatus::Idle(self.idle.len());
            self.idle.push(number);
            self.wait_for(low, spent);
            return PassEnd::Done;
        }
        self.passing |= store.host.is_some() || !store.output.is_empty();
        let group = self.groups.len();
        self.tables[number].complete(store, group);
        for member in self.idle.drain(idle..) {
            self.tables[member].complete(store, group);
        }
        let whole = store.steps - spent.begun;
        let made = Group {
            question: self.question,
            leader: number,
            varies: !spent.elsewhere.is_empty(),
            steps: whole - spent.nested,
            bytes: spent.bytes,
            needs: self.reduced(spent.distinct()),
        };
        self.groups.push(made);
        self.needs((group, number), whole);
        PassEnd::Done
    }

    /// Leaves out groups that others of the list need, as far as a short search finds them. The list is sorted. A group
    /// needs only groups before it.
    fn reduced(&mut self, needs: Vec<u32>) -> Box<[u32]> {
        let (mut kept, mut left) = (Vec::new(), 8 * needs.len() + 64);
        let (mut reached, mut open) = (FxHashSet::default(), Vec::new());
        let least = needs.first().copied();
        for need in needs.into_iter().rev() {
            if !reached.insert(need) {
                continue;
            }
            kept.push(need);
            open.push(need);
            while let Some(group) = open.pop() {
                for next in &self.groups[group as usize].needs {
                    left = left.saturating_sub(1);
                    if left > 0 && Some(*next) >= least && reached.insert(*next) {
                        open.push(*next);
                    }
                }
            }
        }
        kept.into()
    }

    /// Ends a pass whose table waits for the active table with the index `low`.
    fn wait_for(&mut self, low: usize, spent: TableCost) {
        self.depends_on(low);
        if let Some(outer) = self.active.last_mut() {
            outer.spent.add(spent);
        }
    }

    /// The next table within the innermost active one that has read too few answers. The search goes through the
    /// tables in the order of their beginning, to and fro, so that answers reach tables far away in few passes.
    fn next_behind(&mut self) -> Option<usize> {
        let active = self.active.last_mut().expect("a pass belongs to an active table");
        let first = (self.tables[active.table].order, 0);
        let (here, after) = ((active.last, 0), (active.last + 1, 0));
        for _ in 0..2 {
            let found = match active.upwards {
                true => self.behind.range(after..).next(),
                false => self.behind.range(first..here).next_back(),
            };
            if let Some(found) = found.copied() {
                active.last = found.0;
                self.behind.remove(&found);
                return Some(found.1);
            }
            active.upwards = !active.upwards;
        }
        let found = self.behind.range(here..after).next().copied()?;
        self.behind.remove(&found);
        Some(found.1)
    }

    /// Whether an answer is there. If the table is not complete, the innermost active table needs its next answer.
    pub(crate) fn has_answer(&mut self, number: usize, at: usize) -> bool {
        let innermost = self.innermost();
        let table = &mut self.tables[number];
        if at < table.answers.len() {
            return true;
        }
        if let (Some(reader), true) = (innermost, table.status != TableStatus::Complete) {
            table.readers.insert(reader);
        }
        false
    }

    /// Whether an answer is the last.
    pub(crate) fn is_last(&self, number: usize, at: usize) -> bool {
        let table = &self.tables[number];
        at + 1 == table.answers.len() && table.status == TableStatus::Complete
    }

    /// Unifies the arguments of a call with an answer.
    pub(crate) fn unify(&self, store: &mut Store, number: usize, at: usize, args: &[Term]) -> Result<bool, Fault> {
        let table = &self.tables[number];
        let answer = &table.answers[at];
        match *table.open {
            [] => Ok(true),
            [open] => {
                let value = unpacked(store, answer)?;
                store.unify(args[usize::from(open)], value)
            }
            ref open => {
                let whole = unpacked(store, answer)?;
                for (at, open) in open.iter().enumerate() {
                    let value = Term(store.heap.cells[whole.index() + 1 + at]);
                    if !store.unify(args[usize::from(*open)], value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// The predicate of a table.
    pub(crate) fn pred(&self, number: usize) -> PredId {
        self.tables[number].pred
    }

    /// Whether the table has all answers.
    pub(crate) fn is_complete(&self, number: usize) -> bool {
        self.tables[number].status == TableStatus::Complete
    }

    /// The table whose clauses run again next: its arguments, and where the solver finds its clauses.
    pub(crate) fn next_pass(&self, store: &mut Store) -> Option<(usize, Vec<Term>, u32)> {
        let number = self.next?;
        let table = &self.tables[number];
        let whole = unpack(&mut store.heap, &table.call);
        let mut args = store.heap.args(whole);
        if table.free != WHOLE {
            for at in table.open.iter() {
                args.insert(usize::from(*at), store.heap.variable());
            }
        }
        Some((number, args, table.home))
    }

    /// The number of active tables.
    pub(crate) fn depth(&self) -> usize {
        self.active.len()
    }

    /// The innermost active table.
    pub(crate) fn innermost(&self) -> Option<usize> {
        self.active.last().map(|active| active.table)
    }

    /// Drops the active tables from an index on, as an error has left them behind.
    pub(crate) fn drop_from(&mut self, keep: usize) {
        let Some(first) = self.active.get(keep) else { return };
        // The steps of these tables are not known.
        self.passing = true;
        self.next = None;
        self.behind.split_off(&(self.tables[first.table].order, 0));
        let incomplete = self.idle.drain(first.idle..).collect::<Vec<_>>();
        for number in self.active.drain(keep..).map(|active| active.table).chain(incomplete) {
            self.tables[number].empty();
        }
    }

    /// Drops the active tables that were begun with more choice points.
    pub(crate) fn drop_above(&mut self, height: usize) {
        self.drop_from(self.active.partition_point(|active| active.height <= height));
    }

    /// Counts bytes, also for the active table.
    fn grow(&mut self, store: &mut Store, bytes: u64) {
        store.aside += bytes;
        self.bytes += bytes;
        if let Some(active) = self.active.last_mut() {
            active.spent.bytes += bytes;
        }
    }

    /// Records that the active table needs a group, from which it uses the table `number`.
    fn needs(&mut self, (group, number): (usize, usize), steps: u64) {
        let Some(Active { spent, .. }) = self.active.last_mut() else { return };
        spent.nested += steps;
        let group = group as u32;
        if spent.needs.last() == Some(&group) {
            return;
        }
        if self.groups[group as usize].leader != number && !spent.needs.contains(&group) {
            spent.elsewhere.push(group);
        }
        spent.needs.push(group);
        spent.shorten();
    }
}

/// Builds an answer. The budget is checked for large ones.
fn unpacked(store: &mut Store, answer: &Packed) -> Result<Term, Fault> {
    if let Some(constant) = answer.constant() {
        return Ok(constant);
    }
    if answer.words() > 1 << 10 {
        store.room(answer.words())?;
    }
    Ok(unpack(&mut store.heap, answer))
}

impl TableCost {
    /// Adds the costs of a table that ended later and belongs to the same group.
    fn add(&mut self, mut inner: TableCost) {
        self.nested += inner.nested;
        self.bytes += inner.bytes;
        inner.elsewhere.retain(|group| !self.needs.contains(group));
        self.elsewhere.append(&mut inner.elsewhere);
        self.needs.extend(inner.distinct());
        self.shorten();
    }

    /// Removes repeated groups if the list has become long.
    fn shorten(&mut self) {
        if self.needs.len() >= self.most {
            let needs = std::mem::take(&mut self.needs);
            self.needs = TableCost { needs, ..TableCost::default() }.distinct();
            self.most = 64.max(2 * self.needs.len());
        }
    }

    /// Returns the needed groups, each once.
    fn distinct(mut self) -> Vec<u32> {
        self.needs.sort_unstable();
        self.needs.dedup();
        self.needs
    }
}

impl AnswerTable {
    fn new(pred: PredId, call: Packed, free: u64, open: Box<[u16]>) -> AnswerTable {
        AnswerTable {
            group: 0,
            pred,
            call,
            free,
            same_hash: None,
            open,
            answers: Vec::new(),
            known: FxHashSet::default(),
            status: TableStatus::New,
            order: 0,
            home: 0,
            readers: FxHashSet::default(),
        }
    }

    /// Drops all answers.
    fn empty(&mut self) {
        let open = std::mem::take(&mut self.open);
        let same_hash = self.same_hash;
        *self = AnswerTable { same_hash, ..AnswerTable::new(self.pred, self.call.clone(), self.free, open) };
    }

    /// Adds an answer. Returns `false` if the table has it.
    fn insert(&mut self, answer: &Packed) -> bool {
        if self.answers.len() < FEW {
            if self.answers.contains(answer) {
                return false;
            }
        } else {
            if self.known.is_empty() {
                self.known.extend(self.answers.iter().cloned());
            }
            if !self.known.insert(answer.clone()) {
                return false;
            }
        }
        self.answers.push(answer.clone());
        true
    }

    /// Completes the table, as a member of a group. The answers get the standard order of terms.
    fn complete(&mut self, store: &mut Store, group: usize) {
        (self.group, self.status) = (group, TableStatus::Complete);
        (self.known, self.readers) = Default::default();
        if self.answers.len() < 2 {
            return;
        }
        let heap = &mut store.heap;
        let top = heap.len();
        let mut terms: Vec<(Term, Packed)> =
            std::mem::take(&mut self.answers).into_iter().map(|answer| (unpack(heap, &answer), answer)).collect();
        terms.sort_by(|(left, _), (right, _)| order::compare(heap, *left, *right));
        heap.cells.truncate(top);
        self.answers = terms.into_iter().map(|(_, answer)| answer).collect();
    }
}
