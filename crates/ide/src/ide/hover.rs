//! What a name at the cursor means.

use crate::ide::analysis::{Callable, OwnPredicate, TextAnalysis};
use crate::ide::describe::{self, describe};
use crate::ide::known::KnownIndex;
use crate::ide::occurrences::{Part, occurrences};
use crate::ide::syntax::{ReadSentence, SentenceKind, guessed_arity};
use alphorn_lang::lang::token::{Token, TokenKind};
use alphorn_text::report::plural;
use alphorn_text::symbol::{Atom, atoms};
use std::ops::Range;

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// The description, as Markdown.
    pub markdown: String,
}

/// The name at a byte of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A predicate.
    Predicate(Atom, usize),
    /// A variable of the sentence with this number.
    Variable(usize, String),
    /// A parameter.
    Param(Atom),
    /// A term that is not called: name and arity.
    Data(Atom, usize),
}

/// Finds the name at a byte, with its place.
pub fn target(analysis: &TextAnalysis, offset: usize) -> Option<(Target, Range<usize>)> {
    if analysis.syntax.in_comment(offset) {
        return None;
    }
    let sentence = analysis.syntax.sentence_at(offset)?;
    let token = sentence.token_at(offset)?;
    let span = sentence.tokens[token].span;
    let range = span.start as usize..span.end as usize;
    if let TokenKind::Var(name) = &sentence.tokens[token].word {
        let first = sentence.range.start;
        let number = analysis.syntax.sentences.partition_point(|other| other.range.start < first);
        return Some((Target::Variable(number, name.to_string()), range));
    }
    let name = sentence.name_of(token)?;
    let known = occurrences(analysis, sentence).into_iter().find(|one| one.span == span);
    let found = match known {
        Some(one) => match one.part {
            Part::Param => Target::Param(one.name),
            Part::Data => Target::Data(one.name, one.arity),
            _ => Target::Predicate(one.name, one.arity),
        },
        None if sentence.term.is_some() => Target::Data(name, guessed_arity(&sentence.tokens, token)),
        None => guessed(analysis, sentence, token, name),
    };
    Some((found, range))
}

/// The meaning of a name in a sentence that cannot be read.
fn guessed(analysis: &TextAnalysis, sentence: &ReadSentence, token: usize, name: Atom) -> Target {
    let arity = guessed_arity(&sentence.tokens, token);
    let before = token.checked_sub(2).and_then(|at| sentence.name_of(at));
    if before.is_some_and(|before| before.text() == "param") && analysis.param(name.text()).is_some() {
        return Target::Param(name);
    }
    match analysis.find(name, arity) {
        Some(_) => Target::Predicate(name, arity),
        None => Target::Data(name, arity),
    }
}

/// Describes the name at a byte.
pub fn hover(analysis: &TextAnalysis, offset: usize) -> Option<Hover> {
    let (target, range) = target(analysis, offset)?;
    let sentence = analysis.syntax.sentence_at(offset)?;
    let directive = sentence.kind == SentenceKind::Directive;
    let markdown = match target {
        Target::Predicate(name, arity) => predicate(analysis, name, arity)?,
        Target::Param(name) => describe::param(analysis.param(name.text())?.0),
        Target::Variable(_, name) => variable(sentence, &name),
        Target::Data(name, arity) => {
            let word = name.text();
            let about = if directive {
                let first = sentence.tokens.get(1).is_some_and(|token| token.span.start as usize == range.start);
                describe::word_of_directives(word, !first)
            } else {
                None
            };
            let about = about.or_else(|| library(sentence, &range));
            let about = about.or_else(|| result(sentence, name, arity).map(str::to_string));
            about.unwrap_or_else(|| data(analysis, name, arity))
        }
    };
    Some(Hover { range, markdown })
}

fn predicate(analysis: &TextAnalysis, name: Atom, arity: usize) -> Option<String> {
    match analysis.find(name, arity) {
        Some(found) => {
            let mut text = describe(analysis, found).markdown();
            if let Callable::Own(own) = found {
                text.push_str(&facts(analysis, own).unwrap_or_default());
            }
            if let Callable::Known(known) = found
                && let Some(library) = known.library()
                && !analysis.environment.libraries.contains(library)
            {
                text.push_str(&format!("\nThis file does not load it: write `:- use_module(library({library})).`\n"));
            }
            Some(text)
        }
        None if name.text() == "param" && arity == 2 => Some(
            "```prolog\nparam(+Name, -Value)\n```\n\nThe value of a parameter that `:- param(...)` declares.\n".into(),
        ),
        None => describe::game_predicate(name.text(), arity).or_else(|| {
            let same = analysis.own.iter().filter(|own| own.name == name).map(|own| own.indicator());
            let same: Vec<String> = same.collect();
            let hint = if same.is_empty() { String::new() } else { format!("; there is {}", same.join(", ")) };
            Some(format!("`{}/{arity}` is not defined{hint}\n", name.text()))
        }),
    }
}

/// The greatest number of facts in a description, and the greatest length of one.
const FACTS: usize = 6;
const FACT_LENGTH: usize = 70;

/// The clauses of a predicate as Markdown, if they are a few short facts.
fn facts(analysis: &TextAnalysis, own: &OwnPredicate) -> Option<String> {
    let sentences = own.clauses.iter().map(|number| &analysis.syntax.sentences[*number]);
    let texts = sentences.map(|sentence| {
        let text = analysis.syntax.text.get(sentence.range.clone())?;
        let term = sentence.term.as_ref()?;
        let rule = matches!(term.tree.functor(term.root), Some((atoms::NECK | atoms::DCG_NECK, _)));
        (!rule && text.len() <= FACT_LENGTH && !text.contains('\n')).then_some(text)
    });
    let texts: Option<Vec<&str>> = if own.arity > 0 && own.clauses.len() <= FACTS { texts.collect() } else { None };
    Some(format!("\n```prolog\n{}\n```\n", texts?.join("\n")))
}

/// The description of a library, if a directive names it at these bytes.
fn library(sentence: &ReadSentence, range: &Range<usize>) -> Option<String> {
    let names = |token: &Token| token.span.start as usize == range.start;
    let at = sentence.tokens.iter().position(names)?;
    let is_library = |at: usize| sentence.name_of(at).is_some_and(|name| name.text() == "library");
    let named =
        if is_library(at) { at + 2 } else { at.checked_sub(2).filter(|at| is_library(*at)).map(|at| at + 2)? };
    let name = sentence.name_of(named)?.text();
    let known = KnownIndex::get().all.iter().filter(|known| known.library() == Some(name));
    let headings: Vec<&str> = known.map(|known| known.heading.as_str()).collect();
    (!headings.is_empty())
        .then(|| format!("`library({name})` has these predicates:\n\n```prolog\n{}\n```\n", headings.join("\n")))
}

/// The meaning of a result in a clause of `outcome/2`.
fn result(sentence: &ReadSentence, name: Atom, arity: usize) -> Option<&'static str> {
    let (defined, arguments) = sentence.defines?;
    if (defined.text(), arguments) != ("outcome", 2) {
        return None;
    }
    match (name.text(), arity) {
        ("win", 1) => Some("`win(max)` or `win(min)`: MAX or MIN wins; a search prefers quick wins\n"),
        ("draw", 0) => Some("`draw`: nobody wins; the value is 0\n"),
        ("score", 1) => Some("`score(N)`: the game ends with N for MAX\n"),
        _ => None,
    }
}

fn variable(sentence: &ReadSentence, name: &str) -> String {
    if name == "_" {
        return "`_`: an anonymous variable, a new one at each place\n".to_string();
    }
    let is = |word: &TokenKind| matches!(word, TokenKind::Var(other) if **other == *name);
    let count = sentence.tokens.iter().filter(|token| is(&token.word)).count();
    let hint = if count == 1 && !name.starts_with('_') { ": it stands alone, so any term fits here" } else { "" };
    format!("`{name}`: a variable with {} in this clause{hint}\n", plural(count as u64, "place", "places"))
}

fn data(analysis: &TextAnalysis, name: Atom, arity: usize) -> String {
    let tokens = analysis.syntax.sentences.iter().map(|sentence| &sentence.tokens);
    let places: usize = tokens
        .map(|tokens| {
            let is = |word: &TokenKind| matches!(word, TokenKind::Name(one) | TokenKind::Quoted(one) if *one == name);
            let fits = |at: &usize| is(&tokens[*at].word) && guessed_arity(tokens, *at) == arity;
            (0..tokens.len()).filter(fits).count()
        })
        .sum();
    let what = if arity == 0 {
        "an atom".to_string()
    } else {
        format!("a term with {}", plural(arity as u64, "argument", "arguments"))
    };
    format!("`{}`: {what}, {} in this file\n", name.text(), plural(places as u64, "place", "places"))
}
