//! A loaded program played as a [`Game`]: every question is a goal.
//!
//! One `RuleGame` serves one thread. Answers are checked as they come: what is
//! not ground, or no number, is a fault and never a value.

use crate::game::{Ending, Game, Heuristic, Side, Turn};
use crate::lang::program::{PredId, Program};
use crate::machine::fault::Cause;
use crate::machine::store::Budget;
use crate::machine::{Ask, Solver, solver};
use crate::rules::Rules;
use crate::rules::answer::{ending, number, proper};
use crate::rules::fault::{RuleFault, Wrong, text};
use crate::rules::position::{Position, RuleMove};
use crate::source::Span;
use crate::symbol::Atom;
use crate::term::Term;
use crate::term::pack::{Packed, Packer, live_bytes, pack};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many openings `initial/1` may offer.
pub const MAX_OPENINGS: usize = 10_000;

/// What a position without moves means where `terminal/1` does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoMoves {
    Fault,
    /// There is no `terminal/1`: the game is over.
    End,
    /// The game is over, and the evaluation decides.
    Eval,
    Loss,
    Draw,
    Pass,
}

/// See the module.
pub struct RuleGame {
    /// What is played.
    pub rules: Rules,
    solver: RefCell<Box<dyn Solver>>,
    budget: Budget,
    stop: Arc<AtomicBool>,
    no_moves: NoMoves,
    range: Option<(f64, f64)>,
    acyclic: bool,
    repetition: bool,
    /// Room for what is packed.
    packer: RefCell<Packer>,
    /// The moves of the position asked about last.
    recent: RefCell<Option<(Position, Vec<RuleMove>)>>,
}

type Asked<T> = Result<T, RuleFault>;

impl RuleGame {
    /// Makes rules ready to play. The rules must keep the contract. `stop`
    /// ends any question from outside.
    pub fn new(rules: Rules, budget: Budget, stop: Arc<AtomicBool>) -> Asked<RuleGame> {
        let solver = solver(&rules.program, &rules.runs, &stop);
        let contract = rules.contract;
        let mut game = RuleGame {
            rules,
            solver: RefCell::new(solver),
            budget,
            stop,
            no_moves: if contract.terminal.is_none() { NoMoves::End } else { NoMoves::Fault },
            range: None,
            acyclic: false,
            repetition: false,
            packer: RefCell::default(),
            recent: RefCell::new(None),
        };
        game.acyclic = game.holds("reading acyclic", contract.acyclic, &[])?;
        game.repetition = game.fact("reading repetition/1", contract.repetition)?.is_some();
        if let Some(meaning) = game.fact("reading no_moves/1", contract.no_moves)? {
            game.no_moves = match meaning.as_atom().map(Atom::text) {
                Some("loss") => NoMoves::Loss,
                Some("draw") => NoMoves::Draw,
                Some("pass") => NoMoves::Pass,
                _ => NoMoves::Eval,
            };
        }
        // The range speaks of evaluations; these end games in other ways.
        let ends = contract.outcome.is_some() || matches!(game.no_moves, NoMoves::Loss | NoMoves::Draw);
        let ends = ends || contract.static_eval.is_none();
        game.range = game.declared_range()?.filter(|_| !ends);
        Ok(game)
    }

    fn program(&self) -> &Program {
        &self.rules.program
    }

    /// What `value_range/2` says, sound or not.
    pub fn declared_range(&self) -> Asked<Option<(f64, f64)>> {
        let doing = "reading value_range/2";
        let Some(pred) = self.rules.contract.value_range else { return Ok(None) };
        let found = self.ask(doing, pred, &[None, None], None, 1, |solver| {
            let values = solver.answer().to_vec();
            Ok((number(solver, values[0]), number(solver, values[1])))
        })?;
        match found.first() {
            Some((Ok(low), Ok(high))) if low <= high => Ok(Some((*low, *high))),
            _ => Err(self.wrong(
                doing,
                None,
                pred,
                "A0506",
                "value_range/2 gives no two numbers in order",
                "write value_range(-1, 1).",
            )),
        }
    }

    fn fact(&self, doing: &'static str, pred: Option<PredId>) -> Asked<Option<Packed>> {
        let Some(pred) = pred else { return Ok(None) };
        self.terms(doing, pred, &[None], None, 1).map(|mut found| found.pop().map(|mut terms| terms.remove(0)))
    }

    /// Asks a goal; gathers up to `limit` answers as `read` sees them.
    fn ask<T>(
        &self,
        doing: &'static str,
        pred: PredId,
        args: &[Option<&Packed>],
        position: Option<&Position>,
        limit: usize,
        mut read: impl FnMut(&mut dyn Solver) -> Result<T, Wrong>,
    ) -> Asked<Vec<T>> {
        let fault = |wrong| RuleFault {
            doing,
            position: position.map(|position| position.0.clone()),
            span: self.clause_span(pred),
            wrong,
        };
        if self.stop.load(Ordering::Relaxed) {
            return Err(fault(Wrong::Machine(Cause::Stopped.into())));
        }
        if live_bytes() > self.budget.memory {
            return Err(fault(Wrong::Machine(Cause::Memory(self.budget.memory).into())));
        }
        let mut solver = self.solver.borrow_mut();
        let mut found = Vec::new();
        solver.ask(&Ask::Call(pred, args), self.budget).map_err(|bad| fault(Wrong::Machine(bad)))?;
        while found.len() < limit && solver.next().map_err(|bad| fault(Wrong::Machine(bad)))? {
            found.push(read(&mut **solver).map_err(fault)?);
            if live_bytes() > self.budget.memory {
                return Err(fault(Wrong::Machine(Cause::Memory(self.budget.memory).into())));
            }
        }
        Ok(found)
    }

    /// The answers as packed ground terms, one for each unbound argument.
    fn terms(
        &self,
        doing: &'static str,
        pred: PredId,
        args: &[Option<&Packed>],
        position: Option<&Position>,
        limit: usize,
    ) -> Asked<Vec<Vec<Packed>>> {
        let mut packer = self.packer.take();
        packer.clear();
        let mut count = 0;
        self.ask(doing, pred, args, position, limit, |solver| {
            count = solver.answer().len();
            (0..count).try_for_each(|at| {
                let value = solver.answer()[at];
                self.add(&mut packer, solver, value, pred)
            })
        })?;
        let found: Vec<Packed> = packer.finish().collect();
        self.packer.replace(packer);
        Ok(found.chunks(count.max(1)).map(<[Packed]>::to_vec).collect())
    }

    /// Adds a term of an answer to those that are packed together.
    fn add(&self, packer: &mut Packer, solver: &mut dyn Solver, value: Term, pred: PredId) -> Result<(), Wrong> {
        let store = solver.store();
        let limit = store.words_left();
        match packer.add(&store.heap, value, limit) {
            Some(true) => Ok(()),
            Some(false) => {
                let answer = packer.finish().last().map(|packed| text(&packed, &self.rules.program.ops, 200));
                let indicator = self.program().indicator(pred);
                Err(Wrong::Answer(
                    "A0605",
                    format!("{indicator} leaves a variable in its answer {}", answer.unwrap_or_default()),
                    "bind every variable of the answer".to_string(),
                ))
            }
            None => Err(Wrong::Machine(Cause::Memory(store.memory).into())),
        }
    }

    fn holds(&self, doing: &'static str, pred: Option<PredId>, args: &[&Position]) -> Asked<bool> {
        let Some(pred) = pred else { return Ok(false) };
        let given = args.first().map(|arg| Some(&arg.0));
        let found = self.ask(doing, pred, given.as_slice(), args.first().copied(), 1, |_| Ok(()))?;
        Ok(!found.is_empty())
    }

    fn clause_span(&self, pred: PredId) -> Option<Span> {
        let first = self.program().predicate(pred).clauses.first()?;
        Some(first.tree.span(first.head))
    }

    fn wrong(
        &self,
        doing: &'static str,
        position: Option<&Position>,
        pred: PredId,
        code: &'static str,
        message: &str,
        help: &str,
    ) -> RuleFault {
        RuleFault {
            doing,
            position: position.map(|position| position.0.clone()),
            span: self.clause_span(pred),
            wrong: Wrong::Answer(code, message.to_string(), help.to_string()),
        }
    }

    /// The openings that `initial/1` offers.
    pub fn openings(&self) -> Asked<Vec<Position>> {
        let Some(pred) = self.rules.contract.initial else { return Ok(Vec::new()) };
        let found = self.terms("asking for initial positions", pred, &[None], None, MAX_OPENINGS)?;
        if found.is_empty() {
            return Err(self.wrong(
                "asking for initial positions",
                None,
                pred,
                "A0501",
                "initial/1 gives no position",
                "write initial(Pos). with the start position",
            ));
        }
        Ok(found.into_iter().map(|mut terms| Position(terms.remove(0))).collect())
    }

    /// Whether `terminal/1` holds.
    pub fn is_terminal(&self, state: &Position) -> Asked<bool> {
        self.holds("asking terminal/1", self.rules.contract.terminal, &[state])
    }

    /// What `max_to_move/1` and `min_to_move/1` say, each where it is defined.
    pub fn sides(&self, state: &Position) -> Asked<(Option<bool>, Option<bool>)> {
        let contract = self.rules.contract;
        let ask = |pred: Option<PredId>| match pred {
            Some(_) => self.holds("asking whose turn it is", pred, &[state]).map(Some),
            None => Ok(None),
        };
        Ok((ask(contract.max_to_move)?, ask(contract.min_to_move)?))
    }

    /// The moves as the rules give them, in their order; none is not a fault.
    fn raw_moves(&self, state: &Position) -> Asked<Vec<RuleMove>> {
        let doing = "generating the moves";
        let contract = self.rules.contract;
        if let Some(pred) = contract.labelled {
            let found = self.terms(doing, pred, &[Some(&state.0), None, None], Some(state), usize::MAX)?;
            let pair = |mut terms: Vec<Packed>| {
                let next = terms.pop()?;
                Some(RuleMove { label: terms.pop()?, next: Position(next) })
            };
            return Ok(found.into_iter().filter_map(pair).collect());
        }
        let Some(pred) = contract.moves else { return Ok(Vec::new()) };
        let mut packer = self.packer.take();
        packer.clear();
        self.ask(doing, pred, &[Some(&state.0), None], Some(state), 1, |solver| {
            let list = solver.answer()[0];
            let items = proper(solver, list)?;
            items.into_iter().try_for_each(|item| self.add(&mut packer, solver, item, pred))
        })?;
        let moves = packer.finish().map(|next| RuleMove { label: next.clone(), next: Position(next) }).collect();
        self.packer.replace(packer);
        Ok(moves)
    }

    /// How many moves the rules give, where none of them needs to be seen.
    fn raw_count(&self, state: &Position) -> Asked<usize> {
        let doing = "generating the moves";
        let contract = self.rules.contract;
        let Some(pred) = contract.labelled.or(contract.moves) else { return Ok(0) };
        let labelled = contract.labelled.is_some();
        let args = [Some(&state.0), None, None];
        let (args, limit) = if labelled { (&args[..], usize::MAX) } else { (&args[..2], 1) };
        let mut packer = self.packer.take();
        packer.clear();
        let counts = self.ask(doing, pred, args, Some(state), limit, |solver| {
            let first = solver.answer()[0];
            let terms = if labelled { solver.answer().to_vec() } else { proper(solver, first)? };
            let count = if labelled { 1 } else { terms.len() };
            if !solver.answers_ground() {
                for term in terms {
                    self.add(&mut packer, solver, term, pred)?;
                    packer.clear();
                }
            }
            Ok(count)
        });
        self.packer.replace(packer);
        counts.map(|counts| counts.into_iter().sum())
    }

    /// The legal moves, a pass included where the game says so; none where the
    /// game is over, or where the rules have forgotten it.
    pub fn legal_moves(&self, state: &Position) -> Asked<Vec<RuleMove>> {
        if let Some((_, moves)) = self.recent.borrow().as_ref().filter(|(recent, _)| recent == state) {
            return Ok(moves.clone());
        }
        let mut moves = self.raw_moves(state)?;
        if let (true, NoMoves::Pass, Some(pass)) = (moves.is_empty(), self.no_moves, self.rules.contract.pass) {
            let found = self.terms("asking pass/2", pass, &[Some(&state.0), None], Some(state), 1)?;
            let label = Packed::atom(Atom::new("pass"));
            moves.extend(
                found.into_iter().map(|mut terms| RuleMove { label: label.clone(), next: Position(terms.remove(0)) }),
            );
        }
        if self.no_moves != NoMoves::Fault {
            // Whether the game is over was asked by looking for moves.
            *self.recent.borrow_mut() = Some((state.clone(), moves.clone()));
        }
        Ok(moves)
    }

    /// The number that `static_eval/2` gives, for Max; 0 where it is missing.
    pub fn static_eval(&self, state: &Position) -> Asked<f64> {
        let doing = "evaluating";
        let Some(pred) = self.rules.contract.static_eval else { return Ok(0.0) };
        let found = self.ask(doing, pred, &[Some(&state.0), None], Some(state), 1, |solver| {
            let value = solver.answer()[0];
            number(solver, value).map_err(|message| {
                Wrong::Answer(
                    "A0606",
                    format!("static_eval/2 {message}"),
                    "its second argument must be a number".to_string(),
                )
            })
        })?;
        found.first().copied().ok_or_else(|| {
            self.wrong(
                doing,
                Some(state),
                pred,
                "A0606",
                "static_eval/2 fails",
                "it must give a number for every position; add a last clause static_eval(_, 0).",
            )
        })
    }

    /// What `outcome/2` says of a finished position.
    pub fn outcome(&self, state: &Position) -> Asked<Option<Ending>> {
        let doing = "asking outcome/2";
        let Some(pred) = self.rules.contract.outcome else { return Ok(None) };
        let help = "at the end of a game it is win(max), win(min), draw or score(N)";
        let found = self.ask(doing, pred, &[Some(&state.0), None], Some(state), 1, |solver| {
            let result = solver.answer()[0];
            ending(solver, result).ok_or_else(|| {
                let store = solver.store();
                let answer = pack(&store.heap, result, 1 << 16)
                    .map_or_else(String::new, |packed| text(&packed, &store.ops, 200));
                Wrong::Answer("A0606", format!("outcome/2 gives {answer}"), help.to_string())
            })
        })?;
        match found.first() {
            Some(ending) => Ok(Some(*ending)),
            None => Err(self.wrong(doing, Some(state), pred, "A0606", "outcome/2 fails at the end of a game", help)),
        }
    }

    /// The answers of a predicate that takes a term and gives one, such as
    /// `show/2`; `None` where it is not defined or fails.
    pub fn one(&self, doing: &'static str, pred: Option<PredId>, given: &[&Packed]) -> Asked<Option<Packed>> {
        let Some(pred) = pred else { return Ok(None) };
        let mut args: Vec<Option<&Packed>> = given.iter().map(|term| Some(*term)).collect();
        args.push(None);
        self.terms(doing, pred, &args, None, 1).map(|found| found.into_iter().next().map(|mut terms| terms.remove(0)))
    }

    fn without_moves(&self, state: &Position) -> Asked<bool> {
        Ok(self.no_moves != NoMoves::Fault && self.legal_moves(state)?.is_empty())
    }
}

impl Game for RuleGame {
    type State = Position;
    type Move = RuleMove;
    type Fault = RuleFault;

    fn turn(&self, state: &Position) -> Asked<Turn> {
        if self.is_over(state)? {
            return Ok(Turn::Over);
        }
        let contract = self.rules.contract;
        let max = match contract.max_to_move {
            Some(_) => self.holds("asking whose turn it is", contract.max_to_move, &[state])?,
            None => !self.holds("asking whose turn it is", contract.min_to_move, &[state])?,
        };
        Ok(if max { Turn::Max } else { Turn::Min })
    }

    fn moves(&self, state: &Position, moves: &mut Vec<RuleMove>) -> Asked<()> {
        let found = self.legal_moves(state)?;
        let Some(pred) = self.rules.contract.labelled.or(self.rules.contract.moves) else { return Ok(()) };
        if found.is_empty() {
            let help =
                "let terminal/1 hold there, or write no_moves(loss), no_moves(draw), no_moves(pass) or no_moves(eval)";
            return Err(self.wrong(
                "generating the moves",
                Some(state),
                pred,
                "A0607",
                "no move in a position that is not terminal",
                help,
            ));
        }
        moves.extend(found);
        Ok(())
    }

    fn is_over(&self, state: &Position) -> Asked<bool> {
        Ok(self.is_terminal(state)? || self.without_moves(state)?)
    }

    fn count_moves(&self, state: &Position) -> Asked<usize> {
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

    fn apply(&self, _: &Position, mv: &RuleMove) -> Asked<Position> {
        Ok(mv.next.clone())
    }

    fn ending(&self, state: &Position) -> Asked<Option<Ending>> {
        let outranks = matches!(self.no_moves, NoMoves::Loss | NoMoves::Draw | NoMoves::Eval);
        if outranks && !self.is_terminal(state)? {
            match self.no_moves {
                NoMoves::Draw => return Ok(Some(Ending::Draw)),
                NoMoves::Eval => return Ok(None),
                _ => {}
            }
            let (max, min) = self.sides(state)?;
            let max_moves = max.unwrap_or_else(|| !min.unwrap_or(false));
            return Ok(Some(Ending::Won(if max_moves { Side::Min } else { Side::Max })));
        }
        self.outcome(state)
    }

    fn acyclic(&self) -> bool {
        self.acyclic
    }

    fn repetition_is_draw(&self) -> bool {
        self.repetition
    }

    fn value_range(&self) -> Option<(f64, f64)> {
        self.range
    }
}

/// The opinion that the rules themselves hold, by `static_eval/2`.
pub struct RuleEval;

impl Heuristic<RuleGame> for RuleEval {
    fn evaluate(&self, game: &RuleGame, state: &Position) -> Asked<f64> {
        let value = game.static_eval(state)?;
        match (game.range, game.rules.contract.static_eval) {
            (Some((low, high)), Some(pred)) if !(low..=high).contains(&value) => {
                let message = format!("static_eval/2 gives {value}, outside value_range({low}, {high})");
                Err(game.wrong(
                    "evaluating",
                    Some(state),
                    pred,
                    "A0611",
                    &message,
                    "widen value_range/2, or keep the evaluation inside",
                ))
            }
            _ => Ok(value),
        }
    }
}
