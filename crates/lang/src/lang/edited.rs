//! A program in which one clause has another text.
//!
//! To try an edit, only its clause is read and resolved. All other predicates are shared with the program.

use crate::lang::ast::{NodeId, Sentence, TermTree};
use crate::lang::dcg;
use crate::lang::goal::Resolver;
use crate::lang::program::{Clause, Goal, PredId, Program};
use crate::lang::qualify;
use crate::lang::read;
use alphorn_text::source::{Source, Span};
use alphorn_text::symbol::atoms;
use std::sync::Arc;

/// A text after changes that do not overlap.
pub fn changed(text: &str, changes: &[(Span, String)]) -> String {
    let mut text = text.to_string();
    let mut sorted: Vec<_> = changes.iter().collect();
    sorted.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    for (span, new) in sorted {
        text.replace_range(span.start as usize..span.end as usize, new);
    }
    text
}

impl Program {
    /// The same program after changes in the text of one clause, which do not overlap. `None` if a change is outside of
    /// the clause, or if the text is no clause of this predicate then, or calls what is not known. The text is read with
    /// all operators of the program, and not checked. The new clause is in a source of its own, after the others.
    pub fn with_clause(&self, pred: PredId, clause: usize, changes: &[(Span, String)]) -> Option<Program> {
        let predicate = self.predicate(pred);
        let own = predicate.clauses.get(clause)?.span;
        let offset = |at: u32| at.checked_sub(own.start);
        let changes = changes.iter().map(|(span, new)| {
            let inside = Span { start: offset(span.start)?, end: offset(span.end)?, ..*span };
            own.contains(*span).then(|| (inside, new.clone()))
        });
        let changes = changes.collect::<Option<Vec<_>>>()?;
        let mut text = changed(self.sources.text(own), &changes);
        text.push_str(" .");
        // Places in the new text are those of a text of its own.
        let (mut sources, text): (_, Arc<str>) = ((*self.sources).clone(), text.into());
        let source = sources.add(Source { text: text.clone(), ..sources.get(own.source).clone() });
        let reading = read::clause(source, &text, 0, &self.ops).filter(|reading| reading.problem.is_none())?;
        let is_whole = text[reading.next..].trim().is_empty();
        let Sentence { mut tree, root, span } = reading.sentence.filter(|_| is_whole)?;
        let (head, body) = parts(&mut tree, root)?;
        let scope = predicate.key.scope;
        let body = body.map(|body| qualify::body(self, scope, &mut tree, body));
        let mut resolver = Resolver::new(self, scope, &tree);
        let body = body.map_or(Goal::True, |body| resolver.goal(body));
        let is_known = resolver.bad.is_empty() && resolver.unknown.is_empty() && resolver.too_deep.is_none();
        if !is_known || tree.functor(head)? != (predicate.key.name, predicate.key.arity) {
            return None;
        }
        let mut program = Program { sources: Arc::new(sources), ..self.clone() };
        program.predicate_mut(pred).clauses[clause] = Clause { head, body, span, tree };
        Some(program)
    }
}

/// The head and the body of a clause.
fn parts(tree: &mut TermTree, root: NodeId) -> Option<(NodeId, Option<NodeId>)> {
    if let Some((head, body)) = tree.binary(root, atoms::NECK) {
        return Some((head, Some(body)));
    }
    match tree.binary(root, atoms::DCG_NECK) {
        Some((left, right)) => dcg::translate(tree, left, right).ok().map(|(head, body)| (head, Some(body))),
        None => Some((root, None)),
    }
}
