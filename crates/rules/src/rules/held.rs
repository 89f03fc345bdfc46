//! What goals of the library make of a variable: elements of lists, pairs of association lists.
//!
//! In: a goal and what is known of its arguments. Out: the shape of a variable after it. A part of `shapes`,
//! which calls it.

use crate::rules::shape::{Form, Origin, Shape};
use crate::rules::shapes::{Scene, Shapes, is_variable};
use crate::rules::sources::{OfTree, list_places};
use alphorn_lang::lang::ast::NodeId;
use alphorn_text::symbol::atoms;

impl Shapes<'_> {
    /// What a predicate of the library makes of a variable, by the list that it takes.
    pub(super) fn of_list(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        args: &[NodeId],
        number: u32,
        open: &mut Vec<u32>,
    ) -> Shape {
        let Some((element, list, other)) = list_places(name, args.len()) else { return Shape::Any };
        if let Some(element) = element
            && let Some(path) = self.path_to(scene.tree, args[element], number)
        {
            // Of a record with keys, the part with the key that is asked for.
            let lists = self.term(scene, args[list], open);
            let wanted = self.term(scene, args[element], open);
            return lists.elements_like(&wanted).at(&path);
        }
        if let Some(other) = other
            && is_variable(scene.tree, args[other], number)
        {
            let elements = self.term(scene, args[list], open).elements();
            return if elements == Shape::Any { Shape::Any } else { Shape::Of(vec![Form::List(elements)]) };
        }
        Shape::Any
    }

    /// The same by the tree of library(assoc) that it takes or gives.
    pub(super) fn of_tree(
        &mut self,
        scene: &Scene<'_>,
        of: OfTree,
        args: &[NodeId],
        number: u32,
        open: &mut Vec<u32>,
    ) -> Shape {
        let mut pairs = match of.tree.or(of.list) {
            Some(place) if !is_variable(scene.tree, args[place], number) => {
                self.term(scene, args[place], open).elements()
            }
            Some(_) => Shape::Any,
            None => Shape::NONE,
        };
        if let Some((key, value)) = of.pair {
            let parts = [key, value].map(|place| self.term(scene, args[place], open));
            let pair = Shape::Of(vec![Form::Compound(atoms::MINUS, parts.to_vec(), Origin::default())]);
            if of.puts {
                pairs.join(&pair);
            }
            for (place, part) in [key, value].into_iter().zip(0..) {
                if !of.puts
                    && let Some(path) = self.path_to(scene.tree, args[place], number)
                {
                    return pairs.at(&[(atoms::MINUS, part)]).at(&path);
                }
            }
        }
        let is = |place: Option<usize>| place.is_some_and(|place| is_variable(scene.tree, args[place], number));
        match (is(of.gives), is(of.list)) {
            (true, _) => Shape::Of(vec![Form::Tree(pairs)]),
            (false, true) if of.tree.is_some() => Shape::Of(vec![Form::List(pairs)]),
            _ => Shape::Any,
        }
    }
}
