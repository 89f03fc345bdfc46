//! Arranges the code of a procedure: a block follows the jump to it, and nothing stays that no edge
//! reaches.

use crate::machine::compile::Draft;
use crate::machine::ir::{FAIL, Label, LinkedCode, Op, Site};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

const UNPLACED: u32 = u32::MAX;

/// Arranges the code of a draft.
pub(super) fn arrange(unit: &mut LinkedCode, draft: &mut Draft) {
    thread_jumps(draft);
    let old = std::mem::take(&mut draft.ops);
    let mut places = vec![UNPLACED; old.len()];
    let mut order: Vec<u32> = Vec::with_capacity(old.len());
    let mut open = VecDeque::from([0]);
    while let Some(begin) = open.pop_front() {
        let mut at = begin;
        loop {
            let here = draft.ops.len() as u32;
            if places[at] != UNPLACED {
                if at != begin {
                    draft.labels.push(at as u32);
                    draft.ops.push(Op::Jump { to: draft.labels.len() as Label - 1 });
                    order.push(at as u32);
                }
                break;
            }
            places[at] = here;
            let mut op = old[at];
            match op {
                Op::Jump { to } if to != FAIL => {
                    let jump = at;
                    at = draft.labels[to as usize] as usize;
                    if places[at] == UNPLACED {
                        continue;
                    }
                    draft.ops.push(op);
                    order.push(jump as u32);
                    break;
                }
                Op::Switch { table, .. } => {
                    let labels = unit.tables[table as usize].labels().filter(|label| **label != FAIL);
                    open.extend(labels.map(|label| draft.labels[*label as usize] as usize));
                }
                _ => op.edges(|label| {
                    if *label != FAIL {
                        open.push_back(draft.labels[*label as usize] as usize);
                    }
                }),
            }
            draft.ops.push(op);
            order.push(at as u32);
            if op.ends_block() {
                break;
            }
            at += 1;
        }
    }
    let switch = |op: &Op| if let Op::Switch { table, .. } = op { Some(*table) } else { None };
    draft.tables = draft.ops.iter().filter_map(switch).collect();
    debug_assert!(draft.tables.iter().collect::<FxHashSet<_>>().len() == draft.tables.len(), "a table has one switch");
    let sites = std::mem::take(&mut draft.sites);
    draft.sites = arranged_sites(&sites, &order);
    let place = |at: u32| places.get(at as usize).copied().unwrap_or(UNPLACED);
    draft.labels.iter_mut().for_each(|label| *label = place(*label));
}

/// The sites of the arranged operations; `order` gives their former places. An operation without a site
/// of its own belongs to the site before it, which must stay the same one.
fn arranged_sites(sites: &[Site], order: &[u32]) -> Vec<Site> {
    let mut found = Vec::new();
    let mut last = None;
    for (here, at) in (0..).zip(order) {
        let near = sites.partition_point(|site| site.at <= *at).checked_sub(1);
        match near.map(|near| &sites[near]) {
            Some(site) if site.at == *at => found.push(Site { at: here, ..site.clone() }),
            _ if near == last => {}
            Some(site) => found.push(site.behind(here)),
            None => found.push(Site::nowhere(here)),
        }
        last = near;
    }
    found
}

/// Redirects each label that points at a jump to the target of the jump.
fn thread_jumps(draft: &mut Draft) {
    for label in 1..draft.labels.len() {
        let mut at = label;
        for _ in 0..16 {
            match draft.ops.get(draft.labels[at] as usize) {
                Some(Op::Jump { to }) if *to != FAIL => at = *to as usize,
                _ => break,
            }
        }
        draft.labels[label] = draft.labels[at];
    }
}
