//! Outcome: what a search found out, and how sure it is; or why it could not.
//!
//! In: nothing. Out: plain data for a front end: the value, the best move, the line of best play,
//! the counts, and whether the value is exact, an estimate, or what a stopped search had so far.
//! Must not know which algorithm filled it in.

use crate::game::{Game, GameResult, Score, Side};

/// What a search found out about a position. Every score is from Max's point of view, every
/// distance counts from that position.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The value with best play from both sides. Of a stopped search it is the best for the mover
    /// among the first moves that were finished, and `None` when none was.
    pub value: Option<Score>,
    /// Whether `value` is the true value, which no estimate could change. Never of a stopped search.
    pub exact: bool,
    /// Whether `value` is an average: of what chance can bring, or of random play.
    pub averaged: bool,
    /// The first move of `line`; `None` where the game is over or nothing was looked at.
    pub best: Option<M>,
    /// Best play from both sides, to the end of the game or to the horizon; where moves are equally
    /// good, the first in the game's own order. When `exact`, nothing in it rests on an estimate:
    /// every position on it has the same exact value.
    pub line: Vec<M>,
    /// Where `line` ends; `None` exactly where `value` is.
    pub end: Option<LineEnd>,
    /// The depth in plies that `value`, `best` and `line` belong to; `None`: to the end of the game.
    pub depth: Option<u32>,
    /// Whether that depth was left before all its moves were finished: then no depth was, and the
    /// value is the best among the moves that were.
    pub partial: bool,
    /// What a deeper search had found when it was stopped.
    pub deeper: Option<PartialIteration<M>>,
    /// The greatest depth in plies of a visited position.
    pub reached: u32,
    /// Positions visited by the search for the value, the root included.
    pub nodes: u64,
    /// Positions that this search had the heuristic judge, finished games without endings included.
    pub evals: u64,
    /// Positions visited again to find out whether an estimate could change the value.
    pub proof_nodes: u64,
    /// Whether a limit or the stop flag ended the search before it was done.
    pub stopped: bool,
    /// What else was counted; all 0 for algorithms that keep no account.
    pub stats: Stats,
    /// The best moves with their lines, the best first, where several were asked for.
    pub lines: Vec<ScoredLine<M>>,
    /// How far a mean over random games is to be believed.
    pub sample: Option<PlayoutSample>,
}

/// The best move of a depth that was not finished, on top of the last one that was.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialIteration<M> {
    /// In plies.
    pub depth: u32,
    /// The move with its line and what it is worth at that depth; of other moves of that depth
    /// nothing is known but that those finished are no better.
    pub line: ScoredLine<M>,
}

/// Random games that a value rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutSample {
    /// How many.
    pub games: u64,
    /// What the games came to, where each was played by itself.
    pub spread: Option<SampleMean>,
}

/// What random games that do not depend on each other came to, and how far their mean is to be
/// believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleMean {
    /// The standard error of the mean.
    pub standard_error: f64,
    /// Where the interval begins that holds the true mean in 95 of 100 samples.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Games that Max has won.
    pub wins: u64,
    /// Games that Min has won.
    pub losses: u64,
    /// Games given up for their length, and judged where they stood.
    pub unfinished: u64,
    /// Plies of a game in the mean, of players and of chance.
    pub mean_plies: f64,
}

/// A line of play and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredLine<M> {
    /// For Max.
    pub value: Score,
    /// Whether no estimate could change the value.
    pub exact: bool,
    /// From the position that was searched.
    pub moves: Vec<M>,
    /// Where it ends, as far as it is known.
    pub end: Option<LineEnd>,
}

/// What was counted in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions visited, the root and those behind the horizon included.
    pub nodes: u64,
    /// Positions judged by the heuristic.
    pub evals: u64,
    /// Positions behind the horizon, visited because the rules do not call it quiet.
    pub quiet_nodes: u64,
    /// Positions left before all moves were tried.
    pub cuts: u64,
    /// Those left after the first move.
    pub first_cuts: u64,
    /// Positions looked up in the table.
    pub probes: u64,
    /// Those found there.
    pub hits: u64,
    /// Those whose value was taken from there.
    pub table_cuts: u64,
    /// Moves searched again because they turned out better than expected.
    pub again: u64,
}

/// A depth that was searched to its end, on the way to deeper ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<M> {
    /// In plies.
    pub depth: u32,
    /// The greatest depth visited.
    pub reached: u32,
    /// Whether the value is exact already.
    pub exact: bool,
    /// What was counted since the search began.
    pub stats: Stats,
    /// The best moves with their lines, the best first.
    pub lines: Vec<ScoredLine<M>>,
}

impl<M> SearchResult<M> {
    /// Nothing found yet.
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

    /// The move to make: that of the deepest look, finished or not; else the best.
    pub fn choice(&self) -> Option<&M> {
        let deeper = self.deeper.as_ref().and_then(|deeper| deeper.line.moves.first());
        deeper.or(self.best.as_ref())
    }

    /// What a line says.
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

/// Where a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineEnd {
    /// The game is over and declares how it ended.
    Ended(GameResult),
    /// The game is over and declares no endings: the heuristic's number is exact.
    Numbered,
    /// A position came again, in a game where that is a draw.
    Repeated,
    /// At the horizon, with an estimate.
    Horizon,
    /// Where chance moves: how play goes on is open.
    Chance,
}

/// Who wins with best play from both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This side wins, or comes out ahead in numbers.
    Wins(Side),
    /// Nobody does.
    Draw,
}

impl<M> SearchResult<M> {
    /// The same with its moves called otherwise, line by line.
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

    /// Who wins with best play: by the sign of the value. `None` unless the value is exact, and none
    /// of an average.
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
    /// ends in an ending that the game declares, or in a repetition where that is a draw.
    pub fn plies(&self) -> Option<u32> {
        match self.end? {
            LineEnd::Ended(_) | LineEnd::Repeated if self.exact && !self.averaged => {
                Some(u32::try_from(self.line.len()).expect("a line is counted in plies of 32 bits"))
            }
            _ => None,
        }
    }
}

/// Why a search has no outcome: the game went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError<F, M> {
    /// The rules or the heuristic faulted.
    Fault {
        /// What the game said.
        fault: F,
        /// The moves from the root to the position that the game was asked about. For a move that
        /// could not be made, that is the position before it.
        line: Vec<M>,
    },
    /// A line of play is longer than the limits allow: play might never end.
    Endless {
        /// The moves from the root.
        line: Vec<M>,
    },
    /// A search without a depth limit met a position that already stood on its line, in a game that
    /// is not acyclic and does not say that a repetition is a draw: play might never end.
    Repetition {
        /// The moves from the root to the second coming of the position.
        line: Vec<M>,
    },
    /// Chance moves in a position that was searched by an algorithm for games without.
    Chance {
        /// The moves from the root to that position.
        line: Vec<M>,
    },
}

impl<F, M> SearchError<F, M> {
    /// The moves from the root.
    pub(super) fn line_mut(&mut self) -> &mut Vec<M> {
        match self {
            SearchError::Fault { line, .. }
            | SearchError::Endless { line }
            | SearchError::Repetition { line }
            | SearchError::Chance { line } => line,
        }
    }

    /// An error whose line was told from its end: from the root.
    pub(super) fn rooted(mut self) -> SearchError<F, M> {
        self.line_mut().reverse();
        self
    }
}

/// What a search of the game `G` gives, unless the game goes wrong.
pub type Searched<T, G> = Result<T, SearchError<<G as Game>::Fault, <G as Game>::Move>>;

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
