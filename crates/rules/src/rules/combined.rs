//! Questions that are asked ahead: several about one position as one goal.
//!
//! In: a game's program. Out: predicates that ask, in the order in which a
//! search would, whether the game is over, whose turn it is, and what comes
//! next: the evaluation or the moves. Where one of them goes wrong in any way,
//! the answer counts for nothing, and from then on the questions are asked one
//! by one: so faults stay those of single questions. A goal that comes close to
//! its budget of memory may be caught at another question than alone.

use crate::rules::answer::{length, number};
use crate::rules::ask::{Asker, Question};
use crate::rules::contract::Contract;
use crate::rules::position::{Position, RuleMove};
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::{Clause, Key, PRELUDE, PredId, Predicate, Program, USER};
use alphorn_lang::lang::read;
use alphorn_prolog::term::heap::TermView;
use alphorn_prolog::term::pack::Packer;
use alphorn_search::game::ToMove;
use alphorn_text::source::SourceId;
use alphorn_text::symbol::Atom;
use std::cell::Cell;

/// The predicates that are added to a game's program.
#[derive(Clone, Copy, Debug)]
pub(super) struct CombinedQuestions {
    /// Over and the evaluation, or whose turn and the moves.
    turn: PredId,
    /// Whether over, and the evaluation.
    leaf: PredId,
    /// Whether over, or the moves.
    open: PredId,
}

/// What the second argument of each of them says.
const OVER: i64 = 0;
const MAX: i64 = 1;

impl CombinedQuestions {
    /// Adds the predicates; none where the game is of another kind.
    pub(super) fn add(program: &mut Program, contract: &Contract) -> Option<CombinedQuestions> {
        contract.terminal.and(contract.moves)?;
        if contract.chance.is_some() {
            return None;
        }
        let plain = contract.labelled.is_none() && contract.outcome.is_none() && contract.no_moves.is_none();
        // Where both hold or neither, there is no answer, and single questions tell what is wrong.
        let (first, second) = match (contract.max_to_move, contract.min_to_move) {
            (Some(_), Some(_)) => ("1, L) :- max_to_move(P), !, \\+ min_to_move(P)", "2, L) :- min_to_move(P),"),
            (Some(_), None) => ("1, L) :- max_to_move(P), !", "2, L) :-"),
            (None, Some(_)) => ("2, L) :- min_to_move(P), !", "1, L) :-"),
            (None, None) => return None,
        };
        contract.static_eval.filter(|_| plain)?;
        let over = "0, V) :- terminal(P), !, static_eval(P, V).";
        let turn = format!("'$turn'(P, {over} '$turn'(P, {first}, moves(P, L). '$turn'(P, {second} moves(P, L).");
        let leaf = format!("'$leaf'(P, {over} '$leaf'(P, 1, V) :- static_eval(P, V).");
        let open = "'$open'(P, 0, 0) :- terminal(P), !. '$open'(P, 1, L) :- moves(P, L).";
        let [turn, leaf, open] = [&*turn, &*leaf, open].map(|text| define(program, text));
        Some(CombinedQuestions { turn, leaf, open })
    }
}

/// Adds a predicate of three arguments that nobody else can name, from a text of ours.
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

/// The same of any number of arguments, from clauses.
pub(super) fn hidden(program: &mut Program, name: Atom, arity: usize, clauses: Vec<Clause>) -> PredId {
    let id = PredId(program.predicates.len() as u32);
    program.predicates.push(Predicate {
        key: Key { scope: PRELUDE, name, arity },
        defined: None,
        clauses,
        tabled: false,
        meta: "".into(),
        doc: None,
        exported: false,
    });
    id
}

/// What was found out ahead, about the position asked about last.
#[derive(Clone, Copy, Default)]
struct Known {
    place: (u64, u32),
    /// Its evaluation.
    value: Option<f64>,
    /// The question whose answer holds its moves, while that was the last.
    moves: Option<u64>,
}

/// Asks ahead for one game.
#[derive(Default)]
pub(super) struct QueryCache {
    ahead: Cell<Option<CombinedQuestions>>,
    known: Cell<Known>,
    /// Whether moves are asked for after it was asked whether a game is over,
    /// and not the evaluation.
    moves_follow: Cell<bool>,
}

impl QueryCache {
    pub(super) fn new(ahead: Option<CombinedQuestions>) -> QueryCache {
        QueryCache { ahead: Cell::new(ahead), ..QueryCache::default() }
    }

    /// Asks one of the predicates: what its second argument says, and what is
    /// known from then on; `None` where single questions must be asked.
    fn ask(&self, asker: &Asker, pred: PredId, state: &Position, leaf: bool) -> Option<i64> {
        let question = Question { doing: "asking ahead", pred, args: &[Some(&state.0), None, None], position: None };
        let open = self.ahead.get()?.open;
        let mut found = None;
        let asked = asker.each(question, 1, |solver| {
            let (what, value) = (solver.answer()[0], solver.answer()[1]);
            let TermView::Int(what) = solver.store().heap.view(what) else { return Ok(()) };
            // What is open or over tells no evaluation.
            let judged = leaf || what == OVER && pred != open;
            let value = if judged { number(solver, value).ok() } else { None };
            found = Some((what, value));
            Ok(())
        });
        if asked.is_err() {
            self.ahead.set(None);
            return None;
        }
        let (what, value) = found?;
        let moves = (!leaf && what != OVER).then(|| asker.asked());
        self.known.set(Known { place: state.0.place(), value, moves });
        Some(what)
    }

    /// Whose turn it is.
    pub(super) fn turn(&self, asker: &Asker, state: &Position) -> Option<ToMove> {
        let what = self.ask(asker, self.ahead.get()?.turn, state, false)?;
        Some(match what {
            OVER => ToMove::Over,
            MAX => ToMove::Max,
            _ => ToMove::Min,
        })
    }

    /// Whether the game is over.
    pub(super) fn is_over(&self, asker: &Asker, state: &Position) -> Option<bool> {
        let ahead = self.ahead.get()?;
        let what = match self.moves_follow.get() {
            true => self.ask(asker, ahead.open, state, false)?,
            false => self.ask(asker, ahead.leaf, state, true)?,
        };
        Some(what == OVER)
    }

    /// The evaluation, where it is known.
    pub(super) fn value(&self, state: &Position) -> Option<f64> {
        let known = self.known.get();
        if known.place == state.0.place() && known.value.is_some() {
            return known.value;
        }
        self.moves_follow.set(false);
        None
    }

    /// Adds the moves, where they are known and sound; whether they were.
    pub(super) fn moves(
        &self,
        asker: &Asker,
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

    /// How many moves there are, where that is known.
    pub(super) fn count(&self, asker: &Asker, state: &Position) -> Option<usize> {
        self.holds_moves(asker, state)?;
        asker.last(|solver| {
            let list = solver.answer()[1];
            let sound = solver.answers_ground();
            length(&solver.store().heap, list).ok().filter(|_| sound)
        })
    }

    /// Whether the answer given last holds the moves of a position.
    fn holds_moves(&self, asker: &Asker, state: &Position) -> Option<CombinedQuestions> {
        let known = self.known.get();
        if known.place == state.0.place() && known.moves == Some(asker.asked()) {
            return self.ahead.get();
        }
        self.moves_follow.set(true);
        None
    }
}
