//! A player of a match at the board: how it comes by a move, by search, by advice, or by both.
//!
//! In: the game as it stands after what was played, and what the player's settings say. Out: a move.
//! A forcing tree is held for as long as the other side plays what it reckons with.

use super::value::{MOST, Verified, narrowing};
use super::{Done, Session};
use crate::advice::narrow::{Narrow, Narrowed, Through};
use crate::advice::{Level, Tree};
use crate::arena::past::{Opinion, Past};
use crate::game::Side;
use crate::rules::counsel::RuleNarrow;
use crate::rules::fault::RuleFault;
use crate::rules::game::RuleGame;
use crate::rules::opinion::RuleEval;
use crate::rules::position::{Position, RuleMove};
use crate::search::limits::Limits;
use crate::search::outcome::{Outcome, Searched};
use crate::search::{self, Settings};
use std::sync::atomic::AtomicBool;

use super::contest::Player;

/// The forcing tree that a player holds, and where it stands in it.
#[derive(Default)]
pub(super) struct Held(Option<(Position, Tree<RuleMove>)>);

impl Held {
    /// The move that the tree has here, if play is still in it; what follows is held.
    fn next(&mut self, state: &Position) -> Option<RuleMove> {
        let (from, tree) = self.0.take()?;
        let here = match tree {
            Tree::Theirs(replies) => replies.into_iter().find(|(reply, _)| reply.next == *state)?.1,
            tree if from == *state => tree,
            _ => return None,
        };
        self.begin(here)
    }

    /// Begins to follow a tree whose first move is ours.
    fn begin(&mut self, tree: Tree<RuleMove>) -> Option<RuleMove> {
        let Tree::Ours(mv, below) = tree else { return None };
        self.0 = Some((mv.next.clone(), *below));
        Some(mv)
    }
}

/// Leaves out of a game with a past what is left out of the game.
struct PastNarrow(RuleNarrow);

impl Narrow<Past<'_, RuleGame>> for PastNarrow {
    fn narrow(
        &self,
        past: &Past<'_, RuleGame>,
        state: &Position,
        moves: &mut Vec<RuleMove>,
        first: usize,
    ) -> Result<bool, RuleFault> {
        self.0.narrow(past.game(), state, moves, first)
    }
}

/// A search by a player's settings, with as much advice as they say.
pub(super) fn think<'p>(
    player: &Player,
    rules: &Session,
    past: &Past<'p, RuleGame>,
    state: &Position,
    limits: &Limits<'_>,
    settings: &Settings<'_, RuleMove>,
) -> Searched<Outcome<RuleMove>, Past<'p, RuleGame>> {
    past.game().heed(player.advice != Level::Off);
    let opinion = Opinion(&RuleEval);
    match narrowing(&rules.rules, player.advice, player.heuristic, player.algorithm) {
        None => search::think(player.algorithm, past, &opinion, state, limits, settings),
        Some((narrow, plies)) => {
            let cut = AtomicBool::new(false);
            let game = Narrowed { game: past, narrow: PastNarrow(narrow), cut: &cut };
            search::think(player.algorithm, &game, &Through(&opinion), &(state.clone(), plies), limits, settings)
        }
    }
}

impl Session {
    /// The move that a player's advice comes to, where its level asks for one: `None` where a search
    /// is to find it alone.
    pub(super) fn planned(
        &self,
        game: &RuleGame,
        state: &Position,
        side: Side,
        level: Level,
        held: &mut Held,
    ) -> Done<Option<RuleMove>> {
        let follows = matches!(level, Level::Strict | Level::Plan(_));
        if level == Level::Strict {
            self.needs_table()?;
        }
        // A side that the table is not for searches.
        let advised = self.rules.advice.is_some() && game.advised().is_none_or(|advised| advised == side);
        if !follows || !advised {
            return Ok(None);
        }
        if let Some(mv) = held.next(state) {
            return Ok(Some(mv));
        }
        let (_, consulted) = self.consulted(game, state, MOST)?;
        match level {
            Level::Strict => Ok(held.begin(self.followed(state, consulted)?.1)),
            _ => Ok(consulted.chosen.and_then(|(_, tree)| held.begin(tree))),
        }
    }

    /// The planned move, if a search finds it no worse than the best by more than the margin.
    pub(super) fn verified(
        &self,
        side: Side,
        mv: RuleMove,
        held: &mut Held,
        verified: &Verified<'_>,
    ) -> Option<RuleMove> {
        if verified.best.best.as_ref() == Some(&mv) || verified.stands(side) {
            return Some(mv);
        }
        *held = Held::default();
        verified.best.best.clone()
    }
}
