//! Random play that looks for faults of the rules.
//!
//! It plays a number of games with a seed. It reports one problem of each kind, with the moves that
//! lead to the position.

mod explained;
pub(super) mod kept;
mod lengths;
mod moved;
mod shown_moves;
mod shown_texts;
mod whole;

use crate::rules::answer::{incomplete, length};
use crate::rules::contract::Contract;
use crate::rules::evaluation::RuleEval;
use crate::rules::fault::{FaultKind, RuleFault, text};
use crate::rules::game::{ONE_SIDE, RuleGame};
use crate::rules::lacking::head;
use crate::rules::playouts::moved::MovedParts;
use crate::rules::playouts::shown_texts::{NO_VALUE, ShownTexts, unbound_in};
use crate::rules::position::{Position, RuleMove};
use crate::rules::worth::PositionWorth;
use alphorn_lang::lang::program::PredId;
use alphorn_prolog::term::{heap::Heap, pack::Packed, pack::unpack};
use alphorn_search::game::{Game, Heuristic, ToMove, drawn_by};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use rustc_hash::{FxHashMap, FxHashSet};

/// A question about a move.
type Ask = fn(&RuleGame, PredId, &Position, &RuleMove) -> Result<(), RuleFault>;

/// A question about a position.
type AskPosition = fn(&RuleGame, &Position) -> Result<(), RuleFault>;

/// The greatest number of positions that a forcing tree may visit.
const SMALL_TREE: u64 = 200;

/// A playout is abandoned after this number of plies.
pub const MAX_PLIES: usize = 1000;

/// The report of random play.
pub struct PlayoutReport {
    /// The problems, one of each kind.
    pub problems: Vec<Problem>,
    /// Visited positions, each once, in the order of the visits. They are a part of all visited positions
    /// if all take more than half of the memory.
    pub positions: Vec<Position>,
    /// The number of games.
    pub games: u64,
}

/// Limits of [`play_briefly`]: the plies, and the steps after which it asks no more.
const GLANCE: (usize, u64) = (20, 300_000);

/// If players have made so many moves in [`play_briefly`], each side should have been to move.
const ENOUGH_MOVES: u64 = 10;

/// Plays the first plies of one random game and returns the problems. The limit counts steps, and not time.
pub fn play_briefly(game: &RuleGame, seed: u64) -> Vec<Problem> {
    let (plies, steps) = GLANCE;
    let mut found = PlayoutChecker { plies, left: steps, ..PlayoutChecker::new(game) };
    match game.openings() {
        Ok(openings) => {
            let _ended_well = found.playout(openings[0].clone(), &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            found.begins(&openings);
            if found.longest >= ENOUGH_MOVES {
                found.idle_side();
            }
            found.odd_positions();
            found.fixed_lengths();
            found.no_texts();
        }
        Err(fault) => found.fault(&fault, &[]),
    }
    found.problems
}

/// Plays random games and returns the problems, one of each kind.
pub fn check(game: &RuleGame, playouts: u32, seed: u64) -> Vec<Problem> {
    play(game, playouts, seed, &|_| {}).problems
}

/// Asks every question of random play about one position, and ignores the problems.
pub(super) fn ask_all(game: &RuleGame, state: &Position) {
    let _asked = PlayoutChecker::new(game).position(state, &[]);
}

/// Plays random games and returns the problems and the visited positions. `hear` receives the
/// number of games that were played.
pub fn play(game: &RuleGame, playouts: u32, seed: u64, hear: &dyn Fn(u32)) -> PlayoutReport {
    let mut found = PlayoutChecker { hear: Some(hear), ..PlayoutChecker::new(game) };
    found.play(playouts, seed);
    hear(found.games);
    PlayoutReport { problems: found.problems, positions: found.positions, games: u64::from(found.games) }
}

/// The kind of a problem. Each kind is reported once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ProblemKind {
    Error,
    /// The advice of this predicate is wrong.
    Advice(PredId),
    /// The game can be played all the same.
    Warning,
}

pub(super) struct PlayoutChecker<'a> {
    pub(super) game: &'a RuleGame,
    problems: Vec<Problem>,
    /// The reported kinds of problems. Each predicate of advice has a kind of its own.
    told: FxHashSet<(Code, ProblemKind)>,
    /// Games that came to an end.
    ended: u64,
    /// Positions with each side to move, MAX first. `longest`: moves of players in the longest game.
    turns: [u64; 2],
    longest: u64,
    given_up: u64,
    stopped: bool,
    checked: FxHashSet<Position>,
    positions: Vec<Position>,
    /// The first position of the current game.
    opening: Option<Position>,
    /// If the position is an image: the rule that made it, and a note with the original.
    pub(super) image: Option<(Span, String)>,
    /// Predicates of advice that had a fault. They are not called again.
    misguided: FxHashSet<PredId>,
    /// A game is abandoned after this number of plies.
    plies: usize,
    /// The steps that are left.
    left: u64,
    /// Games that were played.
    games: u32,
    hear: Option<&'a dyn Fn(u32)>,
    moved: MovedParts,
    texts: ShownTexts,
}

impl<'a> PlayoutChecker<'a> {
    fn new(game: &'a RuleGame) -> PlayoutChecker<'a> {
        PlayoutChecker {
            game,
            problems: Vec::new(),
            told: FxHashSet::default(),
            ended: 0,
            turns: [0; 2],
            longest: 0,
            given_up: 0,
            stopped: false,
            checked: FxHashSet::default(),
            positions: Vec::new(),
            opening: None,
            image: None,
            misguided: FxHashSet::default(),
            plies: MAX_PLIES,
            left: u64::MAX,
            games: 0,
            hear: None,
            moved: MovedParts::default(),
            texts: ShownTexts::default(),
        }
    }

    fn play(&mut self, playouts: u32, seed: u64) {
        let openings = match self.game.openings() {
            Ok(openings) => openings,
            Err(fault) => return self.fault(&fault, &[]),
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for number in 0..playouts as usize {
            let opening = openings[number % openings.len()].clone();
            let _ended_well = self.playout(opening, &mut random);
            if self.stopped {
                break;
            }
            self.games += 1;
        }
        self.begins(&openings);
        self.idle_side();
        self.odd_positions();
        self.fixed_lengths();
        self.no_texts();
        if self.given_up > 0 && self.ended == 0 && !self.game.facts().repetition_is_draw {
            self.endless();
        }
    }

    /// Plays one game. Returns `None` if a problem ended it.
    fn playout(&mut self, opening: Position, random: &mut Xoshiro256PlusPlus) -> Option<()> {
        self.opening = Some(opening.clone());
        let mut state = opening;
        let mut line: Vec<RuleMove> = Vec::new();
        let mut players = 0;
        let mut seen: FxHashMap<Position, usize> = FxHashMap::default();
        while line.len() < self.plies {
            if let Some(hear) = self.hear {
                hear(self.games);
            }
            if self.game.facts().is_acyclic
                && let Some(before) = seen.insert(state.clone(), line.len())
            {
                let plies = plural((line.len() - before) as u64, "ply", "plies");
                let message = format!("acyclic is declared, but a position repeats after {plies}");
                let help = "remove the fact acyclic, or write repetition(draw). in its place";
                self.report_answer(self.contract().acyclic, &state, Code::RepeatsInAcyclicGame, &message, help, &line);
                return None;
            }
            if self.is_new(&state) {
                self.position(&state, &line)?;
            }
            let turn = self.asked(self.game.to_move(&state), &line)?;
            if turn == ToMove::Over {
                self.ended += 1;
                return Some(());
            }
            players += u64::from(turn != ToMove::Chance);
            self.longest = self.longest.max(players);
            match turn {
                ToMove::Max => self.turns[0] += 1,
                ToMove::Min => self.turns[1] += 1,
                ToMove::Chance | ToMove::Over => {}
            }
            let (mut moves, mut weights) = (Vec::new(), Vec::new());
            let number = if turn == ToMove::Chance {
                self.asked(self.game.chance_outcomes(&state, &mut moves, &mut weights), &line)?;
                drawn_by(&weights, random.random_range(0..weights.iter().sum()))
            } else {
                self.asked(self.game.moves(&state, &mut moves), &line)?;
                random.random_range(0..moves.len())
            };
            let choice = moves.swap_remove(number);
            if turn != ToMove::Chance {
                self.problems.extend(self.moved.compare(self.game, &state, &choice));
            }
            state = choice.next.clone();
            line.push(choice);
        }
        self.given_up += 1;
        Some(())
    }

    /// Asks every question about one position.
    fn position(&mut self, state: &Position, line: &[RuleMove]) -> Option<()> {
        if let (Some(max), Some(min)) = self.asked(self.game.sides(state), line)?
            && max == min
            && !self.asked(self.game.is_terminal(state), line)?
            && !self.asked(self.game.is_thrown(state), line)?
        {
            let who = if max { "each side" } else { "neither side" };
            let message = format!("by max_to_move/1 and min_to_move/1, {who} is to move");
            self.report_answer(self.contract().max_to_move, state, Code::BothOrNeitherToMove, &message, ONE_SIDE, line);
        }
        let over = self.asked(self.game.to_move(state), line)? == ToMove::Over;
        if !over && self.asked(self.game.is_thrown(state), line)? {
            self.thrown(state, line)?;
        }
        let mut result = None;
        if over {
            result = self.asked(self.game.result(state), line)?;
        } else {
            let moves = self.asked(self.game.legal_moves(state), line)?;
            let mut labels = FxHashSet::default();
            if self.game.rules.contract.labelled.is_some()
                && let Some(double) = moves.iter().find(|mv| !labels.insert(mv.label().clone()))
            {
                let label = text(double.label(), &self.game.rules.program.ops, 100);
                let message = format!("two moves have the label {label}");
                let help = "all moves of a position need different labels: put the difference into the label, \
                            such as From-To";
                let wrong = FaultKind::Answer(Code::DuplicateLabel, message, help.to_string());
                let fault = self.broken(self.contract().labelled, state, wrong);
                let span = self.game.clause_repeating_label(state, double.label()).or(fault.span);
                self.fault(&RuleFault { span, ..fault }, line);
            }
            self.advice(state, line)?;
        }
        self.shown(state, line)?;
        // No search evaluates a position that has a result.
        let worth = match result {
            Some(result) => PositionWorth::Result(result),
            None => PositionWorth::Value(self.asked(RuleEval.evaluate(self.game, state), line)?),
        };
        if let Some((low, high)) = self.asked(self.game.declared_range(), line)?
            && let PositionWorth::Value(value) = worth
            && !(low..=high).contains(&value)
        {
            let message = format!("static_eval/2 gives {value}, outside value_range({low}, {high})");
            let help = crate::rules::answer::wider(value, (low, high));
            self.report_answer(self.contract().value_range, state, Code::OutsideRange, &message, &help, line);
        }
        self.images(state, worth, over, line)
    }

    /// Checks that `chance/2` has one answer, and that players have no moves there.
    fn thrown(&mut self, state: &Position, line: &[RuleMove]) -> Option<()> {
        if self.asked(self.game.count_chance_answers(state), line)? > 1 {
            let help = "put all chance outcomes in one list: Alphorn uses only the first answer";
            self.report_answer(
                self.contract().chance,
                state,
                Code::InvalidChanceOutcomes,
                "chance/2 has more than one answer",
                help,
                line,
            );
        }
        let mut moves = Vec::new();
        self.asked(self.game.raw_moves(state, &mut moves), line)?;
        if !moves.is_empty() {
            let message = "chance/2 has an answer in a position with moves of players; Alphorn ignores the moves";
            let help = "let move/3 or moves/2 fail in this position, or let chance/2 fail";
            let wrong = FaultKind::Answer(Code::InvalidChanceOutcomes, message.to_string(), help.to_string());
            self.report_fault(ProblemKind::Warning, &self.broken(self.contract().chance, state, wrong), line);
        }
        Some(())
    }

    /// Checks the advice on the moves of a position, and the advice table if it is for the side to
    /// move. A fault of advice does not end the game.
    fn advice(&mut self, state: &Position, line: &[RuleMove]) -> Option<()> {
        let (game, contract) = (self.game, self.game.rules.contract);
        self.opinions(state, line)?;
        let asks: [(Option<PredId>, Ask); 5] = [
            (contract.prefer, |game, pred, state, mv| game.weight(pred, state, mv).map(drop)),
            (contract.prune, |game, pred, state, mv| game.prunes(pred, state, mv).map(drop)),
            (contract.extend, |game, pred, state, mv| game.plies(Some(pred), state, mv).map(drop)),
            (contract.reduce, |game, pred, state, mv| game.plies(Some(pred), state, mv).map(drop)),
            (contract.noisy, |game, _, state, mv| RuleEval.is_noisy(game, state, mv).map(drop)),
        ];
        let mut moves = Vec::new();
        self.asked(game.moves(state, &mut moves), line)?;
        for (pred, ask) in asks {
            let Some(pred) = pred.filter(|pred| !self.misguided.contains(pred)) else { continue };
            if let Some(fault) = moves.iter().find_map(|mv| ask(game, pred, state, mv).err()) {
                self.report_advice(pred, &fault, line)?;
            }
        }
        // Forcing trees take too many steps for a glance.
        let table = game.rules.advice.as_ref().filter(|_| self.left == u64::MAX).map(|table| table.rule_pred());
        let mut there = line.to_vec();
        if let Some(pred) = table.filter(|pred| !self.misguided.contains(pred))
            && let Err(fault) = game.check_table(state, SMALL_TREE, &mut there)
        {
            self.report_advice(pred, &fault, &there)?;
        }
        Some(())
    }

    /// Checks `quiet/1`, `forced/1` and the null move.
    fn opinions(&mut self, state: &Position, line: &[RuleMove]) -> Option<()> {
        let (game, contract) = (self.game, self.game.rules.contract);
        let asks: [(Option<PredId>, AskPosition); 3] = [
            (contract.quiet, |game, state| RuleEval.is_quiet(game, state).map(drop)),
            (contract.forced, |game, state| RuleEval.is_forced(game, state).map(drop)),
            (contract.null_ok, |game, state| RuleEval.null_move(game, state).map(drop)),
        ];
        for (pred, ask) in asks {
            let Some(pred) = pred.filter(|pred| !self.misguided.contains(pred)) else { continue };
            if let Err(fault) = ask(game, state) {
                self.report_advice(pred, &fault, line)?;
            }
        }
        Some(())
    }

    fn report_advice(&mut self, pred: PredId, fault: &RuleFault, line: &[RuleMove]) -> Option<()> {
        self.misguided.insert(pred);
        self.report_fault(ProblemKind::Advice(pred), fault, line);
        (!self.stopped).then_some(())
    }

    /// Checks that the texts shown to users exist for every position and differ for different moves.
    fn shown(&mut self, state: &Position, line: &[RuleMove]) -> Option<()> {
        let contract = self.game.rules.contract;
        let seen = [
            ("show/2", "calling show/2", contract.show),
            ("draw/2", "calling draw/2", contract.draw),
            ("write_position/2", "writing the position", contract.write_position),
        ];
        for (name, doing, pred) in seen {
            let shown = self.asked(self.game.output_of(doing, pred, &[&state.0]), line)?;
            let list =
                shown.as_ref().is_some_and(|shown| matches!(shown.functor(), Some((atoms::DOT | atoms::NIL, _))));
            let is_list = pred != contract.write_position;
            if let (Some(picture), true, true) = (&shown, is_list, list)
                && !is_complete(picture)
            {
                let (message, help) = incomplete(name, picture, &self.game.rules.program.ops);
                self.report_answer(pred, state, Code::AnswerNotGround, &message, help, line);
            }
            if let Some(variable) = shown.as_ref().and_then(|shown| unbound_in(shown, &self.game.rules.program)) {
                let message = format!("the text of {name} contains {variable}, a variable without a value");
                let wrong = FaultKind::Answer(Code::AnswerNotGround, message, NO_VALUE.to_string());
                self.report_fault(ProblemKind::Warning, &self.broken(pred, state, wrong), line);
            }
            if pred.is_some() && (shown.is_none() || (is_list && !list)) {
                let help = match name {
                    "show/2" => "the second argument must be a list of lines, such as [Line]",
                    "draw/2" => "the second argument must be a list of items, such as [square(a1, 1, 1)]",
                    _ => "write_position/2 must give a text for every position",
                };
                let message = match shown {
                    Some(_) => format!("{name} gives a term that Alphorn cannot show"),
                    None => format!("{name} fails"),
                };
                self.report_answer(pred, state, Code::AnswerNotGround, &message, help, line);
            }
            if let (Some(written), "write_position/2", true) = (&shown, name, contract.read_position.is_some()) {
                self.read_back(state, written, line)?;
            }
        }
        self.shown_moves(state, line)
    }

    pub(super) fn asked<T>(&mut self, answer: Result<T, RuleFault>, line: &[RuleMove]) -> Option<T> {
        match answer {
            Ok(_) if self.is_spent() => {
                self.stopped = true;
                None
            }
            Ok(answer) => Some(answer),
            Err(fault) => {
                self.fault(&fault, line);
                None
            }
        }
    }

    /// Whether the steps are used up. Of several questions between two checks, only the last one counts.
    fn is_spent(&mut self) -> bool {
        if self.left < u64::MAX {
            self.left = self.left.saturating_sub(self.game.asker.last(|solver| solver.store().steps));
        }
        self.left == 0
    }

    pub(super) fn contract(&self) -> &Contract {
        &self.game.rules.contract
    }

    fn report_answer(
        &mut self,
        pred: Option<PredId>,
        state: &Position,
        code: Code,
        message: &str,
        help: &str,
        line: &[RuleMove],
    ) {
        let wrong = FaultKind::Answer(code, message.to_string(), help.to_string());
        self.fault(&self.broken(pred, state, wrong), line);
    }

    /// A fault that points at the head of a predicate.
    pub(super) fn broken(&self, pred: Option<PredId>, state: &Position, wrong: FaultKind) -> RuleFault {
        let span = pred.map(|pred| head(&self.game.rules.program, pred));
        RuleFault {
            doing: "checking by random play",
            position: Some(Box::new(state.0.clone())),
            span,
            wrong,
            atoms: false,
            maker: None,
        }
    }

    pub(super) fn fault(&mut self, fault: &RuleFault, line: &[RuleMove]) {
        self.report_fault(ProblemKind::Error, fault, line);
    }

    pub(super) fn report_fault(&mut self, kind: ProblemKind, fault: &RuleFault, line: &[RuleMove]) {
        if fault.is_stop() {
            self.stopped = true;
            return;
        }
        let ops = &self.game.rules.program.ops;
        let words: Vec<String> = line.iter().map(|mv| text(mv.label(), ops, 200)).collect();
        let problem = fault.problem(&self.game.rules.program, &words);
        if self.told.insert((problem.code, kind)) {
            // A rule that exceeds the budget would do so in every game, each time slowly.
            self.stopped |= matches!(problem.code, Code::TooManySteps | Code::TooMuchMemory);
            let problem = self.explained(problem, fault, line);
            self.problems.push(if kind == ProblemKind::Warning { problem.as_warning() } else { problem });
        }
    }
}

/// Whether a list is proper and contains no variable.
fn is_complete(list: &Packed) -> bool {
    let mut heap = Heap::default();
    let term = unpack(&mut heap, list);
    list.is_ground() && length(&heap, term).is_ok()
}
