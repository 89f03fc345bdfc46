//! Explains why a head does not match a call: the smallest parts that differ.
//!
//! The input is a head and the arguments of a call. The result is a [`HeadMismatch`].

use crate::machine::fault::Fault;
use crate::reason::body::Frame;
use crate::reason::failing::HeadMismatch;
use crate::reason::prover::Prover;
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_lang::lang::ast::NodeId;
use alphorn_text::symbol::atoms;

/// Two terms that differ, and their place in the whole terms.
pub(super) struct Differing {
    pub(super) left: Term,
    pub(super) right: Term,
    /// Argument numbers from 1 with the functor of the term, outermost first. An element of a list
    /// has its number and no functor.
    path: Vec<(usize, Option<String>)>,
    /// Whether the lists differ from that element on.
    rest: bool,
}

impl Differing {
    /// The place, such as ` at argument 2 of pos/2`; empty for the whole term.
    pub(super) fn place(&self) -> String {
        match self.path.last() {
            None => String::new(),
            Some((number, Some(functor))) => format!(" at argument {number} of {functor}"),
            Some((number, None)) if self.rest => format!(" at the list from element {number} on"),
            Some((number, None)) => format!(" at element {number} of the list"),
        }
    }
}

impl Prover {
    /// What keeps a head from matching; `None` if the head matches. Bindings stay.
    pub(super) fn mismatch(
        &mut self,
        frame: &Frame,
        head: NodeId,
        args: &[Term],
        limit: usize,
    ) -> Result<Option<HeadMismatch>, Fault> {
        let tree = frame.body.tree();
        let functor = tree.functor(head).map(|(name, arity)| format!("{}/{arity}", name.text()));
        let mut first = None;
        let mut matching = 0;
        for (at, (node, given)) in tree.args(head).iter().zip(args).enumerate() {
            let wanted = frame.build(&mut self.store.heap, *node);
            if self.attempt(|prover| prover.store.unify(wanted, *given))? {
                self.store.unify(wanted, *given)?;
                matching += 1;
            } else if first.is_none() {
                first = Some((at, *node, wanted, *given));
            }
        }
        let Some((at, node, wanted, given)) = first else { return Ok(None) };
        let Some(mut differing) = self.differing(wanted, given)? else { return Ok(None) };
        let span = tree.span(self.node_at(frame, node, &differing));
        differing.path.insert(0, (at + 1, functor));
        let atoms = [differing.left, differing.right].map(|term| self.store.heap.functor(term).map(|(name, _)| name));
        let (wants, given) = match self.lengths(&differing) {
            Some((wants, given)) => (elements(wants), elements(given)),
            None => self.two(differing.left, differing.right, limit),
        };
        Ok(Some(HeadMismatch {
            argument: at + 1,
            wants,
            given,
            place: differing.place().trim_start_matches(" at ").to_string(),
            span,
            names: atoms[0].zip(atoms[1]).map(|(wants, given)| (wants.name(), given.name())),
            matching,
        }))
    }

    /// The first parts of two terms, from left to right, that keep them from being equal.
    pub(super) fn differing(&mut self, left: Term, right: Term) -> Result<Option<Differing>, Fault> {
        let equal = |prover: &mut Prover, left, right| prover.attempt(|prover| prover.store.unify(left, right));
        if equal(self, left, right)? {
            return Ok(None);
        }
        let mut path: Vec<(usize, Option<String>)> = Vec::new();
        let mut in_tail = false;
        let (mut left, mut right) = (left, right);
        'down: loop {
            self.store.charge(1)?;
            let heap = &self.store.heap;
            let (TermView::Compound(name, mine), TermView::Compound(other, yours)) =
                (heap.view(left), heap.view(right))
            else {
                break;
            };
            if name != other || mine.len() != yours.len() {
                break;
            }
            let pairs: Vec<(Term, Term)> = mine.iter().zip(yours).map(|(a, b)| (Term(*a), Term(*b))).collect();
            let is_list = name == atoms::DOT && pairs.len() == 2;
            let arity = pairs.len();
            for (number, (mine, yours)) in pairs.into_iter().enumerate() {
                if equal(self, mine, yours)? {
                    // Bindings of earlier arguments may keep later ones from matching.
                    self.store.unify(mine, yours)?;
                    continue;
                }
                let tail = is_list && number == 1;
                match path.last_mut().filter(|_| in_tail && is_list) {
                    Some((element, _)) if tail => *element += 1,
                    Some(_) => {}
                    None if is_list => path.push((number + 1, None)),
                    None => path.push((number + 1, Some(format!("{}/{arity}", name.text())))),
                }
                in_tail = tail;
                (left, right) = (mine, yours);
                continue 'down;
            }
            break;
        }
        Ok(Some(Differing { left, right, path, rest: in_tail }))
    }

    /// The numbers of elements of two proper lists that differ in them.
    fn lengths(&self, differing: &Differing) -> Option<(usize, usize)> {
        let (before, _) = differing.path.last().filter(|_| differing.rest)?;
        let count = |rest: Term| {
            let (count, end) = self.store.heap.length(rest);
            (end == Term::atom(atoms::NIL)).then_some(count + before - 1)
        };
        Some((count(differing.left)?, count(differing.right)?)).filter(|(wants, given)| wants != given)
    }

    /// The node at a path, as far as the text goes.
    fn node_at(&self, frame: &Frame, from: NodeId, differing: &Differing) -> NodeId {
        let tree = frame.body.tree();
        let mut at = from;
        for (step, (number, functor)) in differing.path.iter().enumerate() {
            if functor.is_some() {
                match tree.args(at).get(number - 1) {
                    Some(arg) => at = *arg,
                    None => return at,
                }
                continue;
            }
            for _ in 1..*number {
                match tree.binary(at, atoms::DOT) {
                    Some((_, rest)) => at = rest,
                    None => return at,
                }
            }
            if differing.rest && step + 1 == differing.path.len() {
                return at;
            }
            match tree.binary(at, atoms::DOT) {
                Some((element, _)) => at = element,
                None => return at,
            }
        }
        at
    }

    /// Two terms as text, with their kinds if the texts look alike.
    pub(super) fn two(&self, left: Term, right: Term, limit: usize) -> (String, String) {
        let (mut mine, mut yours) = (self.term_text(left, limit), self.term_text(right, limit));
        let atomic = |term| !matches!(self.store.heap.view(term), TermView::Var(_) | TermView::Compound(..));
        let (kind, other) = (self.kind(left), self.kind(right));
        let bare = |text: &str| text.trim_matches(['\'', '"']).to_string();
        let alike = bare(&mine) == bare(&yours)
            || matches!((kind, other), ("an integer", "a float") | ("a float", "an integer"));
        if atomic(left) && atomic(right) && kind != other && alike {
            mine = format!("{mine} ({kind})");
            yours = format!("{yours} ({other})");
        }
        (mine, yours)
    }
}

fn elements(count: usize) -> String {
    format!("a list of {count} element{}", if count == 1 { "" } else { "s" })
}
