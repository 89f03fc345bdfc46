//! The parts of a position by their places: a term of the text, or one of a heap.

use crate::rules::sketch::written;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::Program;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::write::atom_text;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Parts below this depth are left out, and so are those after this number of terms, and longer lists.
const DEEPEST: usize = 8;
const MOST_TERMS: usize = 20_000;
const LONGEST: usize = 1_000;

/// The constant that tells elements of one functor apart, such as the number of a row.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Constant {
    Name(Atom),
    Number(i64),
}

/// A step into a term: an argument, or an element of a list, with its first argument if other elements of the list have
/// its functor.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Argument(Atom, usize, usize),
    Element(Atom, usize, Option<Constant>),
    /// Any element of a list.
    Any,
}

pub(super) type Path = Vec<Step>;

/// What a term is, without its parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Atom,
    Number,
    Text,
    List,
    Term(Atom, usize),
}

impl Kind {
    /// Whether parts of these kinds may both be association lists: `t` is an empty one, and `t/5` one with pairs.
    pub(super) fn may_be_trees(self, other: Kind) -> bool {
        let is_pairs = |kind| matches!(kind, Kind::Term(name, 5) if name.text() == "t");
        self == Kind::Atom && is_pairs(other) || other == Kind::Atom && is_pairs(self)
    }

    pub(super) fn words(self, program: &Program) -> String {
        match self {
            Kind::Atom => "an atom".to_string(),
            Kind::Number => "a number".to_string(),
            Kind::Text => "a text in double quotes".to_string(),
            Kind::List => "a list".to_string(),
            Kind::Term(name, arity) => written(name, arity, &program.ops),
        }
    }
}

/// The lists of a term, its other parts and its atoms, by their places.
#[derive(Default)]
pub(super) struct Parts<N> {
    pub(super) lists: FxHashMap<Path, List<N>>,
    pub(super) kinds: FxHashMap<Path, (Kind, N)>,
    pub(super) atoms: Vec<(Path, Atom, N)>,
}

/// A list in a position.
pub(super) struct List<N> {
    pub(super) node: N,
    pub(super) elements: FxHashSet<Step>,
    pub(super) length: usize,
}

/// A term of the text or of a heap.
pub(super) trait Terms {
    type Node: Copy;
    fn elements(&self, node: Self::Node) -> Option<Vec<Self::Node>>;
    fn compound(&self, node: Self::Node) -> Option<(Atom, Vec<Self::Node>)>;
    fn constant(&self, node: Self::Node) -> Option<Constant>;
    fn is_number(&self, node: Self::Node) -> bool;
    fn is_text(&self, node: Self::Node) -> bool;
}

impl Terms for TermTree {
    type Node = NodeId;

    fn elements(&self, node: NodeId) -> Option<Vec<NodeId>> {
        self.list(node)
    }

    fn compound(&self, node: NodeId) -> Option<(Atom, Vec<NodeId>)> {
        let (name, arity) = self.functor(node)?;
        (arity > 0).then(|| (name, self.args(node).to_vec()))
    }

    fn constant(&self, node: NodeId) -> Option<Constant> {
        match self.kind(node) {
            TermKind::Atom(name) => Some(Constant::Name(*name)),
            TermKind::Int(number) => Some(Constant::Number(*number)),
            _ => None,
        }
    }

    fn is_number(&self, node: NodeId) -> bool {
        matches!(self.kind(node), TermKind::Int(_) | TermKind::Big(_) | TermKind::Float(_))
    }

    fn is_text(&self, node: NodeId) -> bool {
        matches!(self.kind(node), TermKind::Text(_))
    }
}

impl Terms for Heap {
    type Node = Term;

    fn elements(&self, node: Term) -> Option<Vec<Term>> {
        let (elements, rest) = Heap::elements(self, node);
        self.is_nil(rest).then_some(elements)
    }

    fn compound(&self, node: Term) -> Option<(Atom, Vec<Term>)> {
        match self.view(node) {
            TermView::Compound(name, args) => Some((name, args.iter().map(|cell| Term::of_cell(*cell)).collect())),
            _ => None,
        }
    }

    fn constant(&self, node: Term) -> Option<Constant> {
        match self.view(node) {
            TermView::Atom(name) => Some(Constant::Name(name)),
            TermView::Int(number) => Some(Constant::Number(number)),
            _ => None,
        }
    }

    fn is_number(&self, node: Term) -> bool {
        matches!(self.view(node), TermView::Int(_) | TermView::Big(..) | TermView::Float(_))
    }

    fn is_text(&self, node: Term) -> bool {
        matches!(self.view(node), TermView::Text(..))
    }
}

/// The lists and atoms of a term.
pub(super) fn parts<T: Terms>(terms: &T, root: T::Node) -> Parts<T::Node> {
    let mut found = Parts { lists: FxHashMap::default(), kinds: FxHashMap::default(), atoms: Vec::new() };
    // The second path has no elements in particular.
    let mut stack = vec![(root, Some(Path::new()), Path::new())];
    let mut left = MOST_TERMS;
    let below = |path: &Path, step: Step| path.iter().cloned().chain([step]).collect::<Path>();
    while let Some((node, exact, any)) = stack.pop().filter(|_| left > 0) {
        left -= 1;
        if any.len() > DEEPEST {
            continue;
        }
        // A long list has no parts that are told apart.
        let elements = terms.elements(node);
        if elements.as_ref().is_some_and(|elements| elements.len() > LONGEST) {
            continue;
        }
        let kind;
        let place = exact.clone();
        if let Some(elements) = elements {
            kind = Some(Kind::List);
            let steps = steps(terms, &elements);
            for (element, step) in elements.iter().zip(&steps) {
                let exact = exact.as_ref().zip(step.clone()).map(|(path, step)| below(path, step));
                stack.push((*element, exact, below(&any, Step::Any)));
            }
            if let Some(path) = exact {
                let elements = steps.iter().flatten().cloned().collect();
                found.lists.insert(path, List { node, elements, length: steps.len() });
            }
        } else if let Some((name, args)) = terms.compound(node) {
            let arity = args.len();
            kind = Some(Kind::Term(name, arity));
            for (at, arg) in args.into_iter().enumerate() {
                let step = Step::Argument(name, arity, at);
                let exact = exact.as_ref().map(|path| below(path, step.clone()));
                stack.push((arg, exact, below(&any, step)));
            }
        } else {
            match terms.constant(node) {
                Some(Constant::Name(name)) => {
                    kind = Some(Kind::Atom);
                    found.atoms.push((any, name, node));
                }
                _ if terms.is_text(node) => kind = Some(Kind::Text),
                _ => kind = terms.is_number(node).then_some(Kind::Number),
            }
        }
        found.kinds.extend(place.zip(kind).map(|(place, kind)| (place, (kind, node))));
    }
    found
}

/// The step to each element of a list; `None` if it cannot be told from another one.
fn steps<T: Terms>(terms: &T, elements: &[T::Node]) -> Vec<Option<Step>> {
    let compound = |element: &T::Node| terms.compound(*element).filter(|(name, _)| *name != atoms::DOT);
    let compounds: Vec<_> = elements.iter().map(compound).collect();
    let mut counts: FxHashMap<(Atom, usize), usize> = FxHashMap::default();
    for (name, args) in compounds.iter().flatten() {
        *counts.entry((*name, args.len())).or_default() += 1;
    }
    let step = |(name, args): &(Atom, Vec<T::Node>)| match counts[&(*name, args.len())] {
        1 => Some(Step::Element(*name, args.len(), None)),
        _ => Some(Step::Element(*name, args.len(), Some(terms.constant(args[0])?))),
    };
    let found: Vec<Option<Step>> = compounds.iter().map(|compound| step(compound.as_ref()?)).collect();
    let mut times: FxHashMap<&Step, usize> = FxHashMap::default();
    found.iter().flatten().for_each(|step| *times.entry(step).or_default() += 1);
    found.iter().map(|step| step.clone().filter(|step| times[step] == 1)).collect()
}

/// An element in words, such as `row(3, _)`.
pub(super) fn text(program: &Program, step: &Step) -> String {
    match step {
        Step::Element(name, arity, None) => written(*name, *arity, &program.ops),
        Step::Element(name, arity, Some(first)) => {
            let first = match first {
                Constant::Name(name) => atom_text(*name),
                Constant::Number(number) => number.to_string(),
            };
            written(*name, *arity, &program.ops).replacen('_', &first, 1)
        }
        Step::Argument(..) | Step::Any => String::new(),
    }
}
