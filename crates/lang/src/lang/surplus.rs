//! Bounds the number of listed problems, because a problem takes kilobytes until it is printed.
//!
//! It takes the problems found so far. The problems beyond the first [`MOST_LISTED`] are counted: one
//! problem without a place stands for those of one severity.

use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Severity, plural};

/// The number of problems that are listed.
pub const MOST_LISTED: usize = 10_000;

/// Replaces the problems beyond the first [`MOST_LISTED`] by their numbers.
pub fn fold(problems: &mut Vec<Problem>) {
    if problems.len() <= MOST_LISTED + LEVELS.len() {
        return;
    }
    let mut rest: Vec<Problem> = problems.extract_if(.., |problem| is_number(problem)).collect();
    rest.extend(problems.drain(MOST_LISTED.min(problems.len())..));
    for (level, one, many) in LEVELS {
        let count: usize = rest.iter().filter(|problem| problem.level == level).map(|problem| problem.count).sum();
        if count > 0 {
            let message = format!("{} not listed", plural(count as u64, one, many));
            problems.push(Problem { level, count, ..Problem::placeless(Code::None, message) });
        }
    }
}

const LEVELS: [(Severity, &str, &str); 3] = [
    (Severity::Error, "more error is", "more errors are"),
    (Severity::Warning, "more warning is", "more warnings are"),
    (Severity::Note, "more note is", "more notes are"),
];

/// Whether a problem stands for others.
fn is_number(problem: &Problem) -> bool {
    problem.code == Code::None && problem.labels.is_empty() && problem.message.ends_with(" not listed")
}

#[cfg(test)]
mod tests {
    use super::{MOST_LISTED, fold};
    use alphorn_text::code::Code;
    use alphorn_text::report::{Problem, Severity};

    #[test]
    fn problems_beyond_the_listed_ones_are_counted() {
        let error = || Problem::placeless(Code::MissingTerm, "a full stop without a clause");
        let mut problems = Vec::new();
        for _ in 0..3 {
            problems.extend((0..MOST_LISTED).map(|_| error()));
            problems.push(error().as_warning());
            fold(&mut problems);
            fold(&mut problems);
        }
        assert_eq!(problems.len(), MOST_LISTED + 2);
        let count = |level: Severity| -> usize {
            problems.iter().filter(|problem| problem.level == level).map(|problem| problem.count).sum()
        };
        assert_eq!((count(Severity::Error), count(Severity::Warning)), (3 * MOST_LISTED, 3));
        assert_eq!(problems[MOST_LISTED].message, "20,000 more errors are not listed");
    }
}
