//! CallSignature help: the predicate whose arguments are being written.

use crate::ide::analysis::{Callable, TextAnalysis};
use crate::ide::describe::{Description, describe};
use crate::ide::heading;
use crate::ide::known::KnownIndex;
use crate::ide::offers::{name_before, open_bracket};
use std::ops::Range;

/// A predicate and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSignature {
    /// How the predicate is called.
    pub heading: String,
    /// The bytes of each argument in the heading.
    pub arguments: Vec<Range<usize>>,
    /// What the predicate does, as Markdown.
    pub about: String,
}

/// The predicates whose arguments may be written at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The predicates of this name, by arity.
    pub signatures: Vec<CallSignature>,
    /// The likeliest predicate.
    pub active: usize,
    /// The argument at the cursor, from 0.
    pub argument: usize,
}

/// Finds the predicate around a byte.
pub fn signature(analysis: &TextAnalysis, offset: usize) -> Option<SignatureHelp> {
    let syntax = &analysis.syntax;
    let sentence = syntax.sentence_at(offset)?;
    if syntax.in_comment(offset) || sentence.ended && offset >= sentence.range.end {
        return None;
    }
    let mut before = &sentence.tokens[..sentence.tokens.partition_point(|token| (token.span.end as usize) <= offset)];
    // A list or a term inside the arguments is not a call of its own.
    let (name, argument) = loop {
        let (open, commas) = open_bracket(before)?;
        let found = name_before(before, open).map(|name| (name, all(analysis, name)));
        match found {
            Some((_, signatures)) if !signatures.is_empty() => break (signatures, commas),
            _ => before = &before[..open],
        }
    };
    let active = name.iter().position(|one| one.arguments.len() > argument)?;
    Some(SignatureHelp { signatures: name, active, argument })
}

/// The signatures of all predicates of a name.
fn all(analysis: &TextAnalysis, name: alphorn_text::symbol::Atom) -> Vec<CallSignature> {
    let own = analysis.own.iter().filter(|own| own.name == name).map(|own| (own.arity, Callable::Own(own)));
    let others = analysis.environment.definitions.iter().filter(|other| other.name == name);
    let others = others.map(|other| (other.arity, Callable::Other(other)));
    let known = KnownIndex::get().named(name.text()).map(|known| (known.arity, Callable::Known(known)));
    let mut found: Vec<(usize, Description)> = Vec::new();
    for (arity, one) in own.chain(others).chain(known) {
        if !found.iter().any(|(other, _)| *other == arity) {
            found.push((arity, describe(analysis, one)));
        }
    }
    for arity in 1..=4 {
        let game = heading::of_game(name.text(), arity).filter(|_| !found.iter().any(|(other, _)| *other == arity));
        if let Some((call, about)) = game {
            found.push((arity, Description { heading: call, about: about.to_string(), ..Description::default() }));
        }
    }
    if name.text() == "param" && found.is_empty() {
        let about = "The value of a parameter.".to_string();
        found.push((2, Description { heading: "param(+Name, -Value)".into(), about, ..Description::default() }));
    }
    found.sort_by_key(|(arity, _)| *arity);
    found
        .into_iter()
        .map(|(_, description)| {
            let base = description.heading.as_ptr() as usize;
            let args = heading::arguments(&description.heading);
            let range = |arg: &&str| {
                let start = arg.as_ptr() as usize - base;
                start..start + arg.len()
            };
            let arguments = args.iter().map(range).collect();
            let about = description.game.clone().unwrap_or_else(|| description.about.clone());
            CallSignature { arguments, about, heading: description.heading }
        })
        .collect()
}
