//! Texts and tones in the arguments of drawn items.

use super::Tone;
use serde_json::Value;

/// The text of an atom, a number or a string.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(fields) => fields.get("string")?.as_str().map(str::to_string),
        _ => None,
    }
}

pub(super) fn tone(value: &Value) -> Option<Tone> {
    Some(match value.as_str()? {
        "light" => Tone::Light,
        "dark" => Tone::Dark,
        "one" => Tone::One,
        "two" => Tone::Two,
        "three" => Tone::Three,
        "four" => Tone::Four,
        _ => return None,
    })
}
