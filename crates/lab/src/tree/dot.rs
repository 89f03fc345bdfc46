//! Draws a tree in the DOT language of Graphviz.
//!
//! It takes a tree and a title. It returns a directed graph: MAX moves in boxes, MIN in ellipses, and
//! chance in diamonds. Graphviz computes the layout.

use super::scene::{ItemContent, Letters, Scene, label};
use super::{NamedMove, NodeKind, SearchTree, TreeNode};
use alphorn_search::game::Side;
use alphorn_text::printable::line;
use alphorn_text::report::plural;
use std::fmt::Write;

const LETTERS: Letters = Letters::Terminal;

/// The graph, valid DOT in UTF-8.
pub fn graph(tree: &SearchTree<NamedMove>, title: &str) -> String {
    let scene = Scene::new(tree);
    let mut text = format!(
        "digraph tree {{\n  label={}; labelloc=t; ordering=out;\n  \
         node [fontname=\"Helvetica\", fontsize=11]; edge [fontname=\"Helvetica\", fontsize=10, arrowhead=none];\n",
        quoted(title)
    );
    for (at, item) in scene.items.iter().enumerate() {
        let (words, looks) = match (item.what, scene.node(at)) {
            (ItemContent::Node(_), Some(node)) => (words(&scene, node), looks(node)),
            (ItemContent::Folded(positions), _) => {
                (format!("… {}", plural(positions, "position", "positions")), "shape=triangle, style=dashed".into())
            }
            _ => (String::new(), "shape=point, color=red".to_string()),
        };
        let _ = writeln!(text, "  n{at} [label={}, {looks}];", quoted(&words));
        let Some(above) = item.parent else { continue };
        let name = match (item.what, scene.passed(at)) {
            (ItemContent::Passed(..), [(_, one)]) => label(&one.label, LETTERS),
            (ItemContent::Passed(..), many) => plural(many.len() as u64, "move", "moves"),
            _ => scene.node(at).and_then(name).unwrap_or_default(),
        };
        let looks = match scene.node(at) {
            Some(node) if node.best => ", penwidth=3",
            Some(node) if node.seen => "",
            None if matches!(item.what, ItemContent::Folded(_)) => ", style=dotted",
            _ => ", style=dashed, color=red",
        };
        let _ = writeln!(text, "  n{above} -> n{at} [label={}{looks}];", quoted(&name));
    }
    text.push_str("}\n");
    text
}

fn name(node: &TreeNode<NamedMove>) -> Option<String> {
    let name = label(&node.mv.as_ref()?.label, LETTERS);
    Some(node.weight.map_or(name.clone(), |weight| format!("{name} ×{weight}")))
}

/// The text of a node, line by line.
fn words(scene: &Scene<'_>, node: &TreeNode<NamedMove>) -> String {
    let mut lines =
        vec![format!("{}{}", if node.kind == NodeKind::Repeated { "↻" } else { "" }, LETTERS.found(node.value))];
    if node.seen && matches!(node.kind, NodeKind::Player(_) | NodeKind::Chance) {
        lines.extend(node.window.map(|window| LETTERS.window(window)));
        lines.extend(node.cut.map(|cut| LETTERS.cut(cut)));
    }
    lines.extend(scene.twin(node).map(|twin| format!("≡{twin}")));
    lines.join("\n")
}

fn looks(node: &TreeNode<NamedMove>) -> String {
    let shape = match node.kind {
        NodeKind::Player(Side::Max) => "box",
        NodeKind::Player(Side::Min) => "ellipse",
        NodeKind::Chance => "diamond",
        NodeKind::Over | NodeKind::Horizon | NodeKind::Repeated => "plaintext",
    };
    let more = match node {
        TreeNode { seen: false, .. } => ", style=dashed, fontcolor=gray",
        TreeNode { best: true, .. } => ", penwidth=2.5",
        _ => "",
    };
    format!("shape={shape}{more}")
}

/// A text as a DOT string.
fn quoted(text: &str) -> String {
    let parts: Vec<_> = text.split('\n').map(|part| line(part).replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", parts.join("\\n"))
}
