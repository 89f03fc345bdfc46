//! Lists and names the predicates of a program: `moves/2`, or `moves` for every arity.
//!
//! It returns one list of all callable predicates, which completion, help and listings filter. It also
//! finds the predicates that a typed name means, or reports a problem with the nearest name. Other parts
//! of the session and front ends call it.

use super::{Session, SessionResult};
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Callee, PRELUDE, PredId, Program, USER};
use alphorn_prolog::builtins;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Origin;
use alphorn_text::symbol::Atom;

/// Where a predicate is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PredicateOrigin {
    /// In the user's files.
    Own,
    /// In a library, written in Prolog.
    Library,
    /// In the machine.
    Builtin,
}

impl PredicateOrigin {
    /// The name of the origin.
    pub fn name(self) -> &'static str {
        match self {
            PredicateOrigin::Own => "own",
            PredicateOrigin::Library => "library",
            PredicateOrigin::Builtin => "builtin",
        }
    }
}

/// The indicator `name/arity` of a callee.
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

/// A predicate with its description.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPredicate {
    /// The name.
    pub name: String,
    /// The number of arguments.
    pub arity: usize,
    /// A short description, if there is one.
    pub about: Option<String>,
    /// The origin.
    pub whose: PredicateOrigin,
    /// The file and the line; `None` for a builtin.
    pub place: Option<(String, usize)>,
    /// Whether a typed goal may call it: the user or an imported library defines it, or it is a builtin.
    pub callable: bool,
    pub(super) callee: Callee,
}

impl NamedPredicate {
    /// `name/arity`.
    pub fn indicator(&self) -> String {
        format!("{}/{}", self.name, self.arity)
    }
}

/// The origin of a predicate.
pub(super) fn whose(program: &Program, callee: Callee) -> PredicateOrigin {
    let Callee::User(pred) = callee else { return PredicateOrigin::Builtin };
    let (sources, predicate) = (&program.sources, program.predicate(pred));
    let library = predicate.defined.is_some_and(|span| {
        usize::from(span.source.0) < sources.len() && sources.get(span.source).origin == Origin::Library
    });
    if library { PredicateOrigin::Library } else { PredicateOrigin::Own }
}

impl Session {
    /// The origin of a predicate.
    pub(super) fn whose(&self, callee: Callee) -> PredicateOrigin {
        whose(&self.rules.program, callee)
    }

    /// Every predicate with clauses: those of the user first, then of libraries, then builtins.
    pub fn predicates(&self) -> Vec<NamedPredicate> {
        let program = &self.rules.program;
        let users = (0..program.predicates.len() as u32).filter_map(|number| self.written_by_hand(PredId(number)));
        let natives = builtins::table().into_iter().filter_map(|row| {
            let (name, arity) = (row.signature.name, usize::from(row.signature.arity));
            let (id, _) = program.known.get(Atom::new(name), arity).filter(|_| !name.starts_with('$'))?;
            Some(NamedPredicate {
                name: name.to_string(),
                arity,
                about: Some(row.summary.to_string()),
                whose: PredicateOrigin::Builtin,
                place: None,
                callable: true,
                callee: Callee::Native(id),
            })
        });
        let mut found: Vec<NamedPredicate> = users.chain(natives).collect();
        found.sort_by_key(|named| named.whose);
        found
    }

    /// A predicate that is written in a text; `None` for a generated one.
    fn written_by_hand(&self, id: PredId) -> Option<NamedPredicate> {
        let program = &self.rules.program;
        let pred = program.predicate(id);
        let name = pred.key.name.text();
        if pred.clauses.is_empty() || name.starts_with('$') {
            return None;
        }
        let scope = pred.key.scope;
        let lent = scope == PRELUDE || program.imports.get(&USER).is_some_and(|scopes| scopes.contains(&scope));
        let sources = &program.sources;
        let defined = pred.defined.filter(|span| usize::from(span.source.0) < sources.len());
        Some(NamedPredicate {
            name: name.to_string(),
            arity: pred.key.arity,
            about: pred.doc.as_ref().map(|doc| doc.to_string()),
            whose: self.whose(Callee::User(id)),
            place: defined.map(|span| (sources.get(span.source).name.to_string(), sources.line_column(span).0)),
            callable: scope == USER || lent && pred.exported,
            callee: Callee::User(id),
        })
    }

    /// The predicates that a name means. With an arity this is one, unless a library has it too.
    pub(super) fn named(&self, typed: &str) -> SessionResult<Vec<Callee>> {
        let typed = typed.trim();
        let all = self.predicates();
        let meant: Vec<Callee> = all
            .iter()
            .filter(|named| named.name == typed || named.indicator() == typed)
            .map(|named| named.callee)
            .collect();
        if !meant.is_empty() {
            return Ok(meant);
        }
        let name = typed.rsplit_once('/').map_or(typed, |(name, _)| name);
        let same: Vec<String> = all.iter().filter(|named| named.name == name).map(NamedPredicate::indicator).collect();
        let near = nearest(name, all.iter().map(|named| named.name.as_str()));
        let near = near.and_then(|near| all.iter().find(|named| named.name == near));
        let help = match (same.as_slice(), near) {
            ([], Some(near)) => format!("did you mean {}?", near.indicator()),
            ([], None) => "write NAME/ARITY, such as moves/2; alphorn listing FILE lists all predicates".to_string(),
            (same, _) => format!("there is {}", same.join(", ")),
        };
        self.problem(Problem::placeless(Code::InvalidArgument, format!("there is no predicate {typed}")).help(help))
    }
}
