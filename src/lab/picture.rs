//! Picture: a small tree with its values and with what alpha-beta cuts off, as text and as SVG.
//!
//! In: a tree. Out: lines of text, or an SVG document; and which places F1 and F2 visit. A position
//! stands over the middle of its children. What F2 does not visit is in brackets; where F1 visits it,
//! the cut is a deep one. Must not know where a picture is shown.

use super::ties::minimax;
use super::trace::{Left, Procedure, run};
use super::uniform::{Place, Reader, Uniform};
use crate::game::Score;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// Most leaves of a tree that is drawn.
pub const MOST_DRAWN: u64 = 256;

/// A wider text is broken up into the trees of the first moves.
const MOST_COLUMNS: usize = 100;

/// What F2 does about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It visits it.
    Visited,
    /// It passes over it, as F1 does.
    Cut,
    /// It passes over it, and F1 does not: a deep cut-off.
    DeepCut,
}

/// How leaves are written in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dress {
    /// Every leaf with its value, those not visited in brackets.
    Full,
    /// For leaves of one digit: a point for those not visited.
    Narrow,
}

/// A tree with the marks of F1 and F2.
pub struct Picture<'a> {
    tree: &'a Uniform,
    /// Where F1 goes.
    bounded: FxHashSet<Place>,
    /// Where F2 goes, and what it learns there.
    found: FxHashMap<Place, String>,
}

impl<'a> Picture<'a> {
    /// Searches `tree` by F1 and by F2. Its leaves should not be more than [`MOST_DRAWN`].
    pub fn new(tree: &'a Uniform) -> Picture<'a> {
        let mut bounded = FxHashSet::default();
        follow(tree, Procedure::F1, &mut |left| {
            bounded.insert(*left.state);
        });
        let mut found = FxHashMap::default();
        follow(tree, Procedure::F2, &mut |left| {
            let sign = match left.between {
                (least, greatest) if least == greatest => "",
                (least, _) if least == left.score => ">=",
                _ => "<=",
            };
            found.insert(*left.state, format!("{sign}{}", left.score));
        });
        Picture { tree, bounded, found }
    }

    /// What F2 does about `place`.
    pub fn mark(&self, place: Place) -> Mark {
        if self.found.contains_key(&place) {
            Mark::Visited
        } else if self.bounded.contains(&place) {
            Mark::DeepCut
        } else {
            Mark::Cut
        }
    }

    /// The leaves with this mark, counted.
    pub fn leaves(&self, mark: Mark) -> u64 {
        let shape = self.tree.shape;
        let leaves = (0..shape.leaves()).map(|number| Place { ply: shape.height(), number });
        leaves.filter(|leaf| self.mark(*leaf) == mark).count() as u64
    }

    /// What is written at a place: what F2 learns there, or the value in brackets.
    fn label(&self, place: Place, dress: Dress) -> String {
        let is_leaf = place.ply == self.tree.shape.height();
        match self.found.get(&place) {
            Some(found) => found.clone(),
            None if dress == Dress::Narrow && is_leaf => ".".to_string(),
            None => format!("({})", minimax(self.tree, place)),
        }
    }

    fn children(&self, place: Place) -> Vec<Place> {
        let branching = self.tree.shape.branching();
        match place.ply < self.tree.shape.height() {
            true => (1..=branching).map(|mv| place.child(branching, mv)).collect(),
            false => Vec::new(),
        }
    }

    /// The tree as lines of text: labels, and under them branches, `x` where one is cut off and `X`
    /// where the cut is deep.
    pub fn text(&self, dress: Dress) -> Vec<String> {
        self.text_below(Place::ROOT, dress)
    }

    fn text_below(&self, top: Place, dress: Dress) -> Vec<String> {
        let mut canvas = Canvas::default();
        self.draw(top, 0, 0, dress, &mut canvas);
        if canvas.width() <= MOST_COLUMNS {
            return canvas.read();
        }
        let mut lines = vec![format!("{}, after its moves:", self.label(top, dress))];
        for child in self.children(top) {
            lines.push(String::new());
            lines.extend(self.text_below(child, dress));
        }
        lines
    }

    /// Draws what is below `place` from column `left` on; gives the middle column and the first one
    /// to the right of it that is free.
    fn draw(&self, place: Place, left: usize, row: usize, dress: Dress, canvas: &mut Canvas) -> (usize, usize) {
        let label = self.label(place, dress);
        let children = self.children(place);
        if children.is_empty() {
            let middle = left + label.len() / 2;
            canvas.write(row, left, &label);
            return (middle, left + label.len() + 1);
        }
        let mut free = left;
        let mut middles = Vec::new();
        for child in &children {
            let (middle, next) = self.draw(*child, free, row + 2, dress, canvas);
            middles.push(middle);
            free = next;
        }
        let (first, last) = (middles[0], middles[middles.len() - 1]);
        let middle = (first + last).div_ceil(2);
        canvas.write(row + 1, first, &"-".repeat(last - first));
        canvas.write(row + 1, middle, "+");
        for (child, middle) in children.iter().zip(&middles) {
            let corner = match self.mark(*child) {
                Mark::Visited => "+",
                Mark::Cut => "x",
                Mark::DeepCut => "X",
            };
            canvas.write(row + 1, *middle, corner);
        }
        let begin = (middle + 1).saturating_sub(label.len().div_ceil(2)).max(left);
        canvas.write(row, begin, &label);
        // One more column between families than within one, and room for a wide label.
        (middle, (free + 1).max(begin + label.len() + 1))
    }

    /// The tree as an SVG document: squares where Max moves, circles where Min does.
    pub fn svg(&self) -> String {
        let shape = self.tree.shape;
        let (across, down) = (ACROSS * shape.leaves() + ACROSS, DOWN * u64::from(shape.height()) + DOWN);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {down}\" width=\"{across}\" \
             height=\"{down}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        for ply in 0..=shape.height() {
            for number in 0..shape.width(ply) {
                self.svg_place(Place { ply, number }, &mut text);
            }
        }
        text.push_str("</svg>\n");
        text
    }

    /// One place, after the lines to its children.
    fn svg_place(&self, place: Place, text: &mut String) {
        let (x, y) = self.at(place);
        for child in self.children(place) {
            let (to_x, to_y) = self.at(child);
            let mark = self.mark(child);
            let dress =
                if mark == Mark::Visited { "stroke=\"black\"" } else { "stroke=\"#aaa\" stroke-dasharray=\"3\"" };
            line(text, (x, y), (to_x, to_y), dress);
            // Only where a cut begins: below it nothing is visited anyway.
            if mark != Mark::Visited && self.mark(place) == Mark::Visited {
                let (x, y) = ((x + to_x) / 2, y.midpoint(to_y));
                let colour = if mark == Mark::DeepCut { "stroke=\"blue\"" } else { "stroke=\"red\"" };
                line(text, (x - 6, y), (x + 6, y), &format!("{colour} stroke-width=\"3\""));
            }
        }
        let ink = if self.mark(place) == Mark::Visited { "black" } else { "#999" };
        let label = self.label(place, Dress::Full).replace(">=", "≥").replace("<=", "≤");
        let dress = format!("fill=\"white\" stroke=\"{ink}\"");
        let outline = match place.ply {
            ply if ply == self.tree.shape.height() => String::new(),
            ply if ply % 2 == 0 => format!(
                "<rect x=\"{}\" y=\"{}\" width=\"28\" height=\"22\" {dress}/>\n",
                x.saturating_sub(14),
                y.saturating_sub(11)
            ),
            _ => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" {dress}/>\n"),
        };
        text.push_str(&outline);
        if outline.is_empty() {
            let _ =
                writeln!(text, "<rect x=\"{}\" y=\"{}\" width=\"28\" height=\"18\" fill=\"white\"/>", x - 14, y - 9);
        }
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{}\" fill=\"{ink}\">{label}</text>", y + 4);
    }

    /// Where a place is drawn: over the middle of its leaves.
    fn at(&self, place: Place) -> (u64, u64) {
        let under = self.tree.shape.width(self.tree.shape.height() - place.ply);
        let (first, last) = (place.number * under, (place.number + 1) * under - 1);
        (ACROSS + ACROSS * (first + last) / 2, DOWN / 2 + DOWN * u64::from(place.ply))
    }
}

/// From one leaf to the next, and from one ply to the next, in an SVG document.
const ACROSS: u64 = 36;
const DOWN: u64 = 64;

fn line(text: &mut String, (x, y): (u64, u64), (to_x, to_y): (u64, u64), dress: &str) {
    let _ = writeln!(text, "<line x1=\"{x}\" y1=\"{y}\" x2=\"{to_x}\" y2=\"{to_y}\" {dress}/>");
}

/// Runs a procedure on all of a tree and hears of every place that it visits.
fn follow(tree: &Uniform, procedure: Procedure, hear: &mut dyn FnMut(Left<'_, Place>)) {
    let never = AtomicBool::new(false);
    let ran = run(procedure, (tree, &Reader), &Place::ROOT, tree.shape.height(), &never, hear);
    assert!(ran.is_ok_and(|counts| matches!(counts.value, Some(Score::Value(_)))), "a made-up tree has a value");
}

/// Lines of text that are written in any order. All is ASCII.
#[derive(Default)]
struct Canvas {
    rows: Vec<Vec<u8>>,
}

impl Canvas {
    fn write(&mut self, row: usize, column: usize, text: &str) {
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let line = &mut self.rows[row];
        let end = column + text.len();
        if line.len() < end {
            line.resize(end, b' ');
        }
        line[column..end].copy_from_slice(text.as_bytes());
    }

    fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn read(&self) -> Vec<String> {
        self.rows.iter().map(|row| String::from_utf8_lossy(row).trim_end().to_string()).collect()
    }
}
