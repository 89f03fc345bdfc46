//! Runs advice tables: the advice in a position, and proofs that following the table reaches an aim.
//!
//! It takes a session with an advice table. It returns plain data, with moves in the notation of the
//! game, or the reason why there is no result.

use super::{Failure, GameStart, Session, SessionResult};
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::advising::{RuleAdvice, UnmetGoal};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::failure::{AdviceFailure, Unproved};
use alphorn_search::advice::prove::{AdviceAim, AdviceClaim, Counterexample, Workers, prove};
use alphorn_search::advice::{
    AdviceError, Consultation, FailedAdvice, ForcingTree, RefutationReason, RefutedLine, consult,
};
use alphorn_search::game::{Game, Side, ToMove};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

/// How to prove an advice table.
pub struct AdviceTrial<'a> {
    /// The side that follows the table, if the table is for both sides.
    pub side: Option<Side>,
    /// The aim to prove.
    pub aim: AdviceAim,
    /// The maximum number of positions in one forcing tree.
    pub most: u64,
    /// The number of counterexamples to report.
    pub counterexamples: usize,
    /// The number of threads.
    pub threads: usize,
    /// Receives the number of finished positions and the number of known positions.
    pub progress: &'a dyn Fn(u64, u64),
}

/// The result of a proof of an advice table, with positions and moves as text.
#[derive(Clone, Debug)]
pub struct TrialResult {
    /// The positions in which the table was consulted.
    pub positions: u64,
    /// The positions from which every line reaches the aim.
    pub aim: u64,
    /// The greatest number of own moves in a line to the aim, and its first position.
    pub longest: Option<(u32, String)>,
    /// The mean of the longest lines from those positions, in own moves.
    pub mean: Option<f64>,
    /// For each rule of the table, the number of positions in which it applied.
    pub by_rule: Vec<(String, u64)>,
    /// For each piece of advice, the number of positions in which it was followed, the most used first.
    pub by_advice: Vec<(String, u64)>,
    /// The numbers of positions from which some line misses the aim, by kind of failure.
    pub failures: Vec<(AdviceFailure, u64)>,
    /// Lines that miss the aim.
    pub counterexamples: Vec<MissedLine>,
    /// Whether the stop flag ended the proof. Then `positions` counts all visited positions, and
    /// `failures` those in which the table itself fails. The other fields are empty.
    pub stopped: bool,
}

/// A line that misses the aim.
#[derive(Clone, Debug)]
pub struct MissedLine {
    /// The first position.
    pub from: String,
    /// The moves of both sides.
    pub moves: Vec<String>,
    /// The last position.
    pub to: String,
    /// How the line fails in the last position.
    pub failing: AdviceFailure,
    /// The advice that fails.
    pub advice: Option<String>,
}

/// The advice of a table in one position, as text.
#[derive(Clone, Debug)]
pub struct AdvisedPosition {
    /// The rules of the table in order. If `fired`, the last one is the rule that applies.
    pub rules: Vec<String>,
    /// Whether a rule applies.
    pub fired: bool,
    /// For each earlier rule: the first part of its condition that does not hold.
    pub silent: Vec<Option<String>>,
    /// The advice that cannot be forced.
    pub failed: Vec<SkippedAdvice>,
    /// The advice that can be forced, and its forcing tree.
    pub chosen: Option<(String, ForcingTree<String>)>,
    /// The advice whose better-goal holds already.
    pub idle: Option<String>,
    /// The number of visited positions.
    pub nodes: u64,
}

/// A piece of advice that cannot be forced.
#[derive(Clone, Debug)]
pub struct SkippedAdvice {
    /// The advice.
    pub advice: String,
    /// A line for each of its first moves, and the reason for its end.
    pub refuted: Vec<RefutedLine<String>>,
    /// The part of a goal that fails there: of the holding-goal if that fails, else of the better-goal.
    /// `None` if the advice allows no own move.
    pub parts: Vec<Option<String>>,
}

/// The results of a proof so far.
#[derive(Default)]
struct TrialProgress {
    positions: Cell<u64>,
    failures: RefCell<BTreeMap<AdviceFailure, u64>>,
}

impl TrialProgress {
    fn hear(&self, failing: Option<AdviceFailure>, known: u64, progress: &dyn Fn(u64, u64)) {
        self.positions.set(self.positions.get() + 1);
        if let Some(failing) = failing {
            *self.failures.borrow_mut().entry(failing).or_default() += 1;
        }
        progress(self.positions.get(), known);
    }

    fn told(self) -> TrialResult {
        TrialResult {
            positions: self.positions.get(),
            aim: 0,
            longest: None,
            mean: None,
            by_rule: Vec::new(),
            by_advice: Vec::new(),
            failures: self.failures.into_inner().into_iter().collect(),
            counterexamples: Vec::new(),
            stopped: true,
        }
    }
}

impl Session {
    /// Errs if the rules have no advice table.
    pub(super) fn needs_table(&self) -> SessionResult<()> {
        if self.rules.advice.is_some() {
            return Ok(());
        }
        self.problem(
            Problem::placeless(Code::NoAdvice, "the rules have no advice table")
                .help("write Name :: if Condition then [Advice, ...]. and advice(Advice, [better(Goal), ...])."),
        )
    }

    /// Follows the table against every reply. It starts from `start` if given, else from every position
    /// of `position/1` with the right side to move, else from the openings.
    pub fn prove(&self, start: &GameStart, trial: &AdviceTrial<'_>) -> SessionResult<TrialResult> {
        self.needs_table()?;
        let game = self.game()?;
        let us = game.advised().or(trial.side).unwrap_or(Side::Max);
        if trial.side.is_some_and(|side| side != us) {
            let message = format!("the advice table is for {}", us.name());
            return self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, message)
                    .help("omit --side, or write advice_for(both)."),
            );
        }
        let seen = TrialProgress::default();
        let starts = match self.trial_starts(&game, start, us) {
            Err(_) if self.stop.load(Relaxed) => return Ok(seen.told()),
            starts => starts?,
        };
        if starts.is_empty() {
            let message = "there is no position with the side of the advice table to move";
            return self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, message).help("give a position: --position TERM"),
            );
        }
        let (rules, budget, stop) = (&self.rules, self.budgets.game, &self.stop);
        let workers = Workers {
            count: trial.threads,
            game: &|| RuleGame::new(rules.clone(), budget, stop.clone()),
            heard: &|failing, known| seen.hear(failing, known, trial.progress),
        };
        let claim = AdviceClaim { us, aim: trial.aim, most: trial.most, counterexamples: trial.counterexamples };
        let proved = match prove(&workers, &RuleEval, &RuleAdvice, starts, &claim) {
            Err(_) if stop.load(Relaxed) => return Ok(seen.told()),
            proved => proved.map_err(|unproved| self.unproved(&game, unproved))?,
        };
        let text = |state: &Position| self.position_text(&game, state);
        Ok(TrialResult {
            positions: proved.positions,
            aim: proved.aim,
            longest: proved.longest.map(|(moves, from)| Ok((moves, text(&from)?))).transpose()?,
            mean: proved.mean,
            by_rule: proved.by_rule.into_iter().map(|(rule, count)| (self.rule_name(rule), count)).collect(),
            by_advice: proved.by_advice.into_iter().map(|(name, count)| (self.term_text(&name), count)).collect(),
            failures: proved.failures,
            counterexamples: proved
                .counterexamples
                .into_iter()
                .map(|missed| self.missed(&game, missed))
                .collect::<SessionResult<_>>()?,
            stopped: false,
        })
    }

    fn missed(&self, game: &RuleGame, missed: Counterexample<Position, RuleMove, Packed>) -> SessionResult<MissedLine> {
        Ok(MissedLine {
            from: self.position_text(game, &missed.from)?,
            moves: self.labels(game, &missed.from, &missed.moves),
            to: self.position_text(game, &missed.to)?,
            failing: missed.failing,
            advice: missed.advice.map(|advice| self.term_text(&advice)),
        })
    }

    pub(super) fn rule_name(&self, number: usize) -> String {
        let rules = self.rules.advice.as_ref().map(|table| &table.rules);
        rules.and_then(|rules| rules.get(number - 1)).map_or_else(|| number.to_string(), |(name, _)| name.clone())
    }

    /// The first positions of a proof.
    fn trial_starts(&self, game: &RuleGame, start: &GameStart, us: Side) -> SessionResult<Vec<Position>> {
        if start.is_given() {
            return Ok(vec![self.position(game, start)?]);
        }
        let all = game.positions().map_err(|fault| self.fault(&fault, &[]))?;
        let Some(all) = all else { return game.openings().map_err(|fault| self.fault(&fault, &[])) };
        let moves = if us == Side::Max { ToMove::Max } else { ToMove::Min };
        let mut starts = Vec::with_capacity(all.len());
        for state in all {
            if game.to_move(&state).map_err(|fault| self.fault(&fault, &[]))? == moves {
                starts.push(state);
            }
        }
        Ok(starts)
    }

    fn unproved(&self, game: &RuleGame, (state, trouble): Unproved<RuleGame, Packed>) -> Failure {
        match state {
            Some(state) => self.advice_trouble(game, &state, trouble),
            None => match trouble {
                AdviceError::Fault { fault, line } => self.fault(&fault, &line),
                AdviceError::TooLarge { .. } => unreachable!("the tree begins at a position"),
            },
        }
    }

    fn advice_trouble(
        &self,
        game: &RuleGame,
        state: &Position,
        trouble: AdviceError<RuleFault, RuleMove, Packed>,
    ) -> Failure {
        match trouble {
            AdviceError::Fault { fault, line } => self.fault(&fault, &line),
            AdviceError::TooLarge { advice, line } => {
                let moves = self.labels(game, state, &line[..line.len().min(12)]).join(" ");
                let message = format!("the forcing tree of {} is too large", self.term_text(&advice));
                let problem = Problem::placeless(Code::ForcingTreeTooLarge, message).help(format!(
                    "in the position {}\nits line begins: {moves}\nlimit its depth, such as us([at(0, legal)]) and \
                     them([]), or allow more with --tree N",
                    self.term_text(&state.0)
                ));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
        }
    }

    /// The advice of the table in a position.
    pub fn advise(&self, game: &RuleGame, state: &Position, most: u64) -> SessionResult<AdvisedPosition> {
        let (_, consulted) = self.consulted(game, state, most)?;
        let Consultation { rule, failed, chosen, idle, nodes } = consulted;
        let known = self.rules.advice.as_ref().map_or(0, |table| table.rules.len());
        let told = rule.unwrap_or(known);
        Ok(AdvisedPosition {
            rules: (1..=told).map(|number| self.rule_name(number)).collect(),
            fired: rule.is_some(),
            silent: (1..=told - usize::from(rule.is_some()))
                .map(|number| game.unmet(UnmetGoal::Condition(number), state, state))
                .collect::<Result<_, _>>()
                .map_err(|fault| self.fault(&fault, &[]))?,
            failed: failed.into_iter().map(|failed| self.passed(game, state, failed)).collect::<SessionResult<_>>()?,
            chosen: chosen.map(|(advice, tree)| (self.term_text(&advice), self.tree(game, state, &tree))),
            idle: idle.map(|advice| self.term_text(&advice)),
            nodes,
        })
    }

    /// The side to move, and the result of consulting the table for it.
    pub(super) fn consulted(
        &self,
        game: &RuleGame,
        state: &Position,
        most: u64,
    ) -> SessionResult<(Side, Consultation<Packed, RuleMove>)> {
        self.needs_table()?;
        let Some(mover) = game.to_move(state).map_err(|fault| self.fault(&fault, &[]))?.side() else {
            let message = "the game is over in this position, so there is no move to advise";
            return self
                .problem(Problem::placeless(Code::InvalidPositionOrMove, message).help("give another position"));
        };
        if !game.advises(mover) {
            let message = format!("the advice table is for {}, and {} is to move", mover.other().name(), mover.name());
            let help = "give a position one move later; if the table is for both sides, write advice_for(both).";
            return self.problem(Problem::placeless(Code::InvalidPositionOrMove, message).help(help));
        }
        let said = consult(game, &RuleAdvice, state, mover, most);
        let said = said.map_err(|trouble| self.advice_trouble(game, state, trouble))?;
        // A condition may bind the list of advice to any names.
        for failed in &said.failed {
            if game.piece(&failed.advice).map_err(|fault| self.fault(&fault, &[]))?.is_none() {
                let wrong = game.nameless(&failed.advice);
                let doing = "consulting the advice table";
                let fault = RuleFault {
                    doing,
                    position: Some(Box::new(state.0.clone())),
                    span: None,
                    wrong,
                    atoms: false,
                    maker: None,
                };
                return Err(self.fault(&fault, &[]));
            }
        }
        Ok((mover, said))
    }

    fn passed(
        &self,
        game: &RuleGame,
        state: &Position,
        failed: FailedAdvice<Packed, RuleMove>,
    ) -> SessionResult<SkippedAdvice> {
        let part = |refuted: &RefutedLine<RuleMove>| {
            let end = refuted.line.last().map_or(state, |mv| &mv.next);
            let goal = match refuted.why {
                RefutationReason::Lost => UnmetGoal::Holding(&failed.advice),
                RefutationReason::Over | RefutationReason::NoReply => UnmetGoal::Better(&failed.advice),
                // No goal is involved in this failure.
                RefutationReason::NoMove => return Ok(None),
            };
            game.unmet(goal, end, state).map_err(|fault| self.fault(&fault, &refuted.line))
        };
        let told = |refuted: &RefutedLine<RuleMove>| RefutedLine {
            line: self.labels(game, state, &refuted.line),
            why: refuted.why,
        };
        Ok(SkippedAdvice {
            advice: self.term_text(&failed.advice),
            refuted: failed.refuted.iter().map(told).collect(),
            parts: failed.refuted.iter().map(part).collect::<SessionResult<_>>()?,
        })
    }

    fn tree(&self, game: &RuleGame, state: &Position, tree: &ForcingTree<RuleMove>) -> ForcingTree<String> {
        tree.told(state, &mut |_: &Position, mv: &RuleMove| mv.next.clone(), &mut |state: &Position, mv: &RuleMove| {
            self.label(game, state, mv).unwrap_or_else(|_| self.term_text(mv.label()))
        })
    }
}
