//! Plays a match or a tournament: players against each other, from many openings.
//!
//! It takes the rules that judge, players with their settings, and a schedule. It returns every game as plain
//! data, in the order of their numbers. The two players of a game are called A and B. Threads share the games, and each game
//! depends only on the seed and its number. Overlays and parameters of a player change its evaluation;
//! the judging rules decide which moves are legal.

use super::clocks::{MatchClocks, MoveTime};
use super::database::Database;
use super::external::{EngineError, EngineMove, EngineProcess};
use super::game_record::{GameRecord, MoveSearch, PlayerCost};
use super::match_faults::{GamePlayers, with_match_context};
use super::openings::{MatchOpenings, OpeningBook};
use super::plan::FollowedTree;
use super::player::{MatchPlayer, think};
use super::schedule::{Schedule, ScheduledGame};
use super::solve::score_winner;
use super::{Failure, Session, SessionResult};
use alphorn_lab::arena::alarm::{self, Alarm};
use alphorn_lab::arena::history::WithHistory;
use alphorn_lab::arena::opening::dice;
use alphorn_lab::arena::{Decision, GameEnd, GameLine, PlayError, play};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, Side};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{Iteration, SearchError};
use alphorn_search::search::{Algorithm, SearchSettings, TranspositionTable};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// The setup of a match or a tournament.
pub struct MatchSetup<'a> {
    /// The name of the command, for messages: `match`, `tournament` or `tune`.
    pub command: &'static str,
    /// The players.
    pub players: Vec<MatchPlayer>,
    /// Who plays which game, and from which opening.
    pub schedule: Schedule,
    /// The openings.
    pub openings: MatchOpenings<'a>,
    /// The number of games that are already played, from the first.
    pub played: u32,
    /// The number of games.
    pub games: u32,
    /// The plies after the opening after which a game is given up.
    pub longest: u32,
    /// The values of a solved game. A game ends in a position whose value is known.
    pub known: Option<Database>,
    /// The number of games played at the same time.
    pub threads: usize,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// All games were played.
    Games,
    /// The receiver of the games wanted no more.
    Decided,
    /// There are no more openings.
    Openings,
    /// The stop flag was set.
    Interrupted,
}

/// The reason for a game without a record.
enum UnfinishedGame {
    Stopped,
    WithoutOpening,
    Failed(Failure),
    /// This side loses, because its external engine gave no legal move or its time was over.
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
    /// Whether no game is needed any more.
    over: AtomicBool,
    book: Mutex<OpeningBook<'a>>,
}

/// What a player keeps during a game.
#[derive(Default)]
struct GameMemory {
    cost: PlayerCost,
    tree: FollowedTree,
}

/// The games of one worker: the judge, and the players' own games if they have their own rules.
struct WorkerGames<'a> {
    judge: RuleGame,
    own: Vec<Option<RuleGame>>,
    starts: Vec<Position>,
    alarm: &'a Alarm,
    /// The external engines that run for the players.
    engines: Vec<RefCell<Option<EngineProcess>>>,
}

/// A game that is being played.
struct CurrentGame<'a> {
    /// The number of the game, from 0.
    number: u32,
    place: ScheduledGame,
    /// The number of moves of the opening.
    plies: usize,
    /// A and B, with their names, tables and memories.
    players: [&'a MatchPlayer; 2],
    names: GamePlayers<'a>,
    tables: [Option<TranspositionTable>; 2],
    memories: [GameMemory; 2],
    clocks: MatchClocks,
    /// The searches after the opening, so far.
    searches: Vec<Option<MoveSearch>>,
}

impl CurrentGame<'_> {
    /// The place of the player who moves for a side: 0 for A, 1 for B.
    fn seat(&self, side: Side) -> usize {
        if side == Side::Max { self.place.max } else { 1 - self.place.max }
    }

    /// The decision for a move, whose search began at this time. The player may have lost on time.
    fn made(
        &mut self,
        side: Side,
        begun: Instant,
        mv: RuleMove,
        search: MoveSearch,
    ) -> Result<Decision<RuleMove>, UnfinishedGame> {
        let time = begun.elapsed();
        if let Some(reason) = self.clocks.spend(self.seat(side), time) {
            return Err(UnfinishedGame::Forfeited(side, reason));
        }
        self.searches.push(Some(MoveSearch { seconds: time.as_secs_f64(), ..search }));
        Ok(Decision::Move(mv))
    }
}

impl Session {
    /// Plays a match or a tournament. `tell` receives each game in the order of their numbers, and says whether the match
    /// goes on; games that the stop flag interrupts are not reported.
    pub fn contest(
        &self,
        contest: &MatchSetup<'_>,
        tell: &mut dyn FnMut(GameRecord) -> ControlFlow<()>,
    ) -> SessionResult<MatchEnd> {
        let shared = MatchState {
            contest,
            next: AtomicU32::new(contest.played),
            broken: AtomicU32::new(u32::MAX),
            over: AtomicBool::new(false),
            book: Mutex::new(OpeningBook::new(&contest.openings, contest.schedule.games_of_opening())),
        };
        let count = contest.threads.clamp(1, contest.games.max(1) as usize);
        let alarms: Vec<Alarm> = (0..count).map(|_| Alarm::default()).collect();
        let done = AtomicBool::new(false);
        let mut waiting = BTreeMap::new();
        let mut number = contest.played;
        thread::scope(|scope| {
            scope.spawn(|| alarm::watch(&alarms, [&self.stop, &shared.over], &done));
            let (send, receive) = mpsc::channel();
            for alarm in &alarms {
                let (shared, send) = (&shared, send.clone());
                scope.spawn(move || self.work(shared, alarm, &send));
            }
            drop(send);
            for (played, result) in receive {
                waiting.insert(played, result);
                while let (Some(Ok(_)), false) = (waiting.get(&number), shared.over.load(Relaxed)) {
                    if let Some(Ok(record)) = waiting.remove(&number) {
                        shared.over.store(tell(record).is_break(), Relaxed);
                    }
                    number += 1;
                }
            }
            done.store(true, Relaxed);
        });
        if shared.over.load(Relaxed) {
            return Ok(MatchEnd::Decided);
        }
        // The first game that is missing says why.
        match waiting.remove(&number) {
            Some(Err(UnfinishedGame::Failed(failure))) if !self.stop.load(Relaxed) => Err(failure),
            Some(Err(UnfinishedGame::WithoutOpening)) => {
                let book = shared.book.into_inner().unwrap_or_else(PoisonError::into_inner);
                match book.failure {
                    Some(failure) if !self.stop.load(Relaxed) => Err(failure),
                    Some(_) => Ok(MatchEnd::Interrupted),
                    None => Ok(MatchEnd::Openings),
                }
            }
            _ if number >= contest.games => Ok(MatchEnd::Games),
            _ => Ok(MatchEnd::Interrupted),
        }
    }

    /// Plays games until none is left.
    fn work(&self, shared: &MatchState<'_>, alarm: &Alarm, send: &Sender<(u32, Result<GameRecord, UnfinishedGame>)>) {
        let mut worker = None;
        loop {
            let number = shared.next.fetch_add(1, Relaxed);
            if number >= shared.contest.games.min(shared.broken.load(Relaxed)) {
                return;
            }
            let played = self
                .games_of_worker(&mut worker, shared, alarm)
                .and_then(|worker| self.play_one(shared, number, worker));
            if played.is_err() {
                shared.broken.fetch_min(number, Relaxed);
            }
            // The receiver exists until the last worker ends.
            let _ = send.send((number, played));
        }
    }

    /// The games of a worker, set up before its first game.
    fn games_of_worker<'w, 'a>(
        &self,
        worker: &'w mut Option<WorkerGames<'a>>,
        shared: &MatchState<'_>,
        alarm: &'a Alarm,
    ) -> Result<&'w WorkerGames<'a>, UnfinishedGame> {
        if worker.is_none() {
            let game = |session: &Session| {
                RuleGame::new(session.rules.clone(), session.budgets.game, alarm.flag().clone())
                    .map_err(|fault| session.fault(&fault, &[]))
            };
            let judge = game(self)?;
            let start = shared.contest.openings.start;
            let starts = match (&start.position, &start.at, &start.opening, &start.moves) {
                (None, None, None, None) => judge.openings().map_err(|fault| self.fault(&fault, &[]))?,
                _ => vec![self.position(&judge, start)?],
            };
            let players = &shared.contest.players;
            let own = players.iter().map(|player| player.own.as_ref().map(game).transpose());
            let own = own.collect::<SessionResult<_>>()?;
            let engines = players.iter().map(|_| RefCell::default()).collect();
            *worker = Some(WorkerGames { judge, own, starts, alarm, engines });
        }
        Ok(worker.as_ref().expect("it was just set up"))
    }

    fn play_one(
        &self,
        shared: &MatchState<'_>,
        number: u32,
        worker: &WorkerGames<'_>,
    ) -> Result<GameRecord, UnfinishedGame> {
        let contest = shared.contest;
        let judge = &worker.judge;
        let place = contest.schedule.game(number);
        let found = {
            let mut book = shared.book.lock().unwrap_or_else(PoisonError::into_inner);
            book.opening(self, (judge, &worker.starts), place.opening, worker.alarm.flag())
        };
        let Some(mut line) = found else { return Err(UnfinishedGame::WithoutOpening) };
        let plies = line.moves.len();
        let key = self.lasting_key(line.last());
        let max = place.max;
        let players = place.sides.map(|at| &contest.players[at]);
        let names = GamePlayers { command: contest.command, names: players.map(|player| player.name.as_str()) };
        // New tables for each game, so that no game depends on an earlier one.
        let table = |player: &MatchPlayer| player.algorithm.keeps_table().then(|| self.table(player.hash)).transpose();
        let tables = [table(players[0])?, table(players[1])?];
        let memories = Default::default();
        let clocks = MatchClocks::new(players, (self, judge), line.last(), worker.alarm.flag());
        let mut game =
            CurrentGame { number, place, plies, players, names, tables, memories, clocks, searches: Vec::new() };
        let mut choose =
            |side: Side, line: &GameLine<RuleGame>| self.next_decision(shared, worker, &mut game, side, line);
        // All games of an opening use the same random numbers for chance.
        let mut dice = dice(contest.openings.seed, u64::from(place.opening));
        let end = play(judge, &RuleEval, &mut line, plies + contest.longest as usize, &mut dice, &mut choose);
        let (end, forfeit) = match end {
            Err(PlayError::Player(UnfinishedGame::Forfeited(side, reason))) => {
                (Ok(GameEnd::Over(Some(side.other()))), Some(reason))
            }
            end => (end, None),
        };
        let end = end.map_err(|error| match error {
            PlayError::Player(broken) => broken,
            PlayError::Fault(fault) => self.fault(&fault, &line.moves).into(),
            PlayError::Illegal(side, mv) => {
                let who = game.seat(side);
                let when = game.names.thinking(number, max, who);
                self.illegal((&game.names, who), &mv, &line, &when).into()
            }
        })?;
        let start = &line.before().first().unwrap_or(line.last());
        let mut opening = self.labels(judge, start, &line.moves);
        let moves = opening.split_off(plies);
        let start = self.position_text(judge, start)?;
        let mut searches = game.searches;
        searches.resize(moves.len(), None);
        let costs = game.memories.map(|memory| memory.cost);
        Ok(GameRecord { number: number + 1, max, start, opening, moves, key, end, searches, forfeit, costs })
    }

    /// The decision of the player who is to move.
    fn next_decision(
        &self,
        shared: &MatchState<'_>,
        worker: &WorkerGames<'_>,
        game: &mut CurrentGame<'_>,
        side: Side,
        line: &GameLine<RuleGame>,
    ) -> Result<Decision<RuleMove>, UnfinishedGame> {
        let stopped = || self.stop.load(Relaxed) || shared.over.load(Relaxed);
        let unwanted = || stopped() || shared.broken.load(Relaxed) < game.number;
        if unwanted() {
            return Err(UnfinishedGame::Stopped);
        }
        let judge = &worker.judge;
        if let Some(winner) = self.known_winner(shared.contest.known.as_ref(), judge, line.last())? {
            return Ok(Decision::End(GameEnd::Adjudicated(winner)));
        }
        let who = game.seat(side);
        let (player, at) = (game.players[who], game.place.sides[who]);
        // Chance moves have no search.
        game.searches.resize(line.moves.len() - game.plies, None);
        let begun = Instant::now();
        let max = game.place.max;
        if let Some(engine) = &player.engine {
            let running = &mut worker.engines[at].borrow_mut();
            let EngineMove { mv, depth, nodes } = match self.engine_move(
                (player, engine),
                running,
                judge,
                (game.number, line),
                (&game.clocks, who, max),
                &unwanted,
            ) {
                Ok(found) => found,
                // An interrupt may end the engine, too.
                Err(_) if unwanted() => return Err(UnfinishedGame::Stopped),
                Err(EngineError::Stopped) => return Err(UnfinishedGame::Stopped),
                Err(EngineError::Forfeit(reason) | EngineError::Unfit(reason)) => {
                    return Err(UnfinishedGame::Forfeited(side, reason));
                }
            };
            let cost = &mut game.memories[who].cost;
            (cost.moves, cost.depths, cost.nodes) = (cost.moves + 1, cost.depths + depth, cost.nodes + nodes);
            return game.made(side, begun, mv, MoveSearch { value: None, nodes, seconds: 0.0 });
        }
        let (own, table) = (worker.own[at].as_ref(), game.tables[who].as_ref());
        let memory = &mut game.memories[who];
        let time = game.clocks.time(who, player, line.moves.len() - game.plies);
        match self.choose((player, own, time), (worker, &game.names), side, line, table, memory) {
            // The result of an interrupted search is not the player's choice.
            _ if stopped() => Err(UnfinishedGame::Stopped),
            Ok((mv, search)) => game.made(side, begun, mv, search),
            Err(failure) => {
                let when = game.names.thinking(game.number, game.place.max, who);
                Err(with_match_context(failure, &when).into())
            }
        }
    }

    /// Who wins in this position by the values of the solved game; `None` if its value is not known.
    fn known_winner(
        &self,
        known: Option<&Database>,
        judge: &RuleGame,
        state: &Position,
    ) -> SessionResult<Option<Option<Side>>> {
        let Some(known) = known else { return Ok(None) };
        let canonical = judge.canonical(state).map_err(|fault| self.fault(&fault, &[]))?;
        Ok(known.known(self, &canonical)?.map(|value| score_winner(value.score)))
    }

    /// The move that a player chooses.
    fn choose(
        &self,
        (player, own, time): (&MatchPlayer, Option<&RuleGame>, MoveTime),
        (worker, names): (&WorkerGames<'_>, &GamePlayers<'_>),
        side: Side,
        line: &GameLine<RuleGame>,
        table: Option<&TranspositionTable>,
        memory: &mut GameMemory,
    ) -> SessionResult<(RuleMove, MoveSearch)> {
        let (session, game) = (player.own.as_ref().unwrap_or(self), own.unwrap_or(&worker.judge));
        let state = line.last();
        let fault = |fault: RuleFault, more: &[RuleMove]| session.fault(&fault, &[&line.moves, more].concat());
        let turn = game.to_move(state).map_err(|wrong| fault(wrong, &[]))?;
        if turn.side() != Some(side) {
            return Err(self.other_turn((names, &player.name), side, turn, line));
        }
        session.check_algorithm(game, player.algorithm, &player.backup)?;
        let past = WithHistory::new(game, line);
        let depth = Cell::new(None);
        let begun = Instant::now();
        let report = |found: &Iteration<RuleMove>| {
            depth.set(Some(found.depth));
            if time.enough.is_some_and(|enough| begun.elapsed() >= enough) {
                worker.alarm.flag().store(true, Relaxed);
            }
        };
        let seed = player.shuffle.map(|seed| seed.wrapping_add(self.lasting_key(state) as u64)).or(player.seed);
        let settings = SearchSettings { table, report: Some(&report), seed, ..player.settings() };
        let limits = player.limits(worker.alarm);
        let find = |from: &Position, limits: &Limits<'_>, _: bool| {
            think(player, &past, from, limits, &settings, &|error| match error {
                SearchError::Fault { fault: wrong, line } => fault(wrong, &line),
                error => session.search_error(game, state, error),
            })
        };
        memory.cost.moves += 1;
        let outcome = worker.alarm.within(time.most.map(|most| most.as_secs_f64()), &self.stop, || {
            session.advised((game, state, side), player.advice, (&mut memory.tree, &mut memory.cost), &find, &limits)
        })?;
        let cost = &mut memory.cost;
        cost.nodes += outcome.nodes;
        // Only `auto` reports finished depths.
        let seen = player.depth.unwrap_or(u32::MAX).min(outcome.reached);
        let finished = if player.algorithm == Algorithm::Auto || outcome.partial { 0 } else { seen };
        cost.depths += u64::from(depth.get().unwrap_or(finished));
        let search = MoveSearch { value: outcome.value, nodes: outcome.nodes, seconds: 0.0 };
        if let Some(best) = outcome.choice() {
            return Ok((best.clone(), search));
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves).map_err(|wrong| fault(wrong, &[]))?;
        Ok((moves.swap_remove(0), search))
    }
}
