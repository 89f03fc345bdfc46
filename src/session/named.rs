//! Predicates as a person names them: `moves/2`, or `moves` for every arity.
//!
//! In: what was typed. Out: the predicates and builtins meant, or a problem with the nearest name.
//! Must not know what is asked of them. Called by the session's own parts.

use super::{Done, Session};
use crate::lang::near::nearest;
use crate::lang::program::{Callee, PredId, Program};
use crate::report::Problem;
use crate::source::Origin;
use crate::symbol::Atom;

/// Whose a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    /// The user's.
    Own,
    /// A library's, written in the language.
    Library,
    /// The machine's.
    Builtin,
}

impl Whose {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Whose::Own => "own",
            Whose::Library => "library",
            Whose::Builtin => "builtin",
        }
    }
}

/// `name/arity`.
pub(super) fn indicator(program: &Program, callee: Callee) -> String {
    match callee {
        Callee::User(pred) => match program.indicator(pred) {
            hidden if hidden.starts_with('$') => "(the advice table)".to_string(),
            indicator => indicator,
        },
        Callee::Native(id) => {
            let row = program.known.row(id);
            format!("{}/{}", row.name, row.arity)
        }
        Callee::Unknown(name, arity) => format!("{}/{arity}", name.text()),
    }
}

impl Session {
    /// Whose it is.
    pub(super) fn whose(&self, callee: Callee) -> Whose {
        let Callee::User(pred) = callee else { return Whose::Builtin };
        let sources = &self.rules.program.sources;
        let predicate = self.rules.program.predicate(pred);
        let library = predicate.defined.is_some_and(|span| {
            usize::from(span.source.0) < sources.len() && sources.get(span.source).origin == Origin::Library
        });
        if library { Whose::Library } else { Whose::Own }
    }

    /// Everything that can be called: the user's first, then the libraries', then the machine's.
    pub(super) fn callees(&self) -> Vec<Callee> {
        let program = &self.rules.program;
        let users = (0..program.predicates.len() as u32).map(|number| Callee::User(PredId(number)));
        let natives = program.known.rows().filter_map(|row| {
            let (id, _) = program.known.get(Atom::new(row.name), usize::from(row.arity))?;
            Some(Callee::Native(id))
        });
        let mut found: Vec<Callee> = users.chain(natives).collect();
        found.sort_by_key(|callee| self.whose(*callee));
        found
    }

    /// The predicates that a name means: one where an arity is given, unless a library has it too.
    pub(super) fn named(&self, typed: &str) -> Done<Vec<Callee>> {
        let typed = typed.trim();
        let all: Vec<(String, Callee)> =
            self.callees().into_iter().map(|callee| (indicator(&self.rules.program, callee), callee)).collect();
        let is_meant =
            |indicator: &str| indicator == typed || indicator.rsplit_once('/').is_some_and(|(name, _)| name == typed);
        let found: Vec<Callee> =
            all.iter().filter(|(indicator, _)| is_meant(indicator)).map(|(_, callee)| *callee).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let name = typed.rsplit_once('/').map_or(typed, |(name, _)| name);
        let same: Vec<&str> = all
            .iter()
            .map(|(indicator, _)| indicator.as_str())
            .filter(|indicator| indicator.rsplit_once('/').is_some_and(|(other, _)| other == name))
            .collect();
        let names = all.iter().filter_map(|(indicator, _)| indicator.rsplit_once('/'));
        let help = match (same.as_slice(), nearest(name, names.map(|(name, _)| name))) {
            ([], Some(near)) => {
                let near = all.iter().find(|(indicator, _)| indicator.rsplit_once('/').is_some_and(|(n, _)| n == near));
                near.map(|(indicator, _)| format!("did you mean {indicator}?"))
            }
            ([], None) => {
                Some("write NAME/ARITY, such as moves/2; alphorn listing FILE lists what there is".to_string())
            }
            (same, _) => Some(format!("there is {}", same.join(", "))),
        };
        self.problem(Problem::placeless("A0620", format!("there is no predicate {typed}")).maybe_help(help))
    }
}
