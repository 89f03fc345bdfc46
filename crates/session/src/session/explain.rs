//! Explains a move: its value beside the best value, the line that follows, and the evaluation at the end
//! of that line.
//!
//! It takes a game, a position and a typed move, and returns plain data. It searches all moves to the
//! same depth, so their values are comparable.

use super::reason::{ProofOptions, WhyTrue};
use super::words::MoveNotation;
use super::workspace::GameStatus;
use super::{Failure, SearchOptions, Session, SessionResult};
use alphorn_prolog::reason::proof::Extent;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, GameResult, Side, ToMove};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{Iteration, LineEnd, ScoredLine};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The explanation of a move.
#[derive(Debug)]
pub struct ExplainedMove {
    /// The player to move.
    pub side: Side,
    /// The value and the line of the move, with the move first.
    pub line: ScoredLine<String>,
    /// The value and the line of the best move.
    pub best: ScoredLine<String>,
    /// The number of better moves; equally good moves do not count.
    pub better: usize,
    /// The number of legal moves.
    pub moves: usize,
    /// The depth in plies to which all moves were searched.
    pub depth: u32,
    /// Whether the stop flag ended the search.
    pub stopped: bool,
    /// The end of the line.
    pub leaf: LineLeaf,
}

/// The end of a line.
#[derive(Debug)]
pub struct LineLeaf {
    /// The position in the notation of the game.
    pub position: String,
    /// The picture of the position, if the game draws one.
    pub picture: Option<Vec<String>>,
    /// The result of the game there, if the game declares one.
    pub ending: Option<GameResult>,
    /// The status of the game there.
    pub status: GameStatus,
    /// The reason for the end of the line.
    pub end: Option<LineEnd>,
    /// The proof of the evaluation there, if the value comes from it.
    pub why: Option<WhyTrue>,
}

/// The extent of the proof of an evaluation.
const EXTENT: Extent = Extent { depth: 3, goals: 40, text: 60 };

impl Session {
    /// The failure for a text that names no move. If the text is a goal, the help names the command that explains
    /// goals.
    fn goal_or(&self, failure: Failure, game: &RuleGame, state: &Position, text: &str) -> Failure {
        match failure {
            Failure::Problem(problem, sources)
                if problem.code == Code::InvalidPositionOrMove
                    && self.is_goal(text)
                    && matches!(self.move_goal(text, Some(state)), Ok(None)) =>
            {
                let goal = text.trim();
                let message = format!("{goal} is a goal, not a move");
                let help = format!("{} explains the goal", game.command_for("why", goal));
                let problem = Problem::placeless(Code::InvalidPositionOrMove, message).help(help);
                Failure::Problem(Box::new(problem), sources)
            }
            failure => failure,
        }
    }

    /// Compares a move with all others. The flag `timer` ends the search; the result is then formatted
    /// without that flag.
    ///
    /// # Errors
    ///
    /// There is no such move, no player is to move, or the rules fail.
    pub fn explained(
        &self,
        game: &RuleGame,
        state: &Position,
        text: &str,
        how: &SearchOptions<'_>,
        (limits, timer): (&Limits<'_>, &Arc<AtomicBool>),
    ) -> SessionResult<ExplainedMove> {
        let turn = game.to_move(state).map_err(|fault| self.fault(&fault, &[]))?;
        let Some(side) = turn.side() else {
            let message = if turn == ToMove::Over {
                "the game is over in this position"
            } else {
                "chance moves in this position"
            };
            return self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, message).help("go to a position with a player to move"),
            );
        };
        if limits.depth == Some(0) {
            let problem = Problem::placeless(Code::InvalidArgument, "a search to depth 0 looks at no move");
            return self.problem(problem.help("give a depth of 1 or more, such as --depth 3"));
        }
        let mv = self.typed_move(game, state, text).map_err(|failure| self.goal_or(failure, game, state, text))?;
        let moves = self.moves(game, state)?.len();
        let finished = Cell::new(None);
        let hear = |found: &Iteration<String>| finished.set(Some(found.depth));
        let all = SearchOptions { algorithm: Algorithm::Auto, lines: moves, report: Some(&hear), ..*how };
        let searching = Session { stop: timer.clone(), ..self.clone() };
        let outcome = searching.by_search(&searching.game()?, state, &all, limits)?;
        let worth = |line: &ScoredLine<RuleMove>| line.value.seen_by(side);
        let line = outcome.lines.iter().find(|line| line.moves.first() == Some(&mv));
        let (Some(best), Some(line)) = (outcome.lines.first(), line) else {
            let problem =
                Problem::placeless(Code::Interrupted, "the search was stopped before it looked at every move");
            return self.problem(problem.help("allow more time, such as --time 60, or less depth, such as --depth 1"));
        };
        let after = self.after_stop();
        let game = &after.game()?;
        let line = &self.with_end(game, state, line);
        let better = outcome.lines.iter().filter(|other| worth(other) > worth(line)).count();
        Ok(ExplainedMove {
            side,
            better,
            moves,
            leaf: after.leaf(game, line.moves.last().map_or(state, |mv| &mv.next), line.end)?,
            line: after.shown(MoveNotation::Label, (game, state), line),
            best: after.shown(MoveNotation::Label, (game, state), best),
            depth: finished.get().or(outcome.depth).unwrap_or(outcome.reached),
            stopped: outcome.stopped,
        })
    }

    /// The line, which ends in a repetition if its last position occurred before in the game under way.
    fn with_end(&self, game: &RuleGame, state: &Position, line: &ScoredLine<RuleMove>) -> ScoredLine<RuleMove> {
        let mut line = line.clone();
        let mut past: Vec<&Position> = self.before.iter().chain([state]).collect();
        past.extend(line.moves.iter().map(|mv| &mv.next));
        let again = past.pop().is_some_and(|last| past.contains(&last));
        if again && game.facts().draws_repetitions() {
            line.end = Some(LineEnd::Repeated);
        }
        line
    }

    /// The position at the end of a line, with the proof of its evaluation.
    fn leaf(&self, game: &RuleGame, at: &Position, end: Option<LineEnd>) -> SessionResult<LineLeaf> {
        let fault = |fault| self.fault(&fault, &[]);
        let turn = game.to_move(at).map_err(fault)?;
        let over = turn == ToMove::Over;
        let ending = if over { game.result(at).map_err(fault)? } else { None };
        let repeated = end == Some(LineEnd::Repeated);
        let judged =
            !repeated && ending.is_none() && turn != ToMove::Chance && self.rules.contract.static_eval.is_some();
        let why = match judged {
            true => {
                let goal = format!("static_eval({}, Value)", self.term(at));
                Some(self.why(&goal, ProofOptions { answer: 1, extent: EXTENT, library: false }, None)?)
            }
            false => None,
        };
        let (position, picture) = (self.position_text(game, at)?, self.picture(game, at)?);
        let status = if repeated { GameStatus::Repeated } else { self.status_at(game, at)? };
        Ok(LineLeaf { position, picture, ending, status, end, why })
    }
}
