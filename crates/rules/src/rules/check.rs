//! Checks that a game keeps its contract.
//!
//! [`check`] runs all checks that know what a game is, in a fixed order. This file itself reports wrong
//! facts of the interface and goals that write output.

use crate::rules::contract::{Contract, OTHER_PREDICATES, says_no_moves};
use crate::rules::lacking::missing;
use crate::rules::{clauses, fact_columns, fit, forms_beside, lacking, misfit, misspelt, open_keys, order, uneven};
use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::check::calls;
use alphorn_lang::lang::program::{Domain, Goal, PredId, Predicate, Program, USER};
use alphorn_prolog::term::write::atom_text;
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Severity};
use alphorn_text::source::Span;
use rustc_hash::FxHashSet;

/// Checks that the program keeps the contract, and adds problems.
///
/// `called` lists further predicates that count as called. The result contains remarks that are not
/// problems, one line each. Before the checks that follow the rules, which take the most time, `begin` is
/// called, unless there are errors.
pub(super) fn check(
    program: &Program,
    contract: &Contract,
    called: &[PredId],
    begin: &mut dyn FnMut(),
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    if let Some(overlay) = lacking::overlay(program, contract) {
        // The game may define what an overlay calls.
        problems.retain(|problem| problem.code != Code::UndefinedPredicate);
        problems.push(overlay);
        return Vec::new();
    }
    lacking::required(program, contract, problems);
    facts(program, contract, problems);
    clauses::check(program, contract, problems);
    fit::check(program, contract, problems);
    let mut roots: Vec<PredId> = contract.questions().into_iter().map(|(pred, _)| pred).collect();
    roots.extend(called);
    roots.extend(OTHER_PREDICATES.iter().filter_map(|(name, arity)| program.own(name, *arity)));
    for (id, name, span) in calls::writers(program, &calls::reachable(program, &roots)) {
        problems.push(
            Problem::error(
                Code::OutputInRules,
                span,
                format!("the goal {name} writes output, and the rules of a game must not"),
            )
            .label(format!("in {}", program.indicator(id)))
            .help("remove the goal; draw a position with show(Pos, Lines), build a text with format(atom(A), ...)"),
        );
    }
    if problems.iter().all(|problem| problem.level != Severity::Error) {
        begin();
    }
    misfit::check(program, contract, problems);
    misspelt::check(program, contract, problems);
    remove_consequences(program, problems);
    uneven::check(program, contract, problems);
    forms_beside::check(program, contract, problems);
    fact_columns::check(program, problems);
    order::check(program, contract, problems);
    open_keys::check(program, problems);
    roots.extend(claimed(program));
    roots.extend(in_parameters(program));
    let misnamed = lacking::misnamed(program, &roots, problems);
    // The name of an undefined call may be a misspelt name of an idle predicate.
    if problems.iter().any(|problem| problem.code.text().starts_with("A02")) {
        let arities = lacking::own_arities(program);
        problems.extend(misnamed.into_iter().map(|id| lacking::idle_predicate(program, contract, &arities, id)));
        return Vec::new();
    }
    lacking::uncalled(program, contract, &roots, problems)
}

/// Removes problems of expectations that differ from the rules only because a name of the rules is misspelt.
fn remove_consequences(program: &Program, problems: &mut Vec<Problem>) {
    let misspelt = problems.iter().filter(|problem| problem.code == Code::MisspeltAtom && !problem.is_about_claim);
    let places: FxHashSet<Span> = misspelt.filter_map(|problem| Some(problem.labels.first()?.0)).collect();
    let cited = places.iter().map(|place| {
        let (file, line) = (&program.sources.get(place.source).name, program.sources.line_column(*place).0);
        format!("the right term is made in {file}:{line}\n")
    });
    let cited: Vec<String> = cited.collect();
    let follows = |problem: &Problem| {
        let help = problem.help.as_deref().unwrap_or_default();
        problem.labels.iter().skip(1).any(|(span, _)| places.contains(span))
            || cited.iter().any(|cited| help.contains(cited))
    };
    problems.retain(|problem| !problem.is_about_claim || !follows(problem));
}

/// The user's predicates whose names occur in expectations.
fn claimed(program: &Program) -> Vec<PredId> {
    let all = calls::by_name(program);
    let mut names = FxHashSet::default();
    let mut found = Vec::new();
    for tree in program.expectations.iter().map(|expectation| &expectation.tree) {
        for (name, arity) in tree.nodes().filter_map(|(node, _)| tree.functor(node)) {
            if names.insert((name, arity)) {
                let mentioned = all.get(&name).into_iter().flatten().copied();
                // A closure gets more arguments.
                let is_meant = |id: &PredId| {
                    let key = program.predicate(*id).key;
                    key.scope == USER && key.arity >= arity
                };
                found.extend(mentioned.filter(is_meant));
            }
        }
    }
    found
}

/// The user's predicates whose names a parameter may have as its value. Rules may call the value of a parameter.
fn in_parameters(program: &Program) -> Vec<PredId> {
    let names = program.params.iter().flat_map(|param| match &param.domain {
        Domain::OneOf(values) => values.iter().chain([&param.value]).cloned().collect(),
        Domain::Range(..) => Vec::new(),
    });
    let names: FxHashSet<String> = names.collect();
    let is_named = |pred: &Predicate| {
        pred.key.scope == USER
            && [pred.key.name.text(), &*atom_text(pred.key.name)].iter().any(|name| names.contains(*name))
    };
    let named = (0..).map(PredId).zip(&program.predicates).filter(|(_, pred)| is_named(pred));
    named.map(|(id, _)| id).collect()
}

/// Checks facts whose argument must be one of a few words.
fn facts(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let known: [(Option<PredId>, &[&str]); 3] = [
        (contract.no_moves, &["loss", "draw", "pass", "eval"]),
        (contract.repetition, &["draw"]),
        (contract.advice_for, &["max", "min", "both"]),
    ];
    for (pred, words) in known {
        let Some(id) = pred else { continue };
        let clauses = &program.predicate(id).clauses;
        // A clause with a body may apply to some values of a parameter only.
        if let [first, second, ..] = &clauses[..]
            && matches!(first.body, Goal::True)
        {
            problems.push(
                Problem::error(
                    Code::InvalidDeclaration,
                    second.tree.span(second.head),
                    format!("{} is declared twice", program.indicator(id)),
                )
                .also(first.tree.span(first.head), "Alphorn uses this fact")
                .help("remove one of the two"),
            );
        }
        for clause in clauses {
            let arg = clause.tree.args(clause.head)[0];
            let fine = matches!(clause.tree.kind(arg), TermKind::Atom(name) if words.contains(&name.text()));
            if !fine {
                problems.push(
                    Problem::error(
                        Code::InvalidDeclaration,
                        clause.tree.span(arg),
                        format!("invalid argument of {}", program.indicator(id)),
                    )
                    .help(match words {
                        [only] => format!("write {}({only})", program.predicate(id).key.name.text()),
                        _ => format!("write one of {}", words.join(", ")),
                    }),
                );
            }
        }
    }
    if says_no_moves(program, contract, "pass") && contract.pass.is_none() {
        problems.push(missing(
            program,
            Code::InvalidDeclaration,
            "pass/2, which no_moves(pass) needs",
            &["pass"],
            "write pass(Pos, Next)",
        ));
    }
}
