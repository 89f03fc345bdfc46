//! Watching files: rules are loaded again as soon as they are saved.
//!
//! In: the files, and what was asked last. Out: what has changed in the answer, printed above the
//! line that is being typed. The thread that watches asks the question itself, of its own session,
//! and leaves it to the prompt to load the rules when it is used next.

use super::rules::changed;
use super::settings::Settings;
use super::{Asked, Repl, refusal};
use crate::cli::args::Color;
use crate::cli::output::Out;
use crate::cli::{Ended, YES};
use crate::session::recipe::Recipe;
use crate::session::{Done, Start};
use notify::{RecursiveMode, Watcher};
use rustyline::ExternalPrinter;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// An editor may write a file in several steps: it is read when nothing has come for so long.
const QUIET: Duration = Duration::from_millis(10);

/// See the module.
pub(super) struct Watch {
    files: Vec<(PathBuf, Option<Stamp>)>,
    /// What the thread asks again; it ends when this goes.
    told: Arc<Mutex<Told>>,
    _watcher: Option<notify::RecommendedWatcher>,
}

/// What tells a file from the one that was there before.
type Stamp = (SystemTime, u64);

/// What the prompt has told the thread, and what it has to tell.
#[derive(Default)]
struct Told {
    recipe: Recipe,
    position: Option<String>,
    settings: Settings,
    asked: Option<Asked>,
    /// The answer, as it was seen last.
    last: Option<Value>,
    /// Whether a person has seen what has changed.
    seen: bool,
}

fn stamp(path: &Path) -> Option<Stamp> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Whether a file is not what it was; asked again, it is.
fn has_changed(files: &mut [(PathBuf, Option<Stamp>)]) -> bool {
    let mut changed = false;
    for (path, before) in files {
        let now = stamp(path);
        // A file that is being replaced is gone for a moment.
        if now.is_some() && now != *before {
            *before = now;
            changed = true;
        }
    }
    changed
}

fn stamped(files: Vec<PathBuf>) -> Vec<(PathBuf, Option<Stamp>)> {
    files.into_iter().map(|path| (path.clone(), stamp(&path))).collect()
}

/// What a thread knows that waits for files to change.
struct Guard {
    files: Vec<(PathBuf, Option<Stamp>)>,
    told: Arc<Mutex<Told>>,
    printer: Box<dyn ExternalPrinter + Send>,
    unicode: bool,
}

impl Guard {
    /// Until nobody watches any more.
    fn wait(mut self, events: &Receiver<()>) {
        while events.recv().is_ok() {
            while events.recv_timeout(QUIET).is_ok() {}
            // The prompt has another one.
            if Arc::strong_count(&self.told) == 1 {
                return;
            }
            if has_changed(&mut self.files) {
                let text = self.look();
                let _ = self.printer.print(text);
            }
        }
    }

    /// Asks again what was asked last.
    fn look(&mut self) -> String {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = Out::new(false, Color::Never);
        out.silent = true;
        let arrow = if self.unicode { "→" } else { "->" };
        match Repl::again_elsewhere(&told, &mut out) {
            Ok(None) => "loaded\n".to_string(),
            Ok(Some(after)) => {
                let text = match &told.last {
                    Some(before) => changed(before, &after, arrow),
                    None => "loaded\n".to_string(),
                };
                (told.last, told.seen) = (Some(after), true);
                text
            }
            Err(failure) => out.drawn(&failure),
        }
    }
}

impl Repl<'_> {
    /// The answer that the rules give as they are now.
    fn again_elsewhere(told: &Told, out: &mut Out) -> Done<Option<Value>> {
        let Some(asked) = &told.asked else {
            told.recipe.open(crate::rules::Expected::Either, &Arc::default())?;
            return Ok(None);
        };
        let mut repl = Repl::unseen(told.recipe.clone(), told.settings.clone(), out)?;
        if let Some(position) = &told.position {
            repl.sitting_mut().begin(&Start { position: Some(position.clone()), ..Start::default() })?;
        }
        repl.again(asked).map(Some)
    }

    pub(super) fn watch(&mut self, rest: &str) -> Ended {
        match rest {
            "off" => {
                self.watch = None;
                self.tell("no longer watching\n");
            }
            "" | "on" => {
                let files = self.watched();
                if files.is_empty() {
                    return Err(refusal("there is no file to watch", "load one: :load FILE"));
                }
                self.watch = Some(self.guarded(files)?);
                let names = self.sitting().recipe().files.join(" ");
                self.tell(&format!("watching {names}\n"));
            }
            other => return Err(refusal(&format!("{other} is neither on nor off"), ":watch on, or :watch off")),
        }
        Ok(YES)
    }

    fn watched(&self) -> Vec<PathBuf> {
        let recipe = self.sitting().recipe();
        recipe.files.iter().chain(&recipe.overlays).filter(|name| *name != "-").map(PathBuf::from).collect()
    }

    /// A watch of files; at a terminal with a thread that tells at once.
    fn guarded(&mut self, files: Vec<PathBuf>) -> Result<Watch, crate::session::Failure> {
        let files = stamped(files);
        let told = Arc::new(Mutex::new(Told::default()));
        let mut watch = Watch { files: files.clone(), told: told.clone(), _watcher: None };
        let Some(printer) = self.lines.printer() else { return Ok(watch) };
        let (send, events) = channel();
        let hear = move |_| {
            // After the end nobody listens.
            let _ = send.send(());
        };
        let unwatchable = |error: notify::Error| {
            refusal(&format!("files cannot be watched here: {error}"), ":reload loads them again")
        };
        let mut watcher = notify::recommended_watcher(hear).map_err(unwatchable)?;
        let mut folders: Vec<PathBuf> = Vec::new();
        for (path, _) in &files {
            // An editor puts a new file in the place of the old one, so it is the folder that lasts.
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !folders.iter().any(|known| known == folder) {
                watcher.watch(folder, RecursiveMode::NonRecursive).map_err(unwatchable)?;
                folders.push(folder.to_path_buf());
            }
        }
        watch._watcher = Some(watcher);
        let guard = Guard { files, told, printer, unicode: self.out.unicode };
        std::thread::spawn(move || guard.wait(&events));
        Ok(watch)
    }

    /// After other files have been loaded.
    pub(super) fn watch_again(&mut self) -> Result<(), crate::session::Failure> {
        if self.watch.is_some() {
            let files = self.watched();
            self.watch = Some(self.guarded(files)?);
        }
        Ok(())
    }

    /// Before a line is read: tells the thread what to ask.
    pub(super) fn tell_watch(&mut self) {
        let Some(watch) = &self.watch else { return };
        let here = self.sitting().here().map(|here| self.sitting().session().term(here));
        let mut told = watch.told.lock().unwrap_or_else(PoisonError::into_inner);
        *told = Told {
            recipe: self.sitting().recipe().clone(),
            position: here,
            settings: self.settings.clone(),
            asked: self.asked.clone(),
            last: self.answer.clone(),
            seen: false,
        };
    }

    /// Before a line is carried out: loads what has changed meanwhile.
    pub(super) fn look_for_changes(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        if !has_changed(&mut watch.files) {
            return;
        }
        let mut told = watch.told.lock().unwrap_or_else(PoisonError::into_inner);
        let news = told.last.take().filter(|_| told.seen);
        drop(told);
        let recipe = self.sitting().recipe().clone();
        let done = match news {
            // What has changed was told already.
            Some(last) => {
                let silent = std::mem::replace(&mut self.out.silent, true);
                let done = self.sitting_mut().load(recipe, true);
                self.out.silent = silent;
                self.answer = Some(last);
                self.refresh();
                done.map(|()| YES)
            }
            None => self.retake(recipe),
        };
        self.settle(done);
    }
}
