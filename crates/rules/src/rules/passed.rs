//! Finds what goals of the library pass on: the first value of a fold, and lists of elements to remove.
//!
//! `foldl(add, List, 0, Sum)` calls `add/3` with 0 first, whatever later calls pass. `subtract(Xs, Ys, Zs)`
//! compares each element of Ys with those of Xs. The results are flows, as in `flows`. Nothing is run.

use crate::rules::flows::Flow;
use crate::rules::library::{Arg, FlowDirection, Row, Type};
use crate::rules::shape::{Form, Shape};
use crate::rules::shapes::Shapes;
use crate::rules::taker::Taker;
use crate::rules::term_context::TermContext;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::PredId;
use alphorn_text::source::Span;

impl Shapes<'_> {
    /// Adds the values with which a goal of the library calls a helper at first. `at` is the argument
    /// of the goal with the helper, which has so many arguments of its own.
    pub(super) fn first_values(
        &mut self,
        scene: &TermContext<'_>,
        (row, args): (&Row, &[NodeId]),
        (at, pred, own): (usize, PredId, usize),
        found: &mut Vec<Flow>,
    ) {
        let Some(Type::Closure(parts)) = row.get(at).map(|arg| &arg.of) else { return };
        for (number, part) in parts.iter().enumerate() {
            let (FlowDirection::From, Type::Var(wanted)) = (part.mode, &part.of) else { continue };
            let is_value =
                |arg: &Arg| arg.mode == FlowDirection::From && matches!(arg.of, Type::Var(other) if other == *wanted);
            let Some(place) = row.iter().position(is_value) else { continue };
            if own + number >= self.program.predicate(pred).key.arity {
                continue;
            }
            let made = self.term(scene, args[place], &mut Vec::new());
            let (taker, takes) = self.takes(pred, own + number);
            let span = scene.tree.span(args[place]);
            found.push(Flow { taker, span, from: None, pred, place: own + number, up: None, takes, made });
        }
    }

    /// Adds the elements that a goal of the library removes from a list, or looks for in it.
    pub(super) fn compared_lists(
        &mut self,
        scene: &TermContext<'_>,
        (row, args): (&Row, &[NodeId]),
        found: &mut Vec<Flow>,
    ) {
        let pred = scene.of.map_or(PredId(0), |(pred, _)| pred);
        let element = |arg: &Arg| match &arg.of {
            Type::List(of) => {
                if let Type::Var(own) = **of {
                    Some(own)
                } else {
                    None
                }
            }
            _ => None,
        };
        for (place, arg) in row.iter().enumerate().filter(|(_, arg)| arg.mode == FlowDirection::Compared) {
            let Some(own) = element(arg) else { continue };
            let holder = |arg: &Arg| arg.mode == FlowDirection::From && element(arg) == Some(own);
            let Some(list) = row.iter().position(holder) else { continue };
            let (span, of) = (scene.tree.span(args[place]), Shape::of(vec![Form::List(Shape::Any)]));
            let given = self.term(scene, args[place], &mut Vec::new());
            let is_variable = matches!(scene.tree.kind(args[place]), TermKind::Var(_));
            if is_variable {
                let (takes, made) = (of, given.clone());
                found.push(Flow { taker: Taker::List, span, from: None, pred, place, up: None, takes, made });
            }
            let made = self.term(scene, args[list], &mut Vec::new()).elements();
            let Shape::Of(forms) = given.elements() else { continue };
            for form in forms {
                let span = form.functor().and_then(|(_, spans)| only(spans)).unwrap_or(span);
                let (takes, made) = (Shape::of(vec![form]), made.clone());
                found.push(Flow { taker: Taker::Removed, span, from: None, pred, place, up: None, takes, made });
            }
        }
    }
}

fn only(spans: &[Span]) -> Option<Span> {
    spans.first().copied().filter(|_| spans.len() == 1)
}
