//! Decides whether a goal looks for a misspelt key of an association list.
//!
//! The input is the pair that a goal looks for, and the pairs of the list. Only `blame` calls this module.

use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::near::nearest;
use alphorn_text::symbol::atoms;

/// Whether a goal looks for a key that no pair has, such as 'MAX' where the keys are max and min.
pub(super) fn is_unknown_key(takes: &Shape, made: &Shape) -> bool {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return false };
    let ([Form::Compound(atoms::MINUS, pair, _)], true) = (&own[..], !others.is_empty()) else { return false };
    let [Shape::Of(key), _] = &pair[..] else { return false };
    let [Form::Name(key, _)] = &key[..] else { return false };
    let keys = others.iter().flat_map(|form| match form {
        Form::Compound(atoms::MINUS, pair, _) if pair.len() == 2 => match &pair[0] {
            Shape::Of(keys) => keys.iter().map(Some).collect(),
            Shape::Any => vec![None],
        },
        _ => vec![None],
    });
    let names: Option<Vec<&str>> =
        keys.map(|key| if let Form::Name(name, _) = key? { Some(name.text()) } else { None }).collect();
    names.is_some_and(|names| {
        let is_like = |name: &str| name.len() > 2 && name.eq_ignore_ascii_case(key.text());
        !names.contains(&key.text())
            && (names.iter().any(|name| is_like(name))
                || nearest(key.text(), names.iter().copied()).is_some_and(|near| near.len() > 2))
    })
}
