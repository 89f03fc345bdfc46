//! Explains in a sentence why a builtin fails.
//!
//! The sentence shows the values that the builtin compared. Only `reason` uses this module.

use crate::machine::BuiltinCode;
use crate::machine::fault::Fault;
use crate::reason::explain::{ExplanationPath, error_as_none};
use crate::reason::failing::FailedGoal;
use crate::reason::prover::Prover;
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_text::signature::Fact;
use alphorn_text::symbol::Atom;

/// The greatest length of a term in a sentence, in bytes.
const SHORT: usize = 60;
/// The greatest number of steps to find another last argument.
const OPEN_STEPS: u64 = 100_000;

impl Prover {
    /// Explains why a goal of a builtin fails.
    pub(super) fn explain_builtin(
        &mut self,
        told: FailedGoal,
        goal: Term,
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let Some((name, _)) = self.store.heap.functor(goal) else { return Ok(told) };
        let args = self.store.heap.args(goal);
        let says = match (name.text(), &args[..]) {
            (name @ ("<" | ">" | "=<" | ">=" | "=:=" | "=\\="), [left, right]) => self.compared(name, *left, *right)?,
            ("is", [left, right]) => self.computed(*left, *right)?,
            ("=" | "==" | "=@=" | "unify_with_occurs_check", [left, right]) => self.unequal(*left, *right)?,
            ("\\=", [left, right]) => match self.term_text(*left, SHORT) {
                text if text == self.term_text(*right, SHORT) => format!("both are {text}"),
                text => format!("{text} and {} can be made equal", self.term_text(*right, SHORT)),
            },
            ("\\==" | "\\=@=", [left, _]) => format!("both are {}", self.term_text(*left, SHORT)),
            (name @ ("@<" | "@>" | "@=<" | "@>="), [left, right]) => {
                let (left, right) = (self.term_text(*left, SHORT), self.term_text(*right, SHORT));
                match name {
                    "@<" => format!("{left} is not before {right} in the standard order"),
                    "@>" => format!("{left} is not after {right} in the standard order"),
                    "@=<" => format!("{left} is after {right} in the standard order"),
                    _ => format!("{left} is before {right} in the standard order"),
                }
            }
            ("between", [low, high, value]) => self.outside(*low, *high, *value)?,
            (_, [only]) if self.program.known.facts(name, 1).contains(&Fact::TestsKind) => {
                match self.store.heap.view(*only) {
                    TermView::Var(_) => "its argument is unbound".to_string(),
                    _ => format!("{} is {}", self.term_text(*only, SHORT), self.kind(*only)),
                }
            }
            ("arg", [number, term, _]) if self.beyond(*number, *term) => {
                format!("{} has no argument {}", self.term_text(*term, SHORT), self.term_text(*number, SHORT))
            }
            _ => self.last_argument(goal, way)?,
        };
        Ok(FailedGoal { says, ..told })
    }

    fn beyond(&self, number: Term, term: Term) -> bool {
        let arity = self.store.heap.functor(term).map_or(0, |(_, arity)| arity as i64);
        matches!(self.store.heap.view(number), TermView::Int(number) if number < 1 || number > arity)
    }

    /// The value of an expression as text, and its kind; the expression itself if it has no value.
    fn value(&mut self, expression: Term) -> Result<(String, &'static str), Fault> {
        let row = self.program.known.get(Atom::new("is"), 2);
        let Some(BuiltinCode::Once(run)) = row.map(|(id, _)| self.runs[usize::from(id.0)]) else {
            return Ok((self.term_text(expression, SHORT), self.kind(expression)));
        };
        let value = self.attempt(|prover| {
            let value = prover.store.heap.variable();
            let done = error_as_none(run(&mut prover.store, &[value, expression]))?;
            let term = if done == Some(true) { value } else { expression };
            Ok((prover.term_text(term, SHORT), prover.kind(term)))
        })?;
        Ok(value)
    }

    /// `3 < 2 is false: 2+1 is 3`.
    fn compared(&mut self, name: &str, left: Term, right: Term) -> Result<String, Fault> {
        let mut notes = Vec::new();
        let mut sides = Vec::new();
        for side in [left, right] {
            let (value, _) = self.value(side)?;
            let written = self.term_text(side, SHORT);
            if written != value {
                notes.push(format!("{written} is {value}"));
            }
            sides.push(value);
        }
        let notes = if notes.is_empty() { String::new() } else { format!(": {}", notes.join(", ")) };
        Ok(format!("{} {name} {} is false{notes}", sides[0], sides[1]))
    }

    /// `2+2 is 4, not 5`.
    fn computed(&mut self, left: Term, right: Term) -> Result<String, Fault> {
        let (value, kind) = self.value(right)?;
        let (given, other) = (self.term_text(left, SHORT), self.kind(left));
        let written = self.term_text(right, SHORT);
        let (value, given) = match kind == other || other == "unbound" {
            true => (value, given),
            false => (format!("{value} ({kind})"), format!("{given} ({other})")),
        };
        Ok(format!("{written} is {value}, not {given}"))
    }

    /// `a and b differ at argument 2 of f/2`.
    fn unequal(&mut self, left: Term, right: Term) -> Result<String, Fault> {
        // The attempt undoes the bindings that `differing` makes.
        self.attempt(|prover| match prover.differing(left, right)? {
            Some(differing) => {
                let (left, right) = prover.two(differing.left, differing.right, SHORT);
                Ok(format!("{left} and {right} differ{}", differing.place()))
            }
            None => Ok("the terms are not identical: one of them contains an unbound variable".to_string()),
        })
    }

    fn outside(&mut self, low: Term, high: Term, value: Term) -> Result<String, Fault> {
        let [low, high, value] =
            [low, high, value].map(|term| (self.term_text(term, SHORT), self.store.heap.is_var(term)));
        Ok(match value.1 {
            true => format!("there is no integer from {} to {}", low.0, high.0),
            false => format!("{} is not between {} and {}", value.0, low.0, high.0),
        })
    }

    /// The last argument that the goal would give, if that argument makes it fail. Of `format/3` it is the text in its
    /// first argument, such as `atom(Text)`.
    pub(super) fn last_argument(&mut self, goal: Term, _way: &mut ExplanationPath) -> Result<String, Fault> {
        const NO: &str = "it has no answer";
        let Some((name, arity)) = self.store.heap.functor(goal) else { return Ok(NO.to_string()) };
        let args = self.store.heap.args(goal);
        let sink = args.first().map(|first| self.store.heap.deref(*first));
        let sink =
            sink.filter(|sink| &*name.name() == "format" && self.store.heap.functor(*sink).is_some_and(|of| of.1 == 1));
        let (words, last) = match sink {
            Some(sink) => ("its text", self.store.heap.arg(sink, 0)),
            None => ("its last argument", *args.last().unwrap_or(&goal)),
        };
        let last = self.store.heap.deref(last);
        if arity < 2 || self.store.heap.is_var(last) {
            return Ok(NO.to_string());
        }
        // With a variable as argument, a goal such as ord_subset(Xs, Ys) has endless answers.
        let end = self.store.steps.saturating_add(OPEN_STEPS);
        let said = self.attempt_with_limit(end, |prover| {
            let open = prover.store.heap.variable();
            let mut args = args.clone();
            match sink.and_then(|sink| prover.store.heap.functor(sink)) {
                Some((kind, _)) => args[0] = prover.store.heap.structure(kind, &[open]),
                None => args[arity - 1] = open,
            }
            let goal = prover.store.heap.structure(name, &args);
            let frame = prover.built(goal)?;
            prover.prove(&frame, frame.body.root, None);
            if error_as_none(prover.first())? != Some(true) || prover.store.heap.is_var(open) {
                return Ok(NO.to_string());
            }
            let (found, given) = prover.two(open, last, SHORT);
            Ok(match error_as_none(prover.again())? {
                Some(false) => format!("{words} is {found}, not {given}"),
                _ => format!("{words} can be {found}, but not {given}"),
            })
        })?;
        Ok(said.unwrap_or_else(|| NO.to_string()))
    }
}
