//! Draws a tree as an SVG document in textbook style: squares for MAX, rounded boxes for MIN, diamonds
//! for chance, and the root on top.
//!
//! It takes a tree, a title and a theme. It returns a self-contained document.

mod legend;
mod paper;

use super::layout::place;
use super::scene::{ItemContent, Letters, Scene, label};
use super::{CutReason, NamedMove, NodeKind, SearchTree, TreeNode};
use alphorn_search::game::Side;
use alphorn_text::report::{grouped, plural};
use paper::{Paper, wide};
pub use paper::{Theme, escaped};
use std::fmt::Write;

const LETTERS: Letters = Letters::Page;

/// The height of a shape with a value, and its minimum width.
const HEIGHT: f64 = 24.0;
const NARROWEST: f64 = 28.0;

/// The height of the move label above a shape.
const NAME: f64 = 16.0;

/// The height of a line of small print.
const SMALL: f64 = 13.0;

/// The space between rows: at least `BRANCHES` and at most three times as much. It grows by one for each
/// `STEEP` of the horizontal reach of a branch.
const BRANCHES: f64 = 36.0;
const STEEP: f64 = 7.0;

/// The SVG document. `title` describes the tree.
pub fn document(tree: &SearchTree<NamedMove>, title: &str, theme: Theme) -> String {
    let scene = Scene::new(tree);
    let parents: Vec<Option<usize>> = scene.items.iter().map(|item| item.parent).collect();
    let places: Vec<Place> = (0..parents.len()).map(|at| Place::of(&scene, at)).collect();
    let widths: Vec<f64> = places.iter().map(Place::width).collect();
    let (middles, width) = place(&parents, &widths);
    let rows = rows(&scene, &places, &middles);
    let mut drawing = Drawing { scene: &scene, places, middles, rows, branches: String::new(), marks: String::new() };
    let bottom = (0..parents.len()).map(|at| drawing.draw(at)).fold(0.0, f64::max);
    let Drawing { branches, marks, .. } = drawing;
    let about = about(tree);
    let body = format!("<g class=\"branches\">\n{branches}</g>\n{marks}");
    Paper { title, about: &about, width, height: bottom }.document(theme, &body, &legend::entries(tree))
}

/// A sentence about the tree.
fn about(tree: &SearchTree<NamedMove>) -> String {
    let folded: u64 = tree.nodes.iter().map(|node| node.folded).sum();
    let mut text = format!(
        "{} to depth {}: value {}, {} visited",
        tree.algorithm,
        tree.depth,
        LETTERS.found(tree.root().value),
        plural(tree.visited, "position", "positions")
    );
    if folded > 0 {
        let _ = write!(text, ", {} of them folded", grouped(folded));
    }
    text + if tree.stopped { "; stopped before the end" } else { "" }
}

/// The top of every row. Long horizontal branches get more space.
fn rows(scene: &Scene<'_>, places: &[Place], middles: &[f64]) -> Vec<f64> {
    let last = scene.items.iter().map(|item| item.ply).max().unwrap_or(0) as usize;
    let mut heights = vec![0.0_f64; last + 1];
    let mut reaches = vec![0.0_f64; last + 1];
    for (at, item) in scene.items.iter().enumerate() {
        let row = item.ply as usize;
        heights[row] = heights[row].max(places[at].height());
        if let Some(parent) = item.parent {
            reaches[row] = reaches[row].max((middles[at] - middles[parent]).abs());
        }
    }
    let mut top = 0.0;
    let mut rows = vec![top];
    for row in 1..=last {
        top += heights[row - 1] + (reaches[row] / STEEP).clamp(BRANCHES, 3.0 * BRANCHES);
        rows.push(top);
    }
    rows
}

/// The texts of an item.
#[derive(Default)]
struct Place {
    /// The label of the move.
    name: String,
    /// The score.
    value: String,
    /// The window and the evaluation, in small print.
    window: String,
    /// The reason for a cutoff.
    reason: String,
    twin: String,
    kind: Option<NodeKind>,
    /// Whether the item is a group of folded positions.
    folded: bool,
}

impl Place {
    fn of(scene: &Scene<'_>, at: usize) -> Place {
        let mut place = Place::default();
        let node = match scene.items[at].what {
            ItemContent::Folded(positions) => {
                place.name = format!("… {}", grouped(positions));
                place.folded = true;
                return place;
            }
            ItemContent::Passed(..) => {
                place.name = match scene.passed(at) {
                    [(_, one)] => label(&one.label, LETTERS),
                    many => plural(many.len() as u64, "move", "moves"),
                };
                return place;
            }
            ItemContent::Node(number) => &scene.tree.nodes[number],
        };
        place.kind = Some(node.kind);
        place.name = node.mv.as_ref().map(|mv| label(&mv.label, LETTERS)).unwrap_or_default();
        if let Some(weight) = node.weight {
            let times = if place.name.is_empty() { "" } else { " " };
            let _ = write!(place.name, "{times}×{weight}");
        }
        place.value = LETTERS.found(node.value);
        if node.kind == NodeKind::Repeated {
            place.value = format!("↻{}", place.value);
        }
        place.twin = scene.twin(node).map(|twin| format!("≡{twin}")).unwrap_or_default();
        let inner = matches!(node.kind, NodeKind::Player(_) | NodeKind::Chance);
        if inner && node.seen {
            let window = node.window.map(|window| LETTERS.window(window));
            let judged = node.judged.map(|judged| format!("static {}", LETTERS.score(judged)));
            place.window = window.into_iter().chain(judged).collect::<Vec<_>>().join(" ");
            place.reason = node.cut.map(|cut| LETTERS.cut(cut)).unwrap_or_default();
        }
        place
    }

    /// The width of the shape.
    fn shape(&self) -> f64 {
        let text = wide(&self.value, 13.0);
        let around = match self.kind {
            None => return if self.folded { NARROWEST } else { 0.0 },
            Some(NodeKind::Chance) => 30.0,
            Some(NodeKind::Player(_)) => 14.0,
            Some(NodeKind::Over | NodeKind::Horizon | NodeKind::Repeated) => 8.0,
        };
        (text + around).max(if around > 8.0 { NARROWEST } else { 16.0 })
    }

    /// The width of the item with all its texts.
    fn width(&self) -> f64 {
        let twin = if self.twin.is_empty() { 0.0 } else { 2.0 * wide(&self.twin, 10.0) + 6.0 };
        let texts = [(&self.name, 11.0), (&self.window, 10.0), (&self.reason, 10.0)];
        texts.into_iter().map(|(text, size)| wide(text, size)).fold(self.shape() + twin, f64::max)
    }

    fn height(&self) -> f64 {
        let lines = [&self.window, &self.reason].into_iter().filter(|text| !text.is_empty()).count();
        let shape = match self.kind {
            Some(_) => HEIGHT + 3.0,
            None if self.folded => HEIGHT,
            None => 0.0,
        };
        NAME + shape + SMALL * lines as f64
    }
}

struct Drawing<'a> {
    scene: &'a Scene<'a>,
    places: Vec<Place>,
    middles: Vec<f64>,
    rows: Vec<f64>,
    branches: String,
    marks: String,
}

impl Drawing<'_> {
    /// Draws an item and its branch. Returns its lower border.
    fn draw(&mut self, at: usize) -> f64 {
        let top = self.rows[self.scene.items[at].ply as usize];
        self.branch(at);
        let place = std::mem::take(&mut self.places[at]);
        let x = self.middles[at];
        let low = top + place.height();
        match (self.scene.items[at].what, self.scene.node(at)) {
            (ItemContent::Node(number), Some(node)) => self.position(number, node, &place, (x, top)),
            (ItemContent::Folded(_), _) => {
                let (left, right, foot) = (x - 13.0, x + 13.0, top + 22.0);
                let _ = writeln!(
                    self.marks,
                    "<path class=\"folded\" d=\"M{x:.1} {:.1}L{left:.1} {foot:.1}H{right:.1}Z\"/>",
                    top + 2.0
                );
                self.text("small", &place.name, (x, top + 34.0));
            }
            _ => self.text("name gone", &place.name, (x, top + 11.0)),
        }
        self.places[at] = place;
        low
    }

    fn text(&mut self, class: &str, text: &str, (x, y): (f64, f64)) {
        if !text.is_empty() {
            let _ = writeln!(self.marks, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
        }
    }

    fn position(&mut self, number: usize, node: &TreeNode<NamedMove>, place: &Place, (x, top): (f64, f64)) {
        let Place { name, value, window, reason, twin, .. } = place;
        let best = if node.best { " best" } else { "" };
        let gone = if node.seen { "" } else { " gone" };
        let _ = writeln!(self.marks, "<g id=\"n{number}\">{}", tip(node));
        self.text(&format!("name{gone}{best}"), name, (x, top + 11.0));
        let (y, wide) = (top + NAME, place.shape());
        let (left, right, middle, low) = (x - wide / 2.0, x + wide / 2.0, y + HEIGHT / 2.0, y + HEIGHT);
        let (class, corner) = match node.kind {
            NodeKind::Player(Side::Max) => ("max", 1.5),
            NodeKind::Player(Side::Min) => ("min", HEIGHT / 2.0),
            NodeKind::Chance => ("chance", 0.0),
            NodeKind::Over | NodeKind::Repeated => ("over", 3.0),
            NodeKind::Horizon => ("horizon", 3.0),
        };
        let _ = match node.kind {
            NodeKind::Chance => writeln!(
                self.marks,
                "<path class=\"{class}{best}{gone}\" d=\"M{left:.1} {middle:.1}L{:.1} {y:.1}H{:.1}L{right:.1} \
                 {middle:.1}L{:.1} {low:.1}H{:.1}Z\"/>",
                left + 14.0,
                right - 14.0,
                right - 14.0,
                left + 14.0
            ),
            _ => writeln!(
                self.marks,
                "<rect class=\"{class}{best}{gone}\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" \
                 height=\"{HEIGHT}\" rx=\"{corner}\"/>"
            ),
        };
        self.text(&format!("value{best}{gone}"), value, (x, middle + 4.5));
        if let (Some(first), false) = (node.same, twin.is_empty()) {
            let _ = writeln!(
                self.marks,
                "<a href=\"#n{first}\"><text class=\"twin\" x=\"{:.1}\" y=\"{:.1}\">{}</text></a>",
                right + 3.0,
                y + 8.0,
                escaped(twin)
            );
        }
        let small = low + SMALL;
        self.text("small", window, (x, small));
        let below = if window.is_empty() { small } else { small + SMALL };
        self.text("reason", reason, (x, below));
        self.marks.push_str("</g>\n");
    }

    /// Draws the branch to an item. A cut-off branch is dashed, with one bar across, or two for a deep
    /// cutoff.
    fn branch(&mut self, at: usize) {
        let item = &self.scene.items[at];
        let Some(above) = item.parent else { return };
        let Some(parent) = self.scene.node(above) else { return };
        let start = self.rows[self.scene.items[above].ply as usize] + self.places[above].height() + 2.0;
        let name = if self.places[at].name.is_empty() { NAME - 1.0 } else { 0.0 };
        let end = self.rows[item.ply as usize] + name;
        let (x, to) = (self.middles[above], self.middles[at]);
        let node = self.scene.node(at);
        let class = match item.what {
            ItemContent::Folded(_) => "rest",
            ItemContent::Passed(..) => "gone",
            ItemContent::Node(_) if node.is_some_and(|node| node.best) => "best",
            ItemContent::Node(_) if !parent.seen => "beyond",
            ItemContent::Node(_) if node.is_some_and(|node| !node.seen) => "gone",
            ItemContent::Node(_) => "seen",
        };
        let _ = writeln!(self.branches, "<path class=\"{class}\" d=\"M{x:.1} {start:.1}L{to:.1} {end:.1}\"/>");
        if class != "gone" {
            return;
        }
        let bars: &[f64] =
            if matches!(parent.cut, Some(CutReason::Window { deep: true, .. })) { &[0.62, 0.74] } else { &[0.68] };
        let long = ((to - x).powi(2) + (end - start).powi(2)).sqrt().max(1.0);
        let (across, down) = (5.0 * (end - start) / long, 5.0 * (to - x) / long);
        for share in bars {
            let (x, y) = (x + share * (to - x), start + share * (end - start));
            let _ = writeln!(
                self.branches,
                "<path class=\"bar\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                x - across,
                y + down,
                x + across,
                y - down
            );
        }
    }
}

/// The tooltip of a position.
fn tip(node: &TreeNode<NamedMove>) -> String {
    let position = node.mv.as_ref().map(|mv| mv.position.as_str()).filter(|position| !position.is_empty());
    let judged = node.judged.map(|judged| format!("static value {}", LETTERS.score(judged)));
    let words: Vec<String> = position.map(str::to_string).into_iter().chain(judged).collect();
    match words.is_empty() {
        true => String::new(),
        false => format!("<title>{}</title>", escaped(&words.join(" · "))),
    }
}
