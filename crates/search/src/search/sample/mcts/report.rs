//! The result of a search by a tree: its best moves, with their values and lines.

use super::{Growing, MctsNode};
use crate::game::{Game, Heuristic, Score, ToMove};
use crate::search::iteration::IterationTask;
use crate::search::result::{LeafValue, LineEnd, PlayoutSample, ScoredLine, SearchResult, Stats};

impl<G: Game, H: Heuristic<G>> Growing<'_, G, H> {
    /// The children of a node: first those with a proved value that is best or better than the mean of the
    /// most visited move without one, then by visits.
    fn ranked(&self, at: usize) -> Vec<usize> {
        let node = &self.nodes[at];
        let sign = if node.turn == Some(ToMove::Min) { -1.0 } else { 1.0 };
        let mut children: Vec<usize> = node.children().collect();
        let open = children.iter().map(|child| &self.nodes[*child]).filter(|child| child.proven.is_none());
        let open = open.max_by_key(|child| child.visits).map(MctsNode::mean);
        let rank = |child: &usize| {
            let child = &self.nodes[*child];
            let decided = match (node.proven, child.proven) {
                (Some(value), Some(own)) if value == own => 1,
                (None, Some(own)) if open.is_none_or(|open| sign * own > sign * open) => 1,
                (_, Some(_)) => -1,
                _ => 0,
            };
            (decided, child.visits)
        };
        children.sort_by_key(|child| std::cmp::Reverse(rank(child)));
        children
    }

    /// The most visited line.
    fn line(&self, mut at: usize) -> (Vec<G::Move>, Option<LineEnd>) {
        let mut line = Vec::new();
        loop {
            let node = &self.nodes[at];
            if node.turn == Some(ToMove::Chance) {
                return (line, Some(LineEnd::Chance));
            }
            let Some(next) = self.ranked(at).first().copied().filter(|next| {
                let next = &self.nodes[*next];
                next.visits > 0 || next.proven.is_some()
            }) else {
                return (line, Some(node.end.unwrap_or(LineEnd::Horizon)));
            };
            line.push(node.moves[next - node.first].clone());
            at = next;
        }
    }

    /// The result after this number of games.
    pub(super) fn outcome(
        self,
        task: &IterationTask<'_, G, H>,
        games: u64,
        lines: usize,
        stopped: bool,
    ) -> SearchResult<G::Move> {
        let (nodes, evals) = (self.player.nodes, self.player.evals);
        let stats = Stats { nodes, evals, ..Stats::default() };
        let root = &self.nodes[0];
        let averaged = root.proven.is_none() || task.game.facts().has_chance;
        let counted =
            |outcome: SearchResult<G::Move>| SearchResult { averaged, nodes, evals, stats, stopped, ..outcome };
        if games == 0 && root.proven.is_none() {
            return counted(SearchResult::none());
        }
        let exact = root.proven.is_some();
        let told = |child: usize| {
            let (mut moves, end) = self.line(child);
            moves.insert(0, root.moves[child - root.first].clone());
            let node = &self.nodes[child];
            ScoredLine { value: Score::number(node.mean()), exact: node.proven.is_some(), moves, end }
        };
        let players = matches!(root.turn, Some(ToMove::Max | ToMove::Min));
        let ranked = if players { self.ranked(0) } else { Vec::new() };
        let mut told: Vec<ScoredLine<G::Move>> = ranked.into_iter().take(lines.max(1)).map(told).collect();
        if told.is_empty() {
            let open = if root.turn == Some(ToMove::Chance) { LineEnd::Chance } else { LineEnd::Horizon };
            let end = root.end.unwrap_or(open);
            told.push(ScoredLine { value: Score::number(root.mean()), exact, moves: Vec::new(), end: Some(end) });
        }
        let first = ScoredLine { exact, ..told[0].clone() };
        let reached = first.moves.len() as u32;
        // The leaves depend on each other, so there is no standard error.
        let leaf = if self.policy.evaluates { LeafValue::Evaluation } else { LeafValue::Playout };
        let sample = Some(PlayoutSample { games, leaf: Some(leaf), full: self.full, spread: None });
        counted(SearchResult { reached, stopped: stopped && !exact, lines: told, sample, ..SearchResult::of(&first) })
    }
}
