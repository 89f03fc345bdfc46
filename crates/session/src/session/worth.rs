//! Measures advice: the same searches with and without it, as a whole and for each rule.
//!
//! It takes a session with advice, positions and a depth. It returns the counts of each search, and where
//! pruning changed a value. The positions are those of `sample/2`, or else random ones, named by the
//! moves that lead to them.

use super::{GameStart, SearchOptions, Session, SessionResult};
use alphorn_lab::arena::opening::draw;
use alphorn_lang::lang::program::PredId;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::game::Score;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchResult;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// What to measure.
pub struct WorthOptions<'a> {
    /// The search options; their advice level is ignored.
    pub how: SearchOptions<'a>,
    /// The search depth in plies.
    pub depth: u32,
    /// The number of random positions, if the game names none.
    pub games: u32,
    /// The seed of the random positions.
    pub seed: u64,
    /// Called before each position with the number of finished ones.
    pub progress: &'a dyn Fn(u64),
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchCost {
    /// The visited positions, with those of forcing trees.
    pub nodes: u64,
    /// The positions of forcing trees.
    pub trees: u64,
    /// The evaluations.
    pub evals: u64,
    /// The time in seconds.
    pub seconds: f64,
}

/// A position, searched with and without advice.
#[derive(Clone, Debug)]
pub struct SampledPosition {
    /// Its name.
    pub name: String,
    /// The cost without advice.
    pub without: SearchCost,
    /// The cost with moves ordered by advice.
    pub with: SearchCost,
    /// The value without advice.
    pub value: Score,
    /// The value with advice.
    pub advised: Score,
    /// The value and the cost with pruning, if the advice prunes.
    pub pruned: Option<(Score, SearchCost)>,
}

/// The measured effect of one rule.
#[derive(Clone, Debug)]
pub struct RuleWorth {
    /// The predicate and the number of the clause, or the name of the rule of a table.
    pub rule: String,
    /// The line of the text on which the rule begins.
    pub line: u32,
    /// For each position: the nodes without this rule, but with all others.
    pub nodes: Vec<u64>,
    /// Whether the rule prunes moves.
    pub prunes: bool,
    /// For a pruning rule: the positions in which leaving it out changes the value, with both values.
    pub changed: Vec<(String, Score, Score)>,
}

/// The measured effect of the advice.
#[derive(Clone, Debug)]
pub struct AdviceWorth {
    /// The results for each position.
    pub sampled: Vec<SampledPosition>,
    /// The results for each rule.
    pub rules: Vec<RuleWorth>,
    /// The number of selected positions; fewer are searched if the measurement is stopped.
    pub wanted: usize,
}

/// A clause of the advice that can be left out.
struct Part {
    pred: PredId,
    clause: usize,
    name: String,
    line: u32,
    prunes: bool,
}

/// The nodes without a rule; and the position and both values if the rule changes the value.
type Lacking = (u64, Option<(String, Score, Score)>);

/// The least and the greatest number of random plies to a sampled position.
const PLIES: (u32, u64) = (6, 12);

impl Session {
    /// Searches every position with advice, without it, and without each rule.
    pub fn worth(&self, start: &GameStart, measure: &WorthOptions<'_>) -> SessionResult<AdviceWorth> {
        let parts = self.parts();
        if parts.is_empty() {
            return self.problem(
                Problem::placeless(Code::NoAdvice, "the rules contain no advice that orders or prunes moves")
                    .help("write prefer(Pos, Label, Weight) :- ..., prune(Pos, Label) :- ..., or an advice table"),
            );
        }
        let game = self.game()?;
        let samples = self.samples(&game, start, measure)?;
        let mut worth = AdviceWorth { sampled: Vec::new(), rules: Vec::new(), wanted: samples.len() };
        let variants: Vec<Session> = parts.iter().map(|part| self.lacking(part.pred, part.clause)).collect();
        worth.rules.extend(parts.iter().map(|part| RuleWorth {
            rule: part.name.clone(),
            line: part.line,
            prunes: part.prunes,
            nodes: Vec::new(),
            changed: Vec::new(),
        }));
        for (done, sample) in samples.iter().enumerate() {
            (measure.progress)(done as u64);
            match self.sampled(sample, &parts, &variants, measure) {
                Ok((sampled, rows)) => {
                    for (told, (nodes, changed)) in worth.rules.iter_mut().zip(rows) {
                        told.nodes.push(nodes);
                        told.changed.extend(changed);
                    }
                    worth.sampled.push(sampled);
                }
                // Finished positions are kept.
                Err(_) if self.stop.load(Relaxed) => break,
                Err(failure) => return Err(failure),
            }
        }
        Ok(worth)
    }

    /// Searches one position with advice, without it, and without each rule.
    fn sampled(
        &self,
        (name, state): &(String, Position),
        parts: &[Part],
        variants: &[Session],
        measure: &WorthOptions<'_>,
    ) -> SessionResult<(SampledPosition, Vec<Lacking>)> {
        let (value, without) = self.cost(state, measure, AdviceLevel::Off)?;
        let (advised, with) = self.cost(state, measure, AdviceLevel::Order)?;
        let prunes = parts.iter().any(|part| part.prunes);
        let pruned = prunes.then(|| self.cost(state, measure, AdviceLevel::Prune)).transpose()?;
        let mut rows = Vec::with_capacity(parts.len());
        for (part, lacking) in parts.iter().zip(variants) {
            let level = if part.prunes { AdviceLevel::Prune } else { AdviceLevel::Order };
            let (other, cost) = lacking.cost(state, measure, level)?;
            let all = pruned.map(|(all, _)| all).filter(|all| part.prunes && other != *all);
            rows.push((cost.nodes, all.map(|all| (name.clone(), other, all))));
        }
        Ok((SampledPosition { name: name.clone(), without, with, value, advised, pruned }, rows))
    }

    /// The value of a position and the cost of its search.
    fn cost(
        &self,
        state: &Position,
        measure: &WorthOptions<'_>,
        advice: AdviceLevel,
    ) -> SessionResult<(Score, SearchCost)> {
        let game = self.game()?;
        let how = SearchOptions { advice, lines: 1, report: None, ..measure.how };
        let limits = Limits { depth: Some(measure.depth), stop: Some(&self.stop), ..Limits::default() };
        let begun = Instant::now();
        let SearchResult { value, nodes, evals, .. } = self.by_search(&game, state, &how, &limits)?;
        let seconds = begun.elapsed().as_secs_f64();
        match value {
            Some(value) if !self.stop.load(Relaxed) => {
                let trees = game.consulted();
                Ok((value, SearchCost { nodes: nodes + trees, trees, evals, seconds }))
            }
            _ => self.problem(Problem::placeless(Code::Interrupted, "stopped")),
        }
    }

    /// The clauses of the advice.
    fn parts(&self) -> Vec<Part> {
        let (program, contract) = (&self.rules.program, self.rules.contract);
        let mut parts = Vec::new();
        let line = |span| program.sources.line_column(span).0 as u32;
        for (pred, prunes) in [(contract.prefer, false), (contract.prune, true)] {
            let Some(pred) = pred else { continue };
            for (clause, at) in program.predicate(pred).clauses.iter().zip(0..) {
                let name = format!("{}, clause {}", program.indicator(pred), at + 1);
                parts.push(Part { pred, clause: at, name, line: line(clause.span), prunes });
            }
        }
        if let Some(table) = &self.rules.advice {
            for (at, (name, span)) in table.rules.iter().enumerate() {
                let (name, line) = (format!("rule {name}"), line(*span));
                parts.push(Part { pred: table.rule_pred(), clause: at, name, line, prunes: false });
            }
        }
        parts
    }

    /// A session whose rules lack one clause.
    fn lacking(&self, pred: PredId, clause: usize) -> Session {
        Session { rules: self.rules.lacking(pred, clause), ..self.clone() }
    }

    /// The positions to search, with their names.
    fn samples(
        &self,
        game: &RuleGame,
        start: &GameStart,
        measure: &WorthOptions<'_>,
    ) -> SessionResult<Vec<(String, Position)>> {
        if start.is_given() {
            let state = self.position(game, start)?;
            return Ok(vec![(self.position_text(game, &state)?, state)]);
        }
        let named = game.samples().map_err(|fault| self.fault(&fault, &[]))?;
        if !named.is_empty() {
            return Ok(named.into_iter().map(|(name, state)| (self.plain(&name), state)).collect());
        }
        let starts = game.openings().map_err(|fault| self.fault(&fault, &[]))?;
        let mut found: Vec<(String, Position)> = Vec::new();
        for number in 0..u64::from(measure.games) {
            let plies = PLIES.0 as usize + (number % (PLIES.1 - u64::from(PLIES.0) + 1)) as usize;
            let drawn = draw((game, &RuleEval), &starts, plies, (measure.seed, number))
                .map_err(|(fault, moves): (_, Vec<RuleMove>)| self.fault(&fault, &moves))?;
            let Some(line) = drawn else { continue };
            let from = line.before().first().unwrap_or(line.last());
            found.push((self.labels(game, from, &line.moves).join(" "), line.last().clone()));
        }
        let mut met = FxHashSet::default();
        found.retain(|(_, state)| met.insert(state.clone()));
        match found.is_empty() {
            true => self.problem(
                Problem::placeless(
                    Code::InvalidPositionOrMove,
                    "random play finds no position in the middle of a game",
                )
                .help("name some positions: sample(Name, Pos) :- ..."),
            ),
            false => Ok(found),
        }
    }
}
