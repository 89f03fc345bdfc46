//! The opened file: reads it, saves it, and notices when another program changes it.
//!
//! The version of a text is a hash. Saving names the version that was changed: if the file has another one
//! meanwhile, nothing is written. Only this file is ever written, completely or not at all.

use super::failed;
use super::message::{FileText, Save, Saved};
use alphorn_session::session::options::source;
use alphorn_session::session::{SessionResult, writing};
use alphorn_text::source::{open, read_text};
use notify::{RecursiveMode, Watcher};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The limit of the opened file, in bytes: its text must fit into one message.
const MOST_BYTES: u64 = 4 << 20;

/// An editor may write a file in several steps: it is read after this time.
const QUIET: Duration = Duration::from_millis(20);

/// An editor that replaces a file may leave no file for up to this time.
const GONE: Duration = Duration::from_millis(250);

/// The opened file.
pub(super) struct OpenedFile {
    /// The name of its text in requests.
    pub(super) name: String,
    /// The path.
    pub(super) path: PathBuf,
    state: Arc<SharedFile>,
}

/// What the sockets and the watcher share.
struct SharedFile {
    path: PathBuf,
    /// Held while the file is compared and written.
    writing: Mutex<()>,
    known: watch::Sender<FileState>,
}

/// The last known contents of the file.
#[derive(Clone, Debug)]
pub(super) struct FileState {
    /// The version of the text.
    pub(super) version: String,
    /// The text; `None` if the file is gone or cannot be read.
    pub(super) text: Option<Arc<str>>,
    /// The number of the socket that has saved it; 0 for another program.
    pub(super) writer: u64,
}

impl FileState {
    fn read(path: &Path) -> FileState {
        let text = read_text(path, MOST_BYTES, "bytes").ok();
        FileState::of(text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(&text).into()), 0)
    }

    fn of(text: Option<Arc<str>>, writer: u64) -> FileState {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        FileState { version: format!("{:016x}", hasher.finish()), text, writer }
    }

    fn as_saved(&self, saved: bool) -> Saved {
        let text = (!saved).then(|| self.text.as_ref().map(|text| text.to_string()));
        Saved { saved, version: self.version.clone(), text }
    }
}

impl OpenedFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is too large for the page.
    pub(super) fn open(given: &str) -> SessionResult<OpenedFile> {
        if given == "-" {
            return Err(failed("the page cannot save standard input".into(), "give the rules as a file"));
        }
        // Its failure names similar files.
        let found = source(given)?;
        let path = PathBuf::from(given);
        if !open(&path).and_then(|file| file.metadata()).is_ok_and(|about| about.is_file()) {
            return Err(failed(format!("{given} is not a file that can be saved"), "give the rules as a file"));
        }
        if found.text.len() as u64 > MOST_BYTES {
            let message = format!("{given} is larger than {MOST_BYTES} bytes, the limit for the page");
            return Err(failed(message, "use alphorn repl and an editor of your own"));
        }
        let name = path.file_name().map_or_else(|| given.to_string(), |name| name.to_string_lossy().into_owned());
        let (known, _) = watch::channel(FileState::of(Some(found.text), 0));
        let state = Arc::new(SharedFile { path: path.clone(), writing: Mutex::new(()), known });
        Ok(OpenedFile { name, path, state })
    }

    /// The file with its text now.
    pub(super) fn now(&self) -> FileText {
        self.state.look();
        let state = self.state.known.borrow().clone();
        FileText {
            name: self.name.clone(),
            path: self.path.display().to_string(),
            text: state.text.map(|text| text.to_string()),
            version: state.version,
        }
    }

    /// Receives every later change of the file.
    pub(super) fn changes(&self) -> watch::Receiver<FileState> {
        self.state.known.subscribe()
    }

    /// Saves a text, unless the file is not the version that was changed. `writer` is the number of the socket.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn save(&self, save: &Save, writer: u64) -> SessionResult<Saved> {
        if save.text.len() as u64 > MOST_BYTES {
            let message = format!("the text is larger than {MOST_BYTES} bytes, the limit for the page");
            return Err(failed(message, "save it with another program"));
        }
        let _writing = self.state.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let there = FileState::read(&self.path);
        if there.version != save.version {
            return Ok(there.as_saved(false));
        }
        writing::write(&self.path, &save.text, &[])?;
        let written = FileState::of(Some(save.text.as_str().into()), writer);
        let saved = written.as_saved(true);
        self.state.known.send_replace(written);
        Ok(saved)
    }

    /// Watches the file for changes, until the watcher is dropped. Without a watcher of the system, the page
    /// notices changes when it saves.
    pub(super) fn watch(&self) -> Option<notify::RecommendedWatcher> {
        let state = self.state.clone();
        let hear = move |event: notify::Result<notify::Event>| {
            if !event.is_ok_and(|event| event.kind.is_access()) {
                std::thread::sleep(QUIET);
                state.look();
            }
        };
        let mut watcher = notify::recommended_watcher(hear).ok()?;
        // Watches the folder, because an editor may replace the file.
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
        Some(watcher)
    }
}

impl SharedFile {
    /// Reads the file, and passes on a change.
    fn look(&self) {
        if std::fs::metadata(&self.path).is_err() {
            std::thread::sleep(GONE);
        }
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let now = FileState::read(&self.path);
        self.known.send_if_modified(|known| {
            let is_new = known.version != now.version;
            if is_new {
                *known = now;
            }
            is_new
        });
    }
}
