//! Names places in the help of a problem where a mark would make the problem too long.
//!
//! The input is the problems of clauses that match no position, or no label. Only `misfit` calls this module.

use alphorn_lang::lang::program::Program;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;

/// The marks of places that make a right term.
const MADE: [&str; 3] = ["such a position is made here", "such a label is made here", "the right term is made here"];

/// Names the places that make a right term in the help. Only if all are one place, the first problem marks it: the
/// mistake may be there.
pub(super) fn makers(program: &Program, problems: &mut [Problem]) {
    let mark = |problem: &Problem| problem.labels.iter().position(|(_, text)| MADE.contains(&text.as_str()));
    let marked: Vec<(Span, Span)> =
        problems.iter().filter_map(|own| Some((own.labels[0].0, own.labels[mark(own)?].0))).collect();
    let is_one = marked.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let first = marked.iter().map(|(place, _)| *place).min().filter(|_| is_one);
    for problem in problems.iter_mut().filter(|own| Some(own.labels[0].0) != first) {
        let Some(at) = mark(problem) else { continue };
        let (span, text) = problem.labels.remove(at);
        let (line, file) = (program.sources.line_column(span).0, &program.sources.get(span.source).name);
        let cited = format!("\n{} in {file}:{line}\n", text.trim_end_matches(" here"));
        problem.help = problem.help.take().map(|help| help.replacen('\n', &cited, 1));
    }
}
