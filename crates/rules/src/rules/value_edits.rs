//! Lists small edits of the words of a clause: another variable, number, operator or atom, a goal too many, or a cut.
//!
//! An edit that would leave a variable with one occurrence is not listed: the
//! clause without the mistake has no such variable.

use crate::rules::small_edit::{ClauseEdits, EditKind};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Goal, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The greatest number of edits of one clause, with those that are not of words.
const MOST_OF_CLAUSE_WITH_WORDS: usize = 10_000;

/// The greatest number of other atoms, numbers and predicates that are tried at one place.
const MOST_OTHERS: usize = 8;

/// The greatest number of other variables that are tried at one place.
const MOST_VARIABLES: usize = 16;

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

/// Operators of arithmetic and of comparisons.
const ARITHMETIC: [&str; 11] = ["+", "-", "*", "//", "mod", "<", ">", "=<", ">=", "=:=", "=\\="];

/// The places of results, each with its atoms.
const RESULTS: [(&str, (usize, usize), &[&str]); 2] =
    [("win", (1, 0), &["max", "min"]), ("outcome", (2, 1), &["draw"])];

/// A place of an atom: an argument of a term or goal of this name. All lists are one place.
type Slot = (Atom, usize, usize);

/// The words that a program uses.
pub(super) struct Vocabulary {
    /// The atoms at each place.
    atoms: FxHashMap<Slot, BTreeSet<&'static str>>,
    /// The integers, the frequent ones first.
    numbers: Vec<i64>,
    /// The atoms that only expectations have, at least two of them: one may be misspelt in the rules.
    expected: BTreeSet<&'static str>,
    /// The names of the user's predicates, by their number of arguments.
    names: FxHashMap<usize, Vec<&'static str>>,
    /// The arguments of the user's predicates in which some goal has a variable.
    variables: FxHashSet<Slot>,
}

impl Vocabulary {
    pub(super) fn of(program: &Program) -> Vocabulary {
        let own = || program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
        let (mut places, mut counts) = (FxHashMap::<Slot, BTreeSet<&'static str>>::default(), FxHashMap::default());
        let mut variables = FxHashSet::default();
        for clause in own().flat_map(|pred| &pred.clauses) {
            for (node, kind) in clause.tree.nodes() {
                if let TermKind::Int(number) = kind {
                    *counts.entry(*number).or_insert(0_u32) += 1;
                }
                let Some((name, arity)) = clause.tree.functor(node) else { continue };
                for (at, arg) in clause.tree.args(node).iter().enumerate() {
                    match clause.tree.kind(*arg) {
                        TermKind::Atom(atom) => _ = places.entry((name, arity, at)).or_default().insert(atom.text()),
                        TermKind::Var(_) if node != clause.head => _ = variables.insert((name, arity, at)),
                        _ => {}
                    }
                }
            }
        }
        let mut numbers: Vec<(i64, u32)> = counts.into_iter().collect();
        numbers.sort_by_key(|(number, count)| (std::cmp::Reverse(*count), *number));
        let numbers = numbers.into_iter().map(|(number, _)| number).take(MOST_OTHERS).collect();
        for (name, place, results) in RESULTS {
            places.entry((Atom::new(name), place.0, place.1)).or_default().extend(results);
        }
        let known: FxHashSet<&str> = places.values().flatten().copied().collect();
        // An atom of one expectation is more likely to be misspelt there.
        let mut expectations: FxHashMap<&'static str, usize> = FxHashMap::default();
        for expected in &program.expectations {
            let atom = |kind: &TermKind| if let TermKind::Atom(atom) = kind { Some(atom.text()) } else { None };
            let atoms: BTreeSet<&'static str> = expected.tree.nodes().filter_map(|(_, kind)| atom(kind)).collect();
            atoms.into_iter().for_each(|atom| *expectations.entry(atom).or_default() += 1);
        }
        let is_new = |text: &&str| !known.contains(text) && !is_claim(text);
        let frequent = expectations.into_iter().filter(|(_, count)| *count >= 2).map(|(text, _)| text);
        let expected = frequent.filter(is_new).collect();
        let mut names: FxHashMap<usize, Vec<&'static str>> = FxHashMap::default();
        for pred in own().filter(|pred| pred.defined.is_some() && pred.key.arity > 0) {
            names.entry(pred.key.arity).or_default().push(pred.key.name.text());
        }
        let is_own = |(name, arity, _): &Slot| names.get(arity).is_some_and(|all| all.contains(&name.text()));
        variables.retain(is_own);
        Vocabulary { atoms: places, numbers, expected, names, variables }
    }
}

/// Whether a name belongs to the notation of expectations.
pub(super) fn is_claim(name: &str) -> bool {
    ["expect", "perft", "value", "best", "holds", "fails", "win"].contains(&name)
}

/// Adds the edits of the words of a clause.
pub(super) fn add(words: &Vocabulary, edits: &mut ClauseEdits<'_>) {
    edits.most = MOST_OF_CLAUSE_WITH_WORDS;
    WordEdits { words, goals: Vec::new(), counts: FxHashMap::default(), edits }.all();
}

struct WordEdits<'a, 'b> {
    words: &'b Vocabulary,
    /// The calls of the body, each with its predicate if the user wrote the predicate.
    goals: Vec<(Span, Option<PredId>)>,
    /// How many times each variable occurs in the text of the clause.
    counts: FxHashMap<u32, usize>,
    edits: &'b mut ClauseEdits<'a>,
}

impl WordEdits<'_, '_> {
    fn all(&mut self) {
        let tree = &self.edits.clause.tree;
        calls(&self.edits.clause.body, &mut self.goals);
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        let mut nodes: Vec<(NodeId, Span)> = Vec::new();
        for (node, kind) in tree.nodes() {
            let span = tree.span(node);
            // A clause made from a grammar rule has terms that are not in the text.
            let is_word = !matches!(kind, TermKind::Compound(..));
            if !self.edits.clause.span.contains(span) || is_word && !seen.insert(span) {
                continue;
            }
            if let TermKind::Var(number) = kind {
                *self.counts.entry(*number).or_default() += 1;
            }
            nodes.push((node, span));
        }
        self.cut();
        let slots = self.slots();
        for (node, span) in nodes {
            match tree.kind(node) {
                TermKind::Var(number) => self.variable(*number, slots.get(&node), span),
                TermKind::Int(number) => self.number(*number, slots.get(&node), span),
                TermKind::Atom(atom) => {
                    let linked = self.linked(node, &slots);
                    self.atom(*atom, (slots.get(&node), &linked), span);
                }
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
        let tree = &self.edits.clause.tree;
        let args = tree.nodes().filter_map(|(node, _)| Some((node, tree.functor(node)?)));
        args.flat_map(|(node, (name, arity))| {
            tree.args(node).iter().enumerate().map(move |(at, arg)| (*arg, (name, arity, at)))
        })
        .collect()
    }

    /// The other variables that may be meant at a place: those that occur once, or else all. Also returns whether these
    /// variables occur once.
    fn other_variables(&self, number: Option<u32>) -> (Vec<String>, bool) {
        let variables = &self.edits.clause.tree.variables;
        let is_named = |at: &u32| !variables[*at as usize].name.starts_with('_');
        let mut others: Vec<u32> =
            self.counts.keys().copied().filter(|at| Some(*at) != number && is_named(at)).collect();
        others.sort_unstable();
        let singletons: Vec<u32> = others.iter().copied().filter(|at| self.counts[at] == 1).collect();
        let (mut others, occur_once) = if singletons.is_empty() { (others, false) } else { (singletons, true) };
        // Names such as Table and Table1 are confused first.
        let stem = |at: u32| variables[at as usize].name.trim_end_matches(|last: char| last.is_ascii_digit());
        others.sort_by_key(|other| number.is_none_or(|number| stem(number) != stem(*other)));
        let names = others.into_iter().take(MOST_VARIABLES).map(|other| variables[other as usize].name.to_string());
        (names.collect(), occur_once)
    }

    fn variable(&mut self, number: u32, slot: Option<&Slot>, span: Span) {
        let tree = &self.edits.clause.tree;
        let name = &tree.variables[number as usize].name;
        if &**name == "_" && !tree.span(self.edits.clause.head).contains(span) {
            self.open(slot, span);
            return;
        }
        let is_named = !name.starts_with('_');
        // A variable that occurs twice would be left with one occurrence.
        if !is_named || self.counts.get(&number).is_none_or(|count| *count == 2) {
            return;
        }
        for name in self.other_variables(Some(number)).0 {
            self.edits.replace(EditKind::Variable, span, &name);
        }
        if is_arithmetic_argument(slot) {
            for number in ["0", "1"] {
                self.edits.replace(EditKind::Unlike, span, number);
            }
        }
    }

    /// Adds the edits of an argument that is left open in a body. Under a name of a predicate of the user, it may be a
    /// variable of the clause. It may be an atom that other goals have there, or one that stands with such an atom at
    /// other places.
    fn open(&mut self, slot: Option<&Slot>, span: Span) {
        if slot.is_some_and(|(name, ..)| self.words.names.values().flatten().any(|own| *own == name.text())) {
            for name in self.other_variables(None).0 {
                self.edits.replace(EditKind::Variable, span, &name);
            }
        }
        let Some(known) = slot.and_then(|slot| self.words.atoms.get(slot)) else { return };
        let beside = self.words.atoms.values().filter(|atoms| !atoms.is_disjoint(known)).flatten();
        let others: BTreeSet<&str> = beside.copied().filter(|atom| !known.contains(atom)).collect();
        let is_plain = |atom: &&&str| atom.starts_with(|first: char| first.is_ascii_lowercase());
        for atom in known.iter().chain(&others).filter(is_plain).take(MOST_OTHERS) {
            self.edits.replace(EditKind::Atom, span, atom);
        }
    }

    fn number(&mut self, number: i64, slot: Option<&Slot>, span: Span) {
        if self.edits.text(span).parse::<i64>() != Ok(number) {
            return;
        }
        // Of a sum, the other operator is tried.
        let is_sum = slot.is_some_and(|(name, arity, _)| *arity == 2 && matches!(name.text(), "+" | "-"));
        let negated = if is_sum { number } else { number.saturating_neg() };
        let near = [number.saturating_add(1), number.saturating_sub(1), negated];
        let mut others: Vec<i64> = Vec::new();
        for other in near.into_iter().chain(self.words.numbers.iter().copied()) {
            if other != number && !others.contains(&other) {
                others.push(other);
            }
        }
        for other in others {
            let kind = if near.contains(&other) { EditKind::Number } else { EditKind::Unlike };
            self.edits.replace(kind, span, &other.to_string());
        }
        let (names, occur_once) = self.other_variables(None);
        for name in names.into_iter().filter(|_| occur_once || is_arithmetic_argument(slot)) {
            self.edits.replace(if occur_once { EditKind::Variable } else { EditKind::Unlike }, span, &name);
        }
    }

    /// The places of the variable that a goal makes equal to a constant.
    fn linked(&self, constant: NodeId, slots: &FxHashMap<NodeId, Slot>) -> Vec<Slot> {
        let tree = &self.edits.clause.tree;
        if slots.get(&constant).is_none_or(|(name, ..)| *name != atoms::EQUAL) {
            return Vec::new();
        }
        let equal = tree.nodes().find_map(|(node, _)| {
            let (left, right) = tree.binary(node, atoms::EQUAL)?;
            let other = if left == constant { right } else { Some(left).filter(|_| right == constant)? };
            if let TermKind::Var(number) = tree.kind(other) { Some(*number) } else { None }
        });
        let occurs = |node: &NodeId| matches!(tree.kind(*node), TermKind::Var(number) if Some(*number) == equal);
        let found = slots.iter().filter(|(node, _)| occurs(node)).map(|(_, slot)| *slot);
        let mut found: Vec<Slot> = found.filter(|(name, ..)| *name != atoms::EQUAL).collect();
        found.sort_unstable_by_key(|(name, arity, at)| (name.text(), *arity, *at));
        found
    }

    /// Adds the edits of an atom. `linked` are the places of a variable that a goal makes equal to it.
    fn atom(&mut self, atom: Atom, (slot, linked): (Option<&Slot>, &[Slot]), span: Span) {
        let text = self.edits.text(span);
        let begins_small = text.starts_with(|first: char| first.is_ascii_lowercase());
        let is_plain = atom == atoms::NIL || text == atom.text() && begins_small;
        let Some(&(name, arity, at)) = slot.filter(|_| is_plain) else { return };
        if self.goals.iter().any(|(goal, _)| *goal == span) {
            return;
        }
        let (names, occur_once) = self.other_variables(None);
        let clause = self.edits.clause;
        let is_in_body = !clause.tree.span(clause.head).contains(span);
        let takes_variables = is_in_body && self.words.variables.contains(&(name, arity, at));
        for name in names.into_iter().filter(|_| occur_once || takes_variables) {
            self.edits.replace(EditKind::Variable, span, &name);
        }
        // A name that only expectations have is likely to be the right one, then those at this place, then those at the
        // other places: edge(a, b) and edge(b, c) have one kind of atoms.
        let elsewhere = (0..arity).filter(|other| *other != at);
        let places = std::iter::once(at).chain(elsewhere).map(|at| (name, arity, at));
        let places = linked.iter().copied().chain(places).filter_map(|slot| self.words.atoms.get(&slot));
        let mut others: Vec<&str> = Vec::new();
        for other in self.words.expected.iter().chain(places.flatten()) {
            if others.len() == MOST_OTHERS {
                break;
            }
            let is_plain = other.starts_with(|first: char| first.is_ascii_lowercase());
            if is_plain && *other != atom.text() && !others.contains(other) {
                others.push(other);
            }
        }
        for other in others {
            self.edits.replace(EditKind::Atom, span, other);
        }
    }

    fn compound(&mut self, node: NodeId) {
        let tree = &self.edits.clause.tree;
        let (Some((name, _)), span) = (tree.functor(node), tree.span(node)) else { return };
        if let Some(inner) = tree.unary(node, Atom::new("\\+")) {
            // The span of a term does not contain brackets around it.
            let with = format!("( {} )", self.edits.text(tree.span(inner)));
            self.edits.add(EditKind::Goal, span, vec![(span, with)], "\\+ is left out here".to_string());
            return;
        }
        if let Some((branches, last)) = tree.binary(node, atoms::SEMICOLON)
            && let Some((_, first)) = tree.binary(branches, atoms::ARROW)
        {
            let [first, last] = [first, last].map(|branch| tree.span(branch));
            let [text, other] = [first, last].map(|branch| format!("( {} )", self.edits.text(branch)));
            let changes = vec![(first, other), (last, text)];
            let condition = format!("{} and {} are exchanged here", self.edits.quoted(first), self.edits.quoted(last));
            self.edits.add(EditKind::Branches, first.to(last), changes, condition);
            return;
        }
        if name.text() == "is"
            && let Some((_, value)) = tree.binary(node, name)
            && !matches!(tree.kind(value), TermKind::Int(_))
        {
            let (place, text) = (tree.span(value), self.edits.text(tree.span(value)));
            for with in [format!("{text} + 1"), format!("{text} - 1")] {
                self.edits.replace(EditKind::OffByOne, place, &with);
            }
        }
        let Some((_, others)) = CONFUSED.iter().find(|(known, _)| *known == name.text()) else { return };
        let Some(word) = self.edits.name_of(node, name) else { return };
        for other in *others {
            // Few people write a product for a sum.
            let kind = if (name.text(), *other) == ("+", "*") { EditKind::Unlike } else { EditKind::Operator };
            self.edits.replace(kind, word, other);
        }
    }

    /// A cut at the end of the clause, if other clauses follow and the clause has no cut.
    fn cut(&mut self) {
        let ClauseEdits { program, clause, at, .. } = *self.edits;
        let tree = &clause.tree;
        let has_cut = tree.nodes().any(|(_, kind)| *kind == TermKind::Atom(atoms::CUT));
        if at.1 + 1 >= program.predicate(at.0).clauses.len() || has_cut {
            return;
        }
        let text = self.edits.text(clause.span).trim_end();
        let text = text.strip_suffix('.').unwrap_or(text).trim_end();
        let end = clause.span.start + text.len() as u32;
        let cut = if matches!(clause.body, Goal::True) { " :- !" } else { ", !" };
        let changes = vec![(Span { start: end, end, ..clause.span }, cut.to_string())];
        self.edits.add(EditKind::Cut, tree.span(clause.head), changes, "a cut ends this clause".to_string());
    }

    fn goal(&mut self, span: Span, pred: Option<PredId>) {
        let tree = &self.edits.clause.tree;
        if !self.edits.clause.span.contains(span) || self.edits.is_full() {
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
            self.edits.add(EditKind::Goal, span, vec![(span, "true".into())], "this goal is left out".to_string());
        }
        if inside.keys().all(|at| before.contains(at)) {
            let negated = format!("\\+ ( {} )", self.edits.text(span));
            self.edits.add(EditKind::Goal, span, vec![(span, negated)], "\\+ stands before this goal".to_string());
        }
        let Some(key) = pred.map(|pred| self.edits.program.predicate(pred).key) else { return };
        let name = key.name.text();
        let word = Span { end: span.start + name.len() as u32, ..span };
        if !self.edits.text(span).starts_with(&format!("{name}(")) {
            return;
        }
        let others = self.words.names.get(&key.arity).cloned().unwrap_or_default();
        for other in others.into_iter().filter(|other| *other != name).take(MOST_OTHERS) {
            self.edits.replace(EditKind::Unlike, word, other);
        }
    }
}

/// Whether a place is an argument of arithmetic or of a comparison.
fn is_arithmetic_argument(slot: Option<&Slot>) -> bool {
    slot.is_some_and(|(name, ..)| ARITHMETIC.contains(&name.text()))
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
