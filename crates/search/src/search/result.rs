//! The result of a search: plain data for a front end, or the error that prevented a result.
//!
//! A result has the value, the best move, the principal variation and counts. It says whether the
//! value is exact, an estimate, or the best so far of a stopped search. This module must not depend
//! on the algorithm that fills it in.

use crate::game::{Game, GameResult, Score, Side};

/// The result of a search. Every score is for Max, and every distance counts from the root.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The minimax value. In a stopped search it is the best for the player to move among the root
    /// moves that were finished, and `None` if none was.
    pub value: Option<Score>,
    /// Whether `value` is the true value, which no estimate can change. Always false in a stopped
    /// search.
    pub exact: bool,
    /// Whether `value` is an average, over chance outcomes or over random play.
    pub averaged: bool,
    /// The first move of `line`; `None` if the game is over or the search visited nothing.
    pub best: Option<M>,
    /// The principal variation, to the end of the game or the horizon; of equally good moves it has
    /// the first in the game's order. If `exact`, no position on it rests on an estimate: all have
    /// the same exact value.
    pub line: Vec<M>,
    /// Where `line` ends; `None` if and only if `value` is `None`.
    pub end: Option<LineEnd>,
    /// The depth in plies of `value`, `best` and `line`; `None`: to the end of the game.
    pub depth: Option<u32>,
    /// Whether no depth was finished: the value is then the best among the finished root moves.
    pub partial: bool,
    /// The best move that an unfinished deeper search had found.
    pub deeper: Option<PartialIteration<M>>,
    /// The greatest depth in plies of a visited position.
    pub reached: u32,
    /// Positions visited to find the value, the root included.
    pub nodes: u64,
    /// Evaluations, including those of finished games without a declared result.
    pub evals: u64,
    /// Positions visited to prove that no estimate can change the value.
    pub proof_nodes: u64,
    /// Whether a limit or the stop flag ended the search early.
    pub stopped: bool,
    /// Further counts; all 0 for algorithms that do not count them.
    pub stats: Stats,
    /// The best moves with their lines, the best first, if several were requested.
    pub lines: Vec<ScoredLine<M>>,
    /// The random games behind a mean, and its precision.
    pub sample: Option<PlayoutSample>,
}

/// The best move of an unfinished depth, beside the result of the last finished one.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialIteration<M> {
    /// In plies.
    pub depth: u32,
    /// The move with its line and its value at that depth. Other finished moves of that depth are no
    /// better; nothing is known of the rest.
    pub line: ScoredLine<M>,
}

/// What a new leaf of the tree is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafValue {
    /// The result of a random game.
    Playout,
    /// The best evaluation after one of its moves.
    Evaluation,
}

/// The random games, or the evaluated leaves of a tree, that a value rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutSample {
    /// The number of games, or of leaves.
    pub games: u64,
    /// What judged the leaves of a tree; `None` if there is no tree.
    pub leaf: Option<LeafValue>,
    /// Whether the tree stopped growing because it had no more memory.
    pub full: bool,
    /// The statistics of the games, if they were independent of each other.
    pub spread: Option<SampleMean>,
}

/// The statistics of independent random games, with the precision of their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleMean {
    /// The standard error of the mean.
    pub standard_error: f64,
    /// The lower end of the interval that contains the true mean in 95 of 100 samples.
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
    /// Games won by Max.
    pub wins: u64,
    /// Games won by Min.
    pub losses: u64,
    /// Games stopped for their length and scored by an evaluation.
    pub unfinished: u64,
    /// The mean length of a game in plies, chance moves included.
    pub mean_plies: f64,
}

/// A line with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredLine<M> {
    /// The value for Max.
    pub value: Score,
    /// Whether no estimate can change the value.
    pub exact: bool,
    /// The moves from the root.
    pub moves: Vec<M>,
    /// Where the line ends, if known.
    pub end: Option<LineEnd>,
}

/// Counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions visited, including the root and those beyond the horizon.
    pub nodes: u64,
    /// Evaluations.
    pub evals: u64,
    /// Positions visited beyond the horizon, by the quiescence search.
    pub quiet_nodes: u64,
    /// Positions with a cutoff.
    pub cuts: u64,
    /// Positions with a cutoff after the first move.
    pub first_cuts: u64,
    /// Positions looked up in the transposition table.
    pub probes: u64,
    /// Positions found in the table.
    pub hits: u64,
    /// Positions whose value came from the table.
    pub table_cuts: u64,
    /// Moves searched again because a null window showed that they are better than expected.
    pub again: u64,
}

/// A finished depth of iterative deepening.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<M> {
    /// The depth in plies.
    pub depth: u32,
    /// The greatest depth visited.
    pub reached: u32,
    /// Whether the value is already exact.
    pub exact: bool,
    /// The counts since the search began.
    pub stats: Stats,
    /// The best moves with their lines, the best first.
    pub lines: Vec<ScoredLine<M>>,
}

impl<M> SearchResult<M> {
    /// A result without a value.
    pub fn none() -> SearchResult<M> {
        SearchResult {
            value: None,
            exact: false,
            averaged: false,
            best: None,
            line: Vec::new(),
            end: None,
            depth: None,
            partial: false,
            deeper: None,
            reached: 0,
            nodes: 0,
            evals: 0,
            proof_nodes: 0,
            stopped: false,
            stats: Stats::default(),
            lines: Vec::new(),
            sample: None,
        }
    }

    /// The move to play: that of the deepest search, finished or not, else the best move.
    pub fn choice(&self) -> Option<&M> {
        let deeper = self.deeper.as_ref().and_then(|deeper| deeper.line.moves.first());
        deeper.or(self.best.as_ref())
    }

    /// A result with the value and the moves of `line`.
    pub(super) fn of(line: &ScoredLine<M>) -> SearchResult<M>
    where
        M: Clone,
    {
        let (best, moves) = (line.moves.first().cloned(), line.moves.clone());
        SearchResult {
            value: Some(line.value),
            exact: line.exact,
            best,
            line: moves,
            end: line.end,
            ..SearchResult::none()
        }
    }
}

/// Where a line ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineEnd {
    /// The game is over, with a declared result.
    Ended(GameResult),
    /// The game is over without a declared result: the heuristic's number is exact.
    Numbered,
    /// A repetition, in a game in which a repetition is a draw.
    Repeated,
    /// The horizon, with an estimate.
    Horizon,
    /// A chance move: the continuation is open.
    Chance,
}

/// Who wins with best play from both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This side wins, or has the better number.
    Wins(Side),
    /// Neither side wins.
    Draw,
}

impl<M> SearchResult<M> {
    /// The same result with other moves: `name` translates each line.
    pub fn named<N: Clone>(self, name: impl Fn(&[M]) -> Vec<N>) -> SearchResult<N> {
        let renamed = |line: &ScoredLine<M>| ScoredLine {
            value: line.value,
            exact: line.exact,
            moves: name(&line.moves),
            end: line.end,
        };
        let line = name(&self.line);
        let deeper =
            self.deeper.as_ref().map(|deeper| PartialIteration { depth: deeper.depth, line: renamed(&deeper.line) });
        SearchResult {
            best: line.first().cloned(),
            lines: self.lines.iter().map(renamed).collect(),
            line,
            deeper,
            partial: self.partial,
            value: self.value,
            exact: self.exact,
            averaged: self.averaged,
            end: self.end,
            depth: self.depth,
            reached: self.reached,
            nodes: self.nodes,
            evals: self.evals,
            proof_nodes: self.proof_nodes,
            stopped: self.stopped,
            stats: self.stats,
            sample: self.sample,
        }
    }

    /// The winner with best play, by the sign of the value. `None` unless the value is exact and no
    /// average.
    pub fn verdict(&self) -> Option<Verdict> {
        let value = self.value.filter(|_| self.exact && !self.averaged)?;
        let level = Score::Value(0.0);
        Some(if value > level {
            Verdict::Wins(Side::Max)
        } else if value < level {
            Verdict::Wins(Side::Min)
        } else {
            Verdict::Draw
        })
    }

    /// Plies to the end of the game along the line. `None` unless the value is exact and the line
    /// ends in a declared result or in a repetition that is a draw.
    pub fn plies(&self) -> Option<u32> {
        match self.end? {
            LineEnd::Ended(_) | LineEnd::Repeated if self.exact && !self.averaged => {
                Some(u32::try_from(self.line.len()).expect("a line is counted in plies of 32 bits"))
            }
            _ => None,
        }
    }
}

/// The reason why a search has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError<F, M> {
    /// The rules or the heuristic faulted.
    Fault {
        /// The fault.
        fault: F,
        /// The moves from the root to the position in which the fault occurred. If a move could not
        /// be made, the line ends before that move.
        line: Vec<M>,
    },
    /// A line exceeds the length that the limits allow: play might never end.
    Endless {
        /// The moves from the root.
        line: Vec<M>,
    },
    /// A search without a depth limit met a repetition on its line: play might never end. The game
    /// is not acyclic and does not call repetitions draws.
    Repetition {
        /// The moves from the root to the second occurrence of the position.
        line: Vec<M>,
    },
    /// An algorithm for games without chance met a chance position.
    Chance {
        /// The moves from the root to that position.
        line: Vec<M>,
    },
}

impl<F, M> SearchError<F, M> {
    /// The same error with other moves: `name` translates the line.
    pub fn named<N>(self, name: impl FnOnce(Vec<M>) -> Vec<N>) -> SearchError<F, N> {
        match self {
            SearchError::Fault { fault, line } => SearchError::Fault { fault, line: name(line) },
            SearchError::Endless { line } => SearchError::Endless { line: name(line) },
            SearchError::Repetition { line } => SearchError::Repetition { line: name(line) },
            SearchError::Chance { line } => SearchError::Chance { line: name(line) },
        }
    }

    /// The moves from the root.
    pub(super) fn line_mut(&mut self) -> &mut Vec<M> {
        match self {
            SearchError::Fault { line, .. }
            | SearchError::Endless { line }
            | SearchError::Repetition { line }
            | SearchError::Chance { line } => line,
        }
    }

    /// Reverses the line, for an error whose line was collected from its end.
    pub(super) fn rooted(mut self) -> SearchError<F, M> {
        self.line_mut().reverse();
        self
    }
}

/// The result of a search of the game `G`, or the error of the game.
pub type Searched<T, G> = Result<T, SearchError<<G as Game>::Fault, <G as Game>::Move>>;

/// The reason why a search stops early.
pub(super) enum SearchHalt<F, M> {
    /// A limit was reached or the stop flag was set.
    Stopped,
    /// The game or the heuristic failed.
    Failed(SearchError<F, M>),
}

impl<F, M: Clone> SearchHalt<F, M> {
    /// Adds `mv` to the line of an error. Each caller on the way back to the root adds its move, so
    /// the line has its last move first.
    pub(super) fn after(mut self, mv: &M) -> SearchHalt<F, M> {
        if let SearchHalt::Failed(error) = &mut self {
            error.line_mut().push(mv.clone());
        }
        self
    }
}

/// The result of a step of a search, unless the search stops early.
pub(super) type Walked<T, G> = Result<T, SearchHalt<<G as Game>::Fault, <G as Game>::Move>>;

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(value: Score, exact: bool, end: LineEnd) -> SearchResult<char> {
        SearchResult {
            value: Some(value),
            exact,
            averaged: false,
            best: Some('a'),
            line: vec!['a', 'b'],
            end: Some(end),
            depth: None,
            partial: false,
            deeper: None,
            reached: 2,
            nodes: 3,
            evals: 0,
            proof_nodes: 0,
            stopped: false,
            stats: Stats::default(),
            lines: Vec::new(),
            sample: None,
        }
    }

    #[test]
    fn the_sign_of_an_exact_value_names_the_winner() {
        let verdict = |value| outcome(value, true, LineEnd::Numbered).verdict();
        assert_eq!(verdict(Score::Win { plies: 2 }), Some(Verdict::Wins(Side::Max)));
        assert_eq!(verdict(Score::Value(-0.5)), Some(Verdict::Wins(Side::Min)));
        assert_eq!(verdict(Score::Value(-0.0)), Some(Verdict::Draw));
    }

    #[test]
    fn an_estimate_names_nobody() {
        let estimate = outcome(Score::Value(3.0), false, LineEnd::Horizon);
        assert_eq!((estimate.verdict(), estimate.plies()), (None, None));
    }

    #[test]
    fn plies_are_told_for_declared_endings_only() {
        let plies = |end| outcome(Score::Value(0.0), true, end).plies();
        assert_eq!(plies(LineEnd::Ended(GameResult::Draw)), Some(2));
        assert_eq!(plies(LineEnd::Repeated), Some(2));
        assert_eq!(plies(LineEnd::Numbered), None);
    }
}
