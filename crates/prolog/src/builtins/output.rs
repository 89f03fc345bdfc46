//! Writes terms as text: `format/3`, and the writers that a user may call in a goal. The text of a
//! writer is part of the answer; nothing is printed here.

use crate::builtins::arithmetic::{eval, to_term};
use crate::builtins::number::Number;
use crate::builtins::texts::{any_text, chars, codes, numerals_work};
use crate::machine::BoolResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::TermView;
use crate::term::write::{Variables, WriteOptions, digits_work, write};
use alphorn_text::symbol::atoms;

/// How many copies of the written text exist until it is printed, including JSON.
const OUTPUT: usize = 4;

/// Writes a term as `writeq/1` does, or without quotes.
pub(super) fn written(store: &mut Store, term: Term, quoted: bool) -> Result<String, Fault> {
    let ops = store.ops.clone();
    styled(
        store,
        term,
        WriteOptions { quoted, operators: Some(&ops), number_vars: true, stop: None, limit: usize::MAX },
    )
}

/// Writes a term with the given options, within the memory that is left.
pub(super) fn styled(store: &mut Store, term: Term, style: WriteOptions<'_>) -> Result<String, Fault> {
    // The limit covers the text and the pending work of the writer.
    let limit = store.words_left() * 8 / 10;
    let within = |limit: usize| {
        let mut out = String::new();
        write(&store.heap, term, WriteOptions { limit, ..style }, Variables::Cells, &mut out).then_some(out)
    };
    // Most texts are short. Before a long one, a test finds that the term has no end.
    let mut out = within(limit.min(SHORT));
    if out.is_none() && limit > SHORT {
        store.finite(term)?;
        out = within(limit);
    }
    let Some(out) = out else { return Err(store.unpackable(term)) };
    store.charge((out.len() - digits(&out)) as u64 / 16 + numerals_work(&out))?;
    Ok(out)
}

/// Counts the digits in the names of unbound variables. The digits are a cell number, which must
/// not change the count of steps.
fn digits(text: &str) -> usize {
    let names = text.split("_G").skip(1);
    names.map(|rest| rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()).sum()
}

/// Work of the writer, in bytes, that is done before a term is tested for a cycle.
const SHORT: usize = 1 << 16;

fn emit(store: &mut Store, text: &str) -> BoolResult {
    store.output.push_str(text);
    // The text is copied for printing, so it may take only a part of the memory.
    store.room(OUTPUT * store.output.len() / 8)?;
    Ok(true)
}

pub(super) fn nl(store: &mut Store, _: &[Term]) -> BoolResult {
    emit(store, "\n")
}

pub(super) fn write1(store: &mut Store, args: &[Term]) -> BoolResult {
    let text = written(store, args[0], false)?;
    emit(store, &text)
}

pub(super) fn writeq(store: &mut Store, args: &[Term]) -> BoolResult {
    let text = written(store, args[0], true)?;
    emit(store, &text)
}

pub(super) fn writeln(store: &mut Store, args: &[Term]) -> BoolResult {
    write1(store, args)?;
    nl(store, args)
}

pub(super) fn write_canonical(store: &mut Store, args: &[Term]) -> BoolResult {
    let style = WriteOptions { quoted: true, operators: None, number_vars: false, stop: None, limit: usize::MAX };
    let text = styled(store, args[0], style)?;
    emit(store, &text)
}

pub(super) fn tab(store: &mut Store, args: &[Term]) -> BoolResult {
    let Number::Int(count) = eval(store, args[0])? else {
        return Err(Fault::type_error(&mut store.heap, "integer", args[0]));
    };
    let count = count.max(0) as usize;
    store.room(count / 8)?;
    emit(store, &" ".repeat(count))
}

pub(super) fn format1(store: &mut Store, args: &[Term]) -> BoolResult {
    let text = formatted(store, args[0], Term::atom(atoms::NIL))?;
    emit(store, &text)
}

pub(super) fn format2(store: &mut Store, args: &[Term]) -> BoolResult {
    let text = formatted(store, args[0], args[1])?;
    emit(store, &text)
}

/// `format(atom(A), Format, Arguments)`, and the same with `codes`, `chars` or `string`.
pub(super) fn format3(store: &mut Store, args: &[Term]) -> BoolResult {
    let sink = match store.heap.view(args[0]) {
        TermView::Compound(name, [target]) => Some((name, Term(*target))),
        TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
        _ => None,
    };
    let Some((name, target)) = sink.filter(|(name, _)| matches!(&*name.name(), "atom" | "codes" | "chars" | "string"))
    else {
        return Err(Fault::domain_error(&mut store.heap, "output_sink", args[0]));
    };
    let text = formatted(store, args[1], args[2])?;
    let made = match &*name.name() {
        "atom" => Term::atom(store.atom(&text)?),
        "codes" => codes(store, &text)?,
        "chars" => chars(store, &text)?,
        _ => {
            store.room(text.len() / 8 + 2)?;
            store.heap.text(&text)
        }
    };
    store.unify(target, made)
}

/// A text with columns: where fill characters go, and where the last column began.
struct ColumnText {
    out: String,
    column: usize,
    fills: Vec<(usize, char)>,
}

impl ColumnText {
    /// Ends a column at position `at` and pads it at its fill points.
    fn stop(&mut self, at: usize) {
        let start = self.column;
        let line = self.out.rfind('\n').map_or(0, |at| at + 1);
        let width = self.out[line..].chars().count();
        let missing = at.saturating_sub(width);
        if missing > 0 {
            if self.fills.is_empty() {
                self.fills.push((self.out.len(), ' '));
            }
            let share = missing / self.fills.len();
            let extra = missing - share * self.fills.len();
            let last = self.fills.len() - 1;
            for (number, (place, fill)) in self.fills.drain(..).enumerate().rev().collect::<Vec<_>>() {
                let count = share + if number == last { extra } else { 0 };
                self.out.insert_str(place, &fill.to_string().repeat(count));
            }
        }
        self.fills.clear();
        self.column = at.max(width).max(start);
    }

    fn position(&self) -> usize {
        let line = self.out.rfind('\n').map_or(0, |at| at + 1);
        self.out[line..].chars().count()
    }
}

fn bad(store: &mut Store, message: &str) -> Fault {
    let text = store.heap.text(message);
    Fault::of(&mut store.heap, "format", &[text])
}

fn formatted(store: &mut Store, format: Term, args: Term) -> Result<String, Fault> {
    let Some(format) = any_text(store, format)? else {
        return Err(Fault::instantiation(&mut store.heap));
    };
    let (items, end) = store.heap.elements(args);
    let mut args = if end == Term::atom(atoms::NIL) { items } else { vec![args] }.into_iter();
    let mut line = ColumnText { out: String::new(), column: 0, fills: Vec::new() };
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '~' {
            line.out.push(c);
            if c == '\n' {
                line.column = 0;
            }
            continue;
        }
        let mut number = None;
        if rest.peek() == Some(&'*') {
            rest.next();
            number = Some(next_integer(store, &mut args)?);
        } else if rest.peek() == Some(&'`') {
            rest.next();
            number = rest.next().map(|c| i64::from(u32::from(c)));
        }
        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
            rest.next();
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(i64::from(digit)));
        }
        if number.is_some_and(|number| number > 1 << 20) {
            return Err(bad(store, "the number is too large"));
        }
        let Some(directive) = rest.next() else { return Err(bad(store, "truncated format specification")) };
        format_directive(store, &mut line, directive, number, &mut args)?;
        store.room(line.out.len() / 4)?;
    }
    if args.next().is_some() {
        return Err(bad(store, "too many arguments"));
    }
    Ok(line.out)
}

type Arguments = std::vec::IntoIter<Term>;

fn next(store: &mut Store, args: &mut Arguments) -> Result<Term, Fault> {
    args.next().ok_or_else(|| bad(store, "not enough arguments"))
}

fn next_integer(store: &mut Store, args: &mut Arguments) -> Result<i64, Fault> {
    let term = next(store, args)?;
    crate::builtins::arithmetic::integer(store, term)
}

fn format_directive(
    store: &mut Store,
    line: &mut ColumnText,
    directive: char,
    number: Option<i64>,
    args: &mut Arguments,
) -> Result<(), Fault> {
    let times = number.unwrap_or(1).max(0) as usize;
    match directive {
        'w' | 'p' | 'q' => {
            let term = next(store, args)?;
            store.room(line.out.len() / 4)?;
            line.out.push_str(&written(store, term, directive != 'w')?);
        }
        'c' => {
            let code = next_integer(store, args)?;
            match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => line.out.extend(std::iter::repeat_n(c, times)),
                None => return Err(bad(store, "illegal character code")),
            }
        }
        'n' => {
            line.out.extend(std::iter::repeat_n('\n', times));
            line.column = 0;
        }
        '~' => line.out.push('~'),
        'i' => {
            next(store, args)?;
        }
        't' => {
            let fill = number.and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32).unwrap_or(' ');
            line.fills.push((line.out.len(), fill));
        }
        '|' => {
            let at = number.map_or_else(|| line.position(), |at| at.max(0) as usize);
            line.stop(at);
        }
        '+' => {
            let at = line.column + number.unwrap_or(8).max(0) as usize;
            line.stop(at);
        }
        'a' | 's' | 'd' | 'D' | 'r' | 'R' | 'f' | 'e' | 'g' => {
            let term = next(store, args)?;
            line.out.push_str(&argument_text(store, directive, number, term)?);
        }
        other => return Err(bad(store, &format!("unknown directive ~{other}"))),
    }
    Ok(())
}

/// The text of a directive for a text or a number.
fn argument_text(store: &mut Store, directive: char, number: Option<i64>, term: Term) -> Result<String, Fault> {
    Ok(match directive {
        'a' | 's' => match any_text(store, term)? {
            Some(text) => text.to_string(),
            None if directive == 'a' => return Err(Fault::instantiation(&mut store.heap)),
            None => return Err(bad(store, "illegal string")),
        },
        'd' | 'D' => {
            let value = match store.heap.view(term) {
                TermView::Int(_) | TermView::Big(..) => written(store, term, false)?,
                TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
                _ => return Err(Fault::type_error(&mut store.heap, "integer", term)),
            };
            grouped(&value, number.unwrap_or(0).max(0) as usize, directive == 'D')
        }
        'r' | 'R' => {
            let Some(base @ 2..=36) = number else { return Err(bad(store, "~r needs a base from 2 to 36")) };
            let text = match eval(store, term)? {
                Number::Int(value) => num_bigint::BigInt::from(value).to_str_radix(base as u32),
                Number::Big(value) => {
                    store.work(digits_work(value.bits()))?;
                    value.to_str_radix(base as u32)
                }
                Number::Float(_) => return Err(Fault::type_error(&mut store.heap, "integer", term)),
            };
            if directive == 'R' { text.to_uppercase() } else { text }
        }
        _ => {
            let value = eval(store, term)?;
            let digits = number.unwrap_or(6).max(0) as usize;
            let Ok(float) = value.to_float() else {
                let culprit = to_term(store, &value);
                return Err(Fault::type_error(&mut store.heap, "float", culprit));
            };
            match directive {
                'f' => format!("{float:.digits$}"),
                'e' => exponent(float, digits),
                _ => format!("{float}"),
            }
        }
    })
}

/// Puts a decimal point before the last `decimals` digits and, if `commas` is true, groups of three.
fn grouped(value: &str, decimals: usize, commas: bool) -> String {
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", value),
    };
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let mut out = String::from(sign);
    for (number, digit) in whole.chars().enumerate() {
        if commas && number > 0 && (whole.len() - number) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if decimals > 0 {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// Writes a float as C's `%e` does: the exponent has a sign and at least two digits.
fn exponent(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
            format!("{mantissa}e{sign}{exponent:0>2}")
        }
        None => text,
    }
}
