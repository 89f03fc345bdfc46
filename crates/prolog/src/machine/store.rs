//! The store of a goal: the heap, the trail and the rest of the budget.
//!
//! Bindings can be undone, and a limit that is reached gives a [`Fault`]. Every solver owns one
//! store. Builtins see only the store, so one table of builtins serves all solvers.

use crate::machine::fault::{Cause, Fault};
use crate::machine::scratch::ScratchData;
use crate::term::cycle::is_cyclic;
use crate::term::heap::{Heap, TermView, header_small};
use crate::term::pack::{Packed, pack};
use crate::term::write::AT_ONCE;
use crate::term::{ATOM, INT, LST, REF, STR, Term, order, quick};
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::Program;
use alphorn_text::symbol::{self, Atom};
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Atomic};

/// The limits of one evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Number of steps: calls of predicates written in rules, further answers of builtins, and work
    /// of builtins that grows with their arguments; 0 for no limit.
    pub steps: u64,
    /// Bytes, including those of a garbage collection.
    pub memory: u64,
}

/// Default steps for one evaluation of one game predicate.
pub const GAME_STEPS: u64 = 10_000_000;
/// Default steps for a goal that the user types.
pub const GOAL_STEPS: u64 = 100_000_000;
/// Parts of terms that one unification or comparison visits free of steps.
const FREE_VISITS: u64 = 64;
/// Number of parts after which a comparison checks the memory of its pending parts.
pub const ROUND: u64 = 1 << 12;
/// Number of pairs, a multiple of [`ROUND`], after which a walk over two cyclic terms is taken to be
/// endless.
const ENDLESS: u64 = 1 << 20;
/// Cells for a pair of pending parts, in a list whose capacity may just have doubled.
pub const PAIR: usize = 6;

/// Default bytes for one evaluation.
pub const MEMORY: u64 = 1 << 30;

/// Bytes of the program itself, which also count against the budget.
const PROCESS: u64 = 12 << 20;

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: GAME_STEPS, memory: MEMORY }
    }
}

/// Steps between two checks of the budget and the stop flag.
const POLL: u64 = 1 << 12;

/// Returns between two such checks.
const RETURNS: u64 = 1 << 20;
/// Free returns for each allowed step, or for each of [`GOAL_STEPS`] if that is more.
const FREE_RETURNS: u64 = 3;

/// Marks a trail entry for the tail of a list cell, written through an output argument: this
/// cell cannot hold an unbound variable.
pub const TAIL: usize = 1 << 63;

/// The value of a trailed cell after its binding is undone.
#[inline(always)]
pub const fn unbound(place: usize) -> u64 {
    if place & TAIL == 0 { Term::tagged(REF, place).0 } else { Term::small(0).0 }
}

/// The store of a solver; see the module.
pub struct Store {
    /// The terms.
    pub heap: Heap,
    /// Variables and output cells to reset on backtracking; see [`TAIL`].
    pub trail: Vec<usize>,
    /// Variables below this cell are older than the last choice point.
    pub mark: usize,
    /// The text that goals have written.
    pub output: String,
    /// The operators for reading and writing terms.
    pub ops: Arc<Ops>,
    /// Whether the program defines aggregate_all/3 itself.
    pub own_aggregate: bool,
    /// Number of steps so far.
    pub steps: u64,
    limit: u64,
    /// Number of steps at which the budget is checked next.
    pub next_poll: u64,
    /// Number of returns until the budget is checked because of them.
    pub returns: u64,
    /// Number of earlier returns, in whole rounds.
    returned: u64,
    /// Allowed bytes.
    pub memory: u64,
    /// Bytes that the solver holds outside of the heap.
    pub aside: u64,
    /// Bytes of choice points.
    pub control: u64,
    /// Bytes of permanent and of young atoms when the evaluation began.
    lasting: usize,
    young: usize,
    stop: Arc<AtomicBool>,
    /// Whether the steps may differ between solvers: a traversal met a shared part of a term twice, and solvers share
    /// other parts; or tables of an earlier query were used that this query would have completed in another order.
    pub steps_vary: bool,
    /// Answers questions that need the caller of the goal.
    pub host: Option<HostCallback>,
    /// Data that library predicates keep while a goal runs.
    pub memories: Vec<ScratchData>,
}

/// Answers a named question about a position, searched to a depth.
pub type HostCallback = Box<dyn FnMut(&str, Option<&Packed>, u32) -> Result<Option<Packed>, Fault>>;

impl Store {
    /// An empty store for goals of a program; another thread may set `stop`.
    pub fn of(program: &Program, stop: Arc<AtomicBool>) -> Store {
        let mut store = Store::new(Arc::new(program.ops.clone()), stop);
        store.own_aggregate = program.defines("aggregate_all", 3);
        store
    }

    /// An empty store without a program; another thread may set `stop`.
    pub fn new(ops: Arc<Ops>, stop: Arc<AtomicBool>) -> Store {
        Store {
            heap: Heap::default(),
            trail: Vec::new(),
            mark: 0,
            output: String::new(),
            ops,
            own_aggregate: false,
            steps: 0,
            limit: u64::MAX,
            next_poll: POLL,
            returns: RETURNS,
            returned: 0,
            memory: MEMORY,
            aside: 0,
            control: 0,
            lasting: 0,
            young: 0,
            stop,
            steps_vary: false,
            host: None,
            memories: Vec::new(),
        }
    }

    /// Replaces the stop flag, for another caller.
    pub fn serve(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// Begins a new evaluation. Returns whether atoms of the last one were freed, so that its terms
    /// must not be used any more.
    pub fn refill(&mut self, budget: Budget) -> bool {
        self.memories.clear();
        let forgotten = self.heap.names.renew();
        self.steps = 0;
        self.limit = if budget.steps == 0 { u64::MAX } else { budget.steps };
        self.next_poll = POLL.min(self.limit);
        (self.returns, self.returned) = (RETURNS, 0);
        self.memory = budget.memory;
        self.aside = PROCESS.min(budget.memory / 4) + symbol::kept_bytes() as u64;
        self.control = 0;
        (self.lasting, self.young) = (symbol::lasting_bytes(), self.heap.names.bytes());
        self.steps_vary = false;
        self.trail.clear();
        self.output.clear();
        forgotten
    }

    /// Limits the further steps to `steps`, if that many are left. Returns the old limit for
    /// [`Store::widen`].
    pub fn narrow(&mut self, steps: u64) -> u64 {
        let limit = self.limit;
        self.limit = limit.min(self.steps.saturating_add(steps));
        self.next_poll = self.steps;
        limit
    }

    /// Restores the limit before [`Store::narrow`].
    pub fn widen(&mut self, limit: u64) {
        self.limit = limit;
        self.next_poll = self.steps;
    }

    /// Lends the rest of the budget and the host to another store. Returns the bytes that the other
    /// store already holds aside, for [`Store::take_back`].
    pub fn lend(&mut self, other: &mut Store) -> u64 {
        (other.steps, other.limit, other.next_poll) = (self.steps, self.limit, self.next_poll);
        other.memory = self.memory.saturating_sub(self.used()).saturating_add(other.aside);
        (other.lasting, other.young) = (symbol::lasting_bytes(), other.heap.names.bytes());
        other.host = self.host.take();
        other.aside
    }

    /// Takes back a lent budget and the host, and subtracts what was used.
    pub fn take_back(&mut self, other: &mut Store, before: u64) {
        (self.steps, self.next_poll) = (other.steps, other.next_poll);
        self.aside += other.aside.saturating_sub(before) + other.made();
        self.host = other.host.take();
        self.steps_vary |= other.steps_vary;
        self.output.push_str(&other.output);
        other.output.clear();
    }

    /// Whether so many more steps may exceed the limit.
    pub fn is_near_its_end(&self, steps: u64) -> bool {
        self.steps.saturating_add(steps) >= self.limit
    }

    /// Runs work free of steps, because its steps were paid before.
    pub fn without_charge<T>(&mut self, work: impl FnOnce(&mut Store) -> T) -> T {
        let before = (self.steps, std::mem::replace(&mut self.next_poll, u64::MAX));
        let done = work(self);
        (self.steps, self.next_poll) = before;
        done
    }

    /// Counts steps; fails if the budget is used up or the goal was interrupted.
    pub fn charge(&mut self, steps: u64) -> Result<(), Fault> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps >= self.next_poll {
            self.poll()?;
        }
        Ok(())
    }

    /// Counts steps of work that cannot be interrupted, and so must be short.
    pub fn work(&mut self, steps: u64) -> Result<(), Fault> {
        if steps > AT_ONCE {
            return Err(Cause::LongOperation(AT_ONCE).into());
        }
        self.charge(steps)
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Fault> {
        if self.stop.load(Atomic::Relaxed) {
            return Err(Cause::Stopped.into());
        }
        if self.steps > self.limit {
            return Err(Cause::Steps(self.limit).into());
        }
        self.next_poll = (self.steps + POLL).min(self.limit.saturating_add(1));
        self.room(0)
    }

    /// Ends a round of returns. Returns cost no steps, because each belongs to a call. But answers of
    /// goals in deep frames return through all frames again and again, so returns are limited, too.
    #[cold]
    pub fn round(&mut self) -> Result<(), Fault> {
        self.returns = RETURNS;
        self.returned += RETURNS;
        if self.returned / FREE_RETURNS > self.limit.max(GOAL_STEPS) {
            return Err(Cause::Steps(self.limit).into());
        }
        self.poll()
    }

    /// The atom with this text. It lives for this evaluation, and longer in packed terms.
    pub fn atom(&mut self, text: &str) -> Result<Atom, Fault> {
        self.room(text.len() / 8)?;
        Ok(self.heap.names.atom(text))
    }

    /// Bytes of live atoms that this evaluation has created.
    fn made(&self) -> u64 {
        self.heap.names.bytes().saturating_sub(self.young) as u64
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        let lasting = symbol::lasting_bytes().saturating_sub(self.lasting);
        let cells = self.heap.len() + self.trail.len();
        8 * cells as u64 + self.made() + (lasting + self.output.len()) as u64 + self.aside + self.control
    }

    /// Checks that so many cells may be added.
    pub fn room(&self, cells: usize) -> Result<(), Fault> {
        let wanted = self.used().saturating_add((cells as u64).saturating_mul(8));
        if wanted > self.memory { Err(Cause::Memory(self.memory).into()) } else { Ok(()) }
    }

    /// Binds an unbound variable.
    pub fn bind(&mut self, variable: usize, value: Term) {
        self.heap.cells[variable] = value.0;
        if variable < self.mark {
            self.trail.push(variable);
        }
    }

    /// Undoes all bindings since the trail had this length.
    pub fn undo(&mut self, trail: usize) {
        for variable in self.trail.drain(trail..) {
            self.heap.cells[variable & !TAIL] = unbound(variable);
        }
    }

    /// Unifies two terms. Bindings stay even if unification fails.
    pub fn unify(&mut self, left: Term, right: Term) -> Result<bool, Fault> {
        let (left, right) = (self.heap.deref(left), self.heap.deref(right));
        if left == right {
            return Ok(true);
        }
        match (left.tag(), right.tag()) {
            (REF, REF) => {
                // The younger variable refers to the older one, so that no reference dangles.
                let (old, new) = if left.index() < right.index() { (left, right) } else { (right, left) };
                self.bind(new.index(), old);
                Ok(true)
            }
            (REF, _) => {
                self.bind(left.index(), right);
                Ok(true)
            }
            (_, REF) => {
                self.bind(right.index(), left);
                Ok(true)
            }
            _ => match self.unify_small(left, right, &mut FREE_VISITS.clone(), 4) {
                Some(done) => Ok(done),
                None => self.unify_compound(left, right),
            },
        }
    }

    /// Unifies two bound terms with few parts. `None` means undecided; the terms may be unified
    /// again.
    fn unify_small(&mut self, left: Term, right: Term, visits: &mut u64, depth: u32) -> Option<bool> {
        let tag = left.tag();
        if tag != right.tag() || matches!(tag, ATOM | INT) {
            return Some(false);
        }
        let (a, b) = (left.index(), right.index());
        let (first, count) = match tag {
            STR if self.heap.cells[a] != self.heap.cells[b] => return Some(false),
            STR => (1, header_small(self.heap.cells[a])),
            LST => (0, 2),
            _ => return None,
        };
        if depth == 0 {
            return None;
        }
        for at in first..first + count {
            *visits = visits.checked_sub(1)?;
            let (left, right) =
                (self.heap.deref(Term(self.heap.cells[a + at])), self.heap.deref(Term(self.heap.cells[b + at])));
            if left == right {
                self.steps_vary |= matches!(left.tag(), STR | LST);
            } else if left.tag() == REF || right.tag() == REF {
                self.unify(left, right).ok()?;
            } else {
                // The last argument costs no depth, so that lists may be long.
                let depth = if at + 1 == first + count { depth } else { depth - 1 };
                if !self.unify_small(left, right, visits, depth)? {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    fn unify_compound(&mut self, first: Term, second: Term) -> Result<bool, Fault> {
        let mut pairs = vec![(first, second)];
        let mut visits = 0u64;
        while let Some((left, right)) = pairs.pop() {
            visits += 1;
            if visits > FREE_VISITS {
                self.charge(1)?;
                if visits.is_multiple_of(ROUND) {
                    self.pairs_end((first, second), visits, pairs.len())?;
                }
            }
            let (left, right) = (self.heap.deref(left), self.heap.deref(right));
            if left == right {
                self.steps_vary |= matches!(left.tag(), STR | LST);
                continue;
            }
            if left.tag() == REF || right.tag() == REF {
                self.unify(left, right)?;
                continue;
            }
            if left.tag() == LST && right.tag() == LST {
                let (a, b) = (left.index(), right.index());
                let cell = |at: usize| Term(self.heap.cells[at]);
                pairs.extend([(cell(a + 1), cell(b + 1)), (cell(a), cell(b))]);
                continue;
            }
            match (self.heap.view(left), self.heap.view(right)) {
                (TermView::Compound(name, args), TermView::Compound(other, others))
                    if name == other && args.len() == others.len() =>
                {
                    pairs.extend(args.iter().zip(others).rev().map(|(a, b)| (Term(*a), Term(*b))));
                }
                (TermView::Big(sign, words), TermView::Big(other, others)) if sign == other && words == others => {}
                (TermView::Float(a), TermView::Float(b))
                    if a.to_bits() == b.to_bits() || a == b && a != 0.0 || a.is_nan() && b.is_nan() => {}
                (TermView::Text(n, a), TermView::Text(m, b)) if n == m && a == b => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The elements of a list and its tail, as [`Heap::elements`].
    pub fn elements(&mut self, list: Term) -> (Vec<Term>, Term) {
        let found = self.heap.elements(list);
        self.steps_vary |= found.1.tag() == LST;
        found
    }

    /// The number of elements of a list and its tail, as [`Heap::length`].
    pub fn length(&mut self, list: Term) -> (usize, Term) {
        let found = self.heap.length(list);
        self.steps_vary |= found.1.tag() == LST;
        found
    }

    /// Whether two terms are identical (`==`). The steps are those of a comparison.
    pub fn is_same(&mut self, left: Term, right: Term) -> Result<bool, Fault> {
        let (left, right) = (self.heap.deref(left), self.heap.deref(right));
        let in_place = |term: Term| matches!(term.tag(), ATOM | INT);
        if in_place(left) || in_place(right) {
            return Ok(left == right);
        }
        Ok(self.compare(left, right)? == Ordering::Equal)
    }

    /// The standard order of two terms.
    pub fn compare(&mut self, left: Term, right: Term) -> Result<Ordering, Fault> {
        if let Some((found, shared)) = quick::order(&self.heap, left, right) {
            self.steps_vary |= shared;
            return Ok(found);
        }
        // Compares in rounds, so that the comparison can be interrupted.
        let mut comparison = order::Comparison::new(left, right);
        let mut visits = 0;
        loop {
            let found = comparison.run(&self.heap, ROUND);
            self.steps_vary |= comparison.has_shared();
            self.charge(comparison.visits().saturating_sub(FREE_VISITS))?;
            if let Some(order) = found {
                return Ok(order);
            }
            visits += ROUND;
            self.pairs_end((left, right), visits, comparison.waiting())?;
        }
    }

    /// Checks that a walk over two terms side by side may go on: memory has room for the pairs that remain,
    /// and the walk has an end. Only the walk over two cyclic terms has none.
    pub fn pairs_end(&self, (left, right): (Term, Term), visits: u64, waiting: usize) -> Result<(), Fault> {
        if self.room(PAIR * waiting).is_err() {
            return Err(self.unpackable(left));
        }
        match visits == ENDLESS && is_cyclic(&self.heap, left) && is_cyclic(&self.heap, right) {
            true => Err(Cause::Cyclic.into()),
            false => Ok(()),
        }
    }

    /// Fails if a term is cyclic.
    pub fn finite(&self, term: Term) -> Result<(), Fault> {
        if is_cyclic(&self.heap, term) { Err(Cause::Cyclic.into()) } else { Ok(()) }
    }

    /// Packs a term, if memory allows.
    pub fn packed(&self, term: Term) -> Result<Packed, Fault> {
        self.packed_in(term, self.words_left())
    }

    /// Packs a term, if it takes no more than so many words.
    pub fn packed_in(&self, term: Term, words: usize) -> Result<Packed, Fault> {
        pack(&self.heap, term, words).ok_or_else(|| self.unpackable(term))
    }

    /// The fault for a term that does not fit in memory when it is packed or written.
    pub fn unpackable(&self, term: Term) -> Fault {
        match is_cyclic(&self.heap, term) {
            true => Cause::Cyclic.into(),
            false => Cause::Memory(self.memory).into(),
        }
    }

    /// The largest packed term that memory allows, in words.
    pub fn words_left(&self) -> usize {
        (self.memory.saturating_sub(self.used()) / 8) as usize
    }
}
