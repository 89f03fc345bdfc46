//! Unfolds calls of small predicates: the body replaces the call.
//!
//! The clause must be known, and its body may contain only tests, arithmetic and terms. Steps are
//! counted as for a call, and errors name the predicate.

use crate::machine::BuiltinCode;
use crate::machine::compile::clause::Emitter;
use crate::machine::compile::first_symbol::{FirstSymbol, key};
use crate::machine::compile::state::{Alternative, AlternativeStatus, Barrier, Var};
use crate::machine::ir::{From, Label, Mode, Op, Operand, Slot};
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId};
use alphorn_text::signature::BuiltinKind;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The most clauses that are tested one after the other, and the most goals of a body.
const MOST_CLAUSES: usize = 4;
const MOST_GOALS: usize = 12;

/// An unfolded call.
struct UnfoldedCall<'a, 'b> {
    pred: PredId,
    /// Whether the call is the last goal of its clause.
    last: bool,
    clauses: &'a [Clause],
    /// The argument that selects the clause.
    key: Option<usize>,
    /// The values of the input arguments.
    given: &'b [Option<From>],
    /// The slots of the output arguments.
    results: &'b [Option<Slot>],
}

/// The state of an argument after an unfolded call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultState {
    Solid,
    Any,
    /// The argument is still the free variable that it was.
    Nothing,
}

/// The parts of an emitter that belong to the current clause.
pub(super) struct ClauseContext<'a> {
    pub tree: &'a TermTree,
    pub ground: Rc<Vec<bool>>,
    pub counts: Vec<u32>,
    pub vars: Vec<Var>,
    pub own: Vec<Option<Slot>>,
    pub inside: Option<(PredId, bool)>,
}

impl<'a> Emitter<'a, '_> {
    /// Switches to another clause and returns the context of the previous one.
    pub(super) fn enter(&mut self, context: ClauseContext<'a>) -> ClauseContext<'a> {
        ClauseContext {
            tree: std::mem::replace(&mut self.tree, context.tree),
            ground: std::mem::replace(&mut self.ground, context.ground),
            counts: std::mem::replace(&mut self.counts, context.counts),
            vars: std::mem::replace(&mut self.state.vars, context.vars),
            own: std::mem::replace(&mut self.own, context.own),
            inside: std::mem::replace(&mut self.inside, context.inside),
        }
    }

    /// Unfolds a call. Returns `false` if it must remain a call.
    pub(super) fn unfold(&mut self, pred: PredId, args: &[NodeId], modes: &[Mode], last: bool) -> bool {
        let program = self.program;
        let predicate = program.predicate(pred);
        let clauses = &predicate.clauses;
        if modes.contains(&Mode::Any) || predicate.tabled || self.inside.is_some() || clauses.is_empty() {
            return false;
        }
        let by = if clauses.len() == 1 { None } else { Some(self.selecting_argument(clauses, modes)) };
        if by == Some(None) || clauses.len() > MOST_CLAUSES || !clauses.iter().all(|clause| self.is_small(&clause.body))
        {
            return false;
        }
        let given: Vec<Option<From>> = args
            .iter()
            .zip(modes)
            .map(|(arg, mode)| (*mode == Mode::Solid).then(|| self.build(*arg).0.from()))
            .collect();
        let shown: Vec<Operand> = given.iter().map(|from| Operand::of(from.unwrap_or(From::Fresh(0)))).collect();
        let operands = self.operands(&shown);
        self.site(Some(predicate.key.name), Some((operands, args.len() as u16)));
        self.emit(Op::Step { count: 1 });
        let results: Vec<Option<Slot>> =
            modes.iter().map(|mode| (*mode == Mode::Out).then(|| self.fresh_slot())).collect();
        let point = self.save_point();
        let written = UnfoldedCall { pred, last, clauses, key: by.flatten(), given: &given, results: &results };
        let mut gives = self.write_clauses(&written);
        if gives.is_none() {
            // One clause created choice points for outer alternatives, another did not.
            self.restore_point(&point);
            self.push_alternatives();
            gives = self.write_clauses(&written);
        }
        if self.state.dead {
            return true;
        }
        let gives = gives.unwrap_or_else(|| vec![ResultState::Any; args.len()]);
        for (at, result) in results.iter().enumerate() {
            if let (Some(d), Some(var)) = (result.filter(|_| gives[at] != ResultState::Nothing), self.as_free(args[at]))
            {
                self.assign(var, From::Slot(d), gives[at] == ResultState::Solid);
            }
        }
        true
    }

    /// Writes the clauses of a call and returns the states of the results. Returns `None` if the
    /// outer alternatives differ at the ends of the clauses.
    fn write_clauses(&mut self, call: &UnfoldedCall<'a, '_>) -> Option<Vec<ResultState>> {
        let UnfoldedCall { pred, last, clauses, results, .. } = *call;
        let mut gives = vec![ResultState::Solid; results.len()];
        let mut dead = true;
        let outside = self.state.alternatives.clone();
        let mut same = true;
        let span = self.span;
        let end = self.label();
        for (number, clause) in clauses.iter().enumerate() {
            let next = (number + 1 < clauses.len()).then(|| self.label());
            let context = self.context_of(clause, (pred, last));
            let before = self.enter(context);
            self.count_in(&clause.body, Some(clause.head));
            let head = clause.tree.args(clause.head);
            self.match_given(call, head, next);
            let barrier = Barrier { keep: self.state.alternatives.len(), height: None, activity: self.activity };
            self.write(&clause.body, barrier, false);
            let is_dead = std::mem::take(&mut self.state.dead);
            dead &= is_dead;
            for (at, result) in results.iter().enumerate() {
                let Some(d) = result.filter(|_| !is_dead) else { continue };
                if clauses.len() == 1 && self.is_left_free(head, at) {
                    gives[at] = ResultState::Nothing;
                    continue;
                }
                let (v, is_solid) = self.build(head[at]);
                if !is_solid {
                    gives[at] = ResultState::Any;
                }
                self.move_to(d, v.from());
            }
            self.enter(before);
            self.span = span;
            if is_dead {
                self.state.alternatives.clone_from(&outside);
            } else if next.is_some() {
                self.emit(Op::Jump { to: end });
            }
            if let Some(next) = next {
                self.place_label(next);
            }
            same &= clauses.len() == 1 || self.state.alternatives == outside;
        }
        self.place_label(end);
        self.state.dead = dead;
        same.then_some(gives)
    }

    /// Matches the input arguments with a head, first the argument that selects the clause: if it does
    /// not match, the code goes on at `next`.
    fn match_given(&mut self, call: &UnfoldedCall<'a, '_>, head: &[NodeId], next: Option<Label>) {
        let UnfoldedCall { key, given, .. } = *call;
        if let (Some(at), Some(from)) = (key, key.and_then(|at| given[at])) {
            if let Some(label) = next {
                let own = Alternative { label, status: AlternativeStatus::Near, condition: true, height: None };
                self.state.alternatives.push(own);
            }
            self.match_solid(head[at], from, false);
            if next.is_some() {
                self.state.alternatives.pop();
            }
        }
        for (at, from) in given.iter().enumerate() {
            match from {
                Some(from) if Some(at) != key => self.match_solid(head[at], *from, false),
                _ => {}
            }
        }
    }

    /// Returns whether an argument of the head is a free variable that occurs nowhere else in the head.
    fn is_left_free(&self, head: &[NodeId], at: usize) -> bool {
        let free = |var: u32| head.iter().map(|arg| self.occurrences(*arg, var)).sum::<usize>() == 1;
        self.as_free(head[at]).is_some_and(free)
    }

    fn context_of(&self, clause: &'a Clause, pred: (PredId, bool)) -> ClauseContext<'a> {
        let variables = clause.tree.variables.len();
        ClauseContext {
            tree: &clause.tree,
            ground: Rc::new(crate::machine::compile::clause::ground(&clause.tree)),
            counts: vec![0; variables],
            vars: vec![Var::default(); variables],
            own: vec![None; variables],
            inside: Some(pred),
        }
    }

    /// Returns whether a predicate may be unfolded.
    pub(super) fn may_unfold(&self, pred: PredId) -> bool {
        let clauses = &self.program.predicate(pred).clauses;
        clauses.len() <= MOST_CLAUSES && clauses.iter().all(|clause| self.is_small(&clause.body))
            || clauses.iter().all(|clause| matches!(clause.body, Goal::True))
    }

    /// Returns the input argument that is a different atom or small integer in each clause.
    fn selecting_argument(&self, clauses: &[Clause], modes: &[Mode]) -> Option<usize> {
        (0..modes.len()).filter(|at| modes[*at] == Mode::Solid).find(|at| {
            let mut seen = FxHashSet::default();
            clauses.iter().all(|clause| match key(&clause.tree, clause.tree.args(clause.head)[*at]) {
                FirstSymbol::Word(word) => word & crate::term::TAG != crate::term::HDR && seen.insert(word),
                _ => false,
            })
        })
    }

    /// Returns whether a body has few goals, and none that needs a frame.
    fn is_small(&self, body: &Goal) -> bool {
        let mut count = 0;
        let mut small = true;
        alphorn_lang::lang::goal::each_goal(body, &mut |goal| {
            count += 1;
            small &= match goal {
                Goal::True | Goal::Fail | Goal::Conj(_) | Goal::If(..) | Goal::Not(_) => true,
                Goal::Call { callee: Callee::Native(id), .. } => {
                    let row = self.library.inline[usize::from(id.0)];
                    !matches!(
                        row.how,
                        BuiltinKind::Plain
                            | BuiltinKind::Between
                            | BuiltinKind::Arg
                            | BuiltinKind::Univ
                            | BuiltinKind::Ground
                    ) && matches!(self.library.runs[usize::from(id.0)], BuiltinCode::Once(_))
                        || row.how == BuiltinKind::Arg
                }
                _ => false,
            };
        });
        small && count <= MOST_GOALS
    }
}
