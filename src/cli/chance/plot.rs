//! Draws the plots of `stats` as SVG: the lengths of games above, the branching by move below.

use crate::cli::plot::{BLUE, Drawn, ORANGE, document};
use alphorn_protocol::protocol::survey::Reply;
use plotters::prelude::*;

/// Size of the document, in pixels.
const SIZE: (u32, u32) = (720, 560);

/// Approximate number of bars in the histogram.
const BARS: u32 = 40;

/// The SVG document.
pub(super) fn svg(name: &str, found: &Reply) -> String {
    document(|text| draw(text, name, found))
}

fn draw<'a>(text: &'a mut String, name: &str, found: &Reply) -> Drawn<'a> {
    let whole = |number: &f64| format!("{number:.0}");
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let (above, below) = area.split_vertically(SIZE.1 / 2);
    let longest = found.length.longest.max(1);
    let step = longest.div_ceil(BARS).max(1);
    let mut bars: Vec<(u32, u64)> = Vec::new();
    for (length, games) in &found.lengths {
        let bar = length / step * step;
        match bars.last_mut().filter(|(last, _)| *last == bar) {
            Some((_, sum)) => *sum += games,
            None => bars.push((bar, *games)),
        }
    }
    let most = bars.iter().map(|(_, games)| *games).max().unwrap_or(1);
    let caption = format!("{name}: length of {} random games", found.games);
    let mut chart = ChartBuilder::on(&above)
        .caption(caption, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(0f64..f64::from(longest + step), 0f64..most as f64 * 1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .x_desc("moves of players")
        .y_desc("games")
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(bars.iter().map(|(from, games)| {
        let (left, right) = (f64::from(*from), f64::from(from + step) - 0.12 * f64::from(step));
        Rectangle::new([(left, 0.0), (right, *games as f64)], BLUE.filled())
    }))?;
    let means: Vec<(f64, f64)> = (1..)
        .zip(&found.branching_by_move)
        .filter(|(_, mean)| mean.0 > 0.0)
        .map(|(number, mean)| (f64::from(number), mean.0))
        .collect();
    let widest = means.iter().map(|(_, mean)| *mean).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&below)
        .caption("moves to choose from, by the number of the move", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(0f64..f64::from(longest + step), 0f64..widest * 1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .x_desc("number of the move")
        .y_desc("mean")
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(LineSeries::new(means, ORANGE.stroke_width(2)))?;
    area.present()
}
