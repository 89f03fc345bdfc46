//! Clauses and goals in a form whose parts have numbers.
//!
//! A [`Body`] is made of a clause, or of a goal that was typed or built. Each goal has a number and
//! a span. Nothing here runs goals. Only `reason` uses this module.

use crate::term::Term;
use crate::term::heap::Heap;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::source::{Sources, Span};
use alphorn_text::symbol::{Atom, atoms};
use std::rc::Rc;
use std::sync::Arc;

/// The number of a goal in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalId(pub u32);

/// A goal whose parts are goal numbers; see [`Goal`].
#[derive(Clone, Debug)]
pub enum GoalForm {
    True,
    Fail,
    Cut,
    Conj(Vec<GoalId>),
    Or(GoalId, GoalId),
    If(GoalId, GoalId, GoalId),
    SoftIf(GoalId, GoalId, GoalId),
    Not(GoalId),
    Scope(GoalId),
    Findall { template: NodeId, goal: GoalId, list: NodeId, tail: Option<NodeId> },
    Call(Callee, Vec<NodeId>),
    Meta(NodeId),
}

/// The owner of the terms of a body.
enum Text {
    Clause(Arc<Program>),
    Own(TermTree),
}

/// The body of a clause, or a goal, with numbered parts.
pub struct Body {
    text: Text,
    /// The clause of the body, with its number from 0.
    pub clause: Option<(PredId, usize)>,
    /// The head of the clause; without a meaning for a goal.
    pub head: NodeId,
    forms: Vec<(GoalForm, Option<Span>)>,
    /// The goal that contains all others.
    pub root: GoalId,
    /// Whether the body is in a file of the user, or typed.
    pub own: bool,
}

/// A body with values for its variables.
pub struct Frame {
    /// The goals.
    pub body: Rc<Body>,
    /// The values of its variables, by their numbers.
    pub vars: Vec<Term>,
}

impl Body {
    /// The body of a clause.
    pub fn of_clause(program: &Arc<Program>, pred: PredId, number: usize, own: bool) -> Rc<Body> {
        let clause = &program.predicate(pred).clauses[number];
        let mut forms = Vec::new();
        let root = flatten(&clause.body, &mut forms);
        widen(&program.sources, clause, &mut forms);
        let text = Text::Clause(program.clone());
        Rc::new(Body { text, clause: Some((pred, number)), head: clause.head, forms, root, own })
    }

    /// A goal that belongs to no clause.
    pub fn of_goal(tree: &TermTree, goal: &Goal, own: bool) -> Rc<Body> {
        let mut forms = Vec::new();
        let root = flatten(goal, &mut forms);
        Rc::new(Body { text: Text::Own(tree.clone()), clause: None, head: NodeId(0), forms, root, own })
    }

    /// The tree of its terms.
    pub fn tree(&self) -> &TermTree {
        match (&self.text, self.clause) {
            (Text::Clause(program), Some((pred, number))) => &program.predicate(pred).clauses[number].tree,
            (Text::Own(tree), _) => tree,
            (Text::Clause(_), None) => unreachable!("the text of a clause comes with its number"),
        }
    }

    /// The form of a goal.
    pub fn form(&self, goal: GoalId) -> &GoalForm {
        &self.forms[goal.0 as usize].0
    }

    /// The place of a goal in the source text.
    pub fn span(&self, goal: GoalId) -> Option<Span> {
        self.forms[goal.0 as usize].1
    }

    /// The goals of a conjunction. Any other goal is a sequence of one goal, and `true` of none.
    pub fn sequence(&self, goal: GoalId) -> Vec<GoalId> {
        match self.form(goal) {
            GoalForm::Conj(goals) => goals.clone(),
            GoalForm::True => Vec::new(),
            _ => vec![goal],
        }
    }
}

impl Frame {
    /// A frame with new variables.
    pub fn fresh(body: &Rc<Body>, heap: &mut Heap) -> Frame {
        let vars = (0..body.tree().variables.len()).map(|_| heap.variable()).collect();
        Frame { body: body.clone(), vars }
    }

    /// The term at a node.
    pub fn build(&self, heap: &mut Heap, root: NodeId) -> Term {
        let tree = self.body.tree();
        // The flag says whether the arguments of a node are done.
        let mut stack = vec![(root, false)];
        let mut done: Vec<Term> = Vec::new();
        while let Some((at, built)) = stack.pop() {
            let term = match tree.kind(at) {
                TermKind::Var(number) => self.vars[*number as usize],
                TermKind::Atom(name) => Term::atom(*name),
                TermKind::Int(value) => heap.integer(*value),
                TermKind::Big(value) => heap.big(value),
                TermKind::Float(value) => heap.float(*value),
                TermKind::Text(text) => heap.text(text),
                TermKind::Compound(name, _) if built => {
                    let args = done.split_off(done.len() - tree.args(at).len());
                    heap.structure(*name, &args)
                }
                TermKind::Compound(..) => {
                    stack.push((at, true));
                    stack.extend(tree.args(at).iter().rev().map(|arg| (*arg, false)));
                    continue;
                }
            };
            done.push(heap.deref(term));
        }
        done.pop().unwrap_or(Term::NONE)
    }

    /// The terms at some nodes.
    pub fn build_all(&self, heap: &mut Heap, nodes: &[NodeId]) -> Vec<Term> {
        nodes.iter().map(|node| self.build(heap, *node)).collect()
    }

    /// A goal as a term. `name` gives the name of a callee.
    pub fn goal_term(&self, heap: &mut Heap, goal: GoalId, name: &dyn Fn(Callee) -> Atom) -> Term {
        stacker::maybe_grow(64 << 10, 4 << 20, || self.as_term(heap, goal, name))
    }

    fn as_term(&self, heap: &mut Heap, goal: GoalId, name: &dyn Fn(Callee) -> Atom) -> Term {
        let inner = |heap: &mut Heap, goal: &GoalId| self.goal_term(heap, *goal, name);
        let two = |heap: &mut Heap, functor, left: &GoalId, right: &GoalId| {
            let args = [inner(heap, left), inner(heap, right)];
            heap.structure(functor, &args)
        };
        match self.body.form(goal) {
            GoalForm::True => Term::atom(atoms::TRUE),
            GoalForm::Fail => Term::atom(atoms::FAIL),
            GoalForm::Cut => Term::atom(atoms::CUT),
            GoalForm::Conj(goals) => {
                let terms: Vec<Term> = goals.iter().map(|goal| inner(heap, goal)).collect();
                let mut rest = terms.iter().rev();
                let last = rest.next().copied().unwrap_or(Term::atom(atoms::TRUE));
                rest.fold(last, |rest, term| heap.structure(atoms::COMMA, &[*term, rest]))
            }
            GoalForm::Or(left, right) => two(heap, atoms::SEMICOLON, left, right),
            GoalForm::If(condition, then, other) | GoalForm::SoftIf(condition, then, other) => {
                let arrow =
                    if matches!(self.body.form(goal), GoalForm::If(..)) { atoms::ARROW } else { atoms::SOFT_ARROW };
                let once = matches!(self.body.form(*then), GoalForm::True) && arrow == atoms::ARROW;
                let rest = self.body.form(*other);
                if once && matches!(rest, GoalForm::Fail | GoalForm::True) {
                    let condition = inner(heap, condition);
                    let wrapper = if matches!(rest, GoalForm::Fail) { atoms::ONCE } else { atoms::IGNORE };
                    return heap.structure(wrapper, &[condition]);
                }
                let both = two(heap, arrow, condition, then);
                if matches!(rest, GoalForm::Fail) {
                    return both;
                }
                let other = inner(heap, other);
                heap.structure(atoms::SEMICOLON, &[both, other])
            }
            GoalForm::Not(refuted) => match self.for_all(*refuted) {
                Some((condition, action)) => two(heap, atoms::FORALL, &condition, &action),
                None => {
                    let refuted = inner(heap, refuted);
                    heap.structure(atoms::NOT, &[refuted])
                }
            },
            GoalForm::Scope(goal) => inner(heap, goal),
            GoalForm::Findall { template, goal, list, tail } => {
                let mut args = vec![self.build(heap, *template), inner(heap, goal), self.build(heap, *list)];
                args.extend(tail.map(|tail| self.build(heap, tail)));
                heap.structure(atoms::FINDALL, &args)
            }
            GoalForm::Call(callee, args) => {
                let args = self.build_all(heap, args);
                heap.structure(name(*callee), &args)
            }
            GoalForm::Meta(node) => self.build(heap, *node),
        }
    }

    /// The condition and the action of `forall(C, A)`, which is read as `\+ (C, \+ A)`.
    pub fn for_all(&self, refuted: GoalId) -> Option<(GoalId, GoalId)> {
        let GoalForm::Conj(goals) = self.body.form(refuted) else { return None };
        let [condition, action] = goals[..] else { return None };
        let GoalForm::Not(action) = self.body.form(action) else { return None };
        Some((condition, *action))
    }
}

/// Numbers the parts of a goal. A goal comes after its parts.
fn flatten(goal: &Goal, forms: &mut Vec<(GoalForm, Option<Span>)>) -> GoalId {
    stacker::maybe_grow(64 << 10, 4 << 20, || {
        let mut part = |goal: &Goal| flatten(goal, forms);
        let (form, own) = match goal {
            Goal::True => (GoalForm::True, None),
            Goal::Fail => (GoalForm::Fail, None),
            Goal::Cut => (GoalForm::Cut, None),
            Goal::Conj(goals) => (GoalForm::Conj(goals.iter().map(part).collect()), None),
            Goal::Or(left, right) => (GoalForm::Or(part(left), part(right)), None),
            Goal::If(a, b, c) => (GoalForm::If(part(a), part(b), part(c)), None),
            Goal::SoftIf(a, b, c) => (GoalForm::SoftIf(part(a), part(b), part(c)), None),
            Goal::Not(inner) => (GoalForm::Not(part(inner)), None),
            Goal::Scope(inner) => (GoalForm::Scope(part(inner)), None),
            Goal::Findall { template, goal, list, tail, span } => {
                let goal = part(goal);
                (GoalForm::Findall { template: *template, goal, list: *list, tail: *tail }, Some(*span))
            }
            Goal::Call { callee, args, span } => (GoalForm::Call(*callee, args.clone()), Some(*span)),
            Goal::Meta(node, span) => (GoalForm::Meta(*node), Some(*span)),
        };
        let own = own.filter(|span| span.end > span.start);
        let span = own.or_else(|| covered(&form, forms));
        forms.push((form, span));
        GoalId(forms.len() as u32 - 1)
    })
}

/// The span that covers all parts of a goal.
fn covered(form: &GoalForm, forms: &[(GoalForm, Option<Span>)]) -> Option<Span> {
    let parts = match form {
        GoalForm::Conj(goals) => goals.clone(),
        GoalForm::Or(left, right) => vec![*left, *right],
        GoalForm::If(a, b, c) | GoalForm::SoftIf(a, b, c) => vec![*a, *b, *c],
        GoalForm::Not(inner) | GoalForm::Scope(inner) => vec![*inner],
        _ => Vec::new(),
    };
    parts.iter().filter_map(|part| forms[part.0 as usize].1).reduce(Span::to)
}

/// Extends the span of a negated goal to the `\+` before it.
fn widen(sources: &Sources, clause: &Clause, forms: &mut [(GoalForm, Option<Span>)]) {
    for (form, span) in forms {
        let (GoalForm::Not(_), Some(inner)) = (form, span.as_mut()) else { continue };
        let before = Span { start: clause.span.start.min(inner.start), end: inner.start, ..*inner };
        let text = sources.text(before).trim_end_matches(|c: char| c == '(' || c.is_whitespace());
        if text.ends_with("\\+") {
            inner.start = before.start + text.len() as u32 - 2;
        }
    }
}
