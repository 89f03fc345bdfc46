//! The threads that read and check files. Each thread works on one file after the other.
//!
//! A new job for a file replaces the older one, and stops it if it runs. A file is checked a moment after its
//! last change. Hints come after all diagnostics. Long files are also read on a thread of their own, which is not kept
//! waiting by a check.

use crate::lsp::check::CheckJob;
use crate::lsp::hint;
use crate::lsp::outcome::{CheckOutcome, Hints};
use crate::lsp::state::Settings;
use alphorn_text::report::Report;
use crossbeam_channel::Sender;
use lsp_types::Uri;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between the last change of a text and its check.
const QUIET: Duration = Duration::from_millis(15);

/// The time between a check and the hints.
const PAUSE: Duration = Duration::from_millis(400);

/// The stack of the thread. Nested rules need more than a thread has by default.
const STACK: usize = 16 << 20;

/// A result of the thread.
pub enum WorkerResult {
    /// A check ended.
    Checked(Uri, Box<CheckOutcome>),
    /// What reading a version of a long file has found.
    Read(Uri, i32, Report),
    /// The hints of a file are there.
    Hints(Uri, Box<Hints>),
    /// A check failed through a mistake of Alphorn.
    Failed(Uri),
}

/// What a thread does with a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Reads its text.
    Read,
    /// Checks it. Its hints follow.
    #[default]
    Check,
    /// Computes its hints.
    Hints,
}

struct Waiting {
    job: CheckJob,
    stage: Stage,
    due: Instant,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    /// The file that is being checked, with the flag that stops this.
    running: Option<(Uri, Arc<AtomicBool>)>,
    settings: Settings,
    ended: bool,
}

/// A thread that reads or checks files.
#[derive(Clone, Default)]
pub struct FileThread {
    queue: Arc<(Mutex<Queue>, Condvar)>,
    /// What the thread does first with a file.
    first: Stage,
}

impl FileThread {
    /// Starts a thread, which sends its results.
    pub fn start(first: Stage, results: Sender<WorkerResult>) -> std::io::Result<FileThread> {
        let worker = FileThread { first, ..FileThread::default() };
        let own = worker.clone();
        let name = if first == Stage::Read { "read" } else { "check" };
        thread::Builder::new().name(name.to_string()).stack_size(STACK).spawn(move || own.work(&results))?;
        Ok(worker)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads or checks a file soon. Older jobs for the file are dropped.
    pub fn submit(&self, job: CheckJob) {
        let mut queue = self.lock();
        queue.forget(&job.uri);
        queue.waiting.push_back(Waiting { job, stage: self.first, due: Instant::now() + QUIET });
        self.queue.1.notify_one();
    }

    /// Drops the jobs for a file that was closed.
    pub fn forget(&self, uri: &Uri) {
        self.lock().forget(uri);
    }

    /// Changes the settings of hints.
    pub fn configure(&self, settings: &Settings) {
        self.lock().settings = settings.clone();
    }

    /// Stops everything and ends the thread.
    pub fn end(&self) {
        let mut queue = self.lock();
        queue.ended = true;
        queue.waiting.clear();
        if let Some((_, stop)) = &queue.running {
            stop.store(true, Relaxed);
        }
        self.queue.1.notify_one();
    }

    fn work(&self, results: &Sender<WorkerResult>) {
        while let Some((job, stage, settings, stop)) = self.next() {
            let uri = job.uri.clone();
            let run = || match stage {
                Stage::Read => Some(WorkerResult::Read(uri.clone(), job.version, job.read())),
                Stage::Check => {
                    let outcome = job.run(&stop)?;
                    Some(WorkerResult::Checked(uri.clone(), Box::new(outcome)))
                }
                Stage::Hints => {
                    let hints = hint::compute(&job, &settings, &stop)?;
                    Some(WorkerResult::Hints(uri.clone(), Box::new(hints)))
                }
            };
            let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or(Some(WorkerResult::Failed(uri)));
            let mut queue = self.lock();
            queue.running = None;
            let stale = stop.load(Relaxed);
            if stage == Stage::Check && !stale && !queue.ended && settings.wants_hints() {
                queue.waiting.push_back(Waiting { job, stage: Stage::Hints, due: Instant::now() + PAUSE });
            }
            drop(queue);
            if let Some(result) = result.filter(|_| !stale)
                && results.send(result).is_err()
            {
                return;
            }
        }
    }

    /// Waits for the next job: checks before hints, the oldest first.
    fn next(&self) -> Option<(CheckJob, Stage, Settings, Arc<AtomicBool>)> {
        let mut queue = self.lock();
        loop {
            if queue.ended {
                return None;
            }
            let now = Instant::now();
            let ready = |stage| move |one: &Waiting| one.stage == stage && one.due <= now;
            let checks = queue.waiting.iter().any(|one| one.stage == self.first);
            let at = queue.waiting.iter().position(ready(self.first));
            let at = at.or_else(|| queue.waiting.iter().position(ready(Stage::Hints)).filter(|_| !checks));
            if let Some(Waiting { job, stage, .. }) = at.and_then(|at| queue.waiting.remove(at)) {
                let stop = Arc::new(AtomicBool::new(false));
                queue.running = Some((job.uri.clone(), stop.clone()));
                return Some((job, stage, queue.settings.clone(), stop));
            }
            let due = queue.waiting.iter().map(|one| one.due).min();
            queue = match due {
                Some(due) => {
                    let left = due.saturating_duration_since(now).max(Duration::from_millis(1));
                    self.queue.1.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.queue.1.wait(queue).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl Queue {
    fn forget(&mut self, uri: &Uri) {
        self.waiting.retain(|one| one.job.uri != *uri);
        if let Some((running, stop)) = &self.running
            && running == uri
        {
            stop.store(true, Relaxed);
        }
    }
}

impl Settings {
    /// Whether any hints are wanted.
    fn wants_hints(&self) -> bool {
        self.cost_hints || self.expectation_hints
    }
}
