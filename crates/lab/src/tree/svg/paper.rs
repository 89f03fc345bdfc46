//! The page of an SVG document: size, colours of the themes, title and legend.
//!
//! It takes a drawing and returns the document. Each theme has literal colours, because many converters
//! of SVG do not support variables. It does not know trees.

use alphorn_text::printable::{escape, is_hidden};
use std::fmt::Write;

/// The colours of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// Light, or dark if the reader's system prefers dark.
    Auto,
}

/// The colours of a theme. The fills and strokes of the two sides and of chance are distinguishable with
/// every kind of colour vision, by blue and orange.
struct Palette {
    paper: &'static str,
    ink: &'static str,
    quiet: &'static str,
    line: &'static str,
    max: (&'static str, &'static str),
    min: (&'static str, &'static str),
    chance: (&'static str, &'static str),
    leaf: &'static str,
    cut: &'static str,
}

const LIGHT: Palette = Palette {
    paper: "#ffffff",
    ink: "#1c2128",
    quiet: "#5b6472",
    line: "#8b94a3",
    max: ("#e3eefb", "#2a6db0"),
    min: ("#fdeedd", "#b0651a"),
    chance: ("#e6f4e8", "#3a8049"),
    leaf: "#eef0f3",
    cut: "#b8322a",
};

const DARK: Palette = Palette {
    paper: "#15181d",
    ink: "#e8eaee",
    quiet: "#a3acba",
    line: "#6c7687",
    max: ("#1c3450", "#7fb5ee"),
    min: ("#41301c", "#e3a765"),
    chance: ("#1d3826", "#82c993"),
    leaf: "#272c35",
    cut: "#f2897c",
};

impl Palette {
    fn rules(&self) -> String {
        let Palette { paper, ink, quiet, line, max, min, chance, leaf, cut } = self;
        format!(
            ".paper{{fill:{paper}}} text{{fill:{ink}}} .small,.name,.about,.key{{fill:{quiet}}}\n\
             .max{{fill:{};stroke:{}}} .min{{fill:{};stroke:{}}} .chance{{fill:{};stroke:{}}}\n\
             .over,.horizon{{fill:{leaf};stroke:{leaf}}} .horizon{{stroke:{line}}} .folded{{fill:{leaf};stroke:{line}}}\n\
             rect.gone,path.gone{{fill:{paper};stroke:{line}}} text.gone{{fill:{quiet}}} .branches .gone{{stroke:{cut}}} .beyond{{stroke:{line}}}\n\
             .seen,.rest{{stroke:{line}}} .branches .best{{stroke:{ink}}} .bar{{stroke:{cut}}}\n\
             .reason{{fill:{cut}}} .twin{{fill:{quiet}}} text.best{{fill:{ink}}}\n",
            max.0, max.1, min.0, min.1, chance.0, chance.1
        )
    }
}

/// The styles that all themes share.
const SHAPES: &str = "\
text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;text-anchor:middle;font-size:13px}\n\
.name{font-size:11px} .small,.reason,.twin{font-size:10px} .twin,.title,.about,.key{text-anchor:start}\n\
.title{font-size:14px;font-weight:bold} .about,.key{font-size:11.5px} text.best{font-weight:bold}\n\
.max,.min,.chance,.folded{stroke-width:1.4} rect.best,path.best{stroke-width:2.6}\n\
.horizon,rect.gone,path.gone{stroke-dasharray:3 2.5} .branches path{fill:none;stroke-width:1.2}\n\
.branches .best{stroke-width:2.8} .branches .gone,.beyond{stroke-dasharray:4 3.5} .branches .rest{stroke-dasharray:1.5 3}\n\
.branches .bar{stroke-width:2}\n";

/// An entry of the legend: a small drawing, 26 wide and 20 high, and its meaning.
pub(super) struct Entry {
    pub(super) mark: &'static str,
    pub(super) text: &'static str,
}

/// A page for a drawing of this size.
pub(super) struct Paper<'a> {
    pub(super) title: &'a str,
    pub(super) about: &'a str,
    pub(super) width: f64,
    pub(super) height: f64,
}

const MARGIN: f64 = 14.0;
const NARROWEST: f64 = 380.0;
const HEAD: f64 = 56.0;
const LINE: f64 = 24.0;

impl Paper<'_> {
    pub(super) fn document(&self, theme: Theme, body: &str, legend: &[Entry]) -> String {
        let head = wide(self.title, 15.0).max(wide(self.about, 11.5)) + 2.0 * MARGIN;
        let width = self.width.max(head).max(NARROWEST).ceil();
        let (keys, high) = keys(legend, width);
        let foot = HEAD + self.height + 20.0;
        let height = (foot + high + MARGIN).ceil();
        let style = match theme {
            Theme::Light => LIGHT.rules(),
            Theme::Dark => DARK.rules(),
            Theme::Auto => {
                format!("{}@media (prefers-color-scheme: dark) {{\n{}}}\n", LIGHT.rules(), DARK.rules())
            }
        };
        let (title, about) = (escaped(self.title), escaped(self.about));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-labelledby=\"title about\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"about\">{about}</desc>\n\
             <style>\n{SHAPES}{style}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
             <text class=\"title\" x=\"{MARGIN}\" y=\"24\">{title}</text>\n\
             <text class=\"about\" x=\"{MARGIN}\" y=\"42\">{about}</text>\n\
             <g transform=\"translate({:.1} {HEAD})\">\n{body}</g>\n\
             <g transform=\"translate(0 {foot:.1})\">\n{keys}</g>\n</svg>\n",
            ((width - self.width) / 2.0).max(0.0)
        )
    }
}

/// The legend in as many lines as it needs, and its height.
fn keys(legend: &[Entry], width: f64) -> (String, f64) {
    let mut text = String::new();
    let (mut x, mut y) = (MARGIN, 0.0);
    for entry in legend {
        let long = 32.0 + wide(entry.text, 11.5) + 20.0;
        if x > MARGIN && x + long > width {
            (x, y) = (MARGIN, y + LINE);
        }
        let _ = writeln!(
            text,
            "<g transform=\"translate({x:.1} {y:.1})\">{}<text class=\"key\" x=\"32\" y=\"14\">{}</text></g>",
            entry.mark,
            escaped(entry.text)
        );
        x += long;
    }
    (text, if legend.is_empty() { 0.0 } else { y + LINE })
}

/// The approximate width of a text at this font size, rather too large than too small.
pub(super) fn wide(text: &str, size: f64) -> f64 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | '|' | '\'' | ' ' => 0.32,
        '(' | ')' | '[' | ']' | 'f' | 't' | 'r' | '-' => 0.4,
        'm' | 'w' | 'M' | 'W' | '∞' | '≤' | '≥' | '…' => 0.92,
        'A'..='Z' => 0.74,
        c if c >= '\u{1100}' => 1.05,
        _ => 0.6,
    };
    size * text.chars().map(letter).sum::<f64>()
}

/// A text escaped for XML. Invisible characters become Prolog escapes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            c if is_hidden(c) => escape(c, &mut out),
            '\u{FFFE}' | '\u{FFFF}' => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
