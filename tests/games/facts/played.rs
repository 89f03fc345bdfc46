//! A shipped game for tests, and a walk through its positions without a search.
//!
//! It gives the positions of each ply, with equal positions merged and the number of lines to each; the
//! winner by the definition; and the leaves that alpha-beta search visits.

use alphorn::game::{Game, GameResult, Heuristic, Score, Side, ToMove};
use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::rules::evaluation::RuleEval;
use alphorn::rules::fault::{RuleFault, text};
use alphorn::rules::game::RuleGame;
use alphorn::rules::position::Position;
use alphorn::search::limits::Limits;
use alphorn::search::result::SearchResult;
use alphorn::search::{Algorithm, run};
use alphorn::session::query::QueryOptions;
use alphorn::session::solve::{self, SolvedGame};
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::solve::{Method, SolveTask, retrograde};
use alphorn::source::Source;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

pub(super) struct Played {
    pub(super) session: Session,
    pub(super) game: RuleGame,
}

/// A shipped game with parameters, written `width=4 height=3`; `-` means none.
pub(super) fn open(name: &str, params: &str) -> Played {
    let path = format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"));
    let source = Source::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let pairs = params.split_whitespace().filter_map(|pair| pair.split_once('='));
    let options = ProgramOptions {
        settings: pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        ..ProgramOptions::default()
    };
    let opened =
        Session::open(&[source], &[], &options, Expected::Either, Budgets::new(None, None), Default::default());
    let session = opened.unwrap_or_else(|failure| panic!("{name} {params} does not load: {failure:?}"));
    let game = session.game().unwrap_or_else(|failure| panic!("{name} {params}: {failure:?}"));
    Played { session, game }
}

impl Played {
    pub(super) fn at(&self, start: &GameStart) -> Position {
        self.session.position(&self.game, start).unwrap_or_else(|failure| panic!("{start:?}: {failure:?}"))
    }

    pub(super) fn opening(&self, number: usize) -> Position {
        self.at(&GameStart { opening: Some(number), ..GameStart::default() })
    }

    pub(super) fn fen(&self, fen: &str) -> Position {
        self.at(&GameStart { at: Some(fen.to_string()), ..GameStart::default() })
    }

    pub(super) fn perft(&self, state: &Position, depth: u32) -> Vec<u64> {
        let mut paths =
            self.session.perft(&self.game, state, depth).unwrap_or_else(|failure| panic!("{failure:?}")).paths;
        paths.resize(depth as usize, 0);
        paths
    }

    pub(super) fn value(&self, state: &Position, algorithm: Algorithm) -> SearchResult<String> {
        let valued = self
            .session
            .value(&self.game, state, &algorithm.into(), &Limits::default())
            .unwrap_or_else(|failure| panic!("{failure:?}"));
        assert!(valued.outcome.exact, "a search to the end of the game is exact");
        valued.outcome
    }

    /// A position solved by a method that stores positions.
    pub(super) fn solved(&self, start: &GameStart, method: Method, all: bool) -> SolvedGame {
        let limits = Limits::default();
        let asking = solve::SolveOptions { method, all, save: None, proof: None, accuracy: 1e-12, limits: &limits };
        self.session.solve(&self.game, start, &asking).unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    /// The winner with best play after moves from the first opening.
    pub(super) fn winner_after(&self, moves: &str, method: Method) -> Option<Side> {
        let start = GameStart { moves: Some(moves.to_string()), ..GameStart::default() };
        self.solved(&start, method, false).score.and_then(solve::score_winner)
    }

    /// The number of reachable positions, and how many of them the player to move wins, loses and draws. If
    /// the game is over, the player who would be to move counts.
    pub(super) fn census(&self) -> [u64; 4] {
        let limits = Limits::default();
        let task = SolveTask::new(&self.game, &RuleEval, &limits, 1 << 30);
        let solution = retrograde::solve(&task, &[self.opening(1)]).unwrap_or_else(|error| panic!("{error:?}"));
        let mut counts = [0; 4];
        for (state, known) in solution.values() {
            let max_moves = self.game.sides(state).unwrap_or_else(|fault| panic!("{fault:?}")).0 == Some(true);
            let side = if max_moves { Side::Max } else { Side::Min };
            let at = solve::score_winner(known.score).map_or(3, |winner| if winner == side { 1 } else { 2 });
            counts[0] += 1;
            counts[at] += 1;
        }
        counts
    }

    /// The legal moves: labels with the positions after the moves; empty if the game is over.
    pub(super) fn moves(&self, state: &Position) -> Vec<(String, Position)> {
        if self.turn(state) == ToMove::Over {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves).unwrap_or_else(|fault| panic!("{fault:?}"));
        let ops = &self.game.rules.program.ops;
        moves.into_iter().map(|mv| (text(mv.label(), ops, usize::MAX), mv.next)).collect()
    }

    pub(super) fn turn(&self, state: &Position) -> ToMove {
        self.game.to_move(state).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    pub(super) fn ending(&self, state: &Position) -> Option<GameResult> {
        self.game.result(state).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    /// The number N that a goal computes.
    pub(super) fn count(&self, goal: &str) -> String {
        let asking = QueryOptions { limit: 1, canonical: false, keep: true };
        let answers =
            self.session.query(goal, asking, None, &mut |_, _, _| true).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert!(answers.error.is_none(), "{goal}: {:?}", answers.error);
        let counted = answers.answers[0].iter().find(|(name, _)| name == "N");
        counted.unwrap_or_else(|| panic!("{goal} has no N")).1.clone()
    }
}

// The walk without a search: the positions of one ply, with equal positions merged and the number of lines to
// each.

#[derive(Default)]
pub(super) struct Ply {
    pub(super) paths: u64,
    pub(super) distinct: u64,
    /// The number of lines to finished games.
    pub(super) over: u64,
    /// The number of lines to wins of MAX, wins of MIN, draws.
    pub(super) results: [u64; 3],
}

pub(super) struct Walked {
    pub(super) plies: Vec<Ply>,
    pub(super) seen: HashSet<Position>,
    /// The number of finished positions: wins of MAX, wins of MIN, draws.
    pub(super) finished: [u64; 3],
}

pub(super) fn result(ending: Option<GameResult>) -> usize {
    match ending {
        Some(GameResult::Won(Side::Max)) => 0,
        Some(GameResult::Won(Side::Min)) => 1,
        Some(GameResult::Points(points)) if points > 0.0 => 0,
        Some(GameResult::Points(points)) if points < 0.0 => 1,
        _ => 2,
    }
}

/// Walks to a depth; ply 0 is the start.
pub(super) fn walk(played: &Played, start: Position, depth: usize) -> Walked {
    let mut walked = Walked { plies: Vec::new(), seen: HashSet::new(), finished: [0; 3] };
    let mut layer = HashMap::from([(start, 1u64)]);
    while !layer.is_empty() && walked.plies.len() <= depth {
        let last = walked.plies.len() == depth;
        let mut ply = Ply::default();
        let mut next: HashMap<Position, u64> = HashMap::new();
        for (state, paths) in layer {
            ply.paths += paths;
            ply.distinct += 1;
            let new = walked.seen.insert(state.clone());
            if played.turn(&state) == ToMove::Over {
                let result = result(played.ending(&state));
                ply.over += paths;
                ply.results[result] += paths;
                walked.finished[result] += u64::from(new);
            } else if !last {
                for (_, after) in played.moves(&state) {
                    *next.entry(after).or_default() += paths;
                }
            }
        }
        walked.plies.push(ply);
        layer = next;
    }
    walked
}

/// The winner of a game without draws, by the definition.
pub(super) fn winner(played: &Played, state: &Position, known: &mut HashMap<Position, Side>) -> Side {
    if let Some(side) = known.get(state) {
        return *side;
    }
    let mover = match played.turn(state) {
        ToMove::Max => Some(Side::Max),
        ToMove::Min => Some(Side::Min),
        ToMove::Chance | ToMove::Over => None,
    };
    let side = match mover {
        None => match played.ending(state) {
            Some(GameResult::Won(side)) => side,
            ending => panic!("the game ends in {ending:?}"),
        },
        Some(mover) => {
            let other = if mover == Side::Max { Side::Min } else { Side::Max };
            let wins = played.moves(state).iter().any(|(_, next)| winner(played, next, known) == mover);
            if wins { mover } else { other }
        }
    };
    known.insert(state.clone(), side);
    side
}

/// An evaluation that records the positions for which it is called, as text.
struct Recording(RefCell<Vec<String>>);

impl Heuristic<RuleGame> for Recording {
    fn evaluate(&self, game: &RuleGame, state: &Position) -> Result<f64, RuleFault> {
        let name = text(&state.0, &game.rules.program.ops, usize::MAX);
        self.0.borrow_mut().push(name);
        RuleEval.evaluate(game, state)
    }
}

/// The leaves that alpha-beta search evaluates, in its order, and the value.
pub(super) fn leaves(played: &Played) -> (Vec<String>, Option<Score>) {
    let recording = Recording(RefCell::default());
    let found = run(Algorithm::AlphaBeta, &played.game, &recording, &played.opening(1), &Limits::default());
    let found = found.unwrap_or_else(|error| panic!("{error:?}"));
    (recording.0.into_inner(), found.value)
}
