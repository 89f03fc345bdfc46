//! Reports what a game lacks, and the predicates that may have been meant.
//!
//! The problems concern a missing predicate, one that nothing calls, and one with another number of
//! arguments. The checks ignore the answers of predicates. Only `check` calls them.

use crate::rules::contract::{Contract, INTERFACE, says_no_moves};
use alphorn_lang::lang::check::calls;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{PredId, Predicate, Program, Replaced, USER};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, first_of};
use alphorn_text::source::{Origin, SourceId, Span};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// If more predicates are idle, each of them is reported.
const MANY: usize = 50;

/// A program with more predicates was probably generated.
const BY_HAND: usize = 1_000;

/// The head of the first clause of a predicate.
pub(super) fn head(program: &Program, id: PredId) -> Span {
    let first = &program.predicate(id).clauses[0];
    first.tree.span(first.head)
}

/// Where to report that a game lacks something: its first position, its moves, or its first clause.
fn place(program: &Program) -> Option<Span> {
    let named = [("initial", 1), ("moves", 2), ("move", 3)];
    let named = named.iter().find_map(|(name, arity)| program.own(name, *arity));
    let first = || {
        let own = program.predicates.iter().filter(|pred| pred.key.scope == USER && !pred.clauses.is_empty());
        own.filter_map(|pred| pred.defined).min()
    };
    named.map(|id| head(program, id)).or_else(first)
}

/// The name and arity of each predicate that the game needs and does not define.
fn wanted(program: &Program, contract: &Contract) -> Vec<(&'static str, usize)> {
    let lacks = [
        (contract.initial.is_none(), &[("initial", 1)][..]),
        (contract.moves.or(contract.labelled).is_none(), &[("moves", 2), ("move", 3)]),
        (contract.max_to_move.or(contract.min_to_move).is_none(), &[("max_to_move", 1)]),
        (
            contract.static_eval.or(contract.outcome).is_none() && !says_no_moves(program, contract, "loss"),
            &[("static_eval", 2)],
        ),
    ];
    lacks.into_iter().filter(|(lacking, _)| *lacking).flat_map(|(_, names)| names.iter().copied()).collect()
}

/// The idle predicates that no other idle predicate calls, except in a cycle.
fn tops(program: &Program, idle: &[PredId]) -> Vec<PredId> {
    if idle.len() > MANY {
        return idle.to_vec();
    }
    let below: Vec<_> = idle.iter().map(|id| calls::reachable(program, &[*id])).collect();
    let hangs = |id: PredId, own: usize| {
        idle.iter().enumerate().any(|(other, by)| *by != id && below[other].contains(&id) && !below[own].contains(by))
    };
    idle.iter().enumerate().filter(|(own, id)| !hangs(**id, *own)).map(|(_, id)| *id).collect()
}

/// The problem of an idle predicate with the name of a game predicate and another arity; `None` if
/// the game has moves in the other form.
fn miscounted(program: &Program, contract: &Contract, id: PredId) -> Option<Problem> {
    let key = program.predicate(id).key;
    let (name, args, _) = INTERFACE.iter().find(|(name, ..)| *name == key.name.text())?;
    let right = program.own(name, args.len());
    let moves = matches!(*name, "move" | "moves") && (contract.moves.is_some() || contract.labelled.is_some());
    if moves && right.is_none() || args.len() == key.arity {
        return None;
    }
    let written = if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) };
    let message = format!("{} is defined, but the game predicate is {name}/{}", program.indicator(id), args.len());
    let mut problem =
        Problem::warning(Code::GamePredicateArity, head(program, id), message).label("no goal calls this predicate");
    if let Some(right) = right {
        problem = problem.also(head(program, right), "Alphorn uses this predicate");
    }
    Some(problem.help(format!("write {written}; if you mean another predicate, call it or remove it")))
}

/// A remark for each overlay that leaves predicates without a caller, which is harmless. Removes
/// those predicates from `idle`.
fn left_idle(program: &Program, idle: &mut Vec<PredId>) -> Vec<String> {
    let mut found: Vec<(&Replaced, Vec<String>)> = Vec::new();
    idle.retain(|id| {
        let key = program.predicate(*id).key;
        let Some(was) = program.replaced.iter().find(|was| was.mentions(key.name) && was.key != key) else {
            return true;
        };
        match found.iter_mut().find(|(other, _)| other.by.source == was.by.source) {
            Some((_, names)) => names.push(program.indicator(*id)),
            None => found.push((was, vec![program.indicator(*id)])),
        }
        false
    });
    let told = |(was, names): &(&Replaced, Vec<String>)| {
        let overlay = &program.sources.get(was.by.source).name;
        let replaced = program.replaced.iter().filter(|other| other.by.source == was.by.source);
        let replaced: Vec<String> = replaced.map(Replaced::indicator).collect();
        format!(
            "the overlay {overlay} replaces {}, and no other clause calls {} now; this is harmless",
            first_of(&replaced, ", "),
            first_of(names, ", ")
        )
    };
    found.iter().map(told).collect()
}

/// The problem of a file that defines predicates of a game, but no opening and no moves: it is an
/// overlay. `None` if the file seems to be meant as a game.
pub(super) fn overlay(program: &Program, contract: &Contract) -> Option<Problem> {
    let Contract { initial, moves, labelled, chance, .. } = contract;
    if initial.or(*moves).or(*labelled).or(*chance).is_some() {
        return None;
    }
    let own = || program.predicates.iter().filter(|pred| pred.key.scope == USER && !pred.clauses.is_empty());
    let begins = ["initial", "moves", "move"];
    // The predicates may be there with a similar name or with other arguments.
    if begins.iter().any(|name| nearest(name, own().map(|pred| pred.key.name.text())).is_some())
        || own().any(|pred| begins.contains(&pred.key.name.text()))
    {
        return None;
    }
    let asked = |pred: &&Arc<Predicate>| {
        INTERFACE.iter().any(|(name, args, _)| pred.key.name.text() == *name && pred.key.arity == args.len())
    };
    let defined: Vec<&Arc<Predicate>> = own().filter(asked).collect();
    let first = defined.first()?;
    let names: Vec<String> =
        defined.iter().map(|pred| format!("{}/{}", pred.key.name.text(), pred.key.arity)).collect();
    let span = first.clauses.first().map(|clause| clause.tree.span(clause.head))?;
    let file = &program.sources.get(span.source).name;
    let message = format!("{file} is not a complete game: it defines {} but not initial/1", first_of(&names, ", "));
    Some(Problem::error(Code::NoInitialPosition, span, message).help(format!(
        "a file that replaces predicates of a game is an overlay; check the two together: \
         alphorn check GAME.pl --with {file}"
    )))
}

/// The predicates that nothing calls and whose name is nearly that of a game predicate that expectations miss. The
/// clauses are wrong then, and not the expectations: their problems are removed.
pub(super) fn misnamed(program: &Program, roots: &[PredId], problems: &mut Vec<Problem>) -> Vec<PredId> {
    let misses = |name: &str, problem: &Problem| {
        let place = problem.labels.first().map(|label| label.0);
        problem.code == Code::UndefinedPredicate && place.is_some_and(|place| program.sources.text(place) == name)
    };
    let mut found = Vec::new();
    if !problems.iter().any(|problem| problem.code == Code::UndefinedPredicate) {
        return found;
    }
    for id in calls::never_called(program, &calls::reachable(program, roots)) {
        let key = program.predicate(id).key;
        let names = INTERFACE.iter().filter(|(_, args, _)| args.len() == key.arity).map(|(name, ..)| *name);
        let Some(name) = nearest(key.name.text(), names) else { continue };
        if program.own(name, key.arity).is_none() && problems.iter().any(|problem| misses(name, problem)) {
            problems.retain(|problem| !misses(name, problem));
            found.push(id);
        }
    }
    found
}

/// The arities of the user's predicates with clauses, by name.
pub(super) type OwnArities = FxHashMap<Atom, Vec<usize>>;

/// Collects the arities of the user's predicates with clauses.
pub(super) fn own_arities(program: &Program) -> OwnArities {
    let mut arities = OwnArities::default();
    for pred in program.predicates.iter().filter(|pred| pred.key.scope == USER && !pred.clauses.is_empty()) {
        arities.entry(pred.key.name).or_default().push(pred.key.arity);
    }
    arities
}

/// The problem of a predicate that nothing calls.
pub(super) fn idle_predicate(program: &Program, contract: &Contract, arities: &OwnArities, id: PredId) -> Problem {
    let name = program.predicate(id).key.name;
    let arity = program.predicate(id).key.arity;
    let own = program.predicates.iter().filter(|pred| pred.key.scope == USER && pred.key.name != name);
    let own = own.filter(|pred| pred.key.arity == arity).map(|pred| pred.key.name.text());
    // Comparing all pairs of names is worth the time only in a program written by hand.
    let own = own.take(if program.predicates.len() > BY_HAND { 0 } else { BY_HAND });
    let near = nearest(name.text(), INTERFACE.iter().map(|(name, ..)| *name)).or_else(|| nearest(name.text(), own));
    let near =
        near.or_else(|| wanted(program, contract).into_iter().find(|(_, args)| *args == arity).map(|(name, _)| name));
    if matches!(name.text(), "+" | "-") {
        let message = format!("this clause defines the predicate `{}`, which no goal calls", name.text());
        let help =
            format!("remove the `{}` before the clause: it is probably left over from a diff or a list", name.text());
        return Problem::warning(Code::UncalledPredicate, head(program, id), message).help(help);
    }
    if let Some(other) = arities.get(&name).and_then(|alike| alike.iter().find(|own| **own != arity)) {
        let message = format!("{} is never called", program.indicator(id));
        let help = format!(
            "{}/{other} is another predicate: correct the number of arguments, or remove or call this predicate",
            name.text()
        );
        return Problem::warning(Code::UncalledPredicate, head(program, id), message).help(help);
    }
    Problem::warning(Code::UncalledPredicate, head(program, id), format!("{} is never called", program.indicator(id)))
        .help(near.map_or_else(
            || {
                "call it where its goal is missing, or remove it; if only people call it, test it with \
                 :- expect(holds(...))."
                    .to_string()
            },
            |near| format!("did you mean {near}? if not, remove the predicate, or call it"),
        ))
}

/// Reports the predicates that every game must define, if they are missing.
pub(super) fn required(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    if contract.initial.is_none() {
        let help = "write initial(Pos). with the start position";
        problems.push(missing(program, Code::NoInitialPosition, "initial/1", &["initial"], help));
    }
    match (contract.moves, contract.labelled) {
        (None, None) if !contract.is_all_chance() => {
            let help = "write moves(Pos, Successors) or move(Pos, Label, Next)";
            problems.push(missing(program, Code::NoMoves, "moves/2 or move/3", &["moves", "move"], help));
        }
        (Some(moves), Some(labelled)) => {
            let message = "moves/2 and move/3 are both defined, but a game may define only one of them";
            problems.push(
                Problem::error(Code::TwoMoveDefinitions, head(program, labelled), message)
                    .also(head(program, moves), "the other predicate is here")
                    .help("keep the predicate that lists the moves; remove the other, or give it another name"),
            );
        }
        _ => {}
    }
    if contract.max_to_move.or(contract.min_to_move).is_none() && !contract.is_all_chance() {
        let (what, wanted) = ("max_to_move/1 or min_to_move/1", ["max_to_move", "min_to_move"]);
        let help = "write max_to_move(Pos) for the positions where MAX is to move";
        problems.push(missing(program, Code::NoPlayerToMove, what, &wanted, help));
    }
    let worth = contract.static_eval.or(contract.outcome);
    if worth.is_none() && !says_no_moves(program, contract, "loss") {
        let help = "so every position is worth 0; write static_eval(Pos, Value) or outcome(Pos, Result)";
        let wanted = ["static_eval", "outcome"];
        problems
            .push(missing(program, Code::NoEvaluation, "static_eval/2 and no outcome/2", &wanted, help).as_warning());
    }
}

/// Reports the predicates that no call from `roots` reaches. Returns remarks about those that an
/// overlay leaves without a caller.
pub(super) fn uncalled(
    program: &Program,
    contract: &Contract,
    roots: &[PredId],
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let idle = calls::never_called(program, &calls::reachable(program, roots));
    let mut tops = tops(program, &idle);
    // Predicates that only these idle predicates call become remarks.
    let notes = left_idle(program, &mut tops);
    let arities = own_arities(program);
    for id in tops {
        let idle = || idle_predicate(program, contract, &arities, id);
        problems.push(miscounted(program, contract, id).unwrap_or_else(idle));
    }
    notes
}

/// The problem of a missing predicate. `wanted` lists the names that it may have.
pub(super) fn missing(program: &Program, code: Code, what: &str, wanted: &[&str], help: &str) -> Problem {
    let own = || program.predicates.iter().filter(|pred| pred.key.scope == USER && !pred.clauses.is_empty());
    let users = (0..program.sources.len() as u16).map(|number| program.sources.get(SourceId(number)));
    let file = users.into_iter().find(|source| source.origin != Origin::Library);
    let file = file.map_or_else(|| "the game".to_string(), |source| source.name.to_string());
    let message = format!("{file} defines no {what}");
    let same = || own().find(|pred| wanted.contains(&pred.key.name.text()));
    let near = || {
        wanted.iter().find_map(|name| {
            let near = nearest(name, own().map(|pred| pred.key.name.text()))?;
            Some((*name, own().find(|pred| pred.key.name.text() == near)?))
        })
    };
    let (span, help) = if let Some(pred) = same() {
        let (name, arity) = (pred.key.name.text(), pred.key.arity);
        (pred.defined, format!("{name}/{arity} is defined, but with another number of arguments; {help}"))
    } else if let Some((name, pred)) = near() {
        (pred.defined, format!("{} is defined: did you mean {name}? {help}", pred.key.name.text()))
    } else {
        (place(program), help.to_string())
    };
    match span {
        Some(span) => Problem::error(code, span, message).help(help),
        None => Problem::placeless(code, message).help(help),
    }
}
