//! The settings that the first lines of the records of matches and of tournaments share.

use super::conditions::Conditions;
use super::form::Start;
use super::record::RecordSettings;
use alphorn_session::session::Session;
use alphorn_session::session::openings::OpeningSource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The kind of a record, the rules and the first position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedRules {
    /// The kind of the record: `match` or `tournament`.
    pub record: String,
    /// The version of Alphorn.
    pub version: String,
    /// A hash of the rules of the games with their parameters and overlays.
    pub rules: String,
    /// The first position, if the request gives one.
    pub position: Option<String>,
    /// The first position in the notation of the game, if the request gives one.
    pub at: Option<String>,
    /// The number of the opening, if the request gives one.
    pub opening: Option<usize>,
    /// The moves before the openings, if the request gives some.
    pub moves: Option<String>,
}

impl RecordedRules {
    /// The rules of a session and the first position of a request, for this version of Alphorn.
    pub(super) fn of<H: RecordSettings>(session: &Session, start: &Start) -> RecordedRules {
        RecordedRules {
            record: H::KIND.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            rules: session.identity(),
            position: start.position.as_ref().map(|term| term.0.clone()),
            at: start.place.at.clone(),
            opening: start.place.opening,
            moves: start.place.moves.clone(),
        }
    }
}

/// The conditions of the games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedConditions {
    /// The seed.
    pub seed: u64,
    /// The source of the openings: `random`, `initial` or a file.
    pub openings: String,
    /// A hash of the file of openings.
    pub openings_text: Option<String>,
    /// The number of random moves in an opening; null if the openings are not random.
    pub opening_plies: Option<u64>,
    /// The filter of the openings.
    pub balance: Option<String>,
    /// The plies after which a game is stopped.
    pub max_plies: u64,
    /// The file of values that ends games.
    pub adjudicate: Option<PathBuf>,
    /// The number of values in this file.
    pub adjudicate_values: Option<u64>,
}

impl RecordedConditions {
    /// The conditions of a request, with a hash of its file of openings and the number of values in its file of values.
    pub(super) fn of(
        conditions: &Conditions,
        (source, openings_text): (&OpeningSource, Option<String>),
        adjudicate_values: Option<u64>,
    ) -> RecordedConditions {
        let opening_plies = match source {
            OpeningSource::Random { plies } => Some(u64::from(*plies)),
            _ => None,
        };
        RecordedConditions {
            seed: conditions.seed,
            openings: conditions.openings.to_string(),
            openings_text,
            opening_plies,
            balance: conditions.balance.map(|balance| balance.to_string()),
            max_plies: conditions.max_plies.get(),
            adjudicate: conditions.adjudicate.clone(),
            adjudicate_values,
        }
    }
}
