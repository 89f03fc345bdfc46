//! Tests that library predicates which exist in SWI-Prolog too give its answers, in its order, with its
//! errors.
//!
//! The input is `tests/data/library.tsv`, in each row a goal and the answers of SWI-Prolog 9.0.4, written by
//! `tests/data/library_oracle.pl`, and `tests/data/modules.tsv`, goals with modules for
//! `tests/data/modules.pl`, and `tests/data/private/private.tsv`, for `game.pl` beside it. If Alphorn differs on
//! purpose, the row also has Alphorn's answers and the reason.
//! `tests/solvers.rs` runs these goals with both solvers. `tests/data/conformance.md` describes how outcomes
//! are written.

use alphorn::builtins;
use alphorn::lang::ProgramOptions;
use alphorn::lang::autoload::exported;
use alphorn::reason::explain::Detail;
use alphorn::reason::proof::Extent;
use alphorn::report::Problem;
use alphorn::rules::{self, Expected};
use alphorn::session::query::QueryOptions;
use alphorn::session::reason::ProofOptions;
use alphorn::session::{Budgets, Failure, Session};
use alphorn::source::{Origin, Source, SourceId};
use std::sync::Arc;

const MOST: usize = 6;

/// The goals of the table, and the answers expected from Alphorn.
fn rows() -> Vec<(&'static str, &'static str)> {
    table(include_str!("../data/library.tsv"))
}

fn table(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert!(cells.len() == 2 || cells.len() == 4, "{line}: an answer of our own needs its reason");
        (cells[0], cells.get(2).copied().unwrap_or(cells[1]))
    };
    text.lines().map(row).collect()
}

fn opened(text: &str, expected: Expected) -> Session {
    open(Source { origin: Origin::Typed, ..Source::typed("rules.pl", text) }, expected)
}

fn open(source: Source, expected: Expected) -> Session {
    let text = source.text.clone();
    let budgets = Budgets::new(Some(2_000_000), Some(64 << 20));
    match Session::open(&[source], &[], &ProgramOptions::default(), expected, budgets, Arc::default()) {
        Ok(session) => session,
        Err(Failure::Text(report)) => panic!("{text}\n{:?}", report.problems),
        Err(failure) => panic!("{text}\n{failure:?}"),
    }
}

/// The answers of a goal, as the table writes them.
fn outcome(session: &Session, goal: &str) -> String {
    const THROWN: [&str; 2] = ["my_", "assertion_failed"];
    let asking = QueryOptions { limit: MOST, canonical: true, keep: true };
    let answers = match session.query(goal, asking, None, &mut |_, _, _| true) {
        Ok(answers) => answers,
        Err(failure) => return format!("{failure:?}"),
    };
    let answer = |answer: &Vec<(String, String)>| match answer.is_empty() {
        true => "yes".to_string(),
        false => answer.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", "),
    };
    let mut parts: Vec<String> = answers.answers.iter().map(answer).collect();
    match &answers.error {
        Some(error) if THROWN.iter().any(|name| error.term.starts_with(name)) => {
            parts.push(format!("throw {}", error.term));
        }
        Some(error) => parts.push(format!("error {}", error.term)),
        None if !answers.complete => parts.push("...".to_string()),
        None => {}
    }
    if parts.is_empty() { "no".to_string() } else { parts.join(" ; ") }
}

#[test]
fn library_predicates_answer_as_swi_prolog_does() {
    let rows = rows();
    assert!(rows.len() > 300, "only {} rows were read", rows.len());
    assert_rows(&opened("", Expected::Program), &rows);
}

/// Regression test: a goal with a module that was constructed at run time called the program's own predicate.
#[test]
fn goals_in_modules_mean_what_they_mean_in_swi_prolog() {
    let rows = table(include_str!("../data/modules.tsv"));
    assert!(rows.len() > 50, "only {} rows were read", rows.len());
    assert_rows(&opened(include_str!("../data/modules.pl"), Expected::Program), &rows);
}

/// Regression test: a private predicate of a module, passed as a term, was replaced by a predicate of the game.
#[test]
fn private_predicates_that_are_passed_mean_what_they_mean_in_swi_prolog() {
    let rows = table(include_str!("../data/private/private.tsv"));
    assert!(rows.len() > 10, "only {} rows were read", rows.len());
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/private/game.pl");
    assert_rows(&open(Source::read(file).expect("the file can be read"), Expected::Program), &rows);
}

fn assert_rows(session: &Session, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(goal, expected)| (goal, expected, outcome(session, goal)))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(goal, expected, found)| format!("{goal}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// Each goal has a proof, or a reason for its failure, or throws.
#[test]
fn library_predicates_can_be_explained() {
    let session = opened("", Expected::Program);
    let detail = || Detail { depth: 200, text: 160, clauses: 5 };
    let (mut wrong, mut proved, mut failed) = (Vec::new(), 0, 0);
    for (goal, expected) in rows() {
        let done = match expected {
            "no" => {
                failed += 1;
                session.why_not(goal, detail(), None).map(|_| ())
            }
            _ if expected.starts_with("error") || expected.starts_with("throw") => continue,
            _ => {
                proved += 1;
                let extent = Extent { depth: 50, goals: 1_000, text: 160 };
                session.why(goal, ProofOptions { answer: 1, extent, library: false }, None).map(|_| ())
            }
        };
        if let Err(failure) = done {
            wrong.push(format!("{goal}: {failure:?}"));
        }
    }
    assert!(proved > 150 && failed > 40, "{proved} were proved and {failed} failed");
    assert!(wrong.is_empty(), "{} goals:\n{}", wrong.len(), wrong.join("\n"));
}

/// A tree stays balanced after any number of changes, and contains what was inserted.
#[test]
fn association_lists_stay_balanced() {
    let session = opened(
        "put(K, A0, A) :- put_assoc(K, A0, K, A), is_assoc(A).\n\
         del(K, A0, A) :- ( del_assoc(K, A0, K, A) -> true ; A = A0 ), is_assoc(A).\n\
         next(S0, S) :- S is (S0 * 1103515245 + 12345) mod 2147483648.\n\
         seeds(0, _, []) :- !.\n\
         seeds(N, S0, [K|Ks]) :- next(S0, S), K is (S >> 8) mod 97, M is N - 1, seeds(M, S, Ks).\n\
         same(S) :- seeds(150, S, Ins), S1 is S + 1, seeds(100, S1, Outs),\n\
         \x20   foldl(put, Ins, t, A), foldl(del, Outs, A, B), assoc_to_keys(B, Keys),\n\
         \x20   sort(Ins, I), sort(Outs, O), ord_subtract(I, O, Keys).\n",
        Expected::Program,
    );
    for seed in 1..=40 {
        assert_eq!(outcome(&session, &format!("same({seed})")), "yes", "seed {seed}");
    }
}

/// A program may define predicates with the names of rarer library predicates, as in other systems.
#[test]
fn own_definitions_win_without_a_warning() {
    let text = include_str!("../right/own_library_names.pl");
    let source = Source { origin: Origin::Typed, ..Source::typed("own_library_names.pl", text) };
    let report = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Either).report;
    let messages: Vec<&String> = report.problems.iter().map(|problem| &problem.message).collect();
    assert!(messages.is_empty(), "{messages:?}");
    for expected in [Expected::Program, Expected::Game] {
        let session = opened(text, expected);
        assert_eq!(outcome(&session, "subset(X, own)"), "X = mine", "the program's subset/2");
        assert_eq!(outcome(&session, "lists:subset([a], [a])"), "yes", "the library's, by its module");
        assert_eq!(outcome(&session, "among(X)"), "X = a", "the library's, by its module in the text");
        assert_eq!(outcome(&session, "lists:append([a], [b], X)"), "X = [a,b]");
        assert_eq!(outcome(&session, "user:subset(X, own)"), "X = mine");
        assert_eq!(outcome(&session, "uses_library(X)"), "X = [-(2,a),-(1,b)]");
        assert_eq!(outcome(&session, "denied(X)"), "X = own_not", "the program's not/1");
    }
}

/// Regression test: a goal of a library without the predicate silently called the program's own predicate.
#[test]
fn a_library_has_its_own_predicates_only() {
    let session = opened("mine(a).\n", Expected::Program);
    for goal in [
        "lists:mine(X)",
        "lists:(member(X, [a]), mine(X))",
        "call(lists:mine, X)",
        "maplist(lists:mine, [X])",
        "G = lists:mine(X), call(G)",
    ] {
        let said = outcome(&session, goal);
        assert!(said.contains("existence_error") && said.contains("lists:mine"), "{goal}: {said}");
    }
    assert_eq!(outcome(&session, "user:mine(X)"), "X = a");
    for clause in
        ["p(X) :- lists:mine(X).", "p(X) :- maplist(lists:mine, X).", "p(X) :- lists:(member(X, [1]), mine(X))."]
    {
        let source = Source { origin: Origin::Typed, ..Source::typed("mine.pl", &format!("mine(a).\n{clause}\n")) };
        let report = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Either).report;
        let found = report.problems.iter().find(|problem| problem.code == "A0201");
        assert!(found.is_some_and(|problem| problem.message == "library lists has no mine/1"), "{clause}: {found:?}");
    }
}

/// Regression test: a file whose module has the name of a library could not be loaded by name.
#[test]
fn a_module_may_have_the_name_of_a_library() {
    for name in ["basics", "error", "debug", "system", "lists"] {
        let session = opened(&format!(":- module({name}, [mine/1]).\nmine(a).\n"), Expected::Program);
        assert_eq!(outcome(&session, &format!("{name}:mine(X)")), "X = a", "{name}");
        assert_eq!(outcome(&session, &format!("{name}:append(X, [b], [b])")), "X = []", "{name}");
    }
}

/// A game loads no part of the library whose predicates it does not name.
#[test]
fn a_part_is_loaded_only_where_it_is_named() {
    let parts = |text: &str| -> Vec<String> {
        let source = Source { origin: Origin::Typed, ..Source::typed("rules.pl", text) };
        let rules = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Game);
        rules.program.scopes.iter().for_each(|home| assert!(!home.name.is_empty()));
        let names = (0..rules.program.sources.len())
            .map(|number| rules.program.sources.get(alphorn::source::SourceId(number as u16)).name.to_string());
        names.filter(|name| name.starts_with("lib/")).collect()
    };
    assert_eq!(parts("a(X) :- append(X, [b], [a, b])."), ["lib/prelude.pl"]);
    assert_eq!(parts("subset(a, b). c :- subset(a, b)."), ["lib/prelude.pl"], "its own");
    let both = ["lib/prelude.pl", "lib/shapes.pl", "lib/select.pl", "lib/lists.pl", "lib/system.pl"];
    assert_eq!(parts("subset(a, b). c :- lists:(true, subset([a], [b]))."), both, "its own and the library's");
    assert_eq!(parts("subset(a, b). c(M) :- G = M:subset([a], [b]), call(G)."), both, "perhaps the library's");
    let assoc = ["lib/prelude.pl", "lib/shapes.pl", "lib/pairs.pl", "lib/assoc.pl"];
    assert_eq!(parts("a(X) :- empty_assoc(X)."), assoc, "what a needed part needs");
    let both = ["lib/prelude.pl", "lib/shapes.pl", "lib/select.pl", "lib/maplist.pl", "lib/lists.pl"];
    assert_eq!(parts("a(X) :- maplist(subset([a]), X)."), both, "a closure");
    let ordsets = ["lib/prelude.pl", "lib/elements.pl", "lib/ordsets.pl"];
    assert_eq!(parts(":- expect(holds(ord_empty([])))."), ordsets);
    let sums = ["lib/prelude.pl", "lib/sums.pl"];
    assert_eq!(parts(":- param(by, max_list, [max_list, min_list], \"closure\")."), sums, "a closure as a parameter");
    assert_eq!(parts("a(G) :- atom_concat(max_, list, G)."), ["lib/prelude.pl"], "nothing calls a variable");
    let old = parts("a(X, Y) :- concat_atom([la, st], G), G = H, call(H, X, Y).");
    let all = parts("a(X, Y) :- atom_concat(max_, list, G), call(G, X, Y).");
    assert_eq!(old, all);
    let calling =
        ["findall(X, (b(X), G), _)", "maplist(G, [[1]], X)", "foldl(G, X, [1], _)", "apply(G, [X])", "lists:G"];
    let calling = calling.into_iter().chain(["G", "\\+ G", "maplist([A]>>G, X)", "setof(X, A^G, _)", "phrase(G, X)"]);
    for goal in calling {
        assert_eq!(parts(&format!("a(X) :- atom_concat(max_, list, G), {goal}.")), all, "{goal}");
    }
    assert!(all.contains(&"lib/closure.pl".to_string()), "a name made of texts may be any: {all:?}");
    let sequences = parts("a(L) :- group_by(X, Y, member(X-Y, [a-1]), L).");
    let wanted = ["lib/prelude.pl", "lib/shapes.pl", "lib/select.pl", "lib/lists.pl", "lib/solution_sequences.pl"];
    assert_eq!(sequences, wanted, "what a part needs");
    assert_eq!(parts("a(X) :- nth1(1, [b], X)."), ["lib/prelude.pl", "lib/nth.pl"]);
    let counts = ["lib/prelude.pl", "lib/sums.pl", "lib/aggregate_all.pl"];
    assert_eq!(parts("a(N) :- ( \\+ b(N) ; aggregate_all(count, b(_), N) )."), counts, "a goal lacks no argument");
    let all = parts("a(G) :- G = aggregate_all(count, b), b(N).");
    assert!(all.contains(&"lib/aggregate.pl".to_string()), "a closure may lack one: {all:?}");
}

/// Wherever a predicate takes a goal, a variable there may stand for any predicate, if clauses make atoms.
#[test]
fn a_made_name_may_be_called_by_every_predicate_that_takes_goals() {
    let source = |text: &str| Source::typed("rules.pl", text);
    let loaded = |text: &str| rules::load(&[source(text)], &[], &ProgramOptions::default(), Expected::Program);
    let count = |text: &str| {
        let program = loaded(text).program.clone();
        (0..program.sources.len())
            .filter(|at| program.sources.get(SourceId(*at as u16)).name.starts_with("lib/"))
            .count()
    };
    let mut taking: Vec<(String, String)> = Vec::new();
    for part in builtins::PARTS {
        for (name, arity) in exported(part.text) {
            let program =
                loaded(&format!("a :- b('{name}'({})).\nb(_).\n", vec!["_"; arity].join(", "))).program.clone();
            let preds =
                program.predicates.iter().filter(|pred| pred.key.name.text() == name && pred.key.arity == arity);
            taking.extend(preds.map(|pred| (name.to_string(), pred.meta.to_string())));
        }
    }
    let natives = loaded("a.\n").program.known.clone();
    taking.extend(natives.rows().map(|row| (row.name.to_string(), row.meta.to_string())));
    taking.retain(|(_, modes)| modes.chars().any(|mode| mode != '?'));
    assert!(taking.len() > 60, "{}", taking.len());
    for (name, modes) in taking {
        for (at, _) in modes.chars().enumerate().filter(|(_, mode)| *mode != '?') {
            let args: Vec<&str> = (0..modes.chars().count()).map(|place| if place == at { "G" } else { "x" }).collect();
            let text = format!("a :- atom_concat(ab, c, G), '{name}'({}).\n", args.join(", "));
            assert_eq!(count(&text), builtins::PARTS.len() + 1, "{text}");
        }
    }
}

/// A part names in `needs` all parts whose predicates it calls. Typed goals would not show that, because they load the
/// whole library.
#[test]
fn a_part_loads_what_it_calls() {
    for part in builtins::PARTS {
        for (name, arity) in exported(part.text) {
            let goal = format!("'{name}'({})", vec!["_"; arity].join(", "));
            let goals = [goal.replace("()", ""), format!("b('{name}')")];
            for goal in goals {
                let source = Source::typed("rules.pl", &format!("a :- {goal}.\nb(_).\n"));
                let rules = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Program);
                let of_library = |problem: &&Problem| problem.labels.iter().any(|(span, _)| span.source != SourceId(1));
                let found: Vec<_> = rules.report.problems.iter().filter(of_library).map(|p| &p.message).collect();
                assert!(found.is_empty(), "{goal}: {found:?}");
            }
        }
    }
}

/// `use_module` accepts libraries of other systems if Alphorn has all their pure predicates.
#[test]
fn libraries_of_other_systems_are_accepted() {
    let names = [
        "lists",
        "apply",
        "pairs",
        "ordsets",
        "assoc",
        "aggregate",
        "strings",
        "solution_sequences",
        "error",
        "yall",
        "option",
        "dcg/basics",
        "backcomp",
    ];
    let head: String = names.iter().map(|name| format!(":- use_module(library({name})).\n")).collect();
    let text = format!("{head}line(N, W) --> whites, integer(N), blanks, string_without(`;`, W), eos.\n");
    let session = opened(&text, Expected::Program);
    assert_eq!(outcome(&session, "phrase(line(N, _W), `  -12 ab`), atom_codes(A, _W)"), "N = -12, A = ab");
    assert_eq!(outcome(&session, "phrase(line(N, _), `x`)"), "no");
}

/// A call of a predicate with side effects gives a diagnostic that says what to do instead.
#[test]
fn predicates_with_effects_are_told_as_such() {
    let goals = [
        "sleep(1)",
        "assertz(a)",
        "read(X)",
        "open(a, read, S)",
        "random(X)",
        "random_member(X, [a])",
        "get_time(T)",
        "halt",
        "shell(ls)",
        "print_message(error, a)",
        "nb_setval(a, 1)",
        "setarg(1, f(a), b)",
        "freeze(X, true)",
        "thread_create(true, T)",
        "current_prolog_flag(a, X)",
        "clause(a, B)",
        "portray_clause(a)",
        "gensym(a, X)",
    ];
    for goal in goals {
        let source = Source { origin: Origin::Typed, ..Source::typed("rules.pl", &format!("a :- {goal}.\n")) };
        let report = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Program).report;
        let told = report.problems.iter().find(|problem| problem.code == "A0203");
        let help = told.and_then(|problem| problem.help.clone()).unwrap_or_default();
        assert!(told.is_some(), "{goal}: {:?}", report.problems);
        assert!(!help.is_empty() && !help.contains("define it"), "{goal}: {help}");
    }
}

/// The help suggests the nearest name of the library, even if its part is not loaded.
#[test]
fn misspelt_names_of_the_library_are_told() {
    let help = |text: &str, expected: Expected| -> String {
        let source = Source { origin: Origin::Typed, ..Source::typed("rules.pl", text) };
        let report = rules::load(&[source], &[], &ProgramOptions::default(), expected).report;
        let told = report.problems.iter().find(|problem| problem.code.text().starts_with("A020"));
        told.and_then(|problem| problem.help.clone()).unwrap_or_default()
    };
    for expected in [Expected::Game, Expected::Program] {
        assert_eq!(help("a(X) :- list_to_asoc([], X).", expected), "did you mean list_to_assoc/2?");
        assert_eq!(help("a(X) :- subset(X).", expected), "subset/2 is defined");
        assert_eq!(help("a(X) :- subst(X).", expected), "did you mean subset/2?");
        let told = help("a(X) :- nolib:append(X, [], []).", expected);
        let wanted = "call a predicate by its name alone: write append(X, [], [])\nthe modules are user, lists, apply,";
        assert!(told.starts_with(wanted), "{told}");
    }
}

/// Regression test: the help of rest/2 suggested best/3, and that of subst/4 subset/2.
#[test]
fn a_name_with_other_arguments_is_no_suggestion() {
    for (text, wanted) in [
        ("initial(0). max_to_move(_). move(A, b, B) :- rest(A, B). best(_, _, _).", "define it: rest(_, _) :- ..."),
        ("initial(0). max_to_move(_). move(A, b, B) :- rst(A, B). rest(_, _, _).", "did you mean rest/3?"),
        ("initial(0). max_to_move(_). move(A, b, B) :- rest(A, B). best(_, _).", "did you mean best/2?"),
        ("a(X) :- subst(X, X, X, X).", "define it: subst(_, _, _, _) :- ..."),
    ] {
        let source = Source { origin: Origin::Typed, ..Source::typed("rules.pl", text) };
        let report = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Either).report;
        let told = report.problems.iter().find(|problem| problem.code == "A0201");
        assert_eq!(told.and_then(|problem| problem.help.as_deref()), Some(wanted), "{text}: {:?}", report.problems);
    }
}

/// Regression test: the help suggested to define a goal of a module that does not exist, and to look at the
/// arguments of `throw/1`. A list longer than the memory caused a panic.
#[test]
fn a_goal_that_went_wrong_says_what_to_write() {
    let session = opened("q.\n", Expected::Program);
    let told = |goal: &str| match session.query(
        goal,
        QueryOptions { limit: 1, canonical: true, keep: true },
        None,
        &mut |_, _, _| true,
    ) {
        Ok(answers) => {
            let problem = answers.error.unwrap_or_else(|| panic!("{goal} has an answer")).problem;
            format!("{} {}", problem.message, problem.help.unwrap_or_default())
        }
        Err(failure) => panic!("{goal}: {failure:?}"),
    };
    let unknown = told("nosuch:goal(1)");
    assert!(
        unknown.contains("there is no module nosuch: write goal(1)") && unknown.contains("user, lists,"),
        "{unknown}"
    );
    let part = told("subset(X, [a])");
    assert!(part.starts_with("no clause of subset matches the arguments of subset(_1,[a]) "), "{part}");
    assert!(part.contains("expected a proper list") && !part.contains("throw"), "{part}");
    assert!(told("X is 1 << 100, length(_, X)").contains("needs more than"));
}
