//! Writes files completely or not at all, and never over rules in use or over other contents.
//!
//! It takes a path and the files of the loaded rules. It writes a file under another name and renames it
//! when it is complete, so a full disk loses nothing. It does not know the contents. Every command that
//! writes a file which the user names calls it.

use super::{Failure, Session, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::interrupt::{self, InterruptibleWriter};
use alphorn_text::report::Problem;
use alphorn_text::source::{open, unwritable};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The format of a written file, which is recognized from the contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// A picture in SVG.
    Picture,
    /// A graph for Graphviz.
    Graph,
    /// A tree as text.
    Tree,
    /// A tree as JSON.
    JsonTree,
    /// Positions as lines of JSON.
    Positions,
    /// A proof of a value.
    Proof,
    /// An overlay with tuned parameters.
    Tuned,
    /// Columns in the format Parquet.
    Parquet,
}

/// The first line of every overlay with tuned parameters.
pub const TUNED: &str = "% Parameters tuned by alphorn.";

/// The first line of every proof.
pub(super) const PROOF: &str = "alphorn proof 1";

/// Whether a text ends like a tree of `alphorn tree`: with a line of counts, and perhaps a line that
/// explains marks after it.
fn is_tree(ends: &[u8]) -> bool {
    let ends = String::from_utf8_lossy(ends);
    ends.lines().rev().take(2).any(is_footer)
}

/// Whether a line has the form `alphabeta: 1,234 positions visited, 20 evaluated`, for any algorithm.
fn is_footer(line: &str) -> bool {
    let Some((_, counts)) = line.split_once(": ") else { return false };
    let Some((looked, judged)) = counts.split_once(" visited, ") else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let number = looked.strip_suffix(" positions").or_else(|| looked.strip_suffix(" position"));
    let judged = judged.rsplit(", ").next().and_then(|last| last.strip_suffix(" evaluated"));
    number.is_some_and(is_number) && judged.is_some_and(is_number)
}

/// The name behind `{"schema":2,` at the beginning of a text. Each kind of JSON that is written to files has another one.
fn second_key(begins: &[u8]) -> Option<String> {
    let rest = String::from_utf8_lossy(begins);
    let rest = rest.strip_prefix("{\"schema\":")?;
    let (_, rest) = rest.split_once(",\"")?;
    rest.split('"').next().map(str::to_string)
}

/// The number of bytes at the end of a file that are examined.
const END: u64 = 1 << 10;

impl FileFormat {
    fn name(self) -> &'static str {
        match self {
            FileFormat::Picture => "a picture in SVG",
            FileFormat::Graph => "a graph written by alphorn tree",
            FileFormat::Tree => "a tree written by alphorn tree",
            FileFormat::JsonTree => "a tree written by alphorn tree",
            FileFormat::Positions => "positions written by alphorn dataset",
            FileFormat::Proof => "a proof",
            FileFormat::Tuned => "an overlay written by alphorn tune",
            FileFormat::Parquet => "a file in the format Parquet",
        }
    }

    /// Whether a file with this beginning and end has this format.
    fn is(self, begins: &[u8], ends: &[u8]) -> bool {
        match self {
            FileFormat::Picture => begins.starts_with(b"<svg "),
            FileFormat::Graph => begins.starts_with(b"digraph tree {"),
            FileFormat::Tree => is_tree(ends),
            FileFormat::JsonTree => second_key(begins).as_deref() == Some("algorithm"),
            FileFormat::Positions => second_key(begins).as_deref() == Some("game"),
            FileFormat::Proof => begins.starts_with(PROOF.as_bytes()),
            FileFormat::Tuned => begins.starts_with(TUNED.as_bytes()),
            FileFormat::Parquet => begins.starts_with(b"PAR1"),
        }
    }
}

/// Errs if the file exists with other contents: a command only overwrites files of its own format. A
/// special file such as a device has nothing to lose.
///
/// # Errors
///
/// The file has other contents, or cannot be read.
pub fn check_replaceable(path: &Path, form: FileFormat) -> SessionResult<()> {
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
    Err(refused(Problem::placeless(Code::FileNotReplaced, message).help(help)))
}

/// Errs if the folder of a path does not exist.
///
/// # Errors
///
/// The folder does not exist or cannot be read.
pub fn reachable(path: &Path) -> SessionResult<()> {
    match settled(path).parent().map(fs::metadata) {
        Some(Err(error)) => Err(unwritten(path, &error)),
        _ => Ok(()),
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let message = unwritable(&path.display().to_string(), error);
    refused(Problem::placeless(Code::InvalidArgument, message).help("name a file in a folder where you may write"))
}

/// The maximum length of a chain of links.
const LINKS: usize = 40;

/// Whether a path names an open stream, which a file beside it cannot replace.
fn is_stream(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap_or("")).collect();
    matches!(parts[..], ["/", "dev", "stdout" | "stderr" | "null"] | ["/", "dev", "fd", _] | ["/", "proc", _, "fd", _])
}

/// A file that is being written.
#[derive(Debug)]
pub struct PendingFile {
    /// The final path, without links.
    target: PathBuf,
    /// The temporary path. `None` for a special file such as a device, which is written directly.
    part: Option<PathBuf>,
}

impl PendingFile {
    /// Begins to write at `path`. `rules` are the files that must not be overwritten.
    ///
    /// # Errors
    ///
    /// The path is one of `rules`.
    pub fn new(path: &Path, rules: &[PathBuf]) -> SessionResult<PendingFile> {
        check_not_rules(path, rules)?;
        let plain = fs::metadata(path).map_or(true, |about| about.is_file());
        if !plain || is_stream(path) {
            return Ok(PendingFile { target: path.to_path_buf(), part: None });
        }
        let target = settled(path);
        let mut name = target.as_os_str().to_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let part = PathBuf::from(name);
        // Remove the file of an earlier process with the same id.
        let _ = fs::remove_file(&part);
        remove_abandoned(&target);
        Ok(PendingFile { target, part: Some(part) })
    }

    /// The path under which the file is written now.
    pub fn path(&self) -> &Path {
        self.part.as_deref().unwrap_or(&self.target)
    }

    /// Creates the file as [`PendingFile::create`] does. The stop flag ends a wait for a named pipe.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub fn create_unless(&self, stop: &AtomicBool) -> io::Result<File> {
        if self.part.is_some() {
            return self.create();
        }
        let target = self.target.clone();
        interrupt::opened_unless(&self.target, stop, move || OpenOptions::new().write(true).truncate(true).open(target))
    }

    /// Creates the file, empty.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub fn create(&self) -> io::Result<File> {
        match &self.part {
            Some(part) => {
                let file = OpenOptions::new().write(true).create_new(true).open(part)?;
                // The lock says that a process writes the file. Some file systems have no locks.
                let _ = file.try_lock();
                Ok(file)
            }
            None => {
                interrupt::opened(&self.target, || OpenOptions::new().write(true).truncate(true).open(&self.target))
            }
        }
    }

    /// Renames the file to its final path, with the permissions of the file that was there.
    ///
    /// # Errors
    ///
    /// The error of the system.
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

/// Removes the temporary files of a path whose processes were killed.
fn remove_abandoned(target: &Path) {
    let (Some(folder), Some(name)) = (target.parent(), target.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file = entry.file_name();
        let rest = file.to_str().and_then(|file| file.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".part"));
        let Some(process) = rest.and_then(|rest| rest.parse::<u32>().ok()) else { continue };
        // A process locks its file just after it creates the file.
        let alive = Path::new("/proc").join(process.to_string()).exists();
        let locked = || open(entry.path()).map_or(true, |file| file.try_lock().is_err());
        if !alive && !locked() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a whole text to a file.
///
/// # Errors
///
/// The path is one of `rules`, or cannot be written.
pub fn write(path: &Path, text: &str, rules: &[PathBuf]) -> SessionResult<()> {
    let pending = PendingFile::new(path, rules)?;
    let written = pending.create().and_then(|file| {
        let never = AtomicBool::new(false);
        let mut file = InterruptibleWriter::new(file, &never)?;
        // The reader of a pipe may never read, so waiting must be interruptible.
        interrupt::idle(|| file.write_all(text.as_bytes()))?;
        // Some systems report a full disk only here.
        file.sync_to_disk()
    });
    written.and_then(|()| pending.finish()).map_err(|error| unwritten(path, &error))
}

/// Errs if a path, or the target of its link, is one of these files.
///
/// # Errors
///
/// The path is one of `rules`.
pub fn check_not_rules(path: &Path, rules: &[PathBuf]) -> SessionResult<()> {
    let target = settled(path);
    if rules.iter().all(|rule| settled(rule) != target) {
        return Ok(());
    }
    let message = format!("{} contains rules in use, so Alphorn does not overwrite it", path.display());
    Err(refused(Problem::placeless(Code::FileNotReplaced, message).help("name another file")))
}

/// Errs if two options name the same file. `files` are the options and their files.
///
/// # Errors
///
/// Two options name the same file.
pub fn check_different(files: &[(&str, &Path)]) -> SessionResult<()> {
    for (at, (option, path)) in files.iter().enumerate() {
        let plain = fs::metadata(path).map_or(true, |about| about.is_file()) && !is_stream(path);
        if let Some((other, _)) = files[..at].iter().find(|(_, other)| plain && is_same(other, path)) {
            let message = format!("{other} and {option} name the same file, {}", path.display());
            return Err(refused(Problem::placeless(Code::InvalidArgument, message).help("name two files")));
        }
    }
    Ok(())
}

fn refused(problem: Problem) -> Failure {
    Failure::Problem(Box::new(problem), Arc::default())
}

/// Whether two paths name the same file.
pub fn is_same(left: &Path, right: &Path) -> bool {
    settled(left) == settled(right)
}

/// The path of a file with links resolved. The file need not exist.
fn settled(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    // A link to a missing file leads to the path of that file.
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
    /// The files of the program, with those that it includes and uses.
    pub fn files(&self) -> Vec<PathBuf> {
        self.rules.program.sources.files()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once a command that was killed while it wrote left a file that stayed for ever.
    #[test]
    fn the_temporary_file_of_a_killed_command_is_removed() {
        let folder = std::env::temp_dir().join(format!("alphorn_writing_{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder can be made");
        // No process has this number: the greatest one of Linux is 2^22.
        let [target, killed, locked, others] =
            ["o.pl", "o.pl.999999998.part", "o.pl.999999999.part", "o.pl.notes.part"].map(|name| folder.join(name));
        [&killed, &locked, &others].iter().for_each(|path| fs::write(path, "half").expect("it can be written"));
        let holder = File::open(&locked).expect("it is there");
        holder.try_lock().expect("nobody else has it");
        write(&target, "whole", &[]).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(fs::read_to_string(&target).expect("it is written"), "whole");
        assert_eq!([&killed, &locked, &others].map(|path| path.exists()), [false, true, true]);
        let _ = fs::remove_dir_all(&folder);
    }
}
