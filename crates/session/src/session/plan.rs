//! Plays by advice: follows a forcing tree, computes its value, and checks its moves by a search.
//!
//! It takes a position and the result of the advice table. It returns a move with a value. `value` and
//! the players of a match share it, so both follow a table in the same way.

use super::game_record::PlayerCost;
use super::value::MOST;
use super::{SearchOptions, Session, SessionResult};
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::advising::RuleAdvice;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::advice::{AdviceError, AdviceLevel, Consultation, ForcingTree, consult};
use alphorn_search::game::{Game, Heuristic, Score, Side, ToMove};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{LineEnd, ScoredLine, SearchResult, Stats};
use alphorn_search::search::{self, Algorithm};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;

/// The default depth in plies of the search that checks a plan.
const SHALLOW: u32 = 2;

/// The forcing tree that a player follows, and the position after the last own move.
#[derive(Default)]
pub(super) struct FollowedTree(Option<(Position, ForcingTree<RuleMove>)>);

impl FollowedTree {
    /// The move of the tree in this position, if play is still in the tree. Keeps the rest of the tree.
    fn next(&mut self, state: &Position) -> Option<RuleMove> {
        let (from, tree) = self.0.take()?;
        let here = subtree_at(from, tree, state)?;
        self.begin(here)
    }

    /// Starts to follow a tree, and returns its first move.
    fn begin(&mut self, tree: ForcingTree<RuleMove>) -> Option<RuleMove> {
        let ForcingTree::Ours(mv, below) = tree else { return None };
        self.0 = Some((mv.next.clone(), *below));
        Some(mv)
    }
}

/// The subtree of a position, below any number of moves of the other side.
fn subtree_at(from: Position, tree: ForcingTree<RuleMove>, state: &Position) -> Option<ForcingTree<RuleMove>> {
    match tree {
        ForcingTree::Reached => None,
        ForcingTree::Ours(..) => (from == *state).then_some(tree),
        ForcingTree::Theirs(replies) => {
            replies.into_iter().find_map(|(reply, after)| subtree_at(reply.next, after, state))
        }
    }
}

/// The results of the two searches that check a planned move.
struct PlanCheck<'a> {
    /// The result without the plan.
    best: &'a SearchResult<RuleMove>,
    /// The result after the planned move.
    behind: &'a SearchResult<RuleMove>,
    /// The maximum loss in value that the plan may cost.
    margin: Option<f64>,
}

impl PlanCheck<'_> {
    /// The value of the planned move.
    fn value(&self) -> Option<Score> {
        self.behind.value.map(later)
    }

    /// Whether this side follows the plan. The plan is rejected if it loses a game that need not be lost,
    /// gives a win away, or costs more than the margin.
    fn is_followed(&self, side: Side) -> bool {
        let (Some(planned), Some(best)) = (self.value(), self.best.value) else { return false };
        let (planned, best) = (planned.seen_by(side), best.seen_by(side));
        let level = Score::Value(0.0);
        let lost = matches!(planned, Score::Loss { .. }) || self.behind.exact && planned < level;
        let saved = !matches!(best, Score::Loss { .. }) && best > planned;
        let won = matches!(best, Score::Win { .. }) || self.best.exact && best > level;
        // A slower win is still a win. An estimate of 0 may be one too.
        let given_away = if self.behind.exact { planned <= level } else { planned < level };
        let dear = self.margin.is_some_and(|margin| match (planned, best) {
            (Score::Value(planned), Score::Value(best)) => best - planned > margin,
            _ => false,
        });
        !(lost && saved || won && given_away || dear)
    }
}

/// The same value seen from one ply earlier.
fn later(score: Score) -> Score {
    match score {
        Score::Win { plies } => Score::Win { plies: plies + 1 },
        Score::Loss { plies } => Score::Loss { plies: plies + 1 },
        score => score,
    }
}

/// A search of a position with limits. The flag is true for the first of two searches.
type Find<'a> = dyn Fn(&Position, &Limits<'_>, bool) -> SessionResult<SearchResult<RuleMove>> + 'a;

/// Searches a position, and then the position after a planned move that is not the best one. Returns the
/// result, and whether the plan is followed. `find` receives whether this is the first search.
fn with_plan(
    find: &Find<'_>,
    (state, side): (&Position, Side),
    planned: Option<RuleMove>,
    margin: Option<f64>,
    limits: &Limits<'_>,
) -> SessionResult<(SearchResult<RuleMove>, bool)> {
    let best = find(state, limits, true)?;
    let Some(mv) = planned.filter(|_| !best.stopped) else { return Ok((best, false)) };
    if best.best.as_ref() == Some(&mv) {
        return Ok((best, true));
    }
    let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(best.nodes + best.proof_nodes).max(1));
    let depth = best.depth.or(limits.depth).map(|depth| depth.saturating_sub(1));
    let behind = find(&mv.next, &Limits { depth, nodes, ..*limits }, false)?;
    let nodes = best.nodes + behind.nodes;
    let verified = PlanCheck { best: &best, behind: &behind, margin };
    let Some(value) = verified.value().filter(|_| verified.is_followed(side)) else {
        return Ok((SearchResult { nodes, ..best }, false));
    };
    let line: Vec<RuleMove> = [mv].into_iter().chain(behind.line.iter().cloned()).collect();
    // The result is exact if both values are, and the first search proves that no move is better.
    let exact = behind.exact && best.exact && Some(value) == best.value;
    let told = ScoredLine { value, exact, moves: line.clone(), end: behind.end };
    let outcome = SearchResult {
        value: Some(value),
        exact,
        best: line.first().cloned(),
        line,
        end: behind.end,
        nodes,
        evals: best.evals + behind.evals,
        proof_nodes: best.proof_nodes + behind.proof_nodes,
        stopped: behind.stopped,
        // The depth is the one finished after the planned move, plus one.
        depth: if behind.stopped { behind.depth.map(|depth| depth + 1) } else { best.depth },
        partial: behind.partial,
        deeper: None,
        lines: vec![told],
        ..best
    };
    Ok((outcome, true))
}

impl Session {
    /// The reason why a level of advice has no effect with these rules; `None` if it has one.
    pub fn unheeded(&self, level: AdviceLevel) -> Option<String> {
        let (prunes, tabled) = (self.rules.contract.prune.is_some(), self.rules.advice.is_some());
        let lacking = match level {
            AdviceLevel::Plan(_) if !tabled => "no advice table",
            AdviceLevel::Focus(_) if !tabled && !prunes => "no advice table and no prune/2",
            AdviceLevel::Prune if !prunes => "no prune/2",
            _ => return None,
        };
        Some(format!("--advice {level} has no effect here: the rules have {lacking}"))
    }

    /// The move of the advice table, and the value of its forcing tree: the worst value at its ends.
    pub(super) fn by_advice(&self, game: &RuleGame, state: &Position) -> SessionResult<SearchResult<RuleMove>> {
        if game.to_move(state).map_err(|fault| self.fault(&fault, &[]))? == ToMove::Over {
            let ended = search::run(Algorithm::Minimax, game, &RuleEval, state, &Limits::default());
            return ended.map_err(|error| self.search_error(game, state, error));
        }
        let (us, consulted) = self.consulted(game, state, MOST)?;
        let nodes = consulted.nodes;
        let (_, tree) = self.followed(state, consulted)?;
        let mut found = TreeEvaluation { evals: 0, reached: 0 };
        let (value, mut line, end) = found.of(game, us, state, &tree, 0).map_err(|fault| self.fault(&fault, &[]))?;
        line.reverse();
        let told = ScoredLine { value, exact: false, moves: line.clone(), end: Some(end) };
        Ok(SearchResult {
            value: Some(value),
            exact: false,
            averaged: game.facts().has_chance,
            best: line.first().cloned(),
            line,
            end: Some(end),
            depth: Some(found.reached),
            partial: false,
            deeper: None,
            reached: found.reached,
            nodes,
            evals: found.evals,
            proof_nodes: 0,
            stopped: false,
            stats: Stats::default(),
            lines: vec![told],
            sample: None,
        })
    }

    /// The chosen advice. Errs if there is none.
    fn followed(
        &self,
        state: &Position,
        consulted: Consultation<Packed, RuleMove>,
    ) -> SessionResult<(Packed, ForcingTree<RuleMove>)> {
        let place = format!("in the position {}", self.term_text(&state.0));
        let (code, message, help) = match (consulted.chosen, consulted.idle, consulted.rule) {
            (Some(chosen), ..) => return Ok(chosen),
            (_, Some(advice), _) => (
                Code::BetterGoalHolds,
                format!("the better-goal of {} holds before a move is made", self.term_text(&advice)),
                "the advice would be followed for ever; let the goal demand a change, such as X < root(X), or the other side \
                 to move",
            ),
            (_, _, Some(rule)) => (
                Code::NoAdviceApplies,
                format!("no piece of advice of the rule {} can be forced", self.rule_name(rule)),
                "alphorn advise shows why; add a piece of advice that can always be forced",
            ),
            (_, _, None) => (
                Code::NoAdviceApplies,
                "no rule of the advice table applies".to_string(),
                "end the table with a rule for all other positions: otherwise :: if true then [...].",
            ),
        };
        self.problem(Problem::placeless(code, message).help(format!("{place}\n{help}")))
    }

    /// The result of the advice at this level, of a search, or of both.
    pub(super) fn advised(
        &self,
        (game, state, side): (&RuleGame, &Position, Side),
        level: AdviceLevel,
        (tree, cost): (&mut FollowedTree, &mut PlayerCost),
        find: &Find<'_>,
        limits: &Limits<'_>,
    ) -> SessionResult<SearchResult<RuleMove>> {
        let planned = self.planned(game, state, side, level, tree)?;
        cost.unadvised += u64::from(level == AdviceLevel::Strict && planned.is_none());
        let margin = match level {
            AdviceLevel::Strict if planned.is_some() => {
                return Ok(SearchResult { best: planned, ..SearchResult::none() });
            }
            AdviceLevel::Plan(margin) => margin,
            _ => None,
        };
        let (outcome, is_followed) = with_plan(find, (state, side), planned, margin, limits)?;
        if !is_followed {
            *tree = FollowedTree::default();
        }
        Ok(outcome)
    }

    /// The move of the advice at this level. `None` if a search alone must find it, or if the table is
    /// not for this side.
    pub(super) fn planned(
        &self,
        game: &RuleGame,
        state: &Position,
        side: Side,
        level: AdviceLevel,
        tree: &mut FollowedTree,
    ) -> SessionResult<Option<RuleMove>> {
        if level == AdviceLevel::Strict {
            self.needs_table()?;
        }
        if !matches!(level, AdviceLevel::Strict | AdviceLevel::Plan(_)) || !game.advises(side) {
            return Ok(None);
        }
        if let Some(mv) = tree.next(state) {
            return Ok(Some(mv));
        }
        if level == AdviceLevel::Strict {
            let (_, consulted) = self.consulted(game, state, MOST)?;
            return Ok(tree.begin(self.followed(state, consulted)?.1));
        }
        match consult(game, &RuleAdvice, state, side, MOST) {
            Ok(said) => Ok(said.chosen.and_then(|(_, chosen)| tree.begin(chosen))),
            // Without a result of the table, a search decides.
            Err(AdviceError::TooLarge { .. }) => Ok(None),
            Err(AdviceError::Fault { fault, line }) => Err(self.fault(&fault, &line)),
        }
    }

    /// The move of the table if a search finds it at most a margin worse than the best move; else the
    /// best move.
    pub(super) fn by_plan(
        &self,
        game: &RuleGame,
        state: &Position,
        how: &SearchOptions<'_>,
        limits: &Limits<'_>,
        margin: Option<f64>,
    ) -> SessionResult<SearchResult<RuleMove>> {
        let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.timed;
        let depth = limits.depth.or((!bounded).then_some(SHALLOW));
        let limits = &Limits { depth, ..*limits };
        let how = &SearchOptions { advice: AdviceLevel::Order, lines: 1, ..*how };
        let turn = game.to_move(state).map_err(|fault| self.fault(&fault, &[]))?;
        let Some(side) = turn.side() else { return self.by_search(game, state, how, limits) };
        let planned = self.planned(game, state, side, AdviceLevel::Plan(margin), &mut FollowedTree::default())?;
        let find = |state: &Position, limits: &Limits<'_>, first: bool| {
            let report = how.report.filter(|_| first);
            self.by_search(game, state, &SearchOptions { report, ..*how }, limits)
        };
        Ok(with_plan(&find, (state, side), planned, margin, limits)?.0)
    }
}

/// Counts of a walk through a forcing tree.
struct TreeEvaluation {
    evals: u64,
    reached: u32,
}

/// The value for MAX, the line with its last move first, and the reason for its end.
type Promised = (Score, Vec<RuleMove>, LineEnd);

impl TreeEvaluation {
    /// The value of the worst end of a tree for `us`, with the line to it.
    fn of(
        &mut self,
        game: &RuleGame,
        us: Side,
        state: &Position,
        tree: &ForcingTree<RuleMove>,
        ply: u32,
    ) -> Result<Promised, RuleFault> {
        self.reached = self.reached.max(ply);
        match tree {
            ForcingTree::Reached => self.end(game, state, ply),
            ForcingTree::Ours(mv, below) => {
                let (value, mut line, end) = self.of(game, us, &mv.next, below, ply + 1)?;
                line.push(mv.clone());
                Ok((value, line, end))
            }
            ForcingTree::Theirs(replies) => {
                let mut worst: Option<Promised> = None;
                for (mv, below) in replies {
                    let (value, mut line, end) = self.of(game, us, &mv.next, below, ply + 1)?;
                    if worst.as_ref().is_none_or(|worst| value.seen_by(us) < worst.0.seen_by(us)) {
                        line.push(mv.clone());
                        worst = Some((value, line, end));
                    }
                }
                worst.map_or_else(|| self.end(game, state, ply), Ok)
            }
        }
    }

    fn end(&mut self, game: &RuleGame, state: &Position, ply: u32) -> Result<Promised, RuleFault> {
        let over = game.is_over(state)?;
        let ending = if over { game.result(state)? } else { None };
        let score = match ending {
            Some(ending) => Score::of_result(ending, ply),
            None => {
                self.evals += 1;
                Score::number(RuleEval.evaluate(game, state)?)
            }
        };
        let end = match (over, ending) {
            (false, _) => LineEnd::Horizon,
            (true, Some(ending)) => LineEnd::Ended(ending),
            (true, None) => LineEnd::Numbered,
        };
        Ok((score, Vec::new(), end))
    }
}
