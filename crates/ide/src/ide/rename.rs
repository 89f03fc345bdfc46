//! Renames a variable, a predicate or a parameter, and checks that nothing else changes.
//!
//! The check loads the program before and after: every clause must be the same term with the same callees,
//! except for the new name.

use crate::ide::analysis::TextAnalysis;
use crate::ide::heading;
use crate::ide::hover::{Target, target};
use crate::ide::navigate::{NamePlace, names, references, variable_places};
use crate::ide::occurrences::{Part, occurrences};
use crate::ide::same::{calls_unknown_terms, same};
use crate::ide::written::quoted;
use alphorn_lang::lang::ProgramOptions;
use alphorn_rules::rules::{self, Expected};
use alphorn_text::source::{Origin, Source, SourceId, Sources, Span};
use alphorn_text::symbol::Atom;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// The files of a program that a change must not break: those that load together.
#[derive(Clone, Debug)]
pub struct ProgramFiles {
    /// The main text, and others that load after it.
    pub texts: Vec<Source>,
    /// The overlays.
    pub overlays: Vec<Source>,
}

/// Changes of one file: the number of the file, and the places with their new texts.
pub type FileEdits = Vec<(usize, Vec<(Range<usize>, String)>)>;

/// The name at a byte that can be renamed.
///
/// # Errors
///
/// A sentence says why the name cannot be renamed.
pub fn can_rename(analysis: &TextAnalysis, offset: usize) -> Result<Range<usize>, String> {
    let Some((target, range)) = target(analysis, offset) else { return Err("there is no name here".to_string()) };
    match target {
        Target::Variable(_, name) if name == "_" => Err("an anonymous variable has no name".to_string()),
        Target::Variable(..) | Target::Param(_) => Ok(range),
        Target::Data(name, _) => Err(format!(
            "{} is a term here, not a predicate, a variable or a parameter; change its places by hand",
            name.text()
        )),
        Target::Predicate(name, arity) => {
            let shown = format!("{}/{arity}", name.text());
            if heading::of_game(name.text(), arity).is_some() {
                return Err(format!("{shown} is a game predicate: Alphorn calls it by this name"));
            }
            match analysis.find(name, arity) {
                Some(crate::ide::analysis::Callable::Known(_)) => Err(format!("{shown} comes with Alphorn")),
                _ if analysis.environment.ops.is_op(name) => Err(format!("{} is an operator", name.text())),
                _ => Ok(range),
            }
        }
    }
}

/// Renames the name at a byte of the first file, in all files.
///
/// # Errors
///
/// A sentence says why: the name is taken, or a program would mean something else.
pub fn rename(
    files: &[&TextAnalysis],
    programs: &[ProgramFiles],
    options: &ProgramOptions,
    offset: usize,
    new: &str,
) -> Result<FileEdits, String> {
    let Some(first) = files.first() else { return Err("there is no file".to_string()) };
    can_rename(first, offset)?;
    let (target, _) = target(first, offset).ok_or("there is no name here")?;
    let (old, text) = match &target {
        Target::Variable(number, old) => {
            let sentence = &first.syntax.sentences[*number];
            variable_name(new)?;
            if !variable_places(sentence, new).is_empty() && new != old {
                return Err(format!("{new} is another variable of this clause"));
            }
            let places = variable_places(sentence, old);
            return Ok(vec![(0, places.into_iter().map(|place| (place, new.to_string())).collect())]);
        }
        Target::Predicate(name, arity) => {
            free_predicate(files, new, *arity)?;
            data_stays(files, programs, options, *name, *arity)?;
            (*name, quoted(new))
        }
        Target::Param(name) => {
            if files.iter().any(|file| file.param(new).is_some()) {
                return Err(format!("there is a parameter {new} already"));
            }
            (*name, quoted(new))
        }
        Target::Data(..) => return Err("this is not a predicate, a variable or a parameter".to_string()),
    };
    let unreadable = files.iter().find_map(|file| {
        let mut broken = file.syntax.sentences.iter().filter(|sentence| sentence.term.is_none());
        let sentence = broken.find(|one| one.tokens.iter().any(|token| names(&token.word, old)))?;
        Some(place(file, sentence.range.start))
    });
    if let Some(place) = unreadable {
        return Err(format!("{} also stands in a clause that cannot be read, {place}", old.text()));
    }
    let edits = edits(references(files, offset), &text);
    for program in programs {
        unchanged(files, program, options, &edits, (old, Atom::new(new)))?;
    }
    Ok(edits)
}

fn edits(places: Vec<(usize, NamePlace)>, text: &str) -> FileEdits {
    let mut found: FileEdits = Vec::new();
    for (file, NamePlace { range, .. }) in places {
        match found.iter_mut().find(|(other, _)| *other == file) {
            Some((_, list)) => list.push((range, text.to_string())),
            None => found.push((file, vec![(range, text.to_string())])),
        }
    }
    for (_, list) in &mut found {
        list.sort_by_key(|(range, _)| range.start);
        list.dedup();
    }
    found
}

fn variable_name(new: &str) -> Result<(), String> {
    let begins = new.starts_with(|c: char| c.is_uppercase() || c == '_');
    match begins && new != "_" && new.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => Ok(()),
        false => Err(format!("{new:?} is no name of a variable: it begins with a capital letter or _")),
    }
}

fn free_predicate(files: &[&TextAnalysis], new: &str, arity: usize) -> Result<(), String> {
    if new.is_empty() || new.chars().any(char::is_control) {
        return Err("the new name is empty or contains a control character".to_string());
    }
    if new.starts_with(|c: char| c.is_uppercase() || c == '_') {
        return Err(format!("{new} is the name of a variable; a predicate begins with a small letter"));
    }
    if heading::of_game(new, arity).is_some() {
        return Err(format!("{new}/{arity} is a game predicate: Alphorn would call it"));
    }
    let atom = Atom::new(new);
    let taken = files.iter().find(|file| file.find(atom, arity).is_some() || file.environment.ops.is_op(atom));
    match taken {
        Some(file) if file.environment.ops.is_op(atom) => Err(format!("{new} is an operator")),
        Some(_) => Err(format!("{new}/{arity} is defined already")),
        None => Ok(()),
    }
}

/// Refuses if the name also stands as data and a goal of a program calls terms that are known only when it
/// runs: nobody can tell whether it calls the predicate.
fn data_stays(
    files: &[&TextAnalysis],
    programs: &[ProgramFiles],
    options: &ProgramOptions,
    name: Atom,
    arity: usize,
) -> Result<(), String> {
    let data = files.iter().find_map(|file| {
        let sentences = file.syntax.sentences.iter();
        let named = sentences.filter(|sentence| sentence.tokens.iter().any(|token| names(&token.word, name)));
        let mut all = named.flat_map(|sentence| occurrences(file, sentence));
        let one = all.find(|one| one.part == Part::Data && one.name == name && one.arity <= arity)?;
        Some(place(file, one.span.start as usize))
    });
    let Some(data) = data else { return Ok(()) };
    for program in programs {
        let loaded = rules::load(&program.texts, &program.overlays, options, Expected::Either);
        if let Some(span) = calls_unknown_terms(&loaded.program) {
            let sources = &loaded.program.sources;
            let (line, _) = sources.line_column(span);
            return Err(format!(
                "{} also stands as data, {data}, and line {line} of {} calls a term that is known only when it runs; \
                 rename by hand",
                name.text(),
                sources.get(span.source).name
            ));
        }
    }
    Ok(())
}

/// A place in words.
fn place(file: &TextAnalysis, offset: usize) -> String {
    let mut sources = Sources::default();
    sources.add(file.source.clone());
    let at = offset as u32;
    let (line, _) = sources.line_column(Span { source: SourceId(0), start: at, end: at });
    format!("in line {line} of {}", file.source.name)
}

/// Checks that a program means the same with the changes.
fn unchanged(
    files: &[&TextAnalysis],
    program: &ProgramFiles,
    options: &ProgramOptions,
    edits: &FileEdits,
    names: (Atom, Atom),
) -> Result<(), String> {
    let mut unsaved = (*options.unsaved).clone();
    let changed = |source: &Source| -> Source {
        let edited = edits.iter().find(|(number, _)| files[*number].source.name == source.name);
        let text = edited.map_or_else(|| source.text.clone(), |(_, list)| apply(&source.text, list).into());
        Source { text, ..source.clone() }
    };
    for (number, list) in edits {
        let source = &files[*number].source;
        if let Origin::File(path) = &source.origin {
            unsaved.insert(PathBuf::from(path), apply(&source.text, list).into());
        }
    }
    let after = ProgramOptions { unsaved: Arc::new(unsaved), ..options.clone() };
    let texts: Vec<Source> = program.texts.iter().map(changed).collect();
    let overlays: Vec<Source> = program.overlays.iter().map(changed).collect();
    let before = rules::load(&program.texts, &program.overlays, options, Expected::Either);
    let after = rules::load(&texts, &overlays, &after, Expected::Either);
    same(&before, &after, names)
}

/// A text with changes, which are in order and do not overlap.
pub fn apply(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        out.push_str(text.get(at..range.start).unwrap_or(""));
        out.push_str(new);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}
