//! The requests of tuning: which parameters, which games, which method.

use super::options::{ParamOption, TuneMethod, settings};
use crate::protocol::form::{Form, Start, command_line_defaults};
use crate::protocol::match_options::{OpeningPlies, SprtOption};
use crate::protocol::words::{Bytes, Whole};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The parameters and the games of self-play.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SelfPlay {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position in which the openings begin.
    pub start: Start,
    /// Tune the parameter NAME, or NAME=LOW..HIGH for a narrower range; NAME=VALUE sets a parameter before the tuning.
    /// Default: all integer parameters that only the evaluation uses
    #[arg(short = 'p', long = "param", value_name = "NAME")]
    pub params: Vec<ParamOption>,
    /// Load an overlay: its predicates replace those of the game; may be given several times
    #[arg(long = "with", value_name = "OVERLAY")]
    #[serde(rename = "with")]
    pub overlays: Vec<String>,
    /// Greatest number of steps of one call of a game predicate (10,000,000); 0: no limit
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Greatest memory of one call of a game predicate, such as 512M or 2G (default: 1G)
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    /// Search N plies deep for each move
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Stop the search for each move after N positions (default: 1,000 if there is no --depth)
    #[arg(long, value_name = "N")]
    pub nodes: Option<Whole<1, { u64::MAX }>>,
    /// Games of self-play, or of all pairs with --method spsa (default: 400)
    #[arg(long, value_name = "N")]
    pub games: Option<Whole<2, 1_000_000>>,
    /// Random moves at the beginning of each game (6); each game of self-play has another opening
    #[arg(long, value_name = "K")]
    pub opening_plies: Option<OpeningPlies>,
    /// Take one in K positions of a game
    #[arg(long, value_name = "K", default_value = "2")]
    pub every: Whole<1, 1000>,
    /// Use the position N plies ahead, with best play by a search of N plies; 0: the position itself
    #[arg(long, value_name = "N", default_value = "0")]
    pub settle: Whole<0, 100>,
    /// End a game N plies after the opening, and do not use its positions
    #[arg(long, value_name = "N", default_value = "1000")]
    pub max_plies: Whole<1, 10_000>,
    /// Seed of the openings and of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Games at a time, each with one thread (default: all cores)
    #[arg(long, value_name = "N", visible_alias = "threads")]
    pub jobs: Option<Whole<1, 1024>>,
    /// Record the games in this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

/// The number of games, if none is given.
const GAMES: u32 = 400;

impl SelfPlay {
    /// The rules with the parameters that the request sets.
    pub fn form(&self) -> Form {
        Form { params: settings(&self.params), overlays: self.overlays.clone(), steps: self.steps, memory: self.memory }
    }

    /// The number of games.
    pub fn count(&self) -> u32 {
        self.games.map_or(GAMES, |games| games.get() as u32)
    }
}

/// A request to tune parameters.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The parameters and the games.
    pub play: SelfPlay,
    /// How to find the parameters
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub method: TuneMethod,
    /// File of solve --save with solved positions; implies --method solved
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Positions to use at most, with --method solved
    #[arg(long, value_name = "N", default_value = "5000")]
    pub positions: Whole<10, 10_000_000>,
    /// Take the positions from this file of alphorn dataset, and play no games
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Test of the final match
    #[arg(long, value_name = "TEST", default_value = "elo0=0,elo1=10", allow_hyphen_values = true)]
    pub sprt: SprtOption,
    /// Greatest number of games of the final match
    #[arg(long, value_name = "N", default_value = "1000")]
    pub match_games: Whole<2, 1_000_000>,
    /// Play no final match
    #[arg(long)]
    pub no_match: bool,
}

/// A request for positions with the results of their games.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DatasetRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// The parameters and the games.
    pub play: SelfPlay,
    /// File for the positions: FILE.jsonl, or FILE.parquet
    #[arg(long, value_name = "FILE", required = true)]
    pub output: Option<PathBuf>,
}

command_line_defaults!(SelfPlay, Request);
