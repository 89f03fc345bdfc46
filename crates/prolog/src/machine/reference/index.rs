//! First-argument indexing: selects the clauses that can match a call by its first arguments.
//!
//! The result is a list of clauses in order, without those that cannot match. Indexing never changes
//! an answer or the order, only which choice points are left behind.

use crate::term::heap::{FUNCTOR, Heap, header_kind};
use crate::term::{ATOM, BOX, HDR, INT, LST, STR, TAG, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of indexed arguments.
pub const KEYS: usize = 4;

/// The key that matches anything.
pub const ANY: u64 = 0;

/// The number of clauses from which a table of keys is built.
const TABLE_FROM: usize = 8;

/// The clauses of one predicate.
#[derive(Default)]
pub struct ClauseIndex {
    /// All clauses.
    pub all: Rc<[u32]>,
    tables: [Option<Box<KeyTable>>; KEYS],
}

struct KeyTable {
    by_key: FxHashMap<u64, Rc<[u32]>>,
    /// The clauses that match anything in this argument.
    rest: Rc<[u32]>,
}

/// The key of an argument.
pub fn term_key(heap: &Heap, term: Term) -> u64 {
    let term = heap.deref(term);
    match term.0 & TAG {
        ATOM | INT => term.0,
        LST => LST,
        STR => heap.cells[term.index()],
        // Unification compares boxed numbers and texts.
        BOX => {
            debug_assert!(heap.cells[term.index()] & TAG == HDR && header_kind(heap.cells[term.index()]) != FUNCTOR);
            ANY
        }
        _ => ANY,
    }
}

/// The keys of the arguments of a call.
pub fn call_keys(heap: &Heap, args: &[Term]) -> [u64; KEYS] {
    let mut keys = [ANY; KEYS];
    for (key, arg) in keys.iter_mut().zip(args) {
        *key = term_key(heap, *arg);
    }
    keys
}

/// Whether a clause may match.
pub fn may_match(clause: &[u64; KEYS], call: &[u64; KEYS]) -> bool {
    clause.iter().zip(call).all(|(clause, call)| *clause == ANY || *call == ANY || clause == call)
}

impl ClauseIndex {
    /// Indexes clauses with these numbers. `keys` has the keys of all clauses by number.
    pub fn new(numbers: Vec<u32>, keys: &[[u64; KEYS]]) -> ClauseIndex {
        let mut index = ClauseIndex::default();
        if numbers.len() >= TABLE_FROM {
            for (position, table) in index.tables.iter_mut().enumerate() {
                *table = KeyTable::new(position, &numbers, keys).map(Box::new);
            }
        }
        index.all = numbers.into();
        index
    }

    /// The clauses to try for a call; each must still pass [`may_match`].
    pub fn candidates(&self, call: &[u64; KEYS]) -> Rc<[u32]> {
        let mut best = &self.all;
        for (table, key) in self.tables.iter().zip(call) {
            if let (Some(table), true) = (table, *key != ANY) {
                let found = table.by_key.get(key).unwrap_or(&table.rest);
                if found.len() < best.len() {
                    best = found;
                }
            }
        }
        best.clone()
    }
}

impl KeyTable {
    fn new(position: usize, numbers: &[u32], keys: &[[u64; KEYS]]) -> Option<KeyTable> {
        let key = |number: &u32| keys[*number as usize][position];
        let open = numbers.iter().filter(|number| key(number) == ANY).count();
        if open * 2 > numbers.len() {
            return None;
        }
        let mut by_key: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for number in numbers.iter().filter(|number| key(number) != ANY) {
            by_key.entry(key(number)).or_default();
        }
        let mut rest = Vec::new();
        if open > 0 && by_key.len() > 64 {
            return None;
        }
        for number in numbers {
            match key(number) {
                ANY => {
                    rest.push(*number);
                    by_key.values_mut().for_each(|list| list.push(*number));
                }
                key => by_key.entry(key).or_default().push(*number),
            }
        }
        Some(KeyTable { by_key: by_key.into_iter().map(|(key, list)| (key, list.into())).collect(), rest: rest.into() })
    }
}
