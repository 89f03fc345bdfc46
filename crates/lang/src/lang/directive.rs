//! Executes directives (`:- ...`) while a file is loaded.
//!
//! A directive changes the loader's [`RawProgram`](super::raw::RawProgram): operators, libraries,
//! parameters, tabling, expectations. An unknown directive becomes a problem with a suggestion.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::load::{FileState, Loader};
use crate::lang::near::nearest;
use crate::lang::ops::{Fixity, Ops};
use crate::lang::program::{Domain, Expectation, Param, PredicateKey};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use std::sync::Arc;

const DIRECTIVES: &[&str] = &[
    "op",
    "use_module",
    "include",
    "ensure_loaded",
    "module",
    "param",
    "expect",
    "table",
    "discontiguous",
    "dynamic",
    "meta_predicate",
];

impl Loader<'_> {
    pub(super) fn directive(&mut self, file: &mut FileState, tree: &TermTree, at: NodeId) {
        let before = self.raw.problems.len();
        self.execute_directive(file, tree, at);
        if self.raw.problems.len() > before {
            self.mark_names_broken(file, tree, at);
        }
    }

    /// Prevents reports of undefined predicates that a refused directive would have defined.
    fn mark_names_broken(&mut self, file: &mut FileState, tree: &TermTree, at: NodeId) {
        let Some((name, _)) = tree.functor(at) else { return };
        let meant = match name.text() {
            "dynamic" | "multifile" => name.text(),
            other => nearest(other, DIRECTIVES.iter().copied()).unwrap_or(other),
        };
        match meant {
            "param" => {
                self.raw.broken.insert(Atom::new("param"));
            }
            "dynamic" | "multifile" | "discontiguous" | "table" => {
                let mut rest = tree.args(at).to_vec();
                while let Some(item) = rest.pop() {
                    if let Some((left, right)) = tree.binary(item, atoms::COMMA) {
                        rest.extend([left, right]);
                    } else if let Some(items) = tree.list(item) {
                        rest.extend(items);
                    } else {
                        let named = tree.binary(item, atoms::SLASH).map_or(item, |(name, _)| name);
                        self.raw.broken.extend(tree.functor(named).map(|(name, _)| name));
                    }
                }
            }
            "op" => {
                let args = tree.args(at).iter().flat_map(|arg| tree.list(*arg).unwrap_or_else(|| vec![*arg]));
                for arg in args {
                    // An atom that is not an operator type is an operator name.
                    if let TermKind::Atom(name) = tree.kind(arg)
                        && Fixity::from_name(name.text()).is_none()
                        && !file.ops.is_op(*name)
                        && !matches!(*name, atoms::COMMA | atoms::NIL | atoms::CURLY | atoms::BAR)
                    {
                        file.ops.set(700, Fixity::Xfx, *name);
                        self.raw.broken.insert(*name);
                    }
                }
            }
            _ => {}
        }
    }

    fn execute_directive(&mut self, file: &mut FileState, tree: &TermTree, at: NodeId) {
        let span = tree.span(at);
        let name = tree.functor(at).map(|(name, arity)| (name.text(), arity));
        let args = tree.args(at);
        match (name, args) {
            (Some((",", 2)), [left, right]) => {
                self.directive(file, tree, *left);
                self.directive(file, tree, *right);
            }
            (Some(("op", 3)), [priority, fixity, names]) => self.op(&mut file.ops, tree, *priority, *fixity, *names),
            (Some(("module", 2)), [name, exports]) => self.module_directive(file, tree, *name, *exports, span),
            (Some(("use_module" | "autoload", 1 | 2) | ("ensure_loaded", 1)), [target, ..]) => {
                self.use_module(file, tree, *target, false)
            }
            (Some(("include", 1)), [target]) => self.use_module(file, tree, *target, true),
            (Some(("param", 4)), [name, value, domain, doc]) => {
                self.param(file, tree, [*name, *value, *domain, *doc], span)
            }
            (Some(("expect", 1)), [claim]) => {
                self.raw.expectations.push(Expectation { tree: tree.clone(), claim: *claim, span: tree.span(*claim) })
            }
            (Some(("table", 1)), [list]) => {
                self.indicators(file, tree, *list, |loader, key, span| loader.raw.tabled.push((key, span)))
            }
            (Some(("discontiguous" | "dynamic" | "multifile", 1)), [list]) => {
                self.indicators(file, tree, *list, |loader, key, _| {
                    loader.raw.declared.insert(key);
                });
            }
            (Some(("meta_predicate", 1)), [list]) => self.meta_predicate(file, tree, *list),
            // They change nothing that Alphorn does.
            (Some(("style_check" | "license", 1)), _) => {}
            (Some(("encoding", 1)), [name]) if matches!(tree.kind(*name), TermKind::Atom(name) if name.text() == "utf8") =>
                {}
            _ => self.refuse_directive(name, span),
        }
    }

    /// Reports a directive that is not executed.
    fn refuse_directive(&mut self, name: Option<(&str, usize)>, span: Span) {
        match name {
            Some(("set_prolog_flag", 2)) => self.refuse(
                span,
                "flags cannot be set",
                "remove the directive; in Alphorn integers are exact, and \"text\" is a text",
            ),
            Some(("initialization", _)) => self.refuse(
                span,
                "loading a file of rules runs no goal",
                "remove the directive; to run a goal, type: alphorn query FILE 'GOAL'",
            ),
            Some((name, count)) if DIRECTIVES.contains(&name) => {
                let help = match name {
                    "param" => "write :- param(size, 6, 4..10, \"board side\").",
                    "op" => "write :- op(700, xfx, ===).",
                    "module" => "write :- module(name, [predicate/2]).",
                    _ => "write the directive with one argument",
                };
                let given = plural(count as u64, "argument", "arguments");
                self.bad(span, &format!("{name} is called with {given}"), help);
            }
            Some((name, _)) => self.unknown_directive(name, span),
            None => self.refuse(
                span,
                "this is not a directive",
                "a directive is a name with arguments, such as :- op(700, xfx, ===).",
            ),
        }
    }

    /// Reports an unknown directive and suggests the nearest known one.
    fn unknown_directive(&mut self, name: &str, span: Span) {
        let near = nearest(name, DIRECTIVES.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean :- {near}(...)?"),
            None => format!(
                "if it is a fact, remove the `:-` before it; the directives are {}; to run a goal, type: alphorn query \
                 FILE 'GOAL'",
                DIRECTIVES.join(", ")
            ),
        };
        self.refuse(span, &format!("{name} is not a directive"), &help);
        // A quoted name or an operator does not begin the text of its directive.
        let named = self.raw.sources.text(span).starts_with(name);
        if let (Some(near), true, Some(problem)) = (near, named, self.raw.problems.last_mut()) {
            problem.edits.push((Span { end: span.start + name.len() as u32, ..span }, near.to_string()));
        }
    }

    fn refuse(&mut self, span: Span, message: &str, help: &str) {
        self.raw.problems.push(Problem::error(Code::UnknownDirective, span, message).help(help));
    }

    fn bad(&mut self, span: Span, message: &str, help: &str) {
        self.raw.problems.push(Problem::error(Code::DirectiveArgument, span, message).help(help));
    }

    fn op(&mut self, ops: &mut Ops, tree: &TermTree, priority: NodeId, fixity: NodeId, names: NodeId) {
        let help = "write :- op(700, xfx, name). with a priority from 0 to 1200 and one of xfx xfy yfx fy fx xf yf";
        let number = match tree.kind(priority) {
            TermKind::Int(number @ 0..=1200) => *number as u16,
            _ => return self.bad(tree.span(priority), "the priority must be a number from 0 to 1200", help),
        };
        let kind = match tree.kind(fixity) {
            TermKind::Atom(name) => Fixity::from_name(name.text()),
            _ => None,
        };
        let Some(kind) = kind else {
            return self.bad(tree.span(fixity), "this is not a type of operator", help);
        };
        for name in tree.list(names).unwrap_or_else(|| vec![names]) {
            match tree.kind(name) {
                TermKind::Atom(atoms::COMMA | atoms::NIL | atoms::CURLY | atoms::BAR) => {
                    self.bad(tree.span(name), "this operator cannot be changed", "choose another name");
                }
                TermKind::Atom(name) => ops.set(number, kind, *name),
                _ => self.bad(tree.span(name), "the name of an operator must be an atom", help),
            }
        }
    }

    fn module_directive(&mut self, file: &mut FileState, tree: &TermTree, name: NodeId, exports: NodeId, span: Span) {
        if !file.first {
            return self.refuse(span, "`module` must be the first directive of its file", "move it to the first line");
        }
        if let TermKind::Atom(name) = tree.kind(name) {
            self.raw.scopes[usize::from(file.scope.0)].module.get_or_insert(*name);
        }
        let Some(items) = tree.list(exports) else {
            return self.bad(tree.span(exports), "the exports must be a list", "write :- module(name, [predicate/2]).");
        };
        for item in items {
            if let Some((Atom { .. }, 3)) = tree.functor(item).filter(|(name, _)| name.text() == "op") {
                let args = tree.args(item).to_vec();
                self.op(&mut file.ops, tree, args[0], args[1], args[2]);
            } else if let Some((name, arity)) = tree.indicator(item) {
                let key = PredicateKey { scope: file.scope, name, arity };
                self.raw.exports.push((key, tree.span(item)));
            } else {
                self.bad(tree.span(item), "this is not name/arity", "write predicate/2");
            }
        }
    }

    fn use_module(&mut self, file: &mut FileState, tree: &TermTree, target: NodeId, include: bool) {
        let span = tree.span(target);
        if let Some(all) = tree.list(target).filter(|all| !all.is_empty()) {
            return all.into_iter().for_each(|target| self.use_module(file, tree, target, include));
        }
        if let Some(library) = tree.unary(target, Atom::new("library")) {
            let name = path_text(tree, library);
            return match name {
                Some(name) => self.library(file, &name, span),
                None => self.bad(span, "this must be the name of a library", "write library(lines)"),
            };
        }
        match path_text(tree, target) {
            Some(path) => self.other_file(file, &path, include, span),
            None => self.bad(span, "this must be a file or a library", "write 'relative/file' or library(name)"),
        }
    }

    fn indicators(
        &mut self,
        file: &FileState,
        tree: &TermTree,
        list: NodeId,
        mut take: impl FnMut(&mut Self, PredicateKey, Span),
    ) {
        let mut rest = vec![list];
        while let Some(item) = rest.pop() {
            if let Some((left, right)) = tree.binary(item, atoms::COMMA) {
                rest.extend([right, left]);
            } else if let Some(items) = tree.list(item).filter(|items| !items.is_empty()) {
                rest.extend(items.into_iter().rev());
            } else if let Some((name, arity)) = tree.indicator(item) {
                let key = PredicateKey { scope: file.scope, name, arity };
                take(self, key, tree.span(item));
            } else {
                self.bad(tree.span(item), "this is not name/arity", "write predicate/2");
            }
        }
    }

    fn meta_predicate(&mut self, file: &FileState, tree: &TermTree, list: NodeId) {
        let mut rest = vec![list];
        while let Some(item) = rest.pop() {
            if let Some((left, right)) = tree.binary(item, atoms::COMMA) {
                rest.extend([right, left]);
                continue;
            }
            let Some((name, arity)) = tree.functor(item) else {
                self.bad(tree.span(item), "this is not a head", "write maplist(1, ?)");
                continue;
            };
            let spec: String = tree
                .args(item)
                .iter()
                .map(|arg| match tree.kind(*arg) {
                    TermKind::Int(number @ 0..=9) => char::from(b'0' + *number as u8),
                    TermKind::Atom(atoms::CARET) => '^',
                    TermKind::Atom(name) if name.text() == "//" => '2',
                    _ => '?',
                })
                .collect();
            let key = PredicateKey { scope: file.scope, name, arity };
            self.raw.meta.insert(key, Arc::from(spec));
        }
    }

    fn param(&mut self, file: &FileState, tree: &TermTree, [name, value, domain, doc]: [NodeId; 4], span: Span) {
        let help =
            "write :- param(size, 6, 4..10, \"board side\"). or :- param(rule, old, [old, new], \"which rule\").";
        let TermKind::Atom(atom) = tree.kind(name) else {
            return self.bad(tree.span(name), "the name of a parameter must be an atom", help);
        };
        let Some(domain) = self.domain(tree, domain, help) else { return };
        let doc = match tree.kind(doc) {
            TermKind::Text(text) => text.to_string(),
            TermKind::Atom(text) => text.text().to_string(),
            _ => return self.bad(tree.span(doc), "the last argument must be a text: what the parameter means", help),
        };
        let Some(value_text) = plain_text(tree, value) else {
            return self.bad(tree.span(value), "the default of a parameter must be an integer or an atom", help);
        };
        let mut param = Param { name: *atom, value: value_text, domain, doc, span };
        if let Err(message) = param.accepts(&param.value) {
            let help = format!("write a default within the set, or a larger set: {message}");
            return self.bad(tree.span(value), &message, &help);
        }
        if let Some((_, changed)) = self.settings.iter().rev().find(|(name, _)| name == atom.text()) {
            param.value = changed.clone();
        }
        let replaces = self.in_overlay();
        if let Some(before) = self.raw.params.iter_mut().find(|other| other.name == *atom) {
            if replaces && before.span.source != span.source {
                *before = param;
                return;
            }
            let problem = Problem::error(
                Code::DirectiveArgument,
                span,
                format!("the parameter {} is declared twice", atom.text()),
            )
            .also(before.span, "first here")
            .help("remove one of the two");
            return self.raw.problems.push(problem);
        }
        debug_assert!(file.scope.0 < self.raw.scopes.len() as u16, "a file's scope has a name");
        self.raw.params.push(param);
    }

    fn domain(&mut self, tree: &TermTree, at: NodeId, help: &str) -> Option<Domain> {
        if let Some((low, high)) = tree.binary(at, atoms::RANGE)
            && let (TermKind::Int(low), TermKind::Int(high)) = (tree.kind(low), tree.kind(high))
        {
            if low > high {
                self.bad(tree.span(at), "the first number of a range must be the smaller one", help);
                return None;
            }
            return Some(Domain::Range(*low, *high));
        }
        if let Some((low, high)) = tree.binary(at, atoms::MINUS)
            && let (TermKind::Int(low), TermKind::Int(high)) = (tree.kind(low), tree.kind(high))
        {
            self.bad(
                tree.span(at),
                "this says no set of values",
                &format!("write the range with two dots: {low}..{high}"),
            );
            return None;
        }
        let items = tree
            .list(at)
            .and_then(|items| items.iter().map(|item| plain_text(tree, *item)).collect::<Option<Vec<_>>>());
        if items.is_none() {
            self.bad(tree.span(at), "this says no set of values", help);
        }
        items.map(Domain::OneOf)
    }
}

impl Param {
    /// Checks a value against the domain. An error is a message for the user.
    pub fn accepts(&self, value: &str) -> Result<(), String> {
        match &self.domain {
            Domain::Range(low, high) => match value.parse::<i64>() {
                Ok(number) if (*low..=*high).contains(&number) => Ok(()),
                _ => Err(format!("{} is from {low} to {high}, not {value}", self.name.text())),
            },
            Domain::OneOf(values) if values.iter().any(|one| one == value) => Ok(()),
            Domain::OneOf(values) => Err(format!("{} is one of {}, not {value}", self.name.text(), values.join(", "))),
        }
    }
}

fn plain_text(tree: &TermTree, at: NodeId) -> Option<String> {
    match tree.kind(at) {
        TermKind::Atom(name) => Some(name.text().to_string()),
        TermKind::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The path in a term `name`, `'dir/name'` or `dir/name`.
fn path_text(tree: &TermTree, at: NodeId) -> Option<String> {
    match tree.kind(at) {
        TermKind::Atom(name) => Some(name.text().to_string()),
        TermKind::Text(text) => Some(text.to_string()),
        _ => {
            let (folder, name) = tree.binary(at, atoms::SLASH)?;
            match (tree.kind(folder), tree.kind(name)) {
                (TermKind::Atom(folder), TermKind::Atom(name)) => Some(format!("{}/{}", folder.text(), name.text())),
                _ => None,
            }
        }
    }
}
