//! Runs a goal on two solvers and compares the runs.
//!
//! [`Seen`] records everything that can be observed of a run. A [`Difference`] between two runs has a
//! [`Kind`], which the comparison can ignore.

use alphorn::machine::fault::{Cause, Fault};
use alphorn::machine::store::Budget;
use alphorn::machine::{Query, Solver};
use alphorn::source::Span;
use alphorn::term::Term;
use alphorn::term::heap::Heap;
use alphorn::term::pack::{Packed, pack, unpack};
use alphorn::term::write::{Names, Variables, WriteOptions, write};

/// The kinds of differences between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The values of the answers, or their number.
    Answers,
    /// The order of the answers, if the answers are otherwise equal.
    Order,
    /// The text written before each answer and at the end.
    Output,
    /// The end of a run: no more answers, more answers than requested, or the kind of error.
    Ending,
    /// The term that was thrown, or the limit that was exceeded.
    Cause,
    /// The goal of an error, as text.
    PlaceGoal,
    /// The span of an error.
    PlaceSpan,
    /// The rule of an error.
    PlaceRule,
    /// The callers of an error.
    PlaceCallers,
    /// The number of steps at each answer and at the end.
    Steps,
    /// Whether more answers may follow, after each answer.
    Alternatives,
}

impl Kind {
    /// The kinds by the names in `ALPHORN_IGNORE`.
    pub const ALL: [(&'static str, Kind); 11] = [
        ("answers", Kind::Answers),
        ("order", Kind::Order),
        ("output", Kind::Output),
        ("ending", Kind::Ending),
        ("cause", Kind::Cause),
        ("place_goal", Kind::PlaceGoal),
        ("place_span", Kind::PlaceSpan),
        ("place_rule", Kind::PlaceRule),
        ("place_callers", Kind::PlaceCallers),
        ("steps", Kind::Steps),
        ("alternatives", Kind::Alternatives),
    ];
}

/// The kinds of differences that count.
#[derive(Clone, Debug)]
pub struct Kinds(Vec<Kind>);

impl Kinds {
    /// All kinds except these and those in the environment: `ALPHORN_IGNORE=steps,place_span`.
    pub fn but(ignored: &[Kind]) -> Kinds {
        let named = std::env::var("ALPHORN_IGNORE").unwrap_or_default();
        let named: Vec<&str> = named.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        if let Some(unknown) = named.iter().find(|name| Kind::ALL.iter().all(|(known, _)| known != *name)) {
            panic!("ALPHORN_IGNORE: there is no {unknown}");
        }
        let all = Kind::ALL.iter().filter(|(name, kind)| !named.contains(name) && !ignored.contains(kind));
        Kinds(all.map(|(_, kind)| *kind).collect())
    }

    /// These kinds without one kind.
    pub fn without(&self, kind: Kind) -> Kinds {
        Kinds(self.0.iter().copied().filter(|other| *other != kind).collect())
    }

    fn has(&self, kind: Kind) -> bool {
        self.0.contains(&kind)
    }
}

/// One difference, as text for the developer.
#[derive(Clone, Debug)]
pub struct Difference {
    pub kind: Kind,
    pub left: String,
    pub right: String,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    NoMore,
    Enough,
    Fault(Fault),
}

impl End {
    fn is_memory(&self) -> bool {
        matches!(self, End::Fault(Fault { cause: Cause::Memory(_), .. }))
    }

    pub fn is_steps(&self) -> bool {
        matches!(self, End::Fault(Fault { cause: Cause::Steps(_), .. }))
    }

    fn sort(&self) -> &'static str {
        match self {
            End::NoMore => "no more answers",
            End::Enough => "enough answers",
            End::Fault(fault) => match fault.cause {
                Cause::Thrown(_) => "thrown",
                Cause::Steps(_) => "out of steps",
                Cause::LongOperation(_) => "an operation too long",
                Cause::Memory(_) => "out of memory",
                Cause::Cyclic => "a cyclic term",
                Cause::Stopped => "stopped",
            },
        }
    }
}

/// An answer with the state of the run after it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub values: String,
    /// The values that are too large to be written out.
    pub large: Vec<Option<Packed>>,
    pub output: String,
    pub steps: u64,
    pub alternatives: bool,
}

/// Everything that can be observed of a run.
#[derive(Clone, Debug)]
pub struct Seen {
    pub answers: Vec<Answer>,
    pub end: End,
    pub output: String,
    pub steps: u64,
    /// Whether the solver gave an answer after the end.
    pub after: bool,
    /// Whether the steps may differ between solvers: see `Store::steps_vary`.
    pub steps_vary: bool,
}

/// The number of callers that an error names, at most.
const CALLERS: usize = 8;

/// The greatest length of an answer as text, in bytes, and as a packed term, in words.
const LONGEST: usize = 2_000;
const LARGEST: usize = 1 << 14;

/// Runs a goal and records up to `limit` answers.
pub fn watch(solver: &mut dyn Solver, ask: &Query<'_>, budget: Budget, limit: usize) -> Seen {
    let mut answers = Vec::new();
    let mut shown = 0;
    let begun = solver.ask(ask, budget);
    let asked = begun.is_ok();
    let end = match begun {
        Err(fault) => End::Fault(fault),
        Ok(()) => loop {
            if answers.len() == limit {
                break End::Enough;
            }
            match solver.next() {
                Err(fault) => break End::Fault(fault),
                Ok(false) => break End::NoMore,
                Ok(true) => {}
            }
            let values = solver.answer().to_vec();
            let alternatives = solver.has_alternatives();
            let store = solver.store();
            let (values, large) = written(&store.heap, &values);
            let output = bare(store.output.get(shown..).unwrap_or("(shorter than before)"));
            shown = store.output.len();
            answers.push(Answer { values, large, output, steps: store.steps, alternatives });
        },
    };
    let store = solver.store();
    let output = bare(store.output.get(shown..).unwrap_or("(shorter than before)"));
    // An operation that cannot be interrupted may exceed the limit by more than one step.
    let limit = if end.is_steps() { budget.steps + 1 } else { u64::MAX };
    let steps = store.steps.min(limit);
    let steps_vary = store.steps_vary;
    // After the end there are no more answers. If the goal could not begin, nothing is required.
    let after = asked && end != End::Enough && solver.next() != Ok(false);
    Seen { answers, end, output, steps, after, steps_vary }
}

/// The values of an answer, with variables numbered over all values.
fn written(heap: &Heap, values: &[Term]) -> (String, Vec<Option<Packed>>) {
    let style = WriteOptions { quoted: true, operators: None, number_vars: false, stop: None, limit: LONGEST };
    let mut names = Names::default();
    let (mut text, mut large) = (String::new(), Vec::new());
    for value in values {
        if !write(heap, *value, style, Variables::Numbered(&mut names), &mut text) {
            large.push(pack(heap, *value, LARGEST));
        }
        text.push('\t');
    }
    (bare(&text), large)
}

/// A text without the numbers of unbound variables, as in `_G123`; the numbers come from the cells of the
/// variables.
fn bare(text: &str) -> String {
    if !text.contains("_G") {
        return text.to_string();
    }
    let mut parts = text.split("_G");
    let mut out = parts.next().unwrap_or("").to_string();
    // The number shows the age of a variable, and solvers may differ in it.
    for part in parts {
        out.push_str("_V");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// Whether a run exceeded its limit of memory or of returns, so that the other run need not agree.
pub fn is_beyond(left: &Seen, right: &Seen) -> bool {
    left.end.is_memory() || right.end.is_memory() || left.is_worn() || right.is_worn()
}

impl Seen {
    /// Whether returns alone used up the remaining steps.
    fn is_worn(&self) -> bool {
        matches!(&self.end, End::Fault(Fault { cause: Cause::Steps(limit), .. }) if self.steps <= *limit)
    }
}

/// The differences between two runs.
pub fn differences(left: &Seen, right: &Seen, kinds: &Kinds) -> Vec<Difference> {
    let mut found = Vec::new();
    let kinds = &if left.steps_vary || right.steps_vary { kinds.without(Kind::Steps) } else { kinds.clone() };
    // A run that exceeded its memory must agree up to that point; so must a run that exceeded its steps, if
    // the numbers of steps may differ.
    let cut_short = is_beyond(left, right) || !kinds.has(Kind::Steps) && (left.end.is_steps() || right.end.is_steps());
    let kinds = if cut_short { kinds.without(Kind::Steps) } else { kinds.clone() };
    let mut see = |kind: Kind, left: String, right: String| {
        if kinds.has(kind) && left != right {
            found.push(Difference { kind, left, right });
        }
    };
    let common = left.answers.len().min(right.answers.len());
    let count = |seen: &Seen| if cut_short { common } else { seen.answers.len() };
    let (ours, theirs) = (&left.answers[..count(left)], &right.answers[..count(right)]);
    answers(ours, theirs, &mut see);
    for (number, (a, b)) in ours.iter().zip(theirs).enumerate() {
        let at = |text: String| format!("at answer {}: {text}", number + 1);
        see(Kind::Output, at(a.output.clone()), at(b.output.clone()));
        see(Kind::Steps, at(a.steps.to_string()), at(b.steps.to_string()));
        see(Kind::Alternatives, at(a.alternatives.to_string()), at(b.alternatives.to_string()));
    }
    if cut_short {
        return found;
    }
    see(Kind::Output, format!("at the end: {}", left.output), format!("at the end: {}", right.output));
    see(Kind::Steps, format!("at the end: {}", left.steps), format!("at the end: {}", right.steps));
    see(Kind::Ending, ending(left), ending(right));
    if let (End::Fault(a), End::Fault(b)) = (&left.end, &right.end) {
        if a.cause != b.cause {
            see(Kind::Cause, cause(&a.cause), cause(&b.cause));
        }
        places(a, b, &mut see);
    }
    found
}

fn ending(seen: &Seen) -> String {
    format!("{}{}", seen.end.sort(), if seen.after { ", and went on" } else { "" })
}

fn answers(ours: &[Answer], theirs: &[Answer], see: &mut impl FnMut(Kind, String, String)) {
    let texts = |answers: &[Answer]| {
        let text = |answer: &Answer| match answer.large.is_empty() {
            true => answer.values.clone(),
            false => format!("{} and {:?}", answer.values, answer.large),
        };
        answers.iter().map(text).collect::<Vec<String>>()
    };
    let (left, right) = (texts(ours), texts(theirs));
    let sorted = |texts: &[String]| {
        let mut texts = texts.to_vec();
        texts.sort();
        texts
    };
    let kind = if sorted(&left) == sorted(&right) { Kind::Order } else { Kind::Answers };
    see(kind, left.join("\n      "), right.join("\n      "));
}

fn places(left: &Fault, right: &Fault, see: &mut impl FnMut(Kind, String, String)) {
    let (Some(a), Some(b)) = (&left.place, &right.place) else {
        let there = |fault: &Fault| fault.place.as_ref().map_or("no place".to_string(), |place| place.goal.clone());
        return see(Kind::PlaceGoal, there(left), there(right));
    };
    // If a limit is exceeded while a head is unified, the machine is already in the clause.
    if !matches!(left.cause, Cause::Thrown(_)) && (a.goal.is_empty() || b.goal.is_empty()) {
        return;
    }
    see(Kind::PlaceGoal, bare(&a.goal), bare(&b.goal));
    // The machine keeps the frame of a caller that still has to build an output argument, so it may name a
    // clause that the reference solver has left. A list of callers has an end, so the last ones may be missing.
    let mut more = b.callers.iter();
    let among = a.callers.iter().take_while(|caller| more.any(|other| other == *caller)).count();
    let is_cut = a.callers.len() == CALLERS && b.callers.len() == CALLERS && a.callers != b.callers;
    if among == a.callers.len() && b.callers.len() > a.callers.len() || is_cut && among > CALLERS / 2 {
        return;
    }
    // The machine expands a known lambda expression, so its steps have the place of its call.
    let in_lambda = a.rule.as_ref().is_some_and(|rule| rule.starts_with("lambda_"));
    if !matches!(left.cause, Cause::Thrown(_)) && in_lambda {
        return;
    }
    let span = |span: Option<Span>| format!("{span:?}");
    see(Kind::PlaceSpan, span(a.span), span(b.span));
    see(Kind::PlaceRule, format!("{:?}", a.rule), format!("{:?}", b.rule));
    see(Kind::PlaceCallers, a.callers.join(" "), b.callers.join(" "));
}

/// A cause in words.
pub fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Thrown(ball) => {
            let mut heap = Heap::default();
            let ball = unpack(&mut heap, ball);
            format!("thrown {}", written(&heap, &[ball]).0.trim_end())
        }
        other => format!("{other:?}"),
    }
}
