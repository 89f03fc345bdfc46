//! Finds the clauses that explain why an expectation does not hold.
//!
//! The rules or the expectation may be wrong. A diagnostic therefore shows both: the expectation, and the
//! clauses that gave its answer or refused it. This code runs after a claim has failed, with limits on
//! steps and positions. An explanation that exceeds its limits is left out.

use super::Session;
use super::claims::plain;
use super::reason::ProofOptions;
use alphorn_lang::lang::ast::NodeId;
use alphorn_lang::lang::check::calls;
use alphorn_lang::lang::program::PredId;
use alphorn_prolog::machine::store::Budget;
use alphorn_prolog::reason::explain::Detail;
use alphorn_prolog::reason::proof::{Extent, ProofTree, ProvedBy};
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::Rules;
use alphorn_rules::rules::coverage::{idle_places, moves_by_clause};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::expect::{Claim, StatedClaim};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, ToMove};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchError;
use alphorn_text::report::plural;
use alphorn_text::source::Span;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Limits on the steps of one explanation, and on the positions and the time of the search for a line.
const STEPS: u64 = 200_000;
const NODES: u64 = 50_000;
const SEARCH: Duration = Duration::from_secs(1);

/// The greatest number of places for one claim: those that explain its answer, and those that random play
/// does not use.
const SHOWN: usize = 3;
const IDLE: usize = 2;

/// The greatest number of lists of moves that are searched for a position that is there twice.
const LISTS: usize = 200;

/// The moves of a line that a label shows.
const MOVES: usize = 6;

/// The greatest length of a label in characters.
const LABEL: usize = 160;

/// How a failure is explained. Only its places are shown.
const DETAIL: Detail = Detail { depth: 12, text: 100, clauses: 3 };

/// A place in the rules, with the text that explains it.
type Cause = (Span, String);

impl Session {
    /// The places in the rules that explain the answer of a claim that does not hold.
    pub(super) fn causes(&self, game: &RuleGame, stated: &StatedClaim) -> Vec<Cause> {
        let mut budgets = self.budgets;
        let steps = if budgets.goal.steps == 0 { STEPS } else { budgets.goal.steps.min(STEPS) };
        budgets.goal = Budget { steps, ..budgets.goal };
        let brief = Session { budgets, ..self.clone() };
        let mut found = brief.answering(game, stated);
        found.retain(|(span, _)| self.is_cause(stated, *span));
        let mut shown: Vec<Cause> = Vec::new();
        for cause in found.into_iter().take(SHOWN) {
            if shown.iter().all(|(span, _)| *span != cause.0) {
                shown.push(cause);
            }
        }
        shown
    }

    fn is_cause(&self, stated: &StatedClaim, span: Span) -> bool {
        let program = &self.rules.program;
        // The goal of the claim is read again, as a text that is not part of the program.
        let is_known = usize::from(span.source.0) < program.sources.len();
        is_known && program.is_written_by_user(span) && !stated.span.contains(span)
    }

    /// The places that gave or refused the answer of a claim.
    fn answering(&self, game: &RuleGame, stated: &StatedClaim) -> Vec<Cause> {
        let text = |goal: NodeId| self.rules.program.sources.text(stated.tree.span(goal));
        match &stated.claim {
            Claim::Holds(goal) => self.refusing(text(*goal)),
            Claim::Fails(goal) => self.giving(text(*goal), "gives an answer"),
            Claim::Perft(position, depth, _) => self.counted(game, position.as_ref(), *depth),
            Claim::Value(position, depth, _) => self.deciding(game, position.as_ref(), *depth),
            Claim::Best(position, depth, label) => {
                let state = Position(position.clone());
                let is_legal = game.legal_moves(&state).is_ok_and(|moves| moves.iter().any(|mv| mv.label() == label));
                match is_legal {
                    true => self.deciding(game, Some(position), Some(*depth)),
                    false => self.refusing(&self.move_text(&state, Some(label))),
                }
            }
        }
    }

    /// The goal that asks for a move with this label, or for any move.
    fn move_text(&self, state: &Position, label: Option<&Packed>) -> String {
        let position = self.term_text(&state.0);
        match (self.rules.contract.labelled, label) {
            (Some(_), Some(label)) => format!("move({position}, {}, _)", self.term_text(label)),
            (Some(_), None) => format!("move({position}, _, _)"),
            (None, _) => format!("moves({position}, [_|_])"),
        }
    }

    /// The clause that comes nearest to an answer, and its part that fails.
    fn refusing(&self, goal: &str) -> Vec<Cause> {
        let Ok(why) = self.failure_of(goal, None, DETAIL, None) else { return Vec::new() };
        let Some(smallest) = why.smallest.filter(|_| why.fails) else { return Vec::new() };
        let mut found = Vec::new();
        if let Some((span, words)) = smallest.place {
            let words = if words == "this fails" { smallest.message } else { words };
            found.push((span, short(words)));
        }
        found.extend(smallest.called.map(|span| (span, "called here".to_string())));
        let tried = why.failing.and_then(|failing| {
            let tried = failing.followed.and_then(|at| failing.clauses.into_iter().nth(at));
            tried.filter(|tried| tried.mismatch.is_none())
        });
        found.extend(tried.map(|tried| (tried.span, "this clause comes nearest to an answer".to_string())));
        found
    }

    /// The clauses that prove a goal, the outermost first.
    fn giving(&self, goal: &str, words: &str) -> Vec<Cause> {
        let extent = Extent { depth: 8, goals: 60, text: 60 };
        let proving = ProofOptions { answer: 1, extent, library: false };
        let Ok(why) = self.proof_of_goal(goal, proving, None) else { return Vec::new() };
        let mut found: Vec<Cause> = Vec::new();
        let mut queue: VecDeque<ProofTree> = why.proof.into_iter().flatten().collect();
        while let Some(tree) = queue.pop_front() {
            if let ProvedBy::Clause(span, ..) = tree.by
                && self.rules.program.is_written_by_user(span)
                && found.iter().all(|(other, _)| *other != span)
            {
                let words = if found.is_empty() { words } else { "used for this answer" };
                found.push((span, words.to_string()));
            }
            queue.extend(tree.parts);
        }
        found
    }

    /// The number of moves that each clause gives.
    fn counted(&self, game: &RuleGame, position: Option<&Packed>, depth: u32) -> Vec<Cause> {
        let Ok(state) = self.claimed_position(game, position) else { return Vec::new() };
        if let Some(cause) = self.listed_twice(game, &state, depth) {
            return vec![cause];
        }
        let counted = moves_by_clause(game, &state, depth);
        if counted.places.iter().all(|(_, count)| *count == 0) {
            return self.refusing(&self.move_text(&state, None));
        }
        let when = match counted.plies {
            1 => String::new(),
            plies => format!(" in {}", plural(plies.into(), "ply", "plies")),
        };
        let labelled = self.rules.contract.labelled.map(|pred| self.rules.program.predicate(pred));
        let makes_all = labelled.is_some_and(|moves| moves.clauses.len() == 1) && counted.plies > 1;
        let label = |at: usize, count: u64| match count {
            0 => format!("this clause gives no move{when}"),
            // The sum over several plies is no number of the expectation.
            _ if makes_all && at == 0 => "this clause gives all moves".to_string(),
            count => format!("this clause gives {}{when}", plural(count, "move", "moves")),
        };
        let told = counted.places.into_iter().enumerate();
        let told = told.map(|(at, (span, count))| (count > 0, (span, label(at, count))));
        let mut told: Vec<(bool, Cause)> = told.collect();
        // Clauses without moves come first: one of them may be meant to give some.
        told.sort_by_key(|(gives, _)| *gives);
        told.into_iter().map(|(_, cause)| cause).collect()
    }

    /// The head of `moves/2`, if it lists a position twice in one of the first positions.
    fn listed_twice(&self, game: &RuleGame, from: &Position, depth: u32) -> Option<Cause> {
        let pred = self.rules.contract.moves.filter(|_| self.rules.contract.labelled.is_none())?;
        let clause = self.rules.program.predicate(pred).clauses.first()?;
        let mut queue: VecDeque<(Position, u32)> = VecDeque::from([(from.clone(), 0)]);
        let mut asked = 0;
        while let Some((state, plies)) = queue.pop_front().filter(|(_, plies)| *plies < depth && asked < LISTS) {
            asked += 1;
            let moves = game.legal_moves(&state).ok()?;
            let mut seen = FxHashSet::default();
            if let Some(double) = moves.iter().find(|mv| !seen.insert(mv.label().clone())) {
                let words = format!("this lists {} twice", self.term_text(double.label()));
                return Some((clause.tree.span(clause.head), short(words)));
            }
            queue.extend(moves.into_iter().map(|mv| (mv.next, plies + 1)));
        }
        None
    }

    /// The clause that gives the value at the end of the best line, and what ends the game there.
    fn deciding(&self, game: &RuleGame, position: Option<&Packed>, depth: Option<u32>) -> Vec<Cause> {
        let Ok(state) = self.claimed_position(game, position) else { return Vec::new() };
        let (begun, late) = (Instant::now(), AtomicBool::new(false));
        let look = |_: u64| late.store(self.stop.load(Relaxed) || begun.elapsed() >= SEARCH, Relaxed);
        let limits = Limits {
            depth,
            nodes: Some(NODES),
            longest: Some(super::LONGEST_LINE),
            stop: Some(&late),
            progress: Some(&look),
            ..Limits::default()
        };
        let found = match alphorn_search::search::run(plain(game), game, &RuleEval, &state, &limits) {
            Ok(found) => found,
            Err(SearchError::Endless { line } | SearchError::Repetition { line }) => return self.endless(&line),
            Err(_) => return Vec::new(),
        };
        if found.stopped {
            return Vec::new();
        }
        let end = found.line.last().map_or(&state, |mv| &mv.next);
        let Ok(over) = game.to_move(end).map(|to_move| to_move == ToMove::Over) else { return Vec::new() };
        let contract = &self.rules.contract;
        let when = self.after(&found.line);
        let term = self.term_text(&end.0);
        let ends = short(format!("{when}, this clause ends the game"));
        let terminal = match contract.terminal.filter(|_| over) {
            Some(_) => self.giving(&format!("terminal({term})"), &ends),
            None => Vec::new(),
        };
        let value = match over {
            true if terminal.is_empty() && game.no_moves_decides() => "no_moves(_)".to_string(),
            true if contract.outcome.is_some() => format!("outcome({term}, _)"),
            _ => format!("static_eval({term}, _)"),
        };
        let mut causes = self.giving(&value, &short(format!("{when}, this clause gives the value")));
        causes.truncate(1);
        if over {
            match terminal.is_empty() {
                true => causes.extend(
                    self.refusing(&self.move_text(end, None))
                        .into_iter()
                        .map(|(span, words)| (span, short(format!("{when}, there is no move: {words}")))),
                ),
                false => causes.extend(terminal.into_iter().take(1)),
            }
        }
        causes
    }

    /// The goal that lets the game go on at the end of a line that does not end.
    fn endless(&self, line: &[RuleMove]) -> Vec<Cause> {
        let (Some(end), Some(_)) = (line.last(), self.rules.contract.terminal) else { return Vec::new() };
        let when = format!("{}, the game goes on", self.after(line));
        let mut causes = self.refusing(&format!("terminal({})", self.term_text(&end.next.0)));
        causes.truncate(1);
        causes.into_iter().map(|(span, words)| (span, short(format!("{when}: {words}")))).collect()
    }

    /// The moves of a line in words, or their number.
    fn after(&self, line: &[RuleMove]) -> String {
        match line.len() {
            0 => "here".to_string(),
            1..=MOVES if self.rules.contract.labelled.is_some() => {
                let line: Vec<String> = line.iter().map(|mv| self.term_text(mv.label())).collect();
                format!("after {}", line.join(" "))
            }
            plies => format!("after {}", plural(plies as u64, "ply", "plies")),
        }
    }

    /// The places that neither random play nor an expectation that holds uses, and that may matter for the claim,
    /// without those that are shown already.
    pub(super) fn idle_causes(&self, game: &RuleGame, stated: &StatedClaim, shown: &[Cause]) -> Vec<Cause> {
        let proved = self.proved_clauses();
        let asked = self.asked(stated).map(|roots| calls::reachable(&self.rules.program, &roots));
        let matters = |span: Span| {
            let clauses = |pred: &PredId| &self.rules.program.predicate(*pred).clauses;
            asked.as_ref().is_none_or(|asked| asked.iter().flat_map(clauses).any(|clause| clause.span.contains(span)))
        };
        let new = |(span, _): &&(Span, String)| {
            shown.iter().all(|(other, _)| other != span)
                && !proved.iter().any(|clause| clause.contains(*span))
                && matters(*span)
        };
        let places = idle_places(game).iter().filter(new).take(IDLE);
        places.map(|(span, label)| (*span, format!("in random games: {label}"))).collect()
    }

    /// The predicates that a claim asks directly; `None` if a search asks for its answer.
    fn asked(&self, stated: &StatedClaim) -> Option<Vec<PredId>> {
        let Rules { program, contract, .. } = &self.rules;
        match stated.claim {
            // The moves of one position do not depend on the end of the game.
            Claim::Perft(_, 1, _) => Some(
                [contract.initial, contract.labelled, contract.moves, contract.pass].into_iter().flatten().collect(),
            ),
            Claim::Holds(_) | Claim::Fails(_) => {
                let names = stated.tree.nodes().filter_map(|(node, _)| stated.tree.functor(node));
                Some(names.filter_map(|(name, arity)| program.own(name.text(), arity)).collect())
            }
            Claim::Perft(..) | Claim::Value(..) | Claim::Best(..) => None,
        }
    }
}

/// A label of bounded length.
fn short(words: String) -> String {
    match words.char_indices().nth(LABEL) {
        Some((at, _)) => format!("{}...", &words[..at]),
        None => words,
    }
}
