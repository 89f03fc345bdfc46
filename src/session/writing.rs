//! Writing files: whole or not at all, and never over rules that are in use.
//!
//! In: a path, and the files that rules were read from. Out: a file of another name, which takes
//! its place once it is whole; so a full disk loses nothing. Must not know what is written. Called
//! by whatever writes a file that a person has named.

use super::{Done, Failure, Session};
use crate::report::Problem;
use crate::source::unwritable;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Links that are followed one after another.
const LINKS: usize = 40;

/// A file that is being written.
#[derive(Debug)]
pub struct Pending {
    /// Where it belongs: no link.
    target: PathBuf,
    /// Where it is until it is whole; what is no plain file, such as a device, is written at once.
    part: Option<PathBuf>,
}

impl Pending {
    /// Begins to write at `path`; `rules` are the files that may not be written over.
    ///
    /// # Errors
    ///
    /// The path is one of them.
    pub fn new(path: &Path, rules: &[PathBuf]) -> Done<Pending> {
        spared(path, rules)?;
        let plain = fs::metadata(path).map_or(true, |about| about.is_file());
        if !plain || path.starts_with("/dev") || path.starts_with("/proc") {
            return Ok(Pending { target: path.to_path_buf(), part: None });
        }
        let target = settled(path);
        let mut name = target.as_os_str().to_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let part = PathBuf::from(name);
        // One that a process of this number left behind.
        let _ = fs::remove_file(&part);
        Ok(Pending { target, part: Some(part) })
    }

    /// Under which name it is written.
    pub fn path(&self) -> &Path {
        self.part.as_deref().unwrap_or(&self.target)
    }

    /// The file, empty.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn create(&self) -> io::Result<File> {
        match &self.part {
            Some(part) => OpenOptions::new().write(true).create_new(true).open(part),
            None => OpenOptions::new().write(true).open(&self.target),
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

impl Drop for Pending {
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
    let pending = Pending::new(path, rules)?;
    let written = pending.create().and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        // Some systems tell only here that there was no room.
        if pending.part.is_some() { file.sync_all() } else { file.flush() }
    });
    written.and_then(|()| pending.finish()).map_err(|error| {
        let message = unwritable(&path.display().to_string(), &error);
        refused(Problem::placeless("A0620", message).help("name a file in a folder where you may write"))
    })
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
    let message = format!("{} holds rules that are in use, and is not written over", path.display());
    Err(refused(Problem::placeless("A0623", message).help("name another file; remove this one first if it is to go")))
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
