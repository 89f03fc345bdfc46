//! Plays a match: two players against each other, from many openings.
//!
//! It takes the rules that judge, two players with their settings, and a number of games. It returns
//! every game as plain data, in the order of their numbers. Threads share the games, and each game
//! depends only on the seed and its number. Overlays and parameters of a player change its evaluation;
//! the judging rules decide which moves are legal.

use super::external::{EngineMove, EngineProcess, EngineTrouble};
use super::plan::{FollowedTree, with_plan};
use super::player::{MatchPlayer, think};
use super::{Failure, GameStart, Session, SessionResult};
use alphorn_lab::arena::alarm::{self, Alarm};
use alphorn_lab::arena::history::WithHistory;
use alphorn_lab::arena::opening::{TRIES, dice, draw};
use alphorn_lab::arena::{GameEnd, GameLine, PlayError, play};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::game::{Game, Side, ToMove};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{Iteration, SearchError, SearchResult};
use alphorn_search::search::{Algorithm, SearchSettings, TranspositionTable};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// The setup of a match.
pub struct MatchSetup<'a> {
    /// The players A and B.
    pub players: [MatchPlayer; 2],
    /// Where openings begin; any initial position if empty.
    pub start: &'a GameStart,
    /// The number of games: two from each opening. A is MAX in the first of the two.
    pub games: u32,
    /// The seed of the openings.
    pub seed: u64,
    /// The number of random moves in an opening.
    pub opening_plies: u32,
    /// The plies after which a game is given up.
    pub longest: u32,
    /// The number of games played at the same time.
    pub threads: usize,
}

/// The cost of a player's searches in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerCost {
    /// The number of searched moves.
    pub moves: u64,
    /// The sum of the finished depths.
    pub depths: u64,
    /// The number of visited positions.
    pub nodes: u64,
    /// Moves for which `--advice strict` had no table for this side, so a search found them.
    pub unadvised: u64,
}

/// The record of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The number of the game, from 1.
    pub number: u32,
    /// The player that was MAX: 0 for A.
    pub max: usize,
    /// The first position.
    pub start: String,
    /// The random moves of the opening.
    pub opening: Vec<String>,
    /// The moves of the players.
    pub moves: Vec<String>,
    /// The key of the position after the opening; equal positions have equal keys.
    pub key: u128,
    /// How the game ended.
    pub end: GameEnd,
    /// Why the loser forfeited the game, if an external engine did.
    pub forfeit: Option<String>,
    /// The search costs of A and B.
    pub thoughts: [PlayerCost; 2],
}

impl GameRecord {
    /// The number of moves, with those of the opening.
    pub fn plies(&self) -> u64 {
        (self.opening.len() + self.moves.len()) as u64
    }

    /// The name of the player who lost, or of B in a drawn game.
    pub fn loser(&self) -> &'static str {
        NAMES[usize::from(self.points() > 0.0)]
    }

    /// The points of A: 1 for a win, one half for a draw.
    pub fn points(&self) -> f64 {
        match self.end.winner() {
            None => 0.5,
            Some(side) => f64::from(u8::from((side == Side::Max) == (self.max == 0))),
        }
    }
}

/// The names of the players.
const NAMES: [&str; 2] = ["A", "B"];

/// The reason for a game without a record.
enum UnfinishedGame {
    Stopped,
    Failed(Failure),
    /// This side loses, because its external engine gave no legal move.
    Forfeited(Side, String),
}

impl From<Failure> for UnfinishedGame {
    fn from(failure: Failure) -> UnfinishedGame {
        UnfinishedGame::Failed(failure)
    }
}

/// The state that the workers share.
struct MatchState<'a> {
    contest: &'a MatchSetup<'a>,
    /// The next game to play, from 0.
    next: AtomicU32,
    /// The first game that failed. Later games are not needed.
    broken: AtomicU32,
}

/// The games of one worker: the judge, and the players' own games if they have their own rules.
struct WorkerGames<'a> {
    judge: RuleGame,
    own: [Option<RuleGame>; 2],
    starts: Vec<Position>,
    alarm: &'a Alarm,
    /// The external engines that run for the players.
    engines: [RefCell<Option<EngineProcess>>; 2],
}

impl Session {
    /// Plays a match. `tell` receives each game in the order of their numbers. Returns whether all games
    /// were played; games that the stop flag interrupts are not reported.
    pub fn contest(&self, contest: &MatchSetup<'_>, tell: &mut dyn FnMut(GameRecord)) -> SessionResult<bool> {
        let hall = MatchState { contest, next: AtomicU32::new(0), broken: AtomicU32::new(u32::MAX) };
        let count = contest.threads.clamp(1, contest.games.max(1) as usize);
        let alarms: Vec<Alarm> = (0..count).map(|_| Alarm::default()).collect();
        let done = AtomicBool::new(false);
        let mut waiting = BTreeMap::new();
        let mut number = 0;
        thread::scope(|scope| {
            scope.spawn(|| alarm::watch(&alarms, &self.stop, &done));
            let (send, receive) = mpsc::channel();
            for alarm in &alarms {
                let (hall, send) = (&hall, send.clone());
                scope.spawn(move || self.work(hall, alarm, &send));
            }
            drop(send);
            for (played, result) in receive {
                waiting.insert(played, result);
                while let Some(Ok(_)) = waiting.get(&number) {
                    if let Some(Ok(record)) = waiting.remove(&number) {
                        tell(record);
                    }
                    number += 1;
                }
            }
            done.store(true, Relaxed);
        });
        // The remaining games come after a missing one.
        for result in waiting.into_values() {
            match result {
                Ok(record) => tell(record),
                Err(UnfinishedGame::Failed(failure)) if !self.stop.load(Relaxed) => return Err(failure),
                Err(_) => {}
            }
        }
        Ok(number == contest.games)
    }

    /// Plays games until none is left.
    fn work(&self, hall: &MatchState<'_>, alarm: &Alarm, send: &Sender<(u32, Result<GameRecord, UnfinishedGame>)>) {
        let mut board = None;
        loop {
            let number = hall.next.fetch_add(1, Relaxed);
            if number >= hall.contest.games.min(hall.broken.load(Relaxed)) {
                return;
            }
            let played = self.at_board(&mut board, hall, alarm).and_then(|board| self.play_one(hall, number, board));
            if played.is_err() {
                hall.broken.fetch_min(number, Relaxed);
            }
            // The receiver exists until the last worker ends.
            let _ = send.send((number, played));
        }
    }

    /// The board of a worker, set up before its first game.
    fn at_board<'b, 'a>(
        &self,
        board: &'b mut Option<WorkerGames<'a>>,
        hall: &MatchState<'_>,
        alarm: &'a Alarm,
    ) -> Result<&'b WorkerGames<'a>, UnfinishedGame> {
        if board.is_none() {
            let game = |session: &Session| {
                RuleGame::new(session.rules.clone(), session.budgets.game, alarm.flag().clone())
                    .map_err(|fault| session.fault(&fault, &[]))
            };
            let judge = game(self)?;
            let start = hall.contest.start;
            let starts = match (&start.position, &start.at, &start.opening, &start.moves) {
                (None, None, None, None) => judge.openings().map_err(|fault| self.fault(&fault, &[]))?,
                _ => vec![self.position(&judge, start)?],
            };
            let [a, b] = &hall.contest.players;
            let own = [a.own.as_ref().map(game).transpose()?, b.own.as_ref().map(game).transpose()?];
            *board = Some(WorkerGames { judge, own, starts, alarm, engines: Default::default() });
        }
        Ok(board.as_ref().expect("it was just set up"))
    }

    fn play_one(
        &self,
        hall: &MatchState<'_>,
        number: u32,
        board: &WorkerGames<'_>,
    ) -> Result<GameRecord, UnfinishedGame> {
        let contest = hall.contest;
        let judge = &board.judge;
        let plies = contest.opening_plies as usize;
        let place = (contest.seed, u64::from(number / 2));
        let drawn = draw((judge, &RuleEval), &board.starts, plies, place)
            .map_err(|(fault, moves)| self.fault(&fault, &moves))?;
        let Some(mut line) = drawn else { return Err(self.without_opening(contest.opening_plies, board).into()) };
        let key = judge.key(line.last());
        let max = (number % 2) as usize;
        // New tables for each game, so that no game depends on an earlier one.
        let table = |player: &MatchPlayer| player.algorithm.keeps_table().then(|| self.table(player.hash)).transpose();
        let tables = [table(&contest.players[0])?, table(&contest.players[1])?];
        let mut thoughts = [PlayerCost::default(); 2];
        let mut held = [FollowedTree::default(), FollowedTree::default()];
        let mut choose = |side: Side, line: &GameLine<RuleGame>| {
            if self.stop.load(Relaxed) || hall.broken.load(Relaxed) < number {
                return Err(UnfinishedGame::Stopped);
            }
            let who = if side == Side::Max { max } else { 1 - max };
            if let Some(engine) = &contest.players[who].engine {
                let stopped = || self.stop.load(Relaxed) || hall.broken.load(Relaxed) < number;
                let running = &mut board.engines[who].borrow_mut();
                let chosen =
                    self.engine_move((&contest.players[who], engine), running, judge, (number, line), &stopped);
                return match chosen {
                    Ok(EngineMove { mv, depth, nodes }) => {
                        let cost = &mut thoughts[who];
                        (cost.moves, cost.depths, cost.nodes) =
                            (cost.moves + 1, cost.depths + depth, cost.nodes + nodes);
                        Ok(mv)
                    }
                    Err(EngineTrouble::Stopped) => Err(UnfinishedGame::Stopped),
                    Err(EngineTrouble::Forfeit(reason)) => Err(UnfinishedGame::Forfeited(side, reason)),
                };
            }
            let chosen = self.choose(
                contest,
                board,
                who,
                side,
                line,
                tables[who].as_ref(),
                (&mut thoughts[who], &mut held[who]),
            );
            match chosen {
                // The result of an interrupted search is not the player's choice.
                _ if self.stop.load(Relaxed) => Err(UnfinishedGame::Stopped),
                Ok(mv) => Ok(mv),
                Err(failure) => Err(with_match_context(failure, &thinking(number, max, who)).into()),
            }
        };
        // Both games of a pair use the same random numbers for chance.
        let mut dice = dice(contest.seed, u64::from(number / 2));
        let end = play(judge, &RuleEval, &mut line, contest.longest as usize, &mut dice, &mut choose);
        let (end, forfeit) = match end {
            Err(PlayError::Player(UnfinishedGame::Forfeited(side, reason))) => {
                (Ok(GameEnd::Over(Some(side.other()))), Some(reason))
            }
            end => (end, None),
        };
        let end = end.map_err(|trouble| match trouble {
            PlayError::Player(broken) => broken,
            PlayError::Fault(fault) => self.fault(&fault, &line.moves).into(),
            PlayError::Illegal(side, mv) => {
                let who = if side == Side::Max { max } else { 1 - max };
                self.illegal(who, &mv, &line, &thinking(number, max, who)).into()
            }
        })?;
        let start = &line.before().first().unwrap_or(line.last());
        let mut opening = self.labels(judge, start, &line.moves);
        let moves = opening.split_off(plies);
        let start = self.position_text(judge, start)?;
        Ok(GameRecord { number: number + 1, max, start, opening, moves, key, end, forfeit, thoughts })
    }

    /// The move that a player chooses.
    #[allow(clippy::too_many_arguments)]
    fn choose(
        &self,
        contest: &MatchSetup<'_>,
        board: &WorkerGames<'_>,
        who: usize,
        side: Side,
        line: &GameLine<RuleGame>,
        table: Option<&TranspositionTable>,
        (thought, held): (&mut PlayerCost, &mut FollowedTree),
    ) -> SessionResult<RuleMove> {
        let player = &contest.players[who];
        let (session, game) = (player.own.as_ref().unwrap_or(self), board.own[who].as_ref().unwrap_or(&board.judge));
        let state = line.last();
        let fault = |fault: RuleFault, more: &[RuleMove]| session.fault(&fault, &[&line.moves, more].concat());
        let turn = game.to_move(state).map_err(|wrong| fault(wrong, &[]))?;
        if turn.side() != Some(side) {
            return Err(self.other_turn(who, side, turn, line));
        }
        session.check_algorithm(game, player.algorithm, &player.backup)?;
        let past = WithHistory::new(game, line);
        let depth = Cell::new(None);
        let report = |found: &Iteration<RuleMove>| depth.set(Some(found.depth));
        let settings = SearchSettings { table, report: Some(&report), ..player.settings() };
        let limits = player.limits(board.alarm);
        let find = |from: &Position, limits: &Limits<'_>, _: bool| {
            think(player, &past, from, limits, &settings, &|error| match error {
                SearchError::Fault { fault: wrong, line } => fault(wrong, &line),
                error => session.search_error(game, state, error),
            })
        };
        thought.moves += 1;
        let outcome = board.alarm.within(player.time, &self.stop, || {
            let planned = session.planned(game, state, side, player.advice, held)?;
            thought.unadvised += u64::from(player.advice == AdviceLevel::Strict && planned.is_none());
            let margin = match player.advice {
                AdviceLevel::Strict if planned.is_some() => {
                    return Ok(SearchResult { best: planned, ..SearchResult::none() });
                }
                AdviceLevel::Plan(margin) => margin,
                _ => None,
            };
            let (outcome, stands) = with_plan(&find, (state, side), planned, margin, &limits)?;
            if !stands {
                *held = FollowedTree::default();
            }
            Ok(outcome)
        })?;
        thought.nodes += outcome.nodes;
        // Only `auto` reports finished depths.
        let seen = player.depth.unwrap_or(u32::MAX).min(outcome.reached);
        let finished = if player.algorithm == Algorithm::Auto || outcome.partial { 0 } else { seen };
        thought.depths += u64::from(depth.get().unwrap_or(finished));
        if let Some(best) = outcome.choice() {
            return Ok(best.clone());
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves).map_err(|wrong| fault(wrong, &[]))?;
        Ok(moves.swap_remove(0))
    }

    fn without_opening(&self, plies: u32, board: &WorkerGames<'_>) -> Failure {
        if board.starts.iter().all(|start| matches!(board.judge.to_move(start), Ok(ToMove::Over))) {
            let problem =
                Problem::placeless(Code::UnplayableMatch, "the game is over in the first position of the match")
                    .help("begin with a position that has a legal move: --position TERM, --at TEXT, or fewer --moves");
            return Failure::Problem(Box::new(problem), self.rules.program.sources.clone());
        }
        let plies = plural(plies.into(), "random ply", "random plies");
        let message = format!("none of {TRIES} openings of {plies} leads to a position with a legal move");
        let problem = Problem::placeless(Code::UnplayableMatch, message)
            .help("take shorter openings, such as --opening-plies 0, or begin with another position: --position TERM");
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }

    fn illegal(&self, who: usize, mv: &RuleMove, line: &GameLine<RuleGame>, when: &str) -> Failure {
        let message = format!("{} plays {}, which is not legal", NAMES[who], self.term_text(mv.label()));
        let leads = format!("the move leads to {}", self.term_text(&mv.next.0));
        with_match_context(self.differing(&message, &leads, line), when)
    }

    fn other_turn(&self, who: usize, side: Side, turn: ToMove, line: &GameLine<RuleGame>) -> Failure {
        let own = match turn {
            ToMove::Over => "the game is over",
            ToMove::Chance => "chance moves",
            ToMove::Max => "MAX moves",
            ToMove::Min => "MIN moves",
        };
        let message = format!("by the rules of {} {own}, but {} is to move", NAMES[who], side.name());
        self.differing(&message, "", line)
    }

    /// The failure for a player's rules that disagree with the judging rules.
    fn differing(&self, message: &str, more: &str, line: &GameLine<RuleGame>) -> Failure {
        let place = format!("in the position {}", self.term_text(&line.last().0));
        let moves = match line.moves.as_slice() {
            [] => String::new(),
            moves => {
                let words: Vec<String> = moves.iter().map(|mv| self.term_text(mv.label())).collect();
                format!("\nafter the moves {}", words.join(" "))
            }
        };
        let more = if more.is_empty() { String::new() } else { format!("\n{more}") };
        let problem = Problem::placeless(Code::UnplayableMatch, message).help(format!(
            "{place}{moves}{more}\n--with and -p of a side may only change its evaluation; to change the game \
             for both sides, type: alphorn match FILE -p NAME=VALUE"
        ));
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }
}

fn thinking(number: u32, max: usize, who: usize) -> String {
    format!("in game {} of the match, with {} as MAX, where {} moves", number + 1, NAMES[max], NAMES[who])
}

/// Adds to a failure where in the match it happened.
fn with_match_context(failure: Failure, when: &str) -> Failure {
    match failure {
        Failure::Problem(mut problem, sources) => {
            let help = problem.help.take().map(|help| format!("\n{help}")).unwrap_or_default();
            problem.help = Some(format!("{when}{help}"));
            Failure::Problem(problem, sources)
        }
        failure => failure,
    }
}
