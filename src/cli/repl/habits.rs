//! Suggests what to type instead of habits from other Prolog systems, or without the colon.
//!
//! A suggestion is never run. The caller has checked that the program has no such predicate.

use super::commands;
use alphorn_text::report::first_of;

/// The name and the argument of a goal: `name`, `name(inner)` or `name rest`.
struct TypedGoal<'t> {
    name: &'t str,
    inner: &'t str,
}

fn parse_typed_goal(bare: &str) -> Option<TypedGoal<'_>> {
    let end = bare.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(bare.len());
    let (name, rest) = bare.split_at(end);
    let inner = match rest.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?,
        None if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest,
        None => return None,
    };
    (!name.is_empty()).then_some(TypedGoal { name, inner: inner.trim() })
}

/// Suggests a command and its arguments.
fn typed(order: &str, rest: &str) -> String {
    format!("did you mean {}?", format!(":{order} {rest}").trim_end())
}

/// The files that `consult` would load.
fn files(inner: &str) -> String {
    let name = |text: &str| {
        let bare = text.trim().trim_matches('\'').trim_matches('"').to_string();
        if bare.contains('.') || bare.is_empty() { bare } else { format!("{bare}.pl") }
    };
    inner.trim_matches(['[', ']']).split(',').map(name).collect::<Vec<_>>().join(" ")
}

/// Suggests what was meant by a text that is no valid goal; `moves` are the labels of the legal
/// moves.
pub(super) fn suggested_command(text: &str, moves: &[String]) -> Option<String> {
    let bare = text.trim();
    let bare = bare.strip_prefix("?-").unwrap_or(bare).trim();
    let bare = bare.strip_suffix('.').unwrap_or(bare).trim();
    if let Some(directive) = bare.strip_prefix(":-") {
        return Some(match parse_typed_goal(directive.trim()) {
            Some(TypedGoal { name: "initialization", .. }) => "type the goal itself".to_string(),
            Some(TypedGoal { name: "dynamic" | "discontiguous", .. }) => {
                "omit the directive: rules are pure, and clauses may be anywhere in the file".to_string()
            }
            _ => "a directive belongs in the file: write it at the top, then type :reload".to_string(),
        });
    }
    if moves.iter().any(|mv| mv == bare) {
        return Some(typed("move", bare));
    }
    if bare == "?" {
        return Some(typed("help", ""));
    }
    if bare.starts_with('[') && bare.ends_with(']') {
        return Some(typed("load", &files(bare)));
    }
    let is_head = |head: &str| !head.trim().is_empty() && head.matches('(').count() == head.matches(')').count();
    if bare.split_once(":-").is_some_and(|(head, _)| is_head(head)) {
        return Some(typed("rule", &format!("{bare}.")));
    }
    let TypedGoal { name, inner } = parse_typed_goal(bare)?;
    Some(match name {
        "consult" | "load_files" | "ensure_loaded" | "include" if !inner.is_empty() => typed("load", &files(inner)),
        "make" | "reconsult" => typed("reload", ""),
        "edit" => "edit the file in your own editor; :watch loads it whenever you save it".to_string(),
        "time" | "profile" | "call_time" if !inner.is_empty() => typed("profile", &format!("--goal '{inner}'")),
        "time" | "profile" | "statistics" => typed("profile", ""),
        "trace" | "spy" | "gtrace" | "leash" if !inner.is_empty() => typed("trace", &format!("--only {inner} GOAL")),
        "trace" | "spy" | "gtrace" | "leash" => typed("trace", "GOAL"),
        "notrace" | "nodebug" | "nospy" | "debug" => "to trace a goal, type :trace GOAL".to_string(),
        "assert" | "asserta" | "assertz" if !inner.is_empty() => typed("rule", &format!("{}.", outer(inner))),
        "retract" | "retractall" | "abolish" if !inner.is_empty() => typed("drop", "NAME/ARITY"),
        "use_module" => "to load a library, write :- use_module(...). at the top of the file".to_string(),
        "man" | "h" => typed("help", inner),
        "ls" | "pwd" | "cd" | "chdir" | "shell" => "leave the prompt first: :quit, or Ctrl-D".to_string(),
        _ => typed(commands::named(name)?.name, inner),
    })
}

/// Suggests moves for a text that is the beginning of their labels.
pub(super) fn begun(text: &str, moves: &[String]) -> Option<String> {
    let bare = text.trim().trim_end_matches('.').trim_end();
    let begins = |mv: &&str| mv.starts_with(bare) || mv.trim_start_matches('\'').starts_with(bare);
    let begun: Vec<&str> = moves.iter().map(String::as_str).filter(begins).collect();
    match begun.as_slice() {
        _ if bare.is_empty() => None,
        [] => None,
        [only] => Some(typed("move", only)),
        several => {
            Some(format!("{bare} is the beginning of {} moves: :move {}", several.len(), first_of(several, ", :move ")))
        }
    }
}

/// Removes the brackets that `assertz((a :- b))` needs around a clause.
fn outer(clause: &str) -> &str {
    let inside = clause.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.map_or(clause, str::trim)
}

#[cfg(test)]
mod tests {
    use super::{begun, suggested_command};

    #[test]
    fn the_beginning_of_several_moves_is_told_with_the_moves() {
        let moves = ["b1-c3".to_string(), "b1-a3".to_string(), "e2-e4".to_string()];
        let told = Some("b1 is the beginning of 2 moves: :move b1-c3, :move b1-a3".to_string());
        assert_eq!(begun("b1.", &moves), told);
        assert_eq!(begun("e2", &moves), Some("did you mean :move e2-e4?".to_string()));
        assert_eq!((begun("d", &moves), begun(".", &moves)), (None, None));
    }

    #[test]
    fn habits_find_their_orders() {
        for (typed, order) in [
            ("help.", ":help"),
            ("?", ":help"),
            ("listing(place).", ":listing place"),
            ("listing.", ":listing"),
            ("[othello].", ":load othello.pl"),
            ("?- consult('games/nim.pl').", ":load games/nim.pl"),
            ("[a, b].", ":load a.pl b.pl"),
            ("load games/nim.pl", ":load games/nim.pl"),
            ("trace.", ":trace GOAL"),
            ("make.", ":reload"),
            ("time(member(X, [a])).", ":profile --goal 'member(X, [a])'"),
            ("statistics.", ":profile"),
            ("foo :- bar.", ":rule foo :- bar."),
            ("assertz(foo(1)).", ":rule foo(1)."),
            ("assertz((foo(X) :- bar(X))).", ":rule foo(X) :- bar(X)."),
            ("moves", ":moves"),
            ("undo", ":undo"),
            ("d3", ":move d3"),
        ] {
            let found = suggested_command(typed, &["d3".to_string()]);
            assert_eq!(found, Some(format!("did you mean {order}?")), "{typed}");
        }
        assert!(suggested_command(":- use_module(library(lists)).", &[]).is_some_and(|help| help.contains(":reload")));
        assert_eq!(suggested_command("foo(X).", &[]), None);
        assert_eq!(suggested_command("member(X, Y), foo", &[]), None);
    }
}
