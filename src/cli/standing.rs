//! How a game stands, in the words and with the keys that all commands share.
//!
//! In: what the session says of a position. Out: a line of text; `turn` and `outcome` as JSON.

use alphorn_session::session::sitting::Standing;
use serde_json::{Value, json};

/// Whose turn it is, or how the game has ended, as a line for people.
pub fn text(standing: &Standing) -> String {
    match standing {
        Standing::Moves(side) => format!("{} to move", side.name()),
        Standing::Chance => "chance moves: :go throws".to_string(),
        Standing::Over(Some(side)) => format!("the game is over: {} wins", side.name()),
        Standing::Over(None) => "the game is over: a draw".to_string(),
        Standing::Repeated => "the game is over: a draw by repetition".to_string(),
    }
}

/// The values of `turn` and `outcome`: who moves, or who has won. One of the two is null.
pub fn json(standing: &Standing) -> (Value, Value) {
    match standing {
        Standing::Moves(side) => (json!(side.key()), Value::Null),
        Standing::Chance => (json!("chance"), Value::Null),
        Standing::Over(Some(side)) => (Value::Null, json!(side.key())),
        Standing::Over(None) | Standing::Repeated => (Value::Null, json!("draw")),
    }
}

/// Whether the game has ended.
pub fn is_over(standing: &Standing) -> bool {
    matches!(standing, Standing::Over(_) | Standing::Repeated)
}
