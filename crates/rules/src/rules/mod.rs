//! A program of rules as a game.
//!
//! [`load`] loads source texts into [`Rules`]. `RuleGame` plays them, and any search can use it.
//! Only this module connects the language, the machine and the builtins. The module `contract`
//! defines what a game must contain.

pub mod advice;
pub mod advising;
mod all_heads;
mod answer;
mod ask;
mod blame;
mod causes;
mod chance;
mod check;
mod cited;
mod claimed;
mod clause_at;
mod clauses;
mod combined;
mod compared_claims;
pub mod contract;
pub mod cost;
pub mod coverage;
mod declared;
mod differing;
mod equations;
pub mod evaluation;
mod exchanges;
pub mod expect;
mod fact_columns;
pub mod fault;
mod fit;
mod flows;
mod followed;
mod foreign;
mod forms_beside;
pub mod game;
mod game_shapes;
mod heads;
mod held;
mod images;
mod inner;
mod join;
mod keys;
mod lacking;
mod library;
mod list_edits;
pub mod live;
mod lone;
mod lone_arity;
mod made;
mod maker;
mod meet;
mod mentions;
mod misfit;
mod misnamed;
mod misspelt;
mod mixed;
mod moved_fields;
mod moves;
mod near_miss;
mod needs;
mod nested;
mod odd;
mod open_keys;
mod opening_claims;
mod order;
mod origins;
mod outcomes;
mod passed;
pub mod playouts;
pub mod position;
mod position_parts;
mod ragged;
mod repairs;
mod results;
mod shape;
mod shapes;
mod shared;
mod shared_list;
mod sites;
mod sketch;
pub mod small_edit;
pub mod small_edits;
mod sources;
mod stray;
mod succeeds;
pub mod suspicion;
mod swapped;
mod tails;
mod taken;
mod taker;
pub mod templates;
mod term_context;
mod traced;
mod turned;
mod turned_claims;
mod turned_moves;
mod unbound;
mod unending;
mod uneven;
pub mod unlike;
mod unnamed;
mod unpaired;
mod value_edits;
mod worth;
mod wrapped;

use crate::rules::combined::CombinedQuestions;
use crate::rules::contract::Contract;
use crate::rules::expect::StatedClaim;
use alphorn_lang::lang::autoload;
use alphorn_lang::lang::kept::KeptSentences;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_lang::lang::surplus;
use alphorn_lang::lang::world::{PartPredicate, World};
use alphorn_lang::lang::{self, ProgramOptions};
use alphorn_prolog::builtins;
use alphorn_prolog::machine::BuiltinCode;
use alphorn_prolog::machine::reference::Reference;
use alphorn_text::interrupt;
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{Source, Sources, Span};
use alphorn_text::symbol::Atom;
use include_dir::{Dir, include_dir};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// The time between two looks at the flag that ends [`check_and_play`].
const LOOK: Duration = Duration::from_millis(10);

static LIBRARY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/lib");
static GAMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/games");

/// The builtins, the prelude and the libraries against which rules are loaded.
pub fn world() -> World {
    combined::reserve_atoms();
    let mut names: Vec<&'static str> = LIBRARY
        .files()
        .filter_map(|file| file.path().file_stem()?.to_str())
        .filter(|name| *name != "alphorn")
        .collect();
    names.sort_unstable();
    World {
        known: Arc::new(builtins::known().with(builtins::number::is_function, library_of).offering(offered)),
        prelude: builtins::PRELUDE,
        parts: builtins::PARTS,
        offers: offers_of,
        whole_library: false,
        library: library_text,
        library_names: names,
    }
}

/// The text of a library file.
fn library_text(name: &str) -> Option<&'static str> {
    let other = || builtins::MODULES.iter().find(|part| part.name == name).map(|part| part.text);
    LIBRARY.get_file(format!("{name}.pl")).and_then(|file| file.contents_utf8()).or_else(other)
}

/// The library predicates with this name, in all parts of the library. The index is built once.
fn offers_of(name: &str) -> &'static [PartPredicate] {
    static OFFERS: OnceLock<FxHashMap<&'static str, Vec<PartPredicate>>> = OnceLock::new();
    let offers = OFFERS.get_or_init(|| {
        let mut all: FxHashMap<&'static str, Vec<PartPredicate>> = FxHashMap::default();
        for (part, text) in builtins::PARTS.iter().map(|part| part.text).enumerate() {
            for (name, arity) in autoload::exported(text) {
                all.entry(name).or_default().push(PartPredicate { arity, part });
            }
        }
        all
    });
    offers.get(name).map_or(&[], Vec::as_slice)
}

/// The predicates of all parts of the library.
fn offered() -> Vec<(&'static str, usize)> {
    builtins::PARTS.iter().flat_map(|part| autoload::exported(part.text)).collect()
}

/// The library that exports a predicate. The index is built when a predicate is first missing.
fn library_of(name: Atom, arity: usize) -> Option<&'static str> {
    static OFFERS: OnceLock<FxHashMap<(Atom, usize), &'static str>> = OnceLock::new();
    let offers = OFFERS.get_or_init(|| {
        let texts =
            LIBRARY.files().filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)));
        let texts = texts.chain(builtins::MODULES.iter().map(|part| (part.name, part.text)));
        let keys =
            texts.flat_map(|(library, text)| lang::load::exports(text).into_iter().map(move |key| (key, library)));
        keys.collect()
    });
    offers.get(&(name, arity)).copied()
}

/// The games that are compiled into the program: name and text, sorted by name.
pub fn examples() -> Vec<(&'static str, &'static str)> {
    let mut found: Vec<_> =
        GAMES.files().filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?))).collect();
    found.sort_unstable();
    found
}

/// A loaded program. It is a game if it keeps the contract.
#[derive(Clone)]
pub struct Rules {
    /// The checked program.
    pub program: Arc<Program>,
    /// The builtins in the form that the machine runs.
    pub runs: Arc<[BuiltinCode]>,
    /// The predicates of the game. They have no meaning if the program is not a game.
    pub contract: Contract,
    ahead: Option<CombinedQuestions>,
    live: Option<CombinedQuestions>,
    /// The compiled advice table, if the game has one.
    pub advice: Option<Arc<advice::CompiledTable>>,
    /// The claims of the expectations in the text.
    pub claims: Arc<[StatedClaim]>,
    /// Remarks on the text that are not problems, one line each.
    pub notes: Arc<[String]>,
    /// The problems of the text.
    pub report: Report,
    input: Arc<LoadInput>,
}

/// What rules were loaded from.
struct LoadInput {
    texts: Vec<Source>,
    overlays: Vec<Source>,
    options: ProgramOptions,
    expected: Expected,
}

impl LoadInput {
    fn of(texts: &[Source], overlays: &[Source], options: &ProgramOptions, expected: Expected) -> Arc<LoadInput> {
        // What is tried leaves the kept sentences as they are.
        let kept = options.kept.as_ref().map_or_else(KeptSentences::default, KeptSentences::fork);
        let options = ProgramOptions { kept: Some(kept), ..options.clone() };
        Arc::new(LoadInput { texts: texts.to_vec(), overlays: overlays.to_vec(), options, expected })
    }

    /// The rules after changes of one text. `None` if this text was not given, but loaded by another one.
    fn changed(&self, sources: &Sources, changes: &[(Span, String)], checks: bool) -> Option<Rules> {
        let source = sources.get(changes.first()?.0.source);
        let text: Arc<str> = lang::edited::changed(&source.text, changes).into();
        let is_given = |other: &Source| Arc::ptr_eq(&other.text, &source.text);
        if !self.texts.iter().chain(&self.overlays).any(is_given) {
            return None;
        }
        let change = |other: &Source| match is_given(other) {
            true => Source { text: text.clone(), ..other.clone() },
            false => other.clone(),
        };
        let all = |all: &[Source]| all.iter().map(change).collect::<Vec<Source>>();
        Some(loaded(&all(&self.texts), &all(&self.overlays), &self.options, self.expected, checks))
    }
}

/// Whether the texts must be a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A game: the contract is checked. Only the parts of the library that the texts name are loaded, so a goal
    /// that is typed later may name only these.
    Game,
    /// Any program, for goals that a user types: the whole library is loaded.
    Program,
    /// A game if [`Contract::is_game`] holds, and any program otherwise. The whole library is loaded.
    Either,
}

/// Loads source texts. The first text is the main one; `overlays` replace predicates.
pub fn load(texts: &[Source], overlays: &[Source], options: &ProgramOptions, expected: Expected) -> Rules {
    interrupt::idle(|| {
        let mut rules = loaded(texts, overlays, options, expected, true);
        let (input, sources) = (rules.input.clone(), rules.report.sources.clone());
        repairs::verify(&mut rules.report, &|edits| Some(input.changed(&sources, edits, true)?.report));
        rules
    })
}

/// Reads source texts as [`load`] does, but does not follow the rules. The report has the problems of single clauses
/// and names: what cannot be read, what is not defined, variables that occur once. [`load`] finds these in a longer time,
/// with all others.
pub fn read(texts: &[Source], overlays: &[Source], options: &ProgramOptions, expected: Expected) -> Report {
    interrupt::idle(|| lang::load(texts, overlays, options, &world_of(expected)).report)
}

/// If the program need not be a game, a typed goal may name any library predicate.
fn world_of(expected: Expected) -> World {
    World { whole_library: expected != Expected::Game, ..world() }
}

/// A game that was checked, and the result of playing it meanwhile.
pub struct CheckedGame<T> {
    /// The problems of the text, as [`load`] finds them.
    pub report: Report,
    /// Remarks on the text that are not problems, one line each.
    pub notes: Arc<[String]>,
    /// The result of playing. `None` if the text is broken, or if there was no thread to play in.
    pub played: Option<T>,
}

/// Loads a game as [`load`] does, and plays it in another thread while the checks follow its rules, unless there are
/// errors before. `play` gets the rules with a flag that is set when nobody waits for its result any more, or when
/// `stop` is set.
pub fn check_and_play<T: Send + 'static>(
    texts: &[Source],
    overlays: &[Source],
    options: &ProgramOptions,
    stop: &AtomicBool,
    play: impl FnOnce(Rules, Arc<AtomicBool>) -> T + Send + 'static,
) -> CheckedGame<T> {
    let ended = Arc::new(AtomicBool::new(false));
    let (result, played) = channel();
    let (mut play, flag) = (Some(play), ended.clone());
    let mut begin = |rules: &Rules| {
        let (play, rules, flag, result) = (play.take(), rules.clone(), flag.clone(), result.clone());
        let run = move || play.map(|play| result.send(play(rules, flag)));
        // Without a thread nothing is sent.
        let _ = thread::Builder::new().spawn(run);
    };
    let rules = interrupt::idle(|| {
        let (mut rules, _) = checked(texts, overlays, options, Expected::Game, Some(&mut begin));
        let (input, sources) = (rules.input.clone(), rules.report.sources.clone());
        repairs::verify(&mut rules.report, &|edits| Some(input.changed(&sources, edits, true)?.report));
        rules
    });
    drop(result);
    let mut found = None;
    while !rules.is_broken() {
        match played.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Timeout) if stop.load(Relaxed) => ended.store(true, Relaxed),
            Err(RecvTimeoutError::Timeout) => {}
            result => {
                found = result.ok();
                break;
            }
        }
    }
    ended.store(true, Relaxed);
    CheckedGame { report: rules.report, notes: rules.notes, played: found }
}

/// Loads texts. Without `checks`, the report lacks the problems that only the checks of a game find.
fn loaded(texts: &[Source], overlays: &[Source], options: &ProgramOptions, expected: Expected, checks: bool) -> Rules {
    let mut nothing = |_: &Rules| {};
    let begin: Option<&mut dyn FnMut(&Rules)> = if checks { Some(&mut nothing) } else { None };
    let (mut rules, is_game) = checked(texts, overlays, options, expected, begin);
    if is_game {
        let program = Arc::make_mut(&mut rules.program);
        rules.ahead = CombinedQuestions::add(program, &rules.contract);
        rules.live = rules.ahead.or_else(|| CombinedQuestions::add_live(program, &rules.contract));
    }
    rules
}

/// Loads texts without combined questions, and tells whether they must be a game. The checks of a game are made unless `begin` is `None`. If
/// there are no errors, `begin` gets the rules, with an empty report, before the checks follow them.
fn checked(
    texts: &[Source],
    overlays: &[Source],
    options: &ProgramOptions,
    expected: Expected,
    begin: Option<&mut dyn FnMut(&Rules)>,
) -> (Rules, bool) {
    let input = LoadInput::of(texts, overlays, options, expected);
    let mut checked = lang::load(texts, overlays, options, &world_of(expected));
    let mut problems: Vec<Problem> = checked.report.problems;
    let contract = Contract::of(&checked.program);
    let is_game = expected == Expected::Game || expected == Expected::Either && contract.is_game();
    // If a clause has a syntax error, it may define what seems to be missing.
    let readable = !problems.iter().any(|problem| problem.code.text().starts_with("A01"));
    let mut advice = None;
    if is_game && readable {
        advice = advice::add(&mut checked.program, &contract, &mut problems);
    }
    let mut unclear = Vec::new();
    let mut rules = Rules {
        claims: expect::claims(&checked.program, &mut unclear).into(),
        program: Arc::new(checked.program),
        runs: builtins::runs().into(),
        contract,
        ahead: None,
        live: None,
        advice: advice.map(Arc::new),
        notes: Arc::default(),
        report: Report { sources: checked.report.sources, problems: Vec::new() },
        input,
    };
    if let (true, true, Some(begin)) = (is_game, readable, begin) {
        let called = rules.advice.as_ref().map_or_else(Vec::new, |table| table.roots().to_vec());
        let notes = check::check(&rules.program, &contract, &called, &mut || begin(&rules), &mut problems);
        rules.notes = notes.into();
    }
    problems.append(&mut unclear);
    rules.report = Report::new(rules.report.sources, problems);
    surplus::fold(&mut rules.report.problems);
    (rules, is_game)
}

impl Rules {
    /// A warning about a typed position if no position of the game has its shape.
    pub fn odd_position(&self, text: &str) -> Option<Problem> {
        misfit::odd_position(&self.program, &self.contract, text)
    }

    /// A reference solver of the program.
    pub fn reference(&self, stop: &Arc<AtomicBool>) -> Reference {
        Reference::new(self.program.clone(), self.runs.clone(), stop.clone())
    }

    /// The same rules without clause number `clause` of `pred`.
    pub fn lacking(&self, pred: PredId, clause: usize) -> Rules {
        let mut program = (*self.program).clone();
        program.predicate_mut(pred).clauses.remove(clause);
        Rules { program: Arc::new(program), ..self.clone() }
    }

    /// The rules after changes of one text, for a trial; `None` if this text is loaded by another one. With `checks`,
    /// the report is complete. Ctrl-C does not end the program meanwhile: the caller has diagnostics to print.
    pub fn changed(&self, changes: &[(Span, String)], checks: bool) -> Option<Rules> {
        self.input.changed(&self.program.sources, changes, checks)
    }

    /// The same rules with changes in the text of one clause, for a trial. The report and the expectations stay as they
    /// are. `None` if the text is no clause of this predicate then, or calls what is not known.
    pub fn with_clause(&self, pred: PredId, clause: usize, changes: &[(Span, String)]) -> Option<Rules> {
        let program = self.program.with_clause(pred, clause, changes)?;
        Some(Rules { program: Arc::new(program), ..self.clone() })
    }

    /// Whether the report contains errors, so that the program cannot be used.
    pub fn is_broken(&self) -> bool {
        lang::is_broken(&self.report)
    }
}
