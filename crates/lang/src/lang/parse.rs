//! Parses tokens into terms: an operator-precedence parser with the current [`Ops`].
//!
//! It takes the tokens of one sentence and returns a [`Sentence`] or its first problem. Recursion
//! extends its stack on the heap, so only [`MAX_NESTING`] bounds the depth. Clauses are unknown here.

use crate::lang::ast::{NodeId, Sentence, TermKind, TermTree, Variable};
use crate::lang::ops::{Infix, Ops};
use crate::lang::pasted;
use crate::lang::token::{Token, TokenKind};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The limit for nested brackets and operators.
pub const MAX_NESTING: u32 = 200_000;

/// The parser makes sure that there is stack for this many levels of nested terms at once.
const LEVELS_AT_ONCE: u32 = 16;

/// The highest priority of a term.
pub const TOP: u16 = 1200;

/// The highest priority of an argument.
pub(super) const ARGUMENT: u16 = 999;

/// Parses the tokens of one sentence into a term.
///
/// A problem at the end of an empty sentence points to `empty`.
pub fn sentence(tokens: &[Token], ops: &Ops, empty: Span) -> Result<Sentence, Box<Problem>> {
    brackets(tokens)?;
    let mut reader = Reader {
        tokens,
        at: 0,
        ops,
        tree: TermTree::default(),
        names: FxHashMap::default(),
        wrapped: FxHashMap::default(),
        depth: 0,
        end: tokens.last().map_or(empty, |last| last.span.after()),
    };
    let root = match reader.term(TOP) {
        Ok((root, _)) if reader.peek().is_none() => root,
        read => {
            let problem = pasted::problem(tokens, reader.at);
            let own = || read.err().or_else(|| reader.peek().map(|token| reader.left_over(token)));
            return Err(problem.or_else(own).expect("either a word is left, or none could be read"));
        }
    };
    let mut tree = reader.tree;
    tree.shrink();
    Ok(Sentence { span: tree.span(root), tree, root })
}

/// Reports the first broken token or the first unmatched bracket.
fn brackets(tokens: &[Token]) -> Result<(), Box<Problem>> {
    let mut open: Vec<(&Token, char)> = Vec::new();
    for token in tokens {
        match &token.word {
            TokenKind::Broken(code, message, help) => {
                return Err(Problem::error(*code, token.span, message.clone()).help(help.clone()).into());
            }
            TokenKind::Mark('(') => open.push((token, ')')),
            TokenKind::Mark('[') => open.push((token, ']')),
            TokenKind::Mark('{') => open.push((token, '}')),
            TokenKind::Mark(mark @ (')' | ']' | '}')) => match open.pop() {
                Some((_, wanted)) if wanted == *mark => {}
                Some((opener, wanted)) => {
                    // If the mark closes the next outer bracket, the inner bracket lacks its mark
                    // before this one.
                    let missing = open.last().is_some_and(|(_, outer)| outer == mark);
                    let end = if missing { token.span.start } else { token.span.end };
                    return Err(Problem::error(
                        Code::UnmatchedBracket,
                        token.span,
                        format!("`{mark}` closes a bracket of another kind"),
                    )
                    .label(format!("expected `{wanted}`"))
                    .also(opener.span, "the opening bracket")
                    .help(format!("write `{wanted}` here, or close the brackets in the order they were opened"))
                    .edit(Span { end, ..token.span }, wanted)
                    .into());
                }
                None => {
                    return Err(Problem::error(
                        Code::UnmatchedBracket,
                        token.span,
                        format!("`{mark}` closes a bracket that was never opened"),
                    )
                    .help("remove this bracket, or write the opening bracket")
                    .edit(token.span, "")
                    .into());
                }
            },
            _ => {}
        }
    }
    let Some((opener, wanted)) = open.first() else { return Ok(()) };
    let neck = |token: &Token| matches!(token.word, TokenKind::Name(atoms::NECK | atoms::DCG_NECK));
    let neck = tokens.iter().position(|token| token.span.start > opener.span.start && neck(token));
    let help = match neck {
        Some(_) => format!("add `{wanted}` before `:-`, where the head ends"),
        None => format!("add `{wanted}` before the full stop"),
    };
    let problem = Problem::error(Code::UnmatchedBracket, opener.span, "this bracket is never closed").help(help);
    let end = tokens[..neck.unwrap_or(tokens.len())].last().map_or(opener.span.end, |token| token.span.end);
    let here = Span { start: end, end, ..opener.span };
    // If several brackets are open, one more closing bracket is not enough.
    Err(if open.len() == 1 { problem.edit(here, *wanted) } else { problem }.into())
}

pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    pub(super) ops: &'a Ops,
    pub(super) tree: TermTree,
    names: FxHashMap<Arc<str>, u32>,
    /// The spans of terms in round brackets, including the brackets.
    wrapped: FxHashMap<NodeId, Span>,
    depth: u32,
    pub(super) end: Span,
}

type Read<T> = Result<T, Box<Problem>>;

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn next_is(&self, mark: char) -> bool {
        self.peek().is_some_and(|token| token.word == TokenKind::Mark(mark))
    }

    fn expect(&mut self, mark: char, or: &str) -> Read<Span> {
        match self.peek() {
            Some(token) if token.word == TokenKind::Mark(mark) => {
                self.at += 1;
                Ok(token.span)
            }
            Some(token) => Err(self.unexpected(token, &format!("{or}`{mark}`"))),
            None => Err(Problem::error(Code::MissingTerm, self.end, format!("expected {or}`{mark}`")).into()),
        }
    }

    /// Parses a term of at most this priority. Returns its priority too.
    fn term(&mut self, max: u16) -> Read<(NodeId, u16)> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let span = self.peek().map_or(self.end, |token| token.span);
            return Err(Problem::error(
                Code::NestedTooDeep,
                span,
                format!("brackets or operators are nested more than {MAX_NESTING} deep"),
            )
            .help("move the inner parts into predicates of their own")
            .into());
        }
        // Asking for the free stack takes time, so only some levels ask.
        let read = match self.depth % LEVELS_AT_ONCE {
            1 => stacker::maybe_grow(192 << 10, 4 << 20, || self.operand(max)),
            _ => self.operand(max),
        };
        self.depth -= 1;
        read
    }

    fn operand(&mut self, max: u16) -> Read<(NodeId, u16)> {
        let (left, priority) = self.primary(max)?;
        self.climb(left, priority, max)
    }

    /// Parses the operators that follow `left`, as far as their priority permits.
    fn climb(&mut self, mut left: NodeId, mut priority: u16, max: u16) -> Read<(NodeId, u16)> {
        while let Some((name, token)) = self.operator() {
            if let Some(infix) = self.ops.infix(name) {
                if infix.priority > max {
                    break;
                }
                if priority > infix.left {
                    return Err(self.does_not_chain(name, token, left));
                }
                self.at += 1;
                left = self.right_side(left, name, infix)?;
                priority = infix.priority;
            } else if let Some(postfix) =
                self.ops.postfix(name).filter(|op| op.priority <= max && priority <= op.operand)
            {
                self.at += 1;
                left = self.build(name, &[left], token.span);
                priority = postfix.priority;
            } else {
                break;
            }
        }
        Ok((left, priority))
    }

    /// Parses the right operand of an infix operator. A loop collects chains of right-associative
    /// operators, so that a long conjunction needs no recursion.
    fn right_side(&mut self, left: NodeId, name: Atom, infix: Infix) -> Read<NodeId> {
        let rightward = |op: Infix| op.right == op.priority;
        if !rightward(infix) {
            let (right, _) = self.term(infix.right)?;
            return Ok(self.build(name, &[left, right], self.whole(left)));
        }
        let mut operands = vec![left];
        let mut names = vec![name];
        loop {
            let (mut right, mut priority) = self.term(self.operand_limit(infix.priority))?;
            let follower = self.operator().and_then(|(name, _)| Some((name, self.ops.infix(name)?)));
            match follower {
                Some((name, op)) if op.priority == infix.priority && rightward(op) && priority < infix.priority => {
                    operands.push(right);
                    names.push(name);
                    self.at += 1;
                    continue;
                }
                Some((_, op)) if op.priority == infix.priority => {
                    (right, priority) = self.climb(right, priority, infix.priority)?
                }
                _ => {}
            }
            debug_assert!(priority <= infix.priority, "an operand binds at least as tightly as its operator");
            while let (Some(name), Some(left)) = (names.pop(), operands.pop()) {
                right = self.build(name, &[left, right], self.whole(left));
            }
            return Ok(right);
        }
    }

    /// The highest priority of an operand in a chain: one less than that of the chain, which keeps the
    /// chain a loop. A prefix operator of the same priority is permitted.
    fn operand_limit(&self, priority: u16) -> u16 {
        match self.operator().and_then(|(name, _)| self.ops.prefix(name)) {
            Some(prefix) if prefix.priority == priority => priority,
            _ => priority - 1,
        }
    }

    /// The atom of the next token, if the token may be an operator.
    pub(super) fn operator(&self) -> Option<(Atom, &'a Token)> {
        let token = self.peek()?;
        match &token.word {
            TokenKind::Name(name) | TokenKind::Quoted(name) => Some((*name, token)),
            TokenKind::Mark(',') => Some((atoms::COMMA, token)),
            TokenKind::Mark('|') => Some((atoms::BAR, token)),
            _ => None,
        }
    }

    fn build(&mut self, name: Atom, args: &[NodeId], from: Span) -> NodeId {
        let mut span = from;
        for arg in args {
            span = span.to(self.whole(*arg));
        }
        self.tree.compound(name, args, span)
    }

    /// The span of a term, including the round brackets around it.
    fn whole(&self, node: NodeId) -> Span {
        self.wrapped.get(&node).copied().unwrap_or_else(|| self.tree.span(node))
    }

    fn primary(&mut self, max: u16) -> Read<(NodeId, u16)> {
        let Some(token) = self.peek() else {
            return Err(self.no_term_at_end());
        };
        self.at += 1;
        let span = token.span;
        let plain = |kind: TermKind, reader: &mut Self| Ok((reader.tree.add(kind, span), 0));
        match &token.word {
            TokenKind::Int(value) => plain(integer(value.clone()), self),
            TokenKind::Float(value) => plain(TermKind::Float(*value), self),
            TokenKind::Text(text) => plain(TermKind::Text(text.clone()), self),
            TokenKind::Codes(text) => Ok((self.codes(text, span), 0)),
            TokenKind::Var(name) => self.variable(name, span),
            TokenKind::Mark('(') => {
                let (inner, _) = self.term(TOP)?;
                let close = self.expect(')', "")?;
                self.wrapped.insert(inner, span.to(close));
                Ok((inner, 0))
            }
            TokenKind::Mark('[') if self.next_is(']') => {
                let close = self.expect(']', "")?;
                self.atom_or_compound(atoms::NIL, span.to(close), max, true)
            }
            TokenKind::Mark('[') => Ok((self.list(span)?, 0)),
            TokenKind::Mark('{') if self.next_is('}') => {
                let close = self.expect('}', "")?;
                self.atom_or_compound(atoms::CURLY, span.to(close), max, true)
            }
            TokenKind::Mark('{') => {
                let (inner, _) = self.term(TOP)?;
                let close = self.expect('}', "")?;
                Ok((self.tree.compound(atoms::CURLY, &[inner], span.to(close)), 0))
            }
            TokenKind::Name(name) => self.atom_or_compound(*name, span, max, false),
            TokenKind::Quoted(name) => self.atom_or_compound(*name, span, max, false),
            TokenKind::Mark(_) | TokenKind::Broken(..) => {
                self.at -= 1;
                Err(self.no_term(token))
            }
        }
    }

    fn variable(&mut self, name: &Arc<str>, span: Span) -> Read<(NodeId, u16)> {
        if self.peek().is_some_and(|token| token.word == TokenKind::Mark('(') && !token.spaced) {
            return Err(self.called_variable(name, span));
        }
        let number = match self.names.get(name) {
            Some(number) if &**name != "_" => *number,
            _ => {
                let number = self.tree.variables.len() as u32;
                self.tree.variables.push(Variable { name: name.clone(), first: span, count: 0 });
                self.names.insert(name.clone(), number);
                number
            }
        };
        self.tree.variables[number as usize].count += 1;
        Ok((self.tree.add(TermKind::Var(number), span), 0))
    }

    fn codes(&mut self, text: &str, span: Span) -> NodeId {
        let mut list = self.tree.add(TermKind::Atom(atoms::NIL), span);
        for c in text.chars().rev() {
            let code = self.tree.add(TermKind::Int(i64::from(u32::from(c))), span);
            list = self.tree.compound(atoms::DOT, &[code, list], span);
        }
        list
    }

    fn list(&mut self, open: Span) -> Read<NodeId> {
        let mut items = Vec::new();
        let tail = loop {
            items.push(self.term(ARGUMENT)?.0);
            if self.next_is(',') {
                self.at += 1;
            } else if self.next_is('|') {
                self.at += 1;
                break Some(self.term(ARGUMENT)?.0);
            } else {
                break None;
            }
        };
        let close = self.expect(']', if tail.is_some() { "" } else { "`,` or `|` or " })?;
        let span = open.to(close);
        let mut list = match tail {
            Some(tail) => tail,
            None => self.tree.add(TermKind::Atom(atoms::NIL), close),
        };
        while let Some(item) = items.pop() {
            let whole = if items.is_empty() { span } else { self.tree.span(item).to(close) };
            list = self.tree.compound(atoms::DOT, &[item, list], whole);
        }
        Ok(list)
    }

    fn atom_or_compound(&mut self, name: Atom, span: Span, max: u16, solo: bool) -> Read<(NodeId, u16)> {
        if self.peek().is_some_and(|token| token.word == TokenKind::Mark('(') && !token.spaced) {
            self.at += 1;
            let mut args = vec![self.term(ARGUMENT)?.0];
            while self.next_is(',') {
                self.at += 1;
                args.push(self.term(ARGUMENT)?.0);
            }
            let close = self.expect(')', "`,` or ")?;
            return Ok((self.tree.compound(name, &args, span.to(close)), 0));
        }
        if name == atoms::MINUS
            && let Some(number) = self.negative_number(span)
        {
            return Ok((number, 0));
        }
        match self.ops.prefix(name) {
            Some(prefix) if !solo && self.operand_follows() => {
                if prefix.priority > max {
                    return Err(self.needs_parentheses(name, prefix.priority, max, span));
                }
                let (operand, _) = self.term(prefix.operand)?;
                Ok((self.build(name, &[operand], span), prefix.priority))
            }
            _ => Ok((self.tree.add(TermKind::Atom(name), span), 0)),
        }
    }

    /// A minus directly before a numeral is part of the number (ISO 6.3.4.1).
    fn negative_number(&mut self, minus: Span) -> Option<NodeId> {
        let token = self.peek()?;
        let kind = match &token.word {
            TokenKind::Int(value) => integer(-value.clone()),
            TokenKind::Float(value) => TermKind::Float(-value),
            _ => return None,
        };
        self.at += 1;
        Some(self.tree.add(kind, minus.to(token.span)))
    }

    /// Whether an operand follows the prefix operator that was just read. Looks at most two tokens
    /// ahead, so parsing takes linear time.
    fn operand_follows(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        let (TokenKind::Name(name) | TokenKind::Quoted(name)) = &token.word else {
            return starts_term(token);
        };
        let after = self.tokens.get(self.at + 1);
        if after.is_some_and(|next| next.word == TokenKind::Mark('(') && !next.spaced) {
            return true;
        }
        if self.ops.infix(*name).is_none() && self.ops.postfix(*name).is_none() {
            return true;
        }
        self.ops.prefix(*name).is_some() && after.is_some_and(starts_term)
    }
}

pub(super) fn starts_term(token: &Token) -> bool {
    !matches!(token.word, TokenKind::Mark(')' | ']' | '}' | ',' | '|'))
}

fn integer(value: num_bigint::BigInt) -> TermKind {
    match value.to_i64() {
        Some(small) => TermKind::Int(small),
        None => TermKind::Big(Arc::new(value)),
    }
}
