//! Compares two shapes: whether one term can have both.
//!
//! One shape is what a place takes, the other what comes there. If no term has both, [`ShapeMatch`] says
//! whether only constants differ or the terms themselves.

use crate::rules::shape::{Form, Shape, keys};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;

/// How much two shapes differ, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ShapeMatch {
    /// A term may have both shapes.
    Fits,
    /// Only constants differ.
    Slight,
    /// An atom is taken where a compound term or a list comes. It may stand for nothing at all.
    Word,
    /// An atom is taken where a number or a text comes, or the reverse.
    Kind,
    /// Functors differ, or only one of the terms is a list.
    Never,
}

impl Shape {
    /// How the shape that a place takes fits the shape that comes there.
    pub(super) fn meet(&self, made: &Shape) -> ShapeMatch {
        let (Shape::Of(own), Shape::Of(others)) = (self, made) else { return ShapeMatch::Fits };
        if own.is_empty() || others.is_empty() {
            return ShapeMatch::Fits;
        }
        let pairs = own.iter().flat_map(|own| others.iter().map(move |other| meet(own, other)));
        pairs.min().unwrap_or(ShapeMatch::Fits)
    }

    /// Drops the forms that no term of the other shape has.
    pub(super) fn retain(&mut self, other: &Shape) {
        if let (Shape::Of(own), Shape::Of(others)) = (self, other) {
            let fits = |form: &Form| others.iter().any(|other| meet(form, other) == ShapeMatch::Fits);
            if !own.iter().all(fits) {
                own.edit().retain(fits);
            }
        }
    }

    /// The shape of those elements that may fit another shape.
    pub(super) fn elements_like(&self, wanted: &Shape) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        let mut found = Shape::NONE;
        for form in forms {
            match form {
                Form::Row(elements, _) => {
                    let like = elements.iter().filter(|element| wanted.meet(element) == ShapeMatch::Fits);
                    like.for_each(|element| _ = found.join(element));
                }
                form => match form.elements() {
                    Some(Shape::Of(forms)) => {
                        let forms = forms.into_iter().map(|form| Shape::of(vec![form]));
                        forms
                            .filter(|form| wanted.meet(form) == ShapeMatch::Fits)
                            .for_each(|form| _ = found.join(&form));
                    }
                    Some(Shape::Any) => return Shape::Any,
                    None => {}
                },
            }
        }
        found
    }

    /// Whether the shape that a place takes fits what comes there only with two arguments exchanged.
    pub(super) fn is_turned(&self, made: &Shape) -> bool {
        let (Shape::Of(own), Shape::Of(others)) = (self, made) else { return false };
        let [Form::Compound(name, args, _)] = &own[..] else { return false };
        // An argument that may be anything proves nothing.
        let told = |place: usize| {
            others.iter().any(|form| {
                matches!(form, Form::Compound(other, parts, _)
                if other == name && parts.get(place).is_some_and(|part| *part != Shape::Any && *part != Shape::NONE))
            })
        };
        let exchanged = |one: usize, other: usize| {
            let mut args = args.clone();
            args.swap(one, other);
            Shape::of(vec![Form::Compound(*name, args, Default::default())])
        };
        let pairs = (0..args.len()).flat_map(|one| (one + 1..args.len()).map(move |other| (one, other)));
        self.meet(made) != ShapeMatch::Fits
            && pairs
                .into_iter()
                .any(|(one, other)| told(one) && told(other) && exchanged(one, other).meet(made) == ShapeMatch::Fits)
    }

    /// Whether a part of a term fits what comes there only with two arguments exchanged.
    pub(super) fn has_turned_part(&self, made: &Shape) -> bool {
        let (Shape::Of(own), Shape::Of(others)) = (self, made) else { return false };
        let [form] = &own[..] else { return false };
        if self.is_turned(made) {
            return true;
        }
        match form {
            Form::Compound(name, args, _) => others.iter().any(|other| match other {
                Form::Compound(like, parts, _) if like == name && parts.len() == args.len() => {
                    args.iter().zip(parts).any(|(arg, part)| arg.has_turned_part(part))
                }
                _ => false,
            }),
            Form::Row(elements, _) => {
                let Shape::Of(forms) = made.elements() else { return false };
                elements.iter().any(|element| element.has_turned_part(&Shape::Of(forms.clone())))
            }
            _ => false,
        }
    }

    /// The place that makes the term which a part of this term fits only with two arguments exchanged.
    pub(super) fn turned_origin(&self, made: &Shape) -> Option<Span> {
        let (Shape::Of(own), Shape::Of(others)) = (self, made) else { return None };
        let [form] = &own[..] else { return None };
        match form {
            Form::Compound(name, args, _) => {
                let alike = others.iter().filter_map(|other| match other {
                    Form::Compound(like, parts, origin) if like == name && parts.len() == args.len() => {
                        Some((parts, origin))
                    }
                    _ => None,
                });
                if self.is_turned(made) {
                    return alike.into_iter().find_map(|(_, origin)| origin.0.first().copied());
                }
                alike
                    .into_iter()
                    .find_map(|(parts, _)| args.iter().zip(parts).find_map(|(arg, part)| arg.turned_origin(part)))
            }
            Form::Row(elements, _) => {
                let made = made.elements();
                elements.iter().find_map(|element| element.turned_origin(&made))
            }
            _ => None,
        }
    }

    /// The shape of a term in a text. Variables may be anything.
    pub(super) fn of_text(tree: &TermTree, node: NodeId, depth: usize) -> Shape {
        let inner = |node: &NodeId| Shape::of_text(tree, *node, depth.saturating_sub(1));
        let form = match tree.kind(node) {
            _ if depth == 0 => return Shape::Any,
            TermKind::Var(_) => return Shape::Any,
            TermKind::Atom(atoms::NIL) => Form::List(Shape::NONE),
            TermKind::Atom(name) => Form::Name(*name, Default::default()),
            TermKind::Int(_) | TermKind::Big(_) | TermKind::Float(_) => Form::Number,
            TermKind::Text(_) => Form::Text,
            TermKind::Compound(atoms::DOT, _) => match tree.list(node) {
                Some(elements) => Form::Row(elements.iter().map(inner).collect(), Default::default()),
                None => {
                    let (mut of, mut rest) = (Shape::NONE, node);
                    while let Some((head, tail)) = tree.binary(rest, atoms::DOT) {
                        of.join(&inner(&head));
                        rest = tail;
                    }
                    Form::List(of)
                }
            },
            TermKind::Compound(name, _) => {
                Form::Compound(*name, tree.args(node).iter().map(inner).collect(), Default::default())
            }
        };
        Shape::of(vec![form])
    }
}

fn meet(own: &Form, made: &Form) -> ShapeMatch {
    let all = |own: &[Shape], made: &[Shape]| {
        own.iter().zip(made).map(|(own, made)| own.meet(made)).max().unwrap_or(ShapeMatch::Fits)
    };
    match (own, made) {
        (Form::Name(own, _), Form::Name(made, _)) if own != made => ShapeMatch::Slight,
        (Form::Name(..) | Form::Atom, Form::Name(..) | Form::Atom) => ShapeMatch::Fits,
        (Form::Number, Form::Number) | (Form::Text, Form::Text) => ShapeMatch::Fits,
        // A head such as [man(X)|Rest] does not take a list of other terms. An empty list fits.
        (Form::List(own), Form::List(made)) => own.meet(made),
        (Form::Tree(_), Form::Tree(_)) => ShapeMatch::Fits,
        (Form::Tree(_), other) | (other, Form::Tree(_))
            if other.functor().is_some_and(|((name, _), _)| name.text() == "t") =>
        {
            ShapeMatch::Fits
        }
        (Form::List(of), Form::Row(elements, _)) | (Form::Row(elements, _), Form::List(of)) => {
            elements.iter().map(|element| element.meet(of)).max().unwrap_or(ShapeMatch::Fits)
        }
        (Form::Row(own, _), Form::Row(made, _)) if own.len() == made.len() => match (keys(own), keys(made)) {
            (Some(own), Some(made)) if own != made => ShapeMatch::Never,
            _ => all(own, made),
        },
        (Form::Compound(own, args, _), Form::Compound(made, others, _))
            if own == made && args.len() == others.len() =>
        {
            all(args, others)
        }
        (
            Form::Name(..) | Form::Atom | Form::Number | Form::Text,
            Form::Name(..) | Form::Atom | Form::Number | Form::Text,
        ) => ShapeMatch::Kind,
        // Atoms such as `none` and `empty`.
        (Form::Name(..) | Form::Atom, _) => ShapeMatch::Word,
        (Form::List(of), Form::Name(..) | Form::Atom) if *of == Shape::NONE => ShapeMatch::Slight,
        _ => ShapeMatch::Never,
    }
}

/// The pair around a part of a term that fits if its two parts are exchanged.
pub(super) fn turned_pair(shape: &Shape, tree: &TermTree, (node, inner): (NodeId, NodeId)) -> Option<NodeId> {
    let ((name, _), args) = (tree.functor(node)?, tree.args(node));
    if let [one, other] = args
        && args.contains(&inner)
        && name != atoms::DOT
    {
        let Shape::Of(forms) = shape else { return None };
        let fits = |form: &Form| match form {
            Form::Compound(own, parts, _) if *own == name && parts.len() == 2 => {
                let told = if *one == inner { &parts[1] } else { &parts[0] };
                *told != Shape::Any && parts[0].may_be(tree, *other) && parts[1].may_be(tree, *one)
            }
            _ => false,
        };
        return forms.iter().any(fits).then_some(node);
    }
    let below = |(at, arg): (usize, &NodeId)| turned_pair(&shape.at(&[(name, at)]), tree, (*arg, inner));
    args.iter().enumerate().find_map(below)
}

/// Whether a term is another one with two of its arguments exchanged.
pub(super) fn is_exchanged(own: &Shape, other: &Shape) -> bool {
    let (Shape::Of(own), Shape::Of(others)) = (own, other) else { return false };
    let ([Form::Compound(name, args, _)], [Form::Compound(other, parts, _)]) = (&own[..], &others[..]) else {
        return false;
    };
    let odd: Vec<usize> =
        (0..args.len().min(parts.len())).filter(|at| parts[*at].meet(&args[*at]) != ShapeMatch::Fits).collect();
    let [first, second] = odd[..] else { return false };
    let fits = |own: usize, there: usize| parts[there].meet(&args[own]) == ShapeMatch::Fits && args[own] != Shape::Any;
    name == other && args.len() == parts.len() && fits(first, second) && fits(second, first)
}

/// Whether a third argument of a term may be one of two others, so that several orders may be meant.
pub(super) fn has_similar(shape: &Shape, (one, other): (usize, usize)) -> bool {
    let Shape::Of(forms) = shape else { return false };
    let [Form::Compound(_, args, _)] = &forms[..] else { return false };
    let pair: Vec<&Shape> = [one, other].into_iter().filter_map(|at| args.get(at)).collect();
    let mut thirds = args.iter().enumerate().filter(|(at, part)| ![one, other].contains(at) && **part != Shape::Any);
    thirds.any(|(_, part)| pair.iter().any(|own| part.meet(own) == ShapeMatch::Fits))
}

/// Terms with more arguments are not compared in all orders.
const MOST_ARGUMENTS: usize = 5;

/// Whether two terms differ in several arguments, and fit if the arguments of one are put in another order.
pub(super) fn is_permuted(own: &Shape, other: &Shape) -> bool {
    let (Shape::Of(own), Shape::Of(other)) = (own, other) else { return false };
    let ([Form::Compound(name, args, _)], [Form::Compound(like, parts, _)]) = (&own[..], &other[..]) else {
        return false;
    };
    let is_told = |shape: &Shape| matches!(shape, Shape::Of(forms) if !forms.is_empty());
    if name != like
        || args.len() != parts.len()
        || args.len() > MOST_ARGUMENTS
        || !args.iter().chain(parts).all(is_told)
    {
        return false;
    }
    let fits = |one: usize, at: usize| args[one].meet(&parts[at]) == ShapeMatch::Fits;
    let odd = (0..args.len()).filter(|at| args[*at].meet(&parts[*at]) >= ShapeMatch::Word).count();
    odd > 1 && is_arranged(&mut vec![false; args.len()], 0, &fits)
}

/// Whether the arguments from `at` can have different places that fit. `taken` marks the places of the others.
fn is_arranged(taken: &mut Vec<bool>, at: usize, fits: &impl Fn(usize, usize) -> bool) -> bool {
    at == taken.len()
        || (0..taken.len()).any(|place| {
            if taken[place] || !fits(at, place) {
                return false;
            }
            taken[place] = true;
            let found = is_arranged(taken, at + 1, fits);
            taken[place] = false;
            found
        })
}

/// An argument that does not fit, if an exchange with another one makes all arguments fit.
pub(super) fn exchanged(takes: &[Shape], made: &[Shape]) -> Option<(usize, usize)> {
    let odd: Vec<usize> = (0..takes.len()).filter(|at| takes[*at].meet(&made[*at]) != ShapeMatch::Fits).collect();
    let first = *odd.first().filter(|_| odd.len() < 3)?;
    // Numbers fit everywhere, so atoms and compound terms decide.
    let known = |shape: &Shape| matches!(shape, Shape::Of(forms) if forms.iter().any(|form| form.functor().is_some()));
    let fits = |one: usize, other: usize| takes[one].meet(&made[other]) == ShapeMatch::Fits;
    let tells = |one: usize, other: usize| known(&takes[one]) && known(&made[other]);
    let mut others =
        (0..takes.len()).filter(|other| *other != first && odd.iter().all(|odd| [first, *other].contains(odd)));
    let other = others
        .find(|other| fits(first, *other) && fits(*other, first) && (tells(first, *other) || tells(*other, first)))?;
    Some((first, other))
}

impl Form {
    /// Whether the arguments of a term with another name fit, and one of them must be one of some atoms.
    pub(super) fn takes_args_of(&self, tree: &TermTree, node: NodeId) -> bool {
        let args = tree.args(node);
        let Form::Compound(_, parts, _) = self else { return false };
        let is_named = |part: &Shape| match part {
            Shape::Of(forms) => forms.iter().all(|form| matches!(form, Form::Name(..))),
            Shape::Any => false,
        };
        parts.len() == args.len()
            && parts.iter().zip(args).all(|(part, arg)| part.may_be(tree, *arg))
            && parts.iter().any(is_named)
    }
}
