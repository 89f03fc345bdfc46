//! A file of lines that grows while a long command runs, and from which an interrupted command goes on.
//!
//! A line is written at once and in order. If the program is killed, the file has all lines but perhaps
//! the end of the last one. Opening the file again gives the complete lines. The module does not know what
//! the lines mean.

use super::writing::{check_not_rules, reachable};
use super::{Failure, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::{open, why};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The greatest length of a line in bytes.
const LONGEST: u64 = 64 << 20;

/// The time to wait for another process that has the file. A killed process keeps its lock until the operating
/// system has taken the process apart, which takes longer than the start of the next command on a busy machine.
const PATIENCE: Duration = Duration::from_secs(3);

/// The time between two tries to lock the file.
const TICK: Duration = Duration::from_millis(20);

/// An open file of lines.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The bytes of the complete lines.
    complete: u64,
}

/// The beginning of a line that was not written completely.
pub type CutLine = Vec<u8>;

impl Journal {
    /// Opens a file of lines to continue it, or creates it. No other process can open it for this meanwhile. If a
    /// process has the file, this waits some seconds.
    ///
    /// # Errors
    ///
    /// The path is one of `rules`, or no regular file, or cannot be written, or another process uses it.
    pub fn open(path: &Path, rules: &[PathBuf]) -> SessionResult<Journal> {
        check_not_rules(path, rules)?;
        reachable(path)?;
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(unusable(path, "it is not a regular file", "name a file"));
        }
        let told = |error: &io::Error| failed(path, error);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| told(&error))?;
        let begun = Instant::now();
        while let Err(TryLockError::WouldBlock) = file.try_lock() {
            if begun.elapsed() > PATIENCE {
                return Err(unusable(
                    path,
                    "another command is writing it",
                    "wait for that command, or name another file",
                ));
            }
            thread::sleep(TICK);
        }
        // Any other error of the lock is no obstacle: some file systems have no locks.
        Ok(Journal { path: path.to_path_buf(), file, complete: 0 })
    }

    /// Opens a file of lines to read it.
    ///
    /// # Errors
    ///
    /// There is no such file, or it is no regular file, or it cannot be read.
    pub fn open_to_read(path: &Path) -> SessionResult<Journal> {
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(unusable(path, "it is not a regular file", "name a file"));
        }
        let told =
            |error| unusable(path, &why(&error, "there is no such file or folder"), "name a file that can be read");
        let file = open(path).map_err(told)?;
        Ok(Journal { path: path.to_path_buf(), file, complete: 0 })
    }

    /// Gives every complete line to `each`, with its number from 1. Returns the beginning of an incomplete
    /// last line.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or `each` fails.
    pub fn lines(&mut self, each: &mut dyn FnMut(usize, &str) -> SessionResult<()>) -> SessionResult<CutLine> {
        let path = &self.path;
        let told = |error: io::Error| failed(path, &error);
        self.file.seek(SeekFrom::Start(0)).map_err(told)?;
        self.complete = 0;
        let mut reader = BufReader::new(&self.file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let bytes = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line).map_err(told)?;
            if line.pop_if(|last| *last == b'\n').is_none() {
                break;
            }
            let Ok(text) = std::str::from_utf8(&line) else {
                return Err(unusable(path, &format!("line {number} is not text in UTF-8"), "name another file"));
            };
            each(number, text)?;
            self.complete += bytes as u64;
        }
        Ok(line)
    }

    /// Removes an incomplete last line, so that lines can be added.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn cut(&mut self) -> SessionResult<()> {
        let cut = self.file.set_len(self.complete).and_then(|()| self.file.seek(SeekFrom::Start(self.complete)));
        cut.map(drop).map_err(|error| failed(&self.path, &error))
    }

    /// Adds a line, which must not contain a line end.
    ///
    /// # Errors
    ///
    /// The file cannot be written, for instance because the disk is full.
    pub fn add(&mut self, line: &str) -> SessionResult<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|error| failed(&self.path, &error))
    }

    /// The failure for a file with other contents.
    pub fn unusable(&self, what: &str, help: &str) -> Failure {
        unusable(&self.path, what, help)
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    unusable(path, &why(error, "there is no such file or folder"), "name a file in a folder where you may write")
}

fn unusable(path: &Path, what: &str, help: &str) -> Failure {
    let message = format!("cannot use {} for the record: {what}", path.display());
    Failure::Problem(Box::new(Problem::placeless(Code::UnusableRecord, message).help(help)), Arc::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(journal: &mut Journal) -> (Vec<String>, CutLine) {
        let mut lines = Vec::new();
        let cut = journal.lines(&mut |_, line| {
            lines.push(line.to_string());
            Ok(())
        });
        (lines, cut.expect("it is text"))
    }

    #[test]
    fn a_cut_line_is_written_again() {
        let path = std::env::temp_dir().join(format!("alphorn_journal_{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut journal = Journal::open(&path, &[]).expect("the folder can be written");
        assert_eq!(read(&mut journal), (Vec::new(), Vec::new()));
        ["one", "two", "three"].iter().for_each(|line| journal.add(line).expect("it can be written"));
        assert!(Journal::open(&path, &[]).is_err(), "only one command may write it");
        // Once a command that followed a killed one at once failed, because the killed one still had the lock.
        thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(10 * TICK);
                drop(journal);
            });
            assert!(Journal::open(&path, &[]).is_ok(), "the other command ends soon");
        });
        for length in 0..=14 {
            let whole = b"one\ntwo\nthree\n";
            std::fs::write(&path, &whole[..length]).expect("it can be written");
            let mut journal = Journal::open(&path, &[]).expect("nobody else has it");
            let (lines, cut) = read(&mut journal);
            let kept = lines.iter().map(|line| line.len() + 1).sum::<usize>();
            assert_eq!(kept + cut.len(), length);
            journal.cut().expect("it can be written");
            ["one", "two", "three"].iter().skip(lines.len()).for_each(|line| journal.add(line).expect("it is open"));
            drop(journal);
            assert_eq!(std::fs::read(&path).expect("it is there"), whole);
        }
        assert!(Journal::open(&path, std::slice::from_ref(&path)).is_err(), "rules are never written");
        let _ = std::fs::remove_file(&path);
    }
}
