//! Reports format texts whose directives do not take the arguments that are given.
//!
//! Called by `check/mod.rs` alone; games are unknown here.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, Program};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::symbol::{Atom, atoms};

/// Reports calls of `format/2` and `format/3` with too few arguments or too many.
pub fn counts(program: &Program, clause: &Clause, problems: &mut Vec<Problem>) {
    let tree = &clause.tree;
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee, args, .. } = goal else { return };
        let name = match callee {
            Callee::User(id) if !program.is_users(program.predicate(*id).key.scope) => program.predicate(*id).key.name,
            Callee::Native(id) => Atom::new(program.known.row(*id).name),
            _ => return,
        };
        let (format, given) = match (name.text(), &args[..]) {
            ("format", [format, given] | [_, format, given]) => (*format, *given),
            _ => return,
        };
        let Some(count) = arguments(tree, given) else { return };
        let text = match tree.kind(format) {
            TermKind::Atom(name) => name.text(),
            TermKind::Text(text) => text,
            _ => return,
        };
        let Some(needed) = taken(text).filter(|needed| *needed != count) else { return };
        let message = format!("the directives take {}, not {count}", plural(needed as u64, "argument", "arguments"));
        let problem = Problem::warning(Code::GoalNeverSucceeds, tree.span(given), message);
        problems.push(
            problem
                .also(tree.span(format), "the directives are here")
                .help("write one argument for each directive such as ~w"),
        );
    });
}

/// The number of arguments that a call gives; `None` if the text does not show it.
fn arguments(tree: &TermTree, given: NodeId) -> Option<usize> {
    match tree.list(given) {
        Some(elements) => Some(elements.len()),
        None if matches!(tree.kind(given), TermKind::Var(_)) => None,
        // A list with an open end may have any length.
        None if tree.functor(given) == Some((atoms::DOT, 2)) => None,
        None => Some(1),
    }
}

/// The number of arguments that the directives of a format text take; `None` if it has others.
fn taken(format: &str) -> Option<usize> {
    let (mut count, mut rest) = (0, format.chars().peekable());
    while let Some(c) = rest.next() {
        if c != '~' {
            continue;
        }
        match rest.peek()? {
            '*' => {
                count += 1;
                rest.next();
            }
            '`' => {
                rest.nth(1)?;
            }
            _ => {}
        }
        while rest.next_if(char::is_ascii_digit).is_some() {}
        match rest.next()? {
            'w' | 'p' | 'q' | 'a' | 'd' | 'D' | 's' | 'e' | 'f' | 'g' | 'c' | 'r' | 'R' | 'i' => count += 1,
            'n' | 't' | '|' | '+' | '~' => {}
            _ => return None,
        }
    }
    Some(count)
}
