//! Lists small edits of the words of a clause: another variable, number, operator or atom, or a goal too many.
//!
//! An edit that would leave a variable with one occurrence is not listed: the
//! clause without the mistake has no such variable.

use crate::rules::sketch::quoted;
use crate::rules::small_edit::{EditKind, SmallEdit};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The greatest number of edits of one clause, with those that are not of words.
const MOST_OF_CLAUSE_WITH_WORDS: usize = 10_000;

/// The greatest number of other atoms, numbers and predicates that are tried at one place.
const MOST_OTHERS: usize = 8;

/// Operators, each with those that people confuse with it.
const CONFUSED: [(&str, &[&str]); 20] = [
    ("<", &["=<", ">", ">="]),
    (">", &[">=", "<", "=<"]),
    ("=<", &["<", ">=", ">"]),
    (">=", &[">", "=<", "<"]),
    ("=:=", &["=\\=", "<", ">", "=<", ">="]),
    ("=\\=", &["=:=", "<", ">"]),
    ("==", &["\\=="]),
    ("\\==", &["=="]),
    ("=", &["\\=", "\\=="]),
    ("\\=", &["="]),
    ("@<", &["@=<", "@>"]),
    ("@>", &["@>=", "@<"]),
    ("+", &["-", "*"]),
    ("-", &["+"]),
    ("*", &["+", "-"]),
    ("//", &["mod"]),
    ("mod", &["//"]),
    ("rem", &["//", "mod"]),
    ("max", &["min"]),
    ("min", &["max"]),
];

/// Atoms of the notation of expectations.
const CLAIMED: [&str; 3] = ["draw", "max", "min"];

/// A place of an atom: an argument of a term or goal of this name. All lists are one place.
type Slot = (Atom, usize, usize);

/// The words that a program uses.
pub(super) struct Vocabulary {
    /// The atoms at each place.
    atoms: FxHashMap<Slot, BTreeSet<&'static str>>,
    /// The integers, the frequent ones first.
    numbers: Vec<i64>,
    /// The atoms that only expectations have: one of them may be misspelt in the rules.
    expected: BTreeSet<&'static str>,
    /// The names of the user's predicates, by their number of arguments.
    names: FxHashMap<usize, Vec<&'static str>>,
}

impl Vocabulary {
    pub(super) fn of(program: &Program) -> Vocabulary {
        let own = || program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
        let (mut places, mut counts) = (FxHashMap::<Slot, BTreeSet<&'static str>>::default(), FxHashMap::default());
        for clause in own().flat_map(|pred| &pred.clauses) {
            for (node, kind) in clause.tree.nodes() {
                if let TermKind::Int(number) = kind {
                    *counts.entry(*number).or_insert(0_u32) += 1;
                }
                let Some((name, arity)) = clause.tree.functor(node) else { continue };
                for (at, arg) in clause.tree.args(node).iter().enumerate() {
                    if let TermKind::Atom(atom) = clause.tree.kind(*arg) {
                        places.entry((name, arity, at)).or_default().insert(atom.text());
                    }
                }
            }
        }
        let mut numbers: Vec<(i64, u32)> = counts.into_iter().collect();
        numbers.sort_by_key(|(number, count)| (std::cmp::Reverse(*count), *number));
        let numbers = numbers.into_iter().map(|(number, _)| number).take(MOST_OTHERS).collect();
        let known: FxHashSet<&str> = places.values().flatten().copied().collect();
        let expected = program.expectations.iter().flat_map(|expected| expected.tree.nodes());
        let expected =
            expected.filter_map(|(_, kind)| if let TermKind::Atom(atom) = kind { Some(atom.text()) } else { None });
        let is_new = |text: &&str| !known.contains(text) && !CLAIMED.contains(text);
        let expected = expected.filter(is_new).collect();
        let mut names: FxHashMap<usize, Vec<&'static str>> = FxHashMap::default();
        for pred in own().filter(|pred| pred.defined.is_some() && pred.key.arity > 0) {
            names.entry(pred.key.arity).or_default().push(pred.key.name.text());
        }
        Vocabulary { atoms: places, numbers, expected, names }
    }
}

/// Adds the edits of the words of a clause.
pub(super) fn add(program: &Program, words: &Vocabulary, clause: &Clause, found: &mut Vec<SmallEdit>) {
    let mut finder = WordEdits { program, words, clause, goals: Vec::new(), counts: FxHashMap::default(), found };
    finder.all();
}

struct WordEdits<'a> {
    program: &'a Program,
    words: &'a Vocabulary,
    clause: &'a Clause,
    /// The calls of the body, each with its predicate if the user wrote the predicate.
    goals: Vec<(Span, Option<PredId>)>,
    /// How many times each variable occurs in the text of the clause.
    counts: FxHashMap<u32, usize>,
    found: &'a mut Vec<SmallEdit>,
}

impl WordEdits<'_> {
    fn all(&mut self) {
        let tree = &self.clause.tree;
        calls(&self.clause.body, &mut self.goals);
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        let mut nodes: Vec<(NodeId, Span)> = Vec::new();
        for (node, kind) in tree.nodes() {
            let span = tree.span(node);
            // A clause made from a grammar rule has terms that are not in the text.
            let is_word = !matches!(kind, TermKind::Compound(..));
            if !self.clause.span.contains(span) || is_word && !seen.insert(span) {
                continue;
            }
            if let TermKind::Var(number) = kind {
                *self.counts.entry(*number).or_default() += 1;
            }
            nodes.push((node, span));
        }
        let slots = self.slots();
        for (node, span) in nodes {
            match tree.kind(node) {
                TermKind::Var(number) => self.variable(*number, span),
                TermKind::Int(number) => self.number(*number, span),
                TermKind::Atom(atom) => self.atom(*atom, slots.get(&node), span),
                TermKind::Compound(..) => self.compound(node),
                _ => {}
            }
        }
        for (span, pred) in self.goals.clone() {
            self.goal(span, pred);
        }
    }

    /// The place of each atom of the clause.
    fn slots(&self) -> FxHashMap<NodeId, Slot> {
        let tree = &self.clause.tree;
        let args = tree.nodes().filter_map(|(node, _)| Some((node, tree.functor(node)?)));
        args.flat_map(|(node, (name, arity))| {
            tree.args(node).iter().enumerate().map(move |(at, arg)| (*arg, (name, arity, at)))
        })
        .collect()
    }

    fn text(&self, span: Span) -> &str {
        self.program.sources.text(span)
    }

    fn add(&mut self, kind: EditKind, place: Span, changes: Vec<(Span, String)>, condition: String) {
        if self.found.len() < MOST_OF_CLAUSE_WITH_WORDS {
            self.found.push(SmallEdit { kind, clause: self.clause.span, place, changes, condition });
        }
    }

    /// An edit that writes another word.
    fn replace(&mut self, kind: EditKind, place: Span, word: Span, with: &str) {
        self.add(kind, place, vec![(word, with.to_string())], format!("this is {with}"));
    }

    fn variable(&mut self, number: u32, span: Span) {
        let variables = &self.clause.tree.variables;
        let is_named = |at: u32| !variables[at as usize].name.starts_with('_');
        // A variable that occurs twice would be left with one occurrence.
        if !is_named(number) || self.counts.get(&number).is_none_or(|count| *count == 2) {
            return;
        }
        let mut others: Vec<u32> = self.counts.keys().copied().filter(|at| *at != number && is_named(*at)).collect();
        others.sort_unstable();
        let lonely: Vec<u32> = others.iter().copied().filter(|at| self.counts[at] == 1).collect();
        for other in if lonely.is_empty() { others } else { lonely }.into_iter().take(MOST_OTHERS) {
            let name = self.clause.tree.variables[other as usize].name.clone();
            self.replace(EditKind::Variable, span, span, &name);
        }
    }

    fn number(&mut self, number: i64, span: Span) {
        if self.text(span).parse::<i64>() != Ok(number) {
            return;
        }
        let near = [number.saturating_add(1), number.saturating_sub(1), number.saturating_neg()];
        let mut others: Vec<i64> = Vec::new();
        for other in near.into_iter().chain(self.words.numbers.iter().copied()) {
            if other != number && !others.contains(&other) {
                others.push(other);
            }
        }
        for other in others {
            let kind = if near.contains(&other) { EditKind::Number } else { EditKind::Unlike };
            self.replace(kind, span, span, &other.to_string());
        }
    }

    fn atom(&mut self, atom: Atom, slot: Option<&Slot>, span: Span) {
        let text = self.text(span);
        let is_plain = text == atom.text() && text.starts_with(|first: char| first.is_ascii_lowercase());
        let Some(others) = slot.and_then(|slot| self.words.atoms.get(slot)).filter(|_| is_plain) else { return };
        if self.goals.iter().any(|(goal, _)| *goal == span) {
            return;
        }
        let is_plain = |text: &&&str| text.starts_with(|first: char| first.is_ascii_lowercase());
        // A name that only expectations have is likely to be the right one.
        for other in self
            .words
            .expected
            .iter()
            .chain(others)
            .filter(|other| **other != atom.text())
            .filter(is_plain)
            .take(MOST_OTHERS)
        {
            self.replace(EditKind::Atom, span, span, other);
        }
    }

    fn compound(&mut self, node: NodeId) {
        let tree = &self.clause.tree;
        let (Some((name, _)), span) = (tree.functor(node), tree.span(node)) else { return };
        if let Some(inner) = tree.unary(node, Atom::new("\\+")) {
            // The span of a term does not contain brackets around it.
            let with = format!("( {} )", self.text(tree.span(inner)));
            self.add(EditKind::Goal, span, vec![(span, with)], "\\+ is left out here".to_string());
            return;
        }
        if let Some((branches, last)) = tree.binary(node, atoms::SEMICOLON)
            && let Some((_, first)) = tree.binary(branches, atoms::ARROW)
        {
            let [first, last] = [first, last].map(|branch| tree.span(branch));
            let [text, other] = [first, last].map(|branch| format!("( {} )", self.text(branch)));
            let changes = vec![(first, other), (last, text)];
            let condition = format!("{} and {} are exchanged here", self.quoted(first), self.quoted(last));
            self.add(EditKind::Exchange, first.to(last), changes, condition);
            return;
        }
        let Some((_, others)) = CONFUSED.iter().find(|(known, _)| *known == name.text()) else { return };
        let Some(word) = self.word_of(node, name.text()) else { return };
        for other in *others {
            self.replace(EditKind::Operator, word, word, other);
        }
    }

    /// The place of an operator between its arguments, or of the name of a function.
    fn word_of(&self, node: NodeId, name: &str) -> Option<Span> {
        let tree = &self.clause.tree;
        let (span, args) = (tree.span(node), tree.args(node));
        let [first, second] = [args.first()?, args.get(1)?].map(|arg| tree.span(*arg));
        if !self.clause.span.contains(span) {
            return None;
        }
        let gap = if self.text(span).starts_with(&format!("{name}(")) {
            Span { end: first.start, ..span }
        } else if first.end <= second.start {
            Span { start: first.end, end: second.start, ..span }
        } else {
            return None;
        };
        let text = self.text(gap);
        let start = gap.start + text.find(name)? as u32;
        (text.matches(name).count() == 1).then(|| Span { start, end: start + name.len() as u32, ..span })
    }

    fn goal(&mut self, span: Span, pred: Option<PredId>) {
        let tree = &self.clause.tree;
        if !self.clause.span.contains(span) || self.found.len() >= MOST_OF_CLAUSE_WITH_WORDS {
            return;
        }
        let mut inside: FxHashMap<u32, usize> = FxHashMap::default();
        let mut before: FxHashSet<u32> = FxHashSet::default();
        for (node, kind) in tree.nodes() {
            let TermKind::Var(number) = kind else { continue };
            let place = tree.span(node);
            if span.contains(place) {
                *inside.entry(*number).or_default() += 1;
            } else if place.end <= span.start {
                before.insert(*number);
            }
        }
        // Without this goal, no variable may be left with one occurrence.
        if inside.iter().all(|(at, count)| self.counts.get(at).is_some_and(|all| *all != count + 1)) {
            self.add(EditKind::Goal, span, vec![(span, "true".into())], "this goal is left out".to_string());
        }
        if inside.keys().all(|at| before.contains(at)) {
            let negated = format!("\\+ ( {} )", self.text(span));
            self.add(EditKind::Goal, span, vec![(span, negated)], "\\+ stands before this goal".to_string());
        }
        let Some(key) = pred.map(|pred| self.program.predicate(pred).key) else { return };
        let name = key.name.text();
        let word = Span { end: span.start + name.len() as u32, ..span };
        if !self.text(span).starts_with(&format!("{name}(")) {
            return;
        }
        let others = self.words.names.get(&key.arity).cloned().unwrap_or_default();
        for other in others.into_iter().filter(|other| *other != name).take(MOST_OTHERS) {
            self.replace(EditKind::Unlike, word, word, other);
        }
    }

    fn quoted(&self, span: Span) -> String {
        quoted(&self.program.sources, span)
    }
}

/// The calls of a goal.
fn calls(goal: &Goal, found: &mut Vec<(Span, Option<PredId>)>) {
    let mut stack = vec![goal];
    while let Some(goal) = stack.pop() {
        match goal {
            Goal::Call { callee, span, .. } => {
                let pred = if let Callee::User(pred) = callee { Some(*pred) } else { None };
                found.push((*span, pred));
            }
            Goal::Conj(goals) => stack.extend(goals.iter().rev()),
            Goal::Or(one, other) => stack.extend([&**other, &**one]),
            Goal::If(one, two, three) | Goal::SoftIf(one, two, three) => stack.extend([&**three, &**two, &**one]),
            Goal::Not(inner) | Goal::Scope(inner) => stack.push(inner),
            Goal::Findall { goal, .. } => stack.push(goal),
            Goal::True | Goal::Fail | Goal::Cut | Goal::Meta(..) => {}
        }
    }
    found.retain(|(span, _)| span.start < span.end);
}
