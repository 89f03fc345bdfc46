//! The words of a text that are no predicates: atoms, functors of terms, variables.

use crate::ide::analysis::TextAnalysis;
use crate::ide::known::KnownIndex;
use crate::ide::offers::Cursor;
use alphorn_lang::lang::token::TokenKind;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// An atom or a functor of a text.
pub(super) struct DataWord {
    /// The name.
    pub name: Atom,
    /// Whether arguments follow.
    pub functor: bool,
    /// Whether the word occurs more than once.
    pub often: bool,
}

/// What was counted of a word.
#[derive(Default)]
struct Count {
    places: u32,
    /// Whether the word stands in the arguments of a head, where nothing is called.
    in_head: bool,
}

/// The atoms and functors of the clauses of a text, without the word that is being typed.
pub(super) fn atoms(analysis: &TextAnalysis, typed: &Range<usize>) -> Vec<DataWord> {
    let mut counts: FxHashMap<(Atom, bool), Count> = FxHashMap::default();
    // Words of directives, such as library and param, are no data.
    let clauses = analysis.syntax.sentences.iter().filter(|sentence| sentence.name_of(0) != Some(atoms::NECK));
    for sentence in clauses {
        let mut in_head = true;
        for (number, token) in sentence.tokens.iter().enumerate() {
            let (TokenKind::Name(name) | TokenKind::Quoted(name)) = token.word else { continue };
            in_head &= !matches!(name, atoms::NECK | atoms::DCG_NECK);
            if token.span.start as usize == typed.start {
                continue;
            }
            let next = sentence.tokens.get(number + 1);
            let functor = next.is_some_and(|next| next.word == TokenKind::Mark('(') && !next.spaced);
            let of_param = number.checked_sub(2).and_then(|before| sentence.name_of(before));
            if functor && number == 0 || of_param.is_some_and(|name| name.text() == "param") {
                continue;
            }
            let count = counts.entry((name, functor)).or_default();
            count.places += 1;
            count.in_head |= in_head;
        }
    }
    let called: FxHashSet<Atom> = analysis.own.iter().map(|own| own.name).collect();
    let known = |name: &str| name == "param" || KnownIndex::get().named(name).next().is_some();
    let is_called = |name: &Atom| called.contains(name) || known(name.text());
    let found = counts.into_iter().filter(|((name, functor), count)| {
        let word = name.text().starts_with(char::is_alphabetic);
        // Operators of arithmetic do not begin a term.
        let joins = !*functor && matches!(name.text(), "is" | "mod" | "rem" | "div" | "xor");
        word && !joins && !(*functor && !count.in_head && is_called(name))
    });
    found.map(|((name, functor), count)| DataWord { name, functor, often: count.places > 1 }).collect()
}

/// The variables of other clauses, if a variable is being typed: people use the same names again.
pub(super) fn variables(analysis: &TextAnalysis, here: &Cursor) -> Vec<String> {
    let typed = analysis.syntax.text.get(here.word.clone()).unwrap_or("");
    if !typed.starts_with(char::is_uppercase) && !here.word.is_empty() {
        return Vec::new();
    }
    let tokens = analysis.syntax.sentences.iter().flat_map(|sentence| &sentence.tokens);
    let mut seen: FxHashSet<&str> = here.variables.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for token in tokens.filter(|token| token.span.start as usize != here.word.start) {
        if let TokenKind::Var(name) = &token.word
            && !name.starts_with('_')
            && seen.insert(name)
        {
            found.push(name.to_string());
        }
    }
    found
}
