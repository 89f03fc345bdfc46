//! One text with its surroundings: the predicates that it defines, and those that it can call.
//!
//! [`TextAnalysis::of`] reads the text. It reuses the [`Environment`] of the analysis before, as long as the
//! directives stay the same.

use crate::ide::environment::{Environment, directives};
use crate::ide::heading;
use crate::ide::known::{KnownIndex, KnownPredicate};
use crate::ide::syntax::{ReadSentence, SentenceKind, Syntax, head};
use alphorn_lang::lang::ProgramOptions;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::Param;
use alphorn_text::source::Source;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A predicate that the text defines.
#[derive(Clone, Debug)]
pub struct OwnPredicate {
    /// The name.
    pub name: Atom,
    /// The number of arguments.
    pub arity: usize,
    /// Its sentences, by number.
    pub clauses: Vec<usize>,
    /// The name in the first head.
    pub place: Range<usize>,
}

impl OwnPredicate {
    /// `name/arity`.
    pub fn indicator(&self) -> String {
        format!("{}/{}", self.name.text(), self.arity)
    }
}

/// A predicate that a text can call.
#[derive(Clone, Copy, Debug)]
pub enum Callable<'a> {
    /// The text defines it.
    Own(&'a OwnPredicate),
    /// Another file of the user defines it.
    Other(&'a crate::ide::environment::Definition),
    /// It comes with Alphorn.
    Known(&'a KnownPredicate),
}

/// The variables that goals pass to predicates, by name and arity of the predicate.
type PassedVariables = FxHashMap<(Atom, usize), Vec<Option<String>>>;

/// One text with its surroundings.
#[derive(Clone, Debug)]
pub struct TextAnalysis {
    /// The text with its name and origin.
    pub source: Source,
    /// The sentences of the text.
    pub syntax: Syntax,
    /// The syntax with the usual operators, if it is another.
    first: Option<Syntax>,
    /// What the text sees besides its own clauses.
    pub environment: Arc<Environment>,
    /// The directives that decide the environment.
    directives: String,
    /// The predicates of the text, in the order of their first clauses.
    pub own: Vec<OwnPredicate>,
    by_key: FxHashMap<(Atom, usize), usize>,
    /// The variables that goals of the text pass to its predicates.
    passed: OnceLock<PassedVariables>,
}

impl TextAnalysis {
    /// Reads a text. `before` are the texts loaded before it, such as the game of an overlay. If the
    /// directives of the text are those of `last`, its environment is kept.
    pub fn of(text: &Source, before: &[Source], options: &ProgramOptions, last: Option<&TextAnalysis>) -> TextAnalysis {
        // The operators of library(alphorn) are needed to read the directives that load files and libraries.
        let mut ops = Ops::default();
        ops.add_extras();
        let first = last.map(|last| last.first.as_ref().unwrap_or(&last.syntax));
        let mut syntax = Syntax::read(&text.text, &ops, first);
        let directives = directives(&syntax);
        let environment = match last {
            Some(last) if last.directives == directives => last.environment.clone(),
            _ => Arc::new(Environment::load(before, text, &syntax, options)),
        };
        let usual = environment.libraries.contains("alphorn") && environment.files.is_empty();
        let mut first = None;
        if !usual || directives.contains("op(") {
            let again = Syntax::read(&text.text, &environment.ops, last.map(|last| &last.syntax));
            first = Some(std::mem::replace(&mut syntax, again));
        }
        let (own, by_key) = own(&syntax);
        let passed = OnceLock::new();
        TextAnalysis { source: text.clone(), syntax, first, environment, directives, own, by_key, passed }
    }

    /// The names of the variables that goals of the text pass to a predicate of the text.
    fn passed(&self, name: Atom, arity: usize) -> &[Option<String>] {
        let found = self.passed.get_or_init(|| {
            let mut found = PassedVariables::default();
            for term in self.syntax.sentences.iter().filter_map(|sentence| sentence.term.as_ref()) {
                for (node, _) in term.tree.nodes() {
                    let Some(key) = term.tree.functor(node).filter(|key| self.by_key.contains_key(key)) else {
                        continue;
                    };
                    let names = found.entry(key).or_insert_with(|| vec![None; key.1]);
                    for (name, arg) in names.iter_mut().zip(term.tree.args(node)) {
                        let TermKind::Var(number) = term.tree.kind(*arg) else { continue };
                        let variable = term.tree.variables.get(*number as usize).map(|variable| &*variable.name);
                        if name.is_none() {
                            *name = variable.filter(|name| !name.starts_with('_')).map(str::to_string);
                        }
                    }
                }
            }
            found
        });
        found.get(&(name, arity)).map_or(&[], Vec::as_slice)
    }

    /// The predicate of the text with this name and arity.
    pub fn own(&self, name: Atom, arity: usize) -> Option<&OwnPredicate> {
        self.by_key.get(&(name, arity)).map(|at| &self.own[*at])
    }

    /// The predicate that a goal of this name and arity calls.
    pub fn find(&self, name: Atom, arity: usize) -> Option<Callable<'_>> {
        if let Some(own) = self.own(name, arity) {
            return Some(Callable::Own(own));
        }
        if let Some(other) = self.environment.find(name, arity) {
            return Some(Callable::Other(other));
        }
        KnownIndex::get().find(name.text(), arity).map(Callable::Known)
    }

    /// The mode of the goal arguments of a predicate, in the form of a signature.
    pub fn meta(&self, name: Atom, arity: usize) -> &str {
        if let Some(spec) = self.environment.meta(name, arity) {
            return spec;
        }
        match self.find(name, arity) {
            Some(Callable::Known(known)) => &known.meta,
            _ => "",
        }
    }

    /// The terms of the clauses of a predicate: tree and head.
    pub fn heads<'a>(&'a self, own: &'a OwnPredicate) -> impl Iterator<Item = (&'a TermTree, NodeId)> + 'a {
        own.clauses.iter().filter_map(|number| {
            let sentence = self.syntax.sentences[*number].term.as_ref()?;
            head(sentence).map(|(_, _, node)| (&sentence.tree, node))
        })
    }

    /// How a predicate of the text is called, and its description.
    pub fn described(&self, own: &OwnPredicate) -> (String, String) {
        let name = own.name.text();
        let first = own.clauses.first().map_or(0, |number| self.syntax.sentences[*number].range.start);
        let doc = self.syntax.comment_above(first).unwrap_or_default();
        let (call, about) = heading::split(name, own.arity, &doc);
        let call = call.map(str::to_string).or_else(|| heading::of_game(name, own.arity).map(|(call, _)| call));
        let of_heads = || heading::of_heads(name, own.arity, self.heads(own), self.passed(own.name, own.arity));
        (call.unwrap_or_else(of_heads), about.to_string())
    }

    /// The parameter of this name, with the place of its name if the text declares it.
    pub fn param(&self, name: &str) -> Option<(&Param, Option<Range<usize>>)> {
        let param = self.environment.params.iter().find(|param| param.name.text() == name)?;
        let place = self.param_places().into_iter().find(|(known, _)| *known == param.name).map(|(_, place)| place);
        Some((param, place))
    }

    /// The parameters that the text declares, with the places of their names.
    pub fn param_places(&self) -> Vec<(Atom, Range<usize>)> {
        let declared = self.directive_goals().filter_map(|(tree, goal)| {
            let (name, arity) = tree.functor(goal)?;
            let first = *tree.args(goal).first()?;
            let TermKind::Atom(param) = tree.kind(first) else { return None };
            let span = tree.span(first);
            (name.text() == "param" && arity == 4).then_some((*param, span.start as usize..span.end as usize))
        });
        declared.collect()
    }

    /// The goals of the directives that can be read.
    pub fn directive_goals(&self) -> impl Iterator<Item = (&TermTree, NodeId)> {
        self.syntax.sentences.iter().filter(|sentence| sentence.kind == SentenceKind::Directive).filter_map(
            |sentence| {
                let term = sentence.term.as_ref()?;
                Some((&term.tree, term.tree.unary(term.root, atoms::NECK)?))
            },
        )
    }

    /// The expectations of the text: the number of the sentence, and the bytes of the claim.
    pub fn expectations(&self) -> Vec<(usize, Range<usize>)> {
        let claim = |(number, sentence): (usize, &Arc<ReadSentence>)| {
            let term = sentence.term.as_ref()?;
            let goal = term.tree.unary(term.root, atoms::NECK)?;
            let claim = term.tree.unary(goal, Atom::new("expect"))?;
            let span = term.tree.span(claim);
            Some((number, span.start as usize..span.end as usize))
        };
        self.syntax.sentences.iter().enumerate().filter_map(claim).collect()
    }
}

/// The predicates that the sentences of a text define.
fn own(syntax: &Syntax) -> (Vec<OwnPredicate>, FxHashMap<(Atom, usize), usize>) {
    let mut all: Vec<OwnPredicate> = Vec::new();
    let mut by_key = FxHashMap::default();
    for (number, sentence) in syntax.sentences.iter().enumerate() {
        let Some((name, arity)) = sentence.defines else { continue };
        // The unfinished text before a clause may have its name, but it is no predicate yet.
        if sentence.kind == SentenceKind::Unreadable && !begins_head(sentence) {
            continue;
        }
        let at = *by_key.entry((name, arity)).or_insert_with(|| {
            let place = head_name(sentence);
            all.push(OwnPredicate { name, arity, clauses: Vec::new(), place });
            all.len() - 1
        });
        all[at].clauses.push(number);
    }
    (all, by_key)
}

/// Whether an unreadable sentence begins with a head and a neck.
fn begins_head(sentence: &ReadSentence) -> bool {
    let neck = |token: &alphorn_lang::lang::token::Token| {
        matches!(token.word, alphorn_lang::lang::token::TokenKind::Name(atoms::NECK | atoms::DCG_NECK))
    };
    sentence.tokens.first().is_some_and(|first| !neck(first)) && sentence.tokens.iter().any(neck)
}

/// The bytes of the name in the head of a clause.
fn head_name(sentence: &ReadSentence) -> Range<usize> {
    let named = sentence.term.as_ref().and_then(|term| {
        let (_, _, node) = head(term)?;
        crate::ide::occurrences::name_span(sentence, &term.tree, node)
    });
    let first = || sentence.tokens.first().map(|token| token.span);
    named.or_else(first).map_or(sentence.range.clone(), |span| span.start as usize..span.end as usize)
}
