//! Runs work without the interpreter lock, so that Ctrl-C, `fork` and the end of the interpreter are safe.
//!
//! Short questions run on the calling thread. Long work runs on a worker thread, while the calling thread
//! waits for its messages and looks for signals. A solver belongs to one thread, so each thread keeps the
//! solvers that it made. This module does not know what the work is.

use crate::errors::{raised, refused};
use crate::loaded::GameCore;
use alphorn_protocol::protocol::host::refusal;
use alphorn_rules::rules::game::RuleGame;
use alphorn_session::session::workspace::Workspace;
use alphorn_session::session::{Failure, SessionResult};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The time between two looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// The time after which a worker thread without work ends.
const IDLE: Duration = Duration::from_secs(10);

/// The stack of a worker thread, in bytes: as large as that of a program's first thread.
const STACK: usize = 8 << 20;

/// The number of calls that run without the interpreter lock.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// The number of calls that have not returned. A thread that waits for the interpreter lock inside a call must not
/// be ended there.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Whether this process was forked while another thread was at work here. Locks may then be held for ever.
static FORKED: AtomicBool = AtomicBool::new(false);

/// The thread in which the interpreter is about to end.
static ENDING: OnceLock<ThreadId> = OnceLock::new();

/// The stop flags of running work.
static RUNNING: Mutex<Vec<Weak<AtomicBool>>> = Mutex::new(Vec::new());

/// The worker threads without work, each with its number.
static WORKERS: Mutex<Vec<(usize, Sender<Job>)>> = Mutex::new(Vec::new());

/// The number of events that wait for their reader, before the work waits too.
const WAITING: usize = 1 << 10;

/// Work for a worker thread. It returns the sending of its result, which is the last that the worker does.
type Job = Box<dyn FnOnce() -> Box<dyn FnOnce()> + Send>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a call that runs without the interpreter lock.
struct Active;

impl Active {
    fn begin() -> Active {
        ACTIVE.fetch_add(1, SeqCst);
        Active
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        ACTIVE.fetch_sub(1, SeqCst);
    }
}

/// Counts a call until it returns.
struct Call;

impl Call {
    fn begin() -> Call {
        CALLS.fetch_add(1, SeqCst);
        Call
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, SeqCst);
    }
}

/// Errs if work cannot run safely in this process any more.
fn check(py: Python<'_>) -> PyResult<()> {
    if FORKED.load(Relaxed) {
        let message = "this process was forked while another thread was using Alphorn";
        return Err(refused(py, message, "start processes with the method \"spawn\" or \"forkserver\""));
    }
    Ok(())
}

/// Begins a call. While the interpreter ends in another thread, this thread waits until the process ends with it: the
/// interpreter would end it at its next use of the interpreter, inside the call.
fn enter(py: Python<'_>) -> PyResult<Call> {
    let call = Call::begin();
    match ENDING.get() {
        Some(ending) if *ending == thread::current().id() => {
            Err(refused(py, "the interpreter is ending", "wait for the threads that use Alphorn"))
        }
        Some(_) => {
            drop(call);
            py.detach(|| {
                loop {
                    thread::park();
                }
            })
        }
        None => check(py).map(|()| call),
    }
}

/// Called in the child after `os.fork`: forgets the worker threads, which only the parent has.
#[pyfunction]
pub fn after_fork() {
    CALLS.store(0, SeqCst);
    if ACTIVE.swap(0, SeqCst) > 0 {
        FORKED.store(true, SeqCst);
        return;
    }
    // A lock that a thread of the parent holds is never released here.
    match (WORKERS.try_lock(), RUNNING.try_lock()) {
        (Ok(mut workers), Ok(mut running)) => {
            workers.clear();
            running.clear();
        }
        _ => FORKED.store(true, SeqCst),
    }
}

/// Called before the interpreter ends: stops all work and waits until all calls have returned.
#[pyfunction]
pub fn at_exit(py: Python<'_>) {
    ENDING.get_or_init(|| thread::current().id());
    if FORKED.load(Relaxed) {
        return;
    }
    py.detach(|| {
        let begun = Instant::now();
        while ACTIVE.load(SeqCst) + CALLS.load(SeqCst) > 0 && begun.elapsed() < Duration::from_secs(5) {
            for stop in locked(&RUNNING).iter().filter_map(Weak::upgrade) {
                stop.store(true, Relaxed);
            }
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// A solver of this thread for one game.
pub struct Local {
    core: Weak<GameCore>,
    /// The game, which one thread at a time uses.
    pub game: RuleGame,
    /// Stops the questions of this thread to the game.
    pub stop: Arc<AtomicBool>,
    /// The workspace for requests; made at the first request.
    workspace: RefCell<Option<Rc<Workspace>>>,
}

thread_local! {
    static LOCAL: RefCell<Vec<Rc<Local>>> = const { RefCell::new(Vec::new()) };
}

/// The solver of this thread for a game.
///
/// # Errors
///
/// The rules fail at once.
pub fn local(core: &Arc<GameCore>) -> SessionResult<Rc<Local>> {
    let is_this = |local: &&Rc<Local>| std::ptr::eq(local.core.as_ptr(), Arc::as_ptr(core));
    let known = LOCAL.with_borrow(|all| all.iter().find(is_this).cloned());
    if let Some(known) = known {
        return Ok(known);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let game = core.game(&stop)?;
    let made = Rc::new(Local { core: Arc::downgrade(core), game, stop, workspace: RefCell::default() });
    LOCAL.with_borrow_mut(|all| {
        all.retain(|local| local.core.strong_count() > 0);
        all.push(made.clone());
    });
    Ok(made)
}

impl Local {
    /// The workspace of this thread, for requests.
    pub fn workspace(&self, core: &GameCore) -> SessionResult<Rc<Workspace>> {
        if let Some(workspace) = &*self.workspace.borrow() {
            return Ok(workspace.clone());
        }
        let made = Rc::new(Workspace::resume(core.snapshot.clone(), &self.stop)?);
        self.workspace.replace(Some(made.clone()));
        Ok(made)
    }
}

/// Asks the rules a short question on this thread, without the interpreter lock. If no budget bounds the
/// question, a worker thread asks it, so that Ctrl-C can end it.
pub fn ask<T: Send + 'static>(
    py: Python<'_>,
    core: &Arc<GameCore>,
    question: impl FnOnce(&Local) -> SessionResult<T> + Send + 'static,
) -> PyResult<T> {
    let _call = enter(py)?;
    if core.is_unbounded {
        let core = core.clone();
        return run(py, move |stop, _: &dyn Fn(())| with_solver(&core, stop, question), |()| Ok(()));
    }
    let asked = py.detach(|| {
        let _active = Active::begin();
        local(core).and_then(|local| question(&local))
    });
    asked.map_err(|failure| raised(py, &failure))
}

/// Asks a question on this worker thread. If no budget bounds the question, `stop` ends it.
pub fn with_solver<T>(
    core: &Arc<GameCore>,
    stop: &Arc<AtomicBool>,
    question: impl FnOnce(&Local) -> SessionResult<T>,
) -> SessionResult<T> {
    if !core.is_unbounded {
        return question(&*local(core)?);
    }
    let game = core.game(stop)?;
    question(&Local { core: Arc::downgrade(core), game, stop: stop.clone(), workspace: RefCell::default() })
}

/// Gives a job to a worker thread without work, or to a new one.
fn submit(mut job: Job) -> std::io::Result<()> {
    loop {
        let Some((_, worker)) = locked(&WORKERS).pop() else { break };
        match worker.send(job) {
            Ok(()) => return Ok(()),
            Err(returned) => job = returned.0,
        }
    }
    thread::Builder::new().name("alphorn".to_string()).stack_size(STACK).spawn(move || work(job)).map(drop)
}

/// Does jobs until none has come for a while.
fn work(first: Job) {
    static NUMBERS: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBERS.fetch_add(1, Relaxed);
    let mut job = first;
    loop {
        let last = job();
        LOCAL.with_borrow_mut(|all| all.retain(|local| local.core.strong_count() > 0));
        let (send, jobs) = channel();
        locked(&WORKERS).push((number, send));
        // Who gets the result may fork the process, so this thread holds no lock from here on.
        last();
        job = match jobs.recv_timeout(IDLE) {
            Ok(next) => next,
            Err(_) => {
                let waits = {
                    let mut workers = locked(&WORKERS);
                    let before = workers.len();
                    workers.retain(|(other, _)| *other != number);
                    workers.len() < before
                };
                // If somebody has taken the sender, a job is on its way.
                match (waits, jobs.recv()) {
                    (false, Ok(next)) => next,
                    _ => return,
                }
            }
        };
    }
}

/// A message of a worker thread.
enum Message<E, T> {
    Event(E),
    Done(Result<SessionResult<T>, ()>),
}

/// Work on a worker thread.
pub struct Task<E, T> {
    messages: Mutex<Receiver<Message<E, T>>>,
    /// Whether a thread has received the result.
    taken: AtomicBool,
    pending: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

/// What a wait for a task gives.
pub enum Progress<E, T> {
    /// The work reports an event.
    Event(E),
    /// The work is done.
    Done(T),
    /// Another thread has received the result.
    Taken,
}

/// The way to the reader of a task's messages.
struct Sending<E, T> {
    messages: Sender<Message<E, T>>,
    /// The number of events that wait for the reader.
    pending: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl<E, T> Sending<E, T> {
    /// Sends an event, and waits while too many events wait. Sets `stop` if nobody reads them any more.
    fn tell(&self, event: E) {
        while self.pending.load(Relaxed) >= WAITING && !self.stop.load(Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        self.pending.fetch_add(1, Relaxed);
        if self.messages.send(Message::Event(event)).is_err() {
            self.stop.store(true, Relaxed);
        }
    }
}

impl<E: Send + 'static, T: Send + 'static> Task<E, T> {
    /// Begins work on a worker thread. The work gets its stop flag, and a function that receives events.
    ///
    /// # Errors
    ///
    /// The process cannot do work any more, or has no thread left.
    pub fn begin(
        py: Python<'_>,
        work: impl FnOnce(&Arc<AtomicBool>, &dyn Fn(E)) -> SessionResult<T> + Send + 'static,
    ) -> PyResult<Task<E, T>> {
        let _call = enter(py)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (send, messages) = channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let sending = Sending { messages: send, pending: pending.clone(), stop: stop.clone() };
        let active = Active::begin();
        let job: Job = Box::new(move || {
            let listen = |event| sending.tell(event);
            let done = catch_unwind(AssertUnwindSafe(|| work(&sending.stop, &listen))).map_err(|_| ());
            Box::new(move || {
                drop(active);
                let _nobody_waits = sending.messages.send(Message::Done(done));
            })
        });
        {
            let mut running = locked(&RUNNING);
            running.retain(|stop| stop.strong_count() > 0);
            running.push(Arc::downgrade(&stop));
        }
        submit(job).map_err(|error| refused(py, format!("cannot start a thread: {error}"), "end other threads"))?;
        Ok(Task { messages: Mutex::new(messages), taken: AtomicBool::new(false), pending, stop })
    }

    /// Waits for the next message for a short time, without the interpreter lock.
    fn wait(&self, py: Python<'_>) -> Option<Result<Progress<E, T>, Failure>> {
        let got = py.detach(|| {
            let _active = Active::begin();
            let messages = locked(&self.messages);
            let got = messages.recv_timeout(LOOK);
            if matches!(got, Ok(Message::Done(_))) {
                self.taken.store(true, Relaxed);
            }
            got
        });
        let broken = || refusal("internal error", "please report the call; the trace on stderr helps");
        match got {
            Ok(Message::Event(event)) => {
                self.pending.fetch_sub(1, Relaxed);
                Some(Ok(Progress::Event(event)))
            }
            Ok(Message::Done(Ok(done))) => Some(done.map(Progress::Done)),
            Err(RecvTimeoutError::Disconnected) if self.taken.load(Relaxed) => Some(Ok(Progress::Taken)),
            Ok(Message::Done(Err(()))) | Err(RecvTimeoutError::Disconnected) => Some(Err(broken())),
            Err(RecvTimeoutError::Timeout) => None,
        }
    }

    /// Waits for the next event or for the result. A signal stops the work.
    ///
    /// # Errors
    ///
    /// The work failed, or a signal handler raised an exception.
    pub fn next(&self, py: Python<'_>) -> PyResult<Progress<E, T>> {
        let _call = enter(py)?;
        let interrupted = loop {
            check(py)?;
            if let Some(progress) = self.wait(py) {
                return progress.map_err(|failure| raised(py, &failure));
            }
            if let Err(error) = py.check_signals() {
                break error;
            }
        };
        self.end(py);
        Err(interrupted)
    }

    /// Asks the work to stop.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Stops the work and waits for its end. A signal whose handler raises an exception ends the wait: the work
    /// then ends by itself.
    pub fn end(&self, py: Python<'_>) {
        self.stop();
        while !FORKED.load(Relaxed) {
            match self.wait(py) {
                None if py.check_signals().is_err() => return,
                None | Some(Ok(Progress::Event(_))) => {}
                Some(Ok(Progress::Done(_) | Progress::Taken) | Err(_)) => return,
            }
        }
    }
}

impl<E, T> Drop for Task<E, T> {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

/// Does work on a worker thread, and waits for its result. `hear` receives the events; its exception, or
/// that of a signal handler, stops the work.
///
/// # Errors
///
/// The work failed, or was stopped by an exception.
pub fn run<E: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>, &dyn Fn(E)) -> SessionResult<T> + Send + 'static,
    mut hear: impl FnMut(E) -> PyResult<()>,
) -> PyResult<T> {
    let task = Task::begin(py, work)?;
    loop {
        match task.next(py)? {
            Progress::Done(done) => return Ok(done),
            Progress::Taken => unreachable!("no other thread has this task"),
            Progress::Event(event) => {
                if let Err(error) = hear(event) {
                    task.end(py);
                    return Err(error);
                }
            }
        }
    }
}
