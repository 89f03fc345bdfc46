//! Decides whether Ctrl-C may end the program at once because no result would be lost.
//!
//! A search checks its stop flag and then prints what it has found. Loading a file and waiting for
//! input have nothing to print and check no flag, so they run inside [`idle`]. The signal handler calls
//! [`may_exit`].

use std::fs::{self, File};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The number of threads that wait or load.
static IDLE: AtomicUsize = AtomicUsize::new(0);

/// Whether an exit would lose something even then, such as the rules typed at a prompt.
static KEEPS: AtomicBool = AtomicBool::new(false);

/// Counts a thread as idle until it is dropped.
struct Waiting;

impl Drop for Waiting {
    fn drop(&mut self) {
        IDLE.fetch_sub(1, SeqCst);
    }
}

/// Runs work without partial results, such as loading rules or waiting for input. During this work the
/// first Ctrl-C ends the program.
pub fn idle<T>(work: impl FnOnce() -> T) -> T {
    IDLE.fetch_add(1, SeqCst);
    let _waiting = Waiting;
    work()
}

/// Declares that an exit would lose something. Afterwards the first Ctrl-C never ends the program.
pub fn forbid_exit() {
    KEEPS.store(true, SeqCst);
}

/// Opens a file inside [`idle`], because another program can delay the opening.
///
/// # Errors
///
/// The error of `work`, or [`forbid_exit`] was called and the path is a named pipe: Ctrl-C would not end a wait.
pub fn opened<T>(path: impl AsRef<Path>, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    if KEEPS.load(SeqCst) && fs::metadata(path).is_ok_and(|about| is_pipe(about.file_type())) {
        return Err(io::Error::other("it is a named pipe, and the prompt does not wait for pipes"));
    }
    idle(work)
}

/// The time between two checks of a stop flag during a wait.
const LOOK: Duration = Duration::from_millis(10);

/// Opens a file in which to save results. The first Ctrl-C sets `stop`, which ends the wait for a
/// named pipe but not the program.
///
/// # Errors
///
/// The error of `work`, or `stop` was set before a program opened the named pipe for reading.
pub fn opened_unless<T: Send + 'static>(
    path: impl AsRef<Path>,
    stop: &AtomicBool,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    if KEEPS.load(SeqCst) || !fs::metadata(&path).is_ok_and(|about| is_pipe(about.file_type())) {
        return opened(path, work);
    }
    let (done, wait) = channel();
    thread::spawn(move || done.send(work()));
    loop {
        match wait.recv_timeout(LOOK) {
            Ok(opened) => return opened,
            Err(RecvTimeoutError::Timeout) if !stop.load(SeqCst) => {}
            Err(_) => return Err(io::Error::other("it is a named pipe, and no program reads from it")),
        }
    }
}

/// The channel to the thread that writes to a pipe, and the channel for its results.
type Writer = (Sender<Vec<u8>>, Receiver<io::Result<()>>);

/// A writer for a file. If the file is a named pipe, a stop flag ends the wait for its reader.
pub struct InterruptibleWriter<'a> {
    file: File,
    /// The thread that writes to a pipe, for named pipes only.
    writer: Option<Writer>,
    stop: &'a AtomicBool,
}

impl InterruptibleWriter<'_> {
    /// Creates a writer for an open file.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub fn new(file: File, stop: &AtomicBool) -> io::Result<InterruptibleWriter<'_>> {
        let writer = if is_pipe(file.metadata()?.file_type()) {
            let mut file = file.try_clone()?;
            let ((send, texts), (done, wait)) = (channel::<Vec<u8>>(), channel());
            thread::spawn(move || texts.into_iter().all(|text| done.send(file.write_all(&text)).is_ok()));
            Some((send, wait))
        } else {
            None
        };
        Ok(InterruptibleWriter { file, writer, stop })
    }

    /// Flushes a file to its disk. Does nothing for a pipe or a device.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub fn sync_to_disk(&self) -> io::Result<()> {
        if self.file.metadata()?.is_file() { self.file.sync_all() } else { Ok(()) }
    }
}

impl Write for InterruptibleWriter<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let Some((send, wait)) = &self.writer else { return self.file.write(text) };
        let gone = || io::Error::other("it is a named pipe, and nothing reads from it");
        send.send(text.to_vec()).map_err(|_| gone())?;
        loop {
            match wait.recv_timeout(LOOK) {
                Ok(written) => return written.map(|()| text.len()),
                Err(RecvTimeoutError::Timeout) if !self.stop.load(SeqCst) => {}
                Err(_) => return Err(gone()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: fs::FileType) -> bool {
    false
}

/// Whether the first Ctrl-C ends the program.
pub fn may_exit() -> bool {
    IDLE.load(SeqCst) > 0 && !KEEPS.load(SeqCst)
}

/// A reader that waits inside [`idle`].
#[derive(Debug)]
pub struct InterruptibleReader<R>(pub R);

impl<R: Read> Read for InterruptibleReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        idle(|| self.0.read(buffer))
    }
}

impl<R: BufRead> BufRead for InterruptibleReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        idle(|| self.0.fill_buf())
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::{InterruptibleReader, forbid_exit, idle, may_exit, opened};
    use std::io::Read;

    /// A reader that returns [`may_exit`] at the time of reading.
    struct Looking;

    impl Read for Looking {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer[0] = u8::from(may_exit());
            Ok(1)
        }
    }

    #[test]
    fn the_first_interrupt_leaves_only_where_nothing_is_lost() {
        assert!(!may_exit());
        assert!(idle(may_exit));
        let mut byte = [0];
        assert!(InterruptibleReader(Looking).read(&mut byte).is_ok() && byte == [1]);
        assert!(std::panic::catch_unwind(|| idle(|| panic!("rules went wrong"))).is_err());
        assert!(!may_exit(), "a panic ends the waiting as well");
        forbid_exit();
        assert!(!idle(may_exit));
        #[cfg(unix)]
        {
            let pipe = std::env::temp_dir().join(format!("alphorn-interrupt-{}.fifo", std::process::id()));
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
            let tried = opened(&pipe, || std::fs::File::open(&pipe));
            let _ = std::fs::remove_file(&pipe);
            assert!(made.success() && tried.is_err(), "a pipe is refused and not waited for");
        }
        assert!(opened("Cargo.toml", || Ok(1)).is_ok_and(|one| one == 1));
    }

    /// Regression test: only a second Ctrl-C ended the writing to a pipe without a reader.
    #[cfg(unix)]
    #[test]
    fn a_pipe_that_nothing_reads_is_left_at_an_interrupt() {
        use super::InterruptibleWriter;
        use std::io::Write;
        let path = std::env::temp_dir().join(format!("alphorn-outlet-{}.fifo", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo is there");
        assert!(made.success());
        let open = || std::fs::OpenOptions::new().read(true).write(true).open(&path).expect("a pipe of ours");
        let (reader, stop) = (open(), std::sync::atomic::AtomicBool::new(true));
        let mut outlet = InterruptibleWriter::new(open(), &stop).expect("a writer");
        let ended = (0..100).try_for_each(|_| outlet.write_all(&[0; 1 << 16]));
        assert!(ended.is_err_and(|error| error.to_string().contains("nothing reads from it")));
        outlet.sync_to_disk().expect("a pipe has no disk");
        drop(reader);
        let _ = std::fs::remove_file(&path);
    }
}
