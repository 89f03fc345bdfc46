//! Advice: expert knowledge of a game, which Alphorn follows, explains and proves.
//!
//! An [`AdviceTable`] has ordered rules over pieces of advice. [`consult`] gives the rule that fires
//! in a position, and the advice that can be forced with its forcing tree. [`prove`] checks whether
//! following the advice always reaches its aim. The meaning is that of Donald Michie's advice
//! languages, as AL0 in Ivan Bratko, "Prolog Programming for Artificial Intelligence", 1986. This
//! module takes any `Game`, and must not depend on the text of a table or on a search.

pub mod failure;
pub mod filter;
mod force;
mod graph;
mod level;
pub mod prove;

pub use force::{AdviceError, Attempt, ForcingTree, RefutationReason, RefutedLine, attempt};
pub use level::AdviceLevel;

use crate::game::{Game, Side};

/// The state of the two goals of a piece of advice in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalState {
    /// The holding-goal fails: the advice must avoid this position.
    Lost,
    /// The holding-goal holds, and the better-goal does not.
    Open,
    /// Both goals hold: the advice has reached its better-goal.
    Better,
}

/// A rule whose condition holds.
#[derive(Clone, Debug, PartialEq)]
pub struct FiredRule<A> {
    /// The number of the rule in the table, from 1.
    pub rule: usize,
    /// Its pieces of advice, in the order to try them.
    pub advice: Vec<A>,
}

/// An advice table for the game `G`. Its methods err if the rules behind the table fault.
pub trait AdviceTable<G: Game> {
    /// A piece of advice with its parameters.
    type Advice: Clone + Eq + std::hash::Hash;

    /// The first rule whose condition holds in `state`, with the advised side to move.
    fn rule(&self, game: &G, state: &G::State) -> Result<Option<FiredRule<Self::Advice>>, G::Fault>;

    /// The state in `state` of the goals of a piece of advice that started at `root`.
    fn look(&self, game: &G, advice: &Self::Advice, state: &G::State, root: &G::State) -> Result<GoalState, G::Fault>;

    /// Appends the legal moves that the advice allows, in the order to try them; there may be none.
    /// `ours` means that the advised side moves, `depth` plies after the start of the advice.
    fn moves(
        &self,
        game: &G,
        advice: &Self::Advice,
        state: &G::State,
        depth: u32,
        ours: bool,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), G::Fault>;
}

/// A result of an advice table; errs if the rules fault or a forcing tree grows too large.
pub type AdviceResult<T, G, C> =
    Result<T, AdviceError<<G as Game>::Fault, <G as Game>::Move, <C as AdviceTable<G>>::Advice>>;

/// The result of consulting the table `C` in a position of `G`.
pub type Said<G, C> = Consultation<<C as AdviceTable<G>>::Advice, <G as Game>::Move>;

/// A piece of advice that cannot be forced, with a refutation of each first move.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedAdvice<A, M> {
    /// The piece of advice.
    pub advice: A,
    /// One refutation for each first move, or a single one if the advice allows no first move.
    pub refuted: Vec<RefutedLine<M>>,
}

/// The result of consulting a table in a position.
#[derive(Clone, Debug)]
pub struct Consultation<A, M> {
    /// The number of the rule that fires, from 1; `None` if no condition holds.
    pub rule: Option<usize>,
    /// The pieces of advice that cannot be forced, before the chosen one.
    pub failed: Vec<FailedAdvice<A, M>>,
    /// The first piece of advice that can be forced, with its forcing tree.
    pub chosen: Option<(A, ForcingTree<M>)>,
    /// A piece of advice whose better-goal already holds. Following it would never end, so no
    /// further advice is tried.
    pub idle: Option<A>,
    /// Positions visited.
    pub nodes: u64,
}

/// Consults the table in `state`, with `us` to move. The first rule whose condition holds fires, and
/// the first of its pieces of advice that can be forced is chosen. No forcing tree may visit more
/// than `most` positions.
pub fn consult<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    state: &G::State,
    us: Side,
    most: u64,
) -> AdviceResult<Said<G, C>, G, C> {
    let fired = counsel.rule(game, state).map_err(|fault| AdviceError::Fault { fault, line: Vec::new() })?;
    let mut found = Consultation { rule: None, failed: Vec::new(), chosen: None, idle: None, nodes: 0 };
    let Some(FiredRule { rule, advice }) = fired else { return Ok(found) };
    found.rule = Some(rule);
    for advice in advice {
        match attempt(game, counsel, &advice, state, us, most, &mut found.nodes)? {
            Attempt::Forced(tree) => {
                found.chosen = Some((advice, tree));
                break;
            }
            Attempt::Idle => {
                found.idle = Some(advice);
                break;
            }
            Attempt::Refuted(refuted) => found.failed.push(FailedAdvice { advice, refuted }),
        }
    }
    Ok(found)
}
