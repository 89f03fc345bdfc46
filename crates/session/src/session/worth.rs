//! What advice is worth: the same searches with it and without, as a whole and rule by rule.
//!
//! In: a session whose rules give advice, positions, a depth. Out: what each search visited, and
//! where leaving moves out changed a value. Positions are those that `sample/2` names, or else
//! random ones, named by the moves that lead there.

use super::{Done, GameStart, SearchOptions, Session};
use alphorn_lab::arena::opening::draw;
use alphorn_lang::lang::program::PredId;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::game::Score;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchResult;
use alphorn_text::report::Problem;
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// What is measured, and how.
pub struct WorthOptions<'a> {
    /// How each search is made; its advice is not looked at.
    pub how: SearchOptions<'a>,
    /// To this depth.
    pub depth: u32,
    /// Positions to draw, where the game names none.
    pub games: u32,
    /// Which of them.
    pub seed: u64,
    /// Called before each position with how many are done.
    pub progress: &'a dyn Fn(u64),
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchCost {
    /// Positions visited, those of forcing trees included.
    pub nodes: u64,
    /// Those of forcing trees alone.
    pub trees: u64,
    /// Positions judged.
    pub evals: u64,
    /// Seconds.
    pub seconds: f64,
}

/// A position, searched with advice and without.
#[derive(Clone, Debug)]
pub struct SampledPosition {
    /// Its name.
    pub name: String,
    /// Without advice.
    pub without: SearchCost,
    /// With moves in the order that advice gives.
    pub with: SearchCost,
    /// The value without.
    pub value: Score,
    /// The value with.
    pub advised: Score,
    /// The value where advice leaves moves out, if it does; and what that took.
    pub pruned: Option<(Score, SearchCost)>,
}

/// What one rule is worth.
#[derive(Clone, Debug)]
pub struct RuleWorth {
    /// The predicate and the number of the clause, or the name of the rule of a table.
    pub rule: String,
    /// The line of the text that it begins in.
    pub line: u32,
    /// For each position: nodes without this rule, where all others stand.
    pub nodes: Vec<u64>,
    /// Whether it leaves moves out.
    pub prunes: bool,
    /// For one that does: where its own doing changes the value.
    pub changed: Vec<(String, Score, Score)>,
}

/// What advice is worth.
#[derive(Clone, Debug)]
pub struct AdviceWorth {
    /// Position by position.
    pub sampled: Vec<SampledPosition>,
    /// Rule by rule.
    pub rules: Vec<RuleWorth>,
    /// How many positions were to be searched; fewer were where somebody stopped it.
    pub wanted: usize,
}

/// A clause that may be left out.
struct Part {
    pred: PredId,
    clause: usize,
    name: String,
    line: u32,
    prunes: bool,
}

/// Nodes without a rule, and where its own doing changes the value.
type Lacking = (u64, Option<(String, Score, Score)>);

/// Random plies to a position that is drawn: at least, and at most.
const PLIES: (u32, u64) = (6, 12);

impl Session {
    /// Searches every position with advice and without, and without each of its rules.
    pub fn worth(&self, start: &GameStart, measure: &WorthOptions<'_>) -> Done<AdviceWorth> {
        let parts = self.parts();
        if parts.is_empty() {
            return self.problem(
                Problem::placeless("A0710", "the rules contain no advice that orders or prunes moves")
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
                // What is done stands.
                Err(_) if self.stop.load(Relaxed) => break,
                Err(failure) => return Err(failure),
            }
        }
        Ok(worth)
    }

    /// One position, with advice and without, and without each part of it.
    fn sampled(
        &self,
        (name, state): &(String, Position),
        parts: &[Part],
        variants: &[Session],
        measure: &WorthOptions<'_>,
    ) -> Done<(SampledPosition, Vec<Lacking>)> {
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

    /// The value of a position, and what it took.
    fn cost(&self, state: &Position, measure: &WorthOptions<'_>, advice: AdviceLevel) -> Done<(Score, SearchCost)> {
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
            _ => self.problem(Problem::placeless("A0614", "stopped")),
        }
    }

    /// The clauses that advice is made of.
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

    /// The same rules without one clause.
    fn lacking(&self, pred: PredId, clause: usize) -> Session {
        Session { rules: self.rules.lacking(pred, clause), ..self.clone() }
    }

    /// The positions to measure at, with their names.
    fn samples(&self, game: &RuleGame, start: &GameStart, measure: &WorthOptions<'_>) -> Done<Vec<(String, Position)>> {
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
                Problem::placeless("A0615", "random play finds no position in the middle of a game")
                    .help("name some positions: sample(Name, Pos) :- ..."),
            ),
            false => Ok(found),
        }
    }
}
