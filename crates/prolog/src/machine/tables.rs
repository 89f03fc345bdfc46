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
use crate::machine::interned::{Interned, hash};
use crate::machine::store::Store;
use crate::term::order;
use crate::term::pack::{Packed, unpack};
use crate::term::{HDR, LST, STR, TAG, Term};
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::atoms;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Greatest size of tables kept for the next query, in bytes.
const MOST_KEPT: u64 = 1 << 26;

/// Bytes of a table or of an answer beside its term.
const OVERHEAD: u64 = 160;

/// The number of no query.
const UNPAID: u64 = u64::MAX;

/// Stands for a variable in a key, and for a call that is packed as a whole.
const FREE: u64 = 1 << 60 | HDR;
const WHOLE: u64 = 1 << 61 | HDR;

/// Greatest number of answers that are compared one by one to find a repeated one.
const FEW: usize = 8;

/// The tables of one evaluation, and those kept from earlier ones.
#[derive(Default)]
pub(crate) struct Tables {
    /// The youngest table for each hash of a predicate and a key.
    by_hash: FxHashMap<u64, usize>,
    tables: Vec<AnswerTable>,
    /// The ground arguments of calls.
    terms: Interned,
    /// A buffer for a key, and the call if it is packed as a whole.
    key: Vec<u64>,
    whole: Option<Packed>,
    /// Tables begun for this query.
    begun: Vec<usize>,
    groups: Vec<Group>,
    /// The predicates of the groups for which this query has paid, as in [`Total::preds`].
    paid: u64,
    /// Groups for which this query has paid, with all that they need, which are not marked one by one.
    unlisted: Vec<usize>,
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
    /// The costs of the group with all that it needs, if known.
    total: Option<Total>,
}

/// The costs of some groups.
#[derive(Clone, Copy, Default)]
struct Total {
    steps: u64,
    bytes: u64,
    varies: bool,
    /// The predicates of the leaders, as bits of a set: more than one predicate may have the same bit.
    preds: u64,
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

/// The arguments of a call.
struct Call {
    /// A word for each argument: see [`Tables::write_key`]; or [`WHOLE`], and the words of the packed call.
    key: Box<[u64]>,
    whole: Option<Packed>,
    /// The arguments that are not ground.
    open: Box<[u16]>,
}

struct AnswerTable {
    /// The group with which the table was completed.
    group: usize,
    pred: PredId,
    call: Rc<Call>,
    /// An older table with the same hash.
    same_hash: Option<usize>,
    /// The values of the open arguments, one by one for each answer: a term alone, or `call(Values...)`.
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
        self.unlisted.clear();
        self.paid = 0;
        self.terms.forget_places();
    }

    /// The table of a call with these arguments. Terms in heap cells below `fixed` are the same during the whole query.
    pub(crate) fn of_call(
        &mut self,
        store: &mut Store,
        pred: PredId,
        args: &[Term],
        fixed: usize,
    ) -> Result<usize, Fault> {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let mut open = Vec::new();
        if !self.write_key(store, args, fixed, &mut key)? {
            let top = store.heap.len();
            let whole = store.heap.structure(atoms::CALL, args);
            let call = store.packed(whole)?;
            store.heap.cells.truncate(top);
            key.clear();
            key.push(WHOLE);
            key.extend_from_slice(call.as_words());
            for (at, arg) in (0..).zip(args) {
                if !store.packed(*arg)?.is_ground() {
                    open.push(at);
                }
            }
            self.whole = Some(call);
        }
        let hash = hash(&key).wrapping_add(u64::from(pred.0));
        let number = match self.known(hash, pred, &key) {
            Some(number) => number,
            None => {
                open.extend((0..).zip(&key).filter(|(_, word)| **word == FREE).map(|(at, _)| at));
                let whole = self.whole.take();
                self.passing |= whole.as_ref().is_some_and(Packed::holds_names);
                self.grow(store, 8 * key.len() as u64 + OVERHEAD);
                let number = self.tables.len();
                let same_hash = self.by_hash.insert(hash, number);
                let call = Call { key: key.as_slice().into(), whole, open: open.into() };
                self.tables.push(AnswerTable { same_hash, ..AnswerTable::new(pred, Rc::new(call)) });
                number
            }
        };
        self.key = key;
        Ok(number)
    }

    /// Writes a word for each argument: a constant, the number of a ground term, or [`FREE`] for a variable. Returns
    /// `false` for other terms, and if a variable occurs twice.
    fn write_key(&mut self, store: &mut Store, args: &[Term], fixed: usize, key: &mut Vec<u64>) -> Result<bool, Fault> {
        for (at, arg) in args.iter().enumerate() {
            let arg = store.heap.deref(*arg);
            if store.heap.is_var(arg) {
                if args[..at].iter().any(|other| store.heap.deref(*other) == arg) {
                    return Ok(false);
                }
                key.push(FREE);
            } else if arg.as_small().is_some()
                || arg.as_atom().is_some_and(|name| !alphorn_text::symbol::is_young(name.number()))
            {
                key.push(arg.0);
            } else {
                let mut added = None;
                let is_fixed = matches!(arg.tag(), STR | LST) && arg.index() < fixed;
                let count = |term: &Packed| added = Some((term.bytes() + OVERHEAD, term.holds_names()));
                let Some(number) = self.terms.number(store, arg, is_fixed, count)? else { return Ok(false) };
                if let Some((bytes, named)) = added {
                    // The next query may need the memory of long names.
                    self.passing |= named;
                    self.grow(store, bytes);
                }
                key.push(u64::from(number) << 3 | HDR);
            }
        }
        Ok(true)
    }

    fn known(&self, hash: u64, pred: PredId, key: &[u64]) -> Option<usize> {
        let mut next = self.by_hash.get(&hash).copied();
        while let Some(number) = next {
            let table = &self.tables[number];
            if table.pred == pred && *table.call.key == *key {
                return Some(number);
            }
            next = table.same_hash;
        }
        None
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
        if self.groups[group].question == self.question {
            self.needs((group, number), 0);
            return true;
        }
        // Payments for groups without common needs are not listed group by group before they must be.
        let total = self.groups[group].total.filter(|total| total.preds & self.paid == 0);
        let (total, marked) = match total {
            Some(total) => {
                self.unlisted.push(group);
                self.groups[group].question = self.question;
                (total, None)
            }
            None => {
                let is_first = self.paid == 0;
                for group in std::mem::take(&mut self.unlisted) {
                    self.groups[group].question = UNPAID;
                    self.mark(group);
                }
                if self.groups[group].question == self.question {
                    self.needs((group, number), 0);
                    return true;
                }
                let (total, marked) = self.mark(group);
                if is_first {
                    self.groups[group].total = Some(total);
                }
                (total, Some(marked))
            }
        };
        let room = store.memory.saturating_sub(store.used()) / 2;
        if store.is_near_its_end(total.steps) || total.bytes > room {
            match marked {
                Some(marked) => marked.into_iter().for_each(|group| self.groups[group].question = UNPAID),
                None => {
                    self.unlisted.pop();
                    self.groups[group].question = UNPAID;
                }
            }
            return false;
        }
        self.paid |= total.preds;
        store.aside += total.bytes;
        store.steps += total.steps;
        store.steps_vary |= total.varies || self.groups[group].leader != number;
        self.needs((group, number), total.steps);
        true
    }

    /// Marks a group, and all that it needs, as paid for. Returns the costs of those that were not, and their numbers.
    fn mark(&mut self, group: usize) -> (Total, Vec<usize>) {
        let (mut total, mut marked) = (Total::default(), vec![group]);
        self.groups[group].question = self.question;
        let mut at = 0;
        while at < marked.len() {
            let part = &self.groups[marked[at]];
            let pred = self.tables[part.leader].pred;
            total = Total {
                steps: total.steps + part.steps,
                bytes: total.bytes + part.bytes,
                varies: total.varies | part.varies,
                preds: total.preds | 1 << (pred.0 % 64),
            };
            for need in 0..part.needs.len() {
                let need = self.groups[marked[at]].needs[need] as usize;
                if std::mem::replace(&mut self.groups[need].question, self.question) != self.question {
                    marked.push(need);
                }
            }
            at += 1;
        }
        (total, marked)
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
        let value = match *table.call.open {
            [] => Term::atom(atoms::TRUE),
            [at] => args[usize::from(at)],
            ref open => {
                let values: Vec<Term> = open.iter().map(|at| args[usize::from(*at)]).collect();
                store.heap.structure(atoms::CALL, &values)
            }
        };
        // A call without variables has one answer.
        if !table.call.open.is_empty() || table.answers.is_empty() {
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
            total: None,
        };
        self.paid |= 1 << (self.tables[number].pred.0 % 64);
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
        match *table.call.open {
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
        let heap = &mut store.heap;
        let args = match &table.call.whole {
            Some(call) => {
                let whole = unpack(heap, call);
                heap.args(whole)
            }
            None => {
                let arg = |word: &u64| match *word {
                    FREE => heap.variable(),
                    word if word & TAG == HDR => unpack(heap, self.terms.term((word >> 3) as u32)),
                    word => Term(word),
                };
                table.call.key.iter().map(arg).collect()
            }
        };
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
    fn new(pred: PredId, call: Rc<Call>) -> AnswerTable {
        AnswerTable {
            group: 0,
            pred,
            call,
            same_hash: None,
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
        let same_hash = self.same_hash;
        *self = AnswerTable { same_hash, ..AnswerTable::new(self.pred, self.call.clone()) };
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
