//! The standard order of terms, and equality (ISO/IEC 13211-1, 7.2).
//!
//! As in SWI-Prolog, the order is: variables, numbers, texts, atoms, compounds. Numbers are ordered
//! by value, and a float precedes an equal integer. Compounds are ordered by arity, name,
//! arguments.

use super::heap::{Heap, TermView};
use super::{LST, STR, Term};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// A comparison that can pause, because terms may be very large or share many parts.
pub struct Comparison {
    pairs: Vec<(Term, Term)>,
    visits: u64,
    shared: bool,
}

impl Comparison {
    /// Starts a comparison of two terms.
    pub fn new(left: Term, right: Term) -> Comparison {
        Comparison { pairs: vec![(left, right)], visits: 0, shared: false }
    }

    /// Returns the number of pairs that the last round visited.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Returns the number of pairs that remain to be visited.
    pub fn waiting(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether both sides contained the same object, which the comparison skipped.
    pub fn has_shared(&self) -> bool {
        self.shared
    }

    /// Visits at most `most` further pairs. Returns `None` if they do not decide the order.
    pub fn run(&mut self, heap: &Heap, most: u64) -> Option<Ordering> {
        self.visits = 0;
        while let Some((left, right)) = self.pairs.pop() {
            if self.visits == most {
                self.pairs.push((left, right));
                return None;
            }
            self.visits += 1;
            let (left, right) = (heap.deref(left), heap.deref(right));
            if left == right {
                self.shared |= matches!(left.tag(), STR | LST);
                continue;
            }
            if let (TermView::Compound(name, args), TermView::Compound(other, others)) =
                (heap.view(left), heap.view(right))
            {
                // A pointer comparison comes first, because most names are equal.
                let names = || if name == other { Ordering::Equal } else { name.name().cmp(&other.name()) };
                let heads = args.len().cmp(&others.len()).then_with(names);
                if heads != Ordering::Equal {
                    return Some(heads);
                }
                self.pairs.extend(args.iter().zip(others).rev().map(|(left, right)| (Term(*left), Term(*right))));
                continue;
            }
            let order = simple(heap, left, right);
            if order != Ordering::Equal {
                return Some(order);
            }
        }
        Some(Ordering::Equal)
    }
}

/// Returns the order of two terms, without a limit on the work.
pub fn compare(heap: &Heap, left: Term, right: Term) -> Ordering {
    let mut comparison = Comparison::new(left, right);
    loop {
        if let Some(order) = comparison.run(heap, u64::MAX) {
            return order;
        }
    }
}

/// Orders two terms of which at most one is compound.
fn simple(heap: &Heap, left: Term, right: Term) -> Ordering {
    match (heap.view(left), heap.view(right)) {
        (TermView::Var(left), TermView::Var(right)) => left.cmp(&right),
        (TermView::Atom(left), TermView::Atom(right)) => left.name().cmp(&right.name()),
        (TermView::Int(left), TermView::Int(right)) => left.cmp(&right),
        (TermView::Text(n, left), TermView::Text(m, right)) => texts((n, left), (m, right)),
        (left, right) => {
            let rank = |view: &TermView<'_>| match view {
                TermView::Var(_) => 0,
                TermView::Int(_) | TermView::Big(..) | TermView::Float(_) => 1,
                TermView::Text(..) => 3,
                TermView::Atom(_) => 4,
                TermView::Compound(..) => 5,
            };
            rank(&left).cmp(&rank(&right)).then_with(|| numbers(heap, left, right))
        }
    }
}

/// Orders two texts by their characters. Each has its number of bytes, and words of eight bytes.
pub(super) fn texts((n, left): (usize, &[u64]), (m, right): (usize, &[u64])) -> Ordering {
    // UTF-8 has the order of characters. The last word ends in zeros, so of equal words the shorter text comes first.
    let first_bytes_first = |word: &u64| word.swap_bytes();
    left.iter().map(first_bytes_first).cmp(right.iter().map(first_bytes_first)).then(n.cmp(&m))
}

fn numbers(heap: &Heap, left: TermView<'_>, right: TermView<'_>) -> Ordering {
    let whole = |view: TermView<'_>| match view {
        TermView::Int(value) => Some(BigInt::from(value)),
        TermView::Big(negative, words) => Some(heap.big_of(negative, words)),
        _ => None,
    };
    match (left, right) {
        (TermView::Float(left), TermView::Float(right)) => float_order(left, right),
        (TermView::Float(left), right) => {
            whole(right).map_or(Ordering::Equal, |right| float_to_integer(left, &right).then(Ordering::Less))
        }
        (left, TermView::Float(right)) => {
            whole(left).map_or(Ordering::Equal, |left| float_to_integer(right, &left).reverse().then(Ordering::Greater))
        }
        (left, right) => whole(left).cmp(&whole(right)),
    }
}

/// Orders floats. As in SWI-Prolog, NaN precedes all other floats.
fn float_order(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or_else(|| right.is_nan().cmp(&left.is_nan()))
}

/// Compares a float with an integer exactly.
pub fn float_to_integer(float: f64, integer: &BigInt) -> Ordering {
    if float.is_nan() || float == f64::NEG_INFINITY {
        return Ordering::Less;
    }
    if float == f64::INFINITY {
        return Ordering::Greater;
    }
    if let Some(near) = integer.to_i64().filter(|value| value.unsigned_abs() < (1 << 53)) {
        return float.partial_cmp(&(near as f64)).unwrap_or(Ordering::Less);
    }
    let floor = float.floor();
    let whole = num_traits::FromPrimitive::from_f64(floor).unwrap_or_else(BigInt::default);
    whole.cmp(integer).then(if float > floor { Ordering::Greater } else { Ordering::Equal })
}
