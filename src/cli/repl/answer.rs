//! The answer to a question at the prompt, as data and as text.

use serde_json::Value;

/// The answer to a question.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) json: Value,
    /// The text of the answer; empty for goals.
    pub(super) text: String,
}

impl Answer {
    pub(super) fn has(&self, field: &str) -> bool {
        self.json[field] == Value::Bool(true)
    }
}
