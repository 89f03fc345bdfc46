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

/// `alphorn lsp`
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Use standard input and output, which is always so; many editors pass this option
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
    // The threads of the connection may wait for a client that is gone, so nobody waits for them. All answers
    // are written before a client that waits for them asks for the end.
    let (connection, _threads) = Connection::stdio();
    match serve(connection, folder, stop) {
        Ok(()) => Ok(YES),
        Err(ServeError::Closed | ServeError::NoShutdown) => Ok(FAILED),
        Err(ServeError::NoThread) => Err(refusal("the system gives no thread", "end other programs and try again")),
    }
}
