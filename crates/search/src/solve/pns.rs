//! Depth-first proof-number search: expands where the fewest positions remain to be proved.
//!
//! It takes a task, a position and the attacker, and says whether the attacker wins. The proof
//! number of a position is the least number of leaves whose wins would prove a win; the disproof
//! number is its counterpart. The search goes down while the numbers stay below thresholds, and
//! keeps them in a table. A repetition on a line is no win. A disproof that rests on a repetition
//! holds on that line only: it is kept with the line, never in the table. Ayumu Nagai, "Df-pn
//! Algorithm for Searching AND/OR Trees and Its Applications", 2002; thresholds after Jakub
//! Pawlewicz and Łukasz Lew, "Improving Depth-First PN-Search: 1+ε Trick", 2007.

use super::table::{Key, ProofTable, key};
use super::{SolveError, SolveTask, Solved, Status, winner};
use crate::game::{Game, Heuristic, Score, Side};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The proof number of a disproved position, or the disproof number of a proved one.
const INFINITE: u32 = u32::MAX;

/// The greatest number of an undecided position.
const MOST: u32 = INFINITE - 1;

/// The mark of a result that relies on no position above.
const NOWHERE: u32 = u32::MAX;

/// The result of two searches: whether Max wins, and if not, whether Min does.
pub struct ProofNumberResult {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Positions expanded.
    pub positions: u64,
    tables: RefCell<[Option<Run>; 2]>,
}

/// An attacker and the table of its search.
struct Run {
    attacker: Side,
    table: ProofTable,
}

/// Proves who wins from `state`, or that neither side does.
///
/// Errs if the rules fault, the stop flag is set, the node limit is exceeded, or the game ends in
/// numbers. Also errs if a line and its positions take more memory than the tables leave.
pub fn prove<G: Game, H: Heuristic<G>>(task: &SolveTask<'_, G, H>, state: &G::State) -> Solved<ProofNumberResult, G> {
    let mut proof = ProofNumberResult { winner: None, positions: 0, tables: RefCell::default() };
    for (at, attacker) in [Side::Max, Side::Min].into_iter().enumerate() {
        // The two tables get half of the memory, lines the rest.
        let run = Run { attacker, table: ProofTable::new(task.memory / 4) };
        let mut search = ProofNumberSearch::new(task, run, proof.positions);
        let wins = search.root(state)?;
        proof.positions = search.opened;
        proof.tables.get_mut()[at] = Some(search.run);
        if wins {
            proof.winner = Some(attacker);
            break;
        }
    }
    Ok(proof)
}

impl ProofNumberResult {
    /// The plies in which `side` forces a win from a position, as `Game::canonical` gives it, if the
    /// table still has it.
    pub(super) fn wins(&self, side: Side, canonical: &impl std::hash::Hash) -> Option<u32> {
        let tables = self.tables.borrow();
        let run = tables.iter().flatten().find(|run| run.attacker == side)?;
        run.table.find(key(canonical)).filter(|entry| entry.pn == 0).map(|entry| entry.plies)
    }

    /// Whether `side` is known not to lose from a position.
    pub(super) fn holds(&self, side: Side, canonical: &impl std::hash::Hash) -> bool {
        let tables = self.tables.borrow();
        let run = tables.iter().flatten().find(|run| run.attacker == side.other());
        run.is_some_and(|run| run.table.find(key(canonical)).is_some_and(|entry| entry.dn == 0))
    }

    /// A move from `state` that keeps the proved value, if the tables have one.
    /// The winner gets the quickest known win, the loser the slowest known loss.
    pub fn best<G: Game, H: Heuristic<G>>(
        &self,
        task: &SolveTask<'_, G, H>,
        state: &G::State,
    ) -> Solved<Option<G::Move>, G> {
        let Status::Moves(mover) = task.status(state)? else { return Ok(None) };
        let (mut moves, mut next) = (Vec::new(), Vec::new());
        task.successors(state, &mut moves, &mut next)?;
        let mut best: Option<(u32, usize)> = None;
        for (at, after) in next.into_iter().enumerate() {
            let over = match task.status(&after)? {
                Status::Over(worth) => Some(winner(worth)),
                Status::Moves(_) => None,
            };
            let canonical = task.canonical(after)?;
            let cost = match (over, self.winner) {
                (Some(found), wanted) => (found == wanted).then_some(0),
                (None, Some(side)) if side == mover => self.wins(side, &canonical),
                (None, Some(side)) => self.wins(side, &canonical).map(|plies| u32::MAX - plies),
                (None, None) => self.holds(mover, &canonical).then_some(0),
            };
            if let Some(cost) = cost
                && best.is_none_or(|(least, _)| cost < least)
            {
                best = Some((cost, at));
            }
        }
        Ok(best.map(|(_, at)| moves.swap_remove(at)))
    }

    /// Whether a table dropped a decided entry for lack of memory.
    pub fn forgot(&self) -> bool {
        self.tables.borrow().iter().flatten().any(|run| run.table.forgot)
    }

    /// Searches from a position, as `Game::canonical` gives it, to fill the table. The result at the
    /// root of a search is always valid, and is kept.
    pub(super) fn search_again<G: Game, H: Heuristic<G>>(
        &self,
        task: &SolveTask<'_, G, H>,
        attacker: Side,
        canonical: &G::State,
    ) -> Solved<(), G> {
        let mut tables = self.tables.borrow_mut();
        let run = tables.iter_mut().find(|run| run.as_ref().is_some_and(|run| run.attacker == attacker));
        let Some((place, run)) = run.and_then(|place| place.take().map(|run| (place, run))) else { return Ok(()) };
        let mut search = ProofNumberSearch::new(task, run, self.positions);
        let found = search.root(canonical);
        *place = Some(search.run);
        found.map(|_| ())
    }
}

/// A search for one attacker.
struct ProofNumberSearch<'a, 'b, G: Game, H: Heuristic<G>> {
    task: &'b SolveTask<'a, G, H>,
    run: Run,
    line: Vec<ProofNumberNode<G::State>>,
    /// The ply of each position on the line.
    on_line: FxHashMap<Key, u32>,
    opened: u64,
}

/// A position on the line.
struct ProofNumberNode<S> {
    key: Key,
    /// Whether the attacker moves, so that one won successor is enough.
    attacks: bool,
    children: Vec<Child<S>>,
    /// The index of the child searched last.
    at: usize,
    /// The thresholds: the search continues while the numbers are below these.
    most: Numbers,
    /// The number of positions expanded before this one.
    begun: u64,
}

/// A proof number and a disproof number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Numbers {
    pn: u32,
    dn: u32,
}

impl Numbers {
    const PROVED: Numbers = Numbers { pn: 0, dn: INFINITE };
    const DISPROVED: Numbers = Numbers { pn: INFINITE, dn: 0 };
    const UNKNOWN: Numbers = Numbers { pn: 1, dn: 1 };

    fn is_decided(self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// A successor on the line.
struct Child<S> {
    state: S,
    key: Key,
    numbers: Numbers,
    /// For a disproof, the ply of the highest position above that it relies on.
    relies: u32,
    /// For a win, the plies in which it is forced.
    plies: u32,
}

/// The result of a position.
struct NodeNumbers {
    numbers: Numbers,
    relies: u32,
    plies: u32,
}

impl<'a, 'b, G: Game, H: Heuristic<G>> ProofNumberSearch<'a, 'b, G, H> {
    fn new(task: &'b SolveTask<'a, G, H>, run: Run, opened: u64) -> Self {
        ProofNumberSearch { task, run, line: Vec::new(), on_line: FxHashMap::default(), opened }
    }

    /// Whether the attacker wins from the root.
    fn root(&mut self, state: &G::State) -> Solved<bool, G> {
        let state = self.task.canonical(state.clone())?;
        let key = key(&state);
        match self.task.status(&state)? {
            Status::Over(worth) => return Ok(winner(self.decided(worth)?) == Some(self.run.attacker)),
            Status::Moves(mover) => {
                self.open(&state, key, mover, Numbers { pn: INFINITE, dn: INFINITE })?;
            }
        }
        loop {
            let Some(node) = self.line.last() else { unreachable!("the root is left by returning") };
            let result = node.result(self.line.len() as u32 - 1);
            if result.numbers.pn >= node.most.pn || result.numbers.dn >= node.most.dn {
                self.leave(&result);
                match self.line.last_mut() {
                    Some(above) => above.take(result),
                    None => return Ok(result.numbers.pn == 0),
                }
                continue;
            }
            let (at, most) = node.choice(result.numbers);
            let (state, key) = (node.children[at].state.clone(), node.children[at].key);
            if let Some(node) = self.line.last_mut() {
                node.at = at;
            }
            match self.task.status(&state)? {
                Status::Moves(mover) => self.open(&state, key, mover, most)?,
                Status::Over(_) => unreachable!("a finished game is decided when it is first met"),
            }
        }
    }

    /// The score of a finished game, which must be a win or a draw.
    fn decided(&self, worth: Score) -> Solved<Score, G> {
        match worth {
            Score::Value(number) if number != 0.0 => Err(SolveError::Numbers),
            worth => Ok(worth),
        }
    }

    /// Expands a position: adds it to the line with its successors.
    fn open(&mut self, state: &G::State, own: Key, mover: Side, most: Numbers) -> Solved<(), G> {
        self.opened += 1;
        self.task.count(self.opened)?;
        let ply = self.line.len() as u32;
        let acyclic = self.task.game.facts().is_acyclic;
        if !acyclic {
            self.on_line.insert(own, ply);
        }
        let attacks = mover == self.run.attacker;
        let (mut moves, mut next) = (Vec::new(), Vec::new());
        self.task.successors(state, &mut moves, &mut next)?;
        let mut children: Vec<Child<G::State>> = Vec::with_capacity(next.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for state in next {
            let state = self.task.canonical(state)?;
            let key = key(&state);
            if !seen.insert(key) {
                continue;
            }
            let (numbers, relies, plies) = self.known(&state, key)?;
            children.push(Child { state, key, numbers, relies, plies });
            // One such successor decides the position.
            if numbers == (if attacks { Numbers::PROVED } else { Numbers::DISPROVED }) && relies == NOWHERE {
                break;
            }
        }
        let room = self.task.game.live_bytes() + 512 * self.line.len() as u64;
        if room > self.task.memory / 2 {
            return Err(SolveError::Memory { positions: self.opened });
        }
        self.line.push(ProofNumberNode { key: own, attacks, children, at: 0, most, begun: self.opened });
        Ok(())
    }

    /// The known result of a successor: its numbers, what they rely on, and the plies of a win.
    fn known(&self, state: &G::State, key: Key) -> Solved<(Numbers, u32, u32), G> {
        if let Some(ply) = self.on_line.get(&key) {
            return Ok((Numbers::DISPROVED, *ply, 0));
        }
        if let Some(entry) = self.run.table.find(key) {
            return Ok((Numbers { pn: entry.pn, dn: entry.dn }, NOWHERE, entry.plies));
        }
        let numbers = match self.task.status(state)? {
            Status::Moves(_) => Numbers::UNKNOWN,
            Status::Over(worth) if winner(self.decided(worth)?) == Some(self.run.attacker) => Numbers::PROVED,
            Status::Over(_) => Numbers::DISPROVED,
        };
        Ok((numbers, NOWHERE, 0))
    }

    /// Removes the last position from the line, and stores a result that is valid on every line.
    fn leave(&mut self, result: &NodeNumbers) {
        let Some(node) = self.line.pop() else { return };
        self.on_line.remove(&node.key);
        if result.relies == NOWHERE {
            let work = self.opened - node.begun + 1;
            self.run.table.keep(node.key, result.numbers.pn, result.numbers.dn, work, result.plies);
        }
    }
}

impl<S> ProofNumberNode<S> {
    /// The numbers by those of the children; `ply` is that of the position.
    fn result(&self, ply: u32) -> NodeNumbers {
        let pns = self.children.iter().map(|child| child.numbers.pn);
        let dns = self.children.iter().map(|child| child.numbers.dn);
        let (pn, dn) = match self.attacks {
            true => (pns.min().unwrap_or(INFINITE), sum(dns)),
            false => (sum(pns), dns.min().unwrap_or(INFINITE)),
        };
        let numbers = match (pn, dn) {
            (0, _) => Numbers::PROVED,
            (_, 0) => Numbers::DISPROVED,
            // An undecided position has no infinite number, however large the sum.
            (pn, dn) => Numbers { pn: pn.min(MOST), dn: dn.min(MOST) },
        };
        NodeNumbers { numbers, relies: self.relies(numbers, ply), plies: self.plies(numbers) }
    }

    /// The highest position that a disproof relies on: that of all children if all must be
    /// disproved, that of the least reliant child if one is enough.
    fn relies(&self, numbers: Numbers, ply: u32) -> u32 {
        if numbers != Numbers::DISPROVED {
            return NOWHERE;
        }
        let plies = self.children.iter().filter(|child| child.numbers.dn == 0).map(|child| child.relies);
        let highest = match self.attacks {
            true => plies.min(),
            false => plies.max(),
        };
        // A repetition of this position itself: a side that wins can win without repeating it.
        highest.filter(|highest| *highest < ply).unwrap_or(NOWHERE)
    }

    /// The plies in which a win is forced.
    fn plies(&self, numbers: Numbers) -> u32 {
        if numbers != Numbers::PROVED {
            return 0;
        }
        let plies = self.children.iter().filter(|child| child.numbers.pn == 0).map(|child| child.plies);
        let plies = if self.attacks { plies.min() } else { plies.max() };
        plies.unwrap_or(0).saturating_add(1)
    }

    /// The child to search next, with its thresholds.
    fn choice(&self, own: Numbers) -> (usize, Numbers) {
        // For the player to move: `near` must become 0 in one child, `far` in all children.
        let near = |n: Numbers| if self.attacks { n.pn } else { n.dn };
        let far = |n: Numbers| if self.attacks { n.dn } else { n.pn };
        let (mut at, mut best, mut second) = (0, INFINITE, INFINITE);
        for (number, child) in self.children.iter().enumerate() {
            let this = near(child.numbers);
            if this < best {
                (at, second, best) = (number, best, this);
            } else {
                second = second.min(this);
            }
        }
        let child = self.children[at].numbers;
        let quarter = second.saturating_add(second / 4).max(second.saturating_add(1));
        let most_near = near(self.most).min(quarter).max(best.saturating_add(1));
        let others = far(own).saturating_sub(far(child));
        let most_far = match far(self.most) {
            INFINITE => INFINITE,
            most => most.saturating_sub(others).max(far(child).saturating_add(1)),
        };
        match self.attacks {
            true => (at, Numbers { pn: most_near, dn: most_far }),
            false => (at, Numbers { pn: most_far, dn: most_near }),
        }
    }

    /// Updates the child searched last.
    fn take(&mut self, result: NodeNumbers) {
        let child = &mut self.children[self.at];
        debug_assert!(!child.numbers.is_decided(), "what is decided is not searched");
        (child.numbers, child.relies, child.plies) = (result.numbers, result.relies, result.plies);
    }
}

/// A saturating sum, infinite if one part is.
fn sum(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, u32::saturating_add)
}
