//! Joins shapes: adds the forms of one shape to another.
//!
//! Forms of one kind become one form. A shape with too many forms becomes a vaguer one, so that joining comes to an
//! end.

use crate::rules::shape::{Form, Origin, Shape, keys, kind};

/// A shape with more forms becomes [`Shape::Any`]. Atoms are not counted.
const MOST_FORMS: usize = 12;

/// More atoms than this become [`Form::Atom`].
const MOST_NAMES: usize = 10;

/// More records than this become a list.
const MOST_ROWS: usize = 4;

/// The greatest number of places in an [`Origin`].
const MOST_PLACES: usize = 64;

impl Origin {
    fn holds(&self, other: &Origin) -> bool {
        other.0.iter().all(|span| self.0.contains(span))
    }

    fn join(&mut self, other: &Origin) {
        for span in &other.0 {
            if self.0.len() < MOST_PLACES && !self.0.contains(span) {
                self.0.push(*span);
            }
        }
    }
}

impl Form {
    /// Whether another form and its places are surely a part of this one, so that nothing is to be added.
    fn holds(&self, other: &Form) -> bool {
        let all = |own: &[Shape], others: &[Shape]| {
            own.len() == others.len() && own.iter().zip(others).all(|(own, other)| own.holds(other))
        };
        match (self, other) {
            (Form::Name(name, origin), Form::Name(other, from)) => name == other && origin.holds(from),
            (Form::Compound(name, args, origin), Form::Compound(other, more, from)) => {
                name == other && origin.holds(from) && all(args, more)
            }
            (Form::Row(own, origin), Form::Row(others, from)) => origin.holds(from) && all(own, others),
            (Form::List(own), Form::List(other)) | (Form::Tree(own), Form::Tree(other)) => own.holds(other),
            (Form::Atom, Form::Atom) | (Form::Number, Form::Number) | (Form::Text, Form::Text) => true,
            _ => false,
        }
    }

    /// Adds a form of the same kind. Returns whether that changes anything; `None` for another kind.
    fn take_in(&mut self, other: &Form) -> Option<bool> {
        match (self, other) {
            (Form::List(own), Form::List(other)) | (Form::Tree(own), Form::Tree(other)) => Some(own.join(other)),
            (Form::List(own), Form::Row(others, _)) => {
                Some(others.iter().fold(false, |changed, other| own.join(other) | changed))
            }
            (Form::Row(own, origin), Form::Row(others, from))
                if own.len() == others.len() && begin_alike(own, others) =>
            {
                origin.join(from);
                Some(own.iter_mut().zip(others).fold(false, |changed, (own, other)| own.join(other) | changed))
            }
            // Pairs with different first parts are of two kinds, such as Owner-X/Y and X/Y-Owner.
            (Form::Compound(name, args, origin), Form::Compound(other, more, from))
                if name == other && args.len() == more.len() && (args.len() != 2 || begin_alike(args, more)) =>
            {
                origin.join(from);
                // No short circuit: every argument must be joined.
                Some(args.iter_mut().zip(more).fold(false, |changed, (arg, more)| arg.join(more) | changed))
            }
            (Form::Name(name, origin), Form::Name(other, from)) if name == other => {
                origin.join(from);
                Some(false)
            }
            (Form::Atom, Form::Name(..)) => Some(false),
            (own, other) if own == other => Some(false),
            _ => None,
        }
    }
}

impl Shape {
    /// Whether another shape and its places are surely a part of this one.
    pub(super) fn holds(&self, other: &Shape) -> bool {
        match (self, other) {
            (Shape::Any, _) => true,
            (Shape::Of(_), Shape::Any) => false,
            (Shape::Of(forms), Shape::Of(others)) => {
                forms.is_shared_with(others) || others.iter().all(|other| forms.iter().any(|own| own.holds(other)))
            }
        }
    }

    /// Adds another shape. Returns whether that changes anything.
    pub(super) fn join(&mut self, other: &Shape) -> bool {
        let Shape::Of(forms) = self else { return false };
        let Shape::Of(others) = other else {
            *self = Shape::Any;
            return true;
        };
        if forms.is_shared_with(others) || others.iter().all(|other| forms.iter().any(|own| own.holds(other))) {
            return false;
        }
        if forms.is_empty() && others.len() == 1 {
            forms.clone_from(others);
            return true;
        }
        let forms = forms.edit();
        let mut changed = false;
        for form in others {
            let same = forms.iter_mut().find_map(|own| own.take_in(form));
            changed |= same.unwrap_or_else(|| {
                forms.push(form.clone());
                true
            });
        }
        let rows = forms.iter().filter(|form| matches!(form, Form::Row(..))).count();
        if rows > MOST_ROWS || rows > 0 && forms.iter().any(|form| matches!(form, Form::List(_))) {
            let mut of = Shape::NONE;
            for elements in forms.iter().filter_map(Form::elements) {
                of.join(&elements);
            }
            forms.retain(|form| !matches!(form, Form::Row(..) | Form::List(_)));
            forms.push(Form::List(of));
            changed = true;
        }
        let names = forms.iter().filter(|form| matches!(form, Form::Name(..))).count();
        let any = forms.contains(&Form::Atom);
        if any && names > 0 || names > MOST_NAMES {
            forms.retain(|form| !matches!(form, Form::Name(..)));
            if !any {
                forms.push(Form::Atom);
            }
        }
        let names = forms.iter().filter(|form| matches!(form, Form::Name(..))).count();
        if forms.len() - names > MOST_FORMS {
            *self = Shape::Any;
            return true;
        }
        changed
    }
}

/// Whether two records may be of one kind, by their keys or by their first parts.
fn begin_alike(one: &[Shape], other: &[Shape]) -> bool {
    if let (Some(one), Some(other)) = (keys(one), keys(other)) {
        return one == other;
    }
    match (one.first().and_then(kind), other.first().and_then(kind)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}
