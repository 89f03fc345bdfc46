//! Reports goals whose predicate is not defined, and suggests what was meant.

use crate::lang::ast::{NodeId, TermKind};
use crate::lang::dcg;
use crate::lang::effects;
use crate::lang::foreign;
use crate::lang::goal::{MAX_GOAL_NESTING, Resolver, each_goal, qualified};
use crate::lang::heads;
use crate::lang::modules::Module;
use crate::lang::near::{is_short_slip, is_worthwhile, nearest};
use crate::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program, Scope, USER, added_arguments};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::signature::PredicateClass;
use alphorn_text::source::{Origin, Sources, Span};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Reports the terms that a resolver could not resolve, except names whose own clause is unreadable.
pub fn report(
    resolver: &Resolver<'_>,
    broken: &FxHashSet<Atom>,
    extras: bool,
    names: &VisibleNames,
    problems: &mut Vec<Problem>,
) {
    let tree = resolver.tree;
    // Searching the whole clause for each of many bad goals would take too long.
    let few = resolver.bad.len() < 50;
    for at in &resolver.bad {
        let help =
            thousands(resolver, *at).or_else(|| few.then(|| one_of(resolver, *at)).flatten()).unwrap_or_else(|| {
                "a goal is a predicate's name with its arguments, or a variable that is bound to one".to_string()
            });
        problems.push(Problem::error(Code::InvalidGoal, tree.span(*at), "this is not a goal").help(help));
    }
    if let Some(at) = resolver.too_deep {
        problems.push(
            Problem::error(
                Code::NestedTooDeep,
                tree.span(at),
                format!("goals are nested more than {MAX_GOAL_NESTING} deep"),
            )
            .help("give the inner goals a predicate of their own"),
        );
    }
    for (at, name, arity) in &resolver.unknown {
        if !broken.contains(name) {
            let names = names.seen_by(resolver.program, resolver.scope);
            let ask = UndefinedContext { extras, names: &names, before: problems.len() };
            problems.push(unknown(resolver, *at, *name, *arity, &ask));
        }
    }
}

/// The names that goals may call, each with its arities.
type Visible = FxHashMap<Atom, Vec<usize>>;

/// The names visible in each scope, collected at the first undefined goal.
#[derive(Default)]
pub struct VisibleNames(RefCell<FxHashMap<Scope, Rc<Visible>>>);

impl VisibleNames {
    fn seen_by(&self, program: &Program, scope: Scope) -> Rc<Visible> {
        let gathered = || {
            let mut names = Visible::default();
            for (name, arity) in visible(program, scope) {
                let arities = names.entry(name).or_default();
                if !arities.contains(&arity) {
                    arities.push(arity);
                }
            }
            names.values_mut().for_each(|arities| arities.sort_unstable());
            Rc::new(names)
        };
        self.0.borrow_mut().entry(scope).or_insert_with(gathered).clone()
    }
}

/// The context in which an undefined goal is reported.
struct UndefinedContext<'a> {
    /// Whether `library(alphorn)` is loaded.
    extras: bool,
    /// The names that may be called.
    names: &'a Visible,
    /// The number of problems reported before.
    before: usize,
}

/// After so many problems, no search through the whole clause is made.
const FEW: usize = 1_000;

/// The help for `1,000`, a number with a comma in it.
fn thousands(resolver: &Resolver<'_>, at: NodeId) -> Option<String> {
    let (span, sources) = (resolver.tree.span(at), resolver.sources);
    let (text, digits) = (sources.text(Span { start: 0, end: span.start, ..span }), sources.text(span));
    let before = text.strip_suffix(',')?;
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let whole = &before[number.len()..];
    let three = digits.len() == 3 && digits.bytes().all(|c| c.is_ascii_digit());
    (three && !whole.is_empty())
        .then(|| format!("a number cannot contain a comma: write {whole}{digits} or {whole}_{digits}"))
}

/// The help for `X = 1 ; 2 ; 3`, meant as a choice of values.
fn one_of(resolver: &Resolver<'_>, at: NodeId) -> Option<String> {
    let (tree, text) = (resolver.tree, |node| resolver.sources.text(resolver.tree.span(node)));
    let (variable, first, mut rest) = tree.nodes().find_map(|(node, _)| {
        let (left, rest) = tree.binary(node, atoms::SEMICOLON)?;
        let (variable, first) = tree.binary(left, atoms::EQUAL)?;
        Some((variable, first, rest)).filter(|_| tree.span(node).to(tree.span(at)) == tree.span(node))
    })?;
    let mut values = vec![text(first)];
    while let Some((value, more)) = tree.binary(rest, atoms::SEMICOLON) {
        values.push(text(value));
        rest = more;
    }
    values.push(text(rest));
    (!values.contains(&"")).then(|| format!("write member({}, [{}])", text(variable), values.join(", ")))
}

/// Whether a goal stands at the start of a line but is not the start of its clause.
fn begins_line(resolver: &Resolver<'_>, at: NodeId) -> bool {
    let (span, tree) = (resolver.tree.span(at), resolver.tree);
    let before = |start| resolver.sources.text(Span { start, end: span.start, ..span });
    let begins = span.start.checked_sub(1).is_some_and(|start| before(start) == "\n");
    begins && tree.nodes().any(|(node, _)| tree.span(node).start < span.start)
}

/// Reports an undefined goal: first the goals that are refused or whose mistake is known, then misspelt names.
fn unknown(resolver: &Resolver<'_>, at: NodeId, name: Atom, arity: usize, ask: &UndefinedContext<'_>) -> Problem {
    let span = resolver.tree.span(at);
    let text = name.text();
    let place = name_span(resolver, at);
    if let Some(problem) = not_in_library(resolver, at, (text, arity), place) {
        return problem;
    }
    let undefined = || Problem::error(Code::UndefinedPredicate, place, format!("{text}/{arity} is not defined"));
    if let Some(instead) = advice_word_help(text, arity) {
        return undefined().help(instead);
    }
    if let Some(instead) = effects::replacement_help(text, arity) {
        return Problem::error(
            Code::RefusedPredicate,
            place,
            format!("rules cannot call {text}/{arity}: rules are pure"),
        )
        .help(instead);
    }
    if begins_line(resolver, at) {
        return undefined().help("if a new clause begins here, replace the `,` before it with a full stop");
    }
    if let Some(help) = aggregation_help(resolver, at, text, arity, ask.before < FEW) {
        let code = if text == "count" { Code::UndefinedPredicate } else { Code::OtherArity };
        return Problem::error(code, span, format!("{text}/{arity} is not defined")).help(help);
    }
    let known = &resolver.program.known;
    if known.get(name, arity).is_some_and(|(_, row)| row.class == PredicateClass::Host) {
        return Problem::error(
            Code::RefusedPredicate,
            place,
            format!("rules cannot call {text}/{arity}: it starts a search"),
        )
        .help("call it in a goal that you type: alphorn query FILE 'initial(P), value(P, 4, V)'");
    }
    if let Some(problem) = no_goal(resolver, at, name, arity) {
        return problem;
    }
    if let Some(arities) = ask.names.get(&name) {
        return wrong_arity(resolver, span, (name, arity), arities);
    }
    if let Some(library) = known.library_of(name, arity) {
        return importing(undefined(), library, place, resolver.sources);
    }
    match foreign::predicate(name, arity) {
        Some(help) => undefined().help(help),
        None => misspelt(resolver, undefined(), place, (text, arity), ask),
    }
}

/// Reports a call of a predicate that is defined with other numbers of arguments.
fn wrong_arity(resolver: &Resolver<'_>, span: Span, (name, arity): (Atom, usize), arities: &[usize]) -> Problem {
    let (text, given) = (name.text(), plural(arity as u64, "argument", "arguments"));
    let known = arities.iter().map(|arity| format!("{text}/{arity}")).collect::<Vec<_>>().join(", ");
    let problem = Problem::error(Code::OtherArity, span, format!("{text} is called with {given}"))
        .label(format!("{text}/{arity} is not defined"))
        .help(format!("{known} {}", if arities.len() == 1 { "is defined" } else { "are defined" }));
    let (program, scope) = (resolver.program, resolver.scope);
    match arities.iter().find_map(|arity| definition(program, scope, name, *arity)) {
        Some(defined) => problem.also(defined, "defined here"),
        None => problem,
    }
}

/// Adds the nearest name to a problem, or else how to define the predicate.
fn misspelt(
    resolver: &Resolver<'_>,
    problem: Problem,
    place: Span,
    (text, arity): (&str, usize),
    ask: &UndefinedContext<'_>,
) -> Problem {
    let near = Some(ask).filter(|ask| is_worthwhile(ask.before, ask.names.len())).and_then(|ask| {
        let all = ask.names.iter();
        let same_arity = all.clone().filter(|(_, arities)| arities.contains(&arity));
        let near = nearest(text, same_arity.map(|(name, _)| name.text()));
        // With one argument more or less, only a letter too many, a missing one or two exchanged ones count.
        near.or_else(|| {
            let alike = all.filter(|(name, arities)| {
                is_short_slip(text, name.text()) && arities.iter().any(|other| other.abs_diff(arity) == 1)
            });
            nearest(text, alike.map(|(name, _)| name.text()))
        })
    });
    match near {
        Some(near) => {
            let arities = ask.names.get(&Atom::new(near)).into_iter().flatten().copied();
            let other = arities.min_by_key(|other| other.abs_diff(arity)).unwrap_or(arity);
            let problem = problem.help(format!("did you mean {near}/{other}?"));
            let stands = other == arity && resolver.sources.text(place) == text && is_plain(near);
            if stands { problem.edit(place, near) } else { problem }
        }
        None if !ask.extras && crate::lang::ops::Ops::is_extra(text) => {
            importing(problem, "alphorn", place, resolver.sources)
        }
        None if arity == 0 => problem.help(format!("define it: {text} :- ...")),
        None => problem.help(format!("define it: {text}({}) :- ...", vec!["_"; arity].join(", "))),
    }
}

/// Whether an atom needs no quotes.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Adds the help to load a library. Adds the directive as an edit if it can be the first line.
fn importing(problem: Problem, library: &str, place: Span, sources: &Sources) -> Problem {
    let directive = format!(":- use_module(library({library})).");
    let source = sources.get(place.source);
    let problem = problem.help(format!("write {directive} at the top of the file"));
    let first = matches!(source.origin, Origin::File(_)) && !source.text.contains(":- module(");
    if first { problem.edit(Span { start: 0, end: 0, ..place }, directive + "\n") } else { problem }
}

/// Reports a goal `Library:Goal` if the library lacks the predicate, which the user may define.
fn not_in_library(resolver: &Resolver<'_>, at: NodeId, (text, arity): (&str, usize), place: Span) -> Option<Problem> {
    let (own, _) = resolver.tree.functor(at)?;
    let module = text.strip_suffix(own.text())?.strip_suffix(':')?;
    let own = own.text();
    let help = match resolver.program.resolve(resolver.scope, Atom::new(own), arity) {
        Some(_) => format!("write {own} without {module}:"),
        None => format!("write {own} without {module}:, and define {own}"),
    };
    Some(Problem::error(Code::UndefinedPredicate, place, format!("library {module} has no {own}/{arity}")).help(help))
}

/// The help for collecting or counting answers with one argument too few.
fn aggregation_help(resolver: &Resolver<'_>, at: NodeId, name: &str, arity: usize, few: bool) -> Option<String> {
    let args: Vec<&str> =
        resolver.tree.args(at).iter().map(|arg| resolver.sources.text(resolver.tree.span(*arg))).collect();
    let goal = || {
        let (name, arity) = resolver.tree.functor(*resolver.tree.args(at).first()?)?;
        resolver.program.resolve(resolver.scope, name, arity)
    };
    if args.contains(&"") {
        return None;
    }
    match (name, arity) {
        ("findall" | "bagof" | "setof", 2) => Some(format!(
            "{name}/3 is defined: write {name}(Template, Goal, List), where Template is what to keep of each answer: {name}(X, {}, {})",
            args[0], args[1]
        )),
        ("member" | "memberchk", 3..) => Some(format!("write {name}({}, [{}])", args[0], args[1..].join(", "))),
        ("aggregate_all", 2) => {
            let (kind, arity) = resolver.tree.functor(resolver.tree.args(at)[0])?;
            let inner = *resolver.tree.args(resolver.tree.args(at)[0]).first().filter(|_| arity == 1)?;
            let inner = resolver.sources.text(resolver.tree.span(inner));
            Some(format!("write aggregate_all({}, {inner}, {})", kind.text(), args[1]))
        }
        ("forall", 1) if few => {
            let (tree, whole) = (resolver.tree, resolver.tree.span(resolver.tree.args(at)[0]));
            let colon = |node| tree.binary(node, atoms::COLON).filter(|_| tree.span(node).to(whole) == whole);
            let (left, right) = tree.nodes().find_map(|(node, _)| colon(node))?;
            let (first, from) = (tree.span(left).end - whole.start, tree.span(right).start - whole.start);
            let (first, second) = (args[0].get(..first as usize)?, args[0].get(from as usize..)?);
            Some(format!("forall/2 is defined: write `,` after the condition: forall({first}, {second})"))
        }
        ("count", 2) if goal().is_some() => Some(format!("write aggregate_all(count, {}, {})", args[0], args[1])),
        _ => None,
    }
}

/// Reports an expression, an assignment or an unknown module in the place of a goal.
fn no_goal(resolver: &Resolver<'_>, at: NodeId, name: Atom, arity: usize) -> Option<Problem> {
    let (&[left, right], 2) = (resolver.tree.args(at), arity) else { return None };
    let (place, text) = (name_span(resolver, at), |node| resolver.sources.text(resolver.tree.span(node)));
    if name == atoms::COLON {
        return Some(no_module(resolver, left, right));
    }
    let help = match name.text() {
        ":=" => format!("write {} is {} to compute, {0} = {1} for anything else", text(left), text(right)),
        "+" | "-" | "*" | "/" | "//" | "mod" => {
            format!("an expression is not a goal: write Result is {}", text(at))
        }
        _ => return None,
    };
    Some(Problem::error(Code::UndefinedPredicate, place, format!("{}/2 is not defined", name.text())).help(help))
}

/// Reports a goal in a module that does not exist.
fn no_module(resolver: &Resolver<'_>, module: NodeId, goal: NodeId) -> Problem {
    let (tree, text) = (resolver.tree, |node| resolver.sources.text(resolver.tree.span(node)));
    let mut help = format!("call a predicate by its name alone: write {}", text(goal));
    let message = match tree.kind(module) {
        TermKind::Atom(name) => {
            help += &format!("\nthe modules are {}", resolver.program.modules().collect::<Vec<_>>().join(", "));
            format!("there is no module {}", name.text())
        }
        TermKind::Var(_) => "the module of a goal must be named".to_string(),
        _ => "this is not the name of a module".to_string(),
    };
    Problem::error(Code::UndefinedPredicate, tree.span(module), message).help(help)
}

/// The span of the name or the operator of a goal.
fn name_span(resolver: &Resolver<'_>, at: NodeId) -> Span {
    let mut span = resolver.tree.span(at);
    let text = resolver.sources.text(span);
    if let TermKind::Compound(name, _) = resolver.tree.kind(at)
        && text.starts_with(name.text())
    {
        span.end = span.start + name.text().len() as u32;
    } else if let (TermKind::Compound(name, _), &[left, right]) = (resolver.tree.kind(at), resolver.tree.args(at)) {
        let gap = Span { start: resolver.tree.span(left).end, end: resolver.tree.span(right).start, ..span };
        span = heads::between(resolver.tree, left, right, *name, resolver.sources.text(gap));
    }
    span
}

fn definition(program: &Program, scope: Scope, name: Atom, arity: usize) -> Option<Span> {
    match program.resolve(scope, name, arity)? {
        Callee::User(id) if program.predicate(id).key.scope != PRELUDE => program.predicate(id).defined,
        _ => None,
    }
}

/// The names that a scope may call.
fn visible(program: &Program, scope: Scope) -> impl Iterator<Item = (Atom, usize)> + '_ {
    let imports: Vec<Scope> = program.imports.get(&scope).cloned().unwrap_or_default();
    let defined = program.predicates.iter().filter(move |pred| {
        let other = pred.key.scope;
        other == scope || (pred.exported && (other == PRELUDE || imports.contains(&other)))
    });
    let control =
        [("call", 1), ("findall", 3), ("forall", 2), ("once", 1), ("ignore", 1), ("\\+", 1), ("true", 0), ("fail", 0)];
    defined
        .map(|pred| (pred.key.name, pred.key.arity))
        .chain(program.known.keys().filter(|(name, _)| !name.text().starts_with('$')))
        .chain(control.map(|(name, arity)| (Atom::new(name), arity)))
        .chain(program.known.offered().into_iter().map(|(name, arity)| (Atom::new(name), arity)))
}

/// The limit of parameters that a help lists.
const MOST_NAMED: usize = 20;

/// Reports calls of a parameter that no directive declares.
pub fn parameters(program: &Program, clause: &Clause, declared: &FxHashSet<Atom>, problems: &mut Vec<Problem>) {
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee: Callee::User(id), args, .. } = goal else { return };
        let key = program.predicate(*id).key;
        let TermKind::Atom(name) = args.first().map_or(&TermKind::Int(0), |arg| clause.tree.kind(*arg)) else { return };
        if (key.name.text(), key.arity, key.scope) != ("param", 2, USER)
            || declared.contains(name)
            || declared.is_empty()
        {
            return;
        }
        let all = || program.params.iter().map(|param| param.name.text());
        let near = is_worthwhile(problems.len(), declared.len()).then(|| nearest(name.text(), all())).flatten();
        let mut names = all().take(MOST_NAMED).collect::<Vec<_>>().join(", ");
        if declared.len() > MOST_NAMED {
            names.push_str(&format!(" and {} more", declared.len() - MOST_NAMED));
        }
        let declare = format!("declare it with :- param({}, 3, 1..9, \"what it means\").", name.text());
        let help = match near {
            Some(near) => format!("did you mean {near}?"),
            None => format!("the parameters are {names}; {declare}"),
        };
        let span = clause.tree.span(args[0]);
        let problem =
            Problem::error(Code::UndefinedPredicate, span, format!("there is no parameter {}", name.text())).help(help);
        problems.push(match near.filter(|near| is_plain(near)) {
            Some(near) => problem.edit(span, near),
            None => problem,
        });
    });
}

/// Checks the goals and closures that are passed to other predicates.
pub fn closures(program: &Program, scope: Scope, clause: &Clause, names: &VisibleNames, problems: &mut Vec<Problem>) {
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee, args, .. } = goal else { return };
        let parses = matches!(callee, Callee::User(id) if may_parse(program, *id));
        for (kind, arg) in program.meta(*callee).chars().zip(args) {
            if parses && kind == '2' && dcg::is_construct(&clause.tree, *arg) {
                continue;
            }
            let Some(missing) = added_arguments(kind) else { continue };
            closure(program, scope, clause, (*arg, missing), names, problems);
        }
    });
}

/// Checks one closure that is called with `missing` further arguments.
fn closure(
    program: &Program,
    scope: Scope,
    clause: &Clause,
    (mut at, missing): (NodeId, usize),
    names: &VisibleNames,
    problems: &mut Vec<Problem>,
) {
    let tree = &clause.tree;
    while let Some((_, inner)) = tree.binary(at, alphorn_text::symbol::atoms::CARET) {
        at = inner;
    }
    let (mut library, mut file) = (None, None);
    while let Some((module, inner)) = tree.binary(at, atoms::COLON).filter(|_| missing > 0) {
        (library, file) = match tree.kind(module) {
            TermKind::Atom(name) => match program.module(*name) {
                Some(Module::BuiltIn) => (Some(*name), None),
                Some(module) => (None, Some(module)),
                None => (None, None),
            },
            _ => (None, None),
        };
        match tree.kind(module) {
            TermKind::Atom(name) if program.module(*name).is_none() => {
                let mut resolver = Resolver::new(program, scope, tree);
                resolver.unknown.push((at, atoms::COLON, 2));
                return report(&resolver, &FxHashSet::default(), scope != USER, names, problems);
            }
            _ => at = inner,
        }
    }
    let Some((name, arity)) = tree.functor(at) else { return };
    let mut resolver = Resolver::new(program, scope, tree);
    if missing == 0 {
        resolver.goal(at);
        resolver.bad.clear();
    } else if let Some(module) = library {
        let known = program.resolve_in(Module::BuiltIn, name, arity + missing).is_some();
        if !known && name != alphorn_text::symbol::atoms::LAMBDA && !is_control(name) {
            resolver.unknown.push((at, qualified(module, name), arity + missing));
        }
    } else if program.resolve(scope, name, arity + missing).is_none()
        && file.is_none_or(|file| program.resolve_in(file, name, arity + missing).is_none())
        && name != alphorn_text::symbol::atoms::LAMBDA
        && !is_control(name)
    {
        resolver.unknown.push((at, name, arity + missing));
    }
    report(&resolver, &FxHashSet::default(), scope != USER, names, problems);
}

/// Whether a predicate may take grammar bodies: phrase/2, phrase/3, or one of the user, where `//` is the same as `2`.
fn may_parse(program: &Program, id: PredId) -> bool {
    let key = &program.predicate(id).key;
    program.is_users(key.scope) || key.scope == PRELUDE && key.name.text() == "phrase"
}

fn is_control(name: Atom) -> bool {
    matches!(
        name.text(),
        "call" | "," | ";" | "->" | "*->" | "\\+" | "findall" | "forall" | "once" | "ignore" | "^" | "/"
    )
}

/// The help for operators that belong to advice tables.
fn advice_word_help(name: &str, arity: usize) -> Option<&'static str> {
    Some(match (name, arity) {
        ("and", 2) => "and joins goals of an advice table; in a clause write `,`: A, B",
        ("or", 2) => "or joins goals of an advice table; in a clause write `;`: ( A ; B )",
        ("if", 1) | ("then", 2) => "a rule of an advice table is Name :: if Condition then [Advice, ...].",
        _ => return None,
    })
}
