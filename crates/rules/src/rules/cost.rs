//! What the questions of a game compile to, and what could not be specialised.
//!
//! In: loaded rules. Out: [`CompiledGame`]: the intermediate form as text, and a
//! [`CostNote`] for every place that keeps the rules slow, with what their author
//! can do about it. Measures nothing: a place that costs may hardly ever run, which whoever has
//! measured can say.

use crate::rules::Rules;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_prolog::machine::engine::listing::{Listing, Note, listing};
use alphorn_text::report::Problem;
use alphorn_text::source::{Origin, Span};
use rustc_hash::FxHashMap;

/// What is run for the rules of a game.
#[derive(Clone, Debug)]
pub struct CompiledGame {
    /// The procedures, as text; empty where the reference solver runs the game.
    pub code: String,
    /// What could not be specialised: the user's places, then the library's,
    /// in the order of the texts.
    pub costs: Vec<CostNote>,
    /// Whether the reference solver runs the whole program.
    pub by_reference: bool,
}

/// Something that could not be specialised.
#[derive(Clone, Debug, PartialEq)]
pub struct CostNote {
    /// The predicate, such as `place/3`; none where it is the whole program.
    pub rule: Option<String>,
    /// The ways of calling it for which this holds, such as `+, -`.
    pub modes: Vec<String>,
    /// The goal or head; none where it is the whole program.
    pub span: Option<Span>,
    /// Whether it lies in the library, where the user can do nothing.
    pub library: bool,
    /// Why.
    pub reason: String,
    /// What its author can do.
    pub help: Option<String>,
    /// Which part of the steps of a search its predicate takes, where that was measured.
    pub share: Option<f64>,
}

/// What the author of a place can do, by the reason that the compiler gives.
const HELP: &[(&str, &str)] = &[
    (
        "general unification",
        "both sides may contain unbound variables: bind this argument before the call, or build the term after its \
         parts are known",
    ),
    (
        "an argument may hold unbound variables",
        "the called predicate runs in a general version: bind the variables of its arguments first, or write the \
         terms with variables in the goal itself: p(f(X, Y)), not T = f(X, Y), p(T)",
    ),
    (
        "the goal is known only when it runs",
        "name the predicate here; to choose between predicates, write ( Test -> this(X) ; that(X) )",
    ),
    (
        "catch/3 takes its goal as a term",
        "the goal is built and called as a term: test for errors before the goal, or call catch/3 once around much \
         work, not often around little",
    ),
    (
        "findall/3 copies answers that may hold variables",
        "bind every variable of the template in the goal, or remove the unbound variables from the template",
    ),
    (
        "a table is completed by the reference solver",
        "the reference solver runs its clauses and the predicates that they call; try closure/3 in place of \
         a table is for",
    ),
    (
        "a builtin is given unbound variables",
        "bind the variables of its arguments before this goal, or pass a new variable and take its value apart \
         after",
    ),
];

/// What the author can do about a reason.
fn help(reason: &str) -> Option<String> {
    HELP.iter().find(|(known, _)| *known == reason).map(|(_, help)| (*help).to_string())
}

/// Compiles every question that the game may be asked. The rules must have
/// loaded without errors.
pub fn compiled(rules: &Rules) -> CompiledGame {
    let program = &rules.program;
    let Listing { procedures, notes, too_large } = listing(program, &rules.runs, &asked(rules), &[]);
    if too_large {
        let costs = vec![CostNote {
            rule: None,
            modes: Vec::new(),
            span: None,
            library: false,
            reason: "a clause or predicate is too large to be compiled, so the reference solver runs the whole program"
                .to_string(),
            help: Some(
                "split clauses with 10,000 variables or more, and terms with 1000 arguments or more".to_string(),
            ),
            share: None,
        }];
        return CompiledGame { code: String::new(), costs, by_reference: true };
    }
    let code = procedures.into_iter().map(|(_, text)| text + "\n").collect();
    CompiledGame { code, costs: costs(program, &notes), by_reference: false }
}

/// The procedures that predicates compile to, as text: one for each way in which the game calls
/// them, or one for any arguments. None where the reference solver runs the program.
pub fn procedures(rules: &Rules, wanted: &[PredId]) -> Vec<(PredId, String)> {
    let found = listing(&rules.program, &rules.runs, &asked(rules), wanted);
    if found.too_large { Vec::new() } else { found.procedures }
}

/// The questions of a game, each with a flag for every argument: whether it is given.
fn asked(rules: &Rules) -> Vec<(PredId, Vec<bool>)> {
    let given = |args: &str| args.chars().map(|arg| arg == '+').collect();
    rules.contract.questions().into_iter().map(|(pred, args)| (pred, given(args))).collect()
}

/// Notes as costs: each place once, with the ways of calling.
fn costs(program: &Program, notes: &[Note]) -> Vec<CostNote> {
    let mut found: Vec<CostNote> = Vec::new();
    let mut numbers: FxHashMap<(PredId, Span, &str), usize> = FxHashMap::default();
    for Note { span, pred, modes, why } in notes {
        let number = *numbers.entry((*pred, *span, why)).or_insert_with(|| {
            let library = program.sources.get(span.source).origin == Origin::Library;
            found.push(CostNote {
                rule: Some(program.indicator(*pred)),
                modes: Vec::new(),
                span: Some(*span),
                library,
                reason: (*why).to_string(),
                help: if library { None } else { help(why) },
                share: None,
            });
            found.len() - 1
        });
        if !found[number].modes.contains(modes) {
            found[number].modes.push(modes.clone());
        }
    }
    found.sort_by_key(|cost| (cost.library, cost.span));
    found
}

impl CompiledGame {
    /// Takes in which part of the steps of a search each predicate takes: what takes most comes first.
    pub fn weigh(&mut self, share: impl Fn(&str) -> f64) {
        for cost in &mut self.costs {
            cost.share = cost.rule.as_deref().map(&share);
        }
        let weight = |cost: &CostNote| cost.share.unwrap_or(0.0);
        self.costs.sort_by(|left, right| {
            left.library.cmp(&right.library).then_with(|| weight(right).total_cmp(&weight(left)))
        });
    }

    /// How many places of the user's are costs of their own.
    pub fn places(&self) -> usize {
        self.costs.iter().filter(|cost| !cost.library && !cost.follows()).count()
    }

    /// How many predicates of the user's are general only for how they are called.
    pub fn followers(&self) -> usize {
        rules(self.costs.iter().filter(|cost| !cost.library && cost.follows())).len()
    }

    /// The costs as advice to draw: one for each place, with help where a
    /// reason is told first; then one for what only follows from those, and
    /// one for the library.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for cost in self.costs.iter().filter(|cost| !cost.library && !cost.follows()) {
            let told = problems.iter().any(|problem| problem.message == cost.reason);
            problems.push(cost.problem(!told));
        }
        let following = rules(self.costs.iter().filter(|cost| !cost.library && cost.follows()));
        let library = rules(self.costs.iter().filter(|cost| cost.library));
        let general = |rules: &[String]| match rules.len() {
            1 => "1 predicate runs in a general version".to_string(),
            count => format!("{count} predicates run in general versions"),
        };
        if !following.is_empty() {
            let message = format!("{} for unbound arguments (?): {}", general(&following), following.join(", "));
            problems.push(Problem::advice(None, message));
        }
        if !library.is_empty() {
            let message = format!("in the library: {}: {}", general(&library), library.join(", "));
            problems.push(Problem::advice(None, message));
        }
        problems
    }
}

/// The predicates of costs, each once with its ways of calling.
fn rules<'a>(costs: impl Iterator<Item = &'a CostNote>) -> Vec<String> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for cost in costs {
        let rule = cost.rule.as_deref().unwrap_or_default();
        let at = found.iter().position(|(other, _)| *other == rule).unwrap_or_else(|| {
            found.push((rule, Vec::new()));
            found.len() - 1
        });
        let modes = &mut found[at].1;
        for way in &cost.modes {
            if !modes.contains(&way.as_str()) {
                modes.push(way);
            }
        }
    }
    found.into_iter().map(|(rule, modes)| format!("{rule} {}", called(&modes))).collect()
}

/// The ways of calling: `(+, -) (?, -)`.
fn called<S: AsRef<str>>(modes: &[S]) -> String {
    modes.iter().map(|modes| format!("({})", modes.as_ref())).collect::<Vec<_>>().join(" ")
}

impl CostNote {
    /// Whether it is there only because a caller gives unbound variables: the
    /// caller's goal is a cost already, and the one to change.
    fn follows(&self) -> bool {
        !self.modes.is_empty() && self.modes.iter().all(|modes| modes.split(", ").any(|mode| mode == "?"))
    }

    fn problem(&self, helps: bool) -> Problem {
        let label = match (&self.rule, self.modes.is_empty()) {
            (Some(rule), false) => {
                let part = self.share.map(|share| format!(": {:.1} % of the steps of a search", 100.0 * share));
                format!("in {rule} called as {}{}", called(&self.modes), part.unwrap_or_default())
            }
            _ => String::new(),
        };
        let help = self.help.clone().filter(|_| helps);
        Problem::advice(self.span, self.reason.clone()).label(label).maybe_help(help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// The compiler's reasons are words in its text: a new one needs its help here.
    #[test]
    fn every_reason_of_the_compiler_has_its_help() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prolog/src/machine/compile");
        let mut reasons: Vec<String> = Vec::new();
        for entry in fs::read_dir(folder).expect("the compiler is there") {
            let path = entry.expect("a folder lists its files").path();
            let text = fs::read_to_string(path).expect("sources are UTF-8");
            let told = text.split("self.note(").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
            reasons.extend(told.filter_map(|rest| rest.split('"').next()).map(str::to_string));
        }
        reasons.sort();
        reasons.dedup();
        let mut known: Vec<&str> = HELP.iter().map(|(reason, _)| *reason).collect();
        known.sort_unstable();
        assert_eq!(reasons, known, "left the compiler's reasons, right those with help");
    }
}
