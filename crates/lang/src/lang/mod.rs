//! The rules language: turns source texts into a checked [`program::Program`].
//!
//! The passes in order: `token` and `parse` read sentences, `load` and `directive` collect clauses (`raw`),
//! `qualify` names the modules of passed goals, `goal` resolves bodies, and `check` looks for mistakes. Each pass
//! adds problems to one list and continues after a mistake. Builtins come in through a [`world::World`]; games are
//! unknown here.

pub mod ast;
pub mod autoload;
pub mod check;
mod complain;
mod dcg;
mod directive;
pub mod edited;
mod effects;
mod escape;
mod foreign;
pub mod format;
pub mod goal;
mod heads;
pub mod kept;
pub mod lexer;
pub mod load;
pub mod modules;
pub mod near;
pub mod numeral;
mod operands;
pub mod ops;
pub mod parse;
mod pasted;
pub mod program;
mod qualify;
pub mod raw;
pub mod read;
mod repair;
pub mod surplus;
pub mod token;
pub mod world;

use crate::lang::goal::Resolver;
use crate::lang::kept::KeptSentences;
use crate::lang::program::{Clause, PredId, Predicate, PredicateKey, Program, USER};
use crate::lang::raw::{RawClause, RawProgram, UnresolvedClause};
use crate::lang::world::World;
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report, Severity, first_of};
use alphorn_text::source::{Source, Span};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A loaded program with all diagnostics about its text.
pub struct Checked {
    /// The program. Run it only if the report contains no error.
    pub program: Program,
    /// Errors and warnings.
    pub report: Report,
}

/// What to load besides the files.
#[derive(Clone, Debug, Default)]
pub struct ProgramOptions {
    /// Parameters that the user changed: name and value as typed.
    pub settings: Vec<(String, String)>,
    /// The texts of files that an editor has changed and not saved. They count in place of the files.
    pub unsaved: Unsaved,
    /// The sentences of the last program, for a program that is loaded again after each change. They make no difference
    /// to the result.
    pub kept: Option<KeptSentences>,
}

/// Texts by the paths of their files.
pub type Unsaved = Arc<FxHashMap<PathBuf, Arc<str>>>;

/// Loads and checks texts. The first text is the main one. Overlays replace predicates.
pub fn load(texts: &[Source], overlays: &[Source], options: &ProgramOptions, world: &World) -> Checked {
    let (main, more) = match texts.split_first() {
        Some((main, more)) => (Some(main), more),
        None => (None, texts),
    };
    let mut raw = load::gather(main, more, overlays, options, world);
    let mut problems = std::mem::take(&mut raw.problems);
    let lacks_params = raw.broken.iter().any(|name| name.text() == "param");
    if !lacks_params {
        settings(&raw, options, &mut problems);
    }
    let broken = std::mem::take(&mut raw.broken);
    let extras = raw.extras;
    let declared = raw.declared.clone();
    let (mut program, bodies) = predicates(raw, world, &mut problems);
    check::text::clauses(&program, &bodies, &declared, &mut problems);
    resolve(&mut program, bodies, &broken, extras, &mut problems);
    check::run(&program, extras, lacks_params, &mut problems);
    let sources = program.sources.clone();
    let mut report = Report::new(sources, problems);
    surplus::fold(&mut report.problems);
    Checked { program, report }
}

fn settings(raw: &RawProgram, options: &ProgramOptions, problems: &mut Vec<Problem>) {
    for (name, value) in &options.settings {
        match raw.params.iter().find(|param| param.name.text() == name) {
            Some(param) => {
                if let Err(message) = param.accepts(value) {
                    problems.push(
                        Problem::error(Code::InvalidParameter, param.span, message)
                            .help(format!("choose another value: -p {name}=...")),
                    );
                }
            }
            None => {
                let names: Vec<&str> = raw.params.iter().map(|param| param.name.text()).collect();
                let help = match near::nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean {near}?"),
                    None if names.is_empty() => {
                        "the file declares none; to declare one, write :- param(size, 6, 4..10, \"board side\")."
                            .to_string()
                    }
                    None => format!("the parameters of the file are {}", first_of(&names, ", ")),
                };
                problems.push(
                    Problem::placeless(Code::InvalidParameter, format!("there is no parameter {name}")).help(help),
                );
            }
        }
    }
}

/// Builds the table of predicates. The bodies of the clauses are still terms.
fn predicates(raw: RawProgram, world: &World, problems: &mut Vec<Problem>) -> (Program, Vec<UnresolvedClause>) {
    let mut program = Program {
        sources: Arc::new(raw.sources),
        predicates: Vec::new(),
        ops: raw.ops,
        params: raw.params,
        expectations: raw.expectations,
        replaced: raw.replaced,
        known: world.known.clone(),
        by_key: FxHashMap::default(),
        imports: raw.imports,
        scopes: raw.scopes,
        hidden: Arc::default(),
    };
    let mut bodies = Vec::new();
    for clause in raw.clauses {
        let pred = program.define(clause.key);
        let defined = &mut program.predicate_mut(pred).defined;
        defined.get_or_insert(clause.tree.span(clause.head));
        bodies.push(UnresolvedClause { pred, raw: clause });
    }
    for key in raw.declared {
        program.define(key);
    }
    if !program.params.is_empty() {
        let values =
            program.params.iter().map(|param| (param.name, param.value.clone(), param.span)).collect::<Vec<_>>();
        let key = PredicateKey { scope: USER, name: Atom::new("param"), arity: 2 };
        let pred = program.define(key);
        bodies.extend(
            values
                .into_iter()
                .map(|(name, value, span)| UnresolvedClause { pred, raw: RawClause::fact(key, name, &value, span) }),
        );
    }
    mark(&mut program, raw.tabled, raw.exports, problems);
    for (key, spec) in raw.meta {
        if let Some(id) = program.by_key.get(&key) {
            program.predicate_mut(*id).meta = spec;
        }
    }
    for (key, doc) in raw.docs {
        if let Some(id) = program.by_key.get(&key) {
            program.predicate_mut(*id).doc = Some(doc);
        }
    }
    program.hidden = Arc::new(qualify::hidden(&program));
    (program, bodies)
}

/// Marks the predicates that directives table or export, and reports those that are not defined.
fn mark(
    program: &mut Program,
    tabled: Vec<(PredicateKey, Span)>,
    exports: Vec<(PredicateKey, Span)>,
    problems: &mut Vec<Problem>,
) {
    for (key, span) in tabled {
        match program.by_key.get(&key).copied() {
            Some(id) => program.predicate_mut(id).tabled = true,
            None => problems.push(
                Problem::error(
                    Code::UndefinedPredicate,
                    span,
                    format!("{}/{} is tabled but not defined", key.name.text(), key.arity),
                )
                .help("define the predicate, or remove the directive"),
            ),
        }
    }
    for (key, span) in exports {
        match program.by_key.get(&key).copied() {
            Some(id) => program.predicate_mut(id).exported = true,
            None if key.scope != USER => problems.push(
                Problem::error(
                    Code::UndefinedPredicate,
                    span,
                    format!("{}/{} is exported but not defined", key.name.text(), key.arity),
                )
                .help("define the predicate, or remove it from the list"),
            ),
            None => {}
        }
    }
}

impl Program {
    fn define(&mut self, key: PredicateKey) -> PredId {
        if let Some(id) = self.by_key.get(&key) {
            return *id;
        }
        let id = PredId(self.predicates.len() as u32);
        self.predicates.push(Arc::new(Predicate {
            key,
            defined: None,
            clauses: Vec::new(),
            tabled: false,
            meta: "".into(),
            doc: None,
            exported: false,
        }));
        self.by_key.insert(key, id);
        id
    }
}

/// Resolves every body and adds the clauses to their predicates.
fn resolve(
    program: &mut Program,
    bodies: Vec<UnresolvedClause>,
    broken: &rustc_hash::FxHashSet<Atom>,
    extras: bool,
    problems: &mut Vec<Problem>,
) {
    let mut resolved = Vec::with_capacity(bodies.len());
    let names = check::undefined::VisibleNames::default();
    for UnresolvedClause { pred, mut raw } in bodies {
        let body = raw.body.map(|body| qualify::body(program, raw.key.scope, &mut raw.tree, body));
        let mut resolver = Resolver::new(program, raw.key.scope, &raw.tree);
        let body = body.map_or(program::Goal::True, |body| resolver.goal(body));
        check::undefined::report(&resolver, broken, extras, &names, problems);
        resolved.push((pred, Clause { head: raw.head, body, span: raw.span, tree: raw.tree }));
    }
    for expectation in &program.expectations {
        let mut resolver = Resolver::new(program, USER, &expectation.tree);
        let goals = ["holds", "fails"].map(|name| expectation.tree.unary(expectation.claim, Atom::new(name)));
        // Expectations may call predicates that run a search, as typed goals may.
        resolver.typed = true;
        for goal in goals.into_iter().flatten() {
            resolver.goal(goal);
        }
        let mut found = Vec::new();
        check::undefined::report(&resolver, broken, extras, &names, &mut found);
        // A game with such a mistake can still be played.
        problems.extend(found.into_iter().map(Problem::as_warning));
    }
    for (pred, clause) in resolved {
        program.predicate_mut(pred).clauses.push(clause);
    }
}

/// Whether a report contains an error, so that the program cannot run.
pub fn is_broken(report: &Report) -> bool {
    report.problems.iter().any(|problem| problem.level == Severity::Error)
}
