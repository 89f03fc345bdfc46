//! Predicates as they are written, and what they compile to.
//!
//! In: a predicate's name, or none for all of the user's. Out: for each its clauses as text, their
//! places, its doc comment, and the procedures that the machine runs for it. Must not know how
//! that is shown. Called by front ends.

use super::predicates::{NamedPredicate, PredicateOrigin, indicator};
use super::{Done, Session};
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_rules::rules::cost;
use alphorn_text::source::Span;

/// A clause as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedClause {
    /// Its place in the texts.
    pub span: Span,
    /// Its text, from the head to before the full stop.
    pub text: String,
}

/// A predicate as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// `name/arity`.
    pub name: String,
    /// Whose it is.
    pub whose: PredicateOrigin,
    /// The comment `%! ...` above it.
    pub doc: Option<String>,
    /// Whether `table/1` declares it.
    pub tabled: bool,
    /// In the order written; none where it is the machine's own.
    pub clauses: Vec<ListedClause>,
    /// The procedures, as text, one for each way in which the game calls it; if it is called in
    /// none, that for any arguments. None where it was not asked for, or nothing is compiled.
    pub compiled: Option<String>,
}

impl Session {
    /// Lists a predicate, or every one of the user's.
    ///
    /// Errs where there is no such predicate.
    pub fn listing(&self, which: Option<&str>, compiled: bool) -> Done<Vec<Listed>> {
        let program = &self.rules.program;
        let meant = match which {
            Some(name) => self.named(name)?,
            None => {
                let own = |named: &NamedPredicate| named.whose == PredicateOrigin::Own;
                self.predicates().into_iter().filter(own).map(|named| named.callee).collect()
            }
        };
        let users = |callee: &Callee| if let Callee::User(pred) = callee { Some(*pred) } else { None };
        let wanted: Vec<PredId> = meant.iter().filter_map(users).collect();
        let procedures = if compiled { cost::procedures(&self.rules, &wanted) } else { Vec::new() };
        let list = |callee: Callee| {
            let (name, whose) = (indicator(program, callee), self.whose(callee));
            let Some(pred) = users(&callee) else {
                return Listed { name, whose, doc: None, tabled: false, clauses: Vec::new(), compiled: None };
            };
            let predicate = program.predicate(pred);
            let clauses = predicate.clauses.iter().map(|clause| {
                let text = program.sources.text(clause.span).trim_end().to_string();
                ListedClause { span: clause.span, text }
            });
            let own: Vec<&str> =
                procedures.iter().filter(|(other, _)| *other == pred).map(|(_, text)| text.as_str()).collect();
            Listed {
                name,
                whose,
                doc: predicate.doc.as_deref().map(str::to_string),
                tabled: predicate.tabled,
                clauses: clauses.collect(),
                compiled: (!own.is_empty()).then(|| own.join("\n")),
            }
        };
        Ok(meant.into_iter().map(list).collect())
    }
}
