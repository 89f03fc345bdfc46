//! Reports goals that no clause can answer.
//!
//! The warnings: a call has a misspelt constant that no clause head has there; `between/3` has its
//! bounds exchanged; a text in double quotes stands for an atom; a term stands for the answer of a
//! predicate. Games are unknown here. Called by `check/mod.rs`.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::goal::each_goal;
use crate::lang::near::nearest;
use crate::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program, Scope, USER, added_arguments};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::signature::Fact;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// Predicates with more clauses are generated tables.
const MOST: usize = 1_000;

/// Reports the calls of a clause that nothing can answer; `atoms` counts the atoms of the program.
pub fn unanswerable_calls(program: &Program, clause: &Clause, atoms: &Atoms, problems: &mut Vec<Problem>) {
    each_goal(&clause.body, &mut |goal| match goal {
        Goal::Call { callee: Callee::User(id), args, .. } if program.predicate(*id).key.scope == USER => {
            problems.extend(unanswered(program, clause, atoms, *id, args));
        }
        Goal::Call { callee: Callee::Native(id), args, span } if program.known.row(*id).name == "between" => {
            let &[low, high, x] = &args[..] else { return };
            // A range whose end is one below its start is a common way to write the empty range.
            if let (TermKind::Int(from), TermKind::Int(to)) = (clause.tree.kind(low), clause.tree.kind(high))
                && *from > to.saturating_add(1)
            {
                let x = program.sources.text(clause.tree.span(x));
                problems.push(
                    Problem::warning(
                        Code::GoalNeverSucceeds,
                        *span,
                        format!("between/3 fails: {from} is greater than {to}"),
                    )
                    .help(format!("the smaller number must come first: write between({to}, {from}, {x})")),
                );
            }
        }
        _ => {}
    });
}

/// Reports a call that no head can match, if the intended constant is certain. A constant without a
/// fact may be a switch, or its fact may come later.
fn unanswered(program: &Program, clause: &Clause, atoms: &Atoms, id: PredId, args: &[NodeId]) -> Option<Problem> {
    let clauses = &program.predicate(id).clauses;
    // The value of a parameter may change from outside.
    let parameter = program.predicate(id).key.name.text() == "param";
    if parameter || clauses.is_empty() || clauses.len() > MOST {
        return None;
    }
    let tree = &clause.tree;
    let heads = |place: usize| clauses.iter().map(move |other| (&other.tree, other.tree.args(other.head)[place]));
    let fits = |place: usize| heads(place).any(|(other, own)| may_match(tree, args[place], other, own));
    let place = (0..args.len()).find(|place| !fits(*place))?;
    let (at, known) = smallest_mismatch(tree, args[place], heads(place).collect());
    let (help, text) = meant(program, tree, at, &known, atoms)?;
    let message = format!("no clause of {} has {} here", program.indicator(id), program.sources.text(tree.span(at)));
    Some(Problem::warning(Code::GoalNeverSucceeds, tree.span(at), message).help(help).edit(tree.span(at), text))
}

/// The innermost argument by which a term matches none of the others, and their arguments there.
pub fn smallest_mismatch<'a>(
    tree: &TermTree,
    mut at: NodeId,
    mut others: Vec<(&'a TermTree, NodeId)>,
) -> (NodeId, Vec<(&'a TermTree, NodeId)>) {
    loop {
        others.retain(|(other, own)| !matches!(other.kind(*own), TermKind::Var(_)));
        let alike: Vec<_> =
            others.iter().copied().filter(|(other, own)| other.functor(*own) == tree.functor(at)).collect();
        let args = tree.args(at);
        let below = |place: usize| alike.iter().map(move |(other, own)| (*other, other.args(*own)[place]));
        let fits = |place: usize| below(place).any(|(other, own)| may_match(tree, args[place], other, own));
        match (0..args.len()).find(|place| !alike.is_empty() && !fits(*place)) {
            Some(place) => (at, others) = (args[place], below(place).collect()),
            None => return (at, others),
        }
    }
}

/// The help and the replacement for a constant that nothing matches; `None` if the constant may be
/// intended.
fn meant(
    program: &Program,
    tree: &TermTree,
    at: NodeId,
    known: &[(&TermTree, NodeId)],
    atoms: &Atoms,
) -> Option<(String, String)> {
    let names = || {
        known.iter().filter_map(|(other, own)| match other.kind(*own) {
            TermKind::Atom(name) => Some(name.text()),
            _ => None,
        })
    };
    match tree.kind(at) {
        TermKind::Text(text) if names().any(|name| name == &**text) => {
            Some((format!("write {text} without quotes"), text.to_string()))
        }
        TermKind::Atom(name) if known.iter().any(|(other, own)| is_text(other, *own, name.text())) => {
            let text = format!("\"{}\"", name.text());
            Some((format!("write {text}, a text in double quotes"), text))
        }
        // A name that occurs elsewhere in the rules is intended.
        TermKind::Atom(name) if atoms.times.get(name).is_none_or(|times| *times <= 1) => {
            let text = program.sources.text(tree.span(at));
            let twin = tree.variables.iter().find(|variable| variable.name.to_lowercase() == text);
            let near = || nearest(text, names()).filter(|near| is_slip(text, near));
            twin.map(|variable| (format!("did you mean the variable {}?", variable.name), variable.name.to_string()))
                .or_else(|| near().map(|near| (format!("did you mean {near}?"), near.to_string())))
        }
        _ => None,
    }
}

/// Whether one name may be a misspelling of the other. Short names and series such as p1, p2 are not.
fn is_slip(name: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    name.chars().count() > 3 && other.chars().count() > 3 && letters(name) != letters(other)
}

fn is_text(tree: &TermTree, node: NodeId, wanted: &str) -> bool {
    matches!(tree.kind(node), TermKind::Text(text) if &**text == wanted)
}

/// Reports texts that are compared with terms while the rules use the atom of the same text, and
/// conditions that always fail.
pub fn failing_goals(program: &Program, clause: &Clause, atoms: &Atoms, problems: &mut Vec<Problem>) {
    let tree = &clause.tree;
    each_goal(&clause.body, &mut |goal| match goal {
        Goal::Call { callee, args, .. } => {
            let facts = match callee {
                Callee::Native(id) => program.known.row(*id).facts,
                Callee::User(id) if program.predicate(*id).key.scope == PRELUDE => {
                    program.known.facts(program.predicate(*id).key.name, args.len())
                }
                _ => return,
            };
            let compares = |fact: &Fact| if let Fact::Compares(places) = fact { Some(*places) } else { None };
            for place in facts.iter().filter_map(compares).flatten() {
                let at = &args[*place];
                let TermKind::Text(text) = tree.kind(*at) else { continue };
                if atoms.texts.contains(&**text) {
                    let message = format!("the text \"{text}\" is not the atom {text}");
                    let help = format!("write {text} without quotes");
                    problems.push(Problem::warning(Code::GoalNeverSucceeds, tree.span(*at), message).help(help));
                }
            }
        }
        Goal::If(condition, then, other) => {
            if let (Goal::Call { span, .. }, Goal::Fail, Goal::Fail) = (&**condition, &**then, &**other) {
                let text = program.sources.text(*span);
                let help = format!(
                    "without `;` it fails if the condition is false too: write ( {text} -> fail ; true ), or \\+ {text}"
                );
                problems
                    .push(Problem::warning(Code::GoalNeverSucceeds, *span, "the goal fails in both cases").help(help));
            }
        }
        _ => {}
    });
}

/// The atoms in the clauses of the user's files.
#[derive(Default)]
pub struct Atoms {
    /// The number of occurrences of each atom.
    times: FxHashMap<Atom, u32>,
    /// The texts of the atoms.
    texts: FxHashSet<&'static str>,
}

/// Counts the atoms in the given clauses.
pub fn atoms<'a>(clauses: impl Iterator<Item = &'a Clause>) -> Atoms {
    let mut found = Atoms::default();
    for clause in clauses {
        for (_, kind) in clause.tree.nodes() {
            if let TermKind::Atom(name) = kind {
                *found.times.entry(*name).or_default() += 1;
            }
        }
    }
    found.texts = found.times.keys().map(|name| name.text()).collect();
    found
}

/// Whether two terms can unify if every occurrence of a variable counts as a new one.
pub fn may_match(left: &TermTree, a: NodeId, right: &TermTree, b: NodeId) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        match (left.kind(a), right.kind(b)) {
            (TermKind::Var(_), _) | (_, TermKind::Var(_)) => {}
            (TermKind::Compound(..), TermKind::Compound(..)) if left.functor(a) == right.functor(b) => {
                pairs.extend(left.args(a).iter().copied().zip(right.args(b).iter().copied()));
            }
            (TermKind::Compound(..), TermKind::Compound(..)) => return false,
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    true
}

/// Reports texts in heads where other clauses have atoms, if the rules use the atom of the same text.
pub fn texts(program: &Program, problems: &mut Vec<Problem>) {
    let own = || program.predicates.iter().filter(|pred| pred.key.scope == USER);
    let mut atoms: Option<FxHashSet<&'static str>> = None;
    for pred in own().filter(|pred| pred.key.name.text() != "param") {
        for place in 0..pred.key.arity {
            let arg = |clause: &Clause| clause.tree.args(clause.head)[place];
            if !pred.clauses.iter().any(|clause| matches!(clause.tree.kind(arg(clause)), TermKind::Atom(_))) {
                continue;
            }
            for clause in &pred.clauses {
                let TermKind::Text(text) = clause.tree.kind(arg(clause)) else { continue };
                let atoms = atoms.get_or_insert_with(|| named(own().flat_map(|pred| &pred.clauses)));
                if atoms.contains(&**text) {
                    let span = clause.tree.span(arg(clause));
                    let message = format!("the text \"{text}\" is not the atom {text}");
                    problems.push(
                        Problem::warning(Code::GoalNeverSucceeds, span, message)
                            .help(format!("write {text} without quotes")),
                    );
                }
            }
        }
    }
}

fn named<'a>(clauses: impl Iterator<Item = &'a Clause>) -> FxHashSet<&'static str> {
    let atom = |kind: &TermKind| if let TermKind::Atom(name) = kind { Some(name.text()) } else { None };
    clauses.flat_map(|clause| clause.tree.nodes().filter_map(|(_, kind)| atom(kind)).collect::<Vec<_>>()).collect()
}

/// Reports a term that should be the answer of a fact table or library predicate with one argument
/// more. `terms` counts each name and arity.
pub fn functions(
    program: &Program,
    scope: Scope,
    clause: &Clause,
    terms: &FxHashMap<(Atom, usize), u32>,
    held: &FxHashSet<(Atom, usize)>,
    problems: &mut Vec<Problem>,
) {
    let tree = &clause.tree;
    let once = |node: NodeId| tree.functor(node).is_some_and(|functor| terms.get(&functor) == Some(&1));
    let TermUses { goals, nested, mut found } = term_uses(program, clause, once);
    let head = tree.args(clause.head).iter().flat_map(|arg| tree.args(*arg)).filter(|arg| once(**arg));
    let heads: Vec<NodeId> = head.copied().collect();
    found.extend(heads.iter().map(|arg| (*arg, None)));
    for (node, result) in found {
        let TermKind::Compound(name, _) = tree.kind(node) else { continue };
        let given = tree.args(node);
        let arity = given.len() + 1;
        let library = result.is_some() && once(node) && program.known.facts(*name, arity).contains(&Fact::Function);
        let table = || {
            let Some(Callee::User(id)) = program.resolve(scope, *name, arity) else { return false };
            let pred = program.predicate(id);
            let facts = pred.clauses.iter().all(|clause| matches!(clause.body, Goal::True));
            let own = held.contains(&(*name, given.len())) && !heads.contains(&node);
            pred.key.scope == scope && facts && (!goals.contains(&(*name, arity)) || nested.contains(&node)) && !own
        };
        if library || table() {
            problems.push(term_for_call(program, tree, node, result));
        }
    }
}

/// The terms in the goals of a clause that may be meant as calls.
#[derive(Default)]
struct TermUses {
    /// Name and arity of the predicates that the clause calls.
    goals: FxHashSet<(Atom, usize)>,
    /// Arguments in a call of the same predicate: `other(other(P), Q)`.
    nested: FxHashSet<NodeId>,
    /// The term, and the variable that is unified with it: `Q = other(P)`.
    found: Vec<(NodeId, Option<NodeId>)>,
}

/// Collects the terms in the goals of a clause; `once` says whether a term's name occurs only there.
fn term_uses(program: &Program, clause: &Clause, once: impl Fn(NodeId) -> bool) -> TermUses {
    let tree = &clause.tree;
    let mut uses = TermUses::default();
    let TermUses { goals, nested, found } = &mut uses;
    each_goal(&clause.body, &mut |goal| match goal {
        Goal::Call { callee: Callee::Native(id), args, .. } if program.known.row(*id).name == "=" => {
            let &[left, right] = &args[..] else { return };
            let variable = |node| matches!(tree.kind(node), TermKind::Var(_));
            let (name, term) = if variable(left) { (left, right) } else { (right, left) };
            found.extend(Some((term, Some(name))).filter(|_| variable(name)));
        }
        Goal::Call { callee: Callee::User(id), args, .. } => {
            let key = program.predicate(*id).key;
            goals.insert((key.name, key.arity));
            nested.extend(args.iter().filter(|arg| tree.functor(**arg) == Some((key.name, key.arity.wrapping_sub(1)))));
            // A closure lacks the arguments that its caller adds.
            let meta = &program.predicate(*id).meta;
            let closure = |at: usize| meta.chars().nth(at).is_some_and(|kind| kind == '^' || kind.is_ascii_digit());
            let terms = || args.iter().enumerate().filter(|(at, _)| !closure(*at)).map(|(_, arg)| *arg);
            found.extend(terms().filter(|arg| once(*arg)).map(|arg| (arg, None)));
            found.extend(terms().flat_map(|arg| tree.args(arg)).map(|arg| (*arg, None)));
        }
        Goal::Findall { template, .. } => found.extend(tree.args(*template).iter().map(|arg| (*arg, None))),
        _ => {}
    });
    let called = called_variables(program, clause);
    let is_called = |name: NodeId| matches!(tree.kind(name), TermKind::Var(number) if called.contains(number));
    uses.found.retain(|(_, name)| !name.is_some_and(is_called));
    uses
}

/// The variables of a clause that it passes as goals or closures.
fn called_variables(program: &Program, clause: &Clause) -> FxHashSet<u32> {
    let mut called = FxHashSet::default();
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee, args, .. } = goal else { return };
        let kinds = program.meta(*callee).chars();
        let closures = kinds.zip(args).filter(|(kind, _)| added_arguments(*kind).is_some());
        called.extend(closures.filter_map(|(_, arg)| match clause.tree.kind(*arg) {
            TermKind::Var(number) => Some(*number),
            _ => None,
        }));
    });
    called
}

/// Reports a term that should be the answer of a call.
fn term_for_call(program: &Program, tree: &TermTree, node: NodeId, result: Option<NodeId>) -> Problem {
    let text = |node| program.sources.text(tree.span(node));
    let name = tree.functor(node).map_or("", |(name, _)| name.text());
    let given: Vec<&str> = tree.args(node).iter().map(|arg| text(*arg)).collect();
    let message = format!("{} is a term here, not a call of {name}/{}", text(node), given.len() + 1);
    let given = given.join(", ");
    let help = match result.map(text) {
        Some(result) => format!("a predicate gives its answer in an argument: write {name}({given}, {result})"),
        None => format!("write the goal {name}({given}, Answer) before this one, and Answer here"),
    };
    Problem::warning(Code::InvalidInArithmetic, tree.span(node), message).help(help)
}

/// Counts the terms of each name and arity in the clauses, heads and goals included.
pub fn terms<'a>(clauses: impl Iterator<Item = &'a Clause>) -> FxHashMap<(Atom, usize), u32> {
    let mut found = FxHashMap::default();
    for clause in clauses {
        for functor in clause.tree.nodes().filter_map(|(node, _)| clause.tree.functor(node)) {
            *found.entry(functor).or_default() += 1;
        }
    }
    found
}

/// Name and arity of the terms in clause heads. Rules use such terms as data.
pub fn head_terms(program: &Program) -> FxHashSet<(Atom, usize)> {
    let mut found = FxHashSet::default();
    let clauses = program.predicates.iter().filter(|pred| pred.key.scope == USER).flat_map(|pred| &pred.clauses);
    for clause in clauses {
        let mut stack = clause.tree.args(clause.head).to_vec();
        while let Some(at) = stack.pop() {
            found.extend(clause.tree.functor(at).filter(|(_, arity)| *arity > 0));
            stack.extend(clause.tree.args(at));
        }
    }
    found
}
