//! Forcing trees: whether one side can reach the better-goal and keep the holding-goal.
//!
//! The search takes a piece of advice and its first position. It gives a [`ForcingTree`] with one
//! move for us and an answer to every reply that the advice considers; or a refutation of each first
//! move. If the advice considers fewer replies than the rules allow, the tree is no proof: see
//! [`super::prove`].

use super::{AdviceResult, AdviceTable, GoalState};
use crate::game::{Game, Side, ToMove};

/// A forcing tree from a position.
#[derive(Clone, Debug, PartialEq)]
pub enum ForcingTree<M> {
    /// The better-goal holds in this position.
    Reached,
    /// The advised side makes this move.
    Ours(M, Box<ForcingTree<M>>),
    /// The other side makes one of these moves.
    Theirs(Vec<(M, ForcingTree<M>)>),
}

impl<M> ForcingTree<M> {
    /// The number of moves in the tree.
    pub fn moves(&self) -> usize {
        match self {
            ForcingTree::Reached => 0,
            ForcingTree::Ours(_, below) => 1 + below.moves(),
            ForcingTree::Theirs(replies) => replies.iter().map(|(_, below)| 1 + below.moves()).sum(),
        }
    }

    /// The length of its longest line, in plies.
    pub fn plies(&self) -> usize {
        match self {
            ForcingTree::Reached => 0,
            ForcingTree::Ours(_, below) => 1 + below.plies(),
            ForcingTree::Theirs(replies) => replies.iter().map(|(_, below)| 1 + below.plies()).max().unwrap_or(0),
        }
    }

    /// The same tree with other moves: `tell` translates a move, `next` gives the position after it.
    pub fn told<T, S: Clone>(
        &self,
        state: &S,
        next: &mut impl FnMut(&S, &M) -> S,
        tell: &mut impl FnMut(&S, &M) -> T,
    ) -> ForcingTree<T> {
        match self {
            ForcingTree::Reached => ForcingTree::Reached,
            ForcingTree::Ours(mv, below) => {
                let told = tell(state, mv);
                ForcingTree::Ours(told, Box::new(below.told(&next(state, mv), next, tell)))
            }
            ForcingTree::Theirs(replies) => ForcingTree::Theirs(
                replies
                    .iter()
                    .map(|(mv, below)| {
                        let told = tell(state, mv);
                        (told, below.told(&next(state, mv), next, tell))
                    })
                    .collect(),
            ),
        }
    }
}

/// The reason why a line fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefutationReason {
    /// The holding-goal fails at its end.
    Lost,
    /// The game is over at its end, and the better-goal does not hold.
    Over,
    /// The advice allows the advised side no move at its end.
    NoMove,
    /// The advice considers no reply at its end.
    NoReply,
}

/// A line on which a piece of advice fails.
#[derive(Clone, Debug, PartialEq)]
pub struct RefutedLine<M> {
    /// The moves from the first position of the advice.
    pub line: Vec<M>,
    /// The reason at its end.
    pub why: RefutationReason,
}

/// The result of trying a piece of advice.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt<M> {
    /// The advice can be forced.
    Forced(ForcingTree<M>),
    /// The better-goal already holds in the first position.
    Idle,
    /// The advice cannot be forced: one line for each first move, or one line without moves.
    Refuted(Vec<RefutedLine<M>>),
}

/// The reason why advice gives no result.
#[derive(Clone, Debug, PartialEq)]
pub enum AdviceError<F, M, A> {
    /// The rules faulted.
    Fault {
        /// The fault.
        fault: F,
        /// The moves from the first position of the advice.
        line: Vec<M>,
    },
    /// A forcing tree needs more positions, or a longer line, than allowed.
    TooLarge {
        /// The piece of advice.
        advice: A,
        /// The current line.
        line: Vec<M>,
    },
}

/// The greatest length of a line in a forcing tree, in plies.
pub const LONGEST: u32 = 1_000;

/// Plies between two checks of the free stack space.
const LOOK: u32 = 8;

/// Tries a piece of advice at `root`, with `us` to move; adds the positions visited to `nodes`.
pub fn attempt<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    advice: &C::Advice,
    root: &G::State,
    us: Side,
    most: u64,
    nodes: &mut u64,
) -> AdviceResult<Attempt<G::Move>, G, C> {
    let mut force = ForcingSearch { game, counsel, advice, root, us, left: most, line: Vec::new() };
    let found = force.first();
    *nodes += most - force.left;
    found.map_err(|halt| match halt {
        ForceHalt::Fault(fault) => AdviceError::Fault { fault, line: force.line },
        ForceHalt::TooLarge => AdviceError::TooLarge { advice: advice.clone(), line: force.line },
    })
}

enum ForceHalt<F> {
    Fault(F),
    TooLarge,
}

/// A tree, or a line that shows that there is none.
type Forced<G> = Result<ForcingTree<<G as Game>::Move>, RefutedLine<<G as Game>::Move>>;

struct ForcingSearch<'a, G: Game, C: AdviceTable<G>> {
    game: &'a G,
    counsel: &'a C,
    advice: &'a C::Advice,
    root: &'a G::State,
    us: Side,
    left: u64,
    /// The moves to the current position.
    line: Vec<G::Move>,
}

impl<G: Game, C: AdviceTable<G>> ForcingSearch<'_, G, C> {
    /// Searches the root and records a refutation of each first move.
    fn first(&mut self) -> Result<Attempt<G::Move>, ForceHalt<G::Fault>> {
        match self.look(self.root)? {
            GoalState::Lost => return Ok(Attempt::Refuted(vec![self.refuted(RefutationReason::Lost)])),
            GoalState::Better => return Ok(Attempt::Idle),
            GoalState::Open => {}
        }
        let moves = self.moves(self.root, true)?;
        if moves.is_empty() {
            return Ok(Attempt::Refuted(vec![self.refuted(RefutationReason::NoMove)]));
        }
        let mut refuted = Vec::with_capacity(moves.len());
        for mv in moves {
            match self.behind(self.root, &mv)? {
                Ok(below) => return Ok(Attempt::Forced(ForcingTree::Ours(mv, Box::new(below)))),
                Err(line) => refuted.push(line),
            }
        }
        Ok(Attempt::Refuted(refuted))
    }

    fn look(&mut self, state: &G::State) -> Result<GoalState, ForceHalt<G::Fault>> {
        self.left = self.left.checked_sub(1).ok_or(ForceHalt::TooLarge)?;
        self.counsel.look(self.game, self.advice, state, self.root).map_err(ForceHalt::Fault)
    }

    fn moves(&self, state: &G::State, ours: bool) -> Result<Vec<G::Move>, ForceHalt<G::Fault>> {
        let mut moves = Vec::new();
        let depth = self.line.len() as u32;
        self.counsel.moves(self.game, self.advice, state, depth, ours, &mut moves).map_err(ForceHalt::Fault)?;
        Ok(moves)
    }

    fn refuted(&self, why: RefutationReason) -> RefutedLine<G::Move> {
        RefutedLine { line: self.line.clone(), why }
    }

    /// Searches the position after a move. After a fault the line stays, for the error.
    fn behind(&mut self, state: &G::State, mv: &G::Move) -> Result<Forced<G>, ForceHalt<G::Fault>> {
        self.line.push(mv.clone());
        let found = match self.game.held(mv) {
            Some(next) => self.node(next)?,
            None => {
                let next = self.game.apply(state, mv).map_err(ForceHalt::Fault)?;
                self.node(&next)?
            }
        };
        self.line.pop();
        Ok(found)
    }

    fn node(&mut self, state: &G::State) -> Result<Forced<G>, ForceHalt<G::Fault>> {
        let depth = self.line.len() as u32;
        if depth > LONGEST {
            return Err(ForceHalt::TooLarge);
        }
        if depth.is_multiple_of(LOOK) {
            return stacker::maybe_grow(128 << 10, 2 << 20, || self.visit(state));
        }
        self.visit(state)
    }

    fn visit(&mut self, state: &G::State) -> Result<Forced<G>, ForceHalt<G::Fault>> {
        match self.look(state)? {
            GoalState::Lost => return Ok(Err(self.refuted(RefutationReason::Lost))),
            GoalState::Better => return Ok(Ok(ForcingTree::Reached)),
            GoalState::Open => {}
        }
        let ours = match self.game.to_move(state).map_err(ForceHalt::Fault)? {
            ToMove::Over => return Ok(Err(self.refuted(RefutationReason::Over))),
            ToMove::Max => self.us == Side::Max,
            ToMove::Min => self.us == Side::Min,
            // A forced goal must be reached after every chance outcome.
            ToMove::Chance => false,
        };
        let moves = self.moves(state, ours)?;
        if ours { self.any(state, moves) } else { self.all(state, moves) }
    }

    /// Searches a position of the advised side: one move must succeed.
    fn any(&mut self, state: &G::State, moves: Vec<G::Move>) -> Result<Forced<G>, ForceHalt<G::Fault>> {
        let mut refuted = None;
        for mv in moves {
            match self.behind(state, &mv)? {
                Ok(below) => return Ok(Ok(ForcingTree::Ours(mv, Box::new(below)))),
                Err(line) => {
                    refuted.get_or_insert(line);
                }
            }
        }
        Ok(Err(refuted.unwrap_or_else(|| self.refuted(RefutationReason::NoMove))))
    }

    /// Searches a position of the other side: all replies must succeed, and there must be one.
    fn all(&mut self, state: &G::State, moves: Vec<G::Move>) -> Result<Forced<G>, ForceHalt<G::Fault>> {
        if moves.is_empty() {
            return Ok(Err(self.refuted(RefutationReason::NoReply)));
        }
        let mut replies = Vec::with_capacity(moves.len());
        for mv in moves {
            match self.behind(state, &mv)? {
                Ok(below) => replies.push((mv, below)),
                Err(line) => return Ok(Err(line)),
            }
        }
        Ok(Ok(ForcingTree::Theirs(replies)))
    }
}
