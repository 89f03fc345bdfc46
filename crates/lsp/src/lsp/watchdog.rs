//! Notices that the process of the client is gone, so that the server ends too.

use crossbeam_channel::{Receiver, never};
use std::time::Duration;

/// The time between two looks.
const PERIOD: Duration = Duration::from_secs(2);

/// A channel that closes once the process with this number has ended.
#[cfg(unix)]
pub fn watch(process: u32) -> Receiver<()> {
    let Some(process) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) else { return never() };
    let (alive, gone) = crossbeam_channel::bounded::<()>(0);
    let look = move || {
        while rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH) {
            std::thread::sleep(PERIOD);
        }
        drop(alive);
    };
    // Without the thread, only the closed input ends the server.
    let started = std::thread::Builder::new().name("watchdog".to_string()).spawn(look);
    if started.is_ok() { gone } else { never() }
}

/// On this system only the closed input ends the server.
#[cfg(not(unix))]
pub fn watch(_process: u32) -> Receiver<()> {
    let _ = PERIOD;
    never()
}
