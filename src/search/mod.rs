//! Search: finds the value of a position, and the best move, by looking ahead.
//!
//! In: a game, a heuristic, a position, limits. Out: an outcome: value, whether it is exact, line
//! of best play, counts. Each algorithm is one file and one row of [`Algorithm`]; every one of them
//! agrees with minimax (`tests/agreement.rs`), and none recurses, for a line may be a million
//! plies long. Has never heard of terms, clauses or the language that rules are written in.

pub mod limits;
pub mod outcome;

mod line;
mod pass;
mod procedure;
mod proof;
mod repetition;
mod walk;

mod alphabeta;
mod f1;
mod f2;
mod f2g2;
mod minimax;
pub mod perft;

use crate::game::{Game, Heuristic};
use limits::{Limits, Meter};
use outcome::{Outcome, Searched};
use pass::Task;
use std::fmt;
use std::str::FromStr;

/// A way to search. All give the same value, the same answer to whether it is exact and the same
/// line; they differ in the positions they visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Visits every position down to the horizon.
    Minimax,
    /// Branch and bound: passes over what the bound of the parent shows not to matter.
    F1,
    /// Alpha-beta as published: passes over what the bounds of all ancestors show not to matter.
    F2,
    /// The same as a pair of procedures, one for either side.
    F2G2,
    /// Passes over what cannot change the value.
    AlphaBeta,
}

impl Algorithm {
    /// Every algorithm, the plainest first.
    pub const ALL: [Algorithm; 5] =
        [Algorithm::Minimax, Algorithm::F1, Algorithm::F2, Algorithm::F2G2, Algorithm::AlphaBeta];

    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::F1 => "f1",
            Algorithm::F2 => "f2",
            Algorithm::F2G2 => "f2g2",
            Algorithm::AlphaBeta => "alphabeta",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no algorithm has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm(pub String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Algorithm::ALL.map(Algorithm::name).join(", ");
        write!(f, "no algorithm is called `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Algorithm, UnknownAlgorithm> {
        let mut all = Algorithm::ALL.into_iter();
        all.find(|algorithm| algorithm.name() == name).ok_or_else(|| UnknownAlgorithm(name.to_string()))
    }
}

/// The value of `state` with best play from both sides, for Max, and how play then goes.
///
/// `limits.depth` plies ahead `heuristic` judges; without a depth the search goes on to the end of
/// the game. Errs when the rules or the heuristic fault, and when play might never end: without a
/// depth, in a game that is neither acyclic nor calls repetitions draws, a position that comes
/// again on one line is reported at once. Running out of `limits` is no error: the outcome says so.
/// A fault after the stop flag was set counts as the stop.
/// Memory grows with the length of one line, never with the number of positions.
pub fn run<G: Game, H: Heuristic<G>>(
    algorithm: Algorithm,
    game: &G,
    heuristic: &H,
    state: &G::State,
    limits: &Limits<'_>,
) -> Searched<Outcome<G::Move>, G> {
    let meter = Meter::new(limits);
    let task = Task { game, heuristic, root: state, depth: limits.depth, meter: &meter };
    match algorithm {
        Algorithm::Minimax => minimax::search(&task),
        Algorithm::F1 => f1::search(&task),
        Algorithm::F2 => f2::search(&task),
        Algorithm::F2G2 => f2g2::search(&task),
        Algorithm::AlphaBeta => alphabeta::search(&task),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Blank, Ending, Score, Side, Turn};
    use outcome::{LineEnd, SearchError};
    use perft::perft;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// What a game can be asked.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Question {
        Turn,
        Moves,
        Apply,
        Ending,
    }

    /// A corridor of `length` steps with Max alone in it, who wins at its far end.
    #[derive(Default)]
    struct Corridor<'a> {
        length: u32,
        /// From here, and only from here, Max may first of all go back to the door.
        way_back: Option<u32>,
        repetition_is_draw: bool,
        /// The question that goes wrong, and where.
        fault: Option<(Question, u32)>,
        /// Set before the fault.
        stop: Option<&'a AtomicBool>,
    }

    impl Corridor<'_> {
        fn ask(&self, question: Question, place: u32) -> Result<(), Question> {
            if self.fault != Some((question, place)) {
                return Ok(());
            }
            if let Some(stop) = self.stop {
                stop.store(true, Ordering::Relaxed);
            }
            Err(question)
        }
    }

    impl Game for Corridor<'_> {
        type State = u32;
        type Move = char;
        type Fault = Question;

        fn turn(&self, &place: &u32) -> Result<Turn, Question> {
            self.ask(Question::Turn, place)?;
            let over = place == self.length;
            Ok(if over { Turn::Over } else { Turn::Max })
        }

        fn moves(&self, &place: &u32, moves: &mut Vec<char>) -> Result<(), Question> {
            self.ask(Question::Moves, place)?;
            moves.extend((self.way_back == Some(place)).then_some('b'));
            moves.push('f');
            Ok(())
        }

        fn apply(&self, &place: &u32, &mv: &char) -> Result<u32, Question> {
            self.ask(Question::Apply, place)?;
            Ok(if mv == 'b' { 0 } else { place + 1 })
        }

        fn ending(&self, &place: &u32) -> Result<Option<Ending>, Question> {
            self.ask(Question::Ending, place)?;
            Ok(Some(Ending::Won(Side::Max)))
        }

        fn repetition_is_draw(&self) -> bool {
            self.repetition_is_draw
        }
    }

    /// Searches `corridor` from its door with every algorithm. There is one line to speak of, so
    /// all visit the same positions, except to prove what they found.
    fn search(corridor: &Corridor<'_>, limits: &Limits<'_>) -> Searched<Outcome<char>, Corridor<'static>> {
        let [first, rest @ ..] = Algorithm::ALL.map(|algorithm| {
            run(algorithm, corridor, &Blank, &0, limits).map(|outcome| Outcome { proof_nodes: 0, ..outcome })
        });
        for other in rest {
            assert_eq!(first, other);
        }
        first
    }

    /// The error of a search to the end.
    fn error(corridor: &Corridor<'_>) -> SearchError<Question, char> {
        search(corridor, &Limits::default()).expect_err("the corridor is broken")
    }

    #[test]
    fn a_million_plies_do_not_overflow_the_stack() {
        let length = 1_000_000;
        let corridor = Corridor { length, ..Corridor::default() };
        let outcome = search(&corridor, &Limits::default()).expect("it has an end");
        assert_eq!(outcome.value, Some(Score::Win { plies: length }));
        assert_eq!((outcome.exact, outcome.plies()), (true, Some(length)));
        assert_eq!(outcome.nodes, u64::from(length) + 1);
        let limits = Limits::to_depth(length - 1);
        let horizon = run(Algorithm::AlphaBeta, &corridor, &Blank, &0, &limits);
        assert_eq!(horizon.map(|outcome| outcome.proof_nodes), Ok(u64::from(length)));
        let counted = perft(&corridor, &0, length, None).expect("it has an end");
        assert_eq!(counted.paths, vec![1; length as usize]);
    }

    #[test]
    fn a_repetition_is_reported_with_the_moves_that_lead_to_it() {
        let corridor = Corridor { length: 9, way_back: Some(2), ..Corridor::default() };
        let line = vec!['f', 'f', 'b'];
        assert_eq!(error(&corridor), SearchError::Repetition { line });
    }

    #[test]
    fn a_declared_repetition_is_a_draw_and_a_win_is_better() {
        let corridor = Corridor { length: 4, way_back: Some(2), repetition_is_draw: true, ..Corridor::default() };
        let outcome = search(&corridor, &Limits::default()).expect("repetitions are draws");
        assert_eq!(outcome.value, Some(Score::Win { plies: 4 }));
        let shallow = search(&corridor, &Limits::to_depth(3)).expect("repetitions are draws");
        assert_eq!(shallow.end, Some(LineEnd::Repeated));
        assert!(!shallow.exact, "beyond the horizon there is a win");
    }

    #[test]
    fn a_fault_comes_with_the_moves_to_where_the_game_was_asked() {
        use Question::{Apply, Ending, Moves, Turn};
        for (question, place) in [(Turn, 0), (Turn, 3), (Moves, 2), (Apply, 0), (Apply, 2), (Ending, 4)] {
            let corridor = Corridor { length: 4, fault: Some((question, place)), ..Corridor::default() };
            let line = vec!['f'; place as usize];
            let fault = question;
            assert_eq!(error(&corridor), SearchError::Fault { fault, line });
        }
    }

    #[test]
    fn a_fault_after_the_stop_flag_is_the_stop() {
        let stop = AtomicBool::new(false);
        let corridor =
            Corridor { length: 4, fault: Some((Question::Moves, 2)), stop: Some(&stop), ..Corridor::default() };
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let outcome = run(Algorithm::Minimax, &corridor, &Blank, &0, &limits);
        let outcome = outcome.expect("the stop came first");
        assert_eq!((outcome.stopped, outcome.value, outcome.nodes), (true, None, 3));
    }

    #[test]
    fn a_flag_set_before_stops_at_once() {
        let stop = AtomicBool::new(true);
        let corridor = Corridor { length: 4, ..Corridor::default() };
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let outcome = search(&corridor, &limits).expect("nothing was asked");
        assert_eq!((outcome.stopped, outcome.nodes, outcome.best), (true, 0, None));
        let counted = perft(&corridor, &0, 4, Some(&stop));
        assert_eq!(counted.map(|counted| counted.stopped), Ok(true));
    }

    #[test]
    fn every_name_is_understood() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
        }
        let unknown = "maximin".parse::<Algorithm>().map_err(|error| error.to_string());
        let says = "no algorithm is called `maximin`; there are minimax, f1, f2, f2g2, alphabeta";
        assert_eq!(unknown, Err(says.to_string()));
    }
}
