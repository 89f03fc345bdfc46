//! Texts with names, and spans of bytes in them.
//!
//! In: what a user or the program wrote. Out: `Source` and `Span`, which every
//! later pass carries so that a message can point. Knows nothing of rules.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Which text of a [`Sources`] a span lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u16);

/// A range of bytes in one text, end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text it lies in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; they lie in one text.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just past this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// Where a text came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file of the user's.
    File(PathBuf),
    /// Compiled into the program: the library folder.
    Library,
    /// Typed at a prompt or on the command line.
    Typed,
}

/// A text with its name.
#[derive(Clone, Debug)]
pub struct Source {
    /// What messages call it: a path as the user gave it, or `lib/lines.pl`.
    pub name: Arc<str>,
    /// The text, without a byte-order mark.
    pub text: Arc<str>,
    /// Where it came from.
    pub origin: Origin,
}

impl Source {
    /// A text that was typed rather than read from a file.
    pub fn typed(name: &str, text: &str) -> Source {
        Source { name: name.into(), text: text.into(), origin: Origin::Typed }
    }

    /// Reads a file of rules; a leading byte-order mark is dropped.
    ///
    /// Errs with a sentence for the user where the file cannot be read, is
    /// larger than [`MAX_SOURCE_BYTES`], or is not UTF-8 text.
    pub fn read(path: &str) -> Result<Source, String> {
        let file = open(path).map_err(|error| unreadable(path, &error))?;
        Source::read_from(path, file, Origin::File(path.into()))
    }

    /// The same for what comes from elsewhere, such as standard input.
    pub fn read_from(name: &str, from: impl Read, origin: Origin) -> Result<Source, String> {
        let what = "bytes, the limit for a file of rules";
        let bytes = bounded(from, MAX_SOURCE_BYTES, what).map_err(|error| unreadable(name, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
            format!("cannot read {name}: line {line} is not UTF-8 text (byte {at}); save the file as UTF-8")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).into();
        Ok(Source { name: name.into(), text, origin })
    }
}

/// The largest file of rules that is read, in bytes.
pub const MAX_SOURCE_BYTES: u64 = 256 << 20;

/// Opens what a person has named to be read: a file or a pipe. A device may have no end, as
/// `/dev/zero`, and is none; `/dev/null` is an empty file.
///
/// # Errors
///
/// What the system says, or that it is a device.
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

/// All bytes of what was opened, at most so many; `what` says of which there are more, such as
/// `bytes that a table may have`.
///
/// # Errors
///
/// What the system says, or that there are more.
pub fn bounded(from: impl Read, most: u64, what: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!("it is larger than {most} {what}"))),
        false => Ok(bytes),
    }
}

/// The text of a file that a person has named, as [`open`] and [`bounded`] have it.
///
/// # Errors
///
/// It cannot be read, is a device, too large, or no UTF-8 text.
pub fn read_text(path: impl AsRef<Path>, most: u64, what: &str) -> io::Result<String> {
    let bytes = bounded(open(path)?, most, what)?;
    String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())
}

/// Why a file cannot be read, as a sentence.
pub fn unreadable(name: &str, error: &io::Error) -> String {
    format!("cannot read {name}: {}", why(error, "there is no such file"))
}

/// Why a file cannot be written, as a sentence.
pub fn unwritable(name: &str, error: &io::Error) -> String {
    format!("cannot write {name}: {}", why(error, "there is no such folder"))
}

/// What the system says of a file, in our words; `missing` if it is not there.
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

/// All texts of one program; a [`SourceId`] is an index into it.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Source>,
    /// Where the lines of each text begin, once a line was asked for.
    lines: Vec<OnceLock<Arc<[u32]>>>,
}

impl Sources {
    /// Takes a text in and gives its number.
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

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The files among them.
    pub fn files(&self) -> Vec<PathBuf> {
        let path = |source: &Source| match &source.origin {
            Origin::File(path) => Some(path.clone()),
            _ => None,
        };
        self.texts.iter().filter_map(path).collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The bytes that a span covers; none where it lies in a text that is not here.
    pub fn text(&self, span: Span) -> &str {
        let source = self.texts.get(usize::from(span.source.0));
        source.and_then(|source| source.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Line and column of a span's start, both from 1; columns count characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = &self.get(span.source).text;
        let before = text.get(..span.start as usize).unwrap_or(text);
        let lines = self.lines[usize::from(span.source.0)].get_or_init(|| {
            let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect()
        });
        let line = lines.partition_point(|start| *start as usize <= before.len());
        (line, before[lines[line - 1] as usize..].chars().count() + 1)
    }
}
