//! The shape of a term: what it can look like, as far as a text tells.
//!
//! In: parts of shapes. Out: their union, what stands at a place in them, whether a term that is
//! written down may be of them. Must not know how a shape was found out.

use alphorn_lang::lang::ast::{Kind, NodeId, Tree};
use alphorn_text::symbol::{Atom, atoms};

/// Of more forms than this, none is told apart.
const MOST_FORMS: usize = 12;

/// What a term can look like.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Not known.
    Any,
    /// One of these; nothing, where there are none.
    Of(Vec<Form>),
}

/// One form of a term.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// An atom, whichever; the empty list is none.
    Atom,
    /// A number.
    Number,
    /// A text in double quotes.
    Text,
    /// A list with such elements, the empty one included.
    List(Shape),
    /// A name with arguments.
    Compound(Atom, Vec<Shape>),
}

impl Shape {
    pub(super) const NONE: Shape = Shape::Of(Vec::new());

    /// Takes another shape in; whether that changes anything.
    pub(super) fn join(&mut self, other: &Shape) -> bool {
        let Shape::Of(forms) = self else { return false };
        let Shape::Of(others) = other else {
            *self = Shape::Any;
            return true;
        };
        let mut changed = false;
        for form in others {
            let same = forms.iter_mut().find_map(|own| match (own, form) {
                (Form::List(own), Form::List(other)) => Some(own.join(other)),
                (Form::Compound(name, args), Form::Compound(other, more))
                    if name == other && args.len() == more.len() =>
                {
                    // Every argument is taken in.
                    Some(args.iter_mut().zip(more).fold(false, |changed, (arg, more)| arg.join(more) | changed))
                }
                (own, form) if own == form => Some(false),
                _ => None,
            });
            changed |= same.unwrap_or_else(|| {
                forms.push(form.clone());
                true
            });
        }
        if forms.len() > MOST_FORMS {
            *self = Shape::Any;
            return true;
        }
        changed
    }

    /// The same, cut off at a depth.
    pub(super) fn cut(self, depth: usize) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        if depth == 0 && !forms.is_empty() {
            return Shape::Any;
        }
        let forms = forms.into_iter().map(|form| match form {
            Form::List(of) => Form::List(of.cut(depth - 1)),
            Form::Compound(name, args) => {
                Form::Compound(name, args.into_iter().map(|arg| arg.cut(depth - 1)).collect())
            }
            form => form,
        });
        Shape::Of(forms.collect())
    }

    /// The same terms with other arguments.
    pub(super) fn hollow(self) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        let forms = forms.into_iter().filter_map(|form| match form {
            Form::Compound(name, args) => Some(Form::Compound(name, vec![Shape::Any; args.len()])),
            // A list is a term as well, with a head to put something in.
            Form::List(_) => Some(Form::List(Shape::Any)),
            Form::Atom | Form::Number | Form::Text => None,
        });
        Shape::Of(forms.collect())
    }

    /// The elements of lists of this shape.
    pub(super) fn elements(&self) -> Shape {
        let Shape::Of(forms) = self else { return Shape::Any };
        let mut found = Shape::NONE;
        for form in forms {
            if let Form::List(of) = form {
                found.join(of);
            }
        }
        found
    }

    /// What stands at a place in terms of this shape.
    pub(super) fn at(&self, path: &[(Atom, usize)]) -> Shape {
        let [(wanted, place), rest @ ..] = path else { return self.clone() };
        let Shape::Of(forms) = self else { return Shape::Any };
        let mut found = Shape::NONE;
        for form in forms {
            match form {
                Form::Compound(name, args) if name == wanted => {
                    if let Some(arg) = args.get(*place) {
                        found.join(&arg.at(rest));
                    }
                }
                Form::List(of) if *wanted == atoms::DOT => {
                    let part = if *place == 0 { of.clone() } else { Shape::Of(vec![form.clone()]) };
                    found.join(&part.at(rest));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a term as it is written, in a head say, may be of this shape.
    pub(super) fn may_be(&self, tree: &Tree, node: NodeId) -> bool {
        let Shape::Of(forms) = self else { return true };
        let kind = tree.kind(node);
        forms.iter().any(|form| match (form, kind) {
            (_, Kind::Var(_)) => true,
            (Form::Atom | Form::List(_), Kind::Atom(atoms::NIL)) => true,
            (Form::Atom, Kind::Atom(_)) => true,
            (Form::Number, Kind::Int(_) | Kind::Big(_) | Kind::Float(_)) => true,
            (Form::Text, Kind::Text(_)) => true,
            (Form::List(of), Kind::Compound(atoms::DOT, _)) => {
                let [head, tail] = tree.args(node) else { return false };
                let none = Shape::Of(Vec::new());
                (*of == none || of.may_be(tree, *head)) && Shape::Of(vec![form.clone()]).may_be(tree, *tail)
            }
            (Form::Compound(name, args), Kind::Compound(other, _)) => {
                let own = tree.args(node);
                // An argument that nothing was found for may be anything: its rules may be written later.
                let fits = |(arg, own): (&Shape, &NodeId)| *arg == Shape::NONE || arg.may_be(tree, *own);
                name == other && args.len() == own.len() && args.iter().zip(own).all(fits)
            }
            _ => false,
        })
    }
}
