//! Lists small edits of the rules that may correct a mistake: two exchanged arguments, a bracket, a name.
//!
//! An edit is only a candidate: the caller tries it with `Rules::with_clause`. Nothing is run here.

use crate::rules::list_edits::{self, ListWords};
use crate::rules::sketch::PAIRS;
use crate::rules::small_edit::{ClauseEdits, EditKind, SmallEdit};
use crate::rules::suspicion::Spectrum;
use crate::rules::value_edits::{self, Vocabulary};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Clause, Goal, PredId, Program, USER};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A term with more arguments was not written by hand.
const MOST_ARGUMENTS: usize = 10;

/// A program with more clauses, or with more nodes of terms, was not written by hand.
const MOST_CLAUSES: usize = 1_000;
const MOST_NODES: usize = 20_000;

/// Edits of less suspicious clauses are not listed if there are more than this, nor more edits of one clause.
const MOST_EDITS: usize = 20_000;
const MOST_OF_CLAUSE: usize = 5_000;

/// The factor of the suspicion of a clause that seems to be near the mistake.
const NEAR: f64 = 1.5;

/// The factor of another constant in a fact: some constant of a table often fits by chance.
const DATUM: f64 = 0.5;

/// The greatest number of arguments of a term that may be missing round a variable.
const MOST_WRAPPED: usize = 3;

/// Operators whose arguments nobody exchanges by mistake, or which mean the same in both orders.
const SYMMETRIC: [&str; 20] = [
    ",", ";", "->", "*->", ":-", "-->", "|", "\\+", "=", "==", "\\==", "\\=", "=:=", "=\\=", "+", "*", "<", ">", "=<",
    ">=",
];

/// All small edits of the clauses that the user wrote, the most likely ones first. A clause is likely to have a mistake
/// if the spectrum says so. Clauses at the places `near` are more likely, and so are the predicates that they call.
pub fn small_edits(program: &Program, near: &[Span], spectrum: &Spectrum) -> Vec<SmallEdit> {
    let own = || program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let nodes: usize = own().flat_map(|pred| &pred.clauses).map(|clause| clause.tree.len()).sum();
    if own().map(|pred| pred.clauses.len()).sum::<usize>() > MOST_CLAUSES || nodes > MOST_NODES {
        return Vec::new();
    }
    let names = data_names(program);
    // A name may be a goal, or a closure that gets more arguments.
    let mut likely: FxHashSet<Atom> = FxHashSet::default();
    for clause in own().flat_map(|pred| &pred.clauses) {
        if near.iter().any(|span| clause.span.contains(*span)) {
            likely.extend(clause.tree.nodes().filter_map(|(node, _)| Some(clause.tree.functor(node)?.0)));
        }
    }
    let (words, lists) = (Vocabulary::of(program), ListWords::of(program));
    let mut clauses: Vec<(f64, (PredId, usize), &Clause)> = Vec::new();
    for (id, pred) in (0..).map(PredId).zip(&program.predicates).filter(|(_, pred)| program.is_users(pred.key.scope)) {
        let near = if likely.contains(&pred.key.name) { NEAR } else { 1.0 };
        for (at, clause) in pred.clauses.iter().enumerate() {
            clauses.extend(spectrum.of_clause(program, id, at).map(|suspicion| (near * suspicion, (id, at), clause)));
        }
    }
    clauses.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    let mut found: Vec<SmallEdit> = Vec::new();
    for (suspicion, at, clause) in clauses {
        if found.len() > MOST_EDITS {
            break;
        }
        let mut edits = ClauseEdits { program, clause, at, found: Vec::new(), most: MOST_OF_CLAUSE };
        TermEdits { names: &names, edits: &mut edits }.all();
        list_edits::add(&lists, &mut edits);
        value_edits::add(&words, &mut edits);
        // The end of a recursion is no table.
        let is_table = program.predicate(at.0).clauses.iter().all(|clause| matches!(clause.body, Goal::True));
        found.extend(edits.found.into_iter().map(|edit| {
            let is_datum = is_table && matches!(edit.kind, EditKind::Number | EditKind::Atom | EditKind::Unlike);
            let factor = if is_datum { suspicion * DATUM } else { suspicion };
            SmallEdit { likelihood: edit.likelihood * factor, ..edit }
        }));
    }
    found.sort_by(|one, other| other.likelihood.total_cmp(&one.likelihood));
    found
}

/// The names of the terms in heads and goals, by their number of arguments.
fn data_names(program: &Program) -> FxHashSet<(Atom, usize)> {
    let own = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let clauses = own.flat_map(|pred| &pred.clauses);
    let all = clauses.flat_map(|clause| {
        clause.tree.nodes().filter_map(|(node, _)| clause.tree.functor(node).filter(|_| node != clause.head))
    });
    let is_goal = |(name, arity): &(Atom, usize)| {
        let is_known = |arity| program.resolve_typed(USER, *name, arity).is_some();
        *name == atoms::DOT || is_known(*arity) || SYMMETRIC.contains(&name.text())
    };
    let is_pair = |(name, arity): &(Atom, usize)| *arity == 2 && PAIRS.contains(&name.text());
    // A name that only an expectation has may be right, and misspelt in the rules.
    let expected = program.expectations.iter().flat_map(|expected| {
        expected
            .tree
            .nodes()
            .filter_map(|(node, _)| expected.tree.functor(node).filter(|(name, _)| !value_edits::is_claim(name.text())))
    });
    all.chain(expected).filter(|functor| functor.1 > 0 && (is_pair(functor) || !is_goal(functor))).collect()
}

/// The elements of written lists in which all elements have one functor. Another name of one of them is no likely edit.
fn uniform_elements(tree: &TermTree) -> FxHashSet<NodeId> {
    // A cell behind another one begins no list.
    let inner: FxHashSet<NodeId> =
        tree.nodes().filter_map(|(node, _)| Some(tree.binary(node, atoms::DOT)?.1)).collect();
    let whole = tree.nodes().filter(|(node, _)| !inner.contains(node));
    let lists = whole.filter_map(|(node, _)| tree.list(node)).filter(|elements| elements.len() > 1);
    let uniform = lists.filter(|elements| {
        let functor = tree.functor(elements[0]);
        functor.is_some() && elements.iter().all(|element| tree.functor(*element) == functor)
    });
    uniform.flatten().collect()
}

struct TermEdits<'a, 'b> {
    /// The names of the terms of the program.
    names: &'b FxHashSet<(Atom, usize)>,
    edits: &'b mut ClauseEdits<'a>,
}

impl TermEdits<'_, '_> {
    fn all(&mut self) {
        self.names();
        let clause = self.edits.clause;
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        for (node, kind) in clause.tree.nodes() {
            let span = clause.tree.span(node);
            let is_term = matches!(kind, TermKind::Compound(name, _) if *name != atoms::DOT);
            // A clause made from a grammar rule has terms that are not in the text.
            if is_term && clause.span.contains(span) && seen.insert(span) {
                self.compound(node);
            }
        }
    }

    fn compound(&mut self, node: NodeId) {
        let (clause, tree) = (self.edits.clause, &self.edits.clause.tree);
        let (args, span) = (tree.args(node), tree.span(node));
        let name = tree.functor(node).map_or("", |(name, _)| name.text());
        let are_written = args.windows(2).all(|pair| tree.span(pair[0]).end <= tree.span(pair[1]).start);
        if args.len() > MOST_ARGUMENTS || !are_written || SYMMETRIC.contains(&name) {
            return;
        }
        let spans: Vec<Span> = args.iter().map(|arg| tree.span(*arg)).collect();
        let texts: Vec<String> = spans.iter().map(|span| self.edits.text(*span).to_string()).collect();
        // The span of a term does not contain brackets around it, which a term with an operator may need.
        let enclosed = args.iter().zip(&texts).map(|(arg, text)| {
            let is_call =
                |name| self.edits.name_of(*arg, name).is_some_and(|place| place.start == tree.span(*arg).start);
            let operator =
                tree.functor(*arg).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT && !is_call(*name));
            if operator.is_some() { format!("({text})") } else { text.clone() }
        });
        let enclosed: Vec<String> = enclosed.collect();
        for (one, text) in texts.iter().enumerate() {
            for other in (one + 1..texts.len()).filter(|other| texts[*other] != *text) {
                let condition = format!(
                    "{} and {} are exchanged here",
                    self.edits.quoted(spans[one]),
                    self.edits.quoted(spans[other])
                );
                let changes = vec![(spans[one], enclosed[other].clone()), (spans[other], enclosed[one].clone())];
                self.edits.add(EditKind::Exchange, span, changes, condition);
            }
        }
        let is_open = |text: &&String| *text == "_";
        if texts.iter().filter(is_open).count() + 1 == texts.len()
            && let Some(inner) = texts.iter().find(|text| !is_open(text))
            && tree.functor(node).is_some_and(|functor| self.names.contains(&functor))
        {
            let condition = format!("this is {inner}");
            self.edits.add(EditKind::Brackets, span, vec![(span, inner.clone())], condition);
        }
        for (arg, text) in args.iter().zip(&texts) {
            let place = tree.span(*arg);
            // An atom in a head names a case.
            let is_head = tree.span(clause.head).contains(place);
            let is_short = match tree.kind(*arg) {
                TermKind::Var(_) => text != "_",
                TermKind::Atom(_) => !is_head,
                _ => false,
            };
            if is_short && name != "is" {
                self.edits.replace(EditKind::Enclose, place, &format!("[{text}]"));
            }
            if matches!(tree.kind(*arg), TermKind::Var(_)) && text != "_" && name != "is" {
                let beside =
                    args.iter().filter(|other| *other != arg).filter_map(|other| tree.functor(*other)).collect();
                self.wrapped(place, text, is_head, &beside);
            }
        }
    }

    /// Edits that write a variable inside a term. `beside` are the functors of the other arguments.
    fn wrapped(&mut self, place: Span, text: &str, is_head: bool, beside: &FxHashSet<(Atom, usize)>) {
        if self.edits.is_full() {
            return;
        }
        let mut names: Vec<(&'static str, usize)> =
            self.names.iter().map(|(name, arity)| (name.text(), *arity)).collect();
        names.sort_unstable();
        // Only a head can leave the other arguments open.
        let most = if is_head { MOST_WRAPPED } else { 1 };
        for (name, arity) in names.into_iter().filter(|(_, arity)| *arity <= most) {
            for at in 0..arity {
                let args: Vec<&str> = (0..arity).map(|other| if other == at { text } else { "_" }).collect();
                let with = match PAIRS.contains(&name) {
                    true => args.join(name),
                    false => format!("{name}({})", args.join(", ")),
                };
                let is_usual = is_head || beside.contains(&(Atom::new(name), arity));
                let kind = if is_usual { EditKind::Brackets } else { EditKind::Unlike };
                self.edits.add(kind, place, vec![(place, with.clone())], format!("this is {with}"));
            }
        }
    }

    /// Edits that write another name of a term, or another operator: in one term, in the head, or in the whole clause.
    fn names(&mut self) {
        let (clause, tree) = (self.edits.clause, &self.edits.clause.tree);
        let head = tree.span(clause.head);
        let uniform = uniform_elements(tree);
        let mut places: FxHashMap<(Atom, usize), Vec<(NodeId, Span)>> = FxHashMap::default();
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        for (node, _) in tree.nodes().filter(|(node, _)| *node != clause.head) {
            let Some(functor) = tree.functor(node).filter(|functor| self.names.contains(functor)) else { continue };
            let Some(name) = self.edits.name_of(node, functor.0).filter(|span| seen.insert(*span)) else { continue };
            places.entry(functor).or_default().push((node, name));
        }
        let mut all: Vec<_> = places.into_iter().collect();
        all.sort_by_key(|(_, places)| places[0].1);
        for ((name, arity), places) in all {
            let others = self.names.iter().filter(|(other, count)| *count == arity && *other != name);
            let is_pair = |name: Atom| PAIRS.contains(&name.text());
            let mut others: Vec<&'static str> =
                others.filter(|(other, _)| is_pair(*other) == is_pair(name)).map(|(other, _)| other.text()).collect();
            others.sort_unstable();
            let in_head = places.iter().filter(|(node, _)| head.contains(tree.span(*node))).count();
            for other in others {
                let edit = |places: &[(NodeId, Span)]| -> Vec<(Span, String)> {
                    places.iter().map(|(_, span)| (*span, other.to_string())).collect()
                };
                let condition = format!("{other} stands for {} here", name.text());
                for (node, span) in places.iter().filter(|(node, _)| !uniform.contains(node)) {
                    self.edits.add(EditKind::Name, tree.span(*node), edit(&[(*node, *span)]), condition.clone());
                }
                if in_head > 1 {
                    let inside: Vec<_> =
                        places.iter().copied().filter(|(node, _)| head.contains(tree.span(*node))).collect();
                    self.edits.add(EditKind::Name, head, edit(&inside), condition.clone());
                }
                if places.len() > in_head.max(1) {
                    self.edits.add(EditKind::Name, head, edit(&places), condition.clone());
                }
            }
        }
    }
}
