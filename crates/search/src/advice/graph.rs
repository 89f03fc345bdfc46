//! The graph of the positions that play can reach if one side follows its advice.
//!
//! It takes first positions and gives every position that play can reach without an active forcing
//! tree. Each has edges to the next such positions, with the number of our moves between. The other
//! side may make every legal move, whatever the advice considers.

use super::failure::{AdviceFailure, Unproved};
use super::{AdviceError, AdviceResult, AdviceTable, ForcingTree, consult};
use crate::game::{Game, Side, ToMove};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;

/// The kind of a position without an active forcing tree.
#[derive(Clone, Debug)]
pub(super) enum AdviceNodeKind<A> {
    /// The game is over.
    Over,
    /// The other side or chance moves.
    Theirs,
    /// The advised side moves, by this rule and advice.
    Advised(usize, A),
    /// The advised side moves, and the table has no advice that can be forced.
    Unadvised(AdviceFailure, Option<usize>, Option<A>),
}

impl<A> AdviceNodeKind<A> {
    /// How the table fails in this position itself, if it does.
    fn failing(&self) -> Option<AdviceFailure> {
        match self {
            AdviceNodeKind::Unadvised(failing, ..) => Some(*failing),
            AdviceNodeKind::Over | AdviceNodeKind::Theirs | AdviceNodeKind::Advised(..) => None,
        }
    }
}

/// A position, and the positions that play can reach next.
pub(super) struct AdviceNode<A> {
    pub(super) kind: AdviceNodeKind<A>,
    /// The number of each position, and our moves on the longest way there.
    pub(super) exits: Vec<(u32, u32)>,
}

/// The expansion of one position.
struct Expansion<S, A> {
    kind: AdviceNodeKind<A>,
    exits: Vec<(S, u32)>,
}

impl<S, A> Expansion<S, A> {
    /// Makes the positions compact for long storage: a position held by a move keeps all of them.
    fn compact<G: Game<State = S>>(&mut self, game: &G) {
        let (mut states, own): (Vec<S>, Vec<u32>) = std::mem::take(&mut self.exits).into_iter().unzip();
        game.compact(&mut states);
        self.exits = states.into_iter().zip(own).collect();
    }
}

/// The positions that play can reach, with their edges.
pub(super) struct AdviceGraph<S, A> {
    pub(super) states: Vec<S>,
    /// The number of first positions, which come first in `states`.
    pub(super) starts: usize,
    pub(super) nodes: Vec<AdviceNode<A>>,
}

/// Called for each way through a forcing tree, with the line, the number of our moves, and its end.
type See<'a, G> = dyn FnMut(&[<G as Game>::Move], u32, <G as Game>::State) + 'a;

/// A position of a forcing tree that is still to visit.
struct TreeStep<'t, G: Game> {
    /// The length of the line before it.
    length: usize,
    /// The number of our moves on the line.
    own: u32,
    /// The position before it and the move; `None` at the root.
    by: Option<(G::State, G::Move)>,
    /// The rest of the tree, if the tree has an answer.
    tree: Option<&'t ForcingTree<G::Move>>,
}

/// Visits every way through a forcing tree. Calls `see` with the line, the number of our moves, and
/// the position at its end, where no tree is active.
pub(super) fn exits<G: Game>(
    game: &G,
    state: &G::State,
    tree: &ForcingTree<G::Move>,
    see: &mut See<'_, G>,
) -> Result<(), (G::Fault, Vec<G::Move>)>
where
    G::Move: PartialEq,
{
    let mut line = Vec::new();
    let mut moves = Vec::new();
    let mut todo: Vec<TreeStep<'_, G>> = vec![TreeStep { length: 0, own: 0, by: None, tree: Some(tree) }];
    while let Some(TreeStep { length, own, by, tree }) = todo.pop() {
        line.truncate(length);
        let here = match by {
            None => state.clone(),
            Some((from, mv)) => {
                let next = game.apply(&from, &mv);
                line.push(mv);
                next.map_err(|fault| (fault, line.clone()))?
            }
        };
        let length = line.len();
        match tree {
            None | Some(ForcingTree::Reached) => see(&line, own, here),
            Some(ForcingTree::Ours(mv, below)) => {
                todo.push(TreeStep { length, own: own + 1, by: Some((here, mv.clone())), tree: Some(below) });
            }
            Some(ForcingTree::Theirs(replies)) => {
                game.moves(&here, &mut moves).map_err(|fault| (fault, line.clone()))?;
                // The last element of `todo` is visited first.
                for mv in moves.drain(..).rev() {
                    let tree = replies.iter().find(|(reply, _)| *reply == mv).map(|(_, below)| below);
                    todo.push(TreeStep { length, own, by: Some((here.clone(), mv)), tree });
                }
            }
        }
    }
    Ok(())
}

type Expanded<G, C> = AdviceResult<Expansion<<G as Game>::State, <C as AdviceTable<G>>::Advice>, G, C>;

/// Finds the positions that can follow a position.
fn expand<G: Game, C: AdviceTable<G>>(game: &G, counsel: &C, state: &G::State, us: Side, most: u64) -> Expanded<G, C>
where
    G::Move: PartialEq,
{
    let fault = |fault| AdviceError::Fault { fault, line: Vec::new() };
    let ours = match game.to_move(state).map_err(fault)? {
        ToMove::Over => return Ok(Expansion { kind: AdviceNodeKind::Over, exits: Vec::new() }),
        ToMove::Max => us == Side::Max,
        ToMove::Min => us == Side::Min,
        ToMove::Chance => false,
    };
    let mut found: Vec<(G::State, u32)> = Vec::new();
    let mut places: FxHashMap<G::State, usize> = FxHashMap::default();
    let mut see = |_: &[G::Move], own: u32, state: G::State| match places.entry(state) {
        Entry::Occupied(known) => found[*known.get()].1 = found[*known.get()].1.max(own),
        Entry::Vacant(free) => {
            found.push((free.key().clone(), own));
            free.insert(found.len() - 1);
        }
    };
    if !ours {
        let mut moves = Vec::new();
        game.moves(state, &mut moves).map_err(fault)?;
        for mv in &moves {
            see(&[], 0, game.apply(state, mv).map_err(fault)?);
        }
        return Ok(Expansion { kind: AdviceNodeKind::Theirs, exits: found });
    }
    let said = match consult(game, counsel, state, us, most) {
        Err(AdviceError::TooLarge { advice, .. }) => {
            return Ok(Expansion {
                kind: AdviceNodeKind::Unadvised(AdviceFailure::TooLarge, None, Some(advice)),
                exits: found,
            });
        }
        said => said?,
    };
    let kind = match (said.chosen, said.idle, said.rule) {
        (Some((advice, tree)), _, Some(rule)) => {
            exits(game, state, &tree, &mut see).map_err(|(fault, line)| AdviceError::Fault { fault, line })?;
            AdviceNodeKind::Advised(rule, advice)
        }
        (_, Some(advice), rule) => AdviceNodeKind::Unadvised(AdviceFailure::Idle, rule, Some(advice)),
        (_, _, Some(rule)) => AdviceNodeKind::Unadvised(AdviceFailure::NoAdvice, Some(rule), None),
        (_, _, None) => AdviceNodeKind::Unadvised(AdviceFailure::NoRule, None, None),
    };
    Ok(Expansion { kind, exits: found })
}

/// The number of positions that a worker takes at a time.
const SHARE: usize = 64;

/// One level of positions to expand, and the number of those taken.
struct Front<S> {
    states: Vec<S>,
    next: AtomicUsize,
    broken: AtomicBool,
}

/// A message of a worker.
enum WorkerMessage<T, F> {
    /// The expansion of the position at this index of the level.
    Found(usize, T),
    /// The worker could not create its game.
    Unmanned(F),
    /// The worker has finished the level.
    Done,
}

/// Sends `Done` when a worker leaves a level, even by a panic.
struct Leaving<'a, T, F>(&'a mpsc::Sender<WorkerMessage<T, F>>);

impl<T, F> Drop for Leaving<'_, T, F> {
    fn drop(&mut self) {
        // The receiver listens until all channels are closed.
        let _ = self.0.send(WorkerMessage::Done);
    }
}

/// Expands positions of a level until none is left or a fault occurs.
fn work<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    us: Side,
    most: u64,
    level: &Front<G::State>,
    tell: &dyn Fn(usize, Expanded<G, C>),
) where
    G::Move: PartialEq,
{
    while !level.broken.load(Relaxed) {
        let from = level.next.fetch_add(SHARE, Relaxed);
        let Some(share) = level.states.get(from..) else { break };
        // A share is always finished, so that the first fault of the level is known.
        for (at, state) in share.iter().take(SHARE).enumerate() {
            let mut found = expand(game, counsel, state, us, most);
            if let Ok(expansion) = &mut found {
                expansion.compact(game);
            }
            level.broken.fetch_or(found.is_err(), Relaxed);
            tell(from + at, found);
        }
    }
}

type Message<G, C> = WorkerMessage<Expanded<G, C>, <G as Game>::Fault>;

/// Creates a game and expands levels with it, until no more levels come.
fn run_worker<G: Game, C: AdviceTable<G>>(
    make: &dyn Fn() -> Result<G, G::Fault>,
    counsel: &C,
    us: Side,
    most: u64,
    levels: mpsc::Receiver<Arc<Front<G::State>>>,
    send: &mpsc::Sender<Message<G, C>>,
) where
    G::Move: PartialEq,
{
    let tell = |at, found| drop(send.send(WorkerMessage::Found(at, found)));
    match make() {
        Ok(game) => {
            for level in levels {
                let _leaving = Leaving(send);
                work(&game, counsel, us, most, &level, &tell);
            }
        }
        Err(fault) => drop(send.send(WorkerMessage::Unmanned(fault))),
    }
}

/// The expansion of each position of a level; after a fault, some are missing.
type LevelExpansions<G, C> = Vec<Option<Expanded<G, C>>>;

/// Hands a level of positions to the workers and waits for the expansions. `known` is the number of
/// positions known so far.
fn expand_level<G: Game, C: AdviceTable<G>>(
    workers: &Workers<'_, G, G::Fault>,
    desks: &[mpsc::Sender<Arc<Front<G::State>>>],
    receive: &mpsc::Receiver<Message<G, C>>,
    states: Vec<G::State>,
    known: u64,
) -> Result<LevelExpansions<G, C>, Unproved<G, C::Advice>> {
    let mut found = Vec::new();
    found.resize_with(states.len(), || None);
    let level = Arc::new(Front { states, next: AtomicUsize::new(0), broken: AtomicBool::new(false) });
    for desk in desks {
        // A worker ends only when its channel is closed.
        let _ = desk.send(level.clone());
    }
    let mut busy = desks.len();
    while busy > 0 {
        match receive.recv() {
            Ok(WorkerMessage::Found(at, told)) => {
                if let Ok(expansion) = &told {
                    (workers.heard)(expansion.kind.failing(), known);
                }
                found[at] = Some(told);
            }
            Ok(WorkerMessage::Unmanned(fault)) => {
                level.broken.store(true, Relaxed);
                return Err((None, AdviceError::Fault { fault, line: Vec::new() }));
            }
            Ok(WorkerMessage::Done) => busy -= 1,
            Err(_) => busy = 0,
        }
    }
    Ok(found)
}

/// The worker threads, and how they get their games.
pub struct Workers<'a, G, F> {
    /// The number of workers, at least one.
    pub count: usize,
    /// Creates the game of one thread.
    pub game: &'a (dyn Fn() -> Result<G, F> + Sync),
    /// Called for every expanded position, with the failure of the table in the position itself, if
    /// any, and the number of positions known so far.
    pub heard: &'a dyn Fn(Option<AdviceFailure>, u64),
}

impl<S: Clone + Eq + Hash + Send + Sync, A: Send> AdviceGraph<S, A> {
    /// Expands all positions that play can reach from `starts`. Errs with the first faulty position
    /// of a level.
    pub(super) fn explore<G, C>(
        workers: &Workers<'_, G, G::Fault>,
        counsel: &C,
        us: Side,
        starts: Vec<S>,
        most: u64,
    ) -> Result<AdviceGraph<S, A>, Unproved<G, A>>
    where
        G: Game<State = S>,
        G::Move: PartialEq + Send,
        G::Fault: Send,
        C: AdviceTable<G, Advice = A> + Sync,
    {
        let mut graph = AdviceGraph { states: Vec::new(), starts: 0, nodes: Vec::new() };
        let mut numbers: FxHashMap<S, u32> = FxHashMap::default();
        let mut number = |states: &mut Vec<S>, state: S| match numbers.entry(state) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                states.push(free.key().clone());
                *free.insert(states.len() as u32 - 1)
            }
        };
        for state in starts {
            number(&mut graph.states, state);
        }
        graph.starts = graph.states.len();
        thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            let mut desks = Vec::new();
            for _ in 0..workers.count.max(1) {
                let (desk, levels) = mpsc::channel();
                desks.push(desk);
                let (send, make) = (send.clone(), workers.game);
                scope.spawn(move || run_worker(make, counsel, us, most, levels, &send));
            }
            // The channel must close once all workers have ended.
            drop(send);
            while graph.nodes.len() < graph.states.len() {
                let from = graph.nodes.len();
                let level = graph.states[from..].to_vec();
                let all = graph.states.len();
                let found = expand_level::<G, C>(workers, &desks, &receive, level, all as u64)?;
                // After a fault, the rest of the level is ignored.
                for (at, told) in found.into_iter().map_while(|told| told).enumerate() {
                    let expansion = told.map_err(|trouble| (Some(graph.states[from + at].clone()), trouble))?;
                    let exits = expansion.exits.into_iter();
                    let exits = exits.map(|(state, own)| (number(&mut graph.states, state), own)).collect();
                    graph.nodes.push(AdviceNode { kind: expansion.kind, exits });
                }
                if graph.nodes.len() < all {
                    // A worker has panicked, and the scope panics when it joins the worker.
                    break;
                }
            }
            Ok(graph)
        })
    }
}
