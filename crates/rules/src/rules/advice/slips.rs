//! Suggests what was meant by an undefined name in an advice table.
//!
//! The input is a name in a goal or a comparison. The result is a problem with something to type.
//! The compilation of goals is in `formula`.

use super::operators::FUNCTIONS;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::Atom;

/// Comparisons of other languages or of clauses, and what tables use in their place.
const COMPARED: [(&str, &str); 7] =
    [("=", "=:="), ("is", "=:="), ("==", "=:="), ("\\=", "=\\="), ("\\==", "=\\="), ("@<", "<"), ("@>", ">")];

/// The problem of a name that is no goal of a table.
pub(super) fn goal(program: &Program, tree: &TermTree, at: NodeId) -> Problem {
    let Some((name, arity)) = tree.functor(at) else { unreachable!("only a name is looked up") };
    let text = name.text();
    let compared = COMPARED.iter().find(|(wrong, _)| arity == 2 && *wrong == text);
    let help = match compared {
        Some((_, right)) => {
            Some(format!("compare with {right}, as in A {right} B; a name in a comparison is a number"))
        }
        None if (text, arity) == ("root", 1) => {
            Some("write root(X) only in a comparison, around a number: N < root(N)".to_string())
        }
        None if matches!((text, arity), ("if", 1) | ("then", 2)) => {
            Some("if and then are parts of a rule: Name :: if Condition then [Advice, ...].".to_string())
        }
        None if own(program, name, arity) => Some(position_added(program, tree, at, 1)),
        None => None,
    };
    told(program, name, arity, (1, "Pos"), help).at(tree, at)
}

/// The problem of a name that is no number.
pub(super) fn number(program: &Program, tree: &TermTree, at: NodeId) -> Problem {
    let Some((name, arity)) = tree.functor(at) else { unreachable!("only a name is looked up") };
    let text = name.text();
    let variable = |back: usize| {
        let arg = arity.checked_sub(back).map(|number| tree.args(at)[number]);
        arg.is_some_and(|arg| matches!(tree.kind(arg), TermKind::Var(_)))
    };
    let arithmetic =
        program.ops.infix(name).is_some() && arity == 2 || program.ops.prefix(name).is_some() && arity == 1;
    let parameter = match (text, tree.args(at)) {
        ("param", [of]) => tree.functor(*of).map(|(name, _)| name),
        (_, []) => Some(name),
        _ => None,
    };
    let parameter = parameter.filter(|name| program.params.iter().any(|param| param.name == *name));
    let help = if let Some(name) = parameter {
        Some(format!("define a predicate for the parameter: {0}(_, N) :- param({0}, N).", name.text()))
    } else if arithmetic || EVALUABLE.contains(&text) {
        Some(format!("the functions in a comparison are {}; define a predicate for others", functions()))
    } else if variable(2) && variable(1) && own(program, name, arity) {
        Some(position_added(program, tree, at, 2))
    } else if variable(1) && own(program, name, arity + 1) {
        Some(position_added(program, tree, at, 1))
    } else if own(program, name, arity + 1) {
        let args = named(arity, &["Pos", "N"]);
        Some(format!(
            "a name in a comparison must give a number: {text}/{} is a goal; define {text}({args})",
            arity + 1
        ))
    } else {
        None
    };
    told(program, name, arity, (2, "Pos, Number"), help).at(tree, at)
}

/// Functions of clauses that tables lack.
const EVALUABLE: [&str; 12] =
    ["sqrt", "truncate", "round", "floor", "ceiling", "integer", "float", "msb", "gcd", "log", "exp", "pi"];

/// The names of the functions in comparisons, each once.
fn functions() -> String {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in FUNCTIONS {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" ")
}

fn own(program: &Program, name: Atom, arity: usize) -> bool {
    program.own(name.text(), arity).is_some()
}

/// Help to omit the last arguments, which Alphorn adds.
fn position_added(program: &Program, tree: &TermTree, at: NodeId, last: usize) -> String {
    let args = tree.args(at);
    let kept = &args[..args.len() - last];
    let name = tree.functor(at).map_or("", |(name, _)| name.text());
    let shown: Vec<&str> = kept.iter().map(|arg| program.sources.text(tree.span(*arg))).collect();
    let written = if kept.is_empty() { name.to_string() } else { format!("{name}({})", shown.join(", ")) };
    format!("write {written}: Alphorn adds the position{}", if last == 1 { "" } else { " and the number" })
}

/// `_` for each of `arity` arguments, and further arguments.
fn named(arity: usize, more: &[&str]) -> String {
    vec!["_"; arity].into_iter().chain(more.iter().copied()).collect::<Vec<_>>().join(", ")
}

/// The message and the help of a problem without a place.
struct UnplacedProblem(String, String);

impl UnplacedProblem {
    fn at(self, tree: &TermTree, at: NodeId) -> Problem {
        Problem::error(Code::UndefinedPredicate, tree.span(at), self.0).help(self.1)
    }
}

/// The message that a name is not defined, with the given help, a similar name, or a definition.
fn told(
    program: &Program,
    name: Atom,
    arity: usize,
    (more, last): (usize, &str),
    help: Option<String>,
) -> UnplacedProblem {
    let text = name.text();
    let own = program.predicates.iter().filter(|pred| pred.key.scope == USER && !pred.clauses.is_empty());
    let near = || {
        let names = own.filter(|pred| pred.key.arity > arity).map(|pred| pred.key.name.text());
        nearest(text, names).map(|near| format!("did you mean {near}?"))
    };
    let help = help.or_else(near).unwrap_or_else(|| format!("define it: {text}({}) :- ...", named(arity, &[last])));
    UnplacedProblem(format!("{text}/{} is not defined", arity + more), help)
}
