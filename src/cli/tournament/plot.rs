//! Draws the plots of `tournament` as SVG: the ratings with their intervals above, the score over games below.

use crate::cli::plot::{COLOURS, Drawn, document};
use alphorn_protocol::protocol::tournament_reply::{RatedSide, Reply};
use alphorn_text::printable;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width of the document, heights of the head, of a side and of the plot below, in pixels.
const WIDTH: u32 = 760;
const HEAD: u32 = 90;
const ROW: u32 = 24;
const BELOW: u32 = 320;

/// Characters of a name that are shown.
const LONGEST_NAME: usize = 24;

/// The SVG document.
pub(super) fn svg(name: &str, found: &Reply) -> String {
    document(|text| draw(text, name, found))
}

fn colour(at: usize) -> RGBColor {
    COLOURS[at % COLOURS.len()]
}

fn shown(name: &str) -> String {
    printable::line(&printable::cut(name, LONGEST_NAME)).into_owned()
}

fn draw<'a>(text: &'a mut String, name: &str, found: &Reply) -> Drawn<'a> {
    let rated: Vec<(usize, &RatedSide)> =
        found.sides.iter().enumerate().filter(|(_, side)| side.rating.is_some()).collect();
    let above = HEAD + ROW * rated.len().max(1) as u32;
    let area = SVGBackend::with_string(text, (WIDTH, above + BELOW)).into_drawing_area();
    area.fill(&WHITE)?;
    let (ratings, course) = area.split_vertically(above);
    draw_ratings(&ratings, name, found, &rated)?;
    draw_course(&course, found)?;
    area.present()
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// A row for each side: its name, its rating and the 95 % interval.
fn draw_ratings<'a>(area: &Area<'a>, name: &str, found: &Reply, rated: &[(usize, &RatedSide)]) -> Drawn<'a> {
    let numbers = |side: &RatedSide| {
        let part = |number: Option<alphorn_protocol::protocol::data::Number>| number.map_or(0.0, |number| number.0);
        (part(side.rating), part(side.error))
    };
    let ends = rated.iter().map(|(_, side)| numbers(side));
    let (low, high) =
        ends.fold((0.0, 0.0), |(low, high): (f64, f64), (elo, error)| (low.min(elo - error), high.max(elo + error)));
    let room = (0.05 * (high - low)).max(1.0);
    let rows = rated.len().max(1) as f64;
    let zero = found.anchor.as_ref().map_or("the mean is 0".to_string(), |anchor| format!("{} is 0", shown(anchor)));
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{name}: ratings after {} games", found.games), ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(190)
        .build_cartesian_2d(low - room..high + room, -rows..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .x_label_formatter(&|elo| format!("{elo:.0}"))
        .x_desc(format!("Elo with 95 % intervals; {zero}"))
        .light_line_style(WHITE)
        .draw()?;
    for (row, (at, side)) in rated.iter().enumerate() {
        let ((elo, error), height) = (numbers(side), -(row as f64) - 0.5);
        let style = colour(*at).stroke_width(2);
        let ends = vec![(elo - error, height), (elo + error, height)];
        let place = Pos::new(HPos::Right, VPos::Center);
        let font = ("sans-serif", 14).into_font().color(&colour(*at)).pos(place);
        chart.draw_series([PathElement::new(ends, style)])?;
        chart.draw_series([Circle::new((elo, height), 4, colour(*at).filled())])?;
        let label = EmptyElement::at((low - room, height)) + Text::new(shown(&side.name), (-8, 0), font);
        chart.draw_series([label])?;
    }
    Ok(())
}

/// A line for each side: the share of its points after a number of its games.
fn draw_course<'a>(area: &Area<'a>, found: &Reply) -> Drawn<'a> {
    let longest = found.sides.iter().filter_map(|side| side.score_over_games.last()).map(|(games, _)| *games).max();
    let mut chart = ChartBuilder::on(area)
        .caption("score over games, in the colours above", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(0f64..longest.unwrap_or(1) as f64, 0f64..1f64)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_label_formatter(&|games| format!("{games:.0}"))
        .y_label_formatter(&|share| format!("{:.0} %", 100.0 * share))
        .x_desc("games of the side")
        .y_desc("share of the points")
        .light_line_style(WHITE)
        .draw()?;
    for (at, side) in found.sides.iter().enumerate() {
        let points = side.score_over_games.iter().map(|(games, share)| (*games as f64, share.0));
        chart.draw_series(LineSeries::new(points, colour(at).stroke_width(2)))?;
    }
    Ok(())
}
