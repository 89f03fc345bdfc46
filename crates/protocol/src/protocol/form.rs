//! Options of many requests: the form of the game and the position.

use super::term::TypedTerm;
use super::words::{self, Bytes};
use alphorn_session::session::GameStart as Place;
use alphorn_session::session::options::LoadOptions;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Derives `Default` from the default values of the command line.
macro_rules! command_line_defaults {
    ($($name:ident),*) => {$(
        impl Default for $name {
            fn default() -> $name {
                let command = <$name as clap::Args>::augment_args(clap::Command::new("default").no_binary_name(true));
                let none: [&str; 0] = [];
                let found = command.try_get_matches_from(none).and_then(|found| {
                    <$name as clap::FromArgMatches>::from_arg_matches(&found)
                });
                found.expect("no option is required")
            }
        }
    )*};
}
pub(super) use command_line_defaults;

/// The form of the game: its parameters, overlays and budgets.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Form {
    /// Change a parameter of the game: NAME=VALUE
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = words::param)]
    #[serde(with = "words::params")]
    #[schemars(
        with = "words::params::Schemas",
        description = "The parameters to change: an object with names and values."
    )]
    pub params: Vec<(String, String)>,
    /// Load an overlay: its predicates replace those of the game; may be given several times
    #[arg(long = "with", value_name = "OVERLAY")]
    #[serde(rename = "with")]
    pub overlays: Vec<String>,
    /// Greatest number of steps of one call of a game predicate (10,000,000) or typed goal (100,000,000); 0: no limit
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Greatest memory of one call of a game predicate or of a goal, such as 512M or 2G (default: 1G)
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
}

impl Form {
    /// The load options that the request changes.
    pub fn change(&self) -> LoadOptions {
        LoadOptions {
            params: self.params.clone(),
            overlays: self.overlays.clone(),
            steps: self.steps,
            memory: self.memory.map(|bytes| bytes.0),
            ..LoadOptions::default()
        }
    }
}

/// The position to start from: by default the current position, or the first opening.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Start {
    /// Start from this position, a term
    #[arg(long, value_name = "TERM", conflicts_with_all = ["at", "opening"], allow_hyphen_values = true)]
    pub position: Option<TypedTerm>,
    #[command(flatten)]
    #[serde(flatten)]
    /// The position, if it is not given as a term.
    pub place: Elsewhere,
}

/// A position that is given by its notation, by an opening, or by moves.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Elsewhere {
    /// Start from this position, in the notation of the game (FEN for chess)
    #[arg(long, value_name = "TEXT", conflicts_with = "opening", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Start from the N-th opening
    #[arg(long, value_name = "N")]
    pub opening: Option<usize>,
    /// Play these moves first: labels, or numbers if no label is a number
    #[arg(long, value_name = "L1 L2 ...", allow_hyphen_values = true)]
    pub moves: Option<String>,
}

impl Start {
    /// The position in the type of the session.
    pub fn place(&self) -> Place {
        self.place.with(self.position.as_ref())
    }
}

impl Elsewhere {
    /// The place of these options, with `position` instead if there is one.
    pub fn with(&self, position: Option<&TypedTerm>) -> Place {
        let Elsewhere { at, opening, moves } = self;
        let position = position.map(|term| term.0.clone());
        Place { position, at: at.clone(), opening: *opening, moves: moves.clone() }
    }
}
