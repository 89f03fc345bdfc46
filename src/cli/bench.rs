//! `bench`: measures the speed of searches, with a signature that changes if the searches change.

use crate::cli::output::Out;
use crate::cli::table::table;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::bench::{self, Measured, Reply};
use alphorn_protocol::protocol::host::Host;
use alphorn_text::report::grouped;
use clap::Args;

/// `alphorn bench`
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The rules of a game to measure (default: the games that come with Alphorn); - for standard input
    pub file: Option<String>,
    #[command(flatten)]
    /// What to measure
    pub request: bench::Request,
}

pub(super) fn bench(args: &BenchArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let request = bench::Request { loaded: args.file.is_some(), ..args.request.clone() };
    let watch = EventPrinter::new(out, false);
    let found = bench::answer(&request, host, &|event| watch.print_event(event))?;
    out.reply(&found, || if found.stopped { String::new() } else { speed_text(&found) });
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn speed_text(found: &Reply) -> String {
    let row = |game: &Measured| {
        let speed = grouped(game.nodes_per_second);
        vec![game.game.clone(), game.depth.to_string(), grouped(game.nodes), format!("{:.2}", game.seconds), speed]
    };
    let heads = ["game", "depth", "nodes", "seconds", "nodes/s"];
    format!(
        "{}\nsignature  {}\nspeed      {} nodes a second\n",
        table(&heads, found.games.iter().map(row).collect()),
        found.signature,
        grouped(found.nodes_per_second)
    )
}
