//! Lists small edits of lists and of their elements: brackets, bars, an element of another shape, another length.

use crate::rules::sketch::PAIRS;
use crate::rules::small_edit::{ClauseEdits, EditKind};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::Program;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A written list has a usual shape of elements, or a length to compare, if it has this many elements.
const FEWEST: usize = 3;

/// The greatest number of models: other elements, pairs of the clause, terms before the rest of a list.
const MOST_MODELS: usize = 4;

/// The greatest number of elements from which models are taken.
const MOST_ALIKE: usize = 20;

/// Elements of a longer list are not exchanged.
const MOST_EXCHANGED: usize = 6;

/// What the lists of a program begin with.
pub(super) struct ListWords {
    /// The atoms and integers that stand before the rest of a list, as text.
    firsts: BTreeSet<String>,
}

impl ListWords {
    pub(super) fn of(program: &Program) -> ListWords {
        let own = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
        let mut firsts = BTreeSet::new();
        for clause in own.flat_map(|pred| &pred.clauses) {
            for (node, _) in clause.tree.nodes() {
                let Some((first, rest)) = clause.tree.binary(node, atoms::DOT) else { continue };
                let is_plain = matches!(clause.tree.kind(first), TermKind::Int(_) | TermKind::Atom(_));
                if is_plain && matches!(clause.tree.kind(rest), TermKind::Var(_)) {
                    firsts.insert(program.sources.text(clause.tree.span(first)).to_string());
                }
            }
        }
        ListWords { firsts }
    }
}

/// Adds the edits of the lists of a clause, and of terms that may be meant as a list or as a pair.
pub(super) fn add(words: &ListWords, edits: &mut ClauseEdits<'_>) {
    let clause = edits.clause;
    let tree = &clause.tree;
    let tails: FxHashSet<NodeId> =
        tree.nodes().filter_map(|(node, _)| tree.binary(node, atoms::DOT)).map(|(_, rest)| rest).collect();
    let heads = tree.nodes().filter(|(node, _)| !tails.contains(node));
    let lists: Vec<WrittenList> = heads.filter_map(|(node, _)| WrittenList::of(edits, node)).collect();
    for list in &lists {
        brackets(edits, list);
        exchanges(edits, list);
        elements(edits, list);
        lengths(edits, list, &lists);
    }
    let firsts = firsts(words, edits);
    let pairs = pairs(edits);
    let models = models(edits);
    for (node, _) in tree.nodes() {
        let name = tree.functor(node).map_or("", |(name, _)| name.text());
        if PAIRS.contains(&name) {
            continue;
        }
        let is_list = tree.binary(node, atoms::DOT).is_some();
        for arg in tree.args(node).iter().take(if is_list { 1 } else { usize::MAX }) {
            let span = tree.span(*arg);
            let (is_var, is_atom) =
                (matches!(tree.kind(*arg), TermKind::Var(_)), matches!(tree.kind(*arg), TermKind::Atom(_)));
            // A clause made from a grammar rule has terms that are not in the text.
            if !(is_var || is_atom) || !clause.span.contains(span) || edits.text(span) == "_" {
                continue;
            }
            let text = edits.text(span);
            // The element may have lost its term.
            for [before, after] in models.iter().filter(|_| is_var && is_list) {
                edits.replace(EditKind::Brackets, span, &format!("{before}{text}{after}"));
            }
            for (name, [one, other]) in &pairs {
                // A sign would be one word with the operator.
                let signed = [one, other].into_iter().any(|part| part.starts_with('-'));
                let pairs = [format!("{one}{name}{text}"), format!("{text}{name}{other}")];
                for with in pairs.into_iter().filter(|_| !signed) {
                    edits.replace(EditKind::Unlike, span, &with);
                }
            }
            for (kind, first) in firsts.iter().filter(|(_, first)| is_var && !is_list && first != text) {
                edits.replace(*kind, span, &format!("[{first}|{text}]"));
            }
            // A head may drop the first element.
            if is_var && !is_list && tree.span(clause.head).contains(span) {
                edits.replace(EditKind::Unlike, span, &format!("[_|{text}]"));
            }
        }
    }
}

/// The terms that may be missing before the rest of a list: variables that occur once, and what other lists have.
fn firsts(words: &ListWords, edits: &ClauseEdits<'_>) -> Vec<(EditKind, String)> {
    let tree = &edits.clause.tree;
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    for (node, kind) in tree.nodes() {
        if let TermKind::Var(number) = kind
            && edits.clause.span.contains(tree.span(node))
        {
            *counts.entry(*number).or_default() += 1;
        }
    }
    let mut singletons: Vec<u32> =
        counts.into_iter().filter(|(_, count)| *count == 1).map(|(number, _)| number).collect();
    singletons.sort_unstable();
    let names = singletons.into_iter().map(|number| tree.variables[number as usize].name.to_string());
    let names = names.filter(|name| !name.starts_with('_')).map(|name| (EditKind::Brackets, name));
    let others = words.firsts.iter().map(|first| (EditKind::Unlike, first.clone()));
    names.chain(others).take(MOST_MODELS).collect()
}

/// The terms that are elements of lists in a clause, as the texts before and after one of their variables.
fn models(edits: &ClauseEdits<'_>) -> Vec<[String; 2]> {
    let tree = &edits.clause.tree;
    let elements = tree.nodes().filter_map(|(node, _)| Some(tree.binary(node, atoms::DOT)?.0));
    let terms = elements.filter(|element| tree.functor(*element).is_some_and(|(name, _)| name != atoms::DOT));
    let texts = terms.flat_map(|element| {
        let whole = tree.span(element);
        let args = tree.args(element).iter().filter(|arg| matches!(tree.kind(**arg), TermKind::Var(_)));
        args.map(move |arg| {
            let own = tree.span(*arg);
            [Span { end: own.start, ..whole }, Span { start: own.end, ..whole }]
        })
    });
    let texts = texts.filter(|[before, _]| edits.clause.span.contains(*before));
    let texts: BTreeSet<[String; 2]> = texts.map(|both| both.map(|span| edits.text(span).to_string())).collect();
    texts.into_iter().take(MOST_MODELS).collect()
}

/// The pairs of variables and constants in a clause, with their operator.
fn pairs(edits: &ClauseEdits<'_>) -> Vec<(&'static str, [String; 2])> {
    let tree = &edits.clause.tree;
    let pairs = tree.nodes().filter_map(|(node, _)| {
        let (name, _) = tree.functor(node).filter(|(name, _)| name.text() != "=" && PAIRS.contains(&name.text()))?;
        let (one, other) = tree.binary(node, name)?;
        let is_plain = |arg| !matches!(tree.kind(arg), TermKind::Compound(..));
        let is_pair = edits.clause.span.contains(tree.span(node)) && is_plain(one) && is_plain(other);
        is_pair.then(|| (name.text(), [one, other].map(|arg| edits.text(tree.span(arg)).to_string())))
    });
    pairs.collect::<BTreeSet<_>>().into_iter().take(MOST_MODELS).collect()
}

/// A list in the text of a clause.
struct WrittenList {
    span: Span,
    elements: Vec<NodeId>,
    rest: NodeId,
}

impl WrittenList {
    fn of(edits: &ClauseEdits<'_>, node: NodeId) -> Option<WrittenList> {
        let tree = &edits.clause.tree;
        let mut list = WrittenList { span: tree.span(node), elements: Vec::new(), rest: node };
        while let Some((first, rest)) = tree.binary(list.rest, atoms::DOT) {
            list.elements.push(first);
            list.rest = rest;
        }
        let text = edits.text(list.span);
        let is_written = edits.clause.span.contains(list.span) && text.starts_with('[') && text.ends_with(']');
        (is_written && !list.elements.is_empty()).then_some(list)
    }

    /// Whether the list has no rest.
    fn is_closed(&self, tree: &TermTree) -> bool {
        matches!(tree.kind(self.rest), TermKind::Atom(atoms::NIL))
    }
}

/// Edits of the brackets and the bar of a list.
fn brackets(edits: &mut ClauseEdits<'_>, list: &WrittenList) {
    let tree = &edits.clause.tree;
    let (whole, rest, is_closed) = (list.span, tree.span(list.rest), list.is_closed(tree));
    let is_rest = matches!(tree.kind(list.rest), TermKind::Var(_));
    if is_rest && edits.text(rest) != "_" {
        edits.replace(EditKind::Brackets, whole, edits.text(rest));
    }
    let (own, with) = match list.elements[..] {
        [only] if is_closed => {
            let inner = tree.span(only);
            let condition = format!("this is {}", edits.quoted(inner));
            edits.add(EditKind::Brackets, whole, vec![(whole, edits.text(inner).to_string())], condition);
            return;
        }
        [.., first, second] if is_closed && matches!(tree.kind(second), TermKind::Var(_)) => {
            (tree.span(first), tree.span(second))
        }
        [.., last] if is_rest => (tree.span(last), rest),
        _ => return,
    };
    if with.start < own.end {
        return;
    }
    let gap = Span { start: own.end, end: with.start, ..whole };
    let other = match edits.text(gap).trim() {
        "," => "|",
        "|" => {
            let changes = vec![(own, edits.text(with).to_string()), (with, edits.text(own).to_string())];
            let condition = format!("{} and {} are exchanged here", edits.quoted(own), edits.quoted(with));
            edits.add(EditKind::Exchange, own.to(with), changes, condition);
            ","
        }
        _ => return,
    };
    let condition = format!("this is {}{other}{}", edits.quoted(own), edits.quoted(with));
    let kind = if other == "|" && list.elements.len() == 2 { EditKind::Rest } else { EditKind::Brackets };
    edits.add(kind, own.to(with), vec![(gap, other.to_string())], condition);
}

/// Edits that exchange two elements of a short list.
fn exchanges(edits: &mut ClauseEdits<'_>, list: &WrittenList) {
    // The span of a term does not contain brackets around it, which a conjunction needs.
    let is_conjunction = |element: &NodeId| edits.clause.tree.binary(*element, atoms::COMMA).is_some();
    if list.elements.len() > MOST_EXCHANGED || list.elements.iter().any(is_conjunction) {
        return;
    }
    let spans: Vec<Span> = list.elements.iter().map(|element| edits.clause.tree.span(*element)).collect();
    for (at, one) in spans.iter().enumerate() {
        for other in &spans[at + 1..] {
            let [text, with] = [*one, *other].map(|span| edits.text(span).to_string());
            if text != with {
                let condition = format!("{} and {} are exchanged here", edits.quoted(*one), edits.quoted(*other));
                edits.add(EditKind::Exchange, list.span, vec![(*one, with), (*other, text)], condition);
            }
        }
    }
}

/// Edits that write an element in the shape of the other elements of its list.
fn elements(edits: &mut ClauseEdits<'_>, list: &WrittenList) {
    let tree = &edits.clause.tree;
    let shape = |element: &NodeId| tree.functor(*element).filter(|(name, _)| *name != atoms::DOT);
    let mut shapes: FxHashMap<Option<(Atom, usize)>, usize> = FxHashMap::default();
    for element in &list.elements {
        *shapes.entry(shape(element)).or_default() += 1;
    }
    let length = list.elements.len();
    let Some((usual, _)) = shapes.into_iter().find(|(_, count)| count * 2 > length && length >= FEWEST) else { return };
    for odd in list.elements.iter().filter(|element| shape(element) != usual).take(MOST_MODELS) {
        let (place, args) = (tree.span(*odd), tree.args(*odd));
        let Some((_, arity)) = usual else {
            for arg in args.iter().take(MOST_MODELS) {
                edits.replace(EditKind::Brackets, place, edits.text(tree.span(*arg)));
            }
            continue;
        };
        let text = edits.text(place);
        for at in 0..arity.min(MOST_MODELS) {
            let usual = list.elements.iter().filter(|element| shape(element) == usual).take(MOST_ALIKE);
            let models = usual.map(|model| {
                let (whole, arg) = (tree.span(*model), tree.span(tree.args(*model)[at]));
                let [before, after] = [Span { end: arg.start, ..whole }, Span { start: arg.end, ..whole }];
                format!("{}{text}{}", edits.text(before), edits.text(after))
            });
            for with in models.collect::<BTreeSet<String>>().into_iter().take(MOST_MODELS) {
                edits.replace(EditKind::Brackets, place, &with);
            }
        }
    }
}

/// Edits that make a list as long as another list of the clause, if the lengths differ by one.
fn lengths(edits: &mut ClauseEdits<'_>, list: &WrittenList, others: &[WrittenList]) {
    let tree = &edits.clause.tree;
    let [.., before, last] = list.elements[..] else { return };
    let [before, last] = [before, last].map(|element| tree.span(element));
    let length = list.elements.len();
    if !list.is_closed(tree) || length < FEWEST {
        return;
    }
    let closed = others.iter().filter(|other| other.is_closed(tree)).map(|other| other.elements.len());
    for wanted in closed.filter(|other| other.abs_diff(length) == 1).collect::<BTreeSet<usize>>() {
        let change = match wanted > length {
            true => (Span { start: last.end, ..last }, format!(", {}", edits.text(last))),
            false => (Span { start: before.end, ..last }, String::new()),
        };
        edits.add(EditKind::Brackets, list.span, vec![change], format!("this list has {wanted} elements"));
    }
}
