//! Counts the positions of a solved game by the side to move.

use super::{Session, SessionResult};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::game::{Score, Side};
use alphorn_search::solve::SolvedValue;
use alphorn_search::solve::retrograde::Solution;
use std::collections::BTreeMap;

/// Counts of the positions in which one side is to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideCensus {
    /// The number of positions.
    pub positions: u64,
    /// Positions that MAX wins.
    pub max: u64,
    /// Positions that MIN wins.
    pub min: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Positions that MAX wins, by plies to the end.
    pub max_by_plies: BTreeMap<u32, u64>,
    /// Positions that MIN wins, by plies to the end.
    pub min_by_plies: BTreeMap<u32, u64>,
}

impl SideCensus {
    fn add(&mut self, SolvedValue { score, plies }: SolvedValue) {
        self.positions += 1;
        let level = Score::Value(0.0);
        let (count, by_plies) = match score {
            score if score > level => (&mut self.max, &mut self.max_by_plies),
            score if score < level => (&mut self.min, &mut self.min_by_plies),
            _ => {
                self.draw += 1;
                return;
            }
        };
        *count += 1;
        if let Some(plies) = plies {
            *by_plies.entry(plies).or_default() += 1;
        }
    }

    /// The greatest distance to the end of the game, in plies.
    pub fn longest(&self) -> Option<u32> {
        self.max_by_plies.keys().next_back().max(self.min_by_plies.keys().next_back()).copied()
    }
}

impl Session {
    /// Counts the positions of `position/1` by the side to move.
    pub(super) fn census(
        &self,
        game: &RuleGame,
        roots: &[Position],
        solution: &Solution<Position>,
    ) -> SessionResult<[SideCensus; 2]> {
        let mut all = [SideCensus::default(), SideCensus::default()];
        for (state, root) in roots.iter().zip(solution.roots()) {
            let max = match root.mover {
                Some(side) => side == Side::Max,
                // A finished game has a side to move too, for example the mated side.
                None => {
                    let (max, min) = game.sides(state).map_err(|fault| self.fault(&fault, &[]))?;
                    max.unwrap_or_else(|| !min.unwrap_or(false))
                }
            };
            if let Some(known) = root.known {
                all[usize::from(!max)].add(known);
            }
        }
        Ok(all)
    }
}
