//! Records the tree of a search, with labels and positions as text.
//!
//! It takes a position, an algorithm and a depth. It returns the tree and does not draw it.

use super::{Session, SessionResult};
use alphorn_lab::tree::record::{DEEPEST, TreeOptions, record, records};
use alphorn_lab::tree::{NamedMove, SearchTree};
use alphorn_rules::rules::evaluation::AdvisedEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::Game;
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::backup::Backup;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use std::sync::atomic::Ordering::Relaxed;

/// Which search tree to record.
#[derive(Clone, Copy, Debug)]
pub struct TreeRequest {
    /// The algorithm. The default is alpha-beta, or Star1 in a game with chance.
    pub algorithm: Option<Algorithm>,
    /// The depth in plies, at most 1000.
    pub depth: u32,
    /// The approximate maximum number of kept positions.
    pub most: usize,
    /// Whether the tree includes moves that the search cuts off.
    pub whole: bool,
    /// Whether advice orders the moves, and extends or shortens lines.
    pub advised: bool,
}

impl Default for TreeRequest {
    fn default() -> Self {
        TreeRequest { algorithm: None, depth: 3, most: 2000, whole: false, advised: true }
    }
}

/// In a game without labels, a term with more characters than this is replaced by the move number.
const SHORT: usize = 8;

impl Session {
    /// The tree of a search from a position. A stopped search gives the tree so far. Errs if the rules
    /// fail, or if the algorithm has no tree.
    pub fn search_tree(
        &self,
        game: &RuleGame,
        state: &Position,
        wish: &TreeRequest,
    ) -> SessionResult<SearchTree<NamedMove>> {
        let usual = if game.facts().has_chance { Algorithm::Star1 } else { Algorithm::AlphaBeta };
        let algorithm = wish.algorithm.unwrap_or(usual);
        if !records(algorithm) {
            let message = format!("{algorithm} has no search tree: it searches repeatedly, or plays at random");
            let help = "use alphabeta, minimax, f1, f2, f2g2 or pvs; for games with chance star1 or expectiminimax";
            return self.problem(Problem::placeless(Code::SearchWithoutTree, message).help(help));
        }
        self.check_algorithm(game, algorithm, &Backup::MEAN)?;
        let TreeRequest { most, whole, .. } = *wish;
        let how = TreeOptions { algorithm, depth: wish.depth.min(DEEPEST), most, whole, nodes: None, stop: &self.stop };
        let tree = record(game, &AdvisedEval { heeds: wish.advised }, state, &how)
            .map_err(|error| self.search_error(game, state, error))?;
        tree.name(|before, number, mv| self.told_move(game, before.map_or(state, |before| &before.next), number, mv))
    }

    /// A short name of a move, and the position after it. Interrupted rules give plain terms.
    fn told_move(&self, game: &RuleGame, state: &Position, number: u32, mv: &RuleMove) -> SessionResult<NamedMove> {
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
