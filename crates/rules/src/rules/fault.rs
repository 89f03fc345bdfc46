//! Faults of rules during play, and their diagnostics.
//!
//! A [`RuleFault`] holds a fault of the machine or an invalid answer. It becomes a [`Problem`] that
//! shows the rule, the goal, the position and the moves before it.

use crate::rules::unbound::leaving_unbound;
use crate::rules::unending::Unending;
use alphorn_lang::lang::near;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::{PRELUDE, Program};
use alphorn_lang::lang::read;
use alphorn_prolog::builtins;
use alphorn_prolog::machine::fault::{Cause, Fault, FaultPlace};
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_prolog::term::write::{Names, WriteOptions, brief};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{self, Atom, atoms};

/// Why the rules gave no usable answer.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// The goal ended in an error.
    Machine(Fault),
    /// The answer breaks the contract: error code, message, help.
    Answer(Code, String, String),
}

/// A call of a game predicate that gave no usable answer.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleFault {
    /// The purpose of the call, such as `generating the moves`.
    pub doing: &'static str,
    /// The position of the call.
    pub position: Option<Box<Packed>>,
    /// The clause to point at if the fault itself has no place.
    pub span: Option<Span>,
    /// The reason.
    pub wrong: FaultKind,
    /// Whether atoms filled much of the memory, see [`holds_atoms`].
    pub atoms: bool,
    /// The place that makes the term of a wrong type.
    pub maker: Option<Span>,
}

/// The greatest number of moves that a diagnostic lists.
const MOST_MOVES: usize = 40;

/// The greatest length of a goal that a diagnostic quotes from the source, in bytes.
const LONGEST_CALL: usize = 200;

/// The message for an unbound variable in a goal that needs a value.
const NO_VALUE: &str = "a variable has no value yet";

/// The text of a packed term as a person would type it, shortened to about `limit` bytes.
pub fn text(packed: &Packed, ops: &Ops, limit: usize) -> String {
    let mut heap = Heap::default();
    let term = unpack(&mut heap, packed);
    shown(&heap, term, ops, limit)
}

/// The text of a term in a heap, shortened to about `limit` bytes.
pub(super) fn shown(heap: &Heap, term: Term, ops: &Ops, limit: usize) -> String {
    let mut out = String::new();
    let style = WriteOptions { quoted: true, operators: Some(ops), number_vars: false, stop: None, limit };
    brief(heap, (term, 1200), style, &mut Names::default(), &mut out);
    out
}

impl RuleFault {
    /// Whether the user interrupted the call.
    pub fn is_stop(&self) -> bool {
        matches!(&self.wrong, FaultKind::Machine(fault) if fault.cause == Cause::Stopped)
    }

    /// Whether the call reached the limit of memory.
    pub fn lacks_memory(&self) -> bool {
        match &self.wrong {
            FaultKind::Machine(fault) => matches!(fault.cause, Cause::Memory(_)),
            FaultKind::Answer(code, ..) => *code == Code::TooMuchMemory,
        }
    }

    /// The fault as a problem. `line` contains the moves that lead to the position.
    pub fn problem(&self, program: &Program, line: &[String]) -> Problem {
        // The rule that ran at the interrupt has no fault.
        if self.is_stop() {
            return Problem::placeless(Code::Interrupted, "stopped");
        }
        let (mut problem, span) = match &self.wrong {
            FaultKind::Machine(fault) => {
                let problem = told(fault, program, self.atoms);
                let span = problem.labels.first().map(|(span, _)| *span);
                (problem, span)
            }
            FaultKind::Answer(code, message, help) => {
                (Problem::placeless(*code, message.clone()).help(help.clone()), None)
            }
        };
        let mut notes = format!("while {}", self.doing);
        if let Some(position) = &self.position {
            notes.push_str(&format!(", in the position {}", text(position, &program.ops, 400)));
        }
        if let Some(from) = line.len().checked_sub(MOST_MOVES) {
            notes.push_str(&format!("\nafter {} moves, the last of them {}", line.len(), line[from..].join(" ")));
        } else if !line.is_empty() {
            notes.push_str(&format!("\nafter the moves {}", line.join(" ")));
        }
        let mut labels = std::mem::take(&mut problem.labels).into_iter();
        let label = labels.next().map(|label| label.1).unwrap_or_default();
        if let Some(span) = span.or(self.span) {
            problem.labels = std::iter::once((span, label)).chain(labels).collect();
        }
        if let Some(maker) = self.maker.filter(|maker| problem.labels.iter().all(|(span, _)| !span.contains(*maker))) {
            problem.labels.push((maker, "this makes the term".to_string()));
        }
        if let Some(sum) = self.position.as_ref().and_then(|position| uncomputed(position, program)) {
            notes.push_str(&format!(
                "\n{sum} in the position is not computed: write X is N - K first, then X in its place"
            ));
        }
        let help = problem.help.take().map(|help| format!("\n{help}")).unwrap_or_default();
        problem.help(format!("{notes}{help}"))
    }
}

/// A nested sum of numbers in a position, such as 3-1-1. Nothing computed it, so it grew with the
/// moves.
fn uncomputed(position: &Packed, program: &Program) -> Option<String> {
    let mut heap = Heap::default();
    let mut stack = vec![unpack(&mut heap, position)];
    let sum = |term: Term| {
        let known = |name: Atom| matches!(name, atoms::PLUS | atoms::MINUS | atoms::STAR);
        heap.functor(term)
            .filter(|(name, arity)| *arity == 2 && known(*name))
            .map(|_| (heap.arg(term, 0), heap.arg(term, 1)))
    };
    let number = |term: Term| matches!(heap.view(term), TermView::Int(_));
    while let Some(term) = stack.pop() {
        if let Some((left, right)) = sum(term)
            && let Some((first, second)) = sum(left)
            && number(right)
            && number(second)
            && (number(first) || sum(first).is_some())
        {
            return Some(shown(&heap, term, &program.ops, 100));
        }
        if let TermView::Compound(..) = heap.view(term) {
            stack.extend(heap.args(term));
        }
    }
    None
}

/// Whether packed terms hold more than a quarter of `bytes` in atoms that rules made.
pub fn holds_atoms(bytes: u64) -> bool {
    symbol::kept_bytes() as u64 > bytes / 4
}

/// The problem for a fault of the machine that has just occurred.
pub fn machine(fault: &Fault, program: &Program) -> Problem {
    let atoms = matches!(fault.cause, Cause::Memory(bytes) if holds_atoms(bytes));
    told(fault, program, atoms)
}

fn told(fault: &Fault, program: &Program, atoms: bool) -> Problem {
    if fault.cause == Cause::Stopped {
        return Problem::placeless(Code::Interrupted, "stopped");
    }
    let place = fault.place.as_deref().cloned().unwrap_or_default();
    let inside = library_call(&place, program);
    let goal = inside.clone().or_else(|| Some(place.goal.clone()));
    let goal = goal.filter(|goal| !goal.is_empty() && (inside.is_some() || !is_thrown_for(&place, program)));
    let calling = goal.as_ref().map(|goal| format!(" in {goal}")).unwrap_or_default();
    let unending = is_unending(&fault.cause, atoms).then(|| Unending::of(program, &place));
    let (code, message, help) = explained(&fault.cause, (&place, unending.as_ref()), inside.as_deref(), program, atoms);
    // The message already shows the term that the library threw.
    let calling = calling.split_once(" in throw(error(existence_error(matching_rule,").map_or(&*calling, |_| "");
    let mut problem = match place.span {
        Some(span) => Problem::error(code, span, format!("{message}{calling}")),
        None => Problem::placeless(code, format!("{message}{calling}")),
    };
    let mut notes = Vec::new();
    if let Some(rule) = &place.rule {
        problem = problem.label(match rule.starts_with('$') {
            true => "in the advice table".to_string(),
            false => format!("in a clause of {rule}"),
        });
    }
    if let Some((mark, label)) = unending.as_ref().and_then(Unending::mark) {
        problem.labels.retain(|(span, _)| *span != mark);
        problem.labels.insert(0, (mark, label));
    }
    if place.span.is_some() {
        for (site, rule) in place.sites.iter().filter(|(_, rule)| !rule.starts_with('$')) {
            problem = problem.also(*site, format!("called from a clause of {rule}"));
        }
    }
    if message == NO_VALUE
        && let Some((goal, name)) = leaving_unbound(program, &place)
    {
        problem = problem.also(goal, format!("{name} has no value after this goal"));
    }
    // Callers are left out if an advice table generated them or they are private to the library.
    let callers = place.callers.iter().skip(1).map(|name| &**name);
    let callers: Vec<&str> =
        callers.filter(|name| name.contains(char::is_alphabetic) && !name.starts_with('$')).collect();
    let callers: Vec<&str> = callers.into_iter().filter(|name| !is_private(name, program)).collect();
    if !callers.is_empty() {
        notes.push(format!("called by {}", callers.join(", by ")));
    }
    notes.extend(Some(help).filter(|help| !help.is_empty()));
    if !notes.is_empty() {
        problem = problem.help(notes.join("\n"));
    }
    problem
}

/// The code, message and help for the cause of a fault. `inside` is the goal of the source text, if
/// the failing goal is another; `atoms` says whether atoms filled much of the memory.
fn explained(
    cause: &Cause,
    (place, unending): (&FaultPlace, Option<&Unending>),
    inside: Option<&str>,
    program: &Program,
    atoms: bool,
) -> (Code, String, String) {
    let (code, message, help) = match cause {
        Cause::Steps(steps) => {
            (Code::TooManySteps, format!("the goal takes more than {}", plural(*steps, "step", "steps")), "")
        }
        Cause::LongOperation(steps) => (
            Code::TooManySteps,
            format!("one operation takes more than {}", plural(*steps, "step", "steps")),
            "no operation may take more, whatever --steps says: use smaller numbers or terms",
        ),
        Cause::Memory(bytes) => (
            Code::TooMuchMemory,
            format!("the goal needs more than {} of memory", size(*bytes)),
            match atoms {
                true => {
                    "atoms made by the rules take much memory, in positions, labels, tables or terms in use; \
                         use numbers or compound terms instead, or allow more with --memory BYTES, such as --memory 4G"
                }
                false => "",
            },
        ),
        Cause::Cyclic => (
            Code::CyclicTerm,
            "a term contains itself".to_string(),
            "X = f(X) makes such a term; unify_with_occurs_check(X, T) fails instead",
        ),
        Cause::Stopped => unreachable!("that has no place"),
        Cause::Thrown(ball) => {
            let signature = signature(place, inside, program).or_else(|| no_module(&place.goal, program));
            return thrown(ball, program, signature.as_deref());
        }
    };
    let help = unending.map_or_else(|| help.to_string(), |unending| unending.help(code == Code::TooMuchMemory));
    (code, message, help)
}

/// Whether a budget ended that goals without end use up.
fn is_unending(cause: &Cause, atoms: bool) -> bool {
    matches!(cause, Cause::Steps(_)) || matches!(cause, Cause::Memory(_)) && !atoms
}

/// A number of bytes as text, such as `4 GiB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        bytes if bytes % (1 << 30) == 0 => format!("{} GiB", bytes >> 30),
        bytes if bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
        bytes => plural(bytes, "byte", "bytes"),
    }
}

/// The goal as the source text has it, if the failing goal is inside of the library.
fn library_call(place: &FaultPlace, program: &Program) -> Option<String> {
    let name = |goal: &str| goal.split('(').next().unwrap_or_default().trim().to_string();
    let span = place.span.filter(|span| usize::from(span.source.0) < program.sources.len())?;
    let written = program.sources.text(span);
    let inside = matches!(name(&place.goal).as_str(), "throw" | "must_be") && name(written) != name(&place.goal);
    let is_call = name(written).chars().all(|c| c.is_alphanumeric() || c == '_') && written.len() <= LONGEST_CALL;
    (inside && is_call).then(|| written.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether the library threw for a goal that is written with an operator, such as `5/2`.
fn is_thrown_for(place: &FaultPlace, program: &Program) -> bool {
    let known = place.span.filter(|span| usize::from(span.source.0) < program.sources.len());
    let written = known.map_or(place.callers.len() < 2, |span| program.sources.text(span).contains("throw"));
    place.goal.starts_with("throw(") && !written
}

/// Whether the indicator, a name and an arity, is one of a private library predicate.
fn is_private(indicator: &str, program: &Program) -> bool {
    let Some((name, arity)) = indicator.rsplit_once('/') else { return false };
    let Ok(arity) = arity.parse() else { return false };
    let mut library = program.predicates.iter().filter(|pred| pred.key.scope == PRELUDE && !pred.exported);
    library.any(|pred| pred.key.arity == arity && pred.key.name.text() == name) && program.own(name, arity).is_none()
}

/// Help with the documented call of a builtin or library predicate. `inside` is the goal of the
/// source text, if the failing goal is another.
fn signature(place: &FaultPlace, inside: Option<&str>, program: &Program) -> Option<String> {
    let written = inside.unwrap_or(&place.goal);
    // The text of a failing goal may be shortened.
    let read = read::goal(SourceId(0), written, &program.ops).ok().flatten();
    let arity = read.and_then(|read| Some(read.tree.functor(read.root)?.1));
    let is_it = |other: usize| arity.is_none_or(|arity| arity == other);
    let rows = builtins::table();
    let row = |name: &str| {
        let row = rows.iter().find(|row| row.signature.name == name && is_it(row.signature.arity.into()));
        row.map(|row| row.summary.to_string())
    };
    let doc = |name: &str| {
        let mut library = program.predicates.iter().filter(|pred| pred.key.scope == PRELUDE && pred.exported);
        let found = library.find(|pred| pred.key.name.text() == name && is_it(pred.key.arity));
        found?.doc.as_deref()?.lines().next().map(str::to_string)
    };
    let (goal, _) = written.split_once('(')?;
    // `throw/1` and `must_be/2` check the arguments of other calls.
    let known = row(goal).or_else(|| doc(goal)).filter(|_| !matches!(goal, "throw" | "must_be"));
    known.map(|known| format!("are the arguments in the right order? {known}"))
}

/// Help with the names of all modules, if a goal names an unknown module.
fn no_module(goal: &str, program: &Program) -> Option<String> {
    let (module, inside) = goal.split_once(':')?;
    let is_name = module.starts_with(char::is_alphabetic) && module.chars().all(|c| c.is_alphanumeric() || c == '_');
    let unknown = is_name && program.modules().all(|known| known != module);
    let known = program.modules().collect::<Vec<_>>().join(", ");
    unknown.then(|| format!("there is no module {module}: write {inside}, and define it; the modules are {known}"))
}

/// The code, message and help for an uncaught exception.
fn thrown(ball: &Packed, program: &Program, signature: Option<&str>) -> (Code, String, String) {
    let mut heap = Heap::default();
    let term = unpack(&mut heap, ball);
    let as_text = |term| shown(&heap, term, &program.ops, 200);
    if heap.functor(term) != Some((atoms::ERROR, 2)) {
        let help = "catch it with catch/3, or correct the goal that throws it".to_string();
        return (Code::UncaughtException, format!("uncaught exception: {}", as_text(term)), help);
    }
    let formal = heap.arg(term, 0);
    let args: Vec<String> = heap.args(formal).into_iter().map(as_text).collect();
    let name = heap.functor(formal).map(|(name, _)| name.name());
    let (message, help) = match (name.as_deref().unwrap_or(""), args.as_slice()) {
        ("instantiation_error", _) => (NO_VALUE.to_string(), "bind the variable by a goal before this one"),
        ("type_error", [kind, culprit]) => {
            let (message, help) = type_error(&heap, heap.arg(formal, 1), (kind, culprit), signature);
            return (Code::ErrorInGoal, message, help);
        }
        ("domain_error", [domain, culprit]) => {
            (format!("{culprit} is outside the domain {domain}"), "check where the value comes from")
        }
        ("existence_error", [kind, what]) if kind == "procedure" => {
            (format!("{what} is not defined"), signature.unwrap_or("define the predicate, or correct the name"))
        }
        ("existence_error", [kind, what]) if kind == "matching_rule" => {
            let (library, goal) = what.split_once(':').unwrap_or(("", what));
            let name = goal.split('(').next().unwrap_or(goal);
            let help = match library {
                "assoc" => signature
                    .unwrap_or("expected an assoc: make one with empty_assoc/1, put_assoc/4 or list_to_assoc/2"),
                _ => "expected a proper list: bind the argument to a list that ends in [] before this goal",
            };
            (format!("no clause of {name} matches the arguments of {goal}"), help)
        }
        ("evaluation_error", [what]) if what == "zero_divisor" => {
            ("division by zero".to_string(), "test the divisor first: D =\\= 0")
        }
        ("evaluation_error", [what]) => (format!("the arithmetic has no result: {what}"), "check the values"),
        ("syntax_error", [what]) => (format!("the text cannot be read: {what}"), "check the text"),
        _ => (as_text(formal), "check the goal and its arguments"),
    };
    (Code::ErrorInGoal, message, help.to_string())
}

/// The message and help for a term of a wrong type: the expected type, and the text of the term.
fn type_error(heap: &Heap, term: Term, (kind, culprit): (&str, &str), signature: Option<&str>) -> (String, String) {
    let expected = || format!("expected {}, found {culprit}", article(kind));
    if kind == "evaluable" {
        let near = culprit.rsplit_once('/').and_then(|(name, arity)| {
            near::function(name, arity.parse().ok().filter(|arity| *arity > 0)?, builtins::number::is_function)
        });
        let help = match (near, culprit.strip_suffix("/0")) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, Some(atom)) => format!("a number is needed here: check where {atom} comes from"),
            (None, None) if heap.head_and_tail(term).is_some() => {
                "a number is needed here, and this is a list: take an element of the list".to_string()
            }
            (None, None) => {
                "arithmetic functions are + - * / // mod min max abs and others: see docs/language.md".to_string()
            }
        };
        return (format!("{culprit} is not an arithmetic function"), help);
    }
    if is_sum(heap, term) && is_number(kind) {
        let help = format!("{culprit} is a term that was not computed: write X is {culprit}, and X in its place");
        return (expected(), help);
    }
    if kind == "lambda_free" {
        let help = "as a goal, Free/Goal is a lambda expression, such as {X}/p(X, Y); to divide, write X is A / B";
        return (format!("{culprit} is on the left of / in a goal"), help.to_string());
    }
    (expected(), signature.unwrap_or("check where the value comes from").to_string())
}

/// Whether an expected type is a number.
fn is_number(kind: &str) -> bool {
    matches!(kind, "integer" | "number" | "float" | "nonneg" | "not_less_than_zero" | "positive_integer")
}

/// Whether a term is arithmetic that was not computed, such as 2-1.
fn is_sum(heap: &Heap, term: Term) -> bool {
    let Some((name, arity)) = heap.functor(term) else { return false };
    let (args, mut number) = (heap.args(term), false);
    let computed = arity == 2
        && !matches!(name, atoms::SLASH | atoms::CARET)
        && builtins::number::is_function(&name.name(), arity);
    for arg in &args {
        number |= matches!(heap.view(*arg), TermView::Int(_) | TermView::Float(_));
    }
    computed && number && args.iter().all(|arg| !matches!(heap.view(*arg), TermView::Atom(_)))
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {}", if vowel { "an" } else { "a" }, kind.replace('_', " "))
}
