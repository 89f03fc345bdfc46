//! Finds clauses whose head has a variable in two arguments that are never the same term.
//!
//! `fits(Card, Card-_)` takes a card and its rank by the same name, so the clause never applies. The input is the
//! shapes of the arguments in all calls. This file is a part of `shapes`; `misfit` reports what it finds.

use crate::rules::meet::ShapeMatch;
use crate::rules::shape::Shape;
use crate::rules::shapes::Shapes;
use crate::rules::sketch::exact;
use crate::rules::term_context::given;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Clause, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use std::collections::BTreeMap;

/// A predicate with more clauses is a table.
const MOST_CLAUSES: usize = 100;

/// Parts of a head below this depth are not compared.
const DEEPEST: usize = 4;

/// The greatest number of forms that a problem lists.
const SHOWN: usize = 3;

/// A variable of a head that can have no value.
pub(super) struct SharedVariable {
    /// The predicate, and the name of the variable.
    pred: PredId,
    name: String,
    /// Two places of the variable, with the terms that come there.
    places: [(Span, Shape); 2],
}

/// A place of a variable: argument number, path, node.
type Place = (usize, Vec<(Atom, usize)>, NodeId);

impl Shapes<'_> {
    /// The variables of heads that can have no value.
    pub(super) fn shared(&mut self) -> Vec<SharedVariable> {
        let (program, mut found) = (self.program, Vec::new());
        for (id, pred) in (0..).map(PredId).zip(&program.predicates) {
            if program.is_users(pred.key.scope) && pred.clauses.len() <= MOST_CLAUSES {
                found.extend(pred.clauses.iter().filter_map(|clause| self.shared_in(id, clause)));
            }
        }
        found
    }

    /// The first variable of the head of a clause that can have no value.
    fn shared_in(&mut self, pred: PredId, clause: &Clause) -> Option<SharedVariable> {
        let inputs = self.inputs(pred);
        let given = given(clause, &inputs);
        let args = clause.tree.args(clause.head);
        for (number, places) in places(clause) {
            let mut known: Vec<(Span, Shape)> = Vec::new();
            for (place, path, node) in places {
                let shape = match given.iter().find(|(arg, _)| *arg == args[place]) {
                    Some((_, shape)) => shape.at(&path),
                    None => self.asked(pred, place).at(&path),
                };
                if matches!(&shape, Shape::Of(forms) if !forms.is_empty()) {
                    known.push((clause.tree.span(node), shape));
                }
            }
            let pairs = (0..known.len()).flat_map(|one| (one + 1..known.len()).map(move |other| (one, other)));
            let odd = pairs.into_iter().find(|(one, other)| never_equal(&known[*one].1, &known[*other].1));
            if let Some((one, other)) = odd {
                let name = clause.tree.variables.get(number as usize)?.name.to_string();
                return Some(SharedVariable { pred, name, places: [known[one].clone(), known[other].clone()] });
            }
        }
        None
    }
}

/// The places of each variable that occurs more than once in the head of a clause.
fn places(clause: &Clause) -> Vec<(u32, Vec<Place>)> {
    let tree = &clause.tree;
    let mut found: BTreeMap<u32, Vec<Place>> = BTreeMap::new();
    let args = tree.args(clause.head).iter().enumerate().rev();
    let mut stack: Vec<Place> = args.map(|(place, arg)| (place, Vec::new(), *arg)).collect();
    while let Some((place, path, node)) = stack.pop() {
        match tree.kind(node) {
            TermKind::Var(number) => found.entry(*number).or_default().push((place, path, node)),
            TermKind::Compound(name, _) if path.len() < DEEPEST && *name != atoms::DOT => {
                let below = tree.args(node).iter().enumerate().rev();
                let step = |at: usize| path.iter().copied().chain([(*name, at)]).collect();
                stack.extend(below.map(|(at, arg)| (place, step(at), *arg)));
            }
            _ => {}
        }
    }
    found.into_iter().filter(|(_, places)| places.len() > 1).collect()
}

/// Whether no term has both shapes. Different constants prove nothing: others may come.
fn never_equal(one: &Shape, other: &Shape) -> bool {
    let (there, back) = (one.meet(other), other.meet(one));
    there.min(back) >= ShapeMatch::Word && there.max(back) == ShapeMatch::Never
}

/// The warnings about variables that can have no value.
pub(super) fn problems(program: &Program, shared: &[SharedVariable]) -> Vec<Problem> {
    let words = |shape: &Shape| {
        let Shape::Of(forms) = shape else { return "anything".to_string() };
        let mut words: Vec<String> = forms.iter().take(SHOWN).map(|form| exact(form, &program.ops)).collect();
        words.dedup();
        words.join(" or ")
    };
    let problem = |shared: &SharedVariable| {
        let (name, pred) = (&shared.name, program.indicator(shared.pred));
        let [(first, one), (second, other)] = &shared.places;
        let (one, other) = (words(one), words(other));
        let message = format!("{name} stands for two different terms in this head, so the clause never applies");
        let problem = Problem::warning(Code::GoalNeverSucceeds, *first, message).label(format!("here it is {one}"));
        let problem = problem.also(*second, format!("here it is {other}"));
        problem.help(format!("calls of {pred} have {one} in one place, and {other} in the other: use two names"))
    };
    shared.iter().map(problem).collect()
}
