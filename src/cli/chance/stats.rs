//! `stats`: prints statistics of random play that help to design a game.

use super::plot;
use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::table::percent;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::data::Number;
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::survey::{self, Length, Reply};
use alphorn_session::session::writing::FileFormat;
use alphorn_text::report::grouped;
use clap::Args;
use std::path::PathBuf;

/// `alphorn stats`
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// Which games to play
    pub request: survey::Request,
    /// Plot lengths and branching to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

pub(in crate::cli) fn stats(args: &StatsArgs, host: &mut Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| {
        host.writes = args.svg.clone().map(|path| (path, FileFormat::Picture));
        survey::answer(&args.request, host, listen)
    })?;
    out.reply(&found, || stats_text(&found));
    if let Some(path) = &args.svg {
        out.write(path, &plot::svg(&args.file, &found), FileFormat::Picture)?;
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn stats_text(found: &Reply) -> String {
    let games = found.games;
    if games == 0 {
        return "stopped before the first game was finished\n".to_string();
    }
    let share = |share: Option<Number>| percent(share.map(|share| share.0));
    let with_error = |part, error| format!("{} (standard error {})", share(part), share(error));
    let Length { mean, standard_deviation, median, quantile_95, longest } = found.length;
    let mut rows = vec![
        ("games", format!("{}, {} a second", grouped(games), grouped((games as f64 / found.seconds) as u64))),
        (
            "length",
            format!(
                "{:.1} moves on average, standard deviation {:.1}; median {median}, \
                 95 % up to {quantile_95}, longest {longest}",
                mean.0, standard_deviation.0
            ),
        ),
        (
            "branching",
            format!("{:.2} moves on average, at most {}", found.branching.0, grouped(found.most_moves as u64)),
        ),
        ("first player", with_error(found.first_player, found.standard_error)),
        ("second player", with_error(found.second_player, found.second_standard_error)),
        ("drawn", share(found.drawn)),
        ("MAX", share(found.max)),
        (
            "decisive",
            format!(
                "the player to move can win at once in {} of the positions, and does so in {} of them",
                share(found.decisive),
                share(found.decided)
            ),
        ),
        (
            "positions",
            format!(
                "{}{} different positions",
                if found.positions_limited { "at least " } else { "" },
                grouped(found.positions as u64)
            ),
        ),
    ];
    if found.throws.0 > 0.0 {
        rows.push(("chance", format!("{:.1} throws a game", found.throws.0)));
    }
    if found.unfinished.is_some_and(|unfinished| unfinished.0 > 0.0) {
        rows.push(("unfinished", share(found.unfinished)));
    }
    rows.into_iter().map(|(name, text)| format!("{name:<14} {text}\n")).collect()
}
