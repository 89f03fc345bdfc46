//! Where play can come to when one side follows its advice.
//!
//! In: positions to start from. Out: every position that play can come to with no forcing tree in
//! hand, each with those that it can come to next, and how many moves of ours lie between. What
//! the other side may do is what the rules let it do, whatever the advice reckons with.

use super::prove::{AdviceFailure, Unproved};
use super::{AdviceError, AdviceTable, Counselled, ForcingTree, consult};
use crate::game::{Game, Side, ToMove};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;

/// What a position without a forcing tree in hand turns out to be.
#[derive(Clone, Debug)]
pub(super) enum AdviceNodeKind<A> {
    /// The game is over there.
    Over,
    /// They move.
    Theirs,
    /// We move, by this rule and advice.
    Advised(usize, A),
    /// We move, and the table has nothing that helps.
    Unadvised(AdviceFailure, Option<usize>, Option<A>),
}

impl<A> AdviceNodeKind<A> {
    /// How the table fails there by itself.
    fn failing(&self) -> Option<AdviceFailure> {
        match self {
            AdviceNodeKind::Unadvised(failing, ..) => Some(*failing),
            AdviceNodeKind::Over | AdviceNodeKind::Theirs | AdviceNodeKind::Advised(..) => None,
        }
    }
}

/// A position, and where play can come to from there.
pub(super) struct AdviceNode<A> {
    pub(super) kind: AdviceNodeKind<A>,
    /// The number of a position, and our moves on the longest way there.
    pub(super) exits: Vec<(u32, u32)>,
}

/// What is found of one position.
struct Expansion<S, A> {
    kind: AdviceNodeKind<A>,
    exits: Vec<(S, u32)>,
}

impl<S, A> Expansion<S, A> {
    /// Positions are kept for long; found as moves, each would keep all of them.
    fn compact<G: Game<State = S>>(&mut self, game: &G) {
        let (mut states, own): (Vec<S>, Vec<u32>) = std::mem::take(&mut self.exits).into_iter().unzip();
        game.compact(&mut states);
        self.exits = states.into_iter().zip(own).collect();
    }
}

/// See the module.
pub(super) struct AdviceGraph<S, A> {
    pub(super) states: Vec<S>,
    /// How many of the states, the first ones, it started from.
    pub(super) starts: usize,
    pub(super) nodes: Vec<AdviceNode<A>>,
}

/// Hears of a way through a forcing tree: the line, how many of its moves are ours, and where it ends.
type See<'a, G> = dyn FnMut(&[<G as Game>::Move], u32, <G as Game>::State) + 'a;

/// A position that is still to be walked through.
struct Step<'t, G: Game> {
    /// How long the line was before it.
    length: usize,
    /// How many moves of the line are ours.
    own: u32,
    /// From where, and by which move; none at the root.
    by: Option<(G::State, G::Move)>,
    /// What the tree has for it.
    tree: Option<&'t ForcingTree<G::Move>>,
}

/// The moves and positions of one way through a forcing tree: called with the line, how many of its
/// moves are ours, and the position at its end, where no tree is in hand any more.
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
    let mut todo: Vec<Step<'_, G>> = vec![Step { length: 0, own: 0, by: None, tree: Some(tree) }];
    while let Some(Step { length, own, by, tree }) = todo.pop() {
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
                todo.push(Step { length, own: own + 1, by: Some((here, mv.clone())), tree: Some(below) });
            }
            Some(ForcingTree::Theirs(replies)) => {
                game.moves(&here, &mut moves).map_err(|fault| (fault, line.clone()))?;
                // The last is taken first.
                for mv in moves.drain(..).rev() {
                    let tree = replies.iter().find(|(reply, _)| *reply == mv).map(|(_, below)| below);
                    todo.push(Step { length, own, by: Some((here.clone(), mv)), tree });
                }
            }
        }
    }
    Ok(())
}

type Expanded<G, C> = Counselled<Expansion<<G as Game>::State, <C as AdviceTable<G>>::Advice>, G, C>;

/// What follows a position.
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

/// Positions that one worker takes at a time.
const SHARE: usize = 64;

/// Positions to be expanded at a time, and how many of them are taken.
struct Front<S> {
    states: Vec<S>,
    next: AtomicUsize,
    broken: AtomicBool,
}

/// What a worker sends.
enum Told<T, F> {
    /// What follows the position at this place of the level.
    Found(usize, T),
    /// It has no game to ask.
    Unmanned(F),
    /// It has done with the level.
    Done,
}

/// Says that a worker has done with a level, however it leaves it.
struct Leaving<'a, T, F>(&'a mpsc::Sender<Told<T, F>>);

impl<T, F> Drop for Leaving<'_, T, F> {
    fn drop(&mut self) {
        // Whoever listens does so until all desks are closed.
        let _ = self.0.send(Told::Done);
    }
}

/// Takes positions of a level until there are none left, or a fault has been met.
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
        // What was begun is told to its end, so that the first fault is known.
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

/// Who explores: how many, and where each gets its game from.
pub struct Workers<'a, G, F> {
    /// At least one.
    pub count: usize,
    /// A game for one thread.
    pub game: &'a (dyn Fn() -> Result<G, F> + Sync),
    /// Told of every position that is done, how the table itself fails there, if it does, and how many
    /// positions are known, done or not.
    pub heard: &'a dyn Fn(Option<AdviceFailure>, u64),
}

impl<S: Clone + Eq + Hash + Send + Sync, A: Send> AdviceGraph<S, A> {
    /// Follows play from the starts to wherever it can come. Errs with the position that was asked
    /// about, the first of its level.
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
                let (desk, levels) = mpsc::channel::<Arc<Front<S>>>();
                desks.push(desk);
                let (send, make) = (send.clone(), workers.game);
                scope.spawn(move || {
                    let tell = |at, found| drop(send.send(Told::Found(at, found)));
                    match make() {
                        Ok(game) => {
                            for level in levels {
                                let _leaving = Leaving(&send);
                                work(&game, counsel, us, most, &level, &tell);
                            }
                        }
                        Err(fault) => drop(send.send(Told::Unmanned(fault))),
                    }
                });
            }
            // So that nobody is waited for who is not there.
            drop(send);
            while graph.nodes.len() < graph.states.len() {
                let from = graph.nodes.len();
                let states = graph.states[from..].to_vec();
                let (next, broken) = (AtomicUsize::new(0), AtomicBool::new(false));
                let mut found = Vec::new();
                found.resize_with(states.len(), || None);
                let level = Arc::new(Front { states, next, broken });
                for desk in &desks {
                    // A worker leaves only when its desk is closed.
                    let _ = desk.send(level.clone());
                }
                let mut busy = desks.len();
                while busy > 0 {
                    match receive.recv() {
                        Ok(Told::Found(at, told)) => {
                            if let Ok(expansion) = &told {
                                (workers.heard)(expansion.kind.failing(), graph.states.len() as u64);
                            }
                            found[at] = Some(told);
                        }
                        Ok(Told::Unmanned(fault)) => {
                            level.broken.store(true, Relaxed);
                            return Err((None, AdviceError::Fault { fault, line: Vec::new() }));
                        }
                        Ok(Told::Done) => busy -= 1,
                        Err(_) => busy = 0,
                    }
                }
                // After a fault the rest is not asked about.
                for (at, told) in found.into_iter().map_while(|told| told).enumerate() {
                    let expansion = told.map_err(|trouble| (Some(graph.states[from + at].clone()), trouble))?;
                    let exits = expansion.exits.into_iter();
                    let exits = exits.map(|(state, own)| (number(&mut graph.states, state), own)).collect();
                    graph.nodes.push(AdviceNode { kind: expansion.kind, exits });
                }
                if graph.nodes.len() < from + level.states.len() {
                    // A worker has panicked, and so will whoever waits for it.
                    break;
                }
            }
            Ok(graph)
        })
    }
}
