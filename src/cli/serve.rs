//! `serve`: the page in a browser.
//!
//! The server itself is in the crate `studio`. This file reads the options, and prints the address of the page.

use crate::cli::output::Out;
use crate::cli::{CommandResult, YES};
use alphorn_protocol::protocol::words;
use alphorn_session::session::options::source;
use alphorn_session::session::{Failure, SessionResult};
use alphorn_studio::studio::{ServeOptions, serve};
use alphorn_text::code::Code;
use alphorn_text::interrupt;
use alphorn_text::report::Problem;
use clap::Args;
use serde::Serialize;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// `alphorn serve`
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// The rules to open in the page; the page can save this file
    pub file: Option<String>,
    /// Change a parameter of the game: NAME=VALUE
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = words::param)]
    pub params: Vec<(String, String)>,
    /// Load an overlay: its predicates replace those of the game; may be given several times
    #[arg(long = "with", value_name = "OVERLAY")]
    pub overlays: Vec<String>,
    /// Look up positions in this file, which alphorn solve --save wrote
    #[arg(long, value_name = "FILE")]
    pub table: Option<String>,
    /// Listen on this port (default: a free one)
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Listen on this address, for other computers (default: this computer only)
    #[arg(long, value_name = "ADDRESS")]
    pub host: Option<IpAddr>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Serve the page from this folder
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub assets: Option<PathBuf>,
}

/// The address of the page, as `--json` prints it.
#[derive(Serialize)]
struct Serving<'a> {
    url: &'a str,
}

/// Errs if there is no such file, before the page opens.
fn is_readable(path: &str) -> SessionResult<()> {
    alphorn_text::source::open(path).map(drop).map_err(|error| {
        let problem = Problem::placeless(Code::InvalidArgument, alphorn_text::source::unreadable(path, &error));
        Failure::Problem(Box::new(problem), Arc::default())
    })
}

pub(super) fn run(args: &ServeArgs, out: &mut Out, stop: &AtomicBool) -> CommandResult {
    // A missing overlay is reported before the page opens.
    args.overlays.iter().try_for_each(|overlay| source(overlay).map(drop))?;
    args.table.as_deref().map_or(Ok(()), is_readable)?;
    let host = args.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    if !host.is_loopback() {
        out.tell(
            "warning: other computers can reach this server. Whoever has the address with its token can run rules \
             and write the opened file; the connection is not encrypted.\n",
        );
    }
    let options = ServeOptions {
        file: args.file.clone(),
        overlays: args.overlays.clone(),
        table: args.table.clone(),
        params: args.params.clone(),
        host,
        port: args.port,
        assets: args.assets.clone(),
    };
    serve(options, stop, |url| {
        // The server stops by itself.
        interrupt::forbid_exit();
        out.reply(&Serving { url }, || format!("{url}\n"));
        if args.open
            && let Err(error) = open::that_detached(url)
        {
            out.tell(&format!("cannot open a browser: {error}\nopen the address above in a browser\n"));
        }
    })?;
    // Ctrl-C is the way to end it.
    stop.store(false, Relaxed);
    Ok(YES)
}
