//! The steps that completed tables. A query pays them once, also if the tables were completed before.

use crate::machine::store::Store;
use alphorn_lang::lang::program::PredId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of no query.
const UNPAID: u64 = u64::MAX;

/// Groups of tables that were completed together, by number. A group needs only groups before it. The properties of
/// groups are in separate lists, because a payment goes through many groups.
#[derive(Default)]
pub(super) struct Groups {
    /// The last query that has paid for each group.
    paid_by: Vec<u64>,
    /// The costs of each group, without those of other groups.
    costs: Vec<Costs>,
    /// The groups that each group needed: the end of its part of `needs`.
    ends: Vec<u32>,
    needs: Vec<u32>,
    /// The table of each group that was begun first.
    leaders: Vec<u32>,
    /// The costs of some groups with all that they need.
    totals: FxHashMap<u32, Costs>,
    /// The number of the query.
    query: u64,
    /// The predicates of all groups for which the query has paid, as in [`Costs::preds`].
    paid: u64,
    /// Groups for which the query has paid, with all that they need, whose needs are not marked in `paid_by`.
    unmarked: Vec<u32>,
}

/// The costs of groups.
#[derive(Clone, Copy, Default)]
struct Costs {
    steps: u64,
    bytes: u64,
    /// Whether the steps may be others if another query completes the groups: a table has entered a group by another
    /// table than its leader.
    varies: bool,
    /// The predicates of the leaders, as bits of a set. Several predicates may have one bit.
    preds: u64,
}

/// The resources used so far to complete a table.
#[derive(Default)]
pub(super) struct TableCost {
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

fn bit(pred: PredId) -> u64 {
    1 << (pred.0 % 64)
}

impl Groups {
    /// Groups without members, for the query that follows.
    pub(super) fn emptied(&self) -> Groups {
        Groups { query: self.query, ..Groups::default() }
    }

    /// Begins the next query.
    pub(super) fn next_query(&mut self) {
        self.query += 1;
        self.paid = 0;
        self.unmarked.clear();
    }

    /// The number of the next group.
    pub(super) fn next(&self) -> u32 {
        self.costs.len() as u32
    }

    /// Whether the table was the first one of the group.
    fn is_led_by(&self, group: u32, table: usize) -> bool {
        self.leaders[group as usize] as usize == table
    }

    /// Adds a group that this query has completed, with a table of a predicate as its leader. Returns the steps of the
    /// group and of all that it needed.
    pub(super) fn add(&mut self, store: &Store, (leader, pred): (usize, PredId), spent: TableCost) -> u64 {
        let whole = store.steps - spent.begun;
        let costs = Costs {
            steps: whole - spent.nested,
            bytes: spent.bytes,
            varies: !spent.elsewhere.is_empty(),
            preds: bit(pred),
        };
        let needs = self.reduced(spent.distinct());
        self.needs.extend(needs);
        self.ends.push(self.needs.len() as u32);
        self.costs.push(costs);
        self.leaders.push(leader as u32);
        self.paid_by.push(self.query);
        self.paid |= costs.preds;
        whole
    }

    fn needs_of(&self, group: u32) -> std::ops::Range<usize> {
        let begin = (group as usize).checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        begin..self.ends[group as usize] as usize
    }

    /// Leaves out groups that others of the list need, as far as a short search finds them. The list is sorted.
    fn reduced(&self, needs: Vec<u32>) -> Vec<u32> {
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
                for next in &self.needs[self.needs_of(group)] {
                    left = left.saturating_sub(1);
                    if left > 0 && Some(*next) >= least && reached.insert(*next) {
                        open.push(*next);
                    }
                }
            }
        }
        kept
    }

    /// Pays the steps and bytes that completed a group, unless this query has paid for it. `table` is the table that is
    /// used. Returns the steps, or `None` if the budget may not suffice.
    pub(super) fn pay(&mut self, store: &mut Store, group: u32, table: usize) -> Option<u64> {
        if self.paid_by[group as usize] == self.query {
            return Some(0);
        }
        // The needs of a group are marked only if another payment may have needs in common with it.
        let known = self.totals.get(&group).copied().filter(|total| total.preds & self.paid == 0);
        let (costs, marked) = match known {
            Some(total) => {
                self.paid_by[group as usize] = self.query;
                self.unmarked.push(group);
                (total, Vec::new())
            }
            None => {
                for group in std::mem::take(&mut self.unmarked) {
                    self.mark(group);
                }
                if self.paid_by[group as usize] == self.query {
                    return Some(0);
                }
                self.mark(group)
            }
        };
        if self.paid == 0 {
            self.totals.insert(group, costs);
        }
        let room = store.memory.saturating_sub(store.used()) / 2;
        if store.is_near_its_end(costs.steps) || costs.bytes > room {
            self.unmarked.retain(|other| *other != group);
            self.paid_by[group as usize] = UNPAID;
            marked.into_iter().for_each(|group| self.paid_by[group as usize] = UNPAID);
            return None;
        }
        self.paid |= costs.preds;
        store.aside += costs.bytes;
        store.steps += costs.steps;
        store.steps_vary |= costs.varies || !self.is_led_by(group, table);
        Some(costs.steps)
    }

    /// Marks a group, and all that it needs, as paid for. Returns the costs of those that were not, with their numbers.
    fn mark(&mut self, group: u32) -> (Costs, Vec<u32>) {
        let (mut sum, mut marked, mut at) = (Costs::default(), vec![group], 0);
        self.paid_by[group as usize] = self.query;
        while let Some(group) = marked.get(at).copied() {
            let own = self.costs[group as usize];
            sum = Costs {
                steps: sum.steps + own.steps,
                bytes: sum.bytes + own.bytes,
                varies: sum.varies | own.varies,
                preds: sum.preds | own.preds,
            };
            for need in self.needs_of(group) {
                let need = self.needs[need];
                if std::mem::replace(&mut self.paid_by[need as usize], self.query) != self.query {
                    marked.push(need);
                }
            }
            at += 1;
        }
        (sum, marked)
    }
}

impl TableCost {
    /// The costs of a table that begins now.
    pub(super) fn new(store: &Store) -> TableCost {
        TableCost { begun: store.steps, most: 64, ..TableCost::default() }
    }

    /// Counts bytes.
    pub(super) fn grow(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Records that the table needs a group, from which it uses the table `number`. The steps were spent since the table
    /// has begun.
    pub(super) fn need(&mut self, groups: &Groups, (group, number): (u32, usize), steps: u64) {
        self.nested += steps;
        if self.needs.last() == Some(&group) {
            return;
        }
        if !groups.is_led_by(group, number) && !self.needs.contains(&group) {
            self.elsewhere.push(group);
        }
        self.needs.push(group);
        self.shorten();
    }

    /// Adds the costs of a table that ended later and belongs to the same group.
    pub(super) fn add(&mut self, mut inner: TableCost) {
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
