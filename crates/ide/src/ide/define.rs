//! A first clause of a predicate that a goal calls and nobody defines.

use crate::ide::analysis::TextAnalysis;
use crate::ide::complete::quoted;
use crate::ide::heading;
use crate::ide::hover::{Target, target};
use crate::ide::occurrences::name_span;

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
    let builtin = name.text() == "param" && arity == 2 || heading::of_game(name.text(), arity).is_some();
    if builtin || analysis.find(name, arity).is_some() || analysis.environment.ops.is_op(name) {
        return None;
    }
    let text = &analysis.syntax.text;
    let sentence = analysis.syntax.sentence_at(place.start)?;
    let term = sentence.term.as_ref()?;
    let goal =
        term.tree.nodes().map(|(node, _)| node).find(|node| {
            name_span(sentence, &term.tree, *node).is_some_and(|span| span.start as usize == place.start)
        })?;
    let call = heading::of_heads(&quoted(name.text()), arity, std::iter::once((&term.tree, goal)), &[]);
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
