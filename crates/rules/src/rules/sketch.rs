//! Writes shapes as Prolog terms, such as `_-_/_`, and says which places of a text are drawn together.
//!
//! The input is a shape, a functor or a term of a text. The output has the brackets that the
//! operators need, so it can be read back.

use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::Program;
use alphorn_prolog::term::write::atom_text;
use alphorn_text::source::{Sources, Span};
use alphorn_text::symbol::{Atom, atoms};

/// The depth below which a part is written as `_`.
const NESTED: usize = 3;

/// The highest priority of an argument.
const ARGUMENT: u16 = 999;

/// A term to be written.
enum Sketch {
    /// A finished text.
    Word(String),
    /// A name with arguments.
    Term(Atom, Vec<Sketch>),
}

/// Operators that people use for pairs of terms.
pub(super) const PAIRS: [&str; 5] = ["-", "/", ":", "@", "="];

/// A term with `_` for each argument, such as `ut(_, _, _)`.
pub(super) fn written(name: Atom, arity: usize, ops: &Ops) -> String {
    let args = (0..arity).map(|_| Sketch::Word("_".into())).collect();
    text(&Sketch::Term(name, args), ops, ARGUMENT)
}

/// The text of a term, with `_` for variables and constants.
pub(super) fn of_term(tree: &TermTree, node: NodeId, ops: &Ops) -> String {
    text(&outline(tree, node, NESTED), ops, ARGUMENT)
}

/// A form in words, in the singular, with the known shapes of its arguments.
pub(super) fn single(form: &Form, ops: &Ops) -> String {
    let word = match form {
        Form::Atom => "an atom",
        Form::Number => "a number",
        Form::Text => "a text in double quotes",
        Form::List(_) => "a list",
        Form::Tree(_) => "an association list",
        Form::Name(..) | Form::Row(..) | Form::Compound(..) => return described(form, ops),
    };
    word.to_string()
}

/// If more atoms are possible, `_` is written.
const FEW: usize = 3;

/// A form in words, in the singular, with the atoms at their places if they are few.
pub(super) fn exact(form: &Form, ops: &Ops) -> String {
    fn part(shape: &Shape, depth: usize) -> Sketch {
        let Shape::Of(forms) = shape else { return Sketch::Word("_".into()) };
        let names: Vec<String> = forms
            .iter()
            .filter_map(|form| if let Form::Name(name, _) = form { Some(atom_text(*name)) } else { None })
            .collect();
        match &forms[..] {
            [only] => named(only, depth),
            forms if forms.len() <= FEW && names.len() == forms.len() => {
                Sketch::Word(format!("({})", names.join(" or ")))
            }
            _ => Sketch::Word("_".into()),
        }
    }
    fn named(form: &Form, depth: usize) -> Sketch {
        match form {
            Form::Compound(name, args, _) if depth > 0 => {
                Sketch::Term(*name, args.iter().map(|arg| part(arg, depth - 1)).collect())
            }
            Form::Name(name, _) => Sketch::Word(atom_text(*name)),
            _ => Sketch::Word("_".into()),
        }
    }
    match form {
        Form::Compound(..) => text(&named(form, NESTED + 1), ops, ARGUMENT),
        Form::List(Shape::Of(elements)) if matches!(elements[..], [Form::Compound(..)]) => {
            format!("a list of {}", described(&elements[0], ops))
        }
        form => single(form, ops),
    }
}

/// A form in words, in the singular. If it is a pair, and the term a pair with another operator, with the parts of the
/// term.
pub(super) fn renamed(form: &Form, (tree, node): (&TermTree, NodeId), program: &Program) -> String {
    let is_pair = |name: &Atom, arity: usize| arity == 2 && PAIRS.contains(&name.text());
    match form {
        Form::Compound(name, places, _)
            if is_pair(name, places.len()) && tree.functor(node).is_some_and(|(own, arity)| is_pair(&own, arity)) =>
        {
            let part = |arg: &NodeId| Sketch::Word(quoted(&program.sources, tree.span(*arg)));
            text(&Sketch::Term(*name, tree.args(node).iter().map(part).collect()), &program.ops, ARGUMENT)
        }
        form => single(form, &program.ops),
    }
}

/// A shape in words.
pub(super) fn words(program: &Program, shape: &Shape) -> String {
    const MOST_FORMS: usize = 6;
    let Shape::Of(forms) = shape else { return "anything".to_string() };
    let mut names: Vec<String> = forms.iter().take(MOST_FORMS).map(|form| exact(form, &program.ops)).collect();
    names.dedup();
    if forms.len() > MOST_FORMS {
        names.push("others".to_string());
    }
    names.join(" or ")
}

/// The first argument in which two compound terms differ, from 1, and both arguments in words.
pub(super) fn difference(program: &Program, one: &Shape, other: &Shape) -> Option<(usize, String, String)> {
    let (Shape::Of(own), Shape::Of(others)) = (one, other) else { return None };
    let ([Form::Compound(_, args, _)], [Form::Compound(_, parts, _)]) = (&own[..], &others[..]) else { return None };
    let (at, (own, there)) =
        args.iter().zip(parts).enumerate().find(|(_, (own, there))| own.meet(there) != ShapeMatch::Fits)?;
    let kind = |shape: &Shape| match shape {
        Shape::Of(forms) if forms.len() > FEW && forms.iter().all(|form| matches!(form, Form::Name(..))) => {
            "an atom".to_string()
        }
        shape => words(program, shape),
    };
    let (own, there) = (kind(own), kind(there));
    (own != there).then_some((at + 1, own, there))
}

/// A form in words, in the plural.
pub(super) fn described(form: &Form, ops: &Ops) -> String {
    match form {
        Form::Name(name, _) => atom_text(*name),
        Form::Atom => "atoms".to_string(),
        Form::Number => "numbers".to_string(),
        Form::Text => "texts".to_string(),
        Form::List(_) => "lists".to_string(),
        Form::Tree(_) => "association lists".to_string(),
        Form::Row(elements, _) => {
            let inside: Vec<String> =
                elements.iter().map(|shape| text(&argument(shape, NESTED + 1), ops, ARGUMENT)).collect();
            format!("[{}]", inside.join(", "))
        }
        Form::Compound(..) => text(&inside(form, NESTED + 1), ops, ARGUMENT),
    }
}

/// Places that are at most so many lines apart are drawn together.
const NEAR: usize = 3;

/// Whether a report draws two places together. It draws all lines between two places of a file, and the
/// upper place first.
pub(super) fn are_drawn_together(sources: &Sources, one: Span, other: Span) -> bool {
    let line = |span| sources.line_column(span).0;
    one.source == other.source && line(one).abs_diff(line(other)) <= NEAR
}

/// A term as the text has it, on one line. A span may begin after its opening brackets, which are added.
pub(super) fn quoted(sources: &Sources, span: Span) -> String {
    let text = sources.text(span);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let text = if lines.len() > 1 { &lines.join(" ") } else { text };
    let (mut open, mut surplus, mut quote) = (0_usize, 0, None);
    for c in text.chars() {
        match (c, quote) {
            ('\'' | '"' | '`', None) => quote = Some(c),
            (_, Some(end)) if c == end => quote = None,
            ('(', None) => open += 1,
            (')', None) if open == 0 => surplus += 1,
            (')', None) => open -= 1,
            _ => {}
        }
    }
    format!("{}{text}", "(".repeat(surplus))
}

/// A list in words, or with `_` for each of at most 6 elements.
fn of_list(tree: &TermTree, node: NodeId) -> String {
    match tree.list(node) {
        Some(elements) if elements.len() <= 6 => format!("[{}]", vec!["_"; elements.len()].join(", ")),
        _ => "a list".to_string(),
    }
}

fn outline(tree: &TermTree, node: NodeId, depth: usize) -> Sketch {
    match (tree.kind(node), tree.functor(node)) {
        (TermKind::Compound(atoms::DOT, _), _) if depth == NESTED => Sketch::Word(of_list(tree, node)),
        (TermKind::Compound(atoms::DOT, _), _) => Sketch::Word("_".into()),
        (TermKind::Compound(..), Some((name, _))) if depth > 0 => {
            Sketch::Term(name, tree.args(node).iter().map(|arg| outline(tree, *arg, depth - 1)).collect())
        }
        (TermKind::Atom(name), _) if depth == NESTED => Sketch::Word(atom_text(*name)),
        (TermKind::Int(number), _) if depth == NESTED => Sketch::Word(number.to_string()),
        (TermKind::Text(text), _) if depth == NESTED => Sketch::Word(format!("{text:?}")),
        _ => Sketch::Word("_".into()),
    }
}

/// The sketch of an argument: its only form, or `_`.
fn argument(shape: &Shape, depth: usize) -> Sketch {
    match shape {
        Shape::Of(forms) if forms.len() == 1 && depth > 1 => inside(&forms[0], depth - 1),
        _ => Sketch::Word("_".into()),
    }
}

fn inside(form: &Form, depth: usize) -> Sketch {
    match form {
        Form::Compound(name, args, _) if depth > 0 => {
            Sketch::Term(*name, args.iter().map(|shape| argument(shape, depth)).collect())
        }
        _ => Sketch::Word("_".into()),
    }
}

fn text(sketch: &Sketch, ops: &Ops, most: u16) -> String {
    let (name, args) = match sketch {
        Sketch::Word(word) => return word.clone(),
        Sketch::Term(name, args) => (*name, args),
    };
    let bracketed = |text: String, priority: u16| if priority > most { format!("({text})") } else { text };
    let own = atom_text(name);
    match &args[..] {
        [] => own,
        [left, right] if ops.infix(name).is_some() => {
            let op = ops.infix(name).expect("it was just found");
            let (left, right) = (text(left, ops, op.left), text(right, ops, op.right));
            let is_word = own.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\''));
            // Adjacent symbol characters would be read as one symbol.
            let touch = is_symbol(left.chars().last()) || is_symbol(right.chars().next());
            let together = match own == "," {
                true => format!("{left},{right}"),
                false if is_word || touch || op.priority > ARGUMENT => format!("{left} {own} {right}"),
                false => format!("{left}{own}{right}"),
            };
            bracketed(together, op.priority)
        }
        [only] if ops.prefix(name).is_some() => {
            let op = ops.prefix(name).expect("it was just found");
            let operand = text(only, ops, op.operand);
            let gap = if own.chars().all(|c| is_symbol(Some(c))) && operand.starts_with('_') { "" } else { " " };
            bracketed(format!("{own}{gap}{operand}"), op.priority)
        }
        args => {
            let args: Vec<String> = args.iter().map(|arg| text(arg, ops, ARGUMENT)).collect();
            format!("{own}({})", args.join(", "))
        }
    }
}

fn is_symbol(c: Option<char>) -> bool {
    c.is_some_and(|c| "+-*/\\^<>=~:.?@#&$".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_lang::lang::read;
    use alphorn_text::source::SourceId;

    #[test]
    fn a_shape_is_written_with_the_brackets_that_it_needs() {
        let ops = Ops::default();
        let rows = [
            ("a-b/[c]", "_-_/_"),
            ("(a-b)/c", "(_-_)/_"),
            ("a-(b-c)", "_-(_-_)"),
            ("a-b-c", "_-_-_"),
            ("f(a-b, (c:-d))", "f(_-_, (_ :- _))"),
            ("a:b:c", "_:_:_"),
            ("(a:b):c", "(_:_):_"),
            ("a- -(b)", "_ - -_"),
            ("x is 1", "_ is _"),
            ("'Two words'(a)", "'Two words'(_)"),
            ("-(a)", "-_"),
            ("win", "win"),
        ];
        for (typed, expected) in rows {
            let sentence = read::goal(SourceId(0), typed, &ops).expect("it can be read").expect("it is a term");
            assert_eq!(of_term(&sentence.tree, sentence.root, &ops), expected, "{typed}");
        }
    }
}
