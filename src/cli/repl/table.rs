//! Lays out rows of text in columns.

use console::measure_text_width;

/// Columns of a narrow screen.
pub(super) const SCREEN: usize = 79;

/// Lays out two columns. The first is as wide as necessary, both together fit a screen.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let width = rows.iter().map(|row| measure_text_width(&row[0])).max().unwrap_or(0);
    let room = SCREEN.saturating_sub(width + 2).max(20);
    let line = |row: &Vec<String>| {
        let blanks = " ".repeat(width - measure_text_width(&row[0]));
        let text = one_line(&row[1]);
        let text = console::truncate_str(&text, room, "...");
        format!("{}{blanks}  {text}", row[0]).trim_end().to_string() + "\n"
    };
    rows.iter().map(line).collect()
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
