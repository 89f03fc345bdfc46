//! Definitions and references of the name at the cursor, in one file or in several.

use crate::ide::analysis::{Callable, TextAnalysis};
use crate::ide::hover::{Target, target};
use crate::ide::known::{KnownFrom, KnownIndex};
use crate::ide::occurrences::{Part, occurrences};
use crate::ide::syntax::{ReadSentence, SentenceKind, Syntax, guessed_arity};
use alphorn_lang::lang::token::TokenKind;
use alphorn_text::source::{Source, Span};
use alphorn_text::symbol::Atom;
use std::ops::Range;
use std::path::Path;

/// A place in a text.
#[derive(Clone, Debug)]
pub struct Location {
    /// The text.
    pub source: Source,
    /// The bytes.
    pub range: Range<usize>,
}

/// A reference to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePlace {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// Whether the name is defined here.
    pub defines: bool,
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The place where the name at a byte is defined.
pub fn definition(analysis: &TextAnalysis, offset: usize) -> Option<Location> {
    let here = |range: Range<usize>| Location { source: analysis.source.clone(), range };
    let (target, range) = target(analysis, offset)?;
    match target {
        Target::Predicate(name, arity) => predicate(analysis, name, arity),
        Target::Variable(sentence, name) => {
            let sentence = &analysis.syntax.sentences[sentence];
            variable_places(sentence, &name).into_iter().next().map(here)
        }
        Target::Param(name) => {
            if let Some((_, Some(place))) = analysis.param(name.text()) {
                return Some(here(place));
            }
            analysis.environment.files.iter().find_map(|source| {
                let file = TextAnalysis::of(source, &[], &Default::default(), None);
                let (_, place) = file.param_places().into_iter().find(|(known, _)| *known == name)?;
                Some(Location { source: source.clone(), range: place })
            })
        }
        Target::Data(name, _) => loaded_file(analysis, name, &range),
    }
}

fn predicate(analysis: &TextAnalysis, name: Atom, arity: usize) -> Option<Location> {
    match analysis.find(name, arity)? {
        Callable::Own(own) => Some(Location { source: analysis.source.clone(), range: own.place.clone() }),
        Callable::Other(other) => {
            let start = other.span.start as usize;
            Some(Location { source: other.source.clone(), range: start..start + name.text().len() })
        }
        Callable::Known(known) => match &known.from {
            KnownFrom::Builtin | KnownFrom::Extra => None,
            KnownFrom::Prelude(source, span) | KnownFrom::Library(_, source, span) => {
                Some(Location { source: source.clone(), range: bytes(*span) })
            }
        },
    }
}

/// The file or the library that a directive loads.
fn loaded_file(analysis: &TextAnalysis, name: Atom, range: &Range<usize>) -> Option<Location> {
    let sentence = analysis.syntax.sentence_at(range.start)?;
    let directive = sentence.kind == SentenceKind::Directive
        && sentence.name_of(1).is_some_and(|name| matches!(name.text(), "include" | "use_module" | "ensure_loaded"));
    if !directive {
        return None;
    }
    let begin = |source: &Source| Location { source: source.clone(), range: 0..0 };
    let stem = Path::new(name.text()).file_stem()?;
    let same = |source: &&Source| Path::new(&*source.name).file_stem() == Some(stem);
    let library = || {
        let library = KnownIndex::get().all.iter().find_map(|known| match &known.from {
            KnownFrom::Library(library, source, _) if *library == *name.text() => Some(source),
            _ => None,
        })?;
        Some(begin(library))
    };
    analysis.environment.files.iter().find(same).map(begin).or_else(library)
}

/// The places of a variable in a sentence.
pub fn variable_places(sentence: &ReadSentence, name: &str) -> Vec<Range<usize>> {
    let is = |word: &TokenKind| matches!(word, TokenKind::Var(other) if **other == *name);
    sentence.tokens.iter().filter(|token| is(&token.word)).map(|token| bytes(token.span)).collect()
}

/// The places of a predicate in a text, if a goal of the text calls the predicate that `home` defines.
pub fn predicate_places(analysis: &TextAnalysis, name: Atom, arity: usize, home: Option<&str>) -> Vec<NamePlace> {
    // A file that another one includes may call what only the other one defines.
    let meant = match (analysis.find(name, arity), home) {
        (Some(Callable::Own(_)), Some(home)) => *analysis.source.name == *home,
        (Some(Callable::Other(other)), Some(home)) => *other.source.name == *home,
        (Some(Callable::Known(_)), home) => home.is_none(),
        (None, _) => true,
        (Some(_), None) => false,
    };
    if !meant {
        return Vec::new();
    }
    let mut found = Vec::new();
    for sentence in &analysis.syntax.sentences {
        if !sentence.tokens.iter().any(|token| names(&token.word, name)) {
            continue;
        }
        if sentence.term.is_none() {
            found.extend(unreadable_places(sentence, name, arity));
            continue;
        }
        let all = occurrences(analysis, sentence).into_iter();
        let called = all.filter(|one| one.name == name && one.arity == arity);
        let called = called.filter(|one| !matches!(one.part, Part::Data | Part::Param));
        found.extend(called.map(|one| NamePlace { range: bytes(one.span), defines: one.part == Part::Head }));
    }
    found
}

pub(super) fn names(word: &TokenKind, name: Atom) -> bool {
    match word {
        TokenKind::Name(found) | TokenKind::Quoted(found) => *found == name,
        TokenKind::Mark(',') => name.text() == ",",
        TokenKind::Mark('|') => name.text() == "|",
        _ => false,
    }
}

/// The places of a name with this arity in a sentence that cannot be read.
fn unreadable_places(sentence: &ReadSentence, name: Atom, arity: usize) -> Vec<NamePlace> {
    let tokens = &sentence.tokens;
    let fits = |at: &usize| names(&tokens[*at].word, name) && guessed_arity(tokens, *at) == arity;
    let places = (0..tokens.len()).filter(fits);
    places.map(|at| NamePlace { range: bytes(tokens[at].span), defines: at == 0 }).collect()
}

/// The places of a parameter in a text.
pub fn param_places(analysis: &TextAnalysis, name: Atom) -> Vec<NamePlace> {
    let declared: Vec<Range<usize>> = analysis.param_places().into_iter().map(|(_, place)| place).collect();
    let sentences = analysis.syntax.sentences.iter();
    let named = sentences.filter(|sentence| sentence.tokens.iter().any(|token| names(&token.word, name)));
    let all = named.flat_map(|sentence| occurrences(analysis, sentence));
    let params = all.filter(|one| one.part == Part::Param && one.name == name);
    params.map(|one| NamePlace { defines: declared.contains(&bytes(one.span)), range: bytes(one.span) }).collect()
}

/// The places of the name at a byte, in the text itself.
pub fn local_places(analysis: &TextAnalysis, offset: usize) -> Vec<NamePlace> {
    let Some((target, _)) = target(analysis, offset) else { return Vec::new() };
    match target {
        Target::Variable(number, name) => {
            let places = variable_places(&analysis.syntax.sentences[number], &name);
            let one = |(number, range)| NamePlace { range, defines: number == 0 };
            match name.as_str() {
                "_" => Vec::new(),
                _ => places.into_iter().enumerate().map(one).collect(),
            }
        }
        Target::Predicate(name, arity) => {
            predicate_places(analysis, name, arity, home(analysis, name, arity).as_deref())
        }
        Target::Param(name) => param_places(analysis, name),
        Target::Data(name, arity) => data_places(&analysis.syntax, name, arity),
    }
}

/// The places of an atom or a term in a text.
pub fn data_places(syntax: &Syntax, name: Atom, arity: usize) -> Vec<NamePlace> {
    syntax.sentences.iter().flat_map(|sentence| unreadable_places(sentence, name, arity)).collect()
}

/// The name of the file that defines a predicate; `None` if it comes with Alphorn or is not defined.
pub fn home(analysis: &TextAnalysis, name: Atom, arity: usize) -> Option<String> {
    match analysis.find(name, arity) {
        Some(Callable::Own(_)) => Some(analysis.source.name.to_string()),
        Some(Callable::Other(other)) => Some(other.source.name.to_string()),
        Some(Callable::Known(_)) | None => None,
    }
}

/// The places of the name at a byte of the first file, in all of these files: the number of the file, and
/// the place. Variables stay in their clause.
pub fn references(files: &[&TextAnalysis], offset: usize) -> Vec<(usize, NamePlace)> {
    let Some((first, _)) = files.split_first() else { return Vec::new() };
    let Some((target, _)) = target(first, offset) else { return Vec::new() };
    let mut found: Vec<(usize, NamePlace)> = Vec::new();
    let mut add = |number: usize, places: Vec<NamePlace>| found.extend(places.into_iter().map(|one| (number, one)));
    match target {
        Target::Variable(..) => add(0, local_places(first, offset)),
        Target::Predicate(name, arity) => {
            // A file may call what only a file above it defines.
            let home = files.iter().find_map(|file| home(file, name, arity));
            for (number, file) in files.iter().enumerate() {
                add(number, predicate_places(file, name, arity, home.as_deref()));
            }
        }
        Target::Param(name) => {
            files.iter().enumerate().for_each(|(number, file)| add(number, param_places(file, name)))
        }
        Target::Data(name, arity) => {
            files.iter().enumerate().for_each(|(number, file)| add(number, data_places(&file.syntax, name, arity)));
        }
    }
    found
}
