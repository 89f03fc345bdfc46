//! What the plots of several commands share: colours, and a document for light and dark screens.

use plotters::prelude::*;

/// Colours that colour-blind readers can tell apart (Masataka Okabe and Kei Ito, 2008).
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
/// See [`BLUE`].
pub const ORANGE: RGBColor = RGBColor(213, 94, 0);
/// All these colours that are dark enough for lines on white.
pub const COLOURS: [RGBColor; 7] = [
    BLUE,
    ORANGE,
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Inverts the brightness and keeps the hues, for readers who prefer a dark background.
const DARK: &str =
    "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(0.9) hue-rotate(180deg); } }</style>\n";

/// The result of drawing to a text, which takes every drawing.
pub type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// The SVG document that `draw` draws.
pub fn document(draw: impl for<'a> FnOnce(&'a mut String) -> Drawn<'a>) -> String {
    let mut text = String::new();
    let drawn = draw(&mut text).is_ok();
    debug_assert!(drawn, "text takes every drawing");
    match text.find('>') {
        Some(end) => {
            let (head, body) = text.split_at(end + 1);
            format!("{head}\n{DARK}{body}")
        }
        None => text,
    }
}
