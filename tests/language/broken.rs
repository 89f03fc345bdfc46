//! Tests that the diagnostics of broken rule files explain how to fix the files.
//!
//! The input is `tests/broken/*.pl`, games with one mistake each. People make such mistakes who come from
//! other languages, from other Prolog systems or from none. The head of a file describes the mistake:
//!
//! ```text
//! % what the mistake is
//! % code: A0101             the code of the problem; one of several suffices
//! % at: 12:5 13:1           line and column where a person would mark the mistake; one of several suffices
//! % help: =<                a text that must occur in the help; of several lines, one of them
//! % run: --playouts 50      the options, if only random play shows the mistake
//! % mend 12: |    K =< N,   replaces line 12; repeated: by several lines; without |: by none
//! ```
//!
//! `tests/right/*.pl` are correct programs that look suspicious to such checks: terms that look like
//! arithmetic, switches, lists as positions.
//!
//! Every corrected file must load without problems. The diagnostics must explain at least 95 % of the
//! mistakes in this way, and no correct program may be suspected.

use alphorn::code::Code;
use alphorn::lang::ProgramOptions;
use alphorn::machine::store::Budget;
use alphorn::report::{Problem, Report};
use alphorn::rules::game::RuleGame;
use alphorn::rules::{self, Expected, playouts};
use alphorn::source::{Origin, Source, Sources};
use miette::{GraphicalReportHandler, GraphicalTheme, ThemeStyles};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Files whose diagnostics do not explain the mistake well enough. A name may leave this list, but no name
/// may be added.
const MISSED: &[&str] = &["094_backquote", "100_latin1"];

/// The number of mistakes of a hundred that must be explained.
const SHARE: usize = 95;

/// The budget for one call: enough for these games, and small, so that runaway rules end soon.
const BUDGET: Budget = Budget { steps: 100_000, memory: 64 << 20 };

struct Case {
    name: String,
    path: String,
    text: String,
    codes: Vec<String>,
    places: Vec<(usize, usize)>,
    help: Vec<String>,
    playouts: u32,
    /// The lines that replace a line of the file.
    mends: BTreeMap<usize, Vec<String>>,
}

impl Case {
    fn read(path: PathBuf) -> Case {
        let bytes = std::fs::read(&path).expect("the file is there");
        let text = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_string();
        let mut case = Case {
            name: path.file_stem().and_then(|stem| stem.to_str()).expect("names are UTF-8").to_string(),
            path: path.to_str().expect("names are UTF-8").to_string(),
            text: String::new(),
            codes: Vec::new(),
            places: Vec::new(),
            help: Vec::new(),
            playouts: 0,
            mends: BTreeMap::new(),
        };
        for line in text.lines().skip(1) {
            let Some((key, value)) = line.strip_prefix("% ").and_then(|line| line.split_once(':')) else { break };
            let words = value.split_whitespace();
            match key.split_once(' ').unwrap_or((key, "")) {
                ("code", _) => case.codes = words.map(String::from).collect(),
                ("at", _) => case.places = words.map(place).collect(),
                ("help", _) => case.help.push(value[1..].to_string()),
                ("run", _) => case.playouts = words.last().and_then(|n| n.parse().ok()).expect("--playouts N"),
                ("mend", number) => {
                    let new = case.mends.entry(number.parse().expect("a line's number")).or_default();
                    new.extend(value.split_once('|').map(|(_, line)| line.to_string()));
                }
                _ => break,
            }
        }
        assert!(
            !case.codes.is_empty() && !case.help.is_empty() && !case.mends.is_empty(),
            "{}: a full head",
            case.name
        );
        Case { text, ..case }
    }

    fn mended(&self) -> String {
        let mut out = String::new();
        for (number, line) in self.text.lines().enumerate() {
            let new = self.mends.get(&(number + 1));
            for line in new.map_or(vec![line], |new| new.iter().map(String::as_str).collect()) {
                out.push_str(line);
                out.push('\n');
            }
        }
        out
    }

    /// The report of `alphorn check`.
    fn report(&self, source: Result<Source, Box<(Problem, Sources)>>) -> Report {
        let source = match source {
            Ok(source) => source,
            Err(wrong) => return Report::new(Arc::new(wrong.1), vec![wrong.0]),
        };
        let rules = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Game);
        let mut report = rules.report.clone();
        if self.playouts > 0 && !rules.is_broken() {
            let found = match RuleGame::new(rules.clone(), BUDGET, Arc::default()) {
                Ok(game) => playouts::check(&game, self.playouts, 1),
                Err(fault) => vec![fault.problem(&rules.program, &[])],
            };
            report.problems.extend(found);
        }
        report
    }

    /// The reason why the diagnostics do not explain the mistake; `None` if they do.
    fn missed(&self) -> Option<String> {
        let report = self.report(
            Source::read(&self.path)
                .map_err(|message| Box::new((Problem::placeless(Code::InvalidArgument, message), Sources::default()))),
        );
        let place = |problem: &Problem| problem.labels.first().map(|label| report.sources.line_column(label.0));
        let mut best = (0, "no problem is reported".to_string());
        for (problem, drawing) in report.problems.iter().zip(report.drawings()) {
            let at = place(problem);
            let here = at.is_some_and(|at| self.places.contains(&at));
            let coded = self.codes.iter().any(|code| code == problem.code.text());
            let help = problem.help.clone().unwrap_or_default();
            let helps = self.help.iter().any(|text| help.contains(text.as_str()));
            let picture = drawn(&drawing);
            let marked = here && picture.lines().any(|line| line.contains('·') && line.contains(['─', '┬', '▲']));
            if marked && coded && helps {
                return None;
            }
            let score = usize::from(here) * 4 + usize::from(helps) * 2 + usize::from(coded);
            let why = format!(
                "place {here} code {coded} help {helps}: {at:?} {} {}\n        {help}",
                problem.code, problem.message
            );
            if score >= best.0 {
                best = (score, why);
            }
        }
        Some(format!("{}: wanted {:?} {:?} {:?}\n    {}", self.name, self.places, self.codes, self.help, best.1))
    }
}

fn place(text: &str) -> (usize, usize) {
    let (line, column) = text.split_once(':').expect("LINE:COLUMN");
    (line.parse().expect("a line"), column.parse().expect("a column"))
}

fn drawn(drawing: &dyn miette::Diagnostic) -> String {
    let mut theme = GraphicalTheme::unicode_nocolor();
    theme.styles = ThemeStyles::none();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    let mut text = String::new();
    handler.render_report(&mut text, drawing).expect("every problem can be drawn");
    text
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder lists its files").path()).collect();
    found.sort_unstable();
    found
}

fn cases() -> Vec<Case> {
    files("tests/broken").into_iter().map(Case::read).collect()
}

/// The codes of suspicions: warnings about a text that can be read and run.
const SUSPICIONS: &[&str] =
    &["A0307", "A0309", "A0310", "A0311", "A0312", "A0313", "A0401", "A0402", "A0508", "A0509", "A0605"];

fn is_suspicion(problem: &Problem) -> bool {
    SUSPICIONS.contains(&problem.code.text()) || problem.message.contains("is not asked here")
}

/// A warning about a correct program is worse than a missing warning.
#[test]
fn no_right_program_is_suspected() {
    let mut bad = Vec::new();
    for path in files("tests/right") {
        let source = Source::read(path.to_str().expect("names are UTF-8")).expect("the file is text");
        let report = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Either).report;
        for problem in report.problems.iter().filter(|problem| is_suspicion(problem)) {
            let at = problem.labels.first().map(|label| report.sources.line_column(label.0));
            bad.push(format!("{}: {at:?} {} {}", path.display(), problem.code, problem.message));
        }
    }
    assert!(bad.is_empty(), "{} right programs are suspected:\n{}", bad.len(), bad.join("\n"));
}

/// The correction in the head of a file must remove its problem.
#[test]
fn each_mended_file_is_without_problems() {
    let mut bad = Vec::new();
    for case in cases() {
        let report = case.report(Ok(Source { origin: Origin::Typed, ..Source::typed(&case.name, &case.mended()) }));
        for problem in &report.problems {
            let at = problem.labels.first().map(|label| report.sources.line_column(label.0));
            bad.push(format!("{}: {at:?} {} {}", case.name, problem.code, problem.message));
        }
    }
    assert!(bad.is_empty(), "{} problems in mended files:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn nearly_every_mistake_is_shown_with_its_mend() {
    let cases = cases();
    let missed: Vec<(&str, String)> =
        cases.iter().filter_map(|case| Some((case.name.as_str(), case.missed()?))).collect();
    let names: Vec<&str> = missed.iter().map(|(name, _)| *name).collect();
    let told: Vec<&str> = missed.iter().map(|(_, why)| why.as_str()).collect();
    let share = 100 * (cases.len() - missed.len()) / cases.len();
    assert!(
        names == MISSED,
        "{} of {} are explained; not these:\n{}",
        cases.len() - missed.len(),
        cases.len(),
        told.join("\n")
    );
    assert!(cases.len() >= 100 && share >= SHARE, "{share} % of {} files are explained", cases.len());
}
