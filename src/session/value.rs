//! The value of a position, with as much of the game's advice as is wanted.
//!
//! In: a game, a position, how to search. Out: the outcome of the search, moves as text. Where
//! advice leaves moves out, or takes the place of a search, the value is an estimate.

use super::{Done, How, LONGEST_LINE, Session, Valued};
use crate::advice::narrow::{ALWAYS, Left, Narrowed, Through};
use crate::advice::{Consulted, Level, Tree};
use crate::game::{Ending, Game, Heuristic, Score, Side, Turn};
use crate::report::Problem;
use crate::rules::Rules;
use crate::rules::counsel::RuleNarrow;
use crate::rules::fault::RuleFault;
use crate::rules::game::RuleGame;
use crate::rules::opinion::RuleEval;
use crate::rules::position::{Position, RuleMove};
use crate::search::limits::Limits;
use crate::search::outcome::{Iteration, Line, LineEnd, Outcome, Stats};
use crate::search::{self, Algorithm, Crew, Settings, WORTH_HELP};
use crate::term::pack::Packed;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Positions that a forcing tree may look at, where a move is to be found by it.
pub const MOST: u64 = 100_000;

/// Plies that a plan is looked through with, where nothing is said.
const SHALLOW: u32 = 2;

/// A game to be searched, and how further threads come by theirs.
struct Board<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    state: &'a G::State,
    again: &'a (dyn Fn() -> Option<G> + Sync),
    quit: &'a AtomicBool,
    /// Set where moves were left out, so that nothing is exact.
    cut: &'a AtomicBool,
}

/// Whether a search of this kind leaves out what advice finds not worth looking at, and for how many
/// plies.
pub(super) fn narrowing(
    rules: &Rules,
    advice: Level,
    heuristic: bool,
    algorithm: Algorithm,
) -> Option<(RuleNarrow, u32)> {
    let (prunes, tabled) = (rules.contract.prune.is_some(), rules.advice.is_some());
    match advice {
        Level::Focus(plies) if prunes || tabled => Some((RuleNarrow { focus: true }, plies)),
        Level::Prune if prunes => Some((RuleNarrow { focus: false }, ALWAYS)),
        Level::Order if prunes && heuristic && algorithm == Algorithm::Auto => {
            Some((RuleNarrow { focus: false }, ALWAYS))
        }
        _ => None,
    }
}

/// What a search says of a planned move.
pub(super) struct Verified<'a> {
    /// What it finds without the plan.
    pub(super) best: &'a Outcome<RuleMove>,
    /// What it finds behind the planned move.
    pub(super) behind: &'a Outcome<RuleMove>,
    /// By how much the plan may be worse.
    pub(super) margin: Option<f64>,
}

impl Verified<'_> {
    /// The value of the planned move.
    fn value(&self) -> Option<Score> {
        self.behind.value.map(later)
    }

    /// Whether the plan stands, for a player of this side. It falls if it loses what need not be
    /// lost, does not win what is won, or costs more than the margin.
    pub(super) fn stands(&self, side: Side) -> bool {
        let (Some(planned), Some(best)) = (self.value(), self.best.value) else { return false };
        let (planned, best) = (planned.seen_by(side), best.seen_by(side));
        let level = Score::Value(0.0);
        let lost = matches!(planned, Score::Loss { .. }) || self.behind.exact && planned < level;
        let saved = !matches!(best, Score::Loss { .. }) && best > planned;
        let won = matches!(best, Score::Win { .. }) || self.best.exact && best > level;
        // A win that the plan comes to later is a win.
        let dear = self.margin.is_some_and(|margin| match (planned, best) {
            (Score::Value(planned), Score::Value(best)) => best - planned > margin,
            _ => false,
        });
        !(lost && saved || won && self.behind.exact && planned <= level || dear)
    }
}

impl Session {
    /// The value of a position.
    pub fn value(&self, game: &RuleGame, state: &Position, how: &How<'_>, limits: &Limits<'_>) -> Done<Valued> {
        let outcome = match how.advice {
            Level::Strict => self.by_advice(game, state)?,
            Level::Plan(margin) => self.by_plan(game, state, how, limits, margin)?,
            _ => self.by_search(game, state, how, limits)?,
        };
        let line = self.labels(game, state, &outcome.line);
        Ok(Valued {
            outcome: Outcome {
                best: line.first().cloned(),
                line,
                lines: outcome.lines.iter().map(|line| self.shown(game, state, line)).collect(),
                value: outcome.value,
                exact: outcome.exact,
                end: outcome.end,
                depth: outcome.depth,
                reached: outcome.reached,
                nodes: outcome.nodes,
                evals: outcome.evals,
                proof_nodes: outcome.proof_nodes,
                stopped: outcome.stopped,
                stats: outcome.stats,
            },
        })
    }

    /// A search, with the moves in the order that advice gives them, or fewer of them.
    pub(super) fn by_search(
        &self,
        game: &RuleGame,
        state: &Position,
        how: &How<'_>,
        limits: &Limits<'_>,
    ) -> Done<Outcome<RuleMove>> {
        let limits = &Limits { longest: limits.longest.or(Some(LONGEST_LINE)), ..*limits };
        let heeds = how.advice != Level::Off;
        game.heed(heeds);
        let quit = Arc::new(AtomicBool::new(false));
        let cut = AtomicBool::new(false);
        let (rules, budget) = (&self.rules, self.budgets.game);
        let again = || {
            let game = RuleGame::new(rules.clone(), budget, quit.clone()).ok()?;
            game.heed(heeds);
            Some(game)
        };
        let Some((narrow, plies)) = narrowing(&self.rules, how.advice, how.heuristic, how.algorithm) else {
            let board = Board { game, heuristic: &RuleEval, state, again: &again, quit: &quit, cut: &cut };
            return self.searched_on(game, state, &board, how, limits);
        };
        // Helpers own their games; this one is borrowed.
        let left: Left<Position> = (state.clone(), plies);
        let narrowed = Narrowed { game: Lent::Borrowed(game), narrow, cut: &cut };
        let again = || Some(Narrowed { game: Lent::Owned(Box::new(again()?)), narrow, cut: &cut });
        let heuristic = Through(&RuleEval);
        let board =
            Board { game: &narrowed, heuristic: &heuristic, state: &left, again: &again, quit: &quit, cut: &cut };
        self.searched_on(game, state, &board, how, limits)
    }

    fn searched_on<G, H>(
        &self,
        shown: &RuleGame,
        root: &Position,
        board: &Board<'_, G, H>,
        how: &How<'_>,
        limits: &Limits<'_>,
    ) -> Done<Outcome<RuleMove>>
    where
        G: Game<Move = RuleMove, Fault = RuleFault>,
        G::State: Send + Sync,
        H: Heuristic<G> + Sync,
    {
        // The others have no use for one.
        let table = how.hash.filter(|_| how.algorithm.keeps_table()).map(|bytes| self.table(bytes)).transpose()?;
        let whole = || !board.cut.load(Relaxed);
        let report = |found: &Iteration<RuleMove>| {
            if let Some(report) = how.report {
                let told = |line| Line { exact: found.exact && whole(), ..self.shown(shown, root, line) };
                let lines = found.lines.iter().map(told).collect();
                let Iteration { depth, reached, exact, stats, .. } = *found;
                report(&Iteration { depth, reached, exact: exact && whole(), stats, lines });
            }
        };
        let settings = Settings {
            lines: how.lines,
            table: table.as_ref(),
            heuristic: how.heuristic,
            seed: how.seed,
            report: Some(&report),
        };
        let helpers = how.threads.saturating_sub(1);
        let crew = Crew { helpers, after: WORTH_HELP, quit: board.quit, game: board.again };
        let found = match (how.algorithm, how.threads) {
            (Algorithm::Auto, 2..) => {
                search::think_together(board.game, board.heuristic, board.state, limits, &settings, &crew)
            }
            _ => search::think(how.algorithm, board.game, board.heuristic, board.state, limits, &settings),
        };
        let mut outcome = found.map_err(|error| self.search_error(shown, root, error))?;
        if !whole() {
            outcome.exact = false;
            outcome.lines.iter_mut().for_each(|line| line.exact = false);
        }
        Ok(outcome)
    }

    /// The move that the table comes to, and what its forcing tree promises: the evaluation at the
    /// worst of its ends.
    fn by_advice(&self, game: &RuleGame, state: &Position) -> Done<Outcome<RuleMove>> {
        if game.turn(state).map_err(|fault| self.fault(&fault, &[]))? == Turn::Over {
            let ended = search::run(Algorithm::Minimax, game, &RuleEval, state, &Limits::default());
            return ended.map_err(|error| self.search_error(game, state, error));
        }
        let (us, consulted) = self.consulted(game, state, MOST)?;
        let nodes = consulted.nodes;
        let (_, tree) = self.followed(state, consulted)?;
        let mut found = Promise { evals: 0, reached: 0 };
        let (value, line, end) = found.of(game, us, state, &tree, 0).map_err(|fault| self.fault(&fault, &[]))?;
        let told = Line { value, exact: false, moves: line.clone(), end: Some(end) };
        Ok(Outcome {
            value: Some(value),
            exact: false,
            best: line.first().cloned(),
            line,
            end: Some(end),
            depth: Some(found.reached),
            reached: found.reached,
            nodes,
            evals: found.evals,
            proof_nodes: 0,
            stopped: false,
            stats: Stats::default(),
            lines: vec![told],
        })
    }

    /// The advice that was chosen; errs where there is none.
    pub(super) fn followed(
        &self,
        state: &Position,
        consulted: Consulted<Packed, RuleMove>,
    ) -> Done<(Packed, Tree<RuleMove>)> {
        let place = format!("in the position {}", self.term_text(&state.0));
        let (code, message, help) = match (consulted.chosen, consulted.idle, consulted.rule) {
            (Some(chosen), ..) => return Ok(chosen),
            (_, Some(advice), _) => (
                "A0712",
                format!("the better-goal of {} holds before a move is made", self.term_text(&advice)),
                "it would be followed for ever; let it say what is new, such as X < root(X), or that the other side \
                 is to move",
            ),
            (_, _, Some(rule)) => (
                "A0711",
                format!("none of the advice of the rule {} can be forced", self.rule_name(rule)),
                "alphorn advise tells why; add a piece of advice that can always be followed",
            ),
            (_, _, None) => (
                "A0711",
                "no rule of the advice table speaks".to_string(),
                "end the table with a rule for what is left: otherwise :: if true then [...].",
            ),
        };
        self.problem(Problem::placeless(code, message).help(format!("{place}\n{help}")))
    }

    /// The move that the table comes to, if a search finds it no worse than the best by more than a
    /// margin; else the best.
    fn by_plan(
        &self,
        game: &RuleGame,
        state: &Position,
        how: &How<'_>,
        limits: &Limits<'_>,
        margin: Option<f64>,
    ) -> Done<Outcome<RuleMove>> {
        let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.timed;
        let depth = limits.depth.or((!bounded).then_some(SHALLOW));
        let limits = &Limits { depth, ..*limits };
        let how = &How { advice: Level::Order, lines: 1, ..*how };
        let best = self.by_search(game, state, how, limits)?;
        let turn = game.turn(state).map_err(|fault| self.fault(&fault, &[]))?;
        let asked = match turn {
            Turn::Over => false,
            Turn::Max => self.rules.advice.is_some() && game.advised() != Some(Side::Min),
            Turn::Min => self.rules.advice.is_some() && game.advised() != Some(Side::Max),
        };
        if !asked {
            return Ok(best);
        }
        let (us, consulted) = self.consulted(game, state, MOST)?;
        let Some((_, Tree::Ours(mv, _))) = consulted.chosen else { return Ok(best) };
        if best.best.as_ref() == Some(&mv) {
            return Ok(best);
        }
        let below = Limits { depth: best.depth.or(depth).map(|depth| depth.saturating_sub(1)), ..*limits };
        let behind = self.by_search(game, &mv.next, how, &below)?;
        let verified = Verified { best: &best, behind: &behind, margin };
        let Some(planned) = verified.value().filter(|_| verified.stands(us)) else { return Ok(best) };
        let line: Vec<RuleMove> = [mv].into_iter().chain(behind.line.iter().cloned()).collect();
        let told = Line { value: planned, exact: false, moves: line.clone(), end: behind.end };
        Ok(Outcome {
            value: Some(planned),
            exact: behind.exact && best.exact && Some(planned) == best.value,
            best: line.first().cloned(),
            line,
            end: behind.end,
            nodes: best.nodes + behind.nodes + consulted.nodes,
            evals: best.evals + behind.evals,
            lines: vec![told],
            ..best
        })
    }
}

/// A value one ply before.
fn later(score: Score) -> Score {
    match score {
        Score::Win { plies } => Score::Win { plies: plies + 1 },
        Score::Loss { plies } => Score::Loss { plies: plies + 1 },
        score => score,
    }
}

/// What a forcing tree promises.
struct Promise {
    evals: u64,
    reached: u32,
}

/// A value for Max, the line to it, and how that ends.
type Promised = (Score, Vec<RuleMove>, LineEnd);

impl Promise {
    /// The worst of the ends, for `us`.
    fn of(
        &mut self,
        game: &RuleGame,
        us: Side,
        state: &Position,
        tree: &Tree<RuleMove>,
        ply: u32,
    ) -> Result<Promised, RuleFault> {
        self.reached = self.reached.max(ply);
        match tree {
            Tree::Reached => self.end(game, state, ply),
            Tree::Ours(mv, below) => {
                let (value, line, end) = self.of(game, us, &mv.next, below, ply + 1)?;
                Ok((value, [vec![mv.clone()], line].concat(), end))
            }
            Tree::Theirs(replies) => {
                let mut worst: Option<Promised> = None;
                for (mv, below) in replies {
                    let (value, line, end) = self.of(game, us, &mv.next, below, ply + 1)?;
                    if worst.as_ref().is_none_or(|worst| value.seen_by(us) < worst.0.seen_by(us)) {
                        worst = Some((value, [vec![mv.clone()], line].concat(), end));
                    }
                }
                worst.map_or_else(|| self.end(game, state, ply), Ok)
            }
        }
    }

    fn end(&mut self, game: &RuleGame, state: &Position, ply: u32) -> Result<Promised, RuleFault> {
        let over = game.is_over(state)?;
        let ending = if over { game.ending(state)? } else { None };
        let score = match ending {
            Some(Ending::Won(side)) => Score::won_by(side, ply),
            Some(Ending::Draw) => Score::Value(0.0),
            Some(Ending::Points(points)) => Score::number(points),
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

/// A game that is lent, or one's own.
enum Lent<'a> {
    Borrowed(&'a RuleGame),
    Owned(Box<RuleGame>),
}

impl std::ops::Deref for Lent<'_> {
    type Target = RuleGame;

    fn deref(&self) -> &RuleGame {
        match self {
            Lent::Borrowed(game) => game,
            Lent::Owned(game) => game,
        }
    }
}
