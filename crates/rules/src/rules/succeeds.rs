//! Decides whether a goal of the library may succeed if a variable has a given shape.
//!
//! The input is the types of the library predicate and the goal. A predicate that needs a list does not
//! succeed with another term, and one that looks for an element needs a list with such elements. Nothing
//! is run. Only `taken` calls this module.

use crate::rules::library::{FlowDirection, Row, Type, looked_for};
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::ast::{NodeId, TermTree};

/// Parts of the elements below this depth are not compared.
const DEEPEST: usize = 5;

/// Whether a goal of the library may succeed if the arguments that `is` selects have a shape.
pub(super) fn may_succeed(
    row: &Row,
    tree: &TermTree,
    args: &[NodeId],
    (is, shape): (&impl Fn(NodeId) -> bool, &Shape),
) -> bool {
    let mut needed =
        row.iter().zip(args).enumerate().filter(|(_, (arg, node))| arg.mode == FlowDirection::From && is(**node));
    fits_types(row, args, (is, shape))
        && needed.all(|(place, _)| {
            let elements = shape.elements();
            let is_told = matches!(&elements, Shape::Of(forms) if !forms.is_empty());
            let in_list = |(element, list): &(usize, usize)| {
                *list == place && matches!(row[*list].of, Type::List(_)) && row[*element].mode == FlowDirection::To
            };
            let fits = |(element, _): (usize, usize)| {
                Shape::of_text(tree, args[element], DEEPEST).meet(&elements) != ShapeMatch::Never
            };
            !is_told || looked_for(row).filter(in_list).all(fits)
        })
}

/// Whether the selected arguments may be the lists or association lists that the predicate needs.
pub(super) fn fits_types(row: &Row, args: &[NodeId], (is, shape): (&impl Fn(NodeId) -> bool, &Shape)) -> bool {
    let mut needed = row.iter().zip(args).filter(|(arg, node)| arg.mode == FlowDirection::From && is(**node));
    needed.all(|(arg, _)| {
        let takes = match arg.of {
            Type::List(_) => Form::List(Shape::Any),
            Type::Tree(_) => Form::Tree(Shape::Any),
            _ => return true,
        };
        Shape::of(vec![takes]).meet(shape) != ShapeMatch::Never
    })
}
