//! Advice: what a master knows of a game, followed, explained and put to the proof.
//!
//! In: a game and its [`AdviceTable`], a table of ordered rules over pieces of advice. Out: which rule
//! speaks in a position and which of its advice can be forced, with the forcing tree that shows it
//! ([`consult`]); and whether following the advice always reaches its aim ([`prove`]). The meaning
//! is that of Donald Michie's advice languages, as AL0 in Ivan Bratko, "Prolog Programming for
//! Artificial Intelligence", 1986. Knows any `Game`; must not know how a table is written down, nor
//! any search.

pub mod filter;
mod force;
mod graph;
mod level;
pub mod prove;

pub use force::{AdviceError, Attempt, ForcingTree, RefutationReason, RefutedLine, attempt};
pub use level::AdviceLevel;

use crate::game::{Game, Side};

/// What is seen of a position by one piece of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The holding-goal does not hold: this must not happen.
    Lost,
    /// It holds, and the better-goal does not.
    Open,
    /// Both hold: the advice has reached what it is for.
    Better,
}

/// A rule whose condition holds.
#[derive(Clone, Debug, PartialEq)]
pub struct FiredRule<A> {
    /// Its number in the table, from 1.
    pub rule: usize,
    /// Its pieces of advice, to be tried in this order.
    pub advice: Vec<A>,
}

/// An advice table for the game `G`. Errs where the rules behind it fault.
pub trait AdviceTable<G: Game> {
    /// A piece of advice, its parameters included.
    type Advice: Clone + Eq + std::hash::Hash;

    /// The first rule whose condition holds in `state`, where the advised side moves.
    fn rule(&self, game: &G, state: &G::State) -> Result<Option<FiredRule<Self::Advice>>, G::Fault>;

    /// What a piece of advice that started at `root` sees in `state`.
    fn look(&self, game: &G, advice: &Self::Advice, state: &G::State, root: &G::State) -> Result<Look, G::Fault>;

    /// Appends the moves that the advice allows to the side `ours` names, `depth` plies after it
    /// started, in the order in which they are to be tried. All are legal; none need be there.
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

/// What a table gives, unless the rules fault or a forcing tree grows too large.
pub type Counselled<T, G, C> =
    Result<T, AdviceError<<G as Game>::Fault, <G as Game>::Move, <C as AdviceTable<G>>::Advice>>;

/// What is said of a position of `G` by `C`.
pub type Said<G, C> = Consultation<<C as AdviceTable<G>>::Advice, <G as Game>::Move>;

/// A piece of advice that was passed over, and why: what became of each of its first moves.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedAdvice<A, M> {
    /// Which.
    pub advice: A,
    /// For each first move, or for none where it never came to one.
    pub refuted: Vec<RefutedLine<M>>,
}

/// What a table says of a position.
#[derive(Clone, Debug)]
pub struct Consultation<A, M> {
    /// The number of the rule that speaks, from 1; `None` where none does.
    pub rule: Option<usize>,
    /// The pieces of advice that cannot be forced, before the one that can.
    pub failed: Vec<FailedAdvice<A, M>>,
    /// The first that can be forced, and how.
    pub chosen: Option<(A, ForcingTree<M>)>,
    /// One whose better-goal holds before a move was made: it would be followed for ever, so
    /// nothing after it is tried.
    pub idle: Option<A>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Asks the table in `state`, where `us` is to move: the first rule whose condition holds is the
/// one that counts, and the first of its pieces of advice that can be forced is chosen. No forcing
/// tree may look at more than `most` positions.
pub fn consult<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    state: &G::State,
    us: Side,
    most: u64,
) -> Counselled<Said<G, C>, G, C> {
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
