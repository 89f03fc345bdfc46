//! Terms as text that reads back as the same term.
//!
//! In: a term, the operators, how to write. Out: text in the manner of
//! SWI-Prolog's `writeq/1`. A loop with its own stack; the length is bounded,
//! so that shared parts cannot blow it up.

use super::Term;
use super::heap::{Heap, TermView};
use crate::term::float;
use alphorn_lang::lang::ops::Ops;
use alphorn_text::printable::{escape, hides, is_hidden};
use alphorn_text::symbol::{Atom, atoms};
use pest::unicode;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to write.
#[derive(Clone, Copy)]
pub struct WriteOptions<'a> {
    /// Quote atoms that need it.
    pub quoted: bool,
    /// Write operators between their operands, rather than as functors.
    pub operators: Option<&'a Ops>,
    /// Write `'$VAR'(1)` as `B`.
    pub number_vars: bool,
    /// Cuts the text short when it becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// How many bytes to use at most, those of work still waiting included;
    /// then the text ends in `...`.
    pub limit: usize,
}

/// Steps that the digits of an integer of so many bits are worth, read or written; one takes some
/// fifteen nanoseconds.
pub fn digits_work(bits: u64) -> u64 {
    let words = bits / 64;
    words.saturating_mul(words.isqrt())
}

/// Work that nobody can stop once it has begun is worth so many steps at most: well under a
/// second. A number of three million digits can be written.
pub const AT_ONCE: u64 = 70_000_000;

/// Names for variables, by their cell.
pub type Names = FxHashMap<usize, String>;

/// How variables are written.
pub enum Variables<'a> {
    /// As `_G` and the number of their cell.
    Cells,
    /// As `_1`, `_2` and so on, the next free number for a new one.
    Numbered(&'a mut Names),
}

enum Item {
    /// A term, where at most this priority is possible.
    Term(Term, u16),
    /// Text that touches what is before it.
    Close(&'static str),
    /// A word that must not run into the word before it.
    Word(String),
    /// The rest of a list, of which so many elements are still written.
    Tail(Term, usize),
    /// Bare text, such as an infix comma.
    Bare(String),
}

/// Writes a term; `false` where the limit cut it short, or integers whose digits are too much work.
pub fn write(heap: &Heap, term: Term, style: WriteOptions<'_>, names: Variables<'_>, out: &mut String) -> bool {
    write_at(heap, term, 1200, style, names, out)
}

/// The same where only a priority up to `max` may stand, such as 699 after `=`.
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

/// Compound terms with more arguments than this, and lists with more elements, are folded in a
/// short text; then so many are written.
const LONG: usize = 8;
const FOLDED: usize = 3;

/// Writes a term where there is little room: as a whole if that fits, else with `...` in the place
/// of most of what is in its long parts, such as `pos(x,b(e,e,e,...),8)`, and shortened if even that
/// does not fit.
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

/// An atom as it must be written to be read back.
pub fn atom_text(name: Atom) -> String {
    atom_quoted(&name.name())
}

fn atom_quoted(text: &str) -> String {
    if needs_no_quotes(text) { text.to_string() } else { quote(text, '\'') }
}

/// Text between quotes, with escapes.
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
    let Some(first) = text.chars().next().filter(|_| !hides(text)) else { return false };
    if is_word(first) {
        let small = unicode::XID_START(first) && !unicode::UPPERCASE_LETTER(first) && !unicode::TITLECASE_LETTER(first);
        return small && text.chars().all(is_word);
    }
    text != "." && !text.starts_with("/*") && text.chars().all(is_symbol)
}

/// The classes of characters are those of `grammar/alphorn.pest`.
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
    /// Where the text must end.
    end: usize,
    /// What the digits of integers were worth.
    work: u64,
    /// What is longer is folded, but for the outermost term.
    long: usize,
    outer: bool,
}

impl<'a> Writer<'a, '_> {
    /// Writes a word, with a blank where it would run into the last one.
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

    /// As much of a text as there is room for; with less than all of it, nothing else is written.
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

    /// Writes a large integer, if it has room and is no work without end.
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

    /// Opens a bracket, closed behind what is pushed next.
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
        // The reader takes a minus and a numeral together as one number.
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

    /// Whether the text of an operand begins with a digit.
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

    /// Whether the text of an operand begins with `(`, which must not touch the
    /// operator before it.
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

    /// Whether a list with this rest is folded.
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
