//! Finds a term that is written with two fields exchanged, such as `hand(B1, W)` made from `hand(W, B)`.
//!
//! The input is the text of a program. A clause reads a term and writes a term of the same name, one argument of which
//! is unchanged and another one computed. If the unchanged one is at another place, and all other clauses keep the
//! places, a warning marks the written term. Nothing is run. Only `order` calls this check.

use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Clause, Goal, Program};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;

/// A clause with more terms of one name is not compared.
const MOST_TERMS: usize = 20;

/// A clause and a term in it.
type ClauseTerm<'p> = (&'p Clause, NodeId);

/// Two terms of one name in a clause: one that is read, and one that is written.
struct TermPair<'p> {
    clause: &'p Clause,
    read: NodeId,
    written: NodeId,
}

/// How the arguments of two terms correspond.
enum Correspondence {
    /// They share no variable.
    None,
    /// All shared variables have the same place in both.
    Kept,
    /// A shared variable has another place.
    Moved,
}

/// Reports the terms with exchanged fields. `terms` has the terms of each functor, in the order of the text.
pub(super) fn check<'p>(program: &Program, terms: impl Iterator<Item = (&'p Clause, NodeId)>) -> Vec<Problem> {
    let mut of_clause: FxHashMap<((Atom, usize), *const Clause), Vec<ClauseTerm<'_>>> = FxHashMap::default();
    for (clause, node) in terms {
        let Some(functor) = clause.tree.functor(node) else { continue };
        of_clause.entry((functor, std::ptr::from_ref(clause))).or_default().push((clause, node));
    }
    let mut by_functor: FxHashMap<(Atom, usize), Vec<TermPair<'_>>> = FxHashMap::default();
    for ((functor, _), mut nodes) in of_clause.into_iter().filter(|(_, nodes)| (2..=MOST_TERMS).contains(&nodes.len()))
    {
        nodes.sort_by_key(|(clause, node)| clause.tree.span(*node));
        for (at, (clause, read)) in nodes.iter().enumerate() {
            let later =
                nodes.iter().skip(at + 1).map(|(_, written)| TermPair { clause, read: *read, written: *written });
            by_functor.entry(functor).or_default().extend(later);
        }
    }
    let mut found: Vec<Problem> = by_functor.values().filter_map(|pairs| odd_one(program, pairs)).collect();
    found.sort_by_key(|problem| problem.labels[0].0);
    found
}

/// The problem of the only pair that does not keep the places.
fn odd_one(program: &Program, pairs: &[TermPair<'_>]) -> Option<Problem> {
    let (mut kept, mut moved) = (0, None);
    for pair in pairs {
        match pair.correspondence() {
            Correspondence::None => {}
            Correspondence::Kept => kept += 1,
            Correspondence::Moved if moved.is_some() => return None,
            Correspondence::Moved => moved = Some(pair),
        }
    }
    let (pair, tree) = (moved.filter(|_| kept > 0)?, &moved?.clause.tree);
    let (from, to) = pair.exchange()?;
    let (read, written) = (tree.span(pair.read), tree.span(pair.written));
    let text = |node: NodeId| quoted(&program.sources, tree.span(node));
    let name = text(tree.args(pair.read)[from]);
    let mut right: Vec<String> = tree.args(pair.written).iter().map(|arg| text(*arg)).collect();
    right.swap(from, to);
    let functor = tree.functor(pair.read).map_or("", |(name, _)| name.text());
    let message = format!("{name} is argument {} here, and argument {} of {}", to + 1, from + 1, text(pair.read));
    let others = plural(kept, "other pair of such terms keeps", "other pairs of such terms keep");
    let help = format!("{others} each argument at its place\nwrite {functor}({})", right.join(", "));
    Some(Problem::warning(Code::ArgumentOrder, written, message).also(read, "the arguments come from here").help(help))
}

impl TermPair<'_> {
    fn correspondence(&self) -> Correspondence {
        let tree = &self.clause.tree;
        let (read, written) = (tree.args(self.read), tree.args(self.written));
        let mut found = Correspondence::None;
        for (place, arg) in read.iter().enumerate() {
            let Some(number) = variable(tree, *arg) else { continue };
            let is_it = |other: &NodeId| variable(tree, *other) == Some(number);
            if written.get(place).is_some_and(is_it) {
                found = Correspondence::Kept;
            } else if written.iter().any(is_it) {
                return Correspondence::Moved;
            }
        }
        found
    }

    /// The places that are exchanged: an unchanged variable is read at the first place and written at the second one.
    /// What is written at the first place is computed from what is read at the second one.
    fn exchange(&self) -> Option<(usize, usize)> {
        let tree = &self.clause.tree;
        let (read, written) = (tree.args(self.read), tree.args(self.written));
        let places = |args: &[NodeId], number: u32| -> Vec<usize> {
            args.iter().enumerate().filter(|(_, arg)| variable(tree, **arg) == Some(number)).map(|(at, _)| at).collect()
        };
        let mut found = None;
        for (from, arg) in read.iter().enumerate() {
            let Some(number) = variable(tree, *arg) else { continue };
            match places(written, number)[..] {
                [] => {}
                [to] if to != from && found.is_none() && places(read, number).len() == 1 => found = Some((from, to)),
                _ => return None,
            }
        }
        let (from, to) = found?;
        let (old, new) = (variable(tree, read[to])?, variable(tree, written[from])?);
        let mut is_computed = false;
        each_goal(&self.clause.body, &mut |goal| {
            if let Goal::Call { args, .. } = goal {
                let has = |number: u32| args.iter().any(|arg| tree.holds_variable(*arg, number));
                is_computed |= has(old) && has(new);
            }
        });
        (is_computed && places(read, new).is_empty()).then_some((from, to))
    }
}

/// The number of a named variable.
fn variable(tree: &TermTree, node: NodeId) -> Option<u32> {
    let TermKind::Var(number) = tree.kind(node) else { return None };
    let name = &tree.variables.get(*number as usize)?.name;
    (&**name != "_").then_some(*number)
}
