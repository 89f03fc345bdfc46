//! Writes terms as text that reads back as the same term.
//!
//! The text follows SWI-Prolog's `writeq/1`, with the given operators and options. The writer is a
//! loop with its own stack. The length of the text is limited, because shared parts could multiply
//! it.

use super::Term;
use super::heap::{Heap, TermView};
use crate::term::float;
use alphorn_lang::lang::ops::Ops;
use alphorn_text::printable::{escape, has_hidden, is_hidden};
use alphorn_text::symbol::{Atom, atoms};
use pest::unicode;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Options for writing a term.
#[derive(Clone, Copy)]
pub struct WriteOptions<'a> {
    /// Quote atoms that need quotes.
    pub quoted: bool,
    /// Write operators between their operands. With `None`, operators are written as functors.
    pub operators: Option<&'a Ops>,
    /// Write `'$VAR'(1)` as `B`.
    pub number_vars: bool,
    /// If true, the writer stops and the text is cut short.
    pub stop: Option<&'a AtomicBool>,
    /// The limit in bytes of the text and of the pending work. A longer text ends in `...`.
    pub limit: usize,
}

/// Returns the cost in steps of reading or writing an integer of `bits` bits. A step takes some
/// fifteen nanoseconds.
pub fn digits_work(bits: u64) -> u64 {
    let words = bits / 64;
    words.saturating_mul(words.isqrt())
}

/// The greatest cost, in steps, of work that cannot be interrupted: well under a second. Writing a
/// number of three million digits is possible.
pub const AT_ONCE: u64 = 70_000_000;

/// The names of variables by their cells.
pub type Names = FxHashMap<usize, String>;

/// The naming of variables in the text.
pub enum Variables<'a> {
    /// `_G` and the number of the cell.
    Cells,
    /// `_1`, `_2` and so on. A new variable gets the next free number.
    Numbered(&'a mut Names),
}

enum Item {
    /// A term with a priority of at most this number.
    Term(Term, u16),
    /// Text that follows without a blank.
    Close(&'static str),
    /// A word that needs a blank after an adjacent word.
    Word(String),
    /// The tail of a list, and how many of its elements to write.
    Tail(Term, usize),
    /// Text that follows without a blank, such as an infix comma.
    Bare(String),
}

/// Writes a term. Returns `false` if the limit, or too much work for large integers, cut the text
/// short.
pub fn write(heap: &Heap, term: Term, style: WriteOptions<'_>, names: Variables<'_>, out: &mut String) -> bool {
    write_at(heap, term, 1200, style, names, out)
}

/// Writes a term with a priority of at most `max`, such as 699 after `=`.
pub fn write_at<'a>(
    heap: &'a Heap,
    term: Term,
    max: u16,
    style: WriteOptions<'a>,
    names: Variables<'a>,
    out: &'a mut String,
) -> bool {
    written(heap, (term, max), style, names, usize::MAX, out)
}

/// A short text folds nested compounds with more than `LONG` arguments and lists with more than
/// `LONG` elements. It shows the first `FOLDED` of them.
const LONG: usize = 8;
const FOLDED: usize = 3;

/// Writes a term in little space. A term that does not fit is written with `...` in its long parts,
/// such as `pos(x,b(e,e,e,...),8)`, and cut short if it still does not fit.
pub fn brief(heap: &Heap, (term, max): (Term, u16), style: WriteOptions<'_>, names: &mut Names, out: &mut String) {
    let before = out.len();
    if !write_at(heap, term, max, style, Variables::Numbered(names), out) {
        out.truncate(before);
        written(heap, (term, max), style, Variables::Numbered(names), LONG, out);
    }
}

fn written<'a>(
    heap: &'a Heap,
    (term, max): (Term, u16),
    style: WriteOptions<'a>,
    names: Variables<'a>,
    long: usize,
    out: &'a mut String,
) -> bool {
    let end = out.len().saturating_add(style.limit);
    let mut writer =
        Writer { heap, style, names, out, stack: vec![Item::Term(term, max)], end, work: 0, long, outer: true };
    let mut items = 0u32;
    while let Some(item) = writer.stack.pop() {
        items = items.wrapping_add(1);
        let polled = items.is_multiple_of(1 << 12);
        if polled && style.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return false;
        }
        let waiting = writer.stack.len() * size_of::<Item>();
        let worked = writer.work > AT_ONCE;
        if worked || writer.out.len() >= end || waiting >= style.limit.saturating_mul(8).max(1 << 16) {
            writer.out.push_str("...");
            return false;
        }
        match item {
            Item::Term(term, max) => writer.term(term, max),
            Item::Close(text) => writer.out.push_str(text),
            Item::Word(word) => writer.word(&word),
            Item::Bare(text) => writer.out.push_str(&text),
            Item::Tail(tail, left) => writer.tail(tail, left),
        }
    }
    if writer.work > AT_ONCE {
        writer.out.push_str("...");
    }
    writer.work <= AT_ONCE
}

/// Writes an atom with the quotes that it needs to be read back.
pub fn atom_text(name: Atom) -> String {
    atom_quoted(&name.name())
}

fn atom_quoted(text: &str) -> String {
    if needs_no_quotes(text) { text.to_string() } else { quote(text, '\'') }
}

/// Puts text between quotes, with escapes.
pub fn quote(text: &str, mark: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(mark);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            c if c == mark => {
                out.push('\\');
                out.push(c);
            }
            c if is_hidden(c) => escape(c, &mut out),
            c => out.push(c),
        }
    }
    out.push(mark);
    out
}

fn needs_no_quotes(text: &str) -> bool {
    if matches!(text, "[]" | "{}" | "!" | ";") {
        return true;
    }
    let Some(first) = text.chars().next().filter(|_| !has_hidden(text)) else { return false };
    if is_word(first) {
        let small = unicode::XID_START(first) && !unicode::UPPERCASE_LETTER(first) && !unicode::TITLECASE_LETTER(first);
        return small && text.chars().all(is_word);
    }
    text != "." && !text.starts_with("/*") && text.chars().all(is_symbol)
}

/// Tests for a character of a word. The character classes are those of `grammar/alphorn.pest`.
fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || unicode::XID_CONTINUE(c)
}

fn is_symbol(c: char) -> bool {
    let other = || unicode::MATH_SYMBOL(c) || unicode::CURRENCY_SYMBOL(c) || unicode::OTHER_SYMBOL(c);
    "+-*/\\^<>=~:.?@#&$".contains(c) || (!c.is_ascii() && other())
}

struct Writer<'a, 'b> {
    heap: &'a Heap,
    style: WriteOptions<'a>,
    names: Variables<'b>,
    out: &'b mut String,
    stack: Vec<Item>,
    /// The byte at which the text must end.
    end: usize,
    /// The cost of the digits of integers so far.
    work: u64,
    /// Longer terms are folded, except for the outermost term.
    long: usize,
    outer: bool,
}

impl<'a> Writer<'a, '_> {
    /// Writes a word. A blank separates it from a previous word that it would run into.
    fn word(&mut self, word: &str) {
        let (Some(last), Some(first)) = (self.out.chars().next_back(), word.chars().next()) else {
            return self.out.push_str(word);
        };
        let glued = (is_word(last) && is_word(first)) || (is_symbol(last) && is_symbol(first));
        if glued {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    fn atom(&mut self, name: Atom) -> String {
        let text = name.name();
        let text = self.fitting(&text);
        if self.style.quoted { atom_quoted(text) } else { text.to_string() }
    }

    /// Cuts a text to the remaining space. If the text is cut, the writer stops.
    fn fitting<'t>(&mut self, text: &'t str) -> &'t str {
        let mut end = self.end.saturating_sub(self.out.len());
        if text.len() <= end {
            return text;
        }
        self.work = u64::MAX;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        &text[..end]
    }

    fn is_op(&self, name: Atom) -> bool {
        self.style.operators.is_some_and(|ops| ops.is_op(name))
    }

    fn term(&mut self, term: Term, max: u16) {
        let heap: &'a Heap = self.heap;
        match heap.view(term) {
            TermView::Var(cell) => {
                let name = match &mut self.names {
                    Variables::Cells => format!("_G{cell}"),
                    Variables::Numbered(names) => {
                        let next = names.len() + 1;
                        names.entry(cell).or_insert_with(|| format!("_{next}")).clone()
                    }
                };
                self.word(&name);
            }
            TermView::Atom(name) => {
                let text = self.atom(name);
                // As an operand, an atom that is an operator stands in brackets.
                if max < 999
                    && self.is_op(name)
                    && text.chars().next().is_some_and(|c| c != '\'' && c != '[' && c != '{')
                {
                    self.bracketed(&text);
                } else {
                    self.word(&text);
                }
            }
            TermView::Int(value) => self.word(&value.to_string()),
            TermView::Big(negative, words) => self.large(negative, words),
            TermView::Float(value) => self.word(&float::text(value)),
            TermView::Text(length, words) => {
                let room = self.end.saturating_sub(self.out.len());
                let text = heap.text_start(length, words, room);
                if length > room {
                    self.work = u64::MAX;
                }
                let quoted = if self.style.quoted { quote(&text, '"') } else { text };
                self.out.push_str(&quoted);
            }
            TermView::Compound(name, args) => self.compound(name, args, max),
        }
    }

    /// Writes a large integer if it fits and the work stays within the limit.
    fn large(&mut self, negative: bool, words: &[u64]) {
        self.work = self.work.saturating_add(digits_work(64 * words.len() as u64));
        // Nineteen digits fit into a word.
        if self.out.len().saturating_add(19 * (words.len() - 1)) > self.end {
            self.work = u64::MAX;
        }
        if self.work <= AT_ONCE {
            self.word(&self.heap.big_of(negative, words).to_string());
        }
    }

    fn bracketed(&mut self, text: &str) {
        if self.out.ends_with(is_word) {
            self.out.push(' ');
        }
        self.out.push('(');
        self.out.push_str(text);
        self.out.push(')');
    }

    fn compound(&mut self, name: Atom, args: &[u64], max: u16) {
        let outer = std::mem::replace(&mut self.outer, false);
        if name == atoms::DOT && args.len() == 2 {
            self.out.push('[');
            let left = if self.is_long(Term(args[1])) { FOLDED - 1 } else { usize::MAX };
            self.stack.push(Item::Tail(Term(args[1]), left));
            return self.stack.push(Item::Term(Term(args[0]), 999));
        }
        if let ([number], true) = (args, name == atoms::VAR && self.style.number_vars)
            && let TermView::Int(number @ 0..) = self.heap.view(Term(*number))
        {
            let letter = char::from(b'A' + (number % 26) as u8);
            let word = if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) };
            return self.word(&word);
        }
        if let Some(ops) = self.style.operators {
            match args {
                [left, right] => {
                    if let Some(op) = ops.infix(name) {
                        return self.infix(name, op, Term(*left), Term(*right), max);
                    }
                }
                [inner] if name == atoms::CURLY => {
                    self.out.push('{');
                    self.stack.push(Item::Close("}"));
                    return self.stack.push(Item::Term(Term(*inner), 1200));
                }
                [operand] => {
                    if let Some(op) = ops.prefix(name) {
                        return self.prefix(name, op, Term(*operand), max);
                    }
                    if let Some(op) = ops.postfix(name) {
                        self.open(op.priority > max);
                        let word = self.atom(name);
                        self.stack.push(Item::Word(word));
                        return self.stack.push(Item::Term(Term(*operand), op.operand));
                    }
                }
                _ => {}
            }
        }
        let text = self.atom(name);
        self.word(&text);
        self.out.push('(');
        self.stack.push(Item::Close(")"));
        let mut shown = args;
        if args.len() > self.long && !outer {
            self.stack.push(Item::Close(",..."));
            shown = &args[..FOLDED];
        }
        for (number, arg) in shown.iter().enumerate().rev() {
            self.stack.push(Item::Term(Term(*arg), 999));
            if number > 0 {
                self.stack.push(Item::Close(","));
            }
        }
    }

    /// Opens a bracket. The bracket is closed after the items that the caller pushes next.
    fn open(&mut self, needed: bool) {
        if needed {
            if self.out.ends_with(is_word) {
                self.out.push(' ');
            }
            self.out.push('(');
            self.stack.push(Item::Close(")"));
        }
    }

    fn infix(&mut self, name: Atom, op: alphorn_lang::lang::ops::Infix, left: Term, right: Term, max: u16) {
        self.open(op.priority > max);
        self.stack.push(Item::Term(right, op.right));
        let text = self.atom(name);
        if name == atoms::COMMA {
            self.stack.push(Item::Bare(",".into()));
        } else if text.starts_with(is_word) {
            self.stack.push(Item::Bare(format!(" {text} ")));
        } else {
            self.stack.push(Item::Word(if name == atoms::BAR { "|".into() } else { text }));
        }
        self.stack.push(Item::Term(left, op.left));
    }

    fn prefix(&mut self, name: Atom, op: alphorn_lang::lang::ops::Affix, operand: Term, max: u16) {
        self.open(op.priority > max);
        let text = self.atom(name);
        self.word(&text);
        // The reader joins a minus and a following numeral to one number.
        if name == atoms::MINUS && self.leads_with_number(operand, op.operand) {
            self.out.push_str(" (");
            self.stack.push(Item::Close(")"));
            return self.stack.push(Item::Term(operand, 1200));
        }
        if self.opens_bracket(operand, op.operand) {
            self.out.push(' ');
        }
        self.stack.push(Item::Term(operand, op.operand));
    }

    /// Returns whether the text of an operand begins with a digit.
    fn leads_with_number(&self, term: Term, max: u16) -> bool {
        let (mut term, mut max) = (term, max);
        loop {
            match self.heap.view(term) {
                TermView::Int(0..) | TermView::Big(false, _) => return true,
                TermView::Float(value) => return value.is_sign_positive(),
                TermView::Compound(name, [left, _]) if name != atoms::DOT => {
                    match self.style.operators.and_then(|ops| ops.infix(name)) {
                        Some(op) if op.priority <= max => (term, max) = (Term(*left), op.left),
                        _ => return false,
                    }
                }
                TermView::Compound(name, [operand]) => {
                    let ops = self.style.operators;
                    match ops.filter(|ops| ops.prefix(name).is_none()).and_then(|ops| ops.postfix(name)) {
                        Some(op) if op.priority <= max => (term, max) = (Term(*operand), op.operand),
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
    }

    /// Returns whether the text of an operand begins with `(`, which must not touch the operator
    /// before it.
    fn opens_bracket(&self, term: Term, max: u16) -> bool {
        let mut term = term;
        let mut max = max;
        loop {
            match self.heap.view(term) {
                TermView::Atom(name) => return max < 999 && self.is_op(name),
                TermView::Compound(name, args) => {
                    let Some(ops) = self.style.operators else { return false };
                    match args {
                        [_, _] if name == atoms::DOT => return false,
                        [left, _] => match ops.infix(name) {
                            Some(op) if op.priority > max => return true,
                            Some(op) => {
                                term = Term(*left);
                                max = op.left;
                            }
                            None => return false,
                        },
                        [_] => return ops.prefix(name).is_some_and(|op| op.priority > max),
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
    }

    /// Returns whether a list with this tail is folded.
    fn is_long(&self, mut rest: Term) -> bool {
        let mut count = 1;
        while count <= self.long && self.long < usize::MAX {
            match self.heap.view(rest) {
                TermView::Compound(name, [_, tail]) if name == atoms::DOT => rest = Term(*tail),
                _ => return false,
            }
            count += 1;
        }
        self.long < usize::MAX
    }

    fn tail(&mut self, tail: Term, left: usize) {
        match self.heap.view(tail) {
            TermView::Atom(atoms::NIL) => self.out.push(']'),
            _ if left == 0 => self.out.push_str(",...]"),
            TermView::Compound(name, [head, rest]) if name == atoms::DOT => {
                self.out.push(',');
                self.stack.push(Item::Tail(Term(*rest), left - 1));
                self.stack.push(Item::Term(Term(*head), 999));
            }
            _ => {
                self.out.push('|');
                self.stack.push(Item::Close("]"));
                self.stack.push(Item::Term(tail, 999));
            }
        }
    }
}
