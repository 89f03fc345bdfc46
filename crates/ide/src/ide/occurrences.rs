//! Every name in the sentences of a text, with its part: a head, a goal, a closure, data.
//!
//! Bodies are read as the language reads them: the table of builtins and `meta_predicate/1` say which
//! arguments are goals.

use crate::ide::analysis::TextAnalysis;
use crate::ide::syntax::{ReadSentence, SentenceKind, head};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::token::{Token, TokenKind};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;

/// The part that a name plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The head of a clause.
    Head,
    /// A goal that calls the predicate.
    Goal,
    /// A term that other goals call with more arguments.
    Closure,
    /// `name/arity` in a directive.
    Indicator,
    /// The name of a parameter.
    Param,
    /// A term that is not called here.
    Data,
}

/// A name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name.
    pub name: Atom,
    /// The arity of the predicate, or of the term.
    pub arity: usize,
    /// The part that it plays.
    pub part: Part,
    /// The place of the name.
    pub span: Span,
}

/// Collects the names of one sentence; empty if the sentence cannot be read.
pub fn occurrences(analysis: &TextAnalysis, sentence: &ReadSentence) -> Vec<Occurrence> {
    let Some(term) = &sentence.term else { return Vec::new() };
    let mut walk = Walk { analysis, sentence, tree: &term.tree, parts: FxHashMap::default() };
    let tree = &term.tree;
    let root = match sentence.kind {
        SentenceKind::Directive => {
            if let Some(goal) = tree.unary(term.root, atoms::NECK) {
                walk.directive(goal);
            }
            return walk.finish(term.root, true);
        }
        _ => term.root,
    };
    if let Some((name, arity, node)) = head(term) {
        walk.parts.insert(node, (Part::Head, name, arity));
        if let Some((_, body)) = tree.binary(root, atoms::NECK) {
            walk.goal(body, 0);
        } else if let Some((_, body)) = tree.binary(root, atoms::DCG_NECK) {
            walk.grammar(body);
        } else if name.text() == "::" {
            walk.advice_rule(node);
        }
    }
    let neck = matches!(tree.functor(root), Some((atoms::NECK | atoms::DCG_NECK, 2)));
    walk.finish(root, neck)
}

struct Walk<'a> {
    analysis: &'a TextAnalysis,
    sentence: &'a ReadSentence,
    tree: &'a TermTree,
    /// The parts of nodes, with name and arity of what they mean. All other nodes are data.
    parts: FxHashMap<NodeId, (Part, Atom, usize)>,
}

impl Walk<'_> {
    /// Marks a goal that lacks `missing` arguments, and the goals inside it.
    fn goal(&mut self, at: NodeId, missing: usize) {
        let mut stack = vec![(at, missing)];
        while let Some((at, missing)) = stack.pop() {
            let Some((name, arity)) = self.tree.functor(at) else { continue };
            let args = self.tree.args(at);
            match (name, arity) {
                (atoms::COLON, 2) => {
                    stack.push((args[1], missing));
                    continue;
                }
                // The parameters of a lambda take some of the missing arguments.
                (atoms::LAMBDA, 2) if missing > 0 => {
                    let params = match self.tree.binary(args[0], atoms::SLASH) {
                        Some((_, params)) => params,
                        None => args[0],
                    };
                    let taken = self.tree.list(params).map_or(0, |list| list.len());
                    stack.push((args[1], missing.saturating_sub(taken)));
                    continue;
                }
                (atoms::SLASH, 2) if missing > 0 => {
                    stack.push((args[1], missing));
                    continue;
                }
                _ => {}
            }
            let total = arity + missing;
            let part = if missing > 0 { Part::Closure } else { Part::Goal };
            self.parts.insert(at, (part, name, total));
            if name.text() == "param" && total == 2 {
                self.param(args.first().copied());
            }
            let meta = self.analysis.meta(name, total).to_string();
            for (kind, arg) in meta.chars().zip(args) {
                match kind {
                    '^' => stack.push((self.without_carets(*arg), 0)),
                    digit => stack.extend(digit.to_digit(10).map(|missing| (*arg, missing as usize))),
                }
            }
        }
    }

    fn without_carets(&self, mut at: NodeId) -> NodeId {
        while let Some((_, inner)) = self.tree.binary(at, atoms::CARET) {
            at = inner;
        }
        at
    }

    fn param(&mut self, name: Option<NodeId>) {
        if let Some(at) = name
            && let TermKind::Atom(name) = self.tree.kind(at)
        {
            self.parts.insert(at, (Part::Param, *name, 0));
        }
    }

    /// Marks the nonterminals in the body of a grammar rule.
    fn grammar(&mut self, body: NodeId) {
        let mut stack = vec![body];
        while let Some(at) = stack.pop() {
            let Some((name, arity)) = self.tree.functor(at) else { continue };
            let args = self.tree.args(at);
            match (name, arity) {
                (atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW, 2)
                | (atoms::NOT, 1) => stack.extend(args),
                (atoms::CURLY, 1) => self.goal(args[0], 0),
                (atoms::CALL, _) if arity > 0 => self.goal(args[0], arity + 1),
                (atoms::DOT, 2) | (atoms::NIL | atoms::CUT | atoms::CURLY, 0) => {}
                _ => {
                    self.parts.insert(at, (Part::Goal, name, arity + 2));
                }
            }
        }
    }

    /// Marks the names in a directive.
    fn directive(&mut self, goal: NodeId) {
        let Some((name, arity)) = self.tree.functor(goal) else { return };
        let args = self.tree.args(goal).to_vec();
        match (name.text(), arity) {
            (",", 2) => args.iter().for_each(|arg| self.directive(*arg)),
            ("table" | "discontiguous" | "dynamic" | "multifile", 1) => self.indicators(args[0]),
            ("module" | "use_module", 2) => self.indicators(args[1]),
            ("meta_predicate", 1) => self.meta_heads(args[0]),
            ("param", 4) => self.param(args.first().copied()),
            ("expect", 1) => {
                let inner = ["holds", "fails"].iter().find_map(|name| self.tree.unary(args[0], Atom::new(name)));
                if let Some(goal) = inner {
                    self.goal(goal, 0);
                }
            }
            _ => {}
        }
    }

    fn indicators(&mut self, list: NodeId) {
        let mut stack = vec![list];
        while let Some(at) = stack.pop() {
            if let Some((left, right)) = self.tree.binary(at, atoms::COMMA) {
                stack.extend([left, right]);
            } else if let Some(items) = self.tree.list(at).filter(|items| !items.is_empty()) {
                stack.extend(items);
            } else if let Some((name, arity)) = self.tree.indicator(at) {
                self.parts.insert(self.tree.args(at)[0], (Part::Indicator, name, arity));
            }
        }
    }

    fn meta_heads(&mut self, list: NodeId) {
        let mut stack = vec![list];
        while let Some(at) = stack.pop() {
            if let Some((left, right)) = self.tree.binary(at, atoms::COMMA) {
                stack.extend([left, right]);
            } else if let Some((name, arity)) = self.tree.functor(at) {
                self.parts.insert(at, (Part::Indicator, name, arity));
            }
        }
    }

    /// Marks the condition of a rule `Name :: if Condition then Advice`: its names are predicates of the
    /// position, which lack it as their first argument.
    fn advice_rule(&mut self, rule: NodeId) {
        let Some(&body) = self.tree.args(rule).get(1) else { return };
        let Some((_, _)) = self.tree.functor(body) else { return };
        let mut stack = vec![body];
        while let Some(at) = stack.pop() {
            let Some((name, arity)) = self.tree.functor(at) else { continue };
            let args = self.tree.args(at);
            match (name.text(), arity) {
                ("then", 2) => stack.push(args[0]),
                ("if" | "not", 1) | ("and" | "or", 2) => stack.extend(args),
                _ => {
                    let found = (1..=3).map(|more| arity + more).find(|total| {
                        matches!(self.analysis.find(name, *total), Some(crate::ide::analysis::Callable::Own(_)))
                    });
                    if let Some(total) = found {
                        self.parts.insert(at, (Part::Closure, name, total));
                    }
                }
            }
        }
    }

    /// All names of the sentence with their parts, in textual order. `mark` says that the root is the
    /// mark of a directive or rule, which is no name.
    fn finish(self, root: NodeId, mark: bool) -> Vec<Occurrence> {
        let mut found = Vec::new();
        for (node, _) in self.tree.nodes() {
            let Some((own, arity)) = self.tree.functor(node) else { continue };
            if mark && node == root || matches!((own, arity), (atoms::DOT, 2) | (atoms::NIL, 0)) {
                continue;
            }
            let (part, name, arity) = self.parts.get(&node).copied().unwrap_or((Part::Data, own, arity));
            let Some(span) = name_span(self.sentence, self.tree, node) else { continue };
            found.push(Occurrence { name, arity, part, span });
        }
        found.sort_by_key(|one| one.span);
        found.dedup_by_key(|one| one.span);
        found
    }
}

/// The place of the name of a node: the token of its functor.
pub fn name_span(sentence: &ReadSentence, tree: &TermTree, node: NodeId) -> Option<Span> {
    let (name, _) = tree.functor(node)?;
    let span = tree.span(node);
    let names = |token: &Token| match token.word {
        TokenKind::Name(found) | TokenKind::Quoted(found) => found == name,
        TokenKind::Mark(',') => name == atoms::COMMA,
        TokenKind::Mark('|') => name == atoms::BAR,
        _ => false,
    };
    let tokens = &sentence.tokens;
    let mut at = tokens.partition_point(|token| token.span.start < span.start);
    // The functor stands before its first argument, or between two arguments, or behind the last one.
    for arg in tree.args(node) {
        let inner = tree.span(*arg);
        while let Some(token) = tokens.get(at).filter(|token| token.span.start < inner.start) {
            if names(token) {
                return Some(token.span);
            }
            at += 1;
        }
        at = tokens.partition_point(|token| token.span.start < inner.end);
    }
    let rest = tokens[at.min(tokens.len())..].iter().take_while(|token| token.span.end <= span.end);
    rest.filter(|token| names(token)).map(|token| token.span).next()
}
