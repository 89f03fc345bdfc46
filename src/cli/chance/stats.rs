//! `stats`: what a designer of games asks of one, by random play.

use super::args::StatsArgs;
use super::plot;
use crate::cli::output::{Out, number};
use crate::cli::play::{load, start};
use crate::cli::progress::Progress;
use crate::cli::table::{percent, rounded};
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_protocol::protocol::clock::Clock;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::sample::survey::{MOST, Survey};
use alphorn_session::session::writing::Form;
use alphorn_text::report::grouped;
use serde_json::{Value, json};

pub(in crate::cli) fn stats(args: &StatsArgs, out: &mut Out, clock: &Clock) -> Ended {
    let stop = clock.flag();
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.at.start))?;
    if let Some(path) = &args.svg {
        out.may_write(path, Some(Form::Picture), Some(&session))?;
    }
    clock.begin();
    let progress = Progress::new(out);
    let hear = |nodes| progress.at(nodes);
    let limits = Limits { stop: Some(stop), progress: Some(&hear), ..Limits::default() };
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.threads.map_or_else(cores, usize::from);
    let found = session.survey(&game, &state, (args.games, args.seed, threads), &limits);
    progress.done();
    let found = found?;
    let seconds = progress.seconds();
    out.answer(json_of(&found, args, seconds), || text_of(&found, seconds));
    if let Some(path) = &args.svg {
        let drawn = plot::svg(&args.at.file, &found);
        out.write(path, &drawn, Form::Picture, Some(&session))?;
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The error of a share of so many games.
fn error(part: u64, games: u64) -> Option<f64> {
    let share = share(part, games)?;
    Some((share * (1.0 - share) / games as f64).sqrt())
}

fn text_of(found: &Survey, seconds: f64) -> String {
    let games = found.games;
    if games == 0 {
        return "stopped before a game was played\n".to_string();
    }
    let (mean, deviation) = found.length();
    let with_error =
        |part: u64| format!("{} (standard error {})", percent(share(part, games)), percent(error(part, games)));
    let mut rows = vec![
        ("games", format!("{}, {} a second", grouped(games), grouped((games as f64 / seconds) as u64))),
        (
            "length",
            format!(
                "{mean:.1} moves on average, standard deviation {deviation:.1}; median {}, 95 % up to {}, longest {}",
                found.quantile(0.5),
                found.quantile(0.95),
                found.quantile(1.0)
            ),
        ),
        (
            "branching",
            format!("{:.2} moves on average, at most {}", found.branching(), grouped(found.most_moves as u64)),
        ),
        ("first player", with_error(found.first_wins)),
        ("second player", with_error(found.second_wins)),
        ("drawn", percent(share(found.draws, games))),
        ("MAX", percent(share(found.max_wins, games))),
        (
            "decisive",
            format!(
                "in {} of positions the mover can win at once, and does so in {} of them",
                percent(share(found.decisive, found.positions())),
                percent(share(found.decided, found.decisive))
            ),
        ),
        (
            "positions",
            format!(
                "{}{} different ones met",
                if found.met.len() == MOST { "at least " } else { "" },
                grouped(found.met.len() as u64)
            ),
        ),
    ];
    if found.throws > 0 {
        rows.push(("chance", format!("{:.1} throws a game", found.throws as f64 / games as f64)));
    }
    if found.unfinished > 0 {
        rows.push(("unfinished", percent(share(found.unfinished, games))));
    }
    rows.into_iter().map(|(name, text)| format!("{name:<14} {text}\n")).collect()
}

fn json_of(found: &Survey, args: &StatsArgs, seconds: f64) -> Value {
    let games = found.games;
    let (mean, deviation) = found.length();
    let part = |part: u64| share(part, games).map(rounded);
    let lengths: Vec<Value> = found.lengths.iter().map(|(length, games)| json!([length, games])).collect();
    let choices: Vec<Value> =
        found.choices.iter().map(|(positions, moves)| rounded(*moves as f64 / (*positions).max(1) as f64)).collect();
    json!({
        "games": games,
        "seed": args.seed,
        "length": {
            "mean": rounded(mean),
            "standard_deviation": rounded(deviation),
            "median": found.quantile(0.5),
            "longest": found.quantile(1.0),
        },
        "branching": rounded(found.branching()),
        "most_moves": found.most_moves,
        "first_player": part(found.first_wins),
        "second_player": part(found.second_wins),
        "max": part(found.max_wins),
        "drawn": part(found.draws),
        "unfinished": part(found.unfinished),
        "standard_error": error(found.first_wins, games).map(rounded),
        "decisive": share(found.decisive, found.positions()).map(rounded),
        "decided": share(found.decided, found.decisive).map(rounded),
        "throws": rounded(found.throws as f64 / games.max(1) as f64),
        "positions": found.met.len(),
        "lengths": lengths,
        "branching_by_move": choices,
        "seconds": number(seconds),
        "stopped": found.stopped,
    })
}
