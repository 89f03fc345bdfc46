//! Searches of games of rules with live positions: see [`LiveGame`].
//!
//! They give the results of the same searches with packed positions, in less time.

use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::live::{LiveEval, LiveGame, ROOT};
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::Heuristic;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{SearchError, SearchResult, Searched};
use alphorn_search::search::{Algorithm, SearchSettings, minds_repetitions, perft, search_line};

/// Searches with live positions. `None` if the game, the algorithm or the heuristic needs others.
pub fn search<H: Heuristic<RuleGame>>(
    algorithm: Algorithm,
    game: &RuleGame,
    heuristic: &H,
    root: &Position,
    limits: &Limits<'_>,
    settings: &SearchSettings<'_, RuleMove>,
) -> Option<Searched<SearchResult<RuleMove>, RuleGame>> {
    let needs_more = heuristic.weighs_moves(game) || heuristic.has_unquiet_positions(game);
    if needs_more || minds_repetitions(game, limits.depth) {
        return None;
    }
    let live = LiveGame::new(game, root)?;
    let found = search_line(algorithm, &live, &LiveEval, &ROOT, limits, settings)?;
    Some(match found {
        Ok(result) => Ok(result.named(|line| live.named(root, line))),
        Err(error) => Err(error.named(|line| live.named(root, &line))),
    })
}

/// Runs [`perft::by_depth`], with live positions if the game has them.
pub fn by_depth(
    game: &RuleGame,
    root: &Position,
    depth: u32,
    limits: &Limits<'_>,
    each: &mut dyn FnMut(u32, u64),
) -> Result<bool, Box<SearchError<RuleFault, RuleMove>>> {
    match LiveGame::new(game, root) {
        Some(live) => perft::by_depth(&live, &ROOT, depth, limits, each)
            .map_err(|error| Box::new(error.named(|line| live.named(root, &line)))),
        None => perft::by_depth(game, root, depth, limits, each).map_err(Box::new),
    }
}
