//! The tree of a search, with moves and positions as people write them.
//!
//! In: a position, which search, how deep. Out: the tree, ready to be drawn. Must not know how a
//! tree is drawn.

use super::{Done, Session};
use alphorn_lab::tree::record::{DEEPEST, TreeOptions, record, records};
use alphorn_lab::tree::{NamedMove, SearchTree};
use alphorn_rules::rules::evaluation::AdvisedEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::Game;
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::backup::Backup;
use alphorn_text::report::Problem;
use std::sync::atomic::Ordering::Relaxed;

/// Which tree of a position is wanted.
#[derive(Clone, Copy, Debug)]
pub struct TreeRequest {
    /// Of which search; if not said, of alpha-beta, and of Star1 in a game with chance.
    pub algorithm: Option<Algorithm>,
    /// How many plies ahead, 1000 at most.
    pub depth: u32,
    /// How many positions are kept, about.
    pub most: usize,
    /// Whether what is cut off is to be there as well.
    pub whole: bool,
}

impl Default for TreeRequest {
    fn default() -> Self {
        TreeRequest { algorithm: None, depth: 3, most: 2000, whole: false }
    }
}

/// Names of moves that are terms and no longer than this are told; of longer ones the numbers.
const SHORT: usize = 8;

impl Session {
    /// The tree of a search from a position, as [`Session::value`] would search it. Stopped by the session's flag it tells what it has; errs
    /// when rules fault, and where there is no tree of that search.
    pub fn search_tree(&self, game: &RuleGame, state: &Position, wish: &TreeRequest) -> Done<SearchTree<NamedMove>> {
        let usual = if game.has_chance() { Algorithm::Star1 } else { Algorithm::AlphaBeta };
        let algorithm = wish.algorithm.unwrap_or(usual);
        if !records(algorithm) {
            let message = format!("{algorithm} has no search tree: it searches repeatedly, or plays at random");
            let help = "use alphabeta, minimax, f1, f2, f2g2 or pvs; for games with chance star1 or expectiminimax";
            return self.problem(Problem::placeless("A0622", message).help(help));
        }
        self.sound(game, algorithm, &Backup::MEAN)?;
        let TreeRequest { most, whole, .. } = *wish;
        let how = TreeOptions { algorithm, depth: wish.depth.min(DEEPEST), most, whole, nodes: None, stop: &self.stop };
        let tree = record(game, &AdvisedEval { heeds: true }, state, &how)
            .map_err(|error| self.search_error(game, state, error))?;
        tree.name(|before, number, mv| self.told_move(game, before.map_or(state, |before| &before.next), number, mv))
    }

    /// A move in few letters, and the position after it; as terms where rules were interrupted.
    fn told_move(&self, game: &RuleGame, state: &Position, number: u32, mv: &RuleMove) -> Done<NamedMove> {
        match (self.label(game, state, mv), self.position_text(game, &mv.next)) {
            (Ok(label), Ok(position)) => {
                let told = self.rules.contract.labelled.is_some() || label.chars().count() <= SHORT;
                Ok(NamedMove { label: if told { label } else { number.to_string() }, position })
            }
            _ if self.stop.load(Relaxed) => {
                Ok(NamedMove { label: self.term_text(mv.label()), position: self.term_text(&mv.next.0) })
            }
            (Err(failure), _) | (_, Err(failure)) => Err(failure),
        }
    }
}
