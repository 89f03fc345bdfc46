//! The predicates that goals call and nobody defines, and a first clause of one.

use crate::ide::analysis::TextAnalysis;
use crate::ide::heading;
use crate::ide::hover::{Target, target};
use crate::ide::occurrences::{Part, name_span, occurrences};
use crate::ide::syntax::ReadSentence;
use crate::ide::written::quoted;
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_text::symbol::Atom;

/// A predicate that a goal calls and nobody defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// The name.
    pub name: Atom,
    /// The number of arguments.
    pub arity: usize,
    /// The call, with names for the arguments.
    pub call: String,
}

/// The sentences before the cursor whose goals are looked at: those that are being written.
const NEAR: usize = 200;

/// The predicates that goals before a byte call and nobody defines.
pub fn undefined(analysis: &TextAnalysis, offset: usize) -> Vec<Undefined> {
    let sentences = &analysis.syntax.sentences;
    let end = sentences.partition_point(|sentence| sentence.range.end < offset);
    let mut found: Vec<Undefined> = Vec::new();
    for sentence in &sentences[end.saturating_sub(NEAR)..end] {
        let Some(term) = &sentence.term else { continue };
        for one in occurrences(analysis, sentence) {
            let goal = matches!(one.part, Part::Goal | Part::Closure) && is_undefined(analysis, one.name, one.arity);
            if !goal || found.iter().any(|known| (known.name, known.arity) == (one.name, one.arity)) {
                continue;
            }
            let call = call(sentence, &term.tree, one.span.start as usize, one.arity);
            found.extend(call.map(|call| Undefined { name: one.name, arity: one.arity, call }));
        }
    }
    found
}

/// Whether nobody defines a predicate. Game predicates and parameters are defined by Alphorn.
fn is_undefined(analysis: &TextAnalysis, name: Atom, arity: usize) -> bool {
    let builtin = name.text() == "param" && arity == 2 || heading::of_game(name.text(), arity).is_some();
    !builtin && analysis.find(name, arity).is_none() && !analysis.environment.ops.is_op(name)
}

/// The call of the predicate whose name begins at a byte, with names for its arguments.
fn call(sentence: &ReadSentence, tree: &TermTree, start: usize, arity: usize) -> Option<String> {
    let named = |node: &NodeId| name_span(sentence, tree, *node).is_some_and(|span| span.start as usize == start);
    let goal = tree.nodes().map(|(node, _)| node).find(named)?;
    let (name, _) = tree.functor(goal)?;
    Some(heading::of_heads(&quoted(name.text()), arity, std::iter::once((tree, goal)), &[]))
}

/// A clause to insert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstClause {
    /// Name and arity of the predicate.
    pub indicator: String,
    /// The byte at which to insert.
    pub at: usize,
    /// The text to insert: whole lines.
    pub text: String,
}

/// The first clause of the predicate whose undefined goal is at a byte. The clause fails, so that the program
/// means the same until somebody writes its body. It stands behind the predicate that calls it.
pub fn first_clause(analysis: &TextAnalysis, offset: usize) -> Option<FirstClause> {
    let (Target::Predicate(name, arity), place) = target(analysis, offset)? else { return None };
    if !is_undefined(analysis, name, arity) {
        return None;
    }
    let text = &analysis.syntax.text;
    let sentence = analysis.syntax.sentence_at(place.start)?;
    let term = sentence.term.as_ref()?;
    let call = call(sentence, &term.tree, place.start, arity)?;
    let call = match heading::arguments(&call)[..] {
        [] => call,
        ref names => format!("{}(_{})", quoted(name.text()), names.join(", _")),
    };
    let caller = sentence.defines.and_then(|(name, arity)| analysis.own(name, arity));
    let last = caller.and_then(|own| Some(&analysis.syntax.sentences[*own.clauses.last()?]));
    let end = last.map_or(text.len(), |last| last.range.end);
    let line = text[end..].find('\n').map(|line| end + line + 1);
    let clause = format!("\n{call} :-\n    fail.\n");
    Some(FirstClause {
        indicator: format!("{}/{arity}", name.text()),
        at: line.unwrap_or(text.len()),
        text: if line.is_none() && !text.ends_with('\n') { format!("\n{clause}") } else { clause },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_lang::lang::ProgramOptions;
    use alphorn_text::source::{Origin, Source};

    /// The text with the first clause of the predicate at the mark `|`.
    fn defined(text: &str) -> Option<String> {
        let offset = text.find('|').expect("a mark");
        let mut text = text.replacen('|', "", 1);
        let source = Source { name: "game.pl".into(), text: text.as_str().into(), origin: Origin::Typed };
        let found = first_clause(&TextAnalysis::of(&source, &[], &ProgramOptions::default(), None), offset)?;
        text.insert_str(found.at, &found.text);
        Some(text)
    }

    #[test]
    fn an_undefined_goal_gets_a_clause_behind_its_caller() {
        assert_eq!(
            defined("p(X) :- o|ther(X, [Y], max).\np(2). % two\n\nq.\n").as_deref(),
            Some("p(X) :- other(X, [Y], max).\np(2). % two\n\nother(_X, _List, _A3) :-\n    fail.\n\nq.\n")
        );
        assert_eq!(
            defined("p(L) :- maplist(|good(1), L).").as_deref(),
            Some("p(L) :- maplist(good(1), L).\n\ngood(_N, _A2) :-\n    fail.\n")
        );
        assert_eq!(
            defined(":- expect(holds('a B|')).\n\np.\n").as_deref(),
            Some(":- expect(holds('a B')).\n\np.\n\n'a B' :-\n    fail.\n")
        );
    }

    #[test]
    fn what_is_defined_gets_no_clause() {
        for text in ["p :- q|.\nq.\n", "p :- mem|ber(1, [1]).", "p :- move|(a, b, c).", "p(|a).", "p :- X| = 1."] {
            assert_eq!(defined(text), None, "{text}");
        }
    }
}
