//! A loaded program as a [`Game`]: each question of the trait is a goal.
//!
//! One `RuleGame` serves one thread. A non-ground answer, or one that is not a number, is a fault.

use crate::rules::Rules;
use crate::rules::answer::{ending, number, wider};
use crate::rules::ask::{QueryRunner, RuleQuery, RuleResult};
use crate::rules::combined::{CombinedQuestions, QueryCache};
use crate::rules::fault::{FaultKind, RuleFault, text};
use crate::rules::outcomes::LastThrow;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::program::PredId;
use alphorn_prolog::machine::choose::{brief_solver, solver};
use alphorn_prolog::machine::{Solver, reference::Reference, store::Budget, watch::SharedWatcher};
use alphorn_prolog::term::pack::{Packed, gather, live_bytes};
use alphorn_search::game::{Game, GameFacts, GameResult, RandomSuccessor, Side, ToMove};
use alphorn_text::code::Code;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The greatest number of openings that Alphorn reads from `initial/1`.
pub const MAX_OPENINGS: usize = 10_000;

/// The meaning of a position without moves in which `terminal/1` does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoMoves {
    Fault,
    /// The game has no `terminal/1`, so it is over.
    End,
    /// The game is over, and `static_eval/2` gives the value.
    Eval,
    Loss,
    Draw,
    Pass,
}

/// A game whose rules are a loaded program.
pub struct RuleGame {
    /// The loaded rules.
    pub rules: Rules,
    pub(super) asker: QueryRunner,
    pub(super) scout: QueryCache,
    /// Questions about live positions, until one had a fault.
    pub(super) live: Cell<Option<CombinedQuestions>>,
    pub(super) no_moves: NoMoves,
    pub(super) range: Option<(f64, f64)>,
    facts: GameFacts,
    /// The number of positions that forcing trees visited to order moves.
    pub(super) consulted: Cell<u64>,
    /// The side that the advice table is for; `None` means both sides.
    pub(super) advised: Option<Side>,
    /// The values of a loss and of a win, in a game with chance moves.
    payoffs: Option<(f64, f64)>,
    /// The position for which `has_moves` last generated moves, and these moves.
    pub(super) recent: RefCell<(Option<Position>, Vec<RuleMove>)>,
    /// The chance outcomes that were computed last, and their position.
    pub(super) thrown: RefCell<LastThrow>,
    /// The position that the user typed, for messages.
    pub(super) given: RefCell<Option<Position>>,
    /// The clauses that short random games never used, once they are asked for.
    pub(super) idle: OnceCell<Vec<(Span, String)>>,
    /// The arguments of positions that only count moves, in ascending order.
    counters: Vec<usize>,
}

impl RuleGame {
    /// Makes rules ready to play. They must keep the contract. Setting `stop` interrupts any call.
    pub fn new(rules: Rules, budget: Budget, stop: Arc<AtomicBool>) -> RuleResult<RuleGame> {
        let solver = solver(&rules.program, &rules.runs, &stop);
        let questions = (rules.ahead, rules.live);
        RuleGame::asking(rules, solver, questions, budget, stop)
    }

    /// A game for a few calls, which end before native code would pay. It has no combined questions.
    pub fn brief(rules: Rules, budget: Budget, stop: Arc<AtomicBool>) -> RuleResult<RuleGame> {
        let solver = brief_solver(&rules.program, &rules.runs, &stop);
        RuleGame::asking(rules, solver, (None, None), budget, stop)
    }

    /// A game that a reference solver of its program runs, without combined questions.
    pub fn interpreted(rules: Rules, solver: Reference, budget: Budget, stop: Arc<AtomicBool>) -> RuleResult<RuleGame> {
        RuleGame::asking(rules, Box::new(solver), (None, None), budget, stop)
    }

    /// A watched game whose solver keeps its frames, so that `watcher` sees every step.
    pub fn covered(
        rules: Rules,
        budget: Budget,
        stop: Arc<AtomicBool>,
        watcher: SharedWatcher,
    ) -> RuleResult<RuleGame> {
        let solver = rules.reference(&stop).keeping_frames().watched(watcher);
        RuleGame::interpreted(rules, solver, budget, stop)
    }

    fn asking(
        rules: Rules,
        solver: Box<dyn Solver>,
        (ahead, live): (Option<CombinedQuestions>, Option<CombinedQuestions>),
        budget: Budget,
        stop: Arc<AtomicBool>,
    ) -> RuleResult<RuleGame> {
        let contract = rules.contract;
        let mut game = RuleGame {
            scout: QueryCache::new(ahead),
            live: Cell::new(live),
            asker: QueryRunner::new(rules.program.clone(), solver, budget, stop),
            rules,
            no_moves: if contract.terminal.is_none() { NoMoves::End } else { NoMoves::Fault },
            range: None,
            facts: GameFacts::default(),
            consulted: Cell::new(0),
            advised: Some(Side::Max),
            payoffs: None,
            recent: RefCell::default(),
            thrown: RefCell::default(),
            given: RefCell::default(),
            idle: OnceCell::new(),
            counters: Vec::new(),
        };
        game.counters = game.declared_counters()?;
        let is_acyclic = match contract.acyclic {
            Some(pred) => game.asker.holds(RuleQuery { doing: "reading acyclic", pred, args: &[], position: None })?,
            None => false,
        };
        let repetition_is_draw = game.fact("reading repetition/1", contract.repetition)?.is_some();
        game.read_meanings()?;
        // If the game ends with a result, the declared range applies to evaluations only.
        let ends = contract.outcome.is_some() || game.no_moves_decides();
        let has_results = ends || contract.static_eval.is_none();
        let declared = game.declared_range()?;
        // Averages need finite numbers for a win and a loss.
        let has_chance = contract.chance.is_some();
        game.payoffs = declared.or(has_results.then_some((-1.0, 1.0))).filter(|_| has_chance);
        game.range = game.payoffs.or(declared.filter(|_| !has_results));
        game.facts = GameFacts {
            has_chance,
            is_acyclic,
            repetition_is_draw,
            has_symmetry: contract.canonical.or(contract.symmetry).is_some(),
            has_results,
            value_range: game.range.filter(|_| !has_chance),
            payoff_range: game.range,
            has_counters: !game.counters.is_empty(),
        };
        Ok(game)
    }

    /// Reads whom the advice is for, and what a position without moves means.
    fn read_meanings(&mut self) -> RuleResult<()> {
        if let Some(whose) = self.fact("reading advice_for/1", self.rules.contract.advice_for)? {
            self.advised = match whose.as_atom().map(Atom::name).as_deref() {
                Some("both") => None,
                Some("min") => Some(Side::Min),
                _ => Some(Side::Max),
            };
        }
        if let Some(meaning) = self.fact("reading no_moves/1", self.rules.contract.no_moves)? {
            self.no_moves = match meaning.as_atom().map(Atom::name).as_deref() {
                Some("loss") => NoMoves::Loss,
                Some("draw") => NoMoves::Draw,
                Some("pass") => NoMoves::Pass,
                _ => NoMoves::Eval,
            };
        }
        Ok(())
    }

    fn fact(&self, doing: &'static str, pred: Option<PredId>) -> RuleResult<Option<Packed>> {
        let Some(pred) = pred else { return Ok(None) };
        self.asker.term(RuleQuery { doing, pred, args: &[None], position: None })
    }

    /// Whether a predicate holds for a position; false if the predicate is not defined.
    pub(super) fn holds(&self, doing: &'static str, pred: Option<PredId>, state: &Position) -> RuleResult<bool> {
        let Some(pred) = pred else { return Ok(false) };
        self.asker.holds(RuleQuery { doing, pred, args: &[Some(&state.0)], position: Some(state) })
    }

    /// The openings that `initial/1` gives.
    pub fn openings(&self) -> RuleResult<Vec<Position>> {
        let Some(pred) = self.rules.contract.initial else { return Ok(Vec::new()) };
        let question = RuleQuery { doing: "calling initial/1", pred, args: &[None], position: None };
        let found: Vec<Position> = self.asker.terms(question, MAX_OPENINGS)?.finish().map(Position).collect();
        if found.is_empty() {
            let help = "write initial(Pos). with the start position";
            return Err(self.answer_fault(
                question,
                Code::NoInitialPosition,
                "initial/1 does not give a position",
                help,
            ));
        }
        Ok(found)
    }

    /// The answers of `position/1`, if it is defined. The goal may take the steps of a hundred questions.
    pub fn positions(&self) -> RuleResult<Option<Vec<Position>>> {
        let Some(pred) = self.rules.contract.position else { return Ok(None) };
        let question = RuleQuery { doing: "calling position/1", pred, args: &[None], position: None };
        self.asker.patiently(100, |asker| {
            let mut found = asker.terms(question, usize::MAX)?;
            Ok(Some(found.finish().map(Position).collect()))
        })
    }

    /// Whether `terminal/1` holds.
    pub fn is_terminal(&self, state: &Position) -> RuleResult<bool> {
        self.holds("calling terminal/1", self.rules.contract.terminal, state)
    }

    /// Whether `max_to_move/1` and `min_to_move/1` hold; `None` for one that is not defined.
    pub fn sides(&self, state: &Position) -> RuleResult<(Option<bool>, Option<bool>)> {
        let contract = self.rules.contract;
        let ask = |pred: Option<PredId>| match pred {
            Some(_) => self.holds("finding the player to move", pred, state).map(Some),
            None => Ok(None),
        };
        Ok((ask(contract.max_to_move)?, ask(contract.min_to_move)?))
    }

    /// The player to move. The position is not over, or it is lost for lack of a move.
    fn side_to_move(&self, state: &Position) -> RuleResult<Side> {
        let max = match self.sides(state)? {
            (Some(max), Some(min)) if max == min => return Err(self.no_turn(state, max)),
            (Some(max), _) => max,
            (None, min) => !min.unwrap_or(false),
        };
        Ok(if max { Side::Max } else { Side::Min })
    }

    /// The least and the greatest evaluation, as `value_range/2` gives them.
    pub fn evaluation_range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// The value of `static_eval/2`, for MAX; 0 if it is not defined.
    pub fn static_eval(&self, state: &Position) -> RuleResult<f64> {
        let Some(pred) = self.rules.contract.static_eval else { return Ok(0.0) };
        if let Some(value) = self.scout.value(state) {
            return Ok(value);
        }
        let args = &[Some(&state.0), None];
        let question = RuleQuery { doing: "evaluating", pred, args, position: Some(state) };
        let found = self.asker.first(question, |solver| {
            let value = solver.answer()[0];
            let help = "the second argument must be a number".to_string();
            number(solver, value)
                .map_err(|message| FaultKind::Answer(Code::InvalidEvaluation, format!("static_eval/2 {message}"), help))
        })?;
        found.ok_or_else(|| {
            let help = self.no_value_help(pred, state);
            self.answer_fault(question, Code::InvalidEvaluation, "static_eval/2 fails", &help)
        })
    }

    /// The result that `outcome/2` gives for a finished position; `None` if it is not defined.
    pub fn outcome(&self, state: &Position) -> RuleResult<Option<GameResult>> {
        let doing = "calling outcome/2";
        let Some(pred) = self.rules.contract.outcome else { return Ok(None) };
        let help = "the outcome of a finished game is win(max), win(min), draw or score(N)";
        let question = RuleQuery { doing, pred, args: &[Some(&state.0), None], position: Some(state) };
        let found = self.asker.first(question, |solver| {
            let result = solver.answer()[0];
            if let Some(ending) = ending(solver, result) {
                return Ok(ending);
            }
            let store = solver.store();
            let answer = text(&store.packed(result)?, &store.ops, 200);
            Err(FaultKind::Answer(Code::InvalidEvaluation, format!("outcome/2 gives {answer}"), help.to_string()))
        })?;
        match found {
            Some(ending) => Ok(Some(ending)),
            None => {
                let position = text(&state.0, &self.rules.program.ops, 200);
                let help = format!(
                    "{}\n{help}: add a clause that answers for outcome({position}, Result)",
                    self.ask_whynot(&format!("outcome({position}, R)"))
                );
                Err(self.answer_fault(question, Code::InvalidEvaluation, "outcome/2 fails at the end of a game", &help))
            }
        }
    }

    /// The output of a predicate such as `show/2`; `None` if it is not defined or fails.
    pub fn output_of(
        &self,
        doing: &'static str,
        pred: Option<PredId>,
        given: &[&Packed],
    ) -> RuleResult<Option<Packed>> {
        let Some(pred) = pred else { return Ok(None) };
        let mut args: Vec<Option<&Packed>> = given.iter().map(|term| Some(*term)).collect();
        args.push(None);
        let position = given.first().filter(|_| self.rules.contract.read_position != Some(pred));
        let position = position.map(|packed| Position((*packed).clone()));
        self.asker.term(RuleQuery { doing, pred, args: &args, position: position.as_ref() })
    }

    #[cold]
    fn no_turn(&self, state: &Position, both: bool) -> RuleFault {
        let doing = "finding the player to move";
        let pred = self.rules.contract.max_to_move.expect("it was asked");
        let who = if both { "each side" } else { "neither side" };
        let question = RuleQuery { doing, pred, args: &[Some(&state.0)], position: Some(state) };
        let message = format!("by max_to_move/1 and min_to_move/1, {who} is to move");
        self.answer_fault(question, Code::BothOrNeitherToMove, &message, ONE_SIDE)
    }

    /// The fault for a value outside of its range.
    #[cold]
    pub(super) fn outside(&self, question: RuleQuery<'_>, gives: &str, number: f64, range: (f64, f64)) -> RuleFault {
        let (low, high) = range;
        let (said, help) = match self.rules.contract.value_range {
            Some(_) => (format!("value_range({low}, {high})"), wider(number, range)),
            None => (
                format!("the range from {low} (a loss) to {high} (a win)"),
                "in a game with chance all values must be between a loss and a win: declare value_range(Low, High) \
                 for a wider range, or scale the value"
                    .to_string(),
            ),
        };
        self.answer_fault(question, Code::OutsideRange, &format!("{gives} {number}, outside {said}"), &help)
    }

    /// Whether `no_moves/1` itself gives the value of a position without moves.
    pub fn no_moves_decides(&self) -> bool {
        matches!(self.no_moves, NoMoves::Loss | NoMoves::Draw)
    }

    fn without_moves(&self, state: &Position) -> RuleResult<bool> {
        Ok(self.no_moves != NoMoves::Fault && !self.has_moves(state)?)
    }
}

pub(super) const ONE_SIDE: &str =
    "exactly one of the two must hold; without min_to_move/1, MIN moves where max_to_move/1 does not hold";

impl Game for RuleGame {
    type State = Position;
    type Move = RuleMove;
    type Fault = RuleFault;

    fn to_move(&self, state: &Position) -> RuleResult<ToMove> {
        if let Some(turn) = self.scout.turn(&self.asker, state) {
            return Ok(turn);
        }
        if self.is_terminal(state)? {
            return Ok(ToMove::Over);
        }
        if self.with_chance_outcomes(state, |_| ())?.is_some() {
            return Ok(ToMove::Chance);
        }
        let over = self.without_moves(state)?;
        if over && self.no_moves != NoMoves::Loss {
            return Ok(ToMove::Over);
        }
        // The player to move has lost, so a fault of `mover` counts here too.
        Ok(match self.side_to_move(state)? {
            _ if over => ToMove::Over,
            Side::Max => ToMove::Max,
            Side::Min => ToMove::Min,
        })
    }

    fn moves(&self, state: &Position, moves: &mut Vec<RuleMove>) -> RuleResult<()> {
        let first = moves.len();
        if self.with_chance_outcomes(state, |throw| moves.extend_from_slice(&throw.moves))?.is_some() {
            return Ok(());
        }
        let (recent, found) = &mut *self.recent.borrow_mut();
        match recent.take_if(|recent| recent == state) {
            Some(_) => moves.append(found),
            None => self.find_moves(state, moves)?,
        }
        let Some(pred) = self.rules.contract.labelled.or(self.rules.contract.moves) else { return Ok(()) };
        if moves.len() == first {
            return Err(self.no_move(pred, state));
        }
        Ok(())
    }

    fn is_over(&self, state: &Position) -> RuleResult<bool> {
        if let Some(over) = self.scout.is_over(&self.asker, state) {
            return Ok(over);
        }
        Ok(self.is_terminal(state)?
            || self.with_chance_outcomes(state, |_| ())?.is_none() && self.without_moves(state)?)
    }

    fn chance_outcomes(&self, state: &Position, moves: &mut Vec<RuleMove>, weights: &mut Vec<u64>) -> RuleResult<()> {
        self.with_chance_outcomes(state, |throw| {
            moves.extend_from_slice(&throw.moves);
            weights.extend_from_slice(&throw.weights);
        })?;
        Ok(())
    }

    fn count_moves(&self, state: &Position) -> RuleResult<usize> {
        if let Some(count) = self.with_chance_outcomes(state, |throw| throw.moves.len())? {
            return Ok(count);
        }
        if self.no_moves == NoMoves::Fault {
            let count = self.raw_count(state)?;
            if count > 0 {
                return Ok(count);
            }
        }
        let mut moves = Vec::new();
        self.moves(state, &mut moves)?;
        Ok(moves.len())
    }

    fn apply(&self, _: &Position, mv: &RuleMove) -> RuleResult<Position> {
        Ok(mv.next.clone())
    }

    fn held<'m>(&self, mv: &'m RuleMove) -> Option<&'m Position> {
        Some(&mv.next)
    }

    fn random_successor(
        &self,
        state: &Position,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> RuleResult<RandomSuccessor<Position>> {
        Ok(self.random_next(state, choose))
    }

    fn move_key(&self, state: &Position, mv: &RuleMove) -> u64 {
        mv.key(state)
    }

    fn key_without_counters(&self, state: &Position) -> Option<u128> {
        if self.counters.is_empty() { None } else { state.key_without(&self.counters) }
    }

    fn mover(&self, state: &Position) -> RuleResult<ToMove> {
        Ok(match self.side_to_move(state)? {
            Side::Max => ToMove::Max,
            Side::Min => ToMove::Min,
        })
    }

    fn facts(&self) -> GameFacts {
        self.facts
    }

    fn result(&self, state: &Position) -> RuleResult<Option<GameResult>> {
        let outranks = matches!(self.no_moves, NoMoves::Loss | NoMoves::Draw | NoMoves::Eval);
        if outranks && !self.is_terminal(state)? {
            match self.no_moves {
                NoMoves::Draw => return Ok(Some(GameResult::Draw)),
                NoMoves::Eval => return Ok(None),
                _ => {}
            }
            return Ok(Some(GameResult::Won(self.side_to_move(state)?.other())));
        }
        let ending = self.outcome(state)?;
        let (what, number) = match ending {
            Some(GameResult::Draw) => ("a draw is worth", 0.0),
            Some(GameResult::Points(points)) => ("outcome/2 gives", points),
            _ => return Ok(ending),
        };
        match (self.payoffs, self.rules.contract.outcome) {
            (Some((low, high)), Some(pred)) if !(low..=high).contains(&number) => {
                let question = RuleQuery { doing: "calling outcome/2", pred, args: &[], position: Some(state) };
                Err(self.outside(question, what, number, (low, high)))
            }
            _ => Ok(ending),
        }
    }

    fn canonical(&self, state: &Position) -> RuleResult<Position> {
        match (self.rules.contract.canonical, self.rules.contract.symmetry) {
            (canonical @ Some(_), _) => {
                let found = self.output_of("calling canonical/2", canonical, &[&state.0])?;
                Ok(found.map_or_else(|| state.clone(), Position))
            }
            (None, Some(symmetry)) => self.least_image(state, symmetry),
            (None, None) => Ok(state.clone()),
        }
    }

    fn compact(&self, states: &mut [Position]) {
        gather(&mut states.iter_mut().map(|state| &mut state.0).collect::<Vec<_>>());
    }

    fn live_bytes(&self) -> u64 {
        live_bytes()
    }

    fn most_live_bytes(&self) -> u64 {
        self.asker.budget().memory
    }
}
