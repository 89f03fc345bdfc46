//! Advice followed: what a table says of a position, and whether following it reaches its aim.
//!
//! In: a session whose rules have an advice table. Out: what a front end tells of it, moves as the
//! game's readers name them; or why there is nothing to tell.

use super::{Done, Failure, GameStart, Session};
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::advising::{RuleAdvice, UnmetGoal};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::prove::{AdviceAim, AdviceClaim, AdviceFailure, Counterexample, Unproved, Workers, prove};
use alphorn_search::advice::{
    AdviceError, Consultation, FailedAdvice, ForcingTree, RefutationReason, RefutedLine, consult,
};
use alphorn_search::game::{Game, Side, ToMove};
use alphorn_text::report::Problem;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

/// How a table is put to the proof.
pub struct AdviceTrial<'a> {
    /// For whom, where the table is for both.
    pub side: Option<Side>,
    /// What it is for.
    pub aim: AdviceAim,
    /// The most positions that one forcing tree may look at.
    pub most: u64,
    /// How many counterexamples are told.
    pub counterexamples: usize,
    /// How many threads work at it.
    pub threads: usize,
    /// Told how many positions are done, and how many are known so far.
    pub progress: &'a dyn Fn(u64, u64),
}

/// What following a table leads to, positions and moves as text.
#[derive(Clone, Debug)]
pub struct TrialResult {
    /// Positions in which the table was asked.
    pub positions: u64,
    /// Those from which every line reaches the aim.
    pub aim: u64,
    /// The greatest number of own moves in a line that reaches it, and from where.
    pub longest: Option<(u32, String)>,
    /// The mean of the longest lines from those positions, in own moves.
    pub mean: Option<f64>,
    /// In how many positions each rule of the table spoke.
    pub by_rule: Vec<(String, u64)>,
    /// In how many positions each piece of advice was followed, the most used first.
    pub by_advice: Vec<(String, u64)>,
    /// Positions from which some line misses the aim, by how.
    pub failures: Vec<(AdviceFailure, u64)>,
    /// Lines that do.
    pub counterexamples: Vec<MissedLine>,
    /// Whether somebody stopped it: then `positions` are all that were looked at, `failures` those in which
    /// the table itself fails, and of the others nothing is known.
    pub stopped: bool,
}

/// A line that misses the aim.
#[derive(Clone, Debug)]
pub struct MissedLine {
    /// From here.
    pub from: String,
    /// The moves of both sides.
    pub moves: Vec<String>,
    /// Where they lead.
    pub to: String,
    /// How it fails there.
    pub failing: AdviceFailure,
    /// The advice that it fails by.
    pub advice: Option<String>,
}

/// What a table says of a position, in words.
#[derive(Clone, Debug)]
pub struct AdvisedPosition {
    /// The rules of the table in order, up to the one that speaks: it is the last, if `fired`.
    pub rules: Vec<String>,
    /// Whether one speaks.
    pub fired: bool,
    /// Why a rule before it does not: the first part of its condition that does not hold.
    pub silent: Vec<Option<String>>,
    /// Advice that cannot be forced.
    pub failed: Vec<SkippedAdvice>,
    /// The advice that can, and how.
    pub chosen: Option<(String, ForcingTree<String>)>,
    /// Advice whose better-goal holds already.
    pub idle: Option<String>,
    /// Positions looked at.
    pub nodes: u64,
}

/// A piece of advice that was passed over.
#[derive(Clone, Debug)]
pub struct SkippedAdvice {
    /// Which.
    pub advice: String,
    /// A line for each of its first moves, and what is wrong at its end.
    pub refuted: Vec<RefutedLine<String>>,
    /// The part that does not hold there: of the holding-goal where that fails, else of the better-goal;
    /// none where the advice allows us no move.
    pub parts: Vec<Option<String>>,
}

/// What is known of a proof while it is made.
#[derive(Default)]
struct Seen {
    positions: Cell<u64>,
    failures: RefCell<BTreeMap<AdviceFailure, u64>>,
}

impl Seen {
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
    /// Errs where the rules have no advice table.
    pub(super) fn needs_table(&self) -> Done<()> {
        if self.rules.advice.is_some() {
            return Ok(());
        }
        self.problem(
            Problem::placeless("A0710", "the rules have no advice table")
                .help("write Name :: if Condition then [Advice, ...]. and advice(Advice, [better(Goal), ...])."),
        )
    }

    /// Follows the table against every reply, from every position of `position/1` in which its side
    /// moves, or from the openings where there is no such predicate, or from the start that is given.
    pub fn prove(&self, start: &GameStart, trial: &AdviceTrial<'_>) -> Done<TrialResult> {
        self.needs_table()?;
        let game = self.game()?;
        let us = game.advised().or(trial.side).unwrap_or(Side::Max);
        if trial.side.is_some_and(|side| side != us) {
            let message = format!("the advice table is for {}", us.name());
            return self.problem(Problem::placeless("A0615", message).help("omit --side, or write advice_for(both)."));
        }
        let seen = Seen::default();
        let starts = match self.trial_starts(&game, start, us) {
            Err(_) if self.stop.load(Relaxed) => return Ok(seen.told()),
            starts => starts?,
        };
        if starts.is_empty() {
            let message = "there is no position with the side of the advice table to move";
            return self.problem(Problem::placeless("A0615", message).help("give a position: --position TERM"));
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
                .collect::<Done<_>>()?,
            stopped: false,
        })
    }

    fn missed(&self, game: &RuleGame, missed: Counterexample<Position, RuleMove, Packed>) -> Done<MissedLine> {
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

    /// Where a proof begins.
    fn trial_starts(&self, game: &RuleGame, start: &GameStart, us: Side) -> Done<Vec<Position>> {
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
                let problem = Problem::placeless("A0713", message).help(format!(
                    "in the position {}\nits line begins: {moves}\nlimit its depth, such as us([at(0, legal)]) and \
                     them([]), or allow more with --tree N",
                    self.term_text(&state.0)
                ));
                Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
            }
        }
    }

    /// What the table says of a position.
    pub fn advise(&self, game: &RuleGame, state: &Position, most: u64) -> Done<AdvisedPosition> {
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
            failed: failed.into_iter().map(|failed| self.passed(game, state, failed)).collect::<Done<_>>()?,
            chosen: chosen.map(|(advice, tree)| (self.term_text(&advice), self.tree(game, state, &tree))),
            idle: idle.map(|advice| self.term_text(&advice)),
            nodes,
        })
    }

    /// The same, as the game has it; for whom.
    pub(super) fn consulted(
        &self,
        game: &RuleGame,
        state: &Position,
        most: u64,
    ) -> Done<(Side, Consultation<Packed, RuleMove>)> {
        self.needs_table()?;
        let Some(mover) = game.to_move(state).map_err(|fault| self.fault(&fault, &[]))?.side() else {
            let message = "the game is over in this position, so there is no move to advise";
            return self.problem(Problem::placeless("A0615", message).help("give another position"));
        };
        if !game.advises(mover) {
            let message = format!("the advice table is for {}, and {} is to move", mover.other().name(), mover.name());
            let help = "give a position one move later; if the table is for both sides, write advice_for(both).";
            return self.problem(Problem::placeless("A0615", message).help(help));
        }
        let said = consult(game, &RuleAdvice, state, mover, most);
        let said = said.map_err(|trouble| self.advice_trouble(game, state, trouble))?;
        // A list that the condition binds may name anything.
        for failed in &said.failed {
            if game.piece(&failed.advice).map_err(|fault| self.fault(&fault, &[]))?.is_none() {
                let wrong = game.nameless(&failed.advice);
                let doing = "consulting the advice table";
                let fault =
                    RuleFault { doing, position: Some(Box::new(state.0.clone())), span: None, wrong, atoms: false };
                return Err(self.fault(&fault, &[]));
            }
        }
        Ok((mover, said))
    }

    fn passed(&self, game: &RuleGame, state: &Position, failed: FailedAdvice<Packed, RuleMove>) -> Done<SkippedAdvice> {
        let part = |refuted: &RefutedLine<RuleMove>| {
            let end = refuted.line.last().map_or(state, |mv| &mv.next);
            let goal = match refuted.why {
                RefutationReason::Lost => UnmetGoal::Holding(&failed.advice),
                RefutationReason::Over | RefutationReason::NoReply => UnmetGoal::Better(&failed.advice),
                // No goal has a part in that.
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
            parts: failed.refuted.iter().map(part).collect::<Done<_>>()?,
        })
    }

    fn tree(&self, game: &RuleGame, state: &Position, tree: &ForcingTree<RuleMove>) -> ForcingTree<String> {
        tree.told(state, &mut |_: &Position, mv: &RuleMove| mv.next.clone(), &mut |state: &Position, mv: &RuleMove| {
            self.label(game, state, mv).unwrap_or_else(|_| self.term_text(mv.label()))
        })
    }
}
