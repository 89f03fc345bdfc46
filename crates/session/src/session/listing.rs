//! Lists predicates: their clauses as written, and their compiled procedures.
//!
//! It takes the name of a predicate, or lists all predicates of the user. It returns the clauses as text
//! with their spans, the doc comment, and the procedures of the machine. Front ends call it and format
//! the result.

use super::predicates::{NamedPredicate, PredicateOrigin, indicator};
use super::{Session, SessionResult};
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_rules::rules::cost;
use alphorn_text::source::Span;

/// A clause as written.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedClause {
    /// The span of the clause.
    pub span: Span,
    /// The text of the clause, without the full stop.
    pub text: String,
}

/// A predicate as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// `name/arity`.
    pub name: String,
    /// The origin of the predicate.
    pub whose: PredicateOrigin,
    /// The comment `%! ...` above the predicate.
    pub doc: Option<String>,
    /// Whether `table/1` declares it.
    pub tabled: bool,
    /// The clauses in the order written; empty for a builtin.
    pub clauses: Vec<ListedClause>,
    /// The procedures as text, one for each mode in which the game calls it, or else one for any
    /// arguments. `None` if they were not requested, or if nothing is compiled.
    pub compiled: Option<String>,
}

impl Session {
    /// Lists a predicate, or all predicates of the user.
    ///
    /// Errs if there is no such predicate.
    pub fn listing(&self, which: Option<&str>, compiled: bool) -> SessionResult<Vec<Listed>> {
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
