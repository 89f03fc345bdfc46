//! Specialises the clauses of a predicate for a call with known argument forms.
//!
//! The heads of the new clauses take the parts of the arguments one by one. In the bodies, the
//! forms replace the arguments. Clauses that cannot match are left out. A call of a term becomes a
//! goal if the term is known, with the steps that calling the term costs.

use crate::machine::compile::called::rewritten;
use crate::machine::compile::matched::{CannotSpecialise, MOST_NODES, Matched};
use crate::machine::compile::select::prepared;
use crate::machine::compile::{CallPattern, Library};
use crate::machine::ir::{ArgumentForm, Mode};
use crate::machine::skeleton::{NOWHERE, binding_arguments};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// The most versions of one predicate for known argument forms.
const MOST_FORMED: usize = 64;
/// The greatest number of clauses of a predicate that is specialised.
const MOST_CLAUSES: usize = 200;

impl Library {
    /// Returns the number of a version for known forms, or `None` if there are too many or it is impossible.
    pub(super) fn request_formed(&mut self, pred: PredId, forms: &[ArgumentForm], modes: &[Mode]) -> Option<u32> {
        let way = CallPattern { pred, forms: forms.into(), modes: modes.into() };
        if let Some(number) = self.versions.get(&way) {
            return Some(*number);
        }
        let count = self.formed_counts.entry(pred).or_insert(0);
        if *count >= MOST_FORMED || self.program.predicate(pred).tabled {
            return None;
        }
        *count += 1;
        let given: Vec<bool> = modes.iter().map(|mode| *mode == Mode::Solid).collect();
        let open = self.open_locals(pred, forms);
        let clauses = self.specialised(pred, forms, &given, &open).ok()?;
        let number = self.add(way);
        self.formed.insert(number, clauses.into());
        Some(number)
    }

    /// Returns the number of the version with the clauses of a tabled predicate, which fill its table. The forms of
    /// its arguments tell it from the version that reads the table.
    pub(super) fn request_clauses(&mut self, pred: PredId, modes: &[Mode]) -> u32 {
        let forms = if modes.is_empty() { vec![ArgumentForm::Int(0)] } else { vec![ArgumentForm::Part; modes.len()] };
        let way = CallPattern { pred, forms: forms.into(), modes: modes.into() };
        if let Some(number) = self.versions.get(&way) {
            return *number;
        }
        *self.formed_counts.entry(pred).or_insert(0) += 1;
        let program = self.program.clone();
        let clauses = &program.predicate(pred).clauses;
        let clauses = prepared(self, clauses).unwrap_or_else(|| clauses.to_vec());
        let number = self.add(way);
        self.formed.insert(number, clauses.into());
        number
    }

    /// Specialises the clauses for these forms. `given` says of each part whether it is ground, and `open` has the
    /// local variables that may be bound.
    fn specialised(
        &self,
        pred: PredId,
        forms: &[ArgumentForm],
        given: &[bool],
        open: &FxHashSet<u16>,
    ) -> Result<Vec<Clause>, CannotSpecialise> {
        let program = self.program.clone();
        let predicate = program.predicate(pred);
        let nodes: usize = predicate.clauses.iter().map(|clause| clause.tree.len()).sum();
        if predicate.clauses.len() > MOST_CLAUSES || nodes > MOST_NODES {
            return Err(CannotSpecialise);
        }
        let mut clauses = Vec::new();
        for clause in &predicate.clauses {
            let mut matched = Matched { tree: clause.tree.clone(), ..Matched::default() };
            if !matched.head(clause.tree.args(clause.head), forms)? {
                continue;
            }
            let sure = matched.is_sure();
            if let Goal::Conj(goals) = &clause.body {
                self.free_variables(&mut matched, &goals[0], given);
            }
            let written = rewritten(self, matched.into_copy(given, open), clause)?;
            let cuts = matches!(&written.body, Goal::Cut)
                || matches!(&written.body, Goal::Conj(goals) if matches!(goals.first(), Some(Goal::Cut)));
            clauses.push(written);
            if sure && cuts {
                break;
            }
        }
        Ok(clauses)
    }

    /// The variables that a goal can bind; see [`binding_arguments`].
    fn bindable_variables(&self, matched: &Matched, goal: NodeId) -> FxHashSet<u32> {
        let (mut goals, mut found) = (vec![goal], FxHashSet::default());
        while let Some(goal) = goals.pop() {
            let goal = matched.deref(goal);
            let functor = matched.tree.functor(goal);
            match functor.and_then(|(name, arity)| binding_arguments(name, arity, self.own_aggregate)) {
                Some(arguments) => {
                    let parts = matched.tree.args(goal);
                    goals.extend(arguments.goals.iter().map(|at| parts[*at]));
                    arguments.terms.iter().for_each(|at| found.extend(matched.variables(parts[*at])));
                }
                None => found.extend(matched.variables(goal)),
            }
        }
        found
    }

    /// Evaluates `'$free_variables'(T^Goal, Inner, Witness)` as first goal if the witness has no variable.
    fn free_variables(&self, matched: &mut Matched, goal: &Goal, given: &[bool]) {
        let Goal::Call { callee: Callee::Native(id), args, .. } = goal else { return };
        if self.program.known.row(*id).name != "$free_variables" {
            return;
        }
        let mut hidden = FxHashSet::default();
        let mut inner = matched.deref(args[0]);
        while let Some((left, right)) = matched.tree.binary(inner, atoms::CARET) {
            hidden.extend(matched.variables(left));
            inner = matched.deref(right);
        }
        if matched.tree.functor(inner).is_none_or(|(name, _)| name == atoms::COLON) {
            return;
        }
        // The value of a ground part has no variables.
        for (at, part) in matched.parts.clone().into_iter().enumerate() {
            if given[at] {
                hidden.extend(matched.variables(part));
            }
        }
        let free = self.bindable_variables(matched, inner).iter().any(|var| !hidden.contains(var));
        let (goal, witness) = (matched.deref(args[1]), matched.deref(args[2]));
        if let (false, TermKind::Var(goal), TermKind::Var(witness)) =
            (free, matched.tree.kind(goal), matched.tree.kind(witness))
        {
            let (goal, witness) = (*goal, *witness);
            let none = matched.tree.add(TermKind::Atom(Atom::new("v")), NOWHERE);
            matched.bound.insert(goal, inner);
            matched.bound.insert(witness, none);
        }
    }
}
