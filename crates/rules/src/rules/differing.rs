//! Compares the positions of expectations with the first position and with those of random play.
//!
//! A position that people write may lack a fact or a row that all others have, have a list that is too short or too
//! long, or have a misspelt atom. A warning reports the position that differs from all others: the first one, or that
//! of an expectation. Only `playouts` calls this check, after random play.

use crate::rules::claimed::{best_labels, claimed_in_goals};
use crate::rules::contract::Contract;
use crate::rules::heads::{compared, heads};
use crate::rules::position::Position;
use crate::rules::position_parts::{Kind, List, Parts, Path, Step, parts, text};
use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Goal, PredId, Program};
use alphorn_prolog::term::heap::Heap;
use alphorn_prolog::term::pack::unpack;
use alphorn_prolog::term::write::atom_text;
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// With fewer positions of play, a difference of an expectation means nothing: of lists, and of kinds of terms.
const FEWEST: usize = 8;
const FEWEST_FOR_KINDS: usize = 3;

/// The least number of expectations that must differ from the first position.
const AGAINST: usize = 2;

/// The greatest number of positions of play, and of positions in expectations, that are compared.
const MOST: usize = 300;
const MOST_CLAIMS: usize = 100;

/// If a place has more atoms, others may come there too.
const MOST_NAMES: usize = 8;

/// The greatest number of expectations that a problem marks besides the mistake.
const SHOWN: usize = 3;

/// What the lists at one place of the positions of play have in common.
struct Common {
    /// The elements that every list has, and those that a list has.
    always: FxHashSet<Step>,
    ever: FxHashSet<Step>,
    lengths: FxHashSet<usize>,
    count: usize,
}

/// The positions of play.
#[derive(Default)]
struct Play {
    lists: FxHashMap<Path, Common>,
    kinds: FxHashMap<Path, FxHashMap<Kind, usize>>,
    atoms: FxHashMap<Path, FxHashSet<Atom>>,
    count: usize,
}

impl Play {
    /// The kind of the part at a place, if all positions of play have one of the same kind there.
    fn kind(&self, path: &Path) -> Option<Kind> {
        let mut kinds = self.kinds.get(path)?.iter();
        let (kind, count) = kinds.next()?;
        (kinds.next().is_none() && *count == self.count).then_some(*kind)
    }

    fn of(positions: &[Position]) -> Play {
        let mut play = Play::default();
        for position in positions.iter().take(MOST) {
            let mut heap = Heap::default();
            let root = unpack(&mut heap, &position.0);
            let own = parts(&heap, root);
            play.count += 1;
            for (path, name, _) in own.atoms {
                play.atoms.entry(path).or_default().insert(name);
            }
            for (path, (kind, _)) in own.kinds {
                *play.kinds.entry(path).or_default().entry(kind).or_default() += 1;
            }
            for (path, list) in own.lists {
                let common = play.lists.entry(path).or_insert_with(|| Common {
                    always: list.elements.clone(),
                    ever: FxHashSet::default(),
                    lengths: FxHashSet::default(),
                    count: 0,
                });
                common.always.retain(|step| list.elements.contains(step));
                common.ever.extend(list.elements);
                common.lengths.insert(list.length);
                common.count += 1;
            }
        }
        play
    }
}

/// A position in the text.
struct Written<'a> {
    tree: &'a TermTree,
    root: NodeId,
    parts: Parts<NodeId>,
}

impl<'a> Written<'a> {
    fn of(tree: &'a TermTree, root: NodeId) -> Option<Written<'a>> {
        let is_open = |(node, kind): (NodeId, &TermKind)| {
            matches!(kind, TermKind::Var(_)) && tree.span(root).contains(tree.span(node))
        };
        let is_ground = !tree.nodes().any(is_open);
        is_ground.then(|| Written { tree, root, parts: parts(tree, root) })
    }

    fn span(&self) -> Span {
        self.tree.span(self.root)
    }
}

/// Reports the first position and the positions of expectations that differ from all others. `has_ended` says whether a
/// game of play came to its end.
pub(super) fn check(
    program: &Program,
    contract: &Contract,
    (positions, has_ended): (&[Position], bool),
) -> Vec<Problem> {
    // Without labels, the best move of an expectation is a position.
    let labels = if contract.labelled.is_none() { best_labels(program) } else { Vec::new() };
    let claims = claimed_in_goals(program).into_iter().chain(labels);
    let claims: Vec<Written<'_>> =
        claims.filter_map(|(tree, node)| Written::of(tree, node)).take(MOST_CLAIMS).collect();
    if claims.is_empty() || positions.is_empty() {
        return Vec::new();
    }
    let play = Play::of(positions);
    let first = contract.initial.and_then(|pred| opening(program, pred, 0));
    let mut found: Vec<Problem> =
        first.and_then(|first| odd_first(program, &first, &claims, &play)).into_iter().collect();
    if found.is_empty() {
        found = odd_claims(program, &claims, (&play, has_ended));
    }
    found
}

/// The only term that a predicate has in an argument: in its head, made equal to its variable, or in a helper.
fn opening(program: &Program, pred: PredId, place: usize) -> Option<Written<'_>> {
    let mut all = heads(program, pred, place);
    let (clause, node) = all.next().filter(|_| all.next().is_none())?;
    let tree = &clause.tree;
    let TermKind::Var(number) = tree.kind(node) else {
        return Some(Written { tree, root: node, parts: parts(tree, node) });
    };
    if let [equal] = compared(program, clause, node)[..] {
        return Some(Written { tree, root: equal, parts: parts(tree, equal) });
    }
    let mut found = None;
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee: Callee::User(helper), args, .. } = goal else { return };
        let at = args.iter().position(|arg| matches!(tree.kind(*arg), TermKind::Var(other) if other == number));
        found = found.or(at.filter(|_| *helper != pred).map(|at| (*helper, at)));
    });
    let (helper, at) = found?;
    let (clause, node) = heads(program, helper, at).next().filter(|_| heads(program, helper, at).count() == 1)?;
    let is_open = matches!(clause.tree.kind(node), TermKind::Var(_));
    (!is_open).then(|| Written { tree: &clause.tree, root: node, parts: parts(&clause.tree, node) })
}

/// The problem of a first position whose difference from those of all expectations no position of play ever loses.
fn odd_first(program: &Program, first: &Written<'_>, claims: &[Written<'_>], play: &Play) -> Option<Problem> {
    let against = if play.count == 1 { AGAINST } else { AGAINST + 1 };
    let mark = |mut problem: Problem, words: &str| {
        for claim in claims.iter().take(SHOWN) {
            problem = problem.also(claim.span(), words.to_string());
        }
        problem
    };
    for (path, (own, node)) in by_place(&first.parts.kinds, |(_, node)| *node) {
        let there: Vec<Kind> = claims.iter().filter_map(|claim| Some(claim.parts.kinds.get(path)?.0)).collect();
        let is_everywhere = there.len() >= against && there.len() == claims.len();
        let Some(usual) = there.first().filter(|_| is_everywhere) else { continue };
        if there.iter().all(|kind| kind == usual)
            && usual != own
            && !usual.may_be_trees(*own)
            && play.kind(path) == Some(*own)
        {
            let span = first.tree.span(*node);
            let (text, usual) = (quoted(&program.sources, span), usual.words(program));
            let message =
                format!("the first position has {text} here, and the positions of all expectations have {usual}");
            let problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
            let help = format!("write {usual}, or correct the expectations");
            return Some(mark(problem, &format!("this position has {usual} there")).help(help));
        }
    }
    // A game with parameters may have boards of several sizes.
    let lists = by_place(&first.parts.lists, |list| list.node);
    for (path, list) in lists.into_iter().filter(|_| program.params.is_empty()) {
        let Some(played) = play.lists.get(path) else { continue };
        let there: Vec<&List<NodeId>> = claims.iter().filter_map(|claim| claim.parts.lists.get(path)).collect();
        if there.len() < against || there.len() < claims.len() {
            continue;
        }
        let span = first.tree.span(list.node);
        let is_constant = played.always.len() == played.ever.len();
        let mut lacking: Vec<&Step> = there[0].elements.iter().filter(|_| is_constant).collect();
        lacking.retain(|step| there.iter().all(|other| has(&other.elements, step)) && !has(&played.ever, step));
        if let Some(fact) = lacking.into_iter().map(|step| text(program, step)).min() {
            let message = format!("the first position has no {fact}, and the positions of all expectations have one");
            let problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
            let odd = list.elements.iter().filter(|step| !there.iter().any(|other| has(&other.elements, step)));
            let odd: Vec<String> = odd.map(|step| text(program, step)).collect();
            let help = match &odd[..] {
                [odd] => format!("write {fact} for {odd}, or correct the expectations"),
                _ => format!("add {fact} to the first position, or correct the expectations"),
            };
            return Some(mark(problem, &format!("this position has {fact}")).help(help));
        }
        // A short row stands beside whole rows.
        let usual = there[0].length;
        let is_odd = there.iter().all(|other| other.length == usual)
            && played.lengths.len() == 1
            && played.lengths.contains(&list.length)
            && list.length != usual
            && list.length > 0
            && first.parts.lists.iter().any(|(other, row)| row.length == usual && is_row_beside(path, other));
        if is_odd {
            let (own, usual) = (elements(list.length), elements(usual));
            let message = format!("this list has {own}, and those of all expectations have {usual}");
            let problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
            let help = "correct the list in the first position, or the expectations";
            return Some(mark(problem, &format!("this position has {usual} there")).help(help));
        }
    }
    None
}

/// The problems of the positions of expectations that differ from all positions of play, and from those of all other
/// expectations.
fn odd_claims(program: &Program, claims: &[Written<'_>], (play, has_ended): (&Play, bool)) -> Vec<Problem> {
    let known = rule_words(program);
    let mut found = Vec::new();
    for (at, claim) in claims.iter().enumerate() {
        let others = || claims.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, other)| other);
        let has_kinds = play.count >= FEWEST_FOR_KINDS;
        let kind = || has_kinds.then(|| odd_kind(program, claim, &others, (play, &known))).flatten();
        // Late in a game, lists may be shorter.
        let has_lists = play.count >= FEWEST && has_ended && program.params.is_empty();
        let list = || has_lists.then(|| odd_list(program, claim, &others, play)).flatten();
        let problem = kind().or_else(list).or_else(|| odd_atom(claim, &others, play, &known));
        found.extend(problem.map(|problem| Problem { is_about_claim: true, ..problem }));
    }
    found
}

/// The problem of a part of another kind.
fn odd_kind<'c, 'w: 'c, I: Iterator<Item = &'c Written<'w>>>(
    program: &Program,
    claim: &Written<'_>,
    others: &dyn Fn() -> I,
    (play, known): (&Play, &FxHashSet<(Atom, usize)>),
) -> Option<Problem> {
    for (path, (own, node)) in by_place(&claim.parts.kinds, |(_, node)| *node) {
        let is_other = |usual: &Kind| usual != own && !usual.may_be_trees(*own);
        let Some(usual) = play.kind(path).filter(is_other) else { continue };
        // A rule may make the term, and an atom may stand for no term at all.
        let is_meant = match own {
            Kind::Atom => claim.tree.functor(*node).is_some_and(|functor| known.contains(&functor)),
            Kind::Term(name, arity) => known.contains(&(*name, *arity)),
            Kind::Number | Kind::List => usual == Kind::Atom,
            Kind::Text => false,
        };
        if is_meant {
            continue;
        }
        let mut there = others().filter_map(|other| Some(other.parts.kinds.get(path)?.0)).peekable();
        if there.peek().is_some() && there.all(|kind| kind == usual) {
            let span = claim.tree.span(*node);
            let (text, usual) = (quoted(&program.sources, span), usual.words(program));
            let message = format!("this position has {text} here, and all other positions have {usual}");
            let problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
            return Some(problem.help(format!("write {usual}, or remove the expectation")));
        }
    }
    None
}

/// The problem of a list that lacks an element, or has another length.
fn odd_list<'c, 'w: 'c, I: Iterator<Item = &'c Written<'w>>>(
    program: &Program,
    claim: &Written<'_>,
    others: &dyn Fn() -> I,
    play: &Play,
) -> Option<Problem> {
    // A board of another size has no list of a usual length.
    let is_usual = |path: &Path, list: &List<NodeId>| {
        let lengths = play.lists.get(path).map(|played| &played.lengths);
        list.length > 0 && lengths.is_some_and(|lengths| lengths.len() == 1 && lengths.contains(&list.length))
    };
    let has_usual = claim.parts.lists.iter().any(|(path, list)| is_usual(path, list));
    for (path, list) in by_place(&claim.parts.lists, |list| list.node) {
        let Some(played) = play.lists.get(path).filter(|played| played.count == play.count) else { continue };
        let there: Vec<&List<NodeId>> = others().filter_map(|other| other.parts.lists.get(path)).collect();
        let span = claim.tree.span(list.node);
        let constant = played.always.len() == played.ever.len();
        let mut lacking: Vec<&Step> = played.always.iter().filter(|_| constant).collect();
        let is_everywhere = |step: &Step| !there.is_empty() && there.iter().all(|other| has(&other.elements, step));
        lacking.retain(|step| !has(&list.elements, step) && is_everywhere(step));
        if let Some(fact) = lacking.into_iter().map(|step| text(program, step)).min() {
            let message = format!("this position has no {fact}, and all other positions have one");
            let problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
            return Some(problem.help(format!("add {fact}, or remove the expectation")));
        }
        let usual = *played.lengths.iter().next()?;
        let is_odd = has_usual
            && played.lengths.len() == 1
            && usual > 0
            && usual != list.length
            && !there.is_empty()
            && there.iter().all(|other| other.length == usual);
        if is_odd {
            let (own, usual) = (elements(list.length), elements(usual));
            let message = format!("this list has {own}, and in all other positions it has {usual}");
            let problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
            return Some(problem.help("correct the list, or remove the expectation"));
        }
    }
    None
}

/// The problem of an atom that neither a rule nor another position has.
fn odd_atom<'c, 'w: 'c, I: Iterator<Item = &'c Written<'w>>>(
    claim: &Written<'_>,
    others: &dyn Fn() -> I,
    play: &Play,
    known: &FxHashSet<(Atom, usize)>,
) -> Option<Problem> {
    let is_known = |name: Atom| {
        name == atoms::NIL || known.contains(&(name, 0)) || play.atoms.values().any(|names| names.contains(&name))
    };
    for (path, name, node) in &claim.parts.atoms {
        let Some(usual) = play.atoms.get(path).filter(|usual| usual.len() <= MOST_NAMES) else { continue };
        // Atoms that rules make of texts differ from position to position.
        let is_text = |other: &Written<'_>| {
            other.parts.atoms.iter().any(|(at, own, _)| own == name || at == path && !is_known(*own))
        };
        if is_known(*name) || usual.iter().any(|name| !known.contains(&(*name, 0))) || others().any(is_text) {
            continue;
        }
        let mut usual: Vec<String> = usual.iter().map(|name| atom_text(*name)).collect();
        usual.sort();
        let message = format!("no other position has the atom {} here, and no rule contains it", atom_text(*name));
        let problem = Problem::warning(Code::ClauseMatchesNoPosition, claim.tree.span(*node), message);
        return Some(problem.help(format!("positions have {} here", usual.join(" or "))));
    }
    None
}

/// Whether a list has an element of the form of another one.
fn has(elements: &FxHashSet<Step>, step: &Step) -> bool {
    let alike = |other: &Step| match (step, other) {
        // The only element of its functor is not told apart.
        (Step::Element(name, arity, one), Step::Element(own, count, other)) => {
            (name, arity) == (own, count) && (one.is_none() || other.is_none() || one == other)
        }
        _ => step == other,
    };
    elements.iter().any(alike)
}

/// The atoms and the functors in the clauses of a program.
fn rule_words(program: &Program) -> FxHashSet<(Atom, usize)> {
    let own = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let trees = own.flat_map(|pred| &pred.clauses).map(|clause| &clause.tree);
    trees.flat_map(|tree| tree.nodes().filter_map(|(node, _)| tree.functor(node))).collect()
}

/// The parts of a position with their places, in the order of the text.
fn by_place<T>(parts: &FxHashMap<Path, T>, node: impl Fn(&T) -> NodeId) -> Vec<(&Path, &T)> {
    let mut found: Vec<(&Path, &T)> = parts.iter().collect();
    found.sort_by_key(|(_, part)| std::cmp::Reverse(node(part)));
    found
}

fn elements(count: usize) -> String {
    plural(count as u64, "element", "elements")
}

/// Whether a list may be a row beside another one: both are the same part of terms of one kind, or the list is an
/// element of the other one.
fn is_row_beside(row: &Path, other: &Path) -> bool {
    let alike = |(one, other): (&Step, &Step)| match (one, other) {
        (Step::Argument(name, arity, _), Step::Argument(other, count, _))
        | (Step::Element(name, arity, _), Step::Element(other, count, _)) => name == other && arity == count,
        (Step::Any, Step::Any) => true,
        _ => false,
    };
    let is_inside = row.split_last().is_some_and(|(_, around)| around == &other[..]);
    is_inside || row.len() == other.len() && row.iter().zip(other).all(alike)
}
