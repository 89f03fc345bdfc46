//! Grids of words without a border that names all columns, and grids with bars between the cells.
//!
//! The cells of a row are words of at most three characters. Rows that begin half a cell further right are
//! rows of hexagons.

use super::{MOST_CELLS, TextGrid, consecutive};

/// The longest text of a cell, in characters.
const LONGEST_CELL: usize = 3;

/// A word of a line with its place in characters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: String,
}

/// The words of a line.
pub(super) fn words(line: &[char]) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    for (at, c) in line.iter().enumerate().filter(|(_, c)| !c.is_whitespace()) {
        match found.last_mut().filter(|word| word.end == at) {
            Some(word) => {
                word.text.push(*c);
                word.end += 1;
            }
            None => found.push(Word { start: at, end: at + 1, text: c.to_string() }),
        }
    }
    found
}

/// A grid with the numbers of the first line and of the line after the last that belong to it.
pub(super) type Found = (TextGrid, usize, usize);

/// Whether these first words of consecutive lines, which follow each other, name rows.
type NamesRows<'a> = &'a dyn Fn(&[String]) -> bool;

/// The largest grid of words in consecutive lines.
pub(super) fn spaced(lines: &[Vec<char>], names_rows: NamesRows<'_>) -> Option<Found> {
    let rows: Vec<Vec<Word>> = lines.iter().map(|line| words(line)).collect();
    let is_row = |row: &Vec<Word>| {
        let short = row.iter().all(|word| word.end - word.start <= LONGEST_CELL);
        !row.is_empty() && (short || (row.len() <= 2 && is_dense(row)))
    };
    let mut best: Option<Found> = None;
    let mut from = 0;
    while from < rows.len() {
        let to = from + rows[from..].iter().take_while(|row| is_row(row)).count();
        if to - from >= 2
            && let Some(grid) = grid(&rows[from..to], names_rows)
            && best.as_ref().is_none_or(|(_, start, end)| end - start < to - from)
        {
            best = Some((grid, from, to));
        }
        from = to.max(from + 1);
    }
    best
}

/// Whether a line is one word of cells without blanks, after a name perhaps.
fn is_dense(row: &[Word]) -> bool {
    row.last().is_some_and(|word| !word.text.chars().all(char::is_alphabetic) || word.text.len() > 20)
}

fn grid(rows: &[Vec<Word>], names_rows: NamesRows<'_>) -> Option<TextGrid> {
    let (rows, names) = without_names(rows, names_rows);
    let rows = split_dense(rows)?;
    let pitch = rows.iter().flat_map(|row| row.windows(2).map(|two| two[1].start - two[0].start)).min()?;
    // Words of different lengths are aligned to the left or to the right.
    let mut places: [Vec<usize>; 2] =
        [rows.iter().flatten().map(|word| word.start).collect(), rows.iter().flatten().map(|word| word.end).collect()];
    places.iter_mut().for_each(|of| {
        of.sort_unstable();
        of.dedup();
    });
    let is_left = places[0].len() <= places[1].len();
    let place = |word: &Word| if is_left { word.start } else { word.end };
    let first = *places[usize::from(!is_left)].first()?;
    let half_cells = |word: &Word| {
        let twice = (place(word) - first) * 2;
        (twice % pitch == 0).then_some(twice / pitch)
    };
    let mut halves: Vec<Vec<usize>> = Vec::new();
    for row in &rows {
        let of: Vec<usize> = row.iter().map(half_cells).collect::<Option<_>>()?;
        // All cells of a row are shifted alike.
        if of.iter().any(|half| half % 2 != of[0] % 2) {
            return None;
        }
        halves.push(of);
    }
    let hex = halves.iter().any(|of| of.iter().any(|half| half % 2 == 1));
    // In a rhombus each row begins further to the right, and a column is a slanted line.
    let is_rhombus = hex
        && halves.iter().all(|of| of.len() == halves[0].len() && of.windows(2).all(|two| two[1] - two[0] == 2))
        && halves.windows(2).all(|two| two[1][0].abs_diff(two[0][0]) == 1);
    let shift = |of: &[usize]| of.first().map_or(0, |half| if is_rhombus { *half } else { half % 2 });
    if is_rhombus {
        let rows = rows.iter().map(|row| row.iter().map(|word| Some(word.text.clone())).collect()).collect();
        let shifts = halves.iter().map(|of| shift(of) as f64 / 2.0).collect();
        return Some(TextGrid { rows, columns: Vec::new(), lines: names, shifts, hex });
    }
    let width = halves.iter().flatten().max()? / 2 + 1;
    if !(2..=MOST_CELLS).contains(&width) {
        return None;
    }
    let mut cells = vec![vec![None; width]; rows.len()];
    let mut shifts = Vec::new();
    for (row, (words, of)) in rows.iter().zip(&halves).enumerate() {
        for (word, half) in words.iter().zip(of) {
            cells[row][half / 2] = Some(word.text.clone());
        }
        shifts.push(shift(of) as f64 / 2.0);
    }
    Some(TextGrid { rows: cells, columns: Vec::new(), lines: names, shifts, hex })
}

/// Takes the names of the rows away, if the first words of all rows are consecutive.
fn without_names(rows: &[Vec<Word>], names_rows: NamesRows<'_>) -> (Vec<Vec<Word>>, Vec<String>) {
    let firsts: Vec<&str> = rows.iter().filter_map(|row| row.first()).map(|word| word.text.as_str()).collect();
    let names: Vec<String> = firsts.iter().map(|text| bare_name(text).to_string()).collect();
    // A name with a colon is a name even if nothing follows.
    let are_marked = firsts.iter().zip(&names).all(|(text, name)| *text != name);
    let has_more = |row: &Vec<Word>| row.len() >= 2;
    let is_enough = if are_marked { rows.iter().any(has_more) } else { rows.iter().all(has_more) };
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    match is_enough && rows.len() >= 2 && consecutive(&texts) && (are_marked || names_rows(&names)) {
        true => (rows.iter().map(|row| row[1..].to_vec()).collect(), names),
        false => (rows.to_vec(), Vec::new()),
    }
}

/// The name of a row without the mark behind the name.
pub(super) fn bare_name(text: &str) -> &str {
    text.trim_end_matches([':', '|', ')'])
}

/// Splits rows that are written without blanks, such as `XO.`, into cells.
fn split_dense(rows: Vec<Vec<Word>>) -> Option<Vec<Vec<Word>>> {
    let length = |row: &Vec<Word>| row[0].end - row[0].start;
    let is_dense = rows.iter().all(|row| row.len() == 1) && rows.len() >= 2;
    if !is_dense {
        let is_short = |word: &Word| word.end - word.start <= LONGEST_CELL;
        return rows.iter().flatten().all(is_short).then_some(rows);
    }
    let width = length(&rows[0]);
    if width < 2 || rows.iter().any(|row| length(row) != width) {
        return None;
    }
    let cell = |word: &Word, (at, c): (usize, char)| Word {
        start: word.start + at,
        end: word.start + at + 1,
        text: c.to_string(),
    };
    Some(rows.iter().map(|row| row[0].text.chars().enumerate().map(|one| cell(&row[0], one)).collect()).collect())
}

/// A grid whose cells have bars between them: `x | o |  `.
pub(super) fn boxed(lines: &[Vec<char>]) -> Option<Found> {
    let mut rows: Vec<Vec<Option<String>>> = Vec::new();
    let (mut names, mut first, mut last) = (Vec::new(), None, 0);
    for (at, line) in lines.iter().enumerate() {
        let text: String = line.iter().collect();
        let parts: Vec<&str> = text.split(['|', '│', '║']).map(str::trim).collect();
        let is_rule = |part: &&str| part.chars().all(|c| matches!(c, '-' | '+' | '=' | '─' | ' ')) && part.len() > 1;
        if parts.len() < 2 || parts.iter().any(is_rule) {
            continue;
        }
        let is_name = parts[0].chars().count() <= 2 && parts[0].chars().all(char::is_alphanumeric);
        let has_frame = parts.len() > 3 && is_name && parts[parts.len() - 1].is_empty();
        let cells = if has_frame { &parts[1..parts.len() - 1] } else { &parts[..] };
        if cells.len() < 2 || cells.iter().any(|cell| cell.chars().count() > LONGEST_CELL) {
            return None;
        }
        if has_frame && !parts[0].is_empty() {
            names.push(parts[0].to_string());
        }
        rows.push(cells.iter().map(|cell| Some((*cell).to_string())).collect());
        first.get_or_insert(at);
        last = at + 1;
    }
    let width = rows.first()?.len();
    // In `1: | | |` the bars are pieces.
    if rows.iter().all(|row| row[0].as_ref().is_some_and(|cell| cell.ends_with([':', ')']))) {
        return None;
    }
    if rows.len() < 2 || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let lines = if names.len() == rows.len() && consecutive(&texts) { names } else { Vec::new() };
    Some((TextGrid { rows, lines, ..TextGrid::default() }, first?, last))
}
