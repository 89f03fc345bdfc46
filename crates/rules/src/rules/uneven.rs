//! Finds rows of a table that differ from all other rows.
//!
//! A row is a fact, or an element of a list in the text. A warning reports two exchanged columns, a
//! missing list, or another functor. Nothing is run. Only `check` calls this check.

use crate::rules::contract::{Contract, PICTURE_ITEMS};
use crate::rules::sketch::{quoted, written};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Goal, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A table must have more rows than this number.
const FEWEST: usize = 2;

/// A table with more rows was not written by hand.
const MOST: usize = 200;

/// The fewest elements of a row of a board that is found without its brackets.
const SHORTEST_ROW: usize = 3;

/// The sort of term in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Name,
    Text,
    List,
    Term(Atom, usize),
    /// A variable.
    Open,
}

/// A row: its term, and the sorts of its columns.
struct Row<'a> {
    tree: &'a TermTree,
    node: NodeId,
    sorts: Vec<Sort>,
}

/// Reports every row that differs from the other rows of its table.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let mut found = Vec::new();
    // A picture has items of several forms, and often one of a form.
    let is_item = |element: Option<(Atom, usize)>| {
        contract.draw.is_some() && element.is_some_and(|(name, arity)| PICTURE_ITEMS.contains(&(name.text(), arity)))
    };
    let own = || program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    for pred in own() {
        let facts = pred.clauses.iter().filter(|clause| matches!(clause.body, Goal::True));
        let rows: Vec<Row<'_>> = facts.map(|clause| row(&clause.tree, clause.head)).collect();
        if rows.len() == pred.clauses.len() {
            uneven(program, &rows, &mut found);
        }
    }
    let mut functors: FxHashMap<(Atom, usize), usize> = FxHashMap::default();
    for clause in own().flat_map(|pred| &pred.clauses) {
        for (node, _) in clause.tree.nodes() {
            if let Some(functor) = clause.tree.functor(node) {
                *functors.entry(functor).or_default() += 1;
            }
        }
    }
    for clause in own().flat_map(|pred| &pred.clauses) {
        let tree = &clause.tree;
        let inner: FxHashSet<NodeId> =
            tree.nodes().filter_map(|(node, _)| Some(tree.binary(node, atoms::DOT)?.1)).collect();
        for (node, kind) in tree.nodes() {
            if !matches!(kind, TermKind::Compound(atoms::DOT, _)) || inner.contains(&node) {
                continue;
            }
            let Some(elements) = tree.list(node).filter(|elements| elements.len() <= MOST) else { continue };
            let rows: Vec<Row<'_>> = elements.into_iter().map(|element| row(tree, element)).collect();
            if !rows.iter().any(|row| is_item(tree.functor(row.node))) {
                renamed(program, &rows, &functors, &mut found);
            }
            uneven(program, &rows, &mut found);
            found.extend(bracketed(program, tree, &rows));
        }
    }
    let told = |problem: &Problem| problems.iter().any(|other| other.labels.first() == problem.labels.first());
    found.retain(|problem| !told(problem));
    problems.extend(found);
}

fn row(tree: &TermTree, node: NodeId) -> Row<'_> {
    Row { tree, node, sorts: tree.args(node).iter().map(|arg| sort(tree, *arg)).collect() }
}

fn sort(tree: &TermTree, node: NodeId) -> Sort {
    match tree.kind(node) {
        TermKind::Var(_) => Sort::Open,
        TermKind::Int(_) | TermKind::Big(_) | TermKind::Float(_) => Sort::Number,
        TermKind::Text(_) => Sort::Text,
        TermKind::Atom(atoms::NIL) | TermKind::Compound(atoms::DOT, _) => Sort::List,
        TermKind::Atom(_) => Sort::Name,
        TermKind::Compound(..) => tree.functor(node).map_or(Sort::Open, |(name, arity)| Sort::Term(name, arity)),
    }
}

/// Reports an element whose functor differs from all others and occurs nowhere else.
fn renamed(program: &Program, rows: &[Row<'_>], functors: &FxHashMap<(Atom, usize), usize>, found: &mut Vec<Problem>) {
    for row in rows {
        let Some(own) = row.tree.functor(row.node).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT) else {
            continue;
        };
        let mut others = rows.iter().filter(|other| other.node != row.node).map(|other| other.tree.functor(other.node));
        let Some(Some(first)) = others.next() else { continue };
        let even = rows.len() > FEWEST && first != own && first.1 > 0 && others.all(|other| other == Some(first));
        if even && functors.get(&own) == Some(&1) && functors.get(&first).is_some_and(|count| *count > rows.len() - 1) {
            let text = quoted(&program.sources, row.tree.span(row.node));
            let (others, wanted) = match first.0 {
                atoms::DOT => ("lists".to_string(), "a list".to_string()),
                name => (format!("{}/{}", name.text(), first.1), written(name, first.1, &program.ops)),
            };
            let message = format!("{text} is in a list in which all other elements are {others}");
            let help = format!("{}/{} occurs nowhere else: write {wanted} here", own.0.text(), own.1);
            found.push(Problem::warning(Code::ClauseMatchesNoPosition, row.tree.span(row.node), message).help(help));
        }
    }
}

/// Reports a row of a board without its brackets, as in `[[1,0,0],0,1,0,[0,0,1]]`, and a row with two pairs of
/// brackets, as in `[[[1,0]],[0,1],[1,1]]`.
fn bracketed(program: &Program, tree: &TermTree, rows: &[Row<'_>]) -> Option<Problem> {
    let text = |node: NodeId| match tree.kind(node) {
        TermKind::Atom(atoms::NIL) => None,
        TermKind::Int(_) | TermKind::Atom(_) => Some(program.sources.text(tree.span(node))),
        _ => None,
    };
    let is_plain = |row: &Vec<NodeId>| row.iter().all(|cell| text(*cell).is_some());
    let lists: Vec<Option<Vec<NodeId>>> = rows.iter().map(|row| tree.list(row.node)).collect();
    let plain: Vec<&Vec<NodeId>> = lists.iter().flatten().filter(|row| is_plain(row) && row.len() > 1).collect();
    let [first, _, ..] = &plain[..] else { return None };
    if plain.iter().any(|row| row.len() != first.len()) {
        return None;
    }
    let others = format!("the other elements of the list are lists of {} elements", first.len());
    let mut odd = (0..rows.len()).filter(|at| !lists[*at].as_ref().is_some_and(is_plain));
    let at = odd.next()?;
    let span = tree.span(rows[at].node);
    if let Some([inner]) = lists[at].as_deref()
        && tree.list(*inner).is_some_and(|row| is_plain(&row) && row.len() == first.len())
        && odd.next().is_none()
    {
        let message = format!("{} has two pairs of brackets, and {others}", quoted(&program.sources, span));
        let help = format!("write {}", quoted(&program.sources, tree.span(*inner)));
        return Some(Problem::warning(Code::ClauseMatchesNoPosition, span, message).help(help));
    }
    // Two hands and the state of a game are no board: its rows share their cells.
    let end = at + first.len();
    let own = rows.get(at..end).filter(|_| first.len() >= SHORTEST_ROW)?;
    let cells: FxHashSet<&str> = plain.iter().flat_map(|row| row.iter()).filter_map(|cell| text(*cell)).collect();
    let is_row = own.iter().all(|cell| text(cell.node).is_some_and(|text| cells.contains(text)));
    if !is_row || odd.count() + 1 != first.len() {
        return None;
    }
    let whole = span.to(tree.span(rows[end - 1].node));
    let own = quoted(&program.sources, whole);
    let message = format!("{own} is not in brackets, and {others}");
    Some(Problem::warning(Code::ClauseMatchesNoPosition, whole, message).help(format!("write [{own}]")))
}

/// Reports a row without a list where all others have one, or with two columns exchanged.
fn uneven(program: &Program, rows: &[Row<'_>], found: &mut Vec<Problem>) {
    if rows.len() <= FEWEST || rows.len() > MOST {
        return;
    }
    let functor = rows[0].tree.functor(rows[0].node);
    if functor.is_none() || rows.iter().any(|row| row.tree.functor(row.node) != functor) {
        return;
    }
    // The columns in which only one row differs, by that row.
    let mut alone: FxHashMap<usize, Vec<(usize, Sort)>> = FxHashMap::default();
    for at in 0..rows[0].sorts.len() {
        let sort = |row: usize| rows[row].sorts[at];
        let usual = if sort(0) == sort(1) || sort(0) == sort(2) { sort(0) } else { sort(1) };
        let mut odd = (0..rows.len()).filter(|row| sort(*row) != usual);
        if let (Some(row), None) = (odd.next(), odd.next())
            && usual != Sort::Open
            && sort(row) != Sort::Open
        {
            alone.entry(row).or_default().push((at, usual));
        }
    }
    let mut alone: Vec<_> = alone.into_iter().collect();
    alone.sort_by_key(|(row, _)| *row);
    for (row, odd) in alone {
        let row = &rows[row];
        let turned = odd.len() == 2 && row.sorts[odd[0].0] == odd[1].1 && row.sorts[odd[1].0] == odd[0].1
            || odd.len() == 1 && is_turned(rows, row, odd[0]);
        // Other differences may be meant, such as an atom in the place of a number.
        let listed = odd.len() == 1
            && rows.len() > FEWEST + 1
            && odd[0].1 == Sort::List
            && rows.iter().any(|other| has_element(other, odd[0].0, row));
        if !turned && !listed {
            continue;
        }
        let arg = row.tree.args(row.node)[odd[0].0];
        let text = quoted(&program.sources, row.tree.span(arg));
        let (message, help) = match turned {
            true => (
                format!("{text} is in an argument that is {} in all other rows", words(odd[0].1)),
                "two arguments may be in the wrong order: write them as in the other facts".to_string(),
            ),
            false => (format!("{text} is not a list, but all other facts have a list here"), format!("write [{text}]")),
        };
        found.push(Problem::warning(Code::GoalNeverSucceeds, row.tree.span(arg), message).help(help));
    }
}

/// Whether the list in a column of one row could contain what another row has there: both are numbers, or atoms of one
/// name, or other terms of one sort. A fact of another kind, such as `turn-max` among `cars-[1, 2]`, has no such term.
fn has_element(lists: &Row<'_>, column: usize, odd: &Row<'_>) -> bool {
    let own = odd.tree.args(odd.node)[column];
    let elements = lists.tree.list(lists.tree.args(lists.node)[column]).unwrap_or_default();
    elements.into_iter().any(|element| match (odd.tree.kind(own), lists.tree.kind(element)) {
        (TermKind::Atom(own), TermKind::Atom(other)) => own == other,
        _ => sort(odd.tree, own) == sort(lists.tree, element),
    })
}

/// Whether two columns of a row are exchanged, of which only one differs from all other rows. Its atom in the other
/// column occurs in the first one elsewhere, and nowhere in its own column.
fn is_turned(rows: &[Row<'_>], row: &Row<'_>, (at, usual): (usize, Sort)) -> bool {
    let cell = |row: &Row<'_>, column: usize| row.tree.args(row.node)[column];
    let atom = |row: &Row<'_>, column: usize| match row.tree.kind(cell(row, column)) {
        TermKind::Atom(name) => Some(*name),
        _ => None,
    };
    let mut others = (0..row.sorts.len()).filter(|other| *other != at && row.sorts[*other] == usual);
    others.any(|other| {
        let own = atom(row, other);
        let is_rest = |there: &&Row<'_>| there.node != row.node || !std::ptr::eq(there.tree, row.tree);
        let rest = || rows.iter().filter(is_rest);
        own.is_some()
            && rest().any(|there| atom(there, at) == own)
            && rest().all(|there| atom(there, other) != own)
            && rest().any(|there| there.sorts[other] == row.sorts[at])
    })
}

fn words(sort: Sort) -> String {
    match sort {
        Sort::Number => "numbers".to_string(),
        Sort::Name => "atoms".to_string(),
        Sort::Text => "texts".to_string(),
        Sort::List => "lists".to_string(),
        Sort::Term(name, arity) => format!("{}/{arity}", name.text()),
        Sort::Open => "variables".to_string(),
    }
}
