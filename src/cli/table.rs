//! Formats tables of results as Markdown.

use comfy_table::{CellAlignment, Table, presets};

/// Lays out rows below their heads. The first column is left-aligned, all others are right-aligned.
pub fn table(heads: &[&str], rows: Vec<Vec<String>>) -> String {
    aligned(heads, rows, &[0])
}

/// Lays out rows below their heads. These columns are left-aligned, all others are right-aligned.
pub fn aligned(heads: &[&str], rows: Vec<Vec<String>>, left: &[usize]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(heads.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for (_, column) in table.column_iter_mut().enumerate().filter(|(at, _)| !left.contains(at)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{}\n", table.trim_fmt())
}

/// Formats a share as `12.7 %`, or a dash.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share))
}
