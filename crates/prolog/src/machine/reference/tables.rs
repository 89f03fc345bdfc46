//! The tables of the reference solver: answers, their state, and the costs that completed them.

use crate::term::pack::Packed;
use alphorn_lang::lang::program::PredId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Greatest size of tables kept for the next query, in bytes.
const MOST_KEPT: u64 = 1 << 26;

/// The tables of one evaluation, and those kept from earlier ones.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) by_call: FxHashMap<(PredId, Packed), usize>,
    pub(super) tables: Vec<AnswerTable>,
    /// Tables begun for this query.
    pub(super) begun: Vec<usize>,
    pub(super) groups: Vec<Group>,
    /// The number of the query.
    pub(super) question: u64,
    /// Bytes of all tables.
    pub(super) bytes: u64,
    /// Whether the tables must be dropped, because another query would repeat their work.
    pub(super) passing: bool,
    /// Active tables, the outermost first.
    pub(super) active: Vec<Active>,
    /// Incomplete tables whose pass is over, in the order they ended.
    pub(super) idle: Vec<usize>,
    /// The number of the current pass.
    pub(super) pass: u64,
}

#[derive(PartialEq)]
pub(super) enum TableStatus {
    Active(usize),
    Idle,
    Complete,
}

/// Tables that were completed together.
pub(super) struct Group {
    /// The last query that has paid for the group.
    pub(super) question: u64,
    /// The table that was begun first.
    pub(super) leader: usize,
    /// Whether the steps may be others if the group is completed in another query: its tables have entered a group
    /// by another table than its leader.
    pub(super) varies: bool,
    /// The steps that completed the group, without those of other groups.
    pub(super) steps: u64,
    pub(super) bytes: u64,
    /// The groups that this one needed.
    pub(super) needs: Vec<usize>,
}

/// The resources used so far to complete a table.
#[derive(Default)]
pub(super) struct TableCost {
    /// Number of steps at the beginning.
    pub(super) begun: u64,
    /// The steps spent on other groups since then.
    pub(super) nested: u64,
    pub(super) bytes: u64,
    pub(super) needs: FxHashSet<usize>,
    /// The needed groups that were entered by another table than their leader.
    pub(super) elsewhere: Vec<usize>,
}

pub(super) struct AnswerTable {
    /// The group with which the table was completed.
    pub(super) group: usize,
    pub(super) pred: PredId,
    pub(super) answers: Vec<Packed>,
    pub(super) known: FxHashSet<Packed>,
    pub(super) status: TableStatus,
    /// The outermost active table on which this one depends.
    pub(super) low: usize,
    pub(super) pass: u64,
}

pub(super) struct Active {
    pub(super) table: usize,
    pub(super) low: usize,
    pub(super) changed: bool,
    pub(super) idle: usize,
    pub(super) spent: TableCost,
}

impl Tables {
    /// Prepares for the next query: drops incomplete tables, or all tables if they take too much
    /// memory.
    pub(super) fn next_question(&mut self) {
        if self.passing || self.bytes > MOST_KEPT {
            *self = Tables { question: self.question, ..Tables::default() };
        }
        self.question += 1;
        self.active.clear();
        self.idle.clear();
        for number in self.begun.drain(..) {
            let table = &mut self.tables[number];
            if table.status != TableStatus::Complete {
                *table = AnswerTable::new(table.pred);
            }
        }
    }

    /// Counts bytes of an active table.
    pub(super) fn grow(&mut self, bytes: u64) {
        self.bytes += bytes;
        if let Some(active) = self.active.last_mut() {
            active.spent.bytes += bytes;
        }
    }

    /// Records that the active table needs a group, from which it uses the table `number`.
    pub(super) fn needs(&mut self, (group, number): (usize, usize), steps: u64) {
        let Some(active) = self.active.last_mut() else { return };
        active.spent.nested += steps;
        if active.spent.needs.insert(group) && self.groups[group].leader != number {
            active.spent.elsewhere.push(group);
        }
    }
}

impl TableCost {
    /// Adds the costs of a table that ended later and belongs to the same group.
    pub(super) fn add(&mut self, inner: TableCost) {
        self.nested += inner.nested;
        self.bytes += inner.bytes;
        self.elsewhere.extend(inner.elsewhere.into_iter().filter(|group| !self.needs.contains(group)));
        self.needs.extend(inner.needs);
    }
}

impl AnswerTable {
    pub(super) fn new(pred: PredId) -> AnswerTable {
        let (answers, known) = (Vec::new(), FxHashSet::default());
        AnswerTable { group: 0, pred, answers, known, status: TableStatus::Idle, low: usize::MAX, pass: u64::MAX }
    }
}
