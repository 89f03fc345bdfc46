//! Lists the parameters of a program as text.
//!
//! It returns each parameter with its value and its domain. It does not change parameters. Front ends
//! call it.

use super::Session;
use alphorn_lang::lang::program::{Domain, Param};

/// A parameter of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The current value.
    pub value: String,
    /// The allowed values.
    pub domain: String,
    /// The description.
    pub about: String,
}

impl Session {
    /// The parameters of the program, with their current values.
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
