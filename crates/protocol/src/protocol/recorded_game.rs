//! The line of a game in the record of a match or a tournament, and the event for the game.
//!
//! It makes the line of a finished game, and the game of a line. A line depends only on the settings and the
//! number of the game.

use super::data::{Number, Winner};
use super::partial::{Game, GameEndReason, SoFar, Which};
use alphorn_lab::arena::GameEnd;
use alphorn_search::game::Side as Player;
use alphorn_session::session::game_record::{GameRecord, PlayerCost};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the line of a game repeats of the settings.
pub(super) struct RecordedPlace {
    /// The number of the pair among the pairs of A and B, from 1.
    pub(super) pair: u32,
    pub(super) seed: u64,
    /// The names of A and B, in a tournament.
    pub(super) sides: Option<[String; 2]>,
    /// Whether the line has the times of moves.
    pub(super) times: bool,
}

/// The line of a game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedGame {
    /// The number of the game, from 1.
    #[schemars(range(min = 1))]
    pub game: u32,
    /// The number of the pair among the pairs of A and B, from 1. The seed and the number of the pair are the seed
    /// of its random opening and of its chance moves.
    #[schemars(range(min = 1))]
    pub pair: u32,
    /// The seed of the match or the tournament.
    pub seed: u64,
    /// The names of A and B. Missing in a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<[String; 2]>,
    /// The player who was MAX.
    pub max: Which,
    /// The position in which the game began.
    pub position: String,
    /// The labels of the moves of the opening; a number for each chance move.
    pub opening: Vec<String>,
    /// The labels of the moves after the opening; a number for each chance move.
    pub moves: Vec<String>,
    /// The value for MAX that the player found before each of `moves`; null for a chance move, or without a
    /// search.
    pub values: Vec<Option<Number>>,
    /// The number of positions visited for each of `moves`; null for a chance move.
    pub nodes: Vec<Option<u64>>,
    /// The time for each of `moves` in seconds; null for a chance move. Missing unless the header has `times`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<Option<f64>>>,
    /// The winner, or `draw`.
    pub outcome: Winner,
    /// The way in which the game ended.
    pub end: GameEndReason,
    /// The reason why the loser lost the game without a move: its external engine gave none, or its clock was over.
    /// Missing otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// The points of A: 1, 0.5 or 0.
    pub points: Number,
    /// A hash of the position after the opening.
    pub key: String,
    /// The searches of A.
    pub a: SearchCosts,
    /// The searches of B.
    pub b: SearchCosts,
}

/// The sums of the searches of a player in one game.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchCosts {
    /// The number of searched moves.
    pub moves: u64,
    /// The sum of the depths.
    pub depths: u64,
    /// The number of visited positions.
    pub nodes: u64,
    /// The number of moves that `--advice strict` had no advice for.
    pub unadvised: u64,
}

impl From<PlayerCost> for SearchCosts {
    fn from(PlayerCost { moves, depths, nodes, unadvised }: PlayerCost) -> SearchCosts {
        SearchCosts { moves, depths, nodes, unadvised }
    }
}

impl From<SearchCosts> for PlayerCost {
    fn from(SearchCosts { moves, depths, nodes, unadvised }: SearchCosts) -> PlayerCost {
        PlayerCost { moves, depths, nodes, unadvised }
    }
}

/// The winner of a game and the way in which it ended.
fn ended(game: &GameRecord) -> (Option<Player>, GameEndReason) {
    let way = match game.end {
        GameEnd::Over(_) if game.forfeit.is_some() => GameEndReason::Forfeit,
        GameEnd::Over(_) => GameEndReason::Rules,
        GameEnd::Repeated => GameEndReason::Repetition,
        GameEnd::Unfinished => GameEndReason::Unfinished,
        GameEnd::Adjudicated(_) => GameEndReason::Adjudicated,
    };
    (game.end.winner(), way)
}

/// The event for a game.
pub(super) fn event(record: &GameRecord, so_far: Option<SoFar>) -> Game {
    let (winner, end) = ended(record);
    Game {
        game: record.number,
        sides: None,
        max: if record.max == 0 { Which::A } else { Which::B },
        position: record.start.clone(),
        opening: record.opening.clone(),
        moves: record.moves.clone(),
        outcome: winner.into(),
        end,
        forfeit: record.forfeit.clone(),
        points: Number(record.points()),
        so_far,
        standings: None,
    }
}

impl RecordedGame {
    /// The line of a game.
    pub(super) fn of(game: &GameRecord, place: RecordedPlace) -> RecordedGame {
        let (winner, end) = ended(game);
        let searches = || game.searches.iter().map(Option::as_ref);
        let value = |value: alphorn_search::game::Score| Number(value.to_number());
        let milliseconds = |seconds: f64| (seconds * 1e3).round() / 1e3;
        let times = || searches().map(|search| search.map(|search| milliseconds(search.seconds))).collect();
        RecordedGame {
            game: game.number,
            pair: place.pair,
            seed: place.seed,
            sides: place.sides,
            max: if game.max == 0 { Which::A } else { Which::B },
            position: game.start.clone(),
            opening: game.opening.clone(),
            moves: game.moves.clone(),
            values: searches().map(|search| search.and_then(|search| search.value).map(value)).collect(),
            nodes: searches().map(|search| search.map(|search| search.nodes)).collect(),
            times: place.times.then(times),
            outcome: winner.into(),
            end,
            forfeit: game.forfeit.clone(),
            points: Number(game.points()),
            key: format!("{:032x}", game.key),
            a: game.costs[0].into(),
            b: game.costs[1].into(),
        }
    }

    /// The game, without its searches.
    ///
    /// # Errors
    ///
    /// The key that is wrong.
    pub(super) fn game(self, place: &RecordedPlace) -> Result<GameRecord, &'static str> {
        if self.sides != place.sides {
            return Err("sides");
        }
        if self.pair != place.pair {
            return Err("pair");
        }
        if self.seed != place.seed {
            return Err("seed");
        }
        let winner = match self.outcome {
            Winner::Max => Some(Player::Max),
            Winner::Min => Some(Player::Min),
            Winner::Draw => None,
        };
        let end = match self.end {
            GameEndReason::Rules | GameEndReason::Forfeit => GameEnd::Over(winner),
            GameEndReason::Adjudicated => GameEnd::Adjudicated(winner),
            GameEndReason::Repetition => GameEnd::Repeated,
            GameEndReason::Unfinished => GameEnd::Unfinished,
        };
        let game = GameRecord {
            number: self.game,
            max: usize::from(self.max == Which::B),
            start: self.position,
            opening: self.opening,
            moves: self.moves,
            key: u128::from_str_radix(&self.key, 16).map_err(|_| "key")?,
            end,
            searches: Vec::new(),
            forfeit: self.forfeit,
            costs: [self.a.into(), self.b.into()],
        };
        match game.points() == self.points.0 && game.end.winner() == winner {
            true => Ok(game),
            false => Err("points"),
        }
    }
}
