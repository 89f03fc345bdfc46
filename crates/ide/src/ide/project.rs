//! Which files belong together: the game of an overlay, and the files that load a file.
//!
//! A file is an overlay if its first comment says so, as in `% overlay of nim.pl`. A file without openings
//! is an overlay too if it defines predicates that one game of its folder has, and that game defines what it
//! calls.

use crate::ide::occurrences::Part;
use crate::ide::syntax::{SentenceKind, Syntax};
use crate::ide::{analysis::TextAnalysis, occurrences::occurrences};
use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::ops::Ops;
use alphorn_rules::rules::contract::INTERFACE;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The name of the game in a first comment `% overlay of NAME`.
pub fn overlay_comment(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    let line = text.lines().next()?.strip_prefix('%')?.trim_start_matches(['%', '!']).trim();
    let lower = line.get(..8)?.to_ascii_lowercase();
    let rest = line[8..].trim_start();
    let name = (lower.trim() == "overlay").then(|| rest.strip_prefix("of "))??;
    let name = name.trim().trim_matches(['`', '\'', '"']);
    let name = name.split_whitespace().next()?.trim_end_matches([':', ',', ';']);
    let name = name.strip_suffix('.').unwrap_or(name).trim_end_matches(['`', '\'', '"']);
    (!name.is_empty()).then_some(name)
}

/// What a file defines and loads, to find out what it belongs to.
#[derive(Clone, Debug)]
pub struct FileFacts {
    /// The predicates that the file defines.
    pub defines: FxHashSet<(Atom, usize)>,
    /// The files that it loads, as it writes them.
    pub loads: Vec<String>,
    /// Whether it begins with `:- module(...)`.
    pub module: bool,
    /// Whether it has openings.
    pub game: bool,
    /// The game that its first comment names.
    pub overlay_of: Option<String>,
}

impl FileFacts {
    /// Reads the facts of a text.
    pub fn read(text: &Arc<str>) -> FileFacts {
        FileFacts::of(&FileFacts::syntax(text, None))
    }

    /// Reads a text to find out its facts. What the text has in common with that of `last` is not read again.
    pub fn syntax(text: &Arc<str>, last: Option<&Syntax>) -> Syntax {
        let mut ops = Ops::default();
        ops.add_extras();
        Syntax::read(text, &ops, last)
    }

    /// The facts of a text.
    pub fn of(syntax: &Syntax) -> FileFacts {
        let text = &syntax.text;
        let defines: FxHashSet<(Atom, usize)> = syntax.sentences.iter().filter_map(|one| one.defines).collect();
        let mut loads = Vec::new();
        let mut module = false;
        for sentence in syntax.sentences.iter().filter(|one| one.kind == SentenceKind::Directive) {
            let Some(term) = &sentence.term else { continue };
            let Some(goal) = term.tree.unary(term.root, atoms::NECK) else { continue };
            let Some((name, arity)) = term.tree.functor(goal) else { continue };
            match (name.text(), arity) {
                ("module", 2) => module = true,
                ("include" | "ensure_loaded" | "use_module", 1 | 2) => {
                    let target = term.tree.args(goal)[0];
                    let span = term.tree.span(target);
                    match term.tree.kind(target) {
                        TermKind::Atom(path) => loads.push(path.text().to_string()),
                        TermKind::Compound(slash, _) if slash.text() == "/" => {
                            loads.push(text[span.start as usize..span.end as usize].replace([' ', '\''], ""));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        let game = defines.contains(&(Atom::new("initial"), 1));
        FileFacts { defines, loads, module, game, overlay_of: overlay_comment(text).map(str::to_string) }
    }
}

/// How well a file fits a game as its overlay: the number of predicates that it replaces. `None` if it
/// does not fit.
pub fn fit(overlay: &TextAnalysis, facts: &FileFacts, game: &FileFacts) -> Option<usize> {
    if facts.game || facts.module || !game.game {
        return None;
    }
    let shared = facts.defines.intersection(&game.defines).count();
    let interface = |name: Atom, arity: usize| {
        INTERFACE.iter().any(|(known, args, _)| *known == name.text() && args.len() == arity)
    };
    // An overlay may also add a game predicate that the game lacks, such as `static_eval/2`.
    let added = facts.defines.iter().any(|(name, arity)| interface(*name, *arity));
    if shared == 0 && !added {
        return None;
    }
    let sentences = overlay.syntax.sentences.iter();
    let goals = sentences.flat_map(|sentence| occurrences(overlay, sentence));
    let mut missing = goals.filter(|one| {
        one.part == Part::Goal && overlay.find(one.name, one.arity).is_none() && one.name.text() != "param"
    });
    missing.all(|one| game.defines.contains(&(one.name, one.arity))).then_some(shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_lang::lang::ProgramOptions;
    use alphorn_text::source::Source;

    #[test]
    fn the_first_comment_names_the_game() {
        assert_eq!(overlay_comment("% overlay of nim.pl\np."), Some("nim.pl"));
        assert_eq!(overlay_comment("%% Overlay of sub/nim.pl: quick\n"), Some("sub/nim.pl"));
        assert_eq!(overlay_comment("\u{feff}\n% overlay of `chess.pl`.\r\nx."), Some("chess.pl"));
        assert_eq!(overlay_comment("% overlays\n"), None);
        assert_eq!(overlay_comment("p.\n% overlay of nim.pl\n"), None);
        assert_eq!(overlay_comment("% über etwas"), None);
    }

    #[test]
    fn an_overlay_fits_a_game_that_defines_what_it_calls() {
        let game = "initial(a). move(a, x, b). score(b, 1). weight(3).";
        let facts = |text: &str| FileFacts::read(&text.into());
        let fits = |text: &str| {
            let analysis = TextAnalysis::of(&Source::typed("over.pl", text), &[], &ProgramOptions::default(), None);
            fit(&analysis, &facts(text), &facts(game))
        };
        assert_eq!(fits("weight(4). score(P, W) :- weight(W), move(P, _, _)."), Some(2));
        assert_eq!(fits("static_eval(P, W) :- score(P, W)."), Some(0));
        assert_eq!(fits("score(P, W) :- stranger(P, W)."), None);
        assert_eq!(fits("other(1)."), None);
        assert_eq!(fits("initial(c)."), None);
    }

    #[test]
    fn the_files_that_a_file_loads_are_known() {
        let facts = FileFacts::read(
            &":- module(m, [p/0]).\n:- use_module(library(grid)).\n:- include('a.pl').\n:- ensure_loaded(sub/b).\np."
                .into(),
        );
        assert_eq!(facts.loads, ["a.pl", "sub/b"]);
        assert!(facts.module && !facts.game);
    }
}
