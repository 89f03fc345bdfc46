//! Floats as text: the shortest that reads back the same.

/// How the language writes a float: always with a fraction, an exponent where
/// SWI-Prolog writes one (below 1e-4 and from 1e15 on).
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
