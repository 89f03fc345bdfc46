//! Calls of predicates in the prover: clauses, builtins, tables, terms.
//!
//! A call adds the next tasks, or fails. Clauses and answers come in the order of the reference
//! solver. Only `reason` uses this module.

use crate::machine::called::{CalledGoal, Callees};
use crate::machine::fault::{Cause, Fault};
use crate::machine::reference::Reference;
use crate::machine::skeleton::{Skeleton, control};
use crate::machine::{BuiltinCode, BuiltinResult, SolverBuiltin};
use crate::reason::body::{Body, Frame, GoalForm, GoalId};
use crate::reason::node::{Above, NodeGoal, ProofMethod};
use crate::reason::prover::{Call, ChoiceKind, Prover, Task};
use crate::term::Term;
use crate::term::heap::{Heap, TermView};
use alphorn_lang::lang::ast::{NodeId, TermKind as Leaf, TermTree};
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_text::signature::BuiltinId;
use alphorn_text::symbol::{Atom, atoms};
use std::rc::Rc;

impl Prover {
    pub(super) fn call(&mut self, frame: &Rc<Frame>, goal: GoalId, above: Above) -> Result<bool, Fault> {
        match frame.body.form(goal) {
            GoalForm::Call(Callee::User(pred), args) => {
                self.store.charge(1)?;
                let args = frame.build_all(&mut self.store.heap, args);
                let node = self.note(frame, goal, above, ProofMethod::Open);
                if !self.is_own(*pred) {
                    self.keep_call(node, frame, goal);
                }
                self.enter(*pred, args, node, above)
            }
            GoalForm::Call(Callee::Native(id), args) => {
                let args = frame.build_all(&mut self.store.heap, args);
                let node = self.note(frame, goal, above, ProofMethod::Builtin);
                self.keep_call(node, frame, goal);
                self.native(*id, args, node, above)
            }
            GoalForm::Call(Callee::Unknown(name, arity), _) => {
                Err(Fault::unknown_procedure(&mut self.store.heap, *name, *arity))
            }
            GoalForm::Meta(at) => {
                self.store.charge(1)?;
                let term = frame.build(&mut self.store.heap, *at);
                let node = self.note(frame, goal, above, ProofMethod::Builtin);
                self.keep_call(node, frame, goal);
                self.call_term(term, &[], node, above)
            }
            _ => unreachable!("goal() takes the others"),
        }
    }

    /// Calls a predicate of the program.
    fn enter(&mut self, pred: PredId, args: Vec<Term>, node: Option<u32>, above: Above) -> Result<bool, Fault> {
        let node = match (node, self.is_own(pred)) {
            (None, true) if above.is_some() => {
                let name = self.program.predicate(pred).key.name;
                let term = self.store.heap.structure(name, &args);
                self.note_as(NodeGoal::Term(term), above, ProofMethod::Open)
            }
            (node, _) => node,
        };
        if self.program.predicate(pred).tabled {
            self.mark(node, ProofMethod::Table);
            let call = self.store.heap.structure(atoms::CALL, &args);
            let table = self.table(pred, call)?;
            return self.table_answers(call, table, 0);
        }
        self.try_clauses(&Rc::new(Call { pred, args, node, above }), 0, None)
    }

    /// Tries clauses from one on; `retried` is the height of the choice point that retries the call.
    pub(super) fn try_clauses(&mut self, call: &Rc<Call>, from: usize, retried: Option<usize>) -> Result<bool, Fault> {
        let program = self.program.clone();
        let clauses = &program.predicate(call.pred).clauses;
        let find = |heap: &Heap, from: usize| {
            (from..clauses.len()).find(|at| {
                let tree = &clauses[*at].tree;
                let args = tree.args(clauses[*at].head);
                args.iter().zip(&call.args).all(|(wanted, given)| may_match(tree, *wanted, heap, *given))
            })
        };
        let barrier = retried.unwrap_or(self.choices.len());
        let mut chosen = retried.is_some();
        let mut next = find(&self.store.heap, from);
        while let Some(at) = next {
            next = find(&self.store.heap, at + 1);
            match next {
                Some(after) if chosen => self.choices[barrier].kind = ChoiceKind::Clauses(call.clone(), after),
                Some(after) => {
                    self.push_choice(ChoiceKind::Clauses(call.clone(), after), self.next.clone());
                    chosen = true;
                }
                None => {
                    self.cut_to(barrier);
                    chosen = false;
                }
            }
            let body = self.body(call.pred, at);
            let frame = Rc::new(Frame::fresh(&body, &mut self.store.heap));
            if self.unify_head(&frame, clauses[at].head, &call.args)? {
                self.mark(call.node, ProofMethod::Clause(call.pred, at));
                let root = body.root;
                self.push(Task::Goal { frame, goal: root, barrier, above: call.node.or(call.above) });
                return Ok(true);
            }
            if chosen {
                self.restore();
            }
        }
        self.cut_to(barrier);
        Ok(false)
    }

    /// Unifies a head with arguments. Bindings stay even if the unification fails half way.
    pub(super) fn unify_head(&mut self, frame: &Frame, head: NodeId, args: &[Term]) -> Result<bool, Fault> {
        for (wanted, given) in frame.body.tree().args(head).iter().zip(args) {
            let wanted = frame.build(&mut self.store.heap, *wanted);
            if !self.store.unify(wanted, *given)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn native(&mut self, id: BuiltinId, args: Vec<Term>, node: Option<u32>, above: Above) -> Result<bool, Fault> {
        match self.runs[usize::from(id.0)] {
            BuiltinCode::Once(run) => run(&mut self.store, &args),
            BuiltinCode::Many(_) => self.run_many(id, args.into(), None),
            BuiltinCode::Solver(SolverBuiltin::Call) => {
                self.store.charge(1)?;
                self.call_term(args[0], &args[1..], node, above)
            }
            BuiltinCode::Solver(SolverBuiltin::Catch) => {
                self.store.charge(1)?;
                self.catch(&args, node, above)
            }
            BuiltinCode::Solver(SolverBuiltin::Control) => {
                let name = Atom::new(self.program.known.row(id).name);
                let goal = self.store.heap.structure(name, &args);
                self.call_term(goal, &[], node, above)
            }
        }
    }

    /// Calls a builtin that may have more answers, from the state that it left.
    pub(super) fn run_many(&mut self, id: BuiltinId, args: Rc<[Term]>, state: Option<Term>) -> Result<bool, Fault> {
        let BuiltinCode::Many(run) = self.runs[usize::from(id.0)] else {
            unreachable!("only these leave a choice point behind");
        };
        let height = self.choices.len();
        self.push_choice(ChoiceKind::Again(id, args.clone(), state), self.next.clone());
        if state.is_some() {
            self.store.charge(1)?;
        }
        let (found, left) = match run(&mut self.store, &args, state)? {
            BuiltinResult::No => (false, None),
            BuiltinResult::BoolResult => (true, None),
            BuiltinResult::Again(state) => (true, Some(state)),
            BuiltinResult::Later(state) => (false, Some(state)),
        };
        match left {
            Some(state) => self.choices[height].kind = ChoiceKind::Again(id, args, Some(state)),
            None => self.cut_to(height),
        }
        Ok(found)
    }

    fn catch(&mut self, args: &[Term], node: Option<u32>, above: Above) -> Result<bool, Fault> {
        self.catches += 1;
        self.push_choice(ChoiceKind::Catch(self.catches, args[1], args[2]), self.next.clone());
        self.push(Task::LeaveCatch(self.catches));
        self.call_term(args[0], &[], node, above)
    }

    /// Calls a term with further arguments.
    pub(super) fn call_term(
        &mut self,
        goal: Term,
        extra: &[Term],
        node: Option<u32>,
        above: Above,
    ) -> Result<bool, Fault> {
        let mut goal = self.store.heap.deref(goal);
        let mut extra = extra.to_vec();
        loop {
            let called = CalledGoal::of(&self.program, &mut self.store, goal, extra)?;
            goal = called.goal;
            let Some((name, arity)) = self.store.heap.functor(goal) else {
                return Err(match self.store.heap.view(goal) {
                    TermView::Var(_) => Fault::instantiation(&mut self.store.heap),
                    _ => Fault::type_error(&mut self.store.heap, "callable", goal),
                });
            };
            let mut args = self.store.heap.args(goal);
            args.extend(&called.extra);
            let total = args.len();
            debug_assert!(total >= arity, "arguments are only added");
            if control(name, total).is_some() {
                let goal = called.whole(&mut self.store, name, &args);
                let frame = self.built(goal)?;
                self.prove(&frame, frame.body.root, node.or(above));
                return Ok(true);
            }
            match called.callee(&self.program, &mut Callees::default(), &mut self.store, name, &mut args) {
                None | Some(Callee::Unknown(..)) => return Err(called.unknown(&mut self.store, name, total)),
                Some(Callee::User(pred)) => return self.enter(pred, args, node, above),
                Some(Callee::Native(id)) => match self.runs[usize::from(id.0)] {
                    BuiltinCode::Solver(SolverBuiltin::Call) => {
                        goal = self.store.heap.deref(args[0]);
                        extra = args.split_off(1);
                    }
                    BuiltinCode::Solver(SolverBuiltin::Catch) => return self.catch(&args, node, above),
                    _ => return self.native(id, args, node, above),
                },
            }
            self.store.charge(1)?;
        }
    }

    /// A frame with a term as its goal.
    pub(super) fn built(&mut self, goal: Term) -> Result<Rc<Frame>, Fault> {
        let (skeleton, root) = Skeleton::of(&self.program, &self.store.heap, goal, self.store.memory)?;
        let program = self.program.clone();
        let resolved = skeleton.resolve(&program, &mut self.store, goal, root)?;
        self.store.charge(1 + skeleton.tree.len() as u64 / 4)?;
        let body = Body::of_goal(&skeleton.tree, &resolved, true);
        Ok(Rc::new(Frame { body, vars: skeleton.terms }))
    }

    /// The number of the complete table of a call.
    fn table(&mut self, pred: PredId, call: Term) -> Result<usize, Fault> {
        let args = self.store.heap.args(call);
        let table = self.tables.of_call(&mut self.store, pred, &args, 0)?;
        if self.tables.is_complete(table) {
            return Ok(table);
        }
        let new = || Box::new(Reference::new(self.program.clone(), self.runs.clone(), self.stop.clone()));
        let solver = self.completer.get_or_insert_with(new);
        solver.complete_table(&mut self.store, &mut self.tables, (pred, &args))?;
        Ok(table)
    }

    /// Gives the answers of a table, from one on.
    pub(super) fn table_answers(&mut self, call: Term, table: usize, at: usize) -> Result<bool, Fault> {
        if !self.tables.has_answer(table, at) {
            return Ok(false);
        }
        if !self.tables.is_last(table, at) {
            self.push_choice(ChoiceKind::Answers(call, table, at + 1), self.next.clone());
        }
        self.store.charge(1)?;
        let args = self.store.heap.args(call);
        self.tables.unify(&mut self.store, table, at, &args)
    }

    /// Returns an error if the result of a findall cannot be a list.
    pub(super) fn check_lists(&mut self, frame: &Frame, goal: GoalId) -> Result<(), Fault> {
        let GoalForm::Findall { list, .. } = frame.body.form(goal) else { return Ok(()) };
        let list = frame.build(&mut self.store.heap, *list);
        let (_, end) = self.store.heap.elements(list);
        if !self.store.heap.is_var(end) && end != Term::atom(atoms::NIL) {
            return Err(Fault::type_error(&mut self.store.heap, "list", list));
        }
        Ok(())
    }
}

/// Whether a part of a head may match a term. Only the tops of the terms are compared.
fn may_match(tree: &TermTree, wanted: NodeId, heap: &Heap, given: Term) -> bool {
    match (tree.kind(wanted), heap.view(given)) {
        (Leaf::Var(_), _) | (_, TermView::Var(_)) => true,
        (Leaf::Atom(name), TermView::Atom(other)) => *name == other,
        (Leaf::Int(value), TermView::Int(other)) => *value == other,
        (Leaf::Compound(name, _), TermView::Compound(other, args)) => {
            *name == other && tree.args(wanted).len() == args.len()
        }
        (Leaf::Atom(_) | Leaf::Compound(..), _) | (_, TermView::Atom(_) | TermView::Compound(..)) => false,
        // Unification compares numbers and texts of other forms.
        _ => true,
    }
}

/// Whether a fault is a spent budget.
pub(super) fn is_spent(fault: &Fault) -> bool {
    matches!(fault.cause, Cause::Steps(_) | Cause::LongOperation(_) | Cause::Memory(_))
}
