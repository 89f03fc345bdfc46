//! The program of an external engine: its process, the processes that it starts, and what it writes to standard error.
//!
//! It takes a command and gives a running program. It knows no protocol. When it is dropped, the program and all
//! processes of its group end.

use super::engine_option::shown;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time that a program has to end after it closed its output, and its last lines to arrive.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The time between two looks at a program.
const TICK: Duration = Duration::from_millis(5);

/// The lines of standard error that are kept, and the bytes of each line that are read at once.
const KEPT_LINES: usize = 20;
const LONGEST_LINE: u64 = 1 << 12;

/// A running program.
pub(super) struct EngineProgram {
    process: Child,
    errors: ErrorLines,
    /// How the program ended, after its group is killed.
    ended: Option<ExitStatus>,
}

/// The last lines that a program wrote to standard error.
struct ErrorLines {
    kept: Arc<Mutex<VecDeque<String>>>,
    reader: JoinHandle<()>,
}

impl Drop for EngineProgram {
    fn drop(&mut self) {
        if self.ended.is_none() {
            kill_group(&mut self.process);
            let _ = self.process.wait();
        }
    }
}

impl EngineProgram {
    /// Starts a program, in a group of its own.
    ///
    /// # Errors
    ///
    /// A sentence that says why the program does not start.
    pub(super) fn start(words: &[String]) -> Result<(EngineProgram, ChildStdin, ChildStdout), String> {
        let name = words.first().map(String::as_str).unwrap_or_default();
        let mut command = Command::new(name);
        command.args(words.get(1..).unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at a terminal is for the match, not for its engines: they would end as if they lost.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let failed = |error| format!("the engine {} does not start: {error}", shown(name));
        let mut process = command.spawn().map_err(failed)?;
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err("the engine has no input or output".to_string());
        };
        Ok((EngineProgram { process, errors: ErrorLines::read(errors), ended: None }, input, output))
    }

    /// How the program ended; `None` if it runs. When it has ended, the other processes of its group end too.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() && has_ended(&mut self.process) {
            // The number of the group belongs to this program until `wait`.
            kill_group(&mut self.process);
            self.ended = self.process.wait().ok();
        }
        self.ended
    }

    /// How the program ended, if it ends within this time.
    pub(super) fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        while self.ended().is_none() && begun.elapsed() < time {
            thread::sleep(TICK);
        }
        self.ended
    }

    /// A sentence for a program that has closed its input or output: whether and how it ended, and its last error.
    /// `before` says what it did not do, such as ` before it answered`.
    pub(super) fn end_text(&mut self, before: &str) -> String {
        let end = match self.ended_within(LAST_WORDS) {
            Some(status) => format!("the engine ended{before} with {status}"),
            None => format!("the engine closed its input or output{before}"),
        };
        format!("{end}{}", self.error_text())
    }

    /// The last error of the program, as the end of a sentence; empty if it wrote none.
    pub(super) fn error_text(&mut self) -> String {
        let begun = Instant::now();
        // The lines of a program that runs may have no end.
        while self.ended.is_some() && !self.errors.reader.is_finished() && begun.elapsed() < LAST_WORDS {
            thread::sleep(TICK);
        }
        self.errors.last().map(|line| format!("; its error: {}", shown(&line))).unwrap_or_default()
    }
}

impl ErrorLines {
    /// Starts a thread that reads all lines, because a program that cannot write would wait.
    fn read(errors: ChildStderr) -> ErrorLines {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let lines = kept.clone();
        let reader = thread::spawn(move || {
            let mut errors = BufReader::new(errors);
            let mut line = Vec::new();
            while let Ok(1..) = errors.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                let text = String::from_utf8_lossy(&line).trim().to_string();
                line.clear();
                if !text.is_empty() {
                    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                    lines.push_back(text);
                    let more = lines.len().saturating_sub(KEPT_LINES);
                    lines.drain(..more);
                }
            }
        });
        ErrorLines { kept, reader }
    }

    /// The last line, without the sign that some programs draw before an error. Advice after the error is skipped.
    fn last(&self) -> Option<String> {
        let lines = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let advice = |line: &&String| ["note:", "help:", "hint:"].iter().any(|word| line.starts_with(word));
        let line = lines.iter().rev().find(|line| !advice(line)).or(lines.back())?;
        let plain = ["× ", "x "].iter().find_map(|sign| line.strip_prefix(sign));
        Some(plain.unwrap_or(line).to_string())
    }
}

/// Whether a process has ended. Its number and the number of its group stay its own until `wait`.
#[cfg(unix)]
fn has_ended(process: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    number(process).is_none_or(|number| !matches!(waitid(WaitId::Pid(number), look), Ok(None)))
}

#[cfg(not(unix))]
fn has_ended(process: &mut Child) -> bool {
    !matches!(process.try_wait(), Ok(None))
}

/// Kills a process that `wait` has not been called for, and all processes of its group.
#[cfg(unix)]
fn kill_group(process: &mut Child) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(number) = number(process) {
        let _ = kill_process_group(number, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(process: &mut Child) {
    let _ = process.kill();
}

#[cfg(unix)]
fn number(process: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(process.id()).ok().and_then(rustix::process::Pid::from_raw)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn started(script: &str) -> (EngineProgram, ChildStdin, ChildStdout) {
        EngineProgram::start(&["sh", "-c", script].map(str::to_string)).expect("sh starts")
    }

    /// Once only the script ended, and what it had started went on and held its output open.
    #[test]
    fn what_a_script_starts_ends_with_it() {
        for script in ["sleep 60 & echo begun; wait", "sleep 60 & echo begun"] {
            let begun = Instant::now();
            let (program, _input, output) = started(script);
            let mut output = BufReader::new(output);
            let mut line = String::new();
            output.read_line(&mut line).expect("the script writes");
            drop(program);
            output.read_to_string(&mut line).expect("the output ends");
            assert_eq!(line, "begun\n");
            assert!(begun.elapsed() < Duration::from_secs(30), "{script}");
        }
    }

    #[test]
    fn the_last_error_is_kept() {
        for (script, said) in [
            ("echo one >&2; echo >&2; echo 'Error: two' >&2; exit 2", "; its error: Error: two"),
            ("printf '\\n  × no file\\n  help: make one\\n' >&2; exit 2", "; its error: no file"),
            ("echo 'note: only advice' >&2; exit 2", "; its error: note: only advice"),
            ("exit 2", ""),
        ] {
            let (mut program, _input, _output) = started(script);
            let told = program.end_text(" before it answered");
            assert_eq!(told, format!("the engine ended before it answered with exit status: 2{said}"), "{script}");
        }
    }

    #[test]
    fn errors_without_end_take_bounded_memory_and_block_nothing() {
        let (mut program, _input, _output) = started("yes $(printf '%01000d' 0) | head -c 3000000 >&2; exit 1");
        assert!(program.ended_within(Duration::from_secs(20)).is_some());
        let told = program.error_text();
        assert!(told.len() < 200, "{told}");
        assert!(program.errors.kept.lock().expect("no thread panicked").len() <= KEPT_LINES);
    }
}
