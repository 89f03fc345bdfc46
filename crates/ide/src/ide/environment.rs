//! What a text sees besides its own clauses: operators, parameters, the files and libraries that it loads.
//!
//! The directives of the text alone decide it. An editor keeps an [`Environment`] while they stay the same.

use crate::ide::heading;
use crate::ide::known::KnownIndex;
use crate::ide::syntax::{SentenceKind, Syntax};
use alphorn_lang::lang::ProgramOptions;
use alphorn_lang::lang::ast::NodeId;
use alphorn_lang::lang::ast::TermTree;
use alphorn_lang::lang::load::gather;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::{PRELUDE, Param, PredicateKey, USER};
use alphorn_lang::lang::raw::RawProgram;
use alphorn_rules::rules::world;
use alphorn_text::source::{Origin, Source, Span};
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A predicate of another file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub name: Atom,
    /// The number of arguments.
    pub arity: usize,
    /// How it is called.
    pub heading: String,
    /// What it does, if a documentation comment says so.
    pub about: String,
    /// The file.
    pub source: Source,
    /// The name in the first head.
    pub span: Span,
    /// Whether an overlay may replace it: it belongs to the game, not to a module.
    pub own: bool,
}

/// What a text sees besides its own clauses.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The operators at the end of the text.
    pub ops: Ops,
    /// The parameters, also those of the text itself.
    pub params: Vec<Param>,
    /// The predicates of other files that the text can call.
    pub definitions: Vec<Definition>,
    by_key: FxHashMap<(Atom, usize), usize>,
    meta: FxHashMap<(Atom, usize), Arc<str>>,
    /// The libraries that the text loads.
    pub libraries: FxHashSet<String>,
    /// The files of the user that belong to the program, without the text itself.
    pub files: Vec<Source>,
}

impl Environment {
    /// The surroundings of a text. `before` are the texts loaded before it, such as the game of an
    /// overlay.
    pub fn load(before: &[Source], text: &Source, syntax: &Syntax, options: &ProgramOptions) -> Environment {
        let stub = Source { text: directives(syntax).into(), ..text.clone() };
        let texts: Vec<Source> = before.iter().cloned().chain([stub]).collect();
        let (main, more) = texts.split_at(1);
        let raw = gather(main.first(), more, &[], options, &world());
        let loaded = |name: &str| raw.scopes.iter().any(|scope| *scope.name == *format!("lib/{name}.pl"));
        let mut libraries: FxHashSet<String> =
            KnownIndex::get().libraries.iter().filter(|name| loaded(name)).cloned().collect();
        if raw.extras {
            libraries.insert("alphorn".to_string());
        }
        let definitions = definitions(&raw, &text.name);
        let by_key = definitions.iter().enumerate().map(|(at, one)| ((one.name, one.arity), at)).collect();
        let visible = |key: &PredicateKey| key.scope != PRELUDE;
        let meta = raw.meta.iter().filter(|(key, _)| visible(key));
        let meta = meta.map(|(key, spec)| ((key.name, key.arity), spec.clone())).collect();
        let all = (0..raw.sources.len()).map(|id| raw.sources.get(alphorn_text::source::SourceId(id as u16)));
        let files = all.filter(|source| source.origin != Origin::Library && source.name != text.name);
        let files = files.cloned().collect();
        Environment { ops: raw.ops, params: raw.params, definitions, by_key, meta, libraries, files }
    }

    /// The predicate of another file with this name and arity.
    pub fn find(&self, name: Atom, arity: usize) -> Option<&Definition> {
        self.by_key.get(&(name, arity)).map(|at| &self.definitions[*at])
    }

    /// The declaration `meta_predicate/1` of a predicate of the user, in the form of a signature.
    pub fn meta(&self, name: Atom, arity: usize) -> Option<&str> {
        self.meta.get(&(name, arity)).map(|spec| &**spec)
    }
}

/// The directives of a text, one a line. They decide its environment.
pub fn directives(syntax: &Syntax) -> String {
    let all = syntax.sentences.iter().filter(|sentence| sentence.kind == SentenceKind::Directive && sentence.ended);
    all.map(|sentence| format!("{}\n", &syntax.text[sentence.range.clone()])).collect()
}

fn definitions(raw: &RawProgram, own: &Arc<str>) -> Vec<Definition> {
    let exported: FxHashSet<PredicateKey> = raw.exports.iter().map(|(key, _)| *key).collect();
    let imported = raw.imports.get(&USER).map_or(&[][..], Vec::as_slice);
    let visible = |key: &PredicateKey| key.scope == USER || imported.contains(&key.scope) && exported.contains(key);
    let mut order: Vec<PredicateKey> = Vec::new();
    let mut heads: FxHashMap<PredicateKey, Vec<(&TermTree, NodeId)>> = FxHashMap::default();
    for clause in raw.clauses.iter().filter(|clause| visible(&clause.key)) {
        let source = raw.sources.get(clause.span.source);
        if source.origin == Origin::Library || source.name == *own {
            continue;
        }
        let list = heads.entry(clause.key).or_insert_with(|| {
            order.push(clause.key);
            Vec::new()
        });
        list.push((&clause.tree, clause.head));
    }
    order
        .into_iter()
        .map(|key| {
            let clauses = &heads[&key];
            let (tree, head) = clauses[0];
            let (name, span) = (key.name.text(), tree.span(head));
            let doc = raw.docs.get(&key).map_or("", |doc| &**doc);
            let (call, about) = heading::split(name, key.arity, doc);
            let call =
                call.map_or_else(|| heading::of_heads(name, key.arity, clauses.iter().copied(), &[]), str::to_string);
            Definition {
                name: key.name,
                arity: key.arity,
                heading: call,
                about: about.to_string(),
                source: raw.sources.get(span.source).clone(),
                span,
                own: key.scope == USER,
            }
        })
        .collect()
}
