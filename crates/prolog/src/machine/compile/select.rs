//! Selects the clauses to try for a call by the first symbols of all its arguments.
//!
//! The result is a tree of switches whose leaves try clauses one after the other. The selection
//! skips clauses that cannot match. It keeps all answers and their order.

use crate::machine::compile::clause::Emitter;
use crate::machine::compile::first_symbol::{FirstSymbol, key};
use crate::machine::compile::guard::refuses;
use crate::machine::compile::lambdas::with_own_variables;
use crate::machine::compile::stored::with_closures;
use crate::machine::compile::{Constants, Draft, Library, TooLarge};
use crate::machine::ir::{ARGS, FAIL, From, Label, Mode, Op, Operand, Slot, Switch};
use crate::machine::skeleton::NOWHERE;
use crate::term::{HDR, LST, TAG};
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Predicate, Program};

/// The most cells that are fetched once for all clauses.
const MOST_FETCHED: usize = 64;

/// The most copies of each clause over all leaves, on average.
const MOST_COPIES: usize = 4;

struct Selector<'a> {
    clauses: &'a [Clause],
    /// The keys of each clause, by argument.
    keys: Vec<Vec<FirstSymbol>>,
    written: usize,
}

/// Compiles a predicate for the modes of its procedure.
pub(super) fn predicate(
    library: &mut Library,
    constants: &mut Constants<'_>,
    program: &Program,
    number: u32,
    (pred, formed): (PredId, Option<&[Clause]>),
) -> Result<Draft, TooLarge> {
    let predicate = program.predicate(pred);
    if let Some(clauses) = formed {
        let empty = TermTree::default();
        return written(Emitter::new(library, constants, program, number, &empty), clauses);
    }
    if predicate.key.arity > 4_000 {
        return Err(TooLarge);
    }
    let empty = TermTree::default();
    if predicate.tabled {
        let whole = [table_clause(pred, predicate)];
        let mut emitter = Emitter::new(library, constants, program, number, &empty);
        emitter.asks_table = true;
        return written(emitter, &whole);
    }
    let clauses = prepared(library, &predicate.clauses);
    written(Emitter::new(library, constants, program, number, &empty), clauses.as_deref().unwrap_or(&predicate.clauses))
}

/// Returns the clauses with the closures of their variables and with own variables in lambda expressions, unless
/// nothing changes.
pub(super) fn prepared(library: &mut Library, clauses: &[Clause]) -> Option<Vec<Clause>> {
    let stored = with_closures(library, clauses);
    with_own_variables(library, stored.as_deref().unwrap_or(clauses)).or(stored)
}

fn written<'a>(mut emitter: Emitter<'a, '_>, clauses: &'a [Clause]) -> Result<Draft, TooLarge> {
    let keys =
        clauses.iter().map(|clause| clause.tree.args(clause.head).iter().map(|arg| key(&clause.tree, *arg)).collect());
    let mut selector = Selector { clauses, keys: keys.collect(), written: 0 };
    let all: Vec<u32> = (0..clauses.len() as u32).collect();
    let arity = emitter.modes.len();
    selector.select(&mut emitter, &all, &vec![false; arity], &vec![false; arity]);
    emitter.finish()
}

/// Makes the only clause that is compiled for a tabled predicate. All arguments are variables.
/// `Emitter::answers_of_table` writes the call in its body, and another version of the predicate has its clauses.
fn table_clause(pred: PredId, predicate: &Predicate) -> Clause {
    let span = predicate.defined.unwrap_or(NOWHERE);
    let mut tree = TermTree::default();
    let args: Vec<NodeId> = (0..predicate.key.arity).map(|_| tree.fresh("_", NOWHERE)).collect();
    let head = tree.compound(predicate.key.name, &args, NOWHERE);
    Clause { tree, head, body: Goal::Call { callee: Callee::User(pred), args, span }, span }
}

/// The result of splitting clauses by a switch on an argument.
struct Split {
    arg: usize,
    words: Vec<(u64, Vec<u32>)>,
    list: Vec<u32>,
    rest: Vec<u32>,
}

impl Split {
    /// Returns the number of clauses over all branches.
    fn work(&self) -> usize {
        self.words.iter().map(|(_, list)| list.len()).sum::<usize>() + self.list.len() + self.rest.len()
    }

    /// Returns the length of the longest branch.
    fn longest(&self) -> usize {
        let words = self.words.iter().map(|(_, list)| list.len()).max().unwrap_or(0);
        words.max(self.list.len()).max(self.rest.len())
    }
}

impl<'a> Selector<'a> {
    /// Writes the choice among some clauses. All of them match the first symbol of the arguments
    /// `tested`. The arguments `bound` were already switched on.
    fn select<'h>(&mut self, emitter: &mut Emitter<'a, 'h>, list: &[u32], tested: &[bool], bound: &[bool]) {
        match self.best(emitter, list, bound) {
            Some(split) => self.switch(emitter, list, tested, bound, split),
            None => self.chain(emitter, list, tested),
        }
    }

    /// Returns the split with the shortest longest branch.
    fn best(&self, emitter: &Emitter<'a, '_>, list: &[u32], bound: &[bool]) -> Option<Split> {
        let usable = |arg: &usize| !bound[*arg] && emitter.modes[*arg] != Mode::Out;
        if list.len() < 2 {
            return None;
        }
        let library = &*emitter.library;
        let splits = (0..bound.len()).filter(usable).filter_map(|arg| self.split(library, list, arg));
        let most = self.clauses.len() * MOST_COPIES + 32;
        splits
            .filter(|split| self.written + split.work() <= most)
            .min_by_key(|split| (split.longest(), split.work(), split.arg))
    }

    fn split(&self, library: &Library, list: &[u32], arg: usize) -> Option<Split> {
        let at = |clause: u32| self.keys[clause as usize][arg];
        if list.iter().all(|clause| at(*clause) == FirstSymbol::Any) {
            return None;
        }
        let mut split = Split { arg, words: Vec::new(), list: Vec::new(), rest: Vec::new() };
        let mut places = rustc_hash::FxHashMap::default();
        for clause in list {
            if let FirstSymbol::Word(word) = at(*clause) {
                places.entry(word).or_insert_with(|| {
                    split.words.push((word, Vec::new()));
                    split.words.len() - 1
                });
            }
        }
        if split.words.is_empty() && list.iter().all(|clause| at(*clause) != FirstSymbol::List) {
            return None;
        }
        let open = list.iter().filter(|clause| at(**clause) == FirstSymbol::Any).count();
        if open * split.words.len() > list.len() * MOST_COPIES + 32 {
            return None;
        }
        for clause in list {
            match at(*clause) {
                FirstSymbol::Word(word) => split.words[places[&word]].1.push(*clause),
                FirstSymbol::List => split.list.push(*clause),
                FirstSymbol::Boxed => split.rest.push(*clause),
                FirstSymbol::Any => {
                    let refuses = |symbol| refuses(library, &self.clauses[*clause as usize], arg, symbol);
                    for (word, list) in &mut split.words {
                        if !refuses(FirstSymbol::Word(*word)) {
                            list.push(*clause);
                        }
                    }
                    if !refuses(FirstSymbol::List) {
                        split.list.push(*clause);
                    }
                    split.rest.push(*clause);
                }
            }
        }
        Some(split)
    }

    fn switch<'h>(
        &mut self,
        emitter: &mut Emitter<'a, 'h>,
        list: &[u32],
        tested: &[bool],
        bound: &[bool],
        split: Split,
    ) {
        let slot = ARGS + split.arg as Slot;
        let any = emitter.modes[split.arg] == Mode::Any;
        if any {
            emitter.emit(Op::Deref { d: slot, v: Operand::of(From::Slot(slot)) });
        }
        let mut bound = bound.to_vec();
        bound[split.arg] = true;
        let mut table = Switch::default();
        let mut leaves: Vec<(Label, Vec<u32>, bool)> = Vec::new();
        let mut leaf = |emitter: &mut Emitter<'a, 'h>, list: Vec<u32>, fits: bool| -> Label {
            if list.is_empty() {
                return FAIL;
            }
            let label = emitter.label();
            leaves.push((label, list, fits));
            label
        };
        for (word, list) in split.words {
            let label = leaf(emitter, list, true);
            table.keys.push((word, label));
        }
        table.list = leaf(emitter, split.list, true);
        table.rest = leaf(emitter, split.rest, false);
        table.unbound = if any { leaf(emitter, list.to_vec(), false) } else { FAIL };
        let simple = self.simple_test(emitter, slot, &table);
        if !simple {
            let library = &mut *emitter.library;
            library.unit.tables.push(table);
            let number = library.unit.tables.len() as u32 - 1;
            emitter.draft.tables.push(number);
            emitter.emit(Op::Switch { s: slot, table: number });
        }
        for (label, list, fits) in leaves {
            emitter.place_label(label);
            let mut tested = tested.to_vec();
            tested[split.arg] = fits;
            self.select(emitter, &list, &tested, &bound);
        }
    }

    /// If only one symbol has clauses, a test replaces the switch.
    fn simple_test(&self, emitter: &mut Emitter<'a, '_>, s: Slot, table: &Switch) -> bool {
        if table.unbound != FAIL {
            return false;
        }
        let or = table.rest;
        match (table.keys.as_slice(), table.list) {
            ([], _) => emitter.emit(Op::IsList { s, or }),
            ([(word, _)], FAIL) if or == FAIL => {
                let k = emitter.word(*word);
                emitter.emit(match word & crate::term::TAG {
                    crate::term::HDR => Op::IsStruct { s, k, or },
                    _ => Op::IsConst { s, k, or },
                });
            }
            _ => return false,
        }
        true
    }

    /// Fetches and tests subterms that all clauses match in the same way.
    fn fetch(&self, emitter: &mut Emitter<'a, '_>, list: &[u32], tested: &[bool]) {
        let clauses: Vec<&Clause> = list.iter().map(|clause| &self.clauses[*clause as usize]).collect();
        let solid = |at: &usize| tested[*at] && emitter.modes[*at] == Mode::Solid;
        let mut open: Vec<(Slot, Vec<NodeId>)> = (0..tested.len())
            .filter(solid)
            .map(|at| (ARGS + at as Slot, clauses.iter().map(|clause| clause.tree.args(clause.head)[at]).collect()))
            .collect();
        let mut cells = 0;
        while let Some((slot, nodes)) = open.pop() {
            let parts: Vec<&[NodeId]> =
                clauses.iter().zip(&nodes).map(|(clause, node)| clause.tree.args(*node)).collect();
            let key_at = |clause: usize, at: usize| key(&clauses[clause].tree, parts[clause][at]);
            let symbol = key(&clauses[0].tree, nodes[0]);
            if clauses.iter().zip(&nodes).any(|(clause, node)| key(&clause.tree, *node) != symbol) {
                continue;
            }
            let first = match symbol {
                FirstSymbol::List => 0,
                FirstSymbol::Word(word) if word & TAG == HDR => 1,
                _ => continue,
            };
            for at in 0..parts[0].len() {
                let word = match key_at(0, at) {
                    FirstSymbol::List => LST,
                    FirstSymbol::Word(word) if word & TAG == HDR => word,
                    _ => continue,
                };
                if (1..clauses.len()).any(|clause| key_at(clause, at) != key_at(0, at)) || cells == MOST_FETCHED {
                    continue;
                }
                cells += 1;
                let d = emitter.fresh_slot();
                emitter.emit(Op::Load { d, s: slot, at: (at + first) as u16 });
                let k = emitter.word(word);
                emitter.emit(match word {
                    LST => Op::IsList { s: d, or: FAIL },
                    _ => Op::IsStruct { s: d, k, or: FAIL },
                });
                emitter.fetched.insert((slot, (at + first) as u16), d);
                emitter.fits.insert(d, word);
                open.push((d, parts.iter().map(|parts| parts[at]).collect()));
            }
        }
        emitter.first = emitter.next;
    }

    /// Writes clauses that are tried one after the other.
    fn chain<'h>(&mut self, emitter: &mut Emitter<'a, 'h>, list: &[u32], tested: &[bool]) {
        self.written += list.len();
        emitter.fetched.clear();
        emitter.fits.clear();
        emitter.first = ARGS + emitter.modes.len() as Slot;
        emitter.next = emitter.first;
        if list.len() > 1 {
            self.fetch(emitter, list, tested);
        }
        if list.is_empty() {
            emitter.emit(Op::Fail);
        }
        for (at, clause) in list.iter().enumerate() {
            let next = (at + 1 < list.len()).then(|| emitter.label());
            let keys = &self.keys[*clause as usize];
            let own: Vec<bool> =
                tested.iter().zip(keys).map(|(tested, key)| *tested && *key != FirstSymbol::Any).collect();
            let clauses: &'a [Clause] = self.clauses;
            let point = emitter.save_point();
            emitter.clause(&clauses[*clause as usize], &own, next);
            if let Some(next) = next {
                // No later clause is reached if this one always cuts, or cannot fail before its cut.
                if !emitter.leads_to(&point, next) {
                    break;
                }
                emitter.place_label(next);
            }
        }
    }
}
