//! Random games in groups: by one thread or by several, with the same result.
//!
//! In: how many games, and how a group of them is played. Out: what the groups have found, in their
//! order, as far as all before them were played. Must not know what a game is played for.

use crate::game::{Game, Heuristic};
use crate::search::engine::HelperThreads;
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter};
use crate::search::result::Searched;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Games of one group.
const GROUP: u64 = 16;

/// What games are counted in.
pub(in crate::search) trait Gather: Default + Send {
    /// Takes in what later games have found.
    fn add(&mut self, other: Self);
}

/// Plays the games of these numbers: what was found, and whether all were played.
pub(in crate::search) type Play<'a, G, H, T> =
    dyn Fn(&IterationTask<'_, G, H>, Range<u64>) -> Searched<(T, bool), G> + Sync + 'a;

fn group(number: u64, games: u64) -> Range<u64> {
    number * GROUP..games.min((number + 1) * GROUP)
}

/// What the groups have found, and whether all were played.
pub(in crate::search) fn alone<G: Game, H: Heuristic<G>, T: Gather>(
    task: &IterationTask<'_, G, H>,
    games: u64,
    play: &Play<'_, G, H, T>,
) -> Searched<(T, bool), G> {
    let mut all = T::default();
    for number in 0..games.div_ceil(GROUP) {
        let (here, whole) = play(task, group(number, games))?;
        all.add(here);
        if !whole {
            return Ok((all, false));
        }
    }
    Ok((all, true))
}

/// Groups that several threads hand in, added in the order of their numbers.
#[derive(Default)]
struct Pile<T> {
    all: T,
    /// The number of the group that is added next.
    next: u64,
    /// Those that came before their turn.
    ahead: BTreeMap<u64, T>,
}

impl<T: Gather> Pile<T> {
    fn hand_in(&mut self, number: u64, found: T) {
        self.ahead.insert(number, found);
        while let Some(found) = self.ahead.remove(&self.next) {
            self.all.add(found);
            self.next += 1;
        }
    }
}

/// The same by several threads.
pub(in crate::search) fn together<G, H, T: Gather>(
    task: &IterationTask<'_, G, H>,
    games: u64,
    play: &Play<'_, G, H, T>,
    crew: &HelperThreads<'_, G>,
) -> Searched<(T, bool), G>
where
    G: Game,
    G::State: Send + Sync,
    H: Heuristic<G> + Sync,
{
    let groups = games.div_ceil(GROUP);
    let next = AtomicU64::new(0);
    let pile: Mutex<Pile<T>> = Mutex::default();
    let (root, heuristic) = (task.root, task.heuristic);
    let work = |task: &IterationTask<'_, G, H>| -> Searched<bool, G> {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= groups {
                return Ok(true);
            }
            let (here, whole) = play(task, group(number, games))?;
            if !whole {
                return Ok(false);
            }
            pile.lock().expect("nobody panics with it").hand_in(number, here);
        }
    };
    let whole = std::thread::scope(|scope| {
        for _ in 0..crew.helpers {
            let work = &work;
            scope.spawn(move || {
                let Some(game) = (crew.game)() else { return };
                let limits = Limits { stop: Some(crew.quit), ..Limits::default() };
                let meter = Meter::new(&limits);
                // What goes wrong here leaves a gap, and whoever was asked plays that group again.
                let _ = work(&IterationTask { game: &game, heuristic, root, depth: None, meter: &meter });
            });
        }
        let whole = work(task);
        if !matches!(whole, Ok(true)) {
            crew.quit.store(true, Relaxed);
        }
        whole
    })?;
    let mut pile = pile.into_inner().expect("nobody panics with it");
    // What others played out of turn is lost after a stop, so that games count in their order.
    while whole && pile.next < groups {
        let number = pile.next;
        let (here, all) = play(task, group(number, games))?;
        pile.hand_in(number, here);
        if !all {
            return Ok((pile.all, false));
        }
    }
    Ok((pile.all, whole))
}
