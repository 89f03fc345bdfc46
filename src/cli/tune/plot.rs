//! Draws the steps of `tune` as SVG: the loss above, and the parameters below. SPSA has no loss.

use crate::cli::plot::{COLOURS, Drawn, document};
use alphorn_protocol::protocol::partial::TuneStep;
use alphorn_protocol::protocol::tune::reply::Reply;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Size of the document, in pixels.
const SIZE: (u32, u32) = (720, 560);

/// The SVG document.
pub(super) fn svg(name: &str, found: &Reply) -> String {
    document(|text| draw(text, name, found))
}

/// A line of a plot: its name and its points.
type Series = (String, Vec<(f64, f64)>);

fn draw<'a>(text: &'a mut String, name: &str, found: &Reply) -> Drawn<'a> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let x = |step: &TuneStep| step.step as f64;
    let losses: Vec<(f64, f64)> = found.history.iter().filter_map(|step| Some((x(step), step.loss?.0))).collect();
    let of = |at: usize| -> Series {
        let begin = (0.0, found.params[at].start as f64);
        let steps = found.history.iter().map(|step| (x(step), step.params[at].0));
        (found.params[at].name.clone(), std::iter::once(begin).chain(steps).collect())
    };
    let params: Vec<Series> = (0..found.params.len()).map(of).collect();
    let unit = if losses.is_empty() { "pairs of games" } else { "steps" };
    match losses.is_empty() {
        true => chart(&area, (&format!("{name}: parameters"), unit), &params)?,
        false => {
            let (above, below) = area.split_vertically(SIZE.1 / 2);
            let begin = found.fit.as_ref().map(|fit| (0.0, fit.start.0));
            let losses = begin.into_iter().chain(losses).collect();
            chart(&above, (&format!("{name}: loss"), unit), &[("loss".to_string(), losses)])?;
            chart(&below, ("parameters", unit), &params)?;
        }
    }
    area.present()
}

fn chart<'a>(area: &DrawingArea<SVGBackend<'a>, Shift>, (caption, unit): (&str, &str), series: &[Series]) -> Drawn<'a> {
    let points = || series.iter().flat_map(|(_, points)| points);
    let end = points().map(|(x, _)| *x).fold(1.0, f64::max);
    let low = points().map(|(_, y)| *y).fold(f64::INFINITY, f64::min);
    let high = points().map(|(_, y)| *y).fold(f64::NEG_INFINITY, f64::max);
    let margin = ((high - low) * 0.08).max(1e-6);
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(64)
        .build_cartesian_2d(0f64..end * 1.16, low - margin..high + margin)?;
    chart.configure_mesh().disable_x_mesh().x_desc(unit).light_line_style(WHITE).draw()?;
    for (at, (name, points)) in series.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
        if let Some(last) = points.last().filter(|_| series.len() > 1) {
            let style = ("sans-serif", 13).into_font().color(&colour);
            chart.draw_series(std::iter::once(Text::new(format!(" {name}"), *last, style)))?;
        }
    }
    Ok(())
}
