//! Combined questions: several questions about one position, asked as one goal.
//!
//! [`CombinedQuestions::add`] adds predicates to a game's program. They answer in the order of a
//! search: whether the game is over, the player to move, then the evaluation or the moves. If a
//! combined question has a fault, its answer is discarded, and only single questions follow. So all
//! faults are faults of single questions. A goal near its memory budget may exceed the
//! budget at another question than it would alone.

use crate::rules::answer::{length, number};
use crate::rules::ask::{QueryRunner, RuleQuery};
use crate::rules::contract::Contract;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::{Clause, PRELUDE, PredId, Predicate, PredicateKey, Program, USER};
use alphorn_lang::lang::read;
use alphorn_prolog::machine::Solver;
use alphorn_prolog::term::heap::TermView;
use alphorn_prolog::term::pack::Packer;
use alphorn_search::game::ToMove;
use alphorn_text::source::SourceId;
use alphorn_text::symbol::Atom;
use std::cell::Cell;
use std::sync::Arc;

/// The predicates that are added to a game's program.
#[derive(Clone, Copy, Debug)]
pub(super) struct CombinedQuestions {
    /// The evaluation if the game is over, otherwise the player to move and the moves.
    pub(super) turn: PredId,
    /// Whether the game is over, and the evaluation.
    pub(super) leaf: PredId,
    /// Whether the game is over, and the moves if it is not.
    open: PredId,
}

/// Values of the second argument of these predicates.
pub(super) const OVER: i64 = 0;
pub(super) const MAX: i64 = 1;

impl CombinedQuestions {
    /// Adds the predicates; `None` if the game lacks the predicates that they need.
    pub(super) fn add(program: &mut Program, contract: &Contract) -> Option<CombinedQuestions> {
        let plain = contract.labelled.is_none() && contract.outcome.is_none() && contract.no_moves.is_none();
        contract.terminal.and(contract.static_eval).filter(|_| plain)?;
        CombinedQuestions::add_live(program, contract)
    }

    /// Adds the predicates for live positions, whose moves have no labels. The answer for a finished game
    /// is its result if the game has results. A position without moves has no answer if that has a meaning.
    pub(super) fn add_live(program: &mut Program, contract: &Contract) -> Option<CombinedQuestions> {
        if contract.chance.is_some() {
            return None;
        }
        let moves = match (contract.labelled, contract.moves) {
            (Some(_), _) => "findall(N, move(P, _, N), L)",
            (None, Some(_)) => "moves(P, L)",
            (None, None) => return None,
        };
        let ends_without_moves = contract.terminal.is_none() || contract.no_moves.is_some();
        let some_move = match contract.labelled {
            _ if !ends_without_moves => "",
            Some(_) => "move(P, _, _), !, ",
            None => "moves(P, L), !, L \\== [], ",
        };
        let value = if contract.static_eval.is_some() { "static_eval(P, V)" } else { "V = 0" };
        let end = if contract.outcome.is_some() { "outcome(P, V)" } else { value };
        // If both or neither hold, there is no answer, and single questions report the fault.
        let (first, second) = match (contract.max_to_move, contract.min_to_move) {
            (Some(_), Some(_)) => ("1, L) :- max_to_move(P), !, \\+ min_to_move(P)", "2, L) :- min_to_move(P),"),
            (Some(_), None) => ("1, L) :- max_to_move(P), !", "2, L) :-"),
            (None, Some(_)) => ("2, L) :- min_to_move(P), !", "1, L) :-"),
            (None, None) => return None,
        };
        let over = |name: &str, end: &str| match contract.terminal {
            Some(_) => format!("{name}(P, 0, V) :- terminal(P), !, {end}. {name}"),
            None => name.to_string(),
        };
        let turn = format!("{}(P, {first}, {moves}. '$turn'(P, {second} {moves}.", over("'$turn'", end));
        let leaf = format!("{}(P, 1, V) :- {some_move}{value}.", over("'$leaf'", end));
        let open = format!("{}(P, 1, L) :- {moves}.", over("'$open'", "V = 0"));
        let [turn, leaf, open] = [turn, leaf, open].map(|text| define(program, &text));
        Some(CombinedQuestions { turn, leaf, open })
    }
}

/// Makes the atoms of combined questions before those of rules, so that the numbers of the latter, and with
/// them the keys of positions, do not depend on how a game is asked.
pub(super) fn reserve_atoms() {
    for name in ["$turn", "$leaf", "$open", "P", "V", "L", "N"] {
        Atom::new(name);
    }
}

/// Adds a predicate of three arguments that no rule can call, from a text.
fn define(program: &mut Program, text: &str) -> PredId {
    let (mut clauses, mut from) = (Vec::new(), 0);
    let mut name = None;
    while let Some(reading) = read::clause(SourceId(0), text, from, &Ops::default()) {
        from = reading.next;
        let sentence = reading.sentence.expect("the text is our own");
        let tree = sentence.tree;
        let (head, body) = match *tree.args(sentence.root) {
            [head, body] => (head, Resolver::new(program, USER, &tree).goal(body)),
            _ => unreachable!("every clause of ours has a body"),
        };
        name = tree.functor(head).map(|(name, _)| name);
        clauses.push(Clause { head, body, span: sentence.span, tree });
    }
    hidden(program, name.expect("the text is our own"), 3, clauses)
}

/// Adds a predicate of any arity that no rule can call, from clauses.
pub(super) fn hidden(program: &mut Program, name: Atom, arity: usize, clauses: Vec<Clause>) -> PredId {
    let id = PredId(program.predicates.len() as u32);
    program.predicates.push(Arc::new(Predicate {
        key: PredicateKey { scope: PRELUDE, name, arity },
        defined: None,
        clauses,
        tabled: false,
        meta: "".into(),
        doc: None,
        exported: false,
    }));
    id
}

/// Reads an answer to a combined question: its second argument, and the evaluation. `leaf`: all answers
/// contain the evaluation; `judged`: those of finished games do.
fn read(solver: &mut dyn Solver, leaf: bool, judged: bool) -> Option<(i64, Option<f64>)> {
    let what = small(solver, 0)?;
    let judged = leaf || judged && what == OVER;
    let value = solver.answer()[1];
    Some((what, if judged { number(solver, value).ok() } else { None }))
}

/// A small integer of an answer.
pub(super) fn small(solver: &mut dyn Solver, argument: usize) -> Option<i64> {
    let value = solver.answer()[argument];
    match solver.store().heap.view(value) {
        TermView::Int(value) => Some(value),
        _ => None,
    }
}

/// What the last combined question found out about its position.
#[derive(Clone, Copy, Default)]
struct CombinedAnswer {
    place: (u64, u32),
    /// The evaluation of the position.
    value: Option<f64>,
    /// The question whose answer contains the moves. Only the last answer can be read.
    moves: Option<u64>,
}

/// Asks combined questions for one game and keeps what the last one found.
#[derive(Default)]
pub(super) struct QueryCache {
    ahead: Cell<Option<CombinedQuestions>>,
    known: Cell<CombinedAnswer>,
    /// Whether the search asks for the moves, and not the evaluation, after
    /// [`QueryCache::is_over`].
    moves_follow: Cell<bool>,
}

impl QueryCache {
    pub(super) fn new(ahead: Option<CombinedQuestions>) -> QueryCache {
        QueryCache { ahead: Cell::new(ahead), ..QueryCache::default() }
    }

    /// Asks a combined question and keeps what it finds. Returns its second argument, or `None` if
    /// single questions are needed.
    fn ask(&self, asker: &QueryRunner, pred: PredId, state: &Position, leaf: bool) -> Option<i64> {
        let question = RuleQuery { doing: "asking ahead", pred, args: &[Some(&state.0), None, None], position: None };
        let open = self.ahead.get()?.open;
        let mut found = None;
        let asked = asker.each(question, 1, |solver| {
            found = read(solver, leaf, pred != open);
            Ok(())
        });
        if asked.is_err() {
            self.ahead.set(None);
            return None;
        }
        let (what, value) = found?;
        let moves = (!leaf && what != OVER).then(|| asker.asked());
        self.known.set(CombinedAnswer { place: state.0.place(), value, moves });
        Some(what)
    }

    /// The player to move; `None` if a single question is needed.
    pub(super) fn turn(&self, asker: &QueryRunner, state: &Position) -> Option<ToMove> {
        let what = self.ask(asker, self.ahead.get()?.turn, state, false)?;
        Some(match what {
            OVER => ToMove::Over,
            MAX => ToMove::Max,
            _ => ToMove::Min,
        })
    }

    /// Whether the game is over; `None` if a single question is needed.
    pub(super) fn is_over(&self, asker: &QueryRunner, state: &Position) -> Option<bool> {
        let ahead = self.ahead.get()?;
        let what = match self.moves_follow.get() {
            true => self.ask(asker, ahead.open, state, false)?,
            false => self.ask(asker, ahead.leaf, state, true)?,
        };
        Some(what == OVER)
    }

    /// The evaluation, if the last combined question computed it.
    pub(super) fn value(&self, state: &Position) -> Option<f64> {
        let known = self.known.get();
        if known.place == state.0.place() && known.value.is_some() {
            return known.value;
        }
        self.moves_follow.set(false);
        None
    }

    /// Adds the moves if the last answer contains them, and returns whether it did.
    pub(super) fn moves(
        &self,
        asker: &QueryRunner,
        state: &Position,
        packer: &mut Packer,
        moves: &mut Vec<RuleMove>,
    ) -> bool {
        let Some(ahead) = self.holds_moves(asker, state) else { return false };
        let added = asker.last(|solver| {
            let list = solver.answer()[1];
            asker.add_all(packer, solver, list, ahead.open)
        });
        if added.is_err() {
            packer.clear();
            return false;
        }
        moves.extend(packer.finish().map(|next| RuleMove::to(Position(next))));
        true
    }

    /// The number of moves, if the last answer contains them.
    pub(super) fn count(&self, asker: &QueryRunner, state: &Position) -> Option<usize> {
        self.holds_moves(asker, state)?;
        asker.last(|solver| {
            let list = solver.answer()[1];
            let sound = solver.answers_ground();
            length(&solver.store().heap, list).ok().filter(|_| sound)
        })
    }

    /// The predicates, if the last answer contains the moves of a position.
    fn holds_moves(&self, asker: &QueryRunner, state: &Position) -> Option<CombinedQuestions> {
        let known = self.known.get();
        if known.place == state.0.place() && known.moves == Some(asker.asked()) {
            return self.ahead.get();
        }
        self.moves_follow.set(true);
        None
    }
}
