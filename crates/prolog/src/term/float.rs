//! Writes floats as the shortest text that reads back as the same float.

/// Writes a float as the language does, always with a fraction. As in SWI-Prolog, the text has an
/// exponent below 1e-4 and from 1e15 on.
pub fn text(value: f64) -> String {
    if value.is_nan() {
        return "1.5NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf".into() } else { "-1.0Inf".into() };
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').expect("{:e} writes an exponent");
        let fraction = if digits.contains('.') { "" } else { ".0" };
        return format!("{digits}{fraction}e{exponent}");
    }
    let text = format!("{value}");
    if text.contains('.') { text } else { format!("{text}.0") }
}
