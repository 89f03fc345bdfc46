//! Solving without a given method: several methods take turns until one proves the value.
//!
//! Enumeration of all positions comes first, because its result says most. Then comes the search of
//! `alphorn value`, which finds quick wins, then a full-depth search if no line can repeat a position, and then
//! proof-number search. Every round allows each method more positions, so no method waits for ever. The limits count
//! positions, not time.

use super::attempt::{RuleTask, SolveAttempt, Unsolved};
use super::solve::{SolveOptions, SolvedGame};
use super::{LONGEST_LINE, Session};
use alphorn_rules::rules::evaluation::AdvisedEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::Game;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{SearchError, SearchResult};
use alphorn_search::search::{self, Algorithm, SearchSettings, TranspositionTable};
use alphorn_search::solve::retrograde::Enumeration;
use alphorn_search::solve::{Method, SolveError, SolveTask, distance, pns, winner};
use std::sync::atomic::Ordering::Relaxed;

/// The positions of each method in the first round, which finds a win in one move, and in the second
/// round, which enumerates small games. Every later round multiplies them by `GROWTH`.
const FIRST: u64 = 1 << 8;
const SECOND: u64 = 1 << 12;
const GROWTH: u64 = 4;

/// Beyond `LARGE` positions the enumeration gets `SHARE` times the positions of the other methods. If
/// only the enumeration helps, the others then waste a small part of the work.
const LARGE: u64 = 1 << 16;
const SHARE: u64 = 2;

/// For a method that generates all successors, one position costs as much as this many in the search.
const SUCCESSORS: u64 = 4;

/// The least limit of the search for a line after a proof without one, in positions. The limit is also
/// at least `ALONE` times the positions of the proof.
const LINE: u64 = 1 << 14;

/// The table and proof-number search each get one of `PARTS` parts of the memory during the enumeration.
/// The enumeration gets the rest, and in the end all memory.
const PARTS: u64 = 8;

/// When only the search is left, it may visit this many times the enumerated positions, and at least
/// `LEAST`: a few large positions fill the memory, but the search keeps only one line of them.
const ALONE: u64 = 4;
const LEAST: u64 = 1 << 18;

/// The state of the methods that take turns.
struct Turns<'a> {
    session: &'a Session,
    task: &'a RuleTask<'a>,
    root: &'a Position,
    asking: &'a SolveOptions<'a>,
    /// The enumeration; `None` after it ran out of memory.
    enumeration: Option<Enumeration<Position>>,
    enumerated: u64,
    /// Whether the search is in use. An error ends it, and a proof file excludes it.
    searches: bool,
    /// Whether the full-depth search is in use. A line that is too long ends it.
    dives: bool,
    table: Option<TranspositionTable>,
    proves: bool,
    /// Positions visited by the search and by proof-number search.
    elsewhere: u64,
    /// Why a method was dropped. This is the error if all methods are dropped.
    reason: Option<Unsolved>,
}

impl Session {
    /// Solves a position with the first method that finds a proof.
    pub(super) fn in_turns(
        &self,
        task: &RuleTask<'_>,
        root: &Position,
        asking: &SolveOptions<'_>,
    ) -> SolveAttempt<SolvedGame> {
        let mut turns = Turns {
            session: self,
            task,
            root,
            asking,
            enumeration: Some(Enumeration::begin(task, std::slice::from_ref(root))?),
            enumerated: 0,
            searches: asking.proof.is_none(),
            dives: asking.proof.is_none() && task.game.facts().is_acyclic,
            table: None,
            proves: true,
            elsewhere: 0,
            reason: None,
        };
        let mut most = FIRST;
        loop {
            match turns.round(most) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(Unsolved::Solve(SolveError::Stopped)) => {
                    let positions = turns.enumerated + turns.elsewhere;
                    return Ok(SolvedGame { positions, ..self.blank(task.game, Method::Auto, true) });
                }
                Err(error) => return Err(error),
            }
            let alone = turns.enumeration.is_none() && !turns.proves;
            if alone && (!turns.searches || most > LEAST.max(ALONE * turns.enumerated)) {
                return Err(turns.reason.unwrap_or(Unsolved::Solve(SolveError::Positions)));
            }
            most = if most < SECOND { SECOND } else { most.saturating_mul(GROWTH) };
        }
    }
}

/// The number of positions to enumerate in a round in which the search may visit `most`. If a full-depth search takes
/// part, it usually needs fewer positions.
fn enumerated(most: u64, dives: bool) -> u64 {
    if most <= SECOND {
        most
    } else if dives || most <= LARGE {
        SECOND.max(most / SUCCESSORS)
    } else {
        most.saturating_mul(SHARE)
    }
}

impl Turns<'_> {
    /// Runs every method with a limit of `most` positions.
    fn round(&mut self, most: u64) -> SolveAttempt<Option<SolvedGame>> {
        // In a large game the full-depth search finds most proofs.
        let dives_first = most > LARGE;
        if dives_first && let Some(outcome) = self.dive(most)? {
            return Ok(Some(self.searched(outcome)));
        }
        if let Some(found) = self.enumerate(enumerated(most, self.dives))? {
            return Ok(Some(found));
        }
        if self.searches
            && let Some(outcome) = self.search(most, Algorithm::Auto)?
        {
            return Ok(Some(self.searched(outcome)));
        }
        if !dives_first && let Some(outcome) = self.dive(most)? {
            return Ok(Some(self.searched(outcome)));
        }
        if self.proves { self.prove(most / SUCCESSORS) } else { Ok(None) }
    }

    /// Runs `act` with limits on positions and memory.
    fn within<T>(&self, nodes: Option<u64>, memory: u64, elsewhere: u64, act: impl FnOnce(&RuleTask<'_>) -> T) -> T {
        let hear = |nodes| {
            if let Some(progress) = self.task.limits.progress {
                progress(elsewhere + nodes);
            }
        };
        let limits = Limits { nodes, progress: Some(&hear), ..*self.task.limits };
        act(&SolveTask::new(self.task.game, self.task.heuristic, &limits, memory))
    }

    fn enumerate(&mut self, most: u64) -> SolveAttempt<Option<SolvedGame>> {
        let Some(mut enumeration) = self.enumeration.take() else { return Ok(None) };
        let (all, part) = (self.task.memory, self.task.memory / PARTS);
        let mut found = self.within(None, all - 2 * part, self.elsewhere, |task| enumeration.go_on(task, most));
        if let Err(SolveError::Memory { .. }) = found {
            // Enumerate to the end, with all memory.
            self.table = None;
            found = self.within(None, all, self.elsewhere, |task| enumeration.go_on(task, u64::MAX));
        }
        self.enumerated = enumeration.positions();
        match found {
            Ok(true) => {
                let solution = enumeration.solution(self.task)?;
                let roots = std::slice::from_ref(self.root);
                self.session.of_solution(self.task, roots, &solution, self.asking).map(Some)
            }
            Ok(false) => {
                self.enumeration = Some(enumeration);
                Ok(None)
            }
            Err(error) if lacks_memory(&error) => {
                // The positions are freed, so a method that keeps fewer may fit.
                drop(enumeration);
                self.reason = Some(error.into());
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Searches to the end of the game, if no line can repeat a position, and returns a result only if it is a proof.
    fn dive(&mut self, most: u64) -> SolveAttempt<Option<SearchResult<RuleMove>>> {
        if !(self.searches && self.dives) {
            return Ok(None);
        }
        let found = self.search(most, Algorithm::Mtdf)?;
        // The other search goes on if this one failed.
        (self.dives, self.searches) = (self.searches, true);
        Ok(found)
    }

    /// Searches, and returns a result only if it is a proof.
    fn search(&mut self, most: u64, algorithm: Algorithm) -> SolveAttempt<Option<SearchResult<RuleMove>>> {
        if self.table.is_none() {
            self.table = Some(self.session.table(self.task.memory / PARTS)?);
        }
        let settings = SearchSettings { table: self.table.as_ref(), ..SearchSettings::default() };
        let found = self.within(Some(most), 0, self.enumerated + self.elsewhere, |task| {
            let limits = Limits { depth: None, longest: Some(LONGEST_LINE), ..*task.limits };
            // Where history orders the moves, weights cost more than they save.
            let heeds = algorithm == Algorithm::Auto;
            search::search_with(algorithm, task.game, &AdvisedEval { heeds }, self.root, &limits, &settings)
                .map_err(Box::new)
        });
        if self.task.limits.stop.is_some_and(|stop| stop.load(Relaxed)) {
            return Err(SolveError::Stopped.into());
        }
        let outcome = match found {
            Ok(outcome) => outcome,
            // The enumeration holds the memory. The search goes on after it.
            Err(error)
                if self.enumeration.is_some()
                    && matches!(&*error, SearchError::Fault { fault, .. } if fault.lacks_memory()) =>
            {
                self.table = None;
                return Ok(None);
            }
            Err(error) => {
                // Another method may succeed where the evaluation fails or play is endless.
                let endless = matches!(*error, SearchError::Endless { .. } | SearchError::Repetition { .. });
                if !endless && self.reason.is_none() {
                    self.reason = Some(self.session.search_error(self.task.game, self.root, *error).into());
                }
                (self.searches, self.table) = (false, None);
                return Ok(None);
            }
        };
        self.elsewhere += outcome.nodes + outcome.proof_nodes;
        Ok(Some(outcome).filter(|outcome| outcome.exact && outcome.value.is_some()))
    }

    /// The solved game for a search result that is a proof.
    fn searched(&self, outcome: SearchResult<RuleMove>) -> SolvedGame {
        let blank = self.session.blank(self.task.game, Method::AlphaBeta, false);
        SolvedGame { positions: outcome.nodes, ..self.line_of(outcome, blank) }
    }

    /// Adds the value, the distance and the best play of a search result.
    fn line_of(&self, outcome: SearchResult<RuleMove>, found: SolvedGame) -> SolvedGame {
        SolvedGame {
            score: outcome.value,
            plies: outcome.value.and_then(distance).or(outcome.plies()),
            line: self.session.labels(self.task.game, self.root, &outcome.line),
            ..found
        }
    }

    fn prove(&mut self, most: u64) -> SolveAttempt<Option<SolvedGame>> {
        let memory = match self.enumeration {
            Some(_) => self.task.memory / PARTS,
            None => self.task.memory - self.task.memory / PARTS,
        };
        let met = self.enumerated + self.elsewhere;
        let proof = self.within(Some(most), memory, met, |task| pns::prove(task, self.root));
        let proof = match proof {
            Ok(proof) => proof,
            Err(SolveError::Positions) => {
                self.elsewhere += most;
                return Ok(None);
            }
            Err(SolveError::Numbers) => {
                self.proves = false;
                return Ok(None);
            }
            // A line too long for a part of the memory may fit into the whole memory.
            Err(error) if lacks_memory(&error) => {
                self.proves = self.enumeration.is_some();
                self.reason.get_or_insert(error.into());
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let found = self.session.of_proof(self.task, self.root, &proof, self.asking)?;
        if !self.searches {
            return Ok(Some(found));
        }
        // The winner is known. A search may find the distance.
        let enough = LINE.max(ALONE * proof.positions);
        let outcome = self.search(enough, Algorithm::Auto).ok().flatten();
        let outcome = outcome.filter(|outcome| outcome.value.and_then(winner) == proof.winner);
        Ok(Some(outcome.map_or(found.clone(), |outcome| self.line_of(outcome, found))))
    }
}

/// Whether a method needs more memory than it may use. The rules report the lack if they are asked while
/// the method holds the memory.
fn lacks_memory(error: &SolveError<RuleFault>) -> bool {
    match error {
        SolveError::Memory { .. } => true,
        SolveError::Fault(fault) => fault.lacks_memory(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST, GROWTH, LARGE, SECOND, SUCCESSORS, enumerated};

    /// Waiting once made solving 2.4 times as slow, in games where only the enumeration helps.
    #[test]
    fn the_enumeration_of_a_large_game_waited_for_other_methods() {
        let (mut most, mut all, mut others) = (FIRST, 0, 0);
        while all < 1 << 36 {
            // In the worst case the enumeration ends with the first position of a round.
            let ratio = (all + others) as f64 / all.max(1) as f64;
            assert!(most <= SUCCESSORS * LARGE || ratio <= 1.32, "{ratio} after {all} positions");
            all += enumerated(most, false);
            others += most / SUCCESSORS + most / SUCCESSORS;
            most = if most < SECOND { SECOND } else { most * GROWTH };
        }
    }
}
