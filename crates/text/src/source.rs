//! Source texts with names, and spans of bytes in them.
//!
//! [`Source::read`] turns a file into a [`Source`]. Every later pass carries [`Span`]s, so that a
//! diagnostic can show its place. This module knows nothing of rules.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The index of a text in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u16);

/// A range of bytes in one text, end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text that contains the span.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both spans. Both must lie in one text.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span directly behind this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The span that many bytes later, or earlier if the number is negative.
    pub fn shifted(self, bytes: i64) -> Span {
        let moved = |at: u32| (i64::from(at) + bytes) as u32;
        Span { source: self.source, start: moved(self.start), end: moved(self.end) }
    }

    /// Whether the other span lies in this one.
    pub fn contains(self, inner: Span) -> bool {
        self.source == inner.source && self.start <= inner.start && inner.end <= self.end
    }
}

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file of the user.
    File(PathBuf),
    /// A text of the library folder, compiled into the program.
    Library,
    /// Typed at a prompt or on the command line.
    Typed,
}

/// A text with its name.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages: a path as the user gave it, or `lib/lines.pl`.
    pub name: Arc<str>,
    /// The text, without a byte-order mark.
    pub text: Arc<str>,
    /// Where the text comes from.
    pub origin: Origin,
}

impl Source {
    /// A text that the user typed at a prompt or on the command line.
    pub fn typed(name: &str, text: &str) -> Source {
        Source { name: name.into(), text: text.into(), origin: Origin::Typed }
    }

    /// Reads a file of rules without its byte-order mark.
    ///
    /// Returns a sentence for the user if the file cannot be read, is larger than [`MAX_SOURCE_BYTES`],
    /// is not UTF-8 text or contains a zero byte, which is in no text.
    pub fn read(path: &str) -> Result<Source, String> {
        let file = open(path).map_err(|error| unreadable(path, &error))?;
        Source::read_from(path, file, Origin::File(path.into()))
    }

    /// Like [`Source::read`], but reads another source, such as standard input.
    pub fn read_from(name: &str, from: impl Read, origin: Origin) -> Result<Source, String> {
        let what = "bytes, the limit for a file of rules";
        let bytes = bounded(from, MAX_SOURCE_BYTES, what).map_err(|error| unreadable(name, &error))?;
        let line = |bytes: &[u8], at: usize| bytes[..at].iter().filter(|b| **b == b'\n').count() + 1;
        if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
            let line = line(&bytes, at);
            return Err(format!("cannot read {name}: line {line} has a zero byte (byte {at}), which is in no text"));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = line(error.as_bytes(), at);
            format!("cannot read {name}: line {line} is not UTF-8 text (byte {at}); save the file as UTF-8")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).into();
        Ok(Source { name: name.into(), text, origin })
    }
}

/// The size limit of a file of rules, in bytes.
pub const MAX_SOURCE_BYTES: u64 = 256 << 20;

/// Opens a file or a pipe that the user named, for reading. Refuses a device, which may be endless
/// (`/dev/zero`), except for `/dev/null`, an empty file.
///
/// # Errors
///
/// The error of the system, or the path is a device.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if is_device(kind) && path != Path::new("/dev/null") {
        return Err(io::Error::other("it is a device, not a file"));
    }
    File::open(path)
}

#[cfg(unix)]
fn is_device(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: fs::FileType) -> bool {
    false
}

/// Reads at most `most` bytes. `what` completes the message about more bytes, such as `bytes that a
/// table may have`.
///
/// # Errors
///
/// The error of the system, or there are more bytes.
pub fn bounded(from: impl Read, most: u64, what: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!("it is larger than {most} {what}"))),
        false => Ok(bytes),
    }
}

/// Reads the text of a file that the user named, with [`open`] and [`bounded`].
///
/// # Errors
///
/// The file cannot be read, is a device, is too large or is not UTF-8 text.
pub fn read_text(path: impl AsRef<Path>, most: u64, what: &str) -> io::Result<String> {
    let bytes = bounded(open(path)?, most, what)?;
    String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())
}

/// A sentence that says why a file cannot be read.
pub fn unreadable(name: &str, error: &io::Error) -> String {
    format!("cannot read {name}: {}", why(error, "there is no such file"))
}

/// A sentence that says why a file cannot be written.
pub fn unwritable(name: &str, error: &io::Error) -> String {
    format!("cannot write {name}: {}", why(error, "there is no such folder"))
}

/// The reason of a system error in plain words; `missing` if the file does not exist.
pub fn why(error: &io::Error, missing: &str) -> String {
    let words = match error.kind() {
        ErrorKind::NotFound => missing,
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "its folder is a file",
        ErrorKind::InvalidData => "it is not UTF-8 text",
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full",
        _ => return error.to_string(),
    };
    words.to_string()
}

/// All texts of one program. A [`SourceId`] is an index into this list.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Source>,
    /// The lines of each text, computed at the first use.
    lines: Vec<OnceLock<Arc<LineIndex>>>,
}

impl Sources {
    /// Adds a text and returns its number.
    pub fn add(&mut self, source: Source) -> SourceId {
        assert!(self.texts.len() < usize::from(u16::MAX), "load() limits the number of files");
        self.texts.push(source);
        self.lines.push(OnceLock::new());
        SourceId(self.texts.len() as u16 - 1)
    }

    /// The text with this number.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.texts[usize::from(id.0)]
    }

    /// The texts in their order.
    pub fn all(&self) -> &[Source] {
        &self.texts
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The paths of the texts that are files.
    pub fn files(&self) -> Vec<PathBuf> {
        let path = |source: &Source| match &source.origin {
            Origin::File(path) => Some(path.clone()),
            _ => None,
        };
        self.texts.iter().filter_map(path).collect()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text that a span covers; empty if the span lies in no text of this list.
    pub fn text(&self, span: Span) -> &str {
        let source = self.texts.get(usize::from(span.source.0));
        source.and_then(|source| source.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Line and column of the start of a span, both from 1. Columns count characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = &self.get(span.source).text;
        let before = text.get(..span.start as usize).unwrap_or(text);
        let lines = self.lines[usize::from(span.source.0)].get_or_init(|| LineIndex::of(text).into());
        let line = lines.starts.partition_point(|start| *start as usize <= before.len());
        let start = lines.starts[line - 1] as usize;
        (line, lines.characters_before(text, before.len()) - lines.characters_before(text, start) + 1)
    }
}

/// Where the lines of a text start, and how many characters come before a byte. A file may be one long line.
#[derive(Debug)]
struct LineIndex {
    starts: Vec<u32>,
    /// The number of characters that begin before each block of [`BLOCK`] bytes.
    characters: Vec<u32>,
}

/// Bytes whose characters are counted anew for each column.
const BLOCK: usize = 1 << 10;

impl LineIndex {
    fn of(text: &str) -> LineIndex {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let counts = text.as_bytes().chunks(BLOCK).scan(0, |before, block| {
            *before += begun(block) as u32;
            Some(*before)
        });
        LineIndex {
            starts: std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect(),
            characters: std::iter::once(0).chain(counts).collect(),
        }
    }

    /// The number of characters before a byte.
    fn characters_before(&self, text: &str, at: usize) -> usize {
        let block = at / BLOCK;
        self.characters[block] as usize + begun(&text.as_bytes()[block * BLOCK..at])
    }
}

/// The number of characters that begin in these bytes.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::{Source, SourceId, Sources, Span};

    /// Regression test: a column in a long line took time in proportion to the line.
    #[test]
    fn columns_count_the_characters_of_the_line() {
        let text = format!("a\n{}\nb\n{}", "ä€x".repeat(1000), "𝄞\n".repeat(600));
        let mut sources = Sources::default();
        let source = sources.add(Source::typed("long", &text));
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
            let expected = (text[..at].matches('\n').count() + 1, text[start..at].chars().count() + 1);
            let span = Span { source: SourceId(source.0), start: at as u32, end: at as u32 };
            assert_eq!(sources.line_column(span), expected, "byte {at}");
        }
    }

    /// Regression test: 20 MB of zero bytes took 6.4 GB, 300 bytes for each.
    #[test]
    fn a_zero_byte_is_in_no_text() {
        let read = |bytes: &[u8]| Source::read_from("z.bin", bytes, super::Origin::Typed).map(|source| source.text);
        assert_eq!(read(b"p.\nq.\n").as_deref(), Ok("p.\nq.\n"));
        let refused = read(b"p.\nq\0.\n").expect_err("no text contains a zero byte");
        assert_eq!(refused, "cannot read z.bin: line 2 has a zero byte (byte 4), which is in no text");
    }
}
