//! Tables of tabled predicates: answers and their state.
//!
//! Both solvers fill tables with the functions here. A table belongs to a call; variants of a call share it. The
//! arguments that are ground in the call are not part of the answers.
//!
//! A pass over the clauses of a call fills its table. A call within that needs the table of a call around it reads the
//! answers so far. The outermost call of such a cycle leads: after its own pass, the clauses run again for each call
//! that has read too few answers, until there are no new answers. This is plain beside SLG resolution (Chen and Warren,
//! 1996), but gives the same answers for stratified programs.
//!
//! Complete tables are kept for the next query, which reads them without the steps that completed them.

mod answer_table;
mod interned;

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::machine::tables::answer_table::{AnswerTable, Call, TableStatus};
use crate::machine::tables::interned::{Interned, hash};
use crate::term::pack::{Packed, unpack};
use crate::term::{HDR, LST, STR, TAG, Term};
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Greatest size of tables kept for the next query, in bytes.
const MOST_KEPT: u64 = 1 << 26;

/// Bytes of a table or of an answer beside its term.
const OVERHEAD: u64 = 160;

/// Stands for a variable in a key, and for a call that is packed as a whole.
const FREE: u64 = 1 << 60 | HDR;
const WHOLE: u64 = 1 << 61 | HDR;

/// The tables of one evaluation, and those kept from earlier ones.
#[derive(Default)]
pub(crate) struct Tables {
    /// The youngest table for each hash of a predicate and a key.
    by_hash: FxHashMap<u64, usize>,
    tables: Vec<AnswerTable>,
    /// The arguments of calls that are neither constants nor variables.
    terms: Interned,
    /// A buffer for a key.
    key: Vec<u64>,
    /// Tables begun for this query.
    begun: Vec<usize>,
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
    /// The number of choice points of the solver that fills the table.
    height: usize,
}

impl Tables {
    /// Prepares for the next query: drops incomplete tables, or all tables if they take too much
    /// memory.
    pub(crate) fn next_question(&mut self) {
        self.drop_from(0);
        if self.passing || self.bytes > MOST_KEPT {
            *self = Tables::default();
        }
        self.begun.clear();
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
        let (mut open, mut whole) = (SmallVec::new(), None);
        if !self.write_key(store, args, fixed, &mut key)? {
            let top = store.heap.len();
            let term = store.heap.structure(atoms::CALL, args);
            let call = store.packed(term)?;
            store.heap.cells.truncate(top);
            key.clear();
            key.push(WHOLE);
            key.extend_from_slice(call.as_words());
            for (at, arg) in (0..).zip(args) {
                if !store.packed(*arg)?.is_ground() {
                    open.push(at);
                }
            }
            whole = Some(call);
        }
        let hash = hash(&key).wrapping_add(u64::from(pred.0));
        let number = match self.known(hash, pred, &key) {
            Some(number) => number,
            None => {
                if whole.is_none() {
                    let is_open = |word: u64| word & TAG == HDR && !self.terms.term((word >> 3) as u32).is_ground();
                    let is_open = |word: u64| word == FREE || is_open(word);
                    open.extend((0..).zip(&key).filter(|(_, word)| is_open(**word)).map(|(at, _)| at));
                }
                self.passing |= whole.as_ref().is_some_and(Packed::holds_names);
                self.grow(store, 8 * key.len() as u64 + OVERHEAD);
                let number = self.tables.len();
                let same_hash = self.by_hash.insert(hash, number);
                let call = Call { key: key.as_slice().into(), whole: whole.map(Box::new), open };
                self.tables.push(AnswerTable { same_hash, ..AnswerTable::new(pred, call) });
                number
            }
        };
        self.key = key;
        Ok(number)
    }

    /// Writes a word for each argument: a constant, the number of a term, or [`FREE`] for a variable. Returns `false` if
    /// a variable may occur in two arguments.
    fn write_key(&mut self, store: &mut Store, args: &[Term], fixed: usize, key: &mut Vec<u64>) -> Result<bool, Fault> {
        let (mut variables, mut open) = (false, false);
        for (at, arg) in args.iter().enumerate() {
            let arg = store.heap.deref(*arg);
            if store.heap.is_var(arg) {
                if open || args[..at].iter().any(|other| store.heap.deref(*other) == arg) {
                    return Ok(false);
                }
                variables = true;
                key.push(FREE);
            } else if arg.as_small().is_some()
                || arg.as_atom().is_some_and(|name| !alphorn_text::symbol::is_young(name.number()))
            {
                key.push(arg.0);
            } else {
                let mut added = None;
                let is_fixed = matches!(arg.tag(), STR | LST) && arg.index() < fixed;
                let mut count = |term: &Packed| added = Some((term.bytes() + OVERHEAD, term.holds_names()));
                let number = match self.terms.number(store, arg, is_fixed, &mut count)? {
                    Ok(number) => number,
                    Err(_) if variables || std::mem::replace(&mut open, true) => return Ok(false),
                    Err(packed) => self.terms.number_of_open(packed, &mut count),
                };
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
            if table.pred == pred && table.call.key[..] == *key {
                return Some(number);
            }
            next = table.same_hash;
        }
        None
    }

    /// Looks for answers of the table.
    pub(crate) fn find(&mut self, number: usize) -> Found {
        match self.tables[number].status {
            _ if self.next == Some(number) => return Found::Nothing,
            TableStatus::New => return Found::Nothing,
            TableStatus::Active(depth) => self.depends_on(depth),
            TableStatus::Idle(place) => {
                // The table waits for a table around, at most for the innermost one within which it was begun.
                let around = self.active.partition_point(|active| active.idle <= place);
                self.depends_on(around - 1);
            }
            TableStatus::Complete => {}
        }
        Found::Answers
    }

    /// Records that the innermost active table depends on the one with this index.
    fn depends_on(&mut self, low: usize) {
        if let Some(active) = self.active.last_mut() {
            active.low = active.low.min(low);
        }
    }

    /// Makes a table the innermost active one, for a pass over its clauses. `height` is the number of choice points
    /// of the solver, and `home` is where it finds the clauses.
    pub(crate) fn begin(&mut self, number: usize, height: usize, home: u32) {
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
            height,
        });
    }

    /// Records an answer of the innermost active table, for a call with these arguments. It costs a step.
    pub(crate) fn record(&mut self, store: &mut Store, args: &[Term]) -> Result<(), Fault> {
        let number = self.innermost().expect("only a pass over clauses gives answers");
        let table = &self.tables[number];
        let top = store.heap.len();
        let value = match table.call.open[..] {
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
                for reader in self.tables[number].readers.take().into_iter().flat_map(|readers| *readers) {
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
        if self.active[depth].again.is_none()
            && self.active[depth].low == depth
            && let Some(next) = self.next_behind()
        {
            if next == self.active[depth].table {
                return PassEnd::Again;
            }
            self.next = Some(next);
            return PassEnd::Other;
        }
        let Active { table: number, low, idle, again, .. } =
            self.active.pop().expect("a pass belongs to an active table");
        if let Some(place) = again {
            self.tables[number].status = TableStatus::Idle(place);
            self.depends_on(low);
            return PassEnd::Over;
        }
        if !leads {
            self.tables[number].status = TableStatus::Idle(self.idle.len());
            self.idle.push(number);
            self.depends_on(low);
            return PassEnd::Done;
        }
        self.passing |= store.host.is_some() || !store.output.is_empty();
        self.tables[number].complete(store);
        for member in self.idle.drain(idle..) {
            self.tables[member].complete(store);
        }
        PassEnd::Done
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
            table.readers.get_or_insert_default().insert(reader);
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
        self.tables[number].unify(store, at, args)
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
        // The next query begins anew, so that errors of limits do not depend on the ones before.
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

    /// Counts bytes.
    fn grow(&mut self, store: &mut Store, bytes: u64) {
        store.aside += bytes;
        self.bytes += bytes;
    }
}
