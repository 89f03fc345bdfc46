//! The openings of a match: random lines, the answers of `initial/1`, or the lines of a text.
//!
//! It takes a source of openings, a filter and the number of an opening. It returns an opening that has no
//! smaller number. The openings come in the order of their numbers, so they do not depend on the number of
//! threads, nor on the game at which an interrupted match goes on.

use super::{Failure, GameStart, LONGEST_LINE, Session, SessionResult};
use alphorn_lab::arena::history::{WithHistory, WithoutHistory};
use alphorn_lab::arena::opening::{OpeningDraw, TRIES};
use alphorn_lab::arena::{GameLine, LineStatus, line_status};
use alphorn_rules::rules::evaluation::{AdvisedEval, RuleEval};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::game::{Game, ToMove};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::{self, Algorithm, SearchSettings};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Where the openings of a match come from.
#[derive(Clone, Debug)]
pub enum OpeningSource {
    /// Random moves from a first position.
    Random {
        /// The number of random moves.
        plies: u32,
    },
    /// Every answer of `initial/1`, in the order of the rules.
    Initial,
    /// The lines of a text: positions, or moves from the first position of the match.
    Listed {
        /// The name of the text, for messages.
        name: String,
        /// The text.
        text: String,
    },
}

/// A filter of openings: only those with a small value are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// The greatest absolute value.
    pub most: f64,
    /// The depth of the search in plies.
    pub depth: u32,
}

/// The openings of a match.
pub struct MatchOpenings<'a> {
    /// The first position of the match; any initial position if empty.
    pub start: &'a GameStart,
    /// The source.
    pub source: OpeningSource,
    /// The filter.
    pub balance: Option<Balance>,
    /// The seed of random moves.
    pub seed: u64,
    /// The keys of the openings whose games are all played, in their order.
    pub played: Vec<u128>,
    /// The keys of positions that no opening may lead to.
    pub avoided: Vec<u128>,
}

/// The openings that are found and not yet played, and the keys of all.
pub(super) struct OpeningBook<'a> {
    setup: &'a MatchOpenings<'a>,
    seen: FxHashSet<u128>,
    /// The number of the next opening to find.
    next: u32,
    /// The openings that are played now, with the number of their games to come.
    open: BTreeMap<u32, (GameLine<RuleGame>, u32)>,
    /// The number of games from each opening.
    games: u32,
    /// The listed openings that are left, the last first; `None` until they are read.
    listed: Option<Vec<(String, GameLine<RuleGame>)>>,
    exhausted: bool,
    /// Why there is no further opening, if that is an error. Whichever game asked first, the match reports it.
    pub(super) failure: Option<Failure>,
}

impl<'a> OpeningBook<'a> {
    pub(super) fn new(setup: &'a MatchOpenings<'a>, games: u32) -> OpeningBook<'a> {
        OpeningBook {
            seen: setup.played.iter().chain(&setup.avoided).copied().collect(),
            next: setup.played.len() as u32,
            open: BTreeMap::new(),
            games,
            listed: None,
            exhausted: false,
            failure: None,
            setup,
        }
    }

    /// The opening with this number; `None` if there are no more openings, for the reason in `failure` if there is
    /// one. Each of its games may ask once. `stop` ends a search of the filter.
    pub(super) fn opening(
        &mut self,
        session: &Session,
        (game, starts): (&RuleGame, &[Position]),
        number: u32,
        stop: &AtomicBool,
    ) -> Option<GameLine<RuleGame>> {
        while self.next <= number && !self.exhausted {
            let found = match self.setup.source {
                OpeningSource::Random { plies } => self.drawn(session, game, starts, plies, stop),
                _ => self.listed(session, game, stop),
            };
            match found {
                Ok(Some(line)) => {
                    self.seen.insert(session.lasting_key(line.last()));
                    self.open.insert(self.next, (line, self.games));
                    self.next += 1;
                }
                Ok(None) => self.exhausted = true,
                Err(failure) => {
                    self.exhausted = true;
                    self.failure = Some(failure);
                }
            }
        }
        let (line, left) = self.open.get_mut(&number)?;
        *left -= 1;
        match left {
            0 => self.open.remove(&number).map(|(line, _)| line),
            _ => Some(line.clone()),
        }
    }

    /// A random line that is new and balanced.
    fn drawn(
        &self,
        session: &Session,
        game: &RuleGame,
        starts: &[Position],
        plies: u32,
        stop: &AtomicBool,
    ) -> SessionResult<Option<GameLine<RuleGame>>> {
        let mut draw = OpeningDraw::new(self.setup.seed, self.next.into());
        let (mut found, mut refused) = (false, FxHashSet::default());
        loop {
            let line = draw
                .next((game, &RuleEval), starts, plies as usize)
                .map_err(|(fault, moves)| session.fault(&fault, &moves))?;
            let Some(line) = line else { break };
            found = true;
            let key = session.lasting_key(line.last());
            // With chance moves, games of one opening differ.
            let new = game.facts().has_chance || !self.seen.contains(&key);
            if new && !refused.contains(&key) {
                if session.is_balanced(game, &line, self.setup.balance, stop)? {
                    return Ok(Some(line));
                }
                refused.insert(key);
            }
        }
        match (found, self.next) {
            (false, _) => Err(session.without_opening(plies, game, starts)),
            (true, 0) if self.setup.balance.is_some() => {
                Err(session.without_balance(self.setup.balance, &format!("{TRIES} random openings")))
            }
            (true, _) => Ok(None),
        }
    }

    /// The next opening of a list that is new and balanced.
    fn listed(
        &mut self,
        session: &Session,
        game: &RuleGame,
        stop: &AtomicBool,
    ) -> SessionResult<Option<GameLine<RuleGame>>> {
        let first = self.listed.is_none();
        if first {
            let mut lines = session.listed_openings(game, self.setup)?;
            lines.reverse();
            self.listed = Some(lines);
        }
        let all = self.listed.as_ref().map_or(0, Vec::len);
        while let Some((name, line)) = self.listed.as_mut().and_then(Vec::pop) {
            match line_status(game, &RuleEval, &line).map_err(|fault| session.fault(&fault, &line.moves))? {
                LineStatus::Ended(_) => return Err(session.over_in_opening(&name)),
                LineStatus::Moves(_) | LineStatus::Chance => {}
            }
            let new = !self.seen.contains(&session.lasting_key(line.last()));
            if new && session.is_balanced(game, &line, self.setup.balance, stop)? {
                return Ok(Some(line));
            }
        }
        match self.next {
            0 => Err(session.without_balance(self.setup.balance, &plural(all as u64, "opening", "openings"))),
            _ => Ok(None),
        }
    }
}

impl Session {
    /// The openings of a list, each with its name for messages.
    fn listed_openings(
        &self,
        game: &RuleGame,
        setup: &MatchOpenings<'_>,
    ) -> SessionResult<Vec<(String, GameLine<RuleGame>)>> {
        let OpeningSource::Listed { name, text } = &setup.source else {
            let all = game.openings().map_err(|fault| self.fault(&fault, &[]))?;
            let named = |(at, state)| (format!("answer {} of initial/1", at + 1), GameLine::from(state));
            return Ok(all.into_iter().enumerate().map(named).collect());
        };
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') || line.starts_with('%') {
                continue;
            }
            let name = format!("{name}:{}", number + 1);
            let opening = self.listed_opening(game, setup.start, line).map_err(|failure| in_line(failure, &name))?;
            lines.push((name, opening));
        }
        if lines.is_empty() {
            let problem = Problem::placeless(Code::UnplayableMatch, format!("{name} has no opening"))
                .help("write a position or a list of moves on each line");
            return Err(Failure::Problem(Box::new(problem), self.rules.program.sources.clone()));
        }
        Ok(lines)
    }

    /// The opening of one line: moves if the line says so or its first word is a legal move, else a position.
    fn listed_opening(&self, game: &RuleGame, start: &GameStart, line: &str) -> SessionResult<GameLine<RuleGame>> {
        let played = |moves: &str| {
            let before = start.moves.as_deref().unwrap_or("");
            self.line(game, &GameStart { moves: Some(format!("{before} {moves}")), ..start.clone() })
        };
        if let Some(moves) = line.strip_prefix("moves:") {
            return played(moves);
        }
        if let Some(position) = line.strip_prefix("position:") {
            return self.listed_position(game, position.trim());
        }
        let first = line.split_whitespace().next().unwrap_or(line);
        match played(first) {
            Ok(_) => played(line),
            Err(of_moves) => self.listed_position(game, line).or_else(|of_position| {
                let help = format!("as moves: {of_moves}\nas a position: {of_position}");
                let message = "the line is neither a list of moves nor a position";
                self.problem(Problem::placeless(Code::InvalidPositionOrMove, message).help(help))
            }),
        }
    }

    /// A position in the notation of the game, or else as a term that has the form of a position.
    fn listed_position(&self, game: &RuleGame, text: &str) -> SessionResult<GameLine<RuleGame>> {
        let given = Some(text.to_string());
        let noted = self.rules.contract.read_position.is_some();
        let noted = noted.then(|| self.line(game, &GameStart { at: given.clone(), ..GameStart::default() }));
        if let Some(Ok(line)) = noted {
            return Ok(line);
        }
        let term = match self.rules.odd_position(text) {
            Some(odd) => self.problem(Problem::placeless(Code::InvalidPositionOrMove, odd.message)),
            None => self.line(game, &GameStart { position: given, ..GameStart::default() }),
        };
        // In a game with a notation, its error says more.
        term.or_else(|failure| noted.unwrap_or(Err(failure)))
    }

    /// Whether the value of the last position of a line is within the filter.
    fn is_balanced(
        &self,
        game: &RuleGame,
        line: &GameLine<RuleGame>,
        balance: Option<Balance>,
        stop: &AtomicBool,
    ) -> SessionResult<bool> {
        let Some(Balance { most, depth }) = balance else { return Ok(true) };
        let past = WithHistory::new(game, line);
        let advised = AdvisedEval { heeds: true };
        let limits = Limits { longest: Some(LONGEST_LINE), stop: Some(stop), ..Limits::to_depth(depth) };
        let found = search::search_with(
            Algorithm::Auto,
            &past,
            &WithoutHistory(&advised),
            line.last(),
            &limits,
            &SearchSettings::default(),
        )
        .map_err(|error| self.search_error(game, line.last(), error))?;
        if stop.load(Relaxed) {
            let problem = Problem::placeless(Code::Interrupted, "the search for an opening was interrupted");
            return Err(Failure::Problem(Box::new(problem), self.rules.program.sources.clone()));
        }
        Ok(found.value.is_some_and(|value| value.to_number().abs() <= most))
    }

    fn without_opening(&self, plies: u32, game: &RuleGame, starts: &[Position]) -> Failure {
        if starts.iter().all(|start| matches!(game.to_move(start), Ok(ToMove::Over))) {
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

    fn without_balance(&self, balance: Option<Balance>, of: &str) -> Failure {
        let Balance { most, depth } = balance.unwrap_or(Balance { most: f64::INFINITY, depth: 0 });
        let message = format!("none of {of} has a value from -{most} to {most} at depth {depth}");
        let help = format!("allow greater values: --balance 'value={},depth={depth}'", (2.0 * most).max(1.0));
        let problem = Problem::placeless(Code::UnplayableMatch, message).help(help);
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }

    fn over_in_opening(&self, name: &str) -> Failure {
        let problem = Problem::placeless(Code::UnplayableMatch, format!("{name}: the game is over after this opening"))
            .help("remove the opening: nobody has a move");
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }
}

/// Adds the name of a line to a failure.
fn in_line(failure: Failure, name: &str) -> Failure {
    match failure {
        Failure::Problem(mut problem, sources) => {
            problem.message = format!("{name}: {}", problem.message);
            Failure::Problem(problem, sources)
        }
        failure => failure,
    }
}
