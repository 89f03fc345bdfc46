//! Draws a tree as lines of text. It grows to the right, and the principal variation has heavy strokes.
//!
//! It takes a tree, a character set and a width. Positions without moves share one line with their parent
//! if there is room. A subtree too far to the right is folded. The output need not be a terminal.

use super::scene::{Item, ItemContent, Letters, Scene, label};
use super::{CutReason, NamedMove, NodeKind, SearchTree, TreeNode};
use alphorn_search::game::Side;
use alphorn_text::report::plural;

/// The minimum width of a line after its strokes. With less, a subtree is folded.
const ROOM: usize = 24;

/// The tree in lines of up to `width` characters.
///
/// `MAX 3 (-∞, ∞)` is the player to move, the score and the window. In a line of positions `*` marks best
/// play, and brackets mark moves that were not searched.
pub fn lines(tree: &SearchTree<NamedMove>, letters: Letters, width: usize) -> Vec<String> {
    let scene = Scene::new(tree);
    let mut page = Page { scene: &scene, letters, width, lines: Vec::new() };
    // Items with the strokes before them.
    let mut left: Vec<(usize, String, bool)> = vec![(0, String::new(), true)];
    while let Some((at, before, is_last)) = left.pop() {
        let below = page.draw(at, &before, is_last);
        let before = format!("{before}{}", page.indent(at, is_last));
        let count = below.len();
        let below = below.into_iter().enumerate().map(|(number, child)| (child, before.clone(), number + 1 == count));
        left.extend(below.rev());
    }
    page.lines
}

/// The meanings of the signs that occur in these lines.
pub fn legend(tree: &SearchTree<NamedMove>, letters: Letters) -> Vec<String> {
    let scene = Scene::new(tree);
    let any = |has: &dyn Fn(&TreeNode<NamedMove>) -> bool| tree.nodes.iter().any(has);
    let short = |node: &TreeNode<NamedMove>| node.parent.is_some() && node.children.is_empty();
    let horizon = letters.kind(NodeKind::Horizon);
    let twin = if letters == Letters::Ascii { "same as A" } else { "≡A" };
    [
        (any(&|node| node.best && short(node)), "* best play".to_string()),
        (any(&|node| node.kind == NodeKind::Horizon), format!("{horizon} evaluated, not searched")),
        (any(&|node| !node.passed.is_empty()), "[ ] not visited".to_string()),
        (any(&|node| scene.twin(node).is_some()), format!("{twin} same position as the one marked A")),
    ]
    .into_iter()
    .filter_map(|(occurs, words)| occurs.then_some(words))
    .collect()
}

struct Page<'a> {
    scene: &'a Scene<'a>,
    letters: Letters,
    width: usize,
    lines: Vec<String>,
}

impl Page<'_> {
    /// The strokes that lead to an item.
    fn branch(&self, at: usize, is_last: bool) -> &'static str {
        let best = self.scene.node(at).is_some_and(|node| node.best);
        let seen = self.scene.node(at).is_some_and(|node| node.seen);
        let ascii = self.letters == Letters::Ascii;
        match (is_last, best, seen) {
            _ if at == 0 => "",
            (false, true, _) if ascii => "|= ",
            (true, true, _) if ascii => "`= ",
            (false, false, true) if ascii => "|- ",
            (true, false, true) if ascii => "`- ",
            (false, false, false) if ascii => "|. ",
            (true, false, false) if ascii => "`. ",
            (false, true, _) => "┝━ ",
            (true, true, _) => "┕━ ",
            (false, false, true) => "├─ ",
            (true, false, true) => "└─ ",
            (false, false, false) => "├╌ ",
            (true, false, false) => "└╌ ",
        }
    }

    /// The strokes below those of an item.
    fn indent(&self, at: usize, is_last: bool) -> &'static str {
        match is_last {
            _ if at == 0 => "",
            true => "   ",
            false if self.letters == Letters::Ascii => "|  ",
            false => "│  ",
        }
    }

    /// Writes the line of an item. Returns the children that need lines of their own.
    fn draw(&mut self, at: usize, before: &str, is_last: bool) -> Vec<usize> {
        let item = &self.scene.items[at];
        let head = format!("{before}{}{}", self.branch(at, is_last), self.words(at));
        let cut = self.cut(at);
        let children = item.children.as_slice();
        if children.is_empty() {
            self.write(head + &cut);
            return Vec::new();
        }
        if before.chars().count() + ROOM > self.width.max(2 * ROOM) {
            let positions = self.below(item);
            self.write(format!("{head}: {}", self.folded(positions)));
            return Vec::new();
        }
        if let Some(row) = self.row(children) {
            let line = format!("{head}: {row}{cut}");
            if line.chars().count() <= self.width {
                self.write(line);
                return Vec::new();
            }
        }
        self.write(head + &cut);
        children.to_vec()
    }

    fn write(&mut self, line: String) {
        let line = line.trim_end();
        if line.chars().count() <= self.width {
            self.lines.push(line.to_string());
            return;
        }
        let dots = if self.letters == Letters::Ascii { "..." } else { "…" };
        let room = self.width.saturating_sub(dots.chars().count());
        self.lines.push(line.chars().take(room).chain(dots.chars()).collect());
    }

    /// Items without children, in one line.
    fn row(&self, items: &[usize]) -> Option<String> {
        let word = |at: &usize| {
            let item = &self.scene.items[*at];
            let node = match item.what {
                ItemContent::Node(_) if item.children.is_empty() => self.scene.node(*at)?,
                ItemContent::Passed(..) => return Some(format!("[{}]", self.names(*at))),
                ItemContent::Node(_) | ItemContent::Folded(_) => return None,
            };
            let mut words = self.name(node).map_or(String::new(), |name| format!("{name}="));
            words += &format!("{}{}", self.letters.kind(node.kind), self.letters.found(node.value));
            Some(match (node.seen, node.best) {
                (false, _) => format!("[{words}]"),
                (true, true) => format!("*{words}"),
                (true, false) => words,
            })
        };
        items.iter().map(word).collect::<Option<Vec<String>>>().map(|words| words.join(" "))
    }

    /// The move to a node, with its weight.
    fn name(&self, node: &TreeNode<NamedMove>) -> Option<String> {
        let name = node.mv.as_ref().map(|mv| label(&mv.label, self.letters)).filter(|name| !name.is_empty());
        match (name, node.weight) {
            (Some(name), Some(weight)) => Some(format!("{name} ({weight})")),
            (name, _) => name,
        }
    }

    /// The left-out moves of an item.
    fn names(&self, at: usize) -> String {
        match self.scene.passed(at) {
            [(_, one)] => label(&one.label, self.letters),
            many => plural(many.len() as u64, "move", "moves"),
        }
    }

    fn folded(&self, positions: u64) -> String {
        let dots = if self.letters == Letters::Ascii { "..." } else { "…" };
        format!("{dots} {}", plural(positions, "position", "positions"))
    }

    /// The number of positions below an item.
    fn below(&self, item: &Item) -> u64 {
        let mut count = 0;
        let mut left: Vec<usize> = item.children.clone();
        while let Some(at) = left.pop() {
            let item = &self.scene.items[at];
            left.extend(&item.children);
            count += match item.what {
                ItemContent::Folded(positions) => positions,
                ItemContent::Node(_) => u64::from(self.scene.node(at).is_some_and(|node| node.seen)),
                ItemContent::Passed(..) => 0,
            };
        }
        count
    }

    /// The text of an item.
    fn words(&self, at: usize) -> String {
        let node = match self.scene.items[at].what {
            ItemContent::Passed(..) => return format!("[{}]", self.names(at)),
            ItemContent::Folded(positions) => return self.folded(positions),
            ItemContent::Node(_) => self.scene.node(at),
        };
        let Some(node) = node else { return String::new() };
        let mut words: Vec<String> = self.name(node).into_iter().collect();
        let found = self.letters.found(node.value);
        let kind = self.letters.kind(node.kind);
        let inner = matches!(node.kind, NodeKind::Player(Side::Max | Side::Min) | NodeKind::Chance);
        words.push(if inner { format!("{kind} {found}") } else { format!("{kind}{found}") });
        if !node.seen {
            return format!("[{}]", words.join(" "));
        }
        if inner {
            words.extend(node.window.map(|window| self.letters.window(window)));
            words.extend(node.judged.map(|judged| format!("static {}", self.letters.score(judged))));
        }
        words.extend(self.scene.twin(node).map(|twin| match self.letters {
            Letters::Ascii => format!("same as {twin}"),
            Letters::Terminal | Letters::Page => format!("≡{twin}"),
        }));
        words.join(" ")
    }

    /// The reason for a cutoff at an item.
    fn cut(&self, at: usize) -> String {
        let Some(cut) = self.scene.node(at).and_then(|node| node.cut) else { return String::new() };
        let deep = if matches!(cut, CutReason::Window { deep: true, .. }) { "deep " } else { "" };
        format!("  {deep}cutoff, {}", self.letters.cut(cut))
    }
}
