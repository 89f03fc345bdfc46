//! A program with its goals, as text that can be reduced.
//!
//! The generator makes a [`Sample`], and the reducer makes it smaller. This module does not know the solvers.

use std::fmt;

/// A goal as text, with the structure that the reducer needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    Leaf(String),
    All(Vec<Goal>),
    /// Texts with goals between them: there is one text more than goals.
    Node(Vec<String>, Vec<Goal>),
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Leaf(text) => f.write_str(text),
            Goal::All(goals) => match goals.as_slice() {
                [] => f.write_str("true"),
                [one] => write!(f, "{one}"),
                goals => write!(f, "({})", joined(goals)),
            },
            Goal::Node(texts, goals) => {
                for (text, goal) in texts.iter().zip(goals) {
                    write!(f, "{text}{goal}")?;
                }
                f.write_str(texts.last().map_or("", |text| text))
            }
        }
    }
}

impl Goal {
    fn rename(&mut self, number: u64) {
        match self {
            Goal::Leaf(text) => *text = renamed(text, number),
            Goal::All(goals) => goals.iter_mut().for_each(|goal| goal.rename(number)),
            Goal::Node(texts, goals) => {
                texts.iter_mut().for_each(|text| *text = renamed(text, number));
                goals.iter_mut().for_each(|goal| goal.rename(number));
            }
        }
    }
}

/// Adds a number to every word that begins with `p` and a digit.
fn renamed(text: &str, number: u64) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        out.push(c);
        let digit = text[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        if c == 'p' && digit && !(before.is_alphanumeric() || before == '_') {
            out.push_str(&format!("{number}_"));
        }
        before = c;
    }
    out
}

fn joined(goals: &[Goal]) -> String {
    goals.iter().map(Goal::to_string).collect::<Vec<String>>().join(", ")
}

/// A clause; a fact if the body is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub head: String,
    pub neck: &'static str,
    pub body: Vec<Goal>,
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.body.as_slice() {
            [] => write!(f, "{}.", self.head),
            body => write!(f, "{} {} {}.", self.head, self.neck, joined(body)),
        }
    }
}

/// A query.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A typed goal.
    Goal(Vec<Goal>),
    /// A predicate with terms as arguments; `None` is an unbound argument.
    Call(String, Vec<Option<String>>),
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asked::Goal(goals) if goals.is_empty() => f.write_str("?- true"),
            Asked::Goal(goals) => write!(f, "?- {}", joined(goals)),
            Asked::Call(name, args) => {
                let args: Vec<&str> = args.iter().map(|arg| arg.as_deref().unwrap_or("(unbound)")).collect();
                write!(f, "Ask::Call {name}({})", args.join(", "))
            }
        }
    }
}

/// A program and its queries.
#[derive(Clone, Debug)]
pub struct Sample {
    pub directives: Vec<String>,
    pub clauses: Vec<Clause>,
    pub asked: Vec<Asked>,
    /// The limits for each goal: steps and bytes.
    pub steps: u64,
    pub memory: u64,
}

impl Sample {
    /// The sample with other names, so that one text can contain several samples: `p0` becomes `p7_0`.
    pub fn renamed(mut self, number: u64) -> Sample {
        let text = |text: &mut String| *text = renamed(text, number);
        self.directives.iter_mut().for_each(text);
        for clause in &mut self.clauses {
            text(&mut clause.head);
            clause.body.iter_mut().for_each(|goal| goal.rename(number));
        }
        for asked in &mut self.asked {
            match asked {
                Asked::Goal(goals) => goals.iter_mut().for_each(|goal| goal.rename(number)),
                Asked::Call(name, args) => {
                    text(name);
                    args.iter_mut().flatten().for_each(text);
                }
            }
        }
        self
    }

    fn size(&self) -> usize {
        self.text().len() + self.asked.iter().map(|asked| asked.to_string().len()).sum::<usize>()
    }

    /// The text of the program.
    pub fn text(&self) -> String {
        let directives = self.directives.iter().map(|directive| format!(":- {directive}.\n"));
        let clauses = self.clauses.iter().map(|clause| format!("{clause}\n"));
        directives.chain(clauses).collect()
    }
}

/// Reduces a sample with one goal as long as it `fails`, with at most this many tries.
pub fn reduced(mut sample: Sample, tries: usize, fails: &mut dyn FnMut(&Sample) -> bool) -> Sample {
    let mut left = tries;
    loop {
        let before = sample.clone();
        for part in [Part::Asked, Part::Clauses, Part::Bodies, Part::Clauses, Part::Directives] {
            let mut at = 0;
            while let Some(mut candidates) = smaller(&sample, part, at) {
                let length = sample.clauses.len();
                let mut next = 0;
                while next < candidates.len() {
                    if candidates[next].size() >= sample.size() {
                        // The candidate differs only in its brackets.
                        next += 1;
                        continue;
                    }
                    if left == 0 {
                        return sample;
                    }
                    left -= 1;
                    if !fails(&candidates[next]) {
                        next += 1;
                        continue;
                    }
                    // The loop continues at the same index: candidates that did not help before will not help
                    // now.
                    sample = candidates.swap_remove(next);
                    candidates = smaller(&sample, part, at).unwrap_or_default();
                }
                at += usize::from(part != Part::Clauses || sample.clauses.len() == length);
            }
        }
        if (&before.directives, &before.clauses, &before.asked) == (&sample.directives, &sample.clauses, &sample.asked)
        {
            return sample;
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Directives,
    Clauses,
    Bodies,
    Asked,
}

/// The samples that lack something at one place of a part; `None` after the last place.
fn smaller(sample: &Sample, part: Part, at: usize) -> Option<Vec<Sample>> {
    let mut found = Vec::new();
    match part {
        Part::Directives => {
            sample.directives.get(at)?;
            let mut less = sample.clone();
            less.directives.remove(at);
            found.push(less);
        }
        Part::Clauses => {
            sample.clauses.get(at)?;
            // Many clauses are removed at once first, because most clauses are not needed.
            for count in [64, 16, 4, 1] {
                let end = at + count;
                if end <= sample.clauses.len() {
                    let mut less = sample.clone();
                    less.clauses.drain(at..end);
                    found.push(less);
                }
            }
        }
        Part::Bodies => {
            let clause = sample.clauses.get(at)?;
            for body in [vec![Vec::new()], fewer(&clause.body)].concat() {
                let mut less = sample.clone();
                less.clauses[at].body = body;
                found.push(less);
            }
        }
        Part::Asked => {
            let Asked::Goal(goals) = sample.asked.get(at)? else { return Some(found) };
            for goals in fewer(goals) {
                let mut less = sample.clone();
                less.asked[at] = Asked::Goal(goals);
                found.push(less);
            }
        }
    }
    Some(found)
}

/// The conjunctions that are a little smaller than this one.
fn fewer(goals: &[Goal]) -> Vec<Vec<Goal>> {
    let mut found = Vec::new();
    for at in 0..goals.len() {
        let with = |new: Vec<Goal>| [&goals[..at], new.as_slice(), &goals[at + 1..]].concat();
        found.push(with(Vec::new()));
        match &goals[at] {
            Goal::Leaf(_) => {}
            Goal::All(inner) => {
                found.push(with(inner.clone()));
                found.extend(fewer(inner).into_iter().map(|less| with(vec![Goal::All(less)])));
            }
            Goal::Node(texts, inner) => {
                found.extend(inner.iter().map(|goal| with(vec![goal.clone()])));
                for place in 0..inner.len() {
                    for less in fewer(std::slice::from_ref(&inner[place])) {
                        let mut inner = inner.clone();
                        inner[place] = Goal::All(less);
                        found.push(with(vec![Goal::Node(texts.clone(), inner)]));
                    }
                }
            }
        }
    }
    found
}
