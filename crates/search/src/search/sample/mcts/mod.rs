//! Monte Carlo tree search: a tree that grows where play is good.
//!
//! The search takes a position, a number of games and a seed. It gives the most visited move and its
//! mean. UCT (Levente Kocsis and Csaba Szepesvári, 2006) with proven values (Mark Winands and
//! others, "Monte-Carlo Tree Search Solver", 2008). A leaf is worth the result of a random game, or
//! the best evaluation after its moves; then a share of each value is the minimax value of the
//! evaluations below (implicit minimax backups, Marc Lanctot and others, 2014). No time goes into moves
//! whose value is proved; the player to move has at least the best of them, and what the other moves give
//! counts only if it is better (compare Tristan Cazenave and Abdallah Saffidine, "Score bounded Monte-Carlo
//! Tree Search", 2010). At a chance position the outcome is random.
//!
//! Values are numbers for Max. A win is worth the greater end of the payoff range, however late it
//! comes.

mod choose;
mod growth;
mod report;
mod scale;
mod settle;

pub use growth::TreeGrowth;

use super::{LONGEST, PlayoutRepetition, PlayoutRunner, random};
use crate::game::{Game, GameResult, Heuristic, Side, ToMove, widened_by_endless_play};
use crate::search::iteration::IterationTask;
use crate::search::result::{LineEnd, SearchHalt, SearchResult, Searched, Walked};
use growth::Policy;
use rand::rngs::Xoshiro256PlusPlus;
use scale::Scale;

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
    /// The evaluation, if evaluations judge leaves.
    own: f64,
    /// The minimax value of the evaluations below, if evaluations judge leaves.
    implicit: f64,
    /// The exact value, once it is proved.
    proven: Option<f64>,
    /// The side with a proved win, which ranks above every number.
    won: Option<Side>,
    /// The best proved value of a move of the player to move, who can have at least that much.
    floor: Option<f64>,
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
            own: 0.0,
            implicit: 0.0,
            proven: None,
            won: None,
            floor: None,
            end: None,
        }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.moves.len()
    }

    fn mean(&self) -> f64 {
        self.proven.unwrap_or(if self.visits == 0 { self.own } else { self.sum / f64::from(self.visits) })
    }
}

struct Growing<'a, G: Game, H> {
    player: PlayoutRunner<'a, G, H>,
    nodes: Vec<MctsNode<G>>,
    policy: Policy,
    scale: Scale,
    /// Whether the tree has stopped growing because of the memory of the game.
    full: bool,
}

/// Grows a tree by this number of games, or until a limit.
pub(in crate::search) fn mcts<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    games: u64,
    seed: u64,
    growth: TreeGrowth,
    lines: usize,
) -> Searched<SearchResult<G::Move>, G> {
    let facts = task.game.facts();
    let mut tree = Growing {
        player: PlayoutRunner::new(task.game, task.heuristic, task.meter),
        nodes: vec![MctsNode::new(task.root.clone())],
        policy: Policy::default(),
        scale: Scale::new(facts.payoff_range.map(|range| widened_by_endless_play(task.game, range)), facts.has_results),
        full: false,
    };
    let mut random = random(seed, 0);
    let (mut stopped, mut played) = (false, 0);
    let mut grown = tree.decide(growth, &mut self::random(seed, u64::MAX));
    while grown.is_ok() && played < games && tree.nodes[0].proven.is_none() {
        grown = tree.iterate(&mut random);
        played += u64::from(grown.is_ok());
    }
    match grown {
        Ok(()) => {}
        Err(SearchHalt::Stopped) => stopped = true,
        Err(SearchHalt::Failed(error)) => return Err(error),
    }
    Ok(tree.outcome(task, played, lines, stopped))
}

impl<G: Game, H: Heuristic<G>> Growing<'_, G, H> {
    /// Visits one line: down the tree to a leaf, then back with the value of the leaf.
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
            if self.nodes[at].moves.is_empty() {
                if let Some(value) = self.leaf(&path, random).map_err(|halt| self.led(halt, &path))? {
                    break value;
                }
            } else if path.len() as u32 >= LONGEST {
                break self.judged(at, random).map_err(|halt| self.led(halt, &path))?;
            }
            path.push(self.choose(at, random));
        };
        self.scale.add(value);
        let (mut news, mut value) = (true, value);
        for &at in path.iter().rev() {
            let node = &mut self.nodes[at];
            value = match (node.turn, node.floor) {
                (Some(ToMove::Max), Some(floor)) => value.max(floor),
                (Some(ToMove::Min), Some(floor)) => value.min(floor),
                _ => value,
            };
            node.visits += 1;
            node.sum += value;
            // A node changes only if its child on the path has changed.
            if news {
                self.settle(at);
            }
            news = self.policy.weighs || self.nodes[at].proven.is_some();
        }
        Ok(())
    }

    /// The value of a node without children, or children for it.
    fn leaf(&mut self, path: &[usize], random: &mut Xoshiro256PlusPlus) -> Walked<Option<f64>, G> {
        let at = path[path.len() - 1];
        let unvisited = !self.policy.evaluates && at != 0 && self.nodes[at].visits == 0;
        if unvisited || path.len() as u32 >= LONGEST {
            return self.judged(at, random).map(Some);
        }
        if at != 0 && self.is_full() {
            return self.judged(at, random).map(Some);
        }
        self.expand(at)?;
        self.settle(at);
        let node = &self.nodes[at];
        Ok(node.proven.or(self.policy.evaluates.then_some(node.implicit)))
    }

    /// Whether the tree may not grow. The nodes have at most half of the memory of live positions: random games
    /// need memory too.
    fn is_full(&mut self) -> bool {
        let (game, nodes) = (self.player.game, self.nodes.len());
        let each = size_of::<MctsNode<G>>() + size_of::<G::Move>() + size_of::<u64>();
        let bytes = game.live_bytes();
        let short = bytes + (nodes * each) as u64 >= game.most_live_bytes() / 2;
        self.full |= short;
        short || nodes >= MOST || bytes >= ROOM
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
        if again {
            let node = &mut self.nodes[at];
            (node.turn, node.end, node.proven, node.implicit) =
                (Some(ToMove::Over), Some(LineEnd::Repeated), Some(0.0), 0.0);
            return Ok(Some(0.0));
        }
        let turn = self.player.asked(self.player.game.to_move(&state))?;
        self.nodes[at].turn = Some(turn);
        if turn == ToMove::Over { self.finish(at).map(Some) } else { Ok(None) }
    }

    /// Records the result of a node in which the game is over.
    fn finish(&mut self, at: usize) -> Walked<f64, G> {
        let state = self.nodes[at].state.clone();
        let (value, _) = self.player.worth(&state)?;
        let result = self.player.asked(self.player.game.result(&state))?;
        let node = &mut self.nodes[at];
        node.end = Some(result.map_or(LineEnd::Numbered, LineEnd::Ended));
        // With chance a win is only a number, and endless play may be worth less.
        if let (Some(GameResult::Won(side)), false) = (result, self.player.game.facts().has_chance) {
            node.won = Some(side);
        }
        (node.turn, node.proven, node.own, node.implicit) = (Some(ToMove::Over), Some(value), value, value);
        Ok(value)
    }

    /// Adds the children of a node, and judges them.
    fn expand(&mut self, at: usize) -> Walked<(), G> {
        let state = self.nodes[at].state.clone();
        let Some(fork) = self.player.fork(&state)? else { return Ok(()) };
        let moves = match fork.turn {
            ToMove::Chance => fork.moves,
            _ => self.preferred(&state, fork.moves)?,
        };
        let first = self.nodes.len();
        for mv in &moves {
            let next = self.player.asked(self.player.game.apply(&state, mv))?;
            self.nodes.push(MctsNode::new(next));
        }
        for (child, mv) in (first..).zip(&moves) {
            if let Err(mut halt) = self.assess(child) {
                if let SearchHalt::Failed(error) = &mut halt {
                    error.line_mut().insert(0, mv.clone());
                }
                self.nodes.truncate(first);
                return Err(halt);
            }
        }
        let node = &mut self.nodes[at];
        (node.first, node.moves, node.weights) = (first, moves, fork.weights);
        Ok(())
    }

    /// The moves, those of greater weight first.
    fn preferred(&mut self, state: &G::State, moves: Vec<G::Move>) -> Walked<Vec<G::Move>, G> {
        if moves.len() < 2 || !self.player.heuristic.weighs_moves(self.player.game) {
            return Ok(moves);
        }
        let mut weights = Vec::with_capacity(moves.len());
        // No forcing tree is worth its time at one of many leaves.
        let weighed = self.player.heuristic.weigh(self.player.game, state, &moves, 1, &mut weights);
        self.player.asked(weighed)?;
        let mut weighed: Vec<(f64, G::Move)> = weights.into_iter().zip(moves).collect();
        weighed.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        Ok(weighed.into_iter().map(|(_, mv)| mv).collect())
    }

    /// Evaluates a new node, or records its result if the game is over.
    fn assess(&mut self, at: usize) -> Walked<(), G> {
        self.player.visit()?;
        let state = self.nodes[at].state.clone();
        if self.player.asked(self.player.game.is_over(&state))? {
            return self.finish(at).map(|_| ());
        }
        if self.policy.weighs {
            let value = self.evaluation(&state)?;
            (self.nodes[at].own, self.nodes[at].implicit) = (value, value);
        }
        Ok(())
    }

    /// The evaluation of a position, on the scale of the game's values.
    fn evaluation(&mut self, state: &G::State) -> Walked<f64, G> {
        let number = self.player.judge(state)?;
        Ok(self.scale.of_evaluation(number))
    }

    /// The value of a leaf, by an evaluation or a random game.
    fn judged(&mut self, at: usize, random: &mut Xoshiro256PlusPlus) -> Walked<f64, G> {
        let state = self.nodes[at].state.clone();
        if self.policy.evaluates {
            return self.evaluation(&state);
        }
        let ended = self.player.quick(&state, random)?;
        if ended.unfinished { self.evaluation(&state) } else { Ok(ended.value) }
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
}
