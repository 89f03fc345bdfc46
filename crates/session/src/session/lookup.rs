//! Looks up a position and its moves in a database of solved positions.
//!
//! The answer has the form of the result of a search. A position that is not in the database gives no answer; the
//! caller then searches.

use super::database::Database;
use super::{SearchReport, Session, SessionResult};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, Side, ToMove};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{ScoredLine, SearchResult, Stats};
use alphorn_search::solve::strategy::{SolvedLine, line};
use alphorn_search::solve::{SolveError, SolveTask, SolvedValue};

impl Session {
    /// The value of a position in a database, with best play, and the values of its `lines` best moves if these
    /// are several. `None` if the database lacks the position, or the moves that give its value.
    pub fn looked_up(
        &self,
        game: &RuleGame,
        state: &Position,
        (database, lines): (&Database, usize),
        limits: &Limits<'_>,
    ) -> SessionResult<Option<SearchReport>> {
        let task = SolveTask::new(game, &RuleEval, limits, self.budgets.game.memory);
        let mut problem = None;
        let mut known_of = |state: &Position| match database.known(self, state) {
            Ok(known) => known,
            Err(failure) => {
                problem = Some(failure);
                None
            }
        };
        let canonical = game.canonical(state).map_err(|fault| self.fault(&fault, &[]))?;
        let known = known_of(&canonical);
        let best = line(&task, state, &mut known_of);
        let several = match lines {
            0 | 1 => Ok(Vec::new()),
            _ => self.known_lines(&task, state, &mut known_of),
        };
        let best = match (best, problem, known) {
            (_, Some(failure), _) => return Err(failure),
            (Err(SolveError::Stopped), ..) | (_, _, None) => return Ok(None),
            (Err(error), ..) => return Err(self.solve_error(error, false)),
            (Ok(best), None, Some(_)) if best.end.is_none() => return Ok(None),
            (Ok(best), None, Some(known)) => (best, known.score),
        };
        let (SolvedLine { moves, end, .. }, score) = best;
        let mut several = several?;
        several.truncate(lines);
        let labels = self.labels(game, state, &moves);
        Ok(Some(SearchReport {
            outcome: SearchResult {
                value: Some(score),
                exact: true,
                averaged: false,
                best: labels.first().cloned(),
                reached: labels.len() as u32,
                nodes: labels.len() as u64 + 1,
                line: labels,
                end,
                depth: None,
                partial: false,
                deeper: None,
                evals: 0,
                proof_nodes: 0,
                stopped: false,
                stats: Stats::default(),
                lines: several,
                sample: None,
            },
        }))
    }

    /// The moves of a position whose values a database knows, with their lines, the best first.
    fn known_lines(
        &self,
        task: &SolveTask<'_, RuleGame, RuleEval>,
        state: &Position,
        known_of: &mut dyn FnMut(&Position) -> Option<SolvedValue>,
    ) -> SessionResult<Vec<ScoredLine<String>>> {
        let told = |error| match error {
            SolveError::Fault(fault) => self.fault(&fault, &[]),
            error => self.solve_error(error, false),
        };
        let game = task.game;
        let fault = |fault| self.fault(&fault, &[]);
        let side = match game.to_move(state).map_err(fault)? {
            ToMove::Max => Side::Max,
            ToMove::Min => Side::Min,
            ToMove::Chance | ToMove::Over => return Ok(Vec::new()),
        };
        let mut found = Vec::new();
        for (mv, _) in self.legal_moves(game, state)? {
            let canonical = game.canonical(&mv.next).map_err(fault)?;
            let Some(known) = known_of(&canonical) else { continue };
            let rest = match line(task, &mv.next, &mut *known_of) {
                Err(SolveError::Stopped) => break,
                rest => rest.map_err(told)?,
            };
            let moves: Vec<RuleMove> = std::iter::once(mv).chain(rest.moves).collect();
            let moves = self.labels(game, state, &moves);
            found.push(ScoredLine { value: known.one_ply_before().score, exact: true, moves, end: rest.end });
        }
        found.sort_by_key(|line| std::cmp::Reverse(line.value.seen_by(side).rank()));
        Ok(found)
    }
}
