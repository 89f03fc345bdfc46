//! Clauses of game predicates to begin with, as snippets.

use crate::ide::analysis::TextAnalysis;
use crate::ide::heading;
use crate::ide::written::escaped;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_rules::rules::contract::modes;
use alphorn_text::symbol::Atom;

/// The body of facts that have one usual form.
const FACTS: &[(&str, &str)] = &[
    ("acyclic", "acyclic."),
    ("repetition", "repetition(draw)."),
    ("no_moves", "no_moves(${1|loss,draw,eval,pass|})."),
    ("value_range", "value_range(${1:-100}, ${2:100})."),
    ("advice_for", "advice_for(${1|max,min|})."),
    ("sample", "sample(${1:name}, ${2:Pos})."),
    (
        "advice",
        "advice(${1:name}, [\n    better: ${2:goal},\n    holding: ${3:goal},\n    us: ${4:move_class},\n    them: any\n]).",
    ),
    ("outcome", "outcome(${1:Pos}, win(${2|max,min|})) :-\n    ${0:true}."),
];

/// A clause of a game predicate as a snippet, with a position in the shape that the text uses.
pub fn clause(analysis: &TextAnalysis, name: &str, args: &[&str]) -> String {
    let shape = position_shape(analysis);
    if let Some((_, snippet)) = FACTS.iter().find(|(known, _)| *known == name) {
        return match &shape {
            Some(shape) => snippet.replace("${1:Pos}", &format!("${{1:{}}}", escaped(shape))),
            None => (*snippet).to_string(),
        };
    }
    let modes = modes(name, args.len()).unwrap_or_default();
    let given = |number: usize| modes.as_bytes().get(number).is_none_or(|mode| *mode == b'+');
    let place = |(number, arg): (usize, &&str)| {
        let text = match (&shape, *arg) {
            (Some(shape), "Pos") if given(number) => escaped(shape),
            _ => (*arg).to_string(),
        };
        format!("${{{}:{text}}}", number + 1)
    };
    let places: Vec<String> = args.iter().enumerate().map(place).collect();
    match name {
        "initial" | "position" => format!("{name}({}).", places.join(", ")),
        "max_to_move" | "min_to_move" => format!("{name}({}).", places.join(", ")),
        _ => format!("{name}({}) :-\n    ${{0:true}}.", places.join(", ")),
    }
}

/// The first opening as the text writes it, if it has no variables.
pub(super) fn opening(analysis: &TextAnalysis) -> Option<String> {
    let initial = analysis.own(Atom::new("initial"), 1)?;
    let (tree, head) = analysis.heads(initial).next()?;
    let start = *tree.args(head).first().filter(|start| tree.is_ground(**start))?;
    let span = tree.span(start);
    Some(analysis.syntax.text.get(span.start as usize..span.end as usize)?.to_string())
}

/// A position as the heads of the text write it, such as `pos(Player, Board)`: the shape of the first
/// opening with variables.
pub(super) fn position_shape(analysis: &TextAnalysis) -> Option<String> {
    let initial = analysis.own(Atom::new("initial"), 1)?;
    let (tree, head) = analysis.heads(initial).next()?;
    let start = *tree.args(head).first()?;
    let (name, arity) = tree.functor(start)?;
    if arity == 0 || !name.text().starts_with(char::is_lowercase) {
        return None;
    }
    let heads = analysis.own.iter().flat_map(|own| analysis.heads(own));
    let positions = heads.filter_map(|(tree, head)| {
        let first = *tree.args(head).first()?;
        (tree.functor(first)? == (name, arity)).then_some((tree, first))
    });
    // An atom in the start position is the player to move, if it is the name of one.
    let player = |at: &NodeId| match tree.kind(*at) {
        TermKind::Atom(name) => matches!(name.text(), "max" | "min" | "x" | "o" | "white" | "black"),
        _ => false,
    };
    let usual: Vec<Option<String>> =
        tree.args(start).iter().map(|arg| player(arg).then(|| "Player".to_string())).collect();
    Some(heading::of_heads(name.text(), arity, positions, &usual))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_lang::lang::ProgramOptions;
    use alphorn_text::source::{Origin, Source};

    #[test]
    fn the_arguments_of_a_position_have_names() {
        let shape = |text: &str| {
            let source = Source { name: "game.pl".into(), text: text.into(), origin: Origin::Typed };
            position_shape(&TextAnalysis::of(&source, &[], &ProgramOptions::default(), None))
        };
        assert_eq!(shape("initial(row(max, L)) :- length(L, 3).").as_deref(), Some("row(Player, L)"));
        assert_eq!(shape("initial(s(x, [a], 3)).\nend(s(P, _, _)).").as_deref(), Some("s(P, List, N)"));
        assert_eq!(shape("initial(7)."), None);
    }
}
