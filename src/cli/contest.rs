//! `match`: two settings of one game against each other, and how far the score is to be believed.

use crate::cli::args::GameArgs;
use crate::cli::args::search::{MatchArgs, SideSettings};
use crate::cli::output::{Out, number};
use crate::cli::play::{budgets, load_text, options, start};
use crate::cli::table::{rounded, table};
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_lab::arena::End;
use alphorn_lab::arena::score::{Estimate, estimate};
use alphorn_rules::rules::Expected;
use alphorn_search::game::Side;
use alphorn_session::session::contest::{Contest, Player, Record, Thought};
use alphorn_session::session::recipe::{source, sources};
use alphorn_session::session::{Failure, Session};
use alphorn_text::report::{grouped, plural};
use alphorn_text::source::Source;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Positions for a move, where a side has no limit.
const NODES: u64 = 1000;

/// Megabytes of a side's table, where nothing is said.
const HASH: u64 = 16;

pub(super) fn contest(args: &MatchArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    // Standard input can be read once.
    let text = source(&args.at.file)?;
    let session = load_text(text.clone(), &args.at.game, out, stop)?;
    let contest = Contest {
        players: [player(&args.a, args, &text, stop)?, player(&args.b, args, &text, stop)?],
        start: &start(&args.at.start),
        games: args.games,
        seed: args.seed,
        opening_plies: args.opening_plies,
        longest: args.opening_plies + args.max_plies,
        threads: args.threads.map_or_else(cores, usize::from),
    };
    if !out.json && !args.json_lines {
        for (name, player) in ["A", "B"].into_iter().zip(&contest.players) {
            let thinks = player.own.as_ref().unwrap_or(&session);
            if let Some(idle) = thinks.unheeded(player.advice) {
                out.tell(&format!("note: {name}: {idle}\n"));
            }
        }
    }
    let watched = !out.json && !args.json_lines && std::io::stderr().is_terminal();
    let mut sums = Sums::default();
    let whole = session.contest(&contest, &mut |record| {
        if args.json_lines {
            out.tell(&format!("{}\n", record_json(&record)));
        }
        if let (Some(share), true) = (sums.add(&record), watched) {
            out.tell(&sums.progress(share));
        }
    })?;
    match out.json || args.json_lines {
        true => out.object(sums.json(args, !whole)),
        false => out.print(&sums.text(args)),
    }
    if !whole && !out.json && !args.json_lines {
        out.tell("stopped: pairs of games that were not done are not counted\n");
    }
    Ok(if whole { YES } else { INTERRUPTED })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A side with what it says, beside what is said for both.
fn player(side: &SideSettings, args: &MatchArgs, text: &Source, stop: &Arc<AtomicBool>) -> Result<Player, Failure> {
    let search = &side.search;
    let limits = [search.depth.is_some(), search.time.is_some(), search.nodes.is_some(), search.sample.games.is_some()];
    let bounded = limits.contains(&true);
    Ok(Player {
        own: own_rules(&side.game, &args.at.game, text, stop)?,
        algorithm: search.algorithm,
        hash: search.hash.unwrap_or(HASH) << 20,
        seed: search.seed,
        heuristic: search.heuristic,
        advice: search.advice,
        depth: search.depth,
        nodes: search.nodes.or((!bounded).then_some(NODES)),
        time: search.time,
        backup: search.risk.backup(),
        games: search.games(),
        growth: search.growth(),
    })
}

/// The rules that a side thinks by, where they are not those of the match.
fn own_rules(
    own: &GameArgs,
    common: &GameArgs,
    text: &Source,
    stop: &Arc<AtomicBool>,
) -> Result<Option<Session>, Failure> {
    if own.params.is_empty() && own.overlays.is_empty() && own.steps.is_none() && own.memory.is_none() {
        return Ok(None);
    }
    // The later ones win.
    let form = GameArgs {
        params: [&common.params[..], &own.params].concat(),
        overlays: [&common.overlays[..], &own.overlays].concat(),
        steps: own.steps.or(common.steps),
        memory: own.memory.or(common.memory),
    };
    let overlays = sources(&form.overlays)?;
    let texts = std::slice::from_ref(text);
    Session::open(texts, &overlays, &options(&form), Expected::Game, budgets(&form), stop.clone()).map(Some)
}

fn record_json(record: &Record) -> Value {
    let (outcome, end) = match record.end {
        End::Over(None) => ("draw", "rules"),
        End::Over(Some(Side::Max)) => ("max", "rules"),
        End::Over(Some(Side::Min)) => ("min", "rules"),
        End::Repeated => ("draw", "repetition"),
        End::Unfinished => ("draw", "unfinished"),
    };
    let max = if record.max == 0 { "a" } else { "b" };
    json!({
        "schema": super::output::SCHEMA,
        "game": record.number,
        "max": max,
        "position": record.start,
        "opening": record.opening,
        "moves": record.moves,
        "outcome": outcome,
        "end": end,
        "points": number(record.points()),
    })
}

/// What is counted of whole pairs of games.
#[derive(Default)]
struct Sums {
    /// The share of A in each pair.
    shares: Vec<f64>,
    /// Won by A, drawn, lost by A.
    results: [u64; 3],
    plies: u64,
    unfinished: u64,
    openings: BTreeSet<u128>,
    /// Pairs in whose two games, with sides swapped, the same moves were played.
    same: u64,
    thoughts: [Thought; 2],
    /// A game whose other one is not there yet.
    half: Option<Record>,
}

impl Sums {
    /// Takes a game in; the share of A where it makes a pair whole.
    fn add(&mut self, record: &Record) -> Option<f64> {
        let first = match self.half.take() {
            Some(first) if first.number + 1 == record.number && record.number.is_multiple_of(2) => first,
            // What came before, if anything, has lost its other game.
            _ => {
                self.half = Some(record.clone());
                return None;
            }
        };
        for game in [&first, record] {
            self.results[(2.0 - 2.0 * game.points()) as usize] += 1;
            self.plies += game.plies();
            self.unfinished += u64::from(game.end == End::Unfinished);
            for (sum, thought) in self.thoughts.iter_mut().zip(game.thoughts) {
                sum.moves += thought.moves;
                sum.depths += thought.depths;
                sum.nodes += thought.nodes;
                sum.unadvised += thought.unadvised;
            }
        }
        self.openings.insert(record.key);
        // Luck has no part in it: both games of a pair have the same.
        self.same +=
            u64::from((&first.start, &first.opening, &first.moves) == (&record.start, &record.opening, &record.moves));
        let share = (first.points() + record.points()) / 2.0;
        self.shares.push(share);
        Some(share)
    }

    fn games(&self) -> u64 {
        2 * self.shares.len() as u64
    }

    fn progress(&self, share: f64) -> String {
        let [won, drawn, lost] = self.results;
        let all = self.shares.iter().sum::<f64>() / self.shares.len() as f64;
        format!(
            "pair {}: {} of 2 for A; so far won {won}, drawn {drawn}, lost {lost}, {:.1} %\n",
            self.shares.len(),
            2.0 * share,
            100.0 * all
        )
    }

    fn json(&self, args: &MatchArgs, stopped: bool) -> Value {
        let found = estimate(&self.shares);
        let or_null = |number: Option<f64>| number.map(rounded);
        let interval = found.and_then(|found| found.interval);
        let side = |settings: &SideSettings, thought: &Thought| {
            json!({
                "settings": settings.text,
                "moves": thought.moves,
                "depth": or_null(mean(thought.depths, thought.moves)),
                "nodes": or_null(mean(thought.nodes, thought.moves)),
                "unadvised": thought.unadvised,
            })
        };
        json!({
            "games": self.games(),
            "wins": self.results[0],
            "draws": self.results[1],
            "losses": self.results[2],
            "score": or_null(found.map(|found| found.mean)),
            "error": or_null(found.and_then(|found| found.error)),
            "low": or_null(interval.map(|(low, _)| low)),
            "high": or_null(interval.map(|(_, high)| high)),
            "openings": self.openings.len(),
            "same_moves": self.same,
            "plies": or_null(mean(self.plies, self.games())),
            "unfinished": self.unfinished,
            "a": side(&args.a, &self.thoughts[0]),
            "b": side(&args.b, &self.thoughts[1]),
            "stopped": stopped,
        })
    }

    /// What is said where A and B have played alike.
    fn same_text(&self) -> String {
        let pairs = self.shares.len() as u64;
        match self.same {
            0 => String::new(),
            same if same == pairs => {
                "note      A and B played the same moves in every pair: this does not tell them apart\n".into()
            }
            same => {
                format!("note      A and B played the same moves in {} of {} pairs\n", grouped(same), grouped(pairs))
            }
        }
    }

    fn text(&self, args: &MatchArgs) -> String {
        let Some(Estimate { mean: score, error, interval, alike }) = estimate(&self.shares) else {
            return "no pair of games was finished\n".to_string();
        };
        let [won, drawn, lost] = self.results;
        let row = |name: &str, (won, lost): (u64, u64), score: f64, thought: &Thought, settings: &SideSettings| {
            let depth = mean(thought.depths, thought.moves);
            let nodes = mean(thought.nodes, thought.moves);
            vec![
                format!("{name} {}", settings.text).trim_end().to_string(),
                won.to_string(),
                drawn.to_string(),
                lost.to_string(),
                format!("{:.1} %", 100.0 * score),
                depth.map_or("-".to_string(), |depth| format!("{depth:.2}")),
                nodes.map_or("-".to_string(), |nodes| grouped(nodes.round() as u64)),
            ]
        };
        let heads = ["side", "won", "drawn", "lost", "score", "depth", "nodes"];
        let rows = vec![
            row("A", (won, lost), score, &self.thoughts[0], &args.a),
            row("B", (lost, won), 1.0 - score, &self.thoughts[1], &args.b),
        ];
        let pairs = self.shares.len();
        let sure = match (error, interval) {
            (_, Some((low, high))) if alike => format!(
                "{:.1} % for A in each of {pairs} pairs of games, 95 % interval {:.1} % to {:.1} %, by the rule of three",
                100.0 * score,
                100.0 * low,
                100.0 * high
            ),
            (Some(error), Some((low, high))) => format!(
                "{:.1} % for A, standard error {:.1} %, 95 % interval {:.1} % to {:.1} %, {pairs} pairs of games",
                100.0 * score,
                100.0 * error,
                100.0 * low,
                100.0 * high
            ),
            _ => format!("{:.1} % for A, one pair of games: nothing is known of the error", 100.0 * score),
        };
        let plies = mean(self.plies, self.games()).unwrap_or_default();
        let mut text = format!(
            "{}\nscore     {sure}\nopenings  {}, {}\ngames     {plies:.1} plies on average",
            table(&heads, rows),
            plural(self.openings.len() as u64, "different one", "different ones"),
            plural(args.opening_plies.into(), "random ply", "random plies"),
        );
        if self.unfinished > 0 {
            text.push_str(&format!(", {} unfinished: counted as draws", self.unfinished));
        }
        text.push('\n');
        text.push_str(&self.same_text());
        for (name, thought) in ["A", "B"].into_iter().zip(&self.thoughts).filter(|(_, thought)| thought.unadvised > 0) {
            let (without, all) = (grouped(thought.unadvised), plural(thought.moves, "move", "moves"));
            let note = format!("in {without} of {all} the table of {name} was for the other side: it searched");
            text.push_str(&format!("note      {note}\n"));
        }
        text
    }
}

fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
