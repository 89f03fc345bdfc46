//! Diagnostics of a long text shortly after a change, before its check has ended.
//!
//! Reading a text finds unreadable clauses, undefined predicates and variables that occur once. The rest of a
//! check, which follows the rules, takes much longer. The early diagnostics are those of the last check, moved to
//! their places in the new text, with what reading finds more or no longer. So no diagnostic that stays vanishes
//! in between.

use crate::lsp::outcome::CheckOutcome;
use alphorn_lang::lang::kept::TextChange;
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{Source, Sources, Span};
use rustc_hash::FxHashSet;

/// What tells problems of reading apart: code, message, first place.
type ProblemKey = (Code, String, Option<Span>);

fn key(problem: &Problem) -> ProblemKey {
    (problem.code, problem.message.clone(), problem.labels.first().map(|(span, _)| *span))
}

/// The last check with the problems that reading finds in the new text. `before` is what reading found in the text of
/// this check. `None` if the texts are now other files.
pub fn early(checked: &CheckOutcome, before: &Report, now: &Report) -> Option<CheckOutcome> {
    let moves = TextMoves::between(&checked.report.sources, &now.sources)?;
    let known: FxHashSet<ProblemKey> =
        before.problems.iter().filter_map(|problem| Some(key(&moves.problem(problem)?))).collect();
    let found: FxHashSet<ProblemKey> = now.problems.iter().map(key).collect();
    let stay = checked.report.problems.iter().filter_map(|problem| moves.problem(problem)).filter(|problem| {
        let key = key(problem);
        !known.contains(&key) || found.contains(&key)
    });
    let new = now.problems.iter().filter(|problem| !known.contains(&key(problem))).cloned();
    let report = Report::new(now.sources.clone(), stay.chain(new).collect());
    Some(CheckOutcome { version: checked.version, name: checked.name.clone(), role: checked.role.clone(), report })
}

/// How the places in some texts move to newer texts of the same files.
struct TextMoves<'a> {
    newer: &'a Sources,
    /// The change of each text, if it has one.
    changes: Vec<Option<TextChange>>,
}

impl TextMoves<'_> {
    /// Compares texts with newer ones; `None` if these are other files.
    fn between<'a>(older: &Sources, newer: &'a Sources) -> Option<TextMoves<'a>> {
        let (older, newer_texts) = (older.all(), newer.all());
        let same = |(old, new): (&Source, &Source)| old.name == new.name;
        if older.len() != newer_texts.len() || !older.iter().zip(newer_texts).all(same) {
            return None;
        }
        let change =
            |(old, new): (&Source, &Source)| (old.text != new.text).then(|| TextChange::between(&old.text, &new.text));
        Some(TextMoves { newer, changes: older.iter().zip(newer_texts).map(change).collect() })
    }

    /// The place in the newer text; `None` if it was replaced.
    fn span(&self, span: Span) -> Option<Span> {
        let Some(change) = self.changes.get(usize::from(span.source.0))? else { return Some(span) };
        let (start, end) = (i64::from(span.start), i64::from(span.end));
        // The replaced bytes of the older text.
        let (from, to) = (change.before as i64, change.after as i64 - change.moved);
        if from < to && from <= start && end <= to {
            return None;
        }
        let text = &self.newer.get(span.source).text;
        // The change may begin or end inside of a character.
        let inside = |at: usize| text.floor_char_boundary(at) as i64;
        let start = if start >= to {
            start + change.moved
        } else if start > from {
            inside(change.before)
        } else {
            start
        };
        let end = if end <= from {
            end
        } else if end < to {
            inside(change.after)
        } else {
            end + change.moved
        };
        Some(Span { source: span.source, start: start as u32, end: end.max(start) as u32 })
    }

    /// The problem in the newer text, without edits; `None` if its place was replaced.
    fn problem(&self, problem: &Problem) -> Option<Problem> {
        let mut labels = Vec::new();
        for (number, (span, text)) in problem.labels.iter().enumerate() {
            match self.span(*span) {
                Some(moved) => labels.push((moved, text.clone())),
                None if number == 0 => return None,
                None => {}
            }
        }
        Some(Problem { labels, edits: Vec::new(), other_edit: None, ..problem.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::outcome::Role;
    use alphorn_lang::lang::ProgramOptions;
    use alphorn_rules::rules::{self, Expected};
    use alphorn_text::source::Origin;

    const GAME: &str = "initial(left(max, 5)).\n\
        max_to_move(left(max, _)).\n\
        moves(left(P, N), L) :- findall(left(Q, M), (step(N, M), other(P, Q)), L).\n\
        step(N, M) :- member(K, [1, 2]), K =< N, M is N - K.\n\
        other(max, min).\nother(min, max).\n\
        static_eval(right(_, _), 0).\n\
        static_eval(left(_, N), N).\n\
        late(X) :- membr(X, ['é漢']).\n";

    fn source(text: &str) -> Source {
        Source { name: "game.pl".into(), text: text.into(), origin: Origin::Typed }
    }

    /// The early report after a change of the game.
    fn after(old: &str, new: &str) -> Report {
        let changed = GAME.replacen(old, new, 1);
        assert_ne!(changed, GAME, "{old}");
        let options = ProgramOptions::default();
        let read = |text: &str| rules::read(&[source(text)], &[], &options, Expected::Game);
        let report = rules::load(&[source(GAME)], &[], &options, Expected::Game).report;
        let checked = CheckOutcome { version: 1, name: "game.pl".into(), role: Role::Game, report };
        early(&checked, &read(GAME), &read(&changed)).expect("the same file").report
    }

    /// The problems of a report: code, and the text of the place.
    fn found(report: &Report) -> Vec<(String, &str)> {
        let place = |problem: &Problem| problem.labels.first().map_or("", |(span, _)| report.sources.text(*span));
        report.problems.iter().map(|problem| (problem.code.to_string(), place(problem))).collect()
    }

    fn has(report: &Report, code: &str, text: &str) -> bool {
        found(report).contains(&(code.to_string(), text))
    }

    #[test]
    fn what_stays_moves_and_what_is_new_comes() {
        for (old, new) in [("initial", "\n% é🎲\ninitial"), ("other(max, min).", "other(max,  min)."), ("0).", "1).")]
        {
            let report = after(old, new);
            assert!(has(&report, "A0311", "right(_, _)") && has(&report, "A0201", "membr"), "{:?}", found(&report));
            assert_eq!(found(&report).len(), found(&after("\n", "\n\n")).len());
        }
        let report = after("member(K", "mmber(K");
        assert!(has(&report, "A0201", "mmber") && has(&report, "A0201", "membr"), "{:?}", found(&report));
        assert!(has(&report, "A0311", "right(_, _)"), "{:?}", found(&report));
    }

    #[test]
    fn what_reading_finds_no_longer_goes() {
        let report = after("membr(", "member(");
        assert!(has(&report, "A0311", "right(_, _)"), "{:?}", found(&report));
        assert!(found(&report).iter().all(|(code, _)| code != "A0201"), "{:?}", found(&report));
        let report = after("static_eval(right(_, _), 0).\n", "");
        assert!(has(&report, "A0201", "membr"), "{:?}", found(&report));
        assert!(found(&report).iter().all(|(code, _)| code != "A0311"), "{:?}", found(&report));
    }

    #[test]
    fn places_begin_and_end_at_characters() {
        let changes =
            [("é漢", "è"), ("'é漢'", "漢"), ("漢", "🎲"), ("é", "ê"), ("t(_, _)", "é🎲"), ("membr(X, ['é", "漢")];
        for (old, new) in changes {
            let report = after(old, new);
            for (span, _) in report.problems.iter().flat_map(|problem| &problem.labels) {
                let text = &report.sources.get(span.source).text;
                assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} after {new}");
            }
        }
    }

    /// Every place lies in the new text, and what reading finds is reported once.
    #[test]
    fn any_change_keeps_places_in_the_text() {
        let options = ProgramOptions::default();
        let read = |text: &str| rules::read(&[source(text)], &[], &options, Expected::Game);
        let report = rules::load(&[source(GAME)], &[], &options, Expected::Game).report;
        let (checked, before) =
            (CheckOutcome { version: 1, name: "game.pl".into(), role: Role::Game, report }, read(GAME));
        for start in (0..GAME.len()).step_by(11).filter(|at| GAME.is_char_boundary(*at)) {
            for (length, new) in [(0, "'"), (1, ""), (3, "é🎲"), (9, "(X"), (60, ".\nx(membr(1)) :- "), (999, "")] {
                let end = GAME.floor_char_boundary((start + length).min(GAME.len()));
                let text = format!("{}{new}{}", &GAME[..start], &GAME[end..]);
                let now = read(&text);
                let report = early(&checked, &before, &now).expect("the same file").report;
                for (span, _) in report.problems.iter().flat_map(|problem| &problem.labels) {
                    let text = &report.sources.get(span.source).text;
                    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {text}");
                }
                let keys: Vec<_> = report.problems.iter().map(key).collect();
                for problem in &now.problems {
                    let times = keys.iter().filter(|other| **other == key(problem)).count();
                    assert_eq!(times, 1, "{} in {text}", problem.message);
                }
            }
        }
    }
}
