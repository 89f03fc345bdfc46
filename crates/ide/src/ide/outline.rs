//! The symbols, the foldable ranges and the code lenses of a text.

use crate::ide::analysis::TextAnalysis;
use crate::ide::heading;
use crate::ide::syntax::Syntax;
use alphorn_text::report::plural;
use alphorn_text::symbol::Atom;
use std::ops::Range;

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A predicate that Alphorn calls.
    GamePredicate,
    /// Any other predicate.
    Predicate,
    /// A parameter.
    Param,
}

/// A symbol of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name: `move/3`.
    pub name: String,
    /// How a predicate is called, or the values of a parameter.
    pub detail: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The bytes of its first clauses, as far as they stand together.
    pub range: Range<usize>,
    /// The bytes of the name.
    pub selection: Range<usize>,
}

/// The symbols of a text, in order.
pub fn symbols(analysis: &TextAnalysis) -> Vec<Symbol> {
    let sentences = &analysis.syntax.sentences;
    let mut found: Vec<Symbol> = Vec::new();
    for own in &analysis.own {
        let mut clauses = own.clauses.iter().copied();
        let Some(first) = clauses.next() else { continue };
        let last = clauses.zip(first + 1..).take_while(|(at, next)| at == next).last().map_or(first, |(at, _)| at);
        let game = heading::of_game(own.name.text(), own.arity).is_some();
        found.push(Symbol {
            name: own.indicator(),
            detail: analysis.described(own).0,
            kind: if game { SymbolKind::GamePredicate } else { SymbolKind::Predicate },
            range: sentences[first].range.start..sentences[last].range.end,
            selection: own.place.clone(),
        });
    }
    for (name, selection) in analysis.param_places() {
        let Some(sentence) = analysis.syntax.sentence_at(selection.start) else { continue };
        let detail = analysis.param(name.text()).map_or_else(String::new, |(param, _)| param.doc.clone());
        let (kind, range) = (SymbolKind::Param, sentence.range.clone());
        found.push(Symbol { name: name.text().to_string(), detail, kind, range, selection });
    }
    found.sort_by_key(|symbol| (symbol.range.start, symbol.selection.start));
    found
}

/// The kind of a foldable range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// Clauses.
    Clauses,
    /// A comment of several lines.
    Comment,
    /// Directives.
    Directives,
}

/// Sentences that belong together: their range, the predicate that they define, and their number.
type Group = (Range<usize>, Option<(Atom, usize)>, u32);

/// The ranges that an editor may fold, each longer than a line.
pub fn folds(syntax: &Syntax) -> Vec<(Range<usize>, FoldKind)> {
    let lines = |range: &Range<usize>| syntax.text[range.clone()].contains('\n');
    let mut found: Vec<(Range<usize>, FoldKind)> = Vec::new();
    let mut group: Option<Group> = None;
    let mut finish = |group: &mut Option<Group>| {
        if let Some((range, defines, count)) = group.take()
            && count > 1
        {
            found.push((range, if defines.is_some() { FoldKind::Clauses } else { FoldKind::Directives }));
        }
    };
    for sentence in &syntax.sentences {
        let same = match &group {
            Some((_, defines, _)) => *defines == sentence.defines,
            None => false,
        };
        if !same {
            finish(&mut group);
        }
        match &mut group {
            Some((range, _, count)) => (range.end, *count) = (sentence.range.end, *count + 1),
            None => group = Some((sentence.range.clone(), sentence.defines, 1)),
        }
    }
    finish(&mut group);
    found.retain(|(range, _)| lines(range));
    let single = syntax.sentences.iter().map(|sentence| sentence.range.clone());
    let single = single.filter(|range| lines(range)).map(|range| (range, FoldKind::Clauses));
    found.extend(single.collect::<Vec<_>>());
    found.extend(
        comment_blocks(syntax).into_iter().filter(|range| lines(range)).map(|range| (range, FoldKind::Comment)),
    );
    found.sort_by_key(|(range, _)| (range.start, range.end));
    found.dedup_by(|(one, _), (other, _)| one == other);
    found
}

/// Comments that stand in lines of their own, directly below each other.
fn comment_blocks(syntax: &Syntax) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for comment in &syntax.comments {
        let line = syntax.text[..comment.start].rfind('\n').map_or(0, |at| at + 1);
        let own_line = syntax.text[line..comment.start].trim().is_empty();
        let joins = |last: &Range<usize>| {
            let between = &syntax.text[last.end..comment.start];
            own_line && between.trim().is_empty() && between.matches('\n').count() == 1
        };
        match blocks.last_mut().filter(|last| joins(last)) {
            Some(last) => last.end = comment.end,
            None => blocks.push(comment.clone()),
        }
    }
    blocks
}

/// What a code lens does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensAction {
    /// Computes the value of the first opening.
    Value,
    /// Counts the lines of the first plies.
    Perft,
    /// Plays against the program.
    Play,
    /// Tests the expectation with this number in the text.
    Test(usize),
    /// Tests all expectations.
    TestAll,
}

/// A code lens: words above a line, which do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The bytes that it belongs to.
    pub range: Range<usize>,
    /// The words.
    pub title: String,
    /// What it does.
    pub action: LensAction,
}

/// The code lenses of a text.
pub fn lenses(analysis: &TextAnalysis) -> Vec<Lens> {
    let mut found = Vec::new();
    let expectations = analysis.expectations();
    for (number, (_, range)) in expectations.iter().enumerate() {
        if number == 0 && expectations.len() > 1 {
            let all = plural(expectations.len() as u64, "expectation", "expectations");
            let title = format!("test {all}");
            found.push(Lens { range: range.clone(), title, action: LensAction::TestAll });
        }
        found.push(Lens { range: range.clone(), title: "test".to_string(), action: LensAction::Test(number) });
    }
    if let Some(initial) = analysis.own(Atom::new("initial"), 1) {
        let range = &initial.place;
        for (title, action) in [("value", LensAction::Value), ("perft", LensAction::Perft), ("play", LensAction::Play)]
        {
            found.push(Lens { range: range.clone(), title: title.to_string(), action });
        }
    }
    found
}
