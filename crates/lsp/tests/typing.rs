//! Types at random in the shipped games, as an editor sends it.
//!
//! After every step the text must be the one that was typed. A check that reads only what has changed must give the
//! diagnostics of a new check. After every fifth step the analysis must be that of a new analysis.
//! After each game, a check of the unchanged game must give what it gave at first. `ALPHORN_TYPING` is the
//! number of steps, `ALPHORN_SEED` the seed. With many steps the test also bounds how much the memory grows.

use alphorn_ide::ide::analysis::TextAnalysis;
use alphorn_ide::ide::complete::complete;
use alphorn_ide::ide::highlight::KeptClasses;
use alphorn_ide::ide::hover::hover;
use alphorn_ide::ide::navigate::{definition, references};
use alphorn_ide::ide::outline::{folds, lenses, symbols};
use alphorn_ide::ide::rename::can_rename;
use alphorn_ide::ide::signature::signature;
use alphorn_ide::ide::text::{Document, Encoding};
use alphorn_lang::lang::ProgramOptions;
use alphorn_lang::lang::format::{Formatter, format};
use alphorn_lang::lang::kept::KeptSentences;
use alphorn_protocol::protocol::check::{Request, checked};
use alphorn_protocol::protocol::data::Diagnostic;
use alphorn_rules::rules::examples;
use alphorn_text::source::{Origin, Source};
use alphorn_text::symbol::lasting_bytes;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

/// The steps without `ALPHORN_TYPING`.
const STEPS: u64 = 250;

/// Steps between two full comparisons of the answers about a text.
const RARELY: u64 = 5;

/// What a step may insert.
const PIECES: &[&str] = &[
    "a",
    "X",
    "1",
    " ",
    "\n",
    "\r\n",
    "\t",
    ".",
    ".\n",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "'",
    "\"",
    "%",
    "/*",
    "*/",
    ":-",
    "-->",
    "_",
    "é",
    "漢",
    "🎲",
    "\u{feff}",
    "0'",
    "foo(X, Y)",
    "\nbar(X) :- foo(X).\n",
    "\n:- op(700, xfx, ===>).\n",
    "\n:- param(p, 1, 0..3, \"p\").\n",
    "\n:- expect(perft(1) = 3).\n",
    "\n:- use_module(library(lines)).\n",
    "findall(",
    "member(X, L)",
    "\\+ ",
    " -> ",
    " ; ",
    "!",
    "param(",
    "move(",
    "max",
    "::",
    "\\",
    "`",
    "#",
    "0x",
    "1.5e",
    "\0",
];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn source(text: &str) -> Source {
    Source { name: "game.pl".into(), text: text.into(), origin: Origin::File("game.pl".into()) }
}

/// The diagnostics of a text, as `alphorn check` finds them.
fn check(text: &str) -> Vec<Diagnostic> {
    check_with(text, None)
}

/// The diagnostics of a text of which these sentences are known.
fn check_with(text: &str, kept: Option<KeptSentences>) -> Vec<Diagnostic> {
    let file = checked(
        "game.pl".to_string(),
        &source(text),
        &[],
        &ProgramOptions { kept, ..ProgramOptions::default() },
        &Request::default(),
        (&Arc::default(), &|_| {}),
    );
    Diagnostic::all(&file.problems.0)
}

/// What an analysis knows, as text.
fn known(analysis: &TextAnalysis, classes: &mut KeptClasses) -> String {
    let own: Vec<_> =
        analysis.own.iter().map(|own| (own.indicator(), own.clauses.clone(), own.place.clone())).collect();
    let params: Vec<_> =
        analysis.environment.params.iter().map(|param| (param.name.text(), param.value.clone())).collect();
    let mut libraries: Vec<_> = analysis.environment.libraries.iter().collect();
    libraries.sort();
    let (symbols, folds, lenses) = (symbols(analysis), folds(&analysis.syntax), lenses(analysis));
    let (syntax, tokens) = (&analysis.syntax, classes.tokens(analysis, 0..usize::MAX));
    let read = format!("{:?}\n{:?}", syntax.sentences, syntax.comments);
    format!("{own:?}\n{params:?}\n{libraries:?}\n{symbols:?}\n{folds:?}\n{lenses:?}\n{tokens:?}\n{read}")
}

/// Asks everything about a byte of a text.
fn ask(analysis: &TextAnalysis, offset: usize) {
    let length = analysis.syntax.text.len();
    let inside = |range: &std::ops::Range<usize>| {
        assert!(range.start <= range.end && range.end <= length, "{range:?} of {length}");
        assert!(analysis.syntax.text.is_char_boundary(range.start) && analysis.syntax.text.is_char_boundary(range.end));
    };
    inside(&complete(analysis, offset).range);
    hover(analysis, offset).iter().for_each(|found| inside(&found.range));
    signature(analysis, offset);
    definition(analysis, offset);
    can_rename(analysis, offset).iter().for_each(inside);
    references(&[analysis], offset).iter().for_each(|(_, place)| inside(&place.range));
}

/// A boundary of characters near a random place.
fn boundary(text: &str, random: &mut Xoshiro256PlusPlus) -> usize {
    let mut at = random.random_range(0..=text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The memory of this process in bytes, where the system tells it.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

struct Typing {
    random: Xoshiro256PlusPlus,
    document: Document,
    /// The text, kept in another way than that of the document.
    typed: String,
    last: Option<TextAnalysis>,
    kept: KeptSentences,
    classes: KeptClasses,
    formatter: Formatter,
}

impl Typing {
    /// Makes one change, as an editor sends it: by positions, in one of the units.
    fn step(&mut self) {
        let start = boundary(&self.typed, &mut self.random);
        let mut end = start;
        if self.random.random_range(0..3) == 0 {
            let length = self.random.random_range(1..30);
            end = (start + length).min(self.typed.len());
            while !self.typed.is_char_boundary(end) {
                end += 1;
            }
        }
        let piece = match self.random.random_range(0..4) {
            0 if end > start => "",
            _ => PIECES[self.random.random_range(0..PIECES.len())],
        };
        let encoding = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32][self.random.random_range(0..3)];
        let (from, to) = (self.document.point(start, encoding), self.document.point(end, encoding));
        // A place between \r and \n has no position of its own.
        let range = self.document.range(from, to, encoding);
        self.document.replace(range.clone(), piece);
        self.typed.replace_range(range, piece);
    }

    fn compare(&mut self, step: u64, thorough: bool) {
        assert_eq!(**self.document.text(), *self.typed, "step {step}");
        let text = self.document.rules();
        let options = ProgramOptions::default();
        let analysis = TextAnalysis::of(&source(&text), &[], &options, self.last.as_ref());
        if thorough {
            let fresh = TextAnalysis::of(&source(&text), &[], &options, None);
            assert_eq!(known(&analysis, &mut self.classes), known(&fresh, &mut KeptClasses::default()), "step {step}");
            let mut formatted = text.to_string();
            for (range, new) in self.formatter.edits(&text).into_iter().rev() {
                formatted.replace_range(range, &new);
            }
            assert_eq!(formatted, format(&text).text, "step {step}");
            for _ in 0..3 {
                let at = boundary(&text, &mut self.random);
                ask(&analysis, at);
            }
        }
        self.last = Some(analysis);
        let plain = match self.typed.strip_prefix('\u{feff}') {
            Some(rest) => format!("   {rest}"),
            None => self.typed.clone(),
        };
        assert_eq!(*text, *plain, "step {step}");
        // A check depends on the text alone, not on the sentences or on anything else that checks have left behind.
        assert_eq!(check_with(&text, Some(self.kept.clone())), check(&plain), "step {step}");
    }
}

#[test]
fn random_typing_keeps_the_text_the_answers_and_the_diagnostics() {
    let (steps, seed) = (number("ALPHORN_TYPING", STEPS), number("ALPHORN_SEED", 1));
    let games = examples();
    let each = (steps / games.len() as u64).max(1);
    let right: Vec<Vec<Diagnostic>> = games.iter().map(|(_, text)| check(text)).collect();
    let (mut step, mut early) = (0, None);
    while step < steps {
        for (number, (_, text)) in games.iter().enumerate() {
            let mut typing = Typing {
                random: Xoshiro256PlusPlus::seed_from_u64(seed + step + number as u64),
                document: Document::new(text),
                typed: (*text).to_string(),
                last: None,
                kept: KeptSentences::default(),
                classes: KeptClasses::default(),
                formatter: Formatter::default(),
            };
            for _ in 0..each.min(200) {
                step += 1;
                typing.step();
                typing.compare(step, step % RARELY == 0);
                if step >= steps {
                    break;
                }
            }
            assert_eq!(check(text), right[number], "the unchanged game after step {step}");
            // Words that were typed stay as atoms; everything else must go.
            let used = memory().map(|bytes| bytes.saturating_sub(lasting_bytes() as u64));
            if steps > 1_000 && step % 1_000 < 200 {
                println!("step {step}: {} MB, words {} kB", used.unwrap_or(0) >> 20, lasting_bytes() >> 10);
            }
            if step > steps / 2 {
                early = early.or(used);
            }
            if step >= steps {
                break;
            }
        }
    }
    if let (Some(early), Some(late)) = (early, memory().map(|bytes| bytes.saturating_sub(lasting_bytes() as u64)))
        && steps > 1_000
    {
        assert!(late < early + (64 << 20), "the memory grew from {} MB to {} MB", early >> 20, late >> 20);
    }
}
