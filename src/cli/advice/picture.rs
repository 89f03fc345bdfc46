//! Draws a forcing tree as SVG: time runs to the right, and each line of play has a row.

use alphorn_lab::tree::svg::escaped;
use alphorn_protocol::protocol::advice::{Follows, Reply};
use std::fmt::Write;

/// Distance from one ply to the next, and from one row to the next.
const ACROSS: usize = 96;
const DOWN: usize = 26;
const MARGIN: usize = 24;

/// The SVG document. We move in positions drawn as squares, the opponent in circles. The better-goal
/// holds in filled circles.
pub(super) fn svg(name: &str, found: &Reply) -> String {
    let mut drawing = Drawing { lines: String::new(), marks: String::new(), row: 0 };
    drawing.draw(&found.tree, 0);
    let width = ACROSS * found.plies.unwrap_or_default() + 2 * MARGIN + ACROSS / 2;
    let height = DOWN * drawing.row.max(1) + 2 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <style>svg {{ color-scheme: light dark; --ink: #222; --paper: #fff; --ours: #1a5fb4; }}\n\
         @media (prefers-color-scheme: dark) {{ svg {{ --ink: #ddd; --paper: #1c1c1c; --ours: #78aeed; }} }}\n\
         rect.paper, rect.mark, circle.open {{ fill: var(--paper); }} text {{ fill: var(--ink); }}\n\
         path, rect.mark, circle {{ stroke: var(--ink); }} path {{ fill: none; }}\n\
         .ours {{ stroke: var(--ours); stroke-width: 2; }} circle.reached {{ fill: var(--ours); }}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
         <text x=\"{MARGIN}\" y=\"16\" font-weight=\"bold\">{}</text>\n{}{}</svg>\n",
        escaped(name),
        drawing.lines,
        drawing.marks
    )
}

struct Drawing {
    lines: String,
    marks: String,
    /// Number of rows used.
    row: usize,
}

impl Drawing {
    /// Draws the tree below a position at this ply, and returns the height of the position.
    fn draw(&mut self, tree: &Follows, ply: usize) -> usize {
        let x = MARGIN + ACROSS * ply;
        let y = match tree {
            Follows::Nothing => {
                self.row += 1;
                MARGIN + DOWN * self.row - DOWN / 2
            }
            Follows::Ours(ours) => {
                let y = self.draw(&ours.then, ply + 1);
                self.edge((x, y), (x + ACROSS, y), &ours.mv, true);
                y
            }
            Follows::Theirs(replies) => {
                let drawn: Vec<usize> = replies.iter().map(|answered| self.draw(&answered.then, ply + 1)).collect();
                let (first, last) = (drawn.first().copied().unwrap_or(0), drawn.last().copied().unwrap_or(0));
                let y = usize::midpoint(first, last);
                for (answered, to) in replies.iter().zip(drawn) {
                    self.edge((x, y), (x + ACROSS, to), &answered.reply, false);
                }
                y
            }
        };
        let _ = match tree {
            Follows::Nothing => writeln!(self.marks, "<circle class=\"reached\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>"),
            Follows::Ours(_) => {
                writeln!(
                    self.marks,
                    "<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>",
                    x - 6,
                    y - 6
                )
            }
            Follows::Theirs(_) => writeln!(self.marks, "<circle class=\"open\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>"),
        };
        y
    }

    fn edge(&mut self, (x, y): (usize, usize), (to_x, to_y): (usize, usize), label: &str, ours: bool) {
        let class = if ours { " class=\"ours\"" } else { "" };
        let bend = x + ACROSS / 4;
        let _ = writeln!(self.lines, "<path{class} d=\"M{x} {y} L{bend} {to_y} L{to_x} {to_y}\"/>");
        let _ = writeln!(self.marks, "<text x=\"{}\" y=\"{}\">{}</text>", bend + 4, to_y - 4, escaped(label));
    }
}
