//! Places the items of a tree without overlaps, so that equal subtrees look equal.
//!
//! It takes the parent and the width of each item, in order. It returns the centre of each, in the same
//! unit. A parent is centred over its children. Subtrees are as close as their outlines allow (Edward
//! Reingold and John Tilford, "Tidier Drawings of Trees", 1981). Free space around small subtrees between
//! large ones is shared among them (Christoph Buchheim and others, "Improving Walker's Algorithm to Run
//! in Linear Time", 2002). It does not know what is drawn.

/// The distance between two items, and the additional distance between families.
const APART: f64 = 14.0;
const FAMILIES: f64 = 10.0;

/// The outline of a subtree by levels: the left and the right border, measured from the centre of its
/// top.
type Outline = Vec<(f64, f64)>;

/// The centre of every item, none of them left of `APART`; and the total width.
///
/// The worst-case time is the number of items times the height of the tree.
pub(super) fn place(parents: &[Option<usize>], widths: &[f64]) -> (Vec<f64>, f64) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(at);
        }
    }
    let mut outlines: Vec<Outline> = vec![Outline::new(); parents.len()];
    // Offsets from the centre of the parent.
    let mut shifts = vec![0.0; parents.len()];
    // Children come after their parents, so a loop from the end needs no recursion.
    for at in (0..parents.len()).rev() {
        let below: Vec<Outline> = children[at].iter().map(|child| std::mem::take(&mut outlines[*child])).collect();
        let places = side_by_side(&below);
        let middle = places.first().zip(places.last()).map_or(0.0, |(first, last)| (first + last) / 2.0);
        for (child, place) in children[at].iter().zip(&places) {
            shifts[*child] = place - middle;
        }
        outlines[at] = joined(widths[at], &below, places.iter().map(|place| place - middle));
    }
    let reach = outlines.first().map_or(0.0, |outline| outline.iter().map(|level| level.0).fold(0.0, f64::min));
    let mut middles = vec![0.0; parents.len()];
    let mut most: f64 = 0.0;
    for (at, parent) in parents.iter().enumerate() {
        middles[at] = parent.map_or(APART - reach, |parent| middles[parent]) + shifts[at];
        most = most.max(middles[at] + widths[at] / 2.0);
    }
    (middles, most + APART)
}

/// The positions of the tops of adjacent subtrees, the first at 0.
fn side_by_side(below: &[Outline]) -> Vec<f64> {
    let mut places: Vec<f64> = Vec::with_capacity(below.len());
    for (number, outline) in below.iter().enumerate() {
        // The least position next to each earlier subtree. The last one sets the minimum.
        let pushed = |(before, place): (usize, &f64)| {
            let apart = |level: usize| if level == 0 { APART } else { APART + FAMILIES };
            let levels = below[before].iter().zip(outline).enumerate();
            levels.map(|(level, (left, right))| place + left.1 - right.0 + apart(level)).fold(f64::MIN, f64::max)
        };
        let least = places.iter().enumerate().next_back().map_or(0.0, pushed);
        let (by, place) = places
            .iter()
            .enumerate()
            .map(|before| (before.0, pushed(before)))
            .fold((number, least), |most, other| if other.1 > most.1 + 1e-9 { other } else { most });
        // Distribute the space among the subtrees between.
        let between = number.saturating_sub(by);
        for (step, free) in places.iter_mut().skip(by + 1).enumerate() {
            *free += (place - least) * (step + 1) as f64 / between as f64;
        }
        places.push(place);
    }
    places
}

/// The outline of an item of this width above its subtrees.
fn joined(width: f64, below: &[Outline], places: impl Iterator<Item = f64>) -> Outline {
    let mut outline = vec![(-width / 2.0, width / 2.0)];
    for (under, place) in below.iter().zip(places) {
        for (level, (left, right)) in under.iter().enumerate() {
            let reach = (left + place, right + place);
            match outline.get_mut(level + 1) {
                Some(known) => *known = (known.0.min(reach.0), known.1.max(reach.1)),
                None => outline.push(reach),
            }
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parents in a tree, from the number of children of each item in order.
    fn tree(counts: &[usize]) -> Vec<Option<usize>> {
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut parents = Vec::new();
        for (at, count) in counts.iter().enumerate() {
            while open.last().is_some_and(|(_, left)| *left == 0) {
                open.pop();
            }
            parents.push(open.last().map(|(parent, _)| *parent));
            if let Some(last) = open.last_mut() {
                last.1 -= 1;
            }
            open.push((at, *count));
        }
        parents
    }

    #[test]
    fn nothing_overlaps_and_parents_stand_in_the_middle() {
        // A wide family, and single children between it and a deep one.
        let parents = tree(&[4, 5, 0, 0, 0, 0, 0, 0, 0, 2, 1, 3, 0, 0, 0, 0]);
        let widths: Vec<f64> = (0..parents.len()).map(|at| 20.0 + 7.0 * (at % 4) as f64).collect();
        let (middles, width) = place(&parents, &widths);
        let ply = |at: usize| std::iter::successors(parents[at], |above| parents[*above]).count();
        for left in 0..parents.len() {
            assert!(middles[left] - widths[left] / 2.0 >= APART - 1e-9 && middles[left] + widths[left] / 2.0 < width);
            for right in left + 1..parents.len() {
                let room = (middles[left] - middles[right]).abs() - (widths[left] + widths[right]) / 2.0;
                assert!(ply(left) != ply(right) || room >= APART - 1e-9, "{left} and {right}: {room}");
            }
            let below: Vec<f64> =
                (0..parents.len()).filter(|at| parents[*at] == Some(left)).map(|at| middles[at]).collect();
            if let (Some(first), Some(last)) = (below.first(), below.last()) {
                assert!(((first + last) / 2.0 - middles[left]).abs() < 1e-9);
            }
        }
        // The two items without children have equal distances to their neighbours.
        let gaps: Vec<f64> = [(1, 7), (7, 8), (8, 9)].map(|(left, right)| middles[right] - middles[left]).to_vec();
        let of = |gap: usize, left: usize, right: usize| gaps[gap] - (widths[left] + widths[right]) / 2.0;
        let found = [of(0, 1, 7), of(1, 7, 8), of(2, 8, 9)];
        assert!(found.iter().all(|room| *room > APART), "{found:?}");
    }
}
