//! The shape of a term: the forms that it can have, as far as a text tells.
//!
//! Shapes give the shape at a place, and test whether a term of the text fits.
//! How a shape is computed does not matter here.

use crate::rules::shared_list::SharedList;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::nearest;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// A shape with more parts is cut at a lesser depth.
const MOST_PARTS: usize = 300;

/// The forms that a term can have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Any term, because nothing is known.
    Any,
    /// One of these forms. Without a form, there is no such term.
    Of(SharedList<Form>),
}

/// One form of a term.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// This atom.
    Name(Atom, Origin),
    /// Any atom except the empty list.
    Atom,
    /// A number.
    Number,
    /// A text in double quotes.
    Text,
    /// A list with elements of this shape, or the empty list.
    List(Shape),
    /// A tree of library(assoc), by its pairs of a key and a value.
    Tree(Shape),
    /// A list of a fixed length with a shape for each element: a record.
    Row(Vec<Shape>, Origin),
    /// A compound term.
    Compound(Atom, Vec<Shape>, Origin),
}

/// The places of the text that make a form. Forms are equal whatever their origin is.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin(pub(super) Vec<Span>);

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Form {
    /// The name and arity of a form, and the places that make it.
    pub(super) fn functor(&self) -> Option<((Atom, usize), &[Span])> {
        match self {
            Form::Name(name, origin) => Some(((*name, 0), &origin.0)),
            Form::Compound(name, args, origin) => Some(((*name, args.len()), &origin.0)),
            Form::Row(elements, origin) => Some(((atoms::DOT, elements.len()), &origin.0)),
            _ => None,
        }
    }

    /// The shape of the elements of a list; `None` for a form that is not a list.
    pub(super) fn elements(&self) -> Option<Shape> {
        match self {
            Form::List(of) | Form::Tree(of) => Some(of.clone()),
            Form::Row(elements, _) => {
                let mut found = Shape::NONE;
                for element in elements {
                    found.join(element);
                }
                Some(found)
            }
            _ => None,
        }
    }
}

impl Shape {
    pub(super) const NONE: Shape = Shape::Of(SharedList::EMPTY);

    /// A shape with these forms.
    pub(super) fn of(forms: Vec<Form>) -> Shape {
        Shape::Of(forms.into_iter().collect())
    }

    /// The shape cut at a depth, or at a lesser one if it has too many parts.
    pub(super) fn cut(self, depth: usize) -> Shape {
        let (mut found, mut depth) = (self.cut_at(depth), depth);
        while depth > 1 && found.parts(MOST_PARTS) > MOST_PARTS {
            depth -= 1;
            found = found.cut_at(depth);
        }
        found
    }

    /// The number of parts, counted up to a limit.
    fn parts(&self, limit: usize) -> usize {
        let (mut count, mut stack) = (0, vec![self]);
        while let Some(shape) = stack.pop().filter(|_| count <= limit) {
            let Shape::Of(forms) = shape else { continue };
            count += forms.len();
            for form in forms {
                match form {
                    Form::List(of) | Form::Tree(of) => stack.push(of),
                    Form::Row(parts, _) | Form::Compound(_, parts, _) => stack.extend(parts),
                    Form::Name(..) | Form::Atom | Form::Number | Form::Text => {}
                }
            }
        }
        count
    }

    fn cut_at(self, depth: usize) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        if depth == 0 && !forms.is_empty() {
            return Shape::Any;
        }
        let forms = forms.into_iter().map(|form| match form {
            Form::List(of) => Form::List(of.cut_at(depth - 1)),
            Form::Tree(of) => Form::Tree(of.cut_at(depth - 1)),
            Form::Row(elements, origin) => {
                Form::Row(elements.into_iter().map(|element| element.cut_at(depth - 1)).collect(), origin)
            }
            Form::Compound(name, args, origin) => {
                Form::Compound(name, args.into_iter().map(|arg| arg.cut_at(depth - 1)).collect(), origin)
            }
            form => form,
        });
        Shape::Of(forms.collect())
    }

    /// The same terms with unknown arguments.
    pub(super) fn hollow(self) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        let forms = forms.into_iter().filter_map(|form| match form {
            Form::Compound(name, args, origin) => Some(Form::Compound(name, vec![Shape::Any; args.len()], origin)),
            // A list is a compound term too, with a head that can be replaced.
            Form::List(_) | Form::Row(..) => Some(Form::List(Shape::Any)),
            Form::Name(..) | Form::Atom | Form::Number | Form::Text | Form::Tree(_) => None,
        });
        Shape::Of(forms.collect())
    }

    /// The shape of the elements of lists of this shape.
    pub(super) fn elements(&self) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        let mut found = Shape::NONE;
        for elements in forms.iter().filter_map(Form::elements) {
            found.join(&elements);
        }
        found
    }

    /// Whether all forms are records with keys.
    pub(super) fn is_keyed(&self) -> bool {
        let Shape::Of(forms) = self else { return false };
        !forms.is_empty() && forms.iter().all(|form| matches!(form, Form::Row(elements, _) if keys(elements).is_some()))
    }

    /// The name of the first form.
    pub(super) fn functor(&self) -> Option<Atom> {
        match self {
            Shape::Of(forms) => Some(forms.first()?.functor()?.0.0),
            Shape::Any => None,
        }
    }

    /// Every name and constant in terms of this shape.
    pub(super) fn names(&self) -> FxHashSet<Atom> {
        let (mut found, mut stack) = (FxHashSet::default(), vec![self]);
        while let Some(shape) = stack.pop() {
            let Shape::Of(forms) = shape else { continue };
            for form in forms {
                found.extend(form.functor().map(|((name, _), _)| name));
                match form {
                    Form::Compound(_, args, _) | Form::Row(args, _) => stack.extend(args),
                    Form::List(of) => stack.push(of),
                    _ => {}
                }
            }
        }
        found
    }

    /// The elements of records, each as a form of its own.
    pub(super) fn elements_apart(&self) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        let rows =
            forms.iter().filter_map(|form| if let Form::Row(elements, _) = form { Some(elements) } else { None });
        let parts =
            rows.flatten().filter_map(|element| if let Shape::Of(forms) = element { Some(forms) } else { None });
        Shape::Of(parts.flatten().cloned().collect())
    }

    /// The shape at a place in terms of this shape.
    pub(super) fn at(&self, path: &[(Atom, usize)]) -> Shape {
        let [(wanted, place), rest @ ..] = path else { return self.clone() };
        let Shape::Of(forms) = self else { return Shape::Any };
        let mut found = Shape::NONE;
        for form in forms {
            match form {
                Form::Compound(name, args, _) if name == wanted => {
                    if let Some(arg) = args.get(*place) {
                        found.join(&arg.at(rest));
                    }
                }
                Form::Row(elements, origin) if *wanted == atoms::DOT => match (elements.split_first(), place) {
                    (Some((first, _)), 0) => drop(found.join(&first.at(rest))),
                    (Some((_, others)), _) => {
                        let tail = match others {
                            [] => Form::List(Shape::NONE),
                            others => Form::Row(others.to_vec(), origin.clone()),
                        };
                        found.join(&Shape::of(vec![tail]).at(rest));
                    }
                    (None, _) => {}
                },
                Form::List(of) if *wanted == atoms::DOT => {
                    let part = if *place == 0 { of.clone() } else { Shape::of(vec![form.clone()]) };
                    found.join(&part.at(rest));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a term of the text, such as an argument of a head, may have this shape.
    pub(super) fn may_be(&self, tree: &TermTree, node: NodeId) -> bool {
        let Shape::Of(forms) = self else { return true };
        let kind = tree.kind(node);
        forms.iter().any(|form| match (form, kind) {
            (_, TermKind::Var(_)) => true,
            (Form::Atom | Form::List(_), TermKind::Atom(atoms::NIL)) => true,
            (Form::Atom, TermKind::Atom(_)) => true,
            (Form::Name(name, _), TermKind::Atom(other)) => name == other,
            (Form::Number, TermKind::Int(_) | TermKind::Big(_) | TermKind::Float(_)) => true,
            (Form::Text, TermKind::Text(_)) => true,
            (Form::Tree(_), TermKind::Atom(name) | TermKind::Compound(name, _)) => name.text() == "t",
            (Form::List(of), TermKind::Compound(atoms::DOT, _)) => {
                let [head, tail] = tree.args(node) else { return false };
                let none = Shape::NONE;
                (*of == none || of.may_be(tree, *head)) && Shape::of(vec![form.clone()]).may_be(tree, *tail)
            }
            (Form::Row(elements, _), TermKind::Compound(atoms::DOT, _)) => {
                let [head, tail] = tree.args(node) else { return false };
                let Some((first, others)) = elements.split_first() else { return false };
                let fits = |(shape, own): (&Shape, NodeId)| *shape == Shape::NONE || shape.may_be(tree, own);
                let rest = match others {
                    [] => Form::List(Shape::NONE),
                    others => Form::Row(others.to_vec(), Origin::default()),
                };
                let ends = others.is_empty() && matches!(tree.kind(*tail), TermKind::Compound(..));
                fits((first, *head)) && !ends && Shape::of(vec![rest]).may_be(tree, *tail)
            }
            (Form::Compound(name, args, _), TermKind::Compound(other, _)) => {
                let own = tree.args(node);
                // An argument without a form may be anything, because its rules may be written later.
                let fits = |(arg, own): (&Shape, &NodeId)| *arg == Shape::NONE || arg.may_be(tree, *own);
                name == other && args.len() == own.len() && args.iter().zip(own).all(fits)
            }
            _ => false,
        })
    }

    /// The smallest part of a term that keeps it from having this shape, and the shape at its place.
    pub(super) fn misfit(&self, tree: &TermTree, node: NodeId) -> (NodeId, Shape) {
        let alike = match self {
            Shape::Of(forms) => forms.iter().find(|form| {
                form.functor().is_some_and(|(functor, _)| functor.1 > 0 && tree.functor(node) == Some(functor))
            }),
            Shape::Any => None,
        };
        if let Some(Form::Compound(_, args, _)) = alike {
            let mut below = args.iter().zip(tree.args(node));
            let odd = below.find(|(arg, own)| **arg != Shape::NONE && !arg.may_be(tree, **own));
            if let Some((arg, own)) = odd {
                return arg.misfit(tree, *own);
            }
        }
        if let (Shape::Of(forms), (own, is_whole)) = (self, elements_of(tree, node)) {
            let fits = |(shape, own): &(&Shape, &NodeId)| **shape == Shape::NONE || shape.may_be(tree, **own);
            let rows = forms.iter().filter_map(|form| match form {
                Form::Row(known, _) if !own.is_empty() => Some(known),
                _ => None,
            });
            // The most similar record.
            let likeness = |known: &&Vec<Shape>| {
                let alike = |(shape, own): (&Shape, &NodeId)| match (fits(&(shape, own)), shape) {
                    (true, _) => 2,
                    (false, Shape::Of(forms)) => {
                        let named = |form: &Form| form.functor().map(|(functor, _)| functor) == tree.functor(*own);
                        usize::from(forms.iter().any(named))
                    }
                    (false, Shape::Any) => 0,
                };
                known.iter().zip(&own).map(alike).sum::<usize>()
            };
            if let Some(known) = rows.max_by_key(likeness) {
                let odd = known.iter().zip(&own).find(|pair| !fits(pair));
                return match odd {
                    Some((shape, own)) if !is_whole || known.len() == elements_of(tree, node).0.len() => {
                        shape.misfit(tree, *own)
                    }
                    _ => (node, self.clone()),
                };
            }
        }
        if let (Shape::Of(forms), Some(elements)) = (self, tree.list(node))
            && forms.iter().any(|form| matches!(form, Form::List(_)))
        {
            let of = self.elements();
            if let Some(odd) = elements.into_iter().find(|own| of != Shape::NONE && !of.may_be(tree, *own)) {
                return of.misfit(tree, odd);
            }
        }
        (node, self.clone())
    }
}

/// The elements of a list in the text, and whether the list ends after them.
fn elements_of(tree: &TermTree, node: NodeId) -> (Vec<NodeId>, bool) {
    let (mut found, mut rest) = (Vec::new(), node);
    while let Some((head, tail)) = tree.binary(rest, atoms::DOT) {
        found.push(head);
        rest = tail;
    }
    (found, matches!(tree.kind(rest), TermKind::Atom(atoms::NIL)))
}

/// The kind of the first form: its name and arity, or a code for other kinds.
pub(super) fn kind(shape: &Shape) -> Option<(Atom, usize)> {
    match shape {
        Shape::Of(forms) => match forms.first()? {
            Form::Name(..) | Form::Atom => Some((atoms::NIL, 0)),
            Form::Compound(name, args, _) => Some((*name, args.len())),
            Form::List(_) | Form::Row(..) => Some((atoms::DOT, 2)),
            Form::Number => Some((atoms::DOT, 0)),
            Form::Text => Some((atoms::DOT, 1)),
            Form::Tree(_) => Some((atoms::DOT, 3)),
        },
        Shape::Any => None,
    }
}

/// The keys of a record such as `[turn=max, moves=0]`, where each part has another key.
pub(super) fn keys(elements: &[Shape]) -> Option<Vec<Atom>> {
    let mut found: Vec<Atom> = Vec::new();
    for element in elements {
        let Shape::Of(forms) = element else { return None };
        let [Form::Compound(sign, args, _)] = &forms[..] else { return None };
        let [Shape::Of(key), _] = &args[..] else { return None };
        let [Form::Name(key, _)] = &key[..] else { return None };
        if found.contains(key) || !matches!(sign.text(), "=" | "-" | ":") {
            return None;
        }
        found.push(*key);
    }
    (found.len() > 1).then_some(found)
}

/// Whether the elements of a list in the text are parts of a record, rather than many of one kind.
pub(super) fn is_record(elements: &[Shape]) -> bool {
    let kinds: Vec<_> = elements.iter().map(kind).collect();
    let differ = kinds.iter().flatten().any(|kind| kinds.iter().flatten().any(|other| other != kind));
    differ
        || keys(elements).is_some()
        || elements.len() == 2 && kinds.iter().all(|kind| kind.is_none_or(|kind| kind == (atoms::NIL, 0)))
}

/// The form that is most like a term: by its name, by a similar atom, or else by its arity. Of forms with the same arity,
/// one that is not in `taken` comes first: the functors that the other clauses have.
pub(super) fn alike<'f>(forms: &'f [Form], own: Option<(Atom, usize)>, taken: &[(Atom, usize)]) -> Option<&'f Form> {
    let by = |alike: &dyn Fn((Atom, usize), (Atom, usize)) -> bool| {
        forms.iter().find(|form| matches!((form.functor(), own), (Some((one, _)), Some(own)) if alike(one, own)))
    };
    let slip = || {
        let (name, count) = own?;
        let names = forms.iter().filter_map(|form| Some(form.functor()?.0)).filter(|(_, arity)| *arity == count);
        let near = nearest(name.text(), names.map(|(name, _)| name.text()))?.to_string();
        forms.iter().find(|form| form.functor().is_some_and(|((name, arity), _)| arity == count && name.text() == near))
    };
    // A text such as 'take 2', which shows take(2).
    let shows = |one: (Atom, usize), own: (Atom, usize)| {
        let rest = own.0.text().strip_prefix(one.0.text());
        own.1 == 0 && one.1 > 0 && rest.is_some_and(|rest| rest.starts_with(|next: char| !next.is_alphanumeric()))
    };
    by(&|one, own| one.0 == own.0)
        .or_else(slip)
        .or_else(|| by(&shows))
        .or_else(|| by(&|one, own| one.1 == own.1 && !taken.contains(&one)))
        .or_else(|| by(&|one, own| one.1 == own.1))
        .or_else(|| forms.iter().find(|form| matches!(form, Form::Compound(..))))
        .or(forms.first())
}

/// Whether an atom is the name of a compound term of these forms.
pub(super) fn is_name_of(name: Atom, forms: &[Form]) -> bool {
    forms.iter().any(|form| matches!(form, Form::Compound(own, ..) if *own == name))
}
