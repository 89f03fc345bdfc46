//! Finds moves that make a list or a number where a position is meant.
//!
//! A clause such as `move(s(Facts), Label, Next) :- change(Facts, Next).` forgets the functor of the position.
//! A warning reports each such argument, if no predicate of the game takes such a position. Nothing is run.

use crate::rules::game_shapes::GameShapes;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{quoted, single, written};
use alphorn_lang::lang::program::Program;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;

/// Reports each clause that makes a position without a functor which no predicate takes. `lack` says that no predicate
/// takes a shape which the clause at a place makes.
pub(super) fn check(
    program: &Program,
    known: &GameShapes,
    lack: impl Fn(&Shape, Span) -> Option<String>,
) -> Vec<Problem> {
    let mut found = Vec::new();
    for (span, shape) in &known.clauses {
        let Shape::Of(forms) = shape else { continue };
        let [form @ (Form::List(_) | Form::Number | Form::Text)] = &forms[..] else { continue };
        let Some(lack) = lack(shape, *span) else { continue };
        let own = quoted(&program.sources, *span);
        let message = format!("{lack} the position {own}: it is {}", single(form, &program.ops));
        let named = match &known.positions {
            Shape::Of(forms) => forms.iter().filter_map(Form::functor).filter(|(functor, _)| functor.1 > 0).collect(),
            Shape::Any => Vec::new(),
        };
        let named: Vec<String> =
            named.into_iter().map(|((name, arity), _)| written(name, arity, &program.ops)).collect();
        let help = match &named[..] {
            [] => "add a clause for this position, or correct the position".to_string(),
            named => format!("other positions are {}: write such a term here", named.join(" or ")),
        };
        found.push(Problem::warning(Code::ClauseMatchesNoPosition, *span, message).help(help));
    }
    found
}
