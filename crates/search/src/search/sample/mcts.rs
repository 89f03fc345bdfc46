//! Monte Carlo tree search: a tree that grows where play is good, with random games at its leaves.
//!
//! The search takes a position, a number of games and a seed. It gives the most visited move and its
//! mean. UCT (Levente Kocsis and Csaba Szepesvári, 2006) with proven values (Mark Winands and
//! others, "Monte-Carlo Tree Search Solver", 2008), and optionally with implicit minimax backups
//! (Marc Lanctot and others, 2014). At a chance position the outcome is random.
//!
//! Values are numbers for Max. A win is worth the greater end of the payoff range, however late it
//! comes.

use super::{LONGEST, PlayoutRepetition, PlayoutRunner, random};
use crate::game::{Game, GameResult, Heuristic, Score, Side, ToMove, drawn_by, widened_by_endless_play};
use crate::search::iteration::IterationTask;
use crate::search::result::{LineEnd, PlayoutSample, ScoredLine, SearchHalt, SearchResult, Searched, Stats, Walked};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// How a tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeGrowth {
    /// The exploration factor of the confidence bound, for values from 0 to 1.
    pub explore: f64,
    /// The weight of the minimax value of the evaluations below a node, from 0 to 1; the mean of the
    /// games has the rest.
    pub minimax: f64,
    /// Whether `static_eval/2` evaluates new leaves, instead of a random game.
    pub evaluates: bool,
}

impl Default for TreeGrowth {
    fn default() -> TreeGrowth {
        TreeGrowth { explore: 0.7, minimax: 0.0, evaluates: false }
    }
}

/// The greatest number of nodes, and of bytes of live positions. Beyond these limits the tree does
/// not grow; only its statistics change.
const MOST: usize = 1 << 21;
const ROOM: u64 = 1 << 28;

/// A node of the tree, with its position.
struct MctsNode<G: Game> {
    state: G::State,
    /// The player to move; `None` before the first visit.
    turn: Option<ToMove>,
    /// The moves; the n-th leads to the node `first + n`.
    moves: Vec<G::Move>,
    weights: Vec<u64>,
    first: usize,
    visits: u32,
    sum: f64,
    /// The minimax value of the evaluations below, if `TreeGrowth::minimax` is above 0.
    implicit: f64,
    /// The exact value, once it is proved.
    proven: Option<f64>,
    /// The side with a proved win, which ranks above every number.
    won: Option<Side>,
    /// How the game ended here, if it is over.
    end: Option<LineEnd>,
}

impl<G: Game> MctsNode<G> {
    fn new(state: G::State) -> MctsNode<G> {
        MctsNode {
            state,
            turn: None,
            moves: Vec::new(),
            weights: Vec::new(),
            first: 0,
            visits: 0,
            sum: 0.0,
            implicit: 0.0,
            proven: None,
            won: None,
            end: None,
        }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.moves.len()
    }

    fn mean(&self) -> f64 {
        self.proven.unwrap_or(if self.visits == 0 { 0.0 } else { self.sum / f64::from(self.visits) })
    }
}

struct Growing<'a, G: Game, H> {
    player: PlayoutRunner<'a, G, H>,
    nodes: Vec<MctsNode<G>>,
    growth: TreeGrowth,
    /// The least and the greatest value that is possible or was seen.
    range: (f64, f64),
    fixed: bool,
    /// The sum of absolute evaluations and their number, to scale evaluations in a game with wins.
    usual: (f64, u64),
}

/// Grows a tree by this number of games, or until a limit.
pub(in crate::search) fn mcts<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    games: u64,
    seed: u64,
    growth: TreeGrowth,
    lines: usize,
) -> Searched<SearchResult<G::Move>, G> {
    let player = PlayoutRunner::new(task.game, task.heuristic, task.meter);
    let stakes = task.game.facts().payoff_range.map(|stakes| widened_by_endless_play(task.game, stakes));
    let mut tree = Growing {
        player,
        nodes: vec![MctsNode::new(task.root.clone())],
        growth,
        range: stakes.unwrap_or((-1.0, 1.0)),
        fixed: stakes.is_some(),
        usual: (0.0, 0),
    };
    let mut random = random(seed, 0);
    let mut stopped = false;
    let mut played = 0;
    while played < games && tree.nodes[0].proven.is_none() {
        match tree.iterate(&mut random) {
            Ok(()) => played += 1,
            Err(SearchHalt::Stopped) => {
                stopped = true;
                break;
            }
            Err(SearchHalt::Failed(error)) => return Err(error),
        }
    }
    Ok(tree.outcome(task, played, lines, stopped))
}

impl<G: Game, H: Heuristic<G>> Growing<'_, G, H> {
    /// Plays one game: down the tree to a leaf, then back with the value.
    fn iterate(&mut self, random: &mut Xoshiro256PlusPlus) -> Walked<(), G> {
        let mut path = vec![0];
        let value = loop {
            let at = path[path.len() - 1];
            self.player.visit()?;
            if let Some(value) = self.nodes[at].proven {
                break value;
            }
            if let Some(value) = self.arrive(&path).map_err(|halt| self.led(halt, &path))? {
                break value;
            }
            let node = &self.nodes[at];
            let full = || self.nodes.len() >= MOST || self.player.game.live_bytes() >= ROOM;
            let leaf = node.visits == 0 && at != 0 || node.moves.is_empty() && at != 0 && full();
            if leaf || path.len() as u32 >= LONGEST {
                break self.judged(at, random).map_err(|halt| self.led(halt, &path))?;
            }
            if self.nodes[at].moves.is_empty() {
                self.expand(at).map_err(|halt| self.led(halt, &path))?;
            }
            path.push(self.choose(at, random));
        };
        if !self.fixed {
            self.range = (self.range.0.min(value), self.range.1.max(value));
        }
        let mut news = true;
        for &at in path.iter().rev() {
            self.nodes[at].visits += 1;
            self.nodes[at].sum += value;
            // A node changes only if its child on the path has changed.
            if news {
                self.settle(at);
            }
            news = self.growth.minimax > 0.0 || self.nodes[at].proven.is_some();
        }
        Ok(())
    }

    /// Determines the player to move at a first visit; returns the value if the game is over.
    fn arrive(&mut self, path: &[usize]) -> Walked<Option<f64>, G> {
        let at = path[path.len() - 1];
        if self.nodes[at].turn.is_some() {
            return Ok(None);
        }
        let state = self.nodes[at].state.clone();
        // In a tree, one line leads to a node, so a repetition on that line is final.
        let again = self.player.again == PlayoutRepetition::Draw
            && path[..path.len() - 1].iter().any(|before| self.nodes[*before].state == state);
        let turn = if again { ToMove::Over } else { self.player.asked(self.player.game.to_move(&state))? };
        self.nodes[at].turn = Some(turn);
        if turn != ToMove::Over {
            return Ok(None);
        }
        let value = if again { 0.0 } else { self.player.worth(&state)?.0 };
        let result = if again { None } else { self.player.asked(self.player.game.result(&state))? };
        self.nodes[at].end = Some(match again {
            true => LineEnd::Repeated,
            false => result.map_or(LineEnd::Numbered, LineEnd::Ended),
        });
        // With chance a win is only a number, and endless play may be worth less.
        if let (Some(GameResult::Won(side)), false) = (result, self.player.game.facts().has_chance) {
            self.nodes[at].won = Some(side);
        }
        (self.nodes[at].proven, self.nodes[at].implicit) = (Some(value), value);
        Ok(Some(value))
    }

    /// Adds the children of a node.
    fn expand(&mut self, at: usize) -> Walked<(), G> {
        let state = self.nodes[at].state.clone();
        let Some(fork) = self.player.fork(&state)? else { return Ok(()) };
        let first = self.nodes.len();
        for mv in &fork.moves {
            let next = self.player.asked(self.player.game.apply(&state, mv))?;
            let mut child = MctsNode::new(next);
            if self.growth.minimax > 0.0 {
                let over = self.player.asked(self.player.game.is_over(&child.state))?;
                child.implicit = if over { self.player.worth(&child.state)?.0 } else { self.evaluation(&child.state)? };
            }
            self.nodes.push(child);
        }
        let node = &mut self.nodes[at];
        (node.first, node.moves, node.weights) = (first, fork.moves, fork.weights);
        Ok(())
    }

    /// The evaluation of a position, on the scale of the game's values.
    fn evaluation(&mut self, state: &G::State) -> Walked<f64, G> {
        let number = self.player.judge(state)?;
        if self.fixed || !self.player.game.facts().has_results {
            return Ok(number);
        }
        // Wins have no number here, so the evaluation is scaled to stay below them.
        self.usual = (self.usual.0 + number.abs(), self.usual.1 + 1);
        let usual = self.usual.0 / self.usual.1 as f64;
        Ok(if number == 0.0 { 0.0 } else { 0.9 * number / (number.abs() + usual) })
    }

    /// The value of a leaf, by an evaluation or a random game.
    fn judged(&mut self, at: usize, random: &mut Xoshiro256PlusPlus) -> Walked<f64, G> {
        let state = self.nodes[at].state.clone();
        match self.growth.evaluates {
            true => self.evaluation(&state),
            false => {
                let ended = self.player.play(&state, random)?;
                match ended.unfinished {
                    true => self.evaluation(&state),
                    false => Ok(ended.value),
                }
            }
        }
    }

    /// The child to visit next.
    fn choose(&self, at: usize, random: &mut Xoshiro256PlusPlus) -> usize {
        let node = &self.nodes[at];
        let mover = match node.turn {
            Some(ToMove::Max) => Side::Max,
            Some(ToMove::Min) => Side::Min,
            _ => return node.first + drawn_by(&node.weights, random.random_range(0..node.weights.iter().sum())),
        };
        let (low, high) = self.range;
        let width = (high - low).max(f64::MIN_POSITIVE);
        let scaled = |value: f64| if mover == Side::Max { (value - low) / width } else { (high - value) / width };
        let log = f64::from(node.visits.max(1)).ln();
        let worth = |child: usize| {
            let child = &self.nodes[child];
            if let Some(value) = child.proven {
                // A proved node needs no exploration.
                return scaled(value);
            }
            let implicit = self.growth.minimax * scaled(child.implicit);
            if child.visits == 0 {
                return 1e6 + implicit;
            }
            let mean = (1.0 - self.growth.minimax) * scaled(child.mean());
            mean + implicit + self.growth.explore * (log / f64::from(child.visits)).sqrt()
        };
        let mut best = (node.first, f64::NEG_INFINITY);
        for child in node.children() {
            let worth = worth(child);
            if worth > best.1 {
                best = (child, worth);
            }
        }
        best.0
    }

    /// Updates a node from its children.
    fn settle(&mut self, at: usize) {
        let node = &self.nodes[at];
        let (Some(turn), false) = (node.turn, node.moves.is_empty() || node.proven.is_some()) else { return };
        let children = node.children();
        let implicit = |tree: &Self| children.clone().map(|child| tree.nodes[child].implicit).collect::<Vec<f64>>();
        let proven: Vec<Option<f64>> = children.clone().map(|child| self.nodes[child].proven).collect();
        let (low, high) = self.range;
        let best = |values: &mut dyn Iterator<Item = f64>| match turn {
            ToMove::Max => values.fold(f64::NEG_INFINITY, f64::max),
            _ => values.fold(f64::INFINITY, f64::min),
        };
        let mean = |values: &[f64]| {
            let total = node.weights.iter().sum::<u64>() as f64;
            values.iter().zip(&node.weights).map(|(value, weight)| *weight as f64 * value).sum::<f64>() / total
        };
        let all: Option<Vec<f64>> = proven.iter().copied().collect();
        let (mut settled, mut won) = (None, None);
        if turn == ToMove::Chance {
            settled = all.map(|values| mean(&values));
        } else {
            let side = if turn == ToMove::Max { Side::Max } else { Side::Min };
            let sign = if side == Side::Max { 1.0 } else { -1.0 };
            // A win ranks above every number, and every number above a loss.
            let rank = |child: &usize| {
                let child = &self.nodes[*child];
                let won = child.won.map_or(0, |winner| if winner == side { 1 } else { -1 });
                child.proven.map(|value| (won, sign * value))
            };
            let ranked = children.clone().filter_map(|child| Some((rank(&child)?, child)));
            let best = ranked.max_by(|(left, _), (right, _)| left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)));
            if let Some(((rank, value), child)) = best {
                let enough = rank == 1 || self.fixed && value >= if side == Side::Max { high } else { -low };
                if all.is_some() || enough {
                    (settled, won) = (self.nodes[child].proven, self.nodes[child].won);
                }
            }
        }
        let implicit = (self.growth.minimax > 0.0).then(|| match turn {
            ToMove::Chance => mean(&implicit(self)),
            _ => best(&mut implicit(self).into_iter()),
        });
        let node = &mut self.nodes[at];
        (node.proven, node.won) = (settled, won);
        node.implicit = settled.or(implicit).unwrap_or(0.0);
    }

    /// Adds the moves of the tree path to the line of a fault.
    fn led(&self, halt: SearchHalt<G::Fault, G::Move>, path: &[usize]) -> SearchHalt<G::Fault, G::Move> {
        let SearchHalt::Failed(mut error) = halt else { return halt };
        let steps = path.windows(2).map(|pair| {
            let from = &self.nodes[pair[0]];
            from.moves[pair[1] - from.first].clone()
        });
        let mut line: Vec<G::Move> = steps.collect();
        line.append(error.line_mut());
        *error.line_mut() = line;
        SearchHalt::Failed(error)
    }

    /// The children of a node: first a child with the proved best value, then by visits.
    fn ranked(&self, at: usize) -> Vec<usize> {
        let node = &self.nodes[at];
        let sign = if node.turn == Some(ToMove::Min) { -1.0 } else { 1.0 };
        let mut children: Vec<usize> = node.children().collect();
        let rank = |child: &usize| {
            let child = &self.nodes[*child];
            let decided = match (node.proven, child.proven) {
                (Some(value), Some(own)) if value == own => 1,
                // Proved and not the best.
                (_, Some(own)) if sign * own <= sign * node.mean() => -1,
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

    fn outcome(self, task: &IterationTask<'_, G, H>, games: u64, lines: usize, stopped: bool) -> SearchResult<G::Move> {
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
        // The games depend on each other, so there is no standard error.
        let sample = Some(PlayoutSample { games, spread: None });
        counted(SearchResult { reached, stopped: stopped && !exact, lines: told, sample, ..SearchResult::of(&first) })
    }
}
