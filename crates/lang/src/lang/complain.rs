//! Builds the diagnostic for a sentence that cannot be parsed.
//!
//! From the state of the parser at the failure it builds one problem with the smallest span and a help
//! that the user can type.

use crate::lang::foreign;
use crate::lang::numeral;
use crate::lang::parse::{ARGUMENT, Reader, TOP, starts_term};
use crate::lang::pasted;
use crate::lang::token::{Token, TokenKind, word_text, written};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};

pub(super) const TABLE_RULE: &str = "a rule of an advice table is Name :: if Condition then [Advice, ...].";

impl Reader<'_> {
    pub(super) fn left_over(&self, token: &Token) -> Box<Problem> {
        if let Some((name, infix)) = self.operator().and_then(|(name, _)| Some((name, self.ops.infix(name)?)))
            && infix.priority > TOP - 1
        {
            return Problem::error(
                Code::OperatorClash,
                token.span,
                format!("a second `{}` in one clause", name.text()),
            )
            .help("end the clause before it with a full stop")
            .into();
        }
        self.unexpected(token, "an operator, `,` or the full stop")
    }

    pub(super) fn unexpected(&self, token: &Token, wanted: &str) -> Box<Problem> {
        if let Some(problem) = self.runs_together(token).or_else(|| self.foreign_word(token)) {
            return problem;
        }
        if let Some(problem) = self.lone_operator(token) {
            return problem;
        }
        if let Some((name, infix)) = self.operator().and_then(|(name, _)| Some((name, self.ops.infix(name)?)))
            && name != atoms::COMMA
            && name != atoms::BAR
        {
            return self.needs_parentheses(name, infix.priority, ARGUMENT, token.span);
        }
        Problem::error(
            Code::UnexpectedWord,
            token.span,
            format!("expected {wanted} before `{}`", word_text(&token.word)),
        )
        .maybe_help(self.hint(token, wanted))
        .into()
    }

    /// A token before the current one; `back` = 1 is the last one.
    fn before(&self, back: usize) -> Option<&Token> {
        self.at.checked_sub(back).map(|at| &self.tokens[at])
    }

    /// Whether the tokens so far may be the head of a rule: no bracket is open and no neck occurred.
    fn in_head(&self) -> bool {
        let read = &self.tokens[..self.at];
        let depth: i64 = read
            .iter()
            .map(|token| match token.word {
                TokenKind::Mark('(' | '[' | '{') => 1,
                TokenKind::Mark(')' | ']' | '}') => -1,
                _ => 0,
            })
            .sum();
        let necks = [atoms::NECK, atoms::DCG_NECK, atoms::QUERY];
        depth == 0
            && matches!(read.first(), Some(first) if matches!(first.word, TokenKind::Name(_)))
            && !read.iter().any(|token| matches!(&token.word, TokenKind::Name(name) if necks.contains(name)))
    }

    /// Reports a word of another language at the current token or just before it.
    fn foreign_word(&self, token: &Token) -> Option<Box<Problem>> {
        let foreign = |span: Span, word: &str, help: String| -> Option<Box<Problem>> {
            Some(
                Problem::error(Code::UnexpectedWord, span, format!("`{word}` is not an operator here"))
                    .help(help)
                    .into(),
            )
        };
        if let Some(text) = self.no_operator(token) {
            let span = match text == "!=" {
                true => token.span.to(self.tokens[self.at + 1].span),
                false => token.span,
            };
            let neck = foreign::operator(&text) == Some(foreign::NECK);
            let arrow = matches!(text.as_str(), "<=" | "=>" | "→" | "⇒" | "=" | "if");
            if self.in_head() && (arrow || neck) {
                return foreign(span, &text, foreign::NECK.to_string()).map(|problem| problem.edit(span, ":-").into());
            }
            if let Some(help) = self.in_body(&text, neck) {
                return foreign(span, &text, help);
            }
            if let Some(help) = foreign::operator(&text) {
                let problem = foreign(span, &text, help.to_string())?;
                return Some(match foreign::replacement(&text) {
                    Some(ours) => problem.edit(span, ours).into(),
                    None => problem,
                });
            }
            if let Some(help) = self.two_operators(&text) {
                return foreign(span, &text, help);
            }
        }
        let before = self.before(1)?;
        let (TokenKind::Name(name), true) = (&before.word, starts_term(token)) else { return None };
        let text = name.text();
        let nothing_before = self.before(2).is_none_or(|word| !ends_term(word));
        if let (".", TokenKind::Int(digits)) = (text, &token.word)
            && !token.spaced
            && nothing_before
        {
            let help = format!("write 0.{digits}: a float has digits on both sides of its point");
            return Some(
                Problem::error(Code::MalformedNumber, before.span, "this number has no first digit").help(help).into(),
            );
        }
        if text == "else" && self.before(2).is_some_and(|word| word.word == TokenKind::Name(atoms::SEMICOLON)) {
            let help = "remove `else` (and `if`): `;` means else; for another case write ; Condition -> Then";
            return foreign(before.span, text, help.to_string());
        }
        if !nothing_before || (self.ops.is_op(*name) && text != "//" && text != "--") {
            return None;
        }
        let help = match foreign::prefix(text, !token.spaced) {
            Some(help) => help.to_string(),
            None if is_symbolic(text) => format!("remove `{text}`; it is neither an operator nor part of a name"),
            None => return None,
        };
        Some(
            Problem::error(Code::UnexpectedWord, before.span, format!("`{text}` cannot stand before a term"))
                .help(help)
                .into(),
        )
    }

    /// The help for an arrow or a foreign word among the goals of a rule.
    fn in_body(&self, text: &str, neck: bool) -> Option<String> {
        let (left, right) = (self.goal_before(self.at), self.goal_after(self.at + 1));
        match text {
            "=>" => Some("write `->` after a condition, or `>=` to compare numbers".into()),
            "--" | "++" if !right.is_empty() => Some(format!("write `{}`, one sign, between two terms", &text[..1])),
            "if" if !self.has("::") => Some(foreign::IF.into()),
            "in" | "from" => {
                let range = right.replace("..", " ").replace(" to ", " ");
                let (low, high) = range.trim().split_once(' ')?;
                let plain = |part: &str| part.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
                let ranged = right.contains("..") || right.contains(" to ");
                let help = format!("write between({}, {}, {left}) for each number in turn", low.trim(), high.trim());
                (ranged && plain(low) && plain(high)).then_some(help)
            }
            _ if neck && text != "where" && matches!(self.before(1)?.word, TokenKind::Var(_)) => {
                Some(format!("write {left} is {right} to compute, {left} = {right} for anything else"))
            }
            _ => None,
        }
    }

    /// Whether a word occurs before the current token.
    pub(super) fn has(&self, word: &str) -> bool {
        self.tokens[..self.at].iter().any(|token| matches!(&token.word, TokenKind::Name(name) if name.text() == word))
    }

    /// The text from a token to the end of its goal.
    pub(super) fn goal_after(&self, from: usize) -> String {
        let rest = &self.tokens[from.min(self.tokens.len())..];
        let rest = &rest[..rest.len().min(pasted::LONGEST_GOAL)];
        let mut depth = 0;
        let end = rest.iter().position(|token| match &token.word {
            TokenKind::Mark('(' | '[' | '{') => {
                depth += 1;
                false
            }
            TokenKind::Mark(')' | ']' | '}') => {
                depth -= 1;
                depth < 0
            }
            word => depth == 0 && separates_goals(word),
        });
        written(&rest[..end.unwrap_or(rest.len())])
    }

    /// The text of a goal before a token.
    pub(super) fn goal_before(&self, to: usize) -> String {
        let read = &self.tokens[to.saturating_sub(pasted::LONGEST_GOAL)..to];
        let mut depth = 0;
        let start = read.iter().rposition(|token| match &token.word {
            TokenKind::Mark(')' | ']' | '}') => {
                depth += 1;
                false
            }
            TokenKind::Mark('(' | '[' | '{') => {
                depth -= 1;
                depth < 0
            }
            word => depth == 0 && separates_goals(word),
        });
        written(&read[start.map_or(0, |start| start + 1)..])
    }

    /// The current call with `,` instead of `;` between its arguments. `None` if the arguments may be
    /// goals.
    pub(super) fn call_with_commas(&self) -> Option<String> {
        let open = self.tokens[..self.at].iter().rposition(|token| token.word == TokenKind::Mark('('))?;
        let close = self.at + self.tokens[self.at..].iter().position(|token| token.word == TokenKind::Mark(')'))?;
        let inside = &self.tokens[open + 1..close];
        let name = self.tokens[..open].last().filter(|name| matches!(name.word, TokenKind::Name(_)))?;
        let plain = inside.iter().all(|token| match &token.word {
            TokenKind::Int(_) | TokenKind::Float(_) | TokenKind::Var(_) | TokenKind::Mark(',') => true,
            word => *word == TokenKind::Name(atoms::SEMICOLON),
        });
        let args = written(inside).replace(';', ",");
        (plain && !self.tokens[open].spaced).then(|| format!("{}({args})", word_text(&name.word)))
    }

    /// The current token if it stands like an operator but is none.
    fn no_operator(&self, token: &Token) -> Option<String> {
        let TokenKind::Name(name) = &token.word else { return None };
        let next = self.tokens.get(self.at + 1);
        if name.text() == "!" {
            let equals = next.is_some_and(|next| !next.spaced && next.word == TokenKind::Name(atoms::EQUAL));
            return equals.then(|| "!=".to_string());
        }
        let called = next.is_some_and(|next| next.word == TokenKind::Mark('(') && !next.spaced);
        (!called && self.ops.infix(*name).is_none()).then(|| name.text().to_string())
    }

    /// The help for two operators without a blank between them, such as `=-`.
    fn two_operators(&self, text: &str) -> Option<String> {
        if text.len() > 1 && text.ends_with('.') && self.ops.infix(Atom::new(text.trim_end_matches('.'))).is_some() {
            let operator = text.trim_end_matches('.');
            return Some(format!("write what follows `{operator}`, or remove it; put a blank before the full stop"));
        }
        (1..text.len()).rev().filter(|at| text.is_char_boundary(*at)).find_map(|at| {
            let (left, right) = text.split_at(at);
            let two = self.ops.infix(Atom::new(left)).is_some() && self.ops.prefix(Atom::new(right)).is_some();
            two.then(|| format!("put a blank between the two operators: write `{left} {right}`"))
        })
    }

    /// Reports a number that touches a name, such as `12abc` or `1e10`.
    fn runs_together(&self, token: &Token) -> Option<Box<Problem>> {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at])?;
        if !number(&before.word)
            || token.spaced
            || !word_text(&token.word).starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            return None;
        }
        let text = word_text(&token.word);
        let number = word_text(&before.word);
        let help = numeral::name_behind(&number, matches!(before.word, TokenKind::Float(_)), &text);
        Some(
            Problem::error(Code::MalformedNumber, before.span.to(token.span), "a name directly after a number")
                .help(help)
                .into(),
        )
    }

    /// Reports an operator that was read as a term, with another term behind it.
    fn lone_operator(&self, token: &Token) -> Option<Box<Problem>> {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at])?;
        let TokenKind::Name(name) = &before.word else { return None };
        if !starts_term(token) || self.ops.infix(*name).is_none() || self.ops.prefix(*name).is_some() {
            return None;
        }
        if let Some(Token { word: TokenKind::Name(first), span, .. }) = self.before(2)
            && let joined = format!("{}{}", first.text(), name.text())
            && let joined = foreign::prolog_spelling(&joined)
            && self.ops.infix(Atom::new(joined)).is_some()
        {
            return Some(
                Problem::error(Code::MissingTerm, span.to(before.span), "two operators in a row")
                    .help(format!("did you mean {joined}?"))
                    .edit(span.to(before.span), joined)
                    .into(),
            );
        }
        let message = format!("the term before `{}` is missing", name.text());
        Some(
            Problem::error(Code::MissingTerm, before.span, message)
                .help("write the missing term, or remove one of the two operators")
                .into(),
        )
    }

    /// The help for two terms without an operator between them.
    fn hint(&self, token: &Token, wanted: &str) -> Option<String> {
        let before = self.before(1);
        let name = before.and_then(|before| match &before.word {
            TokenKind::Name(name) if name.text().starts_with(char::is_alphabetic) => Some(name.text()),
            _ => None,
        });
        Some(match &token.word {
            TokenKind::Mark(',' | '|') if wanted == "`]`" => {
                "after `|` a list has one term, the rest: write `,` before `|`, or `]` after the rest".into()
            }
            TokenKind::Mark('(') if name == Some("if") => foreign::prefix("if", false)?.into(),
            TokenKind::Mark('(') => match name {
                Some(name) => format!("write {name}(...): no blank may come between the name of a predicate and `(`"),
                None => "no blank may come between the name of a predicate and `(`".into(),
            },
            TokenKind::Mark('{') if self.in_head() => foreign::NECK.into(),
            TokenKind::Mark('[') if matches!(before, Some(Token { word: TokenKind::Var(_), .. })) && !token.spaced => {
                "write nth1(I, List, X) for an element of a list, arg(I, Term, X) for an argument".into()
            }
            word if number(word) && self.is_number_before() => {
                "put `,` or an operator between two numbers; a group of digits has three: 1 000 000".into()
            }
            TokenKind::Name(name) if name.text() == "." && self.is_number_before() && !token.spaced => {
                "a float has digits on both sides of its point: write 1.0, or 1.0e5".into()
            }
            TokenKind::Name(name) if name.text() == "." => {
                "a full stop needs a blank or the end of the line after it; \
                                                       write `,` between goals"
                    .into()
            }
            TokenKind::Name(name) if name.text().chars().all(|c| c == '.') && self.ends_line(token) => {
                "a clause ends with one full stop: remove the others".into()
            }
            TokenKind::Name(name) if crate::lang::ops::Ops::is_extra(name.text()) => {
                let instead = if name.text() == ".." { self.range() } else { String::new() };
                format!("`{}` becomes an operator with :- use_module(library(alphorn)).{instead}", name.text())
            }
            _ if !starts_term(token) => return None,
            _ if self.has("if") && !self.has("then") => TABLE_RULE.into(),
            _ if self.in_head() && self.at > 1 => {
                format!("{}; write `,` between two goals", foreign::NECK)
            }
            _ => match name.filter(|_| wanted.contains("full stop")) {
                Some(name) => format!(
                    "an operator is missing between two terms: write {name}(...) if the second is an argument, else `,`"
                ),
                None => "`,` or an operator is missing between two terms".into(),
            },
        })
    }

    fn is_number_before(&self) -> bool {
        self.before(1).is_some_and(|before| number(&before.word))
    }

    /// The help for `K = 1..3`, where the dots are the current token.
    fn range(&self) -> String {
        let (left, high) = (self.goal_before(self.at), self.goal_after(self.at + 1));
        let parts = left.split_once(" = ").or_else(|| left.split_once(" is "));
        let (variable, low) = parts.unwrap_or(("X", "1"));
        let high = if parts.is_some() { high.as_str() } else { "3" };
        format!("; for each number in turn write between({low}, {high}, {variable})")
    }

    /// Whether a token touches the one before it but not the one behind it.
    fn ends_line(&self, token: &Token) -> bool {
        !token.spaced && self.tokens.get(self.at + 1).is_none_or(|next| next.spaced)
    }

    pub(super) fn called_variable(&self, name: &str, span: Span) -> Box<Problem> {
        let product = self.before(2).is_some_and(|word| match &word.word {
            TokenKind::Name(name) => {
                matches!(name.text(), "+" | "-" | "*" | "/" | "//" | "is" | "<" | ">" | "=<" | ">=")
            }
            _ => false,
        });
        let small: String = name.chars().flat_map(char::to_lowercase).collect();
        let help = match product {
            true => format!("write {name} * (...) for a product"),
            false if small.starts_with(char::is_lowercase) => {
                format!("begin the name of a predicate with a small letter: {small}(...); or write call({name}, ...)")
            }
            false => format!("write call({name}, ...), or begin the name with a small letter"),
        };
        Problem::error(
            Code::VariableAsPredicate,
            span,
            format!("the variable {name} cannot be called like a predicate"),
        )
        .help(help)
        .into()
    }

    pub(super) fn no_term_at_end(&self) -> Box<Problem> {
        let problem = Problem::error(Code::MissingTerm, self.end, "a term is missing at the end");
        match self.tokens.last() {
            Some(Token { word: TokenKind::Mark(','), span, .. }) => {
                problem.help("remove the `,` before the full stop, or write the goal that follows it").edit(*span, "")
            }
            _ => problem.help("write the missing term, or remove the operator before it"),
        }
        .into()
    }

    pub(super) fn no_term(&self, token: &Token) -> Box<Problem> {
        let text = word_text(&token.word);
        let is = |back: usize, mark: char| self.before(back).filter(|before| before.word == TokenKind::Mark(mark));
        if let (TokenKind::Mark('|'), Some(first), false) = (&token.word, is(1, '|'), token.spaced) {
            let help = foreign::operator("||").unwrap_or_default();
            return Problem::error(Code::UnexpectedWord, first.span.to(token.span), "`||` is not an operator here")
                .help(help)
                .into();
        }
        if let Some(help) = self.absolute(token) {
            let message = format!("expected a term before `{text}`");
            return Problem::error(Code::MissingTerm, token.span, message).help(help).into();
        }
        let mut extra = None;
        let help = match (&token.word, self.before(2).map(|before| &before.word)) {
            (TokenKind::Mark(')'), Some(TokenKind::Name(name))) if is(1, '(').is_some() => {
                format!("a name without arguments has no brackets: write {}", name.text())
            }
            (TokenKind::Mark(','), _) => {
                extra = Some(token.span);
                "remove the extra `,`, or write the missing term".to_string()
            }
            (TokenKind::Mark('|' | ')' | ']'), _) if let Some(comma) = is(1, ',') => {
                extra = Some(comma.span);
                format!("remove the `,` before `{text}`, or write the missing term")
            }
            (TokenKind::Mark('|'), _) => "write at least one element before `|`".to_string(),
            _ => "write the missing term, or remove the operator or `,` before it".to_string(),
        };
        let problem =
            Problem::error(Code::MissingTerm, token.span, format!("expected a term before `{text}`")).help(help);
        match extra {
            Some(extra) => problem.edit(extra, ""),
            None => problem,
        }
        .into()
    }

    /// The help for bars around an expression, the absolute value in mathematics.
    fn absolute(&self, token: &Token) -> Option<String> {
        let bar = |token: &Token| token.word == TokenKind::Mark('|');
        let behind = &self.tokens[self.at + 1..];
        let end = behind.iter().position(|token| bar(token) || separates_goals(&token.word))?;
        let list = matches!(self.before(1)?.word, TokenKind::Mark(_));
        (bar(token) && bar(&behind[end]) && end > 0 && !list)
            .then(|| format!("write abs({}) for the absolute value", written(&behind[..end])))
    }

    /// The span of the `:` in a neck with a blank, `: -`.
    pub(super) fn parted_neck(&self) -> Option<Span> {
        let is = |token: &Token, name| token.word == TokenKind::Name(name);
        let mut pairs = self.tokens[..self.at].windows(2);
        let pair = pairs.find(|pair| is(&pair[0], atoms::COLON) && is(&pair[1], atoms::MINUS))?;
        (!self.tokens.iter().any(|token| is(token, atoms::NECK))).then_some(pair[0].span)
    }
}

fn number(word: &TokenKind) -> bool {
    matches!(word, TokenKind::Int(_) | TokenKind::Float(_))
}

/// Whether a token separates goals.
fn separates_goals(word: &TokenKind) -> bool {
    match word {
        TokenKind::Mark(mark) => *mark == ',',
        TokenKind::Name(name) => matches!(*name, atoms::SEMICOLON | atoms::ARROW | atoms::NECK | atoms::SOFT_ARROW),
        _ => false,
    }
}

/// Whether a token can end the left operand of an operator.
fn ends_term(token: &Token) -> bool {
    match &token.word {
        TokenKind::Mark(mark) => matches!(mark, ')' | ']' | '}'),
        TokenKind::Name(name) => name.text().starts_with(char::is_alphabetic),
        _ => true,
    }
}

fn is_symbolic(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '!' | ';' | '[' | '{'))
}
