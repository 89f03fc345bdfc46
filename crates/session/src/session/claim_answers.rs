//! Finds what the goal of an expectation answers, where the expectation claims something else.
//!
//! Of a goal that must fail, the result shows the first answer. Of a goal that has no answer, it shows the first goal of
//! the conjunction that fails, with the values that the goals before it give to its variables, or an argument that
//! the rules answer with instead.

use super::Session;
use super::claim_words::described;
use super::query::{Answer, QueryOptions};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_prolog::machine::store::Budget;
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::expect::StatedClaim;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::{Algorithm, SearchSettings, search_with};
use alphorn_text::symbol::atoms;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A limit on the steps of one question.
const STEPS: u64 = 200_000;

/// Limits on the positions and the time of a search that compares two moves.
const NODES: u64 = 50_000;
const SEARCH: Duration = Duration::from_secs(1);

/// The greatest number of answers and of arguments that are shown.
const SHOWN: usize = 3;
const SHOWN_ARGUMENTS: usize = 2;

/// The greatest length of a value in characters.
const VALUE: usize = 80;

/// A value of this length is easily compared with another one.
const EASY: usize = 30;

/// Terms are shown around the parts in which they differ if they have at most so many bytes.
const LONGEST_AROUND: usize = 40;

/// The greatest depth at which a difference of two terms is looked for.
const DEEPEST: usize = 4;

/// The greatest number of goals of a conjunction that are asked one after the other.
const GOALS: usize = 16;

/// The name of the variable that stands for an argument. No expectation is likely to use it.
const OPEN: &str = "AnsweredArgument";

/// The texts of a claimed goal.
struct ClaimedText<'a> {
    session: Session,
    tree: &'a TermTree,
}

impl Session {
    /// The words for a goal that has an answer and must have none.
    pub(super) fn unwanted_answer(&self, stated: &StatedClaim, goal: NodeId) -> String {
        let words = "it has an answer".to_string();
        let text = self.claimed_text(stated);
        let found = match text.is_call(goal) {
            true => {
                let mut args: Vec<usize> = (0..stated.tree.args(goal).len()).collect();
                args.retain(|at| !stated.tree.is_ground(stated.tree.args(goal)[*at]));
                let question = text.with_open(goal, &args, true);
                let values = text.first(&question, &|name| name.starts_with(OPEN));
                let places = args.into_iter().zip(values).take(SHOWN_ARGUMENTS);
                let own = |at: usize| text.of(stated.tree.args(goal)[at]);
                let is_new = |(at, value): &(usize, String)| !value.starts_with('_') && own(*at) != value;
                places.filter(is_new).map(|(at, value)| format!("argument {} is {value}", at + 1)).collect()
            }
            false => text.named(text.of(goal), &stated.tree.variables_of(goal)),
        };
        if found.is_empty() { words } else { format!("{words}: {}", found.join(", ")) }
    }

    /// The words for a goal that has no answer and must have one.
    pub(super) fn missing_answer(&self, stated: &StatedClaim, goal: NodeId) -> String {
        let words = "it has no answer".to_string();
        let text = self.claimed_text(stated);
        let goals = text.conjunction(goal);
        let Some((before, failing)) = text.first_failing(&goals) else { return words };
        if text.is_call(failing)
            && let Some(instead) = text.instead(&before, failing)
        {
            return format!("{words}: {instead}");
        }
        if before.is_empty() {
            return words;
        }
        if let Some((left, right)) = stated.tree.binary(failing, atoms::EQUAL)
            && let Some(difference) = text.difference(&before, text.of(left), text.of(right))
        {
            return format!("{words}: in {}, {difference}", shortened(text.of(failing)));
        }
        let known = text.named(&before, &stated.tree.variables_of(failing));
        let fails = format!("{words}: {} fails", shortened(text.of(failing)));
        if known.is_empty() { fails } else { format!("{fails} where {}", known.join(", ")) }
    }

    /// The words for a legal move that is not the best one, with the values of both if a short search finds them.
    pub(super) fn other_best(
        &self,
        game: &RuleGame,
        state: &Position,
        (depth, best, claimed): (u32, &Packed, &Packed),
    ) -> String {
        let words = format!("the best move is {}", self.term_text(best));
        let lines = game.legal_moves(state).map_or(1, |moves| moves.len());
        let settings = SearchSettings { lines, ..SearchSettings::default() };
        let (begun, late) = (Instant::now(), AtomicBool::new(false));
        let look = |_: u64| late.store(self.stop.load(Relaxed) || begun.elapsed() >= SEARCH, Relaxed);
        let limits = Limits {
            depth: Some(depth),
            nodes: Some(NODES),
            longest: Some(super::LONGEST_LINE),
            stop: Some(&late),
            progress: Some(&look),
            ..Limits::default()
        };
        let found = search_with(Algorithm::Auto, game, &RuleEval, state, &limits, &settings);
        let Some(found) = found.ok().filter(|found| !found.stopped) else { return words };
        let value = |label: &Packed| {
            let line = found.lines.iter().find(|line| line.moves.first().is_some_and(|mv| mv.label() == label));
            line.map(|line| line.value)
        };
        let claimed_text = self.term_text(claimed);
        match (value(best), value(claimed)) {
            (Some(best), Some(claimed)) if best == claimed => {
                format!("{words}, which comes before {claimed_text} and has the same value, {}", described(best))
            }
            (Some(best), Some(claimed)) => {
                format!("{words} with the value {}; {claimed_text} has {}", described(best), described(claimed))
            }
            _ => words,
        }
    }

    fn claimed_text<'a>(&self, stated: &'a StatedClaim) -> ClaimedText<'a> {
        let steps = if self.budgets.goal.steps == 0 { STEPS } else { self.budgets.goal.steps.min(STEPS) };
        let mut session = self.clone();
        session.budgets.goal = Budget { steps, ..self.budgets.goal };
        ClaimedText { session, tree: &stated.tree }
    }
}

impl ClaimedText<'_> {
    fn of(&self, node: NodeId) -> &str {
        self.session.rules.program.sources.text(self.tree.span(node))
    }

    /// Whether a goal is a call of a predicate of the game with arguments.
    fn is_call(&self, goal: NodeId) -> bool {
        let functor = self.tree.functor(goal).filter(|(_, arity)| *arity > 0);
        functor.is_some_and(|(name, arity)| {
            let program = &self.session.rules.program;
            program.own(name.text(), arity).is_some() && self.of(goal).starts_with(name.text())
        })
    }

    /// The goals of a conjunction.
    fn conjunction(&self, goal: NodeId) -> Vec<NodeId> {
        let (mut found, mut rest) = (Vec::new(), goal);
        while let Some((first, others)) = self.tree.binary(rest, atoms::COMMA).filter(|_| found.len() < GOALS) {
            found.push(first);
            rest = others;
        }
        found.push(rest);
        found
    }

    /// The text of goals before the first one that fails, and that goal. `None` if an error or a limit is in the way.
    fn first_failing(&self, goals: &[NodeId]) -> Option<(String, NodeId)> {
        let mut before = String::new();
        for goal in goals {
            let all = conjoined(&before, self.of(*goal));
            match self.answers(&all, 1) {
                Some(found) if found.is_empty() => return Some((before, *goal)),
                Some(_) => before = all,
                None => return None,
            }
        }
        None
    }

    /// What the rules answer with in place of an argument of a goal. The last argument that gives an answer counts.
    fn instead(&self, before: &str, goal: NodeId) -> Option<String> {
        let args = self.tree.args(goal);
        let (name, arity) = self.tree.functor(goal).filter(|(_, arity)| *arity > 1)?;
        let given = |at: &usize| !matches!(self.tree.kind(args[*at]), TermKind::Var(_));
        (0..arity).rev().filter(given).find_map(|at| {
            let question = conjoined(before, &self.with_open(goal, &[at], false));
            let answers = self.answers(&question, SHOWN + 1)?;
            let mut values: Vec<&String> = Vec::new();
            for (_, value) in answers.iter().flatten().filter(|(name, _)| name.starts_with(OPEN)) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            // An unbound argument tells nothing.
            values.retain(|value| !value.starts_with('_'));
            let shown: Vec<String> = values.iter().take(SHOWN).map(|value| shortened(value)).collect();
            let more = if values.len() > SHOWN { " or others" } else { "" };
            let text = format!("{}/{arity} gives {}{more} as argument {}", name.text(), shown.join(" or "), at + 1);
            let difference = match values.as_slice() {
                [only] if only.len() > EASY => self.difference(&question, &format!("{OPEN}{at}"), self.of(args[at])),
                _ => None,
            };
            let kinds = match values.as_slice() {
                [only] => Some(with_kinds(only, self.of(args[at]))).filter(|(own, _)| *own != shortened(only)),
                _ => None,
            };
            let text = match (difference, kinds) {
                (Some(difference), _) => format!("{text}, where {difference}"),
                (None, Some((own, other))) => {
                    format!("{}/{arity} gives {own} as argument {}, not {other}", name.text(), at + 1)
                }
                (None, None) => text,
            };
            (!shown.is_empty()).then_some(text)
        })
    }

    /// The first part in which two terms differ after some goals, such as `argument 3 is 6, not 7`. The terms are
    /// taken apart by goals.
    fn difference(&self, before: &str, left: &str, right: &str) -> Option<String> {
        let variable = |side: &str, level: usize| format!("{OPEN}{side}{level}");
        let sides = |level: usize| (variable("Left", level), variable("Right", level));
        let (own, other) = sides(0);
        let mut question =
            format!("{}, {own} = ({left}), {other} = ({right})", if before.is_empty() { "true" } else { before });
        let (mut place, mut found) = (String::new(), None);
        let mut around: Option<(String, String)> = None;
        for level in 0..DEEPEST {
            let ((own, other), (own_part, other_part)) = (sides(level), sides(level + 1));
            let at = variable("At", level);
            let differ = format!("{own_part} \\= {other_part}, !");
            let kinds = [
                // Only predicates that every program has.
                (
                    "element",
                    format!(
                        "is_list({own}), is_list({other}), length({own}, {at}Count), length({other}, {at}Count), \
                         append({at}Before, [{own_part}|_], {own}), length({at}Before, {at}Less), \
                         length({at}Others, {at}Less), append({at}Others, [{other_part}|_], {other}), \
                         {at} is {at}Less + 1"
                    ),
                ),
                (
                    "argument",
                    format!(
                        "compound({own}), compound({other}), \\+ is_list({own}), functor({own}, {at}Name, {at}Count), \
                         functor({other}, {at}Name, {at}Count), between(1, {at}Count, {at}), \
                         arg({at}, {own}, {own_part}), arg({at}, {other}, {other_part})"
                    ),
                ),
            ];
            let next = kinds.into_iter().find_map(|(kind, parts)| {
                let goal = format!("{question}, {parts}, {differ}");
                let answer = self.answers(&goal, 1)?.into_iter().next()?;
                let value = |wanted: &String| answer.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
                Some((kind, goal.clone(), value(&at)?.clone(), value(&own_part)?.clone(), value(&other_part)?.clone()))
            });
            let Some((kind, goal, number, own, other)) = next else { break };
            place = if place.is_empty() { format!("{kind} {number}") } else { format!("{kind} {number} of {place}") };
            let (own, other) = with_kinds(&own, &other);
            // The terms around the parts say more than a long way to the parts.
            let is_clear = |(own, other): &&(String, String)| {
                level > 1 && kind == "argument" && own.len().max(other.len()) <= LONGEST_AROUND
            };
            found = Some(match around.as_ref().filter(is_clear) {
                Some((own, other)) => format!("{own} stands in place of {other}"),
                None => format!("{place} is {own}, not {other}"),
            });
            around = Some((own, other));
            question = goal;
        }
        found
    }

    /// The text of a call with open arguments. If they are `tied`, they are the given terms.
    fn with_open(&self, goal: NodeId, places: &[usize], tied: bool) -> String {
        let span = self.tree.span(goal);
        let mut text = self.of(goal).to_string();
        let mut ties = String::new();
        for at in places.iter().rev() {
            let arg = self.tree.args(goal)[*at];
            let own = self.tree.span(arg);
            if !span.contains(own) {
                return text;
            }
            if tied {
                ties = format!("{OPEN}{at} = ({}), {ties}", self.of(arg));
            }
            text.replace_range(
                (own.start - span.start) as usize..(own.end - span.start) as usize,
                &format!("{OPEN}{at}"),
            );
        }
        format!("{ties}{text}")
    }

    /// The values of named variables in the first answer of a goal.
    fn named(&self, goal: &str, numbers: &[u32]) -> Vec<String> {
        let names = numbers.iter().filter_map(|number| self.tree.variables.get(*number as usize));
        let names: Vec<&str> = names.map(|variable| &*variable.name).filter(|name| !name.starts_with('_')).collect();
        let answers = self.answers(goal, 1).unwrap_or_default();
        let known = answers.first().into_iter().flatten().filter(|(name, _)| names.contains(&name.as_str()));
        known.take(SHOWN).map(|(name, value)| format!("{name} is {}", shortened(value))).collect()
    }

    /// The values of the variables that pass a test, in the first answer of a goal.
    fn first(&self, goal: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
        let answers = self.answers(goal, 1).unwrap_or_default();
        let found = answers.first().into_iter().flatten().filter(|(name, _)| wanted(name));
        found.map(|(_, value)| shortened(value)).collect()
    }

    /// The first answers of a goal; `None` after an error.
    fn answers(&self, goal: &str, limit: usize) -> Option<Vec<Answer>> {
        let options = QueryOptions { limit, canonical: false, keep: true };
        let found = self.session.query(goal, options, None, &mut |_, _, _| true).ok()?;
        found.error.is_none().then_some(found.answers)
    }
}

/// The text of an atom, a number or a text in double quotes without its quotes.
fn bare(text: &str) -> &str {
    text.trim_matches(['\'', '"'])
}

/// Two terms as texts of bounded length, with their kinds if they differ only in these: `'a.' (an atom)` and
/// `"a." (a text in double quotes)`.
fn with_kinds(own: &str, other: &str) -> (String, String) {
    let (shown, other_shown) = (shortened(own), shortened(other));
    let kind = |text: &str| match text.chars().next() {
        Some('"') => "a text in double quotes",
        Some(c) if c.is_ascii_digit() || c == '-' && text.len() > 1 => "a number",
        _ => "an atom",
    };
    if bare(own) != bare(other) || kind(own) == kind(other) {
        return (shown, other_shown);
    }
    (format!("{shown} ({})", kind(own)), format!("{other_shown} ({})", kind(other)))
}

/// The text of a conjunction with one more goal.
fn conjoined(before: &str, goal: &str) -> String {
    if before.is_empty() { format!("({goal})") } else { format!("{before}, ({goal})") }
}

/// A text of bounded length, on one line.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(VALUE) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
