//! Random games in groups: by one thread or by several, with the same result.
//!
//! In: how many games, and how a group of them is played. Out: what the groups have found, in their
//! order, as far as all before them were played. Must not know what a game is played for.

use crate::game::{Game, Heuristic};
use crate::search::engine::Crew;
use crate::search::limits::{Limits, Meter};
use crate::search::outcome::Searched;
use crate::search::pass::Task;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Games of one group.
const GROUP: u64 = 16;

/// Plays the games of these numbers: what was found, and whether all were played.
pub(in crate::search) type Play<'a, G, H, T> =
    dyn Fn(&Task<'_, G, H>, Range<u64>) -> Searched<(T, bool), G> + Sync + 'a;

fn group(number: u64, games: u64) -> Range<u64> {
    number * GROUP..games.min((number + 1) * GROUP)
}

/// What the groups have found, and whether all were played.
pub(in crate::search) fn alone<G: Game, H: Heuristic<G>, T>(
    task: &Task<'_, G, H>,
    games: u64,
    play: &Play<'_, G, H, T>,
) -> Searched<(Vec<T>, bool), G> {
    let mut found = Vec::new();
    for number in 0..games.div_ceil(GROUP) {
        let (here, whole) = play(task, group(number, games))?;
        found.push(here);
        if !whole {
            return Ok((found, false));
        }
    }
    Ok((found, true))
}

/// The same by several threads.
pub(in crate::search) fn together<G, H, T: Send>(
    task: &Task<'_, G, H>,
    games: u64,
    play: &Play<'_, G, H, T>,
    crew: &Crew<'_, G>,
) -> Searched<(Vec<T>, bool), G>
where
    G: Game,
    G::State: Send + Sync,
    H: Heuristic<G> + Sync,
{
    let groups = games.div_ceil(GROUP);
    let next = AtomicU64::new(0);
    let done: Mutex<BTreeMap<u64, T>> = Mutex::new(BTreeMap::new());
    let (root, heuristic) = (task.root, task.heuristic);
    let work = |task: &Task<'_, G, H>| -> Searched<bool, G> {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= groups {
                return Ok(true);
            }
            let (here, whole) = play(task, group(number, games))?;
            if !whole {
                return Ok(false);
            }
            done.lock().expect("nobody panics with it").insert(number, here);
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
                let _ = work(&Task { game: &game, heuristic, root, depth: None, meter: &meter });
            });
        }
        let whole = work(task);
        if !matches!(whole, Ok(true)) {
            crew.quit.store(true, Relaxed);
        }
        whole
    })?;
    let mut done = done.into_inner().expect("nobody panics with it");
    let mut found = Vec::new();
    for number in 0..groups {
        match done.remove(&number) {
            Some(here) => found.push(here),
            None if whole => {
                let (here, all) = play(task, group(number, games))?;
                found.push(here);
                if !all {
                    return Ok((found, false));
                }
            }
            // What was played out of turn by others is lost, so that games count in their order.
            None => return Ok((found, false)),
        }
    }
    Ok((found, whole))
}
