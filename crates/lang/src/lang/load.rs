//! Loads files: reads clauses, directives, libraries and overlays.
//!
//! It takes the main text, overlays and changed parameters. It returns a [`RawProgram`]: every clause
//! with its scope, its goals unresolved. Loading continues after every problem. `directive.rs` handles
//! the directives, and `autoload.rs` finds the parts of the library to load.

use crate::lang::ast::{NodeId, Sentence, TermKind, TermTree};
use crate::lang::autoload;
use crate::lang::dcg;
use crate::lang::heads;
use crate::lang::kept::{KeptReader, KeptSentences};
use crate::lang::modules;
use crate::lang::ops::Ops;
use crate::lang::program::{PRELUDE, PredicateKey, Replaced, Scope, ScopeFile, USER};
use crate::lang::raw::{RawClause, RawProgram};
use crate::lang::read;
use crate::lang::surplus::{self, MOST_LISTED};
use crate::lang::world::World;
use crate::lang::{ProgramOptions, Unsaved};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::signature::PredicateClass;
use alphorn_text::source::{Origin, Source, SourceId, Sources, Span};
use alphorn_text::symbol::{Atom, atoms, reserve_library_atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The limit for the number of files of one program.
pub const MAX_FILES: usize = 1000;

pub(super) struct Loader<'a> {
    world: &'a World,
    pub(super) raw: RawProgram,
    /// The changed parameters: name and value.
    pub(super) settings: &'a [(String, String)],
    unsaved: &'a Unsaved,
    kept: Option<&'a KeptSentences>,
    loaded: FxHashMap<String, Scope>,
    /// The files that are being read, the innermost last.
    reading: Vec<String>,
    /// The predicates that the current overlay replaces, with the heads of their first clauses.
    overlay: Option<FxHashMap<PredicateKey, Span>>,
}

/// A file that is being read.
pub(super) struct FileState {
    pub(super) id: SourceId,
    pub(super) scope: Scope,
    pub(super) ops: Ops,
    /// The folder to which relative paths refer.
    pub(super) folder: Option<PathBuf>,
    pub(super) first: bool,
}

/// Collects the clauses of the main text, of the files that it loads, and of overlays.
pub fn gather(
    main: Option<&Source>,
    more: &[Source],
    overlays: &[Source],
    options: &ProgramOptions,
    world: &World,
) -> RawProgram {
    let mut loader = Loader {
        world,
        settings: &options.settings,
        unsaved: &options.unsaved,
        kept: options.kept.as_ref(),
        loaded: FxHashMap::default(),
        reading: Vec::new(),
        overlay: None,
        raw: RawProgram {
            sources: Sources::default(),
            clauses: Vec::new(),
            problems: Vec::new(),
            ops: Ops::default(),
            params: Vec::new(),
            expectations: Vec::new(),
            replaced: Vec::new(),
            tabled: Vec::new(),
            declared: FxHashSet::default(),
            meta: FxHashMap::default(),
            docs: FxHashMap::default(),
            exports: Vec::new(),
            imports: FxHashMap::default(),
            scopes: vec![ScopeFile::new("user", false), ScopeFile::new("prelude", true)],
            broken: FxHashSet::default(),
            extras: false,
        },
    };
    let prelude = Source { name: "lib/prelude.pl".into(), text: world.prelude.into(), origin: Origin::Library };
    loader.file(prelude, PRELUDE, Ops::default(), None);
    reserve_library_atoms();
    let common = loader.raw.clauses.len();
    let mut ops = Ops::default();
    for source in main.into_iter().chain(more) {
        ops = loader.user_file(source.clone(), ops);
    }
    for source in overlays {
        let before = loader.raw.clauses.len();
        loader.overlay = Some(FxHashMap::default());
        ops = loader.user_file(source.clone(), ops);
        loader.replace(before);
    }
    for part in autoload::wanted(world, &loader.raw, common) {
        let name = format!("lib/{}.pl", part.name);
        let source = Source { name: name.as_str().into(), text: part.text.into(), origin: Origin::Library };
        loader.file(source, PRELUDE, Ops::default(), None);
    }
    loader.raw.ops = ops;
    if let Some(kept) = loader.kept {
        kept.shrink(loader.raw.sources.len());
    }
    loader.raw
}

/// The sentence at byte `at`: the one that was kept there, or else the one that is read there.
fn next_sentence(
    sentences: &mut read::Sentences<'_>,
    kept: &mut Option<KeptReader>,
    at: usize,
    ops: &Ops,
) -> Option<read::ReadResult> {
    let Some(kept) = kept.as_mut().filter(|_| sentences.is_fresh()) else { return sentences.read(at, ops) };
    if let Some(found) = kept.find(at) {
        return Some(found);
    }
    let reading = sentences.read(at, ops)?;
    kept.add(at, &reading);
    Some(reading)
}

impl Loader<'_> {
    fn user_file(&mut self, source: Source, ops: Ops) -> Ops {
        let folder = match &source.origin {
            Origin::File(path) => path.parent().map(PathBuf::from),
            _ => None,
        };
        self.file(source, USER, ops, folder)
    }

    /// Reads a file into a scope. Returns the operators in force at its end.
    fn file(&mut self, source: Source, scope: Scope, ops: Ops, folder: Option<PathBuf>) -> Ops {
        let text = source.text.clone();
        let id = self.raw.sources.add(source);
        let mut file = FileState { id, scope, ops, folder, first: true };
        self.sentences(&mut file, &text);
        file.ops
    }

    fn sentences(&mut self, file: &mut FileState, text: &Arc<str>) {
        let mut at = if text.starts_with("#!") { text.find('\n').unwrap_or(text.len()) } else { 0 };
        let mut sentences = read::Sentences::new(file.id, text);
        let mut kept = self.kept.map(|kept| kept.text(file.id, text, &file.ops));
        while let Some(reading) = next_sentence(&mut sentences, &mut kept, at, &file.ops) {
            self.raw.problems.extend(reading.problem.map(|problem| *problem));
            if self.raw.problems.len() > 2 * MOST_LISTED {
                surplus::fold(&mut self.raw.problems);
            }
            if let Some(sentence) = reading.sentence {
                let is_directive = sentence.tree.unary(sentence.root, atoms::NECK).is_some();
                self.sentence(file, sentence, text, at);
                file.first = false;
                if is_directive && let Some(kept) = &mut kept {
                    kept.operators(&file.ops);
                }
            } else {
                self.raw.broken.extend(reading.name);
            }
            debug_assert!(reading.next > at, "reading always goes on");
            at = reading.next;
        }
        if let Some(kept) = kept {
            kept.end();
        }
    }

    fn sentence(&mut self, file: &mut FileState, sentence: Sentence, text: &str, from: usize) {
        let Sentence { mut tree, root, span } = sentence;
        if let Some(directive) = tree.unary(root, atoms::NECK) {
            return self.directive(file, &tree, directive);
        }
        if let Some(query) = tree.unary(root, atoms::QUERY) {
            let problem = Problem::error(
                Code::UnknownDirective,
                tree.span(query),
                "a file of rules cannot contain a question `?-`",
            )
            .help("to run the goal, type: alphorn query FILE 'GOAL'; or claim it: :- expect(holds(GOAL)).");
            return self.raw.problems.push(problem);
        }
        let (head, body) = if let Some((head, body)) = tree.binary(root, atoms::NECK) {
            (head, Some(body))
        } else if let Some((left, right)) = tree.binary(root, atoms::DCG_NECK) {
            match dcg::translate(&mut tree, left, right) {
                Ok((head, body)) => (head, Some(body)),
                Err(problem) => return self.raw.problems.push(problem),
            }
        } else {
            (root, None)
        };
        // A clause `user:Head` in a user file defines the same predicate as `Head`.
        let head = match tree.binary(head, atoms::COLON) {
            Some((module, inner)) if *tree.kind(module) == TermKind::Atom(Atom::new("user")) => inner,
            _ => head,
        };
        let Some((name, arity)) = tree.functor(head) else {
            let what = if matches!(tree.kind(head), TermKind::Var(_)) { "a variable" } else { "a number or text" };
            let problem =
                Problem::error(Code::InvalidClause, tree.span(head), format!("{what} cannot be the head of a clause"))
                    .help("a clause begins with the name of a predicate, such as move(Pos, Label, Next)");
            return self.raw.problems.push(problem);
        };
        if let Some(problem) = heads::head_problem(&tree, head, body.is_some(), text) {
            // A name in this sentence is not reported as undefined as well.
            let names = tree.nodes().filter_map(|(node, _)| tree.functor(node)).filter(|(_, arity)| *arity > 0);
            self.raw.broken.extend(names.map(|(name, _)| name));
            return self.raw.problems.push(problem);
        }
        let key = PredicateKey { scope: file.scope, name, arity };
        if let Some(problem) = self.redefinition(key, tree.span(head)) {
            return self.raw.problems.push(problem);
        }
        if let Some(begun) = &mut self.overlay
            && key.scope == USER
        {
            begun.entry(key).or_insert(tree.span(head));
        }
        if let Some(doc) = doc_above(&text[from..span.start as usize]) {
            self.raw.docs.entry(key).or_insert(doc);
        }
        self.raw.clauses.push(RawClause { key, tree, head, body, span });
    }

    /// Reports a clause that redefines a control construct or a core builtin.
    fn redefinition(&self, key: PredicateKey, span: Span) -> Option<Problem> {
        if key.scope == PRELUDE {
            return None;
        }
        let control = matches!(
            (key.name, key.arity),
            (
                atoms::COMMA
                    | atoms::SEMICOLON
                    | atoms::ARROW
                    | atoms::SOFT_ARROW
                    | atoms::BAR
                    | atoms::NECK
                    | atoms::DCG_NECK,
                2
            ) | (atoms::CUT | atoms::TRUE | atoms::FAIL | atoms::FALSE | atoms::NIL, 0)
                | (atoms::NOT | atoms::CALL | atoms::ONCE | atoms::IGNORE, 1)
                | (atoms::FORALL, 2)
                | (atoms::FINDALL, 3 | 4)
        );
        let core = self.world.known.get(key.name, key.arity).is_some_and(|(_, row)| row.class == PredicateClass::Core);
        (control || core).then(|| {
            Problem::error(
                Code::BuiltinRedefined,
                span,
                format!("{}/{} is built in and cannot be defined again", key.name.text(), key.arity),
            )
            .help(match key.name.text().starts_with(char::is_alphabetic) {
                true if key.arity == 0 => format!("remove this clause: {} is already defined", key.name.text()),
                true => format!("choose another name, such as my_{}", key.name.text()),
                false => "define a predicate with another name".to_string(),
            })
        })
    }

    /// Whether an overlay is being read, whose declarations replace those of the base program.
    pub(super) fn in_overlay(&self) -> bool {
        self.overlay.is_some()
    }

    /// Ends an overlay: removes the replaced clauses among the first `base` clauses, those of the base
    /// program.
    fn replace(&mut self, base: usize) {
        let Some(begun) = self.overlay.take() else { return };
        let mut dropped: FxHashMap<PredicateKey, Vec<(TermTree, NodeId)>> = FxHashMap::default();
        let was = self.raw.clauses.extract_if(..base, |clause| begun.contains_key(&clause.key));
        was.for_each(|clause| dropped.entry(clause.key).or_default().push((clause.tree, clause.head)));
        let replaced = dropped.into_iter().map(|(key, clauses)| Replaced { key, by: begun[&key], clauses });
        let first = self.raw.replaced.len();
        self.raw.replaced.extend(replaced);
        self.raw.replaced[first..].sort_by_key(|replaced| replaced.by);
    }

    /// Loads a library file, unless it is loaded already, and imports it.
    pub(super) fn library(&mut self, file: &mut FileState, name: &str, span: Span) {
        if name == "alphorn" {
            file.ops.add_extras();
            self.raw.extras |= file.scope == USER;
            return;
        }
        let Some(text) = (self.world.library)(name) else {
            if modules::is_built_in(name) {
                return;
            }
            let known = self.world.library_names.iter().copied().chain(modules::built_in_names()).chain(["alphorn"]);
            let near = crate::lang::near::nearest(name, known);
            let mut problem =
                Problem::error(Code::MissingFile, span, format!("there is no library({name})")).help(near.map_or_else(
                    || {
                        let names = self.world.library_names.join(", ");
                        format!("the libraries are {names}, alphorn; remove the line if you need none of them")
                    },
                    |near| format!("did you mean library({near})?"),
                ));
            problem.edits.extend(near.map(|near| (span, format!("library({near})"))));
            return self.raw.problems.push(problem);
        };
        // This key cannot be the path of a user file.
        let key = format!("library({name})");
        let scope = match self.loaded.get(&key) {
            Some(scope) => *scope,
            None => {
                let path = format!("lib/{name}.pl");
                let source = Source { name: path.as_str().into(), text: text.into(), origin: Origin::Library };
                self.module(key, source, None)
            }
        };
        self.import(file.scope, scope);
    }

    fn module(&mut self, path: String, source: Source, folder: Option<PathBuf>) -> Scope {
        let scope = Scope(self.raw.scopes.len() as u16);
        self.raw.scopes.push(ScopeFile::new(&source.name, source.origin == Origin::Library));
        self.loaded.insert(path, scope);
        self.file(source, scope, Ops::default(), folder);
        scope
    }

    fn import(&mut self, into: Scope, from: Scope) {
        if into == from {
            return;
        }
        let list = self.raw.imports.entry(into).or_default();
        if !list.contains(&from) {
            list.push(from);
        }
    }

    /// The text of a file, from the editor if it is open there.
    fn read(&self, path: &Path, name: &str) -> Result<Source, String> {
        match self.unsaved.get(path) {
            Some(text) => Ok(Source { name: name.into(), text: text.clone(), origin: Origin::File(path.into()) }),
            None => Source::read(name),
        }
    }

    /// Loads the file of a directive such as `use_module('file')` or `include(file)`.
    pub(super) fn other_file(&mut self, file: &mut FileState, relative: &str, include: bool, span: Span) {
        let refuse = |message: String, help: &str| Problem::error(Code::MissingFile, span, message).help(help);
        let Some(folder) = file.folder.clone() else {
            let problem = refuse("this text is not in a folder, so it cannot load files".into(), "use library(Name)");
            return self.raw.problems.push(problem);
        };
        let path = PathBuf::from(relative);
        let inside = path
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir));
        if !inside {
            let problem = Problem::error(
                Code::PathOutside,
                span,
                "a file can only load files in its own folder and in the folders below",
            )
            .help("move the file into this folder, and write its name without a path");
            return self.raw.problems.push(problem);
        }
        if self.raw.sources.len() >= MAX_FILES {
            let problem = refuse(format!("more than {MAX_FILES} files"), "remove directives that load files");
            return self.raw.problems.push(problem);
        }
        let mut path = folder.join(path);
        if path.extension().is_none() {
            path.set_extension("pl");
        }
        let name = path.to_string_lossy().to_string();
        if let Err(problem) = stays_inside(&path, &folder, span) {
            return self.raw.problems.push(problem);
        }
        if include && self.reading.contains(&name) {
            let problem = refuse("a file cannot include itself".into(), "remove the directive");
            return self.raw.problems.push(problem);
        }
        if let (Some(scope), false) = (self.loaded.get(&name).copied(), include) {
            return self.import(file.scope, scope);
        }
        match self.read(&path, &name) {
            Err(message) => {
                let known = relative == "alphorn" || (self.world.library)(relative).is_some();
                let help = match known || modules::is_built_in(relative) {
                    true => format!("did you mean library({relative})?"),
                    false => "correct the name; it is relative to the folder of this file".to_string(),
                };
                self.raw.problems.push(refuse(message, &help))
            }
            Ok(source) if include || !begins_with_module(&source.text) => {
                self.loaded.insert(name.clone(), file.scope);
                self.reading.push(name);
                let ops = file.ops.clone();
                let folder = path.parent().map(PathBuf::from);
                file.ops = self.file(source, file.scope, ops, folder);
                self.reading.pop();
            }
            Ok(source) => {
                let scope = self.module(name, source, path.parent().map(PathBuf::from));
                self.import(file.scope, scope);
            }
        }
    }
}

/// Reports a path that leaves the folder of the game through symbolic links.
fn stays_inside(path: &std::path::Path, folder: &std::path::Path, span: Span) -> Result<(), Problem> {
    let folder = if folder.as_os_str().is_empty() { std::path::Path::new(".") } else { folder };
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) if !path.starts_with(&folder) => {
            Err(Problem::error(Code::PathOutside, span, "this path leads out of the folder of the game")
                .help("copy the file into the folder of the game"))
        }
        _ => Ok(()),
    }
}

fn begins_with_module(text: &str) -> bool {
    module_of(text).is_some()
}

/// The first sentence of a text if it is `:- module(Name, Exports).`, with the node of its exports.
fn module_of(text: &str) -> Option<(TermTree, NodeId)> {
    let from = if text.starts_with("#!") { text.find('\n').unwrap_or(0) } else { 0 };
    let Sentence { tree, root, .. } = read::clause(SourceId(0), text, from, &Ops::default())?.sentence?;
    let directive = tree.unary(root, atoms::NECK)?;
    match (tree.functor(directive)?, tree.args(directive)) {
        ((name, 2), &[_, exports]) if name.text() == "module" => Some((tree, exports)),
        _ => None,
    }
}

/// The predicates that a library file exports: name and arity.
pub fn exports(text: &str) -> Vec<(Atom, usize)> {
    let Some((tree, exports)) = module_of(text) else { return Vec::new() };
    let items = tree.list(exports).unwrap_or_default();
    items.into_iter().filter_map(|item| tree.indicator(item)).collect()
}

/// The documentation comment that starts with the last `%!` above a clause.
fn doc_above(layout: &str) -> Option<Arc<str>> {
    let start = layout.rfind("%!")?;
    let mut lines = layout[start + 2..].lines();
    let first = lines.next()?.trim();
    let more: Vec<&str> = lines
        .map_while(|line| line.trim_start().strip_prefix('%'))
        .map(|line| line.trim_start_matches('%').trim())
        .collect();
    let text = std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n");
    Some(text.trim().into())
}
