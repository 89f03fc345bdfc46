//! Groups of random games, by one thread or several, with the same result.
//!
//! The caller gives the number of games and a function that plays a group. The result has all groups
//! before the first missing one. This module must not depend on what the games are for.

use crate::game::{Game, Heuristic};
use crate::search::engine::HelperThreads;
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter};
use crate::search::result::Searched;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of games in a group.
const GROUP: u64 = 16;

/// Statistics of games that can be added up.
pub(in crate::search) trait Gather: Default + Send {
    /// Adds the statistics of later games.
    fn add(&mut self, other: Self);
}

/// Plays the games with these numbers; returns the statistics and whether all were played.
pub(in crate::search) type Play<'a, G, H, T> =
    dyn Fn(&IterationTask<'_, G, H>, Range<u64>) -> Searched<(T, bool), G> + Sync + 'a;

fn group(number: u64, games: u64) -> Range<u64> {
    number * GROUP..games.min((number + 1) * GROUP)
}

/// Plays all groups in one thread; returns the statistics and whether all were played.
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

/// Results of groups that several threads add in the order of the groups.
#[derive(Default)]
struct Pile<T> {
    all: T,
    /// The number of the next group to add.
    next: u64,
    /// Results that arrived before their turn.
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

/// Plays all groups with several threads; returns the statistics and whether all were played.
pub(in crate::search) fn together<G, H, T: Gather>(
    task: &IterationTask<'_, G, H>,
    games: u64,
    play: &Play<'_, G, H, T>,
    threads: &HelperThreads<'_, G>,
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
        for _ in 0..threads.helpers {
            let work = &work;
            scope.spawn(move || {
                let Some(game) = (threads.game)() else { return };
                let limits = Limits { stop: Some(threads.quit), ..Limits::default() };
                let meter = Meter::new(&limits);
                // An error here leaves a gap, and the main thread plays that group again.
                let _ = work(&IterationTask { game: &game, heuristic, root, depth: None, meter: &meter });
            });
        }
        let whole = work(task);
        if !matches!(whole, Ok(true)) {
            threads.quit.store(true, Relaxed);
        }
        whole
    })?;
    let mut pile = pile.into_inner().expect("nobody panics with it");
    // After a stop, groups behind a gap are dropped, so that the games count in their order.
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
