//! `lsp`: a language server on standard input and output.
//!
//! The server itself is in the crate `lsp`. This file connects it with standard input and output.

use crate::cli::output::Out;
use crate::cli::{CommandResult, FAILED, YES};
use alphorn_lsp::lsp::server::{ServeError, serve};
use alphorn_protocol::protocol::host::refusal;
use clap::Args;
use etcetera::{BaseStrategy, choose_base_strategy};
use lsp_server::Connection;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The time in which a client must have read the last message.
const LAST_WRITE: Duration = Duration::from_secs(1);

/// `alphorn lsp`
#[derive(Args, Debug)]
pub struct LspArgs {
    /// No effect: the server always uses standard input and output; many editors pass this option
    #[arg(long)]
    pub stdio: bool,
}

pub(super) fn serve_editor(out: &Out, stop: &AtomicBool) -> CommandResult {
    if out.json {
        return Err(refusal(
            "lsp does not support --json: its messages are those of the Language Server Protocol",
            "for JSON use the requests of alphorn repl --json",
        ));
    }
    let version = concat!("alphorn-", env!("CARGO_PKG_VERSION"));
    let folder = choose_base_strategy().ok().map(|known| known.cache_dir().join(version));
    let (connection, threads) = Connection::stdio();
    let ended = serve(connection, folder, stop);
    // The last message is written to its end. The threads may also wait for a client that is gone, so nobody waits
    // for them longer than this.
    let (written, all_written) = mpsc::channel::<()>();
    let wait = move || drop((threads.join(), written));
    if thread::Builder::new().spawn(wait).is_ok() {
        let _ = all_written.recv_timeout(LAST_WRITE);
    }
    match ended {
        Ok(()) => Ok(YES),
        Err(ServeError::Closed | ServeError::NoShutdown) => Ok(FAILED),
        Err(ServeError::NoThread) => Err(refusal("the system gives no thread", "end other programs and try again")),
    }
}
