//! "Did you mean": the nearest of a set of names.
//!
//! In: what was typed and what exists. Out: the one name that is close enough
//! to have been meant. Used by every surface that knows names.

/// The nearest name, if it is near enough to be a slip.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match typed.chars().count() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let near = names
        .into_iter()
        .filter(|name| *name != typed)
        .map(|name| (strsim::damerau_levenshtein(typed, name), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < typed.chars().count().max(name.chars().count()));
    near.min().map(|(_, name)| name)
}
