//! Writing files: whole or not at all, and never over rules that are in use or over other things.
//!
//! In: a path, and the files that rules were read from. Out: a file of another name, which takes
//! its place once it is whole; so a full disk loses nothing. Must not know what is written. Called
//! by whatever writes a file that a person has named.

use super::{Done, Failure, Session};
use alphorn_text::interrupt::{self, InterruptibleWriter};
use alphorn_text::report::Problem;
use alphorn_text::source::{open, unwritable};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What an option writes, and by what a file that holds it is known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// A picture in SVG.
    Picture,
    /// A graph for Graphviz.
    Graph,
    /// A tree as text.
    Tree,
    /// An answer as JSON.
    Json,
    /// A proof of a value.
    Proof,
}

/// The first line of every proof.
pub(super) const PROOF: &str = "alphorn proof 1";

/// Whether a text ends as `alphorn tree` ends a tree: with a line of counts, behind which there may
/// be one that tells what marks mean.
fn is_tree(ends: &[u8]) -> bool {
    let ends = String::from_utf8_lossy(ends);
    ends.lines().rev().take(2).any(is_footer)
}

/// `alphabeta: 1,234 positions visited, 20 evaluated`, with the name of any algorithm.
fn is_footer(line: &str) -> bool {
    let Some((_, counts)) = line.split_once(": ") else { return false };
    let Some((looked, judged)) = counts.split_once(" visited, ") else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let number = looked.strip_suffix(" positions").or_else(|| looked.strip_suffix(" position"));
    let judged = judged.rsplit(", ").next().and_then(|last| last.strip_suffix(" evaluated"));
    number.is_some_and(is_number) && judged.is_some_and(is_number)
}

/// Bytes at the end of a file that are looked at.
const END: u64 = 1 << 10;

impl FileFormat {
    fn name(self) -> &'static str {
        match self {
            FileFormat::Picture => "a picture in SVG",
            FileFormat::Graph => "a graph written by alphorn tree",
            FileFormat::Tree => "a tree written by alphorn tree",
            FileFormat::Json => "JSON written by alphorn",
            FileFormat::Proof => "a proof",
        }
    }

    /// Whether a file that begins and ends so is of this form.
    fn is(self, begins: &[u8], ends: &[u8]) -> bool {
        match self {
            FileFormat::Picture => begins.starts_with(b"<svg "),
            FileFormat::Graph => begins.starts_with(b"digraph tree {"),
            FileFormat::Tree => is_tree(ends),
            FileFormat::Json => begins.starts_with(b"{\"schema\":"),
            FileFormat::Proof => begins.starts_with(PROOF.as_bytes()),
        }
    }
}

/// Errs where a file is there that holds something else: whatever writes a file at a person's wish
/// takes the place of nothing but its like. What is no plain file, such as a device, cannot be lost.
///
/// # Errors
///
/// That, or the file cannot be looked at.
pub fn replaceable(path: &Path, form: FileFormat) -> Done<()> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() && about.len() > 0 => {}
        _ => return Ok(()),
    }
    let looked = open(path).and_then(|mut file| {
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        Read::by_ref(&mut file).take(64).read_to_end(&mut begins)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
        file.take(END).read_to_end(&mut ends)?;
        Ok(form.is(&begins, &ends))
    });
    if looked.unwrap_or(false) {
        return Ok(());
    }
    let what = form.name();
    let message = format!("{} is not {what}, so Alphorn does not overwrite it", path.display());
    let help = format!("name a new file, or {what} to replace; or delete this file first");
    Err(refused(Problem::placeless("A0623", message).help(help)))
}

/// Errs where no file can be at a path, for its folder is not there.
///
/// # Errors
///
/// That.
pub fn reachable(path: &Path) -> Done<()> {
    match settled(path).parent().map(fs::metadata) {
        Some(Err(error)) => Err(unwritten(path, &error)),
        _ => Ok(()),
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let message = unwritable(&path.display().to_string(), error);
    refused(Problem::placeless("A0620", message).help("name a file in a folder where you may write"))
}

/// Links that are followed one after another.
const LINKS: usize = 40;

/// Whether a path names what is open already: a file beside it could not take its place.
fn is_stream(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap_or("")).collect();
    matches!(parts[..], ["/", "dev", "stdout" | "stderr" | "null"] | ["/", "dev", "fd", _] | ["/", "proc", _, "fd", _])
}

/// A file that is being written.
#[derive(Debug)]
pub struct PendingFile {
    /// Where it belongs: no link.
    target: PathBuf,
    /// Where it is until it is whole; what is no plain file, such as a device, is written at once.
    part: Option<PathBuf>,
}

impl PendingFile {
    /// Begins to write at `path`; `rules` are the files that may not be written over.
    ///
    /// # Errors
    ///
    /// The path is one of them.
    pub fn new(path: &Path, rules: &[PathBuf]) -> Done<PendingFile> {
        spared(path, rules)?;
        let plain = fs::metadata(path).map_or(true, |about| about.is_file());
        if !plain || is_stream(path) {
            return Ok(PendingFile { target: path.to_path_buf(), part: None });
        }
        let target = settled(path);
        let mut name = target.as_os_str().to_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let part = PathBuf::from(name);
        // One that a process of this number left behind.
        let _ = fs::remove_file(&part);
        Ok(PendingFile { target, part: Some(part) })
    }

    /// Under which name it is written.
    pub fn path(&self) -> &Path {
        self.part.as_deref().unwrap_or(&self.target)
    }

    /// The file, empty, as [`PendingFile::create`] makes it; a stop flag ends the waiting for a named pipe.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn create_unless(&self, stop: &AtomicBool) -> io::Result<File> {
        if self.part.is_some() {
            return self.create();
        }
        let target = self.target.clone();
        interrupt::opened_unless(&self.target, stop, move || OpenOptions::new().write(true).truncate(true).open(target))
    }

    /// The file, empty.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn create(&self) -> io::Result<File> {
        match &self.part {
            Some(part) => OpenOptions::new().write(true).create_new(true).open(part),
            None => {
                interrupt::opened(&self.target, || OpenOptions::new().write(true).truncate(true).open(&self.target))
            }
        }
    }

    /// Puts it in its place, with the permissions of what was there.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(part) = &self.part else { return Ok(()) };
        if let Ok(before) = fs::metadata(&self.target) {
            fs::set_permissions(part, before.permissions())?;
        }
        fs::rename(part, &self.target)?;
        self.part = None;
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = fs::remove_file(part);
        }
    }
}

/// Writes a whole text.
///
/// # Errors
///
/// The path is one of `rules`, or cannot be written.
pub fn write(path: &Path, text: &str, rules: &[PathBuf]) -> Done<()> {
    let pending = PendingFile::new(path, rules)?;
    let written = pending.create().and_then(|file| {
        let never = AtomicBool::new(false);
        let mut file = InterruptibleWriter::new(file, &never)?;
        // What reads from a pipe may never come to it, and there is nothing more to tell.
        interrupt::idle(|| file.write_all(text.as_bytes()))?;
        // Some systems tell only here that there was no room.
        file.settle()
    });
    written.and_then(|()| pending.finish()).map_err(|error| unwritten(path, &error))
}

/// Errs where a path, or what it links to, is one of these files.
///
/// # Errors
///
/// That.
pub fn spared(path: &Path, rules: &[PathBuf]) -> Done<()> {
    let target = settled(path);
    if rules.iter().all(|rule| settled(rule) != target) {
        return Ok(());
    }
    let message = format!("{} contains rules in use, so Alphorn does not overwrite it", path.display());
    Err(refused(Problem::placeless("A0623", message).help("name another file; or delete this file first")))
}

fn refused(problem: Problem) -> Failure {
    Failure::Problem(Box::new(problem), Arc::default())
}

/// Whether two paths are one file, whatever they are called.
pub fn is_same(left: &Path, right: &Path) -> bool {
    settled(left) == settled(right)
}

/// The path of a file without links, whether it is there or not.
fn settled(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    // A link to what is not there leads to where it would be.
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

impl Session {
    /// The files that the program was read from, those that it includes and uses among them.
    pub fn files(&self) -> Vec<PathBuf> {
        self.rules.program.sources.files()
    }
}
