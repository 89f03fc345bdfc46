//! Finds facts with an argument unlike that of all other facts of their predicate.
//!
//! The facts of a predicate are a table. A warning reports a word in a column of numbers, a pair or a list in a column
//! of atoms, an atom in a column of lists, and a fact with two atoms exchanged. Nothing is run.

use crate::rules::mentions::mentions;
use crate::rules::sketch::{PAIRS, quoted};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Goal, Predicate, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// The least and the greatest number of facts that are compared. A table with more was not written by hand.
const FEWEST: usize = 3;
const MOST: usize = 200;

/// With fewer facts, a pair or a list among atoms may be meant, and so may be another order of two atoms.
const FEWEST_FOR_ATOMS: usize = 5;

/// What an argument of a fact is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Atom,
    /// A list that is not empty.
    List,
    /// A pair of two parts, such as `a-b`.
    Pair,
    Other,
}

/// An argument of a fact.
#[derive(Clone, Copy)]
struct Cell<'a> {
    tree: &'a TermTree,
    node: NodeId,
}

impl Cell<'_> {
    fn kind(self) -> Kind {
        match self.tree.kind(self.node) {
            TermKind::Int(_) | TermKind::Big(_) | TermKind::Float(_) => Kind::Number,
            TermKind::Compound(atoms::DOT, _) => Kind::List,
            TermKind::Compound(name, _) if PAIRS.contains(&name.text()) => Kind::Pair,
            TermKind::Atom(name) if *name != atoms::NIL => Kind::Atom,
            _ => Kind::Other,
        }
    }

    fn atom(self) -> Option<Atom> {
        match self.tree.kind(self.node) {
            TermKind::Atom(name) if *name != atoms::NIL => Some(*name),
            _ => None,
        }
    }

    fn span(self) -> Span {
        self.tree.span(self.node)
    }
}

/// Reports every such fact.
pub(super) fn check(program: &Program, problems: &mut Vec<Problem>) {
    let mentioned = OnceCell::new();
    let mut found = Vec::new();
    for pred in program.predicates.iter().filter(|pred| program.is_users(pred.key.scope)) {
        if !(FEWEST..=MOST).contains(&pred.clauses.len()) || !is_table(pred) {
            continue;
        }
        let columns: Vec<Vec<Cell<'_>>> = (0..pred.key.arity).map(|at| column(pred, at)).collect();
        for cells in &columns {
            found.extend(odd(program, cells, &mentioned));
        }
        for (at, one) in columns.iter().enumerate() {
            found.extend(columns[at + 1..].iter().filter_map(|other| exchanged(program, one, other)));
        }
    }
    // Another check may report the fact with what comes there.
    let is_told =
        |place: Span| problems.iter().filter_map(|other| other.labels.first()).any(|(own, _)| place.contains(*own));
    found.retain(|problem| !is_told(problem.labels[0].0));
    problems.extend(found);
}

/// Whether all clauses are facts that stand in the text. The facts of parameters do not.
fn is_table(pred: &Predicate) -> bool {
    pred.clauses.iter().all(|clause| {
        let (tree, head) = (&clause.tree, clause.tree.span(clause.head));
        let is_inside = |arg: &NodeId| head.contains(tree.span(*arg)) && tree.span(*arg).start > head.start;
        matches!(clause.body, Goal::True) && tree.args(clause.head).iter().all(is_inside)
    })
}

fn column(pred: &Predicate, at: usize) -> Vec<Cell<'_>> {
    pred.clauses.iter().map(|clause| Cell { tree: &clause.tree, node: clause.tree.args(clause.head)[at] }).collect()
}

/// The problem of the only argument that differs from all others of a column.
fn odd(program: &Program, cells: &[Cell<'_>], mentioned: &OnceCell<FxHashMap<Atom, usize>>) -> Option<Problem> {
    let kinds: Vec<Kind> = cells.iter().map(|cell| cell.kind()).collect();
    let usual = if kinds[0] == kinds[1] || kinds[0] == kinds[2] { kinds[0] } else { kinds[1] };
    let mut odd = (0..cells.len()).filter(|at| kinds[*at] != usual);
    let (at, None) = (odd.next()?, odd.next()) else { return None };
    let (cell, text) = (cells[at], quoted(&program.sources, cells[at].span()));
    let (message, help) = match (usual, kinds[at]) {
        // A word that other clauses use may be meant.
        (Kind::Number, Kind::Atom)
            if mentioned.get_or_init(|| mentions(program)).get(&cell.atom()?).copied() == Some(1) =>
        {
            (format!("{text} is in an argument that is a number in all other facts"), "write a number".to_string())
        }
        (Kind::Atom, Kind::Pair | Kind::List) if cells.len() >= FEWEST_FOR_ATOMS => {
            (format!("{text} is in an argument that is an atom in all other facts"), "write an atom".to_string())
        }
        (Kind::List, Kind::Atom) if cells.iter().any(|other| has_element(*other, cell.atom())) => {
            (format!("{text} is not a list, but all other facts have a list here"), format!("write [{text}]"))
        }
        _ => return None,
    };
    Some(Problem::warning(Code::GoalNeverSucceeds, cell.span(), message).help(help))
}

fn has_element(list: Cell<'_>, atom: Option<Atom>) -> bool {
    let elements = list.tree.list(list.node).unwrap_or_default();
    elements.into_iter().any(|node| Cell { tree: list.tree, node }.atom() == atom)
}

/// The problem of the only fact with two atoms exchanged: each is in the column of the other one in other facts, and
/// nowhere in its own.
fn exchanged(program: &Program, left: &[Cell<'_>], right: &[Cell<'_>]) -> Option<Problem> {
    let names = |cells: &[Cell<'_>]| cells.iter().map(|cell| cell.atom()).collect::<Option<Vec<Atom>>>();
    let (first, second) = (names(left)?, names(right)?);
    if first.len() < FEWEST_FOR_ATOMS {
        return None;
    }
    let count = |names: &[Atom]| {
        let mut counts: FxHashMap<Atom, usize> = FxHashMap::default();
        names.iter().for_each(|name| *counts.entry(*name).or_default() += 1);
        counts
    };
    let (lefts, rights) = (count(&first), count(&second));
    // Without the fact, no atom is in both columns.
    let common: Vec<Atom> = lefts.keys().copied().filter(|name| rights.contains_key(name)).collect();
    let is_turned = |at: &usize| {
        let (own, there) = (first[*at], second[*at]);
        own != there
            && common.len() == 2
            && common.contains(&own)
            && common.contains(&there)
            && lefts[&own] == 1
            && rights[&there] == 1
    };
    let at = (0..first.len()).find(is_turned)?;
    // The table may have both directions of a way.
    if (0..first.len()).any(|other| (first[other], second[other]) == (second[at], first[at])) {
        return None;
    }
    let [own, there] = [left[at].span(), right[at].span()];
    let [one, other] = [own, there].map(|span| quoted(&program.sources, span));
    let message = format!("{one} and {other} are in the wrong order here: in all other facts they are exchanged");
    Some(Problem::warning(Code::GoalNeverSucceeds, own.to(there), message).help(format!("exchange {one} and {other}")))
}
