//! Completion: what may be written at the cursor.

use crate::ide::analysis::{Callable, OwnPredicate, TextAnalysis};
use crate::ide::define::undefined;
use crate::ide::describe::{self, CLAIMS, DIRECTIVES, describe};
use crate::ide::heading;
use crate::ide::known::{KnownIndex, KnownPredicate};
use crate::ide::offers::{CursorContext, cursor};
use crate::ide::template;
use crate::ide::words;
use crate::ide::written::{escaped, quoted};
use alphorn_lang::lang::program::Domain;
use alphorn_rules::rules::contract::INTERFACE;
use alphorn_text::symbol::Atom;
use std::ops::Range;

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A predicate of the user.
    Predicate,
    /// A predicate that comes with Alphorn.
    Library,
    /// A clause of a game predicate.
    GamePredicate,
    /// A directive, or a claim of an expectation.
    Directive,
    /// A parameter, or a value of one.
    Parameter,
    /// A variable of the clause.
    Variable,
    /// An atom or a functor of the positions.
    Atom,
    /// The name of a library.
    Module,
}

/// Something that may be written at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The name, for the list.
    pub label: String,
    /// The kind.
    pub kind: CompletionKind,
    /// One line beside the name.
    pub detail: String,
    /// The description, as Markdown.
    pub about: String,
    /// The text to insert. `${1:Name}` is a place to fill in, and `\` stands before `$`, `}` and `\` that
    /// are text.
    pub snippet: String,
    /// The library that the text must load too.
    pub library: Option<String>,
    /// The place in the list: smaller numbers come first.
    pub rank: u8,
}

/// The completions at a byte of a text.
#[derive(Clone, Debug)]
pub struct Completions {
    /// The bytes that a completion replaces.
    pub range: Range<usize>,
    /// The completions, the likeliest first.
    pub items: Vec<Completion>,
    /// Whether there are more than the list holds.
    pub more: bool,
}

/// The greatest number of completions.
const MOST: usize = 1_000;

/// Lists what may be written at a byte.
pub fn complete(analysis: &TextAnalysis, offset: usize) -> Completions {
    let here = cursor(&analysis.syntax, offset);
    let typed = analysis.syntax.text.get(here.word.start..offset.max(here.word.start)).unwrap_or("").to_string();
    let mut list = List { analysis, items: Vec::new() };
    match &here.context {
        CursorContext::Nothing => {}
        CursorContext::Clause => list.clauses(offset),
        CursorContext::Directive => list.directives(DIRECTIVES),
        CursorContext::Claim => list.directives(CLAIMS),
        CursorContext::Library => list.libraries(""),
        CursorContext::Module => list.libraries("library"),
        CursorContext::Param => list.params(),
        CursorContext::ParamValue(name) => list.param_values(*name),
        CursorContext::Goal => {
            list.variables(&here.variables, 4);
            list.variables(&words::variables(analysis, &here), 5);
            list.goals(0);
        }
        CursorContext::Argument(name, number) => {
            list.argument(*name, *number, here.in_directive);
            list.variables(&here.variables, 0);
            // A directive has no use for the variables of clauses.
            if !here.in_directive {
                list.variables(&words::variables(analysis, &here), 4);
            }
            if list.takes_goal(*name, *number) {
                list.goals(1);
            }
            list.atoms(&here.word);
        }
    }
    let mut items = list.items;
    items.retain(|item| fits(&typed, &item.label));
    let starts = |item: &Completion| !item.label.starts_with(&typed);
    items.sort_by(|one, other| {
        (starts(one), one.rank, &one.label, &one.detail).cmp(&(starts(other), other.rank, &other.label, &other.detail))
    });
    items.dedup_by(|one, other| one.label == other.label && one.snippet == other.snippet);
    let more = items.len() > MOST;
    items.truncate(MOST);
    Completions { range: here.word, items, more }
}

/// Whether the typed letters occur in a name in this order, and the first one begins a word of it.
fn fits(typed: &str, name: &str) -> bool {
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    let mut wanted = typed.chars().map(lower);
    let Some(first) = wanted.next() else { return true };
    let mut last = None;
    let mut begins = name.char_indices().filter(|(_, c)| {
        let before = last.replace(*c);
        let word =
            before.is_none_or(|before: char| !before.is_alphanumeric() || before.is_lowercase() && c.is_uppercase());
        word && lower(*c) == first
    });
    begins.any(|(at, c)| {
        let mut letters = name[at + c.len_utf8()..].chars().map(lower);
        wanted.clone().all(|c| letters.any(|other| other == c))
    })
}

/// A heading as a snippet: each argument is a place to fill in.
pub(super) fn call_snippet(name: &str, arity: usize, call: &str) -> String {
    let name = escaped(&quoted(name));
    let args = heading::arguments(call);
    if args.len() != arity {
        return if arity == 0 { name } else { format!("{name}($1)") };
    }
    let places = args
        .iter()
        .enumerate()
        .map(|(number, arg)| format!("${{{}:{}}}", number + 1, escaped(heading::without_mode(arg))));
    if arity == 0 { name } else { format!("{name}({})", places.collect::<Vec<_>>().join(", ")) }
}

/// Completions that are being collected.
pub(super) struct List<'a> {
    pub(super) analysis: &'a TextAnalysis,
    items: Vec<Completion>,
}

impl List<'_> {
    pub(super) fn add(
        &mut self,
        label: &str,
        kind: CompletionKind,
        rank: u8,
        detail: String,
        about: String,
        snippet: String,
    ) {
        self.items.push(Completion { label: label.to_string(), kind, detail, about, snippet, library: None, rank });
    }

    /// The beginnings of clauses: game predicates that are missing, the most usual first, and the predicates of the
    /// text.
    fn clauses(&mut self, offset: usize) {
        let analysis = self.analysis;
        for (order, (name, args, about)) in (1..).zip(INTERFACE) {
            let own = |name: &str, arity: usize| analysis.own(Atom::new(name), arity).is_some();
            // Of these pairs, a game needs only one predicate.
            let other = match *name {
                "moves" => own("move", 3),
                "move" => own("moves", 2),
                "min_to_move" => own("max_to_move", 1),
                "max_to_move" => own("min_to_move", 1),
                _ => false,
            };
            let defined = other || own(name, args.len());
            let detail = heading::of_game(name, args.len()).map_or_else(String::new, |(call, _)| call);
            let snippet = template::clause(analysis, name, args);
            let more = describe::game_predicate(name, args.len()).unwrap_or_else(|| (*about).to_string());
            self.add(name, CompletionKind::GamePredicate, if defined { u8::MAX } else { order }, detail, more, snippet);
        }
        // The word that is being typed may look like a clause, but it defines nothing yet.
        let typed = |own: &OwnPredicate| match own.clauses[..] {
            [only] => {
                let sentence = &analysis.syntax.sentences[only];
                !sentence.ended && sentence.range.start <= offset && offset <= sentence.range.end
            }
            _ => false,
        };
        for own in &analysis.own {
            if heading::of_game(own.name.text(), own.arity).is_none() && !typed(own) {
                self.predicate(Callable::Own(own), 0);
            }
        }
        for missing in undefined(analysis, offset) {
            let snippet =
                format!("{} :-\n    ${{0:true}}.", call_snippet(missing.name.text(), missing.arity, &missing.call));
            let about = format!("`{}` is called and not defined yet.", missing.call);
            self.add(missing.name.text(), CompletionKind::Predicate, 0, missing.call, about, snippet);
        }
        self.add(
            ":-",
            CompletionKind::Directive,
            0,
            "a directive".to_string(),
            "A directive loads libraries, declares parameters and states expectations.".to_string(),
            ":- ${1:use_module(library(alphorn))}.".to_string(),
        );
    }

    fn predicate(&mut self, found: Callable<'_>, rank: u8) {
        let (name, arity, kind) = match found {
            Callable::Own(own) => (own.name.text(), own.arity, CompletionKind::Predicate),
            Callable::Other(other) => (other.name.text(), other.arity, CompletionKind::Predicate),
            Callable::Known(known) => (known.name, known.arity, CompletionKind::Library),
        };
        let description = describe(self.analysis, found);
        let snippet = call_snippet(name, arity, &description.heading);
        let about = description.markdown();
        self.add(name, kind, rank, description.heading, about, snippet);
    }

    /// Everything that a goal can call.
    fn goals(&mut self, rank: u8) {
        let analysis = self.analysis;
        for own in analysis.own.iter().filter(|own| own.name.text() != "::") {
            self.predicate(Callable::Own(own), rank);
        }
        for other in analysis.environment.definitions.iter().filter(|other| other.name.text() != "::") {
            if analysis.own(other.name, other.arity).is_none() {
                self.predicate(Callable::Other(other), rank);
            }
        }
        if !analysis.environment.params.is_empty() {
            let detail = "param(Name, Value)".to_string();
            let about = "The value of a parameter that `:- param(...)` declares.".to_string();
            self.add("param", CompletionKind::Library, rank, detail, about, "param(${1:Name}, ${2:Value})".to_string());
        }
        let named = |known: &&KnownPredicate| known.name.starts_with(|c: char| c.is_alphabetic());
        for known in KnownIndex::get().all.iter().filter(named) {
            if known.answers.iter().any(|fact| fact.starts_with("only for goals")) {
                continue;
            }
            if analysis.own.iter().any(|own| own.name.text() == known.name && own.arity == known.arity) {
                continue;
            }
            self.predicate(Callable::Known(known), rank + 1);
            let missing = known.library().filter(|library| !analysis.environment.libraries.contains(*library));
            if let (Some(library), Some(last)) = (missing, self.items.last_mut()) {
                last.library = Some(library.to_string());
                last.rank += 1;
            }
        }
    }

    fn directives(&mut self, rows: &[(&str, &str, &str)]) {
        for (name, snippet, about) in rows {
            self.add(
                name,
                CompletionKind::Directive,
                0,
                (*about).to_string(),
                (*about).to_string(),
                (*snippet).to_string(),
            );
        }
    }

    /// The names of libraries, each as the argument of `around`, if that is not empty.
    fn libraries(&mut self, around: &str) {
        for name in &KnownIndex::get().libraries {
            let of = KnownIndex::get().all.iter().filter(|known| known.library() == Some(name));
            let list: Vec<String> = of.map(KnownPredicate::indicator).collect();
            let detail = match name.as_str() {
                "alphorn" => "parameters, expectations, advice, boards".to_string(),
                _ => list.join(", "),
            };
            let text = if around.is_empty() { name.clone() } else { format!("{around}({name})") };
            self.add(&text, CompletionKind::Module, 0, detail, list.join(", "), escaped(&text));
        }
    }

    fn params(&mut self) {
        for param in &self.analysis.environment.params {
            let (detail, about) = (format!("{} · {}", describe::values(param), param.doc), describe::param(param));
            self.add(
                param.name.text(),
                CompletionKind::Parameter,
                0,
                detail,
                about,
                escaped(&quoted(param.name.text())),
            );
        }
    }

    fn param_values(&mut self, name: Atom) {
        let Some((param, _)) = self.analysis.param(name.text()) else { return };
        let values = match &param.domain {
            Domain::OneOf(values) => values.clone(),
            Domain::Range(..) => vec![param.value.clone()],
        };
        for value in values {
            let detail = describe::values(param);
            self.add(&value, CompletionKind::Parameter, 0, detail, param.doc.clone(), escaped(&quoted_value(&value)));
        }
    }

    fn variables(&mut self, names: &[String], rank: u8) {
        for name in names {
            self.add(name, CompletionKind::Variable, rank, String::new(), String::new(), escaped(name));
        }
    }

    /// Whether an argument is a goal or a closure.
    fn takes_goal(&self, name: Atom, number: usize) -> bool {
        let known = KnownIndex::get().named(name.text()).map(|known| &*known.meta);
        let declared = (0..8).filter_map(|arity| self.analysis.environment.meta(name, arity));
        known.chain(declared).any(|spec| spec.chars().nth(number).is_some_and(|kind| kind != '?'))
    }

    /// The atoms and functors of the text, the most frequent first.
    fn atoms(&mut self, word: &Range<usize>) {
        for found in words::atoms(self.analysis, word) {
            let name = quoted(found.name.text());
            let snippet = if found.functor { format!("{}($1)", escaped(&name)) } else { escaped(&name) };
            let rank = if found.often { 2 } else { 3 };
            self.add(found.name.text(), CompletionKind::Atom, rank, String::new(), String::new(), snippet);
        }
    }
}

/// The value of a parameter as a text writes it.
fn quoted_value(value: &str) -> String {
    if value.parse::<i64>().is_ok() { value.to_string() } else { quoted(value) }
}

/// The place for directives that load libraries.
pub struct LoadPlace {
    /// The byte at which to insert.
    pub at: usize,
    before: &'static str,
    after: &'static str,
}

impl LoadPlace {
    /// The text that loads a library.
    pub fn text(&self, library: &str) -> String {
        format!("{}:- use_module(library({library})).\n{}", self.before, self.after)
    }
}

/// The place at which a text may load another library.
pub fn load_place(analysis: &TextAnalysis) -> LoadPlace {
    let loads = |sentence: &&std::sync::Arc<crate::ide::syntax::ReadSentence>| {
        let name = |at: usize| sentence.name_of(at).map(Atom::text);
        name(0) == Some(":-") && matches!(name(1), Some("use_module" | "module"))
    };
    let sentences = &analysis.syntax.sentences;
    if let Some(last) = sentences.iter().rfind(loads) {
        return match analysis.syntax.text[last.range.end..].find('\n') {
            Some(line) => LoadPlace { at: last.range.end + line + 1, before: "", after: "" },
            None => LoadPlace { at: analysis.syntax.text.len(), before: "\n", after: "" },
        };
    }
    // Before the first sentence, and before the comment that belongs to it.
    let mut at = sentences.first().map_or(analysis.syntax.text.len(), |first| first.range.start);
    for comment in analysis.syntax.comments.iter().rev() {
        if comment.end > at {
            continue;
        }
        if analysis.syntax.text[comment.end..at].matches('\n').count() > 1 {
            break;
        }
        at = comment.start;
    }
    LoadPlace { at, before: "", after: "\n" }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use alphorn_lang::lang::ProgramOptions;
    use alphorn_text::source::{Origin, Source};

    /// The labels that are offered at the mark `|`.
    pub(in crate::ide) fn offered(text: &str) -> Vec<String> {
        let offset = text.find('|').expect("a mark");
        let text = text.replacen('|', "", 1);
        let source = Source { name: "game.pl".into(), text: text.as_str().into(), origin: Origin::Typed };
        let analysis = TextAnalysis::of(&source, &[], &ProgramOptions::default(), None);
        complete(&analysis, offset).items.into_iter().map(|item| item.label).collect()
    }

    #[test]
    fn the_first_letter_begins_a_word() {
        assert!(fits("nt", "nth1") && fits("tm", "max_to_move") && fits("dX", "newDX") && fits("", "a"));
        assert!(!fits("nt", "initial") && !fits("ab", "a") && !fits("x", "max"));
    }

    #[test]
    fn a_new_file_begins_with_what_every_game_needs() {
        assert_eq!(offered("|")[..5], [":-", "initial", "moves", "move", "max_to_move"]);
        assert_eq!(offered("in|")[0], "initial", "the typed word itself is not offered");
        assert_eq!(offered("helper(1).\n\nhel|")[0], "helper");
    }

    #[test]
    fn what_a_game_has_in_another_form_comes_last() {
        let game = "initial(left(max, 3)).\nmax_to_move(left(max, _)).\nmove(left(P, N), N, left(P, N)).\n\n";
        let offers = offered(&format!("{game}|"));
        let place = |name: &str| offers.iter().position(|offer| offer == name).expect("it is offered");
        assert!(place("terminal") < place("moves") && place("outcome") < place("min_to_move"), "{offers:?}");
    }

    #[test]
    fn arguments_are_offered_words_of_clauses_alone() {
        let text = ":- use_module(library(alphorn)).\n:- param(size, 3, 1..9, \"size\").\nstart(row(max, N)) :- param(size, N).\n";
        let offers = offered(&format!("{text}next(|"));
        assert!(offers.iter().any(|name| name == "row") && offers.iter().any(|name| name == "max"), "{offers:?}");
        assert!(offers.iter().any(|name| name == "N"), "variables of other clauses: {offers:?}");
        let wrong = ["library", "alphorn", "use_module", "param", "size", "next"];
        assert!(offers.iter().all(|name| !wrong.contains(&name.as_str())), "{offers:?}");
    }

    #[test]
    fn a_predicate_that_is_called_can_be_begun() {
        assert_eq!(offered("p(X) :- start_here(X, Y), good(Y).\n\nst|")[0], "start_here");
        assert!(!offered("p :- q(1).\nq(1).\nq|").contains(&"q/1".to_string()));
    }

    #[test]
    fn terms_stand_beside_an_operator() {
        let text = "initial(line(red, 1)).\np(Red, X) :- X = re|";
        assert_eq!(offered(text)[0], "red");
        assert_eq!(offered("p(Place, X) :- X is Pl|")[0], "Place");
        assert!(
            offered("initial(line(red, 1)).\nq(li|").iter().any(|name| name == "line"),
            "line/4 is a library predicate"
        );
    }

    #[test]
    fn a_loaded_module_is_a_library() {
        assert!(offered(":- use_module(|").contains(&"library(grid)".to_string()));
        assert_eq!(offered(":- use_module(library(gr|"), ["grid"]);
    }
}
