//! Diagnostics for operators that cannot be combined with their operands.

use crate::lang::ast::NodeId;
use crate::lang::complain::TABLE_RULE;
use crate::lang::foreign;
use crate::lang::parse::{ARGUMENT, Reader};
use crate::lang::token::{Token, written};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

impl Reader<'_> {
    pub(super) fn does_not_chain(&self, name: Atom, token: &Token, left: NodeId) -> Box<Problem> {
        let message = format!("`{}` cannot follow this term without parentheses", name.text());
        let compares = |name: Atom| matches!(name.text(), "<" | ">" | "=<" | ">=" | "=:=" | "=\\=" | "=" | "==");
        if let (Some((first, 2)), &[_, middle]) = (self.tree.functor(left), self.tree.args(left))
            && compares(name)
            && compares(first)
        {
            let span = self.tree.span(middle);
            let inside = |token: &&Token| token.span.start >= span.start && token.span.end <= span.end;
            let middle: Vec<Token> = self.tokens.iter().filter(inside).cloned().collect();
            let (before, after) = (self.goal_before(self.at), self.goal_after(self.at + 1));
            let help = format!("compare twice: write {before}, {} {} {after}", written(&middle), name.text());
            return Problem::error(Code::OperatorClash, token.span, message).help(help).into();
        }
        Problem::error(Code::OperatorClash, token.span, message)
            .also(self.tree.span(left), "this term needs parentheses")
            .help(format!("write parentheses: (a {0} b) {0} c, or a {0} (b {0} c)", name.text()))
            .into()
    }

    pub(super) fn needs_parentheses(&self, name: Atom, priority: u16, max: u16, span: Span) -> Box<Problem> {
        if let Some(colon) = self.parted_neck() {
            return Problem::error(Code::UnexpectedWord, colon, "there is a blank between `:` and `-`")
                .help(foreign::NECK)
                .into();
        }
        let place = if max == ARGUMENT { "as an argument" } else { "here" };
        let head = !self.has(":-") && !self.has("-->");
        let help = match name.text() {
            "if" | "then" if head || self.has("::") => TABLE_RULE.to_string(),
            "if" | "then" => foreign::IF.to_string(),
            ":-" | "-->" if max == ARGUMENT => format!(
                "a bracket in the head is not closed: write `)` before `{}`, and remove the `)` that closes it later",
                name.text()
            ),
            ";" if max == ARGUMENT && head => {
                "a head cannot contain `;`: write two clauses, one for each case".to_string()
            }
            ";" if max == ARGUMENT && self.call_with_commas().is_some() => {
                format!("write `,` between arguments: {}", self.call_with_commas().unwrap_or_default())
            }
            name => format!("put the whole term in parentheses: (... {name} ...)"),
        };
        Problem::error(Code::OperatorClash, span, format!("`{}` needs parentheses {place}", name.text()))
            .label(format!("its priority is {priority}, and at most {max} is allowed"))
            .help(help)
            .into()
    }
}
