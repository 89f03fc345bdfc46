//! The parameters of a program, as a person sees them.
//!
//! In: a program. Out: each parameter with its value and what it may be. Must not know how one is
//! changed. Called by front ends.

use super::Session;
use alphorn_lang::lang::program::{Domain, Param};

/// A parameter of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it is now.
    pub value: String,
    /// What it may be.
    pub domain: String,
    /// What it is for.
    pub about: String,
}

impl Session {
    /// The parameters of the program, as they stand.
    pub fn params(&self) -> Vec<Parameter> {
        let shown = |param: &Param| Parameter {
            name: param.name.text().to_string(),
            value: param.value.clone(),
            domain: match &param.domain {
                Domain::Range(low, high) => format!("{low} to {high}"),
                Domain::OneOf(values) => values.join(" or "),
            },
            about: param.doc.clone(),
        };
        self.rules.program.params.iter().map(shown).collect()
    }
}
