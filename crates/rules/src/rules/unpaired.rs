//! Finds a clause of a helper with a misnamed constant: the calls have another constant instead.
//!
//! The rows of a helper such as `letter(none, '.')` name the values of a cell. If one row has a constant that no
//! call has, and the calls have exactly one constant without a row, the row is wrong. The constant of the row
//! must occur nowhere else. If the rows are facts, the helper must not be meant to fail: `maplist/3` or the like
//! calls it for each element of a list, or a predicate that must answer for every position calls it, such as
//! `show/2`. Nothing is run. Only `misfit` calls this check.

use crate::rules::contract::Contract;
use crate::rules::game_shapes::GameShapes;
use crate::rules::inner::Inners;
use crate::rules::library::library_name;
use crate::rules::mentions::mentions;
use crate::rules::shape::{Form, Shape};
use crate::rules::sites::{Site, Sites};
use crate::rules::taker::Taker;
use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_prolog::term::write::atom_text;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The predicates that call a closure for each element, and fail if it fails.
const MAPS: [&str; 4] = ["maplist", "foldl", "scanl", "map_assoc"];

/// The number of helpers that are followed to a call that must hold.
const FOLLOWED: usize = 3;

/// The greatest number of clauses of a helper that has a clause for each case.
const MOST_CASES: usize = 4;

/// For each argument of a predicate: the places of the constants there, the constants, and what calls give.
type Columns<'a> = BTreeMap<(PredId, usize), Vec<(Span, Atom, &'a Shape)>>;

/// Reports every misnamed constant of a helper.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes) -> Vec<Problem> {
    let mut columns = Columns::new();
    for flow in known.flows.iter().filter(|flow| flow.taker == Taker::Head) {
        let names = constants(&flow.takes);
        if let Some(&[name]) = names.as_deref() {
            columns.entry((flow.pred, flow.place)).or_default().push((flow.span, name, &flow.made));
        }
    }
    let mentioned = OnceCell::new();
    let count = |name: Atom| mentioned.get_or_init(|| mentions(program)).get(&name).copied().unwrap_or_default();
    let found = columns.iter().filter_map(|(column, rows)| Some((column.0, misnamed(program, *column, rows, &count)?)));
    let found: Vec<_> = found.collect();
    if found.is_empty() {
        return Vec::new();
    }
    let inners = Inners::of(program);
    let sites = Sites::of(program, &inners);
    found
        .into_iter()
        .filter(|(pred, _)| is_of_rules(program, *pred) || must_hold(program, contract, &sites, (*pred, FOLLOWED)))
        .map(|(_, problem)| problem)
        .collect()
}

/// Whether a helper has a few clauses with bodies, each for one case. Facts may be a table of more values than occur.
fn is_of_rules(program: &Program, pred: PredId) -> bool {
    let clauses = &program.predicate(pred).clauses;
    clauses.len() <= MOST_CASES && clauses.iter().all(|clause| !matches!(clause.body, Goal::True))
}

/// Whether all calls of a helper must hold: calls for each element of a list, and goals of the predicates that must
/// answer for every position. Other calls may be meant to fail.
fn must_hold(program: &Program, contract: &Contract, sites: &Sites<'_>, (pred, depth): (PredId, usize)) -> bool {
    let answering = [contract.show, contract.shown_move, contract.static_eval, contract.write_position];
    let answers = |site: &Site<'_>| {
        let goals = match &site.clause.body {
            Goal::Conj(goals) => &goals[..],
            goal => std::slice::from_ref(goal),
        };
        let mut own = goals.iter().filter_map(|goal| match goal {
            Goal::Call { callee: Callee::User(called), args, .. } if *called == pred => Some(&args[..]),
            _ => None,
        });
        let clauses = program.predicate(site.caller).clauses.len();
        let must_answer = || {
            // A helper of one clause fails if a goal of it fails.
            answering.contains(&Some(site.caller))
                || depth > 0 && site.caller != pred && must_hold(program, contract, sites, (site.caller, depth - 1))
        };
        clauses == 1 && own.any(|args| std::ptr::eq(args, site.args)) && must_answer()
    };
    let calls = sites.calls(pred);
    let maps = |goal: &Goal| match goal {
        Goal::Call { callee, .. } => MAPS.contains(&library_name(program, callee)),
        _ => false,
    };
    !calls.is_empty() && calls.iter().all(|site| site.closure.map_or_else(|| answers(site), |(goal, _)| maps(goal)))
}

/// The problem of the only misnamed constant in an argument of a helper.
fn misnamed(
    program: &Program,
    (pred, place): (PredId, usize),
    rows: &[(Span, Atom, &Shape)],
    count: &dyn Fn(Atom) -> usize,
) -> Option<Problem> {
    // A clause with a variable takes any term.
    let clauses = &program.predicate(pred).clauses;
    let is_open = |clause: &Clause| matches!(clause.tree.kind(clause.tree.args(clause.head)[place]), TermKind::Var(_));
    if clauses.iter().any(is_open) {
        return None;
    }
    let others = clauses.len() > rows.len();
    let come = names(rows.first()?.2)?;
    let taken = |name: &Atom| rows.iter().any(|(_, own, _)| own == name);
    let mut lacking = come.iter().filter(|name| !taken(name));
    let idle: Vec<_> = rows.iter().filter(|(_, name, _)| !come.contains(name)).collect();
    let mut once = idle.iter().filter(|(_, name, _)| count(*name) == 1);
    let (Some(lacking), None, Some((span, own, _)), None) = (lacking.next(), lacking.next(), once.next(), once.next())
    else {
        return None;
    };
    // With one row and one call, nothing shows which of the two is wrong.
    if !others && idle.len() == 1 && rows.len() == 1 {
        return None;
    }
    let (own, lacking) = (atom_text(*own), atom_text(*lacking));
    let name = program.indicator(pred);
    let message = format!("no call of {name} has {own} here, and no clause has {lacking}");
    let help = format!("calls have {lacking} as argument {}: did you mean {lacking}?", place + 1);
    Some(Problem::warning(Code::GoalNeverSucceeds, *span, message).help(help).edit(*span, lacking))
}

/// The atoms of a shape that may have other known forms.
fn names(shape: &Shape) -> Option<Vec<Atom>> {
    let Shape::Of(forms) = shape else { return None };
    let name = |form: &Form| if let Form::Name(name, _) = form { Some(*name) } else { None };
    (!forms.contains(&Form::Atom)).then(|| forms.iter().filter_map(name).collect())
}

/// The atoms of a shape that has no other form.
fn constants(shape: &Shape) -> Option<Vec<Atom>> {
    let Shape::Of(forms) = shape else { return None };
    let name = |form: &Form| if let Form::Name(name, _) = form { Some(*name) } else { None };
    forms.iter().map(name).collect()
}
