//! Watches files, and loads the rules again when a file is saved.
//!
//! A thread watches the files. It repeats the last question in a workspace of its own, and prints the
//! change above the line being typed. The prompt takes over the rules at the next line; entering a
//! line stops the thread. The module does not depend on what a question is.

use super::questions::{AskedQuestion, RepeatOptions, compare_across_change};
use super::settings::Settings;
use super::{Repl, refusal};
use crate::cli::output::Color;
use crate::cli::output::Out;
use crate::cli::{CommandResult, YES};
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::workspace::{Snapshot, Workspace};
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::printable::{coloured, line};
use alphorn_text::report::Report;
use notify::{RecursiveMode, Watcher};
use rustyline::ExternalPrinter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// An editor may write a file in several steps: it is read after this time without events.
const QUIET: Duration = Duration::from_millis(10);

/// An editor that replaces a file may leave no file for up to this time.
const GONE: Duration = Duration::from_millis(250);

/// The modification time and size of a file; `None` if the file does not exist.
type Stamp = Option<(SystemTime, u64)>;

/// A file with its last known stamp.
#[derive(Clone, Debug, PartialEq)]
struct WatchedFile {
    path: PathBuf,
    stamp: Stamp,
}

impl WatchedFile {
    fn now(path: PathBuf) -> WatchedFile {
        let about = std::fs::metadata(&path).ok();
        let stamp = about.and_then(|about| Some((about.modified().ok()?, about.len())));
        WatchedFile { path, stamp }
    }
}

fn looked(files: &[WatchedFile]) -> Vec<WatchedFile> {
    files.iter().map(|seen| WatchedFile::now(seen.path.clone())).collect()
}

/// The names of the files that were written, and of those that were removed.
fn changes(before: &[WatchedFile], now: &[WatchedFile]) -> (Vec<String>, Vec<String>) {
    let changed = before.iter().zip(now).filter(|(before, now)| before != now).map(|(_, now)| now);
    let (there, gone): (Vec<&WatchedFile>, Vec<&WatchedFile>) = changed.partition(|now| now.stamp.is_some());
    let names =
        |all: Vec<&WatchedFile>| all.iter().map(|seen| line(&seen.path.display().to_string()).into_owned()).collect();
    (names(there), names(gone))
}

fn gone_text(gone: &[String]) -> String {
    gone.iter().map(|name| format!("{name} was removed; its rules stay loaded\n")).collect()
}

/// A watch of the loaded files.
pub(super) struct FileWatcher {
    /// The files as they were when they were loaded.
    files: Vec<WatchedFile>,
    /// The state shared with the thread; `None` without a terminal.
    thread: Option<Shared>,
    _watcher: Option<notify::RecommendedWatcher>,
}

/// The state shared by prompt and thread. Neither holds the lock for long.
type Shared = Arc<Mutex<Option<WatchState>>>;

fn locked(shared: &Shared) -> MutexGuard<'_, Option<WatchState>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state for the thread while the prompt waits for a line, and the thread's results.
#[derive(Clone)]
struct WatchState {
    files: Vec<WatchedFile>,
    workspace: Snapshot,
    settings: Settings,
    question: Option<AskedQuestion>,
    /// Set when a line is entered. The pointer also identifies this wait of the prompt.
    stop: Arc<AtomicBool>,
    /// Whether the thread is repeating the question.
    is_asking: bool,
    /// Whether the thread has printed anything.
    has_told: bool,
    /// Whether the thread has loaded rules, so that `workspace` is newer.
    has_loaded: bool,
}

impl Drop for FileWatcher {
    fn drop(&mut self) {
        self.stop_thread();
    }
}

impl FileWatcher {
    /// Stops the thread, and takes its results.
    fn stop_thread(&self) -> Option<WatchState> {
        let told = self.thread.as_ref().and_then(|thread| locked(thread).take())?;
        told.stop.store(true, Relaxed);
        Some(told)
    }
}

/// The thread that waits for files to change.
struct WatchThread {
    told: Shared,
    printer: Box<dyn ExternalPrinter + Send>,
    unicode: bool,
}

impl WatchThread {
    /// Handles events until the watcher is dropped.
    fn wait(mut self, events: &Receiver<()>) {
        while events.recv().is_ok() {
            while events.recv_timeout(QUIET).is_ok() {}
            if let Some(text) = self.look() {
                let _ = self.printer.print(coloured(&text).into_owned());
            }
        }
    }

    /// Repeats the last question if a file has changed.
    fn look(&self) -> Option<String> {
        let told = locked(&self.told).clone()?;
        let mut now = looked(&told.files);
        if now.iter().any(|seen| seen.stamp.is_none()) && now != told.files {
            std::thread::sleep(GONE);
            now = looked(&told.files);
        }
        if now == told.files {
            return None;
        }
        let mine = |other: &&mut WatchState| Arc::ptr_eq(&other.stop, &told.stop);
        locked(&self.told).as_mut().filter(mine)?.is_asking = true;
        let (written, gone) = changes(&told.files, &now);
        let (text, asked) = match written.is_empty() {
            true => (String::new(), None),
            false => self.ask(&told, &written, &mut now),
        };
        let mut shared = locked(&self.told);
        // If the user has entered the line, the prompt checks the files itself.
        let current = shared.as_mut().filter(mine).filter(|told| !told.stop.load(Relaxed))?;
        if let Some((workspace, question)) = asked {
            (current.workspace, current.question, current.has_loaded) = (workspace, question, true);
        }
        (current.files, current.is_asking, current.has_told) = (now, false, true);
        Some(gone_text(&gone) + &text)
    }

    /// Loads the rules and repeats the question. Returns the text to print, and the new state unless
    /// the rules are broken. Files of broken rules are added to the watched files.
    fn ask(
        &self,
        told: &WatchState,
        written: &[String],
        files: &mut Vec<WatchedFile>,
    ) -> (String, Option<(Snapshot, Option<AskedQuestion>)>) {
        let out = Out::new(false, Color::Never);
        let arrow = if self.unicode { "→" } else { "->" };
        let mut warnings = String::new();
        let mut loaded = None;
        let change = || {
            let options = told.workspace.load_options().clone();
            let mut workspace = Workspace::resume(told.workspace.clone(), &told.stop)?;
            let before = workspace.session().rules.report.clone();
            workspace.load(options, true)?;
            let after = fresh(&before, &workspace.session().rules.report);
            if !after.problems.is_empty() {
                warnings = out.drawn(&Failure::Text(after));
            }
            for path in workspace.files() {
                add(files, path);
            }
            loaded = Some(workspace.snapshot());
            Ok(workspace.snapshot())
        };
        let way = RepeatOptions { settings: &told.settings, stop: &told.stop, arrow, behind: true };
        let news = compare_across_change(told.question.clone(), told.workspace.clone(), &way, change);
        match news {
            Ok(news) => {
                let failure = news.failure().map(|failure| out.drawn(failure)).unwrap_or_default();
                let text = format!("{warnings}{failure}loaded {}\n{}", written.join(" "), news.text());
                (text, loaded.map(|loaded| (loaded, news.question)))
            }
            Err(failure) => {
                add_broken(files, &failure);
                (out.drawn(&failure), None)
            }
        }
    }
}

/// Also watches the files of broken rules.
fn add_broken(files: &mut Vec<WatchedFile>, failure: &Failure) {
    let Failure::Text(report) = failure else { return };
    report.sources.files().into_iter().for_each(|path| add(files, path));
}

fn add(files: &mut Vec<WatchedFile>, path: PathBuf) {
    if files.iter().all(|seen| seen.path != path) {
        files.push(WatchedFile::now(path));
    }
}

/// The problems that only the second report has.
pub(super) fn fresh(before: &Report, after: &Report) -> Report {
    let mut known: Vec<_> = before.problems.iter().map(|problem| (problem.code, &problem.message)).collect();
    let new = after.problems.iter().filter(|problem| {
        let at = known.iter().position(|known| *known == (problem.code, &problem.message));
        at.map(|at| known.swap_remove(at)).is_none()
    });
    Report::new(after.sources.clone(), new.cloned().collect())
}

impl Repl<'_> {
    pub(super) fn watch(&mut self, rest: &str) -> CommandResult {
        match rest {
            "off" => {
                self.watch = None;
                self.out.print("no longer watching\n");
            }
            "" | "on" => {
                let files = self.workspace().files();
                if files.is_empty() {
                    return Err(refusal("there is no file to watch", "load one: :load FILE"));
                }
                let names: Vec<String> =
                    files.iter().map(|path| line(&path.display().to_string()).into_owned()).collect();
                self.watch = Some(self.start_watch(files.into_iter().map(WatchedFile::now).collect())?);
                self.out.print(&format!("watching {}\n", names.join(" ")));
            }
            other => return Err(refusal(&format!("{other} is not on or off"), "type :watch on or :watch off")),
        }
        Ok(YES)
    }

    /// Starts a watch of files; at a terminal, with a thread that prints at once.
    fn start_watch(&mut self, files: Vec<WatchedFile>) -> SessionResult<FileWatcher> {
        let mut watch = FileWatcher { files, thread: None, _watcher: None };
        let Some(printer) = self.lines.printer() else { return Ok(watch) };
        let (send, events) = channel();
        let hear = move |event: notify::Result<notify::Event>| {
            // Read accesses do not matter. A send error means that the thread has ended.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                let _ = send.send(());
            }
        };
        let unwatchable = |error: notify::Error| {
            refusal(&format!("cannot watch files here: {error}"), ":reload loads the files again")
        };
        let mut watcher = notify::recommended_watcher(hear).map_err(unwatchable)?;
        let mut folders: Vec<&Path> = Vec::new();
        for WatchedFile { path, .. } in &watch.files {
            // Watches the folder, because an editor may replace the file.
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !folders.contains(&folder) {
                watcher.watch(folder, RecursiveMode::NonRecursive).map_err(unwatchable)?;
                folders.push(folder);
            }
        }
        let told = Shared::default();
        watch.thread = Some(told.clone());
        watch._watcher = Some(watcher);
        let guard = WatchThread { told, printer, unicode: self.out.unicode };
        std::thread::spawn(move || guard.wait(&events));
        Ok(watch)
    }

    /// The stamps of the watched files, taken before the files are read.
    pub(super) fn seen(&self) -> FileStamps {
        FileStamps(self.watch.as_ref().map(|watch| looked(&watch.files)).unwrap_or_default())
    }

    /// Sets the watched files after rules were loaded or found broken.
    pub(super) fn watch_again(
        &mut self,
        FileStamps(mut before): FileStamps,
        broken: Option<&Failure>,
    ) -> SessionResult<()> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        if let Some(failure) = broken {
            add_broken(&mut before, failure);
            watch.files = before;
            return Ok(());
        }
        let workspace = &self.workspace;
        let known = |path: PathBuf| before.iter().find(|seen| seen.path == path).cloned();
        let files: Vec<WatchedFile> = workspace
            .files()
            .into_iter()
            .map(|path| known(path.clone()).unwrap_or_else(|| WatchedFile::now(path)))
            .collect();
        let is_same = files.len() == watch.files.len() && files.iter().zip(&watch.files).all(|(a, b)| a.path == b.path);
        match is_same {
            true => watch.files = files,
            false => self.watch = Some(self.start_watch(files)?),
        }
        Ok(())
    }

    /// Gives the thread its state before a line is read.
    pub(super) fn tell_watch(&mut self) {
        let Some(watch) = &self.watch else { return };
        let Some(thread) = &watch.thread else { return };
        let told = WatchState {
            files: watch.files.clone(),
            workspace: self.workspace().snapshot(),
            settings: self.settings.clone(),
            question: self.question.clone(),
            stop: Arc::default(),
            is_asking: false,
            has_told: false,
            has_loaded: false,
        };
        locked(thread).replace(told);
    }

    /// Loads changed rules before a line is run.
    pub(super) fn look_for_changes(&mut self) {
        let Some(told) = self.watch.as_ref().map(FileWatcher::stop_thread) else { return };
        let is_asking = told.as_ref().is_some_and(|told| told.is_asking);
        if let Some(told) = told.filter(|told| told.has_told)
            && let Err(failure) = self.take_over_rules(told)
        {
            self.out.failure(&failure);
        }
        let Some(watch) = &mut self.watch else { return };
        let now = looked(&watch.files);
        let (written, gone) = changes(&watch.files, &now);
        if !gone.is_empty() {
            let left =
                |(old, new): (&WatchedFile, &WatchedFile)| if new.stamp.is_none() { new.clone() } else { old.clone() };
            watch.files = watch.files.iter().zip(&now).map(left).collect();
            self.out.print(&gone_text(&gone));
        }
        if written.is_empty() {
            return;
        }
        let options = self.workspace().load_options().clone();
        let done = match is_asking {
            true => self.take(options, true).map(|_| {
                let why = "the last question was not repeated, because you typed a line first";
                self.out.print(&format!("loaded {}; {why}\n", written.join(" ")));
                YES
            }),
            false => self.retake(options, |_| format!("loaded {}", written.join(" "))),
        };
        self.settle(done);
    }

    /// Takes over the rules that the thread has loaded.
    fn take_over_rules(&mut self, told: WatchState) -> SessionResult<()> {
        if told.has_loaded {
            self.workspace_mut().adopt(told.workspace)?;
            self.question = told.question;
            self.refresh();
        }
        let is_same = |watch: &FileWatcher| {
            watch.files.iter().map(|seen| &seen.path).eq(told.files.iter().map(|seen| &seen.path))
        };
        match &mut self.watch {
            Some(watch) if is_same(watch) => watch.files = told.files,
            Some(_) => self.watch = Some(self.start_watch(told.files)?),
            None => {}
        }
        Ok(())
    }
}

/// The stamps of files at some moment.
pub(super) struct FileStamps(Vec<WatchedFile>);

/// The names of the files and overlays.
pub(super) fn names(options: &LoadOptions) -> String {
    options.files.iter().chain(&options.overlays).map(String::as_str).collect::<Vec<_>>().join(" ")
}
