//! The predicates that come with Alphorn: builtins and the library, with their texts.
//!
//! The index is built once for the process.

use crate::ide::heading;
use alphorn_lang::lang::ProgramOptions;
use alphorn_lang::lang::load::gather;
use alphorn_lang::lang::program::PRELUDE;
use alphorn_lang::lang::world::World;
use alphorn_prolog::builtins;
use alphorn_prolog::machine::BuiltinCode;
use alphorn_rules::rules::world;
use alphorn_text::signature::{Fact, PredicateClass};
use alphorn_text::source::{Origin, Source, Span};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A predicate that comes with Alphorn.
#[derive(Clone, Debug)]
pub struct KnownPredicate {
    /// The name.
    pub name: &'static str,
    /// The number of arguments.
    pub arity: usize,
    /// How it is called, such as `between(Low, High, X)`.
    pub heading: String,
    /// What it does.
    pub about: String,
    /// A goal and its answers; empty if there is no example.
    pub example: (&'static str, &'static str),
    /// What is known of its answers, as short phrases.
    pub answers: Vec<String>,
    /// One character per argument, as in [`alphorn_text::signature::Signature::meta`].
    pub meta: Arc<str>,
    /// Where it comes from.
    pub from: KnownFrom,
}

/// Where a known predicate comes from.
#[derive(Clone, Debug)]
pub enum KnownFrom {
    /// The machine, for everybody.
    Builtin,
    /// The machine, for texts that load `library(alphorn)`.
    Extra,
    /// The library that every text sees: the text and the name in the first head.
    Prelude(Source, Span),
    /// A library that a text must load: its name, its text and the name in the first head.
    Library(String, Source, Span),
}

impl KnownPredicate {
    /// `name/arity`.
    pub fn indicator(&self) -> String {
        format!("{}/{}", self.name, self.arity)
    }

    /// The library that a text must load to call the predicate.
    pub fn library(&self) -> Option<&str> {
        match &self.from {
            KnownFrom::Extra => Some("alphorn"),
            KnownFrom::Library(name, ..) => Some(name),
            KnownFrom::Builtin | KnownFrom::Prelude(..) => None,
        }
    }
}

/// All predicates that come with Alphorn.
pub struct KnownIndex {
    /// The predicates; builtins first.
    pub all: Vec<KnownPredicate>,
    by_name: FxHashMap<&'static str, Vec<usize>>,
    /// The names of the library files, sorted.
    pub libraries: Vec<String>,
}

impl KnownIndex {
    /// The index.
    pub fn get() -> &'static KnownIndex {
        static INDEX: OnceLock<KnownIndex> = OnceLock::new();
        INDEX.get_or_init(KnownIndex::build)
    }

    fn build() -> KnownIndex {
        let mut all: Vec<KnownPredicate> = builtin_predicates();
        let world = world();
        let mut libraries: Vec<String> = world.library_names.iter().map(|name| (*name).to_string()).collect();
        libraries.extend(builtins::MODULES.iter().map(|part| part.name.to_string()));
        libraries.sort();
        all.extend(library_predicates(world, &libraries));
        libraries.push("alphorn".to_string());
        libraries.sort();
        let mut by_name: FxHashMap<&'static str, Vec<usize>> = FxHashMap::default();
        for (number, known) in all.iter().enumerate() {
            by_name.entry(known.name).or_default().push(number);
        }
        KnownIndex { all, by_name, libraries }
    }

    /// The predicates of this name.
    pub fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a KnownPredicate> + use<'a> {
        self.by_name.get(name).into_iter().flatten().map(|number| &self.all[*number])
    }

    /// The predicate of this name and arity.
    pub fn find(&self, name: &str, arity: usize) -> Option<&KnownPredicate> {
        self.named(name).find(|known| known.arity == arity)
    }
}

fn builtin_predicates() -> Vec<KnownPredicate> {
    let rows = builtins::table().into_iter().filter(|row| !row.signature.name.starts_with('$'));
    rows.map(|row| {
        let (name, arity) = (row.signature.name, usize::from(row.signature.arity));
        let (heading, about) = match heading::split(name, arity, row.summary) {
            (Some(heading), about) => (heading.to_string(), about.to_string()),
            (None, summary) => match summary.split_once(": ") {
                Some((call, about)) => (call.to_string(), about.to_string()),
                None => (format!("{name}/{arity}"), summary.to_string()),
            },
        };
        let extra = row.signature.class == PredicateClass::Extra;
        KnownPredicate {
            name,
            arity,
            heading,
            about,
            example: row.example,
            answers: answers(row.signature.facts, matches!(row.run, BuiltinCode::Once(_)), row.signature.class),
            meta: row.signature.meta.into(),
            from: if extra { KnownFrom::Extra } else { KnownFrom::Builtin },
        }
    })
    .collect()
}

fn library_predicates(world: World, libraries: &[String]) -> Vec<KnownPredicate> {
    let world = World { whole_library: true, ..world };
    let text: String = libraries.iter().map(|name| format!(":- use_module(library({name})).\n")).collect();
    let main = Source::typed("libraries", &text);
    let raw = gather(Some(&main), &[], &[], &ProgramOptions::default(), &world);
    let mut first: FxHashMap<_, Span> = FxHashMap::default();
    for clause in &raw.clauses {
        first.entry(clause.key).or_insert_with(|| clause.tree.span(clause.head));
    }
    let mut found = Vec::new();
    for (key, _) in &raw.exports {
        let Some(head) = first.get(key) else { continue };
        let source = raw.sources.get(head.source);
        if source.origin != Origin::Library {
            continue;
        }
        let (name, arity) = (key.name.text(), key.arity);
        let doc = raw.docs.get(key).cloned().unwrap_or_else(|| "".into());
        let (call, about) = heading::split(name, arity, &doc);
        let made = || {
            let clauses = raw.clauses.iter().filter(|clause| clause.key == *key);
            heading::of_heads(name, arity, clauses.map(|clause| (&clause.tree, clause.head)), &[])
        };
        let span = Span { end: head.start + name.len() as u32, ..*head };
        let library = source.name.trim_start_matches("lib/").trim_end_matches(".pl").to_string();
        found.push(KnownPredicate {
            name,
            arity,
            heading: call.map_or_else(made, str::to_string),
            about: about.to_string(),
            example: ("", ""),
            answers: answers(world.known.facts(key.name, arity), false, PredicateClass::Library),
            meta: raw.meta.get(key).cloned().unwrap_or_else(|| "".into()),
            from: match key.scope == PRELUDE {
                true => KnownFrom::Prelude(source.clone(), span),
                false => KnownFrom::Library(library, source.clone(), span),
            },
        });
    }
    found
}

/// What facts say about the answers of a predicate.
fn answers(facts: &[Fact], once: bool, class: PredicateClass) -> Vec<String> {
    let places = |list: &[usize]| {
        let numbers: Vec<String> = list.iter().map(|number| (number + 1).to_string()).collect();
        match numbers.split_last() {
            None => "no argument".to_string(),
            Some((one, [])) => format!("argument {one}"),
            Some((last, rest)) => format!("arguments {} and {last}", rest.join(", ")),
        }
    };
    let mut found: Vec<String> = Vec::new();
    if facts.contains(&Fact::NeverSucceeds) {
        found.push("never succeeds".to_string());
    } else if once {
        found.push("at most one answer".to_string());
    }
    for fact in facts {
        match fact {
            Fact::OneAnswer(list) if !once => found.push(format!("at most one answer if {} bound", are(list, &places))),
            Fact::BindsNothing => found.push("binds no variable".to_string()),
            Fact::MakesGround(list) => {
                found.push(format!("{} ground afterwards if the others are ground", are(list, &places)));
            }
            _ => {}
        }
    }
    match class {
        PredicateClass::Host => found.push("only for goals that you type and for expectations".to_string()),
        PredicateClass::Writer => found.push("only for goals that you type".to_string()),
        PredicateClass::Core | PredicateClass::Library | PredicateClass::Extra => {}
    }
    found
}

fn are(list: &[usize], places: &dyn Fn(&[usize]) -> String) -> String {
    let verb = if list.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", places(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predicate_has_a_heading_and_most_have_a_description() {
        let index = KnownIndex::get();
        assert!(index.all.len() > 300, "{}", index.all.len());
        for known in &index.all {
            assert!(!known.heading.is_empty(), "{}", known.indicator());
        }
        let silent: Vec<String> =
            index.all.iter().filter(|known| known.about.is_empty()).map(KnownPredicate::indicator).collect();
        assert!(silent.len() * 4 < index.all.len(), "{silent:?}");
    }

    #[test]
    fn libraries_and_answers_are_known() {
        let index = KnownIndex::get();
        let between = index.find("between", 3).expect("a builtin");
        assert_eq!(between.heading, "between(Low, High, X)");
        assert!(between.answers[0].contains("ground afterwards"), "{:?}", between.answers);
        let line = index.find("line", 4).expect("in lib/lines.pl");
        assert_eq!(line.library(), Some("lines"));
        assert_eq!(line.heading, "line(+Width, +Height, +K, -Cells)");
        assert_eq!(index.find("append", 3).and_then(KnownPredicate::library), None);
        assert_eq!(index.find("put_arg", 4).and_then(KnownPredicate::library), Some("alphorn"));
        assert_eq!(&*index.find("maplist", 3).expect("in the prelude").meta, "2??");
    }
}
