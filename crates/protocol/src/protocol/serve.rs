//! Serves the protocol: one request per line, one reply per line, both as JSON.
//!
//! For each line such as `{"id": 1, "request": "value", "depth": 4}` it writes lines with the same id:
//! any number of events (`"event"`), then a reply (`"reply"`) or an error (`"error"`). Requests run in
//! the order of arrival. `{"request": "cancel", "cancel": ID}` at once stops a running request or
//! removes a waiting one. Terminals are unknown here.

use super::connection::{Connection, connect};
use super::host::{Host, refusal};
use alphorn_session::session::Failure;
use std::io::{BufRead, Read, Write};

/// The limit of a line, in bytes.
const LONGEST_LINE: u64 = 64 << 20;

/// Serves requests until the input ends and all requests are done. The first line is `failure`, the
/// reason why nothing is loaded, if there is one.
pub fn serve<W: Write + Send + 'static>(
    input: impl BufRead + Send + 'static,
    output: W,
    mut host: Host<'_>,
    failure: Option<&Failure>,
) {
    let (connection, worker) = connect(output, &host);
    if let Some(failure) = failure {
        connection.refuse(failure);
    }
    std::thread::spawn(move || read(input, &connection));
    worker.run(&mut host);
}

/// Reads lines, and gives them to the connection.
fn read<W: Write>(mut input: impl BufRead, connection: &Connection<W>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                connection.refuse(&refusal("a line is longer than 64 MiB", "send shorter lines"));
                match skipped(&mut input) {
                    true => continue,
                    false => return,
                }
            }
            Ok(_) => {}
        }
        if !line.iter().all(u8::is_ascii_whitespace) && !connection.receive(&line) {
            return;
        }
    }
}

/// Skips the rest of a line. Returns whether the line ends with a line break.
pub(super) fn skipped(input: &mut impl BufRead) -> bool {
    loop {
        let Ok(found) = input.fill_buf() else { return false };
        let (length, ends) = match found.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (found.len(), false),
        };
        input.consume(length);
        if ends || length == 0 {
            return ends;
        }
    }
}
