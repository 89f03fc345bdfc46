//! Compiles the questions of a game, and lists what the compiler could not specialise.
//!
//! A [`CompiledGame`] contains the intermediate form as text. It has a [`CostNote`] for each place
//! that keeps the rules slow, with help for the author. Nothing is measured here: such a place may
//! hardly ever run. [`CompiledGame::weigh`] adds measured shares.

use crate::rules::Rules;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_prolog::machine::engine::listing::{Listing, SpecialisationNote, listing};
use alphorn_text::report::Problem;
use alphorn_text::source::{Origin, Span};
use rustc_hash::FxHashMap;

/// The compiled form of a game.
#[derive(Clone, Debug)]
pub struct CompiledGame {
    /// The procedures as text; empty if the reference solver runs the game.
    pub code: String,
    /// The places that could not be specialised: the user's, then the library's, in the order of
    /// the texts.
    pub costs: Vec<CostNote>,
    /// Whether the reference solver runs the whole program.
    pub by_reference: bool,
}

/// A place that the compiler could not specialise.
#[derive(Clone, Debug, PartialEq)]
pub struct CostNote {
    /// The predicate, such as `place/3`; `None` for the whole program.
    pub rule: Option<String>,
    /// The modes of the calls to which the note applies, such as `+, -`.
    pub modes: Vec<String>,
    /// The goal or head; `None` for the whole program.
    pub span: Option<Span>,
    /// Whether the place is in the library, where the user cannot change it.
    pub library: bool,
    /// The reason.
    pub reason: String,
    /// What the author of the rules can do.
    pub help: Option<String>,
    /// The share of the steps of a search that the predicate takes, between 0 and 1, if it was
    /// measured.
    pub share: Option<f64>,
}

/// Help for each reason that the compiler gives.
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
        "a call may need its own table",
        "the clauses then run again until there are no new answers; if the predicate finds what is connected, closure/3 \
         is faster",
    ),
    (
        "a builtin is given unbound variables",
        "bind the variables of its arguments before this goal, or pass a new variable and take its value apart \
         after",
    ),
];

/// The help for a reason.
fn help(reason: &str) -> Option<String> {
    HELP.iter().find(|(known, _)| *known == reason).map(|(_, help)| (*help).to_string())
}

/// Compiles every question about the game. The rules must be loaded without errors.
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

/// The compiled procedures of predicates, as text: one for each mode of the game's calls, or one
/// for any arguments. Empty if the reference solver runs the program.
pub fn procedures(rules: &Rules, wanted: &[PredId]) -> Vec<(PredId, String)> {
    let found = listing(&rules.program, &rules.runs, &asked(rules), wanted);
    if found.too_large { Vec::new() } else { found.procedures }
}

/// The questions of a game, with a flag for every argument: whether it is given.
fn asked(rules: &Rules) -> Vec<(PredId, Vec<bool>)> {
    let given = |args: &str| args.chars().map(|arg| arg == '+').collect();
    rules.contract.questions().into_iter().map(|(pred, args)| (pred, given(args))).collect()
}

/// Turns notes of the compiler into costs: one for each place, with all its modes.
fn costs(program: &Program, notes: &[SpecialisationNote]) -> Vec<CostNote> {
    let mut found: Vec<CostNote> = Vec::new();
    let mut numbers: FxHashMap<(PredId, Span, &str), usize> = FxHashMap::default();
    for SpecialisationNote { span, pred, modes, why } in notes {
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
    /// Sets the share of the steps that each predicate takes, and sorts the greatest share first.
    /// Builtins take no steps, so predicates that no search calls come last. `load` gives the share and
    /// the number of calls.
    pub fn weigh(&mut self, load: impl Fn(&str) -> (f64, u64)) {
        let weigh = |mut cost: CostNote| {
            let (share, calls) = cost.rule.as_deref().map(&load).unzip();
            cost.share = share;
            (cost, calls.is_some_and(|calls| calls > 0))
        };
        let mut weighed: Vec<(CostNote, bool)> = self.costs.drain(..).map(weigh).collect();
        let weight = |cost: &CostNote| cost.share.unwrap_or(0.0);
        weighed.sort_by(|(left, left_runs), (right, right_runs)| {
            let by_share = weight(right).total_cmp(&weight(left));
            left.library.cmp(&right.library).then(by_share).then(right_runs.cmp(left_runs))
        });
        self.costs.extend(weighed.into_iter().map(|(cost, _)| cost));
    }

    /// The number of the user's places that are slow for a reason of their own.
    pub fn places(&self) -> usize {
        self.costs.iter().filter(|cost| !cost.library && !cost.follows()).count()
    }

    /// The number of the user's predicates that are general only because of their callers.
    pub fn followers(&self) -> usize {
        rules(self.costs.iter().filter(|cost| !cost.library && cost.follows())).len()
    }

    /// The costs as problems: one for each place, with help at the first place of each reason.
    /// Further problems list predicates that are general only because of their callers, and library
    /// predicates.
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

/// The predicates of some costs, each once with its modes.
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

/// The most ways of calling a predicate that a message lists, and the most characters of one.
const MOST_MODES: usize = 3;
const LONGEST_MODES: usize = 60;

/// Modes as text, such as `(+, -) (?, -)`. Of many the first are told, and of long ones the beginning.
fn called<S: AsRef<str>>(modes: &[S]) -> String {
    let cut = |modes: &str| match modes.char_indices().nth(LONGEST_MODES) {
        Some((at, _)) => format!("({}...)", &modes[..at]),
        None => format!("({modes})"),
    };
    let shown: Vec<String> = modes.iter().take(MOST_MODES).map(|modes| cut(modes.as_ref())).collect();
    match modes.len().saturating_sub(MOST_MODES) {
        0 => shown.join(" "),
        more => format!("{} and {more} more", shown.join(" ")),
    }
}

impl CostNote {
    /// Whether the cost exists only because a caller gives unbound variables. The caller's goal has
    /// a cost of its own and is the place to change.
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

    /// Every reason in the text of the compiler needs its help here.
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
