//! Finds heads with a list of a fixed length that no list of random play has.
//!
//! A head such as `home([b, _], min)` looks like `home([b|_], min)`, but takes only lists of two elements. If
//! all lists that come there have one other length, a warning reports the head. A watched game answers the
//! questions about the positions of random play once more. A game with parameters is left out, because
//! a parameter may change the lengths.

use crate::rules::Rules;
use crate::rules::game::RuleGame;
use crate::rules::playouts::{PlayoutChecker, ask_all};
use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, PredId, Program};
use alphorn_prolog::machine::watch::{GoalPort, PortEvent, Watcher};
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// With fewer calls, a length means nothing.
const OFTEN: u64 = 10;

/// The greatest number of positions that are asked about, and of calls that are looked at.
const MOST: (usize, u64) = (40, 100_000);

/// A predicate with more clauses is a table.
const TABLE: usize = 12;

/// The place of a list in a head: the number of the argument, then the functors and arguments below it.
#[derive(Clone, PartialEq, Eq)]
struct Place {
    argument: usize,
    path: Vec<(Atom, usize, usize)>,
}

/// A list of a fixed length in a head, and the lists that came there.
struct FixedList {
    place: Place,
    length: usize,
    /// The list in the text, and its first element.
    span: Span,
    first: Span,
    calls: u64,
    lengths: FxHashSet<usize>,
}

/// The lists of fixed lengths in the heads of each predicate.
#[derive(Default)]
struct Lengths {
    lists: FxHashMap<PredId, Vec<FixedList>>,
    calls: u64,
}

impl Watcher for Lengths {
    fn pass(&mut self, passed: PortEvent<'_>) -> bool {
        if let (GoalPort::Call, Callee::User(pred)) = (passed.port, passed.callee)
            && let Some(lists) = self.lists.get_mut(&pred)
            && self.calls < MOST.1
        {
            self.calls += 1;
            for list in lists {
                list.see(&passed.store.heap, passed.args);
            }
        }
        true
    }
}

impl FixedList {
    fn see(&mut self, heap: &Heap, args: &[Term]) {
        let Some(mut term) = args.get(self.place.argument).copied() else { return };
        for (name, arity, argument) in &self.place.path {
            match heap.view(term) {
                TermView::Compound(other, args) if other == *name && args.len() == *arity => {
                    term = Term::of_cell(args[*argument]);
                }
                _ => return,
            }
        }
        match heap.view(term) {
            TermView::Compound(atoms::DOT, _) => {
                self.calls += 1;
                self.lengths.insert(heap.elements(term).0.len());
            }
            // An empty list or another term may come there, so lengths may differ.
            _ => _ = self.lengths.insert(0),
        }
    }

    fn problem(&self, program: &Program, pred: PredId) -> Option<Problem> {
        let mut lengths = self.lengths.iter();
        let usual = *lengths.next().filter(|usual| **usual > self.length)?;
        if lengths.next().is_some() || self.calls < OFTEN {
            return None;
        }
        let (own, first) = (quoted(&program.sources, self.span), quoted(&program.sources, self.first));
        let elements = |count: usize| plural(count as u64, "element", "elements");
        let message = format!(
            "{own} takes only lists of {}, and the lists of random play have {} here",
            elements(self.length),
            elements(usual)
        );
        let help = format!(
            "this clause of {} never applies: write [{first}|_] for a list of any length that begins with {first}",
            program.indicator(pred)
        );
        Some(Problem::warning(Code::GoalNeverSucceeds, self.span, message).help(help))
    }
}

impl PlayoutChecker<'_> {
    /// Reports heads with a list of a fixed length that no list of random play has.
    pub(super) fn fixed_lengths(&mut self) {
        let rules = &self.game.rules;
        let program = &rules.program;
        let lists = candidates(program);
        if lists.is_empty() || !program.params.is_empty() || !self.problems.is_empty() {
            return;
        }
        let watcher = Rc::new(RefCell::new(Lengths { lists, calls: 0 }));
        let rules = Rules { advice: None, ..rules.clone() };
        let (budget, stop) = (self.game.asker.budget(), self.game.asker.stop.clone());
        let solver = rules.reference(&stop).watched(watcher.clone());
        let Ok(game) = RuleGame::interpreted(rules, solver, budget, stop) else { return };
        for position in self.positions.iter().take(MOST.0) {
            ask_all(&game, position);
        }
        let watcher = watcher.borrow();
        let mut found: Vec<Problem> = watcher
            .lists
            .iter()
            .flat_map(|(pred, lists)| lists.iter().filter_map(|list| list.problem(program, *pred)))
            .collect();
        found.sort_by_key(|problem| problem.labels[0].0);
        self.problems.append(&mut found);
    }
}

/// The lists of fixed lengths in the heads of the user's predicates, if no other head has a list of another
/// length there.
fn candidates(program: &Program) -> FxHashMap<PredId, Vec<FixedList>> {
    let mut found: FxHashMap<PredId, Vec<FixedList>> = FxHashMap::default();
    for (pred, predicate) in (0..).map(PredId).zip(&program.predicates) {
        if !program.is_users(predicate.key.scope) || predicate.clauses.len() > TABLE {
            continue;
        }
        let all: Vec<FixedList> = predicate.clauses.iter().flat_map(in_head).collect();
        let alone = |list: &FixedList| all.iter().all(|other| other.place != list.place || other.length == list.length);
        let keep: Vec<bool> = all.iter().map(alone).collect();
        let kept: Vec<FixedList> = all.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(list, _)| list).collect();
        if !kept.is_empty() {
            found.insert(pred, kept);
        }
    }
    found
}

/// The lists of two or more elements in a head, of which one is a variable.
fn in_head(clause: &Clause) -> Vec<FixedList> {
    let tree = &clause.tree;
    let mut found = Vec::new();
    let mut stack: Vec<(NodeId, Place)> = Vec::new();
    for (argument, node) in tree.args(clause.head).iter().enumerate() {
        stack.push((*node, Place { argument, path: Vec::new() }));
    }
    while let Some((node, place)) = stack.pop() {
        match tree.kind(node) {
            TermKind::Compound(atoms::DOT, _) => found.extend(fixed(tree, node, place)),
            TermKind::Compound(name, _) => {
                let args = tree.args(node);
                for (at, arg) in args.iter().enumerate() {
                    let path = place.path.iter().copied().chain([(*name, args.len(), at)]).collect();
                    stack.push((*arg, Place { argument: place.argument, path }));
                }
            }
            _ => {}
        }
    }
    found
}

fn fixed(tree: &TermTree, node: NodeId, place: Place) -> Option<FixedList> {
    let elements = tree.list(node).filter(|elements| elements.len() > 1)?;
    let is_open = |element: &NodeId| matches!(tree.kind(*element), TermKind::Var(_));
    elements.last().filter(|last| is_open(last))?;
    let (span, first) = (tree.span(node), tree.span(elements[0]));
    Some(FixedList { place, length: elements.len(), span, first, calls: 0, lengths: FxHashSet::default() })
}
