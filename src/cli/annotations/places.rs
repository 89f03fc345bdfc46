//! Files and positions as other programs name them: relative paths with forward slashes, lines and columns.

use alphorn_text::printable::line;
use alphorn_text::source::{Origin, Sources, Span};
use std::path::{Component, Path, PathBuf};

/// The folder to which the names of files are relative.
#[derive(Clone, Debug)]
pub(super) struct Base(Option<PathBuf>);

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The path from the base with forward slashes, or an absolute path.
    pub(super) file: String,
    /// The position in the file; `None` for the whole file.
    pub(super) region: Option<Region>,
}

/// A range of characters. Lines and columns count from 1. Columns count UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Region {
    /// Line and column of the first character.
    pub(super) start: (usize, usize),
    /// Line and column behind the last character.
    pub(super) end: (usize, usize),
}

impl Base {
    /// The folder of the repository in a workflow of GitHub Actions; elsewhere the current folder.
    pub(super) fn of_environment() -> Base {
        let named = std::env::var_os("GITHUB_WORKSPACE").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let current = std::env::current_dir().ok();
        let inside = |folder: &PathBuf| current.as_ref().is_some_and(|current| real(current).starts_with(real(folder)));
        Base(named.filter(inside).or(current).map(|folder| real(&folder)))
    }

    /// A whole file; `None` for standard input.
    pub(super) fn file(&self, name: &str) -> Option<Place> {
        (!matches!(name, "" | "-" | "<stdin>")).then(|| Place { file: self.relative(Path::new(name)), region: None })
    }

    /// The place of a span; `None` if its text is no file of the user.
    pub(super) fn place(&self, span: Span, sources: &Sources) -> Option<Place> {
        if usize::from(span.source.0) >= sources.len() {
            return None;
        }
        let source = sources.get(span.source);
        let Origin::File(path) = &source.origin else { return None };
        let Place { file, .. } = self.file(path.to_str()?)?;
        let at = |place: u32| {
            let text: &str = &source.text;
            let (line, _) = sources.line_column(Span { start: place, end: place, ..span });
            let before = text.get(..place as usize).unwrap_or(text);
            let from = before.rfind('\n').map_or(0, |newline| newline + 1);
            let inside = &before[from..];
            // Nearly every line is ASCII, and a line may be very long.
            let units = if inside.is_ascii() { inside.len() } else { inside.encode_utf16().count() };
            (line, units + 1)
        };
        Some(Place { file, region: Some(Region { start: at(span.start), end: at(span.end) }) })
    }

    /// The path from the base, with forward slashes. A file outside of the base keeps its path.
    fn relative(&self, path: &Path) -> String {
        let whole = real(path);
        let inside = self.0.as_ref().and_then(|base| whole.strip_prefix(base).ok());
        let parts = inside.unwrap_or(if path.is_absolute() { &whole } else { path }).components();
        let mut text = String::new();
        for part in parts.filter(|part| *part != Component::CurDir) {
            if !text.is_empty() && !text.ends_with('/') {
                text.push('/');
            }
            match part {
                Component::RootDir => text.push('/'),
                part => text.push_str(&part.as_os_str().to_string_lossy()),
            }
        }
        text
    }
}

/// The absolute path without links, if the file exists.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

/// A place as text, such as `lib/lines.pl:3:5`.
pub(super) fn written(span: Span, sources: &Sources) -> String {
    if usize::from(span.source.0) >= sources.len() {
        return "no file".to_string();
    }
    let (row, column) = sources.line_column(span);
    format!("{}:{row}:{column}", line(&sources.get(span.source).name))
}

#[cfg(test)]
mod tests {
    use super::{Base, Region};
    use alphorn_text::source::{Origin, Source, Sources, Span};
    use std::path::{Path, PathBuf};

    #[test]
    fn files_are_named_from_the_base_with_forward_slashes() {
        let base = Base(Some(PathBuf::from("/repository")));
        for (path, name) in [
            ("/repository/games/nim.pl", "games/nim.pl"),
            ("/elsewhere/nim.pl", "/elsewhere/nim.pl"),
            ("./games/./nim.pl", "games/nim.pl"),
        ] {
            assert_eq!(base.relative(Path::new(path)), name);
        }
        assert_eq!((base.file("-"), base.file("<stdin>")), (None, None));
    }

    #[test]
    fn columns_count_utf16_code_units() {
        let mut sources = Sources::default();
        let text = "a.\np('🎲é', X).\r\n";
        let origin = Origin::File(PathBuf::from("dice.pl"));
        let source = sources.add(Source { name: "dice.pl".into(), text: text.into(), origin });
        let start = text.find('X').expect("there") as u32;
        let place = Base(None).place(Span { source, start, end: start + 1 }, &sources).expect("in a file");
        assert_eq!((place.file.as_str(), place.region), ("dice.pl", Some(Region { start: (2, 10), end: (2, 11) })));
    }
}
