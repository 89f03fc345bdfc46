//! Diagnostics: mistakes found in source texts, and how they are drawn.
//!
//! Passes create a [`Problem`] with spans and a message. A [`Report`] collects problems with their
//! texts. Front ends draw a report as a picture through `miette` or as JSON. This module does not
//! depend on the passes. It also formats numbers for sentences.

mod excerpt;
mod marks;

use crate::code::Code;
use crate::printable::{cut, line, lines};
use crate::source::{Sources, Span};
use excerpt::{Excerpt, LONG_LINE, MARGIN, floor};
use marks::side_by_side;
use miette::{Diagnostic, LabeledSpan, SourceCode};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// The severity of a problem. Only an error stops a program from loading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Perhaps nothing is wrong, but the place is worth a look.
    Note,
    /// The program has a meaning, but perhaps not the intended one.
    Warning,
    /// The program cannot be used.
    Error,
}

/// A diagnostic: one mistake in the words of the user.
#[derive(Clone, Debug)]
pub struct Problem {
    /// A stable code, such as `A0201`. `alphorn explain` describes it.
    pub code: Code,
    /// The severity.
    pub level: Severity,
    /// What is wrong: lower-case start, no full stop.
    pub message: String,
    /// Spans with their texts: first the place of the mistake, then its causes.
    pub labels: Vec<(Span, String)>,
    /// What to type or try.
    pub help: Option<String>,
    /// Changes of the source texts that fix the mistake together.
    pub edits: Vec<(Span, String)>,
    /// Another fix, if the edits are a guess: the change that is right if the guess is wrong.
    pub other_edit: Option<Box<(Span, String)>>,
    /// Whether an expectation contradicts the rules. The rules may be wrong, so such a problem comes after the
    /// problems of the rules.
    pub is_about_claim: bool,
    /// The number of problems that this one stands for, because there are too many to list them all.
    pub count: usize,
}

impl Problem {
    /// An error at a span.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Problem {
        Problem { labels: vec![(span, String::new())], ..Problem::placeless(code, message) }
    }

    /// Whether the problem is about the text of an answer: a warning with code A0606.
    fn is_of_text(&self) -> bool {
        self.code == Code::InvalidEvaluation && self.level == Severity::Warning
    }

    /// Whether a fault that shows when rules run may follow from the problem, which the text shows.
    pub fn explains_faults(&self) -> bool {
        matches!(
            self.code,
            Code::SingletonVariable
                | Code::ExpressionNotComputed
                | Code::InvalidInArithmetic
                | Code::UnreachedClause
                | Code::EndlessRecursion
                | Code::ArgumentOrder
                | Code::GoalNeverSucceeds
                | Code::ClauseMatchesNoPosition
                | Code::ClauseMatchesNoLabel
                | Code::MisspeltAtom
        ) || self.is_of_text()
    }

    /// A warning at a span.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Problem {
        Problem { level: Severity::Warning, ..Problem::error(code, span, message) }
    }

    /// A note at a span.
    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Problem {
        Problem { level: Severity::Note, ..Problem::error(code, span, message) }
    }

    /// An error without a place in a text.
    pub fn placeless(code: Code, message: impl Into<String>) -> Problem {
        Problem {
            code,
            level: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            edits: Vec::new(),
            other_edit: None,
            is_about_claim: false,
            count: 1,
        }
    }

    /// Useful advice about correct text. It has no code.
    pub fn advice(span: Option<Span>, message: impl Into<String>) -> Problem {
        let labels = span.map(|span| (span, String::new())).into_iter().collect();
        Problem { labels, ..Problem::placeless(Code::None, message).as_warning() }
    }

    /// Sets the text beside the first span.
    pub fn label(mut self, text: impl Into<String>) -> Problem {
        if let Some(first) = self.labels.first_mut() {
            first.1 = text.into();
        }
        self
    }

    /// Adds a place with a text beside it.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Problem {
        self.labels.push((span, text.into()));
        self
    }

    /// Sets the help: what to type or try.
    pub fn help(self, text: impl Into<String>) -> Problem {
        Problem { help: Some(text.into()), ..self }
    }

    /// Adds a change of the text that fixes the mistake.
    pub fn edit(mut self, span: Span, text: impl Into<String>) -> Problem {
        self.edits.push((span, text.into()));
        self
    }

    /// Sets the change that is right if the edits are not.
    pub fn or_edit(mut self, other: Option<(Span, String)>) -> Problem {
        self.other_edit = other.map(Box::new);
        self
    }

    /// The other fix as a list of edits; empty without one.
    pub fn other_edits(&self) -> &[(Span, String)] {
        self.other_edit.as_deref().map_or(&[], std::slice::from_ref)
    }

    /// Sets the help if there is one.
    pub fn maybe_help(self, text: Option<String>) -> Problem {
        Problem { help: text.or(self.help), ..self }
    }

    /// Copies the problem and cuts messages that are too long to read. Each cut is marked.
    pub fn bounded(&self) -> Problem {
        let label = |(span, text): &(Span, String)| (*span, cut(text, LONGEST_MESSAGE).into_owned());
        Problem {
            message: cut(&self.message, LONGEST_MESSAGE).into_owned(),
            labels: self.labels.iter().map(label).collect(),
            help: self.help.as_ref().map(|help| cut(help, LONGEST_HELP).into_owned()),
            edits: self.edits.clone(),
            other_edit: self.other_edit.clone(),
            ..*self
        }
    }

    /// Prepares the problem for drawing: escapes hidden characters and keeps line breaks only in the help.
    fn drawn(&self) -> Problem {
        let Problem { message, labels, help, .. } = self.bounded();
        let labels = labels.into_iter().map(|(span, text)| (span, line(&text).into_owned())).collect();
        let help = help.map(|help| lines(&help).into_owned());
        Problem { message: line(&message).into_owned(), labels, help, edits: Vec::new(), other_edit: None, ..*self }
    }

    /// Turns the problem into a warning.
    pub fn as_warning(self) -> Problem {
        Problem { level: Severity::Warning, ..self }
    }
}

/// The limit of a message and of a label, in bytes.
pub const LONGEST_MESSAGE: usize = 4 << 10;
/// The limit of a help, in bytes.
pub const LONGEST_HELP: usize = 16 << 10;

/// Writes a number with commas between the thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits are ASCII")).collect();
    groups.join(",")
}

/// Writes a number with its noun: `1 ply`, `2,000 plies`.
pub fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// The number of names that a sentence lists before it only gives their number.
const LISTED: usize = 10;

/// The first ten names. If there are more, their number follows: `a b c ... (28 in all)`.
pub fn first_of<S: AsRef<str>>(names: &[S], between: &str) -> String {
    let first: Vec<&str> = names.iter().take(LISTED).map(AsRef::as_ref).collect();
    let joined = first.join(between);
    if names.len() <= LISTED {
        joined
    } else {
        format!("{joined}{between}... ({} in all)", grouped(names.len() as u64))
    }
}

/// Problems with the texts that contain them.
#[derive(Clone, Debug)]
pub struct Report {
    /// The texts.
    pub sources: Arc<Sources>,
    /// The problems, in the order of the texts.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Sorts problems by place, so that the order of the passes does not show. If a mistake of the
    /// text explains errors of the running game (A06..), these errors follow it.
    pub fn new(sources: Arc<Sources>, mut problems: Vec<Problem>) -> Report {
        let explained = problems.iter().any(Problem::explains_faults);
        let rules_are_wrong = problems.iter().any(|problem| problem.explains_faults() && !problem.is_about_claim);
        let is_faulty = problems.iter().any(|problem| problem.code.text().starts_with("A06"));
        blame_names(&mut problems);
        share_edits(&mut problems, &sources);
        problems.sort_by_key(|problem| {
            let place = problem.labels.first().map(|label| label.0);
            let follows = explained && problem.code.text().starts_with("A06") && !problem.is_of_text();
            let is_contradicted = rules_are_wrong && problem.is_about_claim;
            // A predicate that nothing calls explains no fault.
            let is_idle = is_faulty && problem.code == Code::UncalledPredicate;
            (follows, is_contradicted, is_idle, place.is_none(), place, problem.code)
        });
        Report { sources, problems }
    }

    /// The number of errors.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// The number of warnings.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// The number of notes. Notes are neither errors nor warnings.
    pub fn notes(&self) -> usize {
        self.count(Severity::Note)
    }

    fn count(&self, level: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.level == level).map(|problem| problem.count).sum()
    }

    /// Prepares each problem for drawing by `miette`.
    pub fn drawings(&self) -> impl Iterator<Item = DrawnProblem> + '_ {
        self.problems.iter().map(|problem| DrawnProblem::new(problem, &self.sources))
    }
}

/// Takes `_X` out of the suggestions for a variable that occurs once and that arithmetic needs: such a
/// variable has a wrong name.
fn blame_names(problems: &mut [Problem]) {
    let place = |problem: &Problem| problem.labels.first().map(|label| label.0);
    let needed: HashSet<Span> =
        problems.iter().filter(|problem| problem.code == Code::UnboundInArithmetic).filter_map(place).collect();
    let single = |problem: &&mut Problem| problem.code == Code::SingletonVariable;
    for problem in problems.iter_mut().filter(single) {
        let help = problem.help.clone().unwrap_or_default();
        if help.contains("write _") && place(problem).is_some_and(|span| needed.contains(&span)) {
            // The other edit writes `_X`. Without one, the first edit does.
            if problem.other_edit.take().is_none() {
                problem.edits.clear();
            }
            let name = help.split("write _").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
            let near = help.split_once("? if ").map(|(near, _)| format!("{near}?"));
            problem.help = Some(near.unwrap_or_else(|| format!("correct the name {name}")));
        }
    }
}

/// Gives a variable that occurs once the edit of another problem of its clause that writes this variable. `_X`
/// would be wrong after that edit.
fn share_edits(problems: &mut [Problem], sources: &Sources) {
    let single = |problem: &Problem| problem.code == Code::SingletonVariable;
    let mut written: HashMap<String, Vec<Span>> = HashMap::new();
    for (span, text) in problems.iter().filter(|problem| !single(problem)).flat_map(|problem| &problem.edits) {
        if text.starts_with(char::is_uppercase) {
            written.entry(text.clone()).or_default().push(*span);
        }
    }
    for problem in problems.iter_mut().filter(|problem| single(problem) && !written.is_empty()) {
        let Some((place, _)) = problem.labels.first() else { continue };
        let near = written.get(sources.text(*place)).into_iter().flatten().filter(|span| span.source == place.source);
        let one_clause = |span: &Span| {
            let between =
                Span { source: span.source, start: place.end.min(span.end), end: place.start.max(span.start) };
            !sources.text(between).contains(".\n")
        };
        if let Some(span) = near.min_by_key(|span| span.start.abs_diff(place.start)).filter(|span| one_clause(span)) {
            problem.edits = vec![(*span, sources.text(*place).to_string())];
            problem.other_edit = None;
        }
    }
}

/// A problem with its source text, ready for a report handler of `miette`.
///
/// `miette` draws one text per diagnostic. Labels in other texts become related notes.
#[derive(Debug)]
pub struct DrawnProblem {
    problem: Problem,
    text: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
    elsewhere: Vec<DrawnProblem>,
}

impl DrawnProblem {
    fn new(problem: &Problem, sources: &Sources) -> DrawnProblem {
        let problem = problem.drawn();
        let home = problem.labels.first().map(|label| label.0.source);
        let mut labels = Vec::new();
        let mut elsewhere = Vec::new();
        for (span, words) in &problem.labels {
            if Some(span.source) == home {
                labels.push(clamped(*span, words, sources));
            } else {
                elsewhere.push(DrawnProblem::new(&Problem::advice(Some(*span), words), sources));
            }
        }
        let mut text = home.map(|id| {
            let source = sources.get(id);
            Excerpt::new(line(&source.name).into_owned(), &source.text, &labels)
        });
        let several = labels.len() > 1;
        if let (Some(text), Some(first)) = (&mut text, labels.first()) {
            labels.truncate(if text.is_long_at(first.offset()) { 1 } else { labels.len() });
            side_by_side(&mut labels, &text.text);
            text.mistake = labels.first().filter(|_| several).map(LabeledSpan::offset);
        }
        // The heading names the place of the mistake, even if its causes stand before it.
        if let Some(first) = labels.first_mut().filter(|_| several) {
            let words = first.label().map(str::to_string);
            *first = LabeledSpan::new_primary_with_span(words, *first.inner());
        }
        DrawnProblem { problem, text, labels, elsewhere }
    }
}

/// The label of a span, moved to the last character if the span lies at the end of the text. miette
/// 7.6 does not draw a label at the end and panics if a label lies behind it.
fn clamped(span: Span, words: &str, sources: &Sources) -> LabeledSpan {
    let text = &sources.get(span.source).text;
    let mut start = floor(text, (span.start as usize).min(text.len()));
    let mut end = floor(text, (span.end as usize).clamp(start, text.len()));
    if end - start > LONG_LINE {
        end = text[start..].find('\n').map_or(end, |line| start + line);
        end = floor(text, end.min(start + MARGIN));
    }
    if start == end {
        if let Some(c) = text[start..].chars().next().filter(|c| *c != '\n') {
            end = start + c.len_utf8();
        } else if let Some(c) = text[..start].chars().next_back() {
            start -= c.len_utf8();
        }
    }
    let words = Some(words.to_string()).filter(|words| !words.is_empty());
    LabeledSpan::new(words, start, end - start)
}

impl fmt::Display for DrawnProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl std::error::Error for DrawnProblem {}

impl Diagnostic for DrawnProblem {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (self.problem.code != Code::None).then(|| Box::new(self.problem.code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.problem.level {
            Severity::Error => miette::Severity::Error,
            Severity::Note => miette::Severity::Advice,
            Severity::Warning if self.problem.code == Code::None => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.text.as_ref().map(|text| text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        (!self.elsewhere.is_empty()).then(|| {
            Box::new(self.elsewhere.iter().map(|note| note as &dyn Diagnostic))
                as Box<dyn Iterator<Item = &'a dyn Diagnostic>>
        })
    }
}
