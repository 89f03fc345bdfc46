//! A list that its copies share until one of them is changed.

use std::ops::Deref;
use std::rc::Rc;

/// A list for values that are copied often and changed seldom.
#[derive(Clone, Debug)]
pub(super) struct SharedList<T>(Option<Rc<Vec<T>>>);

impl<T: Clone> SharedList<T> {
    pub(super) const EMPTY: SharedList<T> = SharedList(None);

    /// The elements, to change them in this list alone.
    pub(super) fn edit(&mut self) -> &mut Vec<T> {
        Rc::make_mut(self.0.get_or_insert_default())
    }

    /// Whether both lists are copies of one.
    pub(super) fn is_shared_with(&self, other: &SharedList<T>) -> bool {
        matches!((&self.0, &other.0), (Some(own), Some(other)) if Rc::ptr_eq(own, other))
    }
}

impl<T> Deref for SharedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl<T: Clone + PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &SharedList<T>) -> bool {
        self.is_shared_with(other) || **self == **other
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> SharedList<T> {
        let elements: Vec<T> = elements.into_iter().collect();
        SharedList((!elements.is_empty()).then(|| Rc::new(elements)))
    }
}

impl<T: Clone> IntoIterator for SharedList<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.map(Rc::unwrap_or_clone).unwrap_or_default().into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
