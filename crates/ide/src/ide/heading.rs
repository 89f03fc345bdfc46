//! How a predicate is called, as one line: `nth1(?Index, ?List, ?Elem)`.
//!
//! A documentation comment may give the line. Otherwise it is made of the heads of the clauses.

use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_rules::rules::contract::{INTERFACE, modes};

/// Splits a documentation text into the heading of a predicate and the rest. The heading is `None` if
/// the text does not begin with a call of the predicate.
pub fn split<'a>(name: &str, arity: usize, doc: &'a str) -> (Option<&'a str>, &'a str) {
    // A comment may write the name in quotes.
    let unquoted = || doc.strip_prefix('\'')?.strip_prefix(name)?.strip_prefix('\'');
    let Some(rest) = doc.strip_prefix(name).or_else(unquoted) else { return (None, doc) };
    let begin = doc.len() - rest.len();
    if arity == 0 {
        let ends = rest.is_empty() || rest.starts_with([':', ' ', '\n']);
        return if ends { (doc.get(..begin), described(rest)) } else { (None, doc) };
    }
    if !rest.starts_with('(') {
        return (None, doc);
    }
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let end = begin + at + 1;
            let heading = &doc[..end];
            return match arguments(heading).len() == arity {
                true => (Some(heading), described(&doc[end..])),
                false => (None, doc),
            };
        }
    }
    (None, doc)
}

/// The text behind a heading, without the colon or the word that joins them.
fn described(rest: &str) -> &str {
    let rest = rest.trim_start();
    rest.strip_prefix(':').or_else(|| rest.strip_prefix("is det")).unwrap_or(rest).trim_start()
}

/// The name of an argument, without its mode.
pub fn without_mode(arg: &str) -> &str {
    arg.trim_start_matches(['+', '-', '?', '@', ':', '^']).trim_start_matches(|c: char| c.is_ascii_digit())
}

/// The arguments in a heading, each with its mode.
pub fn arguments(heading: &str) -> Vec<&str> {
    let Some((_, inside)) = heading.split_once('(') else { return Vec::new() };
    let inside = inside.strip_suffix(')').unwrap_or(inside);
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(inside[start..].trim());
    found
}

/// The heading of a game predicate, with modes: `move(+Pos, -Label, -Next)`.
pub fn of_game(name: &str, arity: usize) -> Option<(String, &'static str)> {
    let (_, args, about) = INTERFACE.iter().find(|(known, args, _)| *known == name && args.len() == arity)?;
    let modes = modes(name, arity).unwrap_or_default();
    let mut signs = modes.chars();
    let args: Vec<String> = args.iter().map(|arg| signs.next().map_or_else(String::new, String::from) + arg).collect();
    let heading = if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) };
    Some((heading, about))
}

/// The heading of a predicate, made of the heads of its clauses. `usual` are names for arguments that the heads
/// give no name.
pub fn of_heads<'a>(
    name: &str,
    arity: usize,
    heads: impl Iterator<Item = (&'a TermTree, NodeId)>,
    usual: &[Option<String>],
) -> String {
    if arity == 0 {
        return name.to_string();
    }
    let mut names: Vec<Option<(u8, String)>> = vec![None; arity];
    for (tree, head) in heads.take(20) {
        for (slot, arg) in names.iter_mut().zip(tree.args(head)) {
            let Some(named) = argument(tree, *arg) else { continue };
            if slot.as_ref().is_none_or(|(rank, _)| named.0 < *rank) {
                *slot = Some(named);
            }
        }
    }
    let mut shown: Vec<String> = Vec::new();
    for (number, named) in names.into_iter().enumerate() {
        let usual = || usual.get(number).cloned().flatten();
        let wanted = named.map(|(_, name)| name).or_else(usual).unwrap_or_else(|| format!("A{}", number + 1));
        let taken = shown.contains(&wanted);
        shown.push(if taken { format!("{wanted}{}", number + 1) } else { wanted });
    }
    format!("{name}({})", shown.join(", "))
}

/// A name for an argument, with a rank: a smaller rank is a better name.
fn argument(tree: &TermTree, at: NodeId) -> Option<(u8, String)> {
    let capital = |name: &str| {
        let mut letters = name.chars().filter(|c| c.is_alphanumeric() || *c == '_');
        let first = letters.next().filter(|first| first.is_alphabetic())?;
        Some(first.to_uppercase().chain(letters).collect::<String>())
    };
    match tree.kind(at) {
        TermKind::Var(number) => {
            let name = tree.variables.get(*number as usize)?.name.trim_start_matches('_');
            (!name.is_empty()).then(|| (0, name.to_string()))
        }
        TermKind::Compound(..) if tree.list(at).is_some() => Some((3, "List".to_string())),
        TermKind::Compound(name, _) if name.text() == "." => Some((3, "List".to_string())),
        TermKind::Compound(name, _) => capital(name.text()).map(|name| (2, name)),
        TermKind::Int(_) | TermKind::Big(_) | TermKind::Float(_) => Some((4, "N".to_string())),
        TermKind::Atom(_) | TermKind::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documentation_text_gives_the_heading() {
        let doc = "nth1(?Index, ?List, ?Elem)  Elem is there.";
        assert_eq!(split("nth1", 3, doc), (Some("nth1(?Index, ?List, ?Elem)"), "Elem is there."));
        assert_eq!(split("call", 1, "call(G): G, with its cuts local"), (Some("call(G)"), "G, with its cuts local"));
        assert_eq!(split("nth1", 2, doc), (None, doc));
        assert_eq!(split("put_args", 3, "put_args(T, [I-V, ...], New): x").0, Some("put_args(T, [I-V, ...], New)"));
        assert_eq!(split("is", 2, "X is E: the value").0, None);
    }

    #[test]
    fn the_arguments_of_a_heading_keep_their_modes() {
        assert_eq!(arguments("p(+A, [B, C|D], -E)"), ["+A", "[B, C|D]", "-E"]);
        assert!(arguments("acyclic").is_empty());
    }

    #[test]
    fn game_predicates_have_modes() {
        assert_eq!(of_game("move", 3).map(|(heading, _)| heading).as_deref(), Some("move(+Pos, -Label, -Next)"));
        assert_eq!(of_game("acyclic", 0).map(|(heading, _)| heading).as_deref(), Some("acyclic"));
        assert_eq!(of_game("move", 2), None);
    }
}
