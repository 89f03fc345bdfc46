//! Lists small edits of the rules that may correct a mistake: two exchanged arguments, or a bracket.
//!
//! An edit is only a candidate. Whoever asks for it loads the rules with the edit, and tests whether they are right
//! then. Nothing is run here.

use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Clause, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// A term with more arguments was not written by hand.
const MOST_ARGUMENTS: usize = 10;

/// A program with more clauses was not written by hand.
const MOST_CLAUSES: usize = 1_000;

/// Operators whose arguments nobody exchanges by mistake, or which mean the same in both orders.
const SYMMETRIC: [&str; 20] = [
    ",", ";", "->", "*->", ":-", "-->", "|", "\\+", "=", "==", "\\==", "\\=", "=:=", "=\\=", "+", "*", "<", ">", "=<",
    ">=",
];

/// The kind of an edit. Kinds of frequent mistakes come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditKind {
    /// Exchanges two arguments.
    Exchange,
    /// Writes a rest of a list as an element, or the other way round; or adds or removes brackets.
    Brackets,
}

/// A small edit of a clause.
#[derive(Clone, Debug)]
pub struct SmallEdit {
    /// The kind of the edit.
    pub kind: EditKind,
    /// The clause that the edit changes.
    pub clause: Span,
    /// The place to mark.
    pub place: Span,
    /// The changes of the text. They do not overlap.
    pub changes: Vec<(Span, String)>,
    /// The edit in words that follow "if": "X and Y are exchanged here".
    pub condition: String,
}

/// All small edits of the clauses that the user wrote, each with its rank. A mistake of a lower rank is more likely.
/// Clauses at the places `near` are likely to have it, and so are the predicates that they call.
pub fn small_edits(program: &Program, near: &[Span]) -> Vec<(usize, SmallEdit)> {
    let own = || program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    if own().map(|pred| pred.clauses.len()).sum::<usize>() > MOST_CLAUSES {
        return Vec::new();
    }
    // A name may be a goal, or a closure that gets more arguments.
    let mut likely: FxHashSet<Atom> = FxHashSet::default();
    for clause in own().flat_map(|pred| &pred.clauses) {
        if near.iter().any(|span| clause.span.contains(*span)) {
            likely.extend(clause.tree.nodes().filter_map(|(node, _)| Some(clause.tree.functor(node)?.0)));
        }
    }
    let mut found = Vec::new();
    for pred in own() {
        let mut edits = Vec::new();
        for clause in &pred.clauses {
            EditFinder { program, clause, found: &mut edits }.all();
        }
        let is_likely = likely.contains(&pred.key.name);
        found.extend(edits.into_iter().map(|edit| (edit.rank(is_likely), edit)));
    }
    found.sort_by_key(|(rank, _)| *rank);
    found
}

impl SmallEdit {
    fn rank(&self, is_likely: bool) -> usize {
        match (self.kind, is_likely) {
            (EditKind::Exchange, true) => 0,
            (EditKind::Brackets, true) => 1,
            (EditKind::Exchange, false) => 2,
            (EditKind::Brackets, false) => 3,
        }
    }
}

struct EditFinder<'a> {
    program: &'a Program,
    clause: &'a Clause,
    found: &'a mut Vec<SmallEdit>,
}

impl EditFinder<'_> {
    fn all(&mut self) {
        let tree = &self.clause.tree;
        let mut seen: FxHashSet<(Span, bool)> = FxHashSet::default();
        for (node, kind) in tree.nodes() {
            let span = tree.span(node);
            // A clause made from a grammar rule has terms that are not in the text.
            let is_list = matches!(kind, TermKind::Compound(atoms::DOT, _));
            if !self.clause.span.contains(span) || !seen.insert((span, is_list)) {
                continue;
            }
            match kind {
                TermKind::Compound(atoms::DOT, _) => self.list(node),
                TermKind::Compound(..) => self.compound(node),
                _ => {}
            }
        }
    }

    fn text(&self, span: Span) -> &str {
        self.program.sources.text(span)
    }

    fn add(&mut self, kind: EditKind, place: Span, changes: Vec<(Span, String)>, condition: String) {
        let clause = self.clause.span;
        self.found.push(SmallEdit { kind, clause, place, changes, condition });
    }

    fn compound(&mut self, node: NodeId) {
        let tree = &self.clause.tree;
        let (args, span) = (tree.args(node), tree.span(node));
        let name = tree.functor(node).map_or("", |(name, _)| name.text());
        let are_written = args.windows(2).all(|pair| tree.span(pair[0]).end <= tree.span(pair[1]).start);
        if args.len() > MOST_ARGUMENTS || !are_written || SYMMETRIC.contains(&name) {
            return;
        }
        let spans: Vec<Span> = args.iter().map(|arg| tree.span(*arg)).collect();
        let texts: Vec<String> = spans.iter().map(|span| self.text(*span).to_string()).collect();
        for (one, text) in texts.iter().enumerate() {
            for (other, with) in texts.iter().enumerate().skip(one + 1).filter(|(_, with)| *with != text) {
                let condition = format!("{} and {} are exchanged here", self.quoted(spans[one]), self.quoted(spans[other]));
                let changes = vec![(spans[one], with.clone()), (spans[other], text.clone())];
                self.add(EditKind::Exchange, span, changes, condition);
            }
        }
        for (arg, text) in args.iter().zip(&texts) {
            let place = tree.span(*arg);
            // An atom in a head names a case.
            let is_head = tree.span(self.clause.head).contains(place);
            let is_short = match tree.kind(*arg) {
                TermKind::Var(_) => text != "_",
                TermKind::Atom(_) => !is_head,
                _ => false,
            };
            if is_short {
                self.add(EditKind::Brackets, place, vec![(place, format!("[{text}]"))], format!("this is [{text}]"));
            }
        }
    }

    fn quoted(&self, span: Span) -> String {
        quoted(&self.program.sources, span)
    }

    /// Edits of the brackets and bars of a list.
    fn list(&mut self, node: NodeId) {
        let tree = &self.clause.tree;
        let (Some((first, rest)), span) = (tree.binary(node, atoms::DOT), tree.span(node)) else { return };
        let whole = self.text(span);
        if matches!(tree.kind(rest), TermKind::Atom(atoms::NIL)) && whole.starts_with('[') && whole.ends_with(']') {
            let inner = self.text(tree.span(first)).to_string();
            let condition = format!("this is {}", self.quoted(tree.span(first)));
            self.add(EditKind::Brackets, span, vec![(span, inner)], condition);
        }
        let next = match tree.binary(rest, atoms::DOT) {
            Some((next, end)) if matches!(tree.kind(end), TermKind::Atom(atoms::NIL)) => next,
            Some(_) => return,
            None => rest,
        };
        if !matches!(tree.kind(next), TermKind::Var(_)) || tree.span(next).start < tree.span(first).end {
            return;
        }
        let gap = Span { start: tree.span(first).end, end: tree.span(next).start, ..span };
        let other = match self.text(gap).trim() {
            "," => "|",
            "|" => ",",
            _ => return,
        };
        let (own, with) = (tree.span(first), tree.span(next));
        let condition = format!("this is {}{other}{}", self.quoted(own), self.quoted(with));
        self.add(EditKind::Brackets, own.to(with), vec![(gap, other.to_string())], condition);
    }
}
